/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `train` says of lanes that come, wait, are late and join, and at the end: from snapshots made by hand,
 * as it is printed where no terminal rewrites its line.
 */
#include <math.h>

#include "ui/cli/progress.h"
#include "ui/report/report.h"
#include "ui/report/terminal.h"

static LsBuild *
build_of (guint done)
{
  LsBuild *build = ls_build_new (4);

  build->total = 3;
  build->done = done;
  build->left_s = 2.2;
  for (guint i = 0; i < 3; i++)
    build->ops[i] = (LsOpBuild){ .state = i < done    ? LS_BUILD_DONE
                                          : i == done ? LS_BUILD_RUNNING
                                                      : LS_BUILD_TO_COME,
                                 .kernel = "gemm_packed",
                                 .same_as = -1 };
  return build;
}

static void
say_all (void)
{
  LsProgress *progress = ls_progress_new ();
  LsSnapshot s = { .n_lanes = 2, .target = 100, .time_ns = 1 };
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLaneSpec *cpu = ls_lane_spec_of_backend (options, &ls_backend_cpu),
             *opencl = ls_lane_spec_of_backend (options, &ls_backend_opencl);

  s.lanes[0] = (LsLaneSnapshot){ .spec = cpu, .state = LS_LANE_READY, .steps = 20, .loss = 2, .waits = TRUE };
  s.lanes[1] = (LsLaneSnapshot){ .spec = opencl, .state = LS_LANE_BUILDING, .build = build_of (1) };
  ls_progress_update (progress, &s);
  s.lanes[0].waits = FALSE;
  s.lanes[0].steps = 60;
  s.lanes[1].overdue = TRUE;
  s.lanes[1].build->left_s = (double) NAN;
  ls_progress_update (progress, &s);
  ls_progress_update (progress, &s);
  ls_build_unref (s.lanes[1].build);
  s.lanes[1]
    = (LsLaneSnapshot){ .spec = opencl, .state = LS_LANE_READY, .steps = 70, .joined = 60, .loss = 1 };
  s.lanes[0].steps = 70;
  ls_progress_update (progress, &s);
  ls_progress_free (progress);
  ls_lane_spec_unref (cpu);
  ls_lane_spec_unref (opencl);
}

static void
test_words (void)
{
  if (g_test_subprocess ())
    {
      say_all ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*CPU: 20 steps trained; it goes on when the others are ready\n*");
  g_test_trap_assert_stdout ("*10 % of 100 steps * CPU waits after 20 steps * OpenCL: compiling gemm_packed, "
                             "1 of 3 kernels, about 2 s left*");
  g_test_trap_assert_stdout ("*OpenCL is still getting ready; the others go on without it\n*");
  g_test_trap_assert_stdout_unmatched ("*still getting ready*still getting ready*");
  g_test_trap_assert_stdout ("*OpenCL: compiling gemm_packed, 1 of 3 kernels\n*");
  g_test_trap_assert_stdout ("*OpenCL joined after step 60 with the weights of CPU\n*");
}

/* OpenCL builds for ten minutes; then both lanes do a hundred steps in a second. */
static void
say_left (void)
{
  LsProgress *progress = ls_progress_new ();
  LsSnapshot s = { .n_lanes = 2, .target = 1000, .time_ns = 1 };
  g_autoptr (LsOptions) options = ls_options_new ();

  s.lanes[0] = (LsLaneSnapshot){
    .spec = ls_lane_spec_of_backend (options, &ls_backend_cpu), .state = LS_LANE_READY, .steps = 10, .loss = 2
  };
  s.lanes[1] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (options, &ls_backend_opencl),
                                 .state = LS_LANE_BUILDING };
  ls_progress_update (progress, &s);
  s.time_ns += 600000000000u;
  s.lanes[1].state = LS_LANE_READY;
  s.lanes[1].steps = 10;
  ls_progress_update (progress, &s);
  s.time_ns += 1000000000u;
  s.lanes[0].steps = s.lanes[1].steps = 110;
  ls_progress_update (progress, &s);
  ls_progress_free (progress);
  for (guint i = 0; i < 2; i++)
    ls_lane_spec_unref (s.lanes[i].spec);
}

