/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is common to all data, and filling the sides from a recording's lanes. Figures of a recording are
 * counted again from its steps: warm-up and the recorded step itself left out, at most the newest 200, as a
 * running program does it.
 */
#include "config.h"
#include "ui/paint/data/view_private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/data/device_words.h"
#include "ui/paint/data/typical.h"

#define FIGURE_STEPS 200

void
ls_view_lane_clear (LsViewLane *lane)
{
  g_free (lane->message);
  g_free (lane->words);
  g_free (lane->hint);
  g_free (lane->name);
  g_free (lane->brief);
  g_free (lane->device);
  g_free (lane->recorded_on);
  g_free (lane->notice);
  g_free (lane->change);
  g_strfreev (lane->conditions);
  g_clear_pointer (&lane->build, ls_build_unref);
  g_clear_pointer (&lane->index, ls_step_index_unref);
  g_clear_pointer (&lane->finer, ls_step_index_unref);
  g_clear_pointer (&lane->curve, ls_curve_unref);
  g_clear_pointer (&lane->pair, ls_pair_unref);
  g_clear_pointer (&lane->accuracies, g_array_unref);
  g_clear_pointer (&lane->evaluation, ls_evaluation_unref);
  g_clear_pointer (&lane->answer, ls_answer_unref);
  g_clear_pointer (&lane->held, ls_recording_unref);
}

static void
free_lane_cb (gpointer data)
{
  ls_view_lane_clear (data);
  g_free (data);
}

GPtrArray *
ls_view_lanes_new (void)
{
  return g_ptr_array_new_with_free_func (free_lane_cb);
}

LsViewData *
ls_view_data_ref (LsViewData *data)
{
  g_atomic_int_inc (&data->ref_count);
  return data;
}

void
ls_view_data_unref (LsViewData *data)
{
  if (data == NULL || !g_atomic_int_dec_and_test (&data->ref_count))
    return;
  for (guint side = 0; side < LS_SIDES; side++)
    ls_view_lane_clear (&data->sides[side]);
  g_clear_pointer (&data->names, g_array_unref);
  g_clear_pointer (&data->others, g_ptr_array_unref);
  g_clear_pointer (&data->recording, ls_recording_unref);
  g_clear_pointer (&data->plan, ls_plan_unref);
  g_clear_pointer (&data->runs, g_ptr_array_unref);
  g_clear_pointer (&data->lab, g_ptr_array_unref);
  g_clear_pointer (&data->measuring.result, ls_lab_result_unref);
  g_clear_pointer (&data->op_times, ls_op_times_unref);
  g_clear_pointer (&data->other, ls_view_data_unref);
  for (guint i = 0; i < G_N_ELEMENTS (data->disagree); i++)
    g_free (data->disagree[i]);
  g_free (data->aside);
  g_free (data->title);
  g_free (data->brief);
  g_free (data->when);
  g_free (data->program);
  g_free (data->date);
  g_free (data->today);
  g_free (data);
}

void
ls_view_pair_lanes (LsViewLane *sides, const LsViewLane *previous)
{
  if (sides[0].curve != NULL && sides[1].curve != NULL)
    sides[0].pair = ls_pair_update (previous != NULL ? previous->pair : NULL, sides[0].curve, sides[1].curve,
                                    MIN (sides[0].steps, sides[1].steps));
}

LsPoint
ls_view_lane_point (const LsViewLane *lane, guint64 i)
{
  const LsPoint point = { .loss = NAN };

  return lane->curve != NULL && i < lane->steps ? ls_curve_get (lane->curve, i) : point;
}

guint64
ls_view_data_shown_step (const LsViewData *data, guint side)
{
  const LsViewLane *lane = &data->sides[side];

  if (lane->recorded == NULL)
    return 0;
  return lane->held != NULL ? lane->held->step : data->recording->step;
}

const LsLabResult *
ls_view_data_lab (const LsViewData *data, const LsExperiment *experiment)
{
  if (data->measuring.experiment == experiment && data->measuring.result != NULL)
    return data->measuring.result;
  for (guint i = 0; data->lab != NULL && i < data->lab->len; i++)
    if (((const LsLabResult *) data->lab->pdata[i])->experiment == experiment)
      return data->lab->pdata[i];
  return NULL;
}

void
ls_view_take_beside (LsViewData *data, const LsViewBeside *beside)
{
  data->other = beside->other != NULL ? ls_view_data_ref (beside->other) : NULL;
  data->runs = beside->runs != NULL ? g_ptr_array_ref (beside->runs) : NULL;
  data->lab = beside->lab != NULL ? g_ptr_array_ref (beside->lab) : NULL;
  data->measuring = beside->measuring;
  if (beside->today != NULL)
    data->today = g_strdup (beside->today);
  if (data->measuring.result != NULL)
    ls_lab_result_ref (data->measuring.result);
  data->op_times = beside->op_times != NULL ? ls_op_times_ref (beside->op_times) : NULL;
  data->aside = g_strdup (beside->aside.words);
  data->n_aside = beside->aside.n;
  data->aside_step = beside->aside.step;
  data->aside_side = beside->aside.side;
  data->tests = beside->tests;
  data->sample_size = beside->sample_size;
}

