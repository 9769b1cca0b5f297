/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedule policies: each tile is given out exactly once, whoever is quick or slow; static and round-robin
 * give what they promise; a stolen tile names its owner.
 */
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/policy.h"
#include "backends/cpu/pool.h"

#define MAX_TILES   10000
#define MAX_WORKERS 8
#define NOBODY      LS_MAX_WORKERS

typedef struct {
  const LsSchedule *schedule;
  LsShare *share;
  atomic_uint given[MAX_TILES];
  guint8 worker[MAX_TILES], from[MAX_TILES];
  guint slow; /* this worker dawdles; NOBODY */
} Game;

static void
play_cb (gpointer data, guint worker)
{
  Game *game = data;
  guint32 tile;
  guint8 from;

  while (game->schedule->next (game->share, worker, &tile, &from))
    {
      g_assert_cmpuint (tile, <, game->share->n_tiles);
      atomic_fetch_add (&game->given[tile], 1);
      game->worker[tile] = (guint8) worker;
      game->from[tile] = from;
      if (worker == game->slow)
        g_usleep (50);
    }
  g_assert_false (game->schedule->next (game->share, worker, &tile, &from));
}

static guint
owner_of (const LsShare *share, guint32 tile)
{
  guint w = 0;
  while ((guint64) share->n_tiles * (w + 1) / share->n_workers <= tile)
    w++;
  return w;
}

static void
check_game (const Game *game, LsPolicy policy)
{
  const LsShare *share = game->share;

  for (guint32 tile = 0; tile < share->n_tiles; tile++)
    {
      g_assert_cmpuint (atomic_load (&game->given[tile]), ==, 1);
      if (policy == LS_POLICY_STATIC)
        g_assert_cmpuint (game->worker[tile], ==, owner_of (share, tile));
      if (policy == LS_POLICY_ROUND_ROBIN)
        g_assert_cmpuint (game->worker[tile], ==, tile % share->n_workers);
      if (policy != LS_POLICY_STEAL)
        g_assert_cmpuint (game->from[tile], ==, LS_WORKER_NONE);
      else if (game->from[tile] == LS_WORKER_NONE)
        g_assert_cmpuint (game->worker[tile], ==, owner_of (share, tile));
      else
        g_assert_cmpuint (game->from[tile], ==, owner_of (share, tile));
    }
}

static void
play (LsPolicy policy, LsPool *pool, Game *game, guint32 n_tiles, guint slow)
{
  for (guint32 i = 0; i < n_tiles; i++)
    atomic_store (&game->given[i], 0);
  game->schedule = ls_schedule (policy);
  game->slow = slow;
  ls_share_begin (game->share, game->schedule, n_tiles, ls_pool_size (pool));
  if (game->schedule->shared)
    ls_pool_share (pool, play_cb, game);
  else
    ls_pool_run (pool, play_cb, game);
  check_game (game, policy);
}

static void
test_once (void)
{
  static const guint32 sizes[] = { 0, 1, 2, 3, 5, 7, 8, 13, 31, 64, 97, 1009, 10000 };
  Game *game = g_new0 (Game, 1);

  game->share = g_aligned_alloc0 (1, sizeof (LsShare), 64);
  for (guint workers = 1; workers <= MAX_WORKERS; workers++)
    {
      g_autoptr (LsPool) pool = ls_pool_new (workers, 0);
      for (guint policy = 0; policy < LS_POLICY_N; policy++)
        for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
          play ((LsPolicy) policy, pool, game, sizes[i], NOBODY);
    }
  g_aligned_free (game->share);
  g_free (game);
}

/* One worker alone gets through everybody's tiles, in the order that the policy promises. */
static void
test_thief (void)
{
  LsShare *share = g_aligned_alloc0 (1, sizeof (LsShare), 64);
  const LsSchedule *steal = ls_schedule (LS_POLICY_STEAL);
  static const guint32 expected[] = { 4, 5, 6, 7, 3, 11, 2, 10, 1, 9, 0, 8 };
  guint32 tile;
  guint8 from;

  ls_share_begin (share, steal, 12, 3);
  for (guint i = 0; i < 12; i++)
    {
      g_assert_true (steal->next (share, 1, &tile, &from));
      g_assert_cmpuint (tile, ==, expected[i]);
      g_assert_cmpuint (from, ==, i < 4 ? LS_WORKER_NONE : i % 2 ? 2 : 0);
    }
  g_assert_false (steal->next (share, 1, &tile, &from));
  g_assert_false (steal->next (share, 0, &tile, &from));
  g_aligned_free (share);
}

