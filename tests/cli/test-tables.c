/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of `plan`, `lab`, `tune` and `bench`, of results made by hand: each line as it should be, or
 * each number read back and held against what it was made from.
 */
#include "../folder.h"
#include "captured.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "backends/opencl/kernels/tuned.h"
#include "data/dataset.h"
#include "lab/kept.h"
#include "ui/cli/bench/rates.h"
#include "ui/cli/bench/steps.h"
#include "ui/cli/command.h"
#include "ui/cli/lab_sweep.h"
#include "ui/cli/lab_table.h"
#include "ui/report/terminal.h"

static void
command_cb (gconstpointer words)
{
  g_auto (GStrv) argv = g_strsplit (words, "|", -1);

  ls_cli_main ((int) g_strv_length (argv), argv);
}

/* What `lockstep WORD|WORD` prints. */
static Captured
run (const char *words)
{
  g_autofree char *line = g_strconcat ("lockstep|", words, NULL);

  return capture (command_cb, line);
}

/* ---- plan ---- */

/* "51.4 k": that value, to three digits. */
static void
assert_short (const char *what, const char *text, gint64 value)
{
  static const char *const units[] = { "", "k", "M", "G", "T" };
  char *end = NULL;
  double read = g_ascii_strtod (text, &end), unit = 1;
  const char *point = strchr (text, '.');
  guint i = 0;

  g_strchug (end);
  for (; i < G_N_ELEMENTS (units) && strcmp (end, units[i]) != 0; i++)
    unit *= 1000;
  const double half = .5001 * unit / pow (10, point != NULL ? (double) strspn (point + 1, "0123456789") : 0);
  if (i == G_N_ELEMENTS (units) || fabs (read * unit - (double) value) > half
      || (value > 99 && half > .0051 * (double) value) || (i > 0 && (read < 1 || read >= 1000)))
    g_error ("%s is “%s”, and should be %" G_GINT64_FORMAT " to three digits", what, text, value);
}

static char **
cells_of (const char *line)
{
  g_autoptr (GRegex) gaps = g_regex_new (" {2,}", 0, 0, NULL);
  g_autofree char *text = g_strstrip (g_strdup (line));

  return g_regex_split (gaps, text, 0);
}

static void
assert_cell (const char *column, guint row, const char *cell, const char *should)
{
  if (g_strcmp0 (cell, should) != 0)
    g_error ("row %u: its %s is “%s”, and should be “%s”", row, column, cell, should);
}

/* How it was cut, said from the grid that covers its output. */
static char *
cut_words (const LsTiling *t, guint op)
{
  const guint rows = (guint) ((t->rows + t->tile_rows - 1) / MAX (t->tile_rows, 1)),
              cols = (guint) ((t->cols + t->tile_cols - 1) / MAX (t->tile_cols, 1));

  if (t->reference)
    return g_strdup ("reference");
  if (t->leader != op)
    return g_strdup_printf ("in op %u", t->leader);
  g_autofree char *parts = t->splits > 1 ? g_strdup_printf (", sum in %u parts", t->splits) : g_strdup ("");
  return g_strdup_printf ("%u×%u tiles of %d×%d%s, %s", rows, cols, (int) t->tile_rows, (int) t->tile_cols,
                          parts, t->kernel);
}

