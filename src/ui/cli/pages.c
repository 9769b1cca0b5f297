/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lockstep-pages man|bash TEMPLATE: run by the build, not installed. Fills the tables of commands and options
 * into the manual page (mdoc) or the completion for bash, so that neither can say other than the program. The
 * template's marks are @COMMANDS@, @OPTIONS@, @METHODS@, @VALUES@, @WORDS@ and @VERSION@. English only: no
 * locale is set here.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "data/dataset.h"
#include "lab/experiment.h"
#include "machines/converted/converted.h"
#include "model/ladder.h"
#include "model/spec.h"
#include "ui/cli/bench/steps.h"
#include "ui/cli/command.h"
#include "ui/help/help.h"
#ifdef HAVE_PAINT
#include "ui/paint/scene/style.h"
#include "ui/paint/views.h"
#endif

/* Each heading with the options that are under it: those of one group, but for those of the other. */
static const struct {
  guint group, but;
  const char *title;
} groups[] = {
  { LS_OPTION_GROUP_MODEL, 0, "Network and data" },
  { LS_OPTION_GROUP_DATA, 0, "Reading data" },
  { LS_OPTION_GROUP_STEPS, 0, "Steps" },
  { LS_OPTION_GROUP_RUN, LS_OPTION_GROUP_STEPS, "Run" },
  { LS_OPTION_GROUP_PACE, LS_OPTION_GROUP_STEPS, "Pace" },
  { LS_OPTION_GROUP_LANES, 0, "Lanes" },
  { LS_OPTION_GROUP_CPU, 0, "CPU lane" },
  { LS_OPTION_GROUP_OPENCL, 0, "OpenCL lane" },
};

static gboolean
is_under (const LsOption *row, guint heading)
{
  return (row->group & groups[heading].group) && !(row->group & groups[heading].but);
}

/* The manual page */

/* Help text as mdoc: a sentence, with what roff would take for its own escaped. */
static void
put_text (GString *out, const char *text)
{
  gboolean line_start = TRUE;

  for (const char *c = text; *c != '\0'; c++)
    {
      if (line_start && (*c == '.' || *c == '\''))
        g_string_append (out, "\\&");
      if (*c == '\\')
        g_string_append (out, "\\e");
      else if (*c == '-' && (c[1] == '-' || (c > text && c[-1] == '-')))
        g_string_append (out, "\\-"); /* of an option: not a hyphen, at which a line may break */
      else if (g_str_has_prefix (c, ". "))
        {
          g_string_append (out, ".\n");
          c++;
        }
      else
        g_string_append_c (out, *c);
      line_start = out->str[out->len - 1] == '\n';
    }
  g_string_append (out, strchr (".!?\n", out->str[out->len - 1]) != NULL ? "\n" : ".\n");
}

static void
put_man_option (GString *out, const char *name, const char *arg, const char *help)
{
  g_string_append_printf (out, ".It Fl -%s", name);
  if (arg != NULL)
    g_string_append_printf (out, " Ar %s", arg);
  g_string_append_c (out, '\n');
  put_text (out, help);
}

static void
put_man_row (GString *out, const LsOption *row)
{
  g_autofree char *help = ls_data_option_help (row), *same = g_strdup_printf ("The same as --%s", row->name);

  if (row->other != NULL)
    put_man_option (out, row->other, row->arg, same);

  put_man_option (out, row->name, row->arg, help);
  if (row->choices != NULL)
    {
      g_autofree char *choices = g_strjoinv (", ", (char **) row->choices);
      g_string_append_printf (out, "One of %s.\n", choices);
    }
  if (*row->default_text != '\0')
    g_string_append_printf (out, "The default is %s.\n", row->default_text);
  if (strcmp (row->name, "turns") == 0)
    put_man_option (out, "race", NULL, "Short for --turns=race.");
}

/* Whoever takes these groups takes options under that heading. */
static gboolean
takes_any (guint taken, guint heading)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if ((rows[i].group & taken) && is_under (&rows[i], heading))
      return TRUE;
  return FALSE;
}

/* The headings of the options that a command takes: “A, B and C”. */
static void
put_man_groups (GString *out, guint taken, const char *before, const char *after)
{
  const char *titles[G_N_ELEMENTS (groups)];
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (takes_any (taken, i))
      titles[n++] = groups[i].title;
  g_string_append_printf (out, ".Pp\n%s the options under\n", before);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, ".Sx %s%s\n", titles[i], i + 1 == n ? after : i + 2 == n ? "\nand" : " ,");
}

