/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers that read a sequence: their time steps folded into one picture, a row for each step, and how much of
 * the lane's step they took, one waiting for the other.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

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

gboolean
ls_network_is_step (const LsNetwork *n, guint op)
{
  const LsChain *chain = ls_chain_of (n->chains, op, NULL);

  return chain != NULL && !chain->back;
}

/* Output 0, what each step says, or 1, what it keeps, of all samples: a sample's steps follow each other.
 * NULL: not all of them are known. (transfer full) */
static float *
gather (const LsNetwork *n, guint side, const LsChain *chain, guint output, gint64 units)
{
  const LsRecording *r = n->recording;
  const gint64 samples = n->own ? 1 : n->batch;
  g_autofree float *all = g_try_new (float, (gsize) (samples * chain->n_steps * units));

  for (guint step = 0; all != NULL && step < chain->n_steps; step++)
    {
      const LsRecordedOp *op = &r->ops[chain->begin[step + 1] - 1];
      const float *values = op->n_out > output ? ls_network_walked (n, side, op->out[output], units) : NULL;
      if (values == NULL || ls_recorded_shape_count (&r->shapes[op->out[output]]) != n->batch * units)
        return NULL;
      for (gint64 b = 0; b < samples; b++)
        memcpy (all + (b * chain->n_steps + step) * units, values + b * units, (gsize) units * sizeof *all);
    }
  return g_steal_pointer (&all);
}

gboolean
ls_network_steps (LsNetwork *n, const LsChain *chain, guint output, LsNetworkLayer *layer)
{
  const LsRecordedOp *op = &n->recording->ops[chain->cell];
  const LsRecordedShape *shape = op->n_out > output ? &n->recording->shapes[op->out[output]] : NULL, *all;

  if (shape == NULL || shape->rank != 2 || shape->shape[0] != n->batch
      || n->n_steps + LS_SIDES > G_N_ELEMENTS (n->steps))
    return FALSE;
  /* a damaged recording's steps may all be the same rows: no more is gathered than there is */
  all = shape->is_view ? &n->recording->shapes[shape->base] : shape;
  if (ls_recorded_shape_count (all) / chain->n_steps < ls_recorded_shape_count (shape))
    return FALSE;
  *layer = (LsNetworkLayer){
    .shape = all, .units = 1, .rows = chain->n_steps, .cols = shape->shape[1], .steps = TRUE
  };
  for (guint side = 0; side < LS_SIDES; side++)
    {
      float *values = gather (n, side, chain, output, shape->shape[1]);
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

char *
ls_network_chain_words (const LsNetwork *n, gboolean brief)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &n->layout->data->sides[side];
      const gint64 chain = lane->index != NULL ? ls_chains_ns (n->chains, lane->index) : 0;
      if (chain <= 0 || lane->index->length_ns <= 0)
        continue;
      const double share = (double) chain / (double) lane->index->length_ns;
      g_string_append_printf (words, "%s%s %.0f\u202f%%", words->len > 0 ? ", " : "",
                              brief ? lane->brief : lane->name, 100 * share);
    }
  if (words->len == 0)
    return NULL;
  /* Translators: "CPU 65 %, OpenCL 75 %" */
  return brief ? g_strdup_printf (_("time steps take of the step: %s"), words->str)
               : g_strdup_printf (_("of the recorded step the time steps take, one after the other: %s"),
                                  words->str);
}
