/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold between a recording's parts, checked once when it is sealed, be it made here or read from a
 * file. After that, whoever draws it may index without asking.
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/recording_format.h"

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the recording is inconsistent: %s"), what);
  return FALSE;
}

/* A view is of a tensor before it that is none itself, of the same type, and ends within it. */
static gboolean
view_lies_inside (const LsRecording *recording, guint i)
{
  const LsRecordedShape *view = &recording->shapes[i];

  return !view->is_view ? view->first == 0
                        : view->base < i && !recording->shapes[view->base].is_view
                            && recording->shapes[view->base].dtype == view->dtype && view->first >= 0
                            && view->first <= ls_recorded_shape_count (&recording->shapes[view->base])
                                                - ls_recorded_shape_count (view);
}

/* As many lines as classes, each of something that can be shown. */
static gboolean
check_classes (const LsRecording *recording, GError **error)
{
  g_auto (GStrv) names = NULL;

  if (recording->class_names == NULL)
    return TRUE;
  names = g_strsplit (recording->class_names, "\n", -1);
  if (g_strv_length (names) != (guint) recording->n_classes)
    return refuse (
      error,
      ngettext ("it has %u name for %d classes.", "it has %u names for %d classes.", g_strv_length (names)),
      g_strv_length (names), recording->n_classes);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *printable = ls_printable (g_strdup (names[i]));

      if (*names[i] == '\0' || strcmp (printable, names[i]) != 0)
        return refuse (error, _("the name of class %u can’t be shown."), i);
    }
  return TRUE;
}

/* Sizes don't overflow, and what is referred to is there. */
static gboolean
check_plan (const LsRecording *recording, GError **error)
{
  if (recording->n_ops > LS_RECORDING_MAX_OPS)
    return refuse (error, _("it has %u ops, more than %d."), recording->n_ops, LS_RECORDING_MAX_OPS);
  for (guint i = 0; i < recording->n_shapes; i++)
    if (ls_recorded_shape_count (&recording->shapes[i]) < 0)
      return refuse (error, _("the size of tensor “%s” overflows."), recording->shapes[i].name);
  for (guint i = 0; i < recording->n_shapes; i++)
    if (!view_lies_inside (recording, i))
      return refuse (error, _("tensor “%s” is no part of the tensor that it is said to be a part of."),
                     recording->shapes[i].name);
  for (guint i = 0; i < recording->n_ops; i++)
    {
      const LsRecordedOp *op = &recording->ops[i];

      for (guint j = 0; j < op->n_in; j++)
        if (op->in[j] >= recording->n_shapes)
          return refuse (error, _("op %u reads tensor %u, of %u."), i, op->in[j], recording->n_shapes);
      for (guint j = 0; j < op->n_out; j++)
        if (op->out[j] >= recording->n_shapes)
          return refuse (error, _("op %u writes tensor %u, of %u."), i, op->out[j], recording->n_shapes);
    }
  return check_classes (recording, error);
}

/* How many tiles of `tile` cover n; 0 where there is no tiling. */
static gint64
tiles_of (gint64 n, gint64 tile)
{
  return tile == 0 ? 0 : n / tile + (n % tile != 0);
}

static gboolean
check_tilings (const LsRecording *recording, guint lane, const LsTiling *tilings, GError **error)
{
  for (guint i = 0; i < recording->n_ops; i++)
    {
      const LsTiling *tiling = &tilings[i];
      guint tiles;

      if (tiling->leader > i)
        return refuse (error, _("lane %u, op %u: its leader %u comes after it."), lane, i, tiling->leader);
      if (tiles_of (tiling->rows, tiling->tile_rows) != tiling->grid_rows
          || tiles_of (tiling->cols, tiling->tile_cols) != tiling->grid_cols)
        return refuse (error, _("lane %u, op %u: the grid isn’t what rows, columns and tile make."), lane,
                       i);
      if (__builtin_mul_overflow (tiling->grid_rows, tiling->grid_cols, &tiles)
          || __builtin_mul_overflow (tiles, MAX (tiling->splits, 1), &tiles))
        return refuse (error, _("lane %u, op %u: it has too many tiles."), lane, i);
    }
  return TRUE;
}

/* Numbers that a tile may have: parts of a split sum count, and so do the pieces in which they are added up,
 * of which there are at most as many as numbers. */
static guint64
tile_numbers (const LsTiling *tiling, const LsRecordedOp *op)
{
  guint64 grid = (guint64) tiling->grid_rows * tiling->grid_cols;
  gint64 sums = 0;

  if (strcmp (op->name, "lstm") == 0) /* may have been taken apart: four passes, one for each gate */
    return grid * 5;

  if (tiling->splits > 1 && __builtin_mul_overflow (tiling->rows, tiling->cols, &sums))
    sums = 0;
  return grid * MAX (tiling->splits, 1) + (guint64) sums;
}

