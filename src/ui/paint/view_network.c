/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Network: one sample of the recorded step's batch on its way through the layers, in both lanes. What does it compute, and
 * does it come out the same?
 */
#include "config.h"
#include "ui/paint/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#define LEAST_GAP 36.0   /* px: less has no room for curves */

static void
free_own (gpointer data)
{
  ls_network_clear (data);
  g_free (data);
}

/* ---- places ---- */

/* Between a layer and the one before it, where that is drawn: curves, or nothing. */
static gboolean
has_curves (const LsNetwork *n, guint layer)
{
  return n->layers[layer].dense && n->layers[layer - 1].area.w > 0;
}

/* Leaves out layers from the middle until there is room for the rest; returns the room between two of them. */
static double
fit_layers (LsNetwork *n, double w, double h)
{
  const double unit = n->layout->m.unit, fixed = 5 * unit, least = LEAST_GAP * unit / 4;
  const guint first = n->image_rows > 0 ? 1 : 0;
  guint hidden = n->n_layers - 1;

  for (guint l = first; l < hidden; l++)
    ls_network_fit_layer (n, l, MAX (w * .42 / (hidden - first), 16 * unit), h);
  for (;;)
    {
      double taken = 0;
      guint curves = 0, last = 0, count = 0;

      for (guint l = first; l <= hidden; l++)
        {
          if (l < hidden && n->layers[l].area.w <= 0)
            continue;
          taken += l < hidden ? n->layers[l].area.w : 0;
          if (l > 0 && has_curves (n, l))
            curves++;
          else if (l > first)
            taken += fixed;
          count++;
          last = l < hidden && l > 1 ? l : last;
        }
      if (curves == 0 && taken <= w)
        return fixed;
      if (curves > 0 && w - taken >= least * curves)
        return MIN ((w - taken) / curves, 60 * unit * n->grow);
      if (last == 0 || count <= 2)
        {
          for (guint l = first; l < hidden; l++)
            n->layers[l].area.w = 0;
          n->left_out += hidden - first;
          return fixed;
        }
      n->layers[(last + 1) / 2 > 1 && n->layers[(last + 1) / 2].area.w > 0 ? (last + 1) / 2 : last].area.w = 0;
      n->left_out++;
    }
}

/* FALSE: not even without the differences. */
static gboolean
find_room (LsNetwork *n, LsArea area, double head)
{
  const double least = ls_network_captions_height (n) + 8 * n->layout->m.unit;

  n->low_room = area.h - head - ls_network_foot_height (n) < least;
  if (area.h - head - ls_network_foot_height (n) >= least)
    return TRUE;
  if (ls_stage_wrapped (n->layout, area.x, area.y, area.w, n->layout->m.label, LS_INK_QUIET, _("There is no room for the layers."), FALSE) < area.y + area.h)
    ls_stage_wrapped (n->layout, area.x, area.y, area.w, n->layout->m.label, LS_INK_QUIET, _("There is no room for the layers."), TRUE);
  n->side = -1;
  return FALSE;
}

static void
place (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const gboolean small = m->size == LS_SIZE_SMALL, large = m->size == LS_SIZE_LARGE;
  n->grow = m->projector ? 1 : CLAMP (MIN (area.w / 1888, area.h / 680), 1, 2);
  const double unit = m->unit, wide = unit * n->grow, head = m->heading.px * 1.8, right = area.x + area.w;
  const double side_w = m->projector || small || n->matrix == NULL ? 0 : large ? 74 * wide : 54 * unit;
  const double flow = side_w > 0 ? area.w - side_w - m->gutter : area.w;
  if (!find_room (n, area, head))
    return;
  const double foot = ls_network_foot_height (n);
  const double sample_w = n->plane ? MIN (flow * .27, area.h - foot - head - 16 * unit) : (large ? 49 * n->grow : small ? 35 : 42) * unit;
  const double said_w = (m->projector ? 62 : large ? 66 * n->grow : small ? 44 : 50) * unit;
  const guint first = n->image_rows > 0 ? 1 : 0;
  double x, room, gap, h;

  n->top = area.y + head;
  h = area.h - head - foot - 2 * unit;
  n->bottom = n->top + h;
  ls_network_sample (n, (LsArea){ area.x, n->top, sample_w, h });
  x = area.x + sample_w + 6 * unit;
  room = area.x + flow - said_w - x - 2 * unit;
  if (first == 1)
    ls_network_fit_pictures (n, n->n_layers > 2 ? room * (n->n_layers > 4 ? .34 : .46) : room * .7, h);
  n->picture_area = (LsArea){ x, n->top, n->picture_area.w, h };
  if (n->picture_area.w > 0)
    {
      x += n->picture_area.w + 5 * unit;
      room -= n->picture_area.w + 5 * unit;
    }
  gap = fit_layers (n, room, h);
  for (guint l = first; l + 1 < n->n_layers; l++)
    {
      LsNetworkLayer *layer = &n->layers[l];
      if (layer->area.w <= 0)
        continue;
      if (l > 0 && has_curves (n, l))
        x += gap;
      else if (l > first)
        x += 5 * unit;
      layer->area.x = floor (x);
      layer->area.y = floor (n->top + MAX (0, h - layer->area.h) / 2 * (layer->rows * layer->cols > 1 ? 0 : 1));
      x += layer->area.w;
    }
  x += has_curves (n, n->n_layers - 1) ? gap : 5 * unit;
  ls_network_prediction (n, (LsArea){ x, n->top, MIN (said_w, area.x + flow - x), h });
  if (side_w > 0)
    ls_network_side (n, (LsArea){ right - side_w, n->top, side_w, area.h - head });
  ls_network_find_edges (n);
  ls_network_draw_edges (n);
  ls_network_pictures (n);
  for (guint l = first; l + 1 < n->n_layers; l++)
    ls_network_layer (n, l);
  ls_network_foot (n, (LsArea){ area.x, n->bottom + 2 * unit, flow, foot });
}

