/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See factors.h.
 */
#include "factors.h"

static double
image_at (const Factors *f, const float *x, gint64 part, gint64 where)
{
  const LsOpAttr *a = &f->op->attr;
  const gint64 area = (gint64) a->kernel * a->kernel, i = part / area, u = part % area / a->kernel,
               v = part % a->kernel;
  const gint64 b = where / (f->y[2] * f->y[3]), r = where / f->y[3] % f->y[2], s = where % f->y[3];
  const gint64 h = r * a->stride + u - a->pad, w = s * a->stride + v - a->pad;

  return h < 0 || w < 0 || h >= f->x[2] || w >= f->x[3]
           ? 0
           : (double) x[((b * f->x[1] + i) * f->x[2] + h) * f->x[3] + w];
}

static double
delta_at (const Factors *f, const float *dy, gint64 part, gint64 where)
{
  const LsOpAttr *a = &f->op->attr;
  const gint64 area = (gint64) a->kernel * a->kernel, o = part / area, u = part % area / a->kernel,
               v = part % a->kernel;
  const gint64 b = where / (f->x[2] * f->x[3]), h = where / f->x[3] % f->x[2], w = where % f->x[3];

  for (gint64 r = 0; r < f->y[2]; r++)
    for (gint64 s = 0; s < f->y[3]; s++)
      if (r * a->stride + u - a->pad == h && s * a->stride + v - a->pad == w)
        return (double) dy[((b * f->y[1] + o) * f->y[2] + r) * f->y[3] + s];
  return 0;
}

double
factors_a (const Factors *f, gint64 m, gint64 k)
{
  const LsOpAttr *a = &f->op->attr;
  const gint64 area = (gint64) a->kernel * a->kernel;

  if (f->op->klass == &ls_op_matmul)
    return (double) f->in[0][a->ta ? k * a->m + m : m * a->k + k];
  if (f->op->klass == &ls_op_conv2d)
    return (double) f->in[1][m * a->k + k];
  if (f->op->klass == &ls_op_conv2d_dx)
    return (double) f->in[1][(k / area * f->x[1] + m) * area + k % area];
  return (double)
    f->in[0][(k / (f->y[2] * f->y[3]) * f->y[1] + m) * f->y[2] * f->y[3] + k % (f->y[2] * f->y[3])];
}

double
factors_b (const Factors *f, gint64 k, gint64 n)
{
  const LsOpAttr *a = &f->op->attr;

  if (f->op->klass == &ls_op_matmul)
    return (double) f->in[1][a->tb ? n * a->k + k : k * a->n + n];
  if (f->op->klass == &ls_op_conv2d)
    return image_at (f, f->in[0], k, n);
  if (f->op->klass == &ls_op_conv2d_dx)
    return delta_at (f, f->in[0], k, n);
  return image_at (f, f->in[1], n, k);
}

gboolean
factors_init (Factors *f, const LsPlan *plan, void *const *values, guint op)
{
  const LsOp *o = &plan->ops[op];
  const LsTensor *t = plan->tensors;

  *f = (Factors){ .op = o };
  if (o->klass == &ls_op_matmul || o->klass == &ls_op_conv2d || o->klass == &ls_op_conv2d_dx
      || o->klass == &ls_op_conv2d_dw)
    {
      f->in[0] = values[o->in[0]];
      f->in[1] = values[o->in[1]];
      f->x = t[o->klass == &ls_op_conv2d      ? o->in[0]
               : o->klass == &ls_op_conv2d_dx ? o->out[0]
                                              : o->in[1]]
               .shape;
      f->y = t[o->klass == &ls_op_conv2d ? o->out[0] : o->in[0]].shape;
      return TRUE;
    }
  return FALSE;
}
