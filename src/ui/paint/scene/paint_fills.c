/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fills of evidence: solid is measured, hollow derived, hatched modelled, dotted published.
 */
#include "ui/paint/scene/painter.h"

static void
hatch (cairo_t *cr, double x, double y, double size)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, y, size, size);
  cairo_clip (cr);
  for (double k = -size; k < size; k += size / 3)
    {
      cairo_move_to (cr, x + k, y + size);
      cairo_line_to (cr, x + k + size, y);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
ls_paint_hollow (const LsPainter *p, const LsItem *item)
{
  const double line = MIN ((double) item->size, MIN ((double) item->w, (double) item->h) / 2),
               half = line / 2;
  const double dots[] = { line, line * 1.5 };

  if (line <= 0)
    return;
  if (item->kind == LS_ITEM_HOLLOW)
    ls_painter_box (p, (double) item->x, (double) item->y, (double) item->w, (double) item->h,
                    p->style->palette->view, ls_painter_alpha (p, item));
  cairo_rectangle (p->cr, (double) item->x + half, (double) item->y + half, (double) item->w - line,
                   (double) item->h - line);
  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  cairo_set_line_width (p->cr, line);
  if (item->kind == LS_ITEM_DOTTED)
    cairo_set_dash (p->cr, dots, 2, 0);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

/* Lines at 45°, 7 px apart in a large area and closer in a small one, with an edge where there is room for
 * it. */
void
ls_paint_hatch (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, w = (double) item->w, h = (double) item->h;
  const double least = MIN (w, h),
               pitch = least >= 24  ? 7
                       : least >= 8 ? 5
                                    : 3.5,
               line = least >= 8 ? 1.8 : 1.2;

  if (w <= 0 || h <= 0)
    return;
  cairo_save (p->cr);
  cairo_rectangle (p->cr, x, y, w, h);
  cairo_clip (p->cr);
  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
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
      cairo_rectangle (p->cr, x + p->style->edge / 2, y + p->style->edge / 2, w - p->style->edge,
                       h - p->style->edge);
      cairo_stroke (p->cr);
    }
  cairo_restore (p->cr);
}

void
ls_paint_guide (const LsPainter *p, const LsItem *item)
{
  const float *points = (const float *) (const void *) p->scene->points->data + 2 * (gsize) item->points;
  const double dashes[] = { 7, 4 };

  for (guint i = 0; i < item->n_points; i++)
    cairo_line_to (p->cr, (double) points[2 * i], (double) points[2 * i + 1]);
  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  cairo_set_line_width (p->cr, (double) item->size);
  cairo_set_dash (p->cr, dashes, 2, 0);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

void
ls_paint_hatched_path (const LsPainter *p)
{
  cairo_path_t *path;
  double x0, y0, x1, y1;

  cairo_close_path (p->cr);
  cairo_path_extents (p->cr, &x0, &y0, &x1, &y1);
  path = cairo_copy_path (p->cr);
  cairo_save (p->cr);
  cairo_clip (p->cr);
  cairo_set_line_width (p->cr, 1.6);
  for (double x = x0 - (y1 - y0); x < x1; x += 5)
    {
      cairo_move_to (p->cr, x, y1);
      cairo_line_to (p->cr, x + (y1 - y0), y0);
    }
  cairo_stroke (p->cr);
  cairo_restore (p->cr);
  cairo_append_path (p->cr, path);
  cairo_set_line_width (p->cr, p->style->edge);
  cairo_stroke (p->cr);
  cairo_path_destroy (path);
}

void
ls_paint_evidence (const LsPainter *p, const LsItem *item)
{
  const double x = (double) item->x, y = (double) item->y, z = (double) item->w, line = MAX (1.5, z / 7.5);
  const double dots[] = { line, line * 1.2 };
  const LsEvidence evidence = (LsEvidence) item->value;

  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  cairo_set_line_width (p->cr, line);
  if (evidence == LS_EVIDENCE_MEASURED)
    {
      ls_painter_round_box (p->cr, x, y, z, z, z / 7);
      cairo_fill (p->cr);
      return;
    }
  if (evidence == LS_EVIDENCE_MODELLED)
    hatch (p->cr, x + 1, y + 1, z - 2);
  if (evidence == LS_EVIDENCE_PUBLISHED)
    cairo_set_dash (p->cr, dots, 2, 0);
  ls_painter_round_box (p->cr, x + line / 2, y + line / 2, z - line, z - line, z / 7);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}
