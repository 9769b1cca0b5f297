/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which product is walked through, and where the walk is at a time. No drawing.
 */
#include "config.h"
#include "ui/paint/tiles_cpu.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#define STORE_PART  .4     /* of a round's length */
#define WINDOW      16     /* products that are drawn at once where the kernel has no tiles */

/* The model of a phase's length, in steps of the multiply loop, for a tile of 16 steps. Only how they compare matters. */
static double
phase_weight (LsListingPhase phase, guint steps)
{
  switch (phase)
    {
    case LS_LISTING_LOAD: return .9 * steps;
    case LS_LISTING_BARRIER: return .18 * steps;
    default: return steps;
    }
}

const char *
ls_tiles_rung_title (LsRung rung)
{
  switch (rung)
    {
    case LS_RUNG_NAIVE: return _("naive");
    case LS_RUNG_TILED: return _("16×16 tiled");
    case LS_RUNG_REGISTER: return _("register-blocked");
    case LS_RUNG_PACKED: return _("packed vectors");
    case LS_RUNG_N: break;
    }
  return "";
}

gint
ls_tiles_op (const LsRecording *recording, guint op)
{
  LsTilesKind kind;
  LsTilesConv conv;

  if (recording == NULL || recording->n_ops == 0)
    return -1;
  for (guint i = MIN (op, recording->n_ops - 1) + 1; i-- > 0;)
    if (ls_tiles_kind (recording, i, &kind, &conv))
      return (gint) i;
  for (guint i = 0; i < recording->n_ops; i++)
    if (ls_tiles_kind (recording, i, &kind, &conv))
      return (gint) i;
  return -1;
}

/* ---- the factors ---- */

double
ls_tiles_value (const LsTilesMatrix *matrix, gint64 row, gint64 col)
{
  gint64 at;

  if (row >= matrix->rows || col >= matrix->cols)
    return 0;
  at = matrix->gather == LS_TILES_STRIDES ? row * matrix->row_step + col * matrix->col_step : ls_tiles_gather (matrix, row, col);
  if (at < 0)
    return 0;
  return matrix->values != NULL ? (double) matrix->values[at] : (double) NAN;
}

double
ls_tiles_top (const LsTilesMatrix *matrix, gint64 row, gint64 n_rows, gint64 col, gint64 n_cols)
{
  double top = 0, power;

  for (gint64 r = row; matrix->values != NULL && r < MIN (row + n_rows, matrix->rows); r++)
    for (gint64 c = col; c < MIN (col + n_cols, matrix->cols); c++)
      {
        const double v = fabs (ls_tiles_value (matrix, r, c));
        top = isfinite (v) ? MAX (top, v) : top;
      }
  if (matrix->values == NULL || top <= 0)
    return matrix->values != NULL ? 1 : 0;
  power = pow (10, floor (log10 (top)));
  return power * (top <= power ? 1 : top <= 2 * power ? 2 : top <= 5 * power ? 5 : 10);
}

