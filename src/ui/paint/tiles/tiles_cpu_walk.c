/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the walk through the CPU lane's tile is at a time, and what it has moved so far. No drawing.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <math.h>

/* The model of time: copying a float to a packed place takes as long as 16 multiply-adds, copying one into
 * columns or a picture, or adding it back, as long as 8. */
#define PACK_COST 16.0
#define COPY_COST 8.0
#define STILL     .44 /* of a call's multiplying: the moment of a picture that stands */

static guint
across (gint64 n, guint each)
{
  return (guint) MAX (1, (n + each - 1) / each);
}

/* By outputs micro-tiles are blocks of a row's pixels, unless they are of two rows. */
static gboolean
has_blocks (const LsTiles *t, const LsTilesCpuNow *now)
{
  return t->cpu->use == LS_GEMM_BY_OUTPUTS && now->model.cols <= t->cpu->made_cols;
}

gint64
ls_tiles_cpu_first_col (const LsTiles *t, const LsTilesCpuNow *now)
{
  const gint64 row = t->cpu->made_cols, blocks = across (row, now->model.cols);

  if (!has_blocks (t, now))
    return now->call.col + (gint64) now->sliver * now->model.cols;
  return now->call.col + now->sliver / blocks * row + now->sliver % blocks * now->model.cols;
}

static void
begin (const LsTiles *t, gint64 round, LsTilesCpuNow *now)
{
  *now = (LsTilesCpuNow){
    .at = { .round = round, .loaded = round, .multiplied = round, .mark = LS_LISTING_NO_MARK }
  };
  ls_tiles_cpu_call (t, round, &now->call);
  ls_tiles_cpu_model (t, &now->call, &now->model);
  now->slivers = has_blocks (t, now) ? (guint) now->call.rows * across (t->cpu->made_cols, now->model.cols)
                                     : across (now->call.cols, now->model.cols);
  now->groups = across (t->cpu->rows, now->model.rows);
}

static double
stage_weight (const LsTiles *t, const LsTilesCpuNow *now, LsTilesStage stage)
{
  const LsTilesCpu *cpu = t->cpu;

  switch (stage)
    {
    case LS_TILES_GATHER:
      return COPY_COST * (double) ls_tiles_cpu_copied (t, &now->call);
    case LS_TILES_PACK_B:
      return now->model.packs_b ? PACK_COST * (double) (now->call.cols * now->call.k) : 0;
    case LS_TILES_PACK_A:
      return now->model.packs_a ? PACK_COST * (double) (cpu->rows * now->call.k) : 0;
    case LS_TILES_MULTIPLY:
      return (double) now->slivers * now->groups * now->model.rows * now->model.cols * (double) now->call.k;
    case LS_TILES_N_STAGES:
      break;
    }
  return 0;
}

gboolean
ls_tiles_cpu_has (const LsTiles *t, const LsTilesCpuNow *now, LsTilesStage stage)
{
  return stage_weight (t, now, stage) > 0;
}

static double
call_weight (const LsTiles *t, const LsTilesCpuNow *now)
{
  double sum = 0;

  for (guint stage = 0; stage < LS_TILES_N_STAGES; stage++)
    sum += stage_weight (t, now, (LsTilesStage) stage);
  return sum;
}

double
ls_tiles_cpu_weight (const LsTiles *t, gint64 round)
{
  LsTilesCpuNow now;

  begin (t, round, &now);
  return call_weight (t, &now);
}

/* part: of the multiplying. */
static void
find_micro_tile (LsTilesCpuNow *now, double part)
{
  const gint64 tiles = (gint64) now->slivers * now->groups, steps = tiles * now->call.k;
  const gint64 step = CLAMP ((gint64) (part * (double) steps), 0, steps - 1), tile = step / now->call.k;

  now->sliver = (guint) (tile / now->groups);
  now->group = (guint) (tile % now->groups);
  now->step = (guint) (step % now->call.k);
}

/* The loops copy each panel of B, if at all, just before they use it. */
static void
find_panel (const LsTiles *t, LsTilesCpuNow *now, double at)
{
  const double pack = stage_weight (t, now, LS_TILES_PACK_B) / now->slivers,
               multiply = stage_weight (t, now, LS_TILES_MULTIPLY) / now->slivers;
  const guint sliver = (guint) MIN (at / (pack + multiply), now->slivers - 1.0);
  const double rest = at - sliver * (pack + multiply);

  if (rest < pack)
    {
      now->stage = LS_TILES_PACK_B;
      now->sliver = sliver;
      now->part = (sliver + rest / pack) / now->slivers;
      return;
    }
  now->stage = LS_TILES_MULTIPLY;
  now->part = CLAMP ((sliver + (rest - pack) / multiply) / now->slivers, 0, 1);
  find_micro_tile (now, now->part);
}

static void
find_stage (const LsTiles *t, LsTilesCpuNow *now, double at)
{
  if (now->model.by >= LS_GEMM_LOOPS && at >= stage_weight (t, now, LS_TILES_GATHER))
    {
      find_panel (t, now, at - stage_weight (t, now, LS_TILES_GATHER));
      return;
    }
  for (now->stage = LS_TILES_GATHER;
       now->stage < LS_TILES_MULTIPLY && at >= stage_weight (t, now, now->stage); now->stage++)
    at -= stage_weight (t, now, now->stage);
  now->part = CLAMP (at / stage_weight (t, now, now->stage), 0, 1);
  if (now->stage == LS_TILES_MULTIPLY)
    find_micro_tile (now, now->part);
  else if (now->stage > LS_TILES_MULTIPLY)
    find_micro_tile (now, 1);
}

