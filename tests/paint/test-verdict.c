/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures never contradict themselves: one winner in head, verdict and columns, or a sentence; no rate from
 * a handful of steps; one set of samples in head and popover; losses of one step.
 */
#include <math.h>
#include <string.h>

#include "rated.h"
#include "ui/paint/data/decimate.h"
#include "ui/paint/parts/evidence.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/views.h"

static void
test_winner (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  const double cpu = shown_rate (data, 0), opencl = shown_rate (data, 1);
  const guint fast = cpu > opencl ? 0 : 1;
  const char *const names[] = { "CPU", "OpenCL" };

  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    for (guint other_way = 0; other_way < 2; other_way++)
      {
        const guint winner = other_way ? 1 - fast : fast;
        g_autoptr (LsLayout) layout = NULL;
        g_autofree char *is = g_strdup_printf ("%s is", names[winner]),
                        *is_not = g_strdup_printf ("%s is", names[1 - winner]);

        set_rate (data, winner, 2 * MAX (cpu, opencl), .02, 200);
        set_rate (data, 1 - winner, MAX (cpu, opencl), .02, 200);
        layout = layout_of (data, &ls_view_race, size);
        g_test_message ("%g, %s, the step %s", sizes[size].w, is,
                        other_way ? "the other way round" : "alike");
        g_assert_true (says (layout->still, is));
        g_assert_false (says (layout->still, is_not));
        g_assert_cmpint (says (layout->still, "the other way round"), ==, (gint) other_way);
      }
}

/* The sentence with the ratio names the faster lane, wherever it stands, and the ratio is above 1. */
static void
test_ratio (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  static const char *const expected[] = { "CPU is 2.50 times as fast", "OpenCL is 2.50 times as fast" };

  for (guint fast = 0; fast < LS_SIDES; fast++)
    {
      set_rate (data, fast, 250e3, .02, 200);
      set_rate (data, 1 - fast, 100e3, .02, 200);
      g_autofree char *with_ratio = ls_rates_verdict (data, TRUE),
                      *short_one = ls_rates_verdict (data, FALSE);
      g_assert_cmpstr (with_ratio, ==, expected[fast]);
      g_assert_cmpstr (short_one, ==, fast == 0 ? "CPU is faster" : "OpenCL is faster");
      g_assert_cmpfloat_with_epsilon (ls_rates_ratio (data), 2.5, 1e-9);
    }
}

/* In the words, in the picture at every size, and to a screen reader; a fair one has none of it. */
static void
test_unfair (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  set_rate (data, 0, 1e3, .02, 200);
  set_rate (data, 1, 76e3, .02, 200);
  for (guint unfair = 0; unfair < 2; unfair++)
    {
      LsFairness *fairness = g_atomic_rc_box_new0 (LsFairness);
      guint n;

      fairness->unfair = unfair == 1;
      fairness->n = 1;
      fairness->lines[0] = (LsFairLine){ .row = &ls_fair_rows (&n)[4],
                                         .state = unfair ? LS_FAIR_NO : LS_FAIR_YES,
                                         .words = g_strdup ("The CPU lane uses 1 of 2 processors.") };
      ls_fairness_unref (data->fairness);
      data->fairness = fairness;
      g_autofree char *verdict = ls_rates_verdict (data, TRUE);
      g_assert_cmpstr (verdict, ==,
                       unfair ? "OpenCL is 76.0 times as fast · unfair" : "OpenCL is 76.0 times as fast");
      for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
        {
          g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
          g_autofree char *fault = ls_layout_fault (layout), *told = ls_layout_describe (layout);
          guint signs = 0;

          for (guint i = 0; i < layout->still->items->len; i++)
            signs += ls_scene_get (layout->still, i)->kind == LS_ITEM_WARNING
                     && ls_scene_get (layout->still, i)->ink == LS_INK_AMBER;
          g_test_message ("%g, unfair %u", sizes[size].w, unfair);
          g_assert_cmpstr (fault, ==, NULL);
          g_assert_cmpint (says (layout->still, "unfair"), ==, (gint) unfair);
          g_assert_cmpuint (signs, ==, unfair);
          g_assert_cmpint (strstr (told, "Unfair: Threads.") != NULL, ==, (gint) unfair);
        }
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (data, -1, LS_NUMBER_RATIO);
      gboolean popover = FALSE;
      for (guint i = 0; i < facts->facts->len; i++)
        popover |= strcmp (facts->facts->pdata[i], "Threads") == 0;
      g_assert_cmpint (popover, ==, (gint) unfair);
    }
}

