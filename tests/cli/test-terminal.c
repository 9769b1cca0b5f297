/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the command line knows of the terminal it writes to: how wide it is, whether lines can be rewritten
 * there; that nothing it quotes moves the cursor; and the texts of help, broken to fit into it.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <string.h>

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

/* ---- what is printed there ---- */

#define GONE "\357\277\275" /* U+FFFD */

static void
print_cb (gconstpointer data)
{
  ls_terminal_print ("%s", (const char *) data);
  ls_terminal_complain ("%s", (const char *) data);
}

static void
rewrite_cb (gconstpointer data)
{
  ls_terminal_rewrite ("a line");
  ls_terminal_rewrite (data);
  ls_terminal_rewrite ("");
}

/* Letters of all scripts, line ends and tabs are printed; what a terminal would obey isn't. */
static void
test_obeyed (void)
{
  static const struct {
    const char *text, *printed;
  } rows[] = {
    { "", "" },
    { "two\tcells\nand a line\n", "two\tcells\nand a line\n" },
    { "Größe ≥ 2 µs, 日本, é", "Größe ≥ 2 µs, 日本, é" },
    { "می\u200cخواهم, क्\u200dष", "می\u200cخواهم, क्\u200dष" }, /* with their joiners */
    { "\033[2J\033]0;title\a", GONE "[2J" GONE "]0;title" GONE },
    { "over\rwritten\b\v\f", "over" GONE "written" GONE GONE GONE },
    { "\001\037 \177", GONE GONE " " GONE },
    { "\302\233"
      "2J",
      GONE "2J" }, /* the same escape in one character */
    { "a\342\200\256"
      "b\342\200\250"
      "c",
      "a" GONE "b" GONE "c" }, /* from right to left, and a line's end */
    { "\377\376", GONE GONE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Captured) said = capture (print_cb, rows[i].text);
      g_autofree char *shown = g_strescape (rows[i].text, NULL);

      assert_lines (shown, said.out, rows[i].printed);
      assert_lines (shown, said.err, rows[i].printed);
    }
  g_autofree char *line = capture_on_terminal (80, rewrite_cb, "90 %\033[7m");
  assert_lines ("a line that is rewritten", line, "\r\033[Ka line\r\033[K90 %" GONE "[7m\r\033[K");
}

/* What is saved is named in one line, whatever its name is. */
static void
test_saved (void)
{
  static const char *const commands[] = {
    "train|--lanes|cpu|--data|spiral|--model|flatten, dense 3|--steps|1|--save|",
    "train|--lanes|cpu|--data|spiral|--model|flatten, dense 3|--steps|1|--record|",
    "export|%|--perfetto|",
    "export|%|--csv|",
#ifdef HAVE_PAINT
    "render|race|--from|%|--out|",
#endif
  };
  g_autofree char *folder = g_dir_make_tmp ("lockstep-terminal-XXXXXX", NULL),
                  *example = g_test_build_filename (G_TEST_DIST, "..", "data", "recordings", "mlp.lockstep",
                                                    NULL),
                  *path = g_build_filename (folder, "\033[31mred\nSaved.png", NULL),
                  *expected = g_strdup_printf ("Saved %s/" GONE "[31mred" GONE "Saved.png\n", folder);

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (GString) line = g_string_new (commands[i]);

      g_string_append (line, path);
      g_string_replace (line, "%", example, 0);
      g_auto (Captured) said = run (line->str);
      if (said.status != 0 || strstr (said.out, expected) == NULL || strchr (said.out, '\033') != NULL)
        g_error ("“%s” ends with %d, says “%s” and “%s”, and not “%s”", commands[i], said.status, said.out,
                 said.err, expected);
      if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
        g_error ("“%s” has saved nothing under the name it was given", commands[i]);
    }
  remove_tree (folder);
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

/* Columns stand under each other, also where a character is two columns wide, or none. */
static void
table_cb (gconstpointer data)
{
  static const char *const cells[] = { "深層学習", "1", "e\u0301", "22", "plain", "333" };
  g_autoptr (LsTable) table = ls_table_new ("lr");

  for (gsize i = 0; i < G_N_ELEMENTS (cells); i++)
    ls_table_add (table, "%s", cells[i]);
  ls_table_print (table);
}

static void
test_table (void)
{
  g_auto (Captured) said = capture (table_cb, NULL);

  assert_lines ("a table of wide characters", said.out,
                "深層学習    1\n"
                "e\u0301          22\n"
                "plain     333\n");
}

/* How far off: with its sign, but for what rounds to nothing. */
static void
test_off (void)
{
  static const struct {
    double off;
    int decimals;
    const char *text;
  } cases[] = {
    { .06, 0, "+6 %" },       { -.06, 0, "-6 %" },      { 0, 0, "0 %" },           { .004, 0, "0 %" },
    { -.004, 0, "0 %" },      { .006, 0, "+1 %" },      { -.006, 0, "-1 %" },      { 12.5, 0, "+1250 %" },
    { .0031, 2, "+0.31 %" },  { -.0031, 2, "-0.31 %" }, { 0, 2, "0.00 %" },        { .00004, 2, "0.00 %" },
    { -.00004, 2, "0.00 %" }, { .00006, 2, "+0.01 %" }, { -.00006, 2, "-0.01 %" }, { .005, 0, "+1 %" },
    { -.005, 0, "-1 %" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = ls_off_text (cases[i].off, cases[i].decimals);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/terminal/width", test_width);
  g_test_add_func ("/terminal/live", test_live);
  g_test_add_func ("/terminal/obeyed", test_obeyed);
  g_test_add_func ("/terminal/saved", test_saved);
  g_test_add_func ("/terminal/help", test_help);
  g_test_add_func ("/terminal/figure", test_figure);
  g_test_add_func ("/terminal/off", test_off);
  g_test_add_func ("/terminal/table", test_table);
  return g_test_run ();
}
