/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strip at the foot: which plots it has and where, and for a hall its two lines: how far each lane's
 * goes, how high, and what is said beside it. The steps are the test's own.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "ui/paint/views.h"

#define HALL_W 1920.
#define HALL_H 1080.

static LsFonts *fonts;

/* Both lanes with so many steps of a loss and a time, which are functions of the step's place, 0 … 1. */
typedef struct {
  guint64 steps;
  double first, last; /* losses, the same factor apart from step to step */
  double step_us;
} Made;

static LsViewData *
made_data (const Made made[LS_SIDES])
{
  LsViewData *data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &data->sides[side];
      const Made *m = &made[side];
      const double rate = data->batch * 1e6 / m->step_us;

      g_clear_pointer (&lane->curve, ls_curve_unref);
      g_clear_pointer (&lane->pair, ls_pair_unref);
      lane->curve = ls_curve_new ();
      for (guint64 i = 0; i < m->steps; i++)
        {
          const double part = m->steps > 1 ? (double) i / (double) (m->steps - 1) : 1;
          ls_curve_append (lane->curve,
                           (LsPoint){ .end_ms = (guint32) i + 1,
                                      .step_us = (float) m->step_us,
                                      .loss = (float) (m->first * pow (m->last / m->first, part)) });
        }
      lane->steps = lane->loss_step = m->steps;
      lane->loss = (LsFigure){ .n = m->steps > 0, .value = m->steps > 0 ? m->last : (double) NAN };
      lane->rate = (LsFigure){
        .value = rate, .q1 = rate * .99, .q3 = rate * 1.01, .n = m->steps > 0 ? 200 : 0, .unit = "samples/s"
      };
      if (m->steps == 0)
        lane->rate.value = 0;
    }
  return data;
}

static LsLayout *
draw (LsViewData *data, LsLook look, double w, double h, LsStripPart part)
{
  LsQuery query = LS_QUERY_INIT;

  query.curves.part = part;
  query.op = 1;
  return draw_view_in (fonts, &ls_view_race, data, &query, look, w, h);
}

/* ---- for a hall ---- */

typedef struct {
  guint lines, points;
  double left, right, first_y, last_y, middle_y, top, bottom, alpha, width;
} Spark;

/* In the strip, left or right half of it: all of that lane's lines. */
static Spark
spark_of (const LsLayout *layout, gboolean rate, guint side)
{
  const double strip = layout->height - layout->m.strip_h;
  Spark spark = { .left = HUGE_VAL, .right = -HUGE_VAL, .top = HUGE_VAL, .bottom = -HUGE_VAL };

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      const float *points = &g_array_index (layout->still->points, float, 2 * item->points);
      if (item->kind != LS_ITEM_LINE || item->ink != LS_INK_MARK || (guint) item->value != side
          || item->n_points == 0 || (double) points[1] < strip
          || ((double) points[0] > layout->width / 2) != rate)
        continue;
      if (spark.lines++ == 0)
        spark.first_y = (double) points[1];
      for (guint k = 0; k < item->n_points; k++)
        {
          const double x = (double) points[2 * k], y = (double) points[2 * k + 1];
          spark.left = MIN (spark.left, x);
          spark.right = MAX (spark.right, x);
          spark.top = MIN (spark.top, y);
          spark.bottom = MAX (spark.bottom, y);
        }
      spark.last_y = (double) points[2 * item->n_points - 1];
      spark.middle_y = (double) points[2 * (item->n_points / 2) + 1];
      spark.points += item->n_points;
      spark.alpha = (double) item->alpha;
      spark.width = (double) item->size;
    }
  return spark;
}

/* The line under the rates: where there would be none. */
static double
nothing_y (const LsLayout *layout)
{
  const LsScene *s = layout->still;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const float *points = &g_array_index (s->points, float, 2 * item->points);
      if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_QUIET && item->n_points == 2
          && (double) points[1] > layout->height - layout->m.strip_h
          && (double) points[0] > layout->width / 2)
        return (double) points[1];
    }
  g_error ("the strip's rates stand on no line");
}

/* Losses on one logarithmic scale of both lanes, steps on one scale of steps: a loss that falls by the same
 * factor at each step is a straight line; a lane with half of the steps ends in the middle; the highest loss
 * of both is at the top, and the lowest at the foot. */
