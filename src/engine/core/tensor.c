/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors and the arena they live in: see tensor.h. Layout: [guard] t0 [guard] t1 [guard] …, each start
 * aligned; views lie in their bases.
 */
#include "config.h"
#include "core/tensor.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

#define GUARD_BYTES   LS_TENSOR_ALIGN
#define GUARD_PATTERN 0xA5

static const LsDtypeInfo dtypes[LS_DTYPES_N] = {
  [LS_F32] = { sizeof (float), TRUE, 0x1p-23 },
  [LS_I32] = { sizeof (gint32), FALSE, 0 },
  [LS_F16] = { sizeof (guint16), TRUE, 0x1p-10 },
  [LS_BF16] = { sizeof (guint16), TRUE, 0x1p-7 },
};

const LsDtypeInfo *
ls_dtype_info (LsDtype dtype)
{
  return &dtypes[dtype];
}

gsize
ls_dtype_size (LsDtype dtype)
{
  return dtypes[dtype].size;
}

gboolean
ls_dtype_is_half (LsDtype dtype)
{
  return dtypes[dtype].size == sizeof (guint16);
}

gint64
ls_tensor_count (const LsTensor *t)
{
  gint64 count = 1;
  for (guint i = 0; i < t->rank; i++)
    count *= t->shape[i];
  return count;
}

gsize
ls_tensor_bytes (const LsTensor *t)
{
  return (gsize) ls_tensor_count (t) * ls_dtype_size (t->dtype);
}

gboolean
ls_tensor_has_copy (const LsTensor *t)
{
  return ls_dtype_is_half (t->copy);
}

gsize
ls_tensor_copy_bytes (const LsTensor *t)
{
  return ls_tensor_has_copy (t) ? (gsize) ls_tensor_count (t) * ls_dtype_size (t->copy) : 0;
}

gsize
ls_tensor_host_bytes (const LsTensor *t)
{
  return (gsize) ls_tensor_count (t) * sizeof (float);
}

guint
ls_tensor_whole (const LsTensor *tensors, guint t)
{
  return tensors[t].is_view ? tensors[t].base : t;
}

gboolean
ls_tensors_overlap (const LsTensor *tensors, guint a, guint b)
{
  const LsTensor *s = &tensors[a], *t = &tensors[b];

  if (a == b || ls_tensor_whole (tensors, a) != ls_tensor_whole (tensors, b))
    return a == b;
  return s->first < t->first + ls_tensor_count (t) && t->first < s->first + ls_tensor_count (s);
}

gboolean
ls_tensors_adjoin (const LsTensor *tensors, guint a, guint b)
{
  const LsTensor *s = &tensors[a], *t = &tensors[b];

  return s->is_view && t->is_view && s->base == t->base && s->first == t->first + ls_tensor_count (t);
}

gint64
ls_tensor_inner (const LsTensor *t)
{
  gint64 inner = 1;
  for (guint i = 1; i < t->rank; i++)
    inner *= t->shape[i];
  return inner;
}

char *
ls_tensor_shape_string (const LsTensor *t)
{
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < t->rank; i++)
    g_string_append_printf (s, "%s%" G_GINT64_FORMAT, i ? "×" : "", t->shape[i]);
  return g_string_free (s, FALSE);
}

/* Bytes of the slot of t in a narrow arena, or of its copy's, of that dtype: contents, rounded up, and the
 * guard behind them; a view has none. */
static gboolean
slot_bytes (const LsTensor *t, LsDtype dtype, gsize *bytes)
{
  gsize n = ls_dtype_size (dtype);

  *bytes = 0;
  if (t->is_view)
    return TRUE;
  for (guint i = 0; i < t->rank; i++)
    if (t->shape[i] < 0 || __builtin_mul_overflow (n, (gsize) t->shape[i], &n))
      return FALSE;
  if (__builtin_add_overflow (n, 2 * LS_TENSOR_ALIGN - 1, &n))
    return FALSE;
  *bytes = n / LS_TENSOR_ALIGN * LS_TENSOR_ALIGN;
  return TRUE;
}

gsize
ls_arena_layout (LsTensor *tensors, guint n_tensors)
{
  gsize offset = GUARD_BYTES;
  for (guint i = 0; i < n_tensors; i++)
    {
      LsTensor *t = &tensors[i];
      gsize bytes, copy = 0;
      t->offset = t->is_view ? tensors[t->base].offset : offset;
      if (!slot_bytes (t, t->dtype, &bytes) || __builtin_add_overflow (offset, bytes, &offset))
        return 0;
      t->copy_offset = offset;
      if ((ls_tensor_has_copy (t) && !slot_bytes (t, t->copy, &copy))
          || __builtin_add_overflow (offset, copy, &offset) || offset > G_MAXSSIZE / 2)
        return 0;
    }
  return offset;
}

