/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSettingsPane: the run's settings beside the stage, made from the option table: data (three as pictures),
 * network (presets, or its layers one by one), batch, learning rate … in sections, each with a line of plain
 * words. A change that can be made between two steps is made at once; one that needs a new run is collected,
 * counted in the head, shown in bold with what it was, and applied by “Run with these”. Network and learning
 * rate follow data and batch as long as nobody gave them.
 *
 * Signals: "changed-live" (a live option was changed), "restart" (“Run with these” was pressed), "pending"
 * (there are changes that wait for a restart, or no longer), "choose-folder" and "choose-file" (“Folder…” or
 * “File…” was chosen among the data: the window owns the dialogs, and answers with
 * ls_settings_pane_set_data()). Listeners read the options with ls_settings_pane_options(). Files and folders
 * that are dropped on the pane are wished as data.
 */
#pragma once

#include <adwaita.h>

#include "core/options.h"
#include "ui/app/settings/settings_reading.h"

G_BEGIN_DECLS

#define LS_SETTINGS_PANE_WIDTH 400

#define LS_TYPE_SETTINGS_PANE (ls_settings_pane_get_type ())
G_DECLARE_FINAL_TYPE (LsSettingsPane, ls_settings_pane, LS, SETTINGS_PANE, GtkWidget)

GtkWidget *ls_settings_pane_new (void);
/* The options of the run that is on: what "was" means. Resets what is pending. Copies. */
void ls_settings_pane_set_running (LsSettingsPane *self, const LsOptions *options);
/* The same of a run that goes on with other options: what is pending stays. */
void ls_settings_pane_change_running (LsSettingsPane *self, const LsOptions *options);
/* What OpenCL devices there are, for the device's row: names, NULL-terminated; may come later than the
 * pane. */
void ls_settings_pane_set_devices (LsSettingsPane *self, const char *const *names);
/* The data are to be these: a file, a folder, or a built-in name; as if chosen in the pane. */
void ls_settings_pane_set_data (LsSettingsPane *self, const char *what);
/* What the samples of a folder are like, once it has been read, so that networks can be checked against it.
 * The built-in sets are known. */
void ls_settings_pane_set_shape (LsSettingsPane *self, const char *what, const gint64 shape[3],
                                 gint n_classes, gint64 n_train);
/* The same, of a file or folder that was chosen or dropped; pane: a LsSettingsPane. */
void ls_settings_pane_wish_file (GFile *file, gpointer pane);
/* The shape of the samples that are wished; FALSE: they haven't been read. */
gboolean ls_settings_pane_shape (LsSettingsPane *self, gint64 shape[3], gint *n_classes);
/* The data of the run with those options, looked at; read: (transfer full). */
void ls_settings_pane_set_read (LsSettingsPane *self, const LsOptions *options, LsSettingsRead *read);
/* What was read of the data that are wished, for the run that trains with them; (transfer full). NULL: they
 * haven't been read, or were taken before. */
LsData *ls_settings_pane_take_data (LsSettingsPane *self);
/* As they stand in the pane, pending ones included. (transfer none) */
const LsOptions *ls_settings_pane_options (LsSettingsPane *self);
/* Without the pending ones: the run as it shall be now. (transfer none) */
const LsOptions *ls_settings_pane_running (LsSettingsPane *self);
gboolean ls_settings_pane_is_pending (LsSettingsPane *self);

G_END_DECLS
