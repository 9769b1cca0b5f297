/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help from the window: F1 opens the topic of the view that is shown, and at the very first start a card above the stage says
 * in three sentences what there is to see. It takes no room from the pictures' truth: they are laid out in what is left.
 */
#include "config.h"
#include "ui/app/window_private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/app/help_mark.h"
#include "ui/app/help_window.h"

void
ls_window_help (LsWindow *self, const char *topic)
{
  if (self->help == NULL)
    {
      self->help = ls_help_window_new (GTK_WINDOW (self));
      g_object_add_weak_pointer (G_OBJECT (self->help), (gpointer *) &self->help);
    }
  ls_help_window_show (LS_HELP_WINDOW (self->help), *topic != '\0' ? topic : ls_canvas_view (LS_CANVAS (self->canvas))->name);
  ls_window_event (self, "help %s", *topic != '\0' ? topic : ls_canvas_view (LS_CANVAS (self->canvas))->name);
}

/* Seen once, it is never shown again: whether its button was pressed, or the window closed. */
static void
seen_cb (LsWindow *self)
{
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->card), FALSE);
  gtk_widget_grab_focus (self->canvas);
  ls_window_event (self, "card no");
}

static GtkWidget *
sentence (const LsHelpEntry *entry)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *label = gtk_label_new (gettext (entry->text));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), ls_help_mark_new (entry->mark));
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

GtkWidget *
ls_window_make_card (LsWindow *self)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18), *words = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 24);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *done = gtk_button_new (), *more = gtk_button_new ();

  gtk_box_set_homogeneous (GTK_BOX (words), TRUE);
  gtk_widget_set_hexpand (words, TRUE);
  for (const LsHelpEntry *entry = ls_help_card (); entry->term != NULL; entry++)
    gtk_box_append (GTK_BOX (words), sentence (entry));
  ls_window_name_button (done, _("_Got It"));
  ls_window_name_button (more, _("_Help"));
  gtk_widget_add_css_class (done, "suggested-action");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (more), "win.help");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (more), "s", "start");
  g_signal_connect_swapped (done, "clicked", G_CALLBACK (seen_cb), self);
  gtk_box_append (GTK_BOX (buttons), done);
  gtk_box_append (GTK_BOX (buttons), more);
  gtk_widget_set_valign (buttons, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (card), words);
  gtk_box_append (GTK_BOX (card), buttons);
  gtk_widget_add_css_class (card, "first-run");
  self->card = gtk_revealer_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->card), card);
  gtk_revealer_set_transition_duration (GTK_REVEALER (self->card), 180);
  return self->card;
}

/* The first start that there ever was: the settings say so, and are told that it was. Tests say no. */
void
ls_window_show_card (LsWindow *self)
{
  const char *wish = g_getenv ("LOCKSTEP_FIRST_RUN");

  if (self->store == NULL || !g_settings_get_boolean (self->store, "first-run") || g_strcmp0 (wish, "no") == 0)
    return;
  g_settings_set_boolean (self->store, "first-run", FALSE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->card), TRUE);
  ls_window_event (self, "card yes");
}
