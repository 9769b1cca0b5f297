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
add_plan (JsonBuilder *b, const LsTunePlan *plan)
{
  json_builder_begin_object (b);
  ls_json_text (b, "model", plan->model);
  json_builder_set_member_name (b, "shape");
  json_builder_begin_array (b);
  for (guint d = 0; d < 3; d++)
    json_builder_add_int_value (b, plan->shape[d]);
  json_builder_end_array (b);
  ls_json_whole (b, "classes", plan->n_classes);
  ls_json_whole (b, "batch", plan->batch);
  ls_json_whole (b, "optimizer", plan->optimizer);
  json_builder_end_object (b);
}

char *
ls_tune_job_to_text (const LsTuneJob *job)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (b);
  ls_json_whole (b, "device", job->device);
  ls_json_whole (b, "seconds", job->wish.seconds);
  ls_json_whole (b, "first", job->first);
  json_builder_set_member_name (b, "skip");
  json_builder_begin_array (b);
  for (guint i = 0; i < job->skip->len; i++)
    json_builder_add_string_value (b, job->skip->pdata[i]);
  json_builder_end_array (b);
  json_builder_set_member_name (b, "plans");
  json_builder_begin_array (b);
  for (guint i = 0; i < job->wish.n_plans; i++)
    add_plan (b, &job->wish.plans[i]);
  json_builder_end_array (b);
  json_builder_end_object (b);
  root = json_builder_get_root (b);
  return json_to_string (root, FALSE);
}

static gboolean
read_plan (JsonArray *plans, guint i, LsTunePlan *plan, GError **error)
{
  JsonObject *o = ls_json_array_object (plans, i, "plans", error);
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
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (JsonNode) node = ls_json_parse_strict (bytes, MAX_JOB_BYTES, 4, error);
  g_autoptr (LsTuneJob) job = g_new0 (LsTuneJob, 1);
  JsonObject *root = node && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonArray *plans, *skip;
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
  for (guint i = 0; i < json_array_get_length (skip); i++)
    g_ptr_array_add (job->skip, g_strdup (json_array_get_string_element (skip, i)));
  for (guint i = 0; i < json_array_get_length (plans); i++)
    if (read_plan (plans, i, &job->wish.plans[i], error))
      job->wish.n_plans++;
    else
      return NULL;
  return g_steal_pointer (&job);
}
