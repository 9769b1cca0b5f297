/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row's figures from its rounds.
 */
#include "config.h"
#include "row.h"

#include "lab/machine.h"

LsBenchRow *
ls_bench_row_new (const LsWork *work, GError **error)
{
  g_autoptr (LsBenchRow) row = g_new0 (LsBenchRow, 1);

  row->work = work;
  return ls_work_cost (work, &row->cost, error) ? g_steal_pointer (&row) : NULL;
}

void
ls_bench_row_free (LsBenchRow *row)
{
  if (row == NULL)
    return;
  for (guint i = 0; i < LS_PEER_N; i++)
    {
      g_free (row->entries[i].how);
      g_free (row->entries[i].failed);
      for (guint r = 0; r < LS_ROUNDS_MAX; r++)
        g_clear_pointer (&row->entries[i].rounds[r], g_array_unref);
    }
  g_clear_pointer (&row->cost.products, g_array_unref);
  g_free (row);
}

static void
decide (LsBenchRow *row)
{
  row->n_disturbed = 0;
  for (guint r = 0; r < row->n_rounds; r++)
    row->n_disturbed += row->others[r] > LS_MACHINE_BUSY;
  row->left_out = row->n_disturbed > 0 && row->n_rounds - row->n_disturbed >= LS_ROUNDS_NEEDED;
  for (guint r = 0; r < row->n_rounds; r++)
    row->kept[r] = !row->left_out || row->others[r] <= LS_MACHINE_BUSY;
}

LsFigure
ls_bench_row_figure (const LsBenchRow *row, GArray *const rounds[])
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  guint64 left_out = 0;
  LsFigure figure;

  for (guint r = 0; r < row->n_rounds; r++)
    if (rounds[r] != NULL && row->kept[r])
      g_array_append_vals (all, rounds[r]->data, rounds[r]->len);
    else if (rounds[r] != NULL)
      left_out += rounds[r]->len;
  figure = ls_figure_of_samples ((gpointer) all->data, all->len, "µs");
  figure.left_out = left_out;
  if (row->n_disturbed > 0 && !row->left_out)
    figure.condition = "beside other programs";
  return figure;
}

void
ls_bench_row_finish (LsBenchRow *row)
{
  decide (row);
  for (guint i = 0; i < LS_PEER_N; i++)
    if (row->entries[i].here)
      row->entries[i].us = ls_bench_row_figure (row, row->entries[i].rounds);
}

LsPeerId
ls_bench_row_best (const LsBenchRow *row)
{
  LsPeerId best = LS_PEER_N;

  for (guint i = LS_PEER_OPENBLAS + 1; i < LS_PEER_N; i++)
    if (row->entries[i].here && row->entries[i].us.n > 0
        && (best == LS_PEER_N || row->entries[i].us.value < row->entries[best].us.value))
      best = (LsPeerId) i;
  return best;
}

static double
median_of (const GArray *round)
{
  g_autofree double *copy = g_memdup2 (round->data, round->len * sizeof (double));

  return ls_figure_of_samples (copy, round->len, "µs").value;
}

LsFigure
ls_bench_row_ratio (const LsBenchRow *row, LsPeerId a, LsPeerId b)
{
  double ratios[LS_ROUNDS_MAX];
  guint n = 0;
  LsFigure figure;

  for (guint r = 0; r < row->n_rounds; r++)
    {
      const GArray *ra = row->entries[a].rounds[r], *rb = row->entries[b].rounds[r];
      if (row->kept[r] && row->entries[a].here && row->entries[b].here && ra != NULL && rb != NULL
          && ra->len > 0 && rb->len > 0)
        ratios[n++] = median_of (rb) / median_of (ra);
    }
  figure = ls_figure_of_samples (ratios, n, "×");
  figure.evidence = LS_EVIDENCE_DERIVED;
  figure.left_out = row->n_rounds - n;
  if (row->n_disturbed > 0 && !row->left_out)
    figure.condition = "beside other programs";
  return figure;
}
