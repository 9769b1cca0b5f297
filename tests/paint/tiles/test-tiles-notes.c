/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is noted beside the tiles: what the colours of A and of B mean, how many vectors a packed convolution
 * loads, and at which size there is room for the sentences that say where the lanes disagree; how high the
 * ledger is, and where the key chooses another pane.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

/* The text on that line whose left or right end is nearest to x. */
static const char *
number_at (const LsScene *s, double x, double y, gboolean left)
{
  const char *found = "";
  double least = 12;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const double gap = fabs (left ? ls_item_right (item) - x : (double) item->x - x);
      if (item->kind == LS_ITEM_TEXT && fabs ((double) item->y - y) < 2 && gap < least)
        {
          least = gap;
          found = item->text;
        }
    }
  return found;
}

/* Each ramp goes from what the strongest colour of that matrix stands for, below zero, to the same above: the
 * upper or left one is A's. Returns how many ramps there are. */
static guint
check_ramps (const LsLayout *layout, const char *what)
{
  const LsTiles *t = layout->own;
  const LsScene *s = layout->moving;
  guint n = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_RAMP)
        continue;
      g_autofree char *top = ls_number_tick (n == 0 ? t->a.top : t->b.top),
                      *low = g_strconcat ("−", top, NULL), *high = g_strconcat ("+", top, NULL);
      const double y = (double) item->y + t->layout->m.tick.px * .78;
      const char *from = number_at (s, (double) item->x, y, TRUE),
                 *to = number_at (s, ls_item_right (item), y, FALSE);
      if (strcmp (from, low) != 0 || strcmp (to, high) != 0)
        g_error ("%s: the colours of %s go from “%s” to “%s”, not from %s to %s", what, n == 0 ? "A" : "B",
                 from, to, low, high);
      n++;
    }
  return n;
}

static void
test_ramps (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint with = 0, beside_tiles = 0, under = 0, said = 0;

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    for (double w = 900; w < 3900; w += 250)
      for (double h = 600; h < 2200; h += 170)
        {
          asked.rung = (gint) rung;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, w, h);
          LsTiles *t = layout->own;
          g_autofree char *what = g_strdup_printf ("rung %u, %.0f×%.0f", rung, w, h);
          t->a.top = 2;
          t->b.top = .5;
          query.time_ns = ls_tiles_still (t);
          ls_layout_move (layout, &query);
          const guint n = check_ramps (layout, what);
          g_assert_true (n == 0 || n == 2);
          const char *fewer = text_like (layout, "#", "× fewer");
          if (rung == LS_RUNG_NAIVE && fewer != NULL)
            g_error ("%s: a kernel that loads as often as itself is said to have “%s”", what, fewer);
          said += fewer != NULL && layout->m.size == LS_SIZE_SMALL;
          with += n == 2;
          beside_tiles += n == 2 && t->legend.h > 0;
          under += n == 2 && t->legend.h <= 0;
          query.time_ns = LS_TIME_END;
        }
  g_test_message ("%u pictures with ramps, %u beside the tiles, %u under them", with, beside_tiles, under);
  g_assert_true (beside_tiles > 0 && under > 0 && said > 0);
}

/* A factor's colours end where its strongest value in the tile demands, wherever that stands, and one beside
 * the tile doesn't matter. */
static void
test_ends (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

  asked.rung = LS_RUNG_TILED;
  asked.group_row = asked.group_col = 1;
  for (guint which = 0; which < 2; which++)
    for (gint at = -2; at < 2; at++)
      for (guint last = 0; last < 2; last++)
        {
          g_autoptr (LsLayout) plain = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
          const LsTiles *t = plain->own;
          const LsTilesMatrix *matrix = which == 0 ? &t->a : &t->b;
          const guint tile = which == 0 ? t->cut.tile_m : t->cut.tile_n;
          /* the last but one, the last of the tile before; the first, the second of the tile: or of its end
           */
          const gint64 place = (gint64) tile * (1 + last) + at, k = last ? t->gemm.k - 1 : 0;
          const gboolean inside = last ? at < 0 : at >= 0;
          float *value = (float *) matrix->values
                         + (which == 0 ? place * matrix->row_step + k * matrix->col_step
                                       : k * matrix->row_step + place * matrix->col_step);
          const float was = *value;

          *value = (float) (-500 * matrix->top);
          g_autoptr (LsLayout) strong = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
          const LsTiles *now = strong->own;
          const double end = which == 0 ? now->a.top : now->b.top;
          if (inside ? end < 500 * matrix->top * .999 || end > 1250 * matrix->top * 1.001
                     : end != matrix->top)
            g_error ("with %g in %s %" G_GINT64_FORMAT " of %s its colours go to %g", (double) *value,
                     which == 0 ? "row" : "column", place, which == 0 ? "A" : "B", end);
          *value = was;
        }
}

