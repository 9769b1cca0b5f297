/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A panel's dots from a result of the laboratory, and the law over them.
 */
#include "config.h"
#include "ui/paint/scaling/scaling.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/number.h"

typedef struct {
  const char *experiment, *title;
} Row;

static const Row rows[LS_SCALING_N] = {
  [LS_SCALING_THREADS] = { "threads", N_("Threads and units") },
  [LS_SCALING_FLIGHT] = { "flight", N_("Work in flight") },
  [LS_SCALING_BATCH] = { "batch", N_("Batch") },
  [LS_SCALING_SIZE] = { "size", N_("Matrix size") },
  [LS_SCALING_EDGE] = { "edge", N_("Tile edge") },
  [LS_SCALING_WIDTH] = { "width", N_("Width") },
  [LS_SCALING_TILES] = { "tiles", N_("Tiles per op") },
};

const char *
ls_scaling_title (LsScalingKind kind)
{
  return gettext (rows[kind].title);
}

const LsExperiment *
ls_scaling_experiment (LsScalingKind kind)
{
  return ls_experiment_find (rows[kind].experiment);
}

static const LsLabPoint *
point (const LsLabResult *result, guint lane, guint i)
{
  return &g_array_index (result->points[lane], LsLabPoint, i);
}

static double
amount_at (const LsLabResult *result, guint x)
{
  LsLabPlan plan;

  result->experiment->plan (result->options, (LsLabSpot){ x, 0 }, &plan);
  g_free (plan.spec);
  return plan.amount;
}

/* Of the experiment's unit, that what is measured at x does once; a law's line also goes between sizes. */
static double
amount (const LsLabResult *result, double x)
{
  const guint whole = (guint) x;
  const double low = amount_at (result, whole), rest = x - whole;

  return rest > 0 ? low + rest * (amount_at (result, whole + 1) - low) : low;
}

/* ---- what a rate is on the axis ---- */

/* The compute roof of that lane where the data know it, GFLOP/s; 0: unknown. */
static double
roof_of (const LsViewData *data, const LsLabResult *result, guint lane)
{
  const LsLaneSpec *spec = result->specs->pdata[lane];

  for (guint side = 0; side < LS_SIDES; side++)
    if (data->sides[side].recorded != NULL && data->sides[side].recorded->device != NULL
        && g_strcmp0 (data->sides[side].id, spec->id) == 0)
      return data->sides[side].recorded->device->roofs[LS_ROOF_FLOPS].value / 1e9;
  return 0;
}

static gboolean
has_roofs (const LsViewData *data, const LsLabResult *result)
{
  gboolean all = !result->foreign; /* another machine's are others */

  for (guint lane = 0; lane < result->specs->len; lane++)
    all = all && (result->points[lane]->len == 0 || roof_of (data, result, lane) > 0);
  return all;
}

static LsScalingValue
value_of (const LsScalingPanel *panel)
{
  const gboolean rate = ls_scaling_asked (&panel->layout->query)->rate;

  switch (panel->kind)
    {
    case LS_SCALING_THREADS:
      return LS_SCALING_SPEED_UP;
    case LS_SCALING_FLIGHT:
      return LS_SCALING_OF_BEST;
    case LS_SCALING_SIZE:
      return !rate                                                                     ? LS_SCALING_TIME
             : panel->result != NULL && has_roofs (panel->layout->data, panel->result) ? LS_SCALING_OF_ROOF
                                                                                       : LS_SCALING_GFLOPS;
    case LS_SCALING_EDGE:
      return rate ? LS_SCALING_GFLOPS : LS_SCALING_TIME;
    default:
      return rate ? LS_SCALING_PER_S : LS_SCALING_TIME;
    }
}

double
ls_scaling_value (const LsScalingPanel *panel, const LsScalingLane *lane, double x, double rate)
{
  if (panel->value == LS_SCALING_TIME)
    return amount (panel->result, x) / rate * 1e9 / panel->unit_ns;
  return rate / lane->one;
}

/* What the lane's rates are divided by. */
static double
one_of (const LsScalingPanel *panel, const LsLabResult *result, guint lane)
{
  double best = 0;

  for (guint i = 0; i < result->points[lane]->len; i++)
    best = MAX (best, point (result, lane, i)->rate.value);
  switch (panel->value)
    {
    case LS_SCALING_SPEED_UP:
      return point (result, lane, 0)->rate.value / point (result, lane, 0)->x;
    case LS_SCALING_OF_BEST:
      return best / 100;
    case LS_SCALING_OF_ROOF:
      return roof_of (panel->layout->data, result, lane) / 100;
    default:
      return 1;
    }
}

