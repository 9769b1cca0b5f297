/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What no version of GTK has in one lasting way: file dialogs (GtkFileChooserNative, since 4.10
 * GtkFileDialog). Both go through the portal where there is one.
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

G_END_DECLS
