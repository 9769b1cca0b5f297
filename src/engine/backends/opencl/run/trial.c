/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parent's side of a trial: see trial.h.
 */
#include "config.h"
#include "backends/opencl/run/trial.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "backends/opencl/child/told.h"
#include "child/child.h"
#include "backends/opencl/run/instance.h"
#include "core/error.h"
#include "files/json.h"

#define MOST_BUILDS 10000

/* ---- the order ---- */

char *
ls_trial_order (const LsOptions *options, const LsPlan *plan, const LsData *data, const LsKernelFiles *edited,
                const char *device, guint chosen, guint ticks, LsTrialKind kind, const LsWalkWish *walk,
                gboolean launches)
{
  g_autoptr (json_t) order = json_object ();

  ls_told_put_options (order, options);
  ls_told_put_kernels (order, edited);
  ls_json_whole (order, "channels", plan->in_shape[0]);
  ls_json_whole (order, "height", plan->in_shape[1]);
  ls_json_whole (order, "width", plan->in_shape[2]);
  ls_json_whole (order, "classes", plan->n_classes);
  ls_json_whole (order, "precision", plan->precision);
  ls_json_whole (order, "f32", data != NULL && data->train.type == LS_SAMPLE_F32);
  ls_told_put_device (order, device, chosen, ticks);
  ls_json_whole (order, "kind", kind);
  ls_json_whole (order, "launches", launches);
  ls_json_whole (order, "walk-op", walk != NULL ? MAX (walk->op, LS_WALK_NO_OP) : LS_WALK_NO_OP);
  ls_json_whole (order, "walk-rung", walk != NULL ? MAX (walk->rung, 0) : 0);
  return json_dumps (order, JSON_COMPACT);
}

/* (transfer full) */
static char *
write_order (const char *order, GError **error)
{
  g_autoptr (GError) cause = NULL;
  char *path = NULL;
  int fd = g_file_open_tmp (LS_TRIAL_FILE "XXXXXX", &path, &cause);

  if (fd >= 0)
    close (fd);
  if (fd >= 0 && g_file_set_contents_full (path, order, -1, G_FILE_SET_CONTENTS_NONE, 0600, &cause))
    return path;
  if (fd >= 0)
    g_unlink (path);
  g_free (path);
  g_set_error (error, LS_ERROR, LS_ERROR_FILE,
               _("the edited kernels can’t be tried, because a temporary file can’t be written: %s"),
               cause->message);
  return NULL;
}

/* ---- what the child says ---- */

gboolean
ls_trial_progress (const json_t *line, guint *done, guint *total)
{
  gint64 built, of;

  if (!ls_json_get_int (line, "of", 0, MOST_BUILDS, &of, NULL)
      || !ls_json_get_int (line, "built", 0, of, &built, NULL))
    return FALSE;
  *done = (guint) built;
  *total = (guint) of;
  return TRUE;
}

static gboolean
heard_cb (const json_t *line, gpointer data)
{
  LsKernelTrial *trial = data;
  guint done, total;

  if (g_atomic_int_get (&trial->cancelled))
    return FALSE;
  if (ls_trial_progress (line, &done, &total))
    {
      g_atomic_int_set ((gint *) &trial->total, (gint) total);
      g_atomic_int_set ((gint *) &trial->done, (gint) done);
    }
  return TRUE;
}

gboolean
ls_trial_run (const char *order, int input, guint patience_ms, LsChildHeard heard, gpointer data,
              LsChild *child, GError **error)
{
  g_autofree char *path = write_order (order, error);
  const char *const arguments[] = { "kernels", path, NULL };
  gboolean started;

  *child = (LsChild){ 0 };
  if (path == NULL)
    return FALSE;
  started = ls_child_run (child, arguments, input, patience_ms, heard, data, error);
  g_unlink (path);
  return started;
}

