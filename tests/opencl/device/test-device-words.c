/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a device is told of in a line, what is listed of its numbers, and that a copy has all of it.
 */
#include "config.h"
#include "backends/backend.h"
#include "tests/plain.h"

static LsDeviceInfo *
device (const char *backend, const char *name, LsDeviceKind kind, gint threads, gint units,
        const char *driver)
{
  LsDeviceInfo *info = ls_device_info_new (backend);

  info->name = g_strdup (name);
  info->kind = kind;
  info->threads = threads;
  info->units = units;
  info->driver = g_strdup (driver);
  return info;
}

/* Threads are told before units; a driver is a library beside the CPU lane's own loops, unless it is these.
 */
static void
test_text (void)
{
  static const struct {
    const char *backend, *name;
    LsDeviceKind kind;
    gint threads, units;
    const char *driver, *large, *text;
  } rows[] = {
    { "cpu", NULL, LS_DEVICE_UNKNOWN, -1, -1, NULL, NULL, "unknown device" },
    { "cpu", "X", LS_DEVICE_CPU, 1, 8, NULL, NULL, "X, CPU, 1 worker" },
    { "cpu", "X", LS_DEVICE_CPU, 2, 1, "OpenBLAS", "OpenBLAS", "X, CPU, 2 workers, OpenBLAS" },
    { "cpu", "X", LS_DEVICE_CPU, 2, 1, "OpenBLAS", NULL, "X, CPU, 2 workers, own loops and OpenBLAS" },
    { "cpu", "X", LS_DEVICE_CPU, 2, 1, "OpenBLAS", "own", "X, CPU, 2 workers, own loops and OpenBLAS" },
    { "opencl", "Y", LS_DEVICE_GPU, -1, 24, "a driver", NULL, "Y, GPU, 24 compute units, a driver" },
    { "opencl", "Y", LS_DEVICE_ACCELERATOR, 0, 1, NULL, NULL, "Y, accelerator, 1 compute unit" },
    { "opencl", "Y", LS_DEVICE_OPENCL_CPU, -1, 0, "PoCL", NULL, "Y, the CPU as an OpenCL device, PoCL" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsDeviceInfo *info = device (rows[i].backend, rows[i].name, rows[i].kind, rows[i].threads,
                                   rows[i].units, rows[i].driver);
      g_autofree char *text = NULL;

      if (rows[i].large != NULL)
        g_hash_table_insert (info->facts, g_strdup ("large-products"), g_strdup (rows[i].large));
      text = ls_device_text (info);
      g_assert_cmpstr (text, ==, rows[i].text);
      ls_device_info_free (info);
    }
}

/* Bytes as such, a time with a digit behind the point, all else as a whole number; what isn't known isn't
 * listed, and nought is a number. The lane's facts stand beside. */
static void
test_words (void)
{
  static const struct {
    LsDeviceNumber number;
    const char *name;
    double value;
    const char *word;
  } rows[] = {
    { LS_DEVICE_L1D, "cache-l1d", 48 << 10, "48.0 KiB" },
    { LS_DEVICE_L2, "cache-l2", 2 << 20, "2.0 MiB" },
    { LS_DEVICE_L3, "cache-l3", 33 << 20, "33.0 MiB" },
    { LS_DEVICE_QUOTA, "cgroup-quota", 7, "7" },
    { LS_DEVICE_LOOP_FLOATS, "loop-floats", 16, "16" },
    { LS_DEVICE_USABLE, "processors-usable", 6, "6" },
    { LS_DEVICE_STAMP, "stamp-ns", 23.25, "23.2" },
    { LS_DEVICE_STAMPS, "stamps-per-step", 0, "0" },
    { LS_DEVICE_WANTED, "threads-wanted", 2048, "2048" },
    { LS_DEVICE_CORES, "processor-cores", 4, "4" },
    { LS_DEVICE_MISSES, "counted-misses", 3, "from memory" },
    { LS_DEVICE_ALLOCATED + LS_MEMORY_WEIGHTS, "allocated-weights", 1024, "1.0 KiB" },
    { LS_DEVICE_ALLOCATED + LS_MEMORY_GRADIENTS, "allocated-gradients", 2048, "2.0 KiB" },
    { LS_DEVICE_ALLOCATED + LS_MEMORY_STATES, "allocated-state", 3072, "3.0 KiB" },
    { LS_DEVICE_ALLOCATED + LS_MEMORY_ACTIVATIONS, "allocated-activations", 4096, "4.0 KiB" },
    { LS_DEVICE_ALLOCATED + LS_MEMORY_WORKSPACE, "allocated-workspace", 5120, "5.0 KiB" },
    { LS_DEVICE_ALLOCATED + LS_MEMORY_DATA, "allocated-data", 6144, "6.0 KiB" },
  };

  g_assert_cmpuint (G_N_ELEMENTS (rows), ==, LS_DEVICE_N);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsDeviceInfo *info = ls_device_info_new ("cpu");
      g_autoptr (GHashTable) words = NULL;

      g_hash_table_insert (info->facts, g_strdup ("vendor"), g_strdup ("someone"));
      g_assert_cmpstr (ls_device_number_names[rows[i].number], ==, rows[i].name);
      info->numbers[rows[i].number] = rows[i].value;
      words = ls_device_info_words (info);
      g_assert_cmpuint (g_hash_table_size (words), ==, 2);
      g_assert_cmpstr (g_hash_table_lookup (words, "vendor"), ==, "someone");
      assert_said (g_strdup (g_hash_table_lookup (words, rows[i].name)), rows[i].word);
      g_assert_cmpuint (g_hash_table_size (info->facts), ==, 1); /* the device's own are as they were */
      ls_device_info_free (info);
    }
}

/* A copy lives by itself. */
static void
test_copy (void)
{
  LsDeviceInfo *info = device ("opencl", "Y", LS_DEVICE_GPU, 3, 24, "a driver"), *copy;

  info->core = g_strdup ("a core");
  info->version = g_strdup ("a version");
  info->global_mem = 5;
  info->numbers[LS_DEVICE_STAMPS] = 8;
  g_hash_table_insert (info->facts, g_strdup ("vendor"), g_strdup ("someone"));
  copy = ls_device_info_copy (info);
  g_hash_table_insert (info->facts, g_strdup ("vendor"), g_strdup ("another"));
  ls_device_info_free (info);
  g_assert_cmpstr (copy->backend, ==, "opencl");
  g_assert_cmpint (copy->who, ==, LS_BACKEND_OPENCL);
  g_assert_cmpstr (copy->name, ==, "Y");
  g_assert_cmpstr (copy->driver, ==, "a driver");
  g_assert_cmpstr (copy->core, ==, "a core");
  g_assert_cmpstr (copy->version, ==, "a version");
  g_assert_cmpint (copy->kind, ==, LS_DEVICE_GPU);
  g_assert_cmpint (copy->threads, ==, 3);
  g_assert_cmpint (copy->units, ==, 24);
  g_assert_cmpint (copy->global_mem, ==, 5);
  g_assert_cmpint (copy->max_alloc, ==, -1); /* not known */
  g_assert_cmpfloat (copy->numbers[LS_DEVICE_STAMPS], ==, 8);
  g_assert_cmpfloat (copy->numbers[LS_DEVICE_STAMP], ==, -1);
  g_assert_cmpstr (g_hash_table_lookup (copy->facts, "vendor"), ==, "someone");
  ls_device_info_free (copy);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device-words/text", test_text);
  g_test_add_func ("/device-words/words", test_words);
  g_test_add_func ("/device-words/copy", test_copy);
  return g_test_run ();
}
