/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two matrices that a product of an op multiplies, each element by its definition: of matmul, and of the
 * convolutions, whose matrices no memory holds.
 */
#pragma once

#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
  const LsOp *op;
  const gint64 *x, *y; /* shapes of image and grid */
  const float *in[2];
} Factors;

/* values: by tensor, and they stay the caller's. FALSE: the op is no product. */
gboolean factors_init (Factors *f, const LsPlan *plan, void *const *values, guint op);
/* Row m, column k of the left matrix; row k, column n of the right one. */
double factors_a (const Factors *f, gint64 m, gint64 k);
double factors_b (const Factors *f, gint64 k, gint64 n);

G_END_DECLS
