/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole spiking networks against a simulation that is written here in the plainest way: every neuron, every
 * weight, every step.
 */
#include "config.h"

#include "spiking_rig.h"

/* All neurons of a layer, channel by channel. */
typedef struct {
  double *potential, *current;
  double *passed; /* of a maxpool's input */
  double *out;    /* what each sends in this step */
} Plain;

static double
joined (const LsNetLayer *layer, const double *x, gint64 o, gint64 r, gint64 s)
{
  const gint64 kernel = layer->kernel, k = ls_net_products (layer) / ls_net_count (layer->out);
  double sum = 0;

  if (layer->kind == LS_LAYER_DENSE)
    {
      for (gint64 i = 0; i < k; i++)
        sum += x[i] * (double) layer->weights[o * k + i];
      return sum;
    }
  for (gint64 c = 0; c < layer->in[0]; c++)
    for (gint64 u = 0; u < kernel; u++)
      for (gint64 v = 0; v < kernel; v++)
        {
          const gint64 y = r * layer->stride + u - layer->pad, z = s * layer->stride + v - layer->pad;

          if (y >= 0 && z >= 0 && y < layer->in[1] && z < layer->in[2])
            sum += x[(c * layer->in[1] + y) * layer->in[2] + z]
                   * (double) layer->weights[o * k + (c * kernel + u) * kernel + v];
        }
  return sum;
}

/* What a window of a pool sends on. */
static double
window (const LsNetLayer *layer, const double *x, const double *passed, gint64 c, gint64 r, gint64 s)
{
  double sum = 0;
  gint64 best = -1;

  for (gint64 u = 0; u < layer->kernel; u++)
    for (gint64 v = 0; v < layer->kernel; v++)
      {
        const gint64 i = (c * layer->in[1] + r * layer->stride + u) * layer->in[2] + s * layer->stride + v;
        sum += x[i];
        if (best < 0 || passed[i] > passed[best])
          best = i;
      }
  return layer->kind == LS_LAYER_MAXPOOL ? x[best] : sum / (double) (layer->kernel * layer->kernel);
}

static void
make_plain (const LsNet *net, Plain *layers, const float *values)
{
  g_autofree double *x = g_new (double, ls_net_count (net->in_shape));

  for (gint64 i = 0; i < ls_net_count (net->in_shape); i++)
    x[i] = (double) values[i];
  for (guint i = 0; i < net->n_layers; i++)
    {
      const LsNetLayer *layer = &net->layers[i];
      const gint64 n = ls_net_count (layer->out), pixels = layer->out[1] * layer->out[2];

      layers[i] = (Plain){ g_new0 (double, n), g_new0 (double, n), g_new0 (double, ls_net_count (layer->in)),
                           g_new0 (double, n) };
      for (gint64 k = 0; ls_net_weighted (layer) && k < n; k++)
        {
          layers[i].current[k] = (double) layer->bias[k / pixels];
          if (i == 0)
            layers[i].current[k] += joined (layer, x, k / pixels, k % pixels / layer->out[2],
                                            k % layer->out[2]);
        }
    }
}

static void
step_plain (const LsNet *net, Plain *layers)
{
  for (guint i = 0; i < net->n_layers; i++)
    {
      const LsNetLayer *layer = &net->layers[i];
      Plain *self = &layers[i];
      const double *x = i > 0 ? layers[i - 1].out : NULL;
      const gint64 pixels = layer->out[1] * layer->out[2];

      for (gint64 k = 0; layer->kind == LS_LAYER_MAXPOOL && k < ls_net_count (layer->in); k++)
        self->passed[k] += x[k];
      for (gint64 k = 0; k < ls_net_count (layer->out); k++)
        {
          const gint64 o = k / pixels, r = k % pixels / layer->out[2], s = k % layer->out[2];

          if (ls_net_weighted (layer))
            {
              self->potential[k] += self->current[k] + (i > 0 ? joined (layer, x, o, r, s) : 0);
              self->out[k] = self->potential[k] >= 1 && i + 1 < net->n_layers;
              self->potential[k] -= self->out[k];
            }
          else
            self->out[k] = layer->kind == LS_LAYER_RELU ? x[k] : window (layer, x, self->passed, o, r, s);
        }
    }
}

