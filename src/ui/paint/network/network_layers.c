/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hidden layers as columns of cells, the maps of convolutions as small images.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define CELL_FINE  11.0 /* px: cells need not be larger to be told apart */
#define CELL_MOST  22.0
#define MAP_LEAST  14.0 /* px, with the gap beside it */
#define MAP_MOST   60.0
#define STEPS_MOST 260.0 /* of the one map of time steps */

LsItem *
ls_network_heading (const LsNetwork *n, double x, double w, const char *heading, const char *const *choices)
{
  const LsMetrics *m = &n->layout->m;
  LsScene *s = n->layout->still;
  const double y = n->top - m->heading.px * .8;
  double at;

  if (ls_scene_width (s, m->heading, heading) > w)
    return NULL;
  at = ls_item_right (ls_scene_text (s, x, y, m->heading, LS_INK_TEXT, LS_LEFT, heading)) + 2.5 * m->unit;
  if (choices == NULL || !ls_text_fit (s, at, y, x + w - at, m->label, LS_INK_QUIET, LS_LEFT, choices))
    return NULL;
  return ls_scene_get (s, s->items->len - 1);
}

static double
square (guint count, guint cols, double w, double h, double most)
{
  return floor (MIN (MIN (w / cols, h / ((count + cols - 1) / cols)), most));
}

guint
ls_network_columns (guint count, double w, double h, double most, double *size)
{
  guint best = 0, least = G_MAXUINT;
  double largest = 0;

  *size = 0;
  for (guint cols = 1; cols <= count; cols++)
    largest = MAX (largest, square (count, cols, w, h, most));
  for (guint cols = 1; cols <= count; cols++)
    {
      const double fits = square (count, cols, w, h, most);
      const guint empty = (cols - count % cols) % cols;
      if (fits < .85 * largest || fits <= 0 || empty > least || (empty == least && fits <= *size))
        continue;
      least = empty;
      *size = fits;
      best = cols;
    }
  return best;
}

static void
fit_cells (const LsNetwork *n, LsNetworkLayer *layer, double w, double h)
{
  const double by = n->grow * n->layout->m.unit / 4;

  layer->shown = layer->units;
  for (gint64 across = 1; across <= layer->units; across++)
    {
      const gint64 rows = (layer->units + across - 1) / across;
      double cell = MIN (CELL_MOST * by, MIN (h / (double) rows, w / (double) across));

      cell = cell >= 4 ? floor (cell) : cell;
      if (cell <= layer->cell_h)
        {
          if ((double) across * layer->cell_h > 2 * w)
            break;
          continue;
        }
      layer->across = across;
      layer->cell_w = layer->cell_h = cell;
      if (cell >= CELL_FINE * by)
        break;
    }
  layer->area.w = (double) layer->across * layer->cell_w;
}

static void
fit_maps (const LsNetwork *n, LsNetworkLayer *layer, double w, double h)
{
  const double by = n->grow * n->layout->m.unit / 4, least = MAP_LEAST * n->layout->m.unit / 4;
  double size;

  layer->shown = MIN (layer->units, (gint64) floor (w / least) * (gint64) floor (h / least));
  layer->across = ls_network_columns ((guint) layer->shown, w, h, (layer->steps ? STEPS_MOST : MAP_MOST) * by,
                                      &size);
  layer->cell_w = layer->cell_h = size;
  layer->area.w = (double) layer->across * size;
}

void
ls_network_fit_layer (LsNetwork *n, guint number, double w, double h)
{
  LsNetworkLayer *layer = &n->layers[number];

  layer->cell_w = layer->cell_h = 0;
  if (layer->rows * layer->cols > 1)
    fit_maps (n, layer, w, h);
  else
    fit_cells (n, layer, w, h);
  layer->area.h = layer->across > 0
                    ? layer->cell_h * (double) ((layer->shown + layer->across - 1) / layer->across)
                    : 0;
  if (layer->area.h <= 0)
    layer->area.w = 0;
}

/* Track grey until the layer is computed. */
static void
values_image (const LsNetwork *n, const LsNetworkLayer *layer, LsArea area, const float *values, guint cols,
              guint rows)
{
  LsScene *s = n->layout->still;

  if (layer->end_ns > 0)
    ls_scene_box (s, area.x, area.y, area.w, area.h, LS_INK_TRACK, 0);
  ls_network_timed (ls_scene_image (s, area.x, area.y, area.w, area.h,
                                    layer->is_signed ? LS_INK_SIGN : LS_INK_AMOUNT, values, cols, rows,
                                    layer->top),
                    layer->begin_ns, layer->end_ns);
}

/* Between cells, or between maps. */
static double
gap_of (const LsNetworkLayer *layer)
{
  if (layer->rows * layer->cols == 1)
    return layer->cell_w >= 5 ? 1 : 0;
  return layer->cell_w > 30 ? 3 : 2;
}

static LsArea
place_of (const LsNetworkLayer *layer, gint64 unit)
{
  return (LsArea){ layer->area.x + layer->cell_w * (double) (unit % layer->across),
                   layer->area.y + layer->cell_h * (double) (unit / layer->across),
                   layer->cell_w - gap_of (layer), layer->cell_h - gap_of (layer) };
}

