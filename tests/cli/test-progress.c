/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `train` says of lanes that come, wait, are late, join, stop and get other kernels: from snapshots made
 * by hand, in a pipe and on a terminal of any width.
 */
#include "captured.h"
#include "progress_rig.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "backends/kernel_files.h"
#include "ui/report/terminal.h"

static void
say_all (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 100);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 20, 2);
  cpu->waits = TRUE;
  update (run);
  opencl->state = LS_LANE_BUILDING;
  opencl->build = build_of (1);
  update (run);
  cpu->waits = FALSE;
  cpu->steps = 60;
  opencl->overdue = TRUE;
  opencl->build->left_s = (double) NAN;
  update (run);
  update (run);
  g_clear_pointer (&opencl->build, ls_build_unref);
  trains (opencl, 75, 1.23456f);
  opencl->overdue = FALSE;
  opencl->joined = 60;
  cpu->steps = 70;
  update (run);
  update (run);
  cpu->steps = opencl->steps = 100;
  update (run);
}

static void
test_words (void)
{
  g_auto (Captured) said = capture (say_all, NULL);

  assert_lines ("lanes that come one after the other", said.out,
                "CPU: 20 steps trained; it goes on when the others are ready\n"
                "10 % of 100 steps · CPU waits after 20 steps · OpenCL: opening\n"
                "OpenCL: preparing, which includes building its kernels\n"
                "OpenCL is still getting ready; the others go on without it\n"
                "30 % of 100 steps · CPU 60 loss 2.0000 · OpenCL: compiling gemm_packed, 1 of 3 kernels\n"
                "OpenCL joined after step 60 with the weights of CPU\n"
                "72 % of 100 steps · CPU 70 loss 2.0000 · OpenCL 75 loss 1.2346\n"
                "100 % of 100 steps · CPU 100 loss 2.0000 · OpenCL 100 loss 1.2346\n");
  g_assert_cmpstr (said.err, ==, "");
}

/* How far its kernels are. */
static void
say_joined (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 100);

  trains (&run->s.lanes[0], 65, 1);
  trains (&run->s.lanes[1], 60, 2);
  run->s.lanes[0].joined = 60;
  update (run);
}

/* The first lane may be the late one: it took over the other one's weights, not its own. */
static void
test_joined (void)
{
  g_auto (Captured) said = capture (say_joined, NULL);

  assert_lines ("the first lane joins", said.out,
                "CPU joined after step 60 with the weights of OpenCL\n"
                "62 % of 100 steps · CPU 65 loss 1.0000 · OpenCL 60 loss 2.0000\n");
}

/* The CPU waits, goes on and waits once more; then OpenCL is late and joins, twice. */
static void
say_again (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 100);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 1, 2);
  trains (opencl, 1, 1);
  for (guint i = 0; i < 2; i++)
    {
      cpu->steps = opencl->steps = 1 + 20 * i;
      cpu->waits = TRUE;
      update (run);
      cpu->waits = FALSE;
      update (run);
    }
  for (guint i = 0; i < 2; i++)
    {
      opencl->overdue = TRUE;
      update (run);
      opencl->overdue = FALSE;
      opencl->joined = cpu->steps = opencl->steps = 50 + 30 * i;
      update (run);
    }
}

static void
test_again (void)
{
  g_auto (Captured) said = capture (say_again, NULL);

  assert_lines ("what happens twice", said.out,
                "CPU: 1 step trained; it goes on when the others are ready\n"
                "1 % of 100 steps · CPU waits after 1 step · OpenCL 1 loss 1.0000\n"
                "CPU: 21 steps trained; it goes on when the others are ready\n"
                "21 % of 100 steps · CPU waits after 21 steps · OpenCL 21 loss 1.0000\n"
                "OpenCL is still getting ready; the others go on without it\n"
                "OpenCL joined after step 50 with the weights of CPU\n"
                "50 % of 100 steps · CPU 50 loss 2.0000 · OpenCL 50 loss 1.0000\n"
                "OpenCL is still getting ready; the others go on without it\n"
                "OpenCL joined after step 80 with the weights of CPU\n"
                "80 % of 100 steps · CPU 80 loss 2.0000 · OpenCL 80 loss 1.0000\n");
}

