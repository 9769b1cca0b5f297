/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small networks with weights of the test's own, as they are converted.
 */
#pragma once

#include "machines/converted/network.h"

typedef struct {
  LsPlan *plan;
  float **weights;
  LsNet *net;
} Rig;

static inline LsPlan *
rig_plan (const char *text, gint64 channels, gint64 height, gint64 width)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);
  LsPlan *plan;
  gint classes;

  g_assert_no_error (error);
  classes = model->layers[model->n_layers - 1].n;
  plan = ls_plan_new (model, (gint64[]){ channels, height, width }, classes, 1, LS_OPTIMIZER_SGD, &error);
  g_assert_no_error (error);
  return plan;
}

/* weight: of parameter p's element i. */
static inline void
rig_init (Rig *rig, const char *text, gint64 channels, gint64 height, gint64 width,
          float (*weight) (guint p, gint64 i))
{
  g_autoptr (GError) error = NULL;

  rig->plan = rig_plan (text, channels, height, width);
  rig->weights = g_new0 (float *, rig->plan->n_params);
  for (guint p = 0; p < rig->plan->n_params; p++)
    {
      const gint64 n = ls_tensor_count (&rig->plan->tensors[rig->plan->params[p].weight]);

      rig->weights[p] = g_new (float, n);
      for (gint64 i = 0; i < n; i++)
        rig->weights[p][i] = weight (p, i);
    }
  rig->net = ls_net_new (rig->plan, (const float *const *) rig->weights, "A machine", &error);
  g_assert_no_error (error);
}

static inline void
rig_clear (Rig *rig)
{
  for (guint p = 0; p < rig->plan->n_params; p++)
    g_free (rig->weights[p]);
  g_free (rig->weights);
  g_free (rig->net);
  ls_plan_unref (rig->plan);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rig, rig_clear)

/* Always the same, from −1 to 1 in steps of 1/128. */
static inline float
rig_number (guint a, gint64 b)
{
  const guint32 mixed = (a * 2654435761u) ^ ((guint32) b * 2246822519u + 374761393u);

  return (float) ((gint) ((mixed ^ (mixed >> 15)) * 2654435761u >> 24) - 128) / 128;
}
