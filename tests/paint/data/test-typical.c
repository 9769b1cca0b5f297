/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which recorded step is typical, and what is said of one that isn't: under its column, of why, and of one
 * that was set aside.
 */
#include <math.h>

#include "tests/paint/rated.h"
#include "core/number.h"
#include "ui/paint/data/typical.h"
#include "ui/paint/views.h"

static guint64
stretched (const LsRecordedLane *lane, guint64 ns, double times)
{
  return lane->start_ns + (guint64) (times * (double) (ns - lane->start_ns));
}

static void
stretch (LsRecordedLane *lane, double times)
{
  lane->end_ns = stretched (lane, lane->end_ns, times);
  for (guint i = 0; i < lane->events->len; i++)
    {
      LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      e->start_ns = stretched (lane, e->start_ns, times);
      e->end_ns = stretched (lane, e->end_ns, times);
    }
}

/* Both lanes' medians are so many times the shown step's length, and so long are n recorded steps, too. */
static void
set_medians (LsViewData *data, double times, guint n)
{
  g_autoptr (LsOpTimes) all = NULL;

  for (guint side = 0; side < LS_SIDES; side++)
    set_rate (data, side, shown_rate (data, side) / times, .02, 200);
  for (guint i = 1; i <= n; i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&desk);
      g_autoptr (LsOpTimes) before = g_steal_pointer (&all);

      for (guint k = 0; k < recording->n_lanes; k++)
        stretch (&recording->lanes[k], times);
      recording->step = i;
      all = ls_op_times_add (before, recording);
    }
  ls_op_times_unref (data->op_times);
  data->op_times = ls_op_times_ref (all);
}

static void
test_kinds (void)
{
  static const struct {
    double times;
    LsStepKind kind;
  } rows[] = {
    { 1, LS_STEP_TYPICAL },   { 1 / 1.2, LS_STEP_TYPICAL },     { 1 / 1.6, LS_STEP_UNUSUAL },
    { 1.6, LS_STEP_UNUSUAL }, { 1 / 2.1, LS_STEP_INTERRUPTED },
  };
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  double before = -1, distance;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      set_medians (data, rows[i].times, LS_OP_TIMES_MEDIAN);
      g_test_message ("medians %g times as long as the step", rows[i].times);
      for (guint side = 0; side < LS_SIDES; side++)
        g_assert_cmpint (ls_typical_lane (data, side), ==, rows[i].kind);
      g_assert_cmpint (ls_typical_judge (data, data->op_times, data->recording, &distance), ==, rows[i].kind);
      if (i == 3) /* as much shorter as the one before was longer */
        g_assert_cmpfloat_with_epsilon (distance, before, .02);
      else
        g_assert_cmpfloat (distance, >, before); /* farther from the median, farther back */
      before = distance;
    }
  /* whichever lane is farther off says how far, 4 times here */
  set_medians (data, 1, LS_OP_TIMES_MEDIAN);
  for (guint i = 0; i < data->recording->n_lanes; i++)
    {
      LsRecordedLane *lane = &data->recording->lanes[i];
      const guint64 end = lane->end_ns;

      lane->end_ns = stretched (lane, end, 4);
      g_assert_cmpint (ls_typical_judge (data, data->op_times, data->recording, &distance), ==,
                       LS_STEP_INTERRUPTED);
      if (fabs (distance - log (4)) > .02)
        g_error ("lane %u took 4 times as long, the other as long as ever, and the step is %.2f times off", i,
                 exp (distance));
      lane->end_ns = end;
    }
  /* as far off, but within the middle half of all steps */
  set_medians (data, 1 / 1.6, LS_OP_TIMES_MEDIAN);
  for (guint side = 0; side < LS_SIDES; side++)
    set_rate (data, side, 1.6 * shown_rate (data, side), 1, 200);
  g_assert_cmpint (ls_typical_judge (data, data->op_times, data->recording, &distance), ==, LS_STEP_TYPICAL);
  set_rate (data, 0, 1, .01, 3);
  set_rate (data, 1, 1, .01, 3);
  g_assert_cmpint (ls_typical_judge (data, data->op_times, data->recording, &distance), ==, LS_STEP_UNKNOWN);
  g_assert_cmpfloat (distance, ==, 0);
}

