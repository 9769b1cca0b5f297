/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes held against the first one that works: the loss of every step, all weights every so often.
 */
#include "train/private.h"

#include <math.h>
#include <string.h>

#include "files/weights.h"

static gboolean
has_done (const LsLaneControl *control, guint64 step)
{
  return step < control->steps && !(ls_curve_get (control->course.curve, step).flags & LS_POINT_MISSING);
}

/* Whether it does each step between its present one and the others'; a lane opened anew begins with theirs,
 * but one that is just given another's weights with the steps after these. */
static gboolean
will_do (const LsLaneControl *control)
{
  return ls_control_working (control) || ls_control_awaited (control) || control->stage == LS_STAGE_LOADING;
}

/* Which lane's loss of a step lane s is held against: the first lane's before it that has done the step or
 * still may; of the same precision, where there is one. */
static const LsLaneControl *
counterpart (const LsCoordinator *self, guint s, guint64 step)
{
  const gint precision = self->lanes[s].spec->options->precision;
  const LsLaneControl *other = NULL;

  for (guint f = 0; f < s; f++)
    {
      const LsLaneControl *control = &self->lanes[f];
      if (!has_done (control, step) && (step < control->steps || !will_do (control)))
        continue;
      if (control->spec->options->precision == precision)
        return control;
      other = other != NULL ? other : control;
    }
  return other;
}

/* control's loss of the step that is compared is second, other's first. The step that is named is the first
 * one out of bounds before the mean was. */
static void
judge_losses (LsCoordinator *self, LsLaneControl *control, const LsLaneControl *other, double first,
              double second)
{
  const double delta = fabs (first - second) / MAX (1, MAX (fabs (first), fabs (second)));
  const gboolean one_number = isfinite (first) != isfinite (second);
  LsAgreement *a = &self->agreement;

  if (a->disagree || (!isfinite (first) && !isfinite (second)))
    return;
  if (!one_number)
    control->checks.apart += (delta - control->checks.apart) / LS_DISAGREE_STEPS;
  if (control->checks.suspect && control->checks.apart < LS_DISAGREE_LOSS / 32)
    control->checks.suspect = FALSE;
  if (!control->checks.suspect && (one_number || delta > LS_DISAGREE_LOSS))
    {
      control->checks.suspect = TRUE;
      control->checks.suspect_step = control->checks.compared;
      control->checks.suspect_lane = (guint) (other - self->lanes);
      control->checks.suspect_losses[0] = first;
      control->checks.suspect_losses[1] = second;
    }
  if (!control->checks.suspect || !(one_number || control->checks.apart > LS_DISAGREE_LOSS))
    return;
  a->disagree = TRUE;
  a->disagree_step = control->checks.suspect_step;
  a->disagree_lanes[0] = control->checks.suspect_lane;
  a->disagree_lanes[1] = (guint) (control - self->lanes);
  memcpy (a->disagree_losses, control->checks.suspect_losses, sizeof a->disagree_losses);
}

gboolean
ls_agree_apart (double first, double second, double tolerance)
{
  const double delta = fabs (first - second);

  return (isfinite (first) || isfinite (second))
         && !(isfinite (delta) && delta <= tolerance * MAX (1, MAX (fabs (first), fabs (second))));
}

