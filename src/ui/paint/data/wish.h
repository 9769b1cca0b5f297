/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsWish: what a picture would have of those who compute. It is told when data or query are new, never while
 * painting.
 */
#pragma once

#include "train/snapshot.h"
#include "ui/paint/data/strokes.h"

G_BEGIN_DECLS

typedef struct {
  LsWalkWish walk; /* op LS_WALK_NO_OP: none */
  struct {
    gboolean wanted;
    LsAsked what;
    gint64 number;            /* LS_ASKED_TEST: the sample of the test set */
    const LsStrokes *strokes; /* LS_ASKED_DRAWN; read at once, not kept */
  } answer;
  struct {
    const char *claim; /* whose outcome is guessed; the view data's; NULL: none is */
    double value;      /* in that claim's unit */
  } guess;
} LsWish;

#define LS_WISH_NOTHING                                                                                      \
  {                                                                                                          \
    .walk = {.op = LS_WALK_NO_OP }                                                                           \
  }

G_END_DECLS
