/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A backend ready to train: see rig.h. The samples are noise from the counter RNG, brighter where the label
 * says.
 */
#include "tests/cpu/rig.h"

#include "core/rng.h"

#define N_SAMPLES 512
#define SIZE      (28 * 28)
#define CLASSES   10
#define SEED      7

static void
make_samples (Rig *rig)
{
  guint8 *bytes = g_malloc (N_SAMPLES * SIZE);
  gint32 *labels = g_new (gint32, N_SAMPLES);

  for (guint i = 0; i < N_SAMPLES; i++)
    {
      labels[i] = (gint32) (ls_rng_u32 (SEED, LS_STREAM_TEST, 1, i) % CLASSES);
      for (guint j = 0; j < SIZE; j++)
        bytes[i * SIZE + j] = (guint8) (ls_rng_u32 (SEED, LS_STREAM_TEST, 2, (guint64) i * SIZE + j) % 128
                                        + (j % CLASSES == (guint) labels[i] ? 127 : 0));
    }
  rig->set = (LsDataset){
    .n = N_SAMPLES,
    .shape = { 1, 28, 28 },
    .sample_size = SIZE,
    .type = LS_SAMPLE_U8,
    .samples = bytes,
    .labels = labels,
  };
}

Rig *
rig_new (const LsBackend *backend, const LsOptions *options, const char *model, guint batch)
{
  return rig_new_stored (backend, options, model, batch, LS_PRECISION_FP32);
}

Rig *
rig_new_stored (const LsBackend *backend, const LsOptions *options, const char *model, guint batch,
                LsPrecision precision)
{
  g_autoptr (LsPlan) plan = NULL;
  GError *error = NULL;
  Rig *rig = g_new0 (Rig, 1);
  LsModel *parsed = ls_model_parse (model, &error);

  g_assert_no_error (error);
  make_samples (rig);
  plan = ls_plan_new (parsed, rig->set.shape, CLASSES, batch, (LsOptimizer) options->optimizer, &error);
  g_assert_no_error (error);
  ls_model_free (parsed);
  rig->plan = ls_plan_with_precision (plan, precision);
  rig->backend = backend;
  rig->self = backend->open (options, RIG_LANE, &error);
  g_assert_no_error (error);
  backend->prepare (rig->self, rig->plan, NULL, &error);
  g_assert_no_error (error);
  rig->index = g_new (guint32, batch);
  rig_reset (rig);
  return rig;
}

void
rig_free (Rig *rig)
{
  rig->backend->close (rig->self);
  ls_plan_unref (rig->plan);
  g_free (rig->set.samples);
  g_free (rig->set.labels);
  g_free (rig->index);
  g_free (rig);
}

void
rig_reset (Rig *rig)
{
  rig->step = 0;
  rig->scale = ls_loss_scale_first (rig->plan->precision == LS_PRECISION_FP16);
  for (guint i = 0; i < rig->plan->n_params; i++)
    {
      const LsParam *param = &rig->plan->params[i];
      gsize bytes = ls_tensor_bytes (&rig->plan->tensors[param->weight]);
      g_autofree float *values = g_malloc (bytes);
      g_autofree float *zeros = g_malloc0 (bytes);

      ls_plan_init_param (rig->plan, i, SEED, values);
      g_assert_true (rig->backend->write (rig->self, param->weight, values, NULL));
      for (guint j = 0; j < param->n_state; j++)
        g_assert_true (rig->backend->write (rig->self, param->state[j], zeros, NULL));
    }
}

void
rig_run (Rig *rig, guint n_steps, gboolean fuse, LsTrace *trace, LsRunResult *result)
{
  GError *error = NULL;
  const guint batch = rig->plan->batch;
  g_autofree guint32 *index = g_new (guint32, (gsize) n_steps * batch);
  g_autofree LsBatch *batches = g_new (LsBatch, n_steps);
  g_autofree LsHyper *hyper = g_new (LsHyper, n_steps);
  LsRun run = { .n_ops = rig->plan->n_ops,
                .n_steps = n_steps,
                .batches = batches,
                .hyper = hyper,
                .fuse = fuse,
                .reuse = rig->reuse && trace == NULL,
                .scale = &rig->scale,
                .trace = trace };

  for (guint s = 0; s < n_steps; s++)
    {
      for (guint i = 0; i < batch; i++)
        index[s * batch + i] = (guint32) (((rig->step + s) * batch + i) * 31 % N_SAMPLES);
      batches[s] = (LsBatch){ .set = &rig->set, .index = index + s * batch, .n = batch };
      hyper[s] = (LsHyper){
        .lr = 0.01, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = rig->step + s + 1
      };
    }
  rig->step += n_steps;
  rig->backend->run (rig->self, &run, result, &error);
  g_assert_no_error (error);
}

LsTrace *
rig_record (Rig *rig, gboolean fuse, LsRunResult *result)
{
  LsTrace *trace;
  guint n_rings;
  guint32 capacity;

  rig->backend->trace_size (rig->self, &n_rings, &capacity);
  trace = ls_trace_new (RIG_LANE, n_rings, capacity, NULL);
  g_assert_nonnull (trace);
  rig_run (rig, 1, fuse, trace, result);
  return trace;
}

guint64
rig_hash (Rig *rig, LsRole role)
{
  guint64 hash = G_GUINT64_CONSTANT (14695981039346656037);

  for (guint i = 0; i < rig->plan->n_tensors; i++)
    {
      const LsTensor *t = &rig->plan->tensors[i];
      gsize bytes = ls_tensor_host_bytes (t);
      g_autofree guint8 *values = g_malloc (bytes);

      if (t->role != role)
        continue;
      g_assert_true (rig->backend->read (rig->self, i, values, NULL));
      for (gsize j = 0; j < bytes; j++)
        hash = (hash ^ values[j]) * G_GUINT64_CONSTANT (1099511628211);
    }
  return hash;
}

gboolean
rig_under_valgrind (void)
{
  const char *preloaded = g_getenv ("LD_PRELOAD");
  return preloaded != NULL && strstr (preloaded, "/vgpreload_") != NULL;
}
