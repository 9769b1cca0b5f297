/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's time: what happens when a step has been played to its end, what stops the clock and what
 * doesn't, and which clock runs; and how long frames took.
 */
#include <stdlib.h>

#include "lanes_rig.h"
#include "ui/app/canvas/frame_meter.h"

/* The op on which both lanes together spent most, as a position. */
static guint
longest (const LsPlayhead *playhead)
{
  guint most = 0;

  for (guint i = 1; i < playhead->ops->len; i++)
    if (g_array_index (playhead->ops, LsPlayheadOp, i).sum_ns
        > g_array_index (playhead->ops, LsPlayheadOp, most).sum_ns)
      most = i;
  return most;
}

/* ---- playing ---- */

/* Played to its end, and held there: a step of a recording begins again, and so does the last one of a run
 * that is over; else the next one follows, or is asked for. It plays on in any case. */
static void
test_played_out (void)
{
  static const struct {
    const char *words;
    gboolean file, over, ready;
    guint64 shows;
    const char *told;
  } rows[] = {
    { "of a recording", TRUE, FALSE, FALSE, 100, "" },
    { "of a recording whose run is over", TRUE, TRUE, FALSE, 100, "" },
    { "of a run that is over", FALSE, TRUE, FALSE, 100, "" },
    { "before the last one of a run that is over", FALSE, TRUE, TRUE, 200, "" },
    { "before one that is there", FALSE, FALSE, TRUE, 200, "" },
    { "before one that is still to come", FALSE, FALSE, FALSE, 100, "record" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;
      LsPlayhead *playhead = &self->playhead;
      guint n_data, n_time;

      self->file = rows[i].file ? lanes_step (100) : NULL;
      self->over = rows[i].over;
      self->ready = rows[i].ready ? lanes_step (200) : NULL;
      playhead->playing = TRUE;
      playhead->dial_ns = (guint64) ls_playhead_span (playhead); /* a second long */
      for (guint k = 0; k < 25; k++) /* another op, or another moment of the same one */
        {
          const guint op = ls_playhead_op (playhead);

          n_data = view->n_data;
          n_time = view->n_time;
          ls_session_advance (self, .01);
          g_assert_cmpuint (view->n_data - n_data, ==, ls_playhead_op (playhead) != op);
          g_assert_cmpuint (view->n_time - n_time, ==, ls_playhead_op (playhead) == op);
        }
      g_assert_cmpint (llabs (playhead->time_ns - ls_playhead_span (playhead) / 4), <=, 25);
      ls_playhead_seek (playhead, ls_playhead_span (playhead));
      self->show_next = FALSE;
      /* nothing goes on before it has been seen */
      ls_session_advance (self, .1);
      if (playhead->time_ns != ls_playhead_span (playhead) || ls_session_shown (self)->step != 100)
        g_error ("a step %s is gone a tenth of a second after its end", rows[i].words);
      for (guint k = 0; k < 4; k++)
        {
          n_time = view->n_time;
          n_data = view->n_data;
          ls_session_advance (self, .1);
          if (playhead->time_ns == 0 || self->show_next)
            break;
        }
      const gboolean waits = *rows[i].told != '\0';
      if (ls_session_shown (self)->step != rows[i].shows || self->show_next != waits
          || (playhead->time_ns == 0) == waits || !playhead->playing)
        g_error ("after a step %s step %u is at %d ns of %d, the next is%s waited for, and it %s",
                 rows[i].words, (guint) ls_session_shown (self)->step, (gint) playhead->time_ns,
                 (gint) ls_playhead_span (playhead), self->show_next ? "" : "n't",
                 playhead->playing ? "plays" : "rests");
      if (view->n_time + view->n_data == n_time + n_data)
        g_error ("what follows a step %s isn't told", rows[i].words);
      g_assert_null (self->ready);
      lanes_assert_told (rows[i].told);
      lanes_done (view);
    }
}

/* By step, the next one is done once this one has been shown. */
static void
test_by_step (void)
{
  View *view = lanes_view_of_step ();
  LsSession *self = view->session;

  self->options->pace = LS_PACE_STEP;
  self->playhead.playing = TRUE;
  self->playhead.dial_ns = (guint64) ls_playhead_span (&self->playhead);
  ls_session_advance (self, .9);
  lanes_assert_told ("");
  for (guint i = 0; i < 10 && !self->show_next; i++)
    ls_session_advance (self, .1);
  lanes_assert_told ("record");
  lanes_done (view);
}

/* Whoever plays at the end of a recording, or of a run that is over, sees it from its beginning; in a run
 * that goes on the next step comes. Stopped at the end of all ops, a view of one op shows the one that took
 * longest, but not one with a clock of its own. */
static void
test_ends (void)
{
  for (guint i = 0; i < 4; i++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;

      self->file = i & 1 ? lanes_step (100) : NULL;
      self->over = i & 2;
      ls_playhead_seek (&self->playhead, ls_playhead_span (&self->playhead));
      const guint n_time = view->n_time, n_states = view->n_states;
      ls_session_set_playing (self, TRUE);
      if ((self->playhead.time_ns == 0) != (i > 0))
        g_error ("played at the end of %s%s it is at %d ns", i & 1 ? "a recording" : "a run",
                 i & 2 ? " that is over" : "", (gint) self->playhead.time_ns);
      g_assert_cmpuint (view->n_time, ==, n_time + 1);
      g_assert_cmpuint (view->n_states, ==, n_states + 1);
      g_assert_cmpint (self->poll != 0, ==, self->file == NULL); /* what lanes do is looked at from now on */
      lanes_done (view);
    }
  for (guint own = 0; own < 2; own++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;
      LsPlayhead *playhead = &self->playhead;
      const guint last = playhead->ops->len - 1, most = longest (playhead);

      g_assert_cmpuint (most, !=, last);
      ls_session_set_clock (self, TRUE, own ? 5000 : -1);
      ls_playhead_seek_op (playhead, g_array_index (playhead->ops, LsPlayheadOp, last).op);
      ls_playhead_finish (playhead);
      playhead->playing = TRUE;
      const guint n_data = view->n_data;
      ls_session_set_playing (self, FALSE);
      g_assert_cmpuint (playhead->at, ==, own ? last : most);
      g_assert_cmpint (playhead->time_ns, ==, ls_playhead_span (playhead));
      g_assert_cmpuint (view->n_data, ==, n_data + !own);
      lanes_done (view);
    }
}

/* ---- moving ---- */

/* A seek, a jump and a step stop the clock; a click on an op doesn't: while it plays it goes on from the op's
 * beginning, and while it rests all of the op is seen. */
static void
test_moves (void)
{
  View *view = lanes_view_of_step ();
  LsSession *self = view->session;
  LsPlayhead *playhead = &self->playhead;
  const gint64 span = ls_playhead_span (playhead);
  const LsPlayheadOp *second = &g_array_index (playhead->ops, LsPlayheadOp, 1);
  static const char *const names[] = { "a seek", "a jump", "a step" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      playhead->playing = TRUE;
      g_string_truncate (lanes.told, 0);
      const guint n_time = view->n_time, n_data = view->n_data;
      if (i == 0)
        ls_session_seek (self, span / 3);
      else if (i == 1)
        ls_session_jump (self, 1, TRUE);
      else
        ls_session_step (self, 1);
      if (playhead->playing)
        g_error ("the clock runs on after %s", names[i]);
      lanes_assert_told ("pause");
      g_assert_cmpuint (view->n_time + view->n_data, >=, n_time + n_data + 2); /* that it stopped, and where
                                                                                */
      g_assert_cmpuint (view->n_data, ==, n_data + (i == 1));
      g_assert_cmpint (playhead->time_ns, >, 0);
    }
  g_assert_cmpint (playhead->time_ns, ==, span);
  ls_session_seek (self, span / 3);
  g_assert_cmpint (playhead->time_ns, ==, span / 3);
  ls_session_jump (self, -1, TRUE);
  g_assert_cmpint (playhead->time_ns, <, span / 3);
  /* there is nothing before the beginning, which is nothing to tell */
  ls_session_seek (self, 0);
  guint n_data = view->n_data;
  ls_session_jump (self, -1, TRUE);
  g_assert_cmpuint (view->n_data, ==, n_data);

  for (guint playing = 0; playing < 2; playing++)
    {
      playhead->playing = playing;
      n_data = view->n_data;
      ls_session_seek_op (self, second->op);
      g_assert_cmpint (playhead->playing, ==, playing);
      g_assert_cmpuint (ls_playhead_op (playhead), ==, second->op);
      g_assert_cmpint (playhead->time_ns, ==, playing ? second->start_ns : second->end_ns);
      g_assert_cmpuint (view->n_data, ==, n_data + 1);
    }
  lanes_done (view);
}

/* In a recording a step leads to its edges and no further, though a run's steps are still kept; there is
 * nothing to pin, either. */
static void
test_in_a_recording (void)
{
  View *view = lanes_view_of_step ();
  LsSession *self = view->session;
  g_autoptr (LsRecording) second = lanes_step (200);
  const gint moves[] = { 1, 1, -1, -1, -1, 1, 1 };

  ls_session_toggle_pin (self);
  g_assert_true (ls_history_pinned (self->history, 0));
  g_assert_cmpuint (ls_history_n (self->history), ==, 1);
  const guint n_states = view->n_states;
  ls_session_toggle_pin (self);
  g_assert_false (ls_history_pinned (self->history, 0));
  g_assert_cmpuint (view->n_states, ==, n_states + 1);
  ls_history_add (self->history, second);
  self->file = lanes_step (150);
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      ls_session_step (self, moves[i]);
      g_assert_cmpuint (ls_session_shown (self)->step, ==, 100);
      g_assert_cmpint (self->playhead.time_ns, ==, moves[i] > 0 ? ls_playhead_span (&self->playhead) : 0);
      g_assert_false (self->show_next);
    }
  lanes_assert_told ("");
  ls_session_toggle_pin (self);
  g_assert_false (ls_history_pinned (self->history, 0));
  g_assert_cmpuint (view->n_states, ==, n_states + 1);
  lanes_done (view);
}

