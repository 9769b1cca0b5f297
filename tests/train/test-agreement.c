/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights held against those of a lane that comes when the others have long gone on: what is told of each
 * step that they were compared after, and how many are kept for it.
 */
#include <math.h>
#include <string.h>

#include "retry_rig.h"
#include "scripted.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define STAYS       1 /* step that the last lane does before it hangs */

static guint64 wanted; /* steps */

static gboolean
others_are_there (const LsSnapshot *s)
{
  for (guint lane = 0; lane + 1 < s->n_lanes; lane++)
    if (s->lanes[lane].steps < wanted)
      return FALSE;
  return s->agreement.weights_kept > 0 && (s->n_lanes < 3 || s->agreement.weights_step == wanted);
}

/* A run in which the last lane hangs, once the others have done all of it. */
static LsSnapshot *
leave_behind (LsCoordinator *c, guint64 steps)
{
  const gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

  wanted = steps;
  ls_coordinator_run (c, steps);
  for (;;)
    {
      LsSnapshot *s = ls_coordinator_take (c);

      if (s != NULL && others_are_there (s))
        return s;
      if (s != NULL && g_get_monotonic_time () > until_us)
        g_error ("the others are after step %u, and weights of %u steps are kept for the one that is behind",
                 (guint) s->lanes[0].steps, s->agreement.weights_kept);
      ls_snapshot_unref (s);
      g_usleep (1000);
    }
}

static LsSnapshot *
catch_up (LsCoordinator *c)
{
  g_atomic_int_set (&script.let_go, 1);
  return finish (c);
}

static void
assert_told (const LsCoordinator *c, const LsAgreement *a, guint64 compared, guint64 step, double delta_max,
             guint param)
{
  const LsPlan *plan = ls_coordinator_plan ((LsCoordinator *) c);
  const char *name = plan->tensors[plan->params[param].weight].name;

  if (a->weights_compared != compared || a->weights_step != step)
    g_error ("weights are told to have been compared %u times, last after step %u, not %u times and after %u",
             (guint) a->weights_compared, (guint) a->weights_step, (guint) compared, (guint) step);
  if (a->weights_delta_max != delta_max)
    g_error ("after step %u a weight is %g off, told is %g", (guint) step, delta_max, a->weights_delta_max);
  if (g_strcmp0 (a->weights_tensor, name) != 0)
    g_error ("after step %u “%s” is furthest off, told is “%s”", (guint) step, name, a->weights_tensor);
}

/* Of three lanes the last one comes late: each step counts once, and what is told of it is of the lane that
 * is furthest off, whichever came first. */
static void
test_third (void)
{
  static const struct {
    double second, third; /* the one weight of each that isn't 2: of parameter 0, of 1 */
  } rows[] = { { 5, 2.5 }, { 2.5, 5 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = scripted_options (10);
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) before = NULL, after = NULL;
      const guint furthest = rows[i].third > rows[i].second ? 1 : 0;

      script.stays_at[2] = STAYS;
      for (guint lane = 1; lane < 3; lane++)
        {
          script.weight[lane].param = lane - 1;
          script.weight[lane].at = 0;
          script.weight[lane].value = (float) (lane == 1 ? rows[i].second : rows[i].third);
        }
      c = scripted_start (options, "fp32,fp32,fp32");
      before = leave_behind (c, 30);
      assert_told (c, &before->agreement, 3, 30, rows[i].second - 2, 0);
      g_assert_cmpuint (before->lanes[2].steps, ==, STAYS);
      g_assert_cmpuint (before->agreement.weights_kept, ==, 3);
      after = catch_up (c);
      g_assert_cmpuint (after->lanes[2].steps, ==, 30);
      assert_told (c, &after->agreement, 3, 30, MAX (rows[i].second, rows[i].third) - 2, furthest);
      g_assert_cmpuint (after->agreement.weights_kept, ==, 0);
    }
}

/* Weights are kept for it up to a number of bytes, the newest ones, and one step's always: of the others it
 * isn't told that they were compared. */
static void
test_limit (void)
{
  static const struct {
    const char *network;
    guint steps, kept;                                                 /* in 48 MiB */
  } rows[] = { { "flatten, dense 2000, dense 1500, dense 2", 5, 4 },   /* of 12 MB each */
               { "flatten, dense 3700, dense 3600, dense 2", 2, 1 } }; /* 53 MB */

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = scripted_options (1);
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) before = NULL, after = NULL;

      g_free (options->model);
      options->model = g_strdup (rows[i].network);
      options->batch = 1;
      script.idle = TRUE;
      script.stays_at[1] = STAYS;
      c = scripted_start (options, "fp32,fp32");
      before = leave_behind (c, STAYS + rows[i].steps);
      if (before->agreement.weights_kept != rows[i].kept)
        g_error ("“%s”: weights after %u steps are kept for a lane that is behind, not after %u",
                 rows[i].network, before->agreement.weights_kept, rows[i].kept);
      after = catch_up (c);
      assert_told (c, &after->agreement, STAYS + rows[i].kept, STAYS + rows[i].steps, 0, 0);
      g_assert_cmpuint (after->agreement.weights_kept, ==, 0);
    }
}

/* A lane that stops ahead of the others and begins again where they are does those steps anew: what it had of
 * them before is nothing that somebody is still to be held against. */
