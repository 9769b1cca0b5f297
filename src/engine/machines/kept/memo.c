/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See memo.h. Few answers are wanted at a time, so they lie in a row, the one that was asked for last first,
 * and the last one goes when there are too many.
 */
#include "config.h"
#include "machines/kept/memo.h"

#include <string.h>

#include "core/rc_box.h"
#include "machines/held.h"

#define MOST        96 /* seven models, each with five batches, and what is tried beside */
#define MOST_PROOFS 2

/* All that a plan follows from. */
typedef struct {
  char *model;
  gint64 in_shape[3];
  gint n_classes;
  guint batch;
  LsOptimizer optimizer;
  LsPrecision precision;
} Step;

typedef struct {
  const LsMachine *machine;
  Step step;
  gboolean other; /* it was asked for of another batch than its plan's */
  double value[LS_MACHINE_MAX_ASSUMPTIONS];
  LsModelled *modelled; /* NULL: there can be no such plan */
} Kept;

typedef struct {
  const LsMachine *machine;
  double value[LS_MACHINE_MAX_ASSUMPTIONS];
  LsRecording *recording;
  double most;
  gboolean done;
  LsMachineProof proof;
} KeptProof;

struct _LsMachineMemo {
  GMutex lock;
  GQueue kept, proofs; /* Kept, KeptProof */
  Step step;           /* of the plan */
  LsPlan *plan;        /* NULL: none was asked for, or there can be none */
  guint computed;
};

/* ---- what was modelled ---- */

static void
clear_modelled (gpointer data)
{
  ls_machine_run_free (((LsModelled *) data)->run);
}

LS_RC_BOX (LsModelled, ls_modelled, clear_modelled)

static LsModelled *
model (const LsMachine *machine, const LsPlan *plan, const LsAssumed *assumed, gboolean other)
{
  LsModelled *modelled = g_atomic_rc_box_new0 (LsModelled);

  modelled->run = ls_machine_run (machine, plan, assumed);
  modelled->moves = other ? -1 : ls_machine_moves_most (machine, plan, assumed, &modelled->moves_s);
  return modelled;
}

/* ---- keys ---- */

/* What it points to stays the plan's. */
static Step
step_of (const LsPlan *plan)
{
  Step step = { .model = plan->model != NULL ? plan->model->text : NULL,
                .n_classes = plan->n_classes,
                .batch = plan->batch,
                .optimizer = plan->optimizer,
                .precision = plan->precision };

  memcpy (step.in_shape, plan->in_shape, sizeof step.in_shape);
  return step;
}

static Step
step_of_recording (const LsRecording *recording)
{
  Step step = { .model = recording->model,
                .n_classes = recording->n_classes,
                .batch = recording->batch,
                .optimizer = recording->optimizer,
                .precision = LS_PRECISION_FP32 };

  memcpy (step.in_shape, recording->in_shape, sizeof step.in_shape);
  return step;
}

static gboolean
same_step (const Step *a, const Step *b)
{
  return a->batch == b->batch && a->n_classes == b->n_classes && a->optimizer == b->optimizer
         && a->precision == b->precision && memcmp (a->in_shape, b->in_shape, sizeof a->in_shape) == 0
         && g_strcmp0 (a->model, b->model) == 0;
}

/* Those that the machine has: they are compared as they were said, number by number. */
static gboolean
same_values (const LsMachine *machine, const double *a, const double *b)
{
  return memcmp (a, b, machine->n_assumptions * sizeof *a) == 0;
}

/* ---- the memo ---- */

static void
free_kept (gpointer data)
{
  Kept *kept = data;

  ls_modelled_unref (kept->modelled);
  g_free (kept->step.model);
  g_free (kept);
}

static void
free_proof (gpointer data)
{
  KeptProof *kept = data;

  ls_recording_unref (kept->recording);
  g_free (kept);
}

static void
clear_memo (gpointer data)
{
  LsMachineMemo *memo = data;

  g_queue_clear_full (&memo->kept, free_kept);
  g_queue_clear_full (&memo->proofs, free_proof);
  g_free (memo->step.model);
  ls_plan_unref (memo->plan);
  g_mutex_clear (&memo->lock);
}

