/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes as children, their turns, and what a recorded step costs them.
 */
#include "config.h"
#include "lab/lanes.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "lab/machine.h"
#include "lab/step.h"
#include "trace/event.h"

#define TOO_LONG 2 /* times what all rounds were to take: no further one is begun */

static LsLabChild *
open_lane (const LsLabLanes *lanes, guint lane, GError **error)
{
  const LsLaneSpec *spec = lanes->specs->pdata[lane];

  return ls_lab_child_self (spec->backend->name, spec->options, NULL, lanes->cancel, error);
}

gboolean
ls_lab_lanes_start (LsLabLanes *lanes, const LsOptions *options, GCancellable *cancel, GError **error)
{
  gboolean any = FALSE;

  *lanes = (LsLabLanes){ .specs = ls_lane_specs_new (options, error), .cancel = cancel };
  if (lanes->specs == NULL)
    return FALSE;
  lanes->busy = ls_machine_others (cancel);
  for (guint i = 0; i < lanes->specs->len && !g_cancellable_is_cancelled (cancel); i++)
    {
      g_autoptr (GError) why = NULL;

      lanes->children[i] = open_lane (lanes, i, &why);
      any = any || lanes->children[i] != NULL;
      if (lanes->children[i] == NULL)
        lanes->why[i] = ls_sentence (why->message);
    }
  if (g_cancellable_is_cancelled (cancel))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  else if (any)
    return TRUE;
  else
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                         _("No lane works, so there is nothing to measure."));
  return FALSE;
}

void
ls_lab_lanes_tell (const LsLabLanes *lanes, LsLabTell tell, gpointer data)
{
  if (lanes->specs == NULL || g_cancellable_is_cancelled (lanes->cancel))
    return;
  if (lanes->busy > LS_MACHINE_BUSY)
    tell (TRUE, _("The machine is busy with other programs: the figures are not those of a quiet one."),
          data);
  for (guint i = 0; i < lanes->specs->len; i++)
    {
      g_autofree char *title = ls_lab_lane_title (lanes, i);
      g_autofree char *text = lanes->children[i] != NULL
                                ? g_strdup_printf ("%s: %s", title, ls_lab_child_title (lanes->children[i]))
                                : g_strdup_printf (_("The %s is missing: %s"), title, lanes->why[i]);

      tell (lanes->children[i] == NULL, text, data);
    }
}

void
ls_lab_lanes_clear (LsLabLanes *lanes)
{
  for (guint i = 0; i < LS_MAX_LANES; i++)
    {
      g_clear_pointer (&lanes->children[i], ls_lab_child_free);
      g_clear_pointer (&lanes->why[i], g_free);
    }
  g_clear_pointer (&lanes->specs, g_ptr_array_unref);
}

char *
ls_lab_lane_title (const LsLabLanes *lanes, guint lane)
{
  return g_strdup_printf (_("%s lane"), ((const LsLaneSpec *) lanes->specs->pdata[lane])->title);
}

gboolean
ls_lab_lane_here (LsLabLanes *lanes, guint lane, GError **error)
{
  if (lanes->why[lane] != NULL)
    return FALSE;
  if (lanes->children[lane] != NULL && ls_lab_child_gone (lanes->children[lane]))
    g_clear_pointer (&lanes->children[lane], ls_lab_child_free);
  if (lanes->children[lane] == NULL)
    lanes->children[lane] = open_lane (lanes, lane, error);
  return lanes->children[lane] != NULL;
}

LsLabChild *
ls_lab_lane_with_threads (const LsLabLanes *lanes, guint lane, guint threads, GError **error)
{
  const LsLaneSpec *spec = lanes->specs->pdata[lane];
  g_autoptr (LsOptions) options = ls_options_copy (spec->options);
  g_autofree char *old = g_strdup_printf ("POCL_MAX_PTHREAD_COUNT=%u", threads),
                  *new = g_strdup_printf ("POCL_CPU_MAX_CU_COUNT=%u", threads),
                  *units = g_strdup_printf (LS_UNITS_VARIABLE "=%u", threads);
  const char *const environment[] = { old, new, units, NULL };
  LsLabChild *child;

  options->threads = threads;
  child = ls_lab_child_self (spec->backend->name, options, environment, lanes->cancel, error);
  if (child != NULL && ls_lab_child_threads (child) != threads)
    g_clear_pointer (&child, ls_lab_child_free);
  return child;
}

void
ls_lab_take_turns (LsLabChild *const *children, guint n, double seconds, guint rounds, guint limit_s,
                   GArray *const *times, GError **errors)
{
  const guint64 start = ls_clock_ns (), enough = start + (guint64) (TOO_LONG * seconds * n * rounds * 1e9);

  for (guint round = 0; round < rounds && (round == 0 || ls_clock_ns () < enough); round++)
    for (guint i = 0; i < n; i++)
      if (children[i] != NULL && errors[i] == NULL)
        ls_lab_child_run (children[i], 0, seconds, limit_s, times[i], &errors[i]);
}

LsFigure
ls_figure_per_second (const LsFigure *us, double amount, const char *unit)
{
  LsFigure rate = *us;

  rate.unit = unit;
  if (rate.n > 0)
    {
      rate.value = 1e6 * amount / us->value;
      rate.q1 = 1e6 * amount / us->q3;
      rate.q3 = 1e6 * amount / us->q1;
    }
  return rate;
}

gboolean
ls_lab_recording_cost (LsLabChild *child, double seconds, guint limit_s, LsRecordingCost *cost,
                       GError **error)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double)),
                     recorded = g_array_new (FALSE, FALSE, sizeof (double));

  if (!ls_lab_child_prepare (child, LS_LAB_MLP, limit_s, NULL, error)
      || !ls_lab_child_record (child, seconds, plain, recorded, &cost->events, error))
    return FALSE;
  cost->plain_us = ls_figure_of_samples ((gpointer) plain->data, plain->len, "µs");
  for (guint i = 0; i < recorded->len; i++)
    {
      double *us = &g_array_index (recorded, double, i);
      *us = 100 * (*us / cost->plain_us.value - 1);
    }
  cost->percent = ls_figure_of_samples ((gpointer) recorded->data, recorded->len, "%");
  return TRUE;
}
