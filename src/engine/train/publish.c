/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making snapshots.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>

#define PUBLISH_NS     (1000000000u / 60)
#define FIGURE_STOPPED 65536 /* and once it has stopped */
/* no step before the newest so many is looked at: a lane's first minutes may all be disturbed */
#define FIGURE_WINDOW 65536

/* The first step that a figure may be of. At rest it goes far back, but not behind where another lane began
 * to compute as it does, so that it is of the same turns as that one's. */
static guint64
first_step (const LsCoordinator *self, const LsLaneControl *control, gboolean stopped)
{
  const guint64 back = control->steps - MIN (control->steps, FIGURE_WINDOW),
                live = control->steps - MIN (control->steps, LS_FIGURE_NEWEST);
  guint64 common = 0;

  for (guint s = 0; s < self->n_lanes && stopped; s++)
    if (ls_control_working (&self->lanes[s]))
      common = MAX (common, self->lanes[s].figures.changed);
  return MAX (control->figures.changed, MAX (back, MIN (common, live)));
}

/* Median step time and samples per second of the newest counted steps. */
static void
update_figures (LsCoordinator *self, LsLaneControl *control, gboolean stopped)
{
  const guint64 most = stopped ? FIGURE_STOPPED : LS_FIGURE_NEWEST;
  g_autofree double *values = NULL;
  const char *condition = NULL;
  LsCounted *counted = &control->figures.counted;
  const guint64 from = first_step (self, control, stopped);
  gsize n;

  /* of a run that has just ended the live ones are the same, if there are any */
  if (control->figures.steps == control->steps
      && (!stopped || (control->steps <= LS_FIGURE_NEWEST && control->figures.step.n > 0)))
    return;
  values = g_new (double, MIN (most, control->steps) + 1);
  n = ls_curve_collect (control->course.curve, from, control->steps, most, 0, values, counted);
  if (n == 0 && stopped)
    {
      /* A short run may be over before the other lane has compiled its kernels. */
      n = ls_curve_collect (control->course.curve, from, control->steps, most, LS_POINT_DISTURBED, values,
                            counted);
      condition = N_("beside another lane’s compiler");
    }
  control->figures.step = ls_figure_of_samples (values, n, "µs");
  control->figures.step.left_out = counted->warm_up + counted->recorded + counted->rested
                                   + counted->disturbed;
  control->figures.step.condition = n > 0 ? condition : NULL;
  control->figures.rate = control->figures.step;
  control->figures.rate.unit = "samples/s";
  if (control->figures.step.q1 > 0)
    {
      double samples = 1e6 * self->plan->batch;
      control->figures.rate.value = samples / control->figures.step.value;
      control->figures.rate.q1 = samples / control->figures.step.q3;
      control->figures.rate.q3 = samples / control->figures.step.q1;
    }
  else
    control->figures.rate.n = 0; /* steps too short for the clock have no rate */
  control->figures.steps = control->steps;
}

void
ls_control_begin_figures (LsLaneControl *control)
{
  control->figures.changed = control->steps;
  control->figures.rate = control->figures.step = (LsFigure){ .unit = "" };
  control->figures.counted = (LsCounted){ 0 };
  control->figures.steps = G_MAXUINT64;
}

