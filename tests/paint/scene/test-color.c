/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arithmetic of colours against figures that others publish, each ink against the palette's field of its
 * name, and how sizes of type follow a picture's size.
 */
#include <math.h>
#include <string.h>

#include "ui/paint/scene/metrics.h"
#include "ui/paint/scene/spread.h"

static LsColor
rgb (guint32 hex)
{
  return (LsColor) LS_RGB (hex);
}

static gboolean
same (LsColor a, LsColor b)
{
  return fabs (a.r - b.r) < 1e-3 && fabs (a.g - b.g) < 1e-3 && fabs (a.b - b.b) < 1e-3;
}

#define assert_same(is, should, ...)                                                                         \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    const LsColor a_ = (is), b_ = (should);                                                                  \
    g_autofree char *what_ = g_strdup_printf (__VA_ARGS__);                                                  \
    if (!same (a_, b_))                                                                                      \
      g_error ("%s is (%.4f, %.4f, %.4f), and should be (%.4f, %.4f, %.4f)", what_, a_.r, a_.g, a_.b, b_.r,  \
               b_.g, b_.b);                                                                                  \
  }                                                                                                          \
  G_STMT_END

/* Black on white is 21:1, and #767676 the lightest grey of 4.5:1: WCAG 2. L* of a grey: CIE 1976. */
static void
test_contrast (void)
{
  static const struct {
    guint32 hex;
    double on_white, lightness;
  } greys[] = { { 0x000000, 21, 0 },          { 0xFFFFFF, 1, 100 },          { 0x767676, 4.5422, 49.636 },
                { 0x777777, 4.4781, 50.034 }, { 0x595959, 7.0047, 37.8417 }, { 0x0A0A0A, 19.798, 2.7417 },
                { 0xC0C0C0, 1.8182, 77.7044 } };

  for (guint i = 0; i < G_N_ELEMENTS (greys); i++)
    {
      g_test_message ("#%06x", greys[i].hex);
      g_assert_cmpfloat_with_epsilon (ls_color_contrast (rgb (greys[i].hex), rgb (0xFFFFFF)),
                                      greys[i].on_white, 2e-3);
      g_assert_cmpfloat_with_epsilon (ls_color_contrast (rgb (0xFFFFFF), rgb (greys[i].hex)),
                                      greys[i].on_white, 2e-3);
      g_assert_cmpfloat_with_epsilon (ls_color_lightness (rgb (greys[i].hex)), greys[i].lightness, 2e-2);
    }
  g_assert_cmpfloat_with_epsilon (ls_color_luminance (rgb (0xFF0000)), .2126, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_color_luminance (rgb (0x00FF00)), .7152, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_color_luminance (rgb (0x0000FF)), .0722, 1e-9);
}

/* Of sRGB's primaries in OKLab: red (0.62796, 0.22486, 0.12585), green (0.86644, −0.23389, 0.17950), blue
 * (0.45201, −0.03246, −0.31153), white (1, 0, 0): Ottosson's figures. */
