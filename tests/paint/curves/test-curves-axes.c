/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is written round curves: the numbers under an axis of steps, epochs or seconds, what the lines are in
 * words; and the hall's plots one above the other, which share one axis.
 */
#include <string.h>

#include "steps_rig.h"
#include "tests/paint/said.h"

/* ---- what is written at the axes ---- */

/* Where an epoch's length is known, marks stand at whole epochs: each, each second, fifth or tenth, …, as
 * many as have room; where not even one is done, or by seconds, at round numbers. */
static void
test_epochs (void)
{
  static const struct {
    guint steps, epoch, apart; /* steps; 0: not at epochs */
  } cases[] = {
    { 400, 100, 100 },  { 100, 100, 100 },  { 99, 100, 0 },      { 400, 0, 0 },
    { 1500, 100, 200 }, { 3000, 100, 500 }, { 5000, 100, 1000 }, { 14000, 100, 2000 },
    { 800, 100, 100 },  { 900, 100, 200 },  { 938, 469, 469 },   { 4690, 469, 938 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint seconds = 0; seconds < 2; seconds++)
      {
        Rig r;
        rig_start (&r);
        r.data->steps_per_epoch = cases[i].epoch;
        for (guint k = 0; k < cases[i].steps; k++)
          add_step (&r.data->sides[0], 1000, 1, 10 * (k + 1));
        rig_open (&r, LS_CURVE_LOSS, LS_CHART_PLAIN, seconds > 0);
        r.c.right = r.c.left + 9.5 * 9 * r.layout->m.tick.px; /* room for nine */
        ls_chart_init_x (&r.c);
        g_assert_cmpuint (r.c.x.n_ticks, >=, seconds ? 4 : 2);
        g_assert_cmpuint (r.c.x.n_ticks, <=, 9);
        g_assert_cmpfloat (r.c.x.ticks[0], ==, 0);
        g_assert_cmpfloat_with_epsilon (r.c.x.high, seconds ? cases[i].steps / 100. : cases[i].steps, 1e-6);
        for (guint k = 1; k < r.c.x.n_ticks && cases[i].apart > 0 && !seconds; k++)
          if (fabs (r.c.x.ticks[k] - k * cases[i].apart) > 1e-9)
            g_error ("of %u steps, %u of which are an epoch, a mark stands at %g, not at %u", cases[i].steps,
                     cases[i].epoch, r.c.x.ticks[k], k * cases[i].apart);
        if (cases[i].apart > 0 && !seconds) /* up to the end */
          g_assert_cmpfloat (r.c.x.ticks[r.c.x.n_ticks - 1] + cases[i].apart, >, cases[i].steps);
        rig_shut (&r);
        rig_end (&r);
      }
}

/* The first number says what is counted, and stands at the plot's edge; the others are centred under their
 * marks, and touch neither each other nor its right edge; where the second would, at the end of an epoch that
 * has just been reached, it ends there. */
static void
test_numbers (void)
{
  for (guint seconds = 0; seconds < 2; seconds++)
    for (guint n = 2; n <= 20000; n = n * 3 / 2 + 1)
      {
        Rig r;
        double before = -HUGE_VAL;
        guint numbers = 0;

        rig_start (&r);
        r.data->steps_per_epoch = n % 2 * (n - n / 200);
        for (guint k = 0; k < n; k++)
          add_step (&r.data->sides[0], 1000, 1, 500 * (k + 1));
        rig_open (&r, LS_CURVE_LOSS, LS_CHART_PLAIN, seconds > 0);
        ls_chart_init_x (&r.c);
        ls_scene_clear (r.layout->still);
        ls_chart_axes (&r.c);
        for (guint i = 0; i < r.layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (r.layout->still, i), *mark;
            gboolean marked = FALSE;

            if (item->kind != LS_ITEM_TEXT || (double) item->y < r.c.bottom + 6)
              continue;
            const gboolean first = numbers++ == 0;
            g_assert_cmpfloat ((double) item->x, >, before + 6);
            before = ls_item_right (item);
            g_assert_cmpfloat (before, <=, r.c.right + 1);
            if (first)
              {
                g_assert_cmpstr (item->text, ==, seconds ? "0 s" : "step 0");
                g_assert_cmpfloat_with_epsilon ((double) item->x, r.c.left, .6);
                continue;
              }
            g_autofree char *digits = g_strdup (item->text);
            for (char *c; (c = strstr (digits, "\u2009")) != NULL;) /* between thousands */
              memmove (c, c + strlen ("\u2009"), strlen (c + strlen ("\u2009")) + 1);
            const double value = g_ascii_strtod (digits, NULL), x = ls_axis_at (&r.c.x, value);
            g_assert_true (seconds || fabs (value - floor (value)) < 1e-9); /* there are no half steps */
            if (numbers == 2 && x + (double) item->w / 2 > r.c.right)
              g_assert_cmpfloat_with_epsilon (before, r.c.right, 1);
            else if (fabs ((double) item->x + (double) item->w / 2 - x) > 1)
              g_error ("“%s” stands at %g px, and that is at %g", item->text, (double) item->x, x);
            for (guint k = 0; k < r.layout->still->items->len; k++)
              {
                double left, top, w, h;
                mark = ls_scene_get (r.layout->still, k);
                ls_item_bounds (r.layout->still, mark, &left, &top, &w, &h);
                marked |= mark->kind == LS_ITEM_LINE && fabs (left + w / 2 - x) < 1
                          && fabs (top - r.c.bottom) < 1.5 && h < 8;
              }
            g_assert_true (marked);
          }
        if (numbers < 2)
          g_error ("%u steps%s have the number at their beginning alone", n, seconds ? ", by seconds," : "");
        rig_shut (&r);
        rig_end (&r);
      }
}

/* What the lines are, in words beside the title. */
static void
test_subtitles (void)
{
  static const struct {
    guint lanes; /* with steps: bits */
    gboolean all;
    LsCurveKind kind;
    double rate;
    const char *full, *brief;
  } cases[] = {
    { 3, FALSE, LS_CURVE_LOSS, 1e4, "both lanes, every step", "both lanes, every step" },
    { 3, TRUE, LS_CURVE_LOSS, 1e4, "all lanes, every step", "all lanes, every step" },
    { 1, FALSE, LS_CURVE_LOSS, 1e4, "every step", "every step" },
    { 2, TRUE, LS_CURVE_LOSS, 1e4, "every step", "every step" },
    { 3, FALSE, LS_CURVE_DELTA, 1e4, "between both lanes, every step", "between both lanes, every step" },
    { 3, FALSE, LS_CURVE_ACCURACY, 1e4, "after each epoch", "after each epoch" },
    { 3, FALSE, LS_CURVE_RATE, 500, "samples/s, median of 61 steps over single ones", "samples per second" },
    { 3, FALSE, LS_CURVE_RATE, 5e4, "thousand samples/s, median of 61 steps over single ones",
      "thousand samples per second" },
    { 3, FALSE, LS_CURVE_RATE, 5e7, "million samples/s, median of 61 steps over single ones",
      "million samples per second" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Rig r;
      rig_start (&r);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          r.data->sides[side].steps = cases[i].lanes >> side & 1;
          r.data->sides[side].rate.value = cases[i].rate;
        }
      g_assert_cmpstr (ls_chart_subtitle (r.data, cases[i].kind, cases[i].all, FALSE), ==, cases[i].full);
      g_assert_cmpstr (ls_chart_subtitle (r.data, cases[i].kind, cases[i].all, TRUE), ==, cases[i].brief);
      for (guint side = 0; side < LS_SIDES; side++)
        r.data->sides[side].steps = 0;
      rig_end (&r);
    }
}

/* ---- the hall's plots ---- */

/* A text of what stands still; it is there. */
static const LsItem *
text_of (const LsLayout *layout, const char *words)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    if (ls_scene_get (layout->still, i)->kind == LS_ITEM_TEXT
        && g_str_equal (ls_scene_get (layout->still, i)->text, words))
      return ls_scene_get (layout->still, i);
  g_error ("“%s” isn't said", words);
}

