/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands behind a number's mark, fact by fact, of lanes made by hand: which steps, how many, what was
 * left out and why, by whose clock; and the samples as dots on their scale.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/plain.h"
#include "ui/paint/parts/evidence.h"
#include "ui/paint/views.h"

/* ---- facts ---- */

/* 60 steps of 100 samples on the left lane: step i took 1000 + i µs, and its loss is 1 / i. Four are passed
 * over. */
static void
rig_init (LsViewData *data)
{
  LsCurve *curve = ls_curve_new ();

  for (guint i = 1; i <= 60; i++)
    ls_curve_append (curve, (LsPoint){ .end_ms = 2 * i,
                                       .step_us = (float) (1000 + i),
                                       .loss = i == 58 ? (float) NAN : 1 / (float) i,
                                       .flags = i <= 10   ? LS_POINT_WARM_UP
                                                : i == 20 ? LS_POINT_RECORDED
                                                : i == 30 ? LS_POINT_RESTED
                                                : i == 40 ? LS_POINT_DISTURBED
                                                          : 0 });
  *data = (LsViewData){ .batch = 100, .live = TRUE };
  data->agreed.answers = -1;
  for (guint side = 0; side < LS_SIDES; side++)
    data->sides[side] = (LsViewLane){
      .there = TRUE,
      .name = (char *) (side == 0 ? "CPU" : "OpenCL (tiled)"),
      .brief = (char *) (side == 0 ? "CPU" : "OpenCL"),
      .device = (char *) (side == 0 ? "" : "a card"),
      .steps = 60,
      .loss_step = 60,
      .loss = { .value = 1. / 60, .n = 60 },
      .accuracy = side == 0 ? .97524 : .5,
      .curve = curve,
      .rate = { .value = 96000, .q1 = 94080, .q3 = 97920, .n = 47 },
      .counted = { .from = 10, .end = 60, .warm_up = 10, .recorded = 1, .rested = 1, .disturbed = 1200 },
      .delta = { .value = 4e-6, .n = 1500 },
      .delta_of = LS_DELTA_WEIGHTS,
    };
}

static void
rig_clear (LsViewData *data)
{
  ls_curve_unref (data->sides[0].curve);
}

static void
assert_fact (const LsEvidenceFacts *facts, guint i, const char *name, const char *value)
{
  if (2 * i + 1 >= facts->facts->len)
    g_error ("“%s” doesn't say “%s: %s”", facts->title, name, value);
  g_autofree char *is = plain (g_strdup_printf ("%s: %s", (const char *) facts->facts->pdata[2 * i],
                                                (const char *) facts->facts->pdata[2 * i + 1])),
                  *should = g_strdup_printf ("%s: %s", name, value);

  if (strcmp (is, should) != 0)
    g_error ("“%s”, line %u says “%s”, not “%s”", facts->title, i + 1, is, should);
}

/* All of them, from the title on, ended by NULL. */
static void
assert_facts (const LsViewData *data, gint side, LsNumber number, const char *title, const char *unit, ...)
{
  g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (data, side, number);
  const char *name;
  guint n = 0;
  va_list args;

  g_assert_cmpstr (facts->title, ==, title);
  g_assert_cmpstr (facts->unit, ==, unit);
  va_start (args, unit);
  while ((name = va_arg (args, const char *)) != NULL)
    assert_fact (facts, n++, name, va_arg (args, const char *));
  va_end (args);
  if (facts->facts->len != 2 * n)
    g_error ("“%s” says “%s”, too", title, (const char *) facts->facts->pdata[2 * n]);
}

#define RATE_HOW                                                                                             \
  "the batch over the lane's own time for the step; evaluation, recorded and disturbed steps left out"
#define HOST "the host's monotonic one (CLOCK_MONOTONIC_RAW), in nanoseconds"

