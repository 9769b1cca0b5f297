/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "This op alone" in Race, of recorded steps whose times a test knows.
 */
#pragma once

#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "ui/paint/race/race.h"
#include "ui/paint/views.h"

/* n more recorded steps, from step from + 1 on, in which OpenCL's op takes `times` as long as CPU's, give or
 * take a part of it. all (transfer full): NULL, or those before them. */
static inline LsOpTimes *
more_times (LsOpTimes *all, guint from, guint n, guint op, double times, double noise)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
      LsOpTimes *before = all;

      recording->step = from + i + 1;
      for (guint lane = 0; lane < recording->n_lanes; lane++)
        for (guint k = 0; k < recording->lanes[lane].events->len; k++)
          {
            LsEvent *e = &g_array_index (recording->lanes[lane].events, LsEvent, k);
            if ((e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL) && e->op == op)
              e->end_ns = e->start_ns
                          + (guint64) (100000 * (lane > 0 ? times : 1)
                                       * (1 + noise * ((double) ((i * 7 + lane * 3) % n) / n - .5)));
          }
      all = ls_op_times_add (before, recording);
      ls_op_times_unref (before);
    }
  return all;
}

static inline LsOpTimes *
times_of (guint n, guint op, double times, double noise)
{
  return more_times (NULL, 0, n, op, times, noise);
}

static inline LsLayout *
lay_out (LsViewData *data, LsFonts *fonts, guint op, LsPick hover, LsLook look, double w, double h)
{
  LsQuery query = LS_QUERY_INIT;

  query.op = op;
  query.hover = hover;
  query.time_ns = 120000;
  LsLayout *layout = draw_view_in (fonts, &ls_view_race, data, &query, look, w, h);
  ls_layout_move (layout, &query);
  return layout;
}

/* In one sentence that may be broken. */
static inline gboolean
tells (const LsLayout *layout, const char *words)
{
  g_autofree char *all = all_texts (layout->moving, " ");

  return strstr (all, words) != NULL;
}