void
ls_view_lane_set_missing (LsViewLane *lane, guint side, gboolean live)
{
  lane->name = ls_device_lane_name (side == 0 ? LS_BACKEND_CPU : LS_BACKEND_OPENCL, NULL);
  lane->brief = g_strdup (lane->name);
  lane->who = side == 0 ? LS_BACKEND_CPU : LS_BACKEND_OPENCL;
  lane->device = g_strdup ("");
  lane->conditions = g_new0 (char *, 1);
  lane->accuracy = lane->progress = (double) NAN;
  lane->loss.value = (double) NAN;
  if (live) /* one that was asked for and has no device is a lane that failed */
    {
      lane->message = g_strdup_printf (_("No %s lane was asked for."), lane->name);
      lane->hint = g_strdup (_("Start with “--lanes cpu,opencl” to have both."));
    }
  else
    lane->message = g_strdup_printf (_("No %s lane in this recording."), lane->name);
}

const LsTiling *
ls_view_heavy_tiling (const LsTiling *tilings, const gint64 *flops, guint stride, guint n)
{
  gint64 most = 0;
  const LsTiling *heavy = NULL;

  for (guint i = 0; i < n && tilings != NULL; i++)
    {
      gint64 f = *(const gint64 *) (const void *) ((const char *) flops + (gsize) i * stride);
      if (f > most && tilings[tilings[i].leader].kernel[0])
        {
          most = f;
          heavy = &tilings[tilings[i].leader];
        }
    }
  return heavy;
}

void
ls_view_lane_set_device (LsViewLane *lane, const LsViewName *name, const LsDeviceInfo *device,
                         const LsTiling *heavy)
{
  lane->there = TRUE;
  lane->id = name->id;
  lane->ink = name->ink;
  lane->progress = (double) NAN;
  lane->who = name->who;
  lane->name = g_strdup (name->name);
  lane->brief = g_strdup (name->brief);
  lane->shares_cpu = device != NULL && device->shares_cpu;
  lane->device = device != NULL ? ls_device_line (device) : g_strdup ("");
  lane->conditions = device != NULL ? ls_device_conditions (device, heavy) : g_new0 (char *, 1);
}

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
        figure.value = MAX (figure.value, fabs ((double) left[k] - (double) right[k]));
    }
  for (guint64 i = 0; i < MIN (x->n_steps, y->n_steps); i++)
    {
      const double first = (double) ls_curve_get (x->curve, i).loss,
                   second = (double) ls_curve_get (y->curve, i).loss;
      const double delta = fabs (first - second);
      if (isnan (delta)) /* a lane hasn't done the step, because it was retried later */
        continue;
      agreed->compared++;
      agreed->loss_delta = MAX (agreed->loss_delta, delta);
      if (agreed->apart_step == 0 && delta > LS_AGREE_LOSS * MAX (1, MAX (fabs (first), fabs (second))))
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

/* "784 · 256 · 128 · 10" where all layers with weights are dense: what people call such a net. (transfer
 * full), or NULL. */
static char *
dense_sizes (const LsModel *model, const gint64 in_shape[3])
{
  GString *text = g_string_new (NULL);
  guint dense = 0;

  g_string_append_printf (text, "%" G_GINT64_FORMAT, in_shape[0] * in_shape[1] * in_shape[2]);
  for (guint i = 0; model != NULL && i < model->n_layers; i++)
    if (model->layers[i].kind == LS_LAYER_DENSE && ++dense > 0)
      g_string_append_printf (text, " · %d", model->layers[i].n);
    else if (model->layers[i].kernel > 0)
      dense = 100; /* another layer with sizes */
  if (dense == 0 || dense > 5)
    return g_string_free (text, TRUE);
  return g_string_free (text, FALSE);
}

/* "mlp" of a preset, else "3 layers". */
static char *
brief_model (const LsModel *model, const char *name)
{
  guint weighted = 0;

  if (name != NULL && *name)
    return g_strdup (name);
  for (guint i = 0; model != NULL && i < model->n_layers; i++)
    weighted += model->layers[i].n > 0;
  return g_strdup_printf (ngettext ("%u layer", "%u layers", weighted), weighted);
}

char *
ls_view_title (const char *model, const char *name, const gint64 in_shape[3], const char *data, guint batch,
               gboolean brief)
{
  g_autoptr (LsModel) read = ls_model_parse (model, NULL); /* NULL: layers that this program doesn't know */
  g_autofree char *sizes = brief ? brief_model (read, name) : dense_sizes (read, in_shape);
  const char *shown = sizes != NULL ? sizes : name != NULL && *name ? name : model;

  if (data != NULL && *data)
    {
      g_autofree char *folder = g_path_get_basename (data);
      return g_strdup_printf (_("%s on %s, batch %u"), shown, folder, batch);
    }
  return g_strdup_printf (_("%s, batch %u"), shown, batch);
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
      data->sides[0].delta = compare_recorded (recording, sides[0], sides[1], &data->sides[0].delta_of,
                                               &data->agreed);
      data->sides[1].delta = data->sides[0].delta;
      data->sides[1].delta_of = data->sides[0].delta_of;
    }
  ls_view_compare_answers (data);
  data->step = recording->step;
  ls_typical_tell (data);
  return data;
}
