/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What comes of a step that a lane runs op by op (compare.c): for each output the element furthest from the
 * reference in double precision, which is given the inputs that the lane really had. So an error shows in the
 * op that made it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_VERDICT_AGREE,
  LS_VERDICT_DIFFER,
  LS_VERDICT_CANNOT_TELL, /* so many zeros that agreement proves little */
} LsVerdict;

const char *ls_verdict_name (LsVerdict verdict); /* "agree", "differ", "cannot tell" */

/* One output of one op on one lane, against the double reference fed with the lane's own inputs. */
typedef struct {
  guint op, lane, tensor;
  LsVerdict verdict;
  gint64 worst;            /* index of the element furthest out, in tolerances */
  double value, expected;  /* there */
  double delta, tolerance; /* |Δ| and its bound there */
  double relative;         /* ‖Δ‖ / ‖expected‖ */
  double zeros;            /* share of zeros in expected */
} LsComparison;

/* How many tolerances value is away from what was expected. A NaN, or an infinity that isn't the right
 * rounding, on one side only is infinitely far out; on both sides it is the same answer. */
double ls_compare_how_far (double value, double expected, double tolerance);

/* The first op, in the plan's order, of which an output differs; of several such outputs the one that is
 * further out. NULL: all agree. */
const LsComparison *ls_compare_first (const GArray *comparisons);

G_END_DECLS
