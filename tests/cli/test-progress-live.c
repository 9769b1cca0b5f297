/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line that `train` rewrites on a terminal, of any width; and what is said of other work and of reading,
 * there and in a pipe, by a clock that is played.
 */
#include "captured.h"
#include "progress_rig.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "ui/report/terminal.h"

static void
say_live (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 1000);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 411, .12344f);
  trains (opencl, 408, .98766f);
  cpu->rate = rate_of (143278.4, 99);
  opencl->rate = rate_of (9876.6, 50);
  update (run);
}

#define ERASE "\r\033[K"

/* A lane that waits for one that builds. */
static void
say_live_build (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 1000);

  trains (&run->s.lanes[0], 411, .12344f);
  run->s.lanes[0].waits = TRUE;
  run->s.lanes[1].state = LS_LANE_BUILDING;
  run->s.lanes[1].build = build_of (1);
  update (run);
}

/* As much is said as the terminal is wide: whole sentences beside a bar, short ones, and what is cut. */
static void
test_live (void)
{
  static const struct {
    guint columns;
    const char *line;
  } rows[] = {
    { 160, "[################------------------------]  40 % of 1000 steps · CPU 411 loss 0.1234, 143278 "
           "samples/s · OpenCL 408 loss "
           "0.9877, 9877 samples/s" },
    { 80, "[#########-------------] 408 of 1000 · CPU 0.1234 143k/s · OpenCL 0.9877 9877/s" },
    { 60, "[######----------] 408 of 1000 · CPU 0.1234 · OpenCL 0.9877" },
    { 40, " 408 of 1000 · CPU 0.1234 · OpenCL 0.98" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *said = capture_on_terminal (rows[i].columns, say_live, NULL),
                      *what = g_strdup_printf ("on %u columns", rows[i].columns),
                      *expected = g_strconcat (ERASE, rows[i].line, ERASE, NULL);
      assert_lines (what, said, expected);
      g_assert_cmpint (ls_text_width (rows[i].line), <, (gint) rows[i].columns);
    }
}

/* The CPU waits; goes on without OpenCL, which is late; and is joined by it. */
static void
say_live_late (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 1000);
  LsLaneSnapshot *cpu = &run->s.lanes[0], *opencl = &run->s.lanes[1];

  trains (cpu, 100, .5f);
  trains (opencl, 100, .25f);
  cpu->waits = TRUE;
  update (run);
  cpu->waits = FALSE;
  opencl->overdue = TRUE;
  update (run);
  update (run);
  opencl->overdue = FALSE;
  opencl->joined = 100;
  update (run);
  update (run);
}

#define BAR "[#---------------] 100 of 1000 · CPU 0.5000 · OpenCL 0.2500"

/* A sentence takes the place of the bar, which is drawn anew below it; that a lane waits stands in the bar.
 */
static void
test_live_late (void)
{
  g_autofree char *said = capture_on_terminal (60, say_live_late, NULL);

  assert_lines ("a lane that is late, on a terminal", said,
                ERASE BAR ERASE
                "OpenCL is still getting ready; the others go on without it\r\n" ERASE BAR ERASE BAR ERASE
                "OpenCL joined after step 100 with the weights of CPU\r\n" ERASE BAR ERASE BAR ERASE);
}

static double rates[2];

static void
say_rates (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 1000);

  for (guint i = 0; i < 2; i++)
    {
      trains (&run->s.lanes[i], 400, .5f);
      run->s.lanes[i].rate = rate_of (rates[i], 99);
    }
  update (run);
}

