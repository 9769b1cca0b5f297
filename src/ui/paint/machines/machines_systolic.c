/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See machines_picture.h: a corner of the first systolic array at the beat that the clock has come to, with
 * the recorded product's own numbers, rounded to bfloat16 as proof.c multiplies them. One matrix stays in the
 * cells, the other one comes in from the left, a row of cells a beat later than the one above, and sums leave
 * below.
 */
#include "config.h"
#include "ui/paint/machines/machines_picture.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/half.h"
#include "core/number.h"
#include "machines/systolic.h"

#define MOST_CELLS 10  /* a side, that are drawn */
#define LEAST_DARK .25 /* a zero that flows is to be seen, too */

typedef struct {
  LsSystolic array;
  LsSystolicCut cut;
  double since;              /* beats from the first number's loading on */
  double every;              /* beats from a tile's beginning to the next one's */
  LsHeldMatrix flows, stays; /* values NULL: they weren't recorded */
  guint rows, cols, coming;  /* cells drawn, and numbers to the left of them */
} Beat;

/* The row of what flows that is in that cell, and the tile that it is of; col below 0: it will be, so many
 * beats later. −1: none. */
static gint64
row_at (const Beat *b, guint row, gint col, guint *tile)
{
  const double past = b->since - b->array.rows - row - col,
               begun = past > 0 ? MIN (floor (past / b->every), b->cut.tiles - 1) : 0,
               at = past - begun * b->every;

  *tile = (guint) begun;
  return at >= 0 && at < b->cut.flows ? (gint64) at : -1;
}

/* Tiles go down the matrix that stays before they go on to the right. */
static gint64
depth_of (const Beat *b, guint tile, guint row)
{
  return tile % (guint) ceil (b->cut.k / b->array.rows) * (gint64) b->array.rows + row;
}

static float
weight_of (const Beat *b, guint tile, guint row, guint col)
{
  const gint64 i = depth_of (b, tile, row),
               j = tile / (guint) ceil (b->cut.k / b->array.rows) * (gint64) b->array.cols + col;

  return i < b->stays.rows && j < b->stays.cols ? ls_half_round (LS_BF16, ls_held_at (&b->stays, i, j)) : 0;
}

static float
number_of (const Beat *b, guint tile, gint64 at, guint row)
{
  const gint64 k = depth_of (b, tile, row);

  return at < b->flows.rows && k < b->flows.cols ? ls_half_round (LS_BF16, ls_held_at (&b->flows, at, k)) : 0;
}

/* What leaves that cell downwards: products of its column, from the first row on. */
static float
sum_of (const Beat *b, guint tile, gint64 at, guint row, guint col)
{
  float sum = 0;

  for (guint r = 0; r <= row; r++)
    sum += number_of (b, tile, at, r) * weight_of (b, tile, r, col);
  return sum;
}

static LsHeldMatrix
turned (LsHeldMatrix m)
{
  return (LsHeldMatrix){ m.values, m.cols, m.rows, m.across, m.down };
}

static void
find_numbers (const LsMachinesPicture *c, Beat *b)
{
  const LsRecording *recording = c->p->layout->data->recording;
  LsHeldMatrix left, right;

  if (recording == NULL || !ls_held_product (recording, c->p->plan, c->work->op, &left, &right))
    return;
  b->flows = b->cut.turned ? turned (right) : left;
  b->stays = b->cut.turned ? turned (left) : right;
}

/* What the array does at that beat of one tile after the other. */
static const char *
phase_of (const Beat *b)
{
  const double wave = b->array.rows + b->array.cols - 2;

  return b->since < b->array.rows          ? _("loading")
         : b->since < b->array.rows + wave ? _("filling")
         : b->since >= b->cut.beats - wave ? _("draining")
                                           : _("running");
}

