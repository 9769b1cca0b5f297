/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/curve.h"

#define CHUNK_POINTS 4096
#define MAX_CHUNKS   (LS_CURVE_MAX / CHUNK_POINTS)

struct _LsCurve {
  gint ref_count;
  guint64 n;
  LsPoint *chunks[MAX_CHUNKS];
};

LsCurve *
ls_curve_new (void)
{
  LsCurve *curve = g_new0 (LsCurve, 1);
  curve->ref_count = 1;
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
  g_free (curve);
}

gboolean
ls_curve_append (LsCurve *curve, LsPoint point)
{
  guint64 chunk = curve->n / CHUNK_POINTS;
  if (chunk >= MAX_CHUNKS)
    return FALSE;
  if (curve->chunks[chunk] == NULL && (curve->chunks[chunk] = g_try_new (LsPoint, CHUNK_POINTS)) == NULL)
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
