/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pipeline that is built for this very step: a stage for each product, with what follows it, and
 * multipliers dealt out so that all stages take about as long. A sample enters a stage every so many clocks
 * (its initiation interval); steps overlap, and the slowest stage sets the pace. Weights that don't fit onto
 * the chip are read for every step.
 */
#include "config.h"
#include "machines/work.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum { DSP, PER_MAC, CLOCK, DEPTH, CHIP, MEMORY, N };

static const LsAssumption assumptions[N] = {
  [DSP] = { "dsp", N_("DSP blocks"), "", 2520, 1, 1e6, TRUE,
            N_("a middle-sized chip: Zynq UltraScale+ ZU9EG") },
  [PER_MAC] = { "per-mac", N_("blocks a multiply-add"), "", 5, .25, 64, FALSE,
                N_("in fp32: three to multiply, two to add") },
  [CLOCK] = { "clock", N_("clock"), "MHz", 250, 1, 2000, FALSE, N_("what such designs reach") },
  [DEPTH] = { "depth", N_("clocks through a stage"), "", 60, 1, 100000, TRUE,
              N_("a multiplier and a tree of adders in fp32") },
  [CHIP] = { "chip", N_("memory on the chip"), "MiB", 4, .001, 65536, FALSE, N_("32.1 Mbit of block RAM") },
  [MEMORY] = { "memory", N_("memory"), "GB/s", 19.2, .1, 10000, FALSE, N_("64 bits of DDR4-2400") },
};

static void
fill (const LsHardware *device, LsAssumed *assumed)
{
  ls_assumed_fill (&ls_machine_fpga, assumed, MEMORY,
                   ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH).value / 1e9,
                   ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
}

typedef struct {
  guint op;
  double macs;    /* of a sample */
  double weights; /* bytes */
} Stage;

/* What comes before the first product goes with it; what follows a product, with that. */
static GArray *
stages_of (const LsPlan *plan, double *weights)
{
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);
  GArray *stages = g_array_new (FALSE, TRUE, sizeof (Stage));

  *weights = 0;
  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      Stage *last;

      if (work->head->phase == LS_PHASE_INPUT)
        continue;
      if (work->k > 0 || stages->len == 0)
        {
          const Stage next = { .op = work->op };
          g_array_append_val (stages, next);
        }
      last = &g_array_index (stages, Stage, stages->len - 1);
      last->macs += (work->product / 2 + work->others) / plan->batch;
      if (work->k > 0)
        last->weights += work->weights;
    }
  for (guint i = 0; i < plan->n_params; i++)
    *weights += (double) ls_tensor_bytes (&plan->tensors[plan->params[i].weight]);
  return stages;
}

static void
run (const LsPlan *plan, const double *value, LsMachineRun *run)
{
  double weights, all = 0;
  g_autoptr (GArray) stages = stages_of (plan, &weights);
  const double clock = value[CLOCK] * 1e6, multipliers = MAX (1, floor (value[DSP] / value[PER_MAC]));
  const gboolean on_chip = weights <= value[CHIP] * 1048576;

  for (guint i = 0; i < stages->len; i++)
    all += g_array_index (stages, Stage, i).macs;
  for (guint i = 0; i < stages->len; i++)
    {
      const Stage *stage = &g_array_index (stages, Stage, i);
      /* as many of them as its share of the work, one at least */
      const double own = MAX (1, floor (multipliers * stage->macs / all)),
                   interval = ceil (stage->macs / own),
                   compute = (interval * plan->batch + value[DEPTH]) / clock,
                   memory = on_chip ? 0 : stage->weights / (value[MEMORY] * 1e9),
                   seconds = MAX (compute, memory);

      run->interval = MAX (run->interval, seconds);
      ls_machine_run_add (run, stage->op, seconds,
                          memory > compute                        ? LS_HELD_BY_MEMORY
                          : value[DEPTH] > interval * plan->batch ? LS_HELD_BY_FILL
                                                                  : LS_HELD_BY_COMPUTE,
                          stage->macs * plan->batch / (own * clock * seconds));
      g_array_index (run->ops, LsMachineOp, run->ops->len - 1).interval = interval;
    }
  run->weights = weights;
  run->chip = value[CHIP] * 1048576;
}

const LsMachine ls_machine_fpga = {
  .name = "fpga",
  .title = N_("FPGA pipeline"),
  .about = N_(
    "A circuit for this very step: a stage for each product, all at work at once on different steps."),
  .limit = N_(
    "steps overlap, so a step’s weights aren’t yet the newest; one multiplier may take several blocks"),
  .pipeline = TRUE,
  .sort = LS_HARDWARE_FPGA,
  .assumptions = assumptions,
  .n_assumptions = N,
  .shown = { DSP, CLOCK, PER_MAC },
  .fill = fill,
  .run = run,
};
