/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a finished run has to say: a table on the terminal, and the whole of it as JSON.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "train/snapshot.h"

G_BEGIN_DECLS

#define LS_REPORT_VERSION 1

/* It is not parked, and has done a step. */
gboolean ls_report_lane_worked (const LsLaneSnapshot *lane);
void ls_report_print (const LsSnapshot *snapshot);
/* Errors: LS_ERROR_FILE. */
gboolean ls_report_save (const LsSnapshot *snapshot, const char *path, GError **error);

/* ---- parts that other commands' JSON shares (json_out.c) ---- */

/* A new object with "format", "version", "program" and "date" set; the caller adds members and ends it. */
JsonBuilder *ls_json_new (const char *format, gint version);
void ls_json_text (JsonBuilder *json, const char *name, const char *text); /* NULL: null */
void ls_json_number (JsonBuilder *json, const char *name, double value);   /* not finite: null */
void ls_json_whole (JsonBuilder *json, const char *name, gint64 value);
void ls_json_figure (JsonBuilder *json, const char *name, const LsFigure *figure);
void ls_json_options (JsonBuilder *json, const LsOptions *options);  /* "options": {…} */
void ls_json_device (JsonBuilder *json, const LsDeviceInfo *device); /* "device": {…}; NULL: null */
void ls_json_machine (JsonBuilder *json);                            /* "machine": {…} */
/* Ends the object and saves it. Errors: LS_ERROR_FILE. */
gboolean ls_json_save (JsonBuilder *json, const char *path, GError **error);

/* ---- output files ---- */

/* Fails before the work is done if path can't be written after it. Errors: LS_ERROR_FILE. */
gboolean ls_output_check (const char *path, GError **error);

G_END_DECLS
