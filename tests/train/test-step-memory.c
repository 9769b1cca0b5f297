/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a training step takes: estimated from the plan, against what each lane has really allocated, counted
 * at its allocator. Printed for both presets, three batches and both optimizers.
 */
#include <math.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/opencl/device/environment.h"
#include "core/error.h"
#include "data/dataset.h"
#include "model/step_memory.h"

#define MOST_PERCENT 2.

static LsPlan *
plan_of (const char *words, guint batch, LsOptimizer optimizer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (words, &error);
  LsPlan *plan = model != NULL
                   ? ls_plan_new (model, (const gint64[]){ 1, 28, 28 }, 10, batch, optimizer, &error)
                   : NULL;

  g_assert_no_error (error);
  return plan;
}

/* Few, so that tensors are what is counted, and not as many of either set. */
static LsData *
samples (void)
{
  LsData *data = g_new0 (LsData, 1);
  LsDataset *sets[] = { &data->train, &data->test };

  data->ref_count = 1;
  data->n_classes = 10;
  for (guint i = 0; i < 2; i++)
    {
      *sets[i]
        = (LsDataset){ .n = 200 + 37 * i, .shape = { 1, 28, 28 }, .sample_size = 784, .type = LS_SAMPLE_U8 };
      sets[i]->samples = g_malloc0 ((gsize) (sets[i]->n * sets[i]->sample_size));
      sets[i]->labels = g_new0 (gint32, (gsize) sets[i]->n);
    }
  return data;
}

/* NULL: skipped. */
static gpointer
open_lane (const LsBackend *backend)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  gpointer lane;

  options->threads = 2;
  lane = backend->open (options, 0, &error);
  if (lane == NULL && g_error_matches (error, LS_ERROR, LS_ERROR_NO_DEVICE))
    g_test_skip (error->message);
  else
    g_assert_no_error (error);
  return lane;
}

static void
print (const char *lane, const char *model, guint batch, LsOptimizer optimizer, const LsStepMemory *need,
       const LsStepMemory *has)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < LS_MEMORY_N; i++)
    g_string_append_printf (line, " %s %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, ls_memory_part_names[i],
                            has->bytes[i], need->bytes[i]);
  g_test_message (
    "%s %s batch %u %s: allocated %" G_GINT64_FORMAT ", estimated %" G_GINT64_FORMAT " (%+.2f %%):%s", lane,
    model, batch, optimizer == LS_OPTIMIZER_ADAM ? "adam" : "sgd", ls_step_memory_sum (has),
    ls_step_memory_sum (need),
    100. * ((double) ls_step_memory_sum (need) / (double) ls_step_memory_sum (has) - 1), line->str);
}

/* The sum, and each part as a share of the sum, so that no part hides what another lacks. */
static void
assert_near (const LsStepMemory *need, const LsStepMemory *has)
{
  const double sum = (double) ls_step_memory_sum (has), most = MOST_PERCENT / 100;

  if (fabs ((double) ls_step_memory_sum (need) / sum - 1) > most)
    g_error ("%" G_GINT64_FORMAT " bytes were estimated, and %.0f allocated", ls_step_memory_sum (need), sum);
  for (guint i = 0; i < LS_MEMORY_N; i++)
    if (fabs ((double) (need->bytes[i] - has->bytes[i])) > most * sum)
      g_error ("%s: %" G_GINT64_FORMAT " bytes were estimated, and %" G_GINT64_FORMAT " allocated",
               ls_memory_part_names[i], need->bytes[i], has->bytes[i]);
}

/* Buffers of OpenCL are as large as what they hold; the convolutions' scratch depends a little on how wide
 * the device's vectors are. An arena's tensors begin at lines of its cache, so that more is allocated. */
static void
assert_same (const LsStepMemory *need, const LsStepMemory *has)
{
  for (guint i = 0; i < LS_MEMORY_N; i++)
    if (i != LS_MEMORY_WORKSPACE)
      g_assert_cmpint (need->bytes[i], ==, has->bytes[i]);
  if (fabs ((double) need->bytes[LS_MEMORY_WORKSPACE] / (double) has->bytes[LS_MEMORY_WORKSPACE] - 1) > .12)
    g_error ("workspace: %" G_GINT64_FORMAT " bytes were estimated, and %" G_GINT64_FORMAT " allocated",
             need->bytes[LS_MEMORY_WORKSPACE], has->bytes[LS_MEMORY_WORKSPACE]);
}

