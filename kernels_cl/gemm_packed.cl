/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rung 4, packed vectors: the kernel of CPUs. No local memory, one work-item per group, which computes 8 rows × 2
 * vectors of C in 16 vector registers. To be fast it must read B as one stream, so a first pass copies B into panels:
 *
 *        B, N columns               panels: one after the other, each K × 2·VEC
 *      ┌────┬────┬────┬──┐          ┌────┐┌────┐┌────┐┌────┐
 *      │    │    │    │  │          │0123││    ││    ││  00│       memory order within a panel: row after row, so
 *    K │ 0  │ 1  │ 2  │ 3│   ──►    │4567││    ││    ││  00│       that consecutive k are consecutive vectors.
 *      │    │    │    │  │          │ …  ││    ││    ││  00│       The last panel is filled up with zeros.
 *      └────┴────┴────┴──┘          └────┘└────┘└────┘└────┘
 *
 *   per k:   c[r][0] += A(r, k) · panel[k][0],  c[r][1] += A(r, k) · panel[k][1]    for the 8 rows r
 *            = 2 vector loads, 8 scalars sent to all lanes, 16 fused multiply-adds
 *
 * Dimension 0 counts blocks of rows: consecutive groups read the same panel, which stays in the cache. This order
 * alone is worth a factor of 1.5 (PoCL, 256×1024×2048).
 *
 *   VEC   see vector.clh
 *
 * Sources: the 8 × 2 shape fills the 32 vector registers of AVX-512 half; 16 × 2 spills them, 8 × 1 and 4 × 4 wait
 * for loads (measured). Goto, van de Geijn, "Anatomy of high-performance matrix multiplication", TOMS 2008, on panels.
 */
#define PANEL (2 * VEC)
#define SUM_BLOCK 256 /* as in gemm.clh, which this rung needs nothing else of */

/* Two vectors' lanes in turn, a0 b0 a1 b1 …: of their first halves, of their second halves. */
#if VEC == 16
#define INTERLEAVE_LO(a, b)                                                                                           \
  ((float16) (a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7))
#define INTERLEAVE_HI(a, b)                                                                                           \
  ((float16) (a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf))
#elif VEC == 8
#define INTERLEAVE_LO(a, b) ((float8) (a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3))
#define INTERLEAVE_HI(a, b) ((float8) (a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7))
#else
#define INTERLEAVE_LO(a, b) ((float4) (a.s0, b.s0, a.s1, b.s1))
#define INTERLEAVE_HI(a, b) ((float4) (a.s2, b.s2, a.s3, b.s3))
#endif

/* Transposes a VEC×VEC block: after as many perfect shuffles of the rows as VEC has bits, row i holds column i. */
void
transpose (floatv *v)
{
  floatv t[VEC];
  for (int stage = 1; stage < VEC; stage *= 2)
    {
      for (int i = 0; i < VEC / 2; i++)
        {
          t[2 * i] = INTERLEAVE_LO (v[i], v[i + VEC / 2]);
          t[2 * i + 1] = INTERLEAVE_HI (v[i], v[i + VEC / 2]);
        }
      for (int i = 0; i < VEC; i++)
        v[i] = t[i];
    }
}

/* One work-item copies VEC rows of one panel. Dimension 0 = block of VEC rows, dimension 1 = panel. */
__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
gemm_pack (__global const float *restrict in1, __global float *restrict panels, int M, int N, int K, int splits, GEMM_SHAPE)
{
  int first_k = get_group_id (0) * VEC;
  int first_n = get_group_id (1) * PANEL;
  int n_k = min (VEC, K - first_k);
  __global float *to = panels + ((int) get_group_id (1) * K + first_k) * PANEL;

  if (b_n == 1 && first_n + PANEL <= N)
    for (int k = 0; k < n_k; k++)
      {
        __global const float *from = in1 + (first_k + k) * b_k + first_n;
        STOREV (LOADV (from), to + k * PANEL);
        STOREV (LOADV (from + VEC), to + k * PANEL + VEC);
      }
  else if (b_k == 1 && first_n + PANEL <= N && n_k == VEC)
    for (int part = 0; part < PANEL; part += VEC)
      {
        floatv v[VEC];
        for (int j = 0; j < VEC; j++)
          v[j] = LOADV (in1 + (first_n + part + j) * b_n + first_k);
        transpose (v);
        for (int k = 0; k < VEC; k++)
          STOREV (v[k], to + k * PANEL + part);
      }
  else
    for (int k = 0; k < n_k; k++)
      for (int j = 0; j < PANEL; j++)
        to[k * PANEL + j] = first_n + j < N ? B (first_k + k, first_n + j) : 0.0f;
}

