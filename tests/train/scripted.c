/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See scripted.h.
 */
#include "scripted.h"

#include <pthread.h>
#include <string.h>

Script script;

static pthread_mutex_t told = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
  gpointer reference;
  LsPlan *plan;
  guint lane;
  guint64 steps;
  gboolean begun; /* it has trained */
  LsDeviceInfo *device;
} Lane;

/* What is read or answered piece by piece is written once. */
static void
write_job (const Lane *self, char kind, guint n)
{
  g_autofree char *job = kind == 'T' ? g_strdup_printf ("%uT%u+%u", self->lane, (guint) self->steps, n)
                                     : g_strdup_printf ("%u%c%u", self->lane, kind, (guint) self->steps);

  if (!g_str_has_suffix (script.log->str, job))
    g_string_append_printf (script.log, "%s%s", script.log->len > 0 ? " " : "", job);
}

static gpointer
scripted_open (const LsOptions *options, guint lane, GError **error)
{
  Lane *self = g_new0 (Lane, 1);

  self->lane = lane;
  self->reference = ls_backend_reference.open (options, lane, error);
  self->device = ls_device_info_copy (ls_backend_reference.device (self->reference));
  self->device->shares_cpu = TRUE; /* so they take turns */
  return self;
}

static void
scripted_close (gpointer data)
{
  Lane *self = data;

  ls_backend_reference.close (self->reference);
  ls_device_info_free (self->device);
  g_clear_pointer (&self->plan, ls_plan_unref);
  g_free (self);
}

static gboolean
scripted_prepare (gpointer data, LsPlan *plan, LsData *set, GError **error)
{
  Lane *self = data;

  g_clear_pointer (&self->plan, ls_plan_unref);
  self->plan = ls_plan_ref (plan);
  return ls_backend_reference.prepare (self->reference, plan, set, error);
}

static gboolean
scripted_configure (gpointer data, const LsOptions *options, GError **error)
{
  return TRUE;
}

static gboolean
scripted_run_ops (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  Lane *self = data;
  const gboolean trains = run->hyper != NULL && run->hyper[0].step > 0;
  const gboolean whole = trains && run->n_ops == self->plan->n_ops;
  double ns = 0;

  while (whole && script.stays_at[self->lane] > 0 && self->steps + run->n_steps > script.stays_at[self->lane]
         && !g_atomic_int_get (&script.let_go) && !g_atomic_int_get (&script.lets[self->lane]))
    {
      g_atomic_int_set (&script.hangs[self->lane], TRUE);
      g_usleep (1000);
    }
  if (script.idle)
    result->start_ns = result->end_ns = ls_clock_ns ();
  else if (!ls_backend_reference.run (self->reference, run, result, error))
    return FALSE;
  if (whole && !self->begun)
    {
      self->begun = TRUE; /* one opened anew where the others are */
      self->steps = run->hyper[0].step - 1;
    }
  pthread_mutex_lock (&told);
  write_job (self, whole ? 'T' : trains ? 'C' : 'E', run->n_steps);
  if (!trains)
    script.fuse_answers[self->lane] = run->fuse;
  for (guint i = 0; whole && i < run->n_steps; i++)
    {
      const guint64 step = run->hyper[i].step - 1;

      g_assert_cmpuint (step, ==, self->steps + i);
      g_assert_cmpuint (step, <, SCRIPTED_STEPS);
      ns += 1e3 * script.step_us[step] * script.slower[self->lane];
      if (result->losses != NULL)
        result->losses[i] = script.losses[self->lane][step];
      if (result->step_end_ns != NULL)
        result->step_end_ns[i] = result->start_ns + (guint64) ns;
      g_assert_cmpuint (run->batches[i].n, ==, script.batch);
      memcpy (script.samples[self->lane] + step * script.batch, run->batches[i].index,
              sizeof (guint32) * script.batch);
      script.hyper[self->lane] = run->hyper[i];
      script.fuse[self->lane] = run->fuse;
    }
  if (whole)
    self->steps += run->n_steps;
  pthread_mutex_unlock (&told);
  return TRUE;
}

static gboolean
scripted_write (gpointer data, guint tensor, const void *values, GError **error)
{
  return ls_backend_reference.write (((Lane *) data)->reference, tensor, values, error);
}

