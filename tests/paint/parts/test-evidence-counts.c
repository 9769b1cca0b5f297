/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many behind a number's mark: of one in the singular; and of an op that the reference did, or that has
 * no tiles, as of any other.
 */
#include <string.h>

#include "tests/paint/fixture.h"
#include "tests/plain.h"
#include "ui/paint/parts/evidence.h"

/* The value of that fact; NULL: it isn't there. (transfer full) */
static char *
fact (const LsEvidenceFacts *facts, const char *name)
{
  for (guint i = 0; i + 1 < facts->facts->len; i += 2)
    if (strcmp (facts->facts->pdata[i], name) == 0)
      return plain (g_strdup (facts->facts->pdata[i + 1]));
  return NULL;
}

static void
test_compared (void)
{
  static const struct {
    guint n;
    gboolean losses, live;
    const char *says;
  } cases[] = {
    { 1, TRUE, TRUE, "1 step" },       { 2, TRUE, TRUE, "2 steps" },  { 1200, TRUE, TRUE, "1 200 steps" },
    { 1, FALSE, TRUE, "1 time" },      { 2, FALSE, TRUE, "2 times" }, { 1, FALSE, FALSE, "1 element" },
    { 2, FALSE, FALSE, "2 elements" }, { 1, TRUE, FALSE, "1 step" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);

      data->live = cases[i].live;
      data->sides[0].delta = (LsFigure){ .value = 1e-6, .n = cases[i].n };
      data->sides[0].delta_of = cases[i].losses ? LS_DELTA_LOSSES : LS_DELTA_WEIGHTS;
      g_clear_pointer (&data->sides[0].recorded_on, g_free);
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (data, 0, LS_NUMBER_DELTA);
      g_autofree char *says = fact (facts, "Compared");
      g_assert_cmpstr (says, ==, cases[i].says);
    }
}

/* The lane's op 1 is what the reference did: no tiles, one span. */
static LsRecording *
by_reference (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 64, .tiles = 16, .groups = 32, .on_cpu = TRUE, .steps = 40 };
  LsRecording *recording = ls_fixture_recording (&f);
  GArray *events = recording->lanes[0].events;

  for (guint i = events->len; i-- > 0;)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i);

      if (e->op == 1 && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL))
        e->kind = LS_EVENT_REFERENCE;
      else if (e->op == 1)
        g_array_remove_index (events, i);
    }
  return recording;
}

static void
test_reference (void)
{
  g_autoptr (LsRecording) first = by_reference (), second = by_reference (), third = by_reference ();
  LsRecording *steps[] = { first, second, third };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (first, NULL);
  const LsOpTrace *trace = &data->sides[0].index->ops[1];

  g_assert_true (trace->ran);
  g_assert_cmpuint (trace->n, ==, 0);
  for (guint n = 1; n <= 3; n++)
    {
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_op_facts (data, 0, 1, steps, n);
      g_autofree char *says = fact (facts, "Samples"), *median = fact (facts, "Median"),
                      *value = fact (facts, "Value"),
                      *wanted = n == 1
                                  ? g_strdup ("recorded once")
                                  : g_strdup_printf ("the op in the %u recorded steps of this run that are "
                                                     "kept",
                                                     n);

      g_assert_cmpstr (says, ==, wanted);
      g_assert_cmpuint (facts->samples->len, ==, n == 1 ? 0 : n);
      /* the three are the same */
      g_assert_cmpstr (median, ==, n == 1 ? NULL : value);
      g_assert_nonnull (value);
    }
}

/* An op that is computed in another one took as long as that one did, in all steps that are kept. */
static void
test_joined (void)
{
  const LsFixture f = { LS_CORES (2),   .batch = 64,   .tiles = 16, .groups = 32,
                        .on_cpu = TRUE, .fused = TRUE, .steps = 40 };
  g_autoptr (LsRecording) first = ls_fixture_recording (&f), second = ls_fixture_recording (&f),
                          third = ls_fixture_recording (&f);
  LsRecording *steps[] = { first, second, third };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (first, NULL);
  guint joined = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint op = 0; op < first->n_ops; op++)
      {
        const guint leader = ls_step_index_leader (data->sides[side].index, op);

        if (leader == op || !data->sides[side].index->ops[leader].ran)
          continue;
        g_autoptr (LsEvidenceFacts) own = ls_evidence_op_facts (data, (gint) side, op, steps, 3),
                                    its = ls_evidence_op_facts (data, (gint) side, leader, steps, 3);
        g_assert_cmpuint (its->samples->len, ==, 3);
        if (own->samples->len != 3)
          g_error ("side %u: of op %u, which is computed in op %u, %u times are told of 3 steps", side, op,
                   leader, own->samples->len);
        g_assert_cmpmem (own->samples->data, 3 * sizeof (double), its->samples->data, 3 * sizeof (double));
        joined++;
      }
  g_assert_cmpuint (joined, >, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/evidence-counts/compared", test_compared);
  g_test_add_func ("/paint/evidence-counts/reference", test_reference);
  g_test_add_func ("/paint/evidence-counts/joined", test_joined);
  return g_test_run ();
}
