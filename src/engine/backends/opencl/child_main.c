/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The child that tries a driver: see discovery.h. It answers in lines, each one JSON object, on its standard
 * output, which it moves away first so that a driver that prints there can't garble it; whatever it can't
 * survive, its parent reports.
 */
/* clang-format off
 *   --opencl-child try WISH            {"platforms": 1, "devices": […], "chosen": 0}, or {…, "code": 4, "message": "…"};
 *                                      then {"works": 1}, if the likeliest tick source does
 *   --opencl-child ticks SOURCE INDEX  {"works": 1}
 *   --opencl-child kernels FILE        progress, then {"opened": 1, "works": 0, "code": 5, "message": "…"}: trial.h
 *   --opencl-child tune JOB            see tune.h
 *   --opencl-child serve               what standard input asks for, until it ends: process.h
 * clang-format on */
#include "config.h"
#include "backends/opencl/child/discovery.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backends/opencl/child/canary.h"
#include "child/say.h"
#include "backends/opencl/device/cl_error.h"
#include "backends/opencl/device/devices.h"
#include "backends/opencl/device/environment.h"
#include "backends/opencl/process/process.h"
#include "backends/opencl/run/trial.h"
#include "backends/opencl/tune/tune.h"
#include "core/error.h"

static void
add_device (json_t *device, const LsDeviceInfo *info)
{
  GHashTableIter iter;
  gpointer key, value;
  json_t *facts;

  ls_json_text (device, "name", info->name);
  ls_json_whole (device, "kind", info->kind);
  ls_json_text (device, "driver", info->driver);
  ls_json_text (device, "version", info->version);
  ls_json_whole (device, "threads", info->threads);
  ls_json_whole (device, "units", info->units);
  ls_json_whole (device, "shares_cpu", info->shares_cpu);
  ls_json_whole (device, "global_mem", info->global_mem);
  ls_json_whole (device, "local_mem", info->local_mem);
  ls_json_whole (device, "max_alloc", info->max_alloc);
  ls_json_whole (device, "max_group", info->max_group);
  facts = ls_json_object (device, "facts");
  g_hash_table_iter_init (&iter, info->facts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    ls_json_text (facts, key, value);
}

static void
add_error (json_t *answer, const GError *error)
{
  ls_json_whole (answer, "code", error->code);
  ls_json_text (answer, "message", error->message);
}

/* What there is to say when there is no device to choose from. */
static void
add_emptiness (json_t *answer, const LsClDevices *list)
{
  g_autofree char *message = NULL;

  if (list->code != CL_SUCCESS)
    {
      g_autoptr (GError) error = NULL;
      ls_cl_fail (&error, list->code, "clGetPlatformIDs", _("the list of drivers"));
      add_error (answer, error);
      return;
    }
  if (list->n_platforms == 0)
    message = g_strdup (_("no OpenCL driver is installed"));
  else if (list->empty_pocl)
    message = g_strdup_printf (
      _("the OpenCL platform %s has no device; PoCL says so when it can't write its cache folder, %s"),
      list->empty, g_getenv ("POCL_CACHE_DIR") ? g_getenv ("POCL_CACHE_DIR") : "~/.cache/pocl");
  else
    message = g_strdup_printf (_("the OpenCL platform %s has no device"), list->empty);
  ls_json_whole (answer, "code", LS_ERROR_NO_DEVICE);
  ls_json_text (answer, "message", message);
}

/* The parent has its answer before the ticks are tried: whatever becomes of those, the device works. */
static gboolean
answer_try (int fd, const char *wish)
{
  g_autoptr (LsClDevices) list = ls_cl_devices_new ();
  g_autoptr (GError) error = NULL;
  guint sources[LS_CL_TICK_SOURCES];
  const LsClDevice *device = NULL;
  json_t *answer = json_object (), *devices = ls_json_array (answer, "devices");

  ls_json_whole (answer, "platforms", list->n_platforms);
  for (guint i = 0; i < list->devices->len; i++)
    add_device (ls_json_object (devices, NULL), ((const LsClDevice *) list->devices->pdata[i])->info);
  if (list->devices->len == 0)
    add_emptiness (answer, list);
  else if ((device = ls_cl_devices_choose (list, wish, &error)) == NULL || !ls_cl_canary_sum (device, &error))
    add_error (answer, error);
  for (guint i = 0; device && i < list->devices->len; i++)
    if (list->devices->pdata[i] == device)
      ls_json_whole (answer, "chosen", i);
  if (!ls_say (fd, answer))
    return FALSE;
  if (error != NULL || device == NULL || ls_cl_tick_sources (device->info, sources) == 0)
    return TRUE;
  answer = json_object ();
  ls_json_whole (answer, "works", ls_cl_canary_ticks (device, sources[0], NULL));
  return ls_say (fd, answer);
}

static gboolean
answer_ticks (int fd, const char *source, const char *index)
{
  g_autoptr (LsClDevices) list = ls_cl_devices_new ();
  g_autoptr (GError) error = NULL;
  guint64 ticks = 0;
  gboolean works;
  const LsClDevice *device = ls_cl_devices_choose (list, index, &error);
  json_t *answer = json_object ();

  works = device && g_ascii_string_to_unsigned (source, 10, 1, 4, &ticks, NULL)
          && ls_cl_canary_ticks (device, (guint) ticks, &error);
  ls_json_whole (answer, "works", works);
  if (!works)
    ls_json_text (answer, "message", error ? error->message : source);
  return ls_say (fd, answer);
}

int
ls_cl_child_main (int argc, char **argv)
{
  const struct rlimit no_core = { 0, 0 };
  const int fd = ls_say_alone ();
  gboolean said;

  ls_say_settle ();
  setrlimit (RLIMIT_CORE, &no_core); /* a crash in here is an answer, not an accident */
  ls_cl_environment_setup ();
  if (argc == 4 && strcmp (argv[2], "try") == 0)
    said = answer_try (fd, argv[3]);
  else if (argc == 5 && strcmp (argv[2], "ticks") == 0)
    said = answer_ticks (fd, argv[3], argv[4]);
  else if (argc == 4 && strcmp (argv[2], "kernels") == 0)
    said = ls_cl_trial_answer (fd, argv[3]);
  else if (argc == 4 && strcmp (argv[2], "tune") == 0)
    said = ls_tune_child (fd, argv[3]);
  else if (argc == 3 && strcmp (argv[2], "serve") == 0)
    said = ls_cl_serve (fd);
  else
    return 2;
  if (!said || close (fd) != 0)
    return 1;
  /* Not exit(): a driver's own cleaning up may crash, and its answer is in. */
  _exit (0);
}
