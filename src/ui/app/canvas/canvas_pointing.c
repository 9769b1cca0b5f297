/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pointing at marks and picking them, by pointer and by keys. Both lanes' pictures follow one hover and one
 * pick.
 */
#include "ui/app/canvas/canvas_private.h"

enum { PICK, OP, EVIDENCE, CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean
same_pick (LsPick a, LsPick b)
{
  return a.side == b.side && a.event == b.event;
}

static void
changed_pick (LsCanvas *self)
{
  ls_canvas_queue_move (self);
  ls_canvas_queue_describe (self, self->query.picked.side >= 0);
  g_signal_emit (self, signals[PICK], 0);
}

static void
set_hover (LsCanvas *self, LsPick hover)
{
  if (same_pick (hover, self->query.hover))
    return;
  self->query.hover = hover;
  if (ls_canvas_ensure_layout (self))
    changed_pick (self);
}

static void
set_cursor (LsCanvas *self, gint64 step)
{
  if (step == self->query.curves.cursor)
    return;
  self->query.curves.cursor = step;
  ls_canvas_queue_move (self);
}

static void
motion_cb (LsCanvas *self, double x, double y)
{
  const gboolean op = self->layout != NULL
                      && (ls_stage_slot_at (self->layout, LS_SLOT_OPS, x, y) != NULL
                          || ls_stage_slot_at (self->layout, LS_SLOT_KEY, x, y) != NULL
                          || ls_stage_slot_at (self->layout, LS_SLOT_SOURCE, x, y) != NULL
                          || ls_stage_slot_at (self->layout, LS_SLOT_FOLD, x, y) != NULL);

  if (self->layout == NULL)
    return;
  set_hover (self, ls_layout_pick (self->layout, x, y));
  set_cursor (self, ls_layout_step_at (self->layout, x, y));
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), op                              ? "pointer"
                                                      : ls_canvas_in_pad (self, x, y) ? "crosshair"
                                                                                      : NULL);
}

static void
leave_cb (LsCanvas *self)
{
  set_hover (self, LS_PICK_NONE);
  set_cursor (self, -1);
}

static void
pressed_cb (LsCanvas *self, int n_press, double x, double y)
{
  const LsSlot *slot;
  LsEvidenceHit hit;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->zoom.picked_before = self->query.picked;
  if (self->layout == NULL || ls_canvas_in_pad (self, x, y))
    return;
  const LsAct act = self->view->point != NULL ? self->view->point (self->layout, x, y, &self->query)
                                              : LS_ACT_NONE;
  if (act != LS_ACT_NONE)
    {
      self->clicked_x = (int) x;
      self->clicked_y = (int) y;
      ls_canvas_act (self, act);
      g_signal_emit (self, signals[PICK], 0);
      return;
    }
  slot = ls_stage_slot_at (self->layout, LS_SLOT_KEY, x, y);
  if (slot != NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.filter", "i", (gint32) slot->op);
      return;
    }
  if (ls_layout_evidence (self->layout, x, y, &hit))
    {
      g_signal_emit (self, signals[EVIDENCE], 0, &hit);
      return;
    }
  slot = ls_stage_slot_at (self->layout, LS_SLOT_OPS, x, y);
  if (slot != NULL)
    {
      g_signal_emit (self, signals[OP], 0, slot->op);
      return;
    }
  if (ls_canvas_zoom_beside (self, x, y))
    return;
  const LsPick pick = ls_layout_pick (self->layout, x, y);
  self->query.picked = same_pick (pick, self->query.picked) ? LS_PICK_NONE : pick;
  changed_pick (self);
}

void
ls_canvas_next_evidence (LsCanvas *self)
{
  const GArray *items;

  if (!ls_canvas_ensure_layout (self))
    return;
  items = self->layout->still->items;
  for (guint n = 0; n < items->len; n++)
    {
      const LsItem *item = ls_scene_get (self->layout->still, ++self->evidence_at % items->len);
      LsEvidenceHit hit;
      if (item->kind != LS_ITEM_EVIDENCE
          || !ls_layout_evidence (self->layout, (double) (item->x + item->w / 2),
                                  (double) (item->y + item->h / 2), &hit))
        continue;
      g_signal_emit (self, signals[EVIDENCE], 0, &hit);
      return;
    }
}

void
ls_canvas_pick (LsCanvas *self)
{
  const LsEvent *event;

  if (!ls_canvas_ensure_layout (self))
    return;
  if (self->query.hover.side >= 0)
    self->query.picked = self->query.hover;
  else if (self->query.picked.side < 0)
    self->query.picked = ls_layout_neighbour (self->layout, LS_PICK_NONE, 0, 0);
  changed_pick (self);
  event = ls_layout_event (self->layout, self->query.picked);
  if (event != NULL && event->kind == LS_EVENT_OP)
    g_signal_emit (self, signals[OP], 0, (guint) event->op);
}

gboolean
ls_canvas_has_pick (LsCanvas *self)
{
  return self->query.picked.side >= 0;
}

gboolean
ls_canvas_let_go (LsCanvas *self)
{
  if (self->query.picked.side < 0 && self->query.hover.side < 0)
    return FALSE;
  self->query.picked = self->query.hover = LS_PICK_NONE;
  changed_pick (self);
  return TRUE;
}

void
ls_canvas_move_pick (LsCanvas *self, int dx, int dy)
{
  if (!ls_canvas_ensure_layout (self))
    return;
  self->query.picked = ls_layout_neighbour (self->layout, self->query.picked, dx, dy);
  self->query.hover = LS_PICK_NONE;
  changed_pick (self);
}

void
ls_canvas_class_add_signals (LsCanvasClass *class)
{
  signals[PICK] = g_signal_new ("pick", LS_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                0);
  signals[OP] = g_signal_new ("op", LS_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                              G_TYPE_UINT);
  signals[EVIDENCE] = g_signal_new ("evidence", LS_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[CHOSEN] = g_signal_new ("chosen", LS_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

void
ls_canvas_add_pointing (LsCanvas *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
