/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes opened anew after they failed or hung. The old lane closes its device first, as two might not fit
 * into its memory; one that hangs has been let go of already. The new lane opens in the background like any
 * other, and training goes on meanwhile. Once it is there, the furthest lane that works saves its weights and
 * optimizer states between two turns, the new one loads them, and both are at the same step: which batch that
 * is, and the optimizer's step number, follow from the step.
 */
#include "backends/kernel_files.h"
#include "train/private.h"

#include <math.h>
#include <string.h>

#define PATIENCE_MS 60000 /* for a checkpoint on its way to or from a device */
#define LEAVE_MS    5000  /* for closing a device */

static LsSeat *
furthest_seat (const LsCoordinator *self)
{
  const LsSeat *furthest = NULL;

  for (guint s = 0; s < self->n_seats; s++)
    if (ls_seat_working (&self->seats[s]) && (furthest == NULL || self->seats[s].steps > furthest->steps))
      furthest = &self->seats[s];
  return (LsSeat *) furthest;
}

guint64
ls_coordinator_furthest (const LsCoordinator *self)
{
  const LsSeat *furthest = furthest_seat (self);

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
cut_accuracies (LsSeat *seat, guint64 steps)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));

  for (guint i = 0; seat->accuracies && i < seat->accuracies->len; i++)
    {
      const LsAccuracy one = g_array_index (seat->accuracies, LsAccuracy, i);
      if (one.steps <= steps)
        g_array_append_val (list, one);
    }
  g_clear_pointer (&seat->accuracies, g_array_unref);
  seat->accuracy = list->len > 0 ? g_array_index (list, LsAccuracy, list->len - 1).accuracy : (double) NAN;
  seat->accuracy_step = list->len > 0 ? g_array_index (list, LsAccuracy, list->len - 1).steps : 0;
  if (list->len > 0)
    seat->accuracies = g_steal_pointer (&list);
  g_clear_pointer (&list, g_array_unref);
  if (seat->evaluation != NULL && seat->evaluation->steps > steps)
    g_clear_pointer (&seat->evaluation, ls_evaluation_unref);
}

/* The seat's history becomes `steps` long: cut, or with steps that are missing. FALSE if there is no
 * memory. */
static gboolean
set_history (LsSeat *seat, guint64 steps)
{
  LsPoint missing = { .loss = NAN, .flags = LS_POINT_MISSING };

  if (steps < ls_curve_length (seat->curve))
    {
      LsCurve *head = curve_head (seat->curve, steps);
      if (head == NULL)
        return FALSE;
      ls_curve_unref (seat->curve);
      seat->curve = head;
      cut_accuracies (seat, steps);
    }
  else if (steps > 0 && ls_curve_length (seat->curve) > 0)
    missing.end_ms = ls_curve_get (seat->curve, ls_curve_length (seat->curve) - 1).end_ms;
  while (ls_curve_length (seat->curve) < steps)
    if (!ls_curve_append (seat->curve, missing))
      return FALSE;
  return TRUE;
}

/* Puts the seat after so many steps. FALSE: it is parked, because there is no memory for the curve. */
static gboolean
set_steps (LsCoordinator *self, LsSeat *seat, guint64 steps)
{
  if (!set_history (seat, steps))
    {
      ls_seat_park_full (seat);
      return FALSE;
    }
  seat->steps = seat->start = steps;
  seat->checked_step = steps; /* they are the other lane's own */
  seat->compared = MIN (seat->compared, steps);
  seat->apart = 0;
  seat->suspect = FALSE;
  seat->step_us = 0;
  seat->loss = NAN;
  if (steps == 0)
    {
      seat->rate = seat->step_figure = (LsFigure){ 0 };
      seat->figure_steps = 0;
    }
  ls_coordinator_forget_records (self, seat);
  ls_coordinator_forget_weights (self, seat);
  return TRUE;
}

/* If all lanes begin again, so does what is known about them together. */
static void
forget_agreement (LsCoordinator *self)
{
  for (guint s = 0; s < self->n_seats; s++)
    if (self->seats[s].steps > 0)
      return;
  g_free (self->agreement.weights_tensor);
  self->agreement = (LsAgreement){ 0 };
  g_clear_pointer (&self->kept, g_ptr_array_unref);
}

static void
begin_anew (LsCoordinator *self, LsSeat *seat)
{
  seat->joining = seat->overdue = FALSE;
  if (set_steps (self, seat, 0))
    forget_agreement (self);
}

/* ---- opening ---- */

