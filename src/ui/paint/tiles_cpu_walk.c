/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which tile of the CPU lane is walked through, and where the walk is at a time. No drawing.
 */
#include "config.h"
#include "ui/paint/tiles_cpu.h"

#include <math.h>
#include <string.h>

/* The model of time: copying a float to a packed place takes as long as 16 multiply-adds. */
#define PACK_COST 16.0
#define STILL     .44    /* of a panel's multiplying: the moment of a picture that stands */

/* "48.0 KiB", as a device's facts have it: bytes, −1. */
static gint64
read_size (const LsDeviceInfo *device, const char *name)
{
  const char *text = device->facts != NULL ? g_hash_table_lookup (device->facts, name) : NULL;
  char *unit;
  double value;

  if (text == NULL)
    return -1;
  value = g_ascii_strtod (text, &unit);
  if (unit == text || !(value > 0))
    return -1;
  while (*unit == ' ' || (guchar) *unit == 0xC2 || (guchar) *unit == 0xA0)
    unit++;
  return (gint64) (value * (*unit == 'K' || *unit == 'k' ? 1024.0 : *unit == 'M' ? 1048576.0 : *unit == 'G' ? 1073741824.0 : 1.0));
}

static const LsEvent *
find_tile (const LsViewLane *lane, guint op, guint tile)
{
  const LsOpTrace *trace = lane->index != NULL && op < lane->index->n_ops ? &lane->index->ops[ls_step_index_leader (lane->index, op)] : NULL;

  for (guint i = 0; trace != NULL && i < trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (lane->index, trace, i);
      if (e->kind == LS_EVENT_TILE && e->tile == tile)
        return e;
    }
  return NULL;
}

static double
stage_weight (const LsTilesCpu *cpu, LsTilesStage stage, gint64 k)
{
  switch (stage)
    {
    case LS_TILES_PACK_B: return PACK_COST * (double) (cpu->cols * k);
    case LS_TILES_PACK_A: return PACK_COST * (double) (cpu->rows * k);
    case LS_TILES_MULTIPLY:
    case LS_TILES_N_STAGES: break;
    }
  return (double) cpu->slivers * cpu->groups * cpu->model.rows * cpu->model.cols * (double) k;
}

static double
panel_weight (const LsTilesCpu *cpu, gint64 k)
{
  return stage_weight (cpu, LS_TILES_PACK_B, k) + stage_weight (cpu, LS_TILES_PACK_A, k) + stage_weight (cpu, LS_TILES_MULTIPLY, k);
}

static gint64
panel_k (const LsTiles *t, gint64 panel)
{
  return MIN ((gint64) t->window, t->gemm.k - panel * t->window);
}

gboolean
ls_tiles_cpu_init (LsTiles *t, const LsViewData *data, const LsQuery *query)
{
  const LsViewLane *lane = &data->sides[0];
  const LsTiling *tiling;
  const LsBlasModel *model;
  const LsEvent *event;
  LsTilesCpu *cpu;

  if (!lane->there || lane->recorded == NULL || g_strcmp0 (lane->backend, "cpu") != 0)
    return FALSE;
  tiling = &lane->recorded->tilings[lane->recorded->tilings[t->op].leader];
  if (tiling->tile_rows < 1 || tiling->tile_cols < 1 || tiling->grid_rows < 1 || tiling->grid_cols < 1)
    return FALSE;
  cpu = t->cpu = g_new0 (LsTilesCpu, 1);
  model = ls_blas_model (lane->recorded->device->driver);
  cpu->known = model != NULL;
  cpu->model = *(model != NULL ? model : ls_blas_model ("(Haswell)"));
  t->lane = 0;
  t->splits = 1;
  t->cut = (LsRungCut){ .rung = LS_RUNG_NAIVE, .name = "cpu", .tile_m = (guint) tiling->tile_rows, .tile_n = (guint) tiling->tile_cols,
                        .tile_k = LS_SUM_BLOCK, .item_m = 1, .item_n = 1 };
  t->window = (guint) MIN ((gint64) LS_SUM_BLOCK, t->gemm.k);
  t->rounds = (t->gemm.k + t->window - 1) / t->window;
  t->rows = tiling->grid_rows;
  t->cols = tiling->grid_cols;
  t->row = query->group_row >= 0 ? MIN ((guint) query->group_row, t->rows - 1) : t->rows / 2;
  t->col = query->group_col >= 0 ? MIN ((guint) query->group_col, t->cols - 1) : t->cols / 3;
  cpu->row = (gint64) t->row * tiling->tile_rows;
  cpu->col = (gint64) t->col * tiling->tile_cols;
  cpu->rows = MAX (1, MIN (tiling->tile_rows, t->gemm.m - cpu->row));
  cpu->cols = MAX (1, MIN (tiling->tile_cols, t->gemm.n - cpu->col));
  cpu->slivers = (guint) ((cpu->cols + cpu->model.cols - 1) / cpu->model.cols);
  cpu->groups = (guint) ((cpu->rows + cpu->model.rows - 1) / cpu->model.rows);
  cpu->l1 = read_size (lane->recorded->device, "cache-l1d");
  cpu->l2 = read_size (lane->recorded->device, "cache-l2");
  cpu->l3 = read_size (lane->recorded->device, "cache-l3");
  event = find_tile (lane, t->op, t->row * t->cols + t->col);
  cpu->worker = event != NULL && event->worker != LS_WORKER_NONE ? event->worker : -1;
  t->stamps = event != NULL && event->end_ns > event->start_ns && LS_EVENT_CLOCK (event) != LS_CLOCK_ORDER ? LS_TILES_WHOLE : LS_TILES_MODELLED;
  t->span_ns = t->stamps != LS_TILES_MODELLED ? (gint64) (event->end_ns - event->start_ns)
                          : MAX (1, (gint64) (panel_weight (cpu, t->gemm.k) / 32));
  t->round_ns = MAX (1, t->span_ns / t->rounds);
  /* in the micro-tile of a standing picture, a row that multiplies something */
  const gint64 first = cpu->row + (gint64) ((guint) (STILL * cpu->slivers * cpu->groups) % cpu->groups) * cpu->model.rows;
  const guint busiest = ls_tiles_busiest (&t->a, TRUE, first, MIN ((gint64) cpu->model.rows, t->gemm.m - first), t->gemm.k);
  t->item_row = (guint) CLAMP (query->item_row >= 0 ? query->item_row : (gint) busiest, 0, (gint) cpu->model.rows - 1);
  t->item_col = (guint) CLAMP (query->item_col >= 0 ? query->item_col : (gint) cpu->model.cols * 5 / 8, 0, (gint) cpu->model.cols - 1);
  t->a.top = ls_tiles_top (&t->a, cpu->row, cpu->rows, 0, t->gemm.k);
  t->b.top = ls_tiles_top (&t->b, 0, t->gemm.k, cpu->col, cpu->cols);
  return TRUE;
}

