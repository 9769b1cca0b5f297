/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawing area over paint's marks.
 */
#include "config.h"
#include "ui/app/widgets/help_mark.h"

#include "ui/paint/parts/help_mark.h"
#include "ui/paint/scene/paint.h"

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  const LsMoment moment = { LS_TIME_END, -1, -1 };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsStyle style;
  LsScene *scene;

  ls_style_init (&style, adw_style_manager_get_dark (manager) ? LS_LOOK_DARK : LS_LOOK_LIGHT, 1);
  ls_style_set_contrast (&style, adw_style_manager_get_high_contrast (manager));
  scene = ls_scene_new (fonts, &style);
  ls_scene_help_mark (scene, (LsHelpMark) GPOINTER_TO_UINT (data));
  ls_paint_scene (scene, cr, &moment);
  ls_scene_free (scene);
}

GtkWidget *
ls_help_mark_new (LsHelpMark mark)
{
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                  NULL);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), LS_HELP_MARK_W);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), LS_HELP_MARK_H);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_cb, GUINT_TO_POINTER (mark), NULL);
  gtk_widget_set_valign (area, GTK_ALIGN_START);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), area, G_CONNECT_SWAPPED);
  return area;
}
