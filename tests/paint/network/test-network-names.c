/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network with classes that have names, what its layers are called, what it says where they weren't recorded,
 * and of which unit it speaks, from when on.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "network_told.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"

/* Classes that have names go by them, cut where there is no room, and numbers are never cut. */
static void
test_class_names (void)
{
  static const char *const names[]
    = { "aeroplane", "car",   "bird", "a cat of the longest kind that anybody ever saw",
        "deer",      "dog",   "frog", "horse",
        "ship",      "lorry", NULL };
  const LsFixture f = { LS_CORES (2),   .batch = 64, .tiles = 16,   .groups = 32,
                        .on_cpu = TRUE, .steps = 60, .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  static const gint sizes[][2] = { { 1920, 1080 }, { 1200, 700 }, { 800, 480 } };

  ls_recording_name_classes (data->recording, (char *const *) names);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, sizes[i][0],
                                               sizes[i][1]);
      const LsNetwork *n = layout->own;
      g_autofree char *words = ls_layout_describe (layout), *short_one = NULL;

      check_layout (layout, "class names");
      g_assert_nonnull (strstr (words, "Sample 1 of 64, labelled aeroplane, said to be car."));
      short_one = ls_network_class_in (n, 3, layout->m.label, 40);
      g_assert_true (g_str_has_suffix (short_one, "…"));
      g_assert_cmpfloat (ls_scene_width (layout->still, layout->m.label, short_one), <=, 40);
      /* the column of names is as wide as the longest, wherever that stands, or as its room */
      g_assert_cmpfloat (ls_network_class_width (n, layout->m.label, "0", 9999), ==,
                         ls_scene_width (layout->still, layout->m.label, names[3]));
      g_assert_cmpfloat (ls_network_class_width (n, layout->m.label, "0", 60), ==, 60);
      if (i > 0)
        continue;
      g_assert_true (says (layout->still, "labelled aeroplane"));
      g_assert_true (says (layout->still, "frog"));
      g_assert_true (says (layout->still, "…"));
      g_assert_false (says (layout->still, "a cat of the longest kind that anybody"));
    }
  end_faults ();
}

/* Each layer with weights is shown as what the layers without have made of it last. */
static void
test_layer_names (void)
{
  static const char *const symbols[] = { "X", "P₁", "D₂", "N₃", "Y" };
  static const gint64 units[] = { 1, 8, 32, 16, 10 };
  const LsFixture f
    = { LS_CORES (2),
        .model = "conv 8 3 pad 1, gelu, avgpool 2, flatten, dense 32, layernorm, gelu, dropout 0.5, "
                 "dense 16, layernorm, dense 10",
        .batch = 64,
        .tiles = 16,
        .groups = 32,
        .on_cpu = TRUE,
        .steps = 60,
        .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsNetwork *n = layout->own;

  check_layout (layout, "layer names");
  g_assert_cmpuint (n->n_layers, ==, G_N_ELEMENTS (symbols));
  for (guint i = 0; i < n->n_layers; i++)
    {
      g_assert_cmpstr (n->layers[i].shape->symbol, ==, symbols[i]);
      g_assert_cmpint (n->layers[i].units, ==, units[i]);
    }
  g_assert_true (says (layout->still, "8 maps of 14×14"));
  end_faults ();
}

/* Layers are drawn of a step that has the input's values and the layers'; of any other it is said that they
 * aren't there, and nothing else is drawn or asked for. */
static void
test_not_recorded (void)
{
  static const struct {
    gboolean input, layers;
  } rows[] = { { FALSE, FALSE }, { TRUE, FALSE }, { FALSE, TRUE }, { TRUE, TRUE } };
  LsFixture f = { LS_CORES (2), .batch = 64, .tiles = 16, .groups = 32, .on_cpu = TRUE, .steps = 60 };
  g_autoptr (LsRecording) full = NULL;

  f.values = TRUE;
  full = ls_fixture_recording (&f);
  f.values = FALSE;
  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const gboolean there = rows[r].input && rows[r].layers;
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      g_autoptr (LsViewData) data = NULL;
      const LsQuery query = LS_QUERY_INIT;

      for (guint lane = 0; lane < full->n_lanes; lane++)
        for (guint i = 0; i < full->n_shapes; i++)
          {
            const LsRecordedShape *shape = &full->shapes[i];
            const void *values = ls_recording_values (full, lane, shape->name, NULL);

            if (values != NULL && (shape->role == LS_ROLE_INPUT ? rows[r].input : rows[r].layers))
              ls_recording_take_tensor (recording, lane, i,
                                        g_memdup2 (values, (gsize) ls_recorded_shape_bytes (shape)));
          }
      data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsNetwork *n = layout->own;
      if (says (layout->still, "This step was recorded without the layers’ values") == there)
        g_error ("with%s the input’s values and with%s the layers’ it %s that they weren’t recorded",
                 rows[r].input ? "" : "out", rows[r].layers ? "" : "out", there ? "is said" : "isn’t said");
      if ((n->side >= 0) != there || says (layout->still, "Prediction") != there)
        g_error ("with%s the input’s values and with%s the layers’ they are%s drawn",
                 rows[r].input ? "" : "out", rows[r].layers ? "" : "out", there ? "n’t" : "");
      check_layout (layout, "not recorded");
    }
}

