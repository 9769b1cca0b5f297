/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands on the stage besides pictures: each lane's switches, and the buttons under the sentence of a
 * lane that can't run.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/app/compat.h"
#include "ui/app/widgets/lane_choice.h"
#include "ui/app/widgets/lane_controls.h"
#include "core/number.h"

#define KINDS G_N_ELEMENTS (((LsStage *) NULL)->controls[0]) /* of lanes with switches */

gint
ls_window_lane_on (LsWindow *self, guint side)
{
  const LsViewData *data = ls_session_data (self->session);
  const GPtrArray *specs = ls_session_specs (self->session);

  for (guint i = 0; data != NULL && specs != NULL && i < specs->len; i++)
    if (g_strcmp0 (((LsLaneSpec *) specs->pdata[i])->id, data->sides[side].id) == 0)
      return (gint) i;
  return -1;
}

/* A lane that has a value of its own, or is one of several of its backend, is switched alone. */
static gboolean
is_own (const GPtrArray *specs, guint lane, const LsOption *option)
{
  const LsLaneSpec *spec = specs->pdata[lane];
  guint n = 0;

  for (guint i = 0; i < specs->len; i++)
    n += ((LsLaneSpec *) specs->pdata[i])->backend == spec->backend;
  return n > 1 || ls_options_is_given (spec->own, option);
}

void
ls_window_switch_lane (LsWindow *self, guint side, const LsOption *option, const char *text)
{
  const GPtrArray *specs = ls_session_specs (self->session);
  const gint lane = ls_window_lane_on (self, side);

  if (lane < 0 || option->own == NULL || !is_own (specs, (guint) lane, option))
    {
      ls_window_set_option (self, option->name, text);
      return;
    }
  g_autofree char *lanes = ls_lane_specs_with (specs, (guint) lane, option, text);
  ls_window_set_lanes (self, lanes);
}

static void
left_switched_cb (LsWindow *self, const LsOption *option, const char *text)
{
  ls_window_switch_lane (self, 0, option, text);
}

static void
right_switched_cb (LsWindow *self, const LsOption *option, const char *text)
{
  ls_window_switch_lane (self, 1, option, text);
}

/* Words behind a button; the label that shows them in *text. */
static GtkWidget *
words_button (const char *label, const char *words, GtkWidget **text)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();

  *text = gtk_label_new (words);
  gtk_label_set_wrap (GTK_LABEL (*text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (*text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (*text), 64);
  gtk_label_set_xalign (GTK_LABEL (*text), 0);
  gtk_label_set_selectable (GTK_LABEL (*text), TRUE);
  gtk_popover_set_child (GTK_POPOVER (popover), *text);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), label);
  return button;
}

static const char *
help_words (void)
{
  if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
    return _("In a Flatpak, OpenCL drivers come with the runtime’s graphics drivers. “flatpak update” in a "
              "terminal installs those that belong to your graphics card and its driver; then start Lockstep "
              "anew. What “flatpak list --runtime” calls GL are the ones you have.");
  return _("Lockstep finds devices through the OpenCL loader. For a graphics card install its vendor's "
            "OpenCL driver: on Debian nvidia-opencl-icd, intel-opencl-icd or mesa-opencl-icd; for the "
            "processor itself, pocl-opencl-icd. Then press Retry.");
}

static void
add_buttons (LsStage *stage, guint side)
{
  LsLaneButtons *buttons = &stage->buttons[side];
  GtkWidget *unused;

  buttons->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  buttons->retry = gtk_button_new ();
  gtk_button_set_use_underline (GTK_BUTTON (buttons->retry), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (buttons->retry), "win.retry");
  gtk_widget_add_css_class (buttons->retry, "suggested-action");
  buttons->help = words_button (_("How to add one"), help_words (), &unused);
  buttons->log = words_button (_("Log"), NULL, &buttons->words);
  gtk_box_append (GTK_BOX (buttons->box), buttons->retry);
  gtk_box_append (GTK_BOX (buttons->box), buttons->help);
  gtk_box_append (GTK_BOX (buttons->box), buttons->log);
  gtk_widget_set_valign (buttons->box, GTK_ALIGN_START);
  gtk_widget_set_visible (buttons->box, FALSE);
  ls_canvas_set_slot (LS_CANVAS (stage->canvas), LS_SLOT_MESSAGE, (gint) side, buttons->box);
}

static void
plot_cb (LsStage *stage, GParamSpec *spec, GtkDropDown *drop)
{
  ls_canvas_set_plot (LS_CANVAS (stage->canvas), (LsCurveKind) gtk_drop_down_get_selected (drop));
}

/* Which curve is shown where there is room for one. */
static GtkWidget *
plot_switch (LsStage *stage)
{
  const char *const words[] = { _("Loss"), _("Throughput"), _("losses differ by"), _("Test accuracy"),
                                NULL }; /* LsCurveKind */
  GtkWidget *drop = gtk_drop_down_new_from_strings (words);

  gtk_widget_set_valign (drop, GTK_ALIGN_START);
  ls_compat_name_drop (drop, _("Curve"));
  g_signal_connect_swapped (drop, "notify::selected", G_CALLBACK (plot_cb), stage);
  return drop;
}

