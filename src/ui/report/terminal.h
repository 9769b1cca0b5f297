/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands print with: text in the terminal's own character set, tables whose columns line up, and
 * figures with their spread. Only ls_terminal_rewrite() writes escape codes.
 */
#pragma once

#include "core/figure.h"

G_BEGIN_DECLS

/* To stdout and stderr. Text is UTF-8; where the terminal isn't, what it lacks becomes ASCII that looks
 * alike; what a terminal would obey, but for line ends and tabs, becomes U+FFFD. */
void ls_terminal_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
void ls_terminal_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Puts a line in place of the one that the cursor is on, on a terminal that is live; "" erases that one. */
void ls_terminal_rewrite (const char *line);

/* stdout is a terminal on which a line can be rewritten. */
gboolean ls_terminal_is_live (void);
/* Its columns; 80 where it doesn't say. */
gint ls_terminal_width (void);
/* Columns that text takes. */
gint ls_text_width (const char *text);

/* Median with its middle half, "1234 [1200 … 1260]"; "–" if there is no value. */
char *ls_figure_text (const LsFigure *figure);
/* A duration in words: "8 s", "2 min 5 s", "1 h 3 min". */
char *ls_duration_text (double seconds);

/* A table: rows of cells, printed with columns as wide as their widest cell. */
typedef struct _LsTable LsTable;

/* align: one letter per column, 'l' or 'r'. */
LsTable *ls_table_new (const char *align);
void ls_table_free (LsTable *table);
/* One cell, row by row; the first row is the head. */
void ls_table_add (LsTable *table, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* So many digits, and more where there are more before the point: of what is large no power of ten.
 * (transfer full) */
char *ls_terminal_digits (double value, int digits);
/* How far something is off, in per cent: "+0.31 %"; of what rounds to nothing no sign. (transfer full) */
char *ls_off_text (double off, int decimals);
void ls_table_print (const LsTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTable, ls_table_free)

G_END_DECLS
