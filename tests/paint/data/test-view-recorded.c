/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What views make of a recording: its figures counted again from its steps, how far the lanes are apart, in
 * weights or in losses, and where it comes from.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/asked.h"
#include "ui/paint/data/view_private.h"
#include "ui/paint/parts/rates.h"

static LsRecording *
recording_of (gboolean opencl)
{
  const LsFixture f = { LS_CORES (2),   .batch = 64, .tiles = 16, .groups = opencl ? 32 : 0,
                        .on_cpu = TRUE, .steps = 60 };

  return ls_fixture_recording (&f);
}

/* Step i of n, from 1, took 1000 + i µs. */
static void
set_history (LsRecording *recording, guint lane, guint n, guint disturbed)
{
  LsCurve *curve = ls_curve_new ();

  for (guint i = 1; i <= n; i++)
    ls_curve_append (curve, (LsPoint){ .step_us = (float) (1000 + i),
                                       .loss = 1 / (float) i,
                                       .flags = i == disturbed ? LS_POINT_DISTURBED : 0 });
  ls_recording_set_history (recording, lane, curve, n);
  ls_curve_unref (curve);
}

/* ---- figures ---- */

/* The rate is of the newest 200 steps, without the first ones, those that something disturbed, and the last
 * one, which is the recorded one; the loss is the last one's. */
static void
test_rates (void)
{
  static const struct {
    guint n, warm_up, disturbed;
    guint counted, first, last; /* steps of the rate, from 1 */
    guint warm, spoilt;         /* of which so many are left out */
  } rows[] = {
    { 300, 10, 0, 200, 100, 299, 0, 0 }, { 60, 10, 0, 49, 11, 59, 10, 0 }, { 60, 10, 30, 48, 11, 59, 10, 1 },
    { 60, 0, 0, 59, 1, 59, 0, 0 },       { 12, 10, 0, 1, 11, 11, 10, 0 },  { 11, 10, 0, 0, 0, 0, 10, 0 },
    { 0, 10, 0, 0, 0, 0, 0, 0 },         { 5, 10, 0, 0, 0, 0, 4, 0 },      { 1, 0, 0, 0, 0, 0, 0, 0 },
    { 1, 10, 0, 0, 0, 0, 0, 0 },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (LsRecording) recording = recording_of (TRUE);
      g_autofree double *us = g_new (double, 300);
      gsize n = 0;

      for (guint lane = 0; lane < 2; lane++)
        set_history (recording, lane, rows[r].n, lane == 0 ? rows[r].disturbed : 0);
      recording->warm_up = rows[r].warm_up;
      recording->step = rows[r].n;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      const LsViewLane *lane = &data->sides[0];
      g_test_message ("%u steps, %u first ones", rows[r].n, rows[r].warm_up);
      g_assert_cmpuint (lane->rate.n, ==, rows[r].counted);
      for (guint i = rows[r].first; i > 0 && i <= rows[r].last; i++)
        if (i != rows[r].disturbed)
          us[n++] = 1000 + i;
      if (n > 0)
        {
          const LsFigure figure = ls_figure_of_samples (us, n, "");
          g_assert_cmpfloat_with_epsilon (lane->rate.value, 64e6 / figure.value, 1);
          g_assert_cmpfloat_with_epsilon (lane->rate.q1, 64e6 / figure.q3, 1);
          g_assert_cmpfloat_with_epsilon (lane->rate.q3, 64e6 / figure.q1, 1);
          g_assert_cmpuint (lane->counted.from + 1, ==, rows[r].first);
          g_assert_cmpuint (lane->counted.end, ==, rows[r].last);
        }
      g_assert_cmpuint (lane->counted.warm_up, ==, rows[r].warm);
      g_assert_cmpuint (lane->counted.recorded, ==, rows[r].n > 0);
      g_assert_cmpuint (lane->counted.disturbed, ==, rows[r].spoilt);
      g_assert_cmpuint (lane->steps, ==, rows[r].n);
      g_assert_cmpuint (lane->loss_step, ==, rows[r].n);
      g_assert_cmpuint (lane->loss.n, ==, rows[r].n > 0);
      if (rows[r].n > 0)
        g_assert_cmpfloat_with_epsilon (lane->loss.value, 1. / rows[r].n, 1e-6);
      else
        g_assert_true (isnan (lane->loss.value));
      g_assert_cmpuint (data->step, ==, rows[r].n);
    }
}

