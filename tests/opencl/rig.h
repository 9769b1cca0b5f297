/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rig: the least host program that can run a row of the kernel table: first device, blocking calls, buffers
 * with guard zones. Independent of the runtime that is to run the same rows in earnest, so that a mistake of
 * one shows.
 */
#pragma once

#include "backends/opencl/kernels/kernel.h"

G_BEGIN_DECLS

/* NaN as a float, and no position that a kernel could mean: what outputs, scratch and guard zones hold before
 * a run. */
#define RIG_POISON      0x7fc5a5a5u
#define RIG_GUARD_WORDS 64
#define RIG_TICKS_POCL  1 /* kernels_cl/probe.clh */

typedef struct {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  LsClLimits limits;
  guint guard_words;    /* after each buffer */
  int ticks;            /* LS_PROBE_TICKS that is safe here */
  GHashTable *programs; /* build options and sources → cl_program */
} Rig;

typedef struct {
  cl_mem mem;
  gsize bytes;
} RigBuffer;

/* guarded FALSE: buffers end where their contents end, for tools that watch that themselves.
 * FALSE if there is no OpenCL device: why, in words, in *reason. */
gboolean rig_open (Rig *rig, gboolean guarded, const char **reason);
void rig_close (Rig *rig);

/* Source as the runtime will put it together; ticks: LS_PROBE_TICKS of the variant with the probe, −1:
 * without; with one occurrence of `from` changed to `to` if from isn't NULL. */
cl_program rig_program (Rig *rig, const LsClKernel *kernel, const int *values, const char *epilogue,
                        int ticks, gboolean f32_samples, const char *from, const char *to);

/* data NULL: poisoned. */
RigBuffer rig_buffer_new (Rig *rig, const void *data, gsize bytes);
/* Copies the contents to data, if not NULL; FALSE if the guard zone was written to. */
gboolean rig_buffer_read (Rig *rig, const RigBuffer *buffer, void *data);
void rig_buffer_free (RigBuffer *buffer);

void rig_run (Rig *rig, cl_kernel kernel, const LsClRange *range);

G_END_DECLS