/* The clock is the step's or the op's, and the moment stays; where all of the step is done the op that took
 * longest is seen. A view's own clock turns the dial as suits it, and leaving it turns it back, unless
 * somebody has chosen. What changes is told once, what doesn't isn't. */
static void
test_clocks (void)
{
  for (guint chosen = 0; chosen < 2; chosen++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;
      LsPlayhead *playhead = &self->playhead;
      const LsPlayheadOp *second = &g_array_index (playhead->ops, LsPlayheadOp, 1);
      const guint64 suits = ls_dial_ns (ls_dial_for_step (playhead->step_ns)),
                    suits_own = ls_dial_ns (ls_dial_for_step (12));
      static const struct {
        gboolean by_op;
        gint64 own_ns;
        guint time, state; /* signals, where nobody has chosen */
      } moves[] = { { FALSE, -1, 0, 0 }, { TRUE, -1, 1, 0 }, { TRUE, -1, 0, 0 }, { TRUE, 12, 1, 1 },
                    { TRUE, 12, 0, 0 },  { TRUE, 13, 1, 0 }, { TRUE, -1, 1, 1 }, { FALSE, -1, 1, 0 } };

      g_assert_cmpuint (suits, !=, suits_own);
      if (chosen)
        ls_session_set_dial (self, suits);
      ls_session_seek_op (self, second->op);
      for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
        {
          const guint n_time = view->n_time, n_states = view->n_states;

          ls_session_set_clock (self, moves[i].by_op, moves[i].own_ns);
          g_assert_cmpuint (ls_playhead_op (playhead), ==, second->op);
          g_assert_cmpint (playhead->own, ==, moves[i].own_ns >= 0);
          if (moves[i].own_ns >= 0)
            g_assert_cmpint (ls_playhead_span (playhead), ==, moves[i].own_ns);
          g_assert_cmpuint (playhead->dial_ns, ==, moves[i].own_ns >= 0 && !chosen ? suits_own : suits);
          if (view->n_time - n_time != moves[i].time
              || view->n_states - n_states != (chosen ? 0 : moves[i].state))
            g_error ("clock %u is told %u and %u times", i, view->n_time - n_time, view->n_states - n_states);
        }
      /* another view's own clock was short; else the moment is the same on both */
      ls_session_seek (self, second->end_ns - 7);
      ls_session_set_clock (self, TRUE, -1);
      g_assert_cmpint (playhead->time_ns, <, playhead->step_ns / 2);
      ls_session_set_clock (self, FALSE, -1);
      g_assert_cmpint (playhead->time_ns, ==, second->end_ns - 7);
      ls_session_seek (self, ls_playhead_span (playhead));
      ls_session_set_clock (self, TRUE, -1);
      g_assert_cmpuint (playhead->at, ==, longest (playhead));
      /* only on the way to the op's clock */
      ls_session_seek_op (self, g_array_index (playhead->ops, LsPlayheadOp, playhead->ops->len - 1).op);
      ls_session_set_clock (self, FALSE, -1);
      g_assert_cmpuint (playhead->at, ==, playhead->ops->len - 1);
      lanes_done (view);
    }
}

