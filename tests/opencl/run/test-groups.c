/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is made of a recorded step's events and of its work-groups' words, number by number: the driver is
 * played, its clock is an hour ahead of the host's, and the host's stands still unless the driver moves it.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

#include "core/error.h"
#include "tests/played_clock.h"

#define AHEAD_NS ((guint64) 3600 * 1000000000)
#define GROUPS   8 /* of 8 × 32 elements */
#define ABSENT   0xffffffffu
#define LANE     3

typedef struct {
  guint32 start_rank, finish_rank;
  guint64 start, end; /* ticks */
  guint32 unit, thread;
} Group;

static struct {
  guint64 kernel[3]; /* queued, started, ended: on the host's clock */
  cl_int kernel_status;
  const Group *groups;
  int events;
} fake;

static int kernel_event, other_event; /* their addresses */

/* ---- the driver: these are used in place of the loader's ---- */

cl_int
clEnqueueWriteBuffer (G_GNUC_UNUSED cl_command_queue queue, G_GNUC_UNUSED cl_mem to,
                      G_GNUC_UNUSED cl_bool blocking, G_GNUC_UNUSED size_t offset, G_GNUC_UNUSED size_t size,
                      G_GNUC_UNUSED const void *from, G_GNUC_UNUSED cl_uint n,
                      G_GNUC_UNUSED const cl_event *after, G_GNUC_UNUSED cl_event *event)
{
  return CL_SUCCESS;
}

/* Of the calibration, which takes no time here; or a probe's words, after a header of two. */
cl_int
clEnqueueReadBuffer (G_GNUC_UNUSED cl_command_queue queue, G_GNUC_UNUSED cl_mem from,
                     G_GNUC_UNUSED cl_bool blocking, G_GNUC_UNUSED size_t offset, size_t size, void *to,
                     G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after, cl_event *event)
{
  guint32 *words = to;

  if (event != NULL)
    {
      *event = (cl_event) (void *) &other_event;
      fake.events++;
      return CL_SUCCESS;
    }
  g_assert_cmpuint (size, ==, 4 * (2 + 8 * GROUPS));
  for (guint g = 0; g < GROUPS; g++)
    {
      const Group *group = &fake.groups[g];
      const guint32 eight[] = { group->start_rank,
                                group->finish_rank,
                                (guint32) group->start,
                                (guint32) (group->start >> 32),
                                (guint32) group->end,
                                (guint32) (group->end >> 32),
                                group->unit,
                                group->thread };
      memcpy (words + 2 + 8 * g, eight, sizeof eight);
    }
  return CL_SUCCESS;
}

cl_int
clEnqueueNDRangeKernel (G_GNUC_UNUSED cl_command_queue queue, G_GNUC_UNUSED cl_kernel kernel,
                        G_GNUC_UNUSED cl_uint dims, G_GNUC_UNUSED const size_t *offset,
                        G_GNUC_UNUSED const size_t *global, G_GNUC_UNUSED const size_t *local,
                        G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after, cl_event *event)
{
  *event = (cl_event) (void *) &kernel_event;
  fake.events++;
  played_ns += 10;
  fake.kernel[0] = played_ns;
  played_ns += 5;
  return CL_SUCCESS;
}

/* The kernel begins 20 ns after the host began to wait for it, lasts 700, and is known to have ended after 9.
 */
cl_int
clFinish (G_GNUC_UNUSED cl_command_queue queue)
{
  if (fake.kernel[0] == 0)
    return CL_SUCCESS;
  fake.kernel[1] = played_ns + 20;
  fake.kernel[2] = played_ns + 720;
  played_ns += 729;
  return CL_SUCCESS;
}

cl_int
clWaitForEvents (G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *events)
{
  return CL_SUCCESS;
}

cl_int
clGetEventProfilingInfo (cl_event event, cl_profiling_info what, G_GNUC_UNUSED size_t size, void *to,
                         G_GNUC_UNUSED size_t *told)
{
  cl_ulong ns = played_ns;

  if ((void *) event == (void *) &kernel_event)
    ns = fake.kernel[what == CL_PROFILING_COMMAND_QUEUED ? 0 : what == CL_PROFILING_COMMAND_START ? 1 : 2];
  ns += AHEAD_NS;
  memcpy (to, &ns, sizeof ns);
  return CL_SUCCESS;
}

