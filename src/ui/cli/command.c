/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands, and the parser of command lines. GLib parses; what it may find comes from the option
 * table (core/options.h) and from the command's row, so an option is written down once.
 */
#include "config.h"
#include "ui/cli/command.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "data/dataset.h"
#include "data/defaults.h"
#include "files/output.h"
#include "ui/report/terminal.h"
#include "ui/help/help.h"

static const LsCommand *const commands[] = {
#ifdef HAVE_APP
  &ls_command_window,
#endif
  &ls_command_train,   &ls_command_plan,  &ls_command_data,   &ls_command_devices,  &ls_command_hardware,
  &ls_command_compare, &ls_command_bench, &ls_command_lab,    &ls_command_machines, &ls_command_convert,
  &ls_command_claims,  &ls_command_tune,  &ls_command_export,
#ifdef HAVE_PAINT
  &ls_command_render,
#endif
  &ls_command_help,
};

typedef struct {
  const LsCommand *command;
  LsArguments arguments;
  gboolean help;
  GStringChunk *texts; /* what the entries point to */
} Parser;

const LsCommand *const *
ls_commands (guint *n)
{
  *n = G_N_ELEMENTS (commands);
  return commands;
}

static const LsCommand *
find_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

const LsCommandOption *
ls_command_own (const LsCommand *command)
{
  return command->options != NULL ? command->options () : command->own;
}

const char *
ls_arguments_get (const LsArguments *arguments, const char *name)
{
  return g_hash_table_lookup (arguments->given, name);
}

gboolean
ls_arguments_precision (const LsArguments *arguments, const char *name, const char *of,
                        LsPrecision *precision, GError **error)
{
  const char *text = ls_arguments_get (arguments, name);
  g_autoptr (GString) list = g_string_new (NULL);

  *precision = LS_PRECISION_FP32;
  if (text == NULL)
    return TRUE;
  if (ls_arguments_get (arguments, of) == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s says how --%s stores; give that, too."), name,
                   of);
      return FALSE;
    }
  for (guint i = 0; i < LS_PRECISION_N; i++)
    {
      *precision = (LsPrecision) i;
      if (strcmp (text, ls_precision_name (*precision)) == 0)
        return TRUE;
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", ls_precision_name (*precision));
    }
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s takes one of %s, not “%s”."), name, list->str, text);
  ls_error_make_printable (error);
  return FALSE;
}

/* With what was given before, where the option may be there several times. (transfer full) */
static char *
with_earlier (const Parser *parser, const char *name, const char *value)
{
  const LsCommandOption *own = ls_command_own (parser->command);
  const char *earlier = g_hash_table_lookup (parser->arguments.given, name);

  while (own != NULL && own->name != NULL && strcmp (own->name, name) != 0)
    own++;
  return own != NULL && own->name != NULL && own->many && earlier != NULL
           ? g_strconcat (earlier, "\n", value, NULL)
           : g_strdup (value);
}

/* Called by GLib for each option; name is as it was written, "--batch". */
static gboolean
option_cb (const char *name, const char *value, gpointer data, GError **error)
{
  Parser *parser = data;
  const LsOption *row;

  name += strspn (name, "-");
  if (strcmp (name, "help") == 0 || strcmp (name, "h") == 0)
    {
      parser->help = TRUE;
      return TRUE;
    }
  if (strcmp (name, "race") == 0) /* the short way to say --turns=race */
    {
      name = "turns";
      value = "race";
    }
  else if (strcmp (name, "turns") == 0 && value == NULL)
    value = "turns";

  row = ls_options_find (name);
  if (row != NULL && g_strcmp0 (row->before, name) == 0)
    ls_terminal_complain (_("--%s is called --%s now.\n"), name, row->name);
  name = row != NULL ? row->name : name;
  g_hash_table_insert (parser->arguments.given, g_strdup (name),
                       with_earlier (parser, name, value != NULL ? value : ""));
  return row == NULL || ls_options_set (parser->arguments.options, row, value, error);
}

static void
add_entry (GArray *entries, const char *name, char letter, GOptionFlags flags, const char *help,
           const char *arg)
{
  GOptionEntry entry = {
    .long_name = name,
    .short_name = letter,
    /* Raw bytes, as file names are; ls_options_set() checks what is text. */
    .flags = (gint) (flags | (flags & G_OPTION_FLAG_NO_ARG ? 0 : G_OPTION_FLAG_FILENAME)),
    .arg = G_OPTION_ARG_CALLBACK,
    .arg_data = __extension__(gpointer) option_cb, /* GLib keeps functions as pointers */
    .description = help,
    .arg_description = arg,
  };
  g_array_append_val (entries, entry);
}