/* Without a walk a picture doesn't show them: the kernel's cut is the test's. */
static void
test_vectors (void)
{
  static const struct {
    const char *op, *file, *function, *words;
    guint tile_n;
  } cases[] = { { "conv2d", "conv_packed.cl", "conv_packed", "2 vectors of B", 16 },
                { "conv2d_dx", "conv_packed.cl", "conv_packed", "2 vectors of B", 8 },
                { "conv2d_dw", "conv_packed_dw.cl", "conv_packed_dw", "9 vectors of B", 9 },
                { "conv2d_dw", "conv_channels_dw.cl", "conv_channels_dw", "9 vectors of B", 36 },
                { "conv2d_dw", "conv_channels_dw.cl", "conv_channels_dw", "9 vectors of B", 72 } };
  g_autoptr (LsViewData) data = ls_fixture_tiles ("conv 8 3 pad 1, relu, conv 6 3, relu, flatten, dense 10",
                                                  16, TRUE, TRUE);

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint found = 0;

      while (query.op < data->recording->n_ops
             && strcmp (data->recording->ops[query.op].name, cases[c].op) != 0)
        query.op++;
      g_assert_cmpuint (query.op, <, data->recording->n_ops);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      LsTiles *t = layout->own;
      LsTilesNow now;

      g_assert_cmpint (t->kind, !=, LS_TILES_PLAIN);
      t->cut = ls_rung_cut (LS_RUNG_PACKED, 8);
      t->cut.panel = FALSE;
      t->cut.tile_n = cases[c].tile_n;
      ls_listing_free (t->listing);
      t->listing = ls_listing_load (NULL, cases[c].file, cases[c].function);
      g_assert_nonnull (t->listing);
      ls_tiles_now (t, 0, &now);
      ls_scene_clear (layout->moving);
      ls_tiles_stations_move (t, &now, (LsArea){ 0, 0, 3000, ls_tiles_stations_height (t) });
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          if (item->kind != LS_ITEM_TEXT || strstr (item->text, " of B") == NULL)
            continue;
          if (strcmp (item->text, cases[c].words) != 0)
            g_error ("of %s with %u columns it is said “%s”, not “%s”", cases[c].function, cases[c].tile_n,
                     item->text, cases[c].words);
          found++;
        }
      if (found == 0)
        g_error ("of %s it isn’t said how many vectors are loaded", cases[c].function);
    }
}

/* Where the matrices leave room the sentences stand above them, and elsewhere not one of the two. */
static void
test_disagreement (void)
{
  static const struct {
    double w, h;
  } sizes[] = { { 960, 600 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  guint n[2] = { 0 };

  data->disagree[0] = g_strdup ("They differ.");
  data->disagree[1] = g_strdup ("Far.");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint hall = 0; hall < 2; hall++)
      for (guint cpu = 0; cpu < 2; cpu++)
        {
          LsTilesState asked = LS_TILES_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
          asked.cpu_side = cpu > 0;
          g_autoptr (LsLayout) layout = draw_view (
            &ls_view_tiles, data, &query, hall ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT, sizes[i].w, sizes[i].h);
          const gboolean large = layout->m.size == LS_SIZE_LARGE && !hall;
          const guint said = says (layout->still, "They differ.") + says (layout->still, "Far.");

          if (said != (large ? 2 : 0))
            g_error ("%.0f×%.0f%s%s: %u of the sentences that say where the lanes disagree are there",
                     sizes[i].w, sizes[i].h, hall ? ", in a hall" : "", cpu ? ", the CPU’s side" : "", said);
          n[large]++;
        }
  g_assert_true (n[0] > 0 && n[1] > 0);
}

/* Whatever the kernel counts, the ledger is as high as its rows and the line below them. */
static void
test_ledger (void)
{
  guint seen = 0;

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    for (guint size = 0; size < G_N_ELEMENTS (draw_sizes); size++)
      {
        g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
        Asked asked = ASKED_INIT;
        LsQuery *query = asked_of (&asked, &ls_view_tiles);

        query->op = 1;
        asked.tiles.rung = (gint) rung;
        asked.tiles.pane = LS_TILES_PANE_LEDGER;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, query, LS_LOOK_LIGHT,
                                                 draw_sizes[size][0], draw_sizes[size][1]);
        const LsTiles *t = layout->own;
        const LsItem *last = find_text (layout->moving, "FLOP per global byte");

        if (t->ledger.h <= 0 || last == NULL)
          continue;
        const double below = t->ledger.y + ls_tiles_ledger_height (t) - (double) last->y;
        if (fabs (below - layout->m.label.px / 2) > .6)
          g_error ("kernel %u, %g px: the ledger ends %.1f px below its last line", rung, draw_sizes[size][0],
                   below);
        seen++;
      }
  g_assert_cmpuint (seen, >=, 8);
}

