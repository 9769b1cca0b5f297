/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rung 4, packed vectors: the kernel of CPUs. One work-item per group, which computes GROUP_ROWS rows × 2 vectors of C, 8
 * rows at a time in 16 vector registers. To be fast it must read B as one stream that stays in the nearest cache, so it
 * first copies 256 rows of its columns of B, a panel, into local memory, and then takes all of its rows through it:
 *
 *        B, N columns                    the group's panel, in local memory
 *      ┌────┬────┬────┬──┐               ┌────┐
 *      │    │    │    │  │               │0123│   memory order: row after row, so that consecutive k
 *    K │ 0  │ 1  │ 2  │ 3│   256 rows    │4567│   are consecutive vectors. Beyond B's last column
 *      │    │    │    │  │   ────────►   │ …  │   it is filled up with zeros.
 *      └────┴────┴────┴──┘               └────┘
 *
 *   per k:   c[r][0] += A(r, k) · panel[k][0],  c[r][1] += A(r, k) · panel[k][1]    for the 8 rows r
 *            = 2 vector loads, 8 scalars sent to all lanes, 16 fused multiply-adds
 *
 * The rows' sums so far wait in local memory, too. What a panel costs to copy is shared by the group's rows; with a pass of its
 * own that copied all of B first, to global memory, the product took half as long again (PoCL, 128×784×256 A·Bᵀ).
 *
 *   VEC              see vector.clh
 *   GROUP_ROWS       of C per group, a multiple of 8; 1 where C has but one. Default 8.
 *   JOIN_BIAS_GRAD   1: of dW = dYᵀ·X, the groups of the first columns also add up their rows of dYᵀ, which is what the bias's
 *                    gradient is, in sum.cl's order. Default 0.
 *
 * Sources: the 8 × 2 shape fills the 32 vector registers of AVX-512 half; 16 × 2 spills them, 8 × 1 and 4 × 4 wait
 * for loads (measured). Goto, van de Geijn, "Anatomy of high-performance matrix multiplication", TOMS 2008, on panels.
 */
#define PANEL (2 * VEC)
#define SUM_BLOCK 256 /* as in gemm.clh, which this rung needs nothing else of */
#ifndef GROUP_ROWS
#define GROUP_ROWS 8
#endif
#define AHEAD 16 /* in k, that A is fetched: where it is transposed, each k is in another cache line */
#define ONE_ROW (GROUP_ROWS == 1 && !LS_WALK)

/* The first n floats, n > 0, as a vector that zeros fill up. */
floatv
load_up_to (__global const float *from, int n)
{
  return n >= VEC ? LOADV (from) : load_lanes (from, n);
}

#if ONE_ROW
/* ---- one row by B ---- */

/* C is one row, a product with a vector: nothing of B is used twice, so a copy of it would be most of the work. Columns that lie
 * along memory are turned in registers, four numbers of eight of them at a time:
 *
 *   columns 0 … 3 and 4 … 7, k … k+3         pairs of them             and then, for each k, all eight
 *   v0 = 0.k 0.k+1 0.k+2 0.k+3 4.k …    low  = 0.k 1.k 0.k+1 1.k+1 …   0.k   1.k   2.k   3.k   4.k …
 *   v1 = 1.k 1.k+1 …                    high = 0.k+2 1.k+2 …           0.k+1 1.k+1 …
 */
#define EIGHTS (PANEL / 8)

#define EVEN_PAIRS(a, b)  ((float8) (a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5))
#define ODD_PAIRS(a, b)   ((float8) (a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7))
#define FIRST_OF(a, b)    ((float8) (a.s0, a.s1, b.s0, b.s1, a.s4, a.s5, b.s4, b.s5))
#define SECOND_OF(a, b)   ((float8) (a.s2, a.s3, b.s2, b.s3, a.s6, a.s7, b.s6, b.s7))
#define TWO_COLUMNS(j)    ((float8) (LOAD4 (b + MIN (j, last) * b_n), LOAD4 (b + MIN (j + 4, last) * b_n)))

/* sum + four products of each of eight columns, of which the ones beyond the last are it once more. */
float8
add_four (float8 sum, __global const float *a, int a_k, __global const float *b, int b_n, int last)
{
  float8 v0 = TWO_COLUMNS (0), v1 = TWO_COLUMNS (1), v2 = TWO_COLUMNS (2), v3 = TWO_COLUMNS (3);
  float8 low = EVEN_PAIRS (v0, v1), low2 = EVEN_PAIRS (v2, v3);
  float8 high = ODD_PAIRS (v0, v1), high2 = ODD_PAIRS (v2, v3);

  sum += a[0] * FIRST_OF (low, low2);
  sum += a[a_k] * SECOND_OF (low, low2);
  sum += a[2 * a_k] * FIRST_OF (high, high2);
  sum += a[3 * a_k] * SECOND_OF (high, high2);
  return sum;
}

