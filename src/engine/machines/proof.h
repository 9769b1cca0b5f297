/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded product done once more the way a machine does it, cell by cell or tile by tile, with the step's
 * own numbers: that it computes what plain loops in its precision compute, and how far that is from 32 bits.
 */
#pragma once

#include "machines/held.h"

G_BEGIN_DECLS

#define LS_PROOF_MOST   1e8 /* cells times beats, or multiply-adds: a tenth of a second */
#define LS_PROOF_SAMPLE 1e7 /* that may be done where a picture waits for it */

typedef struct {
  guint op;                         /* the plan's */
  gint64 m, n, k;                   /* of what was tried: the product, */
  gint64 whole_m, whole_n, whole_k; /* or its first rows, columns and terms of each sum, if it is larger */
  double turns;                     /* beats, or instructions */
  guint64 different;                /* of the m × n sums: not the very bits of the plain loops */
  double far;                       /* the largest distance to the product of the same numbers in 32 bits */
} LsMachineProof;

/* Of the largest product that the recording has the numbers of, as far as it goes with so many cells times
 * beats, or multiply-adds. FALSE: there is none, or the machine is no array, or one too large. */
gboolean ls_machine_prove (const LsMachine *machine, const LsAssumed *assumed, const LsRecording *recording,
                           const LsPlan *plan, double most, LsMachineProof *proof);
/* A part of the product was tried. */
static inline gboolean
ls_machine_proof_is_part (const LsMachineProof *proof)
{
  return proof->m < proof->whole_m || proof->n < proof->whole_n || proof->k < proof->whole_k;
}

G_END_DECLS
