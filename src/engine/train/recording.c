/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recorded steps: which one it is to be, what each lane kept of it, and the recording that is made of all
 * lanes'. The last step is aimed at anew with each command, since it is to be the last one before the lanes
 * come to rest; the next one is chosen once, when no lane is at a job.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "train/fairness.h"

static void
drop_record (LsWanted *wanted, guint s, const LsPlan *plan)
{
  ls_lane_record_free (g_steal_pointer (&wanted->records[s]), plan);
  g_clear_pointer (&wanted->facts[s], ls_lane_facts_unref);
}

void
ls_wanted_begin (LsWanted *wanted, const LsCoordinator *self, const LsLaneControl *control)
{
  LsLaneSpec **spec = &wanted->specs[control->lane->number];

  wanted->begun = TRUE;
  g_clear_pointer (spec, ls_lane_spec_unref);
  *spec = ls_lane_spec_ref (control->spec);
  if (wanted->options != NULL)
    return;
  wanted->options = ls_options_copy (self->options);
  wanted->turn_kind = self->turn_kind;
}

void
ls_wanted_drop (LsWanted *wanted, const LsPlan *plan)
{
  for (guint s = 0; s < LS_MAX_LANES; s++)
    {
      drop_record (wanted, s, plan);
      g_clear_pointer (&wanted->specs[s], ls_lane_spec_unref);
    }
  g_clear_pointer (&wanted->options, ls_options_free);
  wanted->step = LS_STEP_NONE;
}

void
ls_coordinator_forget_records (LsCoordinator *self, const LsLaneControl *control)
{
  LsWanted *const wanted[] = { &self->last, &self->next };

  for (gsize w = 0; w < G_N_ELEMENTS (wanted); w++)
    if (wanted[w]->step >= control->steps)
      drop_record (wanted[w], control->lane->number, self->plan);
}

/* Aims at the last step before the target, or, if it is too late for that or nothing runs, at the next one.
 * With `anew`, a recording is asked for, and one more step is run if need be; otherwise one that is under way
 * follows the commands. Under the mutex. */
void
ls_coordinator_aim_last (LsCoordinator *self, gboolean anew)
{
  LsWanted *last = &self->last;
  guint64 furthest = 0, aim;

  if (!anew && last->step == LS_STEP_NONE)
    return;
  for (guint s = 0; s < self->n_lanes; s++)
    {
      const LsLaneControl *control = &self->lanes[s];
      furthest = MAX (furthest, control->steps + control->course.turn);
      /* Once paused, lanes that haven't recorded the step follow those that have. */
      if (!anew && !self->running
          && (last->records[s] || (control->course.turn > 0 && control->steps == last->step)))
        return;
    }
  aim = self->running && self->target > furthest ? self->target - 1 : furthest;
  if (!anew && (aim == last->step || (self->running && self->target <= furthest)))
    return;
  ls_wanted_drop (last, self->plan);
  if (aim >= LS_CURVE_MAX)
    return;
  *last = (LsWanted){ .step = aim, .lanes = G_MAXUINT, .tensors = TRUE };
  if (anew && (self->running ? aim >= self->target : self->want.one_more))
    {
      self->running = self->want.running = TRUE;
      self->target = self->want.target = aim + 1;
    }
}

/* Joins a request that waits for its step, if that will give what is wanted; otherwise a step is chosen after
 * it. */
void
ls_coordinator_ask_next (LsCoordinator *self, gboolean tensors)
{
  LsWanted *next = &self->next;

  if (next->step != LS_STEP_NONE && !next->begun)
    next->tensors |= tensors;
  if (next->step != LS_STEP_NONE && (next->tensors || !tensors))
    return;
  self->next_asked = TRUE;
  self->next_tensors |= tensors;
  self->next_of_run = FALSE;
  LANES (self, control)
    self->next_of_run |= self->running && ls_control_working (control) && control->steps < self->target;
}

/* What a recorded step needs of the lane is still being built beside it. */
static gboolean
is_warming (LsCoordinator *self, LsLaneControl *control)
{
  const LsWalkWish none = { LS_WALK_NO_OP, 0, -1, -1 };

  /* at rest nothing is kept waiting */
  return self->running && control->lane->backend->build != NULL
         && control->lane->backend->build->record_waits (control->lane->instance)
         && !ls_coordinator_warm_walk (self, control, &none);
}

/* Chooses the next step if one is asked for: the first that lies before all lanes that take part. A lane that
 * would have to wait for a compiler trains on, and is waited for once there is a recorded step of the others;
 * if that takes long, it takes part another time. */
