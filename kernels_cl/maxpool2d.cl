/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * maxpool2d: the maximum of each window and where in the plane it lay, for the way back. Of equal maxima the first in
 * reading order wins; a NaN, which differs from itself, beats every number, and the last NaN of a window wins: as in PyTorch.
 *
 *      X              Y      index                    dY              dX
 *    ┌─────┬─────┐
 *    │ 1 5 │ 2 2 │   ┌───┬───┐  ┌───┬───┐           ┌───┬───┐       0 a b 0
 *    │ 3 4 │ 0 1 │   │ 5 │ 2 │  │ 1 │ 2 │           │ a │ b │  ──►  0 0 0 0
 *    └─────┴─────┘   └───┴───┘  └───┴───┘           └───┴───┘
 *
 * The matrix of tiles is batch × channels·plane.
 *   naive    one work-item per element of the output; backward it asks every window that covers its element
 *   packed   one work-item per plane; 2×2 windows four at a time; other windows: backward it adds each dY where the
 *            index points
 *
 * planes = batch · channels; image_rows, image_cols: of X; rows, cols: of Y.
 */
#define POOL_SHAPE int batch, int channels, int image_rows, int image_cols, int rows, int cols, int window, int stride

int
window_maximum (__global const float *from, int r, int s, int image_cols, int window, int stride)
{
  int best = r * stride * image_cols + s * stride;
  for (int u = 0; u < window; u++)
    for (int v = 0; v < window; v++)
      {
        int at = (r * stride + u) * image_cols + s * stride + v;
        if (from[at] > from[best] || from[at] != from[at])
          best = at;
      }
  return best;
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
maxpool2d_naive (__global const float *restrict x, __global float *restrict y, __global int *restrict index,
                 POOL_SHAPE LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int b = get_global_id (1);

  LS_PROBE_BEGIN
  if (b < batch && col < channels * rows * cols)
    {
      int c = col / (rows * cols), r = col / cols % rows, s = col % cols;
      __global const float *from = x + (b * channels + c) * image_rows * image_cols;
      int best = window_maximum (from, r, s, image_cols, window, stride);
      int to = b * channels * rows * cols + col;
      y[to] = from[best];
      index[to] = best;
    }
  LS_PROBE_END (256)
}

#define TAKE(value, place)                                                    \
  {                                                                           \
    float4 candidate = value;                                                 \
    int4 take = candidate > best || candidate != candidate;                        \
    best = take ? candidate : best;                                           \
    at = take ? (int4) (place) : at;                                          \
  }

/* Dimension 0 = channel, dimension 1 = image. The last four of a row may overlap the four before. */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
maxpool2d_packed (__global const float *restrict x, __global float *restrict y, __global int *restrict index,
                  POOL_SHAPE LS_PROBE_ARG)
{
  int plane = get_group_id (1) * channels + get_group_id (0);
  __global const float *from = x + plane * image_rows * image_cols;

  LS_PROBE_BEGIN
  for (int r = 0; r < rows; r++)
    {
      int to = (plane * rows + r) * cols;
      if (window == 2 && stride == 2 && cols >= 4)
        for (int first = 0; first < cols; first += 4)
          {
            int s = MIN (first, cols - 4);
            int start = 2 * r * image_cols + 2 * s;
            float8 upper = LOAD8 (from + start);
            float8 lower = LOAD8 (from + start + image_cols);
            int4 at = start + (int4) (0, 2, 4, 6);
            int4 corner = at;
            float4 best = upper.even;
            TAKE (upper.even, corner)
            TAKE (upper.odd, corner + 1)
            TAKE (lower.even, corner + image_cols)
            TAKE (lower.odd, corner + image_cols + 1)
            STORE4 (best, y + to + s);
            STORE4 (at, index + to + s);
          }
      else
        for (int s = 0; s < cols; s++)
          {
            int best = window_maximum (from, r, s, image_cols, window, stride);
            y[to + s] = from[best];
            index[to + s] = best;
          }
    }
  LS_PROBE_END (1)
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
maxpool2d_grad_naive (__global const float *restrict dy, __global const int *restrict index, __global float *restrict dx,
                      __global const float *restrict other, POOL_SHAPE LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int b = get_global_id (1);
  int area = image_rows * image_cols;

  LS_PROBE_BEGIN
  if (b < batch && col < channels * area)
    {
      int c = col / area, h = col % area / image_cols, w = col % image_cols;
      int first_r = h < window ? 0 : (h - window) / stride + 1;
      int first_s = w < window ? 0 : (w - window) / stride + 1;
      float sum = 0.0f;
      for (int r = first_r; r < rows && r * stride <= h; r++)
        for (int s = first_s; s < cols && s * stride <= w; s++)
          {
            int from = ((b * channels + c) * rows + r) * cols + s;
            if (index[from] == h * image_cols + w)
              sum += dy[from];
          }
      int to = b * channels * area + col;
      EPILOGUE (float, sum, other[c], other[to])
      dx[to] = sum;
    }
  LS_PROBE_END (256)
}

/* Eight elements of a row, of four windows: each is delta where the window's index points at it, else 0. */
#define PUT_ROW(place, offset)                                                \
  {                                                                           \
    float8 put;                                                               \
    put.even = at == (int4) (offset) ? delta : (float4) (0.0f);               \
    put.odd = at == (int4) (offset + 1) ? delta : (float4) (0.0f);            \
    EPILOGUE (float8, put, other[c], LOAD8 (other + plane * area + place)) \
    STORE8 (put, to + place);                                             \
  }

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
maxpool2d_grad_packed (__global const float *restrict dy, __global const int *restrict index,
                       __global float *restrict dx, __global const float *restrict other, POOL_SHAPE LS_PROBE_ARG)
{
  int c = get_group_id (0);
  int plane = get_group_id (1) * channels + c;
  int area = image_rows * image_cols;
  int first = plane * rows * cols;
  __global float *to = dx + plane * area;

  LS_PROBE_BEGIN
  if (window == 2 && stride == 2 && cols >= 4)
    {
      for (int r = 0; r < rows; r++)
        for (int s_next = 0; s_next < cols; s_next += 4)
          {
            int s = MIN (s_next, cols - 4);
            int corner = 2 * r * image_cols + 2 * s;
            int4 at = LOAD4 (index + first + r * cols + s) - (corner + (int4) (0, 2, 4, 6));
            float4 delta = LOAD4 (dy + first + r * cols + s);
            PUT_ROW (corner, 0)
            PUT_ROW (corner + image_cols, image_cols)
          }
      /* What no window covers. */
      for (int h = 0; h < image_rows; h++)
        for (int w = h < 2 * rows ? 2 * cols : 0; w < image_cols; w++)
          to[h * image_cols + w] = 0.0f;
    }
  else
    {
      for (int i = 0; i < area; i++)
        to[i] = 0.0f;
      for (int i = first; i < first + rows * cols; i++)
        to[index[i]] += dy[i];
      for (int i = 0; i < area; i++)
        {
          float sum = to[i];
          EPILOGUE (float, sum, other[c], other[plane * area + i])
          to[i] = sum;
        }
    }
  LS_PROBE_END (1)
}
