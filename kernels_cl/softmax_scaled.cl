/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softmax_half.cl's gradient of the loss, times a scale that keeps small ones above fp16's least number; one work-item per
 * element.
 */
__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
softmax_xent_grad_scaled (__global const float *restrict probs, __global const int *restrict labels,
                          __global float *restrict dy, float scale, int rows, int cols LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);
  int i = row * cols + col;

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    store_16 ((probs[i] - (col == labels[row] ? 1.0f : 0.0f)) / (float) rows * scale, dy, i);
  LS_PROBE_END (256)
}