static void
test_distance (void)
{
  static const struct {
    guint32 a, b;
    double distance;
  } pairs[] = {
    { 0x000000, 0xFFFFFF, 1 },     { 0xFF0000, 0x00FF00, .5197 }, { 0xFF0000, 0x0000FF, .5371 },
    { 0x00FF00, 0x0000FF, .6734 }, { 0xFF0000, 0xFFFFFF, .4526 }, { 0x123456, 0x123456, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_test_message ("#%06x and #%06x", pairs[i].a, pairs[i].b);
      g_assert_cmpfloat_with_epsilon (ls_color_distance (rgb (pairs[i].a), rgb (pairs[i].b)),
                                      pairs[i].distance, 5e-4);
      g_assert_cmpfloat_with_epsilon (ls_color_distance (rgb (pairs[i].b), rgb (pairs[i].a)),
                                      pairs[i].distance, 5e-4);
    }
}

/* Greys are seen as they are by everybody; and each kind of blindness confuses what it is known for, and
 * keeps what it isn't. */
static void
test_sight (void)
{
  for (guint sight = 0; sight < LS_SIGHT_N; sight++)
    for (guint32 grey = 0; grey < 256; grey += 51)
      assert_same (ls_color_seen (rgb (grey << 16 | grey << 8 | grey), (LsSight) sight),
                   rgb (grey << 16 | grey << 8 | grey), "grey %u by sight %u", grey, sight);
  assert_same (ls_color_seen (rgb (0x3377BB), LS_SIGHT_FULL), rgb (0x3377BB), "a blue in full sight");
  /* a red and a green as light as each other */
  const LsColor red = rgb (0xE04040), green = rgb (0x6A8A20), blue = rgb (0x4060E0), grey = rgb (0x8E8E5A);
  const double full = ls_color_distance (red, green);
  g_assert_cmpfloat (ls_color_distance (ls_color_seen (red, LS_SIGHT_DEUTERANOPIA),
                                        ls_color_seen (green, LS_SIGHT_DEUTERANOPIA)),
                     <, full * .5);
  g_assert_cmpfloat (
    ls_color_distance (ls_color_seen (red, LS_SIGHT_PROTANOPIA), ls_color_seen (green, LS_SIGHT_PROTANOPIA)),
    <, full * .75);
  g_assert_cmpfloat (
    ls_color_distance (ls_color_seen (red, LS_SIGHT_TRITANOPIA), ls_color_seen (green, LS_SIGHT_TRITANOPIA)),
    >, full * .8);
  g_assert_cmpfloat (ls_color_distance (ls_color_seen (blue, LS_SIGHT_DEUTERANOPIA),
                                        ls_color_seen (grey, LS_SIGHT_DEUTERANOPIA)),
                     >, .15);
  /* red is dark without red cones, and not without green ones */
  g_assert_cmpfloat (ls_color_luminance (ls_color_seen (rgb (0xFF0000), LS_SIGHT_PROTANOPIA)), <,
                     .6 * ls_color_luminance (ls_color_seen (rgb (0xFF0000), LS_SIGHT_DEUTERANOPIA)));
}

/* A ramp passes through its stops, stays between them, and ends at its ends. */
static void
test_ramp (void)
{
  const LsColor stops[] = { LS_RGB (0x0B5E92), LS_RGB (0x8FC1DF), LS_RGB (0xF4F4F2), LS_RGB (0xF3AC76),
                            LS_RGB (0xA04000) };
  double before = 0;

  for (guint n = 2; n <= G_N_ELEMENTS (stops); n++)
    {
      for (guint i = 0; i < n; i++)
        assert_same (ls_color_ramp (stops, n, i / (n - 1.)), stops[i], "stop %u of %u", i, n);
      assert_same (ls_color_ramp (stops, n, -1), stops[0], "below a ramp of %u", n);
      assert_same (ls_color_ramp (stops, n, 2), stops[n - 1], "above a ramp of %u", n);
    }
  for (guint i = 0; i <= 50; i++)
    {
      const double from = ls_color_distance (ls_color_ramp (stops, 2, i / 50.), stops[0]);
      /* even steps to the eye */
      g_assert_cmpfloat_with_epsilon (from, i / 50. * ls_color_distance (stops[0], stops[1]), 1e-3);
      g_assert_cmpfloat (from, >=, before);
      before = from;
    }
  assert_same (ls_color_mix (rgb (0x000000), rgb (0x80FF40), .25), rgb (0x204010), "a quarter of a mix");
  assert_same (ls_color_mix (rgb (0x123456), rgb (0x80FF40), 0), rgb (0x123456), "nothing of a mix");
  assert_same (ls_color_on (rgb (0xFFFFFF)), rgb (0x141414), "text on white");
  assert_same (ls_color_on (rgb (0x202020)), rgb (0xFFFFFF), "text on black");
  for (guint32 grey = 0; grey < 256; grey++)
    g_assert_cmpfloat (ls_color_contrast (ls_color_on (rgb (grey * 0x10101)), rgb (grey * 0x10101)), >=, 4.2);
}

/* ---- inks ---- */

/* An ink is what it is called, in every look. */
static void
test_inks (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      LsStyle style;

      ls_style_init (&style, (LsLook) look, 1);
      const LsPalette *p = style.palette;
      const struct {
        LsInk ink;
        double value;
        LsColor color;
      } inks[] = {
        { LS_INK_TEXT, 0, p->text },
        { LS_INK_QUIET, 0, p->quiet },
        { LS_INK_HAIRLINE, 0, p->hairline },
        { LS_INK_EDGE, 0, p->edge },
        { LS_INK_TRACK, 0, p->track },
        { LS_INK_CHOSEN, 0, p->chosen },
        { LS_INK_WINDOW, 0, p->window },
        { LS_INK_VIEW, 0, p->view },
        { LS_INK_HEADER, 0, p->header },
        { LS_INK_SIDEBAR, 0, p->sidebar },
        { LS_INK_CARD, 0, p->card },
        { LS_INK_AMBER, 0, p->amber },
        { LS_INK_MARK, 0, p->lanes[0].mark },
        { LS_INK_MARK, 1, p->lanes[1].mark },
        { LS_INK_LANE, 0, p->lanes[0].ink },
        { LS_INK_LANE, 1, p->lanes[1].ink },
        { LS_INK_SOFT, 0, p->lanes[0].soft },
        { LS_INK_SOFT, 1, p->lanes[1].soft },
        { LS_INK_MARK, LS_INK_OF (7), p->lanes[7].mark },
        { LS_INK_WORKER, 0, p->workers[0] },
        { LS_INK_WORKER, 7, p->workers[7] },
        { LS_INK_WORKER, 8, p->workers[0] },
        { LS_INK_WORKER, 13, p->workers[5] },
        { LS_INK_ORDER, 0, p->order[0] },
        { LS_INK_ORDER, .5, p->order[1] },
        { LS_INK_ORDER, 1, p->order[2] },
        { LS_INK_SIGN, -1, p->sign[0] },
        { LS_INK_SIGN, 0, p->sign[1] },
        { LS_INK_SIGN, 1, p->sign[2] },
        { LS_INK_AMOUNT, 0, p->amount[0] },
        { LS_INK_AMOUNT, 1, p->amount[1] },
        { LS_INK_FASTER, 0, p->faster[0] },
        { LS_INK_FASTER, .25, p->faster[1] },
        { LS_INK_FASTER, .5, p->faster[2] },
        { LS_INK_FASTER, 1, p->faster[4] },
      };
      const LsInk pairs[][2] = {
        { LS_INK_ON_WORKER, LS_INK_WORKER }, { LS_INK_ON_ORDER, LS_INK_ORDER },
        { LS_INK_ON_MARK, LS_INK_MARK },     { LS_INK_ON_SOFT, LS_INK_SOFT },
        { LS_INK_ON_AMOUNT, LS_INK_AMOUNT }, { LS_INK_ON_SIGN, LS_INK_SIGN },
        { LS_INK_ON_FASTER, LS_INK_FASTER }, { LS_INK_ON_TEXT, LS_INK_TEXT },
      };

      for (guint i = 0; i < G_N_ELEMENTS (inks); i++)
        assert_same (ls_style_color (&style, inks[i].ink, inks[i].value), inks[i].color, "%s: ink %u of %g",
                     ls_look_name ((LsLook) look), inks[i].ink, inks[i].value);
      /* what is written on a fill is black or white, whichever is farther from it */
      for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
        for (guint v = 0; v <= 10; v++)
          {
            const gboolean whole = pairs[i][1] == LS_INK_WORKER || pairs[i][1] == LS_INK_MARK
                                   || pairs[i][1] == LS_INK_SOFT;
            const double value = whole                        ? v % 8 + (pairs[i][1] != LS_INK_WORKER ? 2 : 0)
                                 : pairs[i][1] == LS_INK_SIGN ? v / 5. - 1
                                                              : v / 10.;
            const LsColor fill = ls_style_color (&style, pairs[i][1], value);
            const LsColor on = ls_style_color (&style, pairs[i][0], value);
            const double best = MAX (ls_color_contrast (fill, rgb (0x141414)),
                                     ls_color_contrast (fill, rgb (0xFFFFFF)));
            if (fabs (ls_color_contrast (on, fill) - best) > 1e-6)
              g_error ("%s: text of ink %u on %g has a contrast of %.2f, and could have %.2f",
                       ls_look_name ((LsLook) look), pairs[i][0], value, ls_color_contrast (on, fill), best);
          }
      /* the left lane's end is its colour, the right one's the other */
      g_assert_cmpfloat (ls_color_distance (p->faster[0], p->lanes[0].mark), <,
                         ls_color_distance (p->faster[0], p->lanes[1].mark));
      g_assert_cmpfloat (ls_color_distance (p->faster[4], p->lanes[1].mark), <,
                         ls_color_distance (p->faster[4], p->lanes[0].mark));
      g_assert_cmpint (style.dashed, ==, look == LS_LOOK_PRINT);
    }
}

