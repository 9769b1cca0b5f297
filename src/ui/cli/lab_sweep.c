/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sweep from the command line, on the terminal and into files. These are written after each combination, as
 * is what is kept, so that a sweep that is ended costs the one at hand alone.
 */
#include "config.h"
#include "ui/cli/lab_sweep.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "files/output.h"
#include "lab/sweep_kept.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

typedef struct {
  const LsArguments *arguments;
  guint seconds, rounds;
  GError *error; /* of writing a file */
} Sweeping;

static gboolean
save (const LsArguments *arguments, const LsSweep *sweep, GError **error)
{
  const char *csv_path = ls_arguments_get (arguments, "csv"),
             *json_path = ls_arguments_get (arguments, "json");
  g_autofree char *csv = csv_path != NULL ? ls_lab_sweep_csv (sweep) : NULL;
  g_autoptr (json_t) json = json_path != NULL ? ls_lab_sweep_json (sweep) : NULL;

  return (csv == NULL || ls_file_save (csv_path, csv, strlen (csv), error))
         && (json == NULL || ls_json_save (json, json_path, error));
}

static void
tell_lacks (const LsSweep *sweep, guint combination)
{
  for (guint i = 0; i < sweep->specs->len; i++)
    {
      const LsSweepCell *cell = ls_sweep_cell (sweep, combination, i);
      g_autofree char *text = cell->why != NULL && cell->same < 0 ? ls_sweep_text (sweep, combination) : NULL;

      if (text != NULL)
        ls_terminal_complain ("%s, %s: %s\n", ((const LsLaneSpec *) sweep->specs->pdata[i])->title, text,
                              cell->why);
    }
}

static void
heard_cb (const LsSweep *sweep, gboolean before, double seconds_left, gpointer data)
{
  Sweeping *self = data;
  g_autofree char *text = before ? ls_sweep_text (sweep, sweep->done) : NULL,
                  *left = ls_duration_text (seconds_left);

  if (before)
    ls_terminal_print (_("%u of %u: %s; %s left\n"), sweep->done + 1, sweep->n, text, left);
  else
    {
      tell_lacks (sweep, sweep->done - 1);
      if (self->error == NULL && ls_sweep_keep (sweep, self->seconds, self->rounds, &self->error))
        save (self->arguments, sweep, &self->error);
    }
}

static void
print (const LsSweep *sweep)
{
  const guint n_axes = sweep->axes->len, n = sweep->specs->len;
  g_autofree char *left = g_strnfill (n_axes, 'l'), *right = g_strnfill (n, 'r'),
                  *align = g_strconcat (left, right, NULL);
  g_autoptr (LsTable) table = ls_table_new (align);

  for (guint i = 0; i < n_axes; i++)
    ls_table_add (table, "%s", g_array_index (sweep->axes, LsSweepAxis, i).option->name);
  for (guint i = 0; i < n; i++)
    ls_table_add (table, "%s", ((const LsLaneSpec *) sweep->specs->pdata[i])->title);
  for (guint c = 0; c < sweep->done; c++)
    {
      for (guint i = 0; i < n_axes; i++)
        ls_table_add (table, "%s", ls_sweep_value (sweep, c, i));
      for (guint i = 0; i < n; i++)
        {
          const LsSweepCell *cell = ls_sweep_cell (sweep, c, i);
          g_autofree char *text = cell->rate.n > 0 ? ls_figure_text (&cell->rate) : g_strdup ("–");
          ls_table_add (table, "%s", text);
        }
    }
  ls_terminal_print (_("\nsamples/s: medians with [middle half]\n"));
  ls_table_print (table);
}

/* What is kept of this sweep, whole or not, without measuring. */
static gboolean
show_kept (const LsArguments *arguments, LsSweep *sweep, GError **error)
{
  g_autofree char *date = NULL, *why = NULL;

  if (!ls_sweep_take_kept (sweep, 0, 0, &date, &why))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                           why != NULL ? why
                                       : _("Nothing is kept of this sweep; without --kept it is measured."));
      return FALSE;
    }
  if (sweep->done < sweep->n)
    ls_terminal_print (_("Measured on %s, and broken off after %u of %u.\n"), date, sweep->done, sweep->n);
  else
    ls_terminal_print (_("Measured on %s.\n"), date);
  print (sweep);
  return save (arguments, sweep, error);
}

/* One that was broken off goes on; what is whole is measured anew. */
static void
go_on (LsSweep *sweep, const Sweeping *self)
{
  g_autofree char *date = NULL, *why = NULL;

  if (ls_sweep_take_kept (sweep, self->seconds, self->rounds, &date, &why))
    {
      if (sweep->done == sweep->n)
        ls_sweep_forget (sweep);
      else
        ls_terminal_print (_("Going on after %u of %u, measured on %s; --anew begins at the first.\n"),
                           sweep->done, sweep->n, date);
    }
  else if (why != NULL)
    ls_terminal_complain ("lockstep lab: %s\n", why);
}

LsExit
ls_lab_sweep (const LsArguments *arguments, guint seconds, guint rounds, GError **error)
{
  const char *given = ls_arguments_get (arguments, "vary");
  g_auto (GStrv) vary = g_strsplit (given != NULL ? given : "", "\n", -1);
  Sweeping self = { .arguments = arguments, .seconds = seconds, .rounds = rounds };
  g_autoptr (LsSweep) sweep = NULL;
  gboolean done;

  if (given == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE,
                           _("A sweep takes at least one --vary, such as --vary batch=1,16,128."));
      return LS_EXIT_USAGE;
    }
  sweep = ls_sweep_new (arguments->options, (const char *const *) vary, error);
  if (sweep == NULL)
    return LS_EXIT_USAGE;
  if (ls_arguments_get (arguments, "kept") != NULL)
    return show_kept (arguments, sweep, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
  if (ls_arguments_get (arguments, "anew") == NULL)
    go_on (sweep, &self);
  done = ls_sweep_run (sweep, seconds, rounds, heard_cb, &self, NULL, error);
  if (done)
    print (sweep);
  if (self.error != NULL && done)
    {
      g_propagate_error (error, self.error);
      return LS_EXIT_FAILED;
    }
  g_clear_error (&self.error);
  return done ? LS_EXIT_DONE : LS_EXIT_FAILED;
}
