/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filling the sides from a run that goes on: its snapshots, an earlier recorded step of it, and what is kept
 * of runs before.
 */
#include "config.h"
#include "ui/paint/data/coming_words.h"
#include "ui/paint/data/disagreement.h"
#include "ui/paint/data/view_private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "backends/kernel_files.h"
#include "core/number.h"
#include "ui/paint/data/typical.h"

#define ENDLESS     LS_CURVE_MAX /* a target from here on is none: curves hold no more */
#define NOTICE_MOST 200          /* letters of a compiler's line in a head */
#define TURN_STEPS  512          /* lanes that are further apart don't take turns: one catches up */

static const char *
sentence_start (const char *text)
{
  return g_utf8_next_char (text);
}

/* An error's clause as a sentence of its own. (transfer full) */
static char *
as_sentence (const char *clause)
{
  g_autofree char *first = g_utf8_strup (clause, sentence_start (clause) - clause);

  return g_strconcat (first, sentence_start (clause), g_str_has_suffix (clause, ".") ? NULL : ".", NULL);
}

/* Who trains on while this lane doesn't, or NULL. (transfer full) */
static char *
others_words (const LsSnapshot *snapshot, const LsLaneSnapshot *stopped, const GArray *names)
{
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      const gboolean works = lane->state != LS_LANE_FAILED && lane->state != LS_LANE_HUNG;

      if (lane != stopped && works)
        return g_strdup_printf (_("The %s lane goes on without it."),
                                g_array_index (names, LsViewName, i).name);
    }
  return NULL;
}

static void
set_stopped (LsViewLane *lane, const LsLaneSnapshot *from, const LsSnapshot *snapshot, const GArray *names)
{
  g_autofree char *step = ls_number_count (from->steps + 1);

  if (from->message != NULL && *from->message)
    lane->words = as_sentence (from->message);
  if (from->facts == NULL)
    {
      /* it never ran: the other lane has all the room it needs in its own */
      lane->there = FALSE;
      lane->message = g_strdup_printf (_("The %s lane does not run."), lane->name);
      lane->hint = others_words (snapshot, from, names);
      return;
    }
  lane->stopped_at = from->steps + 1;
  lane->message = g_strdup_printf (_("Stopped at step %s."), step);
}

static void
set_state (LsViewLane *lane, const LsLaneSnapshot *from, const LsSnapshot *snapshot, const GArray *names)
{
  switch (from->state)
    {
    case LS_LANE_BUILDING:
      if (from->build_total > 0)
        lane->progress = (double) from->build_done / from->build_total;
      break;
    case LS_LANE_FAILED:
    case LS_LANE_HUNG:
      set_stopped (lane, from, snapshot, names);
      break;
    case LS_LANE_OPENING:
    case LS_LANE_READY:
      break;
    }
}

/* The picture of the lane: of the newest recorded step, or the one it had, if it stopped before that. */
void
ls_view_set_picture (LsViewData *data, guint side, const LsViewData *previous)
{
  LsViewLane *lane = &data->sides[side];
  const LsViewLane *before = previous != NULL ? &previous->sides[side] : NULL;
  const gint recorded = data->recording != NULL && lane->id != NULL
                          ? ls_recording_find (data->recording, lane->id)
                          : -1;

  if (recorded >= 0)
    {
      lane->lane = (guint) recorded;
      lane->recorded = &data->recording->lanes[recorded];
      /* the index only reads the recording, which both data hold */
      if (before != NULL && before->recorded == lane->recorded && before->index != NULL)
        {
          lane->index = ls_step_index_ref (before->index);
          lane->finer = before->finer != NULL ? ls_step_index_ref (before->finer) : NULL;
        }
      else
        {
          lane->index = ls_step_index_new (data->recording, lane->lane);
          lane->finer = ls_step_index_new_finer (data->recording, lane->lane);
        }
    }
  else if (data->recording != NULL && lane->stopped_at > 0 && before != NULL && before->index != NULL
           && g_strcmp0 (before->id, lane->id) == 0 && before->index->n_ops == data->recording->n_ops)
    {
      lane->held = ls_recording_ref (before->held != NULL ? before->held : previous->recording);
      lane->lane = before->lane;
      lane->recorded = before->recorded;
      lane->index = ls_step_index_ref (before->index);
      lane->finer = before->finer != NULL ? ls_step_index_ref (before->finer) : NULL;
    }
  if (lane->stopped_at == 0)
    return;
  g_free (lane->hint);
  g_autofree char *step = ls_number_count (ls_view_data_shown_step (data, side));
  lane->hint = lane->recorded != NULL ? g_strdup_printf (_("Shown: step %s, the last complete one."), step)
                                      : NULL;
}

