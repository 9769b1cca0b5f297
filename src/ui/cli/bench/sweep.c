/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sweeps: which sizes, and how a point is measured. Each lane is a child (child.h); they take turns at
 * every point. How many threads PoCL has can only be said when it starts, so there each count is a child of
 * its own.
 */
#include "config.h"
#include "ui/cli/bench/sweep.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "files/output.h"
#include "lab/sweep.h"
#include "ui/cli/bench/lanes.h"
#include "ui/cli/bench/machine.h"
#include "ui/cli/bench/steps.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"
#ifdef HAVE_PAINT
#include "ui/paint/output/export.h"
#include "ui/paint/growth/growth.h"
#endif

#define SECONDS      20 /* a sweep */
#define ROUNDS       5
#define QUICK_ROUNDS 3
#define MAX_POINTS   32
#define WIDEST       4096
#define ANSWER_S     120 /* a step of the widest network on a slow machine, and its preparation */
#define BATCH        128u

typedef struct {
  LsBenchLanes lanes;
  LsSweepRun *run;
  double seconds; /* a sweep */
  guint rounds;
} Sweeper;

static const struct {
  const char *network;
  const char *title; /* of its column */
} kinds[LS_SWEEP_N] = {
  [LS_SWEEP_BATCH] = { "mlp 784-256-128-10", N_("batch") },
  [LS_SWEEP_WIDTH] = { "mlp 784-N-N-10, batch 128", N_("width") },
  [LS_SWEEP_THREADS] = { "mlp 784-256-128-10, batch 128", N_("threads") },
  [LS_SWEEP_EVENTS] = { "mlp 784-256-128-10, batch 128", N_("events") },
};

/* ---- which sizes ---- */

static guint
powers (guint from, guint to, guint *xs)
{
  guint n = 0;

  for (guint x = from; x <= to && n < MAX_POINTS; x *= 2)
    xs[n++] = x;
  return n;
}

/* Events: requested tiles of an op, of which a recorded step has so many more events. */
static guint
find_sizes (const Sweeper *s, LsSweepKind kind, guint *xs)
{
  const LsBenchChild *cpu = s->lanes.children[0];
  const guint most = cpu != NULL ? ls_bench_child_threads (cpu) : 1;
  guint n = 0;

  switch (kind)
    {
    case LS_SWEEP_BATCH:
      return powers (1, 4096, xs);
    case LS_SWEEP_WIDTH:
      return powers (64, WIDEST, xs);
    case LS_SWEEP_EVENTS:
      return powers (1, 1024, xs);
    case LS_SWEEP_THREADS:
    case LS_SWEEP_N:
    default:
      for (guint x = 1; x <= most && n < MAX_POINTS; x = x < 8 || x == most ? x + 1 : MIN (2 * x, most))
        xs[n++] = x;
      return n;
    }
}

static char *
spec_of (LsSweepKind kind, guint x)
{
  if (kind == LS_SWEEP_BATCH)
    return g_strdup_printf ("step\tmlp\tmnist\t%u", x);
  if (kind == LS_SWEEP_WIDTH)
    return g_strdup_printf ("step\tflatten, dense %u, relu, dense %u, relu, dense 10\tmnist\t%u", x, x,
                            BATCH);
  return g_strdup (LS_BENCH_MLP);
}

/* ---- one point ---- */

/* "batch 128": (transfer full). */
static char *
point_text (LsSweepKind kind, guint x)
{
  return g_strdup_printf ("%s %u", _(kinds[kind].title), x);
}

/* Of the kind threads: a lane with that many. NULL: this device can't be told. */
static LsBenchChild *
lane_with_threads (Sweeper *s, guint lane, guint threads, GError **error)
{
  g_autoptr (LsOptions) options = ls_options_copy (s->lanes.options);
  g_autofree char *old = g_strdup_printf ("POCL_MAX_PTHREAD_COUNT=%u", threads),
                  *new = g_strdup_printf ("POCL_CPU_MAX_CU_COUNT=%u", threads);
  const char *const environment[] = { old, new, NULL };
  LsBenchChild *child;

  options->threads = threads;
  child = ls_bench_child_self (ls_bench_lane_name (lane), options, environment, error);
  if (child != NULL && ls_bench_child_threads (child) != threads)
    g_clear_pointer (&child, ls_bench_child_free);
  return child;
}