/* The newest share of the test set that was right; none where it wasn't asked. */
static void
test_accuracies (void)
{
  g_autoptr (LsRecording) recording = recording_of (TRUE);
  const LsAccuracy two[] = { { 20, .5 }, { 40, .75 } };

  g_clear_pointer (&recording->lanes[0].accuracies, g_array_unref);
  g_clear_pointer (&recording->lanes[1].accuracies, g_array_unref);
  recording->lanes[0].accuracies = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof *two), two, 2);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_assert_cmpfloat (data->sides[0].accuracy, ==, .75);
  g_assert_true (isnan (data->sides[1].accuracy));
  g_assert_true (data->sides[0].accuracies == recording->lanes[0].accuracies);
}

/* ---- how far they are apart ---- */

/* The losses of all steps that both lanes have done; the first that are farther apart than a thousandth, of
 * themselves where they are above 1. */
static void
test_losses (void)
{
  static const struct {
    double first[4], second[4];
    guint compared, apart; /* from 1 */
    double delta;
  } rows[] = {
    { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, 4, 0, 0 },
    { { .5, .5, .5, .5 }, { .5, .5005, .5, .5 }, 4, 0, .0005 },
    { { .5, .5, .5, .5 }, { .5, .5, .502, .51 }, 4, 3, .01 },
    { { .5, .5, .502, .7 }, { .5, .5, .5, .5 }, 4, 3, .2 },
    { { 10, 10, 10, 10 }, { 10.005, 10, 10, 10 }, 4, 0, .005 },
    { { 10, 10, 10, 10 }, { 10, 10.02, 10, 10 }, 4, 2, .02 },
    { { .5, (double) NAN, .5, .5 }, { .5, .5, (double) NAN, .6 }, 2, 4, .1 }, /* not done: in no time */
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (LsRecording) recording = recording_of (TRUE);

      for (guint lane = 0; lane < 2; lane++)
        {
          LsCurve *curve = ls_curve_new ();
          for (guint i = 0; i < 4 + lane; i++) /* the right one has gone on */
            {
              const double loss = i > 3 ? 9 : (lane == 0 ? rows[r].first : rows[r].second)[i];
              ls_curve_append (curve, (LsPoint){ .step_us = isnan (loss) ? 0 : 500, .loss = (float) loss });
            }
          ls_recording_set_history (recording, lane, curve, 4 + lane);
          ls_curve_unref (curve);
        }
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_test_message ("row %u", (guint) r);
      g_assert_cmpuint (data->agreed.compared, ==, rows[r].compared);
      g_assert_cmpuint (data->agreed.apart_step, ==, rows[r].apart);
      g_assert_cmpfloat_with_epsilon (data->agreed.loss_delta, rows[r].delta, 1e-5);
      for (guint side = 0; side < LS_SIDES; side++) /* no weights are kept */
        {
          g_assert_cmpint (data->sides[side].delta_of, ==, LS_DELTA_LOSSES);
          g_assert_cmpuint (data->sides[side].delta.n, ==, rows[r].compared);
          g_assert_cmpfloat_with_epsilon (data->sides[side].delta.value, rows[r].delta, 1e-5);
          g_assert_cmpint (data->sides[side].delta.evidence, ==, LS_EVIDENCE_DERIVED);
        }
    }
}

/* The largest difference of any weight, of both lanes' values, whichever is greater; nothing else counts. */
static void
test_weights (void)
{
  for (guint sign = 0; sign < 2; sign++)
    {
      g_autoptr (LsRecording) recording = recording_of (TRUE);
      gint64 n = 0;

      ls_fixture_add_values (recording);
      for (guint i = 0; i < recording->n_shapes; i++)
        {
          const LsRecordedShape *shape = &recording->shapes[i];
          const gint64 count = ls_recorded_shape_count (shape);
          float *values = (float *) (gpointer) ls_recording_values (recording, 1, shape->name, NULL);
          if (shape->dtype != LS_F32 || values == NULL)
            continue;
          if (shape->role != LS_ROLE_WEIGHT)
            {
              values[0] += 50;
              continue;
            }
          values[count - 1] += n == 0 ? .125f : sign ? -.25f : .25f;
          n += count;
        }
      g_assert_cmpint (n, >, 1000);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          g_assert_cmpint (data->sides[side].delta_of, ==, LS_DELTA_WEIGHTS);
          g_assert_cmpfloat (data->sides[side].delta.value, ==, .25);
          g_assert_cmpuint (data->sides[side].delta.n, ==, (guint64) n);
        }
    }
}

