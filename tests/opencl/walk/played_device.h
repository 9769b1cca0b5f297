/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A device that is played, for walks through a kernel: it notes what it is told, and leaves the words, ticks
 * and results that the test says. And a lane on it, with a step that was recorded.
 */
#pragma once

#include "tests/opencl/run/invented.h"
#include "tests/opencl/run/played_memory.h"

#define PLAYED_ARGS 32

typedef struct {
  const char *function;
  union {
    cl_mem buffer;
    cl_int number;
  } args[PLAYED_ARGS];
  gboolean is_buffer[PLAYED_ARGS];
  guint n;
} PlayedKernel;

extern struct PlayedDevice {
  guint launches; /* of the pass that makes the tiles */
  guint kernels;  /* that are there */
  guint32 header[2][LS_CL_WALK_HEADER];
  PlayedKernel last;
  guint64 begin_ns, end_ns;   /* of a launch, as its event says */
  cl_int status;              /* of its event */
  guint events;               /* that are there */
  guint off;                  /* so many elements come out different by .25 */
  guint unwritten;            /* and so many aren't written */
  const float *result;        /* what the lane computed */
  const float *in[2], *other; /* that the product reads; the chain's operand, or NULL */
  guint64 ticks[2];           /* of the first group's begin and the last one's end */
  const guint64 *stamps;      /* of the walk, by round, work-item and stamp; NULL: none */
  guint n_stamps;
} device;

typedef struct {
  Lane lane;
  float **values;
} Step;

void begin (Step *step, const char *model, const char *rung, gboolean fusion);
/* Nothing is left on the device. */
void end (Step *step);
guint op_of (const Step *step, const char *symbol);
/* The walk through group (1, 0), or NULL; result: the tensor that the lane would have written there. */
LsWalk *walk (Step *step, guint op, LsRung rung, guint result, GError **error);
