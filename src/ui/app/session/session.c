/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's middle: its signals, the data that views get of snapshots and recorded steps, and what others
 * may know of it.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include "backends/kernel_files.h"

/* Losses and curves follow more slowly: painting them anew takes as long as ten frames. */
#define CURVES_US (1000 * 1000)

G_DEFINE_FINAL_TYPE (LsSession, ls_session, G_TYPE_OBJECT)

enum { DATA, TIME, STATE, MESSAGE, KERNELS, N_SIGNALS };
static guint signals[N_SIGNALS];

void
ls_session_emit_data (LsSession *self)
{
  g_signal_emit (self, signals[DATA], 0);
}

void
ls_session_emit_time (LsSession *self)
{
  g_signal_emit (self, signals[TIME], 0);
}

void
ls_session_emit_state (LsSession *self)
{
  g_signal_emit (self, signals[STATE], 0);
}

void
ls_session_say (LsSession *self, const char *sentence)
{
  g_signal_emit (self, signals[MESSAGE], 0, sentence);
}

void
ls_session_emit_kernels (LsSession *self, const char *sentence)
{
  g_signal_emit (self, signals[KERNELS], 0, sentence);
}

/* ---- the picture's data ---- */

/* What the session knows of a run that goes on. */
static void
tell_beside (LsSession *self, LsViewBeside *beside)
{
  const gint64 now_us = g_get_monotonic_time ();

  if (self->data != NULL && self->playhead.playing && now_us - self->curves_us < CURVES_US)
    beside->held = self->data;
  else
    self->curves_us = now_us;
  beside->runs = self->runs;
  beside->op_times = self->op_times;
  beside->kernel_problem = self->kernel_problem;
  ls_session_tell_changes (self, beside->changes);
  if (self->aside != NULL && self->aside != self->shown)
    {
      beside->aside.n = self->n_aside;
      beside->aside.step = self->aside->step;
      beside->aside.side = self->aside_side;
      beside->aside.words = self->aside_words;
    }
  if (self->coordinator != NULL)
    {
      const LsData *samples = ls_coordinator_data (self->coordinator);
      beside->tests = samples->test.n;
      beside->sample_size = samples->train.sample_size;
    }
}

static void
make_data (LsSession *self)
{
  LsViewBeside beside
    = { .other = self->other, .origin = self->origin, .stands = { self->stands[0], self->stands[1] } };
  LsViewData *data = NULL;

  ls_session_tell_lab (self, &beside);
  if (self->file != NULL)
    data = ls_view_data_from_recording (self->file, &beside);
  else if (self->snapshot == NULL)
    data = self->mode == LS_SESSION_STARTING ? ls_view_data_before (self->options) : NULL;
  else
    {
      tell_beside (self, &beside);
      data = ls_view_data_from_snapshot (self->snapshot, self->live, &beside);
      for (guint i = 0; i < G_N_ELEMENTS (beside.changes); i++)
        ls_change_clear (&beside.changes[i]);
      g_clear_pointer (&self->live, ls_view_data_unref);
      self->live = ls_view_data_ref (data);
      if (self->shown != NULL && data->recording != self->shown)
        {
          LsViewData *other = ls_view_data_with_recording (data, self->shown, self->data);
          ls_view_data_unref (data);
          data = other;
        }
    }
  ls_session_told_lab (&beside);
  if (data != NULL && data->other != self->other && data->other != NULL) /* its lanes stand as these do */
    {
      ls_view_data_unref (self->other);
      self->other = ls_view_data_ref (data->other);
    }
  g_clear_pointer (&self->data, ls_view_data_unref);
  self->data = data;
  self->rebuilt_us = g_get_monotonic_time ();
  self->newer = FALSE;
}

void
ls_session_rebuild (LsSession *self)
{
  make_data (self);
  ls_session_emit_data (self);
}

