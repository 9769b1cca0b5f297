/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep hardware` and `lockstep plan --memory`: what is printed and written, held against the catalogue
 * and against itself.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "files/json.h"
#include "machines/hardware.h"

static LsCatalogue *
load (void)
{
  g_autoptr (GError) error = NULL;
  LsCatalogue *catalogue = ls_catalogue_load (NULL, &error);

  g_assert_no_error (error);
  return catalogue;
}

/* The table's cell is that figure in the column's unit, with a star if it is derived, or a dash. */
static void
assert_shows (const char *cell, const LsHardware *device, const char *column, const LsFigure *figure,
              double unit)
{
  char *end;
  const double value = g_ascii_strtod (cell, &end);

  if (figure->n == 0)
    {
      if (strcmp (cell, "–") != 0)
        g_error ("%s, %s: “%s”, but nothing is published", device->name, column, cell);
      return;
    }
  if (ABS (value * unit / figure->value - 1) > 5e-4)
    g_error ("%s, %s: “%s” isn't %g %s", device->name, column, cell, figure->value, figure->unit);
  if (strcmp (end, figure->evidence == LS_EVIDENCE_DERIVED ? "*" : "") != 0)
    g_error ("%s, %s: “%s” doesn't say that it is %s", device->name, column, cell,
             ls_evidence_name (figure->evidence));
}

static void
test_list (void)
{
  static const char *const heads[]
    = { "Device", "TFLOP/s fp32", "in 16 bits", "GB", "GB/s", "W", "USD", NULL };
  static const LsHardwareKind kinds[] = { LS_HARDWARE_MEMORY, LS_HARDWARE_BANDWIDTH, LS_HARDWARE_POWER,
                                          LS_HARDWARE_PRICE };
  g_autoptr (LsCatalogue) catalogue = load ();
  g_auto (Captured) said = run ("hardware");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1), head = cells_of (lines[0]);

  g_assert_cmpstr (said.err, ==, "");
  g_assert_true (g_strv_equal ((const char *const *) head, heads));
  for (guint i = 0; i < catalogue->devices->len; i++)
    {
      const LsHardware *device = catalogue->devices->pdata[i];
      g_auto (GStrv) cells = cells_of (lines[i + 1]);
      const LsFigure fp32 = ls_hardware_peak (device, LS_NUMBERS_FP32),
                     fp16 = ls_hardware_peak (device, LS_NUMBERS_FP16),
                     bf16 = ls_hardware_peak (device, LS_NUMBERS_BF16);

      g_assert_cmpuint (g_strv_length (cells), ==, G_N_ELEMENTS (heads) - 1);
      g_assert_cmpstr (cells[0], ==, device->name);
      assert_shows (cells[1], device, heads[1], &fp32, 1e12);
      assert_shows (cells[2], device, heads[2], fp16.value >= bf16.value ? &fp16 : &bf16, 1e12);
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        {
          const LsFigure figure = ls_hardware_figure (device, kinds[k]);
          assert_shows (cells[3 + k], device, heads[3 + k], &figure, k < 2 ? 1e9 : 1);
        }
    }
  g_assert_nonnull (strstr (said.out, "*: derived from cores"));
}

/* Each figure in its line, with a number that leads to its source below. */
static void
test_device (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  const LsHardware *device = ls_catalogue_find (catalogue, "a100 80", NULL);
  g_auto (Captured) said = run ("hardware|a100 80");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);

  g_assert_cmpstr (lines[0], ==, "NVIDIA A100 SXM4 80 GB, graphics card");
  for (guint i = 0; i < device->n_figures; i++)
    {
      const LsHardwareFigure *figure = &device->figures[i];
      g_auto (GStrv) cells = cells_of (lines[1 + i]);
      g_autofree char *title
        = g_strdup_printf ("%s%s%s", ls_hardware_kind_title (figure->kind), figure->numbers > 0 ? " " : "",
                           ls_numbers_names[figure->numbers]),
        *value = g_strdup_printf ("%g%s%s", figure->value, ls_hardware_kind_counts (figure->kind) ? "" : " ",
                                  ls_hardware_kind_counts (figure->kind) ? "" : figure->unit),
        *quote = g_strdup_printf ("“%s”", figure->quote);
      const guint n = g_strv_length (cells);
      g_autofree char *source = g_strdup_printf ("\n%s %s\n    %s\n", cells[n - 2], figure->source->title,
                                                 figure->source->address);

      assert_cell ("what", i, cells[0], title);
      assert_cell ("value", i, cells[1], value);
      assert_cell ("quote", i, cells[n - 1], quote);
      for (guint left = figure->means; left != 0; left &= left - 1)
        if (strstr (cells[2], ls_means_title ((LsMeans) (left & -left))) == NULL)
          g_error ("“%s” doesn't say “%s”", lines[1 + i], ls_means_title ((LsMeans) (left & -left)));
      if (strstr (said.out, source) == NULL)
        g_error ("“%s” leads to no source: %s", lines[1 + i], source);
    }
  g_assert_nonnull (strstr (said.out, "    seen 2026-11-23\n"));
}

static void
test_derived (void)
{
  g_auto (Captured) said = run ("hardware|epyc 7763"), copy = run ("hardware|k80");

  g_assert_nonnull (g_strstr_len (said.out, -1, "compute fp64"));
  g_assert_nonnull (strstr (said.out, "2508.8 GFLOP/s  derived: cores × clock × FLOP per core and clock"));
  g_assert_null (strstr (said.out, "compute fp32"));
  g_assert_nonnull (strstr (copy.out, "    read in a copy: http://"));
  g_assert_nonnull (strstr (copy.out, "dense, boost clock, vectors; of both its GPUs together"));
}

static void
test_unknown (void)
{
  g_auto (Captured) none = run ("hardware|abacus"), empty = run ("hardware| "), two = run ("hardware|a100|b");

  g_assert_cmpstr (none.out, ==, "");
  assert_lines (
    "unknown", none.err,
    "lockstep hardware: There is no device “abacus” in the catalogue; “lockstep hardware” lists them.\n");
  g_assert_nonnull (strstr (empty.err, "There is no device “ ”"));
  g_assert_nonnull (strstr (two.err, "“b” is one word too many."));
}

/* What is written has a source for each figure, too, and its values are in units without a prefix. */
static void
test_json (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-hardware-XXXXXX", NULL),
                  *path = g_build_filename (folder, "list.json", NULL),
                  *line = g_strdup_printf ("hardware|a100|--json|%s", path), *text = NULL;
  g_auto (Captured) said = run (line);
  g_autoptr (json_t) root = NULL;
  const json_t *devices, *figure, *source;
  gsize n;

  g_assert_cmpstr (said.err, ==, "");
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  g_assert_cmpstr (json_string_value (json_object_get (root, "format")), ==, "lockstep-hardware-list");
  devices = json_object_get (root, "devices");
  g_assert_cmpuint (json_array_size (devices), ==, 2);
  figure = json_array_get (json_object_get (json_array_get (devices, 0), "figures"), 0);
  source = json_object_get (figure, "source");
  g_assert_cmpstr (json_string_value (json_object_get (figure, "what")), ==, "compute");
  g_assert_cmpstr (json_string_value (json_object_get (figure, "numbers")), ==, "int8");
  g_assert_cmpfloat (json_number_value (json_object_get (figure, "value")), ==, 624e12);
  g_assert_cmpstr (json_string_value (json_object_get (figure, "unit")), ==, "OP/s");
  g_assert_cmpstr (json_string_value (json_object_get (figure, "evidence")), ==, "published");
  g_assert_true (g_str_has_prefix (json_string_value (json_object_get (source, "address")), "https://"));
  g_assert_cmpuint (json_array_size (json_object_get (figure, "means")), ==, 3);
  remove_tree (folder);
}

/* ---- lockstep plan --memory ---- */

/* What --json writes of a command that prints, too. */
static json_t *
written_by (const char *words, Captured *said)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-hardware-XXXXXX", NULL),
                  *path = g_build_filename (folder, "memory.json", NULL),
                  *line = g_strdup_printf ("%s|--json|%s", words, path), *text = NULL;
  json_t *root;
  gsize n;

  *said = run (line);
  g_assert_cmpstr (said->err, ==, "");
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  g_assert_cmpstr (json_string_value (json_object_get (root, "format")), ==, "lockstep-plan-memory");
  remove_tree (folder);
  return root;
}

/* Each cell is the file's number, and each line's last the sum of those before. */
static void
test_memory_table (void)
{
  static const char *const heads[] = { "Optimizer",         "batch",       "weights",   "gradients",
                                       "optimizer’s state", "activations", "workspace", "data",
                                       "together",          NULL };
  static const char *const keys[] = { "weights",   "gradients", "state", "activations",
                                      "workspace", "data",      "sum" };
  static const guint batches[] = { 1, 16, 100, 128, 1024, 8192 };
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by ("plan|--memory|--data|spiral|--model|mlp|--batch|100", &said);
  const json_t *rows = json_object_get (root, "estimates");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1), head = cells_of (lines[4]);

  g_assert_true (g_str_has_prefix (lines[2], "Memory of a training step in MB"));
  g_assert_true (g_strv_equal ((const char *const *) head, heads));
  g_assert_cmpuint (json_array_size (rows), ==, 12);
  for (guint i = 0; i < 12; i++)
    {
      const json_t *row = json_array_get (rows, i);
      g_auto (GStrv) cells = cells_of (lines[5 + i]);
      gint64 sum = 0;

      g_assert_cmpuint (g_strv_length (cells), ==, 9);
      g_assert_cmpstr (cells[0], ==, i < 6 ? "sgd" : "adam");
      g_assert_cmpstr (cells[0], ==, json_string_value (json_object_get (row, "optimizer")));
      g_assert_cmpuint ((guint) atoi (cells[1]), ==, batches[i % 6]);
      g_assert_cmpint (json_integer_value (json_object_get (row, "batch")), ==, batches[i % 6]);
      g_assert_null (json_object_get (row, "fits"));
      /* training and test set lie on the device: two values and a label a sample */
      g_assert_cmpint (json_integer_value (json_object_get (row, "data")), ==,
                       (2000 + 500) * (2 * sizeof (float) + sizeof (gint32)));
      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          const gint64 bytes = json_integer_value (json_object_get (row, keys[k]));

          if (ABS (g_ascii_strtod (cells[2 + k], NULL) - (double) bytes / 1e6) > 0.0051)
            g_error ("row %u, %s: “%s” isn't %g MB", i, keys[k], cells[2 + k], (double) bytes / 1e6);
          if (k + 1 == G_N_ELEMENTS (keys))
            g_assert_cmpint (bytes, ==, sum);
          sum += bytes;
        }
    }
}

/* What the CPU lane really has is counted: each tensor of its own takes whole cache lines. */
static void
test_memory_allocated (void)
{
  static const char *const parts[] = { "weights", "gradients", "state", "activations" };
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by ("plan|--memory|--data|spiral|--model|mlp|--lanes|cpu", &said);
  const json_t *lane = json_object_get (json_object_get (root, "lanes"), "cpu");

  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    {
      const json_t *need = json_object_get (json_object_get (lane, "estimated"), parts[k]),
                   *has = json_object_get (json_object_get (lane, "allocated"), parts[k]);
      const gint64 bytes = json_integer_value (has);

      if (bytes % 64 != 0 || bytes <= json_integer_value (need))
        g_error ("%s: %d bytes needed, and %d said to be allocated", parts[k],
                 (int) json_integer_value (need), (int) bytes);
    }
}

/* A batch that the table has already is in it once. */
static void
test_memory_batches (void)
{
  static const guint batches[] = { 1, 16, 128, 1024, 8192 };

  for (guint i = 0; i < G_N_ELEMENTS (batches); i++)
    {
      g_autofree char *words = g_strdup_printf ("plan|--memory|--data|spiral|--model|mlp|--batch|%u",
                                                batches[i]);
      g_auto (Captured) said = { 0 };
      g_autoptr (json_t) root = written_by (words, &said);
      const json_t *rows = json_object_get (root, "estimates");

      g_assert_cmpuint (json_array_size (rows), ==, 2 * G_N_ELEMENTS (batches));
      for (guint k = 0; k < json_array_size (rows); k++)
        g_assert_cmpint (json_integer_value (json_object_get (json_array_get (rows, k), "batch")), ==,
                         batches[k % G_N_ELEMENTS (batches)]);
    }
}

static gint64
sum_of (const json_t *root, const char *optimizer, guint batch)
{
  const json_t *rows = json_object_get (root, "estimates");

  for (guint i = 0; i < json_array_size (rows); i++)
    {
      const json_t *row = json_array_get (rows, i);
      const gint64 sum = json_integer_value (json_object_get (row, "sum"));
      const double limit = json_number_value (json_object_get (json_object_get (root, "device"), "bytes"));

      g_assert_cmpint (json_is_true (json_object_get (row, "fits")), ==, (double) sum <= limit);
      if (json_integer_value (json_object_get (row, "batch")) == batch
          && strcmp (json_string_value (json_object_get (row, "optimizer")), optimizer) == 0)
        return sum;
    }
  g_error ("there is no row of batch %u", batch);
}

static const json_t *
largest_of (const json_t *root, const char *optimizer)
{
  return json_object_get (json_object_get (json_object_get (root, "device"), "largest_batch"), optimizer);
}

/* The largest batch that fits does, and one more doesn't, as the table itself says of both. */
static void
test_memory_fits (void)
{
  static const char words[]
    = "plan|--memory|--device|gtx 580|--data|spiral|--model|flatten, dense 8192, relu, "
      "dense 3|--batch|%" G_GINT64_FORMAT;
  static const char *const optimizers[] = { "sgd", "adam" };

  for (guint o = 0; o < 2; o++)
    {
      g_autofree char *first = g_strdup_printf (words, (gint64) 100);
      g_auto (Captured) said = { 0 }, at = { 0 }, beyond = { 0 };
      g_autoptr (json_t) root = written_by (first, &said);
      const json_t *device = json_object_get (root, "device"), *most = largest_of (root, optimizers[o]);
      const gint64 largest = json_integer_value (json_object_get (most, "batch"));
      const double limit = json_number_value (json_object_get (device, "bytes"));
      g_autofree char *second = g_strdup_printf (words, largest),
                      *third = g_strdup_printf (words, largest + 1),
                      *line = g_strdup_printf ("With %s the largest batch that fits is %" G_GINT64_FORMAT
                                               ".\n",
                                               optimizers[o], largest);
      g_autoptr (json_t) fits = written_by (second, &at), not = written_by (third, &beyond);

      g_assert_cmpstr (json_string_value (json_object_get (device, "evidence")), ==, "published");
      g_assert_false (json_is_true (json_object_get (most, "any")));
      g_assert_nonnull (strstr (said.out, line));
      g_assert_nonnull (strstr (said.out, "as published: https://"));
      g_assert_cmpfloat ((double) sum_of (fits, optimizers[o], (guint) largest), <=, limit);
      g_assert_cmpfloat ((double) sum_of (not, optimizers[o], (guint) largest + 1), >, limit);
    }
}

/* Of a device that has more than a step of this program may take, that is said, and no batch the device's. */
static void
test_memory_beyond (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by (
    "plan|--memory|--device|a100 80|--data|spiral|--model|flatten, dense 32768, relu, dense 3", &said);
  const json_t *most = largest_of (root, "sgd");
  const gint64 batch = json_integer_value (json_object_get (most, "batch"));
  g_autofree char *line = g_strdup_printf (
    "With sgd every batch fits that Lockstep takes, up to %" G_GINT64_FORMAT ".\n", batch);

  g_assert_true (json_is_true (json_object_get (most, "any")));
  g_assert_cmpint (batch, <, 65536);
  g_assert_nonnull (strstr (said.out, line));
}

static void
test_memory_refused (void)
{
  static const struct {
    const char *device, *reason;
  } wrong[] = {
    { "a100", "“a100” may be one of NVIDIA A100 SXM4 40 GB," },
    { "abacus", "There is no device “abacus” in the catalogue" },
    { "i9-9900k", "The catalogue doesn’t know how much memory the Intel Core i9-9900K has" },
    { "loihi", "Networks aren’t trained on the like of the Intel Loihi" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *words = g_strdup_printf ("plan|--memory|--data|spiral|--device|%s", wrong[i].device);
      g_auto (Captured) said = run (words);

      g_assert_cmpstr (said.out, ==, "");
      if (strstr (said.err, wrong[i].reason) == NULL)
        g_error ("%s: “%s” doesn't say “%s”", wrong[i].device, said.err, wrong[i].reason);
    }
}

/* Two processors that share nothing: a step has one's memory. */
static void
test_memory_parts (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by ("plan|--memory|--device|k80|--data|spiral", &said);
  const json_t *device = json_object_get (root, "device");

  g_assert_cmpfloat (json_number_value (json_object_get (device, "bytes")), ==, 12e9);
  g_assert_cmpstr (json_string_value (json_object_get (device, "evidence")), ==, "derived");
  g_assert_nonnull (strstr (said.out, "A step is one part’s alone, and has 12 GB."));
}

/* Lanes are known by their ids, as everywhere; and what is no difference has no sign. */
static void
test_memory_lanes (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_by ("plan|--memory|--lanes|cpu(threads=1),cpu(threads=2)|--data|spiral",
                                        &said);
  json_t *lanes = json_object_get (root, "lanes"), *lane;
  const char *id;

  g_assert_cmpuint (json_object_size (lanes), ==, 2);
  json_object_foreach (lanes, id, lane)
    {
      g_assert_true (g_str_has_prefix (id, "cpu"));
      g_assert_cmpint (json_integer_value (json_object_get (json_object_get (lane, "allocated"), "sum")), >,
                       0);
    }
  g_assert_null (strstr (said.out, "-0.00 %"));
  g_assert_null (strstr (said.out, "+0.00 %"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_add_func ("/hardware/list", test_list);
  g_test_add_func ("/hardware/device", test_device);
  g_test_add_func ("/hardware/derived", test_derived);
  g_test_add_func ("/hardware/unknown", test_unknown);
  g_test_add_func ("/hardware/json", test_json);
  g_test_add_func ("/hardware/memory/table", test_memory_table);
  g_test_add_func ("/hardware/memory/allocated", test_memory_allocated);
  g_test_add_func ("/hardware/memory/batches", test_memory_batches);
  g_test_add_func ("/hardware/memory/fits", test_memory_fits);
  g_test_add_func ("/hardware/memory/beyond", test_memory_beyond);
  g_test_add_func ("/hardware/memory/parts", test_memory_parts);
  g_test_add_func ("/hardware/memory/lanes", test_memory_lanes);
  g_test_add_func ("/hardware/memory/refused", test_memory_refused);
  return g_test_run ();
}
