/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data of a run with another recorded step in the picture, or with newer answers: all else is as it was, and
 * outlives what it was copied from.
 */
#include "config.h"

#include "tests/paint/data/snapshot-rig.h"
#include "tests/paint/states.h"

/* A text that is the same, and the copy's own. */
static void
assert_own (const char *what, const char *text, const char *copy)
{
  if (g_strcmp0 (text, copy) != 0)
    g_error ("%s is “%s”, not “%s”", what, copy, text);
  if (text != NULL && text == copy)
    g_error ("%s is the other one's", what);
}

static void
assert_lane (const LsViewLane *a, const LsViewLane *b)
{
  assert_own ("a lane's words", a->words, b->words);
  if (a->state != LS_LANE_FAILED) /* which says anew which step is its last one */
    assert_own ("a lane's hint", a->hint, b->hint);
  assert_own ("a lane's name", a->name, b->name);
  assert_own ("a lane's brief name", a->brief, b->brief);
  assert_own ("a lane's device", a->device, b->device);
  assert_own ("where a lane was recorded", a->recorded_on, b->recorded_on);
  assert_own ("a lane's notice", a->notice, b->notice);
  assert_own ("a lane's change", a->change.words, b->change.words);
  assert_own ("the longest of it", a->change.longest, b->change.longest);
  g_assert_cmpint (a->conditions != NULL, ==, b->conditions != NULL);
  for (guint i = 0; a->conditions != NULL && a->conditions[i] != NULL; i++)
    assert_own ("a lane's condition", a->conditions[i], b->conditions[i]);
  g_assert_true (a->there == b->there && a->id == b->id && a->who == b->who && a->ink == b->ink);
  g_assert_true (a->state == b->state && a->steps == b->steps && a->joined == b->joined);
  g_assert_true (a->build == b->build && a->curve == b->curve && a->pair == b->pair);
  g_assert_true (a->accuracies == b->accuracies && a->evaluation == b->evaluation);
  g_assert_cmpmem (&a->rate, sizeof a->rate, &b->rate, sizeof b->rate);
  g_assert_cmpmem (&a->loss, sizeof a->loss, &b->loss, sizeof b->loss);
}

static void
test_states (void)
{
  guint disagree = 0, failed = 0;

  for (LsFixtureState state = 0; state < LS_STATE_N; state++)
    {
      LsViewData *data = ls_fixture_view (&ls_fixture_desk, state), *copy;

      g_test_message ("%s", ls_fixture_state_name (state));
      if (data->recording == NULL)
        {
          ls_view_data_unref (data);
          continue;
        }
      /* what not every state has */
      g_free (data->today);
      data->today = g_strdup ("2026-12-24"); /* which isn't when it was recorded */
      g_free (data->aside);
      data->aside = g_strdup ("step 3 took long");
      data->n_aside = 2;
      g_free (data->sides[0].notice);
      data->sides[0].notice = g_strdup ("edited kernels");
      ls_change_clear (&data->sides[0].change);
      ls_change_set (&data->sides[0].change, "tiled", "packed", &data->sides[0].rate, &data->sides[0].rate);
      if (data->others == NULL)
        data->others = g_ptr_array_new ();
      copy = ls_view_data_with_recording (data, data->recording, NULL);
      assert_own ("the title", data->title, copy->title);
      assert_own ("the brief title", data->brief, copy->brief);
      assert_own ("what is set aside", data->aside, copy->aside);
      assert_own ("the program", data->program, copy->program);
      assert_own ("the date", data->date, copy->date);
      assert_own ("the day", data->today, copy->today);
      for (guint i = 0; i < G_N_ELEMENTS (data->disagree); i++)
        assert_own ("where the lanes disagree", data->disagree[i], copy->disagree[i]);
      g_assert_true (data->names == copy->names && data->fairness == copy->fairness
                     && data->plan == copy->plan && data->runs == copy->runs && data->lab == copy->lab
                     && data->others == copy->others && data->catalogue == copy->catalogue
                     && data->claims == copy->claims && data->other == copy->other
                     && data->op_times == copy->op_times);
      g_assert_cmpuint (copy->n_aside, ==, 2);
      g_assert_true (data->aside_step == copy->aside_step && data->aside_side == copy->aside_side);
      g_assert_true (data->live == copy->live && data->running == copy->running && data->turns == copy->turns
                     && data->batch == copy->batch && data->step == copy->step
                     && data->target == copy->target);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          assert_lane (&data->sides[side], &copy->sides[side]);
          g_assert_true (data->sides[side].answer == copy->sides[side].answer);
        }
      disagree += data->disagree[0] != NULL;
      failed += data->sides[1].state == LS_LANE_FAILED;
      /* each is read once more when the other one is gone */
      g_autofree char *title = g_strdup (data->title);
      ls_view_data_unref (data);
      g_assert_cmpstr (copy->title, ==, title);
      for (guint side = 0; side < LS_SIDES; side++)
        g_assert_true (copy->sides[side].name == NULL || *copy->sides[side].name != '\0');
      data = ls_view_data_with_recording (copy, copy->recording, NULL);
      ls_view_data_unref (copy);
      ls_view_data_unref (data);
    }
  g_assert_cmpuint (MIN (disagree, failed), >, 0);
}

