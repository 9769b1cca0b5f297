/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing JSON, and reading what may be hostile. jansson reads RFC 8259 strictly: UTF-8, no \u0000, integers
 * within 64 bits, finite numbers, nothing behind the text, 2048 levels at most; here also no name twice in
 * one object. But it answers 0 when asked for the integer in a string, so members are read by functions that
 * check type and range.
 *
 * Messages are clauses without a capital, for the caller to put behind the file's name and a colon.
 */
#pragma once

#include <jansson.h>

#include "core/figure.h"

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

/* The root, an object or an array as type says; never NULL without an error. LS_ERROR_DATA names the line and
 * the column. */
json_t *ls_json_parse (const char *text, gsize length, gsize max_bytes, json_type type, GError **error);

/* A member of that type in that range, or LS_ERROR_DATA naming the member and what was expected. What is
 * returned is the object's. */
gboolean ls_json_get_int (const json_t *object, const char *name, gint64 min, gint64 max, gint64 *value,
                          GError **error);
gboolean ls_json_get_double (const json_t *object, const char *name, double min, double max, double *value,
                             GError **error);
gboolean ls_json_get_bool (const json_t *object, const char *name, gboolean *value, GError **error);
const char *ls_json_get_string (const json_t *object, const char *name, GError **error);
/* As ls_json_get_string(), but null and a missing member are *value = NULL. */
gboolean ls_json_get_string_or_null (const json_t *object, const char *name, const char **value,
                                     GError **error);
json_t *ls_json_get_object (const json_t *object, const char *name, GError **error);
json_t *ls_json_get_array (const json_t *object, const char *name, guint min_length, guint max_length,
                           GError **error);
/* An array of whole numbers in a range: writes them to values and returns TRUE, *n how many. */
gboolean ls_json_get_ints (const json_t *object, const char *name, gint64 min, gint64 max, guint min_length,
                           guint max_length, gint64 *values, guint *n, GError **error);
/* The array's i-th element as an object. */
json_t *ls_json_array_object (const json_t *array, guint i, const char *name, GError **error);
/* The line, from 1, on which a value of a text that is JSON begins. pointer: "/devices/3/name", as in RFC
 * 6901 but without escapes; where there is no such value, that of the innermost one that there is. */
guint ls_json_line (const char *text, gsize length, const char *pointer);
/* A measured figure as ls_json_put_figure() writes it, its numbers from 0 to max. unit: static. */
gboolean ls_json_get_figure (const json_t *object, const char *name, const char *unit, double max,
                             LsFigure *figure, GError **error);

/* ---- writing: a new member of an object; name NULL: a new element of an array ---- */

json_t *ls_json_object (json_t *into, const char *name); /* empty, and into's */
json_t *ls_json_array (json_t *into, const char *name);
/* What isn't UTF-8 in it is replaced; NULL: null. */
void ls_json_text (json_t *into, const char *name, const char *text);
/* Not finite: null. */
void ls_json_number (json_t *into, const char *name, double value);
void ls_json_whole (json_t *into, const char *name, gint64 value);
void ls_json_bool (json_t *into, const char *name, gboolean value);
/* Median, middle half and number of samples. */
void ls_json_put_figure (json_t *into, const char *name, const LsFigure *figure);
/* value is consumed; returns it. */
json_t *ls_json_put (json_t *into, const char *name, json_t *value);

G_END_DECLS