/* Each op in its line, with what the plan has of it, and with how both lanes cut it. */
static void
test_plan (void)
{
  static const char *const phases[] = { "input", "forward", "loss", "backward", "update" };
  g_autoptr (LsData) data = ls_data_load ("spiral", 1, NULL);
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 80, relu, dense 3", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, data->train.shape, data->n_classes, 512, LS_OPTIMIZER_SGD,
                                         NULL);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_auto (Captured) said = run (
    "plan|--model|flatten, dense 80, relu, dense 3|--data|spiral|--batch|512|--lanes|cpu(tiles-per-op=4)");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
  guint tiled = 0, fused = 0;
  gint64 parameters = 0;

  g_assert_cmpstr (said.err, ==, "");
  options->batch = 512;
  g_assert_true (ls_options_set (options, ls_options_find ("tiles-per-op"), "4", NULL));
  gpointer cpu = ls_backend_cpu.open (options, 0, NULL);
  g_assert_true (ls_backend_cpu.prepare (cpu, plan, data, NULL));
  const LsTiling *tilings = ls_backend_cpu.tilings (cpu);

  g_assert_cmpstr (lines[0], ==, "Model flatten, dense 80, relu, dense 3 on spiral");
  g_assert_cmpuint (g_strv_length (lines), >, plan->n_ops + 5);
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const LsTensor *out = &plan->tensors[op->out[0]];
      g_auto (GStrv) cells = cells_of (lines[3 + i]);
      g_autofree char *number = g_strdup_printf ("%u", i),
                      *layer = op->layer < 0 ? g_strdup ("–") : g_strdup_printf ("%d", op->layer),
                      *intensity = g_strdup_printf ("%.2f", (double) op->flops / (double) op->bytes),
                      *cut = cut_words (&tilings[i], i);
      g_autoptr (GString) shape = g_string_new (NULL);

      for (guint d = 0; d < out->rank; d++)
        g_string_append_printf (shape, "%s%d", d > 0 ? "×" : "", (int) out->shape[d]);
      g_assert_cmpuint (g_strv_length (cells), ==, 10);
      assert_cell ("number", i, cells[0], number);
      assert_cell ("phase", i, cells[1], phases[op->phase]);
      assert_cell ("layer", i, cells[2], layer);
      assert_cell ("kind", i, cells[3], op->klass->name);
      assert_cell ("equation", i, cells[4], op->equation);
      assert_cell ("output", i, cells[5], shape->str);
      assert_short ("FLOP", cells[6], op->flops);
      assert_short ("bytes", cells[7], op->bytes);
      assert_cell ("FLOP/byte", i, cells[8], intensity);
      assert_cell ("cut", i, cells[9], cut);
      tiled += g_str_has_prefix (cut, "4×1 tiles of ");
      fused += g_str_has_prefix (cut, "in op ");
    }
  g_assert_cmpuint (tiled, >, 1);
  g_assert_cmpuint (fused, >, 1);
  ls_backend_cpu.close (cpu);

  for (guint i = 0; i < plan->n_params; i++)
    parameters += ls_tensor_count (&plan->tensors[plan->params[i].weight]);
  g_assert_cmpint (parameters, ==, 2 * 80 + 80 + 80 * 3 + 3);
  g_auto (GStrv) words = g_strsplit_set (lines[4 + plan->n_ops], ":,;", -1);
  g_autofree char *ops = g_strdup_printf (" %u ops", plan->n_ops),
                  *all = g_strdup_printf (" %.2f FLOP/byte", (double) plan->flops / (double) plan->bytes),
                  *count = g_strdup_printf (" %d parameters", (int) parameters);
  g_assert_cmpuint (g_strv_length (words), ==, 7);
  g_assert_cmpstr (words[0], ==, "One step of 512 samples");
  g_assert_cmpstr (words[1], ==, ops);
  g_assert_cmpstr (words[4], ==, all);
  g_assert_cmpstr (words[5], ==, count);
  static const char *const ends[] = { " FLOP", " bytes moved", " bytes." };
  const gint64 values[] = { plan->flops, plan->bytes, (gint64) plan->arena_bytes };
  for (guint i = 0; i < 3; i++)
    {
      char *part = words[i < 2 ? 2 + i : 6];
      g_assert_true (g_str_has_suffix (part, ends[i]));
      part[strlen (part) - strlen (ends[i])] = '\0';
      assert_short (ends[i],
                    i == 2 && g_str_has_prefix (part, " all tensors together ")
                      ? part + strlen (" all tensors together ")
                      : part + 1,
                    values[i]);
    }
}

/* ---- lab ---- */

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