void
ls_tiles_cpu_now (const LsTiles *t, gint64 time_ns, LsTilesCpuNow *now)
{
  double at = t->cpu->weight * (double) CLAMP (time_ns, 0, t->span_ns) / (double) t->span_ns, weight;
  gint64 round = 0;

  if (time_ns >= t->span_ns)
    {
      begin (t, t->rounds - 1, now);
      now->at = (LsTilesNow){ .round = t->rounds,
                              .mark = LS_LISTING_NO_MARK,
                              .loaded = t->rounds,
                              .multiplied = t->rounds,
                              .stored = TRUE };
      now->stage = LS_TILES_N_STAGES;
      now->part = 1;
      now->sliver = now->slivers - 1;
      now->group = now->groups - 1;
      now->step = (guint) now->call.k;
      return;
    }
  while (round + 1 < t->rounds && at >= (weight = ls_tiles_cpu_weight (t, round)))
    {
      at -= weight;
      round++;
    }
  begin (t, round, now);
  find_stage (t, now, at);
}

/* In the second call, some micro-tiles in. */
gint64
ls_tiles_cpu_still (const LsTiles *t)
{
  const gint64 round = t->rounds > 1 ? 1 : 0;
  double at = round > 0 ? ls_tiles_cpu_weight (t, 0) : 0;
  LsTilesCpuNow now;

  begin (t, round, &now);
  for (guint stage = 0; stage < LS_TILES_MULTIPLY; stage++)
    at += stage_weight (t, &now, (LsTilesStage) stage)
          * (now.model.by >= LS_GEMM_LOOPS && stage == LS_TILES_PACK_B ? STILL : 1);
  at += STILL * stage_weight (t, &now, LS_TILES_MULTIPLY);
  return (gint64) (at / t->cpu->weight * (double) t->span_ns);
}

static void
add (LsBlasTraffic *sum, LsBlasTraffic more)
{
  sum->registers += more.registers;
  sum->l1 += more.l1;
  sum->l2 += more.l2;
  sum->flops += more.flops;
}

/* Of a micro-tile's pixels, those that three places side by side don't load again: the row has two more. */
static gint64
pixels_saved (const LsTiles *t, const LsTilesCpuNow *now)
{
  const gint64 rows = has_blocks (t, now) ? 1 : 2;
  return now->model.cols - (now->model.cols + 2 * rows + 2) / 3;
}

/* A call's, so far. A picture's pixels are read again for each of the kernel's places, but come from further
 * away once only: the picture by way of L2, its image from beyond. Weights stay in L2; dY is each strip's
 * own. Rows of zeros that the loops leave out of a gradient towards weights count as others do. */
static LsBlasTraffic
traffic (const LsTiles *t, const LsTilesCpuNow *now, gint64 sliver, gint64 group, gint64 step)
{
  const LsTilesCpu *cpu = t->cpu;
  const LsTilesCall *call = &now->call;
  const gint64 begun = MIN (sliver + (group > 0 || step > 0), (gint64) now->slivers);
  const gint64 pixels = 4 * ls_tiles_cpu_picture (t, call->rows);
  const gboolean factors = cpu->use == LS_GEMM_PIXELS || now->at.round == 0;
  LsBlasTraffic sum = ls_blas_traffic (&now->model, cpu->rows, call->cols, call->k, sliver, group, step);

  if (cpu->planes == 0)
    return sum;
  if (cpu->use == LS_GEMM_BY_OUTPUTS) /* each pixel for three places */
    sum.registers -= 4 * (((gint64) sliver * now->groups + group) * call->k + step) * pixels_saved (t, now);
  sum.l1 += pixels * begun / now->slivers - 4 * call->k * begun * now->model.cols;
  sum.l2 = pixels + (factors ? 4 * call->k * cpu->rows : 0);
  return sum;
}

LsBlasTraffic
ls_tiles_cpu_count (const LsTiles *t, const LsTilesCpuNow *now)
{
  const gint64 rows = t->cpu->rows, k = now->call.k;
  LsBlasTraffic sum = { 0 };

  for (gint64 round = 0; round < MIN (now->at.round, t->rounds); round++)
    {
      LsTilesCpuNow done;
      begin (t, round, &done);
      add (&sum, traffic (t, &done, done.slivers, 0, 0));
    }
  if (now->stage == LS_TILES_MULTIPLY || (now->model.by >= LS_GEMM_LOOPS && now->stage < LS_TILES_MULTIPLY))
    add (&sum, traffic (t, now, now->sliver, now->group, now->step));
  else if (now->stage == LS_TILES_PACK_B || now->stage == LS_TILES_PACK_A)
    sum.l2 += (gint64) (4 * (double) k
                        * ((now->stage > LS_TILES_PACK_B ? (double) now->call.cols
                                                         : now->part * (double) now->call.cols)
                           + (now->stage == LS_TILES_PACK_A ? now->part * (double) rows : 0)));
  return sum;
}
