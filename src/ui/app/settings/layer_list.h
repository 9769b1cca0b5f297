/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLayerList: a network while it is edited: an array of layers that may be anything, even nothing, with all
 * its earlier states, and the question whether it fits. No toolkit.
 */
#pragma once

#include "model/spec.h"

G_BEGIN_DECLS

typedef struct {
  GArray *layers;  /* LsLayer */
  GPtrArray *past; /* GArray of LsLayer, the latest last */
  gboolean known;  /* what goes in, and how many classes come out */
  gint64 shape[3];
  gint n_classes;
} LsLayerList;

LsLayerList *ls_layer_list_new (void);
void ls_layer_list_free (LsLayerList *list);
guint ls_layer_list_n (const LsLayerList *list);
LsLayer *ls_layer_list_get (const LsLayerList *list, guint i);
/* shape: of a sample; NULL: not known. */
void ls_layer_list_set_input (LsLayerList *list, const gint64 shape[3], gint n_classes);
/* Starts with this network; forgets the past. Text that can't be read is an empty one. */
void ls_layer_list_start (LsLayerList *list, const char *text);

/* Changes that can be undone. Positions out of range, and moves beyond an end, change nothing. */
void ls_layer_list_add (LsLayerList *list, guint at, LsLayerKind kind); /* with its usual numbers */
void ls_layer_list_remove (LsLayerList *list, guint i);
/* A bracket with all that is in it; at its edges, into one and out of it. Where the layer is then; −1: as
 * before. */
gint ls_layer_list_move (LsLayerList *list, guint i, gint direction);
void ls_layer_list_replace (LsLayerList *list, guint i, const LsLayer *layer);
/* The network as somebody typed it. FALSE: it can't be read, and stays; *other: it isn't what it was. */
gboolean ls_layer_list_read (LsLayerList *list, const char *text, gboolean *other, GError **error);
gboolean ls_layer_list_undo (LsLayerList *list);

/* A preset's name where it is one's, else the spec; "" if empty. (transfer full) */
char *ls_layer_list_text (const LsLayerList *list);
/* The spec; what the columns in messages count in. (transfer full) */
char *ls_layer_list_spec (const LsLayerList *list);
/* How many layers from the first fit, with the shape that each makes (as ls_plan_shapes() has them; room for
 * all). With an input that isn’t known: 0. error is set if anything is wrong at all. */
guint ls_layer_list_check (const LsLayerList *list, gint64 (*shapes)[3], GError **error);
/* One of those shapes, "16×28×28", between marks that keep it left to right among words that aren't.
 * (transfer full) */
char *ls_layer_shape_text (const gint64 shape[3]);

G_END_DECLS
