/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTuneJob to JSON and back.
 */
#include "config.h"
#include "backends/opencl/tune/tune_job.h"

#include <string.h>

#include "files/json.h"

#define MAX_JOB_BYTES (64u << 10)

void
ls_tune_job_free (LsTuneJob *job)
{
  if (job == NULL)
    return;
  for (guint i = 0; i < job->wish.n_plans; i++)
    g_free ((char *) job->wish.plans[i].model);
  g_ptr_array_unref (job->skip);
  g_free (job);
}

static void
add_plan (json_t *into, const LsTunePlan *plan)
{
  json_t *shape = ls_json_array (into, "shape");

  ls_json_text (into, "model", plan->model);
  for (guint d = 0; d < 3; d++)
    ls_json_whole (shape, NULL, plan->shape[d]);
  ls_json_whole (into, "classes", plan->n_classes);
  ls_json_whole (into, "batch", plan->batch);
  ls_json_whole (into, "optimizer", plan->optimizer);
}

char *
ls_tune_job_to_text (const LsTuneJob *job)
{
  g_autoptr (json_t) json = json_object ();
  json_t *skip = ls_json_array (json, "skip"), *plans = ls_json_array (json, "plans");

  ls_json_whole (json, "device", job->device);
  ls_json_whole (json, "seconds", job->wish.seconds);
  ls_json_whole (json, "first", job->first);
  for (guint i = 0; i < job->skip->len; i++)
    ls_json_text (skip, NULL, job->skip->pdata[i]);
  for (guint i = 0; i < job->wish.n_plans; i++)
    add_plan (ls_json_object (plans, NULL), &job->wish.plans[i]);
  return json_dumps (json, JSON_COMPACT);
}

static gboolean
read_plan (const json_t *plans, guint i, LsTunePlan *plan, GError **error)
{
  const json_t *o = ls_json_array_object (plans, i, "plans", error);
  const char *model = o ? ls_json_get_string (o, "model", error) : NULL;
  gint64 classes, batch, optimizer;
  guint n;

  if (model == NULL || !ls_json_get_ints (o, "shape", 1, G_MAXINT32, 3, 3, plan->shape, &n, error)
      || !ls_json_get_int (o, "classes", 1, G_MAXINT32, &classes, error)
      || !ls_json_get_int (o, "batch", 1, G_MAXINT32, &batch, error)
      || !ls_json_get_int (o, "optimizer", LS_OPTIMIZER_SGD, LS_OPTIMIZER_ADAM, &optimizer, error))
    return FALSE;
  plan->model = g_strdup (model);
  plan->n_classes = (gint) classes;
  plan->batch = (guint) batch;
  plan->optimizer = (LsOptimizer) optimizer;
  return TRUE;
}

LsTuneJob *
ls_tune_job_from_text (const char *text, GError **error)
{
  g_autoptr (json_t) root = ls_json_parse (text, strlen (text), MAX_JOB_BYTES, JSON_OBJECT, error);
  g_autoptr (LsTuneJob) job = g_new0 (LsTuneJob, 1);
  const json_t *plans, *skip;
  gint64 device, seconds, first;

  job->skip = g_ptr_array_new_with_free_func (g_free);
  if (root == NULL || !ls_json_get_int (root, "device", 0, 1023, &device, error)
      || !ls_json_get_int (root, "seconds", 1, 3600, &seconds, error)
      || !ls_json_get_int (root, "first", 0, G_MAXINT32, &first, error)
      || (skip = ls_json_get_array (root, "skip", 0, 256, error)) == NULL
      || (plans = ls_json_get_array (root, "plans", 1, LS_TUNE_MAX_PLANS, error)) == NULL)
    return NULL;
  job->device = (guint) device;
  job->wish.seconds = (guint) seconds;
  job->first = (guint) first;
  for (guint i = 0; i < json_array_size (skip); i++)
    g_ptr_array_add (job->skip, g_strdup (json_string_value (json_array_get (skip, i))));
  for (guint i = 0; i < json_array_size (plans); i++)
    if (read_plan (plans, i, &job->wish.plans[i], error))
      job->wish.n_plans++;
    else
      return NULL;
  return g_steal_pointer (&job);
}
