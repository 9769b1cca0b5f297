/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When steps are done: the rule on a clock that the test moves, and lanes that train by it. Nothing here is
 * timed: what is looked at are steps, and which of them count.
 */
#include "rig.h"
#include "train/pace.h"

#define RATE 50. /* steps a second of the plan */

/* Two lanes that the test moves, and its clock. */
typedef struct {
  LsPacer pacer;
  LsPaceLook look;
  guint64 steps[2];
  guint bursts, flagged;
} Lanes;

static Lanes
lanes_new (LsPace pace, double rate, double step_us)
{
  Lanes lanes = { .look = { .pace = pace, .now_ns = 5000000000, .step_us = step_us } };

  ls_pacer_init (&lanes.pacer, rate);
  return lanes;
}

static void
look (Lanes *lanes)
{
  lanes->look.least = MIN (lanes->steps[0], lanes->steps[1]);
  lanes->look.furthest = MAX (lanes->steps[0], lanes->steps[1]);
  ls_pacer_look (&lanes->pacer, &lanes->look);
}

/* One turn of the lane that is behind, or a wait until the clock says go on. FALSE: neither. */
static gboolean
move (Lanes *lanes, guint turn)
{
  const guint behind = lanes->steps[0] <= lanes->steps[1] ? 0 : 1;
  guint64 limit;

  look (lanes);
  if (lanes->pacer.rests)
    {
      g_assert_cmpuint (lanes->steps[0], ==, lanes->steps[1]);
      lanes->bursts++;
      if (lanes->pacer.next_ns == G_MAXUINT64)
        return FALSE;
      g_assert_cmpuint (lanes->pacer.next_ns, >, lanes->look.now_ns);
      lanes->look.now_ns = lanes->pacer.next_ns;
      return TRUE;
    }
  limit = MIN (ls_pacer_limit (&lanes->pacer, lanes->steps[behind]), lanes->steps[behind] + turn);
  g_assert_cmpuint (limit, >, lanes->steps[behind]);
  /* a turn is all of one kind */
  for (guint64 step = lanes->steps[behind]; step < limit; step++)
    g_assert_cmpint (ls_pacer_settles (&lanes->pacer, step), ==, ls_pacer_settles (&lanes->pacer, limit - 1));
  if (behind == 0 && ls_pacer_settles (&lanes->pacer, lanes->steps[0]))
    lanes->flagged += (guint) (limit - lanes->steps[0]);
  lanes->look.now_ns += (guint64) (lanes->look.step_us * 1e3) * (limit - lanes->steps[behind]);
  lanes->steps[behind] = limit;
  return TRUE;
}

