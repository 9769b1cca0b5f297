/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The playhead while it plays: what dial, frames and hold make of a step, also of one that has no op, one, or
 * some of no length.
 */
#include <math.h>

#include "steps.h"

static void
test_nothing (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) empty = steps_of (NULL, 0, 0);

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
          g_assert_false (ls_playhead_jump (&p, 1, TRUE));
          g_assert_false (ls_playhead_jump (&p, -1, TRUE));
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
  g_autoptr (LsViewData) data = steps_of (NULL, 0, 0);
  guint n;

  data->sides[0].index->length_ns = 5000;
  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpint (ls_playhead_span (&p), ==, 5000);
  p.dial_ns = 5000;
  g_assert_cmpfloat_with_epsilon (steps_play (&p, FRAME_S, &n), 1 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  g_assert_cmpuint (n, ==, 0);
  g_assert_false (ls_playhead_jump (&p, -1, TRUE));
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
  g_autoptr (LsViewData) data = steps_of (ns, 1, 2000);
  guint n;

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpuint (p.ops->len, ==, 1);
  g_assert_cmpint (p.step_ns, ==, 42000);
  g_assert_false (ls_playhead_jump (&p, -1, TRUE));
  g_assert_true (ls_playhead_jump (&p, 1, TRUE));
  g_assert_cmpint (p.time_ns, ==, 42000);
  g_assert_false (ls_playhead_jump (&p, 1, TRUE));
  g_assert_true (ls_playhead_at_end (&p));
  ls_playhead_set_by_op (&p, TRUE);
  g_assert_true (ls_playhead_at_end (&p));
  g_assert_cmpint (p.time_ns, ==, 40000);
  g_assert_true (ls_playhead_jump (&p, -1, TRUE));
  g_assert_cmpint (p.time_ns, ==, 0);
  p.dial_ns = 20000;
  g_assert_cmpfloat_with_epsilon (steps_play (&p, FRAME_S, &n), 2 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  g_assert_cmpint (ls_playhead_advance (&p, FRAME_S), ==, LS_ADVANCE_DONE); /* until another step is given */
  ls_playhead_clear (&p);
}

/* Ops of no length take no time on the step's clock, and on the op's clock pass while the one before is
 * held. */
static void
test_zero_length (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 0, 1000, 0, 0, 1000, 0 };
  g_autoptr (LsViewData) data = steps_of (ns, G_N_ELEMENTS (ns), 0);
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
  g_assert_cmpfloat_with_epsilon (steps_play (&p, FRAME_S, &n), 2 + 4 * LS_PLAYHEAD_HOLD_S, 6 * FRAME_S);
  g_assert_cmpuint (n, ==, 3);
  for (guint i = 5; i-- > 0;)
    {
      g_assert_true (ls_playhead_jump (&p, -1, TRUE));
      g_assert_cmpuint (p.at, ==, i);
    }
  g_assert_false (ls_playhead_jump (&p, -1, TRUE));
  ls_playhead_set_by_op (&p, FALSE);
  g_assert_cmpfloat_with_epsilon (steps_play (&p, FRAME_S, &n), 2 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  ls_playhead_clear (&p);
}

/* At 1 s = 10 ns a frame is a fraction of a nanosecond; at 1 s = 1 s the whole step is less than a frame. */
static void
test_dial (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 20, 30 };
  const gint64 short_ns[] = { 100000, 200000, 300000, 400000 };
  g_autoptr (LsViewData) data = steps_of (ns, 2, 0), longer = steps_of (short_ns, 4, 10000);
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
  g_assert_cmpfloat_with_epsilon (steps_play (&p, FRAME_S, &n), 5 + LS_PLAYHEAD_HOLD_S, 2 * FRAME_S);
  ls_playhead_to_edge (&p, -1);
  g_assert_cmpfloat_with_epsilon (steps_play (&p, 1. / 240, &n), 5 + LS_PLAYHEAD_HOLD_S, 2. / 240);
  g_assert_cmpuint (n, ==, 1);

  ls_playhead_set_data (&p, longer, TRUE);
  p.dial_ns = 1000000000;
  g_assert_cmpfloat_with_epsilon (steps_play (&p, FRAME_S, &n), LS_PLAYHEAD_HOLD_S, 3 * FRAME_S);
  ls_playhead_set_by_op (&p, TRUE);
  ls_playhead_to_edge (&p, -1);
  g_assert_cmpfloat_with_epsilon (steps_play (&p, FRAME_S, &n), 2 * LS_PLAYHEAD_HOLD_S, 5 * FRAME_S);
  g_assert_cmpuint (p.skipped, ==, 2);
  g_assert_cmpuint (n, ==, 1);
  ls_playhead_clear (&p);
}

static void
test_hold (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 100000, 100000, 5000000, 100000, 100000 };
  g_autoptr (LsViewData) data = steps_of (ns, G_N_ELEMENTS (ns), 0);

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

