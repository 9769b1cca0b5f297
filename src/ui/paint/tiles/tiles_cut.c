/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which kernel of the ladder Tiles walks through, and how it cuts the product: as it was run again, as the
 * lane ran it, or as it is by default.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <glib/gi18n-lib.h>

#define MOST_ROWS 4096 /* and columns that a work-group is believed to compute */
#define DW_COLS   9    /* of conv_packed_dw.cl's tiles; those of conv_channels_dw.cl have more */

const char *
ls_tiles_rung_title (const LsRungCut *cut)
{
  switch (cut->rung)
    {
    case LS_RUNG_NAIVE:
      return _("naive");
    case LS_RUNG_TILED:
      return cut->tile_m == 8 ? _("8×8 tiled") : cut->tile_m == 32 ? _("32×32 tiled") : _("16×16 tiled");
    case LS_RUNG_REGISTER:
      return _("register-blocked");
    case LS_RUNG_PACKED:
      return _("packed vectors");
    case LS_RUNG_N:
      break;
    }
  return "";
}

/* With its recorded step, or NULL. */
static const LsViewLane *
opencl_lane (const LsViewData *data)
{
  const LsViewLane *lane = ls_tiles_opencl (data);

  return lane->there && lane->recorded != NULL && lane->who == LS_BACKEND_OPENCL ? lane : NULL;
}

static const LsTiling *
opencl_tiling (const LsViewData *data, guint op)
{
  const LsViewLane *lane = opencl_lane (data);

  return lane != NULL ? &lane->recorded->tilings[lane->recorded->tilings[op].leader] : NULL;
}

gint
ls_tiles_ran (const LsViewData *data, guint op)
{
  const LsTiling *tiling = opencl_tiling (data, op);

  return tiling != NULL ? ls_rung_of (tiling) : -1;
}

/* The walk that the recording has of this product and rung: of the asked work-group, or of the one that it
 * begins with. */
static void
find_walk (LsTiles *t, const LsViewData *data, const LsQuery *query, LsRung rung)
{
  const LsTilesState *asked = ls_tiles_asked (query);
  const LsViewLane *lane = opencl_lane (data);
  const LsWalkWish wish = { (gint) t->op, (gint) rung, asked->group_row, asked->group_col };

  t->walk = NULL;
  t->walk_message = NULL;
  if (lane == NULL || lane->held != NULL)
    return;
  t->walk = ls_recording_walk (data->recording, lane->lane, &wish);
  if (t->walk != NULL && t->walk->message != NULL)
    {
      t->walk_message = t->walk->message;
      t->walk = NULL;
    }
}

/* A packed convolution is another kernel, and takes B from where it lies. */
static void
set_conv_packed (LsRungCut *cut, LsTilesKind kind, gint64 tile_rows, gint64 tile_cols)
{
  const gboolean channels = tile_cols > DW_COLS;

  cut->file = "conv_packed.cl";
  cut->function = "conv_packed";
  cut->panel = FALSE;
  if (kind != LS_TILES_CONV_DW)
    return;
  /* towards the weights there are two, whose tiles tell which */
  cut->file = channels ? "conv_channels_dw.cl" : "conv_packed_dw.cl";
  cut->function = channels ? "conv_channels_dw" : "conv_packed_dw";
  cut->tile_m = cut->item_m = (guint) CLAMP (tile_rows, 1, MOST_ROWS);
  cut->tile_n = cut->item_n = (guint) CLAMP (tile_cols, 1, MOST_ROWS);
}

/* How the lane cut the product, as far as its tiling tells: it has the tiles as they fit C. The tiled rung's
 * are squares; of several that would fit so, the first here. What C clamped stays as the ladder has it. */
static void
take_tiling (LsRungCut *cut, const LsTiling *tiling)
{
  static const guint edges[] = { 16, 8, 32 };

  for (guint i = 0; cut->rung == LS_RUNG_TILED && i < G_N_ELEMENTS (edges); i++)
    if (MIN ((gint64) edges[i], tiling->rows) == tiling->tile_rows
        && MIN ((gint64) edges[i], tiling->cols) == tiling->tile_cols)
      {
        cut->tile_m = cut->tile_n = cut->tile_k = edges[i];
        return;
      }
  if (cut->rung < LS_RUNG_REGISTER || tiling->tile_rows < cut->item_m || tiling->tile_rows > MOST_ROWS
      || tiling->tile_rows % cut->item_m != 0 || tiling->tile_cols < 8 || tiling->tile_cols > MOST_ROWS)
    return;
  cut->tile_m = (guint) tiling->tile_rows;
  cut->tile_n = (guint) tiling->tile_cols;
}

/* How the lane cut the product itself: a packed group goes through more rows than the walk's with one panel
 * of B. */
static void
set_ran_cut (LsTiles *t, const LsTiling *tiling)
{
  LsRungCut *cut = &t->ran_cut;

  if (t->ran < 0)
    return;
  *cut = t->ran == (gint) t->cut.rung ? t->cut : ls_rung_cut ((LsRung) t->ran, 8);
  if (t->ran == LS_RUNG_PACKED && t->kind != LS_TILES_PLAIN)
    set_conv_packed (cut, t->kind, tiling->tile_rows, tiling->tile_cols);
  else
    take_tiling (cut, tiling);
}

void
ls_tiles_choose_cut (LsTiles *t, const LsViewData *data, const LsQuery *query)
{
  const LsTilesState *asked = ls_tiles_asked (query);
  const LsTiling *tiling = opencl_tiling (data, t->op);
  LsRung rung;

  t->ran = ls_tiles_ran (data, t->op);
  rung = asked->rung >= 0 && asked->rung < LS_RUNG_N ? (LsRung) asked->rung
         : t->ran >= 0                               ? (LsRung) t->ran
                                                     : LS_RUNG_TILED;
  find_walk (t, data, query, rung);
  /* a packed convolution is another kernel altogether: how it is cut only its walk knows */
  if (rung == LS_RUNG_PACKED && t->kind != LS_TILES_PLAIN && t->walk == NULL)
    find_walk (t, data, query, rung = LS_RUNG_TILED);
  t->cut = ls_rung_cut (
    rung, t->ran == LS_RUNG_PACKED && tiling->tile_cols <= 32 ? (guint) tiling->tile_cols / 2 : 8);
  if (t->walk != NULL)
    {
      t->cut.tile_m = t->walk->tile_m;
      t->cut.tile_n = t->walk->tile_n;
      t->cut.tile_k = t->cut.local ? t->walk->tile_k : 1;
      t->cut.item_m = t->walk->item_m;
      t->cut.item_n = t->walk->item_n;
    }
  else if (t->ran == (gint) rung
           && (rung == LS_RUNG_TILED || (rung == LS_RUNG_REGISTER && tiling->tile_cols % t->cut.item_n == 0)))
    take_tiling (&t->cut, tiling);
  if (rung == LS_RUNG_PACKED && t->kind != LS_TILES_PLAIN)
    set_conv_packed (&t->cut, t->kind, t->cut.tile_m, t->cut.tile_n);
  set_ran_cut (t, tiling);
  t->modelled = t->ran != (gint) rung;
}
