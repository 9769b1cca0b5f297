/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See csv.h.
 */
#include "config.h"
#include "data/csv.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "data/limits.h"
#include "files/input.h"

#define LOOKED_AT 20 /* rows, to find the separator */

/* ---- the text ---- */

static gboolean
refuse_long (const LsCsv *csv, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is longer than %lld bytes, which isn’t read."),
               csv->name, (long long) LS_DATA_MAX_TEXT);
  return FALSE;
}

/* One byte more than it should be: it proves the end. Packed text grows as it comes, and what packs as no
 * text does is refused. */
static gboolean
read_text (LsCsv *csv, LsInput *input, GError **error)
{
  const gint64 size = ls_input_size (input);
  gsize room = size >= 0 ? (gsize) size + 1 : 1 << 20;
  gssize got = 1;

  if (size > LS_DATA_MAX_TEXT)
    return refuse_long (csv, error);
  while (got > 0)
    {
      char *larger = g_try_realloc (csv->text, room + 1);

      if (larger == NULL)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                       _("“%s” needs %lld bytes of memory, which can’t be had."), csv->name,
                       (long long) room);
          return FALSE;
        }
      csv->text = larger;
      got = ls_input_read (input, csv->text + csv->bytes, room - csv->bytes, error);
      if (got < 0)
        return FALSE;
      csv->bytes += (gsize) got;
      if (csv->bytes < room)
        break;
      if (!ls_input_may_hold (input, (gint64) room + 1, error))
        return FALSE;
      if (csv->bytes > LS_DATA_MAX_TEXT)
        return refuse_long (csv, error);
      room *= 2;
    }
  csv->text[csv->bytes] = '\0';
  return TRUE;
}

static guint
line_of (const LsCsv *csv, gsize at)
{
  guint line = 1;

  for (gsize i = 0; i < at; i++)
    line += csv->text[i] == '\n' || (csv->text[i] == '\r' && csv->text[i + 1] != '\n');
  return line;
}

static gboolean
check_text (const LsCsv *csv, GError **error)
{
  const guint8 *head = (const guint8 *) csv->text;
  const char *bad = NULL;

  if (csv->bytes >= 2 && ((head[0] == 0xff && head[1] == 0xfe) || (head[0] == 0xfe && head[1] == 0xff)))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is UTF-16 text; save the table as UTF-8."),
                   csv->name);
      return FALSE;
    }
  if (!g_utf8_validate_len (csv->text, csv->bytes, &bad))
    {
      const guint line = line_of (csv, (gsize) (bad - csv->text));

      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   *bad == '\0' ? _("“%s”, line %u: there is a NUL byte, which no text has.")
                                : _("“%s”, line %u: this is no UTF-8 text; save the table as UTF-8."),
                   csv->name, line);
      return FALSE;
    }
  return TRUE;
}

/* ---- rows ---- */

static gboolean
is_end (char c)
{
  return c == '\0' || c == '\n' || c == '\r';
}

static void
skip_end (LsCsv *csv)
{
  if (csv->at >= csv->bytes)
    return;
  if (csv->text[csv->at] == '\r' && csv->text[csv->at + 1] == '\n')
    csv->at++;
  csv->at++;
  csv->line++;
}

static gboolean
is_blank (char c, char separator)
{
  return (c == ' ' || c == '\t') && c != separator;
}

/* Between the quotes, which may hold line ends. */
static gboolean
read_quoted (LsCsv *csv, LsCell *cell, GError **error)
{
  const guint line = csv->line;
  const char *c = csv->text + csv->at + 1, *end = csv->text + csv->bytes;

  cell->text = c;
  for (; c < end; c++)
    {
      csv->line += *c == '\n' || (*c == '\r' && c[1] != '\n');
      if (*c != '"')
        continue;
      if (c[1] != '"')
        break;
      cell->doubled = TRUE;
      c++;
    }
  if (c >= end)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s”, line %u: a quoted field begins here and never ends."), csv->name, line);
      return FALSE;
    }
  cell->length = (guint) (c - cell->text);
  csv->at = (gsize) (c + 1 - csv->text);
  while (is_blank (csv->text[csv->at], csv->separator))
    csv->at++;
  if (csv->text[csv->at] != csv->separator && !is_end (csv->text[csv->at]))
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s”, line %u: a quoted field goes on after its closing quote; quotes in it are doubled."),
        csv->name, csv->line);
      return FALSE;
    }
  return TRUE;
}

