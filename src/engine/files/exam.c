/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane said of the test set: made sample by sample, counted, written and read. Files come from
 * anywhere: every class, every position and every number is checked.
 */
#include "config.h"
#include "files/exam.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"

LsExam *
ls_exam_new (guint n, guint n_classes, gint64 sample_size)
{
  LsExam *exam = g_atomic_rc_box_new0 (LsExam);

  exam->n = n;
  exam->n_classes = n_classes;
  exam->sample_size = sample_size;
  exam->said = g_try_new0 (guint16, MAX (n, 1));
  exam->labels = g_try_new0 (guint16, MAX (n, 1));
  if (exam->said == NULL || exam->labels == NULL)
    g_clear_pointer (&exam, ls_exam_unref);
  return exam;
}

static void
clear (gpointer data)
{
  LsExam *exam = data;

  g_free (exam->said);
  g_free (exam->labels);
  g_free (exam->values);
}

LsExam *
ls_exam_ref (LsExam *exam)
{
  return g_atomic_rc_box_acquire (exam);
}

void
ls_exam_unref (LsExam *exam)
{
  if (exam != NULL)
    g_atomic_rc_box_release_full (exam, clear);
}

void
ls_exam_put (LsExam *exam, guint i, guint said, guint label, float confidence, float loss)
{
  guint at = exam->n_worst;

  exam->said[i] = (guint16) said;
  exam->labels[i] = (guint16) label;
  exam->n_right += said == label;
  if (said == label)
    return;
  while (at > 0 && exam->worst[at - 1].loss < loss)
    at--;
  if (at >= LS_EXAM_WORST)
    return;
  memmove (&exam->worst[at + 1], &exam->worst[at],
           (MIN (exam->n_worst, LS_EXAM_WORST - 1) - at) * sizeof *exam->worst);
  exam->worst[at] = (LsMistake){ i, confidence, loss };
  exam->n_worst = MIN (exam->n_worst + 1, LS_EXAM_WORST);
}

void
ls_exam_count (const LsExam *exam, guint *counts)
{
  memset (counts, 0, (gsize) exam->n_classes * exam->n_classes * sizeof *counts);
  for (guint i = 0; i < exam->n; i++)
    counts[(gsize) exam->labels[i] * exam->n_classes + exam->said[i]]++;
}

gint64
ls_exam_differ (const LsExam *a, const LsExam *b)
{
  gint64 differ = 0;

  if (a == NULL || b == NULL || a->n != b->n || a->steps != b->steps)
    return -1;
  for (guint i = 0; i < a->n; i++)
    differ += a->said[i] != b->said[i];
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
ls_exam_write (const LsExam *exam, LsSafetensorsWriter *writer, guint lane, GPtrArray *columns)
{
  const guint k = exam->n_worst;
  guint32 *samples = g_new (guint32, MAX (k, 1));
  float *confidence = g_new (float, MAX (k, 1)), *loss = g_new (float, MAX (k, 1));

  for (guint i = 0; i < k; i++)
    {
      samples[i] = exam->worst[i].sample;
      confidence[i] = exam->worst[i].confidence;
      loss[i] = exam->worst[i].loss;
    }
  g_ptr_array_add (columns, samples);
  g_ptr_array_add (columns, confidence);
  g_ptr_array_add (columns, loss);
  add (writer, lane, "steps", LS_ST_U64, 1, &exam->steps);
  add (writer, lane, "said", LS_ST_U16, exam->n, exam->said);
  add (writer, lane, "labels", LS_ST_U16, exam->n, exam->labels);
  add (writer, lane, "worst.sample", LS_ST_U32, k, samples);
  add (writer, lane, "worst.confidence", LS_ST_F32, k, confidence);
  add (writer, lane, "worst.loss", LS_ST_F32, k, loss);
  if (exam->values != NULL && k > 0)
    {
      g_autofree char *name = name_of (lane, "worst.values");
      const gint64 shape[2] = { k, exam->sample_size };
      ls_safetensors_writer_add (writer, name, LS_ST_F32, 2, shape, exam->values);
    }
}

static gboolean
wrong (GError **error, guint lane, const char *what)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("lane %u’s answers to the test set are inconsistent: %s."),
               lane, what);
  return FALSE;
}

