/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fill of a mark says of how it is known, and what lines, points, frames and ramps look like; where
 * they are, and which of them a pointer means.
 */
#include "marks.h"

#include <string.h>

/* ---- how it is known ---- */

/* Solid is measured, hollow derived, hatched modelled, dotted published. */
static void
test_evidence (void)
{
  for (guint e = LS_EVIDENCE_MEASURED; e <= LS_EVIDENCE_PUBLISHED; e++)
    {
      const LsColor text = ink (LS_INK_TEXT, 0);
      LsScene *scene = ls_scene_new (fonts, &style);
      guint inside = 0, edge = 0;
      cairo_surface_t *surface;

      ls_scene_evidence (scene, 10, 10, 40, (LsEvidence) e, LS_INK_TEXT);
      surface = painted (scene, at_time (LS_TIME_END));
      for (gint y = 18; y < 42; y++)
        for (gint x = 18; x < 42; x++)
          inside += !is (pixel_at (surface, x, y), ground);
      for (gint x = 20; x < 40; x++)
        edge += is (pixel_at (surface, x, 12), text) + is (pixel_at (surface, 12, x), text)
                + is (pixel_at (surface, x, 47), text) + is (pixel_at (surface, 47, x), text);
      const gboolean hatched = inside > 576 * .15 && inside<576 * .85, dashed = edge> 80 * .2
                               && edge < 80 * .8;
      g_test_message ("evidence %u: %u of 576 inside, %u of 80 at the edge", e, inside, edge);
      g_assert_cmpint (inside == 576, ==, e == LS_EVIDENCE_MEASURED);
      g_assert_cmpint (hatched, ==, e == LS_EVIDENCE_MODELLED);
      g_assert_cmpint (inside == 0, ==, e == LS_EVIDENCE_DERIVED || e == LS_EVIDENCE_PUBLISHED);
      g_assert_cmpint (edge == 80, ==, e != LS_EVIDENCE_PUBLISHED);
      g_assert_cmpint (dashed, ==, e == LS_EVIDENCE_PUBLISHED);
      cairo_surface_destroy (surface);
    }
}

/* The same of marks of data, and each kind says how it is known without being told. */
static void
test_fills (void)
{
  static const struct {
    LsItemKind kind;
    guint8 evidence;
  } kinds[] = {
    { LS_ITEM_TILE, LS_EVIDENCE_MEASURED },
    { LS_ITEM_BAR, LS_EVIDENCE_MEASURED },
    { LS_ITEM_WAIT, LS_EVIDENCE_MEASURED },
    { LS_ITEM_HOLLOW, LS_EVIDENCE_DERIVED },
    { LS_ITEM_HATCH, LS_EVIDENCE_MODELLED },
    { LS_ITEM_DOTTED, LS_EVIDENCE_PUBLISHED },
    { LS_ITEM_BOX, LS_NO_VALUE },
    { LS_ITEM_FRAME, LS_NO_VALUE },
  };
  const LsColor text = ink (LS_INK_TEXT, 0);
  LsScene *scene;
  cairo_surface_t *surface;
  guint lines = 0;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_assert_cmpuint (begin (&scene, kinds[i].kind, 20, 20, LS_INK_TEXT, 0)->evidence, ==,
                        kinds[i].evidence);
      ls_scene_free (scene);
    }
  /* hollow: an edge of its width, and the view's colour over what lies below */
  begin (&scene, LS_ITEM_HOLLOW, 40, 30, LS_INK_TEXT, 0)->size = 3;
  surface = painted (scene, at_time (LS_TIME_END));
  g_assert_cmpuint (count_row (surface, 25, text), ==, 6);
  g_assert_cmpuint (count_column (surface, 30, text), ==, 6);
  g_assert_cmpuint (count_row (surface, 25, style.palette->view), ==, 34);
  cairo_surface_destroy (surface);
  /* dotted: gaps in the edge, and nothing inside */
  begin (&scene, LS_ITEM_DOTTED, 40, 30, LS_INK_TEXT, 0)->size = 3;
  surface = painted (scene, at_time (LS_TIME_END));
  assert_pixel (surface, 30, 25, ground, "within dots");
  g_assert_cmpuint (count_row (surface, 11, text), >, 8);
  g_assert_cmpuint (count_row (surface, 11, text), <, 32);
  cairo_surface_destroy (surface);
  /* hatched: slanted lines, rising to the right */
  begin (&scene, LS_ITEM_HATCH, 42, 42, LS_INK_TEXT, 0);
  surface = painted (scene, at_time (LS_TIME_END));
  for (gint x = 16; x < 46; x++)
    {
      lines += is (pixel_at (surface, x, 30), ground) && !is (pixel_at (surface, x + 1, 30), ground);
      g_assert_cmpint (is (pixel_at (surface, x, 30), ground), ==,
                       is (pixel_at (surface, x - 1, 31), ground));
    }
  g_assert_cmpuint (lines, >=, 4); /* 7 px apart in 30 */
  g_assert_cmpuint (lines, <=, 5);
  cairo_surface_destroy (surface);
}

