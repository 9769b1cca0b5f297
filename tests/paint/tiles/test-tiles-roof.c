/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roofline in Tiles: where its lines, its rings and its bar stand, read off the numbers at its axes,
 * against the limits, the recorded times and the words beside them.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/paint/places.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

/* GFLOP/s, and GB/s, of both devices. */
#define PEAK  200.
#define LOCAL 90.

typedef struct {
  LsLayout *layout;
  LsScale x, y;
  double right;  /* px: where the axis along ends, */
  double foot;   /* and where it lies */
  double memory; /* GB/s */
} Roof;

static void
set_roofs (const LsViewData *data, double memory)
{
  const double values[] = { PEAK * 1e9, memory * 1e9, LOCAL * 1e9 };

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; i < G_N_ELEMENTS (values) && data->sides[side].recorded != NULL; i++)
      data->sides[side].recorded->device->roofs[LS_ROOF_FLOPS + i] = (LsFigure){
        .value = values[i], .q1 = values[i], .q3 = values[i], .n = 9, .unit = i == 0 ? "FLOP/s" : "B/s"
      };
}

/* The axes by their numbers. */
static void
learn (Roof *roof, LsLayout *layout, double memory)
{
  static const struct {
    const char *text;
    double value;
  } along[] = { { "¼", .25 }, { "1", 1 }, { "4", 4 }, { "16", 16 }, { "64", 64 } };
  const LsItem *first = find_text (layout->still, "¼");
  g_autofree char *wrong = NULL, *wrong_too = NULL;
  double left = HUGE_VAL;

  *roof = (Roof){ .layout = layout, .x.log = TRUE, .y.log = TRUE, .memory = memory };
  g_assert_nonnull (first);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      double x, y, w, h, value;

      if (item->kind != LS_ITEM_TEXT)
        continue;
      ls_item_bounds (layout->still, item, &x, &y, &w, &h);
      for (guint k = 0; k < G_N_ELEMENTS (along); k++)
        if (fabs ((double) (item->y - first->y)) < .1 && g_str_equal (item->text, along[k].text)
            && x + w / 2 > (double) first->x - 5)
          {
            ls_scale_add (&roof->x, item->text, along[k].value, x + w / 2);
            left = MIN (left, x);
          }
      if (x + w < (double) first->x && x > (double) first->x - 150 && item->y < first->y - 1
          && item->y > first->y - 600 && item->type.px == first->type.px
          && ls_scale_number (item->text, &value))
        ls_scale_add (&roof->y, item->text, value, ls_text_middle (item));
    }
  g_assert_cmpuint (roof->x.n, ==, G_N_ELEMENTS (along));
  g_assert_cmpuint (roof->y.n, >=, 2);
  wrong = ls_scale_learn (&roof->x, "intensity");
  g_assert_cmpstr (wrong, ==, NULL);
  wrong_too = ls_scale_learn (&roof->y, "rate");
  g_assert_cmpstr (wrong_too, ==, NULL);
  roof->right = ls_scale_px (&roof->x, 64);
  roof->foot = 0;
  for (guint i = 0; i < roof->y.n; i++)
    roof->foot = MAX (roof->foot, roof->y.ticks[i].px);
}

/* Of the roofline at x or y, where the picture has another in it; the n-th point of an item. */
static double
point_of (const LsScene *scene, const LsItem *item, guint n, gboolean y)
{
  return (double) g_array_index (scene->points, float, 2 * (item->points + n) + (y ? 1 : 0));
}

static gboolean
inside (const Roof *roof, double x)
{
  return x > ls_scale_px (&roof->x, .125) - 1 && x < roof->right + 1;
}

/* The text that is these words, and a number: that in *number. NULL: it isn't said. */
static const LsItem *
find_number (const LsScene *scene, const char *words, double *number, double *half)
{
  double is[NUMBERS_MOST], halves[NUMBERS_MOST];

  for (guint i = 0; i < scene->items->len; i++)
    {
      const LsItem *item = ls_scene_get (scene, i);
      const char *at = item->kind == LS_ITEM_TEXT && g_str_has_prefix (item->text, words)
                         ? item->text + strlen (words)
                         : "";
      if (at[0] != ' ' || !g_ascii_isdigit (at[1]) || numbers_of (at, is, halves) != 1)
        continue;
      *number = is[0];
      *half = halves[0];
      return item;
    }
  return NULL;
}

