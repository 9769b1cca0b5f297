/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The manual page and the completion as they are filled: every command with its words and options, every
 * option under its heading, and what a shell offers after it.
 */
#include "config.h"

#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "ui/cli/command.h"
#include "ui/help/help.h"

/* What that template becomes. (transfer full) */
static char *
filled (const char *format, const char *template)
{
  g_autofree char *path = NULL, *out = NULL, *err = NULL;
  const int fd = g_file_open_tmp ("lockstep-pages-XXXXXX", &path, NULL);
  const char *argv[] = { g_getenv ("LOCKSTEP_PAGES"), format, path, NULL };
  int status;

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_true (g_file_set_contents (path, template, -1, NULL));
  g_assert_true (
    g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (err, ==, "");
  g_assert_cmpint (g_unlink (path), ==, 0);
  return g_steal_pointer (&out);
}

/* From that heading to the next. (transfer full); NULL: there is none. */
static char *
section (const char *page, const char *heading)
{
  g_autofree char *line = g_strdup_printf (".Ss %s\n", heading);
  const char *at = strstr (page, line), *end;

  if (at == NULL)
    return NULL;
  at += strlen (line);
  end = strstr (at, "\n.Ss ");
  return end != NULL ? g_strndup (at, (gsize) (end - at) + 1) : g_strdup (at);
}

/* Which options are under which heading, said once more by names: first and last are enough to know one. */
static const struct {
  const char *title, *options, *commands;
} headings[] = {
  { "Network and data", "model data batch optimizer", "window train plan compare lab machines convert" },
  { "Reading data", "test-share missing label size seed",
    "window train plan data compare lab machines convert" },
  { "Steps", "steps epochs", "window train plan compare machines convert" },
  { "Run", "turns check-every", "window train plan compare" },
  { "Pace", "pace", "window train machines" },
  { "Lanes", "lanes", "window train plan compare lab machines bench" },
  { "CPU lane", "threads policy cpu-kernels", "window train plan compare lab machines bench devices" },
  { "OpenCL lane", "kernel device tile-edge", "window train plan compare lab bench" },
};

static gboolean
has_word (const char *words, const char *word)
{
  g_auto (GStrv) all = g_strsplit (words, " ", -1);

  return g_strv_contains ((const char *const *) all, word);
}

/* "A, B and C" of the headings that a command takes; (transfer full). */
static char *
headings_of (const char *command)
{
  const char *names[G_N_ELEMENTS (headings)];
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    if (has_word (headings[i].commands, command))
      names[n++] = headings[i].title;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", names[i]);
  return g_string_free (text, FALSE);
}

/* As it reads: macros away, lines joined. */
static char *
reads (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *words = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_str_has_prefix (lines[i], ".Sx ") ? lines[i] + 4 : lines[i];
      g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", line);
    }
  g_string_replace (words, " ,", ",", 0);
  g_string_replace (words, " .", ".", 0);
  g_string_replace (words, " :", ":", 0);
  return g_string_free (words, FALSE);
}

static void
test_commands (void)
{
  g_autofree char *page = filled ("man", "@COMMANDS@\n");
  const char *before = page;
  guint n;
  const LsCommand *const *commands = ls_commands (&n);

  for (guint i = 0; i < n; i++)
    {
      const LsCommand *command = commands[i];
      g_autofree char *heading = command->word != NULL
                                   ? g_strdup_printf ("%s %s", command->name, command->word)
                                   : g_strdup (command->name);
      g_autofree char *text = section (page, heading), *named = headings_of (command->name), *sentence = NULL;
      g_autofree char *begins = g_strdup_printf (".Ss %s\n", heading);
      const char *at = strstr (page, begins);
      guint items = 0;

      if (text == NULL)
        g_error ("there is nothing on “%s”", heading);
      g_assert_true (at > before || (i == 0 && at == page)); /* in the order of the help */
      before = at;
      g_assert_true (g_str_has_prefix (text, command->title));
      if (command->about != NULL)
        {
          g_autofree char *about = ls_command_about (command);
          about[strcspn (about, "-.:\\\n")] = '\0'; /* as far as it is the same there */
          if (*about == '\0' || strstr (text + strlen (command->title), about) == NULL)
            g_error ("of “%s” it isn’t said “%s …”", command->name, about);
        }
      g_autofree char *words = reads (text);
      sentence = g_strdup_printf ("%s the options under %s%s",
                                  ls_command_own (command) != NULL ? "Besides" : "Takes", named,
                                  ls_command_own (command) != NULL ? ":" : ".");
      if (*named != '\0' && strstr (words, sentence) == NULL)
        g_error ("of “%s” it doesn't say “%s”, but “%s”", command->name, sentence, words);
      if (*named == '\0')
        g_assert_null (strstr (words, "the options under"));
      for (const LsCommandOption *own = ls_command_own (command); own != NULL && own->name != NULL;
           own++, items++)
        {
          g_autofree char *item = own->arg != NULL
                                    ? g_strdup_printf (".It Fl -%s Ar %s\n", own->name, own->arg)
                                    : g_strdup_printf (".It Fl -%s\n", own->name);
          if (strstr (text, item) == NULL)
            g_error ("under “%s” there is no “%s”", command->name, item);
        }
      for (const char *it = text; (it = strstr (it, ".It Fl ")) != NULL; it++)
        items--;
      g_assert_cmpint ((int) items, ==, 0); /* and no others */
    }
}

