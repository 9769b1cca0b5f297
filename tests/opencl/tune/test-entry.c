/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tuner finds out, without a device: how it is kept and comes back, for which shapes it holds, when
 * a lane uses it, and what is to be tuned.
 */
#include "config.h"
#include "backends/opencl/tune/tune_job.h"
#include "backends/opencl/tune/tune_task.h"

#include <string.h>

#include "core/error.h"
#include "product.h"

static LsPlan *
plan_of (const char *text, const gint64 shape[3], guint batch, LsOptimizer optimizer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);
  LsPlan *plan = ls_plan_new (model, shape, 10, batch, optimizer, &error);

  g_assert_no_error (error);
  return plan;
}

/* ---- kept ---- */

static LsFigure
figure_of (double value)
{
  return (LsFigure){ .value = value,
                     .q1 = value - .25,
                     .q3 = value + .5,
                     .n = 11,
                     .unit = "µs",
                     .evidence = LS_EVIDENCE_MEASURED };
}

/* Each text and number is another one. */
static LsTunedEntry *
entry_new (void)
{
  LsTunedEntry *e = g_new0 (LsTunedEntry, 1);

  e->platform = g_strdup ("a platform");
  e->device = g_strdup ("a device");
  e->driver = g_strdup ("a driver");
  e->op = g_strdup ("matmul");
  e->shape = g_strdup ("nt 16×8×2");
  e->source = g_strdup ("cafe");
  e->rung = g_strdup ("packed");
  e->words = g_strdup ("packed VEC=8");
  e->shipped_words = g_strdup ("packed VEC=16");
  e->example = g_strdup ("16×8×2 A·Bᵀ");
  e->date = g_strdup ("2026-11-21T10:00:00+00:00");
  e->n_params = 2;
  e->params[0].name = g_strdup ("VEC");
  e->params[0].value = 8;
  e->params[1].name = g_strdup ("GROUP_ROWS");
  e->params[1].value = -32;
  e->us = figure_of (1.5);
  e->shipped_us = figure_of (3);
  e->tried = 7;
  e->refused = 2;
  return e;
}

static void
assert_same_figure (const LsFigure *a, const LsFigure *b)
{
  g_assert_cmpfloat (a->value, ==, b->value);
  g_assert_cmpfloat (a->q1, ==, b->q1);
  g_assert_cmpfloat (a->q3, ==, b->q3);
  g_assert_cmpuint (a->n, ==, b->n);
  g_assert_cmpstr (a->unit, ==, b->unit);
}

static void
assert_same_entry (const LsTunedEntry *a, const LsTunedEntry *b)
{
  g_assert_cmpstr (a->platform, ==, b->platform);
  g_assert_cmpstr (a->device, ==, b->device);
  g_assert_cmpstr (a->driver, ==, b->driver);
  g_assert_cmpstr (a->op, ==, b->op);
  g_assert_cmpstr (a->shape, ==, b->shape);
  g_assert_cmpstr (a->source, ==, b->source);
  g_assert_cmpstr (a->rung, ==, b->rung);
  g_assert_cmpstr (a->words, ==, b->words);
  g_assert_cmpstr (a->shipped_words, ==, b->shipped_words);
  g_assert_cmpstr (a->example, ==, b->example);
  g_assert_cmpstr (a->date, ==, b->date);
  g_assert_cmpuint (a->n_params, ==, b->n_params);
  for (guint i = 0; i < a->n_params; i++)
    {
      g_assert_cmpstr (a->params[i].name, ==, b->params[i].name);
      g_assert_cmpint (a->params[i].value, ==, b->params[i].value);
    }
  assert_same_figure (&a->us, &b->us);
  assert_same_figure (&a->shipped_us, &b->shipped_us);
  g_assert_cmpint (a->tried, ==, b->tried);
  g_assert_cmpint (a->refused, ==, b->refused);
}

static void
test_entry (void)
{
  g_autoptr (LsTunedEntry) entry = entry_new (), copy = ls_tuned_entry_copy (entry), got = NULL;
  g_autoptr (GError) error = NULL;
  json_t *json = ls_tuned_entry_to_json (entry);
  const char *key;
  json_t *value;

  assert_same_entry (copy, entry);
  got = ls_tuned_entry_from_json (json, &error);
  g_assert_no_error (error);
  assert_same_entry (got, entry);
  /* nothing of it can be missing */
  json_object_foreach (json, key, value)
    {
      json_t *less = json_copy (json);
      g_autoptr (GError) cause = NULL;
      json_object_del (less, key);
      g_assert_null (ls_tuned_entry_from_json (less, &cause));
      g_assert_error (cause, LS_ERROR, LS_ERROR_DATA);
      if (strstr (cause->message, key) == NULL)
        g_error ("that “%s” is missing is said as “%s”", key, cause->message);
      json_decref (less);
    }
  /* nor be more than there is room for */
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("P%u", i);
      g_autoptr (LsTunedEntry) full = NULL;
      json_t *params = json_object_get (json, "params");
      while (json_object_size (params) < LS_TUNED_MAX_PARAMS + i)
        {
          g_autofree char *next = g_strdup_printf ("%s%zu", name, json_object_size (params));
          json_object_set_new (params, next, json_integer (1));
        }
      full = ls_tuned_entry_from_json (json, &error);
      g_assert_cmpint (full != NULL, ==, i == 0);
      if (i == 1)
        g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
    }
  json_decref (json);
}

