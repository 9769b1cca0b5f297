/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bias by itself, where it isn't fused: Y [rows, channels, plane] = X + the channel's bias. One work-item per element.
 */
__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
bias_naive (__global const float *restrict x, __global const float *restrict bias, __global float *restrict y, int rows,
            int cols, int plane LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    y[row * cols + col] = x[row * cols + col] + bias[col / plane];
  LS_PROBE_END (256)
}
