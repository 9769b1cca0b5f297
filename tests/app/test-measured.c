/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The laboratory's dialog while it measures, and when that ends: what the session heard is what it says, and
 * what can be pressed is what can be done.
 */
#include "config.h"
#include "lab_fixture.h"
#include "played.h"
#include "rig.h"
#include "view_rig.h"

#include <string.h>

#include "tests/folder.h"
#include "ui/app/dialogs/lab_dialog_private.h"
#include "ui/app/dialogs/lab_picture.h"

static void
wait_label (GtkWidget *label, const char *words)
{
  for (guint i = 0; i < 1000 && strcmp (gtk_label_get_text (GTK_LABEL (label)), words) != 0; i++)
    rig_wait_ms (10);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, words);
}

static double
fraction (GtkWidget *bar)
{
  return gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (bar));
}

static guint
row_of (const LsExperiment *experiment)
{
  guint n;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);

  for (guint i = 0; i < n; i++)
    if (all[i] == experiment)
      return i;
  g_error ("“%s” isn't in the list", experiment->name);
}

static void
select_row (LsLabDialog *self, const LsExperiment *experiment)
{
  gtk_list_box_select_row (
    GTK_LIST_BOX (self->list),
    gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) row_of (experiment)));
}

static const char *
kept_words (LsLabDialog *self, const LsExperiment *experiment)
{
  return gtk_label_get_text (GTK_LABEL (self->kept->pdata[row_of (experiment)]));
}

static void
assert_button (LsLabDialog *self, const char *words, gboolean can)
{
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (self->button)), ==, words);
  if (gtk_widget_get_sensitive (self->button) != can)
    g_error ("“%s” can %sbe pressed", words, can ? "not " : "");
}

static gboolean
shows_picture (LsLabDialog *self)
{
  const gboolean shown = gtk_stack_get_visible_child (GTK_STACK (self->pages)) == self->picture;

  g_assert_cmpint (gtk_widget_get_sensitive (self->save), ==, shown); /* what can be seen can be saved */
  return shown;
}

/* "": nothing is said. */
static void
assert_said (LsLabDialog *self, const char *words)
{
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (self->said_label)), ==, words);
  g_assert_cmpint (gtk_widget_get_visible (self->said_box), ==, *words != '\0');
}

static LsLabDialog *
open_lab (View *view)
{
  hand_over (view, running ());
  ls_lab_dialog_present (NULL, view->session);
  LsLabDialog *self = rig_toplevel (LS_TYPE_LAB_DIALOG);
  g_assert_nonnull (self);
  return self;
}

/* Pressed, and the lanes are being opened. */
static void
begin_lab (LsLabDialog *self)
{
  static guint times;

  g_signal_emit_by_name (self->button, "clicked");
  assert_button (self, "_Stop", TRUE);
  g_assert_true (gtk_widget_get_visible (self->bar));
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (self->bar)), ==, "opening the lanes");
  g_assert_cmpfloat (fraction (self->bar), ==, 0);
  played_wait_labs (++times);
}

static void
wait_ended (LsLabDialog *self)
{
  for (guint i = 0; i < 1000 && self->task != NULL; i++)
    rig_wait_ms (10);
  g_assert_null (self->task);
  g_assert_false (gtk_widget_get_visible (self->bar));
}

static LsLabResult *
part_of (const LsLabResult *whole, guint n)
{
  LsLabResult *part = ls_lab_result_copy (whole);

  g_array_set_size (part->tried, n);
  part->ended = FALSE;
  return part;
}

