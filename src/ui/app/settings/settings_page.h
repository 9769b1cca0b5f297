/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pane's furniture: a page with a head that stays and a content that scrolls; a title; a button whose
 * words may break, for at twice the text size it must still fit.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ls_settings_page_new (const char *name, GtkWidget *head, GtkWidget *content);
GtkWidget *ls_settings_title_new (const char *words);
GtkWidget *ls_settings_button_new (const char *words, GCallback clicked_cb, gpointer data);
void ls_settings_button_set_words (GtkWidget *button, const char *words);
/* A flat button that is a picture; words: what it does, for the tip and the screen reader. */
GtkWidget *ls_settings_tool_new (const char *icon, const char *words, GCallback clicked_cb, gpointer data);
/* Gives what is in a widget of the toolkit a name for the screen reader; its parts would be called by their
 * classes. */
void ls_settings_name_parts (GtkWidget *widget, const char *name);
/* The margin of all that stands in the pane, 16 at the sides. */
void ls_settings_margins (GtkWidget *widget, int top, int bottom);

G_END_DECLS