/* Blue is the left lane and orange the right one, in every look. */
static void
test_hues (void)
{
  for (guint look = 0; look < LS_LOOK_N; look++)
    {
      LsStyle style;
      LsLook found;

      ls_style_init (&style, (LsLook) look, 1);
      const LsColor left = style.palette->lanes[0].mark, right = style.palette->lanes[1].mark;
      g_assert_true (left.b > left.g && left.g > left.r);
      g_assert_true (right.r > right.g && right.g > right.b);
      g_assert_true (ls_look_find (ls_look_name ((LsLook) look), &found));
      g_assert_cmpuint (found, ==, look);
      for (guint lane = LS_SIDES; lane < LS_LANE_INKS; lane++)
        {
          const LsColor grey = style.palette->lanes[lane].mark;
          g_assert_cmpfloat (MAX (MAX (grey.r, grey.g), grey.b) - MIN (MIN (grey.r, grey.g), grey.b), <, .06);
        }
      /* a dark look is dark, and the others are light */
      g_assert_cmpint (ls_color_luminance (style.palette->view) < .5, ==, look == LS_LOOK_DARK);
    }
  LsLook none = LS_LOOK_DARK;
  g_assert_false (ls_look_find ("sepia", &none));
  g_assert_null (ls_look_name (LS_LOOK_N));
  g_assert_cmpstr (ls_look_name (LS_LOOK_LIGHT), ==, "light");
  g_assert_cmpstr (ls_look_name (LS_LOOK_DARK), ==, "dark");
  g_assert_cmpstr (ls_look_name (LS_LOOK_PRINT), ==, "print");
  g_assert_cmpstr (ls_look_name (LS_LOOK_PROJECTOR), ==, "projector");
}