/* The rows of the option table that the command takes, each with its choices and its default. */
static void
add_rows (Parser *parser, GArray *entries)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      const LsOption *row = &rows[i];
      g_autofree char *choices = row->choices != NULL ? g_strjoinv ("|", (char **) row->choices) : NULL;
      g_autofree char *words = ls_data_option_help (row), *help = NULL;
      gboolean turns = strcmp (row->name, "turns") == 0;

      if (!(row->group & parser->command->groups))
        continue;
      help = *row->default_text != '\0' ? g_strdup_printf ("%s [%s]", words, row->default_text)
                                        : g_steal_pointer (&words);
      add_entry (entries, row->name, 0, turns ? G_OPTION_FLAG_OPTIONAL_ARG : G_OPTION_FLAG_NONE,
                 g_string_chunk_insert (parser->texts, help),
                 choices != NULL ? g_string_chunk_insert (parser->texts, choices) : _(row->arg));
      if (row->before != NULL)
        add_entry (entries, row->before, 0, G_OPTION_FLAG_HIDDEN, NULL, NULL);
      if (row->other != NULL)
        {
          g_autofree char *same = g_strdup_printf (_("The same as --%s"), row->name);
          add_entry (entries, row->other, 0, G_OPTION_FLAG_NONE, g_string_chunk_insert (parser->texts, same),
                     _(row->arg));
        }
      if (turns)
        add_entry (entries, "race", 0, G_OPTION_FLAG_NO_ARG, _("Short for --turns=race"), NULL);
    }
}

char *
ls_command_about (const LsCommand *command)
{
  GString *about = g_string_new (_(command->about));

  g_string_replace (about, "%s", ls_help_views (), 0);
  return g_string_free (about, FALSE);
}

static GOptionContext *
make_context (Parser *parser)
{
  const LsCommand *command = parser->command;
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  GOptionGroup *group = g_option_group_new ("lockstep", "", "", parser, NULL);
  GOptionContext *context = g_option_context_new (command->word != NULL ? _(command->word) : NULL);

  add_rows (parser, entries);
  for (const LsCommandOption *own = ls_command_own (command); own != NULL && own->name != NULL; own++)
    add_entry (entries, own->name, 0, own->arg != NULL ? G_OPTION_FLAG_NONE : G_OPTION_FLAG_NO_ARG,
               _(own->help), own->arg != NULL ? _(own->arg) : NULL);
  add_entry (entries, "help", 'h', G_OPTION_FLAG_NO_ARG, _("Show this help"), NULL);
  g_option_group_add_entries (group, (const GOptionEntry *) (gconstpointer) entries->data);

  g_option_context_set_summary (context, _(command->title));
  if (command->about != NULL)
    {
      g_autofree char *about = ls_command_about (command);
      g_option_context_set_description (context, about);
    }
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_main_group (context, group);
  return context;
}

static gboolean
check_words (Parser *parser, char **argv, GError **error)
{
  const LsCommand *command = parser->command;
  const guint n = g_strv_length (argv), most = command->word != NULL ? 1 : 0,
              least = most > 0 && *command->word != '[' ? 1 : 0;

  if (n > most)
    {
      g_autofree char *word = g_filename_display_name (argv[most]);
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” is one word too many."), word);
      return FALSE;
    }
  if (n < least)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("A word is missing: %s."), _(command->word));
      return FALSE;
    }
  parser->arguments.words = argv;
  return TRUE;
}

/* All files that are to be written can be, and no two are one: found out now, not after hours of training. */
static gboolean
check_outputs (const Parser *parser, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (const LsCommandOption *own = ls_command_own (parser->command); own != NULL && own->name != NULL; own++)
    {
      const char *path = own->writes ? ls_arguments_get (&parser->arguments, own->name) : NULL, *other;
      g_autofree char *whole = NULL;

      if (path == NULL)
        continue;
      if (!ls_file_try_save (path, error))
        return FALSE;
      whole = g_canonicalize_filename (path, NULL);
      other = g_hash_table_lookup (seen, whole);
      if (other != NULL)
        {
          g_autofree char *name = g_filename_display_name (path);
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                       _("--%s and --%s name the same file “%s”; give each one of its own."), other,
                       own->name, name);
          return FALSE;
        }
      g_hash_table_insert (seen, g_steal_pointer (&whole), (gpointer) own->name);
    }
  return TRUE;
}

/* A message may quote an argument or a file's name, which may hold control characters; a compiler's log keeps
 * its lines. */
static LsExit
complain (const char *where, const GError *error)
{
  gboolean usage = error->domain == G_OPTION_ERROR || g_error_matches (error, LS_ERROR, LS_ERROR_USAGE);
  g_autofree char *sentence = ls_sentence (error->message);

  if (!g_error_matches (error, LS_ERROR, LS_ERROR_BUILD))
    sentence = ls_printable (sentence);
  ls_terminal_complain ("%s: %s\n", where, sentence);
  if (error->domain == G_OPTION_ERROR)
    ls_terminal_complain (_("“%s --help” lists the options.\n"), where);
  return usage ? LS_EXIT_USAGE : LS_EXIT_FAILED;
}

