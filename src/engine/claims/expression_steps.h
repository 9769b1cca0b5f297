/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An expression as a list of steps for a stack: what its reader makes, and its value is worked out from.
 */
#pragma once

#include "claims/expression.h"

G_BEGIN_DECLS

#define LS_CLAIM_MAX_STEPS 64

typedef enum {
  LS_CLAIM_STEP_NUMBER,
  LS_CLAIM_STEP_TERM,
  LS_CLAIM_STEP_ADD,
  LS_CLAIM_STEP_SUBTRACT,
  LS_CLAIM_STEP_MULTIPLY,
  LS_CLAIM_STEP_DIVIDE
} LsClaimStepKind;

typedef struct {
  LsClaimStepKind kind;
  double number;
  guint term;
} LsClaimStep;

struct _LsClaimExpression {
  GArray *steps; /* LsClaimStep */
  GArray *terms; /* LsClaimTerm */
};

G_END_DECLS