static void
find_factors (LsTiles *t, const LsRecording *recording, const LsViewData *data)
{
  const LsOpAttr *attr = &t->recorded->attr;
  guint a_in = 0, b_in = 1;
  const LsRecordedShape *in[2];

  t->a = (LsTilesMatrix){ .row_step = attr->ta ? 1 : attr->k, .col_step = attr->ta ? attr->m : 1, .rows = attr->m, .cols = attr->k };
  t->b = (LsTilesMatrix){ .row_step = attr->tb ? 1 : attr->n, .col_step = attr->tb ? attr->k : 1, .rows = attr->k, .cols = attr->n };
  t->c = (LsTilesMatrix){ .rows = attr->m, .cols = attr->n };
  if (t->kind != LS_TILES_PLAIN)
    ls_tiles_conv_factors (t, &a_in, &b_in);
  in[0] = &recording->shapes[t->recorded->in[a_in]];
  in[1] = &recording->shapes[t->recorded->in[b_in]];
  t->a.symbol = g_strconcat (in[0]->symbol, attr->ta ? "ᵀ" : "", NULL);
  t->b.symbol = t->kind != LS_TILES_PLAIN ? g_strdup_printf (_("patches of %s"), in[1]->symbol) : g_strconcat (in[1]->symbol, attr->tb ? "ᵀ" : "", NULL);
  t->c.symbol = g_strdup (t->recorded->symbol);
  t->side = -1;
  /* values of settings that are no longer those of the run would mislead */
  for (gint side = LS_SIDES - 1; side >= 0 && t->side < 0 && !data->stale; side--)
    {
      const LsViewLane *lane = &data->sides[side];
      const LsRecordedShape *shape[2] = { NULL, NULL };
      if (!lane->there || lane->recorded == NULL || lane->held != NULL)
        continue;
      t->a.values = ls_recording_values (recording, lane->lane, in[0]->name, &shape[0]);
      t->b.values = ls_recording_values (recording, lane->lane, in[1]->name, &shape[1]);
      if (t->a.values != NULL && t->b.values != NULL && shape[0]->dtype == LS_F32 && shape[1]->dtype == LS_F32
          && (t->kind != LS_TILES_PLAIN || (ls_recorded_shape_count (shape[0]) == attr->m * attr->k
                                            && ls_recorded_shape_count (shape[1]) == attr->k * attr->n)))
        t->side = side;
      else
        t->a.values = t->b.values = NULL;
    }
}

/* ---- the rung ---- */

static const LsTiling *
opencl_tiling (const LsViewData *data, guint op)
{
  const LsViewLane *lane = &data->sides[1];

  if (!lane->there || lane->recorded == NULL || g_strcmp0 (lane->backend, "opencl") != 0)
    return NULL;
  return &lane->recorded->tilings[lane->recorded->tilings[op].leader];
}

/* A kernel's title names its rung. */
static gint
rung_of (const LsTiling *tiling)
{
  for (gint i = 0; tiling != NULL && i < LS_RUNG_N; i++)
    if (strstr (tiling->kernel, ls_rung_cut ((LsRung) i, 0).name) != NULL)
      return i;
  return -1;
}

/* The recorded length of that work-group, if the lane ran this rung and its groups carry times; 0. */
static gint64
stamped_ns (const LsTiles *t, const LsViewData *data)
{
  const LsStepIndex *index = data->sides[1].index;
  const LsTiling *tiling = opencl_tiling (data, t->op);
  const LsOpTrace *trace;

  if (t->ran != (gint) t->cut.rung || index == NULL || tiling == NULL || t->op >= index->n_ops)
    return 0;
  if (tiling->tile_rows != t->cut.tile_m || tiling->tile_cols != t->cut.tile_n)
    return 0;
  trace = &index->ops[ls_step_index_leader (index, t->op)];
  for (guint i = 0; trace->timed && i < trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (index, trace, i);
      if (e->kind == LS_EVENT_GROUP && e->tile == t->row * t->cols + t->col && e->end_ns > e->start_ns)
        return (gint64) (e->end_ns - e->start_ns);
    }
  return 0;
}

static guint
place (gint asked, guint n, double otherwise)
{
  return asked >= 0 ? MIN ((guint) asked, n - 1) : (guint) (otherwise * (n - 1));
}

guint
ls_tiles_busiest (const LsTilesMatrix *matrix, gboolean rows, gint64 first, gint64 n, gint64 length)
{
  guint best = (guint) (n / 3);
  double most = 0;

  for (gint64 i = 0; matrix->values != NULL && i < n; i++)
    {
      double sum = 0;
      for (gint64 k = 0; k < length; k++)
        sum += fabs (rows ? ls_tiles_value (matrix, first + i, k) : ls_tiles_value (matrix, k, first + i));
      if (sum > most)
        {
          most = sum;
          best = (guint) i;
        }
    }
  return best;
}

