/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The canvas by keys, by wheel and by pen: which key is what to a view, how a clock is zoomed and shown, what
 * is drawn on a pad; and what goes to a file or to the canvas beside it.
 */
#include "canvas_rig.h"
#include <math.h>

#include "ui/app/canvas/frame_meter.h"
#include "ui/paint/parts/zoom.h"

static const LsSlot *
slot_of (LsCanvas *canvas, LsSlotKind kind)
{
  g_assert_true (ls_canvas_ensure_layout (canvas));
  for (guint i = 0; i < canvas->layout->slots->len; i++)
    if (g_array_index (canvas->layout->slots, LsSlot, i).kind == kind)
      return &g_array_index (canvas->layout->slots, LsSlot, i);
  g_error ("the picture has no such place");
}

/* ---- a view's keys ---- */

static GArray *meant; /* LsViewKey */

static LsAct
note_key (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  g_array_append_val (meant, key);
  return LS_ACT_CHANGED;
}

static void
test_view_keys (void)
{
  static const struct {
    guint key;
    LsViewKey means;
  } rows[] = {
    { GDK_KEY_Left, LS_KEY_LEFT },     { GDK_KEY_KP_Left, LS_KEY_LEFT },
    { GDK_KEY_Right, LS_KEY_RIGHT },   { GDK_KEY_KP_Right, LS_KEY_RIGHT },
    { GDK_KEY_Up, LS_KEY_UP },         { GDK_KEY_KP_Up, LS_KEY_UP },
    { GDK_KEY_Down, LS_KEY_DOWN },     { GDK_KEY_KP_Down, LS_KEY_DOWN },
    { GDK_KEY_Return, LS_KEY_PICK },   { GDK_KEY_KP_Enter, LS_KEY_PICK },
    { GDK_KEY_Escape, LS_KEY_LET_GO }, { GDK_KEY_n, LS_KEY_NEXT },
    { GDK_KEY_N, LS_KEY_PREVIOUS },    { GDK_KEY_m, LS_KEY_NEXT_MISTAKE },
    { GDK_KEY_v, LS_KEY_PAGE },        { GDK_KEY_M, LS_KEY_PREVIOUS_MISTAKE },
    { GDK_KEY_b, LS_KEY_BATCH },       { GDK_KEY_g, LS_KEY_TEST },
    { GDK_KEY_d, LS_KEY_DRAW },        { GDK_KEY_D, LS_KEY_DRAW },
    { GDK_KEY_o, LS_KEY_SOURCE },
  };
  static const guint others[] = { GDK_KEY_q, GDK_KEY_space, GDK_KEY_1, GDK_KEY_t };
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_network, session, &window);
  LsView view = ls_view_network;

  view.key = note_key;
  canvas->view = &view;
  meant = g_array_new (FALSE, FALSE, sizeof (LsViewKey));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      canvas->query.pen.down = TRUE;
      g_assert_false (ls_canvas_view_key (canvas, rows[i].key, GDK_CONTROL_MASK));
      g_assert_false (ls_canvas_view_key (canvas, rows[i].key, GDK_ALT_MASK));
      g_assert_cmpuint (meant->len, ==, i);
      g_assert_true (ls_canvas_view_key (canvas, rows[i].key, 0));
      g_assert_cmpuint (meant->len, ==, i + 1);
      if (g_array_index (meant, LsViewKey, i) != rows[i].means)
        g_error ("the key %s means %d to the view, not %d", gdk_keyval_name (rows[i].key),
                 (int) g_array_index (meant, LsViewKey, i), (int) rows[i].means);
      g_assert_false (canvas->query.pen.down);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (ls_canvas_view_key (canvas, others[i], 0));
  canvas->view = &ls_view_network;
  g_array_unref (meant);
  rig_close (window);
  ls_session_end (session);
}

/* ---- the clock's part ---- */

