/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The run that a crash has broken off, offered in the banner until the user goes on with it or leaves it.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

static void
go_on (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);

  if (!self->offered) /* the banner slides away and still takes keys */
    return;
  ls_session_go_on (self->session);
  ls_window_new_run (self);
  ls_window_event (self, "kept taken");
  gtk_widget_grab_focus (self->canvas);
}

static void
leave (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);

  if (!self->offered)
    return;
  ls_session_leave_kept (self->session);
  ls_window_event (self, "kept left");
  gtk_widget_grab_focus (self->canvas);
}

void
ls_window_class_add_kept (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.go-on", NULL, go_on);
  gtk_widget_class_install_action (widget_class, "win.leave-kept", NULL, leave);
}
