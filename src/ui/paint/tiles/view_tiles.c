/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles: one work-group's walk through a matrix product, on the recorded step's own numbers. Why does it pay
 * to load a tile once and share it?
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

static void
free_own (gpointer data)
{
  ls_tiles_clear (data);
  g_free (data);
}

/* ---- the layout ---- */

static LsArea
stations_area (const LsTiles *t)
{
  return (LsArea){ t->corner.x, t->corner.y + t->corner.h, t->corner.w,
                   MAX (0, t->bottom - t->corner.y - t->corner.h) };
}

/* Matrices, tiles, ledger, source and roof. */
static void
layout_parts (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const gboolean large = m->size == LS_SIZE_LARGE && !m->projector, tall = large && area.h > area.w * .62;

  if (tall)
    ls_tiles_place_tall (t, area);
  else if (large)
    ls_tiles_place_large (t, area);
  else
    ls_tiles_place_medium (t, area);
  ls_tiles_corner (t);
  if (t->local.h > 0)
    ls_tiles_local (t);
  /* what stands below follows what stands above, also where that doesn't need all of its height */
  t->corner.h = MIN (t->corner.h, t->at_a.y + t->at_a.h + m->label.px * 2.2 + 4 * m->unit - t->corner.y);
  if (t->ledger.h > 0)
    {
      if (t->local.h > 0)
        t->ledger.y = MIN (t->ledger.y, t->foot + 4 * m->unit);
      ls_tiles_ledger (t);
    }
  if (tall && t->foot + 6 * m->unit < t->source.y)
    {
      t->source.h += t->source.y - t->foot - 6 * m->unit;
      t->source.y = t->foot + 6 * m->unit;
    }
  if (t->source.h > 0)
    {
      LsScene *aside = ls_scene_new (t->layout->fonts, &t->layout->style);
      LsTilesNow end;
      const double roof = tall || t->pane == LS_TILES_PANE_SOURCE ? 0 : 62 * m->unit;
      t->source.h -= roof;
      ls_tiles_now (t, LS_TIME_END, &end);
      const double foot = ls_tiles_source (t, aside, &end);
      ls_scene_free (aside);
      t->roof = (LsArea){ t->source.x, foot + 3 * m->unit, t->source.w,
                          area.y + area.h - foot - 3 * m->unit };
      if (tall)
        t->roof = (LsArea){ t->ledger.x, t->ledger.y + t->ledger.h + 6 * m->unit, t->ledger.w,
                            area.y + area.h - t->ledger.y - t->ledger.h - 6 * m->unit };
      t->roof.h = MIN (t->roof.h, 90 * m->unit);
      if (t->kind == LS_TILES_PLAIN)
        ls_tiles_roof (t);
    }
  else if (t->pane == LS_TILES_PANE_ROOF)
    ls_tiles_roof (t);
}

static void
layout_tiles (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsTiles *t = g_new0 (LsTiles, 1);
  LsArea area;
  double h;
  gboolean there;

  layout->own = t;
  layout->free_own = free_own;
  there = ls_tiles_init (t, layout, layout->data, &layout->query);
  if (there)
    {
      layout->heading = g_strdup (t->recorded->equation);
      layout->subheading = ls_tiles_group_words (t);
      layout->span_ns = t->span_ns;
    }
  area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  ls_area_below (&area, 2 * m->unit);
  const gboolean hall = there && m->projector && t->cpu == NULL;
  h = hall ? ls_tiles_hall_head (t, area) + m->unit : ls_stage_heads (layout, area) + m->unit;
  area.y += h;
  area.h -= h + m->unit;
  /* elsewhere there is no room beside the matrices; both heads warn at every size */
  ls_area_below (&area, m->size == LS_SIZE_LARGE && !m->projector ? ls_stage_disagreement (layout, area) : 0);
  if (!there)
    {
      const LsArea middle = { area.x + m->margin, area.y + 4 * m->unit, area.w - 2 * m->margin, area.h };
      if (layout->data->recording != NULL)
        ls_text_wrapped (layout->still, middle.x, middle.y, middle.w, m->heading, LS_INK_TEXT,
                         _("This step has no matrix product."), TRUE);
      else
        ls_coming_lists (layout, area);
      return;
    }
  if (!m->projector)
    ls_area_below (&area, ls_tiles_what_line (t, area));
  t->bottom = area.y + area.h;
  if (t->cpu != NULL)
    ls_tiles_cpu_layout (t, area);
  else if (hall)
    ls_tiles_hall (t, area);
  else
    layout_parts (t, area);
}

static void
move_tiles (LsLayout *layout)
{
  LsTiles *t = layout->own;
  LsTilesNow now;

  if (t->recorded == NULL)
    return;
  if (t->cpu != NULL)
    {
      LsTilesCpuNow cpu;
      ls_tiles_cpu_now (t, layout->query.time_ns, &cpu);
      ls_tiles_cpu_move (t, &cpu);
      return;
    }
  ls_tiles_now (t, layout->query.time_ns, &now);
  if (layout->m.projector)
    {
      ls_tiles_hall_move (t, &now);
      return;
    }
  ls_tiles_corner_move (t, &now);
  ls_tiles_stations_move (t, &now, stations_area (t));
  if (t->local.h > 0)
    {
      ls_tiles_local_move (t, &now);
      ls_tiles_item_move (t, &now);
    }
  if (t->ledger.h > 0)
    ls_tiles_ledger_move (t, &now);
  if (t->source.h > 0)
    ls_tiles_source (t, layout->moving, &now);
  if (t->source.h > 0 && t->kind != LS_TILES_PLAIN)
    ls_tiles_patch_move (t, &now);
  else if (t->roof.h > 0)
    {
      LsLedger own, naive;
      ls_tiles_count (t, &now, &own, &naive);
      ls_tiles_roof_move (t, ls_ledger_intensity (&own));
      if (t->source.h <= 0)
        ls_tiles_intensity (t, &own, t->roof.x, t->item_y, t->roof.w);
    }
}

