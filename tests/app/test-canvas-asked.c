/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a canvas is asked for and what it asks for: by whoever sets it, by the canvas beside it, by screen
 * readers; of those who compute.
 */
#include "canvas_rig.h"
#include "ui/app/widgets/desktop_style.h"

#include <string.h>

/* ---- what is said of it ---- */

static void
assert_said (LsCanvas *canvas)
{
  g_assert_true (ls_canvas_ensure_layout (canvas));
  g_autofree char *words = ls_layout_describe (canvas->layout);

  rig_assert_says (canvas, GTK_ACCESSIBLE_PROPERTY_LABEL, canvas->view->title);
  rig_assert_says (canvas, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words);
}

/* The view's name, and what its picture shows: at once where a view is chosen or a piece of work is picked,
 * else soon; never of a canvas that is gone. */
static void
test_says (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_partition, session, &window);

  ls_canvas_queue_describe (canvas, TRUE);
  assert_said (canvas);
  g_autofree char *before = ls_layout_describe (canvas->layout);
  ls_canvas_move_pick (canvas, 1, 0);
  assert_said (canvas);
  g_autofree char *after = ls_layout_describe (canvas->layout);
  g_assert_cmpstr (before, !=, after);
  ls_canvas_set_view (canvas, &ls_view_timeline);
  assert_said (canvas);
  g_assert_cmpuint (canvas->describe_later, ==, 0);
  gtk_widget_set_visible (GTK_WIDGET (canvas), FALSE);
  ls_canvas_queue_describe (canvas, FALSE);
  const guint later = canvas->describe_later;
  if (later == 0)
    g_error ("what is new within two seconds isn't said later");
  ls_canvas_queue_describe (canvas, FALSE);
  g_assert_cmpuint (canvas->describe_later, ==, later);
  rig_close (window);
  if (g_main_context_find_source_by_id (NULL, later) != NULL)
    g_error ("the canvas is gone, and is to be described in two seconds");
  ls_session_end (session);
}

/* ---- two of them ---- */

/* Each view has a state of its own, which is as that view begins, and which both canvases share, as they do
 * the strokes on the pad. */
static void
test_states (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *one = g_object_ref_sink (ls_canvas_new (session, NULL)),
            *two = g_object_ref_sink (ls_canvas_new (session, LS_CANVAS (one)));
  guint n, with_state = 0;
  const LsView *const *views = ls_views (&n);

  g_assert_true (ls_canvas_view (LS_CANVAS (one)) == views[0]
                 && ls_canvas_view (LS_CANVAS (two)) == views[0]);
  g_assert_false (LS_CANVAS (one)->beside);
  g_assert_true (LS_CANVAS (two)->beside);
  for (guint i = 0; i < n; i++)
    {
      const char *state = ls_canvas_state (LS_CANVAS (one), views[i]);

      if ((state != NULL) != (views[i]->state_size > 0)
          || (state != NULL && memcmp (state, views[i]->state_init, views[i]->state_size) != 0))
        g_error ("%s doesn't begin with the state that it has at first", views[i]->title);
      if (state != ls_canvas_state (LS_CANVAS (two), views[i]))
        g_error ("what is chosen in %s isn't chosen on the other side", views[i]->title);
      with_state += state != NULL;
      ls_canvas_set_view (LS_CANVAS (one), views[i]);
      g_assert_true (LS_CANVAS (one)->query.state == state);
    }
  g_assert_cmpuint (with_state, >, 4);
  g_assert_true (LS_CANVAS (one)->query.pen.strokes != NULL
                 && LS_CANVAS (one)->query.pen.strokes == LS_CANVAS (two)->query.pen.strokes);
  g_object_unref (one);
  g_assert_nonnull (ls_canvas_state (LS_CANVAS (two), &ls_view_partition)); /* which stays for the other */
  g_object_unref (two);
}

