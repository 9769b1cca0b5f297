/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is told of a device is what its driver said: of drivers that are invented here, in place of those that
 * are installed. Every number is another one, so that none can stand for another.
 */
#include "fake_driver.h"

#include <string.h>

static const FakeDevice hopper = {
  .name = "  NVIDIA H200 \n",
  .type = CL_DEVICE_TYPE_GPU,
  .driver = "590.48",
  .units = 132,
  .width = 4, /* to please old programs */
  .align_bits = 4096,
  .dims = 3,
  .fp = CL_FP_DENORM | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
  .global_mem = 150000000001,
  .local_mem = 49152,
  .max_alloc = 37500000003,
  .max_group = 1024,
  .items = { 1023, 511, 64 },
};
static const FakeDevice epyc = {
  .name = "pthread-EPYC",
  .type = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT,
  .driver = "3.1+debian",
  .units = 100000, /* more than there are processors anywhere */
  .width = 16,
  .align_bits = 1024,
  .dims = 3,
  .global_mem = 8000000007,
  .local_mem = 524288,
  .max_alloc = 2000000011,
  .max_group = 4096,
  .items = { 4095, 4094, 4093 },
  .divisible = TRUE,
};
static const FakeDevice board = {
  .name = "FPGA board",
  .type = CL_DEVICE_TYPE_ACCELERATOR,
  .driver = "23.1",
  .units = 1,
  .width = 8,
  .fp = CL_FP_FMA | CL_FP_DENORM | CL_FP_INF_NAN,
  .global_mem = G_MAXUINT64,
  .max_group = 7,
};
static const FakeDevice llvmpipe = {
  .name = "llvmpipe (LLVM 15.0.6, 256 bits)",
  .type = CL_DEVICE_TYPE_CPU,
  .driver = "25.0.7",
  .units = 8,
  .width = 8,
  .align_bits = 7, /* nonsense */
  .dims = 2,
  .local_mem = 32768,
  .max_group = 256,
  .items = { 1, 1, 1 },
};
static const FakeDevice radeon = {
  .name = "AMD Radeon llvmpipe",
  .type = CL_DEVICE_TYPE_GPU,
  .driver = "25.0.7",
  .units = 40,
  .dims = 3,
  .items = { 9, 8, 7 },
};

static const FakePlatform nvidia = { "NVIDIA CUDA", { &hopper } };
static const FakePlatform clover = { "Clover", { &hopper } };
static const FakePlatform pocl = { "Portable Computing Language", { &epyc } };
static const FakePlatform intel = { "Intel(R) FPGA SDK", { &board } };
static const FakePlatform rusticl = { "rusticl", { &llvmpipe, &radeon } };
static const FakePlatform no_pocl = { "Portable Computing Language", { NULL } };
static const FakePlatform no_intel = { "Intel(R) OpenCL", { NULL } };

static const FakePlatform *const all[] = { &nvidia, &clover, &pocl, &intel, &rusticl };

