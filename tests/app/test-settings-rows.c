/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings pane's rows in their words, and how they hang together: what follows from what, what is said
 * while something waits, what each ready-made comparison compares, and how far a key goes.
 */
#include <string.h>

#include "settings_rig.h"
#include "data/defaults.h"
#include "train/lane_spec.h"
#include "ui/app/settings/settings_pane_private.h"

/* ---- words ---- */

/* A network in its hidden units: convolutions are counted, a layer that reads a sequence is named, what has
 * no units isn't there, and the last layer, which answers, neither. */
static void
test_network_words (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *model, *words;
  } rows[] = {
    { "mlp", "256 · 128" },
    { "cnn", "2 conv · 128" },
    { "lstm", "lstm 128" },
    { "flatten, dense 10", "none" },
    { "flatten, dense 64, relu, dropout 0.5, dense 10", "64" },
    { "conv 8 3, relu, maxpool 2, flatten, dense 10", "1 conv" },
    { "conv 8 3, relu, avgpool 2, conv 8 3, conv 4 3, flatten, dense 7, tanh, dense 10", "3 conv · 7" },
    { "lstm 64 all, lstm 32, dense 16, relu, dense 10", "lstm 64 · lstm 32 · 16" },
    { "nonsense", "nonsense" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = ls_settings_row_words (rig->pane->network, rows[i].model);

      if (strcmp (words, rows[i].words) != 0)
        g_error ("of “%s” it says “%s”, not “%s”", rows[i].model, words, rows[i].words);
    }
}

/* A data set by its word, one's own by the file's name; the best device, or a short name. */
static void
test_other_words (Rig *rig, gconstpointer data)
{
  g_autofree char *none = ls_settings_row_words (rig->pane->data, ""),
                  *digits = ls_settings_row_words (rig->pane->data, "mnist"),
                  *own = ls_settings_row_words (rig->pane->data, "/some/where/my digits.csv"),
                  *best = ls_settings_row_words (rig->pane->device, "");

  g_assert_cmpstr (none, ==, "choose…");
  g_assert_cmpstr (digits, ==, "digits");
  g_assert_cmpstr (own, ==, "my digits.csv");
  g_assert_cmpstr (best, ==, "best");
}

/* ---- comparisons ---- */

static void
assert_lanes (const char *label, const char *text, guint n, LsBackendKind first, LsBackendKind second,
              const char *option, const char *one, const char *other)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GPtrArray) specs = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), text, NULL));
  specs = ls_lane_specs_new (options, NULL);
  if (specs == NULL || specs->len != n)
    g_error ("“%s” has the lanes “%s”", label, text);
  const LsLaneSpec *a = specs->pdata[0], *b = specs->pdata[1];
  g_assert_cmpint (a->backend->kind, ==, first);
  g_assert_cmpint (b->backend->kind, ==, second);
  if (option == NULL)
    return;
  g_autofree char *is = ls_options_get (a->options, ls_options_find (option)),
                  *too = ls_options_get (b->options, ls_options_find (option));
  if (strcmp (is, one) != 0 || strcmp (too, other) != 0)
    g_error ("“%s” compares %s %s and %s, not %s and %s", label, option, is, too, one, other);
}

/* Each compares what it says, and fills the field with it. */
static void
test_comparisons (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *label;
    guint n;
    LsBackendKind first, second;
    const char *option, *one, *other;
  } rows[] = {
    { "CPU and OpenCL", 2, LS_BACKEND_CPU, LS_BACKEND_OPENCL, NULL, NULL, NULL },
    { "One thread against two", 2, LS_BACKEND_CPU, LS_BACKEND_CPU, "threads", "1", "2" },
    { "Two schedules", 2, LS_BACKEND_CPU, LS_BACKEND_CPU, "policy", "static", "steal" },
    { "With and without fusion", 2, LS_BACKEND_CPU, LS_BACKEND_CPU, "fusion", "on", "off" },
    { "Two kernels", 2, LS_BACKEND_OPENCL, LS_BACKEND_OPENCL, "kernel", "tiled", "packed" },
    { "Four lanes", 4, LS_BACKEND_CPU, LS_BACKEND_CPU, "threads", "1", "2" },
  };
  GtkWidget *button = rig_control (rig, "lanes-menu");
  GMenuModel *menu = gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button));

  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, G_N_ELEMENTS (rows));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *label = NULL, *lanes = NULL;

      g_menu_model_get_item_attribute (menu, (int) i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      g_menu_model_get_item_attribute (menu, (int) i, G_MENU_ATTRIBUTE_TARGET, "s", &lanes);
      g_assert_cmpstr (label, ==, rows[i].label);
      assert_lanes (label, lanes, rows[i].n, rows[i].first, rows[i].second, rows[i].option, rows[i].one,
                    rows[i].other);
      gtk_widget_activate_action (button, "lanes.compare", "s", lanes);
      assert_option (rig, "lanes", lanes);
      g_assert_cmpstr (rig_note (rig, "lanes"), ==, "");
    }
}

