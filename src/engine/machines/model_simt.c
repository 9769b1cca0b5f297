/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU that runs the same instruction on all work-items of a warp. Work-groups go to units as far as
 * registers, local memory and warps have room (occupancy); while a warp waits for memory others issue (Hong,
 * Kim 2009, "An analytical model for a GPU architecture with memory-level and thread-level parallelism
 * awareness"): of W warps that share a scheduler one tile takes max(W · issue, wait + issue). Over all lie
 * the roofs of second cache and memory.
 */
#include "config.h"
#include "machines/reuse.h"
#include "machines/simt.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum {
  UNITS,
  LANES,
  WARP,
  WARPS,
  OCCUPANCY,
  CLOCK,
  GROUP,
  REGISTERS,
  OWN_REGISTERS,
  LOCAL,
  WAIT,
  COALESCED,
  L2_SIZE,
  L2_RATE,
  MEMORY,
  LAUNCH,
  N
};

#define DEPTH 16 /* of a tile along k */

#define GA10X N_("NVIDIA’s GA10x, as the documentation of oxicuda-launch has it")
#define CARD  N_("like a GeForce RTX 3060: “lockstep hardware 3060”")

static const LsAssumption assumptions[N] = {
  [UNITS] = { "units", N_("units"), "", 28, 1, 1024, TRUE, CARD },
  [LANES] = { "lanes", N_("lanes of a unit"), "", 128, 1, 1024, TRUE, CARD },
  [WARP] = { "warp", N_("lanes in a warp"), "", 32, 1, 1024, TRUE, GA10X },
  [WARPS] = { "warps", N_("warps in flight"), "", 48, 1, 1024, TRUE, GA10X },
  [OCCUPANCY] = { "occupancy", N_("share of them, at most"), "", 1, .01, 1, FALSE,
                  N_("all that there is room for") },
  [CLOCK] = { "clock", N_("clock"), "GHz", 1.777, .01, 20, FALSE, CARD },
  [GROUP] = { "group", N_("work-items in a group"), "", 256, 16, 1024, TRUE,
              N_("as our kernel “register” has them") },
  [REGISTERS] = { "registers", N_("registers of a unit"), "KiB", 256, 1, 65536, FALSE, GA10X },
  [OWN_REGISTERS] = { "own-registers", N_("registers of a work-item"), "", 64, 8, 255, TRUE,
                      N_("16 sums, 8 operands, addresses, and as many again") },
  [LOCAL] = { "local", N_("local memory"), "KiB", 100, 1, 65536, FALSE, GA10X },
  [WAIT] = { "wait", N_("wait for memory"), N_("clocks"), 500, 0, 100000, FALSE,
             N_("some hundred clocks on any of them") },
  [COALESCED] = { "coalesced", N_("bytes used of those moved"), "", 1, .01, 1, FALSE,
                  N_("neighbouring work-items read neighbouring numbers") },
  [L2_SIZE] = { "l2", N_("second cache"), "MiB", 3, .01, 4096, FALSE, N_("a card of that size") },
  [L2_RATE] = { "l2-rate", N_("second cache’s rate"), "GB/s", 1400, 1, 1000000, FALSE,
                N_("four times as fast as its memory") },
  [MEMORY] = { "memory", N_("memory"), "GB/s", 360, .1, 100000, FALSE, CARD },
  [LAUNCH] = { "launch", N_("to start a kernel"), "µs", 3, 0, 100000, FALSE,
               N_("between two kernels in a queue; a framework needs up to 20") },
};

static void
measured (const LsDeviceInfo *device, guint turns, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_simt;
  const LsFigure *roofs = device->roofs;
  const double units = device->units > 0 ? device->units : (double) NAN, lanes = assumed->value[LANES];

  if (device->kind != LS_DEVICE_GPU || roofs[LS_ROOF_FLOPS].n == 0)
    return;
  ls_assumed_take (self, assumed, UNITS, units, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, CLOCK, roofs[LS_ROOF_FLOPS].value / units / lanes / 2e9,
                   LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, LOCAL, (double) device->local_mem / 1024, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, MEMORY, roofs[LS_ROOF_MEMORY].value / 1e9, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, L2_RATE, 4 * roofs[LS_ROOF_MEMORY].value / 1e9, LS_ASSUMED_MEASURED);
  ls_assumed_take (self, assumed, LAUNCH, 1e6 / roofs[LS_ROOF_LAUNCH].value, LS_ASSUMED_MEASURED);
}

