/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See canvas_rig.h.
 */
#include "canvas_rig.h"

LsCanvas *
canvas_rig_show (const LsView *view, LsSession *session, GtkWidget **window)
{
  LsCanvas *canvas = LS_CANVAS (ls_canvas_new (session, NULL));

  session->data = ls_fixture_data (&ls_fixture_cores);
  ls_playhead_set_data (&session->playhead, session->data, TRUE);
  ls_canvas_set_view (canvas, view);
  *window = rig_show (GTK_WIDGET (canvas), 1280, 800);
  g_assert_true (ls_canvas_ensure_layout (canvas));
  return canvas;
}

void
canvas_rig_emit (LsCanvas *canvas, GType kind, const char *signal, double x, double y)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (canvas));
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
      if (!G_TYPE_CHECK_INSTANCE_TYPE (controller, kind))
        continue;
      if (g_str_equal (signal, "leave"))
        g_signal_emit_by_name (controller, signal);
      else
        g_signal_emit_by_name (controller, signal, x, y);
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}
