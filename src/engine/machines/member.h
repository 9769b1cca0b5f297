/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Members of JSON objects that people write by hand, and programs show: texts, dates, addresses. Each
 * function returns FALSE with LS_ERROR_DATA, a clause as those of files/json.h.
 */
#pragma once

#include "files/json.h"

G_BEGIN_DECLS

/* "the member “NAME” WHY"; FALSE. */
gboolean ls_member_refuse (GError **error, const char *name, const char *why);
/* A text of one line, of max characters at most, not empty. *out is (transfer full); it stays as it is where
 * the member may lack and does. */
gboolean ls_member_text (const json_t *object, const char *name, guint max, gboolean may_lack, char **out,
                         GError **error);
/* The same of a file's name, which may begin with a space. */
gboolean ls_member_file (const json_t *object, const char *name, guint max, gboolean may_lack, char **out,
                         GError **error);
/* {"en": "…", "de": "…"}: such a text in the user's language; English, which is always there, where it has
 * none. */
gboolean ls_member_words (const json_t *object, const char *name, guint max, gboolean may_lack, char **out,
                          GError **error);
/* Nothing but members of these names: a mistyped one would be overlooked. */
gboolean ls_member_only (json_t *object, const char *const *known, GError **error);
/* "2017", "2017-05" or "2017-05-11"; whole: only the last. */
gboolean ls_member_date (const char *name, const char *date, gboolean whole, GError **error);
/* A page's, with https, or plain_too with http; without a user's name in it. */
gboolean ls_member_address (const char *name, const char *address, gboolean plain_too, GError **error);

G_END_DECLS
