/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marks of recorded work before, while and after it happens: as far along as the clock is, of the worker who
 * did it, faded where another one is picked. And the levels of an image.
 */
#include "marks.h"
#include "ui/paint/parts/help_mark.h"

/* ---- when ---- */

/* From t0 on it runs, from t1 on it is done; what belongs to a time is seen in it and at no other. */
static void
test_when (void)
{
  static const struct {
    LsWhen when;
    const char *name;
    gboolean at[6]; /* of times[] */
  } cases[] = {
    { LS_WHEN_ALWAYS, "always", { 1, 1, 1, 1, 1, 1 } },   { LS_WHEN_DONE, "done", { 0, 0, 0, 1, 1, 1 } },
    { LS_WHEN_RUNNING, "running", { 0, 1, 1, 0, 0, 0 } }, { LS_WHEN_BEGUN, "begun", { 0, 1, 1, 1, 1, 1 } },
    { LS_WHEN_AHEAD, "ahead", { 1, 0, 0, 0, 0, 0 } },
  };
  static const gint64 times[] = { 99, 100, 199, 200, 5000, LS_TIME_END };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint t = 0; t < G_N_ELEMENTS (times); t++)
      {
        LsScene *scene;
        cairo_surface_t *surface;
        LsItem *item = begin (&scene, LS_ITEM_BOX, 20, 20, LS_INK_TEXT, 0);

        item->when = (guint8) cases[c].when;
        const LsMoment moment = at_time (times[t]);
        if (ls_item_shown (item, &moment) != cases[c].at[t]
            || (ls_paint_look (item, &moment) != 0) != cases[c].at[t])
          g_error ("what is shown when it is %s is %s %" G_GINT64_FORMAT " ns, of 100 to 200", cases[c].name,
                   cases[c].at[t] ? "missing at" : "seen at", times[t]);
        surface = painted (scene, moment);
        assert_pixel (surface, 20, 20, cases[c].at[t] ? ink (LS_INK_TEXT, 0) : ground, cases[c].name);
        cairo_surface_destroy (surface);
      }
}

/* Others than the picked worker's, and known otherwise than what is chosen, fade to a fifth; what has no
 * worker, and chrome, doesn't. */
static void
test_faded (void)
{
  static const struct {
    guint8 worker, evidence;
    gint of_worker, of_evidence;
    gboolean faded;
  } cases[] = {
    { 3, LS_EVIDENCE_MEASURED, -1, -1, FALSE },
    { 3, LS_EVIDENCE_MEASURED, 3, -1, FALSE },
    { 3, LS_EVIDENCE_MEASURED, 0, -1, TRUE },
    { 0, LS_EVIDENCE_MEASURED, 3, -1, TRUE },
    { LS_NO_VALUE, LS_EVIDENCE_MEASURED, 3, -1, FALSE },
    { 3, LS_EVIDENCE_MEASURED, -1, LS_EVIDENCE_MEASURED, FALSE },
    { 3, LS_EVIDENCE_MEASURED, -1, LS_EVIDENCE_DERIVED, TRUE },
    { 3, LS_EVIDENCE_DERIVED, -1, LS_EVIDENCE_MEASURED, TRUE },
    { 3, LS_NO_VALUE, -1, LS_EVIDENCE_DERIVED, FALSE },
    { 3, LS_EVIDENCE_MEASURED, 3, LS_EVIDENCE_DERIVED, TRUE },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const LsMoment moment = { LS_TIME_END, cases[c].of_worker, cases[c].of_evidence };
      LsScene *scene;
      LsItem *item = begin (&scene, LS_ITEM_BOX, 20, 20, LS_INK_TEXT, 0);
      cairo_surface_t *surface;

      item->worker = cases[c].worker;
      item->evidence = cases[c].evidence;
      const guint64 look = ls_paint_look (item, &moment),
                    plain = ls_paint_look (item, &(LsMoment){ LS_TIME_END, -1, -1 });
      g_assert_cmpint (look != plain, ==, cases[c].faded);
      surface = painted (scene, moment);
      assert_pixel (surface, 20, 20, mixed (ground, ink (LS_INK_TEXT, 0), cases[c].faded ? .2 : 1),
                    "a mark beside what is picked");
      cairo_surface_destroy (surface);
    }
}

/* ---- work ---- */

