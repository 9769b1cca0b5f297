/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep plan`: one training step as a table of ops, with shapes and costs; with --lanes also how each
 * lane cuts each op into tiles, and with which kernel.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "data/dataset.h"
#include "data/defaults.h"
#include "ui/cli/command.h"
#include "ui/cli/plan_cost.h"
#include "ui/cli/plan_memory.h"
#include "ui/cli/progress.h"
#include "train/lane_spec.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

static const LsCommandOption own[] = {
  { "json", N_("FILE"), N_("Write the plan as JSON"), TRUE },
  { "memory", NULL, N_("Show what a step takes in memory, by batch and optimizer"), FALSE },
  { "cost", NULL, N_("Show how long runs take and what they cost, here and on devices of the catalogue"),
    FALSE },
  { NULL },
};

/* Those, and what --cost is asked with. */
static const LsCommandOption *
all_options (void)
{
  static LsCommandOption *all;

  if (all == NULL)
    {
      GArray *rows = g_array_new (TRUE, TRUE, sizeof (LsCommandOption));

      g_array_append_vals (rows, own, G_N_ELEMENTS (own) - 1);
      for (const LsCommandOption *option = ls_plan_cost_options; option->name != NULL; option++)
        g_array_append_val (rows, *option);
      all = (LsCommandOption *) (gpointer) g_array_free (rows, FALSE);
    }
  return all;
}

/* A backend opened only to see its tilings. */
typedef struct {
  LsLaneSpec *spec;
  LsPlan *plan; /* in its precision */
  gpointer self;
  const LsTiling *tilings; /* plan->n_ops, owned by self */
} Lane;

static void
lane_close (Lane *lane)
{
  if (lane->self != NULL)
    lane->spec->backend->close (lane->self);
  g_clear_pointer (&lane->spec, ls_lane_spec_unref);
  g_clear_pointer (&lane->plan, ls_plan_unref);
}

static gboolean
lane_open (Lane *lane, guint number, LsPlan *plan, LsData *data, GError **error)
{
  const LsBackend *backend = lane->spec->backend;

  lane->plan = ls_plan_with_precision (plan, (LsPrecision) lane->spec->options->precision);
  lane->self = backend->open (lane->spec->options, number, error);
  if (lane->self == NULL || !backend->prepare (lane->self, lane->plan, data, error))
    return FALSE;
  lane->tilings = backend->tilings (lane->self);
  return TRUE;
}

/* The lanes that were asked for and work; of the others the reason is told. GArray of Lane. */
static GArray *
open_lanes (const LsArguments *arguments, LsPlan *plan, LsData *data, GError **error)
{
  g_autoptr (GArray) lanes = g_array_new (FALSE, TRUE, sizeof (Lane));
  g_autoptr (GPtrArray) specs = NULL;

  g_array_set_clear_func (lanes, (GDestroyNotify) lane_close);
  if (ls_arguments_get (arguments, "lanes") == NULL)
    return g_steal_pointer (&lanes);
  specs = ls_lane_specs_new (arguments->options, error);
  for (guint i = 0; specs != NULL && i < specs->len; i++)
    {
      g_autoptr (GError) why = NULL;
      Lane lane = { .spec = ls_lane_spec_ref (specs->pdata[i]) };

      if (lane_open (&lane, i, plan, data, &why))
        g_array_append_val (lanes, lane);
      else
        {
          g_autofree char *sentence = ls_sentence (why->message);
          ls_terminal_complain ("lockstep plan: %s: %s\n", lane.spec->title, sentence);
          lane_close (&lane);
        }
    }
  return specs != NULL ? g_steal_pointer (&lanes) : NULL;
}

/* "51.4 M": three digits. */
static char *
short_number (gint64 value)
{
  static const char *const units[] = { "", " k", " M", " G", " T", " P" };
  double scaled = (double) value;
  guint unit = 0;

  while (scaled >= 999.5 && unit + 1 < G_N_ELEMENTS (units))
    {
      scaled /= 1000;
      unit++;
    }
  return g_strdup_printf ("%.*f%s",
                          unit == 0 || scaled >= 99.95 ? 0
                          : scaled >= 9.995            ? 1
                                                       : 2,
                          scaled, units[unit]);
}

static char *
tiling_text (const LsTiling *tilings, guint op)
{
  const LsTiling *t = &tilings[op];

  if (t->reference)
    return g_strdup (_("reference"));
  if (t->leader != op)
    return g_strdup_printf (_("in op %u"), t->leader + 1);
  if (t->splits > 1)
    return g_strdup_printf (_("%u×%u tiles of %lld×%lld, sum in %u parts, %s"), t->grid_rows, t->grid_cols,
                            (long long) t->tile_rows, (long long) t->tile_cols, t->splits, t->kernel);
  return g_strdup_printf (_("%u×%u tiles of %lld×%lld, %s"), t->grid_rows, t->grid_cols,
                          (long long) t->tile_rows, (long long) t->tile_cols, t->kernel);
}

static void
print_head (LsTable *table, const GArray *lanes)
{
  ls_table_add (table, "%s", _("Op"));
  ls_table_add (table, "%s", _("phase"));
  ls_table_add (table, "%s", _("layer"));
  ls_table_add (table, "%s", _("what"));
  ls_table_add (table, "%s", _("equation"));
  ls_table_add (table, "%s", _("output"));
  ls_table_add (table, "FLOP");
  ls_table_add (table, "%s", _("bytes"));
  ls_table_add (table, "%s", _("FLOP/byte"));
  for (guint i = 0; i < lanes->len; i++)
    ls_table_add (table, "%s", g_array_index (lanes, Lane, i).spec->title);
}

static void
print_table (const LsPlan *plan, const GArray *lanes)
{
  g_autoptr (GString) align = g_string_new ("rlrlllrrr");
  g_autoptr (LsTable) table = NULL;

  for (guint i = 0; i < lanes->len; i++)
    g_string_append_c (align, 'l');
  table = ls_table_new (align->str);
  print_head (table, lanes);
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      g_autofree char *shape = ls_tensor_shape_string (&plan->tensors[op->out[0]]);
      g_autofree char *flops = short_number (op->flops), *bytes = short_number (op->bytes);

      ls_table_add (table, "%u", i + 1); /* as render's --op counts them, and sentences layers */
      ls_table_add (table, "%s", ls_phase_name (op->phase));
      if (op->layer >= 0)
        ls_table_add (table, "%d", op->layer + 1);
      else
        ls_table_add (table, "–");
      ls_table_add (table, "%s", op->klass->name);
      ls_table_add (table, "%s", op->equation);
      ls_table_add (table, "%s", shape);
      ls_table_add (table, "%s", flops);
      ls_table_add (table, "%s", bytes);
      ls_table_add (table, "%.2f", op->bytes > 0 ? (double) op->flops / (double) op->bytes : 0);
      for (guint l = 0; l < lanes->len; l++)
        {
          g_autofree char *tiling = tiling_text (g_array_index (lanes, Lane, l).tilings, i);
          ls_table_add (table, "%s", tiling);
        }
    }
  ls_table_print (table);
}

static void
print_totals (const LsPlan *plan)
{
  g_autofree char *flops = short_number (plan->flops), *bytes = short_number (plan->bytes),
                  *arena = short_number ((gint64) plan->arena_bytes);
  gint64 parameters = 0;

  for (guint i = 0; i < plan->n_params; i++)
    parameters += ls_tensor_count (&plan->tensors[plan->params[i].weight]);
  ls_terminal_print (
    ngettext ("\nOne step of %u sample: %u ops, %s FLOP, %s bytes moved, %.2f FLOP/byte; %lld "
              "parameters; all tensors together %s bytes.\n",
              "\nOne step of %u samples: %u ops, %s FLOP, %s bytes moved, %.2f FLOP/byte; %lld "
              "parameters; all tensors together %s bytes.\n",
              plan->batch),
    plan->batch, plan->n_ops, flops, bytes, (double) plan->flops / (double) MAX (plan->bytes, 1),
    (long long) parameters, arena);
  ls_terminal_print (_("Derived from the shapes: a multiplication with its addition is 2 FLOP; every input "
                        "is read once and every output written once.\n"));
}

static void
add_shape (json_t *shape, const LsTensor *tensor)
{
  for (guint d = 0; d < tensor->rank; d++)
    ls_json_whole (shape, NULL, tensor->shape[d]);
}

static void
add_tiling (json_t *json, const LsTiling *t)
{
  ls_json_text (json, "kernel", t->kernel);
  ls_json_whole (json, "leader", t->leader);
  ls_json_bool (json, "reference", t->reference);
  ls_json_whole (json, "rows", t->rows);
  ls_json_whole (json, "cols", t->cols);
  ls_json_whole (json, "tile_rows", t->tile_rows);
  ls_json_whole (json, "tile_cols", t->tile_cols);
  ls_json_whole (json, "grid_rows", t->grid_rows);
  ls_json_whole (json, "grid_cols", t->grid_cols);
  ls_json_whole (json, "splits", t->splits);
}

static void
add_ops (json_t *ops, const LsPlan *plan)
{
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      json_t *json = ls_json_object (ops, NULL);

      ls_json_text (json, "op", op->klass->name);
      ls_json_text (json, "phase", ls_phase_name (op->phase));
      ls_json_whole (json, "layer", op->layer);
      ls_json_text (json, "symbol", op->symbol);
      ls_json_text (json, "equation", op->equation);
      add_shape (ls_json_array (json, "shape"), &plan->tensors[op->out[0]]);
      ls_json_whole (json, "flop", op->flops);
      ls_json_whole (json, "bytes", op->bytes);
    }
}

static gboolean
save_json (const LsPlan *plan, const LsOptions *options, const GArray *lanes, const char *path,
           GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-plan", 1);
  json_t *objects;

  ls_json_options (json, options);
  ls_json_text (json, "model", plan->model->text);
  ls_json_whole (json, "flop", plan->flops);
  ls_json_whole (json, "bytes", plan->bytes);
  ls_json_text (json, "evidence", ls_evidence_name (LS_EVIDENCE_DERIVED));
  add_ops (ls_json_array (json, "ops"), plan);
  objects = ls_json_object (json, "lanes");
  for (guint l = 0; l < lanes->len; l++)
    {
      const Lane *lane = &g_array_index (lanes, Lane, l);
      json_t *object = ls_json_object (objects, lane->spec->id), *tilings;

      ls_json_device (object, lane->spec->backend->device (lane->self));
      tilings = ls_json_array (object, "tilings");
      for (guint i = 0; i < plan->n_ops; i++)
        add_tiling (ls_json_object (tilings, NULL), &lane->tilings[i]);
    }
  return ls_json_save (json, path, error);
}

static gboolean
print_memory (const LsOptions *options, const char *device, const LsModel *model, const LsData *data,
              const GArray *lanes, const char *json, GError **error)
{
  g_autofree LsMemoryLane *open = g_new (LsMemoryLane, lanes->len);

  for (guint i = 0; i < lanes->len; i++)
    {
      const Lane *lane = &g_array_index (lanes, Lane, i);
      open[i] = (LsMemoryLane){ lane->spec->id, lane->spec->title, lane->spec->backend, lane->self,
                                lane->plan };
    }
  return ls_plan_memory_print (options, device, model, data, open, lanes->len, json, error);
}

/* Options that would be passed over are refused. */
static gboolean
may_ask (const LsArguments *arguments, gboolean memory, gboolean cost, GError **error)
{
  if (memory && cost)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--memory and --cost are two tables; ask for one of them."));
      return FALSE;
    }
  for (const LsCommandOption *option = ls_plan_cost_options; !cost && option->name != NULL; option++)
    if (ls_arguments_get (arguments, option->name) != NULL)
      {
        g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s belongs to --cost, which isn’t there."),
                     option->name);
        return FALSE;
      }
  if (!memory && !cost && *arguments->options->device != '\0'
      && ls_arguments_get (arguments, "lanes") == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--device is for --memory, --cost or --lanes, and none of them is there."));
      return FALSE;
    }
  return TRUE;
}

static LsExit
plan (const LsArguments *arguments, GError **error)
{
  LsOptions *options = arguments->options;
  LsDataRequest request;
  const char *json = ls_arguments_get (arguments, "json");
  const gboolean memory = ls_arguments_get (arguments, "memory") != NULL,
                 cost = ls_arguments_get (arguments, "cost") != NULL;
  g_autofree char *device = g_strdup (memory || cost ? options->device : NULL);
  g_autoptr (LsModel) model = NULL;
  g_autoptr (LsData) data = NULL;
  g_autoptr (LsPlan) plain = NULL;
  g_autoptr (LsPlan) step = NULL;
  g_autoptr (GArray) lanes = NULL;

  if (!may_ask (arguments, memory, cost, error) || (cost && !ls_plan_cost_take (arguments, options, error)))
    return LS_EXIT_FAILED;
  request = ls_data_request (options);
  ls_progress_of_reading (&request);
  if ((data = ls_data_load_request (&request, error)) == NULL)
    return LS_EXIT_FAILED;
  ls_data_suggest (options, data->n_classes, data->train.n);
  if ((model = ls_model_parse (options->model, error)) == NULL)
    return LS_EXIT_FAILED;
  if (cost)
    return ls_plan_cost_print (arguments, device, model, data, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
  /* an estimate alone is of no lane, and may be of what this machine couldn't hold */
  plain = (memory && ls_arguments_get (arguments, "lanes") == NULL ? ls_plan_new_sketch : ls_plan_new) (
    model, data->train.shape, data->n_classes, (guint) options->batch, (LsOptimizer) options->optimizer,
    error);
  if (memory) /* it is the catalogue's, and no lane's */
    ls_options_set (options, ls_options_find ("device"), "", NULL);
  if (plain == NULL || (lanes = open_lanes (arguments, plain, data, error)) == NULL)
    return LS_EXIT_FAILED;
  step = ls_plan_with_precision (plain, (LsPrecision) options->precision);

  if (memory)
    return print_memory (options, device, model, data, lanes, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
  ls_terminal_print (_("Model %s on %s\n\n"), step->model->text, data->name);
  print_table (step, lanes);
  print_totals (step);
  return json == NULL || save_json (step, options, lanes, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_plan = {
  .name = "plan",
  .title = N_("Show one training step as a table of ops"),
  .about = N_(
    "With --lanes also how each lane cuts the ops into tiles.\n"
    "With --memory what a step takes in memory, by batch and optimizer; with --device NAME whether that "
    "fits the device of that name in “lockstep hardware”, or the largest batch that does; with --lanes "
    "what each has really allocated.\n"
    "With --cost how long runs take and what renting or owning costs, on all devices of the catalogue or "
    "those of --device (of several with commas between them), and what to do, in a sentence."),
  .groups = LS_OPTION_GROUP_MODEL | LS_OPTION_GROUP_DATA | LS_OPTION_GROUP_RUN | LS_OPTION_GROUP_LANES
            | LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL,
  .options = all_options,
  .run = plan,
};
