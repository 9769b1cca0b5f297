/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See spiking.h. Planes lie pixel by pixel here, all channels of a pixel side by side: where a spike goes in
 * a convolution is then, for each pixel that it reaches, one run of weights that is added to one run of
 * potentials.
 */
#include "config.h"
#include "machines/converted/spiking.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

/* Spikes on their way from one layer to the next, each with what it is worth: 1, or less behind a mean. */
typedef struct {
  guint n, room;
  guint32 *at;
  float *worth;
} Spikes;

typedef struct {
  const LsNetLayer *net;
  float *passed; /* of a maxpool: what each unit of its input has sent so far */
} Pool;

/* A dense or conv with its neurons, and the pools before it. */
typedef struct {
  const LsNetLayer *net;
  guint first_pool, n_pools;
  float *weights;   /* from what sends: dense [in][out], conv [channel][row][column][out] */
  float *bias;      /* out, normalised */
  float *current;   /* of each step: bias, of the first layer with the sample's */
  float *potential; /* count */
  guint32 *spikes;
  guint64 *raster;
  guint count;
} Stage;

struct _LsSpiking {
  guint n_stages, n_pools;
  Stage *stages;
  Pool *pools;
  Spikes from, to;
  float *input;
  gint64 n_input;
  gint64 in_shape[3];
  guint step;
  guint64 n_spikes, n_events;
};

/* ---- making ---- */

/* Of a plane's unit that is the i-th channel by channel, which it is pixel by pixel. */
static gint64
place (const gint64 shape[3], gint64 i)
{
  const gint64 pixels = shape[1] * shape[2];

  return i % pixels * shape[0] + i / pixels;
}

/* Every dense or conv but the last has its relu at once behind it; pools lie behind relus. */
gboolean
ls_spiking_check (const LsNet *net, const LsModel *model, GError **error)
{
  gboolean spikes = FALSE;

  for (guint i = 0; i < net->n_layers; i++)
    {
      const LsNetLayer *layer = &net->layers[i];
      const gboolean last = i + 1 == net->n_layers;
      g_autofree char *which = ls_net_layer_text (model, layer->layer);

      if (ls_net_weighted (layer) && !last && layer[1].kind != LS_LAYER_RELU)
        g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                     _("Nothing spikes behind %s, for no relu follows it at once; put one there."), which);
      else if (!ls_net_weighted (layer) && !spikes)
        g_set_error (
          error, LS_ERROR, LS_ERROR_USAGE,
          _("%s stands before all weights, where nothing spikes yet; begin with a dense or a conv."), which);
      else
        {
          spikes = TRUE;
          continue;
        }
      return FALSE;
    }
  return TRUE;
}

/* The plan has [out][in] and [out][channel][row][column]; before: the shape of what sends. */
static void
take_weights (Stage *stage, const gint64 before[3], float most_before, float most)
{
  const LsNetLayer *net = stage->net;
  const gint64 n = net->out[0], k = ls_net_products (net) / ls_net_count (net->out);
  const float factor = most_before / most;

  stage->weights = g_new (float, n *k);
  stage->bias = g_new (float, n);
  for (gint64 o = 0; o < n; o++)
    {
      for (gint64 i = 0; i < k; i++)
        {
          const gint64 from = net->kind == LS_LAYER_DENSE ? place (before, i) : i;
          stage->weights[from * n + o] = net->weights[o * k + i] * factor;
        }
      stage->bias[o] = net->bias[o] / most;
    }
  stage->count = (guint) ls_net_count (net->out);
  stage->current = g_new (float, stage->count);
  stage->potential = g_new0 (float, stage->count);
  stage->spikes = g_new0 (guint32, stage->count);
  stage->raster = g_new0 (guint64, stage->count);
}

