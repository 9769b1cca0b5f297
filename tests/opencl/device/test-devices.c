/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of a machine's OpenCL devices the lane takes, by itself or when asked: machines that nobody here has,
 * invented; and that it takes no other one than was tried.
 */
#include "backends/opencl/device/devices.h"

#include <string.h>

#include "backends/opencl/device/environment.h"
#include "backends/opencl/run/instance.h"
#include "core/error.h"

static const struct {
  const char *name;
  LsDeviceKind kind;
  guint units;
} machine[] = {
  { "llvmpipe (LLVM 15)", LS_DEVICE_OPENCL_CPU, 128 },
  { "pthread-EPYC", LS_DEVICE_OPENCL_CPU, 64 },
  { "FPGA board", LS_DEVICE_ACCELERATOR, 100 },
  { "Small GPU", LS_DEVICE_GPU, 8 },
  { "Large GPU", LS_DEVICE_GPU, 40 },
};

static void
device_free_cb (gpointer data)
{
  ls_device_info_free (((LsClDevice *) data)->info);
  g_free (data);
}

/* The first n of them. */
static LsClDevices *
list_of (guint n)
{
  LsClDevices *list = g_new0 (LsClDevices, 1);

  list->devices = g_ptr_array_new_with_free_func (device_free_cb);
  for (guint i = 0; i < n; i++)
    {
      LsClDevice *device = g_new0 (LsClDevice, 1);
      device->info = ls_device_info_new ("opencl");
      device->info->name = g_strdup (machine[i].name);
      device->info->driver = g_strdup ("Invented 1.0");
      device->info->kind = machine[i].kind;
      device->limits.is_cpu = machine[i].kind == LS_DEVICE_OPENCL_CPU;
      device->limits.units = machine[i].units;
      g_ptr_array_add (list->devices, device);
    }
  return list;
}

static void
assert_chosen (guint n, const char *wish, const char *name)
{
  g_autoptr (LsClDevices) list = list_of (n);
  g_autoptr (GError) error = NULL;
  const LsClDevice *chosen = ls_cl_devices_choose (list, wish, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (chosen->info->name, ==, name);
}

/* A GPU before all others, the larger one; llvmpipe only where there is nothing else. */
static void
test_best (void)
{
  assert_chosen (1, "", "llvmpipe (LLVM 15)");
  assert_chosen (2, "", "pthread-EPYC");
  assert_chosen (3, "", "FPGA board");
  assert_chosen (4, "", "Small GPU");
  assert_chosen (5, "", "Large GPU");
}

static void
test_asked (void)
{
  g_autoptr (LsClDevices) list = list_of (5), none = list_of (0);
  g_autoptr (GError) error = NULL;

  assert_chosen (5, "3", "Small GPU");
  assert_chosen (5, "epyc", "pthread-EPYC");
  assert_chosen (5, "gpu", "Small GPU");
  assert_chosen (5, "INVENTED", "llvmpipe (LLVM 15)");
  g_assert_null (ls_cl_devices_choose (list, "abacus", &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_NO_DEVICE);
  g_assert_nonnull (strstr (error->message, "4 “Large GPU”"));
  g_clear_error (&error);
  g_assert_null (ls_cl_devices_choose (none, "", &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_NO_DEVICE);
}

/* This machine's devices, with so many units each. */
static LsClDevices *
list_with (const char *units)
{
  LsClDevices *list;

  g_setenv (LS_UNITS_VARIABLE, units, TRUE);
  list = ls_cl_devices_new ();
  g_unsetenv (LS_UNITS_VARIABLE);
  return list;
}

/* PoCL's device can be divided; what is no number of units it has leaves it whole, as it leaves those that
 * can't. */
static void
test_parts (void)
{
  static const char *const wrong[] = { "0", "-1", "x", "1x", "", "99999", "99999999999999999999" };
  g_autoptr (LsClDevices) whole = ls_cl_devices_new (), part = list_with ("1");
  gboolean divided = FALSE;

  g_assert_cmpuint (part->devices->len, ==, whole->devices->len);
  for (guint i = 0; i < whole->devices->len; i++)
    {
      const LsClDevice *a = whole->devices->pdata[i], *b = part->devices->pdata[i];

      g_assert_false (a->part);
      g_assert_cmpstr (a->info->name, ==, b->info->name);
      g_assert_cmpint (b->info->units, ==, b->part ? 1 : a->info->units);
      g_assert_cmpuint (b->limits.units, ==, (guint) b->info->units);
      divided |= b->part;
      g_assert_true (a->driver != LS_CL_DRIVER_POCL || a->info->units == 1 || b->part);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (LsClDevices) list = list_with (wrong[i]);

      for (guint k = 0; k < list->devices->len; k++)
        g_assert_false (((const LsClDevice *) list->devices->pdata[k])->part);
    }
  if (!divided)
    g_test_skip ("no device here can be divided");
}

static guint n_here; /* of the invented ones; 0: those that are really there */

LsClDevices *__real_ls_cl_devices_new (void);
LsClDevices *__wrap_ls_cl_devices_new (void);

LsClDevices *
__wrap_ls_cl_devices_new (void)
{
  return n_here > 0 ? list_of (n_here) : __real_ls_cl_devices_new ();
}

/* What a child has tried is opened, and nothing else: drivers may list their devices in another order in this
 * process, or fewer of them. */
static void
test_other (void)
{
  static const struct {
    guint n, chosen;
    const char *tried;
  } rows[] = { { 5, 3, "Large GPU" }, { 5, 0, "Small GPU" }, { 4, 4, "Large GPU" } };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClDiscovery) tried = g_new0 (LsClDiscovery, 1);
      g_autoptr (GError) error = NULL;
      g_autofree char *says = g_strdup_printf ("%s worked when it was tried", rows[i].tried);

      tried->chosen = rows[i].chosen;
      tried->devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_device_info_free);
      for (guint k = 0; k <= rows[i].chosen; k++)
        {
          LsDeviceInfo *info = ls_device_info_new ("opencl");
          info->name = g_strdup (k == rows[i].chosen ? rows[i].tried : machine[k].name);
          g_ptr_array_add (tried->devices, info);
        }
      n_here = rows[i].n;
      g_assert_null (ls_cl_open_discovered (options, 0, tried, &error));
      n_here = 0;
      if (!g_str_has_prefix (error->message, says))
        g_error ("%s, tried as device %u, is %s here: “%s”", rows[i].tried, rows[i].chosen,
                 rows[i].chosen < rows[i].n ? machine[rows[i].chosen].name : "not", error->message);
      g_assert_error (error, LS_ERROR, LS_ERROR_NO_DEVICE);
    }
}

int
main (int argc, char **argv)
{
  ls_cl_environment_setup (); /* as the program does, before a driver is asked */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl-devices/best", test_best);
  g_test_add_func ("/opencl-devices/asked", test_asked);
  g_test_add_func ("/opencl-devices/parts", test_parts);
  g_test_add_func ("/opencl-devices/other", test_other);
  return g_test_run ();
}
