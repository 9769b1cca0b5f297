/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsZip: the members of a ZIP archive (PKWARE's APPNOTE 6.3), stored or deflated, with 64-bit sizes; one is
 * read at a time, as a stream. What is found where is what the central directory says, checked against the
 * file's length; each member's checksum is checked at its end.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_ZIP_MAX_MEMBERS 1024

typedef struct _LsZip LsZip;

/* LS_ERROR_FILE, LS_ERROR_DATA. */
LsZip *ls_zip_open (const char *path, GError **error);
void ls_zip_close (LsZip *zip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsZip, ls_zip_close)
/* Its name, as it stands there; NULL: there are fewer. */
const char *ls_zip_name (const LsZip *zip, guint member);
/* From now on ls_zip_read() reads that member, from its beginning. LS_ERROR_DATA: it is encrypted, packed
 * otherwise, or to more than anybody's data. */
gboolean ls_zip_begin (LsZip *zip, guint member, GError **error);
/* As ls_input_read(). */
gssize ls_zip_read (LsZip *zip, void *buffer, gsize n, GError **error);

G_END_DECLS
