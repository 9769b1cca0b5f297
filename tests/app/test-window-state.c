/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window keeps from one start to the next, and which keys and menu entries there are for what.
 */
#include "config.h"
#include "window_rig.h"

#include <string.h>

#include "ui/paint/views.h"

/* A store as another start left it. */
static GSettings *
store_of (const char *view, int width, int height, guint64 dial, gboolean sidebar, gboolean two)
{
  LsWindow *self = window_of (0);
  GSettings *store = g_object_ref (self->store);

  window_gone (self);
  g_settings_set_string (store, "view", view);
  g_settings_set_int (store, "width", width);
  g_settings_set_int (store, "height", height);
  g_settings_set_uint64 (store, "dial", dial);
  g_settings_set_boolean (store, "sidebar", sidebar);
  g_settings_set_boolean (store, "two-views", two);
  return store;
}

static void
assert_start (const char *view, int width, int height, guint64 dial, gboolean sidebar, gboolean two)
{
  LsWindow *self = window_of (0);
  guint n;
  const LsView *const *views = ls_views (&n);
  GtkListBox *list = GTK_LIST_BOX (rig_find_kind (self->sidebar, GTK_TYPE_LIST_BOX));
  int w, h;

  gtk_window_get_default_size (GTK_WINDOW (self), &w, &h);
  g_assert_cmpint (w, ==, width);
  g_assert_cmpint (h, ==, height);
  g_assert_cmpstr (ls_canvas_view (LS_CANVAS (self->canvas))->name, ==, view);
  g_assert_cmpstr (views[gtk_list_box_row_get_index (gtk_list_box_get_selected_row (list))]->name, ==, view);
  g_assert_cmpint (ls_session_dial_chosen (self->session), ==, dial > 0);
  if (dial > 0)
    g_assert_cmpuint (ls_session_playhead (self->session)->dial_ns, ==, dial);
  g_assert_cmpint (self->sidebar_wanted, ==, sidebar);
  g_assert_cmpint (self->two_wanted, ==, two);
  window_gone (self);
}

/* Views, and what another version or a hand has written there. */
static void
test_load (void)
{
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint i = 1; i < n; i += 5)
    {
      g_object_unref (store_of (views[i]->name, 1000 + (int) i, 700, 5000, i % 2 == 0, i % 3 == 0));
      assert_start (views[i]->name, 1000 + (int) i, 700, 5000, i % 2 == 0, i % 3 == 0);
    }
  g_autoptr (GSettings) strange = store_of ("nosuch", 10, -5, 0, TRUE, TRUE);
  assert_start ("race", 480, 320, 0, TRUE, TRUE);
  g_settings_set_int (strange, "width", 100000);
  assert_start ("race", 16384, 320, 0, TRUE, TRUE);
}

