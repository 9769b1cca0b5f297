/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lanes_rig.h.
 */
#include "lanes_rig.h"

#include <string.h>

#include "core/error.h"
#include "backends/opencl/tune/tune.h"
#include "files/weights.h"
#include "lab/lab.h"
#include "train/lane/lane.h"

PlayedLanes lanes;

#define PLAYED(type, name, ...)                                                                              \
  type __wrap_##name (__VA_ARGS__);                                                                          \
  type __wrap_##name (__VA_ARGS__)

static void G_GNUC_PRINTF (1, 2) note (const char *format, ...)
{
  va_list arguments;

  g_string_append (lanes.told, lanes.told->len > 0 ? "; " : "");
  va_start (arguments, format);
  g_string_append_vprintf (lanes.told, format, arguments);
  va_end (arguments);
}

PLAYED (void, ls_coordinator_run, LsCoordinator *self, guint64 steps)
{
  note ("run %u", (guint) steps);
}

PLAYED (void, ls_coordinator_pause, LsCoordinator *self)
{
  note ("pause");
}

PLAYED (void, ls_coordinator_record_next, LsCoordinator *self, gboolean with_tensors)
{
  note ("record%s", with_tensors ? "" : " without tensors");
}

PLAYED (void, ls_coordinator_configure, LsCoordinator *self, const LsOptions *options)
{
  note ("configure %s", ls_options_find ("pace")->choices[options->pace]);
}

PLAYED (void, ls_coordinator_walk, LsCoordinator *self, const LsWalkWish *wish)
{
  note ("walk %d %d %d %d", wish->op, wish->rung, wish->row, wish->col);
}

PLAYED (void, ls_coordinator_retry, LsCoordinator *self)
{
  note ("retry");
}

PLAYED (void, ls_coordinator_hold_weights, LsCoordinator *self)
{
  note ("hold");
}

PLAYED (void, ls_coordinator_ask, LsCoordinator *self, LsQuestion *question)
{
  g_clear_pointer (&lanes.asked, ls_question_unref);
  lanes.asked = ls_question_ref (question);
  note ("ask");
}

PLAYED (LsData *, ls_coordinator_data, LsCoordinator *self)
{
  return lanes.data;
}

PLAYED (guint64, ls_coordinator_steps_per_epoch, LsCoordinator *self)
{
  return 468;
}

PLAYED (gboolean, ls_coordinator_wait, LsCoordinator *self, guint timeout_ms)
{
  return TRUE;
}

PLAYED (LsSnapshot *, ls_coordinator_take, LsCoordinator *self)
{
  return NULL;
}

/* The run that a test begins with, and those that are made, are pointers and no more. */
PLAYED (void, ls_coordinator_free, LsCoordinator *self)
{
  const gint *seed = (const gint *) self;

  if (seed >= lanes.runs.seeds && seed < lanes.runs.seeds + G_N_ELEMENTS (lanes.runs.seeds))
    g_atomic_int_inc (&lanes.runs.gone[seed - lanes.runs.seeds]);
}

PLAYED (LsCoordinator *, ls_coordinator_new_with_data, const LsOptions *options, const LsDataRequest *request,
        LsData *read, GError **error)
{
  const gint n = g_atomic_int_add (&lanes.runs.made, 1);

  g_assert_cmpint (n, <, (gint) G_N_ELEMENTS (lanes.runs.seeds));
  g_atomic_int_set (&lanes.runs.seeds[n], (gint) options->seed);
  g_atomic_int_set (&lanes.runs.went_on, 0);
  while (g_atomic_int_get (&lanes.runs.held) == (gint) options->seed)
    g_usleep (1000);
  if (g_atomic_int_get (&lanes.runs.fails) != 1)
    return (LsCoordinator *) &lanes.runs.seeds[n];
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, "There are no such data.");
  return NULL;
}