/* ---- points and lines ---- */

static void
test_points (void)
{
  const LsColor text = ink (LS_INK_TEXT, 0);
  LsScene *scene = ls_scene_new (fonts, &style);
  cairo_surface_t *surface;

  /* a ring is empty, and as wide as it is said to be */
  ls_scene_path (scene, LS_ITEM_RINGS, LS_INK_TEXT, 0, 20);
  ls_scene_point (scene, 32, 32);
  surface = painted (scene, at_time (LS_TIME_END));
  assert_pixel (surface, 32, 32, style.palette->view, "within a ring");
  assert_pixel (surface, 31, 23, text, "a ring");
  assert_pixel (surface, 31, 20, ground, "above a ring");
  g_assert_cmpuint (EDGE - count_row (surface, 31, ground), ==, 20);
  cairo_surface_destroy (surface);
  /* a dot is full; also the smallest */
  for (guint i = 0; i < 2; i++)
    {
      scene = ls_scene_new (fonts, &style);
      ls_scene_path (scene, LS_ITEM_DOTS, LS_INK_TEXT, 0, i == 0 ? 20 : 2.26);
      ls_scene_point (scene, 32, 32);
      surface = painted (scene, at_time (LS_TIME_END));
      assert_pixel (surface, 32, 32, text, "a dot");
      g_assert_cmpuint (EDGE - count_row (surface, 31, ground), ==, i == 0 ? 20 : 2); /* as much as the circle
                                                                                       */
      cairo_surface_destroy (surface);
    }
  /* a guide is dashed, 7 on, 4 off, from its first point on */
  scene = ls_scene_new (fonts, &style);
  ls_scene_path (scene, LS_ITEM_GUIDE, LS_INK_TEXT, 0, 2);
  ls_scene_point (scene, 5, 32);
  ls_scene_point (scene, 60, 32);
  surface = painted (scene, at_time (LS_TIME_END));
  for (gint x = 5; x < 60; x++)
    assert_pixel (surface, x, 31, (x - 5) % 11 < 7 ? text : ground, "a guide");
  cairo_surface_destroy (surface);
}

/* The lanes' lines: those of the two on stage are whole, but for OpenCL's in print; each of the others has a
 * pattern of its own. */
static void
test_lines (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      guint64 patterns[LS_LANE_INKS] = { 0 };
      LsStyle of;

      ls_style_init (&of, (LsLook) look, 1);
      for (guint lane = 0; lane < LS_LANE_INKS; lane++)
        {
          LsScene *scene = ls_scene_new (fonts, &of);
          cairo_surface_t *surface;

          ls_scene_path (scene, LS_ITEM_LINE, LS_INK_MARK, LS_INK_OF (lane), 4);
          ls_scene_point (scene, 0, 32);
          ls_scene_point (scene, EDGE, 32);
          surface = painted (scene, at_time (LS_TIME_END));
          for (gint x = 0; x < EDGE; x++)
            patterns[lane] |= (guint64) (pixel_at (surface, x, 31) == GROUND) << x;
          g_assert_cmpint (patterns[lane] == 0, ==, lane == 0 || (lane == 1 && look != LS_LOOK_PRINT));
          for (guint other = 2; other < lane; other++)
            if (patterns[other] == patterns[lane])
              g_error ("lines of lanes %u and %u have one pattern, %s", other + 1, lane + 1,
                       ls_look_name ((LsLook) look));
          cairo_surface_destroy (surface);
        }
    }
}

/* ---- the rest ---- */

