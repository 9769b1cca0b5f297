/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gemm_packed.cl's rung for operands in 16 bits: one work-item per group, which converts 256 rows of its columns of B into a
 * panel of floats in local memory, and takes 8 rows of A at a time through it, 16 vectors of C in registers. Sums are made in
 * the same order.
 *
 *   VEC          see vector.clh
 *   GROUP_ROWS   of C per group, a multiple of 8. Default 8.
 */
#define PANEL (2 * VEC)
#define SUM_BLOCK 256 /* as in gemm.clh */
#ifndef GROUP_ROWS
#define GROUP_ROWS 8
#endif

#define ROWS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7)

/* Rows below C's last are computed from its last, and not stored. */
#define ROW_BEGIN(r)                                                          \
  int a##r = MIN (m + r, M - 1) * a_m;                                        \
  floatv c##r##0 = 0.0f, c##r##1 = 0.0f;

#define ROW_MULTIPLY_ACCUMULATE(r)                                            \
  {                                                                           \
    floatv a = load_16 (in0, a##r + k * a_k);                                 \
    c##r##0 += a * b0;                                                        \
    c##r##1 += a * b1;                                                        \
  }

#define ROW_ADD(r)                                                            \
  c##r##0 = LOADV (waiting + r * PANEL) + c##r##0;                            \
  c##r##1 = LOADV (waiting + r * PANEL + VEC) + c##r##1;

#define ROW_WAIT(r)                                                           \
  STOREV (c##r##0, waiting + r * PANEL);                                      \
  STOREV (c##r##1, waiting + r * PANEL + VEC);

/* n_k rows of n_n columns of B from element `from` on, filled up with zeros: along memory, whichever way that is. */
void
pack (__global const float *in1, int from, int b_k, int b_n, int n_k, int n_n, __local float *panel)
{
  if (b_n == 1)
    for (int k = 0; k < n_k; k++)
      for (int j = 0; j < PANEL; j++)
        panel[k * PANEL + j] = j < n_n ? load_16 (in1, from + k * b_k + j) : 0.0f;
  else
    for (int j = 0; j < PANEL; j++)
      for (int k = 0; k < n_k; k++)
        panel[k * PANEL + j] = j < n_n ? load_16 (in1, from + k * b_k + j * b_n) : 0.0f;
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
gemm_packed_half (__global const float *restrict in0, __global const float *restrict in1, __global float *restrict out,
                  __global const float *restrict other, int M, int N, int K, int splits, GEMM_SHAPE LS_PROBE_ARG)
{
  __local float panel[SUM_BLOCK * PANEL];
  __local float sums[GROUP_ROWS * PANEL];
  int first_m = get_group_id (0) * GROUP_ROWS;
  int first_n = get_group_id (1) * PANEL;
  int n_n = MIN (PANEL, N - first_n);

  LS_PROBE_BEGIN
  for (int block = 0; block < K; block += SUM_BLOCK)
    {
      int n_k = MIN (SUM_BLOCK, K - block);

      pack (in1, block * b_k + first_n * b_n, b_k, b_n, n_k, n_n, panel);
      for (int m = first_m; m < MIN (first_m + GROUP_ROWS, M); m += 8)
        {
          __local float *waiting = sums + (m - first_m) * PANEL;
          ROWS (ROW_BEGIN)
          for (int k = block; k < block + n_k; k++)
            {
              floatv b0 = LOADV (panel + (k - block) * PANEL);
              floatv b1 = LOADV (panel + (k - block) * PANEL + VEC);
              ROWS (ROW_MULTIPLY_ACCUMULATE)
            }
          if (block > 0)
            {
              ROWS (ROW_ADD)
            }
          ROWS (ROW_WAIT)
          if (block + n_k < K)
            continue;
          for (int r = 0; r < MIN (8, M - m); r++)
            for (int j = 0; j < n_n; j++)
              {
                int n = first_n + j, at = (m + r) * N + n;
                float v = waiting[r * PANEL + j];
                HALF_FINISH (v, other[n], load_16 (other, at))
                HALF_STORE (v, out, at);
              }
        }
    }
  LS_PROBE_END (1)
}
