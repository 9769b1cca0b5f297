/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's dialog while it is at work, and what came of that: what it is asked for is the run's own
 * network, what is faster from now on is told, and training goes on as it did.
 */
#include "config.h"
#include "played.h"
#include "rig.h"
#include "session_rig.h"

#include <string.h>

#include "data/datadir.h"
#include "ui/app/dialogs/tune_dialog.h"

static double
fraction (GtkWidget *bar)
{
  return gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (bar));
}

static GtkWidget *
tune_button (GtkWidget *dialog)
{
  for (guint i = 0;; i++)
    {
      GtkWidget *button = rig_find_nth (dialog, GTK_TYPE_BUTTON, i);
      const char *words = gtk_button_get_label (GTK_BUTTON (button));
      if (words != NULL && *words == '_')
        return button;
    }
}

static void
wait_tune (GtkWidget *dialog, const char *button)
{
  for (guint i = 0;
       i < 1000 && strcmp (gtk_button_get_label (GTK_BUTTON (tune_button (dialog))), button) != 0; i++)
    rig_wait_ms (10);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (tune_button (dialog))), ==, button);
}

static GtkWidget *
open_tune (LsSession *session)
{
  ls_tune_dialog_present (NULL, session);
  GtkWidget *dialog = rig_toplevel (LS_TYPE_TUNE_DIALOG);
  g_assert_nonnull (dialog);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (tune_button (dialog))), ==, "_Start");
  g_assert_true (gtk_widget_has_css_class (tune_button (dialog), "suggested-action"));
  g_assert_false (gtk_widget_get_visible (rig_find_kind (dialog, GTK_TYPE_PROGRESS_BAR)));
  return dialog;
}

/* The label that begins so; its place among the labels. */
static guint
label_at (GtkWidget *dialog, const char *prefix)
{
  for (guint i = 0;; i++)
    if (g_str_has_prefix (rig_label (dialog, i), prefix))
      return i;
}

static void
close_tune (GtkWidget *dialog)
{
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (tune_button (dialog))), ==, "_Close");
  g_assert_true (gtk_widget_get_sensitive (tune_button (dialog)));
  g_assert_false (gtk_widget_has_css_class (tune_button (dialog), "suggested-action"));
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (dialog)); /* Enter closes it */
  if (focus != tune_button (dialog))
    g_error ("it is done, and the focus is on %s", focus != NULL ? G_OBJECT_TYPE_NAME (focus) : "nothing");
  g_assert_false (gtk_widget_get_visible (rig_find_kind (dialog, GTK_TYPE_PROGRESS_BAR)));
  g_signal_emit_by_name (tune_button (dialog), "clicked");
  rig_settle ();
  g_assert_null (rig_toplevel (LS_TYPE_TUNE_DIALOG));
}

static void
test_tune_nothing (void)
{
  g_autoptr (LsSession) session = ls_session_new ();
  GtkWidget *dialog = open_tune (session);

  g_signal_emit_by_name (tune_button (dialog), "clicked");
  wait_tune (dialog, "_Close");
  label_at (dialog, "There is no run to tune for yet.");
  close_tune (dialog);
}

static LsTunedEntry *
entry_of (const char *example, double shipped, double best, gint64 tried)
{
  LsTunedEntry *e = g_new0 (LsTunedEntry, 1);

  e->op = g_strdup ("matmul");
  e->example = g_strdup (example);
  e->shipped_words = g_strdup ("packed VEC=4");
  e->words = g_strdup (best < shipped ? "packed VEC=8" : "packed VEC=4");
  e->shipped_us = (LsFigure){ shipped, "µs", LS_EVIDENCE_MEASURED, 9, shipped - 2, shipped + 3 };
  e->us = (LsFigure){ best, "µs", LS_EVIDENCE_MEASURED, 9, best - .5, best + .25 };
  e->tried = tried;
  return e;
}

static LsTuneResult *
result_of (guint better)
{
  LsTuneResult *result = g_new0 (LsTuneResult, 1);

  result->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  result->dropped = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (result->entries, entry_of ("0×0", 500, 500, 7)); /* its shipped one stays */
  for (guint i = 1; i <= better; i++)
    {
      g_autofree char *example = g_strdup_printf ("%u×%u", i, i);
      /* the more is saved, the less of it that is: by the time, not by the times */
      g_ptr_array_add (result->entries, entry_of (example, 30. * i * i, 30. * i * i - 20. * i, 10));
    }
  return result;
}

