/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data of a run with one thing exchanged: another recorded step in the picture, or newer answers to what the
 * user asked.
 */
#include "config.h"
#include "ui/paint/data/coming_words.h"
#include "ui/paint/data/view_private.h"

#include "ui/paint/data/typical.h"

static void
copy_lane (LsViewLane *to, const LsViewLane *from)
{
  *to = *from;
  to->message = g_strdup (from->message);
  to->words = g_strdup (from->words);
  to->hint = g_strdup (from->hint);
  to->name = g_strdup (from->name);
  to->brief = g_strdup (from->brief);
  to->device = g_strdup (from->device);
  to->conditions = g_strdupv (from->conditions);
  to->recorded_on = g_strdup (from->recorded_on);
  to->notice = g_strdup (from->notice);
  ls_change_copy (&to->change, &from->change);
  to->build = from->build != NULL ? ls_build_ref (from->build) : NULL;
  to->curve = from->curve != NULL ? ls_curve_ref (from->curve) : NULL;
  to->pair = from->pair != NULL ? ls_pair_ref (from->pair) : NULL;
  to->accuracies = from->accuracies != NULL ? g_array_ref (from->accuracies) : NULL;
  to->evaluation = from->evaluation != NULL ? ls_evaluation_ref (from->evaluation) : NULL;
  to->answer = from->answer != NULL ? ls_answer_ref (from->answer) : NULL;
  to->index = to->finer = NULL;
  to->recorded = NULL;
  to->held = NULL;
}

/* All but the lanes. */
static LsViewData *
copy_data (const LsViewData *from, LsRecording *recording)
{
  LsViewData *data = g_new0 (LsViewData, 1);

  *data = *from;
  data->ref_count = 1;
  data->recording = recording != NULL ? ls_recording_ref (recording) : NULL;
  data->names = from->names != NULL ? g_array_ref (from->names) : NULL;
  data->fairness = from->fairness != NULL ? ls_fairness_ref (from->fairness) : NULL;
  data->others = from->others != NULL ? g_ptr_array_ref (from->others) : NULL;
  data->plan = from->plan != NULL ? ls_plan_ref (from->plan) : NULL;
  data->title = g_strdup (from->title);
  data->brief = g_strdup (from->brief);
  data->when = NULL;
  data->aside = g_strdup (from->aside);
  data->program = g_strdup (from->program);
  data->date = g_strdup (from->date);
  data->today = g_strdup (from->today);
  data->op_times = from->op_times != NULL ? ls_op_times_ref (from->op_times) : NULL;
  data->runs = from->runs != NULL ? g_ptr_array_ref (from->runs) : NULL;
  data->lab = from->lab != NULL ? g_ptr_array_ref (from->lab) : NULL;
  if (data->measuring.result != NULL)
    ls_lab_result_ref (data->measuring.result);
  data->other = from->other != NULL ? ls_view_data_ref (from->other) : NULL;
  data->modelled = ls_machine_memo_ref (from->modelled);
  data->catalogue = from->catalogue != NULL ? ls_catalogue_ref (from->catalogue) : NULL;
  data->claims = from->claims != NULL ? ls_claims_ref (from->claims) : NULL;
  for (guint i = 0; i < LS_CONVERTED_N; i++)
    data->converted[i] = from->converted[i] != NULL ? ls_converted_ref (from->converted[i]) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (data->disagree); i++)
    data->disagree[i] = g_strdup (from->disagree[i]);
  return data;
}

LsViewData *
ls_view_data_with_recording (const LsViewData *live, LsRecording *recording, const LsViewData *previous)
{
  LsViewData *data = copy_data (live, recording);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &data->sides[side];

      copy_lane (lane, &live->sides[side]);
      ls_view_set_picture (data, side, previous != NULL ? previous : live);
    }
  ls_coming_say (data);
  ls_typical_tell (data);
  return data;
}

/* ---- answers ---- */

/* One lane has answered the newest question, the other not yet. */
static gboolean
half_answered (const LsViewLane *a, const LsViewLane *b, const LsAnswer *left, const LsAnswer *right)
{
  return a->state == LS_LANE_READY && b->state == LS_LANE_READY && left != NULL && right != NULL
         && left->question != right->question;
}

/* What is shown of both lanes belongs together: the newer answer waits for the other lane's. */
void
ls_view_settle_answers (LsViewData *data, const LsViewData *previous)
{
  LsViewLane *sides = data->sides;

  if (!half_answered (&sides[0], &sides[1], sides[0].answer, sides[1].answer) || previous == NULL
      || sides[0].id != previous->sides[0].id || sides[1].id != previous->sides[1].id)
    return;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsAnswer *answer = previous->sides[side].answer;

      g_clear_pointer (&sides[side].answer, ls_answer_unref);
      sides[side].answer = answer != NULL ? ls_answer_ref (answer) : NULL;
    }
}

LsViewData *
ls_view_data_with_answers (const LsViewData *from, const LsSnapshot *snapshot)
{
  const char *const stands[LS_SIDES] = { from->sides[0].id, from->sides[1].id };
  gint sides[LS_SIDES];
  gboolean newer = FALSE;
  LsViewData *data;

  ls_view_choose_sides (from->names, stands, sides);
  for (guint side = 0; side < LS_SIDES; side++)
    newer |= sides[side] >= 0 && snapshot->lanes[sides[side]].answer != from->sides[side].answer;
  if (!newer
      || (sides[0] >= 0 && sides[1] >= 0
          && half_answered (&from->sides[0], &from->sides[1], snapshot->lanes[sides[0]].answer,
                            snapshot->lanes[sides[1]].answer)))
    return NULL;
  data = copy_data (from, from->recording);
  data->when = g_strdup (from->when);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &data->sides[side];
      const LsViewLane *before = &from->sides[side];
      LsAnswer *answer = sides[side] >= 0 ? snapshot->lanes[sides[side]].answer : NULL;

      copy_lane (lane, before);
      lane->index = before->index != NULL ? ls_step_index_ref (before->index) : NULL;
      lane->finer = before->finer != NULL ? ls_step_index_ref (before->finer) : NULL;
      lane->recorded = before->recorded;
      lane->held = before->held != NULL ? ls_recording_ref (before->held) : NULL;
      g_clear_pointer (&lane->answer, ls_answer_unref);
      lane->answer = answer != NULL ? ls_answer_ref (answer) : NULL;
    }
  return data;
}
