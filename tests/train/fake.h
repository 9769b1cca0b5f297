/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Backends that go wrong on purpose: the reference with something done to it. What goes wrong is set in
 * `fake` before the coordinator starts.
 */
#pragma once

#include "backends/backend.h"

typedef struct {
  guint64 fail_at;       /* this run() (from 1) fails; 0: never */
  guint64 hang_at;       /* this run() never returns before `let_go` */
  gboolean builds_first; /* which builds all its kernels before */
  gint all_built;        /* atomic: it has built them */
  gboolean own_cores;    /* it doesn't share the processor's */
  gint read_fails;       /* atomic: so many read() more succeed, from 1; 0: all do */
  gboolean fail_open, fail_prepare, fail_configure;
  gboolean fail_recorded; /* a recorded run() fails */
  gboolean bad_event;     /* a recorded run() tells of an op that the plan doesn't have */
  gboolean fail_one_op;   /* a run() of a single op fails */
  gboolean hang_open;     /* open() never returns before `let_go` */
  gboolean hang_close;    /* close() never returns before `let_go` */
  guint open_ms;          /* open() takes so long */
  gint run_ms;            /* atomic: run() takes so long more */
  gint64 clock_ns;        /* steps end so much after their start, whatever they took; 0: as they do */
  guint64 disturb_from;   /* from this run() on, one weight is shifted afterwards; 0: never */
  gboolean disturb_last;  /* which is of the last parameter, not of the first; */
  gboolean disturb_nan;   /* to what is no number; */
  gboolean disturb_both;  /* of the first in lane 0, of the last in the others */
  guint32 positions[64];  /* of the samples that the first steps trained, in their order */
  guint n_positions;
  guint64 step;     /* the number of the newest step that it trained, from 1 */
  gboolean skipped; /* which wasn't the one after the last */
  gint let_go;      /* atomic */
  gint reuses;      /* atomic: run()s of whole steps in which tensors might lie in each other's memory, */
  gint reused_from; /* the first of them, from 1 */
  gint waits; /* atomic: a recorded step would wait for a compiler, until warm_walk() is over, which waits for
                 `let_go` */
  gint warmed;   /* atomic: how often that was begun */
  gint together; /* atomic: instances that were opened while another was still there */
  gint opened;   /* atomic: instances that have been opened */
  gint runs;     /* atomic: how many there were */
  gint closed;   /* atomic: instances that have been closed */
  gint there;    /* atomic: instances that are being opened, or are open */
} Fake;

extern Fake fake;
extern const LsBackend fake_backend;
