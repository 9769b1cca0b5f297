/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep convert`: what it prints, writes, keeps, and refuses; and Ctrl-C.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "files/json.h"
#include "machines/converted/converted.h"
#include "ui/cli/command.h"
#include "ui/cli/interrupt.h"

#define NET "--data|spiral|--model|flatten, dense 16, relu, dense 3"

static char *folder;

static void
assert_says (const char *said, const char *words)
{
  if (strstr (said, words) == NULL)
    g_error ("“%s” doesn't say “%s”", said, words);
}

static void
test_refused (void)
{
  static const struct {
    const char *words, *reason;
  } wrong[] = {
    { "convert", "NAME" },
    { "convert|quantum", "There is no machine “quantum” to convert to; there are int8 and spiking" },
    { "convert|int8|--bits|1", "--bits takes a whole number from 2 to 8, not “1”" },
    { "convert|int8|--bits|9", "from 2 to 8" },
    { "convert|int8|--bits|8\033[2J", "from 2 to 8, not “8\357\277\275[2J”." },
    { "convert|int8|--time|8", "--time goes with spiking alone" },
    { "convert|spiking|--bits|8", "--bits goes with int8 alone" },
    { "convert|spiking|--time|0", "--time takes a whole number from 1 to 4096" },
    { "convert|spiking|--time|4097", "--time takes a whole number from 1 to 4096" },
    { "convert|int8|--samples|-1", "--samples takes a whole number from 1 to 1000000, not “-1”" },
    { "convert|int8|--samples|0", "--samples takes a whole number from 1 to 1000000, not “0”" },
    { "convert|int8|--samples|1000001", "--samples takes a whole number from 1 to 1000000" },
    { "convert|spiking|--bits|8|--time|0", "--bits goes with int8 alone" }, /* the first thing that is wrong
                                                                             */
    { "convert|int8|--model|lstm", "layer 1 (lstm) can’t be converted" },
    { "convert|int8|--load|/nowhere/w.safetensors", "w.safetensors" },
    { "convert|int8|--kept|" NET, "Nothing is kept of this network; “lockstep convert int8” computes it" },
    { "convert|int8|--precision|fp16", "precision" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (Captured) said = run (wrong[i].words);

      assert_says (said.err, wrong[i].reason);
      if (strstr (said.out, "Right") != NULL)
        g_error ("“%s” shows a table", wrong[i].words);
    }
}

/* The n-th line behind the one that begins with that. */
static char **
line_behind (const char *said, const char *head, guint n)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  guint i = 0;

  while (lines[i] != NULL && !g_str_has_prefix (g_strchug (lines[i]), head))
    i++;
  if (i + n >= g_strv_length (lines))
    g_error ("“%s” has no line %u behind “%s”", said, n, head);
  return cells_of (lines[i + n]);
}

static json_t *
read_result (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (json_string_value (json_object_get (root, "format")), ==, "lockstep-convert");
  return json_incref (json_object_get (root, "result"));
}

static void
test_int8 (void)
{
  g_autofree char *csv = g_build_filename (folder, "o.csv", NULL),
                  *json = g_build_filename (folder, "o.json", NULL), *table = NULL,
                  *line = g_strdup_printf ("convert|int8|" NET "|--kept|--csv|%s|--json|%s", csv, json);
  g_auto (Captured) ran = run ("convert|int8|" NET "|--bits|4|--steps|1500"), kept = { 0 };
  g_auto (GStrv) eight = line_behind (ran.out, "Bits", 1), four = line_behind (ran.out, "Bits", 5),
                 layer = line_behind (ran.out, "Layer", 1), last = line_behind (ran.out, "Layer", 2);
  g_autofree char *with_steps = g_strconcat (line, "|--steps|1500", NULL);
  g_autoptr (json_t) result = NULL;
  const json_t *points;

  g_assert_cmpstr (ran.err, ==, "");
  assert_says (ran.out, "A machine for whole numbers: flatten, dense 16, relu, dense 3, spiral\n"
                        "Trained anew for this, for 1500 steps, seed 1\n");
  assert_says (ran.out, "the floats of the CPU lane get");
  assert_says (ran.out, "it is within 0.5 points of the floats");
  g_assert_cmpstr (eight[0], ==, "8");
  g_assert_true (g_str_has_suffix (eight[1], " %"));
  g_assert_cmpstr (four[0], ==, "4");
  g_assert_cmpstr (layer[0], ==, "2");
  g_assert_cmpstr (last[3], ==, "–"); /* its sums stay sums */

  kept = run (with_steps);
  g_assert_cmpstr (kept.err, ==, "");
  assert_says (ran.out, kept.out); /* the same, without the words of what is being done */
  result = read_result (json);
  points = json_object_get (result, "points");
  g_assert_cmpstr (json_string_value (json_object_get (result, "kind")), ==, "int8");
  g_assert_cmpuint (json_array_size (points), ==, 5);
  g_assert_cmpint (json_integer_value (json_object_get (json_array_get (points, 4), "bits")), ==, 4);
  g_assert_true (g_file_get_contents (csv, &table, NULL, NULL));
  assert_says (table, "\nint8,\"flatten, dense 16, relu, dense 3\",spiral,1500,8,bits,");
}

static void
test_spiking (void)
{
  g_autofree char *json = g_build_filename (folder, "s.json", NULL),
                  *line = g_strdup_printf ("convert|spiking|" NET "|--time|20|--samples|40|--json|%s", json);
  g_auto (Captured) ran = run (line);
  g_auto (GStrv) first = line_behind (ran.out, "Time steps", 1),
                 last = line_behind (ran.out, "Time steps", 6);
  g_autoptr (json_t) result = NULL;
  const json_t *source;

  g_assert_cmpstr (ran.err, ==, "");
  g_assert_cmpuint (g_strv_length (last), ==, 7);
  g_assert_cmpstr (first[0], ==, "1");
  g_assert_cmpstr (last[0], ==, "20");
  g_assert_true (g_str_has_suffix (last[6], "J"));
  assert_says (ran.out, "40 of ");
  assert_says (ran.out, "Energy is modelled: 23.6 pJ for each synaptic event");
  result = read_result (json);
  source = json_object_get (result, "energy_source");
  g_assert_cmpstr (json_string_value (json_object_get (source, "evidence")), ==, "modelled");
  assert_says (json_string_value (json_object_get (source, "title")), "Loihi");
  g_assert_cmpuint (json_array_size (json_object_get (json_object_get (result, "raster"), "neurons")), >, 0);
}

/* How far it is stands in one line, which is gone when the table comes. */
static void
say_cb (gconstpointer words)
{
  g_auto (GStrv) argv = g_strsplit (words, "|", -1);

  ls_cli_main ((int) g_strv_length (argv), argv);
}

static void
test_terminal (void)
{
  g_autofree char *said = capture_on_terminal (80, say_cb, "lockstep|convert|int8|" NET "|--samples|10");
  const char *bar = strstr (said, "\r\033[K["), *table = strstr (said, "A machine for whole numbers");

  g_assert_nonnull (bar);
  g_assert_nonnull (table);
  assert_says (said, "] reading the data, 0 %");
  g_assert_true (g_str_has_prefix (table - 4, "\r\033[K"));
}

/* ---- results made by hand, kept, and shown ---- */

#define HAND_NET "flatten, dense 16, relu, dense 3"
#define HAND     "--data|spiral|--seed|7|--steps|1234|--model|" HAND_NET

/* An empty one, under the key that HAND's command line asks for. load may be NULL. */
static LsConverted *
result_by_hand (LsConvertedKind kind, const char *load)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  const LsConvertedWish wish = { .kind = kind, .options = options, .load = load };
  LsConverted *result = ls_converted_new (kind);

  ls_options_set (options, ls_options_find ("data"), "spiral", NULL);
  ls_options_set (options, ls_options_find ("seed"), "7", NULL);
  ls_options_set (options, ls_options_find ("steps"), "1234", NULL);
  ls_options_set (options, ls_options_find ("model"), HAND_NET, NULL);
  result->key = ls_converted_key (&wish, NULL);
  result->model = g_strdup (HAND_NET);
  result->data = g_strdup ("spiral");
  result->weights = load != NULL ? g_path_get_basename (load) : NULL;
  result->trained = load != NULL ? 0 : 1234;
  result->seed = 7;
  result->n_samples = 400;
  result->n_test = 500;
  result->calibration = 321;
  result->accuracy = ls_converted_figure (97.525, 400, "%", LS_EVIDENCE_MEASURED);
  return result;
}

static void
add_point (LsConverted *result, guint at, double accuracy, double same)
{
  result->points[result->n_points++]
    = (LsConvertedPoint){ .at = at,
                          .accuracy = ls_converted_figure (accuracy, 400, "%", LS_EVIDENCE_MEASURED),
                          .same = ls_converted_figure (same, 400, "%", LS_EVIDENCE_MEASURED) };
}

static Captured
keep_and_show (const LsConverted *result, const char *words)
{
  g_autoptr (GError) error = NULL;

  ls_converted_keep (result, &error);
  g_assert_no_error (error);
  return run (words);
}

/* Each number in its column: no two are alike. */
static void
test_shown_int8 (void)
{
  g_autoptr (LsConverted) result = result_by_hand (LS_CONVERTED_INT8, NULL);

  add_point (result, 8, 97.5125, 99.25);
  add_point (result, 7, 97.0375, 98.5);
  add_point (result, 6, 97.0125, 9.75);
  add_point (result, 5, 97.375, 0);
  result->n_scales = 2;
  result->scales = g_new0 (LsInt8Scales, 2);
  result->scales[0] = (LsInt8Scales){ .layer = 1, .low = .001234, .high = .04567, .out = .7891 };
  result->scales[1] = (LsInt8Scales){ .layer = 3, .low = .0021, .high = .0654 };
  g_auto (Captured) said = keep_and_show (result, "convert|int8|--kept|" HAND);
  g_autofree char *expected = g_strdup_printf (
    "A machine for whole numbers: " HAND_NET ", spiral\n"
    "Trained anew for this, for 1234 steps, seed 7\n"
    "400 of 500 samples of the test set; the floats of the CPU lane get 97.53 %% of them right\n\n"
    "Bits    Right  As the floats\n"
    "   8  97.51 %%        99.25 %%\n"
    "   7  97.04 %%        98.50 %%\n"
    "   6  97.01 %%         9.75 %%\n"
    "   5  97.38 %%         0.00 %%\n"
    "\nOne whole number more is, with 8 bits:\n"
    "Layer  Weights, at least  Weights, at most  What it makes\n"
    "    2            0.00123            0.0457          0.789\n"
    "    4             0.0021            0.0654              –\n"
    "\nFrom 7 bits on it is within 0.5 points of the floats.\n"
    "Measured; scales of activations are from 321 samples of the training set.\n"
    "On %s, %s, %s\n",
    result->date, result->machine, result->program);

  g_assert_cmpstr (said.err, ==, "");
  assert_lines ("whole numbers, made by hand", said.out, expected);
}

/* Energy is so many events of 23.6 pJ, in the unit that leaves three digits or fewer before the point. */
static void
test_shown_spiking (void)
{
  g_autofree char *load = g_build_filename (folder, "w.safetensors", NULL),
                  *words = g_strconcat ("convert|spiking|--kept|" HAND "|--load|", load, NULL);
  g_assert_true (g_file_set_contents (load, "weights", -1, NULL));
  g_autoptr (LsConverted) result = result_by_hand (LS_CONVERTED_SPIKING, load);

  result->n_spiking = 16;
  result->input_products = 32;
  result->n_steps = result->n_neurons = 1;
  add_point (result, 1, 33.25, 34.5);
  add_point (result, 2, 96.5, 97.75);
  add_point (result, 4, 96.75, 98.125);
  add_point (result, 16, 97.25, 98.75);
  add_point (result, 128, 97.5, 99.5);
  ls_converted_set_spikes (result, &result->points[0], 4, 10);
  ls_converted_set_spikes (result, &result->points[1], 24, 1000);
  ls_converted_set_spikes (result, &result->points[2], 40, 2500000);
  ls_converted_set_spikes (result, &result->points[3], 192, 42370); /* 999.9 nJ are a µJ */
  ls_converted_set_spikes (result, &result->points[4], 2024, 5e8);
  g_auto (Captured) said = keep_and_show (result, words);
  g_autofree char *expected = g_strdup_printf (
    "A machine of spiking neurons: " HAND_NET ", spiral\n"
    "Weights of w.safetensors\n"
    "400 of 500 samples of the test set; the floats of the CPU lane get 97.53 %% of them right\n\n"
    "Time steps    Right  As the floats  Spikes  A neuron and step  Synaptic events   Energy\n"
    "         1  33.25 %%        34.50 %%       4              0.250               10   236 pJ\n"
    "         2  96.50 %%        97.75 %%      24              0.750             1000  23.6 nJ\n"
    "         4  96.75 %%        98.12 %%      40              0.625          2500000    59 µJ\n"
    "        16  97.25 %%        98.75 %%     192              0.750            42370     1 µJ\n"
    "       128  97.50 %%        99.50 %%    2024              0.988        500000000  11.8 mJ\n"
    "\nFrom 4 time steps on it is within 1.0 points of the floats.\n"
    "Right, spikes and events are measured, these for a sample in the mean. Energy is modelled: 23.6 pJ for "
    "each synaptic event, the least of Intel’s Loihi as simulated before it was made "
    "(https://doi.org/10.1109/MM.2018.112130359). The sample itself is a constant current, whose 32 products "
    "with weights are no events.\n"
    "On %s, %s, %s\n",
    result->date, result->machine, result->program);

  g_assert_cmpstr (said.err, ==, "");
  assert_lines ("spikes, made by hand", said.out, expected);
}

/* From which on: those between must be near enough, too. */
static void
test_shown_within (void)
{
  static const struct {
    double accuracy[3]; /* with 8, 7 and 6 bits; the floats have 97.525 */
    const char *says;
  } rows[] = {
    { { 97.5, 97.5, 97.25 }, "\nFrom 6 bits on it is within 0.5 points of the floats.\n" },
    { { 97.5, 97.5, 97 }, "\nFrom 7 bits on it is within 0.5 points of the floats.\n" },
    { { 97.5, 97, 97.5 }, "\nFrom 8 bits on it is within 0.5 points of the floats.\n" },
    { { 97, 97.5, 97.5 }, "\nNone of them is within 0.5 points of the floats.\n" },
    { { 100, 99, 98 }, "\nFrom 6 bits on it is within 0.5 points of the floats.\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsConverted) result = result_by_hand (LS_CONVERTED_INT8, NULL);

      for (guint k = 0; k < 3; k++)
        add_point (result, 8 - k, rows[i].accuracy[k], 99);
      result->n_scales = 1;
      result->scales = g_new0 (LsInt8Scales, 1);
      result->trained = i + 1;
      g_auto (Captured) said = keep_and_show (result, "convert|int8|--kept|" HAND);
      assert_says (said.out, rows[i].says);
      assert_says (said.out, i == 0 ? "for 1 step, seed 7\n" : "steps, seed 7\n");
    }
}

/* The signal comes while it trains; until then it is ignored. */
static gpointer
interrupt_cb (gpointer data)
{
  while (!ls_interrupted ())
    {
      kill (getpid (), SIGINT);
      g_usleep (200000);
    }
  return NULL;
}

static int interrupted_status;

static void
interrupted_cb (gconstpointer unused)
{
  g_auto (GStrv) argv = g_strsplit ("lockstep|convert|int8|" NET "|--steps|1000000000", "|", -1);

  interrupted_status = ls_cli_main ((int) g_strv_length (argv), argv);
}

static void
test_interrupted (void)
{
  GThread *thread;

  signal (SIGINT, SIG_IGN);
  thread = g_thread_new ("interrupt", interrupt_cb, NULL);
  g_auto (Captured) said = capture (interrupted_cb, NULL);
  g_thread_join (thread);
  g_assert_cmpint (interrupted_status, ==, 130);
  assert_says (said.err, "Stopped; nothing of it is kept.");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  folder = g_dir_make_tmp ("lockstep-convert-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_add_func ("/convert/refused", test_refused);
  g_test_add_func ("/convert/int8", test_int8);
  g_test_add_func ("/convert/spiking", test_spiking);
  g_test_add_func ("/convert/terminal", test_terminal);
  g_test_add_func ("/convert/shown-int8", test_shown_int8);
  g_test_add_func ("/convert/shown-spiking", test_shown_spiking);
  g_test_add_func ("/convert/shown-within", test_shown_within);
  g_test_add_func ("/convert/interrupted", test_interrupted); /* the last one: it stays interrupted */
  status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
