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
 *   packed   one work-item per channel; where a plane is one element (dense layers), per VEC channels
 *
 * The planes of a convolution's result are added up one by one, each as the CPU lane does: LANES_OF_PLANE sums side by side, of
 * every so many-th element, which are halved until one is left; what is over at the plane's end is a sum of its own.
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

#define SUM_SHAPE      int batch, int channels, int plane
#define GROUP          128
#define LANES_OF_PLANE 16

/* Of a tensor in 16 bits, behind half.clh, it is the tiled rung alone. */
#ifdef HALF_BF16
#define SUM_X        void
#define SUM_AT(x, i) load_16 (x, i)
#else
#define SUM_X        float
#define SUM_AT(x, i) (x)[i]
#endif

/* The lanes' sums of the plane that begins at x[at], and what is over. */
float
plane_end (float *lane, __global const SUM_X *x, int at, int plane)
{
  float rest = 0.0f;

  for (int i = plane / LANES_OF_PLANE * LANES_OF_PLANE; i < plane; i++)
    rest += SUM_AT (x, at + i);
  for (int width = LANES_OF_PLANE / 2; width > 0; width /= 2)
    for (int j = 0; j < width; j++)
      lane[j] += lane[j + width];
  return rest + lane[0];
}

/* Of planes, 16 work-items share one. */
__kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
sum_tiled (__global const SUM_X *restrict x, __global float *restrict out, SUM_SHAPE LS_PROBE_ARG)
{
  __local float sums[GROUP];
  int c = get_group_id (0);
  int item = get_local_id (0);
  int whole = SUM_MEAN || plane == 1; /* an element for each work-item, else a lane of a plane */
  int count = whole ? batch * plane : batch * LANES_OF_PLANE;
  float sum = 0.0f;

  LS_PROBE_BEGIN
  for (int first = 0; first < count; first += GROUP)
    {
      int e = first + item;
      // phase: load
      if (e < count && whole)
        sums[item] = SUM_AT (x, (e / plane * channels + c) * plane + e % plane);
      else if (e < count)
        {
          int from = (e / LANES_OF_PLANE * channels + c) * plane;
          float lane = 0.0f;
          for (int i = e % LANES_OF_PLANE; i < plane / LANES_OF_PLANE * LANES_OF_PLANE; i += LANES_OF_PLANE)
            lane += SUM_AT (x, from + i);
          sums[item] = lane;
        }
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
      // phase: multiply-accumulate
      if (item == 0 && whole)
        for (int i = 0; i < MIN (GROUP, count - first); i++)
          sum += sums[i];
      else if (item == 0)
        for (int i = 0; i < MIN (GROUP, count - first); i += LANES_OF_PLANE)
          {
            float lane[LANES_OF_PLANE];
            for (int j = 0; j < LANES_OF_PLANE; j++)
              lane[j] = sums[i + j];
            sum += plane_end (lane, x, ((first + i) / LANES_OF_PLANE * channels + c) * plane, plane);
          }
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  // phase: store
  if (item == 0)
    out[c] = FINISH (sum);
  LS_PROBE_END (GROUP)
}

#ifndef HALF_BF16
float
plane_sum (__global const float *restrict x, int at, int plane)
{
  float lane[LANES_OF_PLANE];

  for (int j = 0; j < LANES_OF_PLANE; j++)
    lane[j] = 0.0f;
  for (int i = 0; i + LANES_OF_PLANE <= plane; i += LANES_OF_PLANE)
    for (int j = 0; j < LANES_OF_PLANE; j++)
      lane[j] += x[at + i + j];
  return plane_end (lane, x, at, plane);
}

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
sum_naive (__global const float *restrict x, __global float *restrict out, SUM_SHAPE LS_PROBE_ARG)
{
  int c = get_global_id (0);

  LS_PROBE_BEGIN
  if (c < channels)
    {
      float sum = 0.0f;
      for (int b = 0; b < batch; b++)
        {
          int at = (b * channels + c) * plane;
          if (SUM_MEAN || plane == 1)
            for (int i = 0; i < plane; i++)
              sum += x[at + i];
          else
            sum += plane_sum (x, at, plane);
        }
      out[c] = FINISH (sum);
    }
  LS_PROBE_END (64)
}

#endif

/* Updates what a finished sum is the gradient of, and stores it. */
#define PUT_SUM(T, LOAD, STORE, v, at)                                        \
  {                                                                           \
    T sum_v = v;                                                              \
    UPDATE (T, LOAD, STORE, sum_v, at)                                        \
    STORE (sum_v, out + (at));                                                \
  }

#ifndef HALF_BF16
/* Dimension 0 = channel, or block of VEC channels if plane is 1. */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
sum_packed (__global const float *restrict x, __global float *restrict out, SUM_SHAPE UPDATE_ARG LS_PROBE_ARG)
{
  LS_PROBE_BEGIN
  if (plane > 1)
    {
      int c = get_group_id (0);
      float sum = 0.0f;
      for (int b = 0; b < batch; b++)
        {
          int at = (b * channels + c) * plane;
          floatv sums[LANES_OF_PLANE / VEC];
          float lane[LANES_OF_PLANE];
          #pragma unroll
          for (int v = 0; v < LANES_OF_PLANE / VEC; v++)
            sums[v] = 0.0f;
          for (int i = 0; i + LANES_OF_PLANE <= plane; i += LANES_OF_PLANE)
            {
              #pragma unroll
              for (int v = 0; v < LANES_OF_PLANE / VEC; v++)
                sums[v] += LOADV (x + at + i + v * VEC);
            }
          #pragma unroll
          for (int v = 0; v < LANES_OF_PLANE / VEC; v++)
            STOREV (sums[v], lane + v * VEC);
          sum += plane_end (lane, x, at, plane);
        }
      PUT_SUM (float, LOAD_ONE, STORE_ONE, sum, c)
    }
  else
    {
      int c = get_group_id (0) * VEC;
      if (c + VEC <= channels)
        {
          floatv sums = 0.0f;
          for (int b = 0; b < batch; b++)
            sums += LOADV (x + b * channels + c);
          PUT_SUM (floatv, LOADV, STOREV, sums, c)
        }
      else
        for (; c < channels; c++)
          {
            float sum = 0.0f;
            for (int b = 0; b < batch; b++)
              sum += x[b * channels + c];
            PUT_SUM (float, LOAD_ONE, STORE_ONE, sum, c)
          }
    }
  LS_PROBE_END (1)
}
#endif
