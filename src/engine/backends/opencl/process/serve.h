/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lane's process: what serve.c, which reads and answers, and serve_steps.c share.
 */
#pragma once

#include "backends/opencl/process/process.h"

G_BEGIN_DECLS

typedef struct {
  int fd;
  GMutex saying; /* one message at a time */
  GCond work;
  gboolean working, asleep; /* under the mutex: it is at something; nobody looks how far */
  guint to_build;           /* kernels that it has told of, and not yet that all of them are there */
  gpointer lane;
  guint number; /* the lane's, for events */
  LsOptions *options;
  LsPlan *plan;
  LsData *data;
  LsWalk *walk; /* the last one, until its answer is out */
  guint tuned;  /* the parent's count of changes of that file */
} LsClServer;

/* What is asked: each reads `in`, and fills `out`. FALSE: with an error, or it can't be done now. */
gboolean ls_cl_serve_run (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error);
gboolean ls_cl_serve_write (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error);
gboolean ls_cl_serve_read (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error);
gboolean ls_cl_serve_walk (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error);
gboolean ls_cl_serve_roofs (LsClServer *server, LsWireIn *in, LsWireOut *out, GError **error);

G_END_DECLS