/* Rows are of what runs faster from now on, what saves most first, twelve at most. */
static void
assert_results (GtkWidget *dialog, guint better)
{
  guint at = label_at (dialog, better == 1
                                 ? "1 of 2 ops runs on a better kernel from now on; 17 candidates"
                                 : "14 of 15 ops run on better kernels from now on; 147 candidates");

  g_assert_true (g_str_has_suffix (rig_label (dialog, at), " were tried."));
  at = better > 0 ? label_at (dialog, "matmul ") : 0;
  for (guint i = better; i > 0 && better - i < 12; i--, at += 2)
    {
      const double shipped = 30. * i * i, best = shipped - 20. * i;
      g_autofree char *head = g_strdup_printf ("matmul %u×%u: packed VEC=8", i, i),
                      *line = g_strdup_printf (
                        "%.1f µs [%.1f … %.1f] instead of %.1f µs [%.1f … %.1f]: %.2f times as fast", best,
                        best - .5, best + .25, shipped, shipped - 2, shipped + 3, shipped / best);
      g_assert_cmpstr (rig_label (dialog, at), ==, head);
      g_assert_cmpstr (rig_label (dialog, at + 1), ==, line);
    }
  g_assert_cmpstr (rig_label (dialog, at), ==,
                   "“lockstep tune --list” shows all of them, “--forget” removes them.");
}

static guint times; /* the tuner was begun */

/* Asked for the run's own network; what is tried, how it ends, and that training goes on as it did. */
static void
test_tune (void)
{
  g_autoptr (LsOptions) options = small ("cpu(threads=1)");
  Watch w;

  watch (&w);
  ls_session_train (w.session, options);
  wait_for (&w, trained, 5, "five steps");
  for (guint end = 0; end < 4; end++) /* stopped, failed, one is better, many are */
    {
      const gboolean playing = end != 1;
      GtkWidget *dialog = open_tune (w.session), *bar = rig_find_kind (dialog, GTK_TYPE_PROGRESS_BAR),
                *detail = gtk_widget_get_next_sibling (bar);
      const guint kept = played.n_kept;

      ls_session_set_playing (w.session, playing);
      g_signal_emit_by_name (tune_button (dialog), "clicked");
      g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (tune_button (dialog))), ==, "_Stop");
      label_at (dialog, "Training rests while kernels are tried.");
      g_assert_true (gtk_widget_get_visible (bar) && gtk_widget_get_visible (detail));
      g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), ==, "starting");
      g_assert_false (ls_session_playing (w.session));
      played_wait_tunes (++times);
      g_assert_cmpuint (played.tune.n_plans, ==, 1);
      g_assert_cmpuint (played.tune.seconds, ==, 30);
      g_assert_cmpstr (played.tune.device, ==, options->device);
      g_assert_cmpstr (played.tune.plans[0].model, ==, options->model);
      g_assert_cmpint (played.tune.plans[0].n_classes, ==, 3);
      g_assert_cmpuint (played.tune.plans[0].batch, ==, 64);
      for (guint k = 0; k < 3; k++)
        g_assert_cmpint (played.tune.plans[0].shape[k], ==, k == 0 ? 2 : 1);
      played_tune_progress (&(LsTuneProgress){
        .n_tasks = 4, .op = "matmul", .example = "64×64", .candidate = "tiled", .seconds_left = 20.2 });
      rig_wait_bar (bar, "1 of 4, at most 21 s left");
      rig_assert_says (bar, GTK_ACCESSIBLE_PROPERTY_LABEL, "Tuning");
      g_assert_cmpfloat (fraction (bar), ==, 0);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (detail)), ==, "matmul 64×64, tiled");
      played_tune_progress (&(LsTuneProgress){ .task = 3,
                                               .n_tasks = 4,
                                               .op = "conv",
                                               .example = "3×3",
                                               .candidate = "packed VEC=8",
                                               .seconds_left = 2 });
      rig_wait_bar (bar, "4 of 4, at most 2 s left");
      g_assert_cmpfloat (fraction (bar), ==, .75);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (detail)), ==, "conv 3×3, packed VEC=8");
      played_tune_progress (&(LsTuneProgress){ .task = 4,
                                               .n_tasks = 4,
                                               .op = "conv",
                                               .example = "3×3",
                                               .candidate = "packed VEC=8",
                                               .seconds_left = 0 });
      rig_wait_bar (bar, "4 of 4, at most 0 s left");
      if (end == 0)
        {
          g_signal_emit_by_name (tune_button (dialog), "clicked");
          g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (tune_button (dialog))), ==, "_Stop");
          g_assert_false (gtk_widget_get_sensitive (tune_button (dialog)));
        }
      else
        played_tune_end (end == 1 ? NULL : result_of (end == 2 ? 1 : 14),
                         end == 1 ? "The device is gone." : NULL);
      wait_tune (dialog, "_Close");
      g_assert_cmpuint (played.n_kept, ==, kept + (end >= 2));
      if (end >= 2)
        assert_results (dialog, end == 2 ? 1 : 14);
      else
        label_at (dialog,
                  end == 0 ? "Stopped. What was kept from earlier is as it was." : "The device is gone.");
      g_assert_cmpint (ls_session_playing (w.session), ==, playing);
      close_tune (dialog);
    }
  watch_end (&w);
}

