/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What models are held against: the lanes of a recorded run, and the same step as a plan.
 */
#pragma once

#include "files/recording.h"
#include "machines/model.h"

G_BEGIN_DECLS

/* The step that is recorded, stored in 32 bits; NULL with an error: there can be no such plan here. (transfer
 * full) */
LsPlan *ls_held_plan (const LsRecording *recording, GError **error);
/* The device is what the machine is a model of: a processor, which isn't the OpenCL device, or a GPU. */
gboolean ls_held_like (const LsMachine *machine, const LsDeviceInfo *device);
/* Lanes of the recording that took turns on the processor, and the caches with them; 1: none did, or it is
 * NULL. */
guint ls_held_turns (const LsRecording *recording);
/* What is assumed: of the catalogue's device, if the machine is a model of such; else what was measured of
 * `here`, if it is like that, where `turns` lanes took turns; else the defaults. Both may be NULL. FALSE: it
 * is the defaults alone. */
gboolean ls_held_assume (const LsMachine *machine, const LsHardware *device, const LsDeviceInfo *here,
                         guint turns, LsAssumed *assumed);
/* Seconds of a step: the median of the newest ones before the recorded one; n == 0: there are none. */
LsFigure ls_held_step (const LsRecording *recording, guint lane);
/* The same where it stands (core/figure.h), which is the rule for the lane's rate, too: else n == 0, and
 * there is no median yet that a model could be held against. */
LsFigure ls_held_median (const LsRecording *recording, guint lane);
/* Seconds of the recorded step, which its ops are of; NAN: it wasn't timed. */
double ls_held_recorded (const LsRecording *recording, guint lane);
/* Seconds of every op of the recorded step with what a model does in its epilogue, as the plan's op that
 * leads; NAN: it is done in another one, or wasn't recorded. (transfer full) */
double *ls_held_ops (const LsRecording *recording, guint lane, const LsPlan *plan);

/* The values of the plan's tensor as the step found them, on the first lane that has them; NULL: they aren't
 * recorded, or not in 32 bits, or are of another size. */
const float *ls_held_values (const LsRecording *recording, const LsPlan *plan, guint tensor);

/* A recorded product's operand as it is multiplied, whichever way it is stored: element (i, j) is
 * values[i * down + j * across]. */
typedef struct {
  const float *values; /* the recording's; NULL: it has none */
  gint64 rows, cols, down, across;
} LsHeldMatrix;

static inline float
ls_held_at (const LsHeldMatrix *matrix, gint64 i, gint64 j)
{
  return matrix->values[i * matrix->down + j * matrix->across];
}
/* Operands of the plan's op, a product C[m×n] = A[m×k]·B[k×n]. FALSE: it is none, or either wasn't
 * recorded. */
gboolean ls_held_product (const LsRecording *recording, const LsPlan *plan, guint op, LsHeldMatrix *a,
                          LsHeldMatrix *b);

/* A model's seconds over the measured ones, less 1: −.06 is 6 % too short. NAN: nothing was measured. */
double ls_held_error (double modelled, double measured);

G_END_DECLS
