/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One try of the driver: starts children, reads their answers as input from a stranger, and says in words how
 * they ended. See discovery.h.
 */
#include "config.h"
#include "backends/opencl/child/discovery_try.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "child/child.h"
#include "backends/opencl/device/environment.h"
#include "core/error.h"
#include "core/memory.h"
#include "files/json.h"

#define PATIENCE_MS 60000
/* PoCL 3.1 with LLVM 14, whose processes abort with less: 1040 MB of address space and 410 MB of memory for
 * the cnn. */
#define DRIVER_ADDRESS_SPACE (1200ull * LS_MB)
#define DRIVER_MEMORY        (700ull * LS_MB)

static gboolean
says_works (const json_t *answer)
{
  gint64 works;

  return ls_json_get_int (answer, "works", 0, 1, &works, NULL) && works;
}

/* Runs one child, which has answered with its first line even if it ends badly after that. FALSE: it gave
 * none. *fatal: the driver ended it. child is to be cleared in any case. */
static gboolean
ask_child (const char *const *arguments, LsChild *child, gboolean *fatal, GError **error)
{
  g_autofree char *words = NULL, *fate = NULL;

  *fatal = FALSE;
  if (!ls_child_run (child, arguments, -1, PATIENCE_MS, NULL, NULL, error))
    return FALSE;
  if (child->lines->len > 0 && child->garbled == NULL)
    return TRUE;
  words = ls_child_last_words (child);
  fate = ls_child_fate (child);
  *fatal = ls_child_crashed (child) || fate == NULL;
  if (fate == NULL || child->garbled != NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                 _("the process in which OpenCL was tried gave no answer that can be read (%s)%s"),
                 child->garbled != NULL ? child->garbled : _("it said nothing"), words);
  else
    g_set_error (error, LS_ERROR, child->hung ? LS_ERROR_HUNG : LS_ERROR_DEVICE,
                 _("the OpenCL driver was tried in a process of its own: %s%s"), fate, words);
  return FALSE;
}

static LsDeviceInfo *
read_device (const json_t *object)
{
  g_autoptr (LsDeviceInfo) info = ls_device_info_new ("opencl");
  const char *name = ls_json_get_string (object, "name", NULL),
             *driver = ls_json_get_string (object, "driver", NULL),
             *version = ls_json_get_string (object, "version", NULL);
  json_t *facts = ls_json_get_object (object, "facts", NULL);
  const char *key;
  const json_t *value;
  gint64 kind, threads, units, shares;

  if (!name || !driver || !version || !facts
      || !ls_json_get_int (object, "kind", 0, LS_DEVICE_OPENCL_CPU, &kind, NULL)
      || !ls_json_get_int (object, "threads", -1, G_MAXINT, &threads, NULL)
      || !ls_json_get_int (object, "units", -1, G_MAXINT, &units, NULL)
      || !ls_json_get_int (object, "shares_cpu", 0, 1, &shares, NULL)
      || !ls_json_get_int (object, "global_mem", -1, G_MAXINT64, &info->global_mem, NULL)
      || !ls_json_get_int (object, "local_mem", -1, G_MAXINT64, &info->local_mem, NULL)
      || !ls_json_get_int (object, "max_alloc", -1, G_MAXINT64, &info->max_alloc, NULL)
      || !ls_json_get_int (object, "max_group", -1, G_MAXINT64, &info->max_group, NULL))
    return NULL;
  info->name = g_strdup (name);
  info->kind = (LsDeviceKind) kind;
  info->driver = g_strdup (driver);
  info->version = g_strdup (version);
  info->threads = (gint) threads;
  info->units = (gint) units;
  info->shares_cpu = shares != 0;
  json_object_foreach (facts, key, value)
    if (json_is_string (value))
      g_hash_table_insert (info->facts, g_strdup (key), g_strdup (json_string_value (value)));
  return g_steal_pointer (&info);
}

/* Fills devices and chosen; FALSE with the child's own message, or with one about a malformed answer. */
static gboolean
read_answer (LsClDiscovery *discovery, const json_t *root, GError **error)
{
  const json_t *devices = ls_json_get_array (root, "devices", 0, 1024, NULL);
  const char *message = ls_json_get_string (root, "message", NULL);
  gint64 code, chosen;

  for (guint i = 0; i < json_array_size (devices); i++)
    {
      const json_t *object = ls_json_array_object (devices, i, "devices", NULL);
      LsDeviceInfo *info = object ? read_device (object) : NULL;
      if (info == NULL)
        devices = NULL;
      else
        g_ptr_array_add (discovery->devices, info);
    }
  if (message && ls_json_get_int (root, "code", 0, LS_ERROR_CANCELLED, &code, NULL))
    g_set_error_literal (error, LS_ERROR, (int) code, message);
  else if (devices
           && ls_json_get_int (root, "chosen", 0, (gint64) discovery->devices->len - 1, &chosen, NULL))
    {
      discovery->chosen = (guint) chosen;
      return TRUE;
    }
  else
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                         _("the process in which OpenCL was tried gave a garbled answer"));
  return FALSE;
}

