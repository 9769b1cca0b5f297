/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded step: the same commands through the queue that keeps times, each with an event, its kernels in
 * the variant that notes per work-group who ran when. What the step costs more is the events and the notes;
 * calibration comes before its start stamp, reading everything back after its end stamp.
 *
 * Work-group times come from the device's ticks. PoCL's are the processor's time-stamp counter, which two
 * readings of counter and clock turn into times. Other devices' ticks are laid linearly into the kernel's own
 * span, as the device's events tell it. Ticks that lead outside that span by more than the clocks' error are
 * not believed: that kernel's groups then have their order only.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/device/cl_error.h"
#include "core/error.h"

#define TICKS_TSC 1
#define ABSENT    0xffffffffu

/* Of kernels_cl/probe.clh: the words of a group. */
enum { START_RANK, FINISH_RANK, START_LOW, START_HIGH, END_LOW, END_HIGH, UNIT, THREAD };

typedef struct {
  LsCl *self;
  LsTrace *trace;
  LsRing *ring;
  LsCalibration calibration;
  double error_ns;
  gboolean tsc_even; /* ns = tsc.ns + (ticks − tsc.ticks) · ns_per_tick */
  LsTsc tsc;
  double ns_per_tick;
  guint32 threads[LS_MAX_WORKERS];
  guint n_threads;
} Telling;

typedef struct {
  guint64 queued_ns, start_ns, end_ns; /* on the host's clock */
} Times;

static void
add (Telling *t, LsEventKind kind, LsClock clock, guint64 start_ns, guint64 end_ns, guint op, guint32 tile)
{
  LsEvent event = {
    .start_ns = start_ns,
    .end_ns = end_ns,
    .tile = tile,
    .rank = LS_RANK_NONE,
    .op = (guint16) op,
    .unit = LS_UNIT_NONE,
    .kind = (guint8) kind,
    .lane_clock = LS_LANE_CLOCK (t->self->lane, clock),
    .worker = LS_WORKER_NONE,
    .from = LS_WORKER_NONE,
  };
  ls_ring_add (t->ring, &event);
}

static gboolean
event_times (const Telling *t, cl_event event, Times *times, GError **error)
{
  static const cl_profiling_info what[] = { CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START,
                                            CL_PROFILING_COMMAND_END };
  guint64 *to[] = { &times->queued_ns, &times->start_ns, &times->end_ns };

  for (guint i = 0; i < G_N_ELEMENTS (what); i++)
    {
      cl_ulong ns = 0;
      cl_int code = clGetEventProfilingInfo (event, what[i], sizeof ns, &ns, NULL);
      if (code != CL_SUCCESS)
        return ls_cl_fail (error, code, "clGetEventProfilingInfo", _("a recorded step"));
      *to[i] = ns - (guint64) t->calibration.offset_ns;
    }
  return TRUE;
}

/* ---- work-groups ---- */

static guint64
ticks_at (const guint32 *words, guint low)
{
  return words[low] | (guint64) words[low + 1] << 32;
}

/* The number of a thread, by order of appearance in the step. */
static guint8
worker_of (Telling *t, guint32 thread)
{
  if (thread == ABSENT)
    return LS_WORKER_NONE;
  for (guint i = 0; i < t->n_threads; i++)
    if (t->threads[i] == thread)
      return (guint8) i;
  if (t->n_threads == LS_MAX_WORKERS)
    return LS_WORKER_NONE;
  t->threads[t->n_threads] = thread;
  return (guint8) t->n_threads++;
}

/* Which group was the rank-th to start, and each group's rank at the finish. */
typedef struct {
  guint32 *started, *finish_rank;
} Order;

static int
compare_ticks (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint32 *groups = ((gconstpointer *) data)[0];
  const guint low = GPOINTER_TO_UINT (((gconstpointer *) data)[1]);
  const guint32 g = *(const guint32 *) a, h = *(const guint32 *) b;
  const guint64 t = ticks_at (groups + (gsize) g * LS_CL_PROBE_WORDS, low);
  const guint64 u = ticks_at (groups + (gsize) h * LS_CL_PROBE_WORDS, low);

  return t != u ? (t > u) - (t < u) : (g > h) - (g < h);
}

