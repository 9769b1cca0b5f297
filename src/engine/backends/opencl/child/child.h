/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A short-lived child of this program, for trying what may crash or hang: what it says, in lines that are
 * JSON objects (say.h), and how it ended. One may be silent for only so long.
 */
#pragma once

#include "files/json.h"

G_BEGIN_DECLS

/* Set in a child's environment. */
#define LS_CHILD_MARK "LOCKSTEP_CHILD"

typedef struct {
  GPtrArray *lines; /* json_t, objects: what it has said, the first LS_CHILD_LINES */
  char *garbled;    /* why the first line of those that can't be read can't, as a clause; NULL: all can */
  GString *err;     /* the first MiB of its standard error */
  gboolean hung;    /* killed: it was silent for too long, or nobody wanted to hear more */
  int signal;       /* that ended it, or 0 */
  int status;       /* its exit status, if it ended by itself */
  guint patience_ms;
} LsChild;

#define LS_CHILD_LINES 4096

/* Called with each line, and with NULL now and then meanwhile. FALSE: the child is killed. */
typedef gboolean (*LsChildHeard) (const json_t *line, gpointer data);

/* Runs this program with the arguments after LS_CL_CHILD_COMMAND, a NULL-terminated list, and blocks until it
 * ends, or has said nothing for patience_ms, which LOCKSTEP_CHILD_TIMEOUT_MS replaces. input: its standard
 * input, a file descriptor that stays the caller's; −1: none. heard may be NULL. child is to be cleared in
 * any case. LS_ERROR_DEVICE if it can't be started. */
gboolean ls_child_run (LsChild *child, const char *const *arguments, int input, guint patience_ms,
                       LsChildHeard heard, gpointer data, GError **error);
/* The object that it said last; NULL: none. */
const json_t *ls_child_last (const LsChild *child);
/* How it ended, as a clause: "it crashed (signal 11, Segmentation fault)"; NULL: by itself, with success.
 * (transfer full) */
char *ls_child_fate (const LsChild *child);
/* The last line of its standard error, as ": …", or "". (transfer full) */
char *ls_child_last_words (const LsChild *child);
/* This program's path. LOCKSTEP_SELF stands in for it where it isn't lockstep itself: in tests. (transfer
 * full) */
char *ls_child_self (void);
void ls_child_clear (LsChild *child);

G_END_DECLS
