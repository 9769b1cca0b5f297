/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights: saved and loaded bit for bit, refused where they don't fit the model, and understood by PyTorch.
 */
#include <math.h>
#include <sys/wait.h>

#include "weights_case.h"

static void
test_round_trip (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSafetensors) file = NULL;
  float **values = make_values (plan), **loaded;
  const LsSafetensorsLimits limits = { 1 << 20, 64, 1 << 24 };

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights.safetensors");
  values[0][1] = -0.0f;
  values[0][2] = 1e-42f; /* denormal */
  save (path, plan, values);
  loaded = ls_weights_load (path, plan, &error);
  g_assert_no_error (error);
  assert_same (plan, values, loaded);
  g_assert_null (loaded[plan->n_params]);

  file = ls_safetensors_open (path, &limits, &error);
  g_assert_cmpuint (file->n_tensors, ==, 6);
  g_assert_cmpstr (g_hash_table_lookup (file->metadata, "lockstep.model"), ==, plan->model->text);
  g_assert_cmpint (ls_safetensors_find (file, "0.weight")->shape[3], ==, 3);
  g_assert_cmpint (ls_safetensors_find (file, "4.weight")->shape[0], ==, 7);
  g_assert_cmpint (ls_safetensors_find (file, "4.weight")->shape[1], ==, 16);
  g_assert_cmpint (ls_safetensors_find (file, "6.bias")->shape[0], ==, 3);
  ls_weights_free (values);
  ls_weights_free (loaded);
}

static void
test_not_finite (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT);
  float **values = make_values (plan);

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights");
  values[2][7] = NAN;
  save (path, plan, values);
  refuse (path, plan, "element 7 of tensor “4.weight” is not a number");
  values[2][7] = 0;
  values[5][2] = -INFINITY;
  save (path, plan, values);
  refuse (path, plan, "element 2 of tensor “6.bias” is infinite");
  values[5][2] = 0;
  /* each tensor's first element as its last one */
  for (guint i = 0; i < plan->n_params; i++)
    for (guint end = 0; end < 2; end++)
      {
        const gint64 at = end * (param_count (plan, i) - 1);
        g_autofree char *words = g_strdup_printf ("element %d of tensor “", (int) at);

        values[i][at] = INFINITY;
        save (path, plan, values);
        refuse (path, plan, words);
        values[i][at] = 0;
      }
  ls_weights_free (values);
}

static void
test_other_model (void)
{
  static const struct {
    const char *text, *words;
  } others[] = {
    { "conv 5 3 pad 1 stride 2, tanh, maxpool 2, flatten, dense 7, relu, dense 3",
      "“0.weight” is 4×2×3×3, but this model needs 5×2×3×3" },
    { "conv 4 5 pad 2 stride 2, tanh, maxpool 2, flatten, dense 7, relu, dense 3",
      "“0.weight” is 4×2×3×3, but this model needs 4×2×5×5" },
    { "conv 4 3 pad 1 stride 2, tanh, maxpool 2, flatten, dense 8, relu, dense 3",
      "“4.weight” is 7×16, but this model needs 8×16" },
    { "conv 4 3 pad 1 stride 2, tanh, maxpool 2, flatten, dense 3", "“4.weight” is 7×16" },
    { "conv 4 3 pad 1 stride 2, tanh, maxpool 2, flatten, relu, dense 7, dense 3",
      "lacks the tensor “5.weight”" },
    { "conv 4 3 pad 1 stride 2, tanh, maxpool 2, flatten, dense 7, relu, dense 3, relu, dense 3",
      "lacks the tensor “8.weight”" },
    { "flatten, dense 3", "lacks the tensor “1.weight”" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT), longer = make_plan (others[5].text);
  float **values = make_values (plan), **more = make_values (longer);

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights");
  save (path, plan, values);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (LsPlan) other = make_plan (others[i].text);

      refuse (path, other, others[i].words);
    }
  save (path, longer, more);
  refuse (path, plan, "holds the tensor “8.weight”, which this model doesn’t have");
  ls_weights_free (values);
  ls_weights_free (more);
}

/* x and the logits that the reference makes of it. */
static void
save_case (const char *path, const LsPlan *plan, float *const *values)
{
  g_autoptr (LsSafetensorsWriter) writer = ls_safetensors_writer_new ();
  const LsTensor *x = &plan->tensors[plan->x], *logits = &plan->tensors[plan->logits];
  const LsSafetensorsLimits limits = { 1 << 20, 64, 1 << 24 };
  g_autoptr (GError) error = NULL;
  LsArena arena;

  g_assert_true (ls_arena_init (&arena, plan->tensors, plan->n_tensors, FALSE, &error));
  for (guint i = 0; i < plan->n_params; i++)
    memcpy (ls_arena_at (&arena, &plan->tensors[plan->params[i].weight]), values[i],
            (gsize) param_count (plan, i) * sizeof (float));
  for (gint64 i = 0; i < ls_tensor_count (x); i++)
    ((float *) ls_arena_at (&arena, x))[i] = (float) ls_rng_uniform (5, LS_STREAM_TEST, 9, (guint64) i);
  for (guint i = plan->first_op[LS_PHASE_FORWARD]; i < plan->first_op[LS_PHASE_LOSS]; i++)
    {
      LsOpCall call;

      ls_plan_call (plan, &arena, i, &call);
      call.op->klass->ref_f32 (&call);
    }
  ls_safetensors_writer_add (writer, "x", LS_ST_F32, x->rank, x->shape, ls_arena_at (&arena, x));
  ls_safetensors_writer_add (writer, "logits", LS_ST_F32, logits->rank, logits->shape,
                             ls_arena_at (&arena, logits));
  g_assert_true (ls_safetensors_writer_save (writer, path, &limits, &error));
  ls_arena_clear (&arena);
}

