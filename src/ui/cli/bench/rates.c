/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes' own rates: a table, and the same as JSON.
 */
#include "config.h"
#include "ui/cli/bench/rates.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/error.h"
#include "lab/machine.h"
#include "ui/cli/bench/steps.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

#define RECORDING_SHARE .05 /* of the time, for each lane */
#define ANSWER_S        120 /* to prepare a step, and beyond a turn */

typedef struct {
  const LsBenchStep *step;
  LsFigure us[LS_MAX_LANES];
} Row;

typedef struct {
  LsLabLanes lanes;
  const LsOptions *options;
  GArray *rows; /* Row */
  LsRecordingCost recording[LS_MAX_LANES];
} Rates;

void
ls_bench_print_unset (void)
{
  g_autoptr (GString) given = g_string_new (NULL);

  for (const char *const *name = ls_lab_child_unset (); *name != NULL; name++)
    if (g_getenv (*name) != NULL)
      g_string_append_printf (given, "%s%s", given->len > 0 ? ", " : "", *name);
  if (given->len > 0)
    ls_terminal_print (_("Taken out of the environment of all that is measured: %s.\n"), given->str);
}

void
ls_bench_print_recording (const char *title, const LsRecordingCost *cost)
{
  if (cost->percent.n > 0)
    ls_terminal_print (
      _("%s: a recorded step takes %+.1f %% [%+.1f … %+.1f] more time and holds %u events.\n"), title,
      cost->percent.value, cost->percent.q1, cost->percent.q3, cost->events);
}

static guint
count_lanes (const Rates *rates)
{
  return rates->lanes.specs->len;
}

static void
complain (const Rates *rates, guint lane, const char *what, const GError *error)
{
  g_autofree char *title = ls_lab_lane_title (&rates->lanes, lane), *sentence = ls_sentence (error->message);

  ls_terminal_complain ("%s, %s: %s\n", title, what, sentence);
}

static void
measure_row (Rates *rates, Row *row, double seconds, guint rounds)
{
  g_autofree char *spec = ls_bench_step_spec (row->step), *what = ls_bench_step_text (row->step);
  const guint n = count_lanes (rates);
  LsLabChild *good[LS_MAX_LANES] = { NULL };
  GArray *times[LS_MAX_LANES];
  GError *errors[LS_MAX_LANES] = { NULL };

  for (guint lane = 0; lane < n; lane++)
    {
      times[lane] = g_array_new (FALSE, FALSE, sizeof (double));
      if (ls_lab_lane_here (&rates->lanes, lane, &errors[lane])
          && ls_lab_child_prepare (rates->lanes.children[lane], spec, ANSWER_S, NULL, &errors[lane]))
        good[lane] = rates->lanes.children[lane];
    }
  ls_lab_take_turns (good, n, seconds / n / rounds, rounds, ANSWER_S, times, errors);
  for (guint lane = 0; lane < n; lane++)
    {
      row->us[lane] = ls_figure_of_samples ((gpointer) times[lane]->data, times[lane]->len, "µs");
      g_array_unref (times[lane]);
      if (errors[lane] != NULL)
        complain (rates, lane, what, errors[lane]);
      g_clear_error (&errors[lane]);
    }
}

static void
measure_recording (Rates *rates, double seconds)
{
  ls_terminal_print (_("What watching costs\n"));
  for (guint lane = 0; lane < count_lanes (rates); lane++)
    {
      LsLabChild *child = rates->lanes.children[lane];
      g_autoptr (GError) error = NULL;

      if (child != NULL && !ls_lab_recording_cost (child, seconds, ANSWER_S, &rates->recording[lane], &error))
        complain (rates, lane, _("recording"), error);
    }
}

