/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making snapshots.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>

#define PUBLISH_NS     (1000000000u / 60)
#define FIGURE_LIVE    200   /* newest steps behind a rate while training runs */
#define FIGURE_STOPPED 65536 /* and once it has stopped */
/* no step before the newest so many is looked at: a lane's first minutes may all be disturbed */
#define FIGURE_WINDOW 65536

/* The first step that a figure may be of. At rest it goes far back, but not behind where another lane began
 * to compute as it does, so that it is of the same turns as that one's. */
static guint64
first_step (const LsCoordinator *self, const LsSeat *seat, gboolean stopped)
{
  const guint64 back = seat->steps - MIN (seat->steps, FIGURE_WINDOW),
                live = seat->steps - MIN (seat->steps, FIGURE_LIVE);
  guint64 common = 0;

  for (guint s = 0; s < self->n_seats && stopped; s++)
    if (ls_seat_working (&self->seats[s]))
      common = MAX (common, self->seats[s].changed);
  return MAX (seat->changed, MAX (back, MIN (common, live)));
}

/* Median step time and samples per second of the newest counted steps. */
static void
update_figures (LsCoordinator *self, LsSeat *seat, gboolean stopped)
{
  const guint64 most = stopped ? FIGURE_STOPPED : FIGURE_LIVE;
  g_autofree double *values = NULL;
  const char *condition = NULL;
  LsCounted *counted = &seat->counted;
  const guint64 from = first_step (self, seat, stopped);
  gsize n;

  if (seat->figure_steps == seat->steps && (!stopped || seat->steps <= FIGURE_LIVE))
    return;
  values = g_new (double, MIN (most, seat->steps) + 1);
  n = ls_curve_collect (seat->curve, from, seat->steps, most, 0, values, counted);
  if (n == 0 && stopped)
    {
      /* A short run may be over before the other lane has compiled its kernels. */
      n = ls_curve_collect (seat->curve, from, seat->steps, most, LS_POINT_DISTURBED, values, counted);
      condition = N_("beside another lane’s compiler");
    }
  seat->step_figure = ls_figure_of_samples (values, n, "µs");
  seat->step_figure.left_out = counted->warm_up + counted->recorded + counted->rested + counted->disturbed;
  seat->step_figure.condition = n > 0 ? condition : NULL;
  seat->rate = seat->step_figure;
  seat->rate.unit = "samples/s";
  if (seat->step_figure.q1 > 0)
    {
      double samples = 1e6 * self->plan->batch;
      seat->rate.value = samples / seat->step_figure.value;
      seat->rate.q1 = samples / seat->step_figure.q3;
      seat->rate.q3 = samples / seat->step_figure.q1;
    }
  else
    seat->rate.n = 0; /* steps too short for the clock have no rate */
  seat->figure_steps = seat->steps;
}

void
ls_seat_begin_figures (LsSeat *seat)
{
  seat->changed = seat->steps;
  seat->rate = seat->step_figure = (LsFigure){ .unit = "" };
  seat->counted = (LsCounted){ 0 };
  seat->figure_steps = G_MAXUINT64;
}

static void
fill_lane (const LsCoordinator *self, LsSeat *seat, LsLaneSnapshot *lane)
{
  lane->backend = seat->lane->backend;
  lane->state = seat->state;
  if (ls_seat_stopped (seat))
    lane->retry_step = ls_coordinator_furthest (self);
  /* The instance of one that is being closed is its thread's alone. */
  if (ls_seat_coming (seat) && !seat->leaving)
    {
      lane->state = MIN (ls_lane_progress (seat->lane, &lane->build_done, &lane->build_total),
                         LS_LANE_BUILDING);
      lane->build = ls_lane_building (seat->lane);
    }
  lane->message = g_strdup (seat->message);
  lane->facts = seat->facts ? ls_lane_facts_ref (seat->facts) : NULL;
  lane->steps = seat->steps;
  lane->joined = seat->start;
  lane->waits = ls_seat_waits (self, seat);
  lane->overdue = seat->overdue;
  lane->curve = ls_curve_ref (seat->curve);
  lane->loss = seat->loss;
  lane->rate_from = seat->changed;
  lane->rate = seat->rate;
  lane->counted = seat->counted;
  lane->step_us = seat->step_figure;
  lane->accuracy = seat->accuracy;
  lane->accuracy_step = seat->accuracy_step;
  lane->accuracies = seat->accuracies ? g_array_ref (seat->accuracies) : NULL;
  ls_seat_fill_kernels (seat, lane);
  lane->evaluation = seat->evaluation ? ls_evaluation_ref (seat->evaluation) : NULL;
  lane->answer = seat->answer ? ls_answer_ref (seat->answer) : NULL;
}

/* The curves are full: the lanes are at rest, and their weights can be saved. */
static char *
make_message (const LsCoordinator *self)
{
  gboolean full = FALSE;

  for (guint s = 0; s < self->n_seats; s++)
    full |= self->seats[s].steps >= LS_CURVE_MAX;
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
  snapshot = g_new0 (LsSnapshot, 1);
  snapshot->ref_count = 1;
  snapshot->serial = ++self->publish_serial;
  snapshot->time_ns = time_ns;
  snapshot->plan = ls_plan_ref (self->plan);
  snapshot->options = ls_options_copy (self->options);
  snapshot->running = self->running;
  snapshot->turns = self->turn_kind == LS_TURNS_TURNS;
  snapshot->target = self->target;
  snapshot->steps_per_epoch = ls_batcher_steps_per_epoch (self->batcher);
  snapshot->n_lanes = self->n_seats;
  for (guint s = 0; s < self->n_seats; s++)
    {
      update_figures (self, &self->seats[s], now);
      fill_lane (self, &self->seats[s], &snapshot->lanes[s]);
    }
  snapshot->agreement = self->agreement;
  snapshot->agreement.examined = self->agreement.disagree;
  for (guint s = 0; s < self->n_seats; s++)
    if (ls_seat_working (&self->seats[s]) && ls_coordinator_to_examine (self, &self->seats[s]))
      snapshot->agreement.examined = FALSE;
  snapshot->agreement.weights_tensor = g_strdup (self->agreement.weights_tensor);
  snapshot->message = make_message (self);
  snapshot->recording = self->recording ? ls_recording_ref (self->recording) : NULL;
  snapshot->recording_message = g_strdup (self->recording_message);
  old = __atomic_exchange_n (&self->newest, snapshot, __ATOMIC_ACQ_REL);
  ls_snapshot_unref (old);
  return TRUE;
}

LsSnapshot *
ls_coordinator_take (LsCoordinator *self)
{
  return __atomic_exchange_n (&self->newest, NULL, __ATOMIC_ACQ_REL);
}
