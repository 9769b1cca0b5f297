/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is opened: recordings, and data of one's own, by a dialog, by being dropped on the window, or by the
 * desktop. Disks may be slow and folders huge, so both are looked at and read on threads; of two files the
 * one that was opened later counts, whichever takes longer.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "core/file.h"
#include "data/dataset.h"
#include "ui/app/settings/settings_bar.h"

typedef struct {
  char *path;
  guint number; /* LsWindow.opened */
} Opening;

static void
opening_free (Opening *opening)
{
  g_free (opening->path);
  g_free (opening);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

/* Neither closed meanwhile, nor has another one been opened. */
static gboolean
is_newest (LsWindow *self, const Opening *opening)
{
  return gtk_widget_get_visible (GTK_WIDGET (self)) && opening->number == self->opened;
}

void
ls_window_forget_opening (LsWindow *self)
{
  ls_settings_bar_end (self->reading);
  self->opened++;
}

/* Data are trained with once they have been looked at: what can't be read costs the run that is on nothing.
 */
static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsWindow *self = LS_WINDOW (source);
  LsSettingsPane *pane;
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSettingsRead) read = ls_settings_read_data_finish (result, &error);
  g_autoptr (LsOptions) options = NULL;

  if (!is_newest (self, opening))
    return;
  ls_settings_bar_end (self->reading);
  if (read != NULL && !g_utf8_validate (opening->path, -1, NULL))
    {
      g_autofree char *name = ls_file_display_name (opening->path);
      g_set_error (&error, LS_ERROR, LS_ERROR_USAGE,
                   _("“%s” can’t be trained with, because its path isn’t UTF-8 text; rename it first."),
                   name);
    }
  if (error != NULL)
    {
      ls_window_toast (self, error->message);
      if (ls_session_mode (self->session) == LS_SESSION_NONE) /* the window was opened for them */
        ls_window_run_again (self);
      return;
    }
  pane = LS_SETTINGS_PANE (self->settings); /* of a closed window it is gone */
  options = ls_options_copy (ls_settings_pane_options (pane));
  if (ls_options_set (options, ls_options_find ("data"), opening->path, NULL))
    ls_settings_pane_set_read (pane, options, g_steal_pointer (&read));
  ls_settings_pane_set_data (pane, opening->path);
  ls_window_run_again (self);
}

static void
look_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *path = data;

  g_task_return_boolean (task, g_file_test (path, G_FILE_TEST_IS_DIR)
                                 || (!g_str_has_suffix (path, ".lockstep") && ls_data_look (path)));
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsWindow *self = LS_WINDOW (source);
  g_autoptr (Opening) opening = data;
  const gboolean is_data = g_task_propagate_boolean (G_TASK (result), NULL);
  g_autofree char *path = g_strdup (opening->path);

  if (!is_newest (self, opening))
    return;
  if (is_data)
    {
      LsSettingsPart *part;

      ls_settings_read_data (self, ls_settings_pane_options (LS_SETTINGS_PANE (self->settings)), path, &part,
                             read_cb, g_steal_pointer (&opening));
      ls_settings_bar_begin (self->reading, path, part);
    }
  else
    ls_session_open (self->session, path);
}

char *
ls_window_path_here (LsWindow *self, GFile *file)
{
  char *path = g_file_get_path (file);
  g_autofree char *sentence = path == NULL ? ls_settings_not_here (file) : NULL;

  if (sentence != NULL)
    ls_window_toast (self, sentence);
  return path;
}

void
ls_window_open (GFile *file, gpointer window)
{
  LsWindow *self = window;
  g_autofree char *path = ls_window_path_here (self, file);
  g_autoptr (GTask) task = NULL;
  Opening *opening;

  if (path == NULL)
    return;
  ls_window_forget_opening (self);
  opening = g_new (Opening, 1);
  *opening = (Opening){ g_strdup (path), self->opened };
  task = g_task_new (self, NULL, looked_cb, opening);
  g_task_set_task_data (task, g_steal_pointer (&path), g_free);
  g_task_run_in_thread (task, look_thread);
}

void
ls_window_choose_data (LsWindow *self, LsChoose what, LsFileFunc done, gpointer data)
{
  ls_compat_choose_file (GTK_WINDOW (self), what,
                         what == LS_CHOOSE_FOLDER ? _("Open a Folder with Data")
                                                  : _("Open a File with Data"),
                         NULL, NULL, NULL, done, g_object_ref (data), g_object_unref);
}
