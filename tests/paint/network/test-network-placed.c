/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network around its layers: what is written under the sample, whosever it is; the batch's samples below it,
 * of any shape; and of time steps their rows' names, their times' axes, and a step that took far longer than
 * others.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "network_told.h"
#include "tests/paint/places.h"
#include "tests/paint/said.h"
#include "ui/paint/network/network_time.h"

/* ---- the sample ---- */

/* Under the sample stands which one it is, and its label; the same is said to who can't see it, with what the
 * picked unit gives. */
static void
test_captions (void)
{
  static const struct {
    LsOwn own;
    gboolean live;
    const char *written[3], *told[2];
  } cases[] = {
    { LS_OWN_BATCH,
      TRUE,
      { "28×28, labelled 4", "as the network sees it", "sample 5 of 32" },
      { "Sample 5 of 32, labelled 4", "Unit 3 of H₁ gives " } },
    { LS_OWN_TEST,
      TRUE,
      { "28×28, labelled 1", "as the network sees it", "test sample 11" },
      { "Test sample 11, labelled 1, said to be 7.", "Unit 3 of H₁ gives " } },
    { LS_OWN_DRAWN,
      TRUE,
      { "28×28, CPU reads 7, OpenCL reads 7", "as the network sees it", "as of step 1\u2009234" },
      { "", "Unit 3 of H₁ gives " } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      g_autoptr (LsStrokes) strokes = ls_strokes_new ();
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked_scribble (strokes);
      data->tests = ASKED_TESTS;
      query.pen.strokes = strokes;
      asked.own = cases[i].own;
      asked.sample = 4;
      asked.test = 11;
      asked.layer = 1;
      asked.unit = 3;
      if (cases[i].own != LS_OWN_BATCH)
        asked_add_answers (data, cases[i].own == LS_OWN_TEST ? LS_ASKED_TEST : LS_ASKED_DRAWN, 11, 7, 0);
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      g_autofree char *words = ls_layout_describe (layout);
      double y = n->sample_area.y + n->sample_area.h;

      for (guint k = 0; k < 3; k++)
        {
          const LsItem *item = NULL;
          for (guint j = 0; j < layout->still->items->len; j++)
            {
              const LsItem *at = ls_scene_get (layout->still, j);
              if (at->kind == LS_ITEM_TEXT && strstr (at->text, cases[i].written[k]) != NULL
                  && (double) at->y > y && (double) at->x >= n->sample_area.x - 1
                  && (double) at->x < n->sample_area.x + n->sample_area.w)
                item = item == NULL || at->y < item->y ? at : item;
            }
          if (item == NULL)
            {
              g_autofree char *all = all_texts (layout->still, " | ");
              g_error ("own %u: “%s” doesn't stand under the sample: %s", cases[i].own, cases[i].written[k],
                       all);
            }
          y = (double) item->y;
        }
      for (guint k = 0; k < 2; k++)
        if (strstr (words, cases[i].told[k]) == NULL)
          g_error ("own %u: “%s” isn't told: %s", cases[i].own, cases[i].told[k], words);
      const LsNetworkLayer *layer = &n->layers[1];
      g_autofree char *value = ls_number_text ((double) ls_network_values (n, layer, n->side, n->at)[3], 3),
                      *gives = g_strdup_printf ("Unit 3 of H₁ gives %s.", value);
      g_assert_nonnull (strstr (words, gives));
    }
}

/* The batch's samples keep their shape, wide or high; each has its own values, in its order; those that are
 * taken for another class are underlined, and the shown one has a frame. */
static void
test_strip (void)
{
  static const gint64 cols[] = { 28, 14, 56 };

  for (guint i = 0; i < G_N_ELEMENTS (cols); i++)
    {
      const LsFixture f = { LS_CORES (2),   .batch = BATCH, .tiles = 16,    .groups = 32,
                            .on_cpu = TRUE, .steps = 60,    .values = TRUE, .cols = cols[i] };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint images = 0, frames = 0, lines = 0, wrong = 0;

      asked.sample = 2;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsScene *s = layout->still;
      const float *inputs = recorded (data, 0, "x");
      g_assert_cmpfloat (n->strip.w, >, 0);
      const guint shown = MIN (n->strip_cols * n->strip_rows, BATCH);
      for (guint k = 0; k < shown; k++)
        wrong += ls_network_predicted (n, n->side, k) != (gint) k % CLASSES;
      g_assert_cmpuint (wrong, >, 0);
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          const double x = ((double) item->x - n->strip.x) / n->strip_cell,
                       y = ((double) item->y - n->strip.y) / n->strip_cell;
          const gint64 at = (gint64) floor (y + .01) * n->strip_cols + (gint64) floor (x + .01);

          if (x < -.01 || y < -.01 || x >= n->strip_cols || y > n->strip_rows
              || (double) item->x >= n->strip.x + n->strip.w)
            continue;
          if (item->kind == LS_ITEM_IMAGE)
            {
              const LsSceneImage *image = g_ptr_array_index (s->images, item->image);
              const float *own = inputs + at * 28 * cols[i];
              if (fabs ((double) item->w / (double) item->h / ((double) cols[i] / 28) - 1) > .02)
                g_error ("a sample of %lld columns and 28 rows is drawn %.1f wide and %.1f high",
                         (long long) cols[i], (double) item->w, (double) item->h);
              g_assert_cmpfloat ((double) MAX (item->w, item->h), <, n->strip_cell);
              g_assert_cmpfloat ((double) MAX (item->w, item->h), >, n->strip_cell * .7);
              for (guint v = 0; v < 28 * cols[i]; v++)
                if (fabs (image->levels[v]
                          - 255 * ((double) own[v] - (double) n->low) / ((double) n->high - (double) n->low))
                    > 1.01)
                  g_error ("in place %lld value %u isn't that of its sample", (long long) at, v);
              images++;
            }
          else if (item->kind == LS_ITEM_FRAME)
            {
              g_assert_cmpint (at, ==, 2);
              frames++;
            }
          else if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TEXT && (double) item->h < 3)
            {
              if (at >= BATCH || ls_network_predicted (n, n->side, at) == (gint) (at % CLASSES))
                g_error ("sample %lld is underlined, and right", (long long) at);
              lines++;
            }
        }
      g_assert_cmpuint (images, ==, shown);
      g_assert_cmpuint (frames, ==, 1);
      g_assert_cmpuint (lines, ==, wrong);
    }
}

