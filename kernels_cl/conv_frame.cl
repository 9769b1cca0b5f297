/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first pass of the packed convolutions: copies each image into a frame of zeros, so that the passes after it read
 * whole vectors without asking where the image ends. It is one copy of the image, not an im2col matrix, which would be
 * window² copies.
 *
 *        image             frame: offset zeros before,         stride 2: each row's columns are sorted into
 *      ┌───────┐           enough zeros after                   `stride` phases, so that every stride-th column
 *      │ 1 2 3 │           ┌───────────────┐                    lies next to each other:
 *      │ 4 5 6 │    ──►    │ 0 0 0 0 0 0 0 │
 *      └───────┘           │ 0 1 2 3 0 0 0 │                    0 1 2 3 0 0   ──►   │ 0 2 0 … │ 1 3 0 … │
 *                          │ 0 4 5 6 0 0 0 │                                         phase 0   phase 1
 *                          │ 0 0 0 0 0 0 0 │
 *                          └───────────────┘
 *
 * conv2d_dx frames dY instead, spread out by `dilation` (the convolution's stride): in between are zeros, too.
 *
 * All kernels of the family take the same arguments:
 *   M            rows of the product: outputs (conv2d, conv2d_dw) or channels of X (conv2d_dx)
 *   channels     of the framed image;  image_rows, image_cols: its size
 *   rows, cols   of the windows' grid, that is of the other image;  all_rows = batch · rows
 *   frame_rows   = (rows − 1) · stride + window;  pitch: floats per phase of a row
 *   tile_rows    window rows per work-item (conv2d_dw: unused);  splits: parts of conv2d_dw's sum
 */
#define CONV_SHAPE                                                                                           \
  int M, int channels, int image_rows, int image_cols, int rows, int cols, int all_rows, int window, int stride,      \
    int dilation, int offset, int frame_rows, int pitch, int tile_rows, int splits

/* The first image of part p of conv2d_dw's sum. */
#define PART_IMAGE(p) (all_rows / rows * (int) (p) / splits)

/* n floats. The last vector begins early enough to end with them: the rows of small images are a vector and a piece of one. */
void
copy_row (__global const float *from, __global float *to, int n)
{
  if (n >= VEC)
    {
      for (int x = 0; x + VEC < n; x += VEC)
        STOREV (LOADV (from + x), to + x);
      STOREV (LOADV (from + n - VEC), to + n - VEC);
    }
  else if (n >= VEC / 2 && VEC == 16)
    {
      float8 first = LOAD8 (from), last = LOAD8 (from + n - 8);
      STORE8 (first, to);
      STORE8 (last, to + n - 8);
    }
  else
    for (int x = 0; x < n; x++)
      to[x] = from[x];
}

/* One work-item per plane: image b's channel c. */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
conv_frame (__global const float *restrict image, __global float *restrict frame, CONV_SHAPE)
{
  int plane = get_global_id (0);
  __global const float *from = image + plane * image_rows * image_cols;
  __global float *to = frame + plane * frame_rows * stride * pitch;

  for (int y = 0; y < frame_rows; y++)
    {
      int h = y - offset;
      int row_exists = h >= 0 && h % dilation == 0 && h / dilation < image_rows;
      __global const float *row = from + (row_exists ? h / dilation * image_cols : 0);

      for (int phase = 0; phase < stride; phase++, to += pitch)
        if (!row_exists)
          for (int x = 0; x < pitch; x++)
            to[x] = 0.0f;
        else if (stride == 1 && dilation == 1)
          {
            int first = clamp (offset, 0, pitch);
            int last = clamp (offset + image_cols, first, pitch);
            for (int x = 0; x < first; x++)
              to[x] = 0.0f;
            copy_row (row + first - offset, to + first, last - first);
            for (int x = last; x < pitch; x++)
              to[x] = 0.0f;
          }
        else
          for (int x = 0; x < pitch; x++)
            {
              int w = x * stride + phase - offset;
              int exists = w >= 0 && w % dilation == 0 && w / dilation < image_cols;
              to[x] = exists ? row[w / dilation] : 0.0f;
            }
    }
}
