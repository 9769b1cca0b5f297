/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines on an invented computer whose lanes tell their roofs and took so long for each step.
 */
#pragma once

#include "tests/paint/fixture.h"
#include "tests/paint/picture.h"

#include <math.h>

#include "core/number.h"
#include "ui/paint/machines/machines.h"
#include "ui/paint/views.h"

static inline guint
row_of (const char *name)
{
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (machines[i]->name, name) == 0)
      return i;
  g_error ("there is no machine “%s”", name);
}

static inline const LsMachines *
machines_of (const Picture *p)
{
  return p->layout->own;
}

static inline LsMachinesState *
machines_asked (const Picture *p)
{
  return p->state;
}

/* roofs: whether the CPU lane tells them. */
static inline void
open_machines (Picture *p, gboolean roofs, const LsViewBeside *beside, double w, double h)
{
  static const LsFixture fixture = { LS_DESK, .batch = 64, .steps = 400, .values = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&fixture);
  LsDeviceInfo *device = recording->lanes[0].device;

  for (guint i = 0; roofs && i < LS_ROOF_N; i++)
    device->roofs[i] = (LsFigure){ .value = i == LS_ROOF_FLOPS    ? 4e11
                                            : i == LS_ROOF_GEMM   ? 3.4e11 /* the default's .85 */
                                            : i == LS_ROOF_LAUNCH ? 1e6
                                                                  : 1e11,
                                   .n = 7,
                                   .unit = ls_roof_unit ((LsRoof) i),
                                   .evidence = LS_EVIDENCE_MEASURED };
  start_picture (p, ls_view_find ("machines"), ls_view_data_from_recording (recording, beside), NULL, w, h);
}

/* The same at a moment of the step. */
static inline void
draw_moment (Picture *p, gint64 time_ns)
{
  LsQuery query = LS_QUERY_INIT;

  g_clear_pointer (&p->layout, ls_layout_free);
  query.state = p->state;
  query.time_ns = time_ns;
  p->layout = draw_view (p->view, p->data, &query, p->look, p->width, p->height);
}

/* x where the ticks say that moment is, ns since the step's start. */
static inline double
x_of (const Picture *p, double ns)
{
  const LsScene *s = p->layout->moving;
  double x[2] = { NAN, NAN }, value[2] = { 0 }, unit = 0;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      char *end;
      double number;
      if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_QUIET
          || fabs ((double) item->y - machines_of (p)->ticks_y) > .5)
        continue;
      number = g_ascii_strtod (item->text, &end);
      if (strstr (end, "µs") != NULL || strstr (end, "ms") != NULL || strstr (end, "ns") != NULL)
        {
          unit = strstr (end, "µs") != NULL ? 1e3 : strstr (end, "ms") != NULL ? 1e6 : 1;
          x[0] = (double) item->x;
          value[0] = number;
        }
      else
        {
          x[1] = (double) (item->x + item->w / 2);
          value[1] = number;
        }
    }
  g_assert_false (isnan (x[0]) || isnan (x[1]));
  return x[0] + (ns / unit - value[0]) / (value[1] - value[0]) * (x[1] - x[0]);
}

/* From where to where marks of that kind and ink lie on a bar; FALSE: there are none. */
static inline gboolean
extent (const LsScene *s, LsItemKind kind, LsInk ink, LsArea bar, double *from, double *to)
{
  *from = HUGE_VAL;
  *to = -HUGE_VAL;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != kind || item->ink != ink || fabs ((double) item->y - bar.y) > .5
          || fabs ((double) item->h - bar.h) > .5)
        continue;
      *from = MIN (*from, (double) item->x);
      *to = MAX (*to, (double) (item->x + item->w));
    }
  return *to > *from;
}
