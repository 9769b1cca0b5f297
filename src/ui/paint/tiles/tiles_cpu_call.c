/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which tile of the CPU lane is walked through, and which calls it consists of: as backends/cpu/gemm.c and
 * conv2d.c make them. No drawing.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <math.h>

#include "core/strip.h"

static LsGemmLane
lane_of (const LsDeviceInfo *device, LsWay way)
{
  const double floats = device->numbers[LS_DEVICE_LOOP_FLOATS];

  return (LsGemmLane){ device->core, !device->own_products,
                       floats == 4 || floats == 8 || floats == 16 ? (guint) floats : 0, way };
}

static const LsEvent *
find_tile (const LsViewLane *lane, guint op, guint tile)
{
  const LsOpTrace *trace = lane->index != NULL && op < lane->index->n_ops
                             ? &lane->index->ops[ls_step_index_leader (lane->index, op)]
                             : NULL;

  for (guint i = 0; trace != NULL && i < trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (lane->index, trace, i);
      if (e->kind == LS_EVENT_TILE && e->tile == tile)
        return e;
    }
  return NULL;
}

/* ---- the calls ---- */

void
ls_tiles_cpu_call (const LsTiles *t, gint64 round, LsTilesCall *call)
{
  const LsTilesCpu *cpu = t->cpu;
  const gint64 at = CLAMP (round, 0, t->rounds - 1);

  *call = (LsTilesCall){ .col = cpu->col, .cols = cpu->cols };
  if (t->kind == LS_TILES_PLAIN)
    {
      call->k0 = at * t->window;
      call->k = MIN ((gint64) t->window, t->gemm.k - call->k0);
      return;
    }
  call->image = cpu->image + at / cpu->strips;
  call->strip = at % cpu->strips;
  call->rows = MIN (cpu->strip, cpu->made_rows - call->strip * cpu->strip);
  const gint64 first = (call->image * cpu->made_rows + call->strip * cpu->strip) * cpu->made_cols,
               count = call->rows * cpu->made_cols;
  if (cpu->along)
    {
      call->col = first;
      call->cols = count;
      call->k = t->gemm.k;
    }
  else
    {
      call->k0 = first;
      call->k = count;
    }
}

gint64
ls_tiles_cpu_picture (const LsTiles *t, gint64 rows)
{
  return t->cpu->planes * (rows + t->conv.window - 1) * t->cpu->picture_cols;
}

gint64
ls_tiles_cpu_copied (const LsTiles *t, const LsTilesCall *call)
{
  const LsTilesCpu *cpu = t->cpu;
  const gint64 picture = ls_tiles_cpu_picture (t, call->rows);

  switch (cpu->use)
    {
    case LS_GEMM_COLUMNS:
      return call->cols * call->k;
    case LS_GEMM_PICTURE:
    case LS_GEMM_BY_OUTPUTS:
      return picture;
    case LS_GEMM_PIXELS:
      return picture + cpu->rows * call->k;
    case LS_GEMM_PLAIN:
    case LS_GEMM_OWN:
      break;
    }
  return 0;
}

gboolean
ls_tiles_cpu_model (const LsTiles *t, const LsTilesCall *call, LsBlasModel *model)
{
  const LsTilesCpu *cpu = t->cpu;
  const LsGemmCall gemm = { cpu->rows, call->cols, call->k,     cpu->ta,
                            cpu->tb,   cpu->use,   t->b.window, cpu->made_cols };

  return ls_gemm_model (&cpu->lane, &gemm, model);
}

/* ---- which tile ---- */

static void
place_conv (LsTiles *t, const LsTiling *tiling)
{
  LsTilesCpu *cpu = t->cpu;
  const gint64 plane = cpu->made_rows * cpu->made_cols;
  const gint64 images = t->kind == LS_TILES_CONV_DW ? t->gemm.k / plane : t->gemm.n / plane;

  cpu->along = t->kind != LS_TILES_CONV_DW;
  cpu->strips = (cpu->made_rows + cpu->strip - 1) / cpu->strip;
  if (cpu->along)
    {
      const gint64 wide = MAX (1, tiling->tile_cols / plane);
      cpu->image = MIN ((gint64) t->col * wide, images - 1);
      cpu->images = MIN (wide, images - cpu->image);
      t->cut.tile_m = (guint) tiling->tile_rows;
      t->cut.tile_n = (guint) (wide * plane);
      cpu->col = cpu->image * plane;
      cpu->cols = cpu->images * plane;
    }
  else
    {
      cpu->splits = MAX (1, tiling->splits);
      cpu->images = MAX (1, images / cpu->splits);
      t->gemm.k = cpu->images * plane;
    }
  t->rounds = cpu->images * cpu->strips;
  t->window = (guint) (cpu->along ? t->gemm.k : cpu->strip * cpu->made_cols);
}

