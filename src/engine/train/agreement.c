/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes held against the first one that works: the loss of every step, all weights every so often.
 */
#include "train/private.h"

#include <math.h>

static gboolean
has_done (const LsSeat *seat, guint64 step)
{
  return step < seat->steps && !(ls_curve_get (seat->curve, step).flags & LS_POINT_MISSING);
}

/* Whether it does each step between its present one and the others'; a lane opened anew begins with
 * theirs. */
static gboolean
will_do (const LsSeat *seat)
{
  return ls_seat_working (seat) || (ls_seat_coming (seat) && !seat->joining);
}

/* Which lane's loss of a step seat s is held against: the first lane's before it that has done the step or
 * still may. */
static const LsSeat *
counterpart (const LsCoordinator *self, guint s, guint64 step)
{
  for (guint f = 0; f < s; f++)
    {
      const LsSeat *seat = &self->seats[f];
      if (has_done (seat, step) || (step >= seat->steps && will_do (seat)))
        return seat;
    }
  return NULL;
}

/* seat's loss of the step that is compared is second, other's first. The step that is named is the first one
 * out of bounds before the mean was. */
static void
judge_losses (LsCoordinator *self, LsSeat *seat, const LsSeat *other, double first, double second)
{
  const double delta = fabs (first - second) / MAX (1, MAX (fabs (first), fabs (second)));
  const gboolean one_number = isfinite (first) != isfinite (second);
  LsAgreement *a = &self->agreement;

  if (a->disagree || (!isfinite (first) && !isfinite (second)))
    return;
  if (!one_number)
    seat->apart += (delta - seat->apart) / LS_DISAGREE_STEPS;
  if (seat->suspect && seat->apart < LS_DISAGREE_LOSS / 32)
    seat->suspect = FALSE;
  if (!seat->suspect && (one_number || delta > LS_DISAGREE_LOSS))
    {
      seat->suspect = TRUE;
      a->disagree_step = seat->compared;
      a->disagree_lanes[0] = (guint) (other - self->seats);
      a->disagree_lanes[1] = (guint) (seat - self->seats);
      a->disagree_losses[0] = first;
      a->disagree_losses[1] = second;
    }
  a->disagree = seat->suspect && (one_number || seat->apart > LS_DISAGREE_LOSS);
}

void
ls_coordinator_compare_losses (LsCoordinator *self)
{
  for (guint s = 1; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      for (; seat->compared < seat->steps; seat->compared++)
        {
          const LsSeat *other = counterpart (self, s, seat->compared);
          if (other == NULL || !has_done (seat, seat->compared))
            continue;
          if (other->steps <= seat->compared)
            break;
          const double first = (double) ls_curve_get (other->curve, seat->compared).loss;
          const double second = (double) ls_curve_get (seat->curve, seat->compared).loss;
          const double delta = fabs (first - second);
          judge_losses (self, seat, other, first, second);
          if (self->agreement.apart_step == 0 && (isfinite (first) || isfinite (second))
              && !(delta <= LS_AGREE_LOSS * MAX (1, MAX (fabs (first), fabs (second)))))
            self->agreement.apart_step = seat->compared + 1;
          self->agreement.losses_compared++;
          if (delta > self->agreement.loss_delta_max || isnan (delta))
            {
              self->agreement.loss_delta_max = delta;
              self->agreement.loss_delta_step = seat->compared;
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
  guint waiting; /* bit s: seat s hasn't come there yet */
  float **params;
} Kept;

static void
kept_free_cb (gpointer data)
{
  Kept *kept = data;
  g_strfreev ((char **) kept->params);
  g_free (kept);
}

static void
compare_with (LsCoordinator *self, const Kept *kept, const LsSeat *seat)
{
  LsAgreement *a = &self->agreement;

  if (a->weights_compared == 0 || a->weights_step != seat->steps)
    {
      a->weights_delta_max = 0;
      a->weights_relative = -1;
      a->weights_compared++;
      a->weights_step = seat->steps;
    }
  for (guint p = 0; p < self->plan->n_params; p++)
    {
      const LsTensor *t = &self->plan->tensors[self->plan->params[p].weight];
      double relative = weight_distance (kept->params[p], seat->lane->job.params[p], ls_tensor_count (t),
                                         &a->weights_delta_max);
      if (relative > a->weights_relative || isnan (relative))
        {
          a->weights_relative = relative;
          g_free (a->weights_tensor);
          a->weights_tensor = g_strdup (t->name);
        }
    }
}

static void
keep_weights (LsCoordinator *self, const LsSeat *seat, guint waiting)
{
  Kept *kept = g_new0 (Kept, 1);
  gsize bytes = 0;

  kept->step = seat->steps;
  kept->lane = seat->lane->number;
  kept->waiting = waiting;
  kept->params = g_new0 (float *, self->plan->n_params + 1);
  for (guint p = 0; p < self->plan->n_params; p++)
    {
      gsize size = ls_tensor_bytes (&self->plan->tensors[self->plan->params[p].weight]);
      kept->params[p] = g_memdup2 (seat->lane->job.params[p], size);
      bytes += size;
    }
  g_ptr_array_add (self->kept, kept);
  /* A lane that comes very late is compared from where memory allows. */
  while (self->kept->len > 1 && self->kept->len > LS_KEPT_BYTES / MAX (bytes, 1))
    g_ptr_array_remove_index (self->kept, 0);
}

/* seat's params have just been read: they are held against those of the lane that was first at this step, or
 * kept. */
void
ls_coordinator_compare_weights (LsCoordinator *self, LsSeat *seat)
{
  guint others = 0;

  if (self->kept == NULL)
    self->kept = g_ptr_array_new_with_free_func (kept_free_cb);
  for (guint i = 0; i < self->kept->len; i++)
    {
      Kept *kept = self->kept->pdata[i];
      if (kept->step != seat->steps || kept->lane == seat->lane->number)
        continue;
      compare_with (self, kept, seat);
      kept->waiting &= ~(1u << seat->lane->number);
      if (kept->waiting == 0)
        g_ptr_array_remove_index (self->kept, i);
      return;
    }
  for (guint s = 0; s < self->n_seats; s++)
    if (&self->seats[s] != seat && will_do (&self->seats[s]) && self->seats[s].steps <= seat->steps)
      others |= 1u << s;
  if (others != 0)
    keep_weights (self, seat, others);
}

void
ls_coordinator_forget_weights (LsCoordinator *self, const LsSeat *seat)
{
  for (guint i = self->kept ? self->kept->len : 0; i-- > 0;)
    {
      Kept *kept = self->kept->pdata[i];
      if (kept->step <= seat->steps)
        kept->waiting &= ~(1u << seat->lane->number);
      if (kept->waiting == 0)
        g_ptr_array_remove_index (self->kept, i);
    }
}

/* ---- where they differ ---- */

gboolean
ls_coordinator_to_examine (const LsCoordinator *self, const LsSeat *seat)
{
  const guint *lanes = self->agreement.disagree_lanes;

  return self->agreement.disagree && !seat->examined
         && (&self->seats[lanes[0]] == seat || &self->seats[lanes[1]] == seat);
}

void
ls_coordinator_take_examination (LsCoordinator *self, LsSeat *seat)
{
  LsAgreement *a = &self->agreement;
  const LsComparison *first = seat->lane->job.comparisons != NULL
                                ? ls_compare_first (seat->lane->job.comparisons)
                                : NULL;

  seat->examined = TRUE;
  if (first == NULL || (a->found && a->first.op <= first->op))
    return;
  a->found = TRUE;
  a->first = *first;
  a->first_step = seat->steps;
}