/* ---- answers ---- */

static void
answer (LsSnapshot *snapshot, guint lane, LsQuestion *question)
{
  LsAnswer *answer = g_atomic_rc_box_new0 (LsAnswer);

  answer->question = ls_question_ref (question);
  ls_answer_unref (snapshot->lanes[lane].answer);
  snapshot->lanes[lane].answer = answer;
}

/* Both lanes' answers to one question are shown together, each on its lane's side, whichever that is; nothing
 * is newer while one of them hasn't answered yet, unless it never will. */
static void
test_answers (void)
{
  static const gint64 shape[3] = { 1, 1, 1 };
  g_autoptr (LsRecording) both = recording_of (32, 50);

  for (guint swapped = 0; swapped < 2; swapped++)
    {
      g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);
      g_autoptr (LsQuestion) first = ls_question_new (LS_ASKED_TEST, 1, shape),
                             second = ls_question_new (LS_ASKED_TEST, 1, shape);
      LsViewBeside beside = { 0 };
      const guint left = swapped, right = 1 - swapped; /* lanes */

      g_autoptr (LsViewData) plain = ls_view_data_from_snapshot (snapshot, NULL, NULL);
      if (swapped)
        {
          beside.stands[0] = plain->sides[1].id;
          beside.stands[1] = plain->sides[0].id;
        }
      g_autoptr (LsViewData) data = ls_view_data_from_snapshot (snapshot, NULL, &beside);
      g_assert_null (ls_view_data_with_answers (data, snapshot)); /* nobody was asked */
      answer (snapshot, left, first);
      answer (snapshot, right, first);
      g_autoptr (LsViewData) asked = ls_view_data_with_answers (data, snapshot);
      g_assert_nonnull (asked);
      g_assert_true (asked->sides[0].answer == snapshot->lanes[left].answer);
      g_assert_true (asked->sides[1].answer == snapshot->lanes[right].answer);
      g_assert_null (data->sides[0].answer); /* the one before is as it was */
      g_assert_cmpstr (asked->when, ==, data->when);
      g_assert_cmpstr (asked->title, ==, data->title);
      g_assert_true (asked->recording == data->recording && asked->names == data->names);
      g_assert_true (asked->step == data->step && asked->live == data->live && asked->batch == data->batch);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsViewLane *a = &data->sides[side], *b = &asked->sides[side];
          assert_lane (a, b);
          assert_own ("a lane's message", a->message, b->message);
          g_assert_nonnull (a->index);
          g_assert_true (a->index == b->index && a->recorded == b->recorded && a->held == b->held
                         && a->finer == b->finer && a->lane == b->lane);
        }
      g_assert_null (ls_view_data_with_answers (asked, snapshot)); /* the same ones */
      answer (snapshot, left, second);
      g_assert_null (ls_view_data_with_answers (asked, snapshot)); /* the right one still thinks */
      asked->sides[1].state = LS_LANE_FAILED;
      g_autoptr (LsViewData) alone = ls_view_data_with_answers (asked, snapshot);
      g_assert_nonnull (alone); /* it never will */
      g_assert_true (alone->sides[0].answer == snapshot->lanes[left].answer);
      asked->sides[1].state = LS_LANE_READY;
      answer (snapshot, right, second);
      g_autoptr (LsViewData) then = ls_view_data_with_answers (asked, snapshot);
      g_assert_nonnull (then);
      g_assert_true (then->sides[0].answer == snapshot->lanes[left].answer
                     && then->sides[1].answer == snapshot->lanes[right].answer);
      /* made anew while one still thinks, both keep what they had said to the same question */
      answer (snapshot, right, first);
      g_autoptr (LsViewData) anew = ls_view_data_from_snapshot (snapshot, then, &beside);
      g_assert_true (anew->sides[0].answer == then->sides[0].answer
                     && anew->sides[1].answer == then->sides[1].answer);
    }
}

