/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One OpenCL lane: what backend.c, memory.c, launch.c, ready.c, enqueue.c, run.c and record.c share.
 *
 * A step is a list of launches. Each op has one by itself (`single`), and each op that leads a chain has
 * another that does its followers in the epilogue, and maybe other small chains beside it (`chain`). Deriving
 * launches asks the kernel table only and costs nothing; a launch is made *ready*, its programs built and run
 * once, when it is first needed: in prepare() those of the normal step, later those of a recorded step (its
 * probe variants) or of ops run by themselves.
 *
 * All commands go through one in-order queue; a recorded step goes through a second one with profiling on,
 * because some drivers (Intel's) become slow by it, and no run begins before the one before it has finished.
 * Nothing here busy-waits.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "backends/backend.h"
#include "backends/build.h"
#include "backends/opencl/device/calibrate.h"
#include "backends/opencl/child/discovery.h"
#include "backends/opencl/kernels/kernel.h"
#include "backends/opencl/kernels/program.h"
#include "backends/opencl/run/pace.h"
#include "backends/opencl/run/trial.h"
#include "backends/opencl/kernels/tuned.h"

G_BEGIN_DECLS

/* Steps in flight: the host enqueues this many ahead, so that the device never waits for it. */
#define LS_CL_AHEAD 4

typedef struct {
  guint op; /* the leader */
  guint n_followers, followers[LS_FUSION_MAX];
  guint n_joins, joins[LS_CL_MAX_JOINS]; /* heads of the chains that are done beside it */
  const LsClKernel *row;                 /* NULL: the reference runs it, or the host gathers */
  int values[LS_CL_MAX_PARAMS];
  LsClArg args[LS_CL_MAX_PASSES][LS_CL_MAX_ARGS]; /* the row's, and those of an update and of joins */
  char *epilogue; /* macros of the chain and its joins; NULL for one op alone */
  int shape[LS_CL_MAX_SHAPE];
  LsTiling tiling;
  guint n_passes; /* of the row, including those that aren't needed */
  gboolean needed[LS_CL_MAX_PASSES];
  LsClRange range[LS_CL_MAX_PASSES];
  guint groups; /* work-groups of the pass that makes the tiles */
  /* [0] plain, [1] with the probe in the pass that makes the tiles */
  cl_kernel kernel[2][LS_CL_MAX_PASSES];
  gboolean ready[2];
  gboolean apart; /* by the row that takes the op apart, if there is one: of `single` */
  gboolean whole; /* of `chain`: where nothing is fused, the op is taken apart */
  gboolean tuned; /* row and values are the tuner's */
  cl_mem probe;   /* header and words of `groups`; made with ready[1] */
} LsClLaunch;

/* A data set on the device: the training one and the test one. */
typedef struct {
  const LsDataset *set;
  cl_mem samples, labels;
} LsClSet;

typedef struct {
  cl_mem *tensors; /* one per tensor of the plan; of a view, a part of its base's or apart */
  cl_mem *copies;  /* one per tensor; NULL: it has no copy */
  cl_mem *placed;  /* one per tensor: where it lies in a run that reuses memory; NULL: where it always does */
  guint n_tensors;
  gboolean any_apart; /* some view's */
  cl_mem scratch[2];
  gsize scratch_bytes[2];
  LsClSet sets[2];
  cl_mem byte_values;
  cl_mem index;       /* a batch's positions per step of a run */
  cl_mem losses;      /* a slot per step of a run */
  guint n_steps;      /* that there is room for in both, and in: */
  guint32 *positions; /* the host's, until they are in `index` */
  float *loss;        /* where a recorded step's comes back to */
  gint64 used;        /* bytes of all buffers together */
} LsClMemory;

/* The host's copies of a batch on their way to the device, with --batch-from host. */
typedef struct {
  float *x;
  gint32 *labels;
} LsClStage;

/* The step's kernels on their way: building.c. Under its mutex. */
typedef struct {
  pthread_mutex_t mutex;
  LsBuild *build;   /* NULL: nothing is being built */
  gint64 *begun_us; /* of each op */
  guint *op_of;     /* launch of the schedule → the first op with its program */
  guint n_launches;
  guint processes; /* that compile side by side */
} LsClBuilding;

/* Of a child that builds launches for another process: where their numbers come from, and where what became
 * of them goes. */
typedef struct {
  int input, output; /* file descriptors; input −1: this isn't such a child */
  gboolean probe;    /* which variant */
} LsClFed;

/* Of a plan in fp16: unscale.c. */
typedef struct {
  cl_program program;
  cl_kernel kernel;  /* NULL: the plan is in none */
  cl_mem overflowed; /* an int */
} LsClUnscale;

typedef struct {
  guint lane;
  LsClDevices *devices;
  const LsClDevice *device;
  LsDeviceInfo *info;
  guint ticks; /* LS_PROBE_TICKS */
  LsClBuilder builder;
  cl_command_queue queue, profiling_queue;
  LsTsc tsc; /* at open: one end of the line that turns ticks into times */

  LsOptions *options; /* of open and configure */
  guint number;       /* the device's, among all */
  gboolean alone;     /* a child couldn't build for it */
  guint aside;        /* bit d: a child has done that LsTrialKind since the launches were derived */
  char *rung;
  gboolean fusion, use_tuned;
  int tile; /* edge of the tiled rung's tiles; 0: the table's, or the tuner's */
  LsBatchFrom batch_from;
  LsKernelFiles *edited; /* NULL until prepared or told */

  LsTuned *tuned;           /* NULL: there are none */
  guint tuned_generation;   /* of the file, when it was read */
  const LsClKernel *forced; /* the tuner's candidate, for all ops; NULL */
  int forced_values[LS_CL_MAX_PARAMS];

  LsPlan *plan;
  LsData *data;
  LsClMemory memory;
  LsArena host;        /* for ops on the reference; base NULL while there are none */
  float *host_scratch; /* where those, and batches gathered on the host, are computed before they are stored
                        */
  LsClStage stages[LS_CL_AHEAD];
  LsClLaunch *single, *chain; /* n_ops each; chain[i] is used where ls_cl_is_chain() */
  LsTiling *tilings;
  LsClLaunch **schedule; /* n_ops: room for a run's list */
  guint *place;          /* of ls_plan_places() */
  gboolean reuses;       /* the kernels without probe take their tensors from there */
  gboolean half_placed;  /* some of them still don't, or still do */
  gboolean half_set_up;  /* the launches aren't ready: setting them up has failed */
  LsClUnscale unscale;
  GHashTable *programs; /* options and a digest of the sources → cl_program */

  gboolean lost; /* a queue failed to finish: what it may still read or write on the host is never freed */
  LsClFed fed;
  LsClBuilding building;
  LsClPace pace;
  atomic_uint built, to_build;
} LsCl;

/* One command of a recorded step, as the host saw it; times of its event are read afterwards. */
typedef struct {
  LsEventKind kind; /* KERNEL, COPY_IN, COPY_OUT, REFERENCE */
  guint op;
  guint32 tile;             /* pass, or bytes */
  const LsClLaunch *launch; /* whose work-groups this command is; NULL */
  guint64 start_ns, end_ns; /* the host's call */
  cl_event event;           /* NULL for REFERENCE */
} LsClCommand;

typedef struct {
  LsClCommand *commands;
  guint n, capacity;
} LsClRecorder;

/* What a launch is to work on. */
typedef struct {
  cl_command_queue queue;
  const LsBatch *batch;     /* of gather; may be NULL for others */
  gboolean positions_there; /* the batch's are in memory.index, at the step's place; FALSE: they are copied to
                               its start */
  const LsHyper *hyper;     /* of an update; may be NULL for others */
  guint step; /* of the run: its place in memory.losses and memory.index, modulo LS_CL_AHEAD in stages */
  LsClRecorder *recorder; /* NULL unless recorded */
  cl_event *end; /* where the event of the launch's last command goes, if it has one; NULL: nowhere */
} LsClOrder;

/* ---- backend.c ---- */
/* Without a device; ls_backend_opencl.close() frees it at any stage. */
LsCl *ls_cl_new (guint lane);
/* The texts that kernels are built from, from the next prepare() or reload() on. */
void ls_cl_take_kernels (LsCl *self, LsKernelFiles *edited);
/* Context and queues, once `device` is set. */
gboolean ls_cl_open_queues (LsCl *self, GError **error);
/* Launches, buffers, and all kernels of a normal step: after a change of plan or of what chooses kernels. */
gboolean ls_cl_set_up (LsCl *self, GError **error);
/* A lane on the device that was probed. */
gpointer ls_cl_open_discovered (const LsOptions *options, guint lane, const LsClDiscovery *probe,
                                GError **error);

/* ---- tuned_choose.c ---- */
/* Replaces row and values by the tuner's, where there are some for this op that can be used. */
gboolean ls_cl_tuned_choose (const LsCl *self, const LsOp *op, const LsPlan *plan, const LsClKernel **row,
                             int *values);
/* The part of an entry's key that device, op and shape make; strings (transfer full). */
void ls_cl_tuned_key (const LsCl *self, const LsOp *op, const LsPlan *plan, LsTunedEntry *key);
/* Hash of all that makes the programs of an op's rungs (edited: as ls_cl_source_load()'s); NULL if a file is
 * missing. (transfer full) */
char *ls_cl_tuned_source (const LsKernelFiles *edited, const char *op, GError **error);

/* ---- memory.c: buffers, zeroed, checked against what the device has ---- */
gboolean ls_cl_memory_prepare (LsCl *self, GError **error);
/* Room for so many steps' positions and losses; what they held is lost when it grows. */
gboolean ls_cl_memory_steps (LsCl *self, guint n_steps, GError **error);
/* For ops on the reference and batches gathered on the host. */
gboolean ls_cl_memory_host (LsCl *self, GError **error);
void ls_cl_memory_clear (LsCl *self);
/* Waits for all commands of the queue; if they can't be waited for, the device is lost. */
cl_int ls_cl_finish (LsCl *self, cl_command_queue queue);
/* bytes ≥ 1, filled with zeros; title: what messages call it. NULL on error. */
cl_mem ls_cl_buffer_new (LsCl *self, gsize bytes, const char *title, GError **error);
void ls_cl_buffer_clear (LsCl *self, cl_mem *buffer);
/* Of all buffers, as the driver says their sizes. */
void ls_cl_memory_allocated (const LsCl *self, LsStepMemory *memory);
/* The set on the device, or NULL if it isn't there. */
const LsClSet *ls_cl_set_find (const LsCl *self, const LsDataset *set);

/* ---- contents.c: as in LsBackend ---- */
gboolean ls_cl_write (gpointer data, guint tensor, const void *values, GError **error);
gboolean ls_cl_read (gpointer data, guint tensor, void *values, GError **error);

/* ---- views.c: buffers of tensors that are parts of others ---- */
gboolean ls_cl_view_is_apart (const LsCl *self, guint tensor);
/* The view's buffer; its base's is there. NULL on error. */
cl_mem ls_cl_view_new (LsCl *self, guint tensor, GError **error);
/* Fills memory.placed. Where a view lies apart, which is copied to and from where it always is, or the device
 * makes no part, it stays NULL. */
void ls_cl_placed_make (LsCl *self);
void ls_cl_placed_clear (LsCl *self);
/* Where the kernels without probe find their tensors: memory.placed, or memory.tensors. */
gboolean ls_cl_reuse (LsCl *self, gboolean reuse, GError **error);
/* The tensor has been written by a command of the queue; or all that the launch writes. */
gboolean ls_cl_view_written (LsCl *self, guint tensor, cl_command_queue queue, GError **error);
gboolean ls_cl_views_written (LsCl *self, const LsClLaunch *launch, cl_command_queue queue, GError **error);

/* ---- launch.c: which kernels, ranges and tilings ---- */
void ls_cl_launches_derive (LsCl *self);
void ls_cl_launches_clear (LsCl *self);
/* It does more than its op. */
gboolean ls_cl_is_chain (const LsClLaunch *launch);
/* The op whose output the launch makes: the chain's last. */
const LsOp *ls_cl_last_op (const LsCl *self, const LsClLaunch *launch);
/* The same of the join-th chain that is joined to it. */
const LsOp *ls_cl_join_op (const LsCl *self, const LsClLaunch *launch, guint join);
/* It writes the loss into the step's slot itself. */
gboolean ls_cl_keeps_loss (const LsCl *self, const LsClLaunch *launch);
/* Fills self->schedule for ops first … first + n − 1; returns how many launches. */
guint ls_cl_schedule (LsCl *self, guint first, guint n, gboolean fuse);
/* Epilogue, shape, ranges, work-groups and tiling of a launch whose op, followers, row and values are set. */
void ls_cl_launch_fill (const LsCl *self, LsClLaunch *launch);
/* The edge that the options ask for, in the launch's values. FALSE: they ask for none, or the row has
 * none. */
gboolean ls_cl_launch_take_tile (const LsCl *self, LsClLaunch *launch, const LsOp *op);
gboolean ls_cl_op_on_host (const LsCl *self, const LsClLaunch *launch); /* gathered on the host */

/* ---- ready.c: builds and first runs ---- */
/* kind: which way of running a step they are launches of. */
gboolean ls_cl_ready (LsCl *self, guint n_launches, LsTrialKind kind, GError **error);
/* The launch's program, with the probe or without, with `more` options or NULL; (transfer none). */
cl_program ls_cl_launch_program (LsCl *self, const LsClLaunch *launch, gboolean probe, const char *more,
                                 GError **error);

/* Its key among the lane's programs: what the pass that makes the tiles is built from. (transfer full) */
char *ls_cl_launch_key (const LsCl *self, const LsClLaunch *launch, gboolean probe);
/* One of its programs is neither built nor in the caches. */
gboolean ls_cl_launch_missing (const LsCl *self, const LsClLaunch *launch, gboolean probe);
/* In a child: builds the launches whose numbers it reads, one after the other, with those that share their
 * program. */
gboolean ls_cl_ready_fed (LsCl *self, guint n_launches, GError **error);

/* ---- building.c ---- */
/* A table of the schedule's first launches; how many programs are missing. */
guint ls_cl_building_begin (LsCl *self, guint n_launches);
/* Any thread: the launch, and all that share its program, are RUNNING or DONE. */
void ls_cl_building_mark (LsCl *self, guint launch, LsBuildState state);
void ls_cl_building_end (LsCl *self);
void ls_cl_building_clear (LsCl *self);
/* Any thread. NULL: nothing is being built. (transfer full) */
LsBuild *ls_cl_building (gpointer self);

/* ---- enqueue.c: one launch ---- */
/* The other operand of the chain's epilogue: what a follower reads beside the tensor that is handed to it. */
guint ls_cl_epilogue_tensor (const LsCl *self, const LsClLaunch *launch, guint otherwise);
gboolean ls_cl_set_fixed_args (LsCl *self, LsClLaunch *launch, gboolean probe, GError **error);
gboolean ls_cl_enqueue (LsCl *self, LsClLaunch *launch, const LsClOrder *order, GError **error);
/* ---- unscale.c ---- */
gboolean ls_cl_unscale_prepare (LsCl *self, GError **error);
void ls_cl_unscale_clear (LsCl *self);
/* The schedule's launches, all of order->step's; where run scales, its updates once gradients are known to be
 * finite. order->end as of ls_cl_enqueue(), and nothing is put there if the step has no update. */
gboolean ls_cl_enqueue_all (LsCl *self, const LsRun *run, guint n_launches, const LsClOrder *order,
                            LsRunResult *result, GError **error);

/* Before and after a host call that enqueues: where the event goes, or NULL. */
cl_event *ls_cl_recorder_begin (LsClRecorder *recorder, LsEventKind kind, guint op, guint32 tile,
                                const LsClLaunch *launch);
void ls_cl_recorder_end (LsClRecorder *recorder);

/* ---- aside.c ---- */
/* Has children build, where that saves memory; how it went shows when the lane itself builds. n_missing:
 * programs of the schedule's launches that are to be built. */
void ls_cl_build_aside (LsCl *self, LsTrialKind kind, guint n_launches, guint n_missing);
gboolean ls_cl_record_waits (gpointer self);
/* Of the schedule's first launches, in the variant with the probe or without: not in the caches. */
gboolean ls_cl_any_missing (const LsCl *self, guint n_launches, gboolean probe);

/* ---- run.c, record.c ---- */
gboolean ls_cl_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error);
gboolean ls_cl_record_step (LsCl *self, const LsRun *run, guint n_launches, LsRunResult *result,
                            GError **error);
