/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that each worker has for itself: no tile of any op writes past what the op says it needs. Behind
 * that begins the next worker's.
 */
#include "backends/cpu/cpu.h"

#include <stdlib.h>

#include "core/memory.h"
#include "tests/cpu/rig.h"

#define BEHIND 65536 /* floats that are looked at */
#define MARK   0x5ca1ab1eu

static const char *const models[] = {
  "flatten, dense 33, relu, dense 17, tanh, dense 10",
  "conv 5 3 pad 1, relu, conv 6 3 pad 1, relu, conv 5 5 stride 2, sigmoid, flatten, dense 10",
  "conv 16 3 pad 1, relu, maxpool 2, conv 16 3, avgpool 2, layernorm, flatten, dense 10",
  "conv 16 3 pad 1, gelu, conv 16 3 pad 1, relu, residual(conv 16 3 pad 1, relu), flatten, dense 10",
  "flatten, dense 64, dropout 0.5, relu, layernorm, dense 10",
  "lstm 12 all, lstm 9, dense 10",
};

/* All tiles of the stage, with as much as each wants and marks behind that. */
static void
run_tiles (const Rig *rig, const LsCpuStage *stage)
{
  const gsize wanted = stage->own_scratch + stage->half_scratch;
  guint32 *scratch = ls_memory_new ((wanted + BEHIND) * sizeof *scratch);

  for (gsize i = 0; i < BEHIND; i++)
    scratch[wanted + i] = MARK;
  for (guint32 tile = 0; tile < stage->n_passes * stage->n_tiles; tile++)
    stage->tile (stage, tile, (float *) (void *) scratch);
  for (gsize i = BEHIND; i-- > 0;)
    if (scratch[wanted + i] != MARK)
      g_error ("%s (%s, %s) writes %zu floats behind the %zu that it has said it needs",
               stage->call.op->klass->name, stage->tiling.kernel, ls_precision_name (rig->plan->precision),
               i + 1, wanted);
  free (scratch);
}

static void
check_scratch (const char *model, gboolean reuse)
{
  for (guint precision = 0; precision < LS_PRECISION_N; precision++)
    for (guint kernels = 0; kernels < LS_CPU_KERNELS_N; kernels++)
      {
        g_autoptr (LsOptions) options = ls_options_new ();
        LsRunResult result = { 0 };
        Rig *rig;
        LsCpu *self;

        options->threads = 2;
        options->cpu_kernels = (gint) kernels;
        rig = rig_new_stored (&ls_backend_cpu, options, model, 7, (LsPrecision) precision);
        rig->reuse = reuse;
        rig_run (rig, 1, TRUE, NULL, &result);
        self = rig->self;
        for (guint i = 0; i < rig->plan->batch; i++)
          rig->index[i] = i;
        self->batch.index = rig->index;
        for (guint i = 0; i < rig->plan->n_ops; i++)
          {
            if (self->plain[i].kernel == NULL)
              continue;
            run_tiles (rig, &self->plain[i]);
            run_tiles (rig, &self->fused[i]);
          }
        rig_free (rig);
      }
}

/* Whether or not steps reuse memory: a convolution's tiles then do the pooling, too. */
static void
test_scratch (gconstpointer model)
{
  check_scratch (model, FALSE);
  check_scratch (model, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cpu/scratch/%u", i);
      g_test_add_data_func (path, models[i], test_scratch);
    }
  return g_test_run ();
}
