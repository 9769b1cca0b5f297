/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBackend: who runs a plan. One row per backend in ls_backends(): ten functions, and tables of what only
 * some have.
 *
 * All functions of one instance are called by one thread at a time (the lane's), except progress(),
 * building() and device(), which any thread may call. An op that a backend doesn't support runs on the
 * reference, and the trace (LS_EVENT_REFERENCE) and tiling (.reference) say so. A function that fails leaves
 * an instance that can be closed.
 */
#pragma once

#include "backends/build.h"
#include "core/options.h"
#include "core/tiling.h"
#include "model/plan.h"
#include "model/step_memory.h"
#include "model/walk.h"
#include "trace/event.h"

G_BEGIN_DECLS

/* Who computes. A recording may name a backend that this program doesn't have: the first. */
typedef enum {
  LS_BACKEND_UNKNOWN,
  LS_BACKEND_REFERENCE,
  LS_BACKEND_CPU,
  LS_BACKEND_OPENCL,
} LsBackendKind;

typedef enum {
  LS_DEVICE_UNKNOWN,
  LS_DEVICE_CPU,
  LS_DEVICE_GPU,
  LS_DEVICE_ACCELERATOR,
  LS_DEVICE_OPENCL_CPU, /* the CPU as an OpenCL device */
} LsDeviceKind;

/* What a device's work-groups tell of where they ran. */
typedef enum {
  LS_TELLS_UNKNOWN,
  LS_TELLS_NOTHING,
  LS_TELLS_ORDER,
  LS_TELLS_THREADS,
  LS_TELLS_UNITS,
} LsTells;

/* In lists and files, in the enumeration's order, from its second value on; NULL-terminated. */
extern const char *const ls_device_kind_names[], *const ls_tells_names[];

/* NULL: unknown. */
static inline const char *
ls_device_kind_name (LsDeviceKind kind)
{
  return kind != LS_DEVICE_UNKNOWN ? ls_device_kind_names[kind - 1] : NULL;
}

static inline const char *
ls_tells_name (LsTells tells)
{
  return tells != LS_TELLS_UNKNOWN ? ls_tells_names[tells - 1] : NULL;
}

/* Further facts that are numbers: in bytes, nanoseconds or counts. */
typedef enum {
  LS_DEVICE_L1D,
  LS_DEVICE_L2,
  LS_DEVICE_L3,
  LS_DEVICE_QUOTA,       /* of cores */
  LS_DEVICE_LOOP_FLOATS, /* of a vector of the CPU lane's own loops */
  LS_DEVICE_USABLE,      /* processors */
  LS_DEVICE_STAMP,       /* one reading of the clock */
  LS_DEVICE_STAMPS,      /* of them in a step that isn't recorded */
  LS_DEVICE_WANTED,      /* threads */
  LS_DEVICE_CORES,       /* that the usable processors are of: two threads may share one */
  LS_DEVICE_MISSES,      /* LsMissesOf: which bytes from beyond a cache the processor counts */
  LS_DEVICE_ALLOCATED, /* bytes of a step by the lane: this one for LS_MEMORY_WEIGHTS, the others after it */
  LS_DEVICE_N = LS_DEVICE_ALLOCATED + LS_MEMORY_N,
} LsDeviceNumber;

extern const char *const ls_device_number_names[LS_DEVICE_N]; /* in lists and files */

/* Facts about the hardware and driver that a lane runs on. Absent is not zero: a string may be NULL, a number
 * −1. */
typedef struct {
  char *backend;     /* "cpu" */
  LsBackendKind who; /* of that name */
  char *name;        /* "AMD EPYC", "NVIDIA H200" */
  LsDeviceKind kind;
  char *driver;          /* "OpenBLAS 0.3.21 (Cooperlake)", "PoCL 3.1"; "naive loops" */
  char *core;            /* "Cooperlake": whose kernels OpenBLAS chose; NULL: it isn't used */
  gboolean own_products; /* not even large products are OpenBLAS's */
  char *version;         /* "OpenCL 3.0 PoCL" */
  LsTells tells;
  gint threads;                                       /* workers of the pool; −1 */
  gint units;                                         /* compute units as the device reports; −1 */
  gboolean shares_cpu;                                /* computes on the same cores as the CPU lane */
  gint64 global_mem, local_mem, max_alloc, max_group; /* bytes, bytes, bytes, work-items; −1 */
  LsFigure roofs[LS_ROOF_N];   /* what it can do at most, once measured; filled by whoever shows it */
  double numbers[LS_DEVICE_N]; /* −1 */
  GHashTable *facts;           /* further key → value strings for lists and files */
} LsDeviceInfo;

LsDeviceInfo *ls_device_info_new (const char *backend);
LsDeviceInfo *ls_device_info_copy (const LsDeviceInfo *info);
void ls_device_info_free (LsDeviceInfo *info);
/* Facts and numbers for a list, key → words. (transfer full) */
GHashTable *ls_device_info_words (const LsDeviceInfo *info);
/* "AMD EPYC, CPU, 2 workers, OpenBLAS 0.3.21"; (transfer full). */
char *ls_device_text (const LsDeviceInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDeviceInfo, ls_device_info_free)

/* Some of a plan's ops, once or for several steps in a row. */
typedef struct {
  guint first_op, n_ops;
  guint n_steps;          /* ≥ 1 */
  const LsBatch *batches; /* n_steps, each plan->batch long; may be NULL if no op of the range is gather */
  const LsHyper *hyper;   /* n_steps */
  gboolean fuse;          /* allowed to skip intermediates; FALSE: every op's output is written */
  gboolean reuse;         /* with fuse, of a whole step that nobody looks at: what only ops read needn't be
                             there afterwards, as ls_plan_places() says or the backend sees fit */
  /* Of whole steps of a plan: each has its hyper's `scale` from here, and leaves what follows from it here.
   * Where it scales, weight gradients are divided by it once all are there; if one isn't finite then, the
   * step has no update. NULL: hyper is as it is, and gradients stay scaled. */
  LsLossScale *scale;
  LsTrace *trace; /* events wanted (n_steps == 1), or NULL */
} LsRun;

typedef struct {
  guint64 start_ns, end_ns; /* host clock, around everything the run cost; recording's readback excluded */
  guint64 *step_end_ns; /* n_steps, caller's; NULL if not wanted. When each step's last op had finished. */
  float *losses;        /* n_steps, caller's; filled where the range holds the `mean` op; may be NULL */
  gboolean *skipped;    /* n_steps, caller's: the step had no update; may be NULL */
} LsRunResult;

/* What its steps scale by; 0: nothing is scaled. */
static inline double
ls_run_factor (const LsRun *run)
{
  return run->scale != NULL ? run->scale->factor : 0;
}

/* A step has come to its end. */
static inline void
ls_run_step_done (const LsRun *run, LsRunResult *result, guint step, gboolean overflowed)
{
  if (ls_run_factor (run) > 0)
    ls_loss_scale_step (run->scale, overflowed);
  if (result->skipped != NULL)
    result->skipped[step] = overflowed;
}

/* A walk that is asked for, with the recorded step's own numbers. */
typedef struct {
  guint op;
  LsRung rung;
  gint row, col;             /* as in LsWalkWish */
  const void *const *values; /* plan->n_tensors, as the op found or left them; NULL: not kept */
} LsWalkOrder;
/* The texts of kernels that a user has edited: backends/kernel_files.h. */
typedef struct _LsKernelFiles LsKernelFiles;

/* How far a trial of them is; another thread may look, or set `cancelled`. All atomic. */
typedef struct {
  guint done, total; /* built and to build; 0 of 0: not known yet */
  gint cancelled;
} LsKernelTrial;

/* ---- what not every backend has ---- */

/* Of one whose kernels a compiler builds. */
typedef struct {
  /* Begins what open() will need and no data, and returns at once: it is called before the data set is read.
   * May be NULL. */
  void (*begin) (const LsOptions *options);
  /* "building 3 of 14": kernels built and to build; 0 of 0 when there is nothing to wait for. */
  void (*progress) (gpointer self, guint *done, guint *total);
  /* The same kernel by kernel, while prepare() builds them; NULL: it doesn't. (transfer full) May be NULL
   * itself. */
  LsBuild *(*kernels) (gpointer self);
  /* Does what a walk would, on other numbers, in a process of its own, so that the driver's cache holds what
   * is built for it: a compiler may take many seconds, which the lane mustn't wait. edited: the texts that
   * the lane works with; NULL: its own. With LS_WALK_NO_OP it does a recorded step instead of a walk. Blocks;
   * on any thread, beside a lane that works; a failure isn't told, since the lane will see for itself. */
  void (*warm) (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                const LsWalkWish *wish, LsKernelTrial *trial);
  /* A recorded step would have to wait for a compiler, and warm() can spare it that. Asked while the lane is
   * at nothing. */
  gboolean (*record_waits) (gpointer self);
} LsBackendBuild;

/* Of one that has the ladder. Between two steps, which it doesn't touch. (transfer full) in *walk. */
typedef struct {
  gboolean (*walk) (gpointer self, const LsWalkOrder *order, LsWalk **walk, GError **error);
} LsBackendWalk;

/* Of one whose device's limits can be measured: LS_ROOF_N figures, in some ten milliseconds, between two
 * steps. */
typedef struct {
  gboolean (*measure) (gpointer self, LsFigure *roofs, GError **error);
} LsBackendRoofs;

/* Of one that can keep a wished number of results under way in each of its units at once: loads, each of
 * which waits for the one before in its chain, or multiply-adds, likewise. */
typedef struct {
  gpointer (*begin) (gpointer self, gboolean loads, GError **error);
  /* All units, for seconds at least; appends to us (double), for each launch, the µs that passed for each
   * result of the whole device. */
  gboolean (*measure) (gpointer state, guint in_flight, double seconds, GArray *us, GError **error);
  void (*end) (gpointer state);
} LsBackendFlight;

/* Of one whose kernels a user can edit. */
typedef struct {
  /* Builds edited kernels and does a recorded step with them, of that plan and on samples of that kind, in a
   * process of its own, since compilers hang and wrong indices end the process. Blocks; on any thread, beside
   * a lane that works. LS_ERROR_BUILD holds the compiler's message. */
  gboolean (*try_kernels) (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                           LsKernelTrial *trial, GError **error);
  /* Goes on with them, all tensors as they are. On an error the kernels before are in use again. */
  gboolean (*reload) (gpointer self, LsKernelFiles *edited, GError **error);
} LsBackendEdit;

/* Of one that counts what it allocates. */
typedef struct {
  /* For the plan and the data that it was prepared with. */
  void (*allocated) (gpointer self, LsStepMemory *memory);
  /* What a plan will need beside tensors and data, from its shapes alone: nothing is allocated, no device
   * asked. self: an open lane; NULL of one whose kernels need the same wherever they run. */
  gint64 (*workspace) (gpointer self, const LsPlan *plan);
} LsBackendMemory;

/* Of one whose lane is a process of its own. */
typedef struct {
  /* Any thread: that process is ended, whatever it is at; what waits for it fails soon. */
  void (*kill) (gpointer self);
} LsBackendProcess;

typedef struct {
  const char *name;  /* "cpu": as --backends names it */
  const char *title; /* "CPU" */
  LsBackendKind kind;

  /* Finds the device, starts threads. lane: its number, for events. */
  gpointer (*open) (const LsOptions *options, guint lane, GError **error);
  void (*close) (gpointer self);
  /* Allocates, derives tilings, builds kernels for a plan and a data set; may be called again with others.
   * Weights are undefined afterwards; states are zero. May take long: build->progress() works meanwhile. */
  gboolean (*prepare) (gpointer self, LsPlan *plan, LsData *data, GError **error);
  /* Takes over what can be changed between two steps: policy, threads, kernel, fusion, batch-from. */
  gboolean (*configure) (gpointer self, const LsOptions *options, GError **error);
  gboolean (*run) (gpointer self, const LsRun *run, LsRunResult *result, GError **error);
  gboolean (*write) (gpointer self, guint tensor, const void *values, GError **error);
  gboolean (*read) (gpointer self, guint tensor, void *values, GError **error);
  /* One per op, for the current options; valid until the next prepare or configure. */
  const LsTiling *(*tilings) (gpointer self);
  const LsDeviceInfo *(*device) (gpointer self);
  /* Rings and capacity that a recorded step may need. */
  void (*trace_size) (gpointer self, guint *n_rings, guint32 *capacity);

  /* NULL: it has none of that. */
  const LsBackendBuild *build;
  const LsBackendWalk *walk;
  const LsBackendRoofs *roofs;
  const LsBackendFlight *flight;
  const LsBackendEdit *edit;
  const LsBackendProcess *process;
  const LsBackendMemory *memory;
} LsBackend;

/* In the environment of a process: OpenCL devices that can be divided have so many compute units there, those
 * that can't have all. */
#define LS_UNITS_VARIABLE "LOCKSTEP_UNITS"

extern const LsBackend ls_backend_reference;     /* float */
extern const LsBackend ls_backend_reference_f64; /* read and write convert; for tests and gradient checks */
extern const LsBackend ls_backend_cpu;
extern const LsBackend ls_backend_opencl;      /* in a process of its own: opencl/process/ */
extern const LsBackend ls_backend_opencl_here; /* in this one: what that process runs, and tests of kernels */

const LsBackend *const *ls_backends (guint *n);
const LsBackend *ls_backend_find (const char *name);
/* name may be NULL, or one that no backend has. */
LsBackendKind ls_backend_kind (const char *name);

G_END_DECLS