/* A square image has as many pixels of the screen for each of its own across as down, and whole ones, before
 * the first recorded step as after it. */
static void
test_whole_pixels (void)
{
  for (guint values = 0; values < 2; values++)
    for (double w = 960; w <= 1920; w += 60)
      {
        const LsFixture f = { LS_CORES (2),   .batch = BATCH, .tiles = 16,         .groups = 32,
                              .on_cpu = TRUE, .steps = 60,    .values = values > 0 };
        g_autoptr (LsViewData) data = ls_fixture_data (&f);
        LsNetworkState asked = LS_NETWORK_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, w, w * .6);
        const LsNetwork *n = layout->own;

        if (n->sample_area.h <= 0)
          continue;
        g_assert_cmpfloat (n->sample_area.w, ==, n->sample_area.h);
        if (n->sample_area.w > 28 && fmod (n->sample_area.w, 28) > 1e-6)
          g_error ("%g px: 28 pixels across are drawn %g wide", w, n->sample_area.w);
      }
}

/* ---- time steps ---- */

static LsViewData *
sequence (void)
{
  const LsFixture f = { LS_CORES (2), .model = "lstm 6, dense 10",
                        .batch = 16,  .tiles = 16,
                        .groups = 32, .on_cpu = TRUE,
                        .steps = 60,  .values = TRUE };
  LsViewData *data = ls_fixture_data (&f);

  ls_fixture_add_values (data->recording);
  return data;
}

/* A row's letter stands beside its columns, what it is below the letter, how many below or beside; the picked
 * step is told, with both lanes' times. */
