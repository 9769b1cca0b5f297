/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See machines_asked.h: tables for the terminal.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "machines/proof.h"
#include "machines/systolic.h"
#include "machines/work.h"
#include "ui/cli/machines_asked.h"
#include "ui/report/terminal.h"

/* ---- words ---- */

static char *
time_text (double seconds)
{
  static const struct {
    double unit;
    const char *name;
  } units[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" }, { 1e-9, "ns" } };
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (units) && seconds < units[i].unit * .9995)
    i++;
  g_autofree char *digits = ls_terminal_digits (seconds / units[i].unit, 3);
  return g_strdup_printf ("%s %s", digits, units[i].name);
}

/* "+6 %": a model's error, or "" where there is nothing to hold it against. */
static char *
error_text (double error)
{
  return isnan (error) ? g_strdup ("") : ls_off_text (error, 0);
}

/* What holds up most of the time, and how much of it. */
static char *
held_text (const LsMachineRun *run)
{
  double seconds[LS_HELD_BY_N] = { 0 }, all = 0;
  guint most = 0;

  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      seconds[op->held_by] += op->seconds;
      all += op->seconds;
    }
  for (guint i = 1; i < LS_HELD_BY_N; i++)
    if (seconds[i] > seconds[most])
      most = i;
  return g_strdup_printf ("%s (%.0f %%)", ls_held_by_name ((LsHeldBy) most),
                          all > 0 ? seconds[most] / all * 100 : 0);
}

static char *
moves_text (const LsMachinesAsked *asked, const LsMachine *machine, const LsAssumed *assumed)
{
  double seconds;
  const gint which = ls_machine_moves_most (machine, asked->plan, assumed, &seconds);
  g_autofree char *by = time_text (seconds);

  return which < 0 ? g_strdup ("–") : g_strdup_printf ("%s ±%s", _(machine->assumptions[which].title), by);
}

/* ---- a line for each ---- */

static void
add_measured (LsTable *table, const LsMachinesAsked *asked)
{
  for (guint i = 0; asked->recording != NULL && i < asked->recording->n_lanes; i++)
    {
      const LsRecordedLane *lane = &asked->recording->lanes[i];
      const LsFigure step = ls_held_median (asked->recording, i);
      g_autofree char *time = step.n > 0 ? time_text (step.value) : g_strdup (_("no median yet"));

      ls_table_add (table,
                    lane->device->who == LS_BACKEND_OPENCL && lane->device->kind == LS_DEVICE_OPENCL_CPU
                      ? _("%s, measured: OpenCL on the CPU")
                      : _("%s, measured: %s"),
                    lane->id, lane->device->name != NULL ? lane->device->name : _("unknown device"));
      ls_table_add (table, "%s", time);
      ls_table_add (table, "%s", "");
      if (step.n > 0)
        ls_table_add (table, "%.0f", asked->plan->batch / step.value);
      else
        ls_table_add (table, "–");
      ls_table_add (table, "%s", "");
      ls_table_add (table, "%s", "");
    }
}

static gboolean
add_machine (LsTable *table, const LsMachinesAsked *asked, const LsMachine *machine, GError **error)
{
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL;
  g_autofree char *time = NULL, *off = NULL, *held = NULL, *moves = NULL;

  if (!ls_asked_assume (asked, machine, &assumed, error))
    return FALSE;
  run = ls_machine_run (machine, asked->plan, &assumed);
  time = time_text (run->seconds);
  off = error_text (ls_asked_error (asked, run));
  held = held_text (run);
  moves = moves_text (asked, machine, &assumed);
  ls_table_add (table, "%s%s", _(machine->title), machine->forward ? _(", answers only") : "");
  ls_table_add (table, "%s", time);
  ls_table_add (table, "%s", off);
  ls_table_add (table, "%.0f", run->samples / run->interval);
  ls_table_add (table, "%s", held);
  ls_table_add (table, "%s", moves);
  return TRUE;
}