/* What each is to be taken for. −1: it isn't known. */
static const struct {
  const char *name, *driver, *platform;
  LsDeviceKind kind;
  LsClDriver by;
  gboolean shares_cpu, threads_of_machine;
  gint threads, units;
  gint64 global_mem, local_mem, max_alloc, max_group;
  LsClLimits limits;
} expected[] = {
  { .name = "NVIDIA H200",
    .driver = "NVIDIA 590.48",
    .platform = "NVIDIA CUDA",
    .kind = LS_DEVICE_GPU,
    .by = LS_CL_DRIVER_NVIDIA,
    .threads = -1,
    .units = 132,
    .global_mem = 150000000001,
    .local_mem = 49152,
    .max_alloc = 37500000003,
    .max_group = 1024,
    .limits = { FALSE, 1024, { 1023, 511, 64 }, 49152, 512, 1, 132, TRUE } },
  { .name = "pthread-EPYC",
    .driver = "PoCL 3.1+debian",
    .platform = "Portable Computing Language",
    .kind = LS_DEVICE_OPENCL_CPU,
    .by = LS_CL_DRIVER_POCL,
    .shares_cpu = TRUE,
    .threads_of_machine = TRUE,
    .units = 100000,
    .global_mem = 8000000007,
    .local_mem = 524288,
    .max_alloc = 2000000011,
    .max_group = 4096,
    .limits = { TRUE, 4096, { 4095, 4094, 4093 }, 524288, 128, 16, 100000, FALSE } },
  { .name = "FPGA board",
    .driver = "Intel 23.1",
    .platform = "Intel(R) FPGA SDK",
    .kind = LS_DEVICE_ACCELERATOR,
    .by = LS_CL_DRIVER_INTEL,
    .threads = -1,
    .units = 1,
    .global_mem = G_MAXINT64,
    .local_mem = -1,
    .max_alloc = -1,
    .max_group = 7,
    .limits = { FALSE, 7, { 7, 7, 7 }, 0, 4096, 1, 1, FALSE } },
  { .name = "llvmpipe (LLVM 15.0.6, 256 bits)",
    .driver = "llvmpipe 25.0.7",
    .platform = "rusticl",
    .kind = LS_DEVICE_OPENCL_CPU,
    .shares_cpu = TRUE,
    .threads_of_machine = TRUE,
    .units = 8,
    .global_mem = -1,
    .local_mem = 32768,
    .max_alloc = -1,
    .max_group = 256,
    .limits = { TRUE, 256, { 256, 256, 256 }, 32768, 4096, 8, 8, FALSE } },
  { .name = "AMD Radeon llvmpipe",
    .driver = "rusticl 25.0.7",
    .platform = "rusticl",
    .kind = LS_DEVICE_GPU,
    .threads = -1,
    .units = 40,
    .global_mem = -1,
    .local_mem = -1,
    .max_alloc = -1,
    .max_group = -1,
    .limits = { FALSE, 1, { 9, 8, 7 }, 0, 4096, 1, 40, FALSE } },
};

/* Clover is no platform that counts; the others' devices are in the order that --device numbers. */
static void
test_told (void)
{
  g_autoptr (LsClDevices) list = fake_ask (CL_SUCCESS, all, G_N_ELEMENTS (all));

  g_assert_cmpuint (list->n_platforms, ==, 4);
  g_assert_null (list->empty);
  g_assert_cmpuint (list->devices->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const LsClDevice *device = list->devices->pdata[i];
      const LsDeviceInfo *info = device->info;
      const int processors = (int) g_get_num_processors ();

      g_assert_cmpstr (info->name, ==, expected[i].name);
      g_assert_cmpstr (info->backend, ==, "opencl");
      g_assert_cmpstr (info->driver, ==, expected[i].driver);
      g_assert_cmpstr (info->version, ==, "OpenCL 1.2 of the device");
      g_assert_cmpint (info->kind, ==, expected[i].kind);
      g_assert_cmpint (device->driver, ==, expected[i].by);
      g_assert_cmpint (info->shares_cpu, ==, expected[i].shares_cpu);
      g_assert_cmpint (info->units, ==, expected[i].units);
      g_assert_cmpint (info->threads, ==,
                       expected[i].threads_of_machine ? MIN (expected[i].units, processors)
                                                      : expected[i].threads);
      g_assert_cmpint (info->global_mem, ==, expected[i].global_mem);
      g_assert_cmpint (info->local_mem, ==, expected[i].local_mem);
      g_assert_cmpint (info->max_alloc, ==, expected[i].max_alloc);
      g_assert_cmpint (info->max_group, ==, expected[i].max_group);
      g_assert_false (device->part);
    }
}

static void
test_limits (void)
{
  g_autoptr (LsClDevices) list = fake_ask (CL_SUCCESS, all, G_N_ELEMENTS (all));

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const LsClLimits *is = &((const LsClDevice *) list->devices->pdata[i])->limits,
                       *should = &expected[i].limits;

      g_test_message ("%s", expected[i].name);
      g_assert_cmpint (is->is_cpu, ==, should->is_cpu);
      g_assert_cmpuint (is->max_group, ==, should->max_group);
      for (guint d = 0; d < 3; d++)
        g_assert_cmpuint (is->max_item[d], ==, should->max_item[d]);
      g_assert_cmpuint (is->local_mem, ==, should->local_mem);
      g_assert_cmpuint (is->alignment, ==, should->alignment);
      g_assert_cmpuint (is->vector_width, ==, should->vector_width);
      g_assert_cmpuint (is->units, ==, should->units);
      g_assert_cmpint (is->rounds, ==, should->rounds);
    }
}

