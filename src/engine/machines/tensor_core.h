/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A unit for products of small matrices: one instruction adds A[m×k]·B[k×n] to C[m×n], operands in 16 bits,
 * sums in floats (Markidis et al. 2018, "NVIDIA tensor core programmability, performance & precision").
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint m, n, k; /* of one instruction */
} LsTensorTile;

/* Instructions for C[m×n] = A[m×k]·B[k×n], with those at the edges, which are padded with zeros. */
double ls_tensor_core_instructions (const LsTensorTile *tile, double m, double n, double k);
/* Share of their multiply-adds that lie within the matrices. */
double ls_tensor_core_useful (const LsTensorTile *tile, double m, double n, double k);
/* The same instruction by instruction: A and B row by row, rounded to fp16, C in floats; each sum along k in
 * order. */
void ls_tensor_core_multiply (const LsTensorTile *tile, guint m, guint n, guint k, const float *a,
                              const float *b, float *c);

G_END_DECLS
