/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that must fit: a shorter wording takes the longer one's place, a sentence goes on in the next line,
 * and what still doesn't fit is left out.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_TEXT_PITCH 1.35 /* of wrapped lines: from baseline to baseline, in sizes */

/* The first of the choices, a NULL-terminated list, that fits into w; FALSE: none did, nothing was written.
 */
gboolean ls_text_fit (LsScene *s, double x, double y, double w, LsType type, LsInk ink, LsAlign align,
                      const char *const *choices);
/* A heading and quiet words after it, where they fit. Returns the right end. */
double ls_text_heading (LsScene *s, const LsMetrics *m, LsArea area, double y, const char *heading,
                        const char *words);
/* A text with a mark of evidence before it. Returns the right end, x if it didn't fit. */
double ls_text_marked (LsScene *s, const LsMetrics *m, double x, double y, double w, LsEvidence evidence,
                       LsInk ink, const char *text);
/* The text, or as much of it as fits into w with dots after it; "": not even a letter does. (transfer full)
 */
char *ls_text_cut (const LsScene *s, LsType type, double w, const char *text);
/* The lines, at most w wide where no single word is wider, that the words of text fill; (transfer full). */
char **ls_text_lines (const LsScene *s, LsType type, double w, const char *text);
/* Those lines below y, or only counted; returns the last baseline. */
double ls_text_wrapped (LsScene *s, double x, double y, double w, LsType type, LsInk ink, const char *text,
                        gboolean draw);

G_END_DECLS
