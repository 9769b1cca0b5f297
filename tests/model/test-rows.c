/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans whose tensors are rows of others, and a weight that is used for each of them: gradients against
 * differences, and how many ops make them.
 */
#include "core/rng.h"
#include "differences.h"

#define ROWS  3
#define TIMES 4

typedef enum {
  ONCE, /* the rows of each product are read once, so one op over all rows makes the sum of what they add */
  AGAIN /* the first ones twice: each has its own, and they are added */
} Use;

/* H = X·W, all of it; then rows by rows tanh (H)·V + c, written to rows of Y, which are read all together,
 * and the first ones by themselves if they are read AGAIN. V and c have as many readers as there are parts.
 */
static LsPlan *
rows_plan (Use use, guint *out, guint *n_forward, guint *dout)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  const guint first = use == ONCE ? 1 : 2, parts = use == ONCE ? TIMES : TIMES - 1;
  gint x = ls_plan_builder_tensor (b, "x", "X", LS_F32, LS_ROLE_WEIGHT, 2, (gint64[]){ TIMES * ROWS, 5 },
                                   NULL),
       w = ls_plan_builder_tensor (b, "w", "W", LS_F32, LS_ROLE_WEIGHT, 2, (gint64[]){ 5, 4 }, NULL),
       v = ls_plan_builder_tensor (b, "v", "V", LS_F32, LS_ROLE_WEIGHT, 2, (gint64[]){ 4, 2 }, NULL),
       c = ls_plan_builder_tensor (b, "c", "c", LS_F32, LS_ROLE_WEIGHT, 1, (gint64[]){ 2 }, NULL),
       z = ls_plan_builder_tensor (b, "z", "Z", LS_F32, LS_ROLE_ACTIVATION, 2, (gint64[]){ TIMES * ROWS, 4 },
                                   NULL),
       y = ls_plan_builder_tensor (b, "y", "Y", LS_F32, LS_ROLE_ACTIVATION, 2, (gint64[]){ TIMES * ROWS, 2 },
                                   NULL);
  gint64 row = 0;

  b->phase = LS_PHASE_FORWARD;
  guint h = (guint) ls_plan_builder_op (b, &ls_op_matmul, (guint[]){ (guint) x, (guint) w }, (LsOpAttr){ 0 },
                                        "h", "", LS_ROLE_ACTIVATION, NULL);
  gint top = -1;
  for (guint i = 0; i < parts; i++)
    {
      const gint64 rows = i == 0 ? first * ROWS : ROWS;
      g_autofree char *name = g_strdup_printf ("h%u", i), *to = g_strdup_printf ("y%u", i),
                      *sum = g_strdup_printf ("s%u", i), *bent = g_strdup_printf ("t%u", i);
      guint in = (guint) ls_plan_builder_view (b, name, name, h, row, rows, NULL);
      gint into = ls_plan_builder_view (b, to, to, (guint) y, row, rows, NULL);
      gint t = ls_plan_builder_view (b, bent, bent, (guint) z, row, rows, NULL);
      ls_plan_builder_op_into (b, &ls_op_tanh, &in, (LsOpAttr){ 0 }, &t, bent, "", LS_ROLE_ACTIVATION, NULL);
      guint s = (guint) ls_plan_builder_op (b, &ls_op_matmul, (guint[]){ (guint) t, (guint) v },
                                            (LsOpAttr){ 0 }, sum, "", LS_ROLE_ACTIVATION, NULL);
      g_assert_cmpint (ls_plan_builder_op_into (b, &ls_op_bias, (guint[]){ s, (guint) c }, (LsOpAttr){ 0 },
                                                &into, to, "", LS_ROLE_ACTIVATION, NULL),
                       ==, into);
      top = i == 0 ? into : top;
      row += rows;
    }
  *out = (guint) ls_plan_builder_op (b, &ls_op_tanh, (guint[]){ (guint) y }, (LsOpAttr){ 0 }, "out", "",
                                     LS_ROLE_ACTIVATION, NULL);
  gint again = use == ONCE ? -1
                           : ls_plan_builder_op (b, &ls_op_relu, (guint[]){ (guint) top }, (LsOpAttr){ 0 },
                                                 "again", "", LS_ROLE_ACTIVATION, NULL);
  *n_forward = b->ops->len;

  /* d(out) and d(again) are given; the walk is plan_model.c's */
  b->phase = LS_PHASE_BACKWARD;
  for (guint k = 0; k < (use == ONCE ? 1 : 2); k++)
    {
      const guint of = k == 0 ? *out : (guint) again;
      const LsTensor t = *ls_plan_builder_get (b, of);
      dout[k] = (guint) ls_plan_builder_tensor (b, k == 0 ? "dout" : "dagain", "d", LS_F32, LS_ROLE_DELTA,
                                                t.rank, t.shape, NULL);
      g_array_index (b->delta, gint, of) = (gint) dout[k];
    }
  for (guint i = *n_forward; i-- > 0;)
    {
      const LsOp op = g_array_index (b->ops, LsOp, i);
      g_assert_true (ls_plan_builder_settle (b, op.out[0], NULL));
      g_assert_true (op.klass->gradient (b, &op, NULL));
    }
  for (guint k = 0; k < 4; k++)
    {
      LsParam param = { .weight = (guint[]){ (guint) x, (guint) w, (guint) v, (guint) c }[k] };
      g_assert_true (ls_plan_builder_settle (b, param.weight, NULL));
      param.gradient = ls_plan_builder_delta_of (b, param.weight);
      g_array_append_val (b->params, param);
    }
  return ls_plan_builder_finish (b, NULL);
}