static gboolean
scripted_read (gpointer data, guint tensor, void *values, GError **error)
{
  Lane *self = data;
  gboolean is_weight = FALSE;

  if (!ls_backend_reference.read (self->reference, tensor, values, error))
    return FALSE;
  pthread_mutex_lock (&told);
  for (guint p = 0; p < self->plan->n_params; p++)
    if (self->plan->params[p].weight == tensor)
      {
        for (gint64 i = 0; i < ls_tensor_count (&self->plan->tensors[tensor]); i++)
          ((float *) values)[i] = p == script.weight[self->lane].param && i == script.weight[self->lane].at
                                    ? script.weight[self->lane].value
                                    : 2;
        is_weight = TRUE;
      }
  if (is_weight && self->steps > 0)
    write_job (self, 'R', 0);
  pthread_mutex_unlock (&told);
  return TRUE;
}

static const LsTiling *
scripted_tilings (gpointer data)
{
  return ls_backend_reference.tilings (((Lane *) data)->reference);
}

static const LsDeviceInfo *
scripted_device (gpointer data)
{
  return ((Lane *) data)->device;
}

static void
scripted_trace_size (gpointer data, guint *n_rings, guint32 *capacity)
{
  ls_backend_reference.trace_size (((Lane *) data)->reference, n_rings, capacity);
}

static const LsBackend scripted_backend = {
  .name = "scripted",
  .title = "Scripted",
  .open = scripted_open,
  .close = scripted_close,
  .prepare = scripted_prepare,
  .configure = scripted_configure,
  .run = scripted_run_ops,
  .write = scripted_write,
  .read = scripted_read,
  .tilings = scripted_tilings,
  .device = scripted_device,
  .trace_size = scripted_trace_size,
};

static void
begin (void)
{
  if (script.log == NULL)
    script.log = g_string_new (NULL);
  g_string_truncate (script.log, 0);
  for (guint s = 0; s < SCRIPTED_LANES; s++)
    {
      for (guint i = 0; i < SCRIPTED_STEPS; i++)
        script.losses[s][i] = (float) (1. / (i + 1));
      script.weight[s].value = 2;
      script.slower[s] = 1;
      script.stays_at[s] = 0;
      g_atomic_int_set (&script.lets[s], 0);
      g_atomic_int_set (&script.hangs[s], 0);
    }
  script.idle = FALSE;
  script.data = NULL;
  g_atomic_int_set (&script.let_go, 0);
  for (guint i = 0; i < SCRIPTED_STEPS; i++)
    script.step_us[i] = 1000;
}

LsOptions *
scripted_options (gint check_every)
{
  LsOptions *options = tiny_options ();

  options->check_every = check_every;
  begin ();
  return options;
}

LsCoordinator *
scripted_start (LsOptions *options, const char *precisions)
{
  g_auto (GStrv) each = g_strsplit (precisions, ",", -1);
  const guint n = g_strv_length (each);
  const LsBackend *backends[SCRIPTED_LANES];
  const LsDataRequest request = ls_data_request (options);
  g_autoptr (GPtrArray) specs = NULL;
  g_autoptr (GError) error = NULL;
  LsCoordinator *c;

  g_assert_cmpuint (n, <=, SCRIPTED_LANES);
  for (guint s = 0; s < n; s++)
    backends[s] = &scripted_backend;
  specs = ls_lane_specs_of_backends (options, backends, n);
  for (guint s = 0; s < n; s++)
    {
      LsOptions *own = ((LsLaneSpec *) specs->pdata[s])->options;
      g_auto (GStrv) words = g_strsplit (each[s], " ", -1);

      g_assert_true (ls_options_set (own, ls_options_find ("precision"), words[0], NULL));
      for (guint i = 1; words[i] != NULL; i++)
        {
          g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);
          g_assert_true (ls_options_set (own, ls_options_find (pair[0]), pair[1], NULL));
        }
    }
  c = ls_coordinator_new_with_specs (options, &request, script.data, specs, &error);
  g_assert_no_error (error);
  script.batch = ls_coordinator_plan (c)->batch;
  for (guint s = 0; s < SCRIPTED_LANES; s++)
    {
      g_free (script.samples[s]);
      script.samples[s] = g_new0 (guint32, SCRIPTED_STEPS * script.batch);
    }
  g_assert_true (ls_coordinator_start (c, &error));
  ls_snapshot_unref (scripted_run (c, 0)); /* all of them are there */
  g_string_truncate (script.log, 0);
  return c;
}

LsSnapshot *
scripted_run (LsCoordinator *c, guint64 steps)
{
  ls_coordinator_run (c, steps);
  return finish (c);
}

void
scripted_end (void)
{
  for (guint s = 0; s < SCRIPTED_LANES; s++)
    g_clear_pointer (&script.samples[s], g_free);
  g_string_free (script.log, TRUE);
  script.log = NULL;
}
