/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Machines.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_MEASURED, N_("The pair on top"),
    N_("The recorded step of both lanes, op by op, and the median of their steps. Nothing of it is "
        "assumed.") },
  { LS_HELP_MODELLED, N_("The rows below"),
    N_("Models: what the same ops would take on another machine, from their shapes, bytes and FLOP and from "
        "what "
        "the row assumes. No such machine was at work.") },
  { LS_HELP_PLAYHEAD, N_("One clock"),
    N_("All bars begin with the step. What the clock has come to is dark. A machine that takes more than "
        "twice as "
        "long as the lanes leaves the axis, with an arrow and how many times as long it takes.") },
  { LS_HELP_MODELLED, N_("Error to the lane"),
    N_("Where a lane is what the model is of, the model has that lane’s measured roofs, and says by how "
        "much it misses the lane’s median step, once there is one. In the opened row each op, and the step "
        "below "
        "them, is held against the one recorded step. How far the other models can be trusted, that is the "
        "only "
        "thing that tells.") },
  { LS_HELP_PICKED, N_("Fields"),
    N_("What the model assumes. The one whose half or double moves the end most stands first, with by how "
        "much at "
        "most. The arrows in a field change it, or Up and Down once it is picked; Enter or another click "
        "takes a "
        "number; D takes back what was said. Whose word a value is stands below the bar of a picked one.") },
  { LS_HELP_PUBLISHED, N_("Assumptions of"),
    N_("Puts the network on a device of the catalogue: its published figures take the place of the "
        "assumptions of "
        "the model that is of its kind. V goes to the next one.") },
  { LS_HELP_NONE, N_("An opened row"),
    N_(
      "Enter or a click opens it: how the machine works at this moment, with the shapes of the op that runs; "
      "its ops with what holds each of them up, of a pipeline after how many clocks a stage takes the next "
      "sample; all assumptions with their sources. Of a GPU a slider sets how many warps may be in flight at "
      "most. A machine that is done long before the lanes is drawn slower than the clock there, and says "
      "so.") },
  { LS_HELP_MEASURED, N_("Bit for bit"),
    N_(
      "What an array or tensor cores compute is tried here, once for a recorded step, with its own numbers: "
      "cell by cell, beat by beat. Each sum must be that of plain loops in the same precision.") },
  { LS_HELP_MEASURED, N_("int8 and spikes"),
    N_("Whether numbers as small as that still answer right is measured: a network of the run’s settings is "
        "trained anew, apart from the lanes, converted and run here on the test set, in exact whole numbers, "
        "or "
        "as neurons that spike. Its time there is modelled.") },
  { 0 },
};

const LsHelpTopic ls_help_machines = {
  "machines",
  N_("Machines"),
  N_("What would other machines do with this very step? Models of a processor, a GPU, tensor cores, a "
      "systolic "
      "array, an FPGA, an int8 array and spiking neurons, beside what was measured here."),
  entries,
};
