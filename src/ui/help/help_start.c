/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: how to begin, and the keys of time, which all views share.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_CPU, N_("CPU lane"),
    N_("The left side, blue: worker threads share out the tiles of each op and compute them with the "
        "program's own loops, or with OpenBLAS where that is as fast.") },
  { LS_HELP_OPENCL, N_("OpenCL lane"),
    N_("The right side, orange: the same ops as kernels on an OpenCL device. Where that device is the "
        "processor itself, it is called “OpenCL on the CPU”, and the lanes take turns so that neither takes "
        "cores from the other.") },
  { LS_HELP_PLAYHEAD, N_("Time"),
    /* xgettext:no-c-format */
    N_("Space stops and starts. The arrow keys go from step to step and back into the history; with Ctrl "
        "from op to op, each as it is when it is done; short ones, under 1 % of the step, are passed over "
        "unless Shift is held, too. Plus and minus change the slow motion, and the dial always says how slow "
        "it is: “1 s = 50 µs” means that a second on screen is 50 microseconds of the machine.") },
  { LS_HELP_NONE, N_("Pace"),
    N_(
      "When steps are done, which has nothing to do with how slowly one is shown: by step (a step, then its "
      "picture, then the next), at watch pace (short bursts, and rests between them, so that learning can "
      "be watched), or at full speed. F held is full speed. A run has an end and then says what was "
      "learnt; Train On goes on, Start Anew begins anew.") },
  { LS_HELP_PICKED, N_("Pointing"),
    N_(
      "What is under the pointer says its name and its numbers, and what belongs to it on the other side is "
      "framed too. A click or Enter picks it; the arrow keys then go from mark to mark; Escape lets go.") },
  { LS_HELP_MEASURED, N_("measured"), N_("A clock, a counter or a computed result, on this machine.") },
  { LS_HELP_DERIVED, N_("derived"), N_("Made from two measurements, or from a count on paper.") },
  { LS_HELP_MODELLED, N_("modelled"), N_("What a model says; never a measurement.") },
  { LS_HELP_PUBLISHED, N_("published"), N_("What a system or a data sheet reports, with its source.") },
  { LS_HELP_NONE, N_("Settings"),
    N_("Network, data, batch, optimizer, threads, schedule, device and kernel are chosen beside the stage "
        "(Ctrl+comma). What needs a new run says so, and the old run's curves stay for comparison.") },
  { LS_HELP_NONE, N_("Projector"),
    N_("P hides what is round the picture and makes type and lines large enough for a hall.") },
  { LS_HELP_NONE, N_("Save and export"),
    N_("The menu saves any picture as PNG, SVG or PDF, the recorded step as a file that opens on any "
        "machine, and the run as a table. A recording or a folder with data can be dropped onto the "
        "window.") },
  { 0 },
};

const LsHelpTopic ls_help_start = {
  "start",
  N_("First Steps"),
  N_("Lockstep runs the same training step on the processor and on an OpenCL device, records what each of "
      "them really did, and shows that both come to the same result."),
  entries,
};
