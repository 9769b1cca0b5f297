/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two passes over the text: what each column's cells are (csv_look.c), then which texts there are. See
 * csv_columns.h.
 */
#include "config.h"
#include "data/csv_columns.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"

#define TELL_EVERY 4096 /* rows between two words on the progress */
#define AT_ONCE    4096 /* columns whose texts are held while it isn't known yet which ones are left out */

gboolean
ls_sheet_tells (LsSheet *sheet, LsTold what)
{
  return sheet->told[what]++ < LS_TOLD_MOST;
}

/* ---- rows ---- */

void
ls_sheet_rewind (LsSheet *sheet)
{
  ls_csv_rewind (&sheet->csv);
  sheet->n_rows = 0;
  if (sheet->header)
    ls_csv_read (&sheet->csv, sheet->cells, NULL);
}

gint
ls_sheet_read (LsSheet *sheet, guint part, GError **error)
{
  const gint got = ls_csv_read (&sheet->csv, sheet->cells, error);

  if (got <= 0)
    return got;
  if (sheet->cells->len != sheet->n)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   ngettext ("“%s”, line %u has %u field, and %u are expected, as in the first line.",
                             "“%s”, line %u has %u fields, and %u are expected, as in the first line.",
                             sheet->cells->len),
                   sheet->csv.name, sheet->csv.row_line, sheet->cells->len, sheet->n);
      return -1;
    }
  if (sheet->n_rows++ % TELL_EVERY == 0)
    {
      const double read = (double) sheet->csv.at / (double) sheet->csv.bytes;

      sheet->done = MAX (sheet->done, (part + read) / LS_SHEET_PASSES); /* texts may take several passes */
      ls_data_progress (sheet->request, sheet->done);
    }
  return 1;
}

/* ---- what they are for ---- */

static gboolean
find_label (LsSheet *sheet, const char *label, GError **error)
{
  guint64 number;
  g_autoptr (GString) names = g_string_new (NULL);

  sheet->label = sheet->n - 1;
  if (*label == '\0')
    return TRUE;
  for (guint i = 0; i < sheet->n; i++)
    if (sheet->header && strcmp (sheet->columns[i].name, label) == 0)
      {
        sheet->label = i;
        return TRUE;
      }
  if (g_ascii_string_to_unsigned (label, 10, 1, sheet->n, &number, NULL))
    {
      sheet->label = (guint) number - 1;
      return TRUE;
    }
  for (guint i = 0; i < sheet->n && names->len < 200; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", sheet->columns[i].name);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
               _("“%s” has no column “%s” for --label; its columns are %s%s."), sheet->csv.name, label,
               names->str, names->len >= 200 ? "…" : "");
  return FALSE;
}

/* A column of numbers is one, unless a text got lost in it; one of texts may have numbers among them. */
static gboolean
choose_use (LsSheet *sheet, LsColumn *column, LsData *data, GError **error)
{
  guint line;

  if (column->unnamed)
    {
      column->use = LS_COLUMN_OUT;
      if (ls_sheet_tells (sheet, LS_TOLD_UNNAMED))
        ls_data_note (data, _("Column %s is left out: it has no name."), column->name);
      return TRUE;
    }
  if (column->n_numbers + column->n_texts == 0)
    {
      column->use = LS_COLUMN_OUT;
      if (ls_sheet_tells (sheet, LS_TOLD_EMPTY))
        ls_data_note (data, _("Column “%s” is left out: it is empty."), column->name);
      return TRUE;
    }
  column->use = column->n_texts == 0 ? LS_COLUMN_NUMBER : LS_COLUMN_CATEGORY;
  if (column->n_texts > 0 && column->n_numbers > column->n_texts)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s”, line %u: what stands in column “%s” is no number, and %lld others there are."),
                   sheet->csv.name, column->text_line, column->name, (long long) column->n_numbers);
      return FALSE;
    }
  if (!ls_column_find_comma (column, &line) && column->use == LS_COLUMN_NUMBER)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s”, line %u: column “%s” has numbers with a decimal comma, and others with a point."),
        sheet->csv.name, line, column->name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_label (const LsSheet *sheet, GError **error)
{
  const LsColumn *label = &sheet->columns[sheet->label];

  if (label->n_numbers + label->n_texts > 0 && (label->n_texts > 0 || label->part_line == 0))
    return TRUE;
  if (label->n_numbers == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s”: column “%s” is empty, so there are no classes; --label names another."),
                 sheet->csv.name, label->name);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s”, line %u: column “%s” holds a number with a fraction, which is no class; --label "
                    "names another column."),
                 sheet->csv.name, label->part_line, label->name);
  return FALSE;
}

/* ---- the second pass: which texts there are ---- */

/* FALSE: there are more than max. */
static gboolean
add_category (LsColumn *column, const LsCell *cell, guint max)
{
  g_autofree char *text = ls_cell_text (cell);

  if (g_hash_table_contains (column->categories, text))
    return TRUE;
  g_hash_table_insert (column->categories, text, GINT_TO_POINTER ((gint) column->texts->len));
  g_ptr_array_add (column->texts, g_steal_pointer (&text));
  return column->texts->len <= max;
}