/* What is pointed at, picked or faded on one side is so on the other; what each shows remains its own. */
static void
test_follow (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_partition, session, &window);
  LsCanvas *other = LS_CANVAS (g_object_ref_sink (ls_canvas_new (session, canvas)));
  const LsQuery *q = &other->query;

  ls_canvas_set_view (other, &ls_view_curves);
  ls_canvas_set_plot (other, LS_CURVE_RATE);
  for (guint i = 0; i < 2; i++)
    {
      canvas->query.hover = i == 0 ? (LsPick){ 0, 3 } : LS_PICK_NONE;
      canvas->query.picked = i == 0 ? (LsPick){ 1, 4 } : LS_PICK_NONE;
      canvas->query.worker = i == 0 ? 2 : -1;
      canvas->query.evidence = i == 0 ? LS_EVIDENCE_DERIVED : -1;
      other->moved = FALSE;
      ls_canvas_follow (other, canvas);
      if (q->hover.side != canvas->query.hover.side || q->hover.event != canvas->query.hover.event)
        g_error ("one side is pointed at event %u of lane %d, the other at event %u of lane %d",
                 canvas->query.hover.event, canvas->query.hover.side, q->hover.event, q->hover.side);
      if (q->picked.side != canvas->query.picked.side || q->picked.event != canvas->query.picked.event)
        g_error ("on one side event %u of lane %d is picked, on the other event %u of lane %d",
                 canvas->query.picked.event, canvas->query.picked.side, q->picked.event, q->picked.side);
      if (q->worker != canvas->query.worker)
        g_error ("one side is of worker %d, the other of worker %d", canvas->query.worker, q->worker);
      if (q->evidence != canvas->query.evidence)
        g_error ("one side shows evidence %d alone, the other %d", canvas->query.evidence, q->evidence);
      g_assert_true (other->moved);
      g_assert_true (ls_canvas_has_pick (other) == (i == 0));
    }
  g_assert_true (other->view == &ls_view_curves && q->curves.kind == LS_CURVE_RATE);
  g_assert_true (canvas->query.curves.kind != LS_CURVE_RATE);
  g_object_unref (other);
  rig_close (window);
  ls_session_end (session);
}

/* ---- what it asks for ---- */

static guint n_wishes, wished_op;

static void
wish_op (const LsViewData *data, const LsQuery *query, LsWish *wish)
{
  n_wishes++;
  wished_op = query->op;
  wish->walk.op = (gint) query->op;
}

/* What a view wishes for is computed while it can be seen, for the op that is shown, and at the side where it
 * stands; once another op is shown, for that one. */
static void
test_wish (void)
{
  for (guint beside = 0; beside < 2; beside++)
    {
      g_autoptr (LsSession) session = ls_session_new ();
      GtkWidget *window, *first = beside ? g_object_ref_sink (ls_canvas_new (session, NULL)) : NULL;
      LsCanvas *canvas = LS_CANVAS (ls_canvas_new (session, beside ? LS_CANVAS (first) : NULL));
      LsView view = ls_view_network;
      const LsWish *wish = &session->wishes[beside];

      view.wish = wish_op;
      n_wishes = 0;
      canvas->view = &view;
      ls_canvas_tell_wish (canvas, TRUE);
      g_assert_cmpuint (n_wishes, ==, 0); /* there is no run */
      session->data = ls_fixture_data (&ls_fixture_cores);
      ls_playhead_set_data (&session->playhead, session->data, TRUE);
      ls_canvas_tell_wish (canvas, TRUE);
      if (n_wishes > 0 || wish->walk.op != LS_WALK_NO_OP)
        g_error ("a picture that can't be seen has op %d computed", (int) wish->walk.op);
      window = rig_show (GTK_WIDGET (canvas), 1280, 800);
      if (n_wishes == 0 || (guint) wish->walk.op != wished_op)
        g_error ("shown, a picture has op %d computed, not op %u", (int) wish->walk.op, wished_op);
      g_assert_cmpint (session->wishes[!beside].walk.op, ==, LS_WALK_NO_OP);
      for (guint op = 3; op > 0; op--)
        {
          ls_playhead_set_by_op (&session->playhead, TRUE);
          ls_playhead_seek_op (&session->playhead, op);
          ls_session_emit_time (session);
          if (wished_op != op || wish->walk.op != (gint) op)
            g_error ("op %u is shown, and op %d computed", op, (int) wish->walk.op);
          const guint n = n_wishes;
          ls_session_emit_time (session);
          if (n_wishes != n)
            g_error ("as the clock goes within op %u, it is wished for anew", op);
        }
      gtk_widget_set_visible (GTK_WIDGET (canvas), FALSE);
      if (wish->walk.op != LS_WALK_NO_OP)
        g_error ("a picture that is hidden has op %d computed", (int) wish->walk.op);
      canvas->view = &ls_view_network;
      rig_close (window);
      g_clear_object (&first);
      ls_session_end (session);
    }
}

/* ---- what it is asked for ---- */

