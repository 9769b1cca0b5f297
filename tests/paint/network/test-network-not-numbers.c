/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Network says where a lane computed what isn't a number, as after a run that diverged, or with a kernel
 * that is being edited: nothing is said to be the same, nor to be 0, and no text lies on another.
 */
#include <math.h>
#include <string.h>

#include "network_told.h"
#include "tests/paint/said.h"

#define GRID 8
#define UNIT 5

/* The page of a unit: what it gives, and how far the other lane is from that. */
static void
test_unit (void)
{
  static const struct {
    float left, right;
    const char *gives, *other;
  } cases[] = {
    { .5f, .5f, "it gives 0.500", "the other lane gives the same, bit for bit" },
    { .5f, .25f, "it gives 0.500", "the other lane differs by 0.25" },
    { .5f, NAN, "it gives 0.500", "the difference to the other lane is not a number" },
    { NAN, .5f, "it gives –", "the difference to the other lane is not a number" },
    { NAN, NAN, "it gives –", "the difference to the other lane is not a number" },
    { INFINITY, .5f, "it gives ∞", "the other lane differs by ∞" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked.page = LS_NETWORK_UNIT;
      asked.layer = 1;
      asked.unit = UNIT;
      ((float *) recorded (data, 0, "h2"))[UNIT] = cases[i].left;
      ((float *) recorded (data, 1, "h2"))[UNIT] = cases[i].right;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      g_autofree char *all = all_texts (layout->still, " | ");
      if (!says (layout->still, cases[i].gives) || !says (layout->still, cases[i].other))
        g_error ("of %g and %g it isn’t said “%s, %s”, but: %s", (double) cases[i].left,
                 (double) cases[i].right, cases[i].gives, cases[i].other, all);
    }
}

/* A map's greatest value is that of its numbers; one that has none gives none. */
static void
test_map (void)
{
  static const float maps[][4]
    = { { 1, 3, 2, 0 }, { NAN, 3, 2, 0 }, { 3, NAN, 2, 0 }, { 2, 0, 3, NAN }, { -3, NAN, -4, -5 } };

  g_autoptr (LsViewData) data = asked_data ("conv 8 3 pad 1, relu, maxpool 2, flatten, dense 10", FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetwork *n = layout->own;
  const LsNetworkLayer *layer = &n->layers[1];
  const gint64 size = layer->rows * layer->cols;
  float *map = (float *) ls_network_values (n, layer, n->side, n->at) + 2 * size;

  g_assert_cmpint (size, >, 4);
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      for (gint64 k = 0; k < size; k++)
        map[k] = k < 4 ? maps[i][k] : -9;
      const double most = ls_network_unit_value (n, layer, 2), is = maps[i][0] < 0 ? -3 : 3;
      if (!(fabs (most - is) < 1e-6))
        g_error ("map %u gives at most %g, not %g", i, most, is);
    }
  for (gint64 k = 0; k < size; k++)
    map[k] = NAN;
  g_assert_true (isnan (ls_network_unit_value (n, layer, 2)));
}

/* A step of which nothing is a number is drawn all the same, in every size; of as many classes as have room
 * each has its row, the first ones where none is more probable. */
static void
test_nothing (void)
{
  static const char *const names[] = { "h2", "h4", "probs", "1.weight", "3.weight", "5.weight" };
  static const struct {
    const char *model;
    gint classes;
  } nets[] = { { NULL, 10 }, { "flatten, dense 40, relu, dense 200", 200 } };

  for (guint net = 0; net < G_N_ELEMENTS (nets); net++)
    for (guint page = 0; page < LS_NETWORK_N_PAGES; page++)
      for (guint size = 0; size < G_N_ELEMENTS (draw_sizes); size++)
        {
          const LsFixture f = { LS_CORES (2),
                                .model = nets[net].model,
                                .classes = nets[net].classes,
                                .batch = 32,
                                .tiles = 16,
                                .groups = 32,
                                .steps = 60,
                                .values = TRUE };
          g_autoptr (LsViewData) data = ls_fixture_data (&f);
          LsNetworkState asked = LS_NETWORK_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

          for (guint k = 0; k < G_N_ELEMENTS (names); k++)
            for (guint i = 0; i < data->recording->n_shapes; i++)
              if (strcmp (data->recording->shapes[i].name, names[k]) == 0)
                for (gint64 v = 0; v < ls_recorded_shape_count (&data->recording->shapes[i]); v++)
                  ((float *) recorded (data, 0, names[k]))[v] = NAN;
          asked.page = page;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT,
                                                   draw_sizes[size][0], draw_sizes[size][1]);
          const LsNetwork *n = layout->own;
          g_autofree char *words = ls_layout_describe (layout);
          if (n->unit >= 0 && strstr (words, "gives 0.") != NULL)
            g_error ("of a unit that isn’t a number is said: %s", words);
          check_layout (layout,
                        net == 0 ? "ten classes, nothing is a number" : "200 classes, nothing is a number");
        }
  end_faults ();
}

