/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a recorded step tells: every work-group once, on its tile, within its kernel's span on the host's
 * clock; commands in order; copies with their bytes; clocks that agree.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>
#include <string.h>

#include "backends/opencl/device/calibrate.h"
#include "backends/opencl/device/cl.h"
#include "backends/opencl/kernels/kernel.h"

static const gint64 mnist_shape[3] = { 1, 28, 28 };

/* The kernel event of that op which the group lies in, or NULL. */
static gboolean
within_a_kernel (const LsTrace *trace, const LsEvent *group)
{
  const LsRing *ring = &trace->rings[0];
  for (guint i = 0; i < ring->n; i++)
    {
      const LsEvent *e = &ring->events[i];
      if (e->kind == LS_EVENT_KERNEL && e->op == group->op
          && (double) group->start_ns >= (double) e->start_ns - trace->clock_error_ns
          && (double) group->end_ns <= (double) e->end_ns + trace->clock_error_ns)
        return TRUE;
    }
  return FALSE;
}

/* Every tile of every launched op once for each part of its sum, every rank once: by when the work-groups
 * ended, where the ranks are made of the same ticks as the times (PoCL; a device that counts does so a little
 * after it looks at its clock). */
static void
check_groups (const RigLane *lane, const LsTrace *trace, guint op)
{
  const LsTiling *tiling = &lane->backend->tilings (lane->instance)[op];
  const LsRing *ring = &trace->rings[0];
  const guint n_tiles = tiling->grid_rows * tiling->grid_cols, splits = MAX (tiling->splits, 1);
  g_autofree guint *seen = g_new0 (guint, (gsize) n_tiles * splits),
                   *ranks = g_new0 (guint, (gsize) n_tiles * splits);
  g_autofree guint64 *end_of_rank = g_new0 (guint64, (gsize) n_tiles * splits);
  guint n = 0;

  for (guint i = 0; i < ring->n; i++)
    {
      const LsEvent *e = &ring->events[i];
      if (e->kind != LS_EVENT_GROUP || e->op != op)
        continue;
      n++;
      g_assert_cmpuint (e->tile, <, n_tiles * splits);
      g_assert_cmpuint (e->rank, <, n_tiles * splits);
      g_assert_cmpuint (e->end_ns, >=, LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER ? 0 : e->start_ns);
      seen[e->tile]++;
      ranks[e->rank]++;
      end_of_rank[e->rank] = LS_EVENT_CLOCK (e) == LS_CLOCK_DEVICE ? e->end_ns : 0;
      if (LS_EVENT_CLOCK (e) == LS_CLOCK_DEVICE)
        g_assert_true (within_a_kernel (trace, e));
    }
  if (tiling->leader != op || tiling->reference)
    g_assert_cmpuint (n, ==, 0);
  else if (n > 0 || lane->options->batch_from == LS_BATCH_FROM_DEVICE)
    {
      g_assert_cmpuint (n, ==, n_tiles * splits);
      for (guint i = 0; i < n; i++)
        {
          g_assert_true (seen[i] == 1 && ranks[i] == 1);
          if (i > 0 && lane->backend->device (lane->instance)->tells == LS_TELLS_THREADS)
            g_assert_cmpuint (end_of_rank[i - 1], <=, end_of_rank[i]);
        }
    }
}

static guint
count (const LsTrace *trace, LsEventKind kind)
{
  guint n = 0;
  for (guint i = 0; i < trace->rings[0].n; i++)
    n += trace->rings[0].events[i].kind == kind;
  return n;
}

