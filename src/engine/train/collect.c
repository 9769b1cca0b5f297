/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What came of lanes' jobs: steps into curves, failures into messages, silence into a lane left behind.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

#define ACCURACIES_MAX    4096         /* kept of a lane */
#define BUILD_PATIENCE_NS 60000000000u /* for one kernel */

void
ls_control_park (LsLaneControl *control, LsLaneStage stage, const char *message)
{
  control->stage = stage;
  control->entry = LS_ENTRY_FIRST;
  control->course.turn = 0;
  g_free (control->message);
  control->message = g_strdup (message);
}

void
ls_control_park_full (LsLaneControl *control)
{
  g_autofree char *message = g_strdup_printf (_("The system grants no memory for the losses of more than "
                                                 "%llu steps; train fewer in one run, and go on from "
                                                 "saved weights in the next (--save, --load)."),
                                              (unsigned long long) control->steps);
  ls_control_park (control, LS_STAGE_FAILED, message);
}

void
ls_control_update_facts (LsCoordinator *self, LsLaneControl *control)
{
  const LsLane *lane = control->lane;
  LsLaneFacts *facts = g_atomic_rc_box_new0 (LsLaneFacts);
  LsStepMemory memory;

  facts->device = ls_device_info_copy (lane->backend->device (lane->instance));
  facts->tilings = g_memdup2 (lane->backend->tilings (lane->instance), sizeof (LsTiling) * self->plan->n_ops);
  /* with another number of threads the lane can do more, or less */
  if (control->facts != NULL && control->facts->device->threads != facts->device->threads)
    {
      control->walks.measured = FALSE;
      memset (control->walks.roofs, 0, sizeof control->walks.roofs);
    }
  memcpy (facts->device->roofs, control->walks.roofs, sizeof control->walks.roofs);
  if (lane->backend->memory != NULL)
    {
      lane->backend->memory->allocated (lane->instance, &memory);
      for (guint i = 0; i < LS_MEMORY_N; i++)
        facts->device->numbers[LS_DEVICE_ALLOCATED + i] = (double) memory.bytes[i];
    }
  g_clear_pointer (&control->facts, ls_lane_facts_unref);
  control->facts = facts;
}

/* Lanes take turns by themselves where they would compute on the same cores. */
void
ls_coordinator_choose_turns (LsCoordinator *self)
{
  guint sharing = 0;

  self->turn_kind = self->options->turns;
  if (self->turn_kind != LS_TURNS_AUTO)
    return;
  LANES (self, control)
    sharing += ls_control_working (control) && control->facts->device->shares_cpu;
  self->turn_kind = sharing > 1 ? LS_TURNS_TURNS : LS_TURNS_RACE;
}

/* Step i of the lane's turn. Its time is the turn's, shared out evenly: a device that has several steps in
 * its queue tells of their ends in bunches, and both lanes are to be measured alike. */
static LsPoint
make_point (const LsCoordinator *self, const LsLaneControl *control, guint i)
{
  const LsResult *result = &control->lane->result;
  const guint n_steps = control->lane->request.train.n_steps;
  /* A device's times are mapped, and may be a little off. */
  const guint64 start_ns = result->train.start_ns;
  const guint64 turn_ns = MAX (result->train.step_end_ns[n_steps - 1], start_ns) - start_ns;
  const guint64 end_ns = MAX (result->train.step_end_ns[i], start_ns);
  const guint64 end_ms = (end_ns - MIN (self->run_start_ns, end_ns)) / 1000000;

  return (LsPoint){
    .end_ms = (guint32) MIN (end_ms, G_MAXUINT32), /* 49 days */
    .step_us = (float) ((double) turn_ns / 1e3 / n_steps),
    .loss = result->train.losses[i],
    .flags = control->course.turn_flags
             | (control->steps - MAX (control->course.start, control->figures.changed) < LS_WARM_UP_STEPS
                  ? LS_POINT_WARM_UP
                  : 0)
             | (ls_pacer_settles (&self->pacer, control->steps) ? LS_POINT_RESTED : 0)
             | (result->train.skipped[i] ? LS_POINT_SKIPPED : 0),
  };
}

static void
take_steps (LsCoordinator *self, LsLaneControl *control)
{
  const LsRequest *request = &control->lane->request;

  for (guint i = 0; i < request->train.n_steps; i++)
    {
      const LsPoint point = make_point (self, control, i);

      if (!ls_curve_append (control->course.curve, point))
        {
          ls_control_park_full (control);
          return;
        }
      control->steps++;
      if (!(point.flags & LS_POINT_RESTED) || !(control->figures.step_us > 0))
        control->figures.step_us = (double) point.step_us;
      control->figures.loss = point.loss;
      if (!isfinite (point.loss))
        {
          g_autofree char *message = g_strdup_printf (
            control->spec->options->precision == LS_PRECISION_FP16
              ? _("The loss is not a finite number at step %llu; fp16 ends at 65504: use a smaller learning "
                   "rate (--lr), or --precision bf16.")
              : _("The loss is not a finite number at step %llu; use a smaller learning rate (--lr)."),
            (unsigned long long) control->steps);
          ls_control_park (control, LS_STAGE_FAILED, message);
          return;
        }
    }
  if (request->train.record)
    ls_coordinator_take_record (self, control);
}

/* Snapshots hold the old list, so the longer one is a new one. A long run's is thinned: every other, but not
 * the newest. */
