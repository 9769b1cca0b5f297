/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view as a picture in a file: PNG, SVG or PDF by the file's ending, with its title, conditions, date and
 * evidence key.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

/* A file that the layout's width and height (in px; in PDF 1 px = 0.75 pt) fill; PNG times scale. The file is
 * the old one or the new one, never a mix. Errors: LS_ERROR_USAGE (an ending that says none of the three),
 * LS_ERROR_FILE, _MEMORY. */
gboolean ls_export_picture (const LsLayout *layout, const char *path, double scale, GError **error);
/* Of a scene by itself, on the view's ground. Errors: as above. */
gboolean ls_export_scene (const LsScene *scene, double width, double height, const char *title,
                          const char *program, const char *path, GError **error);
/* Scenes (LsScene), one a page of width × height px, as a PDF, whatever path's ending. LS_ERROR_FILE,
 * _MEMORY.
 */
gboolean ls_export_pages (const GPtrArray *scenes, double width, double height, const char *title,
                          const char *program, const char *path, GError **error);
/* Fails if path's ending names no kind of picture. LS_ERROR_USAGE. */
gboolean ls_export_check (const char *path, GError **error);
/* The picture as an ARGB32 surface: for the clipboard. NULL if the memory can't be had. */
cairo_surface_t *ls_export_surface (const LsLayout *layout, double scale);

G_END_DECLS
