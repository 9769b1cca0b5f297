/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which product is walked through, on which numbers, by which work-group and work-item. No drawing.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#define WINDOW 16 /* products that are drawn at once where the kernel has no tiles */

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
  col = ls_tiles_stored_column (matrix, col);
  at = matrix->gather == LS_TILES_STRIDES ? row * matrix->row_step + col * matrix->col_step
                                          : ls_tiles_gather (matrix, row, col);
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

  t->a = (LsTilesMatrix){
    .row_step = attr->ta ? 1 : attr->k, .col_step = attr->ta ? attr->m : 1, .rows = attr->m, .cols = attr->k
  };
  t->b = (LsTilesMatrix){
    .row_step = attr->tb ? 1 : attr->n, .col_step = attr->tb ? attr->k : 1, .rows = attr->k, .cols = attr->n
  };
  t->c = (LsTilesMatrix){ .rows = attr->m, .cols = attr->n };
  if (t->kind != LS_TILES_PLAIN)
    ls_tiles_conv_factors (t, &a_in, &b_in);
  in[0] = &recording->shapes[t->recorded->in[a_in]];
  in[1] = &recording->shapes[t->recorded->in[b_in]];
  t->a.symbol = g_strconcat (in[0]->symbol, attr->ta ? "ᵀ" : "", NULL);
  t->b.symbol = t->kind != LS_TILES_PLAIN ? g_strdup_printf (_("patches of %s"), in[1]->symbol)
                                          : g_strconcat (in[1]->symbol, attr->tb ? "ᵀ" : "", NULL);
  t->c.symbol = g_strdup (t->recorded->symbol);
  t->side = -1;
  for (guint i = 0; i < LS_SIDES && t->side < 0; i++)
    {
      const guint side = i == 0 ? t->lane : 1 - t->lane; /* its own, or the other lane's */
      const LsViewLane *lane = &data->sides[side];
      const LsRecordedShape *shape[2] = { NULL, NULL };
      if (!lane->there || lane->recorded == NULL || lane->held != NULL)
        continue;
      t->a.values = ls_recording_values_before (recording, lane->lane, in[0]->name, &shape[0]);
      t->b.values = ls_recording_values_before (recording, lane->lane, in[1]->name, &shape[1]);
      t->as_found = lane->recorded->before->len > 0;
      if (t->a.values != NULL && t->b.values != NULL && shape[0]->dtype == LS_F32 && shape[1]->dtype == LS_F32
          && (t->kind != LS_TILES_PLAIN
              || (ls_recorded_shape_count (shape[0]) == attr->m * attr->k
                  && ls_recorded_shape_count (shape[1]) == attr->k * attr->n)))
        t->side = (gint) side;
      else
        t->a.values = t->b.values = NULL;
    }
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

/* ---- the work-group's part of C ---- */

gint64
ls_tiles_column (const LsTiles *t, guint j)
{
  gint64 n;

  if (t->walk == NULL || t->cpu != NULL)
    return (gint64) t->col * t->cut.tile_n + j;
  n = t->walk->columns[j];
  return n >= 0 ? n : t->b.cols;
}

gint64
ls_tiles_columns (const LsTiles *t)
{
  gint64 n = 0;

  if (t->walk == NULL || t->cpu != NULL)
    return MIN ((gint64) t->cut.tile_n, t->gemm.n - (gint64) t->col * t->cut.tile_n);
  for (guint j = 0; j < t->walk->tile_n; j++)
    n += t->walk->columns[j] >= 0;
  return MAX (n, 1);
}

void
ls_tiles_group (const LsTiles *t, gint64 *first, gint64 *wide)
{
  *wide = t->cut.tile_n;
  *first = (gint64) t->col * *wide;
  if (t->walk == NULL || t->cpu != NULL || t->kind == LS_TILES_PLAIN)
    return;
  *first = ls_tiles_column (t, 0);
  *wide = t->col > 0 ? *first / t->col : (t->c.cols + t->cols - 1) / t->cols;
}

double
ls_tiles_factor (const LsTiles *t, gboolean is_a, guint i, gint64 k)
{
  const LsWalk *walk = t->cpu == NULL ? t->walk : NULL;
  const guint tile = is_a ? t->cut.tile_m : t->cut.tile_n;

  if (walk != NULL && i < tile && k < (gint64) walk->kept * walk->tile_k)
    return (double) (is_a ? walk->a : walk->b)[k * tile + i];
  if (k >= t->gemm.k)
    return 0;
  return is_a ? ls_tiles_value (&t->a, (gint64) t->row * t->cut.tile_m + i, k)
              : ls_tiles_value (&t->b, k, ls_tiles_column (t, i));
}

static void
choose_item (LsTiles *t, const LsQuery *query)
{
  const LsTilesState *asked = ls_tiles_asked (query);
  const gint64 m0 = (gint64) t->row * t->cut.tile_m, n0 = ls_tiles_column (t, 0);
  const gint64 rows = MIN ((gint64) t->cut.tile_m, t->gemm.m - m0), cols = ls_tiles_columns (t);

  t->item_row = asked->item_row >= 0 ? (guint) MIN ((gint64) asked->item_row, rows - 1)
                                     : ls_tiles_busiest (&t->a, TRUE, m0, rows, t->gemm.k);
  t->item_col = asked->item_col >= 0 ? (guint) MIN ((gint64) asked->item_col, cols - 1)
                                     : ls_tiles_busiest (&t->b, FALSE, n0, cols, t->gemm.k);
}