static void
take_accuracy (LsLaneControl *control, double accuracy)
{
  const guint n = control->evaluations.all != NULL ? control->evaluations.all->len : 0;
  const LsAccuracy newest = { .steps = control->steps, .accuracy = accuracy };
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));

  for (guint i = 0; i < n; i++)
    if (n < ACCURACIES_MAX || i % 2 == 0)
      g_array_append_val (list, g_array_index (control->evaluations.all, LsAccuracy, i));
  g_array_append_val (list, newest);
  g_clear_pointer (&control->evaluations.all, g_array_unref);
  control->evaluations.all = list;
  control->evaluations.accuracy = accuracy;
  control->evaluations.step = control->steps;
}

static void
collect (LsCoordinator *self, LsLaneControl *control)
{
  const LsJobKind kind = control->lane->request.kind;
  LsResult *result = &control->lane->result;

  control->stage = LS_STAGE_FREE;
  control->course.turn = 0;
  control->course.scale = control->lane->scale;
  /* nobody has asked for it: a lane that lacks the memory for it, or a kernel of an unfused op, is as it was,
   * and goes on */
  if (kind == LS_JOB_COMPARE && ls_coordinator_to_examine (self, control)
      && (g_error_matches (result->error, LS_ERROR, LS_ERROR_MEMORY)
          || g_error_matches (result->error, LS_ERROR, LS_ERROR_BUILD)))
    {
      control->checks.examined = TRUE;
      return;
    }
  /* nobody waited for it any more */
  if (kind == LS_JOB_EVALUATE && g_error_matches (result->error, LS_ERROR, LS_ERROR_CANCELLED))
    return;
  if (result->error)
    {
      ls_control_park (control, LS_STAGE_FAILED, result->error->message);
      return;
    }
  switch (kind)
    {
    case LS_JOB_OPEN:
      /* A lane opened anew has no weights yet. */
      if (control->entry != LS_ENTRY_FIRST)
        control->stage = LS_STAGE_OPEN;
      control->answers.number = 0;
      ls_control_update_facts (self, control);
      ls_coordinator_choose_turns (self);
      break;
    case LS_JOB_CONFIGURE:
      ls_control_update_facts (self, control);
      if (control->options.affected)
        ls_control_begin_figures (control);
      control->options.affected = FALSE;
      break;
    case LS_JOB_RELOAD:
      ls_coordinator_took_kernels (self, control);
      ls_control_update_facts (self, control);
      ls_control_begin_figures (control);
      break;
    case LS_JOB_TRAIN:
      take_steps (self, control);
      break;
    case LS_JOB_EVALUATE:
      take_accuracy (control, result->evaluation.accuracy);
      ls_evaluation_unref (control->evaluations.newest);
      control->evaluations.newest = g_steal_pointer (&result->evaluation.of_samples);
      control->evaluations.newest->steps = control->steps;
      break;
    case LS_JOB_ANSWER:
      ls_answer_unref (control->answers.newest);
      control->answers.newest = g_steal_pointer (&result->answer);
      control->answers.newest->steps = control->steps;
      break;
    case LS_JOB_READ:
      control->checks.params_step = control->steps;
      if (control->checks.weights_step == control->steps && self->request != LS_JOB_READ)
        ls_coordinator_compare_weights (self, control);
      ls_coordinator_hold (self, control);
      break;
    case LS_JOB_WALK:
      ls_coordinator_take_walk (self, control);
      break;
    case LS_JOB_SAVE:
      ls_coordinator_hand_over (self, control);
      break;
    case LS_JOB_LOAD:
      control->entry = LS_ENTRY_FIRST;
      control->answers.number = 0;
      g_clear_pointer (&control->lane->request.checkpoint, g_ptr_array_unref);
      ls_coordinator_choose_turns (self);
      break;
    case LS_JOB_COMPARE:
      if (ls_coordinator_to_examine (self, control))
        ls_coordinator_take_examination (self, control);
      break;
    case LS_JOB_NONE:
    case LS_JOB_QUIT:
      break;
    }
  if (self->request != LS_JOB_NONE && kind == self->request)
    {
      control->answers.request = TRUE;
      g_clear_pointer (&control->answers.comparisons, g_array_unref);
      control->answers.comparisons = g_steal_pointer (&result->comparisons);
    }
}

/* A lane that builds kernels (the first recorded step's, another rung's) isn't hung as long as it gets on
 * with it; what it does with them then may take no longer than without. */
static gboolean
gets_on_building (LsLaneControl *control, guint64 now_ns)
{
  guint done, total;

  ls_lane_progress (control->lane, &done, &total);
  if (total == 0 || (done == control->watch.build_done && total == control->watch.build_total))
    return FALSE;
  control->watch.build_done = done;
  control->watch.build_total = total;
  control->watch.deadline_ns = now_ns + (done < total ? BUILD_PATIENCE_NS : control->watch.grace_ns);
  return TRUE;
}

void
ls_coordinator_collect (LsCoordinator *self)
{
  const guint64 now_ns = self->looked_ns;

  LANES (self, control)
    {
      if (!ls_control_at_job (control))
        continue;
      if (ls_lane_done (control->lane))
        collect (self, control);
      else if (now_ns > control->watch.deadline_ns && !gets_on_building (control, now_ns))
        {
          g_autofree char *message = g_strdup_printf (
            _("The %s lane has given no answer for too long and was left behind; the other lanes go on."),
            control->spec->title);
          ls_lane_abandon (control->lane);
          ls_control_park (control, LS_STAGE_HUNG, message);
        }
    }
  ls_coordinator_look_overdue (self);
  ls_coordinator_collect_trials (self);
  ls_coordinator_replace_closed (self);
  ls_coordinator_compare_losses (self);
  ls_coordinator_finish_records (self, FALSE);
}
