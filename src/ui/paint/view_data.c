/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filling the sides: from a recording's lanes, or from a snapshot's. Figures of a recording are counted again from its
 * steps: warm-up and the recorded step itself left out, at most the newest 200, as a running program does it.
 */
#include "config.h"
#include "ui/paint/view_data.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/paint/device_words.h"
#include "ui/paint/number.h"

#define FIGURE_STEPS 200

static void
clear_lane (LsViewLane *lane)
{
  g_free (lane->message);
  g_free (lane->hint);
  g_free (lane->name);
  g_free (lane->device);
  g_free (lane->recorded_on);
  g_strfreev (lane->conditions);
  g_clear_pointer (&lane->index, ls_step_index_unref);
  g_clear_pointer (&lane->curve, ls_curve_unref);
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
    clear_lane (&data->sides[side]);
  g_clear_pointer (&data->recording, ls_recording_unref);
  g_free (data->title);
  g_free (data->when);
  g_free (data->program);
  g_free (data->date);
  g_free (data);
}

LsPoint
ls_view_lane_point (const LsViewLane *lane, guint64 i)
{
  const LsPoint point = { .loss = NAN };

  return lane->curve != NULL && i < lane->steps ? ls_curve_get (lane->curve, i) : point;
}

double
ls_view_lane_rate (const LsViewData *data, const LsViewLane *lane, guint64 i)
{
  const LsPoint point = ls_view_lane_point (lane, i);

  return point.step_us > 0 ? 1e6 * data->batch / (double) point.step_us : (double) NAN;
}

/* Which lane stands where: the CPU's left, OpenCL's right, whatever else there is in the place that is left. */
static void
choose_sides (guint n, const char *const *backends, gint *sides)
{
  sides[0] = sides[1] = -1;
  for (guint i = 0; i < n; i++)
    if (strcmp (backends[i], "opencl") == 0 && sides[1] < 0)
      sides[1] = (gint) i;
    else if (strcmp (backends[i], "cpu") == 0 && sides[0] < 0)
      sides[0] = (gint) i;
  for (guint i = 0; i < n; i++)
    for (guint side = 0; side < LS_SIDES; side++)
      if (sides[side] < 0 && sides[1 - side] != (gint) i)
        sides[side] = (gint) i;
}

static void
set_missing (LsViewLane *lane, guint side, gboolean live)
{
  lane->name = g_strdup (side == 0 ? _("CPU") : "OpenCL");
  lane->device = g_strdup ("");
  lane->conditions = g_new0 (char *, 1);
  lane->accuracy = (double) NAN;
  lane->loss.value = (double) NAN;
  if (side == 1 && live)
    {
      lane->message = g_strdup (_("No OpenCL device found."));
      lane->hint = g_strdup (_("The CPU lane runs; lessons play from recordings."));
    }
  else
    lane->message = g_strdup_printf (_("No %s lane in this recording."), lane->name);
}

/* The kernel of the op with the most arithmetic: what the lane's speed depends on most. */
static const char *
main_kernel (const LsTiling *tilings, const gint64 *flops, guint stride, guint n)
{
  gint64 most = 0;
  const char *kernel = NULL;

  for (guint i = 0; i < n && tilings != NULL; i++)
    {
      gint64 f = *(const gint64 *) (const void *) ((const char *) flops + (gsize) i * stride);
      if (f > most && tilings[tilings[i].leader].kernel[0])
        {
          most = f;
          kernel = tilings[tilings[i].leader].kernel;
        }
    }
  return kernel;
}

static void
set_device (LsViewLane *lane, const char *backend, const LsDeviceInfo *device, const char *kernel)
{
  lane->there = TRUE;
  lane->name = ls_device_lane_name (backend, device);
  lane->shares_cpu = device != NULL && device->shares_cpu;
  lane->device = device != NULL ? ls_device_line (device) : g_strdup ("");
  lane->conditions = device != NULL ? ls_device_conditions (device, kernel) : g_new0 (char *, 1);
}

static void
count_rate (LsViewData *data, LsViewLane *lane)
{
  g_autofree double *values = g_new (double, FIGURE_STEPS);
  LsFigure step;
  gsize n = 0;

  /* the last step is the recorded one */
  for (guint64 i = lane->steps > 0 ? lane->steps - 1 : 0; i-- > lane->warm_up && n < FIGURE_STEPS;)
    {
      LsPoint point = ls_view_lane_point (lane, i);
      if (point.step_us > 0)
        values[n++] = (double) point.step_us;
    }
  step = ls_figure_of_samples (values, n, "µs");
  lane->rate = step;
  lane->rate.unit = "samples/s";
  if (n == 0)
    return;
  lane->rate.value = 1e6 * data->batch / step.value;
  lane->rate.q1 = 1e6 * data->batch / step.q3;
  lane->rate.q3 = 1e6 * data->batch / step.q1;
}