static void
fill_lane (const LsCoordinator *self, LsLaneControl *control, LsLaneSnapshot *lane)
{
  lane->spec = ls_lane_spec_ref (control->spec);
  lane->state = ls_control_working (control)         ? LS_LANE_READY
                : control->stage == LS_STAGE_HUNG    ? LS_LANE_HUNG
                : control->stage == LS_STAGE_CLOSING ? LS_LANE_OPENING
                                                     : LS_LANE_FAILED;
  if (ls_control_stopped (control))
    lane->retry_step = MAX (ls_coordinator_furthest (self), self->begun);
  /* The instance of one that is being closed is its thread's alone. */
  if (ls_control_coming (control) && control->stage != LS_STAGE_CLOSING)
    {
      lane->state = MIN (ls_lane_progress (control->lane, &lane->build_done, &lane->build_total),
                         LS_LANE_BUILDING);
      lane->build = ls_lane_building (control->lane);
    }
  if (ls_control_slow (control))
    {
      lane->busy_s = (double) (ls_clock_ns () - control->watch.posted_ns) / 1e9;
      lane->builds = control->lane->request.kind == LS_JOB_CONFIGURE
                     || control->lane->request.kind == LS_JOB_RELOAD;
      ls_lane_progress (control->lane, &lane->build_done, &lane->build_total);
    }
  lane->message = g_strdup (control->message);
  lane->facts = control->facts ? ls_lane_facts_ref (control->facts) : NULL;
  lane->steps = control->steps;
  lane->joined = control->course.start > self->begun ? control->course.start : 0;
  lane->waits = ls_control_waits (self, control);
  lane->overdue = control->entry == LS_ENTRY_OVERDUE;
  lane->curve = ls_curve_ref (control->course.curve);
  lane->loss = control->figures.loss;
  lane->scale = control->course.scale;
  lane->rate_from = control->figures.changed;
  lane->rate = control->figures.rate;
  lane->counted = control->figures.counted;
  lane->step_us = control->figures.step;
  lane->accuracy = control->evaluations.accuracy;
  lane->accuracy_step = control->evaluations.step;
  lane->accuracies = control->evaluations.all ? g_array_ref (control->evaluations.all) : NULL;
  ls_control_fill_kernels (control, lane);
  lane->evaluation = control->evaluations.newest ? ls_evaluation_ref (control->evaluations.newest) : NULL;
  lane->answer = control->answers.newest ? ls_answer_ref (control->answers.newest) : NULL;
}

/* The curves are full: the lanes are at rest, and their weights can be saved. */
static char *
make_message (const LsCoordinator *self)
{
  gboolean full = FALSE;

  LANES (self, control)
    full |= control->steps >= LS_CURVE_MAX;
  if (!full || !self->cut)
    return NULL;
  return g_strdup_printf (
    _("Training stopped after %llu steps, because the losses of more aren’t kept; save the weights, and go "
       "on from them in a new run."),
    (unsigned long long) LS_CURVE_MAX);
}

gboolean
ls_coordinator_publish (LsCoordinator *self, gboolean now)
{
  const guint64 time_ns = ls_clock_ns ();
  LsSnapshot *snapshot, *old;

  if (!now && time_ns - self->published_ns < PUBLISH_NS)
    return FALSE;
  self->published_ns = time_ns;
  ls_coordinator_look_load (self);
  snapshot = g_new0 (LsSnapshot, 1);
  snapshot->ref_count = 1;
  snapshot->serial = ++self->publish_serial;
  snapshot->time_ns = time_ns;
  snapshot->plan = ls_plan_ref (self->plan);
  snapshot->options = ls_options_copy (self->options);
  snapshot->running = self->running;
  snapshot->turns = self->turn_kind == LS_TURNS_TURNS;
  snapshot->load = self->load.told;
  snapshot->target = self->target;
  snapshot->steps_per_epoch = ls_batcher_steps_per_epoch (self->batcher);
  snapshot->begun = self->begun;
  snapshot->n_lanes = self->n_lanes;
  for (guint s = 0; s < self->n_lanes; s++)
    {
      update_figures (self, &self->lanes[s], now);
      fill_lane (self, &self->lanes[s], &snapshot->lanes[s]);
    }
  snapshot->agreement = self->agreement;
  snapshot->agreement.weights_kept = self->kept ? self->kept->len : 0;
  snapshot->agreement.examined = self->agreement.disagree;
  LANES (self, control)
    if (ls_control_working (control) && ls_coordinator_to_examine (self, control))
      snapshot->agreement.examined = FALSE;
  snapshot->agreement.weights_tensor = g_strdup (self->agreement.weights_tensor);
  snapshot->message = make_message (self);
  snapshot->recording = self->recording ? ls_recording_ref (self->recording) : NULL;
  snapshot->recording_message = g_strdup (self->recording_message);
  snapshot->weights = self->held ? ls_held_weights_ref (self->held) : NULL;
  old = __atomic_exchange_n (&self->newest, snapshot, __ATOMIC_ACQ_REL);
  ls_snapshot_unref (old);
  return TRUE;
}

LsSnapshot *
ls_coordinator_take (LsCoordinator *self)
{
  return __atomic_exchange_n (&self->newest, NULL, __ATOMIC_ACQ_REL);
}
