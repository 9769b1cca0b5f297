/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items in flight in each compute unit, each with a chain of its own (kernels_cl/flight.cl): as many as
 * hide the wait of one behind the work of the others.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>

#include "backends/flight.h"
#include "backends/opencl/device/cl_error.h"
#include "core/error.h"

#define MOST      4096 /* items of a unit */
#define GROUP     256
#define MAX_TURNS (1 << 28)

typedef struct {
  LsCl *self;
  gboolean loads;
  size_t units;
  guint32 n; /* lines of the ring */
  cl_program program;
  cl_kernel kernel;
  cl_mem ring, values; /* values: of each item its place, or its sum */
} Flight;

static void
flight_end (gpointer data)
{
  Flight *f = data;

  if (f->kernel)
    clReleaseKernel (f->kernel);
  if (f->program)
    clReleaseProgram (f->program);
  ls_cl_buffer_clear (f->self, &f->ring);
  ls_cl_buffer_clear (f->self, &f->values);
  g_free (f);
}

static gboolean
write_all (Flight *f, cl_mem buffer, gconstpointer values, gsize bytes, GError **error)
{
  const cl_int code = clEnqueueWriteBuffer (f->self->queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL);

  return code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueWriteBuffer", f->self->info->name);
}

static gboolean
make_ring (Flight *f, GError **error)
{
  const LsDeviceInfo *info = f->self->info;
  gint64 bytes = LS_FLIGHT_BYTES;
  g_autofree guint32 *ring = NULL;

  if (info->max_alloc > 0)
    bytes = MIN (bytes, info->max_alloc);
  if (info->global_mem > 0)
    bytes = MIN (bytes, info->global_mem / 8);
  f->n = (guint32) (bytes / (LS_FLIGHT_LINE * 4));
  bytes = (gint64) f->n * LS_FLIGHT_LINE * 4;
  ring = f->n > 0 ? g_try_malloc ((gsize) bytes) : NULL;
  if (ring == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY,
                           _("There is too little memory to chase through."));
      return FALSE;
    }
  ls_flight_ring (ring, f->n);
  f->ring = ls_cl_buffer_new (f->self, (gsize) bytes, _("the ring’s memory"), error);
  return f->ring != NULL && write_all (f, f->ring, ring, (gsize) bytes, error);
}

static gpointer
flight_begin (gpointer data, gboolean loads, GError **error)
{
  static const char *const names[] = { "flight.cl", NULL };
  LsCl *self = data;
  Flight *f = g_new0 (Flight, 1);
  g_autofree char *source = ls_cl_source_load (NULL, names, error);
  cl_int code = CL_SUCCESS;

  f->self = self;
  f->loads = loads;
  f->units = (size_t) MAX (self->device->limits.units, 1);
  f->program = source != NULL
                 ? ls_cl_program_build (&self->builder, names[0], source, LS_CL_BUILD_OPTIONS, error)
                 : NULL;
  if (f->program && (!loads || make_ring (f, error)))
    f->values = ls_cl_buffer_new (self, f->units * MOST * sizeof (guint32), _("the chains’ memory"), error);
  if (!f->values)
    {
      flight_end (f);
      return NULL;
    }
  f->kernel = clCreateKernel (f->program, loads ? "flight_loads" : "flight_sums", &code);
  if (code == CL_SUCCESS && loads)
    code = clSetKernelArg (f->kernel, 0, sizeof f->ring, &f->ring);
  if (code == CL_SUCCESS)
    code = clSetKernelArg (f->kernel, loads, sizeof f->values, &f->values);
  if (code == CL_SUCCESS)
    return f;
  ls_cl_fail (error, code, "clCreateKernel", names[0]);
  flight_end (f);
  return NULL;
}

/* The launch's length, ns; 0: it failed. */
static double
launch (Flight *f, guint in_flight, cl_int turns, GError **error)
{
  const size_t global = f->units * in_flight;
  size_t items = MIN (in_flight, GROUP);
  cl_int code = clSetKernelArg (f->kernel, f->loads ? 2 : 1, sizeof turns, &turns);
  guint64 start;

  while (items > f->self->device->limits.max_group) /* halves of a power of two: groups of them make up all */
    items /= 2;
  start = ls_clock_ns ();
  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel (f->self->queue, f->kernel, 1, NULL, &global, &items, 0, NULL, NULL);
  if (code == CL_SUCCESS)
    code = ls_cl_finish (f->self, f->self->queue);
  if (code == CL_SUCCESS)
    return (double) MAX (ls_clock_ns () - start, 1);
  ls_cl_fail (error, code, "clEnqueueNDRangeKernel", f->self->info->name);
  return 0;
}

/* Each chain begins at a place of its own, and goes on where it was. */
static gboolean
place (Flight *f, guint in_flight, GError **error)
{
  const gsize all = f->units * in_flight;
  g_autofree guint32 *at = g_new0 (guint32, all);

  for (gsize i = 0; i < all && f->loads; i++)
    at[i] = (guint32) ((guint64) f->n * i / all) * LS_FLIGHT_LINE;
  return write_all (f, f->values, at, all * sizeof *at, error);
}

static gboolean
flight_measure (gpointer data, guint in_flight, double seconds, GArray *us, GError **error)
{
  Flight *f = data;
  const guint64 until = ls_clock_ns () + (guint64) (seconds * 1e9);
  cl_int turns = 64;
  double ns;

  if (in_flight == 0 || in_flight > MOST || (in_flight & (in_flight - 1)) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("A unit is kept at %d work-items at most."), MOST);
      return FALSE;
    }
  if (!place (f, in_flight, error))
    return FALSE;
  while ((ns = launch (f, in_flight, turns, error)) < LS_FLIGHT_LONG_NS && turns < MAX_TURNS)
    {
      if (ns <= 0)
        return FALSE;
      turns *= 2;
    }
  do
    {
      ns = launch (f, in_flight, turns, error);
      if (ns <= 0)
        return FALSE;
      const double each = ns / 1e3 / ((double) turns * (double) f->units * in_flight);
      g_array_append_val (us, each);
  } while (ls_clock_ns () < until || us->len < 3);
  return TRUE;
}

const LsBackendFlight ls_cl_flight = { flight_begin, flight_measure, flight_end };
