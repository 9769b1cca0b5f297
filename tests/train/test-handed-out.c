/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lane is given which steps, in which order and how many at once, on which samples, and with what.
 * Steps take what the test says (scripted.h), so that turns are as long wherever this runs.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/stored.h"
#include "data/batcher.h"
#include "scripted.h"
#include "train/lane/lane.h"

/* The first step's time isn't known; then a turn is 8 ms, but ends where the weights are read, every 10
 * steps, and at the target, where the test set comes first. Of two that are as far the one that went last
 * goes first, so that each is that as often. */
static void
test_order (void)
{
  g_autoptr (LsOptions) options = scripted_options (10);
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 25);

  g_assert_true (s->turns);
  g_assert_cmpstr (script.log->str, ==,
                   "0T0+1 1T0+1 1T1+8 0T1+8 0T9+1 0R10 1T9+1 1R10 1T10+8 0T10+8 0T18+2 0R20 1T18+2 1R20 "
                   "1T20+5 1E25 1R25 0T20+5 0E25 0R25");
  g_assert_cmpuint (s->agreement.losses_compared, ==, 25);
  g_assert_cmpuint (s->agreement.weights_compared, ==, 3);
  /* what was read and answered already isn't again */
  g_string_truncate (script.log, 0);
  g_autoptr (LsSnapshot) further = scripted_run (c, 27);
  g_assert_cmpuint (further->lanes[1].steps, ==, 27);
  g_assert_cmpstr (script.log->str, ==, "0T25+2 0E27 0R27 1T25+2 1E27 1R27");
}

/* A turn ends at the target, at a check, and before and after a step that is recorded; else it is 8 ms, of 16
 * steps at most. */
static void
test_lengths (void)
{
  static const struct {
    double step_us;
    guint target;
    gint check;
    gboolean record;
    const char *log;
  } rows[] = {
    { 500, 40, 0, FALSE, "0T0+1 0T1+16 0T17+16 0T33+7 0E40" },
    { 100, 40, 0, FALSE, "0T0+1 0T1+16 0T17+16 0T33+7 0E40" }, /* no more, however short */
    { 2500, 9, 0, FALSE, "0T0+1 0T1+3 0T4+3 0T7+2 0E9" },
    { 90000, 3, 0, FALSE, "0T0+1 0T1+1 0T2+1 0E3" },
    { 90000, 3, 10, FALSE, "0T0+1 0T1+1 0T2+1 0E3 0R3" },
    { 100, 10, 4, FALSE, "0T0+1 0T1+3 0R4 0T4+4 0R8 0T8+2 0E10 0R10" },
    { 100, 12, 12, FALSE, "0T0+1 0T1+11 0E12 0R12" },                  /* a check at the target is one */
    { 100, 20, 0, TRUE, "0T0+1 0T1+16 0T17+2 0R19 0T19+1 0R20 0E20" }, /* with its weights */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = scripted_options (rows[i].check);

      for (guint k = 0; k < SCRIPTED_STEPS; k++)
        script.step_us[k] = rows[i].step_us;
      g_autoptr (LsCoordinator) c = scripted_start (options, "fp32");
      if (rows[i].record)
        ls_coordinator_run_recorded (c, rows[i].target);
      else
        ls_coordinator_run (c, rows[i].target);
      g_autoptr (LsSnapshot) s = finish (c);
      if (strcmp (script.log->str, rows[i].log) != 0)
        g_error ("row %u: the lane was given “%s”, not “%s”", i, script.log->str, rows[i].log);
      g_assert_cmpint (s->recording != NULL, ==, rows[i].record);
      g_assert_cmpuint (ls_curve_get (s->lanes[0].curve, rows[i].target - 1).flags & LS_POINT_RECORDED, ==,
                        rows[i].record ? LS_POINT_RECORDED : 0);
    }
}

