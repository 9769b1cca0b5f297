/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filling the sides from a recording's lanes. Figures of a recording are counted again from its steps:
 * warm-up and the recorded step itself left out, at most the newest 200, as a running program does it.
 */
#include "config.h"
#include "ui/paint/data/view_private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/data/device_words.h"
#include "ui/paint/data/typical.h"

#define FIGURE_STEPS 200

static void
count_rate (LsViewData *data, LsViewLane *lane, guint64 warm_up)
{
  g_autofree double *values = g_new (double, FIGURE_STEPS);
  /* the last step is the recorded one */
  const guint64 end = lane->steps > 0 ? lane->steps - 1 : 0;
  gsize n = 0;

  if (lane->curve != NULL && end > warm_up)
    n = ls_curve_collect (lane->curve, warm_up, end, FIGURE_STEPS, 0, values, &lane->counted);
  lane->counted.recorded += end < lane->steps;
  if (n < FIGURE_STEPS && lane->counted.warm_up == 0)
    lane->counted.warm_up = MIN (warm_up, end);
  lane->rate = ls_figure_of_samples (values, n, "samples/s");
  if (!(lane->rate.q1 > 0))
    {
      lane->rate.n = 0; /* no step, or too short for the clock */
      return;
    }
  const LsFigure step = lane->rate;
  lane->rate.value = 1e6 * data->batch / step.value;
  lane->rate.q1 = 1e6 * data->batch / step.q3;
  lane->rate.q3 = 1e6 * data->batch / step.q1;
}

/* What isn't a number is the largest difference. */
static double
larger (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : MAX (a, b);
}

/* The lane hasn't done the step, because it was retried later: a file keeps no flags. */
static gboolean
was_missed (const LsPoint *point)
{
  return isnan (point->loss) && !(point->step_us > 0);
}

/* The largest difference of any weight, where the recording keeps them of both lanes; else of any step's
 * loss. *agreed: of the losses. */
static LsFigure
compare_recorded (const LsRecording *recording, gint a, gint b, LsDeltaOf *of, LsAgreed *agreed)
{
  LsFigure figure = { .evidence = LS_EVIDENCE_DERIVED, .unit = "" };
  const LsRecordedLane *x = &recording->lanes[a], *y = &recording->lanes[b];

  for (guint i = 0; i < recording->lanes[a].tensors->len; i++)
    {
      const LsRecordedTensor *tensor = &g_array_index (recording->lanes[a].tensors, LsRecordedTensor, i);
      const LsRecordedShape *shape = &recording->shapes[tensor->shape], *same;
      const float *left = tensor->values, *right;

      if (shape->role != LS_ROLE_WEIGHT || shape->dtype != LS_F32)
        continue;
      right = ls_recording_values (recording, (guint) b, shape->name, &same);
      for (gint64 k = 0; right != NULL && k < ls_recorded_shape_count (shape); k++, figure.n++)
        figure.value = larger (figure.value, fabs ((double) left[k] - (double) right[k]));
    }
  for (guint64 i = 0; i < MIN (x->n_steps, y->n_steps); i++)
    {
      const LsPoint here = ls_curve_get (x->curve, i), there = ls_curve_get (y->curve, i);
      const double first = (double) here.loss, second = (double) there.loss;

      if (was_missed (&here) || was_missed (&there))
        continue;
      agreed->compared++;
      agreed->loss_delta = larger (agreed->loss_delta, fabs (first - second));
      if (agreed->apart_step == 0 && ls_agree_apart (first, second, agreed->tolerance))
        agreed->apart_step = i + 1;
    }
  *of = figure.n > 0 ? LS_DELTA_WEIGHTS : LS_DELTA_LOSSES;
  if (figure.n == 0)
    {
      figure.n = agreed->compared;
      figure.value = agreed->loss_delta;
    }
  return figure;
}

static GArray *
recorded_names (const LsRecording *recording)
{
  g_autoptr (GPtrArray) specs = ls_lane_specs_of_recording (recording);
  GArray *names = ls_view_names_new ();

  for (guint i = 0; i < recording->n_lanes; i++)
    {
      const LsRecordedLane *lane = &recording->lanes[i];
      ls_view_names_add (names, lane->id, specs != NULL ? specs->pdata[i] : NULL, lane->device->who,
                         lane->device);
    }
  ls_view_names_ink (names);
  return names;
}

static void
fill_recorded_curves (LsViewData *data, LsViewLane *lane, const LsRecordedLane *recorded)
{
  lane->state = LS_LANE_READY;
  lane->accuracies = recorded->accuracies != NULL ? g_array_ref (recorded->accuracies) : NULL;
  lane->accuracy = lane->accuracies != NULL
                     ? g_array_index (lane->accuracies, LsAccuracy, lane->accuracies->len - 1).accuracy
                     : (double) NAN;
  lane->steps = recorded->n_steps;
  lane->curve = recorded->curve != NULL ? ls_curve_ref (recorded->curve) : NULL;
  lane->evaluation = recorded->evaluation != NULL ? ls_evaluation_ref (recorded->evaluation) : NULL;
  lane->loss_step = lane->steps;
  lane->loss = (LsFigure){ .unit = "",
                           .evidence = LS_EVIDENCE_MEASURED,
                           .n = lane->steps > 0,
                           .value = lane->steps > 0 ? (double) ls_view_lane_point (lane, lane->steps - 1).loss
                                                    : (double) NAN };
  count_rate (data, lane, MIN ((guint64) data->recording->warm_up, lane->steps));
}

