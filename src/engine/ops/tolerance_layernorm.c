/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a float layernorm may be off: of sums as everywhere, 4·√n·ε·Σ|x|, through differences that cancel
 * and the root, whose slope in σ² is −1/2·(σ² + ε)^(−3/2).
 */
#include "ops/tolerance.h"

#include <math.h>

static double
in_at (const LsOpCall *call, guint j, gint64 i)
{
  return ((const double *) call->in[j])[i];
}

static double
out_at (const LsOpCall *call, guint j, gint64 i)
{
  return ((const double *) call->out[j])[i];
}

void
ls_tolerance_layernorm (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 n = ls_tensor_count (call->in_tensor[1]), rows = ls_tensor_count (call->out_tensor[1]);
  const double sums = 4 * sqrt ((double) n) * LS_FLOAT_EPSILON;

  for (gint64 row = 0; row < rows; row++)
    {
      const gint64 first = row * n;
      const double mean = out_at (call, 1, row), scale = out_at (call, 2, row);
      double size = 0, squares = 0, slips = 0, of_mean, of_variance, of_scale;

      for (gint64 i = first; i < first + n; i++)
        size += fabs (in_at (call, 0, i));
      of_mean = sums * size / (double) n + LS_FLOAT_EPSILON * fabs (mean);
      for (gint64 i = first; i < first + n; i++)
        {
          const double d = fabs (in_at (call, 0, i) - mean), off = of_mean + LS_FLOAT_EPSILON * d;
          squares += d * d;
          slips += 2 * d * off + off * off;
        }
      of_variance = (slips + sums * squares) / (double) n + LS_FLOAT_EPSILON * squares / (double) n;
      of_scale = pow (scale, 3) / 2 * of_variance + 6 * LS_FLOAT_EPSILON * scale;
      if (out == 1)
        tolerance[row] = of_mean;
      else if (out == 2)
        tolerance[row] = of_scale;
      for (gint64 i = first; out == 0 && i < first + n; i++)
        {
          const double d = fabs (in_at (call, 0, i) - mean), gamma = fabs (in_at (call, 1, i - first));
          tolerance[i] = gamma * (scale * of_mean + d * of_scale + 3 * LS_FLOAT_EPSILON * d * scale)
                         + LS_FLOAT_EPSILON
                             * (fabs (in_at (call, 2, i - first)) + fabs (out_at (call, 0, i)));
        }
    }
}

void
ls_tolerance_layernorm_grad (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 n = ls_tensor_count (call->in_tensor[2]), rows = ls_tensor_count (call->in_tensor[3]);
  const double sums = 4 * sqrt ((double) n) * LS_FLOAT_EPSILON;

  for (gint64 row = 0; row < rows; row++)
    {
      const gint64 first = row * n;
      const double mean = in_at (call, 3, row), scale = fabs (in_at (call, 4, row));
      double size = 0, size_along = 0;

      for (gint64 i = first; i < first + n; i++)
        {
          const double g = fabs (in_at (call, 0, i) * in_at (call, 2, i - first));
          size += g / (double) n;
          size_along += g * fabs (in_at (call, 1, i) - mean) * scale / (double) n;
        }
      for (gint64 i = first; i < first + n; i++)
        {
          const double g = fabs (in_at (call, 0, i) * in_at (call, 2, i - first)),
                       normal = fabs (in_at (call, 1, i) - mean) * scale;
          tolerance[i] = scale
                         * (3 * LS_FLOAT_EPSILON * g + (sums + 4 * LS_FLOAT_EPSILON) * size
                            + normal * (sums + 8 * LS_FLOAT_EPSILON) * size_along);
        }
    }
}

void
ls_tolerance_layernorm_dw (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 n = ls_tensor_count (call->out_tensor[0]), rows = ls_tensor_count (call->in_tensor[2]);

  for (gint64 i = 0; i < n; i++)
    {
      double size = 0;

      for (gint64 row = 0; row < rows; row++)
        size += fabs (in_at (call, 0, row * n + i))
                * (out == 1
                     ? 1
                     : fabs ((in_at (call, 1, row * n + i) - in_at (call, 2, row)) * in_at (call, 3, row)));
      tolerance[i] = (4 * sqrt ((double) rows) + 4) * LS_FLOAT_EPSILON * size;
    }
}
