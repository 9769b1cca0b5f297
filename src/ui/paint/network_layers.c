/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first weights as pictures, hidden layers as columns of cells, the maps of convolutions as small images.
 *
 * A dense layer's weights are mostly what they began as, noise under which what was learnt can't be seen. So each pixel is the
 * mean of 3×3 weights, and the quietest three quarters of them are blank: the legend says so.
 */
#include "config.h"
#include "ui/paint/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"
#include "ui/paint/tiles.h"

#define CELL_FINE  11.0  /* px: cells need not be larger to be told apart */
#define CELL_MOST  22.0
#define MAP_LEAST  14.0  /* px, with the gap beside it */
#define MAP_MOST   60.0
#define PICTURE_LEAST 26.0
#define PICTURE_MOST  72.0
#define QUIET      .75   /* of the weights that are left blank: most of them are what they began as */
#define SHARE      .995  /* of the weights that lie within the ramp's ends */
#define BINS       512
#define FEW        100   /* weights: a filter of fewer has no strokes and is shown as it is */

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
  if (choices == NULL || !ls_tiles_say (s, at, y, x + w - at, m->label, LS_INK_QUIET, LS_LEFT, choices))
    return NULL;
  return ls_scene_get (s, s->items->len - 1);
}

/* ---- weights ---- */

static void
picture_size (const LsNetwork *n, guint *cols, guint *rows, gint64 *channels)
{
  const LsNetworkLayer *x = &n->layers[0], *first = &n->layers[1];

  if (first->weight->rank == 4)
    {
      *channels = first->weight->shape[1];
      *rows = (guint) first->weight->shape[2];
      *cols = (guint) first->weight->shape[3];
      return;
    }
  *channels = x->units;
  *rows = (guint) x->rows;
  *cols = (guint) x->cols;
}

/* Each weight's mean with its eight neighbours: what neighbours have in common is a stroke, the rest noise. */
static void
smooth (float *picture, guint cols, guint rows)
{
  g_autofree float *from = g_memdup2 (picture, (gsize) cols * rows * sizeof *picture);

  for (guint y = 0; y < rows; y++)
    for (guint x = 0; x < cols; x++)
      {
        float sum = 0, n = 0;
        for (guint v = y > 0 ? y - 1 : 0; v < MIN (y + 2, rows); v++)
          for (guint u = x > 0 ? x - 1 : 0; u < MIN (x + 2, cols); u++, n++)
            sum += from[v * cols + u];
        picture[y * cols + x] = sum / n;
      }
}

/* A unit's weights, the mean over the channels. */
static void
read_picture (const LsNetwork *n, gint64 unit, float *picture)
{
  guint cols, rows;
  gint64 channels;

  picture_size (n, &cols, &rows, &channels);
  const gint64 size = (gint64) cols * rows;
  const float *weights = n->layers[1].weights[n->side] + unit * channels * size;
  for (gint64 i = 0; i < size; i++)
    {
      double sum = 0;
      for (gint64 c = 0; c < channels; c++)
        sum += (double) weights[c * size + i];
      picture[i] = (float) (sum / (double) channels);
    }
  if (size >= FEW)
    smooth (picture, cols, rows);
}

/* Up to which |weight| the quietest `share` of the pictures' weights reach. */
static double
level_of (const guint *bins, double count, double most, double share)
{
  double seen = 0;

  for (guint b = 0; b < BINS; b++)
    if ((seen += bins[b]) >= share * count)
      return most * (b + 1) / BINS;
  return most;
}

/* The ramp begins above most weights, which are noise in which no stroke would be seen, and ends below the few that are far
 * out, which would make all others pale. */
static void
find_ramp (LsNetwork *n, gint64 size)
{
  g_autofree float *picture = g_new (float, (gsize) size);
  guint bins[BINS] = { 0 };
  double most = 0, count = 0;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n->n_pictures; i++)
      {
        read_picture (n, n->pictures[i], picture);
        for (gint64 k = 0; k < size; k++)
          {
            const double v = fabs ((double) picture[k]);
            if (!isfinite (v))
              continue;
            if (pass == 0)
              most = MAX (most, v);
            else if (most > 0)
              bins[(guint) MIN (v / most * BINS, BINS - 1)]++;
            count += pass;
          }
      }
  n->weight_top = level_of (bins, count, most, SHARE);
  n->weight_quiet = size >= FEW ? level_of (bins, count, most, QUIET) : 0;
}

