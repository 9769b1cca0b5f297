/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of single elements, worked out by hand from what tolerance.h says is allowed: ulp of OpenCL's
 * table 7.4 (exp, log and sqrt 3, a division 2.5, tanh 5), roundings added up, 4·√K·Σ|x·y| of sums. That a
 * bound is kept by the reference and finds 1e-4, as test-tolerance.c asks, leaves room for one that is ten
 * times too wide.
 */
#include "worked_bounds.h"

#include <math.h>
#include <string.h>

#include "loops.h"
#include "ops/tolerance.h"

#define ROOM 4 /* expected values of one row */

typedef struct {
  const char *op;
  LsOpTest test;
  double in[LS_OP_MAX_IN][8];
  guint out;
  double ulps[ROOM]; /* of its first elements, in units of ε; -1 ends */
} Row;

static const Row rows[] = {
  /* one rounding, of the result; negative ones have a bound, too */
  { "bias", { .in = { { 1, 2 }, { 2 } } }, { { 3, -3 }, { -1, -2 } }, 0, { 2, 5, -1 } },
  { "add", { .in = { { 2 }, { 2 } } }, { { 3, -3 }, { -5, -4 } }, 0, { 2, 7, -1 } },
  { "dropout", { .in = { { 2 } }, .attr = { .rate = .5 } }, { { 3, -4 } }, 0, { 3, 4, -1 } },
  /* tanh 5; σ: exp 3, the sum ½, the division 2.5, and 1 to spare */
  { "tanh", { .in = { { 2 } } }, { { .75, -.75 } }, 0, { 3.1757447619364365, 3.1757447619364365, -1 } },
  { "sigmoid", { .in = { { 2 } } }, { { 0, -1 } }, 0, { 3.5, 1.8825899495899658, -1 } },
  /* −2·(1 − ¼): Y² ½ ulp, the difference and the product ½ each, all twice */
  { "tanh_grad", { .in = { { 2 }, { 2 } } }, { { -2, 3 }, { .5, 0 } }, 0, { 3.5, 6, -1 } },
  { "sigmoid_grad", { .in = { { 2 }, { 2 } } }, { { 4, -16 }, { .25, .5 } }, 0, { 2.25, 12, -1 } },
  { "gelu", { .in = { { 2 } } }, { { 1, -2 } }, 0, { 3.6658801662802993, .728004222341735, -1 } },
  { "gelu_grad",
    { .in = { { 3 }, { 3 } } },
    { { 3, -3, 3 }, { 1, -1, 2 } },
    0,
    { 15.716069626964192, 11.61993267414168, 9.410571142767479, -1 } },
  /* P = (.881, .119), 2 apart: z − max 2, exp 3, division 2.5, to spare 1.5, and a sum of two */
  { "softmax_xent",
    { .in = { { 1, 2 }, { 1 } } },
    { { 1, -1 }, { 0 } },
    0,
    { 12.909714395300595, 1.7471398541917844, -1 } },
  { "softmax_xent", { .in = { { 1, 2 }, { 1 } } }, { { 1, -1 }, { 0 } }, 1, { 21.95269111549671, -1 } },
  { "softmax_xent", { .in = { { 1, 2 }, { 1 } } }, { { -1, 1 }, { 0 } }, 1, { 21.95269111549671, -1 } },
  { "softmax_xent_grad", { .in = { { 1, 2 }, { 1 } } }, { { .75, .25 }, { 0 } }, 0, { .75, .75, -1 } },
  /* |μ·V| + |G| = 5, twice; W itself, and 4 of η times that */
  { "sgd", { .in = { { 1 }, { 1 }, { 1 } } }, { { 2 }, { -3 }, { 4 } }, 1, { 10, -1 } },
  { "sgd", { .in = { { 1 }, { 1 }, { 1 } } }, { { -2 }, { -3 }, { 4 } }, 0, { 7, -1 } },
  /* M = ½·4 + ½·3 at most, V = ¾·5 + ¼·9, of the second update */
  { "adam", { .in = { { 1 }, { 1 }, { 1 }, { 1 } } }, { { 2 }, { 3 }, { -4 }, { 5 } }, 1, { 7, -1 } },
  { "adam", { .in = { { 1 }, { 1 }, { 1 }, { 1 } } }, { { 2 }, { 3 }, { -4 }, { 5 } }, 2, { 18, -1 } },
  { "adam",
    { .in = { { 1 }, { 1 }, { 1 }, { 1 } } },
    { { -2 }, { 3 }, { -4 }, { 5 } },
    0,
    { 5.656994404936251, -1 } },
  /* Gates of sums 0, 0, −¼ and 0, of terms up to 3: as σ and tanh, and the sum's rounding times their slope
   */
  { "lstm",
    { .in = { { 1, 4 }, { 1, 4 }, { 1, 1 } } },
    { { 2, 1, -.5, 3 }, { -2, -1, .25, -3 }, { -1.5 } },
    2,
    { 4.5, 4, 1.9296044486233292, 5 } },
  { "lstm",
    { .in = { { 1, 4 }, { 1, 4 }, { 1, 1 } } },
    { { 2, 1, -.5, 3 }, { -2, -1, .25, -3 }, { -1.5 } },
    1,
    { 9.811854867532064, -1 } },
  { "lstm",
    { .in = { { 1, 4 }, { 1, 4 }, { 1, 1 } } },
    { { 2, 1, -.5, 3 }, { -2, -1, .25, -3 }, { -1.5 } },
    0,
    { 8.104956031984056, -1 } },
  { "lstm_grad",
    { .in = { { 1, 1 }, { 1, 1 }, { 1, 4 }, { 1, 1 }, { 1, 1 } } },
    { { -2 }, { 3 }, { .5, .25, -.5, .75 }, { -4 }, { 1 } },
    0,
    { 4.18501924378948, 25.11011546273688, 11.647567353263181, 2.8559780848341183 } },
  { "lstm_grad",
    { .in = { { 1, 1 }, { 1, 1 }, { 1, 4 }, { 1, 1 }, { 1, 1 } } },
    { { -2 }, { 3 }, { .5, .25, -.5, .75 }, { -4 }, { 1 } },
    1,
    { 5.647567353263181, -1 } },
  /* of 1 and 3, so μ = 2 and σ² = 1, with γ 2 and −1, β ½ and 1 */
  { "layernorm",
    { .in = { { 1, 2 }, { 2 }, { 2 } } },
    { { 1, 3 }, { 2, -1 }, { .5, 1 } },
    0,
    { 81.91092585264198, 40.95547292624599, -1 } },
  { "layernorm",
    { .in = { { 1, 2 }, { 2 }, { 2 } } },
    { { 1, 3 }, { 2, -1 }, { .5, 1 } },
    1,
    { 13.313708498984761, -1 } },
  { "layernorm",
    { .in = { { 1, 2 }, { 2 }, { 2 } } },
    { { 1, 3 }, { 2, -1 }, { .5, 1 } },
    2,
    { 23.641840995229458, -1 } },
  { "layernorm_grad",
    { .in = { { 1, 2 }, { 1, 2 }, { 2 }, { 1 }, { 1 } } },
    { { 1, -2 }, { 1, 5 }, { 2, -1 }, { 2 }, { .5 } },
    0,
    { 19.485281374238568, 33.14213562373095, -1 } },
  { "layernorm_dw",
    { .in = { { 3, 1 }, { 3, 1 }, { 3 }, { 3 } } },
    { { 1, -2, 3 }, { 2, 4, -1 }, { 1, 2, 3 }, { .5, .25, 2 } },
    0,
    { 278.6691823720255, -1 } },
  { "layernorm_dw",
    { .in = { { 3, 1 }, { 3, 1 }, { 3 }, { 3 } } },
    { { 1, -2, 3 }, { 2, 4, -1 }, { 1, 2, 3 }, { .5, .25, 2 } },
    1,
    { 65.56921938165306, -1 } },
  /* sums: 4·√K times what the terms' sizes add up to, K the terms of one element */
  { "matmul", { .in = { { 1, 4 }, { 4, 1 } } }, { { 1, -2, 3, -4 }, { 1, 1, -1, 1 } }, 0, { 80, -1 } },
  { "conv2d",
    { .in = { { 1, 1, 2, 2 }, { 1, 1, 2, 2 } }, .attr = { .kernel = 2, .stride = 1 } },
    { { 1, -2, 3, -4 }, { 1, 1, 1, -1 } },
    0,
    { 80, -1 } },
  { "conv2d_dw", /* four windows */
    { .in = { { 1, 1, 2, 2 }, { 1, 1, 2, 2 } }, .attr = { .kernel = 1, .stride = 1 } },
    { { 1, -2, 3, -4 }, { 1, 1, 1, -1 } },
    0,
    { 80, -1 } },
  { "conv2d_dx", /* four outputs, and 3 wide at a stride of 3: one window of each covers it */
    { .in = { { 1, 4, 1, 1 }, { 4, 1, 3, 3 }, { 1, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 3 } },
    { { 1, -2, 3, -4 }, { .5, 0 } },
    0,
    { 4, -1 } },
  { "conv2d_dx", /* at a stride of 2 two windows each way may */
    { .in = { { 1, 1, 1, 1 }, { 1, 1, 3, 3 }, { 1, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 2 } },
    { { -3 }, { .5, 2 } },
    0,
    { 12, 48, -1 } },
  { "maxpool2d_grad",
    { .in = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 2 } },
    { { -3 }, { 1 }, { 0 } },
    0,
    { 0, 24, -1 } },
  { "bias_grad", { .in = { { 4, 1 } } }, { { 1, -2, 3, -4 } }, 0, { 80, -1 } },
  { "mean", { .in = { { 4 } } }, { { 1, -2, 3, -4 } }, 0, { 20, -1 } },
  { "avgpool2d",
    { .in = { { 1, 1, 2, 2 } }, .attr = { .kernel = 2, .stride = 2 } },
    { { 1, -2, 3, -4 } },
    0,
    { 20, -1 } },
  { "avgpool2d_grad",
    { .in = { { 1, 1, 1, 1 }, { 1, 1, 2, 2 } }, .attr = { .kernel = 2, .stride = 2 } },
    { { -2 } },
    0,
    { 2, 2, -1 } },
  /* nothing is rounded */
  { "relu", { .in = { { 2 } } }, { { 3, -3 } }, 0, { 0, 0, -1 } },
  { "relu_grad", { .in = { { 2 }, { 2 } } }, { { 3, -3 }, { 1, 1 } }, 0, { 0, 0, -1 } },
  { "maxpool2d",
    { .in = { { 1, 1, 2, 2 } }, .attr = { .kernel = 2, .stride = 2 } },
    { { 1, 2, 3, 4 } },
    0,
    { 0, -1 } },
};

/* The row's op in double precision, run; and its bounds. stored: as its output is. (transfer full) */
static double *
bounds_of (const Row *row, LsDtype stored)
{
  static const LsHyper hyper = { .lr = .25,
                                 .momentum = .5,
                                 .beta1 = .5,
                                 .beta2 = .75,
                                 .epsilon = .125,
                                 .step = 3,
                                 .scale = { .skipped = 1 } };
  static const LsHyper none = { .step = 0 };
  LsLoops before, after;
  LsOpCall call;
  LsTensor out;
  double *bounds;

  ls_loops_init_single (&before, row->op, &row->test, TRUE);
  ls_loops_init_single (&after, row->op, &row->test, TRUE);
  for (guint j = 0; j < after.plan->ops[0].n_in; j++)
    for (gint64 i = 0; i < ls_tensor_count (&after.plan->tensors[j]); i++)
      {
        ls_loops_set (&before, j, i, i < 8 ? row->in[j][i] : 0);
        ls_loops_set (&after, j, i, i < 8 ? row->in[j][i] : 0);
      }
  after.hyper = strcmp (row->op, "dropout") == 0 ? none : hyper; /* nothing is left out of step 0 */
  ls_loops_run (&after, 0, 1);
  ls_plan_call (after.plan, &after.arena, 0, &call);
  for (guint j = 0; j < after.plan->ops[0].n_in; j++)
    call.in[j] = ls_arena_at (&before.arena, &before.plan->tensors[before.plan->ops[0].in[j]]);
  call.hyper = &after.hyper;
  out = *call.out_tensor[row->out];
  out.dtype = stored;
  call.out_tensor[row->out] = &out;
  bounds = g_new (double, ls_tensor_count (&out));
  g_assert_true (ls_op_tolerance (&call, row->out, bounds));
  ls_loops_clear (&before);
  ls_loops_clear (&after);
  return bounds;
}

static void
test_worked (void)
{
  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autofree double *bounds = bounds_of (&rows[r], LS_F32);

      for (guint i = 0; i < ROOM && rows[r].ulps[i] >= 0; i++)
        if (!(fabs (bounds[i] / LS_FLOAT_EPSILON - rows[r].ulps[i]) <= 1e-5 * MAX (1e-6, rows[r].ulps[i])))
          g_error ("%s (row %u), output %u, element %u: it may be off by %.9g ε, not %.9g", rows[r].op,
                   (guint) r, rows[r].out, i, bounds[i] / LS_FLOAT_EPSILON, rows[r].ulps[i]);
    }
}

