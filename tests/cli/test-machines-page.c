/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep machines`: what is printed and written, held against each other and against the recorded run.
 */
#include "written.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "files/recording.h"
#include "machines/held.h"

static char *folder, *recorded;

static json_t *
written_by (const char *words, Captured *said)
{
  g_autofree char *line = g_strdup_printf ("machines|--from|%s%s", recorded, words);

  return written_as ("lockstep-machines", line, said);
}

/* The model is told what was measured here, and its error is that of its step to the lane's. */
static void
test_error (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by ("", &said);
  g_autoptr (LsRecording) recording = ls_recording_load (recorded, NULL);
  const LsFigure step = ls_held_step (recording, 0);
  const json_t *cpu = named (root, "machines", "cpu"), *simt = named (root, "machines", "simt"),
               *lane = json_array_get (json_object_get (root, "lanes"), 0), *rate;
  const double seconds = number_of (cpu, "seconds", 0);
  g_autofree char *off = g_strdup_printf ("%+.0f %%", (seconds / step.value - 1) * 100);
  gsize i;
  json_t *op;
  double sum = 0;

  g_assert_cmpuint (step.n, >=, 20);
  g_assert_cmpfloat (number_of (json_object_get (lane, "step"), "median", 0), ==, step.value);
  g_assert_true (json_is_true (json_object_get (lane, "stands")));
  g_assert_cmpfloat (number_of (lane, "recorded", 0), ==, ls_held_recorded (recording, 0));
  g_assert_cmpstr (json_string_value (json_object_get (lane, "id")), ==, "cpu");
  g_assert_cmpfloat_with_epsilon (number_of (cpu, "error", 0), seconds / step.value - 1, 1e-9);
  if (strstr (said.out, off) == NULL)
    g_error ("the table doesn't say “%s”:\n%s", off, said.out);
  g_assert_null (json_object_get (simt, "error"));
  json_array_foreach (json_object_get (cpu, "ops"), i, op) sum += number_of (op, "seconds", 0);
  g_assert_cmpfloat_with_epsilon (sum / seconds, 1, 1e-9);
  rate = named (cpu, "assumptions", "rate");
  g_assert_cmpstr (json_string_value (json_object_get (rate, "from")), ==, "measured");
  g_assert_cmpfloat_with_epsilon (
    number_of (rate, "value", 0),
    recording->lanes[0].device->roofs[LS_ROOF_FLOPS].value / 1e9 / recording->lanes[0].device->threads, 1e-6);
  g_assert_nonnull (strstr (said.out, "cpu, measured: "));
  g_assert_nonnull (strstr (said.out, "Spiking neurons, answers only"));
}

/* A lane of few steps has no median yet: here as in the window there is no error to it then, but one to the
 * recorded step. */
static void
test_no_median (void)
{
  g_autofree char *brief = g_build_filename (folder, "brief.lockstep", NULL),
                  *path = g_build_filename (folder, "brief.json", NULL), *text = NULL, *line = NULL,
                  *ask = NULL;
  g_auto (Captured) trained = { 0 }, said = { 0 }, one = { 0 };
  g_autoptr (json_t) root = NULL;
  g_autoptr (LsRecording) recording = NULL;
  gsize n;

  line = g_strdup_printf (
    "train|--lanes|cpu|--data|spiral|--model|flatten, dense 100, relu, dense 3|--batch|32|"
    "--steps|12|--record|%s",
    brief);
  trained = run (line);
  recording = ls_recording_load (brief, NULL);
  g_assert_cmpuint (ls_held_median (recording, 0).n, ==, 0);
  ask = g_strdup_printf ("machines|--from|%s|--json|%s", brief, path);
  said = run (ask);
  g_assert_nonnull (strstr (said.out, "no median yet"));
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  const json_t *cpu = named (root, "machines", "cpu"),
               *lane = json_array_get (json_object_get (root, "lanes"), 0);
  g_assert_true (json_is_false (json_object_get (lane, "stands")));
  g_assert_null (json_object_get (cpu, "error"));
  g_assert_cmpfloat_with_epsilon (number_of (cpu, "error_recorded", 0),
                                  number_of (cpu, "seconds", 0) / ls_held_recorded (recording, 0) - 1, 1e-9);
  g_assert_cmpfloat (number_of (lane, "recorded", 0), ==, ls_held_recorded (recording, 0));
  g_free (ask);
  ask = g_strdup_printf ("machines|cpu|--from|%s", brief);
  one = run (ask);
  g_assert_null (strstr (one.out, "to the lane’s median step"));
  g_assert_nonnull (strstr (one.out, "to the recorded one, which the ops’ errors are to"));
  g_remove (brief);
  g_remove (path);
}

/* Each lane with the device that it had. */
static void
test_each_lane (void)
{
  g_autofree char *two = g_build_filename (folder, "two.lockstep", NULL),
                  *path = g_build_filename (folder, "two.json", NULL), *text = NULL, *line = NULL,
                  *ask = NULL;
  g_auto (Captured) trained = { 0 }, said = { 0 };
  g_autoptr (json_t) root = NULL;
  gsize n;

  line = g_strdup_printf ("train|--lanes|one=cpu(threads=1),more=cpu(threads=2)|--data|spiral|--model|"
                          "flatten, dense 100, relu, dense 3|--batch|32|--steps|12|--record|%s",
                          two);
  trained = run (line);
  ask = g_strdup_printf ("machines|cpu|--from|%s|--json|%s", two, path);
  said = run (ask);
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  const json_t *lanes = json_object_get (root, "lanes");
  g_assert_cmpuint (json_array_size (lanes), ==, 2);
  for (gsize i = 0; i < 2; i++)
    {
      const json_t *lane = json_array_get (lanes, i);
      g_assert_cmpstr (json_string_value (json_object_get (lane, "id")), ==, i == 0 ? "one" : "more");
      g_assert_cmpfloat (number_of (json_object_get (lane, "device"), "threads", 0), ==, 1 + (double) i);
    }
  g_remove (two);
  g_remove (path);
}

/* What a pipeline's stages and weights are, and who works where there is no op. */
static void
test_stages (void)
{
  g_auto (Captured) said = { 0 }, small = { 0 };
  g_autoptr (json_t) root = written_by ("", &said);
  const json_t *fpga = named (root, "machines", "fpga"), *spiking = named (root, "machines", "spiking"), *op;
  const double samples = number_of (fpga, "samples", 0),
               clock = 1e6 * number_of (named (fpga, "assumptions", "clock"), "value", 0),
               depth = number_of (named (fpga, "assumptions", "depth"), "value", 0);
  g_autofree char *line = g_strdup_printf ("machines|fpga|--from|%s|--assume|chip=.001", recorded);

  for (gsize i = 0; i < json_array_size (json_object_get (fpga, "ops")); i++)
    {
      op = json_array_get (json_object_get (fpga, "ops"), i);
      g_assert_cmpfloat (number_of (op, "interval_clocks", 0), >=, 1);
      g_assert_cmpfloat_with_epsilon (number_of (op, "seconds", 0),
                                      (number_of (op, "interval_clocks", 0) * samples + depth) / clock,
                                      1e-12);
    }
  g_assert_cmpfloat (number_of (fpga, "weights_bytes", 0), ==, 4 * (2 * 100 + 100 + 100 * 3 + 3));
  g_assert_true (json_is_true (json_object_get (fpga, "weights_on_chip")));
  op = json_array_get (json_object_get (spiking, "ops"), 0);
  g_assert_cmpuint (json_array_size (json_object_get (spiking, "ops")), ==, 1);
  g_assert_true (json_is_null (json_object_get (op, "op")));
  g_assert_cmpstr (json_string_value (json_object_get (op, "what")), ==, "all");
  small = run (line);
  g_assert_nonnull (strstr (small.out, "have no room on the chip"));
  g_assert_nonnull (strstr (small.out, "clocks"));
}

/* An op's line says what of the peak it reaches and what padding takes, as its JSON has them. */
static void
test_ops_table (void)
{
  g_auto (Captured) said = { 0 }, one = { 0 };
  g_autoptr (json_t) root = written_by ("", &said);
  g_autofree char *line = g_strdup_printf ("machines|tensor|--from|%s", recorded);
  const json_t *ops = json_object_get (named (root, "machines", "tensor"), "ops");
  g_auto (GStrv) lines = NULL;
  guint at = 0, padded = 0;

  one = run (line);
  lines = g_strsplit (one.out, "\n", -1);
  while (lines[at] != NULL && strstr (lines[at], "padding") == NULL)
    at++;
  g_assert_cmpuint (at + json_array_size (ops), <, g_strv_length (lines));
  for (gsize i = 0; i < json_array_size (ops); i++)
    {
      const json_t *op = json_array_get (ops, i);
      const char *symbol = json_string_value (json_object_get (op, "what")), *text = lines[at + 1 + i];
      const double used = number_of (op, "used", 0), padding = 100 - 100 * number_of (op, "useful", 0);
      g_autofree char *cells = g_strdup_printf ("%.0f %% %.0f %%", 100 * used, padding);
      g_autoptr (GString) squeezed = g_string_new (text);

      while (g_string_replace (squeezed, "  ", " ", 0) > 0)
        continue;
      if (!g_str_has_prefix (text, symbol)
          || (json_object_get (op, "useful") != NULL && strstr (squeezed->str, cells) == NULL))
        g_error ("op %s, “%s”: the line is “%s”", symbol, cells, text);
      padded += json_object_get (op, "useful") != NULL && padding >= 1;
    }
  g_assert_cmpuint (padded, >, 0);
}

/* The arrays do a recorded product once more, and tables say how other batches go; a pipeline's results come
 * faster and later. */
static void
test_batches (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by ("", &said);
  static const struct {
    const char *name;
    gboolean proves, has_batches;
  } machines[] = { { "cpu", FALSE, TRUE },     { "simt", FALSE, TRUE }, { "tensor", TRUE, TRUE },
                   { "systolic", TRUE, TRUE }, { "fpga", FALSE, TRUE }, { "int8", FALSE, TRUE },
                   { "spiking", FALSE, FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      const json_t *machine = named (root, "machines", machines[i].name),
                   *proof = json_object_get (machine, "proof"), *list = json_object_get (machine, "batches");
      double last = 0;

      if ((proof != NULL) != machines[i].proves || (list != NULL) != machines[i].has_batches)
        g_error ("%s has %s proof and %s batches", machines[i].name, proof != NULL ? "a" : "no",
                 list != NULL ? "" : "no");
      if (proof != NULL)
        {
          g_assert_cmpfloat (number_of (proof, "different", 0), ==, 0);
          g_assert_cmpfloat (number_of (proof, "turns", 0), >, 0);
          g_assert_cmpstr (json_string_value (json_object_get (proof, "evidence")), ==, "measured");
        }
      g_assert_cmpuint (json_array_size (list), ==, machines[i].has_batches ? LS_MACHINE_N_BATCHES : 0);
      for (gsize k = 0; k < json_array_size (list); k++)
        {
          const json_t *row = json_array_get (list, k);

          g_assert_cmpfloat (number_of (row, "batch", 0), ==, ls_machine_batches[k]);
          if (strcmp (machines[i].name, "fpga") == 0 && k > 0)
            g_assert_cmpfloat (number_of (row, "interval", 0), <, number_of (row, "seconds", 0));
          g_assert_cmpfloat (number_of (row, "seconds", 0), >, last);
          g_assert_cmpfloat (number_of (row, "interval", 0), <=, number_of (row, "seconds", 0));
          last = number_of (row, "seconds", 0);
        }
    }
}

/* A line for each op: their times add up to the machine's, and errors are those to the recorded ones. */
static void
test_csv (void)
{
  g_auto (Captured) said = { 0 };
  g_autofree char *path = g_build_filename (folder, "machines.csv", NULL),
                  *words = g_strdup_printf ("|--csv|%s", path), *text = NULL;
  g_autoptr (json_t) root = written_by (words, &said);
  g_auto (GStrv) lines = NULL;
  double sum[2] = { 0 };
  guint errors = 0, padded = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpstr (lines[0], ==, "machine,op,seconds,held_by,used,useful,recorded_s,error");
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);
      const double seconds = g_ascii_strtod (cells[2], NULL);

      g_test_message ("%s", lines[i]);
      g_assert_cmpuint (g_strv_length (cells), ==, 8);
      sum[0] += strcmp (cells[0], "cpu") == 0 ? seconds : 0;
      sum[1] += strcmp (cells[0], "simt") == 0 ? seconds : 0;
      g_assert_true (*cells[5] == '\0' || strcmp (cells[0], "cpu") != 0);
      padded += *cells[5] != '\0';
      g_assert_true (*cells[6] == '\0' || strcmp (cells[0], "cpu") == 0);
      if (*cells[7] == '\0')
        continue;
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[7], NULL),
                                      seconds / g_ascii_strtod (cells[6], NULL) - 1, 1e-6);
      errors++;
    }
  g_assert_cmpuint (errors, >, 3);
  g_assert_cmpuint (padded, ==, 3 * 5); /* the products of two layers, on tensor cores, warps and an array */
  g_assert_cmpfloat_with_epsilon (sum[0] / number_of (named (root, "machines", "cpu"), "seconds", 0), 1,
                                  1e-6);
  g_assert_cmpfloat_with_epsilon (sum[1] / number_of (named (root, "machines", "simt"), "seconds", 0), 1,
                                  1e-6);
  g_remove (path);
}

/* A device's figures take the place of assumptions, and of what was measured here; nothing is compared then.
 */
static void
test_device (void)
{
  g_auto (Captured) said = { 0 }, own = { 0 };
  g_autoptr (json_t) root = written_by ("|--device|9900k", &said);
  g_autoptr (json_t) one = NULL;
  const json_t *cpu = named (root, "machines", "cpu");

  g_assert_cmpuint (json_array_size (json_object_get (root, "machines")), ==, 1);
  g_assert_cmpfloat (number_of (named (cpu, "assumptions", "cores"), "value", 0), ==, 8);
  g_assert_cmpstr (json_string_value (json_object_get (named (cpu, "assumptions", "cores"), "from")), ==,
                   "published");
  g_assert_null (json_object_get (cpu, "error"));
  one = written_by ("|cpu|--device|9900k|--assume|cores=2", &own);
  cpu = named (one, "machines", "cpu");
  g_assert_cmpfloat (number_of (named (cpu, "assumptions", "cores"), "value", 0), ==, 2);
  g_assert_cmpstr (json_string_value (json_object_get (named (cpu, "assumptions", "cores"), "from")), ==,
                   "own");
  g_assert_nonnull (strstr (own.out, "Processor, Intel Core i9-9900K"));
  g_assert_cmpstr (json_string_value (json_object_get (root, "device")), ==, "Intel Core i9-9900K");
}

/* A model that can't be told anything by the device isn't listed for it: a K80 has no tensor cores. */
static void
test_not_listed (void)
{
  g_auto (Captured) k80 = { 0 }, v100 = { 0 };
  g_autoptr (json_t) without = written_by ("|--device|k80", &k80),
                     with = written_by ("|--device|v100", &v100);

  if (strstr (k80.out, "Tensor") != NULL || strstr (k80.out, "SIMT") == NULL)
    g_error ("of a K80 it tells:\n%s", k80.out);
  g_assert_cmpuint (json_array_size (json_object_get (without, "machines")) + 1, ==,
                    json_array_size (json_object_get (with, "machines")));
  g_assert_nonnull (strstr (v100.out, "Tensor"));
}

/* What a reader needs to judge the figures stands beside them. */
static void
test_json (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by ("|--device|9900k", &said), here = NULL;
  const json_t *cores = named (named (root, "machines", "cpu"), "assumptions", "cores");
  json_t *op;
  guint recorded_ops = 0;
  gsize i;

  g_assert_cmpfloat (number_of (cores, "least", 0), ==, 1);
  g_assert_cmpfloat (number_of (cores, "most", 0), >, number_of (cores, "default", 0));
  g_assert_cmpstr (json_string_value (json_object_get (cores, "default_source")), !=, NULL);
  g_assert_nonnull (strstr (json_string_value (json_object_get (cores, "source")), "9900K"));
  g_assert_true (g_str_has_prefix (json_string_value (json_object_get (cores, "address")), "https://"));
  g_assert_cmpuint (strlen (json_string_value (json_object_get (cores, "seen"))), ==, strlen ("2026-01-01"));
  json_array_foreach (json_object_get (named (root, "machines", "cpu"), "ops"), i, op)
    g_assert_null (json_object_get (op, "recorded"));
  captured_clear (&said);
  here = written_by ("", &said);
  json_array_foreach (json_object_get (named (here, "machines", "cpu"), "ops"), i,
                      op) if (json_object_get (op, "recorded") != NULL)
  {
    recorded_ops++;
    g_assert_cmpfloat_with_epsilon (number_of (op, "error", 0),
                                    number_of (op, "seconds", 0) / number_of (op, "recorded", 0) - 1, 1e-9);
  }
  g_assert_cmpuint (recorded_ops, >, 3);
}

static void
test_one (void)
{
  static const char *const machines[] = { "cpu", "simt", "tensor", "systolic", "fpga", "int8", "spiking" };

  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *line = g_strdup_printf ("machines|%s|--from|%s", machines[i], recorded);
      g_auto (Captured) said = run (line);

      g_assert_cmpstr (said.err, ==, "");
      g_assert_nonnull (strstr (said.out, "(modelled)"));
      if (strstr (said.out, "nan") != NULL || strstr (said.out, "inf") != NULL)
        g_error ("%s prints what is no number:\n%s", machines[i], said.out);
      if ((strcmp (machines[i], "systolic") == 0 || strcmp (machines[i], "tensor") == 0)
          && strstr (said.out, "sums are those of plain loops in the same precision, bit for bit") == NULL)
        g_error ("%s doesn't agree with plain loops:\n%s", machines[i], said.out);
    }
}

/* A machine's name in --model is no network: that is the data's own, as where the name is the word. */
static void
test_network (void)
{
#define XOR "--data|xor|--lanes|cpu|--steps|3"
  static const char *const rows[][2]
    = { { "machines|" XOR, "Model flatten, dense 16, tanh, dense 2, batch " },
        { "machines|simt|" XOR, "Model flatten, dense 16, tanh, dense 2, batch " },
        { "machines|--model|simt|" XOR, "Model flatten, dense 16, tanh, dense 2, batch " },
        { "machines|simt|--model|flatten, dense 5, relu, dense 2|" XOR,
          "Model flatten, dense 5, relu, dense 2, batch " } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Captured) said = run (rows[i][0]);

      if (said.status != 0 || !g_str_has_prefix (said.out, rows[i][1]))
        g_error ("“%s” ends with %d and prints “%.100s…”, which should begin “%s”: %s", rows[i][0],
                 said.status, said.out, rows[i][1], said.err);
      g_assert_cmpint (strstr (said.out, "The model: ") != NULL, ==, i > 0);
    }
}

static void
test_refused (void)
{
  static const char *const wrong[][2] = {
    { "machines|abacus",
      "There is no machine “abacus”; there are cpu, simt, tensor, systolic, fpga, int8, spiking." },
    { "machines|--assume|units=3", "--assume goes with one machine" },
    { "machines|simt|--device|9900k", "Intel Core i9-9900K isn’t what “simt” is a model of." },
    { "machines|tensor|--device|k80", "The model “tensor” can’t be put on NVIDIA Tesla K80" },
    { "machines|simt|--from|/nowhere/r.lockstep", "/nowhere/r.lockstep" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (Captured) said = run (wrong[i][0]);
      if (strstr (said.err, wrong[i][1]) == NULL)
        g_error ("“%s” says “%s”, not “%s”", wrong[i][0], said.err, wrong[i][1]);
    }
  {
    g_autofree char *line = g_strdup_printf ("machines|--model|simt|--from|%s|--assume|units=0", recorded);
    g_auto (Captured) said = run (line);
    g_assert_nonnull (
      strstr (said.err, "SIMT GPU: “units” can’t be 0; it is a whole number from 1 to 1024."));
  }
}

int
main (int argc, char **argv)
{
  int status;

  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-machines-XXXXXX", NULL);
  recorded = record_run (folder, 300); /* so many that its median stands also on a busy machine */
  g_test_add_func ("/machines/error", test_error);
  g_test_add_func ("/machines/device", test_device);
  g_test_add_func ("/machines/not-listed", test_not_listed);
  g_test_add_func ("/machines/json", test_json);
  g_test_add_func ("/machines/csv", test_csv);
  g_test_add_func ("/machines/one", test_one);
  g_test_add_func ("/machines/no-median", test_no_median);
  g_test_add_func ("/machines/each-lane", test_each_lane);
  g_test_add_func ("/machines/stages", test_stages);
  g_test_add_func ("/machines/batches", test_batches);
  g_test_add_func ("/machines/network", test_network);
  g_test_add_func ("/machines/refused", test_refused);
  g_test_add_func ("/machines/ops-table", test_ops_table);
  status = g_test_run ();
  remove_tree (folder);
  return status;
}
