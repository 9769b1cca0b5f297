/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A single op with the copies that a caller pays for whose numbers lie in the host's memory: what it reads to
 * the device before, and what it makes back.
 */
#include "config.h"
#include "lab/lane/worker_lane.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"

float *
ls_lab_room_for (const LsTensor *tensor, GError **error)
{
  float *values = g_try_new (float, (gsize) ls_tensor_count (tensor));

  if (values == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_MEMORY, _("There is too little memory for %s."), tensor->name);
  return values;
}

void
ls_lab_lane_forget_room (LsLabLane *lane)
{
  for (guint j = 0; j < G_N_ELEMENTS (lane->room); j++)
    g_clear_pointer (&lane->room[j], g_free);
  lane->copied = FALSE;
}

gboolean
ls_lab_lane_make_room (LsLabLane *lane, GError **error)
{
  const LsOp *op = &lane->plan->ops[0];

  for (guint j = 0; j <= op->n_in; j++)
    {
      const guint tensor = j < op->n_in ? op->in[j] : op->out[0];

      lane->room[j] = ls_lab_room_for (&lane->plan->tensors[tensor], error);
      if (lane->room[j] == NULL || !lane->backend->read (lane->self, tensor, lane->room[j], error))
        return FALSE;
    }
  lane->copied = TRUE;
  return TRUE;
}

gboolean
ls_lab_lane_copy_in (LsLabLane *lane, GError **error)
{
  const LsOp *op = &lane->plan->ops[0];

  for (guint j = 0; j < op->n_in; j++)
    if (!lane->backend->write (lane->self, op->in[j], lane->room[j], error))
      return FALSE;
  return TRUE;
}

gboolean
ls_lab_lane_copy_out (LsLabLane *lane, GError **error)
{
  const LsOp *op = &lane->plan->ops[0];

  return lane->backend->read (lane->self, op->out[0], lane->room[op->n_in], error);
}
