/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of workloads, and what can be said of one without running it. Products come as a dense layer of a
 * batch has them: X·Wᵀ forward, dY·W for the gradient of its input, dYᵀ·X for that of its weights.
 */
#include "config.h"
#include "work.h"

/* clang-format off */
#define STEP(n, t, m, d, b, s) \
  { .name = n, .kind = LS_WORK_STEP, .step = { n, t, m, d, b, s }, .share = s },
#define PRODUCT(n, ta, tb, m, cols, k) \
  { .name = n, .kind = LS_WORK_PRODUCT, .product = { ta, tb, m, cols, k }, .share = 1 }
#define CONV(n, ...) { .name = n, .kind = LS_WORK_CONV, .conv = { __VA_ARGS__ }, .share = 1 }

static const LsWork works[] = {
  LS_BENCH_STEPS (STEP)
  PRODUCT ("gemm-256x1024x2048-nt", FALSE, TRUE, 256, 2048, 1024),
  PRODUCT ("gemm-256x1024x2048-nn", FALSE, FALSE, 256, 1024, 2048),
  PRODUCT ("gemm-256x1024x2048-tn", TRUE, FALSE, 2048, 1024, 256),
  PRODUCT ("gemm-1000x1000x1000-nt", FALSE, TRUE, 1000, 1000, 1000),
  PRODUCT ("gemm-1000x1000x1000-nn", FALSE, FALSE, 1000, 1000, 1000),
  PRODUCT ("gemm-1000x1000x1000-tn", TRUE, FALSE, 1000, 1000, 1000),
  PRODUCT ("gemm-128x784x256-nt", FALSE, TRUE, 128, 256, 784),
  PRODUCT ("gemm-128x784x256-nn", FALSE, FALSE, 128, 784, 256),
  PRODUCT ("gemm-128x784x256-tn", TRUE, FALSE, 256, 784, 128),
  PRODUCT ("matvec-1000", FALSE, TRUE, 1, 1000, 1000),
  CONV ("conv-1-forward", LS_CONV_FORWARD, 128, 1, 28, 28, 16, 3, 1, 1),
  CONV ("conv-1-weights", LS_CONV_WEIGHTS, 128, 1, 28, 28, 16, 3, 1, 1),
  CONV ("conv-2-forward", LS_CONV_FORWARD, 128, 16, 14, 14, 32, 3, 1, 1),
  CONV ("conv-2-data", LS_CONV_DATA, 128, 16, 14, 14, 32, 3, 1, 1),
  CONV ("conv-2-weights", LS_CONV_WEIGHTS, 128, 16, 14, 14, 32, 3, 1, 1),
};
/* clang-format on */

static const char *const passes[LS_CONV_N] = { "forward", "data", "weights" };

const LsWork *
ls_works (guint *n)
{
  *n = G_N_ELEMENTS (works);
  return works;
}

GPtrArray *
ls_works_choose (const char *only, const char *const *extra, guint *extras, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), chosen = g_ptr_array_new ();
  g_autofree gboolean *wanted = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (works); i++)
    g_ptr_array_add (names, (gpointer) works[i].name);
  for (guint i = 0; extra[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) extra[i]);
  g_ptr_array_add (names, NULL);
  wanted = ls_bench_choose (only, (const char *const *) names->pdata, error);
  if (wanted == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (works); i++)
    if (wanted[i])
      g_ptr_array_add (chosen, (gpointer) &works[i]);
  *extras = 0;
  for (guint i = 0; extra[i] != NULL; i++)
    *extras |= wanted[G_N_ELEMENTS (works) + i] ? 1u << i : 0;
  return g_steal_pointer (&chosen);
}

/* ---- words ---- */

static char *
product_text (const LsProduct *p)
{
  if (p->m == 1)
    return g_strdup_printf ("%lld×%lld · %lld", (long long) p->n, (long long) p->k, (long long) p->k);
  return g_strdup_printf ("%lld×%lld×%lld %s%s", (long long) p->m, (long long) p->k, (long long) p->n,
                          p->ta ? "Aᵀ" : "A", p->tb ? "·Bᵀ" : "·B");
}

char *
ls_work_text (const LsWork *work)
{
  static const char *const conv[LS_CONV_N] = { "Y", "dX", "dW" };

  switch (work->kind)
    {
    case LS_WORK_STEP:
      return ls_bench_step_text (&work->step);
    case LS_WORK_CONV:
      return g_strdup_printf (
        "conv %lld→%lld %lld×%lld, %lld×%lld×%lld, %s", (long long) work->conv.in, (long long) work->conv.out,
        (long long) work->conv.kernel, (long long) work->conv.kernel, (long long) work->conv.batch,
        (long long) work->conv.height, (long long) work->conv.width, conv[work->conv.pass]);
    case LS_WORK_PRODUCT:
    default:
      return product_text (&work->product);
    }
}

char *
ls_products_spec (const GArray *products)
{
  GString *text = g_string_new ("products\t");

  for (guint i = 0; i < products->len; i++)
    {
      const LsProduct *p = &g_array_index (products, LsProduct, i);
      g_string_append_printf (text, "%s%d %d %lld %lld %lld", i > 0 ? ";" : "", p->ta, p->tb,
                              (long long) p->m, (long long) p->n, (long long) p->k);
    }
  return g_string_free (text, FALSE);
}

char *
ls_work_spec (const LsWork *work)
{
  const LsConv *c = &work->conv;

  if (work->kind == LS_WORK_STEP)
    return ls_bench_step_spec (&work->step);
  if (work->kind == LS_WORK_CONV)
    return g_strdup_printf ("conv\t%s\t%lld %lld %lld %lld %lld %lld %lld %lld", passes[c->pass],
                            (long long) c->batch, (long long) c->in, (long long) c->height,
                            (long long) c->width, (long long) c->out, (long long) c->kernel,
                            (long long) c->stride, (long long) c->pad);
  g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (LsProduct));
  g_array_append_val (one, work->product);
  return ls_products_spec (one);
}

/* ---- what it takes ---- */

GArray *
ls_plan_products (const LsPlan *plan)
{
  GArray *products = g_array_new (FALSE, FALSE, sizeof (LsProduct));

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const gboolean weights = op->klass == &ls_op_conv2d_dw;
      LsProduct p = { op->attr.ta, op->attr.tb, op->attr.m, op->attr.n, op->attr.k };

      if (op->klass == &ls_op_conv2d || op->klass == &ls_op_conv2d_dx || weights)
        {
          p.ta = FALSE;
          p.tb = weights; /* dW = dY·colᵀ */
        }
      else if (op->klass != &ls_op_matmul)
        continue;
      g_array_append_val (products, p);
    }
  return products;
}

gboolean
ls_work_cost (const LsWork *work, LsWorkCost *cost, GError **error)
{
  g_autofree char *spec = ls_work_spec (work);
  g_autoptr (LsPlan) plan = ls_work_plan (spec, NULL, LS_OPTIMIZER_SGD, 1, error);

  *cost = (LsWorkCost){ 0 };
  if (plan == NULL)
    return FALSE;
  cost->products = ls_plan_products (plan);
  for (guint i = 0; i < cost->products->len; i++)
    {
      const LsProduct *p = &g_array_index (cost->products, LsProduct, i);
      cost->flops += 2 * p->m * p->n * p->k;
    }
  cost->bytes = plan->bytes;
  return TRUE;
}
