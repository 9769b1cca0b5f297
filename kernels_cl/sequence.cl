/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sequence: X [batch, channels, height, width] as steps, S [steps · batch, channels · across], or back (BACK = 1). A step is
 * a row of each channel's plane, of across = width values, or (by_columns) a column of height values.
 *
 *   naive    one work-item per element of the output, counted as a matrix of rows × cols
 *   packed   one work-item per group walks along tile_rows rows of the output
 *
 * BACK   default 0
 */
#ifndef BACK
#define BACK 0
#endif

/* The place in X of value f of step t of sample b. */
int
place_in_planes (int t, int b, int f, int channels, int height, int width, int by_columns)
{
  int across = by_columns ? height : width;
  int c = f / across;
  int i = f - c * across;

  return ((b * channels + c) * height + (by_columns ? i : t)) * width + (by_columns ? t : i);
}

/* Element (row, col) of the output. */
void
move_element (__global const float *restrict in, __global float *restrict out, int row, int col, int cols, int batch,
              int channels, int height, int width, int by_columns)
{
#if BACK
  int c = col / (height * width);
  int h = col / width % height;
  int w = col % width;
  int t = by_columns ? w : h;
  int f = by_columns ? c * height + h : c * width + w;
  int values = channels * (by_columns ? height : width);

  out[row * cols + col] = in[(t * batch + row) * values + f];
#else
  int t = row / batch;

  out[row * cols + col] = in[place_in_planes (t, row - t * batch, col, channels, height, width, by_columns)];
#endif
}

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
sequence_naive (__global const float *restrict in, __global float *restrict out, int rows, int cols, int batch,
                int channels, int height, int width, int by_columns LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    move_element (in, out, row, col, cols, batch, channels, height, width, by_columns);
  LS_PROBE_END (256)
}

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
sequence_packed (__global const float *restrict in, __global float *restrict out, int rows, int cols, int batch,
                 int channels, int height, int width, int by_columns, int tile_rows LS_PROBE_ARG)
{
  int first = get_group_id (1) * tile_rows;
  int end = first + tile_rows < rows ? first + tile_rows : rows;

  LS_PROBE_BEGIN
  for (int row = first; row < end; row++)
    {
#if !BACK
      /* the usual case, copied row by row */
      if (channels == 1 && !by_columns)
        {
          int t = row / batch;
          __global const float *from = in + ((row - t * batch) * height + t) * width;
          int col = 0;
          for (; col + VEC <= cols; col += VEC)
            STOREV (LOADV (from + col), out + row * cols + col);
          for (; col < cols; col++)
            out[row * cols + col] = from[col];
          continue;
        }
#endif
      for (int col = 0; col < cols; col++)
        move_element (in, out, row, col, cols, batch, channels, height, width, by_columns);
    }
  LS_PROBE_END (1)
}