/* Two styles are the same only when nothing in them differs; high contrast makes every line wider, and can be
 * taken back. */
static void
test_equal (void)
{
  LsStyle a, b;

  ls_style_init (&a, LS_LOOK_LIGHT, 1);
  b = a;
  g_assert_true (ls_style_equal (&a, &b));
  double *const widths[] = { &b.text_scale, &b.hairline, &b.edge, &b.data, &b.underlay, &b.picked };
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      *widths[i] += 1;
      g_test_message ("width %u", i);
      g_assert_false (ls_style_equal (&a, &b));
      *widths[i] -= 1;
    }
  b.dashed = !b.dashed;
  g_assert_false (ls_style_equal (&a, &b));
  b = a;
  b.look = LS_LOOK_DARK;
  g_assert_false (ls_style_equal (&a, &b));
  b = a;
  b.stands[1] = 4;
  g_assert_false (ls_style_equal (&a, &b));
  b = a;
  ls_style_set_contrast (&b, TRUE);
  g_assert_false (ls_style_equal (&a, &b));
  g_assert_true (b.hairline > a.hairline && b.edge > a.edge && b.data > a.data);
  assert_same (ls_style_color (&b, LS_INK_AMBER, 0), a.palette->text, "amber in high contrast");
  assert_same (ls_style_color (&b, LS_INK_HAIRLINE, 0), a.palette->edge, "a hairline in high contrast");
  g_assert_cmpfloat (ls_color_contrast (ls_style_color (&b, LS_INK_TRACK, 0), a.palette->view), >,
                     ls_color_contrast (a.palette->track, a.palette->view));
  ls_style_set_contrast (&b, FALSE);
  g_assert_true (ls_style_equal (&a, &b));
}

