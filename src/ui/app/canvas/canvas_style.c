/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The canvas follows the desktop: light or dark, high contrast, size of text, font.
 */
#include "ui/app/canvas/canvas_private.h"

LsLook
ls_canvas_look (LsCanvas *self)
{
  if (self->projector)
    return LS_LOOK_PROJECTOR;
  return adw_style_manager_get_dark (adw_style_manager_get_default ()) ? LS_LOOK_DARK : LS_LOOK_LIGHT;
}

static void
read_style (LsCanvas *self)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));
  PangoFontDescription *font;
  g_autofree char *name = NULL;
  gint dpi = 0;

  g_object_get (settings, "gtk-xft-dpi", &dpi, "gtk-font-name", &name, NULL);
  ls_style_init (&self->style, ls_canvas_look (self), dpi > 0 ? dpi / 1024. / 96. : 1);
  ls_style_set_contrast (&self->style,
                         adw_style_manager_get_high_contrast (adw_style_manager_get_default ()));
  font = pango_font_description_from_string (name != NULL ? name : "Sans");
  g_clear_pointer (&self->fonts, ls_fonts_unref);
  self->fonts = ls_fonts_new (
    pango_font_description_get_family (font) != NULL ? pango_font_description_get_family (font) : "Sans");
  pango_font_description_free (font);
}

void
ls_canvas_restyle (LsCanvas *self)
{
  read_style (self);
  g_clear_pointer (&self->layout, ls_layout_free);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_canvas_follow_desktop (LsCanvas *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));

  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (ls_canvas_restyle), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (ls_canvas_restyle), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::gtk-xft-dpi", G_CALLBACK (ls_canvas_restyle), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::gtk-font-name", G_CALLBACK (ls_canvas_restyle), self,
                           G_CONNECT_SWAPPED);
  read_style (self);
}
