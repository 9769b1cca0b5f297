/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/tiling.h"

const char *const ls_way_names[]
  = { "own loops", "direct", "direct by outputs", "naive loops", "scalar loops",
      "naive",     "tiled",  "register",          "packed",      NULL };

void
ls_tiling_find_way (LsTiling *tiling)
{
  for (guint i = 0; !tiling->reference && ls_way_names[i] != NULL; i++)
    if (g_str_has_prefix (tiling->kernel, ls_way_names[i]))
      tiling->way = (LsWay) (i + 1);
}

void
ls_tiling_output_matrix (const gint64 *shape, guint rank, gint64 *rows, gint64 *cols)
{
  *rows = rank > 1 ? shape[0] : 1;
  *cols = rank == 1 ? shape[0] : 1;
  for (guint i = 1; i < rank; i++)
    *cols *= shape[i];
}

void
ls_tiling_set (LsTiling *tiling, gint64 rows, gint64 cols, gint64 tile_rows, gint64 tile_cols)
{
  tiling->rows = rows;
  tiling->cols = cols;
  tiling->tile_rows = CLAMP (tile_rows, 1, MAX (rows, 1));
  tiling->tile_cols = CLAMP (tile_cols, 1, MAX (cols, 1));
  tiling->grid_rows = (guint) ((rows + tiling->tile_rows - 1) / tiling->tile_rows);
  tiling->grid_cols = (guint) ((cols + tiling->tile_cols - 1) / tiling->tile_cols);
  tiling->splits = MAX (tiling->splits, 1);
}
