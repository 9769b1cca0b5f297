/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of weights share: a plan, values for it, saved and refused.
 */
#pragma once

#include "core/rng.h"
#include "files/safetensors.h"
#include "files/weights.h"
#include "tempdir.h"

#define MODEL_TEXT "conv 4 3 pad 1 stride 2, tanh, maxpool 2, flatten, dense 7, relu, dense 3"

static inline LsPlan *
make_plan (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);
  LsPlan *plan;

  g_assert_no_error (error);
  plan = ls_plan_new (model, (const gint64[]){ 2, 8, 9 }, 3, 5, LS_OPTIMIZER_ADAM, &error);
  g_assert_no_error (error);
  return plan;
}

static inline gint64
param_count (const LsPlan *plan, guint i)
{
  return ls_tensor_count (&plan->tensors[plan->params[i].weight]);
}

static inline float **
make_values (const LsPlan *plan)
{
  float **values = g_new0 (float *, plan->n_params + 1);

  for (guint i = 0; i < plan->n_params; i++)
    {
      values[i] = g_new (float, param_count (plan, i));
      for (gint64 j = 0; j < param_count (plan, i); j++)
        values[i][j] = (float) ls_rng_normal (3, LS_STREAM_TEST, i, (guint64) j) * 0.3f;
    }
  return values;
}

static inline void
assert_same (const LsPlan *plan, float *const *a, float *const *b)
{
  for (guint i = 0; i < plan->n_params; i++)
    {
      gsize bytes = (gsize) param_count (plan, i) * sizeof (float);

      g_assert_cmpmem (a[i], bytes, b[i], bytes);
    }
}

static inline void
save (const char *path, const LsPlan *plan, float *const *values)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_weights_save (path, plan, (const float *const *) values, LS_PRECISION_FP32, &error));
  g_assert_no_error (error);
}

static inline void
refuse (const char *path, const LsPlan *plan, const char *words)
{
  g_autoptr (GError) error = NULL;

  if (ls_weights_load (path, plan, &error) != NULL)
    g_error ("taken, not refused: %s", words);
  assert_refused (&error, LS_ERROR_DATA, words);
}
