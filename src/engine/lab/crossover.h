/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a map of two sizes says of its first two lanes: who is faster at a spot, and where one overtakes the
 * other, in a sentence.
 */
#pragma once

#include "lab/result.h"
#include "train/fairness.h"

G_BEGIN_DECLS

/* Rates that differ by less are told as equal. */
#define LS_LAB_EQUAL 1.05

typedef enum {
  LS_WINS_UNKNOWN, /* they haven't both a point there */
  LS_WINS_FIRST,
  LS_WINS_SECOND,
  LS_WINS_NEITHER, /* equal, or their middle halves overlap */
} LsLabWins;

/* log₂ of both rates at that spot, the second lane's over the first's; derived. FALSE: they haven't both a
 * point there. */
gboolean ls_lab_log_ratio (const LsLabResult *result, LsLabSpot spot, double *log_ratio);
/* times, which may be NULL: how many times as fast the faster one is, from 1. */
LsLabWins ls_lab_wins (const LsLabResult *result, LsLabSpot spot, double *times);

/* How fair its first two lanes are compared, as far as their options tell; NULL: there are no two. (transfer
 * full) */
LsFairness *ls_lab_fairness (const LsLabResult *result);

/* From there on, towards larger sizes, that lane is faster at three quarters or more of what was measured,
 * and the other one nowhere. */
typedef struct {
  LsLabWins who; /* UNKNOWN: no such corner; NEITHER can't be */
  LsLabSpot from;
  guint spots; /* that this rests on */
} LsLabCorner;

void ls_lab_corner (const LsLabResult *result, LsLabCorner *corner);

/* "Here OpenCL wins from batch 64 at width 512 upwards. Your network at batch 128 is 1.3 times as fast on
 * CPU.", translated, and what is unfair about it; own: its spot, or NULL. (transfer full) */
char *ls_lab_crossover_text (const LsLabResult *result, const LsLabSpot *own);

G_END_DECLS
