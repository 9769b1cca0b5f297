/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What views make of a snapshot of a run: which step stands for both lanes, what a lane is busy with, how far
 * lanes are apart, and those that stand on no side.
 */
#include <string.h>

#include "tests/paint/data/snapshot-rig.h"

/* ---- steps ---- */

/* Lanes that take turns show the newest step that both have done; one that catches up is on its own. */
static void
test_common_step (void)
{
  static const struct {
    guint a, b;
    LsLaneState state; /* of b */
    guint shown_a, shown_b, step;
  } rows[] = {
    { 60, 60, LS_LANE_READY, 60, 60, 60 },    { 60, 57, LS_LANE_READY, 57, 57, 57 },
    { 40, 57, LS_LANE_READY, 40, 40, 40 },    { 60, 0, LS_LANE_READY, 60, 0, 60 },
    { 60, 57, LS_LANE_FAILED, 60, 57, 60 },   { 572, 60, LS_LANE_READY, 60, 60, 60 }, /* 512 apart, */
    { 573, 60, LS_LANE_READY, 573, 60, 573 },                                         /* and more */
  };
  g_autoptr (LsRecording) both = recording_of (32, 50);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 600);
      g_autoptr (LsViewData) data = NULL;
      const guint steps[] = { rows[i].a, rows[i].b }, shown[] = { rows[i].shown_a, rows[i].shown_b };

      for (guint lane = 0; lane < 2; lane++)
        {
          snapshot->lanes[lane].steps = steps[lane];
          snapshot->lanes[lane].loss = steps[lane] > 0 ? 1.f / (float) steps[lane] : NAN;
        }
      snapshot->lanes[1].state = rows[i].state;
      data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      g_test_message ("row %u", (guint) i);
      g_assert_cmpuint (data->step, ==, rows[i].step);
      for (guint side = 0; side < 2; side++)
        {
          const LsViewLane *lane = &data->sides[side];

          g_assert_cmpuint (lane->steps, ==, shown[side]);
          g_assert_cmpuint (lane->loss_step, ==, shown[side]);
          g_assert_cmpuint (lane->loss.n, ==, steps[side] > 0);
          if (shown[side] > 0) /* of that step, and not of the newest */
            g_assert_cmpfloat_with_epsilon (lane->loss.value, 1. / shown[side], 1e-6);
        }
    }
}

/* "step 40 of 100", "step 41, epoch 3": an epoch has 20. */
static void
test_step_words (void)
{
  static const struct {
    guint64 step, target, epoch;
    const char *words;
  } rows[] = { { 40, 100, 20, "step 40 of 100" },
               { 40, G_MAXUINT64, 20, "step 40, epoch 2" },
               { 41, G_MAXUINT64, 20, "step 41, epoch 3" },
               { 1, 0, 20, "step 1, epoch 1" },
               { 0, 0, 20, "step 0" },
               { 7, 0, 0, "step 7" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsViewData data = { .target = rows[i].target, .steps_per_epoch = rows[i].epoch };
      g_autofree char *words = ls_view_data_step_words (&data, rows[i].step);
      g_assert_cmpstr (words, ==, rows[i].words);
    }
}

/* ---- what a lane does ---- */

/* It stands before all that the lane runs with; what is built is counted from 1. */
static void
test_busy (void)
{
  static const struct {
    double busy_s;
    gboolean builds, coming;
    guint done, total;
    const char *words; /* NULL: nothing */
  } rows[] = {
    { 12, FALSE, FALSE, 0, 0, "no answer for 12 s" },   { 12, TRUE, FALSE, 0, 0, "building, 12 s" },
    { 12, TRUE, FALSE, 2, 6, "building 3 of 6, 12 s" }, { 12, TRUE, FALSE, 6, 6, "building 6 of 6, 12 s" },
    { 0, FALSE, TRUE, 2, 6, "building 3 of 6" },        { 0, FALSE, TRUE, 0, 0, "building" },
    { 12, TRUE, TRUE, 2, 6, "building 3 of 6, 12 s" },  { 0, TRUE, FALSE, 2, 6, NULL },
  };
  g_autoptr (LsRecording) both = recording_of (32, 50);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
      g_autoptr (LsViewData) plain = ls_view_data_from_snapshot (snapshot, NULL, NULL), data = NULL;
      LsLaneSnapshot *lane = &snapshot->lanes[1];
      const guint n = g_strv_length (plain->sides[1].conditions);

      lane->busy_s = rows[i].busy_s;
      lane->builds = rows[i].builds;
      lane->kernels_coming = rows[i].coming;
      lane->build_done = rows[i].done;
      lane->build_total = rows[i].total;
      data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      g_test_message ("row %u", (guint) i);
      g_assert_cmpuint (g_strv_length (data->sides[1].conditions), ==, n + (rows[i].words != NULL));
      if (rows[i].words != NULL)
        g_assert_cmpstr (data->sides[1].conditions[0], ==, rows[i].words);
      for (guint k = 0; k < n; k++)
        g_assert_cmpstr (data->sides[1].conditions[k + (rows[i].words != NULL)], ==,
                         plain->sides[1].conditions[k]);
      g_assert_cmpuint (g_strv_length (data->sides[0].conditions), ==,
                        g_strv_length (plain->sides[0].conditions)); /* it is the other lane's */
    }
}

