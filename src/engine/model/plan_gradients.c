/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gradients of what several ops read: each reader's gradient function says what it adds, the last one first,
 * as the ops are walked in reverse; when the walk comes to the op that made the tensor, all have spoken and
 * the sum is made, in the order of the readers, so that it has the same bits everywhere.
 *
 * Rows of one tensor may be read by different ops, as views. The only reader of rows writes its part into the
 * same rows of the whole tensor's gradient, so that whoever made the tensor whole finds that whole.
 */
#include "config.h"
#include <string.h>
#include "core/error.h"
#include "model/plan.h"
#include "ops/shape.h"

/* Adding a bias hands the gradient on unchanged, so of Z and Z + b only one gradient exists, and it is called
 * dZ. */
static guint
gradient_namesake (LsPlanBuilder *b, guint tensor)
{
  for (guint i = b->ops->len; i-- > 0;)
    {
      const LsOp *op = &g_array_index (b->ops, LsOp, i);
      if (op->klass == &ls_op_bias && op->out[0] == tensor)
        return op->in[0];
    }
  return tensor;
}

static gint *
delta_at (LsPlanBuilder *b, guint tensor)
{
  return &g_array_index (b->delta, gint, tensor);
}

static const LsTensor *
tensors_of (const LsPlanBuilder *b)
{
  return (const LsTensor *) (const void *) b->tensors->data;
}

/* How often the forward pass reads from that memory. */
static guint
count_readers (const LsPlanBuilder *b, guint tensor)
{
  guint n = 0;

  for (guint i = 0; i < b->ops->len; i++)
    {
      const LsOp *op = &g_array_index (b->ops, LsOp, i);
      for (guint j = 0; op->phase < LS_PHASE_BACKWARD && j < op->n_in; j++)
        n += (op->klass->shape_only & (1u << j)) == 0
             && ls_tensors_overlap (tensors_of (b), op->in[j], tensor);
    }
  return n;
}

static gboolean
is_weight (LsPlanBuilder *b, guint tensor)
{
  return ls_plan_builder_get (b, tensor)->role == LS_ROLE_WEIGHT;
}

/* ---- names ---- */

static void
name_delta (LsPlanBuilder *b, guint of, char name[LS_TENSOR_NAME], char symbol[32])
{
  const LsTensor *named = ls_plan_builder_get (b, gradient_namesake (b, of));

  if (named->role == LS_ROLE_WEIGHT)
    g_snprintf (name, LS_TENSOR_NAME, "%s.grad", named->name);
  else
    g_snprintf (name, LS_TENSOR_NAME, "d%s", named->name);
  g_snprintf (symbol, 32, "d%s", named->symbol);
}

/* The number-th part of a sum. */
static void
rename_part (LsPlanBuilder *b, const LsPlanPart *part, guint number)
{
  LsTensor *t = ls_plan_builder_get (b, (guint) part->tensor);
  LsOp *op = &g_array_index (b->ops, LsOp, part->op);
  g_autofree char *name = g_strdup_printf ("%s.part%u", t->name, number),
                  *symbol = g_strdup_printf ("%s.%u", t->symbol, number);
  const char *right = strstr (op->equation, " = ");
  g_autofree char *equation = right != NULL ? g_strconcat (symbol, right, NULL) : g_strdup (op->equation);

  t->role = LS_ROLE_DELTA;
  g_strlcpy (t->name, name, sizeof t->name);
  g_strlcpy (t->symbol, symbol, sizeof t->symbol);
  g_strlcpy (op->symbol, symbol, sizeof op->symbol);
  g_strlcpy (op->equation, equation, sizeof op->equation);
}

/* ---- parts ---- */

/* Where the gradient of rows goes that one op alone reads: into the whole tensor's. −1 with an error. */
static gint
place_of_rows (LsPlanBuilder *b, guint of, GError **error)
{
  const LsTensor rows = *ls_plan_builder_get (b, of), base = *ls_plan_builder_get (b, rows.base);
  const gint64 inner = ls_tensor_inner (&base);
  char name[LS_TENSOR_NAME], symbol[32];

  if (*delta_at (b, rows.base) < 0)
    {
      name_delta (b, rows.base, name, symbol);
      const gint whole = ls_plan_builder_tensor (b, name, symbol, base.dtype, LS_ROLE_DELTA, base.rank,
                                                 base.shape, error);
      if (whole < 0)
        return -1;
      *delta_at (b, rows.base) = whole;
    }
  name_delta (b, of, name, symbol);
  return ls_plan_builder_view (b, name, symbol, (guint) *delta_at (b, rows.base), rows.first / inner,
                               rows.shape[0], error);
}

