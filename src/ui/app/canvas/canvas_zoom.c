/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Zooming and panning a view that has a clock: wheel and pinch at the pointer, dragging the picture, the
 * overview's bracket or one of its ends, keys, a double click for all of it. A new part of the clock is a new
 * layout.
 */
#include "ui/app/canvas/canvas_private.h"

#include <math.h>

#include "ui/paint/parts/zoom.h"

#define NOTCH     1.2 /* of a wheel: nearer by */
#define KEY       1.5
#define PAN       0.15 /* of what is shown, for a notch or a key */
#define HANDLE_PX 10.0
#define DRAG_PX   6.0 /* a press that moves less is a click */

static const LsSlot *
slot_of (LsCanvas *self, LsSlotKind kind)
{
  for (guint i = 0; self->view->zooms && self->layout != NULL && i < self->layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (self->layout->slots, LsSlot, i);
      if (slot->kind == kind)
        return slot;
    }
  return NULL;
}

static gboolean
inside (const LsSlot *slot, double x, double y)
{
  return slot != NULL && x >= slot->x - HANDLE_PX && x <= slot->x + slot->w + HANDLE_PX && y >= slot->y
         && y <= slot->y + slot->h;
}

static double
share_of (const LsSlot *slot, double x)
{
  return CLAMP ((x - slot->x) / slot->w, 0, 1);
}

