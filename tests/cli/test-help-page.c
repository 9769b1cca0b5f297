/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lockstep help` says of a topic, and of a command.
 */
#include "captured.h"

#include <locale.h>
#include <string.h>

#include "ui/cli/command.h"
#include "ui/help/help.h"

/* The title and the lead begin at the edge, each entry's term below them, and its text below that. */
static void
assert_indents (const LsHelpTopic *topic, char **lines)
{
  guint k = 0;

  g_assert_cmpstr (lines[k++], ==, topic->title);
  g_assert_cmpstr (lines[k++], ==, "");
  for (; *lines[k] != '\0'; k++)
    if (*lines[k] == ' ')
      g_error ("%s: the lead's line “%s” doesn't begin at the edge", topic->name, lines[k]);
  for (const LsHelpEntry *entry = topic->entries; entry->term != NULL; entry++)
    {
      g_autofree char *term = g_strconcat ("  ", entry->term, NULL);

      g_assert_cmpstr (lines[k++], ==, "");
      g_assert_cmpstr (lines[k++], ==, term);
      g_assert_cmpstr (lines[k], !=, "");
      for (; lines[k] != NULL && *lines[k] != '\0'; k++)
        if (strspn (lines[k], " ") != 4)
          g_error ("%s, “%s”: the line “%s” isn't four columns from the edge", topic->name, entry->term,
                   lines[k]);
    }
  g_assert_cmpstr (lines[k], ==, "");
  g_assert_null (lines[k + 1]);
}

/* All of a topic's words in their order, on lines of 79 columns at most, each as full as it can be. */
static void
test_help (void)
{
  guint n;
  const LsHelpTopic *const *topics = ls_help_topics (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = g_strdup_printf ("help|%s", topics[i]->name);
      g_auto (Captured) said = run (line);
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
      g_autoptr (GString) expected = g_string_new (topics[i]->title);
      g_autoptr (GString) words = g_string_new (NULL);

      g_string_append_printf (expected, " %s", topics[i]->lead);
      for (const LsHelpEntry *entry = topics[i]->entries; entry->term != NULL; entry++)
        g_string_append_printf (expected, " %s %s", entry->term, entry->text);
      for (guint k = 0; lines[k] != NULL; k++)
        {
          const glong width = g_utf8_strlen (lines[k], -1);
          const gsize indent = strspn (lines[k], " ");

          if (*lines[k] == '\0')
            continue;
          g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", lines[k] + indent);
          if (width > 79)
            g_error ("“%s” has %ld columns", lines[k], width);
          /* the next line's first word had no room on this one */
          if (lines[k + 1] != NULL && *lines[k + 1] != '\0' && strspn (lines[k + 1], " ") == indent)
            g_assert_cmpint (width + 1 + (glong) strcspn (lines[k + 1] + indent, " "), >, 79);
        }
      g_assert_cmpstr (words->str, ==, expected->str);
      assert_indents (topics[i], lines);
      g_assert_cmpint (said.status, ==, 0);
    }
}

/* `help COMMAND` is what `COMMAND --help` is, but for those that are topics, too. */
static void
test_help_of_commands (void)
{
  guint n;
  const LsCommand *const *commands = ls_commands (&n);
  g_auto (Captured) all = run ("--help"), briefly = run ("-h");

  g_assert_cmpstr (briefly.out, ==, all.out);
  g_assert_cmpint (briefly.status, ==, 0);
  for (guint i = 0; i < n; i++)
    {
      const LsCommand *command = commands[i];
      g_autofree char *one = g_strdup_printf ("help|%s", command->name),
                      *other = g_strdup_printf ("%s|--help", command->name),
                      *row = g_strdup_printf ("\n  %-9s %s\n", command->name, command->title),
                      *usage = g_strdup_printf ("Usage:\n  lockstep %s [OPTION…]%s%s\n", command->name,
                                                command->word != NULL ? " " : "",
                                                command->word != NULL ? command->word : "");
      g_auto (Captured) said = run (one), helped = run (other);

      if (strstr (all.out, row) == NULL)
        g_error ("“--help” doesn't say “%s”", row);
      if (!g_str_has_prefix (helped.out, usage) || strstr (helped.out, command->title) == NULL)
        g_error ("“%s” says “%s”", other, helped.out);
      if (command->about != NULL)
        {
          g_autofree char *about = ls_command_about (command);
          if (strstr (helped.out, about) == NULL)
            g_error ("“%s” doesn’t say “%s”, but “%s”", other, about, helped.out);
        }
      if (ls_help_find (command->name) == NULL && strcmp (command->name, "help") != 0)
        g_assert_cmpstr (said.out, ==, helped.out);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/help-page/topics", test_help);
  g_test_add_func ("/cli/help-page/commands", test_help_of_commands);
  return g_test_run ();
}