static void
read_bare (LsCsv *csv, LsCell *cell)
{
  const char *c = csv->text + csv->at, *end;

  cell->text = c;
  while (*c != csv->separator && !is_end (*c))
    c++;
  csv->at = (gsize) (c - csv->text);
  for (end = c; end > cell->text && is_blank (end[-1], csv->separator);)
    end--;
  cell->length = (guint) (end - cell->text);
}

gint
ls_csv_read (LsCsv *csv, GArray *cells, GError **error)
{
  gboolean more = TRUE;

  g_array_set_size (cells, 0);
  for (;; skip_end (csv))
    {
      while (is_blank (csv->text[csv->at], csv->separator))
        csv->at++;
      if (csv->at >= csv->bytes)
        return 0;
      if (!is_end (csv->text[csv->at]))
        break;
    }
  csv->row_line = csv->line;
  while (more)
    {
      LsCell cell = { NULL, 0, FALSE };

      while (is_blank (csv->text[csv->at], csv->separator))
        csv->at++;
      if (csv->text[csv->at] != '"')
        read_bare (csv, &cell);
      else if (!read_quoted (csv, &cell, error))
        return -1;
      if (cells->len >= LS_DATA_MAX_COLUMNS)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s”, line %u has more than %d columns."),
                       csv->name, csv->row_line, LS_DATA_MAX_COLUMNS);
          return -1;
        }
      g_array_append_val (cells, cell);
      more = csv->text[csv->at] == csv->separator;
      if (more)
        csv->at++;
    }
  skip_end (csv);
  return 1;
}

char *
ls_cell_text (const LsCell *cell)
{
  GString *text = g_string_new_len (cell->text, cell->length);

  if (cell->doubled)
    g_string_replace (text, "\"\"", "\"", 0);
  return g_string_free (text, FALSE);
}

/* ---- cells ---- */

static gboolean
is_word (const LsCell *cell, const char *const *words)
{
  for (; *words != NULL; words++)
    if (strlen (*words) == cell->length && g_ascii_strncasecmp (cell->text, *words, cell->length) == 0)
      return TRUE;
  return FALSE;
}

/* Whether the cell's digits are in groups of three, all of them, up to the point: 1.234.567,8; no number has
 * a zero before its groups. */
static gboolean
is_grouped (const LsCell *cell, char group, char point)
{
  const char *c = cell->text, *end = c + cell->length;
  guint digits = 0;

  c += c < end && (*c == '+' || *c == '-');
  if (c >= end || *c == '0')
    return FALSE;
  for (; c < end && g_ascii_isdigit (*c); c++)
    digits++;
  if (digits < 1 || digits > 3)
    return FALSE;
  for (; c < end && *c == group; c += 4)
    if (end - c < 4 || !g_ascii_isdigit (c[1]) || !g_ascii_isdigit (c[2]) || !g_ascii_isdigit (c[3]))
      return FALSE;
  if (c < end && *c++ != point)
    return FALSE;
  while (c < end && g_ascii_isdigit (*c))
    c++;
  return c == end;
}