LsEvidence
ls_tiles_evidence (const LsTiles *t)
{
  if (t->cpu == NULL && t->modelled)
    return LS_EVIDENCE_MODELLED;
  return t->side < 0 && t->walk == NULL ? LS_EVIDENCE_MODELLED : LS_EVIDENCE_MEASURED;
}

static void
choose_group (LsTiles *t, const LsQuery *query)
{
  const LsTilesState *asked = ls_tiles_asked (query);
  if (t->walk != NULL)
    {
      t->splits = t->walk->splits;
      t->gemm.k = MIN (t->walk->products, t->gemm.k);
      t->rows = t->walk->rows;
      t->cols = t->walk->cols;
      t->row = t->walk->row;
      t->col = t->walk->col;
      return;
    }
  if (t->kind == LS_TILES_CONV_DW)
    {
      const LsConvDwCut cut = ls_conv_dw_cut (&t->gemm, t->gemm.k / (t->conv.rows * t->conv.cols));
      t->splits = cut.groups;
      t->gemm.k = cut.products;
    }
  else
    {
      t->splits = t->kind == LS_TILES_PLAIN ? ls_rung_splits (t->cut.rung, &t->gemm) : 1;
      t->gemm.k = ls_part_products (t->gemm.k, t->splits);
    }
  t->rows = ls_rung_rows (&t->cut, &t->gemm);
  t->cols = ls_rung_cols (&t->cut, &t->gemm);
  t->row = ls_walk_row (asked->group_row, t->rows);
  t->col = ls_walk_col (asked->group_col, t->cols);
}

gboolean
ls_tiles_differs (const LsTiles *t, gint64 *row, gint64 *col)
{
  const LsViewData *data = t->layout->data;

  return data->difference.found
         && (ls_stage_differs (t->layout, 0, t->op) || ls_stage_differs (t->layout, 1, t->op))
         && ls_difference_at (&data->difference, t->c.rows, t->c.cols, row, col);
}

void
ls_tiles_seek_difference (const LsViewData *data, LsQuery *query)
{
  LsLayout layout = { .data = (LsViewData *) data };
  LsTilesState *asked = query->state, without = *asked;
  LsQuery at = *query;
  LsTiles t;
  gint64 row, col;

  without.cpu_side = FALSE;
  at.state = &without;
  at.op = data->difference.op;
  if (ls_tiles_init (&t, &layout, data, &at) && t.kind == LS_TILES_PLAIN && ls_tiles_differs (&t, &row, &col))
    {
      asked->group_row = (gint) (row / t.cut.tile_m);
      asked->group_col = (gint) (col / t.cut.tile_n);
      asked->item_row = (gint) (row % t.cut.tile_m);
      asked->item_col = (gint) (col % t.cut.tile_n);
    }
  ls_tiles_clear (&t);
}

gboolean
ls_tiles_init (LsTiles *t, LsLayout *layout, const LsViewData *data, const LsQuery *query)
{
  const LsRecording *recording = data->recording;
  const gint op = ls_tiles_op (recording, query->op);

  *t = (LsTiles){
    .layout = layout, .side = -1, .ran = -1, .lane = ls_view_data_side_of (data, LS_BACKEND_OPENCL)
  };
  if (op < 0 || recording->ops[op].n_in < 2 || !ls_tiles_kind (recording, (guint) op, &t->kind, &t->conv))
    return FALSE;
  t->op = (guint) op;
  t->recorded = &recording->ops[op];
  t->gemm = (LsGemm){ t->recorded->attr.m, t->recorded->attr.n, t->recorded->attr.k };
  if (t->gemm.m < 1 || t->gemm.n < 1 || t->gemm.k < 1)
    return FALSE;
  ls_tiles_choose_cut (t, data, query);
  find_factors (t, recording, data);
  if (ls_tiles_asked (query)->cpu_side && ls_tiles_cpu_init (t, data, query))
    return TRUE;
  choose_group (t, query);
  choose_item (t, query);
  t->window = t->walk != NULL ? t->walk->tile_k : t->cut.local ? t->cut.tile_k : WINDOW;
  t->rounds = (t->gemm.k + t->window - 1) / t->window;
  t->a.top = ls_tiles_top (&t->a, (gint64) t->row * t->cut.tile_m, t->cut.tile_m, 0, t->gemm.k);
  t->b.top = ls_tiles_top (&t->b, 0, t->gemm.k, ls_tiles_column (t, 0),
                           ls_tiles_column (t, t->cut.tile_n - 1) - ls_tiles_column (t, 0) + 1);
  t->listing = ls_listing_load (
    ls_tiles_opencl (data)->recorded != NULL ? ls_tiles_opencl (data)->recorded->device : NULL, t->cut.file,
    t->cut.function);
  ls_tiles_measure (t, data);
  return TRUE;
}

void
ls_tiles_clear (LsTiles *t)
{
  g_clear_pointer (&t->listing, ls_listing_free);
  g_clear_pointer (&t->cpu, g_free);
  g_clear_pointer (&t->starts, g_free);
  g_clear_pointer (&t->a.symbol, g_free);
  g_clear_pointer (&t->b.symbol, g_free);
  g_clear_pointer (&t->c.symbol, g_free);
}