/* From ten thousand on rates are told in thousands. */
static void
test_live_rates (void)
{
  static const struct {
    double rates[2];
    const char *words;
  } rows[] = { { { 9999, 10000 }, "CPU 0.5000 9999/s · OpenCL 0.5000 10k/s" },
               { { 12499, 1 }, "CPU 0.5000 12k/s · OpenCL 0.5000 1/s" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      memcpy (rates, rows[i].rates, sizeof rates);
      g_autofree char *said = capture_on_terminal (80, say_rates, NULL);
      if (strstr (said, rows[i].words) == NULL)
        g_error ("of %g and %g samples/s it says “%s”", rates[0], rates[1], said);
    }
}

static void
test_live_build (void)
{
  static const struct {
    guint columns;
    const char *line;
  } rows[] = {
    { 160, "[########--------------------------------]  20 % of 1000 steps · CPU waits after 411 steps · "
           "OpenCL: compiling gemm_packed, "
           "1 of 3 kernels, about 2 s left" },
    { 95, "[##------------] 411 of 1000 · CPU waits after 411 steps · OpenCL: compiling, 1 of 3, 2 s left" },
    { 75, "[######------------------------] 411 of 1000 · CPU 0.1234 · OpenCL: 1 of 3" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *said = capture_on_terminal (rows[i].columns, say_live_build, NULL),
                      *what = g_strdup_printf ("a build on %u columns", rows[i].columns),
                      *expected = g_strconcat (ERASE, rows[i].line, ERASE, NULL);
      assert_lines (what, said, expected);
    }
}

static const Run *shown;

static void
say_shown (gconstpointer data)
{
  g_autoptr (LsProgress) progress = ls_progress_new ();

  ls_progress_update (progress, &shown->s);
}

/* Of any steps on any terminal: one line that fits, whose bar is as full as the steps are done. */
static void
test_any_width (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (Run) run = run_new (2, 1000);
  guint bars = 0;

  shown = run;
  for (guint i = 0; i < 100; i++)
    {
      const guint columns = (guint) g_rand_int_range (rand, 20, 200);

      for (guint lane = 0; lane < 2; lane++)
        {
          trains (&run->s.lanes[lane], (guint64) g_rand_int_range (rand, 1, 1001), 1);
          run->s.lanes[lane].rate = rate_of (g_rand_double_range (rand, 1, 1e6),
                                             (guint64) g_rand_int_range (rand, 0, 100));
        }
      g_autofree char *said = capture_on_terminal (columns, say_shown, NULL);
      g_auto (GStrv) parts = g_strsplit (said, ERASE, -1);
      const double share = (double) (run->s.lanes[0].steps + run->s.lanes[1].steps) / 2000;
      const guint64 least = MIN (run->s.lanes[0].steps, run->s.lanes[1].steps);
      const char *line = parts[1];

      g_assert_cmpuint (g_strv_length (parts), ==, 3);
      if (ls_text_width (line) >= (gint) columns)
        g_error ("a line of %d columns is written on a terminal of %u: “%s”", ls_text_width (line), columns,
                 line);
      if (*line == '[')
        {
          const gsize full = strspn (line + 1, "#"), empty = strspn (line + 1 + full, "-");
          if (full != (gsize) (share * (double) (full + empty)) || line[1 + full + empty] != ']'
              || full + empty < 10 || full + empty > 40)
            g_error ("a share of %.3f is drawn as “%.*s”", share, (int) (full + empty + 2), line);
          line += full + empty + 2;
          bars++;
        }
      g_autofree char *percent = g_strdup_printf (" %3.0f %% of 1000 steps · ", floor (100 * share)),
                      *count = g_strdup_printf (" %" G_GUINT64_FORMAT " of 1000 · ", least);
      if (!g_str_has_prefix (line, percent) && !g_str_has_prefix (line, count))
        g_error ("the line begins “%.30s”, and should begin “%s” or “%s”", line, percent, count);
    }
  g_assert_cmpuint (bars, >, 60);
}

/* What is said beside the line takes it away first, and the end, too. */
static void
say_over (gconstpointer data)
{
  g_autoptr (Run) run = run_new (2, 100);

  trains (&run->s.lanes[0], 40, 1);
  trains (&run->s.lanes[1], 60, 2);
  update (run);
  run->s.lanes[0].state = LS_LANE_FAILED;
  run->s.lanes[0].message = (char *) "It is gone.";
  update (run);
}

static void
test_over (void)
{
  g_autofree char *said = capture_on_terminal (90, say_over, NULL);

  assert_lines (
    "a sentence over the line", said,
    ERASE "[###########------------]  50 % of 100 steps · CPU 40 loss 1.0000 · OpenCL 60 loss 2.0000" ERASE
          "The CPU lane is parked: It is gone.\r\n" ERASE
          "[########################----------------]  60 % of 100 steps · OpenCL 60 loss 2.0000" ERASE);
}

/* ---- other work, and reading ---- */

static gint64 now_us;

gint64 __wrap_g_get_monotonic_time (void);

gint64
__wrap_g_get_monotonic_time (void)
{
  return now_us;
}

static void
say_parts (gconstpointer data)
{
  g_autoptr (LsProgress) progress = ls_progress_new ();
  static const struct {
    gint64 at_ms;
    const char *words;
    guint done, total;
  } told[] = {
    { 0, "training", 0, 8 },    { 50, "training", 1, 8 },  { 99, "training", 2, 8 },
    { 100, "training", 3, 8 },  { 199, "training", 4, 8 }, { 201, "training", 7, 8 },
    { 202, "looking", 0, 0 },   { 203, "looking", 5, 0 },  { 310, "looking", 12, 12 },
    { 311, "looking", 12, 12 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      now_us = 5000000 + 1000 * told[i].at_ms;
      ls_progress_part (progress, told[i].words, told[i].done, told[i].total);
    }
}

/* New words at once, the same ones with their share every tenth of a second on a terminal, else once. */
static void
test_parts (void)
{
  g_auto (Captured) piped = capture (say_parts, NULL);
  g_autofree char *live = capture_on_terminal (80, say_parts, NULL);

  assert_lines ("work in a pipe", piped.out, "training\nlooking\n");
  assert_lines ("work on a terminal", live,
                ERASE "[----------] training, 0 %" ERASE "[###-------] training, 37 %" ERASE
                      "[########--] training, 87 %" ERASE "[----------] looking, 0 %" ERASE
                      "[##########] looking, 100 %" ERASE);
}

/* Three files, one after the other; the second is read within the second that nobody has to be told of. */
static void
say_reading (gconstpointer data)
{
  static const struct {
    gint64 at_ms;
    double done;
  } told[] = {
    { 0, 0 },        { 999, .125 },   { 1000, .25 },    { 1099, .375 }, { 1100, .375 }, { 1300, .390625 },
    { 1500, .4375 }, { 1501, 1 },     { 2000, .25 },    { 2900, .75 },  { 2950, 1 },    { 4000, .5 },
    { 4999, .5 },    { 5000, .5625 }, { 5100, .96875 }, { 5100, 1 },
  };
  LsDataRequest request = { 0 };

  ls_progress_of_reading (&request);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      now_us = 7000000 + 1000 * told[i].at_ms;
      request.progress (told[i].done, request.progress_data);
    }
}

/* From the second second on, every tenth of one: each new tenth of the way in a pipe, any share on a
 * terminal, whose line is gone once all is read. */
static void
test_reading (void)
{
  g_auto (Captured) piped = capture (say_reading, NULL);
  g_autofree char *live = capture_on_terminal (80, say_reading, NULL);

  assert_lines ("reading in a pipe", piped.out,
                "Reading the data: 25 %\nReading the data: 37 %\nReading the data: 43 %\n"
                "Reading the data: 56 %\nReading the data: 96 %\n");
  assert_lines ("reading on a terminal", live,
                ERASE
                "[##--------] reading the data, 25 %" ERASE "[###-------] reading the data, 37 %" ERASE
                "[###-------] reading the data, 39 %" ERASE "[####------] reading the data, 43 %" ERASE ERASE
                "[#####-----] reading the data, 56 %" ERASE "[#########-] reading the data, 96 %" ERASE);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/progress-live/widths", test_live);
  g_test_add_func ("/cli/progress-live/widths-rates", test_live_rates);
  g_test_add_func ("/cli/progress-live/build", test_live_build);
  g_test_add_func ("/cli/progress-live/late", test_live_late);
  g_test_add_func ("/cli/progress-live/any-width", test_any_width);
  g_test_add_func ("/cli/progress-live/over", test_over);
  g_test_add_func ("/cli/progress-live/parts", test_parts);
  g_test_add_func ("/cli/progress-live/reading", test_reading);
  return g_test_run ();
}
