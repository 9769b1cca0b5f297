/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers below 1.2e-38 (denormals) make a multiplication some thirty times slower on common processors, and
 * a network that is nearly trained is full of them. While a step runs, threads of the CPU lane therefore
 * flush them to zero, as the OpenCL lane's kernels do (-cl-denorms-are-zero); otherwise neither speeds nor
 * results could be compared. The setting belongs to a thread; OpenBLAS, called by it, obeys.
 */
#pragma once

#include <glib.h>

/* Returns what ls_denormals_restore() takes. Does nothing where the processor has no such setting. */
static inline guint64
ls_denormals_flush (void)
{
#if defined(__SSE2__)
  guint before = __builtin_ia32_stmxcsr ();
  __builtin_ia32_ldmxcsr (before | 0x8040u); /* flush results to zero, take denormal operands as zero */
  return before;
#elif defined(__aarch64__)
  guint64 before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" : : "r"(before | (G_GUINT64_CONSTANT (1) << 24)));
  return before;
#else
  return 0;
#endif
}

static inline void
ls_denormals_restore (guint64 before)
{
#if defined(__SSE2__)
  __builtin_ia32_ldmxcsr ((guint) before);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(before));
#endif
}