/* What offsets are multiplied by, so that the smallest real dtype's elements have room for doubles. */
static gsize
widening (const LsTensor *tensors, guint n_tensors)
{
  gsize scale = sizeof (double) / sizeof (float);

  for (guint i = 0; i < n_tensors; i++)
    if (ls_dtype_is_half (tensors[i].dtype))
      scale = sizeof (double) / sizeof (guint16);
  return scale;
}

static gsize
element_size (const LsArena *arena, const LsTensor *t)
{
  return arena->wide && dtypes[t->dtype].real ? sizeof (double) : dtypes[t->dtype].size;
}

/* Where the guard behind t, which is no view, or behind its copy begins and how long it is, in bytes from the
 * arena's start. */
static void
guard_zone (const LsArena *arena, const LsTensor *t, gboolean copy, gsize *start, gsize *length)
{
  const gsize offset = copy ? t->copy_offset : t->offset;
  gsize slot = 0;

  slot_bytes (t, copy ? t->copy : t->dtype, &slot);
  *start = offset * arena->scale
           + (gsize) ls_tensor_count (t) * (copy ? ls_dtype_size (t->copy) : element_size (arena, t));
  *length = (offset + slot) * arena->scale - *start;
}

gboolean
ls_arena_init (LsArena *arena, const LsTensor *tensors, guint n_tensors, gboolean wide, GError **error)
{
  gsize bytes = GUARD_BYTES, slot;

  memset (arena, 0, sizeof *arena);
  arena->wide = wide;
  arena->scale = wide ? widening (tensors, n_tensors) : 1;
  for (guint i = n_tensors; i-- > 0;)
    if (!tensors[i].is_view)
      {
        const gboolean copy = ls_tensor_has_copy (&tensors[i]);
        if (!slot_bytes (&tensors[i], copy ? tensors[i].copy : tensors[i].dtype, &slot))
          slot = G_MAXSSIZE / 2;
        bytes = (copy ? tensors[i].copy_offset : tensors[i].offset) + slot;
        break;
      }
  bytes *= arena->scale;
  arena->base = ls_memory_new (bytes);
  if (arena->base == NULL)
    {
      g_autofree char *size = g_format_size (bytes);
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("A lane's tensors need %s of memory, which the system doesn’t grant; use a smaller "
                      "batch or network."),
                   size);
      return FALSE;
    }
  arena->bytes = bytes;
  memset (arena->base, GUARD_PATTERN, GUARD_BYTES * arena->scale);
  for (guint i = 0; i < n_tensors; i++)
    {
      gsize start, length;
      if (tensors[i].is_view)
        continue;
      for (gint copy = FALSE; copy <= ls_tensor_has_copy (&tensors[i]); copy++)
        {
          guard_zone (arena, &tensors[i], copy, &start, &length);
          memset (arena->base + start, GUARD_PATTERN, length);
        }
    }
  return TRUE;
}

void
ls_arena_clear (LsArena *arena)
{
  free (arena->base);
  memset (arena, 0, sizeof *arena);
}

void *
ls_arena_at (const LsArena *arena, const LsTensor *t)
{
  return arena->base + t->offset * arena->scale + (gsize) t->first * element_size (arena, t);
}

guint16 *
ls_arena_copy_at (const LsArena *arena, const LsTensor *t)
{
  return ls_tensor_has_copy (t) && !arena->wide ? (guint16 *) (void *) (arena->base + t->copy_offset) : NULL;
}

static gboolean
is_intact (const LsArena *arena, gsize start, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (arena->base[start + i] != GUARD_PATTERN)
      return FALSE;
  return TRUE;
}

const LsTensor *
ls_arena_check (const LsArena *arena, const LsTensor *tensors, guint n_tensors)
{
  if (n_tensors > 0 && !is_intact (arena, 0, GUARD_BYTES * arena->scale))
    return &tensors[0];
  for (guint i = 0; i < n_tensors; i++)
    {
      gsize start, length;
      if (tensors[i].is_view)
        continue;
      for (gint copy = FALSE; copy <= ls_tensor_has_copy (&tensors[i]); copy++)
        {
          guard_zone (arena, &tensors[i], copy, &start, &length);
          if (!is_intact (arena, start, length))
            return &tensors[i];
        }
    }
  return NULL;
}

char *
ls_tensor_element_string (const LsTensor *t, gint64 i)
{
  gint64 at[LS_MAX_RANK] = { 0 };
  GString *text = g_string_new ("(");

  for (guint d = t->rank; d-- > 0; i /= MAX (t->shape[d], 1))
    at[d] = i % MAX (t->shape[d], 1);
  for (guint d = 0; d < t->rank; d++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", at[d]);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}
