/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of what Network says of a perceptron of two hidden layers: a picture with room for every
 * sentence, and the recorded tensors by their names: x, h2 and h4 are what its layers give, 1, 3 and 5 their
 * weights.
 */
#pragma once

#include "tests/paint/asked.h"
#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "ui/paint/network/network.h"
#include "ui/paint/views.h"

#define BATCH   32
#define CLASSES 10
#define INPUTS  784
#define FIRST   256 /* units of the perceptron's hidden layers */
#define SECOND  128

static inline LsLayout *
layout_of (LsViewData *data, const LsQuery *query)
{
  /* so large that no sentence is shortened */
  return draw_view (&ls_view_network, data, query, LS_LOOK_LIGHT, 3840, 2160);
}

static inline const float *
recorded (const LsViewData *data, guint side, const char *name)
{
  const float *values = ls_recording_values (data->recording, data->sides[side].lane, name, NULL);

  if (values == NULL)
    g_error ("no lane recorded “%s”", name);
  return values;
}

#define FOOT_Y 3000.0

/* Puts the foot of n, or of what a test has made of it, into its picture; returns the first of its items. */
static inline guint
foot_of (const LsNetwork *n, double width)
{
  const guint first = n->layout->still->items->len;

  ls_network_foot (n, (LsArea){ 0, FOOT_Y, width, ls_network_foot_height (n) });
  return first;
}
