/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `./dev bench`: how fast the lanes are, beside other libraries on the same machine in the same minutes. Each
 * workload is a row (work.c), each contender a process that waits for its turn (peers.c), and each round
 * gives everyone one. What should come out of it is in targets.c. The lanes by themselves: `lockstep bench`,
 * on whose parts this is built.
 */
#include "config.h"
#include "bench.h"

#include "backends/cpu/gemm.h"
#include "core/error.h"
#include "files/output.h"
#include "start.h"
#include "lab/machine.h"
#include "ui/cli/bench/rates.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"
#include "workers.h"

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
  { "only", "WORKLOADS",
    "Measure these alone: names with commas, or what they begin with, such as mlp,gemm-128x784x256; "
    "recording and events too" },
  { "seconds", "N",
    "Time for all that is measured, from 1 to 3600 [180]; preparing takes about half a minute more" },
  { "quick", NULL, "Three rounds and 20 seconds: to see that it works" },
  { "peers", "FOLDER", "Where the programs of other libraries are [those of the build]" },
  { "beside", "N",
    "Beside N processes that do nothing but loop, from 0 to 64 [0]: lanes and other libraries alike" },
  { "json", "FILE", "Write the results as JSON" },
  { NULL },
};

static void
bench_free (LsBench *bench)
{
  ls_contenders_clear (bench->contenders);
  ls_beside_free (bench->beside);
  g_clear_pointer (&bench->rows, g_ptr_array_unref);
  g_free (bench);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBench, bench_free)

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
      ls_terminal_print ("%u of %u: %s\n", i + 1, works->len, text);
      ls_bench_row_run (row, bench->contenders, seconds * work->share / shares, bench->rounds, bench->beside);
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
    ls_terminal_print ("What watching costs\n");
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

static LsExit
run_bench (const LsArguments *arguments, GError **error)
{
  const char *json = ls_arguments_get (arguments, "json"), *folder = ls_arguments_get (arguments, "peers");
  const gboolean quick = ls_arguments_get (arguments, "quick") != NULL;
  g_autoptr (LsBench) bench = g_new0 (LsBench, 1);
  g_autoptr (GPtrArray) works = NULL;
  guint wanted;

  bench->options = arguments->options;
  bench->vector = ls_gemm_loop_floats ();
  bench->rounds = quick ? QUICK_ROUNDS : ROUNDS;
  bench->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_bench_row_free);
  works = ls_works_choose (ls_arguments_get (arguments, "only"), extras, &wanted, error);
  if (works == NULL
      || !ls_bench_read_seconds (ls_arguments_get (arguments, "seconds"), quick ? QUICK_SECONDS : SECONDS,
                                 &bench->seconds, error)
      || !ls_beside_read (ls_arguments_get (arguments, "beside"), &bench->n_beside, error)
      || (json != NULL && !ls_file_try_save (json, error)))
    return LS_EXIT_FAILED;
  bench->busy = ls_machine_others (NULL);
  ls_bench_print_unset ();
  ls_contenders_start (bench->contenders, bench->options, folder != NULL ? folder : ls_peers_folder (),
                       kinds_of (works));
  ls_bench_print_head (bench);
  if (bench->contenders[LS_PEER_CPU].child == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           "Without the CPU lane there is nothing to measure.");
      return LS_EXIT_FAILED;
    }
  bench->beside = ls_beside_new (bench->n_beside, error);
  if (bench->beside == NULL || !measure (bench, works, wanted, error))
    return LS_EXIT_FAILED;
  ls_bench_print (bench);
  return json == NULL || ls_bench_save (bench, json, error) ? LS_EXIT_DONE : LS_EXIT_FAILED;
}

static const LsCommand command = {
  .name = "bench",
  .title = "Measure how fast the lanes are, beside other libraries",
  .about = "“./dev bench” installs the other libraries first.",
  .groups = LS_OPTION_GROUP_CPU | LS_OPTION_GROUP_OPENCL,
  .own = own,
  .run = run_bench,
};

static LsExit
run_line (int argc, char **argv)
{
  return ls_command_run ("./dev", &command, argv);
}

int
main (int argc, char **argv)
{
  /* What it shares with the installed program is translated there. */
  g_setenv ("LANGUAGE", "en", TRUE);
  return ls_start (argc, argv, ls_workers (), run_line);
}
