/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine's one error domain. A message is one sentence: what, where, and what to do.
 * LS_ERROR_USAGE is the caller's wording (exit status 2 on the command line); all others are exit status 1.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_ERROR (ls_error_quark ())

typedef enum {
  LS_ERROR_USAGE,     /* an option, a model word, a shape that can't be */
  LS_ERROR_DATA,      /* a file whose contents can't be used */
  LS_ERROR_FILE,      /* a file that can't be read or written */
  LS_ERROR_MEMORY,    /* not enough of it, on the host or on a device */
  LS_ERROR_NO_DEVICE, /* no OpenCL device, or none of the asked name */
  LS_ERROR_DEVICE,    /* a device or driver that failed while in use */
  LS_ERROR_BUILD,     /* a kernel that doesn't compile; the message holds the compiler's log */
  LS_ERROR_HUNG,      /* a lane that gave no answer in time */
  LS_ERROR_CANCELLED,
} LsError;

GQuark ls_error_quark (void);
/* The message with a full stop, where it has no end of its own; (transfer full). */
char *ls_sentence (const char *message);
/* text, which may quote what a stranger wrote, as UTF-8 of one line: what can't be printed in it, line ends
 * and what a terminal obeys too, becomes U+FFFD. text is taken over; (transfer full). */
char *ls_printable (char *text);
/* The same of several lines: line ends and tabs stay. */
char *ls_printable_lines (char *text);
/* What a driver or a compiler has said in many lines as one of at most so many characters, whose last is “…”
 * where it was longer. (transfer full) */
char *ls_one_line (const char *text, guint most);
/* The same with the error's message, where there is one. */
void ls_error_make_printable (GError **error);

G_END_DECLS
