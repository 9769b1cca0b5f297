/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as models of machines see it: ops with what follows in their epilogue, as one piece of work. Bytes
 * are of 32-bit numbers; a model that stores them in fewer bits scales them.
 */
#pragma once

#include "machines/model.h"

G_BEGIN_DECLS

/* Which matrix of a product C = A·B the layer's weights are. */
typedef enum { LS_WEIGHTS_NEITHER, LS_WEIGHTS_A, LS_WEIGHTS_B } LsWeightsIn;

typedef struct {
  guint op; /* the one that leads */
  const LsOp *head;
  gint64 m, n, k; /* of its product, as op.h has it; 0: it is none */
  LsWeightsIn weights_in;
  guint a, b;           /* tensors that A and B are made of; LS_TENSOR_NONE: it is no product */
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

/* What runs in that op: "Z₁"; of LS_MACHINE_COPY and LS_MACHINE_ALL a translated word. */
const char *ls_machine_op_symbol (const LsPlan *plan, guint op);

/* For run(): appends an op at the end of what is there, and moves that end. */
void ls_machine_run_add (LsMachineRun *run, guint op, double seconds, LsHeldBy held_by, double used);

G_END_DECLS
