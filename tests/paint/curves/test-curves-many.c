/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ends of many lines: where a plot is too low for all names, the two lanes that stand on the sides have
 * theirs, then the other lanes, then runs before.
 */
#include <string.h>

#include "steps_rig.h"

#define OTHERS 6
#define RUNS   4

static void
fill (LsViewLane *lane, double loss, double rate)
{
  for (guint step = 1; step <= 100; step++)
    add_step (lane, 1e8 / rate, loss, step * 1000);
  lane->rate = (LsFigure){ .value = rate, .q1 = rate, .q3 = rate, .n = 200, .unit = "samples/s" };
}

/* Names right of that plot, or in it, that begin so. */
static guint
count (const LsLayout *layout, const LsPlot *plot, const char *begin)
{
  guint n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      n += item->kind == LS_ITEM_TEXT && g_str_has_prefix (item->text, begin)
           && (double) item->x > plot->area.x && (double) item->x < plot->area.x + plot->area.w + 200
           && (double) item->y > plot->area.y - 2 && (double) item->y < plot->area.y + plot->area.h + 8;
    }
  return n;
}

/* Two lanes on the sides, OTHERS beside them and RUNS before. */
static void
start_many (Rig *rig)
{
  Rig r;

  rig_start (&r);
  g_clear_pointer (&r.data->others, g_ptr_array_unref);
  r.data->others = g_ptr_array_new_with_free_func (free_lane);
  for (guint i = 0; i < LS_SIDES + OTHERS; i++)
    {
      LsViewLane *lane = i < LS_SIDES ? &r.data->sides[i] : g_new0 (LsViewLane, 1);

      if (i >= LS_SIDES)
        {
          *lane = (LsViewLane){ .curve = ls_curve_new (), .ink = i - LS_SIDES }; /* the first ink, too */
          g_ptr_array_add (r.data->others, lane);
        }
      g_free (lane->brief);
      lane->brief = g_strdup_printf (i < LS_SIDES ? "Side%u" : "Other%u", i);
      fill (lane, 1 + .1 * i, 1e4 * (1 + i));
    }
  r.data->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  for (guint i = 0; i < RUNS; i++)
    {
      LsRunCurves *run = g_new0 (LsRunCurves, 1);

      *run = (LsRunCurves){ .ref_count = 1, .label = g_strdup_printf ("Run%u", i), .batch = 100 };
      run->sides[0].curve = ls_curve_new ();
      fill (&run->sides[0], 2 + i, 9e4);
      g_ptr_array_add (r.data->runs, run);
    }
  *rig = r;
}

static void
test_rooms (void)
{
  static const LsCurveKind kinds[] = { LS_CURVE_LOSS, LS_CURVE_RATE };
  guint all = 0, some = 0, none = 0;
  Rig r;

  start_many (&r);
  for (double height = 300; height <= 1080; height += 20)
    {
      const LsLook look = height < 640 ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT;
      const LsQuery query = LS_QUERY_INIT;

      ls_layout_free (r.layout);
      r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, look,
                               look == LS_LOOK_PROJECTOR ? 1280 : 1920, height);
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        {
          const LsPlot *plot = plot_of (r.layout, kinds[k]);
          if (plot == NULL) /* in a small window there is one */
            continue;
          const guint sides = count (r.layout, plot, "Side"), others = count (r.layout, plot, "Other"),
                      runs = count (r.layout, plot, "Run");

          if (sides < LS_SIDES || (runs > 0 && others < OTHERS))
            g_error (
              "%s of %.0f px: %u of 2 lanes on the sides have a name, %u of %d others, and %u of %d runs",
              ls_chart_name (kinds[k]), plot->area.h, sides, others, OTHERS, runs, RUNS);
          all += others == OTHERS && runs == RUNS;
          some += others > 0 && others < OTHERS;
          none += runs == 0;
        }
    }
  g_test_message ("%u with all names, %u with some of the others, %u without runs", all, some, none);
  g_assert_true (all > 0 && some > 0 && none > 0);
  rig_end (&r);
}