LsExit
ls_command_run (const char *program, const LsCommand *command, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *where = g_strdup_printf ("%s %s", program, command->name);
  Parser parser = {
    .command = command,
    .arguments = {
      .options = ls_options_new (),
      .given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
    },
    .texts = g_string_chunk_new (1024),
  };
  GOptionContext *context = make_context (&parser);
  /* GLib removes what it understood; the strings stay argv's. */
  g_autofree char **words = g_memdup2 (argv, (g_strv_length (argv) + 1) * sizeof *argv);
  int n_words = (int) g_strv_length (words);
  LsExit status = LS_EXIT_DONE;

  g_set_prgname (where); /* what the help's first line begins with */
  if (!g_option_context_parse (context, &n_words, &words, &error))
    status = complain (where, error);
  else if (parser.help)
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);
      ls_terminal_print ("%s", help);
    }
  else if (!check_words (&parser, words + 1, &error) || !check_outputs (&parser, &error))
    status = complain (where, error);
  else
    {
#ifdef HAVE_APP
      if (command != &ls_command_window) /* which must not wait for a disk */
#endif
        ls_data_look (parser.arguments.options->data);
      ls_data_suggest (parser.arguments.options, 0, 0);
      status = command->run (&parser.arguments, &error);
      if (error != NULL)
        status = complain (where, error);
    }

  g_option_context_free (context);
  ls_options_free (parser.arguments.options);
  g_hash_table_unref (parser.arguments.given);
  g_string_chunk_free (parser.texts);
  return status;
}

static void
print_help (void)
{
  ls_terminal_print (
    _("Usage: lockstep COMMAND [OPTIONS]\n\n"
       "Trains a small network with the same step on CPU threads and on an OpenCL device, and shows\n"
       "that the results agree.\n\n"
       "Commands:\n"));
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    ls_terminal_print ("  %-9s %s\n", commands[i]->name, _(commands[i]->title));
  ls_terminal_print (_("\n“lockstep COMMAND --help” says more, “lockstep help methods” how we measure.\n"
                        "Start with “lockstep” or “lockstep train”.\n"));
}

#ifdef HAVE_APP
/* `lockstep`, `lockstep --model cnn` and `lockstep FILE` mean the window; returns that command line, or NULL
 * if they don't. */
static char **
window_line (char **argv)
{
  GPtrArray *line;
  const char *first = argv[1];

  if (first != NULL
      && (strcmp (first, "--help") == 0 || strcmp (first, "-h") == 0 || strcmp (first, "--version") == 0
          || find_command (first) != NULL))
    return NULL;
  if (first != NULL && first[0] != '-' && !g_file_test (first, G_FILE_TEST_EXISTS))
    return NULL;
  line = g_ptr_array_new ();
  g_ptr_array_add (line, (gpointer) "window");
  if (first != NULL && first[0] != '-')
    g_ptr_array_add (line, (gpointer) "--open");
  for (guint i = 1; argv[i] != NULL; i++)
    g_ptr_array_add (line, argv[i]);
  g_ptr_array_add (line, NULL);
  return (char **) g_ptr_array_free (line, FALSE);
}
#endif

LsExit
ls_cli_main (int argc, char **argv)
{
  const LsCommand *command;

#ifdef HAVE_APP
  g_autofree char **line = window_line (argv);
  if (line != NULL)
    return ls_command_run ("lockstep", &ls_command_window, line);
#endif
  if (argc < 2 || strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0
      || (strcmp (argv[1], "help") == 0 && argc == 2))
    {
      print_help ();
      return LS_EXIT_DONE;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      ls_terminal_print ("Lockstep %s\n", LS_VERSION);
      return LS_EXIT_DONE;
    }
  command = find_command (argv[1]);
  /* `lockstep help train` is what `lockstep train --help` is; but there is help on views, too */
  if (command == &ls_command_help && ls_help_find (argv[2]) == NULL && find_command (argv[2]) != NULL)
    {
      char *words[] = { argv[2], (char *) "--help", NULL };
      return ls_command_run ("lockstep", find_command (argv[2]), words);
    }
  if (command == NULL)
    {
      g_autofree char *word = g_filename_display_name (argv[1]);
      if (argv[1][0] == '-')
        ls_terminal_complain (_("lockstep: “%s” is no option here; “lockstep --help” lists the commands.\n"),
                              word);
      else
        ls_terminal_complain (_("lockstep: “%s” is no command; “lockstep --help” lists them.\n"), word);
      return LS_EXIT_USAGE;
    }
  return ls_command_run ("lockstep", command, argv + 1);
}
