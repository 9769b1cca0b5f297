/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trained network in whole numbers of 8 bits or fewer, without training it any further (post-training
 * quantisation), as processors for neural networks run it:
 *   - Weights: symmetric, w ≈ scale · q, |q| < 2^(bits−1), a scale for each unit or channel of the output.
 *   - Activations: x ≈ scale · q, one scale for all of a layer, from what it reached in calibration:
 *     0 … 2^bits − 1 where nothing was below 0, else ±(2^(bits−1) − 1).
 *   - Products are added up in 32 bits, exactly; a bias is added in there. Then the sum becomes the next
 *     activation by a 31-bit multiplier and a shift, rounded to the nearest, ties up: no float takes part.
 * Jacob et al., Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference
 * (2018), section 2; a scale for each channel: Krishnamoorthi, Quantizing deep convolutional networks for
 * efficient inference (2018), section 3.
 */
#pragma once

#include "machines/converted/network.h"

G_BEGIN_DECLS

#define LS_INT8_BITS  8
#define LS_INT8_LEAST 2 /* bits */

/* How a layer's numbers became whole ones: for pictures. */
typedef struct {
  guint layer;      /* of the model, from 0 */
  double low, high; /* the least and the greatest of its weights' scales; both 0: it has none */
  double out;       /* what it makes is so many times its whole numbers */
  gboolean out_unsigned;
} LsInt8Scales;

typedef struct _LsInt8 LsInt8;

/* net must outlive it. LS_ERROR_USAGE: a layer adds up more products than 32 bits hold for certain. */
LsInt8 *ls_int8_new (const LsNet *net, const LsModel *model, guint bits, GError **error);
void ls_int8_free (LsInt8 *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsInt8, ls_int8_free)

/* Of net's layer i. */
LsInt8Scales ls_int8_scales (const LsInt8 *self, guint i);
/* The whole weights of its output o, in net's order; NULL: it has none. */
const gint16 *ls_int8_weights (const LsInt8 *self, guint i, gint64 o);
/* A sample's values → what the last layer makes, n_classes, in the network's own unit. Not by two threads at
 * once. */
void ls_int8_run (LsInt8 *self, const float *values, double *logits);
/* What layer i made of the sample that was run last, planes channel by channel; of the last layer nothing. */
const gint16 *ls_int8_made (const LsInt8 *self, guint i);

G_END_DECLS