/* Under each column its step beside the lane's median; an interrupted one says so, and why, or that this
 * wasn't recorded. */
static void
test_interrupted (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  g_autofree char *length = ls_number_time ((double) data->sides[0].index->length_ns), *cut = NULL,
                  *words = NULL, *none = NULL;
  guint on = LS_SIDES;

  set_medians (data, 1, LS_OP_TIMES_MEDIAN);
  ls_typical_tell (data);
  none = ls_typical_interruption (data, data->op_times, data->recording, &on);
  g_assert_null (none);
  g_assert_nonnull (strstr (data->when, "typical"));
  for (guint size = 1; size < 3; size++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
      g_assert_true (says (layout->still, "this step ") && says (layout->still, "median ")
                     && !says (layout->still, "interrupted"));
    }
  set_medians (data, 1 / 3., LS_OP_TIMES_MEDIAN);
  ls_typical_tell (data);
  cut = g_strdup_printf ("interrupted: %s", length);
  words = ls_typical_interruption (data, data->op_times, data->recording, &on);
  g_assert_cmpuint (on, ==, 0);
  g_assert_nonnull (strstr (data->when, "interrupted"));
  g_assert_nonnull (words);
  g_assert_true (strstr (words, "held up") != NULL || strstr (words, "queue") != NULL
                 || strstr (words, "not recorded why") != NULL);
  for (guint size = 1; size < 3; size++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
      g_assert_true (says (layout->still, cut) && !says (layout->still, "this step "));
    }
}

/* A tile that took much longer than its like is why. */
static void
test_why (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  LsRecordedLane *lane = &data->recording->lanes[0];
  LsStepIndex *index;
  guint held = 0;

  /* of an op with several of them */
  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      if (e->kind == LS_EVENT_TILE && data->sides[0].index->ops[e->op].n > 4)
        held = i;
    }
  LsEvent *e = &g_array_index (lane->events, LsEvent, held);
  e->end_ns += 26000000;
  lane->end_ns += 26000000;
  for (guint i = 0; i < lane->events->len; i++)
    if (g_array_index (lane->events, LsEvent, i).kind == LS_EVENT_OP
        && g_array_index (lane->events, LsEvent, i).op == e->op)
      g_array_index (lane->events, LsEvent, i).end_ns += 26000000;
  index = ls_step_index_new (data->recording, 0);
  g_autofree char *why = ls_typical_why (data->recording, index);
  g_autofree char *worker = g_strdup_printf ("worker %u was held up 26.0", e->worker);
  g_test_message ("%s", why);
  g_assert_nonnull (strstr (why, worker));
  g_assert_null (strstr (why, "off its core")); /* nobody has told */

  /* the same where the worker's processor time says that it didn't run; another worker's says nothing of this
   * one */
  guint64 off[LS_MAX_WORKERS + 1] = { 0 };
  lane->off_core = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_vals (lane->off_core, off, e->worker + 1u);
  g_autofree char *ran = ls_typical_why (data->recording, index);
  g_assert_cmpstr (ran, ==, why);
  g_array_index (lane->off_core, guint64, e->worker) = 25000000;
  g_autofree char *not = ls_typical_why (data->recording, index);
  g_autofree char *expected = g_strconcat (
    why, "; in its tiles of this step it was off its core for at least 25.0\xc2\xa0ms", NULL);
  g_assert_cmpstr (not, ==, expected);
  ls_step_index_unref (index);
}

/* In an op that is one tile there is nothing to be longer than; the worker's processor time still tells. */
static void
test_why_off (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  LsRecordedLane *lane = &data->recording->lanes[0];
  const guint64 off[] = { 0, 26000000 };
  LsStepIndex *index = ls_step_index_new (data->recording, 0);

  lane->off_core = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_vals (lane->off_core, off, 2);
  g_autofree char *why = ls_typical_why (data->recording, index);
  g_assert_cmpstr (why, ==, "worker 1 was off its core for at least 26.0\xc2\xa0ms");
  ls_step_index_unref (index);
}

