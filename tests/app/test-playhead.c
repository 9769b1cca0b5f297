/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The playhead over invented recordings: what the dial, the hold, jumps and the two clocks make of a moment, also where a
 * step has no op, one, some of no length, or some whose work-groups tell only their order.
 */
#include <math.h>

#include "fixture.h"
#include "ui/app/playhead.h"

#define FRAME_S (1. / 60)

static LsViewData *
make_data (LsKnown known, gboolean fused)
{
  const LsFixture fixture = { .batch = 32, .workers = 2, .tiles = 12, .groups = 12, .known = known, .units = 2,
                              .fused = fused, .steps = 60 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);

  return ls_view_data_from_recording (recording);
}

/* A step of n ops one after the other, on one lane: op i lasts ns[i]; a gap of gap_ns before each. All other ops of the plan
 * have left no event. */
static LsViewData *
make_steps (const gint64 *ns, guint n, gint64 gap_ns)
{
  const LsFixture fixture = { .batch = 32, .workers = 2, .tiles = 1, .steps = 2 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);
  LsRecordedLane *lane = &recording->lanes[0];
  guint64 now = lane->start_ns;

  g_assert_cmpuint (n, <=, recording->n_ops);
  g_array_set_size (lane->events, 0);
  for (guint16 i = 0; i < n; i++)
    {
      LsEvent e = { .kind = LS_EVENT_OP, .op = i, .start_ns = now + (guint64) gap_ns, .rank = LS_RANK_NONE, .unit = LS_UNIT_NONE,
                    .worker = LS_WORKER_NONE, .from = LS_WORKER_NONE };

      now = e.end_ns = e.start_ns + (guint64) ns[i];
      g_array_append_val (lane->events, e);
    }
  lane->end_ns = now;
  return ls_view_data_from_recording (recording);
}

static const LsPlayheadOp *
op_at (const LsPlayhead *p, guint at)
{
  return &g_array_index (p->ops, LsPlayheadOp, at);
}

/* Plays until the step is done; seconds on screen. Counts how often the op became another. */
static double
play (LsPlayhead *p, double frame_s, guint *n_ops)
{
  gint64 last = p->time_ns;
  guint last_at = p->at;

  const double left_s = ls_playhead_left_s (p);

  p->playing = TRUE;
  *n_ops = 0;
  for (guint i = 1; i < 1000000; i++)
    {
      const LsAdvance advance = ls_playhead_advance (p, frame_s);

      if (advance == LS_ADVANCE_DONE)
        {
          g_assert_cmpfloat_with_epsilon (i * frame_s, left_s, (2 * *n_ops + 3) * frame_s);
          return i * frame_s;
        }
      g_assert_cmpint (p->time_ns, <=, ls_playhead_span (p));
      g_assert_true (p->at > last_at || (p->at == last_at && p->time_ns >= last)); /* never backwards */
      g_assert_true ((advance == LS_ADVANCE_STAYS) == (p->at == last_at && p->time_ns == last));
      g_assert_true ((advance == LS_ADVANCE_OP) == (p->at != last_at));
      *n_ops += advance == LS_ADVANCE_OP;
      last = p->time_ns;
      last_at = p->at;
    }
  g_assert_not_reached ();
}

static void
test_nothing (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) empty = make_steps (NULL, 0, 0);

  ls_playhead_init (&p);
  p.playing = TRUE;
  for (guint round = 0; round < 2; round++)
    {
      for (guint by_op = 0; by_op < 2; by_op++)
        {
          ls_playhead_set_by_op (&p, by_op == 1);
          g_assert_cmpint (ls_playhead_span (&p), ==, 0);
          g_assert_cmpuint (ls_playhead_op (&p), ==, 0);
          g_assert_cmpint (ls_playhead_advance (&p, .1), ==, LS_ADVANCE_STAYS);
          g_assert_true (ls_playhead_at_end (&p));
          g_assert_false (ls_playhead_jump (&p, 1));
          g_assert_false (ls_playhead_jump (&p, -1));
          g_assert_false (ls_playhead_to_edge (&p, 1));
          g_assert_false (ls_playhead_to_edge (&p, -1));
          ls_playhead_seek (&p, 1000);
          ls_playhead_seek_op (&p, 7);
          g_assert_cmpint (p.time_ns, ==, 0);
        }
      ls_playhead_set_data (&p, round == 0 ? NULL : empty, TRUE);
    }
  ls_playhead_clear (&p);
}

