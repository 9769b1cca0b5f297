/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Network.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_AMOUNT, N_("Sample and activations"),
    N_("What goes in, and each layer's output for it, as shares of the layer's largest value, in the "
        "recorded step.") },
  { LS_HELP_SIGNED, N_("Weights and filters"),
    N_("A unit's weights as a picture, negative to positive. Where there are more units than room, the most "
        "active are shown, and the picture says how many. Of a dense layer each pixel is the mean of 3×3 "
        "weights, and the smallest three quarters are blank: most weights have hardly moved from their "
        "random start, and would hide the pattern.") },
  { LS_HELP_TO_COME, N_("not yet"),
    N_("The clock hasn't reached the layer: its values, connections and differences are still to come.") },
  { LS_HELP_NONE, N_("Connections"),
    N_("The strongest products of activation and weight; how many of how many is printed.") },
  { LS_HELP_BOTH, N_("Prediction"), N_("The softmax of both lanes for each class.") },
  { LS_HELP_DERIVED, N_("max |Δ| by layer"),
    N_("The largest difference between the lanes' values in each layer, on a logarithmic scale.") },
  { LS_HELP_MEASURED, N_("Confusion"),
    N_("Rows are the true class, columns the one that the network said. The diagonal is right. A click on "
        "a field shows its samples.") },
  { LS_HELP_NONE, N_("Worst mistakes"), N_("The misclassified samples of which the network was surest.") },
  { LS_HELP_NONE, N_("Samples of the batch"),
    N_("Under the shown one, underlined where the network takes it for another class. A click shows it.") },
  { LS_HELP_PICKED, N_("Units"),
    N_("A click on a unit shows its weights, its value, and its strongest ways on to the next layer.") },
  { 0 },
};

const LsHelpTopic ls_help_network = {
  "network",
  N_("Network"),
  N_("What is it learning? One sample on its way through the layers, with the values that both lanes really "
      "computed."),
  entries,
};
