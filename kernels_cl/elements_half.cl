/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * elementwise.cl's rungs for tensors stored in 16 bits, of any ELEMENT of elementwise.clh, add.clh, product.clh or gelu.clh; or, with
 * IS_UPDATE, of update.clh, whose operands are floats, and whose weights are then stored in 16 bits as well, in copy.
 *
 *   IN1   what in1 is stored as: ushort, or float. Where the ELEMENT has no in1, the host doesn't set it
 */
#if defined IS_UPDATE
#define ARGUMENTS            ELEMENT_ARGUMENTS, __global ushort *restrict copy
#define COPY(LOAD, STORE, i) STORE (LOAD (weight + (i)), copy + (i));
#elif defined IN1
#define ARGUMENTS                                                                                                \
  __global const ushort *restrict in0, __global const IN1 *restrict in1, __global ushort *restrict out
#else
#define ARGUMENTS __global const ushort *restrict in0, __global ushort *restrict out
#endif
#ifndef COPY
#define COPY(LOAD, STORE, i)
#endif

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
elements_half_naive (ARGUMENTS, int rows, int cols LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);
  int i = row * cols + col;

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    {
      ELEMENT (float, LOAD_TYPED, STORE_TYPED, i)
      COPY (LOAD_TYPED, STORE_TYPED, i)
    }
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
elements_half_packed (ARGUMENTS, int rows, int cols, int tile_rows, int tile_cols LS_PROBE_ARG)
{
  int row = get_group_id (1) * tile_rows;
  int col = get_group_id (0) * tile_cols;
  int i = row * cols + col;
  int end = i + MIN (tile_rows, rows - row) * MIN (tile_cols, cols - col);

  LS_PROBE_BEGIN
  for (; i + VEC <= end; i += VEC)
    {
      ELEMENT (floatv, LOADV_TYPED, STOREV_TYPED, i)
      COPY (LOADV_TYPED, STOREV_TYPED, i)
    }
  for (; i < end; i++)
    {
      ELEMENT (float, LOAD_TYPED, STORE_TYPED, i)
      COPY (LOAD_TYPED, STORE_TYPED, i)
    }
  LS_PROBE_END (1)
}