static void
test_hall_losses (void)
{
  static const Made cases[][LS_SIDES] = {
    { { 1000, 2, .02, 1000 }, { 1000, 2, .02, 1000 } },  { { 1000, 2, .2, 1000 }, { 500, .4, .02, 1000 } },
    { { 400, .4, .02, 1000 }, { 1600, 2, .2, 1000 } },   { { 800, 1, .01, 1000 }, { 0, 1, 1, 1000 } },
    { { 600, .02, .2, 1000 }, { 600, 2, .0002, 1000 } },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const Made *made = cases[c];
      g_autoptr (LsViewData) data = made_data (made);
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, HALL_W, HALL_H, LS_STRIP_ALONE);
      Spark sparks[LS_SIDES];
      double top = HUGE_VAL, foot = -HUGE_VAL, high = 0, low = HUGE_VAL, left = HUGE_VAL, right = 0;
      const guint64 most = MAX (made[0].steps, made[1].steps);

      for (guint side = 0; side < LS_SIDES; side++)
        {
          sparks[side] = spark_of (layout, FALSE, side);
          g_assert_cmpint (sparks[side].points > 1, ==, made[side].steps > 0);
          if (made[side].steps == 0)
            continue;
          top = MIN (top, sparks[side].top);
          foot = MAX (foot, sparks[side].bottom);
          left = MIN (left, sparks[side].left);
          right = MAX (right, sparks[side].right);
          high = MAX (high, MAX (made[side].first, made[side].last));
          low = MIN (low, MIN (made[side].first, made[side].last));
        }
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const Spark *s = &sparks[side];
          const double ends[] = { made[side].first, made[side].last }, is[] = { s->first_y, s->last_y };
          if (made[side].steps == 0)
            continue;
          for (guint k = 0; k < 2; k++) /* a point is the middle of two pixels' steps */
            {
              const double should = foot - (foot - top) * log (ends[k] / low) / log (high / low);
              if (fabs (is[k] - should) > .06 * (foot - top) + 1)
                g_error ("case %u: the loss %g of lane %u is %.1f px up the strip's %.1f, not %.1f", c,
                         ends[k], side, foot - is[k], foot - top, foot - should);
            }
          if (fabs (s->middle_y - (s->first_y + s->last_y) / 2) > .06 * (foot - top))
            g_error ("case %u: a loss that falls evenly bends in the strip: %.1f, %.1f, %.1f", c, s->first_y,
                     s->middle_y, s->last_y);
          const double should = left + (right - left) * (double) made[side].steps / (double) most;
          if (fabs (s->left - left) > .5 || fabs (s->right - should) > 2)
            g_error ("case %u: %u of %u steps reach to %.1f px of %.1f", c, (guint) made[side].steps,
                     (guint) most, s->right - left, right - left);
        }
      if (made[1].steps > 0) /* the left one is wide and pale, so that both are seen where they agree */
        {
          g_assert_cmpfloat (sparks[0].alpha, <, .5);
          g_assert_cmpfloat (sparks[1].alpha, ==, 1);
          g_assert_cmpfloat (sparks[0].width, >, sparks[1].width);
        }
      else
        g_assert_cmpfloat (sparks[0].alpha, ==, 1);
    }
}

/* A loss of 0, which has no place on such a scale, is a gap in its line, and moves nothing else. */
static void
test_hall_zero (void)
{
  static const Made made[LS_SIDES] = { { 400, 2, .02, 1000 }, { 400, 1, .1, 1000 } };
  Spark first[LS_SIDES];

  for (guint zeros = 0; zeros <= LS_SIDES; zeros++) /* 0: nowhere; else of the lane on side zeros − 1 */
    {
      g_autoptr (LsViewData) data = made_data (made);
      LsCurve *holed = ls_curve_new (), **of = &data->sides[zeros > 1].curve;
      for (guint64 i = 0; i < 400; i++)
        {
          LsPoint point = ls_curve_get (*of, i);
          point.loss = zeros > 0 && i > 180 && i < 220 ? 0 : point.loss;
          ls_curve_append (holed, point);
        }
      ls_curve_unref (*of);
      *of = holed;
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, HALL_W, HALL_H, LS_STRIP_ALONE);
      for (guint k = 0; k < LS_SIDES; k++)
        {
          const Spark is = spark_of (layout, FALSE, k);
          first[k] = zeros == 0 ? is : first[k];
          g_assert_cmpuint (is.lines, ==, zeros == k + 1 ? first[k].lines + 1 : first[k].lines);
          if (fabs (is.first_y - first[k].first_y) > 1 || fabs (is.last_y - first[k].last_y) > 1)
            g_error (
              "with losses of 0 of lane %u that of lane %u goes from %.1f to %.1f, not from %.1f to %.1f",
              zeros - 1, k, is.first_y, is.last_y, first[k].first_y, first[k].last_y);
        }
    }
}

