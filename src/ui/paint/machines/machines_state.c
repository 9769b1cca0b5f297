/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Machines is asked, and what follows: the step as a plan, what each model assumes of its machine, and
 * what it makes of the step.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <math.h>

#include "ui/paint/data/typical.h"

#define FAR 2. /* models that take so many times as long as the lanes leave the axis */

/* ---- devices ---- */

static gboolean
has_model (const LsHardware *device)
{
  guint n;
  const LsMachine *const *machines = ls_machines (&n);
  LsAssumed assumed;

  for (guint i = 0; i < n; i++)
    {
      ls_machine_assume (machines[i], &assumed);
      if (ls_machine_fill (machines[i], device, &assumed))
        return TRUE;
    }
  return FALSE;
}

const LsHardware *
ls_machines_device (const LsCatalogue *catalogue, guint number)
{
  for (guint i = 0, n = 0; catalogue != NULL && number > 0 && i < catalogue->devices->len; i++)
    if (has_model (catalogue->devices->pdata[i]) && ++n == number)
      return catalogue->devices->pdata[i];
  return NULL;
}

/* ---- values ---- */

double
ls_machines_next (const LsAssumption *row, double value, gboolean up)
{
  const double power = value > 0    ? exp2 (floor (log2 (value) + 1e-9))
                       : row->whole ? 1
                                    : row->max / 1024,
               steps[] = { .5, .75, 1, 1.5, 2 };
  double next = value;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const double at = row->whole ? round (power * steps[up ? i : G_N_ELEMENTS (steps) - 1 - i])
                                   : power * steps[up ? i : G_N_ELEMENTS (steps) - 1 - i];
      if (up ? at > value * (1 + 1e-9) : at < value * (1 - 1e-9))
        {
          next = at;
          break;
        }
    }
  return CLAMP (next, row->min, row->max);
}

gboolean
ls_machines_say (LsMachinesState *state, guint row, guint which, double value)
{
  guint n;
  const LsMachine *machine = ls_machines (&n)[row];
  const LsAssumption *assumption = &machine->assumptions[which];

  if (isnan (value))
    return FALSE;
  if (assumption->whole)
    value = round (value);
  value = CLAMP (value, assumption->min, assumption->max);
  if (state->said[row][which] && !(state->value[row][which] < value) && !(state->value[row][which] > value))
    return FALSE;
  state->said[row][which] = TRUE;
  state->value[row][which] = value;
  return TRUE;
}

/* ---- the step ---- */

static LsPlan *
plan_of (const LsViewData *data)
{
  if (data->recording != NULL)
    return ls_machine_memo_plan (data->modelled, data->recording); /* NULL: words that this program lacks */
  return data->plan != NULL ? ls_plan_with_precision (data->plan, LS_PRECISION_FP32) : NULL;
}

/* How many time steps it takes to be as good as floats, and how often its neurons spike, where that was
 * measured. */
static void
take_measured (LsMachines *p, guint i)
{
  LsMachinesRow *row = &p->rows[i];
  const LsConverted *result = ls_machines_result (p, i);
  const LsConvertedPoint *within = result != NULL ? ls_converted_within (result, 1) : NULL;
  const gint steps = ls_machine_find_assumption (row->machine, "steps"),
             active = ls_machine_find_assumption (row->machine, "active");

  if (within == NULL || steps < 0 || active < 0)
    return;
  ls_assumed_take (row->machine, &row->assumed, (guint) steps, within->at, LS_ASSUMED_MEASURED);
  ls_assumed_take (row->machine, &row->assumed, (guint) active, within->rate.value, LS_ASSUMED_MEASURED);
}

static void
open_row (LsMachines *p, guint i, const LsMachine *machine, const LsHardware *device)
{
  const LsViewData *data = p->layout->data;
  LsMachinesRow *row = &p->rows[i];
  const LsDeviceInfo *here = NULL;
  gboolean known;

  *row = (LsMachinesRow){ .machine = machine, .side = -1, .error = (double) NAN, .moves = -1 };
  row->device = device != NULL && device->sort == machine->sort ? device : NULL;
  for (guint side = 0; side < LS_SIDES && row->device == NULL && row->side < 0; side++)
    if (data->sides[side].recorded != NULL && ls_held_like (machine, data->sides[side].recorded->device))
      {
        row->side = (gint) side;
        here = data->sides[side].recorded->device;
      }
  known = ls_held_assume (machine, row->device, here, ls_held_turns (data->recording), &row->assumed);
  if (!known)
    row->device = NULL;
  take_measured (p, i);
  for (guint k = 0; k < machine->n_assumptions; k++)
    if (p->asked->said[i][k])
      {
        row->assumed.value[k] = p->asked->value[i][k];
        row->assumed.from[k] = LS_ASSUMED_OWN;
      }
  if (p->plan == NULL || !ls_machine_check (machine, &row->assumed, NULL))
    return;
  row->modelled = ls_machine_memo_get (data->modelled, machine, p->plan, 0, &row->assumed);
  if (row->modelled == NULL)
    return;
  row->run = row->modelled->run;
  row->moves = row->modelled->moves;
  row->moves_s = row->modelled->moves_s;
  if (row->side >= 0 && known && p->median[row->side] > 0)
    row->error = ls_held_error (row->run->seconds, (double) p->median[row->side] * 1e-9);
}

/* As far as the lanes, and those models that aren't far from them. */
static double
end_of (const LsMachines *p)
{
  double longest = p->seconds, far = 0;

  for (guint i = 0; p->seconds <= 0 && i < LS_MACHINES_N; i++) /* as the slowest of those that train */
    if (p->rows[i].run != NULL && !p->rows[i].machine->forward)
      longest = MAX (longest, p->rows[i].run->seconds);
  for (guint i = 0; i < LS_MACHINES_N; i++)
    if (p->rows[i].run != NULL && p->rows[i].run->seconds <= FAR * longest)
      far = MAX (far, p->rows[i].run->seconds);
  return MAX (far, longest);
}

void
ls_machines_open (LsMachines *p, LsLayout *layout)
{
  const LsMachinesState *asked = layout->query.state;
  const LsHardware *device = ls_machines_device (layout->data->catalogue, asked->device);
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  *p = (LsMachines){ .layout = layout, .asked = asked };
  p->places = g_array_new (FALSE, FALSE, sizeof (LsMachinesField));
  p->plan = plan_of (layout->data);
  p->works = p->plan != NULL ? ls_machine_work (p->plan, FALSE) : NULL;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &layout->data->sides[side];
      p->median[side] = ls_ns_of (ls_typical_median_ns (layout->data, side));
      if (lane->index != NULL)
        p->seconds = MAX (p->seconds, (double) lane->index->length_ns * 1e-9);
    }
  for (guint i = 0; i < n; i++)
    open_row (p, i, machines[i], device);
  p->end = end_of (p);
}

void
ls_machines_close (LsMachines *p)
{
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      g_clear_pointer (&p->rows[i].modelled, ls_modelled_unref);
      g_clear_pointer (&p->rows[i].pieces, g_array_unref);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    g_clear_pointer (&p->pieces[side], g_array_unref);
  g_clear_pointer (&p->places, g_array_unref);
  g_clear_pointer (&p->works, g_array_unref);
  g_clear_pointer (&p->plan, ls_plan_unref);
}
