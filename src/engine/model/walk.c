/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsWalk's life, and its stamps as lengths: see walk.h.
 */
#include "model/walk.h"

#include <string.h>

LsWalk *
ls_walk_new (void)
{
  LsWalk *walk = g_new0 (LsWalk, 1);

  walk->ref_count = 1;
  return walk;
}

LsWalk *
ls_walk_ref (LsWalk *walk)
{
  g_atomic_int_inc (&walk->ref_count);
  return walk;
}

void
ls_walk_unref (LsWalk *walk)
{
  if (walk == NULL || !g_atomic_int_dec_and_test (&walk->ref_count))
    return;
  g_free (walk->columns);
  g_free (walk->a);
  g_free (walk->b);
  g_free (walk->times_ns);
  g_free (walk->message);
  g_free (walk);
}

static gint64
stamp (const LsWalk *walk, guint round, LsWalkStamp which)
{
  return walk->times_ns[(gsize) round * LS_WALK_N_STAMPS + which];
}

static gint64
between (gint64 from, gint64 to)
{
  return from >= 0 && to >= from ? to - from : -1;
}

gint64
ls_walk_phase_ns (const LsWalk *walk, guint round, LsWalkStamp from)
{
  if (walk->times_ns == NULL || round >= walk->rounds || from == LS_WALK_PASSED)
    return -1;
  if (from == LS_WALK_MULTIPLIED)
    return between (stamp (walk, round, from), stamp (walk, round + 1, LS_WALK_LOAD));
  return between (stamp (walk, round, from), stamp (walk, round, from + 1));
}

gint64
ls_walk_round_ns (const LsWalk *walk, guint round)
{
  gint64 whole, copied;

  if (walk->times_ns == NULL)
    return -1;
  if (round >= walk->rounds)
    return between (stamp (walk, walk->rounds, LS_WALK_LOAD), stamp (walk, walk->rounds, LS_WALK_ARRIVED));
  whole = between (stamp (walk, round, LS_WALK_LOAD), stamp (walk, round + 1, LS_WALK_LOAD));
  copied = between (stamp (walk, round, LS_WALK_PASSED), stamp (walk, round, LS_WALK_MULTIPLY));
  return whole < 0 ? -1 : whole - MAX (copied, 0);
}

gint64
ls_walk_span_ns (const LsWalk *walk)
{
  gint64 span, copied;

  if (walk->times_ns == NULL)
    return -1;
  span = between (stamp (walk, 0, LS_WALK_LOAD), stamp (walk, walk->rounds, LS_WALK_ARRIVED));
  for (guint round = 0; span > 0 && round < walk->rounds; round++)
    {
      copied = between (stamp (walk, round, LS_WALK_PASSED), stamp (walk, round, LS_WALK_MULTIPLY));
      span -= MAX (copied, 0);
    }
  return span;
}

gsize
ls_walk_bytes (const LsWalk *walk)
{
  gsize bytes = sizeof *walk + walk->tile_n * sizeof *walk->columns;

  bytes += (gsize) walk->kept * walk->tile_k * (walk->tile_m + walk->tile_n) * sizeof (float);
  if (walk->times_ns != NULL)
    bytes += ((gsize) walk->rounds + 1) * LS_WALK_N_STAMPS * sizeof *walk->times_ns;
  return bytes + (walk->message != NULL ? strlen (walk->message) + 1 : 0);
}

guint
ls_walk_row (gint asked, guint n)
{
  return asked >= 0 ? MIN ((guint) asked, n - 1) : (n - 1) / 2;
}

guint
ls_walk_col (gint asked, guint n)
{
  return asked >= 0 ? MIN ((guint) asked, n - 1) : (guint) (.35 * (n - 1));
}

gboolean
ls_walk_matches (const LsWalk *walk, const LsWalkWish *wish)
{
  const guint rung = wish->rung >= 0 ? (guint) wish->rung : LS_RUNG_TILED;

  if (wish->op < 0 || walk->op != (guint) wish->op || walk->rung != rung)
    return FALSE;
  if (walk->message != NULL || walk->rows == 0 || walk->cols == 0)
    return TRUE;
  return (wish->row < 0 || walk->row == ls_walk_row (wish->row, walk->rows))
         && (wish->col < 0 || walk->col == ls_walk_col (wish->col, walk->cols));
}

const char *
ls_roof_unit (LsRoof roof)
{
  switch (roof)
    {
    case LS_ROOF_FLOPS:
    case LS_ROOF_ONE:
    case LS_ROOF_GEMM:
      return "FLOP/s";
    case LS_ROOF_LAUNCH:
      return "1/s";
    default:
      return "B/s";
    }
}

LsFigure
ls_roof_of_samples (double *rates, gsize n, LsRoof roof)
{
  LsFigure figure = ls_figure_of_samples (rates, n, ls_roof_unit (roof));

  if (n > 0)
    figure.value = roof == LS_ROOF_GEMM ? figure.q3 : rates[n - 1];
  return figure;
}
