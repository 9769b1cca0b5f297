/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCpu: an instance of the CPU backend; what cpu.c (life and configuration), stages.c (plan → stages) and
 * run.c (the step) share.
 */
#pragma once

#include "backends/backend.h"
#include "backends/cpu/kernel.h"
#include "backends/cpu/policy.h"
#include "backends/cpu/pool.h"
#include "backends/cpu/topology.h"
#include "trace/misses.h"

G_BEGIN_DECLS

/* A share-out of tiles in a recorded step: first or second phase of an op. */
typedef struct {
  guint op;
  guint64 start_ns, end_ns;
} LsCpuJob;

typedef struct {
  guint lane;
  LsTopology topology;
  LsDeviceInfo *device;

  /* From the options. */
  guint threads; /* wanted; the grids depend on this, not on what the system granted */
  guint tiles;   /* 0: automatic */
  gboolean fusion;
  const LsCpuRung *rung;
  const LsSchedule *schedule;

  LsPool *pool;
  LsShare *share;

  LsPlan *plan; /* NULL before prepare() */
  LsArena arena;
  LsCpuStage *plain, *fused; /* n_ops each; of fused, those that lead */
  guint *leader, *last;      /* op → its leader; leader → the last op of its chain */
  guint *place;              /* tensor → in whose memory it lies in a run that reuses memory */
  gboolean reuses;           /* the fused stages are set for such a run */
  LsTiling *tilings;
  float *scratch; /* scratch_stride floats per worker */
  gsize scratch_stride;
  float *parts;      /* of split sums; one op at a time uses it */
  gsize work_bytes;  /* of scratch and parts */
  gint64 data_bytes; /* of both sets, which lie in memory once, for whoever trains */
  gint mean_op;      /* which makes the loss; −1 */

  /* The step in hand. Stages point to hyper and batch. */
  LsHyper hyper;
  LsBatch batch;
  const LsCpuStage **order; /* n_ops: the stages of this run, in order */
  const LsCpuStage *stage;  /* shared out just now */
  gboolean joining;         /* its second phase */
  guint pass;               /* of the stage's, over all tiles */
  LsTrace *trace;
  guint n_jobs;
  LsCpuJob *jobs;       /* LS_CPU_MAX_PASSES·n_ops */
  guint64 *finished_ns; /* as many × workers: when each had done its last tile; the job's start: it had
                           none */
  LsMisses *misses;     /* NULL: nothing has been recorded yet */
} LsCpu;

/* For LsBackendMemory. */
gint64 ls_cpu_workspace (gpointer self, const LsPlan *plan);
/* Makes stages, tilings, scratch and record keeping for plan, threads, tiles and fusion. LS_ERROR_MEMORY. */
gboolean ls_cpu_stages_make (LsCpu *self, GError **error);
void ls_cpu_stages_clear (LsCpu *self);
/* Sets where the fused stages' tensors lie: by themselves, or as ls_plan_places() says. */
void ls_cpu_stages_place (LsCpu *self, gboolean reuse);
/* convolution/pooled.c: likewise, which of them pool, after their tensors have places. */
void ls_cpu_pooled_place (LsCpu *self, gboolean reuse);

/* Of a recorded step's tiles: each op's by when they were done. */
void ls_cpu_rank_tiles (const LsTrace *trace);
gboolean ls_cpu_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error);

/* stored/unscale.c: TRUE: one of the weight gradients isn't finite. */
gboolean ls_cpu_unscale_gradients (LsCpu *self, double factor);

/* Roofs only: the CPU lane has no ladder. */
gboolean ls_cpu_roofs (gpointer data, LsFigure *roofs, GError **error);

extern const LsBackendFlight ls_cpu_flight; /* flight.c */

/* Describes processor, OpenBLAS and pool. (transfer full) */
LsDeviceInfo *ls_cpu_device_info (const LsCpu *self);

G_END_DECLS
