/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling drawn from results, and its dots found in the picture.
 */
#pragma once

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/lab_fixture.h"

#include "ui/paint/scaling/scaling.h"
#include "ui/paint/views.h"

static inline LsViewData *
data_with (GPtrArray *results, const char *today)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_desk);
  const LsViewBeside beside = { .lab = results, .today = (char *) today };

  return ls_view_data_from_recording (recording, &beside);
}

static inline LsLayout *
draw_on (const char *today, GPtrArray *results, const LsScalingState *state, double w, double h)
{
  g_autoptr (LsViewData) data = data_with (results, today);
  LsScalingState own = *state;
  LsQuery query = LS_QUERY_INIT;

  query.state = &own;
  return draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, w, h);
}

static inline LsLayout *
draw (GPtrArray *results, const LsScalingState *state, double w, double h)
{
  return draw_on (NULL, results, state, w, h);
}

/* The n-th list of dots or rings of that lane; their pixels, pairs of x and y. */
static inline const float *
find_dots (const LsLayout *layout, LsItemKind kind, guint ink, guint *n)
{
  const LsScene *s = layout->still;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != kind || item->evidence == 255 || (guint) item->value != LS_INK_OF (ink)
          || item->n_points < 3)
        continue;
      *n = item->n_points;
      return &g_array_index (s->points, float, 2 * item->points);
    }
  g_error ("lane %u has no such dots", ink);
}
