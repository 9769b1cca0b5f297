/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsClLimits: what a device lets a kernel do.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Filled by devices.c. */
typedef struct {
  gboolean is_cpu;
  gsize max_group; /* work-items */
  gsize max_item[3];
  gsize local_mem;    /* bytes */
  gsize alignment;    /* bytes: where a part of a buffer may begin */
  guint vector_width; /* preferred float lanes: 16 on AVX-512, 8 on AVX2, 1 on GPUs */
  guint units;
  gboolean rounds; /* quotients and square roots as IEEE 754 has it, if asked to */
} LsClLimits;

G_END_DECLS