LsSpiking *
ls_spiking_new (const LsNet *net, const LsModel *model, GError **error)
{
  g_autoptr (LsSpiking) self = g_new0 (LsSpiking, 1);
  const gint64 *before = net->in_shape;
  float most = 1; /* a current has no rate that could be too high */

  if (!ls_spiking_check (net, model, error))
    return NULL;
  self->stages = g_new0 (Stage, net->n_layers);
  self->pools = g_new0 (Pool, net->n_layers);
  self->n_input = ls_net_count (net->in_shape);
  memcpy (self->in_shape, net->in_shape, sizeof self->in_shape);
  self->input = g_new (float, self->n_input);
  for (guint i = 0, first_pool = 0; i < net->n_layers; i++)
    {
      const LsNetLayer *layer = &net->layers[i];

      if (ls_net_weighted (layer))
        {
          Stage *stage = &self->stages[self->n_stages++];
          const gboolean last = i + 1 == net->n_layers;
          /* a layer that is never above 0 never spikes, whatever it is divided by; the last one's unit is
           * the network's own */
          const float here = last || layer[1].most <= 0 ? 1 : layer[1].most;

          stage->net = layer;
          stage->first_pool = first_pool;
          stage->n_pools = self->n_pools - first_pool;
          take_weights (stage, before, most, here);
          first_pool = self->n_pools;
          most = here;
        }
      else if (layer->kind != LS_LAYER_RELU)
        {
          Pool *pool = &self->pools[self->n_pools++];

          pool->net = layer;
          if (layer->kind == LS_LAYER_MAXPOOL)
            pool->passed = g_new (float, ls_net_count (layer->in));
        }
      before = layer->out;
    }
  return g_steal_pointer (&self);
}

void
ls_spiking_free (LsSpiking *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_stages; i++)
    {
      Stage *stage = &self->stages[i];

      g_free (stage->weights);
      g_free (stage->bias);
      g_free (stage->current);
      g_free (stage->potential);
      g_free (stage->spikes);
      g_free (stage->raster);
    }
  for (guint i = 0; i < self->n_pools; i++)
    g_free (self->pools[i].passed);
  g_free (self->stages);
  g_free (self->pools);
  g_free (self->from.at);
  g_free (self->from.worth);
  g_free (self->to.at);
  g_free (self->to.worth);
  g_free (self->input);
  g_free (self);
}

/* ---- running ---- */

static void
push (Spikes *spikes, gint64 at, float worth)
{
  if (spikes->n == spikes->room)
    {
      spikes->room = MAX (2 * spikes->room, 64);
      spikes->at = g_renew (guint32, spikes->at, spikes->room);
      spikes->worth = g_renew (float, spikes->worth, spikes->room);
    }
  spikes->at[spikes->n] = (guint32) at;
  spikes->worth[spikes->n++] = worth;
}

static void
add (float *restrict to, const float *restrict weights, gint64 n, float worth)
{
  for (gint64 o = 0; o < n; o++)
    to[o] += weights[o] * worth;
}

/* What unit `at` of a layer's input sends, worth so much, goes to all that it is joined to: how many. */
static guint64
send (const Stage *stage, gint64 at, float worth, float *to)
{
  const LsNetLayer *net = stage->net;
  const gint64 n = net->out[0], channels = net->in[0];
  guint64 reached = 0;

  if (net->kind == LS_LAYER_DENSE)
    {
      add (to, stage->weights + at * n, n, worth);
      return (guint64) n;
    }
  const gint64 c = at % channels, y = at / channels / net->in[2], x = at / channels % net->in[2];
  for (gint u = 0; u < net->kernel; u++)
    for (gint v = 0; v < net->kernel; v++)
      {
        const gint64 row = y + net->pad - u, column = x + net->pad - v;
        const gint64 r = row / net->stride, s = column / net->stride;

        if (row < 0 || column < 0 || row % net->stride != 0 || column % net->stride != 0 || r >= net->out[1]
            || s >= net->out[2])
          continue;
        add (to + (r * net->out[2] + s) * n, stage->weights + ((c * net->kernel + u) * net->kernel + v) * n,
             n, worth);
        reached += (guint64) n;
      }
  return reached;
}

void
ls_spiking_begin (LsSpiking *self, const float *values)
{
  for (guint i = 0; i < self->n_stages; i++)
    {
      Stage *stage = &self->stages[i];

      for (guint k = 0; k < stage->count; k++)
        stage->current[k] = stage->bias[k % stage->net->out[0]];
      memset (stage->potential, 0, stage->count * sizeof *stage->potential);
      memset (stage->spikes, 0, stage->count * sizeof *stage->spikes);
      memset (stage->raster, 0, stage->count * sizeof *stage->raster);
    }
  for (guint i = 0; i < self->n_pools; i++)
    if (self->pools[i].passed != NULL)
      memset (self->pools[i].passed, 0, (gsize) ls_net_count (self->pools[i].net->in) * sizeof (float));
  for (gint64 i = 0; i < self->n_input; i++)
    if (values[i] < 0 || values[i] > 0)
      send (&self->stages[0], place (self->in_shape, i), values[i], self->stages[0].current);
  self->step = 0;
  self->n_spikes = self->n_events = 0;
}

