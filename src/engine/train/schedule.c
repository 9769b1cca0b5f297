/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who does what next: options, requests, evaluations and checks first, then the steps of whoever is furthest
 * behind.
 */
#include "train/private.h"

#define TURN_US           8000.0 /* a turn is about as long, so that hand-overs cost little */
#define PATIENCE_MS       5000   /* a job's grace, above 20 times the expected time */
#define PATIENCE_FIRST_MS 60000  /* while the expected time isn't known */
#define SLOWEST_MFLOPS    1000.0 /* a first step is expected to be as slow as this */

void
ls_coordinator_post (LsCoordinator *self, LsSeat *seat, LsJobKind kind, double expected_us, guint grace_ms)
{
  guint64 patience_ms = self->patience_ms ? self->patience_ms : grace_ms;

  seat->busy = TRUE;
  seat->deadline_ns = ls_clock_ns () + patience_ms * 1000000 + (guint64) (20 * expected_us * 1e3);
  g_clear_error (&seat->lane->job.error);
  ls_lane_progress (seat->lane, &seat->build_done, &seat->build_total);
  ls_lane_post (seat->lane, kind);
}

/* A question waits for the lane. */
static gboolean
is_asked (const LsCoordinator *self, const LsSeat *seat)
{
  return self->question != NULL && seat->answered != self->question_number;
}

/* Steps until something must be looked at: a check, an epoch's end, a recorded step, the target. */
static guint
turn_length (LsCoordinator *self, const LsSeat *seat, guint64 limit)
{
  const guint64 epoch = ls_batcher_steps_per_epoch (self->batcher),
                check = (guint64) self->options->check_every;
  guint64 n = seat->step_us > 0 ? (guint64) CLAMP (TURN_US / seat->step_us, 1, LS_TURN_MAX) : 1;

  n = MIN (n, limit - seat->steps);
  /* lanes that are asked meet first, so that they answer with the weights after the same step */
  if (is_asked (self, seat) && ls_coordinator_furthest (self) > seat->steps)
    n = MIN (n, ls_coordinator_furthest (self) - seat->steps);
  n = MIN (n, epoch - seat->steps % epoch);
  if (check > 0)
    n = MIN (n, check - seat->steps % check);
  if (self->last.step >= seat->steps)
    n = MIN (n, MAX (self->last.step - seat->steps, 1));
  if (self->next.step >= seat->steps)
    n = MIN (n, MAX (self->next.step - seat->steps, 1));
  return (guint) n;
}

/* Whether the step that the lane is about to do is to be recorded. */
static void
choose_record (LsCoordinator *self, LsSeat *seat)
{
  LsWanted *const wanted[] = { &self->last, &self->next };
  LsJob *job = &seat->lane->job;

  job->record = job->keep_tensors = FALSE;
  for (gsize w = 0; w < G_N_ELEMENTS (wanted); w++)
    if (ls_wanted_from (wanted[w], seat, seat->steps))
      {
        job->record = wanted[w]->begun = TRUE;
        job->keep_tensors |= wanted[w]->tensors;
      }
}

static void
post_train (LsCoordinator *self, LsSeat *seat, guint64 limit)
{
  LsJob *job = &seat->lane->job;
  const LsOptions *o = self->options;

  const double step_us = seat->step_us > 0 ? seat->step_us : (double) self->plan->flops / SLOWEST_MFLOPS;

  job->n_steps = turn_length (self, seat, limit);
  choose_record (self, seat);
  job->fuse = o->fusion;
  for (guint i = 0; i < job->n_steps; i++)
    {
      ls_batcher_get (self->batcher, seat->steps + i, job->index + (gsize) i * self->plan->batch);
      job->hyper[i] = (LsHyper){ .lr = o->lr,
                                 .momentum = o->momentum,
                                 .beta1 = 0.9,
                                 .beta2 = 0.999,
                                 .epsilon = 1e-8,
                                 .step = seat->steps + i + 1 };
    }
  seat->turn = job->n_steps;
  seat->turn_flags = job->record ? LS_POINT_RECORDED : 0;
  for (guint s = 0; s < self->n_seats; s++)
    if (ls_seat_coming (&self->seats[s]) || self->seats[s].trial != NULL || self->seats[s].warm != NULL)
      seat->turn_flags |= LS_POINT_DISTURBED;
  ls_coordinator_post (self, seat, LS_JOB_TRAIN, step_us * job->n_steps,
                       seat->steps - seat->start < 3 ? PATIENCE_FIRST_MS : PATIENCE_MS);
}

