/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kept pixels against painting anew, pixel by pixel, on long walks: times, hovers, picks, filters, ops, data,
 * sizes, looks and scales change at random, alone and together, and blots fall on the picture, which cut
 * whatever they hit and change their order. What an item is said to touch against what painting it does
 * touch.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/output/raster.h"
#include "ui/paint/views.h"

#define STEPS 40
#define BLOTS 6

static const LsFixture fixtures[] = {
  { LS_CORES (2), .batch = 64, .tiles = 64, .groups = 128, .on_cpu = TRUE, .stealing = TRUE, .fused = TRUE,
    .steps = 1240, .values = TRUE },
  { LS_DESK, .batch = 64, .stealing = TRUE, .steps = 40, .values = TRUE },
  { .batch = 64,
    .workers = 24,
    .tiles = 400,
    .groups = 900,
    .known = LS_KNOWN_ORDER,
    .units = 24,
    .stealing = TRUE,
    .steps = 41 },
  { .batch = 64, .workers = 2, .tiles = 16, .groups = 0, .steps = 3 },
};

typedef struct {
  double x, y, w, h;
  LsInk ink;
} Blot;

typedef struct {
  Blot blots[BLOTS];
  LsViewData *data[G_N_ELEMENTS (fixtures)];
  LsFonts *fonts[2];
  LsLayout *layout;
  guint datum, view, look, font, scale;
  gboolean contrast;
  double width, height;
  Asked asked;
} Walk;

static guint
below (guint n)
{
  return (guint) g_test_rand_int_range (0, (gint) n);
}

static void
walk_init (Walk *walk)
{
  *walk = (Walk){ .scale = 1, .width = 960, .height = 600, .asked = ASKED_INIT };
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    walk->data[i] = ls_fixture_data (&fixtures[i]);
  walk->fonts[0] = ls_fonts_new ("Sans");
  walk->fonts[1] = ls_fonts_new (NULL);
}

static void
walk_clear (Walk *walk)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    ls_view_data_unref (walk->data[i]);
  ls_fonts_unref (walk->fonts[0]);
  ls_fonts_unref (walk->fonts[1]);
  ls_layout_free (walk->layout);
}

/* Some of the blots, in any order. */
static void
blot (const Walk *walk, LsScene *scene)
{
  const guint first = below (BLOTS), step = below (2) == 0 ? 1 : BLOTS - 1;

  for (guint i = 0; i < BLOTS; i++)
    {
      const Blot *b = &walk->blots[(first + i * step) % BLOTS];
      if (below (3) > 0)
        ls_scene_box (scene, b->x * walk->width, b->y * walk->height, b->w, b->h, b->ink, 0)->alpha = .7f;
    }
}

/* They overlap, some in the middle of a pixel. */
static void
new_blots (Walk *walk)
{
  const double x = .9 * g_test_rand_double (), y = .9 * g_test_rand_double ();

  for (guint i = 0; i < BLOTS; i++)
    walk->blots[i] = (Blot){ x + .03 * g_test_rand_double (), y + .03 * g_test_rand_double (),
                             3 + 40 * g_test_rand_double (), 3 + 40 * g_test_rand_double (),
                             (LsInk) (LS_INK_TEXT + i) };
}

static void
lay_out (Walk *walk)
{
  const LsView *const *views;
  LsStyle style;
  guint n;

  views = ls_views (&n);
  ls_style_init (&style, (LsLook) walk->look, 1);
  ls_style_set_contrast (&style, walk->contrast);
  ls_layout_free (walk->layout);
  walk->layout = ls_layout_new (views[walk->view % n], walk->data[walk->datum],
                                asked_of (&walk->asked, views[walk->view % n]), walk->width, walk->height,
                                &style, walk->fonts[walk->font]);
  blot (walk, walk->layout->still);
}