/* While a finished op is held, those after it pass for which a third of a second is time; the next one that
 * is shown begins at its beginning, and the last always is. */
static void
test_passed (void)
{
  static const struct {
    gint64 ns[5];
    guint from, to;
  } rows[] = {
    { { 100, 333000, 1000, 1000, 1000 }, 0, 2 }, /* 333.3 µs, at a millisecond per second */
    { { 100, 334000, 1000, 1000, 1000 }, 0, 1 },
    { { 100, 166000, 167000, 400, 1000 }, 0, 3 },
    { { 100, 166000, 167000, 300, 1000 }, 0, 4 },
    { { 100, 10, 10, 10, 900000 }, 0, 4 },
    { { 100, 10, 10, 10, 10 }, 0, 4 },
    { { 100, 10, 500000, 10, 10 }, 0, 2 },
    { { 900000, 100, 10, 400000, 10 }, 1, 3 },
    { { 900000, 100, 10, 400000, 10 }, 3, 4 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsPlayhead p;
      g_autoptr (LsViewData) data = steps_of (rows[i].ns, G_N_ELEMENTS (rows[i].ns), 0);
      double left_s;

      ls_playhead_init (&p);
      ls_playhead_set_by_op (&p, TRUE);
      ls_playhead_set_data (&p, data, TRUE);
      p.playing = TRUE;
      p.dial_ns = 1000000;
      ls_playhead_seek_op (&p, steps_op (&p, rows[i].from)->op);
      ls_playhead_finish (&p);
      left_s = ls_playhead_left_s (&p);
      g_assert_cmpint (ls_playhead_advance (&p, .34), ==, LS_ADVANCE_OP);
      if (p.at != rows[i].to || p.skipped != rows[i].to - rows[i].from - 1 || p.time_ns != 0)
        g_error ("row %zu: op %u is shown from %d ns on after %u that passed, not op %u from its beginning",
                 i, p.at, (int) p.time_ns, p.skipped, rows[i].to);
      /* what is left is less by the hold that has passed */
      g_assert_cmpfloat_with_epsilon (left_s - ls_playhead_left_s (&p), LS_PLAYHEAD_HOLD_S, 1e-9);
      ls_playhead_clear (&p);
    }
}

/* Which ops are seen on the op's clock: after each the hold is time for those after it, one after the other,
 * as far as they fit into it together. */
static void
test_seen (void)
{
  /* a hold is time for 333 of these */
  static const struct {
    gint64 ns[6];
    guint n, seen[6], n_seen;
  } rows[] = {
    { { 1000, 200, 200, 200, 1000 }, 5, { 0, 2, 4 }, 3 },
    { { 1000, 100, 100, 100, 100, 1000 }, 6, { 0, 4, 5 }, 3 },
    { { 1000, 333, 1, 1000 }, 4, { 0, 2, 3 }, 3 },
    { { 1000, 334, 1, 1000 }, 4, { 0, 1, 3 }, 3 },
    { { 1000, 0, 333, 0, 1000 }, 5, { 0, 4 }, 2 },
    { { 1000, 300, 300, 30, 304, 30 }, 6, { 0, 2, 4, 5 }, 4 },
    { { 1, 1, 1, 1, 1 }, 5, { 0, 4 }, 2 },
    { { 400, 400, 400 }, 3, { 0, 1, 2 }, 3 },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (LsViewData) data = steps_of (rows[r].ns, rows[r].n, 0);
      LsPlayhead p;
      LsAdvance advance = LS_ADVANCE_STAYS;
      guint n = 0;

      ls_playhead_init (&p);
      ls_playhead_set_by_op (&p, TRUE);
      ls_playhead_set_data (&p, data, TRUE);
      p.playing = TRUE;
      p.dial_ns = 1000;
      for (guint frame = 0; frame < 1000 && advance != LS_ADVANCE_DONE; frame++)
        {
          if (frame == 0 || advance == LS_ADVANCE_OP)
            {
              if (n >= rows[r].n_seen || p.at != rows[r].seen[n])
                g_error ("step %u: op %u is the %u. that is seen, where %u is", (guint) r, p.at, n + 1,
                         n < rows[r].n_seen ? rows[r].seen[n] : rows[r].n);
              if (frame > 0)
                g_assert_cmpuint (p.skipped, ==, rows[r].seen[n] - rows[r].seen[n - 1] - 1);
              n++;
            }
          advance = ls_playhead_advance (&p, FRAME_S);
        }
      if (n != rows[r].n_seen || advance != LS_ADVANCE_DONE)
        g_error ("step %u: %u ops are seen until it ends, not %u", (guint) r, n, rows[r].n_seen);
      ls_playhead_clear (&p);
    }
}

static void
test_gap (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = steps_fixture (LS_KNOWN_UNITS, FALSE);
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
  g_test_add_func ("/app/playhead/passed", test_passed);
  g_test_add_func ("/app/playhead/seen", test_seen);
  g_test_add_func ("/app/playhead/gap", test_gap);
  return g_test_run ();
}
