/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walk, or a recorded step, needs is built before the lane is asked for it: in a process of its own
 * (LsBackendBuild.warm), on a thread beside the lanes, which train on meanwhile. A driver's compiler may take
 * a quarter of a minute for it; the lane then finds it in the driver's cache. Once for each op and rung, as
 * long as the lane's kernels and their choice stay the same.
 */
#include "config.h"
#include "train/private.h"

#include "backends/kernel_files.h"

#define LONG_NS 60000000000u

static char *
key_of (const LsLaneControl *control, const LsWalkWish *wish)
{
  const LsOptions *o = control->spec->options;

  return g_strdup_printf ("%d %d %u %s %d %d %d %d", wish->op, wish->rung, control->kernels.serial, o->kernel,
                          o->tile, o->tuned, o->fusion, o->batch_from);
}

gboolean
ls_control_is_warm (const LsCoordinator *self, const LsLaneControl *control, const LsWalkWish *wish)
{
  g_autofree char *key = NULL;

  /* whoever wishes for all of them waits for all of them */
  if (control->lane->backend->build == NULL || self->walk_wish.op == LS_WALK_ALL_OPS)
    return TRUE;
  key = key_of (control, wish);
  return control->walks.warmed != NULL && g_hash_table_contains (control->walks.warmed, key);
}

gboolean
ls_control_warms_long (const LsLaneControl *control)
{
  return control->walks.warm != NULL && ls_clock_ns () - control->walks.warm->begun_ns > LONG_NS;
}

void
ls_control_collect_warm (LsLaneControl *control)
{
  if (control->walks.warm == NULL || !ls_preparation_over (control->walks.warm))
    return;
  g_hash_table_add (control->walks.warmed, g_strdup (control->walks.warm->key));
  ls_preparation_drop (&control->walks.warm);
}

gboolean
ls_coordinator_warm_walk (LsCoordinator *self, LsLaneControl *control, const LsWalkWish *wish)
{
  g_autofree char *key = key_of (control, wish);

  if (control->walks.warmed == NULL)
    control->walks.warmed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  ls_control_collect_warm (control);
  if (ls_control_is_warm (self, control, wish))
    return TRUE;
  if (control->walks.warm == NULL
      && (control->walks.warm = ls_preparation_new (self, control, control->kernels.files, wish, key))
           == NULL)
    g_hash_table_add (control->walks.warmed, g_strdup (key)); /* without a thread the lane builds it itself */
  return ls_control_is_warm (self, control, wish);
}
