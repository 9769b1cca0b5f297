/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors and tilings: where an arena puts its tensors, that a write past either end is found, sizes that
 * overflow, and how an output is cut into tiles.
 */
#include <string.h>

#include "core/error.h"
#include "core/tensor.h"
#include "core/tiling.h"
#include "ops/shape.h"

static const LsTensor samples[] = {
  { .name = "one", .rank = 1, .shape = { 1 } },
  { .name = "line", .rank = 1, .shape = { 16 } }, /* exactly one cache line */
  { .name = "labels", .dtype = LS_I32, .rank = 1, .shape = { 17 } },
  { .name = "empty", .rank = 2, .shape = { 0, 5 } },
  { .name = "images", .rank = 4, .shape = { 3, 2, 5, 7 } },
  { .name = "scalar", .rank = 0 },
};
#define N G_N_ELEMENTS (samples)

/* The same in 16 bits, but for what isn't real. */
static void
halve (LsTensor *tensors)
{
  for (guint i = 0; i < N; i++)
    if (tensors[i].dtype == LS_F32)
      tensors[i].dtype = i % 2 ? LS_BF16 : LS_F16;
}

static void
test_sizes (void)
{
  static const gint64 counts[N] = { 1, 16, 17, 0, 210, 1 }, inners[N] = { 1, 1, 1, 5, 70, 1 };
  static const char *const texts[N] = { "1", "16", "17", "0×5", "3×2×5×7", "" };

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *text = ls_tensor_shape_string (&samples[i]);
      g_assert_cmpint (ls_tensor_count (&samples[i]), ==, counts[i]);
      g_assert_cmpint (ls_tensor_inner (&samples[i]), ==, inners[i]);
      g_assert_cmpuint (ls_tensor_bytes (&samples[i]), ==, 4 * (gsize) counts[i]);
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

/* Aligned, in order, a guard of at least one line between neighbours, all zeros inside; for floats,
 * doubles, and numbers of 16 bits. */
static void
test_layout (void)
{
  for (gint of = 0; of < 4; of++)
    {
      const gboolean wide = of & 1, half = of >> 1;
      const gsize element_size = wide ? 8 : half ? 2 : 4;
      LsTensor tensors[N];
      LsArena arena;
      g_autoptr (GError) error = NULL;
      gsize bytes, end = 0;

      memcpy (tensors, samples, sizeof tensors);
      if (half)
        halve (tensors);
      bytes = ls_arena_layout (tensors, N);
      g_assert_true (ls_arena_init (&arena, tensors, N, wide, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (arena.bytes, ==, bytes * (wide ? half ? 4 : 2 : 1));
      g_assert_cmpuint ((gsize) arena.base % LS_TENSOR_ALIGN, ==, 0);
      for (guint i = 0; i < N; i++)
        {
          gsize element = tensors[i].dtype == LS_I32 ? 4 : element_size;
          gsize size = (gsize) ls_tensor_count (&tensors[i]) * element;
          guint8 *at = ls_arena_at (&arena, &tensors[i]);

          g_assert_cmpuint ((gsize) at % LS_TENSOR_ALIGN, ==, 0);
          g_assert_cmpuint ((gsize) (at - arena.base), >=, end + LS_TENSOR_ALIGN);
          for (gsize j = 0; j < size; j++)
            g_assert_cmpint (at[j], ==, 0);
          memset (at, 0x5A, size);
          end = (gsize) (at - arena.base) + size;
        }
      g_assert_cmpuint (arena.bytes, >=, end + LS_TENSOR_ALIGN);
      g_assert_null (ls_arena_check (&arena, tensors, N));
      ls_arena_clear (&arena);
      g_assert_null (arena.base);
    }
}

/* Where each slot begins: its bytes rounded up to a line and a guard of one behind them; a copy's behind its
 * tensor's own, in its own width, a view where what it is a view of is. What has no size that can be is none.
 */
static void
test_offsets (void)
{
  static const struct {
    LsTensor tensor;
    gsize offset, copy_offset;
  } rows[] = {
    { { .rank = 1, .shape = { 1 } }, 64, 192 },
    { { .rank = 2, .shape = { 4, 4 } }, 192, 320 },                  /* 64 bytes */
    { { .rank = 2, .shape = { 1, 17 } }, 320, 512 },                 /* 68 bytes */
    { { .rank = 1, .shape = { 100 }, .copy = LS_BF16 }, 512, 1024 }, /* 400 bytes, and 200 */
    { { .rank = 1, .shape = { 33 }, .dtype = LS_F16 }, 1344, 1536 },
    { { .rank = 1, .shape = { 5 }, .dtype = LS_I32 }, 1536, 1664 },
    { { .rank = 1, .shape = { 50 }, .is_view = TRUE, .base = 3, .first = 50 }, 512, 1664 },
    { { .rank = 2, .shape = { 0, 7 } }, 1664, 1728 },
    { { .rank = 0 }, 1728, 1856 },
  };
  static const gint64 wrong[][2] = {
    { -1, 1 },
    { 1, -1 },
    { G_GINT64_CONSTANT (1) << 62, 1 },
    { G_GINT64_CONSTANT (1) << 60, 16 },
    { G_MAXINT64 / 8, 1 },
  };
  LsTensor tensors[G_N_ELEMENTS (rows)];

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    tensors[i] = rows[i].tensor;
  g_assert_cmpuint (ls_arena_layout (tensors, G_N_ELEMENTS (rows)), ==, 1856);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (tensors[i].offset != rows[i].offset || tensors[i].copy_offset != rows[i].copy_offset)
      g_error ("tensor %zu begins at %zu and its copy at %zu, not at %zu and %zu", i, tensors[i].offset,
               tensors[i].copy_offset, rows[i].offset, rows[i].copy_offset);
  g_assert_cmpuint (ls_arena_layout (tensors, 0), ==, 64);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      LsTensor pair[] = { { .rank = 1, .shape = { 8 } },
                          { .rank = 2, .shape = { wrong[i][0], wrong[i][1] } } };

      if (ls_arena_layout (pair, 2) != 0)
        g_error ("%" G_GINT64_FORMAT " rows of %" G_GINT64_FORMAT " have room", wrong[i][0], wrong[i][1]);
    }
}

/* One byte, next to a tensor's end and start, and at the far end of its guard. */
static void
test_guards (void)
{
  for (gint of = 0; of < 4; of++)
    for (guint i = 0; i < N; i++)
      {
        const gboolean wide = of & 1, half = of >> 1;
        const gsize element_size = wide ? 8 : half ? 2 : 4;
        LsTensor tensors[N];
        LsArena arena;
        guint8 *at, *end;

        memcpy (tensors, samples, sizeof tensors);
        if (half)
          halve (tensors);
        ls_arena_layout (tensors, N);
        g_assert_true (ls_arena_init (&arena, tensors, N, wide, NULL));
        at = ls_arena_at (&arena, &tensors[i]);
        end = at + (gsize) ls_tensor_count (&tensors[i]) * (tensors[i].dtype == LS_I32 ? 4 : element_size);

        end[0] ^= 1;
        g_assert_true (ls_arena_check (&arena, tensors, N) == &tensors[i]);
        end[0] ^= 1;
        end[LS_TENSOR_ALIGN - 1] ^= 0x80;
        g_assert_true (ls_arena_check (&arena, tensors, N) == &tensors[i]);
        end[LS_TENSOR_ALIGN - 1] ^= 0x80;
        at[-1] ^= 1;
        g_assert_true (ls_arena_check (&arena, tensors, N) == &tensors[i > 0 ? i - 1 : 0]);
        at[-1] ^= 1;
        g_assert_null (ls_arena_check (&arena, tensors, N));
        ls_arena_clear (&arena);
      }
}

/* Rows 0 … 1, 1 … 2 and 2 of a matrix of 3 × 5, and a tensor behind it; all in the matrix's memory but that.
 */
static void
test_views (void)
{
  static const LsTensor with_views[] = {
    { .name = "whole", .rank = 2, .shape = { 3, 5 } },
    { .name = "first", .rank = 2, .shape = { 2, 5 }, .is_view = TRUE },
    { .name = "middle", .rank = 2, .shape = { 2, 5 }, .is_view = TRUE, .first = 5 },
    { .name = "last", .rank = 1, .shape = { 5 }, .is_view = TRUE, .first = 10 },
    { .name = "other", .rank = 1, .shape = { 7 } },
  };
  enum { WHOLE, FIRST, MIDDLE, LAST, OTHER, N_VIEWS };
  static const gboolean overlap[N_VIEWS][N_VIEWS] = {
    [WHOLE] = { TRUE, TRUE, TRUE, TRUE, FALSE },    [FIRST] = { TRUE, TRUE, TRUE, FALSE, FALSE },
    [MIDDLE] = { TRUE, TRUE, TRUE, TRUE, FALSE },   [LAST] = { TRUE, FALSE, TRUE, TRUE, FALSE },
    [OTHER] = { FALSE, FALSE, FALSE, FALSE, TRUE },
  };

  for (gint wide = FALSE; wide <= TRUE; wide++)
    {
      const gsize size = wide ? 8 : 4;
      LsTensor tensors[N_VIEWS];
      LsArena arena;
      guint8 *whole;

      memcpy (tensors, with_views, sizeof tensors);
      /* 64 of guard, 60 of numbers and 68 of guard, 28 and 100 */
      g_assert_cmpuint (ls_arena_layout (tensors, N_VIEWS), ==, 64 + 128 + 128);
      g_assert_true (ls_arena_init (&arena, tensors, N_VIEWS, wide, NULL));
      whole = ls_arena_at (&arena, &tensors[WHOLE]);
      g_assert_true (ls_arena_at (&arena, &tensors[FIRST]) == whole);
      g_assert_true (ls_arena_at (&arena, &tensors[MIDDLE]) == whole + 5 * size);
      g_assert_true (ls_arena_at (&arena, &tensors[LAST]) == whole + 10 * size);
      memset (whole, 0x5A, 15 * size); /* the views' ends are inside: no guard is there */
      g_assert_null (ls_arena_check (&arena, tensors, N_VIEWS));
      whole[15 * size] ^= 1;
      g_assert_true (ls_arena_check (&arena, tensors, N_VIEWS) == &tensors[WHOLE]);
      ls_arena_clear (&arena);
      for (guint i = 0; i < N_VIEWS; i++)
        for (guint j = 0; j < N_VIEWS; j++)
          g_assert_cmpint (ls_tensors_overlap (tensors, i, j), ==, overlap[i][j]);
      g_assert_true (ls_tensors_adjoin (tensors, LAST, FIRST));
      g_assert_false (ls_tensors_adjoin (tensors, FIRST, LAST));
      g_assert_false (ls_tensors_adjoin (tensors, MIDDLE, FIRST));
      g_assert_false (ls_tensors_adjoin (tensors, OTHER, WHOLE));
    }

  /* a view that comes last says nothing of where the arena ends */
  LsTensor tensors[2] = { with_views[WHOLE], with_views[LAST] };
  LsArena arena;
  g_assert_cmpuint (ls_arena_layout (tensors, 2), ==, 64 + 128);
  g_assert_true (ls_arena_init (&arena, tensors, 2, FALSE, NULL));
  g_assert_cmpuint (arena.bytes, ==, 64 + 128);
  ls_arena_clear (&arena);
}

static void
test_overflow (void)
{
  static const LsTensor bad[] = {
    { .rank = 1, .shape = { G_MAXINT64 } },
    { .rank = 2, .shape = { G_MAXINT64, 2 } },
    { .rank = 4, .shape = { 1 << 30, 1 << 30, 1 << 30, 1 << 30 } },
    { .rank = 1, .shape = { -1 } },
    { .rank = 1, .shape = { G_MAXINT64 / 4 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      LsTensor tensors[2] = { samples[0], bad[i] };
      g_assert_cmpuint (ls_arena_layout (tensors, 2), ==, 0);
    }
}

static void
test_no_memory (void)
{
  LsTensor tensors[2] = { samples[0], { .rank = 1, .shape = { (gint64) 1 << 58 } } };
  g_autoptr (GError) error = NULL;
  LsArena arena;

  g_assert_cmpuint (ls_arena_layout (tensors, 2), >, (gsize) 1 << 60);
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  g_test_skip ("a sanitizer ends the program where the system would refuse");
  return;
#endif
  g_assert_false (ls_arena_init (&arena, tensors, 2, TRUE, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "EB")); /* it says how much */
  ls_arena_clear (&arena);
}

static void
test_no_tensors (void)
{
  LsArena arena;

  g_assert_true (ls_arena_init (&arena, NULL, 0, FALSE, NULL));
  g_assert_null (ls_arena_check (&arena, NULL, 0));
  ls_arena_clear (&arena);
}

static void
test_output_matrix (void)
{
  static const struct {
    gint64 shape[4];
    guint rank;
    gint64 rows, cols;
  } rows[] = {
    { { 0 }, 0, 1, 1 },
    { { 7 }, 1, 1, 7 },
    { { 1 }, 1, 1, 1 },
    { { 5, 3 }, 2, 5, 3 },
    { { 2, 3, 5, 7 }, 4, 2, 105 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gint64 r, c;
      ls_tiling_output_matrix (rows[i].shape, rows[i].rank, &r, &c);
      g_assert_cmpint (r, ==, rows[i].rows);
      g_assert_cmpint (c, ==, rows[i].cols);
    }
}

/* The grid covers all and no tile is empty, whatever was wished for. */
static void
test_tiling (void)
{
  static const gint64 sizes[] = { 1, 2, 15, 16, 17, 127, 60000 },
                      wishes[] = { -3, 0, 1, 2, 16, 64, G_MAXINT64 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (sizes); j++)
      for (gsize k = 0; k < G_N_ELEMENTS (wishes); k++)
        {
          LsTiling t = { .splits = (guint) (k % 3) };
          ls_tiling_set (&t, sizes[i], sizes[j], wishes[k], wishes[G_N_ELEMENTS (wishes) - 1 - k]);
          g_assert_cmpint (t.tile_rows, >=, 1);
          g_assert_cmpint (t.tile_cols, <=, sizes[j]);
          g_assert_cmpint (t.grid_rows * t.tile_rows, >=, sizes[i]);
          g_assert_cmpint ((t.grid_rows - 1) * t.tile_rows, <, sizes[i]);
          g_assert_cmpint (t.grid_cols * t.tile_cols, >=, sizes[j]);
          g_assert_cmpint ((t.grid_cols - 1) * t.tile_cols, <, sizes[j]);
          g_assert_cmpuint (t.splits, ==, MAX (1, k % 3));
        }
}

/* A shape has 2³¹ − 1 elements at most, and one at least along each dimension; what it hasn't is 0. */
static void
test_shapes (void)
{
  static const struct {
    guint rank;
    gint64 shape[LS_MAX_RANK];
    gboolean fits;
  } rows[] = {
    { 1, { G_MAXINT32 }, TRUE },
    { 1, { (gint64) G_MAXINT32 + 1 }, FALSE },
    { 2, { 65536, 32767 }, TRUE },
    { 2, { 65536, 32768 }, FALSE },
    { 4, { 1, 1, 1, 1 }, TRUE },
    { 3, { 2, 0, 3 }, FALSE },
    { 2, { -1, -1 }, FALSE },
    { 2, { G_MAXINT64, 2 }, FALSE },
    { 4, { G_GINT64_CONSTANT (1) << 32, G_GINT64_CONSTANT (1) << 32, 1, 1 }, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      LsTensor t = { .shape = { 9, 9, 9, 9 } };
      const gboolean fits = ls_shape_set (&t, rows[i].rank, rows[i].shape, &error);
      g_autofree char *text = ls_tensor_shape_string (&t);

      if (fits != rows[i].fits)
        g_error ("a tensor of %s is %s", text, fits ? "taken" : "refused");
      g_assert_cmpuint (t.rank, ==, rows[i].rank);
      for (guint d = 0; d < LS_MAX_RANK; d++)
        g_assert_cmpint (t.shape[d], ==, d < t.rank ? rows[i].shape[d] : 0);
      if (fits)
        continue;
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_autofree char *said = g_strdup_printf (
        "a tensor of %s has fewer than 1 or more than 2147483647 elements; "
        "choose other sizes",
        text);
      g_assert_cmpstr (error->message, ==, said);
    }
}

/* Of two tensors whose shapes differ each is said with its own, in their order. */
static void
test_same_shape (void)
{
  const LsTensor one = { .name = "a", .rank = 2, .shape = { 2, 3 } },
                 other = { .name = "b", .rank = 3, .shape = { 2, 3, 1 } };
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_shape_same (&one, &one, &error));
  g_assert_no_error (error);
  g_assert_false (ls_shape_same (&one, &other, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpstr (error->message, ==, "a and b must have the same shape, but are 2×3 and 2×3×1");
}

/* Where an element is, the dimension that changes last first. */
static void
test_element (void)
{
  static const struct {
    guint rank;
    gint64 shape[4], i;
    const char *text;
  } rows[] = {
    { 1, { 7 }, 5, "(5)" },
    { 2, { 3, 4 }, 0, "(0, 0)" },
    { 2, { 3, 4 }, 3, "(0, 3)" },
    { 2, { 3, 4 }, 4, "(1, 0)" },
    { 2, { 3, 4 }, 11, "(2, 3)" },
    { 4, { 2, 3, 4, 5 }, 119, "(1, 2, 3, 4)" },
    { 4, { 2, 3, 4, 5 }, 60 + 20 + 5 + 2, "(1, 1, 1, 2)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsTensor t = { .rank = rows[i].rank };
      g_autofree char *text = NULL;

      for (guint d = 0; d < rows[i].rank; d++)
        t.shape[d] = rows[i].shape[d];
      text = ls_tensor_element_string (&t, rows[i].i);
      if (strcmp (text, rows[i].text) != 0)
        g_error ("row %u: element %d is told to be %s, not %s", i, (gint) rows[i].i, text, rows[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/sizes", test_sizes);
  g_test_add_func ("/tensor/layout", test_layout);
  g_test_add_func ("/tensor/offsets", test_offsets);
  g_test_add_func ("/tensor/guards", test_guards);
  g_test_add_func ("/tensor/views", test_views);
  g_test_add_func ("/tensor/overflow", test_overflow);
  g_test_add_func ("/tensor/no-memory", test_no_memory);
  g_test_add_func ("/tensor/no-tensors", test_no_tensors);
  g_test_add_func ("/tiling/output-matrix", test_output_matrix);
  g_test_add_func ("/tiling/set", test_tiling);
  g_test_add_func ("/shape/set", test_shapes);
  g_test_add_func ("/shape/same", test_same_shape);
  g_test_add_func ("/tensor/element", test_element);
  return g_test_run ();
}