/* By way of columns: backends/cpu/convolution/conv2d.c. */
static void
use_columns (LsTiles *t)
{
  LsTilesCpu *cpu = t->cpu;
  const LsTilesConv *c = &t->conv;
  const gboolean back = t->kind == LS_TILES_CONV_DX;

  cpu->use = LS_GEMM_COLUMNS;
  cpu->ta = FALSE;
  cpu->tb = t->kind == LS_TILES_CONV_DW;
  cpu->made_rows = back ? c->height : c->rows;
  cpu->made_cols = back ? c->width : c->cols;
  cpu->strip = ls_strip_of_columns (back ? c->outputs : c->channels, c->window, cpu->made_cols,
                                    cpu->made_rows);
}

/* Without: backends/cpu/direct.c. Towards the weights the columns come kernel row by kernel row. */
static void
use_picture (LsTiles *t, gboolean by_outputs)
{
  LsTilesCpu *cpu = t->cpu;
  const LsTilesConv *c = &t->conv;
  const gboolean back = t->kind == LS_TILES_CONV_DX, weights = t->kind == LS_TILES_CONV_DW;

  cpu->use = weights ? LS_GEMM_PIXELS : by_outputs ? LS_GEMM_BY_OUTPUTS : LS_GEMM_PICTURE;
  cpu->made_rows = back ? c->height : c->rows;
  cpu->made_cols = back ? c->width : c->cols;
  cpu->copies = cpu->use == LS_GEMM_BY_OUTPUTS ? 1 : c->window;
  cpu->planes = (back ? c->outputs : c->channels) * cpu->copies;
  cpu->picture_cols = cpu->made_cols + c->window - cpu->copies;
  cpu->strip = ls_strip_of_picture (cpu->planes * cpu->picture_cols, c->window,
                                    weights ? c->outputs * cpu->made_cols : 0, cpu->made_rows);
  if (weights)
    t->b.window = t->c.window = c->window;
}

/* The last tiles of an op whose others are OpenBLAS's may be small enough for the loops. */
static gboolean
is_small_edge (const LsTiles *t, const LsTiling *tiling)
{
  const double k = (double) MIN (t->gemm.k, LS_SUM_BLOCK);

  return (double) tiling->tile_rows * (double) tiling->tile_cols * k > LS_GEMM_LOOPS_MOST
         && (double) t->cpu->rows * (double) t->cpu->cols * k <= LS_GEMM_LOOPS_MOST;
}

static void
place_tile (LsTiles *t, const LsTiling *tiling, const LsQuery *query)
{
  const LsTilesState *asked = ls_tiles_asked (query);
  LsTilesCpu *cpu = t->cpu;

  t->rows = tiling->grid_rows;
  t->cols = tiling->grid_cols;
  t->row = asked->group_row >= 0 ? MIN ((guint) asked->group_row, t->rows - 1) : t->rows / 2;
  t->col = asked->group_col >= 0 ? MIN ((guint) asked->group_col, t->cols - 1) : t->cols / 3;
  t->cut = (LsRungCut){ .rung = LS_RUNG_NAIVE,
                        .name = "cpu",
                        .tile_m = (guint) tiling->tile_rows,
                        .tile_n = (guint) tiling->tile_cols,
                        .tile_k = LS_SUM_BLOCK,
                        .item_m = 1,
                        .item_n = 1 };
  cpu->splits = 1;
  cpu->row = (gint64) t->row * t->cut.tile_m;
  cpu->rows = MAX (1, MIN ((gint64) t->cut.tile_m, t->gemm.m - cpu->row));
  cpu->col = (gint64) t->col * tiling->tile_cols;
  cpu->cols = MAX (1, MIN (tiling->tile_cols, t->gemm.n - cpu->col));
  cpu->ta = t->recorded->attr.ta;
  cpu->tb = t->recorded->attr.tb;
  t->window = (guint) MIN ((gint64) LS_SUM_BLOCK, t->gemm.k);
  t->rounds = (t->gemm.k + t->window - 1) / t->window;
  if (tiling->way != LS_WAY_OTHER || is_small_edge (t, tiling))
    cpu->use = LS_GEMM_OWN;
  if (t->kind != LS_TILES_PLAIN)
    {
      /* a recording may say what it likes; windows that move further were never made that way */
      if (ls_way_is_direct (tiling->way) && t->conv.stride == 1)
        use_picture (t, tiling->way == LS_WAY_BY_OUTPUTS);
      else
        use_columns (t);
      place_conv (t, tiling);
    }
}