/* Two biases of one sum have the same gradient: the second one's is a copy, the sum over the one row that the
 * first one's is. */
static void
sum_once (LsPlanBuilder *b, LsPlanPart *part)
{
  for (guint i = 0; part->klass == &ls_op_bias_grad && i < b->ops->len; i++)
    {
      const LsOp *op = &g_array_index (b->ops, LsOp, i);
      if (op->klass != part->klass || op->in[0] != part->in[0])
        continue;
      const LsTensor sum = *ls_plan_builder_get (b, op->out[0]);
      const LsTensor row = { .rank = 2, .shape = { 1, sum.shape[0] } };
      g_autofree char *name = g_strconcat (sum.name, ".row", NULL);
      part->in[0] = ls_plan_builder_view_as (b, name, sum.symbol, op->out[0], 0, &row);
      g_strlcpy (part->right_side, sum.symbol, sizeof part->right_side);
      return;
    }
}

/* Appends the part's op. */
static gboolean
make_part (LsPlanBuilder *b, LsPlanPart *part, gboolean alone, GError **error)
{
  const gboolean into_whole = alone && ls_plan_builder_get (b, part->of)->is_view;
  const gint layer = b->layer;
  char name[LS_TENSOR_NAME], symbol[32];
  gint into[LS_OP_MAX_OUT] = { -1, -1, -1, -1 };

  sum_once (b, part);
  name_delta (b, part->of, name, symbol);
  g_autofree char *equation = g_strconcat (symbol, " = ", part->right_side, NULL);
  if (into_whole && (into[0] = place_of_rows (b, part->of, error)) < 0)
    return FALSE;
  b->layer = part->layer;
  part->tensor = ls_plan_builder_op_into (b, part->klass, part->in, part->attr, into, symbol, equation,
                                          LS_ROLE_DELTA, error);
  b->layer = layer;
  if (part->tensor < 0)
    return FALSE;
  part->op = b->ops->len - 1;
  ls_plan_builder_describe (b, (guint) part->tensor,
                            is_weight (b, part->of) ? LS_ROLE_GRADIENT : LS_ROLE_DELTA, name, symbol);
  return TRUE;
}

gboolean
ls_plan_builder_delta (LsPlanBuilder *b, const LsOpClass *klass, const guint *in, LsOpAttr attr, guint of,
                       const char *right_side, GError **error)
{
  LsPlanPart part = { .of = of, .tensor = -1, .own = TRUE, .klass = klass, .attr = attr, .layer = b->layer };
  const guint n_readers = count_readers (b, of);

  if (!g_array_index (b->wanted, gboolean, of))
    return TRUE;
  g_return_val_if_fail (*delta_at (b, of) < 0, FALSE);
  memcpy (part.in, in, klass->n_in * sizeof *in);
  g_strlcpy (part.right_side, right_side, sizeof part.right_side);
  if (!(is_weight (b, of) && n_readers > 1) && !make_part (b, &part, n_readers <= 1, error))
    return FALSE;
  g_array_append_val (b->parts, part);
  return TRUE;
}

void
ls_plan_builder_share_delta (LsPlanBuilder *b, guint of, guint delta)
{
  const LsPlanPart part = { .of = of, .tensor = (gint) delta };

  if (g_array_index (b->wanted, gboolean, of))
    g_array_append_val (b->parts, part);
}

void
ls_plan_builder_output_delta (LsPlanBuilder *b, guint of, guint output)
{
  LsPlanPart part = { .of = of, .own = TRUE, .op = b->ops->len - 1 };
  char name[LS_TENSOR_NAME], symbol[32];

  name_delta (b, of, name, symbol);
  part.tensor = (gint) ls_plan_builder_last_output (b, output);
  if (!g_array_index (b->wanted, gboolean, of)) /* nobody's, and of zeros there may be several */
    g_snprintf (name, sizeof name, "unread%d", part.tensor);
  ls_plan_builder_describe (b, (guint) part.tensor, is_weight (b, of) ? LS_ROLE_GRADIENT : LS_ROLE_DELTA,
                            name, symbol);
  if (g_array_index (b->wanted, gboolean, of))
    g_array_append_val (b->parts, part);
}

