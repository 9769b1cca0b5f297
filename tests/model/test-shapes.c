/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes that an op's rule must refuse, and what is said of them.
 */
#include <string.h>

#include "core/error.h"
#include "loops.h"
#include "ops/shape.h"

static const struct {
  const char *name;
  LsOpTest test;
  const char *words; /* NULL: whatever they are */
} rows[] = {
  { "matmul", { .in = { { 3, 4 }, { 5, 4 } } }, "a matrix of 3×4 can't be multiplied by one of 5×4" },
  { "matmul",
    { .in = { { 3, 4 }, { 4, 5 } }, .attr = { .tb = TRUE } },
    "a matrix of 3×4 can't be multiplied by one of 4×5ᵀ" },
  { "matmul",
    { .in = { { 3, 4 }, { 4, 6 } }, .attr = { .shape = { 3, 2, 2 } } },
    "a product of 3×6 can't take the shape 3×2×2" },
  { "matmul",
    { .in = { { 65536, 1 }, { 1, 65536 } } },
    "a tensor of 65536×65536 has fewer than 1 or more than 2147483647 elements; choose other sizes" },
  { "conv2d",
    { .in = { { 1, 2, 5, 5 }, { 3, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 1 } },
    "conv 3 with weights 3×1×3×3 doesn't fit an input of 2×5×5" },
  { "conv2d",
    { .in = { { 1, 2, 5, 5 }, { 3, 2, 3, 3 } }, .attr = { .kernel = 5, .stride = 1 } },
    "conv 5 with weights 3×2×3×3 doesn't fit an input of 2×5×5" },
  { "conv2d",
    { .in = { { 1, 2, 2, 5 }, { 3, 2, 3, 3 } }, .attr = { .kernel = 3, .stride = 1 } },
    "conv 3 needs an input of at least 3×3, but its input is 2×2×5" },
  { "conv2d",
    { .in = { { 10, 5 }, { 3, 2, 3, 3 } }, .attr = { .kernel = 3, .stride = 1 } },
    "in0 must have 4 dimensions, but is 10×5" },
  { "conv2d",
    { .in = { { 4, 2 }, { 3, 2, 1, 1 } }, .attr = { .kernel = 1, .stride = 1, .pad = 1 } },
    "in0 must have 4 dimensions, but is 4×2" },
  { "conv2d",
    { .in = { { 1, 2, 5, 5 }, { 3, 2 } }, .attr = { .kernel = 1, .stride = 1, .pad = 1 } },
    "in1 must have 4 dimensions, but is 3×2" },
  { "conv2d_dx",
    { .in = { { 1, 3, 3, 3 }, { 3, 2, 3, 3 }, { 1, 2, 6, 5 } }, .attr = { .kernel = 3, .stride = 1 } },
    "in0 and Y must have the same shape, but are 1×3×3×3 and 1×3×4×3" },
  { "conv2d_dw",
    { .in = { { 1, 3, 4, 3 }, { 1, 2, 5, 5 } }, .attr = { .kernel = 3, .stride = 1 } },
    "in0 and Y must have the same shape, but are 1×3×4×3 and 1×3×3×3" },
  { "bias", { .in = { { 3, 4 }, { 3 } } }, "in1 and channels must have the same shape, but are 3 and 4" },
  { "bias", { .in = { { 3 }, { 3 } } }, "in0 must have 2 dimensions, but is 3" },
  { "bias_grad", { .in = { { 3 } } }, "in0 must have 2 dimensions, but is 3" },
  { "relu_grad",
    { .in = { { 3, 4 }, { 4, 3 } } },
    "in0 and in1 must have the same shape, but are 3×4 and 4×3" },
  { "maxpool2d",
    { .in = { { 1, 1, 2, 1 } }, .attr = { .kernel = 2, .stride = 2 } },
    "maxpool 2 needs an input of at least 2×2, but its input is 1×2×1" },
  { "maxpool2d_grad",
    { .in = { { 1, 1, 2, 2 }, { 1, 1, 2, 1 }, { 1, 1, 4, 4 } }, .attr = { .kernel = 2, .stride = 2 } },
    "in1 and index must have the same shape, but are 1×1×2×1 and 1×1×2×2" },
  { "avgpool2d",
    { .in = { { 1, 1, 2, 1 } }, .attr = { .kernel = 2, .stride = 2 } },
    "avgpool 2 needs an input of at least 2×2, but its input is 1×2×1" },
  { "avgpool2d",
    { .in = { { 4, 4 } }, .attr = { .kernel = 2, .stride = 2 } },
    "in0 must have 4 dimensions, but is 4×4" },
  { "avgpool2d_grad",
    { .in = { { 1, 1, 2, 2 }, { 1, 1, 4, 6 } }, .attr = { .kernel = 2, .stride = 2 } },
    "in0 and Y must have the same shape, but are 1×1×2×2 and 1×1×2×3" },
  { "layernorm",
    { .in = { { 3, 4 }, { 3 }, { 3 } } },
    "in1 and weight must have the same shape, but are 3 and 4" },
  { "layernorm",
    { .in = { { 3, 4 }, { 4 }, { 3 } } },
    "in1 and in2 must have the same shape, but are 4 and 3" },
  { "layernorm",
    { .in = { { 2, 3, 4, 5 }, { 20 }, { 20 } } },
    "in1 and weight must have the same shape, but are 20 and 60" },
  { "layernorm", { .in = { { 3, 4 }, { 1, 4 }, { 1, 4 } } }, "in1 must have 1 dimensions, but is 1×4" },
  { "layernorm_grad",
    { .in = { { 3, 4 }, { 3, 4 }, { 4 }, { 3 }, { 4 } } },
    "in4 and rows must have the same shape, but are 4 and 3" },
  { "layernorm_dw", { .in = { { 3, 4 }, { 3, 4 }, { 5 }, { 5 } } }, NULL },
  { "dropout_grad",
    { .in = { { 3, 4 }, { 4, 3 } } },
    "in0 and in1 must have the same shape, but are 3×4 and 4×3" },
  { "softmax_xent", { .in = { { 3, 4 }, { 4 } } }, NULL },
  { "softmax_xent_grad", { .in = { { 3, 4, 1, 1 }, { 3 } } }, "in0 must have 2 dimensions, but is 3×4×1×1" },
  { "sgd", { .in = { { 3 }, { 3 }, { 4 } } }, "in0 and in2 must have the same shape, but are 3 and 4" },
  { "adam",
    { .in = { { 3 }, { 3 }, { 3 }, { 3, 1 } } },
    "in0 and in3 must have the same shape, but are 3 and 3×1" },
  { "gather",
    { .attr = { .shape = { 3, 0, 1, 1 } } },
    "a tensor of 3×0×1×1 has fewer than 1 or more than 2147483647 elements; choose other sizes" },
  { "relu",
    { .in = { { 0 } } },
    "a tensor of 0 has fewer than 1 or more than 2147483647 elements; choose other sizes" },
  { "relu",
    { .in = { { G_MAXINT64, G_MAXINT64 } } },
    "a tensor of 9223372036854775807×9223372036854775807 has fewer than 1 or more than 2147483647 elements; "
    "choose other sizes" },
  { "matmul",
    { .in = { { 4, 3 }, { 5, 3 } }, .attr = { .ta = TRUE, .tb = TRUE } },
    "a matrix of 4×3ᵀ can't be multiplied by one of 5×3ᵀ" },
  { "conv2d_dx",
    { .in = { { 1, 3, 3, 3 }, { 3, 1, 3, 3 }, { 1, 2, 5, 5 } }, .attr = { .kernel = 3, .stride = 1 } },
    "conv 3 with weights 3×1×3×3 doesn't fit an input of 2×5×5" },
  { "conv2d_dw",
    { .in = { { 3, 3 }, { 1, 2, 5, 5 } }, .attr = { .kernel = 3, .stride = 1 } },
    "in0 must have 4 dimensions, but is 3×3" },
  { "conv2d_dw",
    { .in = { { 1, 3, 3, 3 }, { 2, 5 } }, .attr = { .kernel = 3, .stride = 1 } },
    "in1 must have 4 dimensions, but is 2×5" },
  { "maxpool2d",
    { .in = { { 4, 4 } }, .attr = { .kernel = 2, .stride = 2 } },
    "in0 must have 4 dimensions, but is 4×4" },
  { "maxpool2d",
    { .in = { { 1, 1, 1, 2 } }, .attr = { .kernel = 2, .stride = 2 } },
    "maxpool 2 needs an input of at least 2×2, but its input is 1×1×2" },
  { "maxpool2d_grad",
    { .in = { { 1, 1, 2, 1 }, { 1, 1, 2, 2 }, { 1, 1, 4, 4 } }, .attr = { .kernel = 2, .stride = 2 } },
    "in0 and Y must have the same shape, but are 1×1×2×1 and 1×1×2×2" },
  { "add", { .in = { { 3, 4 }, { 3, 5 } } }, "in0 and in1 must have the same shape, but are 3×4 and 3×5" },
  { "layernorm_grad",
    { .in = { { 3, 4 }, { 3, 4 }, { 4 }, { 4 }, { 3 } } },
    "in3 and rows must have the same shape, but are 4 and 3" },
  { "layernorm_grad",
    { .in = { { 3, 4 }, { 4, 3 }, { 4 }, { 3 }, { 3 } } },
    "in0 and in1 must have the same shape, but are 3×4 and 4×3" },
  { "layernorm_dw",
    { .in = { { 3, 4 }, { 4, 3 }, { 3 }, { 3 } } },
    "in0 and in1 must have the same shape, but are 3×4 and 4×3" },
  { "layernorm_dw",
    { .in = { { 3, 4 }, { 3, 4 }, { 3 }, { 4 } } },
    "in2 and in3 must have the same shape, but are 3 and 4" },
  { "layernorm_dw",
    { .in = { { 3, 4 }, { 3, 4 }, { 3, 1 }, { 3, 1 } } },
    "in2 must have 1 dimensions, but is 3×1" },
  { "softmax_xent", { .in = { { 3, 4, 1, 1 }, { 3 } } }, "in0 must have 2 dimensions, but is 3×4×1×1" },
  { "softmax_xent_grad",
    { .in = { { 3, 4 }, { 4 } } },
    "in1 and rows must have the same shape, but are 4 and 3" },
  { "sequence", { .in = { { 3, 4 } } }, "in0 must have 4 dimensions, but is 3×4" },
  { "sequence", { .in = { { 3 } }, .attr = { .by_columns = TRUE } }, "in0 must have 4 dimensions, but is 3" },
  { "planes",
    { .in = { { 10, 7, 1 } }, .attr = { .shape = { 2, 1, 5, 7 } } },
    "in0 must have 2 dimensions, but is 10×7×1" },
  { "planes",
    { .in = { { 10, 6 } }, .attr = { .shape = { 2, 1, 5, 7 } } },
    "steps of 10×6 can't take the shape 2×1×5×7" },
  { "planes",
    { .in = { { 9, 7 } }, .attr = { .shape = { 2, 1, 5, 7 } } },
    "steps of 9×7 can't take the shape 2×1×5×7" },
  { "planes",
    { .in = { { 10, 7 } }, .attr = { .shape = { 2, 1, 5, 7 }, .by_columns = TRUE } },
    "steps of 10×7 can't take the shape 2×1×5×7" },
  { "lstm",
    { .in = { { 3, 16 }, { 3, 16 }, { 3, 5 } } },
    "in0 and gates must have the same shape, but are 3×16 and 3×20" },
  { "lstm",
    { .in = { { 3, 20 }, { 3, 16 }, { 3, 5 } } },
    "in1 and gates must have the same shape, but are 3×16 and 3×20" },
  { "lstm", { .in = { { 3, 20 }, { 3, 20 }, { 3, 5, 1 } } }, "in2 must have 2 dimensions, but is 3×5×1" },
  { "lstm_grad",
    { .in = { { 3, 5 }, { 3, 5 }, { 3, 16 }, { 3, 5 }, { 3, 5 } } },
    "in2 and gates must have the same shape, but are 3×16 and 3×20" },
  { "lstm_grad",
    { .in = { { 3, 5 }, { 3, 4 }, { 3, 20 }, { 3, 5 }, { 3, 5 } } },
    "in1 and in0 must have the same shape, but are 3×4 and 3×5" },
  { "lstm_grad",
    { .in = { { 3, 5 }, { 3, 5 }, { 3, 20 }, { 4, 5 }, { 3, 5 } } },
    "in3 and in0 must have the same shape, but are 4×5 and 3×5" },
  { "lstm_grad",
    { .in = { { 3, 5 }, { 3, 5 }, { 3, 20 }, { 3, 5 }, { 3, 6 } } },
    "in4 and in0 must have the same shape, but are 3×6 and 3×5" },
};

/* The tensors are named in the order in which their shapes are told. */
static void
test_refused (void)
{
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsPlan) plan = ls_plan_new_single (ls_op_class_find (rows[r].name), &rows[r].test, &error);

      if (plan != NULL)
        g_error ("row %u: %s takes shapes that it can’t", r, rows[r].name);
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (rows[r].words != NULL && strcmp (error->message, rows[r].words) != 0)
        g_error ("row %u: of %s it is said “%s”, not “%s”", r, rows[r].name, error->message, rows[r].words);
    }
}

