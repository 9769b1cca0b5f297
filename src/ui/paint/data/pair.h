/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPair: two curves and the ranges of their losses' differences, so that these too are drawn without walking
 * all steps. Made once for two curves and then only added to, by the thread that makes view data; whoever
 * draws reads what was there then.
 */
#pragma once

#include "trace/curve.h"

G_BEGIN_DECLS

typedef struct _LsPair LsPair;

/* (transfer full): of the first n steps of a and b, or more: previous, if it is of these two, with what it
 * lacks. */
LsPair *ls_pair_update (LsPair *previous, LsCurve *a, LsCurve *b, guint64 n);
LsPair *ls_pair_ref (LsPair *pair);
void ls_pair_unref (LsPair *pair);
/* Of |loss of a − loss of b|, where they differ, at steps from … end − 1. */
LsRange ls_pair_range (const LsPair *pair, guint64 from, guint64 end);

G_END_DECLS
