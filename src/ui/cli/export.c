/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep export`: a recording as Chrome's trace JSON, which https://ui.perfetto.dev opens, or as CSV.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "files/export.h"
#include "files/output.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

static const LsCommandOption own[] = {
  { "perfetto", N_("FILE"), N_("Write a trace that ui.perfetto.dev and Chrome open"), TRUE },
  { "csv", N_("FILE"), N_("Write one row per event"), TRUE },
  { NULL },
};

static gboolean
write_text (GString *text, const char *path, GError **error)
{
  g_autofree char *name = ls_printable (g_filename_display_name (path));
  gboolean saved = ls_file_save (path, text->str, text->len, error);

  if (saved)
    ls_terminal_print (_("Saved %s\n"), name);
  g_string_free (text, TRUE);
  return saved;
}

static LsExit export(const LsArguments *arguments, GError **error)
{
  const char *perfetto = ls_arguments_get (arguments, "perfetto"), *csv = ls_arguments_get (arguments, "csv");
  g_autoptr (LsRecording) recording = NULL;

  if (perfetto == NULL && csv == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("Say what to make from the recording: --perfetto FILE, --csv FILE, or both."));
      return LS_EXIT_USAGE;
    }
  recording = ls_recording_load (arguments->words[0], error);
  if (recording == NULL)
    return LS_EXIT_FAILED;
  if (perfetto != NULL && !write_text (ls_export_perfetto (recording), perfetto, error))
    return LS_EXIT_FAILED;
  if (csv != NULL && !write_text (ls_export_csv (recording), csv, error))
    return LS_EXIT_FAILED;
  return LS_EXIT_DONE;
}

const LsCommand ls_command_export = {
  .name = "export",
  .title = N_("Turn a recording into a trace or a table"),
  .about = N_("“lockstep train --record FILE” makes recordings."),
  .word = N_("RECORDING"),
  .own = own,
  .run = export,
};
