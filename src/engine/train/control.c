/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control thread: takes the owner's commands, has jobs handed out (schedule.c) and collected (collect.c). It never waits
 * for a lane; it waits for the signal, and looks at what has happened.
 */
#include "train/private.h"

#include <string.h>

#define IDLE_PUBLISH_MS 100 /* a lane that builds is looked at as often */
#define GOODBYE_MS 5000 /* what a lane may take to close its device */
static void
take_commands (LsCoordinator *self, gboolean *quit)
{
  pthread_mutex_lock (&self->mutex);
  self->seen_serial = self->serial;
  self->running = self->want_running;
  self->target = self->want_target;
  *quit = self->want_quit;
  if (self->want_request != LS_JOB_NONE)
    {
      self->request = self->want_request;
      self->want_request = LS_JOB_NONE;
      for (guint s = 0; s < self->n_seats; s++)
        self->seats[s].asked = FALSE;
    }
  if (self->want_options)
    {
      ls_options_free (self->options);
      self->options = g_steal_pointer (&self->want_options);
      for (guint s = 0; s < self->n_seats; s++)
        self->seats[s].configure = TRUE;
    }
  if (self->want_record)
    {
      guint64 furthest = 0;
      for (guint s = 0; s < self->n_seats; s++)
        furthest = MAX (furthest, self->seats[s].steps);
      self->want_record = FALSE;
      self->record_step = self->running && self->target > furthest ? self->target - 1 : furthest;
      if (!self->running || self->record_step >= self->target)
        {
          self->running = self->want_running = TRUE;
          self->target = self->want_target = self->record_step + 1;
        }
    }
  pthread_mutex_unlock (&self->mutex);
  ls_coordinator_choose_turns (self);
}

/* Nothing is left to do: paused or done, or nobody is left who could. A lane that is still coming will do its steps. */
static void
tell_idle (LsCoordinator *self)
{
  gboolean any_coming = FALSE;

  for (guint s = 0; s < self->n_seats; s++)
    any_coming |= ls_seat_coming (&self->seats[s]);
  if (any_coming && (self->running || self->request != LS_JOB_NONE))
    return;
  self->request = LS_JOB_NONE;
  pthread_mutex_lock (&self->mutex);
  if (self->idle_serial != self->seen_serial)
    {
      self->idle_serial = self->seen_serial;
      pthread_mutex_unlock (&self->mutex);
      ls_coordinator_publish (self, TRUE);
      pthread_mutex_lock (&self->mutex);
      pthread_cond_broadcast (&self->idle_cond);
    }
  pthread_mutex_unlock (&self->mutex);
}

/* How long may be waited: until a deadline, and no longer than the display of a lane that builds stays fresh. */
static guint
wait_ms (LsCoordinator *self)
{
  const guint64 now_ns = ls_clock_ns ();
  guint64 ms = 60000;

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (!seat->busy)
        continue;
      ms = MIN (ms, seat->deadline_ns > now_ns ? (seat->deadline_ns - now_ns) / 1000000 + 1 : 0);
      if (ls_seat_coming (seat))
        ms = MIN (ms, IDLE_PUBLISH_MS);
    }
  return (guint) ms;
}

/* Lets lanes finish what they do, then sends them home; one that doesn't answer is left behind. */
static void
dismiss (LsCoordinator *self)
{
  guint64 seen = 0;

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (seat->state == LS_LANE_HUNG)
        continue;
      /* A driver that is just being opened can't be hurried. */
      if (seat->busy && ls_seat_coming (seat) && !ls_lane_done (seat->lane))
        {
          ls_lane_abandon (seat->lane);
          continue;
        }
      while (seat->busy && !ls_lane_done (seat->lane) && ls_clock_ns () < seat->deadline_ns)
        ls_signal_wait (self->signal, &seen, 100);
      if (seat->busy && !ls_lane_done (seat->lane))
        {
          ls_lane_abandon (seat->lane);
          continue;
        }
      ls_lane_post (seat->lane, LS_JOB_QUIT);
      for (guint64 until = ls_clock_ns () + (guint64) GOODBYE_MS * 1000000; !ls_lane_done (seat->lane) && ls_clock_ns () < until;)
        ls_signal_wait (self->signal, &seen, 100);
    }
}

void *
ls_coordinator_control (void *data)
{
  LsCoordinator *self = data;
  guint64 seen = 0;
  gboolean quit = FALSE;

  self->run_start_ns = ls_clock_ns ();
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      LsJob *job = &seat->lane->job;
      if (seat->state == LS_LANE_FAILED)
        continue;
      job->options = ls_options_copy (self->options);
      job->fuse = self->options->fusion;
      for (guint p = 0; p < self->plan->n_params; p++)
        memcpy (job->params[p], self->initial[p], ls_tensor_bytes (&self->plan->tensors[self->plan->params[p].weight]));
      ls_coordinator_post (self, seat, LS_JOB_OPEN, 0, LS_PATIENCE_OPEN_MS);
    }
  for (;;)
    {
      take_commands (self, &quit);
      if (quit)
        break;
      ls_coordinator_collect (self);
      if (!ls_coordinator_schedule (self))
        tell_idle (self);
      ls_coordinator_publish (self, FALSE);
      ls_signal_wait (self->signal, &seen, wait_ms (self));
    }
  dismiss (self);
  return NULL;
}
