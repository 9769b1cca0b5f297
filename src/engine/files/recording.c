/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsRecording's life, and what is put into it; recording_check.c has its rules.
 */
#include "config.h"

#include <string.h>

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
      shape->is_view = tensor->is_view;
      shape->base = tensor->base;
      shape->first = tensor->first;
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

void
ls_recording_name_classes (LsRecording *recording, char *const *names)
{
  g_free (recording->class_names);
  recording->class_names = names != NULL ? g_strjoinv ("\n", (char **) names) : NULL;
}

void
ls_recording_set_conditions (LsRecording *recording, gboolean turns, guint warm_up)
{
  recording->turns = turns;
  recording->warm_up = warm_up;
  g_hash_table_insert (recording->conditions, g_strdup ("lanes"), g_strdup (turns ? "in turn" : "racing"));
  g_hash_table_insert (recording->conditions, g_strdup ("warm-up steps"), g_strdup_printf ("%u", warm_up));
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
  g_free (lane->id);
  g_free (lane->spec);
  ls_device_info_free (lane->device);
  g_free (lane->tilings);
  g_array_unref (lane->events);
  g_clear_pointer (&lane->curve, ls_curve_unref);
  g_array_unref (lane->tensors);
  g_array_unref (lane->before);
  g_ptr_array_unref (lane->walks);
  g_clear_pointer (&lane->accuracies, g_array_unref);
  g_clear_pointer (&lane->off_core, g_array_unref);
  ls_evaluation_unref (lane->evaluation);
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
  g_free (recording->class_names);
  g_hash_table_unref (recording->options);
  g_hash_table_unref (recording->conditions);
  g_free (recording->lab);
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
  return __builtin_mul_overflow (count, (gint64) ls_dtype_size (shape->dtype), &bytes) ? -1 : count;
}

gint64
ls_recorded_shape_bytes (const LsRecordedShape *shape)
{
  return ls_recorded_shape_count (shape) * (gint64) ls_dtype_size (shape->dtype);
}

static guint
owner (const LsRecording *recording, guint shape)
{
  return recording->shapes[shape].is_view ? recording->shapes[shape].base : shape;
}

/* One of the op's that stay in floats: bit j of wide, of its class. */
static gboolean
is_wide (const LsRecording *recording, const LsRecordedOp *op, const guint *tensors, guint n, gboolean in,
         guint whose)
{
  const LsOpClass *klass = NULL;

  for (guint j = 0; j < n; j++)
    if (owner (recording, tensors[j]) == whose && (klass = ls_op_class_find (op->name)) != NULL
        && ((in ? klass->wide_in : klass->wide_out) >> j & 1u) != 0)
      return TRUE;
  return FALSE;
}

