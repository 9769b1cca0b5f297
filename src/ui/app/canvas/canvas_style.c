/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The canvas follows the desktop.
 */
#include "ui/app/canvas/canvas_private.h"
#include "ui/app/widgets/desktop_style.h"

LsLook
ls_canvas_look (LsCanvas *self)
{
  return self->projector ? LS_LOOK_PROJECTOR : ls_desktop_look ();
}

void
ls_canvas_restyle (LsCanvas *self)
{
  ls_desktop_style (GTK_WIDGET (self), ls_canvas_look (self), &self->style, &self->fonts);
  g_clear_pointer (&self->layout, ls_layout_free);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_canvas_follow_desktop (LsCanvas *self)
{
  ls_desktop_follow (GTK_WIDGET (self), G_CALLBACK (ls_canvas_restyle));
  ls_desktop_style (GTK_WIDGET (self), ls_canvas_look (self), &self->style, &self->fonts);
}