static void
test_torch (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *inputs = NULL, *back = NULL, *script = NULL, *output = NULL, *errors = NULL;
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT);
  g_autoptr (GError) error = NULL;
  float **values = make_values (plan), **loaded;
  char *halves[2];
  int status;

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights.safetensors");
  inputs = temp_path (&dir, "case.safetensors");
  back = temp_path (&dir, "back.safetensors");
  script = g_test_build_filename (G_TEST_DIST, "files", "torch_weights.py", NULL);
  save (path, plan, values);
  for (guint k = 0; k < 2; k++)
    {
      halves[k] = temp_path (&dir, k == 0 ? "fp16.safetensors" : "bf16.safetensors");
      g_assert_true (ls_weights_save (halves[k], plan, (const float *const *) values,
                                      k == 0 ? LS_PRECISION_FP16 : LS_PRECISION_BF16, &error));
    }
  save_case (inputs, plan, values);
  g_spawn_sync (
    NULL, (char *[]){ (char *) "/usr/bin/python3", script, path, inputs, back, halves[0], halves[1], NULL },
    NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, &errors, &status, &error);
  g_free (halves[0]);
  g_free (halves[1]);
  if (error != NULL || (WIFEXITED (status) && WEXITSTATUS (status) == 77))
    {
      g_test_skip ("python3 with PyTorch isn’t there");
      ls_weights_free (values);
      return;
    }
  g_test_message ("%s%s", output, errors);
  g_assert_cmpint (status, ==, 0);
  loaded = ls_weights_load (back, plan, &error);
  g_assert_no_error (error);
  assert_same (plan, values, loaded);
  ls_weights_free (values);
  ls_weights_free (loaded);
}

/* As many layers as a model may have, each with all that a layer may: saved, and read back. */
static void
test_most_layers (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (LsPlan) plan = NULL;
  g_autofree char *path = NULL;
  float **values, **loaded;

  for (guint i = 0; i < LS_MODEL_MAX_LAYERS - 2; i++)
    g_string_append (text, "lstm 2 all, ");
  g_string_append (text, "flatten, dense 3");
  plan = make_plan (text->str);
  g_assert_cmpuint (plan->n_params, ==, LS_PLAN_MAX_PARAMS - 6);
  temp_dir_init (&dir);
  path = temp_path (&dir, "weights");
  values = make_values (plan);
  g_assert_true (ls_weights_check (path, plan, LS_PRECISION_FP32, &error));
  save (path, plan, values);
  loaded = ls_weights_load (path, plan, &error);
  g_assert_no_error (error);
  assert_same (plan, values, loaded);
  ls_weights_free (values);
  ls_weights_free (loaded);
}

/* No kind of layer has more parameters than LS_PLAN_MAX_PARAMS is made of. */
static void
test_params_of_layers (void)
{
  guint n;
  const LsLayerClass *classes = ls_layer_classes (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf (
        "%s%s%s%s%s, flatten, dense 3", classes[i].word, classes[i].n ? " 4" : "",
        classes[i].kernel ? " 2" : "", classes[i].share ? " 0.5" : "", classes[i].bracket ? "(relu)" : "");
      g_autofree char *flat = g_strdup_printf ("flatten, %s 4, dense 3", classes[i].word);
      g_autoptr (LsPlan) plan = make_plan (strcmp (classes[i].word, "dense") == 0     ? flat
                                           : strcmp (classes[i].word, "flatten") == 0 ? "flatten, dense 3"
                                                                                      : text);
      g_assert_cmpuint (plan->n_params, <=, 2 + LS_PLAN_MAX_PARAMS / LS_MODEL_MAX_LAYERS);
    }
}

/* What is too large to be read back is known from the plan. */
static void
test_too_large (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPlan) plan = make_plan ("flatten, dense 65536, dense 1024, dense 3");

  g_assert_false (ls_weights_check ("/tmp/of many", plan, LS_PRECISION_FP32, &error));
  assert_refused (&error, LS_ERROR_DATA,
                  "6 tensors are more than can be read back; at most 268435456 bytes and 256 tensors are");
}

static void
test_finite (void)
{
  g_autoptr (LsPlan) plan = make_plan (MODEL_TEXT);
  float **values = make_values (plan);
  const guint last = plan->n_params - 1;
  float *end = &values[last][param_count (plan, last) - 1];

  g_assert_true (ls_weights_finite (plan, (const float *const *) values));
  *end = INFINITY;
  g_assert_false (ls_weights_finite (plan, (const float *const *) values));
  *end = 1;
  values[0][0] = NAN;
  g_assert_false (ls_weights_finite (plan, (const float *const *) values));
  ls_weights_free (values);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/weights/round-trip", test_round_trip);
  g_test_add_func ("/weights/not-finite", test_not_finite);
  g_test_add_func ("/weights/other-model", test_other_model);
  g_test_add_func ("/weights/most-layers", test_most_layers);
  g_test_add_func ("/weights/params-of-layers", test_params_of_layers);
  g_test_add_func ("/weights/too-large", test_too_large);
  g_test_add_func ("/weights/finite", test_finite);
  g_test_add_func ("/weights/torch", test_torch);
  return g_test_run ();
}
