/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's session without a window: runs that are made, changed, asked and ended from the main loop
 * while lanes train on threads of their own, with real lanes. What is handed from one to the other is what
 * ThreadSanitizer looks at here.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/child/discovery.h"
#include "data/datadir.h"
#include "session_rig.h"

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

/* Back goes to the beginning of the step that is shown, then to the one that was recorded before it. */
static void
test_back (Watch *w)
{
  LsHistory *history = ls_session_history (w->session);
  const guint at = ls_history_find (history, ls_session_shown (w->session)->step);

  g_assert_cmpuint (at, >=, 2);
  for (guint back = 1; back <= 2; back++)
    {
      const LsRecording *before = ls_history_get (history, at - back);
      ls_session_step (w->session, -1);
      ls_session_step (w->session, -1);
      g_assert_cmpuint (ls_session_shown (w->session)->step, ==, before->step);
    }
}

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
      ls_session_wish (w.session, 0,
                       &(LsWish){ .walk.op = LS_WALK_NO_OP, .answer = { TRUE, LS_ASKED_TEST, number, NULL } },
                       TRUE);
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
  /* who asked for a step sees all of it */
  g_assert_cmpint (ls_session_playhead (w.session)->time_ns, ==,
                   ls_playhead_span (ls_session_playhead (w.session)));
  test_back (&w);
  read_all (&w);
  g_assert_cmpuint (w.n_data, >, 0);
  g_assert_cmpuint (w.n_states, >, 0);
  watch_end (&w);
}

/* Runs that give way before they are made, while they open, while they train; and a session that goes in the
 * midst of it. */
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
  g_autofree char *path = g_build_filename (folder, "step.lockstep", NULL),
                  *none = g_build_filename (folder, "none", NULL);
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
  wait_for (&w, rests, 0, "training to rest, as it does while a recording is shown");
  ls_session_set_playing (w.session, TRUE);
  wait_for (&w, trained, ls_session_snapshot (w.session)->lanes[0].steps + 5, "five more steps");
  watch_end (&w);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
failed (const Watch *w, guint64 what)
{
  return ls_session_mode (w->session) == LS_SESSION_FAILED;
}

/* Threads that work for it hold it. */
static gboolean
all_done (const Watch *w, guint64 what)
{
  return g_atomic_int_get ((gint *) &G_OBJECT (w->session)->ref_count) == 1;
}

/* What was read to be looked at is what is trained with: it isn't read again, even if it isn't there any
 * more. What its batch and network are follows from what it is. */
static void
test_read_before (void)
{
  g_autoptr (LsOptions) o = ls_options_new ();
  g_autoptr (GString) text = g_string_new ("a,b,kind\n");
  g_autoptr (LsData) data = NULL;
  g_autofree char *path = NULL;
  GError *error = NULL;
  const gint fd = g_file_open_tmp ("lockstep-session-XXXXXX", &path, &error);
  Watch w;

  g_assert_no_error (error);
  for (guint i = 0; i < 90; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i, i * 7 % 10,
                            i % 3 == 0   ? "oak"
                            : i % 3 == 1 ? "ash"
                                         : "elm");
  g_assert_cmpint (write (fd, text->str, text->len), ==, (gssize) text->len);
  close (fd);
  g_assert_true (ls_options_set (o, ls_options_find ("data"), path, NULL));
  g_assert_true (ls_options_set (o, ls_options_find ("lanes"), "cpu", NULL));
  g_assert_true (ls_options_set (o, ls_options_find ("seed"), "7", NULL));
  const LsDataRequest request = ls_data_request (o);
  data = ls_data_load_request (&request, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (path), ==, 0);

  watch (&w);
  ls_session_give_data (w.session, ls_data_ref (data));
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "5 steps");
  g_assert_true (ls_session_samples (w.session) == data);
  g_assert_cmpint (ls_session_options (w.session)->batch, ==, 32);
  g_assert_cmpstr (ls_session_options (w.session)->model, ==, "flatten, dense 32, relu, dense 3");
  /* with another seed another part is kept for testing, so it would have to be read */
  ls_session_give_data (w.session, ls_data_ref (data));
  g_assert_true (ls_options_set (o, ls_options_find ("seed"), "8", NULL));
  ls_session_train (w.session, o);
  wait_for (&w, failed, 0, "a refusal");
  watch_end (&w);
  /* the runs are ended by threads of their own */
  for (guint ms = 0; ms < 10000 && g_atomic_int_get (&data->ref_count) > 1; ms++)
    g_usleep (1000);
  g_assert_cmpint (g_atomic_int_get (&data->ref_count), ==, 1);
}

