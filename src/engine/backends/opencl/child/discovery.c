/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parent's side of the discovery: what is known of the drivers, for as long as the process lives, and who
 * tries one while the others wait. See discovery.h.
 */
#include "config.h"
#include "backends/opencl/child/discovery.h"

#include <glib/gi18n-lib.h>
#include <pthread.h>

#include "child/child.h"
#include "backends/opencl/device/environment.h"
#include "backends/opencl/child/discovery_try.h"
#include "core/error.h"

void
ls_cl_discovery_free (LsClDiscovery *discovery)
{
  if (discovery == NULL)
    return;
  if (discovery->devices)
    g_ptr_array_unref (discovery->devices);
  g_free (discovery->note);
  g_free (discovery);
}

static LsClDiscovery *
copy_of (const LsClDiscovery *discovery)
{
  LsClDiscovery *copy = g_memdup2 (discovery, sizeof *discovery);
  copy->devices = g_ptr_array_copy (discovery->devices, (GCopyFunc) (void (*) (void)) ls_device_info_copy,
                                    NULL);
  g_ptr_array_set_free_func (copy->devices, (GDestroyNotify) ls_device_info_free);
  copy->note = g_strdup (discovery->note);
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

/* What worked, for as long as the process lives: wish → LsClDiscovery. A lane that is opened again need not
 * wait, and two that are opened at once try the driver once. What failed is told to whoever asks first, and
 * tried again for the next. Locked by pthreads, which ThreadSanitizer sees. */
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t idle;
  gboolean busy; /* somebody is trying the driver */
  GHashTable *known;
  char *failed_wish;
  GError *failed;
  GPtrArray *failed_devices; /* as far as the child came */
} memory = { .mutex = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER };

static void
forget_failed (void)
{
  g_clear_pointer (&memory.failed_wish, g_free);
  g_clear_error (&memory.failed);
  g_clear_pointer (&memory.failed_devices, g_ptr_array_unref);
}

void
ls_cl_discover_forget (void)
{
  pthread_mutex_lock (&memory.mutex);
  if (!memory.busy)
    {
      g_clear_pointer (&memory.known, g_hash_table_unref);
      forget_failed ();
    }
  pthread_mutex_unlock (&memory.mutex);
}

/* Once `busy` is set, without the mutex. */
static void
try_driver (const char *wish)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
  GError *cause = NULL;
  LsClDiscovery *discovery;

  ls_cl_environment_setup ();
  discovery = ls_cl_discover_try (wish, devices, &cause);
  pthread_mutex_lock (&memory.mutex);
  if (memory.known == NULL)
    memory.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) ls_cl_discovery_free);
  forget_failed ();
  if (discovery)
    g_hash_table_insert (memory.known, g_strdup (wish), discovery);
  else
    {
      memory.failed_wish = g_strdup (wish);
      memory.failed_devices = g_steal_pointer (&devices);
      propagate_with_note (&memory.failed, cause);
    }
  memory.busy = FALSE;
  pthread_cond_broadcast (&memory.idle);
  pthread_mutex_unlock (&memory.mutex);
}

/* With the mutex. */
static const LsClDiscovery *
find_known (const char *wish)
{
  return memory.known != NULL ? g_hash_table_lookup (memory.known, wish) : NULL;
}

/* *devices, on an error: as far as the child came. (transfer full), both */
static LsClDiscovery *
cached (const char *wish, GPtrArray **devices, GError **error)
{
  const LsClDiscovery *known;
  LsClDiscovery *discovery;

  /* A program that doesn't know the child's command starts from the beginning, and would have children
   * without end. */
  if (g_getenv (LS_CHILD_MARK))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                   _("OpenCL is being tried already; the program was run as “%s” and doesn't know it"),
                   LS_CL_CHILD_COMMAND);
      return NULL;
    }
  pthread_mutex_lock (&memory.mutex);
  while ((known = find_known (wish)) == NULL && (memory.busy || g_strcmp0 (memory.failed_wish, wish) != 0))
    if (memory.busy)
      pthread_cond_wait (&memory.idle, &memory.mutex);
    else
      {
        memory.busy = TRUE;
        pthread_mutex_unlock (&memory.mutex);
        try_driver (wish);
        pthread_mutex_lock (&memory.mutex);
      }
  discovery = known != NULL ? copy_of (known) : NULL;
  if (discovery == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&memory.failed));
      if (devices != NULL)
        *devices = g_steal_pointer (&memory.failed_devices);
      forget_failed ();
    }
  pthread_mutex_unlock (&memory.mutex);
  return discovery;
}

static gpointer
ahead_thread (gpointer data)
{
  g_autofree char *wish = data;

  try_driver (wish);
  return NULL;
}

void
ls_cl_discover_ahead (const char *wish)
{
  g_autoptr (GThread) thread = NULL;

  wish = wish ? wish : "";
  if (g_getenv (LS_CHILD_MARK))
    return;
  pthread_mutex_lock (&memory.mutex);
  if (!memory.busy && find_known (wish) == NULL)
    {
      char *copy = g_strdup (wish);
      /* without a thread, whoever needs the device first tries it */
      thread = g_thread_try_new ("opencl-discovery", ahead_thread, copy, NULL);
      memory.busy = thread != NULL;
      if (thread == NULL)
        g_free (copy);
    }
  pthread_mutex_unlock (&memory.mutex);
}

LsClDiscovery *
ls_cl_discover (const char *wish, GError **error)
{
  return cached (wish ? wish : "", NULL, error);
}

GPtrArray *
ls_cl_discover_list (char **verdict)
{
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClDiscovery) discovery = cached ("", &devices, &error);

  *verdict = discovery ? g_strdup (discovery->note) : g_strdup (error->message);
  if (discovery != NULL)
    return g_ptr_array_ref (discovery->devices);
  return devices != NULL ? g_steal_pointer (&devices)
                         : g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
}