static void
assert_at (const char *what, double is, double should)
{
  if (!(fabs (is - should) < 1.6))
    g_error ("%s stands at %.1f px, and the axis says that it should at %.1f", what, is, should);
}

/* Along the memory's roof up to where it meets the arithmetic's, and level from there. */
static void
check_lines (const Roof *roof)
{
  const LsScene *s = roof->layout->still;
  guint slopes = 0, levels = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_LINE || item->n_points != 2 || item->ink != LS_INK_TEXT
          || !inside (roof, point_of (s, item, 0, FALSE)) || !inside (roof, point_of (s, item, 1, FALSE)))
        continue;
      const double x0 = point_of (s, item, 0, FALSE), y0 = point_of (s, item, 0, TRUE),
                   x1 = point_of (s, item, 1, FALSE), y1 = point_of (s, item, 1, TRUE);
      if (fabs (y0 - y1) < .1)
        {
          assert_at ("the level roof’s height", y0, ls_scale_px (&roof->y, PEAK));
          assert_at ("the level roof’s begin", x0, ls_scale_px (&roof->x, PEAK / roof->memory));
          assert_at ("the level roof’s end", x1, roof->right);
          levels++;
          continue;
        }
      assert_at ("the memory’s roof at its begin", y0,
                 ls_scale_px (&roof->y, roof->memory * ls_scale_value (&roof->x, x0)));
      assert_at ("the memory’s roof at its end", y1, ls_scale_px (&roof->y, PEAK));
      assert_at ("the memory’s roof’s end", x1, ls_scale_px (&roof->x, PEAK / roof->memory));
      slopes++;
    }
  g_assert_cmpuint (slopes, ==, 1);
  g_assert_cmpuint (levels, ==, 1);
}

/* The op's FLOP over the lane's time at it: its kernels', or its own from the first worker to the last. */
static double
recorded (const LsViewData *data, guint side, guint op)
{
  const LsRecordedLane *lane = data->sides[side].recorded;
  guint64 from = G_MAXUINT64, to = 0;

  for (guint kind = 0; kind < 2 && to == 0; kind++)
    for (guint i = 0; i < lane->events->len; i++)
      {
        const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
        if (e->op != lane->tilings[op].leader || e->kind != (kind == 0 ? LS_EVENT_KERNEL : LS_EVENT_OP))
          continue;
        from = MIN (from, e->start_ns);
        to = MAX (to, e->end_ns);
      }
  g_assert_cmpuint (to, >, from);
  return (double) data->recording->ops[op].flops / (double) (to - from);
}

/* How often a mark, or words, were there to be held. */
typedef struct {
  guint named, most, needed;
} Seen;

/* GFLOP/s that the roof allows at an intensity. */
static double
allowed (const Roof *roof, double intensity)
{
  return MIN (PEAK, roof->memory * intensity);
}

/* The text stands close beside that place along the axis, which is what it is about, in the roofline, and
 * isn't crossed by the walk's line. */
static void
check_beside (const Roof *roof, const LsItem *text, double at, double walk_x)
{
  double x, y, w, h;

  ls_item_bounds (roof->layout->moving, text, &x, &y, &w, &h);
  if ((x < at && x + w > at) || MIN (fabs (x - at), fabs (x + w - at)) > 15)
    g_error ("“%s” stands from %.0f to %.0f px, and is about what is at %.0f", text->text, x, x + w, at);
  if (x < walk_x - .5 && x + w > walk_x + .5)
    g_error ("the walk’s line at %.0f px crosses “%s”, from %.0f to %.0f", walk_x, text->text, x, x + w);
  g_assert_true (inside (roof, x) && x + w < roof->right + 20);
}