/* A lane that kept its copies only: there is a clock, but no op. */
static void
test_no_ops (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = make_steps (NULL, 0, 0);
  guint n;

  data->sides[0].index->length_ns = 5000;
  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpint (ls_playhead_span (&p), ==, 5000);
  p.dial_ns = 5000;
  g_assert_cmpfloat_with_epsilon (play (&p, FRAME_S, &n), 1 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  g_assert_cmpuint (n, ==, 0);
  g_assert_false (ls_playhead_jump (&p, -1));
  g_assert_true (ls_playhead_to_edge (&p, -1));
  ls_playhead_set_by_op (&p, TRUE);
  g_assert_cmpint (ls_playhead_span (&p), ==, 0);
  g_assert_false (ls_playhead_to_edge (&p, 1));
  ls_playhead_clear (&p);
}

static void
test_one_op (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 40000 };
  g_autoptr (LsViewData) data = make_steps (ns, 1, 2000);
  guint n;

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpuint (p.ops->len, ==, 1);
  g_assert_cmpint (p.step_ns, ==, 42000);
  /* before its beginning, the next op is the first */
  g_assert_false (ls_playhead_jump (&p, -1));
  g_assert_true (ls_playhead_jump (&p, 1));
  g_assert_cmpint (p.time_ns, ==, 2000);
  g_assert_false (ls_playhead_jump (&p, 1));
  g_assert_false (ls_playhead_jump (&p, -1));
  g_assert_true (ls_playhead_to_edge (&p, 1));
  g_assert_true (ls_playhead_at_end (&p));
  ls_playhead_set_by_op (&p, TRUE);
  g_assert_true (ls_playhead_at_end (&p));
  g_assert_cmpint (p.time_ns, ==, 40000);
  g_assert_true (ls_playhead_jump (&p, -1));
  g_assert_cmpint (p.time_ns, ==, 0);
  p.dial_ns = 20000;
  g_assert_cmpfloat_with_epsilon (play (&p, FRAME_S, &n), 2 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  g_assert_cmpint (ls_playhead_advance (&p, FRAME_S), ==, LS_ADVANCE_DONE); /* until another step is given */
  ls_playhead_clear (&p);
}

/* Ops of no length take no time on the step's clock, and on the op's clock pass while the one before is held. */
static void
test_zero_length (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 0, 1000, 0, 0, 1000, 0 };
  g_autoptr (LsViewData) data = make_steps (ns, G_N_ELEMENTS (ns), 0);
  guint n;

  ls_playhead_init (&p);
  ls_playhead_set_by_op (&p, TRUE);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpuint (p.ops->len, ==, 6);
  p.dial_ns = 1000;
  p.playing = TRUE;
  while (ls_playhead_advance (&p, FRAME_S) != LS_ADVANCE_OP)
    g_assert_cmpuint (p.at, ==, 0);
  g_assert_cmpuint (p.at, ==, 1);
  g_assert_cmpuint (p.skipped, ==, 0);
  while (ls_playhead_advance (&p, FRAME_S) != LS_ADVANCE_OP)
    g_assert_cmpuint (p.at, ==, 1);
  g_assert_cmpuint (p.at, ==, 4);
  g_assert_cmpuint (p.skipped, ==, 2);
  /* three holds and two ops of a second, then the last op */
  ls_playhead_to_edge (&p, -1);
  g_assert_cmpfloat_with_epsilon (play (&p, FRAME_S, &n), 2 + 4 * LS_PLAYHEAD_HOLD_S, 6 * FRAME_S);
  g_assert_cmpuint (n, ==, 3);
  for (guint i = 5; i-- > 0;)
    {
      g_assert_true (ls_playhead_jump (&p, -1));
      g_assert_cmpuint (p.at, ==, i);
    }
  g_assert_false (ls_playhead_jump (&p, -1));
  ls_playhead_set_by_op (&p, FALSE);
  g_assert_cmpfloat_with_epsilon (play (&p, FRAME_S, &n), 2 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  ls_playhead_clear (&p);
}

/* At 1 s = 10 ns a frame is a fraction of a nanosecond; at 1 s = 1 s the whole step is less than a frame. */
static void
test_dial (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 20, 30 };
  const gint64 short_ns[] = { 100000, 200000, 300000, 400000 };
  g_autoptr (LsViewData) data = make_steps (ns, 2, 0), longer = make_steps (short_ns, 4, 10000);
  guint n;

  for (guint i = 0; i < ls_dial_n (); i++)
    {
      g_assert_cmpuint (ls_dial_position (ls_dial_ns (i)), ==, i);
      g_assert_cmpuint (ls_dial_position (ls_dial_ns (i) + ls_dial_ns (i) / 10), ==, i);
      g_assert_cmpuint (ls_dial_position (ls_dial_ns (i) - ls_dial_ns (i) / 10), ==, i);
      g_assert_true (i == 0 || ls_dial_ns (i) > ls_dial_ns (i - 1));
    }
  g_assert_cmpuint (ls_dial_ns (0), ==, 10);
  g_assert_cmpuint (ls_dial_ns (ls_dial_n () - 1), ==, 1000000000);
  g_assert_cmpuint (ls_dial_ns (1000), ==, 1000000000);
  g_assert_cmpuint (ls_dial_position (0), ==, 0);
  g_assert_cmpuint (ls_dial_position (G_MAXUINT64), ==, ls_dial_n () - 1);
  g_assert_cmpuint (ls_dial_ns (ls_dial_for_step (1234567)), ==, 100000);
  g_assert_cmpuint (ls_dial_ns (ls_dial_for_step (0)), ==, 10);
  g_assert_cmpuint (ls_dial_ns (ls_dial_for_step (G_MAXINT64)), ==, 1000000000);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  p.dial_ns = 10;
  g_assert_cmpfloat_with_epsilon (play (&p, FRAME_S, &n), 5 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  ls_playhead_to_edge (&p, -1);
  g_assert_cmpfloat_with_epsilon (play (&p, 1. / 240, &n), 5 + LS_PLAYHEAD_HOLD_S, 2. / 240);
  g_assert_cmpuint (n, ==, 1);

  ls_playhead_set_data (&p, longer, TRUE);
  p.dial_ns = 1000000000;
  g_assert_cmpfloat_with_epsilon (play (&p, FRAME_S, &n), LS_PLAYHEAD_HOLD_S, 3 * FRAME_S);
  ls_playhead_set_by_op (&p, TRUE);
  ls_playhead_to_edge (&p, -1);
  g_assert_cmpfloat_with_epsilon (play (&p, FRAME_S, &n), 2 * LS_PLAYHEAD_HOLD_S, 5 * FRAME_S);
  g_assert_cmpuint (p.skipped, ==, 2);
  g_assert_cmpuint (n, ==, 1);
  ls_playhead_clear (&p);
}

static void
test_hold (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 100000, 100000, 5000000, 100000, 100000 };
  g_autoptr (LsViewData) data = make_steps (ns, G_N_ELEMENTS (ns), 0);

  ls_playhead_init (&p);
  ls_playhead_set_by_op (&p, TRUE);
  ls_playhead_set_data (&p, data, TRUE);
  p.playing = TRUE;
  p.dial_ns = 1000000;
  g_assert_cmpint (ls_playhead_advance (&p, .05), ==, LS_ADVANCE_MOVED);
  g_assert_cmpint (ls_playhead_advance (&p, .06), ==, LS_ADVANCE_MOVED);
  g_assert_cmpint (p.time_ns, ==, 100000);
  g_assert_cmpint (ls_playhead_advance (&p, .33), ==, LS_ADVANCE_STAYS);
  /* a third of a second is time for the second op, not for the third */
  g_assert_cmpint (ls_playhead_advance (&p, .004), ==, LS_ADVANCE_OP);
  g_assert_cmpuint (p.at, ==, 2);
  g_assert_cmpuint (p.skipped, ==, 1);
  g_assert_cmpint (p.time_ns, ==, 0);
  g_assert_cmpfloat (p.held_s, ==, 0);
  /* paused: nothing moves, the hold neither */
  ls_playhead_seek (&p, G_MAXINT64);
  p.playing = FALSE;
  g_assert_cmpint (ls_playhead_advance (&p, .9), ==, LS_ADVANCE_STAYS);
  p.playing = TRUE;
  g_assert_cmpint (ls_playhead_advance (&p, .3), ==, LS_ADVANCE_STAYS);
  /* the last op is always shown */
  g_assert_cmpint (ls_playhead_advance (&p, .04), ==, LS_ADVANCE_OP);
  g_assert_cmpuint (p.at, ==, 4);
  g_assert_cmpuint (p.skipped, ==, 1);
  ls_playhead_clear (&p);
}

