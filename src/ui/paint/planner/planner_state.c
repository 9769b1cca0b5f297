/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Planner is asked, and what the run that is shown tells for it: its network and data, how fast it was,
 * the share of its device's roofs that it reached, and what its lanes have allocated.
 */
#include "config.h"
#include "ui/paint/planner/planner.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The largest estimate beside the smallest: bars of both are to be seen. */
#define FARTHEST 12

/* batch 0: the run's own */
static const struct {
  guint batch;
  LsWork work;
  const char *words;
  gboolean field;
} trainings[] = {
  { 0, LS_WORK_NETWORK, N_("this network, as it is") },
  { 1, LS_WORK_NETWORK, N_("this network, batch 1") },
  { 1024, LS_WORK_NETWORK, N_("this network, batch 1 024") },
  { 8192, LS_WORK_NETWORK, N_("this network, batch 8 192") },
  { LS_FIT_MAX_BATCH, LS_WORK_NETWORK, N_("this network, batch 65 536") },
  { 0, LS_WORK_TREES, N_("trees on a table") },
  { 0, LS_WORK_PREPARING, N_("nothing: preparing data") },
  { 0, LS_WORK_NETWORK, N_("a lecture’s sums on a V100"), TRUE },
};

static const struct {
  double runs, epochs;
  const char *words;
} amounts[] = {
  { 20, 10, N_("20 runs a month of 10 epochs") },
  { 300, 300, N_("300 runs a month of 300 epochs") },
  { 1e4, 300, N_("10 000 runs a month of 300 epochs") },
  { 1e5, 1000, N_("100 000 runs a month of 1 000 epochs") },
};

static const struct {
  double months, budget; /* budget 0: whatever it costs */
  const char *words;
} spans[] = {
  { 24, 0, N_("24 months") },
  { 6, 0, N_("6 months") },
  { 12, 0, N_("12 months") },
  { 36, 0, N_("36 months") },
  { 24, 300, N_("24 months, 300 USD") },
  { 24, 2000, N_("24 months, 2 000 USD") },
};

const char *
ls_planner_train_word (guint i)
{
  return i < G_N_ELEMENTS (trainings) ? _(trainings[i].words) : NULL;
}

const char *
ls_planner_often_word (guint i)
{
  return i < G_N_ELEMENTS (amounts) ? _(amounts[i].words) : NULL;
}

const char *
ls_planner_months_word (guint i)
{
  return i < G_N_ELEMENTS (spans) ? _(spans[i].words) : NULL;
}

const char *
ls_planner_optimizer_word (guint i)
{
  static const char *const words[] = { N_("optimizer as in the run"), N_("SGD with momentum"), "Adam" };

  return i < G_N_ELEMENTS (words) ? _(words[i]) : NULL;
}

const char *
ls_planner_precision_word (guint i)
{
  return i == 0                ? _("precision as in the run")
         : i <= LS_PRECISION_N ? ls_precision_name ((LsPrecision) (i - 1))
                               : NULL;
}

static const char *const steps[] = { N_("as it is run"), "SGD, fp32",  "SGD, bf16", "SGD, fp16",
                                     "Adam, fp32",        "Adam, bf16", "Adam, fp16" };

const char *
ls_planner_step_word (guint i)
{
  return i < G_N_ELEMENTS (steps) ? _(steps[i]) : NULL;
}

void
ls_planner_choose_step (LsPlannerState *state, guint i)
{
  state->optimizer = i > 0 ? (i - 1) / LS_PRECISION_N + 1 : 0;
  state->precision = i > 0 ? (i - 1) % LS_PRECISION_N + 1 : 0;
}

/* ---- cards ---- */

static gboolean
is_card (const LsHardware *device)
{
  return ls_hardware_trains (device) && device->sort != LS_HARDWARE_CPU;
}

guint
ls_planner_n_cards (const LsCatalogue *catalogue)
{
  guint n = 0;

  for (guint i = 0; catalogue != NULL && i < catalogue->devices->len; i++)
    n += is_card (catalogue->devices->pdata[i]);
  return n;
}

const LsHardware *
ls_planner_card (const LsCatalogue *catalogue, guint number)
{
  for (guint i = 0, n = 0; catalogue != NULL && i < catalogue->devices->len; i++)
    if (is_card (catalogue->devices->pdata[i]) && ++n == number)
      return catalogue->devices->pdata[i];
  return NULL;
}

/* ---- the network ---- */

