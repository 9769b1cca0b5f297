/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conv2d_dw for the usual convolution: a window of 3 × 3, stride 1, and so many channels that they fill vectors. A vector's
 * lanes are VEC channels of one pixel. A work-item goes through the pixels of dY, and at each multiplies two of its channels
 * by the 9 pixels of X around it:
 *
 *     dY, channels m, m+1            X's frame, VEC channels               dW
 *    ┌───────────────────┐         ┌──────────────────────┐             ┌──────────────────────┐
 *    │ . . . . . . . . . │         │ . . ▓ ▓ ▓ . . . . .  │             │ ■■■■■■■■■ ■■■■■■■■■ …│ m
 *    │ . . . ▪ . . . . . │    ×    │ . . ▓ ▓ ▓ . . . . .  │     ──►     │ ■■■■■■■■■ ■■■■■■■■■ …│ m+1
 *    │ . . . . . . . . . │         │ . . ▓ ▓ ▓ . . . . .  │             └──────────────────────┘
 *    └───────────────────┘         └──────────────────────┘          9 places of one channel, of the next, …
 *
 *   per pixel: 9 vector loads, 2 scalars sent to all lanes, 18 fused multiply-adds into 18 vectors of sums
 *
 * In conv_packed_dw.cl the lanes are pixels: most of its vectors lie across two cache lines, and at the end of a row lanes
 * are left over. Here X's vectors are aligned and all lanes work, which takes a third of the time (PoCL on AVX-512, 128
 * images of 16 × 14 × 14, 32 outputs). For that X's frame must hold a pixel's channels next to each other:
 * conv_frame_channels makes it.
 *
 * The sum is cut into parts of whole images (dimension 2); within one an element of dW is added up pixel by pixel, SUM_BLOCK of
 * them at a time, as every lane does (gemm.clh). conv_dw_reduce adds the parts in their order. `#pragma unroll` keeps the arrays in registers; without it the same loops take 3.5 times as long.
 *
 *   VEC   see vector.clh; `channels` is a multiple of it
 */
#define TILE_ROWS 2
#define WINDOW    3
#define PLACES    (WINDOW * WINDOW)
#define SUM_BLOCK 256 /* as in gemm.clh */

/* One work-item per image: frame[b][y][x][channel], with zeros around it. The arguments are conv_frame.cl's, but pitch is the
 * pixels of a row of the frame. */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
conv_frame_channels (__global const float *restrict image, __global float *restrict frame, CONV_SHAPE)
{
  int b = get_global_id (0);
  int plane = image_rows * image_cols;
  __global float *to = frame + b * frame_rows * pitch * channels;

  for (int c = 0; c < channels; c += VEC)
    for (int y = 0; y < frame_rows; y++)
      for (int x = 0; x < pitch; x++)
        {
          int h = y - offset, w = x - offset;
          floatv pixel = 0.0f;

          if (h >= 0 && h < image_rows && w >= 0 && w < image_cols)
            {
              __global const float *from = image + (b * channels + c) * plane + h * image_cols + w;
              float lane[VEC];
              #pragma unroll
              for (int j = 0; j < VEC; j++)
                lane[j] = from[j * plane];
              pixel = LOADV (lane);
            }
          STOREV (pixel, to + (y * pitch + x) * channels + c);
        }
}

#if LS_WALK
#define LS_WALK_FACTORS                                                       \
  int product = k - first_k + s - first_s;                                    \
  LS_WALK_KEEP (0, product, TILE_ROWS, 0, d0)                                 \
  LS_WALK_KEEP (0, product, TILE_ROWS, 1, d1)                                 \
  for (int n = 0; n < PLACES * VEC; n++)                                      \
    LS_WALK_KEEP (1, product, PLACES * VEC, n, pixel[place_at (n % PLACES, pitch, channels) + n / PLACES])
#else
#define LS_WALK_FACTORS
#endif

/* Where the window's place p lies, seen from its first pixel. */
int
place_at (int p, int pitch, int channels)
{
  return (p / WINDOW * pitch + p % WINDOW) * channels;
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
conv_channels_dw (__global const float *restrict dy, __global const float *restrict frame, __global float *restrict out,
                  __global float *restrict parts, CONV_SHAPE LS_PROBE_ARG LS_WALK_ARG)
{
  LS_WALK_BEGIN
  LS_WALK_REST (M, all_rows)
  int N = channels * PLACES;
  int first_m = get_group_id (0) * TILE_ROWS;
  int first_channel = get_group_id (1) * VEC;
  int plane = rows * cols;
  int first_k = PART_IMAGE (get_group_id (2)) * plane;
  int last_k = PART_IMAGE (get_group_id (2) + 1) * plane;

  LS_PROBE_BEGIN
  __global float *to = splits > 1 ? parts + (int) get_group_id (2) * M * N : out;
  __global const float *dy0 = dy + first_m * plane;
  __global const float *dy1 = dy + MIN (first_m + 1, M - 1) * plane;
  floatv total0[PLACES], total1[PLACES];
  #pragma unroll
  for (int p = 0; p < PLACES; p++)
    total0[p] = total1[p] = 0.0f;

  for (int k = first_k; k < last_k;)
    {
      int end = MIN (k + SUM_BLOCK, last_k);
      floatv sum0[PLACES], sum1[PLACES];
      #pragma unroll
      for (int p = 0; p < PLACES; p++)
        sum0[p] = sum1[p] = 0.0f;

      while (k < end)
        {
          int row = k / cols, first_s = k % cols;
          int last_s = MIN (cols, first_s + end - k);
          int b = row / rows, r = row % rows;
          int at = (b * M * rows + r) * cols;
          __global const float *pixel = frame + ((b * frame_rows + r) * pitch + first_s) * channels + first_channel;

          for (int s = first_s; s < last_s; s++, pixel += channels)
            {
              LS_WALK_ROUND (k - first_k + s - first_s)
              float d0 = dy0[at + s], d1 = dy1[at + s];
              LS_WALK_FACTORS
              #pragma unroll
              for (int p = 0; p < PLACES; p++)
                {
                  // phase: load
                  floatv x = LOADV (pixel + place_at (p, pitch, channels));
                  // phase: multiply-accumulate
                  sum0[p] += d0 * x;
                  sum1[p] += d1 * x;
                }
            }
          k += last_s - first_s;
        }
      #pragma unroll
      for (int p = 0; p < PLACES; p++)
        {
          total0[p] += sum0[p];
          total1[p] += sum1[p];
        }
    }

  LS_WALK_LOOP_OVER
  // phase: store
  to += first_m * N + first_channel * PLACES;
  #pragma unroll
  for (int p = 0; p < PLACES; p++)
    {
      float lane[TILE_ROWS][VEC];
      STOREV (total0[p], lane[0]);
      STOREV (total1[p], lane[1]);
      for (int j = 0; j < VEC; j++)
        for (int i = 0; i < TILE_ROWS && first_m + i < M; i++)
          to[i * N + j * PLACES + p] = lane[i][j];
    }
  LS_WALK_END
  LS_PROBE_END (1)
}
