/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layer normalisation of rows of n values, and its gradients:
 *
 *   layernorm        mean μ and scale s = 1/√(σ² + ε) of each row;  y = (x − μ) · s · γ + β
 *   layernorm_grad   g = dy · γ;  dx = (g − mean g − (x − μ) · s · mean (g · (x − μ) · s)) · s
 *   layernorm_dw     dγ = Σ dy · (x − μ) · s, dβ = Σ dy over all rows, one after the other
 *
 * A row is added up in 16 sums, element i in sum i modulo 16, and those by halves, whatever the device's vectors: so
 * all rungs and the CPU lane have the same bits.
 *
 *   element   0  1  2 … 15 16 17 …      sums  ● ● ● ● ● ● ● ● ● ● ● ● ● ● ● ●
 *   sum       0  1  2 … 15  0  1 …            └───┬───┴─ 8 ─┴─ 4 ─┴─ 2 ─┴─ 1
 *
 *   naive    of rows: a group of 16 × 4 work-items, a row for each 16; of columns: one per work-item
 *   packed   of rows: one work-item walks along tile_rows rows, 16 elements at a time; of columns: VEC at a time
 */
#define EPSILON 1e-5f
#define SUMS    16

#define ROW_ARGUMENTS                                                                                            \
  __global const float *restrict x, __global const float *restrict gamma, __global const float *restrict beta,   \
    __global float *restrict y, __global float *restrict means, __global float *restrict scales, int rows, int n
#define ROW_GRAD_ARGUMENTS                                                                                       \
  __global const float *restrict dy, __global const float *restrict x, __global const float *restrict gamma,     \
    __global const float *restrict means, __global const float *restrict scales, __global float *restrict dx,    \
    int rows, int n
#define COLUMN_ARGUMENTS                                                                                         \
  __global const float *restrict dy, __global const float *restrict x, __global const float *restrict means,     \
    __global const float *restrict scales, __global float *restrict dgamma, __global float *restrict dbeta,      \
    int rows, int n

/* ---- naive: 16 work-items for each row ---- */

/* Of the 16 work-items' sums, theirs; all of the group come here. */
float
sum_items (float own, __local float *sums)
{
  int j = get_local_id (0);

  sums[j] = own;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int half_sums = SUMS / 2; half_sums > 0; half_sums /= 2)
    {
      if (j < half_sums)
        sums[j] += sums[j + half_sums];
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  float sum = sums[0];
  barrier (CLK_LOCAL_MEM_FENCE);
  return sum;
}

__kernel __attribute__ ((reqd_work_group_size (16, 4, 1))) void
layernorm_naive (ROW_ARGUMENTS LS_PROBE_ARG)
{
  __local float sums[4][SUMS];
  int row = get_global_id (1), first = row * n + get_local_id (0);
  int end = row < rows ? (row + 1) * n : first; /* of no row: nothing */
  __global const float *g_row = gamma - row * n, *b_row = beta - row * n;
  float own = 0.0f, squares = 0.0f;

  LS_PROBE_BEGIN
  for (int i = first; i < end; i += SUMS)
    own += x[i];
  float mean = sum_items (own, sums[get_local_id (1)]) / (float) n;
  for (int i = first; i < end; i += SUMS)
    {
      float d = x[i] - mean;
      squares += d * d;
    }
  float variance = sum_items (squares, sums[get_local_id (1)]) / (float) n;
  float scale = 1.0f / sqrt (variance + EPSILON);
  for (int i = first; i < end; i += SUMS)
    y[i] = (x[i] - mean) * scale * g_row[i] + b_row[i];
  if (row < rows && get_local_id (0) == 0)
    {
      means[row] = mean;
      scales[row] = scale;
    }
  LS_PROBE_END (64)
}

__kernel __attribute__ ((reqd_work_group_size (16, 4, 1))) void
layernorm_grad_naive (ROW_GRAD_ARGUMENTS LS_PROBE_ARG)
{
  __local float sums[4][SUMS];
  int row = get_global_id (1), first = row * n + get_local_id (0);
  int end = row < rows ? (row + 1) * n : first;
  __global const float *g_row = gamma - row * n;
  float mean = row < rows ? means[row] : 0.0f, scale = row < rows ? scales[row] : 0.0f;
  float own = 0.0f, own_along = 0.0f;

  LS_PROBE_BEGIN
  for (int i = first; i < end; i += SUMS)
    {
      float g = dy[i] * g_row[i];
      own += g;
      own_along += g * ((x[i] - mean) * scale);
    }
  float sum = sum_items (own, sums[get_local_id (1)]) / (float) n;
  float along = sum_items (own_along, sums[get_local_id (1)]) / (float) n;
  for (int i = first; i < end; i += SUMS)
    dx[i] = (dy[i] * g_row[i] - sum - (x[i] - mean) * scale * along) * scale;
  LS_PROBE_END (64)
}

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
layernorm_dw_naive (COLUMN_ARGUMENTS LS_PROBE_ARG)
{
  int i = get_global_id (0);
  float along = 0.0f, sum = 0.0f;

  LS_PROBE_BEGIN
  if (i < n)
    {
      for (int row = 0; row < rows; row++)
        {
          along += dy[row * n + i] * ((x[row * n + i] - means[row]) * scales[row]);
          sum += dy[row * n + i];
        }
      dgamma[i] = along;
      dbeta[i] = sum;
    }
  LS_PROBE_END (64)
}

