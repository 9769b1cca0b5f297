/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See plan_memory.h. Estimates are derived from the plan, for an OpenCL device; what a lane has allocated is
 * counted there.
 */
#include "config.h"
#include "ui/cli/plan_memory.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "machines/fit.h"
#include "machines/hardware.h"
#include "ui/cli/plan_cost.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

#define MB 1e6

static const guint batches[] = { 1, 16, 128, 1024, 8192 };

typedef struct {
  const LsOptions *options;
  const LsModel *model;
  const LsData *data;
  LsFit fit;
  const LsHardware *device; /* NULL: none was asked for */
  double limit;             /* bytes that a step may take there */
} Memory;

static gboolean
estimate (const Memory *m, guint batch, LsOptimizer optimizer, LsStepMemory *memory)
{
  return ls_fit_estimate (&m->fit, batch, optimizer, memory);
}

/* ---- the table of estimates ---- */

static void
add_parts (LsTable *table, const LsStepMemory *memory)
{
  for (guint i = 0; i < LS_MEMORY_N; i++)
    ls_table_add (table, "%.2f", (double) memory->bytes[i] / MB);
  ls_table_add (table, "%.2f", (double) ls_step_memory_sum (memory) / MB);
}

static void
add_part_names (LsTable *table)
{
  static const char *const names[LS_MEMORY_N] = { N_("weights"),           N_("gradients"),
                                                  N_("optimizer’s state"), N_("activations"),
                                                  N_("workspace"),         N_("data") };

  for (guint i = 0; i < LS_MEMORY_N; i++)
    ls_table_add (table, "%s", _(names[i]));
  ls_table_add (table, "%s", _("together"));
}

static const char *
optimizer_name (LsOptimizer optimizer)
{
  return ls_options_find ("optimizer")->choices[optimizer];
}

static void
add_row (const Memory *m, LsTable *table, json_t *rows, LsOptimizer optimizer, guint batch)
{
  json_t *row;
  LsStepMemory memory;

  if (!estimate (m, batch, optimizer, &memory))
    return;
  const gboolean fit = m->device != NULL && (double) ls_step_memory_sum (&memory) <= m->limit;

  ls_table_add (table, "%s", optimizer_name (optimizer));
  ls_table_add (table, "%u", batch);
  add_parts (table, &memory);
  ls_table_add (table, "%s", m->device == NULL ? "" : fit ? _("fits") : _("too large"));
  row = ls_json_object (rows, NULL);
  ls_json_text (row, "optimizer", optimizer_name (optimizer));
  ls_json_whole (row, "batch", batch);
  for (guint i = 0; i < LS_MEMORY_N; i++)
    ls_json_whole (row, ls_memory_part_names[i], memory.bytes[i]);
  ls_json_whole (row, "sum", ls_step_memory_sum (&memory));
  if (m->device != NULL)
    ls_json_bool (row, "fits", fit);
}

static void
print_estimates (const Memory *m, json_t *rows)
{
  g_autoptr (LsTable) table = ls_table_new ("lrrrrrrrrl");
  const guint own = (guint) m->options->batch;

  ls_table_add (table, "%s", _("Optimizer"));
  ls_table_add (table, "%s", _("batch"));
  add_part_names (table);
  ls_table_add (table, "%s", m->device != NULL ? m->device->name : "");
  for (guint o = LS_OPTIMIZER_SGD; o <= LS_OPTIMIZER_ADAM; o++)
    for (guint i = 0; i < G_N_ELEMENTS (batches); i++)
      {
        if (own < batches[i] && (i == 0 || own > batches[i - 1]))
          add_row (m, table, rows, (LsOptimizer) o, own);
        add_row (m, table, rows, (LsOptimizer) o, batches[i]);
        if (i + 1 == G_N_ELEMENTS (batches) && own > batches[i])
          add_row (m, table, rows, (LsOptimizer) o, own);
      }
  ls_terminal_print (_("Memory of a training step in MB (10⁶ bytes), derived from the shapes, with %s:\n\n"),
                     ls_precision_name ((LsPrecision) m->options->precision));
  ls_table_print (table);
}

/* ---- against a device ---- */

