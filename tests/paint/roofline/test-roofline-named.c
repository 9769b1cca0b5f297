/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roofline as somebody reads it: rings and roofs against the numbers at the axes, which ring has which name,
 * and from where an op has come in another recording.
 */
#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/places.h"
#include "tests/paint/said.h"

#include <math.h>
#include <string.h>

#include "ui/paint/roofline/roofline.h"
#include "ui/paint/views.h"

/* One lane's plot. */
typedef struct {
  const LsLayout *layout;
  const LsViewLane *lane;
  guint side;
  GArray *ops; /* LsRoofOp */
  LsScale x, y;
} Plot;

static gboolean
is_of (const Plot *plot, const LsItem *item)
{
  return ((double) item->x > plot->layout->width / 2) == (plot->side == 1);
}

/* Along stand 1/16, ¼, 1, 4 and so on, up powers of ten, both of them logarithmic. */
static void
open_plot (Plot *plot, const LsLayout *layout, const LsViewData *data, guint side)
{
  const LsScene *s = layout->still;
  const LsItem *up = NULL, *across = NULL; /* what the axes are of */

  *plot = (Plot){
    .layout = layout, .lane = &data->sides[side], .side = side, .x = { .log = TRUE }, .y = { .log = TRUE }
  };
  plot->ops = ls_roofline_ops (data->recording, plot->lane, NULL);
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_TEXT || !is_of (plot, item))
        continue;
      up = strcmp (item->text, "GFLOP/s") == 0 ? item : up;
      across = g_str_has_prefix (item->text, "FLOP for each byte") ? item : across;
    }
  g_assert_true (up != NULL && across != NULL);
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      double value;

      if (item->kind != LS_ITEM_TEXT || !is_of (plot, item) || item->ink != LS_INK_QUIET || item->y < up->y
          || item->y >= across->y)
        continue;
      value = strcmp (item->text, "1/16") == 0 ? .0625 : strcmp (item->text, "¼") == 0 ? .25 : 0;
      if (value <= 0 && !ls_scale_number (item->text, &value))
        continue;
      if (item->align == LS_CENTER && item->y > across->y - 2 * (float) item->type.px && plot->x.n < LS_TICKS)
        ls_scale_add (&plot->x, item->text, value, ((double) item->x + ls_item_right (item)) / 2);
      else if (item->align == LS_RIGHT && ls_item_right (item) < (double) up->x && plot->y.n < LS_TICKS)
        ls_scale_add (&plot->y, item->text, value, ls_text_middle (item));
    }
  for (guint i = 0; i + 1 < plot->x.n; i++)
    if (fabs (plot->x.ticks[i + 1].value / plot->x.ticks[i].value - 4) > 1e-9)
      g_error ("after “%s” FLOP for each byte comes “%s”", plot->x.ticks[i].text, plot->x.ticks[i + 1].text);
  plot->x.n--; /* the last one may be moved so that it ends in the plot */
  g_assert_cmpuint (plot->x.n, >=, 3);
  g_assert_cmpuint (plot->y.n, >=, 2);
  g_autofree char *wrong_x = ls_scale_learn (&plot->x, "FLOP for each byte"),
                  *wrong_y = ls_scale_learn (&plot->y, "GFLOP/s");
  g_assert_cmpstr (wrong_x, ==, NULL);
  g_assert_cmpstr (wrong_y, ==, NULL);
}

/* The ring of the nth op; its centre in *x, *y. */
static const LsItem *
ring_of (const Plot *plot, guint nth, double *x, double *y)
{
  const LsScene *s = plot->layout->still;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_RINGS || (guint) item->value != plot->side || nth-- > 0)
        continue;
      *x = (double) g_array_index (s->points, float, 2 * item->points);
      *y = (double) g_array_index (s->points, float, 2 * item->points + 1);
      return item;
    }
  g_error ("lane %u has no such ring", plot->side);
}

/* Each stands at its FLOP for a byte and its rate, as the axes' numbers say; slower ones than are drawn at
 * the foot. */
