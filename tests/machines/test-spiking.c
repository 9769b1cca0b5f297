/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spiking neurons: what one does with a known current, where its spikes go, what adds up.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "spiking_rig.h"

static float
one (guint p, gint64 i)
{
  return p % 2 == 0 ? 1 : 0;
}

/* From steps 1, 2, 3 …, as bits. */
static guint64
bits_of (const guint *steps, guint n)
{
  guint64 bits = 0;

  for (guint i = 0; i < n; i++)
    bits |= (guint64) 1 << (steps[i] - 1);
  return bits;
}

static void
test_neuron (void)
{
  static const struct {
    float current;
    guint steps[12], n; /* in which it spikes, of 12 */
    double left;        /* in its potential afterwards */
  } known[] = {
    { .25f, { 4, 8, 12 }, 3, 0 },
    { .375f, { 3, 6, 8, 11 }, 4, .5 },
    { 1, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, 12, 0 },
    { 1.5f, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, 12, 6 },
    { 0, { 0 }, 0, 0 },
    { -.5f, { 0 }, 0, -6 },
  };
  g_auto (Rig) rig = { 0 };
  g_autoptr (LsSpiking) spiking = NULL;
  guint layer;

  rig_init (&rig, "flatten, dense 1, relu, dense 1", 1, 1, 1, one);
  set_most (rig.net, 1);
  spiking = spiking_new (&rig);
  g_assert_cmpuint (ls_spiking_layers (spiking), ==, 1);
  g_assert_cmpuint (ls_spiking_neurons (spiking, 0, &layer), ==, 1);
  g_assert_cmpuint (layer, ==, 1);
  g_assert_cmpint (ls_spiking_input_products (spiking), ==, 1);
  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    {
      guint spikes;
      double left;

      ls_spiking_begin (spiking, &known[k].current);
      for (guint t = 0; t < 12; t++)
        ls_spiking_step (spiking);
      ls_spiking_neuron (spiking, 0, 0, &spikes, &left);
      if (ls_spiking_raster (spiking, 0, 0) != bits_of (known[k].steps, known[k].n))
        g_error ("with a current of %g it spikes at other steps", (double) known[k].current);
      g_assert_cmpuint (spikes, ==, known[k].n);
      g_assert_cmpfloat (left, ==, known[k].left);
      g_assert_cmpuint (ls_spiking_spikes (spiking), ==, known[k].n);
      g_assert_cmpuint (ls_spiking_events (spiking), ==, known[k].n); /* each to the one of the last layer */
      g_assert_cmpfloat (ls_spiking_potentials (spiking)[0], ==, known[k].n);
    }
}

/* The rate comes to relu() of the current, as 1/T. */
static void
test_rate (void)
{
  g_auto (Rig) rig = { 0 };
  g_autoptr (LsSpiking) spiking = NULL;

  rig_init (&rig, "flatten, dense 1, relu, dense 1", 1, 1, 1, one);
  set_most (rig.net, 1);
  spiking = spiking_new (&rig);
  for (gint k = -8; k <= 8; k++)
    {
      const float current = (float) k * .1171f;
      guint spikes, t = 0;
      double left;

      ls_spiking_begin (spiking, &current);
      for (guint until = 1; until <= 512; until *= 2)
        {
          for (; t < until; t++)
            ls_spiking_step (spiking);
          ls_spiking_neuron (spiking, 0, 0, &spikes, &left);
          g_assert_cmpfloat (fabs ((double) spikes / t - MAX ((double) current, 0)), <, 1.0 / t + 1e-4);
          g_assert_cmpfloat (fabs (spikes + left - t * (double) current), <, 1e-5 * t + 1e-6);
        }
    }
}

/* λ of a layer and of the one before: W · λ before / λ, b / λ; also where rates grow by it. A layer that is
 * never above 0 isn't divided at all. */
