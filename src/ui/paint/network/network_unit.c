/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of one unit: the weights that lead to it, what they multiply, and the products, each where the
 * layer before stands; of a convolution the filter, channel by channel, and the map that it makes. A page of
 * its own, so that every window and the projector has room for it.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"

#define CHANNELS 64u /* of a filter are drawn at most */

/* A picture of the page: values as rows × cols, or several of these side by side. */
typedef struct {
  const char *heading, *words;
  const float *values;
  guint count, rows, cols;
  gboolean is_signed;
  LsEvidence evidence;
} Picture;

static double
top_of (const float *values, gsize count)
{
  double top = 0;

  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      top = MAX (top, fabs ((double) values[i]));
  return top;
}

/* So many side by side that the pieces are largest. */
static guint
across_of (const Picture *p, double w, double h, double *piece)
{
  guint best = 1;

  *piece = 0;
  for (guint across = 1; across <= p->count; across++)
    {
      const double size = MIN (w / across, h / ((p->count + across - 1) / across) * p->cols / p->rows);
      if (size > *piece + .5)
        {
          *piece = size;
          best = across;
        }
    }
  return best;
}

/* Returns its foot. */
static double
draw (const LsNetwork *n, const Picture *p, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const double line = m->label.px * 1.5, gap = p->count > 1 ? 3 : 0, h = area.h - line;
  const double top = top_of (p->values, (gsize) p->count * p->rows * p->cols);
  LsScene *s = n->layout->still;
  double piece;
  const guint across = across_of (p, area.w, h, &piece);
  const double w = floor (piece - gap), piece_h = floor (piece * p->rows / p->cols - gap);
  g_autofree char *most = ls_number_text (top, 2);
  g_autofree char *range = p->is_signed ? g_strdup_printf ("±%s", most)
                                        : g_strdup_printf (_("0 to %s"), most);
  double foot = area.y;

  ls_network_heading (n, area.x, area.w, p->heading, (const char *const[]){ p->words, NULL });
  if (w < 3 || piece_h < 3)
    return area.y;
  for (guint i = 0; i < p->count; i++)
    {
      const double x = area.x + piece * (i % across), y = area.y + (piece_h + gap) * (i / across);
      ls_scene_image (s, x, y, w, piece_h, p->is_signed ? LS_INK_SIGN : LS_INK_AMOUNT,
                      p->values + (gsize) i * p->rows * p->cols, p->cols, p->rows, top)
        ->evidence
        = p->evidence;
      foot = MAX (foot, y + piece_h);
    }
  ls_text_marked (s, m, area.x, foot + line * .9, area.w, p->evidence, LS_INK_QUIET, range);
  return foot + line;
}

/* The layer before as a picture: an image and the maps of a convolution as they are, numbers in rows. Filled
 * up with 0. */
static Picture
shape_of (const LsNetworkLayer *before, gint64 count)
{
  Picture p = { .count = 1 };

  if (before->rows * before->cols > 1)
    {
      p.count = (guint) before->units;
      p.rows = (guint) before->rows;
      p.cols = (guint) before->cols;
      return p;
    }
  p.cols = (guint) CLAMP ((gint64) ceil (sqrt ((double) count)), 1, 64);
  p.rows = (guint) ((count + p.cols - 1) / p.cols);
  return p;
}

static float *
padded (const Picture *p, const float *values, gint64 count)
{
  float *copy = g_new0 (float, (gsize) p->count * p->rows * p->cols);

  memcpy (copy, values, (gsize) MIN (count, (gint64) p->count * p->rows * p->cols) * sizeof (float));
  return copy;
}

/* "1.weight" → its layer's bias for this unit; NAN: it isn't known. */
static double
bias_of (const LsNetwork *n, const LsNetworkLayer *layer, gint unit)
{
  g_autofree char *name = NULL;
  const float *bias;
  const char *dot = layer->weight != NULL ? strrchr (layer->weight->name, '.') : NULL;

  if (dot == NULL)
    return (double) NAN;
  name = g_strdup_printf ("%.*s.bias", (int) (dot - layer->weight->name), layer->weight->name);
  bias = ls_network_tensor (n, (guint) n->side, name, layer->units);
  return bias != NULL ? (double) bias[unit] : (double) NAN;
}

