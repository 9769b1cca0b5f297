/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of Tiles that share one place where there is no room for all, and the roofline, whose ring is the
 * ledger's.
 */
#include <math.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "core/number.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "cpu_step.h"
#include "ui/paint/views.h"

/* Where there is no room for all, the ledger, the source and the roofline have tabs; v goes round. */
static void
test_tabs (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1);

  for (guint s = 0; s < 2; s++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint seen = 0;

      query.op = 1;
      for (guint i = 0; i < LS_TILES_N_PANES; i++)
        {
          g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_tiles, data, &query, LS_LOOK_LIGHT,
                                                      draw_sizes[s][0], draw_sizes[s][1]);
          const LsTiles *t = layout->own;

          seen |= 1u << (t->source.h > 0                    ? LS_TILES_PANE_SOURCE
                         : t->local.h <= 0 && t->roof.h > 0 ? LS_TILES_PANE_ROOF
                         : t->local.h > 0                   ? LS_TILES_PANE_TILES
                                                            : LS_TILES_PANE_LEDGER);
          seen |= t->ledger.h > 0 ? 1u << LS_TILES_PANE_LEDGER : 0;
          /* and what belongs to the moment is in each that is there */
          query.time_ns = LS_TIME_END;
          ls_layout_move (layout, &query);
          const struct {
            const char *name;
            LsArea area;
          } parts[]
            = { { "tiles in local memory", t->local }, { "ledger", t->ledger }, { "source", t->source } };
          for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
            {
              guint n = 0;
              for (guint j = 0; j < layout->moving->items->len; j++)
                {
                  const LsItem *item = ls_scene_get (layout->moving, j);
                  n += ls_area_has (parts[k].area, (double) item->x + 1, (double) item->y + 1);
                }
              if (parts[k].area.h > 0 && n < 3)
                g_error ("the %s has room, and %u things in it are of the moment", parts[k].name, n);
            }
          g_assert_true (ls_view_tiles.key (layout, LS_KEY_PAGE, &query));
        }
      g_assert_cmpuint (seen, ==, 15);
    }
}

/* Where the ring of what has been counted so far stands; NAN: nowhere. */
static double
ring_x (const LsLayout *layout)
{
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      if (item->kind == LS_ITEM_RINGS && item->ink == LS_INK_TEXT && item->n_points == 1)
        return (double) g_array_index (layout->moving->points, float, 2 * item->points);
    }
  return (double) NAN;
}

static gboolean
says_intensity (const LsLayout *layout, const LsLedger *own, guint *reused)
{
  /* a multiply-add is two FLOP */
  const double reuse = own->global_loads > 0 ? (double) own->flops / 2 / (double) own->global_loads : 0;
  g_autofree char *number = ls_number_text (ls_ledger_intensity (own), 3), *times = ls_number_text (reuse, 3),
                  *words = g_strdup_printf ("%s FLOP per global byte", number),
                  *adds = g_strdup_printf ("%s multiply-adds for each float loaded", times);

  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      if (item->kind != LS_ITEM_TEXT || !g_str_has_suffix (item->text, words))
        continue;
      if (strstr (item->text, "multiply-adds") != NULL)
        {
          if (!g_str_has_prefix (item->text, adds))
            g_error ("“%s” should be %s", item->text, adds);
          ++*reused;
        }
      return TRUE;
    }
  return FALSE;
}

/* A click on its tab shows the roofline at 960 and 1280, its text fits, and the ring stands where the
 * ledger's sum is that is told beside it: it climbs while the work-group multiplies what it has loaded, and
 * goes back with the clock. */
