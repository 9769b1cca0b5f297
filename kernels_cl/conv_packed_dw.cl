/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conv2d_dw on vectors: dW[m][n] is the inner product of dY's channel m and of X moved to where n = (i, u, v) puts it, over
 * all windows of all images. A vector's lanes are VEC channels of dY, so that each of these sums is one chain of additions in
 * the order of the windows, as on every lane. dY's channels don't lie side by side in memory: VEC × VEC of its elements are
 * turned in registers at a time.
 *
 *      dY, channels m … m+VEC−1               X's frame                     dW
 *    ┌──────────────────┐  turned  ▓       ┌──────────────────┐         ┌───────────┐
 *    │ ▓▓▓▓ . . . . . . │   ──►    ▓   ×   │ . n n+1 n+2 . .  │   ──►   │ ▓▓▓▓▓▓▓▓▓ │ m
 *    │ ▓▓▓▓ . . . . . . │          ▓       │ . . . . . . . .  │         │ ▓▓▓▓▓▓▓▓▓ │ …
 *    └──────────────────┘          ▓       └──────────────────┘         └───────────┘
 *
 *   per window: 1 vector of dY, 9 scalars of X sent to all lanes, 9 fused multiply-adds into 9 vectors of sums
 *
 * The sum is cut into parts of whole images (dimension 2), which conv_dw_reduce adds in their order; within a part, SUM_BLOCK
 * windows at a time are added up (gemm.clh).
 *
 *   VEC   see vector.clh
 */
#define TILE_COLS 9
#define SUM_BLOCK 256 /* as in gemm.clh */

#define COLS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7) DO (8)

#define COL_INIT(q)                                                           \
  __global const float *x##q                                                  \
    = frame + move_of (MIN (first_n + q, N - 1), window, stride, frame_rows, pitch);                                   \
  floatv sum##q = 0.0f, total##q = 0.0f;

#define COL_MULTIPLY_ACCUMULATE(q) sum##q += d * x##q[at];

#define COL_BLOCK_ENDS(q)                                                     \
  total##q += sum##q;                                                         \
  sum##q = 0.0f;

#define COL_STORE(q)                                                          \
  if (first_n + q < N)                                                        \
    {                                                                         \
      float lane[VEC];                                                        \
      STOREV (total##q, lane);                                                \
      for (int j = 0; j < MIN (VEC, M - first_m); j++)                        \
        to[(first_m + j) * N + first_n + q] = lane[j];                        \
    }

/* How far n = (i, u, v) moves in the frame. */
int
move_of (int n, int window, int stride, int frame_rows, int pitch)
{
  int v = n % window, u = n / window % window, i = n / window / window;
  return ((i * frame_rows + u) * stride + v % stride) * pitch + v / stride;
}

/* VEC vectors, an element of each after the other, become VEC vectors of one element each, in `to`. Each round puts the lanes
 * of two vectors alternately into two others. */
void __attribute__ ((always_inline))
turn (const floatv *from, float *to)
{
  floatv a[VEC], b[VEC];

  #pragma unroll
  for (int i = 0; i < VEC; i++)
    a[i] = from[i];
  #pragma unroll
  for (int round = 1; round < VEC; round *= 2)
    {
      #pragma unroll
      for (int i = 0; i < VEC / 2; i++)
        {
          b[2 * i].even = a[i].lo;
          b[2 * i].odd = a[i + VEC / 2].lo;
          b[2 * i + 1].even = a[i].hi;
          b[2 * i + 1].odd = a[i + VEC / 2].hi;
        }
      #pragma unroll
      for (int i = 0; i < VEC; i++)
        a[i] = b[i];
    }
  #pragma unroll
  for (int i = 0; i < VEC; i++)
    STOREV (a[i], to + i * VEC);
}

#if LS_WALK
#define WALK_COL(q) ls_walk_values (walk, 1, product, TILE_COLS)[q] = x##q[at];
#define LS_WALK_ORDINAL                                                       \
  int product = k - first_k + i;                                              \
  LS_WALK_ROUND (product)
#define LS_WALK_FACTORS                                                       \
  if (LS_WALK_KEEPS (product))                                                \
    {                                                                         \
      STOREV (d, ls_walk_values (walk, 0, product, VEC));                     \
      COLS (WALK_COL)                                                         \
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
  int first_m = get_group_id (0) * VEC;
  int first_n = get_group_id (1) * TILE_COLS;
  int plane = rows * cols;
  int first_k = PART_IMAGE (get_group_id (2)) * plane;
  int last_k = PART_IMAGE (get_group_id (2) + 1) * plane;
  int end_of_dy = all_rows * M * cols;
  float turned[VEC * VEC];

  LS_PROBE_BEGIN
  __global float *to = splits > 1 ? parts + (int) get_group_id (2) * M * N : out;
  COLS (COL_INIT)

  for (int k = first_k; k < last_k;)
    {
      int end = MIN (k + SUM_BLOCK, last_k);
      while (k < end)
        {
          int b = k / plane, p = k % plane;
          int r = p / cols, s = p % cols;
          int at = (b * channels * frame_rows + r * stride) * stride * pitch + s;
          int n = MIN (VEC, MIN (plane - p, end - k));
          floatv rows_of_dy[VEC];

          // phase: load
          #pragma unroll
          for (int j = 0; j < VEC; j++)
            {
              int from = (b * M + MIN (first_m + j, M - 1)) * plane + p;
              /* at the end of dY a whole vector may reach past the buffer */
              rows_of_dy[j] = from + VEC <= end_of_dy ? LOADV (dy + from) : load_lanes (dy + from, n);
            }
          turn (rows_of_dy, turned);
          for (int i = 0; i < n; i++)
            {
              LS_WALK_ORDINAL
              floatv d = LOADV (turned + i * VEC);
              LS_WALK_FACTORS
              // phase: multiply-accumulate
              COLS (COL_MULTIPLY_ACCUMULATE)
              at++;
              if (++s == cols)
                {
                  s = 0;
                  at += stride * stride * pitch - cols;
                }
            }
          k += n;
        }
      COLS (COL_BLOCK_ENDS)
    }

  LS_WALK_LOOP_OVER
  // phase: store
  COLS (COL_STORE)
  LS_WALK_END
  LS_PROBE_END (1)
}
