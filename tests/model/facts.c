/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of plans: see facts.h.
 */
#include "facts.h"

#include "core/error.h"

const LsTensor *
facts_find (const LsPlan *plan, const char *name)
{
  const LsTensor *t = ls_plan_find_tensor (plan, name);

  if (t == NULL)
    g_error ("no tensor “%s”", name);
  return t;
}

void
facts_tensor (const LsPlan *plan, const char *name, const char *symbol, LsRole role, gint layer,
              const char *shape)
{
  const LsTensor *t = facts_find (plan, name);
  g_autofree char *text = ls_tensor_shape_string (t);

  g_assert_cmpstr (t->symbol, ==, symbol);
  g_assert_cmpint (t->role, ==, role);
  g_assert_cmpint (t->layer, ==, layer);
  g_assert_cmpstr (text, ==, shape);
}

/* The op that makes the tensor of that name (of an in-place one: the update). */
const LsOp *
facts_maker (const LsPlan *plan, const char *name)
{
  const guint id = (guint) (facts_find (plan, name) - plan->tensors);

  for (guint i = 0; i < plan->n_ops; i++)
    for (guint j = 0; j < plan->ops[i].n_out; j++)
      if (plan->ops[i].out[j] == id)
        return &plan->ops[i];
  g_error ("nobody makes “%s”", name);
}

void
facts_op (const LsPlan *plan, const char *out, const char *klass, const char *equation, gint64 flops,
          gint64 bytes)
{
  const LsOp *op = facts_maker (plan, out);

  g_assert_cmpstr (op->klass->name, ==, klass);
  g_assert_cmpstr (op->equation, ==, equation);
  g_assert_cmpstr (op->symbol, ==, plan->tensors[op->out[0]].symbol);
  g_assert_cmpint (op->flops, ==, flops);
  g_assert_cmpint (op->bytes, ==, bytes);
}

void
facts_refused (const char *model, gint64 channels, gint64 height, gint64 width, gint n_classes, guint batch,
               const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) parsed = ls_model_parse (model, &error);

  g_assert_no_error (error);
  g_autoptr (LsPlan) plan = ls_plan_new (parsed, (gint64[]){ channels, height, width }, n_classes, batch,
                                         LS_OPTIMIZER_ADAM, &error);
  g_assert_null (plan);
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpstr (error->message, ==, message);
}