/* A view whose clock is its own has been left in the midst of an op for one with the step's: the hand stands
 * where the op began, for the own clock's moments are none of the step's. */
static void
test_own_clock_left (void)
{
  View *view = lanes_view_of_step ();
  LsSession *self = view->session;
  LsPlayhead *playhead = &self->playhead;
  const LsPlayheadOp *second = &g_array_index (playhead->ops, LsPlayheadOp, 1);

  ls_session_set_clock (self, TRUE, -1);
  ls_session_seek_op (self, second->op);
  ls_session_set_clock (self, TRUE, 1000);
  ls_session_seek (self, 400);
  ls_session_set_clock (self, FALSE, -1);
  if (playhead->time_ns != second->start_ns || ls_playhead_op (playhead) != second->op)
    g_error ("on the step's clock the hand stands at %" G_GINT64_FORMAT
             " ns in op %u, and not at %" G_GINT64_FORMAT " ns, where op %u began",
             playhead->time_ns, ls_playhead_op (playhead), second->start_ns, second->op);
  lanes_done (view);
}

/* The op in which two lanes were found to differ first is gone to at once, and again in the step that is
 * shown after it; but not over a recording, nor while the next step is played. */
static void
test_found (void)
{
  enum { RESTS, PLAYS, PLAYBACK, N };

  for (guint i = 0; i < N; i++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;
      LsPlayhead *playhead = &self->playhead;
      const LsPlayheadOp *op = &g_array_index (playhead->ops, LsPlayheadOp, 2);
      const guint found = op->op, first = g_array_index (playhead->ops, LsPlayheadOp, 0).op;
      g_autoptr (LsRecording) next = lanes_step (200);
      LsSnapshot *s = again (view->snapshot);

      self->file = i == PLAYBACK ? lanes_step (150) : NULL;
      s->agreement.found = TRUE;
      s->agreement.first.op = found;
      hand_over (view, s);
      g_assert_cmpuint (ls_playhead_op (playhead), ==, i == PLAYBACK ? first : found);
      if (i != PLAYBACK)
        g_assert_cmpint (playhead->time_ns, ==, op->end_ns);
      /* told once: who has gone elsewhere stays there */
      ls_session_seek (self, 0);
      hand_over (view, again (view->snapshot));
      g_assert_cmpuint (ls_playhead_op (playhead), ==, first);
      self->options->pace = LS_PACE_STEP;
      playhead->playing = i == PLAYS;
      self->show_next = TRUE;
      ls_session_take_recording (self, next);
      g_assert_cmpuint (ls_session_shown (self)->step, ==, i == PLAYBACK ? 100 : 200);
      g_assert_cmpuint (ls_playhead_op (playhead), ==, i == RESTS ? found : first);
      lanes_done (view);
    }
}

