/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole steps on the CPU lane: the same bits under every policy and thread count, with and without fusion, in
 * one run or several; near the reference; settings changed while it trains; and what a recorded step tells.
 */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "tests/cpu/rig.h"

#define N_POLICIES 4

static LsOptions *
make_options (gint64 threads, LsPolicy policy, gint64 tiles, gboolean fusion)
{
  LsOptions *options = ls_options_new ();
  options->threads = threads;
  options->policy = policy;
  options->tiles = tiles;
  options->fusion = fusion;
  return options;
}

static guint64
train (Rig *rig, const LsOptions *options, guint n_steps, gboolean fuse)
{
  LsRunResult result = { 0 };

  g_assert_true (rig->backend->configure (rig->self, options, NULL));
  rig_reset (rig);
  rig_run (rig, n_steps, fuse, NULL, &result);
  return rig_hash (rig, LS_ROLE_WEIGHT) ^ rig_hash (rig, LS_ROLE_STATE);
}

static const char *const models[] = {
  "mlp",
  "conv 5 3 stride 2 pad 2, tanh, conv 7 5, relu, maxpool 3 stride 2, flatten, dense 33, sigmoid, dense 10",
  "cnn",
  ("avgpool 2, dropout 0.1, flatten, dense 33, layernorm, relu, dropout 0.5, dense 17, gelu, dropout 0.3, "
   "dense 10"),
  "lstm 9 all, lstm 17, dense 10",
};
static const struct {
  guint batch, n_steps;
} sizes[] = { { 1, 3 }, { 7, 3 }, { 128, 2 } };

/* On any number of threads, under any schedule, cut into any number of tiles, fused or not. Valgrind looks at
 * memory, not at bits: there, one size, grid and thread count pass by all the code. */
static void
test_same_bits (gconstpointer data)
{
  static const gint64 threads[] = { 3, 1, 2, 8, 64, 128 }; /* far more than processors, too */
  static const gint64 tiles[] = { 1, 13, 64, 0 };
  const guint n_threads = rig_under_valgrind () ? 1 : G_N_ELEMENTS (threads);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      if (rig_under_valgrind () && sizes[s].batch != 7)
        continue;
      g_autoptr (LsOptions) first = make_options (1, LS_POLICY_STATIC, 1, TRUE);
      Rig *rig = rig_new (&ls_backend_cpu, first, data, sizes[s].batch);
      const guint64 expected = train (rig, first, sizes[s].n_steps, TRUE);

      for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
        {
          if ((sizes[s].batch == 128 || rig_under_valgrind ()) && tiles[i] != 13)
            continue; /* the long ones once */
          g_autoptr (LsOptions) options = make_options (1, LS_POLICY_STATIC, tiles[i], TRUE);

          g_assert_cmphex (train (rig, options, sizes[s].n_steps, TRUE), ==, expected);
          g_assert_cmphex (train (rig, options, sizes[s].n_steps, FALSE), ==, expected);
          for (guint t = 0; t < n_threads; t++)
            for (guint policy = 0; policy < N_POLICIES; policy++)
              {
                options->threads = threads[t];
                options->policy = (gint) policy;
                options->fusion = (t + policy) % 2 == 0;
                g_assert_cmphex (train (rig, options, sizes[s].n_steps, TRUE), ==, expected);
              }
        }
      g_assert_null (
        ls_arena_check (&((LsCpu *) rig->self)->arena, rig->plan->tensors, rig->plan->n_tensors));
      rig_free (rig);
    }
}

