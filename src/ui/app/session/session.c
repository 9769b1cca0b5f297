/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's middle: snapshots and recorded steps as they come, polled ten times a second while something
 * can come, and the data that views get of them.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include "backends/kernel_files.h"

#define POLL_MS 100
/* Numbers that change more often can't be read, and above 3 Hz they would flicker. */
#define REFRESH_US (400 * 1000)
/* Losses and curves follow more slowly: painting them anew takes as long as ten frames. */
#define CURVES_US (1000 * 1000)
/* Asked for a recorded step that never came, because its lane failed: ask again after so long. */
#define RECORD_PATIENCE_US (5 * G_USEC_PER_SEC)

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
  ls_session_change_words (self, beside->changes);
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

void
ls_session_rebuild (LsSession *self)
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
        g_free (beside.changes[i]);
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
  g_clear_pointer (&self->data, ls_view_data_unref);
  self->data = data;
  self->rebuilt_us = g_get_monotonic_time ();
  self->newer = FALSE;
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
    ls_session_rebuild (self);
  ls_playhead_set_data (&self->playhead, self->data, start);
  if (longer && !self->dial_chosen)
    {
      self->playhead.dial_ns = ls_dial_ns (
        ls_dial_for_step (self->playhead.own ? self->playhead.own_ns : self->playhead.step_ns));
      ls_session_emit_state (self);
    }
  ls_session_emit_data (self);
}

/* ---- recorded steps ---- */

static gboolean
any_lane (const LsSnapshot *snapshot, gboolean coming)
{
  for (guint i = 0; snapshot != NULL && i < snapshot->n_lanes; i++)
    {
      const LsLaneState state = snapshot->lanes[i].state;
      if (coming ? state == LS_LANE_OPENING || state == LS_LANE_BUILDING : state == LS_LANE_READY)
        return TRUE;
    }
  return FALSE;
}

void
ls_session_want_record (LsSession *self)
{
  const gint64 now = g_get_monotonic_time ();

  if (self->coordinator == NULL || !any_lane (self->snapshot, FALSE))
    return;
  if (self->record_asked_us != 0 && now - self->record_asked_us < RECORD_PATIENCE_US)
    return;
  self->record_asked_us = now;
  ls_coordinator_record_next (self->coordinator, TRUE);
  ls_session_watch (self);
}

guint
ls_session_lanes_ready (const LsSnapshot *snapshot)
{
  guint n = 0;

  for (guint i = 0; i < snapshot->n_lanes; i++)
    n += snapshot->lanes[i].state == LS_LANE_READY && snapshot->lanes[i].steps > 0;
  return n;
}

/* ---- polling ---- */

static void
lane_messages (LsSession *self, const LsSnapshot *before, const LsSnapshot *now)
{
  for (guint i = 0; before != NULL && i < now->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &now->lanes[i];
      const gboolean gone = lane->state == LS_LANE_FAILED || lane->state == LS_LANE_HUNG;
      if (gone && before->lanes[i].state != lane->state && before->lanes[i].state == LS_LANE_READY
          && lane->message != NULL)
        ls_session_say (self, lane->message);
    }
}

/* Something that should be seen at once: a lane that comes, builds or goes. */
static gboolean
lanes_differ (const LsSnapshot *before, const LsSnapshot *now)
{
  if (before == NULL || before->n_lanes != now->n_lanes)
    return TRUE;
  for (guint i = 0; i < now->n_lanes; i++)
    {
      const LsLaneSnapshot *a = &before->lanes[i], *b = &now->lanes[i];
      if (a->state != b->state || a->waits != b->waits || a->overdue != b->overdue
          || a->build_done != b->build_done || a->kernels_serial != b->kernels_serial
          || a->walk_coming != b->walk_coming || a->facts != b->facts || (a->steps == 0) != (b->steps == 0))
        return TRUE;
    }
  return before->agreement.disagree != now->agreement.disagree
         || before->agreement.examined != now->agreement.examined || before->running != now->running;
}

void
ls_session_take_snapshot (LsSession *self, LsSnapshot *snapshot)
{
  g_autoptr (LsSnapshot) before = self->snapshot;

  self->snapshot = snapshot;
  lane_messages (self, before, snapshot);
  ls_session_kernels_changed (self, before, snapshot);
  if (snapshot->message != NULL && (before == NULL || before->message == NULL))
    ls_session_say (self, snapshot->message);
  if (snapshot->recording_message != NULL && (before == NULL || before->recording_message == NULL))
    {
      self->record_asked_us = 0;
      ls_session_say (self, snapshot->recording_message);
    }
  self->newer = TRUE;
  /* two results of one step: the clock stops, so that they can be looked at; who plays on has seen it */
  if (snapshot->agreement.disagree && before != NULL && !before->agreement.disagree && self->file == NULL)
    {
      ls_session_set_playing (self, FALSE);
      self->show_next = TRUE;
      ls_session_want_record (self);
    }
  if (self->file == NULL
      && (lanes_differ (before, snapshot) || g_get_monotonic_time () - self->rebuilt_us >= REFRESH_US))
    ls_session_rebuild (self);
  if (snapshot->agreement.found && before != NULL && !before->agreement.found && self->file == NULL)
    ls_session_seek_op (self, snapshot->agreement.first.op);
  ls_session_keep (self);
  if (snapshot->recording != NULL && snapshot->recording != self->newest)
    ls_session_take_recording (self, snapshot->recording);
  ls_session_look_for_end (self);
  /* the first picture as soon as there is a step, and another when a lane has come to it; one that still
   * catches up isn't in a recorded step, so this asks no more than once a second */
  if (self->file == NULL && self->playhead.playing
      && (ls_session_lanes_ready (snapshot) > (self->newest != NULL ? self->newest->n_lanes : 0)
          || (self->newest == NULL && ls_session_pace (self) == LS_PACE_STEP && any_lane (snapshot, FALSE)))
      && g_get_monotonic_time () - self->lanes_asked_us > G_USEC_PER_SEC)
    {
      self->lanes_asked_us = g_get_monotonic_time ();
      self->show_next |= self->shown == NULL; /* who asked to see the next one still does */
      ls_session_want_record (self);
    }
}

void
ls_session_look (LsSession *self)
{
  LsSnapshot *snapshot = ls_coordinator_take (self->coordinator);

  if (snapshot == NULL)
    return;
  ls_session_take_snapshot (self, snapshot);
  ls_session_watch (self);
}

static gboolean
poll_cb (gpointer data)
{
  LsSession *self = data;
  const gboolean rests = self->coordinator == NULL || ls_coordinator_wait (self->coordinator, 0);
  LsSnapshot *snapshot = self->coordinator != NULL ? ls_coordinator_take (self->coordinator) : NULL;

  if (self->coordinator == NULL)
    {
      self->poll = 0;
      return G_SOURCE_REMOVE;
    }
  if (snapshot != NULL)
    ls_session_take_snapshot (self, snapshot);
  if (!rests || snapshot != NULL)
    return G_SOURCE_CONTINUE;
  self->record_asked_us = 0; /* it has come, or can't: who asks again is to get one */
  if (any_lane (self->snapshot, TRUE))
    return G_SOURCE_CONTINUE;
  if (self->newer && self->file == NULL)
    ls_session_rebuild (self);
  self->poll = 0;
  return G_SOURCE_REMOVE;
}

void
ls_session_watch (LsSession *self)
{
  if (self->poll == 0)
    self->poll = g_timeout_add (POLL_MS, poll_cb, self);
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
