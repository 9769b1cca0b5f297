/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner's parent: starts the child, reads its lines as input from a stranger, and when a candidate ends
 * or hangs it starts another child after that candidate. See tune.h.
 */
#include "config.h"
#include "backends/opencl/tune/tune.h"

#include <glib/gi18n-lib.h>

#include "child/child.h"
#include "backends/opencl/child/discovery.h"
#include "backends/opencl/tune/tune_job.h"
#include "core/error.h"
#include "files/json.h"

#define PATIENCE_MS  20000 /* longest pause between two lines; a cold compiler takes seconds */
#define MAX_CHILDREN 12
#define MAX_ENTRIES  1024

typedef struct {
  const LsTuneWish *wish;
  LsTuneFunc report;
  gpointer data;
  GCancellable *cancel;
  LsTuneResult *result;
  LsTuneJob *job;
  guint n_tasks, task;
  char *op, *example, *candidate; /* at work */
  char *message;                  /* what the child gave up with */
  gboolean ended;
} Parent;

void
ls_tune_result_free (LsTuneResult *result)
{
  if (result == NULL)
    return;
  g_free (result->device);
  g_ptr_array_unref (result->entries);
  g_ptr_array_unref (result->dropped);
  g_free (result);
}

/* ---- the child's lines ---- */

static void
take_candidate (Parent *self, const json_t *line)
{
  gint64 task;
  double left = 0;
  const char *op = ls_json_get_string (line, "op", NULL),
             *example = ls_json_get_string (line, "example", NULL);
  const char *candidate = ls_json_get_string (line, "candidate", NULL);
  LsTuneProgress progress;

  if (!op || !example || !candidate || !ls_json_get_int (line, "task", 0, G_MAXINT32, &task, NULL)
      || !ls_json_get_double (line, "left", 0, 1e6, &left, NULL))
    return;
  g_free (self->op);
  g_free (self->example);
  g_free (self->candidate);
  self->op = g_strdup (op);
  self->example = g_strdup (example);
  self->candidate = g_strdup (candidate);
  self->task = (guint) task;
  progress = (LsTuneProgress){ self->task, self->n_tasks, self->op, self->example, self->candidate, left };
  if (self->report)
    self->report (&progress, self->data);
}

/* A child that begins a task anew, behind the candidate that ended the one before it, drops the same ones. */
static void
take_dropped (GPtrArray *dropped, const char *words)
{
  if (dropped->len < MAX_ENTRIES && words != NULL
      && !g_ptr_array_find_with_equal_func (dropped, words, g_str_equal, NULL))
    g_ptr_array_add (dropped, g_strdup (words));
}

static void
take_line (Parent *self, const json_t *line)
{
  gint64 tasks;

  if (json_object_get (line, "task") != NULL)
    take_candidate (self, line);
  else if (ls_json_get_int (line, "tasks", 0, G_MAXINT32, &tasks, NULL))
    self->n_tasks = (guint) tasks;
  else if (json_object_get (line, "entry") != NULL)
    {
      LsTunedEntry *entry = ls_tuned_entry_from_json (json_object_get (line, "entry"), NULL);
      if (entry && self->result->entries->len < MAX_ENTRIES)
        g_ptr_array_add (self->result->entries, entry);
      else
        ls_tuned_entry_free (entry);
    }
  else if (json_object_get (line, "dropped") != NULL)
    take_dropped (self->result->dropped, ls_json_get_string (line, "dropped", NULL));
  else if (json_object_get (line, "error") != NULL)
    {
      g_free (self->message);
      self->message = g_strdup (ls_json_get_string (line, "error", NULL));
    }
  else if (json_object_get (line, "end") != NULL)
    self->ended = TRUE;
}

static gboolean
heard_cb (const json_t *line, gpointer data)
{
  Parent *self = data;

  if (line != NULL)
    take_line (self, line);
  return !g_cancellable_is_cancelled (self->cancel);
}

/* ---- children ---- */

/* What became of the child, as a clause; NULL if it came to its end. */
static char *
fate_of (const Parent *self, const LsChild *child)
{
  char *fate = ls_child_fate (child);

  return fate == NULL && !self->ended && self->message == NULL
           ? g_strdup_printf (_("the driver ended the process, with status %d"), child->status)
           : fate;
}

