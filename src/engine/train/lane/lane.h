/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLane: one backend on one thread. It does one job at a time, handed over under a mutex, and tells a signal
 * shared by all lanes when it has done it. Drivers can hang: a lane that doesn't answer is abandoned, never
 * waited for. Whatever its thread may still touch belongs to the lane, which is freed by whoever leaves last.
 */
#pragma once

#include <pthread.h>

#include "core/stored.h"
#include "backends/build.h"
#include "core/figure.h"
#include "files/recording.h"
#include "train/lane/ask.h"
#include "train/lane/state.h"

G_BEGIN_DECLS

/* Wakes the coordinator: something happened. Shared by reference, because an abandoned lane may outlive the
 * coordinator. */
typedef struct {
  gint ref_count;
  pthread_mutex_t mutex;
  pthread_cond_t cond; /* CLOCK_MONOTONIC */
  guint64 n;           /* things that have happened */
} LsSignal;

LsSignal *ls_signal_new (void);
LsSignal *ls_signal_ref (LsSignal *signal);
void ls_signal_unref (LsSignal *signal);
void ls_signal_raise (LsSignal *signal);
/* So many milliseconds from now, for pthread_cond_timedwait() on CLOCK_MONOTONIC. */
struct timespec ls_deadline (guint timeout_ms);
/* Waits until n differs from *seen or timeout_ms have gone (G_MAXUINT: for ever); updates *seen. FALSE on
 * timeout. */
gboolean ls_signal_wait (LsSignal *signal, guint64 *seen, guint timeout_ms);

typedef enum {
  LS_JOB_NONE,
  LS_JOB_OPEN,      /* and prepare, with kernels unless NULL; weights ← the lane's params */
  LS_JOB_CONFIGURE, /* the lane's options */
  LS_JOB_TRAIN,     /* steps of the whole plan, on the lane's index */
  LS_JOB_EVALUATE,  /* the test set */
  LS_JOB_ANSWER,    /* a question */
  LS_JOB_WALK,      /* a product of a recorded step; the device's limits */
  LS_JOB_READ,      /* the lane's params ← weights */
  LS_JOB_COMPARE,   /* one step of train, op by op against the double reference */
  LS_JOB_SAVE,      /* checkpoint ← weights and states */
  LS_JOB_LOAD,      /* weights and states ← checkpoint */
  LS_JOB_RELOAD,    /* kernels, of a backend that has some */
  LS_JOB_QUIT,
} LsJobKind;

#define LS_TURN_MAX 16 /* steps in one turn */

/* What a recorded step left behind on a lane. */
typedef struct {
  GArray *events;   /* LsEvent */
  GArray *off_core; /* guint64 for each worker, or NULL: see LsRing */
  double clock_error_ns;
  guint64 dropped, start_ns, end_ns;
  void **values;        /* plan->n_tensors, NULL where it isn't kept; NULL if none is */
  void **before;        /* the same of weights as the step found them */
  LsRecordedCut *finer; /* the step cut finer; NULL: it wasn't */
} LsLaneRecord;

/* A product of fewer tiles than that shows little of who did what when: its step is recorded once more, cut
 * into about that many. */
#define LS_FINER_LEAST 32
#define LS_FINER_TILES 56

void ls_lane_record_free (LsLaneRecord *record, const LsPlan *plan);
LsLaneRecord *ls_lane_record_copy (const LsLaneRecord *record, const LsPlan *plan);

/* What a lane is to do. What it points to is the request's own. */
typedef struct {
  LsJobKind kind;
  gboolean fuse; /* TRAIN, EVALUATE, ANSWER */
  struct {
    guint n_steps;
    LsHyper first; /* the first step's; the others' are the same, one step later each */
    gboolean record, keep_tensors;
  } train; /* COMPARE, too */
  struct {
    LsWalkWish wish; /* op: LS_WALK_NO_OP: none */
    LsRecording *of; /* sealed: lanes may share it */
    guint lane;      /* in it */
    gboolean measure;
  } walk;
  LsQuestion *question;
  GPtrArray *checkpoint; /* see ls_checkpoint_new(); LOAD only reads it: lanes may share it */
  LsKernelFiles *kernels;
} LsRequest;

/* What came of it. */
typedef struct {
  GError *error; /* why it failed */
  struct {
    guint64 start_ns, step_end_ns[LS_TURN_MAX];
    float losses[LS_TURN_MAX];
    gboolean skipped[LS_TURN_MAX];
    LsLaneRecord *record;
  } train;
  struct {
    LsWalk *walk;
    LsFigure roofs[LS_ROOF_N];
  } walk;
  struct {
    double accuracy;
    LsEvaluation *of_samples; /* what was said of each */
  } evaluation;
  LsAnswer *answer;
  GArray *comparisons;  /* LsComparison */
  GError *reload_error; /* why the kernels before stay; the lane works */
} LsResult;

/* While a request is with the lane, that, the result, scale, index, params and options are its thread's
 * alone; otherwise they are the coordinator's. */
