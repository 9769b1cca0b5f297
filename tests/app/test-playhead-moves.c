/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The playhead when somebody moves it, or changes what is under it: seeks, jumps, the two clocks, another
 * step, also where work-groups tell only their order.
 */
#include "steps.h"

static void
test_seek (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = steps_fixture (LS_KNOWN_THREADS, TRUE);
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
          ls_playhead_seek_op (&p, steps_op (&p, i)->op);
          g_assert_cmpuint (p.at, ==, i);
          g_assert_cmpuint (ls_playhead_op (&p), ==, steps_op (&p, i)->op);
          g_assert_cmpint (p.time_ns, ==, by_op ? 0 : steps_op (&p, i)->start_ns);
          ls_playhead_seek (&p, p.time_ns + steps_op (&p, i)->span_ns / 2);
          g_assert_true (by_op == 0 || p.at == i);
        }
    }
  /* an op that was computed inside another: the one before it that has a place; past the plan's end: the
   * last */
  while (fused + 1 < p.ops->len && steps_op (&p, fused + 1)->op == steps_op (&p, fused)->op + 1)
    fused++;
  ls_playhead_seek_op (&p, steps_op (&p, fused)->op + 1);
  g_assert_cmpuint (p.at, ==, fused);
  ls_playhead_seek_op (&p, G_MAXUINT);
  g_assert_cmpuint (p.at, ==, p.ops->len - 1);
  ls_playhead_clear (&p);
}

static void
test_jump (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = steps_fixture (LS_KNOWN_UNITS, FALSE);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  for (guint by_op = 0; by_op < 2; by_op++)
    {
      guint n = 0;

      ls_playhead_set_by_op (&p, by_op == 1);
      ls_playhead_to_edge (&p, -1);
      while (ls_playhead_jump (&p, 1, TRUE))
        {
          g_assert_cmpuint (p.at, ==, n++);
          g_assert_cmpint (p.time_ns, ==, by_op ? steps_op (&p, p.at)->span_ns : steps_op (&p, p.at)->end_ns);
        }
      g_assert_cmpuint (n, ==, p.ops->len);
      /* within an op: forward to its end, back to the end of the one before */
      ls_playhead_seek (&p, p.time_ns - 1);
      g_assert_true (ls_playhead_jump (&p, -1, TRUE));
      g_assert_cmpuint (p.at, ==, p.ops->len - 2);
      g_assert_true (ls_playhead_jump (&p, 1, TRUE));
      ls_playhead_seek (&p, p.time_ns - 1);
      g_assert_true (ls_playhead_jump (&p, 1, TRUE));
      g_assert_cmpuint (p.at, ==, p.ops->len - 1);
      /* before the first one's end is its beginning */
      for (guint i = p.ops->len; i-- > 0;)
        g_assert_true (ls_playhead_jump (&p, -1, TRUE));
      g_assert_cmpint (p.time_ns, ==, 0);
      g_assert_false (ls_playhead_jump (&p, -1, TRUE));
      g_assert_true (ls_playhead_to_edge (&p, 1));
      g_assert_false (ls_playhead_to_edge (&p, 1));
      g_assert_true (ls_playhead_to_edge (&p, -1));
      g_assert_false (ls_playhead_to_edge (&p, -1));
    }
  ls_playhead_clear (&p);
}

/* Ops under 1 % of the step are passed over, in both directions and on both clocks, but for whoever asks for
 * all; where all are short, the longest are stopped at. */