guint
ls_plan_builder_delta_of (LsPlanBuilder *b, guint tensor)
{
  gint delta = *delta_at (b, tensor);

  g_return_val_if_fail (delta >= 0, 0);
  return (guint) delta;
}

gboolean
ls_plan_builder_has_delta (LsPlanBuilder *b, guint tensor)
{
  return *delta_at (b, tensor) >= 0;
}

/* ---- sums ---- */

/* Whatever the op makes is a sum over the rows of all that it reads. */
static gboolean
sums_rows (LsPlanBuilder *b, const LsPlanPart *part)
{
  return (part->klass == &ls_op_matmul && part->attr.ta && !part->attr.tb)
         || (part->klass == &ls_op_bias_grad && ls_plan_builder_get (b, part->in[0])->rank == 2);
}

/* All parts are the same op on rows of the same tensors, one after the other. */
static gboolean
can_be_one (LsPlanBuilder *b, const GArray *parts)
{
  const LsPlanPart *first = &g_array_index (parts, LsPlanPart, 0);

  for (guint i = 0; i < parts->len; i++)
    {
      const LsPlanPart *part = &g_array_index (parts, LsPlanPart, i), *before = part - 1;
      if (part->tensor >= 0 || part->klass != first->klass || part->attr.ta != first->attr.ta
          || part->attr.tb != first->attr.tb || !sums_rows (b, part))
        return FALSE;
      for (guint j = 0; i > 0 && j < part->klass->n_in; j++)
        if (!ls_tensors_adjoin (tensors_of (b), part->in[j], before->in[j]))
          return FALSE;
    }
  return parts->len > 1;
}

/* The view of `of` from element `first` on in that shape that is there already; −1: none. */
static gint
find_view (LsPlanBuilder *b, guint of, gint64 first, const LsTensor *like)
{
  const LsTensor whole = *ls_plan_builder_get (b, of);
  const guint base = whole.is_view ? whole.base : of;

  for (guint i = 0; i < b->tensors->len; i++)
    {
      const LsTensor *t = ls_plan_builder_get (b, i);
      if (t->is_view && t->base == base && t->first == whole.first + first && t->rank == like->rank
          && memcmp (t->shape, like->shape, like->rank * sizeof *t->shape) == 0)
        return (gint) i;
    }
  return -1;
}

/* The rows from those of tensor `first` up to those of `last`; the tensor itself if that is all of it. −1
 * with an error. */
static gint
rows_between (LsPlanBuilder *b, guint first, guint last, GError **error)
{
  const LsTensor from = *ls_plan_builder_get (b, first), to = *ls_plan_builder_get (b, last),
                 base = *ls_plan_builder_get (b, from.base);
  const gint64 inner = ls_tensor_inner (&base), row = from.first / inner,
               rows = to.first / inner + to.shape[0] - row;

  LsTensor like = base;
  like.shape[0] = rows;
  const gint there = find_view (b, from.base, from.first, &like);
  if (rows == base.shape[0] || there >= 0)
    return there >= 0 ? there : (gint) from.base;
  g_autofree char *name = g_strdup_printf ("%s…%s", from.name, to.name),
                  *symbol = g_strdup_printf ("%s…%s", from.symbol, to.symbol);
  return ls_plan_builder_view (b, name, symbol, from.base, row, rows, error);
}

/* One op over all rows in place of all parts. */
static gboolean
make_one (LsPlanBuilder *b, GArray *parts, GError **error)
{
  LsPlanPart one = g_array_index (parts, LsPlanPart, 0);
  const LsPlanPart *last = &g_array_index (parts, LsPlanPart, parts->len - 1);
  GString *right = g_string_new (one.klass == &ls_op_bias_grad ? "Σ " : NULL);

  for (guint j = 0; j < one.klass->n_in; j++)
    {
      const gint rows = rows_between (b, one.in[j], last->in[j], error);
      if (rows < 0)
        {
          g_string_free (right, TRUE);
          return FALSE;
        }
      one.in[j] = (guint) rows;
      g_string_append_printf (right, "%s%s", ls_plan_builder_symbol (b, one.in[j]),
                              j + 1 < one.klass->n_in ? "ᵀ·" : "");
    }
  g_strlcpy (one.right_side, right->str, sizeof one.right_side);
  g_string_free (right, TRUE);
  if (!make_part (b, &one, FALSE, error))
    return FALSE;
  g_array_set_size (parts, 0);
  g_array_append_val (parts, one);
  return TRUE;
}

