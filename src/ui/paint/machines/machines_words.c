/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a model says below its bar: its error to the lane that it is a model of first, then what can't be
 * compared, and what holds it up.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/number.h"

#define DISTURBED .3 /* middle half over the median: a lane that others hold up is no measure of a model */

char *
ls_machines_time (double seconds)
{
  return ls_number_time (seconds * 1e9);
}

char *
ls_machines_error (double error)
{
  const double by = round (error * 100);
  g_autofree char *number = ls_number_fixed (fabs (by), 0);

  return fabs (by) < .5 ? g_strdup ("±0 %") : g_strdup_printf ("%s%s %%", by < 0 ? "−" : "+", number);
}

LsHeldBy
ls_machines_held_by (const LsMachineRun *run)
{
  double seconds[LS_HELD_BY_N] = { 0 };
  guint most = 0;

  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      seconds[op->held_by] += op->seconds;
    }
  for (guint i = 1; i < LS_HELD_BY_N; i++)
    if (seconds[i] > seconds[most])
      most = i;
  return (LsHeldBy) most;
}

/* How it stands to what was measured; NULL: there is nothing that it could be held against. (transfer full)
 */
static char *
checked (const LsMachines *p, const LsMachinesRow *row)
{
  g_autofree char *error = NULL;

  if (isnan (row->error))
    return NULL;
  error = ls_machines_error (row->error);
  const LsFigure *rate = &p->layout->data->sides[row->side].rate;
  if (rate->n > 1 && rate->q3 - rate->q1 > DISTURBED * rate->value)
    {
      g_autofree char *spread = ls_number_spread (rate->value, rate->q1, rate->q3);
      return g_strdup_printf (_("%s to the measured lane’s median, which other work disturbs: %s"), error,
                              spread);
    }
  return g_strdup_printf (_("checks the model: %s to the measured lane’s median"), error);
}

/* What was counted of spikes with as many time steps as are assumed; NULL: nothing, or something else is
 * assumed of them. */
static const LsConvertedPoint *
spikes_of (const LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsConvertedPoint *point = ls_machines_point_of (p, i);
  const gint steps = ls_machine_find_assumption (row->machine, "steps"),
             active = ls_machine_find_assumption (row->machine, "active");

  return point != NULL && point->spikes.n > 0 && steps >= 0 && active >= 0
             && row->assumed.from[active] == LS_ASSUMED_MEASURED
             && fabs (row->assumed.value[steps] - point->at) < .5
           ? point
           : NULL;
}

/* J of a sample; of the events that were counted, where they were. */
static double
energy_of (const LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsConvertedPoint *point = spikes_of (p, i);
  const gint event = ls_machine_find_assumption (row->machine, "event");

  return point != NULL && event >= 0 ? point->events.value * row->assumed.value[event] * 1e-12
                                     : row->run->energy;
}

/* What its time is of, where it isn't a step of the batch. (transfer full) */
static char *
what (const LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsMachineRun *run = row->run;
  g_autofree char *time = ls_machines_time (run->seconds), *every = ls_machines_time (run->interval);

  if (run->samples == 1 && p->plan->batch > 1)
    {
      const double joules = energy_of (p, i);
      const LsConvertedPoint *point = spikes_of (p, i);
      g_autofree char *energy = isnan (joules) ? NULL : ls_number_text (joules * 1e6, 3),
                      *spikes = point != NULL ? ls_number_count ((guint64) point->spikes.value) : NULL;
      /* its bar says how long, where it leaves the axis */
      const gboolean beyond = run->seconds > p->end * 1.0001;

      if (energy == NULL)
        return g_strdup_printf (_("cannot train; one sample in %s"), time);
      if (spikes == NULL)
        return beyond ? g_strdup_printf (_("cannot train; %s µJ a sample"), energy)
                      : g_strdup_printf (_("cannot train; one sample in %s, with %s µJ"), time, energy);
      return beyond ? g_strdup_printf (_("cannot train; %s spikes and %s µJ a sample"), spikes, energy)
                    : g_strdup_printf (_("cannot train; one sample in %s, with %s spikes and %s µJ"), time,
                                       spikes, energy);
    }
  if (row->machine->forward)
    return g_strdup (_("cannot train: forward only"));
  if (run->interval < run->seconds)
    return g_strdup_printf (_("steps overlap: first result after %s, then one every %s"), time, every);
  return NULL;
}