LS_RC_BOX (LsMachineMemo, ls_machine_memo, clear_memo)

LsMachineMemo *
ls_machine_memo_new (void)
{
  LsMachineMemo *memo = g_atomic_rc_box_new0 (LsMachineMemo);

  g_mutex_init (&memo->lock);
  return memo;
}

guint
ls_machine_memo_computed (LsMachineMemo *memo)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&memo->lock);

  return memo->computed;
}

LsPlan *
ls_machine_memo_plan (LsMachineMemo *memo, const LsRecording *recording)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&memo->lock);
  const Step step = step_of_recording (recording);

  if (memo->step.model == NULL || !same_step (&memo->step, &step))
    {
      g_clear_pointer (&memo->plan, ls_plan_unref);
      g_free (memo->step.model);
      memo->step = step;
      memo->step.model = g_strdup (step.model);
      memo->plan = ls_held_plan (recording, NULL);
      memo->computed++;
    }
  return memo->plan != NULL ? ls_plan_ref (memo->plan) : NULL;
}

/* It becomes the first one. */
static Kept *
find (LsMachineMemo *memo, const LsMachine *machine, const Step *step, gboolean other, const double *value)
{
  for (GList *link = memo->kept.head; link != NULL; link = link->next)
    {
      Kept *kept = link->data;

      if (kept->machine != machine || kept->other != other || !same_values (machine, kept->value, value)
          || !same_step (&kept->step, step))
        continue;
      g_queue_unlink (&memo->kept, link);
      g_queue_push_head_link (&memo->kept, link);
      return kept;
    }
  return NULL;
}

LsModelled *
ls_machine_memo_get (LsMachineMemo *memo, const LsMachine *machine, const LsPlan *plan, guint batch,
                     const LsAssumed *assumed)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&memo->lock);
  const gboolean other = batch != 0;
  Step step = step_of (plan);
  Kept *kept;

  step.batch = other ? batch : plan->batch;
  kept = find (memo, machine, &step, other, assumed->value);
  if (kept == NULL)
    {
      g_autoptr (LsPlan) made = other ? ls_machine_plan_batch (plan, batch) : NULL;
      const LsPlan *of = other ? made : plan;

      kept = g_new0 (Kept, 1);
      kept->machine = machine;
      kept->step = step;
      kept->step.model = g_strdup (step.model);
      kept->other = other;
      memcpy (kept->value, assumed->value, sizeof kept->value);
      kept->modelled = of != NULL ? model (machine, of, assumed, other) : NULL;
      memo->computed++;
      g_queue_push_head (&memo->kept, kept);
      if (memo->kept.length > MOST)
        free_kept (g_queue_pop_tail (&memo->kept));
    }
  return kept->modelled != NULL ? ls_modelled_ref (kept->modelled) : NULL;
}

gboolean
ls_machine_memo_prove (LsMachineMemo *memo, const LsMachine *machine, const LsAssumed *assumed,
                       const LsRecording *recording, const LsPlan *plan, double most, LsMachineProof *proof)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&memo->lock);
  KeptProof *kept;

  for (GList *link = memo->proofs.head; link != NULL; link = link->next)
    {
      kept = link->data;
      if (kept->machine != machine || kept->recording != recording || kept->most != most
          || !same_values (machine, kept->value, assumed->value))
        continue;
      g_queue_unlink (&memo->proofs, link);
      g_queue_push_head_link (&memo->proofs, link);
      *proof = kept->proof;
      return kept->done;
    }
  kept = g_new0 (KeptProof, 1);
  kept->machine = machine;
  kept->recording = ls_recording_ref ((LsRecording *) recording);
  kept->most = most;
  memcpy (kept->value, assumed->value, sizeof kept->value);
  kept->done = ls_machine_prove (machine, assumed, recording, plan, most, &kept->proof);
  memo->computed++;
  g_queue_push_head (&memo->proofs, kept);
  if (memo->proofs.length > MOST_PROOFS)
    free_proof (g_queue_pop_tail (&memo->proofs));
  *proof = kept->proof;
  return kept->done;
}