static void
lab_cb (gconstpointer result)
{
  ls_lab_print (result);
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
  assert_lab ("sizes", result,
              "\n"
              "samples/s, mlp 784-256-128-10: medians with [middle half]\n"
              "batch                       CPU              OpenCL\n"
              "    1     19048 [19000 … 19100]                   –\n"
              "    8  114286 [100000 … 120000]                   –\n"
              "   16  177778 [170000 … 180000]                   –\n"
              "   32                         –  7778 [7000 … 8001]\n"
              "  128  345946 [300000 … 400000]                   –\n"
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
  g_autofree char *head = g_strdup_printf ("\nWho is faster, how many times: ◂ CPU, ▸ OpenCL; %s\n",
                                           result->experiment->network);

  g_assert_true (g_str_has_prefix (said.out, head));
  assert_lines ("a map", said.out + strlen (head),
                "width ╲ batch      1    128   512\n"
                "          512  equal   2.4▸  4.0▸\n"
                "           16   ◂1.8  equal     –\n"
                "Here OpenCL wins from batch 128 at width 512 upwards.\n"
                "CPU: a CPU, 8 workers\n"
                "OpenCL: was not there\n"
                "Measured on 2026-03-04 by Lockstep 9.8.7, 5 rounds in 20 s; Invented, 8 processors\n");
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

/* What is kept, of these lanes: whole, broken off, and nothing. */
static void
test_lab_list (void)
{
  g_autoptr (LsOptions) options = options_of ("cpu");
  const LsExperiment *const kept[] = { &ls_experiment_batch, &ls_experiment_width };

  for (guint i = 0; i < 2; i++)
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

/* ---- bench ---- */

static void
bench_cb (gconstpointer data)
{
  const LsRecordingCost costs[] = {
    { .percent = { 12.345, "%", LS_EVIDENCE_MEASURED, 9, -1.25, 34.56 }, .events = 1234 },
    { .percent = { .n = 0 }, .events = 7 },
  };

  ls_bench_print_recording ("CPU lane", &costs[0]);
  ls_bench_print_recording ("OpenCL lane", &costs[1]);
}

static void
test_recording_cost (void)
{
  g_auto (Captured) said = capture (bench_cb, NULL);

  assert_lines ("what recording costs", said.out,
                "CPU lane: a recorded step takes +12.3 % [-1.2 … +34.6] more time and holds 1234 events.\n");
}

/* ---- tune ---- */

static LsTunedEntry *
entry_of (const char *op, const char *device, const char *words, double us, double shipped_us,
          const char *date)
{
  LsTunedEntry *e = g_new0 (LsTunedEntry, 1);

  e->platform = g_strdup ("Invented platform");
  e->device = g_strdup (device);
  e->driver = g_strdup ("driver 7");
  e->op = g_strdup (op);
  e->shape = g_strdup ("nt 128×256×1024");
  e->source = g_strnfill (64, 'a');
  e->rung = g_strdup ("packed");
  e->shipped_words = g_strdup ("packed VEC=16");
  e->words = g_strdup (words);
  e->example = g_strdup ("128×256 = 128×784 · (256×784)ᵀ");
  e->us = (LsFigure){ us, "µs", LS_EVIDENCE_MEASURED, 9, us - 1, us + 1, 0, NULL };
  e->shipped_us = (LsFigure){ shipped_us, "µs", LS_EVIDENCE_MEASURED, 8, shipped_us - 2, shipped_us + 2,
                              0,          NULL };
  e->tried = 17;
  e->refused = 3;
  e->date = g_strdup (date);
  return e;
}

/* A table for each device, the longest op first. */
static void
test_tuned (void)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_tuned_entry_free);
  g_autoptr (GError) error = NULL;
  guint forgotten = 0;

  ls_tuned_forget (&forgotten, NULL);
  g_auto (Captured) none = run ("tune|--list");
  assert_lines ("nothing is kept", none.out,
                "Nothing has been tuned on this machine; the shipped parameters run.\n");
  g_ptr_array_add (entries,
                   entry_of ("relu", "Device B, 2.0", "packed VEC=16", 12.344, 12.344, "2026-02-03"));
  g_ptr_array_add (entries, entry_of ("matmul", "Device A, 3.0", "packed VEC=8", 50.5, 126.25, "2026-01-02"));
  g_ptr_array_add (entries,
                   entry_of ("conv2d", "Device A, 3.0", "register 64×64", 100.25, 110.5, "2026-01-02"));
  g_assert_true (ls_tuned_keep (entries, &error));
  g_assert_no_error (error);
  g_autofree char *path = ls_tuned_path (),
                  *kept = g_strdup_printf ("Kept in %s; --tuned=off trains without them.\n", path),
                  *expected = g_strconcat (
                    "Device A, 3.0, driver 7, tuned on 2026-01-02\n\n"
                    "Op      shape                           kernel               µs [middle half]           "
                    " shipped, µs  times as fast  tried, refused\n"
                    "conv2d  128×256 = 128×784 · (256×784)ᵀ  register 64×64  100.2 [99.25 … 101.2]  110.5 "
                    "[108.5 … 112.5]           1.10           17, 3\n"
                    "matmul  128×256 = 128×784 · (256×784)ᵀ  packed VEC=8    50.50 [49.50 … 51.50]  126.2 "
                    "[124.2 … 128.2]           2.50           17, 3\n\n"
                    "Device B, 2.0, driver 7, tuned on 2026-02-03\n\n"
                    "Op    shape                           kernel              µs [middle half]            "
                    "shipped, µs    times as fast  tried, refused\n"
                    "relu  128×256 = 128×784 · (256×784)ᵀ  packed VEC=16  12.34 [11.34 … 13.34]  12.34 "
                    "[10.34 … 14.34]  shipped is best           17, 3\n\n",
                    kept, NULL);
  g_auto (Captured) said = run ("tune|--list");
  assert_lines ("what is tuned", said.out, expected);
  g_auto (Captured) gone = run ("tune|--forget");
  assert_lines ("what was tuned", gone.out, "3 results forgotten; the shipped parameters run.\n");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-tables-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/tables/plan", test_plan);
  g_test_add_func ("/cli/tables/lab-sizes", test_lab_sizes);
  g_test_add_func ("/cli/tables/lab-recorded", test_lab_recorded);
  g_test_add_func ("/cli/tables/lab-map", test_lab_map);
  g_test_add_func ("/cli/tables/lab-unfair", test_lab_unfair);
  g_test_add_func ("/cli/tables/lab-list", test_lab_list);
  g_test_add_func ("/cli/tables/sweep-files", test_sweep_files);
  g_test_add_func ("/cli/tables/recording-cost", test_recording_cost);
  g_test_add_func ("/cli/tables/tuned", test_tuned);
  const int status = g_test_run ();
  remove_tree (folder);
  return status;
}