static GtkWidget *
aside_button (void)
{
  GtkWidget *button = gtk_button_new_with_label (_("Look at It"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.look-at-aside");
  return button;
}

/* The switches of both kinds of lanes: one of them is shown. */
static void
add_controls (LsWindow *self, LsStage *stage, guint side)
{
  static const char *const names[KINDS][3] = { { "policy", "threads" }, { "kernel" } };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  for (guint kind = 0; kind < KINDS; kind++)
    {
      GtkWidget *controls = stage->controls[side][kind] = ls_lane_controls_new (names[kind]);

      gtk_widget_set_hexpand (controls, TRUE);
      gtk_widget_set_visible (controls, kind == side);
      ls_lane_controls_set_most (LS_LANE_CONTROLS (controls), g_get_num_processors ());
      gtk_box_append (GTK_BOX (box), controls);
      g_signal_connect_object (controls, "changed",
                               side == 0 ? G_CALLBACK (left_switched_cb) : G_CALLBACK (right_switched_cb),
                               self, G_CONNECT_SWAPPED);
    }
  ls_canvas_set_slot (LS_CANVAS (stage->canvas), LS_SLOT_CONTROLS, (gint) side, box);
}

static void
chosen_cb (LsWindow *self, guint side, const char *id)
{
  ls_session_stand (self->session, side, id);
  ls_window_update_lanes (self);
  ls_window_event (self, "stands %u %s", side, id);
}

void
ls_window_add_lanes (LsWindow *self, LsStage *stage)
{
  ls_canvas_set_slot (LS_CANVAS (stage->canvas), LS_SLOT_PLOTS, -1, plot_switch (stage));
  ls_window_add_switches (self, LS_CANVAS (stage->canvas));
  ls_canvas_set_slot (LS_CANVAS (stage->canvas), LS_SLOT_ASIDE, -1, aside_button ());
  ls_window_add_lab (stage);
  stage->fair = ls_window_fair_button ();
  ls_canvas_set_slot (LS_CANVAS (stage->canvas), LS_SLOT_FAIR, -1, stage->fair);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      add_controls (self, stage, side);
      stage->choices[side] = ls_lane_choice_new (side);
      g_signal_connect_object (stage->choices[side], "chosen", G_CALLBACK (chosen_cb), self,
                               G_CONNECT_SWAPPED);
      ls_canvas_set_slot (LS_CANVAS (stage->canvas), LS_SLOT_LANE, (gint) side, stage->choices[side]);
      add_buttons (stage, side);
    }
}

/* The lane's own snapshot if it can be retried, else NULL. */
static const LsLaneSnapshot *
stopped_lane (LsWindow *self, guint side)
{
  const LsViewData *data = ls_session_data (self->session);
  const LsSnapshot *snapshot = ls_session_snapshot (self->session);
  const gint i = data != NULL && data->live && snapshot != NULL ? ls_window_lane_on (self, side) : -1;
  const LsLaneSnapshot *lane = i >= 0 && (guint) i < snapshot->n_lanes ? &snapshot->lanes[i] : NULL;

  return lane != NULL && (lane->state == LS_LANE_FAILED || lane->state == LS_LANE_HUNG) ? lane : NULL;
}

static void
update_buttons (LsWindow *self, LsStage *stage, guint side)
{
  LsLaneButtons *buttons = &stage->buttons[side];
  const LsLaneSnapshot *lane = stopped_lane (self, side);
  g_autofree char *step = lane != NULL ? ls_number_count (lane->retry_step + 1) : NULL;
  g_autofree char *label = NULL;

  if (lane != NULL)
    {
      /* a lane that ran has a device; only one that never did may lack its driver */
      const gboolean ran = lane->steps > 0;
      label = lane->retry_step > 0 ? g_strdup_printf (_("_Retry from step %s"), step)
                                   : g_strdup (_("_Retry"));
      if (g_strcmp0 (label, gtk_button_get_label (GTK_BUTTON (buttons->retry))) != 0)
        gtk_button_set_label (GTK_BUTTON (buttons->retry), label);
      gtk_label_set_text (GTK_LABEL (buttons->words), lane->message != NULL ? lane->message : "");
      gtk_widget_set_visible (buttons->help, lane->spec->backend->kind == LS_BACKEND_OPENCL && !ran);
      gtk_widget_set_visible (buttons->log, ran);
    }
  if (gtk_widget_get_visible (buttons->box) == (lane != NULL))
    return;
  gtk_widget_set_visible (buttons->box, lane != NULL);
  gtk_widget_queue_allocate (stage->canvas);
}

static void
update_controls (LsWindow *self, LsStage *stage, guint side)
{
  const gboolean live = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;
  const LsViewData *data = ls_session_data (self->session);
  const gint lane = ls_window_lane_on (self, side);
  const LsLaneSpec *spec = lane >= 0 ? ls_session_specs (self->session)->pdata[lane] : NULL;
  const guint shown = spec == NULL                               ? side
                      : spec->backend->kind == LS_BACKEND_CPU    ? 0
                      : spec->backend->kind == LS_BACKEND_OPENCL ? 1
                                                                 : KINDS; /* nothing to switch */

  for (guint kind = 0; kind < KINDS; kind++)
    {
      GtkWidget *controls = stage->controls[side][kind];

      gtk_widget_set_visible (controls, kind == shown);
      gtk_widget_set_sensitive (controls, live);
      if (kind == shown)
        ls_lane_controls_set_options (LS_LANE_CONTROLS (controls),
                                      spec != NULL ? spec->options : ls_session_options (self->session));
    }
  ls_lane_choice_show (LS_LANE_CHOICE (stage->choices[side]), data);
}

void
ls_window_update_lanes (LsWindow *self)
{
  ls_window_update_switches (self);
  ls_window_update_fair (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    for (guint side = 0; self->stages[i].canvas != NULL && side < LS_SIDES; side++)
      {
        update_controls (self, &self->stages[i], side);
        update_buttons (self, &self->stages[i], side);
      }
  ls_window_update_lab (self);
}
