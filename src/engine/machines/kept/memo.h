/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What models have made of a step, kept as long as somebody asks for the same: pictures are laid out anew
 * with every trained step, and of a model nothing is new then. A model is a pure function of its plan and of
 * what is assumed, so what is kept is what would be computed.
 *
 *   LsMachineMemo *memo = ls_machine_memo_new ();
 *   const LsPlan *plan = ls_machine_memo_plan (memo, recording);
 *   LsModelled *modelled = ls_machine_memo_get (memo, machine, plan, 0, &assumed);
 *   … modelled->run->seconds … ls_modelled_unref (modelled);
 *
 * Reference-counted; by any thread.
 */
#pragma once

#include "files/recording.h"
#include "machines/proof.h"

G_BEGIN_DECLS

/* Immutable; a g_atomic_rc_box. */
typedef struct {
  LsMachineRun *run;
  gint moves; /* as ls_machine_moves_most() has it; −1, too, of another batch than the plan's */
  double moves_s;
} LsModelled;

LsModelled *ls_modelled_ref (LsModelled *modelled);
void ls_modelled_unref (LsModelled *modelled); /* may be NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsModelled, ls_modelled_unref)

typedef struct _LsMachineMemo LsMachineMemo;

LsMachineMemo *ls_machine_memo_new (void);
LsMachineMemo *ls_machine_memo_ref (LsMachineMemo *memo);
void ls_machine_memo_unref (LsMachineMemo *memo);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsMachineMemo, ls_machine_memo_unref)

/* As ls_held_plan(), without its error. (transfer full) */
LsPlan *ls_machine_memo_plan (LsMachineMemo *memo, const LsRecording *recording);
/* assumed has been checked. batch 0: the plan's; else of a plan that differs in that alone; NULL: there can
 * be none. (transfer full) */
LsModelled *ls_machine_memo_get (LsMachineMemo *memo, const LsMachine *machine, const LsPlan *plan,
                                 guint batch, const LsAssumed *assumed);
/* As ls_machine_prove(), of the step that the recording holds. */
gboolean ls_machine_memo_prove (LsMachineMemo *memo, const LsMachine *machine, const LsAssumed *assumed,
                                const LsRecording *recording, const LsPlan *plan, double most,
                                LsMachineProof *proof);
/* How often something was computed, and not kept already: for tests. */
guint ls_machine_memo_computed (LsMachineMemo *memo);

G_END_DECLS
