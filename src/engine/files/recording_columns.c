/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane's columns from a recording's file: its events, the history of its losses, and the plan's tensors
 * that the file holds.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/recording_format.h"

typedef struct {
  LsSafetensors *file;
  LsRecording *recording;
  guint *used; /* tensors of the file that were read */
} Reader;

/* A row of the file, of that dtype and at most LS_RECORDING_MAX_ROWS long. */
static const LsStTensor *
find_column (Reader *r, const char *name, LsStDtype dtype, GError **error)
{
  const LsStTensor *tensor = ls_safetensors_find (r->file, name);

  if (tensor == NULL)
    ls_recording_wrong (error, _("it lacks the tensor “%s”."), name);
  else if (tensor->dtype != dtype || tensor->rank != 1 || tensor->count > LS_RECORDING_MAX_ROWS)
    ls_recording_wrong (error, _("tensor “%s” must be a row of at most %d %s."), name, LS_RECORDING_MAX_ROWS,
                        ls_st_dtype_name (dtype));
  else
    {
      (*r->used)++;
      return tensor;
    }
  return NULL;
}

/* The file's bytes of a tensor in memory; its size is bounded by the file's. */
static gpointer
read_values (Reader *r, const LsStTensor *tensor, GError **error)
{
  g_autofree gpointer values = g_try_malloc ((gsize) MAX (tensor->bytes, 1));

  if (values == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("tensor “%s” needs %" PRId64 " bytes of memory, which can’t be had."), tensor->name,
                   tensor->bytes);
      return NULL;
    }
  return ls_safetensors_read (r->file, tensor, values, error) ? g_steal_pointer (&values) : NULL;
}

/* A file keeps no flags: its first steps are warm-up, its last is the recorded one; what has neither loss nor
 * time the lane hasn't done. */
static guint32
flags_of (const LsRecording *recording, gint64 i, gint64 n, float loss, guint64 step_ns)
{
  return (i < (gint64) recording->warm_up ? LS_POINT_WARM_UP : 0) | (i + 1 == n ? LS_POINT_RECORDED : 0)
         | (isnan (loss) && step_ns == 0 ? LS_POINT_MISSING : 0);
}

/* Losses and step times, as the points of a curve. */
static gboolean
read_history (Reader *r, guint lane, GError **error)
{
  g_autofree char *loss_name = g_strdup_printf ("lanes.%u.losses", lane);
  g_autofree char *time_name = g_strdup_printf ("lanes.%u.step_ns", lane);
  const LsStTensor *loss_column = find_column (r, loss_name, LS_ST_F32, error), *time_column;
  g_autofree float *losses = NULL;
  g_autofree guint64 *step_ns = NULL;
  LsCurve *curve;

  if (loss_column == NULL || (time_column = find_column (r, time_name, LS_ST_U64, error)) == NULL)
    return FALSE;
  if (loss_column->count != time_column->count)
    return ls_recording_wrong (error, _("lane %u has %lld losses, but times of %lld steps."), lane,
                               (long long) loss_column->count, (long long) time_column->count);
  if ((losses = read_values (r, loss_column, error)) == NULL
      || (step_ns = read_values (r, time_column, error)) == NULL)
    return FALSE;
  curve = r->recording->lanes[lane].curve = ls_curve_new ();
  for (gint64 i = 0; i < loss_column->count; i++)
    if (!ls_curve_append (
          curve, (LsPoint){ .loss = losses[i],
                            .step_us = (float) ((double) step_ns[i] / 1e3),
                            .flags = flags_of (r->recording, i, loss_column->count, losses[i], step_ns[i]) }))
      {
        g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                     _("the losses of %lld steps need memory, which can’t be had."),
                     (long long) loss_column->count);
        return FALSE;
      }
  r->recording->lanes[lane].n_steps = (guint64) loss_column->count;
  return TRUE;
}

static gboolean
put_column (const LsEventColumn *column, const guint8 *values, guint lane, GArray *events, GError **error)
{
  gsize size = ls_st_dtype_size (column->dtype);

  for (guint i = 0; i < events->len; i++)
    {
      LsEvent *event = &g_array_index (events, LsEvent, i);

      if (column->shift == 0)
        memcpy ((guint8 *) event + column->offset, values + i * size, size);
      else if (values[i] > LS_CLOCK_ORDER)
        return ls_recording_wrong (error, _("lane %u, event %u: its clock %u is unknown."), lane, i,
                                   values[i]);
      else
        event->lane_clock = LS_LANE_CLOCK (lane, values[i]);
    }
  return TRUE;
}

static gboolean
read_events (Reader *r, guint lane, const char *group, GArray *events, GError **error)
{
  for (guint c = 0; c < ls_n_event_columns; c++)
    {
      const LsEventColumn *column = &ls_event_columns[c];
      g_autofree char *name = g_strdup_printf ("lanes.%u.%s.%s", lane, group, column->name);
      const LsStTensor *tensor = find_column (r, name, column->dtype, error);
      g_autofree gpointer values = NULL;

      if (tensor == NULL)
        return FALSE;
      if (c == 0)
        g_array_set_size (events, (guint) tensor->count);
      else if (tensor->count != events->len)
        return ls_recording_wrong (error,
                                   _("tensor “%s” has %" PRId64 " elements, but there are %u events."), name,
                                   tensor->count, events->len);
      values = read_values (r, tensor, error);
      if (values == NULL || !put_column (column, values, lane, events, error))
        return FALSE;
    }
  return TRUE;
}

/* Those of the plan's tensors that the file holds for this lane. */
static gboolean
read_tensors (Reader *r, guint lane, const char *group, GArray *tensors, GError **error)
{
  for (guint i = 0; i < r->recording->n_shapes; i++)
    {
      const LsRecordedShape *shape = &r->recording->shapes[i];
      g_autofree char *name = g_strdup_printf ("lanes.%u.%s.%s", lane, group, shape->name);
      const LsStTensor *tensor = ls_safetensors_find (r->file, name);
      LsRecordedTensor added = { .shape = i };

      if (tensor == NULL)
        continue;
      if (tensor->dtype != (shape->dtype == LS_F32 ? LS_ST_F32 : LS_ST_I32) || tensor->rank != shape->rank
          || memcmp (tensor->shape, shape->shape, shape->rank * sizeof *shape->shape) != 0)
        return ls_recording_wrong (error, _("tensor “%s” isn’t of the plan’s type and shape."), name);
      added.values = read_values (r, tensor, error);
      if (added.values == NULL)
        return FALSE;
      g_array_append_val (tensors, added);
      (*r->used)++;
    }
  return TRUE;
}

gboolean
ls_recording_read_columns (LsSafetensors *file, guint *used, LsRecording *recording, guint lane,
                           GError **error)
{
  Reader r = { file, recording, used };
  LsRecordedLane *own = &recording->lanes[lane];

  return read_events (&r, lane, "events", own->events, error)
         && (own->finer == NULL || read_events (&r, lane, "finer", own->finer->events, error))
         && read_history (&r, lane, error) && read_tensors (&r, lane, "tensors", own->tensors, error)
         && read_tensors (&r, lane, "before", own->before, error);
}
