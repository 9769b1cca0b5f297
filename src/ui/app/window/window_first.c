/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The very first start: one line above the stage says in three sentences what there is to see, and goes when
 * the first step that all lanes were recorded in has been played; below it large buttons ask what shall be
 * learnt, until one is pressed or they are put away. Neither lies over the picture, which is laid out in what
 * is left. The settings say that it was, and it never comes again.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "data/defaults.h"
#include "ui/app/compat.h"
#include "ui/app/widgets/help_mark.h"
#include "ui/help/help.h"

static const char *const sets[] = { "mnist", "spiral", "xor" };

static GtkRevealer *
sentences (LsWindow *self)
{
  return GTK_REVEALER (gtk_widget_get_first_child (self->card));
}

static GtkRevealer *
choices (LsWindow *self)
{
  return GTK_REVEALER (gtk_widget_get_last_child (self->card));
}

static void
put_away (LsWindow *self, GtkRevealer *revealer, const char *event)
{
  if (!gtk_revealer_get_reveal_child (revealer))
    return;
  gtk_revealer_set_reveal_child (revealer, FALSE);
  /* the keys go with what had them */
  if (gtk_widget_get_focus_child (GTK_WIDGET (revealer)) != NULL)
    gtk_widget_grab_focus (self->canvas);
  ls_window_event (self, "%s no", event);
}

static void
seen_cb (LsWindow *self)
{
  put_away (self, sentences (self), "card");
}

static void
no_choice_cb (LsWindow *self)
{
  put_away (self, choices (self), "choices");
}

static void
choose_cb (LsWindow *self, GtkWidget *button)
{
  const guint set = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "set"));
  g_autoptr (LsOptions) options = ls_options_copy (ls_session_options (self->session)),
                        follows = ls_options_new ();

  ls_options_set (options, ls_options_find ("data"), sets[set], NULL);
  /* a network and a rate that were given are those of the samples before */
  ls_options_set (follows, ls_options_find ("model"), "mlp", NULL);
  ls_options_set (follows, ls_options_find ("lr"), "1", NULL);
  options->given &= ~follows->given;
  ls_data_suggest (options, 0, 0);
  ls_settings_pane_set_running (LS_SETTINGS_PANE (self->settings), options);
  ls_window_run_again (self);
  no_choice_cb (self);
}

/* ---- the widgets ---- */

/* One that is put away asks for no width either. */
static void
revealed_cb (GtkRevealer *revealer)
{
  if (!gtk_revealer_get_child_revealed (revealer))
    gtk_widget_set_visible (GTK_WIDGET (revealer), FALSE);
}

static GtkWidget *
revealer_of (GtkWidget *child)
{
  GtkWidget *revealer = gtk_revealer_new ();

  gtk_revealer_set_child (GTK_REVEALER (revealer), child);
  gtk_revealer_set_transition_duration (GTK_REVEALER (revealer), 180);
  gtk_widget_set_visible (revealer, FALSE);
  g_signal_connect (revealer, "notify::child-revealed", G_CALLBACK (revealed_cb), NULL);
  return revealer;
}

static GtkWidget *
sentence (const LsHelpEntry *entry)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *mark = ls_help_mark_new (entry->mark),
            *label = gtk_label_new (gettext (entry->text));

  gtk_widget_set_valign (mark, GTK_ALIGN_CENTER);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 90);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  g_object_set_data (G_OBJECT (label), "entry", (gpointer) entry);
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static GtkWidget *
make_sentences (LsWindow *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 20), *done = gtk_button_new ();

  for (const LsHelpEntry *entry = ls_help_card (); entry->term != NULL; entry++)
    gtk_box_append (GTK_BOX (row), sentence (entry));
  ls_compat_name_button (done, _("_Got It"));
  gtk_widget_add_css_class (done, "flat");
  gtk_widget_set_halign (done, GTK_ALIGN_END);
  gtk_widget_set_valign (done, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (done, TRUE);
  g_signal_connect_swapped (done, "clicked", G_CALLBACK (seen_cb), self);
  gtk_box_append (GTK_BOX (row), done);
  gtk_widget_add_css_class (row, "first-run");
  return row;
}

