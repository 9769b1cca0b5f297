/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tiles on tensors of 16 bits share: half.c, and sums.c for the ops that add up over the batch.
 */
#pragma once

#include "backends/cpu/kernel.h"
#include "core/half.h"

G_BEGIN_DECLS

/* The tensor's first element, as if what is from element `at` on lay at piece. */
static inline float *
ls_cpu_as_if_from_start (float *piece, gint64 at)
{
  return (float *) ((guintptr) piece - (guintptr) at * sizeof (float));
}

/* Elements at … at + n − 1 of input j, as floats. */
static inline void
ls_cpu_load (const LsOpCall *call, guint j, gint64 at, gint64 n, float *to)
{
  if (ls_dtype_is_half (call->in_dtype[j]))
    ls_half_load (call->in_dtype[j], (const guint16 *) call->in[j] + at, to, (gsize) n);
  else
    memcpy (to, (const float *) call->in[j] + at, (gsize) n * sizeof *to);
}

/* Elements for each outermost index of all that the op reads. */
gint64 ls_cpu_inner_of (const LsCpuStage *stage);

/* sums.c: the tiles, and the scratch that they want. */
#define LS_CPU_STORED(name)                                                                                  \
  void ls_cpu_stored_##name (const LsCpuStage *stage, guint32 tile, float *scratch);                         \
  gint64 ls_cpu_floats_of_##name (const LsCpuStage *stage);
LS_CPU_STORED (conv2d_dw)
LS_CPU_STORED (bias_grad)
LS_CPU_STORED (layernorm_dw)
#undef LS_CPU_STORED

G_END_DECLS
