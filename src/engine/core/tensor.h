/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTensor: a named slice, at most four-dimensional, of one arena.
 *
 * A tensor is declared once, in the plan. Its size, its offset and its pointer are derived, never stored a
 * second time: backends that keep one arena per lane find a tensor at base + offset. Every slice is followed
 * by a guard zone filled with a pattern, and the first has one before it, so that a write past either end is
 * found by ls_arena_check().
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_MAX_RANK     4
#define LS_TENSOR_ALIGN 64 /* bytes: one cache line, one AVX-512 vector */

typedef enum {
  LS_F32,
  LS_I32,
} LsDtype;

/* What a tensor is for; decides initial contents, saving and comparison. */
typedef enum {
  LS_ROLE_INPUT,      /* the batch's samples */
  LS_ROLE_LABEL,      /* the batch's labels, i32 */
  LS_ROLE_WEIGHT,     /* a parameter that the optimizer moves */
  LS_ROLE_GRADIENT,   /* d loss / d weight */
  LS_ROLE_STATE,      /* an optimizer's memory (velocity, moments), starts at zero */
  LS_ROLE_ACTIVATION, /* a layer's output */
  LS_ROLE_DELTA,      /* d loss / d activation */
  LS_ROLE_INDEX,      /* positions of maxima in a pooling window, i32 */
  LS_ROLE_LOSS,       /* per-sample losses and their mean */
} LsRole;

typedef struct {
  char name[32];   /* as files name it: "0.weight", "h1" */
  char symbol[32]; /* as the lecture writes it: "W₁", "dH₁" */
  LsDtype dtype;
  LsRole role;
  gint layer; /* index in the nn.Sequential, -1 for none */
  guint rank;
  gint64 shape[LS_MAX_RANK]; /* outermost first; row-major */
  gsize offset;              /* bytes from the arena's start, for 4-byte elements */
} LsTensor;

gint64 ls_tensor_count (const LsTensor *t); /* elements */
gsize ls_tensor_bytes (const LsTensor *t);  /* count × 4 */
gint64 ls_tensor_inner (const LsTensor *t); /* elements per outermost index: count / shape[0] */
/* "128×16×28×28"; (transfer full) */
char *ls_tensor_shape_string (const LsTensor *t);
/* Which element i is: "(12, 97)". (transfer full) */
char *ls_tensor_element_string (const LsTensor *t, gint64 i);

/* All of a plan's tensors in one allocation.
 * element_size is 4, or 8 for the double-precision reference, whose offsets are doubled. i32 tensors stay
 * i32 in both. */
typedef struct {
  guint8 *base;
  gsize bytes;
  gsize element_size;
} LsArena;

/* Fails with LS_ERROR_MEMORY, naming the size, when the memory can't be had. */
gboolean ls_arena_init (LsArena *arena, const LsTensor *tensors, guint n_tensors, gsize element_size,
                        GError **error);
void ls_arena_clear (LsArena *arena);
/* The tensor's first element. */
void *ls_arena_at (const LsArena *arena, const LsTensor *t);
/* The tensor at the first guard zone that was written to (the one before it, but for the zone at the arena's
 * start), or NULL. */
const LsTensor *ls_arena_check (const LsArena *arena, const LsTensor *tensors, guint n_tensors);
/* Sets every tensor's offset; returns the bytes an arena of 4-byte elements needs, 0 on overflow. */
gsize ls_arena_layout (LsTensor *tensors, guint n_tensors);

G_END_DECLS
