/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenCL calls that fail, dawdle or lie when told to: SQLite's way of testing, “fail the Nth call, for N = 1,
 * 2, … until a run gets through”, once and from then on. The same source serves in two ways: linked into a
 * test program, whose own definitions of cl…() then come before the loader's; and as a library for
 * LD_PRELOAD, ruled by the environment variable LS_CLFAULT, for programs that are tested from outside; in
 * which of their processes, and where the calls are listed, says tests/faults/where.h.
 *
 * Rules, with commas between them; N counts from 1:
 *   fail:GROUP:N:CODE[:once]   the Nth call of the group, and without `once` all later ones, return CODE and
 * do nothing; finish and wait do wait delay:GROUP:N:MS           the Nth call sleeps first
 *   flip:read:N:BIT[:once]     that bit of the first word that the Nth (and all later) reads bring is turned
 * over
 *
 * Groups: platform device context queue source binary build kernel buffer ndrange write fill copy read map
 * finish flush wait event arg info, and `any`, which is all of them but arg and info.
 */
#pragma once

#include <glib.h>

/* Counts begin anew. rules: NULL or "" for none; a rule that can't be read ends the program. */
void clfault_set (const char *rules);
/* Calls of a group since then. */
guint clfault_count (const char *group);
/* The message names a function that failed by a rule since then: the first, or the one that was tried in its
 * place. */
gboolean clfault_named (const char *message);