static void
test_normalised (void)
{
  static const struct {
    float current, most[2];
    guint first, second; /* spikes of 16 steps */
  } rows[] = {
    { 2, { 8, 4 }, 4, 8 },          /* rates of 1/4 and 1/2 */
    { .25f, { .5f, 1 }, 8, 4 },     /* what is smaller than 1 is made larger */
    { .25f, { .25f, .5f }, 16, 8 }, /* the largest of all: each step a spike */
    { .25f, { 4, .25f }, 1, 16 },   /* one spike is worth many */
    { .125f, { 0, .5f }, 2, 4 },    /* never above 0 */
    { .125f, { -1, .25f }, 2, 8 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Rig) rig = { 0 };
      g_autoptr (LsSpiking) spiking = NULL;
      guint spikes;
      double left;

      g_test_message ("%g, at most %g and %g", (double) rows[i].current, (double) rows[i].most[0],
                      (double) rows[i].most[1]);
      rig_init (&rig, "flatten, dense 1, relu, dense 1, relu, dense 1", 1, 1, 1, one);
      rig.net->layers[1].most = rows[i].most[0];
      rig.net->layers[3].most = rows[i].most[1];
      spiking = spiking_new (&rig);
      ls_spiking_begin (spiking, &rows[i].current);
      for (guint t = 0; t < 16; t++)
        ls_spiking_step (spiking);
      ls_spiking_neuron (spiking, 0, 0, &spikes, &left);
      g_assert_cmpuint (spikes, ==, rows[i].first);
      /* what each of them sends may be more than it takes for one spike, which then comes a step later */
      ls_spiking_neuron (spiking, 1, 0, &spikes, &left);
      g_assert_cmpfloat (spikes + left, ==, rows[i].second);
      g_assert_cmpuint (spikes, <=, rows[i].second);
      /* and the last layer's potential is the network's own number for each step */
      g_assert_cmpfloat (ls_spiking_potentials (spiking)[0], ==, rows[i].most[1] * (float) spikes);
    }
}

static float biases[3];

static float
biases_alone (guint p, gint64 i)
{
  (void) i;
  return p % 2 == 1 ? biases[p / 2] : 0;
}

/* What comes by itself at each step is divided by λ of its own layer, whatever that of the one before. */
static void
test_biases (void)
{
  static const struct {
    float bias[3], most[2];
    guint spikes[2]; /* of 16 steps */
    float left[2], last;
  } rows[] = {
    { { .5f, .5f, .25f }, { 1, 1 }, { 8, 8 }, { 0, 0 }, 4 },
    { { 2, .5f, .25f }, { 4, 2 }, { 8, 4 }, { 0, 0 }, 4 },
    { { .25f, .125f, -.5f }, { .5f, .25f }, { 8, 8 }, { 0, 0 }, -8 },
    { { .25f, .5f, 2 }, { 4, .5f }, { 1, 16 }, { 0, 0 }, 32 },
    { { 1, -1, 0 }, { 8, 4 }, { 2, 0 }, { 0, -4 }, 0 },
    { { -1, 3, 1 }, { 2, 4 }, { 0, 12 }, { -8, 0 }, 16 },
    { { 0, 0, 0 }, { 2, 4 }, { 0, 0 }, { 0, 0 }, 0 },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_auto (Rig) rig = { 0 };
      g_autoptr (LsSpiking) spiking = NULL;
      const float sample = 0;

      memcpy (biases, rows[r].bias, sizeof biases);
      rig_init (&rig, "flatten, dense 1, relu, dense 1, relu, dense 1", 1, 1, 1, biases_alone);
      rig.net->layers[1].most = rows[r].most[0];
      rig.net->layers[3].most = rows[r].most[1];
      spiking = spiking_new (&rig);
      ls_spiking_begin (spiking, &sample);
      for (guint t = 0; t < 16; t++)
        ls_spiking_step (spiking);
      for (guint layer = 0; layer < 2; layer++)
        {
          guint spikes;
          double left;

          ls_spiking_neuron (spiking, layer, 0, &spikes, &left);
          if (spikes != rows[r].spikes[layer] || left != (double) rows[r].left[layer])
            g_error ("row %u: by a bias of %g a neuron of layer %u has %u spikes and %g left, not %u and %g",
                     r, (double) rows[r].bias[layer], layer, spikes, left, rows[r].spikes[layer],
                     (double) rows[r].left[layer]);
        }
      g_assert_cmpfloat (ls_spiking_potentials (spiking)[0], ==, rows[r].last);
    }
}

/* What a neuron was sent in all steps is its spikes and its potential; a spike's events are where it goes. */
static void
test_sums (void)
{
  g_auto (Rig) rig = { 0 };
  g_autoptr (LsSpiking) spiking = NULL;
  const float values[] = { .5f, -.25f, 1, .75f };
  guint64 events = 0;
  guint spikes[5];
  double left;

  rig_init (&rig, "flatten, dense 5, relu, dense 4, relu, dense 3", 1, 2, 2, exact);
  set_most (rig.net, 1);
  spiking = spiking_new (&rig);
  ls_spiking_begin (spiking, values);
  for (guint t = 0; t < STEPS; t++)
    ls_spiking_step (spiking);
  for (guint k = 0; k < 5; k++)
    {
      double sent = (double) rig.net->layers[0].bias[k];

      for (guint i = 0; i < 4; i++)
        sent += (double) (values[i] * rig.net->layers[0].weights[k * 4 + i]);
      ls_spiking_neuron (spiking, 0, k, &spikes[k], &left);
      g_assert_cmpfloat (spikes[k] + left, ==, STEPS * sent);
      events += (guint64) spikes[k] * 4;
    }
  for (guint k = 0; k < 4; k++)
    {
      double sent = STEPS * (double) rig.net->layers[2].bias[k];
      guint own;

      for (guint i = 0; i < 5; i++)
        sent += spikes[i] * (double) rig.net->layers[2].weights[k * 5 + i];
      ls_spiking_neuron (spiking, 1, k, &own, &left);
      g_assert_cmpfloat (own + left, ==, sent);
      events += (guint64) own * 3;
    }
  g_assert_cmpuint (events, >, 100);
  g_assert_cmpuint (ls_spiking_events (spiking), ==, events);
}