/* Size by size, with another experiment looked at meanwhile; stopped, gone on with, and done. */
static void
test_lab (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  LsLabResult *whole = lab_fixture_find (results, "batch");
  g_autoptr (LsLabResult) two = part_of (whole, 2);
  g_autoptr (View) view = view_new ();
  LsLabDialog *self = open_lab (view);
  const guint n = whole->n_sizes;
  g_autofree char *first = g_strdup_printf ("1 of %u: batch 16, 13 s left", n),
                  *later = g_strdup_printf ("1 of %u: batch 16, 8 s left", n),
                  *late = g_strdup_printf ("1 of %u: batch 16, 0 s left", n),
                  *third = g_strdup_printf ("3 of %u: batch 64, 4 s left", n),
                  *last = g_strdup_printf ("%u of %u: batch 64, 1 s left", n, n),
                  *stopped = g_strdup_printf (
                    "Stopped: 2 of %u sizes are measured and kept; the rest can follow later.", n),
                  *broken = g_strdup_printf ("%s, broken off: 2 of %u sizes", whole->date, n),
                  *done = g_strdup_printf ("%s, %u sizes", whole->date, n);

  g_assert_cmpuint (n, >, 4);
  played_clock (1000000);
  /* a recording that is played back meanwhile is no run that could be measured */
  const LsSessionMode mode = ls_session_mode (view->session);
  for (gint back = 2; back-- > 0;)
    {
      view->session->mode = back ? LS_SESSION_PLAYBACK : mode;
      ls_session_emit_state (view->session);
      if (gtk_widget_get_visible (self->button) == back)
        g_error ("a recording %s played back: it can %sbe measured", back ? "is" : "was", back ? "" : "not ");
    }
  select_row (self, &ls_experiment_batch);
  assert_button (self, "_Measure", TRUE);
  begin_lab (self);
  g_assert_true (played.lab.experiment == &ls_experiment_batch);
  g_assert_false (played.lab.anew);
  g_assert_cmpstr (kept_words (self, &ls_experiment_batch), ==, "being measured");
  g_assert_cmpstr (kept_words (self, &ls_experiment_width), ==, "");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (self->empty)), ==,
                   "The first point comes when every lane has had its turn at it.");
  g_assert_false (shows_picture (self));

  /* what is left counts down from when it was told, and not below nothing */
  played_lab_news (&(LsLabNews){ .n = n, .spot = { 16, 0 }, .seconds_left = 12.4 });
  rig_wait_bar (self->bar, first);
  rig_assert_says (self->bar, GTK_ACCESSIBLE_PROPERTY_LABEL, "Sizes measured");
  g_assert_cmpfloat (fraction (self->bar), ==, 0);
  played_clock (6000000);
  rig_wait_bar (self->bar, later);
  played_clock (60000000);
  rig_wait_bar (self->bar, late);

  /* a problem is told at once and stays, a word beside it isn't one */
  assert_said (self, "");
  played_lab_news (&(LsLabNews){ .n = n, .spot = { 16, 0 }, .said = "It is warm here.", .problem = FALSE });
  played_lab_news (
    &(LsLabNews){ .n = n, .spot = { 16, 0 }, .said = "One lane is missing.", .problem = TRUE });
  wait_label (self->said_label, "One lane is missing.");
  assert_said (self, "One lane is missing.");
  played_lab_news (&(LsLabNews){ .done = 2,
                                 .n = n,
                                 .spot = { 64, 0 },
                                 .seconds_left = 3.2,
                                 .result = two,
                                 .said = "Another one was slow.",
                                 .problem = TRUE });
  rig_wait_bar (self->bar, third);
  g_assert_cmpfloat (fraction (self->bar), ==, 2. / n);
  wait_label (self->said_label, "One lane is missing.\nAnother one was slow.");
  g_assert_true (shows_picture (self));
  g_assert_true (ls_lab_picture_get (LS_LAB_PICTURE (self->picture)) == two);
  g_assert_cmpstr (kept_words (self, &ls_experiment_batch), ==, "being measured");

  /* the button is that of what is measured, whatever is looked at */
  select_row (self, &ls_experiment_width);
  assert_button (self, "_Stop", TRUE);
  g_assert_false (shows_picture (self));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (self->empty)), "Not measured with these"));
  assert_said (self, "One lane is missing.\nAnother one was slow.");
  select_row (self, &ls_experiment_batch);
  g_assert_true (shows_picture (self));

  /* stopped: it can't be pressed twice; then it can be gone on with, and what was said is about this one */
  played_lab_news (&(LsLabNews){ .done = n, .n = n, .spot = { 64, 0 }, .seconds_left = .3, .result = two });
  rig_wait_bar (self->bar, last);
  played_deaf (TRUE);
  g_signal_emit_by_name (self->button, "clicked");
  assert_button (self, "_Stop", FALSE);
  rig_wait_bar (self->bar, "stopping");
  played_deaf (FALSE);
  wait_ended (self);
  assert_button (self, "_Go On", TRUE);
  g_assert_cmpstr (kept_words (self, &ls_experiment_batch), ==, broken);
  g_autofree char *all = g_strdup_printf ("%s\nOne lane is missing.\nAnother one was slow.", stopped);
  assert_said (self, all);
  g_assert_true (shows_picture (self));
  select_row (self, &ls_experiment_width);
  assert_said (self, "");
  assert_button (self, "_Measure", TRUE);
  select_row (self, &ls_experiment_batch);
  assert_said (self, "");

  /* gone on with, and done */
  begin_lab (self);
  g_assert_false (played.lab.anew);
  played_lab_news (&(LsLabNews){ .done = n, .n = n, .result = whole });
  played_lab_end (ls_lab_result_ref (whole), NULL);
  wait_ended (self);
  assert_button (self, "Measure _Again", TRUE);
  g_assert_cmpstr (kept_words (self, &ls_experiment_batch), ==, done);
  assert_said (self, "");
  g_assert_true (ls_lab_picture_get (LS_LAB_PICTURE (self->picture)) == whole);

  /* again is from the first size on; Escape stops, and after that closes */
  begin_lab (self);
  g_assert_true (played.lab.anew);
  rig_press_shortcut (GTK_WIDGET (self), GDK_KEY_Escape);
  assert_button (self, "_Stop", FALSE);
  wait_ended (self);
  assert_said (self, "Stopped before the first size was measured.");
  g_assert_cmpuint (view->n_messages, ==, 0);
  rig_press_shortcut (GTK_WIDGET (self), GDK_KEY_Escape);
  rig_settle ();
  g_assert_null (rig_toplevel (LS_TYPE_LAB_DIALOG));
  played_clock (-1);
}

