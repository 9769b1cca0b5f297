/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsRecording's life and its rules: what must hold between its parts, checked once when it is sealed, be it made here or
 * read from a file. After that, whoever draws it may index without asking.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/recording_format.h"

static void
clear_tensor (gpointer data)
{
  g_free (((LsRecordedTensor *) data)->values);
}

LsRecording *
ls_recording_alloc (guint n_lanes)
{
  LsRecording *recording = g_new0 (LsRecording, 1);

  recording->ref_count = 1;
  recording->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  recording->conditions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  recording->n_lanes = n_lanes;
  recording->lanes = g_new0 (LsRecordedLane, n_lanes);
  for (guint i = 0; i < n_lanes; i++)
    {
      LsRecordedLane *lane = &recording->lanes[i];

      lane->events = g_array_new (FALSE, FALSE, sizeof (LsEvent));
      lane->tensors = g_array_new (FALSE, FALSE, sizeof (LsRecordedTensor));
      g_array_set_clear_func (lane->tensors, clear_tensor);
      lane->before = g_array_new (FALSE, FALSE, sizeof (LsRecordedTensor));
      g_array_set_clear_func (lane->before, clear_tensor);
      lane->walks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_walk_unref);
    }
  return recording;
}

static void
copy_shapes (LsRecording *recording, const LsPlan *plan)
{
  recording->n_shapes = plan->n_tensors;
  recording->shapes = g_new0 (LsRecordedShape, plan->n_tensors);
  for (guint i = 0; i < plan->n_tensors; i++)
    {
      const LsTensor *tensor = &plan->tensors[i];
      LsRecordedShape *shape = &recording->shapes[i];

      shape->name = g_strdup (tensor->name);
      shape->symbol = g_strdup (tensor->symbol);
      shape->dtype = tensor->dtype;
      shape->role = tensor->role;
      shape->layer = tensor->layer;
      shape->rank = tensor->rank;
      memcpy (shape->shape, tensor->shape, tensor->rank * sizeof *tensor->shape);
    }
}

static void
copy_ops (LsRecording *recording, const LsPlan *plan)
{
  recording->n_ops = plan->n_ops;
  recording->ops = g_new0 (LsRecordedOp, plan->n_ops);
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *from = &plan->ops[i];
      LsRecordedOp *op = &recording->ops[i];

      op->name = g_strdup (from->klass->name);
      op->phase = from->phase;
      op->layer = from->layer;
      op->symbol = g_strdup (from->symbol);
      op->equation = g_strdup (from->equation);
      op->n_in = from->n_in;
      op->n_out = from->n_out;
      memcpy (op->in, from->in, from->n_in * sizeof *op->in);
      memcpy (op->out, from->out, from->n_out * sizeof *op->out);
      op->attr = from->attr;
      op->flops = from->flops;
      op->bytes = from->bytes;
    }
}

LsRecording *
ls_recording_new (const LsPlan *plan, guint n_lanes, guint64 step)
{
  LsRecording *recording = ls_recording_alloc (n_lanes);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  recording->program = g_strdup ("Lockstep " LS_VERSION);
  recording->date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  recording->step = step;
  recording->model = g_strdup (plan->model != NULL ? plan->model->text : "");
  recording->model_name = g_strdup (plan->model != NULL ? plan->model->name : NULL);
  recording->optimizer = plan->optimizer;
  recording->batch = plan->batch;
  memcpy (recording->in_shape, plan->in_shape, sizeof recording->in_shape);
  recording->n_classes = plan->n_classes;
  recording->flops = plan->flops;
  recording->bytes = plan->bytes;
  copy_shapes (recording, plan);
  copy_ops (recording, plan);
  for (guint i = 0; i < n_lanes; i++)
    recording->lanes[i].tilings = g_new0 (LsTiling, plan->n_ops);
  return recording;
}

LsRecording *
ls_recording_ref (LsRecording *recording)
{
  g_atomic_int_inc (&recording->ref_count);
  return recording;
}