/* Middle halves that overlap name nobody, whatever the medians are. */
static void
test_no_winner (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  set_rate (data, 0, 104e3, .1, 200);
  set_rate (data, 1, 100e3, .1, 200);
  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
      g_assert_true (says (layout->still, "no clear winner"));
      g_assert_false (says (layout->still, "faster") || says (layout->still, "times as fast")
                      || says (layout->still, "the other way round"));
    }
}

/* Of a lane that stopped no more steps come. */
static void
test_stopped (void)
{
  static const LsView *const views[] = { &ls_view_race, &ls_view_partition, &ls_view_timeline };
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_FAILED);

  set_rate (data, 1, 182e3, .01, 2);
  for (guint view = 0; view < G_N_ELEMENTS (views); view++)
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
      {
        g_autoptr (LsLayout) layout = layout_of (data, views[view], size);
        g_test_message ("%s, %g", views[view]->name, sizes[size].w);
        g_assert_true (says (layout->still, "not measured"));
        g_assert_false (says (layout->still, "more step") || says (layout->still, "not measured yet"));
      }
}

/* As it was photographed: a rate of two steps beside one of two hundred. */
static void
test_handful (void)
{
  static const LsView *const views[] = { &ls_view_race, &ls_view_partition, &ls_view_timeline };
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  set_rate (data, 0, 29.9e3, .01, 2);
  data->sides[0].counted = (LsCounted){ .from = 7485, .end = 7487, .warm_up = 10, .disturbed = 7475 };
  set_rate (data, 1, 182e3, .01, 200);
  g_assert_cmpint (ls_rates_winner (data), ==, LS_WINNER_UNKNOWN);
  for (guint view = 0; view < G_N_ELEMENTS (views); view++)
    for (guint size = 0; size < 3; size++)
      {
        g_autoptr (LsLayout) layout = layout_of (data, views[view], size);
        g_test_message ("%s, %g", views[view]->name, sizes[size].w);
        g_assert_false (says (layout->still, "6.09"));
        g_assert_true (says (layout->still, "at most 48 more steps"));
        g_assert_true (says (layout->still, "182"));
      }
  /* of two that don't stand, the one that lacks more is waited for */
  for (guint side = 0; side < 2; side++)
    {
      set_rate (data, side, 29.9e3, .01, 2);
      set_rate (data, 1 - side, 182e3, .01, 12);
      data->sides[1].counted = data->sides[0].counted;
      g_autofree char *longer = ls_rates_no_ratio (data);
      g_assert_nonnull (longer);
      if (strstr (longer, "at most 48 more steps") == NULL)
        g_error ("with 2 and 12 of 50 steps it says “%s”", longer);
    }
  /* both stand, of different turns */
  set_rate (data, 1, 182e3, .01, 200);
  set_rate (data, 0, 29.9e3, .01, 200);
  data->sides[0].counted = (LsCounted){ .from = 7000, .end = 7200 };
  g_assert_cmpint (ls_rates_winner (data), ==, LS_WINNER_UNKNOWN);
  g_autofree char *verdict = ls_rates_verdict (data, TRUE), *lacking = ls_rates_no_ratio (data);
  g_assert_null (verdict);
  g_assert_nonnull (lacking);
}

/* As it was photographed: after its first steps a lane's newest ones were beside a compiler. Where the head
 * says that it wasn't measured, the Throughput plot has no line of it. */
