/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results in the user's data folder: "machines/int8-1f3a5c7e9b0d.json", a name for each network.
 */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "data/defaults.h"
#include "files/output.h"
#include "files/weights.h"
#include "lab/machine.h"
#include "machines/converted/converted.h"

#define MAX_BYTES (1u << 20)
#define KEY       12 /* digits */
#define DEPENDS   (LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_STEPS)

static char *
folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "lockstep", "machines", NULL);
}

static char *
path_of (LsConvertedKind kind, const char *key)
{
  g_autofree char *in = folder (), *name = g_strdup_printf ("%s-%s.json", ls_converted_name (kind), key);

  return g_build_filename (in, name, NULL);
}

char *
ls_converted_key (const LsConvertedWish *wish, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (LsOptions) options = ls_options_copy (wish->options);
  g_autoptr (GBytes) bytes = NULL;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  ls_data_suggest (options, 0, 0);
  for (guint i = 0; i < n; i++)
    if (rows[i].group & DEPENDS)
      {
        g_autofree char *text = ls_options_get (options, &rows[i]);
        g_autoptr (LsModel) model = strcmp (rows[i].name, "model") == 0 ? ls_model_parse (text, NULL) : NULL;

        /* the same network, by its name or written out, as recordings have it */
        if (model != NULL)
          {
            g_free (text);
            text = g_strdup (model->text);
          }
        g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
      }
  /* the data's usual number of steps isn't that of the usual epochs, once these are given */
  g_checksum_update (sum, (const guchar *) (ls_data_run_steps (options, 0) > 0 ? "steps" : "epochs"), -1);
  if (wish->load != NULL)
    {
      bytes = ls_file_read (wish->load, LS_WEIGHTS_MAX_BYTES, error);
      if (bytes == NULL)
        return NULL;
      g_checksum_update (sum, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
    }
  return g_strndup (g_checksum_get_string (sum), KEY);
}

static LsConverted *
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
  return json != NULL ? ls_converted_from_json (json, error) : NULL;
}

LsConverted *
ls_converted_kept (const LsConvertedWish *wish, char **why)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *key = ls_converted_key (wish, &error), *here = ls_machine_key (), *path = NULL,
                  *name = NULL;
  g_autoptr (LsConverted) result = NULL;

  *why = NULL;
  if (key == NULL)
    {
      *why = ls_sentence (error->message);
      return NULL;
    }
  path = path_of (wish->kind, key);
  name = g_filename_display_name (path);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  result = load (path, &error);
  if (result == NULL)
    {
      g_autofree char *sentence = NULL;

      ls_error_make_printable (&error);
      sentence = ls_sentence (error->message);
      *why = g_strdup_printf (_("%s can’t be read and isn’t used: %s"), name, sentence);
    }
  else if (result->kind != wish->kind || strcmp (result->key, key) != 0)
    *why = g_strdup_printf (_("%s is of another network or of another machine’s numbers, and isn’t used."),
                            name);
  else if (strcmp (result->machine_key, here) != 0)
    *why = g_strdup_printf (_("%s was measured on another machine (%s), and isn’t used."), name,
                            result->machine);
  else if (strcmp (result->program, "Lockstep " LS_VERSION) != 0)
    *why = g_strdup_printf (_("%s was measured by another version (%s), and isn’t used."), name,
                            result->program);
  return *why == NULL ? g_steal_pointer (&result) : NULL;
}

gboolean
ls_converted_keep (const LsConverted *result, GError **error)
{
  g_autofree char *in = folder (), *path = path_of (result->kind, result->key), *text = NULL,
                  *shown = g_filename_display_name (in);
  g_autoptr (json_t) json = NULL;

  if (g_mkdir_with_parents (in, 0755) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("The folder %s can’t be made: %s."), shown,
                   g_strerror (errno));
      return FALSE;
    }
  json = ls_converted_to_json (result);
  text = json_dumps (json, JSON_INDENT (1));
  return ls_file_save (path, text, strlen (text), error);
}
