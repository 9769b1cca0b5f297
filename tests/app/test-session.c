/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's session without a window: runs that are made, changed, asked and ended from the main loop while lanes train on
 * threads of their own, with real lanes. What is handed from one to the other is what ThreadSanitizer looks at here.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "ui/app/session_tune.h"

#define PATIENCE_S 300 /* a kernel cache may be cold, and a sanitizer slow */

typedef struct {
  LsSession *session;
  guint n_data, n_states, n_messages, n_kernels;
  char *message, *kernels;      /* the newest */
} Watch;

static void
data_cb (Watch *w)
{
  w->n_data++;
}

static void
state_cb (Watch *w)
{
  w->n_states++;
}

static void
message_cb (LsSession *session, const char *sentence, Watch *w)
{
  w->n_messages++;
  g_free (w->message);
  w->message = g_strdup (sentence);
}

static void
kernels_cb (LsSession *session, const char *sentence, Watch *w)
{
  w->n_kernels++;
  g_free (w->kernels);
  w->kernels = g_strdup (sentence);
}

static void
watch (Watch *w)
{
  *w = (Watch){ .session = ls_session_new () };
  g_signal_connect_swapped (w->session, "data", G_CALLBACK (data_cb), w);
  g_signal_connect_swapped (w->session, "state", G_CALLBACK (state_cb), w);
  g_signal_connect (w->session, "message", G_CALLBACK (message_cb), w);
  g_signal_connect (w->session, "kernels", G_CALLBACK (kernels_cb), w);
}

static void
watch_end (Watch *w)
{
  ls_session_end (w->session);
  g_assert_finalize_object (g_steal_pointer (&w->session));
  g_free (w->message);
  g_free (w->kernels);
}

static LsOptions *
small (const char *backends)
{
  LsOptions *o = ls_options_new ();

  g_free (o->model);
  g_free (o->data);
  g_free (o->backends);
  o->model = g_strdup ("flatten, dense 64, relu, dense 32, relu, dense 3");
  o->data = g_strdup ("spiral");
  o->backends = g_strdup (backends);
  o->batch = 64;
  o->check_every = 16;
  return o;
}

/* ---- waiting, as the window does: by its main loop ---- */

typedef gboolean (*Come) (const Watch *w, guint64 what);

static gboolean
tick_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_for (const Watch *w, Come come, guint64 what, const char *words)
{
  const gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  const guint tick = g_timeout_add (5, tick_cb, NULL);

  while (!come (w, what))
    {
      g_main_context_iteration (NULL, TRUE);
      if (g_get_monotonic_time () > end_us)
        g_error ("Waited in vain for %s; the session's last words: %s", words, w->message != NULL ? w->message : "none");
    }
  g_source_remove (tick);
}

/* Every lane that can, has done so many steps. */
static gboolean
trained (const Watch *w, guint64 steps)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  for (guint i = 0; s != NULL && i < s->n_lanes; i++)
    if (s->lanes[i].state != LS_LANE_FAILED && s->lanes[i].steps < steps)
      return FALSE;
  return s != NULL;
}

static gboolean
recorded (const Watch *w, guint64 after)
{
  const LsRecording *shown = ls_session_shown (w->session);

  return shown != NULL && (after == 0 || shown->step > after);
}

static gboolean
rests (const Watch *w, guint64 unused)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  return s != NULL && !s->running;
}

static gboolean
answered (const Watch *w, guint64 number)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  for (guint i = 0; i < s->n_lanes; i++)
    if (s->lanes[i].state == LS_LANE_READY
        && (s->lanes[i].answer == NULL || (guint64) s->lanes[i].answer->question->number != number))
      return FALSE;
  return TRUE;
}

static gboolean
plays_file (const Watch *w, guint64 unused)
{
  return ls_session_mode (w->session) == LS_SESSION_PLAYBACK;
}

static gboolean
lies_over (const Watch *w, guint64 unused)
{
  return ls_session_data (w->session)->other != NULL;
}

static gboolean
kernels_told (const Watch *w, guint64 n)
{
  return w->n_kernels >= n;
}

static gboolean
complained (const Watch *w, guint64 n)
{
  return w->n_messages >= n;
}

