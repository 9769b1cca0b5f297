/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk on the host: how a launch cuts its product for one work-group, and the words that the device left,
 * as values and times. See walk.c and kernels_cl/walk.clh.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"
#include "backends/opencl/kernels/kernels.h"

#include <string.h>

/* ---- how it is cut ---- */

static gboolean
packed_conv (const LsClLaunch *launch)
{
  return strcmp (launch->row->rung, "packed") == 0 && strcmp (launch->row->op, "matmul") != 0;
}

static gboolean
packed_dw (const LsClLaunch *launch)
{
  return packed_conv (launch) && strcmp (launch->row->op, "conv2d_dw") == 0;
}

static void
cut_by_rung (LsWalk *walk, const LsClLaunch *launch, LsRung rung)
{
  const guint *v = (const guint *) launch->values;

  walk->item_m = walk->item_n = 1;
  walk->tile_k = LS_WALK_PRODUCTS;
  switch (rung)
    {
    case LS_RUNG_NAIVE:
    case LS_RUNG_N:
      walk->tile_m = walk->tile_n = 16;
      break;
    case LS_RUNG_TILED:
      walk->tile_m = walk->tile_n = walk->tile_k = v[LS_CL_TILED_TILE];
      break;
    case LS_RUNG_REGISTER:
      walk->tile_m = v[LS_CL_REGISTER_TILE_M];
      walk->tile_n = v[LS_CL_REGISTER_TILE_N];
      walk->tile_k = v[LS_CL_REGISTER_TILE_K];
      walk->item_m = v[LS_CL_REGISTER_ITEM_M];
      walk->item_n = v[LS_CL_REGISTER_ITEM_N];
      break;
    case LS_RUNG_PACKED:
      walk->tile_m = LS_CL_PACKED_BLOCK;
      walk->tile_n = 2 * v[LS_CL_PACKED_VEC];
      if (packed_dw (launch))
        ls_cl_conv_dw_tile (launch->row, launch->values, &walk->tile_m, &walk->tile_n);
      walk->item_m = walk->tile_m;
      walk->item_n = walk->tile_n;
      break;
    }
}

LsWalk *
ls_cl_walk_new (const LsCl *self, const LsClLaunch *launch, const LsWalkOrder *order)
{
  const LsOp *op = &self->plan->ops[order->op];
  LsWalk *walk = ls_walk_new ();
  gsize most;

  walk->op = order->op;
  walk->rung = order->rung;
  cut_by_rung (walk, launch, order->rung);
  walk->rows = launch->tiling.grid_rows;
  walk->cols = launch->tiling.grid_cols;
  walk->row = ls_walk_row (order->row, walk->rows);
  walk->col = ls_walk_col (order->col, walk->cols);
  walk->splits = MAX (launch->tiling.splits, 1);
  walk->products = ls_cl_first_products (op, self->plan, walk->splits);
  walk->rounds = (guint) ((walk->products + walk->tile_k - 1) / walk->tile_k);
  most = LS_WALK_MAX_FLOATS / ((gsize) walk->tile_k * (walk->tile_m + walk->tile_n));
  walk->kept = (guint) MIN (walk->rounds, most);
  walk->first_m = (gint64) walk->row * walk->tile_m;
  walk->columns = g_new (gint64, walk->tile_n);
  for (guint i = 0; i < walk->tile_n; i++)
    {
      const gint64 n = (gint64) walk->col * launch->tiling.tile_cols + i;
      walk->columns[i] = n < op->attr.n ? n : -1;
    }
  return walk;
}

/* ---- what the device left ---- */

/* A packed convolution's two vectors: row `row` of image b's result, from column s on; a short row fills no
 * vector. */
static void
take_columns (const LsClLaunch *launch, LsWalk *walk, const guint32 *words)
{
  const gint64 rows = launch->shape[4], cols = launch->shape[5];
  const guint vec = walk->tile_n / 2;

  for (guint i = 0; i < walk->tile_n; i++)
    {
      const gint32 *slot = (const gint32 *) words + LS_CL_WALK_SLOTS + 3 * (i / vec);
      const guint lane = i % vec;
      walk->columns[i] = slot[0] >= 0 && lane < cols
                           ? ((gint64) slot[0] * rows + slot[1]) * cols + slot[2] + lane
                           : -1;
    }
}

void
ls_cl_walk_take_values (const LsCl *self, const LsClLaunch *launch, LsWalk *walk, const guint32 *words)
{
  const gsize products = (gsize) walk->kept * walk->tile_k;

  walk->a = g_memdup2 (words + words[LS_CL_WALK_A], MAX (products * walk->tile_m, 1) * sizeof (float));
  walk->b = g_memdup2 (words + words[LS_CL_WALK_B], MAX (products * walk->tile_n, 1) * sizeof (float));
  if (packed_conv (launch) && !packed_dw (launch))
    take_columns (launch, walk, words);
}

static guint64
ticks_of (const guint32 *words, guint round, guint who, guint stamp)
{
  const guint32 *at = words + LS_CL_WALK_HEADER + 2 * (((gsize) round * 2 + who) * LS_WALK_N_STAMPS + stamp);

  return at[0] | (guint64) at[1] << 32;
}

/* A phase begins with the first work-item and ends with whichever is later. Stamps that go backwards aren't
 * believed. */
void
ls_cl_walk_take_times (LsWalk *walk, const guint32 *words, double ns_per_tick)
{
  const guint64 first = ticks_of (words, 0, 0, LS_WALK_LOAD);
  g_autofree gint64 *times = g_new (gint64, ((gsize) walk->rounds + 1) * LS_WALK_N_STAMPS);
  gint64 last = 0;

  for (guint round = 0; round <= walk->rounds; round++)
    for (guint stamp = 0; stamp < LS_WALK_N_STAMPS; stamp++)
      {
        const gboolean ends = stamp == LS_WALK_ARRIVED || stamp == LS_WALK_MULTIPLIED;
        const guint64 one = ticks_of (words, round, 0, stamp),
                      other = ends ? ticks_of (words, round, 1, stamp) : 0;
        const guint64 ticks = MAX (one, other);
        gint64 *to = &times[(gsize) round * LS_WALK_N_STAMPS + stamp];

        *to = ticks == 0 ? -1 : (gint64) ((double) (gint64) (ticks - first) * ns_per_tick + .5);
        if (ticks == 0)
          continue;
        if (*to < last)
          return;
        last = *to;
      }
  /* a vector of products may reach over the whole of the next round, which then begins where the one after it
   * does */
  for (guint round = walk->rounds; times[(gsize) walk->rounds * LS_WALK_N_STAMPS] >= 0 && round-- > 1;)
    if (times[(gsize) round * LS_WALK_N_STAMPS] < 0)
      times[(gsize) round * LS_WALK_N_STAMPS] = times[((gsize) round + 1) * LS_WALK_N_STAMPS];
  if (first != 0 && last > 0)
    walk->times_ns = g_steal_pointer (&times);
}