/* Each option is under one of the headings, by its own word, with its choices and its default. */
static void
test_options (void)
{
  g_autofree char *page = filled ("man", "@OPTIONS@\n");
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      const LsOption *row = &rows[i];
      g_autofree char *item = row->arg != NULL ? g_strdup_printf ("\n.It Fl -%s Ar %s\n", row->name, row->arg)
                                               : g_strdup_printf ("\n.It Fl -%s\n", row->name);
      const char *at = strstr (page, item), *end;

      if (at == NULL)
        g_error ("it tells nothing of --%s", row->name);
      end = strstr (at + strlen (item), "\n.It ");
      g_autofree char *about = g_strndup (at, end != NULL ? (gsize) (end - at) + 1 : strlen (at));
      if (row->choices != NULL)
        {
          g_autofree char *list = g_strjoinv (", ", (char **) row->choices),
                          *choices = g_strdup_printf ("\nOne of %s.\n", list);
          g_assert_nonnull (strstr (about, choices));
        }
      else
        g_assert_null (strstr (about, "\nOne of "));
      g_autofree char *usual = g_strdup_printf ("\nThe default is %s.\n", row->default_text);
      g_assert_cmpint (strstr (about, usual) != NULL, ==, *row->default_text != '\0');
    }
  g_assert_nonnull (strstr (page, ".It Fl -race\nShort for"));
  for (guint h = 0; h < G_N_ELEMENTS (headings); h++)
    {
      g_autofree char *text = section (page, headings[h].title);
      g_auto (GStrv) names = g_strsplit (headings[h].options, " ", -1);

      g_assert_nonnull (text);
      for (guint i = 0; names[i] != NULL; i++)
        {
          g_autofree char *item = g_strdup_printf (".It Fl -%s ", names[i]);
          if (strstr (text, item) == NULL)
            g_error ("--%s isn't under “%s”", names[i], headings[h].title);
        }
    }
}

/* No line begins with what roff takes for its own, and no sentence is lost. */
static void
test_methods (void)
{
  g_autofree char *page = filled ("man", "@METHODS@\n"), *words = reads (page);
  g_autofree char *commands = filled ("man", "@COMMANDS@\n");
  GString *plain = g_string_new (words);

  g_string_replace (plain, "\\&", "", 0);
  g_string_replace (plain, "\\-", "-", 0);
  g_string_replace (plain, "\\e", "\\", 0);
  g_assert_nonnull (strstr (plain->str, ls_help_methods.lead));
  if (strstr (commands, "--") != NULL || strstr (commands, "\\--") != NULL || strstr (page, "\\--") != NULL)
    g_error ("a line may break at an option’s dash");
  g_assert_nonnull (strstr (commands, "\\-\\-"));
  for (const LsHelpEntry *entry = ls_help_methods.entries; entry->term != NULL; entry++)
    {
      g_autofree char *item = g_strdup_printf (".It %s %s", entry->term, entry->text);
      if (strstr (plain->str, item) == NULL)
        g_error ("it doesn't say “%s”", item);
    }
  g_string_free (plain, TRUE);
}