gboolean
ls_machines_print_list (const LsMachinesAsked *asked, GError **error)
{
  g_autoptr (LsTable) table = ls_table_new ("lrrrll");
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  ls_table_add (table, "%s", _("Machine"));
  ls_table_add (table, "%s", _("a step"));
  ls_table_add (table, "%s", _("error"));
  ls_table_add (table, "%s", _("samples/s"));
  ls_table_add (table, "%s", _("held up by"));
  ls_table_add (table, "%s", _("half or twice of"));
  add_measured (table, asked);
  for (guint i = 0; i < n; i++)
    if (ls_asked_has (asked, machines[i]) && !add_machine (table, asked, machines[i], error))
      return FALSE;
  ls_table_print (table);
  ls_terminal_print (_(
    "\nModelled, but for the lanes. Error: the model’s step beside the median one of the lane that it is a "
    "model of. The last column is\nthe assumption that moves the end most if it is halved or doubled, and by "
    "how much at "
    "most.\n“lockstep machines NAME” shows its ops and all it assumes.\n"));
  return TRUE;
}

/* ---- all of one ---- */

/* Whose word the value is; of what was published the page that says so. (transfer full) */
static char *
from_text (const LsAssumed *assumed, guint which, const LsAssumption *row)
{
  const LsHardwareFigure *figure = assumed->of[which];

  switch (assumed->from[which])
    {
    case LS_ASSUMED_PUBLISHED:
      return g_strdup_printf (ls_assumed_follows (assumed, which) ? _("follows from %s, %s") : "%s, %s",
                              figure->source->title, figure->source->address);
    case LS_ASSUMED_MEASURED:
      return g_strdup (_("measured here"));
    case LS_ASSUMED_OWN:
      return g_strdup (_("as you say"));
    case LS_ASSUMED_DEFAULT:
    default:
      return g_strdup (_(row->source));
    }
}

static void
print_assumptions (const LsMachine *machine, const LsAssumed *assumed)
{
  g_autoptr (LsTable) table = ls_table_new ("lrlll");

  ls_table_add (table, "%s", _("Assumption"));
  ls_table_add (table, "%s", "");
  ls_table_add (table, "%s", "");
  ls_table_add (table, "%s", _("from … to"));
  ls_table_add (table, "%s", _("source"));
  for (guint i = 0; i < machine->n_assumptions; i++)
    {
      const LsAssumption *row = &machine->assumptions[i];
      g_autofree char *from = from_text (assumed, i, row), *value = ls_terminal_digits (assumed->value[i], 6);

      ls_table_add (table, "%s, %s", row->name, _(row->title));
      ls_table_add (table, "%s", value);
      ls_table_add (table, "%s", *row->unit != '\0' ? _(row->unit) : "");
      ls_table_add (table, "%.8g … %.8g", row->min, row->max);
      ls_table_add (table, "%s", from);
    }
  ls_table_print (table);
}

