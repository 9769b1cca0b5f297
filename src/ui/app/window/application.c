/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AdwApplication with one window; a second start brings it forward and hands over its file. Signals end it as
 * closing does.
 */
#include "config.h"
#include "ui/app/window/application.h"

#include <adwaita.h>
#include <glib-unix.h>
#include <glib/gi18n.h>

#include "ui/app/window/window.h"

#define LS_TYPE_APPLICATION (ls_application_get_type ())
G_DECLARE_FINAL_TYPE (LsApplication, ls_application, LS, APPLICATION, AdwApplication)

struct _LsApplication {
  AdwApplication parent;
  LsOptions *options;
};

G_DEFINE_FINAL_TYPE (LsApplication, ls_application, ADW_TYPE_APPLICATION)

static LsWindow *
the_window (LsApplication *self, gboolean train)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));

  for (GList *l = windows; l != NULL; l = l->next)
    if (LS_IS_WINDOW (l->data))
      return l->data;
  return LS_WINDOW (ls_window_new (GTK_APPLICATION (self), self->options, train));
}

static void
activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (the_window (LS_APPLICATION (application), TRUE)));
}

static void
open_files (GApplication *application, GFile **files, int n, const char *hint)
{
  LsWindow *window = the_window (LS_APPLICATION (application), FALSE);

  gtk_window_present (GTK_WINDOW (window));
  if (n > 0)
    ls_window_open (files[0], window);
}

static void
about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const char *const authors[] = { "The Lockstep authors", NULL };
  GtkApplication *application = data;

  gtk_show_about_dialog (gtk_application_get_active_window (application), "program-name", _("Lockstep"),
                         "version", LS_VERSION, "logo-icon-name", LS_APP_ID, "comments",
                         _("The same training step on CPU threads and on an OpenCL device, side by side"),
                         "license-type", GTK_LICENSE_GPL_3_0, "authors", authors, "translator-credits",
                         _("translator-credits"), NULL);
}

static void
quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  /* a dialog goes with its window */
  GList *windows = g_list_copy_deep (gtk_application_get_windows (data),
                                     (GCopyFunc) (void (*) (void)) g_object_ref, NULL);

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
  g_list_free_full (windows, g_object_unref);
}

static gboolean
signal_cb (gpointer data)
{
  quit (NULL, NULL, data);
  return G_SOURCE_CONTINUE;
}

static void
startup (GApplication *application)
{
  static const GActionEntry entries[] = { { .name = "about", .activate = about },
                                          { .name = "quit", .activate = quit } };
  static const struct {
    const char *action, *keys[3];
  } accels[] = {
    { "app.quit", { "<Control>q" } },
    { "window.close", { "<Control>w" } },
    { "win.next-op", { "<Control>Right" } },
    { "win.previous-op", { "<Control>Left" } },
    { "win.next-short-op", { "<Control><Shift>Right" } },
    { "win.previous-short-op", { "<Control><Shift>Left" } },
    { "win.sidebar", { "F9" } },
    { "win.settings", { "<Control>comma" } },
    { "win.fullscreen", { "F11" } },
    { "win.export::png", { "<Control>e" } },
    { "win.export::recording", { "<Control>s" } },
    { "win.copy", { "<Control><Shift>c" } },
    { "win.open", { "<Control>o" } },
    { "win.run-again", { "<Control>n" } },
    { "win.edit-kernels", { "<Control>k" } },
    { "win.lab", { "<Control>l" } },
    { "win.measure", { "<Control>m" } },
    { "win.help::", { "F1" } },
    { "win.show-help-overlay", { "<Control>question" } },
  };

  G_APPLICATION_CLASS (ls_application_parent_class)->startup (application);
  gtk_window_set_default_icon_name (LS_APP_ID);
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  for (gsize i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (application), accels[i].action, accels[i].keys);
  g_unix_signal_add (SIGINT, signal_cb, application);
  g_unix_signal_add (SIGTERM, signal_cb, application);
  g_unix_signal_add (SIGHUP, signal_cb, application);
}

static void
finalize (GObject *object)
{
  ls_options_free (LS_APPLICATION (object)->options);
  G_OBJECT_CLASS (ls_application_parent_class)->finalize (object);
}

static void
ls_application_class_init (LsApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = finalize;
  application_class->activate = activate;
  application_class->open = open_files;
  application_class->startup = startup;
}

static void
ls_application_init (LsApplication *self)
{
}

gboolean
ls_app_can_open (void)
{
  g_set_prgname (LS_APP_ID); /* becomes the windows' class, by which an X11 desktop finds their desktop
                                file */
  return gtk_init_check ();
}

/* Without a GPU GL is drawn by the processor, which repaints the whole window each frame and takes the cores
 * from training: Cairo repaints what changed. Where there is a GPU the pictures are Cairo's just the same. A
 * choice made outside stays. */
static void
choose_renderer (void)
{
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
}

int
ls_app_run (const LsOptions *options, const char *path, gboolean own)
{
  g_autoptr (LsApplication) application = NULL;
  const char *arguments[] = { "lockstep", path, NULL };

  choose_renderer ();
  application = g_object_new (LS_TYPE_APPLICATION, "application-id", LS_APP_ID, "resource-base-path",
                              "/io/github/lockstep_lab/Lockstep", "flags",
                              G_APPLICATION_HANDLES_OPEN | (own ? G_APPLICATION_NON_UNIQUE : 0), NULL);
  application->options = ls_options_copy (options);
  return g_application_run (G_APPLICATION (application), path != NULL ? 2 : 1, (char **) arguments);
}