/* No turn goes on over the end of an epoch; every epoch has each sample once, its whole batches long, both
 * lanes have the same samples in the same steps, and each epoch another order. After each the test set is
 * gone through, once by each lane. */
static void
test_epochs (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);
  options->batch = 64;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  const guint epoch = (guint) ls_coordinator_steps_per_epoch (c), batch = script.batch;
  const gint64 n = ls_coordinator_data (c)->train.n;
  const gsize bytes = sizeof (guint32) * epoch * batch;
  g_autoptr (LsSnapshot) s = NULL;

  g_assert_cmpuint (epoch, ==, (guint) (n / batch));
  g_assert_cmpuint (2 * epoch, <, SCRIPTED_STEPS);
  s = scripted_run (c, 2 * epoch);
  g_assert_cmpuint (s->lanes[1].steps, ==, 2 * epoch);
  for (guint lane = 0; lane < 2; lane++)
    for (guint e = 1; e <= 2; e++)
      {
        g_autofree char *job = g_strdup_printf ("%uE%u", lane, e * epoch);
        const char *at = strstr (script.log->str, job);

        if (at == NULL || strstr (at + 1, job) != NULL)
          g_error ("%s isn't once in “%s”", job, script.log->str);
        g_assert_cmpuint (g_array_index (s->lanes[lane].accuracies, LsAccuracy, e - 1).steps, ==, e * epoch);
      }
  g_assert_cmpuint (s->lanes[0].accuracies->len, ==, 2);
  g_assert_cmpmem (script.samples[0], 2 * bytes, script.samples[1], 2 * bytes);
  g_assert_cmpint (memcmp (script.samples[0], script.samples[0] + epoch * batch, bytes), !=, 0);
  for (guint e = 0; e < 2; e++)
    {
      g_autofree guint8 *had = g_new0 (guint8, n);

      for (guint i = 0; i < epoch * batch; i++)
        {
          const guint32 sample = script.samples[0][e * epoch * batch + i];
          g_assert_cmpuint (sample, <, n);
          g_assert_cmpuint (had[sample]++, ==, 0);
        }
    }
}

/* What a step is done with: the run's options, Adam's constants of its paper, steps from 1. */
static void
test_hyper (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  options->lr = .25;
  options->momentum = .75;
  options->seed = 77;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 7);
  g_assert_cmpuint (s->lanes[1].steps, ==, 7);
  for (guint lane = 0; lane < 2; lane++)
    {
      const LsHyper *hyper = &script.hyper[lane];

      g_assert_cmpfloat (hyper->lr, ==, .25);
      g_assert_cmpfloat (hyper->momentum, ==, .75);
      g_assert_cmpfloat (hyper->beta1, ==, .9);
      g_assert_cmpfloat (hyper->beta2, ==, .999);
      g_assert_cmpfloat (hyper->epsilon, ==, 1e-8);
      g_assert_cmpuint (hyper->step, ==, 7);
      g_assert_cmpuint (hyper->seed, ==, 77);
      g_assert_true (script.fuse[lane]);
    }
}

/* A lane may fuse if its own options say so, whatever the run's or another lane's do: when it trains, and
 * when it answers. */
static void
test_fuse (void)
{
  static const struct {
    const char *run, *lanes;
    gboolean fuse[2];
  } rows[] = { { "on", "fp32,fp32", { TRUE, TRUE } },
               { "off", "fp32,fp32", { FALSE, FALSE } },
               { "on", "fp32,fp32 fusion=off", { TRUE, FALSE } },
               { "on", "fp32 fusion=off,fp32", { FALSE, TRUE } },
               { "off", "fp32 fusion=on,fp32", { TRUE, FALSE } },
               { "off", "fp32,fp32 fusion=on", { FALSE, TRUE } } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = scripted_options (0);

      g_assert_true (ls_options_set (options, ls_options_find ("fusion"), rows[i].run, NULL));
      g_autoptr (LsCoordinator) c = scripted_start (options, rows[i].lanes);
      ls_snapshot_unref (scripted_run (c, 3));
      for (guint lane = 0; lane < 2; lane++)
        {
          if (script.fuse[lane] != rows[i].fuse[lane])
            g_error ("of “%s” in a run with fusion %s lane %u %s fuse", rows[i].lanes, rows[i].run, lane,
                     script.fuse[lane] ? "may" : "may not");
          if (script.fuse_answers[lane] != rows[i].fuse[lane])
            g_error ("of “%s” in a run with fusion %s lane %u %s fuse when it goes through the test set",
                     rows[i].lanes, rows[i].run, lane, script.fuse_answers[lane] ? "may" : "may not");
        }
    }
}

