/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Timeline.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_CPU, N_("op, worker"),
    N_("The CPU lane: its ops, and below them each worker's tiles. The thin upright lines are barriers, at "
        "which all workers wait for the last.") },
  { LS_HELP_OPENCL, N_("host, queue, copies, kernels"),
    N_("The OpenCL lane: calls of the host, how many commands were waiting, copies between host and device, "
        "and kernels as the device's profiling tells their start and end.") },
  { LS_HELP_ORDER, N_("thread, unit"),
    N_("The kernels' work-groups, where the device tells when and where they ran.") },
  { LS_HELP_FOLDED, N_("Zigzag foot"),
    N_("Spans too thin to draw, folded into one block with their number. None is dropped; zoom in to see "
        "them.") },
  { LS_HELP_FOLDED, N_("Time steps"),
    N_(
      "In the rows of ops and kernels the time steps of a layer that reads a sequence are one block, with "
      "their "
      "number. A click opens it, a click on the line below an open one folds it again; V opens one after the "
      "other.") },
  { LS_HELP_WAIT, N_("Waiting"),
    N_("A gap can be picked. What it waited for lights up: the tile that held the barrier, the command "
        "before it in the queue, or the copy it needed. It follows from the recorded dependencies.") },
  { LS_HELP_PLAYHEAD, N_("One clock"),
    N_("The device's clock is matched to the host's in each recorded step by bracketing short commands; the "
        "remaining error is printed above the picture.") },
  { LS_HELP_NONE, N_("Zooming"),
    N_(
      "The wheel, a pinch, or Ctrl with plus and minus zoom; a drag or Shift with the arrows moves; Z zooms "
      "to what is picked; Home shows the whole step, as does the bracket above.") },
  { LS_HELP_TO_COME, N_("A second recording"),
    N_("The menu lays another recorded step over this one, op by op, with what became faster or slower.") },
  { 0 },
};

const LsHelpTopic ls_help_timeline = {
  "timeline",
  N_("Timeline"),
  N_("Where did the time go? Everything that was recorded of one step, on one clock: threads, kernels, "
      "copies, barriers."),
  entries,
};
