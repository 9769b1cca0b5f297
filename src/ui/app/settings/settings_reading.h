/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data that are looked at before anything is trained with them: read on a thread, with their first samples as
 * pictures. What was read is kept for the run that trains with it, so that nothing is read twice.
 */
#pragma once

#include <gio/gio.h>

#include "core/options.h"
#include "data/preview.h"

G_BEGIN_DECLS

typedef struct {
  LsData *data; /* NULL: taken, or not kept */
  LsDataPreview *preview;
} LsSettingsRead;

void ls_settings_read_free (LsSettingsRead *read);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSettingsRead, ls_settings_read_free)

/* Of a reading that goes on, how far it is; counted (g_atomic_rc_box_release()). */
typedef struct {
  gint permille; /* atomic */
} LsSettingsPart;

/* Reads what, as the options say. part: (out) (transfer full), or NULL. */
void ls_settings_read_data (gpointer source, const LsOptions *options, const char *what,
                            LsSettingsPart **part, GAsyncReadyCallback done, gpointer data);
LsSettingsRead *ls_settings_read_data_finish (GAsyncResult *result, GError **error);

/* What decides how data are read, as a text: two that are alike read the same; (transfer full). NULL: the
 * data are a built-in set. */
char *ls_settings_reading_key (const LsOptions *options);
/* Why nothing is read of a file that has no path here; (transfer full). */
char *ls_settings_not_here (GFile *file);

G_END_DECLS
