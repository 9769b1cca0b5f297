/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is opened, and what becomes of it: data of one's own are looked at and trained with, recordings are
 * played back, a recording's network is trained, kernels are edited in a folder; and who is asked for files.
 */
#include "config.h"
#include "window_asked.h"

#include <string.h>

#include <glib/gstdio.h>
#include "data/dataset.h"
#include "tests/folder.h"
#include "ui/app/canvas/canvas_private.h"
#include "ui/app/settings/settings_bar.h"
#include "ui/app/settings/settings_row.h"

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* 90 lines of two numbers and a word, of three words. */
static char *
write_trees (const char *name)
{
  static const char *const words[] = { "oak", "ash", "elm" };
  g_autoptr (GString) text = g_string_new (NULL);
  char *path = in_folder (name);

  for (guint i = 0; i < 90; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i, i * 7 % 10, words[i % 3]);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

static char *
write_text (const char *name, const char *text)
{
  char *path = in_folder (name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* What is read comes only to a window that is there. */
static LsWindow *
shown_window (guint steps)
{
  LsWindow *self = window_of (steps);

  gtk_window_present (GTK_WINDOW (self));
  rig_settle ();
  asked_clear ();
  return self;
}

static void
open_path (LsWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ls_window_open (file, self);
}

/* Opened, and still being read a while later. */
static void
show_reading (LsWindow *self, const char *path)
{
  open_path (self, path);
  while (!gtk_widget_get_visible (self->reading))
    {
      g_main_context_iteration (NULL, TRUE);
      ls_settings_bar_tick (self->reading, 2 * LS_SETTINGS_BAR_US);
    }
}

static void
assert_no_reading (LsWindow *self, const char *when)
{
  ls_settings_bar_tick (self->reading, 2 * LS_SETTINGS_BAR_US);
  if (gtk_widget_get_visible (self->reading))
    g_error ("%s, and the bar of what was opened before stays", when);
}

/* Nothing comes any more. */
static void
assert_nothing_comes (void)
{
  const WindowAsked before = asked;

  rig_wait_ms (300);
  g_assert_cmpuint (asked.n_trained, ==, before.n_trained);
  g_assert_cmpuint (asked.n_opened, ==, before.n_opened);
  g_assert_cmpuint (asked.n_toasts, ==, before.n_toasts);
}

/* ---- files ---- */

/* Data are read and trained with, with what was read; what is called so, or isn't there, is a recording's. */
static void
test_open (void)
{
  g_autofree char *trees = write_trees ("trees.csv"), *called = write_trees ("trees.lockstep"),
                  *notes = write_text ("notes.txt", "Nothing is counted here.\n"),
                  *gone = in_folder ("gone.csv");
  const char *const opened[] = { called, gone };
  LsWindow *self = shown_window (1);

  open_path (self, trees);
  asked_wait (&asked.n_trained, 1);
  g_assert_cmpstr (asked.options->data, ==, trees);
  g_assert_cmpstr (asked.options->model, ==, "flatten, dense 32, relu, dense 3");
  g_assert_nonnull (asked.read);
  g_assert_cmpint (asked.read->n_classes, ==, 3);
  g_assert_cmpuint (asked.n_opened + asked.n_toasts, ==, 0);
  g_assert_cmpstr (ls_settings_pane_running (LS_SETTINGS_PANE (self->settings))->data, ==, trees);
  g_assert_false (ls_settings_pane_is_pending (LS_SETTINGS_PANE (self->settings)));
  for (guint i = 0; i < G_N_ELEMENTS (opened); i++)
    {
      open_path (self, opened[i]);
      asked_wait (&asked.n_opened, i + 1);
      g_assert_cmpstr (asked.opened, ==, opened[i]);
      g_assert_cmpuint (asked.n_trained, ==, 1);
    }
  open_path (self, notes); /* a text may be a table */
  asked_wait (&asked.n_toasts, 1);
  g_assert_nonnull (strstr (asked.toast, "notes.txt"));
  g_autoptr (GFile) far = g_file_new_for_uri ("http://example.org/a.csv");
  ls_window_open (far, self);
  g_assert_cmpstr (asked.toast, ==,
                   "“http://example.org/a.csv” is not a file on this machine; copy it here first.");
  assert_nothing_comes ();
  window_gone (self);
}

/* What can't be read is told. A run that is on goes on; the window that was opened for it trains otherwise.
 */
static void
test_open_bad (void)
{
  g_autofree char *bad = write_text ("bad.csv", "1,2,x\n3,4\n"), *empty = in_folder ("empty");

  g_mkdir (empty, 0700);
  for (guint i = 0; i < 4; i++)
    {
      const gboolean live = i % 2 == 0;
      LsWindow *self = shown_window (live ? 1 : 0);
      g_autofree char *data = g_strdup (ls_settings_pane_options (LS_SETTINGS_PANE (self->settings))->data);

      open_path (self, i < 2 ? bad : empty);
      asked_wait (&asked.n_toasts, 1);
      if (i < 2)
        g_assert_nonnull (strstr (asked.toast, "“bad.csv”, line 2 has 2 fields"));
      else
        g_assert_nonnull (strstr (asked.toast, "“empty”"));
      asked_wait (&asked.n_trained, live ? 0 : 1);
      g_assert_cmpuint (asked.n_opened, ==, 0);
      if (!live)
        g_assert_cmpstr (asked.options->data, ==, data);
      window_gone (self);
    }
}

/* What has no text for a path can be read but not trained with: that is told, and the run goes on. */
static void
test_no_text (void)
{
  g_autofree char *path = write_trees ("tr\xe9"
                                       "es.csv");

  for (guint live = 0; live < 2; live++)
    {
      LsWindow *self = shown_window (live);

      open_path (self, path);
      asked_wait (&asked.n_toasts, 1);
      g_assert_cmpstr (
        asked.toast, ==,
        "“tr�es.csv” can’t be trained with, because its path isn’t UTF-8 text; rename it first.");
      if (asked.n_trained != !live)
        g_error ("data that can't be trained with %s", live ? "end the run that was on" : "train nothing");
      window_gone (self);
    }
}

/* Of two the one that was opened later counts; none counts for a window that is closed. */
static void
test_newest (void)
{
  g_autofree char *first = write_trees ("first.csv"), *second = write_trees ("second.csv");
  LsWindow *self = shown_window (1);

  open_path (self, "/nowhere/step.lockstep"); /* nor a recording */
  open_path (self, first);
  open_path (self, second);
  asked_wait (&asked.n_trained, 1);
  g_assert_cmpstr (asked.options->data, ==, second);
  assert_nothing_comes ();
  open_path (self, first);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-example", "s", "mlp");
  asked_wait (&asked.n_opened, 1);
  g_assert_true (g_str_has_suffix (asked.opened, "recordings/mlp.lockstep"));
  assert_nothing_comes ();
  g_assert_cmpuint (asked.n_trained, ==, 1);
  show_reading (self, first);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-example", "s", "mlp");
  assert_no_reading (self, "an example is opened");
  asked_wait (&asked.n_opened, 2);
  assert_nothing_comes ();
  open_path (self, first);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  assert_nothing_comes ();
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-example", "s", "nosuch");
  g_assert_cmpstr (asked.toast, ==, "The example recordings aren’t installed.");
  window_gone (self);
}

/* ---- whom a file is asked for ---- */

static void
test_asked (void)
{
  g_autofree char *trees = write_trees ("trees.csv"), *recording = in_folder ("a.lockstep");
  LsWindow *self = shown_window (1);
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.open", NULL);
  asked_assert (LS_CHOOSE_OPEN, "Open a Recording", NULL, "*.lockstep");
  g_assert_cmpstr (asked.pattern_name, ==, "Recordings");
  asked_answer (recording);
  asked_wait (&asked.n_opened, 1);
  g_assert_cmpstr (asked.opened, ==, recording);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.lay-over", "s", "file");
  asked_assert (LS_CHOOSE_OPEN, "Lay a Recording over the Timeline", NULL, "*.lockstep");
  asked_answer (recording);
  g_assert_cmpuint (asked.n_laid, ==, 1);
  g_assert_cmpstr (asked.laid, ==, recording);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.lay-over", "s", "file");
  asked_answer (NULL);
  g_assert_cmpuint (asked.n_laid, ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-data", NULL);
  asked_assert (LS_CHOOSE_FOLDER, "Open a Folder with Data", NULL, NULL);
  asked_answer (trees);
  asked_wait (&asked.n_trained, 1);
  /* the settings' own only wish for it */
  g_signal_emit_by_name (pane, "choose-folder");
  asked_assert (LS_CHOOSE_FOLDER, "Open a Folder with Data", NULL, NULL);
  asked_answer (NULL);
  g_assert_false (ls_settings_pane_is_pending (pane));
  g_autofree char *others = write_trees ("others.csv");
  g_signal_emit_by_name (pane, "choose-file");
  asked_assert (LS_CHOOSE_OPEN, "Open a File with Data", NULL, NULL);
  asked_answer (others);
  g_assert_true (ls_settings_pane_is_pending (pane));
  g_assert_cmpstr (ls_settings_pane_options (pane)->data, ==, others);
  g_assert_cmpuint (asked.n_trained, ==, 1);
  window_gone (self);
}

/* ---- the network of a recording ---- */

/* Played back, with data called so. */
static void
play_back (LsWindow *self, const char *data)
{
  LsRecording *recording = ls_session_shown (self->session);

  self->session->mode = LS_SESSION_PLAYBACK;
  g_hash_table_insert (recording->options, g_strdup ("data"), g_strdup (data));
  g_hash_table_insert (recording->options, g_strdup ("seed"), g_strdup ("77"));
  ls_session_emit_state (self->session);
}

/* It begins with the recording's network, data, batch and seed; the lanes are the window's own. */
static void
test_train_network (void)
{
  LsWindow *self = shown_window (1);
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);
  LsRecording *recording = ls_session_shown (self->session);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL); /* none is played back */
  assert_nothing_comes ();
  g_assert_cmpuint (asked.n_trained, ==, 0);
  ls_window_set_option (self, "threads", "3");
  play_back (self, "mnist");
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  asked_wait (&asked.n_trained, 1);
  g_assert_cmpstr (asked.options->data, ==, "mnist");
  g_assert_cmpstr (asked.options->model, ==,
                   recording->model_name != NULL ? recording->model_name : recording->model);
  g_assert_cmpint (asked.options->batch, ==, recording->batch);
  g_assert_cmpint (asked.options->seed, ==, 77);
  g_assert_cmpint (asked.options->threads, ==, 3);
  g_assert_null (asked.read);
  g_assert_cmpuint (asked.n_toasts, ==, 0);
  g_assert_cmpint (ls_settings_pane_running (pane)->seed, ==, 77);
  g_assert_false (ls_settings_pane_is_pending (pane));
  ls_window_set_option (self, "threads", "0");
  window_gone (self);
}

/* Its data are looked at first: others are told, and so is what is trained on in their place. */
static void
test_train_elsewhere (void)
{
  g_autofree char *trees = write_trees ("trees.csv"), *gone = in_folder ("gone.csv"),
                  *bad = write_text ("bad.csv", "1,2,x\n3,4\n");
  LsWindow *self = shown_window (1);
  LsRecording *recording = ls_session_shown (self->session);

  /* they are of another kind than the network takes: 1×28×28 */
  play_back (self, trees);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  asked_wait (&asked.n_toasts, 1);
  g_assert_cmpstr (
    asked.toast, ==,
    "The data “trees.csv” aren’t what they were when this was recorded, and don’t fit its network.");
  play_back (self, bad);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  asked_wait (&asked.n_toasts, 2);
  g_assert_nonnull (strstr (asked.toast, "“bad.csv”, line 2 has 2 fields"));
  g_assert_cmpuint (asked.n_trained, ==, 0);
  /* there is nothing there: those of the settings fit */
  play_back (self, gone);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  asked_wait (&asked.n_trained, 1);
  g_assert_true (g_str_has_prefix (
    asked.toast, "The recording’s data “gone.csv” aren’t here; its network is trained on “mnist”"));
  g_assert_cmpstr (asked.options->data, ==, "mnist");
  g_assert_cmpint (asked.options->seed, ==, 77);
  g_assert_null (asked.read);
  /* or they don't */
  ls_settings_pane_set_data (LS_SETTINGS_PANE (self->settings), "spiral");
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  asked_wait (&asked.n_toasts, 4);
  g_assert_true (g_str_has_prefix (
    asked.toast, "The recording’s data “gone.csv” aren’t here, and “spiral” don’t fit its network"));
  g_assert_cmpuint (asked.n_trained, ==, 1);
  /* they are there and fit */
  recording->in_shape[0] = 2;
  recording->in_shape[1] = recording->in_shape[2] = 1;
  recording->n_classes = 3;
  play_back (self, trees);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  asked_wait (&asked.n_trained, 2);
  g_assert_cmpstr (asked.options->data, ==, trees);
  g_assert_nonnull (asked.read);
  g_assert_cmpuint (asked.n_toasts, ==, 4);
  /* what was opened meanwhile counts */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-example", "s", "mlp");
  asked_wait (&asked.n_opened, 1);
  assert_nothing_comes ();
  g_assert_cmpuint (asked.n_trained, ==, 2);
  show_reading (self, trees);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  assert_no_reading (self, "the recording's network is wanted");
  asked_wait (&asked.n_trained, 3);
  /* pressed twice, it is one run; and it takes the place of what was opened before */
  open_path (self, bad);
  for (guint i = 0; i < 2; i++)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.train-network", NULL);
  asked_wait (&asked.n_trained, 4);
  assert_nothing_comes ();
  g_assert_cmpuint (asked.n_trained, ==, 4);
  g_assert_cmpuint (asked.n_toasts, ==, 4);
  window_gone (self);
}

/* ---- settings ---- */

/* They are opened, with the keyboard in them, and closed, with it back in the picture; for the projector they
 * stand aside no more. Which devices there are is asked for once, when it can be seen. */
static void
test_settings (void)
{
  LsWindow *self = shown_window (1);
  GListModel *devices = gtk_drop_down_get_model (
    GTK_DROP_DOWN (rig_find (self->settings, LS_SETTINGS_ID "device")));

  self->listed = FALSE;
  for (guint turn = 0; turn < 5; turn++)
    {
      const gboolean shown = turn % 2 == 0;
      GtkWidget *focus;

      if (turn == 4)
        ls_window_set_projector (self, TRUE);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.settings", NULL);
      rig_wait_mapped (self->settings, shown);
      g_assert_cmpint (gtk_revealer_get_reveal_child (GTK_REVEALER (self->settings_revealer)), ==, shown);
      g_assert_false (self->projector);
      focus = gtk_window_get_focus (GTK_WINDOW (self));
      if (shown ? !gtk_widget_is_ancestor (focus, self->settings) : focus != self->canvas)
        g_error ("the settings are %s, and the keyboard is in a %s", shown ? "open" : "closed",
                 G_OBJECT_TYPE_NAME (focus));
      rig_settle ();
      if (asked.n_listed != 1)
        g_error ("devices are asked for %u times when the settings are opened %u times", asked.n_listed,
                 turn / 2 + 1);
      g_assert_cmpuint (g_list_model_get_n_items (devices), ==, 3); /* and the best one */
    }
  window_gone (self);
}

/* A run anew has the pane's settings and the header's pace, and is what the pane then calls the run's. */
static void
test_run_again (void)
{
  LsWindow *self = shown_window (1);
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);

  ls_session_set_pace (self->session, LS_PACE_STEP);
  ls_settings_pane_set_data (pane, "spiral");
  g_assert_true (ls_settings_pane_is_pending (pane));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.run-again", NULL);
  g_assert_cmpuint (asked.n_trained, ==, 1);
  g_assert_cmpstr (asked.options->data, ==, "spiral");
  g_assert_cmpint (asked.options->pace, ==, LS_PACE_STEP);
  g_assert_null (asked.read);
  g_assert_cmpstr (ls_settings_pane_running (pane)->data, ==, "spiral");
  g_assert_false (ls_settings_pane_is_pending (pane));
  window_gone (self);
}

int
main (int argc, char **argv)
{
  int status;

  window_rig_init (&argc, &argv);
  folder = g_dir_make_tmp ("lockstep-opened-XXXXXX", NULL);
  g_test_add_func ("/window/opened/open", test_open);
  g_test_add_func ("/window/opened/open-bad", test_open_bad);
  g_test_add_func ("/window/opened/no-text", test_no_text);
  g_test_add_func ("/window/opened/newest", test_newest);
  g_test_add_func ("/window/opened/asked", test_asked);
  g_test_add_func ("/window/opened/train-network", test_train_network);
  g_test_add_func ("/window/opened/train-elsewhere", test_train_elsewhere);
  g_test_add_func ("/window/opened/settings", test_settings);
  g_test_add_func ("/window/opened/run-again", test_run_again);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