static void
test_gap (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = make_data (LS_KNOWN_UNITS, FALSE);
  const double gaps[] = { 1.01, 3600, (double) INFINITY, (double) NAN, 0, -1 };

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  p.playing = TRUE;
  p.dial_ns = 10000;
  ls_playhead_advance (&p, .5);
  g_assert_cmpint (p.time_ns, ==, 5000);
  for (guint i = 0; i < G_N_ELEMENTS (gaps); i++)
    g_assert_cmpint (ls_playhead_advance (&p, gaps[i]), ==, LS_ADVANCE_STAYS);
  g_assert_cmpint (p.time_ns, ==, 5000);
  ls_playhead_advance (&p, 1);
  g_assert_cmpint (p.time_ns, ==, 15000);
  p.dial_ns = 0;
  g_assert_cmpint (ls_playhead_advance (&p, .5), ==, LS_ADVANCE_STAYS);
  ls_playhead_clear (&p);
}

static void
test_seek (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = make_data (LS_KNOWN_THREADS, TRUE);
  guint fused = 0;

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpuint (p.ops->len, <, data->recording->n_ops);
  ls_playhead_seek (&p, -5);
  g_assert_cmpint (p.time_ns, ==, 0);
  ls_playhead_seek (&p, G_MAXINT64);
  g_assert_cmpint (p.time_ns, ==, p.step_ns);
  g_assert_cmpuint (p.at, ==, p.ops->len - 1);
  g_assert_true (ls_playhead_at_end (&p));
  for (guint by_op = 0; by_op < 2; by_op++)
    {
      ls_playhead_set_by_op (&p, by_op == 1);
      for (guint i = 0; i < p.ops->len; i++)
        {
          ls_playhead_seek_op (&p, op_at (&p, i)->op);
          g_assert_cmpuint (p.at, ==, i);
          g_assert_cmpuint (ls_playhead_op (&p), ==, op_at (&p, i)->op);
          g_assert_cmpint (p.time_ns, ==, by_op ? 0 : op_at (&p, i)->start_ns);
          ls_playhead_seek (&p, p.time_ns + op_at (&p, i)->span_ns / 2);
          g_assert_true (by_op == 0 || p.at == i);
        }
    }
  /* an op that was computed inside another: the one before it that has a place; past the plan's end: the last */
  while (fused + 1 < p.ops->len && op_at (&p, fused + 1)->op == op_at (&p, fused)->op + 1)
    fused++;
  ls_playhead_seek_op (&p, op_at (&p, fused)->op + 1);
  g_assert_cmpuint (p.at, ==, fused);
  ls_playhead_seek_op (&p, G_MAXUINT);
  g_assert_cmpuint (p.at, ==, p.ops->len - 1);
  ls_playhead_clear (&p);
}

