/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep convert`: what machines with other numbers make of the trained network, computed here.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "data/defaults.h"
#include "files/output.h"
#include "machines/converted/converted.h"
#include "ui/cli/command.h"
#include "ui/cli/interrupt.h"
#include "ui/cli/progress.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

#define WITHIN_INT8    .5 /* points of a hundred that a conversion may cost */
#define WITHIN_SPIKING 1.0

static const LsCommandOption own[] = {
  { "load", N_("FILE"), N_("Convert the network with these weights, instead of training one first") },
  { "bits", N_("N"), N_("int8: also with fewer bits, down to N, from 2 to 8 [8]") },
  { "time", N_("N"), N_("spiking: time steps of a sample, from 1 to 4096 [128]") },
  { "samples", N_("N"), N_("Samples of the test set, at most [int8: 10000, spiking: 1000]") },
  { "kept", NULL, N_("Compute nothing: show what came out last for this network") },
  { "csv", N_("FILE"), N_("Write the points as CSV"), TRUE },
  { "json", N_("FILE"), N_("Write the result as JSON"), TRUE },
  { NULL },
};

/* ---- what came out ---- */

/* "97.52 %" */
static char *
percent_text (const LsFigure *figure)
{
  return g_strdup_printf ("%.2f %%", figure->value);
}

/* "12.3 nJ" */
static char *
energy_text (double joules)
{
  static const char *const units[] = { "pJ", "nJ", "µJ", "mJ", "J" };
  double value = joules * 1e12;
  guint i = 0;

  for (; value >= 999.5 && i + 1 < G_N_ELEMENTS (units); i++)
    value /= 1000;
  return g_strdup_printf ("%.3g %s", value, units[i]);
}

static void
print_points (const LsConverted *result)
{
  const gboolean spiking = result->kind == LS_CONVERTED_SPIKING;
  g_autoptr (LsTable) table = ls_table_new (spiking ? "rrrrrrr" : "rrr");

  ls_table_add (table, "%s", spiking ? _("Time steps") : _("Bits"));
  ls_table_add (table, "%s", _("Right"));
  ls_table_add (table, "%s", _("As the floats"));
  if (spiking)
    {
      ls_table_add (table, "%s", _("Spikes"));
      ls_table_add (table, "%s", _("A neuron and step"));
      ls_table_add (table, "%s", _("Synaptic events"));
      ls_table_add (table, "%s", _("Energy"));
    }
  for (guint i = 0; i < result->n_points; i++)
    {
      const LsConvertedPoint *point = &result->points[i];
      g_autofree char *accuracy = percent_text (&point->accuracy), *same = percent_text (&point->same),
                      *energy = energy_text (point->energy.value);

      ls_table_add (table, "%u", point->at);
      ls_table_add (table, "%s", accuracy);
      ls_table_add (table, "%s", same);
      if (!spiking)
        continue;
      ls_table_add (table, "%.0f", point->spikes.value);
      ls_table_add (table, "%.3f", point->rate.value);
      ls_table_add (table, "%.0f", point->events.value);
      ls_table_add (table, "%s", energy);
    }
  ls_table_print (table);
}

static void
print_scales (const LsConverted *result)
{
  g_autoptr (LsTable) table = ls_table_new ("rrrr");

  ls_terminal_print (_("\nOne whole number more is, with 8 bits:\n"));
  ls_table_add (table, "%s", _("Layer"));
  ls_table_add (table, "%s", _("Weights, at least"));
  ls_table_add (table, "%s", _("Weights, at most"));
  ls_table_add (table, "%s", _("What it makes"));
  for (guint i = 0; i < result->n_scales; i++)
    {
      const LsInt8Scales *scales = &result->scales[i];

      ls_table_add (table, "%u", scales->layer + 1);
      ls_table_add (table, "%.3g", scales->low);
      ls_table_add (table, "%.3g", scales->high);
      if (scales->out > 0)
        ls_table_add (table, "%.3g", scales->out);
      else
        ls_table_add (table, "–");
    }
  ls_table_print (table);
}

static void
print_end (const LsConverted *result)
{
  const double within = result->kind == LS_CONVERTED_INT8 ? WITHIN_INT8 : WITHIN_SPIKING;
  const LsConvertedPoint *point = ls_converted_within (result, within);

  if (point == NULL)
    ls_terminal_print (_("None of them is within %.1f points of the floats.\n"), within);
  else
    ls_terminal_print (result->kind == LS_CONVERTED_INT8
                         ? ngettext ("From %u bit on it is within %.1f points of the floats.\n",
                                     "From %u bits on it is within %.1f points of the floats.\n", point->at)
                         : ngettext ("From %u time step on it is within %.1f points of the floats.\n",
                                     "From %u time steps on it is within %.1f points of the floats.\n",
                                     point->at),
                       point->at, within);
}

static void
print_result (const LsConverted *result)
{
  const gboolean spiking = result->kind == LS_CONVERTED_SPIKING;

  ls_terminal_print ("%s: %s, %s\n", _(ls_converted_title (result->kind)), result->model, result->data);
  if (result->weights != NULL)
    ls_terminal_print (_("Weights of %s\n"), result->weights);
  else
    ls_terminal_print (ngettext ("Trained anew for this, for %llu step, seed %llu\n",
                                 "Trained anew for this, for %llu steps, seed %llu\n",
                                 (gulong) result->trained),
                       (unsigned long long) result->trained, (unsigned long long) result->seed);
  ls_terminal_print (
    _("%u of %u samples of the test set; the floats of the CPU lane get %.2f %% of them right\n\n"),
    result->n_samples, result->n_test, result->accuracy.value);
  print_points (result);
  if (!spiking)
    print_scales (result);
  ls_terminal_print ("\n");
  print_end (result);
  if (spiking)
    ls_terminal_print (
      _("Right, spikes and events are measured, these for a sample in the mean. Energy is modelled: "
         "%.1f pJ for each synaptic event, the least of Intel’s Loihi as simulated before it was made (%s). "
         "The sample itself is a constant current, whose %llu products with weights are no events.\n"),
      LS_CONVERTED_EVENT_J * 1e12, ls_converted_event_source.address,
      (unsigned long long) result->input_products);
  else
    ls_terminal_print (_("Measured; scales of activations are from %u samples of the training set.\n"),
                       result->calibration);
  ls_terminal_print (_("On %s, %s, %s\n"), result->date, result->machine, result->program);
}

static gboolean
save (const LsArguments *arguments, const LsConverted *result, GError **error)
{
  const char *csv = ls_arguments_get (arguments, "csv"), *path = ls_arguments_get (arguments, "json");

  if (csv != NULL)
    {
      g_autofree char *text = ls_converted_csv (result);
      if (!ls_file_save (csv, text, strlen (text), error))
        return FALSE;
    }
  if (path != NULL)
    {
      g_autoptr (json_t) json = ls_json_new ("lockstep-convert", 1);

      ls_json_machine (json);
      ls_json_put (json, "result", ls_converted_to_json (result));
      return ls_json_save (json, path, error);
    }
  return TRUE;
}

/* ---- the command ---- */

typedef struct {
  LsProgress *progress;
  GCancellable *cancel;
} Watch;

static void
heard_cb (guint done, guint total, const char *words, gpointer data)
{
  Watch *watch = data;

  if (ls_interrupted ())
    g_cancellable_cancel (watch->cancel);
  ls_progress_part (watch->progress, words, done, total);
}

/* FALSE: LS_ERROR_USAGE. *number stays as it is where the option wasn't given. */
static gboolean
read_number (const LsArguments *arguments, const char *name, guint least, guint most, guint *number,
             GError **error)
{
  const char *text = ls_arguments_get (arguments, name);
  guint64 value;

  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, least, most, &value, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--%s takes a whole number from %llu to %llu, not “%s”."), name,
                   (unsigned long long) least, (unsigned long long) most, text);
      ls_error_make_printable (error);
      return FALSE;
    }
  *number = (guint) value;
  return TRUE;
}

static gboolean
read_wish (const LsArguments *arguments, LsConvertedWish *wish, GError **error)
{
  const char *word = arguments->words[0];

  *wish = (LsConvertedWish){ .kind = ls_converted_find (word),
                             .options = arguments->options,
                             .load = ls_arguments_get (arguments, "load") };
  if (wish->kind == LS_CONVERTED_N)
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                 _("There is no machine “%s” to convert to; there are int8 and spiking."), word);
  else if (wish->kind != LS_CONVERTED_INT8 && ls_arguments_get (arguments, "bits") != NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("--bits goes with int8 alone."));
  else if (wish->kind != LS_CONVERTED_SPIKING && ls_arguments_get (arguments, "time") != NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("--time goes with spiking alone."));
  else
    return read_number (arguments, "bits", LS_INT8_LEAST, LS_INT8_BITS, &wish->bits, error)
           && read_number (arguments, "time", 1, LS_SPIKING_MAX_STEPS, &wish->steps, error)
           && read_number (arguments, "samples", 1, LS_CONVERTED_MAX_TEST, &wish->samples, error);
  ls_error_make_printable (error);
  return FALSE;
}

static LsConverted *
run (const LsConvertedWish *wish, GError **error)
{
  g_autoptr (LsProgress) progress = ls_progress_new ();
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  Watch watch = { progress, cancel };
  LsConverted *result;

  ls_interrupt_catch ();
  result = ls_converted_run (wish, heard_cb, &watch, cancel, error);
  if (result != NULL && !ls_converted_keep (result, error))
    g_clear_pointer (&result, ls_converted_unref);
  return result;
}

static LsConverted *
show_kept (const LsConvertedWish *wish, GError **error)
{
  g_autofree char *why = NULL;
  LsConverted *result = ls_converted_kept (wish, &why);

  if (result == NULL && why != NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, why);
  else if (result == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("Nothing is kept of this network; “lockstep convert %s” computes it."),
                 ls_converted_name (wish->kind));
  return result;
}

static LsExit
convert (const LsArguments *arguments, GError **error)
{
  g_autoptr (LsConverted) result = NULL;
  LsConvertedWish wish;

  if (!read_wish (arguments, &wish, error))
    return LS_EXIT_USAGE;
  result = ls_arguments_get (arguments, "kept") != NULL ? show_kept (&wish, error) : run (&wish, error);
  if (g_error_matches (*error, LS_ERROR, LS_ERROR_CANCELLED))
    {
      ls_terminal_complain (_("Stopped; nothing of it is kept.\n"));
      g_clear_error (error);
      return LS_EXIT_INTERRUPTED;
    }
  if (result == NULL)
    return LS_EXIT_FAILED;
  print_result (result);
  return save (arguments, result, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_convert = {
  .name = "convert",
  .title = N_("Run the trained network in other numbers: as int8, as spikes"),
  .about = N_(
    "NAME is int8 or spiking. The network is trained first, on the CPU lane, for --epochs or --steps; "
    "or its weights are those of --load. Then it is converted and really computed, exactly, on "
    "samples of the test set.\n"
    "What came out is kept, and --kept shows it again. Ctrl-C ends it and keeps nothing."),
  .word = N_("NAME"),
  .groups = LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_STEPS,
  .own = own,
  .run = convert,
};