LsCellKind
ls_cell_kind (const LsCell *cell, gboolean comma, double *value)
{
  static const char *const gaps[] = { "", "na", "n/a", "nan", "null", "?", NULL };
  static const char *const infinite[] = { "inf", "+inf", "-inf", "infinity", "-infinity", NULL };
  const char point = comma ? ',' : '.', group = comma ? '.' : ',';
  char text[64], *end;
  gboolean digit = FALSE, groups = FALSE;
  guint n = 0;

  if (is_word (cell, gaps))
    return LS_CELL_GAP;
  if (is_word (cell, infinite))
    return LS_CELL_INFINITE;
  if (cell->length >= sizeof text)
    return LS_CELL_TEXT;
  for (guint i = 0; i < cell->length; i++)
    {
      const char c = cell->text[i];

      if (c == group)
        {
          groups = TRUE;
          continue;
        }
      if (!g_ascii_isdigit (c) && c != '+' && c != '-' && c != 'e' && c != 'E' && c != point)
        return LS_CELL_TEXT;
      text[n++] = c == point ? '.' : c;
      digit |= g_ascii_isdigit (c);
    }
  text[n] = '\0';
  if (groups && !is_grouped (cell, group, point))
    return LS_CELL_TEXT;
  *value = g_ascii_strtod (text, &end);
  return !digit || *end != '\0' ? LS_CELL_TEXT : isfinite (*value) ? LS_CELL_NUMBER : LS_CELL_INFINITE;
}

/* ---- the separator ---- */

static const char separators[] = { '\t', ';', '|', ',' };

/* Spreadsheets are told by a first line such as “sep=;”, which is no row. */
static gboolean
is_told (LsCsv *csv)
{
  const char *line = csv->text + csv->begin;

  if (csv->bytes < csv->begin + 5 || g_ascii_strncasecmp (line, "sep=", 4) != 0 || !is_end (line[5])
      || memchr (separators, line[4], sizeof separators) == NULL)
    return FALSE;
  csv->separator = line[4];
  csv->begin += 5 + (line[5] == '\r' && line[6] == '\n');
  csv->begin += csv->begin < csv->bytes;
  csv->begin_line = 2;
  return TRUE;
}

/* As many cells in each of the first rows, and more than one; 0: not so. */
static guint
columns_with (LsCsv *csv, char separator)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (LsCell));
  guint columns = 0;

  csv->separator = separator;
  ls_csv_rewind (csv);
  for (guint row = 0; row < LOOKED_AT; row++)
    {
      const gint got = ls_csv_read (csv, cells, NULL);

      if (got < 0 || (got > 0 && columns > 0 && cells->len != columns))
        return 0;
      if (got == 0)
        break;
      columns = cells->len;
    }
  return columns > 1 ? columns : 0;
}

/* Commas come last: they may be the decimal ones of a table that has other separators. If no row is like the
 * next, the first row decides, and the reader will say which one is unlike it. */
static void
find_separator (LsCsv *csv)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (LsCell));
  guint most = 0;
  char best = ',';

  for (gsize i = 0; i < sizeof separators; i++)
    if (columns_with (csv, separators[i]) > 0)
      return;
  for (gsize i = 0; i < sizeof separators; i++)
    {
      csv->separator = separators[i];
      ls_csv_rewind (csv);
      if (ls_csv_read (csv, cells, NULL) != 0 && cells->len > most)
        {
          most = cells->len;
          best = separators[i];
        }
    }
  csv->separator = best;
}

/* ---- opening ---- */

gboolean
ls_csv_open (LsCsv *csv, const char *path, GError **error)
{
  g_autoptr (LsInput) input = NULL;

  csv->name = ls_file_display_name (path);
  input = ls_input_open (path, error);
  if (input == NULL || !read_text (csv, input, error) || !check_text (csv, error))
    return FALSE;
  csv->begin = csv->bytes >= 3 && memcmp (csv->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  csv->begin_line = 1;
  if (!is_told (csv))
    find_separator (csv);
  ls_csv_rewind (csv);
  return TRUE;
}

void
ls_csv_clear (LsCsv *csv)
{
  g_clear_pointer (&csv->name, g_free);
  g_clear_pointer (&csv->text, g_free);
}

void
ls_csv_rewind (LsCsv *csv)
{
  csv->at = csv->begin;
  csv->line = csv->begin_line;
}
