/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Scaling.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_DOT, N_("A dot, a ring"),
    N_("What was measured at one size: the median, its bar the middle half. The lanes take turns at each "
        "size, each in a process of its own. A ring is a share of a roof, of the best or of one worker, "
        "derived from such a measurement.") },
  { LS_HELP_DERIVED, N_("A double line"),
    N_(
      "A law that is fitted to the dots that it touches, in the band of its uncertainty, by least squares of "
      "the relative errors. After ± stands half of the interval in which a constant lies in 95 of 100 cases. "
      "A law that no constants bring near the dots isn’t drawn: where a dot is both outside its own middle "
      "half and off by 10 %, it doesn’t fit.") },
  { LS_HELP_NONE, N_("Amdahl"),
    N_(
      "S(n) = 1/(s + (1 − s)/n): a share s of a step is done by one worker however many there are, so no "
      "number of them makes it faster than 1/s times. Where workers also hinder each other, the universal "
      "scalability law takes its place: σ is what they wait for each other, κ what they tell each other.") },
  { LS_HELP_NONE, N_("Work in flight"),
    N_(
      "A load from memory takes long, but many can be under way at once. By Little’s law as many as rate "
      "times wait keep the memory busy; with fewer, units wait. The small rings are a kernel that computes: "
      "it needs far fewer.") },
  { LS_HELP_NONE, N_("Latency and throughput"),
    N_("The time of one step, and the samples that pass in a second: large batches take longer and get more "
        "done.") },
  { LS_HELP_NONE, N_("What does not shrink"),
    N_(
      "Of the recorded step: ops of a single tile, workers that have nothing more to do at the end of an op, "
      "and the time between ops.") },
  { LS_HELP_NONE, N_("One panel alone"),
    N_("A click on a panel gives it all the room, and n goes to the next one, Shift+N to the one before; "
        "Escape takes it back. Where there is no room "
        "for all panels, v shows the others.") },
  { 0 },
};

const LsHelpTopic ls_help_scaling = {
  "scaling",
  N_("Scaling"),
  N_("How far does parallel go? What the laboratory measured of both lanes, size by size, and the laws that "
      "it follows."),
  entries,
};