#define ROWS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7)

/* Rows below C's last are computed from its last, and not stored. */
#define ROW_INIT(r)                                                           \
  __global const float *a##r = in0 + min (first_m + r, M - 1) * a_m;          \
  floatv total##r##0 = 0.0f, total##r##1 = 0.0f;

#define ROW_BLOCK_BEGIN(r) floatv c##r##0 = 0.0f, c##r##1 = 0.0f;
#define ROW_BLOCK_END(r)                                                      \
  total##r##0 += c##r##0;                                                     \
  total##r##1 += c##r##1;

#define ROW_MULTIPLY_ACCUMULATE(r)                                            \
  {                                                                           \
    floatv a = a##r[k * a_k];                                                 \
    c##r##0 += a * b0;                                                        \
    c##r##1 += a * b1;                                                        \
  }

#define STORE_VECTOR(m, n, v)                                                 \
  {                                                                           \
    EPILOGUE (floatv, v, LOADV (other + (n)), LOADV (other + (m) * N + (n)))  \
    UPDATE (floatv, LOADV, STOREV, v, (m) * N + (n))                          \
    STOREV (v, out + (m) * N + (n));                                          \
  }

#define STORE_LANES(m, n, v)                                                  \
  {                                                                           \
    float lanes[VEC];                                                         \
    STOREV (v, lanes);                                                        \
    for (int j = 0; j < VEC && (n) + j < N; j++)                              \
      {                                                                       \
        float lane = lanes[j];                                                \
        int at = (m) * N + (n) + j;                                           \
        EPILOGUE (float, lane, other[(n) + j], other[at])                     \
        UPDATE (float, LOAD_ONE, STORE_ONE, lane, at)                         \
        out[at] = lane;                                                       \
      }                                                                       \
  }

#define ROW_STORE(r)                                                          \
  if (first_m + r < M)                                                        \
    {                                                                         \
      if (first_n + PANEL <= N)                                               \
        {                                                                     \
          STORE_VECTOR (first_m + r, first_n, total##r##0)                        \
          STORE_VECTOR (first_m + r, first_n + VEC, total##r##1)                  \
        }                                                                     \
      else                                                                    \
        {                                                                     \
          STORE_LANES (first_m + r, first_n, total##r##0)                         \
          STORE_LANES (first_m + r, first_n + VEC, total##r##1)                   \
        }                                                                     \
    }

#if LS_WALK
#define WALK_ROW(r) ls_walk_values (walk, 0, k, 8)[r] = a##r[k * a_k];
#define LS_WALK_FACTORS                                                       \
  if (LS_WALK_KEEPS (k))                                                      \
    {                                                                         \
      ROWS (WALK_ROW)                                                         \
      STOREV (b0, ls_walk_values (walk, 1, k, PANEL));                        \
      STOREV (b1, ls_walk_values (walk, 1, k, PANEL) + VEC);                  \
    }
#else
#define LS_WALK_FACTORS
#endif

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
gemm_packed (__global const float *restrict in0, __global const float *restrict panels, __global float *restrict out,
             __global const float *restrict other, int M, int N, int K, int splits,
             GEMM_SHAPE UPDATE_ARG LS_PROBE_ARG LS_WALK_ARG)
{
  int first_m = get_group_id (0) * 8;
  int first_n = get_group_id (1) * PANEL;
  __global const float *panel = panels + (int) get_group_id (1) * K * PANEL;

  LS_PROBE_BEGIN
  LS_WALK_BEGIN
  LS_WALK_REST (M, K)
  ROWS (ROW_INIT)

  for (int block = 0; block < K; block += SUM_BLOCK)
    {
      ROWS (ROW_BLOCK_BEGIN)
      for (int k = block; k < min (block + SUM_BLOCK, K); k++)
        {
          LS_WALK_ROUND (k)
          // phase: load
          floatv b0 = LOADV (panel + k * PANEL);
          floatv b1 = LOADV (panel + k * PANEL + VEC);
          LS_WALK_FACTORS
          // phase: multiply-accumulate
          ROWS (ROW_MULTIPLY_ACCUMULATE)
        }
      ROWS (ROW_BLOCK_END)
    }

  LS_WALK_LOOP_OVER
  // phase: store
  ROWS (ROW_STORE)
  LS_WALK_END
  LS_PROBE_END (1)
}
