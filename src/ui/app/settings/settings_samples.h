/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands under the data's row while the data are one's own: a sentence, what was left out, and the first
 * samples with their classes; or what is wrong.
 */
#pragma once

#include <gtk/gtk.h>

#include "data/preview.h"

G_BEGIN_DECLS

/* Hidden as long as there is nothing to show. */
GtkWidget *ls_settings_samples_new (void);
void ls_settings_samples_show (GtkWidget *samples, const LsDataPreview *preview);
/* The bar for what is being read: ls_settings_bar_new(). */
GtkWidget *ls_settings_samples_bar (GtkWidget *samples);
/* A sentence alone; NULL: nothing. */
void ls_settings_samples_say (GtkWidget *samples, const char *sentence, gboolean wrong);

G_END_DECLS
