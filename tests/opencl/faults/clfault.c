/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See clfault.h. Each wrapper asks take(), which counts, sleeps and says which error to give, and calls the
 * function that comes next in the order of libraries.
 */
#include "clfault.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "../../faults/where.h"

typedef enum {
  /* clang-format off */
  PLATFORM, DEVICE, CONTEXT, QUEUE, SOURCE, BINARY, BUILD, KERNEL, BUFFER, NDRANGE, WRITE, FILL, COPY, READ,
  MAP, FINISH, FLUSH,
  WAIT, EVENT, ARG, INFO, ANY, N_GROUPS
  /* clang-format on */
} Group;
#define LAST_OF_ANY EVENT

static const char *const group_names[N_GROUPS] = {
  "platform", "device",  "context", "queue", "source", "binary", "build", "kernel",
  "buffer",   "ndrange", "write",   "fill",  "copy",   "read",   "map",   "finish",
  "flush",    "wait",    "event",   "arg",   "info",   "any",
};

typedef struct {
  char verb; /* 'f'ail, 'd'elay, 'r'aise, f'l'ip */
  Group group;
  guint n;
  gint value; /* code, milliseconds, bit */
  gboolean once;
} Rule;

#define MAX_RULES 8
static Rule rules[MAX_RULES];
static guint n_rules;
static Where where = { .log = -1 };
static atomic_uint calls[N_GROUPS];
static _Atomic (const char *) failed[2]; /* the first two functions that did, and not the same */

static gint
find_group (const char *name)
{
  for (gint g = 0; g < N_GROUPS; g++)
    if (strcmp (group_names[g], name) == 0)
      return g;
  g_error ("clfault: there is no group “%s”", name);
}

static Rule
read_rule (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n_parts = g_strv_length (parts);
  guint64 n;
  gint64 value;

  if (n_parts < 4 || n_parts > 5 || !g_ascii_string_to_unsigned (parts[2], 10, 1, G_MAXUINT, &n, NULL)
      || !g_ascii_string_to_signed (parts[3], 10, G_MININT, G_MAXINT, &value, NULL)
      || (n_parts == 5 && strcmp (parts[4], "once") != 0))
    g_error ("clfault: “%s” is no rule", text);
  return (Rule){ .verb = strcmp (parts[0], "flip") == 0 ? 'l' : parts[0][0],
                 .group = (Group) find_group (parts[1]),
                 .n = (guint) n,
                 .value = (gint) value,
                 .once = n_parts == 5 };
}

void
clfault_set (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text ? text : "", ",", -1);

  n_rules = 0;
  for (guint i = 0; parts[i] && *parts[i]; i++)
    {
      g_assert (i < MAX_RULES);
      rules[n_rules++] = read_rule (parts[i]);
    }
  for (guint g = 0; g < N_GROUPS; g++)
    atomic_store (&calls[g], 0);
  for (gsize i = 0; i < G_N_ELEMENTS (failed); i++)
    atomic_store (&failed[i], NULL);
}

guint
clfault_count (const char *group)
{
  return atomic_load (&calls[find_group (group)]);
}

gboolean
clfault_named (const char *message)
{
  for (gsize i = 0; i < G_N_ELEMENTS (failed); i++)
    {
      const char *name = atomic_load (&failed[i]);
      if (name && strstr (message, name))
        return TRUE;
    }
  return FALSE;
}

static void
note_failure (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (failed); i++)
    {
      const char *there = NULL;
      if (atomic_compare_exchange_strong (&failed[i], &there, name) || there == name)
        return;
    }
}

static gboolean
applies (const Rule *rule, char verb, Group group, guint n, guint n_any)
{
  guint number = rule->group == ANY ? n_any : n;

  if (rule->verb != verb || (rule->group != ANY ? rule->group != group : group > LAST_OF_ANY))
    return FALSE;
  return rule->once || verb == 'd' || verb == 'r' ? number == rule->n : number >= rule->n;
}

/* Counts a call; the error that it is to give, or 0. *flip: the bit to turn over, or −1. */
static cl_int
take_read (Group group, const char *name, gint *flip)
{
  guint n = atomic_fetch_add (&calls[group], 1) + 1, n_any = 0;
  cl_int code = 0;

  if (group <= LAST_OF_ANY)
    {
      n_any = atomic_fetch_add (&calls[ANY], 1) + 1;
      where_log (&where, "opencl", n_any, name, "-", 0);
    }
  for (guint i = 0; i < n_rules; i++)
    if (applies (&rules[i], 'd', group, n, n_any))
      g_usleep ((gulong) rules[i].value * 1000);
    else if (applies (&rules[i], 'r', group, n, n_any))
      {
        signal (rules[i].value, SIG_DFL); /* LLVM would catch it and go on */
        raise (rules[i].value);
      }
    else if (applies (&rules[i], 'f', group, n, n_any))
      code = rules[i].value;
    else if (flip && applies (&rules[i], 'l', group, n, n_any))
      *flip = rules[i].value;
  if (code)
    note_failure (name);
  return code;
}

