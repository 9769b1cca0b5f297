/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that go once over all elements, for any ELEMENT of elementwise.clh or update.clh. The output counts as a
 * matrix of rows × cols.
 *
 *   naive    one work-item per element; a group is a patch of 8 × 32, so that neighbours read neighbours
 *   packed   one work-item per group; it walks along tile_rows × tile_cols consecutive elements, VEC at a time: either
 *            whole rows, or a piece of one
 */
#define LOAD_1(p)     (*(p))
#define STORE_1(v, p) (*(p) = (v))

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
elementwise_naive (ELEMENT_ARGUMENTS, int rows, int cols LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    ELEMENT (float, LOAD_1, STORE_1, row * cols + col)
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
elementwise_packed (ELEMENT_ARGUMENTS, int rows, int cols, int tile_rows, int tile_cols LS_PROBE_ARG)
{
  int row = get_group_id (1) * tile_rows;
  int col = get_group_id (0) * tile_cols;
  int i = row * cols + col;
  int end = i + MIN (tile_rows, rows - row) * MIN (tile_cols, cols - col);

  LS_PROBE_BEGIN
  for (; i + VEC <= end; i += VEC)
    ELEMENT (floatv, LOADV, STOREV, i)
  for (; i < end; i++)
    ELEMENT (float, LOAD_1, STORE_1, i)
  LS_PROBE_END (1)
}