/* The range holds the op that makes the loss. */
gboolean ls_cl_makes_loss (const LsCl *self, const LsRun *run);
/* It does, and none of the schedule's launches puts it into the step's slot; then this copy does, within the
 * device. */
gboolean ls_cl_copies_loss (const LsCl *self, const LsRun *run, guint n_launches);
gboolean ls_cl_enqueue_loss (LsCl *self, cl_command_queue queue, guint step, GError **error);

/* ---- walk.c, walk_read.c, roofs.c ---- */
gboolean ls_cl_walk (gpointer data, const LsWalkOrder *order, LsWalk **walk, GError **error);
/* Word 0 … 15 of `walk`, in kernels_cl/walk.clh. */
enum {
  LS_CL_WALK_X,
  LS_CL_WALK_Y,
  LS_CL_WALK_Z,
  LS_CL_WALK_REST,
  LS_CL_WALK_KEPT,
  LS_CL_WALK_A,
  LS_CL_WALK_B,
  LS_CL_WALK_ROUNDS,
  LS_CL_WALK_SLOTS,
  LS_CL_WALK_HEADER = 16
};
/* A walk of that launch, with everything but values and stamps. */
LsWalk *ls_cl_walk_new (const LsCl *self, const LsClLaunch *launch, const LsWalkOrder *order);
/* From the words of `walk` after a launch: values and columns; stamps, on the host's ns. */
void ls_cl_walk_take_values (const LsCl *self, const LsClLaunch *launch, LsWalk *walk, const guint32 *words);
void ls_cl_walk_take_times (LsWalk *walk, const guint32 *words, double ns_per_tick);
/* LS_ROOF_N figures; those that can't be had stay at n == 0. */
gboolean ls_cl_roofs (gpointer data, LsFigure *roofs, GError **error);
extern const LsBackendFlight ls_cl_flight; /* flight.c */

/* The op as messages name it: “dW₁ = dZ₁ᵀ·X (matmul)”. (transfer full) */
char *ls_cl_op_title (const LsCl *self, guint op);

G_END_DECLS