/* Of zeros nothing is left to be off but what was flushed: the least normal number for each term, and for the
 * result. */
static void
test_flushed (void)
{
  static const struct {
    const char *op;
    LsOpTest test;
    double least;
  } cases[] = {
    { "tanh", { .in = { { 1 } } }, 2 },
    { "bias", { .in = { { 1, 1 }, { 1 } } }, 3 },
    { "matmul", { .in = { { 1, 5 }, { 5, 1 } } }, 6 },
    { "mean", { .in = { { 7 } } }, 8 },
    { "relu", { .in = { { 1 } } }, 0 },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const Row row = { .op = cases[c].op, .test = cases[c].test };
      g_autofree double *bounds = bounds_of (&row, LS_F32);

      if (bounds[0] != cases[c].least * 0x1p-126)
        g_error ("%s of zeros may be off by %g times the least normal float, not %g", cases[c].op,
                 bounds[0] / 0x1p-126, cases[c].least);
    }
}

/* What is kept in 16 bits is rounded once more, whatever made it: by half a unit of 11 or 8 bits, and in fp16
 * by half of the least number there is. */
static void
test_stored (void)
{
  static const Row copy = { .op = "relu", .test = { .in = { { 2 } } }, .in = { { 3, 0 } } },
                   sum = { .op = "add", .test = { .in = { { 2 }, { 2 } } }, .in = { { 3, -3 }, { -7, -1 } } };
  static const struct {
    LsDtype stored;
    double half_unit, least;
  } cases[] = { { LS_F32, 0, 0 }, { LS_F16, 0x1p-11, 0x1p-25 }, { LS_BF16, 0x1p-8, 0 } };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree double *of_copy = bounds_of (&copy, cases[c].stored),
                        *of_sum = bounds_of (&sum, cases[c].stored);

      g_assert_cmpfloat (of_copy[0], ==, cases[c].half_unit * 3 + cases[c].least);
      g_assert_cmpfloat (of_copy[1], ==, cases[c].least);
      for (guint i = 0; i < 2; i++) /* −4 both, off by 4 ε before: that is rounded, too */
        g_assert_cmpfloat_with_epsilon (
          of_sum[i], 4 * 0x1p-23 + cases[c].half_unit * (4 + 4 * 0x1p-23) + cases[c].least, 1e-13);
    }
}

void
ls_add_worked_bounds (void)
{
  g_test_add_func ("/tolerance/worked-by-hand", test_worked);
  g_test_add_func ("/tolerance/flushed", test_flushed);
  g_test_add_func ("/tolerance/stored", test_stored);
}
