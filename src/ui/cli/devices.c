/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep devices`: the processor as the CPU lane sees it, and every OpenCL device as its driver describes
 * it. Drivers are asked in a child process, so one that crashes costs a sentence.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "backends/opencl/child/discovery.h"
#include "backends/opencl/kernels/tuned.h"
#include "core/error.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

static const LsCommandOption own[] = {
  { "json", N_("FILE"), N_("Write the list as JSON"), TRUE },
  { NULL },
};

static void
print_fact (LsTable *table, const char *name, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  ls_table_add (table, "   %s", name);
  ls_table_add (table, "%s", text);
}

static void
print_bytes (LsTable *table, const char *name, gint64 bytes)
{
  g_autofree char *text = bytes >= 0 ? g_format_size_full ((guint64) bytes, G_FORMAT_SIZE_IEC_UNITS) : NULL;
  print_fact (table, name, text);
}

static void
print_count (LsTable *table, const char *name, gint64 count)
{
  g_autofree char *text = count >= 0 ? g_strdup_printf ("%lld", (long long) count) : NULL;
  print_fact (table, name, text);
}

/* How much of what the tuner keeps is for this device and driver, as far as its listing tells. */
static void
print_tuned (LsTable *table, const LsDeviceInfo *device)
{
  g_autofree char *path = ls_tuned_path ();
  g_autoptr (LsTuned) tuned = ls_tuned_load (path, NULL);
  g_autofree char *name = g_strdup_printf ("%s, %s", device->name, device->version);
  const char *newest = "";
  guint n = 0;

  for (guint i = 0; tuned != NULL && i < tuned->entries->len; i++)
    {
      const LsTunedEntry *e = tuned->entries->pdata[i];
      if (g_strcmp0 (e->device, name) != 0 || g_strcmp0 (e->driver, device->driver) != 0)
        continue;
      newest = strcmp (e->date, newest) > 0 ? e->date : newest;
      n++;
    }
  if (n > 0)
    {
      g_autofree char *text = g_strdup_printf (
        ngettext ("%u op and shape, last on %s", "%u ops and shapes, last on %s", n), n, newest);
      print_fact (table, _("tuned"), text);
    }
}

static void
print_device (const LsDeviceInfo *device)
{
  g_autoptr (LsTable) table = ls_table_new ("ll");
  g_autoptr (GHashTable) facts = ls_device_info_words (device);
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (facts), (GCompareFunc) strcmp);

  print_fact (table, _("kind"), ls_device_kind_name (device->kind));
  print_fact (table, _("driver"), device->driver);
  print_fact (table, _("version"), device->version);
  print_count (table, _("workers"), device->threads);
  print_count (table, _("compute units"), device->units);
  print_bytes (table, _("memory"), device->global_mem);
  print_bytes (table, _("local memory"), device->local_mem);
  print_bytes (table, _("largest buffer"), device->max_alloc);
  print_count (table, _("largest work-group"), device->max_group);
  print_fact (table, _("work-groups tell"), ls_tells_name (device->tells));
  print_fact (table, _("cores"),
              device->shares_cpu ? _("those of the CPU lane: the lanes take turns") : NULL);
  for (GList *l = keys; l != NULL; l = l->next)
    print_fact (table, l->data, g_hash_table_lookup (facts, l->data));
  if (device->who == LS_BACKEND_OPENCL)
    print_tuned (table, device);
  ls_table_print (table);
}

static gboolean
save_json (const LsDeviceInfo *cpu, const GPtrArray *opencl, const char *verdict, const char *path,
           GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-devices", 1);
  json_t *list;

  ls_json_machine (json);
  ls_json_device (ls_json_object (json, "cpu"), cpu);
  list = ls_json_array (json, "opencl");
  for (guint i = 0; i < opencl->len; i++)
    ls_json_device (ls_json_object (list, NULL), opencl->pdata[i]);
  ls_json_text (json, "opencl_message", verdict);
  return ls_json_save (json, path, error);
}

static LsExit
devices (const LsArguments *arguments, GError **error)
{
  const char *json = ls_arguments_get (arguments, "json");
  gpointer cpu;
  const LsDeviceInfo *processor;
  g_autoptr (GPtrArray) opencl = NULL;
  g_autofree char *verdict = NULL;
  LsExit status = LS_EXIT_DONE;

  cpu = ls_backend_cpu.open (arguments->options, 0, error);
  if (cpu == NULL)
    return LS_EXIT_FAILED;
  processor = ls_backend_cpu.device (cpu);
  ls_terminal_print (_("CPU lane: %s\n"),
                     processor->name != NULL ? processor->name : _("unknown processor"));
  print_device (processor);

  opencl = ls_cl_discover_list (&verdict);
  for (guint i = 0; i < opencl->len; i++)
    {
      const LsDeviceInfo *device = opencl->pdata[i];
      ls_terminal_print (_("\nOpenCL device %u: %s\n"), i,
                         device->name != NULL ? device->name : _("unknown device"));
      print_device (device);
    }
  if (verdict != NULL)
    {
      g_autofree char *sentence = ls_sentence (verdict);
      ls_terminal_print (_("\nOpenCL: %s\n"), sentence);
    }
  if (json != NULL && !save_json (processor, opencl, verdict, json, error))
    status = LS_EXIT_FAILED;
  ls_backend_cpu.close (cpu);
  return status;
}

const LsCommand ls_command_devices = {
  .name = "devices",
  .title = N_("List the processor and the OpenCL devices"),
  .about = N_("“lockstep train --device N” takes the number or a part of the name."),
  .groups = LS_OPTION_GROUP_CPU,
  .own = own,
  .run = devices,
};