/* The groups' numbers in the order of their ticks. */
static void
sort_by_ticks (const guint32 *groups, guint n, guint low, guint32 *sorted)
{
  gconstpointer data[] = { groups, GUINT_TO_POINTER (low) };

  for (guint g = 0; g < n; g++)
    sorted[g] = g;
  g_qsort_with_data (sorted, (gint) n, sizeof *sorted, compare_ticks, data);
}

/* Ranks as the device counted them or, where it didn't, as its ticks tell. FALSE if the counts are no
 * permutation: then the probe's words are of no account. */
static gboolean
find_order (const guint32 *groups, guint n, const Order *order)
{
  if (groups[START_RANK] == ABSENT)
    {
      sort_by_ticks (groups, n, END_LOW, order->started);
      for (guint rank = 0; rank < n; rank++)
        order->finish_rank[order->started[rank]] = rank;
      sort_by_ticks (groups, n, START_LOW, order->started);
      return TRUE;
    }
  memset (order->started, 0xff, n * sizeof *order->started);
  for (guint g = 0; g < n; g++)
    {
      const guint32 *words = groups + (gsize) g * LS_CL_PROBE_WORDS;
      if (words[START_RANK] >= n || words[FINISH_RANK] >= n || order->started[words[START_RANK]] != ABSENT)
        return FALSE;
      order->started[words[START_RANK]] = g;
      order->finish_rank[g] = words[FINISH_RANK];
    }
  return TRUE;
}

/* A line from ticks to host time for one kernel. FALSE: there is none that fits its span. */
typedef struct {
  guint64 ticks, ns;
  double ns_per_tick;
} TickLine;

static guint64
line_at (const TickLine *line, guint64 ticks)
{
  return line->ns + (guint64) (gint64) ((double) (gint64) (ticks - line->ticks) * line->ns_per_tick);
}

static gboolean
find_line (const Telling *t, const guint32 *groups, guint n, const Times *kernel, TickLine *line)
{
  guint64 least = G_MAXUINT64, most = 0;

  for (guint g = 0; g < n; g++)
    {
      const guint32 *words = groups + (gsize) g * LS_CL_PROBE_WORDS;
      least = MIN (least, ticks_at (words, START_LOW));
      most = MAX (most, ticks_at (words, END_LOW));
      if (ticks_at (words, END_LOW) < ticks_at (words, START_LOW))
        return FALSE;
    }
  if (t->self->ticks == 0 || least == 0 || most <= least)
    return FALSE;
  if (t->self->ticks == TICKS_TSC)
    *line = (TickLine){ t->tsc.ticks, t->tsc.ns, t->ns_per_tick };
  else
    *line = (TickLine){ least, kernel->start_ns,
                        (double) (kernel->end_ns - kernel->start_ns) / (double) (most - least) };
  if (t->self->ticks == TICKS_TSC && !t->tsc_even)
    return FALSE;
  return (double) line_at (line, least) >= (double) kernel->start_ns - t->error_ns
         && (double) line_at (line, most) <= (double) kernel->end_ns + t->error_ns;
}

static void
add_groups (Telling *t, const LsClLaunch *launch, const guint32 *groups, guint pass, const Times *kernel)
{
  g_autofree guint32 *started = g_new (guint32, launch->groups),
                     *finish_rank = g_new (guint32, launch->groups);
  const Order order = { started, finish_rank };
  TickLine line;
  gboolean timed = find_line (t, groups, launch->groups, kernel, &line);

  if (!find_order (groups, launch->groups, &order))
    {
      t->ring->dropped += launch->groups;
      return;
    }
  for (guint i = 0; i < launch->groups; i++)
    {
      const guint32 *words = groups + (gsize) started[i] * LS_CL_PROBE_WORDS;
      guint split;
      const guint tile = ls_cl_kernel_tile (launch->row, &launch->tiling, &launch->range[pass], started[i],
                                            &split);
      LsEvent event = {
        .start_ns = timed ? line_at (&line, ticks_at (words, START_LOW)) : i,
        .end_ns = timed ? line_at (&line, ticks_at (words, END_LOW)) : finish_rank[started[i]],
        .tile = split * launch->tiling.grid_rows * launch->tiling.grid_cols + tile,
        .rank = finish_rank[started[i]],
        .op = (guint16) launch->op,
        .unit = words[UNIT] <= G_MAXINT16 ? (gint16) words[UNIT] : LS_UNIT_NONE,
        .kind = LS_EVENT_GROUP,
        .lane_clock = LS_LANE_CLOCK (t->self->lane, timed ? LS_CLOCK_DEVICE : LS_CLOCK_ORDER),
        .worker = worker_of (t, words[THREAD]),
        .from = LS_WORKER_NONE,
      };
      ls_ring_add (t->ring, &event);
    }
}