static void
test_rate (void)
{
  LsRecordedLane recorded = { .clock_error_ns = 1500 };
  LsViewData data;

  rig_init (&data);
  assert_facts (&data, 0, LS_NUMBER_RATE, "CPU: samples per second", "samples per second", "How", RATE_HOW,
                "When", "steps 11 to 60", "Samples", "47", "Left out",
                "10 first ones, 1 recorded, 1 after a rest, 1 200 beside a compiler", "Median", "96.0 k",
                "Middle half", "94.1 k to 97.9 k (±2 %)", "Clock", HOST, NULL);
  /* of the other lane, whose clock is a device's, and whose few steps are too far apart for a median */
  data.sides[1].recorded = &recorded;
  data.sides[1].rate.q1 = 60000;
  data.sides[1].counted = (LsCounted){ .from = 4, .end = 51 };
  assert_facts (&data, 1, LS_NUMBER_RATE, "OpenCL (tiled): samples per second", "samples per second", "How",
                RATE_HOW, "When", "steps 5 to 51", "Samples",
                "47; a rate is settled with 50, or with 20 and a middle half under 10 %", "Left out", "none",
                "Clock", "the device's, mapped onto the host's within 1.50 µs", "Device", "a card", NULL);
  /* of no step nothing is said of when */
  data.sides[1].rate.n = 0;
  assert_facts (&data, 1, LS_NUMBER_RATE, "OpenCL (tiled): samples per second", "samples per second", "How",
                RATE_HOW, "Samples", "0; a rate is settled with 50, or with 20 and a middle half under 10 %",
                "Left out", "none", "Clock", "the device's, mapped onto the host's within 1.50 µs", "Device",
                "a card", NULL);
  rig_clear (&data);
}

/* Each counted step's batch over its time, of those steps and no others; the newest come first. */
static void
test_rate_samples (void)
{
  LsViewData data;
  guint at = 0;

  rig_init (&data);
  g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (&data, 0, LS_NUMBER_RATE);
  for (guint i = 60; i > 10; i--)
    {
      if (i % 10 == 0 && i >= 20 && i <= 40)
        continue; /* recorded, rested, disturbed */
      g_assert_cmpuint (at, <, facts->samples->len);
      g_assert_cmpfloat_with_epsilon (g_array_index (facts->samples, double, at), 100. / (1000 + i) * 1e6,
                                      1e-2);
      at++;
    }
  g_assert_cmpuint (at, ==, 47);
  g_assert_cmpuint (facts->samples->len, ==, at);
  rig_clear (&data);
}

#define LOSS_HOW "softmax and cross-entropy, the mean over the batch, computed by the lane itself"
#define DOTS     "the losses of the steps up to this one"

static void
test_loss (void)
{
  LsViewData data;

  rig_init (&data);
  assert_facts (&data, 0, LS_NUMBER_LOSS, "CPU: loss", "loss", "How", LOSS_HOW, "When", "step 60", "Value",
                "0.0166667", "Dots", DOTS, NULL);
  data.sides[0].loss_step = 7;
  data.sides[0].loss.value = 1 / 7.;
  data.sides[0].scale = (LsLossScale){ .factor = 32768, .skipped = 3 };
  assert_facts (&data, 0, LS_NUMBER_LOSS, "CPU: loss", "loss", "How", LOSS_HOW, "When", "step 7", "Value",
                "0.142857", "Skipped", "3 of 60 steps, for overflowing gradients; the loss’s scale is 32 768",
                "Dots", DOTS, NULL);
  data.sides[1].steps = data.sides[1].loss_step = 1;
  data.sides[1].scale = (LsLossScale){ .factor = 1024, .skipped = 1 };
  data.sides[1].loss.value = 1;
  assert_facts (&data, 1, LS_NUMBER_LOSS, "OpenCL (tiled): loss", "loss", "How", LOSS_HOW, "When", "step 1",
                "Value", "1.00000", "Skipped",
                "1 of 1 step, for overflowing gradients; the loss’s scale is 1 024", "Dots", DOTS, "Device",
                "a card", NULL);
  /* the losses of steps 1 … 7, and of no later one; of a step without a number none */
  g_autoptr (LsEvidenceFacts) seven = ls_evidence_facts (&data, 0, LS_NUMBER_LOSS);
  g_assert_cmpuint (seven->samples->len, ==, 7);
  for (guint i = 0; i < 7; i++)
    g_assert_cmpfloat_with_epsilon (g_array_index (seven->samples, double, i), 1. / (7 - i), 1e-6);
  data.sides[0].loss_step = 60;
  g_autoptr (LsEvidenceFacts) all = ls_evidence_facts (&data, 0, LS_NUMBER_LOSS);
  g_assert_cmpuint (all->samples->len, ==, 59);
  rig_clear (&data);
}

#define WEIGHTS_HOW "max |Δ| over all elements of the weights, read from both lanes after the same step"

