/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's pace, which is when steps are done and not how slowly one is shown; and the end of a run: so
 * many steps as were asked for, or as suit the data, and what was learnt in them.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/defaults.h"
#include "core/number.h"

LsPace
ls_session_pace (LsSession *self)
{
  return self->full_held ? LS_PACE_FULL : (LsPace) self->options->pace;
}

void
ls_session_tell_options (LsSession *self)
{
  g_autoptr (LsOptions) told = ls_options_copy (self->options);

  told->pace = ls_session_pace (self);
  ls_coordinator_configure (self->coordinator, told);
}

static void
tell_pace (LsSession *self)
{
  if (self->coordinator != NULL)
    ls_session_tell_options (self);
  ls_session_emit_state (self);
}

void
ls_session_set_pace (LsSession *self, LsPace pace)
{
  if (self->options->pace == (gint) pace)
    return;
  self->options->pace = (gint) pace;
  tell_pace (self);
}

void
ls_session_hold_full (LsSession *self, gboolean held)
{
  if (self->full_held == held)
    return;
  self->full_held = held;
  tell_pace (self);
}

/* ---- the end of a run ---- */

void
ls_session_begin_run (LsSession *self)
{
  const guint64 steps = ls_data_watch_steps (self->options,
                                             ls_coordinator_steps_per_epoch (self->coordinator));

  /* one that was over is trained on */
  self->target = self->from != NULL ? (self->from->step / steps + 1) * steps : steps;
  self->over = FALSE;
}

gboolean
ls_session_over (LsSession *self)
{
  return self->over && self->file == NULL;
}

void
ls_session_look_for_end (LsSession *self)
{
  if (self->over || self->snapshot->target != self->target || !ls_snapshot_ended (self->snapshot))
    return;
  self->over = TRUE;
  self->record_asked_us = 0; /* no step is left to be recorded */
  ls_session_set_playing (self, FALSE);
  ls_session_emit_state (self);
}

void
ls_session_train_on (LsSession *self)
{
  if (self->coordinator == NULL || self->file != NULL || !self->over)
    return;
  self->target += ls_data_watch_steps (self->options, ls_coordinator_steps_per_epoch (self->coordinator));
  self->over = FALSE;
  self->playhead.playing = FALSE; /* that was its last step again, and no training */
  ls_session_set_playing (self, TRUE);
}

/* Of the lane's own steps, which begin after so many, to the run's end, each over its own time: ns. One more
 * may have been done to be looked at. */
static double
step_time (const LsLaneSnapshot *lane, guint64 after, guint64 end)
{
  double us = 0;

  for (guint64 i = after; i < MIN (lane->steps, end); i++)
    us += (double) ls_curve_get (lane->curve, i).step_us;
  return us * 1e3;
}

/* As the pictures call it: “OpenCL on the CPU”. */
static const char *
name_of (LsSession *self, const LsLaneSnapshot *lane)
{
  for (guint side = 0; self->data != NULL && side < LS_SIDES; side++)
    if (g_strcmp0 (self->data->sides[side].id, lane->spec->id) == 0)
      return self->data->sides[side].name;
  return lane->spec->title;
}

static void
append (GString *list, const char *words)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", words);
}

/* Lanes that answer alike are told of together. */
static char *
accuracy_words (LsSession *self)
{
  g_autoptr (GString) each = g_string_new (NULL);
  g_autofree char *first = NULL;
  gboolean alike = TRUE;

  for (guint i = 0; i < self->snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &self->snapshot->lanes[i];
      g_autofree char *percent = ls_number_text (100 * lane->accuracy, 3);
      /* TRANSLATORS: a lane's name and a percentage */
      g_autofree char *words = g_strdup_printf (_("%s %s %%"), name_of (self, lane), percent);
      if (lane->state != LS_LANE_READY || isnan (lane->accuracy))
        continue;
      append (each, words);
      if (first == NULL)
        first = g_steal_pointer (&percent);
      else
        alike &= g_str_equal (first, percent);
    }
  return alike && first != NULL ? g_strdup_printf (_("%s %%"), first) : g_strdup (each->str);
}

