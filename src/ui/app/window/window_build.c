/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's widgets, put together.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"
#include "ui/app/widgets/left_to_right.h"

static GtkWidget *
icon_button (const char *icon, const char *action, const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, words);
  ls_compat_name (button, words);
  return button;
}

static void
pace_cb (LsWindow *self)
{
  gtk_widget_grab_focus (self->canvas);
}

GtkWidget *
ls_window_make_header (LsWindow *self)
{
  GtkWidget *header = adw_header_bar_new (), *transport = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *menu,
            *line;

  adw_header_bar_pack_start (ADW_HEADER_BAR (header),
                             icon_button ("sidebar-show-symbolic", "win.sidebar", _("Views")));
  self->play = icon_button ("media-playback-pause-symbolic", "win.play", _("Pause"));
  gtk_box_append (GTK_BOX (transport), self->play);
  gtk_box_append (GTK_BOX (transport),
                  icon_button ("media-skip-backward-symbolic", "win.step-back", _("Step Back")));
  gtk_box_append (GTK_BOX (transport), icon_button ("media-skip-forward-symbolic", "win.step", _("Step")));
  ls_left_to_right (transport);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), transport);
  self->title = adw_window_title_new (_("Lockstep"), NULL);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  menu = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (menu), "open-menu-symbolic");
  gtk_menu_button_set_primary (GTK_MENU_BUTTON (menu), TRUE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (menu),
                                  G_MENU_MODEL (gtk_application_get_menu_by_id (
                                    GTK_APPLICATION (g_application_get_default ()), "primary")));
  ls_compat_name_items (GTK_MENU_BUTTON (menu));
  gtk_widget_set_tooltip_text (menu, _("Main Menu"));
  ls_compat_name (menu, _("Main Menu"));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), menu);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header),
                           icon_button ("preferences-system-symbolic", "win.settings", _("Settings")));
  self->two = icon_button ("view-dual-symbolic", "win.two", _("Two Views"));
  gtk_widget_set_visible (self->two, FALSE);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->two);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), icon_button ("x-office-presentation-symbolic",
                                                                 "win.projector", _("For the Projector")));
  self->dial = ls_dial_new (self->session);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->dial);
  /* two speeds, and a line between */
  line = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (line, "speeds");
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), line);
  self->pace = ls_pace_switch_new (self->session);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->pace);
  g_signal_connect_object (self->pace, "chosen", G_CALLBACK (pace_cb), self, G_CONNECT_SWAPPED);
  return header;
}

GtkWidget *
ls_window_make_banner (LsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *revealer = gtk_revealer_new ();

  self->banner_text = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->banner_text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->banner_text), 0);
  gtk_widget_set_hexpand (self->banner_text, TRUE);
  gtk_box_append (GTK_BOX (box), self->banner_text);
  for (guint i = 0; i < G_N_ELEMENTS (self->banner_buttons); i++)
    {
      self->banner_buttons[i] = gtk_button_new ();
      ls_compat_name_button (self->banner_buttons[i], _("_Settings"));
      gtk_accessible_update_relation (GTK_ACCESSIBLE (self->banner_buttons[i]),
                                      GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, self->banner_text, NULL, -1);
      gtk_widget_set_valign (self->banner_buttons[i], GTK_ALIGN_CENTER);
      gtk_box_append (GTK_BOX (box), self->banner_buttons[i]);
    }
  gtk_widget_add_css_class (box, "strip-banner");
  gtk_revealer_set_child (GTK_REVEALER (revealer), box);
  return revealer;
}

static GtkWidget *
revealer_of (GtkWidget *child, GtkRevealerTransitionType type)
{
  GtkWidget *revealer = gtk_revealer_new ();

  gtk_revealer_set_child (GTK_REVEALER (revealer), child);
  gtk_revealer_set_transition_type (GTK_REVEALER (revealer), type);
  gtk_revealer_set_transition_duration (GTK_REVEALER (revealer), 180);
  return revealer;
}

static void
choose_folder_cb (LsWindow *self)
{
  ls_window_choose_data (self, LS_CHOOSE_FOLDER, ls_settings_pane_wish_file, self->settings);
}

static void
choose_file_cb (LsWindow *self)
{
  ls_window_choose_data (self, LS_CHOOSE_OPEN, ls_settings_pane_wish_file, self->settings);
}

static void
evidence_chosen_cb (LsWindow *self, gint evidence)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    if (ls_window_canvas (self, i) != NULL)
      ls_canvas_set_evidence (ls_window_canvas (self, i), evidence);
}

/* A press on the stage beside a sheet puts the sheet away, and does nothing else. */
static void
beside_sheet_cb (LsWindow *self, int n, double x, double y, GtkGesture *gesture)
{
  GtkWidget *const panes[] = { self->settings_revealer, self->sidebar_revealer };

  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    if (gtk_widget_get_parent (panes[i]) == self->over
        && gtk_revealer_get_reveal_child (GTK_REVEALER (panes[i])))
      {
        gtk_revealer_set_reveal_child (GTK_REVEALER (panes[i]), FALSE);
        gtk_widget_grab_focus (self->canvas);
        gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
      }
}

static void
add_beside_sheet (LsWindow *self)
{
  GtkGesture *press = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (beside_sheet_cb), self);
  gtk_widget_add_controller (self->content, GTK_EVENT_CONTROLLER (press));
}

void
ls_window_make_stage (LsWindow *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->over = gtk_overlay_new ();
  gtk_overlay_set_child (GTK_OVERLAY (self->over), self->content);
  add_beside_sheet (self);
  self->sidebar = ls_sidebar_new ();
  self->sidebar_revealer = revealer_of (self->sidebar, GTK_REVEALER_TRANSITION_TYPE_SLIDE_RIGHT);
  self->time_bar = ls_time_bar_new (self->session);
  self->settings = ls_settings_pane_new ();
  self->settings_revealer = revealer_of (self->settings, GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT);
  ls_window_make_stages (self, column);
  gtk_box_append (GTK_BOX (column), self->time_bar);
  gtk_box_append (GTK_BOX (self->content), self->sidebar_revealer);
  gtk_box_append (GTK_BOX (self->content), column);
  gtk_box_append (GTK_BOX (self->content), self->settings_revealer);
  g_signal_connect_swapped (self->sidebar, "view", G_CALLBACK (ls_window_set_view), self);
  g_signal_connect_swapped (self->sidebar, "evidence", G_CALLBACK (evidence_chosen_cb), self);
  g_signal_connect_swapped (self->settings, "choose-folder", G_CALLBACK (choose_folder_cb), self);
  g_signal_connect_swapped (self->settings, "choose-file", G_CALLBACK (choose_file_cb), self);
  g_signal_connect_swapped (self->settings, "changed-live", G_CALLBACK (ls_window_live_changed), self);
  g_signal_connect_swapped (self->settings, "restart", G_CALLBACK (ls_window_run_again), self);
}