/* As plan_precision.c stores it. */
static gboolean
is_handed_on (const LsRecording *recording, guint shape)
{
  const LsRecordedShape *t = &recording->shapes[shape];
  const guint whose = owner (recording, shape);

  if (!ls_role_is_handed_on (t->role, t->dtype, t->rank))
    return FALSE;
  for (guint i = 0; i < recording->n_ops; i++)
    {
      const LsRecordedOp *op = &recording->ops[i];
      if (is_wide (recording, op, op->in, op->n_in, TRUE, whose)
          || is_wide (recording, op, op->out, op->n_out, FALSE, whose))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_copy (const LsRecordedShape *shape)
{
  return ls_role_is_multiplied (shape->role, shape->rank);
}

gint64
ls_recorded_input_bytes (const LsRecording *recording, guint op, guint input, LsPrecision precision)
{
  const LsRecordedOp *of = &recording->ops[op];
  const LsRecordedShape *shape = &recording->shapes[of->in[input]];
  const gint64 bytes = ls_recorded_shape_bytes (shape);

  return precision != LS_PRECISION_FP32
             && (is_handed_on (recording, of->in[input])
                 || (has_copy (shape) && of->phase != LS_PHASE_UPDATE))
           ? bytes / 2
           : bytes;
}

gint64
ls_recorded_op_bytes (const LsRecording *recording, guint op, LsPrecision precision)
{
  const LsRecordedOp *of = &recording->ops[op];
  const LsOpClass *klass = ls_op_class_find (of->name);
  gint64 bytes = of->bytes;

  if (precision == LS_PRECISION_FP16 && of->phase == LS_PHASE_UPDATE && klass != NULL
      && klass->epilogue_input < of->n_in)
    bytes += 2 * ls_recorded_shape_bytes (&recording->shapes[of->in[klass->epilogue_input]]);
  for (guint j = 0; precision != LS_PRECISION_FP32 && j < of->n_in; j++)
    if (klass == NULL || (klass->shape_only & (1u << j)) == 0)
      bytes += ls_recorded_input_bytes (recording, op, j, precision)
               - ls_recorded_shape_bytes (&recording->shapes[of->in[j]]);
  for (guint j = 0; precision != LS_PRECISION_FP32 && j < of->n_out; j++)
    {
      const LsRecordedShape *out = &recording->shapes[of->out[j]];
      const gint64 half = ls_recorded_shape_bytes (out) / 2;
      bytes += is_handed_on (recording, of->out[j]) ? -half : has_copy (out) ? half : 0;
    }
  return bytes;
}

void
ls_recording_add_tensor (LsRecording *recording, guint lane, guint tensor, const void *values)
{
  gsize bytes = (gsize) ls_recorded_shape_bytes (&recording->shapes[tensor]);

  ls_recording_take_tensor (recording, lane, tensor, g_memdup2 (values, bytes));
}

/* Of those that are kept, sorted by their position: where that one is, or belongs. */
static guint
place_of (const GArray *tensors, guint tensor)
{
  guint low = 0, high = tensors->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;

      if (g_array_index (tensors, LsRecordedTensor, middle).shape < tensor)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_kept (const GArray *tensors, guint place, guint tensor)
{
  return place < tensors->len && g_array_index (tensors, LsRecordedTensor, place).shape == tensor;
}

static void
take (GArray *tensors, guint tensor, void *values)
{
  LsRecordedTensor added = { .shape = tensor, .values = values };
  const guint at = place_of (tensors, tensor);

  if (is_kept (tensors, at, tensor))
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

static const void *
values_at (const LsRecording *recording, const GArray *tensors, guint tensor)
{
  const LsRecordedShape *shape = &recording->shapes[tensor];
  const guint base = shape->is_view ? shape->base : tensor, at = place_of (tensors, base);
  const guint8 *values;

  if (!is_kept (tensors, at, base))
    return NULL;
  values = g_array_index (tensors, LsRecordedTensor, at).values;
  return values + (gsize) shape->first * ls_dtype_size (shape->dtype);
}

const void *
ls_recording_values_at (const LsRecording *recording, guint lane, guint tensor)
{
  return values_at (recording, recording->lanes[lane].tensors, tensor);
}

static const void *
values_of (const LsRecording *recording, const GArray *tensors, const char *name,
           const LsRecordedShape **shape)
{
  if (shape != NULL)
    *shape = NULL;
  for (guint i = 0; i < recording->n_shapes; i++)
    if (strcmp (recording->shapes[i].name, name) == 0)
      {
        const void *values = values_at (recording, tensors, i);
        if (shape != NULL && values != NULL)
          *shape = &recording->shapes[i];
        return values;
      }
  return NULL;
}

const void *
ls_recording_values (const LsRecording *recording, guint lane, const char *name,
                     const LsRecordedShape **shape)
{
  return values_of (recording, recording->lanes[lane].tensors, name, shape);
}

const void *
ls_recording_values_before (const LsRecording *recording, guint lane, const char *name,
                            const LsRecordedShape **shape)
{
  const void *before = values_of (recording, recording->lanes[lane].before, name, shape);

  return before != NULL ? before : ls_recording_values (recording, lane, name, shape);
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