/* Near the reference on other grids and the automatic one, too; and the loss goes down. */
static void
test_like_reference (gconstpointer data)
{
  const guint n_steps = 4, batch = 8;
  float expected[4], losses[4];
  LsRunResult result = { .losses = expected };

  for (guint optimizer = 0; optimizer < 2; optimizer++)
    {
      g_autoptr (LsOptions) options = make_options (2, LS_POLICY_STEAL, 0, TRUE);
      options->optimizer = (gint) optimizer;
      Rig *reference = rig_new (&ls_backend_reference_f64, options, data, batch);
      Rig *rig = rig_new (&ls_backend_cpu, options, data, batch);

      result.losses = expected;
      rig_run (reference, n_steps, TRUE, NULL, &result);
      result.losses = losses;
      rig_run (rig, n_steps, TRUE, NULL, &result);
      for (guint s = 0; s < n_steps; s++)
        g_assert_cmpfloat (fabs ((double) losses[s] - (double) expected[s]), <=, 1e-4);
      for (guint i = 0; i < rig->plan->n_params; i++)
        {
          guint id = rig->plan->params[i].weight;
          gint64 count = ls_tensor_count (&rig->plan->tensors[id]);
          g_autofree float *a = g_new (float, count), *b = g_new (float, count);
          double difference = 0, norm = 0;

          g_assert_true (rig->backend->read (rig->self, id, a, NULL));
          g_assert_true (reference->backend->read (reference->self, id, b, NULL));
          for (gint64 j = 0; j < count; j++)
            {
              difference += pow ((double) a[j] - (double) b[j], 2);
              norm += pow ((double) b[j], 2);
            }
          g_assert_cmpfloat (sqrt (difference), <=, 1e-2 * sqrt (norm) + 1e-12);
        }
      rig_free (rig);
      rig_free (reference);
    }
}

/* Five steps in one run, in five runs, and op by op: the same weights; all stamps and losses are there. */
static void
test_runs (void)
{
  g_autoptr (LsOptions) options = make_options (2, LS_POLICY_DYNAMIC, 0, TRUE);
  Rig *rig = rig_new (&ls_backend_cpu, options, "mlp", 32);
  guint64 step_end_ns[5] = { 0 };
  float losses[5] = { 0 }, loss;
  LsRunResult result = { .step_end_ns = step_end_ns, .losses = losses };
  guint64 hash;

  rig_run (rig, 5, TRUE, NULL, &result);
  hash = rig_hash (rig, LS_ROLE_WEIGHT);
  for (guint s = 0; s < 5; s++)
    {
      g_assert_cmpuint (step_end_ns[s], >, s ? step_end_ns[s - 1] : result.start_ns);
      g_assert_cmpfloat (losses[s], >, 0);
    }
  g_assert_cmpuint (result.end_ns, >=, step_end_ns[4]);

  rig_reset (rig);
  result = (LsRunResult){ .losses = &loss };
  for (guint s = 0; s < 5; s++)
    {
      rig_run (rig, 1, TRUE, NULL, &result);
      g_assert_cmpfloat (loss, ==, losses[s]);
    }
  g_assert_cmpuint (rig_hash (rig, LS_ROLE_WEIGHT), ==, hash);
  rig_free (rig);
}

/* Any cut of the plan into two ranges: chains that the cut divides run unfused. */
static void
test_ranges (void)
{
  g_autoptr (LsOptions) options = make_options (2, LS_POLICY_STATIC, 5, TRUE);
  Rig *rig = rig_new (&ls_backend_cpu, options, "conv 3 3, relu, flatten, dense 16, tanh, dense 10", 4);
  guint32 index[4] = { 3, 1, 4, 1 };
  LsBatch batch = { .set = &rig->set, .index = index, .n = 4 };
  LsHyper hyper = { .lr = 0.1, .momentum = 0.9, .step = 1 };
  LsRunResult result = { 0 };
  guint64 hash = 0;

  for (guint cut = 0; cut <= rig->plan->n_ops; cut++)
    {
      LsRun run = { .n_ops = cut, .n_steps = 1, .batches = &batch, .hyper = &hyper, .fuse = TRUE };
      rig_reset (rig);
      g_assert_true (rig->backend->run (rig->self, &run, &result, NULL));
      run.first_op = cut;
      run.n_ops = rig->plan->n_ops - cut;
      g_assert_true (rig->backend->run (rig->self, &run, &result, NULL));
      if (cut == 0)
        hash = rig_hash (rig, LS_ROLE_WEIGHT);
      g_assert_cmpuint (rig_hash (rig, LS_ROLE_WEIGHT), ==, hash);
    }

  g_autoptr (GError) error = NULL;
  LsRun beyond = { .first_op = 1, .n_ops = rig->plan->n_ops, .n_steps = 1 };
  g_assert_false (rig->backend->run (rig->self, &beyond, &result, &error));
  g_assert_nonnull (error);
  rig_free (rig);
}

