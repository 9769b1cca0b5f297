/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's walks through products: the coordinator is told which one the picture needs, and the newest
 * recorded step is exchanged for the same one with the walk when it comes.
 */
#include "ui/app/session/session_private.h"

gboolean
ls_session_take_walked (LsSession *self, LsRecording *recording)
{
  g_autoptr (LsRecording) before = NULL;

  if (self->newest == NULL || !ls_recording_shares_step (self->newest, recording))
    return FALSE;
  before = g_steal_pointer (&self->newest);
  self->newest = ls_recording_ref (recording);
  ls_history_exchange (self->history, before, recording);
  if (self->best == before || self->ready == before)
    {
      LsRecording **kept = self->best == before ? &self->best : &self->ready;
      ls_recording_unref (*kept);
      *kept = ls_recording_ref (recording);
    }
  /* a walk comes with the newest step, also where that one had been passed over */
  if (self->file == NULL
      && (self->shown == before || (self->playhead.playing && self->walk_wish.op != LS_WALK_NO_OP)))
    {
      /* the same step with its walk isn't the next one, which may have been asked for */
      const gboolean show_next = self->show_next && self->shown == before;
      ls_session_show (self, recording, FALSE);
      self->show_next = show_next;
    }
  return TRUE;
}

/* The wish of the first of the stages that has one is told. */
static void
want_walk (LsSession *self)
{
  const LsWalkWish *was = &self->walk_wish,
                   *wish = &self->wishes[self->wishes[0].walk.op == LS_WALK_NO_OP].walk;

  if (self->coordinator == NULL
      || (was->op == wish->op && was->rung == wish->rung && was->row == wish->row && was->col == wish->col))
    return;
  self->walk_wish = *wish;
  ls_coordinator_walk (self->coordinator, wish);
  ls_session_watch (self);
}

void
ls_session_wish (LsSession *self, guint stage, const LsWish *wish, gboolean anew)
{
  const LsWish *other = &self->wishes[!stage];

  self->wishes[stage] = *wish;
  self->wishes[stage].answer.strokes = NULL; /* read at once, not kept, */
  self->wishes[stage].guess.claim = NULL;    /* nor this */
  want_walk (self);
  if (wish->guess.claim != NULL)
    ls_session_guess (self, wish->guess.claim, wish->guess.value);
  if (wish->answer.wanted || !other->answer.wanted)
    ls_session_want_answer (self, wish, anew);
}
