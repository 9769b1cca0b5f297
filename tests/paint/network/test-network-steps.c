/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network of layers that read a sequence: their steps are one picture, each value in its place, and what the
 * steps take of the lane's step is said.
 */
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/network/network.h"
#include "ui/paint/views.h"

#define BATCH 16
#define STEPS 28

static void
assert_steps (const LsNetwork *n, guint number, const char *tensor, const char *symbol, gint64 units)
{
  const LsNetworkLayer *layer = &n->layers[number];
  const LsRecordedShape *shape;

  g_assert_true (layer->steps);
  g_assert_cmpstr (layer->shape->symbol, ==, symbol);
  g_assert_cmpint (layer->units, ==, 1);
  g_assert_cmpint (layer->rows, ==, STEPS);
  g_assert_cmpint (layer->cols, ==, units);
  g_assert_cmpfloat (layer->area.w, >, 0);
  for (guint side = 0; side < 2; side++)
    {
      const float *values = ls_recording_values (n->recording, side, tensor, &shape);
      g_assert_nonnull (values);
      for (gint64 b = 0; b < BATCH; b++)
        for (gint64 t = 0; t < STEPS; t++)
          g_assert_cmpmem (ls_network_values (n, layer, (gint) side, b) + t * units,
                           (gsize) units * sizeof (float), values + (t * BATCH + b) * units,
                           (gsize) units * sizeof (float));
    }
}

static void
test_folded (void)
{
  const LsFixture f = { LS_CORES (2),   .model = "lstm 6 all, lstm 5, dense 10",
                        .batch = BATCH, .tiles = 16,
                        .groups = 32,   .on_cpu = TRUE,
                        .steps = 60,    .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;

  ls_fixture_add_values (data->recording);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsNetwork *n = layout->own;

  /* X; outputs and cells, all outputs as planes; outputs and cells, the last output; Y */
  g_assert_cmpuint (n->n_layers, ==, 8);
  g_assert_cmpuint (n->left_out, ==, 0);
  assert_steps (n, 1, "h0.steps", "H₁", 6);
  assert_steps (n, 2, "c0.steps", "C₁", 6);
  g_assert_cmpint (n->layers[3].rows * n->layers[3].cols, ==, STEPS * 6);
  g_assert_false (n->layers[3].steps);
  assert_steps (n, 4, "h1.steps", "H₂", 5);
  assert_steps (n, 5, "c1.steps", "C₂", 5);
  g_assert_cmpstr (n->layers[6].shape->symbol, ==, "h²₂₈");
  g_assert_cmpint (n->layers[6].units, ==, 5);
  g_assert_true (n->layers[7].dense); /* and so joined to the last output */
}

static void
test_said (void)
{
  const LsFixture f = { LS_CORES (2),   .model = "lstm 60, dense 10",
                        .batch = BATCH, .tiles = 16,
                        .groups = 32,   .on_cpu = TRUE,
                        .steps = 60,    .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 2560, 1080);

  g_autofree char *words = ls_network_chain_words (layout->own, FALSE),
                  *brief = ls_network_chain_words (layout->own, TRUE);
  g_assert_true (says (layout->still, "28 steps"));
  g_assert_nonnull (words);
  g_assert_true (
    g_str_has_prefix (words, "of the recorded step the time steps take, one after the other: CPU "));
  g_assert_true (g_str_has_prefix (brief, "time steps take of the step: CPU "));
  g_assert_true (says (layout->still, words));
  /* in less room briefly */
  g_autoptr (LsLayout) smaller = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1600, 900);
  g_assert_false (says (smaller->still, words));
  g_assert_true (says (smaller->still, brief));
}

/* Without the steps' values there is no picture of them, and without steps no sentence. */
static void
test_others (void)
{
  const LsFixture f = { LS_CORES (2),   .batch = BATCH, .tiles = 16,   .groups = 32,
                        .on_cpu = TRUE, .steps = 60,    .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsNetwork *n = layout->own;

  for (guint i = 0; i < n->n_layers; i++)
    g_assert_false (n->layers[i].steps);
  g_assert_null (ls_network_chain_words (n, FALSE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/network-steps/folded", test_folded);
  g_test_add_func ("/network-steps/said", test_said);
  g_test_add_func ("/network-steps/others", test_others);
  return g_test_run ();
}