/* What a view does with the data: reads it, up to the newest point. */
static void
read_all (const Watch *w)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  g_assert_nonnull (ls_session_data (w->session));
  for (guint i = 0; s != NULL && i < s->n_lanes; i++)
    for (guint64 step = 0; step < s->lanes[i].steps; step++)
      {
        const float loss = ls_curve_get (s->lanes[i].curve, step).loss;
        g_assert_true (isfinite (loss) || isnan (loss));
      }
}

/* ---- the tests ---- */

static void
test_live (void)
{
  g_autoptr (LsOptions) o = small ("cpu,opencl");
  Watch w;
  guint64 step;

  watch (&w);
  ls_session_train (w.session, o);
  g_assert_cmpint (ls_session_mode (w.session), ==, LS_SESSION_STARTING);
  wait_for (&w, trained, 20, "20 steps");
  g_assert_cmpint (ls_session_mode (w.session), ==, LS_SESSION_LIVE);
  wait_for (&w, recorded, 0, "a recorded step");
  read_all (&w);

  for (o->policy = LS_POLICY_STATIC; o->policy <= LS_POLICY_STEAL; o->policy++)
    {
      step = ls_session_shown (w.session)->step;
      o->threads = o->policy % 2 + 1;
      ls_session_configure (w.session, o);
      wait_for (&w, recorded, step, "a step of the new settings");
      read_all (&w);
    }
  for (guint number = 3; number < 6; number++)
    {
      ls_session_ask (w.session, LS_ASKED_TEST, number, NULL, 0);
      wait_for (&w, answered, number, "answers");
    }

  ls_session_set_playing (w.session, FALSE);
  wait_for (&w, rests, 0, "rest");
  step = ls_session_shown (w.session)->step;
  while (ls_session_shown (w.session)->step == step)
    {
      ls_session_step (w.session, 1);
      wait_for (&w, rests, 0, "rest");
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_false (ls_session_playing (w.session));
  ls_session_step (w.session, -1);
  ls_session_step (w.session, -1);
  read_all (&w);
  g_assert_cmpuint (w.n_data, >, 0);
  g_assert_cmpuint (w.n_states, >, 0);
  watch_end (&w);
}

/* Runs that give way before they are made, while they open, while they train; and a session that goes in the midst of it. */
static void
test_anew (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint round = 0; round < 4; round++)
    {
      Watch w;
      watch (&w);
      for (guint run = 0; run < 4; run++)
        {
          g_autoptr (LsOptions) o = small (run % 2 ? "cpu,opencl" : "cpu");
          const gint64 until_us = g_get_monotonic_time () + g_rand_int_range (random, 0, 120) * 1000;

          o->seed = run;
          ls_session_train (w.session, o);
          while (g_get_monotonic_time () < until_us)
            if (!g_main_context_iteration (NULL, FALSE))
              g_usleep (500);
        }
      if (round % 2)
        {
          wait_for (&w, trained, 5, "5 steps of the last run");
          g_assert_cmpint (ls_session_options (w.session)->seed, ==, 3);
        }
      ls_session_end (w.session);
      /* what was being made still comes, and is let go of */
      while (G_OBJECT (w.session)->ref_count > 1)
        g_main_context_iteration (NULL, TRUE);
      watch_end (&w);
    }
}

static void
test_file (void)
{
  g_autoptr (LsOptions) o = small ("cpu");
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-session-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "step.lockstep", NULL), *none = g_build_filename (folder, "none", NULL);
  Watch w;

  g_assert_no_error (error);
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, recorded, 0, "a recorded step");
  ls_recording_save (ls_session_shown (w.session), path, &error);
  g_assert_no_error (error);
  ls_session_open (w.session, none);
  wait_for (&w, complained, 1, "a refusal");
  ls_session_lay_over (w.session, path);
  wait_for (&w, lies_over, 0, "the step laid over");
  ls_session_open (w.session, path);
  wait_for (&w, plays_file, 0, "the recording");
  ls_session_advance (w.session, .1);
  ls_session_lay_over_none (w.session);
  ls_session_close_file (w.session);
  g_assert_cmpint (ls_session_mode (w.session), ==, LS_SESSION_LIVE);
  ls_session_set_playing (w.session, TRUE);
  wait_for (&w, trained, ls_session_snapshot (w.session)->lanes[0].steps + 5, "five more steps");
  watch_end (&w);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* FALSE, and the test is skipped, where there is no OpenCL device. */
static gboolean
opencl_works (const Watch *w)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  if (s->lanes[0].state == LS_LANE_READY)
    return TRUE;
  g_test_skip (s->lanes[0].message);
  return FALSE;
}

