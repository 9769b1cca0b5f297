/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane goes through the test set, on its own thread: how much of it is right, what it said of each sample,
 * and which it was most wrong about.
 */
#include "config.h"
#include "train/lane/lane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/error.h"

static guint
largest (const float *logits, guint n)
{
  guint best = 0;

  for (guint c = 1; c < n; c++)
    if (logits[c] > logits[best])
      best = c;
  return best;
}

/* What the logits say of a sample. Only a wrong one's probabilities are worked out. */
static void
put (LsExam *exam, guint sample, const float *logits, guint label, float *probs)
{
  const guint said = largest (logits, exam->n_classes);
  float confidence = 0, loss = 0;

  if (said != label)
    {
      ls_softmax (logits, exam->n_classes, probs);
      confidence = isfinite (probs[said]) ? probs[said] : 0;
      loss = isfinite (probs[label]) ? -logf (CLAMP (probs[label], 1e-37f, 1)) : HUGE_VALF;
    }
  ls_exam_put (exam, sample, said, label, confidence, loss);
}

/* The worst ones' values, so that they can be shown where the data aren't. */
static void
keep_values (LsExam *exam, const LsDataset *test)
{
  const float *bytes = ls_dataset_byte_values ();
  const gint64 size = test->sample_size;

  if (size > LS_EXAM_MAX_VALUES || exam->n_worst == 0)
    return;
  exam->values = g_new (float, exam->n_worst *(gsize) size);
  for (guint i = 0; i < exam->n_worst; i++)
    for (gint64 k = 0; k < size; k++)
      {
        const gint64 at = exam->worst[i].sample * size + k;
        exam->values[i * size + k] = test->type == LS_SAMPLE_U8 ? bytes[((const guint8 *) test->samples)[at]]
                                                                : ((const float *) test->samples)[at];
      }
}

/* In pieces of the plan's batch; the last one is filled up with sample 0, uncounted. */
gboolean
ls_lane_evaluate (LsLane *lane, GError **error)
{
  const LsPlan *plan = lane->plan;
  const LsDataset *test = &lane->data->test;
  const guint classes = (guint) plan->n_classes, batch = plan->batch;
  g_autoptr (LsExam) exam = NULL;
  g_autofree guint32 *index = g_new0 (guint32, batch);
  g_autofree float *logits = g_new (float, (gsize) batch *classes), *probs = g_new (float, classes);
  LsBatch one = { test, index, batch };
  LsHyper hyper = { 0 };
  LsRun run = { .n_ops = plan->first_op[LS_PHASE_LOSS],
                .n_steps = 1,
                .batches = &one,
                .hyper = &hyper,
                .fuse = lane->job.fuse };

  exam = test->n <= LS_EXAM_MAX_SAMPLES && classes <= LS_EXAM_MAX_CLASSES
           ? ls_exam_new ((guint) test->n, classes, test->sample_size)
           : NULL;
  if (exam == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("What is said of %lld test samples can’t be kept; use a smaller test set."),
                   (long long) test->n);
      return FALSE;
    }
  for (gint64 at = 0; at < test->n; at += batch)
    {
      LsRunResult result = { 0 };
      const guint used = (guint) MIN ((gint64) batch, test->n - at);
      for (guint i = 0; i < batch; i++)
        index[i] = i < used ? (guint32) (at + i) : 0;
      if (!lane->backend->run (lane->instance, &run, &result, error)
          || !lane->backend->read (lane->instance, plan->logits, logits, error))
        return FALSE;
      for (guint i = 0; i < used; i++)
        put (exam, (guint) (at + i), logits + i * classes, (guint) test->labels[at + i], probs);
    }
  keep_values (exam, test);
  lane->job.accuracy = test->n > 0 ? (double) exam->n_right / (double) test->n : (double) NAN;
  g_clear_pointer (&lane->job.exam, ls_exam_unref);
  lane->job.exam = g_steal_pointer (&exam);
  return TRUE;
}
