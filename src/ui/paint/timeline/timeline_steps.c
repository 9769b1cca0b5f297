/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time steps of layers that read a sequence, in the rows that name ops: folded into one block, there and
 * back, until they are opened. A window that shows less than the block has them open: a block that fills it
 * would tell nothing.
 */
#include "config.h"
#include "ui/paint/timeline/timeline.h"

#include <math.h>

static const GArray *
chains_of (const LsTimelineLane *lane, const LsTimelineRow *row)
{
  return row->kind == LS_ROW_OPS || row->kind == LS_ROW_KERNELS ? lane->chains[row->other] : NULL;
}

static gboolean
is_wished (const LsTimelineLane *lane, guint chain)
{
  const LsTimelineState *state = lane->layout->query.state;

  return state != NULL && ls_folds_open (&state->folds, chain);
}

/* The spans from i on that are of one chain: how many, and which chain; 0: of none. */
static guint
run_of (const GArray *chains, const LsTimeRow *row, guint i, guint *which)
{
  const LsChain *chain = ls_chain_of (chains, row->op[i], NULL);
  guint end = i;

  if (chain == NULL)
    return 0;
  while (end < row->n && ls_chain_of (chains, row->op[end], NULL) == chain)
    end++;
  *which = (guint) (chain - (const LsChain *) (const void *) chains->data);
  return end - i;
}

static gboolean
is_within (const LsTimelineLane *lane, const LsTimeRow *row, guint first, guint n)
{
  const gint64 start = row->start[first], end = row->reach[first + n - 1];

  return start <= lane->scale.from && end >= lane->scale.to
         && (start < lane->scale.from || end > lane->scale.to);
}

GArray *
ls_timeline_folds (const LsTimelineLane *lane, const LsTimelineRow *at)
{
  GArray *folds = g_array_new (FALSE, FALSE, sizeof (LsTimeFold));
  const GArray *chains = chains_of (lane, at);
  const LsTimeRow *row = at->row;

  for (guint i = 0, n, which; chains != NULL && chains->len > 0 && i < row->n; i += MAX (n, 1))
    {
      n = run_of (chains, row, i, &which);
      const LsTimeFold fold = { i, n, which };
      if (n > 0 && !is_wished (lane, which) && !is_within (lane, row, i, n))
        g_array_append_val (folds, fold);
    }
  return folds;
}

gboolean
ls_timeline_is_open (const LsTimelineLane *lane, const LsTimelineRow *row, guint op)
{
  const GArray *chains = chains_of (lane, row);
  const LsChain *chain = chains != NULL ? ls_chain_of (chains, op, NULL) : NULL;

  return chain != NULL && row->h > 2 * LS_TIMELINE_OPEN
         && is_wished (lane, (guint) (chain - (const LsChain *) (const void *) chains->data));
}

void
ls_timeline_open (LsTimelineLane *lane, const LsTimelineRow *at)
{
  const GArray *chains = chains_of (lane, at);
  const LsTimeRow *row = at->row;

  for (guint i = 0, n, which; chains != NULL && chains->len > 0 && i < row->n; i += MAX (n, 1))
    {
      n = run_of (chains, row, i, &which);
      if (n == 0 || !ls_timeline_is_open (lane, at, row->op[i]) || row->reach[i + n - 1] <= lane->scale.from
          || row->start[i] >= lane->scale.to)
        continue;
      const double x = round (ls_time_x (&lane->scale, row->start[i])),
                   w = MAX (round (ls_time_x (&lane->scale, row->reach[i + n - 1])) - 1 - x, 4);
      ls_scene_box (lane->layout->still, x, at->y + at->h - 4, w, 4, LS_INK_QUIET, 0);
      ls_folds_slot (lane->layout, lane->side, which,
                     (LsArea){ x, at->y + at->h - LS_TIMELINE_OPEN, w, LS_TIMELINE_OPEN });
    }
}
