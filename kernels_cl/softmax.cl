/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softmax with cross-entropy, and its gradient.
 *
 *   P = e^(Y − max) / Σ e^(Y − max),  loss = log Σ e^(Y − max) + max − Y[label];  dY = (P − onehot (label)) / rows
 *
 * Subtracting the row's maximum changes neither, but keeps e^ from overflowing.
 */

/* One work-item per row, that is per sample. */
__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
softmax_xent_naive (__global const float *restrict logits, __global const int *restrict labels,
                    __global float *restrict probs, __global float *restrict losses, int rows, int cols LS_PROBE_ARG)
{
  int row = get_global_id (0);

  LS_PROBE_BEGIN
  if (row < rows)
    {
      __global const float *y = logits + row * cols;
      __global float *p = probs + row * cols;
      float largest = y[0];
      float sum = 0.0f;

      for (int j = 1; j < cols; j++)
        largest = y[j] > largest ? y[j] : largest;
      for (int j = 0; j < cols; j++)
        {
          float e = exp (y[j] - largest);
          p[j] = e;
          sum += e;
        }
      for (int j = 0; j < cols; j++)
        p[j] /= sum;
      losses[row] = log (sum) + (largest - y[labels[row]]);
    }
  LS_PROBE_END (64)
}

/* One work-item per element. */
__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
softmax_xent_grad_naive (__global const float *restrict probs, __global const int *restrict labels,
                         __global float *restrict dy, int rows, int cols LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    dy[row * cols + col] = (probs[row * cols + col] - (col == labels[row] ? 1.0f : 0.0f)) / (float) rows;
  LS_PROBE_END (256)
}
