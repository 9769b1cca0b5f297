/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps, tensors and walks that the lane's process is asked for: see process.h.
 */
#include "config.h"
#include "backends/opencl/process/process.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

/* ---- a run ---- */

/* Which samples: positions in a set that is over there; of any other set (a sample that somebody has drawn)
 * the samples themselves. */
static void
put_batch (const LsClProcess *self, LsWireOut *out, const LsBatch *batch)
{
  static const guint8 padding[LS_WIRE_ALIGN] = { 0 };
  const LsDataset *set = batch->set;
  const gsize bytes = (gsize) set->sample_size * ls_dataset_value_bytes (set);
  const gboolean train = self->data != NULL && set == &self->data->train,
                 test = self->data != NULL && set == &self->data->test;
  const guint32 head[] = { train ? LS_WIRE_TRAIN : test ? LS_WIRE_TEST : LS_WIRE_OTHER, batch->n };

  ls_wire_put_copy (out, head, sizeof head);
  if (train || test)
    {
      ls_wire_put (out, batch->index, batch->n * sizeof *batch->index);
      return;
    }
  ls_wire_put (out, set, sizeof *set);
  for (guint i = 0; i < batch->n; i++)
    ls_wire_put (out, &set->labels[batch->index[i]], sizeof *set->labels);
  for (guint i = 0; i < batch->n; i++)
    ls_wire_put (out, (const guint8 *) set->samples + batch->index[i] * bytes, bytes);
  ls_wire_put (out, padding, LS_WIRE_ALIGNED (bytes * batch->n) - bytes * batch->n);
}

static gboolean
take_trace (LsTrace *trace, LsWireIn *in, GError **error)
{
  if (!ls_wire_get (in, &trace->clock_error_ns, sizeof trace->clock_error_ns, error))
    return FALSE;
  for (guint r = 0; r < trace->n_rings; r++)
    {
      LsRing *ring = &trace->rings[r], came;

      if (!ls_wire_get (in, &came, sizeof came, error))
        return FALSE;
      ring->n = MIN (came.n, ring->capacity);
      ring->dropped = came.dropped + came.n - ring->n;
      ring->tells = came.tells;
      ring->off_core_ns = came.off_core_ns;
      if (!ls_wire_get (in, ring->events, ring->n * sizeof *ring->events, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_result (const LsRun *run, LsRunResult *result, LsWireIn *in, GError **error)
{
  gconstpointer ends, losses, skipped;
  gboolean makes_loss;

  if (!ls_json_get_bool (in->head, "losses", &makes_loss, error)
      || !ls_wire_get (in, &result->start_ns, sizeof result->start_ns, error)
      || !ls_wire_get (in, &result->end_ns, sizeof result->end_ns, error)
      || (ends = ls_wire_next (in, run->n_steps * sizeof *result->step_end_ns, error)) == NULL
      || (losses = ls_wire_next (in, run->n_steps * sizeof *result->losses, error)) == NULL
      || (skipped = ls_wire_next (in, run->n_steps * sizeof *result->skipped, error)) == NULL
      || (run->scale != NULL && !ls_wire_get (in, run->scale, sizeof *run->scale, error)))
    return FALSE;
  if (result->skipped != NULL)
    memcpy (result->skipped, skipped, run->n_steps * sizeof *result->skipped);
  if (result->step_end_ns != NULL)
    memcpy (result->step_end_ns, ends, run->n_steps * sizeof *result->step_end_ns);
  if (result->losses != NULL && makes_loss)
    memcpy (result->losses, losses, run->n_steps * sizeof *result->losses);
  return run->trace == NULL || take_trace (run->trace, in, error);
}

gboolean
ls_cl_process_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsWireOut) out = ls_wire_out_new ("run");
  LsWireIn in;
  gboolean ok;

  ls_json_whole (out->head, "first", run->first_op);
  ls_json_whole (out->head, "ops", run->n_ops);
  ls_json_whole (out->head, "steps", run->n_steps);
  ls_json_bool (out->head, "fuse", run->fuse);
  ls_json_bool (out->head, "reuse", run->reuse);
  ls_json_bool (out->head, "batches", run->batches != NULL);
  ls_json_bool (out->head, "losses", result->losses != NULL);
  ls_json_bool (out->head, "scale", run->scale != NULL);
  ls_json_whole (out->head, "rings", run->trace != NULL ? run->trace->n_rings : 0);
  ls_json_whole (out->head, "capacity", run->trace != NULL ? run->trace->rings[0].capacity : 0);
  ls_wire_put (out, run->hyper, run->n_steps * sizeof *run->hyper);
  if (run->scale != NULL)
    ls_wire_put (out, run->scale, sizeof *run->scale);
  if (run->batches != NULL)
    for (guint i = 0; i < run->n_steps; i++)
      put_batch (self, out, &run->batches[i]);
  ok = ls_cl_process_call (self, out, &in, error) && take_result (run, result, &in, error);
  ls_wire_in_clear (&in);
  if (!ok)
    ls_cl_discover_forget ();
  return ok;
}

/* ---- tensors ---- */

static gboolean
is_prepared (const LsClProcess *self, guint tensor, GError **error)
{
  if (self->plan != NULL && self->tilings != NULL && tensor < self->plan->n_tensors)
    return TRUE;
  g_set_error_literal (
    error, LS_ERROR, LS_ERROR_DEVICE,
    self->died != NULL ? self->died : _("the OpenCL lane isn’t prepared: an earlier error stopped it"));
  return FALSE;
}

gboolean
ls_cl_process_write (gpointer data, guint tensor, const void *values, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsWireOut) out = ls_wire_out_new ("write");
  LsWireIn in;
  gboolean ok;

  if (!is_prepared (self, tensor, error))
    return FALSE;
  ls_json_whole (out->head, "tensor", tensor);
  ls_wire_put (out, values, ls_tensor_host_bytes (&self->plan->tensors[tensor]));
  ok = ls_cl_process_call (self, out, &in, error);
  ls_wire_in_clear (&in);
  return ok;
}

gboolean
ls_cl_process_read (gpointer data, guint tensor, void *values, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsWireOut) out = ls_wire_out_new ("read");
  LsWireIn in;
  gboolean ok;

  if (!is_prepared (self, tensor, error))
    return FALSE;
  ls_json_whole (out->head, "tensor", tensor);
  ok = ls_cl_process_call (self, out, &in, error)
       && ls_wire_get (&in, values, ls_tensor_host_bytes (&self->plan->tensors[tensor]), error);
  ls_wire_in_clear (&in);
  return ok;
}