/* Of the window whose first unit is that, the one that has sent most; of several the first. */
static gint64
winner (const Pool *pool, gint64 c, gint64 r, gint64 s)
{
  const LsNetLayer *net = pool->net;
  gint64 best = -1;

  for (gint u = 0; u < net->kernel; u++)
    for (gint v = 0; v < net->kernel; v++)
      {
        const gint64 at = ((r * net->stride + u) * net->in[2] + s * net->stride + v) * net->in[0] + c;

        if (best < 0 || pool->passed[at] > pool->passed[best])
          best = at;
      }
  return best;
}

/* One spike into all windows that it lies in. */
static void
pass_one (const Pool *pool, gint64 at, float worth, Spikes *to)
{
  const LsNetLayer *net = pool->net;
  const gint64 c = at % net->in[0], y = at / net->in[0] / net->in[2], x = at / net->in[0] % net->in[2];
  const gint64 last_r = MIN (y / net->stride, net->out[1] - 1),
               last_s = MIN (x / net->stride, net->out[2] - 1);

  for (gint64 r = last_r; r >= 0 && r * net->stride + net->kernel > y; r--)
    for (gint64 s = last_s; s >= 0 && s * net->stride + net->kernel > x; s--)
      {
        if (pool->passed != NULL && winner (pool, c, r, s) != at)
          continue;
        push (to, (r * net->out[2] + s) * net->out[0] + c,
              pool->passed != NULL ? worth : worth / (float) (net->kernel * net->kernel));
      }
}

/* self->from becomes what comes out of the pool. */
static void
pass (LsSpiking *self, const Pool *pool)
{
  Spikes *from = &self->from, *to = &self->to;
  Spikes other;

  to->n = 0;
  /* who spikes in this step counts before it is known who passes */
  for (guint i = 0; i < from->n && pool->passed != NULL; i++)
    pool->passed[from->at[i]] += from->worth[i];
  for (guint i = 0; i < from->n; i++)
    pass_one (pool, from->at[i], from->worth[i], to);
  other = self->from;
  self->from = self->to;
  self->to = other;
}

/* Spikes of the layer's neurons, once its potentials are what they were sent. */
static void
fire (LsSpiking *self, Stage *stage)
{
  const guint64 bit = self->step < LS_SPIKING_RASTER ? (guint64) 1 << self->step : 0;
  Spikes *to = &self->from;

  to->n = 0;
  for (guint k = 0; k < stage->count; k++)
    if (stage->potential[k] >= 1)
      {
        stage->potential[k] -= 1;
        stage->spikes[k]++;
        stage->raster[k] |= bit;
        push (to, k, 1);
      }
  self->n_spikes += to->n;
}

void
ls_spiking_step (LsSpiking *self)
{
  self->from.n = 0;
  for (guint i = 0; i < self->n_stages; i++)
    {
      Stage *stage = &self->stages[i];

      for (guint p = 0; p < stage->n_pools; p++)
        pass (self, &self->pools[stage->first_pool + p]);
      for (guint k = 0; k < self->from.n; k++)
        self->n_events += send (stage, self->from.at[k], self->from.worth[k], stage->potential);
      add (stage->potential, stage->current, stage->count, 1);
      if (i + 1 < self->n_stages)
        fire (self, stage);
    }
  self->step++;
}

/* ---- what became of it ---- */

guint64
ls_spiking_spikes (const LsSpiking *self)
{
  return self->n_spikes;
}

guint64
ls_spiking_events (const LsSpiking *self)
{
  return self->n_events;
}

const float *
ls_spiking_potentials (const LsSpiking *self)
{
  return self->stages[self->n_stages - 1].potential;
}

guint
ls_spiking_layers (const LsSpiking *self)
{
  return self->n_stages - 1;
}

guint
ls_spiking_neurons (const LsSpiking *self, guint i, guint *layer)
{
  *layer = self->stages[i].net->layer;
  return self->stages[i].count;
}

guint64
ls_spiking_raster (const LsSpiking *self, guint i, guint n)
{
  return self->stages[i].raster[place (self->stages[i].net->out, n)];
}

void
ls_spiking_neuron (const LsSpiking *self, guint i, guint n, guint *spikes, double *potential)
{
  const gint64 at = place (self->stages[i].net->out, n);

  *spikes = self->stages[i].spikes[at];
  *potential = (double) self->stages[i].potential[at];
}

gint64
ls_spiking_input_products (const LsSpiking *self)
{
  return ls_net_products (self->stages[0].net);
}
