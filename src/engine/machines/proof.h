/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded product done once more the way a machine does it, cell by cell or tile by tile, with the step's
 * own numbers: that it computes what plain loops in its precision compute, and how far that is from 32 bits.
 */
#pragma once

#include "machines/held.h"

G_BEGIN_DECLS

#define LS_PROOF_MOST 1e8 /* cells times beats, or multiply-adds, of a product that is tried */

typedef struct {
  guint op; /* the plan's */
  gint64 m, n, k;
  double turns;      /* beats, or instructions */
  guint64 different; /* of the m × n sums: not the very bits of the plain loops */
  double far;        /* the largest distance to the product of the same numbers in 32 bits */
} LsMachineProof;

/* Of the largest product that the recording has the numbers of, and that isn't too large. FALSE: there is
 * none, or the machine is no array. */
gboolean ls_machine_prove (const LsMachine *machine, const LsAssumed *assumed, const LsRecording *recording,
                           const LsPlan *plan, LsMachineProof *proof);

G_END_DECLS