/* Threads, policy, tiles and fusion changed in the middle: weights and states go on. */
static void
test_configure (void)
{
  g_autoptr (LsOptions) options = make_options (2, LS_POLICY_STATIC, 6, TRUE);
  Rig *rig = rig_new (&ls_backend_cpu, options, "mlp", 16);
  LsRunResult result = { 0 };
  guint64 hash;

  rig_run (rig, 4, TRUE, NULL, &result);
  hash = rig_hash (rig, LS_ROLE_WEIGHT);
  rig_reset (rig);
  for (guint s = 0; s < 4; s++)
    {
      options->threads = 1 + s;
      options->policy = (gint) s;
      options->fusion = s % 2;
      g_assert_true (rig->backend->configure (rig->self, options, NULL));
      g_assert_cmpint (rig->backend->device (rig->self)->threads, ==, 1 + s);
      rig_run (rig, 1, TRUE, NULL, &result);
    }
  g_assert_cmpuint (rig_hash (rig, LS_ROLE_WEIGHT), ==, hash);
  options->tiles = 40;
  g_assert_true (rig->backend->configure (rig->self, options, NULL));
  rig_run (rig, 1, TRUE, NULL, &result);

  g_assert_true (rig->backend->prepare (rig->self, rig->plan, NULL, NULL));
  rig_reset (rig);
  rig_run (rig, 1, TRUE, NULL, &result);
  rig_free (rig);
}

/* ---- recorded steps ---- */

static guint
tiles_of (const LsCpu *cpu, guint op)
{
  const LsCpuStage *stage = cpu->fusion ? &cpu->fused[op] : &cpu->plain[op];

  return stage->n_passes * stage->n_tiles + stage->n_joins;
}

static void
check_op_events (const GArray *events, const LsCpu *cpu, guint op, const LsEvent *op_event)
{
  const guint n_tiles = tiles_of (cpu, op);
  g_autofree guint *seen = g_new0 (guint, n_tiles), *ranked = g_new0 (guint, n_tiles);
  g_autofree guint64 *end_of_rank = g_new0 (guint64, n_tiles);

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->op != op || e == op_event)
        continue;
      g_assert_true (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_WAIT);
      g_assert_cmpuint (e->start_ns, >=, op_event->start_ns);
      g_assert_cmpuint (e->end_ns, <=, op_event->end_ns);
      g_assert_cmpuint (e->worker, <, ls_pool_size (cpu->pool));
      if (e->kind == LS_EVENT_WAIT)
        continue;
      g_assert_cmpuint (e->tile, <, n_tiles);
      g_assert_cmpuint (e->rank, <, n_tiles);
      g_assert_cmpint (e->unit, >=, 0);
      g_assert_cmpuint (e->from, !=, e->worker);
      seen[e->tile]++;
      ranked[e->rank]++;
      end_of_rank[e->rank] = e->end_ns;
    }
  for (guint i = 0; i < n_tiles; i++)
    {
      g_assert_cmpuint (seen[i], ==, 1);
      g_assert_cmpuint (ranked[i], ==, 1);
      if (i > 0)
        g_assert_cmpuint (end_of_rank[i - 1], <=, end_of_rank[i]);
    }
}

