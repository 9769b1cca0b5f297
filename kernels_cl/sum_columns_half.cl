/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sum.cl's packed rung for a matrix in 16 bits (plane = 1): one work-item per VEC columns and part of the rows. The sums are
 * floats. Put behind sum.cl, whose PUT_SUM it takes.
 */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
sum_columns_half (__global const ushort *restrict x, __global float *restrict out, __global float *restrict parts,
                  SUM_SHAPE LS_PROBE_ARG)
{
  int part = get_group_id (2);
  int part_batch = (batch + splits - 1) / splits;
  int first = part * part_batch, last = MIN (batch, first + part_batch);
  int c = get_group_id (0) * VEC;

  LS_PROBE_BEGIN
  if (c + VEC <= channels)
    {
      floatv sums = 0.0f;
      for (int b = first; b < last; b++)
        sums += loadv_16 (x + b * channels + c);
      PUT_SUM (floatv, LOADV, STOREV, sums, c)
    }
  else
    for (; c < channels; c++)
      {
        float sum = 0.0f;
        for (int b = first; b < last; b++)
          sum += load_16 (x, b * channels + c);
        PUT_SUM (float, LOAD_ONE, STORE_ONE, sum, c)
      }
  LS_PROBE_END (1)
}
