/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data that are looked at before anything is trained with them: read on a thread, to their first samples.
 */
#pragma once

#include <gio/gio.h>

#include "core/options.h"
#include "data/preview.h"

G_BEGIN_DECLS

/* Reads what, as the options say; its samples don't outlast it. */
void ls_settings_read_data (gpointer source, const LsOptions *options, const char *what,
                            GAsyncReadyCallback done, gpointer data);
LsDataPreview *ls_settings_read_data_finish (GAsyncResult *result, GError **error);
/* How far the newest one is, 0 … 1. */
double ls_settings_read_data_part (void);

/* What decides how data are read, as a text: two that are alike read the same; (transfer full). NULL: the
 * data are a built-in set. */
char *ls_settings_reading_key (const LsOptions *options);

G_END_DECLS