/* A lane that has taken the plan on, and what the plan says it takes. */
static void
compare_plan (const LsBackend *backend, gpointer lane, const char *model, guint batch, LsOptimizer optimizer,
              LsPrecision precision)
{
  g_autoptr (LsPlan) plain = plan_of (model, batch, optimizer),
                     plan = ls_plan_with_precision (plain, precision);
  g_autoptr (LsData) set = samples ();
  g_autoptr (GError) error = NULL;
  LsStepMemory need, has;

  g_assert_true (backend->prepare (lane, plan, set, &error));
  g_assert_no_error (error);
  backend->memory->allocated (lane, &has);
  ls_plan_memory (plan, set, backend->memory->workspace (lane, plan), &need);
  print (backend->title, model, batch, optimizer, &need, &has);
  assert_near (&need, &has);
  if (backend == &ls_backend_opencl_here)
    assert_same (&need, &has);
}

static void
compare (gconstpointer data)
{
  static const guint batches[] = { 16, 128, 1024 };
  const LsBackend *backend = data;
  gpointer lane = open_lane (backend);

  if (lane == NULL)
    return;
  for (guint m = 0; m < 2; m++)
    for (guint b = 0; b < G_N_ELEMENTS (batches); b++)
      for (guint o = 0; o < 2; o++)
        compare_plan (backend, lane, m == 0 ? "mlp" : "cnn", batches[b],
                      o == 0 ? LS_OPTIMIZER_SGD : LS_OPTIMIZER_ADAM, LS_PRECISION_FP32);
  compare_plan (backend, lane, "lstm", 32, LS_OPTIMIZER_ADAM, LS_PRECISION_FP32); /* of many views */
  compare_plan (backend, lane, "cnn", 128, LS_OPTIMIZER_SGD, LS_PRECISION_BF16);
  compare_plan (backend, lane, "lstm", 32, LS_OPTIMIZER_SGD, LS_PRECISION_BF16);
  backend->close (lane);
}

/* ---- what the estimate says, by hand ---- */

static void
need_of (LsPlan *plan, const LsData *set, LsStepMemory *need)
{
  ls_plan_memory (plan, set, 0, need);
}

static void
test_by_hand (void)
{
  /* The preset: 784 → 256 → 128 → 10, a weight for each pair and a bias for each output. */
  const gint64 biases = 256 + 128 + 10, weights = 784 * 256 + 256 * 128 + 128 * 10, p = weights + biases;
  g_autoptr (LsData) set = samples ();
  g_autoptr (LsPlan) sgd = plan_of ("mlp", 100, LS_OPTIMIZER_SGD),
                     adam = plan_of ("mlp", 100, LS_OPTIMIZER_ADAM),
                     twice = plan_of ("mlp", 200, LS_OPTIMIZER_SGD);
  g_autoptr (LsPlan) narrow = ls_plan_with_precision (sgd, LS_PRECISION_BF16);
  LsStepMemory of_sgd, of_adam, of_twice, of_narrow;

  need_of (sgd, set, &of_sgd);
  need_of (adam, NULL, &of_adam);
  need_of (twice, NULL, &of_twice);
  need_of (narrow, NULL, &of_narrow);
  g_assert_cmpint (of_sgd.bytes[LS_MEMORY_WEIGHTS], ==, 4 * p);
  g_assert_cmpint (of_sgd.bytes[LS_MEMORY_GRADIENTS], ==, 4 * p);
  g_assert_cmpint (of_sgd.bytes[LS_MEMORY_STATES], ==, 4 * p);
  g_assert_cmpint (of_adam.bytes[LS_MEMORY_STATES], ==, 8 * p);
  g_assert_cmpint (of_sgd.bytes[LS_MEMORY_DATA], ==, (200 + 237) * (784 + 4));
  g_assert_cmpint (of_adam.bytes[LS_MEMORY_DATA], ==, 0);
  /* All but the mean loss, of a sample each. */
  g_assert_cmpint (of_twice.bytes[LS_MEMORY_ACTIVATIONS], ==, 2 * of_sgd.bytes[LS_MEMORY_ACTIVATIONS] - 4);
  g_assert_cmpint (of_twice.bytes[LS_MEMORY_WEIGHTS], ==, of_sgd.bytes[LS_MEMORY_WEIGHTS]);
  /* The matrices have copies in 16 bits; biases don't. */
  g_assert_cmpint (of_narrow.bytes[LS_MEMORY_WEIGHTS], ==, 4 * p + 2 * weights);
  g_assert_cmpint (of_narrow.bytes[LS_MEMORY_STATES], ==, 4 * p);
  g_assert_cmpint (of_narrow.bytes[LS_MEMORY_ACTIVATIONS], <, of_sgd.bytes[LS_MEMORY_ACTIVATIONS]);
}

