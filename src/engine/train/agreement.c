/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes held against the first one that works: the loss of every step, all weights every so often.
 */
#include "train/private.h"

#include <math.h>

/* Which lane's loss of a step seat s is held against: the first lane's before it that has done the step or still may. */
static LsSeat *
counterpart (LsCoordinator *self, guint s, guint64 step)
{
  for (guint f = 0; f < s; f++)
    if (step < self->seats[f].steps || ls_seat_working (&self->seats[f]) || ls_seat_coming (&self->seats[f]))
      return &self->seats[f];
  return NULL;
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
          if (other == NULL || other->steps <= seat->compared)
            break;
          double delta = fabs ((double) ls_curve_get (seat->curve, seat->compared).loss
                               - (double) ls_curve_get (other->curve, seat->compared).loss);
          self->agreement.losses_compared++;
          if (delta > self->agreement.loss_delta_max || isnan (delta))
            {
              self->agreement.loss_delta_max = delta;
              self->agreement.loss_delta_step = seat->compared;
            }
        }
    }
}

gboolean
ls_coordinator_aligned (LsCoordinator *self, guint64 *step)
{
  guint n = 0;
  for (guint s = 0; s < self->n_seats; s++)
    {
      if (self->seats[s].state != LS_LANE_READY)
        continue;
      if (n++ > 0 && self->seats[s].steps != *step)
        return FALSE;
      *step = self->seats[s].steps;
    }
  return n > 0;
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

void
ls_coordinator_compare_weights (LsCoordinator *self)
{
  LsAgreement *a = &self->agreement;
  LsSeat *first = NULL;
  guint64 step;

  if (!ls_coordinator_aligned (self, &step))
    return;
  a->weights_delta_max = 0;
  a->weights_relative = -1;
  a->weights_compared++;
  a->weights_step = step;
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (seat->state != LS_LANE_READY || seat->read_step != step)
        continue;
      if (first == NULL)
        {
          first = seat;
          continue;
        }
      for (guint p = 0; p < self->plan->n_params; p++)
        {
          const LsTensor *t = &self->plan->tensors[self->plan->params[p].weight];
          double relative = weight_distance (first->lane->job.params[p], seat->lane->job.params[p], ls_tensor_count (t),
                                             &a->weights_delta_max);
          if (relative > a->weights_relative || isnan (relative))
            {
              a->weights_relative = relative;
              g_free (a->weights_tensor);
              a->weights_tensor = g_strdup (t->name);
            }
        }
    }
}
