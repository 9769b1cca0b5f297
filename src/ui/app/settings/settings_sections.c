/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Four rows have controls of their own; all others get theirs by type. A heading is a row of the layout that
 * has a name alone.
 */
#include "config.h"
#include "ui/app/settings/settings_sections.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/app/settings/settings_layout.h"

static const LsSettingsKind *
kind_of (const LsOption *option)
{
  static const struct {
    const char *name;
    const LsSettingsKind *kind;
  } own[] = {
    { "model", &ls_settings_network },
    { "data", &ls_settings_data },
    { "device", &ls_settings_device },
    { "lanes", &ls_settings_lanes },
  };

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (strcmp (own[i].name, option->name) == 0)
      return own[i].kind;
  return option->choices != NULL         ? &ls_settings_choice
         : option->type == LS_OPTION_INT ? &ls_settings_whole
                                         : &ls_settings_decimal;
}

/* By place, from 1. */
static const LsOption *
option_at (guint place)
{
  guint n;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    if (table[i].place == place)
      return &table[i];
  return NULL;
}

/* The lanes' headings have their colour, as a bar and as ink: colour alone never says which. */
static void
add_heading (GtkWidget *list, LsOptionSection section)
{
  const char *lane = section == LS_OPTION_SECTION_CPU      ? "cpu"
                     : section == LS_OPTION_SECTION_OPENCL ? "opencl"
                                                           : NULL;
  const char *about, *title = ls_options_section_title (section, &about);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new (_(title));

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_margin_top (box, section > 0 ? 8 : 0);
  if (lane != NULL)
    {
      GtkWidget *mark = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

      gtk_widget_add_css_class (mark, "lane-mark");
      gtk_widget_add_css_class (box, lane);
      gtk_widget_add_css_class (box, "lane-heading");
      gtk_box_append (GTK_BOX (box), mark);
    }
  gtk_box_append (GTK_BOX (box), label);
  if (about != NULL)
    {
      GtkWidget *words = ls_settings_label_new (_(about), TRUE);

      gtk_label_set_max_width_chars (GTK_LABEL (words), -1);
      gtk_widget_set_hexpand (words, TRUE);
      gtk_box_append (GTK_BOX (box), words);
    }
  ls_settings_layout_add_wide (list, box);
}

GtkWidget *
ls_settings_sections_new (GPtrArray *rows, const LsSettingsListener *listener, gpointer data)
{
  GtkWidget *list = g_object_new (GTK_TYPE_BOX, "layout-manager", ls_settings_layout_new (), NULL);
  const LsOption *option;
  gint section = -1;

  for (guint place = 1; (option = option_at (place)) != NULL; place++)
    {
      if ((gint) option->section != section)
        add_heading (list, option->section);
      section = (gint) option->section;
      g_ptr_array_add (rows, ls_settings_row_new (list, option, kind_of (option), listener, data));
    }
  return list;
}

LsSettingsRow *
ls_settings_sections_row (GPtrArray *rows, const char *name)
{
  for (guint i = 0; i < rows->len; i++)
    {
      LsSettingsRow *row = g_ptr_array_index (rows, i);
      if (strcmp (row->option->name, name) == 0)
        return row;
    }
  return NULL;
}
