/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two images: what the still scene alone gives, and the picture, the same with what moves on top; the bricks
 * are windows on the picture's memory. An update collects damaged rectangles and paints the items that meet
 * them, from the background up. Clipping is exact for what runs along or across, but a slanted shape that is
 * cut gets other edges, which Cairo samples differently, and so does text since Cairo 1.18: such are painted
 * whole, beside, and the part is copied.
 */
#include "ui/paint/output/raster.h"

#include <string.h>

#include "ui/paint/scene/cells.h"

#define CELL       64   /* px */
#define JOIN_AREA  1024 /* px²: painting this much costs about as much as one more rectangle */
#define RECTS_MAX  160
#define RECTS_MANY 40
#define NEIGHBOURS 8 /* rectangles that a new one is joined with, if that is cheap */

typedef enum { STILL, MOVING, LAYERS } Layer;

typedef struct {
  cairo_surface_t *surface;
  guint8 *pixels; /* reference-counted: the picture's bricks hold them too */
  LsImprint imprint;
  GArray *found; /* positions of its items in the rectangle in work */
} Image;

struct _LsRaster {
  Image images[LAYERS];       /* the still scene's pixels, and the picture's */
  gint width, height, stride; /* device pixels */
  double layout_w, layout_h;
  guint scale;
  LsStyle style;
  LsFonts *fonts;
  GArray *marks;  /* the still scene's list that was painted: by it the same layout is known again */
  LsCells cells;  /* of the still items */
  GArray *damage; /* LsRect */
  GArray *bricks; /* LsBrick */
  guint64 serial;
};