/* A step of the walk: mostly the time, sometimes everything. */
static void
step (Walk *walk)
{
  static const double sizes[][2] = { { 960, 600 }, { 1000, 777 }, { 1280, 800 }, { 333.5, 421 } };
  const LsRecording *recording = walk->data[walk->datum]->recording;
  LsQuery *query = &walk->asked.query;
  const guint what = below (16);

  if (what < 9)
    {
      query->time_ns = below (8) == 0   ? LS_TIME_END
                       : below (3) == 0 ? query->time_ns / 2 + (gint64) below (2000)
                                        : (gint64) (g_test_rand_double () * (double) walk->layout->span_ns);
      if (below (3) == 0)
        query->hover = ls_layout_pick (walk->layout, below ((guint) walk->width),
                                       below ((guint) walk->height));
      if (below (4) == 0)
        query->picked = ls_layout_pick (walk->layout, below ((guint) walk->width),
                                        below ((guint) walk->height));
      if (below (4) == 0)
        query->curves.cursor = ls_layout_step_at (walk->layout, below ((guint) walk->width),
                                                  below ((guint) walk->height));
      if (below (6) == 0)
        query->worker = (gint) below (4) - 1;
      if (below (6) == 0)
        query->evidence = (gint) below (5) - 1;
      ls_layout_move (walk->layout, query);
      blot (walk, walk->layout->moving);
      return;
    }
  if (below (2) == 0)
    new_blots (walk);
  if (below (4) > 0) /* another moment of a layout that is made anew */
    query->time_ns = (gint64) (g_test_rand_double () * (double) walk->layout->span_ns);
  query->hover = query->picked = LS_PICK_NONE;
  walk->asked.network.sample = (gint) below (64);
  walk->asked.network.layer = (gint) below (3);
  walk->asked.network.unit = (gint) below (128);
  if (what >= 11)
    query->op = below (recording->n_ops);
  if (what >= 12)
    walk->datum = below (G_N_ELEMENTS (fixtures));
  query->op = MIN (query->op, walk->data[walk->datum]->recording->n_ops - 1);
  if (what == 12)
    query->chrome = query->key = !query->chrome;
  if (what >= 13)
    walk->view = below (6);
  if (what == 14)
    {
      const guint size = below (G_N_ELEMENTS (sizes));
      walk->width = sizes[size][0];
      walk->height = sizes[size][1];
    }
  if (what == 15)
    {
      walk->look = below (LS_LOOK_N);
      walk->contrast = below (3) == 0;
      walk->font = below (2);
      walk->scale = 1 + below (2);
    }
  lay_out (walk);
}

