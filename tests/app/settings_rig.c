/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Controls are found by their widget names, notes by their place after the control.
 */
#include "settings_rig.h"

#include <string.h>

#include "ui/app/settings/settings_layout.h"

static void
count_cb (LsSettingsPane *pane, guint *count)
{
  ++*count;
}

static void
told_cb (LsSettingsPane *pane, gboolean *told)
{
  *told = TRUE;
}

void
rig_set_up (Rig *rig, gconstpointer data)
{
  memset (rig, 0, sizeof *rig);
  rig->pane = LS_SETTINGS_PANE (ls_settings_pane_new ());
  g_signal_connect (rig->pane, "changed-live", G_CALLBACK (count_cb), &rig->live);
  g_signal_connect (rig->pane, "restart", G_CALLBACK (count_cb), &rig->restart);
  g_signal_connect (rig->pane, "pending", G_CALLBACK (count_cb), &rig->pending);
  g_signal_connect (rig->pane, "choose-folder", G_CALLBACK (count_cb), &rig->folder);
  g_signal_connect (rig->pane, "choose-file", G_CALLBACK (count_cb), &rig->file);
  g_signal_connect (rig->pane, "changed-live", G_CALLBACK (told_cb), &rig->told);
  g_signal_connect (rig->pane, "pending", G_CALLBACK (told_cb), &rig->told);
  rig->window = rig_show (GTK_WIDGET (rig->pane), LS_SETTINGS_PANE_WIDTH, 900);
}

void
rig_tear_down (Rig *rig, gconstpointer data)
{
  if (rig->window != NULL)
    rig_close (rig->window);
}

GtkWidget *
rig_control (Rig *rig, const char *name)
{
  g_autofree char *id = g_strconcat (LS_SETTINGS_ID, name, NULL);

  return rig_find (GTK_WIDGET (rig->pane), id);
}

char *
rig_option (Rig *rig, const char *name)
{
  return ls_options_get (ls_settings_pane_options (rig->pane), ls_options_find (name));
}

void
rig_type (Rig *rig, const char *name, const char *text)
{
  GtkEditable *field = GTK_EDITABLE (rig_control (rig, name));

  gtk_editable_set_text (field, text);
  g_signal_emit_by_name (gtk_editable_get_delegate (field), "activate");
  rig_settle ();
}

void
rig_press (Rig *rig, const char *name, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (rig_control (rig, name));
  gboolean handled = FALSE;

  for (guint i = 0; !handled && i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_KEY (one))
        g_signal_emit_by_name (one, "key-pressed", key, 0, 0, &handled);
    }
  g_assert_true (handled);
}

void
rig_picture (Rig *rig, const char *data)
{
  g_autofree char *name = g_strconcat ("data-", data, NULL);

  g_signal_emit_by_name (rig_control (rig, name), "clicked");
  rig_settle ();
}

void
rig_choose (Rig *rig, const char *name, guint item)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (rig_control (rig, name)), item);
  rig_settle ();
}

/* The control, or the line that holds it: what the layout places. */
static GtkWidget *
placed (Rig *rig, const char *name)
{
  GtkWidget *widget = rig_control (rig, name);

  while (!LS_IS_SETTINGS_LAYOUT (gtk_widget_get_layout_manager (gtk_widget_get_parent (widget))))
    widget = gtk_widget_get_parent (widget);
  return widget;
}

const char *
rig_note (Rig *rig, const char *name)
{
  GtkWidget *widget = gtk_widget_get_next_sibling (placed (rig, name));

  return gtk_widget_has_css_class (widget, "error") ? gtk_label_get_text (GTK_LABEL (widget)) : "";
}

const char *
rig_was (Rig *rig, const char *name)
{
  GtkWidget *label = gtk_widget_get_last_child (gtk_widget_get_prev_sibling (placed (rig, name)));

  return gtk_widget_get_visible (label) ? gtk_label_get_text (GTK_LABEL (label)) : "";
}
