/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wheel over a canvas while a key is held, which is played; and what is beside that which it moves.
 */
#include "canvas_rig.h"

#include <math.h>
#include <stdlib.h>

#include "ui/paint/parts/zoom.h"

static GdkModifierType held; /* on the keyboard */

GdkModifierType __wrap_gtk_event_controller_get_current_event_state (GtkEventController *controller);

GdkModifierType
__wrap_gtk_event_controller_get_current_event_state (GtkEventController *controller)
{
  return held;
}

/* With Shift the wheel moves the picture, also where it turns down alone: not every mouse turns sideways. */
static void
test_wheel_across (void)
{
  static const struct {
    double dx, dy, by; /* by: of what is shown */
  } rows[] = { { 0, 1, .15 }, { 0, -1, -.15 }, { 0, 2, .3 }, { 1, 0, .15 }, { -1, .5, -.15 } };
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (canvas));
  const gint64 span = canvas->layout->span_ns;
  gint64 from, to;

  held = GDK_SHIFT_MASK;
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      ls_zoom_set (&canvas->query, span, span * 3 / 8, span * 5 / 8);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      for (guint k = 0; k < g_list_model_get_n_items (all); k++)
        {
          g_autoptr (GObject) one = g_list_model_get_item (all, k);
          gboolean taken;
          if (GTK_IS_EVENT_CONTROLLER_SCROLL (one))
            g_signal_emit_by_name (one, "scroll", rows[i].dx, rows[i].dy, &taken);
        }
      ls_zoom_window (&canvas->query, span, &from, &to);
      const double moved = (double) (from - span * 3 / 8) / ((double) span / 4);
      if (fabs (moved - rows[i].by) > .001 || llabs (to - from - span / 4) > 2)
        g_error ("with Shift a notch of %g, %g moves the picture by %.3f of it, not by %g", rows[i].dx,
                 rows[i].dy, moved, rows[i].by);
    }
  held = 0;
  rig_close (window);
  ls_session_end (session);
}

/* Beside the clock are cards: what is right of its handle, wherever the clock begins. */
static void
test_beside (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);
  const LsSlot *clock = NULL;

  for (guint i = 0; i < canvas->layout->slots->len; i++)
    if (g_array_index (canvas->layout->slots, LsSlot, i).kind == LS_SLOT_CLOCK)
      clock = &g_array_index (canvas->layout->slots, LsSlot, i);
  g_assert_nonnull (clock);
  const double end = clock->x + clock->w;
  const struct {
    double x;
    gboolean beside;
  } rows[] = { { 0, FALSE },   { clock->x, FALSE }, { clock->w + 11, FALSE },
               { end, FALSE }, { end + 9, FALSE },  { end + 11, TRUE } };
  g_assert_cmpfloat (clock->x, >, 21);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (ls_canvas_zoom_beside (canvas, rows[i].x, clock->y) != rows[i].beside)
      g_error ("%g px is %sbeside a clock from %g to %g px", rows[i].x, rows[i].beside ? "not " : "",
               clock->x, end);
  rig_close (window);
  ls_session_end (session);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/canvas-wheel/across", test_wheel_across);
  g_test_add_func ("/canvas-wheel/beside", test_beside);
  return g_test_run ();
}