/* Under which key; what is empty is no fact. */
static void
test_keys (void)
{
  g_autoptr (LsClDevices) list = fake_ask (CL_SUCCESS, all, G_N_ELEMENTS (all));

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const LsClDevice *device = list->devices->pdata[i];
      GHashTable *facts = device->info->facts;
      const char *version = strchr (expected[i].driver, ' ') + 1;

      g_assert_cmpstr (g_hash_table_lookup (facts, "platform"), ==, expected[i].platform);
      g_assert_cmpstr (g_hash_table_lookup (facts, "platform version"), ==, "OpenCL 3.0 x");
      g_assert_cmpstr (g_hash_table_lookup (facts, "vendor"), ==, "the vendor");
      g_assert_cmpstr (g_hash_table_lookup (facts, "driver version"), ==, version);
      g_assert_cmpstr (g_hash_table_lookup (facts, "OpenCL C"), ==, "OpenCL C 1.2");
      g_assert_cmpstr (g_hash_table_lookup (facts, "extensions"), ==, "cl_one cl_two");
      g_assert_cmpuint (g_hash_table_size (facts), ==, 6);
      g_assert_cmpstr (device->platform_name, ==, expected[i].platform);
      g_assert_cmpstr (device->platform_version, ==, "OpenCL 3.0 x");
      g_assert_cmpstr (device->extensions, ==, "cl_one cl_two");
    }
}

/* A loader without a driver is no error, one that fails is, and a driver without a device is named. */
static void
test_none (void)
{
  const FakePlatform *const empty[] = { &no_intel, &nvidia, &no_pocl }, *const others[] = { &no_intel };
  g_autoptr (LsClDevices) no_driver = fake_ask (-1001, NULL, 0),
                          broken = fake_ask (CL_OUT_OF_HOST_MEMORY, all, 2),
                          some = fake_ask (CL_SUCCESS, empty, 3), none = fake_ask (CL_SUCCESS, others, 1),
                          only_clover = fake_ask (CL_SUCCESS, &all[1], 1);

  g_assert_cmpint (no_driver->code, ==, CL_SUCCESS);
  g_assert_cmpuint (no_driver->n_platforms, ==, 0);
  g_assert_cmpuint (no_driver->devices->len, ==, 0);
  g_assert_cmpint (broken->code, ==, CL_OUT_OF_HOST_MEMORY);
  g_assert_cmpuint (broken->devices->len, ==, 0); /* what it wrote is not looked at */
  g_assert_cmpuint (some->n_platforms, ==, 3);
  g_assert_cmpuint (some->devices->len, ==, 1);
  g_assert_cmpstr (some->empty, ==, "Intel(R) OpenCL, Portable Computing Language");
  g_assert_true (some->empty_pocl);
  g_assert_cmpstr (none->empty, ==, "Intel(R) OpenCL");
  g_assert_false (none->empty_pocl);
  g_assert_cmpuint (only_clover->n_platforms, ==, 0);
  g_assert_null (only_clover->empty);
}

/* So many units of a device that can be divided, and no fewer than are wished; it is given back once. */
static void
test_part (void)
{
  static const struct {
    const char *wish;
    gint units;
  } wishes[] = { { "1", 1 }, { "99999", 99999 }, { "100000", 100000 }, { "100001", 100000 } };

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      LsClDevices *list;
      const LsClDevice *device;

      g_setenv (LS_UNITS_VARIABLE, wishes[i].wish, TRUE);
      list = fake_ask (CL_SUCCESS, all, G_N_ELEMENTS (all));
      g_unsetenv (LS_UNITS_VARIABLE);
      device = list->devices->pdata[1];
      g_assert_cmpint (device->info->units, ==, wishes[i].units);
      g_assert_cmpuint (device->limits.units, ==, (guint) wishes[i].units);
      g_assert_cmpint (device->part, ==, wishes[i].units < 100000);
      device = list->devices->pdata[0]; /* can't be divided */
      g_assert_cmpint (device->info->units, ==, 132);
      g_assert_cmpint (fake_parts, ==, wishes[i].units < 100000);
      ls_cl_devices_free (list);
      g_assert_cmpint (fake_parts, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl-facts/told", test_told);
  g_test_add_func ("/opencl-facts/limits", test_limits);
  g_test_add_func ("/opencl-facts/keys", test_keys);
  g_test_add_func ("/opencl-facts/none", test_none);
  g_test_add_func ("/opencl-facts/part", test_part);
  return g_test_run ();
}