LsRaster *
ls_raster_new (void)
{
  LsRaster *self = g_new0 (LsRaster, 1);

  self->damage = g_array_new (FALSE, FALSE, sizeof (LsRect));
  self->bricks = g_array_new (FALSE, FALSE, sizeof (LsBrick));
  for (guint i = 0; i < LAYERS; i++)
    self->images[i].found = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

static void
clear_surfaces (LsRaster *self)
{
  for (guint i = 0; i < self->bricks->len; i++)
    cairo_surface_destroy (g_array_index (self->bricks, LsBrick, i).surface);
  g_array_set_size (self->bricks, 0);
  for (guint i = 0; i < LAYERS; i++)
    {
      g_clear_pointer (&self->images[i].surface, cairo_surface_destroy);
      g_clear_pointer (&self->images[i].pixels, g_atomic_rc_box_release);
    }
  g_clear_pointer (&self->fonts, ls_fonts_unref);
}

void
ls_raster_free (LsRaster *self)
{
  if (self == NULL)
    return;
  clear_surfaces (self);
  g_clear_pointer (&self->marks, g_array_unref);
  ls_cells_clear (&self->cells);
  g_array_unref (self->damage);
  g_array_unref (self->bricks);
  for (guint i = 0; i < LAYERS; i++)
    {
      ls_imprint_clear (&self->images[i].imprint);
      g_array_unref (self->images[i].found);
    }
  g_free (self);
}

const LsBrick *
ls_raster_bricks (const LsRaster *self, guint *n)
{
  *n = self->bricks->len;
  return (const LsBrick *) (const void *) self->bricks->data;
}

/* ---- surfaces ---- */

static gboolean
fits (const LsRaster *self, const LsLayout *layout, guint scale)
{
  return self->bricks->len > 0 && self->scale == scale && self->layout_w == layout->width
         && self->layout_h == layout->height && self->fonts == layout->fonts
         && ls_style_equal (&self->style, &layout->style);
}

static void
add_brick (LsRaster *self, gint x, gint y)
{
  static const cairo_user_data_key_t key;
  const gint w = MIN (LS_BRICK_W * (gint) self->scale, self->width - x),
             h = MIN (LS_BRICK_H * (gint) self->scale, self->height - y);
  guint8 *first = self->images[MOVING].pixels + (gsize) y * (gsize) self->stride + 4 * (gsize) x;
  LsBrick brick = { .x = (double) x / self->scale,
                    .y = (double) y / self->scale,
                    .w = (double) w / self->scale,
                    .h = (double) h / self->scale };

  brick.surface = cairo_image_surface_create_for_data (first, CAIRO_FORMAT_RGB24, w, h, self->stride);
  cairo_surface_set_device_scale (brick.surface, self->scale, self->scale);
  cairo_surface_set_user_data (brick.surface, &key, g_atomic_rc_box_acquire (self->images[MOVING].pixels),
                               g_atomic_rc_box_release);
  g_array_append_val (self->bricks, brick);
}

static void
make_surfaces (LsRaster *self, const LsLayout *layout, guint scale)
{
  clear_surfaces (self);
  self->scale = scale;
  self->layout_w = layout->width;
  self->layout_h = layout->height;
  self->style = layout->style;
  self->fonts = ls_fonts_ref (layout->fonts);
  self->width = MAX (1, (gint) (layout->width * scale + .5));
  self->height = MAX (1, (gint) (layout->height * scale + .5));
  self->stride = cairo_format_stride_for_width (CAIRO_FORMAT_RGB24, self->width);
  for (guint i = 0; i < LAYERS; i++)
    {
      Image *image = &self->images[i];

      image->pixels = g_atomic_rc_box_alloc0 ((gsize) self->stride * (gsize) self->height);
      image->surface = cairo_image_surface_create_for_data (image->pixels, CAIRO_FORMAT_RGB24, self->width,
                                                            self->height, self->stride);
      cairo_surface_set_device_scale (image->surface, scale, scale);
    }
  for (gint y = 0; y < self->height; y += LS_BRICK_H * (gint) scale)
    for (gint x = 0; x < self->width; x += LS_BRICK_W * (gint) scale)
      add_brick (self, x, y);
}

static LsRect
whole (const LsRaster *self)
{
  return (LsRect){ 0, 0, self->width, self->height };
}

/* The layer's items in the rectangle; returns what must be painted so that none of them is cut that may not
 * be. */
static LsRect
find (LsRaster *self, Layer layer, LsRect r)
{
  Image *image = &self->images[layer];
  LsRect around = r;

  g_array_set_size (image->found, 0);
  if (layer == STILL)
    ls_cells_find (&self->cells, &image->imprint, r, image->found);
  for (guint i = 0; layer == MOVING && i < image->imprint.n; i++)
    if (ls_rect_meets (image->imprint.items[i].rect, r))
      g_array_append_val (image->found, i);
  for (guint i = 0; i < image->found->len; i++)
    {
      const LsImprintItem *item = &image->imprint.items[g_array_index (image->found, guint, i)];
      if (item->slanted && item->look != 0)
        around = ls_rect_join (around, item->rect);
    }
  return ls_rect_common (around, whole (self));
}

/* ---- damage ---- */

static void
damage_cb (gpointer data, LsRect r)
{
  LsRaster *self = data;
  const gint64 slack = JOIN_AREA * (gint64) self->scale * self->scale;
  gint64 least = G_MAXINT64;
  guint nearest = 0;

  r = ls_rect_common (r, whole (self));
  if (ls_rect_area (r) == 0)
    return;
  for (guint k = 0; k < MIN (NEIGHBOURS, self->damage->len); k++)
    {
      const guint i = self->damage->len - 1 - k;
      const LsRect other = g_array_index (self->damage, LsRect, i), both = ls_rect_join (r, other);
      const gint64 growth = ls_rect_area (both) - ls_rect_area (r) - ls_rect_area (other);

      if (growth <= slack)
        {
          g_array_remove_index (self->damage, i);
          r = both;
          least = G_MAXINT64;
          k = G_MAXUINT; /* once more from the start: the larger one may meet others */
        }
      else if (growth < least)
        {
          least = growth;
          nearest = i;
        }
    }
  if (self->damage->len >= RECTS_MAX && least < G_MAXINT64)
    {
      LsRect *other = &g_array_index (self->damage, LsRect, nearest);
      *other = ls_rect_join (r, *other);
      return;
    }
  g_array_append_val (self->damage, r);
}

/* ---- painting ---- */

static void
paint_found (const LsRaster *self, Layer layer, const LsLayout *layout, cairo_t *cr)
{
  const GArray *found = self->images[layer].found;
  const LsMoment moment = ls_layout_moment (layout);

  if (layer == STILL)
    ls_layout_paint_background (layout, cr);
  ls_paint_items (layer == STILL ? layout->still : layout->moving, cr, &moment,
                  (const guint *) (const void *) found->data, found->len);
}

static guint8 *
pixel_at (guint8 *pixels, gsize stride, gint x, gint y)
{
  return pixels + (gsize) y * stride + 4 * (gsize) x;
}

/* A rectangle's pixels, from its upper left one. */
static void
copy (const guint8 *from, gsize from_stride, guint8 *to, gsize to_stride, LsRect r)
{
  for (gint y = r.y0; y < r.y1; y++, from += from_stride, to += to_stride)
    memcpy (to, from, 4 * (gsize) (r.x1 - r.x0));
}

static void
paint_clipped (LsRaster *self, Layer layer, const LsLayout *layout, cairo_t *cr, LsRect r)
{
  const gsize stride = (gsize) self->stride;
  const double scale = self->scale;
  Image *image = &self->images[layer];

  if (layer == MOVING)
    {
      cairo_surface_flush (image->surface);
      copy (pixel_at (self->images[STILL].pixels, stride, r.x0, r.y0), stride,
            pixel_at (image->pixels, stride, r.x0, r.y0), stride, r);
      cairo_surface_mark_dirty (image->surface);
    }
  cairo_save (cr);
  cairo_rectangle (cr, r.x0 / scale, r.y0 / scale, (r.x1 - r.x0) / scale, (r.y1 - r.y0) / scale);
  cairo_clip (cr);
  paint_found (self, layer, layout, cr);
  cairo_restore (cr);
}

static void
paint_beside (LsRaster *self, Layer layer, const LsLayout *layout, LsRect r, LsRect around)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, around.x1 - around.x0,
                                                         around.y1 - around.y0);
  const gsize stride = (gsize) self->stride, own_stride = (gsize) cairo_image_surface_get_stride (surface);
  guint8 *own = cairo_image_surface_get_data (surface);
  cairo_t *cr;

  if (layer == MOVING)
    copy (pixel_at (self->images[STILL].pixels, stride, around.x0, around.y0), stride, own, own_stride,
          around);
  cairo_surface_mark_dirty (surface);
  cairo_surface_set_device_scale (surface, self->scale, self->scale);
  cairo_surface_set_device_offset (surface, -around.x0, -around.y0);
  cr = cairo_create (surface);
  paint_found (self, layer, layout, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  copy (pixel_at (own, own_stride, r.x0 - around.x0, r.y0 - around.y0), own_stride,
        pixel_at (self->images[layer].pixels, stride, r.x0, r.y0), stride, r);
  cairo_surface_destroy (surface);
}