static void
tuned_cb (GObject *session, GAsyncResult *result, gpointer done)
{
  g_autoptr (LsTuneResult) found = ls_session_tune_finish (LS_SESSION (session), result, NULL);

  *(gboolean *) done = found != NULL;
}

/* Who holds the key for full speed still holds it when the tuner is done. */
static void
test_tune_held (void)
{
  g_autoptr (LsOptions) options = small ("cpu(threads=1)");
  gboolean done = FALSE;
  Watch w;

  watch (&w);
  options->pace = LS_PACE_WATCH;
  ls_session_train (w.session, options);
  wait_for (&w, trained, 5, "five steps");
  ls_session_hold_full (w.session, TRUE);
  g_object_unref (ls_session_tune (w.session, NULL, tuned_cb, &done));
  played_wait_tunes (++times);
  played_tune_end (result_of (1), NULL);
  rig_wait_for (&done);
  wait_for (&w, trained, ls_session_snapshot (w.session)->lanes[0].steps + 200, "200 steps more");
  if (ls_session_snapshot (w.session)->options->pace != LS_PACE_FULL)
    g_error ("the key for full speed is held, and after the tuner the lanes go at pace %d",
             (int) ls_session_snapshot (w.session)->options->pace);
  ls_session_hold_full (w.session, FALSE);
  watch_end (&w);
}

static gboolean
plays_file (const Watch *w, guint64 unused)
{
  return ls_session_mode (w->session) == LS_SESSION_PLAYBACK;
}

/* A recording that was played when the tuner began isn't training: it rests afterwards. */
static void
test_tune_recording (void)
{
  g_autoptr (LsOptions) options = small ("cpu(threads=1)");
  g_autofree char *path = ls_data_dir_find ("recordings/mlp.lockstep");
  GtkWidget *dialog;
  Watch w;

  watch (&w);
  ls_session_train (w.session, options);
  wait_for (&w, trained, 5, "five steps");
  ls_session_open (w.session, path);
  wait_for (&w, plays_file, 0, "the recording");
  g_assert_true (ls_session_playing (w.session));
  dialog = open_tune (w.session);
  g_signal_emit_by_name (tune_button (dialog), "clicked");
  played_wait_tunes (++times);
  played_tune_end (result_of (1), NULL);
  wait_tune (dialog, "_Close");
  if (ls_session_playing (w.session))
    g_error ("the recording is played on as if it were training");
  close_tune (dialog);
  watch_end (&w);
}

/* Nor is one that was opened and stopped while the tuner worked, though it trained before. */
static void
test_tune_opened (void)
{
  g_autoptr (LsOptions) options = small ("cpu(threads=1)");
  g_autofree char *path = ls_data_dir_find ("recordings/mlp.lockstep");
  gboolean done = FALSE;
  Watch w;

  watch (&w);
  ls_session_train (w.session, options);
  wait_for (&w, trained, 5, "five steps");
  g_object_unref (ls_session_tune (w.session, NULL, tuned_cb, &done));
  played_wait_tunes (++times);
  ls_session_open (w.session, path);
  wait_for (&w, plays_file, 0, "the recording");
  ls_session_set_playing (w.session, FALSE);
  played_tune_end (result_of (1), NULL);
  rig_wait_for (&done);
  if (ls_session_playing (w.session))
    g_error ("a recording that was stopped while the tuner worked is played when it is done");
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/tuned/nothing", test_tune_nothing);
  g_test_add_func ("/tuned/dialog", test_tune);
  g_test_add_func ("/tuned/held", test_tune_held);
  g_test_add_func ("/tuned/recording", test_tune_recording);
  g_test_add_func ("/tuned/opened", test_tune_opened);
  return g_test_run ();
}