float8
add_one (float8 sum, float a, __global const float *b, int b_n, int last)
{
  return sum
         + a
             * (float8) (b[0], b[MIN (1, last) * b_n], b[MIN (2, last) * b_n], b[MIN (3, last) * b_n],
                         b[MIN (4, last) * b_n], b[MIN (5, last) * b_n], b[MIN (6, last) * b_n],
                         b[MIN (7, last) * b_n]);
}

/* What stands at `to`, if there is something before, and n_k products of n_n columns more. */
void
row_by_columns (__global const float *a, int a_k, __global const float *b, int b_n, int n_k, int n_n, int before,
                __local float *to)
{
  int k = 0;
  float8 sum[EIGHTS];

  for (int s = 0; s < EIGHTS; s++)
    sum[s] = 0.0f;
  /* all at a time: each waits for its own last addition */
  if (n_n == PANEL)
    for (; k + 4 <= n_k; k += 4)
      {
#pragma unroll
        for (int s = 0; s < EIGHTS; s++)
          sum[s] = add_four (sum[s], a + k * a_k, a_k, b + 8 * s * b_n + k, b_n, 7);
      }
  for (int s = 0; 8 * s < n_n; s++)
    {
      int last = MIN (7, n_n - 8 * s - 1), i = k;
      float8 v = sum[s];
      for (; i + 4 <= n_k; i += 4)
        v = add_four (v, a + i * a_k, a_k, b + 8 * s * b_n + i, b_n, last);
      for (; i < n_k; i++)
        v = add_one (v, a[i * a_k], b + 8 * s * b_n + i, b_n, last);
      STORE8 (before ? LOAD8 (to + 8 * s) + v : v, to + 8 * s);
    }
}

/* The same where it is B's rows that lie along memory. */
void
row_by_rows (__global const float *a, int a_k, __global const float *b, int b_k, int n_k, int n_n, int before,
             __local float *to)
{
  floatv low = 0.0f, high = 0.0f;

  if (n_n == PANEL)
    for (int k = 0; k < n_k; k++)
      {
        low += a[k * a_k] * LOADV (b + k * b_k);
        high += a[k * a_k] * LOADV (b + k * b_k + VEC);
      }
  else
    for (int k = 0; k < n_k; k++)
      {
        low += a[k * a_k] * load_up_to (b + k * b_k, n_n);
        high += a[k * a_k] * (n_n > VEC ? load_up_to (b + k * b_k + VEC, n_n - VEC) : (floatv) (0.0f));
      }
  STOREV (before ? LOADV (to) + low : low, to);
  STOREV (before ? LOADV (to + VEC) + high : high, to + VEC);
}

#else
/* ---- the panel ---- */

/* Two vectors' lanes in turn, a0 b0 a1 b1 …: of their first halves, of their second halves. EACH and EACH_HALF write a
 * line for each lane, and for half of them: loops over an array of vectors would keep it in memory. */
#if VEC == 16
#define EACH_HALF(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7)
#define EACH(DO) EACH_HALF (DO) DO (8) DO (9) DO (10) DO (11) DO (12) DO (13) DO (14) DO (15)
#define INTERLEAVE_LO(a, b)                                                                                           \
  ((float16) (a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7))
#define INTERLEAVE_HI(a, b)                                                                                           \
  ((float16) (a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf))
#elif VEC == 8
#define EACH_HALF(DO) DO (0) DO (1) DO (2) DO (3)
#define EACH(DO) EACH_HALF (DO) DO (4) DO (5) DO (6) DO (7)
#define INTERLEAVE_LO(a, b) ((float8) (a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3))
#define INTERLEAVE_HI(a, b) ((float8) (a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7))
#else
#define EACH_HALF(DO) DO (0) DO (1)
#define EACH(DO) EACH_HALF (DO) DO (2) DO (3)
#define INTERLEAVE_LO(a, b) ((float4) (a.s0, b.s0, a.s1, b.s1))
#define INTERLEAVE_HI(a, b) ((float4) (a.s2, b.s2, a.s3, b.s3))
#endif

#define LOAD_ROW(i)  v[i] = LOADV (from + i * stride);
#define SHUFFLE(i)   t[2 * i] = INTERLEAVE_LO (v[i], v[i + VEC / 2]), t[2 * i + 1] = INTERLEAVE_HI (v[i], v[i + VEC / 2]);
#define RESHUFFLE(i) v[2 * i] = INTERLEAVE_LO (t[i], t[i + VEC / 2]), v[2 * i + 1] = INTERLEAVE_HI (t[i], t[i + VEC / 2]);
#define STORE_ROW(i) STOREV (v[i], to + i * PANEL);
#define STORE_ODD(i) STOREV (t[i], to + i * PANEL);