/* One above the other, as far as there is room: the loss, the accuracy where there are any or may come, the
 * rate. They share an axis that reaches to the last step of all; whose numbers stand under the lowest; if one
 * can't be by seconds, none is. Each one's name, and under that its unit, are left of it. */
static void
test_stack (void)
{
  static const struct {
    gboolean live, seconds;
    guint asked; /* after that step the right lane was, 0: it wasn't */
    double h;
    LsCurveKind kinds[3];
    guint n;
  } cases[] = {
    { TRUE, FALSE, 120, 1080, { LS_CURVE_LOSS, LS_CURVE_ACCURACY, LS_CURVE_RATE }, 3 },
    { TRUE, TRUE, 60, 1080, { LS_CURVE_LOSS, LS_CURVE_ACCURACY, LS_CURVE_RATE }, 3 },
    { TRUE, TRUE, 120, 1080, { LS_CURVE_LOSS, LS_CURVE_ACCURACY, LS_CURVE_RATE }, 3 },
    { FALSE, FALSE, 60, 1080, { LS_CURVE_LOSS, LS_CURVE_ACCURACY, LS_CURVE_RATE }, 3 },
    { FALSE, FALSE, 0, 1080, { LS_CURVE_LOSS, LS_CURVE_RATE }, 2 },
    { TRUE, FALSE, 0, 1080, { LS_CURVE_LOSS, LS_CURVE_RATE }, 2 }, /* and a place */
    { TRUE, FALSE, 60, 420, { LS_CURVE_LOSS, LS_CURVE_RATE }, 2 },
    { TRUE, FALSE, 60, 250, { LS_CURVE_LOSS }, 1 },
  };
  static const char *const units[]
    = { [LS_CURVE_LOSS] = NULL, [LS_CURVE_RATE] = "thousand/s", [LS_CURVE_ACCURACY] = "per cent" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsQuery query = LS_QUERY_INIT;
      Rig r;

      rig_start (&r);
      ls_layout_free (r.layout);
      r.data->live = cases[i].live;
      r.data->steps_per_epoch = 0;
      for (guint k = 0; k < 100; k++)
        for (guint side = 0; side < LS_SIDES; side++)
          if (k < 80 || side == 0)
            add_step (&r.data->sides[side], 1000, 2 - k * .01, (k + 1) * 1000);
      if (cases[i].asked > 0)
        add_accuracy (&r.data->sides[1], cases[i].asked, .9);
      query.curves.seconds = cases[i].seconds;
      r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
      g_array_set_size (r.layout->plots, 0);
      ls_scene_clear (r.layout->still);
      const LsArea area = { 40, 30, 1880, cases[i].h };
      ls_chart_stack (r.layout, area);
      const gboolean seconds = cases[i].seconds && cases[i].asked <= 100;
      const char *origin = seconds ? "0 s" : "step 0";
      const LsPlot *above = NULL;
      double highest = 0, foot = 0, height[LS_CURVE_N];
      guint n = 0;

      for (guint k = 0; k < 3; k++)
        if (k < cases[i].n)
          highest = MAX (highest, cases[i].kinds[k] == LS_CURVE_ACCURACY ? cases[i].asked : 100);
      for (guint k = 0; k < cases[i].n; k++)
        {
          const LsPlot *plot = plot_of (r.layout, cases[i].kinds[k]);
          if (plot == NULL)
            g_error ("case %u: there is no “%s”", i, ls_chart_name (cases[i].kinds[k]));
          const LsItem *name = text_of (r.layout, ls_chart_name (plot->kind)),
                       *unit = units[plot->kind] != NULL ? text_of (r.layout, units[plot->kind]) : NULL;
          n++;
          height[plot->kind] = plot->area.h;
          g_assert_true (plot->seconds == seconds);
          g_assert_true (plot->runs);
          if (fabs (plot->x.high - highest) > 1e-6)
            g_error ("case %u: the axis of “%s” reaches to %g, of %g", i, ls_chart_name (plot->kind),
                     plot->x.high, highest);
          g_assert_cmpfloat (plot->area.x + plot->area.w, <, area.x + area.w);
          g_assert_cmpfloat (plot->area.h, >=, 3 * r.layout->m.strong.px); /* not a line of text */
          /* the name at its top, the unit under that and still beside it */
          g_assert_cmpfloat_with_epsilon ((double) name->x, area.x + r.layout->m.margin, .6);
          g_assert_cmpfloat (ls_item_right (name), <, plot->area.x);
          g_assert_cmpfloat (fabs ((double) name->y - plot->area.y), <, (double) name->type.px);
          if (unit != NULL)
            {
              g_assert_cmpfloat ((double) unit->x, ==, (double) name->x);
              g_assert_cmpfloat ((double) unit->y, >=, (double) name->y + (double) unit->type.px);
              g_assert_cmpfloat ((double) unit->y, <, plot->area.y + plot->area.h);
            }
          if (above != NULL)
            {
              g_assert_cmpfloat (plot->area.x, ==, above->area.x);
              g_assert_cmpfloat (plot->area.w, ==, above->area.w);
              g_assert_cmpfloat (plot->area.y, >, above->area.y + above->area.h + 8);
            }
          above = plot;
          foot = plot->area.y + plot->area.h;
        }
      g_assert_cmpuint (r.layout->plots->len, ==, n);
      /* the loss is the largest, the accuracy, which has points alone, the smallest */
      if (n == 3)
        {
          g_assert_cmpfloat (height[LS_CURVE_LOSS], >, height[LS_CURVE_RATE]);
          g_assert_cmpfloat (height[LS_CURVE_RATE], >, height[LS_CURVE_ACCURACY]);
        }
      const LsItem *zero = text_of (r.layout, origin);
      g_assert_cmpfloat ((double) zero->y, >, foot);
      g_assert_true (says (r.layout->still, "Test accuracy")
                     == (cases[i].h > 1000 && (cases[i].live || cases[i].asked > 0)));
      g_assert_true (says (r.layout->still, "not measured yet") == (cases[i].live && cases[i].asked == 0));
      for (guint k = 0, times = 0; k < r.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (r.layout->still, k);
          times += item->kind == LS_ITEM_TEXT && g_str_equal (item->text, origin);
          g_assert_cmpuint (times, <=, 1);
          if (item->kind == LS_ITEM_TEXT
              && ((double) item->x < area.x || ls_item_right (item) > area.x + area.w
                  || (double) item->y > area.y + area.h
                  || (double) item->y - (double) item->type.px < area.y - 16))
            g_error ("case %u: “%s” is outside, from %g to %g px, its baseline at %g", i, item->text,
                     (double) item->x, ls_item_right (item), (double) item->y);
        }
      rig_end (&r);
    }
}

