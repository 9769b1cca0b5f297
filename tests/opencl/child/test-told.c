/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a child says of the devices is what its drivers told it, and what is made of it: all of it is read
 * again, also of a device that doesn't work, and the source of ticks follows from platform and try. And what
 * children are told: options, edited kernels, the device. Drivers are invented; this program is its own
 * child.
 */
#include "config.h"
#include "backends/opencl/child/told.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

#include "../device/fake_driver.h"
#include "core/error.h"
#include "tests/folder.h"

#define DRIVERS "LS_FAKE_DRIVERS"

static const FakeDevice gpu = {
  .name = "Some GPU",
  .type = CL_DEVICE_TYPE_GPU,
  .driver = "590.48",
  .units = 132,
  .global_mem = 150000000001,
  .local_mem = 49152,
  .max_alloc = 37500000003,
  .max_group = 1024,
};
static const FakeDevice processor = {
  .name = "Some CPU \"with quotes\" and ½",
  .type = CL_DEVICE_TYPE_CPU,
  .driver = "3.1",
  .units = 100000,
  .global_mem = G_MAXUINT64,
  .max_group = 4096,
};
static const FakeDevice board = { .name = "Some board", .type = CL_DEVICE_TYPE_ACCELERATOR, .driver = "1" };
static const FakePlatform nvidia = { "NVIDIA CUDA", { &gpu, &board } };
static const FakePlatform pocl = { "Portable Computing Language", { &processor } };
static const FakePlatform no_pocl = { "Portable Computing Language", { NULL } };
static const FakePlatform no_intel = { "Intel(R) OpenCL", { NULL } };
static const FakePlatform *const both[] = { &pocl, &nvidia };
static const FakePlatform *const empty_pocl[] = { &no_intel, &no_pocl };
static const FakePlatform *const empty[] = { &no_intel };

/* None of the devices works. */
cl_context
clCreateContext (G_GNUC_UNUSED const cl_context_properties *properties, G_GNUC_UNUSED cl_uint n,
                 G_GNUC_UNUSED const cl_device_id *devices,
                 G_GNUC_UNUSED void (CL_CALLBACK *notify) (const char *, const void *, size_t, void *),
                 G_GNUC_UNUSED void *data, cl_int *code)
{
  *code = CL_DEVICE_NOT_AVAILABLE;
  return NULL;
}

/* The drivers that the environment names, which children inherit. */
static void
install (const char *name)
{
  if (g_strcmp0 (name, "both") == 0)
    fake_install (CL_SUCCESS, both, 2);
  else if (g_strcmp0 (name, "empty pocl") == 0)
    fake_install (CL_SUCCESS, empty_pocl, 2);
  else if (g_strcmp0 (name, "empty") == 0)
    fake_install (CL_SUCCESS, empty, 1);
  else
    fake_install (g_strcmp0 (name, "broken") == 0 ? CL_OUT_OF_HOST_MEMORY : -1001, NULL, 0);
  if (name != NULL)
    g_setenv (DRIVERS, name, TRUE);
  ls_cl_discover_forget ();
}

