/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See played_device.h.
 */
#include "config.h"
#include "played_device.h"

#include <math.h>

struct PlayedDevice device;

cl_program __wrap_ls_cl_launch_program (LsCl *self, const LsClLaunch *launch, gboolean probe,
                                        const char *more, GError **error);

cl_program
__wrap_ls_cl_launch_program (G_GNUC_UNUSED LsCl *self, G_GNUC_UNUSED const LsClLaunch *launch, gboolean probe,
                             const char *more, G_GNUC_UNUSED GError **error)
{
  g_assert_cmpstr (more, ==, probe ? "-D LS_WALK=1" : NULL);
  return (cl_program) (gpointer) &device;
}

/* ---- in the library's place ---- */

cl_kernel
clCreateKernel (G_GNUC_UNUSED cl_program program, const char *function, cl_int *code)
{
  PlayedKernel *kernel = g_new0 (PlayedKernel, 1);

  kernel->function = function;
  device.kernels++;
  *code = CL_SUCCESS;
  return (cl_kernel) (gpointer) kernel;
}

cl_int
clReleaseKernel (cl_kernel kernel)
{
  device.kernels--;
  g_free (kernel);
  return CL_SUCCESS;
}

cl_int
clSetKernelArg (cl_kernel id, cl_uint i, size_t size, const void *value)
{
  PlayedKernel *kernel = (gpointer) id;

  g_assert_cmpuint (i, ==, kernel->n); /* one after the other */
  g_assert_cmpuint (i, <, PLAYED_ARGS);
  memcpy (&kernel->args[i], value, size);
  kernel->is_buffer[i] = size == sizeof (cl_mem);
  kernel->n++;
  return CL_SUCCESS;
}

static PlayedBuffer *
arg (const PlayedKernel *kernel, guint i)
{
  g_assert_true (kernel->is_buffer[i]);
  return played_buffer (kernel->args[i].buffer);
}

/* Probe and words are the last two. The kernel writes what the lane had computed, but for what the test says,
 * and values that tell their place. */
cl_int
clEnqueueNDRangeKernel (G_GNUC_UNUSED cl_command_queue queue, cl_kernel id, cl_uint dims,
                        G_GNUC_UNUSED const size_t *from, const size_t *global, const size_t *local,
                        G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after, cl_event *event)
{
  const PlayedKernel *kernel = (const void *) id;
  guint32 *words, *probe, groups = 1;
  PlayedBuffer *out, *w;
  float *result;
  gsize n_out;

  if (event == NULL) /* a pass beside */
    return CL_SUCCESS;
  g_assert_cmpuint (device.launches, <, 2);
  for (guint d = 0; d < dims; d++)
    groups *= (guint) (global[d] / local[d]);
  device.last = *kernel;
  w = arg (kernel, kernel->n - 1);
  words = (gpointer) w->bytes;
  probe = (gpointer) arg (kernel, kernel->n - 2)->bytes;
  out = arg (kernel, 2);
  result = (gpointer) out->bytes;
  n_out = out->size / 4;
  for (guint i = 0; i < 2; i++)
    g_assert_cmpmem (arg (kernel, i)->bytes, arg (kernel, i)->size, device.in[i], arg (kernel, i)->size);
  if (device.other != NULL)
    g_assert_cmpmem (arg (kernel, 3)->bytes, arg (kernel, 3)->size, device.other, arg (kernel, 3)->size);
  else
    g_assert_true (arg (kernel, 3) == out); /* something that is there */
  memcpy (device.header[device.launches], words, sizeof device.header[0]);
  for (guint i = LS_CL_WALK_HEADER; i < w->size / 4; i++)
    g_assert_cmpuint (words[i], ==, 0); /* nothing of the launch before */
  g_assert_cmpuint (probe[0] | probe[1], ==, 0);
  for (gsize i = 0; i < n_out; i++)
    {
      g_assert_true (isnan (result[i])); /* nor is this */
      if (i >= device.unwritten)
        result[i] = device.result[i] + (i - device.unwritten < device.off ? .25f : 0.f);
    }
  for (guint i = 0; i < words[LS_CL_WALK_KEPT]; i++)
    {
      const float a = 1000 + i, b = 5000 + i;
      memcpy (&words[words[LS_CL_WALK_A] + i], &a, 4);
      memcpy (&words[words[LS_CL_WALK_B] + i], &b, 4);
    }
  for (guint i = 0; i < device.n_stamps; i++)
    memcpy (&words[LS_CL_WALK_HEADER + 2 * i], &device.stamps[i], 8);
  /* the last group begins first, and the first one ends last */
  g_assert_cmpuint (arg (kernel, kernel->n - 2)->size, ==, 4 * (2 + 8 * groups));
  for (guint g = 0; g < groups; g++)
    {
      const guint64 ticks[2] = { device.ticks[0] + (g + 1 == groups ? 0 : 5),
                                 device.ticks[1] - (g == 0 ? 0 : 5) };
      memcpy (&probe[LS_CL_PROBE_HEADER + g * LS_CL_PROBE_WORDS + 2], ticks, sizeof ticks);
    }
  device.launches++;
  device.events++;
  *event = (cl_event) (gpointer) &device.events;
  return CL_SUCCESS;
}

