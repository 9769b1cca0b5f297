/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A device's memory that is played, in the library's place: buffers are memory here, and the call that the
 * test says fails. Whoever asks a buffer for more than it has is wrong.
 */
#pragma once

#include "backends/opencl/device/cl.h"

#include <glib.h>

typedef struct _PlayedBuffer PlayedBuffer;
struct _PlayedBuffer {
  cl_mem_flags flags;
  gsize size;
  guint8 *bytes;       /* a host's own where that is where it lies */
  PlayedBuffer *whole; /* it is a part of that */
  void (CL_CALLBACK *gone) (cl_mem buffer, void *data);
  gpointer data; /* of gone */
};

extern struct PlayedMemory {
  GPtrArray *buffers; /* PlayedBuffer: those that are there */
  guint calls;        /* that make, fill or write one, so far */
  guint fails;        /* the number of the one that fails, from 1; 0: none */
  const char *failed; /* its name */
  cl_int finish;      /* what waiting for a queue says */
} played;

/* There are no buffers, and none was ever made. */
void played_begin (void);
/* Bytes of all buffers that aren't parts. */
gsize played_bytes (void);
static inline PlayedBuffer *
played_buffer (cl_mem buffer)
{
  return (gpointer) buffer;
}
