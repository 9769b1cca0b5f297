/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks that are trained here and converted: how many they still get right, what is kept, what is refused.
 */
#include "config.h"

#include <math.h>

#include "../folder.h"
#include "../wrong.h"
#include "core/file.h"
#include "lab/machine.h"
#include "files/weights.h"
#include "machines/converted/trained.h"
#include "tempdir.h"

#define SMALL "flatten, dense 16, relu, dense 16, relu, dense 3"

static TempDir dir; /* the user's data, and weights */

static LsOptions *
options_of (const char *data, const char *model, const char *steps)
{
  LsOptions *options = ls_options_new ();

  g_assert_true (ls_options_set (options, ls_options_find ("data"), data, NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("model"), model, NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("steps"), steps, NULL));
  return options;
}

static LsConverted *
run (const LsConvertedWish *wish)
{
  g_autoptr (GError) error = NULL;
  LsConverted *result = ls_converted_run (wish, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

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

/* ---- what is kept ---- */

static char *
kept_path (const LsConverted *result)
{
  return g_strdup_printf ("%s/lockstep/machines/%s-%s.json", g_get_user_data_dir (),
                          ls_converted_name (result->kind), result->key);
}

static void
assert_alike (const LsConverted *a, const LsConverted *b)
{
  g_autoptr (json_t) one = ls_converted_to_json (a), other = ls_converted_to_json (b);
  g_autofree char *first = json_dumps (one, JSON_SORT_KEYS), *second = json_dumps (other, JSON_SORT_KEYS);

  g_assert_cmpstr (first, ==, second);
}

static LsConverted *
keep (LsConvertedKind kind, const LsOptions *options)
{
  const LsConvertedWish wish = { kind, options, .samples = 50, .steps = 70, .bits = 6 };
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  g_autoptr (LsConverted) kept = NULL;
  LsConverted *result = run (&wish);

  g_assert_true (ls_converted_keep (result, &error));
  kept = ls_converted_kept (&wish, &why);
  g_assert_cmpstr (why, ==, NULL);
  g_assert_nonnull (kept);
  assert_alike (result, kept);
  return result;
}

static void
assert_why (const LsConvertedWish *wish, const char *words)
{
  g_autofree char *why = NULL;

  g_assert_null (ls_converted_kept (wish, &why));
  if (why == NULL || strstr (why, words) == NULL || !g_utf8_validate (why, -1, NULL)
      || strpbrk (why, "\n\x1b") != NULL)
    g_error ("“%s” was expected in: %s", words, why != NULL ? why : "(nothing)");
}

static void
test_kept (void)
{
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "100"),
                        other = options_of ("spiral", SMALL, "101");
  g_autoptr (LsConverted) int8 = keep (LS_CONVERTED_INT8, options),
                          spiking = keep (LS_CONVERTED_SPIKING, options);
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options }, longer = { LS_CONVERTED_INT8, other };
  g_autofree char *why = NULL, *path = kept_path (int8), *from = kept_path (spiking), *text = NULL,
                  *key = ls_converted_key (&longer, NULL), *changed = NULL, *another = NULL;
  gsize n;

  /* of a network that was trained otherwise nothing is known; its file under another's name is recognised */
  g_assert_null (ls_converted_kept (&longer, &why));
  g_assert_null (why);
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  another = g_strdup_printf ("%s/lockstep/machines/int8-%s.json", g_get_user_data_dir (), key);
  put_file (another, text, n);
  assert_why (&longer, "of another network");
  g_unlink (another);
  changed = replaced (text, "\"program\": \"Lockstep ", "\"program\": \"Lockstep 0.0.");
  put_file (path, changed, strlen (changed));
  assert_why (&wish, "another version (Lockstep 0.0.");
  g_free (changed);
  changed = replaced (text, "\"machine_key\": \"", "\"machine_key\": \"Z80|");
  put_file (path, changed, strlen (changed));
  assert_why (&wish, "on another machine");
  g_free (text);
  g_assert_true (g_file_get_contents (from, &text, &n, NULL));
  put_file (path, text, n);
  assert_why (&wish, "of another machine’s numbers");
  g_unlink (from);
  g_unlink (path);
}

