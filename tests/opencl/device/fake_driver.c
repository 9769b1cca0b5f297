/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake_driver.h"

#include <string.h>

static const FakePlatform *installed[FAKE_MOST];
static cl_int installed_code;
static FakeDevice part;
int fake_parts;

static cl_int
give (const void *from, size_t length, size_t size, void *to, size_t *told)
{
  if (told != NULL)
    *told = length;
  if (to != NULL && size < length)
    return CL_INVALID_VALUE;
  if (to != NULL)
    memcpy (to, from, length);
  return CL_SUCCESS;
}

/* The loader: these are used in its place. */
cl_int
clGetPlatformIDs (cl_uint most, cl_platform_id *ids, cl_uint *n)
{
  for (*n = 0; *n < MIN (most, FAKE_MOST) && installed[*n] != NULL; (*n)++)
    ids[*n] = (cl_platform_id) (void *) (gsize) installed[*n];
  return installed_code;
}

cl_int
clGetPlatformInfo (cl_platform_id id, cl_platform_info what, size_t size, void *to, size_t *told)
{
  const FakePlatform *platform = (const void *) id;

  if (what == CL_PLATFORM_NAME)
    return give (platform->name, strlen (platform->name) + 1, size, to, told);
  return what == CL_PLATFORM_VERSION ? give (" OpenCL 3.0 x ", sizeof " OpenCL 3.0 x ", size, to, told)
                                     : CL_INVALID_VALUE;
}

cl_int
clGetDeviceIDs (cl_platform_id id, cl_device_type type, cl_uint most, cl_device_id *ids, cl_uint *n)
{
  const FakePlatform *platform = (const void *) id;

  g_assert_cmpuint (type, ==, CL_DEVICE_TYPE_ALL);
  for (*n = 0; *n < MIN (most, 3) && platform->devices[*n] != NULL; (*n)++)
    ids[*n] = (cl_device_id) (void *) (gsize) platform->devices[*n];
  return *n > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

#define TEXT(text) give (text, strlen (text) + 1, size, to, told)
#define NUMBER(member)                                                                                       \
  (d->member != 0 ? give (&d->member, sizeof d->member, size, to, told) : CL_INVALID_VALUE)

cl_int
clGetDeviceInfo (cl_device_id id, cl_device_info what, size_t size, void *to, size_t *told)
{
  const FakeDevice *d = (const void *) id;

  switch (what)
    {
    case CL_DEVICE_NAME:
      return TEXT (d->name);
    case CL_DRIVER_VERSION:
      return TEXT (d->driver);
    case CL_DEVICE_VERSION:
      return TEXT ("OpenCL 1.2 of the device");
    case CL_DEVICE_VENDOR:
      return TEXT ("the vendor");
    case CL_DEVICE_OPENCL_C_VERSION:
      return TEXT ("OpenCL C 1.2");
    case CL_DEVICE_PROFILE:
      return TEXT (""); /* no fact */
    case CL_DEVICE_EXTENSIONS:
      return TEXT ("cl_one cl_two");
    case CL_DEVICE_TYPE:
      return NUMBER (type);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return NUMBER (units);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
      return NUMBER (width);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return NUMBER (align_bits);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return NUMBER (dims);
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return NUMBER (fp);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return NUMBER (global_mem);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return NUMBER (local_mem);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return NUMBER (max_alloc);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return NUMBER (max_group);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return give (d->items, MIN (d->dims, 3) * sizeof *d->items, size, to, told);
    default:
      return CL_INVALID_VALUE;
    }
}

cl_int
clCreateSubDevices (cl_device_id id, const cl_device_partition_property *by, cl_uint most, cl_device_id *to,
                    G_GNUC_UNUSED cl_uint *n)
{
  const FakeDevice *whole = (const void *) id;

  if (!whole->divisible)
    return CL_DEVICE_PARTITION_FAILED;
  g_assert_cmpint (by[0], ==, CL_DEVICE_PARTITION_BY_COUNTS);
  g_assert_cmpint (by[2], ==, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
  g_assert_cmpint (by[3], ==, 0);
  g_assert_cmpuint (most, ==, 1);
  part = *whole;
  part.units = (cl_uint) by[1];
  fake_parts++;
  *to = (cl_device_id) (void *) &part;
  return CL_SUCCESS;
}

cl_int
clReleaseDevice (cl_device_id id)
{
  g_assert_true ((void *) id == (void *) &part); /* a whole one isn't ours to release */
  fake_parts--;
  return CL_SUCCESS;
}

void
fake_install (cl_int code, const FakePlatform *const *platforms, guint n)
{
  memset (installed, 0, sizeof installed);
  if (n > 0)
    memcpy (installed, platforms, n * sizeof *platforms);
  installed_code = code;
}

LsClDevices *
fake_ask (cl_int code, const FakePlatform *const *platforms, guint n)
{
  fake_install (code, platforms, n);
  return ls_cl_devices_new ();
}
