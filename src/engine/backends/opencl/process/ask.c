/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said to the lane's process, and what it says: its answers, how far it is meanwhile, and what it
 * died of. See process.h.
 */
#include "config.h"
#include "backends/opencl/process/process.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "backends/opencl/device/environment.h"
#include "backends/opencl/run/trial.h"
#include "core/error.h"

/* ---- what it tells while it is at something ---- */

static LsBuild *
read_build (const json_t *line)
{
  const json_t *ops = ls_json_get_array (line, "ops", 1, G_MAXUINT16, NULL);
  g_autoptr (LsBuild) build = ops != NULL ? ls_build_new ((guint) json_array_size (ops)) : NULL;
  gint64 state, same_as, done, total;

  if (build == NULL || !ls_json_get_int (line, "done", 0, G_MAXUINT16, &done, NULL)
      || !ls_json_get_int (line, "total", 0, G_MAXUINT16, &total, NULL))
    return NULL;
  build->done = (guint) done;
  build->total = (guint) total;
  if (!ls_json_get_double (line, "left", 0, G_MAXINT, &build->left_s, NULL))
    build->left_s = (double) NAN;
  for (guint i = 0; i < build->n_ops; i++)
    {
      const json_t *object = ls_json_array_object (ops, i, "ops", NULL);
      LsOpBuild *op = &build->ops[i];
      const char *kernel;

      if (object == NULL || !ls_json_get_int (object, "state", 0, LS_BUILD_DONE, &state, NULL)
          || !ls_json_get_int (object, "same", -1, (gint64) build->n_ops - 1, &same_as, NULL)
          || !ls_json_get_double (object, "s", 0, G_MAXINT, &op->seconds, NULL)
          || !ls_json_get_string_or_null (object, "kernel", &kernel, NULL))
        return NULL;
      op->state = (LsBuildState) state;
      op->same_as = (gint) same_as;
      op->kernel = g_intern_string (kernel);
    }
  return g_steal_pointer (&build);
}

static void
set_progress (LsClProcess *self, guint built, guint to_build, LsBuild *build)
{
  g_atomic_int_set (&self->to_build, (gint) to_build);
  g_atomic_int_set (&self->built, (gint) built);
  pthread_mutex_lock (&self->mutex);
  ls_build_unref (self->build);
  self->build = build;
  pthread_mutex_unlock (&self->mutex);
}

/* TRUE: the line tells how far it is, and is no answer. */
static gboolean
take_progress (LsClProcess *self, const json_t *line)
{
  guint done, total;

  if (!ls_trial_progress (line, &done, &total))
    return FALSE;
  set_progress (self, done, total, read_build (line));
  return TRUE;
}

void
ls_cl_process_progress (gpointer data, guint *done, guint *total)
{
  LsClProcess *self = data;

  *total = (guint) g_atomic_int_get (&self->to_build);
  *done = MIN ((guint) g_atomic_int_get (&self->built), *total);
}

LsBuild *
ls_cl_process_building (gpointer data)
{
  LsClProcess *self = data;
  LsBuild *build;

  pthread_mutex_lock (&self->mutex);
  build = self->build != NULL ? ls_build_ref (self->build) : NULL;
  pthread_mutex_unlock (&self->mutex);
  return build;
}

/* ---- asked ---- */

gboolean
ls_cl_process_may_renew (const LsClProcess *self)
{
  return self->died != NULL && !g_cancellable_is_cancelled (self->cancel)
         && !ls_kernel_files_any (self->edited) && ls_child_crashed (&self->child);
}

/* Of what it died, as a sentence for whoever asks from now on. */
static void
take_death (LsClProcess *self, const GError *cause)
{
  g_autofree char *fate = ls_child_fate (&self->child), *words = ls_child_last_words (&self->child);

  if (g_cancellable_is_cancelled (self->cancel))
    self->died = g_strdup (_("the OpenCL lane’s process was stopped, because it didn’t answer"));
  else if (fate == NULL)
    self->died = g_strdup_printf (_("the OpenCL lane’s process gave no answer that can be read: %s"),
                                  cause->message);
  else if (ls_kernel_files_any (self->edited))
    self->died = g_strdup_printf (
      _("the OpenCL lane runs edited kernels (%s) in a process of its own: %s%s"), self->edited->names, fate,
      words);
  else
    self->died = g_strdup_printf (_("the OpenCL lane runs in a process of its own: %s%s"), fate, words);
  /* while it was being prepared it is begun anew by itself; after that it may have been what only a recorded
   * step uses */
  if (self->tilings != NULL && ls_cl_process_may_renew (self) && ls_cl_environment_wipe ())
    {
      g_autofree char *died = g_steal_pointer (&self->died);
      self->died = g_strdup_printf (_("%s; its compiled kernels were deleted, and are compiled anew"), died);
    }
  ls_child_end (&self->child, 0);
}

static gboolean
send (LsClProcess *self, LsWireOut *out)
{
  g_autofree char *text = NULL, *line = NULL;

  ls_wire_close (out);
  text = json_dumps (out->head, JSON_COMPACT);
  line = g_strconcat (text, "\n", NULL);
  if (!ls_child_send (&self->child, line, strlen (line), self->cancel))
    return FALSE;
  for (guint i = 0; i < out->pieces->len; i++)
    {
      const LsWirePiece *piece = &g_array_index (out->pieces, LsWirePiece, i);
      if (!ls_child_send (&self->child, piece->data, piece->size, self->cancel))
        return FALSE;
    }
  return TRUE;
}

/* The answer and what follows it. */
static gboolean
receive (LsClProcess *self, LsWireIn *in, GError **error)
{
  json_t *line;

  while ((line = ls_child_hear (&self->child, self->patience_ms, self->cancel, error)) != NULL
         && take_progress (self, line))
    json_decref (line);
  return line != NULL && ls_wire_begin (in, line, error)
         && ls_child_take (&self->child, in->bytes, in->size, self->cancel, error);
}

gboolean
ls_cl_process_call (LsClProcess *self, LsWireOut *out, LsWireIn *in, GError **error)
{
  g_autoptr (GError) cause = NULL;
  gboolean came;

  *in = (LsWireIn){ 0 };
  if (self->died != NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, self->died);
      return FALSE;
    }
  send (self, out); /* if it doesn't listen, it says no more, and why shows there */
  came = receive (self, in, &cause);
  set_progress (self, 0, 0, NULL);
  if (came)
    return ls_wire_get_error (in->head, error);
  take_death (self, cause);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, self->died);
  return FALSE;
}