static gboolean
check_event (const LsRecording *recording, guint lane, const LsTiling *tilings, guint i, const LsEvent *e,
             GError **error)
{
  gboolean tiled = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP;

  if (e->kind >= LS_EVENT_N_KINDS)
    return refuse (error, _("lane %u, event %u: its kind %u is unknown."), lane, i, e->kind);
  if (LS_EVENT_LANE (e) != (gint) lane)
    return refuse (error, _("lane %u, event %u: it is of lane %d."), lane, i, LS_EVENT_LANE (e));
  if (LS_EVENT_CLOCK (e) > LS_CLOCK_ORDER)
    return refuse (error, _("lane %u, event %u: its clock %u is unknown."), lane, i,
                   (guint) LS_EVENT_CLOCK (e));
  if (e->end_ns < e->start_ns)
    return refuse (error, _("lane %u, event %u: it ends before it starts."), lane, i);
  if (e->end_ns > (LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER ? G_MAXUINT32 : (guint64) G_MAXINT64))
    return refuse (error, _("lane %u, event %u: its end is out of range."), lane, i);
  if (e->unit < LS_UNIT_NONE)
    return refuse (error, _("lane %u, event %u: its unit is %d."), lane, i, e->unit);
  if (e->worker == LS_MAX_WORKERS || e->from == LS_MAX_WORKERS)
    return refuse (error, _("lane %u, event %u: its worker is out of range."), lane, i);
  if (e->op == LS_OP_NONE && !tiled)
    return TRUE;
  if (e->op >= recording->n_ops)
    return refuse (error, _("lane %u, event %u: its op is %u, of %u."), lane, i, e->op, recording->n_ops);
  if (tiled)
    {
      const LsTiling *tiling = &tilings[e->op];

      if (e->tile >= tile_numbers (tiling, &recording->ops[e->op]))
        return refuse (error, _("lane %u, event %u: tile %u is outside its op’s grid of %u×%u."), lane, i,
                       e->tile, tiling->grid_rows, tiling->grid_cols);
    }
  return TRUE;
}

/* A step: as trained, or cut finer. */
static gboolean
check_step (const LsRecording *recording, guint lane, const LsTiling *tilings, const GArray *events,
            gboolean forwards, GError **error)
{
  if (events->len > LS_RECORDING_MAX_ROWS)
    return refuse (error, _("lane %u has more than %d events or steps."), lane, LS_RECORDING_MAX_ROWS);
  if (!forwards)
    return refuse (error, _("lane %u: its step ends before it starts."), lane);
  if (!check_tilings (recording, lane, tilings, error))
    return FALSE;
  for (guint i = 0; i < events->len; i++)
    if (!check_event (recording, lane, tilings, i, &g_array_index (events, LsEvent, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
check_lane (const LsRecording *recording, guint index, GError **error)
{
  const LsRecordedLane *lane = &recording->lanes[index];
  g_autoptr (GError) cause = NULL;

  if (lane->device == NULL || lane->device->backend == NULL)
    return refuse (error, _("lane %u has no device."), index);
  if (lane->n_steps > LS_RECORDING_MAX_ROWS)
    return refuse (error, _("lane %u has more than %d events or steps."), index, LS_RECORDING_MAX_ROWS);
  if (!isfinite (lane->clock_error_ns) || lane->clock_error_ns < 0)
    return refuse (error, _("lane %u: its clock error is no positive number."), index);
  if (!check_step (recording, index, lane->tilings, lane->events, lane->end_ns >= lane->start_ns, error)
      || (lane->finer != NULL
          && !check_step (recording, index, lane->finer->tilings, lane->finer->events,
                          lane->finer->end_ns >= lane->finer->start_ns, error)))
    return FALSE;
  for (guint i = 0; i < lane->tensors->len; i++)
    if (g_array_index (lane->tensors, LsRecordedTensor, i).shape >= recording->n_shapes)
      return refuse (error, _("lane %u keeps a tensor that the plan doesn’t have."), index);
  for (guint i = 0; i < lane->before->len; i++)
    if (g_array_index (lane->before, LsRecordedTensor, i).shape >= recording->n_shapes)
      return refuse (error, _("lane %u keeps a tensor that the plan doesn’t have."), index);
  if (ls_recording_check_walks (recording, index, &cause))
    return TRUE;
  return refuse (error, "%s", cause->message);
}

/* The earliest time that any lane knows; ranks aren't times. */
static guint64
earliest (const LsRecording *recording)
{
  guint64 start = G_MAXUINT64;

  for (guint l = 0; l < recording->n_lanes; l++)
    {
      const LsRecordedLane *lane = &recording->lanes[l];

      start = MIN (start, lane->start_ns);
      for (guint i = 0; i < lane->events->len; i++)
        {
          const LsEvent *e = &g_array_index (lane->events, LsEvent, i);

          if (LS_EVENT_CLOCK (e) != LS_CLOCK_ORDER)
            start = MIN (start, e->start_ns);
        }
    }
  return start;
}

/* Recordings of before know a lane by its backend, of which there was one. */
static gboolean
settle_ids (LsRecording *recording, GError **error)
{
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      LsRecordedLane *lane = &recording->lanes[i];

      if (lane->id == NULL)
        lane->id = g_strdup (lane->device->backend);
      if (lane->spec == NULL)
        lane->spec = g_strdup (lane->device->backend);
      if (ls_recording_find (recording, lane->id) != (gint) i)
        return refuse (error, _("two lanes are called “%s”."), lane->id);
    }
  return TRUE;
}

gint
ls_recording_find (const LsRecording *recording, const char *id)
{
  for (guint i = 0; i < recording->n_lanes; i++)
    if (g_strcmp0 (recording->lanes[i].id, id) == 0)
      return (gint) i;
  return -1;
}

gboolean
ls_recording_seal (LsRecording *recording, GError **error)
{
  if (recording->n_lanes < 1 || recording->n_lanes > LS_RECORDING_MAX_LANES)
    return refuse (error, _("it has %u lanes; 1 to %d are possible."), recording->n_lanes,
                   LS_RECORDING_MAX_LANES);
  if (!check_plan (recording, error))
    return FALSE;
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      g_autofree char *wrong = NULL;

      if (!check_lane (recording, i, error))
        return FALSE;
      wrong = ls_recording_check_accuracies (recording, i);
      wrong = wrong == NULL ? ls_recording_check_off_core (recording, i) : wrong;
      if (wrong != NULL)
        return refuse (error, "%s", wrong);
    }
  recording->start_ns = earliest (recording);
  return settle_ids (recording, error);
}