void
ls_coordinator_aim_next (LsCoordinator *self)
{
  const guint64 furthest = ls_coordinator_furthest (self);
  guint lanes = 0;

  /* whoever asked during a run that has come to its end meanwhile didn't want it longer */
  if (self->next_asked && self->next_of_run && self->running && furthest >= self->target)
    self->next_asked = self->next_tensors = FALSE;
  if (!self->next_asked || self->next.step != LS_STEP_NONE || !ls_pacer_records (&self->pacer, furthest))
    return;
  /* beside a slow lane, or while it catches up, the picture would lack it */
  LANES (self, control)
    if (control->stage == LS_STAGE_BUSY
        || (self->running && control->stage == LS_STAGE_FREE && furthest - control->steps > LS_TURN_MAX))
      return;
  LANES (self, control)
    if (ls_control_working (control) && furthest - control->steps <= LS_TURN_MAX)
      {
        if (!is_warming (self, control))
          lanes |= ls_control_bit (control);
        else if (self->recording != NULL && !ls_control_warms_long (control))
          return; /* there is a picture without that lane */
      }
  if (lanes == 0 || !ls_coordinator_may_record (self, furthest))
    return;
  if (furthest < LS_CURVE_MAX)
    self->next = (LsWanted){ .step = furthest, .lanes = lanes, .tensors = self->next_tensors };
  self->next_asked = self->next_tensors = FALSE;
}

static void
keep_record (LsCoordinator *self, LsWanted *wanted, const LsLaneControl *control, LsLaneRecord *record)
{
  const guint s = control->lane->number;

  drop_record (wanted, s, self->plan);
  wanted->records[s] = record;
  wanted->facts[s] = ls_lane_facts_ref (control->facts);
}

/* Takes what the lane kept of the step that it has just done, if that is still one that is wanted. */
void
ls_coordinator_take_record (LsCoordinator *self, LsLaneControl *control)
{
  LsLaneRecord *record = g_steal_pointer (&control->lane->result.train.record);

  if (ls_wanted_from (&self->last, control, control->steps - 1))
    keep_record (self, &self->last, control, ls_lane_record_copy (record, self->plan));
  if (ls_wanted_from (&self->next, control, control->steps - 1))
    keep_record (self, &self->next, control, g_steal_pointer (&record));
  ls_lane_record_free (record, self->plan);
}

/* What the lane kept becomes the recording's. */
static void
fill_recorded_lane (LsCoordinator *self, LsWanted *wanted, guint s, LsRecording *recording, guint number)
{
  LsRecordedLane *lane = &recording->lanes[number];
  LsLaneRecord *record = wanted->records[s];
  LsEvaluation *evaluation = self->lanes[s].evaluations.newest;
  const LsLaneSpec *spec = wanted->specs[s] != NULL ? wanted->specs[s] : self->lanes[s].spec;

  lane->id = g_strdup (spec->id);
  lane->spec = g_strdup (spec->text);
  lane->device = ls_device_info_copy (wanted->facts[s]->device);
  memcpy (lane->tilings, wanted->facts[s]->tilings, sizeof (LsTiling) * self->plan->n_ops);
  g_array_unref (lane->events);
  lane->events = g_steal_pointer (&record->events);
  lane->off_core = g_steal_pointer (&record->off_core);
  for (guint i = 0; i < lane->events->len; i++)
    {
      LsEvent *event = &g_array_index (lane->events, LsEvent, i);
      event->lane_clock = LS_LANE_CLOCK (number, LS_EVENT_CLOCK (event));
    }
  lane->finer = g_steal_pointer (&record->finer);
  for (guint i = 0; lane->finer != NULL && i < lane->finer->events->len; i++)
    {
      LsEvent *event = &g_array_index (lane->finer->events, LsEvent, i);
      event->lane_clock = LS_LANE_CLOCK (number, LS_EVENT_CLOCK (event));
    }
  lane->clock_error_ns = record->clock_error_ns;
  lane->dropped = record->dropped;
  lane->start_ns = record->start_ns;
  lane->end_ns = record->end_ns;
  /* a lane that has gone on may have learnt more since */
  lane->evaluation = evaluation != NULL && evaluation->steps <= wanted->step + 1
                       ? ls_evaluation_ref (evaluation)
                       : NULL;
  ls_recording_set_accuracies (recording, number, self->lanes[s].evaluations.all);
  ls_recording_set_history (recording, number, self->lanes[s].course.curve, wanted->step + 1);
  for (guint i = 0; record->values && i < self->plan->n_tensors; i++)
    if (record->values[i])
      ls_recording_take_tensor (recording, number, i, g_steal_pointer (&record->values[i]));
  for (guint i = 0; record->before && i < self->plan->n_tensors; i++)
    if (record->before[i])
      ls_recording_take_before (recording, number, i, g_steal_pointer (&record->before[i]));
}

/* Of all lanes, or that they differ: each lane's own is in its options. */
static const char *
precision_words (LsCoordinator *self)
{
  const gint first = self->lanes[0].spec->options->precision;

  LANES (self, control)
    if (control->spec->options->precision != first)
      return "mixed";
  return ls_precision_name ((LsPrecision) first);
}