/* A tile is grey until it begins; then pale, with a strip of its colour; then whole. */
static void
test_tile (void)
{
  const LsColor full = ink (LS_INK_WORKER, 4), pale = mixed (style.palette->view, full, .3);
  static const guint widths[] = { 40, 20 }, strips[] = { 8, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      const gint right = 10 + (gint) widths[i] - 2;
      LsScene *scene;
      cairo_surface_t *surface;

      begin (&scene, LS_ITEM_TILE, widths[i], 12, LS_INK_WORKER, 4);
      surface = painted (scene, at_time (99));
      assert_pixel (surface, 11, 15, style.palette->track, "a tile to come");
      assert_pixel (surface, right, 15, style.palette->track, "a tile to come");
      cairo_surface_destroy (surface);
      begin (&scene, LS_ITEM_TILE, widths[i], 12, LS_INK_WORKER, 4);
      surface = painted (scene, at_time (150));
      g_assert_cmpuint (count_row (surface, 15, full), ==, strips[i]);
      assert_pixel (surface, 10, 15, full, "a running tile’s strip");
      assert_pixel (surface, right, 15, pale, "a running tile");
      cairo_surface_destroy (surface);
      begin (&scene, LS_ITEM_TILE, widths[i], 12, LS_INK_WORKER, 4);
      surface = painted (scene, at_time (200));
      assert_pixel (surface, 20, 15, full, "a tile that is done");
      assert_pixel (surface, 9, 15, ground, "left of a tile");
      assert_pixel (surface, 10 + (gint) widths[i], 15, ground, "right of a tile");
      cairo_surface_destroy (surface);
    }
}

/* One that is narrower than its strip is no wider than it will be. */
static void
test_narrow_tile (void)
{
  const LsColor full = ink (LS_INK_WORKER, 4);

  for (guint w = 1; w <= 12; w++)
    {
      LsScene *scene;

      begin (&scene, LS_ITEM_TILE, w, 12, LS_INK_WORKER, 4);
      cairo_surface_t *surface = painted (scene, at_time (150));
      if (count_row (surface, 15, full) != MIN (w, 3))
        g_error ("of a running tile that is %u px wide %u are of its colour", w,
                 count_row (surface, 15, full));
      g_assert_cmpuint (EDGE - count_row (surface, 15, ground), ==, w);
      cairo_surface_destroy (surface);
    }
}

/* Tiles and bars that are done have an edge round a worker's colour that needs one, from 4 px on in both
 * directions: of fewer nothing would be left in it. Those of other colours have none. */
static void
test_thin_edges (void)
{
  static const LsItemKind kinds[] = { LS_ITEM_TILE, LS_ITEM_BAR };
  static const guint sizes[][2]
    = { { 3, 12 }, { 12, 3 }, { 3, 3 }, { 4, 12 }, { 12, 4 }, { 4, 4 }, { 20, 12 } };
  guint edged = 0, plain = 0;

  for (guint worker = 0; worker < 8; worker++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (kinds) * 2; i++)
      {
        const guint w = sizes[i / 4][0], h = sizes[i / 4][1];
        const LsInk of = i % 2 ? LS_INK_ORDER : LS_INK_WORKER;
        const double value = i % 2 ? worker / 8. : worker;
        LsScene *scene;
        LsColor edge;

        ls_style_init (&style, LS_LOOK_LIGHT, 1);
        const gboolean has = ls_style_edge (&style, ink (of, value), &edge) && of == LS_INK_WORKER && w >= 4
                             && h >= 4;
        begin (&scene, kinds[i / 2 % 2], w, h, of, value);
        cairo_surface_t *surface = painted (scene, at_time (300));
        g_autofree char *what = g_strdup_printf ("%s of %u×%u px, %s %u", i / 2 % 2 ? "a bar" : "a tile", w,
                                                 h, i % 2 ? "shade" : "worker", worker);
        assert_pixel (surface, 10, 10, has ? edge : ink (of, value), what);
        assert_pixel (surface, 9 + (gint) w, 9 + (gint) h, has ? edge : ink (of, value), what);
        assert_pixel (surface, 10 + (gint) w, 10, ground, what);
        assert_pixel (surface, 10, 10 + (gint) h, ground, what);
        cairo_surface_destroy (surface);
        edged += has;
        plain += !has;
      }
  g_assert_cmpuint (MIN (edged, plain), >, 4);
}

