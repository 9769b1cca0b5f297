/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the commands' JSON files, and how output files are checked and saved.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/error.h"
#include "files/output.h"
#include "ui/report/json_out.h"

json_t *
ls_json_new (const char *format, gint version)
{
  json_t *json = json_object ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");

  ls_json_text (json, "format", format);
  ls_json_whole (json, "version", version);
  ls_json_text (json, "program", "Lockstep " LS_VERSION);
  ls_json_text (json, "date", date);
  return json;
}

void
ls_json_figure (json_t *into, const char *name, const LsFigure *figure)
{
  json_t *json = ls_json_object (into, name);

  ls_json_number (json, "median", figure->n > 0 ? figure->value : (double) NAN);
  ls_json_number (json, "q1", figure->n > 0 ? figure->q1 : (double) NAN);
  ls_json_number (json, "q3", figure->n > 0 ? figure->q3 : (double) NAN);
  ls_json_whole (json, "n", (gint64) figure->n);
  ls_json_whole (json, "left_out", (gint64) figure->left_out);
  ls_json_text (json, "unit", figure->unit);
  ls_json_text (json, "evidence", ls_evidence_name (figure->evidence));
  ls_json_text (json, "condition", figure->condition);
}

void
ls_json_options (json_t *into, const LsOptions *options)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);
  json_t *json = ls_json_object (into, "options");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = ls_options_get (options, &rows[i]);
      if (rows[i].type == LS_OPTION_INT)
        ls_json_whole (json, rows[i].name, g_ascii_strtoll (text, NULL, 10));
      else if (rows[i].type == LS_OPTION_DOUBLE)
        ls_json_number (json, rows[i].name, g_ascii_strtod (text, NULL));
      else
        ls_json_text (json, rows[i].name, text);
    }
}

static void
add_if_known (json_t *json, const char *name, gint64 value)
{
  if (value >= 0)
    ls_json_whole (json, name, value);
}

void
ls_json_device (json_t *into, const LsDeviceInfo *device)
{
  g_autoptr (GHashTable) words = NULL;
  g_autoptr (GList) keys = NULL;
  json_t *json, *facts;

  if (device == NULL)
    {
      ls_json_text (into, "device", NULL);
      return;
    }
  json = ls_json_object (into, "device");
  ls_json_text (json, "name", device->name);
  ls_json_text (json, "kind", ls_device_kind_name (device->kind));
  ls_json_text (json, "driver", device->driver);
  ls_json_text (json, "version", device->version);
  ls_json_text (json, "tells", ls_tells_name (device->tells));
  add_if_known (json, "threads", device->threads);
  add_if_known (json, "units", device->units);
  add_if_known (json, "global_mem_bytes", device->global_mem);
  add_if_known (json, "local_mem_bytes", device->local_mem);
  add_if_known (json, "max_alloc_bytes", device->max_alloc);
  add_if_known (json, "max_group", device->max_group);
  ls_json_bool (json, "shares_cpu", device->shares_cpu);

  facts = ls_json_object (json, "facts");
  words = ls_device_info_words (device);
  keys = g_list_sort (g_hash_table_get_keys (words), (GCompareFunc) strcmp);
  for (GList *l = keys; l != NULL; l = l->next)
    ls_json_text (facts, l->data, g_hash_table_lookup (words, l->data));
}

/* The value of a line "model name : AMD EPYC"; (transfer full). */
static char *
cpu_model (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix (*line, "model name") && strchr (*line, ':') != NULL)
      return g_strstrip (g_strdup (strchr (*line, ':') + 1));
  return NULL;
}

void
ls_json_machine (json_t *into)
{
  struct utsname names;
  g_autofree char *cpu = cpu_model (), *os = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  json_t *json = ls_json_object (into, "machine");

  ls_json_text (json, "cpu", cpu);
  ls_json_whole (json, "processors", sysconf (_SC_NPROCESSORS_ONLN));
  ls_json_text (json, "system", os);
  if (uname (&names) == 0)
    {
      ls_json_text (json, "kernel", names.release);
      ls_json_text (json, "architecture", names.machine);
    }
}

gboolean
ls_json_save (const json_t *json, const char *path, GError **error)
{
  g_autofree char *text = json_dumps (json, JSON_INDENT (2));

  return ls_file_save (path, text, strlen (text), error);
}
