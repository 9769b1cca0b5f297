/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsRaster: a layout as pixels that are kept. A picture at 1080p takes 5 to 30 ms to paint, a frame has 16
 * for everything: so only what changed since the last update is painted again, items that came, went or
 * passed their time, and only inside their rectangles. The pixels lie in bricks, small surfaces of their own,
 * so that whoever shows them can tell by a serial which ones changed. Needs Cairo, no toolkit; the result is
 * the same, pixel for pixel, as painting the layout anew.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_BRICK_W 256 /* px */
#define LS_BRICK_H 64

typedef struct {
  cairo_surface_t *surface; /* the raster's; with its device scale set */
  double x, y, w, h;        /* px of the picture */
  guint64 serial;           /* grows when the pixels change */
} LsBrick;

typedef struct _LsRaster LsRaster;

LsRaster *ls_raster_new (void);
void ls_raster_free (LsRaster *raster);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRaster, ls_raster_free)
/* Brings the pixels to what ls_layout_paint_still() and ls_layout_paint_moving() would paint now; returns how
 * many bricks changed. scale: device pixels per px. The layout isn't kept. */
guint ls_raster_update (LsRaster *raster, const LsLayout *layout, guint scale);
/* Valid until the next update. */
const LsBrick *ls_raster_bricks (const LsRaster *raster, guint *n);

G_END_DECLS