/* Each is in the next picture, and what is as it was makes none anew. */
static void
test_set (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_curves, session, &window);

  for (guint i = 0; i < 4; i++)
    {
      const gboolean on = i % 2 == 0;

      ls_canvas_set_key (canvas, on);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      if (canvas->layout->query.key != on)
        g_error ("the picture %s the key to the evidence", on ? "lacks" : "still has");
      const LsLayout *layout = canvas->layout;
      ls_canvas_set_key (canvas, on);
      ls_canvas_set_strip (canvas, canvas->query.curves.part);
      g_assert_true (canvas->layout == layout);
      ls_canvas_set_projector (canvas, on);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      const LsLook look = on ? LS_LOOK_PROJECTOR : ls_desktop_look ();
      if (canvas->layout->query.chrome != on || canvas->layout->style.look != look)
        g_error ("for a projector %s: look %d instead of %d, the title %s", on ? "yes" : "no",
                 (int) canvas->layout->style.look, (int) look,
                 canvas->layout->query.chrome ? "in the picture" : "not");
      ls_canvas_set_seconds (canvas, on);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      g_assert_cmpint (ls_canvas_seconds (canvas), ==, on);
      g_assert_cmpint (canvas->layout->query.curves.seconds, ==, on);
    }
  ls_canvas_set_strip (canvas, canvas->query.curves.part + 1);
  g_assert_true (ls_canvas_ensure_layout (canvas));
  g_assert_cmpint (canvas->layout->query.curves.part, ==, canvas->query.curves.part);
  rig_close (window);
  ls_session_end (session);
}

/* A hand over what can be clicked, a cross where can be drawn, else the arrow. */
static void
test_cursor (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_network, session, &window);

  for (LsSlotKind kind = LS_SLOT_CONTROLS; kind <= LS_SLOT_OVERVIEW; kind++)
    for (guint in = 0; in < 2; in++)
      {
        const LsSlot slot = { .kind = kind, .side = -1, .x = 100, .y = 200, .w = 200, .h = 400 };
        const char *wanted = !in                   ? NULL
                             : kind == LS_SLOT_PAD ? "crosshair"
                             : kind == LS_SLOT_OPS || kind == LS_SLOT_KEY || kind == LS_SLOT_SOURCE
                                 || kind == LS_SLOT_FOLD
                               ? "pointer"
                               : NULL;
        GdkCursor *cursor;

        g_assert_true (ls_canvas_ensure_layout (canvas));
        g_array_set_size (canvas->layout->slots, 0);
        g_array_append_val (canvas->layout->slots, slot);
        canvas_rig_emit (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", in ? 299 : 301, 599);
        cursor = gtk_widget_get_cursor (GTK_WIDGET (canvas));
        const char *is = cursor != NULL ? gdk_cursor_get_name (cursor) : NULL;
        if (g_strcmp0 (is, wanted) != 0)
          g_error ("%s a place of kind %d the pointer is “%s”, not “%s”", in ? "over" : "beside", (int) kind,
                   is != NULL ? is : "default", wanted != NULL ? wanted : "default");
      }
  rig_close (window);
  ls_session_end (session);
}

static GtkWidget *
popover_of (LsCanvas *canvas)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (canvas));

  while (child != NULL && !GTK_IS_POPOVER (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* A number is asked for with the one at hand, in a field that has the keys; what is none stays there and is
 * marked, what is one is wished for, by Enter or by the button, and the keys are the picture's again. */
static void
test_number (void)
{
  static const char *const wrong[] = { "x", "", "10000", "-1", "7.5" };
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_network, session, &window);
  const LsWish *wish = &session->wishes[0];

  session->data->tests = 10000;
  for (gint64 turn = 0; turn < 3; turn++)
    {
      const gint64 before = turn == 0 ? 0 : 9997 + turn, number = 9998 + turn % 2;
      g_autofree char *now = g_strdup_printf ("%d", (int) before),
                      *text = g_strdup_printf ("%d", (int) number);
      GtkWidget *popover, *entry;

      g_assert_null (popover_of (canvas));
      ls_canvas_act (canvas, LS_ACT_ASK);
      popover = popover_of (canvas);
      if (popover == NULL)
        g_error ("nobody asks for a number");
      entry = rig_find_kind (popover, GTK_TYPE_ENTRY);
      g_assert_cmpstr (rig_label (popover, 0), ==, "Test sample, 0 to 9999");
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, now);
      g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), entry));
      for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
        {
          gtk_editable_set_text (GTK_EDITABLE (entry), wrong[i]);
          g_signal_emit_by_name (entry, "activate");
          if (!gtk_widget_has_css_class (entry, "error") || !gtk_widget_get_visible (popover))
            g_error ("“%s” is taken for a sample's number", wrong[i]);
        }
      gtk_editable_set_text (GTK_EDITABLE (entry), text);
      if (turn == 0)
        g_signal_emit_by_name (entry, "activate");
      else
        g_signal_emit_by_name (rig_find_kind (popover, GTK_TYPE_BUTTON), "clicked");
      if (!wish->answer.wanted || wish->answer.what != LS_ASKED_TEST || wish->answer.number != number)
        g_error ("sample %s was asked for, and %d is wished for", text, (int) wish->answer.number);
      if (gtk_window_get_focus (GTK_WINDOW (window)) != GTK_WIDGET (canvas))
        g_error ("the number has been given, and the picture hasn't got the keys back");
      rig_settle ();
      if (turn == 1) /* put away without an answer it changes nothing */
        {
          ls_canvas_act (canvas, LS_ACT_ASK);
          gtk_popover_popdown (GTK_POPOVER (popover_of (canvas)));
          g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == GTK_WIDGET (canvas));
          g_assert_cmpint (wish->answer.number, ==, number);
          rig_settle ();
        }
    }
  g_assert_null (popover_of (canvas));
  rig_close (window);
  ls_session_end (session);
}