/* After a minute of the clock the plan has been kept, whatever the step takes and however long a burst is. */
static void
test_plan (void)
{
  const struct {
    double rate, step_us;
  } cases[] = { { 46.9, 500 }, { 66.7, 20 }, { 1, 30000 }, { 3000, 5 }, { 2.5, 0 }, { 12, 4000 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Lanes lanes = lanes_new (LS_PACE_WATCH, cases[i].rate, cases[i].step_us);
      const guint64 start_ns = lanes.look.now_ns;

      while (lanes.look.now_ns - start_ns < 60000000000)
        g_assert_true (move (&lanes, 17));
      g_assert_cmpfloat_with_epsilon ((double) lanes.steps[0], 60 * cases[i].rate, cases[i].rate * 1.1 + 3);
      g_assert_cmpuint (lanes.bursts, >, 20);
      /* the first after a rest don't count, but most do */
      g_assert_cmpuint (lanes.flagged, >=, lanes.bursts - 1);
      g_assert_cmpuint (lanes.flagged, <=, lanes.steps[0] / 2);
    }
}

/* Steps that take longer than planned follow each other without a rest, all of them count, and nothing is
 * hurried afterwards. */
static void
test_late (void)
{
  Lanes lanes = lanes_new (LS_PACE_WATCH, RATE, 60000);
  guint64 before;

  for (guint i = 0; i < 200; i++)
    g_assert_true (move (&lanes, 1));
  g_assert_cmpuint (lanes.bursts, ==, 0);
  g_assert_cmpuint (lanes.flagged, ==, 0);
  lanes.look.now_ns += 3600000000000;
  lanes.look.step_us = 100;
  before = lanes.look.now_ns;
  while (lanes.look.now_ns - before < 10000000000)
    {
      const guint64 steps = lanes.steps[0];
      g_assert_true (move (&lanes, 17));
      g_assert_cmpuint (lanes.steps[0] - steps, <=, 17);
    }
  g_assert_cmpfloat (lanes.bursts, >=, .9 * 10 / LS_PACE_BURST_S);
}

/* Whoever is woken a little after each burst's time begins the next one from where the plan has it. */
static void
test_woken_late (void)
{
  Lanes lanes = lanes_new (LS_PACE_WATCH, RATE, 500);
  const guint64 start_ns = lanes.look.now_ns;

  while (lanes.look.now_ns - start_ns < 60000000000)
    {
      g_assert_true (move (&lanes, 17));
      if (lanes.pacer.rests)
        lanes.look.now_ns += (guint64) (LS_PACE_BURST_S * .1e9);
    }
  g_assert_cmpfloat_with_epsilon ((double) lanes.steps[0], 60 * RATE, RATE * 1.1 + 3);
}

/* To the midst of a rest. */
static void
to_rest (Lanes *lanes)
{
  do
    move (lanes, 17);
  while (!lanes->pacer.rests);
  if (lanes->pacer.next_ns != G_MAXUINT64)
    lanes->look.now_ns = lanes->pacer.next_ns - 200000000;
}

/* A recorded step is waited for in a rest: a few steps more at once, and the one that is recorded isn't among
 * the first. */
static void
test_asked (void)
{
  Lanes lanes = lanes_new (LS_PACE_WATCH, RATE, 500);
  guint64 rested, early = 0;

  to_rest (&lanes);
  rested = lanes.steps[0];
  g_assert_false (ls_pacer_records (&lanes.pacer, rested));
  lanes.look.asked = TRUE;
  look (&lanes);
  g_assert_false (lanes.pacer.rests);
  g_assert_false (ls_pacer_records (&lanes.pacer, rested));
  g_assert_cmpuint (lanes.pacer.end, ==, lanes.pacer.settled + 1);
  g_assert_true (ls_pacer_records (&lanes.pacer, lanes.pacer.settled));
  /* whoever asks all the time doesn't train faster than planned, but for a burst's steps */
  while (!lanes.pacer.rests || early++ < 100)
    {
      const guint64 now_ns = lanes.look.now_ns;
      move (&lanes, 17);
      lanes.look.now_ns = MIN (lanes.look.now_ns, now_ns + 10000000);
    }
  g_assert_cmpfloat ((double) (lanes.steps[0]), <=,
                     RATE * ((double) lanes.look.now_ns / 1e9 - 5 + LS_PACE_BURST_S + .7) + 1);
}

/* What another pace does in the midst of a rest. */
static void
test_change (void)
{
  Lanes lanes = lanes_new (LS_PACE_WATCH, RATE, 500);
  guint64 at;

  to_rest (&lanes);
  at = lanes.steps[0];
  lanes.look.pace = LS_PACE_FULL;
  look (&lanes);
  g_assert_false (lanes.pacer.rests);
  g_assert_true (ls_pacer_settles (&lanes.pacer, at));
  g_assert_cmpuint (ls_pacer_limit (&lanes.pacer, at), ==, lanes.pacer.settled);
  g_assert_cmpuint (ls_pacer_limit (&lanes.pacer, lanes.pacer.settled), ==, LS_PACE_NO_END);
  /* back again while the lanes are apart: the one behind comes first */
  lanes.steps[0] = at + 900;
  lanes.steps[1] = at + 884;
  lanes.look.pace = LS_PACE_WATCH;
  look (&lanes);
  g_assert_cmpuint (ls_pacer_limit (&lanes.pacer, lanes.steps[1]), ==, at + 900);
  to_rest (&lanes);
  at = lanes.steps[0];
  lanes.look.pace = LS_PACE_STEP;
  look (&lanes);
  g_assert_true (lanes.pacer.rests);
  g_assert_cmpuint (lanes.pacer.next_ns, ==, G_MAXUINT64);
  g_assert_true (ls_pacer_records (&lanes.pacer, at));
  /* a step that was asked for: the other lane follows */
  lanes.steps[0]++;
  look (&lanes);
  g_assert_false (lanes.pacer.rests);
  g_assert_cmpuint (ls_pacer_limit (&lanes.pacer, at), ==, at + 1);
  lanes.steps[1]++;
  look (&lanes);
  g_assert_true (lanes.pacer.rests);
  lanes.look.pace = LS_PACE_WATCH;
  look (&lanes);
  g_assert_false (lanes.pacer.rests);
  g_assert_cmpuint (lanes.pacer.end, >, at + 1);
}

/* A lane that begins anew alone doesn't run to where the others were. */
static void
test_anew (void)
{
  Lanes lanes = lanes_new (LS_PACE_WATCH, RATE, 500);

  while (lanes.steps[0] < 1000)
    move (&lanes, 17);
  to_rest (&lanes);
  lanes.steps[0] = lanes.steps[1] = 0;
  to_rest (&lanes);
  g_assert_cmpuint (lanes.steps[0], <=, (guint64) RATE);
}

/* ---- lanes ---- */

static guint
count (const LsLaneSnapshot *lane, guint32 flag, guint64 end)
{
  guint n = 0;

  for (guint64 i = 0; i < end; i++)
    n += (ls_curve_get (lane->curve, i).flags & flag) != 0;
  return n;
}

/* Waits until all lanes rest at the end of a burst: the snapshot then. */
static LsSnapshot *
wait_for_rest (LsCoordinator *c)
{
  LsSnapshot *newest = NULL;

  for (guint quiet = 0, i = 0; i < 4000 && quiet < 30; i++, quiet++)
    {
      LsSnapshot *s = ls_coordinator_take (c);
      g_usleep (5000);
      if (s == NULL)
        continue;
      if (newest == NULL || s->lanes[0].steps != newest->lanes[0].steps
          || s->lanes[1].steps != newest->lanes[1].steps)
        quiet = 0;
      ls_snapshot_unref (newest);
      newest = s;
    }
  g_assert_nonnull (newest);
  g_assert_cmpuint (newest->lanes[0].steps, ==, newest->lanes[1].steps);
  return newest;
}

static void
test_bursts (void)
{
  for (guint race = 0; race < 2; race++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      options->turns = race ? LS_TURNS_RACE : LS_TURNS_TURNS;
      options->pace = LS_PACE_WATCH;
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, 90);
      s = finish (c);
      for (guint l = 0; l < 2; l++)
        {
          g_assert_cmpuint (s->lanes[l].steps, ==, 90);
          g_assert_cmpuint (count (&s->lanes[l], LS_POINT_RESTED, 90), >, 0);
          g_assert_cmpuint (s->lanes[l].rate.left_out, >=, count (&s->lanes[l], LS_POINT_RESTED, 90));
          g_assert_cmpuint (s->lanes[l].rate.n + s->lanes[l].rate.left_out, ==, 90);
        }
      for (guint64 i = 0; i < 90; i++)
        g_assert_cmpuint (ls_curve_get (s->lanes[0].curve, i).flags & LS_POINT_RESTED, ==,
                          ls_curve_get (s->lanes[1].curve, i).flags & LS_POINT_RESTED);
      g_assert_cmpfloat (s->agreement.loss_delta_max, ==, 0);
      g_assert_cmpuint (s->agreement.weights_step, ==, 90);
      g_assert_true (ls_snapshot_ended (s));
    }
}