/* ---- what is fetched beforehand ---- */

static struct {
  guint32 (*samples)[16]; /* of each step; NULL: nobody looks */
  guint n;
  GArray *steps; /* those of which samples were fetched, in their order */
} fetched;

void __real_ls_stored_expect (const LsStored *stored, const guint32 *index, guint n);
void __wrap_ls_stored_expect (const LsStored *stored, const guint32 *index, guint n);

/* On the control thread. */
void
__wrap_ls_stored_expect (const LsStored *stored, const guint32 *index, guint n)
{
  guint step = 0;

  if (fetched.samples == NULL)
    g_error ("samples are fetched that are in memory");
  g_assert_cmpuint (n, ==, 16);
  while (step < fetched.n && memcmp (fetched.samples[step], index, sizeof fetched.samples[step]) != 0)
    step++;
  if (step == fetched.n)
    g_error ("samples are fetched that no step trains together");
  g_array_append_val (fetched.steps, step);
  __real_ls_stored_expect (stored, index, n);
}

/* The samples that memory has no room for, in a file. */
static LsData *
stored_data (const LsOptions *options)
{
  LsData *data = ls_data_load (options->data, (guint64) options->seed, NULL);
  const gsize bytes = sizeof (float) * (gsize) data->train.sample_size;
  g_autofree char *path = NULL;
  const int fd = g_file_open_tmp ("lockstep-handed-out-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_unlink (path);
  g_assert_cmpint (write (fd, data->train.samples, bytes * (gsize) data->train.n), ==,
                   (gssize) (bytes * (gsize) data->train.n));
  data->train.stored = ls_stored_new (fd, 0, bytes, "moons");
  return data;
}

/* While a lane is at a turn, the samples of as many steps behind it are fetched, but none beyond the epoch's
 * end, behind which the order is another. */
static void
test_fetched (void)
{
  static const struct {
    guint from, n;
  } rows[] = { { 1, 1 },   { 17, 16 }, { 33, 16 },  { 49, 16 },  { 65, 16 },
               { 81, 16 }, { 97, 16 }, { 113, 12 }, { 141, 16 }, { 150, 9 } };
  g_autoptr (LsOptions) options = scripted_options (0);
  g_autoptr (LsData) data = stored_data (options);
  g_autoptr (LsBatcher) batcher = ls_batcher_new (data->train.n, 16, (LsOrder) options->order,
                                                  (guint64) options->seed, NULL);
  guint at = 0;

  g_assert_cmpuint (ls_batcher_steps_per_epoch (batcher), ==, 125);
  fetched.n = 250;
  fetched.samples = g_malloc_n (fetched.n, sizeof *fetched.samples);
  for (guint step = 0; step < fetched.n; step++)
    ls_batcher_get (batcher, step, fetched.samples[step]);
  fetched.steps = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint k = 0; k < SCRIPTED_STEPS; k++)
    script.step_us[k] = 500;
  script.data = data;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 150);
  g_assert_cmpstr (
    script.log->str, ==,
    "0T0+1 0T1+16 0T17+16 0T33+16 0T49+16 0T65+16 0T81+16 0T97+16 0T113+12 0E125 0T125+16 0T141+9 "
    "0E150");
  g_assert_cmpuint (s->lanes[0].steps, ==, 150);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint step = rows[i].from; step < rows[i].from + rows[i].n; step++, at++)
      {
        if (at == fetched.steps->len)
          g_error ("the samples of step %u aren't fetched beforehand", step);
        if (g_array_index (fetched.steps, guint, at) != step)
          g_error ("the samples of step %u are fetched, where step %u would be next",
                   g_array_index (fetched.steps, guint, at), step);
      }
  g_assert_cmpuint (fetched.steps->len, ==, at);
  g_array_unref (fetched.steps);
  g_clear_pointer (&fetched.samples, g_free);
}

