/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See step.h.
 */
#include "config.h"
#include "lab/step.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "model/spec.h"

#define MAX_BATCH 65536 /* what is larger is a mistake */

gboolean
ls_lab_refuse (const char *spec, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” is nothing that can be measured."), spec);
  return FALSE;
}

/* The set's data, unless nobody wants them and its shape is known without. */
LsPlan *
ls_lab_step_plan (const char *spec, LsData **data, LsOptimizer optimizer, guint64 seed, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec, "\t", -1);
  g_autoptr (LsModel) model = NULL;
  gint64 batch, shape[3];
  gint n_classes;

  if (g_strv_length (words) != 4 || strcmp (words[0], "step") != 0
      || !g_ascii_string_to_signed (words[3], 10, 1, MAX_BATCH, &batch, NULL))
    {
      ls_lab_refuse (spec, error);
      return NULL;
    }
  model = ls_model_parse (words[1], error);
  if (model == NULL)
    return NULL;
  if (data != NULL || !ls_data_shape (words[2], shape, &n_classes))
    {
      g_autoptr (LsData) loaded = data != NULL && *data != NULL && g_str_equal ((*data)->name, words[2])
                                    ? ls_data_ref (*data)
                                    : ls_data_load (words[2], seed, error);
      if (loaded == NULL)
        return NULL;
      memcpy (shape, loaded->train.shape, sizeof shape);
      n_classes = loaded->n_classes;
      if (data != NULL)
        {
          g_clear_pointer (data, ls_data_unref);
          *data = g_steal_pointer (&loaded);
        }
    }
  return ls_plan_new (model, shape, n_classes, (guint) batch, optimizer, error);
}
