/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words are those of a spec, in every language; only what they mean is translated.
 */
#include "config.h"
#include "ui/app/settings/layers_menu.h"

#include <glib/gi18n.h>

#include "ui/app/settings/settings_row.h"

#define KIND_KEY "ls-kind"

/* A popover is as wide as its words: they don't break. */
static void
add_words (GtkWidget *box, const char *words, gboolean quiet)
{
  GtkWidget *label = ls_settings_label_new (words, quiet);

  gtk_label_set_wrap (GTK_LABEL (label), FALSE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), -1);
  gtk_box_append (GTK_BOX (box), label);
}

GtkWidget *
ls_layers_menu_new (GCallback clicked_cb, gpointer data)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  guint n;
  const LsLayerClass *classes = ls_layer_classes (&n);

  for (guint kind = 0; kind < n; kind++)
    {
      const char *word = classes[kind].word, *about = _(classes[kind].about);
      GtkWidget *button = gtk_button_new (), *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      add_words (words, word, FALSE);
      add_words (words, about, TRUE);
      gtk_button_set_child (GTK_BUTTON (button), words);
      gtk_widget_add_css_class (button, "flat");
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, word,
                                      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, about, -1);
      g_object_set_data (G_OBJECT (button), KIND_KEY, GUINT_TO_POINTER (kind));
      g_signal_connect (button, "clicked", clicked_cb, data);
      gtk_box_append (GTK_BOX (box), button);
    }
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}

LsLayerKind
ls_layers_menu_kind (GtkButton *button)
{
  return (LsLayerKind) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), KIND_KEY));
}
