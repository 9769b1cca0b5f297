/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded step of one worker, with a clock that moves by 10 ns whenever it is read and a system that says
 * what the test wants of processor time: which number a tile has, and how long a worker was off its core.
 */
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "tests/cpu/rig.h"

static struct {
  _Atomic guint64 now_ns;
  guint64 had_ns[2]; /* processor time before and after the step */
  guint asked;
} fake;

int __wrap_clock_gettime (clockid_t id, struct timespec *t);
int __real_clock_gettime (clockid_t id, struct timespec *t);
guint64 __wrap_ls_pool_cpu_ns (const LsPool *pool, guint worker);

int
__wrap_clock_gettime (clockid_t id, struct timespec *t)
{
  guint64 now_ns;

  if (id != CLOCK_MONOTONIC_RAW)
    return __real_clock_gettime (id, t);
  now_ns = 1000000000u + atomic_fetch_add (&fake.now_ns, 10);
  t->tv_sec = (time_t) (now_ns / 1000000000u);
  t->tv_nsec = (long) (now_ns % 1000000000u);
  return 0;
}

guint64
__wrap_ls_pool_cpu_ns (G_GNUC_UNUSED const LsPool *pool, guint worker)
{
  g_assert_cmpuint (worker, ==, 0);
  return fake.had_ns[fake.asked++ > 0];
}

static LsTrace *
record (Rig *rig, guint64 before_ns, guint64 after_ns)
{
  LsRunResult result = { 0 };
  LsTrace *trace;

  fake.had_ns[0] = before_ns;
  fake.had_ns[1] = after_ns;
  fake.asked = 0;
  trace = rig_record (rig, TRUE, &result);
  g_assert_cmpuint (fake.asked, ==, 2);
  return trace;
}

static Rig *
rig_of (const char *model, guint batch, gint64 tiles, gboolean fusion)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  options->threads = 1;
  options->policy = LS_POLICY_STATIC;
  options->tiles = tiles;
  options->fusion = fusion;
  return rig_new (&ls_backend_cpu, options, model, batch);
}

/* A tile lasts 10 ns here: what it took beyond the processor time that the worker had was another's. The
 * least that can be said: not less than nothing; and nothing where the system tells no time, or none that
 * passed. */
static void
test_off_core (void)
{
  Rig *rig = rig_of ("mlp", 12, 9, TRUE);
  guint64 tiles_ns = 0;
  static const struct {
    guint64 before_ns, after_ns;
    guint tells;
    gint64 had_ns;
  } cases[] = { { 5000, 5100, 1, 100 }, { 5000, 5001, 1, 1 }, { 5000, 1000005000, 1, 1000000000 },
                { 0, 0, 0, -1 },        { 0, 500, 0, -1 },    { 5000, 5000, 0, -1 },
                { 5000, 4000, 0, -1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsTrace) trace = record (rig, cases[i].before_ns, cases[i].after_ns);
      const LsRing *ring = &trace->rings[1];

      tiles_ns = 0;
      for (guint32 k = 0; k < ring->n; k++)
        if (ring->events[k].kind == LS_EVENT_TILE)
          {
            g_assert_cmpuint (ring->events[k].end_ns - ring->events[k].start_ns, ==, 10);
            tiles_ns += 10;
          }
      g_assert_cmpuint (tiles_ns, >, 200);
      g_assert_cmpuint (ring->tells, ==, cases[i].tells);
      g_assert_cmpuint (
        ring->off_core_ns, ==,
        cases[i].tells && (guint64) cases[i].had_ns < tiles_ns ? tiles_ns - (guint64) cases[i].had_ns : 0);
      g_assert_cmpuint (trace->rings[0].tells, ==, 0);

      /* and of all workers together: there is a list if anybody tells */
      g_autoptr (GArray) off = ls_trace_off_core (trace);
      g_assert_cmpint (off != NULL, ==, cases[i].tells);
      if (off != NULL)
        {
          g_assert_cmpuint (off->len, ==, 1);
          g_assert_cmpuint (g_array_index (off, guint64, 0), ==, ring->off_core_ns);
        }
    }
  rig_free (rig);
}

/* The tiles of the output are numbered as in the grid. What is made before them, gate by gate, or joins their
 * parts, has numbers past the last of them, in the order of passes. */