static void
test_beside_compiler (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  const LsLayout layout = { .data = data };
  static const struct {
    guint64 counted;
    const char *words;
  } rows[] = {
    { 0, "not measured beside a compiler" },
    { 12, "not measured beside a compiler" },
    { LS_FIGURE_STANDS_CALM - 1, "not measured beside a compiler" },
    { LS_FIGURE_STANDS_CALM, "at most 30 more steps needed" },
    { LS_FIGURE_STANDS - 1, "at most 1 more step needed" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsViewLane *lane = &data->sides[1];
      const LsSeries series = { LS_CURVE_RATE, lane, NULL, data->batch };
      g_autofree char *lacking = NULL;
      LsColumn column;

      g_clear_pointer (&lane->curve, ls_curve_unref);
      lane->curve = ls_curve_new ();
      lane->steps = 10 + rows[i].counted + 100;
      for (guint64 step = 0; step < lane->steps; step++)
        ls_curve_append (lane->curve,
                         (LsPoint){ .loss = 1,
                                    .step_us = 700,
                                    .flags = step < 10                     ? LS_POINT_WARM_UP
                                             : step < 10 + rows[i].counted ? 0
                                                                           : LS_POINT_DISTURBED });
      set_rate (data, 1, 182e3, .4, rows[i].counted);
      lacking = ls_rate_lacking (&layout, lane);
      ls_decimate_steps (&series, 0, lane->steps, 1, &column);
      g_test_message ("%u steps measured", (guint) rows[i].counted);
      g_assert_cmpstr (lacking, ==, rows[i].words);
      g_assert_cmpint (isnan (column.middle), ==, strstr (lacking, "not measured") != NULL);
    }
}

/* What was left out is said in words. */
static void
test_left_out (void)
{
  static const struct {
    LsCounted counted;
    const char *words;
  } rows[] = {
    { { .warm_up = 10 }, "the first 10" },
    { { .recorded = 3 }, "3 recorded" },
    { { .disturbed = 118 }, "118 beside a compiler" },
    { { .rested = 22 }, "22 after a rest" },
    { { .warm_up = 10, .recorded = 3, .disturbed = 118 }, "131 first, recorded or disturbed" },
    { { 0 }, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = ls_left_out_words (&rows[i].counted);
      g_assert_cmpstr (words, ==, rows[i].words);
    }
}

/* Each form of the rate's conditions: the short ones never tell a count as if it were of all steps. */
static void
test_forms (void)
{
  static const char *const words[2][4] = {
    { "median of 200, ±1 %", "median of 200, middle half 99.0 k–101 k", "median of 200, ±1 %",
      "median of 200, ±1 %" },
    { "median of 200 without 3 recorded, ±1 %", "median of 200 without 3 recorded, middle half 99.0 k–101 k",
      "200 steps, 3 left out, ±1 %", "median, ±1 %" },
  };

  for (guint out = 0; out < 2; out++)
    for (LsRateForm form = LS_RATE_WHOLE; form <= LS_RATE_BRIEF; form++)
      {
        const LsViewLane lane = { .rate = { .value = 1e5, .q1 = 99e3, .q3 = 101e3, .n = 200 },
                                  .counted.recorded = out ? 3 : 0 };
        g_autofree char *said = ls_rate_condition (&lane, form);
        g_auto (GStrv) words_said = g_strsplit (said, "\u00a0", -1);
        g_autofree char *plain = g_strjoinv (" ", words_said);
        g_assert_cmpstr (plain, ==, words[out][form]);
      }

  /* each kind of step that doesn't count is among those left out */
  const LsViewLane lane = { .rate = { .value = 1e5, .q1 = 99e3, .q3 = 101e3, .n = 200 },
                            .counted = { .warm_up = 10, .recorded = 3, .rested = 500, .disturbed = 7000 } };
  g_autofree char *said = ls_rate_condition (&lane, LS_RATE_SHORT);
  g_assert_nonnull (strstr (said, "7\u2009513"));
}

/* The popover's dots have the head's median, number for number. */
static void
test_one_set (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&desk);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (LsEvidenceFacts) facts = ls_evidence_facts (data, (gint) side, LS_NUMBER_RATE);
      LsFigure again;

      g_assert_cmpuint (facts->samples->len, ==, data->sides[side].rate.n);
      again = ls_figure_of_samples ((double *) (void *) facts->samples->data, facts->samples->len,
                                    "samples/s");
      g_assert_cmpfloat (fabs (again.value / data->sides[side].rate.value - 1), <, 1e-3);
      g_assert_cmpfloat (fabs (again.q1 / data->sides[side].rate.q1 - 1), <, 1e-3);
    }
}

/* Losses side by side are of one step, or each says of which. */
static void
test_same_step (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  data->sides[0].loss_step = data->sides[1].loss_step = 600;
  for (guint size = 0; size < 3; size++)
    {
      g_autoptr (LsLayout) same = layout_of (data, &ls_view_race, size);
      g_assert_false (says (same->still, "loss of step"));
    }
  data->sides[1].loss_step = 450;
  for (guint size = 0; size < 3; size++)
    {
      g_autoptr (LsLayout) race = layout_of (data, &ls_view_race, size);
      g_autoptr (LsLayout) partition = layout_of (data, &ls_view_partition, size);
      g_assert_true (says (race->still, "loss of step 600") && says (race->still, "loss of step 450"));
      g_assert_true (says (partition->still, "loss of step 600")
                     && says (partition->still, "loss of step 450"));
    }
}

/* |Δ| is never alone, and losses never have a max |Δ|. */
static void
test_words (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  for (LsDeltaOf of = LS_DELTA_WEIGHTS; of <= LS_DELTA_LOSSES; of++)
    for (guint size = 0; size < 3; size++)
      {
        data->sides[0].delta_of = data->sides[1].delta_of = of;
        data->sides[0].delta = data->sides[1].delta = (LsFigure){ .n = 5, .value = 2e-7 };
        g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
        g_assert_cmpint (says (layout->still, "max |Δ|"), ==, of == LS_DELTA_WEIGHTS);
        g_assert_true (says (layout->still, of == LS_DELTA_WEIGHTS ? "max |Δ|" : "differ by"));
        g_assert_cmpint (says (layout->still, "≤2×10⁻⁷"), ==, of == LS_DELTA_LOSSES); /* the most of all steps
                                                                                       */
      }
}

