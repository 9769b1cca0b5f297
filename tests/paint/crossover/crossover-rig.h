/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A map on synthetic devices, and the view that shows it.
 */
#pragma once

#include "tests/paint/fixture.h"
#include "tests/paint/picture.h"

#include <math.h>

#include "ui/paint/crossover/crossover.h"
#include "ui/paint/views.h"

/* A step of the first lane takes 20 µs and .004 µs a sample and unit; of the second 218 and .001: equal where
 * batch times width is 66,000. */
static inline double
rate (guint lane, LsLabSpot spot)
{
  return 1e6 * spot.x / (lane == 0 ? 20 + .004 * spot.x * spot.y : 218 + .001 * spot.x * spot.y);
}

static inline gboolean
second_wins (LsLabSpot spot)
{
  return (double) spot.x * spot.y > 66000;
}

/* Every `skip`-th spot isn't measured. */
static inline LsLabResult *
map_of (const LsExperiment *experiment, guint skip)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsLabResult *result = ls_lab_result_new (experiment, options, NULL);
  g_autoptr (GArray) spots = ls_experiment_spots (experiment, options, NULL, 0);

  result->n_sizes = spots->len;
  result->rounds = 3;
  result->seconds = 20;
  g_free (result->date);
  result->date = g_strdup ("2026-11-02");
  for (guint i = 0; i < spots->len; i++)
    {
      const LsLabSpot spot = g_array_index (spots, LsLabSpot, i);
      if (skip > 0 && i % skip == 0)
        continue;
      g_array_append_val (result->tried, spot);
      for (guint lane = 0; lane < 2; lane++)
        {
          const double r = rate (lane, spot);
          const LsLabPoint point
            = { spot.x, spot.y, { r, "samples/s", LS_EVIDENCE_MEASURED, 5, r * .999, r * 1.001 }, { 0 } };
          ls_lab_result_add (result, lane, &point);
        }
    }
  result->ended = TRUE;
  return result;
}

static inline LsViewData *
data_with (LsLabResult *result)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (GPtrArray) lab = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  LsViewBeside beside = { .lab = lab, .today = (char *) "2026-11-23" };

  if (result != NULL)
    g_ptr_array_add (lab, result);
  return ls_view_data_from_recording (recording, &beside);
}

static inline LsCrossState *
asked (const Picture *p)
{
  return p->state;
}

static inline void
open_picture (Picture *p, LsLabResult *result)
{
  start_picture (p, &ls_view_crossover, data_with (result), ls_fonts_new ("Cantarell, Sans"), 1280, 800);
}

/* The text that stands in a cell; NULL: none. */
static inline const char *
cell_text (const Picture *p, guint col, guint row)
{
  const LsCross *c = p->layout->own;
  const double x = c->left + (col + .5) * c->cell_w, y = c->top + (c->n_y - 1 - row + .5) * c->cell_h;

  for (guint i = 0; i < p->layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->still, i);
      if (item->kind == LS_ITEM_TEXT && fabs ((double) (item->x + item->w / 2) - x) < c->cell_w / 3
          && fabs ((double) item->y - y) < c->cell_h / 2 && g_utf8_get_char (item->text) != 'y')
        return item->text;
    }
  return NULL;
}
