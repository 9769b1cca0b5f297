/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dropout.cl's rungs for tensors stored in 16 bits; the mask is floats. Put behind dropout.cl, whose random numbers it takes.
 */
__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
dropout_half_naive (DROPOUT_ARGUMENTS LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    {
      int i = row * cols + col;
      uint random = philox_one (i / SPAN * SIDE + i % SIDE, step, number, seed_low, seed_high, i % SPAN / SIDE);
      mask[i] = mask_of (random, step, threshold, scale_bits);
      store_16 (load_16 (x, i) * mask[i], y, i);
    }
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
dropout_half_packed (DROPOUT_ARGUMENTS, int tile_rows, int tile_cols LS_PROBE_ARG)
{
  int row = get_group_id (1) * tile_rows;
  int col = get_group_id (0) * tile_cols;
  int first = row * cols + col;
  int end = first + MIN (tile_rows, rows - row) * MIN (tile_cols, cols - col);

  LS_PROBE_BEGIN
  for (int base = first / SPAN * SPAN; base < end; base += SPAN)
    {
      uint numbers[SPAN];
      philox_side (base / SPAN * SIDE, step, number, seed_low, seed_high, numbers);
      for (int i = base < first ? first - base : 0; i < MIN (SPAN, end - base); i++)
        {
          mask[base + i] = mask_of (numbers[i], step, threshold, scale_bits);
          store_16 (load_16 (x, base + i) * mask[base + i], y, base + i);
        }
    }
  LS_PROBE_END (1)
}
