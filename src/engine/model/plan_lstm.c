/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forward ops of an LSTM, T steps of B samples:
 *
 *   S = the steps, [T·B, F]          one product for all steps, which none waits for:
 *   Z = S·Wᵀ + b                     what the input gives the gates, [T·B, 4N]
 *   and for t = 1 … T, each waiting for the one before:
 *   q_t = h_t−1·Uᵀ + b′              what the last output gives them, [B, 4N]; h₀ = 0, so q₁ = b′
 *   h_t, c_t = lstm (z_t, q_t, c_t−1)   z_t: rows of Z; h_t and c_t go to rows of H and C, [T·B, N]
 *
 * The way back follows from the ops' gradients: dz_t lie in rows of one dZ, so that dW, dU and both biases'
 * are one op each over all steps (plan_gradients.c).
 */
#include "config.h"
#include <glib/gi18n-lib.h>
#include "model/plan_maker.h"

/* Of a layer that is being made. */
typedef struct {
  LsMaker *m;
  gint64 batch, steps, units, values; /* values: of a step's input */
  char mark[16];                      /* between a letter and its step: which LSTM, where there are several */
  guint u, bias;                      /* U and b′ */
  gint all[3];                        /* H, C, and the gates of all steps */
  guint h, c;                         /* of the step before */
} Lstm;

static guint
count_lstms (const LsModel *model)
{
  guint n = 0;

  for (guint i = 0; i < model->n_layers; i++)
    n += model->layers[i].kind == LS_LAYER_LSTM;
  return n;
}

/* "h" and 12 → "h₁₂", of the second of several "h²₁₂". (transfer full) */
static char *
step_symbol (const Lstm *l, const char *letter, gint64 t)
{
  g_autofree char *marked = g_strconcat (letter, l->mark, NULL);
  return ls_maker_subscripted (marked, (guint) t);
}

/* "h0.t12" (transfer full) */
static char *
step_name (const Lstm *l, const char *letter, gint64 t)
{
  g_autofree char *name = ls_maker_name (l->m, letter);
  return g_strdup_printf ("%s.t%d", name, (int) t);
}

/* A step's rows of a tensor of all steps. */
static gint
step_rows (const Lstm *l, gint all, const char *letter, gint64 t, GError **error)
{
  g_autofree char *name = step_name (l, letter, t), *symbol = step_symbol (l, letter, t);
  return ls_plan_builder_view (l->m->b, name, symbol, (guint) all, (t - 1) * l->batch, l->batch, error);
}

/* An op of one step, with its output's name and symbol. */
static gint
step_op (Lstm *l, const LsOpClass *klass, const guint *in, LsOpAttr attr, const char *letter, gint64 t,
         const char *right, GError **error)
{
  g_autofree char *name = step_name (l, letter, t), *symbol = step_symbol (l, letter, t);
  return ls_maker_op (l->m, klass, in, attr, name, symbol, right, error);
}

/* q_t: the product and the bias; of the first step, where h is 0, the bias alone. */
static gint
add_recurrence (Lstm *l, gint64 t, GError **error)
{
  LsPlanBuilder *b = l->m->b;
  const LsTensor like = { .dtype = LS_F32, .rank = 2, .shape = { l->batch, 4 * l->units } };
  gint p;

  if (t == 1)
    p = ls_plan_builder_zeros (b, &like, error);
  else
    {
      g_autofree char *right = g_strdup_printf ("%s·%sᵀ", ls_plan_builder_symbol (b, l->h),
                                                ls_plan_builder_get (b, l->u)->symbol);
      p = step_op (l, &ls_op_matmul, (guint[]){ l->h, l->u }, (LsOpAttr){ .tb = TRUE }, "p", t, right, error);
    }
  if (p < 0)
    return -1;
  g_autofree char *sum = g_strdup_printf ("%s + %s", ls_plan_builder_get (b, (guint) p)->symbol,
                                          ls_plan_builder_get (b, l->bias)->symbol);
  return step_op (l, &ls_op_bias, (guint[]){ (guint) p, l->bias }, (LsOpAttr){ 0 }, "q", t, sum, error);
}

