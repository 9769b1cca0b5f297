/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See plan_cost.h. What is measured comes from a recording; what it isn't told of is left out and named.
 */
#include "config.h"
#include "ui/cli/plan_cost.h"
#include "ui/cli/plan_cost_tables.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "data/recorded_run.h"
#include "machines/fit.h"
#include "machines/guide/guide.h"
#include "train/lane_spec.h"

#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

const LsCommandOption ls_plan_cost_options[] = {
  { "from", N_("RECORDING"),
    N_("For --cost: the recorded run, with how fast it was and what roofs it had") },
  { "rate", N_("SAMPLES"), N_("For --cost: samples a second here, in place of a recording’s") },
  { "work", N_("KIND"), N_("For --cost: network, trees or preparing; default network") },
  { "runs", N_("N"), N_("For --cost: runs a month, of as many epochs as --epochs says; default 20") },
  { "months", N_("N"), N_("For --cost: how long it is planned for; default 24") },
  { "budget", N_("PRICE"), N_("For --cost: what that may cost in all; default whatever it costs") },
  { "rent", N_("PRICE"), N_("For --cost: renting the device for an hour; default what is published") },
  { "storage", N_("PRICE"), N_("For --cost: what renting costs a month beside the hours; default 0") },
  { "price", N_("PRICE"), N_("For --cost: buying the device; default what is published") },
  { "power", N_("WATT"), N_("For --cost: what it draws; default what is published") },
  { "use", N_("SHARE"), N_("For --cost: the share of that while it trains; default 1") },
  { "electricity", N_("PRICE"),
    N_("For --cost: a kWh; default 0.1545 USD, of households in the United States") },
  { "currency", N_("NAME"),
    N_("For --cost: of all prices; with another than USD none that is published holds") },
  { "field", NULL, N_("For --cost: with a lecture’s sums, 654 h and $306, as the prices") },
  { NULL },
};

gboolean
ls_plan_cost_take (const LsArguments *arguments, LsOptions *options, GError **error)
{
  const char *from = ls_arguments_get (arguments, "from");
  g_autoptr (LsRecording) recording = from != NULL ? ls_recording_load (from, error) : NULL;

  if (from != NULL && recording == NULL)
    return FALSE;
  if (recording != NULL)
    ls_recorded_run_take (recording, FALSE, options);
  return TRUE;
}

/* ---- what is asked ---- */

/* Where the option wasn't given, *value stays as it is. */
static gboolean
read_number (const LsArguments *arguments, const char *name, double low, double high, double *value,
             GError **error)
{
  const char *text = ls_arguments_get (arguments, name);
  char *end;
  double read;

  if (text == NULL)
    return TRUE;
  read = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && read >= low && read <= high)
    {
      *value = read;
      return TRUE;
    }
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s takes a number from %g to %g, not “%s”."), name, low,
               high, text);
  return FALSE;
}

static gboolean
read_work (const LsArguments *arguments, LsWork *work, GError **error)
{
  const char *text = ls_arguments_get (arguments, "work");

  for (guint i = 0; i < LS_WORK_N; i++)
    if (text == NULL || strcmp (text, ls_work_names[i]) == 0)
      {
        *work = (LsWork) i;
        return TRUE;
      }
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s takes %s, not “%s”."), "work",
               _("network, trees or preparing"), text);
  return FALSE;
}

/* Over the published ones. */
gboolean
ls_plan_cost_prices (const LsPlanCost *c, LsPrices *prices, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");

  for (guint i = 0; i < LS_PRICE_N; i++)
    {
      const LsPriceRow *row = &ls_prices_rows[i];
      double value = (double) NAN;

      if (!read_number (c->arguments, row->name, row->min, row->max, &value, error))
        return FALSE;
      if (!isnan (value))
        ls_prices_say (prices, (LsPriceKind) i, value, today);
    }
  return TRUE;
}

static gboolean
find_devices (LsPlanCost *c, const char *words, GError **error)
{
  g_auto (GStrv) names = words != NULL && *words != '\0' ? g_strsplit (words, ",", -1) : NULL;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const LsHardware *device = ls_catalogue_find (c->catalogue, names[i], error);

      if (device == NULL)
        return FALSE;
      if (!ls_hardware_trains (device))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _(LS_NOT_TRAINED), device->name);
          return FALSE;
        }
      g_ptr_array_add (c->devices, (gpointer) device);
    }
  for (guint i = 0; names == NULL && i < c->catalogue->devices->len; i++)
    if (ls_hardware_trains (c->catalogue->devices->pdata[i]))
      g_ptr_array_add (c->devices, c->catalogue->devices->pdata[i]);
  c->asked = names != NULL;
  if (c->asked && c->devices->len == 1)
    c->guide.own = c->devices->pdata[0];
  return TRUE;
}

