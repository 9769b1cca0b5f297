/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLabDialog: “Laboratory…”: the experiments, the chosen one's result as a picture, which grows while it is
 * measured, and files of it.
 */
#pragma once

#include <adwaita.h>

#include "ui/app/session/session.h"

G_BEGIN_DECLS

#define LS_TYPE_LAB_DIALOG (ls_lab_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LsLabDialog, ls_lab_dialog, LS, LAB_DIALOG, AdwWindow)

/* Modal: nothing else is done while lanes are measured. Closing it meanwhile stops that; what is measured is
 * kept. */
void ls_lab_dialog_present (GtkWindow *parent, LsSession *session);

G_END_DECLS