static void
changed (LsCanvas *self)
{
  g_clear_pointer (&self->layout, ls_layout_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  ls_canvas_queue_describe (self, FALSE);
}

/* ---- wheel and pinch ---- */

static void
motion_cb (LsCanvas *self, double x, double y)
{
  self->zoom.x = x;
}

static gboolean
scroll_cb (LsCanvas *self, double dx, double dy, GtkEventController *controller)
{
  const LsSlot *clock = slot_of (self, LS_SLOT_CLOCK);
  const gboolean across = gtk_event_controller_get_current_event_state (controller) & GDK_SHIFT_MASK;

  if (clock == NULL)
    return FALSE;
  if (across || fabs (dx) > fabs (dy))
    ls_zoom_pan (&self->query, self->layout->span_ns, PAN * (across && dx * dx < dy * dy ? dy : dx));
  else
    ls_zoom_by (&self->query, self->layout->span_ns, share_of (clock, self->zoom.x), pow (NOTCH, -dy));
  changed (self);
  return TRUE;
}

static void
take_window (LsCanvas *self)
{
  self->zoom.span_ns = self->layout != NULL ? self->layout->span_ns : 0;
  ls_zoom_window (&self->query, self->zoom.span_ns, &self->zoom.from_ns, &self->zoom.to_ns);
}

static void
pinch_begin_cb (LsCanvas *self)
{
  take_window (self);
}

static void
pinch_cb (LsCanvas *self, double scale, GtkGesture *gesture)
{
  const LsSlot *clock = slot_of (self, LS_SLOT_CLOCK);
  double x, y;

  if (clock == NULL || !gtk_gesture_get_bounding_box_center (gesture, &x, &y) || !(scale > 0))
    return;
  const double at = share_of (clock, x);
  ls_zoom_set (&self->query, self->zoom.span_ns, self->zoom.from_ns, self->zoom.to_ns);
  ls_zoom_by (&self->query, self->zoom.span_ns, at, scale);
  changed (self);
}

/* ---- dragging ---- */

static void
drag_begin_cb (LsCanvas *self, double x, double y)
{
  const LsSlot *overview = slot_of (self, LS_SLOT_OVERVIEW), *clock = slot_of (self, LS_SLOT_CLOCK);

  self->zoom.drag = LS_DRAG_NOTHING;
  self->zoom.moved = FALSE;
  if (clock == NULL)
    return;
  take_window (self);
  self->zoom.w = clock->w;
  if (inside (overview, x, y) && self->zoom.span_ns > 0)
    {
      const double left = overview->x
                          + overview->w * (double) self->zoom.from_ns / (double) self->zoom.span_ns;
      const double right = overview->x
                           + overview->w * (double) self->zoom.to_ns / (double) self->zoom.span_ns;
      self->zoom.drag = fabs (x - left) <= HANDLE_PX    ? LS_DRAG_LEFT
                        : fabs (x - right) <= HANDLE_PX ? LS_DRAG_RIGHT
                                                        : LS_DRAG_BRACKET;
      self->zoom.w = overview->w;
      if (self->zoom.drag == LS_DRAG_BRACKET && (x < left || x > right))
        {
          const gint64 half = (self->zoom.to_ns - self->zoom.from_ns) / 2;
          const gint64 middle = (gint64) (share_of (overview, x) * (double) self->zoom.span_ns);
          ls_zoom_set (&self->query, self->zoom.span_ns, middle - half, middle + half);
          take_window (self);
          changed (self);
        }
    }
  else if (inside (clock, x, y))
    self->zoom.drag = LS_DRAG_PICTURE;
}

static void
drag_cb (LsCanvas *self, double dx, double dy)
{
  LsZooming *z = &self->zoom;
  const gint64 shown = z->to_ns - z->from_ns;
  gint64 by;

  if (z->drag == LS_DRAG_NOTHING || (!z->moved && fabs (dx) < DRAG_PX) || z->w <= 0)
    return;
  if (!z->moved)
    self->query.picked = z->picked_before; /* the press was no click */
  z->moved = TRUE;
  by = (gint64) (dx / z->w * (double) (z->drag == LS_DRAG_PICTURE ? -shown : z->span_ns));
  if (z->drag == LS_DRAG_LEFT)
    ls_zoom_set (&self->query, z->span_ns, CLAMP (z->from_ns + by, 0, z->to_ns - LS_ZOOM_LEAST_NS), z->to_ns);
  else if (z->drag == LS_DRAG_RIGHT)
    ls_zoom_set (&self->query, z->span_ns, z->from_ns, MIN (z->to_ns + by, z->span_ns));
  else if (shown < z->span_ns)
    ls_zoom_set (&self->query, z->span_ns, z->from_ns + by, z->to_ns + by);
  changed (self);
}

static void
click_cb (LsCanvas *self, int n_press, double x, double y)
{
  if (n_press != 2
      || (!inside (slot_of (self, LS_SLOT_CLOCK), x, y) && !inside (slot_of (self, LS_SLOT_OVERVIEW), x, y)))
    return;
  ls_zoom_all (&self->query);
  changed (self);
}

/* Beside the clock stand cards; a click on one lets nothing go. */
gboolean
ls_canvas_zoom_beside (LsCanvas *self, double x, double y)
{
  const LsSlot *clock = slot_of (self, LS_SLOT_CLOCK);

  return clock != NULL && x > clock->x + clock->w + HANDLE_PX;
}

/* ---- keys ---- */

gboolean
ls_canvas_zoom_key (LsCanvas *self, guint key, GdkModifierType state)
{
  const gboolean control = state & GDK_CONTROL_MASK, shift = state & GDK_SHIFT_MASK;
  gint64 span_ns;

  if (!self->view->zooms || state & (GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK)
      || !ls_canvas_ensure_layout (self))
    return FALSE;
  span_ns = self->layout->span_ns;
  if (span_ns == 0)
    return FALSE;
  if (control && (key == GDK_KEY_plus || key == GDK_KEY_equal || key == GDK_KEY_KP_Add))
    ls_zoom_by (&self->query, span_ns, .5, KEY);
  else if (control && (key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract))
    ls_zoom_by (&self->query, span_ns, .5, 1 / KEY);
  else if (shift && !control && (key == GDK_KEY_Left || key == GDK_KEY_KP_Left))
    ls_zoom_pan (&self->query, span_ns, -PAN);
  else if (shift && !control && (key == GDK_KEY_Right || key == GDK_KEY_KP_Right))
    ls_zoom_pan (&self->query, span_ns, PAN);
  else if (!control && !shift && key == GDK_KEY_z)
    ls_zoom_to_pick (&self->query, self->layout);
  else if (!control && (key == GDK_KEY_Home || key == GDK_KEY_KP_Home))
    ls_zoom_all (&self->query);
  else
    return FALSE;
  changed (self);
  return TRUE;
}

/* When the playhead moves, by itself or to another op, it stays in the window: a page on when it leaves. */
gboolean
ls_canvas_zoom_follow (LsCanvas *self)
{
  const gint64 now = self->query.time_ns;
  gint64 from, to;

  if (now == self->zoom.now_ns)
    return FALSE;
  self->zoom.now_ns = now;
  if (!self->view->zooms || now == LS_TIME_END || ls_zoom_is_all (&self->query) || self->layout->span_ns == 0)
    return FALSE;
  ls_zoom_window (&self->query, self->layout->span_ns, &from, &to);
  if (now >= from && now <= to)
    return FALSE;
  ls_zoom_set (&self->query, self->layout->span_ns, now, now + to - from);
  return TRUE;
}

void
ls_canvas_add_zooming (LsCanvas *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *pinch = gtk_gesture_zoom_new (), *drag = gtk_gesture_drag_new (),
             *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_cb), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (click_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
