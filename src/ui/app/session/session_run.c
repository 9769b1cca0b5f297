/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's runs: made and ended on threads of their own, so that the window never waits for data,
 * drivers or lanes.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "backends/opencl/child/discovery.h"
#include "data/defaults.h"

#define LANE_NICE 10 /* frames come in time while lanes compute */

static void
free_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ls_coordinator_free (data);
  ls_coordinator_thread_ends ();
  g_task_return_boolean (task, TRUE);
}

static void
end_run (LsSession *self)
{
  LsCoordinator *old = g_steal_pointer (&self->coordinator);

  if (old == NULL)
    return;
  ls_coordinator_pause (old);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_task_data (task, old, NULL);
  ls_coordinator_thread_begins ();
  g_task_run_in_thread (task, free_thread);
}

/* What the old run was, in a few words: what its settings had that the new one's have not. */
static char *
run_label (const LsOptions *old, const LsOptions *new)
{
  GString *text = g_string_new (NULL);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *was = ls_options_get (old, &rows[i]), *is = ls_options_get (new, &rows[i]);
      if (g_strcmp0 (was, is) == 0)
        continue;
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", rows[i].name, *was ? was : "–");
    }
  if (text->len == 0)
    g_string_append (text, _("the run before"));
  return g_string_free (text, FALSE);
}

static void
keep_curves (LsSession *self, const LsOptions *options)
{
  g_autofree char *label = NULL;

  if (self->snapshot == NULL || ls_session_lanes_ready (self->snapshot) == 0)
    return;
  label = run_label (self->options, options);
  if (self->runs == NULL)
    self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  else
    {
      /* data that views still hold has the old list */
      GPtrArray *copy = g_ptr_array_copy (self->runs, (GCopyFunc) (void (*) (void)) ls_run_curves_ref, NULL);
      g_ptr_array_set_free_func (copy, (GDestroyNotify) ls_run_curves_unref);
      g_ptr_array_unref (self->runs);
      self->runs = copy;
    }
  g_ptr_array_add (self->runs, ls_run_curves_new (label, self->snapshot));
}

/* What a run is made of. */
typedef struct {
  LsOptions *options;
  LsData *read;    /* what was read before the run, or NULL */
  LsKeptRun *from; /* or NULL */
} Making;

static void
making_free (Making *making)
{
  ls_options_free (making->options);
  g_clear_pointer (&making->read, ls_data_unref);
  g_clear_pointer (&making->from, ls_kept_run_unref);
  g_free (making);
}

static gboolean
begin (LsCoordinator *coordinator, const LsKeptRun *from, GError **error)
{
  return (from == NULL
          || (ls_coordinator_load_weights (coordinator, from->weights, error)
              && ls_coordinator_go_on (coordinator, from->step, from->recording, error)))
         && ls_coordinator_start (coordinator, error);
}

static void
make_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Making *making = data;
  const LsDataRequest request = ls_data_request (making->options);
  GError *error = NULL;
  ls_coordinator_be_nice (LANE_NICE);
  LsCoordinator *coordinator = ls_coordinator_new_with_data (making->options, &request, making->read, &error);

  if (coordinator != NULL && !begin (coordinator, making->from, &error))
    g_clear_pointer (&coordinator, ls_coordinator_free);
  if (coordinator != NULL)
    g_task_return_pointer (task, coordinator, (GDestroyNotify) ls_coordinator_free);
  else
    g_task_return_error (task, error);
}

