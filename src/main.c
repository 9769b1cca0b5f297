/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which face the program shows. Today that is the command line.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <string.h>

#include "backends/opencl/probe.h"
#include "ui/cli/command.h"

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], LS_CL_PROBE_COMMAND) == 0)
    return ls_cl_probe_main (argc, argv);

  /* A closed pipe or a full disk is an error of that write: what is still to be saved elsewhere gets saved. */
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  setlocale (LC_ALL, "");
  /* Words in the user's language, numbers as they can be pasted into a script. */
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, LS_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  return (int) ls_cli_main (argc, argv);
}