/* In a hall a tile's numbers are whole ones of a unit in which the largest has two digits at most; a
 * hundredth and a thousandth have names. */
static void
test_units (void)
{
  static const float tops[] = { .5f, .11f, .05f, .011f, .009f, .0011f, .0009f };
  guint seen[3] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (tops); i++)
    for (guint op = 1; op < 12; op++)
      {
        g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
        const LsRecording *recording = data->recording;
        Asked asked = ASKED_INIT;
        LsQuery *query = asked_of (&asked, &ls_view_tiles);
        const LsItem *name = NULL, *told = NULL;

        for (guint lane = 0; lane < recording->n_lanes; lane++)
          for (guint k = 0; k < recording->lanes[lane].tensors->len; k++)
            {
              const LsRecordedTensor *tensor = &g_array_index (recording->lanes[lane].tensors,
                                                               LsRecordedTensor, k);
              const LsRecordedShape *shape = &recording->shapes[tensor->shape];
              for (gint64 v = 0; shape->dtype == LS_F32 && v < ls_recorded_shape_count (shape); v++)
                ((float *) tensor->values)[v] = v % 2 ? tops[i] : -tops[i] / 2;
            }
        query->op = op;
        query->time_ns = 1;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, query, LS_LOOK_PROJECTOR, 3840, 2160);
        const LsTiles *t = layout->own;
        ls_layout_move (layout, query);
        for (guint k = 0; k < layout->moving->items->len && t->recorded != NULL; k++)
          {
            const LsItem *item = ls_scene_get (layout->moving, k);
            if (item->kind != LS_ITEM_TEXT)
              continue;
            name = name == NULL ? item : name; /* A's stands first */
            if (told == NULL && g_str_has_prefix (item->text, "in ") && fabsf (item->y - name->y) < 1
                && ls_item_right (item) < layout->width / 2)
              told = item;
          }
        if (told == NULL)
          continue;
        const guint which = t->a.top > .0999 ? 0 : t->a.top > .00999 ? 1 : 2;
        g_autofree char *power = ls_number_power (t->a.top > .000999 ? 1e-4 : 1e-5),
                        *small = g_strdup_printf ("in units of %s", power);
        const char *const says[] = { "in hundredths", "in thousandths", small };
        if (strcmp (told->text, says[which]) != 0)
          g_error ("numbers up to %g are told “%s”, not “%s”", t->a.top, told->text, says[which]);
        seen[which]++;
      }
  g_test_message ("%u, %u, %u", seen[0], seen[1], seen[2]);
  g_assert_true (seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* Where panes share one place the key goes from one to the next, and where all are there it does nothing. */
static void
test_key (void)
{
  guint tabs = 0, none = 0;

  for (guint size = 0; size < G_N_ELEMENTS (draw_sizes); size++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
      Asked asked = ASKED_INIT;
      LsQuery *query = asked_of (&asked, &ls_view_tiles);

      query->op = 1;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, query, LS_LOOK_LIGHT,
                                               draw_sizes[size][0], draw_sizes[size][1]);
      const LsTiles *t = layout->own;
      guint next = asked.tiles.pane;

      for (guint i = 1; i <= LS_TILES_N_PANES && next == asked.tiles.pane; i++)
        if (t->tabs[(asked.tiles.pane + i) % LS_TILES_N_PANES].w > 0)
          next = (asked.tiles.pane + i) % LS_TILES_N_PANES;
      const gboolean shared = next != asked.tiles.pane;
      g_assert_cmpint (ls_view_tiles.key (layout, LS_KEY_UP, query), ==, LS_ACT_NONE);
      if (ls_view_tiles.key (layout, LS_KEY_PAGE, query) != (shared ? LS_ACT_CHANGED : LS_ACT_NONE)
          || asked.tiles.pane != next)
        g_error ("%g px: the key goes to pane %u, and the next one is %u", draw_sizes[size][0],
                 asked.tiles.pane, next);
      tabs += shared;
      none += !shared;
    }
  g_assert_true (tabs > 0 && none > 0);
}