/* ---- where it comes from ---- */

/* Of each lane that is there; and what it was all made by, when, on how many samples. */
static void
test_origin (void)
{
  for (guint opencl = 0; opencl < 2; opencl++)
    {
      g_autoptr (LsRecording) recording = recording_of (opencl);
      LsViewBeside beside = { .origin = "Saturn, 2025-11-07" };

      recording->turns = opencl;
      asked_add_evaluations (recording);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside),
                             plain = ls_view_data_from_recording (recording, NULL);
      g_assert_cmpstr (data->sides[0].recorded_on, ==, "recorded on Saturn, 2025-11-07");
      g_assert_cmpstr (data->sides[1].recorded_on, ==, opencl ? "recorded on Saturn, 2025-11-07" : NULL);
      g_assert_cmpint (data->sides[1].there, ==, opencl);
      for (guint side = 0; side < LS_SIDES; side++)
        g_assert_null (plain->sides[side].recorded_on);
      g_assert_cmpstr (data->program, ==, recording->program);
      g_assert_cmpstr (data->date, ==, recording->date);
      g_assert_cmpstr (data->today, ==, recording->date);
      g_assert_cmpuint (data->batch, ==, 64);
      g_assert_cmpint (data->turns, ==, opencl);
      g_assert_false (data->live);
      /* the right lane says otherwise of one sample */
      g_assert_cmpint (data->agreed.answers, ==, opencl ? 1 : -1);
      g_assert_cmpint (data->agreed.n_answers, ==, ASKED_TESTS);
      g_assert_true (data->sides[0].evaluation == recording->lanes[0].evaluation);
    }
}

/* ---- what is told besides ---- */

/* Each of it is there by itself, and nothing else is; none of it is copied. */
static void
test_beside (void)
{
  g_autoptr (LsRecording) recording = recording_of (TRUE);
  g_autoptr (GPtrArray) runs = g_ptr_array_new (), lab = g_ptr_array_new ();
  g_autoptr (LsViewData) other = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsConverted) spiking = ls_converted_new (LS_CONVERTED_SPIKING);
  g_autoptr (LsOpTimes) times = ls_op_times_add (NULL, recording);
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);

  for (guint only = 0; only < 7; only++)
    {
      LsViewBeside beside = { 0 };

      beside.runs = only == 1 ? runs : NULL;
      beside.lab = only == 2 ? lab : NULL;
      beside.other = only == 3 ? other : NULL;
      beside.converted[LS_CONVERTED_SPIKING] = only == 4 ? spiking : NULL;
      beside.op_times = only == 5 ? times : NULL;
      beside.catalogue = only == 6 ? catalogue : NULL;
      beside.aside.words = only == 0 ? NULL : "step 3, which took long";
      beside.aside.n = only;
      beside.aside.step = 3 * only;
      beside.aside.side = only % LS_SIDES;
      beside.tests = 1000 + only;
      beside.sample_size = 784 + only;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
      if (data->runs != beside.runs || data->lab != beside.lab || data->other != beside.other
          || data->converted[LS_CONVERTED_SPIKING] != beside.converted[LS_CONVERTED_SPIKING]
          || data->converted[LS_CONVERTED_INT8] != NULL || data->op_times != beside.op_times
          || data->catalogue != beside.catalogue || data->claims != NULL)
        g_error (
          "with %s alone the data have runs %p, results %p, another step %p, a network in spikes %p, times "
          "of ops %p, a catalogue %p",
          (const char *const[]){ "nothing", "runs", "results", "another step", "a network in spikes",
                                 "times of ops", "a catalogue" }[only],
          (gpointer) data->runs, (gpointer) data->lab, (gpointer) data->other,
          (gpointer) data->converted[LS_CONVERTED_SPIKING], (gpointer) data->op_times,
          (gpointer) data->catalogue);
      g_assert_cmpstr (data->aside, ==, beside.aside.words);
      g_assert_cmpuint (data->n_aside, ==, only);
      g_assert_cmpuint (data->aside_step, ==, 3 * only);
      g_assert_cmpuint (data->aside_side, ==, only % LS_SIDES);
      g_assert_cmpint (data->tests, ==, 1000 + only);
      g_assert_cmpint (data->sample_size, ==, 784 + only);
    }
}

