/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fills of evidence: solid is measured, hollow derived, hatched modelled, dotted published.
 */
#include "ui/paint/scene/painter.h"

#include <math.h>
#include <string.h>

/* ---- lines at 45° on pixels ---- */

#define PERIOD_MOST 64 /* px */

/* The share of a pixel that lies before x + y = s, measured from its upper left corner. */
static double
before (double s)
{
  return s <= 0 ? 0 : s < 1 ? s * s / 2 : s < 2 ? 1 - (2 - s) * (2 - s) / 2 : 1;
}

/* What lines at 45° cover of pixel (i, j) follows from i + j alone, and is the same `period` pixels on, which
 * are a whole number of pitches. wide: of a line, along either axis; first: where on the axis one of them has
 * its middle. */
static void
cover (double *covered, gint period, double pitch, double wide, double first)
{
  for (gint d = 0; d < period; d++)
    {
      const double near = first + floor ((d - first) / pitch) * pitch;

      covered[d] = 0;
      for (gint k = -1; k <= 2; k++)
        covered[d] += before (near + k * pitch + wide / 2 - d) - before (near + k * pitch - wide / 2 - d);
      covered[d] = MIN (covered[d], 1);
    }
}

/* How much of pixel i lies within from … to. */
static double
within (gint i, double from, double to)
{
  return CLAMP (MIN (to, i + 1) - MAX (from, i), 0, 1);
}

/* The box's pixels from x0, y0 on, each as much as lines cover of what of it lies in the box, all in device
 * pixels. (transfer full) */
static cairo_surface_t *
lines_mask (double x, double y, double w, double h, double pitch, double line, gint period, gint x0, gint y0)
{
  const gint cols = (gint) ceil (x + w) - x0, rows = (gint) ceil (y + h) - y0;
  cairo_surface_t *mask = cairo_image_surface_create (CAIRO_FORMAT_A8, cols, rows);
  guint8 *pixels = cairo_image_surface_get_data (mask), once[2 * PERIOD_MOST];
  const gsize stride = (gsize) cairo_image_surface_get_stride (mask);
  double covered[PERIOD_MOST];

  if (pixels == NULL)
    return mask;
  cover (covered, period, pitch, line * G_SQRT2, x - x0 + y - y0);
  for (gint j = 0; j < rows; j++)
    {
      guint8 *row = pixels + (gsize) j * stride;
      const double high = within (j + y0, y, y + h);

      for (gint d = 0; d < period; d++)
        once[d] = once[d + period] = (guint8) (covered[d] * high * 255 + .5);
      for (gint i = 0; i < cols; i += period)
        memcpy (row + i, once + (i + j) % period, (gsize) MIN (period, cols - i));
      row[0] = (guint8) (row[0] * within (x0, x, x + w) + .5);
      if (cols > 1)
        row[cols - 1] = (guint8) (row[cols - 1] * within (x0 + cols - 1, x, x + w) + .5);
    }
  cairo_surface_mark_dirty (mask);
  return mask;
}

static gboolean
whole (double value)
{
  return fabs (value - round (value)) < 1e-6;
}

/* Where Cairo paints pixels, and a whole number of them is as far as some lines are apart: one fill through a
 * mask, for a hundredth of what their strokes within a clip would take. FALSE: it isn't so. */
static gboolean
lines_on_pixels (cairo_t *cr, double x, double y, double w, double h, double pitch, double line)
{
  cairo_surface_t *target = cairo_get_target (cr), *mask;
  cairo_matrix_t m;
  double sx, sy;

  if (cairo_surface_get_type (target) != CAIRO_SURFACE_TYPE_IMAGE)
    return FALSE;
  cairo_get_matrix (cr, &m);
  cairo_surface_get_device_scale (target, &sx, &sy);
  const double scale = m.xx * sx, period = 2 * pitch * scale;
  const gint x0 = (gint) floor (x * scale), y0 = (gint) floor (y * scale);
  if (fabs (m.yy * sy - scale) > 1e-9 || fabs (m.xy) > 0 || fabs (m.yx) > 0 || !whole (period)
      || period > PERIOD_MOST || period < 2 || !whole (m.x0 * sx) || !whole (m.y0 * sy))
    return FALSE;
  mask = lines_mask (x * scale, y * scale, w * scale, h * scale, pitch * scale, line * scale,
                     (gint) round (period), x0, y0);
  cairo_surface_set_device_scale (mask, scale, scale);
  cairo_mask_surface (cr, mask, x0 / scale, y0 / scale);
  cairo_surface_destroy (mask);
  return TRUE;
}

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
  ls_painter_color (p, ls_painter_ink (p, item), ls_painter_alpha (p, item));
  if (!lines_on_pixels (p->cr, x, y, w, h, pitch, line))
    {
      cairo_rectangle (p->cr, x, y, w, h);
      cairo_clip (p->cr);
      cairo_set_line_width (p->cr, line);
      for (double k = -h; k < w; k += pitch)
        {
          cairo_move_to (p->cr, x + k, y + h);
          cairo_line_to (p->cr, x + k + h, y);
        }
      cairo_stroke (p->cr);
    }
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
