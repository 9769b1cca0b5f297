/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings pane: every row of the option table that has a place is a widget, and using the widget makes the option's
 * text; what is live is told at once and once; what needs a new run waits, says what it was, and can be undone; nonsense
 * changes nothing and says why.
 */
#include <locale.h>
#include <string.h>

#include "rig.h"
#include "core/error.h"
#include "data/dataset.h"
#include "ui/app/settings_pane.h"
#include "ui/app/settings_row.h"

typedef struct {
  LsSettingsPane *pane;
  GtkWidget *window;
  guint live, restart, pending, folder;
  gboolean told;           /* any of them */
} Rig;

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

static void
set_up (Rig *rig, gconstpointer data)
{
  memset (rig, 0, sizeof *rig);
  rig->pane = LS_SETTINGS_PANE (ls_settings_pane_new ());
  g_signal_connect (rig->pane, "changed-live", G_CALLBACK (count_cb), &rig->live);
  g_signal_connect (rig->pane, "restart", G_CALLBACK (count_cb), &rig->restart);
  g_signal_connect (rig->pane, "pending", G_CALLBACK (count_cb), &rig->pending);
  g_signal_connect (rig->pane, "choose-folder", G_CALLBACK (count_cb), &rig->folder);
  g_signal_connect (rig->pane, "changed-live", G_CALLBACK (told_cb), &rig->told);
  g_signal_connect (rig->pane, "pending", G_CALLBACK (told_cb), &rig->told);
  rig->window = rig_show (GTK_WIDGET (rig->pane), LS_SETTINGS_PANE_WIDTH, 900);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  rig_close (rig->window);
}

static GtkWidget *
control (Rig *rig, const char *name)
{
  g_autofree char *id = g_strconcat (LS_SETTINGS_ID, name, NULL);

  return rig_find (GTK_WIDGET (rig->pane), id);
}

static char *
option_text (Rig *rig, const char *name)
{
  return ls_options_get (ls_settings_pane_options (rig->pane), ls_options_find (name));
}

#define assert_option(rig, name, expected)                        \
  G_STMT_START                                                    \
    {                                                             \
      g_autofree char *text_ = option_text (rig, name);           \
      g_assert_cmpstr (text_, ==, expected);                      \
    }                                                             \
  G_STMT_END

/* As somebody types and presses Enter. */
static void
type_text (Rig *rig, const char *name, const char *text)
{
  GtkEditable *field = GTK_EDITABLE (control (rig, name));

  gtk_editable_set_text (field, text);
  g_signal_emit_by_name (gtk_editable_get_delegate (field), "activate");
  rig_settle ();
}

static void
choose (Rig *rig, const char *name, guint item)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (control (rig, name)), item);
  rig_settle ();
}

/* The note under the row, or "". */
static const char *
note (Rig *rig, const char *name)
{
  GtkWidget *widget = gtk_widget_get_next_sibling (control (rig, name));

  return gtk_widget_get_visible (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "";
}

static const char *
was (Rig *rig, const char *name)
{
  GtkWidget *label = gtk_widget_get_last_child (gtk_widget_get_prev_sibling (control (rig, name)));

  return gtk_widget_get_visible (label) ? gtk_label_get_text (GTK_LABEL (label)) : "";
}

static void
test_rows (Rig *rig, gconstpointer data)
{
  guint n, placed = 0;
  const LsOption *table = ls_options_table (&n);
  g_autofree gboolean *taken = g_new0 (gboolean, n + 1);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *widget = control (rig, table[i].name);

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
        choose (rig, option->name, i);
        assert_option (rig, option->name, option->choices[i]);
      }
  else if (option->type == LS_OPTION_INT)
    {
      type_text (rig, option->name, "3");
      assert_option (rig, option->name, "3");
      gtk_spin_button_spin (GTK_SPIN_BUTTON (control (rig, option->name)), GTK_SPIN_STEP_FORWARD, 0);
      rig_wait_ms (500);
      g_autofree char *text = g_strdup_printf ("%d", (int) (3 + option->step));
      assert_option (rig, option->name, text);
    }
  else if (option->type == LS_OPTION_DOUBLE)
    {
      type_text (rig, option->name, " 0.125 ");
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
        g_assert_cmpuint (rig->live > live, ==, table[i].effect == LS_OPTION_LIVE && table[i].type != LS_OPTION_STRING);
    }
}

