/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep bench`: how fast the lanes are, beside other libraries on the same machine in the same minutes.
 * Each workload is a row (bench/work.c), each contender a process that waits for its turn (bench/peers.c),
 * and each round gives everyone one. With --sweep: how the lanes' rates grow instead (bench/sweep.c).
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "ui/cli/bench/bench.h"
#include "ui/cli/bench/machine.h"
#include "ui/cli/bench/sweep.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

#define SECONDS         180
#define QUICK_SECONDS   20
#define ROUNDS          7
#define QUICK_ROUNDS    3
#define BANDWIDTH_SHARE .01 /* of the time */
#define RECORDING_SHARE .03 /* of each lane */

/* What is measured beside the rows, as --only calls it. */
enum { RECORDING, ALWAYS };
static const char *const extras[] = { "recording", "events", NULL };

static const LsCommandOption own[] = {
  { "only", N_("WORKLOADS"),
    N_("Measure these alone: names with commas, or what they begin with, such as mlp,gemm-128x784x256; "
        "recording and events too") },
  { "seconds", N_("N"),
    N_("Time for all that is measured, from 1 to 3600 [180]; preparing takes about half a minute more") },
  { "quick", NULL, N_("Three rounds and 20 seconds: to see that it works") },
  { "peers", N_("FOLDER"), N_("Where the programs of other libraries are [those of the build]") },
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

static void
bench_free (LsBench *bench)
{
  ls_contenders_clear (bench->contenders);
  g_clear_pointer (&bench->rows, g_ptr_array_unref);
  g_free (bench);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBench, bench_free)

/* Children have none of these; the program itself left OPENBLAS_CORETYPE behind when it started. */
static void
say_unset (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (const char *const *name = ls_bench_child_unset (); *name != NULL; name++)
    if (g_getenv (*name) != NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", *name);
  if (names->len > 0)
    ls_terminal_print (_("Taken out of the environment of all that is measured: %s.\n"), names->str);
}

static gboolean
run_rows (LsBench *bench, const GPtrArray *works, double seconds, GError **error)
{
  double shares = 0;

  for (guint i = 0; i < works->len; i++)
    shares += ((const LsWork *) works->pdata[i])->share;
  for (guint i = 0; i < works->len; i++)
    {
      const LsWork *work = works->pdata[i];
      LsBenchRow *row = ls_bench_row_new (work, error);
      g_autofree char *text = ls_work_text (work);

      if (row == NULL)
        return FALSE;
      ls_terminal_print (_("%u of %u: %s\n"), i + 1, works->len, text);
      ls_bench_row_run (row, bench->contenders, seconds * work->share / shares, bench->rounds);
      g_ptr_array_add (bench->rows, row);
    }
  return TRUE;
}

static guint
kinds_of (const GPtrArray *works)
{
  guint kinds = 0;

  for (guint i = 0; i < works->len; i++)
    kinds |= ((const LsWork *) works->pdata[i])->kind;
  return kinds;
}

static gboolean
measure (LsBench *bench, const GPtrArray *works, guint wanted, GError **error)
{
  double seconds = bench->seconds;

  if (wanted & (1u << RECORDING | 1u << ALWAYS))
    ls_terminal_print (_("What watching costs\n"));
  for (guint lane = 0; lane < LS_BENCH_LANES && (wanted & 1u << RECORDING); lane++)
    {
      ls_bench_measure_recording (bench, (LsPeerId) lane, RECORDING_SHARE * bench->seconds);
      seconds -= RECORDING_SHARE * bench->seconds;
    }
  if (works->len > 0)
    ls_bench_measure_bandwidth (bench, BANDWIDTH_SHARE * bench->seconds);
  if (!run_rows (bench, works, seconds - BANDWIDTH_SHARE * bench->seconds, error))
    return FALSE;
  if (wanted & 1u << ALWAYS)
    ls_bench_measure_always (bench);
  return TRUE;
}

static gboolean
read_seconds (const LsArguments *arguments, double seconds, double *value, GError **error)
{
  const char *text = ls_arguments_get (arguments, "seconds");
  guint64 n;

  *value = seconds;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 1, 3600, &n, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--seconds takes a whole number from 1 to 3600."));
      return FALSE;
    }
  *value = (double) n;
  return TRUE;
}

static LsExit
run_bench (const LsArguments *arguments, GError **error)
{
  const char *json = ls_arguments_get (arguments, "json"), *folder = ls_arguments_get (arguments, "peers");
  const gboolean quick = ls_arguments_get (arguments, "quick") != NULL;
  g_autoptr (LsBench) bench = g_new0 (LsBench, 1);
  g_autoptr (GPtrArray) works = NULL;
  guint wanted;

  bench->options = arguments->options;
  bench->rounds = quick ? QUICK_ROUNDS : ROUNDS;
  bench->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_bench_row_free);
  works = ls_works_choose (ls_arguments_get (arguments, "only"), extras, &wanted, error);
  if (works == NULL || !read_seconds (arguments, quick ? QUICK_SECONDS : SECONDS, &bench->seconds, error)
      || (json != NULL && !ls_output_check (json, error)))
    return LS_EXIT_FAILED;
  bench->busy = ls_machine_others ();
  say_unset ();
  ls_contenders_start (bench->contenders, bench->options, folder != NULL ? folder : ls_peers_folder (),
                       kinds_of (works));
  ls_bench_print_head (bench);
  if (bench->contenders[LS_PEER_CPU].child == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("Without the CPU lane there is nothing to measure."));
      return LS_EXIT_FAILED;
    }
  if (!measure (bench, works, wanted, error))
    return LS_EXIT_FAILED;
  ls_bench_print (bench);
  return json == NULL || ls_bench_save (bench, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

static LsExit
run_sweep (const LsArguments *arguments, GError **error)
{
  LsSweepWish wish = {
    .what = ls_arguments_get (arguments, "sweep"),
    .csv = ls_arguments_get (arguments, "csv"),
    .out = ls_arguments_get (arguments, "out"),
    .quick = ls_arguments_get (arguments, "quick") != NULL,
  };

  if (!read_seconds (arguments, wish.quick ? QUICK_SECONDS : 0, &wish.seconds, error)
      || !ls_sweep_run (&wish, arguments->options, error))
    return LS_EXIT_FAILED;
  return LS_EXIT_DONE;
}

static LsExit
bench (const LsArguments *arguments, GError **error)
{
  static const char *const with_sweep[] = { "csv", "out" }, *const without[] = { "only", "json", "peers" };
  const gboolean sweep = ls_arguments_get (arguments, "sweep") != NULL;

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
  return sweep ? run_sweep (arguments, error) : run_bench (arguments, error);
}

const LsCommand ls_command_bench = {
  .name = "bench",
  .title = N_("Measure how fast the lanes are, beside other libraries"),
  .about = N_("“./dev bench” installs the other libraries first and gives their programs."),
  .groups = LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL,
  .own = own,
  .run = bench,
};
