/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conv2d and conv2d_dx on vectors: one work-item per group computes 8 channels of `tile_rows` rows of the result, two
 * vectors at a time, in 16 vector registers. Neighbouring results need neighbouring pixels, so a vector of the implicit
 * matrix B is simply VEC consecutive floats of the frame, at a place that moves with c, u, v:
 *
 *      frame, channel c                                result, channels m … m+7
 *    ┌────────────────────┐
 *    │  . . . . . . . . . │   window row u              y[m]   ▓▓▓▓ ░░░░        ▓▓▓▓ vector 0
 *    │  . . ▓▓▓▓ ░░░░ . . │   moved by v        ──►     y[m+1] ▓▓▓▓ ░░░░        ░░░░ vector 1, of the same row,
 *    │  . . . . . . . . . │                               …                     or of the next where rows are short
 *    └────────────────────┘
 *
 *   per (c, u, v):   y[m][0] += W(m, c, u, v) · frame[0],  y[m][1] += W(m, c, u, v) · frame[1]    for the 8 channels m
 *
 * conv2d_dx is the same sum over dY's frame with the kernel turned by 180° and its two channel indices exchanged. Both add in
 * the order of W's memory, (c, u, v), SUM_BLOCK products at a time, as every lane does (gemm.clh).
 * Dimension 0 counts blocks of 8 channels: consecutive groups read the same rows of the frame.
 *
 *   VEC       see vector.clh
 *   CONV_DX   1: conv2d_dx. Default 0.
 */
#ifndef CONV_DX
#define CONV_DX 0
#endif

#define SUM_BLOCK 256 /* as in gemm.clh */

/* W is [outputs, channels, window, window]: where row m begins; from one channel's last place to the next one's first. Where place
 * v of row u looks in the frame, how far from there the next one does, and how many places do so. */
#if CONV_DX
#define WEIGHT_ROW(m)    ((m) * area)
#define WEIGHT_STEP      ((M - 1) * area)
#define FRAME_ROW(c, u)  ((c) * frame_rows + window - 1 - (u))
#define FRAME_COL(v)     (window - 1 - (v))
#define FRAME_NEXT       (-1)
#define RUN              (window - v)
#else
#define WEIGHT_ROW(m)    ((m) * channels * area)
#define WEIGHT_STEP      0
#define FRAME_ROW(c, u)  ((c) * frame_rows + (u))
#define FRAME_COL(v)     (stride == 1 ? (v) : (v) % stride * pitch + (v) / stride)
#define FRAME_NEXT       1
#define RUN              (stride == 1 ? window - v : 1)
#endif

#define ROWS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7)

/* Channels after the last are computed from the last, and not stored. */
#define ROW_WEIGHTS(r) __global const float *w##r = weights + WEIGHT_ROW (MIN (first_m + r, M - 1));
#define ROW_INIT(r)    floatv y##r##0 = 0.0f, y##r##1 = 0.0f, total##r##0 = 0.0f, total##r##1 = 0.0f;

#define ROW_MULTIPLY_ACCUMULATE(r)                                            \
  {                                                                           \
    floatv w = w##r[at];                                                      \
    y##r##0 += w * x0;                                                        \
    y##r##1 += w * x1;                                                        \
  }

/* The nine places of a channel, one after the other: addresses and conditions between them cost a fifth of the time (PoCL on
 * AVX-512, 128 images of 16 × 14 × 14, 32 outputs). A walk takes them one by one. */
#define THREE_BY_THREE (!LS_WALK && window == 3 && stride == 1)
#define PLACE(u, v)                                                           \
  {                                                                           \
    floatv x0 = LOADV (from0 + (u) * down + (v) * FRAME_NEXT);                \
    floatv x1 = LOADV (from1 + (u) * down + (v) * FRAME_NEXT);                \
    ROWS (ROW_MULTIPLY_ACCUMULATE)                                            \
    at++;                                                                     \
  }
#define PLACES(u) PLACE (u, 0) PLACE (u, 1) PLACE (u, 2)

#define ROW_BLOCK_ENDS(r)                                                     \
  total##r##0 += y##r##0;                                                     \
  total##r##1 += y##r##1;                                                     \
  y##r##0 = y##r##1 = 0.0f;

#define STORE_VECTOR(m, slot, v)                                              \
  {                                                                           \
    int to = slot.out + (m) * rows * cols;                                    \
    EPILOGUE (floatv, v, other[m], load_lanes (other + to, lanes))            \
    store_lanes (v, out + to, lanes);                                         \
  }

