/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording from a file: format and version first, then the metadata by the tables of recording_format.c,
 * then the columns (recording_columns.c), and last everything that must hold between them
 * (ls_recording_seal). Not a byte of a file that fails is used.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/json.h"
#include "files/recording_format.h"

typedef struct {
  LsSafetensors *file;
  LsRecording *recording;
  guint used; /* tensors of the file that were read */
} Reader;

gboolean
ls_recording_wrong (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (LS_ERROR, LS_ERROR_DATA, format, args);
  va_end (args);
  return FALSE;
}

static const char *
metadata (Reader *r, const char *key, GError **error)
{
  const char *text = g_hash_table_lookup (r->file->metadata, key);

  if (text == NULL)
    ls_recording_wrong (error, _("its metadata lack “%s”."), key);
  return text;
}

static gboolean
metadata_number (Reader *r, const char *key, guint64 *value, GError **error)
{
  const char *text = metadata (r, key, error);

  if (text == NULL)
    return FALSE;
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, value, NULL))
    return TRUE;
  return ls_recording_wrong (error, _("its metadata “%s” must be a whole number."), key);
}

static json_t *
metadata_json (Reader *r, const char *key, json_type type, GError **error)
{
  const char *text = metadata (r, key, error);
  json_t *json;

  if (text == NULL)
    return NULL;
  json = ls_json_parse (text, strlen (text), ls_recording_limits.header_bytes, type, error);
  if (json == NULL)
    g_prefix_error (error, _("metadata “%s”: "), key);
  return json;
}

static gboolean
check_version (Reader *r, GError **error)
{
  const char *format = g_hash_table_lookup (r->file->metadata, "format");
  guint64 version;

  if (g_strcmp0 (format, LS_RECORDING_FORMAT) != 0)
    return ls_recording_wrong (error, _("it is no recording of Lockstep."));
  if (!metadata_number (r, "version", &version, error))
    return FALSE;
  if (version > LS_RECORDING_VERSION)
    return ls_recording_wrong (
      error,
      _("it is a recording of version %" PRIu64 ", made by a newer Lockstep; this one reads version %d."),
      version, LS_RECORDING_VERSION);
  return version >= LS_RECORDING_OLDEST
         || ls_recording_wrong (error, _("it is a recording of the unknown version %" PRIu64 "."), version);
}

/* Reads object's array of objects into n structs; *n is set, and the structs are allocated zeroed. A partly
 * filled array is the recording's, which frees it. */