/* Whether weights or losses say how far the lanes are apart: weights, unless those were compared before the
 * losses went apart. */
static void
test_delta (void)
{
  static const struct {
    guint64 compared, step;
    gboolean disagree;
    LsDeltaOf of;
    guint64 n;
    double value;
  } rows[] = {
    { 0, 0, FALSE, LS_DELTA_LOSSES, 60, .2 },   { 3, 50, FALSE, LS_DELTA_WEIGHTS, 3, .001 },
    { 3, 40, TRUE, LS_DELTA_LOSSES, 60, .2 },   { 3, 41, TRUE, LS_DELTA_LOSSES, 60, .2 },
    { 3, 42, TRUE, LS_DELTA_WEIGHTS, 3, .001 },
  };
  g_autoptr (LsRecording) both = recording_of (32, 50);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
      g_autoptr (LsViewData) data = NULL;

      snapshot->agreement.losses_compared = 2 * 60; /* of three lanes */
      snapshot->agreement.losses_steps = 60;
      snapshot->agreement.loss_delta_max = .2;
      snapshot->agreement.weights_compared = rows[i].compared;
      snapshot->agreement.weights_step = rows[i].step;
      snapshot->agreement.weights_delta_max = .001;
      snapshot->agreement.disagree = rows[i].disagree;
      snapshot->agreement.disagree_step = 41;
      snapshot->agreement.disagree_lanes[1] = 1;
      snapshot->agreement.apart_step = 12;
      snapshot->agreement.skip_step = 13;
      snapshot->agreement.tolerance = .125;
      data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      g_test_message ("row %u", (guint) i);
      for (guint side = 0; side < 2; side++)
        {
          g_assert_cmpint (data->sides[side].delta_of, ==, rows[i].of);
          g_assert_cmpuint (data->sides[side].delta.n, ==, rows[i].n);
          g_assert_cmpfloat (data->sides[side].delta.value, ==, rows[i].value);
        }
      g_assert_cmpuint (data->agreed.compared, ==, 60);
      g_assert_cmpfloat (data->agreed.loss_delta, ==, .2);
      g_assert_cmpfloat (data->agreed.tolerance, ==, .125);
      g_assert_cmpuint (data->agreed.apart_step, ==, 12);
      g_assert_cmpuint (data->agreed.skip_step, ==, 13);
    }
}

/* How many of the test set's answers differ, of how many; not known where one lane wasn't asked, or after
 * other steps. */
static void
test_answers (void)
{
  static const struct {
    guint a, b;           /* steps after which each was asked; 0: it wasn't */
    guint same;           /* of 50 answers */
    gint64 answers, of_n; /* of_n −1: it doesn't matter */
  } rows[] = { { 40, 40, 50, 0, 50 },  { 40, 40, 43, 7, 50 }, { 40, 40, 0, 50, 50 },
               { 40, 60, 50, -1, -1 }, { 40, 0, 0, -1, -1 },  { 0, 0, 0, -1, -1 } };
  g_autoptr (LsRecording) both = recording_of (32, 50);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
      g_autoptr (LsViewData) data = NULL;
      const guint steps[] = { rows[i].a, rows[i].b };

      for (guint l = 0; l < 2; l++)
        if (steps[l] > 0)
          {
            LsEvaluation *evaluation = ls_evaluation_new (50, 10, 0);
            evaluation->steps = steps[l];
            for (guint k = 0; k < 50; k++)
              ls_evaluation_put (evaluation, k, (k + (k < 3) + (l == 1 && k >= rows[i].same)) % 10, k % 10,
                                 .9f, .1f);
            snapshot->lanes[l].evaluation = evaluation;
          }
      data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      g_test_message ("row %u", (guint) i);
      g_assert_cmpint (data->agreed.answers, ==, rows[i].answers);
      if (rows[i].of_n >= 0)
        g_assert_cmpint (data->agreed.n_answers, ==, rows[i].of_n);
    }
}

/* Why edited kernels aren't used: the compiler's line with the error in it, all of it if it has 200 letters;
 * the folder's own trouble stands before that, and only at a lane that has kernels to edit. */
