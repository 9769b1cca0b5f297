/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCsv: the cells of a table in text, RFC 4180 and what is found in the wild: commas, semicolons, bars or
 * tabs, told by a first line “sep=;” or found out from the first rows; lines that end in LF, CR LF or CR; a
 * byte-order mark; gzip. Its text is held in memory once, and cells point into it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *name; /* for messages */
  char *text;
  gsize bytes, at, begin; /* begin: of the first row */
  guint begin_line;
  guint line;     /* of `at`, from 1 */
  guint row_line; /* on which the row that was read last begins */
  char separator;
} LsCsv;

typedef struct {
  const char *text; /* not ended by NUL; without the quotes round it, and the spaces outside of them */
  guint length;
  gboolean doubled; /* has quotes in it, which are doubled there */
} LsCell;

typedef enum {
  LS_CELL_GAP, /* nothing, NA, NaN, null or ? */
  LS_CELL_NUMBER,
  LS_CELL_TEXT,
  LS_CELL_INFINITE,
} LsCellKind;

/* LS_ERROR_FILE, LS_ERROR_DATA (too large, empty, no UTF-8: with the line), LS_ERROR_MEMORY. */
gboolean ls_csv_open (LsCsv *csv, const char *path, GError **error);
void ls_csv_clear (LsCsv *csv);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsCsv, ls_csv_clear)
void ls_csv_rewind (LsCsv *csv);
/* The next row that isn't empty: 1, its cells in cells (LsCell); 0: there is none; −1: LS_ERROR_DATA. */
gint ls_csv_read (LsCsv *csv, GArray *cells, GError **error);
/* comma: whether numbers have a decimal comma, and points between thousands, else the other way round; value:
 * of a number. */
LsCellKind ls_cell_kind (const LsCell *cell, gboolean comma, double *value);
/* (transfer full) */
char *ls_cell_text (const LsCell *cell);

G_END_DECLS