static void
measure_walk (LsTiles *t, const LsViewData *data)
{
  const guint steps = t->window;
  double weight = 0;

  for (guint i = 0; t->listing != NULL && i < t->listing->n_marks; i++)
    if (t->listing->marks[i] != LS_LISTING_STORE)
      {
        weight += phase_weight (t->listing->marks[i], steps);
        t->n_loop = i + 1;
      }
  t->span_ns = stamped_ns (t, data);
  t->stamped = t->span_ns > 0;
  if (!t->stamped)
    t->span_ns = (gint64) (MAX (weight, steps) * ((double) t->rounds + STORE_PART));
  t->round_ns = MAX (1, (gint64) ((double) t->span_ns / ((double) t->rounds + STORE_PART)));
}

static void
choose_item (LsTiles *t, const LsQuery *query)
{
  const gint64 m0 = (gint64) t->row * t->cut.tile_m, n0 = (gint64) t->col * t->cut.tile_n;
  const gint64 rows = MIN ((gint64) t->cut.tile_m, t->gemm.m - m0), cols = MIN ((gint64) t->cut.tile_n, t->gemm.n - n0);

  t->item_row = query->item_row >= 0 ? (guint) MIN ((gint64) query->item_row, rows - 1) : ls_tiles_busiest (&t->a, TRUE, m0, rows, t->gemm.k);
  t->item_col = query->item_col >= 0 ? (guint) MIN ((gint64) query->item_col, cols - 1) : ls_tiles_busiest (&t->b, FALSE, n0, cols, t->gemm.k);
}

gboolean
ls_tiles_init (LsTiles *t, LsLayout *layout, const LsViewData *data, const LsQuery *query)
{
  const LsRecording *recording = data->recording;
  const gint op = ls_tiles_op (recording, query->op);
  const LsTiling *tiling;

  *t = (LsTiles){ .layout = layout, .side = -1, .ran = -1, .lane = 1 };
  if (op < 0 || recording->ops[op].n_in < 2 || !ls_tiles_kind (recording, (guint) op, &t->kind, &t->conv))
    return FALSE;
  t->op = (guint) op;
  t->recorded = &recording->ops[op];
  t->gemm = (LsGemm){ t->recorded->attr.m, t->recorded->attr.n, t->recorded->attr.k };
  if (t->gemm.m < 1 || t->gemm.n < 1 || t->gemm.k < 1)
    return FALSE;
  tiling = opencl_tiling (data, t->op);
  t->ran = rung_of (tiling);
  /* packed convolutions are another kernel altogether */
  t->cut = ls_rung_cut (query->rung >= 0 && query->rung < LS_RUNG_N && !(query->rung == LS_RUNG_PACKED && t->kind != LS_TILES_PLAIN)
                          ? (LsRung) query->rung : LS_RUNG_TILED,
                        t->ran == LS_RUNG_PACKED && tiling->tile_cols <= 32 ? (guint) tiling->tile_cols / 2 : 8);
  find_factors (t, recording, data);
  if (query->cpu_side && t->kind == LS_TILES_PLAIN && ls_tiles_cpu_init (t, data, query))
    return TRUE;
  t->splits = t->kind == LS_TILES_CONV_DW ? ls_conv_dw_splits (&t->gemm) : t->kind == LS_TILES_PLAIN ? ls_rung_splits (t->cut.rung, &t->gemm) : 1;
  t->gemm.k = (t->gemm.k + t->splits - 1) / t->splits;
  t->rows = ls_rung_rows (&t->cut, &t->gemm);
  t->cols = ls_rung_cols (&t->cut, &t->gemm);
  t->row = place (query->group_row, t->rows, .5);
  t->col = place (query->group_col, t->cols, .35);
  choose_item (t, query);
  t->window = t->cut.local ? t->cut.tile_k : WINDOW;
  t->rounds = (t->gemm.k + t->window - 1) / t->window;
  t->a.top = ls_tiles_top (&t->a, (gint64) t->row * t->cut.tile_m, t->cut.tile_m, 0, t->gemm.k);
  t->b.top = ls_tiles_top (&t->b, 0, t->gemm.k, (gint64) t->col * t->cut.tile_n, t->cut.tile_n);
  t->listing = ls_listing_load (data->sides[1].recorded != NULL ? data->sides[1].recorded->device : NULL, t->cut.file, t->cut.function);
  measure_walk (t, data);
  return TRUE;
}

