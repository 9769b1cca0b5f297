/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is found out of a trained network before it is converted, and how its answers are counted, against
 * what is worked out here from its weights and samples alone.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "../folder.h"
#include "converted_rig.h"
#include "data/batcher.h"
#include "files/weights.h"
#include "machines/converted/trained.h"

#define WIDTH 16 /* of SMALL's layers */

static LsOptions *options;
static char *weights; /* a file of a trained network's */

static LsTrained *
trained_new (guint samples)
{
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options, .load = weights, .samples = samples };
  const LsConvertedEar ear = { 0 };
  g_autoptr (GError) error = NULL;
  LsTrained *trained = ls_trained_new (&wish, &ear, &error);

  g_assert_no_error (error);
  return trained;
}

/* made: what each of the five layers makes of a sample of two values: dense, relu, dense, relu, dense. */
static void
answer (const LsTrained *trained, const float *x, double made[5][WIDTH])
{
  const guint widths[] = { WIDTH, WIDTH, 3 };
  double in[WIDTH] = { (double) x[0], (double) x[1] };
  guint n_in = 2;

  for (guint i = 0; i < 3; i++)
    {
      const float *w = trained->weights[2 * i], *b = trained->weights[2 * i + 1];

      for (guint o = 0; o < widths[i]; o++)
        {
          double sum = (double) b[o];

          for (guint k = 0; k < n_in; k++)
            sum += (double) w[o * n_in + k] * in[k];
          made[2 * i][o] = sum;
          if (i < 2)
            made[2 * i + 1][o] = fmax (sum, 0);
        }
      if (i < 2)
        memcpy (in, made[2 * i + 1], sizeof in);
      n_in = WIDTH;
    }
}

/* How far the layers reach is looked at on the batches that training begins with, a thousand samples' at
 * most; of what is above 0, one in a thousand lies above `most`. */
static void
test_reach (void)
{
  g_autoptr (LsTrained) trained = trained_new (0);
  const LsDataset *set = &trained->data->train;
  const guint batch = trained->plan->batch, n_batches = 1000 / batch;
  g_autoptr (LsBatcher) batcher = ls_batcher_new (set->n, batch, (LsOrder) options->order,
                                                  (guint64) options->seed, NULL);
  g_autofree guint32 *index = g_new (guint32, batch);
  static const guint widths[] = { WIDTH, WIDTH, WIDTH, WIDTH, 3 };
  GArray *above[5];
  double low[6], high[6];

  g_assert_cmpuint (trained->net->n_layers, ==, 5);
  g_assert_cmpuint (n_batches, >, 2);
  g_assert_cmpuint (n_batches, <=, ls_batcher_steps_per_epoch (batcher));
  g_assert_cmpuint (trained->calibration, ==, n_batches * batch);
  for (guint i = 0; i < 6; i++)
    {
      low[i] = INFINITY;
      high[i] = -INFINITY;
    }
  for (guint i = 0; i < 5; i++)
    above[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint b = 0; b < n_batches; b++)
    {
      ls_batcher_get (batcher, b, index);
      for (guint s = 0; s < batch; s++)
        {
          const float *x = (const float *) set->samples + (gsize) index[s] * 2;
          double made[5][WIDTH];

          answer (trained, x, made);
          for (guint k = 0; k < 2; k++)
            {
              low[5] = fmin (low[5], (double) x[k]);
              high[5] = fmax (high[5], (double) x[k]);
            }
          for (guint i = 0; i < 5; i++)
            for (guint k = 0; k < widths[i]; k++)
              {
                low[i] = fmin (low[i], made[i][k]);
                high[i] = fmax (high[i], made[i][k]);
                if (made[i][k] > 0)
                  g_array_append_val (above[i], made[i][k]);
              }
        }
    }
  g_assert_cmpfloat ((double) trained->net->low, ==, low[5]);
  g_assert_cmpfloat ((double) trained->net->high, ==, high[5]);
  for (guint i = 0; i < 5; i++)
    {
      const LsNetLayer *layer = &trained->net->layers[i];
      const double near = 1e-4 * high[i], bin = high[i] / 4096;
      guint below = (guint) ceil (.999 * above[i]->len) - 1;

      g_test_message ("layer %u: %g … %g, most %g", layer->layer + 1, low[i], high[i], (double) layer->most);
      g_assert_cmpfloat_with_epsilon ((double) layer->low, low[i], near);
      g_assert_cmpfloat_with_epsilon ((double) layer->high, high[i], near);
      g_array_sort (above[i], ls_compare_doubles);
      g_assert_cmpfloat ((double) layer->most, <, high[i]);
      g_assert_cmpfloat_with_epsilon ((double) layer->most, g_array_index (above[i], double, below),
                                      1.1 * bin + near);
      /* its bin's upper end: no less than the share lies below it */
      g_assert_cmpfloat ((double) layer->most, >=, g_array_index (above[i], double, below) - near);
      g_array_unref (above[i]);
    }
}