/* A bar grows with the clock, pale behind a strip, and is whole when it is done. */
static void
test_bar (void)
{
  const LsColor full = ink (LS_INK_WORKER, 4), pale = mixed (style.palette->view, full, .3);

  for (gint64 t = 90; t <= 210; t += 5)
    {
      const guint wide = t < 100 ? 0 : t >= 200 ? 40 : (guint) (40 * (t - 100) / 100);
      LsScene *scene;
      cairo_surface_t *surface;

      begin (&scene, LS_ITEM_BAR, 40, 20, LS_INK_WORKER, 4);
      surface = painted (scene, at_time (t));
      g_assert_cmpuint (EDGE - count_row (surface, 20, ground), ==, wide);
      if (t > 100 && t < 200)
        {
          g_assert_cmpuint (count_row (surface, 20, full), ==, MIN (wide, 5));
          g_assert_cmpuint (count_row (surface, 20, pale), ==, wide - MIN (wide, 5));
        }
      else
        g_assert_cmpuint (count_row (surface, 20, full), >=, wide > 0 ? 36 : 0); /* or the edge of a light one
                                                                                  */
      cairo_surface_destroy (surface);
    }
}

/* A wait is a line that is closed by a tick: as long as it has lasted. */
static void
test_wait (void)
{
  for (gint64 t = 90; t <= 210; t += 10)
    {
      const gint wide = t < 100 ? 0 : t >= 200 ? 40 : (gint) (40 * (t - 100) / 100);
      const LsColor text = ink (LS_INK_TEXT, 0);
      LsScene *scene;
      cairo_surface_t *surface;

      begin (&scene, LS_ITEM_WAIT, 40, 20, LS_INK_TEXT, 0);
      surface = painted (scene, at_time (t));
      g_assert_cmpuint (count_row (surface, 19, text), ==, wide < 3 ? 0 : wide > 8 ? wide - 2 : wide - 3);
      if (wide > 8)
        {
          g_assert_cmpuint (count_column (surface, 10 + wide - 1, text), ==, 20);
          g_assert_cmpuint (count_column (surface, 10 + wide - 6, text), ==, 2);
          assert_pixel (surface, 10 + wide, 19, ground, "behind a wait’s tick");
        }
      cairo_surface_destroy (surface);
    }
}

/* Workers from 8 on have the colours of the first ones, and one bar more for every eight, four at most. */
static void
test_worker_bars (void)
{
  for (guint worker = 0; worker < 48; worker++)
    {
      LsScene *scene;
      LsItem *item = begin (&scene, LS_ITEM_TILE, 40, 60, LS_INK_WORKER, worker);
      const LsColor fill = ink (LS_INK_WORKER, worker % 8), on = ls_color_on (fill);
      cairo_surface_t *surface;
      guint bars = 0;

      item->y = 2;
      item->worker = (guint8) worker;
      surface = painted (scene, at_time (LS_TIME_END));
      assert_pixel (surface, 30, 25, fill, "a worker’s tile");
      for (gint y = 4; y < 62; y++)
        bars += is (pixel_at (surface, 30, y), on) && !is (pixel_at (surface, 30, y - 1), on);
      if (bars != MIN (worker / 8, 4))
        g_error ("worker %u has %u bars on its tiles", worker, bars);
      cairo_surface_destroy (surface);
    }
}

/* What was taken from another worker has that one's colour in its upper right corner, and no other. */
static void
test_taken (void)
{
  static const LsItemKind kinds[] = { LS_ITEM_TILE, LS_ITEM_BAR };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint owner = 0; owner < 2; owner++)
      {
        LsScene *scene;
        LsItem *item = begin (&scene, kinds[k], 40, 40, LS_INK_WORKER, 4);
        const LsColor whose = owner == 0 ? ink (LS_INK_WORKER, 2) : ink (LS_INK_WORKER, 4);
        cairo_surface_t *surface;

        item->worker = 4;
        item->owner = owner == 0 ? 2 : LS_NO_VALUE;
        item->size = 14;
        surface = painted (scene, at_time (LS_TIME_END));
        assert_pixel (surface, 45, 14, whose, "the corner of whom it was taken from");
        assert_pixel (surface, 14, 14, ink (LS_INK_WORKER, 4), "its upper left corner");
        assert_pixel (surface, 45, 45, ink (LS_INK_WORKER, 4), "its lower right corner");
        assert_pixel (surface, 30, 30, ink (LS_INK_WORKER, 4), "its middle");
        cairo_surface_destroy (surface);
      }
}

/* ---- the help's marks ---- */

