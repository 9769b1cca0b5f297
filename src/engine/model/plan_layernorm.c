/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forward op of a layernorm, with torch.nn.LayerNorm's parameters. What is normalised together follows
 * from its input: of a flat one all of a sample's values, of planes their last dimension, which of an lstm's
 * outputs (1×T×N) is a step's N units.
 */
#include "model/plan_maker.h"

gboolean
ls_maker_layernorm (LsMaker *m, GError **error)
{
  const LsTensor x = *ls_plan_builder_get (m->b, m->current);
  const gint64 n = m->flat ? ls_tensor_inner (&x) : x.shape[x.rank - 1];
  g_autofree char *symbol = ls_maker_symbol (m, "N"), *name = ls_maker_name (m, "h");
  const char *number = symbol + 1;
  g_autofree char *gamma_symbol = g_strconcat ("γ", number, NULL),
                  *beta_symbol = g_strconcat ("β", number, NULL),
                  *mean_symbol = g_strconcat ("μ", number, NULL),
                  *scale_symbol = g_strconcat ("1/σ", number, NULL),
                  *mean_name = g_strconcat (name, ".mean", NULL),
                  *scale_name = g_strconcat (name, ".rstd", NULL);
  g_autofree char *right = g_strdup_printf ("%s ⊙ norm(%s) + %s", gamma_symbol, x.symbol, beta_symbol);
  const gint gamma = ls_maker_param (m, "weight", gamma_symbol, LS_INIT_ONE, n, n, 1, &n, error),
             beta = gamma < 0 ? -1
                              : ls_maker_param (m, "bias", beta_symbol, LS_INIT_ZERO, n, n, 1, &n, error),
             out = beta < 0
                     ? -1
                     : ls_maker_op (m, &ls_op_layernorm, (guint[]){ m->current, (guint) gamma, (guint) beta },
                                    (LsOpAttr){ 0 }, name, symbol, right, error);

  if (out < 0)
    return FALSE;
  ls_plan_builder_describe (m->b, ls_plan_builder_last_output (m->b, 1), LS_ROLE_ACTIVATION, mean_name,
                            mean_symbol);
  ls_plan_builder_describe (m->b, ls_plan_builder_last_output (m->b, 2), LS_ROLE_ACTIVATION, scale_name,
                            scale_symbol);
  m->current = (guint) out;
  return TRUE;
}
