/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs plans through the reference loops with nothing in between: an arena, pointers, a loop. Usable with
 * floats and (wide) doubles.
 */
#pragma once

#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
  LsPlan *plan;
  LsArena arena;
  LsHyper hyper;
  LsBatch batch;
  LsDataset set; /* what batch draws from, if the plan has x */
} LsLoops;

/* Takes the plan over. Fails the test if there is no memory. A plan with x gets a set of twice its batch. */
void ls_loops_init (LsLoops *loops, LsPlan *plan, gboolean wide);
/* Also fails the test if any op wrote past a tensor's end. */
void ls_loops_clear (LsLoops *loops);
void ls_loops_run (LsLoops *loops, guint first, guint n);
void ls_loops_run_op (LsLoops *loops, guint op);
double ls_loops_get (const LsLoops *loops, guint tensor, gint64 i);
void ls_loops_set (LsLoops *loops, guint tensor, gint64 i, double value);
/* Random values that suit what reads the tensor: labels and positions in range, second moments above 0, no
 * two equal in a pooling window, none near the kink of relu. */
void ls_loops_fill (LsLoops *loops, guint tensor, guint64 seed);
/* Fills every tensor that some op reads and no op makes. */
void ls_loops_fill_inputs (LsLoops *loops, guint64 seed);

/* A plan of that op on one shape, with sin (i + 10·j) in element i of input j. */
void ls_loops_init_single (LsLoops *loops, const char *name, const LsOpTest *test, gboolean wide);
/* Output `out` of its op has these n values, to 1e-13. */
void ls_loops_assert_values (const LsLoops *loops, guint out, const double *expected, guint n);

/* Parses and builds; fails the test on an error. */
LsPlan *ls_loops_plan (const char *model, gint64 channels, gint64 height, gint64 width, gint n_classes,
                       guint batch, LsOptimizer optimizer);

G_END_DECLS
