/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See recorded_run.h. A recording may come from a stranger or another version: an option that isn't one, or a
 * value that can't be, is passed over.
 */
#include "config.h"
#include "data/recorded_run.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "data/preview.h"

/* They are in the network's text, or in the plan's facts. */
static const char *const facts[] = { "model", "batch", "optimizer", "sequence", NULL };

static void
set (LsOptions *options, gboolean over, const char *name, const char *text)
{
  const LsOption *option = ls_options_find (name);

  if (text != NULL && (over || !ls_options_is_given (options, option)))
    ls_options_set (options, option, text, NULL);
}

/* It says how the recording's own data are read; the seed is of all random numbers. */
static gboolean
is_reading (const LsOption *option)
{
  return (option->group & LS_OPTION_GROUP_DATA) != 0 && strcmp (option->name, "seed") != 0;
}

void
ls_recorded_run_take (const LsRecording *recording, gboolean over, LsOptions *options)
{
  g_autofree char *batch = g_strdup_printf ("%u", recording->batch);
  guint n;
  const LsOption *rows = ls_options_table (&n), *data = ls_options_find ("data");
  const gboolean own = over || !ls_options_is_given (options, data)
                       || g_strcmp0 (options->data, g_hash_table_lookup (recording->options, "data")) == 0;

  for (guint i = 0; i < n; i++)
    if (rows[i].group & (LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA)
        && !g_strv_contains (facts, rows[i].name) && (own || !is_reading (&rows[i])))
      set (options, over, rows[i].name, g_hash_table_lookup (recording->options, rows[i].name));
  set (options, over, "model", recording->model_name != NULL ? recording->model_name : recording->model);
  set (options, over, "batch", batch);
  set (options, over, "optimizer", ls_options_find ("optimizer")->choices[recording->optimizer]);
}

void
ls_recorded_run_other_data (LsOptions *options, const LsOptions *own)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (is_reading (&rows[i]) || strcmp (rows[i].name, "data") == 0)
      {
        g_autofree char *text = ls_options_get (own, &rows[i]);
        ls_options_forget (options, &rows[i]);
        if (ls_options_is_given (own, &rows[i]))
          ls_options_set (options, &rows[i], text, NULL);
        else
          ls_options_suggest (options, &rows[i], text);
      }
}

gboolean
ls_recorded_run_fits (const LsRecording *recording, const gint64 shape[3], gint n_classes)
{
  return recording->n_classes == n_classes
         && memcmp (recording->in_shape, shape, sizeof recording->in_shape) == 0;
}

char *
ls_recorded_run_instead (const LsRecording *recording, const char *lost, const char *other,
                         const gint64 shape[3], gint n_classes, GError **error)
{
  g_autofree char *wants = ls_data_shape_text (recording->in_shape, recording->n_classes),
                  *from = ls_file_display_name (lost), *instead = ls_file_display_name (other);

  if (shape != NULL && ls_recorded_run_fits (recording, shape, n_classes))
    return g_strdup_printf (
      _("The recording’s data “%s” aren’t here; its network is trained on “%s”, whose samples are of the "
         "same kind: %s."),
      from, instead, wants);
  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    _("The recording’s data “%s” aren’t here, and “%s” don’t fit its network, which takes %s; choose "
       "data that fit."),
    from, instead, wants);
  return NULL;
}