/* What is changed is there at the next start. */
static void
test_save (void)
{
  g_autoptr (GSettings) store = store_of ("race", 1280, 800, 0, TRUE, TRUE);
  g_autoptr (GVariant) options = NULL;
  g_autofree char *second = NULL;
  LsWindow *self = window_of (1);
  const char *batch = NULL, *model = NULL;

  /* a dial that only suits the step isn't kept; a window that isn't maximized any more doesn't begin so */
  g_settings_set_boolean (store, "maximized", TRUE);
  ls_window_save_state (self);
  g_assert_false (g_settings_get_boolean (store, "maximized"));
  g_assert_cmpuint (g_settings_get_uint64 (store, "dial"), ==, 0);
  gtk_window_set_default_size (GTK_WINDOW (self), 1111, 777);
  ls_window_set_view (self, 5);
  ls_window_show_sidebar (self, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.two", NULL);
  ls_session_set_dial (self->session, 2000);
  ls_window_set_option (self, "threads", "3");
  g_assert_cmpint (ls_session_options (self->session)->threads, ==, 3);
  ls_window_save_state (self);
  assert_start ("curves", 1111, 777, 2000, FALSE, FALSE);
  options = g_settings_get_value (store, "options");
  g_assert_true (g_variant_lookup (options, "threads", "&s", &batch));
  g_assert_cmpstr (batch, ==, "3");
  g_assert_false (g_variant_lookup (options, "model", "&s", &model)); /* it wasn't given: it follows the data
                                                                       */
  /* two views: each has its own place, whichever was used last */
  g_settings_set_boolean (store, "two-views", TRUE);
  self->two_wanted = TRUE;
  window_set_width (self, 3200);
  self->canvas = self->stages[1].canvas;
  ls_window_set_view (self, 8);
  ls_window_save_state (self);
  second = g_settings_get_string (store, "second-view");
  g_assert_cmpstr (second, ==, "crossover");
  assert_start ("curves", 1111, 777, 2000, FALSE, TRUE);
  /* the projector's size is no window's */
  gtk_window_set_default_size (GTK_WINDOW (self), 1920, 1080);
  self->projector = TRUE;
  g_settings_set_boolean (store, "maximized", TRUE);
  ls_window_save_state (self);
  g_assert_true (g_settings_get_boolean (store, "maximized"));
  g_settings_reset (store, "maximized");
  assert_start ("curves", 1111, 777, 2000, FALSE, TRUE);
  g_settings_reset (store, "options");
  window_gone (self);
}

/* Settings that are kept stay so where nothing is trained: the window was opened for a recording. */
static void
test_save_untrained (void)
{
  g_autoptr (GSettings) store = store_of ("race", 1280, 800, 0, TRUE, TRUE);
  g_autoptr (GVariant) kept = NULL;
  const char *threads = NULL, *data = NULL;
  LsWindow *self;

  kept = g_variant_ref_sink (g_variant_new_parsed ("{'threads': '3', 'data': 'spiral', 'given': ''}"));
  g_settings_set_value (store, "options", kept);
  self = window_of (0);
  g_assert_cmpint (ls_session_mode (self->session), ==, LS_SESSION_NONE);
  ls_window_save_state (self);
  g_clear_pointer (&kept, g_variant_unref);
  kept = g_settings_get_value (store, "options");
  if (!g_variant_lookup (kept, "threads", "&s", &threads) || strcmp (threads, "3") != 0
      || !g_variant_lookup (kept, "data", "&s", &data) || strcmp (data, "spiral") != 0)
    g_error ("a window that trained nothing has thrown away the settings that were kept");
  g_settings_reset (store, "options");
  window_gone (self);
}

/* ---- the first start ---- */

static gboolean
is_shown (GtkWidget *revealer)
{
  return gtk_widget_get_visible (revealer) && gtk_revealer_get_reveal_child (GTK_REVEALER (revealer));
}

/* What is said at the first start, and asked, once; a choice of data trains with them. */
static void
test_first (void)
{
  g_autoptr (GSettings) store = store_of ("race", 1280, 800, 0, TRUE, TRUE);

  for (guint start = 0; start < 3; start++)
    {
      if (start == 0)
        g_settings_set_boolean (store, "first-run", TRUE);
      LsWindow *self = window_of (0);
      GtkWidget *sentences = gtk_widget_get_first_child (self->card),
                *choices = gtk_widget_get_last_child (self->card);

      g_assert_cmpint (is_shown (sentences), ==, start == 0);
      g_assert_cmpint (is_shown (choices), ==, start == 0);
      g_assert_false (g_settings_get_boolean (store, "first-run"));
      if (start == 0)
        {
          /* the sentences go when a step of all lanes was played to its end, not before */
          window_live (self);
          self->session->playhead.playing = TRUE;
          window_record (self, 100);
          ls_session_seek (self->session, ls_playhead_span (ls_session_playhead (self->session)) - 1);
          g_assert_true (is_shown (sentences));
          ls_session_seek (self->session, ls_playhead_span (ls_session_playhead (self->session)));
          g_assert_false (is_shown (sentences));
          g_assert_true (is_shown (choices));
          rig_click (choices, "Dismiss");
          g_assert_false (is_shown (choices));
        }
      window_gone (self);
    }
}

/* A term in a narrow window, with the sentence as its tip; else the sentence, also where it was narrow. */
static void
test_first_narrow (void)
{
  LsWindow *self = window_of (1);
  GtkWidget *row = gtk_revealer_get_child (GTK_REVEALER (gtk_widget_get_first_child (self->card))),
            *question = gtk_widget_get_first_child (
              gtk_revealer_get_child (GTK_REVEALER (gtk_widget_get_last_child (self->card))));
  guint n = 0;

  for (guint turn = 0; turn < 3; turn++)
    {
      const gboolean narrow = turn == 1;
      const LsHelpEntry *entry = ls_help_card ();

      window_set_width (self, narrow ? 900 : 1300);
      g_assert_cmpint (gtk_widget_get_visible (question), ==, !narrow);
      for (GtkWidget *box = gtk_widget_get_first_child (row); GTK_IS_BOX (box);
           box = gtk_widget_get_next_sibling (box), entry++, n++)
        {
          GtkWidget *label = gtk_widget_get_last_child (box);
          g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, narrow ? entry->term : entry->text);
          const char *tip = gtk_widget_get_tooltip_text (label);
          if (g_strcmp0 (tip, narrow ? entry->text : NULL) != 0)
            g_error ("“%s”%s has the tip “%s”", gtk_label_get_text (GTK_LABEL (label)),
                     turn > 1 ? ", wide again," : "", tip != NULL ? tip : "");
        }
      g_assert_null (entry->term);
    }
  g_assert_cmpuint (n, ==, 9);
  window_gone (self);
}

