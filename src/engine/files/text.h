/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of text in files: quoted for JSON and for CSV, numbers with a point in every locale.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "…" with quotes, escapes and control characters as RFC 8259 wants; NULL becomes null. What isn't UTF-8 is
 * replaced. */
void ls_text_append_json (GString *out, const char *text);
/* A cell of RFC 4180: quoted only where it must be. NULL is an empty cell. */
void ls_text_append_csv (GString *out, const char *text);
/* The shortest of %.15g and %.17g that reads back exactly; what isn't finite becomes null. */
void ls_text_append_double (GString *out, double value);

G_END_DECLS
