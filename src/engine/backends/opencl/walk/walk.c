/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk: a rung of the ladder is run again on a recorded step's own numbers, in the variant of
 * kernels_cl/walk.clh, with buffers of its own, so that nothing of the training changes. Twice: the first
 * launch keeps the values of one work-group's local memory (and lets the driver compile for the group's
 * size), the second only stamps its phases, so that the copying isn't in the times. Both results are held
 * against what the lane had computed.
 *
 * On a processor a large product isn't run whole for a picture: then the other work-groups find nothing to
 * do.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/device/cl_error.h"
#include "backends/opencl/kernels/kernels.h"
#include "core/error.h"

/* a product up to here is run whole on a processor: 0.1 s at its slowest */
#define WHOLE_FLOPS G_GINT64_CONSTANT (300000000)
#define TICKS_TSC   1
#define TICKS_NS    2
#define UNWRITTEN   0xffffffffu /* what no kernel stores: a NaN */

typedef struct {
  LsCl *self;
  const LsWalkOrder *order;
  LsClLaunch launch;
  guint tiles; /* the pass that makes them */
  cl_kernel kernel[LS_CL_MAX_PASSES];
  cl_mem in[LS_OP_MAX_IN], other, out, scratch[2], probe, words;
  gsize n_words;
  guint result;    /* the tensor that the chain writes */
  gboolean unseen; /* the lane did more to it before it wrote it */
  LsWalk *walk;
} Walker;

/* ---- what is launched ---- */

/* The lane's own launch of the op, if it is of that row: it may be tuned. */
static const LsClLaunch *
own_launch (const LsCl *self, guint op)
{
  return self->fusion && ls_cl_is_chain (&self->chain[op]) ? &self->chain[op] : &self->single[op];
}

static gboolean
choose_launch (Walker *w, GError **error)
{
  const LsCl *self = w->self;
  const LsOp *op = &self->plan->ops[w->order->op];
  const LsClLaunch *own = own_launch (self, w->order->op);
  const char *rung = ls_rung_cut (w->order->rung, 0).name;
  LsClLaunch *launch = &w->launch;

  launch->op = w->order->op;
  launch->row = ls_cl_kernel_choose (op, self->plan, rung, &self->device->limits, launch->values);
  if (launch->row == NULL || strcmp (launch->row->rung, rung) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("%s can’t run the %s kernel for %s"),
                   self->info->name, rung, op->symbol);
      return FALSE;
    }
  if (!ls_cl_launch_take_tile (self, launch, op) && own->row == launch->row)
    memcpy (launch->values, own->values, sizeof launch->values);
  /* of a group's rows the walk goes with those that a work-item works on at a time */
  if (op->klass == &ls_op_matmul && w->order->rung == LS_RUNG_PACKED)
    launch->values[LS_CL_PACKED_ROWS] = LS_CL_PACKED_BLOCK;
  /* an update is not done a second time, and the gradient that it was made from was never written: there is
   * nothing to compare */
  while (launch->n_followers < own->n_followers
         && self->plan->ops[own->followers[launch->n_followers]].klass->in_place[0] < 0)
    {
      launch->followers[launch->n_followers] = own->followers[launch->n_followers];
      launch->n_followers++;
    }
  w->unseen = launch->n_followers < own->n_followers;
  ls_cl_launch_fill (self, launch);
  while (!launch->row->passes[w->tiles].tiles)
    w->tiles++;
  w->result
    = (launch->n_followers > 0 ? &self->plan->ops[launch->followers[launch->n_followers - 1]] : op)->out[0];
  return TRUE;
}

/* ---- buffers ---- */

static gboolean
finish (cl_command_queue queue, GError **error)
{
  const cl_int code = clFinish (queue);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clFinish", _("a walk through a kernel"));
}

static cl_mem
upload (Walker *w, guint tensor, GError **error)
{
  const LsTensor *t = &w->self->plan->tensors[tensor];
  const void *values = w->order->values[tensor];
  cl_mem buffer;
  cl_int code;

  if (values == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the values of %s weren’t kept: the step has too many"),
                   t->symbol);
      return NULL;
    }
  buffer = ls_cl_buffer_new (w->self, ls_tensor_bytes (t), t->name, error);
  if (buffer == NULL)
    return NULL;
  code = clEnqueueWriteBuffer (w->self->queue, buffer, CL_TRUE, 0, ls_tensor_bytes (t), values, 0, NULL,
                               NULL);
  if (code == CL_SUCCESS)
    return buffer;
  ls_cl_fail (error, code, "clEnqueueWriteBuffer", t->name);
  ls_cl_buffer_clear (w->self, &buffer);
  return NULL;
}

