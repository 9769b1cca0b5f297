/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long each model takes for a preset with its defaults: its answer alone, its answer with which
 * assumption moves it most (so many answers more), and apart from these the proof that an array computes what
 * plain loops do, on the sample that the window tries and on the largest product that the command line does.
 * Times are of the processor, the median and the longest of several. Status 1: an answer takes longer than 50
 * ms. bench-models [--json FILE]
 */
#include "tests/paint/bench.h"

#include <string.h>

#include "files/json.h"
#include "machines/proof.h"
#include "machines/systolic.h"
#include "machines/tensor_core.h"

#define ROUNDS  15
#define MOST_MS 50.

static const char *const presets[] = { "mlp", "cnn", "lstm" };

static void
fill (float *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    values[i] = (float) (i % 17) / 8 - 1;
}

/* The array or the instructions on a product of that size, made up: a proof without its plain loops. */
static double
work_ms (const LsMachine *machine, guint m, guint n, guint k)
{
  g_autofree float *a = g_new (float, (gsize) m *k), *b = g_new (float, (gsize) k *n),
                   *c = g_new (float, (gsize) m *n);
  const double start = bench_ms ();

  fill (a, (gsize) m * k);
  fill (b, (gsize) k * n);
  if (machine == &ls_machine_systolic)
    ls_systolic_multiply (&(LsSystolic){ 128, 128 }, m, n, k, a, b, c);
  else
    ls_tensor_core_multiply (&(LsTensorTile){ 16, 16, 16 }, m, n, k, a, b, c);
  return bench_ms () - start;
}

static gboolean
measure (const LsMachine *machine, const char *preset, json_t *rows)
{
  g_autoptr (LsModel) model = ls_model_parse (preset, NULL);
  const gint64 shape[3] = { 1, 28, 28 };
  g_autoptr (LsPlan) plan = ls_plan_new (model, shape, 10, 128, LS_OPTIMIZER_SGD, NULL);
  double answer[ROUNDS], moves[ROUNDS], by;
  LsAssumed assumed;

  ls_machine_assume (machine, &assumed);
  for (guint i = 0; i < ROUNDS; i++)
    {
      double start = bench_ms ();
      g_autoptr (LsMachineRun) run = ls_machine_run (machine, plan, &assumed);
      answer[i] = bench_ms () - start;
      start = bench_ms ();
      ls_machine_moves_most (machine, plan, &assumed, &by);
      moves[i] = bench_ms () - start;
    }
  const BenchSpread a = bench_spread (answer, ROUNDS), m = bench_spread (moves, ROUNDS);
  json_t *row = ls_json_object (rows, NULL);
  ls_json_text (row, "machine", machine->name);
  ls_json_text (row, "network", preset);
  ls_json_number (row, "answer_ms", a.p50);
  ls_json_number (row, "answer_most_ms", a.max);
  ls_json_number (row, "moves_most_ms", m.p50);
  g_print ("%-10s %-5s %9.3f %9.3f %9.3f ms%s\n", machine->name, preset, a.p50, a.max, m.p50,
           a.max > MOST_MS ? "   more than 50 ms" : "");
  return a.max <= MOST_MS;
}

int
main (int argc, char **argv)
{
  const char *path = argc > 2 && strcmp (argv[1], "--json") == 0 ? argv[2] : NULL;
  g_autoptr (json_t) json = json_object ();
  json_t *rows = ls_json_array (json, "rows");
  gboolean quick = TRUE;
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  g_print ("%-10s %-5s %9s %9s %9s\n", "model", "", "answer", "at most", "+ moves");
  for (guint i = 0; i < n; i++)
    for (guint p = 0; p < G_N_ELEMENTS (presets); p++)
      quick = measure (machines[i], presets[p], rows) && quick;
  g_print ("\nApart from these, the arrays cell by cell, once for a recorded step:\n");
  g_print ("systolic   in the window, 64x196 by 196x128: %6.1f ms; on the command line, up to %g cell beats: "
           "%6.1f ms\n",
           work_ms (&ls_machine_systolic, 64, 128, 196), LS_PROOF_MOST,
           work_ms (&ls_machine_systolic, 128, 256, 784));
  g_print ("tensor     in the window, 128x392 by 392x128: %6.1f ms; on the command line, 128x784 by 784x256: "
           "%6.1f ms\n",
           work_ms (&ls_machine_tensor, 128, 128, 392), work_ms (&ls_machine_tensor, 128, 256, 784));
  if (path != NULL)
    json_dump_file (json, path, JSON_INDENT (1));
  return quick ? 0 : 1;
}
