/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "states.h"

#include <libintl.h>
#include <math.h>
#include <string.h>

#include "ui/paint/parts/coming.h"

#define EPOCH 469

const char *
ls_fixture_state_name (LsFixtureState state)
{
  static const char *const names[] = { "played-back",   "live",     "runs",    "failed",
                                       "getting-ready", "building", "overdue", "unrecorded",
                                       "no-device",     "disagree", "history", "not-yet" };

  return names[state];
}

/* The recording's history as a live run's curve. */
static void
make_live (LsViewLane *lane, guint side, guint64 steps)
{
  LsCurve *recorded = ls_curve_ref (lane->recorded->curve);
  double ms = 0;

  g_clear_pointer (&lane->curve, ls_curve_unref);
  lane->curve = ls_curve_new ();
  lane->accuracies = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
  for (guint64 i = 0; i < steps; i++)
    {
      LsPoint point = ls_curve_get (recorded, i);
      const LsAccuracy a = { i + 1, 1 - .08 * exp (-(double) i / 900) - .022 + .002 * sin ((double) i) };

      ms += (double) point.step_us / 1e3 * 2;
      point.end_ms = (guint32) MAX (1, ms);
      ls_curve_append (lane->curve, point);
      if ((i + 1) % EPOCH == 0)
        g_array_append_val (lane->accuracies, a);
    }
  lane->steps = steps;
  lane->accuracy = lane->accuracies->len > 0
                     ? g_array_index (lane->accuracies, LsAccuracy, lane->accuracies->len - 1).accuracy
                     : (double) NAN;
  lane->loss.value = (double) ls_curve_get (lane->curve, steps - 1).loss;
  lane->loss.n = 1;
  ls_curve_unref (recorded);
  (void) side;
}

static LsRunCurves *
run_before (const LsViewData *data, const char *label, guint batch, guint64 steps, float by)
{
  LsRunCurves *run = g_new0 (LsRunCurves, 1);

  run->ref_count = 1;
  run->label = g_strdup (label);
  run->batch = batch;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &run->sides[side];
      lane->there = TRUE;
      lane->recorded = data->sides[side].recorded;
      if (lane->recorded == NULL)
        continue;
      make_live (lane, side, MIN (steps, data->sides[side].steps));
      lane->recorded = NULL;
      g_clear_pointer (&lane->curve, ls_curve_unref);
      lane->curve = ls_curve_new ();
      for (guint64 i = 0; i < lane->steps; i++)
        {
          LsPoint point = ls_curve_get (data->sides[side].curve, i);
          point.loss *= by;
          point.step_us /= by;
          ls_curve_append (lane->curve, point);
        }
      lane->rate = (LsFigure){ .n = 1,
                               .value = data->sides[side].rate.value * (double) by * batch / data->batch };
    }
  return run;
}

static void
unrecord (LsViewData *data, guint side)
{
  g_clear_pointer (&data->sides[side].index, ls_step_index_unref);
  data->sides[side].recorded = NULL;
}

static void
clear_figures (LsViewLane *lane)
{
  g_clear_pointer (&lane->curve, ls_curve_unref);
  g_clear_pointer (&lane->accuracies, g_array_unref);
  lane->steps = 0;
  lane->rate.n = lane->loss.n = lane->delta.n = 0;
  lane->rate.value = lane->delta.value = 0;
  lane->loss.value = lane->accuracy = (double) NAN;
}

/* What a lane doesn't know before its device is open. */
static void
clear_device (LsViewLane *lane)
{
  g_free (lane->name);
  g_free (lane->device);
  g_strfreev (lane->conditions);
  lane->name = g_strdup (lane->who == LS_BACKEND_CPU ? "CPU" : "OpenCL");
  lane->device = g_strdup ("");
  lane->conditions = g_new0 (char *, 1);
  lane->shares_cpu = FALSE;
}