/* What each is filled with, from the left to the right: the views' own inks and values. */
static void
test_help_marks (void)
{
  static const struct {
    LsItemKind kind;
    guint ink; /* LS_INK_N: any */
    double value;
  } parts[LS_HELP_MARK_N][4] = {
    [LS_HELP_CPU] = { { LS_ITEM_BOX, LS_INK_MARK, 0 } },
    [LS_HELP_OPENCL] = { { LS_ITEM_BOX, LS_INK_MARK, 1 } },
    [LS_HELP_BOTH] = { { LS_ITEM_BOX, LS_INK_MARK, 0 }, { LS_ITEM_BOX, LS_INK_MARK, 1 } },
    [LS_HELP_TO_COME] = { { LS_ITEM_BOX, LS_INK_SOFT, 0 }, { LS_ITEM_BOX, LS_INK_SOFT, 1 } },
    [LS_HELP_PLAYHEAD]
    = { { LS_ITEM_BOX, LS_INK_MARK, 0 }, { LS_ITEM_BOX, LS_INK_SOFT, 0 }, { LS_ITEM_LINE, LS_INK_TEXT, 0 } },
    [LS_HELP_GAP] = { { LS_ITEM_BOX, LS_INK_TRACK, 0 } },
    [LS_HELP_TILE] = { { LS_ITEM_BOX, LS_INK_WORKER, 0 }, { LS_ITEM_BOX, LS_INK_WORKER, 1 } },
    [LS_HELP_TAKEN] = { { LS_ITEM_BOX, LS_INK_WORKER, 0 }, { LS_ITEM_AREA, LS_INK_WORKER, 1 } },
    [LS_HELP_ORDER] = { { LS_ITEM_RAMP, LS_INK_NONE, 0 } },
    [LS_HELP_WAIT] = { { LS_ITEM_WAIT, LS_INK_QUIET, 0 } },
    [LS_HELP_FOLDED] = { { LS_ITEM_BOX, LS_INK_ORDER, .5 }, { LS_ITEM_ZIGZAG, LS_INK_VIEW, 0 } },
    [LS_HELP_PICKED] = { { LS_ITEM_BOX, LS_INK_TRACK, 0 }, { LS_ITEM_FRAME, LS_INK_TEXT, 0 } },
    [LS_HELP_SIGNED] = { { LS_ITEM_RAMP, LS_INK_SIGN, 0 } },
    [LS_HELP_AMOUNT] = { { LS_ITEM_BOX, LS_INK_AMOUNT, 0 },
                         { LS_ITEM_BOX, LS_INK_AMOUNT, 1. / 3 },
                         { LS_ITEM_BOX, LS_INK_AMOUNT, 2. / 3 },
                         { LS_ITEM_BOX, LS_INK_AMOUNT, 1 } },
    [LS_HELP_MEASURED] = { { LS_ITEM_EVIDENCE, LS_INK_TEXT, LS_EVIDENCE_MEASURED } },
    [LS_HELP_DERIVED] = { { LS_ITEM_EVIDENCE, LS_INK_TEXT, LS_EVIDENCE_DERIVED } },
    [LS_HELP_MODELLED] = { { LS_ITEM_EVIDENCE, LS_INK_TEXT, LS_EVIDENCE_MODELLED } },
    [LS_HELP_PUBLISHED] = { { LS_ITEM_EVIDENCE, LS_INK_TEXT, LS_EVIDENCE_PUBLISHED } },
    [LS_HELP_CURVE] = { { LS_ITEM_AREA, LS_INK_SOFT, 0 }, { LS_ITEM_LINE, LS_INK_MARK, 0 } },
    [LS_HELP_DOT] = { { LS_ITEM_DOTS, LS_INK_MARK, 1 } },
  };
  static const guint n_parts[LS_HELP_MARK_N]
    = { 0, 1, 1, 2, 2, 3, 1, 2, 2, 1, 1, 2, 2, 1, 4, 1, 1, 1, 1, 2, 1 };
  for (LsHelpMark mark = 0; mark < LS_HELP_MARK_N; mark++)
    {
      LsScene *s = ls_scene_new (fonts, &style);
      double right = -1, widest = 0;

      ls_scene_help_mark (s, mark);
      if (s->items->len != n_parts[mark])
        g_error ("mark %u of the help has %u parts", mark, s->items->len);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          double x, y, w, h;

          if (item->kind != parts[mark][i].kind || item->ink != parts[mark][i].ink
              || fabs ((double) item->value - parts[mark][i].value) > 1e-6)
            g_error ("part %u of mark %u of the help is of kind %u, ink %u and value %g", i + 1, mark,
                     item->kind, item->ink, (double) item->value);
          ls_item_bounds (s, item, &x, &y, &w, &h);
          if (x < -.01 || y < -.01 || x + w > LS_HELP_MARK_W + 1.01 || y + h > LS_HELP_MARK_H + .01)
            g_error ("part %u of mark %u of the help reaches from %g, %g to %g, %g", i + 1, mark, x, y, x + w,
                     y + h);
          widest = MAX (widest, MAX (w, (double) item->size)); /* a dot's diameter */
          if (item->kind == LS_ITEM_BOX)
            {
              if (x < right - .01)
                g_error ("part %u of mark %u of the help covers the one before", i + 1, mark);
              right = x + w;
              g_assert_cmpfloat (h, >=, LS_HELP_MARK_H - 4);
              g_assert_cmpfloat_with_epsilon (y + h / 2, LS_HELP_MARK_H / 2., .51);
            }
          if (mark == LS_HELP_PLAYHEAD && i == 2) /* between what is done and what is to come, over both */
            {
              g_assert_cmpfloat_with_epsilon (x + w / 2, ls_item_right (ls_scene_get (s, 0)), .6);
              g_assert_cmpfloat (h, >, (double) ls_scene_get (s, 0)->h);
            }
          if (mark == LS_HELP_PICKED && i == 1) /* the frame is the box's */
            g_assert_true (item->x == ls_scene_get (s, 0)->x && item->w == ls_scene_get (s, 0)->w);
          if (mark == LS_HELP_FOLDED && i == 1) /* at the foot */
            g_assert_cmpfloat_with_epsilon (y + h, (double) (ls_scene_get (s, 0)->y + ls_scene_get (s, 0)->h),
                                            1.01);
          if (mark == LS_HELP_CURVE && i == 1) /* the line falls, as a loss does, within its band */
            for (guint k = 0; k + 1 < item->n_points; k++)
              {
                const float *line = &g_array_index (s->points, float, 2 * (item->points + k));
                const float *band = &g_array_index (s->points, float, 2 * ls_scene_get (s, 0)->points);
                const guint back = 2 * item->n_points - 1 - k;
                g_assert_true (line[2] > line[0] && band[2 * k + 1] < line[1]
                               && band[2 * back + 1] > line[1]);
                g_assert_true (band[2 * k] == line[0] && band[2 * back] == line[0]);
              }
          if (item->kind == LS_ITEM_EVIDENCE || item->kind == LS_ITEM_DOTS)
            {
              g_assert_cmpfloat_with_epsilon (x + w / 2, LS_HELP_MARK_W / 2., .5);
              g_assert_cmpfloat_with_epsilon (y + h / 2, LS_HELP_MARK_H / 2., .5);
            }
        }
      if (mark != LS_HELP_NONE)
        g_assert_cmpfloat (widest, >=, 7);
      ls_scene_free (s);
    }
}