/* ---- frames ---- */

/* The middle frame, and the one that 95 of 100 are no longer than, in ms; how many there were in a second;
 * each is counted once, and of very many the newest are looked at. */
static void
test_frames (void)
{
  LsFrameMeter meter = { .n = 0 };
  double p50, p95, fps;
  guint n;

  lanes.us = 7 * G_USEC_PER_SEC;
  g_assert_false (ls_frame_meter_take (&meter, &p50, &p95, &fps, &n));
  for (guint i = 0; i < 100; i++) /* 1 … 100 ms, in any order, in four seconds */
    {
      ls_frame_meter_add (&meter, 1000 * (1 + i * 37 % 100));
      lanes.us += 40000;
    }
  g_assert_true (ls_frame_meter_take (&meter, &p50, &p95, &fps, &n));
  g_assert_cmpuint (n, ==, 100);
  g_assert_cmpfloat_with_epsilon (p50, 50.5, .6);
  g_assert_cmpfloat_with_epsilon (p95, 95.5, .6);
  g_assert_cmpfloat_with_epsilon (fps, 25, 1e-6);
  g_assert_false (ls_frame_meter_take (&meter, &p50, &p95, &fps, &n));
  /* the time since the last look counts, too */
  lanes.us += G_USEC_PER_SEC;
  ls_frame_meter_add (&meter, 16000);
  lanes.us += G_USEC_PER_SEC;
  g_assert_true (ls_frame_meter_take (&meter, &p50, &p95, &fps, &n));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat (p50, ==, 16);
  g_assert_cmpfloat (p95, ==, 16);
  g_assert_cmpfloat_with_epsilon (fps, .5, 1e-6);
  for (guint i = 0; i < LS_FRAME_METER_N + 200; i++)
    ls_frame_meter_add (&meter, i < 200 ? 90000 : 2000);
  lanes.us += 2 * G_USEC_PER_SEC;
  g_assert_true (ls_frame_meter_take (&meter, &p50, &p95, &fps, &n));
  g_assert_cmpuint (n, ==, LS_FRAME_METER_N + 200);
  g_assert_cmpfloat (p50, ==, 2);
  g_assert_cmpfloat (p95, ==, 2);
  g_assert_cmpfloat_with_epsilon (fps, (LS_FRAME_METER_N + 200) / 2., 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-time/played-out", test_played_out);
  g_test_add_func ("/session-time/by-step", test_by_step);
  g_test_add_func ("/session-time/ends", test_ends);
  g_test_add_func ("/session-time/moves", test_moves);
  g_test_add_func ("/session-time/in-a-recording", test_in_a_recording);
  g_test_add_func ("/session-time/clocks", test_clocks);
  g_test_add_func ("/session-time/own-clock-left", test_own_clock_left);
  g_test_add_func ("/session-time/found", test_found);
  g_test_add_func ("/session-time/frames", test_frames);
  return g_test_run ();
}