static void
fill_settings (LsCoordinator *self, const LsWanted *wanted, LsRecording *recording)
{
  const LsOptions *options = wanted->options != NULL ? wanted->options : self->options;
  const gint turn_kind = wanted->options != NULL ? wanted->turn_kind : self->turn_kind;
  guint n_options;
  const LsOption *table = ls_options_table (&n_options);

  for (guint i = 0; i < n_options; i++)
    g_hash_table_insert (recording->options, g_strdup (table[i].name), ls_options_get (options, &table[i]));
  g_hash_table_insert (recording->conditions, g_strdup ("evidence"),
                       g_strdup (ls_evidence_name (LS_EVIDENCE_MEASURED)));
  ls_recording_set_conditions (recording, turn_kind == LS_TURNS_TURNS, LS_WARM_UP_STEPS);
  g_hash_table_insert (recording->conditions, g_strdup ("precision"), g_strdup (precision_words (self)));
  g_hash_table_insert (recording->conditions, g_strdup (LS_CONDITION_EPOCH),
                       g_strdup_printf ("%" G_GUINT64_FORMAT, ls_batcher_steps_per_epoch (self->batcher)));
  ls_fair_note_load (recording, &self->load.told);
  LANES (self, control)
    ls_fair_note_clock (recording, control->spec->id, self->load.told.clock_mhz[control->lane->number]);
}

/* The recording of what the lanes have kept; (transfer full). */
static LsRecording *
assemble (LsCoordinator *self, LsWanted *wanted, guint n_lanes)
{
  LsRecording *recording = ls_recording_new (self->plan, n_lanes, wanted->step + 1);
  guint number = 0;

  for (guint s = 0; s < self->n_lanes; s++)
    if (wanted->records[s])
      fill_recorded_lane (self, wanted, s, recording, number++);
  ls_recording_name_classes (recording, self->data->class_names);
  fill_settings (self, wanted, recording);
  return recording;
}

/* A lane that was opened anew may go on behind the step. */
static gboolean
may_do (const LsLaneControl *control, guint64 step)
{
  return ls_control_coming (control) || (ls_control_working (control) && control->course.start <= step);
}

/* Makes the recording once every lane that takes part, works or may come has recorded the step; or now, from
 * those that have. A lane that was parked after it had recorded the step is in it. FALSE if nobody has. */
static gboolean
finish_record (LsCoordinator *self, LsWanted *wanted, gboolean anyway)
{
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  guint n_lanes = 0;

  if (wanted->step == LS_STEP_NONE)
    return TRUE;
  for (guint s = 0; s < self->n_lanes; s++)
    {
      const LsLaneControl *control = &self->lanes[s];
      if (!anyway && wanted->records[s] == NULL && wanted->lanes & 1u << s && may_do (control, wanted->step))
        return TRUE;
      /* what it says of the test set after that step belongs to it */
      if (!anyway && wanted->records[s] != NULL && ls_control_working (control)
          && control->steps == wanted->step + 1 && ls_coordinator_evaluates (self, control))
        return TRUE;
      n_lanes += wanted->records[s] != NULL;
    }
  if (n_lanes > 0)
    recording = assemble (self, wanted, n_lanes);
  ls_wanted_drop (wanted, self->plan);
  if (n_lanes == 0)
    return FALSE;
  g_clear_pointer (&self->recording_message, g_free);
  if (ls_recording_seal (recording, &error))
    ls_coordinator_keep_fresh (self, g_steal_pointer (&recording));
  else
    {
      g_clear_pointer (&self->recording, ls_recording_unref);
      self->recording_message = g_strdup_printf (_("The recorded step can’t be used, because %s"),
                                                 error->message);
    }
  return TRUE;
}

/* All lanes have stopped before the step that was to be recorded: the losses up to there of those that came
 * furthest are what there is. */
static void
keep_stopped (LsCoordinator *self)
{
  LsWanted *last = &self->last;
  guint64 steps = 0;

  LANES (self, control)
    {
      if (!ls_control_stopped (control) || last->records[control->lane->number] != NULL)
        return;
      steps = MAX (steps, control->facts != NULL ? control->steps : 0);
    }
  if (last->step == LS_STEP_NONE || steps == 0)
    return;
  last->step = steps - 1;
  LANES (self, control)
    if (control->facts != NULL && control->steps == steps)
      {
        LsLaneRecord *record = g_new0 (LsLaneRecord, 1);
        record->events = g_array_new (FALSE, FALSE, sizeof (LsEvent));
        keep_record (self, last, control, record);
      }
}

/* If all lanes that were to record the next step have failed at it, the others do that. The last step's
 * recording, which has its tensors, replaces the next one's where that is the same step. */
void
ls_coordinator_finish_records (LsCoordinator *self, gboolean anyway)
{
  const gboolean tensors = self->next.tensors;

  if (!finish_record (self, &self->next, anyway))
    {
      self->next_asked = TRUE;
      self->next_tensors |= tensors;
    }
  keep_stopped (self);
  finish_record (self, &self->last, anyway);
  if (anyway)
    self->next_asked = self->next_tensors = FALSE;
}
