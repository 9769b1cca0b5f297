/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks every driver for its devices and facts. Clover is skipped by name: Debian's Mesa still installs it, as
 * a platform that has no device. Kernels are never chosen by CL_DEVICE_LOCAL_MEM_TYPE, which radeonsi reports
 * wrongly, but by the device's type. A fact that the driver doesn't tell stays −1 or NULL.
 */
#include "config.h"
#include "backends/opencl/device/devices.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

#define NO_PLATFORM (-1001) /* CL_PLATFORM_NOT_FOUND_KHR of cl_khr_icd: the loader knows no driver */

static char *
platform_string (cl_platform_id platform, cl_platform_info what)
{
  size_t size = 0;
  char *text;

  if (clGetPlatformInfo (platform, what, 0, NULL, &size) != CL_SUCCESS || size == 0 || size > 1 << 20)
    return g_strdup ("");
  text = g_malloc0 (size + 1);
  if (clGetPlatformInfo (platform, what, size, text, NULL) != CL_SUCCESS)
    *text = '\0';
  return g_strstrip (text);
}

static char *
device_string (cl_device_id device, cl_device_info what)
{
  size_t size = 0;
  char *text;

  if (clGetDeviceInfo (device, what, 0, NULL, &size) != CL_SUCCESS || size == 0 || size > 1 << 20)
    return g_strdup ("");
  text = g_malloc0 (size + 1);
  if (clGetDeviceInfo (device, what, size, text, NULL) != CL_SUCCESS)
    *text = '\0';
  return g_strstrip (text);
}

/* A number of the width that the driver says it has; −1 if it can't be had. */
static gint64
device_number (cl_device_id device, cl_device_info what)
{
  size_t size = 0;
  cl_ulong wide = 0;
  cl_uint narrow = 0;

  if (clGetDeviceInfo (device, what, 0, NULL, &size) != CL_SUCCESS)
    return -1;
  if (size == sizeof wide && clGetDeviceInfo (device, what, size, &wide, NULL) == CL_SUCCESS)
    return wide > G_MAXINT64 ? G_MAXINT64 : (gint64) wide;
  if (size == sizeof narrow && clGetDeviceInfo (device, what, size, &narrow, NULL) == CL_SUCCESS)
    return narrow;
  return -1;
}

static LsClDriver
driver_of (const char *platform_name)
{
  if (strcmp (platform_name, "Portable Computing Language") == 0)
    return LS_CL_DRIVER_POCL;
  if (g_str_has_prefix (platform_name, "NVIDIA"))
    return LS_CL_DRIVER_NVIDIA;
  if (g_str_has_prefix (platform_name, "Intel"))
    return LS_CL_DRIVER_INTEL;
  return LS_CL_DRIVER_OTHER;
}

static void
add_fact (LsDeviceInfo *info, const char *key, char *value)
{
  if (*value)
    g_hash_table_insert (info->facts, g_strdup (key), value);
  else
    g_free (value);
}