/* A step that is run op by op: the one that the lane is about to do. */
static void
post_op_by_op (LsCoordinator *self, LsSeat *seat, LsJobKind kind)
{
  seat->lane->job.n_steps = 1;
  ls_batcher_get (self->batcher, seat->steps, seat->lane->job.index);
  seat->lane->job.hyper[0] = (LsHyper){ .lr = self->options->lr,
                                        .momentum = self->options->momentum,
                                        .beta1 = 0.9,
                                        .beta2 = 0.999,
                                        .epsilon = 1e-8,
                                        .step = seat->steps + 1 };
  ls_coordinator_post (self, seat, kind, 100 * seat->step_us, LS_PATIENCE_OPEN_MS);
}

static gboolean
post_request (LsCoordinator *self, LsSeat *seat)
{
  if (self->request == LS_JOB_NONE || seat->asked)
    return FALSE;
  post_op_by_op (self, seat, self->request);
  return TRUE;
}

/* Lanes that disagree say which op does, once. */
static gboolean
post_examine (LsCoordinator *self, LsSeat *seat)
{
  if (!ls_coordinator_to_examine (self, seat))
    return FALSE;
  post_op_by_op (self, seat, LS_JOB_COMPARE);
  return TRUE;
}

gboolean
ls_coordinator_evaluates (const LsCoordinator *self, const LsSeat *seat)
{
  const guint64 epoch = ls_batcher_steps_per_epoch (self->batcher);

  return seat->steps > 0 && seat->accuracy_step != seat->steps && self->running
         && (seat->steps % epoch == 0 || seat->steps == self->target);
}

static gboolean
post_evaluate (LsCoordinator *self, LsSeat *seat)
{
  const double batches = (double) self->data->test.n / self->plan->batch + 1;

  if (!ls_coordinator_evaluates (self, seat))
    return FALSE;
  seat->lane->job.fuse = self->options->fusion;
  ls_coordinator_post (self, seat, LS_JOB_EVALUATE, batches * seat->step_us, PATIENCE_FIRST_MS);
  return TRUE;
}

/* No other lane that works is a few steps before or behind this one: a lane that still catches up doesn't
 * count. */
static gboolean
is_level (const LsCoordinator *self, const LsSeat *seat)
{
  for (guint s = 0; s < self->n_seats; s++)
    {
      const LsSeat *other = &self->seats[s];
      const guint64 apart = other->steps > seat->steps ? other->steps - seat->steps
                                                       : seat->steps - other->steps;
      if (ls_seat_working (other) && apart > 0 && apart <= LS_TURN_MAX)
        return FALSE;
    }
  return TRUE;
}

/* The question is the lane's own as long as it is at the job. */
static gboolean
post_question (LsCoordinator *self, LsSeat *seat)
{
  LsJob *job = &seat->lane->job;

  if (!is_asked (self, seat) || !is_level (self, seat))
    return FALSE;
  seat->answered = self->question_number;
  ls_question_unref (job->question);
  job->question = ls_question_ref (self->question);
  job->fuse = self->options->fusion;
  ls_coordinator_post (self, seat, LS_JOB_ANSWER,
                       ((double) job->question->set.n / self->plan->batch + 1) * seat->step_us,
                       PATIENCE_FIRST_MS);
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
  ls_coordinator_post (self, seat, LS_JOB_CONFIGURE, 0, LS_PATIENCE_OPEN_MS);
  return TRUE;
}

