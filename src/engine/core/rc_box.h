/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two functions of each immutable type that is a g_atomic_rc_box, and a copy of a type that
 * counts its references in a field.
 */
#pragma once

#include <glib.h>
#include <string.h>

/* PREFIX_ref() and PREFIX_unref(), to which NULL may be given; clear: what the last one does
 * (GDestroyNotify). */
#define LS_RC_BOX(Type, prefix, clear)                                                                       \
  Type *prefix##_ref (Type *box)                                                                             \
  {                                                                                                          \
    return g_atomic_rc_box_acquire (box);                                                                    \
  }                                                                                                          \
                                                                                                             \
  void prefix##_unref (Type *box)                                                                            \
  {                                                                                                          \
    if (box != NULL)                                                                                         \
      g_atomic_rc_box_release_full (box, clear);                                                             \
  }

/* A copy of what begins with its count of references, a gint, and has one now. The original's isn't read:
 * another thread may just be changing it. */
static inline gpointer
ls_counted_copy (gconstpointer original, gsize size)
{
  gint *copy = g_malloc (size);

  *copy = 1;
  memcpy (copy + 1, (const gint *) original + 1, size - sizeof *copy);
  return copy;
}
