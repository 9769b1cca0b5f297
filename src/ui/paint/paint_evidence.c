/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marks of data that aren't measured: hollow is derived, hatched modelled, dotted published; rings are derived values in a
 * plot, and a guide leads from one mark to another.
 */
#include "ui/paint/paint_private.h"

#include <math.h>

/* Rings are filled with the view, so that what lies under them doesn't run through their middle. */
void
ls_paint_rings (const LsPainter *p, const LsItem *item)
{
  const float *points = (const float *) (const void *) p->scene->points->data + 2 * (gsize) item->points;
  const double line = p->style->data + .5;

  cairo_set_line_width (p->cr, line);
  for (guint i = 0; i < item->n_points; i++)
    {
      cairo_new_sub_path (p->cr);
      cairo_arc (p->cr, (double) points[2 * i], (double) points[2 * i + 1], ((double) item->size - line) / 2, 0, 2 * G_PI);
      ls_paint_set_color (p, p->style->palette->view, 1);
      cairo_fill_preserve (p->cr);
      ls_paint_set_color (p, ls_paint_color_of (p, item), ls_paint_alpha_of (p, item));
      cairo_stroke (p->cr);
    }
}

void
ls_paint_guide (const LsPainter *p, const LsItem *item)
{
  const float *points = (const float *) (const void *) p->scene->points->data + 2 * (gsize) item->points;
  const double dashes[] = { 7, 4 };

  for (guint i = 0; i < item->n_points; i++)
    cairo_line_to (p->cr, (double) points[2 * i], (double) points[2 * i + 1]);
  ls_paint_set_color (p, ls_paint_color_of (p, item), ls_paint_alpha_of (p, item));
  cairo_set_line_width (p->cr, (double) item->size);
  cairo_set_dash (p->cr, dashes, 2, 0);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

void
ls_paint_hollow (const LsPainter *p, const LsItem *item)
{
  const double line = MIN ((double) item->size, MIN ((double) item->w, (double) item->h) / 2), half = line / 2;
  const double dots[] = { line, line * 1.5 };

  if (line <= 0)
    return;
  if (item->kind == LS_ITEM_HOLLOW)
    ls_paint_fill_box (p, (double) item->x, (double) item->y, (double) item->w, (double) item->h, p->style->palette->view, ls_paint_alpha_of (p, item));
  cairo_rectangle (p->cr, (double) item->x + half, (double) item->y + half, (double) item->w - line, (double) item->h - line);
  ls_paint_set_color (p, ls_paint_color_of (p, item), ls_paint_alpha_of (p, item));
  cairo_set_line_width (p->cr, line);
  if (item->kind == LS_ITEM_DOTTED)
    cairo_set_dash (p->cr, dots, 2, 0);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

/* Lines at 45°, 7 px apart in a large area and closer in a small one, with an edge where there is room for it. */
void
ls_paint_hatch (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h;
  const double least = MIN (w, h), pitch = least >= 24 ? 7 : least >= 8 ? 5 : 3.5, line = least >= 8 ? 1.8 : 1.2;

  if (w <= 0 || h <= 0)
    return;
  cairo_save (p->cr);
  cairo_rectangle (p->cr, x, y, w, h);
  cairo_clip (p->cr);
  ls_paint_set_color (p, ls_paint_color_of (p, item), ls_paint_alpha_of (p, item));
  cairo_set_line_width (p->cr, line);
  for (double k = -h; k < w; k += pitch)
    {
      cairo_move_to (p->cr, x + k, y + h);
      cairo_line_to (p->cr, x + k + h, y);
    }
  cairo_stroke (p->cr);
  if (least >= 6)
    {
      cairo_set_line_width (p->cr, p->style->edge);
      cairo_rectangle (p->cr, x + p->style->edge / 2, y + p->style->edge / 2, w - p->style->edge, h - p->style->edge);
      cairo_stroke (p->cr);
    }
  cairo_restore (p->cr);
}
