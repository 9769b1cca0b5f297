/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LS_UNROLL, before a loop whose number of steps, 64 at most, is known: it becomes so many statements, and
 * what it indexes can lie in registers. clang takes gcc's words for a wish, and comes to it after it has
 * placed arrays in memory.
 */
#pragma once

#ifdef __clang__
#define LS_UNROLL _Pragma ("clang loop unroll(full)")
#else
#define LS_UNROLL _Pragma ("GCC unroll 64")
#endif
