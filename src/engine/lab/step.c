/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See step.h.
 */
#include "config.h"
#include "lab/step.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "model/spec.h"

#define MAX_BATCH   65536 /* what is larger is a mistake */
#define MAX_EDGE    1024
#define NOISE       "noise "
#define N_NOISE     1024 /* samples: more than lie in a cache, from some pixels on */
#define N_CLASSES   10
#define PRODUCT     "product\t"
#define COPIED      "copied\t"
#define MAX_PRODUCT 16384

gboolean
ls_lab_refuse (const char *spec, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” is nothing that can be measured."), spec);
  return FALSE;
}

/* ---- noise ---- */

static gboolean
noise_edge (const char *name, gint64 *edge)
{
  return g_str_has_prefix (name, NOISE)
         && g_ascii_string_to_signed (name + strlen (NOISE), 10, 1, MAX_EDGE, edge, NULL);
}

static void
make_noise (gint64 edge, gint64 n, guint64 seed, LsDataset *set)
{
  guint8 *pixels = g_malloc ((gsize) (n * edge * edge));

  *set = (LsDataset){ .n = n,
                      .shape = { 1, edge, edge },
                      .sample_size = edge * edge,
                      .type = LS_SAMPLE_U8,
                      .samples = pixels,
                      .labels = g_new (gint32, n) };
  for (gint64 i = 0; i < n * edge * edge; i++)
    pixels[i] = (guint8) (256 * ls_rng_uniform (seed, LS_STREAM_TEST, (guint32) edge, (guint64) i));
  for (gint64 i = 0; i < n; i++)
    set->labels[i] = (gint32) (i % N_CLASSES);
}

static LsData *
noise_new (const LsDataRequest *request, gint64 edge)
{
  LsData *data = g_new0 (LsData, 1);

  data->ref_count = 1;
  data->key = ls_data_key (request);
  data->name = g_strdup (request->what);
  data->n_classes = N_CLASSES;
  make_noise (edge, N_NOISE, request->seed, &data->train);
  make_noise (edge, N_CLASSES, request->seed + 1, &data->test);
  return data;
}

/* ---- the line ---- */

/* "product\tN", "product\tM\tN\tK" */
static gboolean
read_product (const char *spec, gint64 sizes[3], GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec, "\t", 5);
  const guint n = g_strv_length (words);

  if (n != 2 && n != 4)
    return ls_lab_refuse (spec, error);
  for (guint i = 0; i < 3; i++)
    if (!g_ascii_string_to_signed (words[n == 2 ? 1 : i + 1], 10, 1, MAX_PRODUCT, &sizes[i], NULL))
      return ls_lab_refuse (spec, error);
  return TRUE;
}

gboolean
ls_lab_is_copied (const char *spec, char **product)
{
  if (!g_str_has_prefix (spec, COPIED))
    return FALSE;
  *product = g_strconcat (PRODUCT, spec + strlen (COPIED), NULL);
  return TRUE;
}

static LsPlan *
product_plan (const char *spec, GError **error)
{
  LsOpTest test = { 0 };
  gint64 sizes[3];

  if (!read_product (spec, sizes, error))
    return NULL;
  test.in[0][0] = sizes[0];
  test.in[0][1] = test.in[1][0] = sizes[2];
  test.in[1][1] = sizes[1];
  return ls_plan_new_single (&ls_op_matmul, &test, error);
}

/* "step\tMODEL\tDATA\tBATCH" */
static gboolean
check_step (const char *spec, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec, "\t", -1);
  g_autoptr (LsModel) model = NULL;
  gint64 batch, edge, shape[3];
  gint n_classes;

  if (g_strv_length (words) != 4 || !g_ascii_string_to_signed (words[3], 10, 1, MAX_BATCH, &batch, NULL)
      || (!noise_edge (words[2], &edge) && !ls_data_shape (words[2], shape, &n_classes)))
    return ls_lab_refuse (spec, error);
  model = ls_model_parse (words[1], error);
  return model != NULL;
}

gboolean
ls_lab_check_line (const char *spec, GError **error)
{
  g_autofree char *product = NULL;
  gint64 sizes[3];

  if (ls_lab_is_copied (spec, &product) || g_str_has_prefix (spec, PRODUCT))
    return read_product (product != NULL ? product : spec, sizes, error);
  if (g_str_has_prefix (spec, "step\t") || g_str_has_prefix (spec, "forward\t"))
    return check_step (spec, error);
  return ls_lab_refuse (spec, error);
}

/* kept: those of before, or NULL. (transfer full) */
static LsData *
find_data (const LsDataRequest *request, LsData *kept, GError **error)
{
  g_autofree char *key = ls_data_key (request);
  gint64 edge;

  if (kept != NULL && g_strcmp0 (kept->key, key) == 0)
    return ls_data_ref (kept);
  return noise_edge (request->what, &edge) ? noise_new (request, edge)
                                           : ls_data_load_request (request, error);
}

gint
ls_lab_classes (const LsOptions *options, LsData **data, gint64 *n_train, GError **error)
{
  const LsDataRequest request = ls_data_request (options);
  LsData *found;
  gint64 shape[3];
  gint n;

  *n_train = 0;
  if (ls_data_shape (options->data, shape, &n))
    return n;
  if ((found = find_data (&request, *data, error)) == NULL)
    return 0;
  g_clear_pointer (data, ls_data_unref);
  *data = found;
  *n_train = found->train.n;
  return found->n_classes;
}

/* The set's data, unless nobody wants them and its shape is known without. */
LsPlan *
ls_lab_step_plan (const char *spec, LsData **data, const LsOptions *options, GError **error)
{
  LsDataRequest request = ls_data_request (options);
  g_auto (GStrv) words = g_strsplit (spec, "\t", -1);
  g_autoptr (LsModel) model = NULL;
  gint64 batch, shape[3];
  gint n_classes;

  if (g_str_has_prefix (spec, PRODUCT))
    return product_plan (spec, error);
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
      g_autoptr (LsData) loaded = NULL;

      request.what = words[2];
      loaded = find_data (&request, data != NULL ? *data : NULL, error);
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
  return ls_plan_new (model, shape, n_classes, (guint) batch, (LsOptimizer) options->optimizer, error);
}

gboolean
ls_lab_check_step (const LsOptions *options, LsData **data, GError **error)
{
  const gboolean known = g_strv_contains (ls_data_names (), options->data);
  g_autofree char *spec = g_strdup_printf ("step\t%s\t%s\t%lld", options->model, options->data,
                                           (long long) options->batch);
  g_autoptr (LsPlan) plan = ls_lab_step_plan (spec, known ? NULL : data, options, error);

  return plan != NULL;
}
