/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings pane: every row of the option table that has a place is a widget, and using the widget makes
 * the option's text; what is live is told at once and once; what needs a new run waits, says what it was, and
 * can be undone.
 */
#include <string.h>

#include "settings_rig.h"
#include "data/dataset.h"
#include "data/defaults.h"

static void
test_rows (Rig *rig, gconstpointer data)
{
  guint n, placed = 0;
  const LsOption *table = ls_options_table (&n);
  g_autofree gboolean *taken = g_new0 (gboolean, n + 1);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *widget = rig_control (rig, table[i].name);

      if (table[i].place == 0)
        {
          g_assert_null (widget);
          continue;
        }
      placed++;
      g_assert_nonnull (widget);
      g_assert_cmpuint (table[i].place, <=, n);
      g_assert_false (taken[table[i].place]);
      taken[table[i].place] = TRUE;
      g_assert_true (gtk_widget_get_mapped (widget));
    }
  for (guint place = 1; place <= placed; place++)
    g_assert_true (taken[place]); /* no gap: the pane stops at one */
}

/* Each choice of a drop-down by its position; numbers by their text. */
static void
use_every_value (Rig *rig, const LsOption *option)
{
  if (option->choices != NULL)
    for (guint i = 0; option->choices[i] != NULL; i++)
      {
        rig_choose (rig, option->name, i);
        assert_option (rig, option->name, option->choices[i]);
      }
  else if (option->type == LS_OPTION_INT)
    {
      rig_type (rig, option->name, "3");
      assert_option (rig, option->name, "3");
      gtk_spin_button_spin (GTK_SPIN_BUTTON (rig_control (rig, option->name)), GTK_SPIN_STEP_FORWARD, 0);
      rig_wait_ms (500);
      g_autofree char *text = g_strdup_printf ("%d", (int) (3 + option->step));
      assert_option (rig, option->name, text);
    }
  else if (option->type == LS_OPTION_DOUBLE)
    {
      rig_type (rig, option->name, " 0.125 ");
      assert_option (rig, option->name, "0.125");
    }
}

static void
test_each_by_widget (Rig *rig, gconstpointer data)
{
  guint n;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      const guint live = rig->live;

      if (table[i].place == 0)
        continue;
      use_every_value (rig, &table[i]);
      if (table[i].effect == LS_OPTION_RESTART || table[i].choices == NULL)
        g_assert_cmpuint (rig->live > live, ==,
                          table[i].effect == LS_OPTION_LIVE && table[i].type != LS_OPTION_STRING);
    }
}

static void
test_names_and_data (Rig *rig, gconstpointer data)
{
  static const char *const devices[] = { "First", "<b>Second</b> & %s", NULL };
  const char *const *names = ls_data_names ();
  guint n = 0;

  ls_settings_pane_set_devices (rig->pane, devices);
  rig_choose (rig, "device", 2);
  assert_option (rig, "device", devices[1]);
  rig_choose (rig, "device", 0);
  assert_option (rig, "device", "");

  /* Three as pictures, the others in the list, which has no other and asks at its end. */
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *id = g_strconcat ("data-", names[i], NULL);
      GtkWidget *picture = rig_control (rig, id);

      if (picture == NULL)
        rig_choose (rig, "data", n++);
      else
        rig_picture (rig, names[i]);
      assert_option (rig, "data", names[i]);
      g_assert_true (picture == NULL || gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (picture)));
      g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (rig_control (rig, "data"))), ==,
                        picture == NULL ? n - 1 : 3);
    }
  g_assert_cmpuint (n, ==, 3);
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (rig_control (rig, "data-mnist"))));
  rig_choose (rig, "data", n); /* “Folder…” changes nothing by itself */
  g_assert_cmpuint (rig->folder, ==, 1);
  g_assert_cmpuint (rig->file, ==, 0);
  rig_choose (rig, "data", n + 1); /* nor does “File…” */
  g_assert_cmpuint (rig->file, ==, 1);
  assert_option (rig, "data", names[5]);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (rig_control (rig, "data"))), ==, n - 1);

  ls_settings_pane_set_data (rig->pane, "/some/where/my digits");
  assert_option (rig, "data", "/some/where/my digits");
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (rig_control (rig, "data"))), ==, n);
  g_assert_cmpstr (rig_note (rig, "data"), ==, "");
  ls_settings_pane_set_data (rig->pane, "/some/\xff\xfe");
  assert_option (rig, "data", "/some/where/my digits");
  g_assert_cmpstr (rig_note (rig, "data"), !=, "");

  rig_choose (rig, "model", 1);
  assert_option (rig, "model", "cnn");
}

