/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks through products (model/walk.h) of the newest recorded step, as the owner wishes them: which one is
 * next, the lane's job, and the recording that has it. A recorded step is shown once its walks are there; one
 * more that is wished for later makes a new recording that shares all else. What a walk needs is built beside
 * the lane first (warm.c). What its device can do at most the lane measures once: with its first walk, or,
 * where none is wished for, once a step has been recorded and all is calm.
 */
#include "config.h"
#include "train/private.h"

#include <string.h>

#define PATIENCE_MS 60000
#define SLOW_MFLOPS 100.0 /* a product is expected to run no slower */

static const LsWalkWish roofs_alone = { LS_WALK_ROOFS, -1, -1, -1 };

static LsRecording *
target (const LsCoordinator *self)
{
  return self->fresh != NULL ? self->fresh : self->recording;
}

/* The first product and rung that are wished for and that the recording has no walk of. */
static gboolean
find_missing (const LsCoordinator *self, const LsRecording *recording, guint lane, LsWalkWish *missing)
{
  const LsWalkWish *wish = &self->walk_wish;

  for (guint op = 0; op < self->plan->n_ops; op++)
    {
      const LsTiling *tilings = recording->lanes[lane].tilings;
      const gint own = ls_rung_of (&tilings[tilings[op].leader]);
      const gint rungs[] = { wish->op == LS_WALK_ALL_OPS ? LS_RUNG_TILED : wish->rung,
                             wish->op == LS_WALK_ALL_OPS ? own : -2 };

      if (self->plan->ops[op].attr.m == 0 || (wish->op != LS_WALK_ALL_OPS && wish->op != (gint) op))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
        {
          *missing = (LsWalkWish){ (gint) op, rungs[i] == -1 ? LS_RUNG_TILED : rungs[i], wish->row,
                                   wish->col };
          if (rungs[i] >= -1 && ls_recording_walk (recording, lane, missing) == NULL)
            return TRUE;
        }
    }
  return FALSE;
}

/* Nothing opens, compiles or is tried beside the lanes, and each is past its first steps: a good moment to
 * measure the devices. Nobody trains meanwhile, so no step is beside it. */
static gboolean
is_calm (const LsCoordinator *self)
{
  LANES (self, control)
    {
      if (ls_control_coming (control) || ls_control_slow (control) || control->kernels.trial != NULL
          || (ls_control_working (control) && control->steps - control->course.start < LS_WARM_UP_STEPS)
          || (control->walks.warm != NULL && !ls_control_is_warm (self, control, &roofs_alone)))
        return FALSE;
    }
  return TRUE;
}

/* The step was recorded with as many threads as the lane has now: what it can do at most is the same. */
static gboolean
is_as_now (const LsLaneControl *control, const LsRecording *recording, gint lane)
{
  return recording->lanes[lane].device->threads == control->facts->device->threads;
}

/* What the lane has still to do for a walk; FALSE: nothing. missing->op: LS_WALK_NO_OP: only to measure the
 * device. */
static gboolean
is_wanted (const LsCoordinator *self, const LsLaneControl *control, LsWalkWish *missing)
{
  const LsRecording *recording = target (self);
  const gint lane = recording != NULL && control->lane->backend->roofs != NULL
                      ? ls_recording_find (recording, control->spec->id)
                      : -1;

  *missing = (LsWalkWish){ .op = LS_WALK_NO_OP };
  if (lane < 0)
    return FALSE;
  if (self->walk_wish.op != LS_WALK_NO_OP && recording->lanes[lane].tensors->len > 0
      && control->lane->backend->walk != NULL && find_missing (self, recording, (guint) lane, missing))
    return TRUE;
  return !control->walks.measured && is_as_now (control, recording, lane)
         && (self->walk_wish.op != LS_WALK_NO_OP || is_calm (self));
}

gboolean
ls_coordinator_post_walk (LsCoordinator *self, LsLaneControl *control)
{
  LsRequest request = { .kind = LS_JOB_WALK };
  LsWalkWish missing;

  if (!is_wanted (self, control, &missing))
    return FALSE;
  /* what measures the device is built with it */
  if (control->lane->backend->build != NULL
      && !ls_coordinator_warm_walk (self, control, missing.op >= 0 ? &missing : &roofs_alone))
    return FALSE;
  request.walk.wish = missing;
  request.walk.of = ls_recording_ref (target (self));
  request.walk.lane = (guint) ls_recording_find (target (self), control->spec->id);
  request.walk.measure = !control->walks.measured
                         && is_as_now (control, request.walk.of, (gint) request.walk.lane);
  ls_coordinator_post (self, control, &request,
                       missing.op >= 0 ? (double) self->plan->ops[missing.op].flops / SLOW_MFLOPS : 0,
                       PATIENCE_MS);
  return TRUE;
}