/* With its last step a run is not at its end: the test accuracy after it still comes. */
static void
test_ended (void)
{
  LsSnapshot s = { .n_lanes = 2, .target = 90 };

  for (guint l = 0; l < 2; l++)
    s.lanes[l] = (LsLaneSnapshot){ .state = LS_LANE_READY, .steps = 90, .accuracy_step = 90 };
  g_assert_true (ls_snapshot_ended (&s));
  s.lanes[1].accuracy_step = 60;
  if (ls_snapshot_ended (&s))
    g_error ("a run whose last step hasn't been evaluated is said to be at its end");
  s.lanes[1].accuracy_step = 90;
  s.lanes[1].steps = 89;
  g_assert_false (ls_snapshot_ended (&s));
  s.lanes[1].state = LS_LANE_FAILED;
  g_assert_true (ls_snapshot_ended (&s));
}

/* Minutes of the plan are over at once when full speed is asked for in a rest. */
static void
test_hold (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) resting = NULL, s = NULL;
  guint64 at;

  options->pace = LS_PACE_WATCH;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 20000);
  resting = wait_for_rest (c);
  at = resting->lanes[0].steps;
  g_assert_cmpuint (at, <, 20000);
  options->pace = LS_PACE_FULL;
  ls_coordinator_configure (c, options);
  s = finish (c);
  g_assert_cmpuint (s->lanes[1].steps, ==, 20000);
  g_assert_cmpint (s->options->pace, ==, LS_PACE_FULL);
  g_assert_cmpuint (s->lanes[0].rate_from, ==, 0); /* a pace is nothing to how a lane computes */
  g_assert_true (ls_curve_get (s->lanes[0].curve, at).flags & LS_POINT_RESTED);
}

