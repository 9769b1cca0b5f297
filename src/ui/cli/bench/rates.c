/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes' own rates: a table, and the same as JSON.
 */
#include "config.h"
#include "ui/cli/bench/rates.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ui/cli/bench/lanes.h"
#include "ui/cli/bench/machine.h"
#include "ui/cli/bench/steps.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

#define RECORDING_SHARE .05 /* of the time, for each lane */
#define ANSWER_S        120 /* to prepare a step, and beyond a turn */

typedef struct {
  const LsBenchStep *step;
  LsFigure us[LS_SWEEP_LANES];
} Row;

typedef struct {
  LsBenchLanes lanes;
  GArray *rows; /* Row */
  LsRecordingCost recording[LS_SWEEP_LANES];
} Rates;

static void
measure_row (Rates *rates, Row *row, double seconds, guint rounds)
{
  g_autofree char *spec = ls_bench_step_spec (row->step), *what = ls_bench_step_text (row->step);
  g_autoptr (GArray) cpu = g_array_new (FALSE, FALSE, sizeof (double)),
                     opencl = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *times[LS_SWEEP_LANES] = { cpu, opencl };
  LsBenchChild *good[LS_SWEEP_LANES] = { NULL, NULL };

  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    {
      LsBenchChild *child = rates->lanes.children[lane];
      g_autoptr (GError) error = NULL;

      if (child == NULL || ls_bench_child_gone (child))
        continue;
      if (ls_bench_child_prepare (child, spec, ANSWER_S, NULL, &error))
        good[lane] = child;
      else
        ls_bench_complain (lane, what, error);
    }
  ls_bench_take_turns (good, what, seconds, rounds, ANSWER_S, times);
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    row->us[lane] = ls_figure_of_samples ((gpointer) times[lane]->data, times[lane]->len, "µs");
}

static void
measure_recording (Rates *rates, double seconds)
{
  ls_terminal_print (_("What watching costs\n"));
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    {
      LsBenchChild *child = rates->lanes.children[lane];
      g_autoptr (GError) error = NULL;

      if (child != NULL
          && !ls_bench_recording_cost (child, seconds, ANSWER_S, &rates->recording[lane], &error))
        ls_bench_complain (lane, _("recording"), error);
    }
}

static void
print (const Rates *rates)
{
  g_autoptr (LsTable) table = ls_table_new ("lrr");

  ls_table_add (table, "%s", _("Step"));
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    ls_table_add (table, "%s", ls_bench_lane_title (lane));
  for (guint i = 0; i < rates->rows->len; i++)
    {
      const Row *row = &g_array_index (rates->rows, Row, i);
      g_autofree char *what = ls_bench_step_text (row->step);

      ls_table_add (table, "%s", what);
      for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
        {
          const LsFigure rate = ls_figure_per_second (&row->us[lane], row->step->batch, "samples/s");
          g_autofree char *text = ls_figure_text (&rate);
          ls_table_add (table, "%s", text);
        }
    }
  if (rates->rows->len > 0)
    {
      ls_terminal_print (_("\nSamples/s of training steps: medians with [middle half]\n"));
      ls_table_print (table);
    }
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    ls_bench_print_recording (lane, &rates->recording[lane]);
}

static void
add_row (json_t *json, const Row *row)
{
  g_autofree char *what = ls_bench_step_text (row->step);
  json_t *entries;

  ls_json_text (json, "name", row->step->name);
  ls_json_text (json, "what", what);
  entries = ls_json_array (json, "entries");
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    if (row->us[lane].n > 0)
      {
        const LsFigure rate = ls_figure_per_second (&row->us[lane], row->step->batch, "samples/s");
        json_t *entry = ls_json_object (entries, NULL);

        ls_json_text (entry, "who", ls_bench_lane_name (lane));
        ls_json_figure (entry, "times_us", &row->us[lane]);
        ls_json_figure (entry, "samples_per_second", &rate);
      }
}

static gboolean
save (const Rates *rates, const char *path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-rates", 1);
  json_t *rows;

  ls_json_machine (json);
  ls_json_options (json, rates->lanes.options);
  ls_json_number (json, "cores_used_by_others_before",
                  rates->lanes.busy >= 0 ? rates->lanes.busy : (double) NAN);
  rows = ls_json_array (json, "rows");
  for (guint i = 0; i < rates->rows->len; i++)
    add_row (ls_json_object (rows, NULL), &g_array_index (rates->rows, Row, i));
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    {
      g_autofree char *name = g_strdup_printf ("recording_cost_%s", ls_bench_lane_name (lane));
      ls_json_figure (json, name, &rates->recording[lane].percent);
    }
  return ls_json_save (json, path, error);
}

/* The chosen rows, without figures. NULL: a word names none. */
static GArray *
choose (const char *only, gboolean *recording, GError **error)
{
  guint n;
  const LsBenchStep *steps = ls_bench_steps (&n);
  g_autofree const char **names = g_new0 (const char *, n + 2);
  g_autofree gboolean *wanted = NULL;
  GArray *rows;

  for (guint i = 0; i < n; i++)
    names[i] = steps[i].name;
  names[n] = "recording";
  wanted = ls_bench_choose (only, names, error);
  if (wanted == NULL)
    return NULL;
  rows = g_array_new (FALSE, TRUE, sizeof (Row));
  for (guint i = 0; i < n; i++)
    if (wanted[i])
      {
        const Row row = { .step = &steps[i] };
        g_array_append_val (rows, row);
      }
  *recording = wanted[n];
  return rows;
}

gboolean
ls_rates_run (const LsRatesWish *wish, const LsOptions *options, GError **error)
{
  gboolean recording;
  g_autoptr (GArray) rows = choose (wish->only, &recording, error);
  Rates rates = { .rows = rows };
  double seconds = wish->seconds, shares = 0;
  g_autofree char *machine = NULL;

  if (rows == NULL || (wish->json != NULL && !ls_output_check (wish->json, error)))
    return FALSE;
  machine = ls_machine_text ();
  ls_bench_print_unset ();
  ls_terminal_print ("%s\n", machine);
  if (!ls_bench_lanes_start (&rates.lanes, options, error))
    return FALSE;
  if (recording)
    measure_recording (&rates, RECORDING_SHARE * seconds);
  seconds -= recording ? LS_SWEEP_LANES * RECORDING_SHARE * seconds : 0;
  for (guint i = 0; i < rows->len; i++)
    shares += g_array_index (rows, Row, i).step->share;
  for (guint i = 0; i < rows->len; i++)
    {
      Row *row = &g_array_index (rows, Row, i);
      g_autofree char *what = ls_bench_step_text (row->step);

      ls_terminal_print (_("%u of %u: %s\n"), i + 1, rows->len, what);
      measure_row (&rates, row, seconds * row->step->share / shares, wish->rounds);
    }
  ls_bench_lanes_clear (&rates.lanes);
  print (&rates);
  return wish->json == NULL || save (&rates, wish->json, error);
}