static void
put_man_command (GString *out, const LsCommand *command)
{
  const LsCommandOption *all = ls_command_own (command);

  g_string_append_printf (out, ".Ss %s%s%s\n", command->name, command->word != NULL ? " " : "",
                          command->word != NULL ? command->word : "");
  put_text (out, command->title);
  if (command->about != NULL)
    {
      g_autofree char *about = ls_command_about (command);
      put_text (out, about);
    }
  if (command->groups != 0)
    put_man_groups (out, command->groups, all != NULL ? "Besides" : "Takes", all != NULL ? " :" : " .");
  if (all == NULL)
    return;
  g_string_append (out, ".Bl -tag -width Ds\n");
  for (const LsCommandOption *own = all; own->name != NULL; own++)
    put_man_option (out, own->name, own->arg, own->help);
  g_string_append (out, ".El\n");
}

static void
man_commands (GString *out)
{
  guint n;
  const LsCommand *const *commands = ls_commands (&n);

  for (guint i = 0; i < n; i++)
    put_man_command (out, commands[i]);
}

static void
man_options (GString *out)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_string_append_printf (out, ".Ss %s\n.Bl -tag -width Ds\n", groups[i].title);
      for (guint j = 0; j < n; j++)
        if (is_under (&rows[j], i))
          put_man_row (out, &rows[j]);
      g_string_append (out, ".El\n");
    }
}

/* How we measure: the help's own text. */
static void
man_methods (GString *out)
{
  put_text (out, ls_help_methods.lead);
  g_string_append (out, ".Bl -tag -width Ds\n");
  for (const LsHelpEntry *entry = ls_help_methods.entries; entry->term != NULL; entry++)
    {
      g_string_append_printf (out, ".It %s\n", entry->term);
      put_text (out, entry->text);
    }
  g_string_append (out, ".El\n");
}

/* The completion */

/* Names of a table, with spaces between them. */
static char *
offered_names (const char *option)
{
  GString *names = g_string_new (NULL);
  guint n;

  if (strcmp (option, "model") == 0)
    for (const LsModelPreset *preset = ls_model_presets (&n), *end = preset + n; preset < end; preset++)
      g_string_append_printf (names, " %s", preset->name);
  else if (strcmp (option, "data") == 0 || strcmp (option, "DATA") == 0)
    for (const char *const *name = ls_data_names (); *name != NULL; name++)
      g_string_append_printf (names, " %s", *name);
  else if (strcmp (option, "lanes") == 0 || strcmp (option, "backends") == 0)
    {
      const LsBackend *const *backends = ls_backends (&n);
      for (guint i = 0; i < n; i++)
        g_string_append_printf (names, " %s", backends[i]->name);
    }
#ifdef HAVE_PAINT
  else if (strcmp (option, "VIEW") == 0)
    {
      const LsView *const *views = ls_views (&n);
      for (guint i = 0; i < n; i++)
        g_string_append_printf (names, " %s", views[i]->name);
    }
  else if (strcmp (option, "style") == 0)
    for (guint look = 0; look < LS_LOOK_N; look++)
      g_string_append_printf (names, " %s", ls_look_name ((LsLook) look));
#endif
  else if (strcmp (option, "kernel") == 0)
    for (guint rung = 0; rung < LS_RUNG_N; rung++)
      g_string_append_printf (names, " %s", ls_rung_cut ((LsRung) rung, 0).name);
  else if (strcmp (option, "TOPIC") == 0)
    for (const LsHelpTopic *const *topic = ls_help_topics (&n), *const *end = topic + n; topic < end; topic++)
      g_string_append_printf (names, " %s", (*topic)->name);
  else if (strcmp (option, "side") == 0)
    g_string_assign (names, " cpu opencl");
  else if (strcmp (option, "convert") == 0)
    for (guint kind = 0; kind < LS_CONVERTED_N; kind++)
      g_string_append_printf (names, " %s", ls_converted_name ((LsConvertedKind) kind));
  else if (strcmp (option, "lab") == 0)
    {
      g_string_assign (names, " list all sweep");
      for (const LsExperiment *const *row = ls_experiments (&n), *const *end = row + n; row < end; row++)
        g_string_append_printf (names, " %s", (*row)->name);
    }
  else if (strcmp (option, "only") == 0)
    for (const LsBenchStep *step = ls_bench_steps (&n), *end = step + n; step < end; step++)
      g_string_append_printf (names, " %s", step->name);

  if (names->len > 0)
    g_string_erase (names, 0, 1);
  return g_string_free (names, FALSE);
}