static void
print_ops (const LsMachinesAsked *asked, const LsMachineRun *run)
{
  g_autoptr (LsTable) table = ls_table_new ("lrrrrrl");
  const gint lane = asked->device == NULL ? ls_asked_lane (asked, run->machine) : -1;
  g_autofree double *here = lane >= 0 ? ls_held_ops (asked->recording, (guint) lane, asked->plan) : NULL;

  ls_table_add (table, "%s", run->machine->pipeline ? _("Stage") : _("Op"));
  ls_table_add (table, "%s", _("modelled"));
  ls_table_add (table, "%s",
                run->machine->pipeline ? _("a sample every")
                : here != NULL         ? _("recorded")
                                       : "");
  ls_table_add (table, "%s", here != NULL ? _("error") : "");
  ls_table_add (table, "%s", _("of its peak"));
  ls_table_add (table, "%s", ls_machine_run_pads (run) ? _("padding") : "");
  ls_table_add (table, "%s", _("held up by"));
  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      const double recorded = here != NULL && op->op < asked->plan->n_ops ? here[op->op] : (double) NAN;
      g_autofree char *time = time_text (op->seconds),
                      *there = isnan (recorded) ? g_strdup ("") : time_text (recorded),
                      *off = error_text (ls_held_error (op->seconds, recorded));

      ls_table_add (table, "%s", ls_machine_op_symbol (asked->plan, op->op));
      ls_table_add (table, "%s", time);
      if (isnan (op->interval))
        ls_table_add (table, "%s", there);
      else
        ls_table_add (table, ngettext ("%.0f clock", "%.0f clocks", (gulong) op->interval), op->interval);
      ls_table_add (table, "%s", off);
      if (isnan (op->used))
        ls_table_add (table, "–");
      else
        ls_table_add (table, "%.0f %%", op->used * 100);
      if (isnan (op->useful))
        ls_table_add (table, "%s", "");
      else
        ls_table_add (table, "%.0f %%", (1 - op->useful) * 100);
      ls_table_add (table, "%s", _(ls_held_by_title (op->held_by)));
    }
  ls_table_print (table);
}

static void
print_batches (const LsMachinesAsked *asked, const LsAssumed *assumed)
{
  g_autoptr (LsTable) table = ls_table_new ("rrrr");

  ls_table_add (table, "%s", _("Batch"));
  ls_table_add (table, "%s", _("a step"));
  ls_table_add (table, "%s", _("samples/s"));
  ls_table_add (table, "%s", _("of its peak"));
  for (guint i = 0; i < LS_MACHINE_N_BATCHES; i++)
    {
      g_autoptr (LsMachineRun) run = ls_machine_run_batch (asked->only, asked->plan, ls_machine_batches[i],
                                                           assumed);
      g_autofree char *time = NULL;

      if (run == NULL)
        continue;
      time = time_text (run->seconds);
      ls_table_add (table, "%u", ls_machine_batches[i]);
      ls_table_add (table, "%s", time);
      ls_table_add (table, "%.0f", run->samples / run->interval);
      ls_table_add (table, "%.1f %%", ls_machine_run_used (run) * 100);
    }
  ls_table_print (table);
}

/* What a systolic array does beat by beat in each product: the parts that ls_systolic_beats() adds up. */
static void
print_beats (const LsMachinesAsked *asked, const LsAssumed *assumed)
{
  g_autoptr (LsTable) table = ls_table_new ("lrrrrr");
  g_autoptr (GArray) works = ls_machine_work (asked->plan, FALSE);

  ls_terminal_print (
    _("\nThe arrays share the tiles out; beats of the one with most: its first tile’s weights "
       "are loaded, rows of numbers run through tile after tile, the last sums drain\n"));
  ls_table_add (table, "%s", _("Op"));
  ls_table_add (table, "%s", _("tiles"));
  ls_table_add (table, "%s", _("loading"));
  ls_table_add (table, "%s", _("running"));
  ls_table_add (table, "%s", _("draining"));
  ls_table_add (table, "%s", _("beats"));
  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      LsSystolic array;
      LsSystolicCut cut;
      double drains;

      if (work->k == 0)
        continue;
      ls_systolic_machine (assumed->value, work, &array, &cut);
      drains = (double) array.rows + array.cols - 2;
      ls_table_add (table, "%s", ls_machine_op_symbol (asked->plan, work->op));
      ls_table_add (table, "%.0f", cut.tiles);
      ls_table_add (table, "%u", array.rows);
      ls_table_add (table, "%.0f", cut.beats - array.rows - drains);
      ls_table_add (table, "%.0f", drains);
      ls_table_add (table, "%.0f", cut.beats);
    }
  ls_table_print (table);
}

