/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsDifference: the element in which lanes that disagree were found to differ first, for pictures of the op
 * that made it.
 */
#pragma once

#include "train/snapshot.h"

G_BEGIN_DECLS

typedef struct {
  gboolean found;
  guint op;   /* of the plan, and of the run's recordings */
  guint side; /* of the lane that is wrong by itself */
  guint rank;
  gint64 shape[LS_MAX_RANK]; /* of the op's output */
  gint64 element;            /* counted through the output, the last dimension first */
} LsDifference;

/* side_of_lane: the snapshot's lane on each side, −1: none. */
void ls_difference_fill (LsDifference *self, const LsSnapshot *snapshot, const gint side_of_lane[2]);
/* Where it lies in a picture of the output as rows × cols: rows of the tensor, or a convolution's maps down
 * and all samples' places across. FALSE: the picture isn't cut like either. */
gboolean ls_difference_at (const LsDifference *self, gint64 rows, gint64 cols, gint64 *row, gint64 *col);
/* "(83, 70)"; (transfer full) */
char *ls_difference_words (const LsDifference *self);

G_END_DECLS