/* ---- for which shapes ---- */

/* What changes how memory is walked through stays as it is; sizes go to the nearest power of two, by their
 * logarithm: 11 is nearer to 8, and 12 to 16. */
static void
test_shapes (void)
{
  static const struct {
    gint64 m, n, k;
    gboolean ta, tb;
    const char *shape, *example;
  } products[] = {
    { 1, 2, 3, FALSE, FALSE, "nn 1×2×4", "1×2×3 A·B" },
    { 5, 6, 11, TRUE, FALSE, "tn 4×8×8", "5×6×11 Aᵀ·B" },
    { 12, 22, 23, FALSE, TRUE, "nt 16×16×32", "12×22×23 A·Bᵀ" },
    { 128, 256, 784, FALSE, TRUE, "nt 128×256×1024", "128×256×784 A·Bᵀ" },
    { 90, 91, 100, TRUE, TRUE, "tt 64×128×128", "90×91×100 Aᵀ·Bᵀ" },
  };
  const gint64 image[3] = { 3, 10, 12 };
  g_autoptr (LsPlan) plan = plan_of ("conv 5 3 stride 2 pad 1, relu, flatten, dense 10", image, 6,
                                     LS_OPTIMIZER_SGD);

  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    {
      g_autoptr (LsPlan) single = product (products[i].m, products[i].n, products[i].k, products[i].ta,
                                           products[i].tb);
      g_autofree char *shape = ls_tuned_shape (single->ops, single),
                      *example = ls_tuned_example (single->ops, single);
      g_assert_cmpstr (shape, ==, products[i].shape);
      g_assert_cmpstr (example, ==, products[i].example);
    }
  for (guint i = 0; i < plan->n_ops; i++)
    {
      g_autofree char *shape = ls_tuned_shape (&plan->ops[i], plan),
                      *example = ls_tuned_example (&plan->ops[i], plan);
      if (plan->ops[i].klass == &ls_op_conv2d) /* 5 channels; 6 images of 5×6 windows; 27 products */
        {
          g_assert_cmpstr (shape, ==, "k3 s2 p1 4×128×32");
          g_assert_nonnull (strstr (example, " → "));
        }
      if (plan->ops[i].klass == &ls_op_relu)
        g_assert_cmpstr (shape, ==, "8×4×4×8 → 8×4×4×8");
      if (plan->ops[i].klass == &ls_op_gather) /* has outputs alone */
        g_assert_cmpstr (shape, ==, "8×4×8×16");
    }
}

/* ---- what is tuned ---- */

static guint
tasks_of (const GPtrArray *tasks, const char *op)
{
  guint n = 0;

  for (guint i = 0; i < tasks->len; i++)
    n += g_str_equal (((const LsTuneTask *) tasks->pdata[i])->plan->ops[0].klass->name, op);
  return n;
}

/* Each op once for each class of shapes, however many plans have it, on the shape that came first. */
static void
test_tasks (void)
{
  const gint64 shape[3] = { 1, 4, 4 };
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 16, relu, dense 16, relu, dense 10", shape, 32,
                                     LS_OPTIMIZER_SGD);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tune_task_free);
  guint before;

  ls_tune_task_add (tasks, plan);
  /* of the last layer and of those before it, which are alike: Z, dX and dW */
  g_assert_cmpuint (tasks_of (tasks, "matmul"), ==, 6);
  g_assert_cmpuint (tasks_of (tasks, "relu"), ==, 1);
  g_assert_cmpuint (tasks_of (tasks, "gather"), ==, 1);
  g_assert_cmpuint (tasks_of (tasks, "sgd"), ==, 4); /* of two weights and two biases */
  before = tasks->len;
  ls_tune_task_add (tasks, plan);
  g_assert_cmpuint (tasks->len, ==, before);
  for (guint i = 0; i < tasks->len; i++)
    {
      const LsTuneTask *task = tasks->pdata[i];
      const LsOp *op = &task->plan->ops[0];
      g_autofree char *own = ls_tuned_shape (op, task->plan);

      g_assert_cmpuint (task->plan->n_ops, ==, 1);
      g_assert_cmpstr (task->shape, ==, own);
      g_assert_cmpint (task->data != NULL, ==, op->klass == &ls_op_gather);
      /* about the time of a slow core: a hundred operations, or ten bytes, a nanosecond */
      g_assert_cmpfloat_with_epsilon (task->cost, (double) op->flops / 100 + (double) op->bytes / 10,
                                      .02 * task->cost);
    }
}

