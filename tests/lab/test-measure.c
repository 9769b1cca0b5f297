/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the lanes are asked when a spot is measured, and what is made of what they answer: who takes part, in
 * which order, with which options of its own, and which rates come of it. On played lanes (played.h).
 */
#include "config.h"

#include <string.h>

#include "core/error.h"
#include "lab/measure.h"
#include "played.h"
#include "rig.h"

#define ROUNDS 3

typedef struct {
  LsLabLanes lanes;
  LsLabResult *result;
  LsLabPoint points[LS_MAX_LANES];
  GError *errors[LS_MAX_LANES];
} Measured;

static void
measured_init (Measured *m, const LsExperiment *experiment, const char *list, const char *no,
               const char *ends)
{
  g_autoptr (LsOptions) options = rig_options (list);

  *m = (Measured){ 0 };
  played_begin (no, ends);
  played_lanes (&m->lanes, list);
  m->result = ls_lab_result_new (experiment, options, NULL);
  m->result->rounds = ROUNDS;
}

static void
forget_errors (Measured *m)
{
  for (guint i = 0; i < LS_MAX_LANES; i++)
    g_clear_error (&m->errors[i]);
}

/* What it says is (transfer full). */
static char *
measure_at (Measured *m, guint x, double seconds)
{
  forget_errors (m);
  g_free (played_book ());
  ls_lab_measure (&m->lanes, m->result, (LsLabSpot){ x, 0 }, seconds, m->points, m->errors);
  return played_book ();
}

/* As lab.c keeps it: the next spot knows of it. */
static void
keep (Measured *m, guint x)
{
  for (guint i = 0; i < m->lanes.specs->len; i++)
    if (m->points[i].rate.n > 0)
      ls_lab_result_add (m->result, i, &m->points[i]);
    else if (m->errors[i] != NULL)
      ls_lab_result_add_missing (m->result, i, (LsLabSpot){ x, 0 }, m->errors[i]->message);
}

static void
measured_clear (Measured *m)
{
  forget_errors (m);
  ls_lab_lanes_clear (&m->lanes);
  ls_lab_result_unref (m->result);
}

/* One turn of each lane after the other, and so again; whoever fails has no further one, and a lane that
 * isn't there none at all. */
static void
test_turns (void)
{
  LsLabLanes lanes;
  GArray *times[3];
  GError *errors[3] = { NULL };

  played_begin ("opencl run", NULL);
  played_lanes (&lanes, "cpu,opencl,reference");
  for (guint i = 0; i < 3; i++)
    {
      times[i] = g_array_new (FALSE, FALSE, sizeof (double));
      g_assert_true (ls_lab_lane_here (&lanes, i, &errors[i]));
      g_assert_true (ls_lab_child_prepare (lanes.children[i], "step\tmlp\tmnist\t8", 60, NULL, &errors[i]));
    }
  ls_lab_take_turns (lanes.children, 3, .25, 3, 60, times, errors);
  g_autofree char *book = played_book ();
  g_assert_cmpstr (strstr (book, "cpu run"), ==,
                   "cpu run 0.25\nopencl run 0.25\nreference run 0.25\n"
                   "cpu run 0.25\nreference run 0.25\ncpu run 0.25\nreference run 0.25\n");
  g_assert_no_error (errors[0]);
  g_assert_nonnull (errors[1]);
  g_assert_cmpstr (errors[1]->message, ==, "not run 0.25");
  g_assert_cmpuint (times[0]->len, ==, 9);
  g_assert_cmpuint (times[1]->len, ==, 0);
  g_assert_cmpfloat (g_array_index (times[2], double, 0), ==, played_us ("reference", 8, 1, 0));
  g_clear_error (&errors[1]);
  g_clear_pointer (&lanes.children[0], ls_lab_child_free);
  played_begin (NULL, NULL);
  ls_lab_take_turns (lanes.children, 3, .5, 1, 60, times, errors);
  g_autofree char *again = played_book ();
  g_assert_cmpuint (times[0]->len, ==, 9);
  g_assert_null (strstr (again, "cpu"));
  for (guint i = 0; i < 3; i++)
    {
      g_clear_error (&errors[i]);
      g_array_unref (times[i]);
    }
  ls_lab_lanes_clear (&lanes);
}

