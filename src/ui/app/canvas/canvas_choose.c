/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing in a view that has something to choose: keys become changes of the query, a pen draws on the pad,
 * by pointer or by keys, and the lanes are asked about what the query shows.
 */
#include "config.h"
#include "ui/app/canvas/canvas_private.h"
#include "ui/paint/views.h"

#include <glib/gi18n.h>
#include <string.h>

#define PEN_STEP (1.0 / 28) /* of the pad, for an arrow key */

static const LsSlot *
pad_slot (LsCanvas *self)
{
  for (guint i = 0; self->layout != NULL && i < self->layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (self->layout->slots, LsSlot, i);
      if (slot->kind == LS_SLOT_PAD)
        return slot;
    }
  return NULL;
}

gboolean
ls_canvas_in_pad (LsCanvas *self, double x, double y)
{
  const LsSlot *pad = pad_slot (self);

  return pad != NULL && x >= pad->x && x < pad->x + pad->w && y >= pad->y && y < pad->y + pad->h;
}

gboolean
ls_canvas_pad (LsCanvas *self, double *x, double *y, double *size)
{
  const LsSlot *pad = pad_slot (self);

  if (pad == NULL)
    return FALSE;
  *x = pad->x;
  *y = pad->y;
  *size = pad->w;
  return TRUE;
}

/* The pad has other strokes. */
static void
drew (LsCanvas *self)
{
  if (self->view->drawn != NULL)
    self->view->drawn (&self->query);
  ls_canvas_tell_wish (self, TRUE);
  ls_canvas_queue_move (self);
}

/* ---- what is typed ---- */

static void
typed_cb (GtkPopover *popover)
{
  LsCanvas *self = LS_CANVAS (gtk_widget_get_parent (GTK_WIDGET (popover)));
  GtkWidget *entry = g_object_get_data (G_OBJECT (popover), "entry");

  if (self->layout == NULL || self->view->typed == NULL
      || !self->view->typed (self->layout, &self->query, gtk_editable_get_text (GTK_EDITABLE (entry))))
    {
      gtk_widget_add_css_class (entry, "error");
      return;
    }
  gtk_popover_popdown (popover);
  ls_canvas_act (self, LS_ACT_CHANGED);
}

static void
drop_cb (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  g_object_unref (popover);
}

static void
closed_cb (GtkWidget *popover)
{
  gtk_widget_grab_focus (gtk_widget_get_parent (popover));
  g_idle_add_once (drop_cb, g_object_ref (popover));
}

static void
ask (LsCanvas *self)
{
  const GdkRectangle at = { self->clicked_x > 0 ? self->clicked_x
                                                : gtk_widget_get_width (GTK_WIDGET (self)) / 2,
                            MAX (self->clicked_y, 1), 1, 1 };
  g_autofree char *now = NULL, *words = self->view->asks (self->layout, &self->query, &now);
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (words), *entry = gtk_entry_new (),
            *button = gtk_button_new_with_mnemonic (_("_OK"));

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_NUMBER);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 7);
  gtk_editable_set_text (GTK_EDITABLE (entry), now);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), button);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_object_set_data (G_OBJECT (popover), "entry", entry);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &at);
  g_signal_connect_object (entry, "activate", G_CALLBACK (typed_cb), popover, G_CONNECT_SWAPPED);
  g_signal_connect_object (button, "clicked", G_CALLBACK (typed_cb), popover, G_CONNECT_SWAPPED);
  g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
  gtk_widget_grab_focus (entry);
}

/* Best effort: where there is no browser, the picture has said the address. */
static void
open_page (LsCanvas *self)
{
  const char *address = self->view->address != NULL ? self->view->address (self->layout, &self->query) : NULL;

  if (address == NULL || !g_str_has_prefix (address, "https://"))
    return;
  g_autoptr (GdkAppLaunchContext) context = gdk_display_get_app_launch_context (
    gtk_widget_get_display (GTK_WIDGET (self)));
  g_app_info_launch_default_for_uri_async (address, G_APP_LAUNCH_CONTEXT (context), NULL, NULL, NULL);
}

