/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the walk and its parts last, stamped or modelled, and where it is at a time. No drawing.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <math.h>

#define STORE_PART .4 /* of a round's length */

/* The model of a phase's length, in steps of the multiply loop, for a tile of 16 steps. Only how they compare
 * matters. */
static double
phase_weight (LsListingPhase phase, guint steps)
{
  switch (phase)
    {
    case LS_LISTING_LOAD:
      return .9 * steps;
    case LS_LISTING_BARRIER:
      return .18 * steps;
    default:
      return steps;
    }
}

/* The recorded length of that work-group, if the lane ran this rung and its groups carry times; 0. */
static gint64
stamped_ns (const LsTiles *t, const LsViewData *data)
{
  const LsStepIndex *index = ls_tiles_opencl (data)->index;
  const LsViewLane *lane = ls_tiles_opencl (data);
  const LsTiling *tiling = lane->there && lane->recorded != NULL
                             ? &lane->recorded->tilings[lane->recorded->tilings[t->op].leader]
                             : NULL;
  const LsOpTrace *trace;

  if (t->ran != (gint) t->cut.rung || index == NULL || tiling == NULL || t->op >= index->n_ops)
    return 0;
  /* the recording has the tiles as they fit C */
  if (tiling->tile_rows != MIN ((gint64) t->cut.tile_m, tiling->rows)
      || tiling->tile_cols != MIN ((gint64) t->cut.tile_n, tiling->cols))
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

/* The stamp that the loop's j-th phase begins with. */
static LsWalkStamp
stamp_of (const LsTiles *t, guint j)
{
  switch (t->listing->marks[j])
    {
    case LS_LISTING_LOAD:
      return LS_WALK_LOAD;
    case LS_LISTING_MULTIPLY:
      return LS_WALK_MULTIPLY;
    default:
      break;
    }
  for (guint i = 0; i < j; i++)
    if (t->listing->marks[i] == LS_LISTING_MULTIPLY)
      return LS_WALK_MULTIPLIED;
  return LS_WALK_ARRIVED;
}

gint64
ls_tiles_phase_ns (const LsTiles *t, gint64 round, guint j)
{
  if (t->walk == NULL || t->listing == NULL)
    return -1;
  return j < t->n_loop ? ls_walk_phase_ns (t->walk, (guint) round, stamp_of (t, j))
                       : ls_walk_round_ns (t->walk, t->walk->rounds);
}

/* What of the walk's stamps can be used. */
static LsTilesStamps
stamps_of (const LsTiles *t)
{
  const guint rounds = t->walk != NULL && t->walk->times_ns != NULL ? t->walk->rounds : 0;
  LsTilesStamps stamps = t->cut.local ? LS_TILES_PHASES : LS_TILES_ROUNDS;

  if (rounds == 0 || rounds != t->rounds || ls_walk_span_ns (t->walk) <= 0)
    return LS_TILES_MODELLED;
  for (guint round = 0; round <= rounds; round++)
    {
      if (ls_walk_round_ns (t->walk, round) < 0)
        return LS_TILES_WHOLE;
      for (guint j = 0; round < rounds && stamps == LS_TILES_PHASES && j < t->n_loop; j++)
        if (ls_tiles_phase_ns (t, round, j) < 0)
          stamps = LS_TILES_ROUNDS;
    }
  return stamps;
}

void
ls_tiles_measure (LsTiles *t, const LsViewData *data)
{
  const guint steps = t->window;
  double weight = 0;

  for (guint i = 0; t->listing != NULL && i < t->listing->n_marks; i++)
    if (t->listing->marks[i] != LS_LISTING_STORE)
      {
        weight += phase_weight (t->listing->marks[i], steps);
        t->n_loop = i + 1;
      }
  t->stamps = stamps_of (t);
  t->span_ns = t->stamps > LS_TILES_MODELLED ? ls_walk_span_ns (t->walk) : stamped_ns (t, data);
  if (t->span_ns > 0 && t->stamps == LS_TILES_MODELLED)
    t->stamps = LS_TILES_WHOLE;
  if (t->stamps == LS_TILES_MODELLED)
    t->span_ns = (gint64) (MAX (weight, steps) * ((double) t->rounds + STORE_PART));
  t->round_ns = MAX (1, (gint64) ((double) t->span_ns / ((double) t->rounds + STORE_PART)));
  if (t->stamps < LS_TILES_ROUNDS)
    return;
  t->starts = g_new0 (gint64, t->rounds + 1);
  for (gint64 round = 0; round < t->rounds; round++)
    t->starts[round + 1] = t->starts[round] + ls_walk_round_ns (t->walk, (guint) round);
}

static gint64
start_of (const LsTiles *t, gint64 round)
{
  return t->starts != NULL ? t->starts[MIN (round, t->rounds)] : round * t->round_ns;
}

/* The share of a round that the loop's j-th phase takes, of a kernel that works in tiles. */
static double
share_of (const LsTiles *t, gint64 round, guint j)
{
  double weight = 0;

  if (t->stamps == LS_TILES_PHASES)
    {
      const gint64 all = t->starts[round + 1] - t->starts[round];
      return all > 0 ? (double) ls_tiles_phase_ns (t, round, j) / (double) all : 1.0 / t->n_loop;
    }
  for (guint i = 0; i < t->n_loop; i++)
    weight += phase_weight (t->listing->marks[i], t->cut.local ? t->window : 1);
  return phase_weight (t->listing->marks[j], t->cut.local ? t->window : 1) / weight;
}

/* ---- where it is ---- */

/* The loop's phase at `at`, 0 … 1 of the round's length. */
static void
find_phase (const LsTiles *t, double at, LsTilesNow *now)
{
  double from = 0;

  for (guint i = 0; i < t->n_loop; i++)
    {
      const double length = share_of (t, now->round, i);
      now->mark = i;
      now->phase = t->listing->marks[i];
      now->part = length > 0 ? CLAMP ((at - from) / length, 0, 1) : 1;
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

/* The round at that time, and how much of it is over, 0 … 1. */
static gint64
find_round (const LsTiles *t, gint64 time_ns, double *within)
{
  gint64 first = 0, end = t->rounds;

  if (t->starts == NULL)
    {
      const double at = (double) time_ns / (double) t->round_ns;
      *within = at - floor (at);
      return MIN ((gint64) at, t->rounds);
    }
  while (first < end)
    {
      const gint64 middle = first + (end - first) / 2;
      if (t->starts[middle + 1] <= time_ns)
        first = middle + 1;
      else
        end = middle;
    }
  *within = first < t->rounds ? (double) (time_ns - t->starts[first])
                                  / (double) MAX (t->starts[first + 1] - t->starts[first], 1)
                              : 0;
  return first;
}

void
ls_tiles_now (const LsTiles *t, gint64 time_ns, LsTilesNow *now)
{
  const guint last = (guint) (t->gemm.k - (t->rounds - 1) * t->window);
  double within;

  *now = (LsTilesNow){ .round = find_round (t, CLAMP (time_ns, 0, t->span_ns), &within),
                       .mark = LS_LISTING_NO_MARK };
  if (time_ns >= t->span_ns || t->n_loop == 0)
    now->round = t->rounds;
  now->loaded = now->multiplied = now->round;
  if (now->round >= t->rounds)
    {
      const gint64 store = start_of (t, t->rounds);
      now->stored = time_ns >= t->span_ns;
      if (!now->stored && t->listing != NULL && t->listing->n_marks > t->n_loop)
        {
          now->mark = t->n_loop;
          now->phase = LS_LISTING_STORE;
          now->part = CLAMP ((double) (time_ns - store) / (double) MAX (t->span_ns - store, 1), 0, 1);
        }
      return;
    }
  if (t->cut.local)
    {
      find_phase (t, within, now);
      now->loaded += now->phase != LS_LISTING_LOAD;
      if (now->phase == LS_LISTING_MULTIPLY)
        now->step = MIN ((guint) (now->part * t->window), t->window - 1);
      else if (!before_multiply (t, now->mark))
        now->multiplied++;
      return;
    }
  const guint steps = now->round == t->rounds - 1 ? last : t->window;
  now->step = MIN ((guint) (within * steps), steps - 1);
  find_phase (t, within * steps - now->step, now);
}

/* A good moment for a picture that stands: a few rounds in, while the rows of a tile are being loaded. */
gint64
ls_tiles_still (const LsTiles *t)
{
  const gint64 round = t->rounds * 5 / 16, start = start_of (t, round),
               length = start_of (t, round + 1) - start;
  double part = .41;

  if (t->cut.local && t->n_loop > 2)
    part = t->rounds < 3 ? share_of (t, round, 0) + share_of (t, round, 1) + .5 * share_of (t, round, 2)
                         : .73 * share_of (t, round, 0);
  return start + (gint64) ((double) length * part);
}
