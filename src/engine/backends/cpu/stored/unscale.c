/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between backward and update, where the loss's gradient was scaled (core/loss_scale.h): weight gradients are
 * divided by the scale, and looked at, in one pass, of which each worker does its share, where that is more
 * than waking it.
 */
#include "config.h"
#include "backends/cpu/cpu.h"

#include <stdatomic.h>

#define LEAST 32768 /* numbers that are shared out */

typedef struct {
  const LsCpu *self;
  guint workers;
  float inverse;
  atomic_bool overflowed;
} Unscaling;

static void
unscale_cb (gpointer data, guint worker)
{
  Unscaling *u = data;
  const LsPlan *plan = u->self->plan;
  const gint64 workers = u->workers;
  gboolean (*const unscale) (float *, gint64, float) = u->self->rung->loops == LS_CPU_SCALAR_LOOPS
                                                         ? ls_cpu_unscale_scalar
                                                         : ls_cpu_unscale;

  for (guint p = 0; p < plan->n_params; p++)
    {
      const LsTensor *t = &plan->tensors[plan->params[p].gradient];
      const gint64 n = ls_tensor_count (t), first = n * worker / workers, end = n * (worker + 1) / workers;

      if (unscale ((float *) ls_arena_at (&u->self->arena, t) + first, end - first, u->inverse))
        atomic_store (&u->overflowed, TRUE);
    }
}

gboolean
ls_cpu_unscale_gradients (LsCpu *self, double factor)
{
  Unscaling u = { .self = self, .workers = 1, .inverse = (float) (1 / factor) };
  gint64 n = 0;

  for (guint p = 0; p < self->plan->n_params; p++)
    n += ls_tensor_count (&self->plan->tensors[self->plan->params[p].gradient]);
  if (n >= LEAST)
    {
      u.workers = ls_pool_size (self->pool);
      ls_pool_run (self->pool, unscale_cb, &u);
    }
  else
    unscale_cb (&u, 0);
  return atomic_load (&u.overflowed);
}