/* The largest difference of any weight, where the recording keeps them of both lanes; else of any step's loss. */
static LsFigure
compare_recorded (const LsRecording *recording, gint a, gint b, const char **of)
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
  *of = _("weights");
  if (figure.n > 0)
    return figure;
  *of = _("loss");
  for (guint64 i = 0; i < MIN (x->n_steps, y->n_steps); i++, figure.n++)
    figure.value = MAX (figure.value, fabs ((double) ls_curve_get (x->curve, i).loss - (double) ls_curve_get (y->curve, i).loss));
  return figure;
}

static guint
warm_up_of (const LsRecording *recording)
{
  const char *text = g_hash_table_lookup (recording->conditions, "warm-up steps");
  guint64 steps = 0;

  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &steps, NULL);
  return (guint) steps;
}

static char *
title_of (const char *model, const char *name, const char *data, guint batch)
{
  const char *shown = name != NULL && *name ? name : model;

  if (data != NULL && *data)
    {
      g_autofree char *folder = g_path_get_basename (data);
      return g_strdup_printf (_("%s on %s, batch %u"), shown, folder, batch);
    }
  return g_strdup_printf (_("%s, batch %u"), shown, batch);
}

static void
fill_recorded (LsViewData *data, guint side, guint number)
{
  const LsRecording *recording = data->recording;
  const LsRecordedLane *recorded = &recording->lanes[number];
  LsViewLane *lane = &data->sides[side];
  const char *kernel = NULL;

  if (recording->n_ops > 0 && g_strcmp0 (recorded->device->backend, "opencl") == 0)
    kernel = main_kernel (recorded->tilings, &recording->ops[0].flops, sizeof *recording->ops, recording->n_ops);
  set_device (lane, recorded->device->backend, recorded->device, kernel);
  lane->state = LS_LANE_READY;
  lane->accuracy = (double) NAN;
  lane->recorded = recorded;
  lane->lane = number;
  lane->index = ls_step_index_new (recording, number);
  lane->steps = recorded->n_steps;
  lane->curve = recorded->curve != NULL ? ls_curve_ref (recorded->curve) : NULL;
  lane->warm_up = (guint) MIN ((guint64) warm_up_of (recording), lane->steps);
  lane->loss = (LsFigure){ .unit = "", .evidence = LS_EVIDENCE_MEASURED, .n = lane->steps > 0,
                           .value = lane->steps > 0 ? (double) ls_view_lane_point (lane, lane->steps - 1).loss : (double) NAN };
  count_rate (data, lane);
}

LsViewData *
ls_view_data_from_recording (LsRecording *recording)
{
  LsViewData *data = g_new0 (LsViewData, 1);
  const char *backends[LS_RECORDING_MAX_LANES], *turns = g_hash_table_lookup (recording->conditions, "lanes");
  g_autofree char *step = ls_number_count (recording->step);
  gint sides[LS_SIDES];

  data->ref_count = 1;
  data->recording = ls_recording_ref (recording);
  data->batch = recording->batch;
  data->turns = turns != NULL && strcmp (turns, "in turn") == 0;
  data->program = g_strdup (recording->program);
  data->date = g_strdup (recording->date);
  data->title = title_of (recording->model, recording->model_name, g_hash_table_lookup (recording->options, "data"),
                          recording->batch);
  data->when = g_strdup_printf (_("step %s, played back"), step);
  for (guint i = 0; i < recording->n_lanes; i++)
    backends[i] = recording->lanes[i].device->backend;
  choose_sides (recording->n_lanes, backends, sides);
  for (guint side = 0; side < LS_SIDES; side++)
    if (sides[side] >= 0)
      fill_recorded (data, side, (guint) sides[side]);
    else
      set_missing (&data->sides[side], side, FALSE);
  if (sides[0] >= 0 && sides[1] >= 0)
    for (guint side = 0; side < LS_SIDES; side++)
      data->sides[side].delta = compare_recorded (recording, sides[0], sides[1], &data->sides[side].delta_of);
  return data;
}

void
ls_view_data_set_origin (LsViewData *data, const char *origin)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_free (data->sides[side].recorded_on);
      data->sides[side].recorded_on = data->sides[side].there ? g_strdup_printf (_("recorded on %s"), origin) : NULL;
    }
}

/* ---- from a run ---- */

