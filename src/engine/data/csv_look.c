/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first pass over a table's text: what each column's cells are, and whether the first row names the
 * columns.
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "data/csv_columns.h"

static void
note_line (guint *first, gboolean is_so, guint line)
{
  if (is_so && *first == 0)
    *first = line;
}

static void
look_at (LsSheet *sheet, LsColumn *column, const LsCell *cell, const LsCell *first)
{
  const guint line = sheet->csv.row_line;
  double value = 0, other = 0;
  LsCellKind kind = ls_cell_kind (cell, FALSE, &value);
  const gboolean has_point = memchr (cell->text, '.', cell->length) != NULL,
                 has_comma = memchr (cell->text, ',', cell->length) != NULL,
                 may_comma = sheet->csv.separator != ',' && (has_point || has_comma);
  const LsCellKind by_comma = may_comma ? ls_cell_kind (cell, TRUE, &other) : LS_CELL_TEXT;
  const gboolean point = kind == LS_CELL_NUMBER && (has_point || has_comma),
                 comma = by_comma == LS_CELL_NUMBER, both = point && comma;

  if (kind == LS_CELL_TEXT && by_comma != LS_CELL_TEXT)
    kind = by_comma;
  if (comma && (!both || has_comma))
    value = other;
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
  note_line (&column->comma_line, comma && !both, line);
  note_line (&column->point_line, point && !both, line);
  note_line (&column->maybe_comma_line, both && has_comma, line);
  note_line (&column->maybe_point_line, both && has_point, line);
}

/* What is one or the other, such as 1.234, is as the numbers that are certain; without these a point or comma
 * that is alone stands before the fraction. FALSE: both are meant; line: where. */
gboolean
ls_column_find_comma (LsColumn *column, guint *line)
{
  const gboolean certain = column->comma_line > 0 || column->point_line > 0;
  const guint comma = certain ? column->comma_line : column->maybe_comma_line,
              point = certain ? column->point_line : column->maybe_point_line;

  column->comma = comma > 0;
  *line = MAX (comma, point);
  return comma == 0 || point == 0;
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
gboolean
ls_sheet_look (LsSheet *sheet, GError **error)
{
  g_autoptr (GArray) first = NULL;
  guint first_line;
  gint got;

  if (ls_csv_read (&sheet->csv, sheet->cells, error) < 0)
    return FALSE;
  first_line = sheet->csv.row_line;
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
  sheet->csv.row_line = first_line;
  for (guint i = 0; i < sheet->n && !sheet->header; i++)
    look_at (sheet, &sheet->columns[i], &g_array_index (first, LsCell, i), &g_array_index (first, LsCell, i));
  return check_finite (sheet, error);
}
