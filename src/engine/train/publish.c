/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making snapshots, and recordings from what the lanes kept of a recorded step.
 */
#include "train/private.h"

#include <string.h>

#define PUBLISH_NS     (1000000000u / 60)
#define FIGURE_LIVE    200     /* newest steps behind a rate while training runs */
#define FIGURE_STOPPED 65536   /* and once it has stopped */

/* Median step time and samples per second of the newest counted steps. */
static void
update_figures (LsCoordinator *self, LsSeat *seat, gboolean stopped)
{
  const guint64 most = stopped ? FIGURE_STOPPED : FIGURE_LIVE;
  g_autofree double *values = NULL;
  guint64 left_out = 0;
  gsize n = 0;

  if (seat->figure_steps == seat->steps && (!stopped || seat->steps <= FIGURE_LIVE))
    return;
  values = g_new (double, MIN (most, seat->steps) + 1);
  for (guint64 i = seat->steps; i-- > 0 && n < most;)
    {
      LsPoint point = ls_curve_get (seat->curve, i);
      if (point.flags == 0)
        values[n++] = (double) point.step_us;
      else
        left_out++;
    }
  seat->step_figure = ls_figure_of_samples (values, n, "µs");
  seat->step_figure.left_out = left_out;
  seat->rate = seat->step_figure;
  seat->rate.unit = "samples/s";
  if (n > 0)
    {
      double samples = 1e6 * self->plan->batch;
      seat->rate.value = samples / seat->step_figure.value;
      seat->rate.q1 = samples / seat->step_figure.q3;
      seat->rate.q3 = samples / seat->step_figure.q1;
    }
  seat->figure_steps = seat->steps;
}

static void
fill_lane (LsSeat *seat, LsLaneSnapshot *lane)
{
  lane->backend = seat->lane->backend;
  lane->state = seat->state;
  if (seat->state == LS_LANE_OPENING || seat->state == LS_LANE_BUILDING)
    lane->state = MIN (ls_lane_progress (seat->lane, &lane->build_done, &lane->build_total), LS_LANE_BUILDING);
  lane->message = g_strdup (seat->message);
  lane->facts = seat->facts ? ls_lane_facts_ref (seat->facts) : NULL;
  lane->steps = seat->steps;
  lane->curve = ls_curve_ref (seat->curve);
  lane->loss = seat->loss;
  lane->rate = seat->rate;
  lane->step_us = seat->step_figure;
  lane->accuracy = seat->accuracy;
  lane->accuracy_step = seat->accuracy_step;
}

void
ls_coordinator_publish (LsCoordinator *self, gboolean now)
{
  const guint64 time_ns = ls_clock_ns ();
  LsSnapshot *snapshot, *old;

  if (!now && time_ns - self->published_ns < PUBLISH_NS)
    return;
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
      fill_lane (&self->seats[s], &snapshot->lanes[s]);
    }
  snapshot->agreement = self->agreement;
  snapshot->agreement.weights_tensor = g_strdup (self->agreement.weights_tensor);
  snapshot->recording = self->recording ? ls_recording_ref (self->recording) : NULL;
  old = __atomic_exchange_n (&self->newest, snapshot, __ATOMIC_ACQ_REL);
  ls_snapshot_unref (old);
}

LsSnapshot *
ls_coordinator_take (LsCoordinator *self)
{
  return __atomic_exchange_n (&self->newest, NULL, __ATOMIC_ACQ_REL);
}

static void
fill_recorded_lane (LsCoordinator *self, LsSeat *seat, LsRecording *recording, guint number)
{
  LsRecordedLane *lane = &recording->lanes[number];
  LsLaneRecord *record = seat->record;

  lane->device = ls_device_info_copy (seat->facts->device);
  memcpy (lane->tilings, seat->facts->tilings, sizeof (LsTiling) * self->plan->n_ops);
  g_array_append_vals (lane->events, record->events->data, record->events->len);
  for (guint i = 0; i < lane->events->len; i++)
    {
      LsEvent *event = &g_array_index (lane->events, LsEvent, i);
      event->lane_clock = LS_LANE_CLOCK (number, LS_EVENT_CLOCK (event));
    }
  lane->clock_error_ns = record->clock_error_ns;
  lane->dropped = record->dropped;
  lane->start_ns = record->start_ns;
  lane->end_ns = record->end_ns;
  for (guint64 i = 0; i < seat->steps; i++)
    {
      LsPoint point = ls_curve_get (seat->curve, i);
      guint64 step_ns = (guint64) ((double) point.step_us * 1e3 + 0.5);
      g_array_append_val (lane->losses, point.loss);
      g_array_append_val (lane->step_ns, step_ns);
    }
  for (guint i = 0; i < self->plan->n_tensors; i++)
    if (record->values[i])
      ls_recording_add_tensor (recording, number, i, record->values[i]);
}

/* Puts the recording together once every lane has recorded the step, also one that is still coming. */
void
ls_coordinator_finish_record (LsCoordinator *self)
{
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  guint n_lanes = 0, number = 0, n_options;
  const LsOption *table = ls_options_table (&n_options);

  for (guint s = 0; s < self->n_seats; s++)
    {
      if ((ls_seat_working (&self->seats[s]) || ls_seat_coming (&self->seats[s])) && self->seats[s].record == NULL)
        return;
      n_lanes += self->seats[s].record != NULL;
    }
  if (n_lanes == 0)
    return;
  recording = ls_recording_new (self->plan, n_lanes, self->record_step + 1);
  for (guint s = 0; s < self->n_seats; s++)
    if (self->seats[s].record)
      {
        fill_recorded_lane (self, &self->seats[s], recording, number++);
        ls_lane_record_free (g_steal_pointer (&self->seats[s].record), self->plan);
      }
  for (guint i = 0; i < n_options; i++)
    g_hash_table_insert (recording->options, g_strdup (table[i].name), ls_options_get (self->options, &table[i]));
  g_hash_table_insert (recording->conditions, g_strdup ("evidence"), g_strdup (ls_evidence_name (LS_EVIDENCE_MEASURED)));
  g_hash_table_insert (recording->conditions, g_strdup ("lanes"),
                       g_strdup (self->turn_kind == LS_TURNS_TURNS ? "in turn" : "racing"));
  g_hash_table_insert (recording->conditions, g_strdup ("precision"), g_strdup ("fp32"));
  g_hash_table_insert (recording->conditions, g_strdup ("warm-up steps"), g_strdup_printf ("%d", LS_WARM_UP_STEPS));
  self->record_step = G_MAXUINT64;
  g_clear_pointer (&self->recording, ls_recording_unref);
  if (ls_recording_seal (recording, &error))
    self->recording = g_steal_pointer (&recording);
  else
    g_warning ("The recorded step is not kept: %s", error->message);
}