/* Of a part that was said of more rows, or of the same in another shape: what belongs to the tensor. */
static guint
rows_of_part (LsPlanBuilder *b, const LsPlanPart *part, guint of)
{
  const LsTensor rows = *ls_plan_builder_get (b, of), whole = *ls_plan_builder_get (b, part->of),
                 delta = *ls_plan_builder_get (b, (guint) part->tensor);
  const gint64 first = rows.first - whole.first;
  const gint there = find_view (b, (guint) part->tensor, first, &rows);
  g_autofree char *name = g_strdup_printf ("%s.from%" G_GINT64_FORMAT, delta.name, first),
                  *symbol = g_strdup_printf ("%s[%" G_GINT64_FORMAT "]", delta.symbol, first);

  return there >= 0 ? (guint) there
                    : ls_plan_builder_view_as (b, name, symbol, (guint) part->tensor, first, &rows);
}

static gboolean
is_inside (const LsTensor *rows, const LsTensor *whole)
{
  return rows->first >= whole->first
         && rows->first + ls_tensor_count (rows) <= whole->first + ls_tensor_count (whole);
}

/* All that readers of the tensor, or of rows that have it among them, have said; in their order. (transfer
 * full) */
static GArray *
parts_of (LsPlanBuilder *b, guint of)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (LsPlanPart));

  for (guint i = b->parts->len; i-- > 0;)
    {
      LsPlanPart part = g_array_index (b->parts, LsPlanPart, i);

      if (!ls_tensors_overlap (tensors_of (b), part.of, of)
          || !is_inside (ls_plan_builder_get (b, of), ls_plan_builder_get (b, part.of)))
        continue;
      if (part.of != of)
        {
          part.tensor = (gint) rows_of_part (b, &part, of);
          part.own = FALSE;
        }
      g_array_append_val (parts, part);
    }
  return parts;
}

/* left + right, called as the gradient if it is the last sum. */
static gint
add_two (LsPlanBuilder *b, guint of, guint left, guint right, guint number, gboolean last, GError **error)
{
  char name[LS_TENSOR_NAME], symbol[32];

  name_delta (b, of, name, symbol);
  g_autofree char *sum_name = last ? g_strdup (name) : g_strdup_printf ("%s.sum%u", name, number),
                  *sum_symbol = last ? g_strdup (symbol) : g_strdup_printf ("%s.Σ%u", symbol, number);
  g_autofree char *equation = g_strdup_printf ("%s = %s + %s", sum_symbol, ls_plan_builder_symbol (b, left),
                                               ls_plan_builder_symbol (b, right));
  const gint sum = ls_plan_builder_op (b, &ls_op_add, (guint[]){ left, right }, (LsOpAttr){ 0 }, sum_symbol,
                                       equation, LS_ROLE_DELTA, error);

  if (sum >= 0)
    ls_plan_builder_describe (b, (guint) sum, is_weight (b, of) ? LS_ROLE_GRADIENT : LS_ROLE_DELTA, sum_name,
                              sum_symbol);
  return sum;
}

gboolean
ls_plan_builder_settle (LsPlanBuilder *b, guint of, GError **error)
{
  if (*delta_at (b, of) >= 0 || !g_array_index (b->wanted, gboolean, of))
    return TRUE;

  g_autoptr (GArray) parts = parts_of (b, of);
  if (can_be_one (b, parts) && !make_one (b, parts, error))
    return FALSE;
  for (guint i = 0; i < parts->len; i++)
    {
      LsPlanPart *part = &g_array_index (parts, LsPlanPart, i);
      if (part->tensor < 0 && !make_part (b, part, FALSE, error))
        return FALSE;
      if (part->own && parts->len > 1)
        rename_part (b, part, i + 1);
    }
  if (parts->len == 0)
    return TRUE;

  gint sum = g_array_index (parts, LsPlanPart, 0).tensor;
  for (guint i = 1; i < parts->len; i++)
    {
      sum = add_two (b, of, (guint) sum, (guint) g_array_index (parts, LsPlanPart, i).tensor, i,
                     i + 1 == parts->len, error);
      if (sum < 0)
        return FALSE;
    }
  *delta_at (b, of) = sum;
  return TRUE;
}
