/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who does what next: options, requests, evaluations and checks first, then the steps of whoever is furthest
 * behind.
 */
#include "core/stored.h"
#include "train/private.h"

#define TURN_US           8000.0 /* a turn is about as long, so that hand-overs cost little */
#define TURN_WATCH_US     2000.0 /* at watch pace: most end before the window paints its next frame */
#define PATIENCE_MS       5000   /* a job's grace, above 20 times the expected time */
#define PATIENCE_FIRST_MS 60000  /* while the expected time isn't known */
#define SLOW_MS           3000   /* above 20 times the expected time: the others go on */
#define SLOW_BUILD_MS     500    /* they do sooner beside a compiler */
#define SLOWEST_MFLOPS    1000.0 /* a first step is expected to be as slow as this */

void
ls_coordinator_post (LsCoordinator *self, LsLaneControl *control, const LsRequest *request,
                     double expected_us, guint grace_ms)
{
  const guint64 patience_ms = self->patience_ms ? self->patience_ms : grace_ms, now_ns = ls_clock_ns ();
  const gboolean builds = request->kind == LS_JOB_CONFIGURE || request->kind == LS_JOB_RELOAD;

  control->stage = request->kind == LS_JOB_OPEN   ? LS_STAGE_OPENING
                   : request->kind == LS_JOB_LOAD ? LS_STAGE_LOADING
                                                  : LS_STAGE_BUSY;
  if (request->kind == LS_JOB_READ)
    control->checks.params_step = LS_STEP_NONE;
  control->watch.posted_ns = now_ns;
  control->watch.expected_ns = (guint64) (expected_us * 1e3);
  control->watch.slow_ns = now_ns + (builds ? SLOW_BUILD_MS : SLOW_MS) * 1000000u
                           + 20 * control->watch.expected_ns;
  control->watch.grace_ns = patience_ms * 1000000 + 20 * control->watch.expected_ns;
  control->watch.deadline_ns = now_ns + control->watch.grace_ns;
  ls_lane_progress (control->lane, &control->watch.build_done, &control->watch.build_total);
  ls_lane_post (control->lane, request);
}

/* A question waits for the lane. */
static gboolean
is_asked (const LsCoordinator *self, const LsLaneControl *control)
{
  return self->question != NULL && control->answers.number != self->question_number;
}

/* Steps until something must be looked at: a check, an epoch's end, a recorded step, the target. */
static guint
turn_length (LsCoordinator *self, const LsLaneControl *control, guint64 limit)
{
  const guint64 epoch = ls_batcher_steps_per_epoch (self->batcher),
                check = (guint64) self->options->check_every;
  const double turn_us = self->pacer.pace == LS_PACE_WATCH ? TURN_WATCH_US : TURN_US;
  guint64 n = control->figures.step_us > 0
                ? (guint64) CLAMP (turn_us / control->figures.step_us, 1, LS_TURN_MAX)
                : 1;

  if (self->data->train.stored != NULL)
    n = MIN (n, ls_block_steps (&self->data->train, self->plan->batch));
  n = MIN (n, limit - control->steps);
  /* lanes that are asked meet first, so that they answer with the weights after the same step */
  if (is_asked (self, control) && ls_coordinator_furthest (self) > control->steps)
    n = MIN (n, ls_coordinator_furthest (self) - control->steps);
  n = MIN (n, epoch - control->steps % epoch);
  if (check > 0)
    n = MIN (n, check - control->steps % check);
  if (self->last.step >= control->steps)
    n = MIN (n, MAX (self->last.step - control->steps, 1));
  if (self->next.step >= control->steps)
    n = MIN (n, MAX (self->next.step - control->steps, 1));
  return (guint) n;
}

/* The samples of the next turn are fetched while the lane is at this one, which it was given before, so as
 * not to wait for these calls; beyond the epoch's end another order would have to be drawn. No lane asks the
 * batcher: this thread alone does. */
