/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_draw.h"

#include <math.h>

#define WARM_UP 10  /* steps, as the engine leaves them out */
#define NEWEST  200 /* steps behind a rate */

static const char *const fates[] = { "ready",   "behind", "joined later", "waiting",   "compiling",
                                     "overdue", "failed", "hung",         "never ran", "missing" };
static const char *const noises[] = { "calm", "noisy", "spiky" };

/* ---- a lane's steps ---- */

double
ls_draw_loss (const LsDraw *d, guint side, guint64 i)
{
  double loss = d->loss_scale * (2.2 * exp ((double) i / -300.) + .1 + .01 * sin (12.9 * (double) i));

  if (i >= d->not_a_number)
    return (double) NAN;
  if (side == 0)
    return loss;
  switch (d->s->apart)
    {
    case LS_APART_NOT:
      return loss;
    case LS_APART_ROUNDING:
      return loss * (1 + 3e-7 * (double) (i % 5));
    case LS_APART_DRIFT:
      return i < d->drift_from
               ? loss
               : loss
                   + .02 * d->loss_scale * (1 - exp (((double) d->drift_from - (double) i) / 200.))
                       * sin ((double) i);
    case LS_APART_WRONG:
      return i < d->drift_from ? loss : loss + .3 * d->loss_scale;
    }
  return loss;
}

double
ls_draw_time (const LsDraw *d, guint side)
{
  const double u = g_rand_double (d->random);

  switch (d->noises[side])
    {
    case LS_NOISE_NOISY:
      return d->step_us[side] * (.6 + .8 * u);
    case LS_NOISE_SPIKY:
      return d->step_us[side] * (u < .07 ? 20 : 1 + .02 * u);
    case LS_NOISE_CALM:
    default:
      return d->step_us[side] * (.98 + .04 * u);
    }
}

/* `missing`: that many of the first it hasn't done; `disturbed`: so many after them were done beside a
 * compiler. */
static LsCurve *
curve_of (const LsDraw *d, guint side, guint64 steps, guint64 missing, guint64 disturbed, guint64 recorded)
{
  LsCurve *curve = ls_curve_new ();
  double ms = 0;

  for (guint64 i = 0; i < steps; i++)
    {
      const double us = ls_draw_time (d, side);
      LsPoint point = { .step_us = (float) us, .loss = (float) ls_draw_loss (d, side, i) };

      ms += us / 1e3;
      point.end_ms = (guint32) CLAMP (ms, 1, 4e9);
      if (i < missing)
        point = (LsPoint){ .end_ms = point.end_ms, .loss = NAN, .flags = LS_POINT_MISSING };
      else
        point.flags = (i < missing + WARM_UP ? LS_POINT_WARM_UP : 0)
                      | (i < missing + disturbed ? LS_POINT_DISTURBED : 0)
                      | (i + 1 == recorded || i % 97 == 96 ? LS_POINT_RECORDED : 0);
      ls_curve_append (curve, point);
    }
  return curve;
}

/* As the engine publishes it. */
static void
publish_rate (LsLaneSnapshot *lane, guint batch)
{
  g_autofree double *values = g_new (double, NEWEST);
  const gsize n = ls_curve_collect (lane->curve, 0, lane->steps, NEWEST, 0, values, &lane->counted);

  lane->step_us = ls_figure_of_samples (values, n, "µs");
  lane->step_us.left_out = lane->counted.warm_up + lane->counted.recorded + lane->counted.disturbed;
  lane->rate = lane->step_us;
  lane->rate.unit = "samples/s";
  if (n == 0)
    return;
  lane->rate.value = 1e6 * batch / lane->step_us.value;
  lane->rate.q1 = 1e6 * batch / lane->step_us.q3;
  lane->rate.q3 = 1e6 * batch / lane->step_us.q1;
}

static LsBuild *
build_of (const LsDraw *d, const LsPlan *plan, LsLaneSnapshot *lane)
{
  static const char *const kernels[] = { "gemm_packed", "bias_relu", "softmax_xent", "sgd",
                                         "gemm_tiled_with_a_long_name" };
  LsBuild *build = ls_build_new (plan->n_ops);

  build->total = 1 + ls_draw_below (d, 8);
  build->done = ls_draw_below (d, build->total);
  build->left_s = ls_draw_chance (d, .7) ? ls_draw_size (d, .05, 90) : (double) NAN;
  for (guint op = 0; op < plan->n_ops; op++)
    {
      LsOpBuild *b = &build->ops[op];
      if (op % 3 == 2)
        continue;
      b->same_as = op > 3 && ls_draw_chance (d, .3) ? 0 : -1;
      b->kernel = kernels[op % G_N_ELEMENTS (kernels)];
      b->state = op * build->total < build->done * plan->n_ops         ? LS_BUILD_DONE
                 : op * build->total < (build->done + 1) * plan->n_ops ? LS_BUILD_RUNNING
                                                                       : LS_BUILD_TO_COME;
      b->seconds = b->state == LS_BUILD_TO_COME                          ? 0
                   : b->state == LS_BUILD_DONE && ls_draw_chance (d, .2) ? 0
                                                                         : ls_draw_size (d, .01, 20);
    }
  lane->build_done = build->done;
  lane->build_total = build->total;
  return build;
}

