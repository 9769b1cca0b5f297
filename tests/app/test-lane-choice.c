/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu beside a lane's name: which lanes there are, which of them stands there, and what choosing one
 * says.
 */
#include "rig.h"
#include "view_rig.h"

#include "ui/app/widgets/lane_choice.h"

static void
chosen_cb (LsLaneChoice *choice, guint side, const char *id, GString *told)
{
  g_string_append_printf (told, "%u %s;", side, id);
}

/* The menu's item with that label, or NULL. Its class is GTK's own. */
static GtkWidget *
item_of (GtkWidget *widget, const char *label)
{
  g_autofree char *text = NULL;

  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton"))
    g_object_get (widget, "text", &text, NULL);
  if (g_strcmp0 (text, label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = item_of (child, label);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
assert_marked (GtkMenuButton *button, const LsViewData *data, guint side)
{
  for (guint i = 0; i < data->names->len; i++)
    {
      const LsViewName *name = &g_array_index (data->names, LsViewName, i);
      GtkWidget *item = item_of (GTK_WIDGET (gtk_menu_button_get_popover (button)), name->name);
      gboolean marked;

      g_assert_nonnull (item);
      g_object_get (item, "active", &marked, NULL);
      if (marked != (name->id == data->sides[side].id))
        g_error ("“%s” stands on the %s, and “%s” is%s marked there", data->sides[side].name,
                 side == 0 ? "left" : "right", name->name, marked ? "" : "n't");
    }
}

/* All lanes are offered by their names, and the one that stands there is marked. */
static void
test_choice (void)
{
  g_autoptr (View) view = view_new ();

  hand_over (view, running ());
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewData *data = ls_session_data (view->session);
      GtkWidget *choice = g_object_ref_sink (ls_lane_choice_new (side));
      GtkMenuButton *button = GTK_MENU_BUTTON (rig_find_kind (choice, GTK_TYPE_MENU_BUTTON));
      g_autofree char *words = g_strdup_printf (side == 0 ? "Lane on the left: %s" : "Lane on the right: %s",
                                                data->sides[side].name);
      g_autoptr (GString) told = g_string_new (NULL), expected = g_string_new (NULL);

      g_signal_connect (choice, "chosen", G_CALLBACK (chosen_cb), told);
      ls_lane_choice_show (LS_LANE_CHOICE (choice), NULL);
      g_assert_null (gtk_menu_button_get_menu_model (button));
      ls_lane_choice_show (LS_LANE_CHOICE (choice), data);
      rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_LABEL, words);
      GMenuModel *menu = gtk_menu_button_get_menu_model (button);
      g_assert_cmpint (g_menu_model_get_n_items (menu), ==, (int) data->names->len);
      for (guint i = 0; i < data->names->len; i++)
        {
          const LsViewName *name = &g_array_index (data->names, LsViewName, i);
          g_autofree char *label = NULL, *target = NULL;

          g_menu_model_get_item_attribute (menu, (int) i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
          g_menu_model_get_item_attribute (menu, (int) i, G_MENU_ATTRIBUTE_TARGET, "s", &target);
          g_assert_cmpstr (label, ==, name->name);
          g_assert_cmpstr (target, ==, name->id);
          g_string_append_printf (expected, "%u %s;", side, name->id);
          gtk_widget_activate_action (GTK_WIDGET (button), "lane.stand", "s", name->id);
        }
      g_assert_cmpstr (told->str, ==, expected->str);
      assert_marked (button, data, side);
      /* another of the same lanes comes to stand there */
      LsViewData *moved = ls_session_data (view->session);
      const LsViewLane stood = moved->sides[side];
      moved->sides[side] = moved->sides[1 - side];
      ls_lane_choice_show (LS_LANE_CHOICE (choice), moved);
      g_autofree char *now = g_strdup_printf (side == 0 ? "Lane on the left: %s" : "Lane on the right: %s",
                                              moved->sides[side].name);
      g_assert_cmpstr (now, !=, words);
      rig_assert_says (button, GTK_ACCESSIBLE_PROPERTY_LABEL, now);
      assert_marked (button, moved, side);
      moved->sides[side] = stood;
      g_object_unref (choice);
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/lane-choice/choice", test_choice);
  return g_test_run ();
}
