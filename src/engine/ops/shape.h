/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the shape rules and cost functions of ops share. Every product of sizes is checked for overflow here,
 * so that a rule is written without thinking of it. Errors are LS_ERROR_USAGE.
 */
#pragma once

#include "ops/op.h"

G_BEGIN_DECLS

/* Sets rank and shape; fails on a dimension below 1 or more than G_MAXINT32 elements. */
gboolean ls_shape_set (LsTensor *t, guint rank, const gint64 *shape, GError **error);
gboolean ls_shape_copy (LsTensor *t, const LsTensor *of);
/* Same rank and sizes; the error names both. */
gboolean ls_shape_same (const LsTensor *a, const LsTensor *b, GError **error);
gboolean ls_shape_rank (const LsTensor *t, guint rank, GError **error);
/* Fails if a GEMM of 2·m·n·k operations can't be counted in 63 bits. */
gboolean ls_shape_gemm (LsOpAttr *attr, gint64 m, gint64 n, gint64 k, GError **error);
/* How many windows of `kernel` fit into size + 2·pad: ⌊(size + 2·pad − kernel) / stride⌋ + 1; 0 if none. */
gint64 ls_shape_windows (gint64 size, const LsOpAttr *attr);
/* “16×3×3”: a sample's shape, without the batch; (transfer full) */
char *ls_shape_sample_string (const LsTensor *t);

/* Rule of ops whose inputs and outputs all have one shape. */
gboolean ls_shape_rule_map (guint n_in, guint n_out, const LsTensor *const *in, LsTensor *out,
                            GError **error);
/* LsOpClass.shape of those with one output, of one input or two. */
gboolean ls_shape_rule_one (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error);
gboolean ls_shape_rule_two (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error);
/* Rule of pooling: X [B, C, H, W] → out [B, C, H′, W′]; word: as the model's line has it, for the error. */
gboolean ls_shape_rule_pool (const char *word, const LsTensor *x, const LsOpAttr *attr, LsTensor *out,
                             GError **error);
/* Rule of a convolution: X [B, I, H, W] and W [O, I, K, K] → out [B, O, H′, W′], attr's m, n, k. */
gboolean ls_shape_rule_conv (const LsTensor *x, const LsTensor *w, LsOpAttr *attr, LsTensor *out,
                             GError **error);

G_END_DECLS