static void
fill_recorded (LsViewData *data, guint side, guint number)
{
  const LsRecording *recording = data->recording;
  const LsRecordedLane *recorded = &recording->lanes[number];
  LsViewLane *lane = &data->sides[side];
  const LsTiling *heavy = NULL;

  if (recording->n_ops > 0)
    heavy = ls_view_heavy_tiling (recorded->tilings, &recording->ops[0].flops, sizeof *recording->ops,
                                  recording->n_ops);
  ls_view_lane_set_device (lane, &g_array_index (data->names, LsViewName, number), recorded->device, heavy);
  lane->recorded = recorded;
  lane->lane = number;
  lane->index = ls_step_index_new (recording, number);
  lane->finer = ls_step_index_new_finer (recording, number);
  fill_recorded_curves (data, lane, recorded);
}

/* Lanes that stand on no side have their curves. */
static void
fill_recorded_others (LsViewData *data, const gint sides[LS_SIDES])
{
  data->others = ls_view_lanes_new ();
  for (guint i = 0; i < data->recording->n_lanes; i++)
    if ((gint) i != sides[0] && (gint) i != sides[1])
      {
        const LsRecordedLane *recorded = &data->recording->lanes[i];
        LsViewLane *lane = g_new0 (LsViewLane, 1);

        ls_view_lane_set_device (lane, &g_array_index (data->names, LsViewName, i), recorded->device, NULL);
        fill_recorded_curves (data, lane, recorded);
        g_ptr_array_add (data->others, lane);
      }
}

void
ls_view_judge (LsViewData *data, LsFairPair *pair)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      pair->lanes[side].name = data->sides[side].brief;
      pair->lanes[side].rate = data->sides[side].rate;
    }
  data->fairness = ls_fairness_new (pair);
}

static void
judge_recorded (LsViewData *data, const gint sides[LS_SIDES])
{
  g_autoptr (GPtrArray) specs = ls_lane_specs_of_recording (data->recording);
  LsFairPair pair;

  ls_fair_pair_of_recording (&pair, data->recording, specs, (guint) sides[0], (guint) sides[1]);
  ls_view_judge (data, &pair);
}

static void
set_origin (LsViewData *data, const char *origin)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_free (data->sides[side].recorded_on);
      data->sides[side].recorded_on = data->sides[side].there ? g_strdup_printf (_("recorded on %s"), origin)
                                                              : NULL;
    }
}

LsViewData *
ls_view_data_from_recording (LsRecording *recording, const LsViewBeside *beside)
{
  LsViewData *data = g_new0 (LsViewData, 1);
  gint sides[LS_SIDES];

  data->ref_count = 1;
  data->modelled = ls_machine_memo_new ();
  if (beside != NULL)
    ls_view_take_beside (data, beside);
  data->recording = ls_recording_ref (recording);
  data->batch = recording->batch;
  data->turns = recording->turns;
  data->program = g_strdup (recording->program);
  data->date = g_strdup (recording->date);
  if (data->today == NULL)
    data->today = g_strdup (recording->date);
  if (data->lab == NULL && recording->lab != NULL)
    data->lab = ls_lab_results_parse (recording->lab, NULL);
  data->title = ls_view_title (recording->model, recording->model_name, recording->in_shape,
                               g_hash_table_lookup (recording->options, "data"), recording->batch, FALSE);
  data->brief = ls_view_title (recording->model, recording->model_name, recording->in_shape,
                               g_hash_table_lookup (recording->options, "data"), recording->batch, TRUE);
  data->names = recorded_names (recording);
  ls_view_choose_sides (data->names, beside != NULL ? beside->stands : NULL, sides);
  for (guint side = 0; side < LS_SIDES; side++)
    if (sides[side] >= 0)
      fill_recorded (data, side, (guint) sides[side]);
    else
      ls_view_lane_set_missing (&data->sides[side], side, FALSE);
  fill_recorded_others (data, sides);
  if (beside != NULL && beside->origin != NULL)
    set_origin (data, beside->origin);
  ls_view_pair_lanes (data->sides, NULL);
  if (sides[0] >= 0 && sides[1] >= 0)
    {
      data->agreed.tolerance = ls_agree_loss (data->sides[0].precision, data->sides[1].precision);
      data->sides[0].delta = compare_recorded (recording, sides[0], sides[1], &data->sides[0].delta_of,
                                               &data->agreed);
      data->sides[1].delta = data->sides[0].delta;
      data->sides[1].delta_of = data->sides[0].delta_of;
      judge_recorded (data, sides);
    }
  ls_view_compare_answers (data);
  ls_view_stand_alike (data);
  data->step = recording->step;
  ls_typical_tell (data);
  return data;
}
