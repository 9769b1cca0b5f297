/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that the user edits: the folder is watched, and what it holds once a file was saved goes to the
 * lanes. Looking and reading happen on a thread, since a folder may be far away. A file monitor tells at
 * once; where it can't (network folders, those that a portal hands into a sandbox) a look a second finds out,
 * too. While no folder is watched there is no timer.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>

#include "backends/kernel_files.h"

#define LOOK_S 1

/* ---- looking, on a thread ---- */

typedef struct {
  char *folder;
  guint64 known;
  gboolean write; /* files that aren't there are copied out first */
} Look;

static void
look_free (Look *look)
{
  g_free (look->folder);
  g_free (look);
}

static void
look_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  LsKernelFiles *files = NULL;
  GError *error = NULL;

  if (look->write && !ls_kernel_files_write (look->folder, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  files = ls_kernel_files_read_changed (look->folder, &look->known, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, files, (GDestroyNotify) ls_kernel_files_unref);
}

static void
set_problem (LsSession *self, const char *problem)
{
  g_free (self->kernel_problem);
  self->kernel_problem = g_strdup (problem);
}

/* files: NULL: there are no others than before; (transfer full). */
static void
take_look (LsSession *self, const Look *look, LsKernelFiles *taken, const GError *error)
{
  g_autoptr (LsKernelFiles) files = taken;

  if (self->ended || g_strcmp0 (look->folder, self->kernel_folder) != 0)
    return;
  self->kernel_stamp = look->known;
  if (error != NULL)
    {
      set_problem (self, error->message);
      ls_session_emit_kernels (self, error->message);
      ls_session_rebuild (self);
    }
  if (files == NULL)
    return;
  if (self->kernel_problem != NULL)
    {
      set_problem (self, NULL);
      ls_session_rebuild (self); /* also where nothing else is new, and no lane will tell */
    }
  if (self->kernel_files == NULL && !ls_kernel_files_any (files) && !self->kernels_found)
    return;
  if (self->kernel_files != NULL && ls_kernel_files_equal (files, self->kernel_files))
    return;
  g_clear_pointer (&self->kernel_files, ls_kernel_files_unref);
  self->kernel_files = g_steal_pointer (&files);
  ls_session_give_kernels (self);
}

static void looked_cb (GObject *source, GAsyncResult *result, gpointer data);

static void
look_now (LsSession *self, gboolean write)
{
  g_autoptr (GTask) task = NULL;
  Look *look;

  self->write_next = self->looking && (write || self->write_next);
  if (self->kernel_folder == NULL || self->looking)
    return;
  look = g_new0 (Look, 1);
  *look = (Look){ .folder = g_strdup (self->kernel_folder), .known = self->kernel_stamp, .write = write };
  self->looking = TRUE;
  task = g_task_new (self, NULL, looked_cb, NULL);
  g_task_set_task_data (task, look, (GDestroyNotify) look_free);
  g_task_run_in_thread (task, look_thread);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsSession *self = LS_SESSION (source);
  const Look *look = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  LsKernelFiles *files = g_task_propagate_pointer (G_TASK (result), &error);
  const gboolean write = self->write_next;

  self->looking = FALSE;
  take_look (self, look, files, error);
  if (write)
    look_now (self, TRUE);
}

static gboolean
look_cb (gpointer data)
{
  look_now (data, FALSE);
  return G_SOURCE_CONTINUE;
}

static void
monitored_cb (LsSession *self)
{
  look_now (self, FALSE);
}

/* ---- what is watched ---- */

void
ls_session_give_kernels (LsSession *self)
{
  if (self->coordinator == NULL || self->kernel_files == NULL)
    return;
  ls_coordinator_reload_kernels (self->coordinator, self->kernel_files);
  ls_session_watch (self);
}

void
ls_session_unwatch_kernels (LsSession *self)
{
  g_clear_handle_id (&self->kernel_timer, g_source_remove);
  if (self->kernel_monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->kernel_monitor, self);
  g_clear_object (&self->kernel_monitor);
  g_clear_pointer (&self->kernel_folder, g_free);
}

void
ls_session_edit_kernels (LsSession *self, const char *folder)
{
  g_autofree char *own = g_strdup (folder);
  g_autoptr (GFile) file = NULL;

  if (g_strcmp0 (own, self->kernel_folder) != 0)
    ls_session_unwatch_kernels (self);
  if (own == NULL)
    {
      g_clear_pointer (&self->kernel_files, ls_kernel_files_unref);
      self->kernel_files = ls_kernel_files_new ();
      ls_session_give_kernels (self);
      if (self->kernel_problem != NULL)
        {
          set_problem (self, NULL);
          ls_session_rebuild (self);
        }
      return;
    }
  if (self->kernel_folder == NULL)
    {
      file = g_file_new_for_path (own);
      self->kernel_folder = g_steal_pointer (&own);
      self->kernel_stamp = 0;
      self->kernel_monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
      if (self->kernel_monitor != NULL)
        g_signal_connect_swapped (self->kernel_monitor, "changed", G_CALLBACK (monitored_cb), self);
      self->kernel_timer = g_timeout_add_seconds (LOOK_S, look_cb, self);
    }
  look_now (self, TRUE);
}

void
ls_session_watch_environment (LsSession *self)
{
  const char *folder = g_getenv ("LOCKSTEP_KERNEL_DIR");
  g_autoptr (LsKernelFiles) found = NULL;

  if (folder == NULL || *folder == '\0' || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    return;
  found = ls_kernel_files_of_environment (NULL);
  self->kernels_found = ls_kernel_files_any (found);
  self->kernel_folder = g_strdup (folder);
  self->kernel_stamp = ls_kernel_files_stamp (folder); /* lanes read it when they are opened */
  self->kernel_timer = g_timeout_add_seconds (LOOK_S, look_cb, self);
}

const char *
ls_session_kernel_folder (LsSession *self)
{
  return self->kernel_folder;
}

/* ---- what came of it ---- */

/* The first lane that can't use them. */
static const LsLaneSnapshot *
refusing_lane (const LsSnapshot *snapshot)
{
  for (guint i = 0; snapshot != NULL && i < snapshot->n_lanes; i++)
    if (snapshot->lanes[i].spec->backend->edit != NULL && snapshot->lanes[i].kernels_message != NULL)
      return &snapshot->lanes[i];
  return NULL;
}

static guint64
serial_of (const LsSnapshot *snapshot, guint lane)
{
  return snapshot != NULL ? snapshot->lanes[lane].kernels_serial : 0;
}

/* Whose kernels are told of: of several lanes with edited ones the first, or one that can't use them since;
 * NULL: there is nothing new. */
static const LsLaneSnapshot *
changed_lane (const LsSnapshot *before, const LsSnapshot *now)
{
  const LsLaneSnapshot *changed = NULL;
  gboolean first = TRUE;

  for (guint i = 0; i < now->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &now->lanes[i];
      if (lane->spec->backend->edit == NULL)
        continue;
      if (lane->kernels_serial != serial_of (before, i)
          && (first
              || (lane->kernels_message != NULL && (changed == NULL || changed->kernels_message == NULL))))
        changed = lane;
      first = FALSE;
    }
  return changed;
}

const char *
ls_session_kernel_message (LsSession *self)
{
  const LsLaneSnapshot *lane = refusing_lane (self->snapshot);

  if (self->kernel_problem != NULL)
    return self->kernel_problem;
  return lane != NULL ? lane->kernels_message : NULL;
}

void
ls_session_kernels_changed (LsSession *self, const LsSnapshot *before, const LsSnapshot *now)
{
  const LsLaneSnapshot *is = changed_lane (before, now);
  g_autofree char *sentence = NULL, *line = NULL;

  if (is == NULL)
    return;
  if (is->kernels_message != NULL)
    {
      line = ls_kernel_error_line (is->kernels_message);
      sentence = g_strdup_printf (_("The edited kernels aren’t used, those before stay: %s"), line);
    }
  /* the lane was found to compute something else, and now it isn't any more: its weights were thrown away */
  else if (before != NULL && before->agreement.disagree && !now->agreement.disagree)
    sentence = g_strdup_printf (_("Kernels rebuilt in %.1f s. The lane goes on with the other lane’s "
                                   "weights, and both are held against each other anew."),
                                is->kernels_s);
  else if (self->kernel_files != NULL && ls_kernel_files_any (self->kernel_files))
    sentence = g_strdup_printf (_("Kernels rebuilt in %.1f s: %s."), is->kernels_s,
                                self->kernel_files->names);
  else
    sentence = g_strdup (_("The built-in kernels are in use."));
  ls_session_emit_kernels (self, sentence);
  /* a recorded step shows what they do; one asked for before would show the old ones */
  if (is->kernels_message != NULL || self->file != NULL)
    return;
  self->record_asked_us = 0;
  self->show_next = TRUE;
  ls_session_want_record (self);
}