/* The in-order queue runs one command after the other; all of it between the host's two stamps. */
static void
check_commands (const LsTrace *trace, const LsRunResult *result)
{
  const LsRing *ring = &trace->rings[0];
  const double slack = trace->clock_error_ns;
  guint64 last_ns = 0, queued_ns = 0;

  for (guint i = 0; i < ring->n; i++)
    {
      const LsEvent *e = &ring->events[i];
      gboolean on_device = e->kind == LS_EVENT_KERNEL || e->kind == LS_EVENT_COPY_IN
                           || e->kind == LS_EVENT_COPY_OUT;
      if (e->kind == LS_EVENT_GROUP)
        continue;
      g_assert_cmpuint (e->end_ns, >=, e->start_ns);
      g_assert_cmpfloat ((double) e->start_ns + slack, >=, (double) result->start_ns);
      g_assert_cmpfloat ((double) e->end_ns, <=, (double) result->end_ns + slack);
      queued_ns = e->kind == LS_EVENT_QUEUED ? e->end_ns : queued_ns;
      if (on_device)
        {
          g_assert_cmpuint (e->start_ns, >=, last_ns);
          g_assert_cmpuint (e->start_ns, ==, queued_ns); /* it is queued until it starts, and no longer */
          last_ns = e->end_ns;
        }
    }
  g_assert_cmpuint (count (trace, LS_EVENT_STEP), ==, 1);
  g_assert_cmpuint (count (trace, LS_EVENT_HOST_WAIT), ==, 1);
  g_assert_cmpuint (count (trace, LS_EVENT_QUEUED), ==, count (trace, LS_EVENT_ENQUEUE));
  g_assert_cmpuint (count (trace, LS_EVENT_QUEUED), ==,
                    count (trace, LS_EVENT_KERNEL) + count (trace, LS_EVENT_COPY_IN)
                      + count (trace, LS_EVENT_COPY_OUT));
  /* the host gets the loss, and nothing else */
  g_assert_cmpuint (count (trace, LS_EVENT_COPY_OUT), ==, 1);
  for (guint i = 0; i < ring->n; i++)
    if (ring->events[i].kind == LS_EVENT_COPY_OUT)
      g_assert_true (ring->events[i].tile == sizeof (float) && ring->events[i].op == LS_OP_NONE);
}

/* ---- a device whose clock is an hour ahead ---- */

#define AN_HOUR_NS G_GUINT64_CONSTANT (3600000000000)

static guint64 ahead_ns;

/* In the library's place. */
CL_API_ENTRY cl_int CL_API_CALL
clGetEventProfilingInfo (cl_event event, cl_profiling_info what, size_t room, void *value, size_t *size)
{
  cl_int code;

  code = RIG_REAL (clGetEventProfilingInfo) (event, what, room, value, size);
  if (code == CL_SUCCESS && room == sizeof (cl_ulong))
    *(cl_ulong *) value += ahead_ns;
  return code;
}

/* The device's threads are numbered as they appear, from 0, each the same throughout the step. */
static void
check_threads (const RigLane *lane, const LsTrace *trace)
{
  gboolean seen[LS_MAX_WORKERS] = { FALSE };
  guint n = 0;

  for (guint i = 0; i < trace->rings[0].n; i++)
    {
      const LsEvent *e = &trace->rings[0].events[i];
      if (e->kind != LS_EVENT_GROUP || e->worker == LS_WORKER_NONE)
        continue;
      g_assert_cmpuint (e->worker, <, LS_MAX_WORKERS);
      if (!seen[e->worker])
        g_assert_cmpuint (e->worker, ==, n++);
      seen[e->worker] = TRUE;
    }
  if (lane->backend->device (lane->instance)->tells == LS_TELLS_THREADS)
    g_assert_cmpuint (n, >, 0);
}

/* A device that has ticks has them for every kernel: none that leads out of its kernel's span. */
static void
check_clocks (const RigLane *lane, const LsTrace *trace)
{
  guint timed = 0, ordered = 0;

  for (guint i = 0; i < trace->rings[0].n; i++)
    if (trace->rings[0].events[i].kind == LS_EVENT_GROUP)
      {
        if (LS_EVENT_CLOCK (&trace->rings[0].events[i]) == LS_CLOCK_ORDER)
          ordered++;
        else
          timed++;
      }
  check_threads (lane, trace);
  g_test_message ("%u groups with times, %u with their order; clock error %.0f ns", timed, ordered,
                  trace->clock_error_ns);
  if (lane->backend->device (lane->instance)->tells == LS_TELLS_THREADS)
    g_assert_cmpuint (timed, >, 0);
}

static void
check_record (const char *model, const char *option, const char *value)
{
  g_autoptr (LsPlan) plan = rig_plan (model, mnist_shape, 10, 32, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, option, value, NULL);

  for (guint step = 0; step < 3; step++)
    {
      float loss = 0;
      LsRunResult result = { .losses = &loss };
      g_autoptr (LsTrace) trace = rig_lane_record (lane, step, &result);
      g_assert_cmpfloat (loss, >, 0);
      g_assert_cmpuint (trace->rings[0].dropped, ==, 0);
      g_assert_cmpfloat (trace->clock_error_ns, >, 0);
      g_assert_cmpfloat (trace->clock_error_ns, <, 1e6);
      check_commands (trace, &result);
      check_clocks (lane, trace);
      for (guint op = 0; op < plan->n_ops; op++)
        check_groups (lane, trace, op);
    }
}