/* No worker does two things at once. */
static void
check_workers (const LsTrace *trace)
{
  for (guint r = 1; r < trace->n_rings; r++)
    for (guint32 i = 0; i < trace->rings[r].n; i++)
      for (guint32 j = 0; j < i; j++)
        {
          const LsEvent *a = &trace->rings[r].events[i], *b = &trace->rings[r].events[j];
          g_assert_true (a->start_ns >= b->end_ns || b->start_ns >= a->end_ns);
        }
}

/* Two tiles for four workers: whoever has none waits for all of the op, however late it woke to see that none
 * was left. */
static void
test_idle (void)
{
  for (guint policy = 0; policy < N_POLICIES; policy++)
    {
      g_autoptr (LsOptions) options = make_options (4, (LsPolicy) policy, 2, TRUE);
      Rig *rig = rig_new (&ls_backend_cpu, options, "mlp", 64);
      g_autoptr (LsTrace) trace = NULL;
      LsRunResult result = { 0 };
      guint n_idle = 0;

      trace = rig_record (rig, TRUE, &result);
      for (guint op = 0; op < rig->plan->n_ops; op++)
        {
          guint64 first_ns = G_MAXUINT64;

          for (guint r = 1; r < trace->n_rings; r++)
            for (guint32 i = 0; i < trace->rings[r].n; i++)
              if (trace->rings[r].events[i].kind == LS_EVENT_TILE && trace->rings[r].events[i].op == op)
                first_ns = MIN (first_ns, trace->rings[r].events[i].start_ns);
          for (guint r = 1; r < trace->n_rings && first_ns != G_MAXUINT64; r++)
            {
              const LsEvent *wait = NULL;
              guint n_tiles = 0;

              for (guint32 i = 0; i < trace->rings[r].n; i++)
                if (trace->rings[r].events[i].op == op && trace->rings[r].events[i].kind == LS_EVENT_WAIT)
                  wait = &trace->rings[r].events[i];
                else
                  n_tiles += trace->rings[r].events[i].op == op
                             && trace->rings[r].events[i].kind == LS_EVENT_TILE;
              if (n_tiles > 0)
                continue;
              g_assert_nonnull (wait);
              g_assert_cmpuint (wait->start_ns, <=, first_ns);
              n_idle++;
            }
        }
      g_assert_cmpuint (n_idle, >=, 2);
      rig_free (rig);
    }
}

static void
test_events (gconstpointer data)
{
  for (guint policy = 0; policy < N_POLICIES; policy++)
    for (guint fusion = 0; fusion < 2; fusion++)
      {
        g_autoptr (LsOptions) options = make_options (3, (LsPolicy) policy, 9, fusion);
        Rig *rig = rig_new (&ls_backend_cpu, options, data, 12);
        const LsCpu *cpu = rig->self;
        const LsTiling *tilings = rig->backend->tilings (rig->self);
        LsRunResult result = { 0 };
        guint n_steps = 0, n_leaders = 0, n_op_events = 0, n_waits = 0;

        g_autoptr (LsTrace) trace = rig_record (rig, TRUE, &result);
        g_assert_cmpuint (ls_trace_dropped (trace), ==, 0);
        g_autoptr (GArray) events = ls_trace_collect (trace);
        for (guint i = 0; i < events->len; i++)
          {
            const LsEvent *e = &g_array_index (events, LsEvent, i);
            g_assert_cmpuint (e->start_ns, <=, e->end_ns);
            g_assert_cmpuint (e->start_ns, >=, result.start_ns);
            g_assert_cmpuint (e->end_ns, <=, result.end_ns);
            g_assert_cmpuint (LS_EVENT_LANE (e), ==, RIG_LANE);
            g_assert_cmpuint (LS_EVENT_CLOCK (e), ==, LS_CLOCK_HOST);
            n_steps += e->kind == LS_EVENT_STEP;
            n_waits += e->kind == LS_EVENT_WAIT;
            if (e->kind != LS_EVENT_OP)
              continue;
            n_op_events++;
            g_assert_cmpuint (tilings[e->op].leader, ==, e->op);
            check_op_events (events, cpu, e->op, e);
          }
        for (guint i = 0; i < rig->plan->n_ops; i++)
          {
            /* an lstm's four gates are taken apart from its cell, unless all is fused */
            g_assert_cmpuint (cpu->fused[i].n_passes, ==, 1);
            g_assert_cmpuint (cpu->plain[i].n_passes, ==, rig->plan->ops[i].klass == &ls_op_lstm ? 5 : 1);
            n_leaders += tilings[i].leader == i;
            g_assert_true (fusion || tilings[i].leader == i);
          }
        g_assert_cmpuint (n_steps, ==, 1);
        g_assert_cmpuint (n_op_events, ==, n_leaders);
        g_assert_cmpuint (n_waits, >, 0);
        check_workers (trace);
        rig_free (rig);
      }
}

