/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout when data, size or style are new; the raster's bricks as render nodes, kept as long as their pixels
 * stay, so that GTK repaints only the bricks that changed. The frame clock runs only while the playhead does.
 */
#include "config.h"
#include "ui/app/canvas/canvas_private.h"
#include "ui/paint/views.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"

G_DEFINE_FINAL_TYPE (LsCanvas, ls_canvas, GTK_TYPE_WIDGET)

/* ---- describing for screen readers ---- */

static void
describe (LsCanvas *self)
{
  g_autofree char *text = NULL;

  self->described_us = g_get_monotonic_time ();
  ls_compat_name (self, gettext (self->view->title));
  /* a pick that was only just made is in the query, and not yet in the layout */
  if (!ls_canvas_ensure_layout (self))
    {
      self->described_us = 0;
      return;
    }
  text = ls_layout_describe (self->layout);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static gboolean
describe_cb (gpointer data)
{
  LsCanvas *self = data;

  self->describe_later = 0;
  describe (self);
  return G_SOURCE_REMOVE;
}

/* At once when somebody picks; while numbers run, every two seconds at most: no screen reader can say
 * more. */
void
ls_canvas_queue_describe (LsCanvas *self, gboolean now)
{
  if (now || g_get_monotonic_time () - self->described_us > 2 * G_USEC_PER_SEC)
    describe (self);
  else if (self->describe_later == 0)
    self->describe_later = g_timeout_add (2000, describe_cb, self);
}

/* ---- layout ---- */

static void
take_query (LsCanvas *self)
{
  LsPlayhead playhead = *ls_session_playhead (self->session);

  if (self->beside)
    ls_canvas_own_clock (self, &playhead);
  const gboolean end = playhead.time_ns >= ls_playhead_span (&playhead);
  self->query.op = ls_playhead_op (&playhead);
  self->query.time_ns = end ? LS_TIME_END : playhead.time_ns;
  self->query.dial_ns = playhead.playing || self->projector ? playhead.dial_ns : 0;
  self->query.paused = !playhead.playing;
  self->query.skipped = playhead.skipped;
  self->query.chrome = self->projector;
  /* without animations the clock goes from event to event */
  if (!end && self->layout != NULL && !adw_get_enable_animations (GTK_WIDGET (self)))
    self->query.time_ns = ls_layout_event_before (self->layout, self->query.time_ns);
}

void
ls_canvas_set_clock (LsCanvas *self)
{
  const LsViewData *data = ls_session_data (self->session);

  if (self->beside)
    return;
  const gboolean own = self->view->span != NULL && data != NULL && data->recording != NULL;

  take_query (self);
  ls_session_set_clock (self->session, self->view->by_op,
                        own ? self->view->span (data, &self->query, NULL) : -1);
}

void
ls_canvas_tell_wish (LsCanvas *self, gboolean anew)
{
  const LsViewData *data = self->session != NULL ? ls_session_data (self->session) : NULL;
  LsWish wish = LS_WISH_NOTHING;

  if (self->session == NULL)
    return;
  take_query (self);
  self->wished_op = self->query.op;
  if (data != NULL && self->view->wish != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->view->wish (data, &self->query, &wish);
  ls_session_wish (self->session, self->beside, &wish, anew);
}

gboolean
ls_canvas_ensure_layout (LsCanvas *self)
{
  LsViewData *data = ls_session_data (self->session);
  const int width = gtk_widget_get_width (GTK_WIDGET (self)),
            height = gtk_widget_get_height (GTK_WIDGET (self));

  if (data == NULL || width < 64 || height < 64)
    return FALSE;
  if (self->layout != NULL
      && (self->layout->width < width || self->layout->width > width || self->layout->height < height
          || self->layout->height > height))
    g_clear_pointer (&self->layout, ls_layout_free);
  take_query (self);
  if (ls_canvas_slots_outgrown (self) || (self->layout != NULL && ls_canvas_zoom_follow (self)))
    g_clear_pointer (&self->layout, ls_layout_free);
  if (self->layout == NULL)
    self->layout = ls_layout_new (self->view, data, &self->query, width, height, &self->style, self->fonts);
  else if (self->moved)
    ls_layout_move (self->layout, &self->query);
  self->moved = FALSE;
  return TRUE;
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LsCanvas *self = LS_CANVAS (widget);

  if (ls_canvas_ensure_layout (self) && self->described_us == 0)
    ls_canvas_queue_describe (self, FALSE);
  ls_canvas_place_slots (self);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child))
      gtk_popover_present (GTK_POPOVER (child));
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
         int *least_base, int *natural_base)
{
  *least = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : 320;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 1280 : 720;
}

static void
clear_kept (gpointer data)
{
  Kept *kept = data;

  g_clear_pointer (&kept->node, gsk_render_node_unref);
}

static void
append_bricks (LsCanvas *self, GtkSnapshot *snapshot)
{
  guint n;
  const LsBrick *bricks = ls_raster_bricks (self->raster, &n);

  if (self->kept->len != n)
    g_array_set_size (self->kept, n);
  for (guint i = 0; i < n; i++)
    {
      Kept *kept = &g_array_index (self->kept, Kept, i);
      if (kept->node == NULL || kept->serial != bricks[i].serial)
        {
          const graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) bricks[i].x, (float) bricks[i].y,
                                                             (float) bricks[i].w, (float) bricks[i].h);
          cairo_t *cr;

          g_clear_pointer (&kept->node, gsk_render_node_unref);
          kept->node = gsk_cairo_node_new (&bounds);
          kept->serial = bricks[i].serial;
          cr = gsk_cairo_node_get_draw_context (kept->node);
          cairo_set_source_surface (cr, bricks[i].surface, bricks[i].x, bricks[i].y);
          cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
          cairo_rectangle (cr, bricks[i].x, bricks[i].y, bricks[i].w, bricks[i].h);
          cairo_fill (cr);
          cairo_destroy (cr);
        }
      gtk_snapshot_append_node (snapshot, kept->node);
    }
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LsCanvas *self = LS_CANVAS (widget);

  if (!ls_canvas_ensure_layout (self))
    return;
  ls_raster_update (self->raster, self->layout, (guint) gtk_widget_get_scale_factor (widget));
  append_bricks (self, snapshot);
  for (guint i = 0; i < self->placed->len; i++)
    gtk_widget_snapshot_child (widget, PLACED (self, i)->widget, snapshot);
}

