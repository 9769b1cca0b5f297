/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last pass of the packed conv2d_dw: adds the parts that the sum was cut into, always in their order.
 */

/* One work-item per element of dW. */
__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
conv_dw_reduce (__global const float *restrict parts, __global float *restrict out, CONV_SHAPE)
{
  int count = M * channels * window * window;
  int i = get_global_id (0);

  if (i < count)
    {
      float sum = 0.0f;
      for (int p = 0; p < splits; p++)
        sum += parts[p * count + i];
      out[i] = sum;
    }
}