/* Whole rows, then what is left of one; the cells are told apart by lines over them. */
static void
draw_cells (const LsNetwork *n, const LsNetworkLayer *layer)
{
  const float *values = ls_network_values (n, layer, n->side, n->at);
  const guint across = (guint) layer->across, rows = (guint) (layer->units / layer->across),
              rest = (guint) (layer->units % layer->across);
  const double line = gap_of (layer);
  LsScene *s = n->layout->still;

  if (rows > 0)
    values_image (n, layer, (LsArea){ layer->area.x, layer->area.y, layer->area.w, layer->cell_h * rows },
                  values, across, rows);
  if (rest > 0)
    values_image (
      n, layer,
      (LsArea){ layer->area.x, layer->area.y + layer->cell_h * rows, layer->cell_w * rest, layer->cell_h },
      values + (gsize) rows * across, rest, 1);
  for (guint i = 1; line > 0 && i < across; i++)
    ls_scene_box (s, layer->area.x + layer->cell_w * i - line, layer->area.y, line, layer->area.h,
                  LS_INK_WINDOW, 0);
  for (guint i = 1; line > 0 && i < rows + (rest > 0); i++)
    ls_scene_box (s, layer->area.x, layer->area.y + layer->cell_h * i - line, layer->area.w, line,
                  LS_INK_WINDOW, 0);
}

static void
draw_maps (const LsNetwork *n, const LsNetworkLayer *layer)
{
  const gint64 size = layer->rows * layer->cols;
  const float *values = ls_network_values (n, layer, n->side, n->at);

  for (gint64 u = 0; u < layer->shown; u++)
    values_image (n, layer, place_of (layer, u), values + u * size, (guint) layer->cols, (guint) layer->rows);
}

/* In the layer's place, until the clock reaches it and while it is computed. */
static void
draw_ahead (const LsNetwork *n, const LsNetworkLayer *layer)
{
  static const struct {
    LsWhen when;
    const char *words;
  } states[] = { { LS_WHEN_AHEAD, N_("not yet") }, { LS_WHEN_RUNNING, N_("running") } };
  const LsMetrics *m = &n->layout->m;
  const double h = m->label.px * 1.7, middle = layer->area.x + layer->area.w / 2,
               y = layer->area.y + layer->area.h / 2;
  double most = layer->area.w + 8 * m->unit; /* but not into the next layer's words */

  for (guint i = 0; i < n->n_layers; i++)
    if (&n->layers[i] != layer)
      most = MIN (most,
                  MAX (layer->area.w, fabs (n->layers[i].area.x + n->layers[i].area.w / 2 - middle) - 4));
  for (guint i = 0; i < G_N_ELEMENTS (states) && layer->end_ns > 0; i++)
    {
      const char *words = gettext (states[i].words);
      const double w = ls_scene_width (n->layout->still, m->label, words) + 2 * m->unit;
      if (w > most || h > layer->area.h)
        continue;
      for (guint plate = 2; plate-- > 0;)
        {
          LsItem *item = plate > 0
                           ? ls_scene_box (n->layout->still, middle - w / 2, y - h / 2, w, h, LS_INK_TRACK, 0)
                           : ls_scene_text (n->layout->still, middle, y + m->label.px * .36, m->label,
                                            LS_INK_TEXT, LS_CENTER, words);
          item->strong = TRUE;
          item->when = (guint8) states[i].when;
          item->t0 = layer->begin_ns;
          item->t1 = layer->end_ns;
        }
    }
}

/* Up to the next layer's. */
static double
heading_width (const LsNetwork *n, guint number)
{
  double right = n->said_area.x;

  for (guint l = n->n_layers - 2; l > number; l--)
    right = n->layers[l].area.w > 0 ? n->layers[l].area.x : right;
  return right - n->layers[number].area.x - 2 * n->layout->m.unit;
}

void
ls_network_layer (const LsNetwork *n, guint number)
{
  const LsNetworkLayer *layer = &n->layers[number];
  g_autofree char *units = ls_number_count ((guint64) layer->units),
                  *shown = ls_number_count ((guint64) layer->shown), *words = NULL;

  if (layer->area.w <= 0)
    return;
  if (layer->rows * layer->cols == 1)
    {
      words = g_strdup (units);
      draw_cells (n, layer);
    }
  else
    {
      words = layer->steps ? g_strdup_printf (
                ngettext ("%lld step of %lld units", "%lld steps of %lld units", (gulong) layer->rows),
                (long long) layer->rows, (long long) layer->cols)
              : layer->shown < layer->units
                ? g_strdup_printf (_("%s of %s maps of %lld×%lld"), shown, units, (long long) layer->rows,
                                   (long long) layer->cols)
                : g_strdup_printf (
                  ngettext ("%s map of %lld×%lld", "%s maps of %lld×%lld", (gulong) layer->units), units,
                  (long long) layer->rows, (long long) layer->cols);
      draw_maps (n, layer);
    }
  draw_ahead (n, layer);
  if (layer->steps) /* of one map that many rows */
    {
      g_free (units);
      units = g_strdup_printf (ngettext ("%lld step", "%lld steps", (gulong) layer->rows),
                               (long long) layer->rows);
    }
  ls_network_heading (n, layer->area.x, heading_width (n, number), layer->shape->symbol,
                      (const char *const[]){ words, units, NULL });
}

gboolean
ls_network_unit_area (const LsNetwork *n, gint number, gint64 unit, LsArea *area)
{
  const LsNetworkLayer *layer = &n->layers[number];

  if (layer->area.w <= 0 || unit >= layer->shown)
    return FALSE;
  *area = place_of (layer, unit);
  return TRUE;
}