static void
check_marks (const Roof *roof, const LsViewData *data, Seen *seen)
{
  const LsTiles *t = roof->layout->own;
  const LsScene *s = roof->layout->moving;
  const double rate = recorded (data, t->lane, t->op);
  double walk_x = (double) NAN, half, number;
  const LsItem *name;
  guint ran = 0, bars = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const double x = item->n_points > 0 ? point_of (s, item, 0, FALSE) : (double) item->x,
                   y = item->n_points > 0 ? point_of (s, item, 0, TRUE) : (double) item->y;
      if (x < t->roof.x || x > t->roof.x + t->roof.w || y < t->roof.y)
        continue;
      if (item->kind == LS_ITEM_RINGS && item->ink == LS_INK_TEXT)
        {
          /* what is below the axis stands on it */
          assert_at ("the walk’s ring", y,
                     MIN (ls_scale_px (&roof->y, allowed (roof, ls_scale_value (&roof->x, x))), roof->foot));
          walk_x = x;
        }
      else if (item->kind == LS_ITEM_RINGS && item->ink == LS_INK_MARK)
        {
          assert_at ("the recorded ring", y, ls_scale_px (&roof->y, rate));
          g_assert_cmpint ((gint) item->value, ==, (gint) t->lane);
          ran++;
        }
      else if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TEXT && fabs ((double) item->w - 4) < .01)
        {
          assert_at ("the bar of what is needed", x + 2, ls_scale_px (&roof->x, PEAK / roof->memory));
          bars++;
        }
    }
  g_assert_cmpuint (ran, ==, 1);
  g_assert_cmpuint (bars, ==, 1);
  for (guint i = 0; i < s->items->len && isfinite (walk_x); i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_GUIDE && item->n_points == 2 && item->ink == LS_INK_TEXT
          && inside (roof, point_of (s, item, 0, FALSE)))
        assert_at ("the walk’s line", point_of (s, item, 0, FALSE), walk_x);
    }
  name = find_number (s, "so far: at most", &number, &half);
  if (name != NULL)
    {
      const double should = allowed (roof, ls_scale_value (&roof->x, walk_x));
      if (fabs (number - should) > half + .02 * should)
        g_error ("the walk’s ring is at %.3g GFLOP/s, and at most %g is said", should, number);
      check_beside (roof, name, walk_x, walk_x);
      if (fabs ((double) name->y - ls_scale_px (&roof->y, rate)) < (double) name->type.px)
        g_error ("“%s” stands as high as the recorded ring, whose name it covers", name->text);
      seen->most++;
    }
  name = find_number (s, "needed", &number, &half);
  if (name != NULL)
    {
      check_beside (roof, name, ls_scale_px (&roof->x, PEAK / roof->memory), walk_x);
      g_assert_cmpfloat (fabs (number - PEAK / roof->memory), <=, half);
      seen->needed++;
    }
  name = find_number (s, t->cpu != NULL ? "recorded" : ls_rung_cut ((LsRung) t->ran, 8).name, &number, &half);
  if (name != NULL)
    {
      if (fabs (number - rate) > half * 1.01)
        g_error ("the recorded ring says %g GFLOP/s, and the step was recorded with %g", number, rate);
      g_assert_cmpint ((gint) name->value, ==, (gint) t->lane);
      if (walk_x > (double) name->x - 8 && walk_x < ls_item_right (name) + 8)
        g_error ("the walk’s line at %.0f px crosses “%s”, from %.0f to %.0f", walk_x, name->text,
                 (double) name->x, ls_item_right (name));
      seen->named++;
    }
}

static void
test_places (gconstpointer user_data)
{
  static const struct {
    double memory; /* the roofs meet at 2, 8 and 50 FLOP for each byte */
    const char *words;
  } devices[] = { { 100, "200 GFLOP/s, memory 100 GB/s, " },
                  { 25, "200 GFLOP/s, memory 25.0 GB/s, " },
                  { 4, "200 GFLOP/s, memory 4.00 GB/s, " } };
  const gboolean cpu = GPOINTER_TO_INT (user_data);
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  Seen seen = { 0 };

  for (guint size = 0; size < 2; size++)
    for (guint op = 1; op < data->recording->n_ops; op++)
      for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
        {
          LsTilesState asked = LS_TILES_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
          const char *words;
          Roof roof;

          if (g_strcmp0 (data->recording->ops[op].name, "matmul") != 0)
            continue;
          set_roofs (data, devices[d].memory);
          query.op = op;
          asked.cpu_side = cpu;
          asked.pane = size == 0 ? LS_TILES_PANE_ROOF : 0;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT,
                                                   size == 0 ? 1280 : 1920, size == 0 ? 800 : 1080);
          if (((const LsTiles *) layout->own)->roof.h <= 0 || find_text (layout->still, "¼") == NULL)
            continue;
          g_assert_nonnull (find_text (layout->still, cpu ? "GFLOP/s by FLOP per byte from beyond L2"
                                                          : "GFLOP/s by FLOP per global byte"));
          learn (&roof, layout, devices[d].memory);
          check_lines (&roof);
          words = text_like (layout, devices[d].words, "");
          g_assert_nonnull (words);
          g_assert_cmpstr (words + strlen (devices[d].words), ==,
                           cpu ? "L1 90.0 GB/s" : "local memory 90.0 GB/s");
          g_assert_cmpint (mark_before (layout->still, "200 GFLOP/s"), ==, LS_EVIDENCE_MEASURED);
          for (guint i = 0; i <= 20; i++)
            {
              query.time_ns = layout->span_ns * i / 20;
              ls_layout_move (layout, &query);
              check_marks (&roof, data, &seen);
            }
        }
  g_assert_cmpuint (seen.most, >, 5);
  g_assert_cmpuint (seen.named, >, 5);
  g_assert_cmpuint (seen.needed, >, 5);
}