void
ls_coordinator_compare_losses (LsCoordinator *self)
{
  for (guint s = 1; s < self->n_lanes; s++)
    {
      LsLaneControl *control = &self->lanes[s];
      for (; control->checks.compared < control->steps; control->checks.compared++)
        {
          const LsLaneControl *other = counterpart (self, s, control->checks.compared);
          if (other == NULL || !has_done (control, control->checks.compared))
            continue;
          if (other->steps <= control->checks.compared)
            break;
          const LsPoint its = ls_curve_get (other->course.curve, control->checks.compared),
                        own = ls_curve_get (control->course.curve, control->checks.compared);
          const double first = (double) its.loss, second = (double) own.loss;
          const double delta = fabs (first - second),
                       tolerance = ls_agree_loss ((LsPrecision) control->spec->options->precision,
                                                  (LsPrecision) other->spec->options->precision);
          self->agreement.tolerance = MAX (self->agreement.tolerance, tolerance);
          if (control->spec->options->precision != other->spec->options->precision)
            self->agreement.precisions = TRUE;
          else
            {
              judge_losses (self, control, other, first, second);
              if (self->agreement.skip_step == 0 && ((its.flags ^ own.flags) & LS_POINT_SKIPPED) != 0)
                self->agreement.skip_step = control->checks.compared + 1;
            }
          if (self->agreement.apart_step == 0 && ls_agree_apart (first, second, tolerance))
            self->agreement.apart_step = control->checks.compared + 1;
          if (control->checks.compared >= control->checks.counted)
            {
              self->agreement.losses_compared++;
              control->checks.counted = control->checks.compared + 1;
            }
          if (control->checks.compared >= self->agreement.losses_end)
            {
              self->agreement.losses_steps++;
              self->agreement.losses_end = control->checks.compared + 1;
            }
          if (delta > self->agreement.loss_delta_max || isnan (delta))
            {
              self->agreement.loss_delta_max = delta;
              self->agreement.loss_delta_step = control->checks.compared;
            }
        }
    }
}

/* Largest |Δ| and ‖Δ‖ / ‖w‖ of one parameter of two lanes. */
static double
weight_distance (const float *a, const float *b, gint64 n, double *delta_max)
{
  double norm = 0, norm_delta = 0;
  for (gint64 i = 0; i < n; i++)
    {
      double delta = fabs ((double) a[i] - (double) b[i]);
      norm += (double) a[i] * (double) a[i];
      norm_delta += delta * delta;
      *delta_max = delta > *delta_max || isnan (delta) ? delta : *delta_max;
    }
  return norm > 0 ? sqrt (norm_delta / norm) : sqrt (norm_delta);
}

/* A lane's weights after some step, kept until the lanes behind it have come there. */
typedef struct {
  guint64 step;
  guint lane;
  guint waiting; /* bit s: lane s hasn't come there yet */
  float **params;
  /* of all lanes that have come: */
  gboolean compared;
  double delta_max, relative;
  guint tensor; /* which is furthest off in proportion */
} Kept;

static void
kept_free_cb (gpointer data)
{
  Kept *kept = data;
  g_strfreev ((char **) kept->params);
  g_free (kept);
}

/* A step counts once, however many lanes come there, and with what of all of them is furthest off, also where
 * others were at later steps in between. */
static void
compare_with (LsCoordinator *self, Kept *kept, const LsLaneControl *control)
{
  LsAgreement *a = &self->agreement;

  if (!kept->compared)
    {
      kept->compared = TRUE;
      kept->relative = -1;
      a->weights_compared++;
    }
  for (guint p = 0; p < self->plan->n_params; p++)
    {
      const guint tensor = self->plan->params[p].weight;
      double relative = weight_distance (kept->params[p], control->lane->params[p],
                                         ls_tensor_count (&self->plan->tensors[tensor]), &kept->delta_max);
      if (relative > kept->relative || isnan (relative))
        {
          kept->relative = relative;
          kept->tensor = tensor;
        }
    }
  a->weights_step = kept->step;
  a->weights_delta_max = kept->delta_max;
  a->weights_relative = kept->relative;
  g_free (a->weights_tensor);
  a->weights_tensor = g_strdup (self->plan->tensors[kept->tensor].name);
}

/* NULL-terminated; for ls_params_free(). */
static float **
copy_params (const LsCoordinator *self, const LsLaneControl *control)
{
  float **copy = g_new0 (float *, self->plan->n_params + 1);

  for (guint p = 0; p < self->plan->n_params; p++)
    copy[p] = g_memdup2 (control->lane->params[p],
                         ls_tensor_bytes (&self->plan->tensors[self->plan->params[p].weight]));
  return copy;
}

/* Whoever came late may have kept those of earlier steps after others. */
static guint
earliest (const GPtrArray *kept)
{
  guint at = 0;

  for (guint i = 1; i < kept->len; i++)
    if (((const Kept *) kept->pdata[i])->step < ((const Kept *) kept->pdata[at])->step)
      at = i;
  return at;
}

