/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops over vectors that this processor has, widest first.
 */
#pragma once

#include "backends/cpu/direct.h"

static inline guint
usable (const LsDirectLoops *loops[3])
{
  guint n = 0;

#if LS_GEMM_X86
  if (ls_gemm_loop_floats () >= 16)
    loops[n++] = &ls_direct_loops_16;
  if (ls_gemm_loop_floats () >= 8)
    loops[n++] = &ls_direct_loops_8;
#endif
  loops[n++] = &ls_direct_loops_4;
  return n;
}