/* Why it failed is a sentence; of a dialog that was closed the window says it. */
static void
test_lab_fails (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  g_autoptr (LsLabResult) one = part_of (lab_fixture_find (results, "batch"), 1);
  g_autoptr (View) view = view_new ();
  LsLabDialog *self = open_lab (view);

  select_row (self, &ls_experiment_batch);
  begin_lab (self);
  played_lab_end (NULL, "no lane works");
  wait_ended (self);
  assert_said (self, "no lane works.");
  assert_button (self, "_Measure", TRUE);
  g_assert_cmpuint (view->n_messages, ==, 0);

  begin_lab (self);
  assert_said (self, ""); /* that was the one before */
  played_lab_news (&(LsLabNews){ .done = 1, .n = one->n_sizes, .spot = { 16, 0 }, .result = one });
  gtk_window_close (GTK_WINDOW (self));
  for (guint i = 0; i < 1000 && view->n_messages == 0; i++)
    rig_wait_ms (10);
  g_autofree char *stopped = g_strdup_printf (
    "Stopped: 1 of %u sizes are measured and kept; the rest can follow later.", one->n_sizes);
  g_assert_cmpstr (view->message, ==, stopped);
  g_assert_null (rig_toplevel (LS_TYPE_LAB_DIALOG));
}

/* What is shown is saved, as a picture or as a table, under the experiment's name; where it can't be, it is
 * said why. */
static void
test_save (void)
{
  static const struct {
    const char *what, *name, *begins;
  } rows[] = { { "csv", "batch.csv", "experiment," },
               { "svg", "batch.svg", "<?xml" },
               { "png", "batch.png", "\x89PNG" },
               { "pdf", "batch.pdf", "%PDF" } };
  g_autoptr (GPtrArray) results = lab_fixture (), saved = g_ptr_array_new ();
  g_autoptr (View) view = view_new ();
  LsLabDialog *self = open_lab (view);

  select_row (self, &ls_experiment_batch);
  gtk_widget_activate_action (GTK_WIDGET (self), "lab.save", "s", "csv");
  g_assert_null (played.name); /* there is nothing to save */
  begin_lab (self);
  g_ptr_array_add (saved, lab_fixture_find (results, "batch"));
  played_lab_news (&(LsLabNews){ .done = 1, .n = 1, .result = saved->pdata[0] });
  played_lab_end (ls_lab_result_ref (saved->pdata[0]), NULL);
  wait_ended (self);
  g_assert_true (shows_picture (self));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_build_filename (g_get_user_data_dir (), rows[i].name, NULL), *text = NULL,
                      *csv = ls_lab_csv (saved), *told = g_strdup_printf ("Saved “%s”.", rows[i].name);

      played.save_to = path;
      gtk_widget_activate_action (GTK_WIDGET (self), "lab.save", "s", rows[i].what);
      g_assert_cmpstr (played.name, ==, rows[i].name);
      g_assert_cmpstr (played.toast, ==, told);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      if (!g_str_has_prefix (text, rows[i].begins))
        g_error ("%s begins with “%.20s”", rows[i].name, text);
      if (i == 0)
        g_assert_cmpstr (text, ==, csv);
    }
  /* a file's letters are the file's, whatever the desktop's */
  g_autofree char *larger = g_build_filename (g_get_user_data_dir (), "larger.png", NULL),
                  *usual = g_build_filename (g_get_user_data_dir (), "batch.png", NULL);
  gsize n_usual, n_larger;
  g_autofree char *one = NULL, *other = NULL;
  played.save_to = larger;
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  gtk_widget_activate_action (GTK_WIDGET (self), "lab.save", "s", "png");
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024, NULL);
  g_assert_true (g_file_get_contents (usual, &one, &n_usual, NULL));
  g_assert_true (g_file_get_contents (larger, &other, &n_larger, NULL));
  if (n_usual != n_larger || memcmp (one, other, n_usual) != 0)
    g_error ("with larger letters on the desktop the saved picture is another one");
  g_clear_pointer (&played.toast, g_free);
  played.save_to = NULL;
  gtk_widget_activate_action (GTK_WIDGET (self), "lab.save", "s", "csv");
  g_assert_null (played.toast);
  played.save_to = "/nonexistent/lockstep/batch.csv";
  gtk_widget_activate_action (GTK_WIDGET (self), "lab.save", "s", "csv");
  g_assert_nonnull (played.toast);
  g_assert_nonnull (strstr (played.toast, "batch.csv"));
  g_assert_false (g_str_has_prefix (played.toast, "Saved"));
  g_clear_pointer (&played.toast, g_free);
  g_clear_pointer (&played.name, g_free);
  rig_press_shortcut (GTK_WIDGET (self), GDK_KEY_Escape);
  rig_settle ();
  g_assert_null (rig_toplevel (LS_TYPE_LAB_DIALOG));
}

int
main (int argc, char **argv)
{
  int status;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-measured-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", folder, TRUE); /* nothing is kept there */
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/measured/lab", test_lab);
  g_test_add_func ("/measured/lab-fails", test_lab_fails);
  g_test_add_func ("/measured/save", test_save);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