static LsEvaluation *
evaluation_of (const LsDraw *d, const LsPlan *plan, guint side, guint64 steps)
{
  const guint n = 200;
  LsEvaluation *evaluation = ls_evaluation_new (n, (guint) plan->n_classes,
                                                plan->in_shape[0] * plan->in_shape[1] * plan->in_shape[2]);

  for (guint i = 0; i < n; i++)
    {
      const guint label = i % (guint) plan->n_classes,
                  shift = i % 11 == 0 || (side == 1 && d->s->apart >= LS_APART_DRIFT && i % 17 == 3);
      ls_evaluation_put (evaluation, i, (label + shift) % (guint) plan->n_classes, label, .9f,
                         shift ? 2.5f : .1f);
    }
  evaluation->steps = steps;
  return evaluation;
}

static void
evaluate (const LsDraw *d, const LsPlan *plan, LsLaneSnapshot *lane, guint side)
{
  lane->accuracy = (double) NAN;
  if (lane->steps < d->epoch)
    return;
  lane->accuracies = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
  for (guint64 step = d->epoch; step <= lane->steps; step += d->epoch)
    {
      const LsAccuracy a = { step, .98 - .5 * exp ((double) step / -200.) };
      g_array_append_val (lane->accuracies, a);
      lane->accuracy = a.accuracy;
      lane->accuracy_step = step;
    }
  if (d->s->seed % 3 == 0)
    lane->evaluation = evaluation_of (d, plan, side, lane->accuracy_step);
}

static void
make_lane (LsDraw *d, const LsPlan *plan, LsLaneSnapshot *lane, guint side, const LsRecording *of,
           guint64 recorded)
{
  static const char *const reasons[]
    = { "the kernel of dW₁ could not be run: the device is out of resources (CL_OUT_OF_RESOURCES, −5)",
        "no answer for 10 s", "this machine has no OpenCL device" };
  const LsFate fate = d->fates[side];
  const gboolean comes = fate == LS_FATE_COMPILING || fate == LS_FATE_OVERDUE,
                 never = comes || fate == LS_FATE_NEVER_RAN;
  const gboolean other_comes = d->fates[1 - side] == LS_FATE_COMPILING
                               || d->fates[1 - side] == LS_FATE_OVERDUE;
  const guint64 joined = fate == LS_FATE_JOINED ? ls_draw_below (d, (guint) d->steps) : 0;

  const guint64 back = 1 + ls_draw_below (d, 3);
  g_autoptr (GPtrArray) specs = NULL;
  g_autoptr (LsOptions) options = ls_options_new ();

  /* in a quarter of the moments lanes have names of their own */
  ls_options_set (options, ls_options_find ("lanes"),
                  d->steps % 4 == 0 ? "cpu(policy=static),opencl(kernel=tiled)" : "cpu,opencl", NULL);
  specs = ls_lane_specs_new (options, NULL);
  *lane = (LsLaneSnapshot){ .spec = ls_lane_spec_ref (specs->pdata[side]),
                            .state = LS_LANE_READY,
                            .accuracy = (double) NAN,
                            .loss = NAN };
  lane->steps = never                    ? 0
                : fate == LS_FATE_BEHIND ? (ls_draw_chance (d, .5) ? d->steps - MIN (d->steps, back)
                                                                   : ls_draw_below (d, (guint) d->steps))
                                         : d->steps;
  if (fate == LS_FATE_FAILED || fate == LS_FATE_HUNG)
    lane->steps = ls_draw_below (d, (guint) d->steps);
  if (d->fates[1 - side] == LS_FATE_WAITING || (fate == LS_FATE_WAITING && d->steps > 20))
    lane->steps = MIN (lane->steps, 20);
  lane->curve = curve_of (d, side, lane->steps, joined,
                          other_comes              ? lane->steps
                          : ls_draw_chance (d, .1) ? 40
                                                   : 0,
                          recorded);
  if (lane->steps > 0)
    lane->loss = ls_curve_get (lane->curve, lane->steps - 1).loss;
  lane->joined = joined;
  lane->waits = fate == LS_FATE_WAITING;
  lane->overdue = fate == LS_FATE_OVERDUE;
  if (!never)
    {
      lane->facts = g_atomic_rc_box_new0 (LsLaneFacts);
      lane->facts->device = ls_device_info_copy (of->lanes[side].device);
      lane->facts->tilings = g_memdup2 (of->lanes[side].tilings, sizeof (LsTiling) * of->n_ops);
    }
  if (comes)
    {
      lane->state = ls_draw_chance (d, .2) ? LS_LANE_OPENING : LS_LANE_BUILDING;
      lane->build = lane->state == LS_LANE_BUILDING ? build_of (d, plan, lane) : NULL;
    }
  if (fate == LS_FATE_FAILED || fate == LS_FATE_HUNG || fate == LS_FATE_NEVER_RAN)
    {
      lane->state = fate == LS_FATE_HUNG ? LS_LANE_HUNG : LS_LANE_FAILED;
      lane->message = g_strdup (reasons[fate == LS_FATE_FAILED ? 0 : fate == LS_FATE_HUNG ? 1 : 2]);
    }
  publish_rate (lane, plan->batch);
  evaluate (d, plan, lane, side);
  g_string_append_printf (d->s->words, "; %s: %s, %" G_GUINT64_FORMAT " steps of %g µs, %s",
                          lane->spec->title, fates[fate], lane->steps, d->step_us[side],
                          noises[d->noises[side]]);
}