/* FALSE: the lane can't do it, and says why if it is there at all. */
static gboolean
prepare_lane (Sweeper *s, LsSweepKind kind, guint lane, guint x, LsBenchChild **child)
{
  g_autofree char *spec = spec_of (kind, x), *tiles = g_strdup_printf ("%u", x), *what = point_text (kind, x);
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (kind == LS_SWEEP_THREADS)
    *child = lane_with_threads (s, lane, x, &error);
  else
    *child = s->lanes.children[lane];
  if (*child == NULL || ls_bench_child_gone (*child))
    return FALSE;
  good = ls_bench_child_prepare (*child, spec, ANSWER_S, NULL, &error);
  if (good && kind == LS_SWEEP_EVENTS && lane == 0)
    good = ls_bench_child_set (*child, "tiles-per-op", tiles, &error);
  if (!good)
    ls_bench_complain (lane, what, error);
  return good;
}

static void
add_point (LsSweep *sweep, guint lane, double x, GArray *times, double batch, const GArray *plain)
{
  LsSweepPoint point = { .x = x };
  LsFigure us = ls_figure_of_samples ((gpointer) times->data, times->len, "µs");

  if (us.n == 0)
    return;
  point.rate = ls_figure_per_second (&us, batch, "samples/s");
  if (plain != NULL)
    {
      us = ls_figure_of_samples ((gpointer) plain->data, plain->len, "µs");
      point.plain = ls_figure_per_second (&us, batch, "samples/s");
    }
  g_array_append_val (sweep->points[lane], point);
}

/* A recorded step and a plain one in turn: the child does that itself. OpenCL's work-groups don't follow a
 * wish: one point. */
static void
record_point (LsSweep *sweep, guint lane, guint x, LsBenchChild *child, double seconds)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double)),
                     recorded = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *what = point_text (sweep->kind, x);
  g_autoptr (GError) error = NULL;
  const GArray *points = sweep->points[lane];
  guint events;

  if (lane > 0 && points->len > 0)
    return;
  if (!ls_bench_child_record (child, seconds, plain, recorded, &events, &error))
    ls_bench_complain (lane, what, error);
  else if (points->len == 0 || g_array_index (points, LsSweepPoint, points->len - 1).x < events)
    add_point (sweep, lane, events, recorded, BATCH, plain);
}

static void
measure_point (Sweeper *s, LsSweep *sweep, guint x, double seconds)
{
  g_autofree char *what = point_text (sweep->kind, x);
  LsBenchChild *child[LS_SWEEP_LANES] = { NULL, NULL }, *good[LS_SWEEP_LANES];
  g_autoptr (GArray) cpu = g_array_new (FALSE, FALSE, sizeof (double)),
                     opencl = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *times[LS_SWEEP_LANES] = { cpu, opencl };

  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    good[lane] = prepare_lane (s, sweep->kind, lane, x, &child[lane]) ? child[lane] : NULL;
  for (guint lane = 0; sweep->kind == LS_SWEEP_EVENTS && lane < LS_SWEEP_LANES; lane++)
    if (good[lane] != NULL)
      record_point (sweep, lane, x, good[lane], seconds / LS_SWEEP_LANES);
  if (sweep->kind != LS_SWEEP_EVENTS)
    ls_bench_take_turns (good, what, seconds, s->rounds, ANSWER_S, times);
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    {
      add_point (sweep, lane, x, times[lane], sweep->kind == LS_SWEEP_BATCH ? x : BATCH, NULL);
      if (sweep->kind == LS_SWEEP_THREADS)
        ls_bench_child_free (child[lane]);
    }
}

static void
measure_sweep (Sweeper *s, LsSweepKind kind)
{
  LsSweep *sweep = ls_sweep_new (kind, kinds[kind].network);
  guint xs[MAX_POINTS], n = find_sizes (s, kind, xs);

  g_ptr_array_add (s->run->sweeps, sweep);
  for (guint i = 0; i < n; i++)
    {
      ls_terminal_print ("%s %u\n", _(kinds[kind].title), xs[i]);
      measure_point (s, sweep, xs[i], s->seconds / n);
    }
  for (guint lane = 0; kind == LS_SWEEP_EVENTS && lane < LS_SWEEP_LANES; lane++)
    if (s->lanes.children[lane] != NULL && !ls_bench_child_gone (s->lanes.children[lane]))
      ls_bench_child_set (s->lanes.children[lane], "tiles-per-op", "0", NULL);
}

/* ---- what came out ---- */

