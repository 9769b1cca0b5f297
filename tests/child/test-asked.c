/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A child that is asked and answers: lines and bytes both ways, what is told when there is no answer, and
 * what its end says of it. Shells and cat stand in for it.
 */
#include "config.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "child/child.h"
#include "core/error.h"
#include "tests/files/open_files.h"

#define MOST       (1 << 20)
#define PATIENT_MS 60000

static void
start (LsChild *child, const char *commands, int input)
{
  const char *const argv[] = { "/bin/sh", "-c", commands, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_child_start (child, argv, NULL, input, MOST, &error));
  g_assert_no_error (error);
  g_assert_cmpint (child->pid, >, 0);
}

static gint64
heard (LsChild *child, GError **error)
{
  json_t *line = ls_child_hear (child, PATIENT_MS, NULL, error);
  const gint64 n = line != NULL ? json_integer_value (json_object_get (line, "n")) : -1;

  json_decref (line);
  return n;
}

/* Lines come one by one and in their order, however they were written; one that is no object costs itself
 * alone. */
static void
test_lines (void)
{
  g_autoptr (GError) error = NULL, garbled = NULL, over = NULL;
  LsChild child;

  start (&child, "printf '{\"n\":1}\\n{\"n\":2}\\n{\"n'; printf '\":3}\\n[1]\\n{\"n\":4}\\n{\"n\":5}'",
         LS_CHILD_NONE);
  for (gint64 n = 1; n <= 3; n++)
    g_assert_cmpint (heard (&child, &error), ==, n);
  g_assert_no_error (error);
  g_assert_cmpint (heard (&child, &garbled), ==, -1);
  g_assert_error (garbled, LS_ERROR, LS_ERROR_DATA);
  g_assert_cmpint (heard (&child, &error), ==, 4);
  /* the last one has no end: it isn't whole */
  g_assert_cmpint (heard (&child, &over), ==, -1);
  g_assert_error (over, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_cmpstr (over->message, ==, "It stopped without an answer.");
  g_assert_cmpint (child.pid, ==, 0);
  ls_child_clear (&child);
}

/* Lines are taken as they become whole, whatever the pieces they came in; each is looked through from its own
 * beginning, also a short one after a long one that had to be waited for. */
static void
test_pieces (void)
{
  static const struct {
    const char *piece;
    const char *lines[4]; /* that are whole with it */
  } rows[] = {
    { "", { NULL } },
    { "a long line that has", { NULL } },
    { " no end for a while", { NULL } },
    { "\n{}\n", { "a long line that has no end for a while", "{}" } },
    { "\n\n", { "", "" } },
    { "one\ntwo\nthr", { "one", "two" } },
    { "ee\nx\n", { "three", "x" } },
    { "last", { NULL } },
    { "\n", { "last" } },
  };
  LsChild child = { .line = g_string_new (NULL) };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_string_append (child.line, rows[i].piece);
      for (guint k = 0; k == 0 || rows[i].lines[k - 1] != NULL; k++)
        {
          gsize length = 99;
          g_autofree char *line = ls_child_take_line (&child, &length);

          if (g_strcmp0 (line, rows[i].lines[k]) != 0)
            g_error ("with piece %zu line %u is “%s”, not “%s”", i, k, line, rows[i].lines[k]);
          g_assert_cmpuint (length, ==, line != NULL ? strlen (line) : 99);
        }
    }
  g_assert_cmpuint (child.line->len, ==, 0);
  g_string_free (child.line, TRUE);
}

/* What is said to it arrives as a line; bytes after a line, of any value, in
 * both directions. */
