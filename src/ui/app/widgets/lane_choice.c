/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "ui/app/widgets/lane_choice.h"

#include <glib/gi18n.h>

#include "ui/app/compat.h"

struct _LsLaneChoice {
  GtkWidget parent;
  guint side;
  GtkWidget *button;
  GSimpleAction *stand; /* its state is the id of the lane that stands there */
  char *shown;          /* the lanes' names, and the chosen one: only compared */
};

G_DEFINE_FINAL_TYPE (LsLaneChoice, ls_lane_choice, GTK_TYPE_WIDGET)

static guint chosen_signal;

static void
stand_cb (LsLaneChoice *self, GVariant *id)
{
  g_signal_emit (self, chosen_signal, 0, self->side, g_variant_get_string (id, NULL));
}

static void
finalize (GObject *object)
{
  LsLaneChoice *self = LS_LANE_CHOICE (object);

  g_free (self->shown);
  g_object_unref (self->stand);
  G_OBJECT_CLASS (ls_lane_choice_parent_class)->finalize (object);
}

static void
dispose (GObject *object)
{
  g_clear_pointer (&LS_LANE_CHOICE (object)->button, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_lane_choice_parent_class)->dispose (object);
}

static void
ls_lane_choice_class_init (LsLaneChoiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  chosen_signal = g_signal_new ("chosen", LS_TYPE_LANE_CHOICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ls_lane_choice_init (LsLaneChoice *self)
{
  GSimpleActionGroup *group = g_simple_action_group_new ();

  self->stand = g_simple_action_new_stateful ("stand", G_VARIANT_TYPE_STRING, g_variant_new_string (""));
  g_signal_connect_swapped (self->stand, "change-state", G_CALLBACK (stand_cb), self);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (self->stand));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "lane", G_ACTION_GROUP (group));
  g_object_unref (group);
  self->button = gtk_menu_button_new ();
  gtk_widget_add_css_class (GTK_WIDGET (self), "lane-choice");
  gtk_widget_add_css_class (self->button, "flat");
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->button), "pan-down-symbolic");
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}

GtkWidget *
ls_lane_choice_new (guint side)
{
  LsLaneChoice *self = g_object_new (LS_TYPE_LANE_CHOICE, NULL);

  self->side = side;
  gtk_widget_set_tooltip_text (self->button, _("Choose the Lane That Stands Here"));
  return GTK_WIDGET (self);
}

/* Each lane is an item; the action's state marks the one that stands there. */
static GMenu *
make_menu (const GArray *names)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < names->len; i++)
    {
      const LsViewName *name = &g_array_index (names, LsViewName, i);
      GMenuItem *item = g_menu_item_new (name->name, NULL);

      g_menu_item_set_action_and_target (item, "lane.stand", "s", name->id);
      g_menu_append_item (menu, item);
      g_object_unref (item);
    }
  return menu;
}

void
ls_lane_choice_show (LsLaneChoice *self, const LsViewData *data)
{
  const char *here = data != NULL ? data->sides[self->side].name : NULL;
  g_autoptr (GString) shown = g_string_new (here);
  g_autofree char *label = NULL;
  GMenu *menu;

  for (guint i = 0; data != NULL && data->names != NULL && i < data->names->len; i++)
    g_string_append_printf (shown, "\n%s", g_array_index (data->names, LsViewName, i).name);
  if (data == NULL || data->names == NULL || g_strcmp0 (shown->str, self->shown) == 0)
    return;
  g_free (self->shown);
  self->shown = g_strdup (shown->str);
  g_simple_action_set_state (
    self->stand, g_variant_new_string (data->sides[self->side].id != NULL ? data->sides[self->side].id : ""));
  menu = make_menu (data->names);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->button), G_MENU_MODEL (menu));
  ls_compat_name_items (GTK_MENU_BUTTON (self->button));
  g_object_unref (menu);
  label = g_strdup_printf (self->side == 0 ? _("Lane on the left: %s") : _("Lane on the right: %s"), here);
  ls_compat_name (self->button, label);
  ls_compat_name (gtk_widget_get_first_child (self->button), label);
}
