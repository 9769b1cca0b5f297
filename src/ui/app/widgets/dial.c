/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dial in the header bar: “1 s = 50 µs” and a slider over the positions 1, 2, 5, 10 …
 */
#include "config.h"
#include "ui/app/widgets/time_bar.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "core/number.h"

struct _LsDial {
  GtkWidget parent;
  LsSession *session;
  GtkWidget *box, *label, *scale; /* label: a clock there is only over a recorded step */
  gboolean setting;
};

G_DEFINE_FINAL_TYPE (LsDial, ls_dial, GTK_TYPE_WIDGET)

static char *
dial_text (guint64 ns)
{
  g_autofree char *time = ls_number_time ((double) ns);

  return g_strdup_printf (_("1 s = %s"), time);
}

static void
changed_cb (LsDial *self)
{
  const guint position = (guint) (gtk_range_get_value (GTK_RANGE (self->scale)) + .5);

  if (!self->setting)
    ls_session_set_dial (self->session, ls_dial_ns (position));
}

static void
state_cb (LsDial *self)
{
  const guint64 ns = ls_session_playhead (self->session)->dial_ns;
  const gboolean clock = ls_session_shown (self->session) != NULL;
  g_autofree char *text = clock ? dial_text (ns) : g_strdup (_("no step yet"));

  gtk_widget_set_sensitive (self->scale, clock);
  gtk_label_set_text (GTK_LABEL (self->label), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
  self->setting = TRUE;
  gtk_range_set_value (GTK_RANGE (self->scale), ls_dial_position (ns));
  self->setting = FALSE;
}

void
ls_dial_turn (LsDial *self, int direction)
{
  gtk_range_set_value (GTK_RANGE (self->scale), gtk_range_get_value (GTK_RANGE (self->scale)) + direction);
}

void
ls_dial_set_compact (LsDial *self, gboolean compact)
{
  gtk_widget_set_size_request (self->scale, compact ? 64 : 96, -1);
}

static void
dispose (GObject *object)
{
  LsDial *self = LS_DIAL (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_dial_parent_class)->dispose (object);
}

static void
ls_dial_class_init (LsDialClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ls_dial_init (LsDial *self)
{
  const guint n = ls_dial_n ();
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *name = gtk_label_new (_("slow motion"));

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), _("How much machine time passes in a second on screen"));
  self->label = gtk_label_new (NULL);
  gtk_label_set_width_chars (GTK_LABEL (self->label), 11);
  gtk_label_set_xalign (GTK_LABEL (self->label), 1);
  gtk_widget_add_css_class (self->label, "dial");
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_box_append (GTK_BOX (lines), self->label);
  gtk_label_set_xalign (GTK_LABEL (name), 1);
  gtk_widget_add_css_class (name, "pace-note");
  gtk_box_append (GTK_BOX (lines), name);
  gtk_widget_set_valign (lines, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->box), lines);
  self->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, n - 1, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_range_set_increments (GTK_RANGE (self->scale), 1, 3);
  gtk_range_set_round_digits (GTK_RANGE (self->scale), 0);
  for (guint i = 0; i < n; i += 3)
    gtk_scale_add_mark (GTK_SCALE (self->scale), i, GTK_POS_BOTTOM, NULL);
  gtk_widget_set_valign (self->scale, GTK_ALIGN_CENTER);
  gtk_widget_set_direction (self->scale, GTK_TEXT_DIR_LTR);
  ls_compat_name (self->scale, _("Slow-motion dial"));
  gtk_box_append (GTK_BOX (self->box), self->scale);
  ls_dial_set_compact (self, FALSE);
  g_signal_connect_swapped (self->scale, "value-changed", G_CALLBACK (changed_cb), self);
}

GtkWidget *
ls_dial_new (LsSession *session)
{
  LsDial *self = g_object_new (LS_TYPE_DIAL, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "state", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "data", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  state_cb (self);
  return GTK_WIDGET (self);
}
