/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See int8.h. Numbers of 8 bits lie in 16 here: processors multiply those in pairs into sums of 32 bits by
 * one instruction (pmaddwd), which compilers find in dots().
 */
#include "config.h"
#include "machines/converted/int8.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

#define ROW      16              /* rows of numbers are filled up with zeros to a multiple of that */
#define MAX_SUM  (1 << 30)       /* of products, */
#define MAX_BIAS ((1 << 30) - 1) /* to which that is added in 32 bits */

/* q → q · by >> shift, rounded: a factor below 2^31 without floats. */
typedef struct {
  gint64 by;
  gint shift;
} Factor;

typedef struct {
  const LsNetLayer *net;
  double *scales; /* of the weights: out[0]; NULL: it has none */
  gint16 *weights;
  gint32 *bias;
  Factor *factors;
  gint64 k, row;  /* products of an output; the same, filled up */
  double out;     /* the scale of what it makes, */
  gint low, high; /* and its ends */
  gint16 *made;
} Layer;

struct _LsInt8 {
  guint n_layers;
  double in;
  gint low, high; /* of the input */
  gint64 n_in;
  gint16 *input;
  gint16 *columns; /* a conv's windows, a row for each output pixel */
  gint32 *sums;
  Layer layers[];
};

/* ---- scales ---- */

static gint
most_weight (guint bits)
{
  return (1 << (bits - 1)) - 1;
}

/* Whole numbers for what reaches from low to high. */
static double
choose_scale (float low, float high, guint bits, gint *least, gint *most)
{
  const double reach = fmax (fabs ((double) low), fabs ((double) high));

  *most = low >= 0 ? (1 << bits) - 1 : most_weight (bits);
  *least = low >= 0 ? 0 : -*most;
  return reach > 0 ? reach / *most : 1;
}

static gint
nearest (double x, gint low, gint high)
{
  const double q = floor (x + .5);

  return q <= low ? low : q >= high ? high : (gint) q;
}

static Factor
make_factor (double factor)
{
  gint exponent;
  const double part = frexp (factor, &exponent);
  Factor f = { (gint64) floor (part * 2147483648.0 + .5), 31 - exponent };

  if (f.shift < 1) /* everything but 0 is beyond the ends */
    f = (Factor){ G_MAXINT32, 1 };
  else if (f.shift > 62)
    f = (Factor){ 0, 1 };
  return f;
}

static gint64
apply (Factor f, gint32 sum)
{
  return (sum * f.by + ((gint64) 1 << (f.shift - 1))) >> f.shift;
}

/* ---- making ---- */

static gboolean
check_sums (const Layer *layer, gint in_most, guint bits, const LsModel *model, GError **error)
{
  const gint64 most = MAX_SUM / ((gint64) in_most * most_weight (bits));

  if (layer->k <= most)
    return TRUE;
  g_autofree char *which = ls_net_layer_text (model, layer->net->layer);
  g_set_error (
    error, LS_ERROR, LS_ERROR_USAGE,
    _("%s adds up %lld products, and a sum of 32 bits holds %lld for certain; choose a smaller layer."),
    which, (long long) layer->k, (long long) most);
  return FALSE;
}

/* in: the scale of what it reads. */
static void
take_weights (Layer *layer, double in, guint bits)
{
  const LsNetLayer *net = layer->net;
  const gint64 n = net->out[0];
  const gint most = most_weight (bits);

  layer->scales = g_new (double, n);
  layer->weights = g_new0 (gint16, n * layer->row);
  layer->bias = g_new (gint32, n);
  layer->factors = g_new (Factor, n);
  for (gint64 o = 0; o < n; o++)
    {
      const float *w = net->weights + o * layer->k;
      double reach = 0;

      for (gint64 i = 0; i < layer->k; i++)
        reach = fmax (reach, fabs ((double) w[i]));
      layer->scales[o] = reach > 0 ? reach / most : 1;
      for (gint64 i = 0; i < layer->k; i++)
        layer->weights[o * layer->row + i] = (gint16) nearest ((double) w[i] / layer->scales[o], -most, most);
      layer->bias[o] = nearest ((double) net->bias[o] / (in * layer->scales[o]), -MAX_BIAS, MAX_BIAS);
      layer->factors[o] = make_factor (in * layer->scales[o] / layer->out);
    }
}