static void
test_jump (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = make_data (LS_KNOWN_UNITS, FALSE);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  for (guint by_op = 0; by_op < 2; by_op++)
    {
      guint n = 1;

      ls_playhead_set_by_op (&p, by_op == 1);
      ls_playhead_to_edge (&p, -1);
      ls_playhead_seek_op (&p, op_at (&p, 0)->op);
      while (ls_playhead_jump (&p, 1))
        {
          g_assert_cmpuint (p.at, ==, n++);
          g_assert_cmpint (p.time_ns, ==, by_op ? 0 : op_at (&p, p.at)->start_ns);
        }
      g_assert_cmpuint (n, ==, p.ops->len);
      /* into the op: first back to its own beginning */
      ls_playhead_seek (&p, p.time_ns + 1);
      g_assert_true (ls_playhead_jump (&p, -1));
      g_assert_cmpuint (p.at, ==, p.ops->len - 1);
      g_assert_true (ls_playhead_jump (&p, -1));
      g_assert_cmpuint (p.at, ==, p.ops->len - 2);
      g_assert_true (ls_playhead_to_edge (&p, 1));
      g_assert_false (ls_playhead_to_edge (&p, 1));
      g_assert_true (ls_playhead_to_edge (&p, -1));
      g_assert_false (ls_playhead_to_edge (&p, -1));
    }
  ls_playhead_clear (&p);
}