/* A step that stays in the picture while the run goes on is looked through once; another one is looked
 * through anew. */
static void
test_looked_through_once (void)
{
  g_autoptr (LsRecording) both = recording_of (32, 50), earlier = recording_of (32, 30);
  g_autoptr (LsSnapshot) first = snapshot_of (both, both, 60), second = snapshot_of (both, both, 70);
  g_autoptr (LsViewData) live = ls_view_data_from_snapshot (first, NULL, NULL);
  g_autoptr (LsViewData) newer = ls_view_data_from_snapshot (second, live, NULL);
  g_autoptr (LsViewData) then = ls_view_data_with_recording (live, earlier, live);
  g_autoptr (LsViewData) still = ls_view_data_with_recording (newer, earlier, then);
  g_autoptr (LsViewData) back = ls_view_data_with_recording (newer, both, still);
  g_autoptr (LsViewData) shown = ls_view_data_with_recording (newer, both, NULL);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_test_message ("side %u", side);
      g_assert_true (then->sides[side].recorded == &earlier->lanes[side]);
      g_assert_true (then->sides[side].index->lane == &earlier->lanes[side]);
      if (still->sides[side].index != then->sides[side].index
          || still->sides[side].finer != then->sides[side].finer)
        g_error ("the same step of side %u is looked through again", side);
      g_assert_true (back->sides[side].recorded == &both->lanes[side]);
      g_assert_true (back->sides[side].index->lane == &both->lanes[side]);
      g_assert_true (shown->sides[side].index == live->sides[side].index);
    }
}

/* A recording that is laid over stands as the one below it does, of a file and of a run, whichever lanes were
 * chosen; where it hasn't that lane, one of the kind is there. */
static void
test_laid_over (void)
{
  static const struct {
    const char *left, *right, *renamed; /* chosen; what the other recording's OpenCL lane is called */
    const char *stand[LS_SIDES];
  } cases[] = {
    { NULL, NULL, NULL, { "cpu", "opencl" } },     { "opencl", "cpu", NULL, { "opencl", "cpu" } },
    { "opencl", NULL, NULL, { "opencl", "cpu" } }, { "cpu", "opencl", NULL, { "cpu", "opencl" } },
    { NULL, NULL, "card", { "cpu", "card" } },     { "opencl", "cpu", "card", { "card", "cpu" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint live = 0; live < 2; live++)
      {
        g_autoptr (LsRecording) both = recording_of (32, 50), second = recording_of (32, 50);
        g_autoptr (LsSnapshot) snapshot = snapshot_of (both, both, 60);

        if (cases[i].renamed != NULL)
          {
            g_free (second->lanes[1].id);
            second->lanes[1].id = g_strdup (cases[i].renamed);
          }
        g_autoptr (LsViewData) other = ls_view_data_from_recording (second, NULL);
        const LsViewBeside beside = { .other = other, .stands = { cases[i].left, cases[i].right } };
        g_autoptr (LsViewData) data = live ? ls_view_data_from_snapshot (snapshot, NULL, &beside)
                                           : ls_view_data_from_recording (both, &beside);
        g_assert_true (data->other != NULL && data->other->recording == second);
        for (guint side = 0; side < LS_SIDES; side++)
          if (g_strcmp0 (data->other->sides[side].id, cases[i].stand[side]) != 0)
            g_error ("case %u, %s: over “%s” lies “%s” of the other recording, not “%s”", i,
                     live ? "live" : "a file", data->sides[side].id, data->other->sides[side].id,
                     cases[i].stand[side]);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-copy/states", test_states);
  g_test_add_func ("/view-copy/answers", test_answers);
  g_test_add_func ("/view-copy/looked-through-once", test_looked_through_once);
  g_test_add_func ("/view-copy/laid-over", test_laid_over);
  return g_test_run ();
}