/* Notes the candidate that ended a child, so that the next one begins behind it. */
static void
skip_candidate (Parent *self, const char *fate)
{
  LsTuneJob *job = self->job;

  g_ptr_array_add (self->result->dropped,
                   g_strdup_printf ("%s %s, %s: %s", self->op, self->example, self->candidate, fate));
  job->first = self->task;
  g_ptr_array_add (job->skip, g_strdup_printf ("%s %s", self->op, self->candidate));
}

static gboolean
run_children (Parent *self, gint64 end_us, GError **error)
{
  for (guint i = 0; i < MAX_CHILDREN; i++)
    {
      const gint64 left_us = end_us - g_get_monotonic_time ();
      g_autofree char *job = NULL, *fate = NULL;
      const char *arguments[] = { "tune", NULL, NULL };
      LsChild child;
      gboolean started;

      if (left_us <= 0)
        return TRUE;
      self->job->wish.seconds = (guint) ((left_us + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC);
      arguments[1] = job = ls_tune_job_to_text (self->job);
      g_clear_pointer (&self->candidate, g_free);
      self->ended = FALSE;
      started = ls_child_run (&child, arguments, -1, PATIENCE_MS, heard_cb, self, error);
      fate = started ? fate_of (self, &child) : NULL;
      ls_child_clear (&child);
      if (!started || g_cancellable_set_error_if_cancelled (self->cancel, NULL))
        return started;
      if (fate == NULL)
        return TRUE;
      if (self->candidate == NULL)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                       _("the tuner’s process didn’t get to the first kernel: %s"), fate);
          return FALSE;
        }
      skip_candidate (self, fate);
    }
  return TRUE;
}

/* ---- all ---- */

static gboolean
check_plans (const LsTuneWish *wish, GError **error)
{
  for (guint i = 0; i < wish->n_plans; i++)
    {
      const LsTunePlan *p = &wish->plans[i];
      g_autoptr (LsModel) model = ls_model_parse (p->model, error);
      g_autoptr (LsPlan) plan = model
                                  ? ls_plan_new (model, p->shape, p->n_classes, p->batch, p->optimizer, error)
                                  : NULL;
      if (plan == NULL)
        return FALSE;
    }
  return TRUE;
}

gboolean
ls_tune (const LsTuneWish *wish, LsTuneFunc report, gpointer data, GCancellable *cancel,
         LsTuneResult **result, GError **error)
{
  Parent self
    = { .wish = wish, .report = report, .data = data, .cancel = cancel, .result = g_new0 (LsTuneResult, 1) };
  g_autoptr (LsTuneJob) job = g_new0 (LsTuneJob, 1);
  g_autoptr (LsClDiscovery) discovery = NULL;
  gboolean ok;

  *result = self.result;
  self.result->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  self.result->dropped = g_ptr_array_new_with_free_func (g_free);
  job->skip = g_ptr_array_new_with_free_func (g_free);
  self.job = job;
  if (!check_plans (wish, error) || (discovery = ls_cl_discover (wish->device, error)) == NULL)
    return FALSE;
  job->device = discovery->chosen;
  job->wish.n_plans = wish->n_plans;
  for (guint i = 0; i < wish->n_plans; i++)
    {
      job->wish.plans[i] = wish->plans[i];
      job->wish.plans[i].model = g_strdup (wish->plans[i].model);
    }
  self.result->device = g_strdup (
    ((const LsDeviceInfo *) discovery->devices->pdata[discovery->chosen])->name);
  ok = run_children (&self, g_get_monotonic_time () + (gint64) wish->seconds * G_USEC_PER_SEC, error);
  if (ok && g_cancellable_is_cancelled (cancel))
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, _("tuning was stopped"));
  else if (ok && self.message)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, self.message);
  ok = ok && !g_cancellable_is_cancelled (cancel) && self.message == NULL;
  g_free (self.op);
  g_free (self.example);
  g_free (self.candidate);
  g_free (self.message);
  return ok;
}
