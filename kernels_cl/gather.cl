/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gather: the batch, out of the data set that lies on the device: X[b] = sample[index[first + b]], labels[b] = label[index[first + b]].
 * The positions of a run's batches lie one after the other; this one's begin at `first`.
 *
 *   naive    one work-item per element: dimension 0 = element of the sample, dimension 1 = b
 *   packed   one work-item per group copies up to `tile_cols` elements of `tile_rows` samples, VEC at a time. Samples lie anywhere
 *            in the set, and to wait for memory takes longest: all their cache lines are prefetched first. Dimension 0 = piece of
 *            the samples, dimension 1 = samples. No table: 1 / 255 is split into 257 / 65536, times which a byte is exact, and the
 *            small rest; so b / 255 is rounded once, to the table's very bits for each of the 256 bytes, with fused
 *            multiplications or without (Dekker, "A floating-point technique for extending the available precision", 1971, on
 *            splitting).
 *
 *   VEC             see vector.clh
 *   LS_SAMPLE_F32   1: the samples are floats. Default 0: bytes, which become byte / 255 by a table, so that every
 *                   device gets the same bits.
 */
#ifndef LS_SAMPLE_F32
#define LS_SAMPLE_F32 0
#endif

#define LINE 64 /* bytes of a cache line */

#if LS_SAMPLE_F32
#define SAMPLE_T float
#define VALUE(s) (s)
#else
#define SAMPLE_T uchar
#define VALUE(s) byte_values[s]
#endif

__kernel __attribute__ ((reqd_work_group_size (256, 1, 1))) void
gather_naive (__global const SAMPLE_T *restrict samples, __global const int *restrict set_labels,
              __global const uint *restrict index, __global const float *restrict byte_values, __global float *restrict x,
              __global int *restrict labels, int first, int size LS_PROBE_ARG)
{
  int i = get_global_id (0);
  int b = get_global_id (1);

  LS_PROBE_BEGIN
  if (i < size)
    {
      size_t from = (size_t) index[first + b] * size + i;
      x[b * size + i] = VALUE (samples[from]);
    }
  if (i == 0)
    labels[b] = set_labels[index[first + b]];
  LS_PROBE_END (256)
}

#if LS_SAMPLE_F32
#define VALUES(p) LOADV (p)
#define VALUE_OF(s) (s)
#else
#define MOST 0.0039215087890625f      /* 257 / 65536 */
#define REST 5.983839201917363e-08f   /* 1 / 255 less that */

floatv
values_of (floatv b)
{
  return b * MOST + b * REST;
}

float
value_of (float b)
{
  return b * MOST + b * REST;
}

#define VALUES(p)   values_of (LS_JOIN (convert_float, VEC) (LOADV (p)))
#define VALUE_OF(s) value_of ((float) (s))
#endif

__kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
gather_packed (__global const SAMPLE_T *restrict samples, __global const int *restrict set_labels,
               __global const uint *restrict index, __global float *restrict x, __global int *restrict labels, int first,
               int rows, int size, int tile_rows, int tile_cols LS_PROBE_ARG)
{
  int i = get_group_id (0) * tile_cols;
  int b = get_group_id (1) * tile_rows;
  int end = MIN (i + tile_cols, size), last = MIN (b + tile_rows, rows);

  LS_PROBE_BEGIN
  for (int row = b; i == 0 && row < last; row++)
    labels[row] = set_labels[index[first + row]];
  for (int row = b; row < last; row++)
    for (int j = i; j < end; j += LINE / (int) sizeof (SAMPLE_T))
      FETCH (samples + (size_t) index[first + row] * size + j);
  for (; i + VEC <= end; i += VEC)
    for (int row = b; row < last; row++)
      STOREV (VALUES (samples + (size_t) index[first + row] * size + i), x + row * size + i);
  for (; i < end; i++)
    for (int row = b; row < last; row++)
      x[row * size + i] = VALUE_OF (samples[(size_t) index[first + row] * size + i]);
  LS_PROBE_END (1)
}
