/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help from the window: F1 opens the topic of the view that is shown.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include "ui/app/dialogs/help_window.h"

void
ls_window_help (LsWindow *self, const char *topic)
{
  if (self->help == NULL)
    {
      self->help = ls_help_window_new (GTK_WINDOW (self));
      g_object_add_weak_pointer (G_OBJECT (self->help), (gpointer *) &self->help);
    }
  ls_help_window_show (LS_HELP_WINDOW (self->help),
                       *topic != '\0' ? topic : ls_canvas_view (LS_CANVAS (self->canvas))->name);
  ls_window_event (self, "help %s", *topic != '\0' ? topic : ls_canvas_view (LS_CANVAS (self->canvas))->name);
}