/* ---- asked from outside ---- */

static gint64
span_tiles (const LsViewData *data, const LsQuery *query, gint64 *still)
{
  LsTiles t;
  gint64 span = 0;

  if (ls_tiles_init (&t, NULL, data, query))
    {
      span = t.span_ns;
      if (still != NULL)
        *still = t.cpu != NULL ? ls_tiles_cpu_still (&t) : ls_tiles_still (&t);
    }
  ls_tiles_clear (&t);
  return span;
}

/* A click on C chooses the work-group, one on a tile the work-item. */
static LsAct
point_tiles (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsTiles *t = layout->own;
  LsTilesState *asked = query->state;

  if (t->recorded == NULL)
    return LS_ACT_NONE;
  for (guint i = 0; i < LS_TILES_N_PANES; i++)
    if (ls_area_has (t->tabs[i], x, y))
      {
        asked->pane = i;
        return LS_ACT_CHANGED;
      }
  if (ls_area_has (t->at_c, x, y))
    {
      asked->group_row = (gint) MIN ((y - t->at_c.y) / t->at_c.h * (double) t->c.rows / t->cut.tile_m,
                                     t->rows - 1);
      gint64 first, wide;
      ls_tiles_group (t, &first, &wide);
      asked->group_col = (gint) MIN ((x - t->at_c.x) / t->at_c.w * (double) t->c.cols / (double) wide,
                                     t->cols - 1);
    }
  else if (t->cell <= 0) /* on a projector the tiles aren't drawn element by element */
    return LS_ACT_NONE;
  else if (ls_area_has (t->cells_a, x, y))
    asked->item_row = (gint) ((y - t->cells_a.y) / t->cell);
  else if (ls_area_has (t->cells_b, x, y))
    asked->item_col = (gint) ((x - t->cells_b.x) / t->cell);
  else
    return LS_ACT_NONE;
  return LS_ACT_CHANGED;
}

static LsAct
key_tiles (const LsLayout *layout, LsViewKey key, LsQuery *query)
{
  const LsTiles *t = layout->own;
  LsTilesState *asked = query->state;

  if (key != LS_KEY_PAGE || t->recorded == NULL || t->tabs[0].w <= 0)
    return LS_ACT_NONE;
  asked->pane = ls_tiles_next_pane (t);
  return LS_ACT_CHANGED;
}

static void
describe_tiles (const LsLayout *layout, GString *text)
{
  const LsTiles *t = layout->own;
  LsTilesNow now;
  LsLedger own, naive;

  if (t->recorded == NULL)
    return;
  if (t->cpu != NULL)
    {
      g_autofree char *tile = ls_tiles_group_words (t);
      LsTilesCpuNow cpu;
      ls_tiles_cpu_now (t, layout->query.time_ns, &cpu);
      g_string_append_printf (
        text,
        t->kind == LS_TILES_PLAIN ? _(" %s, %s. k panel %lld of %lld.") : _(" %s, %s. Strip %lld of %lld."),
        tile, t->recorded->equation, (long long) MIN (cpu.at.round + 1, t->rounds), (long long) t->rounds);
      return;
    }
  ls_tiles_now (t, layout->query.time_ns, &now);
  ls_tiles_count (t, &now, &own, &naive);
  g_autofree char *group = ls_tiles_group_words (t), *loads = ls_number_count ((guint64) own.global_loads);
  g_autofree char *plain = ls_number_count ((guint64) naive.global_loads);
  g_string_append_printf (text,
                          _(" %s, %s kernel, %s. k tile %lld of %lld. Global loads so far: %s, naive %s."),
                          group, ls_tiles_rung_title (&t->cut), t->recorded->equation,
                          (long long) MIN (now.round + 1, t->rounds), (long long) t->rounds, loads, plain);
}

static void
wish_tiles (const LsViewData *data, const LsQuery *query, LsWish *wish)
{
  const LsTilesState *asked = ls_tiles_asked (query);
  const gint op = ls_tiles_op (data->recording, query->op);

  wish->walk = (LsWalkWish){ op, asked->rung >= 0 || op < 0 ? asked->rung : ls_tiles_ran (data, (guint) op),
                             asked->group_row, asked->group_col };
}

const LsView ls_view_tiles = {
  .name = "tiles",
  .head_tells = TRUE,
  .title = N_("Tiles"),
  .question = N_("Why does it pay to load a tile once and share it?"),
  .needs_step = TRUE,
  .by_op = TRUE,
  .state_size = sizeof (LsTilesState),
  .state_init = &ls_tiles_first,
  .switches = ls_tiles_switches,
  .switch_side = -1,
  .edits_kernels = TRUE,
  .options = ls_tiles_options,
  .span = span_tiles,
  .point = point_tiles,
  .key = key_tiles,
  .seek_difference = ls_tiles_seek_difference,
  .wish = wish_tiles,
  .layout = layout_tiles,
  .move = move_tiles,
  .describe = describe_tiles,
};
