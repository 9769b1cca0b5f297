/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps, tensors and walks, in the lane's process: what steps.c asks for.
 */
#include "config.h"
#include "backends/opencl/process/serve.h"

#include <glib/gi18n-lib.h>

#include "backends/opencl/run/instance.h"
#include "core/error.h"

/* Points into what came. other: a set for samples that are in none. */
static gboolean
read_batch (LsClServer *server, LsWireIn *in, LsBatch *batch, LsDataset *other, GError **error)
{
  const LsDataset *const sets[] = {
    [LS_WIRE_TRAIN] = &server->data->train, [LS_WIRE_TEST] = &server->data->test, [LS_WIRE_OTHER] = other
  };
  guint32 head[2], *index;
  gsize bytes;

  if (!ls_wire_get (in, head, sizeof head, error))
    return FALSE;
  *batch = (LsBatch){ sets[MIN (head[0], LS_WIRE_OTHER)], NULL, head[1] };
  if (head[0] < LS_WIRE_OTHER)
    return (batch->index = ls_wire_next (in, head[1] * sizeof *batch->index, error)) != NULL;
  if (!ls_wire_get (in, other, sizeof *other, error))
    return FALSE;
  bytes = (gsize) other->sample_size * ls_dataset_value_bytes (other);
  other->n = head[1];
  other->labels = (gint32 *) ls_wire_next (in, sizeof *other->labels * head[1], error);
  other->samples = (void *) ls_wire_next (in, LS_WIRE_ALIGNED (bytes * head[1]), error);
  if (other->samples == NULL || other->labels == NULL)
    return FALSE;
  batch->index = index = g_new (guint32, head[1]);
  for (guint32 i = 0; i < head[1]; i++)
    index[i] = i;
  return TRUE;
}

static void
put_trace (LsWireOut *out, const LsTrace *trace)
{
  ls_wire_put_copy (out, &trace->clock_error_ns, sizeof trace->clock_error_ns);
  for (guint r = 0; r < trace->n_rings; r++)
    {
      ls_wire_put_copy (out, &trace->rings[r], sizeof trace->rings[r]);
      ls_wire_put_copy (out, trace->rings[r].events, trace->rings[r].n * sizeof (LsEvent));
    }
}

static gboolean
run_and_answer (LsClServer *server, LsRun *run, LsRunResult *result, LsWireOut *out, GError **error)
{
  if (!ls_backend_opencl_here.run (server->lane, run, result, error))
    return FALSE;
  ls_json_bool (out->head, "losses", result->losses != NULL && ls_cl_makes_loss (server->lane, run));
  ls_wire_put_copy (out, &result->start_ns, sizeof result->start_ns);
  ls_wire_put_copy (out, &result->end_ns, sizeof result->end_ns);
  ls_wire_put_copy (out, result->step_end_ns, run->n_steps * sizeof *result->step_end_ns);
  return TRUE;
}

gboolean
ls_cl_serve_run (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  gint64 first, ops, steps, rings, capacity;
  gboolean fuse, reuse, batches, losses, scales, ok;
  LsLossScale scale;
  LsRun run;

  if (server->plan == NULL
      || !ls_json_get_int (in->head, "first", 0, (gint64) server->plan->n_ops - 1, &first, error)
      || !ls_json_get_int (in->head, "ops", 1, (gint64) server->plan->n_ops - first, &ops, error)
      || !ls_json_get_int (in->head, "steps", 1, G_MAXUINT16, &steps, error)
      || !ls_json_get_bool (in->head, "fuse", &fuse, error)
      || !ls_json_get_bool (in->head, "reuse", &reuse, error)
      || !ls_json_get_bool (in->head, "batches", &batches, error)
      || !ls_json_get_bool (in->head, "losses", &losses, error)
      || !ls_json_get_bool (in->head, "scale", &scales, error)
      || !ls_json_get_int (in->head, "rings", 0, LS_MAX_WORKERS + 1, &rings, error)
      || !ls_json_get_int (in->head, "capacity", 0, G_MAXUINT32, &capacity, error))
    return FALSE;
  run = (LsRun){
    .first_op = (guint) first, .n_ops = (guint) ops, .n_steps = (guint) steps, .fuse = fuse, .reuse = reuse
  };
  run.hyper = ls_wire_next (in, run.n_steps * sizeof *run.hyper, error);
  if (run.hyper == NULL || (scales && !ls_wire_get (in, &scale, sizeof scale, error)))
    return FALSE;
  run.scale = scales ? &scale : NULL;

  g_autofree LsBatch *list = g_new0 (LsBatch, steps);
  g_autofree LsDataset *others = g_new0 (LsDataset, steps);
  g_autofree float *values = g_new0 (float, steps);
  g_autofree guint64 *ends = g_new0 (guint64, steps);
  g_autoptr (LsTrace) trace = NULL;
  g_autofree gboolean *skipped = g_new0 (gboolean, steps);
  LsRunResult result = { .losses = losses ? values : NULL, .step_end_ns = ends, .skipped = skipped };

  ok = TRUE;
  for (gint64 i = 0; ok && batches && i < steps; i++)
    ok = read_batch (server, in, &list[i], &others[i], error);
  run.batches = batches ? list : NULL;
  if (ok && rings > 0)
    ok = (run.trace = trace = ls_trace_new (server->number, (guint) rings, (guint32) capacity, error))
         != NULL;
  ok = ok && run_and_answer (server, &run, &result, out, error);
  if (ok)
    {
      ls_wire_put_copy (out, values, (gsize) steps * sizeof *values);
      ls_wire_put_copy (out, skipped, (gsize) steps * sizeof *skipped);
      if (scales)
        ls_wire_put_copy (out, &scale, sizeof scale);
    }
  if (ok && trace != NULL)
    put_trace (out, trace);
  for (gint64 i = 0; i < steps; i++)
    if (list[i].set == &others[i])
      g_free ((guint32 *) list[i].index);
  return ok;
}

