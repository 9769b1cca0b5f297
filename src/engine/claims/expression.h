/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The outcomes of claims: sums, differences, products and quotients of numbers and terms, with brackets. A
 * term is a row of the table below; its arguments are a way of the claim, a device of the catalogue in single
 * quotes, or a word:
 *
 *   time(cpu) / time(opencl)
 *   peak('A100 40', fp32) * time(one) / flop(one) / catalogue('A100 40', cores)
 *
 * What doesn't fit together, such as seconds and FLOP added, is refused when the text is read.
 */
#pragma once

#include "claims/claims.h"

G_BEGIN_DECLS

#define LS_CLAIM_MAX_EXPRESSION 300 /* bytes */

/* Constant, as expressions call it, its arguments (w: a way; d: a device; k: a kind of figure; n: numbers; m:
 * what it means; x: a number), and its dimension: powers of second, FLOP, byte. catalogue()'s follows from
 * the kind. */
/* clang-format off */
#define LS_CLAIM_TERMS(ROW)                                                                          \
  ROW (TIME, "time", "w", 1, 0, 0)             /* s, to do it once */                                \
  ROW (MEMORY, "memory_bound", "w", 0, 0, 0)   /* share of a recorded step's time, 0 … 1, in ops */  \
                                               /* left of the knee of its device's measured roofs */ \
  ROW (ACCURACY, "accuracy", "w", 0, 0, 0)     /* of the test set, 0 … 1, after the way's steps */   \
  ROW (FLOP, "flop", "w", 0, 1, 0)             /* of doing it once, as the plan counts them */       \
  ROW (BYTES, "bytes", "w", 0, 0, 1)           /* likewise; each tensor read and written once */     \
  ROW (THREADS, "threads", "w", 0, 0, 0)       /* that its lane has: workers, or compute units */    \
  ROW (CORES, "cores", "", 0, 0, 0)            /* that threads of this machine have for themselves */ \
  ROW (PEAK, "peak", "dn", -1, 1, 0)           /* FLOP/s of these numbers, by the catalogue */       \
  ROW (RATE, "rate", "dnm", -1, 1, 0)          /* the same of that meaning: vector, matrix, … */     \
  ROW (CATALOGUE, "catalogue", "dk", 0, 0, 0)  /* another figure of the catalogue */                 \
  ROW (PUBLISHED, "published", "x", 0, 0, 0)   /* a number that the outcome's source gives */
#define LS_CLAIM_TERM_CONSTANT(constant, name, arguments, s, flop, bytes) LS_CLAIM_TERM_##constant,
typedef enum { LS_CLAIM_TERMS (LS_CLAIM_TERM_CONSTANT) LS_CLAIM_N_TERMS } LsClaimTermKind;
/* clang-format on */

typedef struct {
  LsClaimTermKind kind;
  guint way;    /* of the claim's */
  char *device; /* the catalogue's, or parts of its name */
  LsNumbers numbers;
  LsHardwareKind what;
  guint means; /* LsMeans */
  double number;
} LsClaimTerm;

/* Powers. */
typedef struct {
  gint8 s, flop, bytes, watt, usd;
} LsClaimDimension;

/* A unit that outcomes can be in. */
typedef struct {
  const char *name;
  double scale; /* of one of it, in seconds or as a number */
  LsClaimDimension dimension;
} LsClaimUnit;

/* NULL: there is no such unit. */
const LsClaimUnit *ls_claim_unit_find (const char *name);

/* dimension: that it must come to. LS_ERROR_DATA: a clause with the place, from 1. */
LsClaimExpression *ls_claim_expression_new (const char *text, const LsClaimWay *ways, guint n_ways,
                                            const LsClaimDimension *dimension, GError **error);
void ls_claim_expression_free (LsClaimExpression *expression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsClaimExpression, ls_claim_expression_free)

const LsClaimTerm *ls_claim_expression_terms (const LsClaimExpression *expression, guint *n);
gboolean ls_claim_expression_has (const LsClaimExpression *expression, LsClaimTermKind kind, guint way);

/* n == 0: it isn't known, and error says why, a sentence. */
typedef LsFigure (*LsClaimTermValue) (const LsClaimTerm *term, gpointer data, GError **error);

/* In that unit. n == 0: a term isn't known, or it can't be worked out (a division by what may be zero).
 *
 * Quartiles are carried along as intervals: the least and the most that the middle halves of both operands
 * give. Where operands vary independently that is wider than the middle half of the outcome would be (of two
 * alike and normal on a log scale it holds two thirds of the cases instead of half), never narrower, so a
 * verdict is rather left open than made by chance. n is the least of the terms that have samples.
 *
 * Evidence is that of the weakest term: a term alone is what it is; numbers and measured terms make derived
 * ones; published ones with published ones stay published; what mixes published with measured, or has
 * anything modelled in it, is modelled. */
LsFigure ls_claim_expression_value (const LsClaimExpression *expression, const LsClaimUnit *unit,
                                    LsClaimTermValue value, gpointer data, GError **error);

G_END_DECLS