/* Of more layers than there is room for the first ones and the last one are kept, and how many are missing is
 * counted; the last has no connections to what isn't before it. */
static void
test_left_out (void)
{
  g_autoptr (GString) model = g_string_new ("flatten, ");
  enum { DENSE = LS_NETWORK_LAYERS + 2 };

  for (guint i = 1; i < DENSE; i++)
    g_string_append (model, "dense 20, relu, ");
  g_string_append (model, "dense 10");
  const LsFixture f = { LS_CORES (2), .model = model->str, .batch = 32, .tiles = 16,
                        .groups = 32, .on_cpu = TRUE,      .steps = 60, .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  const LsNetwork *n = layout->own;

  g_assert_cmpuint (n->n_layers, ==, LS_NETWORK_LAYERS);
  for (guint l = 1; l < n->n_layers; l++)
    if (n->layers[l].dense != (l + 1 < n->n_layers))
      g_error ("layer %u of %u, before which %s stands, %s connections", l, n->n_layers,
               n->layers[l - 1].shape->symbol, n->layers[l].dense ? "has" : "has no");
  g_assert_cmpint (n->layers[n->n_layers - 1].units, ==, 10);
  g_assert_cmpuint (n->left_out, >=, DENSE + 1 - LS_NETWORK_LAYERS);
  check_layout (layout, "layers left out");
  end_faults ();
}

/* Of a layer's maps it says how many are shown, of how many there are. */
static void
test_maps (void)
{
  const LsFixture f = { LS_CORES (2), .model = "conv 256 3 pad 1, relu, maxpool 2, flatten, dense 10",
                        .batch = 64,  .tiles = 16,
                        .groups = 32, .on_cpu = TRUE,
                        .steps = 60,  .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  guint parts = 0;

  for (gsize i = 0; i < 3; i++)
    {
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT,
                                               draw_sizes[i][0], draw_sizes[i][1] - 130);
      const LsNetworkLayer *layer = &((const LsNetwork *) layout->own)->layers[1];
      const LsItem *item = find_text (layout->still, " maps of ");
      guint shown, units;

      if (layer->shown == layer->units || item == NULL)
        continue;
      if (sscanf (item->text, "%u of %u maps of ", &shown, &units) != 2 || shown != (guint) layer->shown
          || units != 256)
        g_error ("of 256 maps %d are shown, and it says “%s”", (gint) layer->shown, item->text);
      parts++;
    }
  g_assert_cmpuint (parts, >, 0);
}

/* Which units' weights are pictures is said where it isn't all of them. */
static void
test_pictures (void)
{
  static const struct {
    const char *model, *begins, *all;
  } rows[] = {
    { "flatten, dense 1, relu, dense 10", "1 unit of 784", "the 1 most active" },
    { "flatten, dense 12, relu, dense 10", "12 units of 784", "the 12 most active" },
    { "conv 8 3 pad 1, relu, flatten, dense 10", "8 filters of 3×3", "the 8 most active" },
    { "flatten, dense 900, relu, dense 10", "900 units of 784, the ", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsFixture f = { LS_CORES (2), .model = rows[i].model, .batch = 32, .tiles = 16,
                            .groups = 32, .on_cpu = TRUE,         .steps = 60, .values = TRUE };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      const LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsItem *words = find_text (layout->still, rows[i].begins);
      g_autofree char *most = g_strdup_printf ("%s%u most active", rows[i].begins, n->n_pictures);

      g_assert_cmpint (n->n_pictures == n->layers[1].units, ==, rows[i].all != NULL);
      if (words == NULL || strcmp (words->text, rows[i].all != NULL ? rows[i].begins : most) != 0)
        g_error ("of the pictures is said “%s”, not “%s”", words != NULL ? words->text : "nothing",
                 rows[i].all != NULL ? rows[i].begins : most);
      g_assert_false (rows[i].all != NULL && says (layout->still, rows[i].all));
    }
}

/* The picked unit has its frame from the step's beginning on; which one is the most active isn't known, and
 * not framed, before its layer is done. */
static void
test_frame (void)
{
  g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
  LsNetworkState asked = LS_NETWORK_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  for (guint picked = 0; picked < 2; picked++)
    for (guint moment = 0; moment < 3; moment++)
      {
        asked.layer = picked ? 1 : -1;
        asked.unit = picked ? 7 : -1;
        g_autoptr (LsLayout) layout = layout_of (data, &query);
        const LsNetwork *n = layout->own;
        const gint64 end_ns = n->layers[n->layer].end_ns;
        guint frames = 0;
        LsArea area;

        g_assert_cmpint (end_ns, >, 1);
        query.time_ns = moment == 0 ? 0 : moment == 1 ? end_ns - 1 : end_ns;
        ls_layout_move (layout, &query);
        query.time_ns = LS_TIME_END;
        g_assert_true (ls_network_unit_area (n, n->layer, n->unit, &area));
        for (guint i = 0; i < layout->moving->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->moving, i);
            frames += item->kind == LS_ITEM_FRAME && fabs ((double) item->x - area.x) < .01
                      && fabs ((double) item->y - area.y) < .01 && fabs ((double) item->w - area.w) < .01;
          }
        if (frames != (picked || moment == 2))
          g_error ("%s the layer is done, the %s unit has %u frames", moment == 2 ? "when" : "before",
                   picked ? "picked" : "most active", frames);
      }
}

/* A map's page says of how many channels its filter is, all of them, also where not all are drawn; of one it
 * says nothing. */
static void
test_filter (void)
{
  static const struct {
    gint layer;
    const char *words;
    guint pictures; /* the filter's, and the map */
  } rows[] = { { 1, "3×3", 2 }, { 2, "5×5, for each of 80 channels", 64 + 1 } };
  const LsFixture f
    = { LS_CORES (2), .model = "conv 80 3 pad 1, relu, maxpool 4, conv 4 5 pad 2, relu, flatten, dense 10",
        .batch = 32,  .tiles = 16,
        .groups = 32, .on_cpu = TRUE,
        .steps = 60,  .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      const LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint pictures = 0;

      asked.page = LS_NETWORK_UNIT;
      asked.layer = rows[i].layer;
      asked.unit = 2;
      g_autoptr (LsLayout) layout = layout_of (data, &query);
      const LsNetwork *n = layout->own;
      const LsItem *words = find_text (layout->still, rows[i].words);
      if (words == NULL || strcmp (words->text, rows[i].words) != 0)
        g_error ("of the filter of layer %d isn’t said “%s”: %s", rows[i].layer, rows[i].words,
                 all_texts (layout->still, " | "));
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          pictures += item->kind == LS_ITEM_IMAGE && (double) item->x > n->sample_area.x + n->sample_area.w;
        }
      g_assert_cmpuint (pictures, ==, rows[i].pictures);
    }
}

