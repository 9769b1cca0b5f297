/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See json_mutator.h.
 */
#include "json_mutator.h"

#include <string.h>

/* Where a value stands. */
typedef struct {
  json_t *in;
  const char *key; /* of an object */
  gsize index;     /* of an array */
  json_t *value;
} Slot;

static void
collect (json_t *in, GArray *slots)
{
  const char *key;
  json_t *value;
  gsize i;

  if (json_is_object (in))
    json_object_foreach (in, key, value)
      {
        g_array_append_val (slots, ((Slot){ in, key, 0, value }));
        collect (value, slots);
      }
  else if (json_is_array (in))
    json_array_foreach (in, i, value)
    {
      g_array_append_val (slots, ((Slot){ in, NULL, i, value }));
      collect (value, slots);
    }
}

/* value is consumed. */
static void
put (const Slot *slot, json_t *value)
{
  if (value == NULL)
    return;
  if (slot->key != NULL)
    {
      g_autofree char *key = g_strdup (slot->key);
      json_object_set_new (slot->in, key, value);
    }
  else
    json_array_set_new (slot->in, slot->index, value);
}

static json_t *
new_edge (GRand *rand)
{
  static const json_int_t whole[] = { 0,         1,         -1,         2,          7,          255,
                                      256,       65535,     65536,      G_MAXINT32, G_MININT32, G_MAXUINT32,
                                      1LL << 32, 1LL << 53, G_MAXINT64, G_MININT64 };
  static const double numbers[] = { 0.5, -0.0, 1e-300, 1e300, 1e15, -1e9, 4e-39, 1.7976931348623157e308 };
  static const char *const texts[] = { "",     "cpu",     "opencl", "0", "1e9", "\xe2\x80\xae",
                                       "a\nb", "\x1b[2J", "%s%n",   "{}" };

  switch (g_rand_int_range (rand, 0, 7))
    {
    case 0:
      return json_null ();
    case 1:
      return json_boolean (g_rand_boolean (rand));
    case 2:
      return json_real (numbers[g_rand_int_range (rand, 0, G_N_ELEMENTS (numbers))]);
    case 3:
      return json_string (texts[g_rand_int_range (rand, 0, G_N_ELEMENTS (texts))]);
    case 4:
      return g_rand_boolean (rand) ? json_array () : json_object ();
    default:
      return json_integer (whole[g_rand_int_range (rand, 0, G_N_ELEMENTS (whole))]);
    }
}

/* (transfer full) */
static char *
other_text (const char *text)
{
  const gsize n = strlen (text), max = n + 16;
  g_autofree guint8 *bytes = g_malloc0 (max + 1);

  memcpy (bytes, text, n);
  bytes[LLVMFuzzerMutate (bytes, n, max)] = '\0';
  return g_utf8_make_valid ((const char *) bytes, -1);
}

/* A little different; NULL: it has nothing to be different in. */
static json_t *
new_neighbour (const json_t *value, GRand *rand)
{
  const guint64 whole = (guint64) json_integer_value (value);
  g_autofree char *text = NULL;

  switch (json_typeof (value))
    {
    case JSON_INTEGER:
      switch (g_rand_int_range (rand, 0, 5))
        {
        case 0:
          return json_integer ((json_int_t) (whole + 1));
        case 1:
          return json_integer ((json_int_t) (whole - 1));
        case 2:
          return json_integer ((json_int_t) (whole * 2));
        case 3:
          return json_integer ((json_int_t) (whole ^ 1ull << g_rand_int_range (rand, 0, 64)));
        default:
          return json_integer (g_rand_int_range (rand, 0, 100));
        }
    case JSON_REAL:
      return json_real (json_real_value (value) * g_rand_double_range (rand, -2, 2));
    case JSON_STRING:
      text = other_text (json_string_value (value));
      return json_string (text);
    case JSON_TRUE:
    case JSON_FALSE:
      return json_boolean (json_is_false (value));
    default:
      return NULL;
    }
}

static void
rename_member (const Slot *slot)
{
  g_autofree char *old = g_strdup (slot->key), *name = other_text (old);
  json_t *value = json_incref (slot->value);

  json_object_del (slot->in, old);
  json_object_set_new (slot->in, name, value);
}

void
json_mutate (json_t *root, GRand *rand)
{
  g_autoptr (GArray) slots = g_array_new (FALSE, FALSE, sizeof (Slot));
  const Slot *slot, *other;

  collect (root, slots);
  if (slots->len == 0)
    return;
  slot = &g_array_index (slots, Slot, g_rand_int (rand) % slots->len);
  other = &g_array_index (slots, Slot, g_rand_int (rand) % slots->len);
  switch (g_rand_int_range (rand, 0, 10))
    {
    case 0: /* gone */
      if (slot->key != NULL)
        {
          g_autofree char *key = g_strdup (slot->key);
          json_object_del (slot->in, key);
        }
      else
        json_array_remove (slot->in, slot->index);
      break;
    case 1: /* another's */
      put (slot, json_deep_copy (other->value));
      break;
    case 2: /* twice */
      if (slot->key == NULL)
        json_array_insert_new (slot->in, slot->index, json_deep_copy (slot->value));
      else
        put (slot, new_edge (rand));
      break;
    case 3:
      if (slot->key != NULL)
        rename_member (slot);
      else
        put (slot, new_edge (rand));
      break;
    case 4:
    case 5:
      put (slot, new_edge (rand));
      break;
    default:
      put (slot, new_neighbour (slot->value, rand));
      break;
    }
}

size_t
json_mutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  json_t *root = seed % 8 != 0 ? json_loadb ((const char *) data, size, 0, NULL) : NULL;
  char *text = NULL;
  size_t n = 0;

  if (root != NULL)
    {
      for (gint changes = g_rand_int_range (rand, 1, 4); changes > 0; changes--)
        json_mutate (root, rand);
      text = json_dumps (root, JSON_COMPACT);
      n = text != NULL ? strlen (text) : 0;
    }
  json_decref (root);
  if (n == 0 || n > max)
    n = LLVMFuzzerMutate (data, size, max);
  else
    memcpy (data, text, n);
  free (text);
  return n;
}

static gboolean
same_number (const json_t *a, const json_t *b)
{
  const double x = json_number_value (a), y = json_number_value (b);

  return json_is_number (b) && x <= y && x >= y;
}

const char *
json_other (const json_t *written, const json_t *read, const char *but)
{
  const char *key, *other = NULL;
  json_t *value;
  gsize i;

  if (json_is_object (written))
    json_object_foreach ((json_t *) written, key, value)
      {
        const json_t *from = json_object_get (read, key);

        if (g_strcmp0 (key, but) == 0 || (json_is_null (value) && from == NULL))
          continue;
        if (json_is_object (value) || json_is_array (value))
          other = json_other (value, from, but);
        else if (json_is_number (value) ? !same_number (value, from) : !json_equal (value, (json_t *) from))
          other = key;
        if (other != NULL)
          return other;
      }
  else if (json_is_array (written))
    {
      if (json_array_size (written) != json_array_size (read))
        return "its length";
      json_array_foreach (written, i, value)
      {
        const json_t *from = json_array_get (read, i);

        other = json_is_number (value) && !same_number (value, from) ? "a number"
                                                                     : json_other (value, from, but);
        if (other != NULL)
          return other;
      }
    }
  return NULL;
}
