/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSweep: how the lanes' rates grow with one size: the batch, the width of the hidden layers, the threads,
 * or the events of a recorded step. Only the points and their CSV; who measures them is the benchmark, who
 * draws them ui/paint/growth/growth.h.
 */
#pragma once

#include "core/figure.h"

G_BEGIN_DECLS

#define LS_SWEEP_LANES 2 /* the CPU's, OpenCL's */

typedef enum { LS_SWEEP_BATCH, LS_SWEEP_WIDTH, LS_SWEEP_THREADS, LS_SWEEP_EVENTS, LS_SWEEP_N } LsSweepKind;

typedef struct {
  double x;
  LsFigure rate;  /* samples/s; of events: of recorded steps */
  LsFigure plain; /* of events: of the steps between them; else n == 0 */
} LsSweepPoint;

typedef struct {
  LsSweepKind kind;
  char *network; /* "mlp 784-256-128-10", "mlp 784-N-N-10, batch 128": what else there is to know of it */
  GArray *points[LS_SWEEP_LANES]; /* LsSweepPoint, by growing x */
} LsSweep;

/* All of a run, with its conditions. */
typedef struct {
  GPtrArray *sweeps;              /* LsSweep */
  char *machine, *date, *program; /* "AMD EPYC, 2 processors …"; "2026-11-21"; "Lockstep 0.1.0" */
  char *devices[LS_SWEEP_LANES];  /* NULL: the lane wasn't there */
  gboolean busy;                  /* other programs took part */
} LsSweepRun;

LsSweep *ls_sweep_new (LsSweepKind kind, const char *network);
LsSweepRun *ls_sweep_run_new (void);
void ls_sweep_run_free (LsSweepRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSweepRun, ls_sweep_run_free)

const char *ls_sweep_name (LsSweepKind kind); /* "batch": stable */
gboolean ls_sweep_find (const char *name, LsSweepKind *kind);
/* "sweep,lane,x,samples_per_second,q1,q3,n,plain_samples_per_second", a line per point, numbers as everywhere
 * in files; (transfer full). */
char *ls_sweep_csv (const LsSweepRun *run);

G_END_DECLS