/* Time's unit is the largest dot's; along a logarithmic axis that of the middle between both ends. */
static void
choose_unit (LsScalingPanel *panel)
{
  const gboolean wide = panel->kind == LS_SCALING_SIZE || panel->kind == LS_SCALING_WIDTH;
  double longest = 0, shortest = G_MAXDOUBLE;

  for (guint lane = 0; lane < panel->result->specs->len; lane++)
    for (guint i = 0; i < panel->result->points[lane]->len; i++)
      {
        const LsLabPoint *p = point (panel->result, lane, i);
        const double ns = amount (panel->result, p->x) / p->rate.value * 1e9;
        longest = MAX (longest, ns);
        shortest = MIN (shortest, ns);
      }
  panel->unit = ls_number_time_unit (wide ? sqrt (MIN (shortest, longest)) * sqrt (longest) : longest,
                                     &panel->unit_ns);
}

/* ---- the law ---- */

static void
fit_lane (LsScalingPanel *panel, guint lane)
{
  LsScalingLane *own = &panel->lanes[lane];

  own->fitted = ls_lab_fit (panel->result, lane, &own->fit);
  for (guint i = 0; i < own->dots->len; i++)
    g_array_index (own->dots, LsScalingDot, i).covered = own->fitted && own->fit.law.holds
                                                         && i >= own->fit.first
                                                         && i < own->fit.first + own->fit.n;
}

double
ls_scaling_law (const LsScalingPanel *panel, const LsScalingLane *lane, double x, double *low, double *high)
{
  const gboolean of_time = lane->fit.law.law == LS_LAW_LINEAR;
  /* A step of x samples takes what the law says, µs, and that is x samples. */
  const double at = ls_law_at (&lane->fit.law, x), rate = of_time ? 1e6 * x / at : at;
  double from, to;

  ls_law_band (&lane->fit.law, x, &from, &to);
  if (low != NULL)
    *low = ls_scaling_value (panel, lane, x, of_time ? 1e6 * x / to : from);
  if (high != NULL)
    *high = ls_scaling_value (panel, lane, x, of_time ? 1e6 * x / from : to);
  return ls_scaling_value (panel, lane, x, rate);
}

/* ---- the panel ---- */

static void
take_dots (const LsScalingPanel *panel, const LsLabResult *result, guint lane, LsScalingLane *own)
{
  const guint n = result->points[lane]->len;

  own->dots = g_array_sized_new (FALSE, FALSE, sizeof (LsScalingDot), n);
  if (n == 0)
    return;
  own->one = one_of (panel, result, lane);
  own->last_rate = point (result, lane, n - 1)->rate.value;
  for (guint i = 0; i < n; i++)
    {
      const LsLabPoint *p = point (result, lane, i);
      const double a = ls_scaling_value (panel, own, p->x, p->rate.q1),
                   b = ls_scaling_value (panel, own, p->x, p->rate.q3);
      const LsScalingDot dot = { p->x, ls_scaling_value (panel, own, p->x, p->rate.value), MIN (a, b),
                                 MAX (a, b), FALSE };

      g_array_append_val (own->dots, dot);
    }
}

void
ls_scaling_panel_init (LsScalingPanel *panel, LsLayout *layout, LsScalingKind kind)
{
  *panel = (LsScalingPanel){ .layout = layout, .kind = kind };
  panel->result = ls_view_data_lab (layout->data, ls_scaling_experiment (kind));
  panel->law = ls_scaling_experiment (kind)->law;
  panel->value = value_of (panel);
  panel->evidence = panel->value == LS_SCALING_TIME || panel->value == LS_SCALING_PER_S ? LS_EVIDENCE_MEASURED
                                                                                        : LS_EVIDENCE_DERIVED;
  if (panel->result == NULL)
    return;
  panel->names = ls_view_names_of (panel->result->specs);
  choose_unit (panel);
  if (kind == LS_SCALING_FLIGHT)
    panel->beside = ls_view_data_lab (layout->data, &ls_experiment_flight_compute);
  if (panel->beside != NULL && !ls_lab_result_goes_with (panel->result, panel->beside))
    panel->beside = NULL;
  for (guint lane = 0; lane < panel->result->specs->len; lane++)
    {
      take_dots (panel, panel->result, lane, &panel->lanes[lane]);
      fit_lane (panel, lane);
      if (panel->beside != NULL)
        take_dots (panel, panel->beside, lane, &panel->others[lane]);
    }
}

void
ls_scaling_panel_clear (LsScalingPanel *panel)
{
  for (guint lane = 0; lane < LS_MAX_LANES; lane++)
    {
      g_clear_pointer (&panel->lanes[lane].dots, g_array_unref);
      g_clear_pointer (&panel->others[lane].dots, g_array_unref);
    }
  g_clear_pointer (&panel->names, g_array_unref);
}

gboolean
ls_scaling_has_dots (const LsScalingPanel *panel)
{
  return panel->result != NULL && ls_lab_result_has_points (panel->result);
}
