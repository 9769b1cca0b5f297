/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsModel: a network as a list of layers, read from a line such as
 *   conv 16 3 pad 1, relu, maxpool 2, flatten, dense 10
 * Each word is one layer of a PyTorch nn.Sequential, so layer i's weights are named "i.weight" and "i.bias".
 *
 * Words:
 *   - conv N K [stride S] [pad P] · maxpool K [stride S] · avgpool K · flatten · dense N
 *   - relu · tanh · sigmoid · gelu · dropout P
 *   - layernorm: torch.nn.LayerNorm's, of a flat input over the whole sample, of planes C×H×W over W
 *   - lstm N [last|all] [rows|columns]: torch.nn.LSTM's. A sample C×H×W is H steps of C·W values, by columns
 *     W of C·H; its last step's output, or all as a plane 1×T×N
 *   - residual(LAYERS): what they make is added to what they were given. A module at that place of the
 *     nn.Sequential that is one itself, so that its layers' weights are "2.0.weight", "2.1.weight", …
 *
 * Presets:
 *   - mlp   flatten, dense 256, relu, dense 128, relu, dense 10
 *   - cnn   conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 128, relu,
 *           dense 10
 *   - lstm  lstm 128, dense 10
 */
#pragma once

#include "ops/op.h"

G_BEGIN_DECLS

#define LS_MODEL_MAX_LAYERS 64
#define LS_MODEL_SHARES     1000000 /* that a whole has */
#define LS_MODEL_MAX_DEPTH  8 /* brackets in brackets; names of tensors say all of them: LS_TENSOR_NAME */

typedef enum {
  LS_LAYER_CONV,
  LS_LAYER_MAXPOOL,
  LS_LAYER_AVGPOOL,
  LS_LAYER_FLATTEN,
  LS_LAYER_DENSE,
  LS_LAYER_RELU,
  LS_LAYER_TANH,
  LS_LAYER_SIGMOID,
  LS_LAYER_GELU,
  LS_LAYER_LAYERNORM,
  LS_LAYER_DROPOUT,
  LS_LAYER_LSTM,
  LS_LAYER_RESIDUAL,
} LsLayerKind;

/* What a kind of layer is: the rows behind LsLayerKind's need no constant. */
typedef struct {
  const char *word;
  const char *about;               /* translatable: what it does, in a few words */
  gboolean n, kernel, stride, pad; /* takes it */
  gboolean share;                  /* takes how much is left out */
  const LsOpClass *activation;     /* the op that it is; NULL: plan_layers.c makes its ops */
  gboolean sequence;               /* takes last or all, rows or columns */
  gboolean neutral;                /* how weights before it are drawn goes by what comes after it */
  gboolean bracket;                /* it has layers in it: those that follow and lie deeper */
} LsLayerClass;

typedef struct {
  LsLayerKind kind;
  gint n; /* output channels or units; 0 for the others */
  gint kernel, stride, pad;
  gint share;               /* in millionths: text and number are the same everywhere */
  gboolean all, by_columns; /* of a sequence */
  guint depth;              /* brackets around it */
  gint column;              /* of the word in the spec, from 1: for messages about shapes */
} LsLayer;

typedef struct {
  char *name; /* the preset's name, or NULL */
  char *text; /* the spec, words and spaces made uniform */
  guint n_layers;
  LsLayer *layers;
} LsModel;

typedef struct {
  const char *name, *text, *title;
} LsModelPreset;

const LsModelPreset *ls_model_presets (guint *n);
/* In LsLayerKind's order. */
const LsLayerClass *ls_layer_classes (guint *n);
const char *ls_layer_word (LsLayerKind kind);

/* "0.5" and 500000, both ways; FALSE: that is no number from 0 to 0.999999, or has more digits. (transfer
 * full) */
char *ls_layer_share_text (gint millionths);
gboolean ls_layer_share_read (const char *text, gint *millionths);

/* text: a preset's name or a spec. Error LS_ERROR_USAGE: the word, its column, and what was expected there,
 * e.g. “layer 2, column 12: “danse” is no layer; expected conv, maxpool, avgpool, …”. */
LsModel *ls_model_parse (const char *text, GError **error);
/* Makes every depth one that can be: a layer lies at most one deeper than a bracket before it. For whoever
 * moves or removes layers of a list. */
void ls_layers_settle (LsLayer *layers, guint n);
/* How many layers of n lie in layer i's bracket. */
guint ls_layers_inside (const LsLayer *layers, guint n, guint i);
/* Where layer i is, as a PyTorch nn.Sequential counts: "2.1". (transfer full) */
char *ls_layer_path (const LsLayer *layers, guint i);
/* The layers as such a text; the preset's name where it is one's. What a kind doesn't take is left out.
 * (transfer full) */
char *ls_layers_text (const LsLayer *layers, guint n);
char *ls_layers_plain_text (const LsLayer *layers, guint n); /* never by a preset's name */
LsModel *ls_model_copy (const LsModel *model);
void ls_model_free (LsModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsModel, ls_model_free)

G_END_DECLS
