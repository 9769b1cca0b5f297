/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane has learnt after some steps from the beginning: the share of the test set that it gets right.
 */
#include "config.h"
#include "lab/lane/worker_lane.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"

static gboolean
train (LsLabLane *lane, guint steps, GError **error)
{
  double us;

  for (guint done = 0; done < steps;)
    {
      const guint n = MIN (steps - done, LS_LAB_TURN);

      if (!ls_lab_lane_turn (lane, n, NULL, &us, error))
        return FALSE;
      done += n;
    }
  return TRUE;
}

static guint
count_right (const float *logits, guint n_classes, const gint32 *labels, guint n)
{
  guint right = 0;

  for (guint i = 0; i < n; i++, logits += n_classes)
    {
      guint best = 0;

      for (guint c = 1; c < n_classes; c++)
        if (logits[c] > logits[best])
          best = c;
      right += (gint32) best == labels[i];
    }
  return right;
}

gboolean
ls_lab_lane_answer (LsLabLane *lane, const LsDataset *set, const guint32 *index, gboolean fuse,
                    GError **error)
{
  const LsBatch one = { set, index, lane->plan->batch };
  const LsHyper hyper = { 0 };
  const LsRun run = {
    .n_ops = lane->plan->first_op[LS_PHASE_LOSS], .n_steps = 1, .batches = &one, .hyper = &hyper, .fuse = fuse
  };
  LsRunResult result = { 0 };

  return lane->backend->run (lane->self, &run, &result, error);
}

/* In pieces of the plan's batch; the last one is filled up with sample 0, uncounted. */
static gboolean
evaluate (LsLabLane *lane, double *share, GError **error)
{
  const LsPlan *plan = lane->plan;
  const LsDataset *test = &lane->data->test;
  const guint batch = plan->batch, classes = (guint) plan->n_classes;
  g_autofree guint32 *index = g_new0 (guint32, batch);
  g_autofree float *logits = g_new (float, (gsize) batch *classes);
  gint64 right = 0;

  for (gint64 at = 0; at < test->n; at += batch)
    {
      const guint used = (guint) MIN ((gint64) batch, test->n - at);

      for (guint i = 0; i < batch; i++)
        index[i] = i < used ? (guint32) (at + i) : 0;
      if (!ls_lab_lane_answer (lane, test, index, lane->options->fusion, error)
          || !lane->backend->read (lane->self, plan->logits, logits, error))
        return FALSE;
      right += count_right (logits, classes, test->labels + at, used);
    }
  *share = test->n > 0 ? (double) right / (double) test->n : 0;
  return TRUE;
}

gboolean
ls_lab_lane_learn (gpointer self, guint steps, guint seeds, GArray *right, GError **error)
{
  LsLabLane *lane = self;
  const gint64 first = lane->options->seed;
  gboolean fine = TRUE;

  if (!ls_lab_lane_ready (lane, error))
    return FALSE;
  if (lane->batcher == NULL || lane->forward || lane->data->test.stored != NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("That learns nothing."));
      return FALSE;
    }
  for (guint i = 0; i < seeds && fine; i++)
    {
      g_autofree char *how = NULL;
      double share;

      lane->options->seed = first + i;
      fine = ls_lab_lane_take (lane, ls_plan_ref (lane->plan), ls_data_ref (lane->data), &how, error)
             && train (lane, steps, error) && evaluate (lane, &share, error);
      if (fine)
        g_array_append_val (right, share);
    }
  lane->options->seed = first;
  return fine;
}