/* At a multiple of check_every, and at the target, the weights are read to be held against the other
 * lanes'. */
static gboolean
post_check (LsCoordinator *self, LsSeat *seat)
{
  const guint64 every = (guint64) self->options->check_every;

  if (every == 0 || self->n_seats < 2 || seat->steps == 0 || seat->checked_step == seat->steps)
    return FALSE;
  if (seat->steps % every != 0 && !(self->running && seat->steps == self->target))
    return FALSE;
  seat->checked_step = seat->steps;
  ls_coordinator_post (self, seat, LS_JOB_READ, 0, PATIENCE_MS);
  return TRUE;
}

static gboolean
any_joining (const LsCoordinator *self)
{
  for (guint s = 0; s < self->n_seats; s++)
    if (self->seats[s].joining)
      return TRUE;
  return FALSE;
}

/* How far a lane is to go: to the target. Once paused, a lane that is only a turn behind catches up, and all
 * do the step that is to be recorded; one that came late stays where it is. Before the last step, which is
 * recorded by all, a lane that is opened anew is waited for: it begins where the others are. The next step is
 * recorded by its lanes in any case. */
static guint64
limit_of (LsCoordinator *self, const LsSeat *seat)
{
  const gboolean next = self->next.step != LS_STEP_NONE && self->next.lanes & 1u << seat->lane->number;
  guint64 furthest = ls_coordinator_furthest (self), limit;

  if (self->last.step != LS_STEP_NONE)
    furthest = MAX (furthest, self->last.step + 1);
  if (self->running)
    limit = MIN (self->target, ls_pacer_limit (&self->pacer, seat->steps));
  else
    limit = furthest - seat->steps <= LS_TURN_MAX + 1 ? furthest : seat->steps;
  if (self->running && seat->steps <= self->last.step && self->last.step < limit && any_joining (self))
    limit = self->last.step;
  if (self->running)
    limit = MIN (limit, MAX (seat->steps, ls_coordinator_waits_after (self)));
  return next ? MAX (limit, self->next.step + 1) : limit;
}

/* The lane that is furthest behind of those that have something to do; NULL: none has. While the next step is
 * to be recorded, its lanes come first: a lane that came late catches up afterwards. */
static LsSeat *
choose_seat (LsCoordinator *self)
{
  const guint among = self->next.step != LS_STEP_NONE ? self->next.lanes : G_MAXUINT;
  LsSeat *chosen = NULL;

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (ls_seat_working (seat) && among & 1u << s && seat->steps < limit_of (self, seat)
          && (chosen == NULL || seat->steps < chosen->steps))
        chosen = seat;
    }
  return chosen;
}

/* Gives jobs to lanes that are free. FALSE if there is nothing to do for any lane that works. */
gboolean
ls_coordinator_schedule (LsCoordinator *self)
{
  const gboolean turns = self->turn_kind == LS_TURNS_TURNS;
  gboolean posted = FALSE;
  LsSeat *next;

  for (guint s = 0; s < self->n_seats; s++)
    if (ls_seat_working (&self->seats[s]) && self->seats[s].busy)
      return TRUE;
  ls_coordinator_show_walked (self);
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (!ls_seat_working (seat) || (turns && posted))
        continue;
      posted |= post_configure (self, seat) || ls_coordinator_post_kernels (self, seat)
                || post_request (self, seat) || post_examine (self, seat) || post_evaluate (self, seat)
                || post_check (self, seat) || post_question (self, seat)
                || ls_coordinator_post_walk (self, seat);
    }
  if (posted || ls_coordinator_join (self))
    return TRUE;
  ls_coordinator_pace (self);
  ls_coordinator_aim_next (self);
  next = choose_seat (self);
  if (next == NULL)
    return self->pacer.rests;
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (ls_seat_working (seat) && seat->steps == next->steps && (seat == next || !turns))
        post_train (self, seat, limit_of (self, seat));
    }
  return TRUE;
}