/* The floats' answers are those of the test set's first samples, in their order, also where they don't fill a
 * last batch. */
static void
test_answers (void)
{
  static const guint wanted[] = { 1, 37, 64, 100000 };

  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autoptr (LsTrained) trained = trained_new (wanted[i]);
      const LsDataset *test = &trained->data->test;
      guint sure = 0;

      g_assert_cmpuint (trained->n_samples, ==, MIN (wanted[i], test->n));
      for (guint s = 0; s < trained->n_samples; s++)
        {
          double made[5][WIDTH];
          float values[2];
          guint best = 0;

          g_assert_true (ls_trained_sample (trained, s, values, NULL));
          g_assert_cmpmem (values, sizeof values, (const float *) test->samples + 2 * s, sizeof values);
          answer (trained, values, made);
          for (guint c = 1; c < 3; c++)
            if (made[4][c] > made[4][best])
              best = c;
          for (guint c = 0; c < 3; c++) /* as near as that, rounding decides */
            if (c != best && made[4][best] - made[4][c] < 1e-3)
              best = trained->answers[s];
          sure += trained->answers[s] == best;
        }
      g_assert_cmpuint (sure, ==, trained->n_samples);
    }
}

static double
percent (guint of, guint n)
{
  return 100. * of / n;
}

/* Each sample is one answer, right or wrong, and the same as the floats' or not. */
static void
test_bits (void)
{
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options, .load = weights, .samples = 150, .bits = 3 };
  g_autoptr (LsTrained) trained = trained_new (150);
  g_autoptr (LsConverted) result = run (&wish);
  guint right = 0;

  g_assert_cmpuint (result->n_points, ==, 6);
  for (guint i = 0; i < 150; i++)
    right += (gint32) trained->answers[i] == trained->data->test.labels[i];
  g_assert_cmpfloat_with_epsilon (result->accuracy.value, percent (right, 150), 1e-9);
  g_assert_cmpuint (result->accuracy.n, ==, 150);
  for (guint k = 0; k < 6; k++)
    {
      const guint bits = 8 - k;
      g_autoptr (LsInt8) int8 = ls_int8_new (trained->net, trained->plan->model, bits, NULL);
      guint same = 0;

      right = 0;
      for (guint i = 0; i < 150; i++)
        {
          double logits[3];
          float values[2];

          g_assert_true (ls_trained_sample (trained, i, values, NULL));
          ls_int8_run (int8, values, logits);
          right += (gint32) ls_net_best (logits, 3) == trained->data->test.labels[i];
          same += ls_net_best (logits, 3) == trained->answers[i];
        }
      g_test_message ("%u bits: %u right, %u as the floats", bits, right, same);
      g_assert_cmpuint (result->points[k].at, ==, bits);
      g_assert_cmpfloat_with_epsilon (result->points[k].accuracy.value, percent (right, 150), 1e-9);
      g_assert_cmpfloat_with_epsilon (result->points[k].same.value, percent (same, 150), 1e-9);
      g_assert_cmpuint (result->points[k].spikes.n, ==, 0);
      if (bits == 8) /* the scales are those of 8 bits, of the layers with weights */
        for (guint s = 0; s < 3; s++)
          {
            const LsInt8Scales own = ls_int8_scales (int8, 2 * s);

            g_assert_cmpuint (result->n_scales, ==, 3);
            g_assert_cmpuint (result->scales[s].layer, ==, own.layer);
            g_assert_cmpfloat (result->scales[s].low, ==, own.low);
            g_assert_cmpfloat (result->scales[s].high, ==, own.high);
            g_assert_cmpfloat (result->scales[s].out, ==, own.out);
          }
    }
}

/* The times are 1, 2, 4 … and the last; at each what was sent until then is counted, in the mean of all
 * samples; neurons that are shown spike with the first one, and are evenly taken from those that do. */