static void
open_network (LsPlanner *p)
{
  const LsViewData *data = p->layout->data;
  const LsRecording *recording = data->recording;
  const LsViewLane *lane = &data->sides[p->side];
  const char *text = recording != NULL                                 ? recording->model
                     : data->plan != NULL && data->plan->model != NULL ? data->plan->model->text
                                                                       : NULL;

  p->model = text != NULL ? ls_model_parse (text, NULL) : NULL; /* NULL: words that this program lacks */
  if (p->model == NULL)
    return;
  p->fit = (LsFit){ .model = p->model,
                    .n_classes = recording != NULL ? recording->n_classes : data->plan->n_classes,
                    .precision = p->asked->precision > 0 && p->asked->precision <= LS_PRECISION_N
                                   ? (LsPrecision) (p->asked->precision - 1)
                                   : lane->precision };
  memcpy (p->fit.in_shape, recording != NULL ? recording->in_shape : data->plan->in_shape,
          sizeof p->fit.in_shape);
  p->own_optimizer = recording != NULL ? recording->optimizer : data->plan->optimizer;
  p->optimizer = p->asked->optimizer == 1   ? LS_OPTIMIZER_SGD
                 : p->asked->optimizer == 2 ? LS_OPTIMIZER_ADAM
                                            : p->own_optimizer;
  if (lane->recorded != NULL && lane->recorded->device->numbers[LS_DEVICE_ALLOCATED + LS_MEMORY_DATA] >= 0)
    {
      p->fit.data_bytes = (gint64) lane->recorded->device->numbers[LS_DEVICE_ALLOCATED + LS_MEMORY_DATA];
      p->data_known = TRUE;
    }
  p->plan = p->batch > 0 ? ls_fit_plan (&p->fit, p->batch, p->optimizer) : NULL;
}

/* Samples of an epoch; 0: not known. */
static double
epoch_samples (const LsViewData *data)
{
  const char *text, *name;

  if (data->steps_per_epoch > 0)
    return (double) data->steps_per_epoch * data->batch;
  if (data->recording == NULL)
    return 0;
  text = g_hash_table_lookup (data->recording->conditions, LS_CONDITION_EPOCH);
  name = g_hash_table_lookup (data->recording->options, "data");
  if (text != NULL)
    return (double) g_ascii_strtoull (text, NULL, 10) * data->batch;
  return g_strcmp0 (name, "mnist") == 0 ? 60000 : 0; /* an older recording's, of the set that is shipped */
}

/* ---- what was measured ---- */

/* Of the faster lane of those whose rate stands, as in their heads, if it did the batch that is asked for. */
static void
open_measured (LsPlanner *p)
{
  const LsViewData *data = p->layout->data;
  double fastest = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsViewLane *lane = &data->sides[side];
      LsFigure step = { .unit = "s", .evidence = LS_EVIDENCE_MEASURED };
      LsCostRoofs roofs = { 0 };

      if (!ls_figure_stands (&lane->rate) || lane->rate.value <= fastest || data->batch == 0)
        continue;
      fastest = lane->rate.value;
      step.n = lane->rate.n;
      step.value = data->batch / lane->rate.value;
      step.q1 = data->batch / lane->rate.q3;
      step.q3 = data->batch / lane->rate.q1;
      if (lane->recorded != NULL)
        roofs = (LsCostRoofs){ lane->recorded->device->roofs[LS_ROOF_FLOPS].value,
                               lane->recorded->device->roofs[LS_ROOF_MEMORY].value };
      if (p->batch == data->batch && p->plan != NULL && ls_planner_is_own (p, side))
        {
          p->guide.step_here = step;
          p->guide.share = ls_cost_share (p->plan, &roofs, &step);
        }
      else if (p->model != NULL) /* the share that was reached with its own step */
        {
          LsFit fit = p->fit;

          p->guide.step_here = (LsFigure){ 0 }; /* a slower lane's */
          fit.precision = lane->precision;
          g_autoptr (LsPlan) own = ls_fit_plan (&fit, data->batch, p->own_optimizer);
          p->guide.share = own != NULL ? ls_cost_share (own, &roofs, &step) : p->guide.share;
        }
    }
}

gboolean
ls_planner_is_own (const LsPlanner *p, guint side)
{
  return p->optimizer == p->own_optimizer
         && (p->asked->precision == 0 || p->layout->data->sides[side].precision == p->fit.precision);
}

gboolean
ls_planner_allocated (const LsPlanner *p, guint side, LsStepMemory *memory)
{
  const LsRecordedLane *lane = p->layout->data->sides[side].recorded;
  double sum = 0;

  for (guint i = 0; lane != NULL && i < LS_MEMORY_N; i++)
    {
      const double bytes = lane->device->numbers[LS_DEVICE_ALLOCATED + i];
      if (!(bytes >= 0))
        return FALSE;
      memory->bytes[i] = (gint64) bytes;
      sum += bytes;
    }
  return lane != NULL && sum > 0;
}

/* ---- rows ---- */

/* most: bytes, beyond which it would leave the others too short to be seen. */
static void
add_row (LsPlanner *p, gdouble batch, double most)
{
  LsPlannerRow row = { .batch = (guint) CLAMP (batch, 1, LS_FIT_MAX_BATCH) };
  guint at = 0;

  while (at < p->n_rows && p->rows[at].batch < row.batch)
    at++;
  if (p->n_rows == LS_PLANNER_MAX_ROWS || (at < p->n_rows && p->rows[at].batch == row.batch)
      || !ls_fit_estimate (&p->fit, row.batch, p->optimizer, &row.memory)
      || (double) ls_step_memory_sum (&row.memory) > most)
    return;
  memmove (&p->rows[at + 1], &p->rows[at], (p->n_rows - at) * sizeof *p->rows);
  p->rows[at] = row;
  p->n_rows++;
}

