/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A button is named by the data set it stands for; which one is chosen comes from outside, and tells nobody.
 */
#include "config.h"
#include "ui/app/settings/settings_pictures.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/defaults.h"
#include "ui/app/compat.h"

#define NAME_KEY "ls-data"

static const struct {
  const char *data, *icon;
} pictured[] = {
  { "mnist", "lockstep-digits-symbolic" },
  { "spiral", "lockstep-spiral-symbolic" },
  { "xor", "lockstep-xor-symbolic" },
};

gboolean
ls_settings_is_pictured (const char *data)
{
  for (guint i = 0; i < G_N_ELEMENTS (pictured); i++)
    if (strcmp (pictured[i].data, data) == 0)
      return TRUE;
  return FALSE;
}

/* GTK's group keeps one of them down; pressing the chosen one again changes nothing. */
static void
toggled_cb (GtkToggleButton *button, LsSettingsRow *row)
{
  const char *data = g_object_get_data (G_OBJECT (button), NAME_KEY);

  if (gtk_toggle_button_get_active (button) && !row->showing)
    ls_settings_row_take (row, data);
}

static GtkWidget *
make_button (LsSettingsRow *row, const char *data, const char *icon)
{
  const LsDataDefaults *set = ls_data_defaults (data);
  GtkWidget *button = gtk_toggle_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *image = gtk_image_new_from_icon_name (icon);
  GtkWidget *word = gtk_label_new (_(set->word)), *about = ls_settings_label_new (_(set->about), TRUE);
  g_autofree char *id = g_strconcat (LS_SETTINGS_ID "data-", data, NULL);
  g_autofree char *name = g_strdup_printf ("%s, %s", _(set->word), _(set->about));

  gtk_image_set_pixel_size (GTK_IMAGE (image), 24);
  gtk_label_set_xalign (GTK_LABEL (word), 0);
  gtk_widget_add_css_class (word, "heading");
  gtk_label_set_max_width_chars (GTK_LABEL (about), -1);
  gtk_box_append (GTK_BOX (words), word);
  gtk_box_append (GTK_BOX (words), about);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), words);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "data-picture");
  gtk_widget_set_name (button, id);
  ls_compat_name (button, name);
  g_object_set_data (G_OBJECT (button), NAME_KEY, (gpointer) data);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), row);
  return button;
}

GtkWidget *
ls_settings_pictures_new (LsSettingsRow *row)
{
  GtkWidget *box = gtk_flow_box_new (), *first = NULL;

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (box), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (box), TRUE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (box), G_N_ELEMENTS (pictured));
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (box), 6);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (box), 6);
  for (guint i = 0; i < G_N_ELEMENTS (pictured); i++)
    {
      GtkWidget *button = make_button (row, pictured[i].data, pictured[i].icon), *cell;

      if (first == NULL)
        first = button;
      else
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (first));
      gtk_flow_box_append (GTK_FLOW_BOX (box), button);
      cell = gtk_widget_get_parent (button);
      gtk_widget_set_focusable (cell, FALSE);
    }
  return box;
}

void
ls_settings_pictures_show (GtkWidget *pictures, const char *data)
{
  for (guint i = 0; i < G_N_ELEMENTS (pictured); i++)
    {
      GtkFlowBoxChild *cell = gtk_flow_box_get_child_at_index (GTK_FLOW_BOX (pictures), (int) i);
      GtkWidget *button = gtk_flow_box_child_get_child (cell);

      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), strcmp (pictured[i].data, data) == 0);
    }
}
