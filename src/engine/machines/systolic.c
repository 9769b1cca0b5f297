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

gint64
ls_systolic_row_at (guint m, guint64 beat, guint row, guint col)
{
  const gint64 at = (gint64) beat - row - col;

  return at >= 0 && at < m ? at : -1;
}

/* What a cell holds between two beats. */
typedef struct {
  float weight, next_weight; /* the tile's, and the one's that is being loaded */
  float number, sum;         /* on their way to the right, and down */
  guint32 tile;              /* that the number is of */
  gint32 row;                /* of A; −1: no number */
} Cell;

typedef struct {
  const LsSystolic *array;
  guint m, n, k;
  const float *a, *b;
  float *c;
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
  const guint down = (s->k + s->array->rows - 1) / s->array->rows;
  const guint i = tile % down * s->array->rows + row, j = tile / down * s->array->cols + col;

  return i < s->k && j < s->n ? rounded (s->b[(gsize) i * s->n + j]) : 0;
}

static float
number_of (const Multiplying *s, guint tile, guint row_of_a, guint row)
{
  const guint down = (s->k + s->array->rows - 1) / s->array->rows, i = tile % down * s->array->rows + row;

  return i < s->k ? rounded (s->a[(gsize) row_of_a * s->k + i]) : 0;
}

/* The last row's sums leave: those of a further tile along k are added to what came before. */
static void
leave (Multiplying *s, const Cell *cell, guint col)
{
  const guint down = (s->k + s->array->rows - 1) / s->array->rows,
              j = cell->tile / down * s->array->cols + col;
  float *out = s->c + (gsize) cell->row * s->n + j;

  if (j < s->n)
    *out = cell->tile % down == 0 ? cell->sum : *out + cell->sum;
}

guint64
ls_systolic_multiply (const LsSystolic *array, guint m, guint n, guint k, const float *a, const float *b,
                      float *c)
{
  const guint rows = array->rows, cols = array->cols, down = (k + rows - 1) / rows,
              tiles = down * ((n + cols - 1) / cols), every = MAX (m, rows);
  const gsize n_cells = (gsize) rows * cols;
  g_autofree Cell *cells = g_new0 (Cell, n_cells), *before = g_new0 (Cell, n_cells);
  Multiplying s = { array, m, n, k, a, b, c };
  guint64 beat = 0, left = 0;
  const guint64 all = (guint64) tiles * m * cols;

  for (gsize i = 0; i < n_cells; i++)
    cells[i].row = -1;
  for (; left < all; beat++)
    {
      memcpy (before, cells, n_cells * sizeof *cells);
      for (guint i = 0; i < rows; i++)
        for (guint j = 0; j < cols; j++)
          {
            Cell *cell = &cells[(gsize) i * cols + j];
            /* the array's first beat is after the first tile's loading; this row's i beats later */
            const gint64 since = (gint64) beat - rows - i;
            const guint tile = since >= 0 ? (guint) MIN (since / every, tiles) : tiles;
            const gint64 row = since >= 0 && tile < tiles ? since - (gint64) tile * every : -1;

            if (j == 0)
              {
                cell->row = row >= 0 && row < m ? (gint32) row : -1;
                cell->tile = tile;
                cell->number = cell->row >= 0 ? number_of (&s, tile, (guint) row, i) : 0;
              }
            else
              {
                const Cell *of = &before[(gsize) i * cols + j - 1];
                cell->row = of->row;
                cell->tile = of->tile;
                cell->number = of->number;
              }
            /* the first number of a tile brings its weight into use; then there is room for the next one's,
             * a row of cells a beat, each column a beat later than the one before */
            if (cell->row == 0)
              cell->weight = cell->next_weight;
            if (beat >= i + j && (beat - i - j) % every == 0 && (beat - i - j) / every < tiles)
              cell->next_weight = weight_of (&s, (guint) ((beat - i - j) / every), i, j);
            cell->sum = (i > 0 ? before[(gsize) (i - 1) * cols + j].sum : 0) + cell->number * cell->weight;
            if (i == rows - 1 && cell->row >= 0)
              {
                leave (&s, cell, j);
                left++;
              }
          }
    }
  return beat;
}
