/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A safetensors file, most of all a recording, taken apart and put together again: what recording_mutator.c
 * changes in between.
 */
#pragma once

#include <jansson.h>

#include "fuzz.h"

typedef struct {
  json_t *metadata; /* texts; what is JSON itself is an object or an array here */
  json_t *tensors;  /* name → dtype, shape */
  GHashTable *data; /* name → GByteArray */
  GRand *rand;
} Parts;

/* FALSE: it is no such file. */
gboolean parts_take_apart (Parts *parts, const guint8 *file, gsize size, guint seed);
void parts_clear (Parts *parts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)
/* Sizes of grids, shapes of the plan's tensors and the time of the earliest event, so that they agree. */
void parts_fit (Parts *parts);
/* Its size; 0: there is no room. */
size_t parts_put_together (Parts *parts, uint8_t *out, size_t max);

/* Of a tensor, in bytes. */
gsize parts_element_size (const json_t *facts);
/* 0 … end − 1; 0 where end is. */
guint parts_draw (Parts *parts, guint end);