/* The array at work, with the step's own numbers. */
static void
print_proof (const LsMachinesAsked *asked, const LsAssumed *assumed)
{
  LsMachineProof proof;
  const char *symbol;

  if (!ls_machine_prove (asked->only, assumed, asked->recording, asked->plan, LS_PROOF_MOST, &proof))
    return;
  symbol = asked->plan->ops[proof.op].symbol;
  if (ls_machine_proof_is_part (&proof))
    ls_terminal_print (_("\nOf %s, which is %lld×%lld by %lld×%lld, %lld×%lld by %lld×%lld are tried."),
                       symbol, (long long) proof.whole_m, (long long) proof.whole_k,
                       (long long) proof.whole_k, (long long) proof.whole_n, (long long) proof.m,
                       (long long) proof.k, (long long) proof.k, (long long) proof.n);
  ls_terminal_print (asked->only == &ls_machine_systolic
                       ? _("\n%s beat by beat on one array, with the recorded numbers: %.0f beats; ")
                       : _("\n%s tile by tile, with the recorded numbers: %.0f instructions; "),
                     symbol, proof.turns);
  if (proof.different > 0)
    ls_terminal_print (ngettext ("%llu of its sums differs from plain loops",
                                 "%llu of its sums differ from plain loops", (gulong) proof.different),
                       (unsigned long long) proof.different);
  else
    ls_terminal_print (_("all %lld sums are those of plain loops in the same precision, bit for bit"),
                       (long long) (proof.m * proof.n));
  ls_terminal_print (_(", and at most %.2g from those in 32 bits (measured).\n"), proof.far);
}

/* Whether the weights find room on the chip. */
static void
print_weights (const LsMachineRun *run)
{
  g_autofree char *weights = ls_terminal_digits (run->weights / 1048576, 3),
                  *chip = ls_terminal_digits (run->chip / 1048576, 4);

  if (isnan (run->weights))
    return;
  ls_terminal_print (run->weights <= run->chip
                       ? _("All weights, %s MiB, have room on the chip: %s MiB\n")
                       : _("The weights, %s MiB, have no room on the chip, %s MiB, and come from memory\n"),
                     weights, chip);
}

gboolean
ls_machines_print_one (const LsMachinesAsked *asked, GError **error)
{
  const LsMachine *machine = asked->only;
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL;
  g_autofree char *time = NULL, *every = NULL, *off = NULL, *recorded = NULL;

  if (!ls_asked_assume (asked, machine, &assumed, error))
    return FALSE;
  run = ls_machine_run (machine, asked->plan, &assumed);
  time = time_text (run->seconds);
  every = time_text (run->interval);
  off = error_text (ls_asked_error (asked, run));
  recorded = error_text (ls_asked_error_recorded (asked, run));
  ls_terminal_print ("%s%s%s\n%s\n", _(machine->title), asked->device != NULL ? ", " : "",
                     asked->device != NULL ? asked->device->name : "", _(machine->about));
  ls_terminal_print (_("The model: %s.\n\n"), _(machine->limit));
  print_ops (asked, run);
  if (run->interval < run->seconds)
    ls_terminal_print (_("\nIn all %s until a result is there, then one every %s"), time, every);
  else
    ls_terminal_print (_("\nIn all %s"), time);
  if (*off != '\0')
    ls_terminal_print (_(", %s to the lane’s median step"), off);
  if (*recorded != '\0')
    ls_terminal_print (_(", %s to the recorded one, which the ops’ errors are to"), recorded);
  if (!isnan (run->energy))
    {
      g_autofree char *energy = ls_terminal_digits (run->energy / run->samples * 1e6, 3);
      ls_terminal_print (_(", %s µJ a sample"), energy);
    }
  ls_terminal_print (" (%s)\n", _("modelled"));
  print_weights (run);
  ls_terminal_print ("\n");
  print_assumptions (machine, &assumed);
  if (ls_asked_has_batches (machine))
    {
      ls_terminal_print ("\n");
      print_batches (asked, &assumed);
    }
  if (machine == &ls_machine_systolic)
    print_beats (asked, &assumed);
  print_proof (asked, &assumed);
  return TRUE;
}