static void
fill_curves (LsViewLane *lane, const LsLaneSnapshot *from)
{
  lane->steps = from->steps;
  lane->curve = from->curve != NULL ? ls_curve_ref (from->curve) : NULL;
  lane->accuracy = from->accuracy;
  lane->accuracies = from->accuracies != NULL ? g_array_ref (from->accuracies) : NULL;
  lane->evaluation = from->evaluation != NULL ? ls_evaluation_ref (from->evaluation) : NULL;
  lane->answer = from->answer != NULL ? ls_answer_ref (from->answer) : NULL;
  lane->rate = from->rate;
  lane->walk_coming = from->walk_coming;
  lane->counted = from->counted;
  lane->loss_step = from->steps;
  lane->loss = (LsFigure){
    .unit = "", .evidence = LS_EVIDENCE_MEASURED, .n = from->steps > 0, .value = (double) from->loss
  };
}

/* Before the others: it is what happens now. */
static void
add_condition (LsViewLane *lane, const char *text)
{
  GStrvBuilder *words = g_strv_builder_new ();

  g_strv_builder_add (words, text);
  g_strv_builder_addv (words, (const char **) lane->conditions);
  g_strfreev (lane->conditions);
  lane->conditions = g_strv_builder_end (words);
  g_strv_builder_unref (words);
}

/* At one job for so long that the others go on without it. */
static void
set_busy (LsViewLane *lane, const LsLaneSnapshot *from)
{
  g_autofree char *text = NULL;

  if (from->busy_s <= 0)
    return;
  if (from->builds && from->build_total > 0)
    text = g_strdup_printf (_("building %u of %u, %.0f s"), MIN (from->build_done + 1, from->build_total),
                            from->build_total, from->busy_s);
  else if (from->builds)
    text = g_strdup_printf (_("building, %.0f s"), from->busy_s);
  else
    text = g_strdup_printf (_("no answer for %.0f s"), from->busy_s);
  add_condition (lane, text);
}

/* The lane goes on with the kernels it has: what became of the edited ones stands in its head. */
static void
set_kernels (LsViewLane *lane, const LsLaneSnapshot *from, const char *problem)
{
  if (problem != NULL && from->spec->backend->edit != NULL)
    lane->notice = as_sentence (problem);
  else if (from->kernels_message != NULL)
    {
      g_autofree char *line = ls_kernel_error_line (from->kernels_message);
      const gboolean longer = g_utf8_strlen (line, -1) > NOTICE_MOST;
      g_autofree char *start = g_utf8_substring (line, 0, MIN (g_utf8_strlen (line, -1), NOTICE_MOST));
      lane->notice = g_strdup_printf (
        longer ? _("Edited kernels aren’t used: %s …") : _("Edited kernels aren’t used: %s"), start);
    }
  if (!from->kernels_coming || from->busy_s > 0)
    return;
  if (from->build_total > 0)
    {
      g_autofree char *progress = g_strdup_printf (
        _("building %u of %u"), MIN (from->build_done + 1, from->build_total), from->build_total);
      add_condition (lane, progress);
    }
  else
    add_condition (lane, _("building"));
}

static void
fill_live (LsViewData *data, guint side, guint i, const LsSnapshot *snapshot, const LsViewData *previous,
           const LsViewBeside *beside)
{
  const LsLaneSnapshot *from = &snapshot->lanes[i];
  LsViewLane *lane = &data->sides[side];
  const LsDeviceInfo *device = from->facts != NULL ? from->facts->device : NULL;
  const LsAgreement *agreement = &snapshot->agreement;
  const LsTiling *heavy = NULL;

  if (from->facts != NULL && snapshot->plan->n_ops > 0)
    heavy = ls_view_heavy_tiling (from->facts->tilings, &snapshot->plan->ops[0].flops,
                                  sizeof *snapshot->plan->ops, snapshot->plan->n_ops);
  ls_view_lane_set_device (lane, &g_array_index (data->names, LsViewName, i), device, heavy);
  lane->state = from->state;
  lane->build = from->build != NULL ? ls_build_ref (from->build) : NULL;
  lane->waits = from->waits;
  lane->overdue = from->overdue;
  lane->joined = from->joined;
  if (beside != NULL)
    ls_change_copy (&lane->change, &beside->changes[i]);
  set_kernels (lane, from, beside != NULL ? beside->kernel_problem : NULL);
  ls_view_lane_set_scale (lane, &from->scale);
  set_busy (lane, from);
  fill_curves (lane, from);
  set_state (lane, from, snapshot, data->names);
  lane->delta = (LsFigure){ .unit = "", .evidence = LS_EVIDENCE_DERIVED };
  /* weights that were compared before the lanes went apart say nothing of that */
  lane->delta_of = agreement->weights_compared > 0
                       && !(agreement->disagree && agreement->weights_step <= agreement->disagree_step)
                     ? LS_DELTA_WEIGHTS
                     : LS_DELTA_LOSSES;
  lane->delta.n = lane->delta_of == LS_DELTA_WEIGHTS ? agreement->weights_compared : agreement->losses_steps;
  lane->delta.value = lane->delta_of == LS_DELTA_WEIGHTS ? agreement->weights_delta_max
                                                         : agreement->loss_delta_max;
  ls_view_set_picture (data, side, previous);
}

