/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The network in whole numbers against one that is computed here in the plainest way: number by number, in 64
 * bits, with factors that are real numbers.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "machines/converted/int8.h"
#include "net_rig.h"

/* ---- the other one ---- */

typedef struct {
  double scale;
  gint64 low, high;
} Whole;

static Whole
whole (double low, double high, guint bits)
{
  const gint64 most = low >= 0 ? (1 << bits) - 1 : (1 << (bits - 1)) - 1;
  const double reach = MAX (fabs (low), fabs (high));

  return (Whole){ reach > 0 ? reach / (double) most : 1, low >= 0 ? 0 : -most, most };
}

static gint64
closest (double x, Whole to)
{
  return (gint64) CLAMP (floor (x + .5), (double) to.low, (double) to.high);
}

/* The element of a sample's planes; 0 outside. */
static gint64
at (const gint64 *x, const gint64 shape[3], gint64 c, gint64 y, gint64 z)
{
  return y < 0 || z < 0 || y >= shape[1] || z >= shape[2] ? 0 : x[(c * shape[1] + y) * shape[2] + z];
}

static double
weight_scale (const LsNetLayer *layer, gint64 o, guint bits)
{
  const gint64 k = ls_net_products (layer) / ls_net_count (layer->out);
  double reach = 0;

  for (gint64 i = 0; i < k; i++)
    reach = MAX (reach, fabs ((double) layer->weights[o * k + i]));
  return reach > 0 ? reach / ((1 << (bits - 1)) - 1) : 1;
}

/* The sum behind output o at a pixel, with its bias. */
static gint64
sum_of (const LsNetLayer *layer, const gint64 *x, gint64 o, gint64 r, gint64 s, double in, guint bits)
{
  const gint64 kernel = layer->kernel, k = ls_net_products (layer) / ls_net_count (layer->out),
               most = (1 << (bits - 1)) - 1;
  const double scale = weight_scale (layer, o, bits);
  const Whole any = { 1, -most, most };
  gint64 sum = (gint64) floor ((double) layer->bias[o] / (in * scale) + .5);

  if (layer->kind == LS_LAYER_DENSE)
    {
      for (gint64 i = 0; i < k; i++)
        sum += x[i] * closest ((double) layer->weights[o * k + i] / scale, any);
      return sum;
    }
  for (gint64 c = 0; c < layer->in[0]; c++)
    for (gint64 u = 0; u < kernel; u++)
      for (gint64 v = 0; v < kernel; v++)
        sum += at (x, layer->in, c, r * layer->stride + u - layer->pad, s * layer->stride + v - layer->pad)
               * closest ((double) layer->weights[o * k + (c * kernel + u) * kernel + v] / scale, any);
  return sum;
}

static gint64
pooled (const LsNetLayer *layer, const gint64 *x, gint64 c, gint64 r, gint64 s)
{
  gint64 best = G_MININT64, sum = 0;

  for (gint64 u = 0; u < layer->kernel; u++)
    for (gint64 v = 0; v < layer->kernel; v++)
      {
        const gint64 one = at (x, layer->in, c, r * layer->stride + u, s * layer->stride + v);
        best = MAX (best, one);
        sum += one;
      }
  return layer->kind == LS_LAYER_MAXPOOL
           ? best
           : (gint64) floor ((double) sum / (double) (layer->kernel * layer->kernel) + .5);
}