static const LsSweepPoint *
point_at (const LsSweep *sweep, guint lane, double x)
{
  for (guint i = 0; i < sweep->points[lane]->len; i++)
    if (g_array_index (sweep->points[lane], LsSweepPoint, i).x == x)
      return &g_array_index (sweep->points[lane], LsSweepPoint, i);
  return NULL;
}

static void
print_line (LsTable *table, const LsSweep *sweep, double x)
{
  ls_table_add (table, "%.0f", x);
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    {
      const LsSweepPoint *p = point_at (sweep, lane, x);
      g_autofree char *text = p != NULL ? ls_figure_text (&p->rate) : g_strdup ("–");
      ls_table_add (table, "%s", text);
    }
}

static void
print_sweep (const LsSweep *sweep)
{
  g_autoptr (LsTable) table = ls_table_new ("rrr");

  ls_table_add (table, "%s", _(kinds[sweep->kind].title));
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    ls_table_add (table, "%s", ls_bench_lane_title (lane));
  for (guint a = 0, b = 0; a < sweep->points[0]->len || b < sweep->points[1]->len;)
    {
      const double xa = a < sweep->points[0]->len ? g_array_index (sweep->points[0], LsSweepPoint, a).x
                                                  : G_MAXDOUBLE;
      const double xb = b < sweep->points[1]->len ? g_array_index (sweep->points[1], LsSweepPoint, b).x
                                                  : G_MAXDOUBLE;

      print_line (table, sweep, MIN (xa, xb));
      a += xa <= xb;
      b += xb <= xa;
    }
  ls_terminal_print (sweep->kind == LS_SWEEP_EVENTS
                       ? _("\nSamples/s of recorded steps, %s: medians with [middle half]\n")
                       : _("\nSamples/s, %s: medians with [middle half]\n"),
                     sweep->network);
  ls_table_print (table);
}

static gboolean
save (const LsSweepWish *wish, const LsSweepRun *run, GError **error)
{
  if (wish->csv != NULL)
    {
      g_autofree char *csv = ls_sweep_csv (run);
      if (!ls_file_save (wish->csv, csv, strlen (csv), error))
        return FALSE;
    }
#ifdef HAVE_PAINT
  if (wish->out != NULL)
    {
      g_autoptr (LsFonts) fonts = ls_fonts_new ("Cantarell, Sans");
      LsStyle style;

      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      return ls_growth_export (run, &style, fonts, wish->out, error);
    }
#endif
  return TRUE;
}

static gboolean
check (const LsSweepWish *wish, gboolean *all, LsSweepKind *kind, GError **error)
{
  *all = *wish->what == '\0' || g_str_equal (wish->what, "all");
  if (!*all && !ls_sweep_find (wish->what, kind))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--sweep takes batch, width, threads, events or all, not “%s”."), wish->what);
      return FALSE;
    }
  if (wish->csv != NULL && !ls_output_check (wish->csv, error))
    return FALSE;
#ifdef HAVE_PAINT
  if (wish->out != NULL && !ls_export_check (wish->out, error))
    return FALSE;
#endif
  return wish->out == NULL || ls_output_check (wish->out, error);
}

gboolean
ls_sweep_run (const LsSweepWish *wish, const LsOptions *options, GError **error)
{
  g_autoptr (LsSweepRun) run = ls_sweep_run_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  Sweeper s = { .run = run, .rounds = wish->quick ? QUICK_ROUNDS : ROUNDS };
  LsSweepKind kind = LS_SWEEP_BATCH;
  gboolean all;

  if (!check (wish, &all, &kind, error))
    return FALSE;
  s.seconds = wish->seconds > 0 ? wish->seconds / (all ? LS_SWEEP_N : 1) : SECONDS;
  run->machine = ls_machine_text ();
  run->date = g_date_time_format (now, "%Y-%m-%d");
  run->program = g_strdup ("Lockstep " LS_VERSION);
  if (!ls_bench_lanes_start (&s.lanes, options, error))
    return FALSE;
  run->busy = s.lanes.busy > LS_MACHINE_BUSY;
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    if (s.lanes.children[lane] != NULL)
      run->devices[lane] = g_strdup (ls_bench_child_title (s.lanes.children[lane]));
  for (guint k = 0; k < LS_SWEEP_N; k++)
    if (all || k == kind)
      measure_sweep (&s, (LsSweepKind) k);
  ls_bench_lanes_clear (&s.lanes);
  for (guint i = 0; i < run->sweeps->len; i++)
    print_sweep (g_ptr_array_index (run->sweeps, i));
  return save (wish, run, error);
}