/* Where from and where to marks of that kind go along the way in which a factor's cells are filled; FALSE:
 * there are none. Bars stand close outside the cells, at both of their ends. */
static gboolean
reach_of (const LsScene *s, LsItemKind kind, LsArea cells, gboolean by_col, double out, double *from,
          double *to, guint *n)
{
  *from = HUGE_VAL;
  *to = -HUGE_VAL;
  *n = 0;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const double x = (double) (item->x + item->w / 2), y = (double) (item->y + item->h / 2),
                   start = (double) (by_col ? item->x : item->y),
                   length = (double) (by_col ? item->w : item->h);
      const gboolean outside = x < cells.x || x > cells.x + cells.w || y < cells.y || y > cells.y + cells.h;
      if (item->kind != kind || item->ink != LS_INK_MARK || outside != (out > 0)
          || !ls_area_has ((LsArea){ cells.x - out, cells.y - out, cells.w + 2 * out, cells.h + 2 * out }, x,
                           y))
        continue;
      *from = MIN (*from, start);
      *to = MAX (*to, start + length);
      ++*n;
    }
  return *n > 0;
}

/* The rows or columns of a factor that are on their way are hatched, and a bar at each of both ends is as
 * long as they are, beside them; where nothing is on its way there is no bar. */
static void
test_in_flight (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint later = 0, none = 0;

  asked.rung = LS_RUNG_TILED;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsTiles *t = layout->own;
  const double out = 1.5 * layout->m.unit + 1.1;
  for (guint i = 0; i < 200; i++)
    {
      LsTilesFill fills[2];
      LsTilesNow now;

      query.time_ns = t->span_ns * i / 200;
      ls_layout_move (layout, &query);
      ls_tiles_now (t, query.time_ns, &now);
      ls_tiles_fill (t, &now, &fills[0], &fills[1]);
      for (guint which = 0; which < 2; which++)
        {
          const LsArea cells = which == 0 ? t->cells_a : t->cells_b;
          double from, to, bar_from, bar_to;
          guint n, bars;
          const gboolean flies = reach_of (layout->moving, LS_ITEM_HATCH, cells, fills[which].by_col, 0,
                                           &from, &to, &n),
                         barred = reach_of (layout->moving, LS_ITEM_BOX, cells, fills[which].by_col, out,
                                            &bar_from, &bar_to, &bars);
          if (flies != barred || (barred && bars != 2))
            g_error ("moment %u: of %s %u cells are on their way, and there are %u bars", i,
                     which == 0 ? "A" : "B", n, bars);
          none += !flies;
          if (!flies)
            continue;
          if (fabs (bar_from - from) > 1.5 || fabs (bar_to - to) > 1.5)
            g_error ("moment %u: of %s what is from %g to %g is on its way, and the bars go from %g to %g", i,
                     which == 0 ? "A" : "B", from, to, bar_from, bar_to);
          later += from > (fills[which].by_col ? cells.x : cells.y) + 3;
        }
    }
  g_assert_cmpuint (MIN (later, none), >, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-notes/ramps", test_ramps);
  g_test_add_func ("/paint/tiles-notes/ends", test_ends);
  g_test_add_func ("/paint/tiles-notes/vectors", test_vectors);
  g_test_add_func ("/paint/tiles-notes/disagreement", test_disagreement);
  g_test_add_func ("/paint/tiles-notes/ledger", test_ledger);
  g_test_add_func ("/paint/tiles-notes/key", test_key);
  g_test_add_func ("/paint/tiles-notes/units", test_units);
  g_test_add_func ("/paint/tiles-notes/in-flight", test_in_flight);
  return g_test_run ();
}