/* The time is all lanes' and all rounds'; each lane's rate is of its own times, and of what a step does. */
static void
test_rates (void)
{
  static const struct {
    const LsExperiment *experiment;
    guint x;
    double amount, prepared;
    const char *unit;
  } rows[] = { { &ls_experiment_batch, 16, 16, 16, "samples/s" },
               { &ls_experiment_width, 256, 128, 128, "samples/s" },
               { &ls_experiment_size, 512, .268435456, 512, "GFLOP/s" }, /* 2·512³, in billions */
               { &ls_experiment_flight, 8, 1, 8, "loads/s" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Measured m;

      measured_init (&m, rows[i].experiment, "cpu,opencl", NULL, NULL);
      g_autofree char *book = measure_at (&m, rows[i].x, 1.5);
      g_assert_true (g_str_has_suffix (book, "cpu run 0.25\nopencl run 0.25\ncpu run 0.25\nopencl run 0.25\n"
                                             "cpu run 0.25\nopencl run 0.25\n"));
      for (guint lane = 0; lane < 2; lane++)
        {
          const char *name = lane == 0 ? "cpu" : "opencl";

          g_assert_no_error (m.errors[lane]);
          g_assert_cmpfloat (m.points[lane].x, ==, rows[i].x);
          g_assert_cmpuint (m.points[lane].y, ==, 0);
          g_assert_cmpuint (m.points[lane].plain.n, ==, 0);
          played_rate (rows[i].experiment->name, &m.points[lane].rate, rows[i].amount,
                       played_us (name, rows[i].prepared, PLAYED_THREADS, 0), ROUNDS, rows[i].unit);
        }
      measured_clear (&m);
    }
}

/* Only a lane whose option it is, and that has none of its own, gets the size; the others have no point, and
 * say why at the first size alone. */
static void
test_option (void)
{
  Measured m;

  measured_init (&m, &ls_experiment_edge, "cpu,opencl,packed=opencl(kernel=packed),eight=opencl(tile-edge=8)",
                 NULL, NULL);
  for (guint x = 16; x <= 32; x *= 2)
    {
      g_autofree char *book = measure_at (&m, x, 1);
      g_autofree char *edge = g_strdup_printf ("opencl set kernel tiled\nopencl set tile-edge %u\n", x);

      g_assert_nonnull (strstr (book, edge)); /* the rung first: without it the edge is nothing */
      g_assert_cmpuint (m.points[1].rate.n, ==, 3 * ROUNDS);
      g_assert_no_error (m.errors[1]);
      for (guint lane = 0; lane < 4; lane++)
        if (lane != 1)
          {
            g_assert_cmpuint (m.points[lane].rate.n, ==, 0);
            if (x > 16)
              g_assert_no_error (m.errors[lane]);
            else
              g_assert_cmpstr (m.errors[lane]->message, ==, "The edge of its tiles can’t be set.");
          }
      if (x == 32)
        {
          g_auto (GStrv) opened = g_strsplit (book, " open ", -1), set = g_strsplit (book, " set ", -1);

          g_assert_cmpuint (g_strv_length (opened), ==, 1 + 1); /* one lane, once for both sizes, */
          g_assert_cmpuint (g_strv_length (set), ==, 1 + 4);    /* and nobody else was asked */
        }
      keep (&m, x);
    }
  measured_clear (&m);
}

/* A recorded step has as many events as the lane tells, beside plain steps; a lane that no wish for tiles
 * reaches is recorded once, as it is. */
static void
test_recorded (void)
{
  Measured m;

  measured_init (&m, &ls_experiment_events, "cpu,opencl", NULL, NULL);
  for (guint x = 4; x <= 8; x *= 2)
    {
      g_autofree char *book = measure_at (&m, x, 2);
      const double cpu = played_us ("cpu", 128, PLAYED_THREADS, x),
                   opencl = played_us ("opencl", 128, PLAYED_THREADS, 0);

      g_assert_nonnull (strstr (book, x == 4 ? "cpu set tiles-per-op 4\n" : "cpu set tiles-per-op 8\n"));
      g_assert_null (strstr (book, "opencl set"));
      g_assert_null (strstr (book, " run ")); /* recorded and plain ones in turn is the lane's own work */
      g_assert_nonnull (strstr (book, "cpu record 1\n"));
      g_assert_no_error (m.errors[0]);
      g_assert_no_error (m.errors[1]);
      g_assert_cmpfloat (m.points[0].x, ==, PLAYED_EVENTS + x);
      played_rate ("recorded", &m.points[0].rate, 128, PLAYED_RECORDED * cpu, 1, "samples/s");
      played_rate ("plain", &m.points[0].plain, 128, cpu, 1, "samples/s");
      if (x == 4)
        {
          g_assert_cmpfloat (m.points[1].x, ==, PLAYED_EVENTS);
          played_rate ("recorded", &m.points[1].rate, 128, PLAYED_RECORDED * opencl, 1, "samples/s");
        }
      else
        g_assert_cmpuint (m.points[1].rate.n, ==, 0);
      keep (&m, x);
    }
  measured_clear (&m);
}

/* A lane that can't be prepared, or not with that size, isn't recorded as it was before; the other one is. */
static void
test_not_recorded (void)
{
  static const char *const no[] = { "cpu prepare step", "cpu set tiles-per-op" };

  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    {
      Measured m;

      measured_init (&m, &ls_experiment_events, "cpu,opencl", no[i], NULL);
      g_autofree char *book = measure_at (&m, 4, 2);

      if (strstr (book, "cpu record") != NULL)
        g_error ("a lane that said no to “%s” is recorded all the same", no[i]);
      g_assert_nonnull (m.errors[0]);
      g_assert_cmpuint (m.points[0].rate.n, ==, 0);
      g_assert_no_error (m.errors[1]);
      g_assert_cmpfloat (m.points[1].x, ==, PLAYED_EVENTS);
      measured_clear (&m);
    }
}

static guint
count (const char *book, const char *words)
{
  guint n = 0;

  for (; (book = strstr (book, words)) != NULL; book++)
    n++;
  return n;
}

/* Each number of threads is a process of its own, for OpenCL by its environment; a lane with a number of its
 * own has a point there alone, and no lane has more than it has. A device that took another number has no
 * point, nor at any further one. */
static void
test_threads (void)
{
  Measured m;

  measured_init (&m, &ls_experiment_threads, "cpu,two=cpu(threads=2),opencl", NULL, NULL);
  for (guint lane = 0; lane < 3; lane++) /* as when their threads were asked for */
    g_assert_true (ls_lab_lane_here (&m.lanes, lane, &m.errors[lane]));
  g_free (measure_at (&m, 2, 1));
  for (guint lane = 0; lane < 3; lane++)
    {
      g_assert_no_error (m.errors[lane]);
      g_assert_cmpfloat (m.points[lane].x, ==, 2);
      played_rate ("of two threads", &m.points[lane].rate, 128,
                   played_us (lane < 2 ? "cpu" : "opencl", 128, 2, 0), ROUNDS, "samples/s");
    }
  keep (&m, 2);
  g_autofree char *at_three = measure_at (&m, 3, 1);
  g_assert_cmpuint (m.points[0].rate.n, ==, 3 * ROUNDS);
  g_assert_cmpuint (m.points[1].rate.n, ==, 0);
  g_assert_no_error (m.errors[1]); /* it isn't asked, which is nothing to say */
  g_assert_cmpuint (m.points[2].rate.n, ==, 0);
  g_assert_nonnull (m.errors[2]); /* it stayed whole */
  g_assert_cmpstr (m.errors[2]->message, ==, "Its device can’t be told how many threads or units to use.");
  g_assert_cmpuint (count (at_three, "opencl open 2\n"), ==, 1);
  keep (&m, 3);
  /* it has been divided once, so it is asked again; one that never was, isn't */
  g_autofree char *again = measure_at (&m, 3, 1);
  g_assert_cmpuint (count (again, "opencl open"), >, count (at_three, "opencl open"));
  g_array_set_size (m.result->points[2], 0);
  g_autofree char *whole = measure_at (&m, 3, 1);
  g_assert_cmpuint (count (whole, "opencl open"), ==, count (again, "opencl open"));
  g_assert_no_error (m.errors[2]);
  g_autofree char *more = measure_at (&m, PLAYED_THREADS + 1, 1);
  g_assert_cmpuint (count (more, "open"), ==, count (whole, "open"));
  for (guint lane = 0; lane < 3; lane++)
    {
      g_assert_cmpuint (m.points[lane].rate.n, ==, 0);
      g_assert_no_error (m.errors[lane]);
    }
  measured_clear (&m);
}

/* With another number of threads a lane is what it is else: its device and the run's seed. */
static void
test_threads_options (void)
{
  static const char *const asked[] = { "cpu open 2 seed 7\n", "opencl open 2 device 1 seed 7\n" };
  Measured m;

  measured_init (&m, &ls_experiment_threads, "cpu,opencl:1", NULL, NULL);
  for (guint lane = 0; lane < 2; lane++)
    ((LsLaneSpec *) m.lanes.specs->pdata[lane])->options->seed = 7;
  g_autofree char *book = measure_at (&m, 2, 1);
  for (guint lane = 0; lane < 2; lane++)
    if (count (book, asked[lane]) != 1)
      g_error ("“%s” isn't what a lane was asked: %s", asked[lane], book);
  measured_clear (&m);
}

/* What can't be prepared has no point, and the other lane has; a lane that ended is there again at the next
 * spot. */
static void
test_failing (void)
{
  Measured m;

  measured_init (&m, &ls_experiment_batch, "cpu,opencl", "opencl prepare step\tmlp\tmnist\t16",
                 "cpu prepare step\tmlp\tmnist\t32");
  for (guint x = 8; x <= 64; x *= 2)
    {
      g_autofree char *book = measure_at (&m, x, 1);

      for (guint lane = 0; lane < 2; lane++)
        {
          const gboolean fails = x == (lane == 0 ? 32 : 16);

          g_test_message ("batch %u, lane %u", x, lane);
          g_assert_true ((m.errors[lane] != NULL) == fails);
          g_assert_cmpuint (m.points[lane].rate.n, ==, fails ? 0 : 3 * ROUNDS);
        }
      g_assert_cmpuint (count (book, "cpu open"), ==, x > 32 ? 2 : 1);
      g_assert_cmpuint (count (book, "opencl open"), ==, 1); /* it said no, and stayed */
    }
  measured_clear (&m);
}

/* What recording costs, percent of a plain step. */
static void
test_cost (void)
{
  LsRecordingCost cost = { 0 };
  g_autoptr (GError) error = NULL;
  LsLabLanes lanes;

  played_begin (NULL, NULL);
  played_lanes (&lanes, "cpu");
  g_assert_true (ls_lab_lane_here (&lanes, 0, &error));
  g_assert_true (ls_lab_recording_cost (lanes.children[0], .5, 60, &cost, &error));
  g_autofree char *book = played_book ();
  g_assert_nonnull (strstr (book, "cpu prepare step\tmlp\tmnist\t128\ncpu record 0.5\n"));
  g_assert_cmpuint (cost.events, ==, PLAYED_EVENTS);
  g_assert_cmpfloat_with_epsilon (cost.plain_us.value, played_us ("cpu", 128, PLAYED_THREADS, 0), 1e-6);
  g_assert_cmpfloat_with_epsilon (cost.percent.value, 50, 1e-6);                  /* 1.5 times as long; */
  g_assert_cmpfloat_with_epsilon (cost.percent.q1, 100 * (1.5 * .95 - 1), 1e-6);  /* a tenth less, */
  g_assert_cmpfloat_with_epsilon (cost.percent.q3, 100 * (1.5 * 1.15 - 1), 1e-6); /* or 1.3 times that */
  g_assert_cmpstr (cost.percent.unit, ==, "%");
  ls_lab_lanes_clear (&lanes);
}

int
main (int argc, char **argv)
{
  int status;

  if (played_main (argc, argv, &status))
    return status;
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/turns", test_turns);
  g_test_add_func ("/measure/rates", test_rates);
  g_test_add_func ("/measure/option", test_option);
  g_test_add_func ("/measure/recorded", test_recorded);
  g_test_add_func ("/measure/not-recorded", test_not_recorded);
  g_test_add_func ("/measure/threads", test_threads);
  g_test_add_func ("/measure/threads-options", test_threads_options);
  g_test_add_func ("/measure/failing", test_failing);
  g_test_add_func ("/measure/cost", test_cost);
  status = g_test_run ();
  played_end ();
  return status;
}
