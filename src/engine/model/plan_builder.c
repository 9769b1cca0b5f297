/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPlanBuilder: tensors and ops are appended, shapes and costs come from the op classes, names of gradients
 * from what they are the gradient of. It knows nothing of layers: that is plan_model.c.
 */
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "core/error.h"
#include "model/plan.h"
#include "ops/shape.h"

LsPlanBuilder *
ls_plan_builder_new (void)
{
  LsPlanBuilder *b = g_new0 (LsPlanBuilder, 1);

  b->plan = g_new0 (LsPlan, 1);
  b->plan->ref_count = 1;
  b->plan->x = b->plan->labels = b->plan->logits = LS_TENSOR_NONE;
  b->plan->probs = b->plan->losses = b->plan->loss = LS_TENSOR_NONE;
  b->tensors = g_array_new (FALSE, TRUE, sizeof (LsTensor));
  b->ops = g_array_new (FALSE, TRUE, sizeof (LsOp));
  b->params = g_array_new (FALSE, TRUE, sizeof (LsParam));
  b->delta = g_array_new (FALSE, FALSE, sizeof (gint));
  b->parts = g_array_new (FALSE, TRUE, sizeof (LsPlanPart));
  b->wanted = g_array_new (FALSE, FALSE, sizeof (gboolean));
  b->layer = -1;
  return b;
}

void
ls_plan_builder_free (LsPlanBuilder *b)
{
  if (b == NULL)
    return;
  g_clear_pointer (&b->plan, ls_plan_unref);
  g_array_unref (b->tensors);
  g_array_unref (b->ops);
  g_array_unref (b->params);
  g_array_unref (b->delta);
  g_array_unref (b->parts);
  g_array_unref (b->wanted);
  g_free (b);
}

LsTensor *
ls_plan_builder_get (LsPlanBuilder *b, guint tensor)
{
  return &g_array_index (b->tensors, LsTensor, tensor);
}

static guint
add_tensor (LsPlanBuilder *b, LsTensor *t, gboolean wanted)
{
  const gint no_delta = -1;

  t->layer = b->layer;
  g_array_append_vals (b->tensors, t, 1);
  g_array_append_vals (b->delta, &no_delta, 1);
  g_array_append_vals (b->wanted, &wanted, 1);
  return b->tensors->len - 1;
}

gint
ls_plan_builder_tensor (LsPlanBuilder *b, const char *name, const char *symbol, LsDtype dtype, LsRole role,
                        guint rank, const gint64 *shape, GError **error)
{
  LsTensor t = { .dtype = dtype, .role = role };

  if (!ls_shape_set (&t, rank, shape, error))
    return -1;
  g_strlcpy (t.name, name, sizeof t.name);
  g_strlcpy (t.symbol, symbol, sizeof t.symbol);
  return (gint) add_tensor (b, &t, role == LS_ROLE_WEIGHT);
}

gint
ls_plan_builder_view (LsPlanBuilder *b, const char *name, const char *symbol, guint of, gint64 first,
                      gint64 rows, GError **error)
{
  const LsTensor *whole = ls_plan_builder_get (b, of);

  if (whole->rank == 0 || first < 0 || rows < 1 || first > whole->shape[0] - rows)
    {
      g_autofree char *shape = ls_tensor_shape_string (whole);
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, "rows %" G_GINT64_FORMAT " … of %s are no view of it",
                   first, shape);
      return -1;
    }

  LsTensor like = *whole;
  like.shape[0] = rows;
  return (gint) ls_plan_builder_view_as (b, name, symbol, of, first * ls_tensor_inner (whole), &like);
}

guint
ls_plan_builder_view_as (LsPlanBuilder *b, const char *name, const char *symbol, guint of, gint64 first,
                         const LsTensor *like)
{
  LsTensor t = *ls_plan_builder_get (b, of);

  t.rank = like->rank;
  memcpy (t.shape, like->shape, sizeof t.shape);
  t.first += first;
  t.base = t.is_view ? t.base : of;
  t.is_view = TRUE;
  g_strlcpy (t.name, name, sizeof t.name);
  g_strlcpy (t.symbol, symbol, sizeof t.symbol);
  return add_tensor (b, &t, g_array_index (b->wanted, gboolean, of));
}

void
ls_plan_builder_describe (LsPlanBuilder *b, guint tensor, LsRole role, const char *name, const char *symbol)
{
  LsTensor *t = ls_plan_builder_get (b, tensor);

  t->role = role;
  g_strlcpy (t->name, name, sizeof t->name);
  g_strlcpy (t->symbol, symbol, sizeof t->symbol);
}

/* An op writes there: who makes it decides whether its gradient is wanted. */
static gboolean
take_output (LsPlanBuilder *b, guint tensor, const LsTensor *expected, gboolean wanted, GError **error)
{
  const LsTensor *t = ls_plan_builder_get (b, tensor);

  g_array_index (b->wanted, gboolean, tensor) |= wanted;
  if (t->is_view)
    g_array_index (b->wanted, gboolean, t->base) |= wanted;
  return ls_shape_same (t, expected, error);
}

gint
ls_plan_builder_op (LsPlanBuilder *b, const LsOpClass *klass, const guint *in, LsOpAttr attr,
                    const char *symbol, const char *equation, LsRole out_role, GError **error)
{
  return ls_plan_builder_op_into (b, klass, in, attr, NULL, symbol, equation, out_role, error);
}

