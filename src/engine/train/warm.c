/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walk, or a recorded step, needs is built before the lane is asked for it: in a process of its own
 * (LsBackend.warm_walk), on a thread beside the lanes, which train on meanwhile. A driver's compiler may take
 * a quarter of a minute for it; the lane then finds it in the driver's cache. Once for each op and rung, as
 * long as the lane's kernels and their choice stay the same.
 */
#include "config.h"
#include "train/private.h"

#include "backends/kernel_files.h"

#define LONG_NS 60000000000u

static char *
key_of (const LsCoordinator *self, const LsSeat *seat, const LsWalkWish *wish)
{
  const LsOptions *o = self->options;

  return g_strdup_printf ("%d %d %u %s %d %d %d %d", wish->op, wish->rung, seat->kernels_serial, o->kernel,
                          o->tile, o->tuned, o->fusion, o->batch_from);
}

gboolean
ls_seat_is_warm (const LsCoordinator *self, const LsSeat *seat, const LsWalkWish *wish)
{
  g_autofree char *key = NULL;

  /* whoever wishes for all of them waits for all of them */
  if (seat->lane->backend->warm_walk == NULL || self->walk_wish.op == LS_WALK_ALL_OPS)
    return TRUE;
  key = key_of (self, seat, wish);
  return seat->warmed != NULL && g_hash_table_contains (seat->warmed, key);
}

gboolean
ls_seat_warms_long (const LsSeat *seat)
{
  return seat->warm != NULL && ls_clock_ns () - seat->warm->begun_ns > LONG_NS;
}

void
ls_seat_collect_warm (LsSeat *seat)
{
  if (seat->warm == NULL || !ls_preparation_over (seat->warm))
    return;
  g_hash_table_add (seat->warmed, g_strdup (seat->warm->key));
  ls_preparation_drop (&seat->warm);
}

gboolean
ls_coordinator_warm_walk (LsCoordinator *self, LsSeat *seat, const LsWalkWish *wish)
{
  g_autofree char *key = key_of (self, seat, wish);

  if (seat->warmed == NULL)
    seat->warmed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  ls_seat_collect_warm (seat);
  if (ls_seat_is_warm (self, seat, wish))
    return TRUE;
  if (seat->warm == NULL && (seat->warm = ls_preparation_new (self, seat, seat->kernels, wish, key)) == NULL)
    g_hash_table_add (seat->warmed, g_strdup (key)); /* without a thread the lane builds it itself */
  return ls_seat_is_warm (self, seat, wish);
}
