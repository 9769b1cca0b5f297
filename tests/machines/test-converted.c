/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks that are trained here and converted: how many they still get right, what is kept, what is refused.
 */
#include "config.h"

#include <math.h>

#include "../folder.h"
#include "../wrong.h"
#include "converted_rig.h"
#include "core/file.h"
#include "lab/machine.h"
#include "files/weights.h"
#include "machines/converted/trained.h"

/* ---- digits ---- */

/* A file of weights, trained here; (transfer full) */
static char *
train (const LsOptions *options)
{
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options, .samples = 1 };
  const LsConvertedEar ear = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTrained) trained = ls_trained_new (&wish, &ear, &error);
  char *path = temp_path (&dir, "weights.safetensors");

  g_assert_no_error (error);
  g_assert_cmpuint (trained->steps, ==, options->steps);
  g_assert_true (ls_weights_save (path, trained->plan, (const float *const *) trained->weights,
                                  LS_PRECISION_FP32, &error));
  return path;
}

/* Half a point, one point; steps: enough of them to be a trained network. */
static void
check_digits (const char *model, const char *steps, double least, guint samples)
{
  g_autoptr (LsOptions) options = options_of ("mnist", model, steps);
  g_autofree char *path = train (options);
  const LsConvertedWish whole = { LS_CONVERTED_INT8, options, path, .samples = 4 * samples, .bits = 2 },
                        spikes = { LS_CONVERTED_SPIKING, options, path, .samples = samples, .steps = 48 };
  g_autoptr (LsConverted) int8 = run (&whole), spiking = run (&spikes);
  const LsConvertedPoint *point;

  g_assert_cmpstr (int8->model, ==, model);
  g_assert_cmpstr (int8->data, ==, "mnist");
  g_assert_cmpuint (int8->n_samples, ==, 4 * samples);
  g_assert_cmpuint (int8->n_test, ==, 10000);
  g_assert_cmpfloat (int8->accuracy.value, >, least);
  g_assert_cmpuint (int8->n_points, ==, 7);
  g_assert_cmpuint (int8->points[0].at, ==, 8);
  g_assert_cmpuint (int8->points[6].at, ==, 2);
  g_assert_cmpfloat (fabs (int8->points[0].accuracy.value - int8->accuracy.value), <=, .5);
  g_assert_cmpfloat (int8->points[0].same.value, >=, 99.5);
  g_assert_cmpuint (int8->points[0].accuracy.n, ==, int8->n_samples);
  /* bits cost something, and two aren't enough */
  g_assert_cmpfloat (int8->points[6].accuracy.value, <, int8->points[0].accuracy.value - 5);
  g_assert_cmpuint (int8->n_scales, >=, 3);
  for (guint i = 0; i < int8->n_scales; i++)
    g_assert_cmpfloat (int8->scales[i].low, <, int8->scales[i].high); /* a scale for each channel */

  g_assert_cmpuint (spiking->n_points, ==, 7); /* 1, 2, 4 … 32, 48 */
  g_assert_cmpuint (spiking->points[6].at, ==, 48);
  point = ls_converted_within (spiking, 1);
  g_assert_nonnull (point);
  g_assert_cmpfloat (spiking->points[6].accuracy.value, >=, spiking->accuracy.value - 1);
  g_assert_cmpfloat (spiking->points[6].same.value, >=, 97);
  g_assert_cmpfloat (spiking->points[0].accuracy.value, <, 50);
  for (guint i = 1; i < spiking->n_points; i++)
    {
      g_assert_cmpfloat (spiking->points[i].spikes.value, >, spiking->points[i - 1].spikes.value);
      g_assert_cmpfloat (spiking->points[i].events.value, >, spiking->points[i].spikes.value);
    }
  g_assert_cmpint (spiking->points[6].spikes.evidence, ==, LS_EVIDENCE_MEASURED);
  g_assert_cmpint (spiking->points[6].events.evidence, ==, LS_EVIDENCE_MEASURED);
  g_assert_cmpint (spiking->points[6].rate.evidence, ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpint (spiking->points[6].energy.evidence, ==, LS_EVIDENCE_MODELLED);
  g_assert_cmpfloat (spiking->points[6].rate.value, >, .001);
  g_assert_cmpfloat (spiking->points[6].rate.value, <, .5);
  g_assert_cmpfloat_with_epsilon (spiking->points[6].energy.value / 23.6e-12, spiking->points[6].events.value,
                                  1e-3);
  g_assert_cmpuint (spiking->n_neurons, ==, LS_CONVERTED_RASTER);
  g_assert_cmpuint (spiking->n_steps, ==, 48);
  g_assert_cmpuint (spiking->label, ==, 7); /* of MNIST's first one */
  for (guint i = 0; i < spiking->n_neurons; i++)
    {
      g_assert_cmpuint (spiking->neurons[i].spikes, !=, 0);
      g_assert_cmpuint (spiking->neurons[i].spikes >> 48, ==, 0);
    }
}

static void
test_mlp (void)
{
  check_digits ("mlp", "200", 90, 200);
}

static void
test_cnn (void)
{
  check_digits ("cnn", "60", 85, 100);
}

/* ---- how it is run ---- */

typedef struct {
  GCancellable *cancel;
  const char *at; /* the words at which it is cancelled */
  guint told;
  gint64 cancelled_us;
} Listener;

static void
heard_cb (guint done, guint total, const char *words, gpointer data)
{
  Listener *listener = data;

  g_assert_cmpuint (done, <=, total);
  listener->told++;
  if (listener->at != NULL && g_str_has_prefix (words, listener->at) && listener->cancelled_us == 0)
    {
      g_cancellable_cancel (listener->cancel);
      listener->cancelled_us = g_get_monotonic_time ();
    }
}

/* Wherever it is: it ends soon, with nothing kept. */
static void
test_cancel (void)
{
  static const char *const at[] = { "reading", "training", "looking", "answering in floats", "simulating" };
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "300");
  const LsConvertedWish wish = { LS_CONVERTED_SPIKING, options, .steps = 4096 };

  for (gsize i = 0; i < G_N_ELEMENTS (at); i++)
    {
      g_autoptr (GCancellable) cancel = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *why = NULL;
      Listener listener = { cancel, at[i], 0, 0 };

      g_assert_null (ls_converted_run (&wish, heard_cb, &listener, cancel, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_CANCELLED);
      if (listener.cancelled_us == 0)
        g_error ("it never says “%s”", at[i]);
      g_assert_null (ls_converted_kept (&wish, &why));
      g_assert_null (why);
    }
}

static void
test_refused (void)
{
  static const struct {
    LsConvertedKind kind;
    const char *model, *words;
  } wrong[] = {
    { LS_CONVERTED_INT8, "lstm 8, dense 3", "lstm" },
    { LS_CONVERTED_SPIKING, "flatten, dense 8, gelu, dense 3", "layer 3 (gelu)" },
    { LS_CONVERTED_SPIKING, "flatten, dense 8, dense 3", "Nothing spikes behind layer 2 (dense)" },
    { LS_CONVERTED_INT8, "flatten, dense 8", "dense" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (LsOptions) options = options_of ("spiral", wrong[i].model, "1000000000");
      const LsConvertedWish wish = { wrong[i].kind, options };
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_converted_run (&wish, NULL, NULL, NULL, &error)); /* before it is trained */
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_nonnull (strstr (error->message, wrong[i].words));
    }
}

/* Each count may be as large as its limit, bits as small as theirs; beyond that it is refused, with the
 * limit, before anything is done. 0 is what is usual. */
static void
test_limits (void)
{
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "50");
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  const struct {
    LsConvertedWish wish;
    const char *refused; /* NULL: it isn't */
  } rows[] = {
    { { LS_CONVERTED_INT8, options }, NULL },
    { { LS_CONVERTED_INT8, options, .bits = 1 }, "Bits can be from 2 to 8, not 1." },
    { { LS_CONVERTED_INT8, options, .bits = 2 }, NULL },
    { { LS_CONVERTED_INT8, options, .bits = 8 }, NULL },
    { { LS_CONVERTED_INT8, options, .bits = 9 }, "Bits can be from 2 to 8, not 9." },
    { { LS_CONVERTED_SPIKING, options, .steps = 4096 }, NULL },
    { { LS_CONVERTED_SPIKING, options, .steps = 4097 }, "Time steps can be from 1 to 4096, not 4097." },
    { { LS_CONVERTED_SPIKING, options, .samples = 1000000 }, NULL },
    { { LS_CONVERTED_SPIKING, options, .samples = 1000001 },
      "Samples can be from 1 to 1000000, not 1000001." },
  };

  g_cancellable_cancel (cancelled);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsConverted) result = ls_converted_run (&rows[i].wish, NULL, NULL, cancelled, &error);

      if (result != NULL)
        g_error ("case %zu is converted though it was stopped before", i);
      if (rows[i].refused != NULL)
        g_assert_cmpstr (error->message, ==, rows[i].refused);
      else if (!g_error_matches (error, LS_ERROR, LS_ERROR_CANCELLED))
        g_error ("case %zu is refused: “%s”", i, error->message);
    }
}

