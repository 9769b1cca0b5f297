/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control thread: takes the owner's commands, hands out turns, collects what came of them, watches for lanes that don't
 * answer. It never waits for a lane; it waits for the signal, and looks at what has happened.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

#define TURN_US             8000.0                /* a turn is about as long, so that hand-overs cost little */
#define IDLE_PUBLISH_MS     100                   /* a lane that builds is looked at as often */
#define PATIENCE_MS         5000                  /* a job's grace, above 20 times the expected time */
#define PATIENCE_FIRST_MS   60000                 /* while the expected time isn't known */
#define PATIENCE_OPEN_MS    600000                /* looking for devices and compiling all kernels */

static gboolean
working (const LsSeat *seat)
{
  return seat->state == LS_LANE_READY;
}

static gboolean
coming (const LsSeat *seat)
{
  return seat->state == LS_LANE_OPENING || seat->state == LS_LANE_BUILDING;
}

static void
park (LsSeat *seat, LsLaneState state, const char *message)
{
  seat->state = state;
  seat->busy = FALSE;
  g_free (seat->message);
  seat->message = g_strdup (message);
}

static void
post (LsCoordinator *self, LsSeat *seat, LsJobKind kind, double expected_us, guint grace_ms)
{
  guint64 patience_ms = self->patience_ms ? self->patience_ms : grace_ms;

  seat->busy = TRUE;
  seat->deadline_ns = ls_clock_ns () + patience_ms * 1000000 + (guint64) (20 * expected_us * 1e3);
  g_clear_error (&seat->lane->job.error);
  ls_lane_post (seat->lane, kind);
}

/* ---- what came of a job ---- */

static void
update_facts (LsCoordinator *self, LsSeat *seat)
{
  const LsLane *lane = seat->lane;
  LsLaneFacts *facts = g_atomic_rc_box_new0 (LsLaneFacts);

  facts->device = ls_device_info_copy (lane->backend->device (lane->instance));
  facts->tilings = g_memdup2 (lane->backend->tilings (lane->instance), sizeof (LsTiling) * self->plan->n_ops);
  g_clear_pointer (&seat->facts, ls_lane_facts_unref);
  seat->facts = facts;
}

/* Lanes take turns by themselves where they would compute on the same cores. */
static void
choose_turns (LsCoordinator *self)
{
  guint sharing = 0;

  self->turn_kind = self->options->turns;
  if (self->turn_kind != LS_TURNS_AUTO)
    return;
  for (guint s = 0; s < self->n_seats; s++)
    sharing += working (&self->seats[s]) && self->seats[s].facts->device->shares_cpu;
  self->turn_kind = sharing > 1 ? LS_TURNS_TURNS : LS_TURNS_RACE;
}

static void
take_steps (LsCoordinator *self, LsSeat *seat)
{
  const LsJob *job = &seat->lane->job;
  guint64 before_ns = job->start_ns;
  guint32 flags = job->record ? LS_POINT_RECORDED : 0;

  for (guint s = 0; s < self->n_seats; s++)
    if (coming (&self->seats[s]))
      flags |= LS_POINT_DISTURBED;
  for (guint i = 0; i < job->n_steps; i++)
    {
      LsPoint point = {
        .end_ms = (guint32) ((job->step_end_ns[i] - self->run_start_ns) / 1000000),
        .step_us = (float) ((double) (job->step_end_ns[i] - before_ns) / 1e3),
        .loss = job->losses[i],
        .flags = flags | (seat->steps < LS_WARM_UP_STEPS ? LS_POINT_WARM_UP : 0),
      };
      before_ns = job->step_end_ns[i];
      ls_curve_append (seat->curve, point);
      seat->steps++;
      seat->step_us = (double) point.step_us;
      seat->loss = point.loss;
      if (!isfinite (point.loss))
        {
          g_autofree char *message = g_strdup_printf (
            _("The loss is not a finite number at step %" G_GUINT64_FORMAT "; use a smaller learning rate (--lr)."), seat->steps);
          park (seat, LS_LANE_FAILED, message);
          return;
        }
    }
  if (job->record)
    seat->record = g_steal_pointer (&seat->lane->job.recorded);
}