/* How many tiles a worker gets that takes one while each of the others takes nine. */
static guint
got_by_slow (LsPolicy policy, guint32 n_tiles, guint n_workers, guint slow)
{
  LsShare *share = g_aligned_alloc0 (1, sizeof (LsShare), 64);
  const LsSchedule *schedule = ls_schedule (policy);
  guint got = 0;
  gboolean any = TRUE;

  ls_share_begin (share, schedule, n_tiles, n_workers);
  for (guint turn = 0; any; turn++)
    {
      any = FALSE;
      for (guint w = 0; w < n_workers; w++)
        for (guint k = 0; k < (w == slow ? 1 : 9); k++)
          {
            guint32 tile;
            guint8 from;
            const gboolean had = schedule->next (share, w, &tile, &from);
            any |= had;
            got += had && w == slow;
          }
    }
  g_aligned_free (share);
  return got;
}

/* A slow worker loses tiles under dynamic and steal, and keeps its share under the others. */
static void
test_slow_loses (void)
{
  for (guint slow = 0; slow < 3; slow++)
    {
      g_assert_cmpuint (got_by_slow (LS_POLICY_STATIC, 300, 3, slow), ==, 100);
      g_assert_cmpuint (got_by_slow (LS_POLICY_ROUND_ROBIN, 300, 3, slow), ==, 100);
      g_assert_cmpuint (got_by_slow (LS_POLICY_DYNAMIC, 300, 3, slow), <=, 300 / 19 + 1);
      g_assert_cmpuint (got_by_slow (LS_POLICY_STEAL, 300, 3, slow), <=, 300 / 19 + 1);
    }
}

/* With threads: whoever is slow, each tile is given out once, to whom the schedule says. */
static void
test_slow (void)
{
  g_autoptr (LsPool) pool = ls_pool_new (3, 0);
  Game *game = g_new0 (Game, 1);

  game->share = g_aligned_alloc0 (1, sizeof (LsShare), 64);
  for (guint policy = 0; policy < LS_POLICY_N; policy++)
    for (guint round = 0; round < 20; round++)
      play ((LsPolicy) policy, pool, game, 301, round % 3);
  g_aligned_free (game->share);
  g_free (game);
}

/* Many more workers than processors: some aren't on any by the time that all is done. */
static void
test_many (void)
{
  static const guint many[] = { 64, 128 };
  Game *game = g_new0 (Game, 1);

  game->share = g_aligned_alloc0 (1, sizeof (LsShare), 64);
  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    {
      g_autoptr (LsPool) pool = ls_pool_new (many[i], 0);

      g_assert_cmpuint (ls_pool_size (pool), ==, many[i]);
      for (guint policy = 0; policy < LS_POLICY_N; policy++)
        for (guint round = 0; round < 20; round++)
          play ((LsPolicy) policy, pool, game, 50 * round, round % 2 ? NOBODY : round);
    }
  g_aligned_free (game->share);
  g_free (game);
}

/* Unequal cores: a worker that takes ten times as long for a tile. Sleeping is what takes the time, so that
 * it doesn't matter how many cores there are. */
typedef struct {
  const LsSchedule *schedule;
  LsShare *share;
} Unequal;

static void
unequal_cb (gpointer data, guint worker)
{
  const Unequal *unequal = data;
  guint32 tile;
  guint8 from;

  while (unequal->schedule->next (unequal->share, worker, &tile, &from))
    g_usleep (worker == 1 ? 10000 : 1000);
}

static double
unequal_s (LsPool *pool, LsPolicy policy)
{
  Unequal unequal = { ls_schedule (policy), g_aligned_alloc0 (1, sizeof (LsShare), 64) };
  const gint64 start = g_get_monotonic_time ();

  ls_share_begin (unequal.share, unequal.schedule, 40, ls_pool_size (pool));
  if (unequal.schedule->shared)
    ls_pool_share (pool, unequal_cb, &unequal);
  else
    ls_pool_run (pool, unequal_cb, &unequal);
  g_aligned_free (unequal.share);
  return (double) (g_get_monotonic_time () - start) / 1e6;
}

static void
test_unequal (void)
{
  g_autoptr (LsPool) pool = ls_pool_new (4, 0);
  const double fixed = unequal_s (pool, LS_POLICY_STATIC); /* the slow one's ten tiles: 100 ms */
  const double dynamic = unequal_s (pool, LS_POLICY_DYNAMIC), steal = unequal_s (pool, LS_POLICY_STEAL);

  g_test_message ("static %.1f ms, dynamic %.1f ms, steal %.1f ms", fixed * 1e3, dynamic * 1e3, steal * 1e3);
  g_assert_cmpfloat (fixed, >=, .1);
  g_assert_cmpfloat (dynamic, <, .7 * fixed);
  g_assert_cmpfloat (steal, <, .7 * fixed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/policy/once", test_once);
  g_test_add_func ("/cpu/policy/thief", test_thief);
  g_test_add_func ("/cpu/policy/slow", test_slow);
  g_test_add_func ("/cpu/policy/many", test_many);
  g_test_add_func ("/cpu/policy/unequal", test_unequal);
  g_test_add_func ("/cpu/policy/slow-loses", test_slow_loses);
  return g_test_run ();
}