static void
assert_window (LsCanvas *canvas, double from, double to, const char *after)
{
  const double span = (double) slot_of (canvas, LS_SLOT_CLOCK)->w > 0 ? (double) canvas->layout->span_ns : 0;
  gint64 is_from, is_to;

  ls_zoom_window (&canvas->query, canvas->layout->span_ns, &is_from, &is_to);
  if (fabs ((double) is_from / span - from) > 1e-3 || fabs ((double) is_to / span - to) > 1e-3)
    g_error ("after %s the picture is from %.4f to %.4f of the step, not from %.4f to %.4f", after,
             (double) is_from / span, (double) is_to / span, from, to);
}

static void
set_window (LsCanvas *canvas, double from, double to)
{
  g_assert_true (ls_canvas_ensure_layout (canvas));
  const double span = (double) canvas->layout->span_ns;

  ls_zoom_set (&canvas->query, canvas->layout->span_ns, (gint64) (from * span), (gint64) (to * span));
  ls_canvas_relayout (canvas);
  g_assert_true (ls_canvas_ensure_layout (canvas));
}

static void
test_zoom_keys (void)
{
  static const struct {
    guint key;
    GdkModifierType state;
    double from, to; /* from a quarter to three quarters */
  } rows[] = {
    { GDK_KEY_plus, GDK_CONTROL_MASK, .5 - .25 / 1.5, .5 + .25 / 1.5 },
    { GDK_KEY_equal, GDK_CONTROL_MASK, .5 - .25 / 1.5, .5 + .25 / 1.5 },
    { GDK_KEY_KP_Add, GDK_CONTROL_MASK, .5 - .25 / 1.5, .5 + .25 / 1.5 },
    { GDK_KEY_minus, GDK_CONTROL_MASK, .125, .875 },
    { GDK_KEY_KP_Subtract, GDK_CONTROL_MASK, .125, .875 },
    { GDK_KEY_Left, GDK_SHIFT_MASK, .175, .675 },
    { GDK_KEY_KP_Left, GDK_SHIFT_MASK, .175, .675 },
    { GDK_KEY_Right, GDK_SHIFT_MASK, .325, .825 },
    { GDK_KEY_KP_Right, GDK_SHIFT_MASK, .325, .825 },
    { GDK_KEY_Home, 0, 0, 1 },
    { GDK_KEY_KP_Home, 0, 0, 1 },
  };
  static const struct {
    guint key;
    GdkModifierType state;
  } others[] = { { GDK_KEY_plus, 0 },
                 { GDK_KEY_minus, 0 },
                 { GDK_KEY_Left, 0 },
                 { GDK_KEY_Left, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
                 { GDK_KEY_Home, GDK_CONTROL_MASK },
                 { GDK_KEY_plus, GDK_CONTROL_MASK | GDK_ALT_MASK },
                 { GDK_KEY_z, GDK_CONTROL_MASK } };
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = gtk_accelerator_name (rows[i].key, rows[i].state);

      set_window (canvas, .25, .75);
      g_assert_true (ls_canvas_zoom_key (canvas, rows[i].key, rows[i].state));
      assert_window (canvas, rows[i].from, rows[i].to, name);
    }
  set_window (canvas, .25, .75);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_assert_false (ls_canvas_zoom_key (canvas, others[i].key, others[i].state));
      assert_window (canvas, .25, .75, "a key that isn't its");
    }
  /* another view has no clock of that kind */
  ls_canvas_set_view (canvas, &ls_view_race);
  g_assert_false (ls_canvas_zoom_key (canvas, GDK_KEY_plus, GDK_CONTROL_MASK));
  rig_close (window);
  ls_session_end (session);
}

/* Those of the kind that listen to such a signal. */
static GPtrArray *
controllers (LsCanvas *canvas, GType kind)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (canvas));
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      GObject *one = g_list_model_get_item (all, i);
      if (G_TYPE_CHECK_INSTANCE_TYPE (one, kind))
        g_ptr_array_add (found, one);
      else
        g_object_unref (one);
    }
  g_assert_cmpuint (found->len, >, 0);
  return found;
}

