/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLossScale: what a loss's gradient is multiplied by where gradients are stored in fp16, so that small ones
 * don't vanish below its least number, 2⁻²⁴. Micikevicius et al., "Mixed precision training", ICLR 2018,
 * section 3.2, with the numbers of torch.amp.GradScaler: it begins at 2¹⁶; a step whose gradients overflow
 * changes nothing but the scale, which is halved; after 2000 good steps in a row it is doubled. A power of
 * two, so that multiplying and dividing by it rounds nothing; from 1 to 2²⁴.
 *
 * It follows from a lane's own gradients alone. One decision for all lanes would have each of them wait, in
 * every step, for the slowest one's gradients, and a lane that stops would stop the others; but lanes are
 * timed apart, and may be many steps ahead of each other. They decide alike as long as they compute the same
 * bits: products are summed in one order (LS_SUM_BLOCK), functions are the same term by term, and what is
 * stored is rounded the same way, so that an element overflows on all lanes or on none. Where a lane sums in
 * another order (OpenBLAS, another processor's roundings) one that is within rounding of the
 * largest number may overflow on one lane alone; that lane then skips the step, its scale halves, and both
 * lanes go on apart. This is looked for in each pair of lanes of the same precision, and the first such step
 * is told (LsAgreement.skip_step), with how far the losses differ from then on; each lane's skipped steps are
 * counted beside its precision. A lane that joins, or is trained again, takes the scale over with the
 * weights.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_LOSS_SCALE_FIRST 65536.0
#define LS_LOSS_SCALE_LEAST 1.0 /* unlike there */
#define LS_LOSS_SCALE_MOST  16777216.0
#define LS_LOSS_SCALE_GROWS 2000 /* good steps until it does */

/* A part of what training changes, as weights and the optimizer's memory are. All zero: of a lane that needs
 * none. */
typedef struct {
  double factor;   /* 0: nothing is scaled */
  guint64 good;    /* steps since it became that */
  guint64 skipped; /* steps that overflowed: the optimizer doesn't know of them */
} LsLossScale;

static inline LsLossScale
ls_loss_scale_first (gboolean scales)
{
  return (LsLossScale){ .factor = scales ? LS_LOSS_SCALE_FIRST : 0 };
}

/* A step has been done with it. */
static inline void
ls_loss_scale_step (LsLossScale *scale, gboolean overflowed)
{
  if (overflowed)
    {
      scale->factor = MAX (scale->factor / 2, LS_LOSS_SCALE_LEAST);
      scale->good = 0;
      scale->skipped++;
    }
  else if (++scale->good == LS_LOSS_SCALE_GROWS)
    {
      scale->factor = MIN (scale->factor * 2, LS_LOSS_SCALE_MOST);
      scale->good = 0;
    }
}

/* What another lane trained with weights that it hands over: it goes on from there, if both scale. */
static inline void
ls_loss_scale_take (LsLossScale *scale, const LsLossScale *other)
{
  const double own = scale->factor;

  *scale = *other;
  if (own == 0 || other->factor == 0)
    {
      scale->factor = own;
      scale->good = 0;
    }
}

G_END_DECLS
