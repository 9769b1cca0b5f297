/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a kernel can do beside its own op: in its epilogue, with the values on their way to memory; and joined
 * to it, in the same launch, small ops that would take less time than a launch of their own. One row each.
 */
#include "backends/opencl/kernels/kernels.h"

/* ---- epilogues ---- */

typedef struct {
  const char *op, *define;
  guint stage;      /* bias before activation before gradient before update: the order of epilogue.clh */
  gboolean operand; /* reads LS_CL_ARG_EPILOGUE */
} Epilogue;

#define UPDATE_STAGE 3

static const Epilogue epilogues[] = {
  { "bias", "-D EPILOGUE_BIAS=1", 0, TRUE },
  { "relu", "-D EPILOGUE_RELU=1", 1, FALSE },
  { "tanh", "-D EPILOGUE_TANH=1", 1, FALSE },
  { "sigmoid", "-D EPILOGUE_SIGMOID=1", 1, FALSE },
  { "relu_grad", "-D EPILOGUE_RELU_GRAD=1", 2, TRUE },
  { "tanh_grad", "-D EPILOGUE_TANH_GRAD=1", 2, TRUE },
  { "sigmoid_grad", "-D EPILOGUE_SIGMOID_GRAD=1", 2, TRUE },
  { "sgd", "-D EPILOGUE_SGD=1", UPDATE_STAGE, FALSE },
};

static const Epilogue *
find_epilogue (const char *op)
{
  for (guint i = 0; i < G_N_ELEMENTS (epilogues); i++)
    if (g_str_equal (epilogues[i].op, op))
      return &epilogues[i];
  return NULL;
}

char *
ls_cl_kernel_epilogue (const LsClKernel *kernel, const LsPlan *plan, const guint *followers, guint n)
{
  g_autoptr (GString) macros = g_string_new (NULL);
  guint stage = 0, operands = 0;

  for (guint i = 0; i < n; i++)
    {
      const LsOp *op = &plan->ops[followers[i]];
      const Epilogue *epilogue = find_epilogue (op->klass->name);

      if (epilogue == NULL || epilogue->stage < stage
          || !(epilogue->stage == UPDATE_STAGE ? kernel->update : kernel->epilogue))
        return NULL;
      operands += epilogue->operand ? 1 : 0;
      /* Of a product, a column is a channel only where the output is a matrix. */
      if (operands > 1
          || (epilogue->stage == 0 && g_str_equal (kernel->op, "matmul")
              && plan->tensors[op->out[0]].rank != 2))
        return NULL;
      stage = epilogue->stage + 1;
      g_string_append_printf (macros, "%s%s", macros->len > 0 ? " " : "", epilogue->define);
    }
  return g_string_free (g_steal_pointer (&macros), FALSE);
}

/* ---- joins ---- */

/* In the order of the kernels' arguments. */
static const LsClJoin joins[] = {
  { "matmul", "bias_grad", "-D JOIN_BIAS_GRAD=1", ls_cl_joins_bias_grad, FALSE },
  { "softmax_xent", "mean", "-D JOIN_MEAN=1", ls_cl_joins_mean, TRUE },
  { "softmax_xent", "softmax_xent_grad", "-D JOIN_GRAD=1", ls_cl_joins_softmax_grad, FALSE },
};

const LsClJoin *
ls_cl_kernel_join (const LsClKernel *kernel, const LsPlan *plan, const LsOp *op, const LsOp *other)
{
  for (guint i = 0; kernel->joins && g_str_equal (kernel->op, op->klass->name) && i < G_N_ELEMENTS (joins);
       i++)
    if (g_str_equal (joins[i].op, op->klass->name) && g_str_equal (joins[i].other, other->klass->name)
        && joins[i].fits (op, other, plan))
      return &joins[i];
  return NULL;
}