/* ---- what was measured ---- */

/* µs of a step, of those that count. */
static LsFigure
step_time (const LsRecording *recording, const LsRecordedLane *lane)
{
  double values[LS_FIGURE_NEWEST];
  const guint64 end = lane->n_steps > 0 ? lane->n_steps - 1 : 0; /* the last one is the recorded step */
  const guint64 from = MIN (recording->warm_up, end);
  LsCounted counted = { 0 };
  gsize n = lane->curve != NULL && end > from
              ? ls_curve_collect (lane->curve, from, end, LS_FIGURE_NEWEST, 0, values, &counted)
              : 0;

  return ls_figure_of_samples (values, n, "µs");
}

/* It did the plan's step, as far as it tells: on the same data, with the same optimizer. */
static gboolean
is_of_plan (const LsPlanCost *c, const LsRecording *recording)
{
  const LsPlan *plan = c->guide.plan;
  const char *data = g_hash_table_lookup (recording->options, "data");

  return recording->batch == plan->batch && g_strcmp0 (recording->model, plan->model->text) == 0
         && recording->optimizer == plan->optimizer
         && ls_recorded_run_fits (recording, plan->in_shape, plan->n_classes)
         && (data == NULL || g_strcmp0 (data, c->arguments->options->data) == 0);
}

/* The fastest lane of the plan's precision is what this computer can. FALSE: there is none. */
static gboolean
measured (LsPlanCost *c, const LsRecording *recording)
{
  g_autoptr (GPtrArray) specs = ls_lane_specs_of_recording (recording);
  gboolean any = FALSE;
  double least = 0;

  for (guint i = 0; i < recording->n_lanes; i++)
    {
      const LsLaneSpec *spec = specs != NULL && i < specs->len ? specs->pdata[i] : NULL;
      const gint precision = spec != NULL ? spec->options->precision : LS_PRECISION_FP32;

      if (precision != (gint) c->guide.plan->precision)
        continue;
      any = TRUE;
      const LsRecordedLane *lane = &recording->lanes[i];
      const LsFigure us = step_time (recording, lane);
      const LsCostRoofs roofs = { lane->device->roofs[LS_ROOF_FLOPS].value,
                                  lane->device->roofs[LS_ROOF_MEMORY].value };

      if (us.n == 0 || !(us.value > 0) || (least > 0 && us.value >= least))
        continue;
      least = us.value;
      c->guide.step_here = us;
      c->guide.step_here.unit = "s";
      c->guide.step_here.value *= 1e-6;
      c->guide.step_here.q1 *= 1e-6;
      c->guide.step_here.q3 *= 1e-6;
      c->guide.share = ls_cost_share (c->guide.plan, &roofs, &c->guide.step_here);
      c->guide.here = lane->device->global_mem > 0
                        ? (LsFigure){ .value = (double) lane->device->global_mem, .n = 1, .unit = "B" }
                        : (LsFigure){ 0 };
      c->rate = c->guide.step_here;
      c->rate.unit = "samples/s";
      c->rate.value = recording->batch / c->guide.step_here.value;
      c->rate.q1 = recording->batch / c->guide.step_here.q3;
      c->rate.q3 = recording->batch / c->guide.step_here.q1;
    }
  return any;
}

static gboolean
measure (LsPlanCost *c, GError **error)
{
  const char *from = ls_arguments_get (c->arguments, "from");
  double rate = 0;

  if (from != NULL)
    {
      g_autoptr (LsRecording) recording = ls_recording_load (from, error);
      if (recording == NULL)
        return FALSE;
      if (!is_of_plan (c, recording) || !measured (c, recording))
        ls_terminal_complain (_("The recording is of another network, batch, precision, optimizer or data "
                                 "than this plan; its rates "
                                 "aren’t used.\n"));
    }
  if (!read_number (c->arguments, "rate", 1e-6, 1e12, &rate, error))
    return FALSE;
  if (rate > 0)
    {
      c->rate = (LsFigure){
        .value = rate, .q1 = rate, .q3 = rate, .n = 1, .unit = "samples/s", .evidence = LS_EVIDENCE_PUBLISHED
      };
      c->guide.step_here = c->rate;
      c->guide.step_here.unit = "s";
      c->guide.step_here.value = c->guide.step_here.q1 = c->guide.step_here.q3 = c->guide.plan->batch / rate;
    }
  return TRUE;
}

