/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane's process. A driver, its compiler, a damaged cache of theirs, or a kernel that somebody has
 * edited may crash or hang at any time, also on values that no trial has seen: so the program itself opens no
 * device. The lane is a child, `lockstep --opencl-child serve`, which does what it is asked (serve.c, with
 * the backend of run/), and this is the program's side: an LsBackend whose functions send what they got and
 * wait for the answer. What the child dies of is the lane's error.
 *
 * A turn of 16 steps costs one message each way: which samples, and the losses. Weights and recorded events
 * go the same way when they are wanted.
 */
#pragma once

#include <pthread.h>

#include "backends/opencl/child/discovery.h"
#include "backends/opencl/process/wire.h"

G_BEGIN_DECLS

typedef struct {
  LsChild child;
  GCancellable *cancel; /* set by another thread: the child is ended, whatever it is at */
  guint lane;
  LsOptions *options;
  LsClDiscovery *discovery;
  LsDeviceInfo *info;
  LsPlan *plan;
  LsData *data;
  LsKernelFiles *edited; /* NULL until prepared or told */
  gboolean renewed;      /* begun anew once already, with empty caches */
  guint patience_ms;     /* for an answer */
  char *died;            /* of what; NULL: it lives */

  /* what it said of itself when it was prepared last */
  LsTiling *tilings; /* n_ops */
  LsStepMemory memory;
  guint n_rings;
  guint32 capacity;

  /* how far it is, for any thread */
  pthread_mutex_t mutex;
  LsBuild *build;       /* under the mutex; NULL: nothing is being built */
  gint built, to_build; /* atomic */
} LsClProcess;

/* ---- ask.c ---- */
/* Sends, and waits for what comes of it; in is to be cleared in any case. FALSE with what the child says is
 * wrong, or what it died of. */
gboolean ls_cl_process_call (LsClProcess *self, LsWireOut *out, LsWireIn *in, GError **error);
/* It crashed, and not by kernels that somebody has edited: of a damaged cache, as far as one can know. */
gboolean ls_cl_process_may_renew (const LsClProcess *self);
/* As in LsBackendBuild. */
void ls_cl_process_progress (gpointer self, guint *done, guint *total);
LsBuild *ls_cl_process_building (gpointer self);

/* ---- steps.c: as in LsBackend ---- */
gboolean ls_cl_process_run (gpointer self, const LsRun *run, LsRunResult *result, GError **error);
gboolean ls_cl_process_write (gpointer self, guint tensor, const void *values, GError **error);
gboolean ls_cl_process_read (gpointer self, guint tensor, void *values, GError **error);
gboolean ls_cl_process_walk (gpointer self, const LsWalkOrder *order, LsWalk **walk, GError **error);
gboolean ls_cl_process_roofs (gpointer self, LsFigure *roofs, GError **error);

/* ---- serve.c: in the child ---- */
/* Does what it reads from standard input, answers to fd, until there is no more. FALSE: nobody listens. */
gboolean ls_cl_serve (int fd);

G_END_DECLS