/* A device that isn't among the names: the one that was asked for on the command line. */
static void
test_other_values (Rig *rig, gconstpointer data)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  ls_options_set (options, ls_options_find ("device"), "h200", NULL);
  ls_options_set (options, ls_options_find ("model"), "flatten, dense 10", NULL);
  ls_options_set (options, ls_options_find ("data"), "/data/mine", NULL);
  ls_settings_pane_set_running (rig->pane, options);
  assert_option (rig, "device", "h200");
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (rig_control (rig, "device"))), ==, 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (rig_control (rig, "model"))), ==, 3);
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpuint (rig->live + rig->pending, ==, 0);
  rig_choose (rig, "device", 0);
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpstr (rig_was (rig, "device"), ==, "was h200");
}

/* Up and Down go through 1, 2 and 5 of each power of ten. */
static void
test_up_and_down (Rig *rig, gconstpointer data)
{
  static const char *const down[] = { "0.02", "0.01", "0.005", "0.002", "0.001", "0.0005" };
  GtkWidget *rate = rig_control (rig, "lr");

  rig_type (rig, "lr", "0.03");
  for (guint i = 0; i < G_N_ELEMENTS (down); i++)
    {
      rig_press (rig, "lr", GDK_KEY_Down);
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rate)), ==, down[i]);
    }
  for (guint i = G_N_ELEMENTS (down) - 1; i-- > 0;)
    {
      rig_press (rig, "lr", GDK_KEY_Up);
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rate)), ==, down[i]);
    }
}

/* Typing is one change, whatever it passes through. */
static void
test_typing_is_one_change (Rig *rig, gconstpointer data)
{
  static const char *const typed[] = { "", "0", "0.", "0.2", "0.25" };

  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      gtk_editable_set_text (GTK_EDITABLE (rig_control (rig, "lr")), typed[i]);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_cmpuint (rig->live, ==, 0);
  rig_wait_for (&rig->told);
  g_assert_cmpuint (rig->live, ==, 1);
  assert_option (rig, "lr", "0.25");

  /* Enter doesn't wait, nor tells it twice. */
  rig_type (rig, "lr", "0.5");
  g_assert_cmpuint (rig->live, ==, 2);
  rig_wait_ms (600);
  g_assert_cmpuint (rig->live, ==, 2);

  /* What is half typed stays as it is. */
  gtk_editable_set_text (GTK_EDITABLE (rig_control (rig, "lr")), "0.0");
  rig_wait_ms (600);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "lr"))), ==, "0.0");
  assert_option (rig, "lr", "0");
}

static void
test_pending (Rig *rig, gconstpointer data)
{
  rig_type (rig, "batch", "256");
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpuint (rig->pending, ==, 1);
  g_assert_cmpuint (rig->live, ==, 0);
  g_assert_cmpstr (rig_was (rig, "batch"), ==, "was 128");
  rig_choose (rig, "optimizer", 1);
  g_assert_cmpuint (rig->pending, ==, 1);
  g_assert_cmpstr (rig_was (rig, "optimizer"), ==, "was SGD");

  /* Back by hand is as good as undone. */
  rig_type (rig, "batch", "128");
  g_assert_cmpstr (rig_was (rig, "batch"), ==, "");
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  rig_choose (rig, "optimizer", 0);
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpuint (rig->pending, ==, 2);
  g_assert_cmpuint (rig->restart, ==, 0);
}

static void
test_undo_and_run (Rig *rig, gconstpointer data)
{
  g_autoptr (LsOptions) wished = NULL;

  rig_type (rig, "lr", "0.25");
  rig_type (rig, "batch", "64");
  rig_type (rig, "seed", "7");
  rig_click (GTK_WIDGET (rig->pane), "Undo both");
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  assert_option (rig, "batch", "128");
  assert_option (rig, "seed", "1");
  assert_option (rig, "lr", "0.25"); /* that is done, not pending */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "batch"))), ==, "128");

  /* Typed, not yet taken: “Run with these” means it too. */
  rig_type (rig, "batch", "64");
  gtk_editable_set_text (GTK_EDITABLE (rig_control (rig, "batch")), "32");
  rig_click (GTK_WIDGET (rig->pane), "Run with these");
  g_assert_cmpuint (rig->restart, ==, 1);
  assert_option (rig, "batch", "32");

  wished = ls_options_copy (ls_settings_pane_options (rig->pane));
  ls_settings_pane_set_running (rig->pane, wished);
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpstr (rig_was (rig, "batch"), ==, "");
  ls_settings_pane_set_running (rig->pane, ls_settings_pane_options (rig->pane)); /* its own */
  assert_option (rig, "batch", "32");
}

