/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items in flight on a device that is played: 7 units, each of which takes 3 ns for one turn of one
 * item, and a clock that only its work moves.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

#include "backends/flight.h"
#include "core/error.h"
#include "tests/played_clock.h"

#define UNITS   7
#define TURN_NS 3 /* of one item of one unit */

static int program, kernel, buffers[2]; /* their addresses */

static struct {
  cl_int turns;
  guint64 waiting_ns;   /* for the next clFinish */
  guint32 *at;          /* where the chains begin, as written last */
  gsize n_at;           /* of them */
  size_t global, group; /* of the last launch */
  gsize bytes[2];
  guint n_buffers, launches;
} fake;

/* ---- the driver: these are used in place of the loader's ---- */

cl_program
clCreateProgramWithSource (G_GNUC_UNUSED cl_context context, G_GNUC_UNUSED cl_uint n,
                           G_GNUC_UNUSED const char **texts, G_GNUC_UNUSED const size_t *lengths,
                           cl_int *code)
{
  *code = CL_SUCCESS;
  return (cl_program) (void *) &program;
}

cl_int
clBuildProgram (G_GNUC_UNUSED cl_program built, G_GNUC_UNUSED cl_uint n,
                G_GNUC_UNUSED const cl_device_id *devices, G_GNUC_UNUSED const char *options,
                G_GNUC_UNUSED void (CL_CALLBACK *told) (cl_program, void *), G_GNUC_UNUSED void *data)
{
  return CL_SUCCESS;
}

cl_kernel
clCreateKernel (G_GNUC_UNUSED cl_program of, G_GNUC_UNUSED const char *name, cl_int *code)
{
  *code = CL_SUCCESS;
  return (cl_kernel) (void *) &kernel;
}

cl_mem
clCreateBuffer (G_GNUC_UNUSED cl_context context, G_GNUC_UNUSED cl_mem_flags flags, size_t size,
                G_GNUC_UNUSED void *host, cl_int *code)
{
  *code = CL_SUCCESS;
  fake.bytes[fake.n_buffers] = size;
  return (cl_mem) (void *) &buffers[fake.n_buffers++];
}

cl_int
clGetMemObjectInfo (cl_mem buffer, cl_mem_info what, G_GNUC_UNUSED size_t size, void *to,
                    G_GNUC_UNUSED size_t *told)
{
  if (what == CL_MEM_ASSOCIATED_MEMOBJECT)
    memset (to, 0, sizeof (cl_mem));
  else
    *(size_t *) to = fake.bytes[(int *) (void *) buffer - buffers];
  return CL_SUCCESS;
}

cl_int
clEnqueueFillBuffer (G_GNUC_UNUSED cl_command_queue queue, G_GNUC_UNUSED cl_mem to,
                     G_GNUC_UNUSED const void *pattern, G_GNUC_UNUSED size_t length,
                     G_GNUC_UNUSED size_t offset, G_GNUC_UNUSED size_t size, G_GNUC_UNUSED cl_uint n,
                     G_GNUC_UNUSED const cl_event *after, G_GNUC_UNUSED cl_event *event)
{
  return CL_SUCCESS;
}

cl_int
clEnqueueWriteBuffer (G_GNUC_UNUSED cl_command_queue queue, cl_mem to, G_GNUC_UNUSED cl_bool blocking,
                      G_GNUC_UNUSED size_t offset, size_t size, const void *from, G_GNUC_UNUSED cl_uint n,
                      G_GNUC_UNUSED const cl_event *after, G_GNUC_UNUSED cl_event *event)
{
  g_assert_cmpuint (size, <=, fake.bytes[(int *) (void *) to - buffers]);
  g_free (fake.at);
  fake.at = g_memdup2 (from, size);
  fake.n_at = size / sizeof *fake.at;
  return CL_SUCCESS;
}

cl_int
clSetKernelArg (G_GNUC_UNUSED cl_kernel of, G_GNUC_UNUSED cl_uint i, size_t size, const void *value)
{
  if (size == sizeof fake.turns)
    memcpy (&fake.turns, value, size);
  return CL_SUCCESS;
}

cl_int
clEnqueueNDRangeKernel (G_GNUC_UNUSED cl_command_queue queue, G_GNUC_UNUSED cl_kernel launched,
                        G_GNUC_UNUSED cl_uint dims, G_GNUC_UNUSED const size_t *offset, const size_t *global,
                        const size_t *local, G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after,
                        G_GNUC_UNUSED cl_event *event)
{
  fake.global = *global;
  fake.group = *local;
  fake.waiting_ns += (guint64) fake.turns * (*global / UNITS) * TURN_NS;
  fake.launches++;
  return CL_SUCCESS;
}

cl_int
clFinish (G_GNUC_UNUSED cl_command_queue queue)
{
  played_ns += fake.waiting_ns;
  fake.waiting_ns = 0;
  return CL_SUCCESS;
}

cl_int
clReleaseKernel (G_GNUC_UNUSED cl_kernel of)
{
  return CL_SUCCESS;
}

cl_int
clReleaseProgram (G_GNUC_UNUSED cl_program of)
{
  return CL_SUCCESS;
}

cl_int
clReleaseMemObject (G_GNUC_UNUSED cl_mem of)
{
  fake.n_buffers--;
  return CL_SUCCESS;
}

/* ---- the tests ---- */

