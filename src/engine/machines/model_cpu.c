/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A processor: what there is to compute, and then the bytes, each from the cache that still holds it. The two
 * are added, as in the execution-cache-memory model (Stengel, Treibig, Hager, Wellein 2015, "Quantifying
 * performance bottlenecks of stencil computations"), whose transfers between caches don't overlap with loads.
 * Products of few rows or columns spend more of their time on packing. Vectors are padded to their width.
 * Windows of pools are done one number at a time.
 */
#include "config.h"
#include "machines/reuse.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum { CORES, LANES, RATE, SHARE, L2_SIZE, L2_RATE, L3_SIZE, L3_RATE, MEMORY, START, SHARING, TURNS, N };

#define MIB       1048576.
#define PACK_COLS 10.
#define PACK_ROWS 14.
#define TILE      128

static const LsAssumption assumptions[N] = {
  [CORES] = { "cores", N_("cores"), "", 8, 1, 4096, TRUE, N_("a desktop processor") },
  [LANES] = { "lanes", N_("numbers in a vector"), "", 16, 1, 64, TRUE, N_("vectors of 512 bits") },
  [RATE] = { "rate", N_("a core"), "GFLOP/s", 192, .1, 10000, FALSE,
             N_("two fused multiply-adds of 16 numbers a clock, at 3 GHz") },
  [SHARE] = { "share", N_("products reach"), "", .85, .05, 1, FALSE,
              N_("chosen: tuned libraries’ large products lie between .7 and .95 of the peak") },
  [L2_SIZE] = { "l2", N_("second cache, a core"), "MiB", 1, .0625, 256, FALSE, N_("a desktop processor") },
  [L2_RATE] = { "l2-rate", N_("second cache’s rate, a core"), "GB/s", 200, 1, 10000, FALSE,
                N_("64 bytes a clock at most, at 3 GHz") },
  [L3_SIZE] = { "l3", N_("third cache"), "MiB", 32, .0625, 4096, FALSE, N_("a desktop processor") },
  [L3_RATE] = { "l3-rate", N_("third cache’s rate, a core"), "GB/s", 100, 1, 10000, FALSE,
                N_("half of the second cache’s rate") },
  [MEMORY] = { "memory", N_("memory"), "GB/s", 50, .1, 20000, FALSE,
               N_("two channels of DDR4-3200: 51.2 GB/s") },
  [START] = { "start", N_("to start an op"), "µs", .2, 0, 1000, FALSE,
              N_("chosen: some hundred clocks between two ops") },
  [SHARING] = { "sharing", N_("to share it out"), "µs", 2.5, 0, 1000, FALSE,
                N_("chosen: some thousand clocks until all threads are at it, and all have ended") },
  [TURNS] = { "turns", N_("lanes that take turns"), "", 1, 1, 64, TRUE,
              N_("one, which has the caches for itself") },
};

static void
measured (const LsDeviceInfo *device, guint turns, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_cpu;
  const double threads = device->threads > 0 ? device->threads : (double) NAN;
  const LsFigure *roofs = device->roofs;

  if (device->who != LS_BACKEND_CPU || roofs[LS_ROOF_FLOPS].n == 0)
    return;
  ls_assumed_take (self, assumed, CORES, threads, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, LANES, device->numbers[LS_DEVICE_LOOP_FLOATS], LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, RATE, roofs[LS_ROOF_FLOPS].value / threads / 1e9, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, SHARE, roofs[LS_ROOF_GEMM].value / roofs[LS_ROOF_FLOPS].value,
                   LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, L2_SIZE, device->numbers[LS_DEVICE_L2] / MIB, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, L2_RATE, roofs[LS_ROOF_L2].value / threads / 1e9, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, L3_SIZE, device->numbers[LS_DEVICE_L3] / MIB, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, L3_RATE, roofs[LS_ROOF_L3].value / threads / 1e9, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, MEMORY, roofs[LS_ROOF_MEMORY].value / 1e9, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, TURNS, turns, LS_ASSUMED_MEASURED);
  /* not SHARING of the roof of launches: threads that have just worked on nothing are at it again in a tenth
   * of the time that they take in a step */
}

static void
fill (const LsHardware *device, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_cpu;
  const double cores = ls_hardware_figure (device, LS_HARDWARE_CORES).value,
               peak = ls_hardware_peak (device, LS_NUMBERS_FP32).value;
  const LsHardwareFigure *rate = ls_hardware_peak_figure (device, LS_NUMBERS_FP32);

  ls_assumed_fill (self, assumed, CORES, cores, ls_hardware_first (device, LS_HARDWARE_CORES));
  if (cores > 0)
    ls_assumed_fill (self, assumed, RATE, peak / cores / 1e9,
                     rate != NULL ? rate : ls_hardware_first (device, LS_HARDWARE_CLOCK));
  ls_assumed_fill (self, assumed, MEMORY, ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH).value / 1e9,
                   ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
}

/* Vectors lie along a row of C; a convolution's along the pixels of a plane, or, towards its weights, along
 * the outputs. */
static double
padded (const LsPlan *plan, const LsMachineWork *work, double lanes)
{
  const LsTensor *out = &plan->tensors[work->head->out[0]];
  const gint64 width = work->head->attr.kernel == 0            ? work->n
                       : work->head->klass == &ls_op_conv2d_dw ? out->shape[0]
                                                               : out->shape[2] * out->shape[3];

  return width > 0 ? ceil ((double) width / lanes) * lanes / (double) width : 1;
}

/* Before it is multiplied, a tile of r rows and c columns is packed: (r + c)·k numbers for r·c·k products,
 * which takes the share PACK_COLS/c + PACK_ROWS/r of their time (fitted to OpenBLAS, as backends/cpu/grid.c
 * has it). The share that products reach holds for tiles of TILE rows and columns; larger products are cut
 * into such, and thinner ones pack more. */
static double
packing (const LsMachineWork *work)
{
  const double usual = 1 + PACK_COLS / TILE + PACK_ROWS / TILE;

  if (work->head->attr.kernel > 0 || work->k == 0)
    return 1;
  return (1 + PACK_COLS / (double) MIN (work->n, TILE) + PACK_ROWS / (double) MIN (work->m, TILE)) / usual;
}

static void
run (const LsPlan *plan, const double *value, LsMachineRun *run)
{
  const double cores = value[CORES], rate = value[RATE] * 1e9 * cores, start = value[START] * 1e-6,
               sharing = value[SHARING] * 1e-6,
               /* a clock's worth of a core: two multiply-adds of a vector */
    vector = rate / 4, scalar = vector / value[LANES],
               sizes[] = { value[L2_SIZE] * MIB * cores, value[L3_SIZE] * MIB },
               rates[] = { value[L2_RATE] * 1e9 * cores, value[L3_RATE] * 1e9 * cores, value[MEMORY] * 1e9 };
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);
  g_autofree double *passed = g_new0 (double, plan->n_ops),
                    *reuse = ls_machine_reuse (plan, sizes, G_N_ELEMENTS (sizes), (guint) value[TURNS],
                                               passed);

  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      const double *bytes = reuse + (gsize) work->op * G_N_ELEMENTS (rates);
      const gboolean window = work->k == 0 && work->head->attr.kernel > 0;
      const double product = work->product / rate / value[SHARE] * packing (work),
                   padding = product * (padded (plan, work, value[LANES]) - 1),
                   others = work->others / (window ? scalar : vector);
      double compute = product + padding + others, cache = 0, memory = bytes[2] / rates[2], begin = start,
             seconds;
      LsHeldBy held_by = LS_HELD_BY_START;

      /* the samples of a batch lie anywhere in the data set */
      if (work->head->phase == LS_PHASE_INPUT)
        memory += work->written / rates[2];
      for (guint level = 0; level < 2; level++)
        cache += bytes[level] / rates[level];
      /* what another core wrote comes out of that one's second cache, no faster than out of the third */
      cache += passed[work->op] * (1 - 1 / cores) * MAX (1 / rates[1] - 1 / rates[0], 0);
      /* of little work one core does all */
      if (sharing + compute + cache > cores * (compute + cache))
        {
          compute *= cores;
          cache *= cores;
        }
      else
        begin += sharing;
      seconds = begin + compute + cache + memory;
      if (compute > MAX (begin, MAX (cache, memory)))
        held_by = padding > product ? LS_HELD_BY_PADDING : LS_HELD_BY_COMPUTE;
      else if (MAX (cache, memory) > begin)
        held_by = cache > memory ? LS_HELD_BY_CACHE : LS_HELD_BY_MEMORY;
      ls_machine_run_add (run, work->op, seconds, held_by,
                          work->product + work->others > 0 ? (work->product + work->others) / rate / seconds
                                                           : (double) NAN);
    }
}

const LsMachine ls_machine_cpu = {
  .name = "cpu",
  .title = N_("Processor"),
  .about = N_("A few cores with wide vectors; what is used again waits in caches."),
  .limit = N_("caches hold whole tensors, and cores wait for no one but the memory"),
  .sort = LS_HARDWARE_CPU,
  .assumptions = assumptions,
  .n_assumptions = N,
  .shown = { CORES, RATE, MEMORY },
  .fill = fill,
  .measured = measured,
  .run = run,
};
