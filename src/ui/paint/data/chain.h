/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsChain: the time steps of a layer that reads a sequence, one way: each waits for the one before, whatever
 * the device. Found among a recording's ops: `lstm` ends a step forwards, `lstm_grad` begins one back; all of
 * one layer write to rows of the same tensor.
 */
#pragma once

#include "ui/paint/data/step_index.h"

G_BEGIN_DECLS

typedef struct {
  gboolean back;                      /* step i is the sequence's (n_steps − i)th; forwards the (i + 1)th */
  guint base;                         /* shape: what all steps give, forwards H */
  guint cell;                         /* the op of the first one */
  guint n_steps;                      /* at least 2 */
  guint begin[LS_PLAN_MAX_STEPS + 1]; /* step i: ops begin[i] … begin[i + 1] − 1 */
} LsChain;

/* All of them, in the ops' order; no op is of two. (transfer full) */
GArray *ls_chains_new (const LsRecording *recording);
/* That which the op is of, or NULL; in *step, which may be NULL, its step, from 0. */
const LsChain *ls_chain_of (const GArray *chains, guint op, guint *step);
/* From the first of the n steps' ops to the end of the last, in the lane's step. FALSE: none of them ran. */
gboolean ls_chain_time (const LsChain *chain, const LsStepIndex *index, guint first, guint n,
                        gint64 *start_ns, gint64 *end_ns);
/* How much of the lane's step the chains take, ns. */
gint64 ls_chains_ns (const GArray *chains, const LsStepIndex *index);

G_END_DECLS