/* What training leads beyond all numbers isn't converted. */
static void
test_wild (void)
{
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "50");
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options };
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("lr"), "1e6", NULL));
  g_assert_null (ls_converted_run (&wish, NULL, NULL, NULL, &error));
  assert_refused (&error, LS_ERROR_DATA, "--lr");
}

/* Weights of a file aren't trained any more, and are what the result depends on. */
static void
test_load (void)
{
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "300");
  g_autofree char *path = train (options), *key = NULL, *loaded_key = NULL,
                  *missing = temp_path (&dir, "nothing.safetensors");
  LsConvertedWish wish = { LS_CONVERTED_INT8, options };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsConverted) here = run (&wish), loaded = NULL;

  key = ls_converted_key (&wish, &error);
  wish.load = path;
  loaded_key = ls_converted_key (&wish, &error);
  g_assert_cmpstr (key, !=, loaded_key);
  loaded = run (&wish);
  g_assert_cmpstr (loaded->weights, ==, "weights.safetensors");
  g_assert_cmpuint (loaded->trained, ==, 0);
  g_assert_cmpfloat (loaded->accuracy.value, ==, here->accuracy.value);
  g_assert_cmpfloat (loaded->points[0].accuracy.value, ==, here->points[0].accuracy.value);
  wish.load = missing;
  g_assert_null (ls_converted_run (&wish, NULL, NULL, NULL, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_unlink (path);
}

/* A line for each point, with what spikes cost where there are any. */
static void
test_csv (void)
{
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "100");
  const LsConvertedWish wish = { LS_CONVERTED_SPIKING, options, .samples = 20, .steps = 3 };
  g_autoptr (LsConverted) result = run (&wish);
  g_autofree char *csv = ls_converted_csv (result);
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 5); /* 1, 2, 3 and an end */
  g_assert_true (g_str_has_prefix (lines[3], "spiking,\"" SMALL "\",spiral,100,3,steps,"));
  g_assert_cmpstr (lines[0], ==,
                   "machine,network,data,trained,at,unit,accuracy,same,fp32,samples,spikes,events,energy_J");
  for (guint kind = 0; kind < LS_CONVERTED_N; kind++)
    {
      const double numbers[] = { 81.5, 92.25, 97, 40, 12.5, 300.5, 2.5e-9 };
      g_autoptr (LsConverted) one = ls_converted_new ((LsConvertedKind) kind);
      const guint n = kind == LS_CONVERTED_INT8 ? 4 : 7;

      one->model = g_strdup ("m"), one->data = g_strdup ("d");
      one->trained = 7;
      one->n_points = 1;
      one->n_samples = (guint) numbers[3];
      one->accuracy = (LsFigure){ .value = numbers[2], .n = 40 };
      one->points[0] = (LsConvertedPoint){ .at = 6,
                                           .accuracy = { .value = numbers[0], .n = 40 },
                                           .same = { .value = numbers[1], .n = 40 } };
      if (n == 7)
        {
          one->points[0].spikes = (LsFigure){ .value = numbers[4], .n = 40 };
          one->points[0].events = (LsFigure){ .value = numbers[5], .n = 40 };
          one->points[0].energy = (LsFigure){ .value = numbers[6], .n = 40 };
        }
      g_autofree char *text = ls_converted_csv (one);
      g_auto (GStrv) rows = g_strsplit (text, "\n", -1), cells = g_strsplit (rows[1], ",", -1);

      g_assert_cmpuint (g_strv_length (rows), ==, 3);
      g_assert_cmpuint (g_strv_length (cells), ==, 13);
      g_assert_true (g_str_has_prefix (rows[1], n == 7 ? "spiking,m,d,7,6,steps," : "int8,m,d,7,6,bits,"));
      for (guint i = 0; i < 7; i++)
        if (i < n ? g_ascii_strtod (cells[6 + i], NULL) != numbers[i] : *cells[6 + i] != '\0')
          g_error ("number %u of a line is “%s”: %s", i + 1, cells[6 + i], rows[1]);
    }
}