/* A version for the version; nothing of the other page. */
static void
test_marks (void)
{
  g_autofree char *man = filled ("man", "@VERSION@ @WORDS@ @VALUES@"),
                  *bash = filled ("bash", "@VERSION@ @METHODS@\n");
  g_assert_cmpstr (man, ==, LS_VERSION " @WORDS@ @VALUES@");
  g_assert_cmpstr (bash, ==, LS_VERSION " @METHODS@\n");
}

/* ---- the completion ---- */

/* After "COMMAND:--OPTION)" or "*:--OPTION)". */
static void
assert_offered (const char *page, const char *pattern, const char *offer)
{
  g_autofree char *line = g_strdup_printf ("    %s)%s%s ;;\n", pattern, *offer != '\0' ? " " : "", offer);

  if (strstr (page, line) == NULL)
    g_error ("it doesn't offer “%s”", line);
}

static void
assert_files (const char *page, const char *pattern, gboolean should)
{
  g_autofree char *begins = g_strdup_printf ("    %s)", pattern), *line = NULL;
  const char *at = strstr (page, begins);

  if (at == NULL)
    g_error ("it says nothing of “%s”", pattern);
  line = g_strndup (at, strcspn (at, "\n"));
  if (g_str_has_suffix (line, " files=yes ;;") != should || !g_str_has_suffix (line, " ;;"))
    g_error ("“%s” should %soffer files", line, should ? "" : "not ");
}

static void
test_completion (void)
{
  g_autofree char *values = filled ("bash", "@VALUES@\n"), *words = filled ("bash", "@WORDS@\n"),
                  *commands = filled ("bash", "@COMMANDS@"), *options = filled ("bash", "@OPTIONS@\n");
  g_autoptr (GString) names = g_string_new (NULL);
  guint n;
  const LsCommand *const *all = ls_commands (&n);
  const LsOption *rows;
  guint n_rows;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "", all[i]->name);
  g_assert_cmpstr (commands, ==, names->str);
  assert_offered (values, "*:--policy", "words='static round-robin dynamic steal'");
  assert_offered (values, "*:--optimizer", "words='sgd adam'");
  rows = ls_options_table (&n_rows);
  for (guint i = 0; i < n_rows; i++)
    if (rows[i].choices != NULL && strcmp (rows[i].name, "lanes") != 0
        && strcmp (rows[i].name, "backends") != 0)
      {
        g_autofree char *choices = g_strjoinv (" ", (char **) rows[i].choices),
                        *pattern = g_strdup_printf ("*:--%s", rows[i].name),
                        *offer = g_strdup_printf ("words='%s'", choices);
        assert_offered (values, pattern, offer);
      }
  assert_offered (values, "*:--kernel", "words='auto naive tiled register packed'");
  assert_offered (values, "render:--kernel", "words='naive tiled register packed'");
  assert_offered (values, "render:--side", "words='cpu opencl'");
  assert_offered (values, "tune:--model", "words='mlp cnn lstm'");
  assert_offered (values, "*:--threads", "");
  assert_offered (values, "*:--batch", "");
  assert_offered (values, "train:--save", "files=yes");
  assert_offered (values, "train:--json", "files=yes");
  assert_offered (values, "train:--from", "files=yes");
  assert_offered (values, "export:--csv", "files=yes");
  assert_offered (values, "lab:--seconds", "");
  assert_offered (values, "*:--backends", "words='cpu opencl reference reference-f64'");
  assert_offered (values, "*:--lanes", "words='cpu opencl reference reference-f64'");
  assert_offered (words, "export", "files=yes");
  assert_offered (
    words, "help",
    "words='start race partition tiles timeline network curves roofline scaling crossover machines "
    "planner claims methods'");
#ifdef HAVE_PAINT
  assert_offered (
    words, "render",
    "words='race partition tiles timeline network curves roofline scaling crossover machines planner "
    "claims'");
  assert_offered (values, "render:--style", "words='light dark print projector'");
#endif
  assert_offered (options, "export", "options='--help --perfetto --csv'");
  assert_offered (options, "help", "options='--help'");
  g_assert_nonnull (strstr (options, " --turns --race "));
  g_assert_nonnull (strstr (options, " --lanes --backends "));
  g_assert_nonnull (strstr (values, "    *:--data) words='mnist "));
  g_assert_nonnull (strstr (words, "    lab) words='list all sweep batch "));
  assert_offered (words, "convert", "words='int8 spiking'");
}