/* ---- what waits ---- */

/* How many changes, in the head; in the foot what a new run begins with, and how much is undone. */
static void
test_foot (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *option, *text, *head, *undo;
    gboolean same_seed;
  } rows[] = {
    { "batch", "256", "1 changed, not run yet", "Undo", TRUE },
    { "seed", "9", "2 changed, not run yet", "Undo both", FALSE },
    { "lanes", "cpu", "3 changed, not run yet", "Undo all", FALSE },
    { "seed", "1", "2 changed, not run yet", "Undo both", TRUE },
    { "batch", "128", "1 changed, not run yet", "Undo", TRUE },
    { "lanes", "cpu,opencl", "", NULL, TRUE },
  };
  const LsSettingsFoot *foot = &rig->pane->foot;

  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (foot->revealer)));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      rig_type (rig, rows[i].option, rows[i].text);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (rig->pane->state)), ==, rows[i].head);
      g_assert_cmpint (gtk_revealer_get_reveal_child (GTK_REVEALER (foot->revealer)), ==,
                       rows[i].undo != NULL);
      if (rows[i].undo == NULL)
        continue;
      rig_assert_says (foot->undo, GTK_ACCESSIBLE_PROPERTY_LABEL, rows[i].undo);
      const char *sentence = gtk_label_get_text (GTK_LABEL (foot->sentence));
      if (!g_str_has_prefix (sentence, "Shown is still the current run.")
          || g_str_has_suffix (sentence, "with the same first weights.") != rows[i].same_seed
          || g_str_has_suffix (sentence, "from the new seed.") == rows[i].same_seed)
        g_error ("with %s seed it says “%s”", rows[i].same_seed ? "the same" : "another", sentence);
    }
}

static const char *
note_of (Rig *rig, const char *name)
{
  return gtk_label_get_text (GTK_LABEL (gtk_widget_get_next_sibling (rig_control (rig, name))));
}

/* The rate is scaled below 128 samples, not with them; the words give the very product. */
static void
test_rate_words (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *batch, *words, *rate;
  } rows[] = {
    { "127", "Follows batches below 128: 0.05 × 127 / 128.", NULL },
    { "128", NULL, "0.05" },
    { "64", "Follows batches below 128: 0.05 × 64 / 128.", "0.025" },
    { "1", "Follows batches below 128: 0.05 × 1 / 128.", "0.000390625" },
    { "129", NULL, "0.05" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      rig_type (rig, "batch", rows[i].batch);
      if (rows[i].words != NULL)
        g_assert_cmpstr (note_of (rig, "lr"), ==, rows[i].words);
      else
        g_assert_null (strstr (note_of (rig, "lr"), "Follows"));
      if (rows[i].rate != NULL)
        assert_option (rig, "lr", rows[i].rate);
    }
  /* other data and another optimizer have other rates */
  rig_type (rig, "batch", "64");
  ls_settings_pane_set_data (rig->pane, "spiral");
  g_autofree char *spiral = g_strdup (note_of (rig, "lr"));
  g_assert_nonnull (strstr (spiral, "0.1 × 64 / 128"));
}

