/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test data: moments of runs drawn at random from a seed, of every kind that a window may have to show: lanes
 * that are fast, slow, equal, missing, failed, hung, behind, late, waiting, compiling; rates that are calm,
 * noisy or of a few steps; results that are the same, apart by rounding, or wrong. What it was made from
 * stays beside it, so that a test can say what is true of it.
 */
#pragma once

#include "draw.h"

typedef enum {
  LS_APART_NOT,      /* bit for bit the same */
  LS_APART_ROUNDING, /* by the last digits, at every step */
  LS_APART_DRIFT,    /* by rounding, from some step on, growing to what can be read off the losses */
  LS_APART_WRONG,    /* different work is done */
} LsApart;

typedef struct {
  guint64 seed;
  GString *words; /* how it was drawn, for the message of a test that fails */
  LsApart apart;
  LsRecording *recording; /* the newest recorded step; NULL: none */
  LsSnapshot *snapshot;   /* NULL: played back from the recording */
  LsViewData *data;       /* what views get */
  gint lane_of[LS_SIDES]; /* in the snapshot, or in what is played back; −1: there is none */
} LsScenario;

LsScenario *ls_scenario_new (guint64 seed);
void ls_scenario_free (LsScenario *scenario);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsScenario, ls_scenario_free)

/* What may be asked of any view: number n of those of the scenario's seed. */
Asked ls_scenario_query (const LsScenario *scenario, guint n, gboolean chrome);