/* Marks the bricks that the damage meets; returns how many. Nobody's copy of them may change under its
 * hands. */
static guint
touch_bricks (LsRaster *self)
{
  guint n = 0;

  self->serial++;
  for (guint b = 0; b < self->bricks->len; b++)
    {
      LsBrick *brick = &g_array_index (self->bricks, LsBrick, b);
      const LsRect area = { (gint) (brick->x * self->scale), (gint) (brick->y * self->scale),
                            (gint) ((brick->x + brick->w) * self->scale),
                            (gint) ((brick->y + brick->h) * self->scale) };

      for (guint i = 0; brick->serial != self->serial && i < self->damage->len; i++)
        if (ls_rect_meets (area, g_array_index (self->damage, LsRect, i)))
          {
            brick->serial = self->serial;
            cairo_surface_flush (brick->surface);
            cairo_surface_mark_dirty (brick->surface);
            n++;
          }
    }
  return n;
}

/* A curve that must be painted whole is painted once for all damage on it: joins rectangles that lie mostly
 * in what is painted for another one. */
static void
gather (LsRaster *self, Layer layer)
{
  for (guint i = 0; i < self->damage->len; i++)
    {
      LsRect r = g_array_index (self->damage, LsRect, i), around = find (self, layer, r);

      for (guint k = 0; !ls_rect_within (around, r) && k < self->damage->len;)
        {
          const LsRect other = g_array_index (self->damage, LsRect, k);

          if (k == i || 2 * ls_rect_area (ls_rect_common (other, around)) < ls_rect_area (other))
            {
              k++;
              continue;
            }
          g_array_index (self->damage, LsRect, i) = r = ls_rect_join (r, other);
          around = find (self, layer, r);
          g_array_remove_index (self->damage, k);
          i -= k < i;
          k = 0;
        }
    }
}