/* The batch that is asked for, the run's own, and others around them. */
static void
open_rows (LsPlanner *p)
{
  static const double times[] = { 8, .125, 4, 16, 32, 2 };
  double most;

  if (p->model == NULL || p->batch == 0 || p->guide.work != LS_WORK_NETWORK)
    return;
  add_row (p, p->batch, HUGE_VAL);
  add_row (p, p->layout->data->batch, HUGE_VAL);
  most = p->n_rows > 0 ? FARTHEST * (double) ls_step_memory_sum (&p->rows[0].memory) : 0;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    add_row (p, p->batch * times[i], most);
}

/* ---- */

static void
open_prices (LsPlanner *p)
{
  const LsCatalogue *catalogue = p->layout->data->catalogue;

  p->guide.own = p->asked->card > 0 ? ls_planner_card (catalogue, p->asked->card) : NULL;
  if (catalogue != NULL)
    ls_guide_choose (&p->guide, catalogue->devices);
  if (p->asked->said[LS_PRICE_RENT] && p->guide.rent == NULL)
    p->guide.rent = p->guide.own;
  if (p->field && catalogue != NULL)
    {
      p->guide.own = p->guide.rent = ls_catalogue_find (catalogue, "v100", NULL);
      ls_prices_field (catalogue, &p->guide.prices);
    }
  else
    ls_prices_published (p->guide.rent, p->guide.own, TRUE, &p->guide.prices);
  for (guint i = 0; i < LS_PRICE_N; i++)
    if (p->asked->said[i])
      ls_prices_say (&p->guide.prices, (LsPriceKind) i, p->asked->prices[i], p->asked->said_on[i]);
}

void
ls_planner_follow (const LsPlanner *p, LsPlannerState *state)
{
  if (state->picked < 0 || state->price == 0)
    return;
  state->picked = LS_PLANNER_NONE;
  for (guint i = 0; i < p->figures->len; i++)
    if (g_array_index (p->figures, LsPlannerFigure, i).price == (gint) state->price - 1)
      state->picked = (gint) i;
}

void
ls_planner_open (LsPlanner *p, LsLayout *layout)
{
  const LsPlannerState *asked = layout->query.state;
  const guint train = MIN (asked->train, G_N_ELEMENTS (trainings) - 1),
              often = MIN (asked->often, G_N_ELEMENTS (amounts) - 1),
              span = MIN (asked->months, G_N_ELEMENTS (spans) - 1);
  const LsViewData *data = layout->data;

  *p
    = (LsPlanner){ .layout = layout, .asked = asked, .side = ls_view_data_side_of (data, LS_BACKEND_OPENCL) };
  p->figures = g_array_new (FALSE, TRUE, sizeof (LsPlannerFigure));
  g_array_set_clear_func (p->figures, ls_planner_figure_clear);
  p->field = trainings[train].field;
  p->batch = trainings[train].batch > 0 ? trainings[train].batch : data->batch;
  p->guide = (LsGuide){ .work = trainings[train].work,
                        .runs = amounts[often].runs,
                        .months = spans[span].months,
                        .budget = spans[span].budget,
                        .currency = "USD" };
  open_network (p);
  p->guide.plan = p->plan;
  p->guide.too_large = p->plan == NULL && p->model != NULL && p->batch > 0;
  if (p->model != NULL && p->fit.in_shape[1] == 1 && p->fit.in_shape[2] == 1 && epoch_samples (data) > 0)
    p->guide.table = (LsFigure){ .value = epoch_samples (data) * (double) p->fit.in_shape[0] * 4,
                                 .n = 1,
                                 .unit = "B",
                                 .evidence = LS_EVIDENCE_DERIVED };
  if (p->batch > 0 && epoch_samples (data) > 0)
    p->guide.steps = amounts[often].epochs * MAX (floor (epoch_samples (data) / p->batch), 1);
  open_measured (p);
  open_rows (p);
  for (guint i = 0; i < p->n_rows; i++)
    if (p->rows[i].batch == p->batch)
      p->guide.need = (LsFigure){ .value = (double) ls_step_memory_sum (&p->rows[i].memory),
                                  .n = 1,
                                  .unit = "B",
                                  .evidence = LS_EVIDENCE_DERIVED };
  if (data->sides[p->side].recorded != NULL && data->sides[p->side].recorded->device->global_mem > 0)
    p->guide.here = (LsFigure){ .value = (double) data->sides[p->side].recorded->device->global_mem,
                                .n = 1,
                                .unit = "B",
                                .evidence = LS_EVIDENCE_PUBLISHED };
  open_prices (p);
  if (p->field)
    ls_guide_field (&p->guide, &p->advice);
  else
    ls_guide_advise (&p->guide, &p->advice);
  ls_planner_figures (p);
  ls_planner_follow (p, layout->query.state);
}

void
ls_planner_close (LsPlanner *p)
{
  ls_advice_clear (&p->advice);
  g_clear_pointer (&p->figures, g_array_unref);
  g_clear_pointer (&p->plan, ls_plan_unref);
  g_clear_pointer (&p->model, ls_model_free);
}