/* In a file of spikes, and of whole numbers. */
static const struct {
  const char *from, *to, *words;
} hostile[2][15] = {
  {
    { "\"bits\": 8", "\"bits\": 9", "“bits”" },
    { "\"bits\": 7", "\"bits\": 8", "isn’t in its order" },
    { "\"bits\": 6", "\"bits\": \"6\"", "“bits”" },
    { "\"accuracy_fp32\": ", "\"accuracy_fp32\": 1", "“accuracy_fp32”" },
    { "\"samples\": 50", "\"samples\": 0", "“samples”" },
    { "\"samples\": 50", "\"samples\": 2000000000", "“samples”" },
    { "\"points\": [", "\"points\": [], \"other\": [", "“points”" },
    { "\"layers\": [", "\"layers\": 3, \"other\": [", "“layers”" },
    { "\"layer\": 2", "\"layer\": 0", "“layer”" },
    { "\"low\": ", "\"low\": -", "“low”" },
    { "\"kind\": \"int8\"", "\"kind\": \"quantum\"", "“kind”" },
    { "\"version\": 1", "\"version\": 2", "“version”" },
    { "lockstep-converted", "lockstep-lab", "no converted network" },
    { "\"model\": \"", "\"model\": \"\\u001b[31m", "“model”" },
    { "\"calibration_samples\": ", "\"calibration_samples\": 0, \"other\": ", "“calibration_samples”" },
  },
  {
    { "\"steps\": 2", "\"steps\": 0", "“steps”" },
    { "\"steps\": 4", "\"steps\": 2", "isn’t in its order" },
    { "\"steps\": 70", "\"steps\": 5000", "“steps”" },
    { "\"spikes\": ", "\"spikes\": -1", "“spikes”" },
    { "\"neurons\": 32", "\"neurons\": 1", "more than its neurons can send" },
    { "\"events\": ", "\"events\": 1e300, \"other\": ", "“events”" },
    { "\"steps\": 64,\n  \"neurons\"", "\"steps\": 65,\n  \"neurons\"", "“steps”" },
    { "\"spikes\": [", "\"spikes\": [64, ", "“spikes”" },
    { "\"spikes\": [", "\"spikes\": [-1, ", "“spikes”" },
    { "\"neurons\": [", "\"neurons\": [7, ", "“neurons”" },
    { "\"date\": \"2", "\"date\": \"soon ", "date" },
    { "\"trained_steps\": 100", "\"trained_steps\": -1", "“trained_steps”" },
    { "\"raster\": {", "\"raster\": {}, \"other\": {", "“label”" },
    { "\"seconds\": ", "\"seconds\": -", "“seconds”" },
    { "\"key\": \"", "\"key\": 7, \"other\": \"", "“key”" },
  },
};

static void
test_hostile (void)
{
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "100");

  for (guint kind = 0; kind < LS_CONVERTED_N; kind++)
    {
      g_autoptr (LsConverted) result = keep ((LsConvertedKind) kind, options);
      const LsConvertedWish wish = { (LsConvertedKind) kind, options };
      g_autofree char *path = kept_path (result), *text = NULL;
      gsize n;

      g_assert_true (g_file_get_contents (path, &text, &n, NULL));
      for (gsize i = 0; i < G_N_ELEMENTS (hostile[kind]); i++)
        {
          g_autofree char *bad = replaced (text, hostile[kind][i].from, hostile[kind][i].to);

          put_file (path, bad, strlen (bad));
          assert_why (&wish, hostile[kind][i].words);
        }
      /* every beginning, in steps that leave no member whole */
      for (gsize cut = 0; cut + 2 < n; cut += 13)
        {
          put_file (path, text, cut);
          assert_why (&wish, "can’t be read and isn’t used");
        }
      g_unlink (path);
      g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
      assert_why (&wish, "can’t be read and isn’t used");
      g_rmdir (path);
    }
}

/* A line for each point. */
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
  g_test_add_func ("/converted/wild", test_wild);
  g_test_add_func ("/converted/load", test_load);
  g_test_add_func ("/converted/kept", test_kept);
  g_test_add_func ("/converted/hostile", test_hostile);
  g_test_add_func ("/converted/csv", test_csv);
  g_test_add_func ("/converted/within", test_within);
  status = g_test_run ();
  remove_tree (dir.path);
  g_free (dir.path);
  return status;
}