static gboolean
read_tensor (LsClServer *server, LsWireIn *in, guint *tensor, GError **error)
{
  gint64 value;

  if (server->plan == NULL
      || !ls_json_get_int (in->head, "tensor", 0, (gint64) server->plan->n_tensors - 1, &value, error))
    return FALSE;
  *tensor = (guint) value;
  return TRUE;
}

gboolean
ls_cl_serve_write (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  guint tensor;
  gconstpointer values;

  return read_tensor (server, in, &tensor, error)
         && (values = ls_wire_next (in, ls_tensor_host_bytes (&server->plan->tensors[tensor]), error)) != NULL
         && ls_backend_opencl_here.write (server->lane, tensor, values, error);
}

gboolean
ls_cl_serve_read (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  guint tensor;
  gpointer values;
  gsize bytes;

  if (!read_tensor (server, in, &tensor, error))
    return FALSE;
  bytes = ls_tensor_host_bytes (&server->plan->tensors[tensor]);
  values = g_try_malloc (MAX (bytes, 1));
  if (values == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("%zu bytes for the OpenCL lane’s process aren’t granted"), bytes);
      return FALSE;
    }
  g_ptr_array_add (out->own, values);
  ls_wire_put (out, values, bytes);
  return ls_backend_opencl_here.read (server->lane, tensor, values, error);
}

/* ---- walks ---- */

gboolean
ls_cl_serve_walk (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  const LsPlan *plan = server->plan;
  g_autofree const void **values = plan != NULL ? g_new0 (const void *, plan->n_tensors) : NULL;
  LsWalkOrder order = { .values = values };
  gint64 op, rung, row, col;

  if (plan == NULL || !ls_json_get_int (in->head, "op", 0, (gint64) plan->n_ops - 1, &op, error)
      || !ls_json_get_int (in->head, "rung", 0, LS_RUNG_N - 1, &rung, error)
      || !ls_json_get_int (in->head, "row", -1, G_MAXINT, &row, error)
      || !ls_json_get_int (in->head, "col", -1, G_MAXINT, &col, error))
    return FALSE;
  while (in->at < in->size)
    {
      guint32 t;
      if (!ls_wire_get (in, &t, sizeof t, error) || t >= plan->n_tensors
          || (values[t] = ls_wire_next (in, ls_tensor_host_bytes (&plan->tensors[t]), error)) == NULL)
        return FALSE;
    }
  order.op = (guint) op;
  order.rung = (LsRung) rung;
  order.row = (gint) row;
  order.col = (gint) col;
  g_clear_pointer (&server->walk, ls_walk_unref);
  if (!ls_backend_opencl_here.walk->walk (server->lane, &order, &server->walk, error))
    return FALSE;
  ls_wire_put_walk (out, server->walk);
  return TRUE;
}

gboolean
ls_cl_serve_roofs (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error)
{
  LsFigure roofs[LS_ROOF_N] = { 0 };

  if (!ls_backend_opencl_here.roofs->measure (server->lane, roofs, error))
    return FALSE;
  ls_wire_put_copy (out, roofs, sizeof roofs);
  return TRUE;
}
