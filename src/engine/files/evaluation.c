/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane said of the test set: made sample by sample, counted, written and read. Files come from
 * anywhere: every class, every position and every number is checked.
 */
#include "config.h"
#include "files/evaluation.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/rc_box.h"

LsEvaluation *
ls_evaluation_new (guint n, guint n_classes, gint64 sample_size)
{
  LsEvaluation *evaluation = g_atomic_rc_box_new0 (LsEvaluation);

  evaluation->n = n;
  evaluation->n_classes = n_classes;
  evaluation->sample_size = sample_size;
  evaluation->predicted = g_try_new0 (guint16, MAX (n, 1));
  evaluation->labels = g_try_new0 (guint16, MAX (n, 1));
  if (evaluation->predicted == NULL || evaluation->labels == NULL)
    g_clear_pointer (&evaluation, ls_evaluation_unref);
  return evaluation;
}

static void
clear (gpointer data)
{
  LsEvaluation *evaluation = data;

  g_free (evaluation->predicted);
  g_free (evaluation->labels);
  g_free (evaluation->values);
}

LS_RC_BOX (LsEvaluation, ls_evaluation, clear)

void
ls_evaluation_put (LsEvaluation *evaluation, guint i, guint predicted, guint label, float confidence,
                   float loss)
{
  guint at = evaluation->n_worst;

  evaluation->predicted[i] = (guint16) predicted;
  evaluation->labels[i] = (guint16) label;
  evaluation->n_right += predicted == label;
  if (predicted == label)
    return;
  while (at > 0 && evaluation->worst[at - 1].loss < loss)
    at--;
  if (at >= LS_EVALUATION_WORST)
    return;
  memmove (&evaluation->worst[at + 1], &evaluation->worst[at],
           (MIN (evaluation->n_worst, LS_EVALUATION_WORST - 1) - at) * sizeof *evaluation->worst);
  evaluation->worst[at] = (LsMistake){ i, confidence, loss };
  evaluation->n_worst = MIN (evaluation->n_worst + 1, LS_EVALUATION_WORST);
}

void
ls_evaluation_count (const LsEvaluation *evaluation, guint *counts)
{
  memset (counts, 0, (gsize) evaluation->n_classes * evaluation->n_classes * sizeof *counts);
  for (guint i = 0; i < evaluation->n; i++)
    counts[(gsize) evaluation->labels[i] * evaluation->n_classes + evaluation->predicted[i]]++;
}

gint64
ls_evaluation_differ (const LsEvaluation *a, const LsEvaluation *b)
{
  gint64 differ = 0;

  if (a == NULL || b == NULL || a->n != b->n || a->steps != b->steps)
    return -1;
  for (guint i = 0; i < a->n; i++)
    differ += a->predicted[i] != b->predicted[i];
  return differ;
}

/* ---- files ---- */

static char *
name_of (guint lane, const char *column)
{
  return g_strdup_printf ("lanes.%u.exam.%s", lane, column);
}

static void
add (LsSafetensorsWriter *writer, guint lane, const char *column, LsStDtype dtype, gint64 n,
     gconstpointer values)
{
  g_autofree char *name = name_of (lane, column);

  ls_safetensors_writer_add (writer, name, dtype, 1, &n, values);
}

void
ls_evaluation_write (const LsEvaluation *evaluation, LsSafetensorsWriter *writer, guint lane,
                     GPtrArray *columns)
{
  const guint k = evaluation->n_worst;
  guint32 *samples = g_new (guint32, MAX (k, 1));
  float *confidence = g_new (float, MAX (k, 1)), *loss = g_new (float, MAX (k, 1));

  for (guint i = 0; i < k; i++)
    {
      samples[i] = evaluation->worst[i].sample;
      confidence[i] = evaluation->worst[i].confidence;
      loss[i] = evaluation->worst[i].loss;
    }
  g_ptr_array_add (columns, samples);
  g_ptr_array_add (columns, confidence);
  g_ptr_array_add (columns, loss);
  add (writer, lane, "steps", LS_ST_U64, 1, &evaluation->steps);
  add (writer, lane, "said", LS_ST_U16, evaluation->n, evaluation->predicted);
  add (writer, lane, "labels", LS_ST_U16, evaluation->n, evaluation->labels);
  add (writer, lane, "worst.sample", LS_ST_U32, k, samples);
  add (writer, lane, "worst.confidence", LS_ST_F32, k, confidence);
  add (writer, lane, "worst.loss", LS_ST_F32, k, loss);
  if (evaluation->values != NULL && k > 0)
    {
      g_autofree char *name = name_of (lane, "worst.values");
      const gint64 shape[2] = { k, evaluation->sample_size };
      ls_safetensors_writer_add (writer, name, LS_ST_F32, 2, shape, evaluation->values);
    }
}

static gboolean
wrong (GError **error, guint lane, const char *what)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("lane %u’s answers to the test set are inconsistent: %s."),
               lane, what);
  return FALSE;
}

