/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A matrix as a picture: each value a rectangle of its ink, without a rectangle for each. On pixels every
 * device pixel takes the value under its middle, and the picture's edges are set to whole pixels: so what
 * comes out doesn't depend on where a clip cuts it. On paper it stays as small as the matrix, and the viewer
 * enlarges it without smoothing.
 */
#include "ui/paint/scene/painter.h"

#include <math.h>

/* Of classes: the pale colour of one, paler where it is less sure; dots of the full colour can be seen on
 * it. */
static LsColor
level_color (const LsPainter *p, LsInk ink, guint level)
{
  if (ink == LS_INK_SIGN)
    return ls_style_color (p->style, ink, CLAMP ((level - 128.0) / 127, -1, 1));
  if (ink != LS_INK_WORKER)
    return ls_style_color (p->style, ink, level / 255.0);
  return ls_color_mix (ls_style_color (p->style, LS_INK_WINDOW, 0),
                       ls_style_color (p->style, ink, level / 32), .42 * (level % 32) / 31);
}

static const guint32 *
ramp_of (const LsPainter *p, LsInk ink)
{
  const guint which = ink == LS_INK_SIGN ? 0 : ink == LS_INK_WORKER ? 2 : 1;
  guint32 *ramp = p->ramps->colors[which];

  for (guint i = 0; !p->ramps->made[which] && i < 256; i++)
    {
      const LsColor c = level_color (p, ink, i);
      ramp[i] = (guint32) lround (255 * c.r) << 16 | (guint32) lround (255 * c.g) << 8
                | (guint32) lround (255 * c.b);
    }
  p->ramps->made[which] = TRUE;
  return ramp;
}

/* cols × rows pixels of the image, each with the value under its middle. */
static cairo_surface_t *
make_surface (const LsPainter *p, LsInk ink, const LsSceneImage *image, gint cols, gint rows)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, cols, rows);
  const gssize stride = cairo_image_surface_get_stride (surface);
  guint8 *pixels = cairo_image_surface_get_data (surface);
  const guint32 *ramp = ramp_of (p, ink);

  if (pixels == NULL)
    return surface;
  for (gint y = 0; y < rows; y++)
    {
      const guint8 *levels = image->levels
                             + (gsize) ((2 * (gint64) y + 1) * image->rows / (2 * rows)) * image->cols;
      guint32 *row = (guint32 *) (void *) (pixels + y * stride);
      for (gint x = 0; x < cols; x++)
        row[x] = ramp[levels[(2 * (gint64) x + 1) * image->cols / (2 * cols)]];
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
show (const LsPainter *p, const LsItem *item)
{
  cairo_pattern_set_filter (cairo_get_source (p->cr), CAIRO_FILTER_NEAREST);
  cairo_clip (p->cr);
  cairo_paint_with_alpha (p->cr, ls_painter_alpha (p, item));
}

/* x, y, w and h in px of the picture. */
static void
show_pixels (const LsPainter *p, const LsItem *item, const LsSceneImage *image)
{
  double x0 = (double) item->x, y0 = (double) item->y, x1 = x0 + (double) item->w, y1 = y0 + (double) item->h,
         sx, sy;
  cairo_surface_t *surface;

  cairo_surface_get_device_scale (cairo_get_target (p->cr), &sx, &sy);
  cairo_user_to_device (p->cr, &x0, &y0);
  cairo_user_to_device (p->cr, &x1, &y1);
  x0 = floor (x0 * sx + .5);
  y0 = floor (y0 * sy + .5);
  x1 = floor (x1 * sx + .5);
  y1 = floor (y1 * sy + .5);
  if (x1 <= x0 || y1 <= y0)
    return;
  surface = make_surface (p, (LsInk) item->ink, image, (gint) (x1 - x0), (gint) (y1 - y0));
  cairo_surface_set_device_scale (surface, sx, sy);
  cairo_identity_matrix (p->cr);
  cairo_set_source_surface (p->cr, surface, x0 / sx, y0 / sy);
  cairo_rectangle (p->cr, x0 / sx, y0 / sy, (x1 - x0) / sx, (y1 - y0) / sy);
  show (p, item);
  cairo_surface_destroy (surface);
}

static void
show_matrix (const LsPainter *p, const LsItem *item, const LsSceneImage *image)
{
  cairo_surface_t *surface = make_surface (p, (LsInk) item->ink, image, (gint) image->cols,
                                           (gint) image->rows);

  cairo_translate (p->cr, (double) item->x, (double) item->y);
  cairo_scale (p->cr, (double) item->w / image->cols, (double) item->h / image->rows);
  cairo_set_source_surface (p->cr, surface, 0, 0);
  cairo_rectangle (p->cr, 0, 0, image->cols, image->rows);
  show (p, item);
  cairo_surface_destroy (surface);
}

void
ls_paint_image (const LsPainter *p, const LsItem *item)
{
  const LsSceneImage *image = g_ptr_array_index (p->scene->images, item->image);

  if (image->cols == 0 || image->rows == 0 || !(item->w > 0) || !(item->h > 0))
    return;
  cairo_save (p->cr);
  if (cairo_surface_get_type (cairo_get_target (p->cr)) == CAIRO_SURFACE_TYPE_IMAGE)
    show_pixels (p, item, image);
  else
    show_matrix (p, item, image);
  cairo_restore (p->cr);
}
