/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The canvas, pointed at and dragged: what the pointer does to the question that its view is asked, and what
 * a view's clock does to the session's.
 */
#include "canvas_rig.h"
#include <math.h>

#include "ui/paint/parts/zoom.h"

/* What was under the pointer when the picture was taken hold of stays under it. */
static void
test_drag (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);
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
      canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", clock->x + clock->w / 2,
                       clock->y + clock->h / 2);
      canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-update", by, 0);
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
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);
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
  const double wide = overview->w; /* what is changed is laid out anew */
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", overview->x + overview->w * .625,
                   overview->y + overview->h / 2);
  ls_zoom_window (&canvas->query, span, &from, &to);
  if (llabs ((from + to) / 2 - span * 5 / 8) > 2 || llabs (to - from - span / 8) > 2)
    g_error ("pressed at %" G_GINT64_FORMAT " ns of %" G_GINT64_FORMAT
             ", an eighth of the step, the bracket is from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
             span * 5 / 8, span, from, to);
  /* and goes on from there with the pointer */
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-update", wide / 16, 0);
  ls_zoom_window (&canvas->query, span, &from, &to);
  if (llabs ((from + to) / 2 - span * 11 / 16) > 2)
    g_error ("dragged on to %" G_GINT64_FORMAT " ns of %" G_GINT64_FORMAT
             ", the bracket is from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
             span * 11 / 16, span, from, to);
  rig_close (window);
  ls_session_end (session);
}

/* An end of the bracket that is dragged past the other one, or out of the picture, stops there. */
static void
test_drag_ends (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);
  const gint64 span = canvas->layout->span_ns, quarter = span / 4, half = span / 2;
  const struct {
    guint end;
    double by; /* of the overview */
    gint64 from, to;
  } rows[] = { { 0, .5, half - LS_ZOOM_LEAST_NS, half },
               { 0, -.5, 0, half },
               { 1, -.5, quarter, quarter + LS_ZOOM_LEAST_NS },
               { 1, .75, quarter, span } };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const LsSlot *overview = NULL;
      gint64 from, to;

      ls_zoom_set (&canvas->query, span, quarter, half);
      ls_canvas_relayout (canvas);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      for (guint i = 0; i < canvas->layout->slots->len; i++)
        if (g_array_index (canvas->layout->slots, LsSlot, i).kind == LS_SLOT_OVERVIEW)
          overview = &g_array_index (canvas->layout->slots, LsSlot, i);
      const double wide = overview->w;
      canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin",
                       overview->x + wide * (rows[r].end == 0 ? .25 : .5), overview->y + overview->h / 2);
      canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-update", wide * rows[r].by, 0);
      ls_zoom_window (&canvas->query, span, &from, &to);
      if (llabs (from - rows[r].from) > 1 || llabs (to - rows[r].to) > 1)
        g_error ("the %s end, dragged by %g of the step, makes it %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                 " ns of %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                 rows[r].end == 0 ? "left" : "right", rows[r].by, from, to, span, rows[r].from, rows[r].to);
    }
  rig_close (window);
  ls_session_end (session);
}

/* The step under the pointer is told while that is over the curves, and not once it has gone. */
static void
test_leave (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_curves, session, &window);
  double x = 0, y = 0;

  g_assert_cmpint (canvas->query.curves.cursor, ==, -1);
  while (y < 800 && ls_layout_step_at (canvas->layout, x, y) < 0)
    {
      x = x < 1270 ? x + 10 : 0;
      y += x > 0 ? 0 : 10;
    }
  g_assert_cmpfloat (y, <, 800);
  canvas->moved = FALSE;
  canvas_rig_emit (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", x, y);
  g_assert_cmpint (canvas->query.curves.cursor, ==, ls_layout_step_at (canvas->layout, x, y));
  g_assert_true (canvas->moved); /* so that it is painted */
  canvas_rig_emit (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION, "leave", 0, 0);
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

      canvas_rig_show (&ls_view_timeline, session, &window);
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

/* What of the session's clock ends in the question: its hand, its end, whether and how fast it goes. */
static void
test_query (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_race, session, &window);
  LsPlayhead *playhead = &session->playhead;

  for (guint i = 0; i < 12; i++)
    {
      const gboolean playing = i % 2, projector = i / 2 % 2;
      const guint where = i / 4;
      const gint64 span = ls_playhead_span (playhead), at = where == 2 ? span : span * (gint64) where / 3;

      playhead->playing = playing;
      playhead->skipped = i;
      playhead->dial_ns = 1000 * (i + 1);
      canvas->projector = projector;
      ls_playhead_seek (playhead, at);
      ls_canvas_queue_move (canvas);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      const LsQuery *q = &canvas->query;
      g_assert_cmpuint (q->op, ==, ls_playhead_op (playhead));
      g_assert_cmpint (q->paused, ==, !playing);
      g_assert_cmpint (q->chrome, ==, projector);
      g_assert_cmpuint (q->skipped, ==, playhead->skipped);
      g_assert_cmpuint (q->dial_ns, ==, playing || projector ? playhead->dial_ns : 0);
      if (where == 2)
        g_assert_cmpint (q->time_ns, ==, LS_TIME_END);
      else if (adw_get_enable_animations (GTK_WIDGET (canvas)))
        g_assert_cmpint (q->time_ns, ==, playhead->time_ns);
      else
        g_assert_cmpint (q->time_ns, <=, playhead->time_ns);
      g_assert_true (canvas->layout->query.op == q->op && canvas->layout->query.paused == q->paused);
    }
  rig_close (window);
  ls_session_end (session);
}

