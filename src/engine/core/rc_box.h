/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two functions of each immutable type that is a g_atomic_rc_box.
 */
#pragma once

#include <glib.h>

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