static gboolean
make_buffers (Walker *w, GError **error)
{
  LsCl *self = w->self;
  const LsOp *op = &self->plan->ops[w->launch.op];
  const guint other = ls_cl_epilogue_tensor (self, &w->launch, G_MAXUINT);
  gsize scratch[2] = { 1, 1 };

  for (guint p = 0; p < w->launch.n_passes; p++)
    for (guint s = 0; s < 2 && w->launch.needed[p]; s++)
      scratch[s] = MAX (scratch[s], w->launch.range[p].scratch_floats[s]);
  for (guint i = 0; i < op->n_in; i++)
    if ((w->in[i] = upload (w, op->in[i], error)) == NULL)
      return FALSE;
  if (other != G_MAXUINT && (w->other = upload (w, other, error)) == NULL)
    return FALSE;
  for (guint s = 0; s < 2; s++)
    if ((w->scratch[s] = ls_cl_buffer_new (self, scratch[s] * sizeof (float),
                                           _("the kernels’ scratch memory"), error))
        == NULL)
      return FALSE;
  w->n_words = LS_CL_WALK_HEADER + ((gsize) w->walk->rounds + 1) * 2 * LS_WALK_N_STAMPS * 2
               + (gsize) w->walk->kept * w->walk->tile_k * (w->walk->tile_m + w->walk->tile_n);
  w->out = ls_cl_buffer_new (self, ls_tensor_bytes (&self->plan->tensors[w->result]), _("the walk’s result"),
                             error);
  w->probe = ls_cl_buffer_new (self, (LS_CL_PROBE_HEADER + (gsize) w->launch.groups * LS_CL_PROBE_WORDS) * 4,
                               _("the probe’s words"), w->out ? error : NULL);
  w->words = ls_cl_buffer_new (self, w->n_words * 4, _("the walk’s words"),
                               w->out && w->probe ? error : NULL);
  /* new buffers are filled through the other queue */
  return w->out && w->probe && w->words && finish (w->self->queue, error);
}

static cl_mem
buffer_for (const Walker *w, LsClArg arg)
{
  switch (arg)
    {
    case LS_CL_ARG_IN0:
    case LS_CL_ARG_IN1:
      return w->in[arg - LS_CL_ARG_IN0];
    case LS_CL_ARG_OUT0:
      return w->out;
    case LS_CL_ARG_SCRATCH0:
    case LS_CL_ARG_SCRATCH1:
      return w->scratch[arg - LS_CL_ARG_SCRATCH0];
    case LS_CL_ARG_EPILOGUE:
      return w->other ? w->other : w->out;
    default:
      return NULL;
    }
}

static gboolean
make_kernel (Walker *w, guint p, GError **error)
{
  const LsClPass *pass = &w->launch.row->passes[p];
  cl_program program = ls_cl_launch_program (w->self, &w->launch, pass->tiles,
                                             pass->tiles ? "-D LS_WALK=1" : NULL, error);
  cl_int code = CL_SUCCESS;
  guint shape = 0;
  cl_uint a = 0;

  if (program == NULL)
    return FALSE;
  w->kernel[p] = clCreateKernel (program, pass->function, &code);
  if (code != CL_SUCCESS)
    {
      w->kernel[p] = NULL;
      return ls_cl_fail (error, code, "clCreateKernel", pass->function);
    }
  for (; code == CL_SUCCESS && pass->args[a] != LS_CL_ARG_END; a++)
    {
      cl_mem buffer = buffer_for (w, pass->args[a]);
      if (buffer)
        code = clSetKernelArg (w->kernel[p], a, sizeof buffer, &buffer);
      else
        code = clSetKernelArg (w->kernel[p], a, sizeof (cl_int), &w->launch.shape[shape++]);
    }
  if (code == CL_SUCCESS && pass->tiles)
    code = clSetKernelArg (w->kernel[p], a++, sizeof w->probe, &w->probe);
  if (code == CL_SUCCESS && pass->tiles)
    code = clSetKernelArg (w->kernel[p], a, sizeof w->words, &w->words);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clSetKernelArg", pass->function);
}

/* ---- the launches ---- */

