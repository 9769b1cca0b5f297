/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCells: which items of an imprint are where, in a grid of cells, so that those in a rectangle are found
 * without asking all.
 */
#pragma once

#include "ui/paint/scene/imprint.h"

G_BEGIN_DECLS

typedef struct {
  LsRect whole;
  gint cell; /* device pixels */
  guint cols;
  guint *first, *items; /* those of cell c are items[first[c]] … items[first[c + 1] − 1], in order */
  guint *met, asked;    /* by item: the question that met it last */
} LsCells;

/* cells: zeroed, or made before. whole: from 0, 0. */
void ls_cells_make (LsCells *cells, const LsImprint *imprint, LsRect whole, gint cell);
void ls_cells_clear (LsCells *cells);
/* Appends the positions of the items whose rectangles meet this one, which lies within the whole, in
 * order. */
void ls_cells_find (LsCells *cells, const LsImprint *imprint, LsRect rect, GArray *found);

G_END_DECLS