/* Under both halves 1 stands at the slower lane's median, whichever that is. */
static void
test_halves_one (void)
{
  for (guint slower = 0; slower < LS_SIDES; slower++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
      const LsItem *one = NULL;
      guint rings = 0;
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const double rate = side == slower ? 100e3 : 150e3;
          data->sides[side].rate = (LsFigure){ rate, "samples/s", LS_EVIDENCE_MEASURED,
                                               200,  .95 * rate,  1.05 * rate };
        }
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &(LsQuery) LS_QUERY_INIT, LS_LOOK_LIGHT,
                                               1920, 1080);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind == LS_ITEM_TEXT && strcmp (item->text, "1") == 0)
            one = item;
        }
      g_assert_nonnull (one);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          double x, y, w, h;
          if (item->kind != LS_ITEM_RINGS || (guint) item->value != slower)
            continue;
          ls_item_bounds (layout->still, item, &x, &y, &w, &h);
          g_assert_cmpfloat_with_epsilon (x + w / 2, (double) one->x + (double) one->w / 2, 1);
          rings++;
        }
      g_assert_cmpuint (rings, ==, 1);
    }
}

static void
test_agreement (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  g_autofree char *within = NULL, *apart = NULL, *answers = NULL, *same = NULL;

  data->sides[0].delta = (LsFigure){ .n = 5, .value = 2e-7 };
  data->agreed = (LsAgreed){ .compared = 600, .loss_delta = 3e-7, .answers = -1 };
  within = ls_agreement_text (data);
  g_assert_cmpstr (within, ==, "losses agree within 0.001");
  data->agreed.loss_delta = 0; /* in every step, and no weights were compared yet */
  g_autofree char *losses = ls_agreement_text (data);
  g_assert_cmpstr (losses, ==, "losses the same so far");
  data->agreed = (LsAgreed){ .compared = 600, .loss_delta = .1, .apart_step = 60, .answers = -1 };
  apart = ls_agreement_text (data);
  g_assert_cmpstr (apart, ==, "rounding differs since step 60: losses differ by 0.10 at most");
  data->agreed.answers = 36;
  data->agreed.n_answers = 10000;
  answers = ls_agreement_text (data);
  g_assert_cmpstr (
    answers, ==,
    "rounding differs since step 60: losses differ by 0.10 at most, 36 of 10\u2009000 answers differ");
  data->agreed.skip_step = 1234;
  g_autofree char *skipped = ls_agreement_text (data), *briefly = ls_agreement_brief (data);
  g_assert_cmpstr (skipped, ==, "one lane alone skipped step 1\u2009234: losses differ by 0.10 at most");
  g_assert_cmpstr (briefly, ==, "one lane alone skipped step 1\u2009234");
  /* what is stored can't be the same */
  data->sides[1].precision = LS_PRECISION_BF16;
  g_autofree char *stored = ls_agreement_text (data), *brief = ls_agreement_brief (data);
  g_assert_cmpstr (stored, ==,
                   "stored in fp32/bf16: losses differ by 0.10 at most, 36 of 10\u2009000 answers differ");
  g_assert_cmpstr (brief, ==, "stored in fp32/bf16");
  data->agreed = (LsAgreed){ .compared = 600, .answers = -1 };
  data->sides[0].delta = (LsFigure){ .n = 5, .value = 0 };
  data->sides[0].delta_of = LS_DELTA_WEIGHTS;
  same = ls_agreement_text (data);
  g_assert_cmpstr (same, ==, "both the same, bit for bit");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/verdict/winner", test_winner);
  g_test_add_func ("/paint/verdict/ratio", test_ratio);
  g_test_add_func ("/paint/verdict/unfair", test_unfair);
  g_test_add_func ("/paint/verdict/no-winner", test_no_winner);
  g_test_add_func ("/paint/verdict/stopped", test_stopped);
  g_test_add_func ("/paint/verdict/handful", test_handful);
  g_test_add_func ("/paint/verdict/beside-compiler", test_beside_compiler);
  g_test_add_func ("/paint/verdict/left-out", test_left_out);
  g_test_add_func ("/paint/verdict/forms", test_forms);
  g_test_add_func ("/paint/verdict/one-set", test_one_set);
  g_test_add_func ("/paint/verdict/same-step", test_same_step);
  g_test_add_func ("/paint/verdict/words", test_words);
  g_test_add_func ("/paint/verdict/halves-one", test_halves_one);
  g_test_add_func ("/paint/verdict/agreement", test_agreement);
  return g_test_run ();
}
