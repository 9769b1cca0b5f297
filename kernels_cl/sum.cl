/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over everything but the channel, X [batch, channels, plane] → [channels]: bias_grad, and mean, which is the case
 * of one image with one channel, divided by its size. Every rung adds in an order that depends on the shape alone.
 *
 *   naive    one work-item per channel adds all, one after the other
 *   tiled    one group per channel: its work-items load GROUP elements at once, of which the first adds them up in order:
 *
 *              item    0   1   2   3   4   5   6   7
 *                      █   █   █   █   █   █   █   █     an element each
 *                      └───┴───┴───┴───┴───┴───┴───┴──►  item 0, one after the other, as naive and the CPU lane add
 *
 *   packed   one work-item per channel and part of the batch, VEC elements at a time; where a plane is one element
 *            (dense layers), VEC channels at a time. sum_reduce adds the parts.
 *
 *   SUM_MEAN   1: divide by the number of elements. Default 0.
 */
#ifndef SUM_MEAN
#define SUM_MEAN 0
#endif
#if SUM_MEAN
#define FINISH(sum) ((sum) / (float) (batch * plane))
#else
#define FINISH(sum) (sum)
#endif

#define SUM_SHAPE int batch, int channels, int plane, int splits
#define GROUP     128

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
sum_naive (__global const float *restrict x, __global float *restrict out, SUM_SHAPE LS_PROBE_ARG)
{
  int c = get_global_id (0);

  LS_PROBE_BEGIN
  if (c < channels)
    {
      float sum = 0.0f;
      for (int b = 0; b < batch; b++)
        for (int i = 0; i < plane; i++)
          sum += x[(b * channels + c) * plane + i];
      out[c] = FINISH (sum);
    }
  LS_PROBE_END (64)
}

__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
sum_tiled (__global const float *restrict x, __global float *restrict out, SUM_SHAPE LS_PROBE_ARG)
{
  __local float sums[GROUP];
  int c = get_group_id (0);
  int item = get_local_id (0);
  float sum = 0.0f;

  LS_PROBE_BEGIN
  for (int first = 0; first < batch * plane; first += GROUP)
    {
      int e = first + item;
      // phase: load
      if (e < batch * plane)
        sums[item] = x[(e / plane * channels + c) * plane + e % plane];
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
      // phase: multiply-accumulate
      if (item == 0)
        for (int i = 0; i < MIN (GROUP, batch * plane - first); i++)
          sum += sums[i];
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  // phase: store
  if (item == 0)
    out[c] = FINISH (sum);
  LS_PROBE_END (GROUP)
}

/* Stores a finished sum, or a part of it. */
#define PUT_SUM(T, LOAD, STORE, v, at)                                        \
  {                                                                           \
    T sum_v = v;                                                              \
    if (splits > 1)                                                           \
      STORE (sum_v, parts + part * channels + (at));                          \
    else                                                                      \
      {                                                                       \
        UPDATE (T, LOAD, STORE, sum_v, at)                                    \
        STORE (sum_v, out + (at));                                            \
      }                                                                       \
  }

/* Dimension 0 = channel, or block of VEC channels if plane is 1; dimension 2 = part. */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
sum_packed (__global const float *restrict x, __global float *restrict out, __global float *restrict parts,
            SUM_SHAPE UPDATE_ARG LS_PROBE_ARG)
{
  int part = get_group_id (2);
  int part_batch = (batch + splits - 1) / splits;
  int first = part * part_batch, last = MIN (batch, first + part_batch);
  floatv sums = 0.0f;

  LS_PROBE_BEGIN
  if (plane > 1)
    {
      int c = get_group_id (0);
      float rest = 0.0f;
      for (int b = first; b < last; b++)
        {
          __global const float *from = x + (b * channels + c) * plane;
          int i = 0;
          for (; i + VEC <= plane; i += VEC)
            sums += LOADV (from + i);
          for (; i < plane; i++)
            rest += from[i];
        }
      PUT_SUM (float, LOAD_ONE, STORE_ONE, sum_lanes (sums) + rest, c)
    }
  else
    {
      int c = get_group_id (0) * VEC;
      if (c + VEC <= channels)
        {
          for (int b = first; b < last; b++)
            sums += LOADV (x + b * channels + c);
          PUT_SUM (floatv, LOADV, STOREV, sums, c)
        }
      else
        for (; c < channels; c++)
          {
            float sum = 0.0f;
            for (int b = first; b < last; b++)
              sum += x[b * channels + c];
            PUT_SUM (float, LOAD_ONE, STORE_ONE, sum, c)
          }
    }
  LS_PROBE_END (1)
}

/* One work-item per channel. */
__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
sum_reduce (__global const float *restrict parts, __global float *restrict out, SUM_SHAPE UPDATE_ARG)
{
  int c = get_global_id (0);

  if (c < channels)
    {
      float sum = 0.0f;
      for (int p = 0; p < splits; p++)
        sum += parts[p * channels + c];
      UPDATE (float, LOAD_ONE, STORE_ONE, sum, c)
      out[c] = sum;
    }
}