/* What is drawn is of settings that are gone. */
static void
fade (const LsScene *scene, guint first)
{
  for (guint i = first; i < scene->items->len; i++)
    {
      LsItem *item = ls_scene_get (scene, i);
      if (item->kind == LS_ITEM_IMAGE || item->kind == LS_ITEM_DOTS || (item->kind == LS_ITEM_LINE && item->ink == LS_INK_SIGN))
        item->alpha *= .3f;
    }
}

static void
layout_network (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsNetwork *n = g_new0 (LsNetwork, 1);
  LsArea area;
  double h;
  gboolean there;

  layout->own = n;
  layout->free_own = free_own;
  there = ls_network_init (n, layout);
  for (guint side = 0; side < LS_SIDES; side++)
    if (layout->data->sides[side].index != NULL)
      layout->span_ns = MAX (layout->span_ns, layout->data->sides[side].index->length_ns);
  area = ls_stage_strip (layout, ls_stage_begin (layout), FALSE);
  h = ls_stage_heads (layout, area) + 2 * m->unit;
  area.y += h;
  area.h -= h + m->unit;
  h = ls_stage_disagreement (layout, area);
  area = (LsArea){ area.x + m->margin, area.y + h, area.w - 2 * m->margin, area.h - h };
  if (!there && layout->data->recording == NULL)
    ls_stage_invite (layout, area);
  else if (!there || n->n_layers < 2)
    {
      n->side = -1;
      ls_stage_wrapped (layout, area.x, area.y + 4 * m->unit, area.w, m->heading, LS_INK_TEXT,
                        _("This step was recorded without the layers’ values: record it anew to see them."), TRUE);
    }
  else
    {
      const guint first = layout->still->items->len;
      place (n, area);
      if (layout->data->stale)
        fade (layout->still, first);
    }
}

/* ---- what moves: the frames of what is picked ---- */

static void
move_network (LsLayout *layout)
{
  const LsNetwork *n = layout->own;
  LsArea area;

  if (n->side < 0 || n->layer < 0)
    return;
  if (ls_network_unit_area (n, n->layer, n->unit, &area))
    ls_scene_mark (layout->moving, LS_ITEM_FRAME, area.x, area.y, area.w, area.h, LS_INK_TEXT, 0);
  for (guint i = 0; n->layer == 1 && n->picture_area.w > 0 && i < n->n_pictures; i++)
    if (n->pictures[i] == n->unit)
      ls_scene_mark (layout->moving, LS_ITEM_FRAME, n->picture_area.x + n->picture_w * (i % n->picture_cols),
                     n->picture_area.y + n->picture_h * (i / n->picture_cols), n->picture_w - 3, n->picture_h - 3, LS_INK_TEXT, 0);
}

/* ---- asked from outside ---- */

static gboolean
inside (const LsArea *area, double x, double y)
{
  return area->w > 0 && x >= area->x && y >= area->y && x < area->x + area->w && y < area->y + area->h;
}

/* The picked one once more: let go. */
static gboolean
pick (const LsNetwork *n, gint layer, gint64 unit, LsQuery *query)
{
  const gboolean again = n->picked && n->layer == layer && n->unit == unit;

  query->layer = again ? -1 : layer;
  query->unit = again ? -1 : (gint) unit;
  return TRUE;
}

