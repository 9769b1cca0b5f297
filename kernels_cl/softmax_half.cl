/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softmax.cl's loss of logits in 16 bits, one work-item per sample, and its gradient into 16 bits, one per element. The
 * probabilities and losses are floats. e^x is functions.clh's.
 */
__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
softmax_xent_half (__global const float *restrict logits, __global const int *restrict labels,
                   __global float *restrict probs, __global float *restrict losses, int rows, int cols LS_PROBE_ARG)
{
  int row = get_global_id (0);

  LS_PROBE_BEGIN
  if (row < rows)
    {
      __global float *p = probs + row * cols;
      float largest = load_16 (logits, row * cols), sum = 0.0f;

      for (int j = 1; j < cols; j++)
        {
          float y = load_16 (logits, row * cols + j);
          largest = y > largest ? y : largest;
        }
      for (int j = 0; j < cols; j++)
        {
          float e = exp_float (load_16 (logits, row * cols + j) - largest);
          p[j] = e;
          sum += e;
        }
      for (int j = 0; j < cols; j++)
        p[j] /= sum;
      losses[row] = log_float (sum) + (largest - load_16 (logits, row * cols + labels[row]));
    }
  LS_PROBE_END (64)
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
softmax_xent_grad_half (__global const float *restrict probs, __global const int *restrict labels,
                        __global float *restrict dy, int rows, int cols LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);
  int i = row * cols + col;

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    store_16 ((probs[i] - (col == labels[row] ? 1.0f : 0.0f)) / (float) rows, dy, i);
  LS_PROBE_END (256)
}
