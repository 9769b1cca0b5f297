/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep lab`: measures how the lanes' rates grow with a size, size by size. Ctrl-C ends it, and the same
 * command goes on from there.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "data/defaults.h"
#include "files/output.h"
#include "files/recording.h"
#include "lab/kept.h"
#include "lab/lab.h"
#include "lab/step.h"
#include "ui/cli/bench/steps.h"
#include "ui/cli/command.h"
#include "ui/cli/lab_sweep.h"
#include "ui/cli/lab_table.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"
#ifdef HAVE_PAINT
#include "ui/paint/growth/growth.h"
#include "ui/paint/output/export.h"
#endif

#define QUICK_SECONDS 4
#define QUICK_ROUNDS  3

static const LsCommandOption own[] = {
  { "seconds", N_("N"), N_("Time for each experiment, from 1 to 3600 [20]") },
  { "quick", NULL, N_("Three rounds and 4 seconds: to see that it works") },
  { "anew", NULL, N_("Begin at the first size, also where an experiment was broken off") },
  { "kept", NULL, N_("Measure nothing: show what was measured last") },
  { "from", N_("RECORDING"), N_("Measure nothing: show what that recording holds") },
  { "vary", N_("OPTION=VALUES"), N_("Of a sweep: an option and its values, with commas; may be repeated"),
    .many = TRUE },
  { "csv", N_("FILE"), N_("Write the points as CSV"), TRUE },
  { "json", N_("FILE"), N_("Write the results as JSON"), TRUE },
#ifdef HAVE_PAINT
  { "out", N_("FILE"), N_("Draw the results, as .png, .svg or .pdf"), TRUE },
#endif
  { NULL },
};

/* ---- which ---- */

/* quick: without variants, unless they are named. NULL: a word names none. */
static GPtrArray *
choose (const char *names, gboolean quick, GError **error)
{
  g_auto (GStrv) words = g_strsplit (names, ",", -1);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);

  for (char **word = words; *word != NULL; word++)
    {
      const LsExperiment *experiment = ls_experiment_find (g_strstrip (*word));

      for (guint i = 0; i < n; i++)
        if (((strcmp (*word, "all") == 0 && !(quick && all[i]->variant)) || all[i] == experiment)
            && !g_ptr_array_find (chosen, all[i], NULL))
          g_ptr_array_add (chosen, (gpointer) all[i]);
      if (experiment == NULL && strcmp (*word, "all") != 0)
        g_clear_pointer (&chosen, g_ptr_array_unref);
      if (chosen == NULL)
        {
          g_autofree char *shown = g_utf8_make_valid (*word, -1);
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                       _("There is no experiment “%s”; “lockstep lab list” lists them."), shown);
          return NULL;
        }
    }
  return g_steal_pointer (&chosen);
}

/* "2026-11-23, 13 sizes", "broken off: 4 of 13 sizes", "–". (transfer full) */
static char *
kept_text (const LsExperiment *experiment, const LsOptions *options)
{
  g_autofree char *why = NULL, *why_not = NULL;
  g_autoptr (LsLabResult) part = ls_lab_kept (experiment, options, FALSE, &why),
                          whole = ls_lab_kept (experiment, options, TRUE, &why_not);

  for (guint i = 0; i < 2; i++)
    if ((i == 0 ? why : why_not) != NULL)
      ls_terminal_complain ("%s\n", i == 0 ? why : why_not);
  if (part != NULL)
    return g_strdup_printf (_("%s, broken off: %u of %u sizes"), part->date, part->tried->len,
                            part->n_sizes);
  if (whole == NULL)
    return g_strdup ("–");
  return g_strdup_printf (ngettext ("%s, %u size", "%s, %u sizes", whole->n_sizes), whole->date,
                          whole->n_sizes);
}

static void
list (const LsOptions *options)
{
  g_autoptr (LsTable) table = ls_table_new ("lll");
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);

  ls_table_add (table, "%s", _("Name"));
  ls_table_add (table, "%s", _("What grows"));
  ls_table_add (table, "%s", _("Kept"));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *kept = kept_text (all[i], options);

      ls_table_add (table, "%s", all[i]->name);
      ls_table_add (table, "%s", _(all[i]->about));
      ls_table_add (table, "%s", kept);
    }
  ls_table_print (table);
}

/* The network that suits the data, where none is given, has a unit for each of their classes. trains: whether
 * it can be trained on them, for which they needn't be read again. */
static gboolean
fit_network (const GPtrArray *chosen, LsOptions *options, gboolean *trains, GError **error)
{
  g_autoptr (LsData) data = NULL;
  gboolean of_network = FALSE;
  gint n_classes;
  gint64 n_train;

  for (guint i = 0; i < chosen->len; i++)
    of_network |= ((const LsExperiment *) chosen->pdata[i])->of_network;
  if (!of_network)
    return TRUE;
  n_classes = ls_lab_classes (options, &data, &n_train, error);
  ls_data_suggest (options, n_classes, n_train);
  *trains = n_classes > 0 && ls_lab_check_step (options, &data, NULL);
  return n_classes > 0;
}

/* ---- measuring ---- */

static void
heard_cb (const LsLabNews *news, gpointer data)
{
  const LsExperiment *experiment = data;

  if (news->said != NULL)
    (news->problem ? ls_terminal_complain : ls_terminal_print) ("%s\n", news->said);
  else if (news->spot.x > 0)
    {
      g_autofree char *what = ls_experiment_spot_text (experiment, news->spot),
                      *left = ls_duration_text (news->seconds_left);

      ls_terminal_print (_("%u of %u: %s; %s left\n"), news->done + 1, news->n, what, left);
    }
}

/* ---- what came out ---- */

static gboolean
save_json (const GPtrArray *results, const char *path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-lab-results", 1);
  json_t *list = ls_json_array (json, "results");

  for (guint i = 0; i < results->len; i++)
    ls_json_put (list, NULL, ls_lab_result_to_json (results->pdata[i]));
  return ls_json_save (json, path, error);
}

static gboolean
save (const LsArguments *arguments, const GPtrArray *results, GError **error)
{
  const char *csv_path = ls_arguments_get (arguments, "csv"), *json = ls_arguments_get (arguments, "json");

  if (csv_path != NULL)
    {
      g_autofree char *csv = ls_lab_csv (results);
      if (!ls_file_save (csv_path, csv, strlen (csv), error))
        return FALSE;
    }
  if (json != NULL && !save_json (results, json, error))
    return FALSE;
#ifdef HAVE_PAINT
  for (guint i = 0; ls_arguments_get (arguments, "out") != NULL && i < results->len; i++)
    if (((const LsLabResult *) results->pdata[i])->experiment->rows != NULL)
      {
        g_set_error_literal (
          error, LS_ERROR, LS_ERROR_USAGE,
          _("--out draws no maps; “lockstep render --from RECORDING crossover” does, of a recording "
             "that was made after it was measured."));
        return FALSE;
      }
  for (guint i = 1; ls_arguments_get (arguments, "out") != NULL && i < results->len; i++)
    if (!ls_lab_result_goes_with (results->pdata[0], results->pdata[i]))
      {
        g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                             _("These results are of different devices: draw them one by one."));
        return FALSE;
      }
  if (ls_arguments_get (arguments, "out") != NULL)
    {
      g_autoptr (LsFonts) fonts = ls_fonts_new ("Cantarell, Sans");
      LsStyle style;

      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      return ls_growth_export (results, &style, fonts, ls_arguments_get (arguments, "out"), error);
    }
#endif
  return TRUE;
}

static LsLabResult *
show_kept (const LsExperiment *experiment, const LsOptions *options, GError **error)
{
  g_autofree char *why = NULL;
  LsLabResult *result = ls_lab_kept (experiment, options, TRUE, &why);

  if (result == NULL && why != NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, "%s", why);
  else if (result == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("Nothing is kept of “%s” with these lanes; “lockstep lab %s” measures it."),
                 experiment->name, experiment->name);
  return result;
}

/* Of the recording, those that were chosen. */
static gboolean
show_recorded (const char *path, GPtrArray *chosen, GPtrArray *results, GError **error)
{
  g_autoptr (LsRecording) recording = ls_recording_load (path, error);
  g_autofree char *name = ls_file_display_name (path);
  g_autoptr (GPtrArray) all = NULL;

  if (recording == NULL)
    return FALSE;
  all = recording->lab != NULL ? ls_lab_results_parse (recording->lab, error)
                               : g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  if (all == NULL)
    {
      g_prefix_error (error, _("The results of experiments in “%s” can’t be read: "), name);
      return FALSE;
    }
  for (guint i = 0; i < all->len; i++)
    if (g_ptr_array_find (chosen, ((const LsLabResult *) all->pdata[i])->experiment, NULL))
      g_ptr_array_add (results, ls_lab_result_ref (all->pdata[i]));
  if (results->len == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” holds no results of these experiments."), name);
  return results->len > 0;
}

/* Of several, how many were finished before they were broken off: those needn't be measured again. */
static guint
count_finished (const LsLabWish *wish, const GPtrArray *chosen)
{
  guint finished = 0;

  for (guint i = 0; i < chosen->len && !wish->anew; i++)
    {
      g_autofree char *why = NULL;
      g_autoptr (LsLabResult) part = ls_lab_kept_exactly (chosen->pdata[i], wish->options, FALSE,
                                                          wish->seconds, wish->rounds, &why);
      if (part != NULL)
        finished = i;
    }
  return finished;
}

static LsLabResult *
take_finished (const LsLabWish *wish)
{
  g_autofree char *why = NULL;
  LsLabResult *result = ls_lab_kept_exactly (wish->experiment, wish->options, TRUE, wish->seconds,
                                             wish->rounds, &why);

  if (result != NULL)
    ls_terminal_print (_("%s: measured on %s, before it was broken off\n"), _(wish->experiment->title),
                       result->date);
  return result;
}

/* What can't be measured or shown costs its experiment alone. FALSE: there was some. */
static gboolean
measure (LsLabWish *wish, const GPtrArray *chosen, gboolean kept, GPtrArray *results)
{
  const guint finished = kept ? 0 : count_finished (wish, chosen);
  gboolean all = TRUE;

  for (guint i = 0; i < chosen->len; i++)
    {
      g_autoptr (GError) error = NULL;
      LsLabResult *result;

      wish->experiment = chosen->pdata[i];
      result = i < finished ? take_finished (wish) : NULL;
      if (result == NULL)
        result = kept ? show_kept (wish->experiment, wish->options, &error)
                      : ls_lab_run (wish, heard_cb, chosen->pdata[i], NULL, &error);
      if (result != NULL)
        g_ptr_array_add (results, result);
      else
        {
          g_autofree char *sentence = ls_sentence (error->message);
          ls_terminal_complain ("lockstep lab: %s: %s\n", wish->experiment->name, sentence);
          all = FALSE;
        }
    }
  return all;
}

static LsExit
lab (const LsArguments *arguments, GError **error)
{
  const gboolean quick = ls_arguments_get (arguments, "quick") != NULL,
                 kept = ls_arguments_get (arguments, "kept") != NULL;
  static const char *const of_experiments[] = { "from", "out" };
  const gboolean is_sweep = strcmp (arguments->words[0], "sweep") == 0;
  const char *from = ls_arguments_get (arguments, "from");
  g_autoptr (GPtrArray) chosen = NULL, specs = NULL,
                        results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  LsLabWish wish = { .options = arguments->options,
                     .rounds = quick ? QUICK_ROUNDS : LS_LAB_ROUNDS,
                     .anew = ls_arguments_get (arguments, "anew") != NULL };
  double seconds;
  gboolean all;

  if (from != NULL && kept)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("--from doesn’t go with --kept."));
      return LS_EXIT_USAGE;
    }
  for (guint i = 0; is_sweep && i < G_N_ELEMENTS (of_experiments); i++)
    if (ls_arguments_get (arguments, of_experiments[i]) != NULL)
      {
        g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s doesn’t go with a sweep."), of_experiments[i]);
        return LS_EXIT_USAGE;
      }
  if (!is_sweep && ls_arguments_get (arguments, "vary") != NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE,
                           _("--vary goes with “lockstep lab sweep” alone."));
      return LS_EXIT_USAGE;
    }
  specs = ls_lane_specs_new (arguments->options, error);
  if (specs == NULL
      || !ls_bench_read_seconds (ls_arguments_get (arguments, "seconds"),
                                 quick ? QUICK_SECONDS : LS_LAB_SECONDS, &seconds, error))
    return LS_EXIT_USAGE;
  wish.seconds = (guint) seconds;
  if (is_sweep)
    return ls_lab_sweep (arguments, wish.seconds, wish.rounds, error);
  if (strcmp (arguments->words[0], "list") == 0)
    {
      list (arguments->options);
      return LS_EXIT_DONE;
    }
  chosen = choose (arguments->words[0], quick, error);
  if (chosen == NULL || !fit_network (chosen, arguments->options, &wish.trains, error))
    return LS_EXIT_FAILED;
#ifdef HAVE_PAINT
  if (ls_arguments_get (arguments, "out") != NULL
      && !ls_export_check (ls_arguments_get (arguments, "out"), error))
    return LS_EXIT_USAGE;
#endif
  if (from != NULL && !show_recorded (from, chosen, results, error))
    return LS_EXIT_FAILED;
  all = from != NULL || measure (&wish, chosen, kept, results);
  for (guint i = 0; i < results->len; i++)
    ls_lab_print (results->pdata[i], arguments->options);
  if (results->len == 0 || !save (arguments, results, error))
    return LS_EXIT_FAILED;
  return all ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_lab = {
  .name = "lab",
  .title = N_("Measure how the lanes’ rates grow with a size"),
  .about = N_(
    "NAME is an experiment, several with commas, all, list, or sweep: a step under all combinations of "
    "the values that --vary gives. The lanes take turns at each size, each "
    "in a process of its own. Whenever it is ended, the same command goes on from there."),
  .word = N_("NAME"),
  .groups = LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_LANES | LS_OPTION_GROUP_CPU
            | LS_OPTION_GROUP_OPENCL,
  .own = own,
  .run = lab,
};
