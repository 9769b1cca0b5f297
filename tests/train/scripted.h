/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes that do what the reference does, and say what the test wrote: the loss and the time of each step,
 * and the weights that are read; and a log of what they were given to do, in the order of both where they
 * take turns. Set before the coordinator starts, read when it is at rest.
 */
#pragma once

#include "rig.h"

#define SCRIPTED_STEPS 512
#define SCRIPTED_LANES 3

typedef struct {
  float losses[SCRIPTED_LANES][SCRIPTED_STEPS]; /* by lane, from step 0 */
  double step_us[SCRIPTED_STEPS];
  double slower[SCRIPTED_LANES]; /* how many times as long that lane takes */
  /* From read(): all weights are 2 but one. */
  struct {
    guint param;
    gint64 at;
    float value;
  } weight[SCRIPTED_LANES];
  GString *log; /* "0T8+2 0R10": lane 0 trains 2 steps after 8, its weights are read after 10; E: it goes
                   through the test set; C: it runs one op by itself */
  guint32 *samples[SCRIPTED_LANES]; /* SCRIPTED_STEPS of each batch */
  guint batch;
  LsHyper hyper[SCRIPTED_LANES];         /* of the newest step */
  gboolean fuse[SCRIPTED_LANES];         /* its run was allowed to */
  gboolean fuse_answers[SCRIPTED_LANES]; /* and when it only answered */
  guint64 stays_at[SCRIPTED_LANES];      /* that lane hangs after so many steps, … */
  LsData *data;                          /* what is trained on; NULL: what the options name */
  gboolean idle; /* nothing is computed: of a large network what is written here is there at once */
  gint let_go;   /* atomic: … before this; 0: it doesn't; */
  gint lets[SCRIPTED_LANES];  /* atomic: or before this, which is its own */
  gint hangs[SCRIPTED_LANES]; /* atomic: it does, or has */
} Script;

extern Script script;

/* The tiny run's, with a check every so many steps. The script begins anew: every loss is 1/(step + 1), every
 * step takes 1000 µs on all lanes, until the test writes others. */
LsOptions *scripted_options (gint check_every);
/* Lanes of these precisions ("fp32,bf16"), each with options of its own behind it ("fp32 fusion=off"); all
 * there, and the log is empty. */
LsCoordinator *scripted_start (LsOptions *options, const char *precisions);
/* Up to that step; the snapshot then. */
LsSnapshot *scripted_run (LsCoordinator *c, guint64 steps);
void scripted_end (void);
