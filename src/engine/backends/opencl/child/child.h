/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A short-lived child process with a deadline: its output, and how it ended. For trying what may crash or
 * hang.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Set in a child's environment. */
#define LS_CHILD_MARK "LOCKSTEP_PROBE_CHILD"

typedef struct {
  gboolean hung;      /* killed at the deadline */
  int signal;         /* that ended it, or 0 */
  int status;         /* its exit status, if it ended by itself */
  GString *out, *err; /* the first MiB of each */
} LsChild;

/* Blocks the calling thread at most timeout_ms (a killed child is gone at once). argv[0] is the path.
 * LS_ERROR_DEVICE if it can't be started. */
gboolean ls_child_run (LsChild *child, const char *const *argv, guint timeout_ms, GError **error);
/* The same, but it may take timeout_ms from its latest output on. heard is called now and then with what it
 * has written so far; FALSE: the child is killed, as at the deadline. */
typedef gboolean (*LsChildHeard) (const GString *out, gpointer data);
gboolean ls_child_run_heard (LsChild *child, const char *const *argv, guint timeout_ms, LsChildHeard heard,
                             gpointer data, GError **error);
/* The same with a standard input: a file descriptor, which stays the caller's; −1: none. */
gboolean ls_child_run_fed (LsChild *child, const char *const *argv, int input, guint timeout_ms,
                           LsChildHeard heard, gpointer data, GError **error);
/* This program's path. LOCKSTEP_SELF stands in for it where it isn't lockstep itself: in tests. (transfer
 * full) */
char *ls_child_self (void);
void ls_child_clear (LsChild *child);

G_END_DECLS