static void
test_rows (void)
{
  static const char *const letters[] = { "x", "h", "c" }, *const words[] = { "what goes in", "what it says",
                                                                             "what it keeps" };
  g_autoptr (LsViewData) data = sequence ();
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  asked.page = LS_NETWORK_TIME;
  asked.step = 9;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
  double above = 0;
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    {
      const LsItem *letter = NULL, *name = find_text (layout->still, words[i]);
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          if (item->kind == LS_ITEM_TEXT && strcmp (item->text, letters[i]) == 0
              && (double) item->x < t->columns.x)
            letter = item;
        }
      if (letter == NULL || name == NULL)
        g_error ("the row of %s isn't named", letters[i]);
      if (letter->x != name->x || name->y <= letter->y || name->y > letter->y + 3 * name->type.px)
        g_error ("“%s” doesn't stand under “%s”", words[i], letters[i]);
      g_assert_cmpfloat (ls_item_right (name), <, t->columns.x);
      g_assert_cmpfloat ((double) letter->y, >, above);
      above = (double) name->y;
    }
  g_autofree char *told = ls_layout_describe (layout);
  g_assert_nonnull (strstr (told, "Time step 9 of 28."));
  for (guint side = 0; side < LS_SIDES; side++)
    {
      gint64 start, end;
      g_assert_true (ls_network_time_of (t, side, FALSE, 8, &start, &end));
      g_autofree char *time = ls_number_time ((double) (end - start)),
                      *took = g_strdup_printf (" %s took %s for it.", data->sides[side].name, time);
      if (strstr (told, took) == NULL)
        g_error ("“%s” isn't told: %s", took, told);
    }
}

/* Over the columns stand their numbers: the picked step's, and of the others as many as have room, counted by
 * fives where not all have. */
static void
test_numbers (void)
{
  g_autoptr (LsViewData) data = sequence ();
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint few = 0, all = 0;

  asked.page = LS_NETWORK_TIME;
  for (double width = 800; width <= 3840; width += 190)
    for (asked.step = 1; asked.step <= 28; asked.step += 9)
      {
        g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, width, 1080);
        const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
        double right = 0;
        guint n = 0, picked = 0;

        for (guint k = 0; t != NULL && k < layout->still->items->len; k++)
          {
            const LsItem *item = ls_scene_get (layout->still, k);
            if (item->kind != LS_ITEM_TEXT || item->type.px != layout->m.tick.px
                || (double) item->x < t->columns.x - 20 || (double) item->y > t->columns.y
                || (double) item->y < t->columns.y - 2 * layout->m.tick.px
                || item->text[strspn (item->text, "0123456789")] != '\0')
              continue;
            const guint number = (guint) g_ascii_strtoull (item->text, NULL, 10);
            const double middle = ((double) item->x + ls_item_right (item)) / 2,
                         column = t->columns.x + ((double) number - 1 - t->first + .5) * t->column_w;
            if (fabs (middle - column) > 3)
              g_error ("%g px: number %u stands at %.0f, and its column at %.0f", width, number, middle,
                       column);
            if ((double) item->x < right + 1)
              g_error ("%g px: the number %u stands on the one before", width, number);
            right = ls_item_right (item);
            picked += number == t->step + 1 && item->type.weight == 700;
            n++;
          }
        if (t == NULL)
          continue;
        g_assert_cmpuint (picked, ==, 1);
        *(n == t->shown ? &all : &few) += 1;
      }
  g_assert_true (few > 0 && all > 0);
}

/* Of steps that took many times as long as the others, bars end at the row's top, each in a zig-zag; the time
 * of the first stands beside it, and of no two over one another. */
