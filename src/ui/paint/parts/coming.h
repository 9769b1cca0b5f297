/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands in the place of a lane that isn't there yet: the ops that it will do, all equally high since
 * none has been timed, each with its kernel and how far that is, and sentences over and under them.
 */
#pragma once

#include "ui/paint/data/coming_words.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

/* ---- coming_head.c: over and under the picture ---- */

/* What the lane does, below y on as many lines as it needs, with the mark of its time; returns the last
 * baseline. */
double ls_coming_sentence (LsLayout *layout, guint side, double x, double y, double width, LsType type);
/* Why a lane that works isn't in the step that is shown, and the ops that it does. */
void ls_coming_unrecorded (LsLayout *layout, LsArea area, guint side);
/* A head's sentence in the place of its numbers: beside the name, whose baseline is `base`, or below; then
 * why. Returns the last baseline, 0: the lane doesn't come. */
double ls_coming_head (LsLayout *layout, guint side, LsArea area, double base);
/* What the lanes that come or wait have to say under their pictures, each in its half at the foot of the
 * area, `gutter` between the halves; returns the height that it takes, 0: nobody says anything. */
double ls_coming_foot (LsLayout *layout, LsArea area, double gutter);

/* ---- coming.c: the pictures ---- */

/* The ops of a step, as many as have room, from the area's top; returns their height. Nothing where there is
 * no plan. */
double ls_coming_list (LsLayout *layout, LsArea area, guint side);
/* Nothing was recorded yet: both lanes' lists, and what makes them fill. */
void ls_coming_lists (LsLayout *layout, LsArea area);
/* The same in one row of cells of an equal width, and what is being built, as far as it fits; returns the
 * height. */
double ls_coming_cells (LsLayout *layout, LsArea area, guint side);
/* Boxes of an equal height in the place of a column, the ops' names beside it as far as `outer`. */
void ls_coming_column (LsLayout *layout, LsArea column, double outer);

G_END_DECLS
