/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of converted networks on disk: found again, and refused where they are another's or damaged.
 */
#include "config.h"

#include "../folder.h"
#include "../wrong.h"
#include "converted_rig.h"
#include "core/error.h"
#include "core/file.h"
#include "data/toy.h"
#include "machines/converted/trained.h"

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

/* Each number is read back as itself: what a file has twice in another's place is alike, too. */
static void
assert_numbers (const LsConverted *a, const LsConverted *b)
{
  g_assert_cmpuint (a->n_points, ==, b->n_points);
  for (guint i = 0; i < a->n_points; i++)
    {
      const LsConvertedPoint *one = &a->points[i], *other = &b->points[i];

      g_assert_cmpuint (one->at, ==, other->at);
      g_assert_cmpfloat (one->accuracy.value, ==, other->accuracy.value);
      g_assert_cmpfloat (one->same.value, ==, other->same.value);
      g_assert_cmpfloat (one->spikes.value, ==, other->spikes.value);
      g_assert_cmpfloat (one->events.value, ==, other->events.value);
      g_assert_cmpfloat (one->rate.value, ==, other->rate.value);
      g_assert_cmpfloat (one->energy.value, ==, other->energy.value);
    }
  g_assert_cmpuint (a->n_scales, ==, b->n_scales);
  for (guint i = 0; i < a->n_scales; i++)
    {
      g_assert_cmpuint (a->scales[i].layer, ==, b->scales[i].layer);
      g_assert_cmpfloat (a->scales[i].low, ==, b->scales[i].low);
      g_assert_cmpfloat (a->scales[i].high, ==, b->scales[i].high);
      g_assert_cmpfloat (a->scales[i].out, ==, b->scales[i].out);
      g_assert_cmpint (a->scales[i].out_unsigned, ==, b->scales[i].out_unsigned);
    }
  g_assert_cmpuint (a->n_samples, ==, b->n_samples);
  g_assert_cmpuint (a->n_test, ==, b->n_test);
  g_assert_cmpuint (a->calibration, ==, b->calibration);
  g_assert_cmpuint (a->trained, ==, b->trained);
  g_assert_cmpuint (a->seed, ==, b->seed);
  g_assert_cmpfloat (a->seconds, ==, b->seconds);
  g_assert_cmpfloat (a->accuracy.value, ==, b->accuracy.value);
  g_assert_cmpuint (a->n_spiking, ==, b->n_spiking);
  g_assert_cmpuint (a->input_products, ==, b->input_products);
  g_assert_cmpint (a->label, ==, b->label);
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  g_assert_cmpuint (a->n_neurons, ==, b->n_neurons);
  for (guint i = 0; i < a->n_neurons; i++)
    {
      g_assert_cmpuint (a->neurons[i].layer, ==, b->neurons[i].layer);
      g_assert_cmpuint (a->neurons[i].neuron, ==, b->neurons[i].neuron);
      g_assert_cmpuint (a->neurons[i].spikes, ==, b->neurons[i].spikes);
    }
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
  assert_numbers (result, kept);
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

/* The key of "name=value …", the others as usual. (transfer full) */
static char *
key_of (const char *words)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options };
  g_autoptr (GError) error = NULL;
  char *key;

  for (guint i = 0; parts[i] != NULL && *parts[i] != '\0'; i++)
    {
      char *value = strchr (parts[i], '=');

      *value = '\0';
      g_assert_true (ls_options_set (options, ls_options_find (parts[i]), value + 1, &error));
    }
  key = ls_converted_key (&wish, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (key), ==, 12);
  return key;
}

/* All that trains another network makes another key, each another one; what only computes it otherwise makes
 * none, nor does a network that is written out. */
static void
test_keys (void)
{
  static const char *const others[] = { "",
                                        "model=cnn",
                                        "data=spiral",
                                        "data=spiral epochs=1", /* in place of as many steps as suit it */
                                        "data=spiral epochs=2",
                                        "data=spiral steps=7",
                                        "data=spiral steps=7 batch=8",
                                        "data=circles",
                                        "test-share=0.3",
                                        "label=x",
                                        "missing=mean",
                                        "label=8x8",
                                        "size=8x8",
                                        "steps=7",
                                        "steps=1",
                                        "steps=1 epochs=12",
                                        "steps=11 epochs=2",
                                        "epochs=2",
                                        "batch=12 lr=0.2",
                                        "batch=120 lr=0.2",
                                        "lr=0.2",
                                        "momentum=0.5",
                                        "optimizer=adam",
                                        "seed=2",
                                        "seed=12",
                                        "order=sequential" },
                           *const alike[] = { "threads=2",  "policy=static", "cpu-kernels=scalar",
                                              "lanes=cpu",  "fusion=off",    "device=x",
                                              "pace=watch", "check-every=7", "model=mlp" };
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LsModel) model = ls_model_parse ("mlp", NULL);
  g_autofree char *usual = key_of ("");
  g_autoptr (LsOptions) written = ls_options_new ();
  const LsConvertedWish wish = { LS_CONVERTED_INT8, written }, load = { LS_CONVERTED_INT8, written, "/none" };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      char *key = key_of (others[i]);
      const char *before = g_hash_table_lookup (keys, key);

      if (before != NULL)
        g_error ("“%s” has the key of “%s”", others[i], before);
      g_hash_table_insert (keys, key, (gpointer) others[i]);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (alike); i++)
    {
      g_autofree char *key = key_of (alike[i]);

      if (strcmp (key, usual) != 0)
        g_error ("“%s” has another key than without it", alike[i]);
    }
  g_assert_true (ls_options_set (written, ls_options_find ("model"), model->text, NULL));
  g_autofree char *key = ls_converted_key (&wish, NULL);
  g_assert_cmpstr (key, ==, usual);
  g_assert_null (ls_converted_key (&load, NULL)); /* there is no such file */
}