/* Transposes a VEC×VEC block: after as many perfect shuffles of the rows as VEC has bits, row i holds column i. */
void
pack_transposed (__global const float *from, int stride, __local float *to)
{
  floatv v[VEC], t[VEC];

  EACH (LOAD_ROW)
  EACH_HALF (SHUFFLE)
  EACH_HALF (RESHUFFLE)
#if VEC == 4
  EACH (STORE_ROW)
#else
  EACH_HALF (SHUFFLE)
#if VEC == 8
  EACH (STORE_ODD)
#else
  EACH_HALF (RESHUFFLE)
  EACH (STORE_ROW)
#endif
#endif
}

/* n_n columns of B, n_k rows of them, whose rows lie one after the other in memory. */
void
pack_rows (__global const float *from, int b_k, int n_k, int n_n, __local float *panel)
{
  for (int k = 0; k < n_k; k++)
    {
      STOREV (load_up_to (from + k * b_k, n_n), panel + k * PANEL);
      STOREV (n_n > VEC ? load_up_to (from + k * b_k + VEC, n_n - VEC) : (floatv) (0.0f), panel + k * PANEL + VEC);
    }
}

/* One vector's columns of a B whose columns lie one after the other: half of the panel. n_n: how many of them there are. */
void
pack_columns (__global const float *from, int b_n, int n_k, int n_n, __local float *half_panel)
{
  int k = 0;

  if (n_n >= VEC)
    for (; k + VEC <= n_k; k += VEC)
      pack_transposed (from + k, b_n, half_panel + k * PANEL);
  for (int rest = k; rest < n_k; rest++)
    STOREV ((floatv) (0.0f), half_panel + rest * PANEL);
  for (int n = 0; n < MIN (n_n, VEC); n++)
    for (int rest = k; rest < n_k; rest++)
      half_panel[rest * PANEL + n] = from[n * b_n + rest];
}

/* ---- the product ---- */

#define ROWS(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7)

/* Rows below C's last are computed from its last, and not stored. */
#define ROW_BEGIN(r)                                                          \
  __global const float *a##r = in0 + MIN (m + r, M - 1) * a_m;                \
  floatv c##r##0 = 0.0f, c##r##1 = 0.0f;

#define ROW_MULTIPLY_ACCUMULATE(r)                                            \
  {                                                                           \
    floatv a = a##r[k * a_k];                                                 \
    c##r##0 += a * b0;                                                        \
    c##r##1 += a * b1;                                                        \
  }

/* Where C's columns end within the first vector. */
#define ROW_MULTIPLY_ACCUMULATE_HALF(r) c##r##0 += (floatv) (a##r[k * a_k]) * b0;

/* What the blocks before this one added up to waits in local memory. */
#define ROW_ADD(r)                                                            \
  c##r##0 = LOADV (waiting + r * PANEL) + c##r##0;                            \
  c##r##1 = LOADV (waiting + r * PANEL + VEC) + c##r##1;

