/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner on an invented machine that tells everything: roofs, memory, what its lanes have allocated, and the
 * steps of an epoch.
 */
#pragma once

#include "tests/paint/fixture.h"
#include "tests/paint/picture.h"
#include "tests/plain.h"

#include <math.h>

#include "core/number.h"
#include "ui/paint/planner/planner.h"
#include "ui/paint/views.h"

/* How much more than was estimated the lane on that side has allocated of each part. */
#define MORE_CPU    1.25
#define MORE_OPENCL 1.013

static inline void
set_allocated (LsRecording *recording, guint lane, double more)
{
  const char *text = recording->model;
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);
  LsFit fit = { .model = model, .n_classes = recording->n_classes, .data_bytes = 2000000 };
  LsStepMemory memory;

  memcpy (fit.in_shape, recording->in_shape, sizeof fit.in_shape);
  g_assert_true (ls_fit_estimate (&fit, recording->batch, recording->optimizer, &memory));
  for (guint i = 0; i < LS_MEMORY_N; i++)
    recording->lanes[lane].device->numbers[LS_DEVICE_ALLOCATED + i]
      = i == LS_MEMORY_DATA ? 2000000 : round ((double) memory.bytes[i] * more);
}

static inline void
set_roofs (LsRecording *recording, guint lane, double flops, double memory)
{
  const double values[] = { flops, memory };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    recording->lanes[lane].device->roofs[i] = (LsFigure){ .value = values[i],
                                                          .q1 = values[i],
                                                          .q3 = values[i],
                                                          .n = 7,
                                                          .unit = ls_roof_unit ((LsRoof) i),
                                                          .evidence = LS_EVIDENCE_MEASURED };
}

static inline LsPlannerState *
asked (const Picture *p)
{
  return p->state;
}

static inline const LsPlanner *
planner (const Picture *p)
{
  return p->layout->own;
}

/* told: with all that newer recordings have. */
static inline void
open_steps (Picture *p, const char *model, guint batch, guint steps, gboolean told)
{
  const LsFixture fixture = { LS_DESK, .model = model, .batch = batch, .steps = steps };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, &error);
  const LsViewBeside beside = { .catalogue = catalogue };

  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);

  g_assert_no_error (error);
  recording->lanes[1].device->global_mem = 200000000;
  if (told)
    {
      set_allocated (recording, 0, MORE_CPU);
      set_allocated (recording, 1, MORE_OPENCL);
      g_hash_table_insert (recording->conditions, g_strdup (LS_CONDITION_EPOCH), g_strdup ("200"));
    }
  for (guint lane = 0; lane < 2; lane++)
    set_roofs (recording, lane, 4e12, 4e11);
  start_picture (p, &ls_view_planner, ls_view_data_from_recording (recording, &beside), NULL, 1920, 1080);
}

static inline void
open_run (Picture *p, const char *model, guint batch, gboolean told)
{
  open_steps (p, model, batch, 400, told);
}

static inline void
open_picture (Picture *p, gboolean told)
{
  open_run (p, "flatten, dense 2048, relu, dense 2048, relu, dense 10", 256, told);
}

/* Where there is something to buy. */
static inline void
buying (Picture *p)
{
  open_picture (p, TRUE);
  asked (p)->often = 2; /* of which a month has too many for this computer */
  asked (p)->said[LS_PRICE_RENT] = asked (p)->said[LS_PRICE_CARD] = TRUE;
  asked (p)->prices[LS_PRICE_RENT] = .5;
  asked (p)->prices[LS_PRICE_CARD] = 500;
  draw (p);
}

typedef struct {
  double x, w, y, h;
} Row;

/* The rows of boxes of that kind of evidence in the left half, from top to bottom, each as far as it goes. */
static inline guint
rows_of (const Picture *p, LsItemKind kind, LsEvidence evidence, Row *rows, guint most)
{
  const LsScene *s = p->layout->still;
  guint n = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);

      if (item->kind != kind || item->evidence != evidence || item->ink != LS_INK_MARK)
        continue;
      if (n > 0 && fabs ((double) item->y - rows[n - 1].y) < 1)
        rows[n - 1].w = (double) (item->x + item->w) - rows[n - 1].x;
      else
        {
          g_assert_cmpuint (n, <, most);
          rows[n++] = (Row){ (double) item->x, (double) item->w, (double) item->y, (double) item->h };
        }
    }
  return n;
}
