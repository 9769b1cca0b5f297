/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The palettes keep their promises: contrast, distance for every kind of sight, even ramps, and what is left
 * in greyscale.
 */
#include <math.h>

#include "ui/paint/scene/metrics.h"
#include "core/number.h"
#include "ui/paint/scene/style.h"

static void
test_contrast (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      LsStyle style;
      const LsPalette *p;

      ls_style_init (&style, (LsLook) look, 1);
      p = style.palette;
      const LsColor grounds[] = { p->window, p->view, p->header, p->sidebar, p->card, p->chosen };
      for (guint i = 0; i < G_N_ELEMENTS (grounds); i++)
        {
          g_assert_cmpfloat (ls_color_contrast (p->text, grounds[i]), >=, 4.5);
          g_assert_cmpfloat (ls_color_contrast (p->quiet, grounds[i]), >=, 4.5);
          g_assert_cmpfloat (ls_color_contrast (p->amber, grounds[i]), >=, 4.5);
        }
      for (guint side = 0; side < LS_LANE_INKS; side++)
        {
          g_assert_cmpfloat (ls_color_contrast (p->lanes[side].ink, p->window), >=, 4.5);
          g_assert_cmpfloat (ls_color_contrast (p->lanes[side].mark, p->view), >=, 3);
          g_assert_cmpfloat (ls_color_contrast (p->text, p->lanes[side].soft), >=, 4.5);
        }
      for (guint w = 0; w < LS_WORKER_COLORS; w++)
        {
          LsColor edge;
          /* a number on it can be read, and its shape can be seen: by itself or by its edge */
          g_assert_cmpfloat (ls_color_contrast (ls_style_color (&style, LS_INK_ON_WORKER, w), p->workers[w]),
                             >=, 4.5);
          if (ls_style_edge (&style, p->workers[w], &edge))
            g_assert_cmpfloat (ls_color_contrast (edge, p->view), >=, 3);
          else
            g_assert_cmpfloat (ls_color_contrast (p->workers[w], p->view), >=, 3);
        }
    }
}

/* Neither a worker nor a sign looks like a lane, and no neutral lane like one with a hue. */
static void
test_lanes_differ (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      LsStyle style;
      const LsPalette *p;

      ls_style_init (&style, (LsLook) look, 1);
      p = style.palette;
      for (guint ink = 0; ink < LS_LANE_INKS; ink++)
        {
          for (guint w = 0; w < LS_WORKER_COLORS; w++)
            g_assert_cmpfloat (ls_color_distance (p->lanes[ink].mark, p->workers[w]), >=, .05);
          g_assert_cmpfloat (ls_color_distance (p->lanes[ink].mark, p->sign[0]), >=, .05);
          g_assert_cmpfloat (ls_color_distance (p->lanes[ink].mark, p->sign[2]), >=, .05);
          g_assert_cmpfloat (ls_color_distance (p->lanes[ink].mark, p->amber), >=, .05);
          for (guint other = 0; other < MIN (ink, LS_SIDES); other++)
            g_assert_cmpfloat (ls_color_distance (p->lanes[ink].mark, p->lanes[other].mark), >=, .075);
        }
    }
}

/* Each side has the ink of the lane that stands there. */
static void
test_stands (void)
{
  LsStyle style, other;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  g_assert_cmpuint (ls_style_lane_ink (&style, 0), ==, 0);
  g_assert_cmpuint (ls_style_lane_ink (&style, 1), ==, 1);
  g_assert_cmpuint (ls_style_lane_ink (&style, LS_INK_OF (5)), ==, 5);
  other = style;
  other.stands[0] = 3;
  g_assert_false (ls_style_equal (&style, &other));
  g_assert_cmpuint (ls_style_lane_ink (&other, 0), ==, 3);
  g_assert_cmpuint (ls_style_lane_ink (&other, LS_INK_OF (0)), ==, 0);
  g_assert_cmpfloat (
    ls_color_distance (ls_style_color (&other, LS_INK_MARK, 0), other.palette->lanes[3].mark), ==, 0);
}

