/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the program reads files, be they named by a person, kept by itself or put into its caches by anybody:
 * never mapped, never trusted. Whatever isn't a regular file (a FIFO, a device, a folder) is refused before
 * it can block or run without end; what is read is capped by the reader.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Opens a regular file for reading; returns the descriptor, or −1 with LS_ERROR_FILE. */
int ls_file_open (const char *path, gint64 *size_bytes, GError **error);
/* The whole of a plain file, refused with LS_ERROR_DATA if it is longer than max_bytes. */
GBytes *ls_file_read (const char *path, gsize max_bytes, GError **error);
/* Reads from a file that ls_file_open() has opened until n bytes are there or it ends; name is for messages.
 * How many; −1 with LS_ERROR_FILE. */
gssize ls_file_fill (int fd, void *buffer, gsize n, const char *name, GError **error);
/* The same from a place on, any thread; −1: errno says why. */
gssize ls_file_read_at (int fd, void *buffer, gsize n, gint64 at);
/* The file's name for messages: its last part, valid UTF-8; (transfer full). */
char *ls_file_display_name (const char *path);

/* For sorting an array of texts: by their bytes. */
gint ls_compare_texts (gconstpointer a, gconstpointer b);

G_END_DECLS