/* Of a convolution without padding a spike in the middle goes to all of a window, one in the corner to one.
 */
static void
test_fan_out (void)
{
  g_auto (Rig) rig = { 0 };
  g_autoptr (LsSpiking) spiking = NULL;
  float values[25] = { 0 };

  rig_init (&rig, "conv 1 1, relu, conv 2 3, relu, flatten, dense 2", 1, 5, 5, one);
  set_most (rig.net, 1000); /* behind the first ones nothing spikes */
  rig.net->layers[1].most = 1;
  spiking = spiking_new (&rig);
  values[12] = 1;
  ls_spiking_begin (spiking, values);
  ls_spiking_step (spiking);
  g_assert_cmpuint (ls_spiking_spikes (spiking), ==, 1);
  g_assert_cmpuint (ls_spiking_events (spiking), ==, 3 * 3 * 2);
  values[12] = 0;
  values[24] = 1;
  ls_spiking_begin (spiking, values);
  ls_spiking_step (spiking);
  g_assert_cmpuint (ls_spiking_events (spiking), ==, 2);
}

/* Whatever was simulated before, the same sample has the same spikes. */
static void
test_again (void)
{
  g_auto (Rig) rig = { 0 };
  g_autoptr (LsSpiking) spiking = NULL;
  float values[2][63];
  guint64 first[3] = { 0 };

  rig_init (&rig, "conv 4 3 pad 1, relu, maxpool 2, flatten, dense 6, relu, dense 4", 1, 7, 9, exact);
  set_most (rig.net, .625f);
  for (guint i = 0; i < 63; i++)
    {
      values[0][i] = rig_number (3, i);
      values[1][i] = rig_number (4, i);
    }
  spiking = spiking_new (&rig);
  for (guint round = 0; round < 3; round++)
    {
      guint64 found[3] = { 0 };

      ls_spiking_begin (spiking, values[round % 2]);
      for (guint t = 0; t < STEPS; t++)
        ls_spiking_step (spiking);
      found[0] = ls_spiking_spikes (spiking);
      found[1] = ls_spiking_events (spiking);
      memcpy (&found[2], ls_spiking_potentials (spiking), sizeof found[2]);
      if (round == 0)
        memcpy (first, found, sizeof first);
      g_assert_true ((memcmp (first, found, sizeof first) == 0) == (round != 1));
    }
}

static void
test_refused (void)
{
  static const struct {
    const char *text, *words;
  } wrong[] = {
    { "flatten, dense 4, dense 2", "Nothing spikes behind layer 2 (dense)" },
    { "conv 2 3, maxpool 2, relu, flatten, dense 2", "Nothing spikes behind layer 1 (conv)" },
    { "maxpool 2, conv 2 2, relu, flatten, dense 2", "layer 1 (maxpool) stands before all weights" },
    { "avgpool 2, flatten, dense 2", "layer 1 (avgpool) stands before all weights" },
    { "flatten, relu, dense 2", "layer 2 (relu) stands before all weights" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (Rig) rig = { 0 };
      g_autoptr (GError) error = NULL;

      rig_init (&rig, wrong[i].text, 1, 6, 6, one);
      g_assert_null (ls_spiking_new (rig.net, rig.plan->model, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (strstr (error->message, wrong[i].words) == NULL)
        g_error ("“%s” was expected in: %s", wrong[i].words, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spiking/neuron", test_neuron);
  g_test_add_func ("/spiking/rate", test_rate);
  g_test_add_func ("/spiking/normalised", test_normalised);
  g_test_add_func ("/spiking/biases", test_biases);
  g_test_add_func ("/spiking/sums", test_sums);
  g_test_add_func ("/spiking/fan-out", test_fan_out);
  g_test_add_func ("/spiking/again", test_again);
  g_test_add_func ("/spiking/refused", test_refused);
  return g_test_run ();
}
