/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What run.c measures, as terms.c takes it.
 */
#pragma once

#include "claims/expression.h"
#include "lab/lanes.h"

G_BEGIN_DECLS

#define LS_CLAIM_ALL_ROUNDS G_MAXUINT

/* What is known of a way once it was run; n == 0: it wasn't asked for, or failed. */
typedef struct {
  LsFigure time;            /* s */
  const GArray *turns;      /* double, s: of each turn; NULL */
  LsFigure bound, accuracy; /* 0 … 1 */
  const GArray *learnt;     /* double, 0 … 1: the accuracy from each seed, in their order; NULL */
  guint threads;            /* 0: not known */
  const LsOptions *options; /* its lane's; NULL: it isn't run */
  const char *why;          /* a sentence, where it failed; NULL */
} LsClaimMeasured;

typedef struct {
  const LsClaim *claim;
  LsClaimMeasured ways[LS_CLAIM_MAX_WAYS];
  guint round; /* times are of that round's turns, or accuracies of that seed's network; LS_CLAIM_ALL_ROUNDS:
                * of all */
  const LsCatalogue *catalogue; /* NULL: it couldn't be read */
} LsClaimKnown;

/* An LsClaimTermValue; data is an LsClaimKnown. */
LsFigure ls_claim_term_value (const LsClaimTerm *term, gpointer data, GError **error);
/* learn.c. Appends the accuracy, 0 … 1, of the way's network in whole numbers of its bits, of all of the test
 * set's samples that ls_converted_run() takes, after it was trained from each of so many seeds, the lane's
 * own first. Blocks; cancel may be NULL. */
gboolean ls_claim_learn_whole (const LsClaimWay *way, const LsOptions *lane, guint seeds,
                               GCancellable *cancel, GArray *right, GError **error);
/* What the claim's outcomes come to, and its verdict; result->why, where it is set already, leaves it not
 * measurable. stand_in: what was measured with OpenCL wasn't what the claim is about. */
void ls_claim_conclude (LsClaimKnown *known, gboolean stand_in, LsClaimResult *result);

G_END_DECLS
