/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The canvas, pointed at and dragged: what the pointer does to the question that its view is asked, and what
 * a view's clock does to the session's.
 */
#include <math.h>

#include "fixture.h"
#include "rig.h"
#include "ui/app/canvas/canvas_private.h"
#include "ui/app/session/session_private.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/views.h"

/* A canvas in a window, with that view of an invented step. */
static LsCanvas *
show (const LsView *view, LsSession *session, GtkWidget **window)
{
  LsCanvas *canvas = LS_CANVAS (ls_canvas_new (session, NULL));

  session->data = ls_fixture_data (&ls_fixture_cores);
  ls_playhead_set_data (&session->playhead, session->data, TRUE);
  ls_canvas_set_view (canvas, view);
  *window = rig_show (GTK_WIDGET (canvas), 1280, 800);
  g_assert_true (ls_canvas_ensure_layout (canvas));
  return canvas;
}

/* To all of the canvas's controllers of that kind. */
static void
to_controllers (LsCanvas *canvas, GType kind, const char *signal, double x, double y)
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

/* What was under the pointer when the picture was taken hold of stays under it. */
static void
test_drag (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = show (&ls_view_timeline, session, &window);
  const gint64 span = canvas->layout->span_ns;
  const LsSlot *clock = NULL;
  gint64 from, to;

  for (int by = -60; by <= 60; by += 120)
    {
      ls_zoom_set (&canvas->query, span, span / 4, span / 2);
      ls_canvas_relayout (canvas);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      for (guint i = 0; i < canvas->layout->slots->len; i++)
        if (g_array_index (canvas->layout->slots, LsSlot, i).kind == LS_SLOT_CLOCK)
          clock = &g_array_index (canvas->layout->slots, LsSlot, i);
      g_assert_nonnull (clock);
      const double expected = (double) span / 4 - by / clock->w * (double) (span / 2 - span / 4);
      to_controllers (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", clock->x + clock->w / 2,
                      clock->y + clock->h / 2);
      to_controllers (canvas, GTK_TYPE_GESTURE_DRAG, "drag-update", by, 0);
      ls_zoom_window (&canvas->query, span, &from, &to);
      if (fabs ((double) from - expected) > 2)
        g_error ("dragged by %d px, the picture begins at %" G_GINT64_FORMAT " ns instead of %.0f", by, from,
                 expected);
      g_assert_cmpint (llabs (to - from - (span / 2 - span / 4)), <=, 1);
    }
  rig_close (window);
  ls_session_end (session);
}

/* A press on the overview beside the bracket: the bracket comes, with its middle under the pointer. */
static void
test_press_beside (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = show (&ls_view_timeline, session, &window);
  const gint64 span = canvas->layout->span_ns;
  const LsSlot *overview = NULL;
  gint64 from, to;

  ls_zoom_set (&canvas->query, span, span / 8, span / 4);
  ls_canvas_relayout (canvas);
  g_assert_true (ls_canvas_ensure_layout (canvas));
  for (guint i = 0; i < canvas->layout->slots->len; i++)
    if (g_array_index (canvas->layout->slots, LsSlot, i).kind == LS_SLOT_OVERVIEW)
      overview = &g_array_index (canvas->layout->slots, LsSlot, i);
  g_assert_nonnull (overview);
  to_controllers (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", overview->x + overview->w * .625,
                  overview->y + overview->h / 2);
  ls_zoom_window (&canvas->query, span, &from, &to);
  if (llabs ((from + to) / 2 - span * 5 / 8) > 2 || llabs (to - from - span / 8) > 2)
    g_error ("pressed at %" G_GINT64_FORMAT " ns of %" G_GINT64_FORMAT
             ", an eighth of the step, the bracket is from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
             span * 5 / 8, span, from, to);
  rig_close (window);
  ls_session_end (session);
}

/* The step under the pointer is told while that is over the curves, and not once it has gone. */
static void
test_leave (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = show (&ls_view_curves, session, &window);
  double x = 0, y = 0;

  g_assert_cmpint (canvas->query.curves.cursor, ==, -1);
  while (y < 800 && ls_layout_step_at (canvas->layout, x, y) < 0)
    {
      x = x < 1270 ? x + 10 : 0;
      y += x > 0 ? 0 : 10;
    }
  g_assert_cmpfloat (y, <, 800);
  to_controllers (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", x, y);
  g_assert_cmpint (canvas->query.curves.cursor, ==, ls_layout_step_at (canvas->layout, x, y));
  to_controllers (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION, "leave", 0, 0);
  if (canvas->query.curves.cursor >= 0)
    g_error ("the pointer has left the curves, and step %" G_GINT64_FORMAT " is still told",
             canvas->query.curves.cursor);
  rig_close (window);
  ls_session_end (session);
}

/* Who has chosen a slow motion keeps it, also where a picture has a clock of its own; else that one's is
 * suited to it. */
static void
test_dial_of_own_clock (void)
{
  for (guint chosen = 0; chosen < 2; chosen++)
    {
      g_autoptr (LsSession) session = ls_session_new ();
      GtkWidget *window;
      const guint64 dial = ls_dial_ns (3);

      show (&ls_view_timeline, session, &window);
      if (chosen)
        ls_session_set_dial (session, dial);
      ls_session_set_clock (session, FALSE, 900000000);
      const guint64 is = ls_session_playhead (session)->dial_ns,
                    wanted = chosen ? dial : ls_dial_ns (ls_dial_for_step (900000000));
      if (is != wanted)
        g_error ("a second stands for %" G_GUINT64_FORMAT " ns, not the %" G_GUINT64_FORMAT " ns that %s", is,
                 wanted, chosen ? "were chosen" : "suit the picture’s own clock");
      rig_close (window);
      ls_session_end (session);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/canvas/drag", test_drag);
  g_test_add_func ("/canvas/press-beside", test_press_beside);
  g_test_add_func ("/canvas/leave", test_leave);
  g_test_add_func ("/canvas/dial-of-own-clock", test_dial_of_own_clock);
  return g_test_run ();
}
