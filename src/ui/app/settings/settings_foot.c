/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beside each other, or above where words are long: the rows' own layout.
 */
#include "config.h"
#include "ui/app/settings/settings_foot.h"

#include <glib/gi18n.h>

#include "ui/app/settings/settings_layout.h"
#include "ui/app/settings/settings_page.h"
#include "ui/app/settings/settings_row.h"

void
ls_settings_foot_init (LsSettingsFoot *foot, GCallback run_cb, GCallback undo_cb, gpointer data)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "layout-manager", ls_settings_layout_new (), NULL);
  GtkWidget *whole = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  foot->run = ls_settings_button_new (_("_Run with these"), run_cb, data);
  gtk_widget_add_css_class (foot->run, "run-with-these");
  foot->undo = ls_settings_button_new (_("_Undo"), undo_cb, data);
  foot->sentence = ls_settings_label_new ("", TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (foot->sentence), -1);
  gtk_widget_set_margin_top (foot->sentence, 4);
  gtk_widget_set_parent (foot->run, box);
  gtk_widget_set_parent (foot->undo, box);
  gtk_widget_set_parent (foot->sentence, box);
  ls_settings_margins (box, 12, 12);
  foot->revealer = gtk_revealer_new ();
  gtk_revealer_set_transition_type (GTK_REVEALER (foot->revealer), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP);
  gtk_box_append (GTK_BOX (whole), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (whole), box);
  gtk_revealer_set_child (GTK_REVEALER (foot->revealer), whole);
}

void
ls_settings_foot_show (LsSettingsFoot *foot, guint n, gboolean fits, gboolean same_seed)
{
  ls_settings_button_set_words (foot->undo, n > 2    ? _("_Undo all")
                                            : n == 2 ? _("_Undo both")
                                                     : _("_Undo"));
  gtk_widget_set_sensitive (foot->run, fits);
  gtk_label_set_text (
    GTK_LABEL (foot->sentence),
    same_seed
      ? _("Shown is still the current run. The new one starts all lanes at step 0, with the same first "
           "weights.")
      : _("Shown is still the current run. The new one starts all lanes at step 0, from the new seed."));
  gtk_revealer_set_reveal_child (GTK_REVEALER (foot->revealer), n > 0);
}