static gint
by_number_cb (gconstpointer a, gconstpointer b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* The most active units, in the order of their numbers: so pictures keep near their places from sample to sample. */
static void
choose_pictures (LsNetwork *n, guint most)
{
  const LsNetworkLayer *first = &n->layers[1];
  g_autofree gboolean *taken = g_new0 (gboolean, (gsize) first->units);

  n->n_pictures = 0;
  while (n->n_pictures < most)
    {
      gint64 best = -1;
      double value = -HUGE_VAL;

      if (n->n_pictures == 0 && n->layer == 1 && n->picked)
        best = n->unit;
      for (gint64 u = 0; best != n->unit && u < first->units; u++)
        {
          const double v = fabs (ls_network_unit_value (n, first, u));
          if (!taken[u] && v > value)
            {
              value = v;
              best = u;
            }
        }
      if (best < 0)
        break;
      taken[best] = TRUE;
      n->pictures[n->n_pictures++] = best;
    }
  g_qsort_with_data (n->pictures, (gint) n->n_pictures, sizeof *n->pictures, (GCompareDataFunc) (void (*) (void)) by_number_cb, NULL);
}

static double
square (guint count, guint cols, double w, double h, double most)
{
  return floor (MIN (MIN (w / cols, h / ((count + cols - 1) / cols)), most));
}

/* The columns that make the squares largest, their size in *size, with the gap; or that leave the fewest places empty, where
 * that costs little size. */
static guint
columns (guint count, double w, double h, double most, double *size)
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

void
ls_network_fit_pictures (LsNetwork *n, double w, double h)
{
  const LsNetworkLayer *first = &n->layers[1];
  const double by = n->grow * n->layout->m.unit / 4;
  guint count, cols, rows;
  gint64 channels;
  double size;

  n->picture_area.w = 0;
  if (n->n_layers < 2 || n->image_rows == 0 || first->weight == NULL || first->weights[n->side] == NULL)
    return;
  if (first->weight->rank == 2 && first->weight->shape[1] != ls_network_count (&n->layers[0]))
    return;
  count = (guint) MIN (first->units, LS_NETWORK_PICTURES);
  while ((n->picture_cols = columns (count, w, h, PICTURE_MOST * by * CLAMP (h / 600, 1, 1.8), &size)) > 0 && size < PICTURE_LEAST * n->layout->m.unit / 4 && count > 1)
    count = count * 3 / 4;
  if (size < PICTURE_LEAST * n->layout->m.unit / 4)
    return;
  choose_pictures (n, count);
  picture_size (n, &cols, &rows, &channels);
  find_ramp (n, (gint64) cols * rows);
  n->picture_w = n->picture_h = size;
  n->picture_area.w = size * n->picture_cols;
}

void
ls_network_pictures (const LsNetwork *n)
{
  const LsNetworkLayer *first = &n->layers[1];
  const double gap = n->picture_w > 40 ? 3 : 2;
  guint cols, rows;
  gint64 channels;

  if (n->picture_area.w <= 0)
    return;
  picture_size (n, &cols, &rows, &channels);
  g_autofree float *picture = g_new (float, (gsize) cols * rows);
  g_autofree char *units = ls_number_count ((guint64) first->units), *in = ls_number_count ((guint64) ls_network_count (&n->layers[0]));
  g_autofree char *all = first->weight->rank == 4 ? g_strdup_printf (_("%s filters of %u×%u"), units, rows, cols)
                                                  : g_strdup_printf (_("%s units of %s"), units, in);
  g_autofree char *some = g_strdup_printf (_("%s, the %u most active"), all, n->n_pictures);
  g_autofree char *brief = g_strdup_printf (_("the %u most active"), n->n_pictures);
  const gboolean part = n->n_pictures < first->units;

  ls_network_heading (n, n->picture_area.x, n->picture_area.w, first->weight->symbol,
                      (const char *const[]) { part ? some : all, part ? brief : units, units, NULL });
  for (guint i = 0; i < n->n_pictures; i++)
    {
      const double x = n->picture_area.x + n->picture_w * (i % n->picture_cols), y = n->picture_area.y + n->picture_h * (i / n->picture_cols);
      read_picture (n, n->pictures[i], picture);
      for (guint k = 0; k < cols * rows; k++)
        picture[k] = picture[k] < 0 ? MIN (0, picture[k] + (float) n->weight_quiet) : MAX (0, picture[k] - (float) n->weight_quiet);
      ls_scene_image (n->layout->still, x, y, n->picture_w - gap, n->picture_h - gap, LS_INK_SIGN, picture, cols, rows,
                      n->weight_top - n->weight_quiet);
    }
}

/* ---- layers ---- */

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
  layer->across = columns ((guint) layer->shown, w, h, MAP_MOST * by, &size);
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
  layer->area.h = layer->across > 0 ? layer->cell_h * (double) ((layer->shown + layer->across - 1) / layer->across) : 0;
  if (layer->area.h <= 0)
    layer->area.w = 0;
}

/* Track grey until the layer is computed. */
static void
values_image (const LsNetwork *n, const LsNetworkLayer *layer, LsArea area, const float *values, guint cols, guint rows)
{
  LsScene *s = n->layout->still;

  if (layer->end_ns > 0)
    ls_scene_box (s, area.x, area.y, area.w, area.h, LS_INK_TRACK, 0);
  ls_network_timed (ls_scene_image (s, area.x, area.y, area.w, area.h, layer->is_signed ? LS_INK_SIGN : LS_INK_AMOUNT, values, cols, rows, layer->top),
                    layer->begin_ns, layer->end_ns);
}