/* What was changed of it while it was being made. */
static gboolean
is_other (LsSession *self, const LsOptions *made)
{
  gboolean other = self->full_held;
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n && !other; i++)
    {
      g_autofree char *was = ls_options_get (made, &rows[i]), *is = ls_options_get (self->options, &rows[i]);
      other = strcmp (was, is) != 0;
    }
  return other;
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsSession *self = LS_SESSION (source);
  const Making *making = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  LsCoordinator *coordinator = g_task_propagate_pointer (G_TASK (result), &error);

  ls_coordinator_thread_ends ();
  if (G_TASK (result) != self->making || self->ended)
    {
      /* another run was asked for meanwhile */
      LsCoordinator *current = self->coordinator;
      self->coordinator = coordinator;
      end_run (self);
      self->coordinator = current;
      return;
    }
  self->making = NULL;
  if (coordinator == NULL)
    {
      g_free (self->problem);
      self->problem = g_strdup (error->message);
      if (self->file == NULL) /* a recording that was opened meanwhile plays on */
        {
          self->mode = LS_SESSION_FAILED;
          self->playhead.playing = FALSE;
        }
      ls_session_say (self, error->message);
      ls_session_rebuild (self);
      ls_session_emit_state (self);
      return;
    }
  self->coordinator = coordinator;
  const gboolean other = is_other (self, making->options);
  if (!g_strv_contains (ls_data_names (), self->options->data)) /* only now it is known what they are */
    ls_data_suggest (self->options, ls_coordinator_data (coordinator)->n_classes,
                     ls_coordinator_data (coordinator)->train.n);
  self->walk_wish.op = LS_WALK_NO_OP;
  ls_session_begin_run (self);
  if (other)
    ls_session_tell_options (self);
  ls_session_give_kernels (self);
  if (self->file == NULL)
    self->mode = LS_SESSION_LIVE;
  if (self->file == NULL && self->playhead.playing)
    ls_coordinator_run (coordinator, self->target);
  ls_session_watch (self);
  ls_session_emit_state (self);
}

void
ls_session_train_from (LsSession *self, const LsOptions *options, LsKeptRun *from)
{
  LsOptions *copy = ls_options_copy (options);
  g_autoptr (GTask) task = NULL;
  Making *making = g_new0 (Making, 1);

  keep_curves (self, options);
  ls_session_note_change (self, options, TRUE);
  ls_session_ask_nothing (self);
  end_run (self);
  ls_session_close_file (self);
  g_clear_pointer (&self->live, ls_view_data_unref);
  g_clear_pointer (&self->snapshot, ls_snapshot_unref);
  g_clear_pointer (&self->newest, ls_recording_unref);
  ls_session_forget_typical (self);
  ls_session_forget_aside (self);
  g_clear_pointer (&self->shown, ls_recording_unref);
  g_clear_pointer (&self->problem, g_free);
  ls_history_clear (self->history);
  g_clear_pointer (&self->op_times, ls_op_times_unref);
  ls_playhead_set_data (&self->playhead, NULL, TRUE);
  ls_session_keep_anew (self);
  g_clear_pointer (&self->from, ls_kept_run_unref);
  self->from = from != NULL ? ls_kept_run_ref (from) : NULL;
  if (from != NULL && from->recording != NULL)
    {
      self->newest = ls_recording_ref (from->recording);
      ls_history_add (self->history, from->recording);
    }
  self->record_asked_us = 0;
  self->over = FALSE;
  self->opening = NULL; /* a recording that is still being read comes too late */
  self->mode = LS_SESSION_STARTING;
  self->playhead.playing = !ls_session_lab_measures (self);
  self->plays_later = TRUE;
  ls_session_lab_stop (self); /* of lanes that aren't the run's any more; once it has ended the run trains */
  g_clear_pointer (&self->options, ls_options_free);
  self->options = copy;
  g_clear_pointer (&self->specs, g_ptr_array_unref);
  ls_session_kept_free (g_steal_pointer (&self->kept));
  ls_session_read_kept (self);
  ls_session_rebuild (self);
  ls_session_emit_state (self);

  task = g_task_new (self, NULL, made_cb, NULL);
  /* the thread has options of its own: the session may drop these before it is done */
  *making = (Making){ .options = ls_options_copy (copy),
                      .read = g_steal_pointer (&self->read),
                      .from = from != NULL ? ls_kept_run_ref (from) : NULL };
  g_task_set_task_data (task, making, (GDestroyNotify) making_free);
  self->making = task;
  ls_coordinator_thread_begins ();
  g_task_run_in_thread (task, make_thread);
}

void
ls_session_give_data (LsSession *self, LsData *data)
{
  g_clear_pointer (&self->read, ls_data_unref);
  self->read = data;
}

void
ls_session_train (LsSession *self, const LsOptions *options)
{
  ls_session_train_from (self, options, NULL);
}

/* ---- devices ---- */

static void
list_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *verdict = NULL;
  g_autoptr (GPtrArray) devices = ls_cl_discover_list (&verdict);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < devices->len; i++)
    g_strv_builder_add (names, ((LsDeviceInfo *) g_ptr_array_index (devices, i))->name);
  g_task_return_pointer (task, g_strv_builder_end (names), (GDestroyNotify) g_strfreev);
}

void
ls_session_list_devices (LsSession *self, GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, done, data);

  g_task_run_in_thread (task, list_thread);
}

char **
ls_session_list_devices_finish (LsSession *self, GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
