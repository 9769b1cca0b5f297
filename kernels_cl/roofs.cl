/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a device can do at most, each limit by a kernel that does nothing else: multiply-adds in registers, a triad over
 * memory (McCalpin, "STREAM", 1995), loads from local memory. All work-items write something, so that nothing is left out.
 *
 *   VEC   see vector.clh
 */
#define CHAINS 12          /* sums that don't wait for each other: enough to fill the pipelines */
#define LOCAL_FLOATS 2048
#define LOCAL_LOADS  8     /* in a turn */

/* iterations · CHAINS · VEC multiply-adds per work-item */
__kernel void
roof_flops (__global float *restrict out, int iterations)
{
  floatv chain[CHAINS], factor = (floatv) (0.999f), step = (floatv) (1e-3f * get_local_id (0));

  for (int j = 0; j < CHAINS; j++)
    chain[j] = (floatv) (j);
  for (int i = 0; i < iterations; i++)
    for (int j = 0; j < CHAINS; j++)
      chain[j] = chain[j] * factor + step;
  for (int j = 1; j < CHAINS; j++)
    chain[0] += chain[j];
  out[get_global_id (0)] = sum_lanes (chain[0]);
}

/* Each work-item `iterations` vectors, side by side in its group where there are many, one after the other where there is one:
 * 3 · VEC floats moved for each. */
__kernel void
roof_memory (__global float *restrict out, __global const float *restrict a, __global const float *restrict b, int iterations)
{
  int items = get_local_size (0);
  int first = get_group_id (0) * items * iterations + get_local_id (0);

  for (int i = 0; i < iterations; i++)
    {
      int at = (first + i * items) * VEC;
      STOREV (LOADV (a + at) + 3.0f * LOADV (b + at), out + at);
    }
}

/* iterations · LOCAL_LOADS · VEC floats loaded per work-item */
__kernel void
roof_local (__global float *restrict out, int iterations)
{
  __local float tile[LOCAL_FLOATS];
  int items = get_local_size (0), item = get_local_id (0);
  floatv sum[LOCAL_LOADS];

  for (int i = item; i < LOCAL_FLOATS; i += items)
    tile[i] = i;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < LOCAL_LOADS; j++)
    sum[j] = (floatv) (0.0f);
  for (int i = 0; i < iterations; i++)
    for (int j = 0; j < LOCAL_LOADS; j++)
      sum[j] += LOADV (tile + ((item + i * LOCAL_LOADS + j) * VEC) % LOCAL_FLOATS);
  for (int j = 1; j < LOCAL_LOADS; j++)
    sum[0] += sum[j];
  out[get_global_id (0)] = sum_lanes (sum[0]);
}