/* ---- sizes ---- */

/* A larger window has no smaller type, twice the text scale twice the type, and the projector's is the
 * largest of all. */
static void
test_metrics (void)
{
  static const struct {
    double w, h;
    LsSize size;
  } windows[] = {
    { 960, 600, LS_SIZE_SMALL },   { 1280, 600, LS_SIZE_SMALL },  { 1000, 1200, LS_SIZE_SMALL },
    { 1280, 800, LS_SIZE_MEDIUM }, { 1920, 800, LS_SIZE_MEDIUM }, { 1366, 1080, LS_SIZE_MEDIUM },
    { 1920, 1080, LS_SIZE_LARGE }, { 3840, 2160, LS_SIZE_LARGE },
  };
  LsMetrics m, before[LS_SIZE_LARGE + 1] = { 0 };
  LsStyle style;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      ls_metrics_init (&m, &style, windows[i].w, windows[i].h);
      if (m.size != windows[i].size)
        g_error ("%g×%g is of size %u, not %u", windows[i].w, windows[i].h, m.size, windows[i].size);
      g_assert_false (m.projector);
      before[m.size] = m;
    }
  for (guint s = LS_SIZE_MEDIUM; s <= LS_SIZE_LARGE; s++)
    {
      const LsMetrics *a = &before[s - 1], *b = &before[s];
      g_assert_true (a->huge.px < b->huge.px && a->rate.px < b->rate.px && a->number.px < b->number.px
                     && a->name.px < b->name.px && a->heading.px < b->heading.px && a->body.px <= b->body.px);
      g_assert_true (a->gutter < b->gutter && a->ribbon_h < b->ribbon_h && a->control_h < b->control_h);
    }
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      LsStyle twice;
      LsMetrics large, hall;

      ls_metrics_init (&m, &style, windows[i].w, windows[i].h);
      ls_style_init (&twice, LS_LOOK_LIGHT, 2);
      ls_metrics_init (&large, &twice, windows[i].w * 2, windows[i].h * 2);
      g_assert_cmpuint (large.size, ==, m.size);
      g_assert_cmpfloat_with_epsilon (large.body.px, 2 * m.body.px, 1e-9);
      g_assert_cmpfloat_with_epsilon (large.huge.px, 2 * m.huge.px, 1e-9);
      g_assert_cmpfloat_with_epsilon (large.unit, 2 * m.unit, 1e-9);
      g_assert_cmpfloat_with_epsilon (large.margin, m.margin, 1e-9); /* the window's, not the words' */
      ls_style_init (&twice, LS_LOOK_PROJECTOR, 1);
      ls_metrics_init (&hall, &twice, windows[i].w, windows[i].h);
      g_assert_true (hall.projector && hall.body.px > m.body.px && hall.label.px > m.label.px
                     && hall.name.px > m.name.px);
      if (windows[i].w >= 1280)
        g_assert_cmpuint (hall.size, ==, windows[i].h >= 620 ? LS_SIZE_LARGE : LS_SIZE_SMALL);
    }
  /* bold is bold, and a rule of sizes: a heading is no smaller than what is under it */
  g_assert_true (m.strong.weight == 700 && m.heading.weight == 700 && m.title.weight == 700
                 && m.body.weight == 400 && m.label.weight == 400 && m.tick.weight == 400);
  g_assert_true (m.heading.px >= m.body.px && m.body.px >= m.label.px && m.label.px >= m.tick.px);
}

