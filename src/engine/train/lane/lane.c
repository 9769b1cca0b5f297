/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane's thread and the hand-over of jobs: see lane.h.
 */
#include "config.h"
#include "train/lane/lane.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backends/kernel_files.h"
#include "core/error.h"

float **
ls_params_new (const LsPlan *plan, GError **error)
{
  float **params = g_new0 (float *, plan->n_params + 1);

  for (guint i = 0; i < plan->n_params; i++)
    {
      const LsTensor *weight = &plan->tensors[plan->params[i].weight];
      params[i] = g_try_new0 (float, ls_tensor_count (weight));
      if (params[i] == NULL)
        {
          g_autofree char *size = g_format_size (ls_tensor_bytes (weight));
          g_set_error (
            error, LS_ERROR, LS_ERROR_MEMORY,
            _("The weights “%s” need %s of memory, which the system doesn’t grant; use a smaller network."),
            weight->name, size);
          ls_params_free (params, plan);
          return NULL;
        }
    }
  return params;
}

void
ls_params_free (float **params, const LsPlan *plan)
{
  for (guint i = 0; params && i < plan->n_params; i++)
    g_free (params[i]);
  g_free (params);
}

/* Which tensor the next array of a checkpoint holds: parameter *p's weights (*s == 0), then its states. FALSE
 * after the last. */
static gboolean
checkpoint_next (const LsPlan *plan, guint *p, guint *s, guint *tensor)
{
  if (*p == plan->n_params)
    return FALSE;
  *tensor = *s == 0 ? plan->params[*p].weight : plan->params[*p].state[*s - 1];
  if (++*s > plan->params[*p].n_state)
    {
      *s = 0;
      ++*p;
    }
  return TRUE;
}

GPtrArray *
ls_checkpoint_new (const LsPlan *plan, GError **error)
{
  g_autoptr (GPtrArray) checkpoint = g_ptr_array_new_with_free_func (g_free);
  guint p = 0, s = 0, tensor;

  while (checkpoint_next (plan, &p, &s, &tensor))
    {
      const LsTensor *t = &plan->tensors[tensor];
      float *values = g_try_malloc (MAX (ls_tensor_bytes (t), 1));
      if (values == NULL)
        {
          g_autofree char *size = g_format_size (ls_tensor_bytes (t));
          g_set_error (
            error, LS_ERROR, LS_ERROR_MEMORY,
            _("A copy of “%s” needs %s of memory, which the system doesn’t grant; use a smaller network."),
            t->name, size);
          return NULL;
        }
      g_ptr_array_add (checkpoint, values);
    }
  g_ptr_array_add (checkpoint, g_new0 (LsLossScale, 1));
  return g_steal_pointer (&checkpoint);
}

gboolean
ls_lane_save (LsLane *lane, GPtrArray *checkpoint, GError **error)
{
  guint p = 0, s = 0, tensor;

  for (guint i = 0; checkpoint_next (lane->plan, &p, &s, &tensor); i++)
    if (!lane->backend->read (lane->instance, tensor, checkpoint->pdata[i], error))
      return FALSE;
  *(LsLossScale *) checkpoint->pdata[checkpoint->len - 1] = lane->scale;
  return TRUE;
}

gboolean
ls_lane_load (LsLane *lane, const GPtrArray *checkpoint, GError **error)
{
  guint p = 0, s = 0, tensor;

  for (guint i = 0; checkpoint_next (lane->plan, &p, &s, &tensor); i++)
    if (!lane->backend->write (lane->instance, tensor, checkpoint->pdata[i], error))
      return FALSE;
  ls_loss_scale_take (&lane->scale, checkpoint->pdata[checkpoint->len - 1]);
  return TRUE;
}

LsLane *
ls_lane_new (const LsBackend *backend, guint number, LsPlan *plan, LsData *data, LsSignal *signal,
             GError **error)
{
  float **params = ls_params_new (plan, error);

  if (params == NULL)
    return NULL;

  LsLane *lane = g_new0 (LsLane, 1);

  lane->ref_count = 1;
  lane->backend = backend;
  lane->number = number;
  lane->plan = ls_plan_ref (plan);
  lane->data = ls_data_ref (data);
  lane->signal = ls_signal_ref (signal);
  lane->index = g_new0 (guint32, (gsize) LS_TURN_MAX * plan->batch);
  lane->params = params;
  lane->phase = LS_LANE_OPENING;
  pthread_mutex_init (&lane->mutex, NULL);
  pthread_cond_init (&lane->posted, NULL);
  return lane;
}

static void
clear_job (LsLane *lane)
{
  LsRequest *request = &lane->request;
  LsResult *result = &lane->result;

  ls_recording_unref (request->walk.of);
  ls_question_unref (request->question);
  g_clear_pointer (&request->checkpoint, g_ptr_array_unref);
  ls_kernel_files_unref (request->kernels);
  g_clear_error (&result->error);
  ls_lane_record_free (result->train.record, lane->plan);
  ls_walk_unref (result->walk.walk);
  ls_evaluation_unref (result->evaluation.of_samples);
  ls_answer_unref (result->answer);
  g_clear_pointer (&result->comparisons, g_array_unref);
  g_clear_error (&result->reload_error);
}