#define ROW_STORE(r)                                                          \
  if (first_m + r < M)                                                        \
    {                                                                         \
      STORE_VECTOR (first_m + r, slot0, total##r##0)                          \
      if (t + 1 < n_slots)                                                    \
        STORE_VECTOR (first_m + r, slot1, total##r##1)                        \
    }

/* Where one vector of the result comes from and goes to. */
typedef struct {
  int b, r, s;  /* image; row and first column of the result */
  int frame;    /* its first pixel for c = u = v = 0 */
  int out;      /* its first element in channel 0 */
} slot_t;

/* In rows of VEC or more the last vector starts early enough to be whole: it computes some elements a second time. */
slot_t
slot_set (int b, int r, int s, CONV_SHAPE)
{
  slot_t slot;
  slot.b = b;
  slot.r = r;
  slot.s = s + VEC <= cols ? s : cols > VEC ? cols - VEC : 0;
  slot.frame = (b * channels * frame_rows + r * stride) * stride * pitch + slot.s;
  slot.out = (b * M * rows + r) * cols + slot.s;
  return slot;
}

#define SLOT(b, r, s)                                                                                                  \
  slot_set (b, r, s, M, channels, image_rows, image_cols, rows, cols, all_rows, window, stride, dilation, offset,      \
            frame_rows, pitch, tile_rows, splits)
/* The next vector of the row, else of the next row, else of the next image. */
#define NEXT_SLOT(slot)                                                                                                \
  (slot.s + VEC < cols    ? SLOT (slot.b, slot.r, slot.s + VEC)                                                        \
   : slot.r + 1 < rows    ? SLOT (slot.b, slot.r + 1, 0)                                                               \
                          : SLOT (slot.b + 1, 0, 0))

/* The walk is that of the first two vectors. */
#if LS_WALK
#define WALK_ROW(r) ls_walk_values (walk, 0, product, 8)[r] = w##r[at];
#define LS_WALK_SLOTS                                                         \
  if (t == 0)                                                                 \
    {                                                                         \
      LS_WALK_TELL (0, slot0.b, slot0.r, slot0.s)                             \
      LS_WALK_TELL (1, t + 1 < n_slots ? slot1.b : -1, slot1.r, slot1.s)      \
    }                                                                         \
  int product = -1;
#define LS_WALK_ORDINAL                                                       \
  product++;                                                                  \
  if (t == 0)                                                                 \
    LS_WALK_ROUND (product)
#define LS_WALK_FACTORS                                                       \
  if (t == 0 && LS_WALK_KEEPS (product))                                      \
    {                                                                         \
      ROWS (WALK_ROW)                                                         \
      STOREV (x0, ls_walk_values (walk, 1, product, 2 * VEC));                \
      STOREV (x1, ls_walk_values (walk, 1, product, 2 * VEC) + VEC);          \
    }
#define LS_WALK_FIRST_OVER                                                    \
  if (t == 0)                                                                 \
    LS_WALK_LOOP_OVER
#define LS_WALK_FIRST_STORED                                                  \
  if (t == 0)                                                                 \
    LS_WALK_END
#else
#define LS_WALK_SLOTS
#define LS_WALK_ORDINAL
#define LS_WALK_FACTORS
#define LS_WALK_FIRST_OVER
#define LS_WALK_FIRST_STORED
#endif

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
conv_packed (__global const float *restrict frame, __global const float *restrict weights,
             __global float *restrict out, __global const float *restrict other, CONV_SHAPE LS_PROBE_ARG LS_WALK_ARG)
{
  LS_WALK_BEGIN
  LS_WALK_REST (M, all_rows)
  int first_m = get_group_id (0) * 8;
  int first_row = get_group_id (1) * tile_rows;
  int n_slots = MIN (tile_rows, all_rows - first_row) * ((cols + VEC - 1) / VEC);
  int area = window * window;
  int row_pitch = stride * pitch;
  int lanes = MIN (VEC, cols);

  LS_PROBE_BEGIN
  ROWS (ROW_WEIGHTS)
  slot_t next = SLOT (first_row / rows, first_row % rows, 0);
  for (int t = 0; t < n_slots; t += 2)
    {
      slot_t slot0 = next;
      slot_t slot1 = slot0;
      if (t + 1 < n_slots)
        {
          slot1 = NEXT_SLOT (slot0);
          next = NEXT_SLOT (slot1);
        }
      LS_WALK_SLOTS
      ROWS (ROW_INIT)

      int c = 0, u = 0, v = 0, at = 0;
      for (int left = channels * area; left > 0;)
        {
          int block = MIN (SUM_BLOCK, left);
          left -= block;
          while (block > 0)
            {
              int end = v + MIN (RUN, block);
              int place = FRAME_ROW (c, u) * row_pitch + FRAME_COL (v);
              __global const float *from0 = frame + slot0.frame + place;
              __global const float *from1 = frame + slot1.frame + place;
              if (THREE_BY_THREE && u == 0 && v == 0 && block >= 9)
                {
                  int down = FRAME_NEXT * row_pitch;
                  PLACES (0)
                  PLACES (1)
                  PLACES (2)
                  c++;
                  at += WEIGHT_STEP;
                  block -= 9;
                  continue;
                }
              block -= end - v;
              for (; v < end; v++)
                {
                  LS_WALK_ORDINAL
                  // phase: load
                  floatv x0 = LOADV (from0);
                  floatv x1 = LOADV (from1);
                  LS_WALK_FACTORS
                  // phase: multiply-accumulate
                  ROWS (ROW_MULTIPLY_ACCUMULATE)
                  from0 += FRAME_NEXT;
                  from1 += FRAME_NEXT;
                  at++;
                }
              if (v == window)
                {
                  v = 0;
                  if (++u == window)
                    {
                      u = 0;
                      c++;
                      at += WEIGHT_STEP;
                    }
                }
            }
          ROWS (ROW_BLOCK_ENDS)
        }

      LS_WALK_FIRST_OVER
      // phase: store
      ROWS (ROW_STORE)
      LS_WALK_FIRST_STORED
    }
  LS_PROBE_END (1)
}
