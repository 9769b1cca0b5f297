/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data sets that everybody tries first, as large buttons with a picture: digits, spiral, xor. All others
 * are in the row's list below.
 */
#pragma once

#include "ui/app/settings/settings_row.h"

G_BEGIN_DECLS

/* Takes for the row of the data what is pressed. */
GtkWidget *ls_settings_pictures_new (LsSettingsRow *row);
/* Those data are wished: their button is the chosen one, or none is. */
void ls_settings_pictures_show (GtkWidget *pictures, const char *data);
gboolean ls_settings_is_pictured (const char *data);

G_END_DECLS
