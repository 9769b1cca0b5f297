/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the first start asks: each of its answers trains with those data, as they are usually trained with.
 */
#include "config.h"
#include "window_asked.h"

#include <string.h>

#include "data/defaults.h"

/* A network and a rate that were given are those of the data before, and go with them; what has nothing to do
 * with data stays, and so does the pace. It is asked no more then. */
static void
test_choice (void)
{
  static const char *const sets[] = { "mnist", "spiral", "xor" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sets); i++)
    {
      const char *set = sets[i / 2];
      const gboolean given = i % 2;
      const LsDataDefaults *usual = ls_data_defaults (set);
      g_autofree char *words = g_strdup_printf ("%s, %s", usual->word, usual->about);
      g_autoptr (LsOptions) expected = ls_options_new ();
      LsWindow *self = window_of (0);
      LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);
      GtkWidget *choices = gtk_widget_get_last_child (self->card);
      LsOptions *before = self->session->options;

      asked_clear ();
      gtk_widget_set_visible (choices, TRUE);
      gtk_revealer_set_reveal_child (GTK_REVEALER (choices), TRUE);
      ls_options_set (expected, ls_options_find ("data"), set, NULL);
      ls_data_suggest (expected, 0, 0);
      if (given)
        {
          ls_options_set (before, ls_options_find ("model"), "flatten, dense 7, dense 10", NULL);
          ls_options_set (before, ls_options_find ("lr"), "0.75", NULL);
        }
      ls_options_set (before, ls_options_find ("threads"), "2", NULL);
      before->pace = LS_PACE_STEP;
      rig_click (choices, words);
      g_assert_cmpuint (asked.n_trained, ==, 1);
      g_assert_cmpstr (asked.options->data, ==, set);
      if (strcmp (asked.options->model, expected->model) != 0 || asked.options->lr < expected->lr
          || asked.options->lr > expected->lr)
        g_error ("“%s” is trained with “%s” at %g, %s", set, asked.options->model, asked.options->lr,
                 given ? "which were given for other data" : "though nobody gave them");
      g_assert_false (ls_options_is_given (asked.options, ls_options_find ("model")));
      g_assert_false (ls_options_is_given (asked.options, ls_options_find ("lr")));
      g_assert_true (ls_options_is_given (asked.options, ls_options_find ("data")));
      g_assert_cmpint (asked.options->threads, ==, 2);
      g_assert_cmpint (asked.options->pace, ==, LS_PACE_STEP);
      g_assert_cmpstr (ls_settings_pane_running (pane)->data, ==, set);
      g_assert_false (ls_settings_pane_is_pending (pane));
      g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (choices)));
      window_gone (self);
    }
}

/* Who doesn't want to choose is asked no more, and nothing begins. */
static void
test_dismissed (void)
{
  LsWindow *self = window_of (0);
  GtkWidget *choices = gtk_widget_get_last_child (self->card);

  asked_clear ();
  gtk_widget_set_visible (choices, TRUE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (choices), TRUE);
  rig_click (choices, "Dismiss");
  if (gtk_revealer_get_reveal_child (GTK_REVEALER (choices)))
    g_error ("it is dismissed, and still asks what the network shall learn");
  g_assert_cmpuint (asked.n_trained, ==, 0);
  window_gone (self);
}

int
main (int argc, char **argv)
{
  window_rig_init (&argc, &argv);
  g_test_add_func ("/window/first/choice", test_choice);
  g_test_add_func ("/window/first/dismissed", test_dismissed);
  return g_test_run ();
}