static gboolean
has_slot (const LsLayout *layout, const LsSlot *slot)
{
  for (guint i = 0; i < layout->slots->len; i++)
    if (memcmp (&g_array_index (layout->slots, LsSlot, i), slot, sizeof *slot) == 0)
      return TRUE;
  return FALSE;
}

/* What the empty pad says of itself goes with the first stroke, and only then is there another picture to
 * make. */
static void
test_pad_hint (void)
{
  for (guint by_key = 0; by_key < 2; by_key++)
    {
      g_autoptr (LsSession) session = ls_session_new ();
      GtkWidget *window;
      LsCanvas *canvas = canvas_rig_show (&ls_view_network, session, &window);
      LsSlot pad;

      memset (&pad, 0, sizeof pad);
      pad.kind = LS_SLOT_PAD;
      pad.x = pad.w = 100;
      pad.y = pad.h = 300;
      for (guint stroke = 0; stroke < 3; stroke++)
        {
          g_assert_true (ls_canvas_ensure_layout (canvas));
          g_array_append_val (canvas->layout->slots, pad);
          canvas->query.pen.keys = by_key;
          canvas->query.pen.down = FALSE;
          if (by_key)
            g_assert_true (ls_canvas_view_key (canvas, GDK_KEY_space, 0));
          else
            canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", 110 + 20 * stroke, 400);
          g_assert_cmpuint (ls_strokes_n (canvas->shared->strokes), ==, stroke + 1);
          const gboolean anew = canvas->layout == NULL || !has_slot (canvas->layout, &pad);
          if (anew != (stroke == 0))
            g_error ("after stroke %u by %s %s", stroke + 1, by_key ? "keys" : "pointer",
                     anew ? "the whole picture is made anew" : "the pad still says how to draw on it");
        }
      canvas->described_us = 0;
      if (!by_key) /* what both lanes read is told when the pen is lifted */
        {
          canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-end", 0, 0);
          g_assert_cmpint (canvas->described_us, >, 0);
        }
      rig_close (window);
      ls_session_end (session);
    }
}

/* A widget that is smaller than its room: the button in the corner keeps to it, the sign between two numbers
 * to the middle. */
static void
test_placed (void)
{
  static const struct {
    const LsView *view;
    LsSlotKind kind;
    double at; /* of what room is left, so much is before it */
  } rows[] = { { &ls_view_race, LS_SLOT_FAIR, .5 }, { &ls_view_crossover, LS_SLOT_LAB, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSession) session = ls_session_new ();
      GtkWidget *window, *small = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      LsCanvas *canvas = canvas_rig_show (rows[i].view, session, &window);
      const LsSlot *slot;
      graphene_rect_t is;

      gtk_widget_set_size_request (small, 6, 6);
      ls_canvas_set_slot (canvas, rows[i].kind, -1, small);
      rig_settle ();
      g_assert_true (ls_canvas_ensure_layout (canvas));
      ls_canvas_place_slots (canvas);
      slot = ls_canvas_find_slot (canvas, rows[i].kind);
      g_assert_nonnull (slot);
      g_assert_cmpfloat (slot->w, >, 12);
      g_assert_true (gtk_widget_compute_bounds (small, GTK_WIDGET (canvas), &is));
      const double before = (double) is.origin.x - slot->x, room = slot->w - 6;
      if (before < rows[i].at * room - 1.5 || before > rows[i].at * room + 1.5)
        g_error ("%s: of %g px that are left, %g are before it", rows[i].view->title, room, before);
      rig_close (window);
      ls_session_end (session);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/canvas-asked/says", test_says);
  g_test_add_func ("/canvas-asked/states", test_states);
  g_test_add_func ("/canvas-asked/follow", test_follow);
  g_test_add_func ("/canvas-asked/wish", test_wish);
  g_test_add_func ("/canvas-asked/set", test_set);
  g_test_add_func ("/canvas-asked/placed", test_placed);
  g_test_add_func ("/canvas-asked/cursor", test_cursor);
  g_test_add_func ("/canvas-asked/number", test_number);
  g_test_add_func ("/canvas-asked/pad-hint", test_pad_hint);
  return g_test_run ();
}