/* Both lanes' numbers: how often weights were held against each other in a run, how many there were in a
 * recording, and where they were never read the losses. */
static void
test_both (void)
{
  LsViewData data;

  rig_init (&data);
  assert_facts (&data, -1, LS_NUMBER_DELTA, "Largest difference between the lanes", "", "How", WEIGHTS_HOW,
                "Compared", "1 500 times", "Value", "4×10⁻⁶", NULL);
  data.live = FALSE;
  assert_facts (&data, 1, LS_NUMBER_DELTA, "Largest difference between the lanes", "", "How", WEIGHTS_HOW,
                "Compared", "1 500 elements", "Value", "4×10⁻⁶", "Device", "a card", NULL);
  data.live = TRUE;
  data.sides[1].recorded_on = (char *) "recorded on Saturn";
  assert_facts (&data, 1, LS_NUMBER_DELTA, "Largest difference between the lanes", "", "How", WEIGHTS_HOW,
                "Compared", "1 500 elements", "Value", "4×10⁻⁶", "Device", "a card", NULL);
  data.sides[0].delta_of = LS_DELTA_LOSSES;
  data.agreed.compared = 60;
  data.agreed.loss_delta = 4e-6;
  assert_facts (&data, 0, LS_NUMBER_DELTA, "Losses differ by", "", "How",
                "the largest difference of the lanes' losses of one step", "Compared", "1 500 steps", "Value",
                "4×10⁻⁶", "Losses", "losses agree within 0.001", NULL);
  assert_facts (
    &data, 0, LS_NUMBER_ACCURACY, "CPU: test accuracy", "", "How",
    "the share of the test set that the lane's weights classify as labelled, at the end of an epoch", "Value",
    "97.52 %", NULL);
  assert_facts (
    &data, 1, LS_NUMBER_ACCURACY, "OpenCL (tiled): test accuracy", "", "How",
    "the share of the test set that the lane's weights classify as labelled, at the end of an epoch", "Value",
    "50.00 %", "Device", "a card", NULL);
  for (guint turns = 0; turns < 2; turns++)
    {
      data.turns = turns;
      data.sides[1].rate.n = 0;
      assert_facts (
        &data, -1, LS_NUMBER_RATIO, "Ratio of the lanes", "", "How",
        "the greater median of samples per second over the other lane's, both in turn or both racing",
        "Verdict", "not known yet", "Rule",
        "a lane is named only where the middle halves of both rates are apart", "Lanes",
        turns ? "they took turns, since they share cores" : "they ran at the same time", NULL);
    }
  rig_clear (&data);
}

/* ---- of an op, over several recorded steps ---- */

/* The op's times are those of the steps' lane with the same id, whichever place it has there; with one such
 * step its own pieces are told. */
