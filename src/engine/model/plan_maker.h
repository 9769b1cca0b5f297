/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files share that make a model's forward ops: plan_layers.c, and one for each kind of layer that
 * needs a file. For model/ alone.
 */
#pragma once

#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
  LsPlanBuilder *b;
  const LsModel *model;
  guint i;                          /* the layer at hand */
  guint current;                    /* tensor: the last layer's output */
  gboolean flat;                    /* flatten was met: rows of numbers, whatever the tensor's rank */
  guint n_lstm;                     /* LSTMs so far */
  guint n_dropout;                  /* dropouts so far: each has random numbers of its own */
  guint n_weighted;                 /* layers with weights so far: the lecture's subscript */
  guint given[LS_MODEL_MAX_DEPTH];  /* tensors: what went into the open brackets, */
  guint opened[LS_MODEL_MAX_DEPTH]; /* and their layers */
  gboolean given_flat[LS_MODEL_MAX_DEPTH];
  guint depth;
} LsMaker;

/* The layer at hand. */
const LsLayer *ls_maker_layer (const LsMaker *m);
/* LS_ERROR_USAGE; returns FALSE. */
gboolean ls_maker_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* "W" and 12: "W₁₂". (transfer full) */
char *ls_maker_subscripted (const char *letter, guint number);
/* "h3", "z2.1": that letter and where the layer at hand is. (transfer full) */
char *ls_maker_name (const LsMaker *m, const char *letter);
/* The symbol of the layer's output: H₁ after the first layer with weights; H₁,₂ if that is taken by another
 * since. (transfer full) */
char *ls_maker_symbol (const LsMaker *m, const char *letter);
/* Appends an op of the layer at hand whose output is the tensor `name`; right_side: what stands right of “=”.
 * The output's id, or −1. */
gint ls_maker_op (LsMaker *m, const LsOpClass *klass, const guint *in, LsOpAttr attr, const char *name,
                  const char *symbol, const char *right_side, GError **error);
/* A parameter of the layer at hand, "3.kind". Its id, or −1. */
gint ls_maker_param (LsMaker *m, const char *kind, const char *symbol, LsInit init, gint64 fan_in,
                     gint64 fan_out, guint rank, const gint64 *shape, GError **error);

gboolean ls_maker_lstm (LsMaker *m, GError **error);      /* plan_lstm.c */
gboolean ls_maker_layernorm (LsMaker *m, GError **error); /* plan_layernorm.c */

G_END_DECLS
