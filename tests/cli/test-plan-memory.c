/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep plan --memory`: what is printed and written, held against the catalogue, against what was
 * allocated and against itself.
 */
#include "written.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Each cell is the file's number, and each line's last the sum of those before. */
static void
test_table (void)
{
  static const char *const heads[] = { "Optimizer",         "batch",       "weights",   "gradients",
                                       "optimizer’s state", "activations", "workspace", "data",
                                       "together",          NULL };
  static const char *const keys[] = { "weights",   "gradients", "state", "activations",
                                      "workspace", "data",      "sum" };
  static const guint batches[] = { 1, 16, 100, 128, 1024, 8192 };
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-memory",
                                        "plan|--memory|--data|spiral|--model|mlp|--batch|100", &said);
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
test_allocated (void)
{
  static const char *const parts[] = { "weights", "gradients", "state", "activations" };
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-memory",
                                        "plan|--memory|--data|spiral|--model|mlp|--lanes|cpu", &said);
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
test_batches (void)
{
  static const guint batches[] = { 1, 16, 128, 1024, 8192 };

  for (guint i = 0; i < G_N_ELEMENTS (batches); i++)
    {
      g_autofree char *words = g_strdup_printf ("plan|--memory|--data|spiral|--model|mlp|--batch|%u",
                                                batches[i]);
      g_auto (Captured) said = { 0 };
      g_autoptr (json_t) root = written_as ("lockstep-plan-memory", words, &said);
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
test_fits (void)
{
  static const char words[]
    = "plan|--memory|--device|gtx 580|--data|spiral|--model|flatten, dense 8192, relu, "
      "dense 3|--batch|%" G_GINT64_FORMAT;
  static const char *const optimizers[] = { "sgd", "adam" };

  for (guint o = 0; o < 2; o++)
    {
      g_autofree char *first = g_strdup_printf (words, (gint64) 100);
      g_auto (Captured) said = { 0 }, at = { 0 }, beyond = { 0 };
      g_autoptr (json_t) root = written_as ("lockstep-plan-memory", first, &said);
      const json_t *device = json_object_get (root, "device"), *most = largest_of (root, optimizers[o]);
      const gint64 largest = json_integer_value (json_object_get (most, "batch"));
      const double limit = json_number_value (json_object_get (device, "bytes"));
      g_autofree char *second = g_strdup_printf (words, largest),
                      *third = g_strdup_printf (words, largest + 1),
                      *line = g_strdup_printf ("With %s the largest batch that fits is %" G_GINT64_FORMAT
                                               ".\n",
                                               optimizers[o], largest);
      g_autoptr (json_t) fits = written_as ("lockstep-plan-memory", second, &at),
                         not = written_as ("lockstep-plan-memory", third, &beyond);

      g_assert_cmpstr (json_string_value (json_object_get (device, "evidence")), ==, "published");
      g_assert_false (json_is_true (json_object_get (most, "any")));
      g_assert_nonnull (strstr (said.out, line));
      g_assert_nonnull (strstr (said.out, "as published: https://"));
      g_assert_cmpfloat ((double) sum_of (fits, optimizers[o], (guint) largest), <=, limit);
      g_assert_cmpfloat ((double) sum_of (not, optimizers[o], (guint) largest + 1), >, limit);
    }
}

/* What the device has of it stands under the table, with where that was read, as the file has it, too; and
 * how a step's own needs were counted is held against others' figures, under a head that says which are
 * whose. */
static void
assert_device_said (const char *said, const json_t *root, const char *has)
{
  const json_t *device = json_object_get (root, "device");
  g_autofree char *line = g_strdup_printf ("\n\n%s has %s, as published: %s\n",
                                           json_string_value (json_object_get (device, "name")), has,
                                           json_string_value (json_object_get (device, "address")));
  const char *at = strstr (said, line), *checks = strstr (said, "\nPublished example ");

  if (at == NULL)
    g_error ("“%s” doesn't say “%s”", said, line);
  g_assert_nonnull (checks);
  g_assert_true (at < checks);
  g_auto (GStrv) head = g_strsplit (checks + 1, "\n", 2), cells = cells_of (head[0]);
  static const char *const names[] = { "Published example", "published", "counted here", "off by", NULL };
  g_assert_cmpstrv (cells, names);
}

/* Of a device that has more than a step of this program may take, that is said, and no batch the device's. */
static void
test_beyond (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as (
    "lockstep-plan-memory",
    "plan|--memory|--device|a100 80|--data|spiral|--model|flatten, dense 32768, relu, dense 3", &said);
  const json_t *most = largest_of (root, "sgd");
  const gint64 batch = json_integer_value (json_object_get (most, "batch"));
  g_autofree char *line = g_strdup_printf (
    "\nWith sgd every batch fits that Lockstep takes, up to %" G_GINT64_FORMAT ".\n", batch);

  g_assert_true (json_is_true (json_object_get (most, "any")));
  g_assert_cmpint (batch, <, 65536);
  g_assert_nonnull (strstr (said.out, line));
  assert_device_said (said.out, root, "80 GB");
}

static void
test_refused (void)
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
test_parts (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-memory", "plan|--memory|--device|k80|--data|spiral",
                                        &said);
  const json_t *device = json_object_get (root, "device");

  g_assert_cmpfloat (json_number_value (json_object_get (device, "bytes")), ==, 12e9);
  g_assert_cmpstr (json_string_value (json_object_get (device, "evidence")), ==, "derived");
  g_assert_nonnull (strstr (said.out, "\nA step is one part’s alone, and has 12 GB.\n"));
  assert_device_said (said.out, root, "24 GB");
}

/* Lanes are known by their ids, as everywhere; and what is no difference has no sign. */
static void
test_lanes (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as (
    "lockstep-plan-memory", "plan|--memory|--lanes|cpu(threads=1),cpu(threads=2)|--data|spiral", &said);
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

/* A cell of megabytes, or of another unit, to a hundredth. */
static void
assert_amount (const char *row, const char *column, const char *cell, double value)
{
  if (ABS (g_ascii_strtod (cell, NULL) - value) > .0051)
    g_error ("%s, %s: “%s” should say %.2f", row, column, cell, value);
}

/* Beside each sum stands whether the device has room for it; where no batch fits, that is said. */
static void
test_verdicts (void)
{
  static const struct {
    const char *words;
    gboolean any, all;
  } asked[] = {
    { "flatten, dense 16384, relu, dense 3", TRUE, FALSE },
    { "flatten, dense 8, relu, dense 3", TRUE, TRUE },
    { "flatten, dense 20000, relu, dense 20000, relu, dense 3", FALSE, FALSE },
  };

  for (guint a = 0; a < G_N_ELEMENTS (asked); a++)
    {
      g_autofree char *words = g_strdup_printf ("plan|--memory|--device|gtx 580|--data|spiral|--batch|128"
                                                "|--model|%s",
                                                asked[a].words);
      g_auto (Captured) said = { 0 };
      g_autoptr (json_t) root = written_as ("lockstep-plan-memory", words, &said);
      const json_t *rows = json_object_get (root, "estimates");
      const double limit = json_number_value (json_object_get (json_object_get (root, "device"), "bytes"));
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1), head = cells_of (lines[4]);
      guint fit = 0;

      g_assert_cmpstr (head[9], ==,
                       json_string_value (json_object_get (json_object_get (root, "device"), "name")));
      for (guint i = 0; i < json_array_size (rows); i++)
        {
          const json_t *row = json_array_get (rows, i);
          const gboolean fits = number_of (row, "sum", 0) <= limit;
          g_auto (GStrv) cells = cells_of (lines[5 + i]);

          g_assert_cmpuint (g_strv_length (cells), ==, 10);
          assert_cell ("verdict", i, cells[9], fits ? "fits" : "too large");
          fit += fits;
        }
      g_assert_cmpint (fit > 0, ==, asked[a].any);
      g_assert_cmpint (fit == json_array_size (rows), ==, asked[a].all);
      for (guint o = 0; o < 2; o++)
        {
          const char *optimizer = o == 0 ? "sgd" : "adam";
          g_autofree char *none = g_strdup_printf ("With %s no batch fits.\n", optimizer);

          g_assert_cmpint (strstr (said.out, none) != NULL, ==, !asked[a].any);
          g_assert_cmpint (number_of (largest_of (root, optimizer), "batch", 0) > 0, ==, asked[a].any);
        }
      g_assert_nonnull (strstr (said.out, "has 1.5 GB, as published: https://"));
      g_assert_nonnull (strstr (said.out, "Modelled: what its driver takes for itself isn’t counted.\n"));
    }
}

/* What each lane was estimated to need, below it what it has, and by how much the estimate is off. */
static void
test_compared (void)
{
  static const char *const keys[] = { "weights",   "gradients", "state", "activations",
                                      "workspace", "data",      "sum" };
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as (
    "lockstep-plan-memory", "plan|--memory|--data|spiral|--lanes|cpu|--optimizer|adam|--batch|64", &said);
  const json_t *lane = json_object_get (json_object_get (root, "lanes"), "cpu"),
               *need = json_object_get (lane, "estimated"), *has = json_object_get (lane, "allocated");
  const double off = 100 * (number_of (need, "sum", 0) / number_of (has, "sum", 0) - 1);
  const char *at = strstr (said.out, "\nWith batch 64 and adam, counted where it was allocated:\n\n");

  g_assert_nonnull (at);
  g_auto (GStrv) lines = g_strsplit (at + 1, "\n", -1), first = cells_of (lines[3]),
                 second = cells_of (lines[4]);
  g_assert_cmpuint (g_strv_length (first), ==, 2 + G_N_ELEMENTS (keys));
  g_assert_cmpuint (g_strv_length (second), ==, 2 + G_N_ELEMENTS (keys));
  g_assert_cmpstr (first[1], ==, "estimated");
  g_assert_cmpstr (second[0], ==, "allocated");
  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    {
      assert_amount ("estimated", keys[k], first[2 + k], number_of (need, keys[k], 0) / 1e6);
      assert_amount ("allocated", keys[k], second[1 + k], number_of (has, keys[k], 0) / 1e6);
    }
  assert_amount ("allocated", "off by", second[1 + G_N_ELEMENTS (keys)], off);
  /* two moments of Adam, each as large as the weights */
  g_assert_cmpfloat (number_of (need, "state", 0), ==, 2 * number_of (need, "weights", 0));
  g_assert_cmpfloat (number_of (need, "gradients", 0), ==, number_of (need, "weights", 0));
}

/* What others published, what the same way of counting makes of it, and where it was read. */
static void
test_checks (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as ("lockstep-plan-memory", "plan|--memory|--data|spiral", &said);
  const json_t *checks = json_object_get (root, "checks");
  const char *at = strstr (said.out, "held against what others published:\n\n");

  g_assert_nonnull (at);
  g_auto (GStrv) lines = g_strsplit (at, "\n", -1);
  g_assert_cmpuint (json_array_size (checks), >=, 2);
  for (guint i = 0; i < json_array_size (checks); i++)
    {
      const json_t *one = json_array_get (checks, i);
      const char *unit = json_string_value (json_object_get (one, "unit"));
      const gboolean bytes = strcmp (unit, "B") == 0;
      const double published = number_of (one, "published", 0), derived = number_of (one, "derived", 0),
                   shown[] = { published / (bytes ? 1e9 : 1e6), derived / (bytes ? 1e9 : 1e6) };
      g_auto (GStrv) cells = cells_of (lines[3 + i]);
      g_autofree char *ends = bytes ? g_strdup (" GB") : g_strdup_printf (" M %s", unit),
                      *seen = g_strdup_printf (", %s, seen %s\n",
                                               json_string_value (json_object_get (one, "address")),
                                               json_string_value (json_object_get (one, "seen")));

      g_assert_cmpuint (g_strv_length (cells), ==, 4);
      assert_cell ("example", i, cells[0], json_string_value (json_object_get (one, "what")));
      for (guint k = 0; k < 2; k++)
        if (ABS (g_ascii_strtod (cells[1 + k], NULL) / shown[k] - 1) > .0051
            || !g_str_has_suffix (cells[1 + k], ends))
          g_error ("%s: “%s” should say %.3g%s", cells[0], cells[1 + k], shown[k], ends);
      assert_amount (cells[0], "off by", cells[3], 100 * (derived / published - 1));
      g_assert_nonnull (json_string_value (json_object_get (one, "quote")));
      if (strstr (at, seen) == NULL)
        g_error ("it doesn't say “%s”", seen);
    }
}

/* The device that is asked about is the catalogue's, and no lane's: a lane that this machine has is opened
 * beside it. */
static void
test_device_and_lanes (void)
{
  g_auto (Captured) said = { 0 };
  g_autoptr (json_t) root = written_as (
    "lockstep-plan-memory", "plan|--memory|--device|gtx 580|--lanes|cpu,reference|--data|spiral", &said);
  const json_t *device = json_object_get (root, "device"), *lanes = json_object_get (root, "lanes"),
               *options = json_object_get (root, "options");

  g_assert_nonnull (strstr (said.out, "has 1.5 GB, as published: https://"));
  g_assert_cmpfloat (json_number_value (json_object_get (device, "bytes")), ==, 1.5e9);
  g_assert_nonnull (json_object_get (lanes, "cpu"));
  if (g_strcmp0 (json_string_value (json_object_get (options, "device")), "") != 0)
    g_error ("the lanes are said to be on “%s”", json_string_value (json_object_get (options, "device")));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  g_test_add_func ("/plan-memory/table", test_table);
  g_test_add_func ("/plan-memory/allocated", test_allocated);
  g_test_add_func ("/plan-memory/batches", test_batches);
  g_test_add_func ("/plan-memory/fits", test_fits);
  g_test_add_func ("/plan-memory/beyond", test_beyond);
  g_test_add_func ("/plan-memory/parts", test_parts);
  g_test_add_func ("/plan-memory/lanes", test_lanes);
  g_test_add_func ("/plan-memory/device-and-lanes", test_device_and_lanes);
  g_test_add_func ("/plan-memory/verdicts", test_verdicts);
  g_test_add_func ("/plan-memory/compared", test_compared);
  g_test_add_func ("/plan-memory/checks", test_checks);
  g_test_add_func ("/plan-memory/refused", test_refused);
  return g_test_run ();
}