char *
ls_view_data_step_words (const LsViewData *data, guint64 step)
{
  const guint64 epoch = data->steps_per_epoch > 0 && step > 0 ? (step - 1) / data->steps_per_epoch + 1 : 0;
  g_autofree char *count = ls_number_count (step), *target = ls_number_count (data->target);
  g_autofree char *epochs = ls_number_count (epoch);

  if (data->target > 0 && data->target < ENDLESS)
    return g_strdup_printf (_("step %s of %s"), count, target);
  if (epoch > 0)
    return g_strdup_printf (_("step %s, epoch %s"), count, epochs);
  return g_strdup_printf (_("step %s"), count);
}

void
ls_view_compare_answers (LsViewData *data)
{
  const LsEvaluation *evaluation = data->sides[0].evaluation;

  data->agreed.answers = ls_evaluation_differ (evaluation, data->sides[1].evaluation);
  data->agreed.n_answers = evaluation != NULL ? evaluation->n : 0;
}

/* Lanes that take turns are a few steps apart at any moment, and their newest losses are of different
 * batches: what stands side by side is of the newest step that both have done. A lane that still catches up
 * is on its own. */
static guint64
show_common_step (LsViewData *data, guint64 newest)
{
  LsViewLane *a = &data->sides[0], *b = &data->sides[1];
  const guint64 common = MIN (a->steps, b->steps);

  if (a->curve == NULL || b->curve == NULL || a->state != LS_LANE_READY || b->state != LS_LANE_READY
      || common == 0 || MAX (a->steps, b->steps) - common > TURN_STEPS)
    return newest;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      data->sides[side].steps = data->sides[side].loss_step = common;
      data->sides[side].loss.value = (double) ls_view_lane_point (&data->sides[side], common - 1).loss;
    }
  return common;
}

/* Lanes that stand on no side have no more steps than those that do: their lines lie on each other. */
static void
end_others (LsViewData *data)
{
  const guint64 most = MAX (data->sides[0].steps, data->sides[1].steps);

  for (guint i = 0; i < data->others->len; i++)
    {
      LsViewLane *other = data->others->pdata[i];
      other->steps = MIN (other->steps, most);
    }
}

static void
hold_curves (LsViewData *data, const LsViewData *earlier)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *before = &earlier->sides[side], *lane = &data->sides[side];
      if (before->curve != lane->curve || before->state != lane->state || before->steps > lane->steps
          || before->steps == 0)
        return;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      data->sides[side].steps = earlier->sides[side].steps;
      data->sides[side].loss = earlier->sides[side].loss;
      data->sides[side].loss_step = earlier->sides[side].loss_step;
    }
}

/* Lanes that stand on no side have their curves. */
static void
fill_others (LsViewData *data, const LsSnapshot *snapshot, const gint sides[LS_SIDES])
{
  data->others = ls_view_lanes_new ();
  for (guint i = 0; i < snapshot->n_lanes; i++)
    if ((gint) i != sides[0] && (gint) i != sides[1])
      {
        LsViewLane *lane = g_new0 (LsViewLane, 1);
        const LsLaneFacts *facts = snapshot->lanes[i].facts;

        ls_view_lane_set_device (lane, &g_array_index (data->names, LsViewName, i),
                                 facts != NULL ? facts->device : NULL, NULL);
        fill_curves (lane, &snapshot->lanes[i]);
        lane->state = snapshot->lanes[i].state;
        g_ptr_array_add (data->others, lane);
      }
}

