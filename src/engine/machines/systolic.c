/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See systolic.h.
 */
#include "config.h"
#include "machines/systolic.h"

#include "core/half.h"

#include <math.h>
#include <string.h>

static double
tiles_of (const LsSystolic *array, double n, double k)
{
  return ceil (k / array->rows) * ceil (n / array->cols);
}

double
ls_systolic_beats (const LsSystolic *array, double m, double n, double k)
{
  return array->rows + (tiles_of (array, n, k) - 1) * MAX (m, (double) array->rows) + m + array->rows
         + array->cols - 2;
}

double
ls_systolic_used (const LsSystolic *array, double m, double n, double k)
{
  return m * n * k / ((double) array->rows * array->cols * ls_systolic_beats (array, m, n, k));
}

/* One way of the two. */
static void
cut_one (const LsSystolic *array, guint arrays, const LsMachineWork *work, gboolean turned,
         LsSystolicCut *cut)
{
  const double m = (double) (turned ? work->n : work->m), n = (double) (turned ? work->m : work->n),
               k = (double) work->k, all = tiles_of (array, n, k);

  *cut = (LsSystolicCut){ .turned = turned, .m = m, .n = n, .k = k, .tiles = ceil (all / arrays) };
  /* if there are more arrays than tiles, a part of the rows */
  cut->flows = ceil (m / MAX (1, floor (arrays / all)));
  cut->beats = ls_systolic_beats (array, cut->flows, array->cols, cut->tiles * array->rows);
}

void
ls_systolic_cut (const LsSystolic *array, guint arrays, const LsMachineWork *work, LsSystolicCut *cut)
{
  const gboolean first = work->weights_in == LS_WEIGHTS_A;
  LsSystolicCut other;

  cut_one (array, arrays, work, first, cut);
  cut_one (array, arrays, work, !first, &other);
  if (other.beats < cut->beats * .95)
    *cut = other;
}

/* ---- beat by beat ---- */

/* What the cells hold between two beats, row by row. */
typedef struct {
  const LsSystolic *array;
  guint m, n, k, down, tiles, every; /* tiles along k; in all; beats from one's beginning to the next one's */
  const float *a, *b;
  float *c;
  float *weight, *next_weight; /* the tile's, and the one's that is being loaded */
  float *number, *sum;         /* on their way to the right, and down */
  guint32 *tile;               /* that the number is of */
  gint32 *row;                 /* of A; −1: no number */
} Multiplying;

static float
rounded (float value)
{
  return ls_half_round (LS_BF16, value);
}

/* Tiles go down B before they go on to the right, so that a column's sums are whole one after the other. */
static float
weight_of (const Multiplying *s, guint tile, guint row, guint col)
{
  const guint i = tile % s->down * s->array->rows + row, j = tile / s->down * s->array->cols + col;

  return i < s->k && j < s->n ? rounded (s->b[(gsize) i * s->n + j]) : 0;
}

static float
number_of (const Multiplying *s, guint tile, guint row_of_a, guint row)
{
  const guint i = tile % s->down * s->array->rows + row;

  return i < s->k ? rounded (s->a[(gsize) row_of_a * s->k + i]) : 0;
}

/* What comes in from the left, and all the row's numbers a cell further. */
static void
shift (Multiplying *s, guint64 beat, guint i)
{
  const guint cols = s->array->cols;
  const gsize first = (gsize) i * cols;
  /* the array's first beat is after the first tile's loading; this row's i beats later */
  const gint64 since = (gint64) beat - s->array->rows - i;
  const guint tile = since >= 0 ? (guint) MIN (since / s->every, s->tiles) : s->tiles;
  const gint64 row = since >= 0 && tile < s->tiles ? since - (gint64) tile * s->every : -1;

  memmove (s->number + first + 1, s->number + first, (cols - 1) * sizeof *s->number);
  memmove (s->tile + first + 1, s->tile + first, (cols - 1) * sizeof *s->tile);
  memmove (s->row + first + 1, s->row + first, (cols - 1) * sizeof *s->row);
  s->row[first] = row >= 0 && row < s->m ? (gint32) row : -1;
  s->tile[first] = tile;
  s->number[first] = s->row[first] >= 0 ? number_of (s, tile, (guint) row, i) : 0;
}