/* Everything that each layer makes of the sample, held against what the engine's does. */
static void
compare (const char *text, const Rig *rig, LsInt8 *int8, const float *values, guint bits)
{
  const LsNet *net = rig->net;
  Whole now = whole ((double) net->low, (double) net->high, bits);
  g_autofree gint64 *x = g_new (gint64, ls_net_count (net->in_shape));
  g_autofree double *logits = g_new (double, net->n_classes);

  for (gint64 i = 0; i < ls_net_count (net->in_shape); i++)
    x[i] = closest ((double) values[i] / now.scale, now);
  ls_int8_run (int8, values, logits);
  for (guint i = 0; i < net->n_layers; i++)
    {
      const LsNetLayer *layer = &net->layers[i];
      const gboolean last = i + 1 == net->n_layers;
      gint64 *made = g_new (gint64, ls_net_count (layer->out));
      const gint16 *its = ls_int8_made (int8, i);
      const LsNetLayer *reach = !last && layer[1].kind == LS_LAYER_RELU ? layer + 1 : layer;
      const double in = now.scale;

      if (ls_net_weighted (layer))
        now = whole ((double) reach->low, (double) reach->high, bits);
      for (gint64 o = 0; o < layer->out[0]; o++)
        for (gint64 r = 0; r < layer->out[1]; r++)
          for (gint64 s = 0; s < layer->out[2]; s++)
            {
              const gint64 place = (o * layer->out[1] + r) * layer->out[2] + s;
              gint64 *one = &made[place];

              if (ls_net_weighted (layer))
                {
                  const gint64 sum = sum_of (layer, x, o, r, s, in, bits);
                  const double scale = in * weight_scale (layer, o, bits);

                  const double exact = (double) sum * scale / now.scale;

                  *one = closest (exact, now);
                  /* in the middle of two whole numbers the factor's last bit decides */
                  if (!last && fabs (exact - floor (exact) - .5) < 1e-6 && ABS (*one - its[place]) == 1)
                    *one = its[place];
                  if (last)
                    {
                      if (fabs (logits[o] - (double) sum * scale) > 1e-9 * fabs (logits[o]))
                        g_error ("%s, %u bits: logit %d is %g, not %g", text, bits, (int) o, logits[o],
                                 (double) sum * scale);
                      continue;
                    }
                }
              else
                *one = layer->kind == LS_LAYER_RELU ? MAX (x[place], 0) : pooled (layer, x, o, r, s);
              if (its[place] != *one)
                g_error ("%s, %u bits: layer %u makes %d at %d, not %d", text, bits, layer->layer + 1,
                         its[place], (int) place, (int) *one);
            }
      g_free (x);
      x = made;
    }
}

static float
weight (guint p, gint64 i)
{
  return rig_number (p + 1, i) * (p % 2 == 0 ? .7f : .25f); /* weights, biases */
}

static const struct {
  const char *text;
  gint64 in[3];
  float low;
} nets[] = {
  { "flatten, dense 3", { 1, 1, 2 }, 0 },
  { "flatten, dense 7, relu, dense 3", { 1, 3, 5 }, 0 },
  { "flatten, dense 7, dense 6, relu, dropout 0.5, dense 4", { 1, 4, 8 }, -1 },
  { "conv 5 3 pad 1, relu, maxpool 2, conv 6 2 stride 2, relu, avgpool 2, flatten, dense 4",
    { 2, 9, 11 },
    0 },
  { "conv 3 3, maxpool 2 stride 1, relu, flatten, dense 3", { 1, 6, 5 }, -1 },
  { "avgpool 2, conv 4 3 stride 2 pad 2, avgpool 3, flatten, dense 2", { 3, 14, 12 }, -1 },
};

/* What the layers reach is up to the test: some of it is beyond, so that ends are met. */
static void
set_reach (LsNet *net, float low)
{
  net->low = low;
  net->high = .875f;
  for (guint i = 0; i < net->n_layers; i++)
    {
      LsNetLayer *layer = &net->layers[i];

      layer->high = 1.25f;
      layer->low = layer->kind == LS_LAYER_RELU ? 0 : -.75f;
    }
}

static void
test_plain (void)
{
  for (gsize k = 0; k < G_N_ELEMENTS (nets); k++)
    {
      g_auto (Rig) rig = { 0 };
      g_autofree float *values = NULL;

      rig_init (&rig, nets[k].text, nets[k].in[0], nets[k].in[1], nets[k].in[2], weight);
      set_reach (rig.net, nets[k].low);
      values = g_new (float, ls_net_count (rig.net->in_shape));
      for (guint bits = LS_INT8_LEAST; bits <= LS_INT8_BITS; bits++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (LsInt8) int8 = ls_int8_new (rig.net, rig.plan->model, bits, &error);

          g_assert_no_error (error);
          for (guint sample = 0; sample < 5; sample++)
            {
              for (gint64 i = 0; i < ls_net_count (rig.net->in_shape); i++)
                values[i] = nets[k].low < 0 ? rig_number (99 + sample, i)
                                            : fabsf (rig_number (99 + sample, i));
              compare (nets[k].text, &rig, int8, values, bits);
            }
        }
    }
}

/* ---- by hand ---- */

static float
by_hand (guint p, gint64 i)
{
  static const float weights[] = { 1.27f, -.64f, 0, 0 }, bias[] = { .1f, 0 }, last[] = { 1, 1 };

  return p == 0 ? weights[i] : p == 1 ? bias[i] : p == 2 ? last[i] : 0;
}