/* A network that doesn't fit what runs is told once something waits, and not before. */
static void
test_network_note (Rig *rig, gconstpointer data)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  ls_options_set (options, ls_options_find ("data"), "moons", NULL);
  ls_options_set (options, ls_options_find ("model"), "cnn", NULL); /* pools what is one point wide */
  ls_data_suggest (options, 0, 0);                                  /* as a run has done */
  ls_settings_pane_set_running (rig->pane, options);
  g_assert_cmpstr (rig_note (rig, "model"), ==, "");
  rig_type (rig, "seed", "4");
  g_assert_nonnull (strstr (rig_note (rig, "model"), "layer 3"));
  g_assert_false (gtk_widget_get_sensitive (rig->pane->foot.run));
  rig_type (rig, "seed", "1");
  g_assert_cmpstr (rig_note (rig, "model"), ==, "");
}

/* What follows the data does so only where nobody gave it, and what a batch was is what it follows. */
static void
test_follows (Rig *rig, gconstpointer data)
{
  rig_picture (rig, "spiral");
  g_autofree char *model = rig_option (rig, "model"), *batch = rig_option (rig, "batch");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "batch"))), ==, batch);
  g_assert_cmpstr (rig->pane->network->text, ==, model);
  g_assert_true (g_str_has_suffix (model, "dense 3"));
  rig_picture (rig, "xor");
  g_autofree char *other = rig_option (rig, "model");
  g_assert_true (g_str_has_suffix (other, "dense 2"));
  rig_picture (rig, "mnist");
  assert_option (rig, "model", "mlp");
  assert_option (rig, "batch", "128");
  g_assert_false (ls_settings_pane_is_pending (rig->pane));
  rig_type (rig, "batch", "48");
  rig_picture (rig, "spiral");
  assert_option (rig, "batch", "48");
  rig_picture (rig, "mnist");
  assert_option (rig, "batch", "48");
  /* the last layer of a network that was given answers; one in a bracket doesn't, and stays */
  ls_settings_pane_set_data (rig->pane, "spiral");
  ls_settings_row_take (rig->pane->network, "flatten, dense 3, residual (relu, dense 3)");
  g_autofree char *bracket = rig_option (rig, "model");
  rig_picture (rig, "xor");
  assert_option (rig, "model", bracket);
}

/* ---- spoken ---- */

/* What it was, and then what is wrong with what it is to be; the arrows say what they do. */
static void
test_spoken (Rig *rig, gconstpointer data)
{
  GtkWidget *batch = rig_control (rig, "batch");
  guint n = 0;

  rig_type (rig, "batch", "64");
  rig_type (rig, "batch", "many");
  g_autofree char *words = g_strdup_printf ("was 128. %s", rig_note (rig, "batch"));
  rig_assert_says (batch, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words);
  for (GtkWidget *w = gtk_widget_get_first_child (batch); w != NULL; w = gtk_widget_get_next_sibling (w))
    if (GTK_IS_BUTTON (w))
      {
        rig_assert_says (w, GTK_ACCESSIBLE_PROPERTY_LABEL,
                         gtk_widget_has_css_class (w, "up") ? "Batch: more" : "Batch: less");
        n++;
      }
  g_assert_cmpuint (n, ==, 2);
}

/* ---- numbers ---- */

static void
assert_key (Rig *rig, const char *name, const char *from, guint key, const char *to)
{
  rig_type (rig, name, from);
  rig_press (rig, name, key);
  const char *is = gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, name)));
  if (strcmp (is, to) != 0)
    g_error ("from %s, %s takes “%s” to %s, not to %s", from, gdk_keyval_name (key), name, is, to);
}

/* Momentum goes by twentieths, from wherever it is to one of them, and no further than it can; the rate by 1,
 * 2 and 5, from a millionth on, below which is nothing. */
