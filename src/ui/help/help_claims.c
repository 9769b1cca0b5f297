/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Claims.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_PUBLISHED, N_("The sentence"),
    N_("With the title of where it was read. Opened (a click, Enter, ↑ and ↓), it shows the words that were "
        "read there; a click on them, or O, opens the page. “Nearest in print”: the sentence is told in the "
        "field, "
        "and that is what comes nearest to it of what could be read. Figures that are published or of the "
        "catalogue have pages of their own under them: a click, or V until it is marked, then O.") },
  { LS_HELP_NONE, N_("The scale"),
    N_("The same for all rows: the outcome as a share of what is claimed. The dotted line is “as claimed”; "
        "of a "
        "range, such as 10 to 100 times, it is the lower end, and a dotted box reaches to the upper one.") },
  { LS_HELP_NONE, N_("The guess"),
    N_("A ring with three strokes, above. It is made before the claim can be run: a click on the scale, or "
        "← and → "
        "in an opened row. It is kept, and doesn’t change once there is an outcome.") },
  { LS_HELP_MEASURED, N_("The outcome"),
    N_("Below: a dot where it was measured, a ring where it was derived from measurements, hatched where a "
        "model "
        "says it, dotted where it is published; in a lane’s colour, or black where it is a ratio of both.") },
  { LS_HELP_NONE, N_("The verdict"),
    N_("True, Half true, Not here, Open or Not measurable here. Open: the spread of what was measured "
        "allows more "
        "than one verdict. What needs hardware that isn’t here isn’t measured by something else in its "
        "name.") },
  { LS_HELP_DOT, N_("The stairs"),
    N_("The same thing done in several ways, each in a process of its own, in turn: the median time of "
        "doing it "
        "once, and how many times faster each is than the one before.") },
  { 0 },
};

const LsHelpTopic ls_help_claims = {
  "claims",
  N_("Claims"),
  N_("Is the sentence true here? What is said of processors and graphics cards, held against this machine: "
      "what it "
      "claims, what one guessed, what came out."),
  entries,
};
