/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the walk has done by a time: which rows of the tiles are loaded, the ledger, the picked element's sum.
 * No drawing.
 */
#include "ui/paint/tiles/tiles.h"

#include <math.h>

/* work-items that the model lets load at once: a warp of NVIDIA's, half a wavefront of AMD's */
#define SUB_GROUP 32

/* ---- who has loaded ---- */

guint
ls_tiles_sub_groups (const LsTiles *t)
{
  return MAX (1, ls_rung_items (&t->cut) / SUB_GROUP);
}

static guint
load_step (const LsTiles *t, const LsTilesNow *now)
{
  const guint steps = 2 * ls_tiles_sub_groups (t);

  return MIN ((guint) (now->part * steps), steps - 1);
}

gint
ls_tiles_arrived (const LsTiles *t, const LsTilesNow *now)
{
  if (now->phase != LS_LISTING_LOAD || !t->cut.local)
    return -1;
  return t->cut.rung == LS_RUNG_TILED ? (gint) load_step (t, now) / 2 : 0;
}

void
ls_tiles_fill (const LsTiles *t, const LsTilesNow *now, LsTilesFill *a, LsTilesFill *b)
{
  const guint n = ls_tiles_sub_groups (t), step = load_step (t, now);
  const gboolean by_col = t->cut.rung == LS_RUNG_REGISTER
                          && (t->recorded->attr.tb || t->kind == LS_TILES_CONV_DW);
  const guint lines = by_col ? t->cut.tile_n : t->window;

  *a = (LsTilesFill){ t->cut.tile_m, 0, t->cut.rung == LS_RUNG_REGISTER && t->recorded->attr.ta };
  *b = (LsTilesFill){ lines, 0, by_col };
  if (a->by_col)
    a->done = t->window;
  if (now->phase != LS_LISTING_LOAD || !t->cut.local)
    return;
  if (t->cut.rung == LS_RUNG_TILED)
    {
      /* each sub-group runs both lines before it waits */
      const guint each = t->cut.tile_m / n, g = step / 2;
      *a = (LsTilesFill){ (g + step % 2) * each, step % 2 == 0 ? each : 0, FALSE };
      *b = (LsTilesFill){ g * each, step % 2 == 1 ? each : 0, FALSE };
      return;
    }
  const guint all_a = a->done, all_b = b->done;
  a->done = step < n ? all_a * step / n : all_a;
  a->flight = step < n ? all_a * (step + 1) / n - a->done : 0;
  b->done = step < n ? 0 : all_b * (step - n) / n;
  b->flight = step < n ? 0 : all_b * (step - n + 1) / n - b->done;
}

/* ---- counts and sums ---- */

void
ls_tiles_count (const LsTiles *t, const LsTilesNow *now, LsLedger *own, LsLedger *naive)
{
  const guint turns = t->window / t->cut.tile_k;
  const LsRungCut plain = ls_rung_cut (LS_RUNG_NAIVE, 0);
  const gint64 r = MIN ((gint64) t->cut.tile_m, t->gemm.m - (gint64) t->row * t->cut.tile_m);
  const gint64 c = ls_tiles_columns (t);
  const gint64 k_in = MIN ((gint64) t->window, t->gemm.k - now->round * t->window);
  const gint64 products = MIN (now->multiplied * t->window + now->step, t->gemm.k);
  LsTilesFill a, b;

  *naive = (LsLedger){ .global_loads = 2 * r * c * products,
                       .flops = 2 * r * c * products,
                       .global_stores = now->stored ? r * c : 0 };
  if (!t->cut.local)
    {
      const gint64 done = now->round * turns + now->step;
      *own = ls_ledger_group (&t->cut, &t->gemm, t->row, t->col,
                              done + (now->phase == LS_LISTING_MULTIPLY && plain.rung != t->cut.rung), done,
                              now->stored);
      return;
    }
  *own = ls_ledger_group (&t->cut, &t->gemm, t->row, t->col, now->loaded, now->multiplied, now->stored);
  own->local_loads += (gint64) now->step * ls_rung_items (&t->cut) * (t->cut.item_m + t->cut.item_n);
  own->flops += 2 * (gint64) now->step * t->cut.tile_m * t->cut.tile_n;
  if (now->phase != LS_LISTING_LOAD)
    return;
  ls_tiles_fill (t, now, &a, &b);
  own->global_loads += a.by_col ? r * MIN ((gint64) a.done, k_in) : MIN ((gint64) a.done, r) * k_in;
  own->global_loads += b.by_col ? MIN ((gint64) b.done, c) * k_in : c * MIN ((gint64) b.done, k_in);
  own->local_stores += (gint64) a.done * (a.by_col ? t->cut.tile_m : t->window)
                       + (gint64) b.done * (b.by_col ? t->window : t->cut.tile_n);
}

double
ls_tiles_sum (const LsTiles *t, const LsTilesNow *now)
{
  const gint64 m = (gint64) t->row * t->cut.tile_m + t->item_row, n = ls_tiles_column (t, t->item_col);
  const gint64 products = MIN (now->multiplied * t->window + now->step, t->gemm.k);
  double sum = 0;

  for (gint64 k = 0; k < products; k++)
    sum += ls_tiles_value (&t->a, m, k) * ls_tiles_value (&t->b, k, n);
  return sum;
}