static void
test_put_back (void)
{
  g_autoptr (LsOptions) options = scripted_options (10);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) before = NULL, failed = NULL, after = NULL;

  script.stays_at[1] = STAYS;
  script.losses[0][30] = NAN;
  c = scripted_start (options, "fp32,fp32");
  before = leave_behind (c, 30);
  g_assert_cmpuint (before->agreement.weights_kept, ==, 3);
  ls_coordinator_run (c, 40);
  failed = await_state (c, 0, LS_LANE_FAILED);
  g_assert_cmpuint (failed->lanes[0].steps, ==, 31);
  script.losses[0][30] = script.losses[1][30];
  ls_coordinator_retry (c);
  for (gboolean open = FALSE; !open; g_usleep (1000))
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      open = s != NULL && s->lanes[0].state == LS_LANE_BUILDING
             && s->lanes[0].facts != failed->lanes[0].facts;
    }
  after = catch_up (c);
  g_assert_cmpuint (after->lanes[0].steps, ==, 40);
  g_assert_cmpuint (after->lanes[1].steps, ==, 40);
  assert_told (c, &after->agreement, 4, 40, 0, 0);
  /* also of the steps that the other did while this one was given its weights */
  if (after->agreement.losses_compared != 40)
    g_error ("of 40 steps that both lanes did, the losses of %u are compared",
             (guint) after->agreement.losses_compared);
  if (after->agreement.weights_kept > 0)
    g_error ("weights of %u steps are kept, and no lane is still to come there",
             after->agreement.weights_kept);
}

/* Of three lanes two come late, one after the other, and memory has room for the newest steps alone: what the
 * first of them has of steps that are earlier doesn't push these out. */
static void
test_late_after_late (void)
{
  g_autoptr (LsOptions) options = scripted_options (1);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) before = NULL, after = NULL;
  const gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  guint64 compared = 0;

  g_free (options->model);
  options->model = g_strdup ("flatten, dense 2000, dense 1500, dense 2"); /* 4 of them in 48 MiB */
  options->batch = 1;
  script.idle = TRUE;
  script.stays_at[1] = script.stays_at[2] = STAYS;
  c = scripted_start (options, "fp32,fp32,fp32");
  ls_coordinator_run (c, 9);
  before = wait_for_steps (c, 9);
  g_atomic_int_set (&script.lets[1], 1);
  for (guint64 steps = 0; steps < 9 || compared < STAYS + 4; g_usleep (1000))
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      if (s == NULL)
        continue;
      steps = s->lanes[1].steps;
      compared = s->agreement.weights_compared;
      if (compared > STAYS + 4 || g_get_monotonic_time () > until_us)
        g_error ("a lane that comes late is compared after %u steps, not %d", (guint) compared, STAYS + 4);
    }
  after = catch_up (c);
  assert_told (c, &after->agreement, STAYS + 4, 9, 0, 0);
  g_assert_cmpuint (after->agreement.weights_kept, ==, 0);
}

/* Losses of a step count once, also where two lanes do it once more behind the third. */
static void
test_counted_once (void)
{
  g_autoptr (LsOptions) options = scripted_options (10);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) before = NULL, after = NULL;

  script.stays_at[2] = STAYS;
  script.losses[0][30] = script.losses[1][30] = NAN;
  c = scripted_start (options, "fp32,fp32,fp32");
  before = leave_behind (c, 30);
  ls_coordinator_run (c, 40);
  for (gboolean both = FALSE; !both; g_usleep (1000))
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      both = s != NULL && s->lanes[0].state == LS_LANE_FAILED && s->lanes[1].state == LS_LANE_FAILED;
    }
  script.losses[0][30] = script.losses[1][30] = script.losses[2][30];
  ls_coordinator_retry (c);
  for (gboolean both = FALSE; !both; g_usleep (1000))
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      both = s != NULL && s->lanes[0].state == LS_LANE_BUILDING && s->lanes[1].state == LS_LANE_BUILDING;
    }
  after = catch_up (c);
  for (guint lane = 0; lane < 3; lane++)
    g_assert_cmpuint (after->lanes[lane].steps, ==, 40);
  if (after->agreement.losses_compared > 2 * 40)
    g_error ("of three lanes that did 40 steps, losses are told to have been compared %u times",
             (guint) after->agreement.losses_compared);
}

/* Lanes that are asked answer with the weights after one and the same step, also if a whole turn lies between
 * them when they are. */
static void
test_asked_together (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);
  LsQuestion *question;

  for (guint k = 0; k < SCRIPTED_STEPS; k++)
    script.step_us[k] = 500;
  script.stays_at[1] = 1; /* in its first whole turn, of 16 steps */
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  const LsDataset *test = &ls_coordinator_data (c)->test;
  question = ls_question_new (LS_ASKED_TEST, 1, test->shape);
  ls_question_copy (question, 0, test, 0);
  ls_coordinator_run (c, 40);
  for (guint i = 0; !g_atomic_int_get (&script.hangs[1]); i++)
    {
      if (i == 60000)
        g_error ("the second lane isn’t given a turn");
      g_usleep (1000);
    }
  ls_coordinator_ask (c, question);
  g_atomic_int_set (&script.let_go, TRUE);
  ls_snapshot_unref (finish (c));
  if (!g_str_has_prefix (script.log->str, "0T0+1 1T0+1 1T1+16 0T1+16 ")
      || strstr (script.log->str, "0E17") == NULL || strstr (script.log->str, "1E17") == NULL)
    g_error ("they are asked after the second lane’s turn: %s", script.log->str);
  ls_question_unref (question);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_setenv ("LOCKSTEP_WATCHDOG_MS", "600000", TRUE);
  g_test_add_func ("/train/agreement/third", test_third);
  g_test_add_func ("/train/agreement/limit", test_limit);
  g_test_add_func ("/train/agreement/put-back", test_put_back);
  g_test_add_func ("/train/agreement/late-after-late", test_late_after_late);
  g_test_add_func ("/train/agreement/counted-once", test_counted_once);
  g_test_add_func ("/agreement/asked-together", test_asked_together);
  status = g_test_run ();
  scripted_end ();
  return status;
}
