/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: how we measure. README's section of that name and the manual page have the same text.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_NONE, N_("The same step"),
    N_(
      "Both lanes run one plan: the same ops in the same order, from the same seed, weights and batches, in "
      "32-bit floating point. Their losses are compared at every step, all weights now and then, and "
      "“lockstep compare” holds each op's output against a reference in double precision.") },
  { LS_HELP_NONE, N_("Time of a step"),
    N_("From the moment the lane is given its batch to the moment its result is complete, on the clock "
        "CLOCK_MONOTONIC_RAW. For an OpenCL device that includes what the host does to start the kernels. "
        "Evaluation on the test set isn't included.") },
  { LS_HELP_NONE, N_("Warm-up"),
    N_("The first 10 steps of a lane, those right after a rest at watch pace, steps beside another lane's "
        "compiler, and recorded steps are left out of every rate, and counted.") },
  { LS_HELP_NONE, N_("Medians"),
    N_("A rate is the median over steps, with the middle half (first to third quartile) and the number of "
        "steps. A mean would follow the few slowest, most of them held up by other programs.") },
  { LS_HELP_NONE, N_("Turns or race"),
    N_(
      "Where the OpenCL device is the processor itself, the lanes take turns, and each step has the machine "
      "to itself; else they race at the same time. Which of them it was is part of the figure: rates of "
      "the two are never mixed.") },
  { LS_HELP_NONE, N_("Processors"),
    N_("Where there are enough processors, each worker of the CPU lane has its own: one that finds another "
        "there goes to a free one, and none is bound. Where all processors may be used, PoCL is asked to "
        "bind its threads to them (POCL_AFFINITY=1, unless it is set).") },
  { LS_HELP_NONE, N_("Clocks"),
    N_("A device's profiling clock is matched to the host's in each recorded step: short commands are "
        "bracketed between two readings of the host's clock, and the tightest bracket is kept. Half of it is "
        "the error that the Timeline prints.") },
  { LS_HELP_NONE, N_("Recording"),
    N_(
      "A recorded step runs with a stamp before and after each tile, and with a variant of each kernel that "
      "writes its order and, where there is a counter, its time. Values are read back after the step's end "
      "stamp. Where the largest product has under 32 tiles, the CPU lane does the step once before, cut "
      "finer for a picture, and takes it back: weights and states are then those of before, bit by bit. "
      "What recording costs is measured by “lockstep bench”. A recorded step does each op at its own time "
      "and keeps every tensor; steps that nobody looks at needn't, and on two cores a cnn's or an lstm's "
      "then take about a tenth less time.") },
  { LS_HELP_NONE, N_("What is modelled"),
    N_("The order of work-items inside a work-group, the phases of a kernel where the device has no "
        "counter, and the cache blocks "
        "inside an OpenBLAS call. They are hatched, and never enter a measured number.") },
  { LS_HELP_NONE, N_("What it doesn't say"),
    N_("A small network on this machine says nothing about large ones elsewhere. A CPU that acts as the "
        "OpenCL device shows how OpenCL cuts the work, not how fast a GPU is.") },
  { 0 },
};

const LsHelpTopic ls_help_methods = {
  "methods",
  N_("How We Measure"),
  N_("Every number that Lockstep shows comes with its evidence and its conditions. This is how the measured "
      "ones are made."),
  entries,
};