/* Whole numbers are tried on ten thousand samples of the test set, spikes, which take longer, on one
 * thousand; on fewer where there are no more, or as many as are asked for. */
static void
test_samples (void)
{
  static const struct {
    LsConvertedKind kind;
    const char *data;
    guint samples, n;
  } rows[] = {
    { LS_CONVERTED_INT8, "mnist", 0, 10000 },
    { LS_CONVERTED_SPIKING, "mnist", 0, 1000 },
    { LS_CONVERTED_INT8, "mnist", 70, 70 },
    { LS_CONVERTED_SPIKING, "mnist", 1500, 1500 },
    { LS_CONVERTED_INT8, "mnist", 10001, 10000 },
    { LS_CONVERTED_INT8, "spiral", 0, LS_TOY_TEST },
    { LS_CONVERTED_SPIKING, "spiral", 0, MIN (1000, LS_TOY_TEST) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const gboolean digits = strcmp (rows[i].data, "mnist") == 0;
      g_autoptr (LsOptions) options = options_of (rows[i].data,
                                                  digits ? "flatten, dense 10" : "flatten, dense 3", "1");
      const LsConvertedWish wish = { rows[i].kind, options, .samples = rows[i].samples };
      const LsConvertedEar ear = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (LsTrained) trained = ls_trained_new (&wish, &ear, &error);

      g_assert_no_error (error);
      if (trained->n_samples != rows[i].n)
        g_error ("row %zu: %s is tried on %u samples of %s, not on %u", i, ls_converted_name (rows[i].kind),
                 trained->n_samples, rows[i].data, rows[i].n);
    }
}

/* A network of one layer has no neuron that spikes: that is kept like any other result. */
static void
test_one_layer (void)
{
  g_autoptr (LsOptions) options = options_of ("spiral", "flatten, dense 3", "100");

  for (guint kind = 0; kind < LS_CONVERTED_N; kind++)
    {
      g_autoptr (LsConverted) result = keep ((LsConvertedKind) kind, options);
      g_autofree char *path = kept_path (result);

      g_assert_cmpuint (result->n_spiking, ==, 0);
      g_assert_cmpuint (result->points[0].at, ==, kind == LS_CONVERTED_INT8 ? LS_INT8_BITS : 1);
      if (result->points[0].same.value < 90) /* eight bits, or all that there is to know of one layer */
        g_error ("%s answers like the network in %g %% of all samples alone",
                 ls_converted_name ((LsConvertedKind) kind), result->points[0].same.value);
      g_unlink (path);
    }
}

/* In a file of spikes, and of whole numbers. */
static const struct {
  const char *from, *to, *words;
} hostile[2][16] = {
  {
    { "\"bits\": 8", "\"bits\": 9", "“bits”" },
    { "\"bits\": 7", "\"bits\": 8", "isn’t in its order" },
    { "\"bits\": 6", "\"bits\": \"6\"", "“bits”" },
    { "\"accuracy_fp32\": ", "\"accuracy_fp32\": 1", "“accuracy_fp32”" },
    { "\"samples\": 50", "\"samples\": 0", "“samples”" },
    { "\"samples\": 50", "\"samples\": 2000000000", "“samples”" },
    { "\"samples\": 50", "\"samples\": 100000", "“samples”" }, /* more than there are to test with */
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
      for (gsize i = 0; i < G_N_ELEMENTS (hostile[kind]) && hostile[kind][i].from != NULL; i++)
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

/* Data and weights are files, which people call as they like: what is kept of them is found again. */
static void
test_names (void)
{
  static const char *const names[] = { "x.csv", " x.csv", "a b", "\u06cc\u200c\u0645.csv", "\u00fc", "  " };
  g_autoptr (LsOptions) options = options_of ("spiral", SMALL, "1");
  const LsConvertedWish wish = { LS_CONVERTED_INT8, options, .samples = 5 };
  g_autoptr (LsConverted) result = run (&wish);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (LsConverted) back = NULL;
      g_autoptr (json_t) json = NULL;
      g_autoptr (GError) error = NULL;

      g_free (result->data);
      g_free (result->weights);
      result->data = ls_printable (g_strdup (names[i]));
      result->weights = ls_printable (g_strdup (names[i]));
      json = ls_converted_to_json (result);
      back = ls_converted_from_json (json, &error);
      if (back == NULL)
        g_error ("what is kept of a file “%s” can’t be read again: %s", names[i], error->message);
      g_assert_cmpstr (back->data, ==, names[i]);
      g_assert_cmpstr (back->weights, ==, names[i]);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_setenv ("XDG_DATA_HOME", dir.path, TRUE);
  g_test_add_func ("/converted/kept", test_kept);
  g_test_add_func ("/converted/keys", test_keys);
  g_test_add_func ("/converted/names", test_names);
  g_test_add_func ("/converted/samples", test_samples);
  g_test_add_func ("/converted/one-layer", test_one_layer);
  g_test_add_func ("/converted/hostile", test_hostile);
  status = g_test_run ();
  remove_tree (dir.path);
  g_free (dir.path);
  return status;
}