static void
check_rings (const Plot *plot)
{
  for (guint i = 0; i < plot->ops->len; i++)
    {
      const LsRoofOp *op = &g_array_index (plot->ops, LsRoofOp, i);
      double x, y;

      ring_of (plot, i, &x, &y);
      const double should_x = ls_scale_px (&plot->x, op->intensity),
                   should_y = ls_scale_px (&plot->y, MAX (op->rate / 1e9, 1e-3));
      if (fabs (x - should_x) > 1.5 || fabs (y - should_y) > 1.5)
        g_error ("lane %u: a ring of %g FLOP for each byte and %g GFLOP/s stands at %.1f, %.1f, and by the "
                 "axes’ numbers that is at %.1f, %.1f",
                 plot->side, op->intensity, op->rate / 1e9, x, y, should_x, should_y);
    }
}

/* Nothing is drawn there, nor near it: no words, no ring, no roof; and it lies in the plot. */
static gboolean
is_empty (const Plot *plot, LsArea place)
{
  const LsScene *s = plot->layout->still;
  const double near = 2 * plot->layout->m.unit, half = plot->layout->width / 2;

  place = (LsArea){ place.x - near, place.y - near, place.w + 2 * near, place.h + 2 * near };
  if (place.x + place.w > (plot->side == 0 ? half - 4 * near : 2 * half - 4 * near))
    return FALSE;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const float *at = &g_array_index (s->points, float, 2 * item->points);
      LsArea area;

      if (item->kind == LS_ITEM_LINE && item->n_points == 2)
        for (guint k = 0; k <= 400; k++)
          {
            const double x = (double) (at[0] + (at[2] - at[0]) * (float) k / 400),
                         y = (double) (at[1] + (at[3] - at[1]) * (float) k / 400);
            if (item->ink == LS_INK_TEXT && ls_area_has (place, x, y))
              return FALSE;
          }
      if (item->kind != LS_ITEM_TEXT && item->kind != LS_ITEM_RINGS)
        continue;
      ls_item_bounds (s, item, &area.x, &area.y, &area.w, &area.h);
      if (item->kind == LS_ITEM_RINGS)
        area = (LsArea){ (double) (at[0] - item->size / 2), (double) (at[1] - item->size / 2),
                         (double) item->size, (double) item->size };
      if (ls_area_overlaps (&place, &area))
        return FALSE;
    }
  return TRUE;
}

/* A name is right beside a ring of an op that is called so, nearer than to any other, and the longest op has
 * one. Where a ring climbs while its op runs none stands that had room to the right below. */
static guint
check_names (const Plot *plot, const LsViewData *data)
{
  const LsScene *s = plot->layout->still;
  guint names = 0, longest = 0;
  gboolean named = FALSE;

  for (guint i = 0; i < plot->ops->len; i++)
    if (g_array_index (plot->ops, LsRoofOp, i).share > g_array_index (plot->ops, LsRoofOp, longest).share)
      longest = i;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      double nearest = HUGE_VAL, others = HUGE_VAL, free_x = 0, free_y = 0;
      guint called = 0;
      gboolean climbs = FALSE;
      LsArea text;

      if (item->kind != LS_ITEM_TEXT || !is_of (plot, item) || item->ink != LS_INK_LANE
          || (guint) item->value != plot->side)
        continue;
      ls_item_bounds (s, item, &text.x, &text.y, &text.w, &text.h);
      for (guint k = 0; k < plot->ops->len; k++)
        {
          const LsRoofOp *op = &g_array_index (plot->ops, LsRoofOp, k);
          double x, y;
          const LsItem *ring = ring_of (plot, k, &x, &y);
          const double across = MAX (MAX (text.x - x, x - text.x - text.w), 0),
                       down = MAX (MAX (text.y - y, y - text.y - text.h), 0),
                       apart = hypot (across, down) - (double) ring->size / 2;

          if (strcmp (data->recording->ops[op->op].symbol, item->text) != 0)
            {
              others = MIN (others, apart);
              continue;
            }
          called++;
          if (apart < nearest)
            {
              climbs = across < (double) ring->size / 2;
              free_x = x + (double) ring->size / 2 + 3 * plot->layout->m.unit;
              free_y = y + text.h / 2;
            }
          nearest = MIN (nearest, apart);
          named = named || k == longest;
        }
      if (called == 0)
        continue; /* the lane's own name */
      if (others < nearest - 1)
        g_error ("lane %u: “%s” stands nearer to another op's ring, %.0f px, than to its own, %.0f",
                 plot->side, item->text, others, nearest);
      if (nearest > 6 * plot->layout->m.unit)
        g_error ("lane %u: “%s” stands %.0f px from the ring that it names", plot->side, item->text, nearest);
      if (climbs && is_empty (plot, (LsArea){ free_x, free_y, text.w, text.h }))
        g_error ("lane %u: “%s” stands where its ring climbs, though there is room at %.0f, %.0f", plot->side,
                 item->text, free_x, free_y);
      names++;
    }
  if (!named)
    g_error ("lane %u: the op that takes longest, %s, isn’t named", plot->side,
             data->recording->ops[g_array_index (plot->ops, LsRoofOp, longest).op].symbol);
  return names;
}

