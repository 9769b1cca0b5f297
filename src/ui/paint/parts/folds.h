/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time steps of a layer that reads a sequence are folded into a block, one for each chain (data/chain.h);
 * a click on the block opens it, a click on the line along an open one folds it again. Of a view's state,
 * the same for both lanes.
 */
#pragma once

#include "ui/paint/data/chain.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

typedef struct {
  gboolean each;  /* all are open, whatever `opened` says */
  guint64 opened; /* bit i: chain i is */
} LsFolds;

#define LS_FOLDS_MOST 64 /* chains that can be opened one by one; an lstm has two */

gboolean ls_folds_open (const LsFolds *folds, guint chain);
/* A click there opens the chain's block, or folds it. */
void ls_folds_slot (LsLayout *layout, guint side, guint chain, LsArea area);
/* What a click came to. */
LsAct ls_folds_point (const LsLayout *layout, double x, double y, LsFolds *folds);
/* V opens one block after the other, then all, then none. n: chains. */
LsAct ls_folds_key (LsViewKey key, guint n, LsFolds *folds);
/* "folded", "each", or numbers from 1: "1,2"; (transfer full): what would have been right, or NULL. */
char *ls_folds_read (const char *text, LsFolds *folds);

G_END_DECLS
