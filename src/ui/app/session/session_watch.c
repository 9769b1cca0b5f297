/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots and recorded steps as they come, polled ten times a second while something can come.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#define POLL_MS 100
/* Numbers that change more often can't be read, and above 3 Hz they would flicker. */
#define REFRESH_US (400 * 1000)
/* Asked for a recorded step that never came, because its lane failed: ask again after so long. */
#define RECORD_PATIENCE_US (5 * G_USEC_PER_SEC)

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

  if (self->coordinator == NULL || !any_lane (self->snapshot, FALSE) || ls_session_lab_measures (self))
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

gboolean
ls_session_any_comes (LsSession *self)
{
  if (self->coordinator != NULL && self->snapshot == NULL)
    ls_session_look (self);
  /* without a snapshot they are only just being opened */
  return any_lane (self->snapshot, TRUE) || (self->coordinator != NULL && self->snapshot == NULL);
}

static gboolean
poll_cb (gpointer data)
{
  LsSession *self = data;
  LsSnapshot *snapshot;
  gboolean rests;

  if (self->coordinator == NULL)
    {
      self->poll = 0;
      return G_SOURCE_REMOVE;
    }
  rests = ls_coordinator_wait (self->coordinator, 0);
  snapshot = ls_coordinator_take (self->coordinator);
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
