/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shape rules' common part: see shape.h.
 */
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "core/error.h"
#include "ops/shape.h"

gboolean
ls_shape_set (LsTensor *t, guint rank, const gint64 *shape, GError **error)
{
  gint64 count = 1;

  g_return_val_if_fail (rank >= 1 && rank <= LS_MAX_RANK, FALSE);
  t->rank = rank;
  for (guint d = 0; d < LS_MAX_RANK; d++)
    t->shape[d] = d < rank ? shape[d] : 0;
  for (guint d = 0; d < rank; d++)
    if (shape[d] < 1 || __builtin_mul_overflow (count, shape[d], &count) || count > G_MAXINT32)
      {
        g_autofree char *size = ls_tensor_shape_string (t);
        g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                     _("a tensor of %s has fewer than 1 or more than %d elements; choose other sizes"), size,
                     G_MAXINT32);
        return FALSE;
      }
  return TRUE;
}

gboolean
ls_shape_copy (LsTensor *t, const LsTensor *of)
{
  t->rank = of->rank;
  memcpy (t->shape, of->shape, sizeof t->shape);
  return TRUE;
}

static gboolean
shape_is (const LsTensor *t, guint rank, const gint64 *shape)
{
  return t->rank == rank && memcmp (t->shape, shape, rank * sizeof *shape) == 0;
}

gboolean
ls_shape_same (const LsTensor *a, const LsTensor *b, GError **error)
{
  if (shape_is (a, b->rank, b->shape))
    return TRUE;

  g_autofree char *a_text = ls_tensor_shape_string (a);
  g_autofree char *b_text = ls_tensor_shape_string (b);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("%s and %s must have the same shape, but are %s and %s"),
               a->name, b->name, a_text, b_text);
  return FALSE;
}

gboolean
ls_shape_rank (const LsTensor *t, guint rank, GError **error)
{
  if (t->rank == rank)
    return TRUE;

  g_autofree char *text = ls_tensor_shape_string (t);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("%s must have %u dimensions, but is %s"), t->name, rank,
               text);
  return FALSE;
}

gboolean
ls_shape_gemm (LsOpAttr *attr, gint64 m, gint64 n, gint64 k, GError **error)
{
  gint64 flops;

  attr->m = m;
  attr->n = n;
  attr->k = k;
  if (!__builtin_mul_overflow (m, n, &flops) && !__builtin_mul_overflow (flops, k, &flops)
      && !__builtin_mul_overflow (flops, 2, &flops))
    return TRUE;

  g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
               _("a product of %lld×%lld by %lld×%lld is too large to compute; choose smaller layers or a "
                  "smaller batch"),
               (long long) m, (long long) k, (long long) k, (long long) n);
  return FALSE;
}

gint64
ls_shape_windows (gint64 size, const LsOpAttr *attr)
{
  gint64 room = size + 2 * (gint64) attr->pad - attr->kernel;

  return room < 0 ? 0 : room / attr->stride + 1;
}

char *
ls_shape_sample_string (const LsTensor *t)
{
  GString *text = g_string_new (NULL);

  for (guint d = 1; d < t->rank; d++)
    g_string_append_printf (text, d == 1 ? "%" G_GINT64_FORMAT : "×%" G_GINT64_FORMAT, t->shape[d]);
  return g_string_free (text, FALSE);
}

gboolean
ls_shape_rule_map (guint n_in, guint n_out, const LsTensor *const *in, LsTensor *out, GError **error)
{
  for (guint j = 1; j < n_in; j++)
    if (!ls_shape_same (in[0], in[j], error))
      return FALSE;
  for (guint j = 0; j < n_out; j++)
    ls_shape_copy (&out[j], in[0]);
  return TRUE;
}

gboolean
ls_shape_rule_one (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_map (1, 1, in, out, error);
}

gboolean
ls_shape_rule_two (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_map (2, 1, in, out, error);
}

gboolean
ls_shape_rule_pool (const char *word, const LsTensor *x, const LsOpAttr *attr, LsTensor *out, GError **error)
{
  if (!ls_shape_rank (x, 4, error))
    return FALSE;

  const gint64 height = ls_shape_windows (x->shape[2], attr), width = ls_shape_windows (x->shape[3], attr);

  if (height < 1 || width < 1)
    {
      g_autofree char *text = ls_shape_sample_string (x);
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("%s %d needs an input of at least %d×%d, but its input is %s"), word, attr->kernel,
                   attr->kernel, attr->kernel, text);
      return FALSE;
    }
  return ls_shape_set (out, 4, (gint64[]){ x->shape[0], x->shape[1], height, width }, error);
}

gboolean
ls_shape_rule_conv (const LsTensor *x, const LsTensor *w, LsOpAttr *attr, LsTensor *out, GError **error)
{
  if (!ls_shape_rank (x, 4, error) || !ls_shape_rank (w, 4, error))
    return FALSE;

  gint64 height = ls_shape_windows (x->shape[2], attr);
  gint64 width = ls_shape_windows (x->shape[3], attr);

  if (w->shape[1] != x->shape[1] || w->shape[2] != attr->kernel || w->shape[3] != attr->kernel)
    {
      g_autofree char *w_text = ls_tensor_shape_string (w);
      g_autofree char *x_text = ls_shape_sample_string (x);
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("conv %d with weights %s doesn't fit an input of %s"),
                   attr->kernel, w_text, x_text);
      return FALSE;
    }
  if (height < 1 || width < 1)
    {
      g_autofree char *x_text = ls_shape_sample_string (x);
      int least = MAX (attr->kernel - 2 * attr->pad, 1);
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("conv %d needs an input of at least %d×%d, but its input is %s"), attr->kernel, least,
                   least, x_text);
      return FALSE;
    }
  return ls_shape_set (out, 4, (gint64[]){ x->shape[0], w->shape[0], height, width }, error)
         && ls_shape_gemm (attr, w->shape[0], x->shape[0] * height * width,
                           w->shape[1] * attr->kernel * attr->kernel, error);
}