static guint
count_ops (const LsPlan *plan, const LsOpClass *klass)
{
  guint n = 0;

  for (guint i = plan->first_op[LS_PHASE_BACKWARD]; i < plan->n_ops; i++)
    n += plan->ops[i].klass == klass;
  return n;
}

static void
check_rows (Use use)
{
  guint out, n_forward, dout[2], n_checked = 0;
  LsPlan *plan = rows_plan (use, &out, &n_forward, dout);
  double weight[TIMES * ROWS * 2];
  Differences s = { .n_forward = n_forward, .out = out, .weight = weight };
  LsLoops loops;

  /* dX, dW, each part's dT, and dV: in one, or one each and their sums, likewise dc; a sum is dY's first rows
   */
  g_assert_cmpuint (count_ops (plan, &ls_op_matmul), ==, use == ONCE ? 2 + TIMES + 1 : 2 + 2 * (TIMES - 1));
  g_assert_cmpuint (count_ops (plan, &ls_op_bias_grad), ==, use == ONCE ? 1 : TIMES - 1);
  g_assert_cmpuint (count_ops (plan, &ls_op_add), ==, use == ONCE ? 0 : 1 + 2 * (TIMES - 2));
  ls_loops_init (&loops, plan, TRUE);
  ls_loops_fill_inputs (&loops, 3);
  for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[out]); i++)
    {
      weight[i] = 2 * ls_rng_uniform (3, LS_STREAM_TEST, 9, (guint64) i) - 1;
      ls_loops_set (&loops, dout[0], i, weight[i]);
    }
  for (gint64 i = 0; use == AGAIN && i < ls_tensor_count (&plan->tensors[dout[1]]); i++)
    ls_loops_set (&loops, dout[1], i, 0); /* that way's part is there, and nothing */
  ls_loops_run (&loops, 0, plan->n_ops);
  for (guint i = 0; i < plan->n_params; i++)
    g_assert_cmpuint (
      differences_mismatches (&loops, &s, plan->params[i].weight, plan->params[i].gradient, &n_checked), ==,
      0);
  g_assert_cmpuint (n_checked, >, 80);
  ls_loops_clear (&loops);
}

static void
test_gradients (void)
{
  check_rows (ONCE);
  check_rows (AGAIN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rows/gradients", test_gradients);
  return g_test_run ();
}