#define ROW_WAIT(r)                                                           \
  STOREV (c##r##0, waiting + r * PANEL);                                      \
  STOREV (c##r##1, waiting + r * PANEL + VEC);

#endif

/* v, one or VEC elements of C from element (m, n) on, of type T, goes to memory. */
#define FINISH(T, LOAD, STORE, v, m, n)                                       \
  {                                                                           \
    EPILOGUE (T, v, LOAD (other + (n)), LOAD (other + (m) * N + (n)))         \
    UPDATE (T, LOAD, STORE, v, (m) * N + (n))                                 \
    STORE (v, out + (m) * N + (n));                                           \
  }

/* C's rows lie in short pieces, far apart, and so do the velocities that an update will need: they are on their way while the sums
 * are made. */
#if EPILOGUE_SGD
#define ROW_FETCH(r)                                                          \
  FETCH (out + MIN (m + r, M - 1) * N + first_n);                             \
  FETCH (out + MIN (m + r, M - 1) * N + first_n + VEC);                       \
  FETCH (velocity + MIN (m + r, M - 1) * N + first_n);                        \
  FETCH (velocity + MIN (m + r, M - 1) * N + first_n + VEC);
#else
#define ROW_FETCH(r)                                                          \
  FETCH_TO_WRITE (out + MIN (m + r, M - 1) * N + first_n);                    \
  FETCH_TO_WRITE (out + MIN (m + r, M - 1) * N + first_n + VEC);
#endif

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

/* ---- the bias's gradient ---- */

#ifndef JOIN_BIAS_GRAD
#define JOIN_BIAS_GRAD 0
#endif
#if JOIN_BIAS_GRAD && EPILOGUE_SGD
#define BIAS_GRAD_ARG , __global float *restrict bias, __global float *restrict bias_velocity
#elif JOIN_BIAS_GRAD
#define BIAS_GRAD_ARG , __global float *restrict bias
#else
#define BIAS_GRAD_ARG
#endif

/* A's rows from m on, one or VEC of them side by side in memory. */
#define ADD_ROWS_UP(T, LOAD, STORE, m)                                        \
  {                                                                           \
    T sum = 0.0f;                                                             \
    for (int k = 0; k < K; k++)                                               \
      sum += LOAD (in0 + k * a_k + (m));                                      \
    UPDATE_OF (bias, bias_velocity, T, LOAD, STORE, sum, m)                   \
    STORE (sum, bias + (m));                                                  \
  }

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
gemm_packed (__global const float *restrict in0, __global const float *restrict in1, __global float *restrict out,
             __global const float *restrict other, int M, int N, int K, int splits,
             GEMM_SHAPE UPDATE_ARG BIAS_GRAD_ARG LS_PROBE_ARG LS_WALK_ARG)
{
#if !ONE_ROW
  __local float panel[SUM_BLOCK * PANEL];
#endif
  __local float sums[GROUP_ROWS * PANEL];
  int first_m = get_group_id (0) * GROUP_ROWS;
  int first_n = get_group_id (1) * PANEL;
  int n_n = MIN (PANEL, N - first_n);
#if !ONE_ROW
  int one = LS_WALK ? 0 : n_n <= VEC; /* a walk shows two vectors */
#endif

  LS_PROBE_BEGIN
  LS_WALK_BEGIN
  LS_WALK_REST (M, K)

  for (int block = 0; block < K; block += SUM_BLOCK)
    {
      int n_k = MIN (SUM_BLOCK, K - block);
      __global const float *b = in1 + block * b_k + first_n * b_n;

      LS_WALK_ROUND (block)
#if !ONE_ROW
      if (b_n == 1)
        pack_rows (b, b_k, n_k, n_n, panel);
      else
        for (int part = 0; part < PANEL; part += VEC)
          pack_columns (b + part * b_n, b_n, n_k, n_n - part, panel + part);
#endif
      for (int m = first_m; m < MIN (first_m + GROUP_ROWS, M); m += 8)
        {
          __local float *waiting = sums + (m - first_m) * PANEL;
#if ONE_ROW
          if (b_n == 1)
            row_by_rows (in0 + block * a_k, a_k, b, b_k, n_k, n_n, block > 0, waiting);
          else
            row_by_columns (in0 + block * a_k, a_k, b, b_n, n_k, n_n, block > 0, waiting);
#else
          ROWS (ROW_BEGIN)
          ROWS (ROW_FETCH)
          for (int k = block; one && k < block + n_k; k++)
            {
              floatv b0 = LOADV (panel + (k - block) * PANEL);
              ROWS (ROW_MULTIPLY_ACCUMULATE_HALF)
            }
          for (int k = block; !one && k < block + n_k; k++)
            {
              LS_WALK_ROUND (k)
              // phase: load
              floatv b0 = LOADV (panel + (k - block) * PANEL);
              floatv b1 = LOADV (panel + (k - block) * PANEL + VEC);
              LS_WALK_FACTORS
              FETCH (a0 + (k + AHEAD) * a_k);
              // phase: multiply-accumulate
              ROWS (ROW_MULTIPLY_ACCUMULATE)
            }
          if (block > 0)
            {
              ROWS (ROW_ADD)
            }
          ROWS (ROW_WAIT)
#endif
          if (block + n_k < K)
            continue;
          LS_WALK_LOOP_OVER
          // phase: store
          for (int r = 0; r < MIN (8, M - m); r++)
            if (n_n == PANEL)
              for (int part = 0; part < PANEL; part += VEC)
                {
                  floatv v = LOADV (waiting + r * PANEL + part);
                  FINISH (floatv, LOADV, STOREV, v, m + r, first_n + part)
                }
            else
              for (int j = 0; j < n_n; j++)
                {
                  float v = waiting[r * PANEL + j];
                  FINISH (float, LOAD_ONE, STORE_ONE, v, m + r, first_n + j)
                }
        }
    }
#if JOIN_BIAS_GRAD
  if (first_n == 0)
    {
      int m = first_m, end = MIN (first_m + GROUP_ROWS, M);
      for (; m + VEC <= end; m += VEC)
        ADD_ROWS_UP (floatv, LOADV, STOREV, m)
      for (; m < end; m++)
        ADD_ROWS_UP (float, LOAD_ONE, STORE_ONE, m)
    }
#endif
  LS_WALK_END
  LS_PROBE_END (1)
}
