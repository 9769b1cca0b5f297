/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time steps among a recording's ops: where each begins and ends, of every layer by itself.
 */
#include "tests/paint/fixture.h"
#include "ui/paint/data/chain.h"

#define STEPS 28

static LsViewData *
data_of (const char *model)
{
  const LsFixture f = { LS_CORES (2), .model = model, .batch = 4, .tiles = 16,
                        .groups = 32, .on_cpu = TRUE, .steps = 9 };

  return ls_fixture_data (&f);
}

static const LsChain *
chain_at (const GArray *chains, guint i)
{
  return &g_array_index (chains, LsChain, i);
}

static void
test_steps (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  const LsRecording *r = data->recording;
  g_autoptr (GArray) chains = ls_chains_new (r);
  guint step, n_of = 0;

  g_assert_cmpuint (chains->len, ==, 2);
  const LsChain *on = chain_at (chains, 0), *back = chain_at (chains, 1);
  g_assert_false (on->back);
  g_assert_true (back->back);
  g_assert_cmpuint (on->n_steps, ==, STEPS);
  g_assert_cmpuint (back->n_steps, ==, STEPS);
  g_assert_cmpstr (r->shapes[on->base].symbol, ==, "H₁");
  /* forwards a step begins with its product, the first with its bias, and ends with its cell */
  g_assert_cmpstr (r->ops[on->begin[0]].symbol, ==, "q₁");
  g_assert_cmpstr (r->ops[on->begin[1] - 1].symbol, ==, "h₁");
  g_assert_cmpstr (r->ops[on->begin[1]].symbol, ==, "p₂");
  g_assert_cmpstr (r->ops[on->begin[27]].symbol, ==, "p₂₈");
  g_assert_cmpstr (r->ops[on->begin[28] - 1].symbol, ==, "h₂₈");
  /* back it begins with the gates and ends with what the step before gets; nothing comes before the first */
  g_assert_cmpstr (r->ops[back->begin[0]].symbol, ==, "dz₂₈");
  g_assert_cmpstr (r->ops[back->begin[1] - 1].symbol, ==, "dh₂₇");
  g_assert_cmpstr (r->ops[back->begin[27]].symbol, ==, "dz₁");
  g_assert_cmpuint (back->begin[28], ==, back->begin[27] + 1);
  for (guint i = 0; i < r->n_ops; i++)
    {
      const LsChain *chain = ls_chain_of (chains, i, &step);
      n_of += chain != NULL;
      if (chain == NULL)
        continue;
      g_assert_cmpuint (i, >=, chain->begin[step]);
      g_assert_cmpuint (i, <, chain->begin[step + 1]);
      g_assert_cmpint (r->ops[i].phase, ==, chain->back ? LS_PHASE_BACKWARD : LS_PHASE_FORWARD);
    }
  g_assert_cmpuint (n_of, ==, 3 * STEPS - 1 + 2 * STEPS - 1);
}

/* Two in one pair of brackets are two, each in its order; what lies between them is neither's. */
static void
test_several (void)
{
  g_autoptr (LsViewData) data = data_of ("residual(lstm 28 all, lstm 28 all), flatten, dense 10");
  const LsRecording *r = data->recording;
  g_autoptr (GArray) chains = ls_chains_new (r);
  gint64 alone = 0, start, end;

  g_assert_cmpuint (chains->len, ==, 4);
  for (guint i = 0; i < chains->len; i++)
    {
      g_assert_cmpuint (chain_at (chains, i)->n_steps, ==, STEPS);
      g_assert_cmpint (chain_at (chains, i)->back, ==, i > 1);
    }
  g_assert_cmpuint (chain_at (chains, 0)->base, !=, chain_at (chains, 1)->base);
  g_assert_cmpuint (chain_at (chains, 0)->begin[STEPS], <, chain_at (chains, 1)->begin[0]);
  g_assert_null (ls_chain_of (chains, chain_at (chains, 0)->begin[STEPS], NULL));
  for (guint i = 0; i < chains->len; i++)
    {
      g_assert_true (ls_chain_time (chain_at (chains, i), data->sides[0].index, 0, STEPS, &start, &end));
      alone += end - start;
    }
  g_assert_cmpint (ls_chains_ns (chains, data->sides[0].index), ==, alone);
  g_assert_cmpint (alone, <, data->sides[0].index->length_ns);
}

/* A stranger's file may say that a layer's first step reads what another layer's last one gives: no op is of
 * two chains then, and each is found in the one that it is of. */
