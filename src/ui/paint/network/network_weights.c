/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first weights as pictures.
 *
 * A dense layer's weights are mostly what they began as, noise under which what was learnt can't be seen. So
 * each pixel is the mean of 3×3 weights, and the quietest three quarters of them are blank: the legend says
 * so.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

#define PICTURE_LEAST 26.0 /* px, with the gap beside it */
#define PICTURE_MOST  72.0
#define QUIET         .75  /* of the weights that are left blank: most of them are what they began as */
#define SHARE         .995 /* of the weights that lie within the ramp's ends */
#define BINS          512
#define FEW           100 /* weights: a filter of fewer has no strokes and is shown as it is */

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

/* Each weight's mean with its eight neighbours: what neighbours have in common is a stroke, the rest
 * noise. */
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

/* The ramp begins above most weights, which are noise in which no stroke would be seen, and ends below the
 * few that are far out, which would make all others pale. */
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

/* The most active units, and the picked one, in the order of their numbers: so pictures keep near their
 * places from sample to sample. */
static void
choose_pictures (LsNetwork *n, guint most)
{
  const LsNetworkLayer *first = &n->layers[1];
  const gint64 picked = n->layer == 1 && n->picked ? n->unit : -1;
  g_autofree gboolean *taken = g_new0 (gboolean, (gsize) first->units);

  n->n_pictures = 0;
  if (picked >= 0 && most > 0)
    {
      taken[picked] = TRUE;
      n->pictures[n->n_pictures++] = picked;
    }
  while (n->n_pictures < most)
    {
      gint64 best = -1;
      double value = -HUGE_VAL;

      for (gint64 u = 0; u < first->units; u++)
        {
          const double v = fmax (fabs (ls_network_unit_value (n, first, u)), 0); /* NAN: 0 */
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
  g_qsort_with_data (n->pictures, (gint) n->n_pictures, sizeof *n->pictures,
                     (GCompareDataFunc) (void (*) (void)) ls_compare_ints, NULL);
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
  while (
    (n->picture_cols = ls_network_columns (count, w, h, PICTURE_MOST * by * CLAMP (h / 600, 1, 1.8), &size))
      > 0
    && size < PICTURE_LEAST * n->layout->m.unit / 4 && count > 1)
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
  g_autofree float *picture = g_new (float, (gsize) cols *rows);
  g_autofree char *units = ls_number_count ((guint64) first->units),
                  *in = ls_number_count ((guint64) ls_network_count (&n->layers[0]));
  g_autofree char *all
    = first->weight->rank == 4
        ? g_strdup_printf (ngettext ("%s filter of %u×%u", "%s filters of %u×%u", (gulong) first->units),
                           units, rows, cols)
        : g_strdup_printf (ngettext ("%s unit of %s", "%s units of %s", (gulong) first->units), units, in);
  g_autofree char *some = g_strdup_printf (_("%s, the %u most active"), all, n->n_pictures);
  g_autofree char *brief = g_strdup_printf (_("the %u most active"), n->n_pictures);
  const gboolean part = n->n_pictures < first->units;

  ls_network_heading (n, n->picture_area.x, n->picture_area.w, first->weight->symbol,
                      (const char *const[]){ part ? some : all, part ? brief : units, units, NULL });
  for (guint i = 0; i < n->n_pictures; i++)
    {
      const double x = n->picture_area.x + n->picture_w * (i % n->picture_cols),
                   y = n->picture_area.y + n->picture_h * (i / n->picture_cols);
      read_picture (n, n->pictures[i], picture);
      for (guint k = 0; k < cols * rows; k++)
        picture[k] = picture[k] < 0 ? MIN (0, picture[k] + (float) n->weight_quiet)
                                    : MAX (0, picture[k] - (float) n->weight_quiet);
      ls_scene_image (n->layout->still, x, y, n->picture_w - gap, n->picture_h - gap, LS_INK_SIGN, picture,
                      cols, rows, n->weight_top - n->weight_quiet);
    }
}
