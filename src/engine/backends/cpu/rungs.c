/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU lane's ladder: what --cpu-kernels may say, a row each, in the order of its enum. All of them add in
 * the same order (gemm.h), so a step on the first rung gives the bits of a step on the last.
 */
#include "config.h"
#include "backends/cpu/kernel.h"

/* Where loops can't multiply and add in one, though products can, an update of its own has other bits:
 * meson.build. */
#ifndef LS_LOOPS_FUSE
#define LS_LOOPS_FUSE TRUE
#endif

/* clang-format off */
const LsCpuRung ls_cpu_rungs[LS_CPU_KERNELS_N] = {
  [LS_CPU_KERNELS_NAIVE] = { "naive loops", LS_WAY_NAIVE_LOOPS, ls_gemm_naive,
                             .loops = LS_CPU_SCALAR_LOOPS, .columns = &ls_columns_loops_scalar },
  [LS_CPU_KERNELS_SCALAR] = { "scalar loops", LS_WAY_SCALAR_LOOPS, ls_gemm_scalar,
                              .loops = LS_CPU_SCALAR_LOOPS, .columns = &ls_columns_loops_scalar },
  [LS_CPU_KERNELS_VECTOR] = { "own loops", LS_WAY_OWN_LOOPS, ls_gemm_loops, .updates = LS_LOOPS_FUSE, .direct = TRUE,
                              .loops = LS_CPU_VECTOR_LOOPS, .columns = &ls_columns_loops },
  [LS_CPU_KERNELS_BLAS] = { "own loops", LS_WAY_OWN_LOOPS, ls_gemm, .updates = LS_LOOPS_FUSE, .blas = TRUE, .direct = TRUE,
                            .loops = LS_CPU_VECTOR_LOOPS, .columns = &ls_columns_loops },
};
/* clang-format on */
