/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which recorded step is shown: a typical one. One that isn't like the lanes' medians is followed by a few
 * more, and the nearest of them is shown; an interrupted one only when it is asked for. Who asks for the next
 * step gets that one.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include "ui/paint/data/typical.h"

#define TRIES 4

void
ls_session_forget_typical (LsSession *self)
{
  g_clear_pointer (&self->best, ls_recording_unref);
  g_clear_pointer (&self->ready, ls_recording_unref);
  self->tried = 0;
}

void
ls_session_forget_aside (LsSession *self)
{
  g_clear_pointer (&self->aside, ls_recording_unref);
  g_clear_pointer (&self->aside_words, g_free);
  self->n_aside = 0;
}

static void
set_aside (LsSession *self, LsRecording *recording)
{
  g_clear_pointer (&self->aside, ls_recording_unref);
  g_free (self->aside_words);
  self->aside = ls_recording_ref (recording);
  self->aside_words = ls_typical_interruption (self->live, self->op_times, recording, &self->aside_side);
  self->n_aside++;
}

/* Which one is to be shown now that this one has been recorded, (transfer full); NULL: another is on its
 * way. */
static LsRecording *
choose (LsSession *self, LsRecording *recording)
{
  const gboolean asked = self->stepped || self->over || ls_session_pace (self) == LS_PACE_STEP
                         || !self->playhead.playing || self->live == NULL
                         || (self->shown != NULL && recording->n_lanes > self->shown->n_lanes);
  LsRecording *chosen;
  LsStepKind kind;
  double distance;

  if (asked)
    {
      ls_session_forget_typical (self);
      return ls_recording_ref (recording);
    }
  kind = ls_typical_judge (self->live, self->op_times, recording, &distance);
  if (kind == LS_STEP_INTERRUPTED)
    set_aside (self, recording);
  else if (self->best == NULL || recording->n_lanes > self->best->n_lanes || distance < self->best_distance)
    {
      g_clear_pointer (&self->best, ls_recording_unref);
      self->best = ls_recording_ref (recording);
      self->best_distance = distance;
    }
  if (kind > LS_STEP_TYPICAL && ++self->tried < TRIES)
    {
      ls_session_want_record (self);
      return NULL;
    }
  chosen = g_steal_pointer (&self->best);
  self->tried = 0;
  if (chosen == NULL) /* interrupted, all of them */
    ls_session_want_record (self);
  return chosen;
}

void
ls_session_take_recording (LsSession *self, LsRecording *recording)
{
  const gboolean more_lanes = self->shown != NULL && recording->n_lanes > self->shown->n_lanes;
  g_autoptr (LsRecording) chosen = NULL;

  if (ls_session_take_walked (self, recording))
    return;
  self->record_asked_us = 0;
  g_clear_pointer (&self->newest, ls_recording_unref);
  self->newest = ls_recording_ref (recording);
  ls_history_add (self->history, recording);
  LsOpTimes *before = self->op_times;
  self->op_times = ls_op_times_add (before, recording);
  ls_op_times_unref (before);
  if (self->file != NULL)
    return;
  chosen = choose (self, recording);
  if (chosen != NULL && (self->shown == NULL || self->show_next || more_lanes))
    {
      const gboolean end = self->stepped && !self->playhead.playing;
      ls_session_show (self, chosen, !end);
      if (end)
        ls_playhead_seek (&self->playhead, ls_playhead_span (&self->playhead));
      else if (!self->playhead.playing && self->snapshot != NULL && self->snapshot->agreement.found)
        ls_session_seek_op (self, self->snapshot->agreement.first.op);
      self->stepped = FALSE;
    }
  else if (chosen != NULL)
    {
      g_clear_pointer (&self->ready, ls_recording_unref);
      self->ready = g_steal_pointer (&chosen);
    }
  ls_session_emit_state (self);
}

void
ls_session_look_at_aside (LsSession *self)
{
  g_autoptr (LsRecording) recording = g_steal_pointer (&self->aside);

  if (recording == NULL || self->file != NULL)
    return;
  ls_session_forget_aside (self);
  ls_session_set_playing (self, FALSE);
  ls_session_show (self, recording, TRUE);
  ls_playhead_seek (&self->playhead, ls_playhead_span (&self->playhead));
  ls_session_emit_time (self);
  ls_session_emit_state (self);
}
