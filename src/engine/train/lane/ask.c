/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions, and a lane's answer to one: its forward pass in pieces of the plan's batch. The samples are a
 * data set that no device knows, so every backend gathers them on the host.
 */
#include "config.h"
#include "train/lane/lane.h"

#include <math.h>
#include <string.h>

#include "core/rc_box.h"

/* Activations of one sample that an answer keeps at most. */
#define ANSWER_BYTES (8u << 20)

static void
clear_question (gpointer data)
{
  LsQuestion *question = data;

  g_free (question->set.samples);
  g_free (question->set.labels);
}

LsQuestion *
ls_question_new (LsAsked what, gint64 n, const gint64 shape[3])
{
  LsQuestion *question = g_atomic_rc_box_new0 (LsQuestion);
  LsDataset *set = &question->set;

  question->what = what;
  question->number = question->label = -1;
  set->n = n;
  memcpy (set->shape, shape, sizeof set->shape);
  set->sample_size = shape[0] * shape[1] * shape[2];
  set->type = LS_SAMPLE_F32;
  set->samples = g_try_new0 (float, (gsize) (n * set->sample_size));
  set->labels = g_try_new0 (gint32, (gsize) n);
  if (set->samples == NULL || set->labels == NULL)
    g_clear_pointer (&question, ls_question_unref);
  return question;
}

LS_RC_BOX (LsQuestion, ls_question, clear_question)

float *
ls_question_sample (const LsQuestion *question, gint64 i)
{
  return (float *) question->set.samples + i * question->set.sample_size;
}

void
ls_question_copy (LsQuestion *question, gint64 to, const LsDataset *set, gint64 i)
{
  const gint64 size = MIN (set->sample_size, question->set.sample_size);
  const float *bytes = ls_dataset_byte_values ();
  float *values = ls_question_sample (question, to);

  for (gint64 k = 0; k < size; k++)
    values[k] = set->type == LS_SAMPLE_U8 ? bytes[((const guint8 *) set->samples)[i * set->sample_size + k]]
                                          : ((const float *) set->samples)[i * set->sample_size + k];
}

void
ls_question_set_grid (LsQuestion *question, gint64 grid, double reach)
{
  question->grid = grid;
  question->reach = reach;
  for (gint64 i = 0; i < grid * grid; i++)
    {
      float *xy = ls_question_sample (question, question->set.n - grid * grid + i);
      xy[0] = (float) (reach * (2 * ((double) (i % grid) + .5) / (double) grid - 1));
      xy[1] = (float) (reach * (1 - 2 * ((double) (i / grid) + .5) / (double) grid));
    }
}

/* ---- answers ---- */

static void
clear_answer (gpointer data)
{
  LsAnswer *answer = data;

  for (guint i = 0; answer->values != NULL && i < answer->n_tensors; i++)
    g_free (answer->values[i]);
  g_free (answer->values);
  g_free (answer->counts);
  g_free (answer->probs);
  ls_question_unref (answer->question);
}

LS_RC_BOX (LsAnswer, ls_answer, clear_answer)

void
ls_softmax (const float *logits, guint n, float *probs)
{
  double most = (double) logits[0], sum = 0;

  for (guint c = 1; c < n; c++)
    most = MAX (most, (double) logits[c]);
  for (guint c = 0; c < n; c++)
    sum += exp ((double) logits[c] - most);
  for (guint c = 0; c < n; c++)
    probs[c] = (float) (exp ((double) logits[c] - most) / sum);
}

/* The first row of every activation that the forward pass has just written. */
static gboolean
read_layers (LsLane *lane, LsAnswer *answer, GError **error)
{
  const LsPlan *plan = lane->plan;
  const LsTiling *tilings = lane->backend->tilings (lane->instance);
  gsize left = ANSWER_BYTES;

  for (guint i = 0; i < plan->first_op[LS_PHASE_LOSS]; i++)
    {
      const guint id = plan->ops[i].out[0];
      const LsTensor *t = &plan->tensors[id];
      const gint64 count = ls_tensor_count (t) / plan->batch;
      if ((lane->request.fuse && ls_plan_hands_over (plan, tilings, i)) || t->dtype != LS_F32
          || t->shape[0] != plan->batch || answer->values[id] != NULL
          || (gsize) count * ls_dtype_size (t->dtype) > left)
        continue;
      g_autofree float *all = g_try_malloc (MAX (ls_tensor_bytes (t), 1));
      if (all == NULL)
        continue;
      if (!lane->backend->read (lane->instance, id, all, error))
        return FALSE;
      answer->values[id] = g_memdup2 (all, (gsize) count * sizeof (float));
      answer->counts[id] = count;
      left -= (gsize) count * ls_dtype_size (t->dtype);
    }
  return TRUE;
}

static LsAnswer *
answer_new (LsLane *lane)
{
  LsAnswer *answer = g_atomic_rc_box_new0 (LsAnswer);

  answer->question = ls_question_ref (lane->request.question);
  answer->n_classes = lane->plan->n_classes;
  answer->n_tensors = lane->plan->n_tensors;
  answer->values = g_new0 (float *, answer->n_tensors);
  answer->counts = g_new0 (gint64, answer->n_tensors);
  answer->probs = g_new (float, (gsize) (answer->question->set.n * answer->n_classes));
  return answer;
}

gboolean
ls_lane_answer (LsLane *lane, GError **error)
{
  const LsPlan *plan = lane->plan;
  const LsDataset *set = &lane->request.question->set;
  const guint classes = (guint) plan->n_classes, batch = plan->batch;
  const guint64 start_ns = ls_clock_ns ();
  g_autoptr (LsAnswer) answer = answer_new (lane);
  g_autofree guint32 *index = g_new0 (guint32, batch);
  g_autofree float *logits = g_new (float, (gsize) batch *classes);
  LsBatch one = { set, index, batch };
  LsHyper hyper = { 0 };
  LsRun run = { .n_ops = plan->first_op[LS_PHASE_LOSS],
                .n_steps = 1,
                .batches = &one,
                .hyper = &hyper,
                .fuse = lane->request.fuse };

  for (gint64 at = 0; at < set->n; at += batch)
    {
      LsRunResult result = { 0 };
      const guint used = (guint) MIN ((gint64) batch, set->n - at);
      for (guint i = 0; i < batch; i++)
        index[i] = i < used ? (guint32) (at + i) : 0;
      if (!lane->backend->run (lane->instance, &run, &result, error)
          || !lane->backend->read (lane->instance, plan->logits, logits, error)
          || (at == 0 && answer->question->layers && !read_layers (lane, answer, error)))
        return FALSE;
      for (guint i = 0; i < used; i++)
        ls_softmax (logits + i * classes, classes, answer->probs + (at + i) * classes);
    }
  answer->took_ns = ls_clock_ns () - start_ns;
  lane->result.answer = g_steal_pointer (&answer);
  return TRUE;
}
