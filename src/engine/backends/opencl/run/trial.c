/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parent's side of a trial: see trial.h.
 */
#include "config.h"
#include "backends/opencl/run/trial.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/child/child.h"
#include "backends/opencl/run/instance.h"
#include "core/error.h"
#include "files/json.h"

#define PATIENCE_MS      30000 /* for one kernel, or the steps */
#define PATIENCE_WALK_MS 180000
#define MAX_ANSWER_BYTES (1u << 20)
#define MAX_ANSWER_DEPTH 3
#define MOST_BUILDS      10000

/* ---- the order ---- */

static void
add_text (JsonBuilder *b, const char *name, const char *value)
{
  json_builder_set_member_name (b, name);
  json_builder_add_string_value (b, value);
}

static void
add_int (JsonBuilder *b, const char *name, gint64 value)
{
  json_builder_set_member_name (b, name);
  json_builder_add_int_value (b, value);
}

static void
add_options (JsonBuilder *b, const LsOptions *options)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);

  json_builder_set_member_name (b, "options");
  json_builder_begin_object (b);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = ls_options_get (options, &rows[i]);
      add_text (b, rows[i].name, text);
    }
  json_builder_end_object (b);
}

static void
add_texts (JsonBuilder *b, const LsKernelFiles *edited)
{
  GHashTableIter iter;
  gpointer name, text;

  json_builder_set_member_name (b, "texts");
  json_builder_begin_object (b);
  g_hash_table_iter_init (&iter, edited->texts);
  while (g_hash_table_iter_next (&iter, &name, &text))
    add_text (b, name, text);
  json_builder_end_object (b);
}

char *
ls_trial_order (const LsOptions *options, const LsPlan *plan, const LsData *data, const LsKernelFiles *edited,
                const char *device, guint chosen, guint ticks, LsTrialDeed deed, const LsWalkWish *walk,
                gboolean launches)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (b);
  add_options (b, options);
  add_texts (b, edited);
  add_int (b, "channels", plan->in_shape[0]);
  add_int (b, "height", plan->in_shape[1]);
  add_int (b, "width", plan->in_shape[2]);
  add_int (b, "classes", plan->n_classes);
  add_int (b, "f32", data != NULL && data->train.type == LS_SAMPLE_F32);
  add_text (b, "device", device);
  add_int (b, "chosen", chosen);
  add_int (b, "ticks", ticks);
  add_int (b, "deed", deed);
  add_int (b, "launches", launches);
  add_int (b, "walk-op", walk != NULL ? MAX (walk->op, LS_WALK_NO_OP) : LS_WALK_NO_OP);
  add_int (b, "walk-rung", walk != NULL ? MAX (walk->rung, 0) : 0);
  json_builder_end_object (b);
  root = json_builder_get_root (b);
  return json_to_string (root, FALSE);
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
ls_trial_progress (const GString *out, guint *done, guint *total)
{
  const char *end = g_strrstr_len (out->str, (gssize) out->len, "\n"), *line = end;
  char *slash;

  if (end == NULL)
    return FALSE;
  while (line > out->str && line[-1] != '\n')
    line--;
  if (!g_str_has_prefix (line, LS_TRIAL_PROGRESS))
    return FALSE;
  *done = (guint) MIN (g_ascii_strtoull (line + strlen (LS_TRIAL_PROGRESS), &slash, 10), MOST_BUILDS);
  *total = *slash == '/' ? (guint) MIN (g_ascii_strtoull (slash + 1, NULL, 10), MOST_BUILDS) : 0;
  *done = MIN (*done, *total);
  return TRUE;
}

static gboolean
heard_cb (const GString *out, gpointer data)
{
  LsKernelTrial *trial = data;
  guint done, total;

  if (g_atomic_int_get (&trial->cancelled))
    return FALSE;
  if (ls_trial_progress (out, &done, &total))
    {
      g_atomic_int_set ((gint *) &trial->total, (gint) total);
      g_atomic_int_set ((gint *) &trial->done, (gint) done);
    }
  return TRUE;
}

gboolean
ls_trial_run_fed (const char *order, int input, guint patience_ms, LsChildHeard heard, gpointer data,
                  LsChild *child, GError **error)
{
  g_autofree char *self = ls_child_self (), *path = write_order (order, error);
  const char *argv[] = { self, LS_CL_PROBE_COMMAND, LS_TRIAL_COMMAND, path, NULL };
  gboolean started;

  *child = (LsChild){ 0 };
  if (path == NULL)
    return FALSE;
  started = ls_child_run_fed (child, argv, input, patience_ms, heard, data, error);
  g_unlink (path);
  return started;
}