/* The step that is recorded is the last before the target; where that was reached already, or nothing runs,
 * one more is done for it, by both lanes; and no other is marked as recorded. */
static void
test_recorded (void)
{
  static const struct {
    guint run; /* up to that step, recorded; 0: a recording is asked for at rest; 1: the next step is */
    guint64 step;
  } rows[] = { { 4, 4 }, { 0, 5 }, { 5, 6 }, { 10, 10 }, { 1, 11 }, { 0, 12 }, { 30, 30 } };
  g_autoptr (LsOptions) options = scripted_options (0);
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  gboolean expected[40] = { FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (rows[i].run == 0)
        ls_coordinator_record (c);
      else if (rows[i].run == 1)
        ls_coordinator_record_next (c, FALSE);
      else
        ls_coordinator_run_recorded (c, rows[i].run);
      g_autoptr (LsSnapshot) s = finish (c);
      expected[rows[i].step - 1] = TRUE;
      g_assert_nonnull (s->recording);
      if (s->recording->step != rows[i].step)
        g_error ("row %u: step %u is recorded, not %u", i, (guint) s->recording->step, (guint) rows[i].step);
      for (guint lane = 0; lane < 2; lane++)
        {
          g_assert_cmpuint (s->lanes[lane].steps, ==, rows[i].step);
          for (guint64 step = 0; step < rows[i].step; step++)
            g_assert_cmpint ((ls_curve_get (s->lanes[lane].curve, step).flags & LS_POINT_RECORDED) != 0, ==,
                             expected[step]);
        }
    }
}

/* ---- how long they are waited for ---- */

typedef struct {
  LsJobKind kind;
  guint n;                               /* steps */
  double expected_us, grace_us, slow_us; /* what it should take; until it is left behind; until others go on
                                          */
} Handed;

static struct {
  LsCoordinator *of; /* NULL: it isn't noted; set while the lanes rest */
  GArray *jobs;
} handed;

void __real_ls_lane_post (LsLane *lane, const LsRequest *request);
void __wrap_ls_lane_post (LsLane *lane, const LsRequest *request);

/* On the control thread. */
void
__wrap_ls_lane_post (LsLane *lane, const LsRequest *request)
{
  double us[3];

  if (handed.of != NULL && request->kind != LS_JOB_QUIT)
    {
      ls_coordinator_patience (handed.of, lane->number, us);
      const Handed job = { request->kind, request->train.n_steps, us[0], us[2], us[1] };
      g_array_append_val (handed.jobs, job);
    }
  __real_ls_lane_post (lane, request);
}

/* A lane that hangs is left behind after 20 times what its job should take and a grace: 5 s, of what may have
 * to wait for a compiler or a cold device a minute, and ten where kernels are built or a reference computes;
 * or as long as the environment says. The others go on after 20 times that time and 3 s, but half a second
 * beside a compiler. What a job should take is known of the step before: n of them, those of the test set and
 * one more, a hundred where one runs op by op; of the first step that a GFLOP takes a second. */
