/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/curve.h"

#include <math.h>

#define CHUNK_POINTS 4096
#define MAX_CHUNKS   (LS_CURVE_MAX / CHUNK_POINTS)

struct _LsCurve {
  gint ref_count;
  guint64 n;
  LsRanges *losses, *step_us;
  LsPoint *chunks[MAX_CHUNKS];
};

G_STATIC_ASSERT (LS_CURVE_MAX <= LS_RANGES_MAX);

LsCurve *
ls_curve_new (void)
{
  LsCurve *curve = g_new0 (LsCurve, 1);
  curve->ref_count = 1;
  curve->losses = ls_ranges_new ();
  curve->step_us = ls_ranges_new ();
  return curve;
}

LsCurve *
ls_curve_ref (LsCurve *curve)
{
  g_atomic_int_inc (&curve->ref_count);
  return curve;
}

void
ls_curve_unref (LsCurve *curve)
{
  if (curve == NULL || !g_atomic_int_dec_and_test (&curve->ref_count))
    return;
  for (guint64 i = 0; i < MAX_CHUNKS && curve->chunks[i]; i++)
    g_free (curve->chunks[i]);
  ls_ranges_free (curve->losses);
  ls_ranges_free (curve->step_us);
  g_free (curve);
}

/* A step that belongs to no rate has none. */
static float
time_of (LsPoint point)
{
  return ls_point_counts (point) ? point.step_us : (float) NAN;
}

static float
loss_at (gconstpointer curve, guint64 i)
{
  return ls_curve_get (curve, i).loss;
}

static float
step_us_at (gconstpointer curve, guint64 i)
{
  return time_of (ls_curve_get (curve, i));
}

gboolean
ls_curve_append (LsCurve *curve, LsPoint point)
{
  guint64 chunk = curve->n / CHUNK_POINTS;
  if (chunk >= MAX_CHUNKS)
    return FALSE;
  if (curve->chunks[chunk] == NULL && (curve->chunks[chunk] = g_try_new (LsPoint, CHUNK_POINTS)) == NULL)
    return FALSE;
  /* where memory was out for the ranges of a point that was then refused, they have it already */
  if (ls_ranges_length (curve->losses) == curve->n && !ls_ranges_append (curve->losses, point.loss))
    return FALSE;
  if (!ls_ranges_append (curve->step_us, time_of (point)))
    return FALSE;
  curve->chunks[chunk][curve->n % CHUNK_POINTS] = point;
  curve->n++;
  return TRUE;
}

guint64
ls_curve_length (const LsCurve *curve)
{
  return curve->n;
}

LsPoint
ls_curve_get (const LsCurve *curve, guint64 i)
{
  return curve->chunks[i / CHUNK_POINTS][i % CHUNK_POINTS];
}

LsRange
ls_curve_losses (const LsCurve *curve, guint64 from, guint64 end)
{
  return ls_ranges_get (curve->losses, from, end, loss_at, curve);
}

LsRange
ls_curve_step_us (const LsCurve *curve, guint64 from, guint64 end)
{
  return ls_ranges_get (curve->step_us, from, end, step_us_at, curve);
}

gsize
ls_curve_collect (const LsCurve *curve, guint64 from, guint64 end, guint64 most, guint32 flags,
                  double *values, LsCounted *counted)
{
  gsize n = 0;

  *counted = (LsCounted){ .flags = flags };
  for (guint64 i = end; i-- > from && n < most;)
    {
      const LsPoint point = ls_curve_get (curve, i);
      if ((point.flags & ~(guint32) LS_POINT_SKIPPED) == flags)
        {
          values[n++] = (double) point.step_us;
          counted->end = MAX (counted->end, i + 1);
          counted->from = i;
        }
      else if (point.flags & LS_POINT_MISSING)
        continue;
      else if (point.flags & LS_POINT_WARM_UP)
        counted->warm_up++;
      else if (point.flags & LS_POINT_RECORDED)
        counted->recorded++;
      else if (point.flags & LS_POINT_RESTED)
        counted->rested++;
      else
        counted->disturbed++;
    }
  return n;
}

gboolean
ls_counted_together (const LsCounted *a, const LsCounted *b)
{
  const guint64 from = MAX (a->from, b->from), end = MIN (a->end, b->end),
                longer = MAX (a->end - a->from, b->end - b->from);

  return end > from && 2 * (end - from) >= longer;
}