void
ls_session_show (LsSession *self, LsRecording *recording, gboolean start)
{
  /* a slower lane that has come makes the step longer than what the dial was turned for */
  const gboolean longer = self->shown == NULL || recording->n_lanes > self->shown->n_lanes;

  ls_recording_ref (recording);
  g_clear_pointer (&self->shown, ls_recording_unref);
  self->shown = recording;
  self->show_next = FALSE;
  g_clear_pointer (&self->ready, ls_recording_unref);
  if (self->file == NULL)
    make_data (self); /* which is told of once the playhead is over it, not over the step before */
  ls_playhead_set_data (&self->playhead, self->data, start);
  if (longer && !self->dial_chosen)
    {
      self->playhead.dial_ns = ls_dial_ns (
        ls_dial_for_step (self->playhead.own ? self->playhead.own_ns : self->playhead.step_ns));
      ls_session_emit_state (self);
    }
  ls_session_emit_data (self);
}

void
ls_session_retry (LsSession *self)
{
  if (self->coordinator == NULL)
    return;
  ls_coordinator_retry (self->coordinator);
  ls_session_watch (self);
}

void
ls_session_end (LsSession *self)
{
  LsCoordinator *old = g_steal_pointer (&self->coordinator);

  self->ended = TRUE;
  ls_session_end_keeping (self);
  ls_session_end_lab (self);
  ls_session_ask_nothing (self);
  g_clear_handle_id (&self->poll, g_source_remove);
  ls_session_unwatch_kernels (self);
  g_clear_pointer (&old, ls_coordinator_free);
}

/* ---- what others may know ---- */

LsSessionMode
ls_session_mode (LsSession *self)
{
  return self->mode;
}

const char *
ls_session_problem (LsSession *self)
{
  return self->problem;
}

LsViewData *
ls_session_data (LsSession *self)
{
  return self->data;
}

LsSnapshot *
ls_session_snapshot (LsSession *self)
{
  return self->snapshot;
}

LsRecording *
ls_session_shown (LsSession *self)
{
  return self->shown;
}

const LsOptions *
ls_session_options (LsSession *self)
{
  return self->options;
}

GPtrArray *
ls_session_specs (LsSession *self)
{
  if (self->specs == NULL)
    self->specs = ls_lane_specs_new (self->options, NULL);
  return self->specs;
}

LsHistory *
ls_session_history (LsSession *self)
{
  return self->history;
}

static void
dispose (GObject *object)
{
  LsSession *self = LS_SESSION (object);

  ls_session_end (self);
  G_OBJECT_CLASS (ls_session_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LsSession *self = LS_SESSION (object);

  g_clear_pointer (&self->options, ls_options_free);
  g_clear_pointer (&self->read, ls_data_unref);
  g_clear_pointer (&self->specs, g_ptr_array_unref);
  g_clear_pointer (&self->snapshot, ls_snapshot_unref);
  g_clear_pointer (&self->newest, ls_recording_unref);
  g_clear_pointer (&self->shown, ls_recording_unref);
  g_clear_pointer (&self->file, ls_recording_unref);
  g_clear_pointer (&self->other, ls_view_data_unref);
  g_clear_pointer (&self->data, ls_view_data_unref);
  g_clear_pointer (&self->live, ls_view_data_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->op_times, ls_op_times_unref);
  g_clear_pointer (&self->kernel_files, ls_kernel_files_unref);
  g_free (self->kernel_problem);
  ls_session_forget_lab (self);
  ls_session_forget_changes (self);
  ls_session_forget_typical (self);
  ls_session_forget_aside (self);
  ls_history_free (self->history);
  ls_playhead_clear (&self->playhead);
  g_free (self->origin);
  g_free (self->problem);
  G_OBJECT_CLASS (ls_session_parent_class)->finalize (object);
}

static void
ls_session_class_init (LsSessionClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = dispose;
  object_class->finalize = finalize;
  signals[DATA] = g_signal_new ("data", LS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                0);
  signals[TIME] = g_signal_new ("time", LS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                0);
  signals[STATE] = g_signal_new ("state", LS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  signals[KERNELS] = g_signal_new ("kernels", LS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[MESSAGE] = g_signal_new ("message", LS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ls_session_init (LsSession *self)
{
  self->history = ls_history_new (LS_HISTORY_BYTES);
  ls_playhead_init (&self->playhead);
  self->options = ls_options_new ();
  self->walk_wish.op = LS_WALK_NO_OP;
  self->wishes[0] = self->wishes[1] = (LsWish) LS_WISH_NOTHING;
  ls_session_watch_environment (self);
}

LsSession *
ls_session_new (void)
{
  return g_object_new (LS_TYPE_SESSION, NULL);
}