static gboolean
has_ticks (const LsClDiscovery *discovery, guint ticks)
{
  g_autofree char *source = g_strdup_printf ("%u", ticks), *index = g_strdup_printf ("%u", discovery->chosen);
  const char *const arguments[] = { "ticks", source, index, NULL };
  LsChild child;
  gboolean fatal;
  const gboolean works = ask_child (arguments, &child, &fatal, NULL) && says_works (ls_child_last (&child));

  ls_child_clear (&child);
  return works;
}

guint
ls_cl_tick_sources (const LsDeviceInfo *info, guint sources[LS_CL_TICK_SOURCES])
{
  const char *platform = g_hash_table_lookup (info->facts, "platform");
  const char *extensions = g_hash_table_lookup (info->facts, "extensions");
  guint n = 0;

#if defined(__x86_64__) || defined(__i386__)
  if (platform && strcmp (platform, "Portable Computing Language") == 0 && info->shares_cpu)
    sources[n++] = 1;
#endif
  if (platform && g_str_has_prefix (platform, "NVIDIA"))
    sources[n++] = 2;
  if (platform && g_str_has_prefix (platform, "Intel") && info->kind == LS_DEVICE_GPU)
    sources[n++] = 4;
  if (extensions && strstr (extensions, "cl_khr_kernel_clock"))
    sources[n++] = 3;
  return n;
}

/* first: the likeliest works; the child that tried the device has tried it, too. */
static guint
find_ticks (const LsClDiscovery *discovery, gboolean first)
{
  guint sources[LS_CL_TICK_SOURCES];
  const guint n = ls_cl_tick_sources (discovery->devices->pdata[discovery->chosen], sources);

  for (guint i = 0; i < n; i++)
    if (i == 0 ? first : has_ticks (discovery, sources[i]))
      return sources[i];
  return 0;
}

/* What the child said of the device, and in a second line, if it came so far, of its ticks. */
static gboolean
read_discovery (LsClDiscovery *discovery, const LsChild *child, GError **error)
{
  static const LsTells told[] = { LS_TELLS_ORDER, LS_TELLS_THREADS, LS_TELLS_UNITS, LS_TELLS_ORDER,
                                  LS_TELLS_UNITS };

  if (!read_answer (discovery, child->lines->pdata[0], error))
    return FALSE;
  discovery->ticks = find_ticks (discovery, child->lines->len > 1 && says_works (ls_child_last (child)));
  ((LsDeviceInfo *) discovery->devices->pdata[discovery->chosen])->tells = told[discovery->ticks];
  return TRUE;
}

LsClDiscovery *
ls_cl_discover_try (const char *wish, GPtrArray *devices, GError **error)
{
  const char *const arguments[] = { "try", wish, NULL };
  g_autoptr (LsClDiscovery) discovery = g_new0 (LsClDiscovery, 1);
  g_autoptr (GError) first = NULL;
  const char *users_cache = g_getenv ("POCL_CACHE_DIR");
  LsChild child;
  gboolean fatal, answered, ok, wiped;

  discovery->devices = g_ptr_array_ref (devices);
  if (!ls_memory_suffices (_("OpenCL"), DRIVER_ADDRESS_SPACE, DRIVER_MEMORY, error))
    return NULL;
  answered = ask_child (arguments, &child, &fatal, &first);
  discovery->note = ls_cl_environment_note ();
  /* A damaged cache makes PoCL crash. If it is our own, once more with an empty one. */
  wiped = !answered && fatal && ls_cl_environment_wipe ();
  if (wiped)
    {
      ls_child_clear (&child);
      answered = ask_child (arguments, &child, &fatal, NULL);
    }
  ok = answered && read_discovery (discovery, &child, error);
  ls_child_clear (&child);
  if (!answered && fatal && users_cache && !wiped) /* else it was empty, and that didn't help */
    {
      g_autofree char *shown = g_filename_display_name (users_cache);
      g_set_error (error, LS_ERROR, first->code,
                   _("%s; if it is PoCL, emptying its cache folder %s may help"), first->message, shown);
    }
  else if (!answered)
    g_propagate_error (error, g_steal_pointer (&first));
  return ok ? g_steal_pointer (&discovery) : NULL;
}