/* "0.41 × −0.032 + 0.12 = 0.107" in that cell. (transfer full) */
static char *
cell_words (const Beat *b, guint row, guint col)
{
  guint tile;
  const gint64 at = row_at (b, row, (gint) col, &tile);

  if (at < 0)
    return g_strdup (_("no number is there"));
  g_autofree char *number = ls_number_text ((double) number_of (b, tile, at, row), 3),
                  *weight = ls_number_text ((double) weight_of (b, tile, row, col), 3),
                  *above = ls_number_text (row > 0 ? (double) sum_of (b, tile, at, row - 1, col) : 0, 3),
                  *sum = ls_number_text ((double) sum_of (b, tile, at, row, col), 3);
  return g_strdup_printf ("%s × %s + %s = %s", number, weight, above, sum);
}

static char *
words_of (const LsMachinesPicture *c, const Beat *b, guint framed)
{
  const LsPlan *plan = c->p->plan;
  const guint arrays = (guint) ls_machines_picture_value (c, "arrays");
  const double cells = (double) b->array.rows * b->array.cols * arrays * b->cut.beats;
  const char *symbol = plan->ops[c->work->op].symbol,
             *stays = plan->tensors[b->cut.turned ? c->work->a : c->work->b].symbol,
             *flows = plan->tensors[b->cut.turned ? c->work->b : c->work->a].symbol;
  g_autofree char *now = ls_number_count ((guint64) b->since),
                  *all = ls_number_count ((guint64) b->cut.beats),
                  *used = ls_number_fixed (100 * b->cut.m * b->cut.n * b->cut.k / cells, 0),
                  *tiles = ls_number_count ((guint64) b->cut.tiles),
                  *tile = ls_number_count (
                    (guint64) CLAMP (1 + floor ((b->since - b->array.rows) / b->every), 1, b->cut.tiles)),
                  *where = NULL, *cell = b->stays.values != NULL ? cell_words (b, framed, framed) : NULL;

  if (ls_machines_narrow (c->p))
    return g_strdup_printf (_("%s, beat %s of %s, %s: %s flows to the right, %s stays, sums leave below"),
                            symbol, now, all, phase_of (b), flows, stays);
  where = g_strdup_printf (ngettext ("%s, beat %s of %s on %u array, tile %s of %s, %s",
                                     "%s, beat %s of %s on each of %u arrays, tile %s of %s, %s", arrays),
                           symbol, now, all, arrays, tile, tiles, phase_of (b));
  if (b->since < b->array.rows)
    return g_strdup_printf (_("%s: the first numbers of %s are loaded, a row of cells a beat."), where,
                            stays);
  if (cell != NULL)
    return g_strdup_printf (_("%s; %u×%u of %u×%u cells drawn, with %s coming in, and %s in the cells. "
                               "In the frame: %s. %s %% of the cells’ beats are multiplications of this "
                               "product."),
                            where, b->rows, b->cols, b->array.rows, b->array.cols, flows, stays, cell, used);
  return g_strdup_printf (
    _("%s; %u×%u of %u×%u cells drawn. Numbers of %s enter from the left, each row of cells a beat later "
       "than the one above; %s stays in the cells, sums leave below. %s %% of the cells’ beats are "
       "multiplications of this product."),
    where, b->rows, b->cols, b->array.rows, b->array.cols, flows, stays, used);
}

/* Of all of a matrix, which every colour is a share of. */
static double
largest (const LsHeldMatrix *matrix)
{
  double top = 0;

  for (gint64 i = 0; i < matrix->rows * matrix->cols; i++)
    top = MAX (top, fabs ((double) matrix->values[i]));
  return top;
}

