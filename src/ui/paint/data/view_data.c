/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is common to all data, wherever it comes from.
 */
#include "config.h"
#include "ui/paint/data/view_private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/paint/data/device_words.h"
#include "ui/paint/data/typical.h"
#include "core/number.h"

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
  ls_change_clear (&lane->change);
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
  g_clear_pointer (&data->fairness, ls_fairness_unref);
  g_clear_pointer (&data->others, g_ptr_array_unref);
  g_clear_pointer (&data->recording, ls_recording_unref);
  g_clear_pointer (&data->plan, ls_plan_unref);
  g_clear_pointer (&data->runs, g_ptr_array_unref);
  g_clear_pointer (&data->lab, g_ptr_array_unref);
  g_clear_pointer (&data->measuring.result, ls_lab_result_unref);
  g_clear_pointer (&data->op_times, ls_op_times_unref);
  g_clear_pointer (&data->modelled, ls_machine_memo_unref);
  g_clear_pointer (&data->catalogue, ls_catalogue_unref);
  g_clear_pointer (&data->claims, ls_claims_unref);
  for (guint i = 0; i < LS_CONVERTED_N; i++)
    ls_converted_unref (data->converted[i]);
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

const LsHardware *
ls_view_data_published (const LsViewData *data, const LsViewLane *lane)
{
  const LsDeviceInfo *device = lane->there && lane->recorded != NULL ? lane->recorded->device : NULL;

  if (data->catalogue == NULL || device == NULL)
    return NULL;
  const gboolean processor = ls_lane_has_workers (lane);
  const LsHardwareHere here = { device->name, processor ? -1 : device->global_mem,
                                processor ? (gint) device->numbers[LS_DEVICE_CORES] : -1 };
  return ls_catalogue_recognise (data->catalogue, &here);
}

void
ls_view_take_beside (LsViewData *data, const LsViewBeside *beside)
{
  data->other = beside->other != NULL ? ls_view_data_ref (beside->other) : NULL;
  data->runs = beside->runs != NULL ? g_ptr_array_ref (beside->runs) : NULL;
  data->lab = beside->lab != NULL ? g_ptr_array_ref (beside->lab) : NULL;
  data->measuring = beside->measuring;
  data->catalogue = beside->catalogue != NULL ? ls_catalogue_ref (beside->catalogue) : NULL;
  data->claims = beside->claims != NULL ? ls_claims_ref (beside->claims) : NULL;
  for (guint i = 0; i < LS_CONVERTED_N; i++)
    data->converted[i] = beside->converted[i] != NULL ? ls_converted_ref (beside->converted[i]) : NULL;
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
ls_view_stand_alike (LsViewData *data)
{
  LsViewData *was = data->other;
  LsViewBeside beside = { 0 };
  gboolean apart = FALSE;

  for (guint side = 0; was != NULL && was->recording != NULL && side < LS_SIDES; side++)
    if (data->sides[side].id != NULL && ls_recording_find (was->recording, data->sides[side].id) >= 0)
      {
        beside.stands[side] = data->sides[side].id;
        apart |= g_strcmp0 (was->sides[side].id, data->sides[side].id) != 0;
      }
  if (!apart)
    return;
  data->other = ls_view_data_from_recording (was->recording, &beside);
  ls_view_data_unref (was);
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
  lane->precision = name->spec != NULL ? (LsPrecision) name->spec->options->precision : LS_PRECISION_FP32;
  lane->name = g_strdup (name->name);
  lane->brief = g_strdup (name->brief);
  lane->shares_cpu = device != NULL && device->shares_cpu;
  lane->device = device != NULL ? ls_device_line (device) : g_strdup ("");
  lane->conditions = device != NULL ? ls_device_conditions (device, heavy, lane->precision)
                                    : g_new0 (char *, 1);
}

void
ls_view_lane_set_scale (LsViewLane *lane, const LsLossScale *scale)
{
  const char *stored = ls_precision_name (lane->precision);
  g_autofree char *n = ls_number_count (scale->skipped);

  if (!(scale->factor > 0))
    return;
  lane->scale = *scale;
  for (guint i = 0; lane->conditions[i] != NULL && scale->skipped > 0; i++)
    if (strcmp (lane->conditions[i], stored) == 0)
      {
        g_free (lane->conditions[i]);
        lane->conditions[i] = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, %s step skipped",
                                                            "%s, %s steps skipped", (gulong) scale->skipped),
                                               stored, n);
      }
}

char *
ls_view_data_precision (const LsViewData *data)
{
  const LsViewLane *a = &data->sides[0], *b = &data->sides[1];

  return a->there && b->there && a->precision != b->precision
           ? g_strdup_printf ("%s/%s", ls_precision_name (a->precision), ls_precision_name (b->precision))
           : g_strdup (ls_precision_name (a->there ? a->precision : b->precision));
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
    else if (model->layers[i].kernel > 0 || model->layers[i].kind == LS_LAYER_RESIDUAL
             || model->layers[i].kind == LS_LAYER_LSTM)
      dense = 100; /* another layer with sizes, or no chain of them */
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