static void
sentences (const LsNetwork *n, LsArea area, double sum)
{
  const LsMetrics *m = &n->layout->m;
  const LsNetworkLayer *layer = &n->layers[n->layer];
  const double value = ls_network_unit_value (n, layer, n->unit), bias = bias_of (n, layer, n->unit),
               line = m->body.px * 1.5;
  g_autofree char *gives = ls_number_text (value, 3), *total = ls_number_text (sum, 3),
                  *b = ls_number_text (bias, 3);
  g_autofree char *first = layer->rows * layer->cols > 1 ? g_strdup_printf (_("it gives at most %s"), gives)
                                                         : g_strdup_printf (_("it gives %s"), gives);
  g_autofree char *second = isnan (sum) ? NULL
                            : isnan (bias)
                              ? g_strdup_printf (_("the products add up to %s"), total)
                              : g_strdup_printf (_("the products add up to %s, the bias is %s"), total, b);
  const float *other = n->both ? ls_network_values (n, layer, 1 - n->side, n->at) : NULL;
  LsScene *s = n->layout->still;
  double y = area.y + m->body.px;

  ls_text_marked (s, m, area.x, y, area.w, LS_EVIDENCE_MEASURED, LS_INK_TEXT, first);
  if (second != NULL && y + line < area.y + area.h)
    ls_text_marked (s, m, area.x, y += line, area.w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, second);
  if (other != NULL && y + line < area.y + area.h)
    {
      const gint64 size = layer->rows * layer->cols;
      const float *own = ls_network_values (n, layer, n->side, n->at);
      const double most = ls_network_difference (own + n->unit * size, other + n->unit * size, size);
      g_autofree char *power = ls_number_power (most);
      g_autofree char *words = isnan (most)
                                 ? g_strdup (_("the difference to the other lane is not a number"))
                               : most > 0 ? g_strdup_printf (_("the other lane differs by %s"), power)
                                          : g_strdup (_("the other lane gives the same, bit for bit"));
      ls_text_marked (s, m, area.x, y += line, area.w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, words);
    }
  if (y + line < area.y + area.h)
    ls_text_fit (
      s, area.x, y + line, area.w, m->label, LS_INK_QUIET, LS_LEFT,
      (const char *const[]){ n->layout->query.chrome
                               ? _("weights as updated after the step")
                               : _("weights as updated after the step; arrows go to another unit"),
                             _("weights as updated after the step"), NULL });
}

/* Weights, what they multiply, and the products. */
static void
dense_unit (const LsNetwork *n, LsArea area, double foot)
{
  const LsMetrics *m = &n->layout->m;
  const LsNetworkLayer *layer = &n->layers[n->layer], *before = &n->layers[n->layer - 1];
  const gint64 count = ls_network_count (before);
  const float *weights = layer->weights[n->side] + n->unit * count,
              *values = ls_network_values (n, before, n->side, n->at);
  const double gap = 5 * m->unit, w = (area.w - 2 * gap) / 3;
  Picture p = shape_of (before, count);
  g_autofree float *products = g_new0 (float, (gsize) p.count *p.rows *p.cols),
                   *w_copy = padded (&p, weights, count), *x_copy = padded (&p, values, count);
  g_autofree char *in = ls_number_count ((guint64) count),
                  *of = g_strdup_printf (_("%s of %s"), in, layer->weight->symbol);
  double sum = 0, end = 0;

  for (gint64 i = 0; i < count; i++)
    {
      products[i] = weights[i] * values[i];
      sum += (double) products[i];
    }
  p.is_signed = TRUE;
  p.evidence = LS_EVIDENCE_MEASURED;
  p.heading = _("Weights");
  p.words = of;
  p.values = w_copy;
  end = draw (n, &p, (LsArea){ area.x, area.y, w, area.h - foot });
  p.heading = n->layer == 1 ? _("Sample") : before->shape->symbol;
  p.words = _("what they multiply");
  p.values = x_copy;
  p.is_signed = before->is_signed;
  draw (n, &p, (LsArea){ area.x + w + gap, area.y, w, area.h - foot });
  p.heading = _("Products");
  p.words = _("weight × value");
  p.values = products;
  p.is_signed = TRUE;
  p.evidence = LS_EVIDENCE_DERIVED;
  draw (n, &p, (LsArea){ area.x + 2 * (w + gap), area.y, w, area.h - foot });
  sentences (n, (LsArea){ area.x, end + 2 * m->unit, area.w, foot }, sum);
}

