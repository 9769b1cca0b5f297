/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Partition.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

#include "core/options.h"

#define SCHEDULE(constant, function, name, word, about) { LS_HELP_NONE, word, about },

static const LsHelpEntry entries[] = {
  { LS_HELP_TILE, N_("Tiles"),
    N_("The op's output matrix, cut as the CPU lane cut it. Colour and number say which worker computed the "
        "tile, in the recorded step.") },
  { LS_HELP_TAKEN, N_("Corner"),
    N_("The tile was another worker's by the plan, and was taken from it: work-stealing.") },
  { LS_HELP_ORDER, N_("Work-groups"),
    N_("The same output as the OpenCL kernel cut it. Where the device tells no compute unit, the shade is "
        "the order of completion, first to last: each work-group draws a number when it is done. Where there "
        "are more work-groups than room, several are shown as one, and the picture says how many.") },
  { LS_HELP_WAIT, N_("Waiting"),
    N_("From a worker's last tile to the barrier at the end of the op, or all of the op for one that had no "
        "tile: time in which a core had nothing to do.") },
  { LS_HELP_BOTH, N_("The row of bars"),
    N_("All ops of the step with both lanes' times. A click, or Ctrl with an arrow key, shows another.") },
  { LS_HELP_MEASURED, N_("Times of tiles"),
    N_("Each worker stamps each tile with the processor's clock, before and after. Work-groups are stamped "
        "by a variant of the kernel that runs in recorded steps only, where the device has a counter that "
        "can be read; else only their order is known, and no times are drawn.") },
  { LS_HELP_NONE, N_("Schedule"),
    N_("Which worker takes which tile, like the schedule of a parallel loop in OpenMP. The choices are:") },
  /* clang-format off */
  LS_POLICIES (SCHEDULE)
  /* clang-format on */
  { LS_HELP_NONE, N_("Schedule, threads, kernel"),
    N_("Can be switched while it trains; the next recorded step shows what then happened. The result stays "
        "the same, bit for bit, under every schedule.") },
  { LS_HELP_NONE, N_("Cut"),
    N_(
      "Where few workers share few tiles, the recorded step is done once before, cut into more tiles, and "
      "taken back, to show order and times inside; training goes on as if this had not happened. The results "
      "of both are compared bit by bit; sums that are cut into more parts then differ in their last bits.") },
  { 0 },
};

const LsHelpTopic ls_help_partition = {
  "partition",
  N_("Partition"),
  N_("How is one multiplication shared out, and who waits? The output of one op, cut into tiles, each "
      "coloured by the worker that really computed it."),
  entries,
};
