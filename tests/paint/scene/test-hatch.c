/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is modelled is hatched: the lines that are filled in pixel by pixel against the strokes that go onto
 * paper, at any place, in any size and scale, whole and cut.
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/hatch/lines", test_lines);
  return g_test_run ();
}