/* Files of edited kernels are read on a thread, tried on another, and taken over by the lane's own. */
static void
test_kernels (void)
{
  g_autoptr (LsOptions) o = small ("opencl");
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-session-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "epilogue.clh", NULL);
  g_autofree char *text = NULL, *broken = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;
  Watch w;

  g_assert_no_error (error);
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  if (opencl_works (&w))
    {
      ls_session_edit_kernels (w.session, folder);
      while (!g_file_get_contents (path, &text, NULL, NULL) || *text == '\0')
        g_main_context_iteration (NULL, TRUE);
      broken = g_strconcat (text, "\nno OpenCL C\n", NULL);
      g_file_set_contents (path, broken, -1, &error);
      g_assert_no_error (error);
      wait_for (&w, kernels_told, 1, "what the compiler says");
      g_assert_nonnull (ls_session_kernel_message (w.session));
      ls_session_edit_kernels (w.session, NULL);
      wait_for (&w, kernels_told, 2, "the built-in kernels");
      g_assert_null (ls_session_kernel_message (w.session));
    }
  watch_end (&w);
  dir = g_dir_open (folder, 0, &error);
  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);
      g_assert_cmpint (g_unlink (file), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
tuned_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) found = ls_session_tune_finish (LS_SESSION (source), result, &error);

  g_assert_true ((found == NULL) == (error != NULL));
  *(gboolean *) data = TRUE;
}

/* The tuner's words are read while its thread writes them; cancelled, it lets training go on. */
static void
test_tune (void)
{
  g_autoptr (LsOptions) o = small ("opencl");
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (GTask) task = NULL;
  LsSessionTuning progress = { 0 };
  gboolean done = FALSE;
  const guint tick = g_timeout_add (5, tick_cb, NULL);
  Watch w;

  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  if (opencl_works (&w))
    {
      task = ls_session_tune (w.session, cancel, tuned_cb, &done);
      while (!done && progress.n_tasks == 0)
        {
          g_assert_true (ls_session_tune_progress (task, &progress));
          g_main_context_iteration (NULL, TRUE);
        }
      g_assert_cmpuint (progress.n_tasks, >, 0);
      g_assert_cmpstr (progress.words, !=, "");
      g_cancellable_cancel (cancel);
      while (!done)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (ls_session_playing (w.session));
      wait_for (&w, trained, ls_session_snapshot (w.session)->lanes[0].steps + 5, "five more steps");
      g_clear_object (&task);
    }
  g_source_remove (tick);
  watch_end (&w);
}

static gboolean
rated (const Watch *w, guint64 unused)
{
  return ls_session_snapshot (w->session)->lanes[0].rate.n > 0;
}

static gboolean
shown_anew (const Watch *w, guint64 n)
{
  return w->n_data >= n;
}

/* A tile's edge is said to have changed something only where the lane has such tiles. */
static void
test_change (void)
{
  static const struct { const char *option, *value, *said; } cases[] = {
    { "tile", "8", NULL }, { "kernel", "tiled", "tiled" }, { "tile", "32", "8 → 32" },
  };
  g_autoptr (LsOptions) o = small ("opencl");
  Watch w;

  g_assert_true (ls_options_set (o, ls_options_find ("kernel"), "packed", NULL));
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "five steps");
  for (guint i = 0; i < G_N_ELEMENTS (cases) && opencl_works (&w); i++)
    {
      const guint n_data = w.n_data;
      const char *said;

      wait_for (&w, rated, 0, "a rate");
      g_assert_true (ls_options_set (o, ls_options_find (cases[i].option), cases[i].value, NULL));
      ls_session_configure (w.session, o);
      wait_for (&w, shown_anew, n_data + 2, "data after the change");
      said = ls_session_data (w.session)->sides[1].change;
      g_test_message ("%s %s: %s", cases[i].option, cases[i].value, said);
      g_assert_true (cases[i].said == NULL ? said == NULL : said != NULL && strstr (said, cases[i].said) != NULL);
    }
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/live", test_live);
  g_test_add_func ("/session/anew", test_anew);
  g_test_add_func ("/session/file", test_file);
  g_test_add_func ("/session/kernels", test_kernels);
  g_test_add_func ("/session/change", test_change);
  g_test_add_func ("/session/tune", test_tune);
  return g_test_run ();
}