/* Whole rows, then what is left of one; the cells are told apart by lines over them. */
static void
draw_cells (const LsNetwork *n, const LsNetworkLayer *layer)
{
  const float *values = ls_network_values (n, layer, n->side, n->at);
  const guint across = (guint) layer->across, rows = (guint) (layer->units / layer->across), rest = (guint) (layer->units % layer->across);
  const double line = layer->cell_w >= 5 ? 1 : 0;
  LsScene *s = n->layout->still;

  if (rows > 0)
    values_image (n, layer, (LsArea){ layer->area.x, layer->area.y, layer->area.w, layer->cell_h * rows }, values, across, rows);
  if (rest > 0)
    values_image (n, layer, (LsArea){ layer->area.x, layer->area.y + layer->cell_h * rows, layer->cell_w * rest, layer->cell_h },
                  values + (gsize) rows * across, rest, 1);
  for (guint i = 1; line > 0 && i < across; i++)
    ls_scene_box (s, layer->area.x + layer->cell_w * i - line, layer->area.y, line, layer->area.h, LS_INK_WINDOW, 0);
  for (guint i = 1; line > 0 && i < rows + (rest > 0); i++)
    ls_scene_box (s, layer->area.x, layer->area.y + layer->cell_h * i - line, layer->area.w, line, LS_INK_WINDOW, 0);
}

static void
draw_maps (const LsNetwork *n, const LsNetworkLayer *layer)
{
  const gint64 size = layer->rows * layer->cols;
  const float *values = ls_network_values (n, layer, n->side, n->at);
  const double gap = layer->cell_w > 30 ? 3 : 2;

  for (gint64 u = 0; u < layer->shown; u++)
    values_image (n, layer, (LsArea){ layer->area.x + layer->cell_w * (double) (u % layer->across),
                                      layer->area.y + layer->cell_h * (double) (u / layer->across), layer->cell_w - gap, layer->cell_h - gap },
                  values + u * size, (guint) layer->cols, (guint) layer->rows);
}

/* In the layer's place, until the clock reaches it and while it is computed. */
static void
draw_ahead (const LsNetwork *n, const LsNetworkLayer *layer)
{
  static const struct { LsWhen when; const char *words; } states[] = { { LS_WHEN_AHEAD, N_("not yet") }, { LS_WHEN_RUNNING, N_("running") } };
  const LsMetrics *m = &n->layout->m;
  const double h = m->label.px * 1.7, middle = layer->area.x + layer->area.w / 2, y = layer->area.y + layer->area.h / 2;
  double most = layer->area.w + 8 * m->unit; /* but not into the next layer's words */

  for (guint i = 0; i < n->n_layers; i++)
    if (&n->layers[i] != layer)
      most = MIN (most, MAX (layer->area.w, fabs (n->layers[i].area.x + n->layers[i].area.w / 2 - middle) - 4));
  for (guint i = 0; i < G_N_ELEMENTS (states) && layer->end_ns > 0; i++)
    {
      const char *words = gettext (states[i].words);
      const double w = ls_scene_width (n->layout->still, m->label, words) + 2 * m->unit;
      if (w > most || h > layer->area.h)
        continue;
      for (guint plate = 2; plate-- > 0;)
        {
          LsItem *item = plate > 0 ? ls_scene_box (n->layout->still, middle - w / 2, y - h / 2, w, h, LS_INK_TRACK, 0)
                                   : ls_scene_text (n->layout->still, middle, y + m->label.px * .36, m->label, LS_INK_TEXT, LS_CENTER, words);
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
  g_autofree char *units = ls_number_count ((guint64) layer->units), *shown = ls_number_count ((guint64) layer->shown), *words = NULL;

  if (layer->area.w <= 0)
    return;
  if (layer->rows * layer->cols == 1)
    {
      words = g_strdup (units);
      draw_cells (n, layer);
    }
  else
    {
      words = layer->shown < layer->units ? g_strdup_printf (_("%s of %s maps of %lld×%lld"), shown, units, (long long) layer->rows, (long long) layer->cols)
                                          : g_strdup_printf (_("%s maps of %lld×%lld"), units, (long long) layer->rows, (long long) layer->cols);
      draw_maps (n, layer);
    }
  draw_ahead (n, layer);
  ls_network_heading (n, layer->area.x, heading_width (n, number), layer->shape->symbol, (const char *const[]) { words, units, NULL });
}

gboolean
ls_network_unit_area (const LsNetwork *n, gint number, gint64 unit, LsArea *area)
{
  const LsNetworkLayer *layer = &n->layers[number];
  const double gap = layer->rows * layer->cols == 1 ? (layer->cell_w >= 5 ? 1 : 0) : layer->cell_w > 30 ? 3 : 2;

  if (layer->area.w <= 0 || unit >= layer->shown)
    return FALSE;
  *area = (LsArea){ layer->area.x + layer->cell_w * (double) (unit % layer->across), layer->area.y + layer->cell_h * (double) (unit / layer->across),
                    layer->cell_w - gap, layer->cell_h - gap };
  return TRUE;
}