static gboolean
read_structs (const json_t *object, const char *name, const LsFieldTable *table, guint min, guint max,
              gsize size, gpointer *structs, guint *n, GError **error)
{
  const json_t *array = ls_json_get_array (object, name, min, max, error);

  if (array == NULL)
    return FALSE;
  *n = (guint) json_array_size (array);
  *structs = g_malloc0_n (MAX (*n, 1), size);
  for (guint i = 0; i < *n; i++)
    {
      const json_t *element = ls_json_array_object (array, i, name, error);

      if (element == NULL)
        return FALSE;
      if (!ls_fields_read (table->fields, table->n, element, (guint8 *) *structs + i * size, error))
        {
          g_prefix_error (error, _("%s, number %u: "), name, i);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_names (const LsRecording *recording, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < recording->n_shapes; i++)
    if (!g_hash_table_add (names, recording->shapes[i].name))
      return ls_recording_wrong (error, _("the plan has two tensors “%s”."), recording->shapes[i].name);
  return TRUE;
}

static gboolean
read_plan (Reader *r, GError **error)
{
  LsRecording *recording = r->recording;
  g_autoptr (json_t) plan = metadata_json (r, "plan", JSON_OBJECT, error);
  gpointer shapes = NULL, ops = NULL;
  gboolean good;

  if (plan == NULL
      || !ls_fields_read (ls_recording_plan_table.fields, ls_recording_plan_table.n, plan, recording, error))
    return FALSE;
  good = read_structs (plan, "tensors", &ls_recorded_shape_table, 1, 4 * LS_RECORDING_MAX_OPS,
                       sizeof *recording->shapes, &shapes, &recording->n_shapes, error);
  recording->shapes = shapes;
  if (!good || !check_names (recording, error))
    return FALSE;
  good = read_structs (plan, "ops", &ls_recorded_op_table, 1, LS_RECORDING_MAX_OPS, sizeof *recording->ops,
                       &ops, &recording->n_ops, error);
  recording->ops = ops;
  return good;
}

static gboolean
read_hash (json_t *object, const char *what, GHashTable *hash, GError **error)
{
  const char *key;
  const json_t *value;

  json_object_foreach (object, key, value)
    {
      if (!json_is_string (value))
        return ls_recording_wrong (error, _("“%s” of the %s must be text."), key, what);
      g_hash_table_insert (hash, g_strdup (key), g_strdup (json_string_value (value)));
    }
  return TRUE;
}

static gboolean
read_metadata_hash (Reader *r, const char *key, GHashTable *hash, GError **error)
{
  g_autoptr (json_t) object = metadata_json (r, key, JSON_OBJECT, error);

  return object != NULL && read_hash (object, key, hash, error);
}

static gboolean
read_tilings (Reader *r, const json_t *object, LsTiling **tilings, GError **error)
{
  gpointer read = NULL;
  guint n;
  const gboolean good = read_structs (object, "tilings", &ls_recording_tiling_table, r->recording->n_ops,
                                      r->recording->n_ops, sizeof **tilings, &read, &n, error);

  *tilings = read;
  for (guint i = 0; good && i < n; i++)
    if ((*tilings)[i].way == LS_WAY_OTHER)
      ls_tiling_find_way (&(*tilings)[i]);
  return good;
}

/* The step cut finer: all but its events. */
static gboolean
read_cut (Reader *r, LsRecordedLane *lane, const json_t *object, GError **error)
{
  const json_t *finer = ls_json_get_object (object, "finer", error);

  if (finer == NULL)
    return FALSE;
  lane->finer = ls_recorded_cut_new (NULL, 0, g_array_new (FALSE, FALSE, sizeof (LsEvent)), 0, 0);
  return ls_fields_read (ls_recorded_cut_table.fields, ls_recorded_cut_table.n, finer, lane->finer, error)
         && read_tilings (r, finer, &lane->finer->tilings, error);
}

static gboolean
read_lane_facts (Reader *r, guint index, const json_t *object, GError **error)
{
  LsRecordedLane *lane = &r->recording->lanes[index];
  const LsFieldTable *table = &ls_recording_device_table;
  json_t *device, *facts;

  if (!ls_fields_read (ls_recorded_lane_table.fields, ls_recorded_lane_table.n, object, lane, error))
    return FALSE;
  device = ls_json_get_object (object, "device", error);
  if (device == NULL)
    return FALSE;
  lane->device = ls_device_info_new (NULL);
  if (!ls_fields_read (table->fields, table->n, device, lane->device, error))
    return FALSE;
  lane->device->who = ls_backend_kind (lane->device->backend);
  facts = ls_json_get_object (device, "facts", error);
  if (facts == NULL || !read_hash (facts, "facts", lane->device->facts, error)
      || !ls_recording_read_numbers (lane->device, device, error)
      || !ls_recording_read_roofs (lane->device, device, error))
    return FALSE;
  return read_tilings (r, object, &lane->tilings, error)
         && (json_object_get (object, "finer") == NULL || read_cut (r, lane, object, error))
         && ls_recording_read_walks (r->file, &r->used, lane, index, object, error);
}

static gboolean
read_lane (Reader *r, guint lane, const json_t *facts, GError **error)
{
  LsRecordedLane *own = &r->recording->lanes[lane];

  return read_lane_facts (r, lane, facts, error)
         && ls_recording_read_columns (r->file, &r->used, r->recording, lane, error)
         && ls_recording_read_accuracies (r->file, lane, own, &r->used, error)
         && ls_recording_read_off_core (r->file, lane, own, &r->used, error)
         && ls_evaluation_read (r->file, lane, r->recording->n_classes, r->recording->in_shape,
                                &own->evaluation, &r->used, error);
}

/* Of those that the program computes with. */
static void
take_conditions (LsRecording *recording)
{
  const char *turns = g_hash_table_lookup (recording->conditions, "lanes"),
             *warm_up = g_hash_table_lookup (recording->conditions, "warm-up steps");
  guint64 steps = 0;

  recording->turns = g_strcmp0 (turns, "in turn") == 0;
  if (warm_up != NULL && g_ascii_string_to_unsigned (warm_up, 10, 0, G_MAXUINT32, &steps, NULL))
    recording->warm_up = (guint) steps;
}

static gboolean
read_all (Reader *r, GError **error)
{
  g_autoptr (json_t) lanes = NULL;
  const char *program, *date;
  guint64 start_ns;

  if (!check_version (r, error) || (lanes = metadata_json (r, "lanes", JSON_ARRAY, error)) == NULL)
    return FALSE;
  if (json_array_size (lanes) < 1 || json_array_size (lanes) > LS_RECORDING_MAX_LANES)
    return ls_recording_wrong (error, _("it must have 1 to %d lanes, not %u."), LS_RECORDING_MAX_LANES,
                               (guint) json_array_size (lanes));
  r->recording = ls_recording_alloc ((guint) json_array_size (lanes));
  if ((program = metadata (r, "program", error)) == NULL || (date = metadata (r, "date", error)) == NULL
      || !metadata_number (r, "step", &r->recording->step, error)
      || !metadata_number (r, "start_ns", &start_ns, error) || !read_plan (r, error)
      || !read_metadata_hash (r, "options", r->recording->options, error)
      || !read_metadata_hash (r, "conditions", r->recording->conditions, error))
    return FALSE;
  take_conditions (r->recording);
  r->recording->lab = g_strdup (g_hash_table_lookup (r->file->metadata, "lab"));
  r->recording->program = g_strdup (program);
  r->recording->date = g_strdup (date);
  for (guint i = 0; i < r->recording->n_lanes; i++)
    {
      const json_t *facts = ls_json_array_object (lanes, i, "lanes", error);

      if (facts == NULL || !read_lane (r, i, facts, error))
        return FALSE;
    }
  if (r->used != r->file->n_tensors)
    return ls_recording_wrong (error,
                               ngettext ("it holds %u tensor that belongs to nothing.",
                                         "it holds %u tensors that belong to nothing.",
                                         r->file->n_tensors - r->used),
                               r->file->n_tensors - r->used);
  if (!ls_recording_seal (r->recording, error))
    return FALSE;
  return r->recording->start_ns == start_ns
         || ls_recording_wrong (error, _("its start_ns isn’t the time of its earliest event."));
}

LsRecording *
ls_recording_load (const char *path, GError **error)
{
  g_autoptr (LsSafetensors) file = ls_safetensors_open (path, &ls_recording_limits, error);
  Reader r = { .file = file };
  g_autoptr (GError) local = NULL;

  if (file == NULL)
    return NULL;
  if (read_all (&r, &local))
    return r.recording;
  ls_recording_unref (r.recording);
  g_set_error (error, LS_ERROR, local->domain == LS_ERROR ? local->code : LS_ERROR_DATA,
               _("“%s” can’t be used: %s"), file->name, local->message);
  ls_error_make_printable (error);
  return NULL;
}