static char *
state_message (const LsLaneSnapshot *lane, const char *name)
{
  switch (lane->state)
    {
    case LS_LANE_OPENING:
      return g_strdup_printf (_("%s: looking for its device"), name);
    case LS_LANE_BUILDING:
      if (lane->build_total > 0)
        return g_strdup_printf (_("%s: building %u of %u"), name, lane->build_done, lane->build_total);
      return g_strdup_printf (_("%s: getting ready"), name);
    case LS_LANE_FAILED:
    case LS_LANE_HUNG:
      return g_strdup (lane->message);
    case LS_LANE_READY:
      break;
    }
  return NULL;
}

/* The recorded lane of this backend, or −1. */
static gint
find_recorded (const LsRecording *recording, const char *backend)
{
  for (guint i = 0; recording != NULL && i < recording->n_lanes; i++)
    if (strcmp (recording->lanes[i].device->backend, backend) == 0)
      return (gint) i;
  return -1;
}

/* A run without end has no “of”, nor has one that was recorded once more after its end. */
static char *
when_of (guint64 steps, guint64 target)
{
  g_autofree char *done = ls_number_count (steps), *all = ls_number_count (target);

  if (steps == 0)
    return g_strdup (_("no step yet"));
  if (target >= LS_CURVE_MAX || steps > target)
    return g_strdup_printf (_("step %s"), done);
  return g_strdup_printf (_("step %s of %s"), done, all);
}

static void
fill_live (LsViewData *data, guint side, const LsLaneSnapshot *from, const LsSnapshot *snapshot, const LsViewData *previous)
{
  LsViewLane *lane = &data->sides[side];
  const LsDeviceInfo *device = from->facts != NULL ? from->facts->device : NULL;
  const LsAgreement *agreement = &snapshot->agreement;
  const char *kernel = NULL;
  gint recorded = find_recorded (data->recording, from->backend->name);

  if (strcmp (from->backend->name, "opencl") == 0 && from->facts != NULL && snapshot->plan->n_ops > 0)
    kernel = main_kernel (from->facts->tilings, &snapshot->plan->ops[0].flops, sizeof *snapshot->plan->ops,
                          snapshot->plan->n_ops);
  set_device (lane, from->backend->name, device, kernel);
  lane->state = from->state;
  lane->message = state_message (from, lane->name);
  lane->steps = from->steps;
  lane->curve = ls_curve_ref (from->curve);
  lane->accuracy = from->accuracy;
  lane->rate = from->rate;
  lane->warm_up = (guint) MIN (from->rate.left_out, G_MAXUINT);
  lane->loss = (LsFigure){ .unit = "", .evidence = LS_EVIDENCE_MEASURED, .n = from->steps > 0, .value = (double) from->loss };
  lane->delta = (LsFigure){ .unit = "", .evidence = LS_EVIDENCE_DERIVED };
  lane->delta_of = agreement->weights_compared > 0 ? _("weights") : _("loss");
  lane->delta.n = agreement->weights_compared > 0 ? agreement->weights_compared : agreement->losses_compared;
  lane->delta.value = agreement->weights_compared > 0 ? agreement->weights_delta_max : agreement->loss_delta_max;
  if (recorded < 0)
    return;
  lane->lane = (guint) recorded;
  lane->recorded = &data->recording->lanes[recorded];
  /* the index only reads the recording, which both data hold */
  if (previous != NULL && previous->recording == data->recording && previous->sides[side].index != NULL)
    lane->index = ls_step_index_ref (previous->sides[side].index);
  else
    lane->index = ls_step_index_new (data->recording, lane->lane);
}

LsViewData *
ls_view_data_from_snapshot (const LsSnapshot *snapshot, const LsViewData *previous)
{
  LsViewData *data = g_new0 (LsViewData, 1);
  const LsModel *model = snapshot->plan->model;
  const char *backends[LS_MAX_LANES];
  guint64 steps = 0;
  gint sides[LS_SIDES];

  data->ref_count = 1;
  data->live = TRUE;
  data->turns = snapshot->turns;
  data->batch = snapshot->plan->batch;
  data->recording = snapshot->recording != NULL ? ls_recording_ref (snapshot->recording) : NULL;
  data->program = g_strdup ("Lockstep " LS_VERSION);
  data->title = title_of (model != NULL ? model->text : "", model != NULL ? model->name : NULL, snapshot->options->data,
                          data->batch);
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      backends[i] = snapshot->lanes[i].backend->name;
      steps = MAX (steps, snapshot->lanes[i].steps);
    }
  choose_sides (snapshot->n_lanes, backends, sides);
  for (guint side = 0; side < LS_SIDES; side++)
    if (sides[side] >= 0)
      fill_live (data, side, &snapshot->lanes[sides[side]], snapshot, previous);
    else
      set_missing (&data->sides[side], side, TRUE);

  data->when = when_of (steps, snapshot->target);
  return data;
}