void
ls_lane_unref (LsLane *lane)
{
  if (lane == NULL || !g_atomic_int_dec_and_test (&lane->ref_count))
    return;
  if (lane->instance)
    lane->backend->close (lane->instance);
  clear_job (lane);
  ls_params_free (lane->params, lane->plan);
  g_free (lane->index);
  ls_block_clear (&lane->block);
  ls_options_free (lane->options);
  ls_plan_unref (lane->plan);
  ls_plan_unref (lane->stored);
  ls_data_unref (lane->data);
  ls_signal_unref (lane->signal);
  pthread_cond_destroy (&lane->posted);
  pthread_mutex_destroy (&lane->mutex);
  g_free (lane);
}

/* Of all lanes of the process, the abandoned ones included, whose threads nobody else knows any more. */
static gint n_threads, niceness;

void
ls_lane_be_nice (gint nice)
{
  g_atomic_int_set (&niceness, nice);
}

void
ls_lane_thread_begins (void)
{
  g_atomic_int_inc (&n_threads);
}

void
ls_lane_thread_ends (void)
{
  g_atomic_int_add (&n_threads, -1);
}

guint
ls_lane_threads (void)
{
  return (guint) g_atomic_int_get (&n_threads);
}

static void *
lane_thread (void *data)
{
  LsLane *lane = data;
  gpointer instance;

  /* Threads inherit niceness: the pool's and the driver's workers are nice because their maker is. */
  if (g_atomic_int_get (&niceness) > 0)
    setpriority (PRIO_PROCESS, (id_t) gettid (), g_atomic_int_get (&niceness));
  for (;;)
    {
      gboolean quit;

      pthread_mutex_lock (&lane->mutex);
      while (!lane->pending && !lane->abandoned)
        pthread_cond_wait (&lane->posted, &lane->mutex);
      quit = lane->abandoned || lane->request.kind == LS_JOB_QUIT;
      lane->pending = FALSE;
      pthread_mutex_unlock (&lane->mutex);
      if (quit)
        break;

      ls_lane_do (lane, &lane->result.error);

      pthread_mutex_lock (&lane->mutex);
      lane->done = TRUE;
      pthread_mutex_unlock (&lane->mutex);
      ls_signal_raise (lane->signal);
    }
  /* Devices are closed by the thread that opened them. */
  pthread_mutex_lock (&lane->mutex);
  instance = g_steal_pointer (&lane->instance);
  pthread_mutex_unlock (&lane->mutex);
  if (instance != NULL)
    lane->backend->close (instance);
  pthread_mutex_lock (&lane->mutex);
  lane->done = TRUE;
  pthread_mutex_unlock (&lane->mutex);
  ls_signal_raise (lane->signal);
  ls_lane_unref (lane);
  ls_lane_thread_ends ();
  return NULL;
}

gboolean
ls_lane_start (LsLane *lane, GError **error)
{
  pthread_t thread;
  int rc;

  g_atomic_int_inc (&lane->ref_count);
  ls_lane_thread_begins ();
  rc = pthread_create (&thread, NULL, lane_thread, lane);
  if (rc != 0)
    {
      ls_lane_thread_ends ();
      ls_lane_unref (lane);
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("The %s lane can’t start, because the system grants no further thread: %s."),
                   lane->backend->title, g_strerror (rc));
      return FALSE;
    }
  pthread_detach (thread);
  return TRUE;
}

void
ls_lane_post (LsLane *lane, const LsRequest *request)
{
  clear_job (lane);
  lane->request = *request;
  lane->result = (LsResult){ 0 };
  g_atomic_int_set (&lane->interrupted, FALSE);
  pthread_mutex_lock (&lane->mutex);
  lane->pending = TRUE;
  lane->done = FALSE;
  pthread_cond_signal (&lane->posted);
  pthread_mutex_unlock (&lane->mutex);
}

void
ls_lane_interrupt (LsLane *lane)
{
  g_atomic_int_set (&lane->interrupted, TRUE);
}

gboolean
ls_lane_goes_on (LsLane *lane, GError **error)
{
  if (!g_atomic_int_get (&lane->interrupted))
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
  return FALSE;
}

gboolean
ls_lane_done (LsLane *lane)
{
  gboolean done;
  pthread_mutex_lock (&lane->mutex);
  done = lane->done;
  pthread_mutex_unlock (&lane->mutex);
  return done;
}

void
ls_lane_abandon (LsLane *lane)
{
  pthread_mutex_lock (&lane->mutex);
  lane->abandoned = TRUE;
  pthread_cond_signal (&lane->posted);
  /* while it opens there is no instance yet */
  if (g_atomic_int_get (&lane->phase) != LS_LANE_OPENING && lane->instance != NULL
      && lane->backend->process != NULL)
    lane->backend->process->kill (lane->instance);
  pthread_mutex_unlock (&lane->mutex);
}

LsLaneState
ls_lane_progress (LsLane *lane, guint *done, guint *total)
{
  LsLaneState phase = (LsLaneState) g_atomic_int_get (&lane->phase);
  *done = *total = 0;
  if (phase != LS_LANE_OPENING && lane->backend->build != NULL)
    lane->backend->build->progress (lane->instance, done, total);
  return phase;
}

LsBuild *
ls_lane_building (LsLane *lane)
{
  if (g_atomic_int_get (&lane->phase) != LS_LANE_BUILDING || lane->backend->build == NULL
      || lane->backend->build->kernels == NULL)
    return NULL;
  return lane->backend->build->kernels (lane->instance);
}

const char *
ls_lane_state_name (LsLaneState state)
{
  static const char *const names[] = { "opening", "building", "ready", "failed", "hung" };
  return (guint) state < G_N_ELEMENTS (names) ? names[state] : NULL;
}