static void
test_op_steps (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 64, .tiles = 16, .groups = 32, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsRecording) first = ls_fixture_recording (&f), second = ls_fixture_recording (&f),
                          third = ls_fixture_recording (&f);
  LsRecording *steps[] = { first, second, third };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (first, NULL);
  const LsRecordedLane swapped = third->lanes[0];

  third->lanes[0] = third->lanes[1];
  third->lanes[1] = swapped;
  for (guint s = 0; s < 3; s++)
    for (guint l = 0; l < 2; l++)
      for (guint i = 0; i < steps[s]->lanes[l].events->len; i++)
        {
          LsEvent *e = &g_array_index (steps[s]->lanes[l].events, LsEvent, i);
          if (s > 0 && e->op == 1 && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL))
            e->end_ns = e->start_ns + (l == (s == 2) ? 20000 : 30000) + s * 1000;
        }
  for (gint side = 0; side < LS_SIDES; side++)
    {
      const LsOpTrace *trace = &data->sides[side].index->ops[1];
      const double own = (double) (trace->end_ns - trace->start_ns), base = side == 0 ? 20e3 : 30e3;
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_op_facts (data, side, 1, steps, 3),
                                  once = ls_evidence_op_facts (data, side, 1, steps, 1);
      g_autofree char *title = g_strdup_printf ("%s: %s", data->sides[side].name,
                                                data->recording->ops[1].symbol),
                      *pieces = g_strdup_printf ("recorded once; below, %u of its %u tiles or work-groups",
                                                 trace->n, trace->n),
                      *step = g_strdup_printf ("step %u", (guint) ls_view_data_shown_step (data, 0));

      g_assert_cmpstr (facts->title, ==, title);
      g_assert_cmpstr (facts->unit, ==, "µs");
      g_assert_cmpuint (facts->samples->len, ==, 3);
      g_assert_cmpfloat_with_epsilon (g_array_index (facts->samples, double, 0), own / 1e3, 1e-6);
      g_assert_cmpfloat_with_epsilon (g_array_index (facts->samples, double, 1), base / 1e3 + 1, 1e-6);
      g_assert_cmpfloat_with_epsilon (g_array_index (facts->samples, double, 2), base / 1e3 + 2, 1e-6);
      assert_fact (facts, 0, "How",
                   data->sides[side].recorded->clock_error_ns > 0
                     ? "OpenCL's event profiling, from its first kernel's start to its last one's end"
                     : "the lane's own clock, from the first tile's start to the last one's end");
      assert_fact (facts, 1, "This one", step);
      assert_fact (facts, 3, "Samples", "the op in the 3 recorded steps of this run that are kept");
      assert_fact (once, 3, "Samples", pieces);
      g_assert_cmpuint (once->samples->len, ==, trace->n);
    }
  /* an op that isn't there */
  g_autoptr (LsEvidenceFacts) none = ls_evidence_op_facts (data, 0, data->recording->n_ops, steps, 3);
  g_assert_cmpstr (none->title, ==, "CPU: ");
  g_assert_cmpuint (none->facts->len, ==, 0);
  g_assert_cmpuint (none->samples->len, ==, 0);
}

/* Of three steps the median, the middle half, and how wide that is as a share of the median; the samples are
 * told in the unit of the median, whichever those of the middle half are in. */