/* The first number of a tile brings its weight into use; then there is room for the next one's, a row of
 * cells a beat, each column a beat later than the one before. */
static void
load (Multiplying *s, guint64 beat, guint i)
{
  const guint cols = s->array->cols;
  const gsize first = (gsize) i * cols;

  for (guint j = 0; j < cols; j++)
    if (s->row[first + j] == 0)
      s->weight[first + j] = s->next_weight[first + j];
  if (beat < i)
    return;
  for (guint64 j = (beat - i) % s->every; j < cols && j <= beat - i; j += s->every)
    if ((beat - i - j) / s->every < s->tiles)
      s->next_weight[first + j] = weight_of (s, (guint) ((beat - i - j) / s->every), i, (guint) j);
}

static void
add (Multiplying *s, guint i)
{
  const guint cols = s->array->cols;
  const float *restrict weight = s->weight + (gsize) i * cols, *restrict number = s->number
                                                                                  + (gsize) i * cols;
  float *restrict sum = s->sum + (gsize) i * cols;
  const float *restrict above = i > 0 ? sum - cols : NULL;

  if (above == NULL)
    for (guint j = 0; j < cols; j++)
      sum[j] = 0 + number[j] * weight[j];
  else
    for (guint j = 0; j < cols; j++)
      sum[j] = above[j] + number[j] * weight[j];
}

/* The last row's sums leave: those of a further tile along k are added to what came before. Returns how many
 * did. */
static guint
leave (Multiplying *s)
{
  const guint cols = s->array->cols;
  const gsize last = (gsize) (s->array->rows - 1) * cols;
  guint n = 0;

  for (guint col = 0; col < cols; col++)
    {
      const guint tile = s->tile[last + col], j = tile / s->down * cols + col;
      const gint32 row = s->row[last + col];
      float *out = s->c + (gsize) MAX (row, 0) * s->n + j;

      n += row >= 0;
      if (row >= 0 && j < s->n)
        *out = tile % s->down == 0 ? s->sum[last + col] : *out + s->sum[last + col];
    }
  return n;
}

guint64
ls_systolic_multiply (const LsSystolic *array, guint m, guint n, guint k, const float *a, const float *b,
                      float *c)
{
  const guint rows = array->rows, cols = array->cols, down = (k + rows - 1) / rows,
              tiles = down * ((n + cols - 1) / cols), every = MAX (m, rows);
  const gsize n_cells = (gsize) rows * cols;
  g_autofree float *floats = g_new0 (float, 4 * n_cells);
  g_autofree guint32 *tile = g_new0 (guint32, n_cells);
  g_autofree gint32 *row = g_new (gint32, n_cells);
  Multiplying s = { .array = array,
                    .m = m,
                    .n = n,
                    .k = k,
                    .down = down,
                    .tiles = tiles,
                    .every = every,
                    .a = a,
                    .b = b,
                    .c = c,
                    .weight = floats,
                    .next_weight = floats + n_cells,
                    .number = floats + 2 * n_cells,
                    .sum = floats + 3 * n_cells,
                    .tile = tile,
                    .row = row };
  const guint64 all = (guint64) tiles * m * cols;
  guint64 beat = 0, left = 0;

  for (gsize i = 0; i < n_cells; i++)
    row[i] = -1;
  for (; left < all; beat++)
    {
      /* from below: a row's sums are then those of the row above a beat ago */
      for (guint i = rows; i-- > 0;)
        {
          shift (&s, beat, i);
          load (&s, beat, i);
          add (&s, i);
        }
      left += leave (&s);
    }
  return beat;
}