/* What went wrong is what the walk says; the lane goes on. */
static LsWalk *
failed_walk (const LsWalkWish *wish, const char *message)
{
  LsWalk *walk = ls_walk_new ();

  walk->op = (guint) wish->op;
  walk->rung = (guint) wish->rung;
  walk->message = g_strdup (message);
  return walk;
}

/* The device's limits join what is known about it. */
static void
take_limits (LsCoordinator *self, LsLaneControl *control)
{
  control->walks.measured = TRUE;
  memcpy (control->walks.roofs, control->lane->result.walk.roofs, sizeof control->walks.roofs);
  ls_control_update_facts (self, control);
}

void
ls_coordinator_take_walk (LsCoordinator *self, LsLaneControl *control)
{
  const LsRequest *request = &control->lane->request;
  LsWalk *walk = control->lane->result.walk.walk;
  LsRecording *of = request->walk.of;
  LsRecording **shown = self->fresh != NULL ? &self->fresh : &self->recording, *with;
  const LsFigure *roofs;
  g_autoptr (GError) error = NULL;

  if (request->walk.measure)
    take_limits (self, control);
  if (*shown != of)
    return;
  roofs = is_as_now (control, of, (gint) request->walk.lane) ? control->walks.roofs : NULL;
  with = ls_recording_with_walk (of, request->walk.lane, walk, roofs, &error);
  if (with == NULL && walk != NULL)
    {
      g_autoptr (LsWalk) failed = failed_walk (&request->walk.wish, error->message);
      with = ls_recording_with_walk (of, request->walk.lane, failed, roofs, NULL);
    }
  /* a recording that has no room for one more must not be asked for it again and again */
  if (with == NULL)
    {
      self->walk_wish.op = LS_WALK_NO_OP;
      return;
    }
  ls_recording_unref (*shown);
  *shown = with;
}

void
ls_coordinator_show_walked (LsCoordinator *self)
{
  LsWalkWish missing;

  if (self->fresh == NULL)
    return;
  LANES (self, control)
    if (ls_control_working (control) && is_wanted (self, control, &missing)
        && ls_control_is_warm (self, control, missing.op >= 0 ? &missing : &roofs_alone))
      return;
  g_clear_pointer (&self->recording, ls_recording_unref);
  self->recording = g_steal_pointer (&self->fresh);
}

void
ls_coordinator_keep_fresh (LsCoordinator *self, LsRecording *recording)
{
  g_clear_pointer (&self->fresh, ls_recording_unref);
  LANES (self, control)
    {
      const gint lane = control->walks.measured ? ls_recording_find (recording, control->spec->id) : -1;
      if (lane >= 0 && is_as_now (control, recording, lane))
        memcpy (recording->lanes[lane].device->roofs, control->walks.roofs, sizeof control->walks.roofs);
    }
  self->fresh = recording;
  ls_coordinator_show_walked (self);
}

/* ---- on the lane's thread ---- */

gboolean
ls_lane_walk (LsLane *lane)
{
  const LsWalkWish *wish = &lane->request.walk.wish;
  const LsRecordedLane *recorded = &lane->request.walk.of->lanes[lane->request.walk.lane];
  g_autofree const void **values = g_new0 (const void *, lane->plan->n_tensors);
  const LsWalkOrder order = { (guint) MAX (wish->op, 0), (LsRung) wish->rung, wish->row, wish->col, values };
  LsWalk **walk = &lane->result.walk.walk;
  g_autoptr (GError) error = NULL;

  if (lane->request.walk.measure)
    lane->backend->roofs->measure (lane->instance, lane->result.walk.roofs, NULL);
  if (wish->op < 0)
    return TRUE;
  for (guint list = 0; list < 2; list++)
    {
      const GArray *tensors = list == 0 ? recorded->tensors : recorded->before;
      for (guint i = 0; i < tensors->len; i++)
        values[g_array_index (tensors, LsRecordedTensor, i).shape]
          = g_array_index (tensors, LsRecordedTensor, i).values;
    }
  for (guint i = 0; i < lane->plan->n_tensors; i++)
    if (lane->plan->tensors[i].is_view)
      values[i] = ls_recording_values_at (lane->request.walk.of, lane->request.walk.lane, i);
  if (!lane->backend->walk->walk (lane->instance, &order, walk, &error))
    *walk = failed_walk (wish, error->message);
  return TRUE;
}