/* Of three lanes two stand on the sides, and the third is there beside them, with its curve and its name. */
static void
test_others (void)
{
  static const char *const kinds[] = { "cpu", "opencl", "cpu" }, *const own[] = { "cpu", "opencl", "naive" };
  const LsFixture f = { LS_CORES (2), .batch = 64, .tiles = 16, .steps = 60 };
  g_autoptr (LsPlan) plan = ls_fixture_plan (&f);
  g_autoptr (LsRecording) recording = ls_recording_new (plan, G_N_ELEMENTS (kinds), 60);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      recording->lanes[i].id = g_strdup (own[i]);
      recording->lanes[i].device = ls_device_info_new (kinds[i]);
      recording->lanes[i].device->name = g_strdup_printf ("Device %u", i);
      set_history (recording, i, 60 + i, 0);
    }
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_assert_cmpuint (data->names->len, ==, 3);
  g_assert_cmpuint (data->sides[0].lane, ==, 0);
  g_assert_cmpuint (data->sides[1].lane, ==, 1);
  g_assert_cmpuint (data->others->len, ==, 1);
  const LsViewLane *other = data->others->pdata[0];
  g_assert_cmpint (other->who, ==, LS_BACKEND_CPU);
  g_assert_cmpstr (other->id, ==, g_array_index (data->names, LsViewName, 2).id);
  if (other->curve == NULL)
    g_error ("the third lane has no curve");
  g_assert_cmpuint (ls_curve_length (other->curve), ==, 62);

  /* any two stand where they are asked for, each with what is its own, and a step that is laid over theirs
   * shows the same two, also where only one of them isn't where it would be by itself */
  for (guint pair = 0; pair < 6; pair++)
    {
      const guint left = pair / 2, right = (left + 1 + pair % 2) % 3,
                  numbers[] = { left, right, 3 - left - right };
      const char *const ids[] = { own[left], own[right], own[numbers[2]] };
      const LsViewBeside beside = { .other = data, .stands = { ids[0], ids[1] } };
      g_autoptr (LsViewData) chosen = ls_view_data_from_recording (recording, &beside);

      for (guint i = 0; i < 3; i++)
        {
          const LsViewLane *lane = i < LS_SIDES ? &chosen->sides[i] : chosen->others->pdata[0];
          g_assert_cmpuint (lane->lane, ==, i < LS_SIDES ? numbers[i] : 0);
          g_assert_cmpuint (ls_curve_length (lane->curve), ==, 60 + numbers[i]);
          g_assert_cmpstr (lane->id, ==, ids[i]);
          g_assert_true (i == 2 || lane->recorded == &recording->lanes[numbers[i]]);
          if (i < LS_SIDES && g_strcmp0 (chosen->other->sides[i].id, ids[i]) != 0)
            g_error ("with “%s” and “%s” chosen, over “%s” lies “%s”", ids[0], ids[1], ids[i],
                     chosen->other->sides[i].id);
        }
    }
}

/* Whether the lanes are compared fairly is judged by each lane's own rate, under its own name. */
static void
test_judged (void)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autoptr (LsRecording) recording = recording_of (TRUE);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      LsFairPair pair = { 0 };
      gboolean told = FALSE;

      g_autofree char *should = g_strdup_printf ("The %s lane’s rate was measured beside a compiler.",
                                                 data->sides[side].brief),
                      *never = g_strdup_printf ("The %s lane’s rate", data->sides[1 - side].brief);
      for (guint i = 0; i < LS_SIDES; i++)
        data->sides[i].rate = (LsFigure){
          .value = 1000, .q1 = 990, .q3 = 1010, .n = 100, .condition = i == side ? "beside a compiler" : NULL
        };
      g_clear_pointer (&data->fairness, ls_fairness_unref);
      ls_view_judge (data, &pair);
      for (guint i = 0; i < data->fairness->n; i++)
        {
          const char *words = data->fairness->lines[i].words;
          told |= g_strcmp0 (words, should) == 0;
          if (words != NULL && strstr (words, never) != NULL)
            g_error ("of side %u, whose rate was measured alone, is said “%s”", 1 - side, words);
        }
      if (!told)
        g_error ("of side %u, whose rate was measured beside a compiler, that isn’t said", side);
    }
}

