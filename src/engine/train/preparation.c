/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See LsPreparation in private.h. The thread may outlive the lane and the coordinator: whatever it may still
 * touch belongs to the preparation, which is freed by whoever leaves last.
 */
#include "config.h"
#include "train/private.h"

#include <sys/resource.h>
#include <unistd.h>

#include "backends/kernel_files.h"

#define BESIDE_NICE 10

static void
clear_cb (gpointer data)
{
  LsPreparation *self = data;

  ls_options_free (self->options);
  ls_plan_unref (self->plan);
  ls_data_unref (self->data);
  ls_kernel_files_unref (self->files);
  ls_signal_unref (self->signal);
  g_free (self->key);
  g_clear_error (&self->error);
}

static void
unref (LsPreparation *self)
{
  g_atomic_rc_box_release_full (self, clear_cb);
}

static void *
thread (void *data)
{
  LsPreparation *self = data;

  setpriority (PRIO_PROCESS, (id_t) gettid (), BESIDE_NICE); /* the child inherits it */
  if (self->key == NULL)
    self->backend->edit->try_kernels (self->options, self->plan, self->data, self->files, &self->progress,
                                      &self->error);
  else
    self->backend->build->warm (self->options, self->plan, self->data, self->files, &self->wish,
                                &self->progress);
  g_atomic_int_set (&self->over, TRUE);
  ls_signal_raise (self->signal);
  unref (self);
  return NULL;
}

LsPreparation *
ls_preparation_new (const LsCoordinator *self, const LsLaneControl *control, LsKernelFiles *files,
                    const LsWalkWish *wish, const char *key)
{
  LsPreparation *preparation = g_atomic_rc_box_new0 (LsPreparation);
  pthread_t id;

  preparation->backend = control->lane->backend;
  preparation->options = ls_options_copy (control->spec->options);
  preparation->plan = ls_plan_with_precision (self->plan, (LsPrecision) control->spec->options->precision);
  preparation->data = ls_data_ref (self->data);
  preparation->files = files != NULL ? ls_kernel_files_ref (files) : NULL;
  preparation->signal = ls_signal_ref (self->signal);
  preparation->wish = wish != NULL ? *wish : (LsWalkWish){ 0 };
  preparation->key = g_strdup (key);
  preparation->begun_ns = ls_clock_ns ();
  g_atomic_rc_box_acquire (preparation);
  if (pthread_create (&id, NULL, thread, preparation) == 0)
    {
      pthread_detach (id);
      return preparation;
    }
  unref (preparation);
  unref (preparation);
  return NULL;
}

gboolean
ls_preparation_over (const LsPreparation *self)
{
  return g_atomic_int_get (&self->over);
}

void
ls_preparation_drop (LsPreparation **self)
{
  if (*self != NULL)
    g_atomic_int_set (&(*self)->progress.cancelled, TRUE);
  g_clear_pointer (self, unref);
}
