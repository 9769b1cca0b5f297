/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See machines_asked.h: machines, assumptions and ops as JSON, and ops as CSV.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "files/output.h"
#include "machines/proof.h"
#include "ui/cli/machines_asked.h"
#include "ui/report/json_out.h"

static void
put_batches (json_t *json, const LsMachinesAsked *asked, const LsMachine *machine, const LsAssumed *assumed)
{
  json_t *list = ls_json_array (json, "batches");

  for (guint i = 0; i < LS_MACHINE_N_BATCHES; i++)
    {
      g_autoptr (LsMachineRun) run = ls_machine_run_batch (machine, asked->plan, ls_machine_batches[i],
                                                           assumed);
      json_t *one;

      if (run == NULL)
        continue;
      one = json_object ();
      json_array_append_new (list, one);
      json_object_set_new (one, "batch", json_integer (ls_machine_batches[i]));
      json_object_set_new (one, "seconds", json_real (run->seconds));
      json_object_set_new (one, "interval", json_real (run->interval));
      json_object_set_new (one, "used", json_real (ls_machine_run_used (run)));
    }
}

/* A recorded product done once more as an array does it. */
static void
put_proof (json_t *json, const LsMachinesAsked *asked, const LsMachine *machine, const LsAssumed *assumed)
{
  LsMachineProof proof;
  json_t *one;

  if (!ls_machine_prove (machine, assumed, asked->recording, asked->plan, LS_PROOF_MOST, &proof))
    return;
  one = ls_json_object (json, "proof");
  json_object_set_new (one, "op", json_string (asked->plan->ops[proof.op].symbol));
  json_object_set_new (one, "evidence", json_string (ls_evidence_name (LS_EVIDENCE_MEASURED)));
  json_object_set_new (one, "whole", json_boolean (!ls_machine_proof_is_part (&proof)));
  json_object_set_new (one, "m", json_integer (proof.m));
  json_object_set_new (one, "n", json_integer (proof.n));
  json_object_set_new (one, "k", json_integer (proof.k));
  json_object_set_new (one, "turns", json_real (proof.turns));
  json_object_set_new (one, "different", json_integer ((json_int_t) proof.different));
  json_object_set_new (one, "far", json_real (proof.far));
}

static gboolean
put_machine (json_t *list, const LsMachinesAsked *asked, const LsMachine *machine, GError **error)
{
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL;
  json_t *json, *ops, *assumptions;
  double moved, off;
  gint most;
  static const char *const from_names[] = { "default", "published", "measured", "own" };
  const gint lane = asked->device == NULL ? ls_asked_lane (asked, machine) : -1;
  g_autofree double *here = lane >= 0 ? ls_held_ops (asked->recording, (guint) lane, asked->plan) : NULL;

  if (!ls_asked_assume (asked, machine, &assumed, error))
    return FALSE;
  run = ls_machine_run (machine, asked->plan, &assumed);
  json = json_object ();
  json_array_append_new (list, json);
  json_object_set_new (json, "name", json_string (machine->name));
  json_object_set_new (json, "evidence", json_string (ls_evidence_name (LS_EVIDENCE_MODELLED)));
  json_object_set_new (json, "seconds", json_real (run->seconds));
  json_object_set_new (json, "interval", json_real (run->interval));
  json_object_set_new (json, "samples", json_integer (run->samples));
  json_object_set_new (json, "trains", json_boolean (!machine->forward));
  if (!isnan (run->energy))
    json_object_set_new (json, "energy", json_real (run->energy));
  off = ls_asked_error (asked, run);
  if (!isnan (off))
    json_object_set_new (json, "error", json_real (off));
  off = ls_asked_error_recorded (asked, run);
  if (!isnan (off))
    json_object_set_new (json, "error_recorded", json_real (off));
  if (!isnan (run->weights))
    {
      json_object_set_new (json, "weights_bytes", json_real (run->weights));
      json_object_set_new (json, "chip_bytes", json_real (run->chip));
      json_object_set_new (json, "weights_on_chip", json_boolean (run->weights <= run->chip));
    }
  most = ls_machine_moves_most (machine, asked->plan, &assumed, &moved);
  if (most >= 0)
    {
      json_object_set_new (json, "moves_most", json_string (machine->assumptions[most].name));
      json_object_set_new (json, "moves_by", json_real (moved));
    }
  assumptions = ls_json_array (json, "assumptions");
  for (guint i = 0; i < machine->n_assumptions; i++)
    {
      json_t *one = json_object ();
      json_array_append_new (assumptions, one);
      json_object_set_new (one, "name", json_string (machine->assumptions[i].name));
      json_object_set_new (one, "value", json_real (assumed.value[i]));
      json_object_set_new (one, "unit", json_string (machine->assumptions[i].unit));
      json_object_set_new (one, "from", json_string (from_names[assumed.from[i]]));
      json_object_set_new (one, "default", json_real (machine->assumptions[i].value));
      json_object_set_new (one, "least", json_real (machine->assumptions[i].min));
      json_object_set_new (one, "most", json_real (machine->assumptions[i].max));
      json_object_set_new (one, "default_source", json_string (machine->assumptions[i].source));
      if (assumed.from[i] == LS_ASSUMED_PUBLISHED)
        {
          json_object_set_new (one, "follows", json_boolean (ls_assumed_follows (&assumed, i)));
          json_object_set_new (one, "source", json_string (assumed.of[i]->source->title));
          json_object_set_new (one, "address", json_string (assumed.of[i]->source->address));
          json_object_set_new (one, "seen", json_string (assumed.of[i]->source->seen));
        }
    }
  if (ls_asked_has_batches (machine))
    put_batches (json, asked, machine, &assumed);
  put_proof (json, asked, machine, &assumed);
  ops = ls_json_array (json, "ops");
  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      json_t *one = json_object ();
      json_array_append_new (ops, one);
      /* of a copy, or of all layers at once, there is no op of the plan */
      json_object_set_new (one, "op", op->op < asked->plan->n_ops ? json_integer (op->op) : json_null ());
      json_object_set_new (one, "what",
                           json_string (op->op == LS_MACHINE_COPY  ? "copy"
                                        : op->op == LS_MACHINE_ALL ? "all"
                                                                   : asked->plan->ops[op->op].symbol));
      if (!isnan (op->interval))
        json_object_set_new (one, "interval_clocks", json_real (op->interval));
      json_object_set_new (one, "start", json_real (op->start));
      json_object_set_new (one, "seconds", json_real (op->seconds));
      json_object_set_new (one, "held_by", json_string (ls_held_by_name (op->held_by)));
      if (!isnan (op->used))
        json_object_set_new (one, "used", json_real (op->used));
      if (!isnan (op->useful))
        json_object_set_new (one, "useful", json_real (op->useful));
      if (here != NULL && op->op < asked->plan->n_ops && here[op->op] > 0)
        {
          json_object_set_new (one, "recorded", json_real (here[op->op]));
          json_object_set_new (one, "error", json_real (ls_held_error (op->seconds, here[op->op])));
        }
    }
  return TRUE;
}

