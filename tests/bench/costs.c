/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What watching costs: a recorded step, and what is kept of every step. And the bandwidth of the memory,
 * which bounds what has no arithmetic.
 */
#include "config.h"
#include "bench.h"

#include <string.h>

#include "trace/curve.h"
#include "trace/event.h"
#include "ui/report/terminal.h"

#define SNAPSHOTS_PER_S 60  /* as often as the coordinator publishes */
#define SNAPSHOT_STEPS  200 /* and makes its figures from */
#define STEP_NAME       "mlp-128"
#define GIB             ((double) (1 << 30))

gboolean
ls_bench_measure_recording (LsBench *bench, LsPeerId which, double seconds)
{
  LsContender *c = &bench->contenders[which];
  g_autoptr (GError) error = NULL;

  if (c->child == NULL)
    return FALSE;
  if (ls_lab_recording_cost (c->child, seconds, c->peer->limit_s, &bench->recording[which], &error))
    return TRUE;
  ls_terminal_complain ("%s, recording: %s\n", c->peer->title, error->message);
  return FALSE;
}

/* A step of the CPU lane: as its row has it, or as it was beside recorded ones. */
static double
step_us (const LsBench *bench)
{
  for (guint i = 0; i < bench->rows->len; i++)
    {
      const LsBenchRow *row = g_ptr_array_index (bench->rows, i);
      if (strcmp (row->work->name, STEP_NAME) == 0 && row->entries[LS_PEER_CPU].us.n > 0)
        return row->entries[LS_PEER_CPU].us.value;
    }
  return bench->recording[LS_PEER_CPU].plain_us.n > 0 ? bench->recording[LS_PEER_CPU].plain_us.value : 0;
}

void
ls_bench_measure_always (LsBench *bench)
{
  const guint n = 200000, figures = 200;
  LsAlwaysCost *cost = &bench->always;
  LsCurve *curve = ls_curve_new ();
  double times[SNAPSHOT_STEPS];
  guint64 start = ls_clock_ns ();

  for (guint i = 0; i < n; i++)
    ls_curve_append (curve,
                     (LsPoint){ .end_ms = (guint32) (ls_clock_ns () / 1000000), .step_us = 1, .loss = 1 });
  cost->event_ns = (double) (ls_clock_ns () - start) / n;
  start = ls_clock_ns ();
  for (guint i = 0; i < figures; i++)
    {
      for (guint j = 0; j < SNAPSHOT_STEPS; j++)
        times[j] = (double) ((j * 7919u + i) % 1009u);
      ls_figure_of_samples (times, SNAPSHOT_STEPS, "µs");
    }
  cost->figures_ns = (double) (ls_clock_ns () - start) / figures;
  cost->per_s = SNAPSHOTS_PER_S;
  if (step_us (bench) > 0)
    {
      const double percent
        = 100 * (cost->event_ns / (1e3 * step_us (bench)) + cost->per_s * cost->figures_ns / 1e9);
      cost->percent = (LsFigure){ percent, "%", LS_EVIDENCE_DERIVED, 1, percent, percent };
    }
  ls_curve_unref (curve);
}

void
ls_bench_measure_bandwidth (LsBench *bench, double seconds)
{
  LsContender *c = &bench->contenders[LS_PEER_OPENBLAS];
  const guint threads = MAX (bench->contenders[LS_PEER_CPU].threads, 1);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error = NULL;
  LsFigure us;

  if (c->child == NULL)
    return;
  if (!ls_lab_child_prepare (c->child, "triad", c->peer->limit_s, NULL, &error)
      || !ls_lab_child_run (c->child, threads, seconds, c->peer->limit_s, times, &error))
    {
      ls_terminal_complain ("The memory’s bandwidth: %s\n", error->message);
      return;
    }
  us = ls_figure_of_samples ((gpointer) times->data, times->len, "µs");
  bench->bandwidth = ls_figure_per_second (&us, GIB, "bytes/s");
}

LsFigure
ls_bench_memory_share (const LsBench *bench, const LsBenchRow *row, LsPeerId who)
{
  LsFigure share = ls_figure_per_second (&row->entries[who].us,
                                         (double) row->cost.bytes / bench->bandwidth.value, "");

  share.evidence = LS_EVIDENCE_DERIVED;
  if (bench->bandwidth.n == 0 || row->cost.bytes == 0)
    share.n = 0;
  return share;
}