static GtkWidget *
choice (LsWindow *self, guint set)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  const LsDataDefaults *defaults = ls_data_defaults (sets[set]);
  GtkWidget *title = gtk_label_new (gettext (defaults->word)),
            *about = gtk_label_new (gettext (defaults->about));
  g_autofree char *name = g_strdup_printf ("%s, %s", gettext (defaults->word), gettext (defaults->about));

  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (about, "dim-label");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), about);
  gtk_button_set_child (GTK_BUTTON (button), box);
  ls_compat_name (button, name);
  g_object_set_data (G_OBJECT (button), "set", GUINT_TO_POINTER (set));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (choose_cb), self);
  return button;
}

static GtkWidget *
make_choices (LsWindow *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *label = gtk_label_new (_("What shall the network learn?"));
  GtkWidget *away = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_box_append (GTK_BOX (row), label);
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    gtk_box_append (GTK_BOX (row), choice (self, i));
  gtk_widget_add_css_class (away, "flat");
  gtk_widget_set_halign (away, GTK_ALIGN_END);
  gtk_widget_set_hexpand (away, TRUE);
  gtk_widget_set_tooltip_text (away, _("Dismiss"));
  ls_compat_name (away, _("Dismiss"));
  g_signal_connect_swapped (away, "clicked", G_CALLBACK (no_choice_cb), self);
  gtk_box_append (GTK_BOX (row), away);
  gtk_widget_add_css_class (row, "first-choice");
  return row;
}

GtkWidget *
ls_window_make_card (LsWindow *self)
{
  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->card), revealer_of (make_sentences (self)));
  gtk_box_append (GTK_BOX (self->card), revealer_of (make_choices (self)));
  return self->card;
}

/* ---- when they come and go ---- */

/* The settings say whether it is the first start, and are told that it was. Tests say no. */
void
ls_window_show_card (LsWindow *self)
{
  const char *wish = g_getenv ("LOCKSTEP_FIRST_RUN");

  if (self->store == NULL || !g_settings_get_boolean (self->store, "first-run")
      || g_strcmp0 (wish, "no") == 0)
    return;
  g_settings_set_boolean (self->store, "first-run", FALSE);
  for (GtkWidget *row = gtk_widget_get_first_child (self->card); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      gtk_widget_set_visible (row, TRUE);
      gtk_revealer_set_reveal_child (GTK_REVEALER (row), TRUE);
    }
  ls_window_event (self, "card yes");
  ls_window_event (self, "choices yes");
}

/* In a narrow window each sentence is its term alone, with the sentence as its tip, and the choices stand
 * without their question. */
void
ls_window_fit_card (LsWindow *self, gboolean narrow)
{
  GtkWidget *row = gtk_revealer_get_child (sentences (self));

  gtk_widget_set_visible (gtk_widget_get_first_child (gtk_revealer_get_child (choices (self))), !narrow);
  for (GtkWidget *box = gtk_widget_get_first_child (row); box != NULL;
       box = gtk_widget_get_next_sibling (box))
    {
      GtkWidget *label = gtk_widget_get_last_child (box);
      const LsHelpEntry *entry = label != NULL ? g_object_get_data (G_OBJECT (label), "entry") : NULL;

      if (entry == NULL)
        continue;
      gtk_label_set_text (GTK_LABEL (label), gettext (narrow ? entry->term : entry->text));
      gtk_widget_set_tooltip_text (label, narrow ? gettext (entry->text) : NULL);
    }
}

/* A recorded step of all lanes that run has been shown to its end. */
static gboolean
has_played (LsWindow *self)
{
  const LsSnapshot *snapshot = ls_session_snapshot (self->session);
  const LsRecording *shown = ls_session_shown (self->session);
  guint lanes = 0;

  for (guint i = 0; snapshot != NULL && i < snapshot->n_lanes; i++)
    lanes += snapshot->lanes[i].state != LS_LANE_FAILED && snapshot->lanes[i].state != LS_LANE_HUNG;
  return lanes > 0 && shown != NULL && shown->n_lanes >= lanes
         && ls_playhead_at_end (ls_session_playhead (self->session));
}

void
ls_window_card_seen (LsWindow *self)
{
  if (gtk_revealer_get_reveal_child (sentences (self)) && has_played (self))
    seen_cb (self);
}
