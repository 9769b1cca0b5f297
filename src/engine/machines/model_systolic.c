/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array of multipliers through which products flow, as in a TPU: systolic.h counts the beats, and chooses
 * which of a product's matrices stays in the cells. Its tiles are dealt out to the arrays. Numbers are stored
 * in bfloat16; what isn't a product is done by a vector unit.
 */
#include "config.h"
#include "machines/reuse.h"
#include "machines/systolic.h"

#include <glib/gi18n-lib.h>
#include <math.h>

enum { ARRAYS, ROWS, COLS, CLOCK, VECTOR, BUFFER, MEMORY, START, N };

static const LsAssumption assumptions[N] = {
  [ARRAYS] = { "arrays", N_("arrays"), "", 2, 1, 1024, TRUE,
               N_("two to a processor of a TPU v3, as Google Cloud’s pages say") },
  [ROWS] = { "rows", N_("rows of cells"), "", 128, 1, 4096, TRUE, N_("TPU v2 and v3: 128×128 cells") },
  [COLS] = { "columns", N_("columns of cells"), "", 128, 1, 4096, TRUE,
             N_("TPU v2 and v3: 128×128 cells") },
  [CLOCK] = { "clock", N_("clock"), "GHz", .94, .001, 20, FALSE,
              N_("61.5 TFLOP/s of a TPU v3’s processor by two arrays’ cells") },
  [VECTOR] = { "vector", N_("other operations a clock"), "", 2048, 1, 1e6, TRUE,
               N_("sixteen rows of an array’s width") },
  [BUFFER] = { "buffer", N_("memory on the chip"), "MiB", 16, .01, 65536, FALSE,
               N_("some MiB on any of them") },
  [MEMORY] = { "memory", N_("memory"), "GB/s", 450, .1, 100000, FALSE,
               N_("half of a TPU v3, for one of its two processors") },
  [START] = { "start", N_("to start an op"), "µs", .5, 0, 100000, FALSE,
              N_("the whole step is one program on the chip") },
};

static void
fill (const LsHardware *device, LsAssumed *assumed)
{
  const LsMachine *self = &ls_machine_systolic;
  const double cells = assumed->value[ROWS] * assumed->value[COLS],
               peak = ls_hardware_peak (device, LS_NUMBERS_BF16).value;

  /* how many arrays, isn't published of all of them: as many as the clock would need, and then the clock that
   * gives the published rate */
  ls_assumed_fill (self, assumed, ARRAYS, peak / 2 / cells / (assumed->value[CLOCK] * 1e9),
                   ls_hardware_peak_figure (device, LS_NUMBERS_BF16));
  ls_assumed_fill (self, assumed, CLOCK, peak / 2 / cells / assumed->value[ARRAYS] / 1e9,
                   ls_hardware_peak_figure (device, LS_NUMBERS_BF16));
  ls_assumed_fill (self, assumed, MEMORY, ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH).value / 1e9,
                   ls_hardware_first (device, LS_HARDWARE_BANDWIDTH));
}

void
ls_systolic_machine (const double *value, const LsMachineWork *work, LsSystolic *array, LsSystolicCut *cut)
{
  *array = (LsSystolic){ (guint) value[ROWS], (guint) value[COLS] };
  ls_systolic_cut (array, (guint) value[ARRAYS], work, cut);
}

static void
run (const LsPlan *plan, const double *value, LsMachineRun *run)
{
  const double clock = value[CLOCK] * 1e9, sizes[] = { value[BUFFER] * 1048576 }, start = value[START] * 1e-6,
               peak = value[ARRAYS] * value[ROWS] * value[COLS] * clock;
  g_autoptr (LsPlan) half = ls_plan_with_precision ((LsPlan *) plan, LS_PRECISION_BF16);
  g_autoptr (GArray) works = ls_machine_work (half, FALSE);
  g_autofree double *reuse = ls_machine_reuse (half, sizes, 1, 1, NULL);

  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      const double memory = reuse[work->op * 2 + 1] / (value[MEMORY] * 1e9);
      double compute = work->others / (value[VECTOR] * clock), seconds, used;
      LsSystolicCut cut = { 0 };
      LsSystolic array;
      LsHeldBy held_by;

      if (work->k > 0)
        ls_systolic_machine (value, work, &array, &cut);
      compute = MAX (compute, cut.beats / clock);
      seconds = start + MAX (compute, memory);
      used = work->k > 0 ? work->product / 2 / peak / seconds : (double) NAN;
      held_by = start >= MAX (compute, memory)          ? LS_HELD_BY_START
                : memory > compute                      ? LS_HELD_BY_MEMORY
                : cut.beats > 2 * cut.tiles * cut.flows ? LS_HELD_BY_FILL
                : used < .25 && work->k > 0             ? LS_HELD_BY_PADDING
                                                        : LS_HELD_BY_COMPUTE;
      ls_machine_run_add (run, work->op, seconds, held_by, used);
      if (work->k > 0)
        g_array_index (run->ops, LsMachineOp, i).useful = cut.k / (ceil (cut.k / array.rows) * array.rows)
                                                          * cut.n / (ceil (cut.n / array.cols) * array.cols);
    }
}

const LsMachine ls_machine_systolic = {
  .name = "systolic",
  .title = N_("TPU, systolic array"),
  .about = N_("A grid of multipliers: one matrix, mostly the weights, stays in the cells, the other one "
               "flows through, sums leave below."),
  .limit = N_("numbers differ: bfloat16, sums in 32 bits; weights of the next tile are loaded meanwhile"),
  .sort = LS_HARDWARE_TPU,
  .assumptions = assumptions,
  .n_assumptions = N,
  .shown = { ROWS, CLOCK, BUFFER },
  .fill = fill,
  .run = run,
};
