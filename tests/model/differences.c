/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Central differences: see differences.h.
 */
#include "differences.h"

#include <math.h>

#define STEP     1e-6
#define RELATIVE 1e-3
#define ABSOLUTE 1e-5
/* multiply-adds spent on one tensor's differences; the larger the op, the fewer elements */
#define MAX_WORK 20e6

static double
scalar (LsLoops *loops, const Differences *s)
{
  double sum = 0;

  ls_loops_run (loops, 0, s->n_forward);
  for (gint64 i = 0; i < ls_tensor_count (&loops->plan->tensors[s->out]); i++)
    sum += s->weight[i] * ls_loops_get (loops, s->out, i);
  return sum;
}

guint
differences_mismatches (LsLoops *loops, const Differences *s, guint of, guint gradient, guint *n_checked)
{
  const gint64 count = ls_tensor_count (&loops->plan->tensors[of]);
  double work = 0;
  guint n = 0;

  for (guint i = 0; i < s->n_forward; i++)
    work += (double) loops->plan->ops[i].flops;
  const gint64 every = MAX (1, (gint64) ((double) count * work / MAX_WORK));

  for (gint64 i = 0; i < count; i += every)
    {
      const double value = ls_loops_get (loops, of, i);
      ls_loops_set (loops, of, i, value + STEP);
      double above = scalar (loops, s);
      ls_loops_set (loops, of, i, value - STEP);
      double below = scalar (loops, s);
      ls_loops_set (loops, of, i, value);

      double expected = (above - below) / (2 * STEP), found = ls_loops_get (loops, gradient, i);
      if (!(fabs (found - expected) <= ABSOLUTE + RELATIVE * fabs (expected)))
        {
          if (n++ == 0)
            g_test_message ("%s: d%s[%" G_GINT64_FORMAT "] is %g, differences say %g",
                            loops->plan->ops[0].klass->name, loops->plan->tensors[of].symbol, i, found,
                            expected);
        }
      ++*n_checked;
    }
  return n;
}