/* Network and data must go together: the last layer follows the classes, what can't be isn't run. */
static void
test_goes_together (Rig *rig, gconstpointer data)
{
  GtkWidget *run = rig_find_button (GTK_WIDGET (rig->pane), "Run with these");

  ls_settings_pane_set_data (rig->pane, "spiral");
  assert_option (rig, "model", ls_data_defaults ("spiral")->model);
  assert_option (rig, "lr", "0.1");
  g_assert_cmpstr (rig_was (rig, "model"), ==, "was 256 · 128");
  g_assert_cmpstr (rig_was (rig, "data"), ==, "was digits");
  g_assert_cmpstr (rig_was (rig, "lr"), ==, "was 0.05");
  g_assert_cmpfloat (ls_settings_pane_running (rig->pane)->lr, ==, .05); /* till it runs */
  rig_choose (rig, "policy", 0);                                         /* live, and alone */
  g_assert_cmpfloat (ls_settings_pane_running (rig->pane)->lr, ==, .05);
  g_assert_cmpint (ls_settings_pane_running (rig->pane)->policy, ==, LS_POLICY_STATIC);
  g_assert_true (gtk_widget_get_sensitive (run));
  g_assert_nonnull (rig_find_button (GTK_WIDGET (rig->pane), "Undo all"));
  ls_settings_pane_set_data (rig->pane, "mnist");
  assert_option (rig, "model", "mlp");
  g_assert_false (ls_settings_pane_is_pending (rig->pane));

  /* A network that was chosen stays, but for its last layer. */
  rig_choose (rig, "model", 1);
  rig_choose (rig, "model", 0);
  ls_settings_pane_set_data (rig->pane, "spiral");
  assert_option (rig, "model", "flatten, dense 256, relu, dense 128, relu, dense 3");
  rig_click (GTK_WIDGET (rig->pane), "Undo all");

  ls_settings_pane_set_data (rig->pane, "moons");
  rig_choose (rig, "model", 1); /* cnn: pools what is one point wide */
  g_assert_nonnull (strstr (rig_note (rig, "model"), "layer 3"));
  g_assert_false (gtk_widget_get_sensitive (run));
  rig_click (GTK_WIDGET (rig->pane), "Undo all");
  g_assert_cmpstr (rig_note (rig, "model"), ==, "");

  /* A folder is known once it has been read. */
  ls_settings_pane_set_data (rig->pane, "/data/mine");
  g_assert_true (gtk_widget_get_sensitive (run));
  ls_settings_pane_set_shape (rig->pane, "/data/mine", (const gint64[]){ 3, 32, 32 }, 7, 0);
  assert_option (rig, "model", "flatten, dense 256, relu, dense 128, relu, dense 7");
  rig_choose (rig, "model", 1); /* a preset has as many classes as the data */
  assert_option (rig, "model", "cnn");
  g_assert_cmpstr (rig_note (rig, "model"), ==, "");
  g_assert_true (gtk_widget_get_sensitive (run));
}

/* The rate follows small batches, says so, and stops as soon as somebody gives one. */
static void
test_rate_follows (Rig *rig, gconstpointer data)
{
  GtkWidget *note = gtk_widget_get_next_sibling (rig_control (rig, "lr"));

  rig_type (rig, "batch", "32");
  assert_option (rig, "lr", "0.0125");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (note)), ==, "Follows batches below 128: 0.05 × 32 / 128.");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "lr"))), ==, "0.0125");
  g_assert_cmpuint (rig->live, ==, 0);
  rig_type (rig, "lr", "0.0125"); /* no other value: nothing was given */
  rig_type (rig, "batch", "256");
  assert_option (rig, "lr", "0.05");
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (note)), "Follows"));
  rig_type (rig, "lr", "0.2");
  g_assert_cmpuint (rig->live, ==, 1);
  rig_type (rig, "batch", "1");
  assert_option (rig, "lr", "0.2");
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (note)), "Follows"));
  g_assert_nonnull (rig_find_button (GTK_WIDGET (rig->pane), "Undo"));
}