static void
collect (LsCoordinator *self, LsSeat *seat)
{
  const LsJob *job = &seat->lane->job;

  seat->busy = FALSE;
  if (job->error)
    {
      park (seat, LS_LANE_FAILED, job->error->message);
      ls_lane_record_free (g_steal_pointer (&seat->record), self->plan);
      return;
    }
  switch (job->kind)
    {
    case LS_JOB_OPEN:
      seat->state = LS_LANE_READY;
      update_facts (self, seat);
      choose_turns (self);
      break;
    case LS_JOB_CONFIGURE:
      update_facts (self, seat);
      break;
    case LS_JOB_TRAIN:
      take_steps (self, seat);
      break;
    case LS_JOB_EVALUATE:
      seat->accuracy = job->accuracy;
      seat->accuracy_step = seat->steps;
      break;
    case LS_JOB_READ:
      seat->read_step = seat->steps;
      break;
    case LS_JOB_COMPARE:
    case LS_JOB_NONE:
    case LS_JOB_QUIT:
      break;
    }
  if (self->request != LS_JOB_NONE && job->kind == self->request)
    seat->asked = TRUE;
}

static void
collect_all (LsCoordinator *self)
{
  const guint64 now_ns = ls_clock_ns ();

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (!seat->busy)
        continue;
      if (ls_lane_done (seat->lane))
        collect (self, seat);
      else if (now_ns > seat->deadline_ns)
        {
          g_autofree char *message = g_strdup_printf (
            _("The %s lane has given no answer for too long and was left behind; the other lanes go on."),
            seat->lane->backend->title);
          ls_lane_abandon (seat->lane);
          park (seat, LS_LANE_HUNG, message);
        }
    }
  ls_coordinator_compare_losses (self);
  if (self->record_step != G_MAXUINT64)
    ls_coordinator_finish_record (self);
}

/* ---- what is next ---- */

/* Steps until something must be looked at: a check, an epoch's end, the recorded step, the target. */
static guint
turn_length (LsCoordinator *self, const LsSeat *seat, guint64 limit)
{
  const guint64 epoch = ls_batcher_steps_per_epoch (self->batcher), check = (guint64) self->options->check_every;
  guint64 n = seat->step_us > 0 ? (guint64) CLAMP (TURN_US / seat->step_us, 1, LS_TURN_MAX) : 1;

  n = MIN (n, limit - seat->steps);
  n = MIN (n, epoch - seat->steps % epoch);
  if (check > 0)
    n = MIN (n, check - seat->steps % check);
  if (self->record_step == seat->steps)
    n = 1;
  else if (self->record_step > seat->steps)
    n = MIN (n, self->record_step - seat->steps);
  return (guint) n;
}

static void
post_train (LsCoordinator *self, LsSeat *seat, guint64 limit)
{
  LsJob *job = &seat->lane->job;
  const LsOptions *o = self->options;

  job->n_steps = turn_length (self, seat, limit);
  job->record = self->record_step == seat->steps;
  job->fuse = o->fusion;
  for (guint i = 0; i < job->n_steps; i++)
    {
      ls_batcher_get (self->batcher, seat->steps + i, job->index + (gsize) i * self->plan->batch);
      job->hyper[i] = (LsHyper) { .lr = o->lr, .momentum = o->momentum, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8,
                                  .step = seat->steps + i + 1 };
    }
  post (self, seat, LS_JOB_TRAIN, seat->step_us * job->n_steps, seat->steps < 3 ? PATIENCE_FIRST_MS : PATIENCE_MS);
}

static gboolean
post_request (LsCoordinator *self, LsSeat *seat)
{
  if (self->request == LS_JOB_NONE || seat->asked)
    return FALSE;
  seat->lane->job.n_steps = 1;
  ls_batcher_get (self->batcher, seat->steps, seat->lane->job.index);
  seat->lane->job.hyper[0] = (LsHyper) { .lr = self->options->lr, .momentum = self->options->momentum, .beta1 = 0.9,
                                         .beta2 = 0.999, .epsilon = 1e-8, .step = seat->steps + 1 };
  post (self, seat, self->request, 100 * seat->step_us, PATIENCE_OPEN_MS);
  return TRUE;
}

static gboolean
post_evaluate (LsCoordinator *self, LsSeat *seat)
{
  const guint64 epoch = ls_batcher_steps_per_epoch (self->batcher);
  const double batches = (double) self->data->test.n / self->plan->batch + 1;

  if (seat->steps == 0 || seat->accuracy_step == seat->steps || !self->running)
    return FALSE;
  if (seat->steps % epoch != 0 && seat->steps != self->target)
    return FALSE;
  seat->lane->job.fuse = self->options->fusion;
  post (self, seat, LS_JOB_EVALUATE, batches * seat->step_us, PATIENCE_FIRST_MS);
  return TRUE;
}

