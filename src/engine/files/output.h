/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one way to save: the file is the old one or the new one, never a mix.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes beside the file, syncs, renames. A link is followed, so that it goes on pointing to the file; what
 * is no plain file
 * (/dev/null, a pipe) is refused, for it would be replaced. LS_ERROR_FILE; the old file is intact then. */
gboolean ls_file_save (const char *path, gconstpointer data, gsize bytes, GError **error);
/* Whether that could be done now, before hours of work: nothing is made, nothing is changed. LS_ERROR_FILE;
 * LS_ERROR_USAGE: path is empty. */
gboolean ls_file_try_save (const char *path, GError **error);

/* The only program with this file's lock: a descriptor, and the lock goes with it or with the program. The
 * file is made where there is none. −1: another program has it (errno is EWOULDBLOCK), or errno says why not.
 */
int ls_file_lock (const char *path);

G_END_DECLS