static void
put_lanes (json_t *json, const LsMachinesAsked *asked)
{
  json_t *lanes = ls_json_array (json, "lanes");

  for (guint i = 0; asked->recording != NULL && i < asked->recording->n_lanes; i++)
    {
      const LsFigure step = ls_held_step (asked->recording, i);
      const double recorded = ls_held_recorded (asked->recording, i);
      json_t *lane = json_object ();

      json_array_append_new (lanes, lane);
      json_object_set_new (lane, "id", json_string (asked->recording->lanes[i].id));
      ls_json_device (lane, asked->recording->lanes[i].device);
      ls_json_figure (lane, "step", &step);
      json_object_set_new (lane, "stands", json_boolean (ls_held_median (asked->recording, i).n > 0));
      if (!isnan (recorded))
        json_object_set_new (lane, "recorded", json_real (recorded));
    }
}

gboolean
ls_machines_save (const LsMachinesAsked *asked, const LsOptions *options, const char *path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-machines", 1);
  json_t *list;
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  ls_json_options (json, options);
  if (asked->device != NULL)
    json_object_set_new (json, "device", json_string (asked->device->name));
  put_lanes (json, asked);
  list = ls_json_array (json, "machines");
  for (guint i = 0; i < n; i++)
    if (ls_asked_has (asked, machines[i]) && !put_machine (list, asked, machines[i], error))
      return FALSE;
  return ls_json_save (json, path, error);
}

/* "0.00123,", or "," for what isn't known. */
static void
add_number (GString *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, "%s,",
                          isnan (value) ? "" : g_ascii_formatd (text, sizeof text, "%.9g", value));
}

static gboolean
add_machine (GString *out, const LsMachinesAsked *asked, const LsMachine *machine, GError **error)
{
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL;
  const gint lane = asked->device == NULL ? ls_asked_lane (asked, machine) : -1;
  g_autofree double *here = lane >= 0 ? ls_held_ops (asked->recording, (guint) lane, asked->plan) : NULL;

  if (!ls_asked_assume (asked, machine, &assumed, error))
    return FALSE;
  run = ls_machine_run (machine, asked->plan, &assumed);
  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      const double recorded = here != NULL && op->op < asked->plan->n_ops ? here[op->op] : (double) NAN;

      g_string_append_printf (out, "%s,%s,", machine->name,
                              op->op == LS_MACHINE_COPY  ? "copy"
                              : op->op == LS_MACHINE_ALL ? "all"
                                                         : asked->plan->ops[op->op].symbol);
      add_number (out, op->seconds);
      g_string_append_printf (out, "%s,", ls_held_by_name (op->held_by));
      add_number (out, op->used);
      add_number (out, op->useful);
      add_number (out, recorded);
      add_number (out, ls_held_error (op->seconds, recorded));
      out->str[out->len - 1] = '\n';
    }
  return TRUE;
}

gboolean
ls_machines_save_csv (const LsMachinesAsked *asked, const char *path, GError **error)
{
  g_autoptr (GString) out = g_string_new ("machine,op,seconds,held_by,used,useful,recorded_s,error\n");
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    if (ls_asked_has (asked, machines[i]) && !add_machine (out, asked, machines[i], error))
      return FALSE;
  return ls_file_save (path, out->str, out->len, error);
}
