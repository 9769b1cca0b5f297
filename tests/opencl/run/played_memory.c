/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See played_memory.h.
 */
#include "played_memory.h"

#include <string.h>

struct PlayedMemory played;

void
played_begin (void)
{
  if (played.buffers != NULL)
    g_assert_cmpuint (played.buffers->len, ==, 0);
  g_clear_pointer (&played.buffers, g_ptr_array_unref);
  played = (struct PlayedMemory){ .buffers = g_ptr_array_new () };
}

gsize
played_bytes (void)
{
  gsize bytes = 0;

  for (guint i = 0; i < played.buffers->len; i++)
    {
      const PlayedBuffer *buffer = played.buffers->pdata[i];
      bytes += buffer->whole == NULL ? buffer->size : 0;
    }
  return bytes;
}

/* It is this call's turn to fail. */
static gboolean
fails (const char *name)
{
  if (++played.calls != played.fails)
    return FALSE;
  played.failed = name;
  return TRUE;
}

static PlayedBuffer *
live (cl_mem id)
{
  PlayedBuffer *buffer = played_buffer (id);

  g_assert_true (g_ptr_array_find (played.buffers, buffer, NULL));
  return buffer;
}

static cl_mem
add (PlayedBuffer *buffer, cl_int *code)
{
  g_ptr_array_add (played.buffers, buffer);
  *code = CL_SUCCESS;
  return (cl_mem) (gpointer) buffer;
}

cl_mem
clCreateBuffer (G_GNUC_UNUSED cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
  PlayedBuffer *buffer;

  g_assert_cmpuint (size, >, 0);
  g_assert_cmpint ((flags & CL_MEM_USE_HOST_PTR) != 0, ==, host != NULL);
  *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (fails ("clCreateBuffer"))
    return NULL;
  buffer = g_new0 (PlayedBuffer, 1);
  buffer->flags = flags;
  buffer->size = size;
  buffer->bytes = host;
  if (host == NULL)
    memset (buffer->bytes = g_malloc (size), 0xa5, size);
  return add (buffer, code);
}

cl_mem
clCreateSubBuffer (cl_mem whole, G_GNUC_UNUSED cl_mem_flags flags, G_GNUC_UNUSED cl_buffer_create_type type,
                   const void *what, cl_int *code)
{
  const cl_buffer_region *region = what;
  PlayedBuffer *of = live (whole), *part;

  g_assert_cmpuint (region->origin + region->size, <=, of->size);
  *code = CL_OUT_OF_RESOURCES;
  if (fails ("clCreateSubBuffer"))
    return NULL;
  part = g_new0 (PlayedBuffer, 1);
  part->size = region->size;
  part->bytes = of->bytes + region->origin;
  part->whole = of;
  return add (part, code);
}

cl_int
clEnqueueFillBuffer (G_GNUC_UNUSED cl_command_queue queue, cl_mem id, const void *pattern, size_t length,
                     size_t offset, size_t size, G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after,
                     G_GNUC_UNUSED cl_event *event)
{
  PlayedBuffer *buffer = live (id);

  g_assert_cmpuint (offset + size, <=, buffer->size);
  g_assert_cmpuint (offset % length, ==, 0);
  g_assert_cmpuint (size % length, ==, 0);
  if (fails ("clEnqueueFillBuffer"))
    return CL_OUT_OF_RESOURCES;
  for (gsize at = offset; at < offset + size; at += length)
    memcpy (buffer->bytes + at, pattern, length);
  return CL_SUCCESS;
}

cl_int
clEnqueueWriteBuffer (G_GNUC_UNUSED cl_command_queue queue, cl_mem id, cl_bool waits, size_t offset,
                      size_t size, const void *from, G_GNUC_UNUSED cl_uint n,
                      G_GNUC_UNUSED const cl_event *after, G_GNUC_UNUSED cl_event *event)
{
  PlayedBuffer *buffer = live (id);

  g_assert_cmpint (waits, ==, CL_TRUE);
  g_assert_cmpuint (offset + size, <=, buffer->size);
  if (fails ("clEnqueueWriteBuffer"))
    return CL_OUT_OF_RESOURCES;
  memcpy (buffer->bytes + offset, from, size);
  return CL_SUCCESS;
}

cl_int
clEnqueueReadBuffer (G_GNUC_UNUSED cl_command_queue queue, cl_mem id, cl_bool waits, size_t offset,
                     size_t size, void *to, G_GNUC_UNUSED cl_uint n, G_GNUC_UNUSED const cl_event *after,
                     G_GNUC_UNUSED cl_event *event)
{
  const PlayedBuffer *buffer = live (id);

  g_assert_cmpint (waits, ==, CL_TRUE);
  g_assert_cmpuint (offset + size, <=, buffer->size);
  memcpy (to, buffer->bytes + offset, size);
  return CL_SUCCESS;
}

cl_int
clGetMemObjectInfo (cl_mem id, cl_mem_info what, size_t size, void *to, G_GNUC_UNUSED size_t *told)
{
  const PlayedBuffer *buffer = live (id);

  g_assert_cmpuint (size, ==, 8);
  if (what == CL_MEM_SIZE)
    memcpy (to, &buffer->size, size);
  else if (what == CL_MEM_ASSOCIATED_MEMOBJECT)
    memcpy (to, &buffer->whole, size);
  else
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_int
clSetMemObjectDestructorCallback (cl_mem id, void (CL_CALLBACK *gone) (cl_mem, void *), void *data)
{
  PlayedBuffer *buffer = live (id);

  if (fails ("clSetMemObjectDestructorCallback"))
    return CL_OUT_OF_HOST_MEMORY;
  buffer->gone = gone;
  buffer->data = data;
  return CL_SUCCESS;
}

cl_int
clReleaseMemObject (cl_mem id)
{
  PlayedBuffer *buffer = live (id);

  g_ptr_array_remove (played.buffers, buffer);
  if (buffer->gone != NULL)
    buffer->gone (id, buffer->data);
  if (buffer->whole == NULL && (buffer->flags & CL_MEM_USE_HOST_PTR) == 0)
    g_free (buffer->bytes);
  g_free (buffer);
  return CL_SUCCESS;
}

cl_int
clFinish (G_GNUC_UNUSED cl_command_queue queue)
{
  return played.finish;
}
