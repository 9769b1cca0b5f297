/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scrubber: a slider from the beginning to the end of what the view's clock counts, and where it stands,
 * in words. It is always there, so that pausing moves nothing; while time runs by itself it follows a few
 * times a second, for each time is a new frame.
 */
#include "config.h"
#include "ui/app/widgets/time_bar.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "core/number.h"

#define FOLLOW_US 250000

struct _LsTimeBar {
  GtkWidget parent;
  LsSession *session;
  GtkWidget *box, *scale, *now, *where, *pin;
  gboolean setting;
  gint64 shown_us; /* when it was last told the time */
};

G_DEFINE_FINAL_TYPE (LsTimeBar, ls_time_bar, GTK_TYPE_WIDGET)

static void
scrubbed_cb (LsTimeBar *self)
{
  if (!self->setting)
    ls_session_seek (self->session, (gint64) (gtk_range_get_value (GTK_RANGE (self->scale)) + .5));
}

static char *
now_words (const LsPlayhead *playhead)
{
  const gint64 span = ls_playhead_span (playhead);
  const char *unit;
  g_autofree char *now = ls_number_time_in ((double) playhead->time_ns, (double) span, &unit);
  g_autofree char *all = ls_number_time ((double) span);

  return g_strdup_printf (_("%s of %s"), now, all);
}

static char *
where_words (LsTimeBar *self)
{
  LsRecording *shown = ls_session_shown (self->session);
  const guint n = ls_history_n (ls_session_history (self->session));
  g_autofree char *step = shown != NULL ? ls_number_count (shown->step) : NULL;

  if (shown == NULL)
    return g_strdup (_("no recorded step yet"));
  if (ls_session_mode (self->session) == LS_SESSION_PLAYBACK)
    return g_strdup_printf (_("step %s, from a file"), step);
  if (!ls_history_has (ls_session_history (self->session), shown->step))
    return g_strdup_printf (_("step %s, no longer kept"), step);
  return g_strdup_printf (_("step %s, recorded step %u of %u"), step,
                          ls_history_find (ls_session_history (self->session), shown->step) + 1, n);
}

static void
time_cb (LsTimeBar *self)
{
  const LsPlayhead *playhead = ls_session_playhead (self->session);
  const double span = (double) MAX (ls_playhead_span (playhead), 1),
               shown = gtk_adjustment_get_upper (gtk_range_get_adjustment (GTK_RANGE (self->scale)));
  g_autofree char *now = NULL;

  /* another step's length is told at once */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self))
      || (ls_session_playing (self->session) && shown == span
          && g_get_monotonic_time () - self->shown_us < FOLLOW_US))
    return;
  self->shown_us = g_get_monotonic_time ();
  now = now_words (playhead);
  self->setting = TRUE;
  gtk_range_set_range (GTK_RANGE (self->scale), 0, span);
  gtk_range_set_increments (GTK_RANGE (self->scale), MAX (span / 100, 1), MAX (span / 10, 1));
  gtk_range_set_value (GTK_RANGE (self->scale), (double) playhead->time_ns);
  self->setting = FALSE;
  gtk_label_set_text (GTK_LABEL (self->now), now);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, now, -1);
}

static void
state_cb (LsTimeBar *self)
{
  LsRecording *shown = ls_session_shown (self->session);
  LsHistory *history = ls_session_history (self->session);
  g_autofree char *where = NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  where = where_words (self);
  gtk_label_set_text (GTK_LABEL (self->where), where);
  gtk_widget_set_sensitive (self->scale, shown != NULL);
  gtk_widget_set_visible (self->pin, shown != NULL && ls_session_mode (self->session) != LS_SESSION_PLAYBACK);
  self->setting = TRUE;
  if (shown != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->pin),
                                  ls_history_has (history, shown->step)
                                    && ls_history_pinned (history, ls_history_find (history, shown->step)));
  self->setting = FALSE;
  time_cb (self);
}

static void
pin_cb (LsTimeBar *self)
{
  if (!self->setting)
    ls_session_toggle_pin (self->session);
}

static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ls_time_bar_parent_class)->map (widget);
  state_cb (LS_TIME_BAR (widget));
}

static void
dispose (GObject *object)
{
  LsTimeBar *self = LS_TIME_BAR (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_time_bar_parent_class)->dispose (object);
}

static void
ls_time_bar_class_init (LsTimeBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  GTK_WIDGET_CLASS (class)->map = map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
add_button (LsTimeBar *self, const char *icon, const char *action, const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, words);
  ls_compat_name (button, words);
  gtk_box_append (GTK_BOX (self->box), button);
  return button;
}

static GtkWidget *
add_label (LsTimeBar *self, int chars)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_width_chars (GTK_LABEL (label), chars);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (self->box), label);
  return label;
}

static void
ls_time_bar_init (LsTimeBar *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->box, "timebar");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  /* time runs to the right in every language, as the pictures do */
  gtk_widget_set_direction (self->box, GTK_TEXT_DIR_LTR);
  add_button (self, "go-previous-symbolic", "win.previous-op", _("Previous op"));
  add_button (self, "go-next-symbolic", "win.next-op", _("Next op"));
  self->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_widget_set_hexpand (self->scale, TRUE);
  gtk_widget_set_direction (self->scale, GTK_TEXT_DIR_LTR);
  ls_compat_name (self->scale, _("Machine time"));
  gtk_box_append (GTK_BOX (self->box), self->scale);
  self->now = add_label (self, 16);
  self->where = add_label (self, 26);
  gtk_widget_add_css_class (self->where, "dim-label");
  self->pin = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->pin), "view-pin-symbolic");
  gtk_widget_add_css_class (self->pin, "flat");
  gtk_widget_set_tooltip_text (self->pin, _("Keep this step with its tensors"));
  ls_compat_name (self->pin, _("Keep this step with its tensors"));
  gtk_box_append (GTK_BOX (self->box), self->pin);
  g_signal_connect_swapped (self->scale, "value-changed", G_CALLBACK (scrubbed_cb), self);
  g_signal_connect_swapped (self->pin, "toggled", G_CALLBACK (pin_cb), self);
}

GtkWidget *
ls_time_bar_new (LsSession *session)
{
  LsTimeBar *self = g_object_new (LS_TYPE_TIME_BAR, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "state", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "data", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "time", G_CALLBACK (time_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