/* As many as have room for three lines of text each; the higher, the more; they fill what is above the foot.
 */
static void
test_stack_room (void)
{
  guint last = 1;
  Rig r;

  rig_start (&r);
  ls_layout_free (r.layout);
  const LsQuery query = LS_QUERY_INIT;
  for (guint k = 0; k < 100; k++)
    for (guint side = 0; side < LS_SIDES; side++)
      add_step (&r.data->sides[side], 1000, 1, k + 1);
  add_accuracy (&r.data->sides[0], 60, .9);
  r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  for (guint h = 240; h <= 1080; h += 10)
    {
      const LsMetrics *m = &r.layout->m;
      double foot = 0, numbers = 0;

      g_array_set_size (r.layout->plots, 0);
      ls_scene_clear (r.layout->still);
      ls_chart_stack (r.layout, (LsArea){ 0, 0, 1920, h });
      for (guint i = 0; i < r.layout->plots->len; i++)
        {
          const LsPlot *plot = &g_array_index (r.layout->plots, LsPlot, i);
          if (i > 0 && plot->area.h < 2.9 * m->strong.px)
            g_error ("of %u px “%s” has %g", h, ls_chart_name (plot->kind), plot->area.h);
        }
      for (guint i = 0; i < r.layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (r.layout->still, i);
          if (item->kind == LS_ITEM_TEXT && g_str_equal (item->text, "step 0"))
            numbers = (double) item->y;
          else if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_SIDEBAR)
            foot = (double) item->y;
        }
      if (numbers > foot || numbers < foot - 2 * m->label.px)
        g_error ("of %u px the plots' numbers stand at %g, and the foot begins at %g", h, numbers, foot);
      g_assert_cmpuint (r.layout->plots->len, >=, last);
      last = r.layout->plots->len;
    }
  g_assert_cmpuint (last, ==, 3);
  rig_end (&r);
}