/* The first sample that was labelled and said so, after the shown one. */
static gboolean
pick_cell (const LsNetwork *n, gint label, gint said, LsQuery *query)
{
  for (gint64 i = 1; i <= n->batch; i++)
    {
      const gint64 sample = (n->sample + i) % n->batch;
      if (ls_network_label (n, sample) == label && ls_network_said (n, n->side, sample) == said)
        {
          query->sample = (gint) sample;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
point_nearest (const LsNetwork *n, double x, double y, LsQuery *query)
{
  const LsArea *area = &n->sample_area;
  const double most = MAX (fabs ((double) n->low), fabs ((double) n->high)) * 1.06, r = area->w / 2;
  double nearest = HUGE_VAL;

  for (gint64 i = 0; i < n->batch; i++)
    {
      const float *at = ls_network_values (n, &n->layers[0], n->side, i);
      const double d = hypot (area->x + r + (double) at[0] / most * r - x, area->y + r - (double) at[1] / most * r - y);
      if (d < nearest)
        {
          nearest = d;
          query->sample = (gint) i;
        }
    }
  return nearest < HUGE_VAL;
}

static gboolean
point_sample (const LsNetwork *n, double x, double y, LsQuery *query)
{
  guint at;

  if (inside (&n->back, x, y) || inside (&n->on, x, y))
    query->sample = (gint) ((n->sample + (inside (&n->on, x, y) ? 1 : n->batch - 1)) % n->batch);
  else if (n->plane && inside (&n->sample_area, x, y))
    return point_nearest (n, x, y, query);
  else if (inside (&n->matrix_area, x, y))
    return pick_cell (n, (gint) ((y - n->matrix_area.y) / n->matrix_cell), (gint) ((x - n->matrix_area.x) / n->matrix_cell), query);
  else if (inside (&n->wrong_area, x, y) && x < n->wrong_area.x + n->thumb_w * n->thumb_cols
           && (at = (guint) ((y - n->wrong_area.y) / n->thumb_h) * n->thumb_cols + (guint) ((x - n->wrong_area.x) / n->thumb_w)) < n->n_thumbs)
    query->sample = (gint) g_array_index (n->wrong, gint64, at);
  else
    return FALSE;
  return TRUE;
}

static gboolean
point_network (const LsLayout *layout, double x, double y, LsQuery *query)
{
  const LsNetwork *n = layout->own;

  if (n->side < 0)
    return FALSE;
  if (point_sample (n, x, y, query))
    return TRUE;
  if (inside (&n->picture_area, x, y))
    {
      const guint at = (guint) ((y - n->picture_area.y) / n->picture_h) * n->picture_cols + (guint) ((x - n->picture_area.x) / n->picture_w);
      return at < n->n_pictures && pick (n, 1, n->pictures[at], query);
    }
  for (gint l = 1; l + 1 < (gint) n->n_layers; l++)
    if (inside (&n->layers[l].area, x, y))
      {
        const LsNetworkLayer *layer = &n->layers[l];
        const gint64 unit = (gint64) ((y - layer->area.y) / layer->cell_h) * layer->across + (gint64) ((x - layer->area.x) / layer->cell_w);
        return unit < layer->shown && pick (n, l, unit, query);
      }
  return FALSE;
}

static void
describe_network (const LsLayout *layout, GString *text)
{
  const LsNetwork *n = layout->own;
  const gint label = n->side >= 0 ? ls_network_label (n, n->sample) : -1;

  if (n->side < 0)
    return;
  g_string_append_printf (text, _(" Sample %lld of %lld"), (long long) n->sample + 1, (long long) n->batch);
  if (label >= 0)
    g_string_append_printf (text, _(", labelled %d"), label);
  if (n->said >= 0)
    g_string_append_printf (text, _(", said to be %d"), n->said);
  g_string_append_c (text, '.');
  if (n->matrix != NULL)
    g_string_append_printf (text, _(" Of this batch %u are right, %u wrong."), n->n_right, n->wrong->len);
  if (n->layer > 0)
    g_string_append_printf (text, _(" Unit %d of %s gives %.3g."), n->unit, n->layers[n->layer].shape->symbol,
                            ls_network_unit_value (n, &n->layers[n->layer], n->unit));
}

const LsView ls_view_network = {
  .name = "network",
  .title = N_("Network"),
  .question = N_("What does the network compute of a sample, and is it the same in both lanes?"),
  .needs_step = TRUE,
  .point = point_network,
  .layout = layout_network,
  .move = move_network,
  .describe = describe_network,
};