static void
assert_same_device (const LsDeviceInfo *a, const LsDeviceInfo *b)
{
  GHashTableIter iter;
  gpointer key, value;

  g_assert_cmpstr (a->name, ==, b->name);
  g_assert_cmpstr (a->backend, ==, b->backend);
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpstr (a->driver, ==, b->driver);
  g_assert_cmpstr (a->version, ==, b->version);
  g_assert_cmpint (a->threads, ==, b->threads);
  g_assert_cmpint (a->units, ==, b->units);
  g_assert_cmpint (a->shares_cpu, ==, b->shares_cpu);
  g_assert_cmpint (a->global_mem, ==, b->global_mem);
  g_assert_cmpint (a->local_mem, ==, b->local_mem);
  g_assert_cmpint (a->max_alloc, ==, b->max_alloc);
  g_assert_cmpint (a->max_group, ==, b->max_group);
  g_assert_cmpuint (g_hash_table_size (a->facts), ==, g_hash_table_size (b->facts));
  g_hash_table_iter_init (&iter, a->facts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_assert_cmpstr (value, ==, g_hash_table_lookup (b->facts, key));
}

/* The devices are listed though the chosen one fails, which is the GPU, or the one that is wished. */
static void
test_list (void)
{
  g_autofree char *verdict = NULL;
  g_autoptr (GPtrArray) told = NULL;
  g_autoptr (LsClDevices) there = NULL;
  g_autoptr (GError) error = NULL;

  install ("both");
  told = ls_cl_discover_list (&verdict);
  there = ls_cl_devices_new ();
  g_assert_cmpuint (told->len, ==, 3);
  g_assert_cmpuint (there->devices->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    assert_same_device (told->pdata[i], ((const LsClDevice *) there->devices->pdata[i])->info);
  g_assert_cmpstr (verdict, ==,
                   "clCreateContext failed for Some GPU: CL_DEVICE_NOT_AVAILABLE (-2), the device is not "
                   "available at present");
  g_assert_null (ls_cl_discover ("with quotes", &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "failed for Some CPU \"with quotes\" and ½: "));
}

/* Why there is none, in a sentence; PoCL has none where it can't write. */
static void
test_none (void)
{
  static const struct {
    const char *drivers, *words;
    LsError code;
  } cases[] = {
    { "none", "no OpenCL driver is installed", LS_ERROR_NO_DEVICE },
    { "empty", "the OpenCL platform Intel(R) OpenCL has no device", LS_ERROR_NO_DEVICE },
    { "empty pocl",
      "the OpenCL platform Intel(R) OpenCL, Portable Computing Language has no device; PoCL says so when it "
      "can't write its cache folder, /",
      LS_ERROR_NO_DEVICE },
    { "broken", "clGetPlatformIDs failed for the list of drivers: CL_OUT_OF_HOST_MEMORY (-6)",
      LS_ERROR_MEMORY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) list = NULL;
      g_autofree char *verdict = NULL;

      install (cases[i].drivers);
      g_assert_null (ls_cl_discover ("", &error));
      g_assert_error (error, LS_ERROR, (int) cases[i].code);
      if (!g_str_has_prefix (error->message, cases[i].words)
          || (error->message[strlen (cases[i].words)] != '\0' && strcmp (cases[i].drivers, "empty") == 0))
        g_error ("with %s it says “%s”", cases[i].drivers, error->message);
      list = ls_cl_discover_list (&verdict);
      g_assert_cmpuint (list->len, ==, 0);
      g_assert_cmpstr (verdict, ==, error->message);
    }
}

/* ---- ticks ---- */

#if defined(__x86_64__) || defined(__i386__)
#define HAVE_TSC 1
#else
#define HAVE_TSC 0
#endif

#define CLOCK "cl_khr_int64_base_atomics cl_khr_kernel_clock"

/* The time-stamp counter is the processor's, %globaltimer NVIDIA's, Intel's its GPUs'; the extension is
 * tried last. In the order of kernels_cl/probe.clh: 1, 2, 4, 3. */
static const struct {
  const char *platform, *extensions;
  LsDeviceKind kind;
  guint n, sources[2];
} sources[] = {
  { "Portable Computing Language", "", LS_DEVICE_OPENCL_CPU, HAVE_TSC, { 1 } },
  { "Portable Computing Language", CLOCK, LS_DEVICE_OPENCL_CPU, HAVE_TSC + 1, { HAVE_TSC ? 1 : 3, 3 } },
  { "Portable Computing Language", "", LS_DEVICE_GPU, 0, { 0 } },
  { "Portable Computing Language 7", "", LS_DEVICE_OPENCL_CPU, 0, { 0 } },
  { "NVIDIA CUDA", "cl_khr_icd", LS_DEVICE_GPU, 1, { 2 } },
  { "NVIDIA CUDA", CLOCK, LS_DEVICE_GPU, 2, { 2, 3 } },
  { "Intel(R) OpenCL Graphics", "", LS_DEVICE_GPU, 1, { 4 } },
  { "Intel(R) OpenCL Graphics", CLOCK, LS_DEVICE_GPU, 2, { 4, 3 } },
  { "Intel(R) OpenCL", "", LS_DEVICE_OPENCL_CPU, 0, { 0 } },
  { "rusticl", "", LS_DEVICE_GPU, 0, { 0 } },
  { "rusticl", CLOCK, LS_DEVICE_GPU, 1, { 3 } },
};

static void
test_sources (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      LsDeviceInfo *info = ls_device_info_new ("opencl");
      guint got[LS_CL_TICK_SOURCES];

      g_assert_cmpuint (ls_cl_tick_sources (info, got), ==, 0); /* of one that says nothing */
      info->kind = sources[i].kind;
      info->shares_cpu = sources[i].kind == LS_DEVICE_OPENCL_CPU;
      g_hash_table_insert (info->facts, g_strdup ("platform"), g_strdup (sources[i].platform));
      g_hash_table_insert (info->facts, g_strdup ("extensions"), g_strdup (sources[i].extensions));
      g_assert_cmpuint (ls_cl_tick_sources (info, got), ==, sources[i].n);
      for (guint k = 0; k < sources[i].n; k++)
        g_assert_cmpuint (got[k], ==, sources[i].sources[k]);
      ls_device_info_free (info);
    }
}

/* A script in the child's place: the second of three devices is chosen. `first`: the likeliest source
 * works; `other`: the number of that which works when it is tried. */
static LsClDiscovery *
discover (const char *folder, const char *platform, gboolean first, guint other)
{
  g_autofree char *self = g_build_filename (folder, "child", NULL);
  g_autofree char *script = g_strdup_printf (
    "#!/bin/sh\n"
    "device='{\"name\": \"n\", \"driver\": \"d\", \"version\": \"v\", \"kind\": 2, \"threads\": -1, "
    "\"units\": 7, \"shares_cpu\": 0, \"global_mem\": 9, \"local_mem\": 8, \"max_alloc\": 6, "
    "\"max_group\": 5, \"facts\": {'\n"
    "[ $2 = try ] && echo '{\"devices\": ['\"$device}}, $device\"'\"platform\": \"%s\", \"extensions\": "
    "\"%s\"}}, '\"$device}}\"'], \"chosen\": 1}'\n"
    "[ $2 = try ] && echo '{\"works\": %d}'\n"
    "[ $2 = ticks ] && [ $4 = 1 ] && [ $3 = %u ] && echo '{\"works\": 1}' && exit\n"
    "[ $2 = ticks ] && echo '{\"works\": 0}'\nexit 0\n",
    platform, CLOCK, first, other);
  g_autoptr (GError) error = NULL;
  LsClDiscovery *discovery;

  g_assert_true (g_file_set_contents_full (self, script, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_setenv ("LOCKSTEP_SELF", self, TRUE);
  ls_cl_discover_forget ();
  discovery = ls_cl_discover ("", &error);
  g_unsetenv ("LOCKSTEP_SELF");
  g_assert_no_error (error);
  return discovery;
}

/* Units are told by NVIDIA's and Intel's source, threads by the processor's; else groups have an order. */
static void
test_ticks (void)
{
  static const struct {
    const char *platform;
    gboolean first;
    guint other, ticks;
    LsTells tells;
  } cases[] = {
    { "NVIDIA CUDA", TRUE, 0, 2, LS_TELLS_UNITS },
    { "NVIDIA CUDA", FALSE, 2, 0, LS_TELLS_ORDER }, /* the likeliest isn't tried again */
    { "NVIDIA CUDA", FALSE, 0, 0, LS_TELLS_ORDER },
    { "NVIDIA CUDA", FALSE, 3, 3, LS_TELLS_ORDER },
    { "Intel(R) OpenCL Graphics", TRUE, 3, 4, LS_TELLS_UNITS },
    { "rusticl", TRUE, 0, 3, LS_TELLS_ORDER },
  };
  g_autofree char *folder = g_dir_make_tmp ("lockstep-told-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsClDiscovery) d = discover (folder, cases[i].platform, cases[i].first, cases[i].other);
      const LsDeviceInfo *chosen = d->devices->pdata[1], *last = d->devices->pdata[2];

      g_assert_cmpuint (d->chosen, ==, 1);
      g_assert_cmpuint (d->ticks, ==, cases[i].ticks);
      g_assert_cmpint (chosen->tells, ==, cases[i].tells);
      g_assert_cmpint (last->tells, ==, LS_TELLS_UNKNOWN);
      g_assert_cmpint (chosen->units, ==, 7);
      g_assert_cmpint (chosen->max_group, ==, 5);
      g_assert_cmpint (chosen->max_alloc, ==, 6);
    }
  remove_tree (folder);
}

/* ---- what children are told ---- */

/* Every option, with another value than its own. */
static void
test_options (void)
{
  static const char *const values[] = { "on",    "off",   "2",     "3",     "5",    "0.25", "16",   "adam",
                                        "steal", "naive", "tiled", "moons", "cnn",  "fp16", "bf16", "median",
                                        "de",    "1024",  "all",   "cpu",   "skip", "32x32" };
  guint n, n_changed = 0;
  const LsOption *rows = ls_options_table (&n);
  g_autoptr (LsOptions) from = ls_options_new (), to = ls_options_new ();
  json_t *head = json_object ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *own = ls_options_get (from, &rows[i]);
      gboolean changed = FALSE;

      for (guint v = 0; v < G_N_ELEMENTS (values) && !changed; v++)
        {
          g_autofree char *now = NULL;
          changed = strcmp (values[v], own) != 0 && ls_options_set (from, &rows[i], values[v], NULL)
                    && (now = ls_options_get (from, &rows[i])) != NULL && strcmp (now, own) != 0;
        }
      n_changed += changed;
    }
  g_assert_cmpuint (n_changed, >, n / 2);
  ls_told_put_options (head, from);
  g_assert_true (ls_told_get_options (head, to, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *a = ls_options_get (from, &rows[i]), *b = ls_options_get (to, &rows[i]);
      if (strcmp (a, b) != 0)
        g_error ("--%s was “%s”, and “%s” is told", rows[i].name, a, b);
    }
  /* one that isn't known is passed over, one that can't be so isn't, nor are none at all */
  json_t *told = json_object_get (head, "options");
  json_object_set_new (told, "of-tomorrow", json_string ("yes"));
  g_assert_true (ls_told_get_options (head, to, &error));
  g_assert_no_error (error);
  json_object_set_new (told, "threads", json_string ("many"));
  g_assert_false (ls_told_get_options (head, to, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_clear_error (&error);
  json_object_del (head, "options");
  g_assert_false (ls_told_get_options (head, to, &error));
  g_assert_nonnull (error);
  json_decref (head);
}

/* A child has the same texts, and knows that there are some: a walk through edited ones is built from them.
 */
static void
test_kernels (void)
{
  g_autoptr (LsKernelFiles) edited = ls_kernel_files_new (), got = NULL, none = NULL;
  g_autoptr (GError) error = NULL;
  json_t *head = json_object (), *bare = json_object ();

  g_hash_table_insert (edited->texts, g_strdup ("sum.cl"), g_strdup ("/* one \"½\"\n\n */\n"));
  g_hash_table_insert (edited->texts, g_strdup ("gemm.clh"), g_strdup (""));
  ls_told_put_kernels (head, edited);
  got = ls_told_get_kernels (head, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (got->texts), ==, 2);
  g_assert_cmpstr (g_hash_table_lookup (got->texts, "sum.cl"), ==, "/* one \"½\"\n\n */\n");
  g_assert_cmpstr (g_hash_table_lookup (got->texts, "gemm.clh"), ==, "");
  if (!ls_kernel_files_any (got))
    g_error ("two edited kernels are told, and to the child none seems to be");
  g_assert_cmpstr (got->names, ==, "gemm.clh, sum.cl");
  ls_kernel_files_name (edited);
  g_assert_true (ls_kernel_files_equal (edited, got));
  ls_told_put_kernels (bare, NULL);
  none = ls_told_get_kernels (bare, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (none->texts), ==, 0);
  g_assert_false (ls_kernel_files_any (none));
  json_decref (head);
  json_decref (bare);
}

/* A child that finds another device at that number says that the one it was told isn't there. */
static void
test_device (void)
{
  static const struct {
    const char *name;
    guint chosen, ticks;
    gint code; /* −1: it is there */
  } cases[] = {
    { "Some GPU", 1, 2, -1 },
    { "Some board", 2, 4, -1 },
    { "Some board", 2, 0, -1 },
    { "Some GPU", 2, 2, LS_ERROR_NO_DEVICE },
    { "Some GPU", 3, 2, LS_ERROR_NO_DEVICE },
    { "Some GPU", 1, 5, LS_ERROR_DATA },
  };

  install ("both");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      json_t *head = json_object ();
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClDiscovery) got = NULL;

      ls_told_put_device (head, cases[i].name, cases[i].chosen, cases[i].ticks);
      got = ls_told_get_device (head, &error);
      json_decref (head);
      if (cases[i].code >= 0)
        {
          g_assert_null (got);
          g_assert_error (error, LS_ERROR, cases[i].code);
          g_assert_true (cases[i].code != LS_ERROR_NO_DEVICE
                         || strstr (error->message, "Some GPU isn’t there") != NULL);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (got->chosen, ==, cases[i].chosen);
      g_assert_cmpuint (got->ticks, ==, cases[i].ticks);
      g_assert_cmpuint (got->devices->len, ==, 3);
      g_assert_cmpstr (((const LsDeviceInfo *) got->devices->pdata[cases[i].chosen])->name, ==,
                       cases[i].name);
    }
}

/* Its end says whether its answer is out, and whether it was asked anything; an error comes last. */
static void
test_status (void)
{
  static const struct {
    const char *asked;
    int status;
  } rows[] = { { "try ''", 0 },  { "try 7", 0 }, { "try '' >/dev/full", 1 }, { "try 7 >/dev/full", 1 },
               { "", 2 },        { "try", 2 },   { "try a b", 2 },           { "ticks 0", 2 },
               { "serve 1", 2 }, { "x y", 2 } };
  g_autofree char *self = ls_child_self ();

  install ("both");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = g_strdup_printf ("exec '%s' " LS_CL_CHILD_COMMAND " %s", self, rows[i].asked);
      char *argv[] = { (char *) "sh", (char *) "-c", line, NULL };
      g_autofree char *said = NULL;
      int status;

      g_assert_true (g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                                   NULL, &said, NULL, &status, NULL));
      if (*said != '\0' && strchr (said, '\n') != said + strlen (said) - 1)
        g_error ("asked “%s” it goes on after an error: %s", rows[i].asked, said);
      if (!WIFEXITED (status) || WEXITSTATUS (status) != rows[i].status)
        g_error ("asked “%s” it ends with %d, not %d", rows[i].asked, WEXITSTATUS (status), rows[i].status);
    }
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], LS_CL_CHILD_COMMAND) == 0)
    {
      install (g_getenv (DRIVERS));
      return ls_cl_child_main (argc, argv);
    }
  g_unsetenv ("LOCKSTEP_SELF");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/told/list", test_list);
  g_test_add_func ("/told/none", test_none);
  g_test_add_func ("/told/sources", test_sources);
  g_test_add_func ("/told/ticks", test_ticks);
  g_test_add_func ("/told/options", test_options);
  g_test_add_func ("/told/kernels", test_kernels);
  g_test_add_func ("/told/device", test_device);
  g_test_add_func ("/told/status", test_status);
  return g_test_run ();
}