/* At the foot: how both lanes' lines lie on each other, the left one wide and pale under the right one, where
 * both have steps; what a line of a rate is; and at the right the conditions. */
static void
test_stack_key (void)
{
  for (guint lanes = 1; lanes < 4; lanes++)
    for (guint rated = 0; rated < 2; rated++)
      {
        const LsQuery query = LS_QUERY_INIT;
        const LsItem *strokes[4];
        guint n = 0;
        Rig r;

        rig_start (&r);
        ls_layout_free (r.layout);
        for (guint k = 0; k < 50; k++)
          for (guint side = 0; side < LS_SIDES; side++)
            if (lanes >> side & 1)
              add_step (&r.data->sides[side], 1000, 1, k + 1);
        for (guint side = 0; side < LS_SIDES; side++)
          if (rated && (lanes >> side & 1))
            r.data->sides[side].rate
              = (LsFigure){ .value = 1e5, .q1 = 1e5, .q3 = 1e5, .n = 40 + side, .unit = "samples/s" };
        r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_PROJECTOR, 3840, 1600);
        g_array_set_size (r.layout->plots, 0);
        ls_scene_clear (r.layout->still);
        const LsArea area = { 40, 30, 3700, 1200 };
        ls_chart_stack (r.layout, area);
        g_assert_true (says (r.layout->still, "both lanes at the same place") == (lanes == 3));
        const LsItem *smooth = text_of (r.layout, "median of 61 over single steps"), *both = NULL,
                     *last = find_text (r.layout->still, !rated       ? "fp32"
                                                         : lanes == 2 ? "rates: median of 41 steps"
                                                                      : "rates: median of 40 steps");
        if (lanes == 3)
          both = text_of (r.layout, "both lanes at the same place");
        g_assert_nonnull (last);
        g_assert_cmpfloat_with_epsilon (ls_item_right (last), area.x + area.w - r.layout->m.margin, 1);
        g_assert_cmpfloat ((double) last->x, >, ls_item_right (smooth));
        g_assert_cmpfloat ((double) last->y, ==, (double) smooth->y);
        /* on one line at the area's foot */
        g_assert_cmpfloat ((double) smooth->y, <, area.y + area.h);
        g_assert_cmpfloat ((double) smooth->y, >, area.y + area.h - 3 * (double) smooth->type.px);
        for (guint i = 0; i < r.layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (r.layout->still, i);
            double left, top, w, h;
            ls_item_bounds (r.layout->still, item, &left, &top, &w, &h);
            if (item->kind == LS_ITEM_LINE
                && fabs (top + h / 2 - (double) smooth->y + .36 * (double) smooth->type.px) < 1.5 && w < 400)
              {
                const LsItem *words = both != NULL && n < 2 ? both : smooth;
                g_assert_cmpuint (n, <, 4);
                g_assert_cmpfloat (left + w, <=, (double) words->x);    /* before its words, */
                g_assert_cmpfloat (left + w, >, (double) words->x - w); /* next to them */
                g_assert_cmpfloat (left, >=, words == smooth && both != NULL ? ls_item_right (both) : area.x);
                strokes[n++] = item;
              }
          }
        g_assert_cmpuint (n, ==, both != NULL ? 3 : 1);
        g_assert_cmpuint (strokes[n - 1]->ink, ==, LS_INK_TEXT);
        if (both != NULL)
          {
            for (guint side = 0; side < LS_SIDES; side++)
              {
                g_assert_cmpuint (strokes[side]->ink, ==, LS_INK_MARK);
                g_assert_cmpfloat ((double) strokes[side]->value, ==, side);
              }
            g_assert_cmpfloat ((double) strokes[0]->size, >, 2 * (double) strokes[1]->size);
            g_assert_cmpfloat ((double) strokes[0]->alpha, <, .6);
            g_assert_cmpfloat ((double) strokes[1]->alpha, ==, 1);
          }
        rig_end (&r);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves-axes/epochs", test_epochs);
  g_test_add_func ("/paint/curves-axes/numbers", test_numbers);
  g_test_add_func ("/paint/curves-axes/subtitles", test_subtitles);
  g_test_add_func ("/paint/curves-axes/stack", test_stack);
  g_test_add_func ("/paint/curves-axes/stack-room", test_stack_room);
  g_test_add_func ("/paint/curves-axes/stack-key", test_stack_key);
  return g_test_run ();
}