/* A trace made for fewer workers is refused, not written past. */
static void
test_small_trace (void)
{
  g_autoptr (LsOptions) options = make_options (3, LS_POLICY_STEAL, 0, TRUE);
  Rig *rig = rig_new (&ls_backend_cpu, options, "mlp", 64);
  LsRun run = { .n_ops = rig->plan->n_ops, .n_steps = 1 };
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTrace) narrow = ls_trace_new (0, 3, 100, NULL);
  g_autoptr (LsTrace) tiny = ls_trace_new (0, 4, 2, NULL);

  run.trace = narrow;
  g_assert_false (rig->backend->run (rig->self, &run, &result, &error));
  g_assert_nonnull (error);
  rig_run (rig, 1, TRUE, tiny, &result);
  g_assert_cmpuint (ls_trace_dropped (tiny), >, 0);
  rig_free (rig);
}

static void
test_device (void)
{
  g_autoptr (LsOptions) options = make_options (2, LS_POLICY_STEAL, 0, TRUE);
  g_autofree char *before = g_strdup (g_getenv ("OPENBLAS_CORETYPE"));

  g_setenv ("OPENBLAS_CORETYPE", "Haswell", TRUE);
  gpointer self = ls_backend_cpu.open (options, 0, NULL);
  const LsDeviceInfo *device = ls_backend_cpu.device (self);
  g_assert_cmpint (device->threads, ==, 2);
  g_assert_true (g_str_has_prefix (device->driver, "OpenBLAS "));
  g_assert_cmpint (device->kind, ==, LS_DEVICE_CPU);
  g_assert_nonnull (g_hash_table_lookup (device->facts, "warning-openblas"));
  g_assert_null (g_hash_table_lookup (device->facts, "warning-threads"));
  g_assert_cmpfloat (device->numbers[LS_DEVICE_STAMP], >, 0);
  ls_backend_cpu.close (self);

  g_unsetenv ("OPENBLAS_CORETYPE");
  self = ls_backend_cpu.open (options, 0, NULL);
  g_assert_null (g_hash_table_lookup (ls_backend_cpu.device (self)->facts, "warning-openblas"));
  ls_backend_cpu.close (self);
  if (before)
    g_setenv ("OPENBLAS_CORETYPE", before, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *bits = g_strdup_printf ("/cpu/step/same-bits/%u", i);
      g_autofree char *like = g_strdup_printf ("/cpu/step/like-reference/%u", i);
      g_autofree char *events = g_strdup_printf ("/cpu/step/events/%u", i);
      g_test_add_data_func (bits, models[i], test_same_bits);
      g_test_add_data_func (like, models[i], test_like_reference);
      g_test_add_data_func (events, models[i], test_events);
    }
  g_test_add_func ("/cpu/step/idle", test_idle);
  g_test_add_func ("/cpu/step/runs", test_runs);
  g_test_add_func ("/cpu/step/ranges", test_ranges);
  g_test_add_func ("/cpu/step/configure", test_configure);
  g_test_add_func ("/cpu/step/small-trace", test_small_trace);
  g_test_add_func ("/cpu/step/device", test_device);
  return g_test_run ();
}