/* In the micro-tile of a standing picture, a row that multiplies something. */
static void
choose_item (LsTiles *t, const LsQuery *query)
{
  const LsTilesState *asked = ls_tiles_asked (query);
  const LsTilesCpu *cpu = t->cpu;
  LsTilesCpuNow now;
  guint busiest;

  ls_tiles_cpu_now (t, ls_tiles_cpu_still (t), &now);
  const gint64 first = cpu->row + (gint64) now.group * now.model.rows;
  busiest = ls_tiles_busiest (&t->a, TRUE, first, CLAMP (t->gemm.m - first, 1, (gint64) now.model.rows),
                              MIN (t->gemm.k, 4 * LS_SUM_BLOCK));
  t->item_row = (guint) CLAMP (asked->item_row >= 0 ? asked->item_row : (gint) busiest, 0,
                               (gint) now.model.rows - 1);
  t->item_col = (guint) CLAMP (asked->item_col >= 0 ? asked->item_col : (gint) now.model.cols * 5 / 8, 0,
                               (gint) now.model.cols - 1);
}

gboolean
ls_tiles_cpu_init (LsTiles *t, const LsViewData *data, const LsQuery *query)
{
  const guint side = ls_view_data_side_of (data, LS_BACKEND_CPU);
  const LsViewLane *lane = &data->sides[side];
  const LsTiling *tiling;
  const LsEvent *event;
  LsTilesCall call;
  const double *numbers;
  LsTilesCpu *cpu;

  if (!lane->there || lane->recorded == NULL || lane->who != LS_BACKEND_CPU)
    return FALSE;
  /* one product for each phase of the windows' steps, none of them the op's */
  if (t->kind == LS_TILES_CONV_DX && t->conv.stride > 1)
    return FALSE;
  tiling = &lane->recorded->tilings[lane->recorded->tilings[t->op].leader];
  if (tiling->tile_rows < 1 || tiling->tile_cols < 1 || tiling->grid_rows < 1 || tiling->grid_cols < 1
      || tiling->reference)
    return FALSE;
  cpu = t->cpu = g_new0 (LsTilesCpu, 1);
  numbers = lane->recorded->device->numbers;
  cpu->lane = lane_of (lane->recorded->device, tiling->way);
  t->lane = side;
  t->splits = 1;
  t->walk = NULL;
  t->walk_message = NULL;
  place_tile (t, tiling, query);
  ls_tiles_cpu_call (t, 0, &call);
  cpu->known = ls_tiles_cpu_model (t, &call, &cpu->model);
  cpu->l1 = (gint64) numbers[LS_DEVICE_L1D];
  cpu->l2 = (gint64) numbers[LS_DEVICE_L2];
  cpu->l3 = (gint64) numbers[LS_DEVICE_L3];
  for (gint64 round = 0; round < t->rounds; round++)
    cpu->weight += ls_tiles_cpu_weight (t, round);
  event = find_tile (lane, t->op, t->row * t->cols + t->col);
  cpu->worker = event != NULL && event->worker != LS_WORKER_NONE ? event->worker : -1;
  t->stamps = event != NULL && event->end_ns > event->start_ns && LS_EVENT_CLOCK (event) != LS_CLOCK_ORDER
                ? LS_TILES_WHOLE
                : LS_TILES_MODELLED;
  t->span_ns = t->stamps != LS_TILES_MODELLED ? (gint64) (event->end_ns - event->start_ns)
                                              : MAX (1, (gint64) (cpu->weight / 32));
  t->round_ns = MAX (1, t->span_ns / t->rounds);
  choose_item (t, query);
  t->a.top = ls_tiles_top (&t->a, cpu->row, cpu->rows, 0, MIN (t->gemm.k, 4 * LS_SUM_BLOCK));
  t->b.top = ls_tiles_top (&t->b, 0, MIN (t->gemm.k, 4 * LS_SUM_BLOCK), cpu->col,
                           MIN (cpu->cols, 4 * LS_SUM_BLOCK));
  return TRUE;
}
