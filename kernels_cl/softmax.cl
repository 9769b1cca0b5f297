/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softmax with cross-entropy, and its gradient.
 *
 *   P = e^(Y − max) / Σ e^(Y − max),  loss = log Σ e^(Y − max) + max − Y[label];  dY = (P − onehot (label)) / rows
 *
 * Subtracting the row's maximum changes neither, but keeps e^ from overflowing.
 */

/* e^x = 2^n · e^r, n = x / ln 2 rounded, |r| ≤ ln 2 / 2: Cephes' expf, term by term what the CPU lane computes (vmath.h), so
 * that the lanes' probabilities are the same bits. Within 3 ulp, as the built-in has to be. */
float
exp_cephes (float x)
{
  const float rounder = 12582912.0f;

  x = x > 89.0f ? 89.0f : x;
  x = x < -104.0f ? -104.0f : x;
  float shifted = x * 1.44269504088896341f + rounder;
  float n = shifted - rounder;
  float r = x - n * 0.693359375f;
  r -= n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  uint exponent = as_uint (shifted) - 0x4b400000u + 256u;
  uint half_exponent = exponent >> 1;
  return p * as_float ((half_exponent - 1) << 23) * as_float ((exponent - half_exponent - 1) << 23);
}

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
          float e = exp_cephes (y[j] - largest);
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