/* 2·m·n·k operations are counted in 63 bits: each of the three products may be the one too many. The words
 * name the matrices as they are multiplied. */
static void
test_products (void)
{
  static const struct {
    gint64 m, n, k;
    const char *words; /* NULL: it can be counted */
  } products[] = {
    { 2, 3, 4, NULL },
    { 1, 1, G_MAXINT64 / 2, NULL },
    { 1, 1, G_MAXINT64 / 2 + 1, "1×4611686018427387904 by 4611686018427387904×1" },
    { G_MAXINT64 / 2, 1, 1, NULL },
    { 1, G_MAXINT64 / 2 + 1, 1, "1×1 by 1×4611686018427387904" },
    { G_MAXINT64, 2, 1, "9223372036854775807×1 by 1×2" },
    { 1, G_MAXINT64, 3, "1×3 by 3×9223372036854775807" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    {
      LsOpAttr attr = { 0 };
      g_autoptr (GError) error = NULL;
      g_autofree char *words = g_strdup_printf (
        "a product of %s is too large to compute; choose smaller layers or a smaller batch",
        products[i].words);

      if (ls_shape_gemm (&attr, products[i].m, products[i].n, products[i].k, &error)
          != (products[i].words == NULL))
        g_error ("row %u: a product %s", i,
                 products[i].words == NULL ? "whose operations can be counted is refused"
                                           : "of more operations than 63 bits count is taken");
      g_assert_cmpint (attr.m, ==, products[i].m);
      g_assert_cmpint (attr.n, ==, products[i].n);
      g_assert_cmpint (attr.k, ==, products[i].k);
      if (products[i].words == NULL)
        continue;
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_cmpstr (error->message, ==, words);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shapes/refused", test_refused);
  g_test_add_func ("/shapes/products", test_products);
  return g_test_run ();
}