/* n < 0: of any length up to LS_EXAM_MAX_SAMPLES. (transfer full), or NULL. */
static gpointer
read_column (LsSafetensors *file, guint lane, const char *column, LsStDtype dtype, gint64 *n, GError **error)
{
  g_autofree char *name = name_of (lane, column);
  const LsStTensor *tensor = ls_safetensors_find (file, name);
  g_autofree gpointer values = NULL;

  if (tensor == NULL || tensor->dtype != dtype || tensor->count > LS_EXAM_MAX_SAMPLES
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
read_worst (LsSafetensors *file, guint lane, LsExam *exam, guint *used, GError **error)
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
  if (k > LS_EXAM_WORST)
    return wrong (error, lane, _("there are too many mistakes"));
  for (gint64 i = 0; i < k; i++)
    {
      if (samples[i] >= exam->n || exam->said[samples[i]] == exam->labels[samples[i]])
        return wrong (error, lane, _("a mistake isn’t one"));
      if (!(confidence[i] >= 0 && confidence[i] <= 1) || !(loss[i] >= 0) || (i > 0 && loss[i] > loss[i - 1]))
        return wrong (error, lane, _("a mistake’s probability or loss is impossible"));
      exam->worst[i] = (LsMistake){ samples[i], confidence[i], loss[i] };
    }
  exam->n_worst = (guint) k;
  *used += 3;
  if (ls_safetensors_find (file, name) == NULL)
    return TRUE;
  if (exam->sample_size > LS_EXAM_MAX_VALUES)
    return wrong (error, lane, _("its samples are too large to be kept"));
  all = k * exam->sample_size;
  exam->values = read_column (file, lane, "worst.values", LS_ST_F32, &all, error);
  *used += 1;
  return exam->values != NULL;
}

gboolean
ls_exam_read (LsSafetensors *file, guint lane, gint n_classes, const gint64 in_shape[3], LsExam **exam,
              guint *used, GError **error)
{
  g_autofree char *name = name_of (lane, "said");
  g_autoptr (LsExam) new = NULL;
  gint64 n = -1, one = 1, size;

  if (ls_safetensors_find (file, name) == NULL)
    return TRUE;
  if (n_classes < 1 || n_classes > LS_EXAM_MAX_CLASSES
      || __builtin_mul_overflow (in_shape[0], in_shape[1], &size)
      || __builtin_mul_overflow (size, in_shape[2], &size) || size < 1)
    return wrong (error, lane, _("the plan’s classes or samples are impossible"));
  g_autofree guint64 *steps = read_column (file, lane, "steps", LS_ST_U64, &one, error);
  g_autofree guint16 *said = steps != NULL ? read_column (file, lane, "said", LS_ST_U16, &n, error) : NULL;
  g_autofree guint16 *labels = said != NULL ? read_column (file, lane, "labels", LS_ST_U16, &n, error) : NULL;
  if (labels == NULL)
    return FALSE;
  new = g_atomic_rc_box_new0 (LsExam);
  new->steps = *steps;
  new->n = (guint) n;
  new->n_classes = (guint) n_classes;
  new->sample_size = size;
  for (guint i = 0; i < new->n; i++)
    {
      if (said[i] >= n_classes || labels[i] >= n_classes)
        return wrong (error, lane, _("it names a class that the plan doesn’t have"));
      new->n_right += said[i] == labels[i];
    }
  new->said = g_steal_pointer (&said);
  new->labels = g_steal_pointer (&labels);
  *used += 3;
  if (!read_worst (file, lane, new, used, error))
    return FALSE;
  *exam = g_steal_pointer (&new);
  return TRUE;
}
