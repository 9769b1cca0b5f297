/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text lies over a label with the same words, unseen, which says how high it is: a text view by itself
 * learns that too late, and is cut off until somebody types.
 */
#include "config.h"
#include "ui/app/settings/layers_line.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"

#define SIDE 12 /* px, around the text in its card */
#define EDGE 8

static GtkWidget *
make_view (void)
{
  GtkWidget *widget = gtk_text_view_new ();
  GtkTextView *view = GTK_TEXT_VIEW (widget);

  gtk_text_view_set_wrap_mode (view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_text_view_set_left_margin (view, SIDE);
  gtk_text_view_set_right_margin (view, SIDE);
  gtk_text_view_set_top_margin (view, EDGE);
  gtk_text_view_set_bottom_margin (view, EDGE);
  gtk_widget_add_css_class (widget, "card");
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  ls_compat_name (view, _("Network as text"));
  return widget;
}

/* A pixel narrower: it may break a line earlier than the text, never later. */
static GtkWidget *
make_measure (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_start (label, SIDE + 1);
  gtk_widget_set_margin_end (label, SIDE);
  gtk_widget_set_margin_top (label, EDGE);
  gtk_widget_set_margin_bottom (label, EDGE);
  gtk_widget_set_opacity (label, 0);
  gtk_accessible_update_state (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  return label;
}

GtkWidget *
ls_layers_line_new (GtkWidget **view)
{
  GtkWidget *overlay = gtk_overlay_new (), *label = make_measure ();

  *view = make_view ();
  g_object_bind_property (gtk_text_view_get_buffer (GTK_TEXT_VIEW (*view)), "text", label, "label",
                          G_BINDING_DEFAULT);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), label);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), *view);
  return overlay;
}
