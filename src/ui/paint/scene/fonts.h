/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsFonts: widths of texts and their drawing, through Pango, with tabular figures everywhere, since any
 * number may change. Shaped runs are kept, so a frame that prints the same words shapes nothing. For tests
 * there is a font of boxes: every character is 0.6 em wide on every machine.
 */
#pragma once

#include <cairo.h>

#include "ui/paint/scene/style.h"

G_BEGIN_DECLS

/* What a line of text takes above and below its baseline, in its size: capitals and descenders, not the
 * font's leading. */
#define LS_ASCENT  0.76
#define LS_DESCENT 0.22

typedef struct _LsFonts LsFonts;

/* family: "Cantarell", "Sans"; NULL: the font of boxes. */
LsFonts *ls_fonts_new (const char *family);
/* The font of boxes, words in it `stretch` times as wide: what another language may need. */
LsFonts *ls_fonts_new_stretched (double stretch);
LsFonts *ls_fonts_ref (LsFonts *fonts);
void ls_fonts_unref (LsFonts *fonts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFonts, ls_fonts_unref)

/* Where ink is, from the left end of the baseline, px: letters may reach out of their width and above the
 * ascent. */
typedef struct {
  double left, top, right, bottom;
} LsInkBox;

double ls_fonts_width (LsFonts *fonts, LsType type, const char *text);
LsInkBox ls_fonts_ink (LsFonts *fonts, LsType type, const char *text);
/* With its baseline's left end at x, y, in cr's colour. */
void ls_fonts_show (LsFonts *fonts, cairo_t *cr, LsType type, double x, double y, const char *text);

G_END_DECLS