static void
test_overlap (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6 all, lstm 6, dense 10");
  LsRecording *r = data->recording;
  guint last_cell = 0;

  for (guint i = 0; i < r->n_ops; i++)
    {
      r->ops[i].layer = 1;
      if (strcmp (r->ops[i].name, "lstm") == 0)
        {
          if (r->shapes[r->ops[i].out[0]].base != r->shapes[r->ops[last_cell].out[0]].base)
            r->ops[i].in[1] = r->ops[5].out[0];
          last_cell = i;
        }
    }
  g_autoptr (GArray) chains = ls_chains_new (r);
  g_assert_cmpuint (chains->len, ==, 4);
  for (guint i = 0; i < r->n_ops; i++)
    {
      guint step = 0;
      const LsChain *of = ls_chain_of (chains, i, &step), *found = NULL;
      for (guint c = 0; c < chains->len; c++)
        if (i >= chain_at (chains, c)->begin[0]
            && i < chain_at (chains, c)->begin[chain_at (chains, c)->n_steps])
          {
            if (found != NULL)
              g_error ("op %u is of two chains", i);
            found = chain_at (chains, c);
          }
      g_assert_true (of == found);
      g_assert_true (of == NULL || (i >= of->begin[step] && i < of->begin[step + 1]));
    }
}

static void
test_times (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  const LsChain *chain = chain_at (chains, 0);
  const LsStepIndex *index = data->sides[0].index;
  gint64 start, end, last_end = 0, whole_start, whole_end;

  g_assert_true (ls_chain_time (chain, index, 0, STEPS, &whole_start, &whole_end));
  for (guint i = 0; i < STEPS; i++)
    {
      const LsOpTrace *cell = &index->ops[ls_step_index_leader (index, chain->begin[i + 1] - 1)];
      g_assert_true (ls_chain_time (chain, index, i, 1, &start, &end));
      g_assert_cmpint (end, ==, cell->end_ns);
      g_assert_cmpint (start, >=, last_end); /* each waits for the one before */
      if (i == 0)
        g_assert_cmpint (start, ==, whole_start);
      last_end = end;
    }
  g_assert_cmpint (last_end, ==, whole_end);
}

/* An op that is done in another one takes that one's time, if it is of the chain; what is done before the
 * chain isn't part of it; nor is what wasn't done. */
static void
test_led (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  const LsChain *chain = chain_at (chains, 0);
  const LsStepIndex *index = data->sides[0].index;
  LsTiling *tilings = data->sides[0].recorded->tilings;
  const guint first = chain->begin[5], n = chain->begin[6] - first;
  gint64 start, end;

  g_assert_cmpuint (n, >, 1);
  g_assert_cmpuint (chain->begin[0], >, 0);
  for (guint i = first; i < chain->begin[6]; i++)
    tilings[i].leader = chain->begin[4]; /* the step before */
  g_assert_true (ls_chain_time (chain, index, 5, 1, &start, &end));
  g_assert_cmpint (start, ==, index->ops[chain->begin[4]].start_ns);
  g_assert_cmpint (end, ==, index->ops[chain->begin[4]].end_ns);
  for (guint i = first; i < chain->begin[6]; i++)
    tilings[i].leader = chain->begin[0] - 1;
  g_assert_false (ls_chain_time (chain, index, 5, 1, &start, &end));
  tilings[chain->begin[6] - 1].leader = first;
  g_assert_true (ls_chain_time (chain, index, 5, 1, &start, &end));
  g_assert_cmpint (start, ==, index->ops[first].start_ns);
  g_assert_cmpint (end, ==, index->ops[first].end_ns);
  index->ops[first].ran = FALSE;
  g_assert_false (ls_chain_time (chain, index, 5, 1, &start, &end));
}

static void
test_none (void)
{
  const char *const models[] = { "flatten, dense 8, relu, dense 10", "conv 4 3, relu, flatten, dense 10",
                                 "residual(conv 1 3 pad 1), flatten, dense 10" };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (LsViewData) data = data_of (models[i]);
      g_autoptr (GArray) chains = ls_chains_new (data->recording);
      g_assert_cmpuint (chains->len, ==, 0);
      g_assert_null (ls_chain_of (chains, 0, NULL));
      g_assert_cmpint (ls_chains_ns (chains, data->sides[0].index), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chain/steps", test_steps);
  g_test_add_func ("/chain/several", test_several);
  g_test_add_func ("/chain/overlap", test_overlap);
  g_test_add_func ("/chain/times", test_times);
  g_test_add_func ("/chain/led", test_led);
  g_test_add_func ("/chain/none", test_none);
  return g_test_run ();
}
