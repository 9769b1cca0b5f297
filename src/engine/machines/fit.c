/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See fit.h.
 */
#include "machines/fit.h"

LsPlan *
ls_fit_plan (const LsFit *fit, guint batch, LsOptimizer optimizer)
{
  g_autoptr (LsPlan) plain = ls_plan_new_sketch (fit->model, fit->in_shape, fit->n_classes, batch, optimizer,
                                                 NULL);

  return plain != NULL ? ls_plan_with_precision (plain, fit->precision) : NULL;
}

gboolean
ls_fit_estimate (const LsFit *fit, guint batch, LsOptimizer optimizer, LsStepMemory *memory)
{
  g_autoptr (LsPlan) plan = ls_fit_plan (fit, batch, optimizer);

  if (plan == NULL)
    return FALSE;
  ls_plan_memory (plan, NULL, ls_backend_opencl.memory->workspace (NULL, plan), memory);
  memory->bytes[LS_MEMORY_DATA] = fit->data_bytes;
  return TRUE;
}

guint
ls_fit_largest (const LsFit *fit, LsOptimizer optimizer, double limit, gboolean *any)
{
  guint fits = 0, more = LS_FIT_MAX_BATCH + 1;

  *any = TRUE;
  while (more - fits > 1)
    {
      const guint batch = (fits + more) / 2;
      LsStepMemory memory;
      const gboolean can = ls_fit_estimate (fit, batch, optimizer, &memory);

      if (can && (double) ls_step_memory_sum (&memory) <= limit)
        {
          fits = batch;
          continue;
        }
      more = batch;
      *any = !can;
    }
  return fits;
}