static void
click (LsCanvas *canvas, double x, double y)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (canvas));
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
      if (!GTK_IS_GESTURE_CLICK (controller)
          || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) != GDK_BUTTON_PRIMARY)
        continue;
      g_signal_emit_by_name (controller, "pressed", 1, x, y);
      n++;
    }
  g_assert_cmpuint (n, >=, 1);
}

static void
op_cb (LsCanvas *canvas, guint op, gint *seen)
{
  *seen = (gint) op;
}

static void
pick_cb (LsCanvas *canvas, guint *n)
{
  ++*n;
}

/* A click picks what is under it, once more lets it go; one on the ribbon asks for its op; the pointer is
 * over what it is over. */
static void
test_click (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_partition, session, &window);
  guint picks = 0, tried = 0;
  gint op = -1;

  g_signal_connect (canvas, "op", G_CALLBACK (op_cb), &op);
  g_signal_connect (canvas, "pick", G_CALLBACK (pick_cb), &picks);
  for (guint i = 0; i < canvas->layout->still->items->len && tried < 8; i++)
    {
      const LsItem *item = ls_scene_get (canvas->layout->still, i);
      const double x = (double) (item->x + item->w / 2), y = (double) (item->y + item->h / 2);

      if (item->kind != LS_ITEM_TILE || item->event == LS_NO_EVENT)
        continue;
      const LsPick mark = { item->side, item->event };
      tried++;
      canvas_rig_emit (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", x, y);
      g_assert_true (canvas->query.hover.side == mark.side && canvas->query.hover.event == mark.event);
      click (canvas, x, y);
      g_assert_true (canvas->query.picked.side == mark.side && canvas->query.picked.event == mark.event);
      g_assert_true (ls_canvas_has_pick (canvas));
      const guint before = picks;
      click (canvas, x, y);
      g_assert_false (ls_canvas_has_pick (canvas));
      g_assert_cmpuint (picks, ==, before + 1);
      ls_canvas_pick (canvas); /* by the keyboard: what the pointer is over */
      g_assert_true (canvas->query.picked.side == mark.side && canvas->query.picked.event == mark.event);
      g_assert_true (ls_canvas_let_go (canvas));
      g_assert_cmpint (canvas->query.hover.side, ==, -1);
      g_assert_false (ls_canvas_let_go (canvas));
    }
  g_assert_cmpuint (tried, ==, 8);
  tried = 0;
  for (guint i = 0; i < canvas->layout->slots->len; i++)
    {
      const LsSlot slot = g_array_index (canvas->layout->slots, LsSlot, i);
      if (slot.kind != LS_SLOT_OPS)
        continue;
      click (canvas, slot.x + slot.w - 1, slot.y + slot.h - 1);
      g_assert_cmpint (op, ==, (gint) slot.op);
      tried++;
    }
  g_assert_cmpuint (tried, >, 4);
  rig_close (window);
  ls_session_end (session);
}

/* Time alone moves what is there; other data, another view, another size make the picture anew; what the
 * pointer was over is nothing in another view. */
static void
test_anew (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_race, session, &window);
  const gint64 span = ls_playhead_span (&session->playhead);
  LsLayout *before = canvas->layout;

  ls_playhead_seek (&session->playhead, span / 3);
  ls_session_emit_time (session);
  g_assert_true (ls_canvas_ensure_layout (canvas));
  g_assert_true (canvas->layout == before);
  g_assert_cmpint (canvas->layout->query.time_ns, ==, canvas->query.time_ns);
  ls_view_data_unref (session->data);
  session->data = ls_fixture_data (&ls_fixture_cores);
  ls_session_emit_data (session);
  g_assert_true (ls_canvas_ensure_layout (canvas));
  g_assert_true (canvas->layout->data == session->data);
  /* of another size than the widget has */
  for (guint i = 0; i < 4; i++)
    {
      double *size = i < 2 ? &canvas->layout->width : &canvas->layout->height, was = *size;
      *size += i % 2 == 0 ? 40 : -40;
      g_assert_true (ls_canvas_ensure_layout (canvas));
      size = i < 2 ? &canvas->layout->width : &canvas->layout->height;
      g_assert_cmpfloat_with_epsilon (*size, was, .01);
    }
  canvas->query.hover = (LsPick){ 0, 1 };
  ls_canvas_move_pick (canvas, 1, 0); /* by keys: what the pointer is over is no longer told */
  g_assert_cmpint (canvas->query.hover.side, ==, -1);
  canvas->query.hover = (LsPick){ 0, 1 };
  ls_canvas_set_view (canvas, &ls_view_timeline);
  g_assert_cmpint (canvas->query.hover.side, ==, -1);
  g_assert_true (ls_canvas_ensure_layout (canvas));
  g_assert_true (canvas->layout->view == &ls_view_timeline);
  g_assert_true (canvas->query.state == ls_canvas_state (canvas, &ls_view_timeline));
  ls_canvas_set_seconds (canvas, TRUE);
  g_assert_true (ls_canvas_ensure_layout (canvas) && canvas->layout->query.curves.seconds);
  ls_canvas_set_plot (canvas, LS_CURVE_RATE);
  g_assert_true (ls_canvas_ensure_layout (canvas) && canvas->layout->query.curves.kind == LS_CURVE_RATE);
  ls_canvas_set_evidence (canvas, LS_EVIDENCE_DERIVED);
  g_assert_true (ls_canvas_ensure_layout (canvas) && canvas->layout->query.evidence == LS_EVIDENCE_DERIVED);
  rig_close (window);
  ls_session_end (session);
}

