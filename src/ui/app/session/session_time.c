/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's time: play, pause, steps and seeks. Only the playhead moves over what was recorded; training
 * goes on beneath while it plays, and a new recorded step is asked for shortly before the shown one has been
 * played to its end.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>

#include "core/number.h"

/* A recorded step takes some milliseconds to come, and may not be the first that is tried: it is asked for so
 * long before it is shown. */
#define AHEAD_S .5

const LsPlayhead *
ls_session_playhead (LsSession *self)
{
  return &self->playhead;
}

gboolean
ls_session_playing (LsSession *self)
{
  return self->playhead.playing;
}

void
ls_session_set_playing (LsSession *self, gboolean playing)
{
  if (self->playhead.playing == playing)
    return;
  /* lanes that trained would take part in what is measured */
  if (playing && self->file == NULL && ls_session_lab_measures (self))
    {
      self->plays_later = TRUE;
      ls_session_say (self, _("Training goes on when the measurement has ended."));
      ls_session_emit_state (self);
      return;
    }
  self->playhead.playing = playing;
  if (!playing && self->playhead.by_op && !self->playhead.own && ls_playhead_at_end (&self->playhead))
    {
      ls_playhead_rest (&self->playhead);
      ls_session_emit_data (self);
    }
  if (self->coordinator != NULL && self->file == NULL)
    {
      if (playing)
        ls_coordinator_run (self->coordinator, self->target);
      else
        ls_coordinator_pause (self->coordinator);
      ls_session_watch (self);
    }
  if (playing && ls_playhead_at_end (&self->playhead) && (self->file != NULL || self->over))
    ls_playhead_to_edge (&self->playhead, -1);
  ls_session_emit_state (self);
  ls_session_emit_time (self);
}

void
ls_session_advance (LsSession *self, double seconds)
{
  switch (ls_playhead_advance (&self->playhead, seconds))
    {
    case LS_ADVANCE_DONE:
      if (self->file != NULL || (self->over && self->ready == NULL))
        ls_playhead_to_edge (&self->playhead, -1);
      else if (self->ready != NULL)
        {
          g_autoptr (LsRecording) ready = g_steal_pointer (&self->ready);
          ls_session_show (self, ready, TRUE);
          return;
        }
      else
        {
          self->show_next = TRUE;
          ls_session_want_record (self);
        }
      ls_session_emit_time (self);
      break;
    case LS_ADVANCE_OP:
      ls_session_emit_data (self);
      break;
    case LS_ADVANCE_MOVED:
      ls_session_emit_time (self);
      break;
    case LS_ADVANCE_STAYS:
      break;
    }
  /* by step, the next is done when this one has been shown */
  if (self->file == NULL && self->ready == NULL && ls_playhead_left_s (&self->playhead) < AHEAD_S
      && !self->over && ls_session_pace (self) != LS_PACE_STEP)
    ls_session_want_record (self);
}

/* Whoever looks at one op wants to see it whole, then the same op of another step. FALSE: it is there
 * already. */
static gboolean
to_edge (LsPlayhead *playhead, int direction)
{
  const gint64 edge = direction > 0 ? ls_playhead_span (playhead) : 0;

  if (!playhead->by_op)
    return ls_playhead_to_edge (playhead, direction);
  if (playhead->time_ns == edge)
    return FALSE;
  ls_playhead_seek (playhead, edge);
  return TRUE;
}

/* The recorded step before or after the shown one, which may be gone from the history itself; or NULL. */
static LsRecording *
find_beside (LsSession *self, int direction)
{
  const guint64 step = self->shown != NULL ? self->shown->step : 0;
  LsRecording *found = NULL;

  for (guint i = 0; i < ls_history_n (self->history); i++)
    {
      LsRecording *recording = ls_history_get (self->history, i);

      if (direction < 0 && recording->step < step)
        found = recording;
      else if (direction > 0 && recording->step > step)
        return recording;
    }
  return found;
}

void
ls_session_step (LsSession *self, int direction)
{
  LsRecording *beside;

  ls_session_set_playing (self, FALSE);
  if (to_edge (&self->playhead, direction))
    {
      ls_session_emit_time (self);
      return;
    }
  if (self->file != NULL)
    return;
  beside = find_beside (self, direction);
  if (beside != NULL)
    {
      ls_session_show (self, beside, FALSE);
      to_edge (&self->playhead, 1);
      ls_session_emit_time (self);
      ls_session_emit_state (self);
    }
  else if (direction > 0)
    {
      self->show_next = self->stepped = TRUE;
      ls_session_want_record (self);
    }
}

void
ls_session_jump (LsSession *self, int direction, gboolean all)
{
  ls_session_set_playing (self, FALSE);
  if (ls_playhead_jump (&self->playhead, direction, all))
    ls_session_emit_data (self);
}

void
ls_session_seek (LsSession *self, gint64 time_ns)
{
  ls_session_set_playing (self, FALSE);
  ls_playhead_seek (&self->playhead, time_ns);
  ls_session_emit_time (self);
}

void
ls_session_seek_op (LsSession *self, guint op)
{
  ls_playhead_seek_op (&self->playhead, op);
  if (!self->playhead.playing)
    ls_playhead_finish (&self->playhead);
  ls_session_emit_data (self);
}

void
ls_session_set_dial (LsSession *self, guint64 dial_ns)
{
  self->dial_chosen = TRUE;
  if (self->playhead.dial_ns == dial_ns)
    return;
  self->playhead.dial_ns = dial_ns;
  ls_session_emit_state (self);
  ls_session_emit_time (self);
}

gboolean
ls_session_dial_chosen (LsSession *self)
{
  return self->dial_chosen;
}

void
ls_session_set_clock (LsSession *self, gboolean by_op, gint64 own_ns)
{
  LsPlayhead *playhead = &self->playhead;
  const gint64 before_ns = ls_playhead_span (playhead);
  const gboolean changed = by_op != playhead->by_op, end = changed && by_op && ls_playhead_at_end (playhead);
  const gboolean own = playhead->own;

  if (changed)
    {
      ls_playhead_set_own (playhead, -1);
      ls_playhead_set_by_op (playhead, by_op);
    }
  /* all of a step is done: the op that took longest says most */
  if (end)
    ls_playhead_rest (playhead);
  ls_playhead_set_own (playhead, own_ns);
  if (!self->dial_chosen && playhead->own != own && ls_playhead_span (playhead) > 0)
    {
      playhead->dial_ns = ls_dial_ns (
        ls_dial_for_step (playhead->own ? playhead->own_ns : playhead->step_ns));
      ls_session_emit_state (self);
    }
  if (changed || own != playhead->own || before_ns != ls_playhead_span (playhead))
    ls_session_emit_time (self);
}

void
ls_session_toggle_pin (LsSession *self)
{
  guint at;

  if (self->shown == NULL || self->file != NULL)
    return;
  at = ls_history_find (self->history, self->shown->step);
  if (!ls_history_has (self->history, self->shown->step)) /* what is there is another one */
    {
      g_autofree char *step = ls_number_count (self->shown->step),
                      *sentence = g_strdup_printf (
                        _("Step %s isn’t among the recorded steps any more, so it can’t be kept."), step);

      ls_session_say (self, sentence);
      ls_session_emit_state (self);
      return;
    }
  ls_history_pin (self->history, at, !ls_history_pinned (self->history, at));
  ls_session_emit_state (self);
}
