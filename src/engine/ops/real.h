/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Included first by every op_*.c, which Meson compiles twice: with LS_REAL_64 = 0 (float) and = 1 (double).
 * Write the loops once, as LS_REF (name); put everything else of the file inside #if !LS_REAL_64 … #endif,
 * and fill the class's two slots with LS_REFS (name).
 */
#pragma once

#include <math.h>
#include "ops/op.h"

#if LS_REAL_64
typedef double real;
#define LS_REF(name)  ls_ref_##name##_f64
#define LS_REAL(name) name
#else
typedef float real;
#define LS_REF(name)  ls_ref_##name##_f32
#define LS_REAL(name) name##f
#endif

#define LS_REFS(name) .ref_f32 = ls_ref_##name##_f32, .ref_f64 = ls_ref_##name##_f64
/* Both are prototyped wherever the op is compiled. */
#define LS_REF_DECLARE(name)                                                                                 \
  void ls_ref_##name##_f32 (const LsOpCall *call);                                                           \
  void ls_ref_##name##_f64 (const LsOpCall *call);
LS_OPS (LS_REF_DECLARE)
#undef LS_REF_DECLARE
