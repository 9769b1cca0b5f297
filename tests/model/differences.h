/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A gradient against central differences of what it is the gradient of, in double.
 */
#pragma once

#include "loops.h"

G_BEGIN_DECLS

/* What is differentiated: Σ weight·out of the tensor `out` after the first n_forward ops. */
typedef struct {
  guint n_forward, out;
  const double *weight;
} Differences;

/* Compares `gradient`, already computed, with differences in `of`; returns how many elements disagree. */
guint differences_mismatches (LsLoops *loops, const Differences *s, guint of, guint gradient,
                              guint *n_checked);

G_END_DECLS
