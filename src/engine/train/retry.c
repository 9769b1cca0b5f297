/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes opened anew after they failed or hung. The old lane closes its device first, as two might not fit
 * into its memory; one that hangs has been let go of already. The new lane opens in the background like any
 * other, and training goes on meanwhile. Once it is there, the furthest lane that works saves its weights and
 * optimizer states between two turns, the new one loads them, and both are at the same step: which batch that
 * is, and the optimizer's step number, follow from the step. So does a run that goes on where an earlier one
 * was broken off.
 */
#include "config.h"
#include "backends/kernel_files.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

#define PATIENCE_MS 60000 /* for a checkpoint on its way to or from a device */
#define LEAVE_MS    5000  /* for closing a device */

static LsLaneControl *
furthest_lane (const LsCoordinator *self)
{
  const LsLaneControl *furthest = NULL;

  LANES (self, control)
    if (ls_control_working (control) && (furthest == NULL || control->steps > furthest->steps))
      furthest = control;
  return (LsLaneControl *) furthest;
}

guint64
ls_coordinator_furthest (const LsCoordinator *self)
{
  const LsLaneControl *furthest = furthest_lane (self);

  return furthest ? furthest->steps : 0;
}

/* ---- where a lane goes on ---- */

/* The curve's first n points as a curve of its own, since snapshots share the old one. NULL: no memory. */
static LsCurve *
curve_head (const LsCurve *curve, guint64 n)
{
  LsCurve *head = ls_curve_new ();

  for (guint64 i = 0; i < n; i++)
    if (!ls_curve_append (head, ls_curve_get (curve, i)))
      {
        ls_curve_unref (head);
        return NULL;
      }
  return head;
}

/* What was evaluated after more steps than that isn't this lane's future. */
static void
cut_accuracies (LsLaneControl *control, guint64 steps)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));

  for (guint i = 0; control->evaluations.all && i < control->evaluations.all->len; i++)
    {
      const LsAccuracy one = g_array_index (control->evaluations.all, LsAccuracy, i);
      if (one.steps <= steps)
        g_array_append_val (list, one);
    }
  g_clear_pointer (&control->evaluations.all, g_array_unref);
  control->evaluations.accuracy = list->len > 0 ? g_array_index (list, LsAccuracy, list->len - 1).accuracy
                                                : (double) NAN;
  control->evaluations.step = list->len > 0 ? g_array_index (list, LsAccuracy, list->len - 1).steps : 0;
  if (list->len > 0)
    control->evaluations.all = g_steal_pointer (&list);
  g_clear_pointer (&list, g_array_unref);
  if (control->evaluations.newest != NULL && control->evaluations.newest->steps > steps)
    g_clear_pointer (&control->evaluations.newest, ls_evaluation_unref);
}

/* The lane's history becomes `steps` long: cut, or with steps that are missing. FALSE if there is no
 * memory. */
static gboolean
set_history (LsLaneControl *control, guint64 steps)
{
  LsPoint missing = { .loss = NAN, .flags = LS_POINT_MISSING };

  if (steps < ls_curve_length (control->course.curve))
    {
      LsCurve *head = curve_head (control->course.curve, steps);
      if (head == NULL)
        return FALSE;
      ls_curve_unref (control->course.curve);
      control->course.curve = head;
      cut_accuracies (control, steps);
    }
  else if (steps > 0 && ls_curve_length (control->course.curve) > 0)
    missing.end_ms = ls_curve_get (control->course.curve, ls_curve_length (control->course.curve) - 1).end_ms;
  while (ls_curve_length (control->course.curve) < steps)
    if (!ls_curve_append (control->course.curve, missing))
      return FALSE;
  return TRUE;
}

/* Puts the lane after so many steps. FALSE: it is parked, because there is no memory for the curve. */
static gboolean
set_steps (LsCoordinator *self, LsLaneControl *control, guint64 steps)
{
  if (!set_history (control, steps))
    {
      ls_control_park_full (control);
      return FALSE;
    }
  control->steps = control->course.start = steps;
  control->checks.weights_step = steps; /* they are the other lane's own */
  control->checks.compared = MIN (control->checks.compared, steps);
  control->checks.apart = 0;
  control->checks.suspect = FALSE;
  control->figures.step_us = 0;
  control->figures.loss = NAN;
  control->figures.changed = MIN (control->figures.changed, steps);
  if (steps == self->begun)
    {
      control->figures.rate = control->figures.step = (LsFigure){ 0 };
      control->figures.steps = 0;
    }
  ls_coordinator_forget_records (self, control);
  ls_coordinator_forget_weights (self, control);
  return TRUE;
}

/* If all lanes begin again, so does what is known about them together. */
static void
begin_anew (LsCoordinator *self, LsLaneControl *control)
{
  control->entry = LS_ENTRY_FIRST;
  if (!set_steps (self, control, self->begun))
    return;
  LANES (self, other)
    if (other->steps > self->begun)
      return;
  ls_coordinator_forget_agreement (self);
}

/* What the recording has of the lane up to that step: its losses and how good it was. */
static gboolean
take_history (LsLaneControl *control, guint64 steps, const LsRecording *before)
{
  const gint number = before != NULL ? ls_recording_find (before, control->spec->id) : -1;
  const LsRecordedLane *lane = number >= 0 ? &before->lanes[number] : NULL;

  if (lane == NULL || lane->curve == NULL)
    return TRUE;
  for (guint64 i = 0; i < MIN (steps, lane->n_steps); i++)
    {
      LsPoint point = ls_curve_get (lane->curve, i);
      point.end_ms = 0;
      if (!ls_curve_append (control->course.curve, point))
        return FALSE;
    }
  if (lane->accuracies != NULL)
    {
      control->evaluations.all = g_array_ref (lane->accuracies);
      cut_accuracies (control, steps);
    }
  return TRUE;
}

