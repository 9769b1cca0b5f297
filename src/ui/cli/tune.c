/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep tune`: finds the fastest kernels and parameters for a device and keeps them for the runs that
 * follow; shows what is kept, with its spread; forgets it. Ctrl-C ends it and leaves what was kept as it was.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "backends/opencl/tune/tune.h"
#include "core/error.h"
#include "data/dataset.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

#define SECONDS "60"

static const LsCommandOption own[] = {
  { "model", N_("MODEL"), N_("Tune for this network; without it, for the presets mlp and cnn") },
  { "data", N_("DATA"), N_("Data whose samples the network takes [mnist]") },
  { "batch", N_("N"), N_("Samples per step [128]") },
  { "optimizer", "sgd|adam", N_("Optimizer: how gradients change the weights [sgd]") },
  { "device", N_("DEVICE"), N_("OpenCL device: part of its name, or its number; empty: the best") },
  { "seconds", N_("N"), N_("Time for all of it, from 1 to 3600 [60]") },
  { "list", NULL, N_("Show what is kept, and tune nothing") },
  { "forget", NULL, N_("Remove what is kept, and tune nothing") },
  { "json", N_("FILE"), N_("Write the results as JSON"), TRUE },
  { NULL },
};

/* ---- results ---- */

static void
print_entries (const GPtrArray *entries)
{
  g_autoptr (LsTable) table = ls_table_new ("lllrrrr");

  ls_table_add (table, "%s", _("Op"));
  ls_table_add (table, "%s", _("shape"));
  ls_table_add (table, "%s", _("kernel"));
  ls_table_add (table, "%s", _("µs [middle half]"));
  ls_table_add (table, "%s", _("shipped, µs"));
  ls_table_add (table, "%s", _("times as fast"));
  ls_table_add (table, "%s", _("tried, refused"));
  for (guint i = 0; i < entries->len; i++)
    {
      const LsTunedEntry *e = entries->pdata[i];
      g_autofree char *us = ls_figure_text (&e->us), *shipped = ls_figure_text (&e->shipped_us);

      ls_table_add (table, "%s", e->op);
      ls_table_add (table, "%s", e->example);
      ls_table_add (table, "%s", e->words);
      ls_table_add (table, "%s", us);
      ls_table_add (table, "%s", shipped);
      if (g_str_equal (e->words, e->shipped_words))
        ls_table_add (table, "%s", _("shipped is best"));
      else
        ls_table_add (table, "%.2f", e->shipped_us.value / MAX (e->us.value, 1e-9));
      ls_table_add (table, "%lld, %lld", (long long) e->tried, (long long) e->refused);
    }
  ls_table_print (table);
}

static gint
by_device (gconstpointer a, gconstpointer b)
{
  const LsTunedEntry *x = *(LsTunedEntry *const *) a, *y = *(LsTunedEntry *const *) b;
  gint c = g_strcmp0 (x->device, y->device);

  if (c == 0)
    c = g_strcmp0 (x->driver, y->driver);
  return c != 0 ? c : y->us.value > x->us.value ? 1 : y->us.value < x->us.value ? -1 : 0;
}

/* One table per device and driver, with the newest day of all that is in it. */
static void
print_by_device (GPtrArray *entries)
{
  g_ptr_array_sort (entries, by_device);
  for (guint i = 0; i < entries->len;)
    {
      const LsTunedEntry *first = entries->pdata[i];
      const char *newest = first->date;
      g_autoptr (GPtrArray) same = g_ptr_array_new ();

      for (; i < entries->len; i++)
        {
          LsTunedEntry *e = entries->pdata[i];
          if (g_strcmp0 (e->device, first->device) != 0 || g_strcmp0 (e->driver, first->driver) != 0)
            break;
          newest = strcmp (e->date, newest) > 0 ? e->date : newest;
          g_ptr_array_add (same, e);
        }
      ls_terminal_print (_("%s, %s, tuned on %s\n\n"), first->device, first->driver, newest);
      print_entries (same);
      ls_terminal_print ("\n");
    }
}

static gboolean
save_json (const GPtrArray *entries, const GPtrArray *dropped, const char *path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-tune", 1);
  json_t *list;

  ls_json_machine (json);
  list = ls_json_array (json, "entries");
  for (guint i = 0; i < entries->len; i++)
    ls_json_put (list, NULL, ls_tuned_entry_to_json (entries->pdata[i]));
  list = ls_json_array (json, "dropped");
  for (guint i = 0; dropped != NULL && i < dropped->len; i++)
    ls_json_text (list, NULL, dropped->pdata[i]);
  return ls_json_save (json, path, error);
}

/* ---- progress ---- */

static void
progress_cb (const LsTuneProgress *p, gpointer data)
{
  guint *last_task = data;
  g_autofree char *left = ls_duration_text (p->seconds_left);

  if (ls_terminal_is_live ())
    {
      g_autofree char *line = g_strdup_printf (_("%u of %u: %s %s, %s; at most %s left"), p->task + 1,
                                               p->n_tasks, p->op, p->example, p->candidate, left);
      g_autofree char *cut = g_utf8_substring (
        line, 0, MIN (g_utf8_strlen (line, -1), MAX (ls_terminal_width () - 1, 20)));
      ls_terminal_rewrite (cut);
    }
  else if (p->task + 1 != *last_task)
    ls_terminal_print (_("%u of %u: %s %s, at most %s left\n"), p->task + 1, p->n_tasks, p->op, p->example,
                       left);
  *last_task = p->task + 1;
}

/* ---- the wish ---- */

static gboolean
read_number (const LsArguments *arguments, const char *name, const char *otherwise, guint64 least,
             guint64 most, guint *value, GError **error)
{
  const char *text = ls_arguments_get (arguments, name);
  guint64 n = 0;

  if (!g_ascii_string_to_unsigned (text != NULL ? text : otherwise, 10, least, most, &n, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--%s takes a whole number from %llu to %llu, not “%s”."), name,
                   (unsigned long long) least, (unsigned long long) most, text);
      return FALSE;
    }
  *value = (guint) n;
  return TRUE;
}

/* The shape of the data's samples; only a folder has to be read for it. */
static gboolean
data_shape (const LsOptions *options, gint64 shape[3], gint *n_classes, GError **error)
{
  g_autoptr (LsData) data = NULL;

  if (ls_data_shape (options->data, shape, n_classes))
    return TRUE;
  data = ls_data_load (options->data, 1, error);
  if (data == NULL)
    return FALSE;
  memcpy (shape, data->train.shape, sizeof data->train.shape);
  *n_classes = data->n_classes;
  return TRUE;
}

static gboolean
make_wish (const LsArguments *arguments, LsTuneWish *wish, GError **error)
{
  static const char *const presets[] = { "mlp", "cnn" };
  const LsOptions *options = arguments->options;
  const char *model = ls_arguments_get (arguments, "model");
  gint64 shape[3];
  gint n_classes;

  *wish = (LsTuneWish){ .device = options->device, .n_plans = model != NULL ? 1 : G_N_ELEMENTS (presets) };
  if (!read_number (arguments, "seconds", SECONDS, 1, 3600, &wish->seconds, error)
      || !data_shape (options, shape, &n_classes, error))
    return FALSE;
  for (guint i = 0; i < wish->n_plans; i++)
    {
      wish->plans[i] = (LsTunePlan){ .model = model != NULL ? model : presets[i],
                                     .n_classes = n_classes,
                                     .batch = (guint) options->batch,
                                     .optimizer = (LsOptimizer) options->optimizer };
      memcpy (wish->plans[i].shape, shape, sizeof shape);
    }
  return TRUE;
}

/* ---- the command ---- */

static LsExit
list (const char *json, GError **error)
{
  g_autofree char *path = ls_tuned_path (), *shown = g_filename_display_name (path);
  g_autoptr (LsTuned) tuned = ls_tuned_load (path, error);

  if (tuned == NULL)
    return LS_EXIT_FAILED;
  if (tuned->entries->len == 0)
    ls_terminal_print (_("Nothing has been tuned on this machine; the shipped parameters run.\n"));
  else
    {
      print_by_device (tuned->entries);
      ls_terminal_print (_("Kept in %s; --tuned=off trains without them.\n"), shown);
    }
  return json == NULL || save_json (tuned->entries, NULL, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

static LsExit
forget (GError **error)
{
  guint n;

  if (!ls_tuned_forget (&n, error))
    return LS_EXIT_FAILED;
  ls_terminal_print (ngettext ("%u result forgotten; the shipped parameters run.\n",
                               "%u results forgotten; the shipped parameters run.\n", n),
                     n);
  return LS_EXIT_DONE;
}

static void
print_dropped (const GPtrArray *dropped)
{
  for (guint i = 0; i < dropped->len; i++)
    ls_terminal_print (_("Dropped: %s\n"), (const char *) dropped->pdata[i]);
}

static LsExit
tune (const LsArguments *arguments, GError **error)
{
  const char *json = ls_arguments_get (arguments, "json");
  g_autoptr (LsTuneResult) result = NULL;
  LsTuneWish wish;
  guint last_task = 0;
  gboolean ok;

  if (ls_arguments_get (arguments, "forget") != NULL)
    return forget (error);
  if (ls_arguments_get (arguments, "list") != NULL)
    return list (json, error);
  if (!make_wish (arguments, &wish, error))
    return LS_EXIT_FAILED;

  ok = ls_tune (&wish, progress_cb, &last_task, NULL, &result, error);
  if (ls_terminal_is_live ())
    ls_terminal_rewrite ("");
  if (!ok)
    return LS_EXIT_FAILED;
  print_by_device (result->entries);
  print_dropped (result->dropped);
  if (json != NULL && !save_json (result->entries, result->dropped, json, error))
    return LS_EXIT_FAILED;
  return ls_tuned_keep (result->entries, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_tune = {
  .name = "tune",
  .title = N_("Find the fastest kernels for an OpenCL device"),
  .about = N_("Every candidate must agree with the reference and compute the very bits of the shipped "
               "kernel, so tuning changes how\n"
               "fast training is and never its numbers. The results serve all later runs on the same device "
               "and driver."),
  .own = own,
  .run = tune,
};
