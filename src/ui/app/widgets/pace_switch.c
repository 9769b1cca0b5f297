/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switch's words are the option's own, from its row of the table; what each does comes from the session,
 * which knows the data set's plan and what was measured.
 */
#include "config.h"
#include "ui/app/widgets/pace_switch.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"

#define N_PACES 3 /* LsPace */

struct _LsPaceSwitch {
  GtkWidget parent;
  LsSession *session;
  GtkWidget *box, *name, *words, *drop;
  GtkWidget *buttons[N_PACES], *titles[N_PACES], *notes[N_PACES];
  gboolean setting; /* the program changes what is shown */
};

G_DEFINE_FINAL_TYPE (LsPaceSwitch, ls_pace_switch, GTK_TYPE_WIDGET)

static guint chosen_signal;

static const char *
word_of (guint pace)
{
  return gettext (ls_options_find ("pace")->choice_words[pace]);
}

static void
choose (LsPaceSwitch *self, guint pace)
{
  if (self->setting || pace >= N_PACES)
    return;
  ls_session_set_pace (self->session, (LsPace) pace);
  g_signal_emit (self, chosen_signal, 0);
}

static void
toggled_cb (LsPaceSwitch *self, GtkToggleButton *button)
{
  for (guint i = 0; i < N_PACES; i++)
    if (self->buttons[i] == GTK_WIDGET (button) && gtk_toggle_button_get_active (button))
      choose (self, i);
}

static void
selected_cb (LsPaceSwitch *self)
{
  choose (self, gtk_drop_down_get_selected (GTK_DROP_DOWN (self->drop)));
}

/* What has the focus is the button in the drop-down; newer GTK names both by what is chosen alone. */
static void
name_drop (LsPaceSwitch *self, LsPace pace, const char *note)
{
  g_autofree char *name = g_strdup_printf (_("Training: %s, %s"), word_of (pace), note);
  GtkWidget *const named[] = { self->drop, gtk_widget_get_first_child (self->drop) };

  for (gsize i = 0; i < G_N_ELEMENTS (named); i++)
    ls_compat_name (named[i], name);
  gtk_widget_set_tooltip_text (self->drop, name);
}

/* As wide as it ever was: what a digit less says moves nothing beside it. */
static void
show_note (GtkWidget *label, const char *note)
{
  int width;

  gtk_label_set_text (GTK_LABEL (label), note);
  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_set_size_request (label, width, -1);
}

static void
show_cb (LsPaceSwitch *self)
{
  const LsPace pace = ls_session_pace (self->session);
  const gboolean trains = ls_session_mode (self->session) != LS_SESSION_PLAYBACK;

  self->setting = TRUE;
  for (guint i = 0; i < N_PACES; i++)
    {
      g_autofree char *note = ls_session_pace_words (self->session, (LsPace) i);
      g_autofree char *name = g_strdup_printf (_("%s: %s"), word_of (i), note);

      show_note (self->notes[i], note);
      if (i == pace)
        name_drop (self, pace, note);
      ls_compat_name (self->buttons[i], name);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[i]), i == pace);
    }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop), pace);
  gtk_widget_set_sensitive (GTK_WIDGET (self), trains);
  self->setting = FALSE;
}

void
ls_pace_switch_set_form (LsPaceSwitch *self, LsPaceSwitchForm form)
{
  for (guint i = 0; i < N_PACES; i++) /* other letters, another width */
    gtk_widget_set_size_request (self->notes[i], -1, -1);
  gtk_widget_set_visible (self->name, form == LS_PACE_SWITCH_NAMED);
  gtk_widget_set_visible (self->words, form != LS_PACE_SWITCH_DROP);
  gtk_widget_set_visible (self->drop, form == LS_PACE_SWITCH_DROP);
}

static void
dispose (GObject *object)
{
  LsPaceSwitch *self = LS_PACE_SWITCH (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_pace_switch_parent_class)->dispose (object);
}

static void
ls_pace_switch_class_init (LsPaceSwitchClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  chosen_signal = g_signal_new ("chosen", LS_TYPE_PACE_SWITCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);
}

static void
add_word (LsPaceSwitch *self, guint pace)
{
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *button = gtk_toggle_button_new ();

  self->titles[pace] = gtk_label_new (word_of (pace));
  self->notes[pace] = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->titles[pace], "pace-word");
  gtk_widget_add_css_class (self->notes[pace], "pace-note");
  gtk_widget_add_css_class (self->notes[pace], "numeric");
  gtk_box_append (GTK_BOX (lines), self->titles[pace]);
  gtk_box_append (GTK_BOX (lines), self->notes[pace]);
  gtk_button_set_child (GTK_BUTTON (button), lines);
  /* Space goes on playing and pausing after a click */
  gtk_widget_set_focus_on_click (button, FALSE);
  if (pace > 0)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (self->buttons[0]));
  self->buttons[pace] = button;
  gtk_box_append (GTK_BOX (self->words), button);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (toggled_cb), self);
}

static void
ls_pace_switch_init (LsPaceSwitch *self)
{
  const char *words[N_PACES + 1] = { NULL };

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_valign (self->box, GTK_ALIGN_CENTER);
  self->name = gtk_label_new (_("training"));
  gtk_widget_add_css_class (self->name, "dim-label");
  gtk_box_append (GTK_BOX (self->box), self->name);
  self->words = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->words, "pace-switch");
  gtk_widget_set_tooltip_text (
    self->words, _("When steps are done; F held: full speed. How fast that is, the lanes’ medians say"));
  for (guint i = 0; i < N_PACES; i++)
    add_word (self, i);
  gtk_box_append (GTK_BOX (self->box), self->words);
  for (guint i = 0; i < N_PACES; i++)
    words[i] = word_of (i);
  self->drop = gtk_drop_down_new_from_strings (words);
  gtk_widget_set_valign (self->drop, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->box), self->drop);
  g_signal_connect_swapped (self->drop, "notify::selected", G_CALLBACK (selected_cb), self);
  ls_pace_switch_set_form (self, LS_PACE_SWITCH_DROP);
}

GtkWidget *
ls_pace_switch_new (LsSession *session)
{
  LsPaceSwitch *self = g_object_new (LS_TYPE_PACE_SWITCH, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "state", G_CALLBACK (show_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "data", G_CALLBACK (show_cb), self, G_CONNECT_SWAPPED);
  show_cb (self);
  return GTK_WIDGET (self);
}
