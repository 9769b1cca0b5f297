/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gather.cl's batch into a tensor of 16 bits: one work-item per element, dimension 0 = element of the sample, dimension 1 = b.
 *
 *   LS_SAMPLE_F32   1: the samples are floats. Default 0: bytes, which become byte / 255 by a table
 */
#ifndef LS_SAMPLE_F32
#define LS_SAMPLE_F32 0
#endif
#if LS_SAMPLE_F32
#define SAMPLE_T float
#define VALUE(s) (s)
#else
#define SAMPLE_T uchar
#define VALUE(s) byte_values[s]
#endif

__kernel __attribute__ ((reqd_work_group_size (256, 1, 1))) void
gather_half (__global const SAMPLE_T *restrict samples, __global const int *restrict set_labels,
             __global const uint *restrict index, __global const float *restrict byte_values, __global float *restrict x,
             __global int *restrict labels, int first, int size LS_PROBE_ARG)
{
  int i = get_global_id (0);
  int b = get_global_id (1);

  LS_PROBE_BEGIN
  if (i < size)
    {
      size_t from = (size_t) index[first + b] * size + i;
      store_16 (VALUE (samples[from]), x, b * size + i);
    }
  if (i == 0)
    labels[b] = set_labels[index[first + b]];
  LS_PROBE_END (256)
}
