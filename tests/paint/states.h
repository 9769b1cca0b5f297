/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test data: the states that a run can be in, as views see them, made from an invented recording.
 */
#pragma once

#include "fixture.h"
#include "ui/paint/view_data.h"

typedef enum {
  LS_STATE_PLAYED_BACK,   /* from another machine */
  LS_STATE_LIVE,          /* without an end, evaluated after each epoch */
  LS_STATE_RUNS,          /* with two runs before */
  LS_STATE_FAILED,        /* OpenCL stopped in the middle */
  LS_STATE_BUILDING,      /* OpenCL compiles; the CPU trains */
  LS_STATE_NO_DEVICE,
  LS_STATE_DISAGREE,
  LS_STATE_STALE,
  LS_STATE_HISTORY,       /* an earlier recorded step of a live run */
  LS_STATE_NOT_YET,
  LS_STATE_N,
} LsFixtureState;

const char *ls_fixture_state_name (LsFixtureState state);
LsViewData *ls_fixture_view       (const LsFixture *fixture, LsFixtureState state);
