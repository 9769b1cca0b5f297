/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a coordinator, and starting it. Commands are in commands.c, what happens is in control.c.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "backends/kernel_files.h"
#include "core/error.h"
#include "data/defaults.h"
#include "files/weights.h"

/* Those that were read before, if they are what is asked for. */
static LsData *
take_or_load (const LsDataRequest *request, LsData *read, GError **error)
{
  g_autofree char *key = ls_data_key (request);

  return read != NULL && g_strcmp0 (read->key, key) == 0 ? ls_data_ref (read)
                                                         : ls_data_load_request (request, error);
}

static gboolean
load (LsCoordinator *self, const LsDataRequest *request, LsData *read, GError **error)
{
  const LsOptions *o = self->options;
  g_autoptr (LsModel) model = NULL;

  if ((self->data = take_or_load (request, read, error)) == NULL)
    return FALSE;
  if (!g_strv_contains (ls_data_names (), o->data)) /* only now classes and samples are known */
    ls_data_suggest (self->options, self->data->n_classes, self->data->train.n);
  if ((model = ls_model_parse (o->model, error)) == NULL)
    return FALSE;
  self->batcher = ls_batcher_new (self->data->train.n, (guint) o->batch, (LsOrder) o->order,
                                  (guint64) o->seed, error);
  if (self->batcher == NULL)
    return FALSE;
  self->plan = ls_plan_new (model, self->data->train.shape, self->data->n_classes, (guint) o->batch,
                            (LsOptimizer) o->optimizer, error);
  if (self->plan == NULL)
    return FALSE;
  self->initial = ls_params_new (self->plan, error);
  for (guint p = 0; self->initial && p < self->plan->n_params; p++)
    ls_plan_init_param (self->plan, p, (guint64) o->seed, self->initial[p]);
  return self->initial != NULL;
}

LsCoordinator *
ls_coordinator_new_with_specs (const LsOptions *options, const LsDataRequest *request, LsData *read,
                               const GPtrArray *specs, GError **error)
{
  g_autoptr (LsCoordinator) self = g_new0 (LsCoordinator, 1);
  const char *patience = g_getenv ("LOCKSTEP_WATCHDOG_MS");
  pthread_condattr_t attr;

  pthread_mutex_init (&self->mutex, NULL);
  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_cond_init (&self->idle_cond, &attr);
  pthread_condattr_destroy (&attr);
  self->signal = ls_signal_new ();
  self->options = ls_options_copy (options);
  self->last.step = self->next.step = LS_STEP_NONE;
  self->walk_wish.op = LS_WALK_NO_OP;
  if (patience)
    g_ascii_string_to_unsigned (patience, 10, 1, G_MAXUINT32, &self->patience_ms, NULL);
  for (guint s = 0; s < specs->len; s++)
    {
      const LsLaneSpec *spec = specs->pdata[s];
      if (spec->backend->build != NULL && spec->backend->build->begin != NULL)
        spec->backend->build->begin (spec->options);
    }
  if (!load (self, request, read, error))
    return NULL;
  ls_pacer_init (&self->pacer,
                 ls_data_watch_rate (options->data, ls_batcher_steps_per_epoch (self->batcher)));
  self->n_lanes = specs->len;
  for (guint s = 0; s < specs->len; s++)
    {
      LsLaneControl *control = &self->lanes[s];
      control->spec = ls_lane_spec_ref (specs->pdata[s]);
      control->lane = ls_lane_new (control->spec->backend, s, self->plan, self->data, self->signal, error);
      if (control->lane == NULL)
        return NULL;
      control->course.curve = ls_curve_new ();
      control->figures.loss = NAN;
      control->evaluations.accuracy = (double) NAN;
    }
  return g_steal_pointer (&self);
}

void
ls_coordinator_be_nice (gint nice)
{
  ls_lane_be_nice (nice);
}

void
ls_coordinator_thread_begins (void)
{
  ls_lane_thread_begins ();
}

void
ls_coordinator_thread_ends (void)
{
  ls_lane_thread_ends ();
}

LsCoordinator *
ls_coordinator_new_with_data (const LsOptions *options, const LsDataRequest *request, LsData *read,
                              GError **error)
{
  g_autoptr (GPtrArray) specs = ls_lane_specs_new (options, error);

  return specs != NULL ? ls_coordinator_new_with_specs (options, request, read, specs, error) : NULL;
}

LsCoordinator *
ls_coordinator_new (const LsOptions *options, GError **error)
{
  const LsDataRequest request = ls_data_request (options);

  return ls_coordinator_new_with_data (options, &request, NULL, error);
}

LsCoordinator *
ls_coordinator_new_with_backends (const LsOptions *options, const LsBackend *const *backends, guint n,
                                  GError **error)
{
  const LsDataRequest request = ls_data_request (options);
  g_autoptr (GPtrArray) specs = NULL;

  g_return_val_if_fail (n >= 1 && n <= LS_MAX_LANES, NULL);
  specs = ls_lane_specs_of_backends (options, backends, n);
  return ls_coordinator_new_with_specs (options, &request, NULL, specs, error);
}

