/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing in the terminal's character set, durations and figures in words, and tables. See terminal.h.
 */
#include "config.h"
#include "ui/report/terminal.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/error.h"

#define ERASE_LINE "\r\033[K"

/* What is printed may quote an argument, a file or a driver: none of them moves the cursor. */
static void G_GNUC_PRINTF (2, 0) put (FILE *stream, const char *format, va_list args)
{
  g_autofree char *text = ls_printable_lines (g_strdup_vprintf (format, args));
  g_autofree char *ascii = g_get_charset (NULL) ? NULL : g_str_to_ascii (text, NULL);

  fputs (ascii != NULL ? ascii : text, stream);
  fflush (stream);
}

void
ls_terminal_print (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  put (stdout, format, args);
  va_end (args);
}

void
ls_terminal_complain (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  put (stderr, format, args);
  va_end (args);
}

void
ls_terminal_rewrite (const char *line)
{
  fputs (ERASE_LINE, stdout);
  ls_terminal_print ("%s", line);
}

gboolean
ls_terminal_is_live (void)
{
  const char *term = g_getenv ("TERM");
  return isatty (STDOUT_FILENO) && term != NULL && *term != '\0' && strcmp (term, "dumb") != 0;
}

gint
ls_terminal_width (void)
{
  struct winsize size;
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

gint
ls_text_width (const char *text)
{
  gint width = 0;
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);
      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

/* As many digits as a reader needs to see a difference of one in a thousand. */
static char *
number_text (double value)
{
  double size = fabs (value);
  int decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return g_strdup_printf ("%.*f", decimals, value);
}

char *
ls_figure_text (const LsFigure *figure)
{
  g_autofree char *median = number_text (figure->value), *q1 = number_text (figure->q1),
                  *q3 = number_text (figure->q3);

  if (figure->n == 0)
    return g_strdup ("–");
  return figure->n == 1 ? g_steal_pointer (&median) : g_strdup_printf ("%s [%s … %s]", median, q1, q3);
}

char *
ls_duration_text (double seconds)
{
  gint64 s = (gint64) (CLAMP (seconds, 0, 1e9) + 0.5);

  if (s < 60)
    return g_strdup_printf (_("%d s"), (int) s);
  if (s < 3600)
    return g_strdup_printf (_("%d min %d s"), (int) (s / 60), (int) (s % 60));
  return g_strdup_printf (_("%d h %d min"), (int) (s / 3600), (int) (s / 60 % 60));
}

struct _LsTable {
  char *align;
  guint n_columns;
  GPtrArray *cells;
};

LsTable *
ls_table_new (const char *align)
{
  LsTable *table = g_new0 (LsTable, 1);
  table->align = g_strdup (align);
  table->n_columns = (guint) strlen (align);
  table->cells = g_ptr_array_new_with_free_func (g_free);
  return table;
}

void
ls_table_free (LsTable *table)
{
  if (table == NULL)
    return;
  g_free (table->align);
  g_ptr_array_unref (table->cells);
  g_free (table);
}

char *
ls_terminal_digits (double value, int digits)
{
  return value < pow (10, digits) - .5 ? g_strdup_printf ("%.*g", digits, value)
                                       : g_strdup_printf ("%.0f", value);
}

char *
ls_off_text (double off, int decimals)
{
  const double unit = pow (10, decimals), percent = round (100 * off * unit) / unit;

  return g_strdup_printf (percent == 0 ? "%.*f %%" : "%+.*f %%", decimals, percent == 0 ? 0 : percent);
}

void
ls_table_add (LsTable *table, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_ptr_array_add (table->cells, g_strdup_vprintf (format, args));
  va_end (args);
}

void
ls_table_print (const LsTable *table)
{
  g_autofree gint *widths = g_new0 (gint, table->n_columns);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < table->cells->len; i++)
    widths[i % table->n_columns] = MAX (widths[i % table->n_columns], ls_text_width (table->cells->pdata[i]));

  for (guint i = 0; i < table->cells->len; i++)
    {
      guint column = i % table->n_columns;
      const char *text = table->cells->pdata[i];
      gint pad = widths[column] - ls_text_width (text);

      if (table->align[column] == 'r')
        g_string_append_printf (line, "%*s%s", pad, "", text);
      else
        g_string_append_printf (line, "%s%*s", text, pad, "");
      if (column + 1 < table->n_columns)
        {
          g_string_append (line, "  ");
          continue;
        }
      g_strchomp (line->str);
      ls_terminal_print ("%s\n", line->str);
      g_string_truncate (line, 0);
    }
}
