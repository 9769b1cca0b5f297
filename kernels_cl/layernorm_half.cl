/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * layernorm.cl's rungs for tensors stored in 16 bits. Naive: of rows a group of 16 × 4 work-items, a row for each 16; of columns
 * one per work-item. Packed: one work-item walks along tile_rows rows, 16 elements at a time. γ, β, means, scales and sums are
 * floats. Put behind layernorm.cl, whose sums and constants it takes.
 */

/* Elements of a row that this work-item has, i of `at`; of no row none. */
#define EACH_OF_ROW for (int i = get_local_id (0), at = row * n + i; i < (row < rows ? n : 0); i += SUMS, at += SUMS)

__kernel __attribute__ ((reqd_work_group_size (16, 4, 1))) void
layernorm_half_naive (ROW_ARGUMENTS LS_PROBE_ARG)
{
  __local float sums[4][SUMS];
  int row = get_global_id (1);
  float own = 0.0f, squares = 0.0f;

  LS_PROBE_BEGIN
  EACH_OF_ROW
    own += load_16 (x, at);
  float mean = sum_items (own, sums[get_local_id (1)]) / (float) n;
  EACH_OF_ROW
    {
      float d = load_16 (x, at) - mean;
      squares += d * d;
    }
  float variance = sum_items (squares, sums[get_local_id (1)]) / (float) n;
  float scale = 1.0f / sqrt (variance + EPSILON);
  EACH_OF_ROW
    store_16 ((load_16 (x, at) - mean) * scale * gamma[i] + beta[i], y, at);
  if (row < rows && get_local_id (0) == 0)
    {
      means[row] = mean;
      scales[row] = scale;
    }
  LS_PROBE_END (64)
}

__kernel __attribute__ ((reqd_work_group_size (16, 4, 1))) void
layernorm_grad_half_naive (ROW_GRAD_ARGUMENTS LS_PROBE_ARG)
{
  __local float sums[4][SUMS];
  int row = get_global_id (1);
  float mean = row < rows ? means[row] : 0.0f, scale = row < rows ? scales[row] : 0.0f;
  float own = 0.0f, own_along = 0.0f;

  LS_PROBE_BEGIN
  EACH_OF_ROW
    {
      float g = load_16 (dy, at) * gamma[i];
      own += g;
      own_along += g * ((load_16 (x, at) - mean) * scale);
    }
  float sum = sum_items (own, sums[get_local_id (1)]) / (float) n;
  float along = sum_items (own_along, sums[get_local_id (1)]) / (float) n;
  EACH_OF_ROW
    store_16 ((load_16 (dy, at) * gamma[i] - sum - (load_16 (x, at) - mean) * scale * along) * scale, dx, at);
  LS_PROBE_END (64)
}

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
layernorm_dw_half_naive (COLUMN_ARGUMENTS LS_PROBE_ARG)
{
  int i = get_global_id (0);
  float along = 0.0f, sum = 0.0f;

  LS_PROBE_BEGIN
  if (i < n)
    {
      for (int row = 0; row < rows; row++)
        {
          float delta = load_16 (dy, row * n + i);
          along += delta * ((load_16 (x, row * n + i) - means[row]) * scales[row]);
          sum += delta;
        }
      dgamma[i] = along;
      dbeta[i] = sum;
    }
  LS_PROBE_END (64)
}

/* ---- packed ---- */

/* 16 elements, of which there are `left`; of the others `otherwise`. */
float16
load_row (__global const float *p, int at, int left, float otherwise)
{
  float some[SUMS];

  if (left >= SUMS)
    for (int j = 0; j < SUMS; j++)
      some[j] = load_16 (p, at + j);
  else
    for (int j = 0; j < SUMS; j++)
      some[j] = j < left ? load_16 (p, at + j) : otherwise;
  return LOAD16 (some);
}

void
store_row (float16 v, __global float *p, int at, int left)
{
  float some[SUMS];

  STORE16 (v, some);
  if (left >= SUMS)
    for (int j = 0; j < SUMS; j++)
      store_16 (some[j], p, at + j);
  else
    for (int j = 0; j < left; j++)
      store_16 (some[j], p, at + j);
}

/* Of γ or β. */
float16
load_column (__global const float *from, int left)
{
  return left >= SUMS ? LOAD16 (from) : load_some (from, left, 0.0f);
}

#define EACH_PIECE for (int i = 0, at = row * n, left = n; i < n; i += SUMS, at += SUMS, left -= SUMS)

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
layernorm_half_packed (ROW_ARGUMENTS, int tile_rows LS_PROBE_ARG)
{
  int first = get_group_id (1) * tile_rows;
  int end = first + MIN (tile_rows, rows - first);

  LS_PROBE_BEGIN
  for (int row = first; row < end; row++)
    {
      float16 sums = 0.0f, squares = 0.0f;

      EACH_PIECE
        sums += load_row (x, at, left, 0.0f);
      float mean = sum_halves (sums) / (float) n;
      EACH_PIECE
        {
          float16 d = load_row (x, at, left, mean) - mean;
          squares += d * d;
        }
      float variance = sum_halves (squares) / (float) n;
      float scale = 1.0f / sqrt (variance + EPSILON);
      EACH_PIECE
        store_row ((load_row (x, at, left, mean) - mean) * scale * load_column (gamma + i, left) + load_column (beta + i, left), y,
                   at, left);
      means[row] = mean;
      scales[row] = scale;
    }
  LS_PROBE_END (1)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
layernorm_grad_half_packed (ROW_GRAD_ARGUMENTS, int tile_rows LS_PROBE_ARG)
{
  int first = get_group_id (1) * tile_rows;
  int end = first + MIN (tile_rows, rows - first);

  LS_PROBE_BEGIN
  for (int row = first; row < end; row++)
    {
      float mean = means[row], scale = scales[row];
      float16 sums = 0.0f, alongs = 0.0f;

      EACH_PIECE
        {
          float16 g = load_row (dy, at, left, 0.0f) * load_column (gamma + i, left);
          sums += g;
          alongs += g * ((load_row (x, at, left, mean) - mean) * scale);
        }
      float sum = sum_halves (sums) / (float) n;
      float along = sum_halves (alongs) / (float) n;
      EACH_PIECE
        {
          float16 g = load_row (dy, at, left, 0.0f), centred = load_row (x, at, left, mean) - mean;
          store_row ((g * load_column (gamma + i, left) - sum - centred * scale * along) * scale, dx, at, left);
        }
    }
  LS_PROBE_END (1)
}
