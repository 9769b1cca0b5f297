/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands on the stage besides pictures: each lane's switches, and the buttons under the sentence of a lane that can't
 * run.
 */
#include "config.h"
#include "ui/app/window_private.h"

#include <glib/gi18n.h>

#include "ui/app/lane_controls.h"

static void
switched_cb (LsWindow *self, const LsOption *option, const char *text)
{
  ls_window_set_option (self, option->name, text);
}

/* Words behind a button. */
static GtkWidget *
words_button (const char *label, const char *words)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new (), *text = gtk_label_new (words);

  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 56);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_selectable (GTK_LABEL (text), TRUE);
  gtk_popover_set_child (GTK_POPOVER (popover), text);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), label);
  return button;
}

static const char *
help_words (void)
{
  return _("Lockstep finds devices through the OpenCL loader. For a graphics card install its vendor's OpenCL driver: on "
           "Debian nvidia-opencl-icd, intel-opencl-icd or mesa-opencl-icd; for the processor itself, pocl-opencl-icd. "
           "Then press Retry.");
}

static GtkWidget *
message_buttons (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *retry = gtk_button_new ();

  ls_window_name_button (retry, _("_Retry"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (retry), "win.retry");
  gtk_widget_add_css_class (retry, "suggested-action");
  gtk_box_append (GTK_BOX (box), retry);
  gtk_box_append (GTK_BOX (box), words_button (_("How to add one"), help_words ()));
  gtk_widget_set_valign (box, GTK_ALIGN_START);
  gtk_widget_set_visible (box, FALSE);
  return box;
}

static void
plot_cb (LsWindow *self, GParamSpec *spec, GtkDropDown *drop)
{
  ls_canvas_set_plot (LS_CANVAS (self->canvas), (LsCurveKind) gtk_drop_down_get_selected (drop));
}

/* Which curve is shown where there is room for one. */
static GtkWidget *
plot_switch (LsWindow *self)
{
  const char *const words[] = { _("Loss"), _("Throughput"), _("|Δ| of the losses"), _("Test accuracy"), NULL }; /* LsCurveKind */
  GtkWidget *drop = gtk_drop_down_new_from_strings (words);

  gtk_widget_set_valign (drop, GTK_ALIGN_START);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Curve"), -1);
  g_signal_connect_object (drop, "notify::selected", G_CALLBACK (plot_cb), self, G_CONNECT_SWAPPED);
  return drop;
}

void
ls_window_add_lanes (LsWindow *self)
{
  static const char *const cpu[] = { "policy", "threads", NULL }, *const opencl[] = { "kernel", NULL };

  ls_canvas_set_slot (LS_CANVAS (self->canvas), LS_SLOT_PLOTS, -1, plot_switch (self));
  for (guint side = 0; side < LS_SIDES; side++)
    {
      self->controls[side] = ls_lane_controls_new (side == 0 ? cpu : opencl);
      ls_lane_controls_set_most (LS_LANE_CONTROLS (self->controls[side]), g_get_num_processors ());
      ls_canvas_set_slot (LS_CANVAS (self->canvas), LS_SLOT_CONTROLS, (gint) side, self->controls[side]);
      g_signal_connect_object (self->controls[side], "changed", G_CALLBACK (switched_cb), self, G_CONNECT_SWAPPED);
      self->buttons[side] = message_buttons ();
      ls_canvas_set_slot (LS_CANVAS (self->canvas), LS_SLOT_MESSAGE, (gint) side, self->buttons[side]);
    }
}

static gboolean
can_retry (const LsViewData *data, guint side)
{
  const LsLaneState state = data->sides[side].state;

  return data->live && (state == LS_LANE_FAILED || state == LS_LANE_HUNG);
}

void
ls_window_update_lanes (LsWindow *self)
{
  LsViewData *data = ls_session_data (self->session);
  const gboolean live = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      GtkWidget *retry = gtk_widget_get_first_child (self->buttons[side]);
      const gboolean stopped = data != NULL && can_retry (data, side);

      ls_lane_controls_set_options (LS_LANE_CONTROLS (self->controls[side]), ls_session_options (self->session));
      gtk_widget_set_sensitive (self->controls[side], live);
      if (gtk_widget_get_visible (self->buttons[side]) != stopped)
        {
          gtk_widget_set_visible (self->buttons[side], stopped);
          gtk_widget_queue_allocate (self->canvas);
        }
      /* a lane that ran has a device; only one that never did may lack its driver */
      gtk_widget_set_visible (gtk_widget_get_next_sibling (retry), stopped && side == 1 && data->sides[side].steps == 0);
    }
}
