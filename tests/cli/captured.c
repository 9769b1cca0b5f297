/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See captured.h.
 */
#include "captured.h"

#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/cli/command.h"

/* Returns what was there before. */
static int
redirect (int fd, int to)
{
  const int before = dup (fd);

  g_assert_cmpint (before, >=, 0);
  g_assert_cmpint (dup2 (to, fd), ==, fd);
  return before;
}

static void
restore (int fd, int before)
{
  fflush (fd == STDOUT_FILENO ? stdout : stderr);
  g_assert_cmpint (dup2 (before, fd), ==, fd);
  close (before);
}

static char *
contents (FILE *file)
{
  const long n = (fseek (file, 0, SEEK_END), ftell (file));
  char *text = g_malloc0 ((gsize) n + 1);

  rewind (file);
  g_assert_cmpint ((long) fread (text, 1, (gsize) n, file), ==, n);
  fclose (file);
  return text;
}

Captured
capture (void (*say) (gconstpointer data), gconstpointer data)
{
  FILE *out = tmpfile (), *err = tmpfile ();

  fflush (stdout);
  const int stdout_before = redirect (STDOUT_FILENO, fileno (out)),
            stderr_before = redirect (STDERR_FILENO, fileno (err));
  say (data);
  restore (STDOUT_FILENO, stdout_before);
  restore (STDERR_FILENO, stderr_before);
  return (Captured){ contents (out), contents (err), 0 };
}

void
captured_clear (Captured *captured)
{
  g_clear_pointer (&captured->out, g_free);
  g_clear_pointer (&captured->err, g_free);
}

typedef struct {
  int fd;
  GString *text;
} Terminal;

/* Written last: what a terminal still holds when its other side is closed may be lost. */
#define END "\001"

static gpointer
read_terminal (gpointer data)
{
  Terminal *self = data;
  char piece[4096];
  ssize_t n;

  while (!g_str_has_suffix (self->text->str, END) && (n = read (self->fd, piece, sizeof piece)) > 0)
    g_string_append_len (self->text, piece, n);
  g_assert_true (g_str_has_suffix (self->text->str, END));
  g_string_truncate (self->text, self->text->len - strlen (END));
  return NULL;
}

char *
capture_on_terminal (guint columns, void (*say) (gconstpointer data), gconstpointer data)
{
  const struct winsize size = { .ws_row = 24, .ws_col = (unsigned short) columns };
  Terminal self = { .text = g_string_new (NULL) };
  int inside;

  g_assert_cmpint (openpty (&self.fd, &inside, NULL, NULL, &size), ==, 0);
  g_setenv ("TERM", "xterm", TRUE);
  fflush (stdout);
  const int stdout_before = redirect (STDOUT_FILENO, inside),
            stderr_before = redirect (STDERR_FILENO, inside);
  close (inside);
  GThread *reader = g_thread_new ("terminal", read_terminal, &self);
  say (data);
  fflush (stderr);
  fflush (stdout);
  g_assert_cmpint (write (STDOUT_FILENO, END, strlen (END)), ==, strlen (END));
  g_thread_join (reader);
  restore (STDERR_FILENO, stderr_before);
  restore (STDOUT_FILENO, stdout_before);
  close (self.fd);
  return g_string_free (self.text, FALSE);
}

void
assert_lines (const char *what, const char *said, const char *expected)
{
  g_auto (GStrv) is = g_strsplit (said, "\n", -1), should = g_strsplit (expected, "\n", -1);

  for (guint i = 0; is[i] != NULL || should[i] != NULL; i++)
    {
      if (g_strcmp0 (is[i], should[i]) != 0)
        g_error ("%s: line %u says\n  “%s”\nand should say\n  “%s”", what, i + 1,
                 is[i] != NULL ? is[i] : "(nothing follows)",
                 should[i] != NULL ? should[i] : "(nothing follows)");
      if (is[i] == NULL || should[i] == NULL)
        return;
    }
}

typedef struct {
  char **words;
  int status;
} Line;

static void
command_cb (gconstpointer data)
{
  Line *line = (Line *) data;

  line->status = (int) ls_cli_main ((int) g_strv_length (line->words), line->words);
}

Captured
run (const char *words)
{
  g_autofree char *all = g_strconcat ("lockstep|", words, NULL);
  g_auto (GStrv) argv = g_strsplit (all, "|", -1);
  Line line = { argv, -1 };
  Captured said = capture (command_cb, &line);

  said.status = line.status;
  return said;
}

char **
cells_of (const char *line)
{
  g_autoptr (GRegex) gaps = g_regex_new (" {2,}", 0, 0, NULL);
  g_autofree char *text = g_strstrip (g_strdup (line));

  return g_regex_split (gaps, text, 0);
}

void
assert_cell (const char *column, guint row, const char *cell, const char *should)
{
  if (g_strcmp0 (cell, should) != 0)
    g_error ("row %u: its %s is “%s”, and should be “%s”", row, column, cell, should);
}
