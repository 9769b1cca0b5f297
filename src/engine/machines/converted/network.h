/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsNet: a trained network as other machines take it over: its layers one after the other, with weights,
 * shapes, and how far what each makes reaches on samples of the training set. Dropout and flatten, which
 * compute nothing once a network is trained, aren't among them.
 */
#pragma once

#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
  LsLayerKind kind;     /* conv, dense, relu, maxpool or avgpool */
  guint layer;          /* of the model, from 0 */
  guint tensor;         /* of the plan: what it makes */
  gint64 in[3], out[3]; /* of a sample: channels, height, width; once it is flat: units, 1, 1 */
  gint kernel, stride, pad;
  const float *weights, *bias; /* as the plan has them: out × in × kernel × kernel */
  float low, high;             /* the least and the greatest that it made of the calibration's samples */
  float most;                  /* and what so great a share of those above 0 stays below: LS_NET_SHARE */
} LsNetLayer;

#define LS_NET_SHARE .999

typedef struct {
  gint64 in_shape[3];
  float low, high; /* of its input, likewise */
  guint n_classes, n_layers;
  LsNetLayer layers[];
} LsNet;

/* weights: of plan->params; they stay the caller's, must outlive it, and may be filled in later. What its
 * layers reach is 0. machine: what it is converted to, for the message. LS_ERROR_USAGE names a layer that
 * such a machine doesn't have. (transfer full), g_free() */
LsNet *ls_net_new (const LsPlan *plan, const float *const *weights, const char *machine, GError **error);

gint64 ls_net_count (const gint64 shape[3]);
/* Multiply-adds of a sample in a conv or a dense; of others 0. */
gint64 ls_net_products (const LsNetLayer *layer);
/* Whether it has weights. */
gboolean ls_net_weighted (const LsNetLayer *layer);
/* "layer 3 (gelu)", from 1; translated; (transfer full). */
char *ls_net_layer_text (const LsModel *model, guint layer);
/* The greatest of n; the first one, if there are several. */
guint ls_net_best (const double *values, guint n);

G_END_DECLS