/* The cells' own numbers by sign, those that flow the darker the larger, and below the sums that leave. */
static void
draw_numbers (LsMachinesPicture *c, const Beat *b, double edge, guint framed)
{
  LsScene *s = c->p->layout->moving;
  const double x = c->area.x + b->coming * edge, y = c->area.y, top = largest (&b->flows);
  float weights[MOST_CELLS * MOST_CELLS], sums[MOST_CELLS];
  guint tile;

  for (guint r = 0; r < b->rows; r++)
    for (guint col = 0; col < b->cols; col++)
      {
        row_at (b, r, (gint) col, &tile);
        /* a column of cells a beat, like the numbers that follow */
        weights[r * b->cols + col] = b->since >= r + col ? weight_of (b, tile, r, col) : 0;
      }
  double most = 0;
  for (guint col = 0; col < b->cols; col++)
    {
      const gint64 at = row_at (b, b->rows - 1, (gint) col, &tile);
      sums[col] = at >= 0 ? sum_of (b, tile, at, b->rows - 1, col) : 0;
      most = MAX (most, fabs ((double) sums[col]));
    }
  ls_scene_image (s, x, y, b->cols * edge, b->rows * edge, LS_INK_SIGN, weights, b->cols, b->rows,
                  largest (&b->stays))
    ->strong
    = TRUE;
  ls_scene_image (s, x, y + (b->rows + .4) * edge, b->cols * edge, edge * .6, LS_INK_SIGN, sums, b->cols, 1,
                  most)
    ->strong
    = TRUE;
  for (guint r = 0; r < b->rows; r++)
    for (gint col = -(gint) b->coming; col < (gint) b->cols; col++)
      {
        const gint64 at = row_at (b, r, col, &tile);
        const double share = at >= 0 && top > 0 ? fabs ((double) number_of (b, tile, at, r)) / top : 0,
                     side = round (edge * .45), inset = (edge - side) / 2;
        if (at >= 0)
          ls_machines_picture_cell (c, x + col * edge + inset, y + r * edge + inset, side, side,
                                    LEAST_DARK + (1 - LEAST_DARK) * share);
      }
  ls_scene_mark (s, LS_ITEM_FRAME, x + framed * edge, y + framed * edge, edge, edge, LS_INK_TEXT, 0)->strong
    = TRUE;
}

/* Where their numbers aren't known, or too small to be told apart: which cells work, the darker the sooner.
 */
static void
draw_wave (LsMachinesPicture *c, const Beat *b, double edge)
{
  for (guint r = 0; r < b->rows; r++)
    for (gint col = -(gint) b->coming; col < (gint) b->cols; col++)
      {
        guint tile;
        const double x = c->area.x + (b->coming + col) * edge, y = c->area.y + r * edge;
        const gint64 at = row_at (b, r, col, &tile);

        if (col >= 0)
          ls_machines_picture_cell (c, x, y, edge - 1, edge - 1,
                                    at >= 0 ? .95 - .13 * (double) MIN (at, 5) : 0);
        else if (at >= 0)
          ls_machines_picture_cell (c, x + edge * .2, y + edge * .2, edge * .6, edge * .6, .9);
      }
}

char *
ls_machines_draw_systolic (LsMachinesPicture *c)
{
  const guint most = c->whole ? MOST_CELLS : 6;
  Beat b = { .coming = c->whole ? 6 : 4 };

  if (c->work == NULL || c->work->k == 0)
    return ls_machines_picture_rest (c, c->whole ? 16 : 10, c->whole ? 10 : 6, c->whole ? 22 : 10,
                                     _("no product; a unit beside the array does it"));
  ls_systolic_machine (c->row->assumed.value, c->work, &b.array, &b.cut);
  b.rows = MIN (b.array.rows, most);
  b.cols = MIN (b.array.cols, most);
  b.every = MAX (b.cut.flows, (double) b.array.rows);
  b.since = c->over ? b.array.rows + 7 : floor (c->passed * b.cut.beats);
  if (c->whole && !ls_machines_narrow (c->p)) /* else no words tell what the frame is of */
    find_numbers (c, &b);

  const gboolean numbers = b.stays.values != NULL;
  const guint below = numbers ? 1 : 0, framed = MIN (b.rows, b.cols) / 3;
  const double edge = ls_machines_picture_grid (c, b.cols + b.coming, b.rows + below, c->whole ? 22 : 10);
  if (numbers)
    draw_numbers (c, &b, edge, framed);
  else
    draw_wave (c, &b, edge);
  c->area.h = (b.rows + below) * edge;
  return words_of (c, &b, framed);
}
