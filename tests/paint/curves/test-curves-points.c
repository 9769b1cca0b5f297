/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot's lines before they are drawn: which there are, and for which steps their points and dots stand.
 * The steps are the test's own, so each of these is counted by hand.
 */
#include <string.h>

#include "steps_rig.h"
#include "tests/plain.h"

/* ---- which lines ---- */

/* Runs before lie under lanes that stand on no side, and these under both sides: what is drawn last is seen.
 * What the lanes differ by is one line. */
static void
test_lines (void)
{
  Rig r;
  rig_start (&r);
  g_autoptr (GPtrArray) others = g_ptr_array_new (), runs = g_ptr_array_new ();
  LsViewLane other = { .curve = ls_curve_new (), .ink = 3 };
  LsRunCurves run = { .batch = 10, .sides = { { .curve = ls_curve_new () } } };

  g_clear_pointer (&r.data->others, g_ptr_array_unref);
  for (guint i = 0; i < 30; i++)
    {
      add_step (&other, 1000, 3, i + 1);
      add_step (&run.sides[0], 1000, 4, i + 1);
      for (guint side = 0; side < LS_SIDES; side++)
        add_step (&r.data->sides[side], 1000, 1 + side, i + 1);
    }
  g_ptr_array_add (others, &other);
  g_ptr_array_add (runs, &run);
  r.data->others = others;
  r.data->runs = runs;
  for (LsCurveKind kind = 0; kind < LS_CURVE_N; kind++)
    for (guint with = 0; with < 2; with++)
      {
        const guint n = kind == LS_CURVE_ACCURACY ? 0 : kind == LS_CURVE_DELTA ? 1 : with ? 4 : 2;
        rig_open (&r, kind, with ? LS_CHART_RUNS : LS_CHART_PLAIN, FALSE);
        /* the run before has one lane, so it differs from nothing; one that stands on no side neither */
        g_assert_cmpuint (r.c.n_lines, ==, n);
        for (guint i = 0; i < n; i++)
          {
            const LsChartLine *line = &r.c.lines[i];
            const guint place = with && n == 4 ? i : i + 2;
            g_assert_true (line->run == (place == 0 ? &run : NULL));
            g_assert_true (line->lane
                           == (place == 0   ? &run.sides[0]
                               : place == 1 ? &other
                                            : &r.data->sides[place - 2]));
            if (place == 1)
              g_assert_cmpuint (line->side, >=, LS_SIDES);
            else
              g_assert_cmpuint (line->side, ==, place == 0 ? 0 : place - 2);
            g_assert_cmpuint (line->series.batch, ==, place == 0 ? 10 : 100);
          }
        rig_shut (&r);
      }
  r.data->others = r.data->runs = NULL;
  ls_curve_unref (other.curve);
  ls_curve_unref (run.sides[0].curve);
  rig_end (&r);
}

/* ---- points ---- */

/* With room for each step a point is a step; else it is the middle of its column, all of a column are within
 * its band, and no step is outside of all. A column is as many pixels wide as its plot says. */