/* A list of lanes: wrong is told while it is typed, and waits; right makes the next run's; the menu fills the
 * field. */
static void
test_lanes (Rig *rig, gconstpointer data)
{
  GtkEditable *field = GTK_EDITABLE (rig_control (rig, "lanes"));
  GtkWidget *run = rig_find_button (GTK_WIDGET (rig->pane), "Run with these");
  GtkWidget *menu = rig_control (rig, "lanes-menu");
  const char *two = "cpu(policy=static),cpu(policy=steal)";

  g_assert_cmpstr (gtk_editable_get_text (field), ==, "cpu,opencl");
  gtk_editable_set_text (field, "cpu,gpu");
  g_assert_true (g_str_has_prefix (rig_note (rig, "lanes"), "Lanes to compare, character 5: "));
  g_assert_nonnull (strstr (rig_note (rig, "lanes"), "“gpu”"));
  g_assert_cmpstr (rig_was (rig, "lanes"), ==, "was cpu,opencl");
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  g_assert_false (gtk_widget_get_sensitive (run));
  g_signal_emit_by_name (run, "clicked");
  g_assert_cmpuint (rig->restart, ==, 0);
  rig_type (rig, "batch", "64"); /* nor with anything else */
  g_assert_false (gtk_widget_get_sensitive (run));
  g_assert_cmpstr (rig_note (rig, "lanes"), !=, "");
  rig_click (GTK_WIDGET (rig->pane), "Undo all");
  g_assert_cmpstr (gtk_editable_get_text (field), ==, "cpu,opencl");
  g_assert_cmpstr (rig_note (rig, "lanes"), ==, "");

  gtk_editable_set_text (field, " cpu , opencl "); /* the same lanes */
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  gtk_editable_set_text (field, "cpu,slow=cpu(threads=1)");
  g_assert_cmpstr (rig_note (rig, "lanes"), ==, "");
  rig_click (GTK_WIDGET (rig->pane), "Run with these");
  g_assert_cmpuint (rig->restart, ==, 1);
  g_assert_cmpstr (ls_settings_pane_options (rig->pane)->lanes, ==, "cpu,slow=cpu(threads=1)");

  g_assert_cmpint (g_menu_model_get_n_items (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (menu))), ==, 6);
  gtk_widget_activate_action (menu, "lanes.compare", "s", two);
  g_assert_cmpstr (gtk_editable_get_text (field), ==, two);
  assert_option (rig, "lanes", two);
  g_assert_cmpuint (rig->live, ==, 0);
}

static gboolean
over_cb (gpointer over)
{
  *(gboolean *) over = TRUE;
  return G_SOURCE_REMOVE;
}

/* Closed with numbers half typed: after the pause in which they would have been read nobody is told of them
 * any more. */
static void
test_closed_while_typing (Rig *rig, gconstpointer data)
{
  gboolean over = FALSE;

  gtk_editable_set_text (GTK_EDITABLE (rig_control (rig, "lr")), "0.3");
  gtk_editable_set_text (GTK_EDITABLE (rig_control (rig, "batch")), "3");
  gtk_widget_grab_focus (rig_control (rig, "batch"));
  rig_close (g_steal_pointer (&rig->window));
  rig->told = FALSE;                   /* what had the keys was left, and so read, while it was still there */
  g_timeout_add (600, over_cb, &over); /* the pause is shorter */
  while (!over)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (rig->told);
  g_assert_cmpuint (rig->live, ==, 0);
  g_assert_cmpuint (rig->restart, ==, 0);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, func) g_test_add ("/settings/" path, Rig, NULL, rig_set_up, func, rig_tear_down)
  ADD ("rows", test_rows);
  ADD ("each-by-widget", test_each_by_widget);
  ADD ("names-and-data", test_names_and_data);
  ADD ("other-values", test_other_values);
  ADD ("up-and-down", test_up_and_down);
  ADD ("typing-is-one-change", test_typing_is_one_change);
  ADD ("pending", test_pending);
  ADD ("undo-and-run", test_undo_and_run);
  ADD ("goes-together", test_goes_together);
  ADD ("rate-follows", test_rate_follows);
  ADD ("lanes", test_lanes);
  ADD ("closed-while-typing", test_closed_while_typing);
  return g_test_run ();
}