static gboolean
tell_groups (Telling *t, const LsClCommand *command, const Times *times, GError **error)
{
  const LsClLaunch *launch = command->launch;
  gsize bytes = (LS_CL_PROBE_HEADER + (gsize) launch->groups * LS_CL_PROBE_WORDS) * sizeof (guint32);
  g_autofree guint32 *words = g_try_malloc (bytes);
  cl_int code;

  if (words == NULL)
    {
      t->ring->dropped += launch->groups;
      return TRUE;
    }
  code = clEnqueueReadBuffer (t->self->profiling_queue, launch->probe, CL_TRUE, 0, bytes, words, 0, NULL,
                              NULL);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueReadBuffer", _("the probe’s words"));
  add_groups (t, launch, words + LS_CL_PROBE_HEADER, command->tile, times);
  return TRUE;
}

/* ---- commands ---- */

static gboolean
tell_command (Telling *t, const LsClCommand *command, GError **error)
{
  Times times;

  if (command->event == NULL) /* the host's own work */
    {
      add (t, command->kind, LS_CLOCK_HOST, command->start_ns, command->end_ns, command->op, command->tile);
      return TRUE;
    }
  if (!event_times (t, command->event, &times, error))
    return FALSE;
  add (t, LS_EVENT_ENQUEUE, LS_CLOCK_HOST, command->start_ns, command->end_ns, command->op, command->tile);
  add (t, LS_EVENT_QUEUED, LS_CLOCK_DEVICE, times.queued_ns, times.start_ns, command->op, command->tile);
  add (t, command->kind, LS_CLOCK_DEVICE, times.start_ns, times.end_ns, command->op, command->tile);
  return command->launch == NULL || tell_groups (t, command, &times, error);
}

static gboolean
tell_all (LsCl *self, const LsClRecorder *recorder, const LsCalibration *calibration, LsTrace *trace,
          GError **error)
{
  Telling t = { .self = self, .trace = trace, .ring = &trace->rings[0], .calibration = *calibration };

  t.error_ns = calibration->error_ns;
  if (ls_tsc_read (&t.tsc) && ls_tsc_rate (&self->tsc, &t.tsc, &t.ns_per_tick))
    {
      t.tsc_even = TRUE;
      t.error_ns += t.tsc.error_ns + self->tsc.error_ns;
    }
  trace->clock_error_ns = t.error_ns;
  for (guint i = 0; i < recorder->n; i++)
    if (!tell_command (&t, &recorder->commands[i], error))
      return FALSE;
  return TRUE;
}

/* ---- the step ---- */