static gboolean
add_step (Lstm *l, gint z, gint64 t, GError **error)
{
  static const char *const letters[] = { "h", "c", "g" };
  LsPlanBuilder *b = l->m->b;
  const gint z_t = step_rows (l, z, "z", t, error), q_t = z_t < 0 ? -1 : add_recurrence (l, t, error);
  gint into[LS_OP_MAX_OUT] = { -1, -1, -1, -1 };

  if (q_t < 0)
    return FALSE;
  for (guint j = 0; j < G_N_ELEMENTS (letters); j++)
    if ((into[j] = step_rows (l, l->all[j], letters[j], t, error)) < 0)
      return FALSE;
  g_autofree char *h = step_symbol (l, "h", t), *c = step_symbol (l, "c", t);
  g_autofree char *equation = g_strdup_printf ("%s = o ⊙ tanh %s; %s = f ⊙ %s + i ⊙ g", h, c, c,
                                               ls_plan_builder_symbol (b, l->c));
  if (ls_plan_builder_op_into (b, &ls_op_lstm, (guint[]){ (guint) z_t, (guint) q_t, l->c }, (LsOpAttr){ 0 },
                               into, h, equation, LS_ROLE_ACTIVATION, error)
      < 0)
    return FALSE;
  l->h = (guint) into[0];
  l->c = (guint) into[1];
  return TRUE;
}

/* What the input gives the gates of all steps. Z's id, or −1. */
static gint
add_inputs (Lstm *l, gint steps, GError **error)
{
  LsMaker *m = l->m;
  const gint64 gates = 4 * l->units;
  g_autofree char *w_symbol = ls_maker_subscripted ("W", m->n_weighted),
                  *u_symbol = ls_maker_subscripted ("U", m->n_weighted),
                  *b_symbol = ls_maker_subscripted ("b", m->n_weighted),
                  *b2_symbol = ls_maker_subscripted ("b′", m->n_weighted),
                  *p_symbol = ls_maker_subscripted ("P", m->n_weighted),
                  *z_symbol = ls_maker_subscripted ("Z", m->n_weighted), *p_name = ls_maker_name (m, "z"),
                  *z_name = ls_maker_name (m, "a");
  const gint64 w_shape[] = { gates, l->values }, u_shape[] = { gates, l->units };
  gint w = ls_maker_param (m, "weight_ih_l0", w_symbol, LS_INIT_UNIFORM, l->values, l->units, 2, w_shape,
                           error),
       u = w < 0 ? -1
                 : ls_maker_param (m, "weight_hh_l0", u_symbol, LS_INIT_UNIFORM, l->units, l->units, 2,
                                   u_shape, error),
       b = u < 0 ? -1
                 : ls_maker_param (m, "bias_ih_l0", b_symbol, LS_INIT_UNIFORM, l->values, l->units, 1, &gates,
                                   error),
       b2 = b < 0 ? -1
                  : ls_maker_param (m, "bias_hh_l0", b2_symbol, LS_INIT_UNIFORM, l->units, l->units, 1,
                                    &gates, error);

  if (b2 < 0)
    return -1;
  l->u = (guint) u;
  l->bias = (guint) b2;
  g_autofree char *product = g_strdup_printf ("%s·%sᵀ", ls_plan_builder_get (m->b, (guint) steps)->symbol,
                                              w_symbol),
                  *sum = g_strdup_printf ("%s + %s", p_symbol, b_symbol);
  gint p = ls_maker_op (m, &ls_op_matmul, (guint[]){ (guint) steps, (guint) w }, (LsOpAttr){ .tb = TRUE },
                        p_name, p_symbol, product, error);
  return p < 0 ? -1
               : ls_maker_op (m, &ls_op_bias, (guint[]){ (guint) p, (guint) b }, (LsOpAttr){ 0 }, z_name,
                              z_symbol, sum, error);
}

