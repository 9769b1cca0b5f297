/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test data: the states that a run can be in, as views see them, made from an invented recording.
 */
#pragma once

#include "fixture.h"

typedef enum {
  LS_STATE_PLAYED_BACK,   /* from another machine */
  LS_STATE_LIVE,          /* without an end, evaluated after each epoch */
  LS_STATE_RUNS,          /* with two runs before */
  LS_STATE_FAILED,        /* OpenCL stopped in the middle */
  LS_STATE_GETTING_READY, /* both lanes open, nothing is known but the plan */
  LS_STATE_BUILDING,      /* OpenCL compiles; the CPU has done a few steps and waits */
  LS_STATE_OVERDUE,       /* OpenCL still compiles; the CPU goes on */
  LS_STATE_UNRECORDED,    /* OpenCL works, what is shown was recorded before */
  LS_STATE_NO_DEVICE,
  LS_STATE_DISAGREE,
  LS_STATE_HISTORY, /* an earlier recorded step of a live run */
  LS_STATE_NOT_YET,
  LS_STATE_N,
} LsFixtureState;

const char *ls_fixture_state_name (LsFixtureState state);
/* A build of that plan's ops, fused ones done by others' kernels: `done` programs are there, the next one is
 * running, 0.3 s so far; 2.2 s are left. */
LsBuild *ls_fixture_build (const LsPlan *plan, guint done);
LsViewData *ls_fixture_view (const LsFixture *fixture, LsFixtureState state);
/* A recording, played back, in which Tiles has a CPU lane and, where opencl, one on the same CPU; values: of
 * its tensors, too. */
LsViewData *ls_fixture_tiles (const char *model, guint batch, gboolean values, gboolean opencl);
