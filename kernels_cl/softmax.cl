/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softmax with cross-entropy, and its gradient.
 *
 *   P = e^(Y − max) / Σ e^(Y − max),  loss = log Σ e^(Y − max) + max − Y[label];  dY = (P − onehot (label)) / rows
 *
 * Subtracting the row's maximum changes neither, but keeps e^ from overflowing. e^x is functions.clh's.
 *
 *   naive    one work-item per row, that is per sample; of the gradient, per element
 *   packed   one work-item per group takes `tile_rows` rows, VEC of them at a time, a row in each lane: classes are few, and
 *            each row's sum has to be added in order
 *
 *   JOIN_MEAN, JOIN_GRAD   1: packed softmax_xent does the losses' mean and the gradient as well, each as the kernel that does
 *                          it alone; JOIN_MEAN only where one group has all rows. Default 0.
 */

void
softmax_row (__global const float *y, int label, __global float *p, __global float *loss, int cols)
{
  float largest = y[0];
  float sum = 0.0f;

  for (int j = 1; j < cols; j++)
    largest = y[j] > largest ? y[j] : largest;
  for (int j = 0; j < cols; j++)
    {
      float e = exp_float (y[j] - largest);
      p[j] = e;
      sum += e;
    }
  for (int j = 0; j < cols; j++)
    p[j] /= sum;
  *loss = log_float (sum) + (largest - y[label]);
}

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
softmax_xent_naive (__global const float *restrict logits, __global const int *restrict labels,
                    __global float *restrict probs, __global float *restrict losses, int rows, int cols LS_PROBE_ARG)
{
  int row = get_global_id (0);

  LS_PROBE_BEGIN
  if (row < rows)
    softmax_row (logits + row * cols, labels[row], probs + row * cols, losses + row, cols);
  LS_PROBE_END (64)
}

#define MOST_COLS 256 /* that VEC rows at a time are made room for; of more, rows are taken one by one */

/* Of VEC rows column after column in local memory, so that a vector holds an element of each. */
void
softmax_rows (__global const float *y, __global const int *labels, __global float *p, __global float *losses, int cols,
              __local float *tile)
{
  float logs[VEC], most[VEC];

  for (int i = 0; i < VEC; i++)
    for (int j = 0; j < cols; j++)
      tile[j * VEC + i] = y[i * cols + j];

  floatv largest = LOADV (tile), sum = 0.0f;
  for (int j = 1; j < cols; j++)
    {
      floatv v = LOADV (tile + j * VEC);
      largest = v > largest ? v : largest;
    }
  for (int j = 0; j < cols; j++)
    {
      floatv e = LS_JOIN (exp_, floatv) (LOADV (tile + j * VEC) - largest);
      STOREV (e, tile + j * VEC);
      sum += e;
    }
  for (int j = 0; j < cols; j++)
    STOREV (LOADV (tile + j * VEC) / sum, tile + j * VEC);

  STOREV (LS_JOIN (log_, floatv) (sum), logs);
  STOREV (largest, most);
  for (int i = 0; i < VEC; i++)
    {
      for (int j = 0; j < cols; j++)
        p[i * cols + j] = tile[j * VEC + i];
      losses[i] = logs[i] + (most[i] - y[i * cols + labels[i]]);
    }
}

/* The whole tile of dY lies in one piece: P / rows for all of it, and then the labels'. */
void
gradient_rows (__global const float *probs, __global const int *labels, __global float *dy, int first, int last, int rows, int cols)
{
  int i = first * cols;

  for (; i + VEC <= last * cols; i += VEC)
    STOREV (LOADV (probs + i) / (float) rows, dy + i);
  for (; i < last * cols; i++)
    dy[i] = probs[i] / (float) rows;
  for (int row = first; row < last; row++)
    dy[row * cols + labels[row]] = (probs[row * cols + labels[row]] - 1.0f) / (float) rows;
}

#ifndef JOIN_MEAN
#define JOIN_MEAN 0
#endif
#ifndef JOIN_GRAD
#define JOIN_GRAD 0
#endif
#if JOIN_MEAN /* `kept` has a place for each step's loss */
#define MEAN_ARG , __global float *restrict loss, __global float *restrict kept, int slot
#else
#define MEAN_ARG
#endif
#if JOIN_GRAD
#define GRAD_ARG , __global float *restrict dy
#else
#define GRAD_ARG
#endif

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
softmax_xent_packed (__global const float *restrict logits, __global const int *restrict labels,
                     __global float *restrict probs, __global float *restrict losses, int rows, int cols,
                     int tile_rows MEAN_ARG GRAD_ARG LS_PROBE_ARG)
{
  __local float tile[MOST_COLS * VEC];
  int first = get_group_id (1) * tile_rows, row = first;
  int end = MIN (row + tile_rows, rows);

  LS_PROBE_BEGIN
  for (; cols <= MOST_COLS && row + VEC <= end; row += VEC)
    softmax_rows (logits + row * cols, labels + row, probs + row * cols, losses + row, cols, tile);
  for (; row < end; row++)
    softmax_row (logits + row * cols, labels[row], probs + row * cols, losses + row, cols);
#if JOIN_MEAN
  float sum = 0.0f;
  for (row = 0; row < rows; row++)
    sum += ((volatile __global const float *) losses)[row]; /* else Intel's compiler adds up in an order of its own */
  loss[0] = kept[slot] = sum / (float) rows;
#endif
#if JOIN_GRAD
  gradient_rows (probs, labels, dy, first, end, rows, cols);
#endif
  LS_PROBE_END (1)
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
softmax_xent_grad_naive (__global const float *restrict probs, __global const int *restrict labels,
                         __global float *restrict dy, int rows, int cols LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    dy[row * cols + col] = (probs[row * cols + col] - (col == labels[row] ? 1.0f : 0.0f)) / (float) rows;
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
softmax_xent_grad_packed (__global const float *restrict probs, __global const int *restrict labels,
                          __global float *restrict dy, int rows, int cols, int tile_rows LS_PROBE_ARG)
{
  int first = get_group_id (1) * tile_rows;

  LS_PROBE_BEGIN
  gradient_rows (probs, labels, dy, first, MIN (first + tile_rows, rows), rows, cols);
  LS_PROBE_END (1)
}
