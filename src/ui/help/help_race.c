/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Race.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_BOTH, N_("The two columns"),
    N_("One recorded step of each lane, both on the same scale of time, from top to bottom. Each block is "
        "an op; its height "
        "is how long it took, measured from the start of its first tile to the end of its last.") },
  { LS_HELP_TO_COME, N_("Pale blocks"), N_("Ops that are still to come at the playhead's moment.") },
  { LS_HELP_FOLDED, N_("Time steps"),
    N_("A layer that reads a sequence is one block for all its time steps, and one for the way back. A "
        "click on "
        "a block opens it, a click on the line along an open one folds it again; V opens one after the "
        "other.") },
  { LS_HELP_GAP, N_("Gaps"),
    N_("Between ops nothing is computed: the lane starts work, waits at a barrier, or the driver has not "
        "begun yet. Their sum stands at the column's foot.") },
  { LS_HELP_PLAYHEAD, N_("Playhead"),
    N_("The same moment on both sides, in machine time since each lane began its step.") },
  { LS_HELP_MEASURED, N_("Samples per second"),
    N_("The batch divided by the lane's own time for a step: the median of the newest 200 steps, with the "
        "middle half beside it. Recorded steps, evaluation and the first steps are left out.") },
  { LS_HELP_DERIVED, N_("Ratio"),
    N_("The quotient of both medians. It says how the lanes compare here, with this device and these "
        "settings, and nothing about other machines.") },
  { LS_HELP_NONE, N_("Unfair"),
    N_("While something makes the comparison unfair, the ratio carries a warning sign and this word, also "
        "in exported "
        "pictures, reports and recordings. The scales between the heads (or U, in every view) list what both "
        "lanes do "
        "alike and what one of them is denied: precision, batch, algorithm, kernels, threads, warm-up, "
        "transfers, "
        "turns, clocks, other programs, tuning and spread. A switch makes a line unfair on purpose, so that "
        "all can "
        "see how a ratio of a hundred is made; what isn't known is never called unfair.") },
  { LS_HELP_DERIVED, N_("max |Δ|"),
    N_("The largest difference between the lanes' losses over all steps so far. “Bit for bit” means that "
        "all weights were compared and are the same.") },
  { 0 },
};

const LsHelpTopic ls_help_race = {
  "race",
  N_("Race"),
  N_("Who is faster, and do they agree? Both lanes run through the ops of one recorded step on one clock, "
      "under the rates of the whole run."),
  entries,
};
