/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a child says to its parent: lines, each one JSON object. child.h is the parent's side.
 */
#pragma once

#include "files/json.h"

G_BEGIN_DECLS

/* Begins an object, to which the caller adds members. */
JsonBuilder *ls_say_new (void);
/* Ends it, and writes it to fd as a line. b is consumed. FALSE: nobody reads it. */
gboolean ls_say (int fd, JsonBuilder *b);

G_END_DECLS
