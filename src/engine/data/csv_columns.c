/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two passes over the text: what each column's cells are, then which texts there are. See csv_columns.h.
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

/* ---- the first pass: what the cells are ---- */

static void
look_at (LsSheet *sheet, LsColumn *column, const LsCell *cell, const LsCell *first)
{
  const gboolean may_comma = sheet->csv.separator != ',';
  const guint line = sheet->csv.row_line;
  double value = 0;
  LsCellKind kind = ls_cell_kind (cell, FALSE, &value);
  const gboolean point = kind == LS_CELL_NUMBER && memchr (cell->text, '.', cell->length) != NULL;
  gboolean comma = FALSE;

  if (kind == LS_CELL_TEXT && may_comma)
    {
      kind = ls_cell_kind (cell, TRUE, &value);
      comma = kind == LS_CELL_NUMBER;
    }
  if (kind == LS_CELL_INFINITE && column->infinite_line == 0)
    column->infinite_line = line;
  column->like_header |= cell->length == first->length
                         && memcmp (cell->text, first->text, first->length) == 0;
  if (kind == LS_CELL_TEXT && column->n_texts++ == 0)
    column->text_line = line;
  if (kind != LS_CELL_NUMBER)
    return;
  column->n_numbers++;
  if (value < floor (value) || value > floor (value))
    column->part_line = column->part_line > 0 ? column->part_line : line;
  if (comma && column->comma_line == 0)
    column->comma_line = line;
  if (point && column->point_line == 0)
    column->point_line = line;
}

static void
name_columns (LsSheet *sheet, const GArray *first)
{
  for (guint i = 0; i < sheet->n; i++)
    {
      g_autofree char *text = ls_cell_text (&g_array_index (first, LsCell, i));

      g_free (sheet->columns[i].name);
      sheet->columns[i].unnamed = sheet->header && *text == '\0';
      sheet->columns[i].name = sheet->header && *text != '\0' ? ls_printable (g_steal_pointer (&text))
                                                              : g_strdup_printf ("%u", i + 1);
    }
}

/* The first row names the columns if it holds no number, and either numbers stand under one of its names, or
 * none of its texts is there again. */
static gboolean
is_header (const LsSheet *sheet, const GArray *first)
{
  gboolean numbers = FALSE, again = FALSE, text = FALSE;

  for (guint i = 0; i < sheet->n; i++)
    {
      const LsColumn *column = &sheet->columns[i];
      const LsCell *cell = &g_array_index (first, LsCell, i);
      double value;
      const LsCellKind kind = ls_cell_kind (cell, sheet->csv.separator != ',', &value);

      if (kind == LS_CELL_NUMBER || kind == LS_CELL_INFINITE
          || ls_cell_kind (cell, FALSE, &value) == LS_CELL_NUMBER)
        return FALSE;
      text |= kind == LS_CELL_TEXT;
      numbers |= kind == LS_CELL_TEXT && column->n_numbers > 0 && column->n_texts == 0;
      again |= column->like_header;
    }
  return text && (numbers || !again);
}

static gboolean
check_finite (const LsSheet *sheet, GError **error)
{
  for (guint i = 0; i < sheet->n; i++)
    if (sheet->columns[i].infinite_line > 0 && sheet->columns[i].n_texts == 0) /* among texts “inf” is one */
      {
        g_set_error (
          error, LS_ERROR, LS_ERROR_DATA,
          _("“%s”, line %u: the number in column “%s” is not finite; leave the field empty, or the "
             "row out."),
          sheet->csv.name, sheet->columns[i].infinite_line, sheet->columns[i].name);
        return FALSE;
      }
  return TRUE;
}

/* The first row is looked at like all others if it is no header. */
static gboolean
look (LsSheet *sheet, GError **error)
{
  g_autoptr (GArray) first = NULL;
  gint got;

  if (ls_csv_read (&sheet->csv, sheet->cells, error) < 0)
    return FALSE;
  sheet->n = sheet->cells->len;
  if (sheet->n == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is empty."), sheet->csv.name);
  else if (sheet->n == 1)
    g_set_error (
      error, LS_ERROR, LS_ERROR_DATA,
      _("“%s” has one column only; a table has its columns separated by commas, semicolons, bars or "
         "tabs, one of them for the classes."),
      sheet->csv.name);
  if (sheet->n < 2)
    return FALSE;
  first = g_array_copy (sheet->cells);
  sheet->columns = g_new0 (LsColumn, sheet->n);
  name_columns (sheet, first);
  while ((got = ls_sheet_read (sheet, 0, error)) > 0)
    for (guint i = 0; i < sheet->n; i++)
      look_at (sheet, &sheet->columns[i], &g_array_index (sheet->cells, LsCell, i),
               &g_array_index (first, LsCell, i));
  if (got < 0)
    return FALSE;
  sheet->header = is_header (sheet, first);
  name_columns (sheet, first);
  sheet->csv.row_line = 1;
  for (guint i = 0; i < sheet->n && !sheet->header; i++)
    look_at (sheet, &sheet->columns[i], &g_array_index (first, LsCell, i), &g_array_index (first, LsCell, i));
  return check_finite (sheet, error);
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
  column->comma = column->comma_line > 0;
  if (column->n_texts > 0 && column->n_numbers > column->n_texts)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s”, line %u: what stands in column “%s” is no number, and %lld others there are."),
                   sheet->csv.name, column->text_line, column->name, (long long) column->n_numbers);
      return FALSE;
    }
  if (column->use == LS_COLUMN_NUMBER && column->comma_line > 0 && column->point_line > 0)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s”, line %u: column “%s” has numbers with a decimal comma, and others with a point."),
        sheet->csv.name, MAX (column->comma_line, column->point_line), column->name);
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
            ls_data_note (data,
                          _("Column “%s” has %u different texts and becomes as many columns of 0 and 1."),
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
  if (!ls_csv_open (&sheet->csv, path, error) || !look (sheet, error)
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
