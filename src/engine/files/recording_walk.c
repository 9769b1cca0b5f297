/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a recording holds for Tiles: walks through products (model/walk.h), the weights as the step found
 * them, and the device's measured limits. Sealed, written and read here, by the same rules as the rest. A
 * walk's arrays are tensors: lanes.0.walks.0.columns I64 [tile_n] · a F32 [kept · tile_k, tile_m] · b F32
 * [kept · tile_k, tile_n] lanes.0.walks.0.times_ns I64 [rounds + 1, stamps], which is left out where the
 * device has no ticks All of it is since version 2; a recording of version 1 has none.
 */
#include "config.h"
#include "files/recording_format.h"

#include <inttypes.h>
#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/json.h"

#define MAX_WALKS 4096

static const LsField walk_fields[] = {
  { LS_FIELD (LsWalk, op, LS_FIELD_UINT), .max = LS_RECORDING_MAX_OPS },
  { LS_FIELD (LsWalk, rung, LS_FIELD_UINT), .max = LS_RUNG_N - 1 },
  { LS_FIELD (LsWalk, row, LS_FIELD_UINT), .max = G_MAXINT32 },
  { LS_FIELD (LsWalk, col, LS_FIELD_UINT), .max = G_MAXINT32 },
  { LS_FIELD (LsWalk, rows, LS_FIELD_UINT), .max = G_MAXINT32 },
  { LS_FIELD (LsWalk, cols, LS_FIELD_UINT), .max = G_MAXINT32 },
  { LS_FIELD (LsWalk, splits, LS_FIELD_INT64), .max = G_MAXINT32 },
  { LS_FIELD (LsWalk, tile_m, LS_FIELD_UINT), .max = LS_WALK_MAX_EDGE },
  { LS_FIELD (LsWalk, tile_n, LS_FIELD_UINT), .max = LS_WALK_MAX_EDGE },
  { LS_FIELD (LsWalk, tile_k, LS_FIELD_UINT), .max = LS_WALK_MAX_EDGE },
  { LS_FIELD (LsWalk, item_m, LS_FIELD_UINT), .max = LS_WALK_MAX_EDGE },
  { LS_FIELD (LsWalk, item_n, LS_FIELD_UINT), .max = LS_WALK_MAX_EDGE },
  { LS_FIELD (LsWalk, first_m, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsWalk, products, LS_FIELD_INT64), .max = G_MAXINT32 },
  { LS_FIELD (LsWalk, rounds, LS_FIELD_UINT), .max = LS_WALK_MAX_ROUNDS },
  { LS_FIELD (LsWalk, kept, LS_FIELD_UINT), .max = LS_WALK_MAX_ROUNDS },
  { LS_FIELD (LsWalk, kernel_ns, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsWalk, alone, LS_FIELD_BOOL) },
  { LS_FIELD (LsWalk, compared, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsWalk, same, LS_FIELD_INT64), .max = G_MAXINT64 },
  { LS_FIELD (LsWalk, delta, LS_FIELD_DOUBLE), .max = G_MAXINT64 },
  { LS_FIELD (LsWalk, message, LS_FIELD_TEXT_OR_NULL) },
};

static const LsField roof_fields[] = {
  { LS_FIELD (LsFigure, value, LS_FIELD_DOUBLE), .max = G_MAXINT64 },
  { LS_FIELD (LsFigure, q1, LS_FIELD_DOUBLE), .max = G_MAXINT64 },
  { LS_FIELD (LsFigure, q3, LS_FIELD_DOUBLE), .max = G_MAXINT64 },
  { LS_FIELD (LsFigure, n, LS_FIELD_UINT64), .max = G_MAXINT32 },
};

/* ---- what must hold ---- */

