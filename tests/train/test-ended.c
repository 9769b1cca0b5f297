/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a run is over, when a step may be done before its time because one is asked for, and what is believed
 * of a recording's machine: rules, on snapshots, clocks and words that the test writes.
 */
#include "rig.h"
#include "train/fairness.h"
#include "train/pace.h"

/* Each lane that works has done all steps and has been through the test set after them; one that comes is
 * waited for unless the others have gone on without it; others are nothing to it. */
static void
test_run (void)
{
  static const struct {
    const char *what;
    struct {
      LsLaneState state;
      guint64 steps, accuracy_step;
      gboolean overdue;
    } lanes[2];
    guint64 target;
    gboolean ended;
  } rows[] = {
    { "both are done", { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_READY, 50, 50, FALSE } }, 50, TRUE },
    { "both went on", { { LS_LANE_READY, 60, 60, FALSE }, { LS_LANE_READY, 60, 60, FALSE } }, 50, TRUE },
    { "a step is missing",
      { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_READY, 49, 49, FALSE } },
      50,
      FALSE },
    { "the first lacks one",
      { { LS_LANE_READY, 49, 50, FALSE }, { LS_LANE_READY, 50, 50, FALSE } },
      50,
      FALSE },
    { "one is in the test set",
      { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_READY, 50, 40, FALSE } },
      50,
      FALSE },
    { "one has failed", { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_FAILED, 7, 0, FALSE } }, 50, TRUE },
    { "one hangs", { { LS_LANE_HUNG, 7, 0, FALSE }, { LS_LANE_READY, 50, 50, FALSE } }, 50, TRUE },
    { "all have failed", { { LS_LANE_FAILED, 50, 50, FALSE }, { LS_LANE_HUNG, 50, 50, FALSE } }, 50, FALSE },
    { "one opens", { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_OPENING, 0, 0, FALSE } }, 50, FALSE },
    { "one builds", { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_BUILDING, 0, 0, FALSE } }, 50, FALSE },
    { "one opens, overdue", { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_OPENING, 0, 0, TRUE } }, 50, TRUE },
    { "one builds, overdue",
      { { LS_LANE_READY, 50, 50, FALSE }, { LS_LANE_BUILDING, 0, 0, TRUE } },
      50,
      TRUE },
    { "it has no steps", { { LS_LANE_READY, 0, 0, FALSE }, { LS_LANE_READY, 0, 0, FALSE } }, 0, FALSE },
    { "it has no end",
      { { LS_LANE_READY, LS_CURVE_MAX, LS_CURVE_MAX, FALSE },
        { LS_LANE_READY, LS_CURVE_MAX, LS_CURVE_MAX, FALSE } },
      LS_CURVE_MAX,
      FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsSnapshot s = { .n_lanes = 2, .target = rows[i].target };

      for (guint lane = 0; lane < 2; lane++)
        {
          s.lanes[lane].state = rows[i].lanes[lane].state;
          s.lanes[lane].steps = rows[i].lanes[lane].steps;
          s.lanes[lane].accuracy_step = rows[i].lanes[lane].accuracy_step;
          s.lanes[lane].overdue = rows[i].lanes[lane].overdue;
        }
      if (ls_snapshot_ended (&s) != rows[i].ended)
        g_error ("a run of %u steps %s over where %s", (guint) rows[i].target, rows[i].ended ? "isn’t" : "is",
                 rows[i].what);
    }
}

/* In a rest at watch pace a step that is asked for is done at once, if its time is no further than a burst's
 * or two steps' of the plan, whichever is longer. */
static void
test_asked_in_a_rest (void)
{
  static const struct {
    double rate, ahead_s; /* steps a second of the plan; the next burst is that far */
    gboolean asked, done;
  } rows[] = {
    { 50, .9, TRUE, TRUE },   { 50, 1.1, TRUE, FALSE },  { 50, .9, FALSE, FALSE }, { 50, 0, FALSE, TRUE },
    { 2, 1, TRUE, TRUE },     { 2, 1.1, TRUE, FALSE },   { .5, 3.9, TRUE, TRUE },  { .5, 4.1, TRUE, FALSE },
    { .1, 19.9, TRUE, TRUE }, { .1, 20.1, TRUE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsPaceLook look = { .pace = LS_PACE_WATCH,
                                .now_ns = 100000000000,
                                .least = 10,
                                .furthest = 10,
                                .step_us = 30000,
                                .asked = rows[i].asked };
      LsPacer pacer = { 0 };

      ls_pacer_init (&pacer, rows[i].rate);
      pacer.pace = LS_PACE_WATCH;
      pacer.begin = pacer.settled = pacer.end = 10;
      pacer.next_ns = look.now_ns + (guint64) (1e9 * rows[i].ahead_s);
      pacer.rests = pacer.cold = TRUE;
      ls_pacer_look (&pacer, &look);
      if (pacer.rests == rows[i].done)
        g_error ("at %g steps a second and %g s before its time a step that is%s asked for %s done",
                 rows[i].rate, rows[i].ahead_s, rows[i].asked ? "" : "n’t", rows[i].done ? "isn’t" : "is");
      g_assert_cmpint (pacer.end > 10, ==, rows[i].done);
    }
}

/* What a recording notes of the machine is a stranger's: a number that can be one, or nothing is known. */
static void
test_noted (void)
{
  static const struct {
    const char *processors, *others, *clock;
    guint told_processors;
    double told_others, told_clock;
  } rows[] = {
    { "8", "0.25", "3400", 8, .25, 3400 }, { "8", "0", "0", 8, 0, 0 },
    { "8", "8", "1000000", 8, 8, 1e6 },    { "8", "8.1", "1000001", 8, -1, 0 },
    { "8", "-1", "-5", 8, -1, 0 },         { "8", NULL, NULL, 8, -1, 0 },
    { NULL, "0.5", "1e3", 0, -1, 1000 },   { "many", "few", "", 0, -1, 0 },
    { "8x", "1 ", "nan", 0, -1, 0 },       { "1000000", "inf", "inf", 1000000, -1, 0 },
    { "1000001", "1", "2", 0, -1, 2 },
  };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, &ls_backend_reference);
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run_recorded (c, 2);
  s = finish (c);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GHashTable *conditions = s->recording->conditions;
      g_autofree char *key = g_strconcat ("clock-mhz ", s->recording->lanes[1].id, NULL);
      const struct {
        const char *key, *value;
      } all[] = { { "processors", rows[i].processors },
                  { "others-cores", rows[i].others },
                  { key, rows[i].clock } };
      LsFairPair pair;

      for (guint k = 0; k < G_N_ELEMENTS (all); k++)
        if (all[k].value != NULL)
          g_hash_table_insert (conditions, g_strdup (all[k].key), g_strdup (all[k].value));
        else
          g_hash_table_remove (conditions, all[k].key);
      ls_fair_pair_of_recording (&pair, s->recording, NULL, 0, 1);
      if (pair.processors != rows[i].told_processors || pair.others != rows[i].told_others
          || pair.lanes[1].clock_mhz != rows[i].told_clock)
        g_error ("row %u: %u processors, %g cores of others and %g MHz are taken from what is noted", i,
                 pair.processors, pair.others, pair.lanes[1].clock_mhz);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ended/run", test_run);
  g_test_add_func ("/ended/asked-in-a-rest", test_asked_in_a_rest);
  g_test_add_func ("/ended/noted", test_noted);
  return g_test_run ();
}
