/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bar for data that are being read, on a thread: it appears once that takes over a second, and goes when it
 * is over.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/app/settings/settings_reading.h"

G_BEGIN_DECLS

#define LS_SETTINGS_BAR_US G_USEC_PER_SEC /* without it until then */

/* says: it says what is read, and how much of it has been; else words beside it do. */
GtkWidget *ls_settings_bar_new (gboolean says);
/* path: of what is read; part: (transfer full). What was read before is forgotten. */
void ls_settings_bar_begin (GtkWidget *bar, const char *path, LsSettingsPart *part);
void ls_settings_bar_end (GtkWidget *bar);
/* What it says; newly allocated. */
char *ls_settings_bar_words (const char *path, const LsSettingsPart *part);
/* It is that late, µs since the reading began; a timer says it, too. */
void ls_settings_bar_tick (GtkWidget *bar, gint64 since_us);

G_END_DECLS
