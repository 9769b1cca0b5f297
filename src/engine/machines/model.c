/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See model.h: the table, and what is the same for all machines.
 */
#include "config.h"
#include "machines/model.h"

#include "core/error.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define LS_MACHINE_ROW(name) &ls_machine_##name,
static const LsMachine *const machines[] = { LS_MACHINES (LS_MACHINE_ROW) };

static const struct {
  const char *name, *title;
} held_by_rows[LS_HELD_BY_N] = {
  [LS_HELD_BY_START] = { "start", N_("starting it takes longest") },
  [LS_HELD_BY_COMPUTE] = { "compute", N_("computing holds it up") },
  [LS_HELD_BY_PADDING] = { "padding", N_("much of it is padding, or units have no work") },
  [LS_HELD_BY_LATENCY] = { "latency", N_("too little is under way to hide a wait") },
  [LS_HELD_BY_CACHE] = { "cache", N_("bytes from caches hold it up") },
  [LS_HELD_BY_MEMORY] = { "memory", N_("bytes from memory hold it up") },
  [LS_HELD_BY_TICKS] = { "ticks", N_("it takes its time steps, however little happens") },
  [LS_HELD_BY_FILL] = { "fill", N_("filling and draining take longest") },
};

const guint ls_machine_batches[LS_MACHINE_N_BATCHES] = { 1, 8, 64, 512, 4096 };

const LsMachine *const *
ls_machines (guint *n)
{
  *n = G_N_ELEMENTS (machines);
  return machines;
}

const LsMachine *
ls_machine_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    if (strcmp (machines[i]->name, name) == 0)
      return machines[i];
  return NULL;
}

gint
ls_machine_find_assumption (const LsMachine *machine, const char *name)
{
  for (guint i = 0; i < machine->n_assumptions; i++)
    if (strcmp (machine->assumptions[i].name, name) == 0)
      return (gint) i;
  return -1;
}

const char *
ls_held_by_title (LsHeldBy held_by)
{
  return held_by_rows[held_by].title;
}

const char *
ls_held_by_name (LsHeldBy held_by)
{
  return held_by_rows[held_by].name;
}

/* ---- what is assumed ---- */

void
ls_machine_assume (const LsMachine *machine, LsAssumed *assumed)
{
  *assumed = (LsAssumed){ 0 };
  for (guint i = 0; i < machine->n_assumptions; i++)
    assumed->value[i] = machine->assumptions[i].value;
}

void
ls_assumed_take (const LsMachine *machine, LsAssumed *assumed, guint which, double value, LsAssumedFrom from)
{
  const LsAssumption *row = &machine->assumptions[which];

  if (!isfinite (value) || value <= 0)
    return;
  if (row->whole)
    value = MAX (1, round (value));
  assumed->value[which] = CLAMP (value, row->min, row->max);
  assumed->from[which] = from;
}

void
ls_assumed_fill (const LsMachine *machine, LsAssumed *assumed, guint which, double value,
                 const LsHardwareFigure *of)
{
  ls_assumed_take (machine, assumed, which, value, LS_ASSUMED_PUBLISHED);
  if (assumed->from[which] == LS_ASSUMED_PUBLISHED)
    assumed->of[which] = of;
}

gboolean
ls_assumed_follows (const LsAssumed *assumed, guint which)
{
  const LsHardwareFigure *of = assumed->of[which];
  const double tens = of != NULL ? log10 (assumed->value[which] / of->figure.value) : 0;

  return !(fabs (tens - round (tens)) < 1e-9);
}

static gboolean
any_from (const LsMachine *machine, const LsAssumed *assumed, LsAssumedFrom from)
{
  for (guint i = 0; i < machine->n_assumptions; i++)
    if (assumed->from[i] == from)
      return TRUE;
  return FALSE;
}

gboolean
ls_machine_fill (const LsMachine *machine, const LsHardware *device, LsAssumed *assumed)
{
  if (machine->fill == NULL || machine->sort != device->sort)
    return FALSE;
  machine->fill (device, assumed);
  return any_from (machine, assumed, LS_ASSUMED_PUBLISHED);
}

gboolean
ls_machine_measured (const LsMachine *machine, const LsDeviceInfo *device, guint turns, LsAssumed *assumed)
{
  if (machine->measured == NULL)
    return FALSE;
  machine->measured (device, turns, assumed);
  return any_from (machine, assumed, LS_ASSUMED_MEASURED);
}

static char *
number_with (double value, const char *format)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, format, value));
}

static char *
number (double value)
{
  return number_with (value, "%.6g");
}

static gboolean
check_one (const LsMachine *machine, const LsAssumption *row, double value, GError **error)
{
  g_autofree char *told = NULL, *min = NULL, *max = NULL;
  const char *space = *row->unit != '\0' ? " " : "";

  if (isfinite (value) && value >= row->min && value <= row->max && (!row->whole || value == round (value)))
    return TRUE;
  told = number_with (value, "%.15g"); /* as it was said: 2.0000001 is no 2 */
  min = number (row->min);
  max = number (row->max);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
               row->whole ? _("%s: “%s” can’t be %s; it is a whole number from %s to %s%s%s.")
                          : _("%s: “%s” can’t be %s; it is a number from %s to %s%s%s."),
               _(machine->title), row->name, told, min, max, space, *row->unit != '\0' ? _(row->unit) : "");
  return FALSE;
}