void
ls_tiles_cpu_now (const LsTiles *t, gint64 time_ns, LsTilesCpuNow *now)
{
  const LsTilesCpu *cpu = t->cpu;
  const gboolean over = time_ns >= t->span_ns;
  double at = panel_weight (cpu, t->gemm.k) * (double) CLAMP (time_ns, 0, t->span_ns) / (double) t->span_ns;

  *now = (LsTilesCpuNow){ .at = { .mark = LS_LISTING_NO_MARK } };
  while (now->at.round + 1 < t->rounds && at >= panel_weight (cpu, panel_k (t, now->at.round)))
    at -= panel_weight (cpu, panel_k (t, now->at.round++));
  now->k0 = now->at.round * t->window;
  now->k = panel_k (t, now->at.round);
  now->at.loaded = now->at.multiplied = now->at.round;
  for (now->stage = LS_TILES_PACK_B; now->stage < LS_TILES_MULTIPLY && at >= stage_weight (cpu, now->stage, now->k); now->stage++)
    at -= stage_weight (cpu, now->stage, now->k);
  now->part = CLAMP (at / stage_weight (cpu, now->stage, now->k), 0, 1);
  if (over)
    {
      *now = (LsTilesCpuNow){ .at = { .round = t->rounds, .mark = LS_LISTING_NO_MARK, .loaded = t->rounds, .multiplied = t->rounds, .stored = TRUE },
                              .k0 = (t->rounds - 1) * t->window, .k = panel_k (t, t->rounds - 1), .stage = LS_TILES_N_STAGES,
                              .sliver = cpu->slivers - 1, .group = cpu->groups - 1, .step = (guint) panel_k (t, t->rounds - 1) };
      return;
    }
  if (now->stage == LS_TILES_MULTIPLY)
    {
      const gint64 tiles = (gint64) cpu->slivers * cpu->groups, steps = tiles * now->k;
      const gint64 step = MIN ((gint64) (now->part * (double) steps), steps - 1), tile = step / now->k;
      now->sliver = (guint) (tile / cpu->groups);
      now->group = (guint) (tile % cpu->groups);
      now->step = (guint) (step % now->k);
    }
}

/* In the second panel, some micro-tiles in. */
gint64
ls_tiles_cpu_still (const LsTiles *t)
{
  const LsTilesCpu *cpu = t->cpu;
  const gint64 panel = t->rounds > 1 ? 1 : 0, k = panel_k (t, panel);
  double at = panel > 0 ? panel_weight (cpu, panel_k (t, 0)) : 0;

  at += stage_weight (cpu, LS_TILES_PACK_B, k) + stage_weight (cpu, LS_TILES_PACK_A, k) + STILL * stage_weight (cpu, LS_TILES_MULTIPLY, k);
  return (gint64) (at / panel_weight (cpu, t->gemm.k) * (double) t->span_ns);
}

static void
add (LsBlasTraffic *sum, LsBlasTraffic more)
{
  sum->registers += more.registers;
  sum->l1 += more.l1;
  sum->l2 += more.l2;
  sum->flops += more.flops;
}

LsBlasTraffic
ls_tiles_cpu_count (const LsTiles *t, const LsTilesCpuNow *now)
{
  const LsTilesCpu *cpu = t->cpu;
  LsBlasTraffic sum = { 0 };

  for (gint64 panel = 0; panel < MIN (now->at.round, t->rounds); panel++)
    add (&sum, ls_blas_traffic (&cpu->model, cpu->rows, cpu->cols, panel_k (t, panel), cpu->slivers, 0, 0));
  if (now->stage == LS_TILES_MULTIPLY)
    add (&sum, ls_blas_traffic (&cpu->model, cpu->rows, cpu->cols, now->k, now->sliver, now->group, now->step));
  else if (now->stage < LS_TILES_MULTIPLY)
    sum.l2 += (gint64) (4 * (double) now->k * ((now->stage > LS_TILES_PACK_B ? (double) cpu->cols : now->part * (double) cpu->cols)
                                               + (now->stage == LS_TILES_PACK_A ? now->part * (double) cpu->rows : 0)));
  return sum;
}