void
ls_coordinator_open (LsCoordinator *self, LsSeat *seat)
{
  LsJob *job = &seat->lane->job;

  job->options = ls_options_copy (self->options);
  job->fuse = self->options->fusion;
  job->kernels = seat->kernels != NULL ? ls_kernel_files_ref (seat->kernels) : NULL;
  seat->configure = seat->affected = seat->overdue = FALSE;
  seat->open_ns = ls_clock_ns ();
  for (guint p = 0; p < self->plan->n_params; p++)
    memcpy (job->params[p], self->initial[p],
            ls_tensor_bytes (&self->plan->tensors[self->plan->params[p].weight]));
  ls_coordinator_post (self, seat, LS_JOB_OPEN, 0, LS_PATIENCE_OPEN_MS);
}

/* Another lane in the place of one whose thread is gone. */
static void
replace (LsCoordinator *self, LsSeat *seat)
{
  g_autoptr (GError) error = NULL;
  LsLane *old = seat->lane, *lane;

  lane = ls_lane_new (old->backend, old->number, self->plan, self->data, self->signal, &error);
  seat->started = lane != NULL && ls_lane_start (lane, &error);
  if (!seat->started)
    {
      ls_lane_unref (lane);
      ls_seat_park (seat, LS_LANE_FAILED, error->message);
      return;
    }
  seat->lane = lane;
  ls_lane_unref (old);
  ls_coordinator_open (self, seat);
}

void
ls_coordinator_reopen (LsCoordinator *self)
{
  const gboolean joining = furthest_seat (self) != NULL;

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      const gboolean answers = seat->started && seat->state == LS_LANE_FAILED;
      if (!ls_seat_stopped (seat))
        continue;
      seat->state = LS_LANE_OPENING;
      g_clear_pointer (&seat->message, g_free);
      seat->asked = FALSE;
      seat->joining = joining;
      self->next.lanes &= ~(1u << s);
      if (!joining)
        begin_anew (self, seat);
      seat->leaving = answers;
      if (answers)
        {
          seat->leave_ns = ls_clock_ns () + (guint64) LEAVE_MS * 1000000;
          ls_lane_post (seat->lane, LS_JOB_QUIT);
        }
      else
        replace (self, seat);
    }
}

void
ls_coordinator_replace_closed (LsCoordinator *self)
{
  const guint64 now_ns = ls_clock_ns ();

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      const gboolean gone = seat->leaving && ls_lane_done (seat->lane);
      if (!seat->leaving || (!gone && now_ns <= seat->leave_ns))
        continue;
      if (!gone)
        ls_lane_abandon (seat->lane);
      seat->leaving = FALSE;
      replace (self, seat);
    }
}

/* ---- taking over ---- */

/* It has been opened anew, and has no weights yet. */
static gboolean
is_waiting (const LsSeat *seat)
{
  return seat->joining && !seat->leaving && !seat->busy;
}

static void
park_waiting (LsCoordinator *self, const char *message)
{
  for (guint s = 0; s < self->n_seats; s++)
    if (is_waiting (&self->seats[s]))
      ls_seat_park (&self->seats[s], LS_LANE_FAILED, message);
}

gboolean
ls_coordinator_join (LsCoordinator *self)
{
  LsSeat *from = furthest_seat (self);
  g_autoptr (GError) error = NULL;
  gboolean any = FALSE;

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (!is_waiting (seat))
        continue;
      any = TRUE;
      if (from != NULL)
        continue;
      /* Whoever worked has stopped meanwhile. */
      seat->state = LS_LANE_READY;
      begin_anew (self, seat);
      ls_coordinator_choose_turns (self);
    }
  if (!any || from == NULL)
    return FALSE;
  from->lane->job.checkpoint = ls_checkpoint_new (self->plan, &error);
  if (from->lane->job.checkpoint == NULL)
    {
      park_waiting (self, error->message);
      return FALSE;
    }
  ls_coordinator_post (self, from, LS_JOB_SAVE, 0, PATIENCE_MS);
  return TRUE;
}

void
ls_coordinator_hand_over (LsCoordinator *self, const LsSeat *seat)
{
  g_autoptr (GPtrArray) checkpoint = g_steal_pointer (&seat->lane->job.checkpoint);

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *other = &self->seats[s];
      if (!is_waiting (other) || !set_steps (self, other, seat->steps))
        continue;
      other->lane->job.checkpoint = g_ptr_array_ref (checkpoint);
      ls_coordinator_post (self, other, LS_JOB_LOAD, 0, PATIENCE_MS);
    }
}