typedef struct {
  gint ref_count;
  const LsBackend *backend;
  guint number;
  LsPlan *plan;
  LsPlan *stored;   /* the same, as the backend has it, in the lane's precision; NULL before it is open */
  gboolean written; /* since then steps have written their tensors where each lies by itself: a recorded one
                       wouldn't be the first to ask the system for that memory */
  LsData *data;
  LsSignal *signal;
  guint32 *index;     /* the samples of each step, LS_TURN_MAX × batch */
  LsBlock block;      /* these, where they are fetched from a file */
  float **params;     /* plan->n_params arrays */
  LsLossScale scale;  /* after its newest step */
  LsOptions *options; /* that it works with */
  LsRequest request;
  LsResult result;

  pthread_mutex_t mutex;
  pthread_cond_t posted;
  gboolean pending;   /* under mutex: the request is still to be taken */
  gboolean done;      /* under mutex: its result may be read */
  gboolean abandoned; /* under mutex */

  gint interrupted;  /* atomic: what can be left off is to be */
  gint phase;        /* LsLaneState while opening, atomic */
  gpointer instance; /* the backend's; published by `phase` */
} LsLane;

/* One array for each of the plan's weights, zero; NULL with LS_ERROR_MEMORY. */
float **ls_params_new (const LsPlan *plan, GError **error);
void ls_params_free (float **params, const LsPlan *plan);

/* Room for all that training changes, which puts another lane where this one is: float * of each parameter's
 * weights, then of its states, as plan->params has them; at last an LsLossScale. NULL with
 * LS_ERROR_MEMORY. */
GPtrArray *ls_checkpoint_new (const LsPlan *plan, GError **error);

/* Errors: LS_ERROR_MEMORY. */
LsLane *ls_lane_new (const LsBackend *backend, guint number, LsPlan *plan, LsData *data, LsSignal *signal,
                     GError **error);
gboolean ls_lane_start (LsLane *lane, GError **error);
void ls_lane_unref (LsLane *lane);
/* Hands a request over, with what it points to, and lets go of what is left of the one before; the lane must
 * be idle. */
void ls_lane_post (LsLane *lane, const LsRequest *request);
gboolean ls_lane_done (LsLane *lane);
/* What it is at isn't wanted any more: an evaluation ends at its next batch with LS_ERROR_CANCELLED; all else
 * goes on. */
void ls_lane_interrupt (LsLane *lane);
/* For the job itself: FALSE with that error. */
gboolean ls_lane_goes_on (LsLane *lane, GError **error);
/* Lets go of a lane whose thread doesn't answer; its thread quits if it ever comes back, and at once where
 * the lane is a process of its own. */
void ls_lane_abandon (LsLane *lane);
/* How many lanes' threads there are in the process, also of those that were abandoned: while one may be in
 * its driver, the process must end without the drivers' exit handlers, which would take away what it uses. */
guint ls_lane_threads (void);
/* A thread that makes or ends a run in the background counts, too. */
void ls_lane_thread_begins (void);
void ls_lane_thread_ends (void);
/* How nice the threads of lanes are that start from now on, with the workers that they make; 0, at first: as
 * the thread that starts them. A window sets it, to stay smooth; nobody waits for frames in a terminal. */
void ls_lane_be_nice (gint nice);
/* OPENING, BUILDING (with counts) or READY. */
LsLaneState ls_lane_progress (LsLane *lane, guint *done, guint *total);
/* BUILDING: which kernels there are and which are to come, if the backend tells; else NULL. (transfer
 * full) */
LsBuild *ls_lane_building (LsLane *lane);

/* ---- the jobs themselves, on the lane's thread (lane_jobs.c, evaluate.c, ask.c, compare.c) ---- */
gboolean ls_lane_do (LsLane *lane, GError **error);
gboolean ls_lane_evaluate (LsLane *lane, GError **error);
gboolean ls_lane_answer (LsLane *lane, GError **error);
gboolean ls_lane_walk (LsLane *lane);
gboolean ls_lane_compare (LsLane *lane, GError **error);
/* The lane's index as batches of the plan, n of them, whose samples are there. */
gboolean ls_lane_batches (LsLane *lane, guint n, LsBatch *batches, GError **error);
gboolean ls_lane_save (LsLane *lane, GPtrArray *checkpoint, GError **error);
gboolean ls_lane_load (LsLane *lane, const GPtrArray *checkpoint, GError **error);
/* finer.c: does run, a recorded step, cut finer, and takes back what it changed; *left has then what it left
 * behind, as a checkpoint. NULL without an error: there is nothing to be gained. The lane computes as before
 * afterwards, unless error is set. */
LsRecordedCut *ls_lane_cut_finer (LsLane *lane, const LsRun *run, GPtrArray **left, GError **error);
/* The lane is seen to have the same bits now, in all weights and states. */
gboolean ls_lane_is_at (LsLane *lane, const GPtrArray *checkpoint);
/* Probabilities of n logits, worked out in double. */
void ls_softmax (const float *logits, guint n, float *probs);

G_END_DECLS