/* In a frame the bricks that changed are painted anew, and all others are what they were. */
static void
test_bricks (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_race, session, &window);
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (Kept));
  guint kept = 0, anew = 0;

  for (guint frame = 0; frame < 6; frame++)
    {
      guint n;

      ls_playhead_seek (&session->playhead, ls_playhead_span (&session->playhead) * (frame + 1) / 10);
      ls_canvas_queue_move (canvas);
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      GTK_WIDGET_GET_CLASS (canvas)->snapshot (GTK_WIDGET (canvas), snapshot);
      GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
      g_clear_pointer (&node, gsk_render_node_unref);
      const LsBrick *bricks = ls_raster_bricks (canvas->raster, &n);
      g_assert_cmpuint (canvas->kept->len, ==, n);
      for (guint i = 0; i < n; i++)
        {
          const Kept *now = &g_array_index (canvas->kept, Kept, i);
          g_assert_cmpuint (now->serial, ==, bricks[i].serial);
          if (i >= before->len)
            continue;
          const Kept *was = &g_array_index (before, Kept, i);
          g_assert_cmpint (was->node == now->node, ==, was->serial == now->serial);
          kept += was->node == now->node;
          anew += was->node != now->node;
        }
      for (guint i = 0; i < before->len; i++)
        gsk_render_node_unref (g_array_index (before, Kept, i).node);
      g_array_set_size (before, 0);
      g_array_append_vals (before, canvas->kept->data, canvas->kept->len);
      for (guint i = 0; i < before->len; i++) /* so that no new one has its address */
        gsk_render_node_ref (g_array_index (before, Kept, i).node);
    }
  for (guint i = 0; i < before->len; i++)
    gsk_render_node_unref (g_array_index (before, Kept, i).node);
  g_assert_cmpuint (kept, >, anew);
  g_assert_cmpuint (anew, >, 5);
  rig_close (window);
  ls_session_end (session);
}

static gint64
own_span (const LsViewData *data, const LsQuery *query, gint64 *still_ns)
{
  return 12345;
}

/* Of two pictures beside each other the left one's clock is the session's; the other leaves it alone. */
static void
test_clock_beside (void)
{
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (LsSession) session = ls_session_new ();
      LsCanvas *first = g_object_ref_sink (LS_CANVAS (ls_canvas_new (session, NULL))),
               *second = g_object_ref_sink (LS_CANVAS (ls_canvas_new (session, first))),
               *canvas = i % 2 == 0 ? first : second;
      const gboolean beside = i % 2, by_op = i / 2 % 2, own = i / 4;
      LsView view = ls_view_network;

      session->data = ls_fixture_data (&ls_fixture_cores);
      ls_playhead_set_data (&session->playhead, session->data, TRUE);
      view.by_op = by_op;
      view.span = own ? own_span : NULL;
      canvas->view = &view;
      ls_canvas_set_clock (canvas);
      if (session->playhead.by_op != (!beside && by_op) || session->playhead.own != (!beside && own)
          || (!beside && own && ls_playhead_span (&session->playhead) != 12345))
        g_error ("%u: the picture on the %s makes the session's clock one%s%s", i, beside ? "right" : "left",
                 session->playhead.by_op ? " of the op" : "", session->playhead.own ? " of its own" : "");
      canvas->view = &ls_view_network;
      g_object_unref (second);
      g_object_unref (first);
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
  g_test_add_func ("/canvas/drag-ends", test_drag_ends);
  g_test_add_func ("/canvas/leave", test_leave);
  g_test_add_func ("/canvas/query", test_query);
  g_test_add_func ("/canvas/click", test_click);
  g_test_add_func ("/canvas/anew", test_anew);
  g_test_add_func ("/canvas/bricks", test_bricks);
  g_test_add_func ("/canvas/dial-of-own-clock", test_dial_of_own_clock);
  g_test_add_func ("/canvas/clock-beside", test_clock_beside);
  return g_test_run ();
}