static void
test_keys (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *name, *from;
    guint key;
    const char *to;
  } rows[] = {
    { "momentum", "0.5", GDK_KEY_Up, "0.55" },
    { "momentum", "0.5", GDK_KEY_Down, "0.45" },
    { "momentum", "0.93", GDK_KEY_Up, "0.95" },
    { "momentum", "0.93", GDK_KEY_Down, "0.9" },
    { "momentum", "0.91", GDK_KEY_Up, "0.95" },
    { "momentum", "0.91", GDK_KEY_Down, "0.9" },
    { "momentum", "0.51", GDK_KEY_KP_Up, "0.55" },
    { "momentum", "0.49", GDK_KEY_KP_Down, "0.45" },
    { "momentum", "0", GDK_KEY_Down, "0" },
    { "momentum", "0", GDK_KEY_Up, "0.05" },
    { "lr", "0", GDK_KEY_Up, "1e-06" },
    { "lr", "1e-06", GDK_KEY_Up, "2e-06" },
    { "lr", "0.05", GDK_KEY_KP_Up, "0.1" },
    { "lr", "0.1", GDK_KEY_Up, "0.2" },
    { "lr", "0.3", GDK_KEY_Up, "0.5" },
    { "lr", "0.3", GDK_KEY_KP_Down, "0.2" },
    { "lr", "0.1", GDK_KEY_Down, "0.05" },
    { "lr", "0.00001", GDK_KEY_Down, "5e-06" },
    { "lr", "0", GDK_KEY_Down, "0" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_key (rig, rows[i].name, rows[i].from, rows[i].key, rows[i].to);
}

/* ---- sections ---- */

/* Each lane's heading has that lane's colour and name; the others have none. */
static void
test_headings (Rig *rig, gconstpointer data)
{
  guint found[2] = { 0 };

  for (GtkWidget *w = gtk_widget_get_first_child (gtk_widget_get_parent (rig_control (rig, "batch")));
       w != NULL; w = gtk_widget_get_next_sibling (w))
    for (LsOptionSection section = LS_OPTION_SECTION_TRAINING; section <= LS_OPTION_SECTION_OPENCL; section++)
      {
        const char *about, *title = ls_options_section_title (section, &about);
        GtkWidget *label = GTK_IS_BOX (w) ? rig_find_kind (w, GTK_TYPE_LABEL) : NULL;

        if (label == NULL || !gtk_widget_has_css_class (label, "heading")
            || strcmp (gtk_label_get_text (GTK_LABEL (label)), title) != 0)
          continue;
        g_assert_cmpint (gtk_widget_has_css_class (w, "cpu"), ==, section == LS_OPTION_SECTION_CPU);
        g_assert_cmpint (gtk_widget_has_css_class (w, "opencl"), ==, section == LS_OPTION_SECTION_OPENCL);
        found[0] += section == LS_OPTION_SECTION_CPU;
        found[1] += section == LS_OPTION_SECTION_OPENCL;
      }
  g_assert_true (found[0] == 1 && found[1] == 1);
}

/* ---- what is typed, and what is shown ---- */

/* Spaces around and the word for nought are understood; what a field says already is left alone, so that the
 * cursor stays. */
static void
test_typed (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *name, *typed, *option, *shown;
  } rows[] = {
    { "threads", "1", "1", "1" },     { "threads", " auto ", "0", "auto" }, { "threads", "  1", "1", "1" },
    { "threads", "0", "0", "auto" },  { "lr", " 0.25 ", "0.25", "0.25" },   { "lr", ".5", "0.5", "0.5" },
    { "batch", "\t48 ", "48", "48" }, { "momentum", "0.50", "0.5", "0.5" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkEditable *control = GTK_EDITABLE (rig_control (rig, rows[i].name));

      rig_type (rig, rows[i].name, rows[i].typed);
      assert_option (rig, rows[i].name, rows[i].option);
      if (strcmp (gtk_editable_get_text (control), rows[i].shown) != 0)
        g_error ("%s: after “%s” the field says “%s”, not “%s”", rows[i].name, rows[i].typed,
                 gtk_editable_get_text (control), rows[i].shown);
      g_assert_cmpstr (rig_note (rig, rows[i].name), ==, "");
      gtk_editable_set_position (control, 1);
      ls_settings_pane_show_all (rig->pane);
      if (gtk_editable_get_position (control) != 1)
        g_error ("%s: “%s” is shown anew where it stands already, and the cursor goes to %d", rows[i].name,
                 rows[i].shown, gtk_editable_get_position (control));
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, func) g_test_add ("/settings-rows/" path, Rig, NULL, rig_set_up, func, rig_tear_down)
  ADD ("network-words", test_network_words);
  ADD ("other-words", test_other_words);
  ADD ("comparisons", test_comparisons);
  ADD ("foot", test_foot);
  ADD ("rate-words", test_rate_words);
  ADD ("network-note", test_network_note);
  ADD ("follows", test_follows);
  ADD ("spoken", test_spoken);
  ADD ("keys", test_keys);
  ADD ("headings", test_headings);
  ADD ("typed", test_typed);
  return g_test_run ();
}