LsViewData *
ls_view_data_from_snapshot (const LsSnapshot *snapshot, const LsViewData *previous,
                            const LsViewBeside *beside)
{
  LsViewData *data = g_new0 (LsViewData, 1);
  const LsModel *model = snapshot->plan->model;
  guint64 steps = 0;
  gint sides[LS_SIDES];

  data->ref_count = 1;
  data->modelled = previous != NULL ? ls_machine_memo_ref (previous->modelled) : ls_machine_memo_new ();
  if (beside != NULL)
    ls_view_take_beside (data, beside);
  data->live = TRUE;
  data->running = snapshot->running;
  data->turns = snapshot->turns;
  data->batch = snapshot->plan->batch;
  data->target = snapshot->target;
  data->steps_per_epoch = snapshot->steps_per_epoch;
  data->recording = snapshot->recording != NULL ? ls_recording_ref (snapshot->recording) : NULL;
  data->plan = ls_plan_ref (snapshot->plan);
  data->program = g_strdup ("Lockstep " LS_VERSION);
  data->title = ls_view_title (model != NULL ? model->text : "", model != NULL ? model->name : NULL,
                               snapshot->plan->in_shape, snapshot->options->data, data->batch, FALSE);
  data->brief = ls_view_title (model != NULL ? model->text : "", model != NULL ? model->name : NULL,
                               snapshot->plan->in_shape, snapshot->options->data, data->batch, TRUE);
  for (guint i = 0; i < snapshot->n_lanes; i++)
    steps = MAX (steps, snapshot->lanes[i].steps);
  data->names = ls_view_running_names (snapshot);
  ls_view_choose_sides (data->names, beside != NULL ? beside->stands : NULL, sides);
  for (guint side = 0; side < LS_SIDES; side++)
    if (sides[side] >= 0)
      fill_live (data, side, (guint) sides[side], snapshot, previous, beside);
    else
      ls_view_lane_set_missing (&data->sides[side], side, TRUE);
  fill_others (data, snapshot, sides);
  ls_view_stand_alike (data);
  ls_coming_joined (data->sides);
  ls_coming_say (data);
  ls_view_settle_answers (data, previous);
  ls_view_pair_lanes (data->sides, previous != NULL ? previous->sides : NULL);
  ls_disagreement_words (snapshot, data->disagree);
  ls_difference_fill (&data->difference, snapshot, sides);
  data->step = show_common_step (data, steps);
  if (beside != NULL && beside->held != NULL)
    hold_curves (data, beside->held);
  end_others (data);
  data->agreed = (LsAgreed){ .compared = snapshot->agreement.losses_steps,
                             .loss_delta = snapshot->agreement.loss_delta_max,
                             .tolerance = snapshot->agreement.tolerance,
                             .apart_step = snapshot->agreement.apart_step,
                             .skip_step = snapshot->agreement.skip_step };
  ls_view_compare_answers (data);
  if (sides[0] >= 0 && sides[1] >= 0)
    {
      LsFairPair pair;
      ls_fair_pair_of_snapshot (&pair, snapshot, (guint) sides[0], (guint) sides[1]);
      ls_view_judge (data, &pair);
    }
  ls_typical_tell (data);
  return data;
}

/* ---- runs before ---- */

LsRunCurves *
ls_run_curves_new (const char *label, const LsSnapshot *snapshot)
{
  LsRunCurves *run = g_new0 (LsRunCurves, 1);
  g_autoptr (GArray) names = ls_view_running_names (snapshot);
  gint sides[LS_SIDES];

  run->ref_count = 1;
  run->label = g_strdup (label);
  run->batch = snapshot->plan->batch;
  ls_view_choose_sides (names, NULL, sides);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      run->sides[side].accuracy = run->sides[side].progress = (double) NAN;
      if (sides[side] < 0)
        continue;
      run->sides[side].there = TRUE;
      const LsViewName *name = &g_array_index (names, LsViewName, sides[side]);
      run->sides[side].id = name->id;
      run->sides[side].who = name->who;
      run->sides[side].ink = name->ink;
      fill_curves (&run->sides[side], &snapshot->lanes[sides[side]]);
    }
  ls_view_pair_lanes (run->sides, NULL);
  return run;
}

LsRunCurves *
ls_run_curves_ref (LsRunCurves *run)
{
  g_atomic_int_inc (&run->ref_count);
  return run;
}

void
ls_run_curves_unref (LsRunCurves *run)
{
  if (run == NULL || !g_atomic_int_dec_and_test (&run->ref_count))
    return;
  for (guint side = 0; side < LS_SIDES; side++)
    ls_view_lane_clear (&run->sides[side]);
  g_free (run->label);
  g_free (run);
}
