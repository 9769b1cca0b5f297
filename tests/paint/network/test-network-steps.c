/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network of layers that read a sequence: their steps are one picture, each value in its place, and what the
 * steps take of the lane's step is said.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/network/network_time.h"
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

/* Of each lane its share of its own step, under its whole name, or briefly under its brief one; of one that
 * recorded none, or did no time steps, nothing. */
static void
test_shares (void)
{
  const LsFixture f = { LS_CORES (2),   .model = "lstm 60, dense 10",
                        .batch = BATCH, .tiles = 16,
                        .groups = 32,   .on_cpu = TRUE,
                        .steps = 60,    .values = TRUE };

  for (guint there = 0; there < 4; there++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      const LsQuery query = LS_QUERY_INIT;
      g_autoptr (GString) whole = g_string_new (NULL), brief = g_string_new (NULL);

      for (guint side = 0; side < LS_SIDES; side++)
        {
          g_free (data->sides[side].name);
          g_free (data->sides[side].brief);
          data->sides[side].name = g_strdup_printf ("Lane %u in full", side);
          data->sides[side].brief = g_strdup_printf ("L%u", side);
        }
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 2560, 1080);
      const LsNetwork *n = layout->own;
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsStepIndex *index = data->sides[side].index;
          const double share = 100. * (double) ls_chains_ns (n->chains, index) / (double) index->length_ns;

          g_assert_true (share > 1 && share < 100);
          if (there >> side & 1)
            {
              g_string_append_printf (whole, "%sLane %u in full %.0f\u202f%%", whole->len > 0 ? ", " : "",
                                      side, share);
              g_string_append_printf (brief, "%sL%u %.0f\u202f%%", brief->len > 0 ? ", " : "", side, share);
            }
          else
            g_clear_pointer (&data->sides[side].index, ls_step_index_unref);
        }
      g_autofree char *words = ls_network_chain_words (n, FALSE), *few = ls_network_chain_words (n, TRUE);
      g_assert_cmpint (words != NULL, ==, there > 0);
      g_assert_cmpint (few != NULL, ==, there > 0);
      if (there > 0
          && (!g_str_has_suffix (words, whole->str) || !g_str_has_suffix (few, brief->str)
              || words[strlen (words) - whole->len - 1] != ' '))
        g_error ("“%s” is said, and briefly “%s”, not “%s” and “%s”", words, few, whole->str, brief->str);
    }
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

/* Where a layer has more units than have a row each, those around the picked one are shown; a click picks the
 * unit and the step that are drawn there, of what it says and of what it keeps. */
static void
test_clicks (void)
{
  const LsFixture f = { LS_CORES (2),   .model = "lstm 160, dense 10",
                        .batch = BATCH, .tiles = 16,
                        .groups = 32,   .on_cpu = TRUE,
                        .steps = 60,    .values = TRUE };
  static const gint picked[] = { 0, 3, 80, 120, 158, 159 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);

  ls_fixture_add_values (data->recording);
  for (guint i = 0; i < G_N_ELEMENTS (picked); i++)
    {
      LsNetworkState state = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &state };

      state.page = LS_NETWORK_TIME;
      state.step_unit = picked[i];
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1280, 720);
      const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
      if (t == NULL || t->shown_units < 2 || t->shown_units >= t->units)
        g_error ("of 160 units it isn’t some that are shown");
      if (t->first_unit < 0 || t->first_unit + t->shown_units > t->units || picked[i] < t->first_unit
          || picked[i] >= t->first_unit + t->shown_units)
        g_error ("unit %d is picked, and units %d to %d are shown", picked[i], (gint) t->first_unit,
                 (gint) (t->first_unit + t->shown_units - 1));
      for (guint row = 0; row < 2; row++)
        for (gint64 u = 0; u < t->shown_units; u++)
          {
            const LsArea area = t->unit_rows[row];
            const guint step = (guint) (u * 5) % t->shown;
            const gint unit = (gint) (t->first_unit + u);

            state.step = state.step_unit = -1;
            if (!ls_network_time_point (layout->own, ls_network_time_x (t, t->first + step) + t->column_w / 3,
                                        area.y + area.h * ((double) u + .5) / (double) t->shown_units,
                                        &state))
              g_error ("a click on unit %d picks nothing", unit);
            if (state.step_unit != unit || state.step != (gint) (t->first + step + 1))
              g_error ("a click on unit %d in step %u picks unit %d in step %d", unit, t->first + step + 1,
                       state.step_unit, state.step);
          }
      state.step = state.step_unit = 7;
      if (ls_network_time_point (layout->own, t->columns.x - 3, t->unit_rows[0].y + 3, &state)
          || state.step != 7 || state.step_unit != 7)
        g_error ("a click beside the columns picks unit %d in step %d", state.step_unit, state.step);
    }
}

