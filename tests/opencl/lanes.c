/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See lanes.h.
 */
#include "config.h"
#include "lanes.h"
#include "../folder.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/child/discovery.h"
#include "core/rng.h"

void
rig_init (int *argc, char ***argv)
{
  if (*argc > 1 && strcmp ((*argv)[1], LS_CL_CHILD_COMMAND) == 0)
    exit (ls_cl_child_main (*argc, *argv));
  g_unsetenv ("LOCKSTEP_SELF");
  g_test_init (argc, argv, NULL);
}

static char *own_cache;

static void
remove_own_cache_cb (void)
{
  remove_tree (own_cache);
  g_free (own_cache);
}

void
rig_own_cache (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], LS_CL_CHILD_COMMAND) == 0)
    return;
  own_cache = g_dir_make_tmp ("lockstep-own-XXXXXX", NULL);
  g_assert_nonnull (own_cache);
  g_setenv ("XDG_CACHE_HOME", own_cache, TRUE);
  atexit (remove_own_cache_cb);
}

static void
fill_set (LsDataset *set, gint64 n, const gint64 shape[3], gint n_classes, guint32 sub)
{
  guint8 *bytes;

  *set = (LsDataset){ .n = n, .shape = { shape[0], shape[1], shape[2] }, .type = LS_SAMPLE_U8 };
  set->sample_size = shape[0] * shape[1] * shape[2];
  set->samples = bytes = g_malloc ((gsize) (n * set->sample_size));
  set->labels = g_new (gint32, n);
  for (gint64 i = 0; i < n * set->sample_size; i++)
    {
      guint32 r = ls_rng_u32 (7, LS_STREAM_TEST, sub, (guint64) i);
      bytes[i] = r & 256 ? (guint8) r : 0;
    }
  for (gint64 i = 0; i < n; i++)
    set->labels[i] = (gint32) (ls_rng_u32 (7, LS_STREAM_TEST, sub + 1, (guint64) i) % (guint32) n_classes);
}

LsData *
rig_data (gint64 n, const gint64 shape[3], gint n_classes)
{
  LsData *data = g_new0 (LsData, 1);
  data->ref_count = 1;
  data->name = g_strdup ("test");
  data->n_classes = n_classes;
  fill_set (&data->train, n, shape, n_classes, 0);
  fill_set (&data->test, MAX (n / 2, 1), shape, n_classes, 2);
  return data;
}

LsPlan *
rig_plan (const char *model, const gint64 shape[3], gint n_classes, guint batch, LsOptimizer optimizer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) parsed = ls_model_parse (model, &error);
  LsPlan *plan;

  g_assert_no_error (error);
  plan = ls_plan_new (parsed, shape, n_classes, batch, optimizer, &error);
  g_assert_no_error (error);
  return plan;
}

void
rig_lane_set (RigLane *lane, const char *name, const char *value)
{
  g_autoptr (GError) error = NULL;
  const LsOption *option = ls_options_find (name);

  g_assert_nonnull (option);
  ls_options_set (lane->options, option, value, &error);
  g_assert_no_error (error);
}

static void
write_weights (RigLane *lane)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < lane->plan->n_params; i++)
    {
      guint weight = lane->plan->params[i].weight;
      g_autofree float *values = g_new (float, ls_tensor_count (&lane->plan->tensors[weight]));
      ls_plan_init_param (lane->plan, i, 1, values);
      g_assert_true (lane->backend->write (lane->instance, weight, values, &error));
      g_assert_no_error (error);
    }
}

RigLane *
rig_lane_new (const LsBackend *backend, LsPlan *plan, LsData *data, ...)
{
  g_autoptr (GError) error = NULL;
  RigLane *lane = g_new0 (RigLane, 1);
  const char *name;
  va_list pairs;

  lane->backend = backend;
  lane->plan = ls_plan_ref (plan);
  lane->data = ls_data_ref (data);
  lane->options = ls_options_new ();
  lane->scale = ls_loss_scale_first (plan->precision == LS_PRECISION_FP16);
  va_start (pairs, data);
  while ((name = va_arg (pairs, const char *)) != NULL)
    rig_lane_set (lane, name, va_arg (pairs, const char *));
  va_end (pairs);
  lane->instance = backend->open (lane->options, 0, &error);
  g_assert_no_error (error);
  g_assert_true (backend->prepare (lane->instance, plan, data, &error));
  g_assert_no_error (error);
  write_weights (lane);
  return lane;
}

void
rig_lane_free (RigLane *lane)
{
  lane->backend->close (lane->instance);
  ls_options_free (lane->options);
  ls_plan_unref (lane->plan);
  ls_data_unref (lane->data);
  g_free (lane);
}

static void
sequential (const RigLane *lane, guint step, guint32 *index)
{
  for (guint i = 0; i < lane->plan->batch; i++)
    index[i] = (guint32) (((gint64) step * lane->plan->batch + i) % lane->data->train.n);
}

static LsHyper
hyper_of (guint step)
{
  return (LsHyper){
    .lr = 0.05, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = step + 1, .seed = 1
  };
}

gboolean
rig_lane_run (RigLane *lane, guint first, guint n, float *losses, GError **error)
{
  const guint batch = lane->plan->batch;
  g_autofree guint32 *index = g_new (guint32, (gsize) n * (batch + 1));
  g_autofree LsBatch *batches = g_new (LsBatch, n);
  g_autofree LsHyper *hyper = g_new (LsHyper, n);
  g_autofree guint64 *ends = g_new0 (guint64, n);
  LsRun run = { .n_ops = lane->plan->n_ops,
                .n_steps = n,
                .batches = batches,
                .hyper = hyper,
                .fuse = TRUE,
                .reuse = lane->reuse,
                .scale = &lane->scale };
  LsRunResult result = { .step_end_ns = ends,
                         .losses = losses,
                         .skipped = n <= G_N_ELEMENTS (lane->skipped) ? lane->skipped : NULL };

  for (guint i = 0; i < n; i++)
    {
      guint32 *at = index + (gsize) i * batch + i / 2; /* some lie one after the other, some don't */
      sequential (lane, first + i, at);
      batches[i] = (LsBatch){ &lane->data->train, at, batch };
      hyper[i] = hyper_of (first + i);
    }
  if (!lane->backend->run (lane->instance, &run, &result, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (ends[i], >=, i ? ends[i - 1] : result.start_ns);
  g_assert_cmpuint (result.end_ns, >=, ends[n - 1]);
  return TRUE;
}

LsTrace *
rig_lane_record (RigLane *lane, guint step, LsRunResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *index = g_new (guint32, lane->plan->batch);
  LsBatch batch = { &lane->data->train, index, lane->plan->batch };
  LsHyper hyper = hyper_of (step);
  LsRun run = { .n_ops = lane->plan->n_ops,
                .n_steps = 1,
                .batches = &batch,
                .hyper = &hyper,
                .fuse = TRUE,
                .scale = &lane->scale };
  guint n_rings;
  guint32 capacity;

  sequential (lane, step, index);
  lane->backend->trace_size (lane->instance, &n_rings, &capacity);
  run.trace = ls_trace_new (0, n_rings, capacity, &error);
  g_assert_no_error (error);
  lane->backend->run (lane->instance, &run, result, &error);
  g_assert_no_error (error);
  return run.trace;
}

void *
rig_lane_read (RigLane *lane, guint tensor)
{
  g_autoptr (GError) error = NULL;
  void *values = g_malloc (MAX (ls_tensor_host_bytes (&lane->plan->tensors[tensor]), 8));

  lane->backend->read (lane->instance, tensor, values, &error);
  g_assert_no_error (error);
  return values;
}
