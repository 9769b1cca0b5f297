/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sum.cl's tiled bias_grad of a tensor in 16 bits: one group per channel, whose work-items load GROUP elements at once, of which
 * the first adds them up in order. The sum is a float.
 */
#define GROUP 128

__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
sum_half (__global const float *restrict x, __global float *restrict out, int batch, int channels, int plane LS_PROBE_ARG)
{
  __local float sums[GROUP];
  int c = get_group_id (0);
  int item = get_local_id (0);
  float sum = 0.0f;

  LS_PROBE_BEGIN
  for (int first = 0; first < batch * plane; first += GROUP)
    {
      int e = first + item;
      if (e < batch * plane)
        sums[item] = load_16 (x, (e / plane * channels + c) * plane + e % plane);
      barrier (CLK_LOCAL_MEM_FENCE);
      if (item == 0)
        for (int i = 0; i < min (GROUP, batch * plane - first); i++)
          sum += sums[i];
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  if (item == 0)
    out[c] = sum;
  LS_PROBE_END (GROUP)
}
