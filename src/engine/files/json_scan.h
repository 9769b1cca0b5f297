/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strict reading that every JSON text passes before json-glib sees it; see json.h. For json.c and its
 * tests.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize members; /* of all objects together: json-glib keeps fewer if a name stands twice */
  guint depth;   /* greatest */
} LsJsonFacts;

gboolean ls_json_scan (const char *text, gsize length, guint max_depth, LsJsonFacts *facts, GError **error);

G_END_DECLS