static void
keep_weights (LsCoordinator *self, const LsLaneControl *control, guint waiting)
{
  Kept *kept = g_new0 (Kept, 1);
  gsize bytes = 0;

  kept->step = control->steps;
  kept->lane = control->lane->number;
  kept->waiting = waiting;
  kept->params = copy_params (self, control);
  for (guint p = 0; p < self->plan->n_params; p++)
    bytes += ls_tensor_bytes (&self->plan->tensors[self->plan->params[p].weight]);
  g_ptr_array_add (self->kept, kept);
  /* A lane that comes very late is compared from where memory allows. */
  while (self->kept->len > 1 && self->kept->len > LS_KEPT_BYTES / MAX (bytes, 1))
    g_ptr_array_remove_index (self->kept, earliest (self->kept));
}

/* The lane's params have just been read: they are held against those of the lane that was first at this step,
 * or kept. */
void
ls_coordinator_compare_weights (LsCoordinator *self, LsLaneControl *control)
{
  guint others = 0;

  if (self->kept == NULL)
    self->kept = g_ptr_array_new_with_free_func (kept_free_cb);
  for (guint i = 0; i < self->kept->len; i++)
    {
      Kept *kept = self->kept->pdata[i];
      if (kept->step != control->steps || kept->lane == control->lane->number)
        continue;
      compare_with (self, kept, control);
      kept->waiting &= ~ls_control_bit (control);
      if (kept->waiting == 0)
        g_ptr_array_remove_index (self->kept, i);
      return;
    }
  LANES (self, other)
    if (other != control && will_do (other) && other->steps <= control->steps)
      others |= ls_control_bit (other);
  if (others != 0)
    keep_weights (self, control, others);
}

/* Of the first lane that works, as save_weights() takes them. */
void
ls_coordinator_hold (LsCoordinator *self, const LsLaneControl *control)
{
  LsHeldWeights *held;

  LANES (self, other)
    if (other < control && ls_control_working (other))
      return;
  if (!self->hold || !ls_weights_finite (self->plan, (const float *const *) control->lane->params))
    return;
  held = g_atomic_rc_box_new0 (LsHeldWeights);
  held->step = control->steps;
  held->plan = ls_plan_ref (self->plan);
  held->values = copy_params (self, control);
  g_clear_pointer (&self->held, ls_held_weights_unref);
  self->held = held;
  self->hold = FALSE;
}

void
ls_coordinator_forget_weights (LsCoordinator *self, const LsLaneControl *control)
{
  for (guint i = self->kept ? self->kept->len : 0; i-- > 0;)
    {
      Kept *kept = self->kept->pdata[i];
      if (kept->step <= control->steps)
        kept->waiting &= ~ls_control_bit (control);
      /* what it had itself after later steps, it will have anew */
      if (kept->waiting == 0 || (kept->lane == control->lane->number && kept->step > control->steps))
        g_ptr_array_remove_index (self->kept, i);
    }
}

void
ls_coordinator_forget_agreement (LsCoordinator *self)
{
  LANES (self, control)
    {
      control->checks.suspect = control->checks.examined = FALSE;
      control->checks.apart = 0;
      control->checks.counted = 0;
    }
  g_free (self->agreement.weights_tensor);
  self->agreement = (LsAgreement){ 0 };
  g_clear_pointer (&self->kept, g_ptr_array_unref); /* they know what they differed by */
}

/* ---- where they differ ---- */

gboolean
ls_coordinator_to_examine (const LsCoordinator *self, const LsLaneControl *control)
{
  const guint *lanes = self->agreement.disagree_lanes;

  return self->agreement.disagree && !control->checks.examined
         && (&self->lanes[lanes[0]] == control || &self->lanes[lanes[1]] == control);
}

void
ls_coordinator_take_examination (LsCoordinator *self, LsLaneControl *control)
{
  LsAgreement *a = &self->agreement;
  const LsComparison *first = control->lane->result.comparisons != NULL
                                ? ls_compare_first (control->lane->result.comparisons)
                                : NULL;

  control->checks.examined = TRUE;
  if (first == NULL || (a->found && a->first.op <= first->op))
    return;
  a->found = TRUE;
  a->first = *first;
  a->first_step = control->steps;
}
