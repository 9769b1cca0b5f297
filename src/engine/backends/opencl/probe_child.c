/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The child that tries a driver: see probe.h. It answers with one JSON object on its standard output, which
 * it moves away first so that a driver that prints there can't garble it; whatever it can't survive, its
 * parent reports.
 *
 *   --opencl-probe try WISH            {"platforms": 1, "devices": […], "chosen": 0}  or  {…, "code": 4,
 * "message": "…"}; in a second line {"works": true}, if the likeliest tick source does
 *   --opencl-probe ticks SOURCE INDEX  {"works": true}
 *   --opencl-probe tune JOB            lines: see tune_child.c
 *   --opencl-probe kernels FILE        {"opened": 1, "works": 0, "code": 5, "message": "…"}, after lines of
 * progress: trial.h
 */
#include "config.h"
#include "backends/opencl/child/probe.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backends/opencl/child/canary.h"
#include "backends/opencl/device/cl_error.h"
#include "backends/opencl/device/devices.h"
#include "backends/opencl/device/environment.h"
#include "backends/opencl/run/trial.h"
#include "backends/opencl/tune/tune.h"
#include "core/error.h"

static void
add_string (JsonBuilder *b, const char *name, const char *value)
{
  g_autofree char *valid = value ? g_utf8_make_valid (value, -1) : NULL;
  json_builder_set_member_name (b, name);
  if (valid)
    json_builder_add_string_value (b, valid);
  else
    json_builder_add_null_value (b);
}

static void
add_int (JsonBuilder *b, const char *name, gint64 value)
{
  json_builder_set_member_name (b, name);
  json_builder_add_int_value (b, value);
}

static void
add_device (JsonBuilder *b, const LsDeviceInfo *info)
{
  GHashTableIter iter;
  gpointer key, value;

  json_builder_begin_object (b);
  add_string (b, "name", info->name);
  add_string (b, "kind", info->kind);
  add_string (b, "driver", info->driver);
  add_string (b, "version", info->version);
  add_int (b, "threads", info->threads);
  add_int (b, "units", info->units);
  add_int (b, "shares_cpu", info->shares_cpu);
  add_int (b, "global_mem", info->global_mem);
  add_int (b, "local_mem", info->local_mem);
  add_int (b, "max_alloc", info->max_alloc);
  add_int (b, "max_group", info->max_group);
  json_builder_set_member_name (b, "facts");
  json_builder_begin_object (b);
  g_hash_table_iter_init (&iter, info->facts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    add_string (b, key, value);
  json_builder_end_object (b);
  json_builder_end_object (b);
}

static void
add_error (JsonBuilder *b, const GError *error)
{
  add_int (b, "code", error->code);
  add_string (b, "message", error->message);
}

/* What there is to say when there is no device to choose from. */
static void
add_emptiness (JsonBuilder *b, const LsClDevices *list)
{
  g_autofree char *message = NULL;

  if (list->code != CL_SUCCESS)
    {
      g_autoptr (GError) error = NULL;
      ls_cl_fail (&error, list->code, "clGetPlatformIDs", _("the list of drivers"));
      add_error (b, error);
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
  add_int (b, "code", LS_ERROR_NO_DEVICE);
  add_string (b, "message", message);
}

static gboolean
write_all (int fd, const char *text)
{
  for (gsize left = strlen (text); left > 0;)
    {
      gssize n = write (fd, text, left);
      if (n <= 0)
        return FALSE;
      text += n;
      left -= (gsize) n;
    }
  return TRUE;
}

/* Ends the object, writes it as a line, and begins another one. */
static gboolean
write_line (JsonBuilder *b, int fd)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL, *line = NULL;

  json_builder_end_object (b);
  root = json_builder_get_root (b);
  text = json_to_string (root, FALSE);
  line = g_strconcat (text, "\n", NULL);
  json_builder_reset (b);
  json_builder_begin_object (b);
  return write_all (fd, line);
}

/* The parent has its answer before the ticks are tried: whatever becomes of those, the device works. */
static void
answer_try (JsonBuilder *b, const char *wish, int fd)
{
  g_autoptr (LsClDevices) list = ls_cl_devices_new ();
  g_autoptr (GError) error = NULL;
  guint sources[LS_CL_PROBE_SOURCES];
  const LsClDevice *device = NULL;

  add_int (b, "platforms", list->n_platforms);
  json_builder_set_member_name (b, "devices");
  json_builder_begin_array (b);
  for (guint i = 0; i < list->devices->len; i++)
    add_device (b, ((const LsClDevice *) list->devices->pdata[i])->info);
  json_builder_end_array (b);
  if (list->devices->len == 0)
    add_emptiness (b, list);
  else if ((device = ls_cl_devices_choose (list, wish, &error)) == NULL || !ls_cl_canary_sum (device, &error))
    add_error (b, error);
  for (guint i = 0; device && i < list->devices->len; i++)
    if (list->devices->pdata[i] == device)
      add_int (b, "chosen", i);
  if (error != NULL || device == NULL || ls_cl_probe_sources (device->info, sources) == 0
      || !write_line (b, fd))
    return;
  add_int (b, "works", ls_cl_canary_ticks (device, sources[0], NULL));
}

static void
answer_ticks (JsonBuilder *b, const char *source, const char *index)
{
  g_autoptr (LsClDevices) list = ls_cl_devices_new ();
  g_autoptr (GError) error = NULL;
  guint64 ticks = 0;
  gboolean works;
  const LsClDevice *device = ls_cl_devices_choose (list, index, &error);

  works = device && g_ascii_string_to_unsigned (source, 10, 1, 4, &ticks, NULL)
          && ls_cl_canary_ticks (device, (guint) ticks, &error);
  add_int (b, "works", works);
  if (!works)
    add_string (b, "message", error ? error->message : source);
}

static void
answer_trial (JsonBuilder *b, const char *path, int fd)
{
  LsTrialAnswer answer = { 0 };

  ls_cl_trial_answer (path, fd, &answer);
  add_int (b, "opened", answer.opened);
  add_int (b, "works", answer.works);
  if (answer.message == NULL)
    return;
  add_int (b, "code", answer.code);
  add_string (b, "message", answer.message);
}

/* Keeps standard output for the answer and lets drivers write theirs to standard error. */
static int
take_stdout (void)
{
  int fd = dup (STDOUT_FILENO);
  dup2 (STDERR_FILENO, STDOUT_FILENO);
  return fd;
}

int
ls_cl_probe_main (int argc, char **argv)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();
  const struct rlimit no_core = { 0, 0 };
  int fd = take_stdout ();

  prctl (PR_SET_PDEATHSIG, SIGKILL); /* nobody would read the answer */
  setrlimit (RLIMIT_CORE, &no_core); /* a crash in here is an answer, not an accident */
  ls_cl_environment_setup ();
  if (argc == 4 && strcmp (argv[2], "tune") == 0)
    _exit (ls_tune_child (fd, argv[3]));
  json_builder_begin_object (b);
  if (argc == 4 && strcmp (argv[2], "try") == 0)
    answer_try (b, argv[3], fd);
  else if (argc == 5 && strcmp (argv[2], "ticks") == 0)
    answer_ticks (b, argv[3], argv[4]);
  else if (argc == 4 && strcmp (argv[2], LS_TRIAL_COMMAND) == 0)
    answer_trial (b, argv[3], fd);
  else
    return 2;
  if (!write_line (b, fd) || close (fd) != 0)
    return 1;
  /* Not exit(): a driver's own cleaning up may crash, and its answer is in. */
  _exit (0);
}
