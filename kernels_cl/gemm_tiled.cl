/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rung 2, tiled: a work-group fetches each element once and shares it in local memory.
 *
 *                              n: TILE columns
 *                           B ┌──────┬────┬─────┐
 *                             │      │ ░░ │     │ ◄ k … k+TILE−1      In each round the TILE×TILE work-items
 *                             │      ├────┤     │                       1. load one tile of A and one of B into local
 *                             │      │ ▼  │     │                          memory, one element each of both,
 *               A             ├──────┼────┼─────┤                       2. wait for each other (barrier),
 *             ┌──────┬────┬───┤      │    │     │                       3. multiply the tiles: TILE multiply-adds each,
 *  m: TILE    │  ░░  │ ►  │   │      │ ■■ │     │ C                     4. wait again, before the tiles are overwritten.
 *  rows       ├──────┴────┴───┤      │    │     │
 *             └───────────────┘      └────┘     │                    Per multiply-add 2/TILE loads from global memory:
 *               ▲ k … k+TILE−1                                        16 times fewer than naive.
 *
 *   TILE   edge of a tile; work-items per group = TILE². Default 16.
 *
 * Elements outside A and B count as zero, so every work-item goes through every barrier, also at the edges.
 */
#ifndef TILE
#define TILE 16
#endif

__kernel __attribute__ ((reqd_work_group_size (TILE, TILE, 1))) void
gemm_tiled (GEMM_ARGUMENTS LS_PROBE_ARG LS_WALK_ARG)
{
  __local float a_tile[TILE][TILE];
  __local float b_tile[TILE][TILE];

  LS_WALK_BEGIN
  LS_WALK_REST (M, K)
  int col = get_local_id (0);
  int row = get_local_id (1);
  int n = get_group_id (0) * TILE + col;
  int m = get_group_id (1) * TILE + row;
  int last_k = GEMM_LAST_K;
  float sum = 0.0f, total = 0.0f;

  LS_PROBE_BEGIN
  for (int k = GEMM_FIRST_K; k < last_k; k += TILE)
    {
      LS_WALK_STAMP (ROUND (k, TILE), 0)
      // phase: load
      a_tile[row][col] = m < M && k + col < last_k ? A (m, k + col) : 0.0f;
      b_tile[row][col] = n < N && k + row < last_k ? B (k + row, n) : 0.0f;
      LS_WALK_STAMP (ROUND (k, TILE), 1)
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
      LS_WALK_STAMP (ROUND (k, TILE), 2)
      LS_WALK_KEEP (0, k - GEMM_FIRST_K + col, TILE, row, a_tile[row][col])
      LS_WALK_KEEP (1, k - GEMM_FIRST_K + row, TILE, col, b_tile[row][col])
      LS_WALK_COPIED (ROUND (k, TILE))
      // phase: multiply-accumulate
      for (int i = 0; i < TILE; i++)
        sum += a_tile[row][i] * b_tile[i][col];
      if (BLOCK_ENDS (k, TILE))
        {
          total += sum;
          sum = 0.0f;
        }
      LS_WALK_STAMP (ROUND (k, TILE), 4)
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  LS_WALK_LOOP_OVER
  // phase: store
  if (m < M && n < N)
    {
      GEMM_FINISH (m, n, total + sum)
    }
  LS_WALK_END
  LS_PROBE_END (TILE * TILE)
}