static const char *
walk_fault (const LsRecording *recording, const LsWalk *w)
{
  const gint64 m = recording->ops[w->op].attr.m, n = recording->ops[w->op].attr.n;

  if (w->tile_m == 0 || w->tile_n == 0 || w->tile_k == 0 || w->item_m == 0 || w->item_n == 0
      || w->tile_m % w->item_m != 0 || w->tile_n % w->item_n != 0)
    return _("its tile has no size");
  if (w->row >= w->rows || w->col >= w->cols || w->splits < 1)
    return _("its work-group lies outside of the grid");
  if (w->products < 1 || w->rounds != (w->products + w->tile_k - 1) / w->tile_k
      || w->products > recording->ops[w->op].attr.k + (gint64) w->tile_k * LS_WALK_MAX_EDGE)
    return _("its rounds aren’t what its products make");
  if (w->kept > w->rounds || (guint64) w->kept * w->tile_k * (w->tile_m + w->tile_n) > LS_WALK_MAX_FLOATS
      || w->a == NULL || w->b == NULL || w->columns == NULL)
    return _("its values aren’t as many as it says");
  if (w->first_m < 0 || w->first_m >= m)
    return _("its rows lie outside of the result");
  for (guint i = 0; i < w->tile_n; i++)
    if (w->columns[i] < -1 || w->columns[i] >= n)
      return _("its columns lie outside of the result");
  for (gsize i = 0; w->times_ns != NULL && i < ((gsize) w->rounds + 1) * LS_WALK_N_STAMPS; i++)
    if (w->times_ns[i] < -1 || w->times_ns[i] > G_MAXINT64 / 4)
      return _("a stamp of it is out of range");
  if (w->same > w->compared || !isfinite (w->delta))
    return _("its comparison is impossible");
  return NULL;
}

gboolean
ls_recording_check_walks (const LsRecording *recording, guint index, GError **error)
{
  const LsRecordedLane *lane = &recording->lanes[index];

  if (lane->walks->len > MAX_WALKS)
    return ls_recording_wrong (error, _("lane %u has more than %d walks."), index, MAX_WALKS);
  for (guint i = 0; i < lane->walks->len; i++)
    {
      const LsWalk *walk = lane->walks->pdata[i];
      const char *fault;

      if (walk->op >= recording->n_ops || walk->rung >= LS_RUNG_N)
        return ls_recording_wrong (error, _("lane %u, walk %u: its op is %u, of %u."), index, i, walk->op,
                                   recording->n_ops);
      fault = walk->message == NULL ? walk_fault (recording, walk) : NULL;
      if (fault != NULL)
        return ls_recording_wrong (error, _("lane %u, walk %u: %s."), index, i, fault);
    }
  for (guint i = 0; i < LS_ROOF_N; i++)
    if (!isfinite (lane->device->roofs[i].value) || lane->device->roofs[i].value < 0)
      return ls_recording_wrong (error, _("lane %u: a limit of its device is no positive number."), index);
  return TRUE;
}

/* ---- writing ---- */