static void
test_words (void)
{
  guint n;
  const LsClKernel *rows = ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    {
      LsTuneCandidate candidate = { .row = &rows[i], .values = { 21, 22, 23, 24, 25 } };
      ls_tune_words (&candidate);
      if (!g_str_equal (rows[i].op, "matmul"))
        continue;
      g_assert_cmpstr (candidate.words, ==,
                       g_str_equal (rows[i].rung, "naive")      ? "naive"
                       : g_str_equal (rows[i].rung, "tiled")    ? "tiled TILE=21"
                       : g_str_equal (rows[i].rung, "register") ? "register TILE_M=21 TILE_N=22 TILE_K=23 "
                                                                  "ITEM_M=24 ITEM_N=25"
                                                                : "packed VEC=21 GROUP_ROWS=22");
    }
}

static void
test_job (void)
{
  g_autoptr (LsTuneJob) job = g_new0 (LsTuneJob, 1), got = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  job->device = 3;
  job->first = 17;
  job->wish.seconds = 90;
  job->wish.n_plans = 2;
  job->wish.plans[0] = (LsTunePlan){ g_strdup ("dense 10"), { 1, 28, 29 }, 10, 128, LS_OPTIMIZER_ADAM };
  job->wish.plans[1] = (LsTunePlan){ g_strdup ("mlp"), { 3, 32, 33 }, 100, 64, LS_OPTIMIZER_SGD };
  job->skip = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (job->skip, g_strdup ("one"));
  g_ptr_array_add (job->skip, g_strdup ("two “½”"));
  text = ls_tune_job_to_text (job);
  got = ls_tune_job_from_text (text, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (got->device, ==, 3);
  g_assert_cmpuint (got->first, ==, 17);
  g_assert_cmpuint (got->wish.seconds, ==, 90);
  g_assert_cmpuint (got->skip->len, ==, 2);
  g_assert_cmpstr (got->skip->pdata[1], ==, "two “½”");
  g_assert_cmpuint (got->wish.n_plans, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const LsTunePlan *a = &job->wish.plans[i], *b = &got->wish.plans[i];
      g_assert_cmpstr (a->model, ==, b->model);
      g_assert_cmpmem (a->shape, sizeof a->shape, b->shape, sizeof b->shape);
      g_assert_cmpint (a->n_classes, ==, b->n_classes);
      g_assert_cmpuint (a->batch, ==, b->batch);
      g_assert_cmpint (a->optimizer, ==, b->optimizer);
    }
}

/* A child does nothing of a job that it can't do as it was told. */
static void
test_no_job (void)
{
  static const char job[] = "{\"device\": %d, \"seconds\": %d, \"first\": %d, \"skip\": [], \"plans\": [%s]}",
                    plan[]
                    = "{\"model\": \"dense 10\", \"shape\": [1, 28, 29], \"classes\": 10, \"batch\": 128, "
                      "\"optimizer\": 0}";
  static const struct {
    int device, seconds, first;
    const char *plan, *what; /* NULL: it is taken */
  } rows[] = {
    { 0, 1, 0, plan, NULL },         { 1023, 3600, 7, plan, NULL }, { -1, 90, 0, plan, "device" },
    { 1024, 90, 0, plan, "device" }, { 0, 0, 0, plan, "seconds" },  { 0, -5, 0, plan, "seconds" },
    { 0, 3601, 0, plan, "seconds" }, { 0, 90, -1, plan, "first" },  { 0, 90, 0, "", "plans" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strdup_printf (job, rows[i].device, rows[i].seconds, rows[i].first,
                                               rows[i].plan);
      g_autoptr (LsTuneJob) got = ls_tune_job_from_text (text, &error);

      if ((got != NULL) != (rows[i].what == NULL))
        g_error ("%s is %s: %s", text, got != NULL ? "taken" : "refused",
                 error != NULL ? error->message : "");
      if (rows[i].what != NULL)
        g_assert_nonnull (strstr (error->message, rows[i].what));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/entry/kept", test_entry);
  g_test_add_func ("/entry/shapes", test_shapes);
  g_test_add_func ("/entry/tasks", test_tasks);
  g_test_add_func ("/entry/words", test_words);
  g_test_add_func ("/entry/job", test_job);
  g_test_add_func ("/entry/no-job", test_no_job);
  return g_test_run ();
}