static cl_int
take (Group group, const char *name)
{
  return take_read (group, name, NULL);
}

__attribute__ ((constructor)) static void
begin (void)
{
  where = where_am_i ();
  if (where_is_meant (&where))
    clfault_set (g_getenv ("LS_CLFAULT"));
}

/* The next definition of this function in the order of libraries: the loader's. */
#define REAL(f)                                                                                              \
  static _Atomic (__typeof__ (f) *) real_;                                                                   \
  __typeof__ (f) *real = atomic_load (&real_);                                                               \
  if (real == NULL)                                                                                          \
  atomic_store (&real_, real = (__typeof__ (f) *) dlsym (RTLD_NEXT, #f))

/* For functions that return their error … */
#define CALL(group, f, ...)                                                                                  \
  {                                                                                                          \
    REAL (f);                                                                                                \
    cl_int code = take (group, #f);                                                                          \
    return code ? code : real (__VA_ARGS__);                                                                 \
  }
/* … that wait: what is under way comes to its end, and the error tells that it was no good one … */
#define LATE(group, f, ...)                                                                                  \
  {                                                                                                          \
    REAL (f);                                                                                                \
    cl_int code = take (group, #f), result = real (__VA_ARGS__);                                             \
    return code ? code : result;                                                                             \
  }
/* … and for those that return an object. */
#define MAKE(group, f, ...)                                                                                  \
  {                                                                                                          \
    REAL (f);                                                                                                \
    cl_int code = take (group, #f);                                                                          \
    if (code == 0)                                                                                           \
      return real (__VA_ARGS__);                                                                             \
    if (error)                                                                                               \
      *error = code;                                                                                         \
    return NULL;                                                                                             \
  }

typedef void (CL_CALLBACK *ContextFunc) (const char *, const void *, size_t, void *);
typedef void (CL_CALLBACK *ProgramFunc) (cl_program, void *);

/* clang-format off */
cl_int
clGetPlatformIDs (cl_uint room, cl_platform_id *ids, cl_uint *n)
CALL (PLATFORM, clGetPlatformIDs, room, ids, n)

cl_int
clGetDeviceIDs (cl_platform_id p, cl_device_type type, cl_uint room, cl_device_id *ids, cl_uint *n)
CALL (DEVICE, clGetDeviceIDs, p, type, room, ids, n)

cl_context
clCreateContext (const cl_context_properties *p, cl_uint n, const cl_device_id *d, ContextFunc f,
                 void *data, cl_int *error)
MAKE (CONTEXT, clCreateContext, p, n, d, f, data, error)

cl_command_queue
clCreateCommandQueue (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *error)
MAKE (QUEUE, clCreateCommandQueue, c, d, p, error)

cl_program
clCreateProgramWithSource (cl_context c, cl_uint n, const char **texts, const size_t *lengths, cl_int *error)
MAKE (SOURCE, clCreateProgramWithSource, c, n, texts, lengths, error)

cl_program
clCreateProgramWithBinary (cl_context c, cl_uint n, const cl_device_id *d, const size_t *lengths,
                           const unsigned char **b,
                           cl_int *status, cl_int *error)
MAKE (BINARY, clCreateProgramWithBinary, c, n, d, lengths, b, status, error)

cl_int
clBuildProgram (cl_program p, cl_uint n, const cl_device_id *d, const char *options, ProgramFunc f,
                void *data)
CALL (BUILD, clBuildProgram, p, n, d, options, f, data)

cl_kernel
clCreateKernel (cl_program p, const char *name, cl_int *error)
MAKE (KERNEL, clCreateKernel, p, name, error)

cl_int
clSetKernelArg (cl_kernel k, cl_uint i, size_t size, const void *value)
CALL (ARG, clSetKernelArg, k, i, size, value)

cl_mem
clCreateBuffer (cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *error)
MAKE (BUFFER, clCreateBuffer, c, flags, size, host, error)

cl_mem
clCreateSubBuffer (cl_mem m, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *error)
MAKE (BUFFER, clCreateSubBuffer, m, flags, type, info, error)

cl_int
clSetMemObjectDestructorCallback (cl_mem m, void (CL_CALLBACK *f) (cl_mem, void *), void *data)
CALL (BUFFER, clSetMemObjectDestructorCallback, m, f, data)

cl_int
clEnqueueNDRangeKernel (cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
                        const size_t *global,
                        const size_t *local, cl_uint n, const cl_event *wait, cl_event *event)
CALL (NDRANGE, clEnqueueNDRangeKernel, q, k, dims, offset, global, local, n, wait, event)

cl_int
clEnqueueWriteBuffer (cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size,
                      const void *from, cl_uint n,
                      const cl_event *wait, cl_event *event)
CALL (WRITE, clEnqueueWriteBuffer, q, m, blocking, offset, size, from, n, wait, event)

cl_int
clEnqueueFillBuffer (cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_size, size_t offset,
                     size_t size,
                     cl_uint n, const cl_event *wait, cl_event *event)
CALL (FILL, clEnqueueFillBuffer, q, m, pattern, pattern_size, offset, size, n, wait, event)

cl_int
clEnqueueCopyBuffer (cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                     size_t size, cl_uint n,
                     const cl_event *wait, cl_event *event)
CALL (COPY, clEnqueueCopyBuffer, q, from, to, from_offset, to_offset, size, n, wait, event)

cl_int
clEnqueueReadBuffer (cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size, void *to,
                     cl_uint n,
                     const cl_event *wait, cl_event *event)
{
  REAL (clEnqueueReadBuffer);
  gint flip = -1;
  guint32 word;
  cl_int code = take_read (READ, "clEnqueueReadBuffer", &flip);

  if (code)
    return code;
  /* What is to be falsified must have arrived. */
  code = real (q, m, flip >= 0 ? CL_TRUE : blocking, offset, size, to, n, wait, event);
  if (code == CL_SUCCESS && flip >= 0 && size >= sizeof word)
    {
      memcpy (&word, to, sizeof word);
      word ^= 1u << flip;
      memcpy (to, &word, sizeof word);
    }
  return code;
}

void *
clEnqueueMapBuffer (cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t offset,
                    size_t size, cl_uint n,
                    const cl_event *wait, cl_event *event, cl_int *error)
MAKE (MAP, clEnqueueMapBuffer, q, m, blocking, flags, offset, size, n, wait, event, error)

cl_int
clEnqueueUnmapMemObject (cl_command_queue q, cl_mem m, void *mapped, cl_uint n, const cl_event *wait,
                         cl_event *event)
CALL (MAP, clEnqueueUnmapMemObject, q, m, mapped, n, wait, event)

cl_int
clFinish (cl_command_queue q)
LATE (FINISH, clFinish, q)

cl_int
clFlush (cl_command_queue q)
CALL (FLUSH, clFlush, q)

cl_int
clWaitForEvents (cl_uint n, const cl_event *events)
LATE (WAIT, clWaitForEvents, n, events)

cl_int
clEnqueueMarkerWithWaitList (cl_command_queue q, cl_uint n, const cl_event *wait, cl_event *event)
CALL (EVENT, clEnqueueMarkerWithWaitList, q, n, wait, event)

cl_int
clEnqueueBarrierWithWaitList (cl_command_queue q, cl_uint n, const cl_event *wait, cl_event *event)
CALL (EVENT, clEnqueueBarrierWithWaitList, q, n, wait, event)

cl_int
clGetEventProfilingInfo (cl_event e, cl_profiling_info what, size_t room, void *value, size_t *size)
CALL (EVENT, clGetEventProfilingInfo, e, what, room, value, size)

cl_int
clGetEventInfo (cl_event e, cl_event_info what, size_t room, void *value, size_t *size)
CALL (EVENT, clGetEventInfo, e, what, room, value, size)

cl_int
clGetPlatformInfo (cl_platform_id p, cl_platform_info what, size_t room, void *value, size_t *size)
CALL (INFO, clGetPlatformInfo, p, what, room, value, size)

cl_int
clGetDeviceInfo (cl_device_id d, cl_device_info what, size_t room, void *value, size_t *size)
CALL (INFO, clGetDeviceInfo, d, what, room, value, size)

cl_int
clGetProgramInfo (cl_program p, cl_program_info what, size_t room, void *value, size_t *size)
CALL (INFO, clGetProgramInfo, p, what, room, value, size)

cl_int
clGetProgramBuildInfo (cl_program p, cl_device_id d, cl_program_build_info what, size_t room, void *value,
                       size_t *size)
CALL (INFO, clGetProgramBuildInfo, p, d, what, room, value, size)

cl_int
clGetKernelWorkGroupInfo (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t room,
                          void *value, size_t *size)
CALL (INFO, clGetKernelWorkGroupInfo, k, d, what, room, value, size)
  /* clang-format on */