/* ---- keys and menus of the application ---- */

/* An action in the one of its two spellings. (transfer full) */
static char *
plain (const char *detailed)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed, &name, &target, NULL));
  return g_action_print_detailed_name (name, target);
}

static void
test_accelerators (void)
{
  static const struct {
    const char *keys, *action;
  } rows[] = {
    { "<Control>q", "app.quit" },
    { "<Control>w", "window.close" },
    { "<Control>Right", "win.next-op" },
    { "<Control>Left", "win.previous-op" },
    { "<Control><Shift>Right", "win.next-short-op" },
    { "<Control><Shift>Left", "win.previous-short-op" },
    { "F9", "win.sidebar" },
    { "<Control>comma", "win.settings" },
    { "F11", "win.fullscreen" },
    { "<Control>e", "win.export::png" },
    { "<Control>s", "win.export::recording" },
    { "<Control><Shift>c", "win.copy" },
    { "<Control>o", "win.open" },
    { "<Control>n", "win.run-again" },
    { "<Control>k", "win.edit-kernels" },
    { "<Control>l", "win.lab" },
    { "<Control>m", "win.measure" },
    { "F1", "win.help::" },
    { "<Control>question", "win.show-help-overlay" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (GStrv) actions = gtk_application_get_actions_for_accel (window_rig_application (),
                                                                      rows[i].keys);
      g_autofree char *should = plain (rows[i].action),
                      *is = g_strv_length (actions) == 1 ? plain (actions[0]) : NULL;

      if (g_strcmp0 (is, should) != 0)
        g_error ("“%s” is for “%s”, not “%s”", rows[i].keys, actions[0] != NULL ? actions[0] : "nothing",
                 rows[i].action);
    }
  g_assert_true (g_action_map_lookup_action (G_ACTION_MAP (window_rig_application ()), "about") != NULL);
  g_assert_true (g_action_map_lookup_action (G_ACTION_MAP (window_rig_application ()), "quit") != NULL);
}

/* Every entry of the menus does something that there is, with what it takes. */
static void
walk_menu (GMenuModel *menu, GtkWidgetClass *class, guint *n)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *action = NULL;
      g_autoptr (GVariant) target = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET,
                                                                           NULL);
      static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };

      for (guint l = 0; l < 2; l++)
        {
          g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, links[l]);
          if (below != NULL)
            walk_menu (below, class, n);
        }
      if (!g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action)
          || strcmp (action, "win.show-help-overlay") == 0)
        continue;
      ++*n;
      if (g_str_has_prefix (action, "app."))
        {
          g_assert_nonnull (
            g_action_map_lookup_action (G_ACTION_MAP (window_rig_application ()), action + 4));
          continue;
        }
      const GVariantType *type = NULL;
      GType owner;
      const char *name = "", *property;
      gboolean found = FALSE;
      for (guint at = 0; !found && gtk_widget_class_query_action (class, at, &owner, &name, &type, &property);
           at++)
        found = strcmp (name, action) == 0;
      if (!found)
        g_error ("the menu's action “%s” isn't there", action);
      if ((type != NULL) != (target != NULL) || (type != NULL && !g_variant_is_of_type (target, type)))
        g_error ("the menu's action “%s” takes something else", action);
    }
}

static void
test_menus (void)
{
  LsWindow *self = window_of (0);
  guint n = 0;

  walk_menu (G_MENU_MODEL (gtk_application_get_menu_by_id (window_rig_application (), "primary")),
             GTK_WIDGET_GET_CLASS (self), &n);
  walk_menu (G_MENU_MODEL (gtk_application_get_menu_by_id (window_rig_application (), "kernels")),
             GTK_WIDGET_GET_CLASS (self), &n);
  g_assert_cmpuint (n, >=, 30);
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/state/load", test_load);
  g_test_add_func ("/window/state/save", test_save);
  g_test_add_func ("/window/state/save-untrained", test_save_untrained);
  g_test_add_func ("/window/state/first", test_first);
  g_test_add_func ("/window/state/first-narrow", test_first_narrow);
  g_test_add_func ("/window/state/accelerators", test_accelerators);
  g_test_add_func ("/window/state/menus", test_menus);
  return g_test_run ();
}