/* ---- what the session says ---- */

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  LsCanvas *self = LS_CANVAS (widget);
  const gint64 now = gdk_frame_clock_get_frame_time (clock), before = self->tick_us;

  self->tick_us = now;
  if (before != 0)
    ls_session_advance (self->session, (double) (now - before) / G_USEC_PER_SEC);
  return G_SOURCE_CONTINUE;
}

static void
follow_state (LsCanvas *self)
{
  const gboolean wanted = !self->beside && ls_session_playing (self->session)
                          && ls_session_shown (self->session) != NULL;

  if (wanted && self->tick == 0)
    {
      self->tick_us = 0;
      self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
    }
  else if (!wanted && self->tick != 0)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
      self->tick = 0;
    }
  self->moved = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
state_cb (LsCanvas *self)
{
  follow_state (self);
  ls_canvas_tell_wish (self, TRUE);
}

/* While it plays the clock goes from op to op. */
static void
time_cb (LsCanvas *self)
{
  if (self->wished_op != ls_playhead_op (ls_session_playhead (self->session)))
    ls_canvas_tell_wish (self, FALSE);
  ls_canvas_queue_move (self);
}

void
ls_canvas_queue_move (LsCanvas *self)
{
  self->moved = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
data_cb (LsCanvas *self)
{
  LsLayout *before = g_steal_pointer (&self->layout);

  ls_canvas_seek_difference (self);
  follow_state (self);
  ls_canvas_tell_wish (self, FALSE);
  ls_canvas_set_clock (self);
  if (!ls_canvas_ensure_layout (self) || before == NULL || ls_canvas_slots_differ (before, self->layout))
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  ls_layout_free (before);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  ls_canvas_queue_describe (self, FALSE);
}

void
ls_canvas_relayout (LsCanvas *self)
{
  g_clear_pointer (&self->layout, ls_layout_free);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- life ---- */

static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ls_canvas_parent_class)->map (widget);
  ls_canvas_tell_wish (LS_CANVAS (widget), TRUE);
}

static void
unmap (GtkWidget *widget)
{
  LsCanvas *self = LS_CANVAS (widget);

  g_clear_handle_id (&self->describe_later, g_source_remove);
  GTK_WIDGET_CLASS (ls_canvas_parent_class)->unmap (widget);
  ls_canvas_tell_wish (self, FALSE);
}

static void
free_shared (gpointer data)
{
  Shared *shared = data;

  g_ptr_array_unref (shared->states);
  ls_strokes_free (shared->strokes);
}

static void
dispose (GObject *object)
{
  LsCanvas *self = LS_CANVAS (object);

  g_clear_handle_id (&self->describe_later, g_source_remove);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  for (guint i = 0; i < self->placed->len; i++)
    gtk_widget_unparent (PLACED (self, i)->widget);
  g_array_set_size (self->placed, 0);
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL;)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->layout, ls_layout_free);
  g_clear_pointer (&self->kept, g_array_unref);
  g_clear_pointer (&self->raster, ls_raster_free);
  g_clear_pointer (&self->fonts, ls_fonts_unref);
  if (self->shared != NULL)
    g_rc_box_release_full (g_steal_pointer (&self->shared), free_shared);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_canvas_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_array_unref (LS_CANVAS (object)->placed);
  G_OBJECT_CLASS (ls_canvas_parent_class)->finalize (object);
}

static void
ls_canvas_class_init (LsCanvasClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  widget_class->snapshot = snapshot;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
  widget_class->map = map;
  widget_class->unmap = unmap;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  ls_canvas_class_add_signals (class);
}

static void
ls_canvas_init (LsCanvas *self)
{
  self->query = (LsQuery) LS_QUERY_INIT;
  self->raster = ls_raster_new ();
  self->placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  self->kept = g_array_new (FALSE, TRUE, sizeof (Kept));
  g_array_set_clear_func (self->kept, clear_kept);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  /* the picture's left is the CPU's, in every language */
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  ls_canvas_add_pointing (self);
  ls_canvas_add_zooming (self);
  ls_canvas_add_choosing (self);
  ls_canvas_follow_desktop (self);
}

GtkWidget *
ls_canvas_new (LsSession *session, LsCanvas *first)
{
  LsCanvas *self = g_object_new (LS_TYPE_CANVAS, NULL);
  guint n;
  const LsView *const *views = ls_views (&n);

  self->session = g_object_ref (session);
  self->beside = first != NULL;
  self->shared = first != NULL ? g_rc_box_acquire (first->shared) : g_rc_box_new0 (Shared);
  if (first == NULL)
    {
      self->shared->strokes = ls_strokes_new ();
      self->shared->states = g_ptr_array_new_full (n, g_free);
      for (guint i = 0; i < n; i++)
        g_ptr_array_add (self->shared->states, ls_view_state_new (views[i]));
    }
  self->query.pen.strokes = self->shared->strokes;
  ls_canvas_take_view (self, views[0]);
  g_signal_connect_object (session, "data", G_CALLBACK (data_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "time", G_CALLBACK (time_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "state", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
