/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes in fp16: steps that overflow are skipped on all of them alike, and counted; where one lane alone
 * does, that is said; a lane that joins takes the scale over; recorded steps are taken back with it.
 */
#include <math.h>
#include <string.h>

#include "retry_rig.h"

static gboolean
hasty_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  if (run->hyper[0].step == 1 && run->scale != NULL)
    run->scale->factor = 0x1p22;
  return ls_backend_reference.run (data, run, result, error);
}

/* The reference, which begins with a scale that is too large. */
static const LsBackend *
hasty_backend (void)
{
  static LsBackend row;

  row = ls_backend_reference;
  row.name = row.title = "hasty";
  row.run = hasty_run;
  return &row;
}

static guint64 late_from; /* the first run that begins with this step, from 1, or later has too large a scale
                           */
static guint64 late_at;   /* which was this step; 0: it is still to come */

static gboolean
late_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  if (late_at == 0 && run->hyper[0].step >= late_from && run->scale != NULL)
    {
      late_at = run->hyper[0].step;
      run->scale->factor = 0x1p22;
    }
  return ls_backend_reference.run (data, run, result, error);
}

static const LsBackend *
late_backend (guint64 from)
{
  static LsBackend row;

  row = ls_backend_reference;
  row.name = row.title = "late";
  row.run = late_run;
  late_from = from;
  late_at = 0;
  return &row;
}

static guint
count_skipped (const LsLaneSnapshot *lane)
{
  guint n = 0;

  for (guint64 i = 0; i < lane->steps; i++)
    n += (ls_curve_get (lane->curve, i).flags & LS_POINT_SKIPPED) != 0;
  return n;
}

static LsOptions *
fp16_options (gint optimizer)
{
  LsOptions *options = tiny_options ();

  options->precision = LS_PRECISION_FP16;
  options->optimizer = optimizer;
  options->lr = optimizer == LS_OPTIMIZER_ADAM ? 0.01 : 0.1;
  return options;
}

static void
assert_same_scale (const LsSnapshot *s)
{
  g_assert_cmpmem (&s->lanes[0].scale, sizeof s->lanes[0].scale, &s->lanes[1].scale,
                   sizeof s->lanes[1].scale);
}

static void
test_alike (void)
{
  g_autoptr (LsOptions) options = fp16_options (LS_OPTIMIZER_SGD);
  g_autoptr (LsCoordinator) c = start_lanes (options, hasty_backend (), hasty_backend (), NULL);
  g_autoptr (LsSnapshot) s = run_to (c, 50);
  const guint n = count_skipped (&s->lanes[0]);

  assert_agree (s, 50);
  assert_same_scale (s);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (n, <, 10);
  g_assert_cmpuint (s->lanes[0].scale.skipped, ==, n);
  for (guint64 i = 0; i < s->lanes[0].scale.good; i++)
    g_assert_false (ls_curve_get (s->lanes[0].curve, 49 - i).flags & LS_POINT_SKIPPED);
  g_assert_cmpfloat (s->lanes[0].scale.factor, ==, 0x1p22 / (1 << n));
  g_assert_cmpuint (s->agreement.skip_step, ==, 0);
  for (guint64 i = 0; i < 50; i++)
    g_assert_cmpuint (ls_curve_get (s->lanes[0].curve, i).flags & LS_POINT_SKIPPED, ==,
                      ls_curve_get (s->lanes[1].curve, i).flags & LS_POINT_SKIPPED);
  /* the loss of a skipped step's batch is that of the weights before */
  g_assert_true (ls_curve_get (s->lanes[0].curve, 0).flags & LS_POINT_SKIPPED);
  g_assert_cmpuint (s->lanes[0].rate.n + s->lanes[0].rate.left_out, ==, 50);
}

/* Each lane decides by its own gradients: that they did otherwise is told. */
static void
test_one_alone (void)
{
  static const guint64 steps[] = { 1, 2, 21 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (LsOptions) options = fp16_options (LS_OPTIMIZER_SGD);
      g_autoptr (LsCoordinator) c = start_lanes (options, &ls_backend_reference, late_backend (steps[i]),
                                                 NULL);
      g_autoptr (LsSnapshot) s = run_to (c, 50);

      g_assert_cmpuint (late_at, >=, steps[i]);
      g_assert_cmpuint (count_skipped (&s->lanes[0]), ==, 0);
      g_assert_cmpuint (count_skipped (&s->lanes[1]), >, 0);
      if (s->agreement.skip_step != late_at)
        g_error ("one lane alone skips step %u first, but step %u is told", (guint) late_at,
                 (guint) s->agreement.skip_step);
      g_assert_cmpfloat (s->agreement.weights_delta_max, >, 0);
      g_assert_false (s->agreement.precisions);
    }
}

/* Adam's step number, which skipped steps don't count to, goes along: else the weights would differ. */
static void
test_joins (void)
{
  g_autoptr (LsOptions) options = fp16_options (LS_OPTIMIZER_ADAM);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL;

  fake.fail_at = 12;
  c = start_lanes (options, hasty_backend (), &fake_backend, NULL);
  broken = run_to (c, 205);
  g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (broken->lanes[0].scale.skipped, >=, 2);
  retry_at_rest (c);
  s = run_to (c, 263);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_READY);
  assert_same_scale (s);
  g_assert_cmpuint (s->lanes[1].scale.skipped, ==, broken->lanes[0].scale.skipped);
  g_assert_cmpuint (s->agreement.weights_step, ==, 263);
  g_assert_cmpfloat (s->agreement.weights_delta_max, ==, 0);
}

/* A step that is recorded finer, too, is done twice, and counts once. Its gradients are kept without the
 * scale. */
static void
test_recorded (void)
{
  g_autoptr (LsOptions) options = fp16_options (LS_OPTIMIZER_SGD);
  g_autoptr (LsCoordinator) c = start_lanes (options, &ls_backend_cpu, &ls_backend_reference, NULL);
  g_autoptr (LsSnapshot) s = NULL;
  const LsRecordedShape *shape;
  const float *values;

  ls_coordinator_run_recorded (c, 30);
  s = finish (c);
  g_assert_nonnull (s->recording);
  g_assert_nonnull (s->recording->lanes[0].finer);
  assert_same_scale (s);
  g_assert_cmpuint (s->lanes[0].scale.good, ==, 30);
  for (guint l = 0; l < 2; l++)
    {
      values = ls_recording_values (s->recording, l, "dz3", &shape);
      g_assert_nonnull (values);
      for (gint64 i = 0; i < ls_recorded_shape_count (shape); i++)
        g_assert_true (fabsf (values[i]) <= 1.0f / (float) options->batch);
    }
}

/* Numbers that fp16 doesn't reach stop the lane, with what to do. */
static void
test_not_finite (void)
{
  g_autoptr (LsOptions) options = fp16_options (LS_OPTIMIZER_SGD);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  g_free (options->model);
  options->model = g_strdup ("flatten, dense 8, relu, dense 8, dense 2");
  options->lr = 1e5;
  c = start_lanes (options, &ls_backend_cpu, NULL, NULL);
  s = run_to (c, 50);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_nonnull (strstr (s->lanes[0].message, "fp16 ends at 65504: use a smaller learning rate (--lr), or "
                                                 "--precision bf16."));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/skipping/alike", test_alike);
  g_test_add_func ("/skipping/one-alone", test_one_alone);
  g_test_add_func ("/skipping/joins", test_joins);
  g_test_add_func ("/skipping/recorded", test_recorded);
  g_test_add_func ("/skipping/not-finite", test_not_finite);
  return g_test_run ();
}