static void
test_names_and_data (Rig *rig, gconstpointer data)
{
  static const char *const devices[] = { "First", "<b>Second</b> & %s", NULL };
  const char *const *names = ls_data_names ();
  guint n = 0;

  ls_settings_pane_set_devices (rig->pane, devices);
  choose (rig, "device", 2);
  assert_option (rig, "device", devices[1]);
  choose (rig, "device", 0);
  assert_option (rig, "device", "");

  for (; names[n] != NULL; n++)
    {
      choose (rig, "data", n);
      assert_option (rig, "data", names[n]);
    }
  choose (rig, "data", n); /* “Folder…” changes nothing by itself */
  g_assert_cmpuint (rig->folder, ==, 1);
  assert_option (rig, "data", names[n - 1]);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (control (rig, "data"))), ==, n - 1);

  ls_settings_pane_set_data (rig->pane, "/some/where/my digits");
  assert_option (rig, "data", "/some/where/my digits");
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (control (rig, "data"))), ==, n);
  ls_settings_pane_set_data (rig->pane, "/some/\xff\xfe");
  assert_option (rig, "data", "/some/where/my digits");

  choose (rig, "model", 1);
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
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (control (rig, "device"))), ==, 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (control (rig, "model"))), ==, 2);
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpuint (rig->live + rig->pending, ==, 0);
  choose (rig, "device", 0);
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpstr (was (rig, "device"), ==, "was h200");
}

/* Typing is one change, whatever it passes through. */
static void
test_typing_is_one_change (Rig *rig, gconstpointer data)
{
  static const char *const typed[] = { "", "0", "0.", "0.2", "0.25" };

  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    gtk_editable_set_text (GTK_EDITABLE (control (rig, "lr")), typed[i]);
  g_assert_cmpuint (rig->live, ==, 0);
  rig_wait_for (&rig->told);
  g_assert_cmpuint (rig->live, ==, 1);
  assert_option (rig, "lr", "0.25");

  /* Enter doesn't wait, nor tells it twice. */
  type_text (rig, "lr", "0.5");
  g_assert_cmpuint (rig->live, ==, 2);
  rig_wait_ms (600);
  g_assert_cmpuint (rig->live, ==, 2);

  /* What is half typed stays as it is. */
  gtk_editable_set_text (GTK_EDITABLE (control (rig, "lr")), "0.0");
  rig_wait_ms (600);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (control (rig, "lr"))), ==, "0.0");
  assert_option (rig, "lr", "0");
}

static void
test_pending (Rig *rig, gconstpointer data)
{
  type_text (rig, "batch", "256");
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpuint (rig->pending, ==, 1);
  g_assert_cmpuint (rig->live, ==, 0);
  g_assert_cmpstr (was (rig, "batch"), ==, "was 128");
  choose (rig, "optimizer", 1);
  g_assert_cmpuint (rig->pending, ==, 1);
  g_assert_cmpstr (was (rig, "optimizer"), ==, "was SGD");

  /* Back by hand is as good as undone. */
  type_text (rig, "batch", "128");
  g_assert_cmpstr (was (rig, "batch"), ==, "");
  g_assert_true (ls_settings_pane_is_pending (rig->pane));
  choose (rig, "optimizer", 0);
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpuint (rig->pending, ==, 2);
  g_assert_cmpuint (rig->restart, ==, 0);
}

static void
test_undo_and_run (Rig *rig, gconstpointer data)
{
  g_autoptr (LsOptions) wished = NULL;

  type_text (rig, "lr", "0.25");
  type_text (rig, "batch", "64");
  type_text (rig, "seed", "7");
  rig_click (GTK_WIDGET (rig->pane), "Undo");
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  assert_option (rig, "batch", "128");
  assert_option (rig, "seed", "1");
  assert_option (rig, "lr", "0.25"); /* that is done, not pending */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (control (rig, "batch"))), ==, "128");

  /* Typed, not yet taken: “Run with these” means it too. */
  type_text (rig, "batch", "64");
  gtk_editable_set_text (GTK_EDITABLE (control (rig, "batch")), "32");
  rig_click (GTK_WIDGET (rig->pane), "Run with these");
  g_assert_cmpuint (rig->restart, ==, 1);
  assert_option (rig, "batch", "32");

  wished = ls_options_copy (ls_settings_pane_options (rig->pane));
  ls_settings_pane_set_running (rig->pane, wished);
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  g_assert_cmpstr (was (rig, "batch"), ==, "");
  ls_settings_pane_set_running (rig->pane, ls_settings_pane_options (rig->pane)); /* its own */
  assert_option (rig, "batch", "32");
}

