/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes as children, their turns, and what a recorded step costs them.
 */
#include "config.h"
#include "ui/cli/bench/lanes.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "ui/cli/bench/machine.h"
#include "ui/cli/bench/steps.h"
#include "ui/report/terminal.h"

static const char *const names[LS_SWEEP_LANES] = { "cpu", "opencl" };
static const char *const titles[LS_SWEEP_LANES] = { N_("CPU lane"), N_("OpenCL lane") };

const char *
ls_bench_lane_name (guint lane)
{
  return names[lane];
}

const char *
ls_bench_lane_title (guint lane)
{
  return _(titles[lane]);
}

void
ls_bench_print_unset (void)
{
  g_autoptr (GString) given = g_string_new (NULL);

  for (const char *const *name = ls_bench_child_unset (); *name != NULL; name++)
    if (g_getenv (*name) != NULL)
      g_string_append_printf (given, "%s%s", given->len > 0 ? ", " : "", *name);
  if (given->len > 0)
    ls_terminal_print (_("Taken out of the environment of all that is measured: %s.\n"), given->str);
}

gboolean
ls_bench_lanes_start (LsBenchLanes *lanes, const LsOptions *options, GError **error)
{
  gboolean any = FALSE;

  lanes->options = options;
  lanes->busy = ls_machine_others ();
  if (lanes->busy > LS_MACHINE_BUSY)
    ls_terminal_complain (
      _("The machine is busy with other programs: the figures are not those of a quiet one.\n"));
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    {
      g_autoptr (GError) why = NULL;

      lanes->children[lane] = ls_bench_child_self (names[lane], options, NULL, &why);
      any = any || lanes->children[lane] != NULL;
      if (lanes->children[lane] == NULL)
        {
          g_autofree char *sentence = ls_sentence (why->message);
          ls_terminal_complain (_("The %s is missing: %s\n"), _(titles[lane]), sentence);
        }
      else
        ls_terminal_print ("%s: %s\n", _(titles[lane]), ls_bench_child_title (lanes->children[lane]));
    }
  if (!any)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                         _("No lane works, so there is nothing to measure."));
  return any;
}

void
ls_bench_lanes_clear (LsBenchLanes *lanes)
{
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    g_clear_pointer (&lanes->children[lane], ls_bench_child_free);
}

void
ls_bench_complain (guint lane, const char *what, const GError *error)
{
  g_autofree char *sentence = ls_sentence (error->message);

  ls_terminal_complain (_("%s, %s: %s\n"), _(titles[lane]), what, sentence);
}

void
ls_bench_take_turns (LsBenchChild *const children[LS_SWEEP_LANES], const char *what, double seconds,
                     guint rounds, guint limit_s, GArray *const times[LS_SWEEP_LANES])
{
  gboolean good[LS_SWEEP_LANES];

  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    good[lane] = children[lane] != NULL;
  for (guint round = 0; round < rounds; round++)
    for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
      {
        g_autoptr (GError) error = NULL;

        if (!good[lane])
          continue;
        good[lane] = ls_bench_child_run (children[lane], 0, seconds / LS_SWEEP_LANES / rounds, limit_s,
                                         times[lane], &error);
        if (!good[lane])
          ls_bench_complain (lane, what, error);
      }
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
ls_bench_recording_cost (LsBenchChild *child, double seconds, guint limit_s, LsRecordingCost *cost,
                         GError **error)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double)),
                     recorded = g_array_new (FALSE, FALSE, sizeof (double));

  if (!ls_bench_child_prepare (child, LS_BENCH_MLP, limit_s, NULL, error)
      || !ls_bench_child_record (child, seconds, plain, recorded, &cost->events, error))
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

void
ls_bench_print_recording (guint lane, const LsRecordingCost *cost)
{
  if (cost->percent.n > 0)
    ls_terminal_print (
      _("%s: a recorded step takes %+.1f %% [%+.1f … %+.1f] more time and holds %u events.\n"),
      _(titles[lane]), cost->percent.value, cost->percent.q1, cost->percent.q3, cost->events);
}