static void
test_spikes (void)
{
  static const guint times[] = { 1, 2, 4, 8, 16, 24 };
  const LsConvertedWish wish = { LS_CONVERTED_SPIKING, options, .load = weights, .samples = 90, .steps = 24 };
  g_autoptr (LsTrained) trained = trained_new (90);
  g_autoptr (LsConverted) result = run (&wish);
  g_autoptr (LsSpiking) spiking = ls_spiking_new (trained->net, trained->plan->model, NULL);
  guint right[6] = { 0 }, same[6] = { 0 }, ranks[2 * WIDTH] = { 0 }, n_alive = 0, layer;
  guint64 spikes[6] = { 0 }, events[6] = { 0 };

  for (guint i = 0; i < 90; i++)
    {
      float values[2];

      g_assert_true (ls_trained_sample (trained, i, values, NULL));
      ls_spiking_begin (spiking, values);
      for (guint t = 1, k = 0; t <= 24; t++)
        {
          double now[3];

          ls_spiking_step (spiking);
          if (t != times[k])
            continue;
          for (guint c = 0; c < 3; c++)
            now[c] = (double) ls_spiking_potentials (spiking)[c];
          right[k] += (gint32) ls_net_best (now, 3) == trained->data->test.labels[i];
          same[k] += ls_net_best (now, 3) == trained->answers[i];
          spikes[k] += ls_spiking_spikes (spiking);
          events[k++] += ls_spiking_events (spiking);
        }
      if (i > 0)
        continue;
      for (guint n = 0; n < 2 * WIDTH; n++)
        if (ls_spiking_raster (spiking, n / WIDTH, n % WIDTH) != 0)
          ranks[n] = ++n_alive;
      g_assert_cmpuint (result->n_neurons, ==, MIN (n_alive, LS_CONVERTED_RASTER));
      for (guint k = 0; k < result->n_neurons; k++)
        {
          const LsConvertedNeuron *neuron = &result->neurons[k];
          const guint stage = neuron->layer == 1 ? 0 : 1;

          ls_spiking_neurons (spiking, stage, &layer);
          g_assert_cmpuint (neuron->layer, ==, layer);
          g_assert_cmpuint (neuron->spikes, ==, ls_spiking_raster (spiking, stage, neuron->neuron));
          /* the k-th stands where k of so many shares have passed */
          g_assert_cmpuint (ranks[stage * WIDTH + neuron->neuron] - 1, ==,
                            (k * n_alive + result->n_neurons - 1) / result->n_neurons);
        }
    }
  g_assert_cmpuint (n_alive, >, 8);
  g_assert_cmpuint (result->n_points, ==, 6);
  g_assert_cmpuint (result->n_spiking, ==, 2 * WIDTH);      /* the last layer's units don't spike */
  g_assert_cmpuint (result->input_products, ==, 2 * WIDTH); /* two values, with a weight for each unit */
  g_assert_cmpuint (result->n_steps, ==, 24);
  g_assert_cmpuint (result->label, ==, (guint) trained->data->test.labels[0]);
  for (guint k = 0; k < 6; k++)
    {
      const LsConvertedPoint *point = &result->points[k];

      g_test_message ("after %u steps %u right, %u as the floats", times[k], right[k], same[k]);
      g_assert_cmpuint (point->at, ==, times[k]);
      g_assert_cmpfloat_with_epsilon (point->accuracy.value, percent (right[k], 90), 1e-9);
      g_assert_cmpfloat_with_epsilon (point->same.value, percent (same[k], 90), 1e-9);
      g_assert_cmpfloat_with_epsilon (point->spikes.value, spikes[k] / 90., 1e-9);
      g_assert_cmpfloat_with_epsilon (point->events.value, events[k] / 90., 1e-9);
      g_assert_cmpfloat_with_epsilon (point->rate.value, spikes[k] / 90. / (2 * WIDTH * times[k]), 1e-9);
      g_assert_cmpuint (point->spikes.n, ==, 90);
    }
}

