/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * “Edit Kernels…”: the kernels' files go into a folder that the user chooses, the file manager shows it, and
 * from then on the session watches it. What the compiler says is a window of its own: its lines are long, and
 * are there to be copied.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "backends/kernel_files.h"
#include "core/error.h"
#include "ui/app/compat.h"
#include "ui/app/widgets/toasts.h"

/* ---- the folder ---- */

/* Best effort: where there is no file manager, the toast has said where the files are. */
static void
show_folder (LsWindow *self, const char *folder)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autofree char *uri = g_file_get_uri (file);
  g_autoptr (GdkAppLaunchContext) context = gdk_display_get_app_launch_context (
    gtk_widget_get_display (GTK_WIDGET (self)));

  g_app_info_launch_default_for_uri_async (uri, G_APP_LAUNCH_CONTEXT (context), NULL, NULL, NULL);
}

static void
edit_in (LsWindow *self, const char *folder)
{
  g_autofree char *shown = g_filename_display_name (folder);
  g_autofree char *sentence = g_strdup_printf (
    _("The kernels are in “%s”; the lane rebuilds them whenever one is saved."), shown);

  ls_session_edit_kernels (self->session, folder);
  ls_window_toast (self, sentence);
  show_folder (self, folder);
  ls_window_event (self, "kernels %s", folder);
}

static void
chosen (GFile *file, gpointer data)
{
  g_autofree char *path = ls_window_path_here (data, file),
                  *place = path != NULL ? ls_kernel_files_place (path) : NULL;

  if (place != NULL)
    edit_in (LS_WINDOW (data), place);
}

void
ls_window_edit_kernels (LsWindow *self)
{
  const char *folder = ls_session_kernel_folder (self->session), *given = g_getenv ("LOCKSTEP_KERNEL_DIR");

  if (folder == NULL && given != NULL && *given != '\0')
    folder = given;
  if (folder != NULL)
    edit_in (self, folder);
  else
    ls_compat_choose_file (GTK_WINDOW (self), LS_CHOOSE_FOLDER, _("Choose a Folder for the Kernels"), NULL,
                           NULL, NULL, chosen, g_object_ref (self), g_object_unref);
}

void
ls_window_own_kernels (LsWindow *self)
{
  ls_session_edit_kernels (self->session, NULL);
  ls_window_event (self, "kernels built-in");
}

/* ---- the compiler's message ---- */

static void
copy_cb (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view)), text);
}

static gboolean
close_cb (GtkWidget *window, GVariant *arguments, gpointer data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

static void
close_by_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (close_cb, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
}

void
ls_window_kernel_message (LsWindow *self)
{
  const char *message = ls_session_kernel_message (self->session);
  GtkWidget *window, *box, *header, *scrolled, *view, *copy;

  if (message == NULL)
    return;
  window = adw_window_new ();
  gtk_window_set_title (GTK_WINDOW (window), _("Compiler’s Message"));
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (self));
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 860, 420);
  view = gtk_text_view_new ();
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 18);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 18);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), message, -1);
  ls_compat_name (view, _("Compiler’s Message"));
  scrolled = ls_compat_scrolled_new (_("Compiler’s Message"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  header = adw_header_bar_new ();
  copy = gtk_button_new ();
  ls_compat_name_button (copy, _("_Copy"));
  g_signal_connect_object (copy, "clicked", G_CALLBACK (copy_cb), view, G_CONNECT_SWAPPED);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), copy);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (window), box);
  close_by_escape (window);
  gtk_window_present (GTK_WINDOW (window));
  ls_window_event (self, "kernel-message");
}

/* ---- what the session says ---- */

static void
said_cb (LsWindow *self, const char *sentence)
{
  g_autofree char *full = ls_sentence (sentence);
  const gboolean message = ls_session_kernel_message (self->session) != NULL;

  ls_toasts_add (ADW_TOAST_OVERLAY (self->toasts), full, 8, message ? _("Message") : NULL,
                 message ? "win.kernel-message" : NULL);
  ls_window_event (self, "toast %s", full);
}

static void
update_cb (LsWindow *self)
{
  const gboolean live = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.edit-kernels", live);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.own-kernels",
                                 live && ls_session_kernel_folder (self->session) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.kernel-message",
                                 ls_session_kernel_message (self->session) != NULL);
}

void
ls_window_add_kernels (LsWindow *self)
{
  g_signal_connect_object (self->session, "kernels", G_CALLBACK (said_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "data", G_CALLBACK (update_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "state", G_CALLBACK (update_cb), self, G_CONNECT_SWAPPED);
  update_cb (self);
}

GtkWidget *
ls_window_kernel_button (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-edit-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button),
                                  G_MENU_MODEL (gtk_application_get_menu_by_id (application, "kernels")));
  ls_compat_name_items (GTK_MENU_BUTTON (button));
  gtk_widget_set_tooltip_text (button, _("Edit Kernels"));
  ls_compat_name (button, _("Edit Kernels"));
  return button;
}