static void
compare (const char *text, const LsNet *net, LsSpiking *spiking, Plain *layers)
{
  const Plain *last = &layers[net->n_layers - 1];
  guint stage = 0;

  for (guint t = 0; t < STEPS; t++)
    {
      ls_spiking_step (spiking);
      step_plain (net, layers);
      stage = 0;
      for (guint i = 0; i + 1 < net->n_layers; i++)
        {
          guint layer;

          if (!ls_net_weighted (&net->layers[i]))
            continue;
          g_assert_cmpuint (ls_spiking_neurons (spiking, stage, &layer), ==,
                            ls_net_count (net->layers[i].out));
          g_assert_cmpuint (layer, ==, net->layers[i].layer);
          for (gint64 k = 0; k < ls_net_count (net->layers[i].out); k++)
            {
              guint spikes;
              double potential;

              ls_spiking_neuron (spiking, stage, (guint) k, &spikes, &potential);
              if ((ls_spiking_raster (spiking, stage, (guint) k) >> t & 1) != (guint64) layers[i].out[k]
                  || potential != layers[i].potential[k])
                g_error ("%s: in step %u neuron %d of layer %u has %g, and not %g", text, t + 1, (int) k,
                         layer + 1, potential, layers[i].potential[k]);
            }
          stage++;
        }
      for (guint c = 0; c < net->n_classes; c++)
        if ((double) ls_spiking_potentials (spiking)[c] != last->potential[c])
          g_error ("%s: in step %u class %u has %g, and not %g", text, t + 1, c,
                   (double) ls_spiking_potentials (spiking)[c], last->potential[c]);
    }
  g_assert_cmpuint (stage, ==, ls_spiking_layers (spiking));
}

static const struct {
  const char *text;
  gint64 in[3];
} nets[] = {
  { "flatten, dense 3", { 1, 2, 2 } },
  { "flatten, dense 9, relu, dropout 0.5, dense 8, relu, dense 3", { 1, 2, 3 } },
  { "conv 4 3 pad 1, relu, maxpool 2, conv 3 2 stride 2, relu, flatten, dense 4", { 2, 7, 9 } },
  { "conv 3 3 stride 2 pad 2, relu, avgpool 2, relu, flatten, dense 5, relu, dense 2", { 1, 6, 8 } },
  { "conv 2 2, relu, maxpool 3 stride 1, avgpool 2, maxpool 2, flatten, dense 3", { 1, 9, 9 } },
};

static void
test_plain (void)
{
  for (gsize k = 0; k < G_N_ELEMENTS (nets); k++)
    for (guint sample = 0; sample < 3; sample++)
      {
        g_auto (Rig) rig = { 0 };
        g_autoptr (LsSpiking) spiking = NULL;
        g_autofree float *values = NULL;
        g_autofree Plain *layers = NULL;

        rig_init (&rig, nets[k].text, nets[k].in[0], nets[k].in[1], nets[k].in[2], exact);
        set_most (rig.net, 1);
        values = g_new (float, ls_net_count (rig.net->in_shape));
        for (gint64 i = 0; i < ls_net_count (rig.net->in_shape); i++)
          values[i] = rig_number (50 + sample, i);
        layers = g_new0 (Plain, rig.net->n_layers);
        make_plain (rig.net, layers, values);
        spiking = spiking_new (&rig);
        ls_spiking_begin (spiking, values);
        compare (nets[k].text, rig.net, spiking, layers);
        for (guint i = 0; i < rig.net->n_layers; i++)
          {
            g_free (layers[i].potential);
            g_free (layers[i].current);
            g_free (layers[i].passed);
            g_free (layers[i].out);
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spiking-nets/plain", test_plain);
  return g_test_run ();
}