typedef struct {
  LsCl cl;
  LsClDevice device;
  LsDeviceInfo info;
} Lane;

/* max_group: items that the device lets work together. */
static gpointer
begin (Lane *lane, gboolean loads, size_t max_group)
{
  g_autoptr (GError) error = NULL;
  gpointer flight;

  memset (lane, 0, sizeof *lane);
  g_free (fake.at);
  memset (&fake, 0, sizeof fake);
  lane->device.limits = (LsClLimits){ .max_group = max_group, .units = UNITS };
  lane->info = (LsDeviceInfo){ .name = (char *) "played", .max_alloc = 1 << 20 };
  lane->device.info = &lane->info;
  lane->cl.device = lane->cl.builder.device = &lane->device;
  lane->cl.info = &lane->info;
  flight = ls_cl_flight.begin (&lane->cl, loads, &error);
  g_assert_no_error (error);
  return flight;
}

/* A result's time is that of one turn of one item, with all units at work: a seventh of what a unit takes.
 * Each time is of a launch that lasts long enough, and there are as many as fit into the time, and three. */
static void
test_times (void)
{
  for (guint loads = 0; loads < 2; loads++)
    for (guint in_flight = 1; in_flight <= 4096; in_flight *= 4)
      {
        Lane lane;
        gpointer flight = begin (&lane, loads, 1024);
        g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
        g_autoptr (GError) error = NULL;
        const guint64 start = played_ns;

        g_assert_true (ls_cl_flight.measure (flight, in_flight, .05, us, &error));
        g_assert_no_error (error);
        g_assert_cmpuint (us->len, >=, 3);
        for (guint i = 0; i < us->len; i++)
          if (ABS (g_array_index (us, double, i) * 1e3 * UNITS - TURN_NS) > 1e-9)
            g_error ("%u in flight: a result takes %g ns, not %g", in_flight,
                     g_array_index (us, double, i) * 1e3, (double) TURN_NS / UNITS);
        g_assert_cmpuint (fake.global, ==, UNITS * in_flight);
        g_assert_cmpuint (fake.group, ==, MIN (in_flight, 256));
        g_assert_cmpuint ((guint64) fake.turns * in_flight * TURN_NS, >=, LS_FLIGHT_LONG_NS);
        g_assert_cmpuint (played_ns - start, >=, 50000000);
        ls_cl_flight.end (flight);
        g_assert_cmpuint (fake.n_buffers, ==, 0);
        g_assert_cmpint (lane.cl.memory.used, ==, 0);
      }
}

/* A group is no larger than the device takes, and groups make up all that is in flight. */
static void
test_groups (void)
{
  static const struct {
    size_t max_group, group; /* of 1024 in flight */
  } rows[] = { { 1, 1 }, { 2, 2 }, { 64, 64 }, { 96, 64 }, { 255, 128 }, { 384, 256 }, { 4096, 256 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Lane lane;
      gpointer flight = begin (&lane, i % 2, rows[i].max_group);
      g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GError) error = NULL;

      g_assert_true (ls_cl_flight.measure (flight, 1024, 0, us, &error));
      g_assert_cmpuint (fake.global, ==, UNITS * 1024);
      if (fake.group != rows[i].group)
        g_error ("where %zu items at most work together it is %zu, not %zu", rows[i].max_group, fake.group,
                 rows[i].group);
      ls_cl_flight.end (flight);
    }
}

/* Chains begin at lines of their own, spread over the whole ring; sums at zero. */
static void
test_places (void)
{
  for (guint loads = 0; loads < 2; loads++)
    {
      Lane lane;
      gpointer flight = begin (&lane, loads, 256);
      const guint32 ring = loads ? (1 << 20) / 4 : 0; /* of as much as the device lets have */
      g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (fake.n_buffers, ==, 1 + loads);
      if (loads)
        g_assert_cmpuint (fake.bytes[0], ==, 4 * ring);
      g_assert_true (ls_cl_flight.measure (flight, 16, 0, us, &error));
      g_assert_cmpuint (us->len, ==, 3);
      g_assert_cmpuint (fake.n_at, ==, UNITS * 16);
      for (guint i = 0; i < fake.n_at; i++)
        {
          g_assert_cmpuint (fake.at[i] % LS_FLIGHT_LINE, ==, 0);
          if (!loads)
            g_assert_cmpuint (fake.at[i], ==, 0);
          else if (i > 0)
            g_assert_cmpuint (fake.at[i], >, fake.at[i - 1]);
        }
      if (loads)
        g_assert_cmpuint (fake.at[fake.n_at - 1], >=, ring - ring / 100);
      ls_cl_flight.end (flight);
    }
}

static void
test_refused (void)
{
  static const guint wrong[] = { 0, 3, 4097, 8192 };
  Lane lane;
  gpointer flight = begin (&lane, TRUE, 256);
  g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (ls_cl_flight.measure (flight, wrong[i], 0, us, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "4096 work-items at most"));
    }
  g_assert_cmpuint (us->len + fake.launches, ==, 0);
  ls_cl_flight.end (flight);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl/flight/times", test_times);
  g_test_add_func ("/opencl/flight/groups", test_groups);
  g_test_add_func ("/opencl/flight/places", test_places);
  g_test_add_func ("/opencl/flight/refused", test_refused);
  return g_test_run ();
}