cl_int
clGetEventInfo (G_GNUC_UNUSED cl_event event, G_GNUC_UNUSED cl_event_info what, size_t size, void *to,
                G_GNUC_UNUSED size_t *told)
{
  g_assert_cmpuint (size, ==, sizeof fake.kernel_status);
  memcpy (to, &fake.kernel_status, size);
  return CL_SUCCESS;
}

cl_int
clReleaseEvent (G_GNUC_UNUSED cl_event event)
{
  fake.events--;
  return CL_SUCCESS;
}

cl_int
clReleaseKernel (G_GNUC_UNUSED cl_kernel kernel)
{
  return CL_SUCCESS;
}

/* ---- a lane of one op ---- */

typedef struct {
  LsCl cl;
  LsClDevice device;
  LsPlan *plan;
  LsTrace *trace;
} Lane;

static void
lane_init (Lane *lane, guint ticks, const Group *groups)
{
  static const LsOpTest test = { .in = { { 32, 64 } } };

  memset (lane, 0, sizeof *lane);
  memset (&fake, 0, sizeof fake);
  played_ns = 5000000000;
  fake.groups = groups;
  lane->device.limits = (LsClLimits){
    .max_group = 256, .max_item = { 256, 256, 64 }, .local_mem = 1 << 15, .vector_width = 1, .units = 2
  };
  lane->plan = ls_plan_new_single (&ls_op_relu, &test, NULL);
  lane->cl.lane = LANE;
  lane->cl.device = &lane->device;
  lane->cl.plan = lane->plan;
  lane->cl.rung = (char *) "naive";
  lane->cl.ticks = ticks;
  ls_cl_launches_derive (&lane->cl);
  g_assert_cmpuint (lane->cl.single[0].groups, ==, GROUPS);
  lane->cl.schedule[0] = &lane->cl.single[0];
  lane->trace = ls_trace_new (LANE, 1, 100, NULL);
}

static void
lane_clear (Lane *lane)
{
  lane->cl.single[0].kernel[1][0] = NULL;
  ls_cl_launches_clear (&lane->cl);
  ls_plan_unref (lane->plan);
  ls_trace_free (lane->trace);
}

static gboolean
record (Lane *lane, LsRunResult *result, GError **error)
{
  const LsRun run = { .n_ops = 1, .n_steps = 1, .trace = lane->trace };

  return ls_cl_record_step (&lane->cl, &run, 1, result, error);
}

static const LsEvent *
event_of (const Lane *lane, LsEventKind kind, guint n)
{
  for (guint i = 0; i < lane->trace->rings[0].n; i++)
    if (lane->trace->rings[0].events[i].kind == kind && n-- == 0)
      return &lane->trace->rings[0].events[i];
  return NULL;
}

/* The n-th, which must be there. */
static const LsEvent *
event_needed (const Lane *lane, LsEventKind kind, guint n)
{
  const LsEvent *e = event_of (lane, kind, n);

  if (e == NULL)
    g_error ("there is no %s number %u", ls_event_kind_name (kind), n);
  return e;
}

static void
assert_event (const Lane *lane, LsEventKind kind, LsClock clock, guint64 start_ns, guint64 end_ns, guint op)
{
  const LsEvent *e = event_needed (lane, kind, 0);

  g_assert_null (event_of (lane, kind, 1));
  if (e->start_ns != start_ns || e->end_ns != end_ns)
    g_error ("%s lasts from %d to %d ns, not from %d to %d", ls_event_kind_name (kind),
             (int) (e->start_ns - 5000000000), (int) (e->end_ns - 5000000000), (int) (start_ns - 5000000000),
             (int) (end_ns - 5000000000));
  g_assert_cmpuint (LS_EVENT_CLOCK (e), ==, clock);
  g_assert_cmpuint (LS_EVENT_LANE (e), ==, LANE);
  g_assert_cmpuint (e->op, ==, op);
  g_assert_cmpuint (e->rank, ==, LS_RANK_NONE);
  g_assert_cmpuint (e->worker, ==, LS_WORKER_NONE);
  g_assert_cmpint (e->unit, ==, LS_UNIT_NONE);
}

