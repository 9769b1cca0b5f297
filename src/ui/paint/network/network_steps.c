/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers that read a sequence: their time steps folded into one picture, a row for each step, and how much of
 * the lane's step they took, one waiting for the other.
 *
 * Such a layer is known by its ops: `lstm` makes a step's output and cell, from a product of the output
 * before.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/scene/number.h"

void
ls_network_time (const LsNetwork *n, guint side, guint shape, gint64 *begin_ns, gint64 *end_ns)
{
  const LsStepIndex *index = n->layout->data->sides[side].index;

  *begin_ns = *end_ns = 0;
  for (guint i = 0; index != NULL && i < MIN (n->recording->n_ops, index->n_ops)
                    && n->recording->ops[i].phase <= LS_PHASE_LOSS;
       i++)
    {
      const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, i)];
      if (n->recording->ops[i].n_out == 0 || n->recording->ops[i].out[0] != shape || !trace->ran)
        continue;
      *begin_ns = trace->start_ns;
      *end_ns = trace->end_ns;
    }
}

static gboolean
is_op (const LsRecordedOp *op, const char *name, LsPhase phase)
{
  return op->phase == phase && strcmp (op->name, name) == 0;
}

gboolean
ls_network_is_step (const LsNetwork *n, guint op)
{
  const LsRecording *r = n->recording;
  const LsRecordedOp *o = &r->ops[op];

  if (is_op (o, "lstm", LS_PHASE_FORWARD))
    return TRUE;
  return o->attr.m > 0 && o->n_in > 0 && r->shapes[o->in[0]].is_view && r->shapes[o->in[0]].layer == o->layer;
}

/* How many steps the layer has whose first one is that op. */
static guint
count_steps (const LsRecording *r, guint first)
{
  guint steps = 0;

  for (guint i = first; i < r->n_ops && r->ops[i].phase <= LS_PHASE_FORWARD; i++)
    steps += is_op (&r->ops[i], "lstm", LS_PHASE_FORWARD) && r->ops[i].layer == r->ops[first].layer;
  return steps;
}

/* Output 0, what each step says, or 1, what it keeps, of all samples: a sample's steps follow each other.
 * NULL: not all of them are known. (transfer full) */
static float *
gather (const LsNetwork *n, guint side, guint first, guint steps, guint output, gint64 units)
{
  const LsRecording *r = n->recording;
  const gint64 samples = n->own ? 1 : n->batch;
  g_autofree float *all = g_try_new (float, (gsize) (samples * steps * units));
  guint step = 0;

  for (guint i = first; all != NULL && step < steps && i < r->n_ops; i++)
    {
      const LsRecordedOp *op = &r->ops[i];
      if (!is_op (op, "lstm", LS_PHASE_FORWARD) || op->layer != r->ops[first].layer)
        continue;
      const float *values = op->n_out > output ? ls_network_walked (n, side, op->out[output], units) : NULL;
      if (values == NULL || ls_recorded_shape_count (&r->shapes[op->out[output]]) != n->batch * units)
        return NULL;
      for (gint64 b = 0; b < samples; b++)
        memcpy (all + (b * steps + step) * units, values + b * units, (gsize) units * sizeof *all);
      step++;
    }
  return g_steal_pointer (&all);
}

gboolean
ls_network_steps (LsNetwork *n, guint first, guint output, LsNetworkLayer *layer)
{
  const LsRecordedOp *op = &n->recording->ops[first];
  const LsRecordedShape *shape = op->n_out > output ? &n->recording->shapes[op->out[output]] : NULL;
  const guint steps = count_steps (n->recording, first);

  if (shape == NULL || shape->rank != 2 || shape->shape[0] != n->batch || steps < 2
      || n->n_steps + LS_SIDES > G_N_ELEMENTS (n->steps))
    return FALSE;
  *layer = (LsNetworkLayer){ .shape = shape->is_view ? &n->recording->shapes[shape->base] : shape,
                             .units = 1,
                             .rows = steps,
                             .cols = shape->shape[1],
                             .steps = TRUE };
  for (guint side = 0; side < LS_SIDES; side++)
    {
      float *values = gather (n, side, first, steps, output, shape->shape[1]);
      layer->values[side] = values;
      if (values != NULL)
        n->steps[n->n_steps++] = values;
    }
  return layer->values[n->side] != NULL;
}

void
ls_network_steps_clear (LsNetwork *n)
{
  for (guint i = 0; i < n->n_steps; i++)
    g_free (n->steps[i]);
  n->n_steps = 0;
}

/* From the first of those ops to the end of the last, in the lane's step. */
static gint64
span_of (const LsNetwork *n, const LsStepIndex *index, const char *name, LsPhase phase)
{
  gint64 from = G_MAXINT64, end = 0;

  for (guint i = 0; i < MIN (n->recording->n_ops, index->n_ops); i++)
    {
      const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, i)];
      if (!is_op (&n->recording->ops[i], name, phase) || !trace->ran)
        continue;
      from = MIN (from, trace->start_ns);
      end = MAX (end, trace->end_ns);
    }
  return MAX (end - from, 0);
}

char *
ls_network_chain_words (const LsNetwork *n)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &n->layout->data->sides[side];
      const gint64 chain = lane->index == NULL ? 0
                                               : span_of (n, lane->index, "lstm", LS_PHASE_FORWARD)
                                                   + span_of (n, lane->index, "lstm_grad", LS_PHASE_BACKWARD);
      if (chain <= 0 || lane->index->length_ns <= 0)
        continue;
      const double share = (double) chain / (double) lane->index->length_ns;
      g_string_append_printf (words, "%s%s %.0f\u202f%%", words->len > 0 ? ", " : "", lane->name,
                              100 * share);
    }
  if (words->len == 0)
    return NULL;
  /* Translators: "CPU 65 %, OpenCL 75 %" */
  return g_strdup_printf (_("steps that wait for one another take %s of the recorded step"), words->str);
}
