/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * avgpool2d.cl's mean of each window and its gradient for tensors stored in 16 bits, one work-item per element of the output.
 */
#define POOL_SHAPE int batch, int channels, int image_rows, int image_cols, int rows, int cols, int window, int stride

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
avgpool2d_half (__global const float *restrict x, __global float *restrict y, POOL_SHAPE LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int b = get_global_id (1);

  LS_PROBE_BEGIN
  if (b < batch && col < channels * rows * cols)
    {
      int c = col / (rows * cols), r = col / cols % rows, s = col % cols;
      int corner = ((b * channels + c) * image_rows + r * window) * image_cols + s * window;
      float sum = 0.0f;

      for (int u = 0; u < window; u++)
        for (int v = 0; v < window; v++)
          sum += load_16 (x, corner + u * image_cols + v);
      store_16 (sum / (float) (window * window), y, b * channels * rows * cols + col);
    }
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
avgpool2d_grad_half (__global const float *restrict dy, __global float *restrict dx, __global const float *restrict other,
                     POOL_SHAPE LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int b = get_global_id (1);
  int area = image_rows * image_cols;

  LS_PROBE_BEGIN
  if (b < batch && col < channels * area)
    {
      int c = col / area, r = col % area / image_cols / window, s = col % image_cols / window;
      int to = b * channels * area + col;
      float delta = 0.0f;

      if (r < rows && s < cols)
        delta = load_16 (dy, ((b * channels + c) * rows + r) * cols + s) / (float) (window * window);
      HALF_FINISH (delta, other[c], load_16 (other, to))
      HALF_STORE (delta, dx, to);
    }
  LS_PROBE_END (256)
}
