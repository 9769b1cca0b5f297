/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table in text as data: a sample for each row, its numbers as they are, its texts as columns of 0 and 1,
 * all brought to one scale by the training part.
 */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "data/csv_columns.h"
#include "data/prepare.h"

/* What no text has at its beginning: the other loaders are asked before. An empty file is a table without
 * rows; UTF-16 is recognised, to be refused with the right words. */
static gboolean
recognises (const LsDataSource *source)
{
  const guint8 *head = source->head;

  if (source->entries != NULL)
    return FALSE;
  return source->head_bytes == 0 || memchr (head, '\0', source->head_bytes) == NULL
         || (source->head_bytes >= 2
             && ((head[0] == 0xff && head[1] == 0xfe) || (head[0] == 0xfe && head[1] == 0xff)));
}

/* The column's category or class; −1: a gap. */
static gint
category_of (const LsColumn *column, const LsCell *cell)
{
  g_autofree char *text = NULL;
  gpointer number;
  double value;

  if (ls_cell_kind (cell, FALSE, &value) == LS_CELL_GAP)
    return -1;
  text = ls_cell_text (cell);
  return g_hash_table_lookup_extended (column->categories, text, NULL, &number) ? GPOINTER_TO_INT (number)
                                                                                : -1;
}

typedef enum { ROW_WHOLE, ROW_GAPS, ROW_UNLABELLED, ROW_WRONG } Row;

/* One row's values, less each column's first value: a column of large numbers that differ little, such as
 * dates, keeps its digits in a float. A gap is NaN. */
static Row
take_row (const LsSheet *sheet, double *origins, float *x, gint32 *label, GError **error)
{
  Row row = ROW_WHOLE;

  for (guint i = 0; i < sheet->n; i++)
    {
      const LsColumn *column = &sheet->columns[i];
      const LsCell *cell = &g_array_index (sheet->cells, LsCell, i);
      double value = (double) NAN;

      if (column->use == LS_COLUMN_OUT)
        continue;
      if (column->use == LS_COLUMN_NUMBER)
        {
          double *origin = &origins[column->first];

          if (ls_cell_kind (cell, column->comma, &value) == LS_CELL_GAP)
            row = ROW_GAPS;
          else if (isnan (*origin))
            *origin = value;
          if (fabs (value - *origin) > (double) FLT_MAX / 2)
            {
              g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                           _("“%s”, line %u: the number in column “%s” is too large to be trained with."),
                           sheet->csv.name, sheet->csv.row_line, column->name);
              return ROW_WRONG;
            }
          x[column->first] = (float) (value - *origin);
          continue;
        }
      const gint category = category_of (column, cell);

      if (column->use == LS_COLUMN_LABEL && category < 0)
        return ROW_UNLABELLED;
      if (column->use == LS_COLUMN_LABEL)
        *label = category;
      else
        for (guint c = 0; c < column->texts->len; c++)
          x[column->first + c] = category < 0 ? NAN : (gint) c == category;
      row = category < 0 ? ROW_GAPS : row;
    }
  return row;
}

/* set has room for all rows that have a class; *n_gaps of them have gaps, and are left out unless filled. */
static gboolean
take_rows (LsSheet *sheet, gboolean fill, LsDataset *set, gint64 *n_gaps, GError **error)
{
  g_autofree double *origins = g_new (double, (gsize) sheet->n_features);
  const gint64 room = set->n, n_rows = sheet->n_rows;
  gint got = 1;

  for (gint64 i = 0; i < sheet->n_features; i++)
    origins[i] = (double) NAN;
  set->n = *n_gaps = 0;
  ls_sheet_rewind (sheet);
  while (set->n < room && (got = ls_sheet_read (sheet, 2, error)) > 0)
    {
      const Row row = take_row (sheet, origins, ls_dataset_sample (set, set->n), &set->labels[set->n], error);

      if (row == ROW_WRONG)
        return FALSE;
      *n_gaps += row == ROW_GAPS;
      set->n += row == ROW_WHOLE || (row == ROW_GAPS && fill);
    }
  sheet->n_rows = n_rows; /* also those behind the last one with a class */
  return got >= 0;
}

static void
take_classes (const LsSheet *sheet, LsData *data)
{
  const GPtrArray *texts = sheet->columns[sheet->label].texts;

  data->n_classes = (gint) texts->len;
  data->class_names = g_new0 (char *, texts->len + 1);
  for (guint i = 0; i < texts->len; i++)
    data->class_names[i] = ls_printable (g_strdup (g_ptr_array_index (texts, i)));
}

static void
tell_gaps (const LsSheet *sheet, gint64 n_gaps, gboolean fill, LsData *data)
{
  if (sheet->n_unlabelled > 0)
    ls_data_note (data,
                  ngettext ("%lld of %lld rows is left out: it has no class.",
                            "%lld of %lld rows are left out: they have no class.",
                            (gulong) sheet->n_unlabelled),
                  (long long) sheet->n_unlabelled, (long long) sheet->n_rows);
  if (n_gaps > 0 && fill)
    ls_data_note (data,
                  ngettext ("%lld of %lld rows has gaps, where the column’s mean is filled in.",
                            "%lld of %lld rows have gaps, where the column’s mean is filled in.",
                            (gulong) n_gaps),
                  (long long) n_gaps, (long long) sheet->n_rows);
  else if (n_gaps > 0)
    ls_data_note (data,
                  ngettext ("%lld of %lld rows is left out: it has gaps (--missing=mean fills in the "
                            "column’s mean).",
                            "%lld of %lld rows are left out: they have gaps (--missing=mean fills in the "
                            "column’s mean).",
                            (gulong) n_gaps),
                  (long long) n_gaps, (long long) sheet->n_rows);
}