static void
wheel (LsCanvas *canvas, double dx, double dy)
{
  g_autoptr (GPtrArray) all = controllers (canvas, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  gboolean taken = FALSE;

  g_signal_emit_by_name (all->pdata[0], "scroll", dx, dy, &taken);
  g_assert_true (taken);
}

/* Away from oneself the wheel goes nearer, by a fifth, and what is under the pointer stays there; to the side
 * it moves. The overview's bracket is taken by its ends. A double click shows all. */
static void
test_wheel (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);

  for (guint where = 0; where <= 4; where++)
    {
      const double at = where / 4., middle = .25 + .5 * at;

      for (int dy = -1; dy <= 1; dy += 2)
        {
          const double wide = dy < 0 ? .5 / 1.2 : .5 * 1.2;

          set_window (canvas, .25, .75);
          const LsSlot *clock = slot_of (canvas, LS_SLOT_CLOCK);
          canvas_rig_emit (canvas, GTK_TYPE_EVENT_CONTROLLER_MOTION, "motion", clock->x + at * clock->w,
                           clock->y + 5);
          wheel (canvas, 0, dy);
          assert_window (canvas, middle - at * wide, middle + (1 - at) * wide,
                         dy < 0 ? "a notch away" : "a notch near");
        }
    }
  set_window (canvas, .25, .75);
  wheel (canvas, 1, 0);
  assert_window (canvas, .325, .825, "a notch to the right");
  set_window (canvas, .25, .75);
  wheel (canvas, -1, .2);
  assert_window (canvas, .175, .675, "a notch to the left");
  for (guint end = 0; end < 2; end++)
    {
      set_window (canvas, .25, .75);
      const LsSlot overview = *slot_of (canvas, LS_SLOT_OVERVIEW);
      canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin",
                       overview.x + overview.w * (end == 0 ? .25 : .75), overview.y + overview.h / 2);
      canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-update", overview.w / 8, 0);
      assert_window (canvas, end == 0 ? .375 : .25, end == 0 ? .75 : .875, "an end that was dragged");
    }
  set_window (canvas, .25, .75);
  g_autoptr (GPtrArray) clicks = controllers (canvas, GTK_TYPE_GESTURE_CLICK);
  const LsSlot clock = *slot_of (canvas, LS_SLOT_CLOCK);
  for (guint i = 0; i < clicks->len; i++)
    g_signal_emit_by_name (clicks->pdata[i], "pressed", 2, clock.x + clock.w / 2, clock.y + clock.h / 2);
  assert_window (canvas, 0, 1, "a double click");
  rig_close (window);
  ls_session_end (session);
}

/* A press that becomes a drag picks nothing and lets nothing go. */
static void
test_drag_picks_nothing (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);
  const LsPick picked = { 0, 3 };

  set_window (canvas, .25, .75);
  canvas->query.picked = picked;
  canvas->zoom.picked_before = picked;
  const LsSlot clock = *slot_of (canvas, LS_SLOT_CLOCK);
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", clock.x + clock.w / 2, clock.y + clock.h / 2);
  canvas->query.picked = LS_PICK_NONE; /* as the press does */
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-update", 3, 0);
  g_assert_cmpint (canvas->query.picked.side, ==, -1);
  assert_window (canvas, .25, .75, "a press that hardly moved");
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-update", 40, 0);
  g_assert_cmpint (canvas->query.picked.side, ==, 0);
  g_assert_cmpuint (canvas->query.picked.event, ==, 3);
  rig_close (window);
  ls_session_end (session);
}

/* When the hand leaves what is shown, the next page begins with it. Without animations, as some displays have
 * it, it goes from event to event. */
static void
test_follows (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkSettings *settings = gtk_settings_get_default ();
  gboolean animated;
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_timeline, session, &window);

  g_object_get (settings, "gtk-enable-animations", &animated, NULL);
  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  ls_playhead_seek (&session->playhead, 0);
  set_window (canvas, 0, .25);
  const gint64 span = canvas->layout->span_ns;
  static const struct {
    double at, from, to;
  } rows[] = { { .1, 0, .25 },  { .24, 0, .25 }, { .3, .3, .55 },
               { .5, .3, .55 }, { .6, .6, .85 }, { .1, .1, .35 } };
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *after = g_strdup_printf ("the hand at %g", rows[i].at);

      session->playhead.time_ns = (gint64) (rows[i].at * (double) span);
      ls_canvas_queue_move (canvas);
      g_assert_true (ls_canvas_ensure_layout (canvas));
      assert_window (canvas, rows[i].from, rows[i].to, after);
    }
  g_object_set (settings, "gtk-enable-animations", animated, NULL);
  rig_close (window);
  ls_session_end (session);
}

