/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the commands' JSON files, and how output files are checked and saved.
 */
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/error.h"
#include "files/output.h"
#include "ui/report/json_out.h"

JsonBuilder *
ls_json_new (const char *format, gint version)
{
  JsonBuilder *json = json_builder_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");

  json_builder_begin_object (json);
  ls_json_text (json, "format", format);
  ls_json_whole (json, "version", version);
  ls_json_text (json, "program", "Lockstep " LS_VERSION);
  ls_json_text (json, "date", date);
  return json;
}

void
ls_json_figure (JsonBuilder *json, const char *name, const LsFigure *figure)
{
  json_builder_set_member_name (json, name);
  json_builder_begin_object (json);
  ls_json_number (json, "median", figure->n > 0 ? figure->value : (double) NAN);
  ls_json_number (json, "q1", figure->n > 0 ? figure->q1 : (double) NAN);
  ls_json_number (json, "q3", figure->n > 0 ? figure->q3 : (double) NAN);
  ls_json_whole (json, "n", (gint64) figure->n);
  ls_json_whole (json, "left_out", (gint64) figure->left_out);
  ls_json_text (json, "unit", figure->unit);
  ls_json_text (json, "evidence", ls_evidence_name (figure->evidence));
  ls_json_text (json, "condition", figure->condition);
  json_builder_end_object (json);
}

void
ls_json_options (JsonBuilder *json, const LsOptions *options)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  json_builder_set_member_name (json, "options");
  json_builder_begin_object (json);
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
  json_builder_end_object (json);
}

static void
add_if_known (JsonBuilder *json, const char *name, gint64 value)
{
  if (value >= 0)
    ls_json_whole (json, name, value);
}

void
ls_json_device (JsonBuilder *json, const LsDeviceInfo *device)
{
  g_autoptr (GHashTable) facts = NULL;
  g_autoptr (GList) keys = NULL;

  json_builder_set_member_name (json, "device");
  if (device == NULL)
    {
      json_builder_add_null_value (json);
      return;
    }
  json_builder_begin_object (json);
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
  json_builder_set_member_name (json, "shares_cpu");
  json_builder_add_boolean_value (json, device->shares_cpu);

  json_builder_set_member_name (json, "facts");
  json_builder_begin_object (json);
  facts = ls_device_info_words (device);
  keys = g_list_sort (g_hash_table_get_keys (facts), (GCompareFunc) strcmp);
  for (GList *l = keys; l != NULL; l = l->next)
    ls_json_text (json, l->data, g_hash_table_lookup (facts, l->data));
  json_builder_end_object (json);
  json_builder_end_object (json);
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
ls_json_machine (JsonBuilder *json)
{
  struct utsname names;
  g_autofree char *cpu = cpu_model (), *os = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);

  json_builder_set_member_name (json, "machine");
  json_builder_begin_object (json);
  ls_json_text (json, "cpu", cpu);
  ls_json_whole (json, "processors", sysconf (_SC_NPROCESSORS_ONLN));
  ls_json_text (json, "system", os);
  if (uname (&names) == 0)
    {
      ls_json_text (json, "kernel", names.release);
      ls_json_text (json, "architecture", names.machine);
    }
  json_builder_end_object (json);
}

gboolean
ls_json_save (JsonBuilder *json, const char *path, GError **error)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  gsize length;

  json_builder_end_object (json);
  root = json_builder_get_root (json);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_indent (generator, 1);
  text = json_generator_to_data (generator, &length);
  return ls_file_save (path, text, length, error);
}

gboolean
ls_output_check (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_filename_display_name (path);
  g_autofree char *folder_name = g_filename_display_name (folder);

  if (*path == '\0')
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("A file name is missing: the one given is empty."));
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” is a folder; give the name of a file."), name);
  else if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can't be written: there is no folder “%s”."), name,
                 folder_name);
  else if (g_access (folder, W_OK) != 0)
    g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can't be written: folder “%s”: %s."), name,
                 folder_name, g_strerror (errno));
  else
    return TRUE;
  return FALSE;
}