/* One arm of a case: what a shell may offer there. */
static void
put_offer (GString *out, const char *pattern, const char *words, const char *arg)
{
  const char *const files[] = { "FILE", "RECORDING", "FOLDER", "DATA", NULL };

  g_string_append_printf (out, "    %s)", pattern);
  if (*words != '\0')
    g_string_append_printf (out, " words='%s'", words);
  if (arg != NULL && g_strv_contains (files, arg))
    g_string_append (out, " files=yes");
  g_string_append (out, " ;;\n");
}

static void
bash_commands (GString *out)
{
  guint n;
  const LsCommand *const *commands = ls_commands (&n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "", commands[i]->name);
}

static void
bash_options (GString *out)
{
  guint n, n_rows;
  const LsCommand *const *commands = ls_commands (&n);
  const LsOption *rows = ls_options_table (&n_rows);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (out, "    %s) options='--help", commands[i]->name);
      for (guint j = 0; j < n_rows; j++)
        if (rows[j].group & commands[i]->groups)
          g_string_append_printf (
            out, " --%s%s%s%s", rows[j].name, strcmp (rows[j].name, "turns") == 0 ? " --race" : "",
            rows[j].other != NULL ? " --" : "", rows[j].other != NULL ? rows[j].other : "");
      for (const LsCommandOption *own = ls_command_own (commands[i]); own != NULL && own->name != NULL; own++)
        g_string_append_printf (out, " --%s", own->name);
      g_string_append (out, "' ;;\n");
    }
}

static void
bash_values (GString *out)
{
  guint n, n_rows;
  const LsCommand *const *commands = ls_commands (&n);
  const LsOption *rows = ls_options_table (&n_rows);

  /* A command's own options first: their values may differ from those of the row with the same name. */
  for (guint i = 0; i < n; i++)
    for (const LsCommandOption *own = ls_command_own (commands[i]); own != NULL && own->name != NULL; own++)
      if (own->arg != NULL)
        {
          g_autofree char *pattern = g_strdup_printf ("%s:--%s", commands[i]->name, own->name);
          g_autofree char *words = offered_names (own->name);
          put_offer (out, pattern, words, own->arg);
        }
  for (guint i = 0; i < n_rows; i++)
    {
      g_autofree char *pattern = g_strdup_printf ("*:--%s", rows[i].name);
      g_autofree char *words = rows[i].choices != NULL ? g_strjoinv (" ", (char **) rows[i].choices)
                                                       : offered_names (rows[i].name);
      put_offer (out, pattern, words, rows[i].arg);
      if (rows[i].other != NULL)
        {
          g_autofree char *same = g_strdup_printf ("*:--%s", rows[i].other);
          put_offer (out, same, words, rows[i].arg);
        }
    }
}

static void
bash_words (GString *out)
{
  guint n;
  const LsCommand *const *commands = ls_commands (&n);

  for (guint i = 0; i < n; i++)
    if (commands[i]->word != NULL)
      {
        /* a NAME is of another kind with each command */
        const gboolean own = strcmp (commands[i]->word, "NAME") == 0;
        g_autofree char *words = offered_names (own ? commands[i]->name : commands[i]->word);
        put_offer (out, commands[i]->name, words, commands[i]->word);
      }
}

static const struct {
  const char *format, *mark;
  void (*fill) (GString *out);
} fillers[] = {
  { "man", "@COMMANDS@\n", man_commands }, { "man", "@OPTIONS@\n", man_options },
  { "man", "@METHODS@\n", man_methods },   { "bash", "@COMMANDS@", bash_commands },
  { "bash", "@OPTIONS@\n", bash_options }, { "bash", "@VALUES@\n", bash_values },
  { "bash", "@WORDS@\n", bash_words },
};

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *template = NULL;
  g_autoptr (GString) page = NULL;

  if (argc != 3)
    {
      g_printerr ("Usage: lockstep-pages man|bash TEMPLATE\n");
      return LS_EXIT_USAGE;
    }
  if (!g_file_get_contents (argv[2], &template, NULL, &error))
    {
      g_printerr ("lockstep-pages: %s\n", error->message);
      return LS_EXIT_FAILED;
    }
  page = g_string_new (template);
  g_string_replace (page, "@VERSION@", LS_VERSION, 0);
  for (guint i = 0; i < G_N_ELEMENTS (fillers); i++)
    if (strcmp (fillers[i].format, argv[1]) == 0)
      {
        g_autoptr (GString) text = g_string_new (NULL);
        fillers[i].fill (text);
        g_string_replace (page, fillers[i].mark, text->str, 0);
      }
  return fputs (page->str, stdout) == EOF || fflush (stdout) == EOF ? LS_EXIT_FAILED : LS_EXIT_DONE;
}