static void
test_short (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 90, 10000, 99, 5000, 50, 40, 30 };
  g_autoptr (LsViewData) data = steps_of (ns, G_N_ELEMENTS (ns), 0);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  for (guint by_op = 0; by_op < 2; by_op++)
    {
      ls_playhead_set_by_op (&p, by_op == 1);
      ls_playhead_to_edge (&p, -1);
      g_assert_true (ls_playhead_jump (&p, 1, FALSE));
      g_assert_cmpuint (p.at, ==, 1);
      g_assert_true (ls_playhead_jump (&p, 1, FALSE));
      g_assert_cmpuint (p.at, ==, 3);
      g_assert_false (ls_playhead_jump (&p, 1, FALSE));
      g_assert_cmpuint (p.at, ==, 3);
      g_assert_true (ls_playhead_jump (&p, 1, TRUE));
      g_assert_cmpuint (p.at, ==, 4);
      g_assert_true (ls_playhead_jump (&p, -1, FALSE));
      g_assert_cmpuint (p.at, ==, 3);
      g_assert_true (ls_playhead_jump (&p, -1, TRUE));
      g_assert_cmpuint (p.at, ==, 2);
      g_assert_true (ls_playhead_jump (&p, -1, FALSE));
      g_assert_cmpuint (p.at, ==, 1);
      /* at rest: the op that took longest, finished */
      ls_playhead_rest (&p);
      g_assert_cmpuint (p.at, ==, 1);
      g_assert_cmpint (p.time_ns, ==, by_op ? 10000 : 10090);
    }
  ls_playhead_clear (&p);
}

/* At rest the op is shown that took both lanes longest together, not the one that took one of them longest.
 */
static void
test_rest_of_both (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 90, 80, 20 };
  g_autoptr (LsViewData) data = steps_of (ns, G_N_ELEMENTS (ns), 0), other = steps_of (ns, 2, 0);

  ls_step_index_unref (data->sides[1].index);
  data->sides[1].index = ls_step_index_ref (other->sides[0].index);
  for (guint op = 0; op < data->recording->n_ops; op++)
    other->sides[0].index->ops[op].end_ns = other->sides[0].index->ops[op].start_ns
                                            + (op == 1 ? 80 : 10); /* 90 + 10 and 80 + 80 */
  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  ls_playhead_set_by_op (&p, TRUE);
  ls_playhead_rest (&p);
  if (ls_playhead_op (&p) != 1)
    g_error ("at rest op %u is shown, and not the one that took both lanes longest", ls_playhead_op (&p));
  ls_playhead_clear (&p);
}

