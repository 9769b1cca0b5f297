/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that draw scenarios share: scenario.c draws, scenario_run.c makes the run that was drawn.
 */
#pragma once

#include "fixture.h"
#include "scenario.h"

typedef enum {
  LS_FATE_READY,
  LS_FATE_BEHIND,
  LS_FATE_JOINED,
  LS_FATE_WAITING,
  LS_FATE_COMPILING,
  LS_FATE_OVERDUE,
  LS_FATE_FAILED,
  LS_FATE_HUNG,
  LS_FATE_NEVER_RAN,
  LS_FATE_MISSING
} LsFate;
typedef enum { LS_NOISE_CALM, LS_NOISE_NOISY, LS_NOISE_SPIKY, LS_NOISE_N } LsNoise;

/* What is drawn before anything is made. */
typedef struct {
  GRand *random;
  LsScenario *s;
  LsFixture fixture;
  guint64 steps; /* of the lane that is farthest */
  LsFate fates[LS_SIDES];
  LsNoise noises[LS_SIDES];
  double step_us[LS_SIDES];
  double loss_scale;
  guint64 not_a_number; /* from this step on, from 0, losses are none */
  guint64 drift_from;
  guint64 epoch;
} LsDraw;

gboolean ls_draw_chance (const LsDraw *d, double p);
guint ls_draw_below (const LsDraw *d, guint n);
/* Between both, each size as likely. */
double ls_draw_size (const LsDraw *d, double low, double high);

/* A step's loss and time, of the lane on that side. */
double ls_draw_loss (const LsDraw *d, guint side, guint64 i);
double ls_draw_time (const LsDraw *d, guint side);
/* of: a recording that has both lanes, for what they are; recorded: the step of the newest recording. */
LsSnapshot *ls_draw_snapshot (LsDraw *d, LsRecording *recording, const LsRecording *of, guint64 recorded);
