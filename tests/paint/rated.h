/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of what a picture makes of the lanes' rates: a live run whose rates the test sets, and the
 * sizes at which it is drawn.
 */
#pragma once

#include "draw.h"
#include "said.h"
#include "states.h"

static const LsFixture desk = { LS_CORES (2),   .batch = 128,  .tiles = 16, .groups = 16,
                                .on_cpu = TRUE, .fused = TRUE, .steps = 600 };
static const struct {
  double w, h;
  LsLook look;
} sizes[] = {
  { 960, 600, LS_LOOK_LIGHT },
  { 1280, 800, LS_LOOK_LIGHT },
  { 1920, 1080, LS_LOOK_LIGHT },
  { 1920, 1080, LS_LOOK_PROJECTOR },
};

/* size: of sizes. (transfer full) */
static inline LsLayout *
layout_of (LsViewData *data, const LsView *view, guint size)
{
  const LsQuery query = LS_QUERY_INIT;

  return draw_view (view, data, &query, sizes[size].look, sizes[size].w, sizes[size].h);
}

/* wide: the middle half, as a part of the median; n: steps behind it, from step 100 on. */
static inline void
set_rate (LsViewData *data, guint side, double value, double wide, guint64 n)
{
  LsViewLane *lane = &data->sides[side];

  lane->rate = (LsFigure){
    .value = value, .q1 = value * (1 - wide / 2), .q3 = value * (1 + wide / 2), .n = n, .unit = "samples/s"
  };
  lane->counted = (LsCounted){ .from = 100, .end = 100 + n };
}

/* The rate at which the shown step was computed, in samples/s. */
static inline double
shown_rate (const LsViewData *data, guint side)
{
  return 1e9 * data->batch / (double) data->sides[side].index->length_ns;
}
