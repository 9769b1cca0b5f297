/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep help TOPIC`: the texts of the help window, for the terminal. Without a topic: the commands, and
 * the topics.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "ui/cli/command.h"
#include "ui/report/terminal.h"
#include "ui/help/help.h"

#define WIDEST 88 /* columns: longer lines are hard to read */

/* Words onto lines of the terminal's width, each indented by so many columns. */
static void
print_wrapped (const char *text, gint indent)
{
  const gint width = MIN (ls_terminal_width (), WIDEST) - 1;
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (line->len > 0 && indent + ls_text_width (line->str) + 1 + ls_text_width (words[i]) > width)
        {
          ls_terminal_print ("%*s%s\n", indent, "", line->str);
          g_string_truncate (line, 0);
        }
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", words[i]);
    }
  ls_terminal_print ("%*s%s\n", indent, "", line->str);
}

static LsExit
run (const LsArguments *arguments, GError **error)
{
  const LsHelpTopic *topic = ls_help_find (arguments->words[0]);

  if (topic == NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);
      g_autofree char *word = g_filename_display_name (arguments->words[0]);
      guint n;
      const LsHelpTopic *const *topics = ls_help_topics (&n);

      for (guint i = 0; i < n; i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", topics[i]->name);
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("There is no help on “%s”; there is on %s."), word,
                   names->str);
      return LS_EXIT_USAGE;
    }
  ls_terminal_print ("%s\n\n", _(topic->title));
  print_wrapped (_(topic->lead), 0);
  for (const LsHelpEntry *entry = topic->entries; entry->term != NULL; entry++)
    {
      ls_terminal_print ("\n  %s\n", _(entry->term));
      print_wrapped (_(entry->text), 4);
    }
  return LS_EXIT_DONE;
}

const LsCommand ls_command_help = {
  .name = "help",
  .title = N_("Say what a view's marks mean, and how we measure"),
  .about = N_("Topics: start, methods, and the views: %s."),
  .word = N_("TOPIC"),
  .run = run,
};