gboolean
ls_machine_check (const LsMachine *machine, const LsAssumed *assumed, GError **error)
{
  for (guint i = 0; i < machine->n_assumptions; i++)
    if (!check_one (machine, &machine->assumptions[i], assumed->value[i], error))
      return FALSE;
  return TRUE;
}

/* Words for all names, for a message. (transfer full) */
static char *
names (const LsMachine *machine)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < machine->n_assumptions; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", machine->assumptions[i].name);
  return g_string_free (out, FALSE);
}

gboolean
ls_machine_say (const LsMachine *machine, const char *text, LsAssumed *assumed, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *equals = strchr (parts[i], '='), *end;
      double value;
      gint which;

      if (*g_strstrip (parts[i]) == '\0' && parts[1] == NULL)
        break;
      equals = strchr (parts[i], '=');
      if (equals != NULL)
        *equals = '\0';
      which = ls_machine_find_assumption (machine, g_strstrip (parts[i]));
      if (which < 0)
        {
          g_autofree char *known = names (machine);
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("%s has no assumption “%s”; it has %s."),
                       _(machine->title), parts[i], known);
          return FALSE;
        }
      value = equals != NULL ? g_ascii_strtod (g_strstrip (equals + 1), &end) : 0;
      if (equals == NULL || *g_strstrip (equals + 1) == '\0' || *end != '\0')
        {
          g_autofree char *example = number (machine->assumptions[which].value);
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("%s: “%s” needs a number, as in “%s=%s”."),
                       _(machine->title), parts[i], parts[i], example);
          return FALSE;
        }
      if (!check_one (machine, &machine->assumptions[which], value, error))
        return FALSE;
      assumed->value[which] = value;
      assumed->from[which] = LS_ASSUMED_OWN;
    }
  return TRUE;
}

/* ---- a run ---- */

LsMachineRun *
ls_machine_run (const LsMachine *machine, const LsPlan *plan, const LsAssumed *assumed)
{
  LsMachineRun *run = g_new0 (LsMachineRun, 1);

  run->machine = machine;
  run->ops = g_array_new (FALSE, FALSE, sizeof (LsMachineOp));
  run->samples = plan->batch;
  run->energy = run->weights = run->chip = (double) NAN;
  machine->run (plan, assumed->value, run);
  if (run->interval <= 0)
    run->interval = run->seconds;
  return run;
}

gboolean
ls_machine_run_pads (const LsMachineRun *run)
{
  for (guint i = 0; i < run->ops->len; i++)
    if (!isnan (g_array_index (run->ops, LsMachineOp, i).useful))
      return TRUE;
  return FALSE;
}

LsPlan *
ls_machine_plan_batch (const LsPlan *plan, guint batch)
{
  g_autoptr (LsPlan) plain = ls_plan_new (plan->model, plan->in_shape, plan->n_classes, batch,
                                          plan->optimizer, NULL);

  return plain != NULL ? ls_plan_with_precision (plain, plan->precision) : NULL;
}

LsMachineRun *
ls_machine_run_batch (const LsMachine *machine, const LsPlan *plan, guint batch, const LsAssumed *assumed)
{
  g_autoptr (LsPlan) other = ls_machine_plan_batch (plan, batch);

  return other != NULL ? ls_machine_run (machine, other, assumed) : NULL;
}

double
ls_machine_run_used (const LsMachineRun *run)
{
  double used = (double) NAN, seconds = 0;

  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      if (!isnan (op->used))
        used = (isnan (used) ? 0 : used) + op->used * op->seconds;
      seconds += op->seconds;
    }
  return seconds > 0 ? used / seconds : (double) NAN;
}

void
ls_machine_run_free (LsMachineRun *run)
{
  g_array_unref (run->ops);
  g_free (run);
}

static double
seconds_with (const LsMachine *machine, const LsPlan *plan, const LsAssumed *assumed, guint which,
              double value)
{
  const LsAssumption *row = &machine->assumptions[which];
  LsAssumed other = *assumed;
  g_autoptr (LsMachineRun) run = NULL;

  value = CLAMP (value, row->min, row->max);
  other.value[which] = row->whole ? MAX (round (value), row->min) : value;
  run = ls_machine_run (machine, plan, &other);
  return run->seconds;
}

gint
ls_machine_moves_most (const LsMachine *machine, const LsPlan *plan, const LsAssumed *assumed,
                       double *seconds)
{
  g_autoptr (LsMachineRun) run = ls_machine_run (machine, plan, assumed);
  gint most = -1;

  *seconds = 0;
  for (guint i = 0; i < machine->n_assumptions; i++)
    {
      const double half = seconds_with (machine, plan, assumed, i, assumed->value[i] / 2),
                   twice = seconds_with (machine, plan, assumed, i, assumed->value[i] * 2),
                   moved = MAX (fabs (half - run->seconds), fabs (twice - run->seconds));
      if (moved > *seconds)
        {
          *seconds = moved;
          most = (gint) i;
        }
    }
  return most;
}