static void
test_roof (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1.1);
  guint rungs = 0, reused = 0;

  for (guint s = 0; s < 3; s++)
    for (gint rung = LS_RUNG_TILED; rung < LS_RUNG_N; rung++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        double least = HUGE_VAL, most = 0, last = 0;

        query.op = 1;
        asked.rung = rung;
        if (s < 2)
          {
            g_autoptr (LsLayout) first = draw_view_in (fonts, &ls_view_tiles, data, &query, LS_LOOK_LIGHT,
                                                       draw_sizes[s][0], draw_sizes[s][1]);
            const LsArea tab = ((const LsTiles *) first->own)->tabs[LS_TILES_PANE_ROOF];
            g_assert_cmpfloat (tab.w, >, 0);
            g_assert_true (ls_view_tiles.point (first, tab.x + tab.w / 2, tab.y + tab.h / 2, &query));
            g_assert_cmpuint (asked.pane, ==, LS_TILES_PANE_ROOF);
          }
        g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_tiles, data, &query, LS_LOOK_LIGHT,
                                                    draw_sizes[s][0], draw_sizes[s][1]);
        for (guint i = 1; i < 60; i++)
          {
            const guint at = i < 50 ? i : 59 - i; /* and back */
            LsTilesNow now;
            LsLedger own, naive;

            query.time_ns = layout->span_ns * at / 50;
            ls_layout_move (layout, &query);
            assert_faultless (layout);
            ls_tiles_now (layout->own, query.time_ns, &now);
            ls_tiles_count (layout->own, &now, &own, &naive);
            const double intensity = ls_ledger_intensity (&own), ring = ring_x (layout);
            g_assert_true (says_intensity (layout, &own, &reused));
            if (intensity < .125)
              continue;
            g_assert_true (isfinite (ring));
            if (intensity > last)
              g_assert_cmpfloat (ring, >=, most);
            else
              g_assert_cmpfloat (ring, <=, most);
            last = MAX (last, intensity);
            most = MAX (most, ring);
            least = MIN (least, ring);
          }
        rungs += most > least + 5;
      }
  g_assert_cmpuint (rungs, >, 0);
  g_assert_cmpuint (reused, >, 0);
}

/* The recorded rate stands at the intensity of the rung that ran, whichever one is looked at. */
static void
test_recorded (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  double at = 0;

  for (gint rung = 0; rung < LS_RUNG_N; rung++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint n = 0;

      query.op = 1;
      asked.rung = rung;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTiles *t = layout->own;
      query.time_ns = layout->span_ns;
      ls_layout_move (layout, &query);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          double x;
          if (item->kind != LS_ITEM_RINGS || item->ink != LS_INK_MARK || item->n_points != 1)
            continue;
          x = (double) g_array_index (layout->moving->points, float, 2 * item->points);
          if (x < t->roof.x || x > t->roof.x + t->roof.w)
            continue;
          if (at > 0 && fabs (x - at) > .1)
            g_error ("looking at rung %d moves the recorded rate from %.1f to %.1f", rung, at, x);
          at = x;
          n++;
        }
      g_assert_cmpuint (n, ==, 1);
    }
}

/* The middle of a tick's text, in the line of the others. */
static double
tick_x (const LsLayout *layout, const char *text)
{
  const LsItem *first = find_text (layout->still, "¼");

  g_assert_nonnull (first);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_TEXT && g_str_equal (item->text, text) && item->y <= first->y
          && item->y >= first->y)
        {
          double x, y, w, h;
          ls_item_bounds (layout->still, item, &x, &y, &w, &h);
          return x + w / 2;
        }
    }
  g_error ("there is no tick “%s”", text);
}

/* The roof is level from where the memory keeps up with the arithmetic: at peak over memory FLOP per byte. */
static void
test_ridge (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint n = 0;

  query.op = 1;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsFigure *roofs = data->sides[side].recorded->device->roofs;
      roofs[LS_ROOF_FLOPS] = (LsFigure){ .value = 200e9, .q1 = 200e9, .q3 = 200e9, .n = 9, .unit = "FLOP/s" };
      roofs[LS_ROOF_MEMORY] = (LsFigure){ .value = 25e9, .q1 = 25e9, .q3 = 25e9, .n = 9, .unit = "B/s" };
    }
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const double ridge = (tick_x (layout, "4") + tick_x (layout, "16")) / 2; /* 8, on a logarithmic axis */
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      const float *at = item->n_points == 2 ? &g_array_index (layout->still->points, float, 2 * item->points)
                                            : NULL;
      if (item->kind != LS_ITEM_LINE || at == NULL || item->ink != LS_INK_TEXT
          || (double) fabsf (at[1] - at[3]) > .1 || (double) at[2] < tick_x (layout, "64") - 2)
        continue;
      g_assert_cmpfloat_with_epsilon ((double) at[0], ridge, 2);
      n++;
    }
  g_assert_cmpuint (n, ==, 1);
}