/* Nothing is written yet: header and counts are set, everything else is cleared. */
static cl_int
reset (Walker *w, gboolean keep)
{
  static const cl_uint zero = 0, unwritten = UNWRITTEN;
  cl_command_queue queue = w->self->profiling_queue;
  const LsWalk *walk = w->walk;
  const gboolean rows_first = w->launch.row->passes[w->tiles].rows_first;
  const gsize stamps = ((gsize) walk->rounds + 1) * 2 * LS_WALK_N_STAMPS * 2,
              values = (gsize) walk->kept * walk->tile_k;
  const guint32 header[LS_CL_WALK_HEADER] = {
    [LS_CL_WALK_X] = rows_first ? walk->row : walk->col,
    [LS_CL_WALK_Y] = rows_first ? walk->col : walk->row,
    [LS_CL_WALK_REST] = (guint32) walk->alone,
    [LS_CL_WALK_KEPT] = keep ? (guint32) values : 0,
    [LS_CL_WALK_A] = (guint32) (LS_CL_WALK_HEADER + stamps),
    [LS_CL_WALK_B] = (guint32) (LS_CL_WALK_HEADER + stamps + values * walk->tile_m),
    [LS_CL_WALK_ROUNDS] = walk->rounds,
  };
  const gsize out_bytes = (ls_tensor_bytes (&w->self->plan->tensors[w->result]) + 3) & ~(gsize) 3;
  cl_int code = clEnqueueFillBuffer (queue, w->words, &zero, sizeof zero, 0, w->n_words * 4, 0, NULL, NULL);

  if (code == CL_SUCCESS)
    code = clEnqueueWriteBuffer (queue, w->words, CL_TRUE, 0, sizeof header, header, 0, NULL, NULL);
  if (code == CL_SUCCESS)
    code = clEnqueueFillBuffer (queue, w->probe, &zero, sizeof zero, 0, LS_CL_PROBE_HEADER * 4, 0, NULL,
                                NULL);
  if (code == CL_SUCCESS)
    code = clEnqueueFillBuffer (queue, w->out, &unwritten, sizeof unwritten, 0, out_bytes, 0, NULL, NULL);
  return code == CL_SUCCESS ? clFinish (queue) : code;
}

/* All passes; *event is that of the one that makes the tiles. */
static gboolean
launch_once (Walker *w, gboolean keep, cl_event *event, GError **error)
{
  cl_command_queue queue = w->self->profiling_queue;
  cl_int code = reset (w, keep), status = CL_COMPLETE;

  for (guint p = 0; code == CL_SUCCESS && p < w->launch.n_passes; p++)
    {
      const LsClRange *range = &w->launch.range[p];
      if (w->launch.needed[p])
        code = clEnqueueNDRangeKernel (queue, w->kernel[p], range->dims, NULL, range->global, range->local, 0,
                                       NULL, p == w->tiles ? event : NULL);
    }
  if (code == CL_SUCCESS)
    code = clFinish (queue);
  if (code == CL_SUCCESS && *event
      && clGetEventInfo (*event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL)
           == CL_SUCCESS
      && status < 0)
    code = status;
  return code == CL_SUCCESS
         || ls_cl_fail (error, code, "clEnqueueNDRangeKernel", w->launch.row->passes[w->tiles].function);
}

/* The result against the lane's own, element by element; what no group wrote isn't compared. */
static gboolean
compare_result (Walker *w, GError **error)
{
  const LsTensor *t = &w->self->plan->tensors[w->result];
  const gsize bytes = ls_tensor_bytes (t);
  const float *own = w->order->values[w->result];
  g_autofree float *got = g_try_malloc (bytes + 4);
  cl_int code;

  w->walk->compared = w->walk->same = 0;
  w->walk->delta = 0;
  if (own == NULL || got == NULL || w->unseen || (w->walk->alone && w->walk->splits > 1))
    return TRUE;
  code = clEnqueueReadBuffer (w->self->profiling_queue, w->out, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueReadBuffer", t->name);
  for (gsize i = 0; i < bytes / sizeof (float); i++)
    {
      guint32 bits[2];
      memcpy (&bits[0], &got[i], 4);
      memcpy (&bits[1], &own[i], 4);
      if (bits[0] == UNWRITTEN)
        continue;
      w->walk->compared++;
      w->walk->same += bits[0] == bits[1];
      w->walk->delta = MAX (w->walk->delta, ABS ((double) got[i] - (double) own[i]));
    }
  return TRUE;
}

static guint32 *
read_words (Walker *w, GError **error)
{
  g_autofree guint32 *words = g_try_malloc (w->n_words * 4);
  cl_int code = words ? clEnqueueReadBuffer (w->self->profiling_queue, w->words, CL_TRUE, 0, w->n_words * 4,
                                             words, 0, NULL, NULL)
                      : CL_OUT_OF_HOST_MEMORY;

  if (code == CL_SUCCESS)
    return g_steal_pointer (&words);
  ls_cl_fail (error, code, "clEnqueueReadBuffer", _("the walk’s words"));
  return NULL;
}

/* How long a tick is. Where the clock's unit isn't known, all groups' ticks together are as long as the
 * kernel. 0: not known. */
static double
tick_length (Walker *w)
{
  const gsize bytes = (LS_CL_PROBE_HEADER + (gsize) w->launch.groups * LS_CL_PROBE_WORDS) * 4;
  g_autofree guint32 *words = NULL;
  guint64 least = G_MAXUINT64, most = 0;
  double ns_per_tick = 0;
  LsTsc now;

  if (w->self->ticks == TICKS_TSC)
    return ls_tsc_read (&now) && ls_tsc_rate (&w->self->tsc, &now, &ns_per_tick) ? ns_per_tick : 0;
  if (w->self->ticks == TICKS_NS)
    return 1;
  words = g_try_malloc (bytes);
  if (words == NULL
      || clEnqueueReadBuffer (w->self->profiling_queue, w->probe, CL_TRUE, 0, bytes, words, 0, NULL, NULL)
           != CL_SUCCESS)
    return 0;
  for (guint g = 0; g < w->launch.groups; g++)
    {
      const guint32 *group = words + LS_CL_PROBE_HEADER + (gsize) g * LS_CL_PROBE_WORDS;
      least = MIN (least, group[2] | (guint64) group[3] << 32);
      most = MAX (most, group[4] | (guint64) group[5] << 32);
    }
  return most > least ? (double) w->walk->kernel_ns / (double) (most - least) : 0;
}

static gint64
event_ns (cl_event event)
{
  cl_ulong start = 0, end = 0;

  if (event == NULL
      || clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) != CL_SUCCESS
      || clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS
      || end < start)
    return 0;
  return (gint64) (end - start);
}