/* The desktop's scaling is kept where there is room for it, and as much of it as there is room for elsewhere.
 */
static void
test_text_scale (void)
{
  static const struct {
    double asked, w, h, given;
  } cases[] = {
    { 1, 960, 600, 1 },  { 1.25, 1920, 1080, 1.25 }, { 2, 1640, 2000, 2 },
    { 2, 4000, 980, 2 }, { 2, 1230, 2000, 1.5 },     { 2, 4000, 735, 1.5 },
    { 2, 500, 400, 1 },  { .75, 500, 400, .75 },     { 9, 9999, 9999, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsStyle style;

      ls_style_init (&style, LS_LOOK_LIGHT, cases[i].asked);
      if (fabs (ls_metrics_text_scale (&style, cases[i].w, cases[i].h) - cases[i].given) > 1e-9)
        g_error ("a text scale of %g at %g×%g comes out as %g, not %g", cases[i].asked, cases[i].w,
                 cases[i].h, ls_metrics_text_scale (&style, cases[i].w, cases[i].h), cases[i].given);
      ls_style_init (&style, LS_LOOK_PROJECTOR, cases[i].asked);
      g_assert_cmpfloat (ls_metrics_text_scale (&style, cases[i].w, cases[i].h), <=, 1);
    }
}

/* ---- labels that give way ---- */

/* Those that have room stay; the others are a pitch apart, in their order, around where they were, within
 * what there is. */
static void
test_spread (void)
{
  static const struct {
    guint n;
    double y[5], top, bottom, after[5];
  } cases[] = {
    { 1, { 50 }, 0, 100, { 50 } },
    { 1, { -5 }, 0, 100, { 0 } },
    { 1, { 120 }, 0, 100, { 100 } },
    { 3, { 10, 40, 70 }, 0, 100, { 10, 40, 70 } },
    { 2, { 50, 50 }, 0, 100, { 45, 55 } },
    { 2, { 48, 54 }, 0, 100, { 46, 56 } },
    { 3, { 50, 50, 50 }, 0, 100, { 40, 50, 60 } },
    { 2, { 0, 0 }, 0, 100, { 0, 10 } },
    { 2, { 100, 100 }, 0, 100, { 90, 100 } },
    { 4, { 98, 99, 99, 100 }, 0, 100, { 70, 80, 90, 100 } },
    { 3, { 5, 20, 95 }, 0, 100, { 5, 20, 95 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double y[5];
      memcpy (y, cases[i].y, sizeof y);
      ls_spread (y, cases[i].n, 10, cases[i].top, cases[i].bottom);
      for (guint k = 0; k < cases[i].n; k++)
        if (fabs (y[k] - cases[i].after[k]) > .05)
          g_error ("case %u: label %u comes to %g, not %g", i, k, y[k], cases[i].after[k]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/color/contrast", test_contrast);
  g_test_add_func ("/paint/color/distance", test_distance);
  g_test_add_func ("/paint/color/sight", test_sight);
  g_test_add_func ("/paint/color/ramp", test_ramp);
  g_test_add_func ("/paint/color/inks", test_inks);
  g_test_add_func ("/paint/color/hues", test_hues);
  g_test_add_func ("/paint/color/equal", test_equal);
  g_test_add_func ("/paint/color/metrics", test_metrics);
  g_test_add_func ("/paint/color/text-scale", test_text_scale);
  g_test_add_func ("/paint/color/spread", test_spread);
  return g_test_run ();
}
