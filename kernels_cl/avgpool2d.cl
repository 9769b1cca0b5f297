/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * avgpool2d: the mean of each window, and its gradient. Windows lie side by side; what doesn't fit at the right and bottom is
 * left out. A window's sum is added up in reading order and divided once, as on the CPU lane.
 *
 *      X              Y                  dY               dX
 *    ┌─────┬─────┐                                       a/4 a/4 b/4 b/4
 *    │ 1 5 │ 2 2 │   ┌────┬────┐        ┌───┬───┐        a/4 a/4 b/4 b/4
 *    │ 3 3 │ 0 4 │   │ 3  │ 2  │        │ a │ b │  ──►
 *    └─────┴─────┘   └────┴────┘        └───┴───┘
 *
 * The matrix of tiles is batch × channels·plane.
 *   naive    one work-item per element of the output
 *   packed   one work-item per plane; 2×2 windows four at a time
 *
 * image_rows, image_cols: of X; rows, cols: of Y.
 */
#define POOL_SHAPE int batch, int channels, int image_rows, int image_cols, int rows, int cols, int window, int stride

float
window_mean (__global const float *from, int r, int s, int image_cols, int window)
{
  float sum = 0.0f;

  for (int u = 0; u < window; u++)
    for (int v = 0; v < window; v++)
      sum += from[(r * window + u) * image_cols + s * window + v];
  return sum / (float) (window * window);
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
avgpool2d_naive (__global const float *restrict x, __global float *restrict y, POOL_SHAPE LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int b = get_global_id (1);

  LS_PROBE_BEGIN
  if (b < batch && col < channels * rows * cols)
    {
      int c = col / (rows * cols), r = col / cols % rows, s = col % cols;
      y[b * channels * rows * cols + col]
        = window_mean (x + (b * channels + c) * image_rows * image_cols, r, s, image_cols, window);
    }
  LS_PROBE_END (256)
}

/* Dimension 0 = channel, dimension 1 = image. The last four of a row may overlap the four before. */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
avgpool2d_packed (__global const float *restrict x, __global float *restrict y, POOL_SHAPE LS_PROBE_ARG)
{
  int plane = get_group_id (1) * channels + get_group_id (0);
  __global const float *from = x + plane * image_rows * image_cols;

  LS_PROBE_BEGIN
  for (int r = 0; r < rows; r++)
    {
      int to = (plane * rows + r) * cols;
      if (window == 2 && cols >= 4)
        for (int first = 0; first < cols; first += 4)
          {
            int s = MIN (first, cols - 4);
            int start = 2 * r * image_cols + 2 * s;
            float8 upper = LOAD8 (from + start);
            float8 lower = LOAD8 (from + start + image_cols);
            float4 sum = 0.0f;
            sum += upper.even;
            sum += upper.odd;
            sum += lower.even;
            sum += lower.odd;
            STORE4 (sum / 4.0f, y + to + s);
          }
      else
        for (int s = 0; s < cols; s++)
          y[to + s] = window_mean (from, r, s, image_cols, window);
    }
  LS_PROBE_END (1)
}

/* What reaches element h, w of a plane from its window. */
float
window_share (__global const float *dy, int h, int w, int rows, int cols, int window)
{
  int r = h / window, s = w / window;
  return r < rows && s < cols ? dy[r * cols + s] / (float) (window * window) : 0.0f;
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
avgpool2d_grad_naive (__global const float *restrict dy, __global float *restrict dx, __global const float *restrict other,
                      POOL_SHAPE LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int b = get_global_id (1);
  int area = image_rows * image_cols;

  LS_PROBE_BEGIN
  if (b < batch && col < channels * area)
    {
      int c = col / area;
      int to = b * channels * area + col;
      float delta = window_share (dy + (b * channels + c) * rows * cols, col % area / image_cols, col % image_cols, rows, cols,
                                  window);
      EPILOGUE (float, delta, other[c], other[to])
      dx[to] = delta;
    }
  LS_PROBE_END (256)
}

/* One element; eight of a row, of four windows. */
#define PUT_ONE(h, w)                                                         \
  {                                                                           \
    int place = (h) * image_cols + (w);                                       \
    float put = window_share (from, h, w, rows, cols, window);                \
    EPILOGUE (float, put, other[c], other[plane * area + place])              \
    to[place] = put;                                                          \
  }
#define PUT_EIGHT(place)                                                      \
  {                                                                           \
    float8 put;                                                               \
    put.even = delta;                                                         \
    put.odd = delta;                                                          \
    EPILOGUE (float8, put, other[c], LOAD8 (other + plane * area + place))    \
    STORE8 (put, to + place);                                                 \
  }

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
avgpool2d_grad_packed (__global const float *restrict dy, __global float *restrict dx, __global const float *restrict other,
                       POOL_SHAPE LS_PROBE_ARG)
{
  int c = get_group_id (0);
  int plane = get_group_id (1) * channels + c;
  int area = image_rows * image_cols;
  int fours = window == 2 && cols >= 4;
  __global const float *from = dy + plane * rows * cols;
  __global float *to = dx + plane * area;

  LS_PROBE_BEGIN
  for (int r = 0; fours && r < rows; r++)
    for (int first = 0; first < cols; first += 4)
      {
        int s = MIN (first, cols - 4);
        int corner = 2 * r * image_cols + 2 * s;
        float4 delta = LOAD4 (from + r * cols + s) / 4.0f;
        PUT_EIGHT (corner)
        PUT_EIGHT (corner + image_cols)
      }
  for (int h = 0; h < image_rows; h++)
    for (int w = fours && h < 2 * rows ? 2 * cols : 0; w < image_cols; w++)
      PUT_ONE (h, w)
  LS_PROBE_END (1)
}