static void
wait_after (LsViewLane *lane, guint64 steps)
{
  lane->steps = MIN (lane->steps, steps);
  lane->loss.value = (double) ls_curve_get (lane->curve, lane->steps - 1).loss;
  lane->rate.n = 0;
  lane->accuracy = (double) NAN;
  g_clear_pointer (&lane->accuracies, g_array_unref);
}

LsBuild *
ls_fixture_build (const LsPlan *plan, guint done)
{
  static const char *const kernels[] = { "gemm_packed", "softmax_xent", "pool_max", "conv_packed",
                                         "gemm_packed_t" };
  LsBuild *build = ls_build_new (plan->n_ops);
  gint first[G_N_ELEMENTS (kernels)] = { -1, -1, -1, -1, -1 };

  build->left_s = 2.2;
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const char *name = op->klass->name;
      const guint k = strcmp (name, "matmul") == 0         ? (op->phase == LS_PHASE_FORWARD ? 0 : 4)
                      : strcmp (name, "softmax_xent") == 0 ? 1
                      : g_str_has_prefix (name, "maxpool") ? 2
                      : g_str_has_prefix (name, "conv")    ? 3
                                                           : 9;

      if (k >= G_N_ELEMENTS (kernels) && i > 0) /* done by the kernel of the op before */
        {
          const LsOpBuild *leader = &build->ops[i - 1];
          build->ops[i] = (LsOpBuild){ .state = leader->state,
                                       .kernel = leader->kernel,
                                       .same_as = leader->same_as >= 0 ? leader->same_as : (gint) i - 1 };
        }
      if (k >= G_N_ELEMENTS (kernels))
        continue;
      build->ops[i].kernel = kernels[k];
      if (k != 0 && first[k] >= 0) /* the forward products have a program for each shape */
        build->ops[i].same_as = first[k];
      else
        build->total++;
      first[k] = first[k] < 0 ? (gint) i : first[k];
      if (build->ops[i].same_as >= 0)
        {
          build->ops[i].state = build->ops[build->ops[i].same_as].state;
          continue;
        }
      build->ops[i].state = build->total <= done       ? LS_BUILD_DONE
                            : build->total == done + 1 ? LS_BUILD_RUNNING
                                                       : LS_BUILD_TO_COME;
      build->ops[i].seconds = build->total <= done       ? .61 - .13 * (build->total - 1)
                              : build->total == done + 1 ? .3
                                                         : 0;
      build->done += build->total <= done;
    }
  return build;
}

