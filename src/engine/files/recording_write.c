/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording to a file. Everything that has a table in recording_format.c is written by it.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "files/recording_format.h"
#include "files/text.h"

static void
append_table (GString *out, const LsFieldTable *table, gconstpointer data)
{
  ls_fields_write (table->fields, table->n, data, out);
}

/* "name":[{…},{…}] of an array of structs. */
static void
append_structs (GString *out, const char *name, const LsFieldTable *table, gconstpointer first, guint n,
                gsize size)
{
  g_string_append_printf (out, "\"%s\":[", name);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? ",{" : "{");
      append_table (out, table, (const guint8 *) first + i * size);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

/* {"key":"text",…}, sorted. */
static void
append_hash (GString *out, GHashTable *hash)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (hash), (GCompareFunc) strcmp);

  g_string_append_c (out, '{');
  for (GList *l = keys; l != NULL; l = l->next)
    {
      ls_text_append_json (out, l->data);
      g_string_append_c (out, ':');
      ls_text_append_json (out, g_hash_table_lookup (hash, l->data));
      if (l->next != NULL)
        g_string_append_c (out, ',');
    }
  g_string_append_c (out, '}');
}

static void
append_lane (GString *out, const LsRecording *recording, const LsRecordedLane *lane)
{
  g_string_append_c (out, '{');
  append_table (out, &ls_recorded_lane_table, lane);
  g_string_append (out, ",\"device\":{");
  append_table (out, &ls_recording_device_table, lane->device);
  g_string_append (out, ",\"facts\":");
  append_hash (out, lane->device->facts);
  ls_recording_append_numbers (out, lane->device);
  ls_recording_append_roofs (out, lane->device);
  g_string_append (out, "},");
  append_structs (out, "tilings", &ls_recording_tiling_table, lane->tilings, recording->n_ops,
                  sizeof *lane->tilings);
  if (lane->finer != NULL)
    {
      g_string_append (out, ",\"finer\":{");
      append_table (out, &ls_recorded_cut_table, lane->finer);
      g_string_append_c (out, ',');
      append_structs (out, "tilings", &ls_recording_tiling_table, lane->finer->tilings, recording->n_ops,
                      sizeof *lane->tilings);
      g_string_append_c (out, '}');
    }
  ls_recording_append_walks (out, lane);
  g_string_append_c (out, '}');
}

static void
set_hash (LsSafetensorsWriter *writer, const char *key, GHashTable *hash)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_hash (text, hash);
  ls_safetensors_writer_set (writer, key, text->str);
}

static void
set_number (LsSafetensorsWriter *writer, const char *key, guint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" PRIu64, value);

  ls_safetensors_writer_set (writer, key, text);
}

static void
set_metadata (LsSafetensorsWriter *writer, const LsRecording *recording)
{
  g_autoptr (GString) plan = g_string_new ("{");
  g_autoptr (GString) lanes = g_string_new ("[");

  append_table (plan, &ls_recording_plan_table, recording);
  g_string_append_c (plan, ',');
  append_structs (plan, "tensors", &ls_recorded_shape_table, recording->shapes, recording->n_shapes,
                  sizeof *recording->shapes);
  g_string_append_c (plan, ',');
  append_structs (plan, "ops", &ls_recorded_op_table, recording->ops, recording->n_ops,
                  sizeof *recording->ops);
  g_string_append_c (plan, '}');
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      if (i > 0)
        g_string_append_c (lanes, ',');
      append_lane (lanes, recording, &recording->lanes[i]);
    }
  g_string_append_c (lanes, ']');

  ls_safetensors_writer_set (writer, "format", LS_RECORDING_FORMAT);
  set_number (writer, "version", LS_RECORDING_VERSION);
  ls_safetensors_writer_set (writer, "program", recording->program);
  ls_safetensors_writer_set (writer, "date", recording->date);
  set_number (writer, "step", recording->step);
  set_number (writer, "start_ns", recording->start_ns);
  ls_safetensors_writer_set (writer, "plan", plan->str);
  ls_safetensors_writer_set (writer, "lanes", lanes->str);
  set_hash (writer, "options", recording->options);
  set_hash (writer, "conditions", recording->conditions);
  if (recording->lab != NULL)
    ls_safetensors_writer_set (writer, "lab", recording->lab);
}