static void
test_wrong (Rig *rig, gconstpointer data)
{
  static const struct { const char *name, *text; } rows[] = {
    { "batch", "0" }, { "batch", "65537" }, { "batch", "many" }, { "batch", "1e3" }, { "batch", "-5" },
    { "batch", "99999999999999999999999999" }, { "batch", "<b>1</b>%s%n" }, { "batch", "12\u202e8" },
    { "seed", "1.5" }, { "threads", "255" }, { "lr", "fast" }, { "lr", "nan" }, { "lr", "-1" }, { "lr", "1e999" },
    { "lr", "" }, { "lr", "0.1.2" }, { "momentum", "2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsOption *option = ls_options_find (rows[i].name);

      type_text (rig, rows[i].name, rows[i].text);
      assert_option (rig, rows[i].name, option->default_text);
      g_assert_true (g_str_has_prefix (note (rig, rows[i].name), option->label));
      g_assert_null (strstr (note (rig, rows[i].name), "--"));
      if (i % 8 == 0)
        rig_wait_ms (450); /* the sentence stays until it is mended */
      g_assert_cmpstr (note (rig, rows[i].name), !=, "");
      type_text (rig, rows[i].name, option->default_text);
      g_assert_cmpstr (note (rig, rows[i].name), ==, "");
    }
  g_assert_cmpuint (rig->live + rig->pending, ==, 0);
}

/* A number's arrows work after a mistake, too. */
static void
test_mended_by_arrow (Rig *rig, gconstpointer data)
{
  type_text (rig, "batch", "many");
  gtk_spin_button_spin (GTK_SPIN_BUTTON (control (rig, "batch")), GTK_SPIN_STEP_FORWARD, 0);
  rig_wait_ms (500);
  assert_option (rig, "batch", "160");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (control (rig, "batch"))), ==, "160");
  g_assert_cmpstr (note (rig, "batch"), ==, "");
}

static void
test_zero_words (Rig *rig, gconstpointer data)
{
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (control (rig, "threads"))), ==, "auto");
  type_text (rig, "threads", "2");
  type_text (rig, "threads", "auto");
  assert_option (rig, "threads", "0");
  type_text (rig, "check-every", "0");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (control (rig, "check-every"))), ==, "never");
}

static void
test_decimal_comma (Rig *rig, gconstpointer data)
{
  static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "es_ES.UTF-8" };
  const char *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names) && found == NULL; i++)
    found = setlocale (LC_NUMERIC, names[i]);
  if (found == NULL)
    {
      g_test_skip ("no locale with a decimal comma is installed");
      return;
    }
  type_text (rig, "lr", "0,125");
  assert_option (rig, "lr", "0.125");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (control (rig, "lr"))), ==, "0,125");
  type_text (rig, "lr", "0.25"); /* a point is understood everywhere */
  assert_option (rig, "lr", "0.25");
  setlocale (LC_NUMERIC, "C");
}

