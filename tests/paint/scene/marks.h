/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of single marks: painted alone onto a small picture, and read pixel by pixel, on a ground that no
 * palette has, so that what is painted in the view's colour isn't taken for nothing.
 */
#pragma once

#include <math.h>

#include "tests/paint/draw.h"
#include "ui/paint/scene/paint.h"

#define EDGE   64
#define GROUND 0xFF00FF

static LsFonts *fonts;
static LsStyle style;

/* Both are painted onto it, and freed. */
static inline cairo_surface_t *
painted (LsScene *scene, LsMoment moment)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, EDGE, EDGE);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 0, 1);
  cairo_paint (cr);
  ls_paint_scene (scene, cr, &moment);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  ls_scene_free (scene);
  return surface;
}

static inline LsMoment
at_time (gint64 ns)
{
  return (LsMoment){ .time_ns = ns, .worker = -1, .evidence = -1 };
}

/* A mark in the middle of the picture, from 100 to 200 ns. */
static inline LsItem *
begin (LsScene **scene, LsItemKind kind, double w, double h, LsInk ink, double value)
{
  LsItem *item;

  *scene = ls_scene_new (fonts, &style);
  item = ls_scene_mark (*scene, kind, 10, 10, w, h, ink, value);
  item->t0 = 100;
  item->t1 = 200;
  return item;
}

static inline gboolean
is (guint32 pixel, LsColor c)
{
  return fabs ((pixel >> 16) / 255. - c.r) < .02 && fabs ((pixel >> 8 & 255) / 255. - c.g) < .02
         && fabs ((pixel & 255) / 255. - c.b) < .02;
}

static inline LsColor
ink (LsInk of, double value)
{
  return ls_style_color (&style, of, value);
}

static inline LsColor
mixed (LsColor a, LsColor b, double t)
{
  return (LsColor){ a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t };
}

static const LsColor ground = LS_RGB (GROUND);

#define assert_pixel(surface, x, y, color, what)                                                             \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    const LsColor c_ = (color);                                                                              \
    if (!is (pixel_at (surface, x, y), c_))                                                                  \
      g_error ("%s: at %d, %d is %06x, and should be %02x%02x%02x", what, x, y, pixel_at (surface, x, y),    \
               (guint) (255 * c_.r + .5), (guint) (255 * c_.g + .5), (guint) (255 * c_.b + .5));             \
  }                                                                                                          \
  G_STMT_END

/* How many pixels of a row, or a column, have that colour. */
static inline guint
count_row (cairo_surface_t *surface, gint y, LsColor color)
{
  guint n = 0;

  for (gint x = 0; x < EDGE; x++)
    n += is (pixel_at (surface, x, y), color);
  return n;
}

static inline guint
count_column (cairo_surface_t *surface, gint x, LsColor color)
{
  guint n = 0;

  for (gint y = 0; y < EDGE; y++)
    n += is (pixel_at (surface, x, y), color);
  return n;
}