static void
print_device (const Memory *m, json_t *json)
{
  const LsHardwareFigure *memory = ls_hardware_get (m->device, LS_HARDWARE_MEMORY, LS_NUMBERS_UNTOLD, 0);
  json_t *object = ls_json_object (json, "device"), *largest;

  ls_terminal_print (memory->means & LS_MEANS_MOST
                       ? _("\n%s takes at most %g %s, as published; yours may have less: %s\n")
                       : _("\n%s has %g %s, as published: %s\n"),
                     m->device->name, memory->value, memory->unit, memory->source->address);
  if (memory->note != NULL)
    ls_terminal_print ("%s\n", memory->note);
  if (m->device->parts > 1)
    ls_terminal_print (_("A step is one part’s alone, and has %g %s.\n"), memory->value / m->device->parts,
                       memory->unit);
  ls_json_text (object, "name", m->device->name);
  ls_json_number (object, "bytes", m->limit);
  ls_json_text (object, "evidence", ls_evidence_name (ls_hardware_step_memory (m->device).evidence));
  ls_json_text (object, "address", memory->source->address);
  largest = ls_json_object (object, "largest_batch");
  for (guint o = LS_OPTIMIZER_SGD; o <= LS_OPTIMIZER_ADAM; o++)
    {
      gboolean any;
      const guint batch = ls_fit_largest (&m->fit, (LsOptimizer) o, m->limit, &any);
      json_t *most = ls_json_object (largest, optimizer_name ((LsOptimizer) o));

      ls_json_whole (most, "batch", batch);
      ls_json_bool (most, "any", any);
      if (batch == 0)
        ls_terminal_print (_("With %s no batch fits.\n"), optimizer_name ((LsOptimizer) o));
      else if (any)
        ls_terminal_print (_("With %s every batch fits that Lockstep takes, up to %u.\n"),
                           optimizer_name ((LsOptimizer) o), batch);
      else
        ls_terminal_print (_("With %s the largest batch that fits is %u.\n"),
                           optimizer_name ((LsOptimizer) o), batch);
    }
  ls_terminal_print (_("Modelled: what its driver takes for itself isn’t counted.\n"));
}

/* ---- published examples ---- */

/* "6.92 M values", "56.0 GB". (transfer full) */
static char *
amount_text (const LsFitCheck *check, double value)
{
  const gboolean bytes = strcmp (check->unit, "B") == 0;
  g_autofree char *number = ls_number_text (value / (bytes ? 1e9 : 1e6), 3);

  return bytes ? g_strdup_printf ("%s GB", number) : g_strdup_printf ("%s M %s", number, _(check->unit));
}

static void
print_checks (json_t *rows)
{
  g_autoptr (LsTable) table = ls_table_new ("lrrr");
  LsFitCheck checks[LS_FIT_N_CHECKS];

  ls_fit_check (checks);
  ls_table_add (table, "%s", _("Published example"));
  ls_table_add (table, "%s", _("published"));
  ls_table_add (table, "%s", _("counted here"));
  ls_table_add (table, "%s", _("off by"));
  for (guint i = 0; i < LS_FIT_N_CHECKS; i++)
    {
      const LsFitCheck *check = &checks[i];
      g_autofree char *published = amount_text (check, check->published),
                      *derived = amount_text (check, check->derived),
                      *off = ls_off_text (check->derived / check->published - 1, 2);
      json_t *row = ls_json_object (rows, NULL);

      ls_table_add (table, "%s", _(check->what));
      ls_table_add (table, "%s", published);
      ls_table_add (table, "%s", derived);
      ls_table_add (table, "%s", off);
      ls_json_text (row, "what", check->what);
      ls_json_number (row, "published", check->published);
      ls_json_number (row, "derived", check->derived);
      ls_json_text (row, "unit", check->unit);
      ls_json_text (row, "quote", check->quote);
      ls_json_text (row, "address", check->source->address);
      ls_json_text (row, "seen", check->source->seen);
    }
  ls_terminal_print (_("\nThe same way of counting, held against what others published:\n\n"));
  ls_table_print (table);
  for (guint i = 0; i < LS_FIT_N_CHECKS; i++)
    {
      ls_terminal_print ("  %s, %s, ", checks[i].source->title, checks[i].source->address);
      ls_terminal_print (_("seen %s\n"), checks[i].source->seen);
    }
}