static void
test_bytes (void)
{
  static const gsize sizes[] = { 1, 7, 4096, 50000 };
  LsChild child;

  start (&child, "exec cat", LS_CHILD_PIPE);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const gsize size = sizes[i]; /* cat answers at once: all must fit into the pipes */
      g_autofree guint8 *sent = g_malloc (size), *taken = g_malloc0 (size);
      g_autoptr (GError) error = NULL;

      for (gsize k = 0; k < size; k++)
        sent[k] = (guint8) (k * 31 + k / 256 + i);
      g_assert_true (ls_child_say (&child, json_pack ("{s:i}", "n", (int) i + 1)));
      g_assert_true (ls_child_send (&child, sent, size, NULL));
      g_assert_cmpint (heard (&child, &error), ==, (gint64) i + 1);
      g_assert_true (ls_child_take (&child, taken, size, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpmem (taken, size, sent, size);
    }
  ls_child_end (&child, PATIENT_MS); /* its input is closed: it ends by itself */
  g_assert_null (ls_child_fate (&child));
  g_assert_false (ls_child_say (&child, json_pack ("{s:i}", "n", 1)));
  ls_child_clear (&child);
}

/* One that doesn't read holds up nobody who was told to stop: more than a pipe takes isn't waited for. */
static void
test_unread (void)
{
  static const guint8 many[1 << 20];
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  LsChild child;

  g_cancellable_cancel (cancel);
  start (&child, "exec sleep 10", LS_CHILD_PIPE);
  g_assert_false (ls_child_send (&child, many, sizeof many, cancel));
  g_usleep (100 * 1000); /* it closes its input a little before it has ended */
  if (!ls_child_look (&child, 0))
    g_error ("bytes that a child doesn't read are waited for until it ends, though that was stopped");
  ls_child_clear (&child);
}

/* Bytes that come after a while, and in pieces. */
static void
test_late (void)
{
  g_autoptr (GError) error = NULL;
  char bytes[11] = "";
  LsChild child;

  start (&child, "printf '{\"n\":9}\\n01'; sleep .1; printf 2345678; sleep .1; printf '9{\"n\":10}\\n'",
         LS_CHILD_NONE);
  g_assert_cmpint (heard (&child, &error), ==, 9);
  g_assert_true (ls_child_take (&child, bytes, 10, NULL, &error));
  g_assert_cmpstr (bytes, ==, "0123456789");
  g_assert_cmpint (heard (&child, &error), ==, 10);
  g_assert_no_error (error);
  ls_child_clear (&child);
}

/* Fewer bytes than were announced. */
static void
test_too_few (void)
{
  g_autoptr (GError) error = NULL;
  char bytes[10];
  LsChild child;

  start (&child, "printf '{\"n\":9}\\nabc'; exit 3", LS_CHILD_NONE);
  g_assert_cmpint (heard (&child, &error), ==, 9);
  g_assert_false (ls_child_take (&child, bytes, sizeof bytes, NULL, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_cmpstr (error->message, ==, "It stopped without an answer: it ended with status 3");
  g_assert_cmpint (memcmp (bytes, "abc", 3), ==, 0);
  ls_child_clear (&child);
}

/* One that is silent is stopped when it was waited for, or when nobody wants to wait; one that never ends a
 * line, when that is too long. */
static void
test_no_answer (void)
{
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (GError) hung = NULL, cancelled = NULL, endless = NULL;
  LsChild child;

  start (&child, "exec sleep 600", LS_CHILD_NONE);
  g_assert_null (ls_child_hear (&child, 50, NULL, &hung));
  g_assert_error (hung, LS_ERROR, LS_ERROR_HUNG);
  g_assert_cmpstr (hung->message, ==, "It had no answer after 0.05 s and was stopped.");
  g_assert_cmpint (child.pid, ==, 0);
  g_assert_false (ls_child_crashed (&child));
  ls_child_clear (&child);

  start (&child, "exec sleep 600", LS_CHILD_NONE);
  g_cancellable_cancel (cancel);
  g_assert_null (ls_child_hear (&child, PATIENT_MS, cancel, &cancelled));
  g_assert_error (cancelled, LS_ERROR, LS_ERROR_CANCELLED);
  g_assert_cmpstr (cancelled->message, ==, "It was stopped.");
  g_assert_cmpint (child.pid, ==, 0);
  ls_child_clear (&child);

  start (&child, "exec yes nothing | tr -d '\\n'", LS_CHILD_NONE);
  g_assert_null (ls_child_hear (&child, PATIENT_MS, NULL, &endless));
  g_assert_error (endless, LS_ERROR, LS_ERROR_DATA);
  g_assert_cmpstr (endless->message, ==, "It wrote a line without an end.");
  ls_child_clear (&child);
}

/* What its end says: by itself, by its own fault, or by somebody else's; and its last words, shortened. */
static void
test_ends (void)
{
  static const struct {
    const char *commands, *fate, *words;
    gboolean crashed;
    int signal, status;
  } rows[] = {
    { "exit 0", NULL, "", FALSE, 0, 0 },
    { "echo '  all is well  ' >&2; echo >&2; exit 0", NULL, ": all is well", FALSE, 0, 0 },
    { "echo one >&2; echo two >&2; exit 1", "it ended with status 1", ": two", TRUE, 0, 1 },
    { "exit 255", "it ended with status 255", "", TRUE, 0, 255 },
    { "kill -SEGV $$", "it crashed (signal 11, ", "", TRUE, SIGSEGV, 0 },
    { "kill -ABRT $$", "it crashed (signal 6, ", "", TRUE, SIGABRT, 0 },
    { "kill -KILL $$", "it crashed (signal 9, ", "", FALSE, SIGKILL, 0 },
    { "kill -TERM $$", "it crashed (signal 15, ", "", FALSE, SIGTERM, 0 },
    { "kill -HUP $$", "it crashed (signal 1, ", "", FALSE, SIGHUP, 0 },
    { "trap - INT; kill -INT $$", "it crashed (signal 2, ", "", FALSE, SIGINT, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      LsChild child;

      start (&child, rows[i].commands, LS_CHILD_NONE);
      g_assert_cmpint (heard (&child, &error), ==, -1);
      g_autofree char *fate = ls_child_fate (&child), *words = ls_child_last_words (&child);
      if ((fate == NULL) != (rows[i].fate == NULL)
          || (fate != NULL && !g_str_has_prefix (fate, rows[i].fate)))
        g_error ("of “%s” it says “%s”, not “%s”", rows[i].commands, fate, rows[i].fate);
      g_assert_cmpstr (words, ==, rows[i].words);
      g_assert_cmpint (child.signal, ==, rows[i].signal);
      g_assert_cmpint (child.status, ==, rows[i].status);
      if (ls_child_crashed (&child) != rows[i].crashed)
        g_error ("“%s” was %sits own fault", rows[i].commands, rows[i].crashed ? "not " : "");
      ls_child_clear (&child);
    }
  /* words of a driver that never stops are cut */
  LsChild child;
  g_autoptr (GError) error = NULL;
  start (&child, "i=0; while [ $i -lt 100 ]; do printf 1234567 >&2; i=$((i + 1)); done; exit 1",
         LS_CHILD_NONE);
  g_assert_cmpint (heard (&child, &error), ==, -1);
  g_autofree char *cut = ls_child_last_words (&child);
  g_assert_cmpuint (strlen (cut), ==, 302);
  ls_child_clear (&child);
}

/* It knows who started it; a program that isn't there is said. */
static void
test_start (void)
{
  static const char *const nowhere[] = { "/nonexistent/program", NULL };
  g_autofree char *commands = g_strdup_printf ("echo \"{\\\"n\\\": $LOCKSTEP_PARENT}\"");
  g_autoptr (GError) error = NULL, missing = NULL;
  LsChild child;

  start (&child, commands, LS_CHILD_NONE);
  g_assert_cmpint (heard (&child, &error), ==, (gint64) getpid ());
  ls_child_clear (&child);
  g_assert_false (ls_child_start (&child, nowhere, NULL, LS_CHILD_NONE, MOST, &missing));
  g_assert_error (missing, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_true (g_str_has_prefix (missing->message, "Its process can’t be started: "));
  ls_child_clear (&child);
}

/* However a child ends, nothing of it stays open: not its pipes, and not what stands in for its input. What
 * is the caller's stays open. */
static void
test_nothing_open (void)
{
  static const struct {
    const char *what, *commands;
    int input;
    guint patience_ms;
  } rows[] = {
    { "has ended by itself", "exit 0", LS_CHILD_NONE, PATIENT_MS },
    { "has ended by itself, asked", "exit 3", LS_CHILD_PIPE, PATIENT_MS },
    { "was silent, and was stopped", "exec sleep 600", LS_CHILD_PIPE, 10 },
    { "was stopped amid its words", "echo one >&2; printf '{\"n\":'; exec sleep 600", LS_CHILD_NONE, 10 },
    { "left another one behind", "sleep 2 & echo '{\"n\":1}'; exit 0", LS_CHILD_NONE, PATIENT_MS },
    { "wasn't heard to its end", "echo '{\"n\":1}'; exec sleep 600", LS_CHILD_PIPE, PATIENT_MS },
  };
  const guint before = count_open_files ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      LsChild child;

      start (&child, rows[i].commands, rows[i].input);
      json_decref (ls_child_hear (&child, rows[i].patience_ms, NULL, &error));
      ls_child_end (&child, 0);
      if (count_open_files () != before)
        g_error ("after a child that %s %u descriptors are open, and before it were %u", rows[i].what,
                 count_open_files (), before);
      for (guint k = 0; k < G_N_ELEMENTS (child.fds); k++)
        g_assert_cmpint (child.fds[k], ==, -1);
      ls_child_clear (&child);
      g_assert_cmpuint (count_open_files (), ==, before);
    }
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN); /* as the program does */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/child/asked/lines", test_lines);
  g_test_add_func ("/child/asked/pieces", test_pieces);
  g_test_add_func ("/child/asked/bytes", test_bytes);
  g_test_add_func ("/child/asked/unread", test_unread);
  g_test_add_func ("/child/asked/late", test_late);
  g_test_add_func ("/child/asked/too-few", test_too_few);
  g_test_add_func ("/child/asked/no-answer", test_no_answer);
  g_test_add_func ("/child/asked/ends", test_ends);
  g_test_add_func ("/child/asked/start", test_start);
  g_test_add_func ("/child/asked/nothing-open", test_nothing_open);
  return g_test_run ();
}