/* There and back again is the same moment, at every moment that both clocks have. */
static void
test_clocks (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = make_data (LS_KNOWN_UNITS, FALSE);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  for (guint i = 0; i < p.ops->len; i++)
    for (guint part = 1; part < 4; part++)
      {
        const gint64 since_ns = op_at (&p, i)->span_ns * part / 4;

        ls_playhead_set_by_op (&p, TRUE);
        ls_playhead_seek_op (&p, op_at (&p, i)->op);
        ls_playhead_seek (&p, since_ns);
        ls_playhead_set_by_op (&p, FALSE);
        g_assert_cmpint (p.time_ns, ==, op_at (&p, i)->start_ns + since_ns);
        g_assert_cmpuint (p.at, ==, i);
        ls_playhead_set_by_op (&p, TRUE);
        g_assert_cmpuint (p.at, ==, i);
        g_assert_cmpint (p.time_ns, ==, since_ns);
      }
  /* the edges are the edges on both */
  ls_playhead_to_edge (&p, -1);
  ls_playhead_set_by_op (&p, FALSE);
  g_assert_cmpint (p.time_ns, ==, 0);
  ls_playhead_to_edge (&p, 1);
  ls_playhead_set_by_op (&p, TRUE);
  g_assert_true (ls_playhead_at_end (&p));
  ls_playhead_set_by_op (&p, FALSE);
  g_assert_cmpint (p.time_ns, ==, p.step_ns);
  /* between two ops, the op's clock is at the end of the one before */
  ls_playhead_seek (&p, op_at (&p, 1)->start_ns - 1);
  g_assert_cmpuint (p.at, ==, 0);
  ls_playhead_set_by_op (&p, TRUE);
  g_assert_cmpint (p.time_ns, ==, MIN (op_at (&p, 0)->span_ns, op_at (&p, 1)->start_ns - 1 - op_at (&p, 0)->start_ns));
  ls_playhead_clear (&p);
}