static void
clear_lane (LsRecordedLane *lane)
{
  ls_device_info_free (lane->device);
  g_free (lane->tilings);
  g_array_unref (lane->events);
  g_clear_pointer (&lane->curve, ls_curve_unref);
  g_array_unref (lane->tensors);
  g_array_unref (lane->before);
  g_ptr_array_unref (lane->walks);
  g_clear_pointer (&lane->accuracies, g_array_unref);
  g_clear_pointer (&lane->off_core, g_array_unref);
  ls_exam_unref (lane->exam);
  ls_recorded_cut_unref (lane->finer);
}

void
ls_recording_unref (LsRecording *recording)
{
  if (recording == NULL || !g_atomic_int_dec_and_test (&recording->ref_count))
    return;
  for (guint i = 0; i < recording->n_shapes; i++)
    {
      g_free (recording->shapes[i].name);
      g_free (recording->shapes[i].symbol);
    }
  for (guint i = 0; i < recording->n_ops; i++)
    {
      g_free (recording->ops[i].name);
      g_free (recording->ops[i].symbol);
      g_free (recording->ops[i].equation);
    }
  for (guint i = 0; i < recording->n_lanes; i++)
    clear_lane (&recording->lanes[i]);
  g_free (recording->shapes);
  g_free (recording->ops);
  g_free (recording->lanes);
  g_free (recording->program);
  g_free (recording->date);
  g_free (recording->model);
  g_free (recording->model_name);
  g_hash_table_unref (recording->options);
  g_hash_table_unref (recording->conditions);
  g_free (recording);
}

/* Elements of a shape, or −1 if their bytes overflow. */
gint64
ls_recorded_shape_count (const LsRecordedShape *shape)
{
  gint64 count = 1, bytes;

  for (guint i = 0; i < shape->rank; i++)
    if (__builtin_mul_overflow (count, shape->shape[i], &count))
      return -1;
  return __builtin_mul_overflow (count, (gint64) 4, &bytes) ? -1 : count;
}

void
ls_recording_add_tensor (LsRecording *recording, guint lane, guint tensor, const void *values)
{
  gsize bytes = (gsize) ls_recorded_shape_count (&recording->shapes[tensor]) * 4;

  ls_recording_take_tensor (recording, lane, tensor, g_memdup2 (values, bytes));
}

static void
take (GArray *tensors, guint tensor, void *values)
{
  LsRecordedTensor added = { .shape = tensor, .values = values };
  guint at = 0;

  while (at < tensors->len && g_array_index (tensors, LsRecordedTensor, at).shape < tensor)
    at++;
  if (at < tensors->len && g_array_index (tensors, LsRecordedTensor, at).shape == tensor)
    g_array_remove_index (tensors, at);
  g_array_insert_val (tensors, at, added);
}

void
ls_recording_take_tensor (LsRecording *recording, guint lane, guint tensor, void *values)
{
  take (recording->lanes[lane].tensors, tensor, values);
}

void
ls_recording_take_before (LsRecording *recording, guint lane, guint tensor, void *values)
{
  take (recording->lanes[lane].before, tensor, values);
}

const void *
ls_recording_values (const LsRecording *recording, guint lane, const char *name, const LsRecordedShape **shape)
{
  const GArray *tensors = recording->lanes[lane].tensors;

  for (guint i = 0; i < tensors->len; i++)
    {
      const LsRecordedTensor *tensor = &g_array_index (tensors, LsRecordedTensor, i);
      const LsRecordedShape *own = &recording->shapes[tensor->shape];

      if (strcmp (own->name, name) != 0)
        continue;
      if (shape != NULL)
        *shape = own;
      return tensor->values;
    }
  if (shape != NULL)
    *shape = NULL;
  return NULL;
}