/* Files are offered where the argument is one, a folder, a recording or data, and nowhere else. */
static void
test_files (void)
{
  static const char *const files[] = { "FILE", "FOLDER", "RECORDING", "DATA", NULL };
  g_autofree char *values = filled ("bash", "@VALUES@\n"), *words = filled ("bash", "@WORDS@\n");
  guint n, n_rows, n_files = 0;
  const LsCommand *const *all = ls_commands (&n);
  const LsOption *rows = ls_options_table (&n_rows);

  for (guint i = 0; i < n; i++)
    {
      if (all[i]->word != NULL)
        assert_files (words, all[i]->name, g_strv_contains (files, all[i]->word));
      for (const LsCommandOption *own = ls_command_own (all[i]); own != NULL && own->name != NULL; own++)
        if (own->arg != NULL)
          {
            g_autofree char *pattern = g_strdup_printf ("%s:--%s", all[i]->name, own->name);

            assert_files (values, pattern, g_strv_contains (files, own->arg));
            n_files += strcmp (own->arg, "FOLDER") == 0 || strcmp (own->arg, "RECORDING") == 0;
          }
    }
  for (guint i = 0; i < n_rows; i++)
    {
      g_autofree char *pattern = g_strdup_printf ("*:--%s", rows[i].name);

      assert_files (values, pattern, rows[i].arg != NULL && g_strv_contains (files, rows[i].arg));
    }
  g_assert_cmpuint (n_files, >, 3);
}

/* After each command its own options and those of its groups, each once, and --help; --race, too, where there
 * is
 * --turns, and an option's other name. */
static void
test_offered_options (void)
{
  g_autofree char *options = filled ("bash", "@OPTIONS@\n");
  guint n, n_rows;
  const LsCommand *const *all = ls_commands (&n);
  const LsOption *rows = ls_options_table (&n_rows);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *begins = g_strdup_printf ("    %s) options='", all[i]->name), *line = NULL;
      const char *at = strstr (options, begins);
      guint expected = 1;

      if (at == NULL)
        g_error ("no option is offered after “%s”", all[i]->name);
      line = g_strndup (at + strlen (begins), strcspn (at + strlen (begins), "'"));
      g_assert_true (g_str_has_prefix (at + strlen (begins) + strlen (line), "' ;;\n"));
      g_assert_true (has_word (line, "--help"));
      for (guint k = 0; k < n_rows; k++)
        {
          g_autofree char *option = g_strdup_printf ("--%s", rows[k].name),
                          *other = rows[k].other != NULL ? g_strdup_printf ("--%s", rows[k].other) : NULL;
          const gboolean takes = (rows[k].group & all[i]->groups) != 0;
          gboolean own = FALSE;

          for (const LsCommandOption *o = ls_command_own (all[i]); o != NULL && o->name != NULL; o++)
            own |= strcmp (o->name, rows[k].name) == 0;
          if (has_word (line, option) != (takes || own) || (other != NULL && has_word (line, other) != takes))
            g_error ("after “%s” %s is %soffered", all[i]->name, option, takes || own ? "not " : "");
          expected += takes + (takes && other != NULL) + (takes && strcmp (rows[k].name, "turns") == 0);
        }
      for (const LsCommandOption *o = ls_command_own (all[i]); o != NULL && o->name != NULL; o++, expected++)
        {
          g_autofree char *option = g_strdup_printf ("--%s", o->name);

          if (!has_word (line, option))
            g_error ("after “%s” %s isn't offered", all[i]->name, option);
        }
      g_auto (GStrv) words = g_strsplit (line, " ", -1);
      if (g_strv_length (words) != expected)
        g_error ("after “%s” there are %u options, and %u are offered: %s", all[i]->name, expected,
                 g_strv_length (words), line);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/pages/commands", test_commands);
  g_test_add_func ("/cli/pages/options", test_options);
  g_test_add_func ("/cli/pages/methods", test_methods);
  g_test_add_func ("/cli/pages/marks", test_marks);
  g_test_add_func ("/cli/pages/completion", test_completion);
  g_test_add_func ("/cli/pages/files", test_files);
  g_test_add_func ("/cli/pages/offered-options", test_offered_options);
  return g_test_run ();
}