static void
expect (LsCoordinator *self, guint64 from, guint n)
{
  const LsDataset *set = &self->data->train;
  const guint64 epoch = ls_batcher_steps_per_epoch (self->batcher);
  g_autofree guint32 *index = NULL;

  if (set->stored == NULL)
    return;
  index = g_new (guint32, self->plan->batch);
  for (guint64 step = from; step < from + n && step / epoch == (from - 1) / epoch; step++)
    {
      ls_batcher_get (self->batcher, step, index);
      ls_stored_expect (set->stored, index, self->plan->batch);
    }
}

/* n steps from the one on that the lane is about to do. */
static LsRequest
steps_request (LsCoordinator *self, LsLaneControl *control, LsJobKind kind, guint n)
{
  const LsOptions *o = control->spec->options;
  const LsHyper first = { .lr = o->lr,
                          .momentum = o->momentum,
                          .beta1 = 0.9,
                          .beta2 = 0.999,
                          .epsilon = 1e-8,
                          .step = control->steps + 1,
                          .seed = (guint64) self->options->seed };

  for (guint i = 0; i < n; i++)
    ls_batcher_get (self->batcher, control->steps + i, control->lane->index + (gsize) i * self->plan->batch);
  return (LsRequest){ .kind = kind, .fuse = o->fusion, .train = { .n_steps = n, .first = first } };
}

/* Whether the step that the lane is about to do is to be recorded. */
static void
choose_record (LsCoordinator *self, const LsLaneControl *control, LsRequest *request)
{
  LsWanted *const wanted[] = { &self->last, &self->next };
  for (gsize w = 0; w < G_N_ELEMENTS (wanted); w++)
    if (ls_wanted_from (wanted[w], control, control->steps))
      {
        ls_wanted_begin (wanted[w], self, control);
        request->train.record = TRUE;
        request->train.keep_tensors |= wanted[w]->tensors;
      }
}

static void
post_train (LsCoordinator *self, LsLaneControl *control, guint64 limit)
{
  const double step_us = control->figures.step_us > 0 ? control->figures.step_us
                                                      : (double) self->plan->flops / SLOWEST_MFLOPS;

  LsRequest request = steps_request (self, control, LS_JOB_TRAIN, turn_length (self, control, limit));

  choose_record (self, control, &request);
  control->course.turn = request.train.n_steps;
  control->course.turn_flags = request.train.record ? LS_POINT_RECORDED : 0;
  LANES (self, other)
    if (ls_control_coming (other) || other->kernels.trial != NULL || other->walks.warm != NULL
        || ls_control_slow (other))
      control->course.turn_flags |= LS_POINT_DISTURBED;
  ls_coordinator_post (self, control, &request, step_us * request.train.n_steps,
                       control->steps - control->course.start < 3 ? PATIENCE_FIRST_MS : PATIENCE_MS);
  expect (self, control->steps + request.train.n_steps, request.train.n_steps);
}

/* A step that is run op by op: the one that the lane is about to do. */
static void
post_op_by_op (LsCoordinator *self, LsLaneControl *control, LsJobKind kind)
{
  const LsRequest request = steps_request (self, control, kind, 1);

  ls_coordinator_post (self, control, &request, 100 * control->figures.step_us, LS_PATIENCE_OPEN_MS);
}

static gboolean
post_request (LsCoordinator *self, LsLaneControl *control)
{
  if (self->request == LS_JOB_NONE || control->answers.request)
    return FALSE;
  post_op_by_op (self, control, self->request);
  return TRUE;
}

/* Lanes that disagree say which op does, once. */
static gboolean
post_examine (LsCoordinator *self, LsLaneControl *control)
{
  if (!ls_coordinator_to_examine (self, control))
    return FALSE;
  post_op_by_op (self, control, LS_JOB_COMPARE);
  return TRUE;
}

gboolean
ls_coordinator_evaluates (const LsCoordinator *self, const LsLaneControl *control)
{
  const guint64 epoch = ls_batcher_steps_per_epoch (self->batcher);

  return control->steps > 0 && control->evaluations.step != control->steps && self->running
         && (control->steps % epoch == 0 || control->steps == self->target);
}

