/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTensor: a named slice, at most four-dimensional, of one arena.
 *
 * A tensor is declared once, in the plan. Its size, its offset and its pointer are derived, never stored a
 * second time: backends that keep one arena per lane find a tensor at base + offset. Every slice is followed
 * by a guard zone filled with a pattern, and the first has one before it, so that a write past either end is
 * found by ls_arena_check().
 *
 * A view is a tensor without memory of its own: rows of another one along its first dimension, which lie
 * there one after the other. Whoever asks who reads and writes what must ask ls_tensors_overlap(), not for
 * equality.
 */
#pragma once

#include "core/memory.h"

G_BEGIN_DECLS

#define LS_MAX_RANK     4
#define LS_TENSOR_ALIGN LS_MEMORY_ALIGN
#define LS_TENSOR_NAME  64 /* bytes of a name; LS_MODEL_MAX_DEPTH keeps the longest below */

typedef enum {
  LS_F32,
  LS_I32,
  LS_F16, /* these two store, and nothing is computed in them: core/half.h */
  LS_BF16,
  LS_DTYPES_N,
} LsDtype;

/* What an element of a dtype is. */
typedef struct {
  gsize size;     /* bytes in memory */
  gboolean real;  /* a double in the double-precision reference; otherwise the same there */
  double epsilon; /* of its rounding, relative: one unit in the last place is at most this; 0: exact */
} LsDtypeInfo;

const LsDtypeInfo *ls_dtype_info (LsDtype dtype);
gsize ls_dtype_size (LsDtype dtype);
/* Stored in 16 bits; computed in floats. */
gboolean ls_dtype_is_half (LsDtype dtype);

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
  LS_ROLE_ZERO,       /* zeros, which nobody writes */
} LsRole;

typedef struct {
  char name[LS_TENSOR_NAME]; /* as files name it: "0.weight", "h1" */
  char symbol[32];           /* as the lecture writes it: "W₁", "dH₁" */
  LsDtype dtype;
  LsDtype copy; /* of a weight: what products read is stored once more in 16 bits; LS_F32: it isn't */
  LsRole role;
  gint layer; /* index in the nn.Sequential, -1 for none */
  guint rank;
  gint64 shape[LS_MAX_RANK]; /* outermost first; row-major */
  gboolean is_view;          /* it has no memory of its own, but is a part of */
  guint base;                /* this tensor (its position; a lower one, and no view) */
  gint64 first;              /* from this element on; 0 of one that is no view */
  gsize offset;              /* of its memory, or its base's: bytes from the start of a narrow arena */
  gsize copy_offset;         /* of its copy */
} LsTensor;

/* Of a step in 16 bits (model/plan_precision.c), by what a tensor is for: it is handed from layer to layer,
 * forwards or back, and so is stored in them; it is a weight that is multiplied, and has a copy in them.
 * Biases are a row of floats, added to what has just been computed. */
static inline gboolean
ls_role_is_handed_on (LsRole role, LsDtype dtype, guint rank)
{
  return dtype == LS_F32 && rank > 1
         && (role == LS_ROLE_INPUT || role == LS_ROLE_ACTIVATION || role == LS_ROLE_DELTA);
}

static inline gboolean
ls_role_is_multiplied (LsRole role, guint rank)
{
  return role == LS_ROLE_WEIGHT && rank > 1;
}

gint64 ls_tensor_count (const LsTensor *t); /* elements */
gsize ls_tensor_bytes (const LsTensor *t);  /* count × the dtype's size */
gboolean ls_tensor_has_copy (const LsTensor *t);
gsize ls_tensor_copy_bytes (const LsTensor *t); /* 0: it has none */
/* As whoever isn't a backend has its values: floats or 32-bit integers, however they are stored. */
gsize ls_tensor_host_bytes (const LsTensor *t);
/* The tensor, by position, whose memory t lies in: itself, or a view's base. */
guint ls_tensor_whole (const LsTensor *tensors, guint t);
/* Tensors a and b, by position, share memory: they are one, or parts of one that overlap. */
gboolean ls_tensors_overlap (const LsTensor *tensors, guint a, guint b);
/* That view is next to the other in their base's memory: it begins where the other ends. */
gboolean ls_tensors_adjoin (const LsTensor *tensors, guint a, guint b);
gint64 ls_tensor_inner (const LsTensor *t); /* elements per outermost index: count / shape[0] */
/* "128×16×28×28"; (transfer full) */
char *ls_tensor_shape_string (const LsTensor *t);
/* Which element i is: "(12, 97)". (transfer full) */
char *ls_tensor_element_string (const LsTensor *t, gint64 i);

/* All of a plan's tensors in one allocation. A wide one is the double-precision reference's: real numbers are
 * doubles, whatever their dtype; the others stay what they are; offsets are multiplied so that all fit. */
typedef struct {
  guint8 *base;
  gsize bytes;
  gboolean wide;
  gsize scale; /* of offsets */
} LsArena;

/* Fails with LS_ERROR_MEMORY, naming the size, when the memory can't be had. */
gboolean ls_arena_init (LsArena *arena, const LsTensor *tensors, guint n_tensors, gboolean wide,
                        GError **error);
void ls_arena_clear (LsArena *arena);
/* The tensor's first element. */
void *ls_arena_at (const LsArena *arena, const LsTensor *t);
/* Its copy's; NULL: it has none, or needs none, as the arena is wide. */
guint16 *ls_arena_copy_at (const LsArena *arena, const LsTensor *t);
/* The tensor at the first guard zone that was written to (the one before it, but for the zone at the arena's
 * start), or NULL. */
const LsTensor *ls_arena_check (const LsArena *arena, const LsTensor *tensors, guint n_tensors);
/* Sets every tensor's offset; returns the bytes a narrow arena needs, 0 on overflow. */
gsize ls_arena_layout (LsTensor *tensors, guint n_tensors);

G_END_DECLS
