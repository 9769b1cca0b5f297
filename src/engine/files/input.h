/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsInput reads a plain or a gzip file as one stream, told apart by its first two bytes (1f 8b), not by its
 * name. All members of a gzip file are joined, every CRC is checked, and bytes that follow the last member
 * are an error: GIO's decompressor stops after the first member and says all is well.
 */
#pragma once

#include "core/file.h"

G_BEGIN_DECLS

typedef struct _LsInput LsInput;

LsInput *ls_input_open (const char *path, GError **error);
void ls_input_close (LsInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsInput, ls_input_close)
/* Reads up to n bytes into buffer. Returns fewer than n only where the data ends, be it cut or whole: the
 * next call then returns 0 at a proper end, or −1. Errors: LS_ERROR_FILE; LS_ERROR_DATA for damaged, cut or
 * overlong gzip data. */
gssize ls_input_read (LsInput *input, void *buffer, gsize n, GError **error);
/* The plain file's size in bytes, −1 for gzip, whose contents aren't known before they are read. */
gint64 ls_input_size (const LsInput *input);
/* Whether gzip data may unpack to that many bytes in all, as their header says: before memory is taken for
 * them. LS_ERROR_DATA if deflate can't pack so tightly, or if nobody's data are so empty. Plain files always
 * may. */
gboolean ls_input_may_hold (const LsInput *input, gint64 bytes, GError **error);
/* The same of deflated data of any file. */
gboolean ls_packed_may_hold (const char *name, gint64 packed, gint64 bytes, GError **error);

G_END_DECLS
