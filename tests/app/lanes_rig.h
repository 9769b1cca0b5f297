/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session whose coordinator and clock are played: what those who train are told is noted, "run 500; pause;
 * record; …". For programs that are linked with --wrap of what is in lanes_rig.c.
 */
#pragma once

#include "data/dataset.h"
#include "view_rig.h"

typedef struct {
  GString *told;
  gint64 us;         /* the session's clock */
  LsData *data;      /* of the run: a spiral */
  LsQuestion *asked; /* the newest, or NULL */
  gint64 saves_us;   /* how long it takes to keep a run */
  /* Runs that are made, on threads; all atomic. */
  struct {
    gint fails;             /* the next one can't be: 1: made, 2: go on */
    gint held;              /* of this seed it isn't made until it is another; 0: none */
    gint made, begun;       /* so many were */
    gint went_on;           /* after so many steps, the newest; 0: from the first one */
    gint seeds[8], gone[8]; /* of each; and how often it was let go of */
  } runs;
} PlayedLanes;
extern PlayedLanes lanes;

/* A run of two lanes that trains 500 steps, paused; nothing was told. */
View *lanes_view (void);
/* The same, and step 100 is shown, from its beginning. */
View *lanes_view_of_step (void);
void lanes_done (View *view);
/* Until no run is being made, nor being ended. */
void lanes_wait_made (View *view);
/* What was told since, and nothing else. */
void lanes_assert_told (const char *words);
/* An invented recorded step. (transfer full) */
LsRecording *lanes_step (guint64 step);
/* Until something is told. */
void lanes_wait_told (void);
void lanes_pass (double seconds);