static gboolean
post_evaluate (LsCoordinator *self, LsLaneControl *control)
{
  const double batches = (double) self->data->test.n / self->plan->batch + 1;

  if (!ls_coordinator_evaluates (self, control))
    return FALSE;
  ls_coordinator_post (self, control,
                       &(LsRequest){ .kind = LS_JOB_EVALUATE, .fuse = control->spec->options->fusion },
                       batches * control->figures.step_us, PATIENCE_FIRST_MS);
  return TRUE;
}

/* No other lane that works is a few steps before or behind this one: a lane that still catches up doesn't
 * count. */
static gboolean
is_level (const LsCoordinator *self, const LsLaneControl *control)
{
  LANES (self, other)
    {
      const guint64 apart = other->steps > control->steps ? other->steps - control->steps
                                                          : control->steps - other->steps;
      if (ls_control_working (other) && !ls_control_slow (other) && apart > 0 && apart <= LS_TURN_MAX)
        return FALSE;
    }
  return TRUE;
}

static gboolean
post_question (LsCoordinator *self, LsLaneControl *control)
{
  if (!is_asked (self, control) || !is_level (self, control))
    return FALSE;
  control->answers.number = self->question_number;
  ls_coordinator_post (self, control,
                       &(LsRequest){ .kind = LS_JOB_ANSWER,
                                     .fuse = control->spec->options->fusion,
                                     .question = ls_question_ref (self->question) },
                       ((double) self->question->set.n / self->plan->batch + 1) * control->figures.step_us,
                       PATIENCE_FIRST_MS);
  return TRUE;
}

static gboolean
post_configure (LsCoordinator *self, LsLaneControl *control)
{
  if (!control->options.configure)
    return FALSE;
  control->options.configure = FALSE;
  ls_options_free (control->lane->options);
  control->lane->options = ls_options_copy (control->spec->options);
  ls_coordinator_post (self, control, &(LsRequest){ .kind = LS_JOB_CONFIGURE }, 0, LS_PATIENCE_OPEN_MS);
  return TRUE;
}

/* At a multiple of check_every, and at the target, the weights are read: to be held against the other lanes',
 * and to be what is left of the run if all lanes stop. */
static gboolean
post_check (LsCoordinator *self, LsLaneControl *control)
{
  const guint64 every = (guint64) self->options->check_every;

  if (every == 0 || control->steps == 0 || control->checks.weights_step == control->steps)
    return FALSE;
  if (control->steps % every != 0 && !(self->running && control->steps == self->target))
    return FALSE;
  control->checks.weights_step = control->steps;
  ls_coordinator_post (self, control, &(LsRequest){ .kind = LS_JOB_READ }, 0, PATIENCE_MS);
  return TRUE;
}

static gboolean
any_joining (const LsCoordinator *self)
{
  LANES (self, control)
    if (control->entry != LS_ENTRY_FIRST)
      return TRUE;
  return FALSE;
}

/* How far a lane is to go: to the target. Once paused, a lane that is only a turn behind catches up, and all
 * do the step that is to be recorded; one that came late stays where it is. Before the last step, which is
 * recorded by all, a lane that is opened anew is waited for: it begins where the others are. The next step is
 * recorded by its lanes in any case. */
static guint64
limit_of (LsCoordinator *self, const LsLaneControl *control)
{
  const gboolean next = self->next.step != LS_STEP_NONE && self->next.lanes & ls_control_bit (control);
  guint64 furthest = ls_coordinator_furthest (self), limit;

  if (self->last.step != LS_STEP_NONE)
    furthest = MAX (furthest, self->last.step + 1);
  if (self->running)
    limit = MIN (self->target, ls_pacer_limit (&self->pacer, control->steps));
  else
    limit = furthest - control->steps <= LS_TURN_MAX + 1 ? furthest : control->steps;
  if (self->running && control->steps <= self->last.step && self->last.step < limit && any_joining (self))
    limit = self->last.step;
  if (self->running)
    limit = MIN (limit, MAX (control->steps, ls_coordinator_waits_after (self)));
  return next ? MAX (limit, self->next.step + 1) : limit;
}