static gboolean
post_configure (LsCoordinator *self, LsSeat *seat)
{
  if (!seat->configure)
    return FALSE;
  seat->configure = FALSE;
  ls_options_free (seat->lane->job.options);
  seat->lane->job.options = ls_options_copy (self->options);
  post (self, seat, LS_JOB_CONFIGURE, 0, PATIENCE_OPEN_MS);
  return TRUE;
}

/* All working lanes at the same multiple of check_every: their weights are read, then held against each other.
 * TRUE while that goes on. */
static gboolean
check_weights (LsCoordinator *self)
{
  const guint64 every = (guint64) self->options->check_every;
  guint64 step;
  guint lanes = 0;
  gboolean reading = FALSE;

  if (every == 0 || !ls_coordinator_aligned (self, &step) || step == 0 || step == self->checked_step)
    return FALSE;
  if (step % every != 0 && !(self->running && step == self->target))
    return FALSE;
  for (guint s = 0; s < self->n_seats; s++)
    lanes += working (&self->seats[s]);
  if (lanes < 2)
    return FALSE;
  for (guint s = 0; s < self->n_seats; s++)
    if (working (&self->seats[s]) && self->seats[s].read_step != step)
      {
        reading = TRUE;
        post (self, &self->seats[s], LS_JOB_READ, 0, PATIENCE_MS);
      }
  if (reading)
    return TRUE;
  ls_coordinator_compare_weights (self);
  self->checked_step = step;
  return FALSE;
}

/* How far lanes are to go: to the target; once paused, until all have caught up with the one that is furthest. */
static guint64
limit_of (LsCoordinator *self)
{
  guint64 furthest = 0;

  if (self->running)
    return self->target;
  for (guint s = 0; s < self->n_seats; s++)
    if (working (&self->seats[s]))
      furthest = MAX (furthest, self->seats[s].steps);
  return furthest;
}

/* Gives jobs to lanes that are free. FALSE if there is nothing to do for any lane that works. */
static gboolean
schedule (LsCoordinator *self)
{
  const guint64 limit = limit_of (self);
  const gboolean turns = self->turn_kind == LS_TURNS_TURNS;
  LsSeat *next = NULL;
  gboolean posted = FALSE;

  for (guint s = 0; s < self->n_seats; s++)
    if (working (&self->seats[s]) && self->seats[s].busy)
      return TRUE;
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (!working (seat) || (turns && posted))
        continue;
      posted |= post_configure (self, seat) || post_request (self, seat) || post_evaluate (self, seat);
    }
  if (posted || check_weights (self))
    return TRUE;
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (working (seat) && seat->steps < limit && (next == NULL || seat->steps < next->steps))
        next = seat;
    }
  if (next == NULL)
    return FALSE;
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (working (seat) && seat->steps == next->steps && (seat == next || !turns))
        post_train (self, seat, limit);
    }
  return TRUE;
}

/* ---- the owner's commands ---- */

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
      if (!self->running)
        {
          self->running = self->want_running = TRUE;
          self->target = self->want_target = furthest + 1;
        }
    }
  pthread_mutex_unlock (&self->mutex);
  choose_turns (self);
}

/* Nothing is left to do: paused or done, or nobody is left who could. A lane that is still coming will do its steps. */
static void
tell_idle (LsCoordinator *self)
{
  gboolean any_coming = FALSE;

  for (guint s = 0; s < self->n_seats; s++)
    any_coming |= coming (&self->seats[s]);
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
      if (coming (seat))
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
      if (seat->busy && coming (seat) && !ls_lane_done (seat->lane))
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
      for (guint64 until = ls_clock_ns () + (guint64) PATIENCE_MS * 1000000; !ls_lane_done (seat->lane) && ls_clock_ns () < until;)
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
      post (self, seat, LS_JOB_OPEN, 0, PATIENCE_OPEN_MS);
    }
  for (;;)
    {
      take_commands (self, &quit);
      if (quit)
        break;
      collect_all (self);
      if (!schedule (self))
        tell_idle (self);
      ls_coordinator_publish (self, FALSE);
      ls_signal_wait (self->signal, &seen, wait_ms (self));
    }
  dismiss (self);
  return NULL;
}
