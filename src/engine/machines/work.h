/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as models of machines see it: ops with what follows in their epilogue, as one piece of work. Bytes
 * are of 32-bit numbers; a model that stores them in fewer bits scales them.
 */
#pragma once

#include "machines/model.h"

G_BEGIN_DECLS

typedef struct {
  guint op; /* the one that leads */
  const LsOp *head;
  gint64 m, n, k;       /* of its product, as op.h has it; 0: it is none */
  double product;       /* FLOP of the product */
  double others;        /* FLOP of all else */
  double read, written; /* bytes; what is handed over within is neither */
  double weights;       /* bytes of those read that are weights */
} LsMachineWork;

/* Of all of a step, or of its answers alone. (element-type LsMachineWork) (transfer full) */
GArray *ls_machine_work (const LsPlan *plan, gboolean forward);
/* The tensors that a piece of work touches, each once: visit (tensor, read, written). */
typedef void (*LsMachineVisit) (guint tensor, gboolean read, gboolean written, gpointer data);
void ls_machine_work_visit (const LsPlan *plan, const guint *leader, guint op, LsMachineVisit visit,
                            gpointer data);
/* leader[i] as ls_plan_fuse() has it, with every epilogue that is possible. */
void ls_machine_work_leaders (const LsPlan *plan, guint *leader);

/* For run(): appends an op at the end of what is there, and moves that end. */
void ls_machine_run_add (LsMachineRun *run, guint op, double seconds, LsHeldBy held_by, double used);

G_END_DECLS
