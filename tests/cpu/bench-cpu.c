/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures the CPU lane by itself, on made-up data: samples per second, microseconds per op, what recording a
 * step costs. Not a test: nothing here passes or fails.
 *
 *   env -u OPENBLAS_CORETYPE build/tests/cpu/bench-cpu MODEL BATCH THREADS POLICY TILES FUSION STEPS
 */
#include <stdlib.h>

#include "backends/backend.h"
#include "core/figure.h"
#include "tests/cpu/rig.h"

#define ROUNDS 15

/* A single step starts from sleeping workers, recorded or not: what comes between two runs must not tell them
 * apart. */
static void
pause_us (guint us)
{
  guint64 end_ns = ls_clock_ns () + us * 1000;
  while (ls_clock_ns () < end_ns)
    ;
}

static double
run_once (Rig *rig, guint n_steps, LsTrace *trace)
{
  LsRunResult result = { 0 };

  if (trace)
    ls_trace_reset (trace);
  if (n_steps == 1)
    pause_us (200);
  rig_run (rig, n_steps, TRUE, trace, &result);
  return (double) (result.end_ns - result.start_ns) / n_steps;
}

static void
print_ops (Rig *rig, const LsTrace *trace)
{
  g_autoptr (GArray) events = ls_trace_collect (trace);
  const LsTiling *tilings = rig->backend->tilings (rig->self);

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind == LS_EVENT_OP)
        g_print ("  %-18s %-10s %3u×%-3u tiles of %4d×%-5d ×%u  %8.1f µs\n",
                 rig->plan->ops[e->op].klass->name, rig->plan->ops[e->op].symbol, tilings[e->op].grid_rows,
                 tilings[e->op].grid_cols, (int) tilings[e->op].tile_rows, (int) tilings[e->op].tile_cols,
                 tilings[e->op].splits, (double) (e->end_ns - e->start_ns) / 1e3);
    }
}

int
main (int argc, char **argv)
{
  const char *defaults[] = { "mlp", "128", "0", "steal", "0", "on", "100" };
  static const char *const names[] = { "model", "batch", "threads", "policy", "tiles-per-op", "fusion" };
  g_autoptr (LsOptions) options = ls_options_new ();
  double plain[ROUNDS], recorded[ROUNDS], single[ROUNDS];
  guint n_rings, n_steps, batch;
  guint32 capacity;

  for (int i = 1; i < argc && i <= 7; i++)
    defaults[i - 1] = argv[i];
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    ls_options_set (options, ls_options_find (names[i]), defaults[i], NULL);
  n_steps = (guint) strtoul (defaults[6], NULL, 10);
  batch = (guint) options->batch;

  Rig *rig = rig_new (&ls_backend_cpu, options, options->model, batch);
  const LsDeviceInfo *device = rig->backend->device (rig->self);
  rig->backend->trace_size (rig->self, &n_rings, &capacity);
  g_autoptr (LsTrace) trace = ls_trace_new (0, n_rings, capacity, NULL);

  run_once (rig, n_steps, NULL);
  for (guint round = 0; round < ROUNDS; round++)
    {
      plain[round] = run_once (rig, n_steps, NULL);
      double with = 0, without = 0;
      for (guint i = 0; i < 20; i++)
        {
          with += run_once (rig, 1, trace);
          without += run_once (rig, 1, NULL);
        }
      recorded[round] = with / without;
      single[round] = without / 20;
    }
  g_print ("%s, %s, %d threads\n", device->name, device->driver, device->threads);
  print_ops (rig, trace);
  qsort (plain, ROUNDS, sizeof (double), ls_compare_doubles);
  qsort (recorded, ROUNDS, sizeof (double), ls_compare_doubles);
  qsort (single, ROUNDS, sizeof (double), ls_compare_doubles);
  g_print ("one step by itself %.1f µs; a clock reading %.1f ns, %.0f per step always on\n",
           single[ROUNDS / 2] / 1e3, device->numbers[LS_DEVICE_STAMP], device->numbers[LS_DEVICE_STAMPS]);
  g_print ("%s batch %u: median %.1f µs, best %.1f µs a step: %.0f samples/s; %.1f GFLOP/s; a recorded step "
           "takes %.3f of one\n",
           options->model, batch, plain[ROUNDS / 2] / 1e3, plain[0] / 1e3, batch / plain[ROUNDS / 2] * 1e9,
           (double) rig->plan->flops / plain[ROUNDS / 2], recorded[ROUNDS / 2]);
  rig_free (rig);
  return 0;
}