static gboolean
add_row (LsSheet *sheet, guint begin, guint end, LsData *data, GError **error)
{
  const LsCell *label = &g_array_index (sheet->cells, LsCell, sheet->label);
  double value;

  if (ls_cell_kind (label, sheet->columns[sheet->label].comma, &value) == LS_CELL_GAP)
    {
      sheet->n_unlabelled++;
      return TRUE;
    }
  for (guint i = begin; i < end; i++)
    {
      LsColumn *column = &sheet->columns[i];
      const LsCell *cell = &g_array_index (sheet->cells, LsCell, i);

      if (column->categories == NULL || ls_cell_kind (cell, column->comma, &value) == LS_CELL_GAP)
        continue;
      if (column->use == LS_COLUMN_CATEGORY && !add_category (column, cell, LS_DATA_MAX_CATEGORIES))
        {
          column->use = LS_COLUMN_OUT;
          g_clear_pointer (&column->categories, g_hash_table_unref);
          g_clear_pointer (&column->texts, g_ptr_array_unref);
          if (ls_sheet_tells (sheet, LS_TOLD_TEXTS))
            ls_data_note (data, _("Column “%s” is left out: it has more than %d different texts."),
                          column->name, LS_DATA_MAX_CATEGORIES);
        }
      else if (column->use == LS_COLUMN_LABEL && !add_category (column, cell, LS_DATA_MAX_CLASSES))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("“%s”, line %u: column “%s” has more than %d classes; --label names another."),
                       sheet->csv.name, sheet->csv.row_line, column->name, LS_DATA_MAX_CLASSES);
          return FALSE;
        }
    }
  return TRUE;
}

/* Of those columns; how many of 0 and 1 they become is added to n. */
static gboolean
read_texts (LsSheet *sheet, guint begin, guint end, LsData *data, gint64 *n, GError **error)
{
  gint got;

  ls_sheet_rewind (sheet);
  sheet->n_unlabelled = 0;
  while ((got = ls_sheet_read (sheet, 1, error)) > 0)
    if (!add_row (sheet, begin, end, data, error))
      return FALSE;
  for (guint i = begin; i < end; i++)
    *n += sheet->columns[i].use == LS_COLUMN_CATEGORY ? sheet->columns[i].texts->len : 0;
  if (got < 0 || *n <= LS_DATA_MAX_COLUMNS)
    return got == 0;
  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    _("“%s” would have at least %lld columns once its texts are columns of 0 and 1, and at most %d "
       "are read; leave columns of texts out of the table."),
    sheet->csv.name, (long long) *n, LS_DATA_MAX_COLUMNS);
  return FALSE;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = g_ascii_strtod (*(const char *const *) a, NULL),
               y = g_ascii_strtod (*(const char *const *) b, NULL);

  return x < y ? -1 : x > y ? 1 : ls_compare_texts (a, b);
}

/* Sorted, so that their numbers don't follow from the rows' order. */
static void
sort_categories (LsColumn *column)
{
  if (column->categories == NULL)
    return;
  g_ptr_array_sort (column->texts, column->n_texts == 0 ? compare_numbers : ls_compare_texts);
  for (guint i = 0; i < column->texts->len; i++)
    g_hash_table_insert (column->categories, g_ptr_array_index (column->texts, i),
                         GINT_TO_POINTER ((gint) i));
}

static void
place_features (LsSheet *sheet, LsData *data)
{
  for (guint i = 0; i < sheet->n; i++)
    {
      LsColumn *column = &sheet->columns[i];

      sort_categories (column);
      column->first = sheet->n_features;
      if (column->use == LS_COLUMN_NUMBER)
        sheet->n_features++;
      else if (column->use == LS_COLUMN_CATEGORY)
        {
          sheet->n_features += column->texts->len;
          if (ls_sheet_tells (sheet, LS_TOLD_CATEGORIES))
            ls_data_note (
              data,
              ngettext ("Column “%s” has %u text and becomes a column of 0 and 1.",
                        "Column “%s” has %u different texts and becomes as many columns of 0 and 1.",
                        column->texts->len),
              column->name, column->texts->len);
        }
    }
}

gboolean
ls_sheet_open (LsSheet *sheet, const char *path, const LsDataRequest *request, LsData *data, GError **error)
{
  gint64 n = 0;
  guint begin = 0, n_texts = 0;

  sheet->request = request;
  sheet->cells = g_array_new (FALSE, FALSE, sizeof (LsCell));
  if (!ls_csv_open (&sheet->csv, path, error) || !ls_sheet_look (sheet, error)
      || !find_label (sheet, request->label, error))
    return FALSE;
  for (guint i = 0; i < sheet->n; i++)
    {
      LsColumn *column = &sheet->columns[i];

      if (i == sheet->label)
        column->use = LS_COLUMN_LABEL;
      else if (!choose_use (sheet, column, data, error))
        return FALSE;
      n += column->use == LS_COLUMN_NUMBER;
      if (column->use != LS_COLUMN_LABEL && column->use != LS_COLUMN_CATEGORY)
        continue;
      column->categories = g_hash_table_new (g_str_hash, g_str_equal);
      column->texts = g_ptr_array_new_with_free_func (g_free);
    }
  if (!check_label (sheet, error))
    return FALSE;
  for (guint i = 0; i < sheet->n; i++)
    {
      n_texts += sheet->columns[i].categories != NULL;
      if (n_texts < AT_ONCE && i + 1 < sheet->n)
        continue;
      if (!read_texts (sheet, begin, i + 1, data, &n, error))
        return FALSE;
      begin = i + 1;
      n_texts = 0;
    }
  place_features (sheet, data);
  return TRUE;
}

void
ls_sheet_clear (LsSheet *sheet)
{
  for (guint i = 0; i < sheet->n && sheet->columns != NULL; i++)
    {
      g_free (sheet->columns[i].name);
      g_clear_pointer (&sheet->columns[i].categories, g_hash_table_unref);
      g_clear_pointer (&sheet->columns[i].texts, g_ptr_array_unref);
    }
  g_clear_pointer (&sheet->columns, g_free);
  g_clear_pointer (&sheet->cells, g_array_unref);
  ls_csv_clear (&sheet->csv);
}
