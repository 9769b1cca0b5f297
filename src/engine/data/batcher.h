/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which samples step i uses: a pure function of seed, order, batch size and i, the same for every lane.
 * Sequential: batch i of an epoch is samples i·B … i·B+B−1. Shuffled: the same positions of a permutation
 * that is drawn anew for each epoch. The last, partial batch of an epoch is left out.
 */
#pragma once

#include "data/dataset.h"

G_BEGIN_DECLS

typedef enum {
  LS_ORDER_SHUFFLED,
  LS_ORDER_SEQUENTIAL,
} LsOrder;

typedef struct _LsBatcher LsBatcher;

/* Fails with LS_ERROR_USAGE if batch > n or batch < 1. */
LsBatcher *ls_batcher_new (gint64 n, guint batch, LsOrder order, guint64 seed, GError **error);
void ls_batcher_free (LsBatcher *batcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBatcher, ls_batcher_free)
guint64 ls_batcher_steps_per_epoch (const LsBatcher *batcher);
/* Writes step's (from 0) batch positions to index[batch]. Not thread-safe: keeps the current epoch's
 * permutation. */
void ls_batcher_get (LsBatcher *batcher, guint64 step, guint32 *index);

G_END_DECLS
