/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the JSON of all commands shares.
 */
#pragma once

#include "backends/backend.h"
#include "core/figure.h"
#include "files/json.h"

G_BEGIN_DECLS

/* A new object with "format", "version", "program" and "date" set, to which the caller adds members. */
json_t *ls_json_new (const char *format, gint version);
void ls_json_figure (json_t *json, const char *name, const LsFigure *figure);
void ls_json_options (json_t *json, const LsOptions *options);  /* "options": {…} */
void ls_json_device (json_t *json, const LsDeviceInfo *device); /* "device": {…}; NULL: null */
void ls_json_machine (json_t *json);                            /* "machine": {…} */
/* Errors: LS_ERROR_FILE. */
gboolean ls_json_save (const json_t *json, const char *path, GError **error);

G_END_DECLS