static void
say_build (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 100);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  opencl->state = LS_LANE_BUILDING;
  opencl->build_done = 2;
  opencl->build_total = 5;
  trains (cpu, 20, 2);
  update (run);
  for (guint done = 0; done <= 3; done++)
    {
      g_clear_pointer (&opencl->build, ls_build_unref);
      opencl->build = build_of (done);
      opencl->build->left_s = done == 0 ? .3 : 71.6;
      cpu->steps += 20;
      update (run);
    }
}

static void
test_build (void)
{
  g_auto (Captured) said = capture (say_build, NULL);

  assert_lines (
    "a lane that builds", said.out,
    "OpenCL: preparing, which includes building its kernels\n"
    "10 % of 100 steps · CPU 20 loss 2.0000 · OpenCL: 2 of 5 kernels built\n"
    "20 % of 100 steps · CPU 40 loss 2.0000 · OpenCL: compiling relu, 0 of 3 kernels, about 1 s left\n"
    "30 % of 100 steps · CPU 60 loss 2.0000 · OpenCL: compiling gemm_packed, 1 of 3 kernels, about 72 s "
    "left\n"
    "40 % of 100 steps · CPU 80 loss 2.0000 · OpenCL: compiling relu, 2 of 3 kernels, about 72 s left\n"
    "50 % of 100 steps · CPU 100 loss 2.0000 · OpenCL: 3 of 3 kernels built\n");
}

/* OpenCL builds for ten minutes; then both lanes do a hundred steps in a second, and three hundred in the
 * next. */
static void
say_left (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 1000);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 10, 2);
  opencl->state = LS_LANE_BUILDING;
  update (run);
  run->s.time_ns += 600000000000u;
  trains (opencl, 10, 3);
  update (run);
  run->s.time_ns += 1000000000u;
  cpu->steps = opencl->steps = 110;
  update (run);
  run->s.time_ns += 400000000u; /* too soon to take the speed anew */
  cpu->steps = opencl->steps = 220;
  update (run);
  run->s.time_ns += 600000000u;
  cpu->steps = 310;
  opencl->steps = 510;
  update (run);
  cpu->steps = opencl->steps = 1000;
  update (run);
}

/* Nobody knows how long a driver builds: no time is told from that. */
static void
test_time_left (void)
{
  g_auto (Captured) said = capture (say_left, NULL);

  assert_lines ("the time left", said.out,
                "OpenCL: preparing, which includes building its kernels\n"
                "0 % of 1000 steps · CPU 10 loss 2.0000 · OpenCL: preparing\n"
                "11 % of 1000 steps · CPU 110 loss 2.0000 · OpenCL 110 loss 3.0000 · 9 s left\n"
                "22 % of 1000 steps · CPU 220 loss 2.0000 · OpenCL 220 loss 3.0000 · 8 s left\n"
                "41 % of 1000 steps · CPU 310 loss 2.0000 · OpenCL 510 loss 3.0000 · 4 s left\n"
                "100 % of 1000 steps · CPU 1000 loss 2.0000 · OpenCL 1000 loss 3.0000\n");
}

/* Of both lanes, from step 10 on; ms: from one look to the next, 0: there is none. */
typedef struct {
  guint target, steps[5], ms[5];
} Course;

static void
say_course (gconstpointer data)
{
  const Course *course = data;
  g_autoptr (Run) run = run_new (2, course->target);

  trains (&run->s.lanes[0], 10, 2);
  trains (&run->s.lanes[1], 10, 3);
  update (run);
  for (guint i = 0; i < G_N_ELEMENTS (course->steps) && course->ms[i] > 0; i++)
    {
      run->s.time_ns += course->ms[i] * (guint64) 1000000;
      run->s.lanes[0].steps = run->s.lanes[1].steps = course->steps[i];
      update (run);
    }
}

