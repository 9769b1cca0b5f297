/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the command line knows of the terminal it writes to: how wide it is, whether lines can be rewritten
 * there; and the texts of help, broken to fit into it.
 */
#include "captured.h"

#include <locale.h>

#include "ui/cli/command.h"
#include "ui/help/help.h"
#include "ui/report/terminal.h"

#define WIDEST 88 /* columns that a text has at most */

/* ---- what it is ---- */

typedef struct {
  gint width;
  gboolean live;
} Seen;

static void
look_cb (gconstpointer data)
{
  Seen *seen = (Seen *) data;

  seen->width = ls_terminal_width ();
  seen->live = ls_terminal_is_live ();
}

/* A serial line's terminal doesn't know how wide it is, and says 0; a file says nothing. */
static void
test_width (void)
{
  static const struct {
    guint columns;
    gint width;
  } rows[] = { { 1, 1 }, { 40, 40 }, { 80, 80 }, { 133, 133 }, { 0, 80 } };
  Seen seen;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *said = capture_on_terminal (rows[i].columns, look_cb, &seen);

      if (seen.width != rows[i].width)
        g_error ("a terminal that says it has %u columns is taken to have %d, not %d", rows[i].columns,
                 seen.width, rows[i].width);
      g_assert_cmpstr (said, ==, "");
    }
  g_auto (Captured) none = capture (look_cb, &seen);
  g_assert_cmpstr (none.out, ==, "");
  if (seen.width != 80)
    g_error ("lines of a file are taken to be %d columns wide, not 80", seen.width);
}

static char *term;

static void
look_as_cb (gconstpointer data)
{
  if (term != NULL)
    g_setenv ("TERM", term, TRUE);
  else
    g_unsetenv ("TERM");
  look_cb (data);
}

static void
test_live (void)
{
  static const struct {
    const char *term;
    gboolean live;
  } rows[] = { { "xterm", TRUE }, { "vt100", TRUE }, { "dumber", TRUE },
               { "dumb", FALSE }, { "", FALSE },     { NULL, FALSE } };
  Seen seen;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      term = (char *) rows[i].term;
      g_autofree char *said = capture_on_terminal (80, look_as_cb, &seen);
      g_assert_true (said != NULL);
      if (seen.live != rows[i].live)
        g_error ("with TERM=%s lines %s rewritten", term != NULL ? term : "(unset)",
                 rows[i].live ? "aren't" : "are");
      g_auto (Captured) in_file = capture (look_as_cb, &seen);
      g_assert_true (in_file.out != NULL);
      if (seen.live)
        g_error ("with TERM=%s lines of a file are rewritten", term != NULL ? term : "(unset)");
    }
}

/* ---- texts that fit into it ---- */

/* As many words onto a line as there is room for, and one at least. */
static void
append_wrapped (GString *to, const char *text, guint indent, guint width)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint at = 0;

  for (char **word = words; *word != NULL; word++)
    {
      const guint own = (guint) ls_text_width (*word);

      if (at > 0 && at + 1 + own <= width)
        g_string_append_printf (to, " %s", *word);
      else
        g_string_append_printf (to, "%s%*s%s", at > 0 ? "\n" : "", (int) indent, "", *word);
      at = at > 0 && at + 1 + own <= width ? at + 1 + own : indent + own;
    }
  g_string_append_c (to, '\n');
}

/* (transfer full) */
static char *
help_of (const LsHelpTopic *topic, guint width)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n\n", topic->title);
  append_wrapped (text, topic->lead, 0, width);
  for (const LsHelpEntry *entry = topic->entries; entry->term != NULL; entry++)
    {
      g_string_append_printf (text, "\n  %s\n", entry->term);
      append_wrapped (text, entry->text, 4, width);
    }
  return g_string_free (text, FALSE);
}

typedef struct {
  char *words[4];
  int status;
} Asked;

static void
help_cb (gconstpointer data)
{
  Asked *asked = (Asked *) data;

  asked->status = ls_cli_main (3, asked->words);
}

/* Each topic, on terminals too narrow for its longest words, on usual ones, and wider ones than can be read
 * well; the last column stays free. */
static void
test_help (void)
{
  static const struct {
    guint columns, width;
  } rows[] = { { 10, 9 },          { 24, 23 },         { 79, 78 },         { 87, 86 },
               { 88, WIDEST - 1 }, { 89, WIDEST - 1 }, { 200, WIDEST - 1 } };
  guint n;
  const LsHelpTopic *const *topics = ls_help_topics (&n);

  for (guint t = 0; t < n; t++)
    {
      g_autofree char *usual = help_of (topics[t], 79), *line = g_strdup_printf ("help|%s", topics[t]->name);
      g_auto (Captured) in_file = run (line);

      assert_lines (line, in_file.out, usual);
      for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          Asked asked = { { (char *) "lockstep", (char *) "help", (char *) topics[t]->name, NULL }, -1 };
          g_autofree char *said = capture_on_terminal (rows[i].columns, help_cb, &asked),
                          *expected = help_of (topics[t], rows[i].width),
                          *where = g_strdup_printf ("help %s, on %u columns", topics[t]->name,
                                                    rows[i].columns);
          g_auto (GStrv) parts = g_strsplit (said, "\r\n", -1);
          g_autofree char *lines = g_strjoinv ("\n", parts);

          assert_lines (where, lines, expected);
          g_assert_cmpint (asked.status, ==, LS_EXIT_DONE);
        }
    }
}

/* ---- figures and times ---- */

static void
test_figure (void)
{
  static const struct {
    LsFigure figure;
    const char *text;
  } rows[] = {
    { { .value = 5, .n = 0 }, "–" },
    { { .value = 1.23456, .n = 1, .q1 = 1, .q3 = 2 }, "1.235" },
    { { .value = 12.3456, .n = 1 }, "12.35" },
    { { .value = 123.456, .n = 1 }, "123.5" },
    { { .value = 1234.56, .n = 1 }, "1235" },
    { { .value = -1234.56, .n = 1 }, "-1235" },
    { { .value = 10, .n = 1 }, "10.00" },
    { { .value = 100, .n = 1 }, "100.0" },
    { { .value = 1000, .n = 1 }, "1000" },
    { { .value = 0, .n = 1 }, "0.000" },
    { { .value = 12, .n = 2, .q1 = 9.5, .q3 = 1100 }, "12.00 [9.500 … 1100]" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ls_figure_text (&rows[i].figure);

      if (g_strcmp0 (text, rows[i].text) != 0)
        g_error ("a figure of %u values with the median %g is “%s”, not “%s”", (guint) rows[i].figure.n,
                 rows[i].figure.value, text, rows[i].text);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/terminal/width", test_width);
  g_test_add_func ("/terminal/live", test_live);
  g_test_add_func ("/terminal/help", test_help);
  g_test_add_func ("/terminal/figure", test_figure);
  return g_test_run ();
}
