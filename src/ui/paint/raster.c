/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One image holds the picture; the bricks are windows on its memory. An update collects damaged rectangles and paints the
 * items that meet them, from the background up. Clipping is exact for what runs along or across, but a slanted shape that
 * is cut gets other edges, which Cairo samples differently: such shapes are painted whole, beside, and the part is copied.
 */
#include "ui/paint/raster.h"

#include <math.h>
#include <string.h>

#include "ui/paint/cells.h"

#define CELL        64   /* px */
#define JOIN_AREA 1024   /* px²: painting this much costs about as much as one more rectangle */
#define RECTS_MAX  160
#define NEIGHBOURS   8   /* rectangles that a new one is joined with, if that is cheap */

struct _LsRaster {
  guint8 *pixels;              /* reference-counted: bricks hold it too */
  cairo_surface_t *surface;
  gint width, height, stride;  /* device pixels */
  double layout_w, layout_h;
  guint scale;
  LsStyle style;
  LsFonts *fonts;
  GArray *marks;               /* the still scene's list that was painted: by it the same layout is known again */
  LsImprint still, moving;
  LsCells cells;               /* of the still items */
  GArray *damage;              /* LsRect */
  GArray *found[2];            /* positions of still and moving items in the rectangle in work */
  GArray *bricks;              /* LsBrick */
  guint64 serial;
};

