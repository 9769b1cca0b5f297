/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded step of which one work-group's walk was read back: its stamps and values are the test's.
 */
#pragma once

#include "tests/paint/fixture.h"

/* The second layer's product, in tiles of 8×8: the last round has 5 products. */
enum { ROWS = 29, COLS = 10, PRODUCTS = 37, TILE = 8, ROUNDS = 5, KEPT = 3, COMPARED = 290 };

/* What of the times was stamped. */
typedef enum { ALL, NO_COPIES, NO_ROUND, NONE } Stamped;

/* Each phase of each round has a length of its own, ns; to copy local memory out takes longer than all, and
 * is none of them. */
static const gint64 store_ns = 500, copying_ns = 70000;

static inline gint64
phase_ns (guint round, guint phase)
{
  static const gint64 first[] = { 100, 20, 300, 40 }, more[] = { 10, 1, 370, 2 };

  return first[phase] + more[phase] * round;
}

static inline gint64
round_ns (guint round)
{
  return phase_ns (round, 0) + phase_ns (round, 1) + phase_ns (round, 2) + phase_ns (round, 3);
}

/* What was in local memory: not the tensors' values, so that it shows which are drawn. */
static inline float
walked (gboolean is_a, guint k, guint line)
{
  return is_a ? .5f + (float) k / 64 + (float) line / 4 : -.25f - (float) k / 128 - (float) line / 8;
}

/* times: of `rounds` and the storing. */
static inline gint64 *
make_times (guint rounds, Stamped stamped)
{
  gint64 *times = g_new (gint64, (rounds + 1) * LS_WALK_N_STAMPS), at = 0;

  for (guint i = 0; i < (rounds + 1) * LS_WALK_N_STAMPS; i++)
    times[i] = -1;
  for (guint round = 0; round < rounds; round++)
    {
      gint64 *stamp = times + round * LS_WALK_N_STAMPS;

      stamp[LS_WALK_LOAD] = at;
      stamp[LS_WALK_ARRIVED] = at += phase_ns (round, 0);
      stamp[LS_WALK_PASSED] = at += phase_ns (round, 1);
      stamp[LS_WALK_MULTIPLY] = at += copying_ns;
      stamp[LS_WALK_MULTIPLIED] = at += phase_ns (round, 2);
      at += phase_ns (round, 3);
      if (stamped == NO_COPIES)
        stamp[LS_WALK_ARRIVED] = stamp[LS_WALK_MULTIPLIED] = -1;
      if (stamped == NO_ROUND && round == 2)
        stamp[LS_WALK_LOAD] = -1;
    }
  times[rounds * LS_WALK_N_STAMPS + LS_WALK_LOAD] = at;
  times[rounds * LS_WALK_N_STAMPS + LS_WALK_ARRIVED] = at + store_ns;
  return times;
}

static inline LsWalk *
make_walk (guint op, LsRung rung, Stamped stamped, gint64 same, const char *message)
{
  LsWalk *w = ls_walk_new ();
  const gboolean local = rung == LS_RUNG_TILED || rung == LS_RUNG_REGISTER;
  const guint tile_k = local ? TILE : LS_WALK_PRODUCTS;

  w->op = op;
  w->rung = rung;
  w->message = g_strdup (message);
  if (message != NULL)
    return w;
  w->rows = (ROWS + TILE - 1) / TILE;
  w->cols = (COLS + TILE - 1) / TILE;
  w->row = 1;
  w->col = 0;
  w->splits = 1;
  w->tile_m = w->tile_n = TILE;
  w->tile_k = tile_k;
  w->item_m = rung == LS_RUNG_REGISTER ? 4 : 1;
  w->item_n = rung == LS_RUNG_REGISTER ? 2 : 1;
  w->first_m = TILE;
  w->products = PRODUCTS;
  w->rounds = (PRODUCTS + tile_k - 1) / tile_k;
  w->kept = MIN (w->rounds, KEPT);
  w->columns = g_new (gint64, TILE);
  w->a = g_new0 (float, w->kept *tile_k *TILE);
  w->b = g_new0 (float, w->kept *tile_k *TILE);
  for (guint i = 0; i < TILE; i++)
    w->columns[i] = i;
  for (guint k = 0; k < MIN (w->kept * tile_k, PRODUCTS); k++)
    for (guint i = 0; i < TILE; i++)
      {
        w->a[k * TILE + i] = walked (TRUE, k, i);
        w->b[k * TILE + i] = walked (FALSE, k, i);
      }
  w->times_ns = stamped != NONE ? make_times (w->rounds, stamped) : NULL;
  w->compared = COMPARED;
  w->same = same;
  w->delta = same < COMPARED ? 1.5e-6 : 0;
  return w;
}

/* The lane ran that rung, and the other one was run again. */
static inline LsViewData *
make_data (LsRung ran, LsRung rung, Stamped stamped, gint64 same, const char *message, guint *op)
{
  const LsFixture f = { LS_CORES (2),  .model = "flatten, dense 37, relu, dense 10",
                        .batch = ROWS, .tiles = 8,
                        .groups = 32,  .on_cpu = TRUE,
                        .steps = 40 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f), with = NULL;
  g_autoptr (LsWalk) walk = NULL;
  g_autoptr (GError) error = NULL;
  LsTiling *tiling;

  for (*op = 0; g_strcmp0 (recording->ops[*op].name, "matmul") != 0 || recording->ops[*op].attr.k != PRODUCTS
                || recording->ops[*op].attr.n != COLS;)
    ++*op;
  tiling = &recording->lanes[1].tilings[*op];
  tiling->way = (LsWay) (LS_WAY_NAIVE + ran);
  /* packed: with one panel of B it goes on to more rows than the walk does */
  ls_tiling_set (tiling, tiling->rows, tiling->cols, ran == LS_RUNG_PACKED ? 3 * TILE : TILE, TILE);
  ls_fixture_add_values (recording);
  recording->lanes[1].device->local_mem = 64 * 1024;
  walk = make_walk (*op, rung, stamped, same, message);
  with = ls_recording_with_walk (recording, 1, walk, NULL, &error);
  g_assert_no_error (error);
  return ls_view_data_from_recording (with, NULL);
}
