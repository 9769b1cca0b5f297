/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parent's side of the probe: what is known of the drivers, for as long as the process lives, and who
 * tries one while the others wait. See probe.h.
 */
#include "config.h"
#include "backends/opencl/child/probe.h"

#include <glib/gi18n-lib.h>

#include "backends/opencl/child/child.h"
#include "backends/opencl/device/environment.h"
#include "backends/opencl/child/probe_try.h"
#include "core/error.h"

void
ls_cl_probe_free (LsClProbe *probe)
{
  if (probe == NULL)
    return;
  if (probe->devices)
    g_ptr_array_unref (probe->devices);
  g_free (probe->note);
  g_free (probe);
}

static LsClProbe *
probe_copy (const LsClProbe *probe)
{
  LsClProbe *copy = g_memdup2 (probe, sizeof *probe);
  copy->devices = g_ptr_array_copy (probe->devices, (GCopyFunc) (void (*) (void)) ls_device_info_copy, NULL);
  g_ptr_array_set_free_func (copy->devices, (GDestroyNotify) ls_device_info_free);
  copy->note = g_strdup (probe->note);
  return copy;
}

/* A disk without room is the cause of many a failure, and no driver says so. */
static void
propagate_with_note (GError **error, GError *cause)
{
  g_autofree char *note = cause->code == LS_ERROR_NO_DEVICE ? NULL : ls_cl_environment_note ();

  if (note)
    g_set_error (error, LS_ERROR, cause->code, "%s; %s", cause->message, note);
  else
    g_propagate_error (error, g_steal_pointer (&cause));
  g_clear_error (&cause);
}

/* What worked, for as long as the process lives: wish → LsClProbe. A lane that is opened again need not wait,
 * and two that are opened at once try the driver once. What failed is told to whoever asks first, and tried
 * again for the next. */
static struct {
  GMutex mutex;
  GCond idle;
  gboolean busy; /* somebody is trying the driver */
  GHashTable *known;
  char *failed_wish;
  GError *failed;
  GPtrArray *failed_devices; /* as far as the child came */
} memory;

static void
forget_failed (void)
{
  g_clear_pointer (&memory.failed_wish, g_free);
  g_clear_error (&memory.failed);
  g_clear_pointer (&memory.failed_devices, g_ptr_array_unref);
}

void
ls_cl_probe_forget (void)
{
  g_mutex_lock (&memory.mutex);
  if (!memory.busy)
    {
      g_clear_pointer (&memory.known, g_hash_table_unref);
      forget_failed ();
    }
  g_mutex_unlock (&memory.mutex);
}

/* Once `busy` is set, without the mutex. */
static void
try_driver (const char *wish)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
  GError *cause = NULL;
  LsClProbe *probe;

  ls_cl_environment_setup ();
  probe = ls_cl_probe_try (wish, devices, &cause);
  g_mutex_lock (&memory.mutex);
  if (memory.known == NULL)
    memory.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_cl_probe_free);
  forget_failed ();
  if (probe)
    g_hash_table_insert (memory.known, g_strdup (wish), probe);
  else
    {
      memory.failed_wish = g_strdup (wish);
      memory.failed_devices = g_steal_pointer (&devices);
      propagate_with_note (&memory.failed, cause);
    }
  memory.busy = FALSE;
  g_cond_broadcast (&memory.idle);
  g_mutex_unlock (&memory.mutex);
}

/* With the mutex. */
static const LsClProbe *
find_known (const char *wish)
{
  return memory.known != NULL ? g_hash_table_lookup (memory.known, wish) : NULL;
}

/* *devices, on an error: as far as the child came. (transfer full), both */
static LsClProbe *
probe_cached (const char *wish, GPtrArray **devices, GError **error)
{
  const LsClProbe *known;
  LsClProbe *probe;

  /* A program that doesn't know the child's command starts from the beginning, and would have children
   * without end. */
  if (g_getenv (LS_CHILD_MARK))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                   _("OpenCL is being tried already; the program was run as “%s” and doesn't know it"),
                   LS_CL_PROBE_COMMAND);
      return NULL;
    }
  g_mutex_lock (&memory.mutex);
  while ((known = find_known (wish)) == NULL && (memory.busy || g_strcmp0 (memory.failed_wish, wish) != 0))
    if (memory.busy)
      g_cond_wait (&memory.idle, &memory.mutex);
    else
      {
        memory.busy = TRUE;
        g_mutex_unlock (&memory.mutex);
        try_driver (wish);
        g_mutex_lock (&memory.mutex);
      }
  probe = known != NULL ? probe_copy (known) : NULL;
  if (probe == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&memory.failed));
      if (devices != NULL)
        *devices = g_steal_pointer (&memory.failed_devices);
      forget_failed ();
    }
  g_mutex_unlock (&memory.mutex);
  return probe;
}

static gpointer
ahead_thread (gpointer data)
{
  g_autofree char *wish = data;

  try_driver (wish);
  return NULL;
}

void
ls_cl_probe_ahead (const char *wish)
{
  g_autoptr (GThread) thread = NULL;

  wish = wish ? wish : "";
  if (g_getenv (LS_CHILD_MARK))
    return;
  g_mutex_lock (&memory.mutex);
  if (!memory.busy && find_known (wish) == NULL)
    {
      char *copy = g_strdup (wish);
      /* without a thread, whoever needs the device first tries it */
      thread = g_thread_try_new ("opencl-probe", ahead_thread, copy, NULL);
      memory.busy = thread != NULL;
      if (thread == NULL)
        g_free (copy);
    }
  g_mutex_unlock (&memory.mutex);
}

LsClProbe *
ls_cl_probe (const char *wish, GError **error)
{
  return probe_cached (wish ? wish : "", NULL, error);
}

GPtrArray *
ls_cl_probe_list (char **verdict)
{
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClProbe) probe = probe_cached ("", &devices, &error);

  *verdict = probe ? g_strdup (probe->note) : g_strdup (error->message);
  if (probe != NULL)
    return g_ptr_array_ref (probe->devices);
  return devices != NULL ? g_steal_pointer (&devices)
                         : g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
}
