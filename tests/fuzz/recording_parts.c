/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See recording_parts.h.
 */
#include "recording_parts.h"

#include <string.h>

#include "files/safetensors.h"
#include "trace/event.h"

#define MAX_COLUMN (1 << 20) /* bytes */

void
parts_clear (Parts *parts)
{
  json_decref (parts->metadata);
  json_decref (parts->tensors);
  g_clear_pointer (&parts->data, g_hash_table_unref);
  g_clear_pointer (&parts->rand, g_rand_free);
}

guint
parts_draw (Parts *parts, guint end)
{
  return end > 0 ? g_rand_int (parts->rand) % end : 0;
}

gsize
parts_element_size (const json_t *facts)
{
  const char *dtype = json_string_value (json_object_get (facts, "dtype"));

  for (guint i = 0; dtype != NULL && i < LS_ST_N_DTYPES; i++)
    if (strcmp (ls_st_dtype_name ((LsStDtype) i), dtype) == 0)
      return ls_st_dtype_size ((LsStDtype) i);
  return 1;
}

/* ---- apart ---- */

static void
take_metadata (Parts *parts, const json_t *from)
{
  const char *key;
  json_t *value;

  json_object_foreach ((json_t *) from, key, value)
    {
      const char *text = json_string_value (value);
      json_t *inner = text != NULL && strchr ("{[", *text) != NULL ? json_loads (text, 0, NULL) : NULL;

      json_object_set_new (parts->metadata, key, inner != NULL ? inner : json_incref (value));
    }
}

static gboolean
take_tensor (Parts *parts, const char *name, json_t *facts, const guint8 *data, gsize size)
{
  const json_t *places = json_object_get (facts, "data_offsets");
  const json_int_t from = json_integer_value (json_array_get (places, 0)),
                   to = json_integer_value (json_array_get (places, 1));
  GByteArray *bytes;

  if (from < 0 || to < from || to > (json_int_t) size)
    return FALSE;
  bytes = g_byte_array_new ();
  g_byte_array_append (bytes, data + from, (guint) (to - from));
  g_hash_table_insert (parts->data, g_strdup (name), bytes);
  json_object_del (facts, "data_offsets");
  json_object_set (parts->tensors, name, facts);
  return TRUE;
}

gboolean
parts_take_apart (Parts *parts, const guint8 *file, gsize size, guint seed)
{
  guint64 n = 0;
  json_t *root, *value;
  const char *name;
  gboolean good = TRUE;

  if (size < 8)
    return FALSE;
  memcpy (&n, file, 8);
  n = GUINT64_FROM_LE (n);
  root = n <= size - 8 ? json_loadb ((const char *) file + 8, n, 0, NULL) : NULL;
  if (!json_is_object (root))
    {
      json_decref (root);
      return FALSE;
    }
  parts->rand = g_rand_new_with_seed (seed);
  parts->metadata = json_object ();
  parts->tensors = json_object ();
  parts->data = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_byte_array_unref);
  json_object_foreach (root, name, value)
    if (strcmp (name, "__metadata__") == 0)
      take_metadata (parts, value);
    else
      good = good && take_tensor (parts, name, value, file + 8 + n, size - 8 - n);
  json_decref (root);
  return good;
}

/* ---- what must fit ---- */

static void
fit_grid (json_t *tiling, const char *grid, const char *size, const char *tile)
{
  const json_int_t n = json_integer_value (json_object_get (tiling, size)),
                   edge = json_integer_value (json_object_get (tiling, tile));

  if (edge > 0 && n >= 0)
    json_object_set_new (tiling, grid, json_integer (n / edge + (n % edge != 0)));
}

static void
fit_tilings (json_t *in)
{
  gsize i;
  json_t *tiling;

  json_array_foreach (json_object_get (in, "tilings"), i, tiling)
  {
    fit_grid (tiling, "grid_rows", "rows", "tile_rows");
    fit_grid (tiling, "grid_cols", "cols", "tile_cols");
  }
}

/* Of a lane's columns: the tensor's name behind "lanes.0.tensors." and "lanes.0.before.". */
static const char *
name_in_plan (const char *name)
{
  const char *const groups[] = { ".tensors.", ".before." };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (strstr (name, groups[i]) != NULL)
      return strstr (name, groups[i]) + strlen (groups[i]);
  return NULL;
}

static void
fit_tensors (Parts *parts)
{
  const json_t *plan = json_object_get (json_object_get (parts->metadata, "plan"), "tensors");
  const char *name;
  json_t *facts, *planned;
  gsize i;

  json_object_foreach (parts->tensors, name, facts)
    json_array_foreach (
      plan, i,
      planned) if (json_is_object (facts) && json_is_array (json_object_get (planned, "shape"))
                   && g_strcmp0 (name_in_plan (name), json_string_value (json_object_get (planned, "name")))
                        == 0)
      json_object_set_new (facts, "shape", json_deep_copy (json_object_get (planned, "shape")));
}

