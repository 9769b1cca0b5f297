/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep bench`: how fast the lanes are on this machine, step by step (bench/rates.c), or with --sweep how
 * their rates grow (bench/sweep.c). What holds them against other libraries is a tool in tests/bench.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "ui/cli/bench/rates.h"
#include "ui/cli/bench/steps.h"
#include "ui/cli/bench/sweep.h"
#include "ui/cli/command.h"

#define SECONDS       60
#define QUICK_SECONDS 20
#define ROUNDS        7
#define QUICK_ROUNDS  3

static const LsCommandOption own[] = {
  { "only", N_("WORKLOADS"),
    N_("Measure these alone: names with commas, or what they begin with, such as mlp,cnn-128; recording "
        "too") },
  { "seconds", N_("N"), N_("Time for all that is measured, from 1 to 3600 [60; a sweep 20]") },
  { "quick", NULL, N_("Three rounds and 20 seconds: to see that it works") },
  { "json", N_("FILE"), N_("Write the results as JSON") },
  { "sweep", N_("WHAT"),
    N_("Instead: how the lanes’ rates grow with batch, width, threads or events; all of them if it isn’t "
        "said"),
    TRUE },
  { "csv", N_("FILE"), N_("With --sweep: write its points as CSV") },
#ifdef HAVE_PAINT
  { "out", N_("FILE"), N_("With --sweep: draw it, as .png, .svg or .pdf") },
#endif
  { NULL },
};

static gboolean
run_rates (const LsArguments *arguments, gboolean quick, double seconds, GError **error)
{
  const LsRatesWish wish = {
    .only = ls_arguments_get (arguments, "only"),
    .json = ls_arguments_get (arguments, "json"),
    .seconds = seconds > 0 ? seconds : SECONDS,
    .rounds = quick ? QUICK_ROUNDS : ROUNDS,
  };

  return ls_rates_run (&wish, arguments->options, error);
}

static gboolean
run_sweep (const LsArguments *arguments, gboolean quick, double seconds, GError **error)
{
  const LsSweepWish wish = {
    .what = ls_arguments_get (arguments, "sweep"),
    .csv = ls_arguments_get (arguments, "csv"),
    .out = ls_arguments_get (arguments, "out"),
    .quick = quick,
    .seconds = seconds,
  };

  return ls_sweep_run (&wish, arguments->options, error);
}

static LsExit
bench (const LsArguments *arguments, GError **error)
{
  static const char *const with_sweep[] = { "csv", "out" }, *const without[] = { "only", "json" };
  const gboolean sweep = ls_arguments_get (arguments, "sweep") != NULL,
                 quick = ls_arguments_get (arguments, "quick") != NULL;
  double seconds;

  for (gsize i = 0; !sweep && i < G_N_ELEMENTS (with_sweep); i++)
    if (ls_arguments_get (arguments, with_sweep[i]) != NULL)
      {
        g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s needs --sweep."), with_sweep[i]);
        return LS_EXIT_USAGE;
      }
  for (gsize i = 0; sweep && i < G_N_ELEMENTS (without); i++)
    if (ls_arguments_get (arguments, without[i]) != NULL)
      {
        g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s doesn’t go with --sweep."), without[i]);
        return LS_EXIT_USAGE;
      }
  if (!ls_bench_read_seconds (ls_arguments_get (arguments, "seconds"), quick ? QUICK_SECONDS : 0, &seconds,
                              error))
    return LS_EXIT_USAGE;
  return (sweep ? run_sweep : run_rates) (arguments, quick, seconds, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_bench = {
  .name = "bench",
  .title = N_("Measure how fast the lanes are on this machine"),
  .about = N_("“./dev bench” in the sources measures them beside other libraries."),
  .groups = LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL,
  .own = own,
  .run = bench,
};