static void
test_others (void)
{
  const LsColor text = ink (LS_INK_TEXT, 0);
  LsScene *scene;
  cairo_surface_t *surface;

  /* a frame goes round, with a halo, and hides nothing */
  begin (&scene, LS_ITEM_FRAME, 30, 30, LS_INK_TEXT, 0);
  surface = painted (scene, at_time (LS_TIME_END));
  for (gint d = 3; d < 27; d++)
    {
      assert_pixel (surface, 10 + d, 25, ground, "within a frame");
      assert_pixel (surface, 10 + d, 9, text, "the frame’s top");
      assert_pixel (surface, 9, 10 + d, text, "the frame’s left");
      assert_pixel (surface, 40, 10 + d, text, "the frame’s right");
      assert_pixel (surface, 10 + d, 40, text, "the frame’s foot");
      assert_pixel (surface, 10 + d, 6, style.palette->view, "the frame’s halo");
    }
  cairo_surface_destroy (surface);
  /* a triangle that stands on its foot, with a mark */
  begin (&scene, LS_ITEM_WARNING, 40, 40, LS_INK_TEXT, 0);
  surface = painted (scene, at_time (LS_TIME_END));
  assert_pixel (surface, 12, 12, ground, "left of the triangle’s top");
  assert_pixel (surface, 47, 12, ground, "right of the triangle’s top");
  assert_pixel (surface, 15, 47, text, "the triangle’s left foot");
  assert_pixel (surface, 44, 47, text, "the triangle’s right foot");
  g_assert_cmpuint (count_column (surface, 30, style.palette->view), ==, 13); /* a stroke, and a dot on parts
                                                                                 of pixels */
  assert_pixel (surface, 30, 37, text, "between the stroke and the dot");
  cairo_surface_destroy (surface);
  /* from the first to the last; with signs, from minus to plus */
  begin (&scene, LS_ITEM_RAMP, 40, 10, LS_INK_ORDER, 0);
  surface = painted (scene, at_time (LS_TIME_END));
  assert_pixel (surface, 10, 15, style.palette->order[0], "the order’s first");
  assert_pixel (surface, 30, 15, style.palette->order[1], "the order’s middle");
  g_assert_cmpfloat (ls_color_distance (ls_style_color (&style, LS_INK_ORDER, 1), style.palette->order[2]), <,
                     .01);
  cairo_surface_destroy (surface);
  begin (&scene, LS_ITEM_RAMP, 40, 10, LS_INK_SIGN, 0);
  surface = painted (scene, at_time (LS_TIME_END));
  assert_pixel (surface, 10, 15, style.palette->sign[0], "the least");
  assert_pixel (surface, 30, 15, style.palette->sign[1], "zero");
  cairo_surface_destroy (surface);
  begin (&scene, LS_ITEM_RAMP, 40, 10, LS_INK_AMOUNT, 0);
  surface = painted (scene, at_time (LS_TIME_END));
  assert_pixel (surface, 10, 15, style.palette->amount[0], "nothing");
  g_assert_cmpfloat (ls_color_luminance (style.palette->amount[1]), <,
                     ls_color_luminance (style.palette->amount[0]));
  cairo_surface_destroy (surface);
  /* teeth at a block's foot: narrow above, wide below, five of them */
  begin (&scene, LS_ITEM_ZIGZAG, 40, 8, LS_INK_TEXT, 0);
  surface = painted (scene, at_time (LS_TIME_END));
  g_assert_cmpuint (count_row (surface, 17, text), >, count_row (surface, 12, text));
  guint teeth = 0;
  for (gint x = 0; x + 1 < EDGE; x++)
    teeth += is (pixel_at (surface, x, 13), ground) && !is (pixel_at (surface, x + 1, 13), ground);
  g_assert_cmpuint (teeth, ==, 5);
  cairo_surface_destroy (surface);
}

