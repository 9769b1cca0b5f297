/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Curves.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_CURVE, N_("Loss"),
    N_("The mean cross-entropy of each step's batch, of both lanes on top of each other. With more steps "
        "than pixels the line is the median of a few pixels' steps, and the band all of them.") },
  { LS_HELP_DERIVED, N_("losses differ by"),
    N_("How far the lanes are apart at each step. Both add in the same order, so that a processor's lanes "
        "aren't "
        "apart at all; a graphics card rounds otherwise here and there, which training amplifies.") },
  { LS_HELP_CURVE, N_("Throughput"),
    N_("The batch divided by a step's own time. A faint dot is a single step; the line is the median of 61 "
        "of them. Steps that don't count are in neither: warm-up, recorded ones, the first after a rest, and "
        "those beside another lane's compiler. Where none counts for longer than that, the line has a gap. A "
        "zigzag is a step that was interrupted and set aside.") },
  { LS_HELP_DOT, N_("Test accuracy"),
    N_("Over the whole test set, after each epoch; its time isn't counted as training. Each point is "
        "one evaluation.") },
  { LS_HELP_TO_COME, N_("Earlier runs"),
    N_("Runs before the last restart stay, paler, with what was different about them.") },
  { LS_HELP_NONE, N_("By steps or by seconds"),
    N_("T switches. By steps both lanes lie on each other, because they do the same work; by seconds the "
        "faster one leads.") },
  { 0 },
};

const LsHelpTopic ls_help_curves = {
  "curves",
  N_("Curves"),
  N_("What came out? Loss, accuracy, throughput and the difference between the lanes over the whole run."),
  entries,
};
