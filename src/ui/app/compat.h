/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What no version of GTK has in one lasting way: file dialogs (GtkFileChooserNative, since 4.10
 * GtkFileDialog), which both go through the portal where there is one; and names for screen readers.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*LsFileFunc) (GFile *file, gpointer data);

typedef enum { LS_CHOOSE_OPEN, LS_CHOOSE_SAVE, LS_CHOOSE_FOLDER } LsChoose;

/* Asks for a file or folder; calls done with it, and not at all if the user cancels; in the end free_data, if
 * it isn't NULL. pattern: "*.png" or NULL; name: what a new file is called at first, or NULL. */
void ls_compat_choose_file (GtkWindow *parent, LsChoose what, const char *title, const char *name,
                            const char *pattern, const char *pattern_name, LsFileFunc done, gpointer data,
                            GDestroyNotify free_data);

/* Calls done with the first of the files that are dropped on the widget. */
void ls_compat_add_drop (GtkWidget *widget, LsFileFunc done, gpointer data);

/* What screen readers say of it: its name, and nothing else for one; more: a description, or NULL. GTK names
 * buttons, drop-downs and their parts after what is in them, too, newer ones after that alone. accessible:
 * a GtkAccessible. */
void ls_compat_describe (gpointer accessible, const char *name, const char *more);
static inline void
ls_compat_name (gpointer accessible, const char *name)
{
  ls_compat_describe (accessible, name, NULL);
}

/* A drop-down of strings is called by its title and what is chosen, and so is the button in it, which has the
 * focus. title: stays. */
void ls_compat_name_drop (GtkWidget *drop, const char *title);

/* Newer GTK (4.18) tells screen readers no names of a menu's items. Here they get them, whenever the button's
 * menu opens. The button must have its menu. */
void ls_compat_name_items (GtkMenuButton *button);

/* A button's words with a mnemonic; screen readers get them without its underscore, and once, not as the
 * label's, too. */
void ls_compat_name_button (GtkWidget *button, const char *label);

/* It takes the focus, so it has a name; GTK 4.18 tells none of a generic one. */
GtkWidget *ls_compat_scrolled_new (const char *name);

G_END_DECLS