static void
print (const Rates *rates)
{
  const guint n = count_lanes (rates);
  g_autofree char *align = g_strnfill (n + 1, 'r');
  g_autoptr (LsTable) table = NULL;

  *align = 'l';
  table = ls_table_new (align);
  ls_table_add (table, "%s", _("Step"));
  for (guint lane = 0; lane < n; lane++)
    {
      g_autofree char *title = ls_lab_lane_title (&rates->lanes, lane);
      ls_table_add (table, "%s", title);
    }
  for (guint i = 0; i < rates->rows->len; i++)
    {
      const Row *row = &g_array_index (rates->rows, Row, i);
      g_autofree char *what = ls_bench_step_text (row->step);

      ls_table_add (table, "%s", what);
      for (guint lane = 0; lane < n; lane++)
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
  for (guint lane = 0; lane < n; lane++)
    {
      g_autofree char *title = ls_lab_lane_title (&rates->lanes, lane);
      ls_bench_print_recording (title, &rates->recording[lane]);
    }
}

static const char *
lane_id (const Rates *rates, guint lane)
{
  return ((const LsLaneSpec *) rates->lanes.specs->pdata[lane])->id;
}

static void
add_row (json_t *json, const Rates *rates, const Row *row)
{
  g_autofree char *what = ls_bench_step_text (row->step);
  json_t *entries;

  ls_json_text (json, "name", row->step->name);
  ls_json_text (json, "what", what);
  entries = ls_json_array (json, "entries");
  for (guint lane = 0; lane < count_lanes (rates); lane++)
    if (row->us[lane].n > 0)
      {
        const LsFigure rate = ls_figure_per_second (&row->us[lane], row->step->batch, "samples/s");
        json_t *entry = ls_json_object (entries, NULL);

        ls_json_text (entry, "who", lane_id (rates, lane));
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
  ls_json_options (json, rates->options);
  ls_json_number (json, "cores_used_by_others_before",
                  rates->lanes.busy >= 0 ? rates->lanes.busy : (double) NAN);
  rows = ls_json_array (json, "rows");
  for (guint i = 0; i < rates->rows->len; i++)
    add_row (ls_json_object (rows, NULL), rates, &g_array_index (rates->rows, Row, i));
  for (guint lane = 0; lane < count_lanes (rates); lane++)
    {
      g_autofree char *name = g_strdup_printf ("recording_cost_%s", lane_id (rates, lane));
      ls_json_figure (json, name, &rates->recording[lane].percent);
    }
  return ls_json_save (json, path, error);
}

static void
tell_cb (gboolean problem, const char *sentence, gpointer data)
{
  (problem ? ls_terminal_complain : ls_terminal_print) ("%s\n", sentence);
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
  gboolean recording, good;
  g_autoptr (GArray) rows = choose (wish->only, &recording, error);
  Rates rates = { .rows = rows, .options = options };
  double seconds = wish->seconds, shares = 0;
  g_autofree char *machine = NULL;

  if (rows == NULL)
    return FALSE;
  machine = ls_machine_text ();
  ls_bench_print_unset ();
  ls_terminal_print ("%s\n", machine);
  good = ls_lab_lanes_start (&rates.lanes, options, NULL, error);
  ls_lab_lanes_tell (&rates.lanes, tell_cb, NULL);
  if (!good)
    {
      ls_lab_lanes_clear (&rates.lanes);
      return FALSE;
    }
  if (recording)
    measure_recording (&rates, RECORDING_SHARE * seconds);
  seconds -= recording ? count_lanes (&rates) * RECORDING_SHARE * seconds : 0;
  for (guint i = 0; i < rows->len; i++)
    shares += g_array_index (rows, Row, i).step->share;
  for (guint i = 0; i < rows->len; i++)
    {
      Row *row = &g_array_index (rows, Row, i);
      g_autofree char *what = ls_bench_step_text (row->step);

      ls_terminal_print (_("%u of %u: %s\n"), i + 1, rows->len, what);
      measure_row (&rates, row, seconds * row->step->share / shares, wish->rounds);
    }
  print (&rates);
  good = wish->json == NULL || save (&rates, wish->json, error);
  ls_lab_lanes_clear (&rates.lanes);
  return good;
}
