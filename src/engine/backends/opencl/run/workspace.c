/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See workspace.h. Two scratch buffers, each as large as the op that wants most of it; a turn's losses and
 * positions; the table of byte values.
 */
#include "backends/opencl/run/workspace.h"

#include "backends/opencl/kernels/kernel.h"

gint64
ls_cl_workspace (gpointer self, const LsPlan *plan)
{
  gsize scratch[2] = { 1, 1 };

  for (guint i = 0; i < plan->n_ops; i++)
    {
      gsize floats[2];

      ls_cl_conv_scratch (&plan->ops[i], plan, floats);
      scratch[0] = MAX (scratch[0], floats[0]);
      scratch[1] = MAX (scratch[1], floats[1]);
    }
  return (gint64) ((scratch[0] + scratch[1] + LS_CL_FIRST_STEPS * (1 + (gsize) plan->batch) + 256)
                   * sizeof (float));
}
