/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The setting that is a list of lanes, written as --lanes takes it. Every letter counts at once: what is
 * wrong is told while it is typed. A list that is wrong is wished all the same, and waits until it is mended
 * or undone: the pane runs nothing with it.
 */
#include "config.h"
#include "ui/app/settings/settings_page.h"
#include "ui/app/settings/settings_row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/app/compat.h"

/* What is compared, and the list for it. */
static const struct {
  const char *label, *lanes;
} comparisons[] = {
  { N_("CPU and OpenCL"), "cpu,opencl" },
  { N_("One thread against two"), "cpu(threads=1),cpu(threads=2)" },
  { N_("Two schedules"), "cpu(policy=static),cpu(policy=steal)" },
  { N_("With and without fusion"), "cpu(fusion=on),cpu(fusion=off)" },
  { N_("Two kernels"), "opencl(kernel=tiled),opencl(kernel=packed)" },
  { N_("Four lanes"), "cpu(threads=1),cpu(threads=2),opencl(kernel=tiled),opencl(kernel=packed)" },
};

static void
changed_cb (GtkEditable *field, LsSettingsRow *row)
{
  if (!row->showing)
    ls_settings_row_take (row, gtk_editable_get_text (field));
}

static void
compare_cb (GSimpleAction *action, GVariant *lanes, LsSettingsRow *row)
{
  const char *text = g_variant_get_string (lanes, NULL);

  ls_settings_row_show (row, text);
  ls_settings_row_take (row, text);
}

static GtkWidget *
menu_button (LsSettingsRow *row)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) compare = g_simple_action_new ("compare", G_VARIANT_TYPE_STRING);

  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_(comparisons[i].label), NULL);

      g_menu_item_set_action_and_target (item, "lanes.compare", "s", comparisons[i].lanes);
      g_menu_append_item (menu, item);
    }
  g_signal_connect (compare, "activate", G_CALLBACK (compare_cb), row);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (compare));
  gtk_widget_insert_action_group (button, "lanes", G_ACTION_GROUP (group));
  gtk_widget_set_name (button, LS_SETTINGS_ID "lanes-menu");
  gtk_widget_set_tooltip_text (button, _("Ready-Made Comparisons"));
  ls_settings_name_parts (button, _("Ready-Made Comparisons")); /* before there are items, which have names
                                                                  */
  ls_compat_name (button, _("Ready-Made Comparisons"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  ls_compat_name_items (GTK_MENU_BUTTON (button));
  return button;
}

/* The field is mostly narrower than the list: its tip has all of it. */
static GtkWidget *
build_lanes (LsSettingsRow *row)
{
  row->control = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (row->control), 8);
  gtk_widget_set_hexpand (row->control, TRUE);
  g_object_bind_property (row->control, "text", row->control, "tooltip-text", G_BINDING_DEFAULT);
  g_signal_connect (row->control, "changed", G_CALLBACK (changed_cb), row);
  row->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_hexpand (row->line, TRUE); /* the layout gives it the whole width */
  gtk_widget_add_css_class (row->line, "linked");
  gtk_box_append (GTK_BOX (row->line), row->control);
  gtk_box_append (GTK_BOX (row->line), menu_button (row));
  gtk_label_set_max_width_chars (GTK_LABEL (row->was), 28); /* the name has the whole line */
  return row->control;
}

static void
show_lanes (LsSettingsRow *row, const char *text)
{
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (row->control)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (row->control), text);
}

static char *
lanes_words (LsSettingsRow *row, const char *text)
{
  return g_strdup (text);
}

const LsSettingsKind ls_settings_lanes = { build_lanes, show_lanes, NULL, lanes_words };
