/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kept.h.
 */
#include "config.h"
#include "lab/kept.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/error.h"
#include "files/input.h"
#include "files/output.h"
#include "lab/machine.h"

#define MAX_BYTES (1u << 20)

/* "batch-1f3a….json", "….part.json": what it depends on is in the name, but for the machine. */
static char *
path_of (const LsExperiment *experiment, const LsOptions *options, gboolean finished)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *name = NULL;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (rows[i].group & LS_LAB_OPTIONS)
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);
        g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
      }
  name = g_strdup_printf ("%s-%.12s%s.json", experiment->name, g_checksum_get_string (sum),
                          finished ? "" : ".part");
  return g_build_filename (g_get_user_data_dir (), "lockstep", "lab", name, NULL);
}

static LsLabResult *
load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = ls_file_read (path, MAX_BYTES, error);
  g_autoptr (json_t) json = NULL;
  gconstpointer text;
  gsize length;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  json = ls_json_parse (text != NULL ? text : "", length, MAX_BYTES, JSON_OBJECT, error);
  return json != NULL ? ls_lab_result_from_json (json, error) : NULL;
}

/* The file's result; NULL: it can't be used, and *why says so. */
static LsLabResult *
take (const char *path, const LsExperiment *experiment, const LsOptions *options, char **why)
{
  g_autofree char *name = g_filename_display_name (path), *key = ls_machine_key ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabResult) result = load (path, &error);

  if (result == NULL)
    *why = g_strdup_printf (_("%s can’t be read and isn’t used: %s."), name, error->message);
  else if (result->experiment != experiment || !ls_lab_options_alike (result->options, options))
    *why = g_strdup_printf (_("%s is of another experiment or of other lanes, and isn’t used."), name);
  else if (strcmp (result->machine_key, key) != 0)
    *why = g_strdup_printf (_("%s was measured on another machine (%s), and isn’t used."), name,
                            result->machine);
  else if (strcmp (result->program, "Lockstep " LS_VERSION) != 0)
    *why = g_strdup_printf (_("%s was measured by another version (%s), and isn’t used."), name,
                            result->program);
  else
    return g_steal_pointer (&result);
  return NULL;
}

LsLabResult *
ls_lab_kept (const LsExperiment *experiment, const LsOptions *options, gboolean finished, char **why)
{
  g_autofree char *path = path_of (experiment, options, finished);

  *why = NULL;
  return g_file_test (path, G_FILE_TEST_EXISTS) ? take (path, experiment, options, why) : NULL;
}

GPtrArray *
ls_lab_kept_all (const LsOptions *options)
{
  GPtrArray *results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *why = NULL;
      LsLabResult *result = ls_lab_kept (all[i], options, TRUE, &why);

      if (result != NULL)
        g_ptr_array_add (results, result);
    }
  return results;
}

LsRecording *
ls_lab_kept_with (LsRecording *recording)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GPtrArray) results = NULL;
  g_autofree char *text = NULL;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  if (recording->lab != NULL)
    return ls_recording_ref (recording);
  for (guint i = 0; i < n; i++)
    if (rows[i].group & LS_LAB_OPTIONS)
      {
        const char *value = g_hash_table_lookup (recording->options, rows[i].name);
        if (value == NULL || !ls_options_set (options, &rows[i], value, NULL))
          return ls_recording_ref (recording);
      }
  results = ls_lab_kept_all (options);
  text = ls_lab_results_text (results);
  return text != NULL ? ls_recording_with_lab (recording, text) : ls_recording_ref (recording);
}

static void
set_aside (const char *path, const LsLabResult *result)
{
  g_autofree char *why = NULL, *aside = g_strconcat (path, "~", NULL);
  LsLabResult *there = g_file_test (path, G_FILE_TEST_EXISTS)
                         ? take (path, result->experiment, result->options, &why)
                         : NULL;

  if (there != NULL)
    ls_lab_result_unref (there);
  else if (why != NULL)
    g_rename (path, aside);
}

gboolean
ls_lab_keep (const LsLabResult *result, GError **error)
{
  const gboolean finished = ls_lab_result_whole (result);
  g_autofree char *path = path_of (result->experiment, result->options, finished),
                  *part = path_of (result->experiment, result->options, FALSE),
                  *folder = g_path_get_dirname (path), *text = NULL;
  g_autoptr (json_t) json = ls_lab_result_to_json (result);

  if (g_mkdir_with_parents (folder, 0755) != 0)
    {
      g_autofree char *shown = g_filename_display_name (folder);
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The folder %s can’t be made: %s."), shown,
                   g_strerror (errno));
      return FALSE;
    }
  set_aside (path, result);
  text = json_dumps (json, JSON_INDENT (1));
  if (!ls_file_save (path, text, strlen (text), error))
    return FALSE;
  if (finished)
    g_unlink (part);
  return TRUE;
}
