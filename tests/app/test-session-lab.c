/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The laboratory in the session: lanes rest while others are measured in child processes, what was broken off
 * is gone on with, what is kept and what a recording holds comes to the views, and whoever closes the window
 * doesn't wait.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "core/error.h"
#include "lab/kept.h"
#include "lab/lab.h"
#include "lab/worker.h"
#include "session_rig.h"
#include "tests/folder.h"
#include "ui/app/session/session_lab.h"

typedef struct {
  gboolean done;
  GError *error;
} Outcome;

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;
  LsLabResult *found = ls_session_lab_finish (LS_SESSION (source), result, &outcome->error);

  g_assert_true ((found == NULL) == (outcome->error != NULL));
  g_clear_pointer (&found, ls_lab_result_unref);
  outcome->done = TRUE;
}

/* A thread lets its task go, and with it the session, a moment after the task was done. */
static gboolean
alone (const Watch *w, guint64 owners)
{
  return g_atomic_int_get ((gint *) &G_OBJECT (w->session)->ref_count) == (gint) owners;
}

static gboolean
tick_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* begun: a size is being measured. */
static guint
sizes_done (GTask *task, gboolean *begun)
{
  LsSessionLab progress;
  guint done;

  g_assert_true (ls_session_lab_progress (task, &progress));
  done = progress.done;
  *begun = progress.words != NULL;
  if (progress.n > 0 && progress.result != NULL)
    {
      g_assert_cmpuint (progress.result->tried->len, ==, done);
      g_assert_cmpuint (progress.result->seconds, ==, LS_LAB_SECONDS);
      g_assert_cmpuint (progress.result->rounds, ==, LS_LAB_ROUNDS);
    }
  if (progress.words != NULL)
    g_assert_true (g_str_has_prefix (progress.words, "batch "));
  g_assert_cmpstr (progress.said, !=, NULL);
  ls_session_lab_clear (&progress);
  return done;
}

/* Until so many sizes are there; then it is stopped. */
static void
measure_to (const Watch *w, guint sizes)
{
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  Outcome outcome = { 0 };
  g_autoptr (GTask) task = ls_session_lab (w->session, &ls_experiment_batch, FALSE, cancel, finished_cb,
                                           &outcome);
  guint64 steps = 0;
  gboolean begun = FALSE;

  g_assert_false (ls_session_playing (w->session));
  for (guint done = 0; !outcome.done && done < sizes; done = sizes_done (task, &begun))
    {
      g_main_context_iteration (NULL, TRUE);
      if (!begun)
        steps = ls_session_snapshot (w->session)->lanes[0].steps;
    }
  g_assert_cmpuint (ls_session_snapshot (w->session)->lanes[0].steps, ==, steps); /* they rest */
  g_cancellable_cancel (cancel);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, LS_ERROR, LS_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
}

static gboolean
broken_off (const Watch *w, guint64 sizes)
{
  const LsSessionKept *kept = ls_session_lab_kept (w->session);
  const LsLabResult *result = kept != NULL ? ls_session_lab_find (kept->broken_off, &ls_experiment_batch)
                                           : NULL;

  return result != NULL && result->tried->len >= sizes;
}

static void
test_measure (void)
{
  g_autoptr (LsOptions) o = small ("cpu(threads=1),cpu");
  const guint tick = g_timeout_add (5, tick_cb, NULL);
  Outcome outcome = { 0 };
  g_autoptr (GTask) second = NULL;
  gint64 began_us;
  Watch w;

  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  measure_to (&w, 1);
  g_assert_true (ls_session_playing (w.session));
  wait_for (&w, trained, ls_session_snapshot (w.session)->lanes[0].steps + 5, "five more steps");
  wait_for (&w, broken_off, 1, "what was broken off");

  /* paused, it stays so; and it goes on with the second size */
  ls_session_set_playing (w.session, FALSE);
  measure_to (&w, 2);
  g_assert_false (ls_session_playing (w.session));
  wait_for (&w, broken_off, 2, "two sizes of it");
  /* the pictures show what was broken off */
  g_assert_cmpuint (ls_session_data (w.session)->lab->len, ==, 1);
  g_assert_false (ls_lab_result_whole (ls_session_data (w.session)->lab->pdata[0])); /* it isn't finished */

  /* one at a time */
  g_autoptr (GTask) task = ls_session_lab (w.session, &ls_experiment_batch, TRUE, NULL, finished_cb,
                                           &outcome);
  second = ls_session_lab (w.session, &ls_experiment_width, TRUE, NULL, finished_cb, &outcome);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpstr (outcome.error->message, ==, "An experiment is going on.");
  g_clear_error (&outcome.error);

  /* whoever closes the window waits no longer than a moment */
  outcome.done = FALSE;
  for (LsSessionLab progress = { 0 }; progress.n == 0; ls_session_lab_clear (&progress))
    {
      g_main_context_iteration (NULL, TRUE);
      g_assert_true (ls_session_lab_progress (task, &progress));
    }
  began_us = g_get_monotonic_time ();
  ls_session_end (w.session);
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, 5 * G_USEC_PER_SEC);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, LS_ERROR, LS_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
  g_clear_object (&task);
  g_clear_object (&second);
  g_source_remove (tick);
  wait_for (&w, alone, 1, "the threads");
  watch_end (&w);
}

/* ---- what is kept, and what recordings hold ---- */