/* Nothing overlaps at any time of the step, also where the number of the op moves past the words. */
static void
assert_faultless_all_along (LsLayout *layout)
{
  LsQuery query = layout->query;

  for (guint i = 0; i <= 60; i++)
    {
      query.time_ns = layout->span_ns * i / 60;
      query.dial_ns = (guint64) layout->span_ns / 20; /* slow enough for the numbers to be read */
      ls_layout_move (layout, &query);
      assert_faultless (layout);
    }
}

/* That lane's step takes so many times as long, all of it. */
static void
make_longer (LsViewData *data, guint side, guint64 times)
{
  LsRecordedLane *lane = &data->recording->lanes[side];
  const guint64 start = lane->start_ns;

  for (guint i = 0; i < lane->events->len; i++)
    {
      LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      e->start_ns = start + times * (e->start_ns - start);
      e->end_ns = start + times * (e->end_ns - start);
    }
  lane->end_ns = start + times * (lane->end_ns - start);
  ls_step_index_unref (data->sides[side].index);
  data->sides[side].index = ls_step_index_new (data->recording, side);
}

/* One that was set aside is told of, with a button, and nothing overlaps. */
static void
test_aside (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);

  make_longer (data, 0, 8); /* its column reaches down to the words */

  data->n_aside = 1;
  data->aside_step = 1204;
  data->aside = g_strdup (
    "step 1\u2009204 took 27.0 ms on CPU, median 1.40 ms: worker 1 was held up 26.0 ms in a tile of dW₁");
  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
      const LsItem *title = find_text (layout->still, "1 step set aside");
      gboolean slot = FALSE;

      for (guint i = 0; i < layout->slots->len; i++)
        {
          const LsSlot *at = &g_array_index (layout->slots, LsSlot, i);
          if (at->kind != LS_SLOT_ASIDE)
            continue;
          if (slot || at->side != -1)
            g_error ("the button for the step set aside has the place of side %d, not of both", at->side);
          if (title == NULL || fabs (at->x - (double) title->x) > .5 || at->y < (double) title->y
              || at->y + at->h > layout->height || at->w < 100 || at->h < 24)
            g_error ("the button for the step set aside isn’t below the words about it");
          slot = TRUE;
        }
      assert_faultless_all_along (layout);
      g_assert_cmpint (slot, ==, says (layout->still, "1 step set aside"));
      g_assert_true (size != 2 || slot);
      g_assert_true (sizes[size].look != LS_LOOK_PROJECTOR || !slot);
    }
}

/* Recording a step of a small network takes longer than the step: a recorded one is held against its like,
 * and what that is is said beside the median. While too few recorded steps tell, one isn't called interrupted
 * for what recording may have added; for more it is. */
