/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dropout: y = x · m, where m is 0 or `scale`, as a random number says that is a pure function of seed, step, which dropout of
 * the plan it is, and the element: the same mask on every lane and rung. At step 0, outside of training, m is 1.
 *
 * Philox4x32-10 (Salmon et al. 2011) makes four numbers of a counter; element 64·s + 16·w + j has number w of the counter
 * 16·s + j:
 *
 *   counter       16·s    16·s+1   …  16·s+15
 *   number 0    64·s       64·s+1  …  64·s+15
 *   number 1    64·s+16   64·s+17  …  64·s+31
 *
 * The output counts as a matrix of rows × cols.
 *   naive    one element per work-item, of whose counter's numbers it takes its own
 *   packed   one work-item walks along tile_rows × tile_cols consecutive elements, and makes 64 numbers at a time
 */
#define SPAN   64
#define SIDE   16
#define STREAM 6u

#define DROPOUT_ARGUMENTS                                                                                         \
  __global const float *restrict x, __global float *restrict y, __global float *restrict mask, uint seed_low,     \
    uint seed_high, uint step, int number, int threshold, int scale_bits, int rows, int cols

uint4
philox (uint counter, uint step, uint number, uint seed_low, uint seed_high)
{
  uint4 c = (uint4) (counter, step, number, STREAM);

  for (int round = 0; round < 10; round++)
    {
      ulong p0 = (ulong) 0xD2511F53u * c.x, p1 = (ulong) 0xCD9E8D57u * c.z;
      c = (uint4) ((uint) (p1 >> 32) ^ c.y ^ seed_low, (uint) p1, (uint) (p0 >> 32) ^ c.w ^ seed_high, (uint) p0);
      seed_low += 0x9E3779B9u;
      seed_high += 0xBB67AE85u;
    }
  return c;
}

float
mask_of (uint random, uint step, int threshold, int scale_bits)
{
  return step == 0 ? 1.0f : random >= (uint) threshold ? as_float (scale_bits) : 0.0f;
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
dropout_naive (DROPOUT_ARGUMENTS LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    {
      int i = row * cols + col;
      uint4 c = philox (i / SPAN * SIDE + i % SIDE, step, number, seed_low, seed_high);
      int w = i % SPAN / SIDE;
      float m = mask_of (w == 0 ? c.x : w == 1 ? c.y : w == 2 ? c.z : c.w, step, threshold, scale_bits);
      mask[i] = m;
      y[i] = x[i] * m;
    }
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
dropout_packed (DROPOUT_ARGUMENTS, int tile_rows, int tile_cols LS_PROBE_ARG)
{
  int row = get_group_id (1) * tile_rows;
  int col = get_group_id (0) * tile_cols;
  int first = row * cols + col;
  int end = first + MIN (tile_rows, rows - row) * MIN (tile_cols, cols - col);

  LS_PROBE_BEGIN
  for (int span = first / SPAN; span * SPAN < end; span++)
    {
      float m[SPAN];
      for (int j = 0; j < SIDE; j++)
        {
          uint4 c = philox (span * SIDE + j, step, number, seed_low, seed_high);
          m[j] = mask_of (c.x, step, threshold, scale_bits);
          m[SIDE + j] = mask_of (c.y, step, threshold, scale_bits);
          m[2 * SIDE + j] = mask_of (c.z, step, threshold, scale_bits);
          m[3 * SIDE + j] = mask_of (c.w, step, threshold, scale_bits);
        }
      int base = span * SPAN;
      if (base >= first && base + SPAN <= end)
        for (int i = 0; i < SPAN; i += VEC)
          {
            floatv kept = LOADV (m + i);
            STOREV (kept, mask + base + i);
            STOREV (LOADV (x + base + i) * kept, y + base + i);
          }
      else
        for (int i = 0; i < SPAN; i++)
          if (base + i >= first && base + i < end)
            {
              mask[base + i] = m[i];
              y[base + i] = x[base + i] * m[i];
            }
    }
  LS_PROBE_END (1)
}