/* The input as steps, and how many. −1 with an error. */
static gint
add_sequence (Lstm *l, GError **error)
{
  LsMaker *m = l->m;
  const LsLayer *layer = ls_maker_layer (m);
  const LsTensor x = *ls_plan_builder_get (m->b, m->current);

  if (m->flat)
    {
      ls_maker_fail (
        error,
        _("lstm needs a sequence, rows of planes, but its input is flat; put it before “flatten”, "
           "and “lstm %d all” before another lstm"),
        layer->n);
      return -1;
    }
  l->batch = x.shape[0];
  l->steps = layer->by_columns ? x.shape[3] : x.shape[2];
  l->values = x.shape[1] * (layer->by_columns ? x.shape[2] : x.shape[3]);
  if (l->steps > LS_PLAN_MAX_STEPS)
    {
      ls_maker_fail (error, _("lstm takes at most %d steps, but its input has %d"), LS_PLAN_MAX_STEPS,
                     (int) l->steps);
      return -1;
    }

  g_autofree char *name = ls_maker_name (m, "s"), *symbol = ls_maker_subscripted ("S", m->n_weighted),
                  *right = g_strdup_printf (layer->by_columns ? "columns(%s)" : "rows(%s)", x.symbol);
  return ls_maker_op (m, &ls_op_sequence, &m->current, (LsOpAttr){ .by_columns = layer->by_columns }, name,
                      symbol, right, error);
}

/* All steps' outputs as a plane of T rows for whatever follows. */
static gboolean
add_output (Lstm *l, GError **error)
{
  LsMaker *m = l->m;
  const LsOpAttr attr = { .shape = { l->batch, 1, l->steps, l->units } };
  const LsTensor all = *ls_plan_builder_get (m->b, (guint) l->all[0]);
  g_autofree char *name = ls_maker_name (m, "h"), *right = g_strdup_printf ("planes(%s)", all.symbol),
                  *symbol = ls_maker_subscripted ("Y", m->n_weighted);
  gint out;

  if (!ls_maker_layer (m)->all)
    {
      m->current = l->h;
      m->flat = TRUE;
      return TRUE;
    }
  out = ls_maker_op (m, &ls_op_planes, (guint[]){ (guint) l->all[0] }, attr, name, symbol, right, error);
  m->current = (guint) out;
  return out >= 0;
}

gboolean
ls_maker_lstm (LsMaker *m, GError **error)
{
  static const char *const marks[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  Lstm l = { .m = m, .units = ls_maker_layer (m)->n };
  gint steps, z, zeros;

  m->n_weighted++;
  m->n_lstm++;
  if (count_lstms (m->model) > 1)
    g_snprintf (l.mark, sizeof l.mark, "%s%s", m->n_lstm > 9 ? marks[m->n_lstm / 10] : "",
                marks[m->n_lstm % 10]);
  steps = add_sequence (&l, error);
  z = steps < 0 ? -1 : add_inputs (&l, steps, error);
  if (z < 0)
    return FALSE;

  const LsTensor like = { .dtype = LS_F32, .rank = 2, .shape = { l.batch, l.units } };
  for (guint j = 0; j < G_N_ELEMENTS (l.all); j++)
    {
      static const char *const letters[] = { "h", "c", "g" }, *const symbols[] = { "H", "C", "G" };
      g_autofree char *name = ls_maker_name (m, letters[j]), *all = g_strconcat (name, ".steps", NULL),
                      *symbol = ls_maker_subscripted (symbols[j], m->n_weighted);
      const gint64 shape[] = { l.steps * l.batch, (j == 2 ? 4 : 1) * l.units };
      l.all[j] = ls_plan_builder_tensor (m->b, all, symbol, LS_F32, LS_ROLE_ACTIVATION, 2, shape, error);
      if (l.all[j] < 0)
        return FALSE;
    }
  zeros = ls_plan_builder_zeros (m->b, &like, error);
  if (zeros < 0)
    return FALSE;
  l.c = (guint) zeros;
  for (gint64 t = 1; t <= l.steps; t++)
    if (!add_step (&l, z, t, error))
      return FALSE;
  return add_output (&l, error);
}