/* ---- what lanes have allocated ---- */

static void
put_memory (json_t *into, const char *name, const LsStepMemory *memory)
{
  json_t *json = ls_json_object (into, name);

  for (guint i = 0; i < LS_MEMORY_N; i++)
    ls_json_whole (json, ls_memory_part_names[i], memory->bytes[i]);
  ls_json_whole (json, "sum", ls_step_memory_sum (memory));
}

/* "+0.31 %" */
static void
add_off (LsTable *table, const LsStepMemory *need, const LsStepMemory *has)
{
  g_autofree char *off = ls_off_text (
    (double) ls_step_memory_sum (need) / (double) MAX (ls_step_memory_sum (has), 1) - 1, 2);

  ls_table_add (table, "%s", off);
}

static void
print_lanes (const Memory *m, const LsMemoryLane *lanes, guint n_lanes, json_t *json)
{
  g_autoptr (LsTable) table = ls_table_new ("llrrrrrrrr");
  json_t *objects = ls_json_object (json, "lanes");

  ls_table_add (table, "%s", _("Lane"));
  ls_table_add (table, "%s", "");
  add_part_names (table);
  ls_table_add (table, "%s", _("off by"));
  for (guint i = 0; i < n_lanes; i++)
    {
      const LsMemoryLane *lane = &lanes[i];
      const LsBackendMemory *counts = lane->backend->memory;
      json_t *object = ls_json_object (objects, lane->id);
      LsStepMemory need, has;

      if (counts == NULL)
        continue;
      counts->allocated (lane->self, &has);
      ls_plan_memory (lane->plan, m->data, counts->workspace (lane->self, lane->plan), &need);
      ls_table_add (table, "%s", lane->title);
      ls_table_add (table, "%s", _("estimated"));
      add_parts (table, &need);
      ls_table_add (table, "%s", "");
      ls_table_add (table, "%s", "");
      ls_table_add (table, "%s", _("allocated"));
      add_parts (table, &has);
      add_off (table, &need, &has);
      put_memory (object, "estimated", &need);
      put_memory (object, "allocated", &has);
    }
  ls_terminal_print (_("\nWith batch %lld and %s, counted where it was allocated:\n\n"),
                     (long long) m->options->batch, optimizer_name ((LsOptimizer) m->options->optimizer));
  ls_table_print (table);
}

gboolean
ls_plan_memory_print (const LsOptions *options, const char *device, const LsModel *model, const LsData *data,
                      const LsMemoryLane *lanes, guint n_lanes, const char *path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-plan-memory", 1);
  g_autoptr (LsCatalogue) catalogue = NULL;
  Memory m = { .options = options,
               .model = model,
               .data = data,
               .fit = { .model = model,
                        .n_classes = data->n_classes,
                        .precision = (LsPrecision) options->precision,
                        .data_bytes = ls_dataset_bytes (&data->train) + ls_dataset_bytes (&data->test) } };

  memcpy (m.fit.in_shape, data->train.shape, sizeof m.fit.in_shape);
  ls_json_options (json, options);
  if (device != NULL && *device != '\0')
    {
      if ((catalogue = ls_catalogue_load (NULL, error)) == NULL
          || (m.device = ls_catalogue_find (catalogue, device, error)) == NULL)
        return FALSE;
      if (!ls_hardware_trains (m.device))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _(LS_NOT_TRAINED), m.device->name);
          return FALSE;
        }
      m.limit = ls_hardware_step_memory (m.device).value;
      if (!(m.limit > 0))
        {
          g_set_error (
            error, LS_ERROR, LS_ERROR_USAGE,
            _("The catalogue doesn’t know how much memory the %s has; “lockstep hardware” says of which "
               "devices it does."),
            m.device->name);
          return FALSE;
        }
    }
  ls_terminal_print (_("Model %s on %s\n\n"), model->text, data->name);
  print_estimates (&m, ls_json_array (json, "estimates"));
  if (m.device != NULL)
    print_device (&m, json);
  if (n_lanes > 0)
    print_lanes (&m, lanes, n_lanes, json);
  print_checks (ls_json_array (json, "checks"));
  return path == NULL || ls_json_save (json, path, error);
}