static gboolean
clear_counts (LsCl *self, guint n_launches, GError **error)
{
  static const guint32 zero[LS_CL_PROBE_HEADER] = { 0 };
  cl_int code = CL_SUCCESS;

  for (guint i = 0; code == CL_SUCCESS && i < n_launches; i++)
    if (self->schedule[i]->probe)
      code = clEnqueueWriteBuffer (self->profiling_queue, self->schedule[i]->probe, CL_FALSE, 0, sizeof zero,
                                   zero, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueWriteBuffer", _("the probe’s words"));
  code = clFinish (self->profiling_queue);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clFinish", _("the probe’s words"));
}

static gboolean
enqueue_recorded (LsCl *self, const LsRun *run, guint n_launches, LsRunResult *result, LsClRecorder *recorder,
                  GError **error)
{
  LsClOrder order
    = { .queue = self->profiling_queue, .batch = run->batches, .hyper = run->hyper, .recorder = recorder };
  cl_int code;

  if (!ls_cl_enqueue_all (self, run, n_launches, &order, result, error))
    return FALSE;
  if (result->losses && ls_cl_makes_loss (self, run))
    {
      cl_event *event;
      if (ls_cl_copies_loss (self, run, n_launches)
          && !ls_cl_enqueue_loss (self, self->profiling_queue, 0, error))
        return FALSE;
      event = ls_cl_recorder_begin (recorder, LS_EVENT_COPY_OUT, LS_OP_NONE, sizeof (float), NULL);
      code = clEnqueueReadBuffer (self->profiling_queue, self->memory.losses, CL_FALSE, 0, sizeof (float),
                                  self->memory.loss, 0, NULL, event);
      ls_cl_recorder_end (recorder);
      if (code != CL_SUCCESS)
        return ls_cl_fail (error, code, "clEnqueueReadBuffer", _("the losses"));
    }
  return TRUE;
}

/* A command that failed on the device shows it here, not in clFinish(). */
static gboolean
check_commands (const LsCl *self, const LsClRecorder *recorder, GError **error)
{
  for (guint i = 0; i < recorder->n; i++)
    {
      cl_int status = CL_COMPLETE;
      if (recorder->commands[i].event
          && clGetEventInfo (recorder->commands[i].event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                             &status, NULL)
               == CL_SUCCESS
          && status < 0)
        {
          g_autofree char *title = recorder->commands[i].op == LS_OP_NONE
                                     ? g_strdup (_("the losses"))
                                     : ls_cl_op_title (self, recorder->commands[i].op);
          return ls_cl_fail (error, status, "clEnqueueNDRangeKernel", title);
        }
    }
  return TRUE;
}

/* Queues don't wait for each other: a weight that ls_cl_ready() is still putting back would undo this step's
 * update of it. */
static gboolean
finish_other_queue (LsCl *self, GError **error)
{
  const cl_int code = clFinish (self->queue);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clFinish", _("a recorded step"));
}

gboolean
ls_cl_record_step (LsCl *self, const LsRun *run, guint n_launches, LsRunResult *result, GError **error)
{
  LsClRecorder recorder = { .capacity = n_launches * (LS_CL_MAX_PASSES + 4) + self->plan->n_params + 2 };
  LsCalibration calibration;
  Telling host = { .self = self, .ring = &run->trace->rings[0] };
  guint64 wait_ns;
  gboolean ok;
  cl_int code;

  if (run->n_steps != 1)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("only one step can be recorded at a time"));
      return FALSE;
    }
  if (!finish_other_queue (self, error) || !clear_counts (self, n_launches, error)
      || !ls_cl_calibrate (self->profiling_queue, self->memory.losses, &calibration, error))
    return FALSE;
  recorder.commands = g_new0 (LsClCommand, recorder.capacity);

  result->start_ns = ls_clock_ns ();
  ok = enqueue_recorded (self, run, n_launches, result, &recorder, error);
  wait_ns = ls_clock_ns ();
  code = ls_cl_finish (self, self->profiling_queue);
  result->end_ns = ls_clock_ns ();

  if (ok && code != CL_SUCCESS)
    ok = ls_cl_fail (error, code, "clFinish", _("a recorded step"));
  if (ok && result->losses && ls_cl_makes_loss (self, run))
    result->losses[0] = *self->memory.loss;
  if (result->step_end_ns)
    result->step_end_ns[0] = result->end_ns;
  add (&host, LS_EVENT_STEP, LS_CLOCK_HOST, result->start_ns, result->end_ns, LS_OP_NONE, 0);
  add (&host, LS_EVENT_HOST_WAIT, LS_CLOCK_HOST, wait_ns, result->end_ns, LS_OP_NONE, 0);
  ok = ok && check_commands (self, &recorder, error)
       && tell_all (self, &recorder, &calibration, run->trace, error);
  for (guint i = 0; i < recorder.n; i++)
    if (recorder.commands[i].event)
      clReleaseEvent (recorder.commands[i].event);
  g_free (recorder.commands);
  return ok;
}