cl_int
clGetEventInfo (G_GNUC_UNUSED cl_event event, cl_event_info what, G_GNUC_UNUSED size_t size, void *to,
                G_GNUC_UNUSED size_t *told)
{
  g_assert_cmpuint (what, ==, CL_EVENT_COMMAND_EXECUTION_STATUS);
  memcpy (to, &device.status, sizeof device.status);
  return CL_SUCCESS;
}

/* The first launch also waits for the compiler. */
cl_int
clGetEventProfilingInfo (G_GNUC_UNUSED cl_event event, cl_profiling_info what, G_GNUC_UNUSED size_t size,
                         void *to, G_GNUC_UNUSED size_t *told)
{
  const guint64 slow = device.launches == 1 ? 1000000 : 0,
                ns = what == CL_PROFILING_COMMAND_START ? device.begin_ns : device.end_ns + slow;

  g_assert_true (what == CL_PROFILING_COMMAND_START || what == CL_PROFILING_COMMAND_END);
  memcpy (to, &ns, sizeof ns);
  return CL_SUCCESS;
}

cl_int
clReleaseEvent (G_GNUC_UNUSED cl_event event)
{
  device.events--;
  return CL_SUCCESS;
}

/* ---- a lane with a recorded step ---- */

void
begin (Step *step, const char *model, const char *rung, gboolean fusion)
{
  const LsPlan *plan;

  played_begin ();
  memset (&device, 0, sizeof device);
  device.begin_ns = 1000;
  device.end_ns = 6000;
  lane_init (&step->lane, model, 20, LS_OPTIMIZER_SGD, rung, fusion);
  plan = step->lane.plan;
  step->lane.cl.info = ls_device_info_new ("opencl");
  step->lane.cl.info->name = g_strdup ("Made-up");
  ls_cl_launches_derive (&step->lane.cl);
  step->values = g_new0 (float *, plan->n_tensors);
  for (guint t = 0; t < plan->n_tensors; t++)
    {
      const gint64 n = ls_tensor_count (&plan->tensors[t]);
      step->values[t] = g_new (float, n);
      for (gint64 i = 0; i < n; i++)
        step->values[t][i] = (float) (t + 1) + (float) i / (float) n;
    }
}

void
end (Step *step)
{
  g_assert_cmpuint (played.buffers->len, ==, 0);
  g_assert_cmpint (step->lane.cl.memory.used, ==, 0);
  g_assert_cmpuint (device.kernels, ==, 0);
  g_assert_cmpuint (device.events, ==, 0);
  for (guint t = 0; t < step->lane.plan->n_tensors; t++)
    g_free (step->values[t]);
  g_free (step->values);
  ls_device_info_free (step->lane.cl.info);
  lane_clear (&step->lane);
}

guint
op_of (const Step *step, const char *symbol)
{
  for (guint i = 0; i < step->lane.plan->n_ops; i++)
    if (g_str_has_prefix (step->lane.plan->ops[i].symbol, symbol))
      return i;
  g_error ("there is no op %s", symbol);
}

LsWalk *
walk (Step *step, guint op, LsRung rung, guint result, GError **error)
{
  const LsWalkOrder order = { op, rung, 1, 0, (const void *const *) step->values };
  LsWalk *made = NULL;

  device.launches = 0;
  device.result = step->values[result];
  for (guint i = 0; i < 2; i++)
    device.in[i] = step->values[step->lane.plan->ops[op].in[i]];
  return ls_cl_walk (&step->lane.cl, &order, &made, error) ? made : NULL;
}