/* One that is near by chance isn't enough: all with more bits or steps must be. */
static void
test_within (void)
{
  static const struct {
    LsConvertedKind kind;
    guint at[4];
    double accuracy[4]; /* of the floats: 97 */
    guint half, two;    /* from there on within so many points; 0: never */
  } known[] = {
    { LS_CONVERTED_INT8, { 8, 7, 6, 5 }, { 96.9, 96.5, 96.2, 97 }, 7, 5 },
    { LS_CONVERTED_INT8, { 8, 7, 6, 5 }, { 90, 97, 97, 97 }, 0, 0 },
    { LS_CONVERTED_SPIKING, { 1, 2, 4, 8 }, { 20, 96.8, 95.5, 98 }, 8, 2 },
    { LS_CONVERTED_SPIKING, { 1, 2, 4, 8 }, { 97, 97, 97, 96 }, 0, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autoptr (LsConverted) result = ls_converted_new (known[i].kind);
      const LsConvertedPoint *half, *two;

      result->accuracy.value = 97;
      result->n_points = 4;
      for (guint k = 0; k < 4; k++)
        {
          result->points[k].at = known[i].at[k];
          result->points[k].accuracy.value = known[i].accuracy[k];
        }
      half = ls_converted_within (result, .5);
      two = ls_converted_within (result, 2);
      g_assert_cmpuint (half != NULL ? half->at : 0, ==, known[i].half);
      g_assert_cmpuint (two != NULL ? two->at : 0, ==, known[i].two);
    }
  g_autoptr (LsConverted) result = ls_converted_new (LS_CONVERTED_INT8);
  result->n_points = 1;
  /* so many samples of a thousand fewer are within as many tenths of a point, and one more is not */
  for (guint right = 20; right <= 1000; right++)
    for (guint fewer = 5; fewer <= 20; fewer += 5)
      for (guint beyond = 0; beyond < 2; beyond++)
        {
          const guint there = right - MIN (right, fewer + beyond);

          result->accuracy.value = 100. * right / 1000;
          result->points[0].accuracy.value = 100. * there / 1000;
          if ((ls_converted_within (result, fewer / 10.) != NULL) != (right - there <= fewer))
            g_error ("%u right of 1000 is %swithin %g points of %u", there, beyond > 0 ? "" : "not ",
                     fewer / 10., right);
        }
}

/* How far a layer reaches where all that it makes is one number: that number, and not a bin's lower end; 0
 * where it makes nothing above 0. */
static void
test_reach (void)
{
  static const float made[] = { 1, .25f, 1000, 0, -3 };
  g_autoptr (LsOptions) options = options_of ("spiral", "flatten, dense 4, relu, dense 3", "1");
  const LsConvertedWish first = { LS_CONVERTED_INT8, options, .samples = 5 };
  const LsConvertedEar ear = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTrained) trained = ls_trained_new (&first, &ear, &error);
  g_autofree char *path = temp_path (&dir, "reach.safetensors");

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (made); i++)
    {
      const LsConvertedWish wish = { LS_CONVERTED_INT8, options, .load = path, .samples = 5 };
      g_autoptr (LsTrained) loaded = NULL;

      /* no weights at all, and each bias that number */
      for (guint p = 0; p < trained->plan->n_params; p++)
        {
          const LsTensor *t = &trained->plan->tensors[trained->plan->params[p].weight];

          for (gint64 k = 0; k < ls_tensor_count (t); k++)
            trained->weights[p][k] = t->rank == 1 ? made[i] : 0;
        }
      g_assert_true (ls_weights_save (path, trained->plan, (const float *const *) trained->weights,
                                      LS_PRECISION_FP32, &error));
      loaded = ls_trained_new (&wish, &ear, &error);
      g_assert_no_error (error);
      if (loaded->net->layers[1].most != MAX (made[i], 0) || loaded->net->layers[0].high != made[i]
          || loaded->net->layers[0].low != made[i])
        g_error ("a layer that makes %g alone reaches from %g to %g, and behind its relu to %g",
                 (double) made[i], (double) loaded->net->layers[0].low, (double) loaded->net->layers[0].high,
                 (double) loaded->net->layers[1].most);
    }
}