/* Whatever the walk's intensity, its line stands there, below the limits' words, and at its foot is said what
 * a kernel like it can do at most: nowhere but where the recorded ring is. */
static void
test_most (void)
{
  static const double intensities[] = { .15, .4, 1, 2, 4, 8, 16, 32, 60 };

  for (guint cpu = 0; cpu < 2; cpu++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint said = 0;
      Roof roof;

      set_roofs (data, 25);
      asked.cpu_side = cpu > 0;
      while (g_strcmp0 (data->recording->ops[query.op].name, "matmul") != 0)
        query.op++;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTiles *t = layout->own;
      const LsItem *limits = NULL;
      for (guint k = 0; k < layout->still->items->len; k++)
        if (ls_scene_get (layout->still, k)->kind == LS_ITEM_TEXT
            && strstr (ls_scene_get (layout->still, k)->text, "GFLOP/s, ") != NULL)
          limits = ls_scene_get (layout->still, k);
      if (limits == NULL)
        g_error ("the device’s limits aren’t said");
      learn (&roof, layout, 25);
      const double ran = ls_scale_px (&roof.y, recorded (data, t->lane, t->op));
      for (guint i = 0; i < G_N_ELEMENTS (intensities); i++)
        {
          const double x = ls_scale_px (&roof.x, intensities[i]);
          guint lines = 0;
          double number, half;

          ls_scene_clear (layout->moving);
          ls_tiles_roof_move (t, intensities[i]);
          for (guint k = 0; k < layout->moving->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->moving, k);
              if (item->kind != LS_ITEM_GUIDE)
                continue;
              assert_at ("the walk’s line", point_of (layout->moving, item, 0, FALSE), x);
              if (point_of (layout->moving, item, 0, TRUE) < (double) limits->y)
                g_error ("the walk’s line goes through the limits’ words");
              lines++;
            }
          g_assert_cmpuint (lines, ==, 1);
          const LsItem *name = find_number (layout->moving, "so far: at most", &number, &half);
          if (name == NULL)
            {
              if (fabs (ran - roof.foot) > 100)
                g_error ("at %g FLOP for each byte the most isn’t said", intensities[i]);
              continue;
            }
          g_assert_cmpfloat (fabs (number - allowed (&roof, intensities[i])), <=, half * 1.01);
          check_beside (&roof, name, x, x);
          said++;
        }
      g_assert_cmpuint (said, ==, G_N_ELEMENTS (intensities));
    }
}

/* Without limits there is no roof, nothing is needed and nothing the most, and the picture says why. */
static void
test_unmeasured (void)
{
  static const struct {
    gboolean live, there;
    const char *words;
  } cases[] = { { FALSE, TRUE, "this device’s roofs were not measured" },
                { TRUE, TRUE, "this device’s roofs are not measured yet" },
                { FALSE, FALSE, "there is no such device here to measure" } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, cases[c].there);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      query.op = 1;
      data->live = cases[c].live;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      g_assert_nonnull (text_like (layout, cases[c].words, ""));
      query.time_ns = layout->span_ns / 2;
      ls_layout_move (layout, &query);
      g_assert_null (find_text (layout->moving, "needed "));
      g_assert_null (find_text (layout->moving, "so far: at most "));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/paint/tiles-roof/opencl", GINT_TO_POINTER (FALSE), test_places);
  g_test_add_data_func ("/paint/tiles-roof/cpu", GINT_TO_POINTER (TRUE), test_places);
  g_test_add_func ("/paint/tiles-roof/most", test_most);
  g_test_add_func ("/paint/tiles-roof/unmeasured", test_unmeasured);
  return g_test_run ();
}