/* At rest the longest op is shown, wherever it is in the step, and of several the first. */
static void
test_rest_of_several (void)
{
  static const struct {
    gint64 ns[4];
    guint rests;
  } rows[] = { { { 90, 80, 70, 60 }, 0 },
               { { 60, 70, 80, 90 }, 3 },
               { { 80, 90, 90, 90 }, 1 },
               { { 50, 50, 50, 50 }, 0 },
               { { 50, 49, 51, 51 }, 2 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint by_op = 0; by_op < 2; by_op++)
      {
        LsPlayhead p;
        g_autoptr (LsViewData) data = steps_of (rows[i].ns, 4, 0);

        ls_playhead_init (&p);
        ls_playhead_set_data (&p, data, TRUE);
        ls_playhead_set_by_op (&p, by_op);
        ls_playhead_rest (&p);
        if (p.at != rows[i].rests || p.time_ns != (by_op ? rows[i].ns[p.at] : steps_op (&p, p.at)->end_ns))
          g_error ("row %u: at rest op %u is shown at %" G_GINT64_FORMAT " ns, not op %u at its end",
                   (guint) i, p.at, p.time_ns, rows[i].rests);
        ls_playhead_clear (&p);
      }
}

/* There and back again is the same moment, at every moment that both clocks have. */
static void
test_clocks (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = steps_fixture (LS_KNOWN_UNITS, FALSE);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  for (guint i = 0; i < p.ops->len; i++)
    for (guint part = 1; part < 4; part++)
      {
        const gint64 since_ns = steps_op (&p, i)->span_ns * part / 4;

        ls_playhead_set_by_op (&p, TRUE);
        ls_playhead_seek_op (&p, steps_op (&p, i)->op);
        ls_playhead_seek (&p, since_ns);
        ls_playhead_set_by_op (&p, FALSE);
        g_assert_cmpint (p.time_ns, ==, steps_op (&p, i)->start_ns + since_ns);
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
  ls_playhead_seek (&p, steps_op (&p, 1)->start_ns - 1);
  g_assert_cmpuint (p.at, ==, 0);
  ls_playhead_set_by_op (&p, TRUE);
  g_assert_cmpint (
    p.time_ns, ==,
    MIN (steps_op (&p, 0)->span_ns, steps_op (&p, 1)->start_ns - 1 - steps_op (&p, 0)->start_ns));
  ls_playhead_clear (&p);
}

/* Work-groups that tell only their order: the op has its kernel's time all the same. */
static void
test_untimed (void)
{
  LsPlayhead p;
  g_autoptr (LsViewData) data = steps_fixture (LS_KNOWN_ORDER, FALSE);
  const LsStepIndex *index = data->sides[1].index;
  guint n;

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  g_assert_cmpuint (p.ops->len, ==, data->recording->n_ops);
  for (guint i = 0; i < p.ops->len; i++)
    {
      g_assert_false (index->ops[i].timed);
      g_assert_cmpint (steps_op (&p, i)->span_ns, >=, index->ops[i].end_ns - index->ops[i].start_ns);
      g_assert_cmpint (steps_op (&p, i)->start_ns, <=, index->ops[i].start_ns);
      g_assert_cmpint (steps_op (&p, i)->start_ns + steps_op (&p, i)->span_ns, <=, p.step_ns);
    }
  p.dial_ns = ls_dial_ns (ls_dial_for_step (p.step_ns));
  g_assert_cmpfloat (steps_play (&p, FRAME_S, &n), >, 6);
  g_assert_cmpuint (n, ==, p.ops->len - 1);
  ls_playhead_clear (&p);
}

static void
test_other_step (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 100, 200, 300, 400 }, other_ns[] = { 100, 200, 50, 400 };
  g_autoptr (LsViewData) first = steps_of (ns, 4, 10), same = steps_of (ns, 4, 10),
                         second = steps_of (other_ns, 4, 10);
  g_autoptr (LsViewData) fewer = steps_of (ns, 2, 10);

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

/* An op is the playhead's from its first nanosecond on, and until the next one's, over the gap between; the
 * first one is so from the step's beginning on. */
static void
test_bounds (void)
{
  static const struct {
    gint64 ns;
    guint at;
  } rows[] = { { 0, 0 },   { 10, 0 },  { 119, 0 }, { 120, 1 }, { 121, 1 },
               { 320, 1 }, { 329, 1 }, { 330, 2 }, { 630, 2 } };
  const gint64 ns[] = { 100, 200, 300 };
  g_autoptr (LsViewData) data = steps_of (ns, G_N_ELEMENTS (ns), 10);
  LsPlayhead p;

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      ls_playhead_seek (&p, rows[i].ns);
      if (p.at != rows[i].at || p.time_ns != rows[i].ns)
        g_error ("sought %d ns leads to %d ns of op %u, not of op %u", (gint) rows[i].ns, (gint) p.time_ns,
                 p.at, rows[i].at);
    }
  ls_playhead_clear (&p);
}

/* A step that is as long, in which one lane did all of it 7 ns later, is another one: its ends are moved to.
 */
static void
test_other_end (void)
{
  const LsFixture fixture = {
    .batch = 32, .workers = 2, .tiles = 12, .groups = 12, .known = LS_KNOWN_ORDER, .units = 2, .steps = 60
  };
  LsPlayhead p;
  gint64 end_ns = 0;

  ls_playhead_init (&p);
  for (guint late = 0; late < 2; late++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);
      LsRecordedLane *lane = &recording->lanes[1];

      for (guint i = 0; i < lane->events->len; i++)
        {
          LsEvent *e = &g_array_index (lane->events, LsEvent, i);
          e->start_ns += 1000000 + 7 * late;
          e->end_ns += 1000000 + 7 * late;
        }
      lane->end_ns += 2000000;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      ls_playhead_set_data (&p, data, FALSE);
      ls_playhead_seek (&p, 0);
      g_assert_true (ls_playhead_jump (&p, 1, TRUE));
      if (late)
        g_assert_cmpint (p.time_ns, ==, end_ns + 7);
      end_ns = p.time_ns;
    }
  ls_playhead_clear (&p);
}

