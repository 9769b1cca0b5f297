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
put (LsEvaluation *evaluation, guint sample, const float *logits, guint label, float *probs)
{
  const guint predicted = largest (logits, evaluation->n_classes);
  float confidence = 0, loss = 0;

  if (predicted != label)
    {
      ls_softmax (logits, evaluation->n_classes, probs);
      confidence = isfinite (probs[predicted]) ? probs[predicted] : 0;
      loss = isfinite (probs[label]) ? -logf (CLAMP (probs[label], 1e-37f, 1)) : HUGE_VALF;
    }
  ls_evaluation_put (evaluation, sample, predicted, label, confidence, loss);
}

/* The worst ones' values, so that they can be shown where the data aren't. */
static void
keep_values (LsEvaluation *evaluation, const LsDataset *test)
{
  const float *bytes = ls_dataset_byte_values ();
  const gint64 size = test->sample_size;

  if (size > LS_EVALUATION_MAX_VALUES || evaluation->n_worst == 0)
    return;
  evaluation->values = g_new (float, evaluation->n_worst *(gsize) size);
  for (guint i = 0; i < evaluation->n_worst; i++)
    for (gint64 k = 0; k < size; k++)
      {
        const gint64 at = evaluation->worst[i].sample * size + k;
        evaluation->values[i * size + k] = test->type == LS_SAMPLE_U8
                                             ? bytes[((const guint8 *) test->samples)[at]]
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
  g_autoptr (LsEvaluation) evaluation = NULL;
  g_autofree guint32 *index = g_new0 (guint32, batch);
  g_autofree float *logits = g_new (float, (gsize) batch *classes), *probs = g_new (float, classes);
  LsBatch one = { test, index, batch };
  LsHyper hyper = { 0 };
  LsRun run = { .n_ops = plan->first_op[LS_PHASE_LOSS],
                .n_steps = 1,
                .batches = &one,
                .hyper = &hyper,
                .fuse = lane->request.fuse };

  evaluation = test->n <= LS_EVALUATION_MAX_SAMPLES && classes <= LS_EVALUATION_MAX_CLASSES
                 ? ls_evaluation_new ((guint) test->n, classes, test->sample_size)
                 : NULL;
  if (evaluation == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("The answers to %lld test samples can’t be kept; use a smaller test set."),
                   (long long) test->n);
      return FALSE;
    }
  for (gint64 at = 0; at < test->n; at += batch)
    {
      LsRunResult result = { 0 };
      const guint used = (guint) MIN ((gint64) batch, test->n - at);
      for (guint i = 0; i < batch; i++)
        index[i] = i < used ? (guint32) (at + i) : 0;
      if (!ls_lane_goes_on (lane, error) || !lane->backend->run (lane->instance, &run, &result, error)
          || !lane->backend->read (lane->instance, plan->logits, logits, error))
        return FALSE;
      for (guint i = 0; i < used; i++)
        put (evaluation, (guint) (at + i), logits + i * classes, (guint) test->labels[at + i], probs);
    }
  keep_values (evaluation, test);
  lane->result.evaluation.accuracy = test->n > 0 ? (double) evaluation->n_right / (double) test->n
                                                 : (double) NAN;
  lane->result.evaluation.of_samples = g_steal_pointer (&evaluation);
  return TRUE;
}