gboolean
ls_trial_run (const char *order, guint patience_ms, LsChildHeard heard, gpointer data, LsChild *child,
              GError **error)
{
  return ls_trial_run_fed (order, -1, patience_ms, heard, data, child, error);
}

guint
ls_trial_patience_ms (void)
{
  const char *text = g_getenv ("LOCKSTEP_PROBE_TIMEOUT_MS");
  guint64 ms;

  return text && g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &ms, NULL) ? (guint) ms : PATIENCE_MS;
}

/* The answer follows the lines of progress. */
gboolean
ls_trial_read_answer (const LsChild *child, GError **error)
{
  const char *start = child->out->str, *message;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (JsonNode) node = NULL;
  gint64 works, opened, code;
  JsonObject *root;

  while (g_str_has_prefix (start, LS_TRIAL_PROGRESS) && strchr (start, '\n') != NULL)
    start = strchr (start, '\n') + 1;
  bytes = g_bytes_new (start, strlen (start));
  node = ls_json_parse_strict (bytes, MAX_ANSWER_BYTES, MAX_ANSWER_DEPTH, NULL);
  root = node && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  if (root == NULL || !ls_json_get_int (root, "works", 0, 1, &works, NULL)
      || !ls_json_get_int (root, "opened", 0, 1, &opened, NULL))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                   _("the process in which the edited kernels were tried gave no answer that can be read"));
      return FALSE;
    }
  /* A device that only one process at a time may have can't be tried beside the lane: the lane itself will
   * see. */
  message = ls_json_get_string (root, "message", NULL);
  if (!opened)
    g_debug ("the edited kernels weren’t tried: %s", message ? message : "");
  if (works || !opened)
    return TRUE;
  if (message == NULL || !ls_json_get_int (root, "code", 0, LS_ERROR_CANCELLED, &code, NULL))
    code = LS_ERROR_DEVICE;
  g_set_error_literal (error, LS_ERROR, (int) code, message ? message : _("the edited kernels don’t work"));
  return FALSE;
}

static gboolean
judge (const LsChild *child, const LsKernelTrial *trial, GError **error)
{
  if (g_atomic_int_get (&trial->cancelled))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("the edited kernels have changed again"));
  else if (child->hung)
    g_set_error (error, LS_ERROR, LS_ERROR_HUNG,
                 _("the edited kernels gave no answer within %g s when they were built and run for a trial"),
                 ls_trial_patience_ms () / 1e3);
  else if (child->signal)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                 _("the edited kernels crashed the process in which they were tried (signal %d, %s), as an "
                    "index beyond an array’s end does"),
                 child->signal, g_strsignal (child->signal));
  else if (child->status)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                 _("the edited kernels ended the process in which they were tried, with status %d"),
                 child->status);
  else
    return ls_trial_read_answer (child, error);
  return FALSE;
}

gboolean
ls_cl_try_kernels (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                   LsKernelTrial *trial, GError **error)
{
  g_autoptr (LsClProbe) probe = ls_cl_probe (options->device, error);
  g_autofree char *order = NULL;
  LsChild child;
  gboolean ok;

  if (probe == NULL)
    return FALSE;
  order = ls_trial_order (options, plan, data, edited,
                          ((const LsDeviceInfo *) probe->devices->pdata[probe->chosen])->name, probe->chosen,
                          probe->ticks, LS_TRIAL_RECORDED, NULL, FALSE);
  ok = ls_trial_run (order, ls_trial_patience_ms (), heard_cb, trial, &child, error)
       && judge (&child, trial, error);
  ls_child_clear (&child);
  return ok;
}

void
ls_cl_warm_walk (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                 const LsWalkWish *wish, LsKernelTrial *trial)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClProbe) probe = ls_cl_probe (options->device, &error);
  g_autoptr (LsKernelFiles) none = ls_kernel_files_new ();
  g_autofree char *order = NULL;
  const gboolean recorded = wish->op == LS_WALK_NO_OP;
  LsChild child = { 0 };

  if (probe != NULL)
    {
      order = ls_trial_order (options, plan, data, edited ? edited : none,
                              ((const LsDeviceInfo *) probe->devices->pdata[probe->chosen])->name,
                              probe->chosen, probe->ticks, recorded ? LS_TRIAL_RECORDED : LS_TRIAL_WALK, wish,
                              recorded);
      if (recorded)
        ls_trial_build (order, plan->n_ops, plan->n_ops, PATIENCE_WALK_MS, NULL, NULL, &trial->cancelled);
      else if (ls_trial_run (order, PATIENCE_WALK_MS, heard_cb, trial, &child, &error))
        judge (&child, trial, &error);
    }
  if (error != NULL)
    g_debug ("kernels weren't built beforehand: %s", error->message);
  ls_child_clear (&child);
}