static void
set_roof (LsRecording *recording, guint lane, LsRoof roof, double value)
{
  recording->lanes[lane].device->roofs[roof]
    = (LsFigure){ .value = value, .q1 = value, .q3 = value, .n = 7, .evidence = LS_EVIDENCE_MEASURED };
}

static void
test_rings (void)
{
  static const double sizes[][2] = { { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  LsQuery query = LS_QUERY_INIT;

  for (guint lane = 0; lane < 2; lane++)
    {
      set_roof (recording, lane, LS_ROOF_FLOPS, 400e9);
      set_roof (recording, lane, LS_ROOF_MEMORY, 40e9);
    }
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, sizes[i][0],
                                               sizes[i][1]);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          Plot plot;

          open_plot (&plot, layout, data, side);
          check_rings (&plot);
          g_assert_cmpuint (check_names (&plot, data), >=, 4);
          g_array_unref (plot.ops);
        }
    }
}

/* The smallest window has its two plots, in a hall, too. */
static void
test_smallest (void)
{
  static const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_PROJECTOR };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
  const LsQuery query = LS_QUERY_INIT;

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, looks[i], 960, 600);
      guint axes = 0, rings = 0;

      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          axes += item->kind == LS_ITEM_TEXT && strcmp (item->text, "GFLOP/s") == 0;
          rings += item->kind == LS_ITEM_RINGS;
        }
      if (axes != 2 || rings < 8)
        g_error ("look %u: %u axes and %u rings at 960×600", looks[i], axes, rings);
    }
}

/* ---- roofs ---- */

/* A slope is a bandwidth: GFLOP/s over FLOP for each byte is GB/s all along it; flat is what can be computed,
 * and one core's share of it a line at the right, unless it is nearly all. */
static void
test_roofs (void)
{
  static const double bandwidths[] = { 40, 300, 200, 100 };
  static const double ones[] = { 100, 370, 0 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  LsQuery query = LS_QUERY_INIT;

  for (guint k = 0; k < G_N_ELEMENTS (ones); k++)
    {
      guint found[G_N_ELEMENTS (bandwidths)] = { 0 }, flat = 0, one = 0;
      Plot plot;

      set_roof (recording, 0, LS_ROOF_FLOPS, 400e9);
      set_roof (recording, 0, LS_ROOF_MEMORY, 40e9);
      set_roof (recording, 0, LS_ROOF_LOCAL, 300e9);
      set_roof (recording, 0, LS_ROOF_L2, 200e9);
      set_roof (recording, 0, LS_ROOF_L3, 100e9);
      set_roof (recording, 0, LS_ROOF_ONE, ones[k] * 1e9);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      open_plot (&plot, layout, data, 0);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          const float *at = &g_array_index (layout->still->points, float, 2 * item->points);
          if (item->kind != LS_ITEM_LINE || item->n_points != 2 || (double) at[0] > layout->width / 2)
            continue;
          const double x0 = ls_scale_value (&plot.x, (double) at[0]),
                       y0 = ls_scale_value (&plot.y, (double) at[1]),
                       x1 = ls_scale_value (&plot.x, (double) at[2]),
                       y1 = ls_scale_value (&plot.y, (double) at[3]);
          if (at[1] == at[3])
            {
              flat += item->ink == LS_INK_TEXT && fabs (y0 / 400 - 1) < .02;
              one += item->ink == LS_INK_QUIET && fabs (y0 / ones[k] - 1) < .02;
              continue;
            }
          for (guint b = 0; b < G_N_ELEMENTS (bandwidths) && item->ink == LS_INK_TEXT; b++)
            if (fabs (y0 / x0 / bandwidths[b] - 1) < .03 && fabs (y1 / x1 / bandwidths[b] - 1) < .03)
              {
                found[b]++;
                g_assert_cmpfloat_with_epsilon (y1 / 400, 1, .02); /* up to the flat one */
              }
        }
      g_assert_cmpuint (flat, ==, 1);
      for (guint b = 0; b < G_N_ELEMENTS (bandwidths); b++)
        if (found[b] != 1)
          g_error ("%u slopes are of %g GB/s", found[b], bandwidths[b]);
      if (one != (k == 0) || says (layout->still, "one core ") != (k == 0))
        g_error ("with %g of 400 GFLOP/s on one core %u lines are its", ones[k], one);
      if (k == 0)
        g_assert_true (says (layout->still, "one core 100"));
      g_array_unref (plot.ops);
    }
}

