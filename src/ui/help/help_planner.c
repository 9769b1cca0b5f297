/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Planner.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_NONE, N_("The sentence"),
    N_("What follows from the three answers. First a table of rules says when a GPU is the wrong answer: "
        "trees, "
        "preparing data, a table so small that a processor’s caches hold it, a step so small that starting "
        "its ops takes longer than all of it takes here, a batch "
        "so small that memory can’t feed the units and a card may be no faster. Then, whether this computer "
        "does the month’s runs in the "
        "month’s 730 hours and holds the step. Only then are renting and owning held against each other.") },
  { LS_HELP_PUBLISHED, N_("Figures under it"),
    N_(
      "All that the sentence rests on, each with its mark. A click says where it is from, another one opens "
      "the page that says it; the arrow keys go from one to the next. Up and Down change a price that is "
      "picked by a tenth: it is your own then, with the day; D takes that back. What nobody was seen to "
      "publish is said so, and has no "
      "number.") },
  { LS_HELP_DERIVED, N_("Does it fit?"),
    N_("A row for each batch: what a step takes, from the shapes of its tensors, by weights (W), their "
        "gradients "
        "(dW), the optimizer’s state, activations, workspace and the data set. The end of the bar is the "
        "sum. Batch, optimizer and precision can be others than the run’s; how long such a step takes isn’t "
        "measured then.") },
  { LS_HELP_MEASURED, N_("Solid bars"),
    N_("What the lanes have really allocated for the step that was recorded, counted where they allocate, "
        "and by "
        "how much that differs from the estimate. Older recordings don’t have it.") },
  { LS_HELP_PUBLISHED, N_("Dotted lines"),
    N_("What the device here and the card have in memory. V goes to the next card of the catalogue; of one "
        "with "
        "two processors a step has one’s memory.") },
  { LS_HELP_MODELLED, N_("Hours elsewhere"),
    N_(
      "A range. At best each op takes what the card’s published rate or bandwidth allows, whichever is "
      "longer; "
      "at worst only the share of that which the faster lane reached of its own measured roofs (30 %, where "
      "none was measured or the step was faster than they allow), and 20 µs to start each op. Nothing was "
      "run there.") },
  { LS_HELP_MODELLED, N_("The bands"),
    N_(
      "What renting and owning cost in all, month by month, from the least hours to the most: the hours’ "
      "rent, "
      "against the card’s price and its electricity. The rings are the break-even with either; the dashed "
      "line "
      "is what is planned. Nothing is drawn where the card hasn’t the memory that the step takes, or a month "
      "not the hours. Below stands what half or twice the hours, or a cheaper card, would move it "
      "to.") },
  { 0 },
};

const LsHelpTopic ls_help_planner = {
  "planner",
  N_("Planner"),
  N_("What do I need to buy or to rent, if anything? What a step takes in memory, how long runs take here "
      "and on "
      "a card, and from which month on owning one is cheaper than renting."),
  entries,
};