/* A unit's page: what its weights multiply is the sample, or what the layer before gives; the bias is the
 * lane's whose values are shown, also where the other one recorded none. */
static void
test_unit (void)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (LsViewData) data = asked_data (NULL, FALSE);
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      for (guint lane = 0; lane < LS_SIDES; lane++)
        for (guint l = 0; l < 2; l++)
          ((float *) recorded (data, lane, l == 0 ? "1.bias" : "3.bias"))[7] = lane == 0 ? 4.25f : -3.5f;
      data->sides[0].there = side == 0;
      asked.page = LS_NETWORK_UNIT;
      asked.unit = 7;
      for (asked.layer = 1; asked.layer <= 2; asked.layer++)
        {
          g_autoptr (LsLayout) layout = layout_of (data, &query);
          const char *of = asked.layer == 1 ? "Sample" : "H₁",
                     *sum = text_like (layout, "the products add up to ", "");

          g_assert_cmpint (((const LsNetwork *) layout->own)->side, ==, (gint) side);
          if (sum == NULL || !g_str_has_suffix (sum, side == 0 ? "the bias is 4.25" : "the bias is −3.50"))
            g_error ("lane %u, layer %d: “%s” is said", side, asked.layer, sum);
          const LsItem *words = find_text (layout->still, "what they multiply"), *heading = NULL;
          g_assert_nonnull (words);
          for (guint i = 0; i < layout->still->items->len; i++) /* the nearest one left of it */
            {
              const LsItem *item = ls_scene_get (layout->still, i);
              if (item->kind == LS_ITEM_TEXT && item->y == words->y && item->x < words->x
                  && (heading == NULL || item->x > heading->x))
                heading = item;
            }
          if (heading == NULL || strcmp (heading->text, of) != 0)
            g_error ("lane %u, layer %d: the weights aren’t said to multiply %s", side, asked.layer, of);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network/class-names", test_class_names);
  g_test_add_func ("/paint/network/layer-names", test_layer_names);
  g_test_add_func ("/paint/network/not-recorded", test_not_recorded);
  g_test_add_func ("/paint/network/left-out", test_left_out);
  g_test_add_func ("/paint/network/maps", test_maps);
  g_test_add_func ("/paint/network/pictures", test_pictures);
  g_test_add_func ("/paint/network/frame", test_frame);
  g_test_add_func ("/paint/network/filter", test_filter);
  g_test_add_func ("/paint/network/unit", test_unit);
  return g_test_run ();
}