gint
ls_plan_builder_op_into (LsPlanBuilder *b, const LsOpClass *klass, const guint *in, LsOpAttr attr,
                         const gint *into, const char *symbol, const char *equation, LsRole out_role,
                         GError **error)
{
  const LsTensor *inputs[LS_OP_MAX_IN] = { NULL };
  LsTensor out[LS_OP_MAX_OUT] = { 0 };
  LsOp op
    = { .klass = klass, .phase = b->phase, .layer = b->layer, .n_in = klass->n_in, .n_out = klass->n_out };
  gboolean wanted = FALSE;

  if (b->ops->len == LS_PLAN_MAX_OPS)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_USAGE,
        _("a step of this model takes more than %d ops; choose fewer layers or shorter sequences"),
        LS_PLAN_MAX_OPS);
      return -1;
    }
  for (guint j = 0; j < klass->n_in; j++)
    {
      g_return_val_if_fail (in[j] < b->tensors->len, -1);
      op.in[j] = in[j];
      inputs[j] = ls_plan_builder_get (b, in[j]);
      g_return_val_if_fail (inputs[j]->dtype == klass->in_dtype[j], -1);
      wanted |= g_array_index (b->wanted, gboolean, in[j]);
    }
  if (!klass->shape (inputs, &attr, out, error))
    return -1;
  op.attr = attr;
  op.flops = klass->flops (inputs, &attr, out);

  for (guint j = 0; j < klass->n_out; j++)
    {
      if (klass->in_place[j] >= 0)
        {
          op.out[j] = op.in[klass->in_place[j]];
          continue;
        }
      out[j].dtype = klass->out_dtype[j];
      if (into != NULL && into[j] >= 0)
        {
          op.out[j] = (guint) into[j];
          if (!take_output (b, op.out[j], &out[j], wanted && out[j].dtype != LS_I32, error))
            return -1;
          continue;
        }
      out[j].role = out_role;
      g_strlcpy (out[j].name, symbol, sizeof out[j].name);
      g_strlcpy (out[j].symbol, symbol, sizeof out[j].symbol);
      op.out[j] = add_tensor (b, &out[j], wanted && out[j].dtype != LS_I32);
    }
  op.bytes = ls_op_bytes (&op, (const LsTensor *) (const void *) b->tensors->data);
  g_strlcpy (op.symbol, symbol, sizeof op.symbol);
  g_strlcpy (op.equation, equation, sizeof op.equation);
  g_array_append_val (b->ops, op);
  return (gint) op.out[0];
}

guint
ls_plan_builder_last_output (LsPlanBuilder *b, guint output)
{
  return g_array_index (b->ops, LsOp, b->ops->len - 1).out[output];
}

gint
ls_plan_builder_zeros (LsPlanBuilder *b, const LsTensor *like, GError **error)
{
  const LsTensor t = *like;
  const gint layer = b->layer;
  gint zeros;

  for (guint i = 0; i < b->tensors->len; i++)
    {
      const LsTensor *there = ls_plan_builder_get (b, i);
      if (there->role == LS_ROLE_ZERO && there->dtype == t.dtype && there->rank == t.rank
          && memcmp (there->shape, t.shape, t.rank * sizeof *t.shape) == 0)
        return (gint) i;
    }
  g_autofree char *name = g_strdup_printf ("zeros%u", b->tensors->len);
  b->layer = -1;
  zeros = ls_plan_builder_tensor (b, name, "0", t.dtype, LS_ROLE_ZERO, t.rank, t.shape, error);
  b->layer = layer;
  return zeros;
}

const char *
ls_plan_builder_symbol (LsPlanBuilder *b, guint tensor)
{
  return ls_plan_builder_get (b, tensor)->symbol;
}

/* Where each phase's ops begin; a phase without ops begins where the next does. */
static void
find_phases (LsPlan *plan)
{
  guint op = 0;

  for (guint phase = LS_PHASE_INPUT; phase <= LS_PHASE_UPDATE; phase++)
    {
      plan->first_op[phase] = op;
      while (op < plan->n_ops && plan->ops[op].phase == (LsPhase) phase)
        op++;
    }
  plan->first_op[LS_PHASE_UPDATE + 1] = op;
}

LsPlan *
ls_plan_builder_finish (LsPlanBuilder *b, GError **error)
{
  LsPlan *plan = b->plan;
  gboolean overflow = FALSE;

  for (guint i = 0; i < b->ops->len; i++)
    {
      const LsOp *op = &g_array_index (b->ops, LsOp, i);
      overflow |= __builtin_add_overflow (plan->flops, op->flops, &plan->flops);
      overflow |= __builtin_add_overflow (plan->bytes, op->bytes, &plan->bytes);
    }
  plan->arena_bytes = ls_arena_layout ((LsTensor *) (void *) b->tensors->data, b->tensors->len);
  if (overflow || plan->arena_bytes == 0 || (!b->any_size && plan->arena_bytes > LS_PLAN_MAX_ARENA))
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_USAGE,
        _("a step of this model needs more than %u GiB of memory; choose smaller layers or a smaller batch"),
        (guint) (LS_PLAN_MAX_ARENA >> 30));
      return NULL;
    }

  plan->n_tensors = b->tensors->len;
  plan->n_ops = b->ops->len;
  plan->n_params = b->params->len;
  plan->tensors = (LsTensor *) (void *) g_array_steal (b->tensors, NULL);
  plan->ops = (LsOp *) (void *) g_array_steal (b->ops, NULL);
  plan->params = (LsParam *) (void *) g_array_steal (b->params, NULL);
  find_phases (plan);
  g_return_val_if_fail (plan->first_op[LS_PHASE_UPDATE + 1] == plan->n_ops, NULL); /* phases out of order */
  return g_steal_pointer (&b->plan);
}
