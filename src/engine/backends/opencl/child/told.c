/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See told.h.
 */
#include "config.h"
#include "backends/opencl/child/told.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/device/devices.h"
#include "core/error.h"

void
ls_told_put_options (json_t *into, const LsOptions *options)
{
  json_t *object = ls_json_object (into, "options");
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = ls_options_get (options, &rows[i]);
      ls_json_text (object, rows[i].name, text);
    }
}

gboolean
ls_told_get_options (const json_t *from, LsOptions *options, GError **error)
{
  json_t *object = ls_json_get_object (from, "options", error);
  const char *key;
  const json_t *value;

  json_object_foreach (object, key, value)
    {
      const LsOption *option = ls_options_find (key);
      if (option != NULL && !ls_options_set (options, option, json_string_value (value), error))
        return FALSE;
    }
  return object != NULL;
}

void
ls_told_put_kernels (json_t *into, const LsKernelFiles *edited)
{
  json_t *object = ls_json_object (into, "texts");
  GHashTableIter iter;
  gpointer name, text;

  if (edited == NULL)
    return;
  g_hash_table_iter_init (&iter, edited->texts);
  while (g_hash_table_iter_next (&iter, &name, &text))
    ls_json_text (object, name, text);
}

LsKernelFiles *
ls_told_get_kernels (const json_t *from, GError **error)
{
  json_t *object = ls_json_get_object (from, "texts", error);
  LsKernelFiles *edited = object != NULL ? ls_kernel_files_new () : NULL;
  const char *key;
  const json_t *value;

  json_object_foreach (object, key, value)
    if (json_is_string (value))
      g_hash_table_insert (edited->texts, g_strdup (key), g_strdup (json_string_value (value)));
  if (edited != NULL)
    ls_kernel_files_name (edited);
  return edited;
}

void
ls_told_put_device (json_t *into, const char *name, guint chosen, guint ticks)
{
  ls_json_text (into, "device", name);
  ls_json_whole (into, "chosen", chosen);
  ls_json_whole (into, "ticks", ticks);
}

LsClDiscovery *
ls_told_get_device (const json_t *from, GError **error)
{
  g_autoptr (LsClDevices) list = ls_cl_devices_new ();
  const char *name = ls_json_get_string (from, "device", error);
  LsClDiscovery *discovery;
  gint64 chosen, ticks;

  if (name == NULL || !ls_json_get_int (from, "chosen", 0, G_MAXINT, &chosen, error)
      || !ls_json_get_int (from, "ticks", 0, LS_CL_TICK_SOURCES, &ticks, error))
    return NULL;
  if (chosen >= list->devices->len
      || strcmp (((const LsClDevice *) list->devices->pdata[chosen])->info->name, name) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_NO_DEVICE, _("%s isn’t there in a process of its own"), name);
      return NULL;
    }
  discovery = g_new0 (LsClDiscovery, 1);
  discovery->devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
  for (guint i = 0; i < list->devices->len; i++)
    g_ptr_array_add (discovery->devices,
                     ls_device_info_copy (((const LsClDevice *) list->devices->pdata[i])->info));
  discovery->chosen = (guint) chosen;
  discovery->ticks = (guint) ticks;
  return discovery;
}