void
ls_tiles_clear (LsTiles *t)
{
  g_clear_pointer (&t->listing, ls_listing_free);
  g_clear_pointer (&t->cpu, g_free);
  g_clear_pointer (&t->a.symbol, g_free);
  g_clear_pointer (&t->b.symbol, g_free);
  g_clear_pointer (&t->c.symbol, g_free);
}

/* ---- the time ---- */

/* The loop's phase at `at`, 0 … 1 of its length. */
static void
find_phase (const LsTiles *t, double at, guint steps, LsTilesNow *now)
{
  double weight = 0, from = 0;

  for (guint i = 0; i < t->n_loop; i++)
    weight += phase_weight (t->listing->marks[i], steps);
  for (guint i = 0; i < t->n_loop; i++)
    {
      const double length = phase_weight (t->listing->marks[i], steps) / weight;
      now->mark = i;
      now->phase = t->listing->marks[i];
      now->part = CLAMP ((at - from) / length, 0, 1);
      if (at < from + length)
        break;
      from += length;
    }
}

static gboolean
before_multiply (const LsTiles *t, guint mark)
{
  for (guint i = 0; i < mark; i++)
    if (t->listing->marks[i] == LS_LISTING_MULTIPLY)
      return FALSE;
  return t->listing->marks[mark] != LS_LISTING_MULTIPLY;
}

void
ls_tiles_now (const LsTiles *t, gint64 time_ns, LsTilesNow *now)
{
  const double at = (double) CLAMP (time_ns, 0, t->span_ns) / (double) t->round_ns;
  const guint last = (guint) (t->gemm.k - (t->rounds - 1) * t->window);
  double within;

  *now = (LsTilesNow){ .round = MIN ((gint64) at, t->rounds), .mark = LS_LISTING_NO_MARK };
  if (time_ns >= t->span_ns || t->n_loop == 0)
    now->round = t->rounds;
  now->loaded = now->multiplied = now->round;
  if (now->round >= t->rounds)
    {
      now->stored = time_ns >= t->span_ns;
      if (!now->stored && t->listing != NULL && t->listing->n_marks > t->n_loop)
        {
          now->mark = t->n_loop;
          now->phase = LS_LISTING_STORE;
          now->part = CLAMP ((at - (double) t->rounds) / STORE_PART, 0, 1);
        }
      return;
    }
  within = at - (double) now->round;
  if (t->cut.local)
    {
      find_phase (t, within, t->window, now);
      now->loaded += now->phase != LS_LISTING_LOAD;
      if (now->phase == LS_LISTING_MULTIPLY)
        now->step = MIN ((guint) (now->part * t->window), t->window - 1);
      else if (!before_multiply (t, now->mark))
        now->multiplied++;
      return;
    }
  const guint steps = now->round == t->rounds - 1 ? last : t->window;
  now->step = MIN ((guint) (within * steps), steps - 1);
  find_phase (t, within * steps - now->step, 1, now);
}

/* A good moment for a picture that stands: a few rounds in, while the rows of a tile are being loaded. */
gint64
ls_tiles_still (const LsTiles *t)
{
  const gint64 round = t->rounds * 5 / 16;

  return round * t->round_ns + (gint64) ((double) t->round_ns * (!t->cut.local ? .41 : t->rounds < 3 ? .7 : .29));
}
