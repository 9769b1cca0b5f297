/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strokes, and their image: see strokes.h. Cairo's 8-bit masks give the anti-aliasing: a pixel's value is the
 * share of it that the ink covers.
 */
#include "ui/paint/data/strokes.h"

#include <cairo.h>
#include <math.h>

#define BOX (20.0 / 28) /* of the image's shorter side */

LsStrokes *
ls_strokes_new (void)
{
  LsStrokes *strokes = g_new0 (LsStrokes, 1);

  strokes->points = g_array_new (FALSE, FALSE, 2 * sizeof (float));
  strokes->first = g_array_new (FALSE, FALSE, sizeof (guint));
  return strokes;
}

void
ls_strokes_free (LsStrokes *strokes)
{
  if (strokes == NULL)
    return;
  g_array_unref (strokes->points);
  g_array_unref (strokes->first);
  g_free (strokes);
}

static void
append (LsStrokes *strokes, double x, double y)
{
  const float xy[2] = { (float) CLAMP (x, 0, 1), (float) CLAMP (y, 0, 1) };

  g_array_append_vals (strokes->points, xy, 1);
}

void
ls_strokes_begin (LsStrokes *strokes, double x, double y)
{
  if (strokes->points->len >= LS_STROKES_POINTS)
    return;
  g_array_append_val (strokes->first, strokes->points->len);
  append (strokes, x, y);
}

gboolean
ls_strokes_to (LsStrokes *strokes, double x, double y)
{
  const float *last;

  if (strokes->first->len == 0)
    {
      ls_strokes_begin (strokes, x, y);
      return TRUE;
    }
  last = (const float *) (const void *) strokes->points->data + 2 * (gsize) (strokes->points->len - 1);
  if (strokes->points->len >= LS_STROKES_POINTS
      || hypot ((double) last[0] - CLAMP (x, 0, 1), (double) last[1] - CLAMP (y, 0, 1)) < 1e-3)
    return FALSE;
  append (strokes, x, y);
  return TRUE;
}

gboolean
ls_strokes_undo (LsStrokes *strokes)
{
  if (strokes->first->len == 0)
    return FALSE;
  g_array_set_size (strokes->points, g_array_index (strokes->first, guint, strokes->first->len - 1));
  g_array_set_size (strokes->first, strokes->first->len - 1);
  return TRUE;
}

void
ls_strokes_clear (LsStrokes *strokes)
{
  g_array_set_size (strokes->points, 0);
  g_array_set_size (strokes->first, 0);
}

guint
ls_strokes_n (const LsStrokes *strokes)
{
  return strokes->first->len;
}

const float *
ls_strokes_get (const LsStrokes *strokes, guint i, guint *n)
{
  const guint first = g_array_index (strokes->first, guint, i);

  *n = (i + 1 < strokes->first->len ? g_array_index (strokes->first, guint, i + 1) : strokes->points->len)
       - first;
  return (const float *) (const void *) strokes->points->data + 2 * (gsize) first;
}

/* Of the ink, in the pad. */
static void
bounds (const LsStrokes *strokes, double *x, double *y, double *w, double *h)
{
  const float *p = (const float *) (const void *) strokes->points->data;
  double left = 1, top = 1, right = 0, bottom = 0;

  for (guint i = 0; i < strokes->points->len; i++)
    {
      left = MIN (left, (double) p[2 * i]);
      right = MAX (right, (double) p[2 * i]);
      top = MIN (top, (double) p[2 * i + 1]);
      bottom = MAX (bottom, (double) p[2 * i + 1]);
    }
  *x = left - LS_STROKES_PEN / 2;
  *y = top - LS_STROKES_PEN / 2;
  *w = right - left + LS_STROKES_PEN;
  *h = bottom - top + LS_STROKES_PEN;
}

static void
draw (const LsStrokes *strokes, cairo_t *cr)
{
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, LS_STROKES_PEN);
  for (guint s = 0; s < strokes->first->len; s++)
    {
      guint n;
      const float *p = ls_strokes_get (strokes, s, &n);

      cairo_move_to (cr, (double) p[0], (double) p[1]);
      if (n == 1)
        cairo_line_to (cr, (double) p[0], (double) p[1]);
      for (guint i = 1; i < n; i++)
        cairo_line_to (cr, (double) p[2 * i], (double) p[2 * i + 1]);
    }
  /* one stroke of all: where lines cross, ink isn't laid over ink */
  cairo_stroke (cr);
}

/* How far the centre of mass is from the middle, in whole pixels, as far as the box stays inside. Of an even
 * number of pixels the middle one is the right of the two: in all 10,000 of MNIST's test images the centre of
 * mass lies in it. */
static void
off_centre (const guint8 *ink, gssize stride, guint rows, guint cols, double w, double h, gint *dx, gint *dy)
{
  const double room_x = floor ((cols - w) / 2), room_y = floor ((rows - h) / 2);
  double mass = 0, x = 0, y = 0;

  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < cols; c++)
      {
        const double m = ink[(gssize) r * stride + c];
        mass += m;
        x += m * (c + .5);
        y += m * (r + .5);
      }
  *dx = *dy = 0;
  if (mass <= 0)
    return;
  *dx = (gint) CLAMP (ceil (cols / 2 - x / mass), -room_x, room_x);
  *dy = (gint) CLAMP (ceil (rows / 2 - y / mass), -room_y, room_y);
}

gboolean
ls_strokes_image (const LsStrokes *strokes, guint rows, guint cols, float *values)
{
  cairo_surface_t *surface;
  const guint8 *ink;
  double x, y, w, h, scale;
  gssize stride;
  cairo_t *cr;
  gint dx, dy;

  for (guint i = 0; i < rows * cols; i++)
    values[i] = 0;
  if (strokes->points->len == 0)
    return FALSE;
  bounds (strokes, &x, &y, &w, &h);
  scale = BOX * MIN (rows, cols) / MAX (w, h);
  surface = cairo_image_surface_create (CAIRO_FORMAT_A8, (gint) cols, (gint) rows);
  cr = cairo_create (surface);
  cairo_translate (cr, (cols - w * scale) / 2, (rows - h * scale) / 2);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -x, -y);
  draw (strokes, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  ink = cairo_image_surface_get_data (surface);
  stride = cairo_image_surface_get_stride (surface);
  if (ink != NULL)
    {
      off_centre (ink, stride, rows, cols, w * scale, h * scale, &dx, &dy);
      for (gint r = 0; r < (gint) rows; r++)
        for (gint c = 0; c < (gint) cols; c++)
          if (r - dy >= 0 && r - dy < (gint) rows && c - dx >= 0 && c - dx < (gint) cols)
            values[(guint) r * cols + (guint) c] = (float) ink[(r - dy) * stride + c - dx] / 255.0f;
    }
  cairo_surface_destroy (surface);
  return TRUE;
}
