/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published examples of what training takes in memory, counted as everything else here is: from the tensors
 * of a plan.
 */
#include "config.h"
#include "machines/fit.h"

#include <glib/gi18n-lib.h>

/* ResNet-50 but for its additions, activations and norms, each of which makes as much as it is given: the
 * convolutions one after the other, with the stride in that of 3×3. */
#define BLOCK(n, wide, more) "conv " n " 1, conv " n " 3 " more "pad 1, conv " wide " 1, "
#define RESNET                                                                                               \
  "conv 64 7 stride 2 pad 3, maxpool 2, " BLOCK ("64", "256", "") BLOCK ("64", "256", "")                    \
    BLOCK ("64", "256", "") BLOCK ("128", "512", "stride 2 ") BLOCK ("128", "512", "")                       \
      BLOCK ("128", "512", "") BLOCK ("128", "512", "") BLOCK ("256", "1024", "stride 2 ")                   \
        BLOCK ("256", "1024", "") BLOCK ("256", "1024", "") BLOCK ("256", "1024", "")                        \
          BLOCK ("256", "1024", "") BLOCK ("256", "1024", "") BLOCK ("512", "2048", "stride 2 ")             \
            BLOCK ("512", "2048", "") BLOCK ("512", "2048", "") "avgpool 6, flatten, dense 1000"
#define EDGE 176

/* Its shortcuts with a convolution of their own. */
static const struct {
  const char *model;
  gint64 in[3];
} shortcuts[] = {
  { "conv 256 1, flatten, dense 2", { 64, 44, 44 } },
  { "conv 512 1 stride 2, flatten, dense 2", { 256, 44, 44 } },
  { "conv 1024 1 stride 2, flatten, dense 2", { 512, 22, 22 } },
  { "conv 2048 1 stride 2, flatten, dense 2", { 1024, 11, 11 } },
};

static const LsHardwareSource resnet = {
  .id = (char *) "resnet",
  .title = (char *) "Model card for resnet50.tv2_in1k, timm",
  .address = (char *) "https://huggingface.co/timm/resnet50.tv2_in1k/blob/"
                      "f2a8587ea6b4a3a1d84450bcc2561b07952daae2/README.md",
  .seen = (char *) "2026-11-25",
}, seven = {
  .id = (char *) "seven",
  .title = (char *) "Optimizer state memory calculator, ToolJolt",
  .address = (char *) "https://tooljolt.com/tools/optimizer-state-memory-calculator",
  .seen = (char *) "2026-11-25",
};

/* About 7·10⁹ weights, in products of matrices alone. */
#define SEVEN                                                                                                \
  "flatten, dense 32768, dense 32768, dense 32768, dense 32768, dense 32768, dense 32768, dense 16960, "     \
  "dense 10"

static LsPlan *
sketch (const char *text, const gint64 in[3], gint n_classes, LsOptimizer optimizer)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);

  return model != NULL ? ls_plan_new_sketch (model, in, n_classes, 1, optimizer, NULL) : NULL;
}

/* Values that its convolutions make, and where `last` its products, too. */
static double
made (const LsPlan *plan, gboolean last)
{
  double n = 0;

  for (guint i = 0; plan != NULL && i < plan->first_op[LS_PHASE_LOSS]; i++)
    if (plan->ops[i].klass == &ls_op_conv2d || (last && plan->ops[i].klass == &ls_op_matmul))
      n += (double) ls_tensor_count (&plan->tensors[plan->ops[i].out[0]]);
  return n;
}

static double
activations (void)
{
  static const gint64 image[3] = { 3, EDGE, EDGE };
  g_autoptr (LsPlan) whole = sketch (RESNET, image, 1000, LS_OPTIMIZER_SGD);
  double n = made (whole, TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    {
      g_autoptr (LsPlan) one = sketch (shortcuts[i].model, shortcuts[i].in, 2, LS_OPTIMIZER_SGD);
      n += made (one, FALSE);
    }
  return n;
}

static double
states (void)
{
  static const gint64 row[3] = { 1, 1, 32768 };
  g_autoptr (LsPlan) plan = sketch (SEVEN, row, 10, LS_OPTIMIZER_ADAM);
  LsStepMemory memory;

  if (plan == NULL)
    return 0;
  ls_plan_memory (plan, NULL, 0, &memory);
  return (double) memory.bytes[LS_MEMORY_STATES];
}

void
ls_fit_check (LsFitCheck checks[LS_FIT_N_CHECKS])
{
  checks[0] = (LsFitCheck){ N_("ResNet-50’s activations, one image of 176×176"),
                            6.9e6,
                            activations (),
                            N_("values"),
                            &resnet,
                            "Activations (M): 6.9" };
  checks[1] = (LsFitCheck){ N_("Adam’s state for 7·10⁹ weights"),
                            56e9,
                            states (),
                            "B",
                            &seven,
                            "for a 7B model, 56 GB of states against 14 GB of weights" };
}
