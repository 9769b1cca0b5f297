/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conv2d_dw on vectors: dW[m][n] is the inner product of dY's channel m and of X moved to where n = (i, u, v) puts it,
 * over all windows of all images. A work-item makes 8 × 3 such products at once, lane by lane, and adds the lanes up at
 * the end: per step 8 + 3 vector loads and 24 fused multiply-adds, which keep 24 of 32 vector registers.
 *
 *      dY, channels m … m+7            X's frame                           dW
 *    ┌──────────────────┐         ┌──────────────────┐                ┌─────────┐
 *    │ ▓▓▓▓ . . . . . . │    ×    │ . n ▓▓▓▓ . . . . │   ──► lanes ──►│ ■ ■ ■   │ m
 *    │ . . . . . . . .  │         │ . . n+1 ▓▓▓▓ . . │      added     │ ■ ■ ■   │ …
 *    └──────────────────┘         └──────────────────┘                └─────────┘
 *
 * The sum is cut into parts of consecutive rows of windows (dimension 2), small enough that a part of dY and X stays in
 * the second-level cache while all tiles use it. conv_dw_reduce adds the parts in their order.
 *
 *   VEC   see vector.clh
 */
#define TILE_COLS 3

#define ROWS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7)

#define ROW_INIT(r)                                                           \
  int m##r = MIN (first_m + r, M - 1) * plane;                                \
  floatv c##r##0 = 0.0f, c##r##1 = 0.0f, c##r##2 = 0.0f;

#define ROW_MULTIPLY_ACCUMULATE(r)                                            \
  {                                                                           \
    floatv d = LOADV (from + m##r);                                           \
    c##r##0 += d * x0;                                                        \
    c##r##1 += d * x1;                                                        \
    c##r##2 += d * x2;                                                        \
  }

/* At the end of dY a whole vector may reach past the buffer. */
#define ROW_MULTIPLY_ACCUMULATE_END(r)                                        \
  {                                                                           \
    floatv d = load_lanes (from + m##r, cols - s);                            \
    c##r##0 += d * x0;                                                        \
    c##r##1 += d * x1;                                                        \
    c##r##2 += d * x2;                                                        \
  }

#define STORE_SUM(m, n, v)                                                    \
  if ((m) < M && (n) < N)                                                     \
    to[(m) * N + (n)] = sum_lanes (v);

#define ROW_STORE(r)                                                          \
  STORE_SUM (first_m + r, first_n, c##r##0)                                   \
  STORE_SUM (first_m + r, first_n + 1, c##r##1)                               \
  STORE_SUM (first_m + r, first_n + 2, c##r##2)

/* How far n = (i, u, v) moves in the frame. */
int
move_of (int n, int window, int stride, int frame_rows, int pitch)
{
  int v = n % window, u = n / window % window, i = n / window / window;
  return ((i * frame_rows + u) * stride + v % stride) * pitch + v / stride;
}

#if LS_WALK
#define WALK_ROW(r) ls_walk_values (walk, 0, product + j, 8)[r] = from[m##r + j];
#define WALK_LANES(x, n)                                                      \
  STOREV (x, lane);                                                           \
  for (int j = 0; j < VEC && s + j < cols; j++)                               \
    LS_WALK_KEEP (1, product + j, TILE_COLS, n, lane[j])
#define LS_WALK_ORDINAL                                                       \
  int product = (row - first_row) * cols + s;                                 \
  LS_WALK_STAMP (product / LS_WALK_PRODUCTS, 0)
#define LS_WALK_FACTORS                                                       \
  float lane[VEC];                                                            \
  WALK_LANES (x0, 0)                                                          \
  WALK_LANES (x1, 1)                                                          \
  WALK_LANES (x2, 2)                                                          \
  for (int j = 0; j < VEC && s + j < cols; j++)                               \
    if (LS_WALK_KEEPS (product + j))                                          \
      {                                                                       \
        ROWS (WALK_ROW)                                                       \
      }
#else
#define LS_WALK_ORDINAL
#define LS_WALK_FACTORS
#endif

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
conv_packed_dw (__global const float *restrict dy, __global const float *restrict frame, __global float *restrict out,
                __global float *restrict parts, CONV_SHAPE LS_PROBE_ARG LS_WALK_ARG)
{
  LS_WALK_BEGIN
  LS_WALK_REST (M, all_rows)
  int N = channels * window * window;
  int first_m = get_group_id (0) * 8;
  int first_n = get_group_id (1) * TILE_COLS;
  int part_rows = (all_rows + splits - 1) / splits;
  int first_row = get_group_id (2) * part_rows;
  int last_row = MIN (all_rows, first_row + part_rows);
  int plane = rows * cols;
  int end = all_rows * M * cols - (MIN (first_m + 7, M - 1) * plane + VEC); /* of whole vectors in the last row m */

  LS_PROBE_BEGIN
  __global float *to = splits > 1 ? parts + (int) get_group_id (2) * M * N : out;
  __global const float *frame0 = frame + move_of (first_n, window, stride, frame_rows, pitch);
  __global const float *frame1 = frame + move_of (MIN (first_n + 1, N - 1), window, stride, frame_rows, pitch);
  __global const float *frame2 = frame + move_of (MIN (first_n + 2, N - 1), window, stride, frame_rows, pitch);
  ROWS (ROW_INIT)

  int b = first_row / rows, r = first_row % rows;
  for (int row = first_row; row < last_row; row++, r++)
    {
      if (r == rows)
        {
          r = 0;
          b++;
        }
      int dy_at = (b * M * rows + r) * cols;
      int x_at = (b * channels * frame_rows + r * stride) * stride * pitch;
      for (int s = 0; s < cols; s += VEC)
        {
          __global const float *from = dy + dy_at + s;
          LS_WALK_ORDINAL
          // phase: load
          floatv x0 = LOADV (frame0 + x_at + s);
          floatv x1 = LOADV (frame1 + x_at + s);
          floatv x2 = LOADV (frame2 + x_at + s);
          if (s + VEC > cols)
            {
              intv inside = LANES < (intv) (cols - s);
              x0 = inside ? x0 : (floatv) (0.0f);
              x1 = inside ? x1 : (floatv) (0.0f);
              x2 = inside ? x2 : (floatv) (0.0f);
            }
          LS_WALK_FACTORS
          // phase: multiply-accumulate
          if (dy_at + s <= end)
            {
              ROWS (ROW_MULTIPLY_ACCUMULATE)
            }
          else
            {
              ROWS (ROW_MULTIPLY_ACCUMULATE_END)
            }
        }
    }

  LS_WALK_LOOP_OVER
  // phase: store
  ROWS (ROW_STORE)
  LS_WALK_END
  LS_PROBE_END (1)
}
