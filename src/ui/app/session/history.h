/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsHistory: the recorded steps that can be gone back to: events of all of them, tensors only of the newest
 * and of those that are pinned, within a budget of bytes. The oldest that isn't pinned goes first.
 */
#pragma once

#include "files/recording.h"

G_BEGIN_DECLS

#define LS_HISTORY_BYTES ((gsize) 300 << 20)

typedef struct _LsHistory LsHistory;

LsHistory *ls_history_new (gsize budget_bytes);
void ls_history_free (LsHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsHistory, ls_history_free)
/* Keeps a reference. The same recording, or one of a step that is there already, isn't kept twice. Returns
 * its position. */
guint ls_history_add (LsHistory *history, LsRecording *recording);
/* before's record holds `now` from here on, the same step with more in it. */
void ls_history_exchange (LsHistory *history, const LsRecording *before, LsRecording *now);
guint ls_history_n (const LsHistory *history);
LsRecording *ls_history_get (const LsHistory *history, guint i); /* (transfer none), by step */
/* The position of a step's record, or the nearest before it, or 0. */
guint ls_history_find (const LsHistory *history, guint64 step);
gboolean ls_history_has (const LsHistory *history, guint64 step);
void ls_history_pin (LsHistory *history, guint i, gboolean pinned);
gboolean ls_history_pinned (const LsHistory *history, guint i);
gsize ls_history_bytes (const LsHistory *history);
void ls_history_clear (LsHistory *history);

G_END_DECLS