/* The first text that says this below that heading and not left of it. */
static const LsItem *
below (const LsLayout *layout, const LsItem *heading, const char *text)
{
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      if (item->kind == LS_ITEM_TEXT && item->y > heading->y && item->x >= heading->x
          && g_str_equal (item->text, text))
        return item;
    }
  g_error ("below “%s” is no “%s”", heading->text, text);
}

static double
middle_of (const LsScene *scene, const LsItem *text)
{
  double x, y, w, h;

  ls_item_bounds (scene, text, &x, &y, &w, &h);
  return x + w / 2;
}

/* What the registers need of L1 is told in their row, what L2 needs of memory in its own, and L1 has no bar:
 * the rate of L2's bytes isn't measured. */
static void
test_balance (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  static const struct {
    const char *name, *from, *to; /* the bar stands midway between these ticks: a logarithmic axis */
  } rows[] = { { "registers", "1", "4" }, { "L1", NULL, NULL }, { "L2", "4", "16" } };
  LsFigure *roofs = data->sides[0].recorded->device->roofs;
  const LsItem *heading;

  query.op = 1;
  asked.cpu_side = TRUE;
  roofs[LS_ROOF_FLOPS] = (LsFigure){ .value = 200e9, .q1 = 200e9, .q3 = 200e9, .n = 9, .unit = "FLOP/s" };
  roofs[LS_ROOF_LOCAL] = (LsFigure){ .value = 100e9, .q1 = 100e9, .q3 = 100e9, .n = 9, .unit = "B/s" };
  roofs[LS_ROOF_MEMORY] = (LsFigure){ .value = 25e9, .q1 = 25e9, .q3 = 25e9, .n = 9, .unit = "B/s" };
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  query.time_ns = layout->span_ns;
  ls_layout_move (layout, &query);
  heading = find_text (layout->moving, "FLOP per byte");
  g_assert_nonnull (heading);
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const double y = (double) below (layout, heading, rows[r].name)->y;
      guint bars = 0;

      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_TEXT || fabs ((double) item->w - 4) > .01
              || (double) item->y > y || (double) (item->y + item->h) < y)
            continue;
          bars++;
          if (rows[r].from == NULL)
            continue;
          const double at = (middle_of (layout->moving, below (layout, heading, rows[r].from))
                             + middle_of (layout->moving, below (layout, heading, rows[r].to)))
                            / 2;
          if (fabs ((double) item->x + 2 - at) > 2)
            g_error ("in the row of %s the bar is at %.1f, not at %.1f", rows[r].name, (double) item->x + 2,
                     at);
        }
      if (bars != (rows[r].from != NULL))
        g_error ("in the row of %s are %u bars of what is needed", rows[r].name, bars);
    }
}

/* What each level is said to have reached: its ring stands there on the axis, and times the bytes that it has
 * moved it is the same arithmetic at all of them, that of the tile. */
