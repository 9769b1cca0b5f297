/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsField: one member of a C struct as one member of a JSON object. A struct that goes into a file has one
 * table of these, and the table both writes and reads it, types and ranges checked, so that the two can't
 * drift apart.
 */
#pragma once

#include "files/json.h"

G_BEGIN_DECLS

typedef enum {
  LS_FIELD_TEXT, /* char *, owned */
  LS_FIELD_TEXT_OR_NULL,
  LS_FIELD_TEXT_IN_PLACE, /* char[size] */
  LS_FIELD_INT,           /* gint, also gint32 and enumerations without names */
  LS_FIELD_UINT,
  LS_FIELD_INT64,
  LS_FIELD_UINT64, /* up to G_MAXINT64 in files */
  LS_FIELD_DOUBLE, /* min, max in whole numbers */
  LS_FIELD_BOOL,
  LS_FIELD_NAME,         /* an enumeration as one of `names` */
  LS_FIELD_NAME_OR_NULL, /* one whose first value is null, as is read what isn't known; then `names` */
  LS_FIELD_INT64S,       /* gint64[size] */
  LS_FIELD_UINTS,        /* guint[size] */
} LsFieldType;

typedef struct {
  const char *name;
  LsFieldType type;
  gsize offset;
  guint size;          /* of char[], gint64[], guint[] */
  gssize count_offset; /* arrays: the guint that says how many count; −1: all of them */
  gint64 min, max;
  const char *const *names; /* NULL-terminated, in the enumeration's order */
  gboolean optional;        /* where it is absent, data stays as it is */
} LsField;

#define LS_FIELD(Struct, member, kind)                                                                       \
  .name = #member, .type = kind, .offset = G_STRUCT_OFFSET (Struct, member)

/* Appends "name":value,"name":value, without braces. */
void ls_fields_write (const LsField *fields, guint n, gconstpointer data, GString *out);
/* Fills data, whose texts are NULL before. LS_ERROR_DATA names the member. */
gboolean ls_fields_read (const LsField *fields, guint n, const json_t *object, gpointer data, GError **error);

G_END_DECLS