PLAYED (gboolean, ls_coordinator_load_weights, LsCoordinator *self, const char *path, GError **error)
{
  return TRUE;
}

PLAYED (gboolean, ls_coordinator_go_on, LsCoordinator *self, guint64 steps, const LsRecording *recording,
        GError **error)
{
  g_atomic_int_set (&lanes.runs.went_on, (gint) steps);
  if (g_atomic_int_get (&lanes.runs.fails) != 2)
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, "They are of another network.");
  return FALSE;
}

PLAYED (gboolean, ls_coordinator_start, LsCoordinator *self, GError **error)
{
  g_atomic_int_inc (&lanes.runs.begun);
  return TRUE;
}

PLAYED (gint64, g_get_monotonic_time, void)
{
  return lanes.us;
}

PLAYED (gboolean, ls_weights_finite, const LsPlan *plan, const float *const *values)
{
  return TRUE;
}

/* On a thread of the session's, while the test waits for it. */
PLAYED (gboolean, ls_keeper_save, LsKeeper *self, const LsOptions *options, const LsPlan *plan, guint64 step,
        const float *const *weights, const LsRecording *recording, GError **error)
{
  note ("keep %u with %d", (guint) step, recording != NULL ? (int) recording->step : -1);
  lanes.us += lanes.saves_us;
  return TRUE;
}

/* They measure nothing, and have been stopped at once. */
PLAYED (LsLabResult *, ls_lab_run, const LsLabWish *wish, LsLabHeard heard, gpointer data,
        GCancellable *cancel, GError **error)
{
  note ("measure %s", wish->experiment->name);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, "It was stopped.");
  return NULL;
}

PLAYED (gboolean, ls_tune, const LsTuneWish *wish, LsTuneFunc report, gpointer data, GCancellable *cancel,
        LsTuneResult **result, GError **error)
{
  note ("tune");
  g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, "It was stopped.");
  return FALSE;
}

void
lanes_assert_told (const char *words)
{
  if (strcmp (lanes.told->str, words) != 0)
    g_error ("those who train were told “%s”, not “%s”", lanes.told->str, words);
  g_string_truncate (lanes.told, 0);
}

View *
lanes_view (void)
{
  View *view = view_new ();

  if (lanes.told == NULL)
    lanes.told = g_string_new (NULL);
  if (lanes.data == NULL)
    lanes.data = ls_data_load ("spiral", 1, NULL);
  g_assert_nonnull (lanes.data);
  lanes.us = 1000 * G_USEC_PER_SEC;
  view->session->coordinator = (LsCoordinator *) &lanes;
  view->session->target = 500;
  hand_over (view, running ());
  g_string_truncate (lanes.told, 0);
  return view;
}

View *
lanes_view_of_step (void)
{
  View *view = lanes_view ();
  g_autoptr (LsRecording) shown = lanes_step (100);

  view->session->stepped = view->session->show_next = TRUE;
  ls_session_take_recording (view->session, shown);
  ls_playhead_seek (&view->session->playhead, 0);
  g_string_truncate (lanes.told, 0);
  return view;
}

void
lanes_done (View *view)
{
  view->session->playhead.playing = FALSE;
  g_clear_pointer (&view->session->file, ls_recording_unref);
  view->session->coordinator = NULL;
  view_free (view);
  g_clear_pointer (&lanes.asked, ls_question_unref);
}

LsRecording *
lanes_step (guint64 step)
{
  LsRecording *recording = ls_fixture_recording (&desk);

  recording->step = step;
  return recording;
}

void
lanes_pass (double seconds)
{
  lanes.us += (gint64) (seconds * G_USEC_PER_SEC);
}

void
lanes_wait_made (View *view)
{
  for (guint i = 0; i < 20000 && (view->session->making != NULL || ls_lane_threads () > 0); i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_null (view->session->making);
}

void
lanes_wait_told (void)
{
  for (guint i = 0; i < 2000 && lanes.told->len == 0; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}