LsInt8 *
ls_int8_new (const LsNet *net, const LsModel *model, guint bits, GError **error)
{
  g_autoptr (LsInt8) self = g_malloc0 (sizeof *self + net->n_layers * sizeof self->layers[0]);
  double scale = choose_scale (net->low, net->high, bits, &self->low, &self->high);
  gint low = self->low, high = self->high;
  gint64 n_columns = 0, n_sums = 0;

  self->in = scale;
  self->n_in = ls_net_count (net->in_shape);
  self->input = g_new (gint16, self->n_in);
  self->n_layers = net->n_layers;
  for (guint i = 0; i < net->n_layers; i++)
    {
      Layer *layer = &self->layers[i];
      const LsNetLayer *from = &net->layers[i];

      layer->net = from;
      layer->made = g_new0 (gint16, ls_net_count (from->out));
      if (ls_net_weighted (from))
        {
          /* what a relu cuts off needn't be told apart */
          const LsNetLayer *reach = i + 1 < net->n_layers && from[1].kind == LS_LAYER_RELU ? &from[1] : from;
          const double in = scale;
          const gint in_most = high;

          layer->k = ls_net_products (from) / ls_net_count (from->out);
          layer->row = (layer->k + ROW - 1) / ROW * ROW;
          if (!check_sums (layer, in_most, bits, model, error))
            return NULL;
          scale = layer->out = choose_scale (reach->low, reach->high, bits, &low, &high);
          take_weights (layer, in, bits);
          n_sums = MAX (n_sums, ls_net_count (from->out));
          n_columns = MAX (n_columns, from->out[1] * from->out[2] * layer->row);
        }
      layer->out = scale;
      layer->low = low;
      layer->high = high;
    }
  self->columns = g_new0 (gint16, n_columns);
  self->sums = g_new (gint32, n_sums);
  return g_steal_pointer (&self);
}

void
ls_int8_free (LsInt8 *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_layers; i++)
    {
      g_free (self->layers[i].scales);
      g_free (self->layers[i].weights);
      g_free (self->layers[i].bias);
      g_free (self->layers[i].factors);
      g_free (self->layers[i].made);
    }
  g_free (self->input);
  g_free (self->columns);
  g_free (self->sums);
  g_free (self);
}

LsInt8Scales
ls_int8_scales (const LsInt8 *self, guint i)
{
  const Layer *layer = &self->layers[i];
  LsInt8Scales scales = { .layer = layer->net->layer };

  if (i + 1 < self->n_layers)
    {
      scales.out = layer->out;
      scales.out_unsigned = layer->low == 0;
    }
  for (gint64 o = 0; layer->scales != NULL && o < layer->net->out[0]; o++)
    {
      scales.low = o == 0 ? layer->scales[o] : fmin (scales.low, layer->scales[o]);
      scales.high = fmax (scales.high, layer->scales[o]);
    }
  return scales;
}

const gint16 *
ls_int8_weights (const LsInt8 *self, guint i, gint64 o)
{
  const Layer *layer = &self->layers[i];

  return layer->weights != NULL ? layer->weights + o * layer->row : NULL;
}

const gint16 *
ls_int8_made (const LsInt8 *self, guint i)
{
  return self->layers[i].made;
}

/* ---- running ---- */

/* sums[r · n + o] = Σ x[r · k + i] · w[o · k + i]; k: a multiple of ROW. Four outputs at once: what is loaded
 * of x is used four times. */
static void
dots (const gint16 *restrict x, gint64 rows, const gint16 *restrict w, gint64 n, gint64 k,
      gint32 *restrict sums)
{
  gint64 o = 0;

  for (; o + 4 <= n; o += 4)
    {
      const gint16 *restrict w0 = w + o * k, *restrict w1 = w0 + k, *restrict w2 = w1 + k,
                             *restrict w3 = w2 + k;

      for (gint64 r = 0; r < rows; r++)
        {
          const gint16 *restrict from = x + r * k;
          gint32 s0 = 0, s1 = 0, s2 = 0, s3 = 0;

          for (gint64 b = 0; b < k; b += ROW)
            for (gint64 i = b; i < b + ROW; i++)
              {
                s0 += from[i] * w0[i];
                s1 += from[i] * w1[i];
                s2 += from[i] * w2[i];
                s3 += from[i] * w3[i];
              }
          sums[r * n + o] = s0;
          sums[r * n + o + 1] = s1;
          sums[r * n + o + 2] = s2;
          sums[r * n + o + 3] = s3;
        }
    }
  for (; o < n; o++)
    for (gint64 r = 0; r < rows; r++)
      {
        gint32 s = 0;

        for (gint64 i = 0; i < k; i++)
          s += x[r * k + i] * w[o * k + i];
        sums[r * n + o] = s;
      }
}