static void
test_rungs (gconstpointer rung)
{
  check_record ("mlp", "kernel", rung);
  check_record ("conv 8 3 pad 1, relu, maxpool 2, flatten, dense 10", "kernel", rung);
}

static void
test_unfused (void)
{
  check_record ("mlp", "fusion", "off");
}

/* Its times are mapped onto the host's clock: what it says of a step lies within the step. */
static void
test_another_clock (void)
{
  ahead_ns = AN_HOUR_NS;
  check_record ("mlp", NULL, NULL);
  ahead_ns = -AN_HOUR_NS;
  check_record ("mlp", NULL, NULL);
  ahead_ns = 0;
}

/* The host's own work shows, before its first copy is enqueued: that of gathering, where the host does it. */
static void
check_gathered (const LsTrace *trace, const LsRunResult *result, guint expected)
{
  const LsRing *ring = &trace->rings[0];
  guint64 enqueued_ns = G_MAXUINT64;
  guint n = 0;

  for (guint i = 0; i < ring->n; i++)
    if (ring->events[i].kind == LS_EVENT_ENQUEUE)
      enqueued_ns = MIN (enqueued_ns, ring->events[i].start_ns);
  for (guint i = 0; i < ring->n; i++)
    {
      const LsEvent *e = &ring->events[i];

      if (e->kind != LS_EVENT_OP)
        continue;
      g_assert_cmpuint (e->op, ==, 0);
      g_assert_cmpuint (e->start_ns, >=, result->start_ns);
      g_assert_cmpuint (e->end_ns, >=, e->start_ns);
      g_assert_cmpuint (e->end_ns, <=, enqueued_ns);
      n++;
    }
  if (n != expected)
    g_error ("%u ops are told that the host does itself, not %u", n, expected);
}

/* The batch's copy shows, with its bytes, and what the host did before. */
static void
test_host_batch (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, 32, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "batch-from", "host", NULL);
  LsRunResult result = { 0 };
  g_autoptr (LsTrace) trace = rig_lane_record (lane, 0, &result);
  gboolean found = FALSE;

  for (guint i = 0; i < trace->rings[0].n; i++)
    found |= trace->rings[0].events[i].kind == LS_EVENT_COPY_IN
             && trace->rings[0].events[i].tile == 32 * 784 * 4;
  g_assert_true (found);
  check_gathered (trace, &result, 1);
  g_autoptr (RigLane) other = rig_lane_new (&ls_backend_opencl_here, plan, data, "batch-from", "device",
                                            NULL);
  LsRunResult its = { 0 };
  g_autoptr (LsTrace) without = rig_lane_record (other, 0, &its);
  check_gathered (without, &its, 0);
  check_record ("mlp", "batch-from", "host");
}

/* ---- a device whose work-groups tell nonsense ---- */

static gboolean nonsense;

/* In the library's place: whatever is as large as a probe's words are, is spoilt. */
CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadBuffer (cl_command_queue queue, cl_mem from, cl_bool blocking, size_t offset, size_t size,
                     void *to, cl_uint n, const cl_event *wait, cl_event *event)
{
  const size_t words = size / sizeof (guint32);
  cl_int code;

  code = RIG_REAL (clEnqueueReadBuffer) (queue, from, blocking, offset, size, to, n, wait, event);
  if (nonsense && blocking && words > LS_CL_PROBE_HEADER
      && (words - LS_CL_PROBE_HEADER) % LS_CL_PROBE_WORDS == 0)
    memset ((guint32 *) to + LS_CL_PROBE_HEADER, 0x7f, size - LS_CL_PROBE_HEADER * sizeof (guint32));
  return code;
}

/* Ranks that are none are told of nowhere, and every work-group that had one is counted. */
static void
test_nonsense (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, 32, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  LsRunResult result = { 0 };
  g_autoptr (LsTrace) right = rig_lane_record (lane, 0, &result), wrong = NULL;
  const guint groups = count (right, LS_EVENT_GROUP);

  if (groups == 0)
    {
      g_test_skip ("this device doesn't tell of its work-groups");
      return;
    }
  nonsense = TRUE;
  wrong = rig_lane_record (lane, 1, &result);
  nonsense = FALSE;
  g_assert_cmpuint (count (wrong, LS_EVENT_KERNEL), ==, count (right, LS_EVENT_KERNEL));
  g_assert_cmpuint (count (wrong, LS_EVENT_GROUP), ==, 0);
  g_assert_cmpuint (wrong->rings[0].dropped, ==, groups);
}

/* ---- copies on the device that come late, as on a busy machine ---- */

static gboolean copies_late;