/* n < 0: of any length up to LS_EVALUATION_MAX_SAMPLES. (transfer full), or NULL. */
static gpointer
read_column (LsSafetensors *file, guint lane, const char *column, LsStDtype dtype, gint64 *n, GError **error)
{
  g_autofree char *name = name_of (lane, column);
  const LsStTensor *tensor = ls_safetensors_find (file, name);
  g_autofree gpointer values = NULL;

  if (tensor == NULL || tensor->dtype != dtype || tensor->count > LS_EVALUATION_MAX_SAMPLES
      || (*n >= 0 && tensor->count != *n))
    {
      g_autofree char *what = g_strdup_printf (_("“%s” is missing, or of another type or length"), name);
      wrong (error, lane, what);
      return NULL;
    }
  *n = tensor->count;
  values = g_try_malloc ((gsize) MAX (tensor->bytes, 1));
  if (values == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("tensor “%s” needs %lld bytes of memory, which can’t be had."), name,
                   (long long) tensor->bytes);
      return NULL;
    }
  return ls_safetensors_read (file, tensor, values, error) ? g_steal_pointer (&values) : NULL;
}

static gboolean
read_worst (LsSafetensors *file, guint lane, LsEvaluation *evaluation, guint *used, GError **error)
{
  g_autofree char *name = name_of (lane, "worst.values");
  gint64 k = -1, all;
  g_autofree guint32 *samples = read_column (file, lane, "worst.sample", LS_ST_U32, &k, error);
  g_autofree float *confidence = samples != NULL
                                   ? read_column (file, lane, "worst.confidence", LS_ST_F32, &k, error)
                                   : NULL;
  g_autofree float *loss = confidence != NULL ? read_column (file, lane, "worst.loss", LS_ST_F32, &k, error)
                                              : NULL;

  if (loss == NULL)
    return FALSE;
  if (k > LS_EVALUATION_WORST)
    return wrong (error, lane, _("there are too many mistakes"));
  for (gint64 i = 0; i < k; i++)
    {
      if (samples[i] >= evaluation->n || evaluation->predicted[samples[i]] == evaluation->labels[samples[i]])
        return wrong (error, lane, _("a sample listed as a mistake isn’t one"));
      if (!(confidence[i] >= 0 && confidence[i] <= 1) || !(loss[i] >= 0) || (i > 0 && loss[i] > loss[i - 1]))
        return wrong (error, lane, _("a mistake’s probability or loss is impossible"));
      evaluation->worst[i] = (LsMistake){ samples[i], confidence[i], loss[i] };
    }
  evaluation->n_worst = (guint) k;
  *used += 3;
  if (ls_safetensors_find (file, name) == NULL)
    return TRUE;
  if (evaluation->sample_size > LS_EVALUATION_MAX_VALUES)
    return wrong (error, lane, _("its samples are too large to be kept"));
  all = k * evaluation->sample_size;
  evaluation->values = read_column (file, lane, "worst.values", LS_ST_F32, &all, error);
  *used += 1;
  return evaluation->values != NULL;
}

gboolean
ls_evaluation_read (LsSafetensors *file, guint lane, gint n_classes, const gint64 in_shape[3],
                    LsEvaluation **evaluation, guint *used, GError **error)
{
  g_autofree char *name = name_of (lane, "said");
  g_autoptr (LsEvaluation) new = NULL;
  gint64 n = -1, one = 1, size;

  if (ls_safetensors_find (file, name) == NULL)
    return TRUE;
  if (n_classes < 1 || n_classes > LS_EVALUATION_MAX_CLASSES
      || __builtin_mul_overflow (in_shape[0], in_shape[1], &size)
      || __builtin_mul_overflow (size, in_shape[2], &size) || size < 1)
    return wrong (error, lane, _("the plan’s classes or samples are impossible"));
  g_autofree guint64 *steps = read_column (file, lane, "steps", LS_ST_U64, &one, error);
  g_autofree guint16 *predicted = steps != NULL ? read_column (file, lane, "said", LS_ST_U16, &n, error)
                                                : NULL;
  g_autofree guint16 *labels = predicted != NULL ? read_column (file, lane, "labels", LS_ST_U16, &n, error)
                                                 : NULL;
  if (labels == NULL)
    return FALSE;
  new = g_atomic_rc_box_new0 (LsEvaluation);
  new->steps = *steps;
  new->n = (guint) n;
  new->n_classes = (guint) n_classes;
  new->sample_size = size;
  for (guint i = 0; i < new->n; i++)
    {
      if (predicted[i] >= n_classes || labels[i] >= n_classes)
        return wrong (error, lane, _("it names a class that the plan doesn’t have"));
      new->n_right += predicted[i] == labels[i];
    }
  new->predicted = g_steal_pointer (&predicted);
  new->labels = g_steal_pointer (&labels);
  *used += 3;
  if (!read_worst (file, lane, new, used, error))
    return FALSE;
  *evaluation = g_steal_pointer (&new);
  return TRUE;
}
