/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLabPicture: a result of the laboratory as a plot, as large as its place and in the window's look.
 */
#pragma once

#include <gtk/gtk.h>

#include "lab/result.h"
#include "ui/paint/scene/fonts.h"

G_BEGIN_DECLS

#define LS_TYPE_LAB_PICTURE (ls_lab_picture_get_type ())
G_DECLARE_FINAL_TYPE (LsLabPicture, ls_lab_picture, LS, LAB_PICTURE, GtkDrawingArea)

GtkWidget *ls_lab_picture_new (void);
/* NULL: none. */
void ls_lab_picture_set (LsLabPicture *self, LsLabResult *result);
LsLabResult *ls_lab_picture_get (LsLabPicture *self); /* (transfer none) */

G_END_DECLS