/* Which classes have a row where not all have room: the most probable ones, of equal ones the first; what
 * isn't a number comes last. */
static void
test_classes (void)
{
  const LsFixture f = { LS_CORES (2),   .model = "flatten, dense 40, relu, dense 200",
                        .classes = 200, .batch = 32,
                        .tiles = 16,    .groups = 32,
                        .values = TRUE };

  for (guint numbers = 0; numbers <= 200; numbers += 100)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      float *p = (float *) recorded (data, 0, "probs");
      guint rows = 0;

      /* the last ones are numbers, the very last the most probable, the others the same */
      for (guint c = 0; c < 200; c++)
        p[c] = c < 200 - numbers ? NAN : c == 199 ? .5f : .005f;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1280, 800);
      const LsNetwork *n = layout->own;
      gint last = -1, first = -1;
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind != LS_ITEM_TEXT || item->when == LS_WHEN_AHEAD || (double) item->x < n->said_area.x
              || ls_item_right (item) > n->said_area.x + n->said_area.w / 2
              || item->text[strspn (item->text, "0123456789")] != '\0'
              || (double) item->y > n->said_area.y + n->said_area.h - 1.7 * layout->m.tick.px)
            continue;
          last = atoi (item->text);
          first = first < 0 ? last : first;
          rows++;
        }
      if (rows < 5 || rows > 60)
        g_error ("with %u numbers among 200 classes %u have a row", numbers, rows);
      const gint begins = 200 - (gint) numbers == 200 ? 0 : 200 - (gint) numbers,
                 ends = numbers == 0 ? (gint) rows - 1 : 199;
      if (first != begins || last != ends)
        g_error ("with %u numbers among 200 classes the rows are those of %d to %d, not of %d to %d", numbers,
                 first, last, begins, ends);
    }
}

/* Where one lane's probabilities aren't numbers the planes differ, and by what isn't one. */
static void
test_plane (void)
{
  for (guint lane = 0; lane < 3; lane++)
    {
      g_autoptr (LsViewData) data = asked_data ("flatten, dense 20, relu, dense 2", TRUE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint found = 0;

      asked_add_answers (data, LS_ASKED_GRID, -1, 0, GRID);
      for (guint i = 0; i < GRID * GRID * 2; i++) /* the same, but for one point of one lane */
        data->sides[1].answer->probs[i] = data->sides[0].answer->probs[i];
      for (guint c = 0; c < 2 && lane < 2; c++)
        data->sides[lane].answer->probs[2 * 19 + c] = NAN;
      asked.page = LS_NETWORK_TEST;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsScene *s = layout->still;
      g_autofree char *all = all_texts (s, " | ");
      if (!says (s, lane < 2 ? "max |Δ| not a number" : "bit for bit")
          || says (s, "bit for bit") != (lane == 2))
        g_error ("a point of lane %u isn’t a number, of 2 both are the same, and it is said: %s", lane, all);
      for (guint i = 0; i < s->items->len; i++)
        {
          const LsItem *item = ls_scene_get (s, i);
          const LsSceneImage *image = item->kind == LS_ITEM_IMAGE ? s->images->pdata[item->image] : NULL;

          if (image == NULL || item->ink != LS_INK_AMOUNT || image->cols != GRID)
            continue;
          found++;
          for (guint k = 0; k < GRID * GRID; k++)
            if ((image->levels[k] == 255) != (k == 19 && lane < 2)
                || (image->levels[k] == 0) == (k == 19 && lane < 2))
              g_error (
                "point %u of the difference has level %u, where of lane %u only point 19 isn’t a number", k,
                image->levels[k], lane);
        }
      g_assert_cmpuint (found, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-not-numbers/unit", test_unit);
  g_test_add_func ("/paint/network-not-numbers/map", test_map);
  g_test_add_func ("/paint/network-not-numbers/nothing", test_nothing);
  g_test_add_func ("/paint/network-not-numbers/classes", test_classes);
  g_test_add_func ("/paint/network-not-numbers/plane", test_plane);
  return g_test_run ();
}
