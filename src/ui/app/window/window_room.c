/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the window's widgets share its width: the sidebar has words, icons alone, or lies over the stage when
 * it is asked for; settings stand beside the stage or lie over it; from 4K on two views stand side by side.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include "ui/app/widgets/lane_controls.h"

/* A pane stands beside the stage, or lies over it as a sheet, so that the stage keeps its width. */
static void
place_pane (LsWindow *self, GtkWidget *revealer, gboolean sheet, GtkAlign edge)
{
  GtkWidget *child = gtk_revealer_get_child (GTK_REVEALER (revealer));

  if ((gtk_widget_get_parent (revealer) == self->over) == sheet)
    return;
  g_object_ref (revealer);
  if (sheet)
    {
      gtk_box_remove (GTK_BOX (self->content), revealer);
      gtk_overlay_add_overlay (GTK_OVERLAY (self->over), revealer);
      gtk_widget_add_css_class (child, "sheet");
    }
  else
    {
      gtk_overlay_remove_overlay (GTK_OVERLAY (self->over), revealer);
      if (edge == GTK_ALIGN_START)
        gtk_box_prepend (GTK_BOX (self->content), revealer);
      else
        gtk_box_append (GTK_BOX (self->content), revealer);
      gtk_widget_remove_css_class (child, "sheet");
    }
  gtk_widget_set_halign (revealer, sheet ? edge : GTK_ALIGN_FILL);
  g_object_unref (revealer);
}

void
ls_window_apply_width (LsWindow *self)
{
  const gboolean large = self->width >= LS_WINDOW_LARGE,
                 beside = self->width >= LS_WINDOW_MEDIUM && !self->projector;
  const gboolean shown = beside && self->sidebar_wanted;

  place_pane (self, self->sidebar_revealer, self->width < LS_WINDOW_MEDIUM, GTK_ALIGN_START);
  place_pane (self, self->settings_revealer, self->width < LS_WINDOW_MEDIUM, GTK_ALIGN_END);
  ls_pace_switch_set_form (LS_PACE_SWITCH (self->pace), large ? LS_PACE_SWITCH_NAMED
                                                        : self->width >= LS_WINDOW_WORDS
                                                          ? LS_PACE_SWITCH_WORDS
                                                          : LS_PACE_SWITCH_DROP);
  ls_dial_set_compact (LS_DIAL (self->dial), self->width < LS_WINDOW_MEDIUM);
  ls_sidebar_set_narrow (LS_SIDEBAR (self->sidebar), !large && beside);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->sidebar_revealer), shown);
  ls_window_show_stages (self);
  ls_window_show_title (self);
  ls_window_update_switches (self);
  ls_window_fit_card (self, self->width < LS_WINDOW_MEDIUM);
  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    {
      if (ls_window_canvas (self, i) == NULL)
        continue;
      ls_canvas_set_key (ls_window_canvas (self, i), !self->projector && (!large || !shown));
      for (guint side = 0; side < 2; side++)
        for (guint kind = 0; kind < G_N_ELEMENTS (self->stages[i].controls[side]); kind++)
          ls_lane_controls_set_compact (LS_LANE_CONTROLS (self->stages[i].controls[side][kind]), !large);
    }
}

void
ls_window_show_sidebar (LsWindow *self, gboolean show)
{
  if (self->width >= LS_WINDOW_MEDIUM)
    {
      self->sidebar_wanted = show;
      ls_window_apply_width (self);
      return;
    }
  /* no room beside the stage: it opens over its edge until a view is chosen */
  ls_sidebar_set_narrow (LS_SIDEBAR (self->sidebar), FALSE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->sidebar_revealer), show);
}

static gboolean
width_cb (gpointer data)
{
  LsWindow *self = data;

  self->width_later = 0;
  ls_window_apply_width (self);
  return G_SOURCE_REMOVE;
}

static guint
size_class (int width)
{
  return (guint) (width >= LS_WINDOW_TWO) + (width >= LS_WINDOW_LARGE) + (width >= LS_WINDOW_WORDS)
         + (width >= LS_WINDOW_MEDIUM);
}

void
ls_window_queue_width (LsWindow *self, int width)
{
  const int before = self->width;

  self->width = width;
  if ((before == 0 || size_class (before) != size_class (width)) && self->width_later == 0)
    self->width_later = g_idle_add (width_cb, self);
}
