/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help: Roofline.
 */
#include "config.h"
#include "ui/help/help.h"

#include <glib/gi18n.h>

static const LsHelpEntry entries[] = {
  { LS_HELP_DERIVED, N_("A ring"),
    N_("An op of the recorded step. Along: its arithmetic intensity, FLOP for each byte, derived from its "
        "formula: each tensor read once and written once; an op that others are fused into is counted with "
        "them. Up: those FLOP over the time that the op took. Its area is its share of the step.") },
  { LS_HELP_MEASURED, N_("A square"),
    N_(
      "The same op by the bytes that the processor itself counted while it ran: cache lines from memory "
      "(Intel), or from beyond a core's second cache, without what that one prefetched (AMD); not those "
      "written back. Left of its ring: the op fetched more than its tensors have; right: a part of them was "
      "in a cache. Where nothing is counted, the reason stands below the axis; "
      "kernel.perf_event_paranoid of 2 or less allows counting.") },
  { LS_HELP_MEASURED, N_("The roofs"),
    N_("What the device did at most, measured once after the first recorded step: the flat one by "
        "multiply-adds in registers, the thick slope by a triad over "
        "memory beyond the last cache, the thin ones by loads from each of the CPU's caches.") },
  { LS_HELP_PUBLISHED, N_("Dotted roofs"),
    N_(
      "What is published of the device: peak rate of floats and bandwidth, from a catalogue that “lockstep "
      "hardware” prints with its sources; where no peak is published, what follows from published cores, "
      "clock and FLOP a clock, with the mark of what is derived. Drawn where the device is certainly one of "
      "it; beside them stands how much of that was measured.") },
  { LS_HELP_NONE, N_("Bound by memory, or by computing"),
    N_(
      "Left of the corner where the thick lines meet, memory is too slow to feed the units; right of it the "
      "units are what there is too little of. What matters is the way up to the roof at the ring's own "
      "intensity: a ring far below both is held up by something else, such as launches, waits, or too few "
      "tiles.") },
  { LS_HELP_NONE, N_("Above the memory roof"),
    N_("No mistake: the bytes were still in a cache, left there by the op before.") },
  { LS_HELP_DERIVED, N_("A wedge"),
    N_("Where the op was in the recording that this one is held against, thin there and wide here: what "
        "another "
        "batch, kernel or fusion did to it.") },
  { LS_HELP_TO_COME, N_("Paler rings"), N_("Ops that come later in the step than the playhead.") },
  { 0 },
};

const LsHelpTopic ls_help_roofline = {
  "roofline",
  N_("Roofline"),
  N_("What is an op bound by: computing, or memory? Each op of the recorded step stands under the roofs of "
      "its "
      "device, both lanes on the same scales."),
  entries,
};