static void
fill (const LsHardware *device, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_simt;
  const double cores = ls_hardware_figure (device, LS_HARDWARE_CORES).value / device->parts,
               units = ls_hardware_figure (device, LS_HARDWARE_UNITS).value / device->parts,
               clock = ls_hardware_figure (device, LS_HARDWARE_CLOCK).value / 1e9,
               memory = ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH).value / device->parts / 1e9;
  const LsHardwareFigure *vector = ls_hardware_get (device, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32,
                                                    LS_MEANS_VECTOR);

  if (units > 0)
    ls_assumed_fill (self, assumed, LANES, cores / units, ls_hardware_first (device, LS_HARDWARE_CORES));
  ls_assumed_fill (self, assumed, UNITS, units > 0 ? units : cores / assumed->value[LANES],
                   units > 0 ? ls_hardware_first (device, LS_HARDWARE_UNITS)
                             : ls_hardware_first (device, LS_HARDWARE_CORES));
  ls_assumed_fill (self, assumed, CLOCK, clock, ls_hardware_first (device, LS_HARDWARE_CLOCK));
  if (vector != NULL && cores > 0)
    ls_assumed_fill (self, assumed, CLOCK, vector->figure.value / device->parts / cores / 2e9, vector);
  ls_assumed_fill (self, assumed, MEMORY, memory, ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
  ls_assumed_fill (self, assumed, L2_RATE, 4 * memory, ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
}

/* ---- one product ---- */

static guint
floor_of (double value)
{
  return value >= 1 ? (guint) MIN (value, 1e9) : 1;
}

static guint
a_scheduler (const double *value, guint warps)
{
  const double schedulers = MAX (1, value[LANES] / value[WARP]);

  return floor_of (ceil (warps / schedulers));
}

guint
ls_simt_warps_a_scheduler (const double *value, const LsSimtProduct *product)
{
  return a_scheduler (value, product->warps);
}

double
ls_simt_turn (const LsSimtProduct *product, guint n_warps)
{
  return MAX (n_warps * product->issue, product->wait + product->issue);
}

/* Each work-item makes a square of block × block, of one part of k. */
static void
cut (const double *value, gint64 m, gint64 n, gint64 k, guint block, guint parts, LsSimtProduct *p)
{
  const double side = floor (sqrt (value[GROUP])), edge = block * side,
               group_warps = ceil (side * side / value[WARP]),
               /* the two tiles' numbers that a work-item loads for one step along k, and its share of
                * instructions that aren't multiply-adds: two rows of registers, four numbers at a time */
    loads = 2 * edge * DEPTH / (side * side), sums = (double) block * block * DEPTH,
               reads = 2. * block * DEPTH / MIN (block, 4);
  const double by_registers = value[REGISTERS] * 1024 / (4 * value[OWN_REGISTERS] * side * side),
               by_local = value[LOCAL] * 1024 / (2 * edge * DEPTH * 4),
               by_warps = value[WARPS] * value[OCCUPANCY] / group_warps;
  double rounds, left, one;

  p->edge = (guint) edge;
  p->parts = parts;
  p->groups = (guint) MIN (parts * ceil ((double) m / edge) * ceil ((double) n / edge), (double) G_MAXUINT32);
  p->a_unit = floor_of (ceil (p->groups / value[UNITS]));
  p->at_once = MIN (floor_of (MIN (by_registers, MIN (by_local, by_warps))), p->a_unit);
  p->warps = floor_of (p->at_once * group_warps);
  p->occupancy = MIN (1, p->warps / value[WARPS]);
  p->tiles = floor_of (ceil (ceil ((double) k / parts) / DEPTH));
  p->issue = sums + reads + 2 * loads;
  /* a scheduler issues one instruction a clock; a warp wider than a unit's lanes takes several */
  p->issue *= MAX (1, value[WARP] / value[LANES]);
  p->wait = value[WAIT];
  rounds = floor ((double) p->a_unit / p->at_once);
  left = p->a_unit - rounds * p->at_once;
  one = ls_simt_turn (p, ls_simt_warps_a_scheduler (value, p));
  p->clocks = rounds * p->tiles * one;
  p->last = left > 0 ? floor_of (left * group_warps) : 0;
  if (p->last > 0)
    p->clocks += p->tiles * ls_simt_turn (p, a_scheduler (value, p->last));
  if (parts > 1) /* written, and read to be added up */
    p->clocks += 2. * parts * (double) m * (double) n * 4 / (value[L2_RATE] / value[CLOCK]) + value[WAIT];
  p->useful = parts * (double) m * (double) n / (p->groups * edge * edge);
}

void
ls_simt_product (const double *value, gint64 m, gint64 n, gint64 k, LsSimtProduct *product)
{
  static const guint blocks[] = { 4, 2, 1 };

  product->clocks = (double) INFINITY;
  for (gsize i = 0; i < G_N_ELEMENTS (blocks); i++)
    for (guint parts = 1; parts == 1 || (gint64) parts * DEPTH <= k; parts *= 2)
      {
        LsSimtProduct other;
        cut (value, m, n, k, blocks[i], parts, &other);
        if (other.clocks < product->clocks)
          *product = other;
        if (other.groups >= 2 * value[UNITS])
          break;
      }
}

/* ---- clock by clock ---- */

/* The warp that has been ready longest goes first, so that they take turns in their order: warp w begins its
 * tile t at wait + w · issue + t · turn. */
static LsWarpState
state_of (const LsSimtProduct *product, guint n_warps, guint warp, double clock)
{
  const double since = clock - product->wait - warp * product->issue,
               phase = fmod (since, ls_simt_turn (product, n_warps));

  if (warp >= n_warps)
    return LS_WARP_DONE;
  if (since < 0)
    return clock < product->wait ? LS_WARP_WAITS : LS_WARP_READY;
  return phase < product->issue                   ? LS_WARP_RUNS
         : phase < product->issue + product->wait ? LS_WARP_WAITS
                                                  : LS_WARP_READY;
}

LsWarpState
ls_simt_warp_at (const double *value, const LsSimtProduct *product, guint warp, double clock)
{
  const guint n_warps = ls_simt_warps_a_scheduler (value, product);
  const double rounds = floor ((double) product->a_unit / product->at_once),
               last = rounds * product->tiles * ls_simt_turn (product, n_warps);

  if (clock < 0 || clock > product->clocks)
    return LS_WARP_NONE;
  return clock < last || product->last == 0
           ? state_of (product, n_warps, warp, clock)
           : state_of (product, a_scheduler (value, product->last), warp, clock - last);
}

/* ---- a step ---- */

static double
seconds_of (const double *value, const LsMachineWork *work, const double *bytes, LsHeldBy *held_by,
            double *used, double *useful)
{
  const double clock = value[CLOCK] * 1e9, peak = value[UNITS] * value[LANES] * clock,
               launch = value[LAUNCH] * 1e-6, round_trip = value[WAIT] / clock;
  const double others = work->others / peak, memory = bytes[1] / value[COALESCED] / (value[MEMORY] * 1e9);
  double cache = (bytes[0] + bytes[1]) / value[COALESCED] / (value[L2_RATE] * 1e9), compute = others, seconds;
  LsSimtProduct p = { .useful = 1 };

  if (work->k > 0)
    {
      ls_simt_product (value, work->m, work->n, work->k, &p);
      compute += p.clocks / clock;
      cache = MAX (cache, (double) p.groups * 2 * p.edge * (double) work->k / p.parts * 4 / value[COALESCED]
                            / (value[L2_RATE] * 1e9));
    }
  else
    compute += round_trip;
  seconds = launch + MAX (compute, MAX (cache, memory));
  *useful = work->k > 0 ? p.useful : (double) NAN;
  *used = (work->product / 2 + work->others) / peak / seconds;
  if (launch >= seconds - launch)
    *held_by = LS_HELD_BY_START;
  else if (compute >= MAX (cache, memory))
    *held_by = work->k == 0 ? (others > round_trip ? LS_HELD_BY_COMPUTE : LS_HELD_BY_LATENCY)
               : p.useful < .5 || p.groups < value[UNITS] / 2                       ? LS_HELD_BY_PADDING
               : ls_simt_warps_a_scheduler (value, &p) * p.issue < p.wait + p.issue ? LS_HELD_BY_LATENCY
                                                                                    : LS_HELD_BY_COMPUTE;
  else
    *held_by = memory >= cache ? LS_HELD_BY_MEMORY : LS_HELD_BY_CACHE;
  return seconds;
}

static void
run (const LsPlan *plan, const double *value, LsMachineRun *run)
{
  const double sizes[] = { value[L2_SIZE] * 1048576 };
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);
  g_autofree double *reuse = ls_machine_reuse (plan, sizes, 1, 1, NULL);

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

const LsMachine ls_machine_simt = {
  .name = "simt",
  .title = N_("SIMT GPU"),
  .about = N_(
    "Many units, each with warps of work-items that run the same instruction; while one warp waits for "
    "memory, another one runs."),
  .limit = N_(
    "each kernel begins when the one before it has ended, and the library cuts products as suits them"),
  .sort = LS_HARDWARE_GPU,
  .assumptions = assumptions,
  .n_assumptions = N,
  .shown = { UNITS, WARPS, CLOCK },
  .fill = fill,
  .measured = measured,
  .run = run,
};
