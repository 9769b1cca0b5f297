/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A moment of a run made by hand, for what is said of it at the end. No two numbers of it are alike, so that
 * none can stand in another's place.
 */
#pragma once

#include <glib.h>
#include <math.h>

#include "ui/report/json_out.h"
#include "ui/report/report.h"
#include "ui/report/terminal.h"

typedef struct {
  LsSnapshot s;
  LsOptions *options;
  LsPlan *plan;
} Moment;

static inline LsFigure
figure (const char *unit, double value, double q1, double q3, guint64 n, guint64 left_out)
{
  return (LsFigure){ value, unit, LS_EVIDENCE_MEASURED, n, q1, q3, left_out, NULL };
}

/* A CPU lane, an OpenCL lane, and one that never began. */
static inline Moment *
moment_new (void)
{
  static const gint64 point[3] = { 1, 1, 2 };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 8, relu, dense 3", NULL);
  Moment *m = g_new0 (Moment, 1);
  LsSnapshot *s = &m->s;

  m->options = ls_options_new ();
  m->plan = ls_plan_new (model, point, 3, 16, LS_OPTIMIZER_SGD, NULL);
  *s = (LsSnapshot){ .options = m->options,
                     .plan = m->plan,
                     .n_lanes = 3,
                     .target = 1404,
                     .steps_per_epoch = 468,
                     .turns = TRUE };
  s->lanes[0] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (m->options, &ls_backend_cpu),
                                  .state = LS_LANE_READY,
                                  .steps = 3,
                                  .loss = .0673662f,
                                  .curve = ls_curve_new (),
                                  .rate = figure ("samples/s", 143278.4, 134853.6, 149112.7, 1394, 4),
                                  .step_us = figure ("µs", 893.371, 858.419, 949.214, 1393, 5),
                                  .accuracy = .975219,
                                  .accuracy_step = 2 };
  s->lanes[1] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (m->options, &ls_backend_opencl),
                                  .state = LS_LANE_READY,
                                  .steps = 2,
                                  .loss = 1.234567f,
                                  .curve = ls_curve_new (),
                                  .rate = figure ("samples/s", 1285.52, 1216.08, 1363.25, 57, 6),
                                  .step_us = figure ("µs", 99.587, 93.888, 105.263, 56, 7),
                                  .accuracy = .0449,
                                  .accuracy_step = 1 };
  s->lanes[2] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (m->options, &ls_backend_reference),
                                  .state = LS_LANE_FAILED,
                                  .message = (char *) "it has no memory.",
                                  .loss = NAN,
                                  .curve = ls_curve_new (),
                                  .accuracy = (double) NAN,
                                  .rate = { .unit = "samples/s" },
                                  .step_us = { .unit = "µs" } };
  for (guint lane = 0; lane < 2; lane++)
    for (guint step = 0; step < s->lanes[lane].steps; step++)
      ls_curve_append (s->lanes[lane].curve,
                       (LsPoint){ .step_us = 100, .loss = (float) (lane + 1) + .25f * (float) step });
  s->agreement = (LsAgreement){ .losses_compared = 2806, /* three lanes' */
                                .losses_steps = 1403,
                                .tolerance = LS_AGREE_LOSS,
                                .loss_delta_max = 4.8123e-7,
                                .loss_delta_step = 2,
                                .weights_compared = 15,
                                .weights_step = 1402 };
  return m;
}

static inline void
moment_free (Moment *m)
{
  for (guint i = 0; i < m->s.n_lanes; i++)
    {
      ls_lane_spec_unref (m->s.lanes[i].spec);
      ls_curve_unref (m->s.lanes[i].curve);
      g_clear_pointer (&m->s.lanes[i].evaluation, ls_evaluation_unref);
    }
  ls_plan_unref (m->plan);
  ls_options_free (m->options);
  g_free (m);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Moment, moment_free)

/* What the file has under that name, as one line. */
static inline void
assert_member (const json_t *json, const char *name, const char *expected)
{
  const json_t *member = json_object_get (json, name);
  g_autofree char *text = member != NULL
                            ? json_dumps (member, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION (9))
                            : NULL;

  if (g_strcmp0 (text, expected) != 0)
    g_error ("the report's “%s” is\n  %s\nand should be\n  %s", name, text, expected);
}