/* ---- from where ---- */

/* A wedge begins in a point where the op was, by the same axes, and ends as wide as its ring, across the
 * way. */
static void
test_wedges (void)
{
  LsFixture slower = ls_fixture_cores;
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores), then = NULL;
  LsQuery query = LS_QUERY_INIT;
  guint wedges = 0;

  slower.batch = 2;
  then = ls_fixture_recording (&slower);
  g_autoptr (LsViewData) other = ls_view_data_from_recording (then, NULL);
  const LsViewBeside beside = { .other = other };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  const LsScene *s = layout->still;
  g_autofree char *text = ls_layout_describe (layout);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (GArray) before = ls_roofline_ops (then, &other->sides[side], NULL);
      Plot plot;

      open_plot (&plot, layout, data, side);
      check_rings (&plot);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i), *ring = NULL;
          const float *at = &g_array_index (s->points, float, 2 * item->points);
          double x = 0, y = 0, here_x, here_y;
          guint op = 0;

          if (item->kind != LS_ITEM_AREA || item->n_points != 3 || (guint) item->value != side
              || ((double) at[2] > layout->width / 2) != (side == 1))
            continue;
          const double end_x = ((double) at[2] + (double) at[4]) / 2,
                       end_y = ((double) at[3] + (double) at[5]) / 2;
          for (guint k = 0; k < plot.ops->len; k++)
            {
              const LsItem *candidate = ring_of (&plot, k, &here_x, &here_y);
              if (hypot (here_x - end_x, here_y - end_y) > .5)
                continue;
              ring = candidate;
              op = k;
              x = here_x;
              y = here_y;
            }
          g_assert_nonnull (ring);
          const double wide = hypot ((double) (at[2] - at[4]), (double) (at[3] - at[5]));
          if (fabs (wide - (double) ring->size) > .5)
            g_error ("a wedge is %.1f px wide at a ring of %.1f", wide, (double) ring->size);
          if (hypot (x - (double) at[0], y - (double) at[1]) < (double) ring->size - .5)
            g_error ("a wedge is shorter than it is wide, at a ring of %.1f", (double) ring->size);
          g_assert_cmpfloat_with_epsilon ((x - (double) at[0]) * (double) (at[2] - at[4])
                                            + (y - (double) at[1]) * (double) (at[3] - at[5]),
                                          0, 2);
          /* ops are in the same order in both */
          const LsRoofOp *was = &g_array_index (before, LsRoofOp, op);
          const double was_x = ls_scale_px (&plot.x, was->intensity),
                       was_y = ls_scale_px (&plot.y, MAX (was->rate / 1e9, 1e-3));
          if (fabs (was_x - (double) at[0]) > 1.5 || fabs (was_y - (double) at[1]) > 1.5)
            g_error (
              "lane %u: %g FLOP for each byte and %g GFLOP/s before are shown at %.1f, %.1f, not at %.1f, "
              "%.1f",
              side, was->intensity, was->rate / 1e9, (double) at[0], (double) at[1], was_x, was_y);
          wedges++;
        }
      /* and of the longest op it is told */
      guint longest = 0;
      for (guint i = 0; i < plot.ops->len; i++)
        if (g_array_index (plot.ops, LsRoofOp, i).share > g_array_index (plot.ops, LsRoofOp, longest).share)
          longest = i;
      g_autofree char *rate = ls_number_text (g_array_index (before, LsRoofOp, longest).rate / 1e9, 3),
                      *words = g_strdup_printf ("; in the other recording %s.", rate);
      if (strstr (text, words) == NULL)
        g_error ("lane %u: “%s” isn’t told: %s", side, words, text);
      g_array_unref (plot.ops);
    }
  g_assert_cmpuint (wedges, >, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roofline-named/rings", test_rings);
  g_test_add_func ("/roofline-named/smallest", test_smallest);
  g_test_add_func ("/roofline-named/roofs", test_roofs);
  g_test_add_func ("/roofline-named/wedges", test_wedges);
  return g_test_run ();
}
