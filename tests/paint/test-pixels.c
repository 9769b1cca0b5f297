/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures against golden ones, pixel for pixel, with pinned font options (grey, no hinting, no hinted
 * metrics: fonts.c) and DejaVu Sans. Only on Debian 12: another Cairo, Pango or font draws other edges. After
 * a wanted change: LOCKSTEP_UPDATE_GOLDEN=1 meson test -C build paint-pixels
 */
#include <cairo.h>
#include <string.h>

#include "draw.h"
#include "states.h"
#include "ui/paint/output/export.h"
#include "ui/paint/views.h"

typedef struct {
  const char *name, *view;
  LsLook look;
  LsFixtureState state;
  gint64 time_ns;
} Picture;

static const Picture pictures[] = {
  { "partition", "partition", LS_LOOK_LIGHT, LS_STATE_LIVE, 60000 },
  { "race-dark", "race", LS_LOOK_DARK, LS_STATE_LIVE, 150000 },
  { "curves-print", "curves", LS_LOOK_PRINT, LS_STATE_RUNS, LS_TIME_END },
  { "failed-projector", "partition", LS_LOOK_PROJECTOR, LS_STATE_FAILED, LS_TIME_END },
};

static gboolean
is_debian_12 (void)
{
  g_autofree char *text = NULL;

  return g_file_get_contents ("/etc/os-release", &text, NULL, NULL) && strstr (text, "\nID=debian") != NULL
         && strstr (text, "\nVERSION_ID=\"12\"") != NULL
         && g_file_test ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", G_FILE_TEST_EXISTS);
}

static LsLayout *
layout_of (const Picture *picture)
{
  const LsFixture f = { LS_CORES (4),   .batch = 64,      .tiles = 32,   .groups = 64,
                        .on_cpu = TRUE, .stealing = TRUE, .fused = TRUE, .steps = 1500 };
  g_autoptr (LsViewData) data = ls_fixture_view (&f, picture->state);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("DejaVu Sans");
  LsQuery query = LS_QUERY_INIT;

  query.op = 1;
  query.chrome = query.key = TRUE;
  query.time_ns = picture->time_ns;
  query.curves.kind = LS_CURVE_LOSS;
  return draw_view_in (fonts, ls_view_find (picture->view), data, &query, picture->look, 960, 600);
}

static char *
path_of (const Picture *picture)
{
  g_autofree char *file = g_strconcat (picture->name, ".png", NULL);

  return g_test_build_filename (G_TEST_DIST, "paint", "golden", file, NULL);
}

/* How many pixels differ; where the first one is. */
static guint
count_differences (cairo_surface_t *a, cairo_surface_t *b, int *x, int *y)
{
  const int w = cairo_image_surface_get_width (a), h = cairo_image_surface_get_height (a);
  guint n = 0;

  g_assert_cmpint (w, ==, cairo_image_surface_get_width (b));
  g_assert_cmpint (h, ==, cairo_image_surface_get_height (b));
  cairo_surface_flush (a);
  cairo_surface_flush (b);
  for (int row = 0; row < h; row++)
    {
      const guint32 *p = (const guint32 *) (const void *) (cairo_image_surface_get_data (a)
                                                           + (gsize) row
                                                               * (gsize) cairo_image_surface_get_stride (a));
      const guint32 *q = (const guint32 *) (const void *) (cairo_image_surface_get_data (b)
                                                           + (gsize) row
                                                               * (gsize) cairo_image_surface_get_stride (b));
      for (int col = 0; col < w; col++)
        if ((p[col] & 0xffffff) != (q[col] & 0xffffff) && n++ == 0)
          {
            *x = col;
            *y = row;
          }
    }
  return n;
}

static void
test_picture (gconstpointer data)
{
  const Picture *picture = data;
  g_autoptr (LsLayout) layout = NULL;
  g_autofree char *path = path_of (picture);
  cairo_surface_t *is, *should;
  guint n;
  int x = 0, y = 0;

  if (!is_debian_12 ())
    {
      g_test_skip ("needs Debian 12 and DejaVu Sans");
      return;
    }
  layout = layout_of (picture);
  is = ls_export_surface (layout, 1);
  if (g_getenv ("LOCKSTEP_UPDATE_GOLDEN") != NULL)
    g_assert_cmpint (cairo_surface_write_to_png (is, path), ==, CAIRO_STATUS_SUCCESS);
  should = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_surface_status (should), ==, CAIRO_STATUS_SUCCESS);
  n = count_differences (is, should, &x, &y);
  if (n > 0)
    {
      g_autofree char *file = g_strdup_printf ("%s-is.png", picture->name);
      g_autofree char *found = g_test_build_filename (G_TEST_BUILT, "paint", file, NULL);
      cairo_surface_write_to_png (is, found);
      g_test_fail_printf ("%u pixels of %s are others, the first at %d, %d; see %s", n, picture->name, x, y,
                          found);
    }
  cairo_surface_destroy (is);
  cairo_surface_destroy (should);
}

/* The comparison itself must see a curve that lies one pixel off, and a tile that does. */
static void
test_catches (void)
{
  static const struct {
    guint picture;
    LsItemKind kind;
  } shifts[] = { { 0, LS_ITEM_TILE }, { 2, LS_ITEM_LINE } };

  if (!is_debian_12 ())
    {
      g_test_skip ("needs Debian 12 and DejaVu Sans");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (shifts); i++)
    {
      g_autoptr (LsLayout) layout = layout_of (&pictures[shifts[i].picture]);
      g_autofree char *path = path_of (&pictures[shifts[i].picture]);
      cairo_surface_t *should = cairo_image_surface_create_from_png (path), *is;
      const LsItem *longest = NULL;
      int x, y;

      for (guint k = 0; k < layout->still->items->len; k++)
        {
          LsItem *item = ls_scene_get (layout->still, k);
          if (item->kind == shifts[i].kind && (longest == NULL || item->n_points > longest->n_points))
            longest = item;
        }
      g_assert_nonnull (longest);
      if (longest->n_points == 0)
        ls_scene_get (layout->still, (guint) (longest - ls_scene_get (layout->still, 0)))->x += 1;
      for (guint k = 0; k < longest->n_points; k++)
        ((float *) (void *) layout->still->points->data)[2 * (longest->points + k)] += 1;
      is = ls_export_surface (layout, 1);
      g_assert_cmpuint (count_differences (is, should, &x, &y), >, 20);
      cairo_surface_destroy (is);
      cairo_surface_destroy (should);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autofree char *path = g_strconcat ("/paint/pixels/", pictures[i].name, NULL);
      g_test_add_data_func (path, &pictures[i], test_picture);
    }
  g_test_add_func ("/paint/pixels/catches", test_catches);
  return g_test_run ();
}