/* Rates stand on nothing, and their heights are as their values, of both lanes on one scale. */
static void
test_hall_rates (void)
{
  static const double us[][LS_SIDES] = { { 1000, 1000 }, { 1000, 2000 }, { 4000, 1000 } };

  for (guint c = 0; c < G_N_ELEMENTS (us); c++)
    {
      const Made made[LS_SIDES] = { { 900, 2, .02, us[c][0] }, { 900, 2, .02, us[c][1] } };
      g_autoptr (LsViewData) data = made_data (made);
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, HALL_W, HALL_H, LS_STRIP_ALONE);
      const Spark left = spark_of (layout, TRUE, 0), right = spark_of (layout, TRUE, 1);
      const double nothing = nothing_y (layout) - 4, /* below the plot by that */
        tall = MAX (nothing - left.top, nothing - right.top);

      g_assert_cmpfloat (tall, >, 20);
      if (fabs ((nothing - left.middle_y) * us[c][0] - (nothing - right.middle_y) * us[c][1])
          > .04 * tall * MIN (us[c][0], us[c][1]))
        g_error ("steps of %g and %g µs stand %.1f and %.1f px high", us[c][0], us[c][1],
                 nothing - left.middle_y, nothing - right.middle_y);
      g_assert_cmpfloat (left.top, >, layout->height - layout->m.strip_h);
    }
}

/* Also a line that was higher once stays within the strip, whichever lane's it is. */
static void
test_hall_higher (void)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const Made made[LS_SIDES] = { { 900, 2, .02, 2000 }, { 900, 2, .02, 2000 } };
      g_autoptr (LsViewData) data = made_data (made);
      LsCurve *fast = ls_curve_new ();

      for (guint64 i = 0; i < 900; i++)
        ls_curve_append (fast, (LsPoint){ .step_us = i < 450 ? 1000 : 2000, .loss = 1 });
      ls_curve_unref (data->sides[side].curve);
      data->sides[side].curve = fast;
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, HALL_W, HALL_H, LS_STRIP_ALONE);
      const Spark spark = spark_of (layout, TRUE, side);
      const double strip = layout->height - layout->m.strip_h, nothing = nothing_y (layout) - 4;
      g_assert_cmpfloat (spark.top, >, strip + .1 * layout->m.strip_h);
      g_assert_cmpfloat_with_epsilon ((nothing - spark.first_y) / (nothing - spark.last_y), 2, .1);
    }
}

/* Where a step gave no loss the line breaks. */
static void
test_hall_gap (void)
{
  const Made made[LS_SIDES] = { { 400, 2, .2, 1000 }, { 400, 2, .2, 1000 } };
  g_autoptr (LsViewData) data = made_data (made);
  LsCurve *whole = data->sides[0].curve, *broken = ls_curve_new ();

  for (guint64 i = 0; i < 400; i++)
    {
      LsPoint point = ls_curve_get (whole, i);
      point.loss = i >= 150 && i < 200 ? (float) NAN : point.loss;
      ls_curve_append (broken, point);
    }
  data->sides[0].curve = broken;
  ls_curve_unref (whole);
  g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, HALL_W, HALL_H, LS_STRIP_ALONE);
  g_assert_cmpuint (spark_of (layout, FALSE, 0).lines, ==, 2);
  g_assert_cmpuint (spark_of (layout, FALSE, 1).lines, ==, 1);
}

/* A lane that stopped has a bar across its line's end, in its own colour; one that goes on has none. */
static void
test_hall_stop (void)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      Made made[LS_SIDES] = { { 900, 2, .02, 1000 }, { 900, 2, .02, 1000 } };
      made[side].steps = 450;
      g_autoptr (LsViewData) data = made_data (made);
      data->sides[side].stopped_at = 451;
      data->sides[side].message = g_strdup ("Stopped at step 451.");
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, HALL_W, HALL_H, LS_STRIP_ALONE);
      guint bars = 0;

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_MARK
              || (double) item->y < layout->height - layout->m.strip_h)
            continue;
          const Spark spark = spark_of (layout, (double) item->x > layout->width / 2, side);
          bars++;
          if ((guint) item->value != side || item->side != side)
            g_error ("lane %u stopped, and a bar of lane %u says so", side, (guint) item->value);
          g_assert_cmpfloat_with_epsilon ((double) (item->x + item->w / 2), spark.right, 1);
          g_assert_cmpfloat_with_epsilon ((double) (item->y + item->h / 2), spark.last_y, 1);
        }
      g_assert_cmpuint (bars, ==, 2);
    }
}

/* ---- what is said in a hall ---- */

