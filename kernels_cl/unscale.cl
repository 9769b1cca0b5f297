/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between backward and update of a step in fp16: a weight gradient is divided by what the loss's was multiplied by, and
 * looked at. `overflowed` becomes 1 if an element isn't finite, and is never set back here. A row of 16 elements for each
 * work-item, so that processors take them as a vector.
 */
#define EXPONENT 0x7f800000

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
unscale (__global float *restrict gradient, int count, float inverse, __global int *overflowed)
{
  int first = get_global_id (0) * 16;

  if (first + 16 <= count)
    {
      float16 g = vload16 (get_global_id (0), gradient);
      if (any ((as_int16 (g) & EXPONENT) == EXPONENT))
        atomic_or (overflowed, 1);
      vstore16 (g * inverse, get_global_id (0), gradient);
    }
  else
    for (int i = first; i < count; i++)
      {
        if ((as_int (gradient[i]) & EXPONENT) == EXPONENT)
          atomic_or (overflowed, 1);
        gradient[i] *= inverse;
      }
}