/* It is told of after 1, 2, 4 … time steps and after the last one, of each once. */
static void
test_moments (void)
{
  static const guint rows[][6]
    = { { 1 }, { 1, 2 }, { 1, 2, 3 }, { 1, 2, 4 }, { 1, 2, 4, 7 }, { 1, 2, 4, 8 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint n = 0;

      while (rows[i][n] > 0)
        n++;
      const LsConvertedWish wish = { LS_CONVERTED_SPIKING, options, .load = weights, .samples = 2,
                                     .steps = rows[i][n - 1] };
      g_autoptr (LsConverted) result = run (&wish);

      if (result->n_points != n)
        g_error ("of %u time steps %u moments are told of, not %u", wish.steps, result->n_points, n);
      for (guint k = 0; k < n; k++)
        g_assert_cmpfloat (result->points[k].at, ==, rows[i][k]);
    }
}

typedef struct {
  GString *words; /* one after the other, with how many there are of it */
  const char *last;
  guint done, total;
} Told;

static void
heard_cb (guint done, guint total, const char *words, gpointer data)
{
  Told *told = data;

  if (told->last == NULL || strcmp (told->last, words) != 0)
    g_string_append_printf (told->words, "%s %u; ", words, total);
  else
    {
      g_assert_cmpuint (done, >, told->done); /* it goes on */
      g_assert_cmpuint (total, ==, told->total);
    }
  g_assert_true (total == 0 || done < total);
  told->last = g_intern_string (words);
  told->done = done;
  told->total = total;
}

/* What is being done is said, part by part, with how much of it there is. */
static void
test_told (void)
{
  const LsConvertedWish trained = { LS_CONVERTED_INT8, options, .samples = 70, .bits = 7 },
                        loaded = { LS_CONVERTED_SPIKING, options, .load = weights, .samples = 70,
                                   .steps = 5 };
  const guint calibration = 2 * (1000 / (guint) options->batch);
  g_autofree char *first = g_strdup_printf (
                    "reading the data 0; training the network 300; looking how far its "
                    "layers reach %u; answering in floats 70; answering in 8 bits 70; "
                    "answering in 7 bits 70; ",
                    calibration),
                  *second = g_strdup_printf ("reading the data 0; looking how far its layers reach %u; "
                                             "answering in floats 70; simulating spikes 70; ",
                                             calibration);

  for (guint i = 0; i < 2; i++)
    {
      Told told = { .words = g_string_new (NULL) };
      g_autoptr (GError) error = NULL;
      g_autoptr (LsConverted) result = ls_converted_run (i == 0 ? &trained : &loaded, heard_cb, &told, NULL,
                                                         &error);

      g_assert_no_error (error);
      g_assert_cmpstr (told.words->str, ==, i == 0 ? first : second);
      g_assert_cmpuint (result->trained, ==, i == 0 ? 300 : 0);
      g_string_free (told.words, TRUE);
    }
}

/* The same network by another name has the same result; all that changes its weights or its samples has
 * another; who computes it has not. */
static void
test_key (void)
{
  static const struct {
    const char *option, *value;
    gboolean other;
  } rows[] = { { "model", "flatten, dense 16, relu, dense 16, relu, dense 3 ", FALSE },
               { "model", "flatten, dense 16, relu, dense 17, relu, dense 3", TRUE },
               { "data", "moons", TRUE },
               { "batch", "32", TRUE },
               { "lr", "0.011", TRUE },
               { "momentum", "0.5", TRUE },
               { "optimizer", "adam", TRUE },
               { "order", "sequential", TRUE },
               { "seed", "2", TRUE },
               { "steps", "299", TRUE },
               { "threads", "3", FALSE },
               { "policy", "static", FALSE },
               { "kernel", "naive", FALSE },
               { "lanes", "cpu", FALSE },
               { "check-every", "7", FALSE },
               { "turns", "race", FALSE } };
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options };
  g_autofree char *key = ls_converted_key (&wish, NULL);

  g_assert_cmpuint (strlen (key), ==, 12);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) other = ls_options_copy (options);
      const LsConvertedWish one = { LS_CONVERTED_INT8, other };
      g_autofree char *its = NULL;
      g_autoptr (GError) error = NULL;

      ls_options_set (other, ls_options_find (rows[i].option), rows[i].value, &error);
      g_assert_no_error (error);
      its = ls_converted_key (&one, NULL);
      if ((strcmp (its, key) != 0) != rows[i].other)
        g_error ("with --%s %s a result is called %s, and %s without", rows[i].option, rows[i].value, its,
                 key);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (LsTrained) trained = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_setenv ("XDG_DATA_HOME", dir.path, TRUE);
  options = options_of ("spiral", SMALL, "300");
  trained = trained_new (1);
  weights = temp_path (&dir, "weights.safetensors");
  g_assert_true (ls_weights_save (weights, trained->plan, (const float *const *) trained->weights,
                                  LS_PRECISION_FP32, NULL));
  g_test_add_func ("/converted-run/reach", test_reach);
  g_test_add_func ("/converted-run/answers", test_answers);
  g_test_add_func ("/converted-run/bits", test_bits);
  g_test_add_func ("/converted-run/spikes", test_spikes);
  g_test_add_func ("/converted-run/moments", test_moments);
  g_test_add_func ("/converted-run/told", test_told);
  g_test_add_func ("/converted-run/key", test_key);
  status = g_test_run ();
  remove_tree (dir.path);
  g_free (dir.path);
  g_free (weights);
  ls_options_free (options);
  return status;
}
