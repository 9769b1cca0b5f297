/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings as the option table has them: sections with a heading, in each its rows by place.
 */
#pragma once

#include "ui/app/settings/settings_row.h"

G_BEGIN_DECLS

/* The list of all rows; each row is added to rows. data: the listener's. */
GtkWidget *ls_settings_sections_new (GPtrArray *rows, const LsSettingsListener *listener, gpointer data);
/* The option's row; NULL if it has none. */
LsSettingsRow *ls_settings_sections_row (GPtrArray *rows, const char *name);

G_END_DECLS