void
ls_recording_append_walks (GString *out, const LsRecordedLane *lane)
{
  g_string_append (out, ",\"walks\":[");
  for (guint i = 0; i < lane->walks->len; i++)
    {
      g_string_append (out, i > 0 ? ",{" : "{");
      ls_fields_write (walk_fields, G_N_ELEMENTS (walk_fields), lane->walks->pdata[i], out);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

void
ls_recording_append_roofs (GString *out, const LsDeviceInfo *device)
{
  g_string_append (out, ",\"roofs\":[");
  for (guint i = 0; i < LS_ROOF_N; i++)
    {
      g_string_append (out, i > 0 ? ",{" : "{");
      ls_fields_write (roof_fields, G_N_ELEMENTS (roof_fields), &device->roofs[i], out);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

static void
add_array (LsSafetensorsWriter *writer, guint lane, guint walk, const char *name, LsStDtype dtype,
           gint64 rows, gint64 cols, gconstpointer values)
{
  const gint64 shape[2] = { rows, cols };
  char text[64];

  g_snprintf (text, sizeof text, "lanes.%u.walks.%u.%s", lane, walk, name);
  ls_safetensors_writer_add (writer, text, dtype, 2, shape, values);
}

void
ls_recording_add_walks (LsSafetensorsWriter *writer, const LsRecording *recording, guint index)
{
  const LsRecordedLane *lane = &recording->lanes[index];

  for (guint i = 0; i < lane->walks->len; i++)
    {
      const LsWalk *w = lane->walks->pdata[i];
      const gint64 products = (gint64) w->kept * w->tile_k;

      if (w->message != NULL)
        continue;
      add_array (writer, index, i, "columns", LS_ST_I64, 1, w->tile_n, w->columns);
      add_array (writer, index, i, "a", LS_ST_F32, products, w->tile_m, w->a);
      add_array (writer, index, i, "b", LS_ST_F32, products, w->tile_n, w->b);
      if (w->times_ns != NULL)
        add_array (writer, index, i, "times_ns", LS_ST_I64, (gint64) w->rounds + 1, LS_WALK_N_STAMPS,
                   w->times_ns);
    }
}

/* ---- reading ---- */

/* An array of exactly that shape; NULL with an error, or without one where it isn't there and may be
 * missing. */
static gpointer
read_array (LsSafetensors *file, guint *used, guint lane, guint walk, const char *name, LsStDtype dtype,
            gint64 rows, gint64 cols, gboolean optional, GError **error)
{
  g_autofree char *text = g_strdup_printf ("lanes.%u.walks.%u.%s", lane, walk, name);
  const LsStTensor *tensor = ls_safetensors_find (file, text);
  g_autofree gpointer values = NULL;

  if (tensor == NULL && !optional)
    ls_recording_wrong (error, _("it lacks the tensor “%s”."), text);
  if (tensor == NULL)
    return NULL;
  if (tensor->dtype != dtype || tensor->rank != 2 || tensor->shape[0] != rows || tensor->shape[1] != cols)
    {
      ls_recording_wrong (error, _("tensor “%s” isn’t of its walk’s type and shape."), text);
      return NULL;
    }
  *used += 1;
  values = g_try_malloc ((gsize) MAX (tensor->bytes, 8));
  if (values == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                 _("tensor “%s” needs %" PRId64 " bytes of memory, which can’t be had."), text,
                 tensor->bytes);
  return values != NULL && ls_safetensors_read (file, tensor, values, error) ? g_steal_pointer (&values)
                                                                             : NULL;
}

static gboolean
read_arrays (LsSafetensors *file, guint *used, guint lane, guint i, LsWalk *w, GError **error)
{
  const gint64 products = (gint64) w->kept * w->tile_k;
  GError *cause = NULL;

  if (w->message != NULL)
    return TRUE;
  if (w->tile_m == 0 || w->tile_n == 0 || w->tile_k == 0 || products == 0)
    return ls_recording_wrong (error, _("lane %u, walk %u: %s."), lane, i, _("its tile has no size"));
  w->columns = read_array (file, used, lane, i, "columns", LS_ST_I64, 1, w->tile_n, FALSE, error);
  if (w->columns == NULL
      || (w->a = read_array (file, used, lane, i, "a", LS_ST_F32, products, w->tile_m, FALSE, error)) == NULL
      || (w->b = read_array (file, used, lane, i, "b", LS_ST_F32, products, w->tile_n, FALSE, error)) == NULL)
    return FALSE;
  w->times_ns = read_array (file, used, lane, i, "times_ns", LS_ST_I64, (gint64) w->rounds + 1,
                            LS_WALK_N_STAMPS, TRUE, &cause);
  if (cause == NULL)
    return TRUE;
  g_propagate_error (error, cause);
  return FALSE;
}

gboolean
ls_recording_read_walks (LsSafetensors *file, guint *used, LsRecordedLane *lane, guint index,
                         const json_t *object, GError **error)
{
  const json_t *array;

  if (json_object_get (object, "walks") == NULL)
    return TRUE;
  array = ls_json_get_array (object, "walks", 0, MAX_WALKS, error);
  for (guint i = 0; i < json_array_size (array); i++)
    {
      LsWalk *walk = ls_walk_new ();
      const json_t *element = ls_json_array_object (array, i, "walks", error);

      g_ptr_array_add (lane->walks, walk);
      if (element == NULL || !ls_fields_read (walk_fields, G_N_ELEMENTS (walk_fields), element, walk, error)
          || !read_arrays (file, used, index, i, walk, error))
        return FALSE;
    }
  return array != NULL;
}

gboolean
ls_recording_read_roofs (LsDeviceInfo *device, const json_t *object, GError **error)
{
  const json_t *array;

  if (json_object_get (object, "roofs") == NULL)
    return TRUE;
  array = ls_json_get_array (object, "roofs", LS_ROOF_OLDEST_N, LS_ROOF_N, error);
  for (guint i = 0; array != NULL && i < json_array_size (array); i++)
    {
      const json_t *element = ls_json_array_object (array, i, "roofs", error);

      if (element == NULL
          || !ls_fields_read (roof_fields, G_N_ELEMENTS (roof_fields), element, &device->roofs[i], error))
        return FALSE;
      device->roofs[i].unit = ls_roof_unit ((LsRoof) i);
      device->roofs[i].evidence = LS_EVIDENCE_MEASURED;
    }
  return array != NULL;
}

/* ---- making ---- */

const LsWalk *
ls_recording_walk (const LsRecording *recording, guint lane, const LsWalkWish *wish)
{
  const GPtrArray *walks = recording->lanes[lane].walks;

  for (guint i = walks->len; i-- > 0;)
    if (ls_walk_matches (walks->pdata[i], wish))
      return walks->pdata[i];
  return NULL;
}
