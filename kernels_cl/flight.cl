/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains of results that wait for each other, one chain to a work-item: so many items, so many results under way. All items
 * write something, so that nothing is left out.
 */

/* Each load tells where the next one is: memory's wait is all there is to it. */
__kernel void
flight_loads (__global const uint *restrict ring, __global uint *restrict at, int turns)
{
  uint place = at[get_global_id (0)];

  for (int i = 0; i < turns; i++)
    place = ring[place];
  at[get_global_id (0)] = place;
}

__kernel void
flight_sums (__global float *restrict sums, int turns)
{
  float sum = sums[get_global_id (0)];

  for (int i = 0; i < turns; i++)
    sum = sum * 0.999f + 1e-3f;
  sums[get_global_id (0)] = sum;
}
