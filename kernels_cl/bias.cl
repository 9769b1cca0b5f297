/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bias by itself, where it isn't fused: Y [rows, channels, plane] = X + the channel's bias.
 *
 *   naive    one work-item per element
 *   packed   one work-item per group goes along tile_rows rows: by vectors of channels, or of a channel's plane
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

/* n elements from `at` on; LOAD_B gives the bias of the i-th, of one of them or of VEC. */
#define ADD_BIAS(n, at, LOAD_B, LOAD_BV)                                      \
  {                                                                           \
    int i = 0;                                                                \
    for (; i + VEC <= (n); i += VEC)                                          \
      STOREV (LOADV (x + (at) + i) + LOAD_BV, y + (at) + i);                  \
    for (; i < (n); i++)                                                      \
      y[(at) + i] = x[(at) + i] + LOAD_B;                                     \
  }

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
bias_packed (__global const float *restrict x, __global const float *restrict bias, __global float *restrict y, int rows,
             int cols, int plane, int tile_rows LS_PROBE_ARG)
{
  int first = get_group_id (1) * tile_rows;
  int end = first + MIN (tile_rows, rows - first);

  LS_PROBE_BEGIN
  for (int row = first; row < end; row++)
    if (plane == 1)
      ADD_BIAS (cols, row * cols, bias[i], LOADV (bias + i))
    else
      for (int channel = 0; channel < cols / plane; channel++)
        ADD_BIAS (plane, row * cols + channel * plane, bias[channel], bias[channel])
  LS_PROBE_END (1)
}