char **
ls_machines_sentences (const LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  GPtrArray *out = g_ptr_array_new ();

  if (row->run == NULL)
    g_ptr_array_add (out, g_strdup (_("can’t do such a step")));
  else
    {
      g_autofree char *first = checked (p, row), *own = what (p, i);
      g_autofree char *right = ls_machines_right (p, i);
      const char *held = _(ls_held_by_title (ls_machines_held_by (row->run))),
                 *lead = first != NULL ? first
                         : own != NULL ? own
                                       : NULL,
                 *limit = own == NULL ? _(row->machine->limit) : NULL;

      if (lead != NULL && right != NULL)
        g_ptr_array_add (out, g_strdup_printf ("%s; %s", lead, right));
      if (right != NULL && limit != NULL)
        g_ptr_array_add (out, g_strdup_printf ("%s; %s", right, limit));
      else if (right != NULL && own == NULL) /* a time that isn't the batch's says so in any case */
        g_ptr_array_add (out, g_strdup (right));
      if (lead != NULL && limit != NULL)
        g_ptr_array_add (out, g_strdup_printf ("%s; %s; %s", lead, held, limit));
      if (lead != NULL)
        g_ptr_array_add (out, g_strdup_printf ("%s; %s", lead, held));
      if (limit != NULL && lead == NULL)
        g_ptr_array_add (out, g_strdup_printf ("%s; %s", held, limit));
      if (lead != NULL)
        g_ptr_array_add (out, g_strdup (lead));
      else
        g_ptr_array_add (out, g_strdup (held));
      if (first != NULL)
        {
          g_autofree char *error = ls_machines_error (row->error);
          g_ptr_array_add (out, g_strdup_printf (_("%s to the lane’s median"), error));
        }
    }
  g_ptr_array_add (out, NULL);
  return (char **) g_ptr_array_free (out, FALSE);
}

char *
ls_machines_beyond (const LsMachines *p, guint i)
{
  const LsMachineRun *run = p->rows[i].run;
  g_autofree char *time = ls_machines_time (run->seconds), *times = ls_number_text (run->seconds / p->end, 2);

  return run->samples == 1 && p->plan->batch > 1
           ? g_strdup_printf (_("%s for one sample, %s times this axis"), time, times)
           : g_strdup_printf (_("%s, %s times this axis"), time, times);
}

char **
ls_machines_weights (const LsMachinesRow *row)
{
  GPtrArray *out = g_ptr_array_new ();

  if (row->run != NULL && !isnan (row->run->weights))
    {
      const gboolean fits = row->run->weights <= row->run->chip;
      g_autofree char *weights = ls_number_text (row->run->weights / 1048576, 3),
                      *chip = ls_number_text (row->run->chip / 1048576, 3);

      g_ptr_array_add (
        out, g_strdup_printf (
               fits ? _("all weights, %s MiB, have room on the chip: %s MiB")
                    : _("weights, %s MiB, have no room on the chip, %s MiB: they come from memory"),
               weights, chip));
      g_ptr_array_add (out, g_strdup_printf (fits ? _("weights on the chip: %s of %s MiB")
                                                  : _("weights in memory: %s MiB, chip %s MiB"),
                                             weights, chip));
    }
  g_ptr_array_add (out, NULL);
  return (char **) g_ptr_array_free (out, FALSE);
}

char *
ls_machines_proof (const LsMachines *p, guint i)
{
  const LsMachinesRow *row = &p->rows[i];
  const LsViewData *data = p->layout->data;
  LsMachineProof proof;

  if (data->recording == NULL
      || !ls_machine_memo_prove (data->modelled, row->machine, &row->assumed, data->recording, p->plan,
                                 LS_PROOF_SAMPLE, &proof))
    return NULL;
  g_autofree char *sums = ls_number_count ((guint64) (proof.m * proof.n)),
                  *wrong = ls_number_count (proof.different), *far = ls_number_text (proof.far, 2),
                  *turns = ls_number_count ((guint64) proof.turns), *what = NULL;

  what = g_strdup_printf (ls_machine_proof_is_part (&proof) ? _("%lld×%lld by %lld×%lld, a part of %s")
                                                            : _("%lld×%lld by %lld×%lld, all of %s"),
                          (long long) proof.m, (long long) proof.k, (long long) proof.k, (long long) proof.n,
                          p->plan->ops[proof.op].symbol);
  if (proof.different > 0)
    return g_strdup_printf (
      _("Done here with the recorded numbers, %s: %s of %s sums differ from plain loops."), what, wrong,
      sums);
  if (ls_machines_narrow (p))
    return g_strdup_printf (
      _("Done here with recorded numbers: %s sums, bit for bit those of plain loops in %s."), sums,
      row->machine == &ls_machine_systolic ? "bfloat16" : "fp16");
  return g_strdup_printf (
    row->machine == &ls_machine_systolic
      ? _("Done here beat by beat on one array with the recorded numbers, %s, in %s beats: all %s sums are "
           "those of plain loops in bfloat16, bit for bit; at most %s from those in 32 bits.")
      : _(
        "Done here tile by tile with the recorded numbers, %s, in %s instructions: all %s sums are those of "
        "plain loops in fp16, bit for bit; at most %s from those in 32 bits."),
    what, turns, sums, far);
}