/* A picture with a clock of its own: that one's ends are the edges, whatever the step's are; finished, it
 * stays so where that becomes longer, else it begins anew; and without it the step's is there again. */
static void
test_own (void)
{
  LsPlayhead p;
  const gint64 ns[] = { 900, 800, 20 };
  g_autoptr (LsViewData) data = steps_of (ns, G_N_ELEMENTS (ns), 0);

  ls_playhead_init (&p);
  ls_playhead_set_data (&p, data, TRUE);
  ls_playhead_seek (&p, 1000);
  ls_playhead_set_own (&p, 5000);
  g_assert_cmpint (p.time_ns, ==, 0); /* no moment in common with the step's */
  g_assert_cmpint (ls_playhead_span (&p), ==, 5000);
  g_assert_false (ls_playhead_at_end (&p));
  g_assert_false (ls_playhead_to_edge (&p, -1)); /* it is there */
  g_assert_true (ls_playhead_to_edge (&p, 1));
  g_assert_cmpint (p.time_ns, ==, 5000);
  g_assert_cmpuint (p.at, ==, 1); /* the op is the one that it was */
  g_assert_true (ls_playhead_at_end (&p));
  g_assert_false (ls_playhead_to_edge (&p, 1));
  ls_playhead_set_own (&p, 8000);
  g_assert_cmpint (p.time_ns, ==, 8000);
  ls_playhead_seek (&p, 7999);
  g_assert_false (ls_playhead_at_end (&p));
  ls_playhead_set_own (&p, 8000); /* nothing is new */
  g_assert_cmpint (p.time_ns, ==, 7999);
  ls_playhead_set_own (&p, 9000);
  g_assert_cmpint (p.time_ns, ==, 0);
  g_assert_true (ls_playhead_to_edge (&p, 1));
  g_assert_true (ls_playhead_to_edge (&p, -1));
  g_assert_cmpint (p.time_ns, ==, 0);
  ls_playhead_set_own (&p, 0); /* it takes no time: that is its end, and no step is finished with it */
  g_assert_true (ls_playhead_at_end (&p));
  ls_playhead_set_own (&p, 100);
  g_assert_cmpint (p.time_ns, ==, 0);
  ls_playhead_to_edge (&p, 1);
  ls_playhead_set_own (&p, -1);
  g_assert_cmpint (ls_playhead_span (&p), ==, p.step_ns);
  g_assert_cmpint (p.time_ns, ==, p.step_ns); /* finished, too */
  ls_playhead_set_own (&p, 100);
  ls_playhead_set_own (&p, -1);
  g_assert_cmpint (p.time_ns, ==, 0);
  ls_playhead_clear (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/playhead-moves/seek", test_seek);
  g_test_add_func ("/app/playhead-moves/jump", test_jump);
  g_test_add_func ("/app/playhead-moves/short", test_short);
  g_test_add_func ("/app/playhead-moves/clocks", test_clocks);
  g_test_add_func ("/app/playhead-moves/untimed", test_untimed);
  g_test_add_func ("/app/playhead-moves/own", test_own);
  g_test_add_func ("/app/playhead-moves/other-step", test_other_step);
  g_test_add_func ("/app/playhead-moves/bounds", test_bounds);
  g_test_add_func ("/app/playhead-moves/other-end", test_other_end);
  g_test_add_func ("/app/playhead-moves/rest-of-both", test_rest_of_both);
  g_test_add_func ("/playhead/rest-of-several", test_rest_of_several);
  return g_test_run ();
}
