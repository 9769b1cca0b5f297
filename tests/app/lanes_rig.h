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
} PlayedLanes;
extern PlayedLanes lanes;

/* A run of two lanes that trains 500 steps, paused; nothing was told. */
View *lanes_view (void);
void lanes_done (View *view);
/* What was told since, and nothing else. */
void lanes_assert_told (const char *words);
/* An invented recorded step. (transfer full) */
LsRecording *lanes_step (guint64 step);
/* Until something is told. */
void lanes_wait_told (void);
void lanes_pass (double seconds);
