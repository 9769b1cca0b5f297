/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See recording_mutator.h.
 */
#include "recording_mutator.h"

#include <string.h>

#include "json_mutator.h"
#include "recording_parts.h"

#define ASKED 32 /* numbers */

static void
change_value (Parts *parts, const json_t *facts, GByteArray *bytes)
{
  static const guint64 edges[] = { 0,          1,          2,          0x7f,       0xff,
                                   0x7fff,     0xffff,     0x7fffffff, 0xffffffff, 0x7f800000, /* ∞ */
                                   0x7fc00000, 0xff7fffff, 1,          G_MAXINT64, G_MAXUINT64 };
  const gsize size = parts_element_size (facts), n = bytes->len / size;
  guint8 *element;
  guint64 value = 0;

  if (n == 0)
    return;
  element = bytes->data + size * parts_draw (parts, (guint) n);
  memcpy (&value, element, size);
  switch (parts_draw (parts, 5))
    {
    case 0:
      value = edges[parts_draw (parts, G_N_ELEMENTS (edges))];
      break;
    case 1:
      memcpy (&value, bytes->data + size * parts_draw (parts, (guint) n), size);
      break;
    case 2:
      value += parts_draw (parts, 2) ? 1 : G_MAXUINT64;
      break;
    case 3:
      value ^= 1ull << parts_draw (parts, (guint) (8 * size));
      break;
    default:
      LLVMFuzzerMutate (bytes->data, bytes->len, bytes->len);
      return;
    }
  memcpy (element, &value, size);
}

/* A row more or less, or two that change places, of that column. */
static void
change_row (json_t *facts, GByteArray *bytes, guint row, guint other, guint how)
{
  json_t *shape = json_object_get (facts, "shape");
  const gsize rows = (gsize) json_integer_value (json_array_get (shape, 0)),
              size = rows > 0 ? bytes->len / rows : 0;
  g_autofree guint8 *copy = NULL;

  if (size == 0 || row >= rows || other >= rows)
    return;
  copy = g_memdup2 (bytes->data + row * size, size);
  if (how == 0)
    g_byte_array_remove_range (bytes, (guint) (row * size), (guint) size);
  else if (how == 1)
    g_byte_array_append (bytes, copy, (guint) size);
  else
    {
      memcpy (bytes->data + row * size, bytes->data + other * size, size);
      memcpy (bytes->data + other * size, copy, size);
      return;
    }
  json_array_set_new (shape, 0, json_integer ((json_int_t) rows + (how == 1 ? 1 : -1)));
}

/* The columns of one table, "lanes.0.events.…", change together, mostly. */
static void
change_rows (Parts *parts, const char *name, const json_t *facts)
{
  const char *dot = strrchr (name, '.');
  const json_int_t rows = json_integer_value (json_array_get (json_object_get (facts, "shape"), 0));
  const guint row = parts_draw (parts, (guint) rows), other = parts_draw (parts, (guint) rows),
              how = parts_draw (parts, 3);
  const gboolean alone = dot == NULL || parts_draw (parts, 8) == 0;
  g_autofree char *own = g_strdup (name);
  const gsize prefix = dot != NULL ? (gsize) (dot - name) + 1 : 0;
  const char *key;
  json_t *value;

  json_object_foreach (parts->tensors, key, value)
    {
      GByteArray *bytes = g_hash_table_lookup (parts->data, key);

      if (bytes != NULL && (alone ? strcmp (key, own) == 0 : strncmp (key, own, prefix) == 0)
          && json_integer_value (json_array_get (json_object_get (value, "shape"), 0)) == rows)
        change_row (value, bytes, row, other, how);
    }
}

static void
change_column (Parts *parts)
{
  guint at = parts_draw (parts, (guint) json_object_size (parts->tensors));
  const char *name;
  json_t *facts;

  json_object_foreach (parts->tensors, name, facts)
    if (at-- == 0)
      {
        GByteArray *bytes = g_hash_table_lookup (parts->data, name);

        if (bytes != NULL && parts_draw (parts, 3) > 0)
          change_value (parts, facts, bytes);
        else if (bytes != NULL)
          change_rows (parts, name, facts);
        return;
      }
}

/* What fuzz_picture.c asks for stands in a member of its own. */
static void
change_asked (Parts *parts)
{
  json_t *asked = json_object_get (parts->metadata, "fuzz");
  const gboolean anew = !json_is_array (asked);

  if (anew)
    json_object_set_new (parts->metadata, "fuzz", asked = json_array ());
  for (guint i = anew ? ASKED : 1 + parts_draw (parts, 4); i > 0; i--)
    {
      const guint32 bits = parts_draw (parts, 32);
      json_t *number = json_integer ((json_int_t) (g_rand_int (parts->rand) >> bits));

      if (json_array_size (asked) < ASKED)
        json_array_append_new (asked, number);
      else
        json_array_set_new (asked, parts_draw (parts, ASKED), number);
    }
}

size_t
recording_mutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  g_auto (Parts) parts = { 0 };
  size_t n = 0;

  if (seed % 16 != 0 && parts_take_apart (&parts, data, size, seed))
    {
      for (guint changes = 1 + parts_draw (&parts, 3); changes > 0; changes--)
        switch (parts_draw (&parts, 8))
          {
          case 0:
            json_mutate (parts.tensors, parts.rand);
            break;
          case 1:
            change_asked (&parts);
            break;
          case 2:
          case 3:
            json_mutate (parts.metadata, parts.rand);
            break;
          default:
            change_column (&parts);
            break;
          }
      if (parts_draw (&parts, 16) > 0)
        parts_fit (&parts);
      n = parts_put_together (&parts, data, max);
    }
  return n > 0 ? n : LLVMFuzzerMutate (data, size, max);
}
