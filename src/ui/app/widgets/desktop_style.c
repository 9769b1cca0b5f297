/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See desktop_style.h.
 */
#include "ui/app/widgets/desktop_style.h"

#include <adwaita.h>

LsLook
ls_desktop_look (void)
{
  return adw_style_manager_get_dark (adw_style_manager_get_default ()) ? LS_LOOK_DARK : LS_LOOK_LIGHT;
}

void
ls_desktop_style (GtkWidget *widget, LsLook look, LsStyle *style, LsFonts **fonts)
{
  GtkSettings *settings = gtk_widget_get_settings (widget);
  PangoFontDescription *font;
  g_autofree char *name = NULL;
  gint dpi = 0;

  g_object_get (settings, "gtk-xft-dpi", &dpi, "gtk-font-name", &name, NULL);
  ls_style_init (style, look, dpi > 0 ? dpi / 1024. / 96. : 1);
  ls_style_set_contrast (style, adw_style_manager_get_high_contrast (adw_style_manager_get_default ()));
  font = pango_font_description_from_string (name != NULL ? name : "Sans");
  g_clear_pointer (fonts, ls_fonts_unref);
  *fonts = ls_fonts_new (
    pango_font_description_get_family (font) != NULL ? pango_font_description_get_family (font) : "Sans");
  pango_font_description_free (font);
}

void
ls_desktop_follow (GtkWidget *widget, GCallback changed)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  GtkSettings *settings = gtk_widget_get_settings (widget);

  g_signal_connect_object (manager, "notify::dark", changed, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", changed, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::gtk-xft-dpi", changed, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::gtk-font-name", changed, widget, G_CONNECT_SWAPPED);
}
