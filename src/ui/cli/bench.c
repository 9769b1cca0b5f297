/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep bench`: how fast the lanes are on this machine, step by step (bench/rates.c). How their rates
 * grow is measured by `lockstep lab`; what holds them against other libraries is a tool in tests/bench.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "ui/cli/bench/rates.h"
#include "ui/cli/bench/steps.h"
#include "ui/cli/command.h"

#define SECONDS       60
#define QUICK_SECONDS 20
#define ROUNDS        7
#define QUICK_ROUNDS  3

static const LsCommandOption own[] = {
  { "only", N_("WORKLOADS"),
    N_("Measure these alone: names with commas, or what they begin with, such as mlp,cnn-128; recording "
        "too") },
  { "seconds", N_("N"), N_("Time for all that is measured, from 1 to 3600 [60]") },
  { "quick", NULL, N_("Three rounds and 20 seconds: to see that it works") },
  { "json", N_("FILE"), N_("Write the results as JSON"), TRUE },
  { NULL },
};

static LsExit
bench (const LsArguments *arguments, GError **error)
{
  const gboolean quick = ls_arguments_get (arguments, "quick") != NULL;
  LsRatesWish wish = {
    .only = ls_arguments_get (arguments, "only"),
    .json = ls_arguments_get (arguments, "json"),
    .rounds = quick ? QUICK_ROUNDS : ROUNDS,
  };

  if (!ls_bench_read_seconds (ls_arguments_get (arguments, "seconds"), quick ? QUICK_SECONDS : SECONDS,
                              &wish.seconds, error))
    return LS_EXIT_USAGE;
  return ls_rates_run (&wish, arguments->options, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

const LsCommand ls_command_bench = {
  .name = "bench",
  .title = N_("Measure how fast the lanes are on this machine"),
  .about = N_("“./dev bench” in the sources measures them beside other libraries."),
  .groups = LS_OPTION_GROUP_LANES | LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL,
  .own = own,
  .run = bench,
};