static void
apply (LsViewData *data, LsFixtureState state)
{
  LsViewLane *cpu = &data->sides[0], *opencl = &data->sides[1];
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  const guint64 half = cpu->steps * 3 / 4;

  switch (state)
    {
    case LS_STATE_RUNS:
      g_ptr_array_add (runs, run_before (data, "batch 32, lr 0.1", 32, half, 1.5f));
      g_ptr_array_add (runs, run_before (data, "batch 256, lr 0.05, adam", 256, cpu->steps, .8f));
      data->runs = g_ptr_array_ref (runs);
      break;
    case LS_STATE_FAILED:
      opencl->state = LS_LANE_FAILED;
      opencl->stopped_at = half + 1;
      opencl->steps = half;
      while (opencl->accuracies->len > 0
             && g_array_index (opencl->accuracies, LsAccuracy, opencl->accuracies->len - 1).steps > half)
        g_array_set_size (opencl->accuracies, opencl->accuracies->len - 1);
      opencl->message = g_strdup_printf ("Stopped at step %u.", (guint) half + 1);
      opencl->words = g_strdup (
        "The kernel of dW₁ could not be run: the device is out of resources (CL_OUT_OF_RESOURCES, −5).");
      opencl->hint = g_strdup_printf ("Shown: step %u, the last complete one.", (guint) half);
      break;
    case LS_STATE_GETTING_READY:
      for (guint side = 0; side < LS_SIDES; side++)
        {
          clear_figures (&data->sides[side]);
          unrecord (data, side);
          clear_device (&data->sides[side]);
          data->sides[side].state = side == 0 ? LS_LANE_BUILDING : LS_LANE_OPENING;
        }
      g_clear_pointer (&data->recording, ls_recording_unref);
      break;
    case LS_STATE_OVERDUE:
    case LS_STATE_BUILDING:
      clear_figures (opencl);
      unrecord (data, 1);
      clear_device (opencl);
      opencl->state = LS_LANE_BUILDING;
      opencl->build = ls_fixture_build (data->plan, 3);
      opencl->progress = (double) opencl->build->done / opencl->build->total;
      opencl->overdue = state == LS_STATE_OVERDUE;
      cpu->waits = state == LS_STATE_BUILDING;
      cpu->delta.n = 0;
      if (cpu->waits)
        wait_after (cpu, 7);
      data->recording->step = MIN (data->recording->step, cpu->steps);
      break;
    case LS_STATE_UNRECORDED:
      unrecord (data, 1);
      data->recording->step = 5;
      break;
    case LS_STATE_NO_DEVICE:
      clear_figures (opencl);
      unrecord (data, 1);
      opencl->there = FALSE;
      opencl->message = g_strdup ("The OpenCL lane does not run.");
      opencl->words = g_strdup ("This machine has no OpenCL device.");
      opencl->hint = g_strdup ("The CPU lane goes on without it.");
      break;
    case LS_STATE_DISAGREE:
      data->disagree[0] = g_strdup ("First different: the loss of step 1 237.");
      data->disagree[1] = g_strdup ("CPU 0.0312, OpenCL 0.2408; tolerance 0.05 in the mean of 16 steps.");
      cpu->delta.value = opencl->delta.value = .2096;
      break;
    case LS_STATE_NOT_YET:
      for (guint side = 0; side < LS_SIDES; side++)
        {
          clear_figures (&data->sides[side]);
          unrecord (data, side);
        }
      g_clear_pointer (&data->recording, ls_recording_unref);
      break;
    case LS_STATE_PLAYED_BACK:
    case LS_STATE_LIVE:
    case LS_STATE_HISTORY:
    case LS_STATE_N:
      break;
    }
}

LsViewData *
ls_fixture_view (const LsFixture *fixture, LsFixtureState state)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (fixture);
  const LsViewBeside beside = { .origin = "another machine, 2025-11-07" };

  if (state == LS_STATE_PLAYED_BACK)
    return ls_view_data_from_recording (recording, &beside);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  data->live = data->running = TRUE;
  data->target = G_MAXUINT64;
  data->steps_per_epoch = EPOCH;
  data->plan = ls_fixture_plan (fixture);
  g_free (data->when);
  for (guint side = 0; side < LS_SIDES; side++)
    if (data->sides[side].there)
      make_live (&data->sides[side], side, data->sides[side].steps);
  data->running = state != LS_STATE_NOT_YET;
  apply (data, state);
  if (state != LS_STATE_NOT_YET)
    ls_coming_say (data);
  data->when = data->sides[0].steps > 0 ? ls_view_data_step_words (data, data->sides[0].steps)
                                        : g_strdup (gettext ("no step yet"));
  if (state == LS_STATE_HISTORY)
    {
      g_autoptr (LsRecording) earlier = ls_fixture_recording (fixture);
      earlier->step = data->sides[0].steps / 2;
      return ls_view_data_with_recording (data, earlier, NULL);
    }
  return g_steal_pointer (&data);
}

LsViewData *
ls_fixture_tiles (const char *model, guint batch, gboolean values, gboolean opencl)
{
  const LsFixture f = { LS_CORES (2),   .model = model, .batch = batch, .tiles = 8, .groups = opencl ? 32 : 0,
                        .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);

  if (values)
    ls_fixture_add_values (recording);
  return ls_view_data_from_recording (recording, NULL);
}