/* Network and data must go together: the last layer follows the classes, what can't be isn't run. */
static void
test_goes_together (Rig *rig, gconstpointer data)
{
  GtkWidget *run = rig_find_button (GTK_WIDGET (rig->pane), "Run with these");

  ls_settings_pane_set_data (rig->pane, "spiral");
  assert_option (rig, "model", "flatten, dense 256, relu, dense 128, relu, dense 3");
  g_assert_cmpstr (was (rig, "model"), ==, "was mlp");
  g_assert_cmpstr (was (rig, "data"), ==, "was mnist");
  g_assert_true (gtk_widget_get_sensitive (run));
  ls_settings_pane_set_data (rig->pane, "mnist");
  assert_option (rig, "model", "mlp");
  g_assert_false (ls_settings_pane_is_pending (rig->pane));

  ls_settings_pane_set_data (rig->pane, "moons");
  choose (rig, "model", 1); /* cnn: pools what is one point wide */
  g_assert_nonnull (strstr (note (rig, "model"), "layer 3"));
  g_assert_false (gtk_widget_get_sensitive (run));
  rig_click (GTK_WIDGET (rig->pane), "Undo");
  g_assert_cmpstr (note (rig, "model"), ==, "");

  /* A folder is known once it has been read. */
  ls_settings_pane_set_data (rig->pane, "/data/mine");
  g_assert_true (gtk_widget_get_sensitive (run));
  ls_settings_pane_set_shape (rig->pane, "/data/mine", (const gint64[]) { 3, 32, 32 }, 7);
  g_assert_nonnull (strstr (note (rig, "model"), "dense 7"));
}

static void
test_spoken (Rig *rig, gconstpointer data)
{
  GtkWidget *batch = control (rig, "batch"), *policy = control (rig, "policy"), *button;

  rig_assert_named (GTK_WIDGET (rig->pane));
  type_text (rig, "batch", "256");
  gtk_test_accessible_assert_property (batch, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "was 128");
  gtk_test_accessible_assert_property (GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (batch))),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "was 128");
  gtk_test_accessible_assert_property (GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (batch))),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Batch");
  button = gtk_widget_get_first_child (policy);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Policy: work-stealing");
  choose (rig, "policy", 0);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Policy: static");
  type_text (rig, "batch", "many");
  gtk_test_accessible_assert_state (batch, GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_TRUE);
  rig_assert_named (GTK_WIDGET (rig->pane));
}

static void
assert_fits (Rig *rig)
{
  int min, natural;

  rig_settle ();
  rig_settle ();
  gtk_widget_measure (GTK_WIDGET (rig->pane), GTK_ORIENTATION_HORIZONTAL, -1, &min, &natural, NULL, NULL);
  g_assert_cmpint (min, ==, LS_SETTINGS_PANE_WIDTH);
  g_assert_cmpint (natural, ==, LS_SETTINGS_PANE_WIDTH);
  rig_assert_whole (GTK_WIDGET (rig->pane));
}

static void
test_nothing_clipped (Rig *rig, gconstpointer data)
{
  static const int percents[] = { 100, 125, 150, 200 };
  static const char *const devices[] = { "A device whose name goes on and on, as they do", NULL };

  ls_settings_pane_set_devices (rig->pane, devices);
  choose (rig, "device", 1);
  type_text (rig, "batch", "many");
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * percents[i] / 100, NULL);
      assert_fits (rig);
    }
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024, NULL);
  rig_lengthen (GTK_WIDGET (rig->pane));
  assert_fits (rig);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  gtk_widget_set_direction (GTK_WIDGET (rig->pane), GTK_TEXT_DIR_RTL);
  assert_fits (rig);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024, NULL);
}

/* Closed with a number half typed: nothing comes afterwards. */
static void
test_closed_while_typing (Rig *rig, gconstpointer data)
{
  gtk_editable_set_text (GTK_EDITABLE (control (rig, "lr")), "0.3");
  gtk_editable_set_text (GTK_EDITABLE (control (rig, "batch")), "3");
  gtk_widget_grab_focus (control (rig, "batch"));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, func) g_test_add ("/settings/" path, Rig, NULL, set_up, func, tear_down)
  ADD ("rows", test_rows);
  ADD ("each-by-widget", test_each_by_widget);
  ADD ("names-and-data", test_names_and_data);
  ADD ("other-values", test_other_values);
  ADD ("typing-is-one-change", test_typing_is_one_change);
  ADD ("pending", test_pending);
  ADD ("undo-and-run", test_undo_and_run);
  ADD ("wrong", test_wrong);
  ADD ("mended-by-arrow", test_mended_by_arrow);
  ADD ("zero-words", test_zero_words);
  ADD ("decimal-comma", test_decimal_comma);
  ADD ("goes-together", test_goes_together);
  ADD ("spoken", test_spoken);
  ADD ("nothing-clipped", test_nothing_clipped);
  ADD ("closed-while-typing", test_closed_while_typing);
  return g_test_run ();
}
