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
 * conv2d_dx is the same sum over dY's frame with the kernel turned by 180° and its two channel indices exchanged.
 * Dimension 0 counts blocks of 8 channels: consecutive groups read the same rows of the frame.
 *
 *   VEC       see vector.clh
 *   CONV_DX   1: conv2d_dx. Default 0.
 */
#ifndef CONV_DX
#define CONV_DX 0
#endif

/* W is [outputs, channels, window, window]; t = u · window + v. */
#if CONV_DX
#define WEIGHT_ROW(m)   ((m) * area)
#define WEIGHT_AT(c, t) ((c) * M * area + area - 1 - (t))
#else
#define WEIGHT_ROW(m)   ((m) * channels * area)
#define WEIGHT_AT(c, t) ((c) * area + (t))
#endif

#define ROWS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7)

/* Channels after the last are computed from the last, and not stored. */
#define ROW_WEIGHTS(r) __global const float *w##r = weights + WEIGHT_ROW (min (first_m + r, M - 1));
#define ROW_INIT(r)    floatv y##r##0 = 0.0f, y##r##1 = 0.0f;

#define ROW_MULTIPLY_ACCUMULATE(r)                                            \
  {                                                                           \
    floatv w = w##r[at];                                                      \
    y##r##0 += w * x0;                                                        \
    y##r##1 += w * x1;                                                        \
  }

#define STORE_VECTOR(m, slot, v)                                                          \
  {                                                                                       \
    int to = slot.out + (m) * rows * cols;                                                \
    if (slot.lanes == VEC)                                                                \
      {                                                                                   \
        EPILOGUE (floatv, v, other[m], LOADV (other + to))                                \
        STOREV (v, out + to);                                                             \
      }                                                                                   \
    else                                                                                  \
      {                                                                                   \
        float lane[VEC];                                                                  \
        STOREV (v, lane);                                                                 \
        for (int j = 0; j < slot.lanes; j++)                                              \
          {                                                                               \
            EPILOGUE (float, lane[j], other[m], other[to + j])                            \
            out[to + j] = lane[j];                                                        \
          }                                                                               \
      }                                                                                   \
  }

#define ROW_STORE(r)                                                          \
  if (first_m + r < M)                                                        \
    {                                                                         \
      STORE_VECTOR (first_m + r, slot0, y##r##0)                              \
      if (t + 1 < n_slots)                                                    \
        STORE_VECTOR (first_m + r, slot1, y##r##1)                            \
    }

/* Where one vector of the result comes from and goes to. */
typedef struct {
  int frame; /* its first pixel for c = u = v = 0 */
  int out;   /* its first element in channel 0 */
  int lanes; /* that lie inside the row */
} slot_t;

slot_t
slot_at (int first_row, int t, CONV_SHAPE)
{
  int per_row = (cols + VEC - 1) / VEC;
  int row = first_row + t / per_row;
  int s = t % per_row * VEC;
  int b = row / rows, r = row % rows;
  slot_t slot;
  slot.frame = (b * channels * frame_rows + r * stride) * stride * pitch + s;
  slot.out = (b * M * rows + r) * cols + s;
  slot.lanes = min (VEC, cols - s);
  return slot;
}

#define SLOT(t)                                                                                                 \
  slot_at (first_row, t, M, channels, image_rows, image_cols, rows, cols, all_rows, window, stride, dilation, offset,  \
           frame_rows, pitch, tile_rows, splits)

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
conv_packed (__global const float *restrict frame, __global const float *restrict weights,
             __global float *restrict out, __global const float *restrict other, CONV_SHAPE LS_PROBE_ARG)
{
  int first_m = get_group_id (0) * 8;
  int first_row = get_group_id (1) * tile_rows;
  int n_slots = min (tile_rows, all_rows - first_row) * ((cols + VEC - 1) / VEC);
  int area = window * window;
  int row_pitch = stride * pitch;

  LS_PROBE_BEGIN
  ROWS (ROW_WEIGHTS)
  for (int t = 0; t < n_slots; t += 2)
    {
      slot_t slot0 = SLOT (t);
      slot_t slot1 = SLOT (min (t + 1, n_slots - 1));
      ROWS (ROW_INIT)

      for (int c = 0; c < channels; c++)
        for (int u = 0; u < window; u++)
          for (int phase = 0; phase < min (stride, window); phase++)
            {
              int row = (c * frame_rows + u) * row_pitch + phase * pitch;
              __global const float *from0 = frame + slot0.frame + row;
              __global const float *from1 = frame + slot1.frame + row;
              for (int v = phase; v < window; v += stride)
                {
                  int at = WEIGHT_AT (c, u * window + v);
                  // phase: load
                  floatv x0 = LOADV (from0);
                  floatv x1 = LOADV (from1);
                  // phase: multiply-accumulate
                  ROWS (ROW_MULTIPLY_ACCUMULATE)
                  from0++;
                  from1++;
                }
            }

      // phase: store
      ROWS (ROW_STORE)
    }
  LS_PROBE_END (1)
}
