/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rung 1, naive: the definition. Each work-item computes one element of C and fetches all it needs from global memory:
 *
 *                     n
 *              B  ┌───┬─┬──┐         16×16 work-items form a group, so a group makes a 16×16 tile of C; but its
 *                 │   │ │  │         work-items don't share anything: each element of A is fetched by 16 of them,
 *                 │   │▼│  │         each element of B by 16 others.
 *         A       ├───┼─┼──┤
 *      ┌──────┐   │   │ │  │         Per multiply-add: 2 loads. The kernel waits for memory, not for arithmetic.
 *    m ├─────►┤   │   │■│  │ C
 *      └──────┘   └───┴─┴──┘
 */
#define GROUP 16

/* A column of work-items reads all rows of A, a row of them all columns of B. */
#if LS_WALK
#define LS_WALK_FACTORS(at)                                                   \
  if (get_local_id (0) == 0)                                                  \
    LS_WALK_KEEP (0, at, GROUP, get_local_id (1), A (m, k))                   \
  if (get_local_id (1) == 0)                                                  \
    LS_WALK_KEEP (1, at, GROUP, get_local_id (0), B (k, n))
#else
#define LS_WALK_FACTORS(at)
#endif

__kernel __attribute__ ((reqd_work_group_size (GROUP, GROUP, 1))) void
gemm_naive (GEMM_ARGUMENTS LS_PROBE_ARG LS_WALK_ARG)
{
  int n = get_global_id (0);
  int m = get_global_id (1);

  LS_PROBE_BEGIN
  LS_WALK_BEGIN
  LS_WALK_REST (M, K)
  LS_WALK_STAMP (0, 0)
  if (m < M && n < N)
    {
      float total = 0.0f;
      int last_k = GEMM_LAST_K;
      for (int block = GEMM_FIRST_K; block < last_k; block += SUM_BLOCK)
        {
          float sum = 0.0f;
          int end = min (block + SUM_BLOCK, last_k);
          // phase: multiply-accumulate
          for (int k = block; k < end; k++)
            {
              LS_WALK_FACTORS (k - GEMM_FIRST_K)
              sum += A (m, k) * B (k, n);
            }
          total += sum;
        }
      // phase: store
      GEMM_FINISH (m, n, total)
    }
  LS_WALK_END
  LS_PROBE_END (GROUP * GROUP)
}