gboolean
ls_coordinator_go_on (LsCoordinator *self, guint64 steps, const LsRecording *before, GError **error)
{
  self->begun = steps;
  LANES (self, control)
    {
      if (!take_history (control, steps, before) || !set_steps (self, control, steps))
        {
          g_set_error (
            error, LS_ERROR, LS_ERROR_MEMORY,
            _("The run can’t go on after %llu steps: the system grants no memory for their losses."),
            (unsigned long long) steps);
          return FALSE;
        }
      /* what another run's lanes differed in isn't these ones' */
      control->checks.compared = steps;
      control->figures.changed = steps;
    }
  return TRUE;
}

/* ---- opening ---- */

void
ls_coordinator_open (LsCoordinator *self, LsLaneControl *control)
{
  LsKernelFiles *files = control->kernels.files;
  LsLane *lane = control->lane;

  lane->options = ls_options_copy (control->spec->options);
  control->options.configure = control->options.affected = FALSE;
  control->entry = MIN (control->entry, LS_ENTRY_JOINS);
  control->watch.open_ns = ls_clock_ns ();
  for (guint p = 0; p < self->plan->n_params; p++)
    memcpy (lane->params[p], self->initial[p],
            ls_tensor_bytes (&self->plan->tensors[self->plan->params[p].weight]));
  control->checks.params_step = self->begun;
  ls_coordinator_post (
    self, control,
    &(LsRequest){ .kind = LS_JOB_OPEN, .kernels = files != NULL ? ls_kernel_files_ref (files) : NULL }, 0,
    LS_PATIENCE_OPEN_MS);
}

/* Another lane in the place of one whose thread is gone. */
static void
replace (LsCoordinator *self, LsLaneControl *control)
{
  g_autoptr (GError) error = NULL;
  LsLane *old = control->lane, *lane;

  lane = ls_lane_new (old->backend, old->number, self->plan, self->data, self->signal, &error);
  if (lane == NULL || !ls_lane_start (lane, &error))
    {
      ls_lane_unref (lane);
      ls_control_park (control, LS_STAGE_NONE, error->message);
      return;
    }
  control->lane = lane;
  ls_lane_unref (old);
  ls_coordinator_open (self, control);
}

void
ls_coordinator_reopen (LsCoordinator *self)
{
  const gboolean joining = furthest_lane (self) != NULL;

  LANES (self, control)
    {
      if (!ls_control_stopped (control))
        continue;
      g_clear_pointer (&control->message, g_free);
      control->answers.request = FALSE;
      control->entry = LS_ENTRY_JOINS;
      self->next.lanes &= ~ls_control_bit (control);
      if (!joining)
        begin_anew (self, control);
      if (control->stage == LS_STAGE_FAILED)
        {
          control->stage = LS_STAGE_CLOSING;
          control->watch.deadline_ns = ls_clock_ns () + (guint64) LEAVE_MS * 1000000;
          ls_lane_post (control->lane, &(LsRequest){ .kind = LS_JOB_QUIT });
        }
      else
        replace (self, control);
    }
}

void
ls_coordinator_replace_closed (LsCoordinator *self)
{
  const guint64 now_ns = ls_clock_ns ();

  LANES (self, control)
    {
      const gboolean gone = control->stage == LS_STAGE_CLOSING && ls_lane_done (control->lane);
      if (control->stage != LS_STAGE_CLOSING || (!gone && now_ns <= control->watch.deadline_ns))
        continue;
      if (!gone)
        ls_lane_abandon (control->lane);
      replace (self, control);
    }
}

/* ---- taking over ---- */

static void
park_waiting (LsCoordinator *self, const char *message)
{
  LANES (self, control)
    if (control->stage == LS_STAGE_OPEN)
      ls_control_park (control, LS_STAGE_FAILED, message);
}

gboolean
ls_coordinator_join (LsCoordinator *self)
{
  LsLaneControl *from = furthest_lane (self);
  LsRequest save = { .kind = LS_JOB_SAVE };
  g_autoptr (GError) error = NULL;
  gboolean any = FALSE;

  LANES (self, control)
    {
      if (control->stage != LS_STAGE_OPEN)
        continue;
      any = TRUE;
      if (from != NULL)
        continue;
      /* Whoever worked has stopped meanwhile. */
      control->stage = LS_STAGE_FREE;
      begin_anew (self, control);
      ls_coordinator_choose_turns (self);
    }
  if (!any || from == NULL || from->stage != LS_STAGE_FREE)
    return FALSE;
  if ((save.checkpoint = ls_checkpoint_new (self->plan, &error)) == NULL)
    {
      park_waiting (self, error->message);
      return FALSE;
    }
  ls_coordinator_post (self, from, &save, 0, PATIENCE_MS);
  return TRUE;
}

void
ls_coordinator_hand_over (LsCoordinator *self, const LsLaneControl *control)
{
  g_autoptr (GPtrArray) checkpoint = g_steal_pointer (&control->lane->request.checkpoint);

  LANES (self, other)
    {
      if (other->stage != LS_STAGE_OPEN || !set_steps (self, other, control->steps))
        continue;
      ls_coordinator_post (self, other,
                           &(LsRequest){ .kind = LS_JOB_LOAD, .checkpoint = g_ptr_array_ref (checkpoint) }, 0,
                           PATIENCE_MS);
    }
}
