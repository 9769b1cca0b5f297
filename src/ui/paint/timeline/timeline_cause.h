/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why is it waiting? For a recorded wait the event that it waited for, found by what depends on what: a
 * worker at a barrier on the last tile of the op, a command on the one before it in an in-order queue or on
 * the host that queued it late, the host on the device's last command.
 */
#pragma once

#include "ui/paint/data/timeline_index.h"

G_BEGIN_DECLS

typedef enum {
  LS_CAUSE_NONE,    /* the event is no wait */
  LS_CAUSE_TILE,    /* another worker's tile held the barrier */
  LS_CAUSE_BARRIER, /* all tiles were done: the pool's own way from the last tile to going on */
  LS_CAUSE_ALONE,   /* the op is one tile: there was nothing to do */
  LS_CAUSE_COMMAND, /* the command before it in the queue */
  LS_CAUSE_COPY,    /* the same, and that is a copy */
  LS_CAUSE_HOST,    /* the queue was empty: the host's call came late */
  LS_CAUSE_START,   /* nothing was before it: the device's own way from queued to started */
  LS_CAUSE_DEVICE,  /* the host waited for the device's last command */
} LsCauseKind;

typedef struct {
  LsCauseKind kind;
  guint32 event;   /* the cause, or LS_NO_COMMAND */
  gint64 from, to; /* the wait, ns since the lane's start of the step */
  gint64 held;     /* ns of it until the cause ended */
  gint64 rest;     /* ns of it after that */
} LsCause;

LsCause ls_time_cause (const LsTimeIndex *self, guint32 event);
/* In a sentence. (transfer full), or NULL: no cause. */
char *ls_time_cause_words (const LsTimeIndex *self, const LsRecording *recording, const LsCause *cause);

G_END_DECLS