/* What has no value, and all of an image without a largest one, is pale, not one of the ends. */
static void
test_image_levels (void)
{
  const float values[2][4] = { { 0 }, { -1, NAN, INFINITY, 3 } };
  static const guint8 levels[4][4]
    = { { 0 }, { 0, 0, 0, 255 }, { 128, 128, 128, 128 }, { 1, 128, 128, 255 } };
  LsScene *scene = ls_scene_new (fonts, &style);

  for (guint k = 0; k < 4; k++)
    {
      ls_scene_image (scene, 0, 0, 30, 20, k / 2 ? LS_INK_SIGN : LS_INK_AMOUNT, values[k % 2], 4, 1, k % 2);
      const guint8 *is = ((const LsSceneImage *) scene->images->pdata[k])->levels;
      for (guint i = 0; i < 4; i++)
        if (is[i] != levels[k][i])
          g_error ("%g of at most %u is level %u, not %u", (double) values[k % 2][i], k % 2, is[i],
                   levels[k][i]);
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
  g_test_add_func ("/paint/marks/when", test_when);
  g_test_add_func ("/paint/marks/faded", test_faded);
  g_test_add_func ("/paint/marks/tile", test_tile);
  g_test_add_func ("/paint/marks/narrow-tile", test_narrow_tile);
  g_test_add_func ("/paint/marks/bar", test_bar);
  g_test_add_func ("/paint/marks/wait", test_wait);
  g_test_add_func ("/paint/marks/worker-bars", test_worker_bars);
  g_test_add_func ("/paint/marks/taken", test_taken);
  g_test_add_func ("/paint/marks/help", test_help_marks);
  g_test_add_func ("/paint/marks/image-levels", test_image_levels);
  g_test_add_func ("/paint/marks/thin-edges", test_thin_edges);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
