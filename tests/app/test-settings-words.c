/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings pane's words: nonsense changes nothing and says why, numbers are the language's, everything
 * has a name that is spoken, and nothing is cut off at any text size, length of words or direction.
 */
#include "config.h"
#include "german.h"

#include <string.h>

#include "settings_rig.h"
#include "ui/app/settings/settings_reading.h"
#include "ui/app/settings/settings_wish.h"

static void
test_wrong (Rig *rig, gconstpointer data)
{
  static const struct {
    const char *name, *text;
  } rows[] = {
    { "batch", "0" },
    { "batch", "65537" },
    { "batch", "many" },
    { "batch", "1e3" },
    { "batch", "-5" },
    { "batch", "99999999999999999999999999" },
    { "batch", "<b>1</b>%s%n" },
    { "batch", "12\u202e8" },
    { "seed", "1.5" },
    { "threads", "255" },
    { "lr", "fast" },
    { "lr", "nan" },
    { "lr", "-1" },
    { "lr", "1e999" },
    { "lr", "" },
    { "lr", "0.1.2" },
    { "momentum", "2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsOption *option = ls_options_find (rows[i].name);

      rig_type (rig, rows[i].name, rows[i].text);
      assert_option (rig, rows[i].name, option->default_text);
      g_assert_true (g_str_has_prefix (rig_note (rig, rows[i].name), option->label));
      g_assert_null (strstr (rig_note (rig, rows[i].name), "--"));
      if (i % 8 == 0)
        rig_wait_ms (450); /* the sentence stays until it is mended */
      g_assert_cmpstr (rig_note (rig, rows[i].name), !=, "");
      rig_type (rig, rows[i].name, option->default_text);
      g_assert_cmpstr (rig_note (rig, rows[i].name), ==, "");
    }
  g_assert_cmpuint (rig->live + rig->pending, ==, 0);
}

/* A number's arrows work after a mistake, too. */
static void
test_mended_by_arrow (Rig *rig, gconstpointer data)
{
  rig_type (rig, "batch", "many");
  gtk_spin_button_spin (GTK_SPIN_BUTTON (rig_control (rig, "batch")), GTK_SPIN_STEP_FORWARD, 0);
  rig_wait_ms (500);
  assert_option (rig, "batch", "160");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "batch"))), ==, "160");
  g_assert_cmpstr (rig_note (rig, "batch"), ==, "");
}

static void
test_zero_words (Rig *rig, gconstpointer data)
{
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "threads"))), ==, "auto");
  rig_type (rig, "threads", "2");
  rig_type (rig, "threads", "auto");
  assert_option (rig, "threads", "0");
  rig_type (rig, "check-every", "0");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "check-every"))), ==, "never");
}

/* The word is the language's, where it is shown and where it is typed. */
static void
test_zero_words_german (Rig *rig, gconstpointer data)
{
  if (german_begin ())
    {
      rig_type (rig, "check-every", "0");
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "check-every"))), ==, "nie");
      rig_type (rig, "check-every", "50");
      rig_type (rig, "check-every", " nie ");
      g_autofree char *is = rig_option (rig, "check-every");
      if (strcmp (is, "0") != 0 || *rig_note (rig, "check-every") != '\0')
        g_error ("“nie” was typed for never, and --check-every is %s; “%s”", is,
                 rig_note (rig, "check-every"));
    }
  german_end ();
}

/* The sign is the language's, as in the pictures, whatever the system's number format is. */
static void
test_decimal_comma (Rig *rig, gconstpointer data)
{
  if (german_begin ())
    {
      rig_type (rig, "lr", "0,125");
      assert_option (rig, "lr", "0.125");
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "lr"))), ==, "0,125");
      rig_type (rig, "lr", "0.25"); /* a point is understood everywhere */
      assert_option (rig, "lr", "0.25");
      rig_press (rig, "lr", GDK_KEY_Down);
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rig_control (rig, "lr"))), ==, "0,2");
    }
  german_end ();
}

static void
test_spoken (Rig *rig, gconstpointer data)
{
  GtkWidget *batch = rig_control (rig, "batch"), *policy = rig_control (rig, "policy"), *button;

  rig_assert_named (GTK_WIDGET (rig->pane));
  rig_type (rig, "batch", "256");
  gtk_test_accessible_assert_property (batch, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "was 128");
  gtk_test_accessible_assert_property (GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (batch))),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "was 128");
  gtk_test_accessible_assert_property (GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (batch))),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Batch");
  button = gtk_widget_get_first_child (policy);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Schedule: work-stealing");
  rig_choose (rig, "policy", 0);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Schedule: static");
  rig_type (rig, "batch", "many");
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
  rig_choose (rig, "device", 1);
  rig_type (rig, "batch", "many");
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

/* With other data the answering layer gets a unit for each of their classes; one in a bracket isn't it, for
 * what comes out of a bracket is added to what goes in. */
static void
test_classes (void)
{
  static const char *const rows[][2] = {
    { "flatten, dense 64, relu, dense 10", "flatten, dense 64, relu, dense 3" },
    { "flatten, dense 3", "flatten, dense 3" },
    { "flatten, dense 10, residual(relu, dense 10)", "flatten, dense 10, residual(relu, dense 10)" },
    { "flatten, dense 10, relu", "flatten, dense 10, relu" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint other = 0; other < 2; other++)
      {
        LsSettingsWish wish;

        ls_settings_wish_init (&wish);
        ls_options_set (wish.options, ls_options_find ("model"), rows[i][0], NULL);
        ls_options_set (wish.options, ls_options_find ("data"), "spiral", NULL);
        ls_settings_wish_follow (&wish, other);
        if (strcmp (wish.options->model, rows[i][other]) != 0)
          g_error ("with %s data of 3 classes “%s” becomes “%s”", other ? "other" : "the same", rows[i][0],
                   wish.options->model);
        ls_settings_wish_clear (&wish);
      }
}

/* What has a name is there, and is read for nobody to look at; what lies at a path is. */
static void
test_reading_key (void)
{
  static const struct {
    const char *data;
    gboolean read;
  } rows[] = { { "mnist", FALSE }, { "spiral", FALSE }, { "tabular", FALSE }, { "/nowhere/mnist", TRUE } };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      ls_options_set (options, ls_options_find ("data"), rows[i].data, NULL);
      g_autofree char *key = ls_settings_reading_key (options);
      if ((key != NULL) != rows[i].read)
        g_error ("the data “%s” %s looked at beside the run", rows[i].data, key != NULL ? "are" : "aren't");
    }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(path, func) g_test_add ("/settings/" path, Rig, NULL, rig_set_up, func, rig_tear_down)
  ADD ("wrong", test_wrong);
  ADD ("mended-by-arrow", test_mended_by_arrow);
  ADD ("zero-words", test_zero_words);
  ADD ("zero-words-german", test_zero_words_german);
  ADD ("decimal-comma", test_decimal_comma);
  ADD ("spoken", test_spoken);
  ADD ("nothing-clipped", test_nothing_clipped);
  g_test_add_func ("/settings-words/classes", test_classes);
  g_test_add_func ("/settings-words/reading-key", test_reading_key);
  return g_test_run ();
}