/* Two hundred steps in a second, none in the next, 220 in the third; then both lanes are looked at before
 * they have done another one. A second without a step makes what is left longer, and unsettles nothing that
 * was known: of 1560 steps, at .7 · (.7 · 200 + .3 · 0) + .3 · 220 in a second; of 1200 at the same. */
static void
test_stalled (void)
{
  static const Course course = { 1000, { 110, 110, 220, 220, 400 }, { 1000, 1000, 1000, 100, 100 } };
  g_auto (Captured) said = capture (say_course, &course);

  assert_lines ("a second without a step", said.out,
                "1 % of 1000 steps · CPU 10 loss 2.0000 · OpenCL 10 loss 3.0000\n"
                "11 % of 1000 steps · CPU 110 loss 2.0000 · OpenCL 110 loss 3.0000 · 9 s left\n"
                "22 % of 1000 steps · CPU 220 loss 2.0000 · OpenCL 220 loss 3.0000 · 10 s left\n"
                "40 % of 1000 steps · CPU 400 loss 2.0000 · OpenCL 400 loss 3.0000 · 7 s left\n");
}

/* Lanes that begin anew have no speed from before: of 5960 steps, at 1400 in a second. */
static void
test_anew (void)
{
  static const Course course = { 10000, { 2010, 6010, 20, 7020 }, { 10000, 10000, 10000, 10000 } };
  g_auto (Captured) said = capture (say_course, &course);

  assert_lines ("lanes that begin anew", said.out,
                "0 % of 10000 steps · CPU 10 loss 2.0000 · OpenCL 10 loss 3.0000\n"
                "20 % of 10000 steps · CPU 2010 loss 2.0000 · OpenCL 2010 loss 3.0000 · 40 s left\n"
                "60 % of 10000 steps · CPU 6010 loss 2.0000 · OpenCL 6010 loss 3.0000 · 15 s left\n"
                "70 % of 10000 steps · CPU 7020 loss 2.0000 · OpenCL 7020 loss 3.0000 · 4 s left\n");
}

static LsLaneFacts *
facts_of (const char *edited)
{
  LsLaneFacts *facts = g_atomic_rc_box_new0 (LsLaneFacts);

  facts->device = ls_device_info_new ("opencl");
  facts->device->name = g_strdup ("Invented 9");
  facts->device->kind = LS_DEVICE_GPU;
  facts->device->units = 24;
  facts->device->driver = g_strdup ("Driver 7.1");
  if (edited != NULL)
    g_hash_table_insert (facts->device->facts, g_strdup (LS_FACT_EDITED), g_strdup (edited));
  return facts;
}

/* A lane that worked loses its device, and another never had one: each is said once. */
static void
say_parked (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 100);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 10, 2);
  trains (opencl, 10, 3);
  opencl->facts = facts_of (NULL);
  update (run);
  cpu->steps = 25;
  opencl->state = LS_LANE_FAILED;
  opencl->message = (char *) "the device is gone";
  update (run);
  update (run);
  cpu->state = LS_LANE_HUNG;
  cpu->message = (char *) "No answer came from \033[31mit\a.";
  update (run);
}

static void
test_parked (void)
{
  g_auto (Captured) said = capture (say_parked, NULL);

  assert_lines ("lanes that stop", said.err,
                "The OpenCL lane is parked: the device is gone.\n"
                "The CPU lane is parked: No answer came from \357\277\275[31mit\357\277\275.\n");
  assert_lines ("what is left of them", said.out,
                "OpenCL: Invented 9, GPU, 24 compute units, Driver 7.1\n"
                "10 % of 100 steps · CPU 10 loss 2.0000 · OpenCL 10 loss 3.0000\n"
                "25 % of 100 steps · CPU 25 loss 2.0000\n");
}

/* A lane that works and gets new kernels: the one at hand is told, from the first to the last, and how it
 * ended. */
