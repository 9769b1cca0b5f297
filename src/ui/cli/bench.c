/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep bench`: how fast the lanes train the mlp on MNIST, next to another library on the same machine in the same
 * minutes: rounds of ours and the peer's alternate, so that a machine that warms up or is shared disturbs both alike.
 * Then what recording a step costs, and what the figures that are always kept cost.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "trace/curve.h"
#include "ui/cli/bench.h"
#include "ui/cli/command.h"
#include "ui/cli/progress.h"
#include "ui/cli/report.h"
#include "ui/cli/terminal.h"

#define ROUNDS 3
#define SNAPSHOTS_PER_S 60   /* as often as the coordinator publishes */
#define SNAPSHOT_STEPS 200   /* and makes its figures from */

static const LsCommandOption own[] = {
  { "peer", N_("SCRIPT"), N_("Python script of the library to compare with (tests/bench/torch_peer.py)") },
  { "seconds", N_("N"), N_("Time for the whole benchmark, from 10 to 3600 [120]") },
  { "json", N_("FILE"), N_("Write the results as JSON") },
  { NULL },
};

/* One row of the result. */
typedef struct {
  char *who, *device;
  LsFigure step_us, rate;
} Row;

typedef struct {
  LsOptions *options;
  double seconds;
  LsPlan *plan;
  LsData *data;
  GArray *rows;                     /* Row */
  LsBenchPeer *peer;
  guint peer_threads;
  char *missing;                    /* why there is no peer or no OpenCL lane; NULL */
  LsFigure recording[2];            /* percent on top of a step, of cpu and opencl; n == 0: not measured */
  guint events[2];                  /* in a recorded step */
  double event_ns, metrics_percent; /* of one step's clock reading and point; of all that is always kept */
} Bench;

static void
row_clear_cb (gpointer data)
{
  Row *row = data;
  g_free (row->who);
  g_free (row->device);
}

static void
bench_free (Bench *bench)
{
  g_clear_pointer (&bench->plan, ls_plan_unref);
  g_clear_pointer (&bench->data, ls_data_unref);
  g_clear_pointer (&bench->rows, g_array_unref);
  g_clear_pointer (&bench->peer, ls_bench_peer_free);
  g_free (bench->missing);
  g_free (bench);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bench, bench_free)

static void
add_missing (Bench *bench, const char *message)
{
  g_autofree char *sentence = ls_sentence (message);
  char *all = bench->missing == NULL ? g_strdup (sentence) : g_strdup_printf ("%s %s", bench->missing, sentence);

  g_free (bench->missing);
  bench->missing = all;
  ls_terminal_complain ("%s\n", sentence);
}

static LsFigure
rate_of (const LsFigure *step_us, guint batch)
{
  LsFigure rate = *step_us;

  rate.unit = "samples/s";
  if (rate.n > 0)
    {
      rate.value = 1e6 * batch / step_us->value;
      rate.q1 = 1e6 * batch / step_us->q3;
      rate.q3 = 1e6 * batch / step_us->q1;
    }
  return rate;
}

/* The figures of a list of step times, which is sorted by it. */
static const Row *
add_row (Bench *bench, const char *who, char *device, GArray *times)
{
  Row row = { .who = g_strdup (who), .device = device };

  row.step_us = ls_figure_of_samples ((gpointer) times->data, times->len, "µs");
  row.rate = rate_of (&row.step_us, bench->plan->batch);
  g_array_append_val (bench->rows, row);
  return &g_array_index (bench->rows, Row, bench->rows->len - 1);
}

/* Which thread count suits the peer best. */
static gboolean
tune_peer (Bench *bench, GError **error)
{
  double best = G_MAXDOUBLE;

  for (guint threads = 1; threads <= ls_bench_peer_threads (bench->peer); threads++)
    {
      g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
      LsFigure figure;

      if (!ls_bench_peer_train (bench->peer, threads, 0.02 * bench->seconds, times, error))
        return FALSE;
      figure = ls_figure_of_samples ((gpointer) times->data, times->len, "µs");
      ls_terminal_print (ngettext ("%s with %u thread: %.0f µs a step\n", "%s with %u threads: %.0f µs a step\n", threads),
                         ls_bench_peer_title (bench->peer), threads, figure.value);
      if (figure.n > 0 && figure.value < best)
        {
          best = figure.value;
          bench->peer_threads = threads;
        }
    }
  return best < G_MAXDOUBLE;
}

static void
start_peer (Bench *bench, const char *script)
{
  g_autoptr (GError) error = NULL;

  if (script == NULL)
    add_missing (bench, _("There is nothing to compare with: no --peer was given."));
  else if ((bench->peer = ls_bench_peer_new (script, &error)) == NULL || !tune_peer (bench, &error))
    {
      add_missing (bench, error != NULL ? error->message : _("The peer measured nothing."));
      g_clear_pointer (&bench->peer, ls_bench_peer_free);
    }
}

/* A B A B: the CPU lane and the peer in turn. */
static gboolean
run_rounds (Bench *bench, GError **error)
{
  g_autoptr (LsBenchLane) lane = ls_bench_lane_new (&ls_backend_cpu, bench->options, bench->plan, bench->data, error);
  g_autoptr (GArray) ours = g_array_new (FALSE, FALSE, sizeof (double)), theirs = g_array_new (FALSE, FALSE, sizeof (double)),
                     warm = g_array_new (FALSE, FALSE, sizeof (double));
  const double seconds = bench->seconds / 10;

  if (lane == NULL || !ls_bench_lane_train (lane, 0.5, warm, error))
    return FALSE;
  for (guint round = 0; round < ROUNDS; round++)
    {
      ls_terminal_print (_("Round %u of %d\n"), round + 1, ROUNDS);
      if (!ls_bench_lane_train (lane, seconds, ours, error))
        return FALSE;
      if (bench->peer != NULL && !ls_bench_peer_train (bench->peer, bench->peer_threads, seconds, theirs, error))
        return FALSE;
    }
  add_row (bench, _("CPU lane"), ls_device_text (lane->backend->device (lane->self)), ours);
  if (bench->peer != NULL)
    add_row (bench, ls_bench_peer_title (bench->peer),
             g_strdup_printf (ngettext ("%u thread, its best", "%u threads, its best", bench->peer_threads),
                              bench->peer_threads),
             theirs);
  return TRUE;
}

static gboolean
measure_recording (Bench *bench, LsBenchLane *lane, guint which, GError **error)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double)), recorded = g_array_new (FALSE, FALSE, sizeof (double)),
                     cost = g_array_new (FALSE, FALSE, sizeof (double));
  LsFigure base;

  if (!ls_bench_lane_record (lane, 0.06 * bench->seconds, plain, recorded, &bench->events[which], error))
    return FALSE;
  base = ls_figure_of_samples ((gpointer) plain->data, plain->len, "µs");
  for (guint i = 0; i < recorded->len; i++)
    {
      double percent = 100 * (g_array_index (recorded, double, i) / base.value - 1);
      g_array_append_val (cost, percent);
    }
  bench->recording[which] = ls_figure_of_samples ((gpointer) cost->data, cost->len, "%");
  return TRUE;
}

static gboolean
run_recording (Bench *bench, GError **error)
{
  g_autoptr (LsBenchLane) lane = ls_bench_lane_new (&ls_backend_cpu, bench->options, bench->plan, bench->data, error);

  ls_terminal_print (_("What a recorded step costs\n"));
  return lane != NULL && measure_recording (bench, lane, 0, error);
}

/* The OpenCL lane by itself; that it's missing is a line, not a failure. */
static void
run_opencl (Bench *bench)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsBenchLane) lane = NULL;
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double)), warm = g_array_new (FALSE, FALSE, sizeof (double));

  ls_terminal_print (_("OpenCL lane\n"));
  lane = ls_bench_lane_new (&ls_backend_opencl, bench->options, bench->plan, bench->data, &error);
  if (lane == NULL || !ls_bench_lane_train (lane, 0.5, warm, &error) ||
      !ls_bench_lane_train (lane, bench->seconds / 10, times, &error) || !measure_recording (bench, lane, 1, &error))
    {
      add_missing (bench, error->message);
      return;
    }
  add_row (bench, _("OpenCL lane"), ls_device_text (lane->backend->device (lane->self)), times);
}

/* What `train` keeps of every step: a clock reading and a point; and 60 times a second the figures of a snapshot. */
static void
measure_metrics (Bench *bench)
{
  const guint n = 200000, figures = 200;
  const Row *cpu = &g_array_index (bench->rows, Row, 0);
  LsCurve *curve = ls_curve_new ();
  double times[SNAPSHOT_STEPS], figure_ns;
  guint64 start = ls_clock_ns ();

  for (guint i = 0; i < n; i++)
    ls_curve_append (curve, (LsPoint) { .end_ms = (guint32) (ls_clock_ns () / 1000000), .step_us = 1, .loss = 1 });
  bench->event_ns = (double) (ls_clock_ns () - start) / n;
  start = ls_clock_ns ();
  for (guint i = 0; i < figures; i++)
    {
      for (guint j = 0; j < SNAPSHOT_STEPS; j++)
        times[j] = (double) ((j * 7919u + i) % 1009u);
      ls_figure_of_samples (times, SNAPSHOT_STEPS, "µs");
    }
  figure_ns = (double) (ls_clock_ns () - start) / figures;
  bench->metrics_percent = 100 * (bench->event_ns / (1e3 * cpu->step_us.value) + SNAPSHOTS_PER_S * figure_ns / 1e9);
  ls_curve_unref (curve);
}

static void
print_results (const Bench *bench)
{
  static const char *const lanes[] = { "CPU", "OpenCL" };
  g_autoptr (LsTable) table = ls_table_new ("lrrrl");

  ls_table_add (table, "%s", _("Who"));
  ls_table_add (table, "%s", _("samples/s"));
  ls_table_add (table, "%s", _("µs a step"));
  ls_table_add (table, "n");
  ls_table_add (table, "%s", _("on"));
  for (guint i = 0; i < bench->rows->len; i++)
    {
      const Row *row = &g_array_index (bench->rows, Row, i);
      g_autofree char *rate = ls_figure_text (&row->rate), *step = ls_figure_text (&row->step_us);

      ls_table_add (table, "%s", row->who);
      ls_table_add (table, "%s", rate);
      ls_table_add (table, "%s", step);
      ls_table_add (table, "%" G_GUINT64_FORMAT, row->step_us.n);
      ls_table_add (table, "%s", row->device);
    }
  ls_terminal_print (_("\nmlp (784-256-128-10), MNIST, batch %u, sgd with momentum; medians with [middle half], measured\n"),
                     bench->plan->batch);
  ls_table_print (table);
  if (bench->peer != NULL)
    ls_terminal_print (_("The CPU lane does %.2f times the samples/s of %s (derived: the ratio of the medians).\n"),
                       g_array_index (bench->rows, Row, 0).rate.value / g_array_index (bench->rows, Row, 1).rate.value,
                       ls_bench_peer_title (bench->peer));
  for (guint i = 0; i < G_N_ELEMENTS (lanes); i++)
    if (bench->recording[i].n > 0)
      ls_terminal_print (_("%s: a recorded step takes %+.1f %% [%+.1f … %+.1f] of time and holds %u events.\n"), lanes[i],
                         bench->recording[i].value, bench->recording[i].q1, bench->recording[i].q3, bench->events[i]);
  ls_terminal_print (_("What is kept of every step costs %.3f %% of a step of the CPU lane (derived: 1 clock reading and point of "
                       "%.0f ns a step, and %d times a second the figures of a snapshot).\n"),
                     bench->metrics_percent, bench->event_ns, SNAPSHOTS_PER_S);
}

static gboolean
save_json (const Bench *bench, const char *path, GError **error)
{
  static const char *const names[] = { "recording_cost_cpu", "recording_cost_opencl" };
  g_autoptr (JsonBuilder) json = ls_json_new ("lockstep-bench", 1);

  ls_json_machine (json);
  ls_json_options (json, bench->options);
  json_builder_set_member_name (json, "rows");
  json_builder_begin_array (json);
  for (guint i = 0; i < bench->rows->len; i++)
    {
      const Row *row = &g_array_index (bench->rows, Row, i);

      json_builder_begin_object (json);
      ls_json_text (json, "who", row->who);
      ls_json_text (json, "on", row->device);
      ls_json_figure (json, "samples_per_second", &row->rate);
      ls_json_figure (json, "step_times_us", &row->step_us);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  if (bench->peer != NULL)
    ls_json_number (json, "cpu_over_peer",
                    g_array_index (bench->rows, Row, 0).rate.value / g_array_index (bench->rows, Row, 1).rate.value);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    ls_json_figure (json, names[i], &bench->recording[i]);
  ls_json_number (json, "metrics_cost_percent", bench->metrics_percent);
  ls_json_text (json, "missing", bench->missing);
  return ls_json_save (json, path, error);
}

static Bench *
bench_new (const LsArguments *arguments, GError **error)
{
  g_autoptr (Bench) bench = g_new0 (Bench, 1);
  const char *seconds = ls_arguments_get (arguments, "seconds");
  guint64 n = 120;
  g_autoptr (LsModel) model = ls_model_parse (arguments->options->model, error);

  if (seconds != NULL && !g_ascii_string_to_unsigned (seconds, 10, 10, 3600, &n, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--seconds takes a whole number from 10 to 3600."));
      return NULL;
    }
  bench->options = arguments->options;
  bench->seconds = (double) n;
  bench->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_array_set_clear_func (bench->rows, row_clear_cb);
  if (model == NULL || (bench->data = ls_data_load (bench->options->data, (guint64) bench->options->seed, error)) == NULL)
    return NULL;
  bench->plan = ls_plan_new (model, bench->data->train.shape, bench->data->n_classes, (guint) bench->options->batch,
                             LS_OPTIMIZER_SGD, error);
  return bench->plan != NULL ? g_steal_pointer (&bench) : NULL;
}

static LsExit
bench (const LsArguments *arguments, GError **error)
{
  static const char *const variables[] = { "OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS" };
  const char *json = ls_arguments_get (arguments, "json");
  g_autoptr (Bench) bench = NULL;

  if (json != NULL && !ls_output_check (json, error))
    return LS_EXIT_FAILED;
  for (gsize i = 0; i < G_N_ELEMENTS (variables); i++)
    if (g_getenv (variables[i]) != NULL)
      ls_terminal_complain (_("%s=%s is set and may change what is measured; “./dev bench” unsets it.\n"), variables[i],
                            g_getenv (variables[i]));
  bench = bench_new (arguments, error);
  if (bench == NULL)
    return LS_EXIT_FAILED;
  start_peer (bench, ls_arguments_get (arguments, "peer"));
  if (!run_rounds (bench, error) || !run_recording (bench, error))
    return LS_EXIT_FAILED;
  run_opencl (bench);
  measure_metrics (bench);
  print_results (bench);
  return json == NULL || save_json (bench, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_bench = {
  .name = "bench",
  .title = N_("Measure how fast the lanes train, next to another library"),
  .about = N_("Run it as “./dev bench”, which gives the peer and clears the environment."),
  .groups = LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL,
  .own = own,
  .run = bench,
};
