/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models: the input is a line as --model takes it. What is accepted is said again, and planned for samples of
 * some shapes.
 */
#include "fuzz.h"

#include "model/plan.h"

static void
check_plan (const LsModel *model, const gint64 in_shape[3], gint n_classes, guint batch,
            LsOptimizer optimizer)
{
  g_autoptr (GError) error = NULL, why = NULL;
  g_autoptr (LsPlan) plan = ls_plan_new (model, in_shape, n_classes, batch, optimizer, &error);
  gint64 shapes[64][3];
  const guint fit = ls_plan_shapes (model, in_shape, shapes, &why);

  fuzz_check_answer (plan != NULL, error);
  fuzz_check_answer (fit == model->n_layers, why);
  fuzz_check (fit <= model->n_layers, "%u layers of %u fit", fit, model->n_layers);
  if (plan == NULL)
    return;
  fuzz_check (fit == model->n_layers, "a plan of layers that don't fit: %s", model->text);
  fuzz_check (plan->n_ops > 0 && plan->flops > 0 && plan->bytes > 0, "a plan without work");
  /* a preset has as many classes as the data */
  fuzz_check (ls_plan_shapes (plan->model, in_shape, shapes, NULL) == fit, "%s is planned otherwise",
              model->text);
  fuzz_check (shapes[fit - 1][0] == n_classes, "a plan whose last layer has another number of classes");
  for (guint i = 0; i < plan->n_tensors; i++)
    fuzz_check (ls_tensor_count (&plan->tensors[i]) > 0, "tensor %s is empty", plan->tensors[i].name);
}

static void
check_layers (const LsModel *a, const LsModel *b)
{
  fuzz_check (a->n_layers == b->n_layers, "%u layers came back as %u", a->n_layers, b->n_layers);
  for (guint i = 0; i < a->n_layers; i++)
    {
      const LsLayer *x = &a->layers[i], *y = &b->layers[i];

      fuzz_check (x->kind == y->kind && x->n == y->n && x->kernel == y->kernel && x->stride == y->stride
                    && x->pad == y->pad,
                  "layer %u of “%s” came back as another", i + 1, a->text);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const gint64 in_shapes[][3] = { { 1, 28, 28 }, { 3, 8, 7 }, { 1, 1, 2 } };
  g_autofree char *text = fuzz_text (data, size), *layers = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error), again = NULL;

  fuzz_check_answer (model != NULL, error);
  if (model == NULL)
    return 0;
  fuzz_check (model->n_layers >= 1 && model->n_layers <= 64, "%u layers", model->n_layers);
  fuzz_check_words ("the model", model->text);
  again = ls_model_parse (model->text, &error);
  fuzz_check (again != NULL, "“%s” isn't understood again: %s", model->text,
              error != NULL ? error->message : "");
  fuzz_check_same ("the model", model->text, again->text);
  check_layers (model, again);
  layers = ls_layers_text (model->layers, model->n_layers);
  g_clear_pointer (&again, ls_model_free);
  again = ls_model_parse (layers, NULL);
  fuzz_check (again != NULL, "its layers “%s” aren't understood", layers);
  fuzz_check_same ("its layers", model->text, again->text);
  for (guint i = 0; i < G_N_ELEMENTS (in_shapes); i++)
    check_plan (model, in_shapes[i], i == 2 ? 2 : 10, i == 1 ? 1 : 64,
                i % 2 ? LS_OPTIMIZER_ADAM : LS_OPTIMIZER_SGD);
  return 0;
}
