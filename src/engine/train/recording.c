/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recorded steps: which one it is to be, what each lane kept of it, and the recording that is made of all lanes'. The step
 * is aimed at anew with each command, since it is to be the last one before the lanes come to rest.
 */
#include "train/private.h"

#include <string.h>

void
ls_seat_drop_record (LsSeat *seat)
{
  ls_lane_record_free (g_steal_pointer (&seat->record), seat->lane->plan);
  g_clear_pointer (&seat->record_facts, ls_lane_facts_unref);
}

/* Aims at the last step before the target, or, if it is too late for that or nothing runs, at the next one. With `anew`, a
 * recording is asked for, and one more step is run if need be; otherwise one that is under way follows the commands. Under
 * the mutex. */
void
ls_coordinator_aim_record (LsCoordinator *self, gboolean anew)
{
  guint64 furthest = 0, aim;

  if (!anew && self->record_step == G_MAXUINT64)
    return;
  for (guint s = 0; s < self->n_seats; s++)
    {
      const LsSeat *seat = &self->seats[s];
      furthest = MAX (furthest, seat->steps + seat->turn);
      /* Once paused, lanes that haven't recorded the step follow those that have. */
      if (!anew && !self->running && (seat->record || (seat->turn > 0 && seat->turn_flags & LS_POINT_RECORDED)))
        return;
    }
  aim = self->running && self->target > furthest ? self->target - 1 : furthest;
  if (!anew && (aim == self->record_step || (self->running && self->target <= furthest)))
    return;
  for (guint s = 0; s < self->n_seats; s++)
    ls_seat_drop_record (&self->seats[s]);
  self->record_step = aim;
  if (anew && (self->running ? aim >= self->target : self->want_one_more))
    {
      self->running = self->want_running = TRUE;
      self->target = self->want_target = aim + 1;
    }
}

/* Takes what the lane kept of the step that it has just done, if that is still the one that is wanted. */
void
ls_coordinator_take_record (LsCoordinator *self, LsSeat *seat)
{
  ls_seat_drop_record (seat);
  seat->record = g_steal_pointer (&seat->lane->job.recorded);
  seat->record_facts = ls_lane_facts_ref (seat->facts);
  if (seat->steps - 1 != self->record_step)
    ls_seat_drop_record (seat);
}

static void
fill_recorded_lane (LsCoordinator *self, LsSeat *seat, LsRecording *recording, guint number)
{
  LsRecordedLane *lane = &recording->lanes[number];
  LsLaneRecord *record = seat->record;

  lane->device = ls_device_info_copy (seat->record_facts->device);
  memcpy (lane->tilings, seat->record_facts->tilings, sizeof (LsTiling) * self->plan->n_ops);
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
  for (guint64 i = 0; i <= self->record_step; i++)
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

static void
fill_settings (LsCoordinator *self, LsRecording *recording)
{
  guint n_options;
  const LsOption *table = ls_options_table (&n_options);
  const char *turns = self->turn_kind == LS_TURNS_TURNS ? "in turn" : "racing";

  for (guint i = 0; i < n_options; i++)
    g_hash_table_insert (recording->options, g_strdup (table[i].name), ls_options_get (self->options, &table[i]));
  g_hash_table_insert (recording->conditions, g_strdup ("evidence"), g_strdup (ls_evidence_name (LS_EVIDENCE_MEASURED)));
  g_hash_table_insert (recording->conditions, g_strdup ("lanes"), g_strdup (turns));
  g_hash_table_insert (recording->conditions, g_strdup ("precision"), g_strdup ("fp32"));
  g_hash_table_insert (recording->conditions, g_strdup ("warm-up steps"), g_strdup_printf ("%d", LS_WARM_UP_STEPS));
}

/* Puts the recording together once every lane that works, and every one that may come, has recorded the step; or now, from
 * those that have. A lane that was parked after it had recorded the step is in it. */
void
ls_coordinator_finish_record (LsCoordinator *self, gboolean anyway)
{
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  guint n_lanes = 0, number = 0;

  if (self->record_step == G_MAXUINT64)
    return;
  for (guint s = 0; s < self->n_seats; s++)
    {
      const LsSeat *seat = &self->seats[s];
      if (!anyway && seat->record == NULL && (ls_seat_working (seat) || ls_seat_coming (seat)))
        return;
      n_lanes += seat->record != NULL;
    }
  if (n_lanes > 0)
    recording = ls_recording_new (self->plan, n_lanes, self->record_step + 1);
  for (guint s = 0; s < self->n_seats; s++)
    if (self->seats[s].record)
      {
        fill_recorded_lane (self, &self->seats[s], recording, number++);
        ls_seat_drop_record (&self->seats[s]);
      }
  self->record_step = G_MAXUINT64;
  if (n_lanes == 0)
    return;
  fill_settings (self, recording);
  g_clear_pointer (&self->recording, ls_recording_unref);
  if (ls_recording_seal (recording, &error))
    self->recording = g_steal_pointer (&recording);
  else
    g_warning ("The recorded step is not kept: %s", error->message);
}