static gpointer
let_go_cb (gpointer event)
{
  g_usleep (100000);
  clSetUserEventStatus (event, CL_COMPLETE);
  clReleaseEvent (event);
  return NULL;
}

/* In the library's place. */
CL_API_ENTRY cl_int CL_API_CALL
clEnqueueCopyBuffer (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                     size_t size, cl_uint n, const cl_event *wait, cl_event *event)
{
  cl_context context;
  cl_event gate;
  cl_int code;

  if (!copies_late || n > 0)
    return RIG_REAL (clEnqueueCopyBuffer) (queue, from, to, from_offset, to_offset, size, n, wait, event);
  g_assert_cmpint (clGetCommandQueueInfo (queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL), ==,
                   CL_SUCCESS);
  gate = clCreateUserEvent (context, &code);
  g_assert_cmpint (code, ==, CL_SUCCESS);
  code = RIG_REAL (clEnqueueCopyBuffer) (queue, from, to, from_offset, to_offset, size, 1, &gate, event);
  g_thread_unref (g_thread_new ("late", let_go_cb, gate));
  return code;
}

/* The first recorded step: its kernels are tried out first, and the weights that this changes put back. That
 * is over before the step begins, which is in another queue: it ends with the weights of a step that isn't
 * recorded. */
static void
test_late_copies (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 16, relu, dense 10", mnist_shape, 10, 32,
                                      LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_autoptr (RigLane) other = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTrace) trace = NULL;
  LsRunResult result = { 0 };
  guint n_compared = 0;

  g_assert_true (rig_lane_run (other, 0, 2, NULL, &error) && rig_lane_run (lane, 0, 1, NULL, &error));
  copies_late = TRUE;
  trace = rig_lane_record (lane, 1, &result);
  copies_late = FALSE;
  for (guint t = 0; t < plan->n_tensors; t++)
    {
      g_autofree guint8 *got = NULL, *expected = NULL;
      if (plan->tensors[t].role != LS_ROLE_WEIGHT && plan->tensors[t].role != LS_ROLE_STATE)
        continue;
      got = rig_lane_read (lane, t);
      expected = rig_lane_read (other, t);
      g_assert_cmpmem (got, ls_tensor_bytes (&plan->tensors[t]), expected,
                       ls_tensor_bytes (&plan->tensors[t]));
      n_compared++;
    }
  g_assert_cmpuint (n_compared, ==, 8);
}

/* A counter that runs evenly: the line through two readings meets a third. */
static void
test_tsc (void)
{
  LsTsc a, b, c;
  double ns_per_tick, at;

  if (!ls_tsc_read (&a))
    {
      g_test_skip ("this processor has no time-stamp counter");
      return;
    }
  g_assert_false (ls_tsc_rate (&a, &a, &ns_per_tick));
  g_usleep (20000);
  ls_tsc_read (&b);
  g_usleep (20000);
  ls_tsc_read (&c);
  g_assert_true (ls_tsc_rate (&a, &c, &ns_per_tick));
  at = (double) a.ns + (double) (b.ticks - a.ticks) * ns_per_tick;
  g_assert_cmpfloat_with_epsilon (at, (double) b.ns, 20000 + a.error_ns + b.error_ns + c.error_ns);
}

/* The offset lies somewhere between two readings: in the middle, give or take half of what is between. */
static void
test_bracket (void)
{
  LsCalibration calibration;

  ls_calibration_set (&calibration, 1000, 1600);
  g_assert_cmpint (calibration.offset_ns, ==, 1300);
  g_assert_cmpfloat (calibration.error_ns, ==, 300);
  ls_calibration_set (&calibration, 50, -30); /* they contradict each other */
  g_assert_cmpint (calibration.offset_ns, ==, 10);
  g_assert_cmpfloat (calibration.error_ns, ==, 40);
}

int
main (int argc, char **argv)
{
  static const char *const rungs[] = { "naive", "tiled", "register", "packed" };

  rig_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    {
      g_autofree char *path = g_strconcat ("/record/", rungs[i], NULL);
      g_test_add_data_func (path, rungs[i], test_rungs);
    }
  g_test_add_func ("/record/unfused", test_unfused);
  g_test_add_func ("/record/another-clock", test_another_clock);
  g_test_add_func ("/record/host-batch", test_host_batch);
  g_test_add_func ("/record/nonsense", test_nonsense);
  g_test_add_func ("/record/late-copies", test_late_copies);
  g_test_add_func ("/calibrate/bracket", test_bracket);
  g_test_add_func ("/calibrate/tsc", test_tsc);
  return g_test_run ();
}