static LsLabResult *
finished (const LsExperiment *experiment, const char *lanes)
{
  g_autoptr (LsOptions) options = small (lanes);
  const LsLabPoint point = { .x = 1, .rate = { 5000, "samples/s", LS_EVIDENCE_MEASURED, 5, 4000, 6000 } };
  LsLabResult *result = ls_lab_result_new (experiment, options, NULL);
  const LsLabSpot spot = { 1, experiment->rows != NULL ? 32 : 0 };

  result->n_sizes = 1;
  result->seconds = LS_LAB_SECONDS;
  result->rounds = LS_LAB_ROUNDS;
  g_array_append_val (result->tried, spot);
  g_assert_true (ls_lab_result_add (result, 0, &point));
  return result;
}

static gboolean
has_results (const Watch *w, guint64 n)
{
  const LsViewData *data = ls_session_data (w->session);

  return data != NULL && data->lab != NULL && data->lab->len == n
         && (n == 0 || ((LsLabResult *) data->lab->pdata[0])->experiment == &ls_experiment_threads);
}

static void
test_kept (void)
{
  g_autoptr (LsOptions) o = small ("cpu"), others = small ("cpu(threads=1)");
  g_autoptr (LsLabResult) result = finished (&ls_experiment_threads, "cpu");
  g_autoptr (GError) error = NULL;
  Watch w;

  g_assert_true (ls_lab_keep (result, &error));
  g_assert_no_error (error);
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  wait_for (&w, has_results, 1, "what is kept of these lanes");
  ls_session_configure (w.session, others);
  wait_for (&w, has_results, 0, "nothing of others");
  watch_end (&w);
}

static gboolean
played_back (const Watch *w, guint64 messages)
{
  return ls_session_mode (w->session) == LS_SESSION_PLAYBACK && w->n_messages == messages;
}

static void
save_with (const char *path, const char *lab)
{
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "..", "data", "recordings", "mlp.lockstep",
                                                 NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsRecording) plain = ls_recording_load (from, &error), with = NULL;

  g_assert_no_error (error);
  with = ls_recording_with_lab (plain, lab);
  ls_recording_save (with, path, &error);
  g_assert_no_error (error);
}

static void
test_recording (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "one.lockstep", NULL), *text = NULL;
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  g_autoptr (GTask) task = NULL;
  Outcome outcome = { 0 };
  Watch w;

  g_ptr_array_add (results, finished (&ls_experiment_threads, "cpu,opencl"));
  text = ls_lab_results_text (results);
  save_with (path, text);
  watch (&w);
  ls_session_open (w.session, path);
  wait_for (&w, played_back, 0, "the recording");
  g_assert_true (has_results (&w, 1));
  g_assert_nonnull (ls_session_lab_find (ls_session_lab_kept (w.session)->finished, &ls_experiment_threads));

  /* nothing is measured meanwhile */
  task = ls_session_lab (w.session, &ls_experiment_batch, FALSE, NULL, finished_cb, &outcome);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpstr (outcome.error->message, ==, "A recording is played back; nothing is measured.");
  g_clear_error (&outcome.error);
  g_clear_object (&task);
  ls_session_close_file (w.session);

  save_with (path, "[{\"format\": \"recipe\"}]");
  ls_session_open (w.session, path);
  wait_for (&w, played_back, 1, "the recording without them");
  g_assert_nonnull (strstr (w.message, "one.lockstep"));
  g_assert_true (has_results (&w, 0));
  wait_for (&w, alone, 1, "the threads");
  watch_end (&w);
}

static void
claimed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  g_assert_true (ls_session_claim_finish (LS_SESSION (source), result, &outcome->error));
  outcome->done = TRUE;
}

static const LsClaimRow *
row_of (const Watch *w, const char *name)
{
  return ls_claims_find (ls_session_claims (w->session), name);
}

static void
guess (const Watch *w, const char *claim, double value)
{
  LsWish wish = LS_WISH_NOTHING;

  wish.guess.claim = claim;
  wish.guess.value = value;
  ls_session_wish (w->session, 0, &wish, FALSE);
}

/* While a claim is run nobody guesses it, and what others are guessed stays when its outcome comes. It needs
 * what is nowhere, so that nothing is measured. */
static void
test_claims (void)
{
  static const char *const names[] = { "data-parallel", "fusion", "tensor-cores" };
  Outcome outcome = { 0 };
  Watch w;

  watch (&w);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_false (row_of (&w, names[i])->guessed);
  guess (&w, names[0], 98);
  g_autoptr (GTask) task = ls_session_claim (w.session, row_of (&w, names[0])->claim, NULL, claimed_cb,
                                             &outcome);
  g_assert_cmpfloat (row_of (&w, names[0])->guess, ==, 98); /* kept before it is run */
  guess (&w, names[0], 50);
  guess (&w, names[1], 1.3);
  guess (&w, names[2], 5); /* the one before is kept */
  g_assert_cmpfloat (row_of (&w, names[0])->guess, ==, 98);
  g_assert_true (row_of (&w, names[1])->guessed);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (outcome.error);
  g_assert_cmpint (row_of (&w, names[0])->result->verdict, ==, LS_CLAIM_NOT_MEASURABLE);
  g_assert_cmpfloat (row_of (&w, names[0])->guess, ==, 98);
  g_assert_cmpfloat (row_of (&w, names[1])->guess, ==, 1.3);
  g_clear_object (&task);
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  int status;
  g_autofree char *folder = NULL;

  if (argc > 1 && strcmp (argv[1], LS_LAB_WORKER_COMMAND) == 0)
    return ls_lab_worker_main (argc, argv, ls_lab_workers);
  folder = g_dir_make_tmp ("lockstep-lab-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/lab/measure", test_measure);
  g_test_add_func ("/session/lab/kept", test_kept);
  g_test_add_func ("/session/lab/recording", test_recording);
  g_test_add_func ("/session/lab/claims", test_claims);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