/* ---- the pad ---- */

static void
add_pad (LsCanvas *canvas)
{
  const LsSlot pad = { .kind = LS_SLOT_PAD, .side = -1, .x = 100, .y = 200, .w = 200, .h = 400 };

  g_assert_true (ls_canvas_ensure_layout (canvas));
  g_array_append_val (canvas->layout->slots, pad);
}

static void
pad_press (LsCanvas *canvas, guint key, GdkModifierType state)
{
  add_pad (canvas);
  g_assert_true (ls_canvas_view_key (canvas, key, state));
}

static void
assert_pen (LsCanvas *canvas, double x, double y, gboolean down, guint strokes)
{
  g_assert_cmpfloat_with_epsilon (canvas->query.pen.x, x, 1e-6);
  g_assert_cmpfloat_with_epsilon (canvas->query.pen.y, y, 1e-6);
  g_assert_cmpint (canvas->query.pen.down, ==, down);
  g_assert_cmpuint (ls_strokes_n (canvas->shared->strokes), ==, strokes);
}

/* Where the newest stroke ends, which has so many points. */
static void
assert_drawn (LsCanvas *canvas, double x, double y, guint n_points)
{
  const guint strokes = ls_strokes_n (canvas->shared->strokes);
  guint n = 0;
  const float *points = strokes > 0 ? ls_strokes_get (canvas->shared->strokes, strokes - 1, &n) : NULL;

  if (points == NULL || n != n_points || fabs ((double) points[2 * n - 2] - x) > 1e-6
      || fabs ((double) points[2 * n - 1] - y) > 1e-6)
    g_error ("stroke %u has %u points up to %.4f, %.4f, and should have %u up to %.4f, %.4f", strokes, n,
             points != NULL && n > 0 ? (double) points[2 * n - 2] : -1,
             points != NULL && n > 0 ? (double) points[2 * n - 1] : -1, n_points, x, y);
}