/* However high the picture, the rows end in it, one below the other; what a click picks a step in ends with
 * the last of the rows that have one. */
static void
test_rows_end (void)
{
  const LsFixture f = { LS_CORES (2),   .model = "lstm 24, dense 10",
                        .batch = BATCH, .tiles = 16,
                        .groups = 32,   .on_cpu = TRUE,
                        .steps = 60,    .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  guint clocks = 0;

  ls_fixture_add_values (data->recording);
  for (guint height = 480; height <= 1200; height += 24)
    {
      LsNetworkState state = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &state };

      state.page = LS_NETWORK_TIME;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1600, height);
      const LsNetwork *n = layout->own;
      const LsNetworkTime *t = n->time;
      double end = 0;

      if (t == NULL)
        continue;
      for (guint k = 0; k < 2; k++)
        if (t->unit_rows[k].h > 0)
          {
            if (t->unit_rows[k].y < end)
              g_error ("%u px high: a row begins at %g, the one above ends at %g", height, t->unit_rows[k].y,
                       end);
            end = t->unit_rows[k].y + t->unit_rows[k].h;
          }
      if (end > 0 && fabs (t->columns.y + t->columns.h - end) > .5)
        g_error ("%u px high: steps are picked down to %g, their rows end at %g", height,
                 t->columns.y + t->columns.h, end);
      if (t->clock.h <= 0)
        continue;
      clocks++;
      if (t->clock.y < end || t->clock.y + t->clock.h > n->bottom + .5)
        g_error ("%u px high: the clock is from %g to %g, the rows end at %g and the page at %g", height,
                 t->clock.y, t->clock.y + t->clock.h, end, n->bottom);
    }
  g_assert_cmpuint (clocks, >, 5);
}

/* The lower the page of a sequence, the fewer of its rows it has: the times of the way back go first, then
 * the clock, then the times of the way there. */
static void
test_rows_that_go (void)
{
  const LsFixture f = { LS_CORES (2), .model = "lstm 24, dense 10",
                        .batch = 16,  .tiles = 16,
                        .groups = 32, .on_cpu = TRUE,
                        .steps = 60,  .values = TRUE };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  guint seen[4] = { 0 };

  for (double h = 1080; h >= 420; h -= 20)
    {
      LsNetworkState asked = LS_NETWORK_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint there = 0, back = 0;

      asked.page = LS_NETWORK_TIME;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1280, h);
      const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
      if (t == NULL)
        continue;
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind != LS_ITEM_TEXT || (double) item->x > t->columns.x)
            continue;
          there += g_str_equal (item->text, "Forward");
          back += g_str_equal (item->text, "Back");
        }
      const gboolean clock = t->clock.h > 0;
      if ((back > 0 && !clock) || (clock && there == 0))
        g_error ("%g px high the page has %s way back, %s clock and %s way there", h, back > 0 ? "the" : "no",
                 clock ? "the" : "no", there > 0 ? "the" : "no");
      seen[(back > 0) + clock + (there > 0)]++;
    }
  g_assert_true (seen[3] > 0 && seen[2] > 0 && seen[1] > 0);
}

