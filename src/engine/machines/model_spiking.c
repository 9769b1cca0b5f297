/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Neurons that add up what comes in and send a spike when they have enough. A sample is shown for so many
 * time steps; a step of the clock is as long however little happens, and what happens costs energy: an event
 * at each synapse that a spike comes to.
 */
#include "config.h"
#include "machines/work.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum { CORES, NEURONS, TICK, STEPS, ACTIVE, EVENT, N };

static const LsAssumption assumptions[N] = {
  [CORES] = { "cores", N_("cores"), "", 128, 1, 1e6, TRUE, N_("Intel Loihi: “lockstep hardware loihi”") },
  [NEURONS] = { "neurons", N_("neurons a core"), "", 1024, 1, 1e6, TRUE,
                N_("Intel Loihi: 131,072 by 128 cores") },
  [TICK] = { "tick", N_("time step"), "µs", 1000, .01, 1e6, FALSE,
             N_("TrueNorth’s tick; Loihi’s may be shorter") },
  [STEPS] = { "steps", N_("steps a sample"), "", 64, 1, 1e5, TRUE,
              N_("“lockstep convert spiking” measures how many it needs") },
  [ACTIVE] = { "active", N_("spikes a neuron and step"), "", .1, 1e-6, 1, FALSE,
               N_("chosen; measured by “lockstep convert spiking”") },
  [EVENT] = { "event", N_("a synaptic event"), "pJ", 23.6, .001, 1e6, FALSE,
              N_("Loihi, at least: Davies et al. 2018, “Loihi: A Neuromorphic Manycore Processor with "
                  "On-Chip Learning”") },
};

static void
fill (const LsHardware *device, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_spiking;
  const double cores = ls_hardware_figure (device, LS_HARDWARE_CORES).value,
               neurons = ls_hardware_figure (device, LS_HARDWARE_NEURONS).value;

  ls_assumed_fill (self, assumed, CORES, cores, ls_hardware_first (device, LS_HARDWARE_CORES));
  if (cores > 0)
    ls_assumed_fill (self, assumed, NEURONS, neurons / cores,
                     ls_hardware_first (device, LS_HARDWARE_NEURONS));
  ls_assumed_fill (self, assumed, EVENT, ls_hardware_figure (device, LS_HARDWARE_EVENT).value * 1e12,
                   ls_hardware_first (device, LS_HARDWARE_EVENT));
}

static void
run (const LsPlan *plan, const double *value, LsMachineRun *run)
{
  g_autoptr (GArray) works = ls_machine_work (plan, TRUE);
  double neurons = 0, synapses = 0, passes;

  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      if (work->k == 0)
        continue;
      /* the sample is a constant current: what it meets first are no events */
      if (neurons > 0)
        synapses += work->product / 2 / plan->batch;
      neurons += (double) work->m * (double) work->n / plan->batch;
    }
  /* a network larger than the chip is done in parts, one after the other */
  passes = MAX (1, ceil (neurons / (value[CORES] * value[NEURONS])));
  run->samples = 1;
  run->energy = synapses * value[ACTIVE] * value[STEPS] * value[EVENT] * 1e-12;
  /* all layers work at every step */
  ls_machine_run_add (run, LS_MACHINE_ALL, passes * value[STEPS] * value[TICK] * 1e-6, LS_HELD_BY_TICKS,
                      (double) NAN);
}

const LsMachine ls_machine_spiking = {
  .name = "spiking",
  .title = N_("Spiking neurons"),
  .about = N_("No clocked sums: a neuron sends a spike when it has enough, and only spikes cost energy."),
  .limit = N_("cannot train; one sample at a time, shown for a number of time steps"),
  .forward = TRUE,
  .sort = LS_HARDWARE_SPIKING,
  .assumptions = assumptions,
  .n_assumptions = N,
  .shown = { NEURONS, TICK, STEPS },
  .fill = fill,
  .run = run,
};
