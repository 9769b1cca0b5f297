/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/blas_model.h"

#include <string.h>

static const LsBlasModel models[] = {
  { "SkylakeX", 24, 16, 4, 32, 64, 24 },
  { "Cooperlake", 24, 16, 4, 32, 64, 24 },
  { "Sapphirerapids", 24, 16, 4, 32, 64, 24 },
  { "Haswell", 12, 8, 4, 16, 32, 12 },
  { "Zen", 12, 8, 4, 16, 32, 12 },
};

const LsBlasModel *
ls_blas_model (const char *driver)
{
  for (gsize i = 0; driver != NULL && i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *word = g_strdup_printf ("(%s)", models[i].core);
      g_autofree char *low = g_ascii_strdown (driver, -1), *wanted = g_ascii_strdown (word, -1);
      if (strstr (low, wanted) != NULL)
        return &models[i];
    }
  return NULL;
}

LsBlasTraffic
ls_blas_traffic (const LsBlasModel *model, gint64 rows, gint64 cols, gint64 k, gint64 sliver, gint64 groups, gint64 step)
{
  const gint64 all_groups = (rows + model->rows - 1) / model->rows, tiles = sliver * all_groups + groups;
  const gint64 begun = sliver + (groups > 0 || step > 0);
  LsBlasTraffic t = { 0 };

  t.registers = 4 * (tiles * k + step) * (model->rows + model->cols);
  t.l1 = 4 * k * (begun * model->cols + (tiles + (step > 0)) * model->rows);
  t.l2 = 4 * k * (rows + cols);
  t.flops = 2 * (tiles * k + step) * model->rows * model->cols;
  return t;
}
