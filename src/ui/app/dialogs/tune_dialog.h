/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTuneDialog: “Tune this device…”: says what will be done, does it with progress and a way out, and shows
 * what came of it.
 */
#pragma once

#include <adwaita.h>

#include "ui/app/session/session.h"

G_BEGIN_DECLS

#define LS_TYPE_TUNE_DIALOG (ls_tune_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LsTuneDialog, ls_tune_dialog, LS, TUNE_DIALOG, AdwWindow)

/* Modal. Closing it while the tuner works stops the tuner. */
void ls_tune_dialog_present (GtkWindow *parent, LsSession *session);

G_END_DECLS