/* VGG-16 as torchvision has it, of an image of 224×224. */
static LsPlan *
vgg_16 (void)
{
  static const guint channels[] = { 64, 64,  0,   128, 128, 0,   256, 256, 256,
                                    0,  512, 512, 512, 0,   512, 512, 512, 0 };
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = NULL;
  LsPlan *plan;

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    if (channels[i] > 0)
      g_string_append_printf (words, "conv %u 3 pad 1, relu, ", channels[i]);
    else
      g_string_append (words, "maxpool 2, ");
  for (guint i = 0; i < 2; i++)
    g_string_append (words,
                     i == 0 ? "flatten, dense 4096, relu, dropout 0.5, " : "dense 4096, relu, dropout 0.5, ");
  g_string_append (words, "dense 1000");
  model = ls_model_parse (words->str, &error);
  g_assert_no_error (error);
  plan = ls_plan_new (model, (const gint64[]){ 3, 224, 224 }, 1000, 1, LS_OPTIMIZER_ADAM, &error);
  g_assert_no_error (error);
  return plan;
}

/* What others publish. MB there are MiB, and activations each layer's output, twice: as many bytes for its
 * gradient. https://github.com/sksq96/pytorch-summary: “Total params: 138,357,544”, “Forward/backward pass
 * size (MB): 218.59”, “Params size (MB): 527.79”; this program keeps more: products before their bias,
 * masks, positions of maxima. And of 7 B parameters in fp32, themselves “28 GB”, “Gradients” “28 GB”,
 * “Optimizer states (Adam)” “56 GB”:
 * https://saurabhiit2007.github.io/LLM-Training-Hub/optimization/memory_efficient_optimizers/ (both seen
 * 2026-11-24). */
static void
test_published (void)
{
  g_autoptr (LsPlan) plan = vgg_16 ();
  const double mib = 1024 * 1024, per_weight = 7e9 / 138357544 / 1e9;
  double outputs = 0, deltas = 0, beside = 0;
  LsStepMemory need;

  need_of (plan, NULL, &need);
  for (guint i = 0; i < plan->n_tensors; i++)
    {
      const LsTensor *t = &plan->tensors[i];
      const double bytes = t->is_view ? 0 : (double) ls_tensor_bytes (t);

      if (t->role == LS_ROLE_DELTA)
        deltas += bytes;
      else if (t->role == LS_ROLE_ACTIVATION
               && ((t->name[0] == 'h' && strchr (t->name, '.') == NULL) || strcmp (t->name, "logits") == 0))
        outputs += bytes;
      else if (ls_memory_part_of (t->role) == LS_MEMORY_ACTIVATIONS)
        beside += bytes;
    }
  g_test_message ("VGG-16: weights %.2f MiB, outputs %.2f MiB, their gradients %.2f MiB, beside %.2f MiB",
                  (double) need.bytes[LS_MEMORY_WEIGHTS] / mib, outputs / mib, deltas / mib, beside / mib);
  g_assert_cmpint (need.bytes[LS_MEMORY_WEIGHTS], ==, 4 * 138357544);
  g_assert_cmpfloat_with_epsilon ((double) need.bytes[LS_MEMORY_WEIGHTS] / mib, 527.79, .005);
  g_assert_cmpfloat_with_epsilon ((outputs + deltas) / mib, 218.59, .005);
  g_assert_cmpint ((gint64) (outputs + deltas + beside), ==, need.bytes[LS_MEMORY_ACTIVATIONS]);
  g_assert_cmpfloat_with_epsilon ((double) need.bytes[LS_MEMORY_WEIGHTS] * per_weight, 28, 1e-9);
  g_assert_cmpfloat_with_epsilon ((double) need.bytes[LS_MEMORY_GRADIENTS] * per_weight, 28, 1e-9);
  g_assert_cmpfloat_with_epsilon ((double) need.bytes[LS_MEMORY_STATES] * per_weight, 56, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_cl_environment_setup ();
  g_test_add_func ("/step-memory/by-hand", test_by_hand);
  g_test_add_func ("/step-memory/published", test_published);
  g_test_add_data_func ("/step-memory/cpu", &ls_backend_cpu, compare);
  g_test_add_data_func ("/step-memory/opencl", &ls_backend_opencl_here, compare);
  return g_test_run ();
}