static void
test_notice (void)
{
  static const guint letters[] = { 20, 199, 200, 201, 900 };
  g_autoptr (LsRecording) both = recording_of (32, 50);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
  LsViewBeside beside = { .kernel_problem = "the folder is gone" };

  for (gsize i = 0; i < G_N_ELEMENTS (letters); i++)
    {
      g_autoptr (LsViewData) data = NULL;
      g_autoptr (GString) error = g_string_new ("gemm.cl:4: error: ×");

      while (g_utf8_strlen (error->str, -1) < (glong) letters[i])
        g_string_append (error, "é");
      g_autofree char *kept = g_utf8_substring (error->str, 0, MIN (letters[i], 200)),
                      *should = g_strdup_printf ("Edited kernels aren’t used: %s%s", kept,
                                                 letters[i] > 200 ? " …" : "");
      g_free (snapshot->lanes[1].kernels_message);
      snapshot->lanes[1].kernels_message = g_strdup_printf ("a warning\n  %s  \nmore", error->str);
      data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      g_assert_cmpstr (data->sides[1].notice, ==, should);
      g_assert_null (data->sides[0].notice);
    }
  g_autoptr (LsViewData) problem = ls_view_data_from_snapshot (snapshot, NULL, &beside);
  g_assert_cmpstr (problem->sides[1].notice, ==, "The folder is gone.");
  g_assert_null (problem->sides[0].notice);
}

/* ---- the step cut finer ---- */

/* A lane whose recorded step was cut finer, too, has both by their own times; what was read of a recording is
 * kept while it stays the newest. */
static void
test_finer (void)
{
  g_autoptr (LsRecording) both = recording_of (32, 50), other = recording_of (8, 50);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
  LsRecordedLane *lane = &both->lanes[1];

  lane->finer = ls_recorded_cut_new (other->lanes[1].tilings, other->n_ops,
                                     g_array_ref (other->lanes[1].events), other->lanes[1].start_ns,
                                     other->lanes[1].end_ns);
  g_autoptr (LsViewData) data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  const LsViewLane *sides = data->sides;
  if (sides[0].finer != NULL)
    g_error ("a lane whose step wasn’t cut finer has a finer cut");
  if (sides[1].finer == NULL || sides[1].finer->lane->events != lane->finer->events)
    g_error ("the lane’s finer cut isn’t there, or has other events than were recorded of it");
  if (sides[1].index->lane->events != lane->events)
    g_error ("the lane’s step as trained has other events than were recorded of it");
  g_autoptr (LsViewData) next = ls_view_data_from_snapshot (snapshot, data, NULL);
  for (guint side = 0; side < LS_SIDES; side++)
    if (next->sides[side].index != sides[side].index || next->sides[side].finer != sides[side].finer)
      g_error ("of the same recording side %u was read again", side);
}

/* ---- lanes on no side ---- */

/* They have their curves, which end where those on stage do: at the newest step that both show, or where one
 * is on its own, at the newest one that any of them has. */
static void
test_others (gconstpointer user_data)
{
  static const struct {
    guint steps[4];
    LsLaneState states[LS_SIDES];
    guint ends;
  } rows[] = {
    { { 60, 57, 80, 20 }, { LS_LANE_READY, LS_LANE_READY }, 57 },
    { { 57, 60, 80, 20 }, { LS_LANE_READY, LS_LANE_READY }, 57 },
    { { 60, 30, 80, 20 }, { LS_LANE_READY, LS_LANE_FAILED }, 60 },
    { { 30, 60, 80, 20 }, { LS_LANE_FAILED, LS_LANE_READY }, 60 },
    { { 60, 30, 50, 20 }, { LS_LANE_READY, LS_LANE_FAILED }, 50 },
  };
  const gsize at = GPOINTER_TO_SIZE (user_data);
  const guint *steps = rows[at].steps;
  g_autoptr (LsRecording) both = recording_of (32, 50);
  g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
  g_autoptr (LsViewData) data = NULL;

  for (guint i = 2; i < 4; i++)
    {
      snapshot->lanes[i]
        = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (snapshot->options, &ls_backend_reference),
                            .state = i == 3 ? LS_LANE_FAILED : LS_LANE_READY,
                            .curve = curve_of (100),
                            .accuracy = (double) NAN };
      snapshot->n_lanes++;
    }
  for (guint i = 0; i < 4; i++)
    {
      snapshot->lanes[i].steps = steps[i];
      if (i < LS_SIDES)
        snapshot->lanes[i].state = rows[at].states[i];
    }
  data = ls_view_data_from_snapshot (snapshot, NULL, NULL);
  g_assert_cmpuint (data->others->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const LsViewLane *other = data->others->pdata[i];

      g_assert_cmpuint (other->steps, ==, i == 0 ? rows[at].ends : 20);
      g_assert_true (other->curve == snapshot->lanes[2 + i].curve);
      g_assert_cmpint (other->state, ==, snapshot->lanes[2 + i].state);
    }
  g_assert_cmpuint (data->names->len, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-live/common-step", test_common_step);
  g_test_add_func ("/view-live/step-words", test_step_words);
  g_test_add_func ("/view-live/busy", test_busy);
  g_test_add_func ("/view-live/delta", test_delta);
  g_test_add_func ("/view-live/answers", test_answers);
  g_test_add_func ("/view-live/notice", test_notice);
  g_test_add_func ("/view-live/finer", test_finer);
  for (gsize i = 0; i < 5; i++)
    {
      g_autofree char *path = g_strdup_printf ("/view-live/others/%u", (guint) i);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_others);
    }
  return g_test_run ();
}
