/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is opened: recordings, and data of one's own, by a dialog, by being dropped on the window, or by the
 * desktop.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "data/loader.h"
#include "ui/app/compat.h"
#include "ui/app/settings/settings_reading.h"

/* ---- dropped, and told apart ---- */

/* Data are trained with once they have been looked at: what can't be read costs the run that is on nothing.
 */
static void
looked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsWindow *self = LS_WINDOW (source);
  g_autofree char *path = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDataPreview) preview = ls_settings_read_data_finish (result, &error);
  g_autoptr (LsOptions) options = NULL;

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return; /* closed meanwhile */
  if (preview == NULL)
    {
      ls_window_toast (self, error->message);
      if (ls_session_mode (self->session) == LS_SESSION_NONE) /* the window was opened for them */
        ls_window_run_again (self);
      return;
    }
  options = ls_options_copy (ls_settings_pane_options (LS_SETTINGS_PANE (self->settings)));
  if (ls_options_set (options, ls_options_find ("data"), path, NULL))
    ls_settings_pane_set_preview (LS_SETTINGS_PANE (self->settings), options, g_steal_pointer (&preview));
  ls_settings_pane_set_data (LS_SETTINGS_PANE (self->settings), path);
  ls_window_run_again (self);
}

static void
open_data (LsWindow *self, const char *path)
{
  ls_settings_read_data (self, ls_settings_pane_options (LS_SETTINGS_PANE (self->settings)), path, looked_cb,
                         g_strdup (path));
}

void
ls_window_open (LsWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL)
    {
      g_autofree char *uri = g_file_get_uri (file);
      g_autofree char *sentence = g_strdup_printf (
        _("“%s” is not a file on this machine; copy it here first."), uri);
      ls_window_toast (self, sentence);
      return;
    }
  if (g_file_test (path, G_FILE_TEST_IS_DIR)
      || (!g_str_has_suffix (path, ".lockstep") && ls_data_loader_of (path) != NULL))
    open_data (self, path);
  else
    ls_session_open (self->session, path);
}

static gboolean
drop_cb (LsWindow *self, const GValue *value, double x, double y)
{
  GSList *files = g_value_get_boxed (value);

  if (files == NULL)
    return FALSE;
  ls_window_open (self, files->data);
  return TRUE;
}

void
ls_window_add_drop (LsWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_swapped (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

/* ---- by a dialog ---- */

static void
folder_chosen (GFile *file, gpointer data)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL)
    ls_settings_pane_set_data (LS_SETTINGS_PANE (LS_WINDOW (data)->settings), path);
}

void
ls_window_choose_folder (LsWindow *self)
{
  ls_compat_choose_file (GTK_WINDOW (self), LS_CHOOSE_FOLDER, _("Open a Folder with Data"), NULL, NULL, NULL,
                         folder_chosen, g_object_ref (self), g_object_unref);
}

void
ls_window_choose_data_file (LsWindow *self)
{
  ls_compat_choose_file (GTK_WINDOW (self), LS_CHOOSE_OPEN, _("Open a File with Data"), NULL, NULL, NULL,
                         folder_chosen, g_object_ref (self), g_object_unref);
}
