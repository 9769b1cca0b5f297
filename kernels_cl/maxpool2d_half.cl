/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * maxpool2d.cl's pooling and its gradient for tensors stored in 16 bits, one work-item per element of the output.
 */
#define POOL_SHAPE int batch, int channels, int image_rows, int image_cols, int rows, int cols, int window, int stride

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
maxpool2d_half (__global const float *restrict x, __global float *restrict y, __global int *restrict index,
                POOL_SHAPE LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int b = get_global_id (1);

  LS_PROBE_BEGIN
  if (b < batch && col < channels * rows * cols)
    {
      int c = col / (rows * cols), r = col / cols % rows, s = col % cols;
      int plane = (b * channels + c) * image_rows * image_cols, best_at = r * stride * image_cols + s * stride;
      float best = load_16 (x, plane + best_at);

      for (int u = 0; u < window; u++)
        for (int v = 0; v < window; v++)
          {
            int at = (r * stride + u) * image_cols + s * stride + v;
            float value = load_16 (x, plane + at);
            if (value > best || value != value)
              {
                best = value;
                best_at = at;
              }
          }
      store_16 (best, y, b * channels * rows * cols + col);
      index[b * channels * rows * cols + col] = best_at;
    }
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
maxpool2d_grad_half (__global const float *restrict dy, __global const int *restrict index, __global float *restrict dx,
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
      int to = b * channels * area + col;
      float sum = 0.0f;

      for (int r = first_r; r < rows && r * stride <= h; r++)
        for (int s = first_s; s < cols && s * stride <= w; s++)
          {
            int from = ((b * channels + c) * rows + r) * cols + s;
            if (index[from] == h * image_cols + w)
              sum += load_16 (dy, from);
          }
      HALF_FINISH (sum, other[c], load_16 (other, to))
      HALF_STORE (sum, dx, to);
    }
  LS_PROBE_END (256)
}
