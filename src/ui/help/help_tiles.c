/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Tiles.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_OPENCL, N_("Bands of A and B"),
    N_("What this work-group needs of both operands: a band of rows and a band of columns, walked tile by "
        "tile along k.") },
  { LS_HELP_SIGNED, N_("Local memory"),
    N_("The tiles As and Bs with their real values, negative to positive, in the recorded step. The packed "
        "kernel "
        "keeps a panel of B there, of 256 rows at a time; a kernel without local memory is shown without.") },
  { LS_HELP_PICKED, N_("Work-item"),
    N_("One of the group's work-items: which values it reads from As and Bs, and its sum so far. A click "
        "picks another.") },
  { LS_HELP_MODELLED, N_("Order inside the group"),
    N_("No device tells in which order the work-items of a group run. The order drawn is a model: row by "
        "row.") },
  { LS_HELP_NONE, N_("One round of the loop"),
    N_("Load, barrier, multiply, barrier, next k, and a store at the end. Where the device has a counter, "
        "these phases are "
        "measured by a variant of the kernel; else their lengths are modelled, and marked so.") },
  { LS_HELP_NONE, N_("Kernel source"),
    N_("The text that was compiled. The marked line belongs to the phase shown.") },
  { LS_HELP_DERIVED, N_("Ledger"),
    N_("Loads from global and local memory and floating-point operations up to the playhead, counted from "
        "the kernel's text, beside what the naive kernel would load. A test compares the counts with those "
        "of the OpenCL simulator Oclgrind.") },
  { LS_HELP_DOT, N_("Roofline"),
    N_(
      "Operations per second over operations per byte of global memory. Above the roof no kernel can be: on "
      "the left the memory is the limit, on the right arithmetic.") },
  { LS_HELP_CPU, N_("Cache blocks"),
    N_("The CPU's side of the same op. The tile is measured as a whole; what happens inside its calls, by "
        "OpenBLAS or by the program's own loops, can't be observed without slowing it down, so panels and "
        "blocks are modelled from their block sizes and this machine's caches. A convolution first copies an "
        "image into a picture with zeros round it, whose pixels are then read as they lie; or, where that "
        "would leave vectors half empty, the pixels under its windows into columns.") },
  { LS_HELP_DOT, N_("FLOP per byte"),
    N_(
      "How much arithmetic each level's bytes are used for (ring), and how much would be needed so that the "
      "arithmetic never waits (bar): the measured rate of arithmetic over that of the level's bytes.") },
  { LS_HELP_MODELLED, N_("Another kernel"),
    N_("The kernel that ran in the step is shown first. Another rung of the ladder is run for the picture "
        "alone, or modelled, and therefore hatched.") },
  { LS_HELP_NONE, N_("Batch and tiles"),
    N_(
      "Another batch trains anew at once, another number of tiles goes on with the same weights; both heads "
      "then say how fast the lanes were before and are now.") },
  { 0 },
};

const LsHelpTopic ls_help_tiles = {
  "tiles",
  N_("Tiles"),
  N_("Why does local memory matter? One work-group's walk through a kernel: tiles of both operands loaded "
      "into local memory, used many times, replaced by the next."),
  entries,
};
