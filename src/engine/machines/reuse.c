/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See reuse.h.
 */
#include "config.h"
#include "machines/reuse.h"

typedef struct {
  const LsPlan *plan;
  guint *order; /* tensors with memory of their own, the one touched last first; n_tensors: other lanes' */
  guint n;
  double others; /* bytes of what other lanes touch between two steps */
  const double *sizes;
  guint n_levels;
  double *out;    /* of the op; NULL: only to touch */
  double *passed; /* of the op; NULL: not asked */
} Touching;

static gboolean
is_passed (LsRole role)
{
  return role != LS_ROLE_WEIGHT && role != LS_ROLE_GRADIENT && role != LS_ROLE_STATE;
}

static double
bytes_of (const Touching *t, guint base)
{
  return base == t->plan->n_tensors ? t->others : (double) ls_tensor_bytes (&t->plan->tensors[base]);
}

/* To the front; returns the bytes touched since the last time, its own with them. */
static double
move_to_front (Touching *t, guint base)
{
  double distance = bytes_of (t, base);
  guint at = 0;

  for (; at < t->n && t->order[at] != base; at++)
    distance += bytes_of (t, t->order[at]);
  if (at == t->n)
    t->n++;
  for (; at > 0; at--)
    t->order[at] = t->order[at - 1];
  t->order[0] = base;
  return distance;
}

static void
touch (guint tensor, gboolean read, gboolean written, gpointer data)
{
  Touching *t = (Touching *) data;
  const LsTensor *self = &t->plan->tensors[tensor];
  const double distance = move_to_front (t, self->is_view ? self->base : tensor);
  guint level = 0;

  if (t->out != NULL)
    {
      while (level < t->n_levels && distance > t->sizes[level])
        level++;
      t->out[level] += (double) ls_tensor_bytes (self);
      if (level == 0 && t->passed != NULL && is_passed (self->role))
        *t->passed += (double) ls_tensor_bytes (self);
    }
}

double *
ls_machine_reuse (const LsPlan *plan, const double *sizes, guint n_levels, guint turns, double *passed)
{
  double *out = g_new0 (double, (gsize) plan->n_ops *(n_levels + 1));
  g_autofree guint *leader = g_new (guint, plan->n_ops), *order = g_new (guint, plan->n_tensors + 1);
  Touching t = { .plan = plan, .order = order, .sizes = sizes, .n_levels = n_levels };

  ls_machine_work_leaders (plan, leader);
  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint i = 0; i < plan->n_ops; i++)
        {
          t.out = pass == 1 ? out + (gsize) i * (n_levels + 1) : NULL;
          t.passed = pass == 1 && passed != NULL ? passed + i : NULL;
          if (leader[i] == i)
            ls_machine_work_visit (plan, leader, i, touch, &t);
        }
      for (guint i = 0; pass == 0 && i < t.n; i++)
        t.others += (turns - 1) * bytes_of (&t, order[i]);
      move_to_front (&t, plan->n_tensors);
    }
  return out;
}
