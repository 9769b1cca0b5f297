/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a child says is heard line by line, whatever it says and however it ends. A script stands in for it.
 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "child/child.h"
#include "scenario.h"

typedef struct {
  GString *heard; /* the numbers in the lines, a letter each */
  guint most;     /* so many lines are wanted */
} Ear;

static gboolean
heard_cb (const json_t *line, gpointer data)
{
  Ear *ear = data;
  gint64 n;

  if (line != NULL)
    g_string_append_c (ear->heard, (char) (ls_json_get_int (line, "n", 0, 25, &n, NULL) ? 'a' + n : 'z'));
  return ear->heard->len < ear->most;
}

/* Runs the shell's commands as the child; "abc" is what was heard. */
static void
run (const char *commands, guint most, const char *wanted, LsChild *child)
{
  g_autoptr (ScenarioFolder) folder = scenario_folder ();
  g_autofree char *self = g_build_filename (folder, "child", NULL),
                  *script = g_strconcat ("#!/bin/sh\n", commands, "\n", NULL),
                  *before = g_strdup (g_getenv ("LOCKSTEP_SELF"));
  g_autoptr (GString) heard = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *const arguments[] = { "one", "two", NULL };
  Ear ear = { heard, most };

  g_assert_true (g_file_set_contents (self, script, -1, NULL));
  g_assert_cmpint (g_chmod (self, 0755), ==, 0);
  g_setenv ("LOCKSTEP_SELF", self, TRUE);
  g_assert_true (ls_child_run (child, arguments, -1, 5000, heard_cb, &ear, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (heard->str, ==, wanted);
  if (before != NULL)
    g_setenv ("LOCKSTEP_SELF", before, TRUE);
  else
    g_unsetenv ("LOCKSTEP_SELF");
}

/* Whole lines, one in two pieces, one without an end; arguments come after the program's own command. */
static void
test_lines (void)
{
  LsChild child;

  run ("echo '{\"n\": 0}'; printf '{\"n\"'; sleep .1; printf ': 1}\\n{\"n\": 2}\\n'; printf '{\"n\": '$#'}'",
       99, "abcd", &child);
  g_assert_cmpuint (child.lines->len, ==, 4);
  g_assert_cmpint (json_integer_value (json_object_get (ls_child_last (&child), "n")), ==, 3);
  g_assert_null (child.garbled);
  g_assert_null (ls_child_fate (&child));
  ls_child_clear (&child);
}

/* A line that is no object is passed over, and told of; nothing said is nothing heard. */
static void
test_garbled (void)
{
  static const char *const lines[] = { "nonsense", "[1]", "{\"n\": 1, \"n\": 2}", "", "{\"n\": \"\\x\"}" };
  LsChild child;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *commands = g_strdup_printf ("cat <<'END'\n{\"n\": 0}\n%s\n{\"n\": 2}\nEND", lines[i]);
      run (commands, 99, "ac", &child);
      g_assert_nonnull (child.garbled);
      ls_child_clear (&child);
    }
  run ("true", 99, "", &child);
  g_assert_null (child.garbled);
  g_assert_null (ls_child_last (&child));
  ls_child_clear (&child);
}

/* How it ended, in words; what it said before counts. */
static void
test_ends (void)
{
  static const struct {
    const char *commands, *fate, *words;
  } ends[] = {
    { "echo '{\"n\": 0}'; exit 7", "it ended with status 7", "" },
    { "echo '{\"n\": 0}'; echo oh >&2; echo dear >&2; kill -9 $$", "it crashed (signal 9", ": dear" },
    { "echo '{\"n\": 0}'; printf '{\"n\": 1'; kill -11 $$", "it crashed (signal 11", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *fate = NULL, *words = NULL;
      LsChild child;
      run (ends[i].commands, 99, "a", &child);
      fate = ls_child_fate (&child);
      words = ls_child_last_words (&child);
      g_assert_nonnull (fate);
      g_assert_true (g_str_has_prefix (fate, ends[i].fate));
      g_assert_cmpstr (words, ==, ends[i].words);
      g_assert_null (child.garbled);
      ls_child_clear (&child);
    }
}

/* One that is silent, one that nobody wants to hear more of, and one that never ends a line, though it writes
 * for ever, are all killed. */
static void
test_killed (void)
{
  static const struct {
    const char *commands, *heard;
    guint most;
  } ends[] = {
    { "echo '{\"n\": 0}'; exec sleep 60", "a", 99 },
    { "echo '{\"n\": 0}'; echo '{\"n\": 1}'; exec sleep 60", "ab", 2 },
    { "exec yes nothing | tr -d '\\n'", "", 99 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *fate = NULL;
      LsChild child;
      g_setenv ("LOCKSTEP_CHILD_TIMEOUT_MS", "300", TRUE);
      run (ends[i].commands, ends[i].most, ends[i].heard, &child);
      g_unsetenv ("LOCKSTEP_CHILD_TIMEOUT_MS");
      g_assert_true (child.hung);
      fate = ls_child_fate (&child);
      g_assert_cmpstr (fate, ==, "it gave no sign of life for 0.3 s and was stopped");
      ls_child_clear (&child);
    }
}

/* Whoever never started one may clear it: no descriptor is closed. */
static void
test_never_started (void)
{
  LsChild child = { 0 };

  ls_child_clear (&child);
  g_assert_cmpint (fcntl (STDIN_FILENO, F_GETFD), >=, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl/child/lines", test_lines);
  g_test_add_func ("/opencl/child/garbled", test_garbled);
  g_test_add_func ("/opencl/child/ends", test_ends);
  g_test_add_func ("/opencl/child/killed", test_killed);
  g_test_add_func ("/opencl/child/never-started", test_never_started);
  return g_test_run ();
}
