/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A short-lived child process with a deadline: its output, and how it ended. For trying what may crash or hang.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Set in a child's environment. */
#define LS_CHILD_MARK "LOCKSTEP_PROBE_CHILD"

typedef struct {
  gboolean hung;      /* killed at the deadline */
  int signal;         /* that ended it, or 0 */
  int status;         /* its exit status, if it ended by itself */
  GString *out, *err; /* the first MiB of each */
} LsChild;

/* Blocks the calling thread at most timeout_ms (a killed child is gone at once). argv[0] is the path. LS_ERROR_DEVICE if
 * it can't be started. */
gboolean ls_child_run   (LsChild *child, const char *const *argv, guint timeout_ms, GError **error);
/* The same for a child that tells its progress: each whole line of its output goes to `line`, without its end, and timeout_ms
 * is how long it may be silent. Cancelling kills it: neither hung nor anything else is set then. */
typedef void (*LsChildLine) (const char *line, gpointer data);
gboolean ls_child_run_lines (LsChild *child, const char *const *argv, guint timeout_ms, LsChildLine line, gpointer data,
                             GCancellable *cancel, GError **error);
void     ls_child_clear (LsChild *child);

G_END_DECLS
