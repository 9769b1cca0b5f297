/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights in and out; see weights.h. Loading is all or nothing: the caller's weights stay until a whole file
 * has passed.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/half.h"
#include "files/safetensors.h"
#include "files/weights.h"

static const LsSafetensorsLimits limits
  = { .header_bytes = 1 << 20, .tensors = LS_PLAN_MAX_PARAMS, .file_bytes = LS_WEIGHTS_MAX_BYTES };

static const struct {
  LsStDtype in_file;
  LsDtype dtype;
} stored_as[LS_PRECISION_N] = {
  [LS_PRECISION_FP32] = { LS_ST_F32, LS_F32 },
  [LS_PRECISION_BF16] = { LS_ST_BF16, LS_BF16 },
  [LS_PRECISION_FP16] = { LS_ST_F16, LS_F16 },
};

/* values[i] of plan->params[i].weight, as they are stored; NULL: of what the file is made is known, not what
 * is in it. */
static LsSafetensorsWriter *
writer_of (const LsPlan *plan, const void *const *values, LsPrecision as)
{
  LsSafetensorsWriter *writer = ls_safetensors_writer_new ();

  ls_safetensors_writer_set (writer, "format", "pt");
  ls_safetensors_writer_set (writer, "lockstep.version", LS_VERSION);
  if (plan->model != NULL)
    ls_safetensors_writer_set (writer, "lockstep.model", plan->model->text);
  for (guint i = 0; i < plan->n_params; i++)
    {
      const LsTensor *tensor = &plan->tensors[plan->params[i].weight];

      ls_safetensors_writer_add (writer, tensor->name, stored_as[as].in_file, tensor->rank, tensor->shape,
                                 values != NULL ? values[i] : NULL);
    }
  return writer;
}

/* NULL: a finite value isn't one of that dtype, or there is no memory. */
static guint16 *
rounded (const LsTensor *tensor, const float *values, LsPrecision as, GError **error)
{
  const LsDtype dtype = stored_as[as].dtype;
  const gint64 n = ls_tensor_count (tensor);
  g_autofree guint16 *halves = g_try_new (guint16, MAX (n, 1));

  if (halves == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("“%s” needs %" PRId64 " bytes of memory, which can’t be had."), tensor->name,
                   n * (gint64) sizeof *halves);
      return NULL;
    }
  for (gint64 i = 0; i < n; i++)
    if (isfinite (values[i]) && !isfinite (ls_half_round (dtype, values[i])))
      {
        g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                     _("Element %" PRId64 " of tensor “%s” is %g, which is beyond %s; save it as fp32."), i,
                     tensor->name, (double) values[i], ls_precision_name (as));
        return NULL;
      }
  ls_half_store (dtype, values, halves, (gsize) n);
  return g_steal_pointer (&halves);
}

gboolean
ls_weights_save (const char *path, const LsPlan *plan, const float *const *values, LsPrecision as,
                 GError **error)
{
  g_autoptr (GPtrArray) halves = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsSafetensorsWriter) writer = NULL;

  for (guint i = 0; as != LS_PRECISION_FP32 && i < plan->n_params; i++)
    {
      guint16 *half = rounded (&plan->tensors[plan->params[i].weight], values[i], as, error);
      if (half == NULL)
        return FALSE;
      g_ptr_array_add (halves, half);
    }
  writer = writer_of (
    plan, as != LS_PRECISION_FP32 ? (const void *const *) halves->pdata : (const void *const *) values, as);
  return ls_safetensors_writer_save (writer, path, &limits, error);
}

gboolean
ls_weights_check (const char *path, const LsPlan *plan, LsPrecision as, GError **error)
{
  g_autoptr (LsSafetensorsWriter) writer = writer_of (plan, NULL, as);

  return ls_safetensors_writer_check (writer, path, &limits, error);
}

gboolean
ls_weights_finite (const LsPlan *plan, const float *const *values)
{
  for (guint p = 0; p < plan->n_params; p++)
    {
      const gint64 n = ls_tensor_count (&plan->tensors[plan->params[p].weight]);
      for (gint64 i = 0; i < n; i++)
        if (!isfinite (values[p][i]))
          return FALSE;
    }
  return TRUE;
}

static char *
shape_string (const gint64 *shape, guint rank)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rank; i++)
    g_string_append_printf (text, "%s%" PRId64, i > 0 ? "×" : "", shape[i]);
  return g_string_free (text, FALSE);
}

/* The dtype that a file's tensor of that one is read as; FALSE: weights aren't read from it. */
static gboolean
weight_dtype (LsStDtype dtype, LsDtype *as)
{
  *as = dtype == LS_ST_F16 ? LS_F16 : dtype == LS_ST_BF16 ? LS_BF16 : LS_F32;
  return *as != LS_F32 || dtype == LS_ST_F32;
}