/* By keys: a pixel of MNIST at a time, with Shift four; Space puts the pen down and lifts it. */
static void
test_pen_keys (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_network, session, &window);

  canvas->query.pen.keys = TRUE;
  canvas->query.pen.x = canvas->query.pen.y = .5;
  pad_press (canvas, GDK_KEY_Left, 0);
  assert_pen (canvas, .5 - 1. / 28, .5, FALSE, 0);
  pad_press (canvas, GDK_KEY_KP_Up, 0);
  assert_pen (canvas, .5 - 1. / 28, .5 - 1. / 28, FALSE, 0);
  pad_press (canvas, GDK_KEY_Right, GDK_SHIFT_MASK);
  assert_pen (canvas, .5 + 3. / 28, .5 - 1. / 28, FALSE, 0);
  pad_press (canvas, GDK_KEY_Down, GDK_SHIFT_MASK);
  assert_pen (canvas, .5 + 3. / 28, .5 + 3. / 28, FALSE, 0);
  pad_press (canvas, GDK_KEY_space, 0);
  assert_pen (canvas, .5 + 3. / 28, .5 + 3. / 28, TRUE, 1);
  assert_drawn (canvas, .5 + 3. / 28, .5 + 3. / 28, 1);
  pad_press (canvas, GDK_KEY_Right, 0);
  assert_drawn (canvas, .5 + 4. / 28, .5 + 3. / 28, 2);
  pad_press (canvas, GDK_KEY_Down, GDK_SHIFT_MASK);
  assert_drawn (canvas, .5 + 4. / 28, .5 + 7. / 28, 3);
  pad_press (canvas, GDK_KEY_Up, GDK_SHIFT_MASK);
  assert_drawn (canvas, .5 + 4. / 28, .5 + 3. / 28, 4);
  pad_press (canvas, GDK_KEY_space, 0);
  assert_pen (canvas, .5 + 4. / 28, .5 + 3. / 28, FALSE, 1);
  for (guint i = 0; i < 5; i++)
    pad_press (canvas, GDK_KEY_Right, GDK_SHIFT_MASK);
  assert_pen (canvas, 1, .5 + 3. / 28, FALSE, 1);       /* not beyond its edge */
  assert_drawn (canvas, .5 + 4. / 28, .5 + 3. / 28, 4); /* it was lifted */
  for (guint i = 0; i < 7; i++)
    pad_press (canvas, GDK_KEY_Up, GDK_SHIFT_MASK);
  assert_pen (canvas, 1, 0, FALSE, 1);
  for (guint i = 0; i < 14; i++)
    pad_press (canvas, i < 7 ? GDK_KEY_Down : GDK_KEY_Left, GDK_SHIFT_MASK);
  assert_pen (canvas, 0, 1, FALSE, 1);
  canvas->query.pen.x = 1;
  canvas->query.pen.y = .5 + 3. / 28;
  pad_press (canvas, GDK_KEY_space, 0);
  assert_pen (canvas, 1, .5 + 3. / 28, TRUE, 2);
  pad_press (canvas, GDK_KEY_BackSpace, 0);
  assert_pen (canvas, 1, .5 + 3. / 28, FALSE, 1);
  pad_press (canvas, GDK_KEY_space, 0);
  pad_press (canvas, GDK_KEY_z, GDK_CONTROL_MASK);
  assert_pen (canvas, 1, .5 + 3. / 28, FALSE, 1);
  pad_press (canvas, GDK_KEY_space, 0);
  pad_press (canvas, GDK_KEY_Delete, 0);
  assert_pen (canvas, 1, .5 + 3. / 28, FALSE, 0);
  g_assert_true (canvas->query.pen.keys);
  add_pad (canvas);
  g_assert_false (ls_canvas_view_key (canvas, GDK_KEY_s, GDK_CONTROL_MASK));
  pad_press (canvas, GDK_KEY_Escape, 0);
  g_assert_false (canvas->query.pen.keys || canvas->query.pen.down);
  rig_close (window);
  ls_session_end (session);
}

/* By pointer: where on the pad it is, across by its width and down by its height. */
static void
test_pen (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *window;
  LsCanvas *canvas = canvas_rig_show (&ls_view_network, session, &window);
  double x, y, size;

  add_pad (canvas);
  g_assert_true (ls_canvas_in_pad (canvas, 100, 200) && ls_canvas_in_pad (canvas, 299, 599));
  g_assert_false (ls_canvas_in_pad (canvas, 99, 300) || ls_canvas_in_pad (canvas, 300, 300));
  g_assert_false (ls_canvas_in_pad (canvas, 200, 199) || ls_canvas_in_pad (canvas, 200, 600));
  g_assert_true (ls_canvas_pad (canvas, &x, &y, &size));
  g_assert_true (x > 99 && x < 101 && y > 199 && y < 201 && size > 199 && size < 201);
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", 150, 400);
  assert_pen (canvas, .25, .5, FALSE, 1);
  assert_drawn (canvas, .25, .5, 1);
  add_pad (canvas);
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", 290, 240);
  assert_pen (canvas, .95, .1, FALSE, 2);
  assert_drawn (canvas, .95, .1, 1);
  add_pad (canvas);
  canvas_rig_emit (canvas, GTK_TYPE_GESTURE_DRAG, "drag-begin", 600, 500);
  assert_pen (canvas, .95, .1, FALSE, 2); /* beside it */
  rig_close (window);
  ls_session_end (session);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/canvas-keys/view", test_view_keys);
  g_test_add_func ("/canvas-keys/zoom", test_zoom_keys);
  g_test_add_func ("/canvas-keys/wheel", test_wheel);
  g_test_add_func ("/canvas-keys/drag-picks-nothing", test_drag_picks_nothing);
  g_test_add_func ("/canvas-keys/follows", test_follows);
  g_test_add_func ("/canvas-keys/pen-keys", test_pen_keys);
  g_test_add_func ("/canvas-keys/pen", test_pen);
  return g_test_run ();
}
