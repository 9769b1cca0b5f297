/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep` alone, with options, or with a file: the window. Where there is no display it trains in the
 * terminal and says so.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "core/error.h"
#include "ui/app/window/application.h"
#include "ui/cli/command.h"
#include "ui/report/terminal.h"

static const LsCommandOption own[] = {
  { "open", N_("FILE"), N_("Show this recording, or train on this data") },
  { NULL },
};

static LsExit
window (const LsArguments *arguments, GError **error)
{
  const char *path = ls_arguments_get (arguments, "open");
  const guint options = g_hash_table_size (arguments->given) - (path != NULL ? 1 : 0);

  if (ls_app_can_open ())
    return (LsExit) ls_app_run (arguments->options, path, options > 0);
  setlocale (LC_NUMERIC, "C");
  if (path != NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("There is no display to show “%s” on; “lockstep render” draws recordings without one."),
                   path);
      return LS_EXIT_FAILED;
    }
  ls_terminal_complain (_("There is no display for the window, so this trains in the terminal.\n"));
  return ls_command_train.run (arguments, error);
}

const LsCommand ls_command_window = {
  .name = "window",
  .title = N_("Open the window and train; what “lockstep” alone does"),
  .about = N_("“lockstep FILE” opens a recording, or trains on that data. Without a display it trains in "
               "the terminal."),
  .groups = LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_RUN | LS_OPTION_GROUP_LANES
            | LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL | LS_OPTION_GROUP_PACE,
  .own = own,
  .run = window,
};