/* ---- all of it ---- */

static gboolean
ask (LsPlanCost *c, const LsFit *fit, const LsOptions *options, const LsData *data, GError **error)
{
  LsStepMemory memory;
  const char *currency = ls_arguments_get (c->arguments, "currency");

  c->guide.currency = currency != NULL ? currency : "USD";
  c->guide.runs = 20;
  c->guide.months = 24;
  c->epochs = (double) options->epochs;
  c->guide.steps = c->epochs * floor ((double) data->train.n / (double) options->batch);
  if (data->train.n < options->batch)
    c->guide.steps = c->epochs;
  if (!ls_fit_estimate (fit, (guint) options->batch, (LsOptimizer) options->optimizer, &memory))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("A step of batch %lld is larger than any that Lockstep takes."),
                   (long long) options->batch);
      return FALSE;
    }
  c->guide.need = (LsFigure){
    .value = (double) ls_step_memory_sum (&memory), .n = 1, .unit = "B", .evidence = LS_EVIDENCE_DERIVED
  };
  if (data->train.shape[1] == 1 && data->train.shape[2] == 1)
    c->guide.table = (LsFigure){ .value = (double) data->train.n * (double) data->train.shape[0] * 4,
                                 .n = 1,
                                 .unit = "B",
                                 .evidence = LS_EVIDENCE_DERIVED };
  return read_work (c->arguments, &c->guide.work, error)
         && read_number (c->arguments, "runs", 1e-3, 1e6, &c->guide.runs, error)
         && read_number (c->arguments, "months", 1, 1200, &c->guide.months, error)
         && read_number (c->arguments, "budget", 0, 1e12, &c->guide.budget, error) && measure (c, error);
}

static void
choose_prices (LsPlanCost *c)
{
  c->field = ls_arguments_get (c->arguments, "field") != NULL;
  ls_guide_choose (&c->guide, c->devices);
  if (c->guide.own == NULL && c->asked) /* what they lack is told of the first */
    c->guide.own = c->devices->pdata[0];
  if (ls_arguments_get (c->arguments, "rent") != NULL && c->guide.own != NULL)
    c->guide.rent = c->guide.own;
  if (c->field)
    ls_prices_field (c->catalogue, &c->guide.prices);
  else
    ls_prices_published (c->guide.rent, c->guide.own, strcmp (c->guide.currency, "USD") == 0,
                         &c->guide.prices);
}

static gboolean
print_all (LsPlanCost *c, const LsData *data, const char *json_path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-plan-cost", 1);
  g_auto (LsAdvice) advice = { 0 };

  choose_prices (c);
  if (!ls_plan_cost_prices (c, &c->guide.prices, error))
    return FALSE;
  ls_json_options (json, c->arguments->options);
  ls_guide_advise (&c->guide, &advice);
  ls_terminal_print (_("Model %s on %s\n\n"), c->guide.plan->model->text, data->name);
  ls_plan_cost_here (c, &advice);
  if (c->field)
    ls_plan_cost_field (c);
  ls_plan_cost_devices (c, ls_json_array (json, "devices"));
  ls_plan_cost_advice (c, &advice, json);
  return json_path == NULL || ls_json_save (json, json_path, error);
}

gboolean
ls_plan_cost_print (const LsArguments *arguments, const char *devices, const LsModel *model,
                    const LsData *data, const char *json, GError **error)
{
  const LsOptions *options = arguments->options;
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, error);
  LsPlanCost c = { .arguments = arguments, .catalogue = catalogue, .devices = chosen };
  LsFit fit = { .model = model,
                .n_classes = data->n_classes,
                .precision = (LsPrecision) options->precision,
                .data_bytes = ls_dataset_bytes (&data->train) + ls_dataset_bytes (&data->test) };
  g_autoptr (LsPlan) plan = NULL;

  memcpy (fit.in_shape, data->train.shape, sizeof fit.in_shape);
  plan = ls_fit_plan (&fit, (guint) options->batch, (LsOptimizer) options->optimizer);
  c.guide.plan = plan;
  if (catalogue == NULL || !find_devices (&c, devices, error) || !ask (&c, &fit, options, data, error))
    return FALSE;
  return print_all (&c, data, json, error);
}