/* Two inputs of 0 … 2.55, one unit with weights 127 and −64 of 0.01 each, and one whose weights are all 0. */
static void
test_by_hand (void)
{
  g_auto (Rig) rig = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsInt8) int8 = NULL;
  double logit;
  LsInt8Scales scales;
  const gint16 *weights;

  rig_init (&rig, "flatten, dense 2, relu, dense 1", 1, 1, 2, by_hand);
  rig.net->high = 2.55f;
  rig.net->layers[1].high = 2.55f;
  int8 = ls_int8_new (rig.net, rig.plan->model, 8, &error);
  g_assert_no_error (error);
  weights = ls_int8_weights (int8, 0, 0);
  g_assert_cmpint (weights[0], ==, 127);
  g_assert_cmpint (weights[1], ==, -64);
  g_assert_cmpint (ls_int8_weights (int8, 0, 1)[0], ==, 0);
  g_assert_null (ls_int8_weights (int8, 1, 0));
  scales = ls_int8_scales (int8, 0);
  g_assert_cmpuint (scales.layer, ==, 1);
  g_assert_cmpfloat_with_epsilon (scales.low, .01, 1e-6);
  g_assert_cmpfloat_with_epsilon (scales.high, 1, 1e-6); /* of nothing but zeros any will do */
  g_assert_cmpfloat_with_epsilon (scales.out, .01, 1e-6);
  g_assert_true (scales.out_unsigned);
  g_assert_cmpfloat (ls_int8_scales (int8, 2).out, ==, 0);

  /* 100·127 − 50·64 + 1000 = 10500 of 0.0001 each: 105 of 0.01 */
  ls_int8_run (int8, (const float[]){ 1, .5f }, &logit);
  g_assert_cmpint (ls_int8_made (int8, 0)[0], ==, 105);
  g_assert_cmpint (ls_int8_made (int8, 0)[1], ==, 0);
  g_assert_cmpfloat_with_epsilon (logit, 1.05, 1e-5);
  /* beyond both ends: 255·127 + 1000 is more than 255 of 0.01; below 0 is what the relu cuts off */
  ls_int8_run (int8, (const float[]){ 9, -1 }, &logit);
  g_assert_cmpint (ls_int8_made (int8, 0)[0], ==, 255);
  g_assert_cmpfloat_with_epsilon (logit, 2.55, 1e-5);
  ls_int8_run (int8, (const float[]){ 0, 2 }, &logit);
  g_assert_cmpint (ls_int8_made (int8, 0)[0], ==, 0);
  g_assert_cmpfloat_with_epsilon (logit, 0, 1e-9);
}

/* ---- refused ---- */

static float
zero (guint p, gint64 i)
{
  return 0;
}

/* 255 · 127 · 40000 is more than 2^30; with 4 bits it is 15 · 7 · 40000. */
static void
test_sums (void)
{
  g_auto (Rig) rig = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsInt8) four = NULL;

  rig_init (&rig, "flatten, dense 1", 1, 200, 200, zero);
  g_assert_null (ls_int8_new (rig.net, rig.plan->model, 8, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_true (g_str_has_prefix (error->message, "layer 2 (dense) adds up 40000 products"));
  four = ls_int8_new (rig.net, rig.plan->model, 4, NULL);
  g_assert_nonnull (four);
}

static void
test_refused (void)
{
  static const struct {
    const char *text, *names;
  } wrong[] = {
    { "lstm 4, dense 2", "layer 1 (lstm)" },
    { "flatten, dense 4, gelu, dense 2", "layer 3 (gelu)" },
    { "flatten, dense 4, tanh, dense 2", "layer 3 (tanh)" },
    { "flatten, dense 4, sigmoid, dense 2", "layer 3 (sigmoid)" },
    { "flatten, dense 4, layernorm, dense 2", "layer 3 (layernorm)" },
    { "flatten, residual(dense 16, relu), dense 2", "layer 2 (residual)" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (LsPlan) plan = rig_plan (wrong[i].text, 1, 4, 4);
      g_autofree float **weights = g_new0 (float *, plan->n_params);
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_net_new (plan, (const float *const *) weights, "A machine", &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (strstr (error->message, wrong[i].names) == NULL)
        g_error ("“%s” isn't named in: %s", wrong[i].names, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/int8/plain", test_plain);
  g_test_add_func ("/int8/by-hand", test_by_hand);
  g_test_add_func ("/int8/sums", test_sums);
  g_test_add_func ("/int8/refused", test_refused);
  return g_test_run ();
}
