/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU whose products are done by units for small matrices. Operands are stored in 16 bits; what is left
 * over is done by the ordinary lanes. Matrices are padded to the instruction's tile, and work-groups to their
 * square of C.
 */
#include "config.h"
#include "machines/reuse.h"
#include "machines/tensor_core.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum { UNITS, CORES, TILE_M, TILE_N, TILE_K, RATE, CLOCK, LANES, WAIT, L2_SIZE, L2_RATE, MEMORY, LAUNCH, N };

#define CARD N_("like an A100 of 40 GB: “lockstep hardware a100 40”")

static const LsAssumption assumptions[N] = {
  [UNITS] = { "units", N_("units"), "", 108, 1, 1024, TRUE, CARD },
  [CORES] = { "cores", N_("tensor cores of a unit"), "", 4, 1, 64, TRUE, CARD },
  [TILE_M] = { "tile-m", N_("rows of its tile"), "", 16, 1, 256, TRUE,
               N_("as programs call them: 16×16×16") },
  [TILE_N] = { "tile-n", N_("columns of its tile"), "", 16, 1, 256, TRUE,
               N_("as programs call them: 16×16×16") },
  [TILE_K] = { "tile-k", N_("depth of its tile"), "", 16, 1, 256, TRUE,
               N_("as programs call them: 16×16×16") },
  [RATE] = { "rate", N_("multiply-adds a clock, a core"), "", 256, 1, 65536, TRUE,
             N_("312 TFLOP/s by 432 cores and 1.41 GHz") },
  [CLOCK] = { "clock", N_("clock"), "GHz", 1.41, .01, 20, FALSE, CARD },
  [LANES] = { "lanes", N_("ordinary lanes of a unit"), "", 64, 1, 1024, TRUE, CARD },
  [WAIT] = { "wait", N_("wait for memory"), N_("clocks"), 500, 0, 100000, FALSE,
             N_("some hundred clocks on any of them") },
  [L2_SIZE] = { "l2", N_("second cache"), "MiB", 40, .01, 4096, FALSE, N_("a card of that size") },
  [L2_RATE] = { "l2-rate", N_("second cache’s rate"), "GB/s", 6000, 1, 1000000, FALSE,
                N_("four times as fast as its memory") },
  [MEMORY] = { "memory", N_("memory"), "GB/s", 1555, .1, 100000, FALSE, CARD },
  [LAUNCH] = { "launch", N_("to start a kernel"), "µs", 3, 0, 100000, FALSE,
               N_("between two kernels in a queue; a framework needs up to 20") },
};

