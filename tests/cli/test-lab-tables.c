/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lab` prints, of results made by hand, and a sweep's files: each line as it should be.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <string.h>

#include "data/defaults.h"
#include "lab/kept.h"
#include "lab/sweep_kept.h"
#include "ui/cli/lab_sweep.h"
#include "ui/cli/lab_table.h"

static LsOptions *
options_of (const char *lanes)
{
  LsOptions *options = ls_options_new ();

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), lanes, NULL));
  return options;
}

static LsLabResult *
result_of (const LsExperiment *experiment, const char *lanes)
{
  g_autoptr (LsOptions) options = options_of (lanes);
  LsLabResult *result = ls_lab_result_new (experiment, options, NULL);

  g_assert_nonnull (result);
  g_free (result->machine);
  g_free (result->date);
  g_free (result->program);
  result->machine = g_strdup ("Invented, 8 processors");
  result->date = g_strdup ("2026-03-04");
  result->program = g_strdup ("Lockstep 9.8.7");
  result->devices[0] = g_strdup ("a CPU, 8 workers");
  result->seconds = 20;
  result->rounds = 5;
  return result;
}

static void
put (LsLabResult *result, guint lane, LsLabSpot spot, double rate, double low, double high)
{
  const LsLabPoint point
    = { spot.x, spot.y, { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, low, high }, { 0 } };

  g_assert_true (ls_lab_result_add (result, lane, &point));
  if (!ls_lab_result_tried (result, spot))
    g_array_append_val (result->tried, spot);
}

/* As of whoever trains that result's network, at batch 128. */
static void
lab_cb (gconstpointer data)
{
  const LsLabResult *result = data;

  ls_lab_print (result, result->options);
}

static void
lab_mlp_cb (gconstpointer result)
{
  g_autoptr (LsOptions) options = options_of ("cpu,opencl");

  ls_lab_print (result, options);
}

static void
assert_lab (const char *what, const LsLabResult *result, const char *expected)
{
  g_auto (Captured) said = capture (lab_cb, result);

  assert_lines (what, said.out, expected);
}

/* A line for each size that any lane has, by growing size; dots that lie on a line are told with it. */
static void
test_lab_sizes (void)
{
  g_autoptr (LsLabResult) result = result_of (&ls_experiment_batch, "cpu,opencl");

  put (result, 0, (LsLabSpot){ 128, 0 }, 1e6 * 128 / (50 + 2.5 * 128), 3e5, 4e5);
  put (result, 0, (LsLabSpot){ 1, 0 }, 1e6 / 52.5, 19000, 19100);
  put (result, 1, (LsLabSpot){ 32, 0 }, 7777.77, 7000.4, 8000.6);
  put (result, 0, (LsLabSpot){ 8, 0 }, 8e6 / 70, 1e5, 1.2e5);
  put (result, 0, (LsLabSpot){ 16, 0 }, 16e6 / 90, 1.7e5, 1.8e5);
  ls_lab_result_add_missing (result, 1, (LsLabSpot){ 2048, 0 }, "There isn’t enough memory.");
  assert_lab ("sizes", result,
              "\n"
              "samples/s, mlp 784-256-128-10: medians with [middle half]\n"
              "batch                       CPU              OpenCL\n"
              "    1     19048 [19000 … 19100]                   –\n"
              "    8  114286 [100000 … 120000]                   –\n"
              "   16  177778 [170000 … 180000]                   –\n"
              "   32                         –  7778 [7000 … 8001]\n"
              "  128  345946 [300000 … 400000]                   –\n"
              " 2048                         –                   –\n"
              "OpenCL, batch 2048: There isn’t enough memory.\n"
              "CPU: 50 µs a step and 2.5 µs a sample, at most 0 % off (derived)\n"
              "CPU: a CPU, 8 workers\n"
              "OpenCL: was not there\n"
              "Measured on 2026-03-04 by Lockstep 9.8.7, 5 rounds in 20 s; Invented, 8 processors\n");
  result->busy = TRUE;
  g_auto (Captured) said = capture (lab_cb, result);
  assert_lines ("beside other programs", strstr (said.out, "Measured on"),
                "Measured on 2026-03-04 by Lockstep 9.8.7 beside other programs, 5 rounds in 20 s; Invented, "
                "8 processors\n");
}

static void
test_lab_recorded (void)
{
  g_autoptr (LsLabResult) result = result_of (&ls_experiment_events, "cpu");
  const LsLabPoint point = { .x = 64,
                             .rate = { 1234.4, "samples/s", LS_EVIDENCE_MEASURED, 1, 1, 2 },
                             .plain = { 4321, "samples/s", LS_EVIDENCE_MEASURED, 3, 3, 4 } };

  g_assert_true (ls_lab_result_add (result, 0, &point));
  assert_lab ("recorded steps", result,
              "\n"
              "samples/s of recorded steps, mlp 784-256-128-10, batch 128: medians with [middle half]\n"
              "events   CPU\n"
              "    64  1234\n"
              "CPU: a CPU, 8 workers\n"
              "Measured on 2026-03-04 by Lockstep 9.8.7, 5 rounds in 20 s; Invented, 8 processors\n");
}

/* Larger widths above, larger batches right; who is faster, and how many times. */
static void
test_lab_map (void)
{
  g_autoptr (LsLabResult) result = result_of (&ls_experiment_crossover, "cpu,opencl");

  put (result, 0, (LsLabSpot){ 1, 16 }, 1800, 1790, 1810);
  put (result, 1, (LsLabSpot){ 1, 16 }, 1000, 990, 1010);
  put (result, 0, (LsLabSpot){ 128, 16 }, 1020, 1010, 1030); /* less than 5 % apart */
  put (result, 1, (LsLabSpot){ 128, 16 }, 1000, 990, 1005);
  put (result, 0, (LsLabSpot){ 1, 512 }, 1500, 900, 2000); /* the middle halves overlap */
  put (result, 1, (LsLabSpot){ 1, 512 }, 1000, 950, 1050);
  put (result, 0, (LsLabSpot){ 128, 512 }, 1000, 990, 1010);
  put (result, 1, (LsLabSpot){ 128, 512 }, 2360, 2300, 2400);
  put (result, 0, (LsLabSpot){ 512, 512 }, 1000, 990, 1010);
  put (result, 1, (LsLabSpot){ 512, 512 }, 4000, 3990, 4010);
  put (result, 0, (LsLabSpot){ 512, 16 }, 1000, 990, 1010); /* alone */
  g_auto (Captured) said = capture (lab_cb, result);

  assert_lines (
    "a map", said.out,
    "\nCrossover: who is faster, how many times: ◂ CPU, ▸ OpenCL; rows: units of the first hidden "
    "layer; the others in proportion\n"
    "width ╲ batch      1    128   512\n"
    "          512  equal   2.4▸  4.0▸\n"
    "           16   ◂1.8  equal     –\n"
    "Here OpenCL wins from batch 128 at width 512 upwards.\n"
    "CPU: a CPU, 8 workers\n"
    "OpenCL: was not there\n"
    "Measured on 2026-03-04 by Lockstep 9.8.7, 5 rounds in 20 s; Invented, 8 processors\n");
}

/* Whose network lies at a spot that was measured is told about it; a result of another one isn't theirs. */
static void
test_lab_own (void)
{
  g_autoptr (LsLabResult) result = result_of (&ls_experiment_crossover, "cpu,opencl");

  put (result, 0, (LsLabSpot){ 128, 256 }, 1000, 990, 1010);
  put (result, 1, (LsLabSpot){ 128, 256 }, 2360, 2300, 2400);
  g_auto (Captured) said = capture (lab_cb, result);
  g_assert_nonnull (strstr (said.out, ". Your network at batch 128 is 2.4 times as fast on OpenCL.\n"));
  ls_options_set (result->options, ls_options_find ("model"), "flatten, dense 256, dense 10", NULL);
  g_auto (Captured) theirs = capture (lab_mlp_cb, result);
  g_assert_null (strstr (theirs.out, "your network"));
}

/* A lane that is denied something is named over the map. */
static void
test_lab_unfair (void)
{
  g_autoptr (LsLabResult) result = result_of (&ls_experiment_crossover, "cpu(cpu-kernels=naive),opencl");

  put (result, 0, (LsLabSpot){ 1, 16 }, 1800, 1790, 1810);
  put (result, 1, (LsLabSpot){ 1, 16 }, 1000, 990, 1010);
  g_auto (Captured) said = capture (lab_cb, result);
  const char *unfair = strstr (said.out, "(!)");

  assert_lines ("an unfair map", unfair != NULL ? unfair : said.out,
                "(!) CPU (naive loops) and OpenCL aren’t compared fairly:\n"
                "    Kernels: The CPU (naive loops) lane computes with naive loops, one number at a time.\n"
                "width ╲ batch     1\n"
                "           16  ◂1.8\n"
                "Here CPU (naive loops) wins at 1 of 1 spot that was measured. Unfair: Kernels.\n"
                "CPU (naive loops): a CPU, 8 workers\n"
                "OpenCL: was not there\n"
                "Measured on 2026-03-04 by Lockstep 9.8.7, 5 rounds in 20 s; Invented, 8 processors\n");
}

static const LsExperiment *const kept[] = { &ls_experiment_batch, &ls_experiment_width };

/* One that is whole, and one that was broken off. */
static void
keep_two (void)
{
  static gboolean done;
  g_autoptr (LsOptions) options = options_of ("cpu");

  for (guint i = 0; i < 2 && !done; i++)
    {
      g_autoptr (LsLabResult) result = ls_lab_result_new (kept[i], options, NULL);
      g_autoptr (GError) error = NULL;

      g_free (result->date);
      result->date = g_strdup (i == 0 ? "2026-03-04" : "2026-05-06");
      put (result, 0, (LsLabSpot){ 64, 0 }, 1000, 900, 1100);
      put (result, 0, (LsLabSpot){ 128, 0 }, 2000, 1900, 2100);
      result->n_sizes = i == 0 ? 2 : 7;
      result->seconds = 20;
      result->rounds = 5;
      ls_lab_keep (result, &error);
      g_assert_no_error (error);
    }
  done = TRUE;
}

/* What is kept, of these lanes: whole, broken off, and nothing. */
static void
test_lab_list (void)
{
  keep_two ();
  g_auto (Captured) said = run ("lab|list|--lanes|cpu");
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);

  g_assert_cmpstr (said.err, ==, "");
  g_assert_cmpuint (g_strv_length (lines), ==, n + 2);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) cells = cells_of (lines[1 + i]);
      const char *should = all[i] == kept[0]   ? "2026-03-04, 2 sizes"
                           : all[i] == kept[1] ? "2026-05-06, broken off: 2 of 7 sizes"
                                               : "–";
      assert_cell ("name", i, cells[0], all[i]->name);
      assert_cell ("sentence", i, cells[1], all[i]->about);
      assert_cell ("result", i, cells[2], should);
    }
}

/* What is kept and can't be used is said once, by the file's name, and isn't in the list. */
static void
test_lab_damaged (void)
{
  keep_two ();
  g_autofree char *in = g_build_filename (g_getenv ("XDG_DATA_HOME"), "lockstep", "lab", NULL);
  g_autoptr (GDir) dir = g_dir_open (in, 0, NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_prefix (name, "batch") || g_str_has_prefix (name, "width"))
      g_ptr_array_add (paths, g_build_filename (in, name, NULL));
  g_assert_cmpuint (paths->len, ==, 2);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *text = NULL;
      const char *path = paths->pdata[i];
      const gboolean whole = strstr (path, "batch") != NULL;
      gsize n;

      g_assert_true (g_file_get_contents (path, &text, &n, NULL));
      g_assert_true (g_file_set_contents (path, "no result\n", -1, NULL));
      g_auto (Captured) said = run ("lab|list|--lanes|cpu");
      g_autofree char *begins = g_strdup_printf ("%s can’t be read and isn’t used: ", path);
      const char *end = strchr (said.err, '\n');
      if (!g_str_has_prefix (said.err, begins) || end == NULL || end[1] != '\0')
        g_error ("of a damaged result it is said\n  “%s”\nand should be, once,\n  “%s…”", said.err, begins);
      if ((strstr (said.out, "2026-03-04, 2 sizes") != NULL) == whole
          || (strstr (said.out, "2026-05-06, broken off: 2 of 7 sizes") != NULL) != whole)
        g_error ("with a damaged result of %s the list is\n%s", whole ? "batch" : "width", said.out);
      g_assert_true (g_file_set_contents (path, text, (gssize) n, NULL));
    }
}

#ifdef HAVE_PAINT
/* What is kept is drawn as the file's name ends, in any case of letters; of another ending it is said before
 * anything is done. */
static void
test_lab_out (void)
{
  static const struct {
    const char *name, *begins; /* NULL: there is no such kind */
  } rows[] = { { "a.png", "\211PNG\r\n" }, { "a.svg", "<?xml" }, { "a.pdf", "%PDF-" },
               { "a.PNG", "\211PNG\r\n" }, { "a.gif", NULL },    { "a", NULL },
               { "a.png.txt", NULL } };

  keep_two ();
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_build_filename (g_getenv ("XDG_DATA_HOME"), rows[i].name, NULL),
                      *words = g_strdup_printf ("lab|batch|--kept|--lanes|cpu|--out|%s", path), *text = NULL,
                      *refused = g_strdup_printf ("lockstep lab: “%s” names no kind of picture; end it in "
                                                  ".png, .svg or .pdf.\n",
                                                  path);
      g_auto (Captured) said = run (words);
      const gboolean there = g_file_get_contents (path, &text, NULL, NULL);

      if (rows[i].begins == NULL)
        {
          if (said.status != 2 || there || *said.out != '\0' || strcmp (said.err, refused) != 0)
            g_error ("“%s” ends with %d, prints “%s” and says “%s”; it should say “%s”", words, said.status,
                     said.out, said.err, refused);
          continue;
        }
      if (said.status != 0 || !there || !g_str_has_prefix (text, rows[i].begins))
        g_error ("“%s” ends with %d and %s: %s", words, said.status,
                 there ? "writes another kind of file" : "writes no file", said.err);
    }
}
#endif

/* A sweep's files: a line, or an object, for each combination and lane. */
static void
test_sweep_files (void)
{
  static const char *const vary[] = { "batch=1,16", "model=flatten, dense 2;flatten, dense 8, relu, dense 2",
                                      NULL };
  g_autoptr (LsOptions) options = options_of ("fast=cpu,reference");
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("data"), "xor", NULL));
  g_autoptr (LsSweep) sweep = ls_sweep_new (options, vary, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sweep->n, ==, 4);
  sweep->done = 3;
  for (guint c = 0; c < 3; c++)
    {
      LsSweepCell *cells = &sweep->cells[2 * c];
      cells[0].rate = (LsFigure){ 1000.5 + c, "samples/s", LS_EVIDENCE_MEASURED,
                                  7 + c,      900.25 + c,  1100.75 + c,
                                  0,          NULL };
      cells[1].rate = cells[0].rate;
      cells[1].rate.value *= 2;
    }
  sweep->cells[3].rate.n = 0;
  sweep->cells[3].why = g_strdup ("It says “no”, and \"no\" again.");
  g_autofree char *csv = ls_lab_sweep_csv (sweep);
  assert_lines (
    "a sweep's CSV", csv,
    "batch,model,lane,rate,unit,q1,q3,n,why\n"
    "1,\"flatten, dense 2\",fast,1000.5,samples/s,900.25,1100.75,7,\n"
    "1,\"flatten, dense 2\",reference,2001,samples/s,900.25,1100.75,7,\n"
    "1,\"flatten, dense 8, relu, dense 2\",fast,1001.5,samples/s,901.25,1101.75,8,\n"
    "1,\"flatten, dense 8, relu, dense 2\",reference,,,,,,\"It says “no”, and \"\"no\"\" again.\"\n"
    "16,\"flatten, dense 2\",fast,1002.5,samples/s,902.25,1102.75,9,\n"
    "16,\"flatten, dense 2\",reference,2005,samples/s,902.25,1102.75,9,\n");
  g_autoptr (json_t) json = ls_lab_sweep_json (sweep);
  g_autofree char *text = json_dumps (json_object_get (json, "combinations"), JSON_COMPACT);
  assert_lines ("a sweep's JSON", text,
                "[{\"options\":{\"batch\":\"1\",\"model\":\"flatten, dense 2\"},\"lanes\":["
                "{\"id\":\"fast\",\"rate\":{\"median\":1000.5,\"q1\":900.25,\"q3\":1100.75,\"n\":7},\"unit\":"
                "\"samples/s\"},"
                "{\"id\":\"reference\",\"rate\":{\"median\":2001.0,\"q1\":900.25,\"q3\":1100.75,\"n\":7},"
                "\"unit\":\"samples/s\"}]},"
                "{\"options\":{\"batch\":\"1\",\"model\":\"flatten, dense 8, relu, dense 2\"},\"lanes\":["
                "{\"id\":\"fast\",\"rate\":{\"median\":1001.5,\"q1\":901.25,\"q3\":1101.75,\"n\":8},\"unit\":"
                "\"samples/s\"},"
                "{\"id\":\"reference\",\"why\":\"It says “no”, and \\\"no\\\" again.\"}]},"
                "{\"options\":{\"batch\":\"16\",\"model\":\"flatten, dense 2\"},\"lanes\":["
                "{\"id\":\"fast\",\"rate\":{\"median\":1002.5,\"q1\":902.25,\"q3\":1102.75,\"n\":9},\"unit\":"
                "\"samples/s\"},"
                "{\"id\":\"reference\",\"rate\":{\"median\":2005.0,\"q1\":902.25,\"q3\":1102.75,\"n\":9},"
                "\"unit\":\"samples/s\"}]}]");
}

/* What is kept of a sweep, whole or broken off, is shown with its date, and nothing is measured; of another
 * sweep nothing is. */
static void
test_sweep_kept (void)
{
#define SWEEP "lab|sweep|--kept|--lanes|cpu|--data|xor|--vary|"
  static const char *const vary[] = { "batch=1,16", NULL };
  g_autoptr (LsOptions) options = options_of ("cpu");

  g_assert_true (ls_options_set (options, ls_options_find ("data"), "xor", NULL));
  ls_data_suggest (options, 0, 0); /* as the command line is read */
  g_auto (Captured) nothing = run (SWEEP "batch=1,16");
  g_assert_cmpstr (nothing.err, ==,
                   "lockstep lab: Nothing is kept of this sweep; without --kept it is measured.\n");
  g_assert_cmpint (nothing.status, ==, 1);
  for (guint done = 1; done <= 2; done++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsSweep) sweep = ls_sweep_new (options, vary, &error);

      g_assert_no_error (error);
      sweep->done = done;
      for (guint c = 0; c < done; c++)
        sweep->cells[c].rate = (LsFigure){ 2000 + c, "samples/s", LS_EVIDENCE_MEASURED, 7, 1900 + c, 2100 + c,
                                           0,        NULL };
      g_assert_true (ls_sweep_keep (sweep, 20, 5, &error));
      g_auto (Captured) said = run (SWEEP "batch=1,16");
      g_assert_cmpstr (said.err, ==, "");
      g_autoptr (GRegex) dates = g_regex_new ("[0-9]{4}-[0-9]{2}-[0-9]{2}", 0, 0, NULL);
      g_autofree char *undated = g_regex_replace_literal (dates, said.out, -1, 0, "TODAY", 0, NULL);
      assert_lines (done == 1 ? "a sweep that was broken off" : "a whole sweep", undated,
                    done == 1 ? "Measured on TODAY, and broken off after 1 of 2.\n"
                                "\n"
                                "samples/s: medians with [middle half]\n"
                                "batch                 CPU\n"
                                "1      2000 [1900 … 2100]\n"
                              : "Measured on TODAY.\n"
                                "\n"
                                "samples/s: medians with [middle half]\n"
                                "batch                 CPU\n"
                                "1      2000 [1900 … 2100]\n"
                                "16     2001 [1901 … 2101]\n");
      g_assert_cmpint (said.status, ==, 0);
      g_auto (Captured) other = run (SWEEP "batch=1,32");
      g_assert_cmpint (other.status, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-tables-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/lab-tables/sizes", test_lab_sizes);
  g_test_add_func ("/cli/lab-tables/recorded", test_lab_recorded);
  g_test_add_func ("/cli/lab-tables/map", test_lab_map);
  g_test_add_func ("/cli/lab-tables/own", test_lab_own);
  g_test_add_func ("/cli/lab-tables/unfair", test_lab_unfair);
  g_test_add_func ("/cli/lab-tables/list", test_lab_list);
  g_test_add_func ("/cli/lab-tables/damaged", test_lab_damaged);
#ifdef HAVE_PAINT
  g_test_add_func ("/cli/lab-tables/out", test_lab_out);
#endif
  g_test_add_func ("/cli/lab-tables/sweep-files", test_sweep_files);
  g_test_add_func ("/cli/lab-tables/sweep-kept", test_sweep_kept);
  const int status = g_test_run ();
  remove_tree (folder);
  return status;
}
