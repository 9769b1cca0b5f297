/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing JSON, and reading what may be hostile. json-glib takes `var x = {…}`, comments, single quotes,
 * hexadecimal and nothing at all for JSON, crashes on deep nesting, and answers 0 when asked for the integer
 * in a string. So every byte passes a strict reading first (RFC 8259, plus: UTF-8, no name twice in one
 * object, no \u0000, integers within 64 bits, finite numbers), and members are read by functions that check
 * type and range.
 *
 * Messages are clauses without a capital, for the caller to put behind the file's name and a colon.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The root, never NULL without an error. max_depth: of nested objects and arrays. LS_ERROR_DATA names the
 * byte. */
JsonNode *ls_json_parse_strict (GBytes *bytes, gsize max_bytes, guint max_depth, GError **error);

/* A member of that type in that range, or LS_ERROR_DATA naming the member and what was expected. */
gboolean ls_json_get_int (JsonObject *object, const char *name, gint64 min, gint64 max, gint64 *value,
                          GError **error);
gboolean ls_json_get_double (JsonObject *object, const char *name, double min, double max, double *value,
                             GError **error);
gboolean ls_json_get_bool (JsonObject *object, const char *name, gboolean *value, GError **error);
const char *ls_json_get_string (JsonObject *object, const char *name, GError **error);
/* As ls_json_get_string(), but null and a missing member are *value = NULL. */
gboolean ls_json_get_string_or_null (JsonObject *object, const char *name, const char **value,
                                     GError **error);
JsonObject *ls_json_get_object (JsonObject *object, const char *name, GError **error);
JsonArray *ls_json_get_array (JsonObject *object, const char *name, guint min_length, guint max_length,
                              GError **error);
/* An array of whole numbers in a range: writes them to values and returns TRUE, *n how many. */
gboolean ls_json_get_ints (JsonObject *object, const char *name, gint64 min, gint64 max, guint min_length,
                           guint max_length, gint64 *values, guint *n, GError **error);
/* The array's i-th element as an object. */
JsonObject *ls_json_array_object (JsonArray *array, guint i, const char *name, GError **error);

/* ---- writing: a member of the object that is being built ---- */

/* What isn't UTF-8 in it is replaced; NULL: null. */
void ls_json_text (JsonBuilder *json, const char *name, const char *text);
/* Not finite: null. name, here alone, may be NULL: an element of an array. */
void ls_json_number (JsonBuilder *json, const char *name, double value);
void ls_json_whole (JsonBuilder *json, const char *name, gint64 value);

G_END_DECLS
