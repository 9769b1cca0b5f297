/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsStrokes: what somebody draws with a round pen on a square pad, and the image that a network gets of it.
 * The pad's corners are 0, 0 and 1, 1.
 *
 * The image is made as MNIST's were (LeCun, Cortes, Burges: The MNIST database, "size normalized to fit in a
 * 20x20 pixel box while preserving their aspect ratio … grey levels as a result of the anti-aliasing …
 * centered in a 28x28 image by computing the center of mass of the pixels"): for other sizes, the box is
 * 20/28 of the shorter side.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_STROKES_PEN    .085 /* the pen's diameter */
#define LS_STROKES_POINTS 8192 /* no more are taken */

typedef struct {
  GArray *points; /* pairs of float, all strokes' */
  GArray *first;  /* guint: where each stroke begins, in points */
} LsStrokes;

LsStrokes *ls_strokes_new (void);
void ls_strokes_free (LsStrokes *strokes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsStrokes, ls_strokes_free)

void ls_strokes_begin (LsStrokes *strokes, double x, double y);
/* The newest stroke goes on to there; begins one if there is none. FALSE: it is there already. */
gboolean ls_strokes_to (LsStrokes *strokes, double x, double y);
/* Without the newest stroke; FALSE: there was none. */
gboolean ls_strokes_undo (LsStrokes *strokes);
void ls_strokes_clear (LsStrokes *strokes);
guint ls_strokes_n (const LsStrokes *strokes);
/* Stroke i's points: pairs of float, n of them. */
const float *ls_strokes_get (const LsStrokes *strokes, guint i, guint *n);

/* rows × cols values of ink, 0 … 1 in 255 steps, as a data set's bytes are. FALSE: nothing was drawn, all are
 * 0. */
gboolean ls_strokes_image (const LsStrokes *strokes, guint rows, guint cols, float *values);

G_END_DECLS