/* Data that were read before are taken where they are those of the options, and change nothing otherwise. */
static void
test_data (void)
{
  static const struct {
    const char *data, *seed;
  } others[] = { { "spiral", "1" }, { "spiral", "2" }, { "circles", "1" }, { "moons", "1" } };
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "100");
  LsConvertedWish wish = { LS_CONVERTED_SPIKING, options, .samples = 20, .steps = 3 };
  g_autoptr (LsConverted) alone = run (&wish);
  g_autofree char *csv = ls_converted_csv (alone);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (LsOptions) other = options_of (others[i].data, SMALL, "100");
      g_assert_true (ls_options_set (other, ls_options_find ("seed"), others[i].seed, NULL));
      const LsDataRequest request = ls_data_request (other);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) data = ls_data_load_request (&request, &error);

      g_assert_no_error (error);
      wish.data = data;
      g_autoptr (LsConverted) result = ls_converted_run (&wish, NULL, NULL, NULL, &error);
      g_autofree char *text = result != NULL ? ls_converted_csv (result) : g_strdup (error->message);
      if (strcmp (text, csv) != 0)
        g_error ("of spirals, with %s of seed %s read before, it makes %s and not %s", others[i].data,
                 others[i].seed, text, csv);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_setenv ("XDG_DATA_HOME", dir.path, TRUE);
  g_test_add_func ("/converted/mlp", test_mlp);
  g_test_add_func ("/converted/cnn", test_cnn);
  g_test_add_func ("/converted/cancel", test_cancel);
  g_test_add_func ("/converted/refused", test_refused);
  g_test_add_func ("/converted/limits", test_limits);
  g_test_add_func ("/converted/wild", test_wild);
  g_test_add_func ("/converted/load", test_load);
  g_test_add_func ("/converted/csv", test_csv);
  g_test_add_func ("/converted/data", test_data);
  g_test_add_func ("/converted/within", test_within);
  g_test_add_func ("/converted/reach", test_reach);
  status = g_test_run ();
  remove_tree (dir.path);
  g_free (dir.path);
  return status;
}