static void
test_op_unit (void)
{
  static const struct {
    guint took[3]; /* ns */
    const char *unit, *value, *median, *middle;
    double per;
  } cases[] = {
    { { 80000, 40000, 50000 }, "µs", "80.0 µs", "50.0 µs", "45.0 µs to 65.0 µs (±20 %)", 1e3 },
    { { 100, 1500, 9000 }, "µs", "100 ns", "1.50 µs", "800 ns to 5.25 µs", 1e3 },
    { { 100, 950, 9000 }, "ns", "100 ns", "950 ns", "525 ns to 4.97 µs", 1 },
    { { 200000, 1250000, 2000000 }, "ms", "200 µs", "1.25 ms", "725 µs to 1.62 ms", 1e6 },
    { { 200000, 800000, 9000000 }, "µs", "200 µs", "800 µs", "500 µs to 4.90 ms", 1e3 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const LsFixture f
        = { LS_CORES (2), .batch = 64, .tiles = 16, .groups = 32, .on_cpu = TRUE, .steps = 40 };
      g_autoptr (LsRecording) first = ls_fixture_recording (&f), second = ls_fixture_recording (&f),
                              third = ls_fixture_recording (&f);
      LsRecording *steps[] = { first, second, third };

      for (guint s = 0; s < 3; s++)
        for (guint i = 0; i < steps[s]->lanes[0].events->len; i++)
          {
            LsEvent *e = &g_array_index (steps[s]->lanes[0].events, LsEvent, i);
            if (e->op == 1 && e->kind == LS_EVENT_OP)
              e->end_ns = e->start_ns + cases[k].took[s];
          }
      g_autoptr (LsViewData) data = ls_view_data_from_recording (first, NULL);
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_op_facts (data, 0, 1, steps, 3);
      if (strcmp (facts->unit, cases[k].unit) != 0)
        g_error ("times of %s are told in %s", cases[k].median, facts->unit);
      for (guint s = 0; s < 3; s++)
        if (fabs (g_array_index (facts->samples, double, s) * cases[k].per - cases[k].took[s]) > 1e-6)
          g_error ("%u ns are %g %s", cases[k].took[s], g_array_index (facts->samples, double, s),
                   facts->unit);
      assert_fact (facts, 2, "Value", cases[k].value);
      assert_fact (facts, 4, "Median", cases[k].median);
      assert_fact (facts, 6, "Clock", HOST);
      const char *middle = facts->facts->pdata[2 * 5 + 1];
      g_autofree char *says = plain (g_strdup (middle));
      if (!g_str_has_prefix (says, cases[k].middle))
        g_error ("the middle half is “%s”, not “%s”", says, cases[k].middle);
    }
}

/* ---- the plot ---- */

/* The dots stand where their samples do between the numbers at both ends, the median and the middle half
 * there, too; of very many samples at most a thousand. */
static void
test_plot (void)
{
  static const guint counts[] = { 0, 1, 2, 5, 101, 1000, 1001, 2500 };
  LsStyle style;

  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      const guint n = counts[c];
      LsScene *scene = ls_scene_new (fonts, &style);
      LsEvidenceFacts facts = { .samples = g_array_new (FALSE, FALSE, sizeof (double)) };
      double left = NAN, right = NAN;
      guint dots = 0, boxes = 0, lines = 0, texts = 0;

      for (guint i = 0; i < n; i++)
        {
          /* 100 … 200 in some order, so that the median is 150, and the middle half 125 … 175 */
          const double v = 100 + 100. * ((gsize) i * 17 % n) / MAX (n - 1, 1);
          g_array_append_val (facts.samples, v);
        }
      ls_evidence_plot (&facts, scene, 400, 120);
      const guint stride = ls_evidence_stride (&facts);
      if (n > 0)
        g_assert_cmpuint (stride, ==, n <= 1000 ? 1 : n <= 2000 ? 2 : 3);
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          const float *at = &g_array_index (scene->points, float, 2 * item->points);
          if (item->kind == LS_ITEM_LINE && fabs ((double) (at[1] - at[3])) < .01)
            {
              left = (double) at[0];
              right = (double) at[2];
            }
        }
      for (guint i = 0; i < scene->items->len; i++)
        {
          const LsItem *item = ls_scene_get (scene, i);
          const float *at = &g_array_index (scene->points, float, 2 * item->points);
          const double middle = (left + right) / 2, quarter = (right - left) / 4;

          if (item->kind == LS_ITEM_DOTS)
            {
              const double v = g_array_index (facts.samples, double, dots *stride);
              g_assert_cmpfloat_with_epsilon ((double) at[0], left + (right - left) * (v - 100) / 100, .01);
              g_assert_cmpfloat ((double) at[1], >, 0);
              g_assert_cmpfloat ((double) at[1], <, 120);
              dots++;
            }
          else if (item->kind == LS_ITEM_LINE && fabs ((double) (at[0] - at[2])) < .01)
            {
              g_assert_cmpfloat_with_epsilon ((double) at[0], middle, .01);
              lines++;
            }
          else if (item->kind == LS_ITEM_BOX)
            {
              g_assert_cmpfloat_with_epsilon ((double) item->x, middle - quarter, .01);
              g_assert_cmpfloat_with_epsilon ((double) (item->x + item->w), middle + quarter, .01);
              boxes++;
            }
          else if (item->kind == LS_ITEM_TEXT)
            {
              static const char *const ends[] = { "100", "200", "150" };
              g_assert_cmpstr (item->text, ==, ends[texts]);
              g_assert_cmpfloat_with_epsilon (texts == 0   ? (double) item->x - left
                                              : texts == 1 ? ls_item_right (item) - right
                                                           : (double) (item->x + item->w / 2) - middle,
                                              0, .6);
              g_assert_cmpfloat ((double) item->y, <=, 120);
              texts++;
            }
        }
      g_test_message ("%u samples: %u dots", n, dots);
      g_assert_cmpuint (dots, ==, n < 2 ? 0 : (n + stride - 1) / stride);
      g_assert_cmpuint (dots, <=, 1000);
      g_assert_cmpuint (lines, ==, n >= 2);
      g_assert_cmpuint (boxes, ==, n >= 2);
      g_assert_cmpuint (texts, ==, n >= 2 ? 3 : 0);
      g_array_unref (facts.samples);
      ls_scene_free (scene);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/evidence-facts/rate", test_rate);
  g_test_add_func ("/paint/evidence-facts/rate-samples", test_rate_samples);
  g_test_add_func ("/paint/evidence-facts/loss", test_loss);
  g_test_add_func ("/paint/evidence-facts/both", test_both);
  g_test_add_func ("/paint/evidence-facts/op-steps", test_op_steps);
  g_test_add_func ("/paint/evidence-facts/plot", test_plot);
  g_test_add_func ("/paint/evidence-facts/op-unit", test_op_unit);
  return g_test_run ();
}
