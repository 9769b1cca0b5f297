/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a row of spans to what a row of pixels can show. A span of 3 px stands for itself; thinner ones, and
 * ones that lie over each other, join their neighbours into a block that knows their number: nothing is left
 * out. Whole nodes of the pyramid join at once, so that what is drawn decides what this costs.
 */
#include "ui/paint/data/timeline_index.h"

#include <math.h>

#define SPLIT   2.0 /* px: a gap this wide is seen, and ends a block */
#define OVERLAP 0.5 /* px that spans may share and still stand side by side */

guint
ls_time_row_after (const LsTimeRow *row, gint64 ns)
{
  guint low = 0, high = row->n;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      if (row->reach[middle] > ns)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

guint
ls_time_row_before (const LsTimeRow *row, gint64 ns)
{
  guint low = 0, high = row->n;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      if (row->start[middle] <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : row->n;
}

typedef struct {
  const LsTimeRow *row;
  double thin, split, overlap; /* ns */
} Fold;

/* Wide enough, and nothing over it? */
static gboolean
alone (const Fold *f, guint i)
{
  const LsTimeRow *row = f->row;

  return row->merged == 1 && (double) (row->end[i] - row->start[i]) >= f->thin
         && (i == 0 || (double) (row->reach[i - 1] - row->start[i]) <= f->overlap)
         && (i + 1 >= row->n || (double) (row->end[i] - row->start[i + 1]) <= f->overlap);
}

/* Does span i join the run from `first` to the one before it? An op that is wide enough to be seen has runs
 * of its own. */
static gboolean
joins (const Fold *f, guint first, guint i)
{
  const LsTimeRow *row = f->row;

  return !alone (f, i) && (double) (row->start[i] - row->reach[i - 1]) < f->split
         && (row->op[i] == row->op[i - 1] || (double) (row->reach[i - 1] - row->start[first]) < f->thin);
}

/* All of the node's spans, from span i on, `size` of them, join. */
static gboolean
node_joins (const Fold *f, guint first, const LsTimeNode *node, guint i, guint size)
{
  const LsTimeRow *row = f->row;

  if ((double) node->gap >= f->split)
    return FALSE;
  if ((node->mixed || node->op != row->op[i - 1])
      && (double) (row->reach[i + size - 1] - row->start[first]) >= f->thin)
    return FALSE;
  return row->merged > 1 || (double) node->longest < f->thin || (double) node->overlap > f->overlap;
}

/* The end of the run that span `first` begins, at most n. */
static guint
run_end (const Fold *f, guint first, guint n)
{
  guint i = first + 1;

  while (i < n)
    {
      gint level = -1;
      guint size = 1;

      while (
        level + 1 < (gint) f->row->n_levels && i % (size * LS_TIME_FAN) == 0 && i + size * LS_TIME_FAN <= n
        && node_joins (f, first, &f->row->levels[level + 1][i / (size * LS_TIME_FAN)], i, size * LS_TIME_FAN))
        {
          level++;
          size *= LS_TIME_FAN;
        }
      if (level < 0 && !joins (f, first, i))
        return i;
      i += size;
    }
  return n;
}

void
ls_time_row_walk (const LsTimeRow *row, const LsTimeScale *scale, LsTimeBlockFunc func, gpointer data)
{
  ls_time_row_walk_folded (row, scale, NULL, 0, func, data);
}

void
ls_time_row_walk_folded (const LsTimeRow *row, const LsTimeScale *scale, const LsTimeFold *folds,
                         guint n_folds, LsTimeBlockFunc func, gpointer data)
{
  const double px = (double) MAX (scale->to - scale->from, 1) / MAX (scale->w, 1);
  const Fold f = { row, LS_TIME_THIN * px, SPLIT * px, OVERLAP * px };
  double edge = scale->x;
  guint n = row->n, next = 0;

  if (n > 0 && row->start[n - 1] >= scale->to)
    {
      const guint before = ls_time_row_before (row, scale->to - 1);
      n = before < row->n ? before + 1 : 0;
    }
  for (guint i = ls_time_row_after (row, scale->from), end; i < n; i = end)
    {
      while (next < n_folds && folds[next].first + folds[next].n <= i)
        next++;
      const gboolean ahead = next < n_folds, folded = ahead && folds[next].first <= i;
      end = folded          ? MIN (folds[next].first + folds[next].n, n)
            : alone (&f, i) ? i + 1
                            : run_end (&f, i, ahead ? MIN (folds[next].first, n) : n);
      /* side by side on whole pixels, none narrower than one */
      const double x = MAX (round (ls_time_x (scale, row->start[i])), edge);
      const double right = MAX (round (ls_time_x (scale, row->reach[end - 1])), x + 1);
      const LsTimeBlock block = { i, end - i, x, right - x >= LS_TIME_THIN ? right - x - 1 : right - x,
                                  folded ? (gint) folds[next].what : -1 };
      func (data, row, &block);
      edge = right;
    }
}