static guint64
number_at (Parts *parts, guint lane, const char *column, gsize i)
{
  g_autofree char *name = g_strdup_printf ("lanes.%u.events.%s", lane, column);
  const GByteArray *bytes = g_hash_table_lookup (parts->data, name);
  guint64 value = 0;

  if (bytes == NULL)
    return 0;
  if (strcmp (column, "clock") == 0)
    return i < bytes->len ? bytes->data[i] : LS_CLOCK_ORDER;
  if (8 * i + 8 > bytes->len)
    return G_MAXUINT64;
  memcpy (&value, bytes->data + 8 * i, 8);
  return value;
}

/* The recording begins with its earliest event. */
static void
fit_start (Parts *parts)
{
  guint64 start = G_MAXUINT64;
  char text[24];
  gsize l;
  json_t *lane;

  json_array_foreach (json_object_get (parts->metadata, "lanes"), l, lane)
  {
    g_autofree char *name = g_strdup_printf ("lanes.%u.events.clock", (guint) l);
    const GByteArray *clocks = g_hash_table_lookup (parts->data, name);

    start = MIN (start, (guint64) json_integer_value (json_object_get (lane, "start_ns")));
    for (gsize i = 0; clocks != NULL && i < clocks->len; i++)
      if (number_at (parts, (guint) l, "clock", i) != LS_CLOCK_ORDER)
        start = MIN (start, number_at (parts, (guint) l, "start_ns", i));
  }
  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, start);
  json_object_set_new (parts->metadata, "start_ns", json_string (text));
}

void
parts_fit (Parts *parts)
{
  gsize i;
  json_t *lane;

  json_array_foreach (json_object_get (parts->metadata, "lanes"), i, lane)
  {
    fit_tilings (lane);
    fit_tilings (json_object_get (lane, "finer"));
  }
  fit_tensors (parts);
  if (json_object_get (parts->metadata, "start_ns") != NULL)
    fit_start (parts);
}

/* ---- together ---- */

static gsize
bytes_of (const json_t *facts)
{
  guint64 n = parts_element_size (facts);
  gsize i;
  json_t *size;

  json_array_foreach (json_object_get (facts, "shape"), i,
                      size) if (__builtin_mul_overflow (n, (guint64) json_integer_value (size), &n)
                                || n > MAX_COLUMN) return MAX_COLUMN
    + 1;
  return n;
}

/* Each tensor's bytes behind the one before; as many as its shape wants, unless sizes shan't fit. */
static GByteArray *
lay_out (Parts *parts, gboolean fitting)
{
  GByteArray *data = g_byte_array_new ();
  const char *name;
  json_t *facts;

  json_object_foreach (parts->tensors, name, facts)
    {
      GByteArray *bytes = g_hash_table_lookup (parts->data, name);
      const guint from = data->len, had = bytes != NULL ? bytes->len : 0;
      const gsize wanted = bytes_of (facts);
      const guint n = fitting && wanted <= MAX_COLUMN ? (guint) wanted : had;

      g_byte_array_set_size (data, from + n);
      if (n > 0)
        memset (data->data + from, 0, n);
      if (had > 0 && n > 0)
        memcpy (data->data + from, bytes->data, MIN (had, n));
      if (json_is_object (facts))
        json_object_set_new (facts, "data_offsets",
                             json_pack ("[I,I]", (json_int_t) from, (json_int_t) (from + n)));
      if (data->len > MAX_COLUMN)
        break;
    }
  return data;
}

static char *
make_header (Parts *parts)
{
  json_t *root = json_object (), *metadata = json_object (), *value;
  const char *key;
  char *text;

  json_object_foreach (parts->metadata, key, value)
    {
      char *inner = json_is_object (value) || json_is_array (value) ? json_dumps (value, JSON_COMPACT) : NULL;

      json_object_set_new (metadata, key, inner != NULL ? json_string (inner) : json_incref (value));
      free (inner);
    }
  json_object_set_new (root, "__metadata__", metadata);
  json_object_foreach (parts->tensors, key, value)
    json_object_set (root, key, value);
  text = json_dumps (root, JSON_COMPACT);
  json_decref (root);
  return text;
}

size_t
parts_put_together (Parts *parts, uint8_t *out, size_t max)
{
  g_autoptr (GByteArray) data = lay_out (parts, parts_draw (parts, 16) > 0);
  char *header = make_header (parts);
  const gsize n = header != NULL ? strlen (header) : 0;
  const guint64 length = GUINT64_TO_LE ((guint64) n);
  size_t size = 0;

  if (n > 0 && 8 + n + data->len <= max)
    {
      memcpy (out, &length, 8);
      memcpy (out + 8, header, n);
      if (data->len > 0)
        memcpy (out + 8 + n, data->data, data->len);
      size = 8 + n + data->len;
    }
  free (header);
  return size;
}