static gboolean
read_answer (const json_t *answer, GError **error)
{
  const char *message;
  gint64 works, opened, code;

  if (!ls_json_get_int (answer, "works", 0, 1, &works, NULL)
      || !ls_json_get_int (answer, "opened", 0, 1, &opened, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                   _("the process in which the edited kernels were tried gave no answer that can be read"));
      return FALSE;
    }
  /* A device that only one process at a time may have can't be tried beside the lane: the lane itself will
   * see. */
  message = ls_json_get_string (answer, "message", NULL);
  if (!opened)
    g_debug ("the edited kernels weren’t tried: %s", message ? message : "");
  if (works || !opened)
    return TRUE;
  if (message == NULL || !ls_json_get_int (answer, "code", 0, LS_ERROR_CANCELLED, &code, NULL))
    code = LS_ERROR_DEVICE;
  g_set_error_literal (error, LS_ERROR, (int) code, message ? message : _("the edited kernels don’t work"));
  return FALSE;
}

/* "", or which rung it had come to: " with the kernel variant “naive”". (transfer full) */
static char *
at_rung (const LsChild *child)
{
  for (guint i = child->lines->len; i > 0; i--)
    {
      const char *rung = ls_json_get_string (child->lines->pdata[i - 1], "rung", NULL);
      if (rung != NULL)
        return g_strdup_printf (_(" with the kernel variant “%s”"), rung);
    }
  return g_strdup ("");
}

gboolean
ls_trial_judge (const LsChild *child, GError **error)
{
  g_autofree char *fate = ls_child_fate (child), *rung = at_rung (child);

  if (fate == NULL)
    return read_answer (child->garbled == NULL ? ls_child_last (child) : NULL, error);
  if (child->signal && !child->hung)
    g_set_error (
      error, LS_ERROR, LS_ERROR_DEVICE,
      _("the edited kernels were tried%s in a process of their own: %s, as an index beyond an array’s "
         "end makes it do"),
      rung, fate);
  else
    g_set_error (error, LS_ERROR, child->hung ? LS_ERROR_HUNG : LS_ERROR_DEVICE,
                 _("the edited kernels were tried%s in a process of their own: %s"), rung, fate);
  return FALSE;
}

static gboolean
judge (const LsChild *child, const LsKernelTrial *trial, GError **error)
{
  if (!g_atomic_int_get (&trial->cancelled))
    return ls_trial_judge (child, error);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("the edited kernels have changed again"));
  return FALSE;
}

gboolean
ls_cl_try_kernels (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                   LsKernelTrial *trial, GError **error)
{
  g_autoptr (LsClDiscovery) discovery = ls_cl_discover (options->device, error);
  g_autofree char *order = NULL;
  LsChild child;
  gboolean ok;

  if (discovery == NULL)
    return FALSE;
  order = ls_trial_order (options, plan, data, edited,
                          ((const LsDeviceInfo *) discovery->devices->pdata[discovery->chosen])->name,
                          discovery->chosen, discovery->ticks, LS_TRIAL_RECORDED, NULL, FALSE);
  ok = ls_trial_run (order, -1, LS_TRIAL_PATIENCE_MS, heard_cb, trial, &child, error)
       && judge (&child, trial, error);
  ls_child_clear (&child);
  return ok;
}

void
ls_cl_warm_walk (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                 const LsWalkWish *wish, LsKernelTrial *trial)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClDiscovery) discovery = ls_cl_discover (options->device, &error);
  g_autoptr (LsKernelFiles) none = ls_kernel_files_new ();
  g_autofree char *order = NULL;
  const gboolean recorded = wish->op == LS_WALK_NO_OP;
  LsChild child = { 0 };

  if (discovery != NULL)
    {
      order = ls_trial_order (options, plan, data, edited ? edited : none,
                              ((const LsDeviceInfo *) discovery->devices->pdata[discovery->chosen])->name,
                              discovery->chosen, discovery->ticks,
                              recorded ? LS_TRIAL_RECORDED : LS_TRIAL_WALK, wish, recorded);
      if (recorded)
        ls_trial_build (order, plan->n_ops, plan->n_ops, LS_TRIAL_PATIENCE_WALK_MS, NULL, NULL,
                        &trial->cancelled);
      else if (ls_trial_run (order, -1, LS_TRIAL_PATIENCE_WALK_MS, heard_cb, trial, &child, &error))
        judge (&child, trial, &error);
    }
  if (error != NULL)
    g_debug ("kernels weren't built beforehand: %s", error->message);
  ls_child_clear (&child);
}