/* The lane that is furthest behind of those that have something to do; NULL: none has. While the next step is
 * to be recorded, its lanes come first: a lane that came late catches up afterwards. Of lanes that are as far
 * the one that went last goes first, so that each is that as often: it fetches the batch from memory, and who
 * comes after it on the same processor may find it in a cache. */
static LsLaneControl *
choose_lane (LsCoordinator *self)
{
  const guint among = self->next.step != LS_STEP_NONE ? self->next.lanes : G_MAXUINT;
  LsLaneControl *chosen = NULL;

  for (guint i = 0; i < self->n_lanes; i++)
    {
      LsLaneControl *control = &self->lanes[(self->last_lane + i) % self->n_lanes];

      if (control->stage == LS_STAGE_FREE && among & ls_control_bit (control)
          && control->steps < limit_of (self, control) && (chosen == NULL || control->steps < chosen->steps))
        chosen = control;
    }
  if (chosen != NULL)
    self->last_lane = (guint) (chosen - self->lanes);
  return chosen;
}

/* No lane that works is at a job, slow ones apart: a burst begins, or all rest. */
static void
pace (LsCoordinator *self)
{
  LsPacer *pacer = &self->pacer;
  LsPaceLook look = { .pace = (LsPace) self->options->pace,
                      .now_ns = ls_clock_ns (),
                      .least = G_MAXUINT64,
                      .asked = self->next_asked || self->next.step != LS_STEP_NONE };

  LANES (self, control)
    {
      if (control->stage != LS_STAGE_FREE)
        continue;
      look.least = MIN (look.least, control->steps);
      look.furthest = MAX (look.furthest, control->steps);
      if (control->figures.step_us > 0)
        look.step_us = look.step_us > 0 ? MIN (look.step_us, control->figures.step_us)
                                        : control->figures.step_us;
    }
  if (self->running && look.least < self->target)
    {
      ls_pacer_look (pacer, &look);
      return;
    }
  /* nothing is held any more: what is asked for at rest is done at once */
  pacer->rests = FALSE;
  pacer->cold |= pacer->pace != LS_PACE_FULL;
  pacer->settled = pacer->begin;
}

/* Gives jobs to lanes that are free, once no other is at one that it will soon have done. FALSE if there is
 * nothing to do for any lane that works; once paused, a slow one isn't waited for. */
gboolean
ls_coordinator_schedule (LsCoordinator *self)
{
  const gboolean turns = self->turn_kind == LS_TURNS_TURNS;
  gboolean posted = FALSE;
  LsLaneControl *next;

  gboolean slow = FALSE;

  LANES (self, control)
    if (control->stage == LS_STAGE_BUSY && !ls_control_slow (control))
      return TRUE;
    else
      slow |= control->stage == LS_STAGE_BUSY;
  ls_coordinator_show_walked (self);
  LANES (self, control)
    {
      if (control->stage != LS_STAGE_FREE || (turns && posted))
        continue;
      posted |= post_configure (self, control) || ls_coordinator_post_kernels (self, control)
                || post_request (self, control) || post_examine (self, control)
                || post_evaluate (self, control) || post_check (self, control)
                || post_question (self, control) || ls_coordinator_post_walk (self, control);
    }
  if (posted || ls_coordinator_join (self))
    return TRUE;
  pace (self);
  ls_coordinator_aim_next (self);
  next = choose_lane (self);
  if (next == NULL)
    return self->pacer.rests || (slow && self->running);
  LANES (self, control)
    {
      /* one that isn't to record the step that the others do may have to stay where it is */
      const guint64 limit = limit_of (self, control);
      if (control->stage == LS_STAGE_FREE && control->steps == next->steps && control->steps < limit
          && (control == next || !turns))
        post_train (self, control, limit);
    }
  return TRUE;
}
