/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a device can do at most, each limit by a kernel that does nothing else: multiply-adds in registers, a triad over
 * memory (McCalpin, "STREAM", 1995), loads from local memory. All work-items write something, so that nothing is left out.
 *
 *   VEC   see vector.clh
 */
#define CHAINS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7) DO (8) DO (9) DO (10) DO (11) /* sums that don't wait for each other */
#define LOCAL_FLOATS 2048

/* from numbers that a compiler doesn't know: of a chain that begins where it stays, nothing would be left */
#define CHAIN_BEGIN(j) floatv chain##j = (floatv) (iterations + j);
#define CHAIN_TURN(j)  chain##j = chain##j * factor + step;
#define CHAIN_END(j)   sum += chain##j;

/* iterations · 12 chains · VEC multiply-adds per work-item */
__kernel void
roof_flops (__global float *restrict out, int iterations)
{
  floatv factor = (floatv) (0.999f), step = (floatv) (1e-3f * (1 + get_local_id (0))), sum = (floatv) (0.0f);

  CHAINS (CHAIN_BEGIN)
  for (int i = 0; i < iterations; i++)
    {
      CHAINS (CHAIN_TURN)
    }
  CHAINS (CHAIN_END)
  out[get_global_id (0)] = sum_lanes (sum);
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

#define LOAD_TURN(j) chain##j += LOADV (tile + ((first + j) * VEC) % LOCAL_FLOATS);

/* iterations · 12 chains · VEC floats loaded per work-item */
__kernel void
roof_local (__global float *restrict out, int iterations)
{
  __local float tile[LOCAL_FLOATS];
  int items = get_local_size (0), item = get_local_id (0);
  floatv sum = (floatv) (0.0f);

  for (int i = item; i < LOCAL_FLOATS; i += items)
    tile[i] = i;
  barrier (CLK_LOCAL_MEM_FENCE);
  CHAINS (CHAIN_BEGIN)
  for (int i = 0; i < iterations; i++)
    {
      int first = item + i * 12;
      CHAINS (LOAD_TURN)
    }
  CHAINS (CHAIN_END)
  out[get_global_id (0)] = sum_lanes (sum);
}