void
ls_coordinator_free (LsCoordinator *self)
{
  if (self == NULL)
    return;
  if (self->started)
    {
      pthread_mutex_lock (&self->mutex);
      self->want.quit = TRUE;
      pthread_mutex_unlock (&self->mutex);
      ls_signal_raise (self->signal);
      pthread_join (self->thread, NULL);
    }
  LANES (self, control)
    {
      ls_lane_unref (control->lane);
      g_clear_pointer (&control->spec, ls_lane_spec_unref);
      ls_curve_unref (control->course.curve);
      g_clear_pointer (&control->evaluations.all, g_array_unref);
      ls_evaluation_unref (control->evaluations.newest);
      ls_answer_unref (control->answers.newest);
      g_clear_pointer (&control->answers.comparisons, g_array_unref);
      g_clear_pointer (&control->facts, ls_lane_facts_unref);
      g_free (control->message);
      ls_preparation_drop (&control->kernels.trial);
      ls_preparation_drop (&control->walks.warm);
      g_clear_pointer (&control->walks.warmed, g_hash_table_unref);
      ls_kernel_files_unref (control->kernels.files);
      ls_kernel_files_unref (control->kernels.next);
      g_free (control->kernels.message);
    }
  ls_wanted_drop (&self->last, self->plan);
  ls_wanted_drop (&self->next, self->plan);
  ls_snapshot_unref (ls_coordinator_take (self));
  g_free (self->recording_message);
  g_free (self->agreement.weights_tensor);
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  g_clear_pointer (&self->recording, ls_recording_unref);
  g_clear_pointer (&self->held, ls_held_weights_unref);
  g_clear_pointer (&self->fresh, ls_recording_unref);
  ls_params_free (self->initial, self->plan);
  ls_options_free (self->options);
  ls_options_free (self->want.options);
  ls_kernel_files_unref (self->want.kernels);
  ls_question_unref (self->question);
  ls_question_unref (self->want.question);
  g_clear_pointer (&self->batcher, ls_batcher_free);
  g_clear_pointer (&self->plan, ls_plan_unref);
  g_clear_pointer (&self->data, ls_data_unref);
  ls_signal_unref (self->signal);
  pthread_cond_destroy (&self->idle_cond);
  pthread_mutex_destroy (&self->mutex);
  g_free (self);
}

LsPlan *
ls_coordinator_plan (LsCoordinator *self)
{
  return self->plan;
}

LsData *
ls_coordinator_data (LsCoordinator *self)
{
  return self->data;
}

guint64
ls_coordinator_steps_per_epoch (LsCoordinator *self)
{
  return ls_batcher_steps_per_epoch (self->batcher);
}

gboolean
ls_coordinator_load_weights (LsCoordinator *self, const char *path, GError **error)
{
  float **values = ls_weights_load (path, self->plan, error);

  if (values == NULL)
    return FALSE;
  ls_params_free (self->initial, self->plan);
  self->initial = values;
  return TRUE;
}

gboolean
ls_coordinator_save_initial (LsCoordinator *self, const char *path, GError **error)
{
  return ls_weights_save (path, self->plan, (const float *const *) self->initial, LS_PRECISION_FP32, error);
}

gboolean
ls_coordinator_check_weights (LsCoordinator *self, const char *path, LsPrecision as, GError **error)
{
  return ls_weights_check (path, self->plan, as, error);
}

void
ls_coordinator_set_history (LsCoordinator *self, guint lane, LsCurve *curve, guint64 steps)
{
  ls_curve_unref (self->lanes[lane].course.curve);
  self->lanes[lane].course.curve = curve;
  self->lanes[lane].steps = steps;
}

void
ls_coordinator_patience (const LsCoordinator *self, guint lane, double us[3])
{
  const LsLaneWatch *watch = &self->lanes[lane].watch;

  us[0] = (double) watch->expected_ns / 1e3;
  us[1] = (double) (watch->slow_ns - watch->posted_ns) / 1e3;
  us[2] = (double) (watch->deadline_ns - watch->posted_ns) / 1e3;
}

gboolean
ls_coordinator_start (LsCoordinator *self, GError **error)
{
  guint started = 0;
  int rc;

  for (guint s = 0; s < self->n_lanes; s++)
    {
      g_autoptr (GError) own = NULL;
      if (ls_lane_start (self->lanes[s].lane, &own))
        {
          self->lanes[s].stage = LS_STAGE_OPENING;
          started++;
          continue;
        }
      self->lanes[s].message = g_strdup (own->message);
      if (s + 1 == self->n_lanes && started == 0)
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
    }
  rc = pthread_create (&self->thread, NULL, ls_coordinator_control, self);
  self->started = rc == 0;
  if (rc != 0)
    {
      LANES (self, control)
        ls_lane_abandon (control->lane);
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("Training can’t start, because the system grants no further thread: %s."),
                   g_strerror (rc));
    }
  return rc == 0;
}