/* ---- all of it ---- */

static gboolean
take_values (Walker *w, GError **error)
{
  cl_event event = NULL;
  g_autofree guint32 *words = NULL;
  const gboolean ok = launch_once (w, TRUE, &event, error) && compare_result (w, error)
                      && (words = read_words (w, error)) != NULL;

  if (ok)
    ls_cl_walk_take_values (w->self, &w->launch, w->walk, words);
  if (event)
    clReleaseEvent (event);
  return ok;
}

static gboolean
take_times (Walker *w, GError **error)
{
  cl_event event = NULL;
  g_autofree guint32 *words = NULL;
  const gboolean ok = launch_once (w, FALSE, &event, error) && compare_result (w, error)
                      && (words = read_words (w, error)) != NULL;

  if (ok)
    {
      double ns_per_tick;
      w->walk->kernel_ns = event_ns (event);
      ns_per_tick = w->self->ticks > 0 ? tick_length (w) : 0;
      if (ns_per_tick > 0)
        ls_cl_walk_take_times (w->walk, words, ns_per_tick);
    }
  if (event)
    clReleaseEvent (event);
  return ok;
}

static void
walker_clear (Walker *w)
{
  cl_mem *const buffers[] = { &w->in[0], &w->in[1],      &w->in[2],      &w->in[3], &w->in[4], &w->other,
                              &w->out,   &w->scratch[0], &w->scratch[1], &w->probe, &w->words };

  G_STATIC_ASSERT (LS_OP_MAX_IN <= 5);
  for (guint p = 0; p < LS_CL_MAX_PASSES; p++)
    if (w->kernel[p])
      clReleaseKernel (w->kernel[p]);
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    ls_cl_buffer_clear (w->self, buffers[i]);
  g_free (w->launch.epilogue);
  ls_walk_unref (w->walk);
}

static gboolean
make_walk (Walker *w, GError **error)
{
  if (ls_cl_op_is_half (&w->self->plan->ops[w->order->op], w->self->plan))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("A walk isn’t recorded in %s; choose precision=fp32."),
                   ls_precision_name (w->self->plan->precision));
      return FALSE;
    }
  if (!choose_launch (w, error))
    return FALSE;
  w->walk = ls_cl_walk_new (w->self, &w->launch, w->order);
  w->walk->alone = w->self->device->limits.is_cpu && w->self->plan->ops[w->order->op].flops > WHOLE_FLOPS;
  if (!make_buffers (w, error))
    return FALSE;
  for (guint p = 0; p < w->launch.n_passes; p++)
    if (w->launch.needed[p] && !make_kernel (w, p, error))
      return FALSE;
  return take_values (w, error) && take_times (w, error);
}

gboolean
ls_cl_walk (gpointer data, const LsWalkOrder *order, LsWalk **walk, GError **error)
{
  Walker w = { .self = data, .order = order };
  const gboolean ok = make_walk (&w, error);

  if (ok)
    *walk = g_steal_pointer (&w.walk);
  walker_clear (&w);
  return ok;
}