static void
test_workers_differ (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      LsStyle style;

      ls_style_init (&style, (LsLook) look, 1);
      for (guint sight = 0; sight < LS_SIGHT_N; sight++)
        for (guint a = 0; a < LS_WORKER_COLORS; a++)
          for (guint b = 0; b < a; b++)
            g_assert_cmpfloat (ls_color_distance (ls_color_seen (style.palette->workers[a], (LsSight) sight),
                                                  ls_color_seen (style.palette->workers[b], (LsSight) sight)),
                               >=, 0.075);
    }
}

/* WCAG 2's stricter level for text, 4.5:1 for lanes' marks, and nothing lighter than edges. */
static void
test_high_contrast (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      LsStyle style;

      ls_style_init (&style, (LsLook) look, 1);
      ls_style_set_contrast (&style, TRUE);
      const LsColor ground = style.palette->window;
      g_assert_cmpfloat (ls_color_contrast (ls_style_color (&style, LS_INK_QUIET, 0), ground), >=, 7);
      g_assert_cmpfloat (ls_color_contrast (ls_style_color (&style, LS_INK_EDGE, 0), ground), >=, 4.5);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          g_assert_cmpfloat (ls_color_contrast (ls_style_color (&style, LS_INK_LANE, side), ground), >=, 7);
          g_assert_cmpfloat (ls_color_contrast (ls_style_color (&style, LS_INK_MARK, side), ground), >=, 4.5);
        }
      ls_style_set_contrast (&style, FALSE);
      g_assert_cmpfloat (ls_color_contrast (ls_style_color (&style, LS_INK_QUIET, 0), ground), <, 15);
    }
}

static void
test_ramps (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      LsStyle style;
      double last = -1, sign;

      ls_style_init (&style, (LsLook) look, 1);
      sign = look == LS_LOOK_DARK ? 1 : -1;
      for (guint i = 0; i <= 100; i++)
        {
          /* order is lightness: it survives greyscale, and every kind of sight */
          const double lightness = sign
                                   * ls_color_lightness (ls_style_color (&style, LS_INK_ORDER, i / 100.0));
          g_assert_true (i == 0 || lightness > last);
          last = lightness;
        }
      if (look != LS_LOOK_DARK)
        continue;
      for (guint w = 0; w < LS_WORKER_COLORS; w++)
        g_assert_cmpfloat (ls_color_lightness (style.palette->workers[w]), <=, 80);
      g_assert_cmpfloat (last, <=, 80);
    }
}

/* A washed-out projector lifts black to a quarter and shows no colour: lanes are still two. */
static void
test_greyscale (void)
{
  LsStyle style;

  ls_style_init (&style, LS_LOOK_PROJECTOR, 1);
  const LsPalette *p = style.palette;
  g_assert_cmpfloat (fabs (ls_color_lightness (p->lanes[0].mark) - ls_color_lightness (p->lanes[1].mark)), >=,
                     5);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double mark = .25 + .75 * ls_color_luminance (p->lanes[side].mark),
                   view = .25 + .75 * ls_color_luminance (p->view);
      const double soft = .25 + .75 * ls_color_luminance (p->lanes[side].soft);
      g_assert_cmpfloat (view / mark, >=, 1.9);
      g_assert_cmpfloat (soft / mark, >=, 1.4);
    }
}

static void
check_types (const LsMetrics *m, double least)
{
  const LsType types[] = { m->huge,    m->rate, m->number, m->name, m->device, m->title,
                           m->heading, m->body, m->label,  m->tick, m->strong };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    g_assert_cmpfloat (types[i].px, >=, least);
}

