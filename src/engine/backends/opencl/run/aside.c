/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building beside the program. Where the processor plays the device, the driver compiles in the program's own
 * memory, and what its compiler needed stays for as long as the kernels do: with PoCL 3.1 some 250 MB for one
 * network. What was compiled before is in the caches, and then costs a tenth. So what isn't there yet is
 * built by children (trial.h) first, and taken from the caches after that: a step's launches by several side
 * by side (builders.c), all else by one. If that doesn't work for whatever reason, this process builds as it
 * would have.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

#include "backends/opencl/run/trial.h"

/* The child makes its plan from the options: it must come to the same one. */
static gboolean
has_plan_of_options (const LsCl *self)
{
  g_autoptr (LsModel) model = NULL;

  if (self->options == NULL || self->plan == NULL || self->plan->model == NULL || self->data == NULL
      || self->plan->batch != (guint) self->options->batch)
    return FALSE;
  model = ls_model_parse (self->options->model, NULL);
  return model != NULL && strcmp (model->text, self->plan->model->text) == 0;
}

static gboolean
heard_cb (const json_t *line, gpointer data)
{
  LsCl *self = data;
  guint done, total;

  if (ls_trial_progress (line, &done, &total))
    {
      atomic_store (&self->to_build, total);
      atomic_store (&self->built, done);
    }
  return TRUE;
}

static void
built_cb (guint launch, gboolean done, gpointer data)
{
  LsCl *self = data;

  ls_cl_building_mark (self, launch, done ? LS_BUILD_DONE : LS_BUILD_RUNNING);
  if (done)
    atomic_fetch_add (&self->built, 1);
}

static gboolean
can_build (const LsCl *self)
{
  return self->device->limits.is_cpu && !self->alone && self->edited != NULL
         && g_getenv (LS_CHILD_MARK) == NULL && has_plan_of_options (self);
}

gboolean
ls_cl_record_waits (gpointer data)
{
  LsCl *self = data;

  return self->single != NULL && !(self->aside & 1u << LS_TRIAL_RECORDED) && can_build (self)
         && ls_cl_any_missing (self, ls_cl_schedule (self, 0, self->plan->n_ops, TRUE), TRUE);
}

static void
set_processes (LsCl *self, guint n)
{
  pthread_mutex_lock (&self->building.mutex);
  self->building.processes = n;
  pthread_mutex_unlock (&self->building.mutex);
}

/* Of a step that runs by itself or with the probe: side by side. What they leave is built by this process. */
static gboolean
build_launches (LsCl *self, const char *order, guint n_launches, guint n_missing)
{
  gboolean ok;

  atomic_store (&self->to_build, n_missing);
  set_processes (self, ls_trial_children (n_missing));
  ok = ls_trial_build (order, n_launches, n_missing, LS_TRIAL_PATIENCE_MS, built_cb, self, NULL);
  set_processes (self, 1);
  return ok;
}

static gboolean
build_all (LsCl *self, const char *order)
{
  g_autoptr (GError) error = NULL;
  LsChild child;
  gboolean ok = ls_trial_run (order, -1, LS_TRIAL_PATIENCE_MS, heard_cb, self, &child, &error)
                && ls_trial_judge (&child, &error);

  if (!ok)
    g_debug ("kernels weren't built aside: %s", error->message);
  ls_child_clear (&child);
  return ok;
}

void
ls_cl_build_aside (LsCl *self, LsTrialKind kind, guint n_launches, guint n_missing)
{
  const gboolean side_by_side = kind == LS_TRIAL_STEP || kind == LS_TRIAL_RECORDED;
  g_autofree char *order = NULL;

  if (!can_build (self))
    return;
  self->aside |= 1u << kind;
  order = ls_trial_order (self->options, self->plan, self->data, self->edited, self->info->name, self->number,
                          self->ticks, kind, NULL, side_by_side);
  self->alone = !(side_by_side ? build_launches (self, order, n_launches, n_missing)
                               : build_all (self, order));
  atomic_store (&self->to_build, 0);
  atomic_store (&self->built, 0);
}