static void
say_rebuilt (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 100);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 0, NAN);
  trains (opencl, 0, 1);
  opencl->kernels_coming = TRUE;
  opencl->build_total = 3;
  for (guint done = 0; done <= 3; done++)
    {
      opencl->build_done = done;
      opencl->steps = cpu->steps = 15 * (done + 1);
      cpu->loss = 2;
      update (run);
    }
  opencl->kernels_coming = FALSE;
  opencl->facts = facts_of ("gemm_tiled.cl");
  opencl->kernels_serial = 1;
  opencl->kernels_s = 1.26;
  opencl->rate_from = 57;
  update (run);
  opencl->kernels_serial = 2;
  opencl->kernels_message = (char *) "line 3: no such type";
  update (run);
  opencl->kernels_serial = 3;
  opencl->kernels_message = NULL;
  ls_lane_facts_unref (opencl->facts);
  opencl->facts = facts_of (NULL);
  opencl->rate_from = 59;
  update (run);
  cpu->busy_s = 12.4;
  opencl->busy_s = 21.6;
  opencl->builds = TRUE;
  cpu->steps = opencl->steps = 80;
  update (run);
}

static void
test_rebuilt (void)
{
  g_auto (Captured) said = capture (say_rebuilt, NULL);

  assert_lines ("other kernels", said.out,
                "15 % of 100 steps · CPU 15 loss 2.0000 · OpenCL 15 loss 1.0000, building 1 of 3\n"
                "30 % of 100 steps · CPU 30 loss 2.0000 · OpenCL 30 loss 1.0000, building 2 of 3\n"
                "45 % of 100 steps · CPU 45 loss 2.0000 · OpenCL 45 loss 1.0000, building 3 of 3\n"
                "60 % of 100 steps · CPU 60 loss 2.0000 · OpenCL 60 loss 1.0000, building 3 of 3\n"
                "OpenCL: kernels rebuilt in 1.3 s at step 57; edited: gemm_tiled.cl\n"
                "OpenCL: the built-in kernels are in use from step 59 on\n"
                "80 % of 100 steps · CPU 80 loss 2.0000, no answer for 12 s · OpenCL 80 loss 1.0000, "
                "building for 22 s\n");
  assert_lines ("kernels that can't be used", said.err,
                "OpenCL: the edited kernels aren’t used, those before stay: line 3: no such type.\n");
}

/* Edited kernels from the start on, and rates that stand or don't. */
static void
say_rates (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 1000);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 0, NAN);
  trains (opencl, 0, NAN);
  opencl->facts = facts_of ("relu.cl");
  update (run);
  trains (cpu, 111, .12344f);
  trains (opencl, 108, .98766f);
  cpu->rate = rate_of (143278.4, 49);
  opencl->rate = rate_of (9876.6, 50);
  update (run);
}

static void
test_rates (void)
{
  g_auto (Captured) said = capture (say_rates, NULL);

  assert_lines ("rates", said.out,
                "OpenCL: Invented 9, GPU, 24 compute units, Driver 7.1\n"
                "OpenCL: edited kernels: relu.cl\n"
                "10 % of 1000 steps · CPU 111 loss 0.1234, 143278 samples/s so far · OpenCL 108 loss 0.9877, "
                "9877 samples/s\n");
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
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/progress/words", test_words);
  g_test_add_func ("/cli/progress/joined", test_joined);
  g_test_add_func ("/cli/progress/again", test_again);
  g_test_add_func ("/cli/progress/build", test_build);
  g_test_add_func ("/cli/progress/time-left", test_time_left);
  g_test_add_func ("/cli/progress/stalled", test_stalled);
  g_test_add_func ("/cli/progress/anew", test_anew);
  g_test_add_func ("/cli/progress/parked", test_parked);
  g_test_add_func ("/cli/progress/rebuilt", test_rebuilt);
  g_test_add_func ("/cli/progress/rates", test_rates);
  g_test_add_func ("/cli/progress/figures", test_figures);
  g_test_add_func ("/cli/progress/durations", test_durations);
  return g_test_run ();
}