/* One field of all events as an array of its own; (transfer full). */
static guint8 *
take_column (const LsEventColumn *column, const GArray *events)
{
  gsize size = ls_st_dtype_size (column->dtype);
  guint8 *values = g_malloc (MAX (events->len, 1) * size);

  for (guint i = 0; i < events->len; i++)
    memcpy (values + i * size, (const guint8 *) &g_array_index (events, LsEvent, i) + column->offset, size);
  for (guint i = 0; column->shift > 0 && i < events->len; i++)
    values[i] >>= column->shift;
  return values;
}

static guint64
step_ns_of (LsPoint point)
{
  const double ns = (double) point.step_us * 1e3 + 0.5;

  return ns >= 0x1p64 ? G_MAXUINT64 : ns > 0 ? (guint64) ns : 0;
}

/* The curve's points as two columns. */
static void
add_history (LsSafetensorsWriter *writer, const LsRecordedLane *lane, guint index, GPtrArray *columns)
{
  const gint64 n = (gint64) lane->n_steps;
  float *losses = g_new (float, MAX (lane->n_steps, 1));
  guint64 *step_ns = g_new (guint64, MAX (lane->n_steps, 1));
  char name[64];

  for (guint64 i = 0; i < lane->n_steps; i++)
    {
      const LsPoint point = ls_curve_get (lane->curve, i);
      losses[i] = point.loss;
      step_ns[i] = step_ns_of (point);
    }
  g_ptr_array_add (columns, losses);
  g_ptr_array_add (columns, step_ns);
  g_snprintf (name, sizeof name, "lanes.%u.losses", index);
  ls_safetensors_writer_add (writer, name, LS_ST_F32, 1, &n, losses);
  g_snprintf (name, sizeof name, "lanes.%u.step_ns", index);
  ls_safetensors_writer_add (writer, name, LS_ST_U64, 1, &n, step_ns);
}

static void
add_tensors (LsSafetensorsWriter *writer, const LsRecording *recording, guint lane, const char *group,
             const GArray *tensors)
{
  char name[256];

  for (guint i = 0; i < tensors->len; i++)
    {
      const LsRecordedTensor *tensor = &g_array_index (tensors, LsRecordedTensor, i);
      const LsRecordedShape *shape = &recording->shapes[tensor->shape];

      g_snprintf (name, sizeof name, "lanes.%u.%s.%s", lane, group, shape->name);
      ls_safetensors_writer_add (writer, name, shape->dtype == LS_F32 ? LS_ST_F32 : LS_ST_I32, shape->rank,
                                 shape->shape, tensor->values);
    }
}

static void
add_events (LsSafetensorsWriter *writer, guint lane, const char *group, const GArray *events,
            GPtrArray *columns)
{
  const gint64 n_events = events->len;
  char name[64];

  for (guint c = 0; c < ls_n_event_columns; c++)
    {
      const LsEventColumn *column = &ls_event_columns[c];

      g_ptr_array_add (columns, take_column (column, events));
      g_snprintf (name, sizeof name, "lanes.%u.%s.%s", lane, group, column->name);
      ls_safetensors_writer_add (writer, name, column->dtype, 1, &n_events, columns->pdata[columns->len - 1]);
    }
}

static void
add_lane (LsSafetensorsWriter *writer, const LsRecording *recording, guint index, GPtrArray *columns)
{
  const LsRecordedLane *lane = &recording->lanes[index];

  add_events (writer, index, "events", lane->events, columns);
  if (lane->finer != NULL)
    add_events (writer, index, "finer", lane->finer->events, columns);
  add_history (writer, lane, index, columns);
  ls_recording_write_accuracies (lane, writer, index, columns);
  ls_recording_write_off_core (lane, writer, index);
  if (lane->evaluation != NULL)
    ls_evaluation_write (lane->evaluation, writer, index, columns);
  add_tensors (writer, recording, index, "tensors", lane->tensors);
  add_tensors (writer, recording, index, "before", lane->before);
  ls_recording_add_walks (writer, recording, index);
}

gboolean
ls_recording_save (const LsRecording *recording, const char *path, GError **error)
{
  g_autoptr (LsSafetensorsWriter) writer = ls_safetensors_writer_new ();
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);

  set_metadata (writer, recording);
  for (guint i = 0; i < recording->n_lanes; i++)
    add_lane (writer, recording, i, columns);
  return ls_safetensors_writer_save (writer, path, &ls_recording_limits, error);
}
