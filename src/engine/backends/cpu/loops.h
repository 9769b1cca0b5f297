/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the plain loops of this folder become fast without intrinsics: they are compiled with -O3, simple
 * enough for the compiler to vectorise, and LS_VECTOR compiles a function three times (SSE2, AVX2, AVX-512),
 * of which the loader picks the one for the processor at hand. One portable binary, and sources that can be
 * read. meson.build sets LS_CLONES where the compiler can and no sanitizer forbids it.
 *
 * The same sources are compiled once more with LS_SCALAR set, which must not be vectorised at all: names end
 * in _scalar then (LS_LOOP), and of the clones that for AVX-512 is left out, for it only has more vectors.
 */
#pragma once

#if LS_SCALAR
#define LS_LOOP(name) name##_scalar
#else
#define LS_LOOP(name) name
#endif

#if LS_CLONES && LS_SCALAR
#define LS_VECTOR __attribute__ ((target_clones ("default", "arch=x86-64-v3")))
#elif LS_CLONES
#define LS_VECTOR __attribute__ ((target_clones ("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define LS_VECTOR
#endif

/* Before a loop whose iterations don't depend on each other although input and output may be the same
 * memory. */
#if LS_SCALAR
#define LS_INDEPENDENT /* clang would take it for an order */
#elif defined(__clang__)
#define LS_INDEPENDENT _Pragma ("clang loop vectorize(assume_safety)")
#else
#define LS_INDEPENDENT _Pragma ("GCC ivdep")
#endif