/* The losses of one step, or each with its own; of one lane alone its own. */
static void
test_hall_words (void)
{
  static const struct {
    guint64 steps[LS_SIDES];
    double last[LS_SIDES];
    const char *words, *second;
  } cases[] = {
    { { 300, 300 }, { .118, .118 }, "0.118 on both", NULL },
    { { 300, 300 }, { .118, .241 }, "0.118 and 0.241", NULL },
    { { 300, 0 }, { .118, 1 }, "0.118", NULL },
    { { 0, 300 }, { 1, .241 }, "0.241", NULL },
    { { 3000, 9000 }, { .118, .241 }, "0.118 (step 3\u2009000)", "0.241 (step 9\u2009000)" },
    { { 9000, 3000 }, { .118, .241 }, "0.118 (step 9\u2009000)", "0.241 (step 3\u2009000)" },
    { { 400, 300 }, { .118, NAN }, "0.118 (step 400)", "– (step 300)" }, /* not that of step 300 */
    { { 300, 400 }, { NAN, .118 }, "– (step 300)", "0.118 (step 400)" },
  };

  guint wholes = 0, halves = 0;

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint narrow = 0; narrow < 2; narrow++)
      {
        const Made made[LS_SIDES] = { { cases[c].steps[0], 2, cases[c].last[0], 1000 },
                                      { cases[c].steps[1], 2, cases[c].last[1], 1000 } };
        g_autoptr (LsViewData) data = made_data (made);
        g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, narrow ? 1024 : 2600,
                                            narrow ? 768 : 1080, LS_STRIP_ALONE);
        const double strip = layout->height - layout->m.strip_h;
        g_autofree char *one = cases[c].second != NULL
                                 ? g_strdup_printf ("%s, %s", cases[c].words, cases[c].second)
                                 : g_strdup (cases[c].words);
        gboolean whole = FALSE;
        const LsItem *first = NULL, *second = NULL;
        g_autofree char *texts = all_texts (layout->still, "\n");

        for (guint i = 0; i < layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, i);
            if (item->kind != LS_ITEM_TEXT || (double) item->y < strip || item->number != LS_NUMBER_LOSS)
              continue;
            whole |= strcmp (item->text, one) == 0;
            first = strcmp (item->text, cases[c].words) == 0 ? item : first;
            second = cases[c].second != NULL && strcmp (item->text, cases[c].second) == 0 ? item : second;
          }
        if (!whole && (first == NULL || (cases[c].second != NULL && second == NULL)))
          g_error ("%u and %u steps, losses %g and %g: “%s” isn't said in the strip: %s",
                   (guint) cases[c].steps[0], (guint) cases[c].steps[1], cases[c].last[0], cases[c].last[1],
                   one, texts);
        if (!whole && second != NULL) /* the left lane's stands above */
          g_assert_cmpfloat ((double) first->y, <, (double) second->y);
        wholes += whole && cases[c].second != NULL;
        halves += !whole && second != NULL;
      }
  g_assert_cmpuint (wholes, >, 0);
  g_assert_cmpuint (halves, >, 0);
}

/* The conditions are those of a lane whose rate stands, the left one's before the right one's. */
static void
test_hall_conditions (void)
{
  const Made made[LS_SIDES] = { { 900, 2, .02, 1000 }, { 900, 2, .02, 1000 } };

  for (guint stands = 0; stands < 4; stands++)
    {
      g_autoptr (LsViewData) data = made_data (made);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          data->sides[side].counted = (LsCounted){ 0 };
          data->sides[side].rate.n = stands >> side & 1 ? 123 + 200 * side : 0;
        }
      g_autoptr (LsLayout) layout = draw (data, LS_LOOK_PROJECTOR, HALL_W, HALL_H, LS_STRIP_ALONE);
      const double strip = layout->height - layout->m.strip_h;
      const char *const words = stands & 1 ? "123" : stands & 2 ? "323" : "not measured yet";
      const LsItem *said = NULL;
      guint evidence = 0;

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if ((double) item->y < strip)
            continue;
          if (item->kind == LS_ITEM_TEXT && (double) item->x > layout->width / 2
              && strstr (item->text, words) != NULL)
            said = item;
          if (item->kind == LS_ITEM_EVIDENCE)
            {
              evidence++; /* whether the lanes agree is compared, not measured */
              g_assert_cmpuint ((guint) item->value, ==, LS_EVIDENCE_DERIVED);
            }
        }
      if (said == NULL)
        g_error ("where %s rate stands the strip doesn't say “%s”",
                 stands == 0   ? "no"
                 : stands == 1 ? "the left lane's"
                 : stands == 2 ? "the right lane's"
                               : "each",
                 words);
      g_assert_cmpuint (evidence, ==, 1);
      g_assert_nonnull (find_text (layout->still, "fp32, batch 128"));
    }
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/strip/hall-zero", test_hall_zero);
  g_test_add_func ("/paint/strip/hall-losses", test_hall_losses);
  g_test_add_func ("/paint/strip/hall-rates", test_hall_rates);
  g_test_add_func ("/paint/strip/hall-higher", test_hall_higher);
  g_test_add_func ("/paint/strip/hall-gap", test_hall_gap);
  g_test_add_func ("/paint/strip/hall-stop", test_hall_stop);
  g_test_add_func ("/paint/strip/hall-words", test_hall_words);
  g_test_add_func ("/paint/strip/hall-conditions", test_hall_conditions);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