/* ---- packed ---- */

/* The first left of 16 elements, left < 16; of the others `otherwise`. */
float16
load_some (__global const float *from, int left, float otherwise)
{
  float some[SUMS];

  for (int j = 0; j < SUMS; j++)
    some[j] = j < left ? from[j] : otherwise;
  return LOAD16 (some);
}

float
sum_halves (float16 v)
{
  float8 v8 = v.lo + v.hi;
  float4 v4 = v8.lo + v8.hi;
  float2 v2 = v4.lo + v4.hi;
  return v2.x + v2.y;
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
layernorm_packed (ROW_ARGUMENTS, int tile_rows LS_PROBE_ARG)
{
  int first = get_group_id (1) * tile_rows;
  int end = first + MIN (tile_rows, rows - first);
  int whole = n - n % SUMS;

  LS_PROBE_BEGIN
  for (int row = first; row < end; row++)
    {
      __global const float *from = x + row * n;
      __global float *to = y + row * n;
      float16 sums = 0.0f, squares = 0.0f;

      for (int i = 0; i < whole; i += SUMS)
        sums += LOAD16 (from + i);
      if (whole < n)
        sums += load_some (from + whole, n - whole, 0.0f);
      float mean = sum_halves (sums) / (float) n;
      for (int i = 0; i < whole; i += SUMS)
        {
          float16 d = LOAD16 (from + i) - mean;
          squares += d * d;
        }
      if (whole < n)
        {
          float16 d = load_some (from + whole, n - whole, mean) - mean;
          squares += d * d;
        }
      float variance = sum_halves (squares) / (float) n;
      float scale = 1.0f / sqrt (variance + EPSILON);
      for (int i = 0; i < whole; i += SUMS)
        STORE16 ((LOAD16 (from + i) - mean) * scale * LOAD16 (gamma + i) + LOAD16 (beta + i), to + i);
      for (int i = whole; i < n; i++)
        to[i] = (from[i] - mean) * scale * gamma[i] + beta[i];
      means[row] = mean;
      scales[row] = scale;
    }
  LS_PROBE_END (1)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
layernorm_grad_packed (ROW_GRAD_ARGUMENTS, int tile_rows LS_PROBE_ARG)
{
  int first = get_group_id (1) * tile_rows;
  int end = first + MIN (tile_rows, rows - first);
  int whole = n - n % SUMS;

  LS_PROBE_BEGIN
  for (int row = first; row < end; row++)
    {
      __global const float *from = x + row * n, *delta = dy + row * n;
      __global float *to = dx + row * n;
      float mean = means[row], scale = scales[row];
      float16 sums = 0.0f, alongs = 0.0f;

      for (int i = 0; i < whole; i += SUMS)
        {
          float16 g = LOAD16 (delta + i) * LOAD16 (gamma + i);
          sums += g;
          alongs += g * ((LOAD16 (from + i) - mean) * scale);
        }
      if (whole < n)
        {
          float16 g = load_some (delta + whole, n - whole, 0.0f) * load_some (gamma + whole, n - whole, 0.0f);
          sums += g;
          alongs += g * ((load_some (from + whole, n - whole, mean) - mean) * scale);
        }
      float sum = sum_halves (sums) / (float) n;
      float along = sum_halves (alongs) / (float) n;
      for (int i = 0; i < whole; i += SUMS)
        STORE16 ((LOAD16 (delta + i) * LOAD16 (gamma + i) - sum - (LOAD16 (from + i) - mean) * scale * along) * scale, to + i);
      for (int i = whole; i < n; i++)
        to[i] = (delta[i] * gamma[i] - sum - (from[i] - mean) * scale * along) * scale;
    }
  LS_PROBE_END (1)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
layernorm_dw_packed (COLUMN_ARGUMENTS LS_PROBE_ARG)
{
  int first = get_group_id (0) * VEC;

  LS_PROBE_BEGIN
  if (first + VEC <= n)
    {
      floatv along = 0.0f, sum = 0.0f;
      for (int row = 0; row < rows; row++)
        {
          floatv delta = LOADV (dy + row * n + first);
          along += delta * ((LOADV (x + row * n + first) - means[row]) * scales[row]);
          sum += delta;
        }
      STOREV (along, dgamma + first);
      STOREV (sum, dbeta + first);
    }
  else
    for (int i = first; i < n; i++)
      {
        float along = 0.0f, sum = 0.0f;
        for (int row = 0; row < rows; row++)
          {
            along += dy[row * n + i] * ((x[row * n + i] - means[row]) * scales[row]);
            sum += dy[row * n + i];
          }
        dgamma[i] = along;
        dbeta[i] = sum;
      }
  LS_PROBE_END (1)
}
