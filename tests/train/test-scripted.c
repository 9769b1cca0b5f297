/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the coordinator makes of steps whose losses, times and weights the test wrote: which agree, which
 * lanes disagree from which step on, and the rates that are told; and who is given which steps, in which
 * order.
 */
#include <math.h>
#include <string.h>

#include "scripted.h"

/* ---- what agrees ---- */

/* A thousandth is rounding: of the loss where that is above 1, of 1 below. In 16 bits half a unit in the last
 * place comes on top: 2⁻¹¹ or 2⁻⁸. What is no number on one lane alone is apart. */
static void
test_apart (void)
{
  static const struct {
    double first, second;
    const char *precisions;
    gboolean apart;
  } rows[] = {
    { 1, 1, "fp32,fp32", FALSE },
    { .01, .0105, "fp32,fp32", FALSE },
    { .01, .0115, "fp32,fp32", TRUE },
    { .5, .5009, "fp32,fp32", FALSE },
    { .5009, .5, "fp32,fp32", FALSE },
    { .5, .5015, "fp32,fp32", TRUE },
    { 4, 4.0035, "fp32,fp32", FALSE },
    { 4.0035, 4, "fp32,fp32", FALSE },
    { 4, 4.0045, "fp32,fp32", TRUE },
    { -4, -4.0035, "fp32,fp32", FALSE }, /* a loss below 0 is wrong, but no further apart for that */
    { 4, 4.0055, "fp16,fp16", FALSE },
    { 4, 4.0065, "fp16,fp16", TRUE },
    { 4, 4.019, "fp32,bf16", FALSE },
    { 4, 4.0205, "fp32,bf16", TRUE },
    { 1, (double) NAN, "fp32,fp32", TRUE },
    { (double) INFINITY, 1, "fp32,fp32", TRUE },
    { (double) NAN, (double) NAN, "fp32,fp32", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = scripted_options (0);
      /* a lane whose loss is no number stops there */
      const gboolean goes_on = isfinite (rows[i].first) && isfinite (rows[i].second);

      script.losses[0][1] = (float) rows[i].first;
      script.losses[1][1] = (float) rows[i].second;
      script.losses[0][2] = 1;
      script.losses[1][2] = 3;
      g_autoptr (LsCoordinator) c = scripted_start (options, rows[i].precisions);
      g_autoptr (LsSnapshot) s = scripted_run (c, 3);
      const LsAgreement *a = &s->agreement;
      const guint expected = rows[i].apart ? 2 : goes_on ? 3 : 0;

      if (a->apart_step != expected)
        g_error ("losses of %s of %g and %g are told to be apart from step %u on, not %u", rows[i].precisions,
                 rows[i].first, rows[i].second, (guint) a->apart_step, expected);
      g_assert_cmpuint (a->losses_compared, ==, goes_on ? 3 : 2);
      g_assert_cmpint (a->precisions, ==, strcmp (rows[i].precisions, "fp32,bf16") == 0);
      /* the largest distance is as it is, of the step it was at, from 0 */
      g_assert_cmpuint (a->loss_delta_step, ==, goes_on ? 2 : 1);
      if (goes_on)
        g_assert_cmpfloat (a->loss_delta_max, ==, 2);
      else
        g_assert_false (isfinite (a->loss_delta_max));
    }
}

/* Losses .5 apart are what training may come to for a step; in the mean of some 16 steps above .05 they are
 * of other work: after 2 such steps it is .5 (1 − (15/16)²) = .0605. One alone is forgotten once its mean
 * has gone down to .05/32, which takes 48 equal steps: .03125 (15/16)^47 = .00151, ^46 .00161. */
static void
test_disagree (void)
{
  static const struct {
    guint spike, last; /* steps, from 0: one apart, and from when on all are */
    double by;
    guint expected_step, found_at;
  } rows[] = {
    { 3, 3, .5, 3, 4 },   /* from there on all */
    { 3, 20, .5, 3, 21 }, /* the spike isn't forgotten yet: it began there */
    { 3, 50, .5, 3, 51 },
    { 3, 51, .5, 51, 52 },         /* it is */
    { 5, 5, 2, 5, 5 },             /* 2 / 2.25 / 16 in one step */
    { 2, 2, .06, 2, 29 },          /* .06 (1 − (15/16)^28) = .0502 */
    { 0, 0, .049, G_MAXUINT, 99 }, /* that much is no other work */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = scripted_options (0);

      for (guint step = 0; step < 100; step++)
        {
          script.losses[0][step] = .25f;
          script.losses[1][step] = (float) (step == rows[i].spike || step >= rows[i].last ? .25 + rows[i].by
                                                                                          : .25);
        }
      g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
      g_autoptr (LsSnapshot) before = scripted_run (c, rows[i].found_at),
                             after = scripted_run (c, rows[i].found_at + 1);
      const LsAgreement *a = &after->agreement;

      if (before->agreement.disagree || a->disagree != (rows[i].expected_step != G_MAXUINT))
        g_error ("row %u: lanes %g apart from step %u on %s at step %u", i, rows[i].by, rows[i].last,
                 a->disagree ? "disagree already" : "agree still", rows[i].found_at);
      if (!a->disagree)
        continue;
      g_assert_cmpuint (a->disagree_step, ==, rows[i].expected_step);
      g_assert_cmpuint (a->disagree_lanes[0], ==, 0);
      g_assert_cmpuint (a->disagree_lanes[1], ==, 1);
      g_assert_cmpfloat (a->disagree_losses[0], ==, .25);
      g_assert_cmpfloat (fabs (a->disagree_losses[1] - .25 - rows[i].by), <, 1e-6);
    }
}

/* Above 1 it is a share of the loss; lanes of other precisions may part; and where one is no number, nothing
 * needs to be waited for. */
static void
test_disagree_large (void)
{
  static const struct {
    double first, second;
    const char *precisions;
    guint disagree_step; /* from 1; 0: they don't */
  } rows[] = { { 10, 10.4, "fp32,fp32", 0 },
               { 10, 10.6, "fp32,fp32", 1 },
               { 1, 2, "fp32,bf16", 0 },
               { (double) NAN, 1, "fp32,fp32", 1 },
               { 1, (double) NAN, "fp32,fp32", 1 },
               { (double) NAN, (double) NAN, "fp32,fp32", 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = scripted_options (0);

      for (guint step = 0; step < 100; step++)
        {
          script.losses[0][step] = (float) rows[i].first;
          script.losses[1][step] = (float) rows[i].second;
        }
      g_autoptr (LsCoordinator) c = scripted_start (options, rows[i].precisions);
      g_autoptr (LsSnapshot) s = scripted_run (c, 100);
      if (s->agreement.disagree != (rows[i].disagree_step > 0))
        g_error ("lanes of %s with losses of %g and %g %s", rows[i].precisions, rows[i].first, rows[i].second,
                 s->agreement.disagree ? "disagree" : "don't disagree");
      if (s->agreement.disagree)
        g_assert_cmpuint (s->agreement.disagree_step + 1, ==, rows[i].disagree_step);
    }
}

/* A lane is held against the first one of its own precision; where there is none before it, against the
 * first. */
static void
test_counterparts (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  for (guint step = 0; step < 4; step++)
    {
      script.losses[0][step] = 1;
      script.losses[1][step] = 2;
      script.losses[2][step] = step == 2 ? 4.5f : 2; /* 2.5 from lane 1, 3.5 from lane 0 */
    }
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,bf16,bf16");
  g_autoptr (LsSnapshot) s = scripted_run (c, 4);
  g_assert_cmpuint (s->agreement.losses_compared, ==, 8);
  if (s->agreement.losses_steps != 4)
    g_error ("3 lanes have done 4 steps, whose losses are told to have been compared of %u",
             (guint) s->agreement.losses_steps);
  g_assert_cmpfloat (s->agreement.loss_delta_max, ==, 2.5);
  g_assert_cmpuint (s->agreement.loss_delta_step, ==, 2);
}

/* Of three lanes the second is apart from step 3 on, and the third only at step 4: who is found to disagree
 * is the second, since its own step and with its own losses. */
static void
test_disagree_of_three (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  for (guint step = 0; step < 40; step++)
    {
      script.losses[0][step] = .25f;
      script.losses[1][step] = .375f; /* .125 (1 − (15/16)^8) = .0504 */
      script.losses[2][step] = step == 0 ? .5f : .25f;
    }
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32,fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 40);
  const LsAgreement *a = &s->agreement;

  g_assert_true (a->disagree);
  if (a->disagree_lanes[1] != 1)
    g_error ("lane 1 is apart all the time, but lane %u is found", a->disagree_lanes[1]);
  g_assert_cmpuint (a->disagree_step, ==, 0);
  g_assert_cmpuint (a->disagree_lanes[0], ==, 0);
  g_assert_cmpfloat (a->disagree_losses[0], ==, .25);
  g_assert_cmpfloat (a->disagree_losses[1], ==, .375);
}

/* Weights 2 everywhere but one: the largest distance of any, and the tensor that is furthest off in
 * proportion; each time anew. */
static void
test_weights (void)
{
  g_autoptr (LsOptions) options = scripted_options (10);
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  const LsPlan *plan = ls_coordinator_plan (c);

  /* 3 off in a tensor of 16: 3 / (2 · 4); on the other lane 2 in one of 2: 2 / √(2² + 4²), which is more */
  g_assert_cmpint (ls_tensor_count (&plan->tensors[plan->params[0].weight]), ==, 16);
  g_assert_cmpint (ls_tensor_count (&plan->tensors[plan->params[3].weight]), ==, 2);
  script.weight[1].param = 0;
  script.weight[1].at = 15;
  script.weight[1].value = -1;
  script.weight[0].param = 3;
  script.weight[0].at = 1;
  script.weight[0].value = 4;
  g_autoptr (LsSnapshot) first = scripted_run (c, 10);
  g_assert_cmpuint (first->agreement.weights_compared, ==, 1);
  g_assert_cmpuint (first->agreement.weights_step, ==, 10);
  g_assert_cmpfloat (first->agreement.weights_delta_max, ==, 3);
  /* of the lane that was there first, 0 by the log: √(2² + 4²) */
  g_assert_cmpfloat (fabs (first->agreement.weights_relative - 2 / sqrt (20)), <, 1e-9);
  g_assert_cmpstr (first->agreement.weights_tensor, ==, plan->tensors[plan->params[3].weight].name);
  g_assert_cmpuint (first->agreement.weights_kept, ==, 0); /* nobody is still to come */
  script.weight[0].value = 2;
  script.weight[1].value = 2.5f;
  g_autoptr (LsSnapshot) second = scripted_run (c, 20);
  g_assert_cmpuint (second->agreement.weights_compared, ==, 2);
  g_assert_cmpuint (second->agreement.weights_step, ==, 20);
  g_assert_cmpfloat (second->agreement.weights_delta_max, ==, .5);
  g_assert_cmpfloat (second->agreement.weights_relative, >, 0);
  g_assert_cmpstr (second->agreement.weights_tensor, ==, plan->tensors[plan->params[0].weight].name);
  /* the same, bit for bit: nothing of before is left */
  script.weight[0].param = script.weight[1].param = 2;
  script.weight[1].value = 2;
  g_autoptr (LsSnapshot) third = scripted_run (c, 30);
  g_assert_cmpfloat (third->agreement.weights_delta_max, ==, 0);
  g_assert_cmpfloat (third->agreement.weights_relative, ==, 0);
  /* one that is no number is further off than any */
  script.weight[1].param = 3;
  script.weight[1].at = 1;
  script.weight[1].value = (float) NAN;
  g_autoptr (LsSnapshot) fourth = scripted_run (c, 40);
  g_assert_true (isnan (fourth->agreement.weights_delta_max));
  g_assert_true (isnan (fourth->agreement.weights_relative));
  g_assert_cmpstr (fourth->agreement.weights_tensor, ==, plan->tensors[plan->params[3].weight].name);
}

/* ---- what is told ---- */

/* Steps of 9 ms and more, each a turn of its own, the next always 1 µs longer: the median is of all that
 * count. */
static void
test_rates (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  for (guint i = 0; i < SCRIPTED_STEPS; i++)
    script.step_us[i] = 9000 + i;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 411);
  const LsFigure *step = &s->lanes[0].step_us, *rate = &s->lanes[0].rate;
  /* the ten first ones are left out: 9010 … 9410 µs are told */
  g_assert_cmpuint (step->n, ==, 401);
  g_assert_cmpuint (step->left_out, ==, 10);
  g_assert_cmpfloat (step->value, ==, 9210);
  g_assert_cmpfloat (step->q1, ==, 9110);
  g_assert_cmpfloat (step->q3, ==, 9310);
  g_assert_cmpstr (step->unit, ==, "µs");
  g_assert_null (step->condition);
  g_assert_cmpuint (s->lanes[0].counted.from, ==, 10);
  g_assert_cmpuint (s->lanes[0].counted.end, ==, 411);
  g_assert_cmpuint (s->lanes[0].counted.warm_up, ==, 10);
  /* 16 samples a step; the shorter quarter of the steps is the higher rate's */
  g_assert_cmpstr (rate->unit, ==, "samples/s");
  g_assert_cmpuint (rate->n, ==, 401);
  g_assert_cmpuint (rate->left_out, ==, 10);
  g_assert_cmpfloat (rate->value, ==, 16e6 / 9210);
  g_assert_cmpfloat (rate->q1, ==, 16e6 / 9310);
  g_assert_cmpfloat (rate->q3, ==, 16e6 / 9110);
  g_assert_cmpint (rate->evidence, ==, LS_EVIDENCE_MEASURED);
  /* from here on the lanes compute in another way, and begin anew */
  g_autoptr (LsOptions) unfused = ls_options_copy (options);
  unfused->fusion = FALSE;
  ls_coordinator_configure (c, unfused);
  g_autoptr (LsSnapshot) changed = scripted_run (c, 451);
  g_assert_cmpuint (changed->lanes[0].rate_from, ==, 411);
  g_assert_cmpuint (changed->lanes[0].rate.n, ==, 30);
  g_assert_cmpuint (changed->lanes[0].rate.left_out, ==, 10);
  g_assert_cmpfloat (changed->lanes[0].step_us.value, ==, 9000 + (421 + 450) / 2.);
  g_assert_false (script.fuse[0] || script.fuse[1]);
}

