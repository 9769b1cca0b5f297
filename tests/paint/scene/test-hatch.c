/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is modelled is hatched: the lines that are filled in pixel by pixel against the strokes that go onto
 * paper, at any place, in any size and scale, whole and cut; and matrices on both.
 */
#include "ui/paint/scene/paint.h"

#include <math.h>

#define EDGE 96 /* px of the picture */

static cairo_surface_t *
picture (const LsScene *scene, double scale, gboolean strokes)
{
  const gint edge = (gint) (EDGE * scale);
  cairo_surface_t *pixels = cairo_image_surface_create (CAIRO_FORMAT_RGB24, edge, edge), *record = NULL;
  const LsMoment moment = { .time_ns = LS_TIME_END, .worker = -1, .evidence = -1 };
  cairo_t *cr;

  cairo_surface_set_device_scale (pixels, scale, scale);
  cr = cairo_create (pixels);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  if (strokes)
    {
      cairo_t *paper;
      record = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
      paper = cairo_create (record);
      ls_paint_scene (scene, paper, &moment);
      cairo_destroy (paper);
      cairo_set_source_surface (cr, record, 0, 0);
      cairo_paint (cr);
      cairo_surface_destroy (record);
    }
  else
    ls_paint_scene (scene, cr, &moment);
  cairo_destroy (cr);
  cairo_surface_flush (pixels);
  return pixels;
}

/* How many pixels differ by more than a quarter of 255, and by how much in the mean. */
static guint
differ (cairo_surface_t *a, cairo_surface_t *b, double *mean)
{
  const gint w = cairo_image_surface_get_width (a), h = cairo_image_surface_get_height (a),
             stride = cairo_image_surface_get_stride (a);
  const guint8 *one = cairo_image_surface_get_data (a), *other = cairo_image_surface_get_data (b);
  guint far = 0;

  *mean = 0;
  for (gint y = 0; y < h; y++)
    for (gint x = 0; x < w; x++)
      {
        const gint by = ABS (one[y * stride + 4 * x] - other[y * stride + 4 * x]);
        far += by > 64;
        *mean += by;
      }
  *mean /= w * h;
  return far;
}

static void
test_lines (void)
{
  static const double sizes[][2]
    = { { 60, 40 }, { 60, 22 }, { 61.3, 24.6 }, { 30, 7 }, { 5, 60 }, { 1, 20 } },
    scales[] = { 1, 2 };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint shift = 0; shift < 9; shift++)
      for (gsize k = 0; k < G_N_ELEMENTS (scales); k++)
        {
          LsScene *scene = ls_scene_new (fonts, &style);
          cairo_surface_t *pixels, *strokes;
          double mean;

          ls_scene_mark (scene, LS_ITEM_HATCH, 8 + shift * .37, 9 + shift * .61, sizes[s][0], sizes[s][1],
                         LS_INK_TEXT, 0);
          pixels = picture (scene, scales[k], FALSE);
          strokes = picture (scene, scales[k], TRUE);
          /* in its corners a stroke's end is cut off */
          const guint far = differ (pixels, strokes, &mean);
          if (far > 4 || mean > 1)
            g_error (
              "%g×%g at %g, scale %g: %u pixels are far from the stroked lines, the mean by %.2f of 255",
              sizes[s][0], sizes[s][1], 8 + shift * .37, scales[k], far, mean);
          cairo_surface_destroy (pixels);
          cairo_surface_destroy (strokes);
          ls_scene_free (scene);
        }
}

/* A matrix of values fills its place on paper as it does on a screen, whatever its rows and columns. */
static void
test_matrix (void)
{
  static const guint shapes[][2] = { { 3, 5 }, { 5, 3 }, { 1, 6 }, { 4, 4 } }; /* columns, rows */
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  float values[30];
  LsStyle style;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = (float) (i % 7);
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      LsScene *scene = ls_scene_new (fonts, &style);
      cairo_surface_t *pixels, *paper;
      double mean;

      ls_scene_image (scene, 8, 10, 60, 60, LS_INK_TEXT, values, shapes[i][0], shapes[i][1], 6);
      pixels = picture (scene, 1, FALSE);
      paper = picture (scene, 1, TRUE);
      const guint far = differ (pixels, paper, &mean);
      /* edges of cells may lie within a pixel */
      if (far > 120 || mean > 6)
        g_error ("a matrix of %u columns and %u rows: %u pixels are far from those on paper, the mean by "
                 "%.2f of 255",
                 shapes[i][0], shapes[i][1], far, mean);
      cairo_surface_destroy (pixels);
      cairo_surface_destroy (paper);
      ls_scene_free (scene);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/hatch/lines", test_lines);
  g_test_add_func ("/paint/hatch/matrix", test_matrix);
  return g_test_run ();
}