/* The window of each output pixel as a row, 0 where it lies beyond the plane. */
static void
fill_columns (const Layer *layer, const gint16 *x, gint16 *columns)
{
  const LsNetLayer *net = layer->net;
  const gint64 height = net->in[1], width = net->in[2];
  const gint kernel = net->kernel;

  for (gint64 r = 0; r < net->out[1]; r++)
    for (gint64 s = 0; s < net->out[2]; s++)
      {
        gint16 *to = columns + (r * net->out[2] + s) * layer->row;

        for (gint64 c = 0; c < net->in[0]; c++)
          for (gint u = 0; u < kernel; u++)
            {
              const gint64 y = r * net->stride + u - net->pad;

              for (gint v = 0; v < kernel; v++)
                {
                  const gint64 z = s * net->stride + v - net->pad;
                  *to++ = y >= 0 && y < height && z >= 0 && z < width ? x[(c * height + y) * width + z] : 0;
                }
            }
        memset (to, 0, (gsize) (layer->row - layer->k) * sizeof *to);
      }
}

/* Sums of rows pixels: bias, scale, ends; planes channel by channel. */
static void
take_sums (Layer *layer, gint64 rows, const gint32 *sums)
{
  const gint64 n = layer->net->out[0];

  for (gint64 o = 0; o < n; o++)
    for (gint64 r = 0; r < rows; r++)
      {
        const gint64 q = apply (layer->factors[o], sums[r * n + o] + layer->bias[o]);
        layer->made[o * rows + r] = (gint16) CLAMP (q, layer->low, layer->high);
      }
}

static void
run_weighted (LsInt8 *self, Layer *layer, const gint16 *x)
{
  const LsNetLayer *net = layer->net;
  const gint64 rows = net->out[1] * net->out[2];

  if (net->kind == LS_LAYER_CONV)
    fill_columns (layer, x, self->columns);
  else
    {
      memcpy (self->columns, x, (gsize) layer->k * sizeof *x);
      memset (self->columns + layer->k, 0, (gsize) (layer->row - layer->k) * sizeof *x);
    }
  dots (self->columns, rows, layer->weights, net->out[0], layer->row, self->sums);
  if (layer != &self->layers[self->n_layers - 1])
    take_sums (layer, rows, self->sums);
}

/* Rounded to the nearest, ties up. */
static gint16
mean (gint sum, gint n)
{
  const gint twice = 2 * sum + n, whole = 2 * n;

  return (gint16) (twice >= 0 ? twice / whole : -((whole - 1 - twice) / whole));
}

static void
run_pool (Layer *layer, const gint16 *x)
{
  const LsNetLayer *net = layer->net;
  const gint kernel = net->kernel;
  gint16 *to = layer->made;

  for (gint64 c = 0; c < net->out[0]; c++)
    for (gint64 r = 0; r < net->out[1]; r++)
      for (gint64 s = 0; s < net->out[2]; s++)
        {
          const gint16 *from = x + (c * net->in[1] + r * net->stride) * net->in[2] + s * net->stride;
          gint16 best = *from;
          gint sum = 0;

          for (gint u = 0; u < kernel; u++, from += net->in[2])
            for (gint v = 0; v < kernel; v++)
              {
                sum += from[v];
                best = MAX (best, from[v]);
              }
          *to++ = net->kind == LS_LAYER_MAXPOOL ? best : mean (sum, kernel * kernel);
        }
}

static void
run_relu (Layer *layer, const gint16 *x)
{
  const gint64 n = ls_net_count (layer->net->out);

  for (gint64 i = 0; i < n; i++)
    layer->made[i] = MAX (x[i], 0);
}

void
ls_int8_run (LsInt8 *self, const float *values, double *logits)
{
  const Layer *last = &self->layers[self->n_layers - 1];
  const double last_in = self->n_layers > 1 ? last[-1].out : self->in;
  const gint16 *x = self->input;

  for (gint64 i = 0; i < self->n_in; i++)
    self->input[i] = (gint16) nearest ((double) values[i] / self->in, self->low, self->high);
  for (guint i = 0; i < self->n_layers; i++)
    {
      Layer *layer = &self->layers[i];

      if (layer->weights != NULL)
        run_weighted (self, layer, x);
      else if (layer->net->kind == LS_LAYER_RELU)
        run_relu (layer, x);
      else
        run_pool (layer, x);
      x = layer->made;
    }
  for (gint64 o = 0; o < last->net->out[0]; o++)
    logits[o] = (self->sums[o] + last->bias[o]) * last_in * last->scales[o];
}