/* A run that is asked for while a recording is read is the newer wish, and so is going back to what was there
 * before; of two recordings the later one is. */
static void
test_later_counts (void)
{
  g_autofree char *mlp = ls_data_dir_find ("recordings/mlp.lockstep"),
                  *cnn = ls_data_dir_find ("recordings/cnn.lockstep");
  g_autoptr (LsOptions) o = small ("cpu");
  Watch w;

  watch (&w);
  for (guint i = 0; i < 2; i++) /* whichever takes longer to read */
    {
      ls_session_open (w.session, i == 0 ? cnn : mlp);
      ls_session_open (w.session, i == 0 ? mlp : cnn);
      wait_for (&w, plays_file, 0, "the recording");
      wait_for (&w, all_done, 0, "both threads");
      g_assert_true (g_str_has_prefix (ls_session_shown (w.session)->model, i == 0 ? "flatten," : "conv "));
      ls_session_open (w.session, i == 0 ? cnn : mlp);
      ls_session_close_file (w.session);
      wait_for (&w, all_done, 0, "the thread of the one that nobody waits for");
      if (ls_session_mode (w.session) != LS_SESSION_NONE)
        g_error ("a recording is closed, and another one that was still being read is shown after all");
    }
  ls_session_open (w.session, cnn);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 5, "5 steps");
  wait_for (&w, all_done, 0, "its threads");
  g_assert_cmpint (ls_session_mode (w.session), ==, LS_SESSION_LIVE);
  watch_end (&w);
}

static double
reach_of (const Watch *w, const char *data, const char *model)
{
  g_autoptr (LsOptions) o = small ("cpu");

  g_free (o->model);
  g_free (o->data);
  o->model = g_strdup (model);
  o->data = g_strdup (data);
  ls_session_train (w->session, o);
  wait_for (w, trained, 1, "a step");
  ls_session_wish (w->session, 0,
                   &(LsWish){ .walk.op = LS_WALK_NO_OP, .answer = { TRUE, LS_ASKED_TEST, 3, NULL } }, TRUE);
  wait_for (w, answered, 3, "an answer");
  return ls_session_snapshot (w->session)->lanes[0].answer->question->reach;
}

/* A plane is as large as the data that is trained with, whatever was trained before. */
static void
test_plane (void)
{
  static const char *const sets[] = { "xor", "moons" }, model[] = "flatten, dense 8, relu, dense 2";
  double reach[G_N_ELEMENTS (sets)];
  Watch one, alone;

  watch (&one);
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      reach[i] = reach_of (&one, sets[i], model);
      watch (&alone);
      g_assert_cmpfloat (reach[i], ==, reach_of (&alone, sets[i], model));
      watch_end (&alone);
    }
  g_assert_cmpfloat (reach[0], !=, reach[1]);
  watch_end (&one);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer names)
{
  *(char ***) names = ls_session_list_devices_finish (LS_SESSION (source), result);
}

/* The names of all OpenCL devices that there are, in their order. */
static void
test_devices (void)
{
  g_autofree char *verdict = NULL;
  g_autoptr (GPtrArray) devices = ls_cl_discover_list (&verdict);
  g_auto (GStrv) names = NULL;
  Watch w;

  watch (&w);
  ls_session_list_devices (w.session, listed_cb, &names);
  while (names == NULL)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < devices->len && names[i] != NULL; i++)
    g_assert_cmpstr (names[i], ==, ((const LsDeviceInfo *) devices->pdata[i])->name);
  if (g_strv_length (names) != devices->len)
    g_error ("of %u OpenCL devices %u are listed", devices->len, g_strv_length (names));
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/live", test_live);
  g_test_add_func ("/session/anew", test_anew);
  g_test_add_func ("/session/file", test_file);
  g_test_add_func ("/session/read-before", test_read_before);
  g_test_add_func ("/session/later-counts", test_later_counts);
  g_test_add_func ("/session/plane", test_plane);
  g_test_add_func ("/session/devices", test_devices);
  return g_test_run ();
}