static char *
time_words (LsSession *self)
{
  GString *each = g_string_new (NULL);

  for (guint i = 0; i < self->snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &self->snapshot->lanes[i];
      const guint64 after = MAX (lane->joined, self->snapshot->begun);
      g_autofree char *time = ls_number_time (step_time (lane, after, self->target)),
                      *from = ls_number_count (after + 1);
      g_autofree char *words = after > 0 ? g_strdup_printf (_("%s %s from step %s on"), name_of (self, lane),
                                                            time, from)
                                         : g_strdup_printf ("%s %s", name_of (self, lane), time);
      if (lane->state == LS_LANE_READY)
        append (each, words);
    }
  return g_string_free (each, FALSE);
}

char *
ls_session_learnt (LsSession *self)
{
  g_autofree char *accuracy = NULL, *times = NULL, *tests = NULL, *steps = NULL;

  if (!ls_session_over (self))
    return NULL;
  accuracy = accuracy_words (self);
  times = time_words (self);
  tests = ls_number_count (self->data != NULL ? (guint64) self->data->tests : 0);
  steps = ls_number_count (self->target);
  /* TRANSLATORS: “97.6 %”, “10 000”, “4 690”, “CPU 2.1 s, OpenCL 2.6 s” */
  return g_strdup_printf (ngettext ("Learnt: %s of %s test samples right after %s step; %s of step time.",
                                    "Learnt: %s of %s test samples right after %s steps; %s of step time.",
                                    (gulong) self->target),
                          accuracy, tests, steps, times);
}

/* ---- in words ---- */

/* What a step of all lanes takes, by their medians, µs; 0: not known of all. */
static double
all_lanes_us (const LsSnapshot *snapshot)
{
  double us = 0;

  for (guint i = 0; snapshot != NULL && i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      if (lane->state != LS_LANE_READY)
        continue;
      if (lane->step_us.n == 0 || !(lane->step_us.value > 0))
        return 0;
      us = snapshot->turns ? us + lane->step_us.value : MAX (us, lane->step_us.value);
    }
  return us;
}

static char *
watch_words (LsSession *self)
{
  const LsDataDefaults *usual = ls_data_defaults (self->options->data);
  const guint64 steps = usual->steps > 0         ? (guint64) usual->steps
                        : self->snapshot != NULL ? self->snapshot->steps_per_epoch
                                                 : 0;
  const double planned_ns = 1e9 * usual->watch_s / (usual->steps > 0 ? 1 : (double) usual->watch_epochs);
  const double needed_ns = 1e3 * all_lanes_us (self->snapshot) * (double) steps;
  /* lanes that can't keep up take as long as they take */
  g_autofree char *time = needed_ns > planned_ns ? ls_number_time (needed_ns)
                                                 : ls_number_dial ((guint64) planned_ns);
  g_autofree char *count = ls_number_count (steps);

  return usual->steps > 0
           ? g_strdup_printf (ngettext ("%s step in %s", "%s steps in %s", (gulong) steps), count, time)
           : g_strdup_printf (_("an epoch in %s"), time);
}

char *
ls_session_pace_words (LsSession *self, LsPace pace)
{
  const double us = all_lanes_us (self->snapshot);
  g_autofree char *rate = !(us > 0)       ? NULL
                          : 1e6 / us < 10 ? ls_number_text (1e6 / us, 2)
                                          : ls_number_count ((guint64) round (1e6 / us));

  if (pace == LS_PACE_STEP)
    return g_strdup (_("a step, then its picture"));
  if (pace == LS_PACE_WATCH)
    return watch_words (self);
  return rate != NULL ? g_strdup_printf (_("%s steps/s"), rate) : g_strdup (_("no rests"));
}
