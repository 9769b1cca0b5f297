/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "ui/paint/data/chain.h"

#include <string.h>

/* The first op of the first step: what gives the op its second input, the product of the step before. It
 * comes after what is of another chain. */
static guint
first_op (const LsRecording *r, guint cell, guint after)
{
  const LsRecordedOp *op = &r->ops[cell];

  for (guint i = cell; op->n_in > 1 && i-- > after && r->ops[i].layer == op->layer;)
    if (r->ops[i].n_out > 0 && r->ops[i].out[0] == op->in[1])
      return i;
  return cell;
}

static void
end_chain (GArray *chains)
{
  if (chains->len > 0 && g_array_index (chains, LsChain, chains->len - 1).n_steps < 2)
    g_array_set_size (chains, chains->len - 1);
}

GArray *
ls_chains_new (const LsRecording *r)
{
  GArray *chains = g_array_new (FALSE, TRUE, sizeof (LsChain));
  guint after = 0;

  for (guint i = 0; i < r->n_ops; i++)
    {
      const LsRecordedOp *op = &r->ops[i];
      const gboolean back = strcmp (op->name, "lstm_grad") == 0;
      if ((!back && strcmp (op->name, "lstm") != 0) || op->n_out == 0 || !r->shapes[op->out[0]].is_view)
        continue;
      const guint base = r->shapes[op->out[0]].base;
      LsChain *chain = chains->len > 0 ? &g_array_index (chains, LsChain, chains->len - 1) : NULL;
      if (chain == NULL || chain->back != back || chain->base != base)
        {
          const LsChain empty
            = { .back = back, .base = base, .cell = i, .begin = { back ? i : first_op (r, i, after) } };
          end_chain (chains);
          g_array_append_val (chains, empty);
          chain = &g_array_index (chains, LsChain, chains->len - 1);
        }
      after = i + 1;
      if (chain->n_steps == LS_PLAN_MAX_STEPS)
        continue;
      if (back)
        chain->begin[chain->n_steps] = i;
      chain->begin[++chain->n_steps] = i + 1;
    }
  end_chain (chains);
  return chains;
}

/* The last of n positions, stride bytes apart and in order, that isn't after the op; 0: all are. */
static guint
last_before (const guint *begin, gsize stride, guint n, guint op)
{
  guint low = 0, high = n;

  while (high - low > 1)
    {
      const guint middle = (low + high) / 2;

      if (*(const guint *) (const void *) ((const guint8 *) begin + middle * stride) <= op)
        low = middle;
      else
        high = middle;
    }
  return low;
}

const LsChain *
ls_chain_of (const GArray *chains, guint op, guint *step)
{
  const LsChain *chain = (const LsChain *) (const void *) chains->data;

  if (chains->len == 0)
    return NULL;
  chain += last_before (chain->begin, sizeof *chain, chains->len, op);
  if (op < chain->begin[0] || op >= chain->begin[chain->n_steps])
    return NULL;
  if (step != NULL)
    *step = last_before (chain->begin, sizeof *chain->begin, chain->n_steps, op);
  return chain;
}

gboolean
ls_chain_time (const LsChain *chain, const LsStepIndex *index, guint first, guint n, gint64 *start_ns,
               gint64 *end_ns)
{
  *start_ns = G_MAXINT64;
  *end_ns = 0;
  for (guint i = chain->begin[first]; i < MIN (chain->begin[first + n], index->n_ops); i++)
    {
      const guint leader = ls_step_index_leader (index, i);
      const LsOpTrace *trace = &index->ops[leader];
      if (leader < chain->begin[0] || !trace->ran)
        continue;
      *start_ns = MIN (*start_ns, trace->start_ns);
      *end_ns = MAX (*end_ns, trace->end_ns);
    }
  return *end_ns > *start_ns;
}

gint64
ls_chains_ns (const GArray *chains, const LsStepIndex *index)
{
  gint64 ns = 0;

  for (guint c = 0; c < chains->len; c++)
    {
      const LsChain *chain = &g_array_index (chains, LsChain, c);
      gint64 start, end;
      if (ls_chain_time (chain, index, 0, chain->n_steps, &start, &end))
        ns = ls_ns_add (ns, end - start);
    }
  return ns;
}
