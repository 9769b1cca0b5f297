/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which elements a dropout leaves out: a pure function of the seed, the step, which dropout of the plan it
 * is, and the element, so that all lanes, threads and kernels have the same mask, late ones and those of a
 * step that is done again too. An element is kept where its random number reaches the threshold P·2³².
 *
 * Philox gives four numbers for a counter. Elements are taken 64 at a time: element 64·s + 16·w + j has
 * number w of the counter (16·s + j, step, dropout, stream), so that 16 counters side by side make 64
 * neighbours, in order.
 */
#pragma once

#include "core/rng.h"
#include "ops/op.h"

G_BEGIN_DECLS

#define LS_DROPOUT_SPAN 64
#define LS_DROPOUT_SIDE 16 /* counters side by side */

/* Outside of training, at step 0, nothing is left out. */
static inline gboolean
ls_dropout_is_off (const LsHyper *hyper)
{
  return hyper == NULL || hyper->step == 0;
}

/* The random number of one element. */
static inline guint32
ls_dropout_number (const LsHyper *hyper, const LsOpAttr *attr, gint64 element)
{
  const gint64 span = element / LS_DROPOUT_SPAN, in_span = element % LS_DROPOUT_SPAN;
  const guint32 counter[4] = { (guint32) (LS_DROPOUT_SIDE * span + in_span % LS_DROPOUT_SIDE),
                               (guint32) hyper->step, attr->number, LS_STREAM_DROPOUT };
  const guint32 key[2] = { (guint32) hyper->seed, (guint32) (hyper->seed >> 32) };
  guint32 out[4];

  ls_philox (counter, key, out);
  return out[in_span / LS_DROPOUT_SIDE];
}

G_END_DECLS