static void
test_type_sizes (void)
{
  static const double sizes[][2]
    = { { 320, 240 }, { 960, 600 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };

  for (guint look = 0; look < LS_LOOK_N; look++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        LsStyle style;
        LsMetrics m;
        ls_style_init (&style, (LsLook) look, 1);
        ls_metrics_init (&m, &style, sizes[i][0], sizes[i][1]);
        check_types (&m, look == LS_LOOK_PROJECTOR ? 22 : 14);
      }
}

static void
check_text (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_numbers (void)
{
  const char *unit;

  check_text (ls_number_text (0.11812, 3), "0.118");
  check_text (ls_number_text (9.996, 3), "10.0");
  check_text (ls_number_text (313.4, 3), "313");
  check_text (ls_number_text (123456, 3), "123\xe2\x80\x89"
                                          "000");
  check_text (ls_number_text (0, 3), "0");
  check_text (ls_number_text (7.914e8, 3), "7.91×10⁸");
  check_text (ls_number_text (9.996e-12, 3), "1.00×10⁻¹¹");
  check_text (ls_number_text (0.0000951, 3), "0.0000951");
  check_text (ls_number_text (-1.5, 2), "−1.5");
  check_text (ls_number_text ((double) NAN, 3), "–");
  check_text (ls_number_count (4690), "4\xe2\x80\x89"
                                      "690");
  check_text (ls_number_count (999), "999");
  check_text (ls_number_count (1234567), "1\xe2\x80\x89"
                                         "234\xe2\x80\x89"
                                         "567");
  check_text (ls_number_scaled (472000), "472\xc2\xa0k");
  check_text (ls_number_scaled (999600), "1.00\xc2\xa0M");
  check_text (ls_number_scaled (6840000), "6.84\xc2\xa0M");
  check_text (ls_number_scaled (52.34), "52.3");
  check_text (ls_number_power (4.2e-6), "4×10⁻⁶");
  check_text (ls_number_power (9.7e-7), "1×10⁻⁶");
  check_text (ls_number_power (0), "0");
  check_text (ls_number_power (0.21), "0.21");
  check_text (ls_number_power (3e-12), "3×10⁻¹²");
  check_text (ls_number_time (128000), "128\xc2\xa0µs");
  check_text (ls_number_time (1240000), "1.24\xc2\xa0ms");
  check_text (ls_number_time (620), "620\xc2\xa0ns");
  check_text (ls_number_time (0.2), "<1\xc2\xa0ns");
  check_text (ls_number_time_in (2500, 128000, &unit), "2.50");
  g_assert_cmpstr (unit, ==, "µs");
  check_text (ls_number_tick (0), "0");
  check_text (ls_number_tick (0.1), "0.1");
  check_text (ls_number_tick (1500), "1\xe2\x80\x89"
                                     "500");
  check_text (ls_number_dial (50000), "50\xc2\xa0µs");
  check_text (ls_number_dial (10), "10\xc2\xa0ns");
  check_text (ls_number_dial (1000000000), "1\xc2\xa0s");
  check_text (ls_number_dial (2000000), "2\xc2\xa0ms");
  check_text (ls_number_spread (100, 99, 101), "±1 %");
  check_text (ls_number_ordinal (11), "11th");
  check_text (ls_number_ordinal (94), "94th");
  check_text (ls_number_ordinal (102), "102nd");
}

/* Smaller letters leave the spaces between things as they are: these are for the pointer and the eye. */
static void
test_small_text (void)
{
  static const double scales[] = { .75, .9, 1, 1.5 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      LsStyle style, own;
      LsMetrics m, scaled;

      ls_style_init (&style, LS_LOOK_LIGHT, 1);
      ls_metrics_init (&m, &style, 1280, 800);
      ls_style_init (&own, LS_LOOK_LIGHT, scales[i]);
      ls_metrics_init (&scaled, &own, 1280 * scales[i], 800 * scales[i]);
      g_assert_cmpuint (scaled.size, ==, m.size);
      const double wanted = MAX (own.text_scale, 1);
      if (fabs (scaled.unit - wanted * m.unit) > 1e-9
          || fabs (scaled.control_h - wanted * m.control_h) > 1e-9)
        g_error ("with letters of %g times the size a unit is %g px, and a control %g px high, not %g and %g",
                 own.text_scale, scaled.unit, scaled.control_h, wanted * m.unit, wanted * m.control_h);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/style/contrast", test_contrast);
  g_test_add_func ("/paint/style/high-contrast", test_high_contrast);
  g_test_add_func ("/style/lanes-differ", test_lanes_differ);
  g_test_add_func ("/style/stands", test_stands);
  g_test_add_func ("/paint/style/workers-differ", test_workers_differ);
  g_test_add_func ("/paint/style/ramps", test_ramps);
  g_test_add_func ("/paint/style/greyscale", test_greyscale);
  g_test_add_func ("/paint/style/type-sizes", test_type_sizes);
  g_test_add_func ("/paint/style/numbers", test_numbers);
  g_test_add_func ("/paint/style/small-text", test_small_text);
  return g_test_run ();
}
