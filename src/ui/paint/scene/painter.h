/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that paint marks share: paint.c, and paint_fills.c for the fills that say how a thing is
 * known.
 */
#pragma once

#include "ui/paint/scene/paint.h"

G_BEGIN_DECLS

/* Of the images in one painting: Cairo's RGB24 for each level of a ramp, made when first needed. */
typedef struct {
  gboolean made[3]; /* signs, amounts, classes */
  guint32 colors[3][256];
} LsRamps;

typedef struct {
  const LsScene *scene;
  const LsStyle *style;
  cairo_t *cr;
  const LsMoment *moment;
  LsRamps *ramps;
} LsPainter;

static inline void
ls_painter_color (const LsPainter *p, LsColor c, double alpha)
{
  cairo_set_source_rgba (p->cr, c.r, c.g, c.b, alpha);
}

static inline LsColor
ls_painter_ink (const LsPainter *p, const LsItem *item)
{
  return ls_style_color (p->style, (LsInk) item->ink, (double) item->value);
}

static inline double
ls_painter_alpha (const LsPainter *p, const LsItem *item)
{
  return (double) item->alpha * (ls_item_faded (item, p->moment) ? .2 : 1);
}

static inline void
ls_painter_box (const LsPainter *p, double x, double y, double w, double h, LsColor color, double alpha)
{
  ls_painter_color (p, color, alpha);
  cairo_rectangle (p->cr, x, y, w, h);
  cairo_fill (p->cr);
}

static inline void
ls_painter_round_box (cairo_t *cr, double x, double y, double w, double h, double r)
{
  r = MIN (r, MIN (w, h) / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI_2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI_2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

/* paint_fills.c */
void ls_paint_evidence (const LsPainter *p, const LsItem *item);
void ls_paint_hollow (const LsPainter *p, const LsItem *item);
void ls_paint_guide (const LsPainter *p, const LsItem *item);
void ls_paint_hatch (const LsPainter *p, const LsItem *item);
/* The current path, in the current colour: 45° lines and an edge. */
void ls_paint_hatched_path (const LsPainter *p);

/* paint_image.c */
void ls_paint_image (const LsPainter *p, const LsItem *item);

G_END_DECLS