LsRaster *
ls_raster_new (void)
{
  LsRaster *self = g_new0 (LsRaster, 1);

  self->damage = g_array_new (FALSE, FALSE, sizeof (LsRect));
  self->bricks = g_array_new (FALSE, FALSE, sizeof (LsBrick));
  for (guint i = 0; i < G_N_ELEMENTS (self->found); i++)
    self->found[i] = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

static void
clear_surfaces (LsRaster *self)
{
  for (guint i = 0; i < self->bricks->len; i++)
    cairo_surface_destroy (g_array_index (self->bricks, LsBrick, i).surface);
  g_array_set_size (self->bricks, 0);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  g_clear_pointer (&self->pixels, g_atomic_rc_box_release);
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
  ls_imprint_clear (&self->still);
  ls_imprint_clear (&self->moving);
  g_array_unref (self->damage);
  g_array_unref (self->bricks);
  for (guint i = 0; i < G_N_ELEMENTS (self->found); i++)
    g_array_unref (self->found[i]);
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
same_style (const LsStyle *a, const LsStyle *b)
{
  return a->look == b->look && a->palette == b->palette && a->text_scale == b->text_scale && a->hairline == b->hairline
         && a->edge == b->edge && a->data == b->data && a->underlay == b->underlay && a->picked == b->picked
         && a->dashed == b->dashed && a->contrast == b->contrast;
}

static gboolean
fits (const LsRaster *self, const LsLayout *layout, guint scale)
{
  return self->surface != NULL && self->scale == scale && self->layout_w == layout->width && self->layout_h == layout->height
         && self->fonts == layout->fonts && same_style (&self->style, &layout->style);
}

static void
add_brick (LsRaster *self, gint x, gint y)
{
  static const cairo_user_data_key_t key;
  const gint w = MIN (LS_BRICK_W * (gint) self->scale, self->width - x), h = MIN (LS_BRICK_H * (gint) self->scale, self->height - y);
  guint8 *first = self->pixels + (gsize) y * (gsize) self->stride + 4 * (gsize) x;
  LsBrick brick = { .x = (double) x / self->scale, .y = (double) y / self->scale, .w = (double) w / self->scale,
                    .h = (double) h / self->scale };

  brick.surface = cairo_image_surface_create_for_data (first, CAIRO_FORMAT_RGB24, w, h, self->stride);
  cairo_surface_set_device_scale (brick.surface, self->scale, self->scale);
  cairo_surface_set_user_data (brick.surface, &key, g_atomic_rc_box_acquire (self->pixels), g_atomic_rc_box_release);
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
  self->pixels = g_atomic_rc_box_alloc0 ((gsize) self->stride * (gsize) self->height);
  self->surface = cairo_image_surface_create_for_data (self->pixels, CAIRO_FORMAT_RGB24, self->width, self->height, self->stride);
  cairo_surface_set_device_scale (self->surface, scale, scale);
  for (gint y = 0; y < self->height; y += LS_BRICK_H * (gint) scale)
    for (gint x = 0; x < self->width; x += LS_BRICK_W * (gint) scale)
      add_brick (self, x, y);
}

static LsRect
whole (const LsRaster *self)
{
  return (LsRect){ 0, 0, self->width, self->height };
}

/* The items in the rectangle; returns what must be painted so that none of them is cut that may not be. */
static LsRect
find (LsRaster *self, LsRect r)
{
  const LsImprint *imprints[] = { &self->still, &self->moving };
  LsRect around = r;

  g_array_set_size (self->found[0], 0);
  g_array_set_size (self->found[1], 0);
  ls_cells_find (&self->cells, &self->still, r, self->found[0]);
  for (guint i = 0; i < self->moving.n; i++)
    if (ls_rect_meets (self->moving.items[i].rect, r))
      g_array_append_val (self->found[1], i);
  for (guint scene = 0; scene < G_N_ELEMENTS (imprints); scene++)
    for (guint i = 0; i < self->found[scene]->len; i++)
      {
        const LsImprintItem *item = &imprints[scene]->items[g_array_index (self->found[scene], guint, i)];
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
paint_found (const LsRaster *self, const LsLayout *layout, cairo_t *cr)
{
  ls_layout_paint_items (layout, cr, (const guint *) (const void *) self->found[0]->data, self->found[0]->len,
                         (const guint *) (const void *) self->found[1]->data, self->found[1]->len);
}

static void
paint_clipped (LsRaster *self, const LsLayout *layout, cairo_t *cr, LsRect r)
{
  const double scale = self->scale;

  cairo_save (cr);
  cairo_rectangle (cr, r.x0 / scale, r.y0 / scale, (r.x1 - r.x0) / scale, (r.y1 - r.y0) / scale);
  cairo_clip (cr);
  paint_found (self, layout, cr);
  cairo_restore (cr);
}

static void
paint_beside (LsRaster *self, const LsLayout *layout, LsRect r, LsRect around)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, around.x1 - around.x0, around.y1 - around.y0);
  const guint8 *from = cairo_image_surface_get_data (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface), to_stride = (gsize) self->stride;
  cairo_t *cr;

  cairo_surface_set_device_scale (surface, self->scale, self->scale);
  cairo_surface_set_device_offset (surface, -around.x0, -around.y0);
  cr = cairo_create (surface);
  paint_found (self, layout, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  from += (gsize) (r.y0 - around.y0) * stride + 4 * (gsize) (r.x0 - around.x0);
  for (gsize y = (gsize) r.y0; y < (gsize) r.y1; y++, from += stride)
    memcpy (self->pixels + y * to_stride + 4 * (gsize) r.x0, from, 4 * (gsize) (r.x1 - r.x0));
  cairo_surface_destroy (surface);
}

/* Marks the bricks that the damage meets; returns how many. Nobody's copy of them may change under its hands. */
static guint
touch_bricks (LsRaster *self)
{
  guint n = 0;

  self->serial++;
  for (guint b = 0; b < self->bricks->len; b++)
    {
      LsBrick *brick = &g_array_index (self->bricks, LsBrick, b);
      const LsRect area = { (gint) (brick->x * self->scale), (gint) (brick->y * self->scale),
                            (gint) ((brick->x + brick->w) * self->scale), (gint) ((brick->y + brick->h) * self->scale) };

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

/* A curve that must be painted whole is painted once for all damage on it: joins rectangles that lie mostly in what is
 * painted for another one. */
static void
gather (LsRaster *self)
{
  for (guint i = 0; i < self->damage->len; i++)
    {
      LsRect r = g_array_index (self->damage, LsRect, i), around = find (self, r);

      for (guint k = 0; !ls_rect_within (around, r) && k < self->damage->len;)
        {
          const LsRect other = g_array_index (self->damage, LsRect, k);

          if (k == i || 2 * ls_rect_area (ls_rect_common (other, around)) < ls_rect_area (other))
            {
              k++;
              continue;
            }
          g_array_index (self->damage, LsRect, i) = r = ls_rect_join (r, other);
          around = find (self, r);
          g_array_remove_index (self->damage, k);
          i -= k < i;
          k = 0;
        }
    }
}

static void
paint_damage (LsRaster *self, const LsLayout *layout)
{
  cairo_t *cr = cairo_create (self->surface);
  gint64 area = 0;

  for (guint i = 0; i < self->damage->len; i++)
    area += ls_rect_area (g_array_index (self->damage, LsRect, i));
  if (area > ls_rect_area (whole (self)) * 2 / 3)
    {
      ls_layout_paint_still (layout, cr);
      ls_layout_paint_moving (layout, cr);
    }
  else
    for (guint i = 0; i < self->damage->len; i++)
      {
        const LsRect r = g_array_index (self->damage, LsRect, i), around = find (self, r);
        if (ls_rect_within (around, r))
          paint_clipped (self, layout, cr, r);
        else
          paint_beside (self, layout, r, around);
      }
  cairo_destroy (cr);
}

static void
take_still (LsRaster *self, const LsLayout *layout, const LsMoment *moment, gboolean compare)
{
  LsImprint before = self->still;

  self->still = (LsImprint){ 0 };
  ls_imprint_take (&self->still, layout->still, moment, self->scale);
  if (compare)
    ls_imprint_compare (&before, &self->still, damage_cb, self);
  ls_imprint_clear (&before);
  g_clear_pointer (&self->marks, g_array_unref);
  self->marks = g_array_ref (layout->still->items);
  ls_cells_make (&self->cells, &self->still, whole (self), CELL * (gint) self->scale);
}

guint
ls_raster_update (LsRaster *self, const LsLayout *layout, guint scale)
{
  const LsMoment moment = ls_layout_moment (layout);
  const gboolean again = fits (self, layout, scale);
  LsImprint before = self->moving;

  g_array_set_size (self->damage, 0);
  if (!again)
    {
      const LsRect all = { 0, 0, G_MAXINT, G_MAXINT };
      make_surfaces (self, layout, scale);
      damage_cb (self, all);
    }
  if (again && self->marks == layout->still->items)
    ls_imprint_move (&self->still, layout->still, &moment, damage_cb, self);
  else
    take_still (self, layout, &moment, again);
  self->moving = (LsImprint){ 0 };
  ls_imprint_take (&self->moving, layout->moving, &moment, scale);
  if (again)
    ls_imprint_compare (&before, &self->moving, damage_cb, self);
  ls_imprint_clear (&before);
  if (self->damage->len == 0)
    return 0;
  gather (self);
  const guint n = touch_bricks (self);
  paint_damage (self, layout);
  return n;
}