static void
fill_limits (LsClDevice *device)
{
  LsClLimits *limits = &device->limits;
  gint64 width = device_number (device->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  gint64 align_bits = device_number (device->id, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
  size_t items[16] = { 0 };
  gint64 dims = device_number (device->id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);

  limits->max_group = device->info->max_group > 0 ? (gsize) device->info->max_group : 1;
  limits->local_mem = device->info->local_mem > 0 ? (gsize) device->info->local_mem : 0;
  limits->alignment = align_bits >= 8 ? (gsize) align_bits / 8 : 4096; /* not said: a page */
  limits->rounds = (MAX (0, device_number (device->id, CL_DEVICE_SINGLE_FP_CONFIG))
                    & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
                   != 0;
  limits->units = device->info->units > 0 ? (guint) device->info->units : 1;
  /* GPUs report 1 or, to please old programs, 4; wide vectors help only where a work-item is a CPU thread's
   * loop body. */
  limits->vector_width = limits->is_cpu && width > 0 ? (guint) width : 1;
  if (dims < 3 || dims > (gint64) G_N_ELEMENTS (items)
      || clGetDeviceInfo (device->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, (size_t) dims * sizeof *items, items,
                          NULL)
           != CL_SUCCESS)
    items[0] = items[1] = items[2] = limits->max_group;
  for (guint i = 0; i < 3; i++)
    limits->max_item[i] = items[i];
}

/* Mesa's CPU device behind Rusticl: right, but some twenty times slower than PoCL on the same cores. */
static gboolean
is_llvmpipe (const LsClDevice *device)
{
  return device->limits.is_cpu && g_str_has_prefix (device->info->name, "llvmpipe");
}

/* "PoCL 3.1+debian", "NVIDIA 590.48", "llvmpipe 25.0.7": the platform in a word (llvmpipe's says nothing of
 * it being a CPU's), and the driver's version. */
static char *
driver_title (const LsClDevice *device, const char *version)
{
  static const char *const titles[] = { NULL, "PoCL", "NVIDIA", "Intel" };
  const char *title = titles[device->driver] ? titles[device->driver] : device->platform_name;
  return g_strdup_printf ("%s %s", is_llvmpipe (device) ? "llvmpipe" : title, version);
}

/* So many of its units as a device of their own, where that is wished and can be had; else the device
 * itself. */
static cl_device_id
part_of (cl_device_id id)
{
  const char *wish = g_getenv (LS_UNITS_VARIABLE);
  cl_device_id part = NULL;
  guint64 units;

  if (wish == NULL || !g_ascii_string_to_unsigned (wish, 10, 1, G_MAXINT, &units, NULL)
      || (gint64) units >= device_number (id, CL_DEVICE_MAX_COMPUTE_UNITS))
    return id;
  const cl_device_partition_property counts[] = { CL_DEVICE_PARTITION_BY_COUNTS,
                                                  (cl_device_partition_property) units,
                                                  CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0 };
  return clCreateSubDevices (id, counts, 1, &part, NULL) == CL_SUCCESS && part != NULL ? part : id;
}

static LsClDevice *
device_new (cl_platform_id platform, cl_device_id whole)
{
  const cl_device_id id = part_of (whole);
  LsClDevice *device = g_new0 (LsClDevice, 1);
  LsDeviceInfo *info = device->info = ls_device_info_new ("opencl");
  cl_device_type type = (cl_device_type) MAX (0, device_number (id, CL_DEVICE_TYPE));
  g_autofree char *driver_version = device_string (id, CL_DRIVER_VERSION);

  device->platform = platform;
  device->id = id;
  device->part = id != whole;
  device->platform_name = platform_string (platform, CL_PLATFORM_NAME);
  device->platform_version = platform_string (platform, CL_PLATFORM_VERSION);
  device->extensions = device_string (id, CL_DEVICE_EXTENSIONS);
  device->driver = driver_of (device->platform_name);
  device->limits.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;

  info->name = device_string (id, CL_DEVICE_NAME);
  info->version = device_string (id, CL_DEVICE_VERSION);
  info->driver = driver_title (device, driver_version);
  info->kind = device->limits.is_cpu              ? LS_DEVICE_OPENCL_CPU
               : (type & CL_DEVICE_TYPE_GPU) != 0 ? LS_DEVICE_GPU
                                                  : LS_DEVICE_ACCELERATOR;
  info->units = (gint) device_number (id, CL_DEVICE_MAX_COMPUTE_UNITS);
  /* llvmpipe says 8 units on any machine */
  info->threads = device->limits.is_cpu ? MIN (info->units, (gint) g_get_num_processors ()) : -1;
  info->shares_cpu = device->limits.is_cpu;
  info->global_mem = device_number (id, CL_DEVICE_GLOBAL_MEM_SIZE);
  info->local_mem = device_number (id, CL_DEVICE_LOCAL_MEM_SIZE);
  info->max_alloc = device_number (id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info->max_group = device_number (id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  add_fact (info, "platform", g_strdup (device->platform_name));
  add_fact (info, "platform version", g_strdup (device->platform_version));
  add_fact (info, "vendor", device_string (id, CL_DEVICE_VENDOR));
  add_fact (info, "driver version", g_strdup (driver_version));
  add_fact (info, "OpenCL C", device_string (id, CL_DEVICE_OPENCL_C_VERSION));
  add_fact (info, "profile", device_string (id, CL_DEVICE_PROFILE));
  add_fact (info, "extensions", g_strdup (device->extensions));
  fill_limits (device);
  return device;
}

static void
device_free (gpointer data)
{
  LsClDevice *device = data;
  if (device->part)
    clReleaseDevice (device->id);
  g_free (device->platform_name);
  g_free (device->platform_version);
  g_free (device->extensions);
  ls_device_info_free (device->info);
  g_free (device);
}

static void
list_platform (LsClDevices *list, cl_platform_id platform, GString *empty)
{
  g_autofree char *name = platform_string (platform, CL_PLATFORM_NAME);
  cl_device_id ids[64];
  cl_uint n = 0;

  if (strcmp (name, "Clover") == 0)
    return;
  list->n_platforms++;
  if (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, G_N_ELEMENTS (ids), ids, &n) != CL_SUCCESS || n == 0)
    {
      g_string_append_printf (empty, "%s%s", empty->len ? ", " : "", name);
      list->empty_pocl |= driver_of (name) == LS_CL_DRIVER_POCL;
      return;
    }
  for (cl_uint i = 0; i < MIN (n, G_N_ELEMENTS (ids)); i++)
    g_ptr_array_add (list->devices, device_new (platform, ids[i]));
}

LsClDevices *
ls_cl_devices_new (void)
{
  LsClDevices *list = g_new0 (LsClDevices, 1);
  g_autoptr (GString) empty = g_string_new (NULL);
  cl_platform_id platforms[32];
  cl_uint n = 0;

  list->devices = g_ptr_array_new_with_free_func (device_free);
  list->code = clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n);
  if (list->code != CL_SUCCESS)
    n = 0;
  if (list->code == NO_PLATFORM)
    list->code = CL_SUCCESS;
  for (cl_uint i = 0; i < MIN (n, G_N_ELEMENTS (platforms)); i++)
    list_platform (list, platforms[i], empty);
  if (empty->len)
    list->empty = g_strdup (empty->str);
  return list;
}

void
ls_cl_devices_free (LsClDevices *list)
{
  if (list == NULL)
    return;
  g_ptr_array_unref (list->devices);
  g_free (list->empty);
  g_free (list);
}

/* GPUs before accelerators before CPUs, of which llvmpipe is the last; more units before fewer. */
static gint64
rank_of (const LsClDevice *device)
{
  gint64 type = is_llvmpipe (device)                  ? 0
                : device->limits.is_cpu               ? 1
                : device->info->kind == LS_DEVICE_GPU ? 3
                                                      : 2;
  return type << 32 | device->limits.units;
}

static const LsClDevice *
best_device (const LsClDevices *list)
{
  const LsClDevice *best = NULL;
  for (guint i = 0; i < list->devices->len; i++)
    {
      const LsClDevice *device = list->devices->pdata[i];
      if (best == NULL || rank_of (device) > rank_of (best))
        best = device;
    }
  return best;
}

static gboolean
name_contains (const LsClDevice *device, const char *wish)
{
  g_autofree char *text = g_strdup_printf ("%s %s", device->info->name, device->info->driver);
  g_autofree char *hay = g_utf8_casefold (text, -1);
  g_autofree char *needle = g_utf8_casefold (wish, -1);
  return strstr (hay, needle) != NULL;
}

const LsClDevice *
ls_cl_devices_choose (const LsClDevices *list, const char *wish, GError **error)
{
  guint64 index;
  g_autoptr (GString) there = g_string_new (NULL);

  if (wish == NULL || *wish == '\0')
    {
      const LsClDevice *best = best_device (list);
      if (best == NULL)
        g_set_error_literal (error, LS_ERROR, LS_ERROR_NO_DEVICE, _("this machine has no OpenCL device"));
      return best;
    }
  if (g_ascii_string_to_unsigned (wish, 10, 0, G_MAXUINT, &index, NULL) && index < list->devices->len)
    return list->devices->pdata[index];
  for (guint i = 0; i < list->devices->len; i++)
    {
      const LsClDevice *device = list->devices->pdata[i];
      if (name_contains (device, wish))
        return device;
      g_string_append_printf (there, "%s%u “%s”", there->len ? ", " : "", i, device->info->name);
    }
  if (there->len)
    g_set_error (error, LS_ERROR, LS_ERROR_NO_DEVICE,
                 _("no OpenCL device is called “%s” (--device); there is %s"), wish, there->str);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_NO_DEVICE,
                 _("no OpenCL device is called “%s” (--device): there is none at all"), wish);
  ls_error_make_printable (error);
  return NULL;
}
