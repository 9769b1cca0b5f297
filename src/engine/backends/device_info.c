/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backends/backend.h"

const char *const ls_device_kind_names[] = { "CPU", "GPU", "accelerator", "OpenCL on the CPU", NULL };
const char *const ls_tells_names[] = { "nothing", "order", "threads", "unit numbers", NULL };

LsDeviceInfo *
ls_device_info_new (const char *backend)
{
  LsDeviceInfo *info = g_new0 (LsDeviceInfo, 1);
  info->backend = g_strdup (backend);
  info->who = ls_backend_kind (backend);
  info->threads = info->units = -1;
  info->global_mem = info->local_mem = info->max_alloc = info->max_group = -1;
  info->facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return info;
}

LsDeviceInfo *
ls_device_info_copy (const LsDeviceInfo *info)
{
  LsDeviceInfo *copy = g_memdup2 (info, sizeof *info);
  GHashTableIter iter;
  gpointer key, value;

  copy->backend = g_strdup (info->backend);
  copy->name = g_strdup (info->name);
  copy->driver = g_strdup (info->driver);
  copy->version = g_strdup (info->version);
  copy->facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_iter_init (&iter, info->facts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy->facts, g_strdup (key), g_strdup (value));
  return copy;
}

void
ls_device_info_free (LsDeviceInfo *info)
{
  if (info == NULL)
    return;
  g_free (info->backend);
  g_free (info->name);
  g_free (info->driver);
  g_free (info->version);
  g_hash_table_unref (info->facts);
  g_free (info);
}
