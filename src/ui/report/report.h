/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a finished run has to say: a table on the terminal, and the whole of it as JSON.
 */
#pragma once

#include "train/snapshot.h"

G_BEGIN_DECLS

#define LS_REPORT_VERSION 1

/* It is not parked, and has done a step. */
gboolean ls_report_lane_worked (const LsLaneSnapshot *lane);
void ls_report_print (const LsSnapshot *snapshot);
/* Weights that were saved although no lane worked any more. */
typedef struct {
  const char *path; /* NULL: none were */
  guint64 step;     /* they are those after so many steps */
} LsReportLastFinite;

/* Also of a run whose lanes have all stopped. last_finite may be NULL. Errors: LS_ERROR_FILE. */
gboolean ls_report_save (const LsSnapshot *snapshot, const LsReportLastFinite *last_finite, const char *path,
                         GError **error);

G_END_DECLS