/* ---- walks ---- */

/* The tensors of the op, and of those that are fused into it. */
static void
put_values (const LsClProcess *self, LsWireOut *out, const LsWalkOrder *order)
{
  const LsPlan *plan = self->plan;
  g_autofree gboolean *wanted = g_new0 (gboolean, plan->n_tensors);

  for (guint i = 0; i < plan->n_ops; i++)
    if (i == order->op || self->tilings[i].leader == order->op)
      {
        for (guint j = 0; j < plan->ops[i].n_in; j++)
          wanted[plan->ops[i].in[j]] = TRUE;
        for (guint j = 0; j < plan->ops[i].n_out; j++)
          wanted[plan->ops[i].out[j]] = TRUE;
      }
  for (guint32 t = 0; t < plan->n_tensors; t++)
    if (wanted[t] && order->values[t] != NULL)
      {
        ls_wire_put_copy (out, &t, sizeof t);
        ls_wire_put (out, order->values[t], ls_tensor_host_bytes (&plan->tensors[t]));
      }
}

gboolean
ls_cl_process_walk (gpointer data, const LsWalkOrder *order, LsWalk **walk, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsWireOut) out = ls_wire_out_new ("walk");
  LsWireIn in;
  gboolean ok;

  if (!is_prepared (self, 0, error))
    return FALSE;
  ls_json_whole (out->head, "op", order->op);
  ls_json_whole (out->head, "rung", order->rung);
  ls_json_whole (out->head, "row", order->row);
  ls_json_whole (out->head, "col", order->col);
  put_values (self, out, order);
  ok = ls_cl_process_call (self, out, &in, error) && (*walk = ls_wire_get_walk (&in, error)) != NULL;
  ls_wire_in_clear (&in);
  return ok;
}

gboolean
ls_cl_process_roofs (gpointer data, LsFigure *roofs, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsWireOut) out = ls_wire_out_new ("roofs");
  LsWireIn in;
  gboolean ok = ls_cl_process_call (self, out, &in, error)
                && ls_wire_get (&in, roofs, LS_ROOF_N * sizeof *roofs, error);

  for (guint i = 0; ok && i < LS_ROOF_N; i++)
    {
      roofs[i].unit = ls_roof_unit ((LsRoof) i);
      roofs[i].condition = NULL;
    }
  ls_wire_in_clear (&in);
  return ok;
}