static guint
others (const LsSheet *sheet, LsTold what)
{
  return sheet->told[what] > LS_TOLD_MOST ? sheet->told[what] - LS_TOLD_MOST : 0;
}

/* Columns that weren't told of one by one. */
static void
tell_others (const LsSheet *sheet, LsData *data)
{
  guint n;

  if ((n = others (sheet, LS_TOLD_UNNAMED)) > 0)
    ls_data_note (data,
                  ngettext ("%u more column is left out: it has no name.",
                            "%u more columns are left out: they have no names.", n),
                  n);
  if ((n = others (sheet, LS_TOLD_EMPTY)) > 0)
    ls_data_note (data,
                  ngettext ("%u more column is left out: it is empty.",
                            "%u more columns are left out: they are empty.", n),
                  n);
  if ((n = others (sheet, LS_TOLD_TEXTS)) > 0)
    ls_data_note (data,
                  ngettext ("%u more column is left out: it has too many different texts.",
                            "%u more columns are left out: they have too many different texts.", n),
                  n);
  if ((n = others (sheet, LS_TOLD_CATEGORIES)) > 0)
    ls_data_note (data,
                  ngettext ("%u more column of texts becomes columns of 0 and 1.",
                            "%u more columns of texts become columns of 0 and 1.", n),
                  n);
  if ((n = others (sheet, LS_TOLD_CONSTANT)) > 0)
    ls_data_note (data,
                  ngettext ("%u more column is the same in all rows to train with.",
                            "%u more columns are the same in all rows to train with.", n),
                  n);
}

/* The training part's mean and deviation, for all. */
static void
scale (LsSheet *sheet, LsData *data)
{
  g_autofree gboolean *binary = g_new0 (gboolean, (gsize) sheet->n_features),
                      *constant = g_new0 (gboolean, (gsize) sheet->n_features);

  for (guint i = 0; i < sheet->n; i++)
    for (guint c = 0; sheet->columns[i].use == LS_COLUMN_CATEGORY && c < sheet->columns[i].texts->len; c++)
      binary[sheet->columns[i].first + c] = TRUE;
  ls_data_standardise (data, binary, constant);
  for (guint i = 0; i < sheet->n; i++)
    if (sheet->columns[i].use == LS_COLUMN_NUMBER && constant[sheet->columns[i].first]
        && ls_sheet_tells (sheet, LS_TOLD_CONSTANT))
      ls_data_note (data, _("Column “%s” is the same in all rows to train with."), sheet->columns[i].name);
}

static gboolean
check_sheet (const LsSheet *sheet, GError **error)
{
  const LsColumn *label = &sheet->columns[sheet->label];
  const gint64 n_labelled = sheet->n_rows - sheet->n_unlabelled;

  if (sheet->n_features == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s” has no column to learn from besides the one of the classes, “%s”."),
                 sheet->csv.name, label->name);
  else if (label->texts->len == n_labelled && n_labelled > 2)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s”: every row is a class of its own in column “%s”; --label names another column."),
                 sheet->csv.name, label->name);
  else
    return TRUE;
  return FALSE;
}

static gboolean
load (const LsDataSource *source, const LsDataRequest *request, LsData *data, GError **error)
{
  const gboolean fill = request->missing == LS_MISSING_MEAN;
  g_auto (LsSheet) sheet = { 0 };
  LsDataset *train = &data->train;
  gint64 n_gaps;

  if (!ls_sheet_open (&sheet, source->path, request, data, error) || !check_sheet (&sheet, error))
    return FALSE;
  train->shape[0] = sheet.n_features;
  train->shape[1] = train->shape[2] = 1;
  train->type = LS_SAMPLE_F32;
  if (!ls_data_make_room (train, sheet.n_rows - sheet.n_unlabelled, source->name, error)
      || !take_rows (&sheet, fill, train, &n_gaps, error))
    return FALSE;
  if (train->n == 0 && n_gaps > 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s”: every row has gaps, so none is left; --missing=mean fills them in."),
                   source->name);
      return FALSE;
    }
  take_classes (&sheet, data);
  if (!ls_data_finish (data, request, source->name, error))
    return FALSE;
  tell_gaps (&sheet, n_gaps, fill, data);
  scale (&sheet, data);
  tell_others (&sheet, data);
  return TRUE;
}

const LsDataLoader ls_loader_csv = {
  .title = N_("a table (CSV or TSV)"),
  .recognises = recognises,
  .load = load,
  .defaults = { "flatten, dense 32, relu, dense 2", .lr = 0.1, .adam_lr = 0.005, .batch = "32", .steps = 2000,
                .watch_s = 30 },
};
