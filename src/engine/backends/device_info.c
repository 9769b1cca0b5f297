/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "backends/backend.h"

#include <glib/gi18n-lib.h>

const char *const ls_device_kind_names[] = { "CPU", "GPU", "accelerator", "OpenCL on the CPU", NULL };
const char *const ls_tells_names[] = { "nothing", "order", "threads", "unit numbers", NULL };
const char *const ls_device_number_names[LS_DEVICE_N] = {
  "cache-l1d",
  "cache-l2",
  "cache-l3",
  "cgroup-quota",
  "loop-floats",
  "processors-usable",
  "stamp-ns",
  "stamps-per-step",
  "threads-wanted",
  "processor-cores",
  "counted-misses",
  "allocated-weights",
  "allocated-gradients",
  "allocated-state",
  "allocated-activations",
  "allocated-workspace",
  "allocated-data",
};

LsDeviceInfo *
ls_device_info_new (const char *backend)
{
  LsDeviceInfo *info = g_new0 (LsDeviceInfo, 1);
  info->backend = g_strdup (backend);
  info->who = ls_backend_kind (backend);
  info->threads = info->units = -1;
  info->global_mem = info->local_mem = info->max_alloc = info->max_group = -1;
  for (guint i = 0; i < LS_DEVICE_N; i++)
    info->numbers[i] = -1;
  info->facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return info;
}

static GHashTable *
copy_texts (GHashTable *texts)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy, g_strdup (key), g_strdup (value));
  return copy;
}

LsDeviceInfo *
ls_device_info_copy (const LsDeviceInfo *info)
{
  LsDeviceInfo *copy = g_memdup2 (info, sizeof *info);

  copy->backend = g_strdup (info->backend);
  copy->name = g_strdup (info->name);
  copy->driver = g_strdup (info->driver);
  copy->core = g_strdup (info->core);
  copy->version = g_strdup (info->version);
  copy->facts = copy_texts (info->facts);
  return copy;
}

/* Bytes, a time, a count, or one of LsMissesOf. */
static char *
number_words (LsDeviceNumber which, double value)
{
  static const char *const misses[] = { "none: this machine has no such counter",
                                        "none: the system forbids it", "from beyond the second cache",
                                        "from memory" };

  if (which <= LS_DEVICE_L3 || which >= LS_DEVICE_ALLOCATED)
    return g_format_size_full ((guint64) value, G_FORMAT_SIZE_IEC_UNITS);
  if (which == LS_DEVICE_MISSES && value < G_N_ELEMENTS (misses))
    return g_strdup (misses[(guint) value]);
  return g_strdup_printf ("%.*f", which == LS_DEVICE_STAMP, value);
}

GHashTable *
ls_device_info_words (const LsDeviceInfo *info)
{
  GHashTable *words = copy_texts (info->facts);

  for (guint i = 0; i < LS_DEVICE_N; i++)
    if (info->numbers[i] >= 0)
      g_hash_table_insert (words, g_strdup (ls_device_number_names[i]), number_words (i, info->numbers[i]));
  return words;
}

void
ls_device_info_free (LsDeviceInfo *info)
{
  if (info == NULL)
    return;
  g_free (info->backend);
  g_free (info->name);
  g_free (info->driver);
  g_free (info->core);
  g_free (info->version);
  g_hash_table_unref (info->facts);
  g_free (info);
}

char *
ls_device_text (const LsDeviceInfo *device)
{
  GString *text = g_string_new (device->name != NULL ? device->name : _("unknown device"));

  if (device->kind == LS_DEVICE_OPENCL_CPU)
    g_string_append (text, _(", the CPU as an OpenCL device"));
  else if (device->kind != LS_DEVICE_UNKNOWN)
    g_string_append_printf (text, ", %s", ls_device_kind_name (device->kind));
  if (device->threads > 0)
    g_string_append_printf (text, ngettext (", %d worker", ", %d workers", (gulong) device->threads),
                            device->threads);
  else if (device->units > 0)
    g_string_append_printf (
      text, ngettext (", %d compute unit", ", %d compute units", (gulong) device->units), device->units);
  /* a lane without OpenBLAS: its own loops are all it has */
  if (device->driver != NULL
      && g_strcmp0 (device->driver, g_hash_table_lookup (device->facts, "large-products")) == 0)
    g_string_append_printf (text, ", %s", _(device->driver));
  else if (device->driver != NULL)
    g_string_append_printf (text, device->who == LS_BACKEND_CPU ? _(", own loops and %s") : ", %s",
                            device->driver);
  return g_string_free (text, FALSE);
}
