/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array of multipliers for small integers, as phones have it: it answers with a network that was trained
 * elsewhere and quantised. Beats as of a systolic array; each sum is re-scaled before it is stored.
 */
#include "config.h"
#include "machines/reuse.h"
#include "machines/systolic.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum { ROWS, COLS, ARRAYS, BITS, CLOCK, RESCALE, BUFFER, MEMORY, START, N };

static const LsAssumption assumptions[N] = {
  [ROWS] = { "rows", N_("rows of cells"), "", 32, 1, 4096, TRUE,
             N_("chosen; published are only operations a second") },
  [COLS] = { "columns", N_("columns of cells"), "", 64, 1, 4096, TRUE,
             N_("chosen; published are only operations a second") },
  [ARRAYS] = { "arrays", N_("arrays"), "", 1, 1, 1024, TRUE, N_("chosen") },
  [BITS] = { "bits", N_("bits of a number"), "", 8, 2, 16, TRUE, N_("what such arrays have") },
  [CLOCK] = { "clock", N_("clock"), "GHz", 1, .001, 20, FALSE, N_("chosen: 4.1 TOP/s then") },
  [RESCALE] = { "rescale", N_("sums re-scaled a clock"), "", 64, 1, 1e6, TRUE,
                N_("a row of cells at a time") },
  [BUFFER] = { "buffer", N_("memory on the chip"), "MiB", 1, .001, 65536, FALSE, N_("chosen") },
  [MEMORY] = { "memory", N_("memory"), "GB/s", 34, .1, 10000, FALSE, N_("64 bits of LPDDR4X-4267") },
  [START] = { "start", N_("to start an op"), "µs", .5, 0, 100000, FALSE,
              N_("the whole network is one program on the chip") },
};

static void
fill (const LsHardware *device, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_int8;
  const double cells = assumed->value[ROWS] * assumed->value[COLS],
               cores = ls_hardware_figure (device, LS_HARDWARE_CORES).value;
  const LsHardwareFigure *rate = ls_hardware_peak_figure (device, LS_NUMBERS_INT8);
  double compute = ls_hardware_peak (device, LS_NUMBERS_INT8).value;

  /* of what only answers it isn't always told of which numbers a rate is */
  if (!(compute > 0))
    {
      rate = ls_hardware_get (device, LS_HARDWARE_COMPUTE, LS_NUMBERS_UNTOLD, 0);
      compute = rate != NULL ? rate->figure.value : 0;
    }
  ls_assumed_fill (self, assumed, ARRAYS, cores, ls_hardware_first (device, LS_HARDWARE_CORES));
  ls_assumed_fill (self, assumed, CLOCK, compute / 2 / cells / assumed->value[ARRAYS] / 1e9, rate);
  ls_assumed_fill (self, assumed, MEMORY, ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH).value / 1e9,
                   ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
}

static void
run (const LsPlan *plan, const double *value, LsMachineRun *run)
{
  const LsSystolic array = { (guint) value[ROWS], (guint) value[COLS] };
  const double clock = value[CLOCK] * 1e9, size = value[BUFFER] * 1048576, start = value[START] * 1e-6,
               narrow = value[BITS] / 32, peak = value[ARRAYS] * value[ROWS] * value[COLS] * clock;
  g_autoptr (GArray) works = ls_machine_work (plan, TRUE);
  double weights = 0;

  for (guint i = 0; i < works->len; i++)
    weights += g_array_index (works, LsMachineWork, i).weights * narrow;
  run->weights = weights;
  run->chip = size;
  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      /* samples and what they become stay on the chip if they fit, and so do all weights */
      const double moved = (work->read - work->weights + work->written) * narrow,
                   memory = ((weights > size ? work->weights * narrow : 0) + (moved > size ? moved : 0))
                            / (value[MEMORY] * 1e9),
                   rescaling = work->written / 4 / value[RESCALE] / clock;
      double compute = work->others / (value[RESCALE] * clock), seconds;

      if (work->k > 0)
        {
          LsSystolicCut cut;
          ls_systolic_cut (&array, (guint) value[ARRAYS], work, &cut);
          compute = MAX (cut.beats / clock, rescaling);
        }
      seconds = start + MAX (compute, memory);
      ls_machine_run_add (run, work->op, seconds,
                          start >= MAX (compute, memory) ? LS_HELD_BY_START
                          : memory > compute             ? LS_HELD_BY_MEMORY
                                                         : LS_HELD_BY_COMPUTE,
                          work->k > 0 ? work->product / 2 / peak / seconds : (double) NAN);
    }
}

const LsMachine ls_machine_int8 = {
  .name = "int8",
  .title = N_("NPU, int8 array"),
  .about = N_("Small integers in place of floats: the trained network is quantised, and only answers."),
  .limit = N_("cannot train; forward only"),
  .forward = TRUE,
  .sort = LS_HARDWARE_NPU,
  .assumptions = assumptions,
  .n_assumptions = N,
  .shown = { ROWS, BITS, CLOCK },
  .fill = fill,
  .run = run,
};