/* A network whose layers with weights are all dense is called by their sizes, and no other. */
static void
test_sizes (void)
{
  static const struct {
    const char *model, *sizes; /* NULL: none */
  } cases[] = {
    { "flatten, dense 256, relu, dense 128, relu, dense 10", "784 · 256 · 128 · 10" },
    { "flatten, dense 10", "784 · 10" },
    { "lstm 6, dense 10", NULL },
    { "conv 4 3 pad 1, relu, maxpool 2, flatten, dense 10", NULL },
    { "residual(lstm 28 all), flatten, dense 10", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsFixture f = { LS_CORES (2), .model = cases[i].model, .batch = 4, .tiles = 8,
                            .groups = 8,  .on_cpu = TRUE,          .steps = 9 };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      const gboolean sized = g_str_has_prefix (data->title, "784 ");

      if (sized != (cases[i].sizes != NULL) || (sized && !g_str_has_prefix (data->title, cases[i].sizes)))
        g_error ("%s is called “%s”", cases[i].model, data->title);
    }
}

/* A loss or a weight that one lane computed and that isn't a number is a difference, wherever it stands. */
static void
test_not_numbers (void)
{
  for (guint side = 0; side < 3; side++) /* 2: in both */
    for (guint at = 0; at < 4; at++)
      {
        g_autoptr (LsRecording) recording = recording_of (TRUE);

        for (guint lane = 0; lane < 2; lane++)
          {
            LsCurve *curve = ls_curve_new ();
            for (guint i = 0; i < 4; i++)
              ls_curve_append (
                curve,
                (LsPoint){ .step_us = 500, .loss = i == at && (side == 2 || side == lane) ? NAN : .5f });
            ls_recording_set_history (recording, lane, curve, 4);
            ls_curve_unref (curve);
          }
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        g_autofree char *words = ls_agreement_text (data);
        g_assert_cmpuint (data->agreed.compared, ==, 4);
        if (data->agreed.apart_step != (side < 2 ? at + 1 : 0) || !isnan (data->agreed.loss_delta))
          g_error ("step %u of %s isn’t a number: %s, from step %u on", at + 1,
                   side == 2 ? "both lanes" : "one lane", words, (guint) data->agreed.apart_step);
      }
  for (guint at = 0; at < 5; at++) /* of five weights that one, if there is so many */
    {
      const LsFixture f = { LS_CORES (2), .batch = 4, .tiles = 16, .groups = 32, .steps = 9, .values = TRUE };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      float *weights = (float *) ls_recording_values (recording, 1, "1.weight", NULL);

      g_assert_nonnull (weights);
      if (at < 4)
        weights[at * 7] = NAN;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_assert_cmpint (data->sides[0].delta_of, ==, LS_DELTA_WEIGHTS);
      if (isnan (data->sides[0].delta.value) != (at < 4))
        g_error ("with %s weights the largest difference is %g", at < 4 ? "one of the" : "none of the",
                 data->sides[0].delta.value);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-recorded/rates", test_rates);
  g_test_add_func ("/view-recorded/beside", test_beside);
  g_test_add_func ("/view-recorded/judged", test_judged);
  g_test_add_func ("/view-recorded/sizes", test_sizes);
  g_test_add_func ("/view-recorded/accuracies", test_accuracies);
  g_test_add_func ("/view-recorded/losses", test_losses);
  g_test_add_func ("/view-recorded/weights", test_weights);
  g_test_add_func ("/view-recorded/origin", test_origin);
  g_test_add_func ("/view-recorded/others", test_others);
  g_test_add_func ("/view-recorded/not-numbers", test_not_numbers);
  return g_test_run ();
}