/* Steps that are too short for the clock have no rate. */
static void
test_too_short (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  for (guint i = 0; i < SCRIPTED_STEPS; i++)
    script.step_us[i] = 0;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 30);
  g_assert_cmpuint (s->lanes[0].step_us.n, ==, 20);
  g_assert_cmpuint (s->lanes[0].rate.n, ==, 0);
}

/* A step's time is its turn's, shared out: 1, 8 and 8 steps of which every other takes 1500 µs. */
static void
test_points (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  for (guint i = 0; i < SCRIPTED_STEPS; i++)
    script.step_us[i] = i == 0 ? 1000 : i % 2 == 0 ? 500 : 1500;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 17);
  g_assert_cmpstr (script.log->str, ==, "0T0+1 0T1+8 0T9+8 0E17");
  for (guint i = 0; i < 17; i++)
    {
      const LsPoint point = ls_curve_get (s->lanes[0].curve, i);

      g_assert_cmpfloat (point.step_us, ==, 1000);
      g_assert_cmpfloat (point.loss, ==, (double) (float) (1. / (i + 1)));
      g_assert_cmpuint (point.flags, ==, i < 10 ? LS_POINT_WARM_UP : 0);
    }
  g_assert_cmpfloat (s->lanes[0].loss, ==, (double) (float) (1. / 17));
}