static void
test_reached (void)
{
  static const char *const names[] = { "registers", "L1", "L2" }, *const bytes[] = { "registers ← L1",
                                                                                     "L1 ← L2",
                                                                                     "L2 ← beyond" };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  query.op = 1;
  asked.cpu_side = TRUE;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  query.time_ns = layout->span_ns;
  ls_layout_move (layout, &query);
  const LsScene *s = layout->moving;
  const LsTiles *t = layout->own;
  const LsItem *heading = find_text (s, "FLOP per byte");
  const double flops = 2. * (double) (t->cpu->rows * t->cpu->cols * t->gemm.k),
               one = middle_of (s, below (layout, heading, "1")),
               four = middle_of (s, below (layout, heading, "4"));
  for (guint r = 0; r < G_N_ELEMENTS (names); r++)
    {
      const LsItem *name = below (layout, heading, names[r]), *ring = NULL, *number = NULL;
      double slack, is[NUMBERS_MOST], half[NUMBERS_MOST];
      const double moved = bytes_of (beside (layout, bytes[r]), &slack);

      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          const double y = item->kind == LS_ITEM_RINGS
                             ? (double) g_array_index (s->points, float, 2 * item->points + 1)
                             : (double) item->y;
          if (fabs (y - (double) name->y) > name->type.px * .6)
            continue;
          if (item->kind == LS_ITEM_RINGS)
            ring = item;
          else if (item->kind == LS_ITEM_TEXT && ring != NULL && number == NULL && item->x > name->x)
            number = item;
        }
      g_assert_true (ring != NULL && number != NULL);
      numbers_of (number->text, is, half);
      const double at = one + (four - one) * log (is[0]) / log (4);
      if (fabs ((double) g_array_index (s->points, float, 2 * ring->points) - at) > 2)
        g_error ("the ring of %s is at %.0f, and its %s at %.0f", names[r],
                 (double) g_array_index (s->points, float, 2 * ring->points), number->text, at);
      /* the last micro-tiles count as whole ones */
      const double computed = is[0] * moved;
      if (computed < .95 * flops || computed > 1.3 * flops)
        g_error ("%s: %s FLOP for each of %.0f bytes are not the %.0f of the tile", names[r], number->text,
                 moved, flops);
    }
}

/* While a tile is loaded the picked work-item loads the element at its own place, if the tile has one there,
 * in both directions. */
static void
test_own_cells (void)
{
  static const struct {
    guint row, col;
    LsListingPhase phase;
    gint64 round;
    gboolean at;
    guint a_col, b_row;
  } rows[] = {
    { 3, 5, LS_LISTING_LOAD, 0, TRUE, 5, 3 },      { 15, 15, LS_LISTING_LOAD, 3, TRUE, 15, 15 },
    { 16, 5, LS_LISTING_LOAD, 0, FALSE, 5, 16 },   { 3, 16, LS_LISTING_LOAD, 0, FALSE, 16, 3 },
    { 16, 5, LS_LISTING_MULTIPLY, 0, TRUE, 9, 9 }, { 3, 5, LS_LISTING_MULTIPLY, 3, TRUE, 9, 9 },
    { 3, 5, LS_LISTING_MULTIPLY, 4, FALSE, 9, 9 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsTiles t = { .rounds = 4,
                          .window = 16,
                          .cut = { .local = TRUE, .rung = LS_RUNG_TILED },
                          .item_row = rows[i].row,
                          .item_col = rows[i].col };
      const LsTilesNow now = { .round = rows[i].round, .phase = rows[i].phase, .step = 9 };
      guint a_col, b_row;
      const gboolean at = ls_tiles_own_cells (&t, &now, &a_col, &b_row);

      if (at != rows[i].at || a_col != rows[i].a_col || b_row != rows[i].b_row)
        g_error (
          "work-item (%u, %u) of tiles of 16 is %s at column %u of A and row %u of B, not %s at %u and %u",
          rows[i].row, rows[i].col, at ? "there," : "nowhere,", a_col, b_row,
          rows[i].at ? "there," : "nowhere,", rows[i].a_col, rows[i].b_row);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles/tabs", test_tabs);
  g_test_add_func ("/paint/tiles/roof", test_roof);
  g_test_add_func ("/paint/tiles/recorded", test_recorded);
  g_test_add_func ("/paint/tiles/ridge", test_ridge);
  g_test_add_func ("/paint/tiles/balance", test_balance);
  g_test_add_func ("/paint/tiles/reached", test_reached);
  g_test_add_func ("/paint/tiles-panes/own-cells", test_own_cells);
  return g_test_run ();
}