/* Nobody knows how long a driver builds: no time is told from that. */
static void
test_time_left (void)
{
  if (g_test_subprocess ())
    {
      say_left ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout_unmatched ("*0 % of 1000 steps * left*11 %*");
  g_test_trap_assert_stdout ("*11 % of 1000 steps * 9 s left*");
}

/* A lane that worked loses its device: that is said, too, and once. */
static void
say_parked (void)
{
  LsProgress *progress = ls_progress_new ();
  LsSnapshot s = { .n_lanes = 1, .target = 100, .time_ns = 1 };
  g_autoptr (LsOptions) options = ls_options_new ();

  s.lanes[0] = (LsLaneSnapshot){
    .spec = ls_lane_spec_of_backend (options, &ls_backend_cpu), .state = LS_LANE_READY, .steps = 10, .loss = 2
  };
  ls_progress_update (progress, &s);
  s.lanes[0].state = LS_LANE_FAILED;
  s.lanes[0].message = (char *) "the device is gone.";
  ls_progress_update (progress, &s);
  ls_progress_update (progress, &s);
  ls_progress_free (progress);
  ls_lane_spec_unref (s.lanes[0].spec);
}

static void
test_parked (void)
{
  if (g_test_subprocess ())
    {
      say_parked ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*The CPU lane is parked: the device is gone.\n*");
  g_test_trap_assert_stderr_unmatched ("*is parked*is parked*");
}

/* A lane that works and gets new kernels: the one at hand is told, from the first to the last. */
static void
say_rebuilt (void)
{
  LsProgress *progress = ls_progress_new ();
  LsSnapshot s = { .n_lanes = 1, .target = 100, .time_ns = 1 };
  g_autoptr (LsOptions) options = ls_options_new ();

  s.lanes[0] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (options, &ls_backend_opencl),
                                 .state = LS_LANE_READY,
                                 .kernels_coming = TRUE,
                                 .build_total = 3,
                                 .loss = 1 };
  for (guint done = 0; done <= 3; done++)
    {
      s.lanes[0].build_done = done;
      s.lanes[0].steps = 20 * (done + 1);
      ls_progress_update (progress, &s);
    }
  ls_progress_free (progress);
  ls_lane_spec_unref (s.lanes[0].spec);
}

static void
test_rebuilt (void)
{
  if (g_test_subprocess ())
    {
      say_rebuilt ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout (
    "*20 %*building 1 of 3*40 %*building 2 of 3*60 %*building 3 of 3*80 %*building 3 of 3*");
}

static LsEvaluation *
evaluation_of (guint wrong)
{
  LsEvaluation *evaluation = ls_evaluation_new (10, 10, 1);

  evaluation->steps = 50;
  for (guint i = 0; i < 10; i++)
    ls_evaluation_put (evaluation, i, i < wrong ? 9 - i : i, i, .9f, .1f);
  return evaluation;
}

/* Of three lanes, of which the second says most that the first doesn't. */
static void
say_answers (void)
{
  LsSnapshot s = { .n_lanes = 3, .target = 50, .agreement = { .losses_compared = 50 } };
  g_autoptr (LsOptions) options = s.options = ls_options_new ();
  static const guint wrong[] = { 0, 4, 1 };

  for (guint i = 0; i < 3; i++)
    s.lanes[i] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (options, &ls_backend_cpu),
                                   .state = LS_LANE_READY,
                                   .steps = 50,
                                   .loss = 1,
                                   .accuracy = .5,
                                   .evaluation = evaluation_of (wrong[i]) };
  ls_report_print (&s);
  for (guint i = 0; i < 3; i++)
    {
      ls_evaluation_unref (s.lanes[i].evaluation);
      ls_lane_spec_unref (s.lanes[i].spec);
    }
}

static void
test_answers (void)
{
  if (g_test_subprocess ())
    {
      say_answers ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*at step 1, 4 of 10 answers differ.*");
}

/* Two values have a middle half, one has none. */
static void
test_figures (void)
{
  static const char *const texts[] = { "–", "2.500", "2.500 [2.000 … 3.000]", "2.500 [2.000 … 3.000]" };

  for (guint n = 0; n < G_N_ELEMENTS (texts); n++)
    {
      const LsFigure figure = { 2.5, "s", LS_EVIDENCE_MEASURED, n, 2, 3 };
      g_autofree char *text = ls_figure_text (&figure);
      g_assert_cmpstr (text, ==, texts[n]);
    }
}

static void
test_durations (void)
{
  static const struct {
    double seconds;
    const char *text;
  } rows[]
    = { { -3, "0 s" },         { 59.4, "59 s" },       { 59.6, "1 min 0 s" },  { 3599.4, "59 min 59 s" },
        { 3600, "1 h 0 min" }, { 4500, "1 h 15 min" }, { 90061, "25 h 1 min" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ls_duration_text (rows[i].seconds);
      g_assert_cmpstr (text, ==, rows[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/progress/words", test_words);
  g_test_add_func ("/cli/progress/time-left", test_time_left);
  g_test_add_func ("/cli/progress/parked", test_parked);
  g_test_add_func ("/cli/progress/rebuilt", test_rebuilt);
  g_test_add_func ("/cli/progress/answers", test_answers);
  g_test_add_func ("/cli/progress/figures", test_figures);
  g_test_add_func ("/cli/progress/durations", test_durations);
  return g_test_run ();
}
