/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a float backend may be from the double reference, element by element, given the same inputs.
 */
#pragma once

#include "ops/op.h"

G_BEGIN_DECLS

/* Between 1 and the next float: ops are computed in floats, however their tensors are stored. */
#define LS_FLOAT_EPSILON 0x1p-23

/* call: an executed double-precision call (ref_f64), inputs as they were before it ran. Fills tolerance[count
 * of out[out]], absolute.
 *
 * Sums of products: 4·√K·ε·Σ|x·y|, K terms, ε = LS_FLOAT_EPSILON (the usual √K growth of
 * rounding errors that are independent, with room for any order of summation). Divisions, roots, exp, log and
 * tanh: the OpenCL 1.2 specification's ulp (table 7.4: ÷ 2.5, sqrt 3, exp 3, log 3, tanh 5). A few operations
 * in a row: their roundings added up. Copies, maxima and ReLU: exact. All: plus what flushing denormals may
 * lose. FALSE: there is no memory for it. */
gboolean ls_op_tolerance (const LsOpCall *call, guint out, double *tolerance);

/* Of tolerance.c's table. */
void ls_tolerance_layernorm (const LsOpCall *call, guint out, double *tolerance);
void ls_tolerance_layernorm_grad (const LsOpCall *call, guint out, double *tolerance);
void ls_tolerance_layernorm_dw (const LsOpCall *call, guint out, double *tolerance);

G_END_DECLS