gboolean
ls_recorded_tile (const LsRecordedLane *lane, const LsEvent *event, guint *row, guint *col, gint *part)
{
  const LsTiling *tiling;
  guint grid;

  if (event->kind != LS_EVENT_TILE && event->kind != LS_EVENT_GROUP)
    return FALSE;
  tiling = &lane->tilings[event->op];
  grid = tiling->grid_rows * tiling->grid_cols;
  if (grid == 0 || event->tile / grid >= MAX (tiling->splits, 1))
    return FALSE;
  *row = event->tile % grid / tiling->grid_cols;
  *col = event->tile % grid % tiling->grid_cols;
  *part = tiling->splits > 1 && event->kind == LS_EVENT_TILE ? (gint) (event->tile / grid) : -1;
  return TRUE;
}

static gboolean
refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

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

static gboolean
check_plan (const LsRecording *recording, GError **error)
{
  if (recording->n_ops > LS_RECORDING_MAX_OPS)
    return refuse (error, _("it has %u ops, more than %d."), recording->n_ops, LS_RECORDING_MAX_OPS);
  for (guint i = 0; i < recording->n_shapes; i++)
    if (ls_recorded_shape_count (&recording->shapes[i]) < 0)
      return refuse (error, _("the size of tensor “%s” overflows."), recording->shapes[i].name);
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
  return TRUE;
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
        return refuse (error, _("lane %u, op %u: the grid isn’t what rows, columns and tile make."), lane, i);
      if (__builtin_mul_overflow (tiling->grid_rows, tiling->grid_cols, &tiles)
          || __builtin_mul_overflow (tiles, MAX (tiling->splits, 1), &tiles))
        return refuse (error, _("lane %u, op %u: it has too many tiles."), lane, i);
    }
  return TRUE;
}

/* Numbers that a tile may have: parts of a split sum count, and so do the pieces in which they are added up, of which
 * there are at most as many as numbers. */
static guint64
tile_numbers (const LsTiling *tiling)
{
  guint64 grid = (guint64) tiling->grid_rows * tiling->grid_cols;
  gint64 sums = 0;

  if (tiling->splits > 1 && __builtin_mul_overflow (tiling->rows, tiling->cols, &sums))
    sums = 0;
  return grid * MAX (tiling->splits, 1) + (guint64) sums;
}

static gboolean
check_event (const LsRecording *recording, guint lane, const LsTiling *tilings, guint i, const LsEvent *e, GError **error)
{
  gboolean tiled = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP;

  if (e->kind >= LS_EVENT_N_KINDS)
    return refuse (error, _("lane %u, event %u: its kind %u is unknown."), lane, i, e->kind);
  if (LS_EVENT_LANE (e) != (gint) lane)
    return refuse (error, _("lane %u, event %u: it is of lane %d."), lane, i, LS_EVENT_LANE (e));
  if (LS_EVENT_CLOCK (e) > LS_CLOCK_ORDER)
    return refuse (error, _("lane %u, event %u: its clock %u is unknown."), lane, i, (guint) LS_EVENT_CLOCK (e));
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

      if (e->tile >= tile_numbers (tiling))
        return refuse (error, _("lane %u, event %u: tile %u is outside its op’s grid of %u×%u."), lane, i, e->tile,
                       tiling->grid_rows, tiling->grid_cols);
    }
  return TRUE;
}

/* A step: as trained, or cut finer. */
static gboolean
check_step (const LsRecording *recording, guint lane, const LsTiling *tilings, const GArray *events, gboolean forwards, GError **error)
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
      || (lane->finer != NULL && !check_step (recording, index, lane->finer->tilings, lane->finer->events,
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

gboolean
ls_recording_seal (LsRecording *recording, GError **error)
{
  if (recording->n_lanes < 1 || recording->n_lanes > LS_RECORDING_MAX_LANES)
    return refuse (error, _("it has %u lanes; 1 to %d are possible."), recording->n_lanes, LS_RECORDING_MAX_LANES);
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
  return TRUE;
}
