/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/data/pair.h"

#include <math.h>

struct _LsPair {
  gint ref_count;
  LsCurve *a, *b;
  LsRanges *ranges;
};

/* |loss of a − loss of b| at step i, NAN where they are equal. */
static float
delta_at (gconstpointer data, guint64 i)
{
  const LsPair *pair = data;
  const double delta = fabs ((double) ls_curve_get (pair->a, i).loss
                             - (double) ls_curve_get (pair->b, i).loss);

  return delta > 0 ? (float) delta : NAN;
}

LsPair *
ls_pair_update (LsPair *previous, LsCurve *a, LsCurve *b, guint64 n)
{
  LsPair *pair;

  if (previous != NULL && previous->a == a && previous->b == b)
    pair = ls_pair_ref (previous);
  else
    {
      pair = g_new (LsPair, 1);
      *pair = (LsPair){ 1, ls_curve_ref (a), ls_curve_ref (b), ls_ranges_new () };
    }
  for (guint64 i = ls_ranges_length (pair->ranges); i < n; i++)
    if (!ls_ranges_append (pair->ranges, delta_at (pair, i)))
      {
        ls_pair_unref (pair); /* memory is out: drawing will walk the steps */
        return NULL;
      }
  return pair;
}

LsPair *
ls_pair_ref (LsPair *pair)
{
  g_atomic_int_inc (&pair->ref_count);
  return pair;
}

void
ls_pair_unref (LsPair *pair)
{
  if (pair == NULL || !g_atomic_int_dec_and_test (&pair->ref_count))
    return;
  ls_curve_unref (pair->a);
  ls_curve_unref (pair->b);
  ls_ranges_free (pair->ranges);
  g_free (pair);
}

LsRange
ls_pair_range (const LsPair *pair, guint64 from, guint64 end)
{
  return ls_ranges_get (pair->ranges, from, end, delta_at, pair);
}