static void
test_numbers (void)
{
  static const struct {
    const char *model;
    const LsOpClass *klass;
    guint passes, joined;
  } cases[] = { { "lstm 40 all, lstm 60, dense 10", &ls_op_lstm, 5, 0 }, { "cnn", &ls_op_conv2d_dw, 1, 1 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      Rig *rig = rig_of (cases[c].model, 32, 9, FALSE);
      g_autoptr (LsTrace) trace = record (rig, 5000, 6000);
      const LsTiling *tilings = rig->backend->tilings (rig->self);
      guint n_ops = 0;

      for (guint op = 0; op < rig->plan->n_ops; op++)
        {
          const LsTiling *t = &tilings[op];
          const guint32 n = t->grid_rows * t->grid_cols * t->splits;
          guint32 done = 0;

          if (rig->plan->ops[op].klass != cases[c].klass || n == 1)
            continue;
          n_ops++;
          g_assert_cmpint (t->splits > 1, ==, cases[c].joined);
          for (guint32 k = 0; k < trace->rings[1].n; k++)
            {
              const LsEvent *e = &trace->rings[1].events[k];
              const guint32 pass = done / n;
              guint32 number = pass * n + done % n; /* joining comes after the tiles */

              if (e->kind != LS_EVENT_TILE || e->op != op)
                continue;
              if (cases[c].passes > 1) /* the last pass makes the output */
                number = pass + 1 == cases[c].passes ? done % n : (pass + 1) * n + done % n;
              if (e->tile != number)
                g_error ("%s: what is done as number %u is numbered %u, not %u", cases[c].klass->name, done,
                         e->tile, number);
              done++;
            }
          if (cases[c].joined)
            g_assert_cmpuint (done, >, n);
          else
            g_assert_cmpuint (done, ==, n * cases[c].passes);
        }
      g_assert_cmpuint (n_ops, >, 0);
      rig_free (rig);
    }
}

#define TWO "conv 96 3 pad 1, conv 96 3 pad 1, "
#define SIX TWO TWO TWO

/* There is room for every event, even if one worker does everything, the joining of many parts too. */
static void
test_room (void)
{
  Rig *rig = rig_of ("conv 96 5 stride 5, " SIX SIX "flatten, dense 10", 128, 100, FALSE);
  g_autoptr (LsTrace) trace = record (rig, 5000, 6000);
  const LsTiling *tilings = rig->backend->tilings (rig->self);
  guint joining = 0;

  for (guint32 k = 0; k < trace->rings[1].n; k++)
    {
      const LsEvent *e = &trace->rings[1].events[k];
      const LsTiling *t = &tilings[e->op];
      joining += e->kind == LS_EVENT_TILE && rig->plan->ops[e->op].klass == &ls_op_conv2d_dw
                 && e->tile >= t->grid_rows * t->grid_cols * t->splits;
    }
  g_test_message ("%u tiles that join, %u ops, room for %u, %u there", joining, rig->plan->n_ops,
                  trace->rings[1].capacity, trace->rings[1].n);
  g_assert_cmpuint (joining, >, trace->rings[1].capacity - trace->rings[1].n);
  g_assert_cmpuint (ls_trace_dropped (trace), ==, 0);
  rig_free (rig);
}

/* What is told of the ops, by whom and in which tiles they are computed, is that of a lane that had been
 * opened so, whichever option is changed while it works. */
static void
test_told_anew (void)
{
  for (guint change = 0; change < 4; change++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (GError) error = NULL;
      Rig *rig, *anew;
      guint unlike = 0;

      options->threads = 1;
      options->tiles = 9;
      rig = rig_new (&ls_backend_cpu, options, "cnn", 12);
      g_autofree LsTiling *before = g_memdup2 (rig->backend->tilings (rig->self),
                                               rig->plan->n_ops * sizeof (LsTiling));
      switch (change)
        {
        case 0:
          options->fusion = !options->fusion;
          break;
        case 1:
          options->tiles = 40;
          break;
        case 2:
          options->cpu_kernels = LS_CPU_KERNELS_NAIVE;
          break;
        default:
          options->threads = 3;
          options->tiles = 0;
          break;
        }
      g_assert_true (rig->backend->configure (rig->self, options, &error));
      g_assert_no_error (error);
      anew = rig_new (&ls_backend_cpu, options, "cnn", 12);
      for (guint i = 0; i < rig->plan->n_ops; i++)
        {
          const LsTiling *a = &rig->backend->tilings (rig->self)[i],
                         *b = &anew->backend->tilings (anew->self)[i];

          if (a->leader != b->leader || a->way != b->way || a->tile_rows != b->tile_rows
              || a->tile_cols != b->tile_cols || a->grid_rows != b->grid_rows || a->grid_cols != b->grid_cols
              || a->splits != b->splits || strcmp (a->kernel, b->kernel) != 0)
            g_error (
              "change %u: op %u is told as computed in op %u by %s in %u×%u tiles, and is in op %u by %s in "
              "%u×%u",
              change, i, a->leader, a->kernel, a->grid_rows, a->grid_cols, b->leader, b->kernel, b->grid_rows,
              b->grid_cols);
          unlike += a->leader != before[i].leader || a->grid_rows != before[i].grid_rows
                    || a->grid_cols != before[i].grid_cols || strcmp (a->kernel, before[i].kernel) != 0;
        }
      g_assert_cmpuint (unlike, >, 0);
      rig_free (anew);
      rig_free (rig);
    }
}

/* A recorded run is one step, with a ring for each worker and one more; and no run goes beyond the plan. */
static void
test_refused (void)
{
  static const struct {
    guint first, n_ops; /* n_ops: so many fewer than the plan has */
    guint n_steps;
    gint rings;        /* more than are needed; −9: it isn't recorded */
    const char *words; /* NULL: it is done */
  } rows[] = {
    { 0, 0, 1, 0, NULL },
    { 0, 0, 1, 1, NULL },
    { 0, 0, 1, -1, "Recording on the CPU lane takes one step and 2 rings." },
    { 0, 0, 2, 0, "Recording on the CPU lane takes one step and 2 rings." },
    { 0, 0, 2, -9, NULL },
    { 0, 0, 0, -9, "The CPU lane was asked to run what isn’t in its plan." },
    { 1, 1, 1, -9, NULL },
    { 1, 0, 1, -9, "The CPU lane was asked to run what isn’t in its plan." },
    { 1000, 0, 1, -9, "The CPU lane was asked to run what isn’t in its plan." },
  };
  g_autoptr (LsOptions) options = ls_options_new ();
  guint n_rings;
  guint32 capacity;

  ls_options_set (options, ls_options_find ("threads"), "1", NULL);
  Rig *rig = rig_new (&ls_backend_cpu, options, "flatten, dense 3, relu, dense 10", 5);
  rig->backend->trace_size (rig->self, &n_rings, &capacity);
  g_assert_cmpuint (n_rings, ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsHyper hyper[2] = { { .step = 1 }, { .step = 2 } };
      const guint32 index[5] = { 0, 1, 2, 3, 4 };
      const LsBatch batches[2] = { { &rig->set, index, 5 }, { &rig->set, index, 5 } };
      LsTrace *trace = rows[i].rings == -9
                         ? NULL
                         : ls_trace_new (RIG_LANE, (guint) (2 + rows[i].rings), capacity, NULL);
      const LsRun run = { .first_op = rows[i].first,
                          .n_ops = rig->plan->n_ops - rows[i].n_ops,
                          .n_steps = rows[i].n_steps,
                          .batches = batches,
                          .hyper = hyper,
                          .trace = trace };
      guint64 ends[2];
      float losses[2];
      LsRunResult result = { .losses = losses, .step_end_ns = ends };
      g_autoptr (GError) error = NULL;

      if (rig->backend->run (rig->self, &run, &result, &error) != (rows[i].words == NULL))
        g_error ("row %u is %s", i, rows[i].words == NULL ? error->message : "done");
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, rows[i].words);
      ls_trace_free (trace);
    }
  rig_free (rig);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/recorded/refused", test_refused);
  g_test_add_func ("/cpu/recorded/off-core", test_off_core);
  g_test_add_func ("/cpu/recorded/numbers", test_numbers);
  g_test_add_func ("/cpu/recorded/room", test_room);
  g_test_add_func ("/cpu/recorded/told-anew", test_told_anew);
  return g_test_run ();
}