static void
fill (const LsHardware *device, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_tensor;
  const double parts = device->parts,
               cores = ls_hardware_figure (device, LS_HARDWARE_MATRIX_CORES).value / parts,
               published = ls_hardware_figure (device, LS_HARDWARE_UNITS).value / parts,
               units = published > 0 ? published : cores / assumed->value[CORES],
               lanes = ls_hardware_figure (device, LS_HARDWARE_CORES).value,
               clock = ls_hardware_figure (device, LS_HARDWARE_CLOCK).value / 1e9,
               memory = ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH).value / parts / 1e9;
  const LsHardwareFigure *matrix = ls_hardware_get (device, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP16,
                                                    LS_MEANS_MATRIX);

  if (!(cores > 0))
    return;
  ls_assumed_fill (self, assumed, UNITS, units,
                   published > 0 ? ls_hardware_first (device, LS_HARDWARE_UNITS)
                                 : ls_hardware_first (device, LS_HARDWARE_MATRIX_CORES));
  ls_assumed_fill (self, assumed, CORES, cores / units, ls_hardware_first (device, LS_HARDWARE_MATRIX_CORES));
  ls_assumed_fill (self, assumed, LANES, lanes / parts / units,
                   ls_hardware_first (device, LS_HARDWARE_CORES));
  ls_assumed_fill (self, assumed, CLOCK, clock, ls_hardware_first (device, LS_HARDWARE_CLOCK));
  if (matrix != NULL)
    ls_assumed_fill (self, assumed, RATE,
                     matrix->figure.value / parts / 2 / cores / (assumed->value[CLOCK] * 1e9), matrix);
  ls_assumed_fill (self, assumed, MEMORY, memory, ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
  ls_assumed_fill (self, assumed, L2_RATE, 4 * memory, ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
}

/* Clocks of a product whose work-groups make squares of that edge, each of one part of k. */
static double
clocks_of (const double *value, const LsMachineWork *work, double edge, double parts, double *groups)
{
  const LsTensorTile tile = { (guint) value[TILE_M], (guint) value[TILE_N], (guint) value[TILE_K] };
  const double one = value[TILE_M] * value[TILE_N] * value[TILE_K] / value[RATE],
               instructions = ls_tensor_core_instructions (&tile, edge, edge,
                                                           ceil ((double) work->k / parts)),
               /* written, and read to be added up */
    adding = parts > 1 ? 2 * parts * (double) work->m * (double) work->n * 4 / (value[L2_RATE] / value[CLOCK])
                           + value[WAIT]
                       : 0;

  *groups = parts * ceil ((double) work->m / edge) * ceil ((double) work->n / edge);
  return ceil (*groups / value[UNITS]) * ceil (instructions / value[CORES]) * one + value[WAIT] + adding;
}

static double
seconds_of (const double *value, const LsMachineWork *work, const double *bytes, LsHeldBy *held_by,
            double *used, double *useful)
{
  static const double edges[] = { 128, 64, 32, 16 };
  const LsTensorTile tile = { (guint) value[TILE_M], (guint) value[TILE_N], (guint) value[TILE_K] };
  const double clock = value[CLOCK] * 1e9, lanes = value[UNITS] * value[LANES] * clock,
               peak = value[UNITS] * value[CORES] * value[RATE] * clock, launch = value[LAUNCH] * 1e-6,
               memory = bytes[1] / (value[MEMORY] * 1e9);
  double compute = work->others / lanes, cache = (bytes[0] + bytes[1]) / (value[L2_RATE] * 1e9), groups = 0,
         least = 0, moved = 0, seconds;

  for (gsize i = 0; work->k > 0 && i < G_N_ELEMENTS (edges); i++)
    for (double parts = 1; parts <= 1 || parts * value[TILE_K] <= (double) work->k; parts *= 2)
      {
        double there;
        const double clocks = clocks_of (value, work, edges[i], parts, &there);
        if (least <= 0 || clocks < least)
          {
            least = clocks;
            groups = there;
            moved = there * 2 * edges[i] * (double) work->k / parts * 2;
          }
        if (there >= 2 * value[UNITS])
          break;
      }
  compute += work->k > 0 ? least / clock : value[WAIT] / clock;
  /* both operands' tiles, 16 bits each, for every square of C */
  cache = MAX (cache, moved / (value[L2_RATE] * 1e9));
  seconds = launch + MAX (compute, MAX (cache, memory));
  *useful = work->k > 0 ? ls_tensor_core_useful (&tile, (double) work->m, (double) work->n, (double) work->k)
                        : (double) NAN;
  *used = work->k > 0 ? work->product / 2 / peak / seconds : (double) NAN;
  if (launch >= seconds - launch)
    *held_by = LS_HELD_BY_START;
  else if (compute >= MAX (cache, memory))
    *held_by = work->k == 0 || value[WAIT] > least / 2     ? LS_HELD_BY_LATENCY
               : groups < value[UNITS] / 2 || *useful < .5 ? LS_HELD_BY_PADDING
                                                           : LS_HELD_BY_COMPUTE;
  else
    *held_by = memory >= cache ? LS_HELD_BY_MEMORY : LS_HELD_BY_CACHE;
  return seconds;
}

static void
run (const LsPlan *plan, const double *value, LsMachineRun *run)
{
  const double sizes[] = { value[L2_SIZE] * 1048576 };
  g_autoptr (LsPlan) half = ls_plan_with_precision ((LsPlan *) plan, LS_PRECISION_BF16);
  g_autoptr (GArray) works = ls_machine_work (half, FALSE);
  g_autofree double *reuse = ls_machine_reuse (half, sizes, 1, 1, NULL);

  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      LsHeldBy held_by;
      double used, useful;
      const double seconds = seconds_of (value, work, reuse + (gsize) work->op * 2, &held_by, &used, &useful);

      ls_machine_run_add (run, work->op, seconds, held_by, used);
      g_array_index (run->ops, LsMachineOp, i).useful = useful;
    }
}

const LsMachine ls_machine_tensor = {
  .name = "tensor",
  .title = N_("Tensor cores"),
  .about = N_("A GPU whose products are done by units for small matrices: a whole tile in one instruction."),
  .limit = N_("numbers differ: operands have 16 bits, sums 32"),
  .sort = LS_HARDWARE_GPU,
  .assumptions = assumptions,
  .n_assumptions = N,
  .shown = { UNITS, RATE, TILE_M },
  .fill = fill,
  .run = run,
};