/* ---- the run ---- */

static void
hold_against (const LsDraw *d, LsSnapshot *s)
{
  static const char *const apart[] = { "the same", "apart by rounding", "drifting apart", "wrong" };
  LsAgreement *a = &s->agreement;
  const guint64 common = MIN (s->lanes[0].steps, s->lanes[1].steps);

  g_string_append_printf (d->s->words,
                          "; results %s from step %" G_GUINT64_FORMAT " of the common %" G_GUINT64_FORMAT,
                          apart[d->s->apart], d->drift_from, common);
  for (guint64 i = 0; i < common; i++)
    {
      const double left = (double) ls_curve_get (s->lanes[0].curve, i).loss,
                   right = (double) ls_curve_get (s->lanes[1].curve, i).loss;
      const double delta = fabs (left - right);
      if (isnan (delta))
        continue;
      a->losses_compared++;
      a->losses_steps++;
      if (delta > a->loss_delta_max)
        {
          a->loss_delta_max = delta;
          a->loss_delta_step = i;
        }
      if (a->apart_step == 0 && delta > LS_AGREE_LOSS * MAX (1, MAX (left, right)))
        a->apart_step = i + 1;
      if (!a->disagree && d->s->apart == LS_APART_WRONG && delta > LS_DISAGREE_LOSS * MAX (1, left))
        {
          a->disagree = TRUE;
          a->disagree_step = i;
          a->disagree_lanes[1] = 1;
          a->disagree_losses[0] = left;
          a->disagree_losses[1] = right;
          a->examined = d->s->seed % 2 == 0;
        }
    }
  if (common < 50)
    return;
  a->weights_step = common / 50 * 50;
  a->weights_compared = common / 50;
  a->weights_tensor = g_strdup ("1.weight");
  a->weights_delta_max = d->s->apart == LS_APART_NOT
                             || (d->s->apart > LS_APART_ROUNDING && a->weights_step <= d->drift_from)
                           ? 0
                           : ls_draw_size (d, 1e-8, 1e-3);
}

LsSnapshot *
ls_draw_snapshot (LsDraw *d, LsRecording *recording, const LsRecording *of, guint64 recorded)
{
  const gint64 image[3] = { 1, 28, 28 }, point[3] = { 2, 1, 1 };
  g_autoptr (LsModel) model = ls_model_parse (d->fixture.model != NULL ? d->fixture.model : "mlp", NULL);
  LsSnapshot *s = g_new0 (LsSnapshot, 1);

  s->ref_count = 1;
  s->plan = ls_plan_new (model, d->fixture.toy ? point : image, d->fixture.toy ? 2 : 10, d->fixture.batch,
                         LS_OPTIMIZER_SGD, NULL);
  s->options = ls_options_new ();
  s->running = ls_draw_chance (d, .8);
  s->turns = d->fixture.on_cpu;
  s->target = ls_draw_chance (d, .5) ? G_MAXUINT64 : d->steps + ls_draw_below (d, 2000);
  s->steps_per_epoch = d->epoch;
  s->n_lanes = d->fates[1] == LS_FATE_MISSING ? 1 : 2;
  s->recording = recording != NULL ? ls_recording_ref (recording) : NULL;
  for (guint i = 0; i < s->n_lanes; i++)
    make_lane (d, s->plan, &s->lanes[i], i, of, recorded);
  if (s->n_lanes == 2)
    hold_against (d, s);
  return s;
}
