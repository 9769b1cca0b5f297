/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session without lanes, which a test hands snapshots and recorded steps, and counts what it says.
 */
#pragma once

#include "rated.h"
#include "ui/app/session/session_private.h"

typedef struct {
  LsSession *session;
  LsSnapshot *snapshot; /* the newest; a copy is changed and handed over */
  guint n_data, n_time, n_states, n_messages;
  char *message;
} View;

View *view_new (void);
void view_free (View *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (View, view_free)

/* The same moment, to be changed: what lanes point to is shared. */
LsSnapshot *again (const LsSnapshot *from);
/* Takes it over. */
void hand_over (View *view, LsSnapshot *snapshot);
/* Two lanes that have trained as many steps of a long run, in turns or not. */
LsSnapshot *running (void);
