/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a step's tensors lie when an op comes to them. A tensor that was touched before is still in a cache
 * that holds all bytes touched since then: its reuse distance (Mattson et al. 1970), with the tensor as the
 * unit. Steps are alike, so the step before counts, too. Each tensor has memory of its own, as in a recorded
 * step (not so in model/places.c).
 */
#pragma once

#include "machines/work.h"

G_BEGIN_DECLS

#define LS_REUSE_MAX_LEVELS 4

/* Bytes that the work that op leads moves from the first level of that size, in bytes, that holds them; of
 * the last one from memory. out[op × (n_levels + 1) + level]. (transfer full)
 * turns: that many lanes take turns, each with such a step and tensors of its own; 1: nothing lies between.
 * passed: per op, those bytes of the first level that workers pass to each other, since they divide each op
 * anew: all but parameters with their gradients and state, which stay with whoever moves them; NULL: not
 * asked. */
double *ls_machine_reuse (const LsPlan *plan, const double *sizes, guint n_levels, guint turns,
                          double *passed);

G_END_DECLS
