/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a child says to its parent: lines, each one JSON object. child.h is the parent's side.
 */
#pragma once

#include "files/json.h"

G_BEGIN_DECLS

/* In a child's environment: the process that started it. */
#define LS_SAY_PARENT "LOCKSTEP_PARENT"

/* In a child, before all else: it ends with its parent, also if that is gone already, and leaves to the
 * parent what the terminal tells both (Ctrl-C, hanging up). */
void ls_say_settle (void);
/* Keeps standard output for what is said, and lets drivers write theirs to standard error. Returns the
 * descriptor to say it to. */
int ls_say_alone (void);
/* Writes the object to fd as a line. It is consumed. FALSE: nobody reads it. */
gboolean ls_say (int fd, json_t *said);
/* The bytes that such a line announces. */
gboolean ls_say_bytes (int fd, gconstpointer bytes, gsize size);

G_END_DECLS