/* An op that was done in the one before it is seen when that was. */
static void
test_fused_time (void)
{
  LsFixture f = ls_fixture_desk;
  guint fused = 0;

  f.fused = TRUE;
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsRecording *r = data->recording;
  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; i < r->n_ops && r->ops[i].phase <= LS_PHASE_LOSS; i++)
      {
        const LsStepIndex *index = data->sides[side].index;
        const guint leader = r->lanes[side].tilings[i].leader;
        gint64 begin, end;

        ls_network_time (layout->own, side, r->ops[i].out[0], &begin, &end);
        if (begin != index->ops[leader].start_ns || end != index->ops[leader].end_ns)
          g_error ("%s was done in %s, and is said to begin at %" G_GINT64_FORMAT " ns", r->ops[i].symbol,
                   r->ops[leader].symbol, begin);
        fused += leader != i;
      }
  g_assert_cmpuint (fused, >, 1);
}

/* What goes in is as dark as its share of the largest of all steps, whichever sign that has. */
static void
test_inputs (void)
{
  for (guint negative = 0; negative < 2; negative++)
    {
      const LsFixture f = { LS_CORES (2),   .model = "lstm 6, dense 10",
                            .batch = BATCH, .tiles = 16,
                            .groups = 32,   .on_cpu = TRUE,
                            .steps = 60,    .values = TRUE };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      const LsRecordedShape *shape;
      Asked asked = ASKED_INIT;
      guint seen = 0;

      ls_fixture_add_values (data->recording);
      float *inputs = (float *) ls_recording_values (data->recording, 0, "s0", &shape); /* step, sample, row
                                                                                         */
      g_assert_nonnull (inputs);
      for (guint i = 0; i < STEPS; i++)
        for (guint k = 0; k < 28; k++)
          inputs[(i * BATCH + 3) * 28 + k] = i == 9 && k == 5 ? (negative ? -1.f : 1.f)
                                             : k == 6         ? (negative ? .25f : -.25f)
                                                              : 0;
      asked.network.sample = 3;
      asked.network.page = LS_NETWORK_TIME;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_network, data, asked_of (&asked, &ls_view_network),
                                               LS_LOOK_LIGHT, 1920, 1080);
      const LsNetworkTime *t = ((const LsNetwork *) layout->own)->time;
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          const guint step = (guint) lround (((double) item->x - t->columns.x) / t->column_w);
          if (item->kind != LS_ITEM_IMAGE || (double) item->x < t->columns.x - 1
              || fabs ((double) item->y - t->columns.y) > 1)
            continue;
          const LsSceneImage *image = g_ptr_array_index (layout->still->images, item->image);
          g_assert_cmpuint (item->ink, ==, LS_INK_SIGN);
          g_assert_cmpuint (image->cols, ==, 1);
          g_assert_cmpuint (image->rows, ==, 28);
          for (guint k = 0; k < 28; k++)
            {
              const double value = (double) inputs[(step * BATCH + 3) * 28 + k];
              if (fabs (image->levels[k] - 128 - 127 * value) > 1.01)
                g_error ("of inputs to ±1, input %u of step %u, which is %g, has level %u", k, step, value,
                         image->levels[k]);
            }
          seen++;
        }
      g_assert_cmpuint (seen, ==, STEPS);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/network-steps/inputs", test_inputs);
  g_test_add_func ("/network-steps/folded", test_folded);
  g_test_add_func ("/network-steps/said", test_said);
  g_test_add_func ("/network-steps/shares", test_shares);
  g_test_add_func ("/network-steps/others", test_others);
  g_test_add_func ("/network-steps/clicks", test_clicks);
  g_test_add_func ("/network-steps/rows", test_rows_end);
  g_test_add_func ("/network-steps/rows-that-go", test_rows_that_go);
  g_test_add_func ("/paint/network-steps/fused-time", test_fused_time);
  return g_test_run ();
}
