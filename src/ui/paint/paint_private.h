/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that paint marks share: paint.c, and paint_evidence.c for marks whose fill is an evidence.
 */
#pragma once

#include "ui/paint/paint.h"

G_BEGIN_DECLS

typedef struct {
  const LsScene *scene;
  const LsStyle *style;
  cairo_t *cr;
  const LsMoment *moment;
} LsPainter;

static inline void
ls_paint_set_color (const LsPainter *p, LsColor c, double alpha)
{
  cairo_set_source_rgba (p->cr, c.r, c.g, c.b, alpha);
}

static inline LsColor
ls_paint_color_of (const LsPainter *p, const LsItem *item)
{
  return ls_style_color (p->style, (LsInk) item->ink, (double) item->value);
}

static inline double
ls_paint_alpha_of (const LsPainter *p, const LsItem *item)
{
  return (double) item->alpha * (ls_item_faded (item, p->moment) ? .2 : 1);
}

static inline void
ls_paint_fill_box (const LsPainter *p, double x, double y, double w, double h, LsColor color, double alpha)
{
  ls_paint_set_color (p, color, alpha);
  cairo_rectangle (p->cr, x, y, w, h);
  cairo_fill (p->cr);
}

/* paint_evidence.c */
void ls_paint_hollow (const LsPainter *p, const LsItem *item);  /* LS_ITEM_DOTTED, too */
void ls_paint_hatch  (const LsPainter *p, const LsItem *item);
void ls_paint_rings  (const LsPainter *p, const LsItem *item);
void ls_paint_guide  (const LsPainter *p, const LsItem *item);

G_END_DECLS