/* One value stands for all lanes only where all of them end at it. */
static void
test_alike (void)
{
  static const struct {
    double losses[4];
    const char *said[3], *never[2];
  } rows[] = {
    { { 2, 2, 2, 2 }, { "2.00 all 4" }, { "both", "Other" } },
    { { 2, 2, 2, 3 }, { "2.00 both", "Other2 2.00", "Other3 3.00" }, { "all" } },
    { { 2, 2, 3, 2 }, { "2.00 both", "Other2 3.00", "Other3 2.00" }, { "all" } },
    { { 2, 3, 2, 2 }, { "Side0 2.00", "Side1 3.00" }, { "all", "both" } },
    { { 2, 2, 3, 3 }, { "2.00 both", "Other2 3.00", "Other3 3.00" }, { "all" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsQuery query = LS_QUERY_INIT;
      Rig r;

      rig_start (&r);
      g_clear_pointer (&r.data->others, g_ptr_array_unref);
      r.data->others = g_ptr_array_new_with_free_func (free_lane);
      for (guint k = 0; k < 4; k++)
        {
          LsViewLane *lane = k < LS_SIDES ? &r.data->sides[k] : g_new0 (LsViewLane, 1);

          if (k >= LS_SIDES)
            {
              *lane = (LsViewLane){ .curve = ls_curve_new (), .ink = k };
              g_ptr_array_add (r.data->others, lane);
            }
          g_free (lane->brief);
          lane->brief = g_strdup_printf (k < LS_SIDES ? "Side%u" : "Other%u", k);
          fill (lane, rows[i].losses[k], 1e4 * (1 + k));
        }
      ls_layout_free (r.layout);
      r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsPlot *plot = plot_of (r.layout, LS_CURVE_LOSS);
      g_autoptr (GString) ends = g_string_new ("");
      for (guint k = 0; k < r.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (r.layout->still, k);
          if (item->kind == LS_ITEM_TEXT && (double) item->x > plot->area.x + plot->area.w / 2
              && (double) item->y > plot->area.y - 2 && (double) item->y < plot->area.y + plot->area.h + 8
              && (double) item->x < plot->area.x + plot->area.w + 200)
            g_string_append_printf (ends, "%s; ", item->text);
        }
      for (guint k = 0; k < 3 && rows[i].said[k] != NULL; k++)
        if (strstr (ends->str, rows[i].said[k]) == NULL)
          g_error ("case %u: at the lines' ends isn't said “%s”: %s", (guint) i, rows[i].said[k], ends->str);
      for (guint k = 0; k < 2 && rows[i].never[k] != NULL; k++)
        if (strstr (ends->str, rows[i].never[k]) != NULL)
          g_error ("case %u: at the lines' ends is said “%s”: %s", (guint) i, rows[i].never[k], ends->str);
      rig_end (&r);
    }
}

/* Under the pointer stand as many values as there is room for within the plot, the first ones, below the
 * step. */
static void
test_plate (void)
{
  guint cut = 0, whole = 0;
  Rig r;

  start_many (&r);
  for (double height = 330; height <= 900; height += 8)
    {
      LsQuery query = LS_QUERY_INIT;

      ls_layout_free (r.layout);
      r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_LIGHT, 1920, height);
      query.curves.cursor = 50;
      ls_layout_move (r.layout, &query);
      const LsPlot *plot = plot_of (r.layout, LS_CURVE_RATE);
      const LsScene *s = r.layout->moving;
      const double line = r.layout->m.tick.px * 1.3;
      guint n = 0, titles = 0;

      if (plot == NULL)
        continue;
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          if ((item->kind != LS_ITEM_TEXT && item->ink != LS_INK_CARD) || (double) item->x < plot->area.x
              || (double) item->x > plot->area.x + plot->area.w || (double) item->y < plot->area.y
              || (double) item->y > plot->area.y + plot->area.h + 2 * line)
            continue;
          if (item->kind == LS_ITEM_BOX
              && (double) (item->y + item->h) > plot->area.y + plot->area.h + 4.1) /* its edge */
            g_error ("%.0f px: the plate is %.1f px high, and the plot %.1f", height, (double) item->h,
                     plot->area.h);
          titles += item->kind == LS_ITEM_TEXT && strcmp (item->text, "step 50") == 0;
          n += item->kind == LS_ITEM_TEXT && strcmp (item->text, "step 50") != 0;
        }
      const guint room = (guint) MAX (floor (plot->area.h / line) - 1, 0),
                  should = MIN (room, LS_SIDES + OTHERS + RUNS);
      if (titles != 1 || n != should)
        g_error ("%.0f px: under the pointer stand the step %u times and %u values, not %u", height, titles,
                 n, should);
      cut += room < LS_SIDES + OTHERS + RUNS;
      whole += room >= LS_SIDES + OTHERS + RUNS;
    }
  g_test_message ("%u plates with some of the values, %u with all", cut, whole);
  g_assert_true (cut > 3 && whole > 3);
  rig_end (&r);
}

/* However long the lanes' names are, most of a plot's width is its own. */
static void
test_long_names (void)
{
  static const double widths[] = { 960, 1280, 1920, 2560 };
  guint plots = 0;
  Rig r;

  start_many (&r);
  for (guint i = 0; i < OTHERS; i++)
    {
      LsViewLane *lane = r.data->others->pdata[i];
      g_free (lane->brief);
      lane->brief = g_strnfill (150, (gchar) ('a' + i));
    }
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    {
      const LsQuery query = LS_QUERY_INIT;

      ls_layout_free (r.layout);
      r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_LIGHT, widths[w], 900);
      const double each = widths[w] / 2; /* two side by side */
      for (guint i = 0; i < r.layout->plots->len; i++)
        {
          const LsPlot *plot = &g_array_index (r.layout->plots, LsPlot, i);
          if (!(plot->area.w > each * .4))
            g_error ("%.0f px wide: of names of 150 letters the plot of %s is left %.0f px", widths[w],
                     ls_chart_name (plot->kind), plot->area.w);
          plots++;
        }
    }
  g_assert_cmpuint (plots, >, 4);
  rig_end (&r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves-many/plate", test_plate);
  g_test_add_func ("/paint/curves-many/long-names", test_long_names);
  g_test_add_func ("/paint/curves-many/rooms", test_rooms);
  g_test_add_func ("/paint/curves-many/alike", test_alike);
  return g_test_run ();
}
