/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See sweep_kept.h.
 */
#include "config.h"
#include "lab/sweep_kept.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "files/json.h"
#include "files/output.h"
#include "lab/kept.h"
#include "lab/machine.h"

#define FORMAT    "lockstep-lab-sweep-kept"
#define MAX_BYTES (1u << 20)
#define MAX_RATE  1e15

/* All that the rates depend on, but for machine, version and time: a line for each. */
static char *
question (const LsSweep *sweep)
{
  GString *text = g_string_new (NULL);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = ls_options_get (sweep->options, &rows[i]);
      g_string_append_printf (text, "%s=%s\n", rows[i].name, value);
    }
  for (guint i = 0; i < sweep->axes->len; i++)
    {
      const LsSweepAxis *axis = &g_array_index (sweep->axes, LsSweepAxis, i);
      g_autofree char *values = g_strjoinv (";", axis->values);
      g_string_append_printf (text, "vary %s=%s\n", axis->option->name, values);
    }
  return g_string_free (text, FALSE);
}

/* "sweep-1f3a5c7e9b0d.json" */
static char *
path_of (const char *asked, gboolean made, GError **error)
{
  g_autofree char *in = ls_lab_folder (made, error),
                  *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, asked, -1),
                  *name = g_strdup_printf ("sweep-%.12s.json", sum);

  return in != NULL ? g_build_filename (in, name, NULL) : NULL;
}

static void
put_cells (json_t *json, const LsSweep *sweep)
{
  json_t *combinations = ls_json_array (json, "combinations");

  for (guint c = 0; c < sweep->done; c++)
    {
      json_t *lanes = ls_json_array (ls_json_object (combinations, NULL), "lanes");

      for (guint lane = 0; lane < sweep->specs->len; lane++)
        {
          const LsSweepCell *cell = ls_sweep_cell (sweep, c, lane);
          json_t *one = ls_json_object (lanes, NULL);

          if (cell->rate.n > 0)
            ls_json_put_figure (one, "rate", &cell->rate);
          else
            ls_json_text (one, "why", cell->why);
        }
    }
}

gboolean
ls_sweep_keep (const LsSweep *sweep, guint seconds, guint rounds, GError **error)
{
  g_autoptr (json_t) json = json_object ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *asked = question (sweep), *path = path_of (asked, TRUE, error),
                  *machine = ls_machine_text (), *key = ls_machine_key (),
                  *date = g_date_time_format (now, "%Y-%m-%d"), *text = NULL;

  if (path == NULL)
    return FALSE;
  ls_json_text (json, "format", FORMAT);
  ls_json_text (json, "program", "Lockstep " LS_VERSION);
  ls_json_text (json, "date", date);
  ls_json_text (json, "machine", machine);
  ls_json_text (json, "machine_key", key);
  ls_json_text (json, "asked", asked);
  ls_json_whole (json, "seconds", seconds);
  ls_json_whole (json, "rounds", rounds);
  put_cells (json, sweep);
  text = json_dumps (json, JSON_INDENT (1));
  return ls_file_save (path, text, strlen (text), error);
}

static json_t *
load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = ls_file_read (path, MAX_BYTES, error);
  gconstpointer text;
  gsize length;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  return ls_json_parse (text != NULL ? text : "", length, MAX_BYTES, JSON_OBJECT, error);
}

static gboolean
is (const json_t *json, const char *name, const char *value)
{
  const char *text = ls_json_get_string (json, name, NULL);

  return text != NULL && strcmp (text, value) == 0;
}

/* Each cell is a rate or a reason. */
static gboolean
read_cell (const json_t *lanes, guint lane, LsSweepCell *cell, GError **error)
{
  const json_t *one = ls_json_array_object (lanes, lane, "lanes", error);
  const char *why;

  if (one == NULL)
    return FALSE;
  if (json_object_get (one, "rate") != NULL)
    return ls_json_get_figure (one, "rate", "samples/s", MAX_RATE, &cell->rate, error);
  if (!ls_json_get_string_or_null (one, "why", &why, error))
    return FALSE;
  cell->why = g_strdup (why);
  return TRUE;
}

static gboolean
read_cells (const json_t *json, LsSweep *sweep, GError **error)
{
  const guint n = sweep->specs->len;
  const json_t *combinations = ls_json_get_array (json, "combinations", 1, sweep->n, error);

  for (guint c = 0; combinations != NULL && c < json_array_size (combinations); c++)
    {
      const json_t *one = ls_json_array_object (combinations, c, "combinations", error),
                   *lanes = one != NULL ? ls_json_get_array (one, "lanes", n, n, error) : NULL;

      for (guint lane = 0; lane < n; lane++)
        if (lanes == NULL || !read_cell (lanes, lane, &sweep->cells[c * n + lane], error))
          return FALSE;
      sweep->done = c + 1;
    }
  return combinations != NULL;
}

gboolean
ls_sweep_take_kept (LsSweep *sweep, guint seconds, guint rounds, char **date, char **why)
{
  g_autofree char *asked = question (sweep), *path = path_of (asked, FALSE, NULL),
                  *name = g_filename_display_name (path), *key = ls_machine_key ();
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) json = NULL;
  gint64 its_seconds = 0, its_rounds = 0;

  *why = NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return FALSE;
  json = load (path, &error);
  if (json != NULL && (!is (json, "format", FORMAT) || !is (json, "asked", asked)))
    *why = g_strdup_printf (_("%s is of another sweep, and isn’t used."), name);
  else if (json != NULL && (!is (json, "machine_key", key) || !is (json, "program", "Lockstep " LS_VERSION)))
    *why = g_strdup_printf (_("%s was measured on another machine or by another version, and isn’t used."),
                            name);
  else if (json == NULL || !ls_json_get_int (json, "seconds", 1, 3600, &its_seconds, &error)
           || !ls_json_get_int (json, "rounds", 1, 1000, &its_rounds, &error)
           || (*date = g_strdup (ls_json_get_string (json, "date", &error))) == NULL
           || !read_cells (json, sweep, &error))
    {
      g_autofree char *sentence = ls_sentence (error->message);

      *why = g_strdup_printf (_("%s can’t be read and isn’t used: %s"), name, sentence);
      g_clear_pointer (date, g_free);
      ls_sweep_forget (sweep);
    }
  if (*why == NULL && seconds > 0 && (its_seconds != seconds || its_rounds != rounds))
    {
      g_clear_pointer (date, g_free);
      ls_sweep_forget (sweep);
      return FALSE;
    }
  return *why == NULL;
}