/* What to paint at once: all that lies round the damage, where it is most of the picture, or many rectangles,
 * each with its own search and clip, that fill a good part of it: a view that is zoomed. An empty one: each
 * by itself. */
static LsRect
together (const LsRaster *self)
{
  LsRect around = { 0, 0, 0, 0 };
  gint64 area = 0;

  for (guint i = 0; i < self->damage->len; i++)
    {
      const LsRect r = g_array_index (self->damage, LsRect, i);
      area += ls_rect_area (r);
      around = i > 0 ? ls_rect_join (around, r) : r;
    }
  if (area > ls_rect_area (whole (self)) * 2 / 3
      || (self->damage->len >= RECTS_MANY && 4 * area > ls_rect_area (around)))
    return around;
  return (LsRect){ 0, 0, 0, 0 };
}

static void
paint_damage (LsRaster *self, Layer layer, const LsLayout *layout)
{
  cairo_t *cr = cairo_create (self->images[layer].surface);
  const LsRect all = together (self);

  if (ls_rect_area (all) > 0)
    {
      g_array_set_size (self->damage, 0);
      g_array_append_val (self->damage, all);
    }
  else
    gather (self, layer);
  for (guint i = 0; i < self->damage->len; i++)
    {
      const LsRect r = g_array_index (self->damage, LsRect, i), around = find (self, layer, r);
      if (ls_rect_within (around, r))
        paint_clipped (self, layer, layout, cr, r);
      else
        paint_beside (self, layer, layout, r, around);
    }
  cairo_destroy (cr);
}

static void
update_still (LsRaster *self, const LsLayout *layout, const LsMoment *moment, gboolean again)
{
  Image *image = &self->images[STILL];
  LsImprint before = image->imprint;

  if (again && self->marks == layout->still->items)
    {
      ls_imprint_move (&image->imprint, layout->still, moment, damage_cb, self);
      return;
    }
  image->imprint = (LsImprint){ 0 };
  ls_imprint_take (&image->imprint, layout->still, moment, self->scale);
  if (again)
    ls_imprint_compare (&before, &image->imprint, damage_cb, self);
  ls_imprint_clear (&before);
  g_clear_pointer (&self->marks, g_array_unref);
  self->marks = g_array_ref (layout->still->items);
  ls_cells_make (&self->cells, &image->imprint, whole (self), CELL * (gint) self->scale);
}

static void
update_moving (LsRaster *self, const LsLayout *layout, const LsMoment *moment, gboolean again)
{
  Image *image = &self->images[MOVING];
  LsImprint before = image->imprint;

  image->imprint = (LsImprint){ 0 };
  ls_imprint_take (&image->imprint, layout->moving, moment, self->scale);
  if (again)
    ls_imprint_compare (&before, &image->imprint, damage_cb, self);
  ls_imprint_clear (&before);
}

guint
ls_raster_update (LsRaster *self, const LsLayout *layout, guint scale)
{
  const LsMoment moment = ls_layout_moment (layout);
  const gboolean again = fits (self, layout, scale);
  guint n;

  g_array_set_size (self->damage, 0);
  if (!again)
    {
      const LsRect all = { 0, 0, G_MAXINT, G_MAXINT };
      make_surfaces (self, layout, scale);
      damage_cb (self, all);
    }
  update_still (self, layout, &moment, again);
  paint_damage (self, STILL, layout);
  update_moving (self, layout, &moment, again); /* adds to the damage */
  if (self->damage->len == 0)
    return 0;
  n = touch_bricks (self);
  paint_damage (self, MOVING, layout);
  return n;
}