static void
test_columns (void)
{
  static const struct {
    guint steps;
    LsCurveKind kind;
    LsChartParts parts;
    guint columns;
    gboolean dense;
  } cases[] = {
    { 1, LS_CURVE_LOSS, LS_CHART_PLAIN, 1, FALSE },
    { 30, LS_CURVE_LOSS, LS_CHART_PLAIN, 30, FALSE },
    { 200, LS_CURVE_LOSS, LS_CHART_PLAIN, 200, FALSE },
    { 300, LS_CURVE_LOSS, LS_CHART_PLAIN, 200, FALSE },
    { 400, LS_CURVE_LOSS, LS_CHART_PLAIN, 200, TRUE },
    { 3000, LS_CURVE_LOSS, LS_CHART_PLAIN, 200, TRUE },
    { 3000, LS_CURVE_LOSS, LS_CHART_STACKED, 100, TRUE },
    { 3000, LS_CURVE_DELTA, LS_CHART_PLAIN, 300, TRUE },
    { 3000, LS_CURVE_DELTA, LS_CHART_STACKED, 100, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint n = cases[i].steps;
      Rig r;
      rig_start (&r);
      /* the losses rise, so that a value tells its step; the right one's is 1 at each */
      for (guint k = 0; k < n; k++)
        {
          add_step (&r.data->sides[0], 1000, 2 + k, k + 1);
          add_step (&r.data->sides[1], 1000, 1, k + 1);
        }
      rig_open (&r, cases[i].kind, cases[i].parts, FALSE);
      const LsChartLine *line = &r.c.lines[0];
      const double less = cases[i].kind == LS_CURVE_DELTA ? 1 : 2; /* value of the first step */
      g_assert_cmpuint (line->points->len, ==, cases[i].columns);
      if (line->dense != cases[i].dense)
        g_error ("%u steps in %u points are%s a band", n, line->points->len, line->dense ? "" : " not");
      g_assert_cmpfloat (r.c.extent, ==, n);
      g_assert_cmpfloat (line->end_x, ==, n);
      g_assert_cmpfloat (line->end_value, ==, less + n - 1);
      for (guint k = 0; k < line->points->len; k++)
        {
          const LsChartPoint *p = point (&r, 0, k);
          /* by its values, from 1 */
          const double first = p->low - less + 1, last = p->high - less + 1;
          if (fabs (p->x - (first + last) / 2) > 1e-6)
            g_error ("of %u steps, those from %g to %g stand at step %g", n, first, last, p->x);
          g_assert_cmpfloat (first, ==, k == 0 ? 1 : point (&r, 0, k - 1)->high - less + 2);
          g_assert_cmpfloat_with_epsilon (p->middle, (p->low + p->high) / 2, .5 + (last - first) / 20);
        }
      g_assert_cmpfloat (point (&r, 0, line->points->len - 1)->high, ==, less + n - 1);
      rig_shut (&r);
      rig_end (&r);
    }
}

/* Under a rate's line are single steps: all that have room, else two of each column, evenly, and any that is
 * far from the line. A dot is where its step is, and says what that did. */
static void
test_dots (void)
{
  for (guint many = 0; many < 2; many++)
    {
      const guint n = many ? 2000 : 150, slow = n / 3, fast = n / 2, a_bit = 2 * n / 3;
      guint slow_dots = 0, fast_dots = 0, bit_dots = 0;
      double sum = 0;
      Rig r;
      rig_start (&r);
      for (guint k = 0; k < n; k++)
        add_step (&r.data->sides[0],
                  k == slow    ? 2500
                  : k == fast  ? 800
                  : k == a_bit ? 1050 /* 95 %: not far */
                               : 1000,
                  1, k + 1);
      rig_open (&r, LS_CURVE_RATE, LS_CHART_PLAIN, FALSE);
      const GArray *dots = r.c.lines[0].dots;
      g_assert_cmpfloat (r.c.scale, ==, 1e3);
      for (guint i = 0; i < dots->len; i++)
        {
          const LsChartDot *dot = &g_array_index (dots, LsChartDot, i);
          slow_dots += fabs (dot->value - 40) < .01;
          fast_dots += fabs (dot->value - 125) < .01;
          bit_dots += fabs (dot->value - 100e3 / 1050) < .01;
          sum += dot->x;
          if (fabs (dot->value - 40) < .01 && fabs (dot->x - slow - 1) > n / 200. + 1e-6)
            g_error ("the step %u, which was slow, has its dot at %g", slow + 1, dot->x);
          if (!many) /* it is that step's */
            g_assert_cmpfloat_with_epsilon (dot->x, i + 1, 1e-6);
        }
      if (slow_dots == 0 || fast_dots == 0)
        g_error ("among %u steps the one that took two and a half times as long has %u dots, the fast one %u",
                 n, slow_dots, fast_dots);
      if (many)
        {
          g_assert_cmpuint (dots->len, <=, 2 * 200 + 2);
          g_assert_cmpuint (dots->len, >=, 2 * 200);
          /* ten steps in a column: those at its quarters */
          if (fabs (sum / dots->len - (n + 1) / 2.) > 1.3)
            g_error ("the dots of %u steps stand round step %g", n, sum / dots->len);
        }
      else
        {
          g_assert_cmpuint (dots->len, ==, n);
          g_assert_cmpuint (bit_dots, ==, 1);
        }
      rig_shut (&r);
      rig_end (&r);
    }
}

/* A step near the line is no dot of its own. */
static void
test_near_dots (void)
{
  guint dots[2];

  for (guint near = 0; near < 2; near++)
    {
      Rig r;
      rig_start (&r);
      for (guint k = 0; k < 2000; k++) /* the fourth of ten in a column, which has no dot */
        add_step (&r.data->sides[0], near && k % 10 == 4 ? 1060 : near && k % 10 == 5 ? 950 : 1000, 1, k + 1);
      rig_open (&r, LS_CURVE_RATE, LS_CHART_PLAIN, FALSE);
      dots[near] = r.c.lines[0].dots->len;
      rig_shut (&r);
      rig_end (&r);
    }
  g_assert_cmpuint (dots[0], ==, 400);
  g_assert_cmpuint (dots[1], ==, 400);
}

/* By seconds a line breaks where nothing ran for long, not where a step itself took long. */
static void
test_pauses (void)
{
  static const struct {
    guint32 pause_ms;
    double step_us; /* of the step after it */
    guint gaps;
  } cases[] = { { 2900, 1000, 0 }, { 3100, 1000, 1 },   { 9000, 20e3, 1 },
                { 9000, 9e6, 0 },  { 60000, 4.4e6, 1 }, { 60000, 59e6, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint gaps = 0;
      guint32 ms = 0;
      Rig r;
      rig_start (&r);
      for (guint k = 0; k < 200; k++)
        {
          ms += k == 100 ? cases[i].pause_ms : 1;
          add_step (&r.data->sides[0], k == 100 ? cases[i].step_us : 1000, 1, ms);
        }
      rig_open (&r, LS_CURVE_RATE, LS_CHART_PLAIN, TRUE);
      g_assert_true (r.c.seconds);
      g_assert_cmpfloat_with_epsilon (r.c.extent, ms / 1e3, 1e-9);
      for (guint k = 0; k < r.c.lines[0].points->len; k++)
        gaps += isnan (point (&r, 0, k)->middle);
      if (gaps != cases[i].gaps)
        g_error ("%u ms without a step that ended, and then one of %g ms: %u gaps", cases[i].pause_ms,
                 cases[i].step_us / 1e3, gaps);
      rig_shut (&r);
      rig_end (&r);
    }
}

/* Of steps that don't count, as the first ones, a rate has no dots, and its line isn’t moved by them. */
static void
test_uncounted (void)
{
  Rig r;

  rig_start (&r);
  for (guint k = 0; k < 40; k++)
    g_assert_true (
      ls_curve_append (r.data->sides[0].curve, (LsPoint){ .end_ms = k + 1,
                                                          .step_us = (float) (k < 10 ? 5000 : 1000),
                                                          .loss = 1,
                                                          .flags = k < 10    ? LS_POINT_WARM_UP
                                                                   : k == 25 ? LS_POINT_DISTURBED
                                                                             : 0 }));
  r.data->sides[0].steps = 40;
  rig_open (&r, LS_CURVE_RATE, LS_CHART_PLAIN, FALSE);
  const GArray *dots = r.c.lines[0].dots;
  for (guint i = 0; i < dots->len; i++)
    {
      const LsChartDot *dot = &g_array_index (dots, LsChartDot, i);
      const guint step = 11 + i + (i >= 15);
      if (dot->x != step || fabs (dot->value - 100) > 1e-3)
        g_error ("dot %u stands at step %g and %g k samples/s, not at %u and 100", i, dot->x, dot->value,
                 step);
    }
  g_assert_cmpuint (dots->len, ==, 29);
  for (guint i = 0; i < r.c.lines[0].points->len; i++)
    if (fabs (point (&r, 0, i)->middle - 100) > 1e-3)
      g_error ("the line is at %g k samples/s at step %g", point (&r, 0, i)->middle, point (&r, 0, i)->x);
  rig_shut (&r);
  rig_end (&r);
}

/* A plot that has nothing to show says why in its middle, over its foot. */
static void
test_nothing (void)
{
  static const struct {
    LsCurveKind kind;
    guint steps[LS_SIDES], warm_up;
    double losses[LS_SIDES];
    const char *words; /* NULL: there are lines */
  } cases[] = {
    { LS_CURVE_LOSS, { 0, 0 }, 0, { 1, 1 }, "no step yet" },
    { LS_CURVE_RATE, { 0, 0 }, 0, { 1, 1 }, "no step yet" },
    { LS_CURVE_ACCURACY, { 0, 0 }, 0, { 1, 1 }, "no step yet" },
    { LS_CURVE_DELTA, { 0, 0 }, 0, { 1, 1 }, "no step yet" },
    { LS_CURVE_LOSS, { 1, 0 }, 10, { 1, 1 }, NULL },
    { LS_CURVE_RATE, { 9, 0 }, 10, { 1, 1 }, "not measured yet" },
    { LS_CURVE_RATE, { 0, 10 }, 10, { 1, 1 }, "not measured yet" },
    { LS_CURVE_RATE, { 10, 10 }, 10, { 1, 1 }, "not measured yet" },
    { LS_CURVE_RATE, { 10, 40 }, 10, { 1, 1 }, NULL },
    { LS_CURVE_ACCURACY, { 9, 9 }, 0, { 1, 2 }, "not measured yet" },
    { LS_CURVE_DELTA, { 9, 0 }, 0, { 1, 2 }, "needs two lanes" },
    { LS_CURVE_DELTA, { 0, 9 }, 0, { 1, 2 }, "needs two lanes" },
    { LS_CURVE_DELTA, { 9, 9 }, 0, { 1, 1 }, "by nothing, in any step" },
    { LS_CURVE_DELTA, { 9, 9 }, 0, { 1, 2 }, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Rig r;

      rig_start (&r);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          LsViewLane *lane = &r.data->sides[side];
          for (guint k = 0; k < cases[i].steps[side]; k++)
            g_assert_true (ls_curve_append (
              lane->curve, (LsPoint){ .end_ms = k + 1,
                                      .step_us = 1000,
                                      .loss = (float) cases[i].losses[side],
                                      .flags = k < cases[i].warm_up ? LS_POINT_WARM_UP : 0 }));
          lane->steps = cases[i].steps[side];
        }
      const guint first = r.layout->still->items->len, plots = r.layout->plots->len;
      guint lines = 0, texts = 0;
      r.layout->query.curves.seconds = FALSE;
      ls_chart_open (&r.c, r.layout, cases[i].kind, LS_CHART_PLAIN);
      r.c.left = 100;
      r.c.right = 700;
      r.c.end = 780;
      r.c.top = 50;
      r.c.bottom = 250;
      ls_chart_draw (&r.c);
      const LsScene *s = r.layout->still;
      if ((r.layout->plots->len == plots) != (cases[i].words != NULL))
        g_error ("case %u: there is%s a plot", i, r.layout->plots->len == plots ? " not" : "");
      for (guint k = first; k < s->items->len && cases[i].words != NULL; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          const float *at = &g_array_index (s->points, float, 2 * item->points);
          if (item->kind == LS_ITEM_LINE)
            {
              g_assert_cmpuint (item->n_points, ==, 2);
              g_assert_true (at[0] == 100 && at[1] == 250 && at[2] == 700 && at[3] == 250);
              lines++;
              continue;
            }
          g_assert_cmpint (item->kind, ==, LS_ITEM_TEXT);
          if (strcmp (item->text, cases[i].words) != 0)
            g_error ("case %u: it says “%s”, not “%s”", i, item->text, cases[i].words);
          g_assert_cmpfloat_with_epsilon (((double) item->x + ls_item_right (item)) / 2, 400, 1);
          g_assert_cmpfloat_with_epsilon ((double) item->y - .36 * (double) item->type.px, 150, 1);
          texts++;
        }
      if (cases[i].words != NULL && (lines != 1 || texts != 1))
        g_error ("case %u: “%s” is said %u times, over %u lines", i, cases[i].words, texts, lines);
      rig_end (&r);
    }
}

/* Left of each line across stands its value: powers of ten where it is very small or large,
 * accuracies in per cent, whose sign a stack of plots leaves out. */
static void
test_heights (void)
{
  static const struct {
    LsCurveKind kind;
    LsChartParts parts;
    double low, high;
    gboolean log;
    double ticks[6];
    const char *words[7];
  } cases[] = {
    { LS_CURVE_LOSS,
      LS_CHART_PLAIN,
      1e-7,
      1e7,
      TRUE,
      { 1e-6, 1e-4, 1e-3, .5, 1000, 1e6 },
      { "10⁻⁶", "10⁻⁴", "0.001", "0.5", "1 000", "10⁶" } },
    { LS_CURVE_DELTA, LS_CHART_PLAIN, 1e-9, 10, TRUE, { 1e-8, 1e-5, 1e-3 }, { "10⁻⁸", "10⁻⁵", "10⁻³" } },
    { LS_CURVE_RATE, LS_CHART_PLAIN, 0, 300, FALSE, { 0, 62.5, 125, 250 }, { "0", "62.5", "125", "250" } },
    { LS_CURVE_ACCURACY, LS_CHART_PLAIN, .9, 1, FALSE, { .9, .925, 1 }, { "90 %", "92.5 %", "100 %" } },
    { LS_CURVE_ACCURACY, LS_CHART_STACKED, .9, 1, FALSE, { .9, .925, 1 }, { "90", "92.5", "100" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n = 0;
      Rig r;

      rig_start (&r);
      add_step (&r.data->sides[0], 1000, 1, 1);
      add_step (&r.data->sides[1], 1000, 2, 1);
      rig_open (&r, cases[i].kind, cases[i].parts, FALSE);
      ls_chart_init_x (&r.c);
      ls_axis_init (&r.c.y, cases[i].low, cases[i].high, r.c.bottom, r.c.top, cases[i].log, 6);
      while (cases[i].words[n] != NULL)
        {
          r.c.y.ticks[n] = cases[i].ticks[n];
          n++;
        }
      r.c.y.n_ticks = n;
      ls_scene_clear (r.layout->still);
      ls_chart_axes (&r.c);
      for (guint k = 0; k < n; k++) /* a line and its number each */
        {
          const LsScene *s = r.layout->still;
          const LsItem *line = ls_scene_get (s, 2 * k), *text = ls_scene_get (s, 2 * k + 1);
          const float *at = &g_array_index (s->points, float, 2 * line->points);
          const double y = ls_axis_at (&r.c.y, cases[i].ticks[k]);
          g_autofree char *said = plain (g_strdup (text->text));

          g_assert_cmpint (line->kind, ==, LS_ITEM_LINE);
          g_assert_cmpint (line->ink, ==, cases[i].ticks[k] > 0 ? LS_INK_HAIRLINE : LS_INK_QUIET);
          g_assert_true (at[0] == (float) r.c.left && at[2] == (float) r.c.right && at[1] == at[3]);
          g_assert_cmpfloat_with_epsilon ((double) at[1], y, .01);
          g_assert_cmpfloat_with_epsilon ((double) text->y - .36 * (double) text->type.px, y, .01);
          g_assert_cmpfloat_with_epsilon (ls_item_right (text), r.c.left - 2 * r.layout->m.unit, .5);
          if (strcmp (said, cases[i].words[k]) != 0)
            g_error ("“%s”: %g is called “%s”, not “%s”", ls_chart_name (cases[i].kind), cases[i].ticks[k],
                     said, cases[i].words[k]);
        }
      rig_shut (&r);
      rig_end (&r);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves-points/lines", test_lines);
  g_test_add_func ("/paint/curves-points/columns", test_columns);
  g_test_add_func ("/paint/curves-points/dots", test_dots);
  g_test_add_func ("/paint/curves-points/near-dots", test_near_dots);
  g_test_add_func ("/paint/curves-points/pauses", test_pauses);
  g_test_add_func ("/paint/curves-points/uncounted", test_uncounted);
  g_test_add_func ("/paint/curves-points/nothing", test_nothing);
  g_test_add_func ("/paint/curves-points/heights", test_heights);
  return g_test_run ();
}