static cairo_surface_t *
paint_anew (const LsLayout *layout, guint scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (
    CAIRO_FORMAT_RGB24, (int) (layout->width * scale + .5), (int) (layout->height * scale + .5));
  cairo_t *cr;

  cairo_surface_set_device_scale (surface, scale, scale);
  cr = cairo_create (surface);
  ls_layout_paint_still (layout, cr);
  ls_layout_paint_moving (layout, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* The first pixel in which the bricks differ from the picture, or the pixels that no brick has; NULL:
 * none. */
static char *
difference (LsRaster *raster, cairo_surface_t *should, guint scale)
{
  gint64 pixels = (gint64) cairo_image_surface_get_width (should) * cairo_image_surface_get_height (should);
  guint n;
  const LsBrick *bricks = ls_raster_bricks (raster, &n);

  for (guint b = 0; b < n; b++)
    {
      const gint left = (gint) round (bricks[b].x * scale), top = (gint) round (bricks[b].y * scale);
      const gint w = cairo_image_surface_get_width (bricks[b].surface),
                 h = cairo_image_surface_get_height (bricks[b].surface);

      g_assert_cmpint (cairo_image_surface_get_format (bricks[b].surface), ==, CAIRO_FORMAT_RGB24);
      g_assert_cmpint (w, ==, (gint) round (bricks[b].w * scale));
      pixels -= (gint64) w * h;
      for (gint y = 0; y < h; y++)
        for (gint x = 0; x < w; x++)
          if (pixel_at (bricks[b].surface, x, y) != pixel_at (should, left + x, top + y))
            return g_strdup_printf ("at %d, %d: %06x, should be %06x", left + x, top + y,
                                    pixel_at (bricks[b].surface, x, y), pixel_at (should, left + x, top + y));
    }
  return pixels == 0 ? NULL : g_strdup ("the bricks don't cover the picture");
}

typedef struct {
  guint64 serial, sum; /* of its pixels */
} Known;

/* A brick whose serial stayed has the pixels it had: who shows it doesn't look again. */
static guint
check_serials (LsRaster *raster, GArray *known)
{
  guint n, changed = 0;
  const LsBrick *bricks = ls_raster_bricks (raster, &n);

  if (known->len != n)
    g_array_set_size (known, 0);
  for (guint b = 0; b < n; b++)
    {
      Known is = { bricks[b].serial, 0 };

      const gint w = cairo_image_surface_get_width (bricks[b].surface),
                 h = cairo_image_surface_get_height (bricks[b].surface),
                 stride = cairo_image_surface_get_stride (bricks[b].surface);
      const guint8 *pixels = cairo_image_surface_get_data (bricks[b].surface);
      for (gint y = 0; y < h; y++)
        {
          const guint32 *row = (const guint32 *) (const void *) (pixels + (gssize) y * stride);
          for (gint x = 0; x < w; x++)
            is.sum = (is.sum ^ (row[x] & 0xffffff)) * 1099511628211u;
        }
      if (b == known->len)
        {
          g_array_append_val (known, is);
          changed++;
          continue;
        }
      Known *was = &g_array_index (known, Known, b);
      if (is.serial == was->serial && is.sum != was->sum)
        g_error ("the pixels at %g, %g, of %g×%g, are others, and nobody is told", bricks[b].x, bricks[b].y,
                 bricks[b].w, bricks[b].h);
      changed += is.serial != was->serial;
      *was = is;
    }
  return changed;
}

static void
test_walk (gconstpointer user_data)
{
  g_autoptr (LsRaster) raster = ls_raster_new ();
  g_autoptr (GArray) serials = g_array_new (FALSE, FALSE, sizeof (Known));
  Walk walk;

  walk_init (&walk);
  new_blots (&walk);
  walk.view = GPOINTER_TO_UINT (user_data);
  lay_out (&walk);
  for (guint i = 0; i < STEPS; i++)
    {
      const guint changed = ls_raster_update (raster, walk.layout, walk.scale);
      cairo_surface_t *should = paint_anew (walk.layout, walk.scale);
      g_autofree char *what = difference (raster, should, walk.scale);

      if (what != NULL)
        g_error ("step %u, %s of data %u, %gx%g, %s, scale %u, time %" G_GINT64_FORMAT ": %s", i,
                 walk.layout->view->name, walk.datum, walk.width, walk.height,
                 ls_look_name (walk.layout->style.look), walk.scale, walk.asked.query.time_ns, what);
      g_assert_cmpuint (check_serials (raster, serials), ==, changed);
      g_assert_cmpuint (ls_raster_update (raster, walk.layout, walk.scale), ==, 0);
      cairo_surface_destroy (should);
      step (&walk);
    }
  walk_clear (&walk);
}

/* Paints one item on nothing: is there ink outside of what it is said to touch, or none where it is said to
 * be seen? */
static void
check_item (const LsLayout *layout, const LsScene *scene, guint i, const LsMoment *moment,
            cairo_surface_t *surface)
{
  const LsItem *item = ls_scene_get (scene, i);
  const LsExtent extent = ls_paint_extent (scene, item);
  const gint w = cairo_image_surface_get_width (surface), h = cairo_image_surface_get_height (surface);
  const gint stride = cairo_image_surface_get_stride (surface);
  guint8 *data = cairo_image_surface_get_data (surface);
  cairo_t *cr = cairo_create (surface);
  guint inside = 0;

  ls_paint_items (scene, cr, moment, &i, 1);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (gint y = 0; y < h; y++)
    {
      guint32 *row = (guint32 *) (void *) (data + (gssize) y * stride);
      for (gint x = 0; x < w; x++)
        {
          if (row[x] == 0)
            continue;
          inside++;
          if (x < floor (extent.left) || x >= ceil (extent.right) || y < floor (extent.top)
              || y >= ceil (extent.bottom))
            g_error (
              "%s: item %u of kind %u %s paints at %d, %d, but says it touches %.2f … %.2f, %.2f … %.2f only",
              layout->view->name, i, item->kind, item->text != NULL ? item->text : "", x, y, extent.left,
              extent.right, extent.top, extent.bottom);
        }
      memset (row, 0, 4 * (gsize) w);
    }
  cairo_surface_mark_dirty (surface);
  if (ls_paint_look (item, moment) == 0)
    g_assert_cmpuint (inside, ==, 0);
}

static void
test_extents (void)
{
  Walk walk;

  walk_init (&walk);
  lay_out (&walk);
  for (guint round = 0; round < 6; round++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 960, 600);

      walk.view = round;
      walk.look = (round + 1) % LS_LOOK_N;
      walk.datum = round % 2;
      walk.asked.query.op = 1;
      walk.asked.query.chrome = walk.asked.query.key = round % 2 == 0;
      lay_out (&walk);
      walk.asked.query.time_ns = round == 0 ? LS_TIME_END : walk.layout->span_ns / 2;
      walk.asked.query.hover = ls_layout_neighbour (walk.layout, LS_PICK_NONE, 0, 0);
      ls_layout_move (walk.layout, &walk.asked.query);
      const LsMoment moment = ls_layout_moment (walk.layout);
      for (guint i = 0; i < walk.layout->still->items->len; i++)
        check_item (walk.layout, walk.layout->still, i, &moment, surface);
      for (guint i = 0; i < walk.layout->moving->items->len; i++)
        check_item (walk.layout, walk.layout->moving, i, &moment, surface);
      cairo_surface_destroy (surface);
    }
  walk_clear (&walk);
}

/* Curves that cross where something changes, long ones and then a short one: each of them is as if it had
 * been painted whole, however far it reaches. */
static void
test_crossing (void)
{
  const guint n_long = 24;
  const double mid_x = 411, mid_y = 305;
  Walk walk;

  walk_init (&walk);
  for (guint short_first = 0; short_first < 2; short_first++)
    {
      g_autoptr (LsRaster) raster = ls_raster_new ();

      for (guint there = 0; there < 2; there++)
        {
          lay_out (&walk);
          for (guint k = 0; k <= n_long; k++)
            {
              const double angle = G_PI * (k + .37) / n_long,
                           reach = k == (short_first ? 0 : n_long) ? 22 : 290;
              ls_scene_segment (walk.layout->still, mid_x - reach * cos (angle), mid_y - reach * sin (angle),
                                mid_x + reach * cos (angle), mid_y + reach * sin (angle), LS_INK_TEXT, 1.5);
            }
          if (there > 0)
            ls_scene_box (walk.layout->still, mid_x - 15, mid_y - 15, 30, 30, LS_INK_LANE, 0)->alpha = .3f;
          ls_raster_update (raster, walk.layout, 1);
        }
      cairo_surface_t *should = paint_anew (walk.layout, 1);
      g_autofree char *what = difference (raster, should, 1);
      if (what != NULL)
        g_error ("a box came where %u curves cross, the short one %s: %s", n_long + 1,
                 short_first ? "first" : "last", what);
      cairo_surface_destroy (should);
    }
  walk_clear (&walk);
}

/* A tile that is done, or a number in a head, must not cost the picture. */
static void
test_few (void)
{
  g_autoptr (LsRaster) raster = ls_raster_new ();
  guint all, n;
  Walk walk;

  walk_init (&walk);
  walk.asked.query.op = 1;
  walk.asked.query.time_ns = 0;
  walk.width = 1920;
  walk.height = 1080;
  walk.datum = 1;
  lay_out (&walk);
  ls_raster_update (raster, walk.layout, 1);
  ls_raster_bricks (raster, &all);
  for (walk.asked.query.time_ns = 0; walk.asked.query.time_ns < walk.layout->span_ns;
       walk.asked.query.time_ns += walk.layout->span_ns / 50)
    {
      ls_layout_move (walk.layout, &walk.asked.query);
      n = ls_raster_update (raster, walk.layout, 1);
      g_assert_cmpuint (n, <, all * 2 / 5);
    }
  walk.data[1]->sides[0].loss.value += .001;
  lay_out (&walk);
  n = ls_raster_update (raster, walk.layout, 1);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, all / 10);
  walk_clear (&walk);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *path = g_strdup_printf ("/paint/raster/walk/%u", i);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_walk);
    }
  g_test_add_func ("/paint/raster/extents", test_extents);
  g_test_add_func ("/paint/raster/few", test_few);
  g_test_add_func ("/paint/raster/crossing", test_crossing);
  return g_test_run ();
}
