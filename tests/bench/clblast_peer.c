/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CLBlast as a peer of the OpenCL lane: its sgemm with the parameters it brings along, on the device whose
 * name the first argument is part of, else on the first one. The library is opened here, and only one
 * function of it is called, declared as clblast_c.h has it.
 */
#include "peer.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 16

/* CLBlastLayout, CLBlastTranspose of clblast_c.h. */
enum { ROW_MAJOR = 101, NO = 111, YES = 112 };

typedef int (*Sgemm) (int layout, int ta, int tb, size_t m, size_t n, size_t k, float alpha, cl_mem a,
                      size_t a_offset, size_t lda, cl_mem b, size_t b_offset, size_t ldb, float beta,
                      cl_mem c, size_t c_offset, size_t ldc, cl_command_queue *queue, cl_event *event);

static Sgemm sgemm;
static cl_context context;
static cl_command_queue queue;
static cl_mem a, b, c;
static long shape[5]; /* ta, tb, m, n, k */

static cl_mem
buffer_of (size_t n)
{
  float *values = peer_floats (n);
  cl_mem buffer = values != NULL ? clCreateBuffer (context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                                   n * sizeof (float), values, NULL)
                                 : NULL;

  free (values);
  return buffer;
}

static void
release (cl_mem *buffer)
{
  if (*buffer != NULL)
    clReleaseMemObject (*buffer);
  *buffer = NULL;
}

static bool
run (unsigned n, char *why)
{
  const size_t m = (size_t) shape[2], cols = (size_t) shape[3], k = (size_t) shape[4];
  int code = 0;

  for (unsigned i = 0; i < n && code == 0; i++)
    code = sgemm (ROW_MAJOR, shape[0] ? YES : NO, shape[1] ? YES : NO, m, cols, k, 1, a, 0, shape[0] ? m : k,
                  b, 0, shape[1] ? k : cols, 0, c, 0, cols, &queue, NULL);
  if (code == 0)
    code = clFinish (queue);
  if (code != 0)
    snprintf (why, PEER_WHY, "CLBlast failed with code %d", code);
  return code == 0;
}

/* The first run compiles: it belongs to the preparation. */
static bool
prepare (const char *spec, char *why)
{
  release (&a);
  release (&b);
  release (&c);
  if (strncmp (spec, "products\t", 9) != 0 || !peer_numbers (spec + 9, shape, 5)
      || shape[2] * shape[3] * shape[4] == 0)
    {
      snprintf (why, PEER_WHY, "this is no single product");
      return false;
    }
  a = buffer_of ((size_t) (shape[2] * shape[4]));
  b = buffer_of ((size_t) (shape[3] * shape[4]));
  c = buffer_of ((size_t) (shape[2] * shape[3]));
  if (a == NULL || b == NULL || c == NULL)
    {
      snprintf (why, PEER_WHY, "the device has no memory for it");
      return false;
    }
  return run (1, why);
}

static cl_device_id
find_device (const char *wish, char *name, size_t room)
{
  cl_platform_id platforms[MAX_DEVICES];
  cl_device_id devices[MAX_DEVICES];
  cl_uint n_platforms = 0, n;

  if (clGetPlatformIDs (MAX_DEVICES, platforms, &n_platforms) != CL_SUCCESS)
    return NULL;
  for (cl_uint p = 0; p < n_platforms && p < MAX_DEVICES; p++)
    {
      if (clGetDeviceIDs (platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &n) != CL_SUCCESS)
        continue;
      for (cl_uint d = 0; d < n && d < MAX_DEVICES; d++)
        {
          name[0] = '\0';
          clGetDeviceInfo (devices[d], CL_DEVICE_NAME, room, name, NULL);
          if (strstr (name, wish) != NULL)
            return devices[d];
        }
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "libclblast.so.1", "libclblast.so" };
  static const Peer peer = { prepare, NULL, run };
  void *library = NULL;
  char name[128], title[256];
  cl_device_id device;

  for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    return peer_refuse ("there is no libclblast.so.1");
  *(void **) &sgemm = dlsym (library, "CLBlastSgemm");
  if (sgemm == NULL)
    return peer_refuse ("libclblast.so.1 has no CLBlastSgemm");
  device = find_device (argc > 1 ? argv[1] : "", name, sizeof name);
  if (device == NULL)
    return peer_refuse ("there is no OpenCL device of that name");
  context = clCreateContext (NULL, 1, &device, NULL, NULL, NULL);
  queue = context != NULL ? clCreateCommandQueue (context, device, 0, NULL) : NULL;
  if (queue == NULL)
    return peer_refuse ("the OpenCL device can’t be opened");
  snprintf (title, sizeof title, "CLBlast, untuned, on %s", name);
  return peer_main (&peer, title, 1);
}