/* Started 2 5 0 1 3 4 6 7; 7 is the first to finish. Three units, of which one is too large a number, and
 * three threads, of which one isn't told. The ticks go from 1000 to 2400: half a nanosecond each. */
static const Group groups[GROUPS] = {
  { 2, 1, 1200, 1400, 5, 900 }, { 3, 3, 1300, 1500, 6, 901 }, { 0, 2, 1000, 1450, 7, ABSENT },
  { 4, 4, 1400, 1600, 5, 901 }, { 5, 5, 1500, 1700, 6, 902 }, { 1, 6, 1100, 2000, 0x8000, 900 },
  { 6, 7, 1600, 2400, 7, 900 }, { 7, 0, 1100, 1150, 0, 901 },
};
static const guint started[GROUPS] = { 2, 5, 0, 1, 3, 4, 6, 7 };

static void
test_commands (void)
{
  const guint64 began = 5000000000;
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 ends = 0;
  Lane lane;

  lane_init (&lane, 2, groups);
  result.step_end_ns = &ends;
  g_assert_true (record (&lane, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fake.events, ==, 0);
  g_assert_cmpuint (result.start_ns, ==, began);
  g_assert_cmpuint (result.end_ns, ==, began + 744);
  g_assert_cmpuint (ends, ==, began + 744);
  assert_event (&lane, LS_EVENT_STEP, LS_CLOCK_HOST, began, began + 744, LS_OP_NONE);
  assert_event (&lane, LS_EVENT_HOST_WAIT, LS_CLOCK_HOST, began + 15, began + 744, LS_OP_NONE);
  assert_event (&lane, LS_EVENT_ENQUEUE, LS_CLOCK_HOST, began, began + 15, 0);
  assert_event (&lane, LS_EVENT_QUEUED, LS_CLOCK_DEVICE, began + 10, began + 35, 0);
  assert_event (&lane, LS_EVENT_KERNEL, LS_CLOCK_DEVICE, began + 35, began + 735, 0);
  lane_clear (&lane);
}

/* Group by group in the order that they started, ticks laid along the kernel's 700 ns. */
static void
test_groups (void)
{
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;
  static const gint units[] = { 7, LS_UNIT_NONE, 5, 6, 5, 6, 7, 0 };
  static const guint workers[] = { LS_WORKER_NONE, 0, 0, 1, 1, 2, 0, 1 };
  Lane lane;

  lane_init (&lane, 2, groups);
  g_assert_true (record (&lane, &result, &error));
  for (guint i = 0; i < GROUPS; i++)
    {
      const LsEvent *e = event_needed (&lane, LS_EVENT_GROUP, i);
      const Group *g = &groups[started[i]];

      g_assert_cmpuint (e->tile, ==, started[i]); /* along the rows of a grid of 4 × 2 */
      g_assert_cmpuint (e->rank, ==, g->finish_rank);
      g_assert_cmpuint (e->start_ns, ==, fake.kernel[1] + (g->start - 1000) / 2);
      g_assert_cmpuint (e->end_ns, ==, fake.kernel[1] + (g->end - 1000) / 2);
      g_assert_cmpint (e->unit, ==, units[i]);
      g_assert_cmpuint (e->worker, ==, workers[i]);
      g_assert_cmpuint (LS_EVENT_CLOCK (e), ==, LS_CLOCK_DEVICE);
      g_assert_cmpuint (LS_EVENT_LANE (e), ==, LANE);
      g_assert_cmpuint (e->from, ==, LS_WORKER_NONE);
    }
  g_assert_null (event_of (&lane, LS_EVENT_GROUP, GROUPS));
  g_assert_cmpuint (lane.trace->rings[0].dropped, ==, 0);
  lane_clear (&lane);
}

/* Where the device counts no ranks, its ticks tell who was when; of two at once the lower number is first. */
static void
test_ranks_of_ticks (void)
{
  static const guint order[GROUPS] = { 2, 5, 7, 0, 1, 3, 4, 6 };
  static const guint finish[GROUPS] = { 1, 3, 2, 4, 5, 6, 7, 0 };
  Group uncounted[GROUPS];
  LsRunResult result = { 0 };
  Lane lane;

  memcpy (uncounted, groups, sizeof groups);
  for (guint g = 0; g < GROUPS; g++)
    uncounted[g].start_rank = uncounted[g].finish_rank = ABSENT;
  lane_init (&lane, 2, uncounted);
  g_assert_true (record (&lane, &result, NULL));
  for (guint i = 0; i < GROUPS; i++)
    {
      const LsEvent *e = event_needed (&lane, LS_EVENT_GROUP, i);
      g_assert_cmpuint (e->tile, ==, order[i]);
      g_assert_cmpuint (e->rank, ==, finish[order[i]]);
    }
  lane_clear (&lane);
}

/* Without ticks, or with such that can't be times, groups have an order: their places in it stand for times.
 */
static void
test_order_only (void)
{
  for (guint how = 0; how < 4; how++)
    {
      Group odd[GROUPS];
      LsRunResult result = { 0 };
      Lane lane;

      memcpy (odd, groups, sizeof groups);
      if (how == 1)
        odd[3].end = odd[3].start - 1; /* backwards */
      if (how == 2)
        odd[6].start = 0; /* none */
      for (guint g = 0; g < GROUPS && how == 3; g++)
        odd[g].start = odd[g].end = 77; /* a counter that stands */
      lane_init (&lane, how == 0 ? 0 : 2, odd);
      g_assert_true (record (&lane, &result, NULL));
      for (guint i = 0; i < GROUPS; i++)
        {
          const LsEvent *e = event_needed (&lane, LS_EVENT_GROUP, i);
          g_assert_cmpuint (e->tile, ==, started[i]);
          g_assert_cmpuint (e->start_ns, ==, i);
          g_assert_cmpuint (e->end_ns, ==, groups[started[i]].finish_rank);
          g_assert_cmpuint (e->rank, ==, groups[started[i]].finish_rank);
          g_assert_cmpuint (LS_EVENT_CLOCK (e), ==, LS_CLOCK_ORDER);
        }
      lane_clear (&lane);
    }
}

/* Ranks that are no order: nothing is told of the groups, and all are counted as missing. */
static void
test_no_order (void)
{
  for (guint how = 0; how < 3; how++)
    {
      Group odd[GROUPS];
      LsRunResult result = { 0 };
      Lane lane;

      memcpy (odd, groups, sizeof groups);
      if (how == 0)
        odd[7].start_rank = 0; /* twice */
      else if (how == 1)
        odd[7].start_rank = GROUPS;
      else
        odd[7].finish_rank = GROUPS;
      lane_init (&lane, 2, odd);
      g_assert_true (record (&lane, &result, NULL));
      g_assert_null (event_of (&lane, LS_EVENT_GROUP, 0));
      g_assert_cmpuint (lane.trace->rings[0].dropped, ==, GROUPS);
      g_assert_nonnull (event_of (&lane, LS_EVENT_KERNEL, 0));
      lane_clear (&lane);
    }
}

/* A command that failed on the device is said to, though the queue finished; and events are let go. */
static void
test_failed (void)
{
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;
  Lane lane;

  lane_init (&lane, 2, groups);
  fake.kernel_status = CL_OUT_OF_RESOURCES;
  g_assert_false (record (&lane, &result, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "clEnqueueNDRangeKernel failed for "));
  g_assert_nonnull (strstr (error->message, "(relu): CL_OUT_OF_RESOURCES"));
  g_assert_cmpint (fake.events, ==, 0);
  lane_clear (&lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/groups/commands", test_commands);
  g_test_add_func ("/groups/groups", test_groups);
  g_test_add_func ("/groups/ranks-of-ticks", test_ranks_of_ticks);
  g_test_add_func ("/groups/order-only", test_order_only);
  g_test_add_func ("/groups/no-order", test_no_order);
  g_test_add_func ("/groups/failed", test_failed);
  return g_test_run ();
}