static void
test_small (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
  g_autoptr (LsOpTimes) times = NULL;
  LsRecordedLane *lane = &data->recording->lanes[0];
  double distance;

  set_medians (data, 1, LS_OP_TIMES_MEDIAN);
  times = ls_op_times_ref (data->op_times);
  set_medians (data, 1 / 3., LS_OP_TIMES_MEDIAN - 1);
  g_assert_cmpfloat (ls_typical_recorded_ns (data, data->op_times, 0), ==, 0);
  g_assert_cmpint (ls_typical_judge (data, NULL, data->recording, &distance), ==, LS_STEP_UNUSUAL);
  lane->end_ns += 500000;
  g_assert_cmpint (ls_typical_judge (data, data->op_times, data->recording, &distance), ==,
                   LS_STEP_INTERRUPTED);
  lane->end_ns -= 500000;
  ls_op_times_unref (data->op_times);
  data->op_times = ls_op_times_ref (times);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const double length = (double) data->sides[side].index->length_ns;
      g_assert_cmpfloat (fabs (ls_typical_recorded_ns (data, times, side) - length), <, 1e-3 * length);
      g_assert_cmpfloat (fabs (ls_typical_median_ns (data, side) - length / 3), <, 1e-3 * length);
      g_assert_cmpint (ls_typical_lane (data, side), ==, LS_STEP_TYPICAL);
    }
  g_assert_cmpint (ls_typical_judge (data, times, data->recording, &distance), ==, LS_STEP_TYPICAL);
  g_assert_cmpfloat (distance, <, .01);
  for (guint size = 1; size < 3; size++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
      g_autofree char *recorded = ls_number_time (ls_typical_recorded_ns (data, times, 0));
      g_autofree char *words = g_strconcat (", recorded ", recorded, NULL);
      g_assert_true (says (layout->still, "this step ") && says (layout->still, words)
                     && !says (layout->still, "interrupted"));
      assert_faultless (layout);
    }

  /* and one that was interrupted is still far from its like */
  lane->end_ns += 2 * (lane->end_ns - lane->start_ns);
  g_assert_cmpint (ls_typical_judge (data, times, data->recording, &distance), ==, LS_STEP_INTERRUPTED);

  /* which says the step, its own time, on which lane, and that lane's median */
  guint on = 7;
  g_autofree char *said = ls_typical_interruption (data, times, data->recording, &on);
  g_autofree char *step = ls_number_count (data->recording->step),
                  *took = ls_number_time ((double) (lane->end_ns - lane->start_ns)),
                  *median = ls_number_time (ls_typical_median_ns (data, 0)),
                  *should = g_strdup_printf ("step %s took %s on CPU, median %s: ", step, took, median);
  g_assert_true (g_str_has_prefix (said, should));
  g_assert_cmpuint (on, ==, 0);
  lane->end_ns = lane->start_ns + (guint64) data->sides[0].index->length_ns;
  g_assert_null (ls_typical_interruption (data, times, data->recording, &on)); /* neither was */
  data->recording->lanes[1].end_ns += 3 * (guint64) data->sides[1].index->length_ns;
  g_autofree char *right = ls_typical_interruption (data, times, data->recording, &on);
  g_assert_nonnull (strstr (right, " on OpenCL"));
  g_assert_cmpuint (on, ==, 1);
}

/* Why nothing ran for a while: whatever took more than half of that time is told, and nothing that took
 * less. */
static void
test_wait (void)
{
  static const struct {
    guint64 queued_ns, other_ns;
    const char *words;
  } rows[] = { { 0, 600, "while the other lane ran" },   { 0, 400, "not recorded why" },
               { 600, 0, "in the driver’s queue" },      { 400, 0, "not recorded why" },
               { 400, 600, "while the other lane ran" }, { 600, 600, "in the driver’s queue" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&desk);
      LsRecordedLane *lane = &recording->lanes[0], *other = &recording->lanes[1];
      LsEvent queued = { .kind = LS_EVENT_QUEUED, .op = 1, .start_ns = lane->start_ns + 1000 };
      LsStepIndex *index;

      queued.end_ns = queued.start_ns + rows[i].queued_ns;
      if (rows[i].queued_ns > 0)
        g_array_append_val (lane->events, queued);
      other->start_ns = lane->start_ns + 1000;
      other->end_ns = other->start_ns + rows[i].other_ns;
      index = ls_step_index_new (recording, 0);
      const char *why = ls_typical_wait (recording, index, 1000, 2000);
      if (strstr (why, rows[i].words) == NULL)
        g_error ("of 1000 ns %u were in the queue and %u beside the other lane, and it says “%s”",
                 (guint) rows[i].queued_ns, (guint) rows[i].other_ns, why);
      ls_step_index_unref (index);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/typical/kinds", test_kinds);
  g_test_add_func ("/paint/typical/interrupted", test_interrupted);
  g_test_add_func ("/paint/typical/small", test_small);
  g_test_add_func ("/paint/typical/wait", test_wait);
  g_test_add_func ("/paint/typical/why", test_why);
  g_test_add_func ("/paint/typical/why-off", test_why_off);
  g_test_add_func ("/paint/typical/aside", test_aside);
  return g_test_run ();
}
