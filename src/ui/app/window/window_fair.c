/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fair fight: the mark between the heads, its panel, and what the panel's switches do: they change
 * options as the settings and the switches on the stage do.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/app/dialogs/fair_panel.h"

static void
switch_cb (LsWindow *self, guint side, const char *option, const char *value)
{
  ls_window_switch_lane (self, side, ls_options_find (option), value);
  ls_window_event (self, "fair %s %s", option, value);
}

/* The first lane of that kind; LS_SIDES: there is none. */
static guint
side_of (const LsViewData *data, LsBackendKind who)
{
  guint side = 0;

  while (side < LS_SIDES && !(data->sides[side].there && data->sides[side].who == who))
    side++;
  return side;
}

/* What makes it unfair on purpose. */
static const struct {
  LsBackendKind who;
  const char *option, *unfair;
} blows[] = { { LS_BACKEND_CPU, "threads", "1" },
              { LS_BACKEND_CPU, "cpu-kernels", "naive" },
              { LS_BACKEND_OPENCL, "kernel", "packed" } };
G_STATIC_ASSERT (G_N_ELEMENTS (blows) == LS_WINDOW_BLOWS);

/* As the lane on that side has it now. (transfer full); NULL: it is no lane of the run's. */
static char *
value_of (LsWindow *self, guint side, const LsOption *option)
{
  const gint lane = side < LS_SIDES ? ls_window_lane_on (self, side) : -1;
  const LsLaneSpec *spec = lane >= 0 ? ls_session_specs (self->session)->pdata[lane] : NULL;

  return spec != NULL ? ls_options_get (spec->options, option) : NULL;
}

/* Each line that is unfair, and what was before the unfair fight as it was then, unless it is another by now:
 * then somebody has chosen it since. */
static void
make_fair (LsWindow *self, const LsViewData *data)
{
  gboolean struck[G_N_ELEMENTS (blows)];

  for (guint i = 0; i < G_N_ELEMENTS (blows); i++)
    {
      g_autofree char *now = value_of (self, side_of (data, blows[i].who), ls_options_find (blows[i].option));
      struck[i] = g_strcmp0 (now, blows[i].unfair) == 0;
    }
  for (guint i = 0; data->fairness != NULL && i < data->fairness->n; i++)
    {
      const LsFairLine *line = &data->fairness->lines[i];
      if (line->option != NULL && (line->switched || line->state == LS_FAIR_NO))
        ls_window_switch_lane (self, line->side, ls_options_find (line->option), line->fair);
    }
  for (guint i = 0; i < G_N_ELEMENTS (blows); i++)
    {
      g_autofree char *before = g_steal_pointer (&self->before_fight[i]);
      if (before != NULL && struck[i])
        ls_window_switch_lane (self, side_of (data, blows[i].who), ls_options_find (blows[i].option), before);
    }
}

static void
make_unfair (LsWindow *self, const LsViewData *data)
{
  for (guint i = 0; i < G_N_ELEMENTS (blows); i++)
    {
      const guint side = side_of (data, blows[i].who);
      const LsOption *option = ls_options_find (blows[i].option);
      g_autofree char *now = value_of (self, side, option);
      if (side == LS_SIDES)
        continue;
      if (self->before_fight[i] == NULL || g_strcmp0 (now, blows[i].unfair) != 0)
        {
          g_free (self->before_fight[i]);
          self->before_fight[i] = g_steal_pointer (&now);
        }
      ls_window_switch_lane (self, side, option, blows[i].unfair);
    }
}

static void
fight_cb (LsWindow *self, gboolean fair)
{
  g_autoptr (LsViewData) data = ls_view_data_ref (ls_session_data (self->session));

  if (fair)
    make_fair (self, data);
  else
    make_unfair (self, data);
  ls_window_event (self, "fight %s", fair ? "fair" : "unfair");
}

/* Under the mark, or where the view has none, in the middle of the picture's upper edge. */
void
ls_window_show_fair (LsWindow *self)
{
  GtkWidget *popover = gtk_popover_new (), *panel;
  GdkRectangle at = { gtk_widget_get_width (self->canvas) / 2, 8, 1, 1 };
  const LsSlot *slot = ls_canvas_find_slot (LS_CANVAS (self->canvas), LS_SLOT_FAIR);

  if (slot != NULL)
    at = (GdkRectangle){ (int) slot->x, (int) slot->y, (int) slot->w, (int) slot->h };
  panel = ls_fair_panel_new (self->session);
  gtk_widget_add_css_class (popover, "fair-popover");
  g_signal_connect_object (panel, "switch", G_CALLBACK (switch_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel, "fight", G_CALLBACK (fight_cb), self, G_CONNECT_SWAPPED);
  gtk_popover_set_child (GTK_POPOVER (popover), panel);
  gtk_popover_set_position (GTK_POPOVER (popover), GTK_POS_BOTTOM);
  gtk_widget_set_parent (popover, self->canvas);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &at);
  ls_compat_name (popover, _("Is This a Fair Fight?"));
  g_signal_connect (popover, "closed", G_CALLBACK (ls_window_popover_closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
  ls_window_event (self, "fair open");
}

GtkWidget *
ls_window_fair_button (void)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("lockstep-fair-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "fair-mark");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.fair");
  return button;
}

/* A sign of its own while the comparison is unfair. */
void
ls_window_update_fair (LsWindow *self)
{
  const LsViewData *data = ls_session_data (self->session);
  g_autofree char *titles = data != NULL ? ls_fairness_titles (data->fairness) : NULL,
                  *unfair = titles != NULL ? g_strdup_printf (_("An unfair comparison: %s"), titles) : NULL;
  const char *words = unfair != NULL ? unfair : _("Is this a fair fight?");

  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    {
      GtkWidget *button = self->stages[i].fair;
      if (button == NULL || g_strcmp0 (gtk_widget_get_tooltip_text (button), words) == 0)
        continue;
      gtk_widget_set_tooltip_text (button, words);
      ls_compat_name (button, words);
      gtk_button_set_icon_name (GTK_BUTTON (button),
                                unfair != NULL ? "dialog-warning-symbolic" : "lockstep-fair-symbolic");
      if (unfair != NULL)
        gtk_widget_add_css_class (button, "fair-no");
      else
        gtk_widget_remove_css_class (button, "fair-no");
      ls_window_event (self, "comparison %s", unfair != NULL ? titles : "fair");
    }
}
