/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session says in sentences: what was learnt, what each pace does, and what was kept.
 */
#include "view_rig.h"

#include <string.h>

#include "data/defaults.h"
#include "ui/app/session/kept_run.h"
#include "tests/plain.h"

/* A run of two lanes that has ended: each did that many steps of its own, of so many µs each. */
static View *
ended (guint64 steps, const double us[2], const double accuracy[2], const guint64 joined[2])
{
  View *view = view_new ();
  LsSnapshot *s = running ();

  for (guint i = 0; i < 2; i++)
    {
      LsLaneSnapshot *lane = &s->lanes[i];

      ls_curve_unref (lane->curve);
      lane->curve = ls_curve_new ();
      lane->steps = steps;
      lane->joined = joined[i];
      for (guint64 k = 0; k < steps; k++) /* those before it joined were another's */
        ls_curve_append (lane->curve,
                         (LsPoint){ .step_us = k < joined[i] ? 1e6f : (float) us[i], .loss = 1 });
      lane->accuracy = accuracy[i];
      lane->accuracy_step = steps;
    }
  s->target = view->session->target = steps;
  s->running = FALSE;
  s->begun = 0;
  hand_over (view, s);
  g_assert_true (ls_session_over (view->session));
  return view;
}

static void
test_learnt (void)
{
  static const struct {
    guint64 steps;
    double us[2], accuracy[2];
    guint64 joined[2];
    LsLaneState second;
    const char *says;
  } rows[] = {
    { 500,
      { 2000, 4000 },
      { .9752, .9752 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: 97.5 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 2.00 s of step time." },
    { 500,
      { 2000, 4000 },
      { .9752, .5 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: CPU 97.5 %, OpenCL 50.0 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 2.00 s "
      "of "
      "step time." },
    /* they are told of together where they are told alike */
    { 500,
      { 2000, 4000 },
      { .97521, .97519 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: 97.5 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 2.00 s of step time." },
    { 500,
      { 2000, 4000 },
      { .9752, .5 },
      { 0, 0 },
      LS_LANE_FAILED,
      "Learnt: 97.5 % of 0 test samples right after 500 steps; CPU 1.00 s of step time." },
    /* its own steps alone: the last hundred */
    { 500,
      { 2000, 4000 },
      { .9, .9 },
      { 0, 400 },
      LS_LANE_READY,
      "Learnt: 90.0 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 400 ms from step 401 on of "
      "step time." },
    { 1,
      { 2000, 4000 },
      { .25, .25 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: 25.0 % of 0 test samples right after 1 step; CPU 2.00 ms, OpenCL 4.00 ms of step time." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (View) view = ended (rows[i].steps, rows[i].us, rows[i].accuracy, rows[i].joined);
      LsSnapshot *s = again (ls_session_snapshot (view->session));

      s->lanes[1].state = rows[i].second;
      if (i % 2 == 1) /* one more has been done to be looked at, which is no part of it */
        for (guint k = 0; k < 2; k++)
          {
            ls_curve_append (s->lanes[k].curve, (LsPoint){ .step_us = 1e6f, .loss = 1 });
            s->lanes[k].steps++;
          }
      hand_over (view, s);
      g_autofree char *says = plain (ls_session_learnt (view->session));
      g_autoptr (GRegex) device = g_regex_new ("OpenCL on [^0-9]*CPU", 0, 0, NULL);
      g_autofree char *told = g_regex_replace_literal (device, says, -1, 0, "OpenCL", 0, NULL);
      LsViewData *data = ls_session_data (view->session);
      for (guint side = 0; side < 2; side++) /* by the names that they have in the pictures */
        {
          g_free (data->sides[side].name);
          data->sides[side].name = g_strdup (side == 0 ? "the left one" : "the right one");
        }
      g_autofree char *named = plain (ls_session_learnt (view->session));
      if (!strstr (named, "the left one ") || !strstr (named, "the right one ") != !strstr (told, "OpenCL"))
        g_error ("of “the left one” and “the right one” it says “%s”", named);
      if (strcmp (told, rows[i].says) != 0)
        g_error ("it says\n  “%s”, not\n  “%s”", told, rows[i].says);
      view->session->file = ls_recording_ref (ls_fixture_recording (&desk)); /* of a recording there is none
                                                                              */
      g_assert_null (ls_session_learnt (view->session));
      ls_recording_unref (view->session->file);
    }
}

/* What is planned for the data, or what the lanes take where that is longer. */
static void
test_watch (void)
{
  static const struct {
    const char *data;
    double us; /* of each lane's step */
    gboolean turns;
    const char *says;
  } rows[] = {
    { "mnist", 0, TRUE, "an epoch in 10 s" },
    { "mnist", 100, TRUE, "an epoch in 10 s" },
    { "spiral", 0, TRUE, "2 000 steps in 30 s" },
    { "xor", 0, TRUE, "2 000 steps in 30 s" },
    { "spiral", 2000, FALSE, "2 000 steps in 30 s" }, /* 4 s */
    { "spiral", 20000, FALSE, "2 000 steps in 40.0 s" },
    { "spiral", 20000, TRUE, "2 000 steps in 80.0 s" }, /* one after the other */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (View) view = view_new ();
      LsSnapshot *s = running ();

      g_assert_true (ls_options_set (view->session->options, ls_options_find ("data"), rows[i].data, NULL));
      s->turns = rows[i].turns;
      s->steps_per_epoch = 468;
      for (guint k = 0; k < 2; k++)
        s->lanes[k].step_us = (LsFigure){
          rows[i].us, "µs", LS_EVIDENCE_MEASURED, rows[i].us > 0 ? 99 : 0, rows[i].us, rows[i].us, 0, NULL
        };
      hand_over (view, s);
      g_autofree char *says = plain (ls_session_pace_words (view->session, LS_PACE_WATCH)),
                      *step = ls_session_pace_words (view->session, LS_PACE_STEP);
      if (strcmp (says, rows[i].says) != 0)
        g_error ("watch pace of %s with steps of %g µs%s is “%s”, not “%s”", rows[i].data, rows[i].us,
                 rows[i].turns ? " in turns" : "", says, rows[i].says);
      g_assert_cmpstr (step, ==, "a step, then its picture");
    }
}

/* At full speed: how many steps of all lanes there are in a second, once it is known of all that work; one
 * after the other they take as long as all of them, at once as long as the slowest. */
static void
test_full (void)
{
  static const struct {
    double us[2];
    guint n[2];
    LsLaneState second;
    gboolean turns;
    const char *says;
  } rows[] = {
    { { 0, 0 }, { 0, 0 }, LS_LANE_READY, TRUE, "no rests" },
    { { 2000, 0 }, { 1, 0 }, LS_LANE_READY, TRUE, "no rests" },
    { { 0, 2000 }, { 0, 1 }, LS_LANE_READY, FALSE, "no rests" },
    { { 2000, 3000 }, { 1, 1 }, LS_LANE_READY, TRUE, "200 steps/s" },
    { { 2000, 3000 }, { 50, 1 }, LS_LANE_READY, FALSE, "333 steps/s" },
    { { 3000, 2000 }, { 50, 1 }, LS_LANE_READY, FALSE, "333 steps/s" },
    { { 2000, 0 }, { 1, 0 }, LS_LANE_FAILED, TRUE, "500 steps/s" },
    { { 2000, 3000 }, { 1, 1 }, LS_LANE_BUILDING, TRUE, "500 steps/s" },
    { { .5, .3 }, { 9, 9 }, LS_LANE_READY, TRUE, "1 250 000 steps/s" },  /* of less than a µs each */
    { { 2.5e6, 1.5e6 }, { 9, 9 }, LS_LANE_READY, TRUE, "0.25 steps/s" }, /* of seconds */
    { { 6e5, 1e5 }, { 9, 9 }, LS_LANE_READY, TRUE, "1.4 steps/s" },
    { { 5e4, 5e4 }, { 9, 9 }, LS_LANE_READY, TRUE, "10 steps/s" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (View) view = view_new ();
      LsSnapshot *s = running ();

      s->turns = rows[i].turns;
      s->lanes[1].state = rows[i].second;
      for (guint k = 0; k < 2; k++)
        s->lanes[k].step_us = (LsFigure){
          rows[i].us[k], "µs", LS_EVIDENCE_MEASURED, rows[i].n[k], rows[i].us[k], rows[i].us[k], 0, NULL
        };
      hand_over (view, s);
      g_autofree char *says = plain (ls_session_pace_words (view->session, LS_PACE_FULL));
      if (strcmp (says, rows[i].says) != 0)
        g_error ("row %zu: full speed is “%s”, not “%s”", i, says, rows[i].says);
    }
}

/* A pace that is held is the pace, and lets go to the one that was chosen meanwhile. */
static void
test_held (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;

  for (LsPace pace = LS_PACE_STEP; pace <= LS_PACE_FULL; pace++)
    for (LsPace then = LS_PACE_STEP; then <= LS_PACE_FULL; then++)
      {
        ls_session_set_pace (self, pace);
        const guint states = view->n_states;
        ls_session_hold_full (self, TRUE);
        ls_session_hold_full (self, TRUE);
        g_assert_cmpint (ls_session_pace (self), ==, LS_PACE_FULL);
        ls_session_set_pace (self, then);
        g_assert_cmpint (ls_session_pace (self), ==, LS_PACE_FULL);
        ls_session_hold_full (self, FALSE);
        g_assert_cmpint (ls_session_pace (self), ==, then);
        g_assert_cmpuint (view->n_states, ==, states + 2 + (pace != then)); /* each change is told once */
      }
}

/* What is still there of a run that was broken off, and nothing once it is left. */
static void
test_kept (void)
{
  for (guint recorded = 0; recorded < 2; recorded++)
    {
      g_autoptr (View) view = view_new ();
      LsKeptRun *run = g_atomic_rc_box_new0 (LsKeptRun);
      const guint states = view->n_states;

      run->step = 12345;
      run->options = ls_options_new ();
      run->recording = recorded ? ls_fixture_recording (&desk) : NULL;
      g_assert_null (ls_session_kept_words (view->session));
      view->session->keep.offered = run;
      g_autofree char *words = plain (ls_session_kept_words (view->session));
      g_assert_cmpstr (words, ==,
                       recorded
                         ? "The last run was broken off; its weights after step 12 345, its settings and "
                           "its recorded step are still there."
                         : "The last run was broken off; its weights after step 12 345 and its settings are "
                           "still there.");
      ls_session_leave_kept (view->session);
      g_assert_null (ls_session_kept_words (view->session));
      g_assert_true (view->session->keep.decided);
      g_assert_cmpuint (view->n_states, ==, states + 1);
      ls_session_leave_kept (view->session);
      g_assert_cmpuint (view->n_states, ==, states + 1);
    }
}

/* A change is told of each lane that it concerns, with what its setting was and is, in the option's words. */
static void
test_change (void)
{
  static const struct {
    const char *name, *text;
    const char *from[2], *to[2]; /* of the CPU lane and of the OpenCL lane; NULL: it is nothing to it */
  } rows[] = {
    { "policy", "static", { "Schedule work-stealing" }, { "static" } },
    { "threads", "3", { "Threads auto" }, { "3" } },
    { "cpu-kernels", "naive", { "Kernels with OpenBLAS" }, { "naive loops" } },
    { "kernel", "tiled", { NULL, "Kernel automatic" }, { NULL, "tiled" } },
    { "batch", "32", { "Batch 128", "Batch 128" }, { "32", "32" } },
    { "pace", "step", { NULL }, { NULL } },
    { "policy", "steal", { NULL }, { NULL } }, /* as it was */
    { "lanes", "cpu(threads=2),opencl", { "Threads auto" }, { "2" } },
    { "lanes", "opencl,cpu", { NULL }, { NULL } }, /* others stand there */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint measured = 0; measured < 2; measured++)
      {
        g_autoptr (View) view = view_new ();
        LsSnapshot *s = running ();
        g_autoptr (LsOptions) before = ls_options_new (), after = NULL;
        g_autoptr (GPtrArray) specs = NULL;

        ls_options_set (before, ls_options_find ("lanes"), "cpu,opencl", NULL);
        specs = ls_lane_specs_new (before, NULL);
        for (guint lane = 0; lane < 2; lane++)
          {
            ls_lane_spec_unref (s->lanes[lane].spec);
            s->lanes[lane].spec = ls_lane_spec_ref (specs->pdata[lane]);
            s->lanes[lane].rate = (LsFigure){
              1000 + lane, "samples/s", LS_EVIDENCE_MEASURED, measured ? 200 : 0, 990, 1010, 0, NULL
            };
            s->lanes[lane].rate_from = 10 + lane;
          }
        hand_over (view, s);
        after = ls_options_copy (before);
        g_assert_true (ls_options_set (after, ls_options_find (rows[i].name), rows[i].text, NULL));
        ls_session_note_change (view->session, after, FALSE);
        for (guint lane = 0; lane < 2; lane++)
          {
            const LsLaneChange *change = &view->session->changes[lane];
            const char *from = measured ? rows[i].from[lane] : NULL, *to = measured ? rows[i].to[lane] : NULL;

            if (g_strcmp0 (change->from, from) != 0 || g_strcmp0 (change->to, to) != 0)
              g_error ("%s %s: of lane %u it says “%s” to “%s”, not “%s” to “%s”", rows[i].name, rows[i].text,
                       lane, change->from, change->to, from, to);
            if (from == NULL)
              continue;
            g_assert_cmpfloat (change->before.value, ==, 1000 + lane);
            g_assert_cmpuint (change->rate_from, ==, 10 + lane);
          }
        /* another run: no rate that is there is of it */
        ls_session_note_change (view->session, after, TRUE);
        for (guint lane = 0; measured && lane < 2; lane++)
          g_assert_true (rows[i].from[lane] == NULL || view->session->changes[lane].rate_from == G_MAXUINT64);
      }
}

static void
kernels_cb (LsSession *session, const char *sentence, GPtrArray *told)
{
  g_ptr_array_add (told, g_strdup (sentence));
}

/* What became of edited kernels, once for each time that they were built. */
static void
test_kernels (void)
{
  static const struct {
    const char *message;
    gboolean disagreed, agrees;
    const char *says;
  } rows[] = {
    { "tiled.cl:12:5: error: expected ';'\nmore of it", FALSE, TRUE,
      "The edited kernels aren’t used, those before stay: tiled.cl:12:5: error: expected ';'" },
    { NULL, FALSE, TRUE, "The built-in kernels are in use." },
    { NULL, TRUE, TRUE,
      "Kernels rebuilt in 1.5 s. The lane goes on with the other lane’s weights, and both are held against "
      "each other anew." },
    { NULL, TRUE, FALSE, "The built-in kernels are in use." },
  };

  for (gsize n = 0; n < 2 * G_N_ELEMENTS (rows); n++)
    {
      const gsize i = n / 2;
      const gboolean played = n % 2; /* a recording is played back: no step of the run takes its place */
      g_autoptr (View) view = view_new ();
      g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
      LsSnapshot *s = running ();

      g_signal_connect (view->session, "kernels", G_CALLBACK (kernels_cb), told);
      s->agreement.disagree = rows[i].disagreed;
      hand_over (view, s);
      view->session->show_next = FALSE;
      view->session->file = played ? ls_fixture_recording (&desk) : NULL;
      s = again (view->snapshot);
      s->lanes[1].kernels_serial++;
      s->lanes[1].kernels_s = 1.5;
      g_free (s->lanes[1].kernels_message);
      s->lanes[1].kernels_message = g_strdup (rows[i].message);
      s->agreement.disagree = rows[i].disagreed && !rows[i].agrees;
      hand_over (view, s);
      g_assert_cmpuint (told->len, ==, 1);
      g_assert_cmpstr (told->pdata[0], ==, rows[i].says);
      g_assert_cmpstr (ls_session_kernel_message (view->session), ==, rows[i].message);
      if (view->session->show_next != (rows[i].message == NULL && !played))
        g_error ("“%s”%s, and the next step is %sshown", rows[i].says, played ? ", while a recording is" : "",
                 view->session->show_next ? "" : "not ");
      hand_over (view, again (view->snapshot));
      g_assert_cmpuint (told->len, ==, 1);
      g_clear_pointer (&view->session->file, ls_recording_unref);
    }
}

static LsLabResult *
result_of (guint experiment)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  guint n;
  const LsExperiment *const *all = ls_experiments_of_one_size (&n);

  return ls_lab_result_new (all[experiment % n], options, NULL);
}

/* Of each experiment one result is shown: a whole one, else one that was broken off, else another machine's.
 */
static void
test_lab_shown (void)
{
  g_autoptr (View) view = view_new ();
  LsSessionKept *kept = g_new0 (LsSessionKept, 1);
  GPtrArray **lists[] = { &kept->finished, &kept->broken_off, &kept->foreign };

  g_assert_null (ls_session_lab_shown (view->session)); /* it is still being read */
  for (guint i = 0; i < 3; i++)
    {
      *lists[i] = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
      for (guint k = 0; k <= i; k++)
        g_ptr_array_add (*lists[i], result_of (k));
    }
  view->session->kept = kept;
  g_autoptr (GPtrArray) shown = ls_session_lab_shown (view->session);
  g_assert_cmpuint (shown->len, ==, 3);
  g_assert_true (shown->pdata[0] == kept->finished->pdata[0]);
  g_assert_true (shown->pdata[1] == kept->broken_off->pdata[1]);
  g_assert_true (shown->pdata[2] == kept->foreign->pdata[2]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-words/learnt", test_learnt);
  g_test_add_func ("/session-words/watch", test_watch);
  g_test_add_func ("/session-words/full", test_full);
  g_test_add_func ("/session-words/held", test_held);
  g_test_add_func ("/session-words/kept", test_kept);
  g_test_add_func ("/session-words/change", test_change);
  g_test_add_func ("/session-words/kernels", test_kernels);
  g_test_add_func ("/session-words/lab-shown", test_lab_shown);
  return g_test_run ();
}
