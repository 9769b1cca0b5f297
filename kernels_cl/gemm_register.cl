/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rung 3, register-blocked: each work-item computes ITEM_M × ITEM_N elements, which stay in its registers. An element
 * that was fetched from local memory is used ITEM_N or ITEM_M times: the classic kernel of GPUs.
 *
 *                                TILE_N
 *                        ┌────────────────────┐          A work-item's elements lie ITEMS_X columns and ITEMS_Y rows
 *                 TILE_K │       b_tile       │          apart, so that neighbouring work-items read neighbouring
 *                        └────────────────────┘          places of local memory, and write neighbouring columns of C:
 *              TILE_K
 *             ┌──────┐   ┌────────────────────┐             item (x, y) = ×        x . . . x . . .
 *             │      │   │ x   x   x   x      │                                    . . . . . . . .
 *      TILE_M │a_tile│   │                    │ C                                  x . . . x . . .
 *             │      │   │ x   x   x   x      │                                    . . . . . . . .
 *             └──────┘   └────────────────────┘
 *
 *   TILE_M, TILE_N   tile of C per work-group. Default 64, 64.
 *   TILE_K           depth of one round. Default 16.
 *   ITEM_M, ITEM_N   elements per work-item. Default 4, 4: 16 × 16 work-items.
 *
 * Local memory: (TILE_M + 1 + TILE_N + 1) · TILE_K floats. The + 1 puts the elements of a column into different banks.
 */
#ifndef TILE_M
#define TILE_M 64
#endif
#ifndef TILE_N
#define TILE_N 64
#endif
#ifndef TILE_K
#define TILE_K 16
#endif
#ifndef ITEM_M
#define ITEM_M 4
#endif
#ifndef ITEM_N
#define ITEM_N 4
#endif

#define ITEMS_X (TILE_N / ITEM_N)
#define ITEMS_Y (TILE_M / ITEM_M)
#define ITEMS   (ITEMS_X * ITEMS_Y)

/* A work-item's share of a tile, in loops of constant length: unrolled, all its loads are under way at once. */
#define LOADS(edge)    (((edge) * TILE_K + ITEMS - 1) / ITEMS)
#define IS_IN(e, edge) ((edge) * TILE_K % ITEMS == 0 || (e) < (edge) * TILE_K)

#if LS_WALK
#define LS_WALK_TILE(which, from, edge)                                       \
  for (int e = item; e < edge * TILE_K; e += ITEMS)                           \
    LS_WALK_KEEP (which, k - GEMM_FIRST_K + e / edge, edge, e % edge, from[e / edge][e % edge])
#else
#define LS_WALK_TILE(which, from, edge)
#endif

__kernel __attribute__ ((reqd_work_group_size (ITEMS_X, ITEMS_Y, 1))) void
gemm_register (GEMM_ARGUMENTS LS_PROBE_ARG LS_WALK_ARG)
{
  __local float a_tile[TILE_K][TILE_M + 1];
  __local float b_tile[TILE_K][TILE_N + 1];

  LS_WALK_BEGIN
  LS_WALK_REST (M, K)
  int x = get_local_id (0);
  int y = get_local_id (1);
  int item = y * ITEMS_X + x;
  int first_n = get_group_id (0) * TILE_N;
  int first_m = get_group_id (1) * TILE_M;
  int last_k = GEMM_LAST_K;
  float sum[ITEM_M][ITEM_N], total[ITEM_M][ITEM_N];

  LS_PROBE_BEGIN
  UNROLL for (int i = 0; i < ITEM_M; i++)
    UNROLL for (int j = 0; j < ITEM_N; j++)
      sum[i][j] = total[i][j] = 0.0f;

  for (int k = GEMM_FIRST_K; k < last_k; k += TILE_K)
    {
      LS_WALK_STAMP (ROUND (k, TILE_K), 0)
      // phase: load
      UNROLL for (int l = 0; l < LOADS (TILE_M); l++)
        {
          int e = item + l * ITEMS;
          int i = A_ALONG_M ? e % TILE_M : e / TILE_K;
          int p = A_ALONG_M ? e / TILE_M : e % TILE_K;
          if (IS_IN (e, TILE_M))
            a_tile[p][i] = first_m + i < M && k + p < last_k ? A (first_m + i, k + p) : 0.0f;
        }
      UNROLL for (int l = 0; l < LOADS (TILE_N); l++)
        {
          int e = item + l * ITEMS;
          int j = B_ALONG_K ? e / TILE_K : e % TILE_N;
          int p = B_ALONG_K ? e % TILE_K : e / TILE_N;
          if (IS_IN (e, TILE_N))
            b_tile[p][j] = first_n + j < N && k + p < last_k ? B (k + p, first_n + j) : 0.0f;
        }
      LS_WALK_STAMP (ROUND (k, TILE_K), 1)
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
      LS_WALK_STAMP (ROUND (k, TILE_K), 2)
      LS_WALK_TILE (0, a_tile, TILE_M)
      LS_WALK_TILE (1, b_tile, TILE_N)
      LS_WALK_COPIED (ROUND (k, TILE_K))
      // phase: multiply-accumulate
      UNROLL for (int p = 0; p < TILE_K; p++)
        {
          float b[ITEM_N];
          UNROLL for (int j = 0; j < ITEM_N; j++)
            b[j] = b_tile[p][j * ITEMS_X + x];
          UNROLL for (int i = 0; i < ITEM_M; i++)
            {
              float a = a_tile[p][i * ITEMS_Y + y];
              UNROLL for (int j = 0; j < ITEM_N; j++)
                sum[i][j] += a * b[j];
            }
        }
      if (BLOCK_ENDS (k, TILE_K))
        UNROLL for (int i = 0; i < ITEM_M; i++)
          UNROLL for (int j = 0; j < ITEM_N; j++)
            {
              total[i][j] += sum[i][j];
              sum[i][j] = 0.0f;
            }
      LS_WALK_STAMP (ROUND (k, TILE_K), 4)
      // phase: barrier
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  LS_WALK_LOOP_OVER
  // phase: store
  UNROLL for (int i = 0; i < ITEM_M; i++)
    UNROLL for (int j = 0; j < ITEM_N; j++)
      {
        int m = first_m + i * ITEMS_Y + y;
        int n = first_n + j * ITEMS_X + x;
        if (m < M && n < N)
          {
            GEMM_FINISH (m, n, total[i][j] + sum[i][j])
          }
      }
  LS_WALK_END
  LS_PROBE_END (ITEMS)
}