/* The file's tensor for a parameter, of a dtype that is read, and of its shape. */
static const LsStTensor *
match (const LsSafetensors *file, const LsTensor *wanted, GError **error)
{
  const LsStTensor *tensor = ls_safetensors_find (file, wanted->name);
  LsDtype dtype;

  if (tensor == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” lacks the tensor “%s” that this model needs."),
                 file->name, wanted->name);
  else if (!weight_dtype (tensor->dtype, &dtype))
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s”: tensor “%s” is of dtype %s; save it as F32, F16 or BF16."), file->name,
                 wanted->name, ls_st_dtype_name (tensor->dtype));
  else if (tensor->rank != wanted->rank
           || memcmp (tensor->shape, wanted->shape, wanted->rank * sizeof (gint64)) != 0)
    {
      g_autofree char *found = shape_string (tensor->shape, tensor->rank);
      g_autofree char *expected = shape_string (wanted->shape, wanted->rank);

      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s”: tensor “%s” is %s, but this model needs %s; load it with the model it was saved from."),
        file->name, wanted->name, found, expected);
    }
  else
    return tensor;
  return NULL;
}

/* All parameters are there, as the plan wants them, and nothing else. */
static gboolean
match_all (const LsSafetensors *file, const LsPlan *plan, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < plan->n_params; i++)
    {
      const LsTensor *wanted = &plan->tensors[plan->params[i].weight];

      if (match (file, wanted, error) == NULL)
        return FALSE;
      g_hash_table_add (known, (gpointer) wanted->name);
    }
  for (guint i = 0; i < file->n_tensors; i++)
    if (!g_hash_table_contains (known, file->tensors[i].name))
      {
        g_set_error (
          error, LS_ERROR, LS_ERROR_DATA,
          _("“%s” holds the tensor “%s”, which this model doesn’t have; load it with the model it was "
             "saved from."),
          file->name, file->tensors[i].name);
        ls_error_make_printable (error);
        return FALSE;
      }
  return TRUE;
}

static void
set_no_memory (const LsStTensor *tensor, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
               _("“%s” needs %" PRId64 " bytes of memory, which can’t be had."), tensor->name,
               tensor->count * (gint64) sizeof (float));
}

/* Each number of 16 bits is one of a float's. */
static gboolean
read_half (const LsSafetensors *file, const LsStTensor *tensor, LsDtype dtype, float *values, GError **error)
{
  g_autofree guint16 *halves = g_try_malloc ((gsize) tensor->bytes);

  if (halves == NULL)
    {
      set_no_memory (tensor, error);
      return FALSE;
    }
  if (!ls_safetensors_read (file, tensor, halves, error))
    return FALSE;
  ls_half_load (dtype, halves, values, (gsize) tensor->count);
  return TRUE;
}

static float *
read_values (const LsSafetensors *file, const LsStTensor *tensor, GError **error)
{
  g_autofree float *values = g_try_malloc ((gsize) tensor->count * sizeof (float));
  LsDtype dtype;

  if (values == NULL)
    {
      set_no_memory (tensor, error);
      return NULL;
    }
  weight_dtype (tensor->dtype, &dtype);
  if (!(dtype == LS_F32 ? ls_safetensors_read (file, tensor, values, error)
                        : read_half (file, tensor, dtype, values, error)))
    return NULL;
  for (gint64 i = 0; i < tensor->count; i++)
    if (!isfinite (values[i]))
      {
        g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                     _("“%s”: element %" PRId64 " of tensor “%s” is %s; weights must be finite."),
                     file->name, i, tensor->name, isnan (values[i]) ? _("not a number") : _("infinite"));
        return NULL;
      }
  return g_steal_pointer (&values);
}

float **
ls_weights_load (const char *path, const LsPlan *plan, GError **error)
{
  g_autoptr (LsSafetensors) file = ls_safetensors_open (path, &limits, error);
  float **values;

  if (file == NULL || !match_all (file, plan, error))
    return NULL;
  values = g_new0 (float *, plan->n_params + 1);
  for (guint i = 0; i < plan->n_params; i++)
    {
      const LsTensor *wanted = &plan->tensors[plan->params[i].weight];

      values[i] = read_values (file, ls_safetensors_find (file, wanted->name), error);
      if (values[i] == NULL)
        {
          ls_weights_free (values);
          return NULL;
        }
    }
  return values;
}

void
ls_weights_free (float **values)
{
  if (values == NULL)
    return;
  for (guint i = 0; values[i] != NULL; i++)
    g_free (values[i]);
  g_free (values);
}