static void
test_patience (void)
{
  for (guint given_ms = 0; given_ms <= 700; given_ms += 700)
    {
      g_autoptr (LsOptions) options = scripted_options (10);
      g_autoptr (GError) error = NULL;

      if (given_ms > 0)
        g_setenv ("LOCKSTEP_WATCHDOG_MS", "700", TRUE);
      g_autoptr (LsCoordinator) c = scripted_start (options, "fp32");
      g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
      const LsPlan *plan = ls_coordinator_plan (c);
      const LsData *data = ls_coordinator_data (c);
      const double step_us = 1000, minute_us = 60e6,
                   tests = (double) data->test.n / plan->batch + 1, /* batches
                                                                     */
        answers = 3. / plan->batch + 1;
      LsQuestion *question = ls_question_new (LS_ASKED_TEST, 3, data->test.shape);
      const Handed expected[] = {
        { LS_JOB_TRAIN, 1, (double) plan->flops / 1000, minute_us, 3e6 },
        { LS_JOB_TRAIN, 8, 8 * step_us, minute_us, 3e6 },
        { LS_JOB_TRAIN, 1, step_us, 5e6, 3e6 },
        { LS_JOB_READ, 0, 0, 5e6, 3e6 },
        { LS_JOB_TRAIN, 5, 5 * step_us, 5e6, 3e6 },
        { LS_JOB_EVALUATE, 0, tests * step_us, minute_us, 3e6 },
        { LS_JOB_READ, 0, 0, 5e6, 3e6 },
        { LS_JOB_COMPARE, 1, 100 * step_us, 600e6, 3e6 },
        { LS_JOB_ANSWER, 0, answers * step_us, minute_us, 3e6 },
        { LS_JOB_CONFIGURE, 0, 0, 600e6, .5e6 },
      };

      handed.jobs = g_array_new (FALSE, TRUE, sizeof (Handed));
      handed.of = c;
      ls_snapshot_unref (scripted_run (c, 15));
      g_array_unref (ls_coordinator_compare (c, &error));
      g_assert_no_error (error);
      for (guint i = 0; i < 3; i++)
        ls_question_copy (question, i, &data->test, i);
      ls_coordinator_ask (c, question);
      ls_snapshot_unref (finish (c));
      options->policy = LS_POLICY_STATIC;
      ls_coordinator_configure (c, options);
      ls_snapshot_unref (finish (c));
      handed.of = NULL;
      for (guint i = 0; i < MIN (handed.jobs->len, G_N_ELEMENTS (expected)); i++)
        {
          const Handed *is = &g_array_index (handed.jobs, Handed, i), *should = &expected[i];
          const double grace_us = (given_ms > 0 ? 700e3 : should->grace_us) + 20 * should->expected_us,
                       slow_us = should->slow_us + 20 * should->expected_us;

          if (is->kind != should->kind || is->n != should->n)
            g_error ("job %u is of kind %u, of %u steps", i, (guint) is->kind, is->n);
          if (fabs (is->expected_us - should->expected_us) > 1 || fabs (is->grace_us - grace_us) > 20
              || fabs (is->slow_us - slow_us) > 20)
            g_error ("job %u should take %g µs, is waited for %g, by the others %g; not %g, %g and %g", i,
                     is->expected_us, is->grace_us, is->slow_us, should->expected_us, grace_us, slow_us);
        }
      g_assert_cmpuint (handed.jobs->len, ==, G_N_ELEMENTS (expected));
      ls_question_unref (question);
      g_array_unref (handed.jobs);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/handed-out/order", test_order);
  g_test_add_func ("/handed-out/lengths", test_lengths);
  g_test_add_func ("/handed-out/epochs", test_epochs);
  g_test_add_func ("/handed-out/hyper", test_hyper);
  g_test_add_func ("/handed-out/fuse", test_fuse);
  g_test_add_func ("/handed-out/fetched", test_fetched);
  g_test_add_func ("/handed-out/recorded", test_recorded);
  g_test_add_func ("/handed-out/patience", test_patience);
  status = g_test_run ();
  scripted_end ();
  return status;
}
