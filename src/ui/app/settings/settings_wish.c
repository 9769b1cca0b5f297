/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks and lanes are compared as their parsers write them, for the same one may be written in several
 * ways; whether a run can be is asked of the engine by making its plan, which declares tensors and allocates
 * none.
 */
#include "config.h"
#include "ui/app/settings/settings_wish.h"

#include <string.h>

#include "data/dataset.h"
#include "data/defaults.h"
#include "model/plan.h"
#include "train/lane_spec.h"

void
ls_settings_wish_init (LsSettingsWish *wish)
{
  *wish = (LsSettingsWish){ .running = ls_options_new (), .options = ls_options_new () };
}

void
ls_settings_wish_clear (LsSettingsWish *wish)
{
  g_clear_pointer (&wish->running, ls_options_free);
  g_clear_pointer (&wish->options, ls_options_free);
  g_clear_pointer (&wish->shape_of, g_free);
}

void
ls_settings_wish_set_running (LsSettingsWish *wish, const LsOptions *options)
{
  LsOptions *running = ls_options_copy (options), *wished = ls_options_copy (options);

  ls_options_free (wish->running);
  ls_options_free (wish->options);
  wish->running = running;
  wish->options = wished;
}

void
ls_settings_wish_change_running (LsSettingsWish *wish, const LsOptions *options)
{
  LsOptions *running = ls_options_copy (options);
  guint n;
  const LsOption *rows = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *was = ls_options_get (wish->running, &rows[i]),
                      *is = ls_options_get (options, &rows[i]);
      if (strcmp (was, is) == 0)
        continue;
      ls_options_set (wish->options, &rows[i], is, NULL);
      if (!ls_options_is_given (options, &rows[i])) /* it follows from others */
        ls_options_forget (wish->options, &rows[i]);
    }
  ls_options_free (wish->running);
  wish->running = running;
}

void
ls_settings_wish_set_shape (LsSettingsWish *wish, const char *what, const gint64 shape[3], gint n_classes,
                            gint64 n_train)
{
  g_free (wish->shape_of);
  wish->shape_of = g_strdup (what);
  memcpy (wish->shape, shape, sizeof wish->shape);
  wish->n_classes = n_classes;
  wish->n_train = n_train;
  for (guint i = 0; i < 2; i++)
    {
      LsOptions *options = i == 0 ? wish->running : wish->options;
      if (strcmp (options->data, what) == 0) /* the run did the same when it read them */
        ls_data_suggest (options, n_classes, n_train);
    }
}

gboolean
ls_settings_wish_shape (const LsSettingsWish *wish, gint64 shape[3], gint *n_classes)
{
  if (ls_data_shape (wish->options->data, shape, n_classes))
    return TRUE;
  if (g_strcmp0 (wish->shape_of, wish->options->data) != 0)
    return FALSE;
  memcpy (shape, wish->shape, sizeof wish->shape);
  *n_classes = wish->n_classes;
  return TRUE;
}

static char *
comparable (const LsOption *option, const LsOptions *options)
{
  g_autofree char *text = ls_options_get (options, option);

  if (strcmp (option->name, "model") == 0)
    {
      g_autoptr (LsModel) model = ls_model_parse (text, NULL);
      if (model != NULL)
        return g_strdup (model->text);
    }
  if (strcmp (option->name, "lanes") == 0)
    {
      g_autoptr (GPtrArray) specs = ls_lane_specs_new (options, NULL);
      if (specs != NULL)
        return ls_lane_specs_with (specs, specs->len, NULL, NULL); /* none with another value */
    }
  return g_steal_pointer (&text);
}

gboolean
ls_settings_wish_is_other (const LsSettingsWish *wish, const LsOption *option)
{
  g_autofree char *wished = comparable (option, wish->options), *runs = comparable (option, wish->running);

  return strcmp (wished, runs) != 0;
}

static void
fit_classes (LsOptions *options, gint n_classes)
{
  g_autoptr (LsModel) model = ls_model_parse (options->model, NULL);
  LsLayer *last = model != NULL ? &model->layers[model->n_layers - 1] : NULL;

  if (last == NULL || last->kind != LS_LAYER_DENSE || last->depth > 0 || last->n == n_classes)
    return;
  last->n = n_classes;
  g_free (options->model);
  options->model = ls_layers_text (model->layers, model->n_layers);
}

gboolean
ls_settings_wish_check (const LsSettingsWish *wish, GError **error)
{
  const LsOptions *o = wish->options;
  g_autoptr (LsModel) model = ls_model_parse (o->model, error);
  g_autoptr (LsPlan) plan = NULL;
  gint64 shape[3];
  gint n_classes;

  if (model == NULL || !ls_settings_wish_shape (wish, shape, &n_classes))
    return model != NULL;
  plan = ls_plan_new (model, shape, n_classes, (guint) o->batch, (LsOptimizer) o->optimizer, error);
  return plan != NULL;
}

gboolean
ls_settings_wish_check_lanes (const LsSettingsWish *wish, GError **error)
{
  g_autoptr (GPtrArray) specs = ls_lane_specs_new (wish->options, error);

  return specs != NULL;
}

void
ls_settings_wish_follow (LsSettingsWish *wish, gboolean other_data)
{
  LsOptions *options = wish->options;
  gint64 shape[3];
  gint n_classes;
  const gboolean known = ls_settings_wish_shape (wish, shape, &n_classes);

  ls_data_suggest (options, known ? n_classes : 0,
                   g_strcmp0 (wish->shape_of, options->data) == 0 ? wish->n_train : 0);
  if (known && other_data && ls_options_is_given (options, ls_options_find ("model")))
    fit_classes (options, n_classes);
}