/* A modelled area is hatched within its edge, which is drawn, and nowhere else; a measured one is full. */
static void
test_areas (void)
{
  for (guint modelled = 0; modelled < 2; modelled++)
    {
      LsScene *scene = ls_scene_new (fonts, &style);
      cairo_surface_t *surface;
      guint inside = 0, n = 0, edge = 0;

      ls_scene_path (scene, LS_ITEM_AREA, LS_INK_TEXT, 0, 0)->evidence = modelled ? LS_EVIDENCE_MODELLED
                                                                                  : LS_EVIDENCE_MEASURED;
      ls_scene_point (scene, 6, 6);
      ls_scene_point (scene, 58, 58);
      ls_scene_point (scene, 6, 58);
      surface = painted (scene, at_time (LS_TIME_END));
      for (gint y = 0; y < EDGE; y++)
        for (gint x = 0; x < EDGE; x++)
          {
            const gboolean bare = is (pixel_at (surface, x, y), ground);

            if (x < 3 || y > 60 || x > y + 5) /* of the edge a line’s width, and at its corners */
              assert_pixel (surface, x, y, ground, "beside an area");
            if (x < 10 || y > 54 || x > y - 6)
              continue;
            inside += !bare;
            n++;
          }
      for (gint y = 20; y < 50; y++)
        edge += !is (pixel_at (surface, 6, y), ground) || !is (pixel_at (surface, 5, y), ground);
      if (edge != 30)
        g_error ("%u of 30 pixels of the area’s edge are drawn", edge);
      if (modelled ? inside < n / 5 || inside > n * 4 / 5 : inside != n)
        g_error ("of %u pixels of a %s area %u are drawn", n, modelled ? "modelled" : "measured", inside);
      cairo_surface_destroy (surface);
    }
}

/* From the first to the last colour, on pixels and on paper, where it is a gradient; as tall as it is said to
 * be. */
static void
test_ramps (void)
{
  static const LsInk inks[] = { LS_INK_ORDER, LS_INK_SIGN, LS_INK_AMOUNT };

  for (guint i = 0; i < G_N_ELEMENTS (inks); i++)
    for (guint paper = 0; paper < 2; paper++)
      {
        const LsMoment moment = at_time (LS_TIME_END);
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, EDGE, EDGE),
                        *page = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
        cairo_t *cr = cairo_create (surface), *on_page = cairo_create (page);
        LsScene *scene;

        begin (&scene, LS_ITEM_RAMP, 40, 30, inks[i], 0);
        cairo_set_source_rgb (cr, 1, 0, 1);
        cairo_paint (cr);
        ls_paint_scene (scene, paper ? on_page : cr, &moment);
        cairo_destroy (on_page);
        if (paper)
          {
            cairo_set_source_surface (cr, page, 0, 0);
            cairo_paint (cr);
          }
        cairo_destroy (cr);
        cairo_surface_flush (surface);
        for (gint y = 5; y < 45; y += 3)
          for (gint x = 5; x < 55; x++)
            {
              const gboolean within = x >= 10 && x < 50 && y >= 10 && y < 40;
              /* on paper a pixel's colour is that of its middle */
              const double t = (x - 10 + paper * .5) / 40;
              assert_pixel (surface, x, y,
                            within ? ink (inks[i], inks[i] == LS_INK_SIGN ? 2 * t - 1 : t) : ground,
                            paper ? "a ramp on paper" : "a ramp on pixels");
            }
        cairo_surface_destroy (page);
        cairo_surface_destroy (surface);
        ls_scene_free (scene);
      }
}

/* Texts begin, have their middle, or end where that is said; a path is as large as its points. */
static void
test_bounds (void)
{
  LsScene *scene = ls_scene_new (fonts, &style);
  const LsType type = { 20, 400 };
  static const struct {
    LsAlign align;
    double x;
  } aligned[] = { { LS_LEFT, 100 }, { LS_CENTER, 100 - 18 }, { LS_RIGHT, 100 - 36 } };
  double x, y, w, h;

  for (guint i = 0; i < G_N_ELEMENTS (aligned); i++)
    {
      const LsItem *item = ls_scene_text (scene, 100, 50, type, LS_INK_TEXT, aligned[i].align, "abc");
      ls_item_bounds (scene, item, &x, &y, &w, &h);
      g_assert_cmpfloat_with_epsilon (x, aligned[i].x, 1e-4); /* boxes of .6 em */
      g_assert_cmpfloat_with_epsilon (w, 36, 1e-4);
      g_assert_cmpfloat_with_epsilon (y, 50 - 20 * LS_ASCENT, 1e-4);
      g_assert_cmpfloat_with_epsilon (y + h, 50 + 20 * LS_DESCENT, 1e-4);
      g_assert_cmpfloat_with_epsilon (ls_item_right (item), x + w, 1e-4);
    }
  ls_scene_path (scene, LS_ITEM_LINE, LS_INK_TEXT, 0, 2);
  ls_scene_point (scene, 30, 7);
  ls_scene_point (scene, 10, 25);
  ls_scene_point (scene, 20, 5);
  const LsItem *line = ls_scene_get (scene, scene->items->len - 1);
  ls_item_bounds (scene, line, &x, &y, &w, &h);
  g_assert_true (x >= 10 && x <= 10 && y >= 5 && y <= 5 && w >= 20 && w <= 20 && h >= 20 && h <= 20);
  const LsExtent extent = ls_paint_extent (scene, line);
  g_assert_cmpfloat (extent.left, <=, 9); /* half the line's width more */
  g_assert_cmpfloat (extent.bottom, >=, 26);
  ls_scene_free (scene);
}