/* ---- what a click or a key has chosen ---- */

void
ls_canvas_act (LsCanvas *self, LsAct act)
{
  if (act == LS_ACT_UNDO)
    ls_strokes_undo (self->shared->strokes);
  else if (act == LS_ACT_CLEAR)
    ls_strokes_clear (self->shared->strokes);
  if (act == LS_ACT_UNDO || act == LS_ACT_CLEAR)
    drew (self);
  else
    ls_canvas_tell_wish (self, TRUE);
  if (act == LS_ACT_ASK && self->layout != NULL && self->view->asks != NULL)
    ask (self);
  if (act == LS_ACT_OPEN && self->layout != NULL)
    open_page (self);
  ls_canvas_relayout (self);
  ls_canvas_queue_describe (self, TRUE);
  g_signal_emit_by_name (self, "chosen");
}

/* Lanes that disagree: what made the element is looked at once it has been found. */
void
ls_canvas_seek_difference (LsCanvas *self)
{
  const LsViewData *data = ls_session_data (self->session);
  const gboolean found = data != NULL && data->difference.found && data->recording != NULL;
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint i = 0; found && !self->differs && i < n; i++)
    if (views[i]->seek_difference != NULL)
      {
        LsQuery query = self->query;
        query.state = g_ptr_array_index (self->shared->states, i);
        views[i]->seek_difference (data, &query);
      }
  self->differs = found;
}

/* ---- keys ---- */

static void
move_pen (LsCanvas *self, double dx, double dy)
{
  LsQuery *query = &self->query;

  query->pen.x = CLAMP (query->pen.x + dx, 0, 1);
  query->pen.y = CLAMP (query->pen.y + dy, 0, 1);
  if (query->pen.down && ls_strokes_to (self->shared->strokes, query->pen.x, query->pen.y))
    drew (self);
  ls_canvas_queue_move (self);
  ls_canvas_queue_describe (self, FALSE);
}

/* While the pad listens. */
static gboolean
pad_key (LsCanvas *self, guint key, GdkModifierType state)
{
  const double step = state & GDK_SHIFT_MASK ? 4 * PEN_STEP : PEN_STEP;
  const gboolean undo = key == GDK_KEY_BackSpace
                        || (state & GDK_CONTROL_MASK && (key == GDK_KEY_z || key == GDK_KEY_Z));

  if (!undo && state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK))
    return FALSE;
  if (key == GDK_KEY_Left || key == GDK_KEY_KP_Left)
    move_pen (self, -step, 0);
  else if (key == GDK_KEY_Right || key == GDK_KEY_KP_Right)
    move_pen (self, step, 0);
  else if (key == GDK_KEY_Up || key == GDK_KEY_KP_Up)
    move_pen (self, 0, -step);
  else if (key == GDK_KEY_Down || key == GDK_KEY_KP_Down)
    move_pen (self, 0, step);
  else if (key == GDK_KEY_space)
    {
      self->query.pen.down = !self->query.pen.down;
      if (ls_strokes_n (self->shared->strokes) == 0)
        ls_canvas_relayout (self);
      if (self->query.pen.down)
        ls_strokes_begin (self->shared->strokes, self->query.pen.x, self->query.pen.y);
      drew (self);
      ls_canvas_queue_describe (self, TRUE);
    }
  else if (undo || key == GDK_KEY_Delete)
    {
      self->query.pen.down = FALSE;
      ls_canvas_act (self, undo ? LS_ACT_UNDO : LS_ACT_CLEAR);
    }
  else if (key == GDK_KEY_Escape)
    {
      self->query.pen.keys = self->query.pen.down = FALSE;
      ls_canvas_act (self, LS_ACT_CHANGED);
    }
  else
    return FALSE;
  return TRUE;
}

