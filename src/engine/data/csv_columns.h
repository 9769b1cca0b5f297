/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the columns of a table are: numbers, one of a few texts, or of no use; which one holds the classes.
 */
#pragma once

#include "data/csv.h"
#include "data/loader.h"

G_BEGIN_DECLS

typedef enum { LS_COLUMN_NUMBER, LS_COLUMN_CATEGORY, LS_COLUMN_LABEL, LS_COLUMN_OUT } LsColumnUse;

/* What is told of a column. */
typedef enum {
  LS_TOLD_UNNAMED,
  LS_TOLD_EMPTY,
  LS_TOLD_TEXTS,
  LS_TOLD_CATEGORIES,
  LS_TOLD_CONSTANT,
  LS_TOLD_N
} LsTold;

typedef struct {
  char *name; /* of the header, else its number from 1 */
  gboolean unnamed;
  LsColumnUse use;
  gint64 n_numbers, n_texts;
  /* where the first one stands; 0: nowhere; maybe: 1.234 and 1,234, which have thousands or a fraction */
  guint text_line, comma_line, point_line, maybe_comma_line, maybe_point_line, part_line, infinite_line;
  gboolean comma;         /* its numbers have decimal commas */
  gboolean like_header;   /* the first row's text is there again */
  GPtrArray *texts;       /* different ones, of which each becomes a column or a class */
  GHashTable *categories; /* text, of these → its number, from 0; NULL: its texts aren't kept */
  gint64 first;           /* of its values among a sample's */
} LsColumn;

typedef struct {
  const LsDataRequest *request;
  LsCsv csv;
  gboolean header;
  guint n, label;
  LsColumn *columns;
  gint64 n_rows, n_unlabelled; /* rows, and those without a class */
  gint64 n_features;
  double done;           /* as ls_data_progress() was told */
  guint told[LS_TOLD_N]; /* columns */
  GArray *cells;         /* of the row that was read last */
} LsSheet;

void ls_sheet_clear (LsSheet *sheet);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsSheet, ls_sheet_clear)
/* Reads the table's text, and what its columns are; notes tell what is left out. */
gboolean ls_sheet_open (LsSheet *sheet, const char *path, const LsDataRequest *request, LsData *data,
                        GError **error);
/* From the first row of data on: 1, 0, −1 as ls_csv_read(); each has as many cells as the first. part, of
 * parts: which of the passes this is, for the progress. */
void ls_sheet_rewind (LsSheet *sheet);
gint ls_sheet_read (LsSheet *sheet, guint part, GError **error);

/* csv_look.c: what the columns' cells are; LS_ERROR_DATA. */
gboolean ls_sheet_look (LsSheet *sheet, GError **error);
/* Whether the column's numbers have decimal commas. FALSE: some have, others have points; line: where the
 * second kind begins. */
gboolean ls_column_find_comma (LsColumn *column, guint *line);

/* Of each kind so many columns are told of by name; the others are counted. */
#define LS_TOLD_MOST 5
gboolean ls_sheet_tells (LsSheet *sheet, LsTold what);

#define LS_SHEET_PASSES 3

G_END_DECLS