/* Work-groups that tell only their order: the op has its kernel's time all the same. */
static void
test_untimed (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = make_data (LS_KNOWN_ORDER, FALSE);
  const LsStepIndex *index = data->sides[1].index;
  guint n;

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpuint (p.ops->len, ==, data->recording->n_ops);
  for (guint i = 0; i < p.ops->len; i++)
    {
      g_assert_false (index->ops[i].timed);
      g_assert_cmpint (op_at (&p, i)->span_ns, >=, index->ops[i].end_ns - index->ops[i].start_ns);
      g_assert_cmpint (op_at (&p, i)->start_ns, <=, index->ops[i].start_ns);
      g_assert_cmpint (op_at (&p, i)->start_ns + op_at (&p, i)->span_ns, <=, p.step_ns);
    }
  p.dial_ns = ls_dial_ns (ls_dial_for_step (p.step_ns));
  g_assert_cmpfloat (play (&p, FRAME_S, &n), >, 6);
  g_assert_cmpuint (n, ==, p.ops->len - 1);
  ls_playhead_clear (&p);
}

static void
test_other_step (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 100, 200, 300, 400 }, other_ns[] = { 100, 200, 50, 400 };
  g_autoptr (LsViewData) first = make_steps (ns, 4, 10), same = make_steps (ns, 4, 10), second = make_steps (other_ns, 4, 10);
  g_autoptr (LsViewData) fewer = make_steps (ns, 2, 10);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, first, FALSE);
  g_assert_cmpint (p.time_ns, ==, 0);
  p.playing = TRUE;
  p.dial_ns = 1000;
  ls_playhead_seek (&p, 400);
  g_assert_cmpuint (p.at, ==, 2);
  /* the same times: not even the fraction of a nanosecond is lost */
  p.rest_ns = .5;
  ls_playhead_set_data (&p, same, FALSE);
  g_assert_cmpint (p.time_ns, ==, 400);
  g_assert_cmpfloat (p.rest_ns, ==, .5);
  /* op 2 is shorter there */
  ls_playhead_set_data (&p, second, FALSE);
  g_assert_cmpuint (p.at, ==, 2);
  g_assert_cmpint (p.time_ns, ==, 330 + 50);
  ls_playhead_set_by_op (&p, TRUE);
  g_assert_cmpint (p.time_ns, ==, 50);
  /* finished stays finished */
  ls_playhead_set_data (&p, first, FALSE);
  g_assert_cmpuint (p.at, ==, 2);
  g_assert_cmpint (p.time_ns, ==, 300);
  /* it has no such op: the one before it */
  ls_playhead_seek (&p, 10);
  ls_playhead_set_data (&p, fewer, FALSE);
  g_assert_cmpuint (p.at, ==, 1);
  g_assert_cmpint (p.time_ns, ==, 10);
  ls_playhead_to_edge (&p, 1);
  ls_playhead_set_by_op (&p, FALSE);
  ls_playhead_set_data (&p, first, FALSE);
  g_assert_true (ls_playhead_at_end (&p));
  ls_playhead_set_data (&p, second, TRUE);
  g_assert_cmpint (p.time_ns, ==, 0);
  g_assert_true (p.playing);
  ls_playhead_set_data (&p, NULL, FALSE);
  g_assert_cmpint (ls_playhead_span (&p), ==, 0);
  ls_playhead_clear (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/playhead/nothing", test_nothing);
  g_test_add_func ("/app/playhead/no-ops", test_no_ops);
  g_test_add_func ("/app/playhead/one-op", test_one_op);
  g_test_add_func ("/app/playhead/zero-length", test_zero_length);
  g_test_add_func ("/app/playhead/dial", test_dial);
  g_test_add_func ("/app/playhead/hold", test_hold);
  g_test_add_func ("/app/playhead/gap", test_gap);
  g_test_add_func ("/app/playhead/seek", test_seek);
  g_test_add_func ("/app/playhead/jump", test_jump);
  g_test_add_func ("/app/playhead/clocks", test_clocks);
  g_test_add_func ("/app/playhead/untimed", test_untimed);
  g_test_add_func ("/app/playhead/other-step", test_other_step);
  return g_test_run ();
}