/* The filter, channel by channel, and its map. */
static void
map_unit (const LsNetwork *n, LsArea area, double foot)
{
  const LsMetrics *m = &n->layout->m;
  const LsNetworkLayer *layer = &n->layers[n->layer];
  const gint64 size = layer->rows * layer->cols;
  const double gap = 5 * m->unit, w = (area.w - gap) / 2;
  const LsRecordedShape *shape = layer->weight;
  g_autofree char *words = NULL, *map_words = g_strdup_printf ("%lld×%lld", (long long) layer->rows,
                                                               (long long) layer->cols);
  double end = area.y;

  if (shape != NULL && shape->rank == 4 && layer->weights[n->side] != NULL)
    {
      const gint64 channel = shape->shape[2] * shape->shape[3];
      Picture filter = { _("Filter"),
                         NULL,
                         layer->weights[n->side] + n->unit * shape->shape[1] * channel,
                         (guint) MIN (shape->shape[1], CHANNELS),
                         (guint) shape->shape[2],
                         (guint) shape->shape[3],
                         TRUE,
                         LS_EVIDENCE_MEASURED };
      g_autofree char *count = ls_number_count ((guint64) shape->shape[1]);
      words = filter.count > 1
                ? g_strdup_printf (_("%u×%u, for each of %s channels"), filter.rows, filter.cols, count)
                : g_strdup_printf ("%u×%u", filter.rows, filter.cols);
      filter.words = words;
      end = draw (n, &filter, (LsArea){ area.x, area.y, w, area.h - foot });
    }
  const Picture map = { _("Its map"),
                        map_words,
                        ls_network_values (n, layer, n->side, n->at) + n->unit * size,
                        1,
                        (guint) layer->rows,
                        (guint) layer->cols,
                        layer->is_signed,
                        LS_EVIDENCE_MEASURED };
  const double map_end = draw (n, &map, (LsArea){ area.x + w + gap, area.y, w, area.h - foot });
  end = MAX (end, map_end);
  sentences (n, (LsArea){ area.x, end + 2 * m->unit, area.w, foot }, (double) NAN);
}

void
ls_network_unit (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const double head = m->heading.px * 1.9;
  LsScene *s = n->layout->still;

  if (n->layer < 1)
    {
      ls_text_wrapped (s, area.x, area.y, area.w, m->label, LS_INK_QUIET,
                       _("This network has no hidden layer, so there is no unit to look at."), TRUE);
      return;
    }
  const LsNetworkLayer *layer = &n->layers[n->layer];
  const gboolean maps = layer->rows * layer->cols > 1;
  g_autofree char *units = ls_number_count ((guint64) layer->units);
  g_autofree char *title = maps ? g_strdup_printf (_("Map %d of %s"), n->unit, layer->shape->symbol)
                                : g_strdup_printf (_("Unit %d of %s"), n->unit, layer->shape->symbol);
  g_autofree char *words = n->picked ? g_strdup_printf (_("one of %s"), units)
                                     : g_strdup_printf (_("the most active of %s"), units);

  ls_network_heading (n, area.x, area.w, title, (const char *const[]){ words, NULL });
  ls_area_below (&area, head);
  n->top += head;
  const double foot = MIN (m->body.px * 1.5 * 4 + 3 * m->unit, area.h * .4);
  if (maps || !layer->dense)
    map_unit (n, area, foot);
  else
    dense_unit (n, area, foot);
  n->top -= head;
}