/* In a rest a step is recorded that counts otherwise, a question is answered, and pause and end come at
 * once. */
static void
test_rest (void)
{
  for (guint end = 0; end < 2; end++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) resting = NULL, recorded = NULL, paused = NULL;
      LsQuestion *question;
      guint32 flags;

      options->pace = LS_PACE_WATCH;
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, LS_STEPS_ENDLESS);
      resting = wait_for_rest (c);
      ls_coordinator_record_next (c, FALSE);
      recorded = wait_for_recording (c, NULL);
      g_assert_cmpuint (recorded->recording->n_lanes, ==, 2);
      flags = ls_curve_get (recorded->lanes[0].curve, recorded->recording->step - 1).flags;
      g_assert_true (flags & LS_POINT_RECORDED);
      g_assert_false (flags & LS_POINT_RESTED);
      question = ls_question_new (LS_ASKED_TEST, 1, ls_coordinator_data (c)->train.shape);
      ls_question_copy (question, 0, &ls_coordinator_data (c)->test, 0);
      ls_coordinator_ask (c, question);
      for (guint i = 0; i < 4000; i++)
        {
          g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
          if (s != NULL && s->lanes[0].answer != NULL && s->lanes[1].answer != NULL)
            break;
          g_assert_cmpuint (i, <, 3999);
          g_usleep (5000);
        }
      ls_question_unref (question);
      if (end)
        continue; /* the coordinator goes in the midst of a rest */
      ls_coordinator_pause (c);
      paused = finish (c);
      g_assert_false (paused->running);
      g_assert_false (ls_snapshot_ended (paused));
      g_assert_cmpuint (paused->lanes[0].steps, ==, paused->lanes[1].steps);
    }
}

/* By step: no step but those that are recorded, one for each time that one is asked for, on all lanes, up to
 * the end. */
static void
test_by_step (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL, last = NULL;

  options->pace = LS_PACE_STEP;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 6);
  for (guint i = 1; i <= 6; i++)
    {
      g_autoptr (LsSnapshot) next = NULL;
      ls_coordinator_record_next (c, TRUE);
      next = wait_for_recording (c, s != NULL ? s->recording : NULL);
      g_assert_cmpuint (next->recording->step, ==, i);
      g_assert_cmpuint (next->recording->n_lanes, ==, 2);
      ls_snapshot_unref (s);
      s = g_steal_pointer (&next);
    }
  g_assert_true (ls_coordinator_wait (c, 20000));
  last = ls_coordinator_take (c);
  last = last != NULL ? last : ls_snapshot_ref (s);
  g_assert_cmpuint (last->lanes[0].steps, ==, 6);
  g_assert_cmpuint (count (&last->lanes[1], LS_POINT_RECORDED, 6), ==, 6);
}

/* A step that is asked for during the run's last turn would be one too many. */
static void
test_asked_too_late (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.hang_at = 1;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 1);
  while (g_atomic_int_get (&fake.runs) == 0)
    g_usleep (1000);
  ls_coordinator_record_next (c, FALSE);
  g_usleep (20000);
  g_atomic_int_set (&fake.let_go, 1);
  s = finish (c);
  for (guint l = 0; l < 2; l++)
    g_assert_cmpuint (s->lanes[l].steps, ==, 1);
  g_assert_null (s->recording);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pace/plan", test_plan);
  g_test_add_func ("/pace/late", test_late);
  g_test_add_func ("/pace/woken-late", test_woken_late);
  g_test_add_func ("/pace/asked", test_asked);
  g_test_add_func ("/pace/change", test_change);
  g_test_add_func ("/pace/anew", test_anew);
  g_test_add_func ("/pace/bursts", test_bursts);
  g_test_add_func ("/pace/ended", test_ended);
  g_test_add_func ("/pace/hold", test_hold);
  g_test_add_func ("/pace/rest", test_rest);
  g_test_add_func ("/pace/by-step", test_by_step);
  g_test_add_func ("/pace/asked-too-late", test_asked_too_late);
  return g_test_run ();
}
