/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sum.cl's packed rung for a matrix in 16 bits (plane = 1): one work-item per VEC columns. The sums are floats. Put behind sum.cl, whose PUT_SUM it takes.
 */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
sum_columns_half (__global const ushort *restrict x, __global float *restrict out, SUM_SHAPE LS_PROBE_ARG)
{
  int c = get_group_id (0) * VEC;

  LS_PROBE_BEGIN
  if (c + VEC <= channels)
    {
      floatv sums = 0.0f;
      for (int b = 0; b < batch; b++)
        sums += loadv_16 (x + b * channels + c);
      PUT_SUM (floatv, LOADV, STOREV, sums, c)
    }
  else
    for (; c < channels; c++)
      {
        float sum = 0.0f;
        for (int b = 0; b < batch; b++)
          sum += load_16 (x, b * channels + c);
        PUT_SUM (float, LOAD_ONE, STORE_ONE, sum, c)
      }
  LS_PROBE_END (1)
}