/* A turn is as long as the newest steps say, of 16 at most. */
static void
test_turn_follows (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  for (guint i = 0; i < SCRIPTED_STEPS; i++)
    script.step_us[i] = i < 17 ? 1000 : i < 31 ? 4000 : i < 67 ? 400 : 9000;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 85);
  g_assert_cmpstr (script.log->str, ==,
                   "0T0+1 0T1+8 0T9+8 0T17+8 0T25+2 0T27+2 0T29+2 0T31+2 0T33+16 0T49+16 0T65+16 0T81+1 "
                   "0T82+1 0T83+1 0T84+1 0E85");
  g_assert_cmpuint (s->lanes[0].steps, ==, 85);
}

/* At watch pace turns take a quarter of the time, so that the window paints no frame in most of them. */
static void
test_watch_turns (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);

  options->pace = LS_PACE_WATCH;
  for (guint i = 0; i < SCRIPTED_STEPS; i++)
    script.step_us[i] = 600;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 10);
  g_assert_cmpstr (script.log->str, ==, "0T0+1 0T1+3 0T4+3 0T7+3 0E10");
  g_assert_cmpuint (s->lanes[0].steps, ==, 10);
}

/* A loss that is no number stops the lane there, in the middle of a turn, and says what to do; what came
 * after it isn't told. */