/* The nearest middle wins, a mark is at least 24 px large to a pointer, and what has no event isn't there. */
static void
test_pick (void)
{
  static const struct {
    double x, y;
    gint event; /* −1: none */
  } cases[] = {
    { 105, 105, 1 },  { 110, 105, 1 }, { 93.5, 105, 1 }, { 92, 105, -1 }, { 102, 116, 1 },
    { 102, 119, -1 }, { 140, 105, 2 }, { 155, 105, 2 },  { 170, 105, 3 }, { 181, 105, 3 },
    { 183, 105, -1 }, { 40, 40, -1 },  { 10, 10, -1 },
  };
  LsScene *scene = ls_scene_new (fonts, &style);

  ls_scene_box (scene, 0, 0, 80, 80, LS_INK_TEXT, 0); /* chrome */
  ls_scene_box (scene, 103, 103, 4, 6, LS_INK_TEXT, 0)->event = 1;
  ls_scene_box (scene, 120, 100, 40, 10, LS_INK_TEXT, 0)->event = 2;
  ls_scene_box (scene, 160, 100, 20, 10, LS_INK_TEXT, 0)->event = 3;
  ls_scene_text (scene, 120, 105, (LsType){ 14, 400 }, LS_INK_TEXT, LS_LEFT, "on it")->event = 9;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsItem *item = ls_scene_pick (scene, cases[i].x, cases[i].y);
      const gint event = item != NULL ? (gint) item->event : -1;
      if (event != cases[i].event)
        g_error ("at %g, %g mark %d is picked, not %d", cases[i].x, cases[i].y, event, cases[i].event);
    }
  ls_scene_free (scene);
}

/* Images that differ anywhere, or in their shape alone, aren't taken for each other: where a picture looks
 * the same it isn't painted again. */
static void
test_images (void)
{
  const float first[6] = { 0, .2f, .4f, .6f, .8f, 1 };
  LsScene *scene = ls_scene_new (fonts, &style);

  ls_scene_image (scene, 0, 0, 30, 20, LS_INK_AMOUNT, first, 3, 2, 1);
  ls_scene_image (scene, 0, 0, 30, 20, LS_INK_AMOUNT, first, 3, 2, 1);
  for (guint i = 0; i < 6; i++)
    {
      float other[6];
      memcpy (other, first, sizeof first);
      other[i] = .5f;
      ls_scene_image (scene, 0, 0, 30, 20, LS_INK_AMOUNT, other, 3, 2, 1);
    }
  ls_scene_image (scene, 0, 0, 30, 20, LS_INK_AMOUNT, first, 2, 3, 1);
  ls_scene_image (scene, 0, 0, 30, 20, LS_INK_AMOUNT, first, 6, 1, 1);
  for (guint i = 1; i < scene->images->len; i++)
    {
      const LsSceneImage *a = scene->images->pdata[0], *b = scene->images->pdata[i];
      if ((a->hash == b->hash) != (i == 1))
        g_error ("image %u is%s the same as the first, and is taken for %s", i, i == 1 ? "" : "n’t",
                 a->hash == b->hash ? "it" : "another");
    }
  ls_scene_free (scene);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  g_test_add_func ("/paint/fills/evidence", test_evidence);
  g_test_add_func ("/paint/fills/data", test_fills);
  g_test_add_func ("/paint/fills/points", test_points);
  g_test_add_func ("/paint/fills/lines", test_lines);
  g_test_add_func ("/paint/fills/others", test_others);
  g_test_add_func ("/paint/fills/areas", test_areas);
  g_test_add_func ("/paint/fills/ramps", test_ramps);
  g_test_add_func ("/paint/fills/bounds", test_bounds);
  g_test_add_func ("/paint/fills/pick", test_pick);
  g_test_add_func ("/paint/fills/images", test_images);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
