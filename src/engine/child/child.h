/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A child process, for what may crash or hang, or must be by itself: what it says, in lines that are JSON
 * objects (say.h), and how it ended. There are two ways: it does one thing and tells of it (ls_child_run()),
 * or it is asked and answers (ls_child_start()). Nobody waits for one that is silent for too long.
 */
#pragma once

#include <gio/gio.h>

#include "files/json.h"

G_BEGIN_DECLS

/* Set in the environment of one that ls_child_run() starts: it starts none itself. */
#define LS_CHILD_MARK "LOCKSTEP_CHILD"
/* This program as a child for ls_child_run(): what main() looks for in argv[1]. */
#define LS_CL_CHILD_COMMAND "--opencl-child"

typedef struct {
  GPid pid;       /* 0: it has ended, and been reaped */
  int fds[3];     /* to its standard input, from its output and its errors; −1: closed */
  GString *line;  /* read, and not yet taken */
  gsize searched; /* so much of it has no end of a line */
  gsize read;     /* bytes of its output in all */
  gsize most;     /* bytes that a line may have */
  GString *err;   /* the first MiB of its standard error */
  gboolean hung;  /* killed: it was silent for too long, or nobody wanted to hear more */
  int signal;     /* that ended it, or 0 */
  int status;     /* its exit status, if it ended by itself */
  guint patience_ms;
  GPtrArray *lines; /* of ls_child_run(): json_t, objects: what it has said, the first LS_CHILD_LINES */
  char *garbled;    /* why the first line of those that can't be read can't, as a clause; NULL: all can */
} LsChild;

#define LS_CHILD_LINES 4096

/* ---- one that does one thing (run.c) ---- */

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

/* ---- one that is asked ---- */

#define LS_CHILD_NONE (-1)
#define LS_CHILD_PIPE (-2)

/* Starts it; a line may have `most` bytes. environment: all of it; NULL: the program's own. input: its
 * standard input, a descriptor that stays the caller's, LS_CHILD_NONE, or LS_CHILD_PIPE for ls_child_say().
 * child is to be cleared in any case. LS_ERROR_DEVICE if it can't be started. */
gboolean ls_child_start (LsChild *child, const char *const *argv, char **environment, int input, gsize most,
                         GError **error);
/* Takes said over. FALSE: it doesn't listen any more. */
gboolean ls_child_say (LsChild *child, json_t *said);
/* Bytes that a line announces: written to it after that line; read from it after that line, into `to`. They
 * wait as long as it takes; cancel may be NULL. FALSE as above; or as of ls_child_hear(), with the error. */
gboolean ls_child_send (LsChild *child, gconstpointer bytes, gsize size, GCancellable *cancel);
gboolean ls_child_take (LsChild *child, gpointer to, gsize size, GCancellable *cancel, GError **error);
/* The next line, waited for at most patience_ms; (transfer full). NULL: it has ended or been killed since,
 * and child says how, or the line is no object (LS_ERROR_DATA) and it lives on. cancel may be NULL. Errors
 * besides: LS_ERROR_HUNG, LS_ERROR_CANCELLED, LS_ERROR_DEVICE, each a sentence. */
json_t *ls_child_hear (LsChild *child, guint patience_ms, GCancellable *cancel, GError **error);
/* Closes its input and waits for its end, grace_ms at most; then it is killed. */
void ls_child_end (LsChild *child, guint grace_ms);
/* Ends it, if it still runs, and frees what child holds; nothing, where child is all zeros. */
void ls_child_clear (LsChild *child);

/* ---- how it ended ---- */

/* As a clause: "it crashed (signal 11, Segmentation fault)"; NULL: by itself, with success. (transfer full)
 */
char *ls_child_fate (const LsChild *child);
/* By what it did itself: a signal that others send (Ctrl-C, TERM, a lack of memory: KILL) tells nothing of
 * that, nor does silence. */
gboolean ls_child_crashed (const LsChild *child);
/* The last line of its standard error, as ": …", or "". (transfer full) */
char *ls_child_last_words (const LsChild *child);

/* ---- for run.c ---- */

/* Waits at most look_ms for output, reads what there is, and sees whether it has ended; then all that it
 * wrote is read. FALSE: it has ended, and been reaped. */
gboolean ls_child_look (LsChild *child, int look_ms);
/* A line that is whole, (transfer full), not its end of line; NULL: there is none. */
char *ls_child_take_line (LsChild *child, gsize *length);
/* This program's path. LOCKSTEP_SELF stands in for it where it isn't lockstep itself: in tests. (transfer
 * full) */
char *ls_child_self (void);

G_END_DECLS