static void
test_blown (void)
{
  for (guint half = 0; half < 2; half++)
    {
      g_autoptr (LsOptions) options = scripted_options (0);

      script.losses[0][3] = half ? INFINITY : NAN;
      g_autoptr (LsCoordinator) c = scripted_start (options, half ? "fp16" : "fp32");
      g_autoptr (LsSnapshot) s = scripted_run (c, 30);
      g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
      g_assert_cmpuint (s->lanes[0].steps, ==, 4);
      g_assert_cmpstr (s->lanes[0].message, ==,
                       half ? "The loss is not a finite number at step 4; fp16 ends at 65504: use a smaller "
                              "learning rate (--lr), or --precision bf16."
                            : "The loss is not a finite number at step 4; use a smaller learning rate "
                              "(--lr).");
    }
}

/* After a rest 20 ms of steps don't count, by the lane that has them over first: ten of 2 ms each, not two of
 * the other one's 10 ms. */
static void
test_settling (void)
{
  g_autoptr (LsOptions) options = scripted_options (0);
  guint rested = 0, rests = 0;

  options->pace = LS_PACE_WATCH;
  script.slower[0] = 2;
  script.slower[1] = 10;
  g_autoptr (LsCoordinator) c = scripted_start (options, "fp32,fp32");
  g_autoptr (LsSnapshot) s = scripted_run (c, 90);

  for (guint64 i = 0; i < 90; i++)
    {
      if (ls_curve_get (s->lanes[0].curve, i).flags & LS_POINT_RESTED)
        {
          rested++;
          continue;
        }
      if (rested > 0 && rested < 10)
        g_error ("up to step %u only %u steps after a rest are left out, of 10 that take 20 ms", (guint) i,
                 rested);
      rests += rested > 0;
      rested = 0;
    }
  g_assert_cmpuint (rests, >, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scripted/apart", test_apart);
  g_test_add_func ("/scripted/disagree", test_disagree);
  g_test_add_func ("/scripted/disagree-large", test_disagree_large);
  g_test_add_func ("/scripted/counterparts", test_counterparts);
  g_test_add_func ("/scripted/disagree-of-three", test_disagree_of_three);
  g_test_add_func ("/scripted/weights", test_weights);
  g_test_add_func ("/scripted/rates", test_rates);
  g_test_add_func ("/scripted/too-short", test_too_short);
  g_test_add_func ("/scripted/points", test_points);
  g_test_add_func ("/scripted/turn-follows", test_turn_follows);
  g_test_add_func ("/scripted/watch-turns", test_watch_turns);
  g_test_add_func ("/scripted/settling", test_settling);
  g_test_add_func ("/scripted/blown", test_blown);
  status = g_test_run ();
  scripted_end ();
  return status;
}