static void
test_beyond (void)
{
  g_autoptr (LsViewData) data = sequence ();
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  const LsChain *chain = &g_array_index (chains, LsChain, 0);
  static const guint slow[] = { 4, 5, 20 };
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  const LsItem *times[3] = { NULL };
  guint zigzags = 0, n_times = 0;
  gint64 start, end;

  for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
    {
      LsOpTrace *op = &data->sides[0].index->ops[chain->begin[slow[i] + 1] - 1];
      op->end_ns += 5000000 + 1000000 * i;
    }
  asked.page = LS_NETWORK_TIME;
  g_autoptr (LsLayout) layout = layout_of (data, &query);
  const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
  const LsScene *s = layout->still;
  for (guint k = 0; k < s->items->len; k++)
    {
      const LsItem *item = ls_scene_get (s, k);
      if (item->kind == LS_ITEM_ZIGZAG)
        {
          const guint step = t->first + (guint) (((double) item->x - t->columns.x) / t->column_w);
          if (step != slow[0] && step != slow[1] && step != slow[2])
            g_error ("the bar of step %u ends in a zig-zag", step + 1);
          zigzags++;
        }
      for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
        {
          g_assert_true (ls_network_time_of (t, 0, FALSE, slow[i], &start, &end));
          g_autofree char *time = ls_number_time ((double) (end - start));
          if (item->kind == LS_ITEM_TEXT && item->strong && strcmp (item->text, time) == 0
              && item->type.px == layout->m.tick.px)
            {
              times[i] = item;
              n_times++;
            }
        }
    }
  g_assert_cmpuint (zigzags, ==, G_N_ELEMENTS (slow));
  if (times[0] == NULL || times[2] == NULL)
    g_error ("how long a step took that is beyond the axis isn't told");
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
    if (times[i] != NULL)
      {
        const double left = ls_network_time_x (t, slow[i]);
        g_assert_cmpfloat ((double) times[i]->x, >, left);
        g_assert_cmpfloat ((double) times[i]->x, <, left + t->column_w + 4);
        for (guint k = i + 1; k < G_N_ELEMENTS (slow); k++)
          if (times[k] != NULL && ls_item_right (times[i]) > (double) times[k]->x)
            g_error ("“%s” lies over “%s”", times[k]->text, times[i]->text);
      }
  check_layout (layout, "steps beyond the axis");
  end_faults ();
}

/* However many units a layer has, each has a place of its own in the layer's. */
static void
test_units (void)
{
  static const char *const models[] = { "flatten, dense 37, relu, dense 97, relu, dense 10",
                                        "flatten, dense 5, relu, dense 131, relu, dense 10",
                                        "flatten, dense 11, relu, dense 29, relu, dense 10" };
  static const double sizes[][2] = { { 960, 600 }, { 1280, 800 }, { 1920, 1080 }, { 2560, 1440 } };

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        g_autoptr (LsViewData) data = asked_data (models[m], FALSE);
        LsNetworkState asked = LS_NETWORK_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
        g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, sizes[k][0],
                                                 sizes[k][1]);
        const LsNetwork *n = layout->own;

        for (guint l = 1; l + 1 < n->n_layers; l++)
          {
            const LsNetworkLayer *layer = &n->layers[l];
            LsArea unit, before = { 0 };

            for (gint64 u = 0; u < layer->shown && layer->area.w > 0; u++)
              {
                if (!ls_network_unit_area (n, (gint) l, (gint) u, &unit))
                  g_error ("%s, %g px: unit %d of %d of layer %u has no place", models[m], sizes[k][0],
                           (gint) u, (gint) layer->units, l);
                if (unit.x < layer->area.x - .5 || unit.x + unit.w > layer->area.x + layer->area.w + .5
                    || unit.y < layer->area.y - .5 || unit.y + unit.h > layer->area.y + layer->area.h + .5)
                  g_error ("%s, %g px: unit %d of %d lies outside of layer %u", models[m], sizes[k][0],
                           (gint) u, (gint) layer->units, l);
                if (u > 0 && unit.y < before.y + before.h - .1 && unit.x < before.x + before.w - .1)
                  g_error ("%s, %g px: units %d and %d of layer %u lie over each other", models[m],
                           sizes[k][0], (gint) u - 1, (gint) u, l);
                if (u % 7 == 0) /* a click there picks it */
                  {
                    asked.layer = asked.unit = -1;
                    ls_network_point (layout, unit.x + unit.w / 2, unit.y + unit.h / 2, &query);
                    if (asked.layer != (gint) l || asked.unit != (gint) u)
                      g_error ("%s, %g px: a click on unit %d of layer %u picks unit %d of layer %d",
                               models[m], sizes[k][0], (gint) u, l, asked.unit, asked.layer);
                  }
                before = unit;
              }
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-placed/captions", test_captions);
  g_test_add_func ("/paint/network-placed/units", test_units);
  g_test_add_func ("/paint/network-placed/strip", test_strip);
  g_test_add_func ("/paint/network-placed/rows", test_rows);
  g_test_add_func ("/paint/network-placed/beyond", test_beyond);
  g_test_add_func ("/paint/network-placed/whole-pixels", test_whole_pixels);
  g_test_add_func ("/paint/network-placed/numbers", test_numbers);
  return g_test_run ();
}
