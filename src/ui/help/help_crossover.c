/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Crossover.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_DERIVED, N_("A cell"),
    N_("One size of the network and one batch, measured on both lanes in turn, each in a process of its "
        "own: the "
        "ratio of the medians, ◂ where the left lane is faster, ▸ where the right one is. Under 5 %, or "
        "where the "
        "middle halves overlap, it says “equal”.") },
  { LS_HELP_DERIVED, N_("The double line"),
    N_("Between neighbouring measured cells of which each lane won one. A coarse lattice is measured first; "
        "after "
        "that, always the cell that is expected to be closest to equal, until the time is over.") },
  { LS_HELP_NONE, N_("Yours"),
    N_("The network and batch that is being trained. Upwards its first hidden layer grows, the others in "
        "proportion.") },
  { LS_HELP_NONE, N_("A dash"), N_("Not measured, or a lane couldn’t do it: picked, the cell says why.") },
  { LS_HELP_NONE, N_("The guess"),
    N_("Drawn before or after (D, or the switch): in each row the edge from which on the right lane is "
        "expected to "
        "win. It stays over the outcome, with the share of measured cells on the right side of it.") },
  { LS_HELP_NONE, N_("What counts"),
    N_("A training step or the answers alone; the batch gathered on the device, or gathered by the host and "
        "copied. "
        "Launching the kernels always counts.") },
  { 0 },
};

const LsHelpTopic ls_help_crossover = {
  "crossover",
  N_("Crossover"),
  N_("From which size on does the other lane win? Small work goes to whoever begins sooner, large work to "
      "whoever "
      "computes faster; between them lies a line, and here it is measured."),
  entries,
};