gboolean
ls_canvas_view_key (LsCanvas *self, guint key, GdkModifierType state)
{
  static const struct {
    guint key;
    LsViewKey means;
  } keys[] = {
    { GDK_KEY_Left, LS_KEY_LEFT },
    { GDK_KEY_KP_Left, LS_KEY_LEFT },
    { GDK_KEY_Right, LS_KEY_RIGHT },
    { GDK_KEY_KP_Right, LS_KEY_RIGHT },
    { GDK_KEY_Up, LS_KEY_UP },
    { GDK_KEY_KP_Up, LS_KEY_UP },
    { GDK_KEY_Down, LS_KEY_DOWN },
    { GDK_KEY_KP_Down, LS_KEY_DOWN },
    { GDK_KEY_Return, LS_KEY_PICK },
    { GDK_KEY_KP_Enter, LS_KEY_PICK },
    { GDK_KEY_Escape, LS_KEY_LET_GO },
    { GDK_KEY_n, LS_KEY_NEXT },
    { GDK_KEY_N, LS_KEY_PREVIOUS },
    { GDK_KEY_m, LS_KEY_NEXT_MISTAKE },
    { GDK_KEY_M, LS_KEY_PREVIOUS_MISTAKE },
    { GDK_KEY_v, LS_KEY_PAGE },
    { GDK_KEY_b, LS_KEY_BATCH },
    { GDK_KEY_g, LS_KEY_TEST },
    { GDK_KEY_d, LS_KEY_DRAW },
    { GDK_KEY_D, LS_KEY_DRAW },
    { GDK_KEY_o, LS_KEY_SOURCE },
  };

  if (self->view->key == NULL || !ls_canvas_ensure_layout (self))
    return FALSE;
  if (self->query.pen.keys && pad_slot (self) != NULL && pad_key (self, key, state))
    return TRUE;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const LsAct act = keys[i].key == key ? self->view->key (self->layout, keys[i].means, &self->query)
                                           : LS_ACT_NONE;
      if (act == LS_ACT_NONE)
        continue;
      self->clicked_x = self->clicked_y = 0;
      self->query.pen.down = FALSE;
      ls_canvas_act (self, act);
      return TRUE;
    }
  return FALSE;
}

/* ---- the pointer as a pen ---- */

static void
to_pad (const LsSlot *pad, double x, double y, double *px, double *py)
{
  *px = CLAMP ((x - pad->x) / pad->w, 0, 1);
  *py = CLAMP ((y - pad->y) / pad->h, 0, 1);
}

static void
pen_begin_cb (LsCanvas *self, double x, double y, GtkGesture *gesture)
{
  const LsSlot *pad = pad_slot (self);
  double px, py;

  if (!ls_canvas_in_pad (self, x, y))
    {
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  to_pad (pad, x, y, &px, &py);
  if (ls_strokes_n (self->shared->strokes) == 0)
    ls_canvas_relayout (self); /* its hint goes */
  ls_strokes_begin (self->shared->strokes, px, py);
  self->query.pen.x = px;
  self->query.pen.y = py;
  drew (self);
}

static void
pen_cb (LsCanvas *self, double dx, double dy, GtkGesture *gesture)
{
  const LsSlot *pad = pad_slot (self);
  double x, y, px, py;

  if (pad == NULL || !gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (gesture), &x, &y))
    return;
  to_pad (pad, x + dx, y + dy, &px, &py);
  self->query.pen.x = px;
  self->query.pen.y = py;
  if (ls_strokes_to (self->shared->strokes, px, py))
    drew (self);
}

static void
pen_end_cb (LsCanvas *self)
{
  ls_canvas_queue_describe (self, FALSE);
}

void
ls_canvas_add_choosing (LsCanvas *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (pen_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (pen_cb), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (pen_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}
